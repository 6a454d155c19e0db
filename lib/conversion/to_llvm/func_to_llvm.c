// func_to_llvm.c -- functions, calls and returns.
//
// A descriptor is passed as its fields, one argument each, and put together again where the
// function begins; it is returned whole, and one of unknown rank in memory that the caller frees.
// With use-bare-ptr-memref-call-conv it is its aligned pointer both ways. Several results are
// returned as a struct.
#include "func_passing.h"

#include "mlc/dialects/func.h"

bool
llvm_is_descriptor(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF);
}

// Whether a pointer says all: sizes, strides and offset are in the type.
static bool
is_static(MlcType type)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) > MLC_RANK_LIMIT || !mlc_memref_type_strides(type, &offset, strides))
        return false;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (strides[i] == MLC_DYNAMIC)
            return false;
    return offset != MLC_DYNAMIC;
}

bool
llvm_passed_as(MlcTypeConverter *types, MlcType type, bool bare, MlcTypeVec *out)
{
    MlcType to = mlc_type_converter_convert_one(types, type);
    if (!to || (bare && llvm_is_descriptor(type) && !is_static(type)))
        return false;
    if (!llvm_is_descriptor(type) || llvm_is_ptr(to)) {
        mlc_vec_push(out, to);
        return true;
    }
    for (size_t i = 0; i < (bare ? 1 : llvm_struct_size(to)); i++) {
        MlcType member = llvm_struct_member(to, i);
        size_t n = i < 3 ? 1 : mlc_type_rank(type);
        for (size_t j = 0; j < n; j++)
            mlc_vec_push(out, i < 3 ? member : llvm_struct_member(to, 2));
    }
    return true;
}

// Is a descriptor that is passed as a bare pointer.
static bool
is_passed_bare(MlcType type, MlcValue *value, bool bare)
{
    return bare && llvm_is_descriptor(type) && !llvm_is_ptr(mlc_value_type(value));
}

static MlcValue *
to_pointer(MlcBuilder *b, MlcValue *descriptor)
{
    return llvm_extract(b, descriptor, (int64_t[]){1}, 1);
}

// The descriptor of a memref of type `type` whose aligned pointer is `pointer`.
static MlcValue *
from_pointer(MlcConversion *c, MlcType type, MlcValue *pointer)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcTypeConverter *types = mlc_conversion_types(c);
    int64_t offset, strides[MLC_RANK_LIMIT];
    mlc_memref_type_strides(type, &offset, strides);
    LlvmMemrefParts parts = {
        .allocated = pointer, .aligned = pointer, .offset = llvm_i64(b, offset)};
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        parts.sizes[i] = llvm_i64(b, mlc_type_dim(type, i));
        parts.strides[i] = llvm_i64(b, strides[i]);
    }
    return llvm_memref_pack(b, mlc_type_converter_convert_one(types, mlc_type_element(type)),
                            mlc_type_rank(type), mlc_type_converter_convert_one(types, type),
                            &parts);
}

// NULL with *ok: no result.
static MlcType
returned_as(MlcContext *ctx, MlcTypeConverter *types, const MlcType *results, size_t n, bool bare,
            bool *ok)
{
    MlcTypeVec list = {0};
    *ok = true;
    for (size_t i = 0; i < n && *ok; i++) {
        MlcType type = mlc_type_converter_convert_one(types, results[i]);
        if (type && bare && llvm_is_descriptor(results[i]))
            type = is_static(results[i]) ? llvm_ptr(ctx, 0) : NULL;
        *ok = type != NULL;
        mlc_vec_push(&list, type);
    }
    MlcType type = NULL;
    if (*ok && n > 0)
        type = n == 1 ? list.data[0] : llvm_struct(ctx, list.data, n);
    mlc_vec_release(&list);
    return type;
}

