// rules.c -- every built-in rule, both sides: an op that it matches is made with types that fit and
// constants of all kinds, and what the rule makes of it means the same on generated values, corners
// included, or more where the op is undefined or poison.
//
// The path of a rule through its decision tree says what to make: which op makes which operand,
// what is a constant, what is the same. Types and constants are drawn until they fit.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/rule.h"
#include "mlc/ir/text.h"

#define WANTED 12       // instances of a rule
#define MAX_DRAWS 30000 // until the types fit
#define VALUES 40       // inputs per instance
#define MAX_VALUES 64   // in an instance

typedef struct Try {
    MlcContext *ctx;
    const MlcRuleTable *table;
    const MlcRuleNode *asked[256]; // questions answered with yes, down to a match
    size_t num_asked;
    uint64_t seed;
    MlcType palette[4]; // of this draw
    MlcOp *module;
    MlcBuilder b;
    MlcValue *made[MLC_RULE_MAX_POSITIONS];
    bool ok, has_fastmath;
    MlcValue *leaves[MAX_VALUES]; // anything goes in here
    MlcAttr inputs[MAX_VALUES];
    size_t num_leaves;
} Try;

typedef struct Score {
    const char *name;
    size_t num_fired;
    bool has_meaning;
} Score;

static MLC_VEC(Score) scores;

static Score *
score_of(const char *name)
{
    for (size_t i = 0; i < scores.size; i++)
        if (strcmp(scores.data[i].name, name) == 0)
            return &scores.data[i];
    mlc_vec_push(&scores, (Score){.name = name, .has_meaning = true});
    return &mlc_vec_last(&scores);
}

static uint64_t
draw(Try *t, uint64_t n)
{
    t->seed ^= t->seed << 13, t->seed ^= t->seed >> 7, t->seed ^= t->seed << 17;
    return (t->seed >> 11) % n;
}

// --- values

static MlcAttr
scalar(Try *t, MlcType type)
{
    static const double reals[] = {0.0, -0.0, 1.0, -1.0, 2.5, -3.75, 1e30, 1e-30, 300.0};
    if (mlc_type_is_float(type)) {
        uint64_t i = draw(t, 14);
        if (i < 9)
            return mlc_float_attr_get(type, reals[i]);
        if (t->has_fastmath) // promised: no NaNs, no infinities
            return mlc_float_attr_get(type, (double)(int64_t)draw(t, 2000) / 7 - 100);
        return mlc_float_attr_get(type, i == 9    ? __builtin_inf()
                                        : i == 10 ? -__builtin_inf()
                                        : i == 11 ? __builtin_nan("")
                                                  : (double)(int64_t)draw(t, 2000) / 7 - 100);
    }
    unsigned width = mlc_type_bit_width(type);
    int64_t least = width < 64 ? -(INT64_C(1) << (width - 1)) : INT64_MIN;
    const int64_t integers[] = {0,
                                1,
                                -1,
                                least,
                                ~least,
                                2,
                                5,
                                (int64_t)draw(t, 1u << 20),
                                (int64_t)mlc_type_bit_width(mlc_type_element(t->palette[0])),
                                (int64_t)mlc_type_bit_width(mlc_type_element(t->palette[1])) -
                                    (int64_t)mlc_type_bit_width(mlc_type_element(t->palette[0]))};
    return mlc_integer_attr_get(type, integers[draw(t, sizeof integers / sizeof *integers)]);
}

static MlcAttr
any_value(Try *t, MlcType type)
{
    int64_t two = 2;
    if (!mlc_type_is_shaped(type))
        return scalar(t, type);
    if (!mlc_type_has_static_shape(type))
        type = mlc_tensor_type_get(mlc_type_element(type), &two, 1, NULL);
    if (draw(t, 2))
        return mlc_dense_attr_splat(type, scalar(t, mlc_type_element(type)));
    MlcAttr elements[2] = {scalar(t, mlc_type_element(type)), scalar(t, mlc_type_element(type))};
    return mlc_dense_attr_from_elements(type, elements, 2);
}

static MlcAttr
literal_value(Try *t, const MlcRuleExpr *e, MlcType type)
{
    MlcType element = mlc_type_element(type);
    MlcAttr one = NULL;
    double real;
    memcpy(&real, &e->number, sizeof real);
    int64_t width = mlc_type_bit_width(element);
    int64_t least = width < 64 ? -(INT64_C(1) << (width - 1)) : INT64_MIN;
    if (e->kind == MLC_RULE_FLOAT && mlc_type_is_float(element))
        one = mlc_float_attr_get(element, real);
    else if (e->kind != MLC_RULE_FLOAT && mlc_type_is_int_or_index(element))
        one = mlc_integer_attr_get(element, e->kind == MLC_RULE_INTEGER      ? e->number
                                            : e->kind == MLC_RULE_SIGNED_MIN ? least
                                                                             : ~least);
    (void)t;
    return one && mlc_type_is_shaped(type) ? mlc_dense_attr_splat(type, one) : one;
}

