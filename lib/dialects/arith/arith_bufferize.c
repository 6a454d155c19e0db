// arith_bufferize.c -- tensor constants: splats are filled in; bigger ones are arguments by the time kernels exist.
#include "mlc/bufferize.h"

static bool
never(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return false;
}

static bool
constant_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bz)
{
    MlcAttr value = mlc_op_attr(op, "value");
    if (!mlc_elements_attr_is_splat(value))
        return mlc_op_error(op, "a tensor constant inside a kernel must be a splat; others are kernel arguments");
    MlcValue *result = mlc_op_result(op, 0);
    MlcValue *buffer = mlc_bufferizer_alloc(bz, b, mlc_value_type(result), NULL, 0);
    MlcValue *scalar = mlc_build_constant(b, mlc_elements_attr_element(value, 0));
    int32_t segments[2] = {1, 1};
    MlcNamedAttr attr = mlc_named(b->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(b->ctx, segments, 2));
    MlcOp *fill = mlc_build_op(b, "linalg.fill", NULL, 0, (MlcValue *[]){scalar, buffer}, 2, &attr, 1, 1);
    MlcBuilder body = *b;
    MlcType element = mlc_value_type(scalar);
    mlc_builder_create_block(&body, mlc_op_region(fill, 0), (MlcType[]){element, element}, 2);
    MlcValue *in = mlc_block_arg(mlc_region_first(mlc_op_region(fill, 0)), 0);
    mlc_build_op(&body, "linalg.yield", NULL, 0, &in, 1, NULL, 0, 0);
    mlc_bufferizer_set(bz, result, buffer);
    return true;
}

const MlcBufferize mlc_arith_constant_bufferize = {.reads = never, .writes = never, .bufferize = constant_bufferize};
