// math_to_llvm.c -- functions that LLVM has intrinsics for.
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

#define MATH(name, llvm)                                                                           \
    {                                                                                              \
        .root = "math." name, .convert = llvm_lower_same, .user = &(LlvmSame)                      \
        {                                                                                          \
            llvm, LLVM_FASTMATH                                                                    \
        }                                                                                          \
    }
static const MlcConversionPattern patterns[] = {
    MATH("sqrt", "llvm.intr.sqrt"),
    MATH("exp", "llvm.intr.exp"),
    MATH("exp2", "llvm.intr.exp2"),
    MATH("log", "llvm.intr.log"),
    MATH("log2", "llvm.intr.log2"),
    MATH("log10", "llvm.intr.log10"),
    MATH("powf", "llvm.intr.pow"),
    MATH("sin", "llvm.intr.sin"),
    MATH("cos", "llvm.intr.cos"),
    MATH("absf", "llvm.intr.fabs"),
    {.root = "math.absi", .convert = lower_absi},
    MATH("floor", "llvm.intr.floor"),
    MATH("ceil", "llvm.intr.ceil"),
    MATH("trunc", "llvm.intr.trunc"),
    MATH("round", "llvm.intr.round"),
    MATH("roundeven", "llvm.intr.roundeven"),
    MATH("fma", "llvm.intr.fma"),
    MATH("copysign", "llvm.intr.copysign"),
};
const LlvmPatterns math_to_llvm_patterns = {patterns, sizeof patterns / sizeof *patterns};

static bool
run(MlcPass *pass, MlcOp *root)
{
    static const LlvmPatterns *const sets[] = {&math_to_llvm_patterns, NULL};
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(math_to_llvm, .flag = "convert-math-to-llvm", .summary = "Lower math to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .run = run)
