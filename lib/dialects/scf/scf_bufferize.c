// scf_bufferize.c -- loops that carry tensors become loops over buffers that stay where they are.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/scf.h"

enum { FIRST_INIT = 3 }; // of scf.for: lower bound, upper bound, step, initial values

static bool
for_touches(MlcOp *op, size_t i)
{
    (void)op;
    return i >= FIRST_INIT;
}

static MlcValue *
for_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return i >= FIRST_INIT ? mlc_op_result(op, i - FIRST_INIT) : NULL;
}

// Copies what is yielded for each tensor into its buffer, unless it is there already; leaves the
// other values.
static void
rewrite_yield(MlcBlock *body, MlcBufferizer *bufferizer, MlcBuilder *b)
{
    MlcOp *yield = mlc_block_terminator(body);
    MlcValueVec kept = {0};
    mlc_builder_before(b, yield);
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++) {
        MlcValue *value = mlc_op_operand(yield, i), *arg = mlc_block_arg(body, i + 1);
        if (!mlc_value_is_tensor(value))
            mlc_vec_push(&kept, value);
        else if (!mlc_bufferizer_same(bufferizer, value, arg))
            mlc_bufferizer_copy(b, mlc_bufferizer_buffer(bufferizer, value),
                                mlc_bufferizer_buffer(bufferizer, arg));
    }
    mlc_op_set_operands(yield, kept.data, kept.size);
    mlc_vec_release(&kept);
}

static bool
for_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        if (!mlc_value_is_tensor(value)) {
            mlc_vec_push(&operands, value);
            if (i >= FIRST_INIT)
                mlc_vec_push(&types, mlc_value_type(value));
            continue;
        }
        MlcValue *buffer = mlc_bufferizer_destination(bufferizer, b, op, i);
        mlc_bufferizer_set(bufferizer, mlc_block_arg(body, i - FIRST_INIT + 1), buffer);
        mlc_bufferizer_set(bufferizer, mlc_op_result(op, i - FIRST_INIT), buffer);
    }
    MlcOp *made =
        mlc_scf_for(b, types.data, types.size, operands.data[0], operands.data[1], operands.data[2],
                    operands.data + FIRST_INIT, operands.size - FIRST_INIT);
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    mlc_region_take_body(mlc_op_region(made, 0), mlc_op_region(op, 0));
    MlcBuilder inner = *b;
    bool ok = true;
    MLC_FOR_EACH_OP_SAFE (child, body)
        if (ok && child != mlc_block_terminator(body))
            ok = mlc_bufferizer_op(bufferizer, child);
    if (!ok)
        return false;
    rewrite_yield(body, bufferizer, &inner);
    mlc_bufferizer_erase_tensor_ops(mlc_op_region(made, 0));
    for (size_t i = mlc_block_num_args(body); i-- > 1;)
        if (mlc_value_is_tensor(mlc_block_arg(body, i)))
            mlc_block_erase_arg(body, i);
    for (size_t i = 0, next = 0; i < mlc_op_num_results(op); i++)
        if (!mlc_value_is_tensor(mlc_op_result(op, i)))
            mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, next++));
    return true;
}

static bool
yield_reads(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return true;
}

static bool
yield_writes(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return false;
}

static MlcValue *
yield_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = false;
    MlcOp *parent = mlc_op_parent(op);
    return i < mlc_op_num_results(parent) ? mlc_op_result(parent, i) : NULL;
}

static bool
yield_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    (void)b, (void)bufferizer;
    return mlc_op_error(op, "yields tensors from an op that is not bufferized");
}

// Each branch copies what it yields into one buffer made before.
static bool
if_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i);
        if (!mlc_value_is_tensor(result)) {
            mlc_vec_push(&types, mlc_value_type(result));
            continue;
        }
        if (!mlc_type_has_static_shape(mlc_value_type(result)))
            return mlc_op_error(op, "chooses between tensors of dynamic shape");
        mlc_bufferizer_set(bufferizer, result,
                           mlc_bufferizer_alloc(bufferizer, b, mlc_value_type(result), NULL, 0));
    }
    MlcOp *made = mlc_scf_if(b, types.data, types.size, mlc_op_operand(op, 0));
    mlc_vec_release(&types);
    for (size_t r = 0; r < 2; r++) {
        mlc_region_take_body(mlc_op_region(made, r), mlc_op_region(op, r));
        MlcBlock *body = mlc_region_first(mlc_op_region(made, r));
        if (!body)
            continue;
        MlcOp *yield = mlc_block_terminator(body);
        MLC_FOR_EACH_OP_SAFE (child, body)
            if (child != yield && !mlc_bufferizer_op(bufferizer, child))
                return false;
        MlcBuilder inner = *b;
        mlc_builder_before(&inner, yield);
        MlcValueVec kept = {0};
        for (size_t i = 0; i < mlc_op_num_operands(yield); i++) {
            MlcValue *value = mlc_op_operand(yield, i);
            if (mlc_value_is_tensor(value))
                mlc_bufferizer_copy(&inner, mlc_bufferizer_buffer(bufferizer, value),
                                    mlc_bufferizer_buffer(bufferizer, mlc_op_result(op, i)));
            else
                mlc_vec_push(&kept, value);
        }
        mlc_op_set_operands(yield, kept.data, kept.size);
        mlc_vec_release(&kept);
        mlc_bufferizer_erase_tensor_ops(mlc_op_region(made, r));
    }
    for (size_t i = 0, next = 0; i < mlc_op_num_results(op); i++)
        if (!mlc_value_is_tensor(mlc_op_result(op, i)))
            mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, next++));
    return true;
}

const MlcBufferize mlc_scf_for_bufferize = {
    .reads = for_touches, .writes = for_touches, .alias = for_alias, .bufferize = for_bufferize};
const MlcBufferize mlc_scf_if_bufferize = {
    .reads = yield_writes, .writes = yield_writes, .bufferize = if_bufferize};
const MlcBufferize mlc_scf_yield_bufferize = {.reads = yield_reads,
                                              .writes = yield_writes,
                                              .alias = yield_alias,
                                              .bufferize = yield_bufferize};
