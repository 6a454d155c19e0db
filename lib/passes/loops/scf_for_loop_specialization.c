// scf_for_loop_specialization.c -- two versions of scf.for: one for whole tiles, with constant
// bounds.
#include "scf_specialize.h"

#include "mlc/dialects/scf.h"

enum { UPPER = 1 }; // operand group

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    mlc_specialize_loops(root, &mlc_scf_for_def, UPPER);
    return true;
}

static const char *const dialects[] = {"arith", "scf", NULL};

MLC_PASS(scf_for_loop_specialization, .flag = "scf-for-loop-specialization",
         .summary = "Specialize for loops for whole tiles", .dependent_dialects = dialects,
         .run = run)
