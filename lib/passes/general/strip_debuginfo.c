// strip_debuginfo.c -- forget where ops and block arguments come from.
#include "mlc/pass.h"

#include "mlc/ir.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcLoc unknown = mlc_loc_unknown(mlc_pass_context(pass));
    MLC_FOR_EACH_PREORDER (op, root) {
        mlc_op_set_loc(op, unknown);
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                mlc_block_set_arg_loc(block, i, unknown);
    }
    return true;
}

MLC_PASS(strip_debuginfo, .flag = "strip-debuginfo", .title = "StripDebugInfo",
         .summary = "Strip debug info from all operations", .run = run)
