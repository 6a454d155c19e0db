// convert_to_llvm.c -- everything below affine and scf becomes the llvm dialect, in one conversion.
//
// Illegal afterwards: arith, math, cf, func, memref, vector. An op that has no lowering is an error
// at its place.
#include "to_llvm.h"

#include "mlc/pass.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcContext *ctx = mlc_pass_context(pass);
    static const LlvmPatterns *const sets[] = {
        &arith_to_llvm_patterns, &math_to_llvm_patterns,   &cf_to_llvm_patterns,
        &func_to_llvm_patterns,  &memref_to_llvm_patterns, &vector_to_llvm_patterns,
    };
    MLC_VEC(MlcConversionPattern) patterns = {0};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (size_t j = 0; j < sets[i]->num_patterns; j++)
            mlc_vec_push(&patterns, sets[i]->patterns[j]);
    MlcTypeConverter *types = llvm_type_converter_create(ctx);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    mlc_conversion_target_legal_dialect(target, "llvm");
    static const char *const illegal[] = {"arith", "math", "cf", "func", "memref", "vector"};
    for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++)
        mlc_conversion_target_illegal_dialect(target, illegal[i]);
    bool ok = mlc_convert_partial(root, target, types, patterns.data, patterns.size);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(types);
    mlc_vec_release(&patterns);
    return ok;
}

static const char *const dialects[] = {"llvm", NULL};

MLC_PASS(convert_to_llvm, .flag = "convert-to-llvm",
         .summary = "Lower arith, math, cf, func, memref and vector to llvm",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)
