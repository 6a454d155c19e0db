// print_liveness.c -- how many values each block needs from before it and leaves to what follows,
// and the most that are alive at once, in remarks at the block's last op and at the function.
#include "mlc/analysis.h"
#include "mlc/pass.h"

#include "mlc/support/map.h"

// Values alive right after each op of the block, at most: what is alive at its end and what the ops
// behind still use.
static size_t
most_alive(const MlcLiveness *liveness, MlcBlock *block)
{
    MlcValueVec values = {0};
    MlcMap alive;
    mlc_map_init(&alive);
    mlc_liveness_out(liveness, block, &values);
    for (size_t i = 0; i < values.size; i++)
        mlc_map_add(&alive, values.data[i]);
    size_t most = mlc_map_size(&alive);
    for (MlcOp *op = mlc_block_last(block); op; op = mlc_op_prev(op)) {
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            mlc_map_erase(&alive, mlc_op_result(op, i));
        MLC_FOR_EACH_PREORDER (inner, op)
            MLC_FOR_EACH_OPERAND (value, inner)
                if (!mlc_value_is_inside(value, op))
                    mlc_map_add(&alive, value);
        most = mlc_map_size(&alive) > most ? mlc_map_size(&alive) : most;
    }
    mlc_map_release(&alive);
    mlc_vec_release(&values);
    return most;
}

static void
describe(const MlcLiveness *liveness, MlcBlock *block)
{
    MlcValueVec in = {0}, out = {0};
    mlc_liveness_in(liveness, block, &in);
    mlc_liveness_out(liveness, block, &out);
    mlc_op_remark(mlc_block_last(block), "%zu live in, %zu live out, at most %zu", in.size,
                  out.size, most_alive(liveness, block));
    mlc_vec_release(&in);
    mlc_vec_release(&out);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MlcLiveness *liveness = mlc_liveness_create(root);
    MLC_FOR_EACH_PREORDER (op, root)
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            if (!mlc_block_is_empty(block))
                describe(liveness, block);
    mlc_liveness_destroy(liveness);
    return true;
}

MLC_PASS(print_liveness, .flag = "print-liveness",
         .summary = "Say how many values are live in each block", .anchor = "func.func", .run = run)