// --- making what matches

static const MlcRuleNode *
answer(const Try *t, uint8_t at, MlcRuleQuestion question)
{
    for (size_t i = 0; i < t->num_asked; i++)
        if (t->asked[i]->at == at && t->asked[i]->question == question)
            return t->asked[i];
    return NULL;
}

static MlcType
any_type(Try *t)
{
    return t->palette[draw(t, 4)];
}

static MlcValue *
constant(Try *t, MlcAttr value, MlcType type)
{
    if (!value)
        return t->ok = false, NULL;
    if (mlc_type_is(type, MLC_TYPE_INDEX) && strcmp(t->table->op->dialect->name, "index") == 0) {
        MlcNamedAttr attr = mlc_named(t->ctx, "value", value);
        return mlc_op_result(mlc_build_op(&t->b, "index.constant", &type, 1, NULL, 0, &attr, 1, 0),
                             0);
    }
    return mlc_build_constant(&t->b, value);
}

static MlcValue *
leaf(Try *t, MlcType type)
{
    MlcOp *op =
        mlc_build_op(&t->b, "builtin.unrealized_conversion_cast", &type, 1, NULL, 0, NULL, 0, 0);
    if (t->num_leaves == MAX_VALUES)
        return t->ok = false, NULL;
    return t->leaves[t->num_leaves++] = mlc_op_result(op, 0);
}

// The attribute definition of an enumeration that a slot wants.
static const MlcAttrDef *
enum_of(Try *t, const MlcConstraint *c)
{
    const MlcAttrDef *found = NULL;
    for (size_t i = 0; c && i < c->num_args && !found; i++)
        found = enum_of(t, c->args[i]);
    if (found || !c || c->kind != MLC_CONSTRAINT_DIALECT_ATTR || !c->num_names)
        return found;
    MlcStr name = mlc_str(c->names[0]);
    const MlcDialectDef *d = mlc_context_dialect(
        t->ctx, mlc_str_n(name.data, (size_t)(strchr(name.data, '.') - name.data)));
    for (size_t i = 0; d && i < d->num_attrs; i++)
        if (strcmp(d->attrs[i]->name, name.data) == 0)
            found = d->attrs[i];
    return found && found->num_cases ? found : NULL;
}

static size_t
choose_attrs(Try *t, const MlcOpDef *def, uint8_t at, MlcNamedAttr *attrs)
{
    size_t n = 0;
    for (size_t i = 0; i < def->num_attrs; i++) {
        const MlcAttrSlot *slot = &def->attrs[i];
        const MlcAttrDef *cases = enum_of(t, slot->constraint);
        const MlcRuleExpr *wanted = NULL;
        for (size_t k = 0; k < t->num_asked; k++)
            if (t->asked[k]->question == MLC_RULE_ATTR && t->asked[k]->at == at &&
                strcmp(t->asked[k]->attr, slot->name) == 0)
                wanted = t->asked[k]->subject;
        if (!cases || (!wanted && (slot->optional || slot->default_text) && draw(t, 3)))
            continue;
        int64_t value = wanted ? wanted->number : cases->cases[draw(t, cases->num_cases)].value;
        t->has_fastmath |= value && strcmp(slot->name, "fastmath") == 0;
        attrs[n++] = mlc_named(t->ctx, slot->name, mlc_enum_attr_get(t->ctx, cases, value));
    }
    return n;
}

static MlcValue *value_at(Try *t, uint8_t at);

static int
position(const Try *t, uint8_t parent, size_t operand)
{
    for (size_t i = 1; i < t->table->num_positions; i++)
        if (t->table->positions[i].parent == parent && t->table->positions[i].operand == operand)
            return (int)i;
    return -1;
}

