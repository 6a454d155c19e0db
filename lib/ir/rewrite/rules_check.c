// rules_check.c -- rules that can be seen never to end.
//
// Each rule is run on its own pattern, and what comes out is rewritten by every rule that must
// match it: one without a guard, which asks nothing of the pattern's variables. If a term comes
// back, or a rule's result holds its pattern again, the names are reported. What is not seen here
// stops at the greedy driver's limit.
#include "rules_impl.h"

#define MAX_STEPS 8
#define MAX_BINDINGS 16

typedef struct Binding {
    const RuleTerm *variable;
    RuleTerm *term;
} Binding;

typedef struct Bindings {
    Binding list[MAX_BINDINGS];
    size_t size;
} Bindings;

static bool
is_constant(const RuleTerm *t)
{
    if (t->kind == RULE_CONSTANT || t->kind == RULE_LITERAL)
        return true;
    bool all = t->kind == RULE_APPLY && t->num_args > 0;
    for (size_t i = 0; all && i < t->num_args; i++)
        all = is_constant(t->args[i]);
    return all;
}

// Those with a body are taken for different ones.
static bool
is_same_region(const RuleTerm *a, const RuleTerm *b)
{
    return a == b || (!a->body && !b->body && !a->num_args && !b->num_args &&
                      mlc_str_equal(a->name, b->name));
}

static bool
is_same(const RuleTerm *a, const RuleTerm *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->literal != b->literal || a->number != b->number ||
        a->op != b->op || (!a->op && !mlc_str_equal(a->name, b->name)) ||
        !mlc_str_equal(a->label, b->label) || a->num_args != b->num_args ||
        a->num_attrs != b->num_attrs || !a->type != !b->type)
        return false;
    for (size_t i = 0; i < a->num_args; i++)
        if (!is_same(a->args[i], b->args[i]))
            return false;
    for (size_t i = 0; i < a->num_attrs; i++)
        if (!is_same(a->attrs[i], b->attrs[i]))
            return false;
    for (size_t i = 0; i < a->num_regions || i < b->num_regions; i++)
        if (a->num_regions != b->num_regions || !is_same_region(a->regions[i], b->regions[i]))
            return false;
    return !a->type || is_same(a->type, b->type);
}

static bool
bind(Bindings *b, const RuleTerm *variable, RuleTerm *term)
{
    for (size_t i = 0; i < b->size; i++)
        if (b->list[i].variable->kind == variable->kind &&
            mlc_str_equal(b->list[i].variable->name, variable->name))
            return is_same(b->list[i].term, term);
    if (b->size == MAX_BINDINGS)
        return false;
    b->list[b->size++] = (Binding){variable, term};
    return true;
}

static bool
must_match_attrs(const RuleTerm *pattern, const RuleTerm *term, Bindings *b)
{
    for (size_t i = 0; i < pattern->num_attrs; i++) {
        RuleTerm *found = NULL;
        for (size_t k = 0; k < term->num_attrs; k++)
            if (mlc_str_equal(term->attrs[k]->label, pattern->attrs[i]->label))
                found = term->attrs[k];
        if (!found)
            return false;
        bool ok = pattern->attrs[i]->kind == RULE_ATTR ? bind(b, pattern->attrs[i], found)
                                                       : is_same(pattern->attrs[i], found);
        if (!ok)
            return false;
    }
    return true;
}

static bool
looks_inside(const RuleTerm *pattern)
{
    bool looks = false;
    for (size_t i = 0; i < pattern->num_regions; i++)
        looks |= pattern->regions[i]->body != NULL;
    return looks;
}

