// ir_ops.c -- ops, uses, order, clones, walks, edit counts, symbols, the verifier's messages.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir_dialect.h"

static void
operands_and_uses(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 1), *y = make_const(&b, 2);
    MlcOp *ret = make_op(&b, &t_ret, (MlcValue *[]){x, x, y}, 3, 0);
    assert_int_equal(mlc_use_index(mlc_value_first_use(y)), 2);
    // Growing past the slots moves the operands, not the op; uses follow.
    for (int i = 0; i < 40; i++)
        mlc_op_insert_operands(ret, 1, (MlcValue *[]){y}, 1);
    assert_int_equal(mlc_op_num_operands(ret), 43);
    size_t uses_of_x = 0, uses_of_y = 0;
    MLC_FOR_EACH_USE (use, x) {
        assert_ptr_equal(mlc_op_operand(ret, mlc_use_index(use)), x);
        uses_of_x++;
    }
    MLC_FOR_EACH_USE (use, y) {
        assert_ptr_equal(mlc_use_owner(use), ret);
        assert_ptr_equal(mlc_op_operand(ret, mlc_use_index(use)), y);
        uses_of_y++;
    }
    assert_int_equal(uses_of_x, 2);
    assert_int_equal(uses_of_y, 41);
    mlc_op_erase_operand(ret, 0);
    assert_true(mlc_value_has_one_use(x));
    mlc_value_replace_uses(y, x);
    assert_false(mlc_value_has_uses(y));
    mlc_op_set_operands(ret, (MlcValue *[]){y}, 1);
    assert_false(mlc_value_has_uses(x));
    assert_ptr_equal(mlc_value_constant(y), mlc_i32_attr_get(ctx, 2));
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
operand_groups(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 1), *y = make_const(&b, 2);
    MlcOp *op = make_op(&b, &t_group, (MlcValue *[]){x, y, y}, 3, 0);
    int32_t sizes[] = {1, 2};
    mlc_op_set_attr(op, "operandSegmentSizes", mlc_i32_array_attr_get(ctx, sizes, 2));
    size_t first, size;
    mlc_op_operand_group(op, 1, &first, &size);
    assert_true(first == 1 && size == 2);
    mlc_op_set_operand_group(op, 0, (MlcValue *[]){y, x, y}, 3);
    mlc_op_operand_group(op, 1, &first, &size);
    assert_true(first == 3 && size == 2);
    assert_int_equal(mlc_op_num_operands(op), 5);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