static MlcOp *
make_op(Try *t, const MlcOpDef *def, uint8_t at)
{
    MlcValue *operands[MLC_RULE_MAX_ARGS];
    MlcNamedAttr attrs[MLC_RULE_MAX_ARGS];
    MlcTypeVec types = {0};
    const MlcRuleNode *count = answer(t, at, MLC_RULE_NUM_OPERANDS);
    size_t n = count ? (size_t)count->number : def->num_operands;
    if (n > MLC_RULE_MAX_ARGS || def->num_attrs > MLC_RULE_MAX_ARGS)
        return t->ok = false, NULL;
    for (size_t i = 0; i < n && t->ok; i++) {
        int p = position(t, at, i);
        operands[i] = p >= 0 ? value_at(t, (uint8_t)p) : leaf(t, any_type(t));
    }
    if (!t->ok)
        return NULL;
    MlcOpState state = {.def = def, .operands = operands, .num_operands = n, .attrs = attrs};
    state.num_attrs = choose_attrs(t, def, at, attrs);
    if (!mlc_infer_types(t->ctx, &state, &types)) {
        mlc_vec_clear(&types);
        for (size_t i = 0; i < def->num_results; i++)
            mlc_vec_push(&types, any_type(t));
    }
    state.result_types = types.data;
    state.num_results = types.size;
    state.num_regions = def->num_regions; // empty
    MlcOp *op = mlc_builder_create(&t->b, &state);
    mlc_vec_release(&types);
    t->ok = mlc_verify(op);
    return op;
}

static MlcValue *
value_at(Try *t, uint8_t at)
{
    if (t->made[at] || !t->ok)
        return t->made[at];
    const MlcRuleNode *q;
    MlcValue *value = NULL;
    MlcType type = any_type(t);
    if ((q = answer(t, at, MLC_RULE_SAME)) && q->number != at)
        value = value_at(t, (uint8_t)q->number);
    else if ((q = answer(t, at, MLC_RULE_MADE_BY))) {
        MlcOp *op = make_op(t, q->subject, at);
        value = op && t->ok ? mlc_op_result(op, (size_t)q->number) : NULL;
    } else {
        if ((q = answer(t, at, MLC_RULE_SAME_TYPE)) && q->number && t->made[q->number])
            type = mlc_value_type(t->made[q->number]);
        if ((q = answer(t, at, MLC_RULE_LITERAL)))
            value = constant(t, literal_value(t, q->subject, type), type);
        else if (answer(t, at, MLC_RULE_CONSTANT))
            value = constant(t, any_value(t, type), type);
        else
            value = leaf(t, type);
    }
    return t->made[at] = value;
}

// --- meaning

typedef struct Meaning {
    MlcAttr value; // NULL: not known, or undefined
    bool is_undefined, is_poison, is_unknown;
} Meaning;

static bool
overflows(const MlcOp *op, const MlcDatum *a, const MlcDatum *b)
{
    MlcAttr flags = mlc_op_attr(op, "overflowFlags");
    int64_t bits = flags ? mlc_enum_attr_value(flags) : 0;
    const char *name = mlc_op_def(op)->name;
    unsigned width = mlc_type_is_int_or_index(a->type) ? mlc_type_bit_width(a->type) : 64;
    if (!bits || width > 32)
        return false;
    int64_t s, x = mlc_datum_as_int(a), y = mlc_datum_as_int(b);
    uint64_t u, p = mlc_datum_as_uint(a), q = mlc_datum_as_uint(b);
    if (strcmp(name, "arith.addi") == 0)
        s = x + y, u = p + q;
    else if (strcmp(name, "arith.subi") == 0)
        s = x - y, u = p - q;
    else if (strcmp(name, "arith.muli") == 0)
        s = x * y, u = p * q;
    else
        return false;
    int64_t least = -(INT64_C(1) << (width - 1));
    return ((bits & 1) && (s < least || s > ~least)) || ((bits & 2) && u >> width);
}

static bool
shifts_too_far(const MlcOp *op, const MlcDatum *b)
{
    const char *name = strchr(mlc_op_def(op)->name, '.') + 1;
    return strncmp(name, "sh", 2) == 0 && mlc_type_is_int_or_index(b->type) &&
           mlc_datum_as_uint(b) >= mlc_type_bit_width(b->type);
}

static bool
evaluate(Try *t, MlcEval *e, MlcValue *value, MlcDatum *out, Meaning *meaning)
{
    MlcOp *op = mlc_value_def(value);
    for (size_t i = 0; i < t->num_leaves; i++)
        if (t->leaves[i] == value)
            return mlc_datum_from_attr(e, t->inputs[i], out);
    MlcDatum operands[MLC_RULE_MAX_ARGS], results[MLC_RULE_MAX_ARGS];
    const MlcOpDef *def = mlc_op_def(op);
    if (strcmp(def->name, "ub.poison") == 0)
        meaning->is_poison = true;
    if (!def->eval)
        return meaning->is_unknown = true, false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (!evaluate(t, e, mlc_op_operand(op, i), &operands[i], meaning))
            return false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        results[i] = (MlcDatum){.type = mlc_value_type(mlc_op_result(op, i))};
    if (mlc_op_num_operands(op) == 2)
        meaning->is_poison |=
            overflows(op, &operands[0], &operands[1]) || shifts_too_far(op, &operands[1]);
    if (mlc_op_constant(op) && mlc_datum_from_attr(e, mlc_op_constant(op), out))
        return true;
    if (!def->eval(e, op, operands, results))
        return meaning->is_undefined = true, false;
    *out = results[mlc_value_index(value)];
    return true;
}