// True only if the pattern matches whatever the term's variables stand for.
static bool
must_match(const RuleTerm *pattern, RuleTerm *term, Bindings *b)
{
    if (pattern->type && (pattern->kind != RULE_APPLY || !is_same(pattern, term)))
        return false;
    if (rules_is_any(pattern))
        return true;
    if (pattern->kind == RULE_NAME)
        return bind(b, pattern, term);
    if (pattern->kind == RULE_CONSTANT)
        return is_constant(term) && bind(b, pattern, term);
    if (pattern->kind == RULE_LITERAL)
        return is_same(pattern, term);
    if (looks_inside(pattern) || is_constant(term) || term->kind != RULE_APPLY ||
        term->op != pattern->op || term->num_args != pattern->num_args ||
        !must_match_attrs(pattern, term, b))
        return false;
    bool can_swap = mlc_op_def_has_trait(term->op, MLC_TRAIT_COMMUTATIVE) && term->num_args == 2 &&
                    !is_constant(pattern->args[1]);
    for (size_t swap = 0; swap < 1u + can_swap; swap++) {
        Bindings tried = *b;
        bool ok = true;
        for (size_t i = 0; ok && i < term->num_args; i++)
            ok = must_match(pattern->args[i], term->args[swap ? 1 - i : i], &tried);
        if (ok) {
            *b = tried;
            return true;
        }
    }
    return false;
}

static RuleTerm *
substitute(MlcArena *arena, RuleTerm *t, const Bindings *b)
{
    for (size_t i = 0; i < b->size; i++)
        if (t->kind == b->list[i].variable->kind && t->kind != RULE_LITERAL &&
            mlc_str_equal(t->name, b->list[i].variable->name))
            return b->list[i].term;
    RuleTerm *copy = MLC_NEW(arena, RuleTerm);
    *copy = *t;
    copy->args = MLC_NEW_ARRAY(arena, RuleTerm *, t->num_args + 1);
    for (size_t i = 0; i < t->num_args; i++)
        copy->args[i] = substitute(arena, t->args[i], b);
    return copy;
}

static bool
holds_itself(const RuleText *rule, RuleTerm *t)
{
    Bindings b = {.size = 0};
    if (must_match(rule->pattern, t, &b))
        return true;
    for (size_t i = 0; i < t->num_args; i++)
        if (!is_constant(t) && holds_itself(rule, t->args[i]))
            return true;
    for (size_t i = 0; i < t->num_regions; i++)
        for (size_t k = 0; k < t->regions[i]->num_body; k++)
            if (holds_itself(rule, t->regions[i]->body[k]))
                return true;
    return false;
}

// Follows a rule's result until it comes back to where it began.
// A cycle is reported once, at the first of its rules.
static void
follow(RulesParse *parse, size_t start)
{
    const RuleText *first = parse->rules.data[start];
    RuleTerm *seen[MAX_STEPS + 1] = {first->pattern, first->result};
    MlcBuf names = {0};
    mlc_buf_printf(&names, "'%s'", first->name.data);
    for (size_t n = 2; n <= MAX_STEPS; n++) {
        const RuleText *next = NULL;
        Bindings b = {.size = 0};
        for (size_t i = 0; i < parse->rules.size && !next; i++) {
            b.size = 0;
            const RuleText *rule = parse->rules.data[i];
            if (rule->set == first->set && !rule->guard &&
                must_match(rule->pattern, seen[n - 1], &b))
                next = i < start ? NULL : rule;
        }
        if (!next)
            break;
        mlc_buf_printf(&names, " and '%s'", next->name.data);
        seen[n] = substitute(parse->arena, next->result, &b);
        for (size_t i = 0; i < 2; i++)
            if (is_same(seen[i], seen[n])) {
                rules_fail(parse, first->line, first->column,
                           "rules %s would rewrite each other's results for ever",
                           mlc_buf_c_str(&names));
                n = MAX_STEPS;
                break;
            }
    }
    mlc_buf_release(&names);
}

bool
mlc_rules_check_endless(RulesParse *parse)
{
    size_t before = parse->num_faults;
    for (size_t i = 0; i < parse->rules.size; i++) {
        const RuleText *rule = parse->rules.data[i];
        if (rule->set && rule->set->has_types)
            continue; // with other types it is another op
        if (!rule->guard && holds_itself(rule, rule->result))
            rules_fail(parse, rule->line, rule->column,
                       "rule '%s' matches its own result and would never end", rule->name.data);
        else
            follow(parse, i);
    }
    return parse->num_faults == before;
}