order_in_block(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcBlock *block = b.block;
    srand(3);
    make_const(&b, 0);
    for (int i = 1; i < 3000; i++) {
        MlcOp *anchor = mlc_block_first(block);
        for (int k = rand() % 8; k > 0 && mlc_op_next(anchor); k--)
            anchor = mlc_op_next(anchor);
        mlc_builder_before(&b, anchor);
        make_const(&b, i);
        if (rand() % 4 == 0)
            mlc_op_move_after(anchor, mlc_block_last(block));
        assert_true(mlc_block_first(block) == mlc_block_last(block) ||
                    mlc_op_is_before(mlc_block_first(block), mlc_block_last(block)));
    }
    for (MlcOp *op = mlc_block_first(block); mlc_op_next(op); op = mlc_op_next(op)) {
        assert_true(mlc_op_is_before(op, mlc_op_next(op)));
        assert_false(mlc_op_is_before(mlc_op_next(op), op));
        assert_ptr_equal(mlc_op_prev(mlc_op_next(op)), op);
    }
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
blocks_split_and_splice(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcBlock *block = b.block;
    MlcValue *x = make_const(&b, 1);
    MlcOp *middle = mlc_value_def(make_add(&b, x, x));
    make_op(&b, &t_ret, NULL, 0, 0);
    MlcBlock *tail = mlc_block_split(middle);
    assert_ptr_equal(mlc_block_next(block), tail);
    assert_ptr_equal(mlc_op_block(middle), tail);
    assert_ptr_equal(mlc_block_last(block), mlc_value_def(x));
    mlc_builder_at_end(&b, block);
    make_branch(&b, &t_br, &tail, 1);
    assert_int_equal(mlc_block_num_predecessors(tail), 1);
    mlc_op_erase(mlc_block_last(block));
    assert_int_equal(mlc_block_num_predecessors(tail), 0);
    mlc_block_splice(block, NULL, tail);
    assert_true(mlc_block_is_empty(tail));
    mlc_block_destroy(tail);
    assert_true(mlc_op_is_before(mlc_value_def(x), mlc_block_last(block)));
    MlcValue *a = mlc_block_add_arg(tail = block, mlc_index_type_get(ctx), NULL);
    MlcValue *first = mlc_block_insert_arg(block, 0, mlc_index_type_get(ctx), NULL);
    assert_true(mlc_value_index(a) == 1 && mlc_value_index(first) == 0);
    mlc_block_erase_arg(block, 0);
    assert_int_equal(mlc_value_index(a), 0);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static size_t
count_ops(MlcOp *root)
{
    size_t count = 0, post = 0;
    MLC_FOR_EACH_PREORDER (op, root)
        count++;
    MLC_FOR_EACH_POSTORDER (op, root)
        post++;
    assert_int_equal(count, post);
    return count;
}

static void
clone_keeps_structure(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcBlock *entry = b.block,
             *loop = mlc_builder_create_block(&b, mlc_op_region(func, 0), NULL, 0);
    MlcValue *i = mlc_block_add_arg(loop, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), NULL);
    MlcOp *scope = make_op(&b, &t_scope, NULL, 0, 0);
    make_branch(&b, &t_cond, (MlcBlock *[]){loop, loop}, 2);
    mlc_builder_create_block(&b, mlc_op_region(scope, 0), NULL, 0);
    make_add(&b, i, i);
    make_op(&b, &t_ret, NULL, 0, 0);
    mlc_builder_at_end(&b, entry);
    make_branch(&b, &t_br, &loop, 1);

    MlcOp *copy = mlc_op_clone(module, NULL);
    assert_int_equal(count_ops(copy), count_ops(module));
    MlcOp *copy_func = mlc_block_first(mlc_region_first(mlc_op_region(copy, 0)));
    MlcBlock *copy_loop = mlc_region_last(mlc_op_region(copy_func, 0));
    assert_ptr_not_equal(copy_loop, loop);
    assert_int_equal(mlc_block_num_predecessors(copy_loop), 3);
    assert_int_equal(mlc_block_num_predecessors(loop), 3);
    MLC_FOR_EACH_USE (use, mlc_block_arg(copy_loop, 0))
        assert_true(mlc_op_is_ancestor(copy, mlc_use_owner(use)));
    assert_true(mlc_verify(copy));
    mlc_op_destroy(module);
    mlc_op_destroy(copy);
    mlc_context_destroy(ctx);
}

// A graph region: an op uses what comes later; the clone must do so, too.
static void
clone_of_later_value(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    MlcOp *graph = make_op(&b, &t_graph, NULL, 0, 0);
    mlc_builder_create_block(&b, mlc_op_region(graph, 0), NULL, 0);
    MlcValue *x = make_const(&b, 1), *sum = make_add(&b, x, x), *y = make_const(&b, 2);
    mlc_op_set_operand(mlc_value_def(sum), 1, y);
    MlcOp *copy = mlc_op_clone(graph, NULL);
    MlcOp *copy_sum = mlc_op_next(mlc_block_first(mlc_region_first(mlc_op_region(copy, 0))));
    assert_ptr_equal(mlc_value_def(mlc_op_operand(copy_sum, 1)), mlc_op_next(copy_sum));
    mlc_op_destroy(graph);
    mlc_op_destroy(copy);
    mlc_context_destroy(ctx);
}

static void
edits_are_counted(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcOp *other = mlc_op_clone(func, NULL);
    mlc_op_insert_after(other, func);
    uint64_t in_func = mlc_op_edits(func), in_other = mlc_op_edits(other),
             in_module = mlc_op_edits(module);
    MlcValue *x = make_const(&b, 1);
    assert_true(mlc_op_edits(func) > in_func);
    assert_true(mlc_op_edits(module) > in_module);
    assert_int_equal(mlc_op_edits(other), in_other);
    in_func = mlc_op_edits(func);
    in_module = mlc_op_edits(module);
    mlc_op_set_attr(mlc_value_def(x), "value", mlc_i32_attr_get(ctx, 1)); // the same again
    assert_int_equal(mlc_op_edits(func), in_func);
    assert_int_equal(mlc_op_edits(module), in_module);
    mlc_op_set_attr(func, "note", mlc_unit_attr_get(ctx));
    assert_true(mlc_op_edits(func) > in_func);
    in_func = mlc_op_edits(func);
    mlc_value_set_type(x, mlc_index_type_get(ctx));
    assert_true(mlc_op_edits(func) > in_func);
    in_module = mlc_op_edits(module);
    mlc_op_erase(other);
    assert_true(mlc_op_edits(module) > in_module);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
attributes_of_ops(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    const MlcOpDef *foo = mlc_context_unregistered_op(ctx, mlc_str("foo.bar"));
    assert_ptr_equal(foo, mlc_context_unregistered_op(ctx, mlc_str("foo.bar")));
    MlcAttr unit = mlc_unit_attr_get(ctx), one = mlc_i64_attr_get(ctx, 1);
    MlcNamedAttr attrs[] = {mlc_named(ctx, "value", one), mlc_named(ctx, "note", unit)};
    MlcOpState state_foo = {.def = foo,
                            .attrs = attrs + 1,
                            .num_attrs = 1,
                            .properties = mlc_dict_attr_get(ctx, attrs, 1)};
    MlcOp *op = mlc_op_create(ctx, &state_foo);
    assert_false(mlc_op_is_registered(op));
    assert_ptr_equal(mlc_op_attr(op, "value"), one);
    assert_int_equal(mlc_dict_attr_size(mlc_op_discardable(op)), 1);
    assert_int_equal(mlc_dict_attr_size(mlc_op_all_attrs(op)), 2);
    mlc_op_set_attr(op, "note", NULL);
    assert_null(mlc_op_discardable(op));
    mlc_op_destroy(op);
    MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
    MlcOpState state_const = {.def = mlc_context_op(ctx, mlc_str("t.const")),
                              .attrs = attrs,
                              .num_attrs = 2,
                              .result_types = &i64,
                              .num_results = 1};
    op = mlc_op_create(ctx, &state_const);
    assert_ptr_equal(mlc_op_slot(op, 0), one);
    assert_int_equal(mlc_dict_attr_size(mlc_op_discardable(op)), 1);
    assert_int_equal(mlc_dict_attr_size(mlc_op_properties(op)), 1);
    mlc_op_destroy(op);
    assert_null(mlc_context_op(ctx, mlc_str("t.nothing")));
    assert_null(mlc_context_op(ctx, mlc_str("t.ad")));
    assert_null(mlc_context_op(ctx, mlc_str("t.addd")));
    mlc_context_destroy(ctx);
}

static void
questions(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 1);
    MlcOp *add = mlc_value_def(make_add(&b, x, x));
    assert_true(mlc_op_is_pure(add) && mlc_op_is_trivially_dead(add));
    assert_false(mlc_op_is_trivially_dead(mlc_value_def(x))); // used
    MlcOp *alloc = make_op(&b, &t_alloc, NULL, 0, 1);
    assert_false(mlc_op_is_pure(alloc));
    assert_true(mlc_op_is_trivially_dead(alloc));
    MlcOp *scope = make_op(&b, &t_scope, NULL, 0, 0);
    MlcOp *unknown = make_op(&b, mlc_context_unregistered_op(ctx, mlc_str("a.b")), NULL, 0, 0);
    mlc_builder_create_block(&b, mlc_op_region(scope, 0), NULL, 0);
    make_op(&b, &t_alloc, NULL, 0, 1);
    MlcOp *end = make_op(&b, &t_ret, NULL, 0, 0);
    assert_true(mlc_op_is_trivially_dead(scope)); // what it allocates dies with it
    MlcValue *outside = mlc_op_result(alloc, 0);
    mlc_builder_before(&b, end);
    make_op(&b, &t_store, &outside, 1, 0);
    assert_false(mlc_op_is_trivially_dead(scope));
    assert_false(mlc_op_is_memory_effect_free(scope));
    assert_false(mlc_op_is_trivially_dead(unknown));
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
symbols(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcOp *user = make_op(&b, &t_ret, NULL, 0, 0);
    MlcStr path[] = {mlc_str("f"), mlc_str("inner")};
    MlcAttr ref = mlc_symbol_ref_attr_get_nested(ctx, path, 2);
    assert_false(mlc_symbol_has_uses(func, module));
    mlc_op_set_attr(user, "callee", mlc_array_attr_get(ctx, &ref, 1));
    assert_true(mlc_symbol_has_uses(func, module));
    assert_ptr_equal(mlc_symbol_lookup(module, mlc_str("f")), func);
    assert_ptr_equal(mlc_symbol_lookup_ref(user, mlc_symbol_ref_attr_get(ctx, mlc_str("f"))), func);
    MlcSymbolTable *table = mlc_symbol_table_create(module);
    MlcOp *copy = mlc_op_clone(func, NULL);
    mlc_symbol_table_insert(table, copy);
    assert_true(mlc_str_equal(mlc_symbol_name(copy), mlc_str("f_0")));
    MlcMap names;
    mlc_map_init(&names);
    mlc_map_set(&names, mlc_string_attr_get(ctx, mlc_str("f")),
                mlc_string_attr_get(ctx, mlc_str("g")));
    assert_true(mlc_symbol_rename_uses(module, &names));
    assert_false(mlc_symbol_rename_uses(module, &names));
    mlc_map_release(&names);
    assert_false(mlc_symbol_has_uses(func, module));
    ref = mlc_array_attr_element(mlc_op_attr(user, "callee"), 0);
    assert_true(mlc_str_equal(mlc_symbol_ref_attr_name(ref, 0), mlc_str("g")));
    mlc_symbol_table_erase(table, copy);
    assert_null(mlc_symbol_table_lookup(table, mlc_str("f_0")));
    mlc_symbol_table_destroy(table);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

// --- the verifier

static char last_message[512];
static size_t num_messages, num_notes;

static void
remember(const MlcDiag *diag, void *user)
{
    (void)user;
    snprintf(last_message, sizeof last_message, "%.*s", MLC_STR_FMT(diag->message));
    num_messages++;
    num_notes = diag->num_notes;
}

static void
expect_invalid(MlcOp *op, const char *message)
{
    num_messages = 0;
    assert_false(mlc_verify(op));
    mlc_diag_flush(mlc_op_context(op));
    assert_int_equal(num_messages, 1);
    assert_string_equal(last_message, message);
}

static void
verifier(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    mlc_context_set_diag_handler(ctx, remember, NULL);
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 1);
    expect_invalid(
        module, "block with no terminator, has %0 = \"t.const\"() <{value = 1 : i32}> : () -> i32");
    MlcOp *ret = make_op(&b, &t_ret, NULL, 0, 0);
    assert_true(mlc_verify(module));
    mlc_op_set_attr(mlc_value_def(x), "value", NULL);
    expect_invalid(module, "'t.const' op requires attribute 'value'");
    mlc_op_set_attr(mlc_value_def(x), "value", mlc_unit_attr_get(ctx));
    mlc_op_set_attr(func, "sym_name", mlc_unit_attr_get(ctx));
    expect_invalid(
        module, "'t.func' op attribute 'sym_name' failed to satisfy constraint: string attribute");
    mlc_op_set_attr(func, "sym_name", mlc_string_attr_get(ctx, mlc_str("f")));
    mlc_builder_before(&b, ret);
    MlcOp *add = mlc_value_def(make_add(&b, x, x));
    mlc_op_erase_operand(add, 1);
    expect_invalid(module, "'t.add' op expected 2 operands, but found 1");
    mlc_op_set_operands(add, (MlcValue *[]){x, x}, 2);
    mlc_op_move_before(mlc_value_def(x), ret);
    expect_invalid(module, "operand #0 does not dominate this use");
    assert_int_equal(num_notes, 1);
    mlc_op_move_before(mlc_value_def(x), add);
    mlc_value_set_type(x, mlc_integer_type_get(ctx, 8, MLC_SIGNLESS));
    expect_invalid(module, "'t.add' op requires the same type for all operands and results");
    mlc_value_set_type(x, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS));
    MlcOp *copy = mlc_op_clone(func, NULL);
    mlc_op_insert_after(copy, func);
    expect_invalid(module, "redefinition of symbol named 'f'");
    mlc_op_set_attr(copy, "sym_name", mlc_string_attr_get(ctx, mlc_str("g")));
    assert_true(mlc_verify(module));
    MlcOp *copy_add = mlc_op_next(mlc_block_first(mlc_region_first(mlc_op_region(copy, 0))));
    mlc_op_set_operand(copy_add, 0, x);
    expect_invalid(module, "'t.add' op using value defined outside the region");
    mlc_op_set_operand(copy_add, 0, mlc_op_operand(copy_add, 1));
    mlc_op_insert_before(mlc_op_clone(ret, NULL), add);
    expect_invalid(module, "'t.ret' op must be the last operation in the parent block");
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

// --- size and depth

static void
memory_per_op(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 1), *sum = x;
    size_t before = mlc_context_memory(ctx), n = 100000;
    for (size_t i = 0; i < n; i++)
        sum = make_add(&b, sum, x);
    size_t per_op = (mlc_context_memory(ctx) - before) / n;
    print_message("bytes per binary op: %zu\n", per_op);
    assert_true(per_op <= 200);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
deep_nesting(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    for (int i = 0; i < 5000; i++) {
        MlcOp *scope = make_op(&b, &t_scope, NULL, 0, 0);
        make_op(&b, &t_ret, NULL, 0, 0);
        mlc_builder_create_block(&b, mlc_op_region(scope, 0), NULL, 0);
    }
    make_op(&b, &t_ret, NULL, 0, 0);
    assert_true(
        mlc_op_is_memory_effect_free(mlc_block_first(mlc_region_first(mlc_op_region(func, 0)))));
    assert_true(mlc_verify(module));
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

// --- random edits

static size_t
num_uses(const MlcValue *value)
{
    size_t n = 0;
    MLC_FOR_EACH_USE (use, value) {
        assert_ptr_equal(mlc_use_value(use), value);
        assert_ptr_equal(mlc_op_operand(mlc_use_owner(use), mlc_use_index(use)), value);
        n++;
    }
    return n;
}

// Use lists hold each operand once, lists are linked both ways, order agrees with place.
static void
check_invariants(MlcOp *root)
{
    size_t num_operands = 0, uses = 0;
    MLC_FOR_EACH_PREORDER (op, root) {
        num_operands += mlc_op_num_operands(op);
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            uses += num_uses(mlc_op_result(op, i));
        MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                uses += num_uses(mlc_block_arg(block, i));
            MLC_FOR_EACH_OP (inner, block) {
                assert_ptr_equal(mlc_op_block(inner), block);
                if (mlc_op_prev(inner)) {
                    assert_ptr_equal(mlc_op_next(mlc_op_prev(inner)), inner);
                    assert_true(mlc_op_is_before(mlc_op_prev(inner), inner));
                }
            }
        }
    }
    assert_int_equal(uses, num_operands);
}

static MlcOp *
random_op(MlcOp *root, size_t *count)
{
    MlcOp *chosen = NULL;
    *count = 0;
    MLC_FOR_EACH_PREORDER (op, root)
        if (op != root && rand() % (int)++*count == 0)
            chosen = op;
    return chosen;
}

static void
edit_at_random(MlcBuilder *b, MlcOp *root)
{
    size_t count;
    MlcOp *op = random_op(root, &count), *other = random_op(root, &count);
    MlcValue *values[12];
    size_t num_values = (size_t)rand() % 12;
    for (size_t i = 0; i < num_values; i++) {
        MlcOp *def = random_op(root, &count);
        values[i] = mlc_op_num_results(def)
                        ? mlc_op_result(def, 0)
                        : mlc_block_arg(mlc_region_first(mlc_op_region(root, 0)), 0);
    }
    mlc_builder_before(b, op);
    switch (rand() % 10) {
    case 0:
        mlc_op_set_operands(op, values, num_values);
        break;
    case 1:
        mlc_op_insert_operands(op, (size_t)rand() % (mlc_op_num_operands(op) + 1), values,
                               num_values);
        break;
    case 2:
        if (mlc_op_num_operands(op))
            mlc_op_erase_operand(op, (size_t)rand() % mlc_op_num_operands(op));
        break;
    case 3:
        if (!mlc_op_is_ancestor(op, other))
            mlc_op_move_before(op, other);
        break;
    case 4: {
        MlcOp *scope = make_op(b, &t_scope, values, num_values, 2);
        mlc_builder_create_block(b, mlc_op_region(scope, 0), NULL, 0);
        make_op(b, &t_ret, values, num_values, 0);
        break;
    }
    case 5:
        if (count > 30 && op != mlc_block_first(mlc_region_first(mlc_op_region(root, 0)))) {
            for (size_t i = 0; i < mlc_op_num_results(op); i++)
                mlc_value_replace_uses(mlc_op_result(op, i),
                                       mlc_block_arg(mlc_region_first(mlc_op_region(root, 0)), 0));
            if (mlc_op_num_regions(op) == 0)
                mlc_op_erase(op);
        }
        break;
    case 6:
        mlc_op_insert_after(
            count < 400 ? mlc_op_clone(op, NULL) : mlc_op_clone_without_regions(other, NULL), op);
        break;
    case 7:
        if (mlc_op_num_results(op) && mlc_op_num_results(other))
            mlc_value_replace_uses(mlc_op_result(op, 0), mlc_op_result(other, 0));
        break;
    case 8:
        mlc_block_split(op);
        break;
    default:
        make_add(
            b, num_values ? values[0] : mlc_block_arg(mlc_region_first(mlc_op_region(root, 0)), 0),
            mlc_block_arg(mlc_region_first(mlc_op_region(root, 0)), 0));
    }
}

static void
random_edits(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    for (int seed = 0; seed < 12; seed++) {
        srand((unsigned)seed);
        MlcBuilder b;
        MlcOp *func, *module = make_module(ctx, &b, &func);
        mlc_block_add_arg(b.block, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), NULL);
        make_const(&b, 1);
        make_op(&b, &t_ret, NULL, 0, 0);
        for (int i = 0; i < 400; i++) {
            edit_at_random(&b, func);
            if (i % 20 == 0)
                check_invariants(func);
        }
        MlcOp *copy = mlc_op_clone(func, NULL);
        assert_int_equal(count_ops(copy), count_ops(func));
        mlc_op_destroy(copy);
        check_invariants(func);
        mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
}

// Modules made in one thread and destroyed in another; then passes on sibling functions at once.
#define NUM_THREADS 4
typedef struct Job {
    MlcContext *ctx;
    MlcOp *module, *func;
} Job;

static void *
build_module(void *user)
{
    Job *job = user;
    MlcBuilder b;
    job->module = make_module(job->ctx, &b, &job->func);
    MlcValue *sum = make_const(&b, 1);
    for (int i = 0; i < 5000; i++)
        sum = make_add(&b, sum, i % 7 ? sum : make_const(&b, i));
    MlcValue *many[40];
    for (int i = 0; i < 40; i++)
        many[i] = sum;
    make_op(&b, &t_ret, many, 40, 0);
    return NULL;
}

static void *
edit_function(void *user)
{
    Job *job = user;
    MlcBlock *block = mlc_region_first(mlc_op_region(job->func, 0));
    MLC_FOR_EACH_OP_SAFE (op, block)
        if (mlc_op_isa(op, &t_add)) {
            MlcBuilder b;
            mlc_builder_init(&b, job->ctx);
            mlc_builder_before(&b, op);
            MlcValue *twice = make_add(&b, mlc_op_operand(op, 0), mlc_op_operand(op, 0));
            mlc_op_replace(op, &twice, 1);
        }
    return NULL;
}

static void
run_jobs(Job *jobs, void *(*run)(void *))
{
    pthread_t threads[NUM_THREADS];
    for (size_t i = 0; i < NUM_THREADS; i++)
        pthread_create(&threads[i], NULL, run, &jobs[i]);
    for (size_t i = 0; i < NUM_THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void
threads(void **state)
{
    (void)state;
    MlcContext *ctx = test_context();
    Job jobs[NUM_THREADS];
    size_t after_first = 0;
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < NUM_THREADS; i++)
            jobs[i] = (Job){.ctx = ctx};
        run_jobs(jobs, build_module);
        for (size_t i = 1; i < NUM_THREADS; i++) { // all functions into one module
            mlc_op_move_after(jobs[i].func, jobs[0].func);
            char name[2] = {(char)('a' + i), 0};
            mlc_op_set_attr(jobs[i].func, "sym_name", mlc_string_attr_get(ctx, mlc_str(name)));
        }
        uint64_t edits = mlc_op_edits(jobs[0].module);
        run_jobs(jobs, edit_function);
        assert_true(mlc_op_edits(jobs[0].module) > edits);
        assert_true(mlc_verify(jobs[0].module));
        for (size_t i = 0; i < NUM_THREADS; i++)
            mlc_op_destroy(jobs[i].module);
        if (round == 0)
            after_first = mlc_context_memory(ctx);
    }
    assert_int_equal(mlc_context_memory(ctx), after_first); // everything was given back
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_and_uses),
        cmocka_unit_test(operand_groups),
        cmocka_unit_test(order_in_block),
        cmocka_unit_test(blocks_split_and_splice),
        cmocka_unit_test(clone_keeps_structure),
        cmocka_unit_test(clone_of_later_value),
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(attributes_of_ops),
        cmocka_unit_test(questions),
        cmocka_unit_test(symbols),
        cmocka_unit_test(verifier),
        cmocka_unit_test(memory_per_op),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(threads),
        cmocka_unit_test(random_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
