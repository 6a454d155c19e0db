// canonicalize.c -- folds, canonicalisation patterns of every registered op, dead code, simple
// control flow; greedily.
#include "mlc/ir/action.h"
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include <limits.h>

static bool
lists(const MlcPass *pass, const char *option, MlcStr name, bool if_empty)
{
    const MlcStr *names;
    size_t n = mlc_pass_option_strs(pass, option, &names);
    bool is_listed = n == 0 && if_empty;
    for (size_t i = 0; i < n; i++)
        is_listed |= mlc_str_equal(names[i], name);
    return is_listed;
}

// By name, as in `disable-patterns=CombineIfs`; if some are enabled by name, only those are used.
static bool
is_wanted(const MlcPattern *pattern, void *user)
{
    MlcStr name = mlc_str(pattern->name);
    return !lists(user, "disable-patterns", name, false) &&
           lists(user, "enable-patterns", name, true);
}

static bool
is_filtered(const MlcPass *pass)
{
    const MlcStr *names;
    return mlc_pass_option_strs(pass, "disable-patterns", &names) > 0 ||
           mlc_pass_option_strs(pass, "enable-patterns", &names) > 0;
}

static bool
read_config(MlcPass *pass, MlcOp *root, MlcGreedyConfig *config)
{
    MlcStr level = mlc_pass_option_str(pass, "region-simplify");
    int64_t iterations = mlc_pass_option_int(pass, "max-iterations"),
            rewrites = mlc_pass_option_int(pass, "max-num-rewrites");
    *config = (MlcGreedyConfig){
        MLC_SIZED(MlcGreedyConfig),
        .max_iterations = iterations < 0 || iterations > UINT_MAX ? UINT_MAX : (unsigned)iterations,
        .max_rewrites = rewrites < 0 ? 0 : (uint64_t)rewrites,
        .bottom_up = !mlc_pass_option_bool(pass, "top-down"),
        .no_region_simplify = mlc_str_equal(level, mlc_str("disabled")),
        .merge_blocks = mlc_str_equal(level, mlc_str("aggressive")),
    };
    return config->no_region_simplify || config->merge_blocks ||
           mlc_str_equal(level, mlc_str("normal")) ||
           mlc_op_error(root, "'region-simplify' is disabled, normal or aggressive, not '%.*s'",
                        MLC_STR_FMT(level));
}

typedef struct Canonicalizer {
    const MlcPatternSet *patterns;
    MlcGreedyConfig config;
} Canonicalizer;

static bool
canonicalize_layer(MlcOp *isolated, void *user)
{
    const Canonicalizer *c = user;
    return mlc_apply_patterns_greedily(isolated, c->patterns, &c->config);
}

// True if it converged. Layer by layer, which is the same but that each layer has its own sweeps;
// at once where somebody counts rewrites or watches their order.
static bool
canonicalize(MlcPass *pass, MlcOp *root, Canonicalizer *c)
{
    c->config.one_layer =
        !c->config.max_rewrites && !mlc_context_has_action_handler(mlc_pass_context(pass));
    return c->config.one_layer ? mlc_pass_visit_layers(pass, root, canonicalize_layer, c)
                               : canonicalize_layer(root, c);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Canonicalizer c = {0};
    if (!read_config(pass, root, &c.config))
        return false;
    if (c.config.max_iterations == 0)
        return true;
    bool converged;
    if (is_filtered(pass)) {
        MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
        mlc_pattern_set_add_canonicalization(patterns);
        mlc_pattern_set_filter(patterns, is_wanted, pass);
        mlc_pattern_set_freeze(patterns);
        c.patterns = patterns;
        converged = canonicalize(pass, root, &c);
        mlc_pattern_set_destroy(patterns);
    } else {
        c.patterns = mlc_canonicalization_patterns(mlc_pass_context(pass));
        converged = canonicalize(pass, root, &c);
    }
    if (!converged && mlc_pass_option_bool(pass, "test-convergence"))
        return mlc_op_error(root, "canonicalization did not converge in %u iterations",
                            c.config.max_iterations);
    return true;
}

static const MlcPassOption options[] = {
    {"top-down", MLC_OPTION_BOOL, "true", "Order in which ops are first visited"},
    {"region-simplify", MLC_OPTION_STRING, "normal", "disabled, normal or aggressive"},
    {"max-iterations", MLC_OPTION_INT, "10", "Sweeps over the IR before it gives up; -1: no limit"},
    {"max-num-rewrites", MLC_OPTION_INT, "-1", "Rewrites in one sweep; -1: no limit"},
    {"test-convergence", MLC_OPTION_BOOL, "false", "Fail if the IR was still changing at the end"},
    {"disable-patterns", MLC_OPTION_STRING_LIST, "", "Patterns that are not used"},
    {"enable-patterns", MLC_OPTION_STRING_LIST, "", "Patterns that are used, if not all"},
};

MLC_PASS(canonicalize, .flag = "canonicalize", .title = "Canonicalizer",
         .summary = "Fold, canonicalize and remove dead code", .options = options,
         .num_options = sizeof options / sizeof *options, .run = run)
