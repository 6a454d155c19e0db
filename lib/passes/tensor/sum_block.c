// sum_block.c -- see sum_block.h.
#include "sum_block.h"
#include "schedule.h"

static const char *const sum_block = "mlc.sum_block";

static bool
sums_floats(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    return mlc_structured_is_contraction(op) && mlc_type_rank(type) > 0 &&
           mlc_type_is(mlc_type_element(type), MLC_TYPE_FLOAT);
}

MlcSumBlock
mlc_sum_block(MlcOp *op)
{
    enum { MOST = 512, LEAST = 128, LEAST_WHOLE = 48 };
    int64_t extent[MLC_SMALL_RANK], inside = 1;
    MlcSumBlock inner = {0}; // all of the reductions inside
    MlcAttr given = mlc_op_attr(op, sum_block);
    if (!sums_floats(op))
        return inner;
    mlc_structured_loop_sizes(op, extent);
    for (size_t i = mlc_structured_num_loops(op); i-- > 0;) {
        if (mlc_structured_iterator(op, i) == MLC_ITERATOR_PARALLEL || extent[i] == 1)
            continue;
        int64_t size = given ? mlc_attr_as_int(given) : 0;
        if (given)
            return (MlcSumBlock){i, size > 0 && extent[i] % size == 0 ? size : 0};
        if (extent[i] * inside > MOST) {
            size = mlc_largest_divisor(extent[i], inside < MOST ? MOST / inside : 1);
            return size > 1 && size * inside >= LEAST ? (MlcSumBlock){i, size}
                   : inside >= LEAST                  ? inner
                                                      : (MlcSumBlock){0};
        }
        inside *= extent[i];
        inner = (MlcSumBlock){i, extent[i]};
    }
    return inside >= LEAST_WHOLE ? inner : (MlcSumBlock){0};
}

void
mlc_set_sum_block(MlcOp *op)
{
    int64_t size = mlc_sum_block(op).size;
    mlc_op_set_attr(op, sum_block, mlc_i64_attr_get(mlc_op_context(op), size));
}

void
mlc_shorten_sum_block(MlcOp *op, int64_t most)
{
    int64_t extent[MLC_SMALL_RANK], size;
    mlc_structured_loop_sizes(op, extent);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++) {
        if (mlc_structured_iterator(op, i) == MLC_ITERATOR_PARALLEL || extent[i] <= most)
            continue;
        size = mlc_largest_divisor(extent[i], most);
        size = size < most / 2 ? mlc_largest_divisor(extent[i], 2 * most) : size;
        if (size >= most / 2 && size < extent[i])
            mlc_op_set_attr(op, sum_block, mlc_i64_attr_get(mlc_op_context(op), size));
    }
}

void
mlc_keep_sum_block(MlcOp *from, MlcOp *to)
{
    MlcAttr size = mlc_op_attr(from, sum_block);
    if (size)
        mlc_op_set_attr(to, sum_block, size);
}
