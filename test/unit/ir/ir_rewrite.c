// ir_rewrite.c -- the greedy driver and the conversion driver on a dialect of six ops.
#include <stdio.h>
#include <stdlib.h>

#include "ir_dialect.h"
#include "mlc/ir/rewrite.h"

// --- a dialect that folds

static const MlcDialectDef f_dialect;
static bool
fold_add(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (mlc_attr_is(constants[1], MLC_ATTR_INTEGER) && mlc_attr_as_int(constants[1]) == 0)
        return results[0].value = mlc_op_operand(op, 0), true; // x + 0 -> x
    if (!constants[0] || !constants[1])
        return false;
    results[0].attr = mlc_integer_attr_get(
        mlc_attr_type(constants[0]), mlc_attr_as_int(constants[0]) + mlc_attr_as_int(constants[1]));
    return true;
}
static const MlcOpDef f_add = {.name = "f.add",
                               .dialect = &f_dialect,
                               .operands = two_ints,
                               .num_operands = 2,
                               .results = one_int,
                               .num_results = 1,
                               .fold = fold_add,
                               .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(COMMUTATIVE) |
                                         MLC_TRAIT_BIT(SAME_OPERANDS_AND_RESULT_TYPE)};
static void
branch_operands(const MlcOp *op, size_t i, size_t *first, size_t *count)
{
    (void)i;
    *first = 0;
    *count = mlc_op_num_operands(op);
}
static const MlcBranch branch_methods = {.successor_operands = branch_operands};
static const MlcInterfaceEntry branch_interface[] = {{MLC_INTERFACE_BRANCH, &branch_methods}};
static const MlcOpDef f_br = {.name = "f.br",
                              .dialect = &f_dialect,
                              .operands = variadic,
                              .num_operands = 1,
                              .successors = one_successor,
                              .num_successors = 1,
                              .interfaces = branch_interface,
                              .num_interfaces = 1,
                              .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(TERMINATOR)};
static const MlcOpDef f_neg = {.name = "f.neg",
                               .dialect = &f_dialect,
                               .operands = one_int,
                               .num_operands = 1,
                               .results = one_int,
                               .num_results = 1,
                               .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(INVOLUTION)};
static const MlcOpDef *const f_ops[] = {&f_add, &f_br, &f_neg};
static MlcOp *
materialize(MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)
{
    MlcNamedAttr attr = mlc_named(b->ctx, "value", value);
    MlcOpState state = {.def = &t_const,
                        .loc = loc,
                        .result_types = &type,
                        .num_results = 1,
                        .attrs = &attr,
                        .num_attrs = 1};
    return mlc_builder_create(b, &state);
}
static const MlcDialectDef f_dialect = {
    .name = "f", .ops = f_ops, .num_ops = 3, .materialize = materialize};

static MlcContext *
context(void)
{
    MlcContext *ctx = test_context();
    assert_true(mlc_context_register_dialect(ctx, &f_dialect));
    return ctx;
}

static MlcValue *
make_f_add(MlcBuilder *b, MlcValue *x, MlcValue *y)
{
    return mlc_op_result(make_op(b, &f_add, (MlcValue *[]){x, y}, 2, 1), 0);
}

static void
canonicalize(MlcOp *module)
{
    MlcPatternSet *set = mlc_pattern_set_create(mlc_op_context(module));
    mlc_pattern_set_add_canonicalization(set);
    assert_true(mlc_apply_patterns_greedily(module, set, NULL));
    uint64_t edits = mlc_op_edits(module);
    assert_true(mlc_apply_patterns_greedily(module, set, NULL));
    assert_int_equal(mlc_op_edits(module), edits); // its own output is left alone
    mlc_pattern_set_destroy(set);
    assert_true(mlc_verify(module));
}

