// bufferization_bufferize.c -- the ops between tensors and buffers, once all are buffers.
#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/memref.h"

// Operands that are tensors are copied.
static bool
alloc_tensor_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *result = mlc_op_result(op, 0), *copy = mlc_bufferization_alloc_tensor_copy(op);
    MlcAttr space = mlc_bufferization_alloc_tensor_memory_space(op);
    MlcValue *from = copy ? mlc_bufferizer_buffer(bufferizer, copy) : NULL,
             *buffer = space ? NULL : mlc_bufferizer_chosen(bufferizer, result);
    MlcType type = mlc_value_type(result);
    MlcValueVec sizes = {0};
    if (from && !space)
        space = mlc_memref_type_memory_space(mlc_value_type(from));
    for (size_t i = 0; i < mlc_bufferization_alloc_tensor_num_dynamic_sizes(op); i++)
        mlc_vec_push(&sizes, mlc_op_operand(op, i));
    for (size_t i = 0; from && !buffer && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            mlc_vec_push(&sizes, mlc_memref_dim(b, from, mlc_build_index(b, (int64_t)i)));
    if (!buffer)
        buffer = mlc_bufferizer_alloc_in(b, type, space, sizes.data, sizes.size);
    if (from)
        mlc_bufferizer_copy(b, from, buffer);
    mlc_vec_release(&sizes);
    mlc_bufferizer_set(bufferizer, result, buffer);
    return true;
}

static bool
dealloc_tensor_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    (void)op, (void)b, (void)bufferizer; // who frees buffers knows what is alive
    return true;
}

static bool
to_tensor_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    (void)b;
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), mlc_op_operand(op, 0));
    return true;
}

// Who has the buffer may write it, unless it is said that nobody does.
static bool
to_memref_writes(MlcOp *op, size_t i)
{
    (void)i;
    return !mlc_bufferization_to_memref_read_only(op);
}

static bool
to_memref_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *result = mlc_op_result(op, 0), *tensor = mlc_op_operand(op, 0),
             *buffer = to_memref_writes(op, 0) ? mlc_bufferizer_destination(bufferizer, b, op, 0)
                                               : mlc_bufferizer_buffer(bufferizer, tensor);
    MlcType type = mlc_value_type(result), from = mlc_value_type(buffer);
    if (from != type && mlc_type_has_rank(type) && mlc_memref_type_layout(from) &&
        !mlc_memref_type_layout(type))
        buffer = mlc_bufferizer_copied(bufferizer, b, buffer, mlc_value_type(tensor));
    else if (from != type)
        buffer = mlc_memref_cast(b, type, buffer);
    mlc_value_replace_uses(result, buffer);
    return true;
}

static bool
materialize_reads(MlcOp *op, size_t i)
{
    (void)op;
    return i == 0;
}

static bool
materialize_writes(MlcOp *op, size_t i)
{
    (void)op;
    return i == 1;
}

static MlcValue *
materialize_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return i == 1 && mlc_op_num_results(op) == 1 ? mlc_op_result(op, 0) : NULL;
}

// A destination that is a tensor must be written where it is.
static bool
materialize_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *source = mlc_op_operand(op, 0), *dest = mlc_op_operand(op, 1), *buffer = dest;
    if (mlc_value_is_tensor(dest)) {
        if (!mlc_bufferizer_in_place(bufferizer, op, 1))
            return mlc_op_error(op, "not bufferizable under the given constraints: would write to "
                                    "read-only buffer, or overwrite what is read");
        buffer = mlc_bufferizer_buffer(bufferizer, dest);
        mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), buffer);
        if (mlc_bufferizer_same(bufferizer, source, dest))
            return true;
    }
    mlc_bufferizer_copy(b, mlc_bufferizer_buffer(bufferizer, source), buffer);
    return true;
}

const MlcBufferize mlc_bufferization_materialize_in_destination_bufferize = {
    .reads = materialize_reads,
    .writes = materialize_writes,
    .alias = materialize_alias,
    .bufferize = materialize_bufferize};
const MlcBufferize mlc_bufferization_alloc_tensor_bufferize = {.reads = mlc_bufferize_always,
                                                               .writes = mlc_bufferize_never,
                                                               .bufferize = alloc_tensor_bufferize};
const MlcBufferize mlc_bufferization_dealloc_tensor_bufferize = {.reads = mlc_bufferize_never,
                                                                 .writes = mlc_bufferize_never,
                                                                 .bufferize =
                                                                     dealloc_tensor_bufferize};
const MlcBufferize mlc_bufferization_to_tensor_bufferize = {
    .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .bufferize = to_tensor_bufferize};
const MlcBufferize mlc_bufferization_to_memref_bufferize = {
    .reads = mlc_bufferize_always, .writes = to_memref_writes, .bufferize = to_memref_bufferize};
