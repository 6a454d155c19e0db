// buffer_flow.c -- from a buffer forwards: the values that may hold it.
#include "buffer_flow.h"

#include "mlc/support/map.h"

typedef struct Flow {
    MlcMap seen;
    MlcValueVec *values;
} Flow;

bool
buffer_is_buffer(const MlcValue *value)
{
    MlcTypeKind kind = mlc_type_kind(mlc_value_type(value));
    return kind == MLC_TYPE_MEMREF || kind == MLC_TYPE_UNRANKED_MEMREF;
}

bool
buffer_knows_flow(MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_LOOP) ||
           mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
}

static void
add(Flow *flow, MlcValue *value)
{
    if (buffer_is_buffer(value) && mlc_map_add(&flow->seen, value))
        mlc_vec_push(flow->values, value);
}

// Value i of those that arrive at point `to` of `op`: a region, or -1, its results.
static void
arrive(Flow *flow, MlcOp *op, const MlcRegionBranch *branch, int to, size_t i)
{
    size_t first, count;
    branch->inputs(op, to, &first, &count);
    if (i >= count)
        return;
    if (to < 0)
        add(flow, mlc_op_result(op, first + i));
    else if (!mlc_region_is_empty(mlc_op_region(op, (size_t)to)))
        add(flow, mlc_block_arg(mlc_region_first(mlc_op_region(op, (size_t)to)), first + i));
}

// An operand that is handed to regions, or past them.
static void
enter(Flow *flow, MlcUse *use, const MlcRegionBranch *branch)
{
    MlcOp *op = mlc_use_owner(use);
    for (int to = -1; to < (int)mlc_op_num_regions(op); to++) {
        size_t first, count;
        branch->entry_operands(op, to, &first, &count);
        if (mlc_use_index(use) >= first && mlc_use_index(use) < first + count)
            arrive(flow, op, branch, to, mlc_use_index(use) - first);
    }
}

// An operand of what ends a region.
static void
leave(Flow *flow, MlcUse *use, const MlcRegionTerminator *terminator)
{
    MlcOp *end = mlc_use_owner(use), *op = mlc_op_parent(end);
    const MlcRegionBranch *branch = op ? mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH) : NULL;
    for (int to = -1; branch && to < (int)mlc_op_num_regions(op); to++) {
        size_t first, count;
        terminator->operands(end, to, &first, &count);
        if (mlc_use_index(use) >= first && mlc_use_index(use) < first + count)
            arrive(flow, op, branch, to, mlc_use_index(use) - first);
    }
}

static void
follow(Flow *flow, MlcUse *use)
{
    MlcOp *op = mlc_use_owner(use);
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    const MlcRegionTerminator *terminator = mlc_op_interface(op, MLC_INTERFACE_REGION_TERMINATOR);
    if (branch)
        enter(flow, use, branch);
    else if (terminator)
        leave(flow, use, terminator);
    else
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            add(flow, mlc_op_result(op, i));
    for (size_t i = 0; i < mlc_op_num_successors(op); i++) {
        MlcBlock *to = mlc_op_successor(op, i);
        for (size_t k = 0; k < mlc_block_num_args(to); k++)
            if (mlc_branch_operand(op, i, k) == mlc_use_value(use))
                add(flow, mlc_block_arg(to, k));
    }
}

void
buffer_flow(MlcValue *buffer, MlcValueVec *out)
{
    Flow flow = {.values = out};
    size_t next = out->size;
    add(&flow, buffer);
    for (; next < out->size; next++)
        MLC_FOR_EACH_USE (use, out->data[next])
            follow(&flow, use);
    mlc_map_release(&flow.seen);
}
