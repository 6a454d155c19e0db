// call_graph.c -- the call graph of functions that call each other around corners.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mlc/analysis.h"
#include "mlc/dialects.h"
#include "mlc/ir/text.h"

static char text[] = // scanned in place
    "func.func @top() { call @even() : () -> () call @even() : () -> () return }\n"
    "func.func @even() { call @odd() : () -> () return }\n"
    "func.func @odd() { call @even() : () -> () call @leaf() : () -> () return }\n"
    "func.func @leaf() { call @outside() : () -> () return }\n"
    "func.func private @outside()\n\0"; // two NUL bytes end it

static size_t
node_of(const MlcCallGraph *graph, const char *name)
{
    for (size_t i = 0; i < mlc_call_graph_size(graph); i++)
        if (mlc_str_equal(mlc_symbol_name(mlc_call_graph_callable(graph, i)), mlc_str(name)))
            return i;
    fail_msg("no function %s", name);
    return 0;
}

static void
groups_come_after_their_callees(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    MlcOp *module = mlc_parse_module(ctx, mlc_str(text), mlc_str("test"));
    assert_non_null(module);
    MlcCallGraph *graph = mlc_call_graph_create(module);
    size_t top = node_of(graph, "top"), even = node_of(graph, "even"), odd = node_of(graph, "odd"),
           leaf = node_of(graph, "leaf"), count;

    assert_int_equal(mlc_call_graph_size(graph), 4);
    const size_t *callees = mlc_call_graph_callees(graph, top, &count);
    assert_int_equal(count, 1);
    assert_int_equal(callees[0], even);
    assert_true(mlc_call_graph_calls_unknown(graph, leaf));
    assert_false(mlc_call_graph_calls_unknown(graph, odd));

    assert_int_equal(mlc_call_graph_num_groups(graph), 3);
    assert_int_equal(mlc_call_graph_group(graph, 0, &count)[0], leaf);
    const size_t *group = mlc_call_graph_group(graph, 1, &count);
    assert_int_equal(count, 2);
    assert_int_equal(group[0], odd);
    assert_int_equal(group[1], even);
    assert_int_equal(mlc_call_graph_group(graph, 2, &count)[0], top);

    mlc_call_graph_destroy(graph);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_come_after_their_callees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
