// walk.c -- visiting nested ops without recursion: regions, blocks and ops all know what they lie
// in.
#include "op_check.h"

// The first op at or after `block` in region `r` of `op`, then in the regions that follow.
static MlcOp *
first_from(const MlcOp *op, size_t r, MlcBlock *block)
{
    for (;;) {
        for (; block; block = block->next)
            if (block->first)
                return block->first;
        if (++r >= op->num_regions)
            return NULL;
        block = mlc_op_regions_(op)[r].first;
    }
}

static MlcOp *
first_inside(const MlcOp *op)
{
    return op->num_regions ? first_from(op, 0, mlc_op_regions_(op)[0].first) : NULL;
}

// What follows `op` among its parent's nested ops, its own regions left out; NULL if it is the
// last.
static MlcOp *
next_sibling(const MlcOp *op)
{
    if (op->next)
        return op->next;
    MlcRegion *region = op->block->region;
    if (!region->parent)
        return first_from(op, op->num_regions, op->block->next);
    return first_from(region->parent, mlc_region_index(region), op->block->next);
}

MlcOp *
mlc_op_postorder_first(MlcOp *root)
{
    MLC_CHECK_OP(root);
    for (MlcOp *inner; (inner = first_inside(root));)
        root = inner;
    return root;
}

MlcOp *
mlc_op_postorder_next(MlcOp *op, MlcOp *root)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_OP(root);
    if (op == root)
        return NULL;
    MlcOp *sibling = next_sibling(op);
    return sibling ? mlc_op_postorder_first(sibling) : op->block->region->parent;
}

static MlcOp *
next_after_subtree(MlcOp *op, MlcOp *root)
{
    while (op != root) {
        MlcOp *sibling = next_sibling(op);
        if (sibling)
            return sibling;
        op = op->block->region->parent;
    }
    return NULL;
}

MlcOp *
mlc_op_preorder_next(MlcOp *op, MlcOp *root)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_OP(root);
    MlcOp *inner = first_inside(op);
    return inner ? inner : next_after_subtree(op, root);
}

MlcOp *
mlc_op_layer_first(MlcOp *op, const MlcOp *root)
{
    for (MlcOp *inner; (op == root || !op->is_isolated) && (inner = first_inside(op));)
        op = inner;
    return op;
}

MlcOp *
mlc_op_layer_next(MlcOp *op, const MlcOp *root)
{
    if (op == root)
        return NULL;
    MlcOp *sibling = next_sibling(op);
    return sibling ? mlc_op_layer_first(sibling, root) : op->block->region->parent;
}

MlcOp *
mlc_op_layer_preorder_next(MlcOp *op, MlcOp *root)
{
    return op->is_isolated && op != root ? next_after_subtree(op, root)
                                         : mlc_op_preorder_next(op, root);
}

bool
mlc_op_walk_preorder(MlcOp *root, MlcWalkFn visit, void *user)
{
    MLC_CHECK_OP(root);
    for (MlcOp *op = root; op;) {
        MlcWalk answer = visit(op, user);
        if (answer == MLC_WALK_STOP)
            return false;
        op =
            answer == MLC_WALK_SKIP ? next_after_subtree(op, root) : mlc_op_preorder_next(op, root);
    }
    return true;
}

bool
mlc_op_walk_postorder(MlcOp *root, MlcWalkFn visit, void *user)
{
    MLC_CHECK_OP(root);
    for (MlcOp *op = mlc_op_postorder_first(root), *next; op; op = next) {
        next = mlc_op_postorder_next(op, root);
        if (visit(op, user) == MLC_WALK_STOP)
            return false;
    }
    return true;
}