void
llvm_convert_entry(MlcConversion *c, MlcBlock *entry, const MlcSignatureConversion *signature)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValueVec old = {0}, fields = {0};
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        mlc_vec_push(&old, mlc_block_arg(entry, i));
    mlc_conversion_convert_signature(c, entry, signature);
    mlc_builder_at_start(b, entry);
    for (size_t i = 0; i < old.size; i++) {
        MlcSignatureMapping m = signature->inputs.data[i];
        if (m.with)
            continue;
        MlcType type = mlc_value_type(old.data[i]);
        MlcType to = mlc_type_converter_convert_one(mlc_conversion_types(c), type);
        if (m.count == 1) {
            MlcValue *passed = mlc_block_arg(entry, m.first);
            if (to != mlc_value_type(passed)) // a bare pointer
                mlc_conversion_replace_arg(c, old.data[i], from_pointer(c, type, passed));
            continue;
        }
        mlc_vec_clear(&fields);
        for (size_t j = 0; j < m.count; j++)
            mlc_vec_push(&fields, mlc_block_arg(entry, m.first + j));
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
            llvm_convert_entry(c, block, signature);
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
    (void)operands;
    bool bare = user != NULL;
    MlcContext *ctx = mlc_op_context(op);
    MlcTypeConverter *types = mlc_conversion_types(c);
    const MlcFunction *methods = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(op);
    MlcSignatureConversion signature = {0};
    MlcTypeVec passed = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_function_type_num_inputs(type); i++) {
        mlc_vec_clear(&passed);
        ok = llvm_passed_as(types, mlc_function_type_inputs(type)[i], bare, &passed);
        mlc_signature_conversion_add_input(&signature, passed.data, passed.size);
    }
    mlc_vec_release(&passed);
    MlcType result = NULL;
    if (ok)
        result = returned_as(ctx, types, mlc_function_type_results(type),
                             mlc_function_type_num_results(type), bare, &ok);
    if (!ok) {
        mlc_signature_conversion_release(&signature);
        return mlc_conversion_no_match(c, op, "its type %s has no llvm form", mlc_type_text(type));
    }
    MlcType to = llvm_function_type(ctx, result, signature.types.data, signature.types.size);
    MlcOp *made = build_function(c, op, to, &signature);
    if (mlc_op_attr(op, "llvm.emit_c_interface") && !bare)
        ok = llvm_add_c_interface(c, op, made, result);
    if (!mlc_region_is_empty(mlc_op_region(op, 0)))
        ok = ok && take_body(c, mlc_op_region(made, 0), mlc_op_region(op, 0), &signature);
    mlc_signature_conversion_release(&signature);
    if (ok)
        mlc_conversion_erase(c, op);
    return ok;
}

// A descriptor of unknown rank that a call returned lies in memory: it goes to the stack, and the
// memory is freed.
static bool
take_returned(MlcConversion *c, MlcOp *op, MlcValue **value)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType ptr = llvm_ptr(b->ctx, 0), byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    if (!llvm_declare(c, op, "free", llvm_function_type(b->ctx, NULL, &ptr, 1)))
        return false;
    MlcValue *bytes = llvm_unranked_bytes(b, *value), *from = llvm_unranked_descriptor(b, *value);
    MlcValue *place = mlc_llvm_alloca(b, ptr, bytes, byte);
    mlc_llvm_intr_memcpy(b, place, from, bytes, false);
    llvm_call_function(b, "free", NULL, &from, 1);
    *value = llvm_unranked_pack(b, mlc_value_type(*value), llvm_unranked_rank(b, *value), place);
    return true;
}

static bool
replace_call(MlcConversion *c, MlcOp *op, MlcOp *made, bool bare)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValueVec results = {0};
    int64_t n = (int64_t)mlc_op_num_results(op);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) {
        MlcType type = mlc_op_result_type(op, (size_t)i);
        MlcValue *value = mlc_op_result(made, 0);
        if (n > 1)
            value = llvm_extract(b, value, &i, 1);
        if (bare && llvm_is_descriptor(type))
            value = from_pointer(c, type, value);
        else if (mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
            ok = take_returned(c, op, &value);
        mlc_vec_push(&results, value);
    }
    if (ok)
        mlc_conversion_replace(c, op, results.data, results.size);
    mlc_vec_release(&results);
    return ok;
}

// `first`: where arguments begin among the operands; one before them is the function's address.
static bool
lower_any_call(MlcConversion *c, MlcOp *op, MlcValue *const *operands, size_t first, bool bare)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    bool ok;
    MlcType type = returned_as(b->ctx, mlc_conversion_types(c), types.data, types.size, bare, &ok);
    mlc_vec_release(&types);
    if (!ok)
        return mlc_conversion_no_match(c, op, "the type of a result has no llvm form");
    MlcValueVec values = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType operand = mlc_op_operand_type(op, i);
        if (i >= first && is_passed_bare(operand, operands[i], bare))
            mlc_vec_push(&values, to_pointer(b, operands[i]));
        else if (i >= first && llvm_is_descriptor(operand) &&
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
    return replace_call(c, op, made, bare);
}

