// vector_bufferize.c -- transfers between vectors and tensors become transfers between vectors and
// buffers.
#include "mlc/dialects/bufferize.h"

// The op again with operand `at` replaced by a buffer; results only where they are no tensors.
static MlcOp *
rebuild(MlcOp *op, MlcBuilder *b, size_t at, MlcValue *buffer, bool keeps_result)
{
    MlcValueVec operands = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&operands, i == at ? buffer : mlc_op_operand(op, i));
    MLC_VEC(MlcNamedAttr) attrs = {0};
    MlcAttr all = mlc_op_all_attrs(op);
    for (size_t i = 0; i < mlc_dict_attr_size(all); i++)
        mlc_vec_push(&attrs, mlc_dict_attr_entry(all, i));
    MlcType type = keeps_result ? mlc_value_type(mlc_op_result(op, 0)) : NULL;
    MlcOpState state = {.loc = mlc_op_loc(op),
                        .def = mlc_op_def(op),
                        .operands = operands.data,
                        .num_operands = operands.size,
                        .result_types = &type,
                        .num_results = keeps_result,
                        .attrs = attrs.data,
                        .num_attrs = attrs.size};
    MlcOp *made = mlc_builder_create(b, &state);
    mlc_vec_release(&operands);
    mlc_vec_release(&attrs);
    return made;
}

static bool
read_reads(MlcOp *op, size_t i)
{
    (void)op;
    return i == 0;
}

static bool
read_writes(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return false;
}

static bool
read_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcOp *made = rebuild(op, b, 0, mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0)), true);
    mlc_value_replace_uses(mlc_op_result(op, 0), mlc_op_result(made, 0));
    return true;
}

// The old contents do not matter where the vector covers the tensor.
static bool
write_reads(MlcOp *op, size_t i)
{
    if (i != 1)
        return false;
    MlcType vector = mlc_value_type(mlc_op_operand(op, 0)),
            tensor = mlc_value_type(mlc_op_operand(op, 1));
    size_t rank = mlc_type_rank(tensor);
    if (!mlc_type_is(vector, MLC_TYPE_VECTOR) || mlc_type_rank(vector) != rank ||
        mlc_op_num_operands(op) != 2 + rank)
        return true;
    for (size_t d = 0; d < rank; d++) {
        int64_t index;
        if (mlc_type_dim(vector, d) != mlc_type_dim(tensor, d) ||
            !mlc_value_constant_int(mlc_op_operand(op, 2 + d), &index) || index != 0)
            return true;
    }
    return false;
}

static bool
write_writes(MlcOp *op, size_t i)
{
    (void)op;
    return i == 1;
}

static MlcValue *
write_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return i == 1 ? mlc_op_result(op, 0) : NULL;
}

static bool
write_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *dest = mlc_bufferizer_destination(bufferizer, b, op, 1);
    rebuild(op, b, 1, dest, false);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), dest);
    return true;
}

const MlcBufferize mlc_vector_transfer_read_bufferize = {
    .reads = read_reads, .writes = read_writes, .bufferize = read_bufferize};
const MlcBufferize mlc_vector_transfer_write_bufferize = {.reads = write_reads,
                                                          .writes = write_writes,
                                                          .alias = write_alias,
                                                          .bufferize = write_bufferize};