static void
folds_to_a_constant(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *sum = make_const(&b, 0);
    for (int i = 1; i <= 10; i++)
        sum = make_f_add(&b, sum, make_const(&b, i));
    make_f_add(&b, sum, sum); // dead
    MlcOp *ret = make_op(&b, &t_ret, &sum, 1, 0);
    canonicalize(module);
    int64_t value;
    assert_true(mlc_value_constant_int(mlc_op_operand(ret, 0), &value) && value == 55);
    assert_ptr_equal(mlc_op_prev(ret), mlc_value_def(mlc_op_operand(ret, 0)));
    assert_null(mlc_op_prev(mlc_op_prev(ret)));
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
constants_share_a_home(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = mlc_block_add_arg(b.block, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), NULL);
    MlcValue *sum = make_f_add(&b, make_const(&b, 3), x); // constants go right
    sum = make_f_add(&b, sum, make_const(&b, 3));
    sum = make_f_add(&b, sum, make_const(&b, 0));
    MlcOp *ret = make_op(&b, &t_ret, &sum, 1, 0);
    canonicalize(module);
    MlcOp *outer = mlc_value_def(mlc_op_operand(ret, 0)),
          *inner = mlc_value_def(mlc_op_operand(outer, 0));
    assert_ptr_equal(mlc_op_operand(inner, 0), x);
    assert_ptr_equal(mlc_op_operand(inner, 1), mlc_op_operand(outer, 1));
    assert_ptr_equal(mlc_value_def(mlc_op_operand(inner, 1)), mlc_block_first(b.block));
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
traits_fold(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = mlc_block_add_arg(b.block, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), NULL),
             *y = x;
    for (int i = 0; i < 4; i++)
        y = mlc_op_result(make_op(&b, &f_neg, &y, 1, 1), 0);
    MlcOp *ret = make_op(&b, &t_ret, &y, 1, 0);
    canonicalize(module);
    assert_ptr_equal(mlc_op_operand(ret, 0), x);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static void
blocks_are_simplified(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcType i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), two[] = {i32, i32};
    MlcBlock *entry = b.block;
    MlcValue *x = mlc_block_add_arg(entry, i32, NULL);
    MlcBlock *next = mlc_builder_create_block(&b, mlc_op_region(func, 0), two, 2);
    MlcOp *ret = make_op(&b, &t_ret, (MlcValue *[]){mlc_block_arg(next, 0)}, 1, 0);
    mlc_builder_create_block(&b, mlc_op_region(func, 0), NULL, 0); // unreachable
    MlcOpState back = {.def = &f_br,
                       .operands = (MlcValue *[]){x, x},
                       .num_operands = 2,
                       .successors = &next,
                       .num_successors = 1};
    mlc_builder_create(&b, &back);
    mlc_builder_at_end(&b, entry);
    mlc_builder_create(&b, &back);
    canonicalize(module);
    assert_ptr_equal(mlc_block_next(entry),
                     next); // joining them is a matter of the branch's dialect
    assert_ptr_equal(mlc_region_last(mlc_op_region(func, 0)), next);
    assert_int_equal(mlc_block_num_args(next), 1);
    assert_int_equal(mlc_op_num_operands(mlc_block_last(entry)), 1);
    assert_ptr_equal(mlc_op_operand(ret, 0), mlc_block_arg(next, 0));
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

// t.add x, x -> f.neg x; a pattern that edits behind the driver's back must do no harm.
static bool
rewrite_add(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *x = mlc_op_operand(op, 0);
    MlcOp *next = mlc_op_next(op);
    if (next && mlc_op_isa(next, &t_add) && !mlc_op_has_uses(next))
        mlc_op_erase(next); // not through the rewriter
    mlc_rewriter_replace_with(rw, op, make_op(mlc_rewriter_builder(rw), &f_neg, &x, 1, 1));
    return true;
}

static void
patterns_apply(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = mlc_block_add_arg(b.block, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), NULL);
    MlcValue *y = make_add(&b, x, x);
    make_add(&b, y, y);
    MlcOp *ret = make_op(&b, &t_ret, &y, 1, 0);
    MlcPatternSet *set = mlc_pattern_set_create(ctx);
    mlc_pattern_set_add(
        set, (MlcPattern){.name = "add", .root = "t.add", .benefit = 1, .rewrite = rewrite_add});
    MlcGreedyConfig config = {MLC_SIZED(MlcGreedyConfig), .no_fold = true};
    assert_true(mlc_apply_patterns_greedily(module, set, &config));
    mlc_pattern_set_destroy(set);
    assert_ptr_equal(mlc_op_def(mlc_value_def(mlc_op_operand(ret, 0))), &f_neg);
    assert_ptr_equal(mlc_op_next(mlc_block_first(b.block)), ret);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

// --- conversion

static int
to_i64(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (!mlc_type_is_int_or_index(type))
        return 0;
    mlc_vec_push(out, mlc_integer_type_get(mlc_type_context(type), 64, MLC_SIGNLESS));
    return 1;
}

static bool
convert_add(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    // The op's operands are still the old ones: their constants can be seen.
    int64_t known;
    if (mlc_value_constant_int(mlc_op_operand(op, 1), &known) && known == 13)
        return mlc_conversion_no_match(c, op, "adds %d", (int)known);
    MlcType i64 = mlc_value_type(operands[0]);
    MlcOpState state = {.def = &f_add,
                        .operands = operands,
                        .num_operands = 2,
                        .result_types = &i64,
                        .num_results = 1};
    MlcValue *sum = mlc_op_result(mlc_builder_create(mlc_conversion_builder(c), &state), 0);
    mlc_conversion_replace(c, op, &sum, 1);
    return true;
}

static bool
convert_const(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcOp *made = materialize(
        b, mlc_integer_attr_get(i64, mlc_attr_as_int(mlc_op_attr(op, "value"))), i64, NULL);
    MlcValue *value = mlc_op_result(made, 0);
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

static bool
convert_ret(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcOpState state = {
        .def = &t_ret, .operands = operands, .num_operands = mlc_op_num_operands(op)};
    mlc_builder_create(mlc_conversion_builder(c), &state);
    mlc_conversion_erase(c, op);
    return true;
}

static bool
has_legal_types(MlcOp *op, void *types)
{
    return mlc_type_converter_is_legal_op(types, op);
}

static bool
run_conversion(MlcOp *module, bool with_ret)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcTypeConverter *types = mlc_type_converter_create(ctx);
    mlc_type_converter_add(types, to_i64, NULL);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    mlc_conversion_target_illegal_op(target, "t.add");
    mlc_conversion_target_legal_op(target, "f.add");
    mlc_conversion_target_dynamic_op(target, "t.const", has_legal_types, types);
    if (with_ret)
        mlc_conversion_target_dynamic_op(target, "t.ret", has_legal_types, types);
    else
        mlc_conversion_target_legal_op(target, "t.ret");
    MlcConversionPattern patterns[] = {
        {.name = "add", .root = "t.add", .convert = convert_add},
        {.name = "const", .root = "t.const", .convert = convert_const},
        {.name = "ret", .root = "t.ret", .convert = convert_ret}};
    bool ok = mlc_convert_partial(module, target, types, patterns, 3);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(types);
    return ok;
}

// Of two sums only the one without 13 can be converted, and nothing is.
static void
analysis_changes_nothing(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    mlc_context_allow_unregistered(ctx, true);
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 13), *good = make_add(&b, x, make_const(&b, 1)),
             *bad = make_add(&b, good, x);
    make_op(&b, &t_ret, &bad, 1, 0);
    MlcTypeConverter *types = mlc_type_converter_create(ctx);
    mlc_type_converter_add(types, to_i64, NULL);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    mlc_conversion_target_illegal_op(target, "t.add");
    mlc_conversion_target_legal_op(target, "f.add");
    MlcConversionPattern patterns[] = {{.name = "add", .root = "t.add", .convert = convert_add}};
    MlcOpVec found = {0};
    mlc_convert_analysis(module, target, types, patterns, 1, &found);
    assert_int_equal(found.size, 1);
    assert_ptr_equal(found.data[0], mlc_value_def(good));
    assert_true(mlc_verify(module));
    MLC_FOR_EACH_PREORDER (op, module)
        assert_true(mlc_op_is_registered(op) && !mlc_op_isa(op, &f_add));
    mlc_vec_release(&found);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(types);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

static MlcOp *
last_op(MlcOp *module)
{
    MlcOp *func = mlc_block_first(mlc_region_first(mlc_op_region(module, 0)));
    return mlc_block_last(mlc_region_first(mlc_op_region(func, 0)));
}

static void
types_are_converted(void **state)
{
    (void)state;
    for (int with_ret = 0; with_ret < 2; with_ret++) {
        MlcContext *ctx = context();
        mlc_context_allow_unregistered(ctx, true); // casts, without the builtin dialect
        MlcBuilder b;
        MlcOp *func, *module = make_module(ctx, &b, &func);
        MlcValue *x = make_const(&b, 5), *sum = make_add(&b, make_add(&b, x, x), x);
        make_op(&b, &t_ret, &sum, 1, 0);
        assert_true(run_conversion(module, with_ret));
        assert_true(mlc_verify(module));
        size_t num_casts = 0, num_adds = 0;
        MLC_FOR_EACH_PREORDER (op, module) {
            num_casts += !mlc_op_is_registered(op);
            num_adds += mlc_op_isa(op, &f_add);
            assert_false(mlc_op_isa(op, &t_add));
        }
        assert_int_equal(num_casts, with_ret ? 0 : 1); // t.ret keeps its i32
        assert_int_equal(num_adds, 2);
        mlc_op_destroy(module);
        mlc_context_destroy(ctx);
    }
}

static char message[256], note[256];
static void
remember(const MlcDiag *diag, void *user)
{
    (void)user;
    snprintf(message, sizeof message, "%.*s", MLC_STR_FMT(diag->message));
    if (diag->num_notes)
        snprintf(note, sizeof note, "%.*s", MLC_STR_FMT(diag->notes[0].message));
}

static void
failure_changes_nothing(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    mlc_context_set_diag_handler(ctx, remember, NULL);
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    MlcValue *x = make_const(&b, 13), *sum = make_add(&b, make_add(&b, x, make_const(&b, 1)), x);
    make_op(&b, &t_ret, &sum, 1, 0);
    size_t before = 0, after = 0;
    MLC_FOR_EACH_PREORDER (op, module)
        before++;
    assert_false(run_conversion(module, true));
    mlc_diag_flush(ctx);
    assert_string_equal(message,
                        "failed to legalize operation 't.add' that was explicitly marked illegal");
    assert_string_equal(note, "pattern 'add': adds 13");
    MLC_FOR_EACH_PREORDER (op, module)
        after++;
    assert_int_equal(before, after);
    assert_true(mlc_verify(module));
    assert_ptr_equal(mlc_op_def(mlc_value_def(mlc_op_operand(last_op(module), 0))), &t_add);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

// The body may erase its op, and make others that are not visited.
static void
ops_of_a_kind_are_found_before(void **state)
{
    (void)state;
    MlcContext *ctx = context();
    MlcBuilder b;
    MlcOp *func, *module = make_module(ctx, &b, &func);
    for (int i = 0; i < 10; i++)
        make_const(&b, i);
    int64_t visited = 0;
    MLC_FOR_EACH_OF_KIND (op, module, &t_const) {
        assert_int_equal(mlc_attr_as_int(mlc_op_attr(op, "value")), visited);
        visited++;
        make_const(&b, 100);
        mlc_op_erase(op);
    }
    assert_int_equal(visited, 10);
    MLC_FOR_EACH_OF_KIND (op, module, &t_const)
        if (++visited == 15)
            break;
    assert_int_equal(visited, 15);
    MLC_FOR_EACH_OF_KIND (op, module, mlc_op_def(module))
        assert_ptr_equal(op, module);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_of_a_kind_are_found_before),
        cmocka_unit_test(folds_to_a_constant),
        cmocka_unit_test(constants_share_a_home),
        cmocka_unit_test(traits_fold),
        cmocka_unit_test(blocks_are_simplified),
        cmocka_unit_test(patterns_apply),
        cmocka_unit_test(types_are_converted),
        cmocka_unit_test(failure_changes_nothing),
        cmocka_unit_test(analysis_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
