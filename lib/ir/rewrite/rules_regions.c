// rules_regions.c -- regions in rules: what a pattern asks of one, and what the right side writes
// into a new one or takes from a matched one.
//
// What lies in a region of the pattern goes with it, so its names are no values on the right; what
// is made in a region of the right side has a name until the region ends.
#include "rules_impl.h"

#define FAIL(c, t, ...) rules_fail(&(c)->parse, (t)->line, (t)->column, __VA_ARGS__)

bool
rules_is_any(const RuleTerm *t)
{
    return t->kind == RULE_NAME && mlc_str_equal(t->name, mlc_str("_"));
}

static bool
is_others(const RuleTerm *t)
{
    return t->kind == RULE_LIST && !t->name.size;
}

// --- in patterns

static bool
resolve_argument(RuleBuild *b, const RuleTerm *region, size_t i)
{
    const RuleTerm *a = region->args[i];
    if (is_others(a))
        return i + 1 == region->num_args ||
               FAIL(b->compiler, a, "'...' stands behind the arguments that have names");
    if (rules_find_var(b, MLC_RULE_VAR_VALUE, a->name) >= 0)
        return FAIL(b->compiler, a, "there is another '%s'", a->name.data);
    b->is_local = true;
    if (!rules_is_any(a))
        rules_declare(b, MLC_RULE_VAR_VALUE, a->name, NULL);
    b->is_local = false;
    if (a->type && a->type->kind == RULE_NAME && rules_is_type_variable(a->type->name))
        rules_declare(b, MLC_RULE_VAR_TYPE, a->type->name, NULL);
    return true;
}

// The last op is the terminator; others before it are the first ones, with `...` between if there
// may be more.
static bool
resolve_body(RuleBuild *b, const RuleTerm *region)
{
    for (size_t i = 0; i < region->num_body; i++) {
        RuleTerm *t = region->body[i];
        if (is_others(t) && i + 2 != region->num_body)
            return FAIL(b->compiler, t, "'...' stands before the last op of a region");
        if (!is_others(t) && !rules_resolve_pattern(b, t))
            return false;
    }
    return true;
}

bool
rules_resolve_region(RuleBuild *b, const RuleTerm *region, size_t index)
{
    bool ok = (region->num_args <= MLC_RULE_MAX_ARGS && region->num_body <= MLC_RULE_MAX_ARGS &&
               index < MLC_RULE_MAX_REGIONS) ||
              FAIL(b->compiler, region, "more than %d arguments, %d ops or %d regions",
                   MLC_RULE_MAX_ARGS, MLC_RULE_MAX_ARGS, MLC_RULE_MAX_REGIONS);
    b->depth++;
    for (size_t i = 0; ok && i < region->num_args; i++)
        ok = resolve_argument(b, region, i);
    ok = ok && resolve_body(b, region);
    b->depth--;
    return ok;
}

// --- on the right

int
rules_find_local(const RuleBuild *b, MlcStr name)
{
    for (size_t i = 0; i < b->vars.size && i < MLC_RULE_MAX_VARS; i++)
        if (b->vars.data[i].kind == MLC_RULE_VAR_LOCAL && !(b->closed >> i & 1) &&
            mlc_str_equal(mlc_str(b->vars.data[i].name), name))
            return (int)i;
    return -1;
}

// A new name for `made`; NULL after a report.
static MlcRuleExpr *
let(RuleBuild *b, const RuleTerm *t, MlcStr name, MlcRuleExpr *made)
{
    if (rules_find_var(b, MLC_RULE_VAR_VALUE, name) >= 0 || rules_find_local(b, name) >= 0)
        return FAIL(b->compiler, t, "there is another '%s'", name.data), NULL;
    if (b->vars.size >= MLC_RULE_MAX_VARS)
        return FAIL(b->compiler, t, "too many variables in one rule"), NULL;
    mlc_vec_push(&b->vars, (MlcRuleVar){.name = name.data,
                                        .kind = MLC_RULE_VAR_LOCAL,
                                        .index = made && made->kind == MLC_RULE_BUILD});
    MlcRuleExpr *e = rules_new_expr(b, MLC_RULE_LET, (int64_t)b->vars.size - 1);
    const MlcRuleExpr **args = MLC_NEW_ARRAY(b->compiler->parse.arena, const MlcRuleExpr *, 1);
    args[0] = made;
    e->args = args;
    e->num_args = made != NULL;
    return e;
}

static MlcRuleExpr *
write_argument(RuleBuild *b, const RuleTerm *a)
{
    if (is_others(a))
        return FAIL(b->compiler, a, "a region that is written has no arguments of its own"), NULL;
    if (!a->type || a->type->kind == RULE_TUPLE)
        return FAIL(b->compiler, a, "argument '%s' of a region needs a type", a->name.data), NULL;
    MlcRuleExpr *type = rules_type_expression(b, a->type);
    MlcRuleExpr *e = type ? let(b, a, a->name, NULL) : NULL;
    if (e)
        e->type = type;
    return e;
}