// Vectors with flags are left to the scalars.
static Meaning
meaning_of(Try *t, MlcValue *value)
{
    MlcEval e;
    MlcDatum d;
    Meaning m = {0};
    mlc_eval_init(&e, t->ctx);
    if (evaluate(t, &e, value, &d, &m))
        m.value = mlc_datum_to_attr(&d);
    mlc_eval_release(&e);
    return m;
}

static bool
is_same_number(MlcAttr a, MlcAttr b)
{
    if (a == b)
        return true;
    if (mlc_attr_is(a, MLC_ATTR_FLOAT) && mlc_attr_is(b, MLC_ATTR_FLOAT)) {
        double x = mlc_float_attr_as_double(a), y = mlc_float_attr_as_double(b);
        return x != x && y != y;
    }
    if (!mlc_attr_is(a, MLC_ATTR_DENSE) || !mlc_attr_is(b, MLC_ATTR_DENSE))
        return false;
    for (size_t i = 0; i < 2; i++)
        if (!is_same_number(mlc_elements_attr_element(a, i), mlc_elements_attr_element(b, i)))
            return false;
    return true;
}

static void
compare(Try *t, const MlcRule *rule, MlcOp *root, MlcValue *const *results)
{
    for (int round = 0; round < VALUES; round++) {
        for (size_t i = 0; i < t->num_leaves; i++)
            t->inputs[i] = any_value(t, mlc_value_type(t->leaves[i]));
        for (size_t i = 0; i < mlc_op_num_results(root); i++) {
            // A result nobody asks for may be anything.
            if (!results[i] || (strstr(rule->name, "_unused") && i == 1))
                continue;
            Meaning before = meaning_of(t, mlc_op_result(root, i)),
                    after = meaning_of(t, results[i]);
            if (before.is_unknown || after.is_unknown) {
                score_of(rule->name)->has_meaning = false;
                continue;
            }
            if (before.is_undefined || before.is_poison)
                continue;
            if (after.is_undefined || after.is_poison ||
                !is_same_number(before.value, after.value)) {
                MlcPrintFlags flags = mlc_print_flags_default();
                MlcBuf text = {0};
                mlc_op_print(t->module, &flags, &text);
                for (size_t k = 0; k < t->num_leaves; k++)
                    mlc_buf_printf(&text, "\ninput %zu: %s", k, mlc_attr_text(t->inputs[k]));
                fail_msg("rule '%s', result %zu: %s before, %s after%s\n%s", rule->name, i,
                         before.value ? mlc_attr_text(before.value) : "?",
                         after.value ? mlc_attr_text(after.value) : "?",
                         after.is_poison ? " (poison)" : "", mlc_buf_c_str(&text));
            }
        }
    }
}

// --- all rules

static void
choose_palette(Try *t)
{
    static const char *const scalars[] = {"i1",    "i8",  "i16", "i32", "i64",
                                          "index", "f16", "f32", "f64"};
    MlcType a = mlc_parse_type(t->ctx, mlc_str(scalars[draw(t, 9)]));
    MlcType b = mlc_parse_type(t->ctx, mlc_str(scalars[draw(t, 9)]));
    MlcType c = mlc_integer_type_get(t->ctx, 1, MLC_SIGNLESS);
    if (draw(t, 3) == 0)
        c = mlc_parse_type(t->ctx, mlc_str(scalars[draw(t, 9)]));
    int64_t two = 2;
    if (draw(t, 4) == 0) {
        a = mlc_vector_type_get(a, &two, 1, NULL);
        b = mlc_vector_type_get(b, &two, 1, NULL);
        c = draw(t, 2) ? c : mlc_vector_type_get(c, &two, 1, NULL);
    }
    t->palette[0] = a;
    t->palette[1] = draw(t, 2) ? a : b;
    t->palette[2] = b;
    t->palette[3] = draw(t, 2) ? a : c;
    if (strcmp(t->table->op->dialect->name, "tensor") == 0 && !mlc_type_is_shaped(a)) {
        int64_t unknown = MLC_DYNAMIC;
        t->palette[0] = mlc_tensor_type_get(a, &two, 1, NULL);
        t->palette[1] = mlc_tensor_type_get(draw(t, 2) ? a : b, &unknown, 1, NULL);
        t->palette[2] = mlc_index_type_get(t->ctx);
    }
}

