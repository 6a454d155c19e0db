// sum_block.c -- see sum_block.h.
#include "sum_block.h"
#include "schedule.h"

#include "mlc/dialects/arith.h"

#include <assert.h>

static const char *const sum_block = "mlc.sum_block";

static bool
sums_floats(MlcOp *op)
{
    MlcOp *combine = mlc_structured_combine(op);
    return combine && mlc_arith_addf_isa(combine);
}

// At most `most` of `extent` steps: as many in all blocks, or nearly.
static int64_t
even_size(int64_t extent, int64_t most)
{
    int64_t size = mlc_largest_divisor(extent, most);
    if (2 * size >= most || size == extent)
        return size;
    size = mlc_ceil_div(extent, mlc_ceil_div(extent, most));
    return size < most ? size + size % 2 : size;
}

static void
push_block(MlcSumBlocks *blocks, size_t loop, int64_t size)
{
    assert(blocks->num < MLC_MAX_SUM_BLOCKS);
    blocks->of[blocks->num++] = (MlcSumBlock){loop, size};
}

MlcSumBlocks
mlc_sum_blocks(MlcOp *op, const size_t *loops, size_t num_loops, int64_t lanes)
{
    enum { MOST = 256, LEAST_WHOLE = 48 };
    int64_t extent[MLC_SMALL_RANK], chain = 1; // sums since the last block
    MlcSumBlocks blocks = {0};
    MlcAttr attr = mlc_op_attr(op, sum_block);
    int64_t given = attr && mlc_attr_as_int(attr) > 0 ? mlc_attr_as_int(attr) : 0;
    if (!sums_floats(op))
        return blocks;
    mlc_structured_loop_sizes(op, extent);
    for (size_t i = num_loops; i-- > 0;) {
        int64_t unit = i + 1 == num_loops ? lanes : 1; // elements of the loop that are a step
        if (extent[loops[i]] == MLC_DYNAMIC) {         // of a number of blocks that is not known
            push_block(&blocks, loops[i], unit * (chain < MOST ? MOST / chain : 1));
            chain = 1;
            given = 0;
            continue;
        }
        int64_t steps = mlc_ceil_div(extent[loops[i]], unit);
        int64_t most = given ? mlc_ceil_div(given, unit) : MOST;
        for (; steps > most / chain; most = MOST, chain = 1, given = 0) {
            int64_t size = given ? most : even_size(steps, chain < most ? most / chain : 1);
            unit *= size;
            steps = mlc_ceil_div(steps, size);
            push_block(&blocks, loops[i], unit);
        }
        given = 0;
        chain *= steps;
    }
    if (blocks.num == 0 && chain >= LEAST_WHOLE)
        push_block(&blocks, loops[0], extent[loops[0]]);
    return blocks;
}

int64_t
mlc_sum_block_size(MlcOp *op)
{
    size_t loops[MLC_SMALL_RANK], n = 0;
    int64_t extent[MLC_SMALL_RANK];
    mlc_structured_loop_sizes(op, extent);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL && extent[i] != 1)
            loops[n++] = i;
    MlcSumBlocks blocks = mlc_sum_blocks(op, loops, n, 1);
    return blocks.num && blocks.of[0].loop == loops[n - 1] ? blocks.of[0].size : 0;
}

void
mlc_set_sum_block(MlcOp *op)
{
    int64_t size = mlc_sum_block_size(op);
    if (size)
        mlc_op_set_attr(op, sum_block, mlc_i64_attr_get(mlc_op_context(op), size));
}

void
mlc_shorten_sum_block(MlcOp *op, int64_t most)
{
    int64_t size = even_size(mlc_structured_reduction_size(op), most);
    mlc_op_set_attr(op, sum_block, mlc_i64_attr_get(mlc_op_context(op), size));
}

void
mlc_keep_sum_block(MlcOp *from, MlcOp *to)
{
    MlcAttr size = mlc_op_attr(from, sum_block);
    if (size)
        mlc_op_set_attr(to, sum_block, size);
}
