// complex_to_standard.c -- arithmetic on complex numbers as arithmetic on their parts: the lowering
// `complex_to_standard` of complex.rules.
#include "mlc/pass.h"

#include "builtin_lowering.h"

static bool
converts(const MlcOpDef *op)
{
    return builtin_lowering_converts("complex_to_standard", op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    return builtin_lowering_run("complex_to_standard", pass, root);
}

static const char *const dialects[] = {"arith", "complex", "math", "scf", NULL};

MLC_PASS(complex_to_standard, .flag = "convert-complex-to-standard",
         .summary = "Compute with complex numbers by their parts", .dependent_dialects = dialects,
         .converts = converts, .run = run)
