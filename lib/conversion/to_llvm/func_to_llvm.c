// func_to_llvm.c -- functions, calls and returns.
//
// A descriptor is passed as its fields, one argument each, and put together again where the
// function begins; it is returned whole. Several results are returned as a struct.
#include "to_llvm.h"

#include "mlc/dialects/func.h"

// The types in which a value of `type` is passed; false if it has no llvm form.
static bool
passed_as(MlcTypeConverter *types, MlcType type, MlcTypeVec *out)
{
    MlcType to = mlc_type_converter_convert_one(types, type);
    if (!to)
        return false;
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || llvm_is_ptr(to)) {
        mlc_vec_push(out, to);
        return true;
    }
    for (size_t i = 0; i < llvm_struct_size(to); i++) {
        MlcType member = llvm_struct_member(to, i);
        size_t n = i < 3 ? 1 : mlc_type_rank(type);
        for (size_t j = 0; j < n; j++)
            mlc_vec_push(out, i < 3 ? member : llvm_struct_member(to, 2));
    }
    return true;
}

// NULL with *ok: no result.
static MlcType
returned_as(MlcContext *ctx, MlcTypeConverter *types, const MlcType *results, size_t n, bool *ok)
{
    MlcTypeVec list = {0};
    *ok = true;
    for (size_t i = 0; i < n && *ok; i++) {
        MlcType type = mlc_type_converter_convert_one(types, results[i]);
        *ok = type != NULL;
        mlc_vec_push(&list, type);
    }
    MlcType type = NULL;
    if (*ok && n > 0)
        type = n == 1 ? list.data[0] : llvm_struct(ctx, list.data, n);
    mlc_vec_release(&list);
    return type;
}

// The entry block's arguments become those of `signature`, and descriptors of them.
static void
convert_entry(MlcConversion *c, MlcBlock *entry, const MlcSignatureConversion *signature)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValueVec old = {0}, fields = {0};
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        mlc_vec_push(&old, mlc_block_arg(entry, i));
    mlc_conversion_convert_signature(c, entry, signature);
    mlc_builder_at_start(b, entry);
    for (size_t i = 0; i < old.size; i++) {
        MlcSignatureMapping m = signature->inputs.data[i];
        if (m.count == 1)
            continue;
        mlc_vec_clear(&fields);
        for (size_t j = 0; j < m.count; j++)
            mlc_vec_push(&fields, mlc_block_arg(entry, m.first + j));
        MlcType to =
            mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_value_type(old.data[i]));
        mlc_conversion_replace_arg(c, old.data[i], llvm_memref_from_fields(b, to, fields.data));
    }
    mlc_vec_release(&old);
    mlc_vec_release(&fields);
}

static bool
take_body(MlcConversion *c, MlcRegion *to, MlcRegion *from, const MlcSignatureConversion *signature)
{
    mlc_conversion_move_region(c, to, from);
    MLC_FOR_EACH_BLOCK (block, to) {
        if (block == mlc_region_first(to))
            convert_entry(c, block, signature);
        else if (!mlc_conversion_convert_block_args(c, block))
            return false;
    }
    return true;
}

// Attributes of arguments stay where an argument stays one.
static MlcAttr
convert_arg_attrs(MlcContext *ctx, MlcAttr attrs, const MlcSignatureConversion *signature)
{
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < signature->inputs.size; i++) {
        size_t count = signature->inputs.data[i].count;
        for (size_t j = 0; j < count; j++)
            mlc_vec_push(&list, count == 1 ? mlc_array_attr_element(attrs, i)
                                           : mlc_dict_attr_get(ctx, NULL, 0));
    }
    MlcAttr result = mlc_array_attr_get(ctx, list.data, list.size);
    mlc_vec_release(&list);
    return result;
}

static MlcOp *
build_function(MlcConversion *c, MlcOp *op, MlcType type, const MlcSignatureConversion *signature)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    bool is_private = mlc_symbol_is_private(op) && !mlc_region_is_empty(mlc_op_region(op, 0));
    MlcOp *made = mlc_llvm_func(b, mlc_symbol_name(op), mlc_type_attr_get(type));
    mlc_llvm_func_set_linkage(made,
                              is_private ? MLC_LLVM_LINKAGE_INTERNAL : MLC_LLVM_LINKAGE_EXTERNAL);
    MlcAttr arg_attrs = mlc_op_attr(op, "arg_attrs");
    if (arg_attrs)
        mlc_llvm_func_set_arg_attrs(made, convert_arg_attrs(b->ctx, arg_attrs, signature));
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    return made;
}

