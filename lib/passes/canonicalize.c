// canonicalize.c -- folds, canonicalisation patterns of every registered op, dead code, simple
// control flow; greedily.
#include "mlc/pass.h"
#include "mlc/rewrite.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcGreedyConfig config = {
        .max_iterations = (unsigned)mlc_pass_option_int(pass, "max-iterations"),
        .bottom_up = !mlc_pass_option_bool(pass, "top-down"),
        .no_region_simplify =
            mlc_str_equal(mlc_pass_option_str(pass, "region-simplify"), mlc_str("disabled")),
    };
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add_canonicalization(patterns);
    bool converged = mlc_apply_patterns_greedily(root, patterns, &config);
    mlc_pattern_set_destroy(patterns);
    if (!converged && mlc_pass_option_bool(pass, "test-convergence"))
        return mlc_op_error(root, "canonicalization did not converge in %u iterations",
                            config.max_iterations);
    return true;
}

static const MlcPassOption options[] = {
    {"max-iterations", MLC_OPTION_INT, "10", "Sweeps over the IR before it gives up"},
    {"top-down", MLC_OPTION_BOOL, "true", "Order in which ops are first visited"},
    {"region-simplify", MLC_OPTION_STRING, "normal", "disabled, normal or aggressive"},
    {"test-convergence", MLC_OPTION_BOOL, "false", "Fail if the IR was still changing at the end"},
};

MLC_PASS(canonicalize, .flag = "canonicalize", .title = "Canonicalizer",
         .summary = "Fold, canonicalize and remove dead code", .options = options,
         .num_options = sizeof options / sizeof *options, .run = run)
