// rules_loaded.c -- rules mean the same when they are compiled into the library and when they are
// read at run time: the built-in files, loaded, give the tables that mlc-gen wrote, question by
// question. One matcher runs both.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "context/context_impl.h"
#include "mlc/dialects.h"
#include "mlc/dialects/forms.h"
#include "mlc/ir/def.h"
#include "mlc/ir/hook.h"
#include "mlc/ir/rule.h"
#include "mlc/support/file.h"

// Functions of the built-in files are hidden in the library: loaded rules call these instead.
static bool
stub(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)args, (void)result;
    return false;
}

#define STUB(symbol)                                                                               \
    {                                                                                              \
        .name = "mlc_" symbol, .function = (void (*)(void))stub                                    \
    }
static const MlcHook stubs[] = {
    STUB("arith_rule_inverted"),  STUB("arith_rule_is_equality"), STUB("arith_rule_is_reflexive"),
    STUB("arith_rule_swapped"),   STUB("complex_rule_is_real"),   STUB("complex_rule_part"),
    STUB("complex_rule_scalars"), STUB("index_rule_decides"),     STUB("index_rule_is_reflexive"),
    STUB("index_rule_refutes"),
};

static void
assert_texts(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

static void assert_exprs(const MlcRuleExpr *a, const MlcRuleExpr *b);

static void
assert_regions(const MlcRuleRegion *a, const MlcRuleRegion *b)
{
    assert_int_equal(a->variable, b->variable);
    assert_int_equal(a->num_before, b->num_before);
    assert_int_equal(a->num_after, b->num_after);
    for (size_t i = 0; i < (size_t)a->num_before + a->num_after; i++)
        assert_exprs(a->types[i], b->types[i]);
}

static void
assert_exprs(const MlcRuleExpr *a, const MlcRuleExpr *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (!a)
        return;
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->num_args, b->num_args);
    assert_int_equal(a->num_attrs, b->num_attrs);
    assert_int_equal(a->num_regions, b->num_regions);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->number, b->number);
    if (a->kind != MLC_RULE_CALL) // compiled in, it needs no name
        assert_texts(a->text, b->text);
    assert_ptr_equal(a->op, b->op);
    assert_ptr_equal(a->attr_def, b->attr_def);
    assert_true(a->function == b->function || (a->function && b->function == stub));
    for (size_t i = 0; i < a->num_args; i++)
        assert_exprs(a->args[i], b->args[i]);
    for (size_t i = 0; i < a->num_attrs; i++) {
        assert_exprs(a->attrs[i], b->attrs[i]);
        assert_texts(a->attr_names[i], b->attr_names[i]);
    }
    for (size_t i = 0; i < a->num_regions; i++)
        assert_regions(&a->regions[i], &b->regions[i]);
    assert_exprs(a->type, b->type);
}

static void
assert_matches(const MlcRuleMatch *a, const MlcRuleMatch *b)
{
    assert_texts(a->rule->name, b->rule->name);
    assert_int_equal(a->rule->num_vars, b->rule->num_vars);
    for (size_t i = 0; i < a->rule->num_vars; i++) {
        assert_texts(a->rule->vars[i].name, b->rule->vars[i].name);
        assert_int_equal(a->rule->vars[i].kind, b->rule->vars[i].kind);
        assert_int_equal(a->rule->vars[i].index, b->rule->vars[i].index);
        assert_texts(a->rule->vars[i].attr, b->rule->vars[i].attr);
        assert_int_equal(a->positions[i], b->positions[i]);
    }
    assert_exprs(a->rule->guard, b->rule->guard);
    assert_exprs(a->rule->result, b->rule->result);
}

static void
assert_nodes(const MlcRuleNode *a, const MlcRuleNode *b)
{
    assert_int_equal(a->question, b->question);
    assert_int_equal(a->at, b->at);
    assert_int_equal(a->yes, b->yes);
    assert_int_equal(a->no, b->no);
    assert_int_equal(a->number, b->number);
    assert_texts(a->attr, b->attr);
    switch (a->question & ~MLC_RULE_ELSEWHERE) {
    case MLC_RULE_MADE_BY:
    case MLC_RULE_OP:
        assert_ptr_equal(a->subject, b->subject);
        break;
    case MLC_RULE_LITERAL:
    case MLC_RULE_ATTR:
        assert_exprs(a->subject, b->subject);
        break;
    case MLC_RULE_TYPE: {
        const MlcConstraint *x = a->subject, *y = b->subject;
        assert_texts(x->name, y->name);
        assert_int_equal(x->kind, y->kind);
        break;
    }
    case MLC_RULE_MATCH:
        assert_matches(a->subject, b->subject);
        break;
    default:
        assert_null(a->subject);
        assert_null(b->subject);
    }
}

