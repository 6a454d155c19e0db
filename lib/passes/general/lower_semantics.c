// lower_semantics.c -- ops whose records say what they mean become ops of scf and func.
#include "mlc/pass.h"

#include "mlc/ir/rule.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    return mlc_lower_semantics(root);
}

MLC_PASS(lower_semantics, .flag = "lower-semantics",
         .summary = "Convert ops to those of scf and func that mean the same, by their records",
         .run = run)
