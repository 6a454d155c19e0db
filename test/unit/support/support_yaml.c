// The YAML reader: forms of scalars, positions, anchors, and each way to be refused with its
// message.
#include "mlc/support/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static MlcArena arena;
static MlcBuf error;

static int
setup(void **state)
{
    (void)state;
    mlc_arena_reset(&arena);
    mlc_buf_clear(&error);
    return 0;
}

static const MlcYaml *
parse(const char *text)
{
    return mlc_yaml_parse(&arena, mlc_str(text), "t.yaml", &error);
}

static void
assert_refused(const char *text, const char *message)
{
    mlc_buf_clear(&error);
    assert_null(parse(text));
    assert_string_equal(mlc_buf_c_str(&error), message);
}

static void
tree(void **state)
{
    (void)state;
    const MlcYaml *root = parse("name: matmul\n"
                                "ins:\n"
                                "  - {name: lhs, width: 0x20, opt: true}\n"
                                "  - {name: \"r\\x41s\", width: -7}\n"
                                "empty:\n");
    assert_non_null(root);
    assert_string_equal(mlc_yaml_as_str(mlc_yaml_get(root, "name"), "").data, "matmul");
    const MlcYaml *ins = mlc_yaml_get(root, "ins");
    int64_t sum = 0;
    MLC_YAML_FOR_EACH (item, ins)
        sum += mlc_yaml_as_int(mlc_yaml_get(item, "width"), 1000);
    assert_int_equal(sum, 32 - 7);
    assert_int_equal(ins->items[1]->line, 4);
    assert_int_equal(ins->items[1]->column, 5);
    assert_string_equal(mlc_yaml_get(ins->items[1], "name")->text.data, "rAs");
    assert_true(mlc_yaml_as_bool(mlc_yaml_get(ins->items[0], "opt"), false));
    assert_true(mlc_yaml_is_null(mlc_yaml_get(root, "empty")));
    assert_null(mlc_yaml_get(root, "nothing"));
    assert_null(mlc_yaml_get(NULL, "nothing"));
}

static void
scalars(void **state)
{
    (void)state;
    const MlcYaml *root =
        parse("[010, '10', 9223372036854775808, 1.5e3, \"true\", yes, 0x, null, nan]");
    int64_t number;
    double real;
    bool truth;
    assert_true(mlc_yaml_try_as_int(root->items[0], &number));
    assert_int_equal(number, 10);
    assert_false(mlc_yaml_try_as_int(root->items[1], &number));
    assert_false(mlc_yaml_try_as_int(root->items[2], &number));
    assert_true(mlc_yaml_try_as_double(root->items[3], &real));
    assert_true(real == 1500.0);
    assert_false(mlc_yaml_try_as_bool(root->items[4], &truth));
    assert_false(mlc_yaml_try_as_bool(root->items[5], &truth));
    assert_false(mlc_yaml_try_as_int(root->items[6], &number));
    assert_true(mlc_yaml_is_null(root->items[7]));
    assert_false(mlc_yaml_try_as_double(root->items[8], &real));
    assert_false(mlc_yaml_try_as_int(root, &number));
}

static void
anchors_are_shared(void **state)
{
    (void)state;
    const MlcYaml *root = parse("a: &x {k: [1, 2]}\nb: *x\n");
    assert_non_null(root);
    assert_ptr_equal(mlc_yaml_get(root, "a"), mlc_yaml_get(root, "b"));
    assert_int_equal(root->num_nodes, 1 + 2 + 2 * 5);
}

static void
refusals(void **state)
{
    (void)state;
    assert_refused("a: 1\nb: 2\na: 3\n", "t.yaml:3:1: key 'a' is given twice, first in line 1");
    assert_refused("a: &x [*x]\n", "t.yaml:1:8: alias '*x' names no complete node");
    assert_refused("[a, *nope]\n", "t.yaml:1:5: alias '*nope' names no complete node");
    assert_refused("{[a]: 1}\n", "t.yaml:1:2: a key must be a scalar");
    assert_refused("", "t.yaml:1:1: the text holds no document");
    assert_refused("a\n---\nb\n", "t.yaml:2:1: only one document may stand in a text");
    assert_refused("a: [1,\n",
                   "t.yaml:2:1: did not find expected node content while parsing a flow node");
    mlc_buf_clear(&error);
    assert_null(parse("a: \xff\n"));
    assert_non_null(strstr(mlc_buf_c_str(&error), "t.yaml:1:"));
}

static void
limits(void **state)
{
    (void)state;
    MlcBuf text = {0};
    for (int i = 0; i < 100000; i++)
        mlc_buf_append_char(&text, '[');
    assert_null(mlc_yaml_parse(&arena, mlc_buf_str(&text), "t.yaml", &error));
    assert_string_equal(mlc_buf_c_str(&error), "t.yaml:1:65: nested deeper than 64");
    // Ten times ten times ten ...: 10^9 nodes in 10 lines.
    mlc_buf_clear(&text);
    mlc_buf_clear(&error);
    mlc_buf_append_c(&text, "a0: &a0 lol\n");
    for (int i = 1; i < 10; i++) {
        mlc_buf_printf(&text, "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++)
            mlc_buf_printf(&text, "%s*a%d", j ? ", " : "", i - 1);
        mlc_buf_append_c(&text, "]\n");
    }
    assert_null(mlc_yaml_parse(&arena, mlc_buf_str(&text), "t.yaml", &error));
    assert_non_null(
        strstr(mlc_buf_c_str(&error), "more than 1048576 nodes, aliases counted in full"));
    mlc_buf_release(&text);
}

static void
errors_name_the_node(void **state)
{
    (void)state;
    const MlcYaml *root = parse("a: 1\nb: x\n");
    assert_false(mlc_yaml_error(mlc_yaml_get(root, "b"), "t.yaml", &error, "expected %s", "int"));
    assert_string_equal(mlc_buf_c_str(&error), "t.yaml:2:4: expected int");
}

static int
release(void **state)
{
    (void)state;
    mlc_arena_release(&arena);
    mlc_buf_release(&error);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(tree, setup),
        cmocka_unit_test_setup(scalars, setup),
        cmocka_unit_test_setup(anchors_are_shared, setup),
        cmocka_unit_test_setup(refusals, setup),
        cmocka_unit_test_setup(limits, setup),
        cmocka_unit_test_setup(errors_name_the_node, setup),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
