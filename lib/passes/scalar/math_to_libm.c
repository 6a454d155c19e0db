// math_to_libm.c -- calls of the C library: the lowering `math_to_libm` of math.rules. What LLVM
// has intrinsics for stays, since it calls the library itself where the machine has no instruction.
// Vectors are an error.
#include "mlc/pass.h"

#include "builtin_lowering.h"

static bool
converts(const MlcOpDef *op)
{
    return builtin_lowering_converts("math_to_libm", op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    return builtin_lowering_run("math_to_libm", pass, root);
}

static const char *const dialects[] = {"func", "math", NULL};

MLC_PASS(math_to_libm, .flag = "convert-math-to-libm",
         .summary = "Call the C library for functions that LLVM has no intrinsics for",
         .anchor = "builtin.module", .dependent_dialects = dialects, .converts = converts,
         .run = run)
