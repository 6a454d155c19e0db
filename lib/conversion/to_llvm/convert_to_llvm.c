// convert_to_llvm.c -- everything below affine and scf becomes the llvm dialect, in one conversion.
//
// Illegal afterwards: the dialects of the table, or those that the option names. An op that has no
// lowering is an error at its place.
#include "to_llvm.h"

static const struct {
    const char *dialect;
    const LlvmPatterns *patterns;
} lowerings[] = {
    {"arith", &arith_to_llvm_patterns},   {"math", &math_to_llvm_patterns},
    {"cf", &cf_to_llvm_patterns},         {"func", &func_to_llvm_patterns},
    {"memref", &memref_to_llvm_patterns}, {"vector", &vector_to_llvm_patterns},
    {"index", &index_to_llvm_patterns},
};
enum { NUM_LOWERINGS = sizeof lowerings / sizeof *lowerings };

static bool
run(MlcPass *pass, MlcOp *root)
{
    const MlcStr *wanted;
    size_t num_wanted = mlc_pass_option_strs(pass, "filter-dialects", &wanted), n = 0;
    const LlvmPatterns *sets[NUM_LOWERINGS + 1] = {NULL};
    const char *illegal[NUM_LOWERINGS + 1] = {NULL};
    for (size_t i = 0; i < NUM_LOWERINGS; i++) {
        bool is_wanted = num_wanted == 0;
        for (size_t j = 0; j < num_wanted; j++)
            is_wanted = is_wanted || mlc_str_equal(wanted[j], mlc_str(lowerings[i].dialect));
        if (!is_wanted)
            continue;
        sets[n] = lowerings[i].patterns;
        illegal[n++] = lowerings[i].dialect;
    }
    return llvm_convert(
        root, mlc_pass_option_bool(pass, "bare-pointers") ? LLVM_BARE_POINTERS : LLVM_DESCRIPTORS,
        64, sets, illegal);
}

static const MlcPassOption options[] = {
    {"filter-dialects", MLC_OPTION_STRING_LIST, NULL, "lower these dialects only"},
    {"bare-pointers", MLC_OPTION_BOOL, NULL,
     "memrefs of static strides are pointers to their first element, not descriptors"},
};

MLC_PASS(convert_to_llvm, .flag = "convert-to-llvm",
         .summary = "Lower arith, math, cf, func, memref, vector and index to llvm",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = llvm_dialects,
         .run = run)
