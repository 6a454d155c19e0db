// control_flow_sink.c -- ops that only one branch needs go into that branch.
//
// Only regions that run at most once each time their op does take part, and only ops without
// effects on memory. An op goes to the front of the region's entry block, which all its users must
// lie under; what it uses is looked at after it.
#include "mlc/pass.h"

#include "mlc/ir.h"

static bool
users_are_inside(MlcDominance *dominance, MlcOp *op, MlcRegion *region)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        MLC_FOR_EACH_USE (use, mlc_op_result(op, i))
            if (!mlc_dominance_block(dominance, mlc_region_first(region),
                                     mlc_op_block(mlc_use_owner(use))))
                return false;
    return true;
}

static int64_t
sink_into(MlcDominance *dominance, MlcRegion *region, MlcOpVec *stack)
{
    int64_t num_sunk = 0;
    mlc_vec_clear(stack);
    MLC_FOR_EACH_BLOCK (block, region)
        MLC_FOR_EACH_OP (op, block)
            mlc_vec_push(stack, op);
    while (stack->size) {
        MlcOp *user = mlc_vec_pop(stack);
        MLC_FOR_EACH_OPERAND (value, user) {
            MlcOp *op = mlc_value_def(value);
            if (!op || mlc_op_region_of(op) == region || !users_are_inside(dominance, op, region) ||
                !mlc_op_is_memory_effect_free(op))
                continue;
            mlc_op_move_before(op, mlc_block_first(mlc_region_first(region)));
            mlc_vec_push(stack, op);
            num_sunk++;
        }
    }
    return num_sunk;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcDominance *dominance = mlc_pass_dominance(pass, root);
    MlcOpVec stack = {0};
    int64_t num_sunk = 0;
    MLC_FOR_EACH_POSTORDER (op, root) {
        const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
        for (size_t i = 0; branch && branch->at_most_once && i < mlc_op_num_regions(op); i++)
            if (!mlc_region_is_empty(mlc_op_region(op, i)))
                num_sunk += sink_into(dominance, mlc_op_region(op, i), &stack);
    }
    mlc_vec_release(&stack);
    mlc_pass_count(pass, "num-sunk", num_sunk);
    return true;
}

// No block comes or goes.
static const MlcAnalysisDef *const preserved[] = {&mlc_analysis_dominance, NULL};

MLC_PASS(control_flow_sink, .flag = "control-flow-sink",
         .summary = "Sink operations into conditional blocks", .run = run, .preserves = preserved)