static bool
lower_call(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    return lower_any_call(c, op, operands, 0, user != NULL);
}

static bool
lower_call_indirect(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    return lower_any_call(c, op, operands, 1, user != NULL);
}

// What a function returns outlives its stack: a descriptor of unknown rank is copied to memory.
static bool
give_returned(MlcConversion *c, MlcOp *op, MlcValue **value)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType ptr = llvm_ptr(b->ctx, 0), index = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    if (!llvm_declare(c, op, "malloc", llvm_function_type(b->ctx, ptr, &index, 1)))
        return false;
    MlcValue *bytes = llvm_unranked_bytes(b, *value);
    MlcValue *place = mlc_op_result(llvm_call_function(b, "malloc", ptr, &bytes, 1), 0);
    mlc_llvm_intr_memcpy(b, place, llvm_unranked_descriptor(b, *value), bytes, false);
    *value = llvm_unranked_pack(b, mlc_value_type(*value), llvm_unranked_rank(b, *value), place);
    return true;
}

static bool
lower_return(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t n = mlc_op_num_operands(op);
    MlcValueVec values = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        MlcType type = mlc_op_operand_type(op, i);
        MlcValue *value = operands[i];
        if (is_passed_bare(type, value, user != NULL))
            value = to_pointer(b, value);
        else if (mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
            ok = give_returned(c, op, &value);
        mlc_vec_push(&values, value);
    }
    MlcValue *value = n > 0 ? values.data[0] : NULL;
    if (n > 1) {
        MlcTypeVec types = {0};
        for (size_t i = 0; i < n; i++)
            mlc_vec_push(&types, mlc_value_type(values.data[i]));
        value = mlc_llvm_mlir_undef(b, llvm_struct(b->ctx, types.data, n));
        mlc_vec_release(&types);
        for (int64_t i = 0; i < (int64_t)n; i++)
            value = mlc_llvm_insertvalue(b, value, values.data[i], &i, 1);
    }
    mlc_vec_release(&values);
    if (!ok)
        return false;
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

#define PATTERNS(convention)                                                                       \
    {                                                                                              \
        {.root = "func.constant", .convert = lower_constant},                                      \
            {.root = "func.func", .convert = lower_function, .user = (convention)},                \
            {.root = "func.call", .convert = lower_call, .user = (convention)},                    \
            {.root = "func.call_indirect", .convert = lower_call_indirect, .user = (convention)},  \
            {.root = "func.return", .convert = lower_return, .user = (convention)},                \
    }

static char bare_pointers[] = "bare pointers";
static const MlcConversionPattern patterns[] = PATTERNS(NULL);
static const MlcConversionPattern bare_patterns[] = PATTERNS(bare_pointers);
const LlvmPatterns func_to_llvm_patterns = {"func", "llvm", patterns,
                                            sizeof patterns / sizeof *patterns};
const LlvmPatterns func_to_llvm_bare_patterns = {"func", "llvm", bare_patterns,
                                                 sizeof bare_patterns / sizeof *bare_patterns};

static const LlvmPatterns *const sets[] = {&func_to_llvm_patterns, &arith_to_llvm_patterns,
                                           &cf_to_llvm_patterns, NULL};
static const LlvmPatterns *const bare_sets[] = {
    &func_to_llvm_bare_patterns, &arith_to_llvm_patterns, &cf_to_llvm_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

// With arith and cf, whose ops stand in every function and see its types change; they may stay.
static bool
run(MlcPass *pass, MlcOp *root)
{
    bool bare = mlc_pass_option_bool(pass, "use-bare-ptr-memref-call-conv");
    llvm_lower_assertions(root);
    return llvm_run_pass(pass, root, bare ? bare_sets : sets);
}

static const MlcPassOption options[] = {
    LLVM_INDEX_OPTION,
    {"use-bare-ptr-memref-call-conv", MLC_OPTION_BOOL, NULL,
     "memrefs of static shape are passed as pointers"},
};

MLC_PASS(func_to_llvm, .flag = "convert-func-to-llvm",
         .summary = "Lower functions, and arith and cf in them, to llvm",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)
