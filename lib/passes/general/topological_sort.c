// topological_sort.c -- in regions without an order, ops go behind what they use.
//
// Ops keep their place as far as they can: the block is walked again and again, and each op of
// which all operands stand before goes to the front of what is left. A circle is broken at its
// first op.
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "mlc/support/map.h"

// Whether op, and the ops inside of it, use nothing that waits, or lies in an op that waits.
static bool
is_ready(MlcOp *op, const MlcMap *waiting)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        MLC_FOR_EACH_OPERAND (value, inner)
            for (MlcOp *def = mlc_value_def(value); def && def != op; def = mlc_op_parent(def))
                if (mlc_map_has(waiting, def))
                    return false;
    return true;
}

static void
sort_block(MlcBlock *block)
{
    MlcMap waiting = {0};
    MlcOp *last = mlc_block_last(block);
    MlcOp *end = last && mlc_op_has_trait(last, MLC_TRAIT_TERMINATOR) ? last : NULL;
    for (MlcOp *op = mlc_block_first(block); op != end; op = mlc_op_next(op))
        mlc_map_add(&waiting, op);
    for (MlcOp *front = mlc_block_first(block); front != end;) {
        bool any = false;
        for (MlcOp *op = front, *next; op != end; op = next) {
            next = mlc_op_next(op);
            if (!is_ready(op, &waiting))
                continue;
            mlc_map_erase(&waiting, op);
            any = true;
            if (op == front)
                front = next;
            else
                mlc_op_move_before(op, front);
        }
        if (!any) {
            mlc_map_erase(&waiting, front);
            front = mlc_op_next(front);
        }
    }
    mlc_map_release(&waiting);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_op_has_trait(op, MLC_TRAIT_GRAPH_REGION))
            MLC_FOR_EACH_BLOCK_IN_OP (block, op)
                sort_block(block);
    return true;
}

MLC_PASS(topological_sort, .flag = "topological-sort",
         .summary = "Sort regions without SSA dominance in topological order", .run = run)
