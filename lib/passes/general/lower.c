// lower.c -- applies lowerings of .rules files, one after the other.
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "mlc/ir/rule.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcContext *ctx = mlc_pass_context(pass);
    const MlcStr *names;
    size_t num_names = mlc_pass_option_strs(pass, "by", &names);
    if (num_names == 0)
        return mlc_error(ctx, mlc_op_loc(root), "'lower' needs the names of lowerings, by=...");
    for (size_t i = 0; i < num_names; i++) {
        const MlcRuleSet *set = mlc_rule_set_find(ctx, names[i]);
        if (!set)
            return mlc_error(ctx, mlc_op_loc(root), "no rules that are loaded have a lowering '%.*s'",
                             MLC_STR_FMT(names[i]));
        if (!mlc_lower(root, set))
            return false;
    }
    return true;
}

static const MlcPassOption options[] = {
    {"by", MLC_OPTION_STRING_LIST, "", "Lowerings, by name, in this order"},
};

MLC_PASS(lower, .flag = "lower", .summary = "Convert ops and types by lowerings of --load-rules",
         .options = options, .num_options = sizeof options / sizeof *options, .run = run)
