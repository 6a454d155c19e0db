// func_bufferize.c -- calls: tensor operands are passed as buffers, tensor results as destinations
// behind them.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/func.h"

static bool
reads(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return true;
}

static bool
writes(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return false;
}

static bool
call_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands,
                     mlc_value_is_tensor(value) ? mlc_bufferizer_buffer(bufferizer, value) : value);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i);
        if (!mlc_value_is_tensor(result)) {
            mlc_vec_push(&types, mlc_value_type(result));
            continue;
        }
        MlcValue *buffer = mlc_bufferizer_chosen(bufferizer, result);
        if (!buffer && !mlc_type_has_static_shape(mlc_value_type(result)))
            return mlc_op_error(
                op,
                "returns a tensor of dynamic shape, whose buffer cannot be made before the call");
        if (!buffer)
            buffer = mlc_bufferizer_alloc(bufferizer, b, mlc_value_type(result), NULL, 0);
        mlc_bufferizer_set(bufferizer, result, buffer);
        mlc_vec_push(&operands, buffer);
    }
    MlcOp *made = mlc_func_call(b, types.data, types.size, operands.data, operands.size,
                                mlc_func_call_callee(op));
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    for (size_t i = 0, next = 0; i < mlc_op_num_results(op); i++)
        if (!mlc_value_is_tensor(mlc_op_result(op, i)))
            mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, next++));
    return true;
}

const MlcBufferize mlc_func_call_bufferize = {
    .reads = reads, .writes = writes, .bufferize = call_bufferize};
