// ir_dominance.c -- dominance on random CFGs, against its definition: a dominates b if b is not
// reached without a.
#include <stdlib.h>

#include "ir_dialect.h"

#define MAX_BLOCKS 12

static void
reach(MlcBlock *from, const MlcBlock *without, MlcBlock *const *blocks, size_t n, bool *reached)
{
    size_t i = 0;
    while (i < n && blocks[i] != from)
        i++;
    if (from == without || reached[i])
        return;
    reached[i] = true;
    MlcOp *end = mlc_block_last(from);
    for (size_t s = 0; s < mlc_op_num_successors(end); s++)
        reach(mlc_op_successor(end, s), without, blocks, n, reached);
}

static void
check_graph(MlcContext *ctx, size_t n)
{
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcBlock *blocks[MAX_BLOCKS] = {b.block};
    for (size_t i = 1; i < n; i++)
        blocks[i] = mlc_builder_create_block(&b, mlc_op_region(func, 0), NULL, 0);
    for (size_t i = 0; i < n; i++) {
        mlc_builder_at_end(&b, blocks[i]);
        MlcBlock *to[] = {blocks[1 + (size_t)rand() % (n - 1)],
                          blocks[1 + (size_t)rand() % (n - 1)]};
        size_t num_to = (size_t)rand() % 3;
        make_branch(&b, num_to == 0 ? &t_ret : num_to == 1 ? &t_br : &t_cond, to, num_to);
    }
    MlcDominance *dom = mlc_dominance_create(module);
    bool reachable[MAX_BLOCKS] = {false};
    reach(blocks[0], NULL, blocks, n, reachable);
    for (size_t a = 0; a < n; a++) {
        bool around[MAX_BLOCKS] = {false};
        reach(blocks[0], blocks[a], blocks, n, around);
        assert_int_equal(mlc_dominance_is_reachable(dom, blocks[a]), reachable[a]);
        for (size_t c = 0; c < n; c++) {
            bool expected = a == c || !reachable[c] || (reachable[a] && !around[c]);
            assert_int_equal(mlc_dominance_block(dom, blocks[a], blocks[c]), expected);
        }
    }
    for (size_t i = 1; i < n; i++) {
        MlcBlock *idom = mlc_dominance_idom(dom, blocks[i]);
        assert_true((idom != NULL) == reachable[i]);
        for (size_t a = 0; a < n && idom;
             a++) // every other strict dominator dominates the immediate one
            if (a != i && reachable[a] && mlc_dominance_block(dom, blocks[a], blocks[i]))
                assert_true(mlc_dominance_block(dom, blocks[a], idom));
    }
    mlc_dominance_destroy(dom);
    mlc_op_destroy(module);
}

static void
random_graphs(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    srand(11);
    for (int i = 0; i < 3000; i++)
        check_graph(ctx, 2 + (size_t)rand() % (MAX_BLOCKS - 1));
    mlc_context_destroy(ctx);
}

static void
nested_ops(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 1);
    MlcOp *scope = make_op(&b, &t_scope, NULL, 0, 0), *ret = make_op(&b, &t_ret, NULL, 0, 0);
    MlcBlock *inside = mlc_builder_create_block(&b, mlc_op_region(scope, 0), NULL, 0);
    MlcValue *y = make_add(&b, x, x),
             *arg = mlc_block_add_arg(inside, mlc_index_type_get(ctx), NULL);
    MlcDominance *dom = mlc_dominance_create(module);
    assert_true(mlc_dominance_value(dom, x, mlc_value_def(y)));
    assert_true(mlc_dominance_value(dom, arg, mlc_value_def(y)));
    assert_false(mlc_dominance_value(dom, y, ret));
    assert_true(mlc_dominance_op(dom, scope, mlc_value_def(y)));
    assert_false(mlc_dominance_op(dom, mlc_value_def(y), scope));
    assert_false(mlc_dominance_op(dom, ret, mlc_value_def(y)));
    mlc_dominance_destroy(dom);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs),
                                       cmocka_unit_test(nested_ops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