static void
assert_tables(const MlcRuleTable *a, const MlcRuleTable *b)
{
    assert_int_equal(a->num_positions, b->num_positions);
    assert_int_equal(a->num_nodes, b->num_nodes);
    assert_int_equal(a->folds, b->folds);
    assert_int_equal(a->rewrites, b->rewrites);
    for (size_t i = 0; i < a->num_positions; i++) {
        assert_int_equal(a->positions[i].parent, b->positions[i].parent);
        assert_int_equal(a->positions[i].operand, b->positions[i].operand);
    }
    for (size_t i = 1; i < a->num_nodes; i++)
        assert_nodes(&a->nodes[i], &b->nodes[i]);
}

// The file as one of another tree has it, which names its dialect, with lowerings of other names.
static void
load(MlcContext *ctx, const char *dialect, const char *path)
{
    static const char lowering[] = "\nlowering ";
    MlcFile file;
    MlcBuf error = {0}, text = {0};
    assert_true(mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error));
    mlc_buf_printf(&text, "dialect %s\n", dialect);
    for (size_t i = 0; i < file.size; i++) {
        mlc_buf_append_char(&text, file.data[i]);
        if (i + 1 >= strlen(lowering) &&
            memcmp(file.data + i + 1 - strlen(lowering), lowering, strlen(lowering)) == 0)
            mlc_buf_append_c(&text, "loaded_");
    }
    assert_true(mlc_load_rules_text(ctx, mlc_buf_str(&text), path));
    mlc_buf_release(&text);
    mlc_buf_release(&error);
    mlc_file_release(&file);
}

static void
check_lowerings(const MlcDialectDef *dialect, const struct MlcLoaded *loaded)
{
    const MlcDialectMore *more = dialect->more;
    assert_int_equal(loaded->num_sets, more ? more->num_lowerings : 0);
    for (size_t i = 0; i < loaded->num_sets; i++) {
        const MlcRuleSet *a = &more->lowerings[i], *b = &loaded->sets[i];
        assert_string_equal(a->name, b->name + strlen("loaded_"));
        assert_int_equal(a->num_tables, b->num_tables);
        assert_int_equal(a->num_types, b->num_types);
        assert_int_equal(a->num_illegal, b->num_illegal);
        for (size_t k = 0; k < a->num_tables; k++) {
            assert_ptr_equal(a->tables[k]->op, b->tables[k]->op);
            assert_tables(a->tables[k], b->tables[k]);
        }
    }
}

static void
check_dialect(const char *dialect, const char *path)
{
    MlcContext *ctx = mlc_context_create();
    size_t num_built_in = 0;
    mlc_register_all_dialects(ctx);
    mlc_context_register_dialect(ctx, &mlc_forms_dialect);
    assert_true(mlc_register_hooks(stubs, sizeof stubs / sizeof *stubs));
    load(ctx, dialect, path);
    const MlcDialectDef *d = mlc_context_dialect(ctx, mlc_str(dialect));
    for (size_t i = 0; i < d->num_ops; i++)
        num_built_in += d->ops[i]->rules != NULL;
    assert_int_equal(ctx->loaded->num_rules, num_built_in);
    for (size_t i = 0; i < ctx->loaded->num_rules; i++) {
        const MlcRuleTable *loaded = ctx->loaded->rules[i];
        assert_non_null(loaded->op->rules);
        assert_tables(loaded->op->rules, loaded);
    }
    check_lowerings(d, ctx->loaded);
    mlc_context_destroy(ctx);
}

static void
test_arith(void **state)
{
    (void)state;
    check_dialect("arith", DIALECTS "/arith/arith.rules");
}

static void
test_complex(void **state)
{
    (void)state;
    check_dialect("complex", DIALECTS "/complex/complex.rules");
}

static void
test_index(void **state)
{
    (void)state;
    check_dialect("index", DIALECTS "/index/index.rules");
}

static void
test_math(void **state)
{
    (void)state;
    check_dialect("math", DIALECTS "/math/math.rules");
}

static void
test_tensor(void **state)
{
    (void)state;
    check_dialect("tensor", DIALECTS "/tensor/tensor.rules");
}

// What the built-in files do not have yet.
static void
test_forms(void **state)
{
    (void)state;
    check_dialect("forms", FORMS);
}

static void
test_vector(void **state)
{
    (void)state;
    check_dialect("vector", DIALECTS "/vector/vector.rules");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arith), cmocka_unit_test(test_complex), cmocka_unit_test(test_index),
        cmocka_unit_test(test_math),  cmocka_unit_test(test_tensor),  cmocka_unit_test(test_vector),
        cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
