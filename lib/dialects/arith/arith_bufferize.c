// arith_bufferize.c -- tensor constants: a splat is filled in, the elements of another become a
// private memref.global.
#include "mlc/dialects/bufferize.h"

static bool
never(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return false;
}

static MlcValue *
filled(MlcAttr value, MlcType tensor, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *buffer = mlc_bufferizer_alloc(bufferizer, b, tensor, NULL, 0);
    MlcValue *scalar = mlc_build_constant(b, mlc_elements_attr_element(value, 0));
    int32_t segments[2] = {1, 1};
    MlcNamedAttr attr =
        mlc_named(b->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(b->ctx, segments, 2));
    MlcOp *fill =
        mlc_build_op(b, "linalg.fill", NULL, 0, (MlcValue *[]){scalar, buffer}, 2, &attr, 1, 1);
    MlcBuilder body = *b;
    MlcType element = mlc_value_type(scalar);
    MlcBlock *block =
        mlc_builder_create_block(&body, mlc_op_region(fill, 0), (MlcType[]){element, element}, 2);
    MlcValue *in = mlc_block_arg(block, 0);
    mlc_build_op(&body, "linalg.yield", NULL, 0, &in, 1, NULL, 0, 0);
    return buffer;
}

// One global a constant; equal ones (constants are uniqued) share it.
static MlcStr
global_of(MlcAttr value, MlcType type, MlcOp *function)
{
    MlcContext *ctx = mlc_attr_context(value);
    MlcOp *module = mlc_op_parent(function);
    size_t count = 0;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_op_is_named(op, "memref.global"))
            continue;
        count++;
        if (mlc_op_attr(op, "initial_value") == value)
            return mlc_symbol_name(op);
    }
    MlcBuf name = {0};
    mlc_buf_printf(&name, "__constant_%zu", count);
    MlcAttr symbol = mlc_string_attr_get(ctx, mlc_str_n(name.data, name.size));
    mlc_buf_release(&name);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(module, 0)));
    MlcNamedAttr attrs[] = {
        mlc_named(ctx, "sym_name", symbol),
        mlc_named(ctx, "sym_visibility", mlc_string_attr_get(ctx, mlc_str("private"))),
        mlc_named(ctx, "type", mlc_type_attr_get(type)),
        mlc_named(ctx, "initial_value", value),
        mlc_named(ctx, "constant", mlc_unit_attr_get(ctx)),
        mlc_named(ctx, "alignment", mlc_i64_attr_get(ctx, 64)),
    };
    mlc_build_op(&b, "memref.global", NULL, 0, NULL, 0, attrs, sizeof attrs / sizeof *attrs, 0);
    return mlc_string_attr_value(symbol);
}

static bool
constant_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcAttr value = mlc_op_attr(op, "value");
    MlcValue *result = mlc_op_result(op, 0);
    MlcType tensor = mlc_value_type(result);
    if (mlc_elements_attr_is_splat(value)) {
        mlc_bufferizer_set(bufferizer, result, filled(value, tensor, b, bufferizer));
        return true;
    }
    MlcOp *function = op;
    while (!mlc_op_interface(function, MLC_INTERFACE_FUNCTION))
        function = mlc_op_parent(function);
    MlcType type = mlc_bufferizer_memref_type(tensor);
    MlcAttr name = mlc_symbol_ref_attr_get(b->ctx, global_of(value, type, function));
    MlcNamedAttr attr = mlc_named(b->ctx, "name", name);
    mlc_bufferizer_set(
        bufferizer, result,
        mlc_op_result(mlc_build_op(b, "memref.get_global", &type, 1, NULL, 0, &attr, 1, 0), 0));
    return true;
}

const MlcBufferize mlc_arith_constant_bufferize = {
    .reads = never, .writes = never, .bufferize = constant_bufferize};