static bool
is_terminator(const RuleTerm *t)
{
    return t->op && mlc_op_def_has_trait(t->op, MLC_TRAIT_TERMINATOR);
}

static MlcRuleExpr *
write_op(RuleBuild *b, RuleTerm *t, const MlcOpDef *op, bool is_last)
{
    if (is_others(t))
        return FAIL(b->compiler, t, "'...' stands in patterns"), NULL;
    MlcRuleExpr *e = rules_expression(b, t);
    if (!e)
        return NULL;
    if (e->kind != MLC_RULE_BUILD && e->kind != MLC_RULE_EVAL && e->kind != MLC_RULE_INLINE)
        return FAIL(b->compiler, t, "a region holds ops"), NULL;
    bool needs_none = op->implicit_terminator || mlc_op_def_has_trait(op, MLC_TRAIT_NO_TERMINATOR);
    if (is_last ? !is_terminator(t) && !needs_none : is_terminator(t))
        return FAIL(b->compiler, t,
                    is_last ? "the last op in a region of '%s' is its terminator"
                            : "'%s' ends a region, and ops follow it",
                    is_last ? op->name : t->op->name),
               NULL;
    if (!t->label.size)
        return e;
    if (t->op && t->op->num_results == 0)
        return FAIL(b->compiler, t, "'%s' has no result", t->op->name), NULL;
    return let(b, t, t->label, e);
}

bool
rules_write_region(RuleBuild *b, const RuleTerm *t, const MlcOpDef *op, MlcRuleRegion *out)
{
    if (t->name.size)
        return FAIL(b->compiler, t, "'@%s' has a body already", t->name.data);
    if (t->num_args > MLC_RULE_MAX_ARGS || t->num_body > MLC_RULE_MAX_VARS)
        return FAIL(b->compiler, t, "more than %d arguments or %d ops", MLC_RULE_MAX_ARGS,
                    MLC_RULE_MAX_VARS);
    RuleBuild outer = *b;
    if (mlc_op_def_has_trait(op, MLC_TRAIT_ISOLATED))
        b->isolated = op, b->hidden = b->vars.size;
    const MlcRuleExpr **parts =
        MLC_NEW_ARRAY(b->compiler->parse.arena, const MlcRuleExpr *, t->num_args + t->num_body + 1);
    bool ok = true;
    for (size_t i = 0; ok && i < t->num_args; i++)
        ok = (parts[i] = write_argument(b, t->args[i])) != NULL;
    for (size_t i = 0; ok && i < t->num_body; i++)
        ok = (parts[t->num_args + i] = write_op(b, t->body[i], op, i + 1 == t->num_body)) != NULL;
    for (size_t i = outer.vars.size; i < b->vars.size && i < MLC_RULE_MAX_VARS; i++)
        b->closed |= UINT64_C(1) << i;
    b->isolated = outer.isolated;
    b->hidden = outer.hidden;
    *out = (MlcRuleRegion){MLC_RULE_WRITTEN, (uint8_t)t->num_args, (uint8_t)t->num_body, parts};
    return ok;
}

bool
rules_move_region(RuleBuild *b, const RuleTerm *t, int *var)
{
    *var = rules_find_var(b, MLC_RULE_VAR_REGION, t->name);
    if (*var < 0)
        return FAIL(b->compiler, t, "no '@%s' in the pattern", t->name.data);
    if (*var >= MLC_RULE_MAX_VARS || b->moved >> *var & 1)
        return FAIL(b->compiler, t, "'@%s' moves to one place only", t->name.data);
    b->moved |= UINT64_C(1) << *var;
    return true;
}

bool
rules_is_inline(const RuleTerm *t)
{
    return t->kind == RULE_APPLY && mlc_str_equal(t->name, mlc_str("inline")) && t->num_args &&
           t->args[0]->kind == RULE_REGION;
}

MlcRuleExpr *
rules_inline(RuleBuild *b, RuleTerm *t)
{
    int var;
    if (t->num_args > MLC_RULE_MAX_ARGS + 1 || t->num_attrs || t->num_regions || t->type)
        return FAIL(b->compiler, t, "'inline' takes a region and at most %d values",
                    MLC_RULE_MAX_ARGS),
               NULL;
    if (b->is_guard)
        return FAIL(b->compiler, t, "a guard makes nothing"), NULL;
    if (!rules_move_region(b, t->args[0], &var))
        return NULL;
    MlcRuleExpr *e = rules_new_expr(b, MLC_RULE_INLINE, var);
    const MlcRuleExpr **args =
        MLC_NEW_ARRAY(b->compiler->parse.arena, const MlcRuleExpr *, t->num_args);
    for (size_t i = 1; i < t->num_args; i++)
        if (t->args[i]->kind == RULE_GROUP)
            return FAIL(b->compiler, t->args[i], "a group is for operands"), NULL;
        else if (!(args[i - 1] = rules_expression(b, t->args[i])))
            return NULL;
    e->args = args;
    e->num_args = (uint8_t)(t->num_args - 1);
    return e;
}
