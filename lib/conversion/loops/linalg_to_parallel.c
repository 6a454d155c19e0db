// linalg_to_parallel.c -- structured ops on buffers as scf.parallel, and scf.for where iterations
// reduce.
#include "linalg_to_scf.h"

static bool
converts(const MlcOpDef *op)
{
    return mlc_op_def_interface(op, MLC_INTERFACE_STRUCTURED) != NULL;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    mlc_lower_structured_to_scf(pass, root, true);
    return true;
}

static const char *const dialects[] = {"affine", "arith", "memref", "scf", NULL};

MLC_PASS(linalg_to_parallel, .flag = "convert-linalg-to-parallel-loops",
         .summary = "Lower structured ops on buffers to parallel loops",
         .dependent_dialects = dialects, .converts = converts, .run = run)
