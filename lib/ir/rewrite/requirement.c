// requirement.c -- holds ops to what their records `require`.
//
// What is not known -- a dynamic size, an attribute or operand that is not there -- is no fault.
#include "rules_match.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"

static void
append_value(const MlcRuleArg *arg, MlcBuf *out)
{
    int64_t number;
    if (arg->text)
        mlc_buf_append_c(out, arg->text);
    else if (arg->attr && mlc_attr_try_as_int(mlc_constant_lane(arg->attr), &number))
        mlc_buf_printf(out, "%lld", (long long)number);
    else if (arg->attr && mlc_attr_is(arg->attr, MLC_ATTR_STRING))
        mlc_buf_append_str(out, mlc_string_attr_value(arg->attr));
    else if (arg->attr)
        mlc_attr_print(arg->attr, out);
    else if (arg->type)
        mlc_type_print(arg->type, out);
    else
        mlc_buf_printf(out, "%lld", (long long)arg->number);
}

static bool
fail(RuleRun *m, const MlcRule *rule)
{
    MlcBuf text = {0};
    for (size_t i = 0; rule->result && i < rule->result->num_args; i++) {
        MlcRuleArg arg = {0};
        if (mlc_rule_evaluate(m, rule->result->args[i], &arg))
            append_value(&arg, &text);
        else
            mlc_buf_append_char(&text, '?');
    }
    if (!rule->result)
        mlc_buf_printf(&text, "requires %s", rule->name);
    mlc_op_error(m->ops[0], "%s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

bool
mlc_meets_requirements(MlcOp *op)
{
    static const uint8_t at_root[MLC_RULE_MAX_VARS];
    const MlcRequirements *all = mlc_op_def_interface(op->def, MLC_INTERFACE_REQUIREMENTS);
    RuleRun m;
    mlc_rule_begin(&m, NULL, op);
    m.is_requirement = true;
    for (size_t i = 0; i < all->num_rules; i++) {
        MlcRuleMatch match = {all->rules[i], at_root};
        m.found = &match;
        if (mlc_rule_truth(&m, all->rules[i]->guard) == 0)
            return fail(&m, all->rules[i]);
    }
    return true;
}
