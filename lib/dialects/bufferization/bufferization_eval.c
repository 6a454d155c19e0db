// bufferization_eval.c -- between tensors and buffers. A tensor is a value: what goes between the
// two is copied.
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

bool
mlc_bufferization_to_tensor_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elements_of_rank(e, op, results[0].type, operands[0].memref.sizes,
                                     operands[0].rank, &results[0]) &&
           mlc_eval_gather(e, op, &operands[0], results[0].elements.data);
}

bool
mlc_bufferization_to_memref_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_memref_create(e, op, results[0].type, operands[0].rank,
                                  operands[0].elements.shape, &results[0]) &&
           mlc_eval_scatter(e, op, &results[0], operands[0].elements.data);
}

bool
mlc_bufferization_alloc_tensor_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                    MlcDatum *results)
{
    MlcType type = results[0].type;
    size_t first, count, rank = mlc_type_rank(type), used = 0;
    mlc_op_operand_group(op, 1, &first, &count);
    if (count)
        return mlc_eval_copy_elements(e, op, &operands[first], &results[0]);
    int64_t *sizes = mlc_eval_alloc(e, (rank + 1) * sizeof *sizes);
    for (size_t i = 0; i < rank; i++)
        sizes[i] = mlc_type_dim(type, i) == MLC_DYNAMIC ? mlc_datum_as_int(&operands[used++])
                                                        : mlc_type_dim(type, i);
    if (!mlc_eval_elements(e, op, type, sizes, &results[0]))
        return false;
    memset(results[0].elements.data, 0xff, results[0].elements.num_bytes);
    return true;
}

bool
mlc_bufferization_dealloc_tensor_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                      MlcDatum *results)
{
    (void)e, (void)op, (void)operands, (void)results;
    return true;
}

static bool
is_one_buffer(const MlcDatum *a, const MlcDatum *b)
{
    return mlc_buffer_is_same(a->memref.buffer, b->memref.buffer);
}

// Operands: buffers, their conditions, and those that are retained, which are owned now if one to
// free was the same.
bool
mlc_bufferization_dealloc_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t first[3], count[3];
    for (size_t g = 0; g < 3; g++)
        mlc_op_operand_group(op, g, &first[g], &count[g]);
    const MlcDatum *retained = operands + first[2];
    for (size_t k = 0; k < count[2]; k++)
        results[k] = mlc_datum_int(results[k].type, 0);
    for (size_t i = 0; i < count[0]; i++) {
        const MlcDatum *buffer = &operands[first[0] + i];
        bool stays = mlc_datum_as_int(&operands[first[1] + i]) == 0;
        for (size_t k = 0; !stays && k < i; k++)
            stays = mlc_datum_as_int(&operands[first[1] + k]) != 0 &&
                    is_one_buffer(buffer, &operands[first[0] + k]);
        for (size_t k = 0, owned = !stays; owned && k < count[2]; k++)
            if (is_one_buffer(buffer, &retained[k])) {
                results[k] = mlc_datum_int(results[k].type, 1);
                stays = true;
            }
        if (!stays && !mlc_eval_buffer_free(e, op, buffer->memref.buffer))
            return false;
    }
    return true;
}

bool
mlc_bufferization_clone_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    void *packed = mlc_eval_alloc(e, mlc_datum_num_elements(&operands[0]) *
                                         mlc_datum_element_bytes(&operands[0]));
    return mlc_eval_memref_create(e, op, results[0].type, operands[0].rank,
                                  operands[0].memref.sizes, &results[0]) &&
           mlc_eval_gather(e, op, &operands[0], packed) &&
           mlc_eval_scatter(e, op, &results[0], packed);
}

bool
mlc_bufferization_materialize_in_destination_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                                  MlcDatum *results)
{
    if (mlc_datum_is_memref(&operands[1])) {
        if (mlc_datum_num_elements(&operands[0]) != mlc_datum_num_elements(&operands[1]))
            return mlc_eval_error(e, op, "puts %zu elements where there are %zu",
                                  mlc_datum_num_elements(&operands[0]),
                                  mlc_datum_num_elements(&operands[1]));
        return mlc_eval_scatter(e, op, &operands[1], operands[0].elements.data);
    }
    MlcType type = results[0].type;
    results[0] = operands[0];
    results[0].type = type;
    return true;
}
