// convert_to_llvm.c -- everything below affine and scf becomes the llvm dialect, in one conversion.
//
// Illegal afterwards: the dialects of the table, or those that the option names, and any op whose
// record says which op of llvm it becomes. An op that has no lowering is an error at its place.
#include "to_llvm.h"

static const LlvmPatterns *const built_in[] = {
    &arith_to_llvm_patterns,  &math_to_llvm_patterns,
    &cf_to_llvm_patterns,     &func_to_llvm_patterns,
    &memref_to_llvm_patterns, &vector_to_llvm_patterns,
    &index_to_llvm_patterns,  &complex_to_llvm_patterns,
    &amx_to_llvm_patterns,    NULL,
};
enum { NUM_BUILT_IN = sizeof built_in / sizeof *built_in - 1 };

static bool
is_wanted(MlcPass *pass, const char *dialect)
{
    const MlcStr *wanted;
    size_t n = mlc_pass_option_strs(pass, "filter-dialects", &wanted);
    bool found = n == 0;
    for (size_t i = 0; i < n; i++)
        found = found || mlc_str_equal(wanted[i], mlc_str(dialect));
    return found;
}

static bool
is_built_in(const char *dialect)
{
    for (size_t i = 0; i < NUM_BUILT_IN; i++)
        if (strcmp(built_in[i]->dialect, dialect) == 0)
            return true;
    return false;
}

static bool
becomes_llvm(const MlcOpDef *op)
{
    for (size_t i = 0; i < NUM_BUILT_IN; i++)
        if (mlc_op_def_lowers_to(op, built_in[i]->dialect))
            return true;
    return mlc_op_def_lowers_to(op, "llvm");
}

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(built_in, op) || becomes_llvm(op);
}

// Other dialects have nothing but what their records say: an op of llvm, or of a dialect that
// becomes llvm.
static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcContext *ctx = mlc_pass_context(pass);
    size_t num_dialects = mlc_context_num_dialects(ctx), num_sets = 0, num_illegal = 0;
    MlcArena *scratch = mlc_pass_scratch(pass);
    const LlvmPatterns **sets =
        MLC_NEW_ARRAY(scratch, const LlvmPatterns *, NUM_BUILT_IN + num_dialects + 1);
    const char *illegal[NUM_BUILT_IN + 1] = {NULL};
    for (size_t i = 0; i < NUM_BUILT_IN; i++)
        if (is_wanted(pass, built_in[i]->dialect)) {
            sets[num_sets++] = built_in[i];
            illegal[num_illegal++] = built_in[i]->dialect;
        }
    for (size_t i = 0; i < num_dialects; i++) {
        const char *name = mlc_context_dialect_at(ctx, i)->name;
        if (is_built_in(name) || !is_wanted(pass, name))
            continue;
        LlvmPatterns *set = MLC_NEW(scratch, LlvmPatterns);
        set->dialect = name;
        sets[num_sets++] = set;
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
         .summary = "Lower arith, math, cf, complex, func, memref, vector, index and amx to llvm",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)
