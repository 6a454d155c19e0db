// call_by_pointers.c -- a function that can be called without knowing its type:
// `_mlc_call(arguments, results)`, two arrays of pointers.
//
// Each argument that the lowered function takes (of a descriptor each field) is read from where its
// pointer says, each result written. Vectors lie there as constants are stored: element after
// element, in whole bytes, rows without gaps; descriptors as they are. The function is in the llvm
// dialect already.
#include "to_llvm/to_llvm.h"

#include "mlc/ir.h"

// The elements of an array; 0: none.
static int64_t
array_size(MlcType type)
{
    bool is_array = mlc_type_is(type, MLC_TYPE_DIALECT) &&
                    mlc_dialect_type_def(type) ==
                        mlc_context_type(mlc_type_context(type), mlc_str("llvm.array"));
    return is_array ? mlc_attr_as_int(mlc_dialect_type_param(type, 1)) : 0;
}

static MlcType
array_element(MlcType type)
{
    return mlc_type_attr_value(mlc_dialect_type_param(type, 0));
}

static MlcValue *
byte_at(MlcBuilder *b, MlcValue *place, int64_t offset)
{
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    return llvm_element_ptr(b, place, byte, llvm_i64(b, offset));
}

// In whole bytes.
static MlcType
packed_type(MlcType type)
{
    if (mlc_type_is(type, MLC_TYPE_INTEGER))
        return mlc_integer_type_get(mlc_type_context(type), 8 * llvm_element_bytes(type),
                                    MLC_SIGNLESS);
    return llvm_memory_type(type);
}

static int64_t
packed_bytes(MlcType type)
{
    int64_t lanes = mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_num_elements(type) : 1;
    return lanes * llvm_element_bytes(mlc_type_element(type));
}

// From `place` and `*offset` bytes, which moves behind what was read.
static MlcValue *
read_value(MlcBuilder *b, MlcType type, MlcValue *place, int64_t *offset)
{
    int64_t n = array_size(type);
    if (n > 0) {
        MlcValue *all = mlc_llvm_mlir_undef(b, type);
        for (int64_t i = 0; i < n; i++)
            all = mlc_llvm_insertvalue(b, all, read_value(b, array_element(type), place, offset),
                                       &i, 1);
        return all;
    }
    MlcType packed = packed_type(type);
    MlcValue *value = llvm_load(b, packed, byte_at(b, place, *offset), 1);
    *offset += packed_bytes(type);
    if (packed == type)
        return value;
    return mlc_type_is(type, MLC_TYPE_INTEGER) ? mlc_llvm_trunc(b, type, value)
                                               : llvm_from_memory(b, value, type);
}

static void
write_value(MlcBuilder *b, MlcValue *value, MlcValue *place, int64_t *offset)
{
    MlcType type = mlc_value_type(value), packed;
    for (int64_t i = 0, n = array_size(type); i < n; i++)
        write_value(b, llvm_extract(b, value, &i, 1), place, offset);
    if (array_size(type) > 0)
        return;
    packed = packed_type(type);
    if (packed != type)
        value = mlc_llvm_zext(b, packed, value);
    llvm_store(b, value, byte_at(b, place, *offset), 1);
    *offset += packed_bytes(type);
}

static MlcValue *
pointer_at(MlcBuilder *b, MlcValue *list, size_t i)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    return llvm_load(b, ptr, llvm_element_ptr(b, list, ptr, llvm_i64(b, (int64_t)i)), 0);
}

static void
build_call(MlcBuilder *b, MlcOp *function, MlcValue *arguments, MlcValue *results,
           int64_t num_results)
{
    MlcType type = mlc_type_attr_value(mlc_llvm_func_function_type(function));
    MlcAttr params = mlc_dialect_type_param(type, 1);
    MlcValueVec values = {0};
    for (size_t i = 0; i < mlc_array_attr_size(params); i++) {
        MlcType param = mlc_type_attr_value(mlc_array_attr_element(params, i));
        mlc_vec_push(&values, read_value(b, param, pointer_at(b, arguments, i), &(int64_t){0}));
    }
    MlcType result = num_results > 0 ? mlc_type_attr_value(mlc_dialect_type_param(type, 0)) : NULL;
    MlcOp *made = mlc_llvm_call(b, result, values.data, values.size);
    mlc_llvm_call_set_callee(made, mlc_symbol_ref_attr_get(b->ctx, mlc_symbol_name(function)));
    for (int64_t i = 0; i < num_results; i++) {
        MlcValue *value = mlc_op_result(made, 0);
        if (num_results > 1)
            value = llvm_extract(b, value, &i, 1);
        write_value(b, value, pointer_at(b, results, (size_t)i), &(int64_t){0});
    }
    mlc_vec_release(&values);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcStr name = mlc_pass_option_str(pass, "function");
    MlcOp *function = mlc_symbol_lookup(module, name);
    if (!mlc_llvm_func_isa(function) || mlc_region_is_empty(mlc_op_region(function, 0)))
        return mlc_op_error(module, "has no function '%.*s' with a body in the llvm dialect",
                            MLC_STR_FMT(name));
    MlcContext *ctx = mlc_op_context(module);
    MlcType ptr = llvm_ptr(ctx, 0), params[2] = {ptr, ptr};
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    b.loc = mlc_op_loc(function);
    mlc_builder_at_end(&b, mlc_region_first(mlc_op_region(module, 0)));
    MlcOp *wrapper = mlc_llvm_func(&b, mlc_str("_mlc_call"),
                                   mlc_type_attr_get(llvm_function_type(ctx, NULL, params, 2)));
    MlcBlock *entry = mlc_builder_create_block(&b, mlc_op_region(wrapper, 0), params, 2);
    build_call(&b, function, mlc_block_arg(entry, 0), mlc_block_arg(entry, 1),
               mlc_pass_option_int(pass, "results"));
    mlc_llvm_return(&b, NULL);
    return true;
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "the function to call"},
    {"results", MLC_OPTION_INT, "0", "how many results it had before it was lowered"},
};

MLC_PASS(call_by_pointers, .flag = "llvm-call-by-pointers",
         .summary = "Make _mlc_call, which calls a function by pointers to arguments and results",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = llvm_dialects,
         .run = run)
