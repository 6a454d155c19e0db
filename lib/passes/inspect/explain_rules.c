// explain_rules.c -- tells of ops why rules leave them alone.
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "mlc/ir/rule.h"

static bool
is_asked(MlcPass *pass, MlcOp *op)
{
    const MlcStr *names;
    size_t n = mlc_pass_option_strs(pass, "ops", &names);
    bool found = n == 0;
    for (size_t i = 0; i < n && !found; i++)
        found = mlc_str_equal(names[i], mlc_op_name(op));
    return found;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        MlcBuf why = {0};
        if (mlc_op_is_registered(op) && is_asked(pass, op) && mlc_rules_explain(op, &why))
            mlc_op_remark(op, "rules: %s", mlc_buf_c_str(&why));
        mlc_buf_release(&why);
    }
    return true;
}

static const MlcPassOption options[] = {
    {"ops", MLC_OPTION_STRING_LIST, "", "Names of ops to tell of; all that have rules if empty"},
};

MLC_PASS(explain_rules, .flag = "explain-rules",
         .summary = "Say of each op what keeps rewrite rules from matching", .options = options,
         .num_options = sizeof options / sizeof *options, .run = run)
