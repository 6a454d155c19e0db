// loop_invariant_code_motion.c -- ops that compute the same in every iteration go before the loop.
//
// Loops are visited innermost first, so an op that leaves two loops moves twice. No effect on
// memory is not enough: the loop may run zero times, and a hoisted division would then trap where
// the program did not; hence "speculatable". An op with regions moves whole, if all that is used
// inside comes from outside of the loop or from within the op.
#include "mlc/pass.h"

#include "mlc/ir.h"

// A value that op's regions use is no reason to stay if it is defined inside of op.
static bool
uses_only_outer_values(MlcOp *op, MlcOp *loop)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        MLC_FOR_EACH_OPERAND (value, inner)
            if (mlc_value_is_inside(value, loop) && !mlc_value_is_inside(value, op))
                return false;
    return true;
}

static bool
can_hoist(MlcOp *op, MlcOp *loop)
{
    return !mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) && uses_only_outer_values(op, loop) &&
           mlc_op_is_memory_effect_free(op) && mlc_op_is_speculatable(op);
}

// Breadth first, as the order of what is moved shows: an op that moved is followed by its users.
static int64_t
hoist_out_of(MlcOp *loop, MlcRegion *region, MlcOpVec *work)
{
    int64_t num_moved = 0;
    mlc_vec_clear(work);
    MLC_FOR_EACH_BLOCK (block, region)
        MLC_FOR_EACH_OP (op, block)
            mlc_vec_push(work, op);
    for (size_t i = 0; i < work->size; i++) {
        MlcOp *op = work->data[i];
        if (mlc_op_region_of(op) != region || !can_hoist(op, loop))
            continue;
        mlc_op_move_before(op, loop);
        num_moved++;
        for (size_t r = 0; r < mlc_op_num_results(op); r++)
            MLC_FOR_EACH_USE (use, mlc_op_result(op, r))
                if (mlc_op_region_of(mlc_use_owner(use)) == region)
                    mlc_vec_push(work, mlc_use_owner(use));
    }
    return num_moved;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec work = {0};
    int64_t num_moved = 0;
    MLC_FOR_EACH_OP_WITH_INTERFACE_POSTORDER (loop, root, MLC_INTERFACE_LOOP)
        for (size_t i = 0; mlc_op_block(loop) && i < mlc_op_num_regions(loop); i++)
            num_moved += hoist_out_of(loop, mlc_op_region(loop, i), &work);
    mlc_vec_release(&work);
    mlc_pass_count(pass, "num-hoisted", num_moved);
    return true;
}

static const MlcAnalysisDef *const preserved[] = {&mlc_analysis_dominance, NULL};

MLC_PASS(loop_invariant_code_motion, .flag = "loop-invariant-code-motion",
         .summary = "Hoist loop invariant instructions outside of the loop", .run = run,
         .preserves = preserved)
