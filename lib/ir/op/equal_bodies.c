// equal_bodies.c -- whether the regions of two ops say the same: equal ops in the same order, with
// operands and successors in the same places.
//
// Both are walked side by side twice: first what can be told op by op, numbering values and blocks
// as they come, then operands and successors, which may be defined further on.
#include "mlc/ir/interfaces.h"
#include "mlc/ir/op.h"
#include "mlc/support/map.h"

static bool
equal_blocks(MlcBlock *a, MlcBlock *b, MlcMap *of_a)
{
    if (mlc_block_num_args(a) != mlc_block_num_args(b) ||
        mlc_block_is_empty(a) != mlc_block_is_empty(b) ||
        (mlc_block_next(a) == NULL) != (mlc_block_next(b) == NULL))
        return false;
    for (size_t i = 0; i < mlc_block_num_args(a); i++) {
        if (mlc_value_type(mlc_block_arg(a, i)) != mlc_value_type(mlc_block_arg(b, i)))
            return false;
        mlc_map_set(of_a, mlc_block_arg(a, i), mlc_block_arg(b, i));
    }
    mlc_map_set(of_a, a, b);
    return true;
}

// Their blocks, without what is in them.
static bool
equal_regions(MlcOp *a, MlcOp *b, MlcMap *of_a)
{
    if (mlc_op_num_regions(a) != mlc_op_num_regions(b))
        return false;
    for (size_t i = 0; i < mlc_op_num_regions(a); i++) {
        MlcBlock *block = mlc_region_first(mlc_op_region(a, i));
        MlcBlock *other = mlc_region_first(mlc_op_region(b, i));
        if (!block != !other)
            return false;
        for (; block; block = mlc_block_next(block), other = mlc_block_next(other))
            if (!equal_blocks(block, other, of_a))
                return false;
    }
    return true;
}

static bool
equal_ops(MlcOp *a, MlcOp *b, MlcMap *of_a, bool (*same_kind)(const MlcOp *a, const MlcOp *b))
{
    if (!(same_kind ? same_kind(a, b) : mlc_op_def(a) == mlc_op_def(b)) ||
        mlc_op_all_attrs(a) != mlc_op_all_attrs(b) ||
        (!mlc_op_is_registered(a) && mlc_op_properties(a) != mlc_op_properties(b)) ||
        mlc_op_num_operands(a) != mlc_op_num_operands(b) ||
        mlc_op_num_successors(a) != mlc_op_num_successors(b) ||
        mlc_op_num_results(a) != mlc_op_num_results(b) ||
        (mlc_op_next(a) == NULL) != (mlc_op_next(b) == NULL))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(a); i++) {
        if (mlc_value_type(mlc_op_result(a, i)) != mlc_value_type(mlc_op_result(b, i)))
            return false;
        mlc_map_set(of_a, mlc_op_result(a, i), mlc_op_result(b, i));
    }
    return equal_regions(a, b, of_a);
}

// What comes from outside must be the same value.
static bool
equal_uses(const MlcOp *a, const MlcOp *b, const MlcMap *of_a)
{
    for (size_t i = 0; i < mlc_op_num_operands(a); i++) {
        MlcValue *value = mlc_op_operand(a, i), *there = mlc_map_get(of_a, value);
        if ((there ? there : value) != mlc_op_operand(b, i))
            return false;
    }
    for (size_t i = 0; i < mlc_op_num_successors(a); i++)
        if (mlc_map_get(of_a, mlc_op_successor(a, i)) != mlc_op_successor(b, i))
            return false;
    return true;
}

bool
mlc_op_has_equal_bodies(MlcOp *a, MlcOp *b, bool (*same_kind)(const MlcOp *a, const MlcOp *b))
{
    MlcMap of_a;
    mlc_map_init(&of_a);
    bool equal = equal_regions(a, b, &of_a);
    for (MlcOp *x = mlc_op_preorder_next(a, a), *y = mlc_op_preorder_next(b, b); equal && (x || y);
         x = mlc_op_preorder_next(x, a), y = mlc_op_preorder_next(y, b))
        equal = x && y && equal_ops(x, y, &of_a, same_kind);
    for (MlcOp *x = mlc_op_preorder_next(a, a), *y = mlc_op_preorder_next(b, b); equal && x;
         x = mlc_op_preorder_next(x, a), y = mlc_op_preorder_next(y, b))
        equal = equal_uses(x, y, &of_a);
    mlc_map_release(&of_a);
    return equal;
}
