// simplify_regions.c -- control flow between blocks: unreachable blocks go, a block joins its only
// predecessor, arguments that nobody uses go. What a branch passes to whom is asked of the branch
// interface; a terminator without one is left.
#include "mlc/support/alloc.h"
#include "rewrite_impl.h"

// --- unreachable blocks

static bool
erase_unreachable(MlcRegion *region)
{
    MlcMap reached = {0};
    MLC_VEC(MlcBlock *) stack = {0};
    mlc_map_add(&reached, region->first);
    mlc_vec_push(&stack, region->first);
    while (stack.size) {
        MlcOp *end = mlc_vec_pop(&stack)->last;
        for (uint32_t i = 0; end && i < end->num_successors; i++)
            if (mlc_map_add(&reached, mlc_op_successor(end, i)))
                mlc_vec_push(&stack, mlc_op_successor(end, i));
    }
    mlc_vec_release(&stack);
    bool changed = false;
    for (MlcBlock *block = region->first, *next; block; block = next) {
        next = block->next;
        if (mlc_map_has(&reached, block))
            continue;
        mlc_block_destroy(block);
        changed = true;
    }
    mlc_map_release(&reached);
    return changed;
}

// --- blocks with one predecessor

// `end` does nothing but go to one block: its operands are all for that block.
static bool
is_plain_branch(MlcOp *end)
{
    const MlcBranch *branch = end ? mlc_op_interface(end, MLC_INTERFACE_BRANCH) : NULL;
    if (!branch || end->num_successors != 1 || end->num_results)
        return false;
    size_t first, count;
    branch->successor_operands(end, 0, &first, &count);
    return first == 0 && count == end->num_operands && count == mlc_op_successor(end, 0)->num_args;
}

static bool
merge_with_successor(MlcBlock *block)
{
    MlcOp *end = block->last;
    if (!is_plain_branch(end))
        return false;
    MlcBlock *next = mlc_op_successor(end, 0);
    if (next == block || next == block->region->first || next->region != block->region ||
        next->first_use->next)
        return false;
    for (uint32_t i = 0; i < next->num_args; i++)
        mlc_value_replace_uses(mlc_block_arg(next, i), end->operands[i].value);
    mlc_op_erase(end);
    mlc_block_splice(block, NULL, next);
    mlc_block_destroy(next);
    return true;
}

// --- unused arguments

static bool
predecessors_can_drop(const MlcBlock *block)
{
    for (const MlcBlockUse *use = block->first_use; use; use = use->next) {
        const MlcBranch *branch = mlc_op_interface(use->owner, MLC_INTERFACE_BRANCH);
        if (!branch)
            return false;
        size_t first, count;
        branch->successor_operands(use->owner, (size_t)(use - mlc_op_successors_(use->owner)),
                                   &first, &count);
        if (count != block->num_args)
            return false;
    }
    return block->first_use != NULL;
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

static void
drop_operand(MlcOp *op, size_t at)
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

static bool
drop_unused_args(MlcBlock *block)
{
    bool changed = false;
    for (uint32_t i = block->num_args; i-- > 0;) {
        if (mlc_block_arg(block, i)->first_use || !predecessors_can_drop(block))
            continue;
        for (MlcBlockUse *use = block->first_use; use; use = use->next) {
            const MlcBranch *branch = mlc_op_interface(use->owner, MLC_INTERFACE_BRANCH);
            size_t first, count;
            branch->successor_operands(use->owner, (size_t)(use - mlc_op_successors_(use->owner)),
                                       &first, &count);
            drop_operand(use->owner, first + i);
        }
        mlc_block_erase_arg(block, i);
        changed = true;
    }
    return changed;
}

static bool
simplify_region(MlcRegion *region)
{
    if (!region->first || region->first == region->last)
        return false;
    bool changed = erase_unreachable(region);
    for (MlcBlock *block = region->first; block; block = block->next)
        while (merge_with_successor(block))
            changed = true;
    for (MlcBlock *block = region->first->next; block; block = block->next)
        changed |= drop_unused_args(block);
    return changed;
}

bool
mlc_simplify_regions(MlcOp *root)
{
    bool changed = false;
    MLC_FOR_EACH_POSTORDER (op, root)
        for (uint32_t i = 0; i < op->num_regions; i++)
            changed |= simplify_region(mlc_op_region(op, i));
    return changed;
}
