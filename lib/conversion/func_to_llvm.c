// func_to_llvm.c -- functions, calls and returns. Buffers are passed as bare pointers, one result
// at most is returned.
#include "to_llvm.h"

static bool
lower_function(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcTypeConverter *types = mlc_conversion_types(c);
    const MlcFunction *methods = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(op);
    MlcTypeVec params = {0};
    bool ok = mlc_function_type_num_results(type) <= 1;
    for (size_t i = 0; ok && i < mlc_function_type_num_inputs(type); i++)
        ok = mlc_type_converter_convert(types, mlc_function_type_inputs(type)[i], &params);
    MlcType result = NULL;
    if (ok && mlc_function_type_num_results(type) == 1)
        ok = (result = mlc_type_converter_convert_one(types, mlc_function_type_results(type)[0])) !=
             NULL;
    if (!ok) {
        mlc_vec_release(&params);
        return mlc_conversion_no_match(c, op, "its type %s has no llvm form", mlc_type_text(type));
    }
    MlcType made_type = llvm_function_type(b->ctx, result, params.data, params.size);
    mlc_vec_release(&params);
    bool is_private = mlc_symbol_is_private(op) && !mlc_region_is_empty(mlc_op_region(op, 0));
    MlcAttr linkage = mlc_parse_attr(
        b->ctx, mlc_str(is_private ? "#llvm.linkage<internal>\0" : "#llvm.linkage<external>\0"));
    MlcNamedAttr attrs[4] = {
        mlc_named(b->ctx, "sym_name", mlc_op_attr(op, "sym_name")),
        mlc_named(b->ctx, "function_type", mlc_type_attr_get(made_type)),
        mlc_named(b->ctx, "linkage", linkage),
    };
    size_t num_attrs = 3;
    if (mlc_op_attr(op, "arg_attrs"))
        attrs[num_attrs++] = mlc_named(b->ctx, "arg_attrs", mlc_op_attr(op, "arg_attrs"));
    MlcOp *made = mlc_build_op(b, "llvm.func", NULL, 0, NULL, 0, attrs, num_attrs, 1);
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    if (!mlc_conversion_take_region(c, mlc_op_region(made, 0), mlc_op_region(op, 0)))
        return false;
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_call(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    if (mlc_op_num_results(op) > 1)
        return mlc_conversion_no_match(c, op, "functions of several results are not lowered");
    MlcType type = NULL;
    if (mlc_op_num_results(op) == 1 && !(type = llvm_result_type(c, op)))
        return llvm_no_type(c, op);
    int32_t segments[2] = {(int32_t)mlc_op_num_operands(op), 0};
    MlcNamedAttr attrs[2] = {
        mlc_named(b->ctx, "callee", mlc_op_attr(op, "callee")),
        mlc_named(b->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(b->ctx, segments, 2)),
    };
    bool has_segments = mlc_op_def_has_trait(mlc_context_op(b->ctx, mlc_str("llvm.call")),
                                             MLC_TRAIT_ATTR_SIZED_OPERANDS);
    MlcOp *made = mlc_build_op(b, "llvm.call", &type, type != NULL, operands,
                               mlc_op_num_operands(op), attrs, has_segments ? 2 : 1, 0);
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    MlcValue *result = type ? mlc_op_result(made, 0) : NULL;
    mlc_conversion_replace(c, op, &result, type != NULL);
    return true;
}

static bool
lower_return(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    mlc_build_op(mlc_conversion_builder(c), "llvm.return", NULL, 0, operands,
                 mlc_op_num_operands(op), NULL, 0, 0);
    mlc_conversion_erase(c, op);
    return true;
}

// The address of a function; its users see a pointer.
static bool
lower_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcNamedAttr attr = mlc_named(b->ctx, "global_name", mlc_op_attr(op, "value"));
    MlcValue *address =
        mlc_op_result(mlc_build_op(b, "llvm.mlir.addressof", &ptr, 1, NULL, 0, &attr, 1, 0), 0);
    mlc_conversion_replace(c, op, &address, 1);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "func.constant", .convert = lower_constant},
    {.root = "func.func", .convert = lower_function},
    {.root = "func.call", .convert = lower_call},
    {.root = "func.return", .convert = lower_return},
};
const LlvmPatterns func_to_llvm_patterns = {patterns, sizeof patterns / sizeof *patterns};