static bool
try_once(Try *t)
{
    MlcValue *results[MLC_RULE_MAX_ARGS] = {0};
    char text[] = "module {}\0"; // two NULs behind it, and to be written to
    t->module = mlc_parse_module(t->ctx, mlc_str(text), mlc_str("rules"));
    mlc_builder_init(&t->b, t->ctx);
    mlc_builder_at_end(&t->b, mlc_region_first(mlc_op_region(t->module, 0)));
    memset(t->made, 0, sizeof t->made);
    t->num_leaves = 0;
    t->ok = true;
    t->has_fastmath = false;
    choose_palette(t);
    MlcOp *root = make_op(t, t->table->op, 0);
    const MlcRule *rule = root && t->ok ? mlc_rule_try(t->table, root, results) : NULL;
    if (rule) {
        score_of(rule->name)->num_fired++;
        compare(t, rule, root, results);
    }
    mlc_op_destroy(t->module);
    return rule != NULL;
}

static void
try_match(Try *t, const MlcRuleMatch *match)
{
    Score *score = score_of(match->rule->name);
    size_t before = score->num_fired;
    for (size_t i = 0; i < t->num_asked; i++) {
        const MlcOpDef *op = t->asked[i]->subject;
        bool is_region = t->asked[i]->question > MLC_RULE_MATCH;
        if (is_region || (t->asked[i]->question == MLC_RULE_MADE_BY && !op->eval))
            score->has_meaning = false;
    }
    if (!score->has_meaning)
        return;
    for (int i = 0; i < MAX_DRAWS && score_of(match->rule->name)->num_fired < before + WANTED; i++)
        try_once(t);
}

// Siblings follow each other by `no`, until a node that was met in an outer list.
static void
walk(Try *t, uint16_t at, bool *visited)
{
    uint16_t level[1024];
    size_t n = 0;
    for (; at && !visited[at] && n < 1024; at = t->table->nodes[at].no) {
        visited[at] = true;
        level[n++] = at;
    }
    for (size_t i = 0; i < n; i++) {
        const MlcRuleNode *node = &t->table->nodes[level[i]];
        if (node->question == MLC_RULE_MATCH) {
            try_match(t, node->subject);
            continue;
        }
        t->asked[t->num_asked++] = node;
        walk(t, node->yes, visited);
        t->num_asked--;
    }
}

static void
swallow(const MlcDiag *diag, void *user)
{
    (void)user, (void)diag;
}

static void
test_dialect(MlcContext *ctx, const MlcDialectDef *dialect)
{
    size_t first = scores.size, num_fired = 0, num_silent = 0;
    for (size_t i = 0; i < dialect->num_ops; i++) {
        const MlcRuleTable *table = dialect->ops[i]->rules;
        if (!table)
            continue;
        Try t = {.ctx = ctx, .table = table, .seed = UINT64_C(0x9e3779b97f4a7c15)};
        bool *visited = calloc(table->num_nodes, sizeof *visited);
        walk(&t, table->folds, visited);
        walk(&t, table->rewrites, visited);
        free(visited);
    }
    for (size_t i = first; i < scores.size; i++) {
        num_fired += scores.data[i].num_fired > 0 && scores.data[i].has_meaning;
        if (!scores.data[i].num_fired || !scores.data[i].has_meaning)
            printf("  %s: %s\n", scores.data[i].name,
                   scores.data[i].has_meaning ? "never fired" : "has ops without a meaning");
        num_silent += !scores.data[i].num_fired && scores.data[i].has_meaning;
    }
    if (scores.size > first)
        printf("%s: %zu of %zu rules run on both sides\n", dialect->name, num_fired,
               scores.size - first);
    mlc_vec_clear(&scores);
    if (strcmp(dialect->name, "arith") == 0 || strcmp(dialect->name, "index") == 0)
        assert_int_equal(num_silent, 0);
}

static void
test_all(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_set_diag_handler(ctx, swallow, NULL);
    for (size_t i = 0; i < mlc_context_num_dialects(ctx); i++)
        test_dialect(ctx, mlc_context_dialect_at(ctx, i));
    mlc_context_destroy(ctx);
    mlc_vec_release(&scores);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
