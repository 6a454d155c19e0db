// rules_compile.c -- rules as written to rules as data: names become records, the two sides become
// questions (rules_tree.c makes a tree of them) and expressions.
//
// It stands on records alone, so that mlc-gen, which has no IR, runs the same code.
#include "rules_compile.h"

#include "mlc/support/file.h"
#include "record/did_you_mean.h"
#include "rules_impl.h"

#include <ctype.h>
#include <stdarg.h>

bool
rules_fail(RulesParse *parse, unsigned line, unsigned column, const char *format, ...)
{
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    parse->num_faults++;
    parse->report(parse->user, parse->filename, line, column, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

#define FAIL(c, t, ...) rules_fail(&(c)->parse, (t)->line, (t)->column, __VA_ARGS__)

// --- names

static const MlcOpDef *
op_in_dialect(MlcRulesCompiler *c, MlcStr dialect, MlcStr name)
{
    const MlcDialectDef *d = dialect.size ? c->find(c->parse.user, dialect) : NULL;
    for (size_t i = 0; d && i < d->num_ops; i++)
        if (mlc_str_equal(mlc_str(strchr(d->ops[i]->name, '.') + 1), name))
            return d->ops[i];
    return NULL;
}

// `arith.addi`, or `addi` where the file says `dialect arith`.
static const MlcOpDef *
op_named(MlcRulesCompiler *c, MlcStr name)
{
    const char *dot = memchr(name.data, '.', name.size);
    const MlcOpDef *op = NULL;
    if (dot) {
        size_t head = (size_t)(dot - name.data);
        op = op_in_dialect(c, mlc_str_n(name.data, head), mlc_str_n(dot + 1, name.size - head - 1));
    }
    return op ? op : op_in_dialect(c, c->parse.dialect, name);
}

static bool
no_op(MlcRulesCompiler *c, const RuleTerm *t)
{
    const char *dot = memchr(t->name.data, '.', t->name.size);
    MlcStr dialect = dot ? mlc_str_n(t->name.data, (size_t)(dot - t->name.data)) : c->parse.dialect;
    return FAIL(c, t, "there is no op '%s'%s", t->name.data,
                mlc_did_you_mean_op(c->parse.arena, t->name,
                                    dialect.size ? c->find(c->parse.user, dialect) : NULL));
}

bool
rules_is_type_variable(MlcStr name)
{
    return isupper((unsigned char)name.data[0]);
}

static const MlcConstraint *
constraint_in(MlcRulesCompiler *c, MlcStr dialect, MlcStr name)
{
    const MlcDialectDef *d = dialect.size ? c->find(c->parse.user, dialect) : NULL;
    for (size_t i = 0; d && i < d->num_constraints; i++)
        if (mlc_str_equal(mlc_str(d->constraints[i]->name), name))
            return d->constraints[i];
    return NULL;
}

const MlcConstraint *
rules_constraint(MlcRulesCompiler *c, MlcStr name)
{
    const MlcConstraint *found = constraint_in(c, c->parse.dialect, name);
    return found ? found : constraint_in(c, mlc_str("builtin"), name);
}

int
rules_find_var(const RuleBuild *b, MlcRuleVarKind kind, MlcStr name)
{
    for (size_t i = 0; i < b->vars.size; i++)
        if (b->vars.data[i].kind == kind && mlc_str_equal(mlc_str(b->vars.data[i].name), name))
            return (int)i;
    return -1;
}

int
rules_declare(RuleBuild *b, MlcRuleVarKind kind, MlcStr name, const char *attr)
{
    int known = rules_find_var(b, kind, name);
    if (known >= 0)
        return known;
    mlc_vec_push(&b->vars, (MlcRuleVar){.name = name.data, .kind = (uint8_t)kind, .attr = attr});
    bool is_made = kind == MLC_RULE_VAR_VALUE || kind == MLC_RULE_VAR_LIST;
    if (is_made && b->is_local && b->vars.size <= MLC_RULE_MAX_VARS)
        b->inner |= UINT64_C(1) << (b->vars.size - 1);
    return (int)b->vars.size - 1;
}

// --- patterns

static bool
check_size(MlcRulesCompiler *c, const RuleTerm *t)
{
    size_t num_results = t->op ? t->op->num_results : 0;
    return (t->num_args <= MLC_RULE_MAX_ARGS && t->num_attrs <= MLC_RULE_MAX_ARGS &&
            num_results <= MLC_RULE_MAX_ARGS) ||
           FAIL(c, t, "more than %d operands, attributes or results", MLC_RULE_MAX_ARGS);
}

static const struct {
    const char *name;
    MlcRuleExprKind kind;
} named_literals[] = {{"smin", MLC_RULE_SIGNED_MIN}, {"smax", MLC_RULE_SIGNED_MAX}};

int
rules_named_literal(MlcStr name)
{
    for (size_t i = 0; i < sizeof named_literals / sizeof *named_literals; i++)
        if (mlc_str_equal(name, mlc_str(named_literals[i].name)))
            return named_literals[i].kind;
    return -1;
}

// The attribute definition of an enumeration that a slot wants.
static const MlcAttrDef *
enum_of(MlcRulesCompiler *c, const MlcConstraint *constraint)
{
    if (!constraint)
        return NULL;
    for (size_t i = 0; i < constraint->num_args; i++) {
        const MlcAttrDef *inner = enum_of(c, constraint->args[i]);
        if (inner)
            return inner;
    }
    if (constraint->kind != MLC_CONSTRAINT_DIALECT_ATTR || !constraint->num_names)
        return NULL;
    MlcStr name = mlc_str(constraint->names[0]);
    size_t head = (size_t)(strchr(name.data, '.') - name.data);
    const MlcDialectDef *d = c->find(c->parse.user, mlc_str_n(name.data, head));
    for (size_t i = 0; d && i < d->num_attrs; i++)
        if (strcmp(d->attrs[i]->name, name.data) == 0)
            return d->attrs[i];
    return NULL;
}

MlcRuleExpr *
rules_new_expr(RuleBuild *b, MlcRuleExprKind kind, int64_t number)
{
    MlcRuleExpr *e = MLC_NEW(b->compiler->parse.arena, MlcRuleExpr);
    e->kind = (uint8_t)kind;
    e->number = number;
    return e;
}

// A word where an attribute stands: a case of the enumeration that the slot wants.
// -1: `op` has no such attribute.
static int
attr_number(const MlcOpDef *op, MlcStr name)
{
    for (int i = 0; i < op->num_attrs; i++)
        if (mlc_str_equal(mlc_str(op->attrs[i].name), name))
            return i;
    return -1;
}

static MlcRuleExpr *
enum_case(RuleBuild *b, const RuleTerm *t, const MlcOpDef *op)
{
    int slot = attr_number(op, t->label);
    const MlcAttrDef *def = enum_of(b->compiler, op->attrs[slot].constraint);
    for (size_t k = 0; def && k < def->num_cases; k++) {
        if (!mlc_str_equal(mlc_str(def->cases[k].name), t->name))
            continue;
        MlcRuleExpr *e = rules_new_expr(b, MLC_RULE_ENUM, def->cases[k].value);
        e->attr_def = def;
        return e;
    }
    MlcNames names = {0};
    for (size_t k = 0; def && k < def->num_cases; k++)
        mlc_vec_push(&names, mlc_str(def->cases[k].name));
    FAIL(b->compiler, t, "'%s' is no case of attribute '%s' of '%s'%s", t->name.data, t->label.data,
         op->name, mlc_did_you_mean(b->compiler->parse.arena, t->name, &names));
    return NULL;
}

MlcRuleExpr *
rules_attr_literal(RuleBuild *b, const RuleTerm *t, const MlcOpDef *op)
{
    if (t->kind == RULE_NAME)
        return enum_case(b, t, op);
    MlcRuleExpr *e =
        rules_new_expr(b, t->kind == RULE_TEXT ? MLC_RULE_TEXT : t->literal, t->number);
    e->text = t->kind == RULE_TEXT ? t->name.data : NULL;
    return e;
}

// Which result of its op a `.name` means: the first where there is none, -1 where it is none.
int
rules_result_number(const RuleTerm *t)
{
    for (int i = 0; t->result.size && i < t->op->num_results; i++)
        if (mlc_str_equal(mlc_str(t->op->results[i].name), t->result))
            return i;
    return t->result.size ? -1 : 0;
}

// The result and the attributes that an application names are its op's.
static bool
check_names(MlcRulesCompiler *c, const RuleTerm *t)
{
    bool ok = rules_result_number(t) >= 0 ||
              FAIL(c, t, "'%s' has no result '%s'", t->op->name, t->result.data);
    for (size_t i = 0; i < t->num_attrs; i++)
        ok &= attr_number(t->op, t->attrs[i]->label) >= 0 ||
              FAIL(c, t->attrs[i], "'%s' has no attribute '%s'%s", t->op->name,
                   t->attrs[i]->label.data,
                   mlc_did_you_mean_attr(c->parse.arena, t->attrs[i]->label, t->op, false));
    return ok;
}

static bool
resolve_attr(RuleBuild *b, RuleTerm *t)
{
    if (t->kind == RULE_ATTR)
        rules_declare(b, MLC_RULE_VAR_ATTR, t->name, t->label.data);
    else if (t->kind == RULE_REGION) {
        t->kind = RULE_TEXT;
        t->name = mlc_arena_printf(b->compiler->parse.arena, "@%s", t->name.data);
    } else if (t->kind != RULE_NAME && t->kind != RULE_TEXT && t->kind != RULE_LITERAL)
        return FAIL(b->compiler, t, "this cannot stand in a pattern");
    return true;
}

static void
declare_at(RuleBuild *b, MlcRuleVarKind kind, MlcStr name, size_t index)
{
    int var = rules_declare(b, kind, name, NULL);
    b->vars.data[var].index = (uint8_t)index;
}

// Whether its region follows from its definition.
static bool
has_body(const MlcOpDef *op)
{
    return op->structured && op->structured->body;
}

static bool
wrong_regions(MlcRulesCompiler *c, const RuleTerm *t)
{
    return FAIL(c, t, "'%s' has %d region%s, not %zu", t->op->name, t->op->num_regions,
                t->op->num_regions == 1 ? "" : "s", t->num_regions);
}

// Where lists stand, each is a whole group of operands, and the others are counted from one end.
static bool
resolve_lists(RuleBuild *b, const RuleTerm *t)
{
    MlcRulesCompiler *c = b->compiler;
    const MlcOpDef *op = t->op;
    size_t first = SIZE_MAX, last = 0;
    for (size_t i = 0; i < t->num_args; i++)
        if (t->args[i]->kind == RULE_LIST)
            first = first == SIZE_MAX ? i : first, last = i;
    for (size_t i = 0; i < t->num_args && first != SIZE_MAX; i++) {
        bool is_list = t->args[i]->kind == RULE_LIST;
        bool is_one = i < op->num_operands && op->operands[i].arity == MLC_ONE;
        if (t->num_args != op->num_operands || is_list == is_one)
            return FAIL(c, t->args[i],
                        "where lists stand, each stands for operands of '%s' of which "
                        "there may be several, and each name for one",
                        op->name);
        if (!is_list && i > first && i < last)
            return FAIL(c, t->args[i], "an operand between two lists has no place of its own");
    }
    // Names of what lies in a region are no values outside.
    b->is_local = b->depth > 0;
    for (size_t i = 0; i < t->num_args; i++)
        if (t->args[i]->kind == RULE_LIST)
            declare_at(b, MLC_RULE_VAR_LIST, t->args[i]->name, i);
    b->is_local = false;
    return true;
}

// The regions of an op that goes are named or looked into, so that nothing is lost unseen.
static bool
resolve_regions(RuleBuild *b, const RuleTerm *t)
{
    MlcRulesCompiler *c = b->compiler;
    const MlcOpDef *op = t->op;
    for (size_t i = 0; i < t->num_regions; i++) {
        const RuleTerm *region = t->regions[i];
        bool is_named = region->name.size && !mlc_str_equal(region->name, mlc_str("_"));
        if (region->num_args && !region->body)
            return FAIL(c, region, "arguments of regions stand on the right, or before a body");
        if (t != b->pattern && is_named && b->lowers) // a peephole copies
            return FAIL(c, region, "only the op that goes gives its regions");
        if (is_named)
            declare_at(b, MLC_RULE_VAR_REGION, region->name, i);
    }
    bool may_lack = t != b->pattern || !b->lowers || has_body(op);
    return t->num_regions == op->num_regions || (t->num_regions == 0 && may_lack) ||
           wrong_regions(c, t);
}

// Finds the ops of a pattern and declares its variables.
bool
rules_resolve_pattern(RuleBuild *b, RuleTerm *t)
{
    MlcRulesCompiler *c = b->compiler;
    if (t->label.size && t->kind != RULE_APPLY)
        return FAIL(c, t, "only an op has a name in front");
    b->is_local = b->depth > 0;
    if (t->label.size)
        rules_declare(b, MLC_RULE_VAR_VALUE, t->label, NULL);
    b->is_local = false;
    if (t->type && t->type->kind == RULE_NAME && rules_is_type_variable(t->type->name))
        rules_declare(b, MLC_RULE_VAR_TYPE, t->type->name, NULL);
    if (t->kind == RULE_NAME && rules_named_literal(t->name) >= 0) {
        t->kind = RULE_LITERAL;
        t->literal = (uint8_t)rules_named_literal(t->name);
    }
    switch (t->kind) {
    case RULE_NAME:
        if (rules_is_type_variable(t->name))
            return FAIL(c, t, "'%s' is a type variable; values are in lower case", t->name.data);
        if (!rules_is_any(t))
            rules_declare(b, MLC_RULE_VAR_VALUE, t->name, NULL);
        return true;
    case RULE_CONSTANT:
        rules_declare(b, MLC_RULE_VAR_CONSTANT, t->name, NULL);
        return true;
    case RULE_LITERAL:
        return true;
    case RULE_APPLY:
        break;
    default:
        return FAIL(c, t, "this cannot stand in a pattern");
    }
    t->op = op_named(c, t->name);
    if (!t->op)
        return no_op(c, t);
    bool ok = check_size(c, t) && check_names(c, t) && resolve_lists(b, t) && resolve_regions(b, t);
    for (size_t i = 0; ok && i < t->num_args; i++)
        ok &= t->args[i]->kind == RULE_LIST || rules_resolve_pattern(b, t->args[i]);
    for (size_t i = 0; i < t->num_attrs; i++)
        ok &= resolve_attr(b, t->attrs[i]);
    for (size_t i = 0; ok && i < t->num_regions; i++)
        ok &= !t->regions[i]->body || rules_resolve_region(b, t->regions[i], i);
    return ok;
}

// --- expressions

// Those of an op's results.
static MlcRuleExpr *
type_list(RuleBuild *b, const RuleTerm *t)
{
    MlcRuleExpr *e = rules_new_expr(b, MLC_RULE_TUPLE, 0);
    const MlcRuleExpr **types =
        MLC_NEW_ARRAY(b->compiler->parse.arena, const MlcRuleExpr *, t->num_args + 1);
    if (t->num_args > MLC_RULE_MAX_ARGS)
        return FAIL(b->compiler, t, "more than %d types", MLC_RULE_MAX_ARGS), NULL;
    for (size_t i = 0; i < t->num_args; i++)
        if (t->args[i]->kind == RULE_TUPLE)
            return FAIL(b->compiler, t->args[i], "a list of types in another"), NULL;
        else if (!(types[i] = rules_type_expression(b, t->args[i])))
            return NULL;
    e->args = types;
    e->num_args = (uint8_t)t->num_args;
    return e;
}

MlcRuleExpr *
rules_type_expression(RuleBuild *b, RuleTerm *t)
{
    if (t->kind == RULE_APPLY)
        return rules_expression(b, t);
    if (t->kind == RULE_TUPLE)
        return type_list(b, t);
    if (t->kind == RULE_NAME && rules_is_type_variable(t->name)) {
        int var = rules_find_var(b, MLC_RULE_VAR_TYPE, t->name);
        if (var < 0)
            return FAIL(b->compiler, t, "no type '%s' in the pattern", t->name.data), NULL;
        return rules_new_expr(b, MLC_RULE_VARIABLE, var);
    }
    MlcRuleExpr *e = rules_new_expr(b, MLC_RULE_TEXT, 0);
    e->text = t->name.data;
    return e;
}

// An operand, result or attribute of the op that a requirement is of.
static MlcRuleExpr *
own_name(RuleBuild *b, const RuleTerm *t)
{
    const MlcOpDef *op = b->of;
    int kind = -1;
    size_t index = 0;
    for (size_t i = 0; i < op->num_operands && kind < 0 && t->kind != RULE_ATTR; i++)
        if (mlc_str_equal(t->name, mlc_str(op->operands[i].name)))
            kind = MLC_RULE_VAR_OPERANDS, index = i;
    for (size_t i = 0; i < op->num_results && kind < 0 && t->kind != RULE_ATTR; i++)
        if (mlc_str_equal(t->name, mlc_str(op->results[i].name)))
            kind = MLC_RULE_VAR_RESULTS, index = i;
    if (kind < 0 && attr_number(op, t->name) >= 0)
        kind = MLC_RULE_VAR_ATTR;
    if (kind < 0 || (t->kind != RULE_NAME && t->kind != RULE_ATTR) || index > UINT8_MAX) {
        FAIL(b->compiler, t, "'%s' has no operand, result or attribute '%s'%s", op->name,
             t->name.data, mlc_did_you_mean_attr(b->compiler->parse.arena, t->name, op, true));
        return NULL;
    }
    int var = rules_declare(b, (MlcRuleVarKind)kind, t->name, t->name.data);
    b->vars.data[var].index = (uint8_t)index;
    return rules_new_expr(b, MLC_RULE_VARIABLE, var);
}

// What a name of the pattern may not stand for here.
static bool
check_seen(RuleBuild *b, const RuleTerm *t, int var)
{
    bool is_made =
        b->vars.data[var].kind != MLC_RULE_VAR_TYPE && b->vars.data[var].kind != MLC_RULE_VAR_ATTR;
    if (var < MLC_RULE_MAX_VARS && b->inner >> var & 1)
        return FAIL(b->compiler, t, "'%s' lies in a region of the pattern", t->name.data);
    return !b->isolated || !is_made || (size_t)var >= b->hidden ||
           FAIL(b->compiler, t, "'%s' is not seen in a region of '%s'", t->name.data,
                b->isolated->name);
}

static MlcRuleExpr *
variable(RuleBuild *b, const RuleTerm *t)
{
    if (b->of)
        return own_name(b, t);
    MlcRuleVarKind kind = t->kind == RULE_CONSTANT          ? MLC_RULE_VAR_CONSTANT
                          : t->kind == RULE_ATTR            ? MLC_RULE_VAR_ATTR
                          : t->kind == RULE_LIST            ? MLC_RULE_VAR_LIST
                          : rules_is_type_variable(t->name) ? MLC_RULE_VAR_TYPE
                                                            : MLC_RULE_VAR_VALUE;
    int var = rules_find_var(b, kind, t->name);
    bool is_local = var < 0 && (t->kind == RULE_NAME || t->kind == RULE_LIST);
    if (is_local)
        var = rules_find_local(b, t->name);
    if (var < 0)
        return FAIL(b->compiler, t, "no '%s' in the pattern", t->name.data), NULL;
    if (!check_seen(b, t, var))
        return NULL;
    bool is_all = is_local && t->kind == RULE_LIST;
    if (is_all && !b->vars.data[var].index)
        return FAIL(b->compiler, t, "'%s...' is of an op's results", t->name.data), NULL;
    return rules_new_expr(b, is_all ? MLC_RULE_RESULTS : MLC_RULE_VARIABLE, var);
}

static bool
is_constant(const RuleBuild *b, const MlcRuleExpr *e)
{
    switch (e->kind) {
    case MLC_RULE_VARIABLE:
        return b->vars.data[e->number].kind == MLC_RULE_VAR_CONSTANT;
    case MLC_RULE_INTEGER:
    case MLC_RULE_FLOAT:
    case MLC_RULE_SIGNED_MIN:
    case MLC_RULE_SIGNED_MAX:
    case MLC_RULE_EVAL:
        return true;
    default:
        return false;
    }
}

static bool
is_literal(const MlcRuleExpr *e)
{
    return e->kind == MLC_RULE_INTEGER || e->kind == MLC_RULE_FLOAT ||
           e->kind == MLC_RULE_SIGNED_MIN || e->kind == MLC_RULE_SIGNED_MAX;
}

// A literal operand without a type has that of the op's other operands, but none in a group.
static bool
check_literals(RuleBuild *b, const MlcOpDef *op, const RuleTerm *t, const MlcRuleExpr *e)
{
    uint64_t same =
        MLC_TRAIT_BIT(SAME_OPERANDS_TYPE) | MLC_TRAIT_BIT(SAME_OPERANDS_AND_RESULT_TYPE);
    bool has_type = t->op && op->traits & same;
    for (size_t i = 0; i < e->num_args; i++) {
        const MlcRuleExpr *arg = e->args[i];
        if (is_literal(arg) && !arg->type && !has_type)
            return FAIL(b->compiler, t->args[i], "this operand of '%s' needs a type", op->name);
        if (arg->kind == MLC_RULE_TUPLE && !check_literals(b, op, t->args[i], arg))
            return false;
    }
    return true;
}

// Where sizes of groups are counted, each argument is a group.
static bool
check_groups(RuleBuild *b, const RuleTerm *t)
{
    return !mlc_op_def_has_trait(t->op, MLC_TRAIT_ATTR_SIZED_OPERANDS) ||
           t->num_args == t->op->num_operands ||
           FAIL(b->compiler, t,
                "'%s' has %d groups of operands, not %zu: [x, y] is a group, [] "
                "one of none",
                t->op->name, t->op->num_operands, t->num_args);
}

// The arguments that a region gets besides its own.
static bool
fill_arguments(RuleBuild *b, const RuleTerm *t, MlcRuleRegion *region)
{
    const MlcRuleExpr **types =
        MLC_NEW_ARRAY(b->compiler->parse.arena, const MlcRuleExpr *, t->num_args + 1);
    size_t num_types = 0, num_own = 0;
    if (t->num_args > MLC_RULE_MAX_ARGS)
        return FAIL(b->compiler, t, "more than %d arguments", MLC_RULE_MAX_ARGS);
    for (size_t i = 0; i < t->num_args; i++) {
        const RuleTerm *type = t->args[i]->type;
        if (t->args[i]->kind == RULE_LIST) {
            region->num_before = (uint8_t)num_types;
            num_own++;
        } else if (!type || type->kind == RULE_TUPLE) {
            return FAIL(b->compiler, t->args[i], "argument '%s' of a region needs a type",
                        t->args[i]->name.data);
        } else if (!(types[num_types++] = rules_type_expression(b, t->args[i]->type))) {
            return false;
        }
    }
    region->types = types;
    region->num_after = (uint8_t)(num_types - region->num_before);
    return t->num_args == 0 || num_own == 1 ||
           FAIL(b->compiler, t, "the region's own arguments, ..., stand there once");
}

static bool
fill_regions(RuleBuild *b, const RuleTerm *t, MlcRuleExpr *e)
{
    MlcRulesCompiler *c = b->compiler;
    if (t->num_regions && b->is_guard)
        return FAIL(c, t->regions[0], "a guard makes nothing");
    if (t->num_regions != t->op->num_regions && (t->num_regions || !has_body(t->op)))
        return wrong_regions(c, t);
    MlcRuleRegion *regions = MLC_NEW_ARRAY(c->parse.arena, MlcRuleRegion, t->num_regions + 1);
    for (size_t i = 0; i < t->num_regions; i++) {
        const RuleTerm *region = t->regions[i];
        int var;
        if (region->body ? !rules_write_region(b, region, t->op, &regions[i])
                         : !rules_move_region(b, region, &var))
            return false;
        if (region->body)
            continue;
        regions[i].variable = (uint8_t)var;
        if (!fill_arguments(b, region, &regions[i]))
            return false;
    }
    e->regions = regions;
    e->num_regions = (uint8_t)t->num_regions;
    return true;
}

// A function that is declared by what its call is given.
static MlcRuleExpr *
symbol(RuleBuild *b, const RuleTerm *t, const MlcOpDef *op)
{
    bool is_call = false;
    for (size_t i = 0; i < op->num_interfaces; i++)
        is_call |= op->interfaces[i].id == MLC_INTERFACE_CALL;
    if (!b->lowers || !is_call) {
        FAIL(b->compiler, t,
             is_call ? "functions are declared by lowerings only: \"@%s\" is one that is there"
                     : "functions are declared for calls only: \"@%s\" is one that is there",
             t->name.data);
        return NULL;
    }
    MlcRuleExpr *e = rules_new_expr(b, MLC_RULE_SYMBOL, 0);
    e->text = t->name.data;
    return e;
}

static bool
fill_op(RuleBuild *b, RuleTerm *t, MlcRuleExpr *e)
{
    MlcArena *arena = b->compiler->parse.arena;
    if (!check_names(b->compiler, t) || !check_groups(b, t) || !fill_regions(b, t, e))
        return false;
    const MlcRuleExpr **attrs = MLC_NEW_ARRAY(arena, const MlcRuleExpr *, t->num_attrs + 1);
    const char **names = MLC_NEW_ARRAY(arena, const char *, t->num_attrs + 1);
    bool evaluates = e->num_args > 0 && t->num_regions == 0 &&
                     mlc_op_def_has_trait(t->op, MLC_TRAIT_NO_MEMORY_EFFECT);
    for (size_t i = 0; i < e->num_args; i++)
        evaluates &= is_constant(b, e->args[i]);
    for (size_t i = 0; i < t->num_attrs; i++) {
        RuleTerm *a = t->attrs[i];
        if (a->kind == RULE_REGION) {
            names[i] = a->label.data;
            if (!(attrs[i] = symbol(b, a, t->op)))
                return false;
            continue;
        }
        bool is_computed = a->kind == RULE_ATTR || a->kind == RULE_CONSTANT ||
                           a->kind == RULE_APPLY || a->kind == RULE_OPERATOR;
        names[i] = a->label.data;
        attrs[i] = is_computed ? rules_expression(b, a) : rules_attr_literal(b, a, t->op);
        if (!attrs[i])
            return false;
    }
    e->kind = evaluates ? MLC_RULE_EVAL : MLC_RULE_BUILD;
    e->op = t->op;
    e->attrs = attrs;
    e->attr_names = names;
    e->num_attrs = (uint8_t)t->num_attrs;
    e->result = (uint8_t)rules_result_number(t);
    return check_literals(b, t->op, t, e);
}

static const struct CommonFunction {
    const char *name, *kinds;
} common_functions[] = {
#define MLC_RULE_FUNCTION(name, kinds, gives) {#name, kinds},
#include "rule_functions.inc"
#undef MLC_RULE_FUNCTION
};

// Guards ask, so that `constant(x)` is no arith.constant there.
static bool
is_question(const RuleBuild *b, MlcStr name)
{
    bool found = false;
    for (size_t i = 0; i < sizeof common_functions / sizeof *common_functions; i++)
        found |= mlc_str_equal(mlc_str(common_functions[i].name), name);
    return found && b->is_guard;
}

static bool
no_function(MlcRulesCompiler *c, const RuleTerm *t)
{
    MlcNames names = {0};
    for (size_t i = 0; i < sizeof common_functions / sizeof *common_functions; i++)
        mlc_vec_push(&names, mlc_str(common_functions[i].name));
    return FAIL(c, t, "there is no function '%s'%s", t->name.data,
                mlc_did_you_mean(c->parse.arena, t->name, &names));
}

static bool
fill_call(RuleBuild *b, const RuleTerm *t, MlcRuleExpr *e)
{
    MlcRulesCompiler *c = b->compiler;
    MlcStr symbol = {0};
    if (t->num_regions)
        return no_op(c, t);
    for (size_t i = 0; i < sizeof common_functions / sizeof *common_functions; i++) {
        const struct CommonFunction *f = &common_functions[i];
        if (!mlc_str_equal(mlc_str(f->name), t->name))
            continue;
        symbol = mlc_arena_printf(c->parse.arena, "mlc_rule_%s", f->name);
        if (t->num_args != strlen(f->kinds))
            return FAIL(c, t, "'%s' takes %zu argument%s, but has %zu", f->name, strlen(f->kinds),
                        strlen(f->kinds) == 1 ? "" : "s", t->num_args);
    }
    if (!symbol.size && b->of)
        return no_function(c, t);
    if (!symbol.size) {
        symbol =
            mlc_arena_printf(c->parse.arena, "mlc_%s_rule_%s",
                             c->parse.dialect.size ? c->parse.dialect.data : "no", t->name.data);
        bool known = false;
        for (size_t i = 0; i < c->functions.size; i++)
            known |= strcmp(c->functions.data[i], symbol.data) == 0;
        if (!known)
            mlc_vec_push(&c->functions, symbol.data);
    }
    e->kind = MLC_RULE_CALL;
    e->text = symbol.data;
    if (!c->function)
        return true;
    e->function = c->function(symbol.data);
    const MlcDialectDef *dialect =
        c->parse.dialect.size ? c->find(c->parse.user, c->parse.dialect) : NULL;
    return e->function || FAIL(c, t, "there is no op and no function '%s'%s", t->name.data,
                               mlc_did_you_mean_op(c->parse.arena, t->name, dialect));
}

// A list or a group stands among the operands of an op, and nowhere else.
static bool
check_list(RuleBuild *b, const RuleTerm *t, bool is_operand)
{
    return (t->kind != RULE_LIST && t->kind != RULE_GROUP) || is_operand ||
           FAIL(b->compiler, t, "several values, x... and [x, y], are for operands");
}

MlcRuleExpr *
rules_expression(RuleBuild *b, RuleTerm *t)
{
    MlcRuleExpr *e;
    if (t->kind == RULE_REGION)
        return FAIL(b->compiler, t, "a region stands behind an op, or in inline(@%s)",
                    t->name.data ? t->name.data : ""),
               NULL;
    if (rules_is_inline(t) && !b->of)
        return rules_inline(b, t);
    if (t->kind == RULE_NAME && rules_named_literal(t->name) >= 0)
        e = rules_new_expr(b, (MlcRuleExprKind)rules_named_literal(t->name), 0);
    else if (t->kind == RULE_NAME || t->kind == RULE_CONSTANT || t->kind == RULE_ATTR ||
             t->kind == RULE_LIST)
        return variable(b, t);
    else
        e = rules_new_expr(b, (MlcRuleExprKind)t->literal, t->number);
    const MlcRuleExpr **args =
        MLC_NEW_ARRAY(b->compiler->parse.arena, const MlcRuleExpr *, t->num_args + 1);
    bool is_op = !b->of && t->kind == RULE_APPLY && op_named(b->compiler, t->name);
    if (t->kind == RULE_APPLY && !is_op && !b->of && memchr(t->name.data, '.', t->name.size))
        return no_op(b->compiler, t), NULL; // functions have no dialect
    for (size_t i = 0; i < t->num_args; i++)
        if (!check_list(b, t->args[i], is_op || t->kind == RULE_GROUP) ||
            !(args[i] = rules_expression(b, t->args[i])))
            return NULL;
    e->args = args;
    e->num_args = (uint8_t)t->num_args;
    if (t->type && t->type->kind == RULE_TUPLE && !is_op)
        return FAIL(b->compiler, t->type, "several types are of an op's results"), NULL;
    if (t->type && !(e->type = rules_type_expression(b, t->type)))
        return NULL;
    switch (t->kind) {
    case RULE_TEXT:
        e->kind = MLC_RULE_TEXT;
        e->text = t->name.data;
        return e;
    case RULE_TUPLE:
    case RULE_GROUP:
        e->kind = MLC_RULE_TUPLE;
        return e;
    case RULE_APPLY:
        t->op = b->of || is_question(b, t->name) ? NULL : op_named(b->compiler, t->name);
        if (!check_size(b->compiler, t))
            return NULL;
        return (t->op ? fill_op(b, t, e) : fill_call(b, t, e)) ? e : NULL;
    default:
        return e;
    }
}

// --- rules

// The number of values a result stands for; SIZE_MAX: as many as the op it builds.
static bool
check_results(RuleBuild *b, const RuleText *rule, const MlcRuleExpr *result)
{
    size_t want = rule->pattern->op->num_results;
    size_t got = result->kind == MLC_RULE_TUPLE ? result->num_args : 1;
    bool is_built = result->kind == MLC_RULE_BUILD && !rule->result->result.size;
    if (is_built && result->op->num_results == want)
        return true;
    return got == want || result->kind == MLC_RULE_INLINE ||
           FAIL(b->compiler, rule->result, "'%s' has %zu results, not %zu", rule->pattern->op->name,
                want, got);
}

static bool
is_there_already(const RuleBuild *b, const MlcRuleExpr *e)
{
    if (e->kind == MLC_RULE_TUPLE) {
        for (size_t i = 0; i < e->num_args; i++)
            if (!is_there_already(b, e->args[i]))
                return false;
        return e->num_args > 0;
    }
    return is_constant(b, e) ||
           (e->kind == MLC_RULE_VARIABLE && b->vars.data[e->number].kind == MLC_RULE_VAR_VALUE);
}

// Each region of the pattern has a place.
static bool
check_moved(const RuleBuild *b, const RuleText *text)
{
    for (size_t i = 0; i < b->vars.size; i++)
        if (b->vars.data[i].kind == MLC_RULE_VAR_REGION && !(b->moved >> i & 1))
            return FAIL(b->compiler, text->result, "'@%s' is lost: one that goes is '@_'",
                        b->vars.data[i].name);
    return true;
}

static bool
check_num_vars(const RuleBuild *b, const RuleText *text)
{
    return b->vars.size <= MLC_RULE_MAX_VARS ||
           FAIL(b->compiler, text->pattern, "too many variables in one rule");
}

static bool
compile_rule(MlcRulesCompiler *c, RuleTreeVec *trees, const RuleText *text)
{
    RuleBuild b = {.compiler = c, .pattern = text->pattern, .lowers = text->set != NULL};
    MlcRule *rule = MLC_NEW(c->parse.arena, MlcRule);
    rule->name = text->name.data;
    bool ok = rules_resolve_pattern(&b, text->pattern);
    if (ok && text->pattern->kind != RULE_APPLY)
        ok = FAIL(c, text->pattern, "a pattern is an op");
    ok = ok && check_num_vars(&b, text);
    if (ok) {
        rule->result =
            check_list(&b, text->result, false) ? rules_expression(&b, text->result) : NULL;
        b.is_guard = true;
        b.moved |= ~UINT64_C(0) * !text->set; // peepholes may drop regions
        rule->guard = text->guard ? rules_expression(&b, text->guard) : NULL;
        ok = rule->result && (rule->guard || !text->guard) && check_num_vars(&b, text) &&
             check_results(&b, text, rule->result) && check_moved(&b, text) &&
             rules_check_kinds(&b, text, rule->result, rule->guard);
    }
    if (ok) {
        MlcRuleVar *vars = MLC_NEW_ARRAY(c->parse.arena, MlcRuleVar, b.vars.size + 1);
        if (b.vars.size)
            memcpy(vars, b.vars.data, b.vars.size * sizeof *vars);
        rule->vars = vars;
        rule->num_vars = (uint8_t)b.vars.size;
        b.rule = rule;
        b.is_fold = !text->set && is_there_already(&b, rule->result);
        ok = rules_tree_add(&b, trees, text);
    }
    mlc_vec_release(&b.vars);
    return ok;
}

// Best benefit first, else as written: insertion sort, since that keeps order.
static void
sort_by_benefit(RulesParse *parse)
{
    for (size_t i = 1; i < parse->rules.size; i++) {
        RuleText *moved = parse->rules.data[i];
        size_t k = i;
        for (; k > 0 && parse->rules.data[k - 1]->benefit < moved->benefit; k--)
            parse->rules.data[k] = parse->rules.data[k - 1];
        parse->rules.data[k] = moved;
    }
}

static void
check_twice(MlcRulesCompiler *c, size_t i)
{
    RuleText *const *rules = c->parse.rules.data;
    for (size_t k = 0; k < i; k++)
        if (mlc_str_equal(rules[k]->name, rules[i]->name))
            FAIL(c, rules[i], "rule '%s' is there twice", rules[i]->name.data);
}

// Those of one set, NULL: the peepholes.
static void
compile_rules(MlcRulesCompiler *c, const RuleSetText *set, MlcRuleTableVec *tables)
{
    RuleTreeVec trees = {0};
    for (size_t i = 0; i < c->parse.rules.size; i++) {
        if (c->parse.rules.data[i]->set != set)
            continue;
        check_twice(c, i);
        compile_rule(c, &trees, c->parse.rules.data[i]);
    }
    if (!c->parse.num_faults)
        rules_trees_finish(c, &trees, tables);
    rules_trees_release(&trees);
}

static void
compile_set(MlcRulesCompiler *c, size_t i)
{
    MlcRuleTableVec tables = {0};
    const RuleSetText *set = c->parse.sets.data[i];
    for (size_t k = 0; k < i; k++)
        if (mlc_str_equal(c->parse.sets.data[k]->name, set->name))
            FAIL(c, set, "lowering '%s' is there twice", set->name.data);
    compile_rules(c, set, &tables);
    rules_compile_set(c, set, &tables);
    mlc_vec_release(&tables);
}

// Rules whose end was not understood.
static void
drop_unread(RulesParse *parse)
{
    size_t n = 0;
    for (size_t i = 0; i < parse->rules.size; i++)
        if (parse->rules.data[i]->pattern)
            parse->rules.data[n++] = parse->rules.data[i];
    parse->rules.size = n;
}

bool
mlc_rules_compile(MlcRulesCompiler *c, MlcStr text)
{
    if (!rules_parse(&c->parse, text)) // others may have faults, too
        drop_unread(&c->parse);
    sort_by_benefit(&c->parse);
    compile_rules(c, NULL, &c->tables);
    for (size_t i = 0; i < c->parse.sets.size; i++)
        compile_set(c, i);
    if (!c->parse.num_faults)
        mlc_rules_check_endless(&c->parse);
    return c->parse.num_faults == 0;
}

void
mlc_rules_compiler_release(MlcRulesCompiler *c)
{
    mlc_vec_release(&c->parse.rules);
    mlc_vec_release(&c->parse.sets);
    mlc_vec_release(&c->parse.types);
    mlc_vec_release(&c->parse.illegal);
    mlc_vec_release(&c->sets);
    mlc_vec_release(&c->tables);
    mlc_vec_release(&c->functions);
}
