// topological_sort.c -- in regions without an order, ops go behind what they use.
#include "mlc/pass.h"

#include "mlc/ir.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_op_has_trait(op, MLC_TRAIT_GRAPH_REGION))
            MLC_FOR_EACH_BLOCK_IN_OP (block, op)
                mlc_block_sort(block);
    return true;
}

MLC_PASS(topological_sort, .flag = "topological-sort",
         .summary = "Sort regions without SSA dominance in topological order", .run = run)
