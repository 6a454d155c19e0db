// loaded_hooks.c -- functions of a program that a dialect's file names: patterns.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"

static const char yaml[] = "dialect: {name: own}\n"
                           "ops:\n"
                           "  - name: same\n"
                           "    operands: [{name: x, type: any_type}]\n"
                           "    results: [{name: y, type: any_type}]\n"
                           "    traits: [pure]\n"
                           "    hooks: [patterns: {of nothing: take_operand,\n"
                           "                       \"arith.addi: of twice\": take_left}]\n";

MLC_API bool mlc_own_take_operand(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);
MLC_API bool mlc_own_take_left(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);

bool
mlc_own_take_operand(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    assert_string_equal(pattern->name, "own.same: of nothing");
    return mlc_rewriter_replace_op(rw, op, mlc_op_operand(op, 0));
}

bool
mlc_own_take_left(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    assert_string_equal(pattern->name, "arith.addi: of twice");
    return mlc_rewriter_replace_op(rw, op, mlc_op_operand(op, 0));
}

static size_t
count_ops(MlcOp *root)
{
    size_t n = 0;
    MLC_FOR_EACH_PREORDER (op, root)
        n++;
    return n;
}

static void
patterns_of_a_file(void **state)
{
    (void)state;
    char path[] = "loaded_hooks.yaml";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(yaml, file);
    fclose(file);
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    assert_true(mlc_load_dialect(ctx, path));
    remove(path);
    char source[] = "func.func @f(%a: i32, %b: i32) -> i32 {\n"
                    "  %x = \"own.same\"(%a) : (i32) -> i32\n"
                    "  %y = arith.addi %x, %b : i32\n"
                    "  return %y : i32\n"
                    "}\n\0";
    MlcOp *module = mlc_parse_module(ctx, mlc_str(source), mlc_str("source"));
    assert_non_null(module);
    assert_true(mlc_apply_patterns_greedily(module, mlc_canonicalization_patterns(ctx), NULL));
    assert_int_equal(count_ops(module), 3); // module, function, return
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns_of_a_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
