// rules_kinds.c -- what may stand where in a rule: an operand is a value, a guard holds or does
// not, an op has the operands and attributes of its record. Whatever else stands there would fail
// while matching, where nobody is told.
//
// Texts of types and attributes are read here too, where the compiler's owner can read them:
// mlc-gen has no IR.
#include "rules_impl.h"

#include "mlc/support/buf.h"

enum {
    VALUE = 1,
    CONSTANT = 2, // a value, and what it is
    LITERAL = 4,
    ATTRIBUTE = 8,
    TYPE = 16,
    TEXT = 32,
    NUMBER = 64, // computed
    CONDITION = 128,
    NOTHING = 256, // an op without results
    SEVERAL = 512,
    ANY = ~0, // what a dialect's own function gives
};
static const char *const kind_names[] = {"a value",   "a constant", "a literal", "an attribute",
                                         "a type",    "a text",     "a number",  "a condition",
                                         "no result", "a list"};

#define VALUES (VALUE | CONSTANT | LITERAL)
#define NUMBERS (CONSTANT | LITERAL | ATTRIBUTE | NUMBER)
#define CONDITIONS (CONDITION | CONSTANT | ATTRIBUTE)
#define TYPES (TYPE | TEXT)

typedef struct Check {
    RuleBuild *build;
    const RuleText *rule;
} Check;

#define FAIL(c, t, ...)                                                                            \
    rules_fail(&(c)->build->compiler->parse, (t)->line, (t)->column, __VA_ARGS__)

static const struct {
    const char *name, *kinds;
    int gives;
} common_functions[] = {
#define MLC_RULE_FUNCTION(name, kinds, gives) {"mlc_rule_" #name, kinds, gives},
#include "rule_functions.inc"
#undef MLC_RULE_FUNCTION
};

// The number of the common function, -1 for one of a dialect.
static int
common_function(const MlcRuleExpr *e)
{
    for (size_t i = 0; i < sizeof common_functions / sizeof *common_functions; i++)
        if (strcmp(common_functions[i].name, e->text) == 0)
            return (int)i;
    return -1;
}

static int
kind_of(const Check *c, const MlcRuleExpr *e)
{
    static const int of_variables[] = {
        [MLC_RULE_VAR_VALUE] = VALUE,    [MLC_RULE_VAR_CONSTANT] = CONSTANT,
        [MLC_RULE_VAR_ATTR] = ATTRIBUTE, [MLC_RULE_VAR_TYPE] = TYPE,
        [MLC_RULE_VAR_LIST] = SEVERAL,   [MLC_RULE_VAR_REGION] = SEVERAL,
        [MLC_RULE_VAR_LOCAL] = VALUE};
    switch (e->kind) {
    case MLC_RULE_VARIABLE: {
        const MlcRuleVar *var = &c->build->vars.data[e->number];
        const MlcOpDef *op = c->rule->pattern->op;
        if (var->kind == MLC_RULE_VAR_OPERANDS)
            return op->operands[var->index].arity >= MLC_VARIADIC ? SEVERAL : VALUE;
        if (var->kind == MLC_RULE_VAR_RESULTS)
            return op->results[var->index].arity >= MLC_VARIADIC ? SEVERAL : VALUE;
        return of_variables[var->kind];
    }
    case MLC_RULE_INTEGER:
    case MLC_RULE_FLOAT:
    case MLC_RULE_SIGNED_MIN:
    case MLC_RULE_SIGNED_MAX:
        return LITERAL;
    case MLC_RULE_ENUM:
        return ATTRIBUTE;
    case MLC_RULE_TEXT:
        return TEXT;
    case MLC_RULE_BUILD:
        return e->op->num_results ? VALUE : NOTHING;
    case MLC_RULE_EVAL:
        return CONSTANT;
    case MLC_RULE_CALL:
        return common_function(e) < 0 ? ANY : common_functions[common_function(e)].gives;
    case MLC_RULE_TUPLE:
    case MLC_RULE_RESULTS:
        return SEVERAL;
    case MLC_RULE_INLINE:
        return VALUE | SEVERAL; // as many as its terminator has
    case MLC_RULE_SYMBOL:
        return ATTRIBUTE;
    case MLC_RULE_PLUS:
    case MLC_RULE_MINUS:
    case MLC_RULE_TIMES:
    case MLC_RULE_DIVIDE:
    case MLC_RULE_REMAINDER:
        return NUMBER;
    default:
        return CONDITION;
    }
}

