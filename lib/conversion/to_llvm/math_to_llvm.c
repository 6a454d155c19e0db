// math_to_llvm.c -- functions that LLVM has intrinsics for (`lowers_to` in math.yaml).
//
// Those whose code would be a library call on vectors are expanded before
// (math-approximate); erf and tanh have no intrinsic that every target selects.
#include "to_llvm.h"

// Of the least integer that integer, as arithmetic without flags has it.
static bool
lower_absi(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcValue *made = mlc_llvm_intr_abs(mlc_conversion_builder(c), type, operands[0], false);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

// Of zero it is the number of bits.
static bool
lower_zeros(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *made = user ? mlc_llvm_intr_ctlz(b, type, operands[0], false)
                          : mlc_llvm_intr_cttz(b, type, operands[0], false);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "math.ctlz", .convert = lower_zeros, .user = "leading"},
    {.root = "math.cttz", .convert = lower_zeros},
    {.root = "math.absi", .convert = lower_absi},
};
const LlvmPatterns math_to_llvm_patterns = {"math", "llvm", patterns,
                                            sizeof patterns / sizeof *patterns};

LLVM_PASS_OF(math_to_llvm_patterns)

MLC_PASS(math_to_llvm, .flag = "convert-math-to-llvm", .summary = "Lower math to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)
