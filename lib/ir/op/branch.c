// branch.c -- what branches pass to the arguments of blocks: found, taken away, and added to, with
// the sizes that go with the operands.
#include "mlc/support/alloc.h"
#include "mlc/ir/interfaces.h"
#include "op_impl.h"

static size_t
successor_index(const MlcBlockUse *use)
{
    return (size_t)(use - mlc_op_successors_(use->owner));
}

static MlcUse *
operand_for(const MlcOp *op, size_t successor, size_t arg)
{
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    size_t first = 0, count = 0, num_args = mlc_block_num_args(mlc_op_successor(op, successor));
    if (branch)
        branch->successor_operands(op, successor, &first, &count);
    if (count > num_args || arg < num_args - count)
        return NULL;
    return &op->operands[first + arg - (num_args - count)];
}

MlcUse *
mlc_branch_operand_for(const MlcBlockUse *use, uint32_t i)
{
    return operand_for(use->owner, successor_index(use), i);
}

MlcValue *
mlc_branch_operand(const MlcOp *op, size_t i, size_t arg)
{
    const MlcUse *operand = operand_for(op, i, arg);
    return operand ? operand->value : NULL;
}

// Takes away operand `at`, and its count from the sizes in attribute `name`, whose first segment
// begins at `begin`.
static void
shrink_segment(MlcOp *op, const char *name, size_t begin, size_t at)
{
    MlcAttr sizes = mlc_op_attr(op, name);
    size_t n = mlc_int_list_attr_size(sizes);
    int32_t *new_sizes = mlc_malloc((n + 1) * sizeof *new_sizes);
    for (size_t i = 0; i < n; i++) {
        new_sizes[i] = (int32_t)mlc_dense_array_attr_int(sizes, i);
        size_t end = begin + (size_t)new_sizes[i];
        if (at >= begin && at < end)
            new_sizes[i]--;
        begin = end;
    }
    if (sizes)
        mlc_op_set_attr(op, name, mlc_i32_array_attr_get(op->ctx, new_sizes, n));
    mlc_free(new_sizes);
}

void
mlc_op_drop_operand(MlcOp *op, size_t at)
{
    for (size_t g = 0; g < op->def->num_operands; g++) {
        size_t first, size;
        mlc_op_operand_group(op, g, &first, &size);
        if (op->def->operands[g].segments && at >= first && at < first + size)
            shrink_segment(op, op->def->operands[g].segments, first, at);
    }
    if (mlc_op_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        shrink_segment(op, "operandSegmentSizes", 0, at);
    mlc_op_erase_operand(op, at);
}

void
mlc_branches_drop(MlcBlock *block, uint32_t i)
{
    for (MlcBlockUse *use = block->first_use; use; use = use->next)
        mlc_op_drop_operand(use->owner,
                            (size_t)(mlc_branch_operand_for(use, i) - use->owner->operands));
}

// The operand group of a successor, by convention: the last groups are the successors', in order,
// and the last of them may hold those of several, one segment each.
static size_t
group_of_successor(const MlcOpDef *def, size_t i)
{
    size_t last = def->num_successors ? def->num_successors - 1u : 0;
    return (size_t)def->num_operands - def->num_successors + (i < last ? i : last);
}

bool
mlc_branch_can_grow(const MlcBlockUse *use)
{
    const MlcOp *op = use->owner;
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    if (!branch || op->def->num_operands < op->def->num_successors)
        return false;
    size_t first, count, group_first, group_size;
    branch->successor_operands(op, successor_index(use), &first, &count);
    mlc_op_operand_group(op, group_of_successor(op->def, successor_index(use)), &group_first,
                         &group_size);
    return group_first <= first && first + count <= group_first + group_size;
}

static void
grow_segment(MlcOp *op, const char *name, size_t segment, size_t by)
{
    MlcAttr sizes = mlc_op_attr(op, name);
    size_t n = mlc_int_list_attr_size(sizes);
    int32_t *new_sizes = mlc_malloc((n + 1) * sizeof *new_sizes);
    for (size_t i = 0; i < n; i++)
        new_sizes[i] =
            (int32_t)(mlc_dense_array_attr_int(sizes, i) + (i == segment ? (int64_t)by : 0));
    mlc_op_set_attr(op, name, mlc_i32_array_attr_get(op->ctx, new_sizes, n));
    mlc_free(new_sizes);
}

static void
append(MlcOp *op, size_t i, MlcValue *const *values, size_t num_values)
{
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    size_t group = group_of_successor(op->def, i), first, count;
    branch->successor_operands(op, i, &first, &count);
    if (op->def->operands[group].segments)
        grow_segment(op, op->def->operands[group].segments, i - (op->def->num_successors - 1u),
                     num_values);
    if (mlc_op_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        grow_segment(op, "operandSegmentSizes", group, num_values);
    mlc_op_insert_operands(op, first + count, values, num_values);
}

void
mlc_branches_append(MlcBlock *block, MlcValue *const *values, size_t num_values)
{
    for (MlcBlockUse *use = block->first_use; use; use = use->next)
        append(use->owner, successor_index(use), values, num_values);
}

void
mlc_branch_append(MlcOp *op, size_t i, MlcValue *value)
{
    append(op, i, &value, 1);
}