// "a value, a constant or a literal"
static void
append_kinds(MlcBuf *out, int kinds)
{
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
        if (kinds >> i & 1)
            mlc_buf_printf(out, "%s%s",
                           kinds & ((1 << i) - 1) ? (kinds >> (i + 1) ? ", " : " or ") : "",
                           kind_names[i]);
}

MLC_PRINTF(5, 6)
static bool
expect(const Check *c, const RuleTerm *t, const MlcRuleExpr *e, int allowed, const char *place, ...)
{
    int kind = kind_of(c, e);
    if (kind & allowed)
        return true;
    MlcBuf text = {0};
    va_list args;
    va_start(args, place);
    mlc_buf_vprintf(&text, place, args);
    va_end(args);
    mlc_buf_append_c(&text, " must be ");
    append_kinds(&text, allowed);
    mlc_buf_append_c(&text, ", not ");
    append_kinds(&text, kind);
    FAIL(c, t, "%s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

static bool check(const Check *c, const RuleTerm *t, const MlcRuleExpr *e);

// --- texts

bool
rules_check_type(MlcRulesCompiler *c, const RuleTerm *t, const char *text)
{
    MlcBuf error = {0};
    bool ok = !c->is_type || c->is_type(c->parse.user, text, &error) ||
              rules_fail(&c->parse, t->line, t->column, "'%s' is no type: %s", text,
                         mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

static bool
check_type_text(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    return rules_check_type(c->build->compiler, t, e->text);
}

// `constraint` NULL: of any form.
static bool
check_attr_text(const Check *c, const RuleTerm *t, const char *text, const MlcAttrSlot *slot,
                const MlcConstraint *constraint)
{
    const MlcRulesCompiler *compiler = c->build->compiler;
    MlcBuf error = {0};
    bool ok = !compiler->is_attr ||
              compiler->is_attr(compiler->parse.user, text, constraint, &error) ||
              FAIL(c, t, "'%s' is no attribute '%s': %s", text, slot->name, mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

static bool
check_one_type(const Check *c, const RuleTerm *t, const MlcRuleExpr *type)
{
    return expect(c, t, type, TYPES, "what stands behind ':'") &&
           (type->kind == MLC_RULE_TEXT ? check_type_text(c, t, type) : check(c, t, type));
}

static bool
check_type(const Check *c, const RuleTerm *t, const MlcRuleExpr *type)
{
    if (!type)
        return true;
    for (size_t i = 0; type->kind == MLC_RULE_TUPLE && i < type->num_args; i++)
        if (!check_one_type(c, t->type->args[i], type->args[i]))
            return false;
    return type->kind == MLC_RULE_TUPLE || check_one_type(c, t->type, type);
}

// --- conditions and numbers

// Untyped, a float is compared as bits.
static bool
check_number(const Check *c, const RuleTerm *t, const MlcRuleExpr *e, int allowed)
{
    if (e->kind == MLC_RULE_FLOAT && !e->type)
        return FAIL(c, t, "a float needs a type here");
    return expect(c, t, e, allowed, "what stands here") && check(c, t, e);
}

// What a side may be compared with.
static int
comparable_with(int kind)
{
    int with = 0;
    if (kind & (VALUE | TYPE))
        with |= VALUE | TYPE | TEXT;
    if (kind & TEXT)
        with |= VALUE | TYPE;
    if (kind & VALUE)
        with |= CONSTANT;
    if (kind & CONSTANT)
        with |= VALUE;
    if (kind & NUMBERS)
        with |= NUMBERS;
    return with;
}

static bool
check_equality(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    for (size_t i = 0; i < 2; i++) {
        int with = comparable_with(kind_of(c, e->args[1 - i]));
        if (!with)
            return expect(c, t->args[1 - i], e->args[1 - i], VALUE | TYPES | NUMBERS,
                          "what is compared");
        if (!check_number(c, t->args[i], e->args[i], with) ||
            (e->args[i]->kind == MLC_RULE_TEXT && !check_type_text(c, t->args[i], e->args[i])))
            return false;
    }
    return true;
}

static bool
check_condition(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    return expect(c, t, e, CONDITIONS, "what holds or does not") && check(c, t, e);
}

static bool
check_operation(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    bool is_logic = e->kind == MLC_RULE_AND || e->kind == MLC_RULE_OR || e->kind == MLC_RULE_NOT;
    if (e->kind == MLC_RULE_EQUAL || e->kind == MLC_RULE_DIFFERENT)
        return check_equality(c, t, e);
    bool ok = true;
    for (size_t i = 0; i < e->num_args; i++)
        ok &= is_logic ? check_condition(c, t->args[i], e->args[i])
                       : check_number(c, t->args[i], e->args[i], NUMBERS);
    return ok;
}

// --- functions

static bool
is_result_name(const MlcOpDef *op, const char *name)
{
    for (size_t i = 0; i < op->num_results; i++)
        if (strcmp(op->results[i].name, name) == 0)
            return true;
    return false;
}

static bool
check_call(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    int function = common_function(e);
    const char *kinds = function < 0 ? NULL : common_functions[function].kinds;
    bool ok = true;
    for (size_t i = 0; i < e->num_args; i++) {
        int allowed = !kinds            ? ANY
                      : kinds[i] == 'v' ? VALUE | CONSTANT
                      : kinds[i] == 't' ? TYPE | VALUE | CONSTANT
                      : kinds[i] == 'a' ? ATTRIBUTE | CONSTANT
                      : kinds[i] == 'n' ? NUMBERS
                      : kinds[i] == 'l' ? SEVERAL | ATTRIBUTE | VALUE
                                        : TEXT;
        ok &= expect(c, t->args[i], e->args[i], allowed, "argument %zu of '%s'", i + 1,
                     t->name.data) &&
              check(c, t->args[i], e->args[i]);
    }
    const MlcOpDef *root = c->rule->pattern->op;
    if (ok && strcmp(e->text, "mlc_rule_unused") == 0 && !is_result_name(root, e->args[0]->text))
        ok = FAIL(c, t->args[0], "'%s' has no result '%s'", root->name, e->args[0]->text);
    return ok;
}

// --- ops

// Lists have any number; groups were counted.
static bool
check_num_operands(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    const MlcOpDef *op = e->op;
    size_t least = 0;
    bool is_fixed = true;
    for (size_t i = 0; i < op->num_operands; i++) {
        least += op->operands[i].arity == MLC_ONE;
        is_fixed &= op->operands[i].arity == MLC_ONE;
    }
    bool is_free = mlc_op_def_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS);
    for (size_t i = 0; i < e->num_args; i++)
        is_free |= (kind_of(c, e->args[i]) & SEVERAL) != 0;
    return is_free || (t->num_args >= least && (t->num_args == least || !is_fixed)) ||
           FAIL(c, t, "'%s' has %s%zu operand%s, not %zu", op->name, is_fixed ? "" : "at least ",
                least, least == 1 ? "" : "s", t->num_args);
}

// Types of arguments, and the ops of one that is written.
static bool
check_region(const Check *c, const RuleTerm *t, const MlcRuleRegion *region)
{
    bool ok = true;
    size_t num_types = 0;
    for (size_t i = 0; i < t->num_args; i++) {
        const RuleTerm *type = t->args[i]->type;
        if (!type)
            continue;
        const MlcRuleExpr *e = region->types[num_types++];
        ok &= check_one_type(c, type, e->kind == MLC_RULE_LET ? e->type : e);
    }
    for (size_t i = 0; i < t->num_body; i++) {
        const MlcRuleExpr *e = region->types[region->num_before + i];
        ok &= check(c, t->body[i], e->kind == MLC_RULE_LET ? e->args[0] : e);
    }
    return ok;
}

static bool
check_form(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    for (size_t i = 0; i < e->op->num_successors; i++)
        if (e->op->successors[i].arity == MLC_ONE)
            return FAIL(c, t, "a rule names no blocks, and '%s' has a successor", e->op->name);
    bool ok = check_num_operands(c, t, e);
    for (size_t i = 0; i < t->num_regions; i++)
        ok &= check_region(c, t->regions[i], &e->regions[i]);
    return ok;
}

static const MlcAttrSlot *
slot_of(const MlcOpDef *op, const char *name)
{
    size_t i = 0;
    while (i + 1 < op->num_attrs && strcmp(op->attrs[i].name, name) != 0)
        i++;
    return &op->attrs[i]; // names were checked
}

static bool
check_attr(const Check *c, const RuleTerm *t, const MlcRuleExpr *e, const MlcOpDef *op)
{
    const MlcAttrSlot *slot = slot_of(op, t->label.data);
    if (e->kind == MLC_RULE_FLOAT || e->kind == MLC_RULE_SIGNED_MIN ||
        e->kind == MLC_RULE_SIGNED_MAX)
        return FAIL(c, t, "attribute '%s' of '%s' must be an integer or a text here", slot->name,
                    op->name);
    if (!expect(c, t, e, ATTRIBUTE | TEXT | LITERAL | CONSTANT, "attribute '%s' of '%s'",
                slot->name, op->name))
        return false;
    if (e->kind == MLC_RULE_TEXT)
        return check_attr_text(c, t, e->text, slot, slot->constraint);
    if (e->kind == MLC_RULE_SYMBOL) {
        MlcStr name = mlc_arena_printf(c->build->compiler->parse.arena, "@%s", e->text);
        return check_attr_text(c, t, name.data, slot, slot->constraint);
    }
    if (e->kind == MLC_RULE_INTEGER) {
        MlcArena *arena = c->build->compiler->parse.arena;
        MlcStr text = mlc_arena_printf(arena, "%lld : i64", (long long)e->number);
        return check_attr_text(c, t, text.data, slot, slot->constraint);
    }
    return check(c, t, e);
}

static bool
is_twice(const RuleTerm *t, size_t attr)
{
    for (size_t i = 0; i < attr; i++)
        if (mlc_str_equal(t->attrs[i]->label, t->attrs[attr]->label))
            return true;
    return false;
}

static bool
check_attrs(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    bool ok = true;
    for (size_t i = 0; i < t->num_attrs; i++) {
        if (is_twice(t, i))
            ok = FAIL(c, t->attrs[i], "attribute '%s' is there twice", t->attrs[i]->label.data);
        ok &= check_attr(c, t->attrs[i], e->attrs[i], e->op);
    }
    for (size_t i = 0; i < e->op->num_attrs; i++) {
        const MlcAttrSlot *slot = &e->op->attrs[i];
        bool is_there = slot->optional || slot->default_text || slot->infers;
        for (size_t k = 0; k < t->num_attrs && !is_there; k++)
            is_there = mlc_str_equal(t->attrs[k]->label, mlc_str(slot->name));
        if (!is_there)
            ok = FAIL(c, t, "'%s' requires attribute '%s'", e->op->name, slot->name);
    }
    return ok;
}

static bool
check_no_label(const Check *c, const RuleTerm *t)
{
    return !t->label.size || FAIL(c, t, "'%s =' stands in patterns", t->label.data);
}

// Operands, or those of a group in brackets.
static bool
check_operands(const Check *c, const RuleTerm *t, const MlcRuleExpr *e, const MlcOpDef *op)
{
    bool ok = true;
    for (size_t i = 0; i < e->num_args; i++) {
        const MlcRuleExpr *arg = e->args[i];
        ok &= check_no_label(c, t->args[i]);
        if (arg->kind == MLC_RULE_TUPLE)
            ok &= check_operands(c, t->args[i], arg, op);
        else
            ok &= expect(c, t->args[i], arg, VALUES | SEVERAL, "operand %zu of '%s'", i + 1,
                         op->name) &&
                  check(c, t->args[i], arg);
    }
    return ok;
}

// The values that a block in place gets; the first term is its name.
static bool
check_inline(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    bool ok = true;
    for (size_t i = 0; i < e->num_args; i++)
        ok &= check_no_label(c, t->args[i + 1]) &&
              expect(c, t->args[i + 1], e->args[i], VALUES | SEVERAL, "value %zu of 'inline'",
                     i + 1) &&
              check(c, t->args[i + 1], e->args[i]);
    return ok;
}

static bool
check_op(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    bool ok = check_form(c, t, e);
    ok &= check_attrs(c, t, e);
    return check_operands(c, t, e, e->op) && ok;
}

// An expression that stands where its kind may stand.
static bool
check(const Check *c, const RuleTerm *t, const MlcRuleExpr *e)
{
    if (!check_type(c, t, e->type))
        return false;
    switch (e->kind) {
    case MLC_RULE_BUILD:
    case MLC_RULE_EVAL:
        return check_op(c, t, e);
    case MLC_RULE_CALL:
        return check_call(c, t, e);
    case MLC_RULE_INLINE:
        return check_inline(c, t, e);
    default:
        return e->kind < MLC_RULE_EQUAL || e->kind > MLC_RULE_REMAINDER || check_operation(c, t, e);
    }
}

// --- constants

static bool
makes_constants(const Check *c, const MlcDialectDef *dialect, const RuleTerm *t)
{
    return dialect->materialize || dialect->constants ||
           FAIL(c, t, "dialect '%s' makes no constants: its head has no 'constants'",
                dialect->name);
}

// Literals that are operands or results, and what is computed, become constants of the root's
// dialect; operands in a lowering, where ops of the root's are to go, of that which they are for.
// `maker`: the dialect that makes this one.
static bool
check_constants(const Check *c, const RuleTerm *t, const MlcRuleExpr *e, const MlcDialectDef *maker)
{
    if (e->kind == MLC_RULE_LET)
        return e->num_args == 0 || check_constants(c, t, e->args[0], maker);
    if (e->kind == MLC_RULE_EVAL || (e->kind >= MLC_RULE_INTEGER && e->kind <= MLC_RULE_SIGNED_MAX))
        return makes_constants(c, maker, t);
    bool ok = true, is_op = e->kind == MLC_RULE_BUILD, is_inline = e->kind == MLC_RULE_INLINE;
    if (is_op && c->rule->set)
        maker = e->op->dialect;
    for (size_t i = 0; i < e->num_args && ok && (is_op || is_inline || e->kind == MLC_RULE_TUPLE);
         i++)
        ok = check_constants(c, t->args[i + is_inline], e->args[i], maker);
    for (size_t i = 0; i < e->num_regions && ok; i++) {
        const MlcRuleRegion *region = &e->regions[i];
        for (size_t k = 0; k < t->regions[i]->num_body && ok; k++)
            ok = check_constants(c, t->regions[i]->body[k], region->types[region->num_before + k],
                                 maker);
    }
    return ok;
}

// --- patterns

static bool
check_pattern(const Check *c, const RuleTerm *t)
{
    bool ok = true;
    for (size_t i = 0; i < t->num_attrs; i++) {
        const RuleTerm *a = t->attrs[i];
        if (is_twice(t, i))
            ok = FAIL(c, a, "attribute '%s' is there twice", a->label.data);
        const MlcAttrSlot *slot = slot_of(t->op, a->label.data);
        if (a->kind == RULE_TEXT)
            ok &= check_attr_text(c, a, a->name.data, slot, slot->constraint);
    }
    for (size_t i = 0; i < t->num_args; i++)
        ok &= check_pattern(c, t->args[i]);
    for (size_t i = 0; i < t->num_regions; i++)
        for (size_t k = 0; k < t->regions[i]->num_body; k++)
            ok &= check_pattern(c, t->regions[i]->body[k]);
    return ok;
}

bool
rules_check_kinds(RuleBuild *build, const RuleText *rule, const MlcRuleExpr *result,
                  const MlcRuleExpr *guard)
{
    const Check check_of = {build, rule}, *c = &check_of;
    bool ok = check_pattern(c, rule->pattern);
    if (result->kind == MLC_RULE_TUPLE)
        for (size_t i = 0; i < result->num_args; i++)
            ok &= expect(c, rule->result->args[i], result->args[i], VALUES, "result %zu", i + 1) &&
                  check(c, rule->result->args[i], result->args[i]);
    else
        ok &= expect(c, rule->result, result,
                     VALUES | (rule->pattern->op->num_results ? 0 : NOTHING), "the result") &&
              check(c, rule->result, result);
    if (build->compiler->function) // in mlc-gen hooks are names that the linker knows
        ok &= check_constants(c, rule->result, result, rule->pattern->op->dialect);
    ok &= check_no_label(c, rule->result);
    return (!guard || check_condition(c, rule->guard, guard)) && ok;
}

bool
rules_check_guard(RuleBuild *build, const RuleText *rule, const RuleTerm *t, const MlcRuleExpr *e)
{
    const Check check_of = {build, rule}, *c = &check_of;
    return check_no_label(c, t) && check_condition(c, t, e);
}

bool
rules_check_said(RuleBuild *build, const RuleText *rule, const RuleTerm *t, const MlcRuleExpr *e)
{
    const Check check_of = {build, rule}, *c = &check_of;
    return check_no_label(c, t) &&
           expect(c, t, e, VALUE | TYPES | NUMBERS, "what a message says") && check(c, t, e);
}