static bool
lower_function(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcContext *ctx = mlc_op_context(op);
    MlcTypeConverter *types = mlc_conversion_types(c);
    const MlcFunction *methods = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(op);
    MlcSignatureConversion signature = {0};
    MlcTypeVec passed = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_function_type_num_inputs(type); i++) {
        mlc_vec_clear(&passed);
        ok = passed_as(types, mlc_function_type_inputs(type)[i], &passed);
        mlc_signature_conversion_add_input(&signature, passed.data, passed.size);
    }
    mlc_vec_release(&passed);
    MlcType result = NULL;
    if (ok)
        result = returned_as(ctx, types, mlc_function_type_results(type),
                             mlc_function_type_num_results(type), &ok);
    if (!ok) {
        mlc_signature_conversion_release(&signature);
        return mlc_conversion_no_match(c, op, "its type %s has no llvm form", mlc_type_text(type));
    }
    MlcType to = llvm_function_type(ctx, result, signature.types.data, signature.types.size);
    MlcOp *made = build_function(c, op, to, &signature);
    ok = take_body(c, mlc_op_region(made, 0), mlc_op_region(op, 0), &signature);
    mlc_signature_conversion_release(&signature);
    if (ok)
        mlc_conversion_erase(c, op);
    return ok;
}

static void
replace_call(MlcConversion *c, MlcOp *op, MlcOp *made)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValueVec results = {0};
    int64_t n = (int64_t)mlc_op_num_results(op);
    for (int64_t i = 0; i < n; i++)
        mlc_vec_push(&results, n == 1 ? mlc_op_result(made, 0)
                                      : llvm_extract(b, mlc_op_result(made, 0), &i, 1));
    mlc_conversion_replace(c, op, results.data, results.size);
    mlc_vec_release(&results);
}

// `first`: where arguments begin among the operands; one before them is the function's address.
static bool
lower_any_call(MlcConversion *c, MlcOp *op, MlcValue *const *operands, size_t first)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    bool ok;
    MlcType type = returned_as(b->ctx, mlc_conversion_types(c), types.data, types.size, &ok);
    mlc_vec_release(&types);
    if (!ok)
        return mlc_conversion_no_match(c, op, "the type of a result has no llvm form");
    MlcValueVec values = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        if (i >= first && mlc_type_is(mlc_value_type(mlc_op_operand(op, i)), MLC_TYPE_MEMREF) &&
            !llvm_is_ptr(mlc_value_type(operands[i])))
            llvm_memref_unpack(b, operands[i], &values);
        else
            mlc_vec_push(&values, operands[i]);
    }
    MlcOp *made = mlc_llvm_call(b, type, values.data, values.size);
    if (first == 0)
        mlc_llvm_call_set_callee(made, mlc_op_attr(op, "callee"));
    mlc_vec_release(&values);
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    replace_call(c, op, made);
    return true;
}

static bool
lower_call(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    return lower_any_call(c, op, operands, 0);
}

static bool
lower_call_indirect(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    return lower_any_call(c, op, operands, 1);
}

static bool
lower_return(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t n = mlc_op_num_operands(op);
    MlcValue *value = n > 0 ? operands[0] : NULL;
    if (n > 1) {
        MlcTypeVec types = {0};
        for (size_t i = 0; i < n; i++)
            mlc_vec_push(&types, mlc_value_type(operands[i]));
        value = mlc_llvm_mlir_undef(b, llvm_struct(b->ctx, types.data, n));
        mlc_vec_release(&types);
        for (int64_t i = 0; i < (int64_t)n; i++)
            value = mlc_llvm_insertvalue(b, value, operands[i], &i, 1);
    }
    mlc_llvm_return(b, value);
    mlc_conversion_erase(c, op);
    return true;
}

// The address of a function; its users see a pointer.
static bool
lower_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *address =
        mlc_llvm_mlir_addressof(b, llvm_ptr(b->ctx, 0), mlc_func_constant_value(op));
    mlc_conversion_replace(c, op, &address, 1);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "func.constant", .convert = lower_constant},
    {.root = "func.func", .convert = lower_function},
    {.root = "func.call", .convert = lower_call},
    {.root = "func.call_indirect", .convert = lower_call_indirect},
    {.root = "func.return", .convert = lower_return},
};
const LlvmPatterns func_to_llvm_patterns = {"func", "llvm", patterns,
                                            sizeof patterns / sizeof *patterns};

static const LlvmPatterns *const sets[] = {&func_to_llvm_patterns, &arith_to_llvm_patterns,
                                           &cf_to_llvm_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

// With arith and cf, whose ops stand in every function and see its types change; they may stay.
static bool
run(MlcPass *pass, MlcOp *root)
{
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(func_to_llvm, .flag = "convert-func-to-llvm",
         .summary = "Lower functions, and arith and cf in them, to llvm",
         .anchor = "builtin.module", .options = &llvm_index_option, .num_options = 1,
         .dependent_dialects = llvm_dialects, .converts = converts, .run = run)
