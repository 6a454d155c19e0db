// loaded_hooks.c -- dialects and rules from memory, and functions of a program that they name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/interp.h"
#include "mlc/ir.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/hook.h"
#include "mlc/ir/rewrite.h"
#include "mlc/ir/rule.h"
#include "mlc/ir/text.h"

static const char yaml[] = "dialect: {name: own}\n"
                           "ops:\n"
                           "  - name: same\n"
                           "    operands: [{name: x, type: any_type}]\n"
                           "    results: [{name: y, type: any_type}]\n"
                           "    traits: [pure]\n"
                           "    hooks: [patterns: {of nothing: take_operand,\n"
                           "                       \"arith.addi: of twice\": take_left}]\n";

static bool
mlc_own_take_operand(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    assert_string_equal(pattern->name, "own.same: of nothing");
    return mlc_rewriter_replace_op(rw, op, mlc_op_operand(op, 0));
}

static bool
mlc_own_take_left(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    assert_string_equal(pattern->name, "arith.addi: of twice");
    return mlc_rewriter_replace_op(rw, op, mlc_op_operand(op, 0));
}

static const MlcHook hooks[] = {MLC_HOOK(mlc_own_take_operand), MLC_HOOK(mlc_own_take_left)};

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
    assert_true(mlc_register_hooks(hooks, 2) && mlc_register_hooks(hooks, 1)); // again is fine
    assert_false(mlc_register_hooks(&(MlcHook){.name = hooks[0].name}, 1));
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    assert_true(mlc_load_dialect_text(ctx, mlc_str(yaml), "own.yaml"));
    static const char source[] = "func.func @f(%a: i32, %b: i32) -> i32 {\n"
                                 "  %x = \"own.same\"(%a) : (i32) -> i32\n"
                                 "  %y = arith.addi %x, %b : i32\n"
                                 "  return %y : i32\n"
                                 "}\n";
    MlcOp *module = mlc_parse_module(ctx, mlc_str(source), mlc_str("source"));
    assert_non_null(module);
    assert_true(mlc_apply_patterns_greedily(module, mlc_canonicalization_patterns(ctx), NULL));
    assert_int_equal(count_ops(module), 3); // module, function, return
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
}

typedef struct Kept {
    MlcContext *ctx;
    MlcBuf text;
} Kept;

static void
keep_message(const MlcDiag *diag, void *user)
{
    Kept *kept = user;
    mlc_loc_print(kept->ctx, diag->loc, &kept->text);
    mlc_buf_printf(&kept->text, " %.*s\n", MLC_STR_FMT(diag->message));
}

// What is wrong with a text stands under its name; nothing of it stays.
static void
rules_from_memory(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    Kept kept = {.ctx = ctx};
    mlc_register_all_dialects(ctx);
    mlc_context_set_diag_handler(ctx, keep_message, &kept);
    assert_false(
        mlc_load_rules_text(ctx, mlc_str("dialect arith\nrule r: addi(x) => x\n"), "mine"));
    assert_false(mlc_load_dialect_text(ctx, mlc_str("dialect: {nam: x}\n"), "yours"));
    mlc_diag_flush(ctx);
    assert_non_null(strstr(mlc_buf_c_str(&kept.text), "loc(\"mine\":2:"));
    assert_non_null(strstr(mlc_buf_c_str(&kept.text), "loc(\"yours\":1:11) unknown key 'nam'"));
    assert_int_equal(mlc_context_num_extensions(ctx), 0);
    assert_true(mlc_load_rules_text(
        ctx, mlc_str("dialect arith\nlowering l {\n  rule r: subi(x, y) => addi(x, y)\n}\n"),
        "mine"));
    assert_non_null(mlc_rule_set_find(ctx, mlc_str("l")));
    assert_int_equal(mlc_context_num_extensions(ctx), 1);
    assert_string_equal(mlc_context_extension_at(ctx, 0).path, "<memory>/mine");
    mlc_context_destroy(ctx);
    mlc_buf_release(&kept.text);
}

static bool
load_nothing(MlcContext *ctx, const char *path)
{
    mlc_context_add_extension(ctx, MLC_EXTENSION_IRDL, path);
    return true;
}

// A file that remembers IRDL needs somebody who reads it.
static void
irdl_that_is_remembered(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    Kept kept = {.ctx = ctx};
    mlc_context_set_diag_handler(ctx, keep_message, &kept);
    MlcBuf text = {0};
    mlc_buf_printf(&text,
                   "{-#\n  external_resources: {\n    mlc_loaded: {\n      irdl0: \"%s\"\n"
                   "    }\n  }\n#-}\n",
                   "/proc/self/exe");
    size_t size = text.size;
    mlc_buf_append_repeated(&text, 0, 2); // readers look two bytes beyond the end
    text.size = size;
    assert_false(mlc_load_recorded(ctx, mlc_buf_str(&text), mlc_str("r.mlir")));
    mlc_diag_flush(ctx);
    assert_non_null(strstr(mlc_buf_c_str(&kept.text), "loc(\"r.mlir\":4:"));
    assert_non_null(strstr(mlc_buf_c_str(&kept.text), "exe': nobody here reads IRDL"));
    mlc_context_set_irdl_loader(ctx, load_nothing);
    assert_true(mlc_load_recorded(ctx, mlc_buf_str(&text), mlc_str("r.mlir")));
    assert_true(mlc_context_has_extension(ctx, MLC_EXTENSION_IRDL, "/proc/self/exe"));
    mlc_context_destroy(ctx);
    mlc_buf_release(&kept.text);
    mlc_buf_release(&text);
}

static bool
scale(MlcInterp *interp, MlcOp *at, const MlcDatum *args, size_t num_args, MlcDatum *results,
      size_t num_results, void *user)
{
    (void)interp;
    const double *by = user;
    assert_int_equal(num_args, 1);
    assert_int_equal(num_results, 1);
    if (mlc_datum_as_double(&args[0]) < 0)
        return mlc_op_error(at, "a negative number");
    results[0] = mlc_datum_float(results[0].type, *by * mlc_datum_as_double(&args[0]));
    return true;
}

// The interpreter calls functions of the program that a module declares.
static void
functions_in_c(void **state)
{
    (void)state;
    static const char source[] = "func.func private @scale(f64) -> f64\n"
                                 "func.func @f(%x: f64) -> f64 {\n"
                                 "  %y = call @scale(%x) : (f64) -> f64\n"
                                 "  return %y : f64\n"
                                 "}\n";
    MlcContext *ctx = mlc_context_create();
    Kept kept = {.ctx = ctx};
    mlc_register_all_dialects(ctx);
    mlc_context_set_diag_handler(ctx, keep_message, &kept);
    MlcOp *module = mlc_parse_module(ctx, mlc_str(source), mlc_str("source"));
    assert_non_null(module);
    MlcInterp *interp = mlc_interp_create(module, NULL);
    double two = 2, three = 3;
    mlc_interp_bind(interp, "scale", scale, &two);
    mlc_interp_bind(interp, "scale", scale, &three);
    MlcType f64 = mlc_float_type_get(ctx, MLC_FLOAT_F64);
    MlcDatum arg = mlc_datum_float(f64, 7), result;
    assert_true(mlc_interp_call(interp, mlc_str("f"), &arg, 1, &result, 1));
    assert_true(mlc_datum_as_double(&result) == 21);
    arg = mlc_datum_float(f64, -7);
    assert_false(mlc_interp_call(interp, mlc_str("f"), &arg, 1, &result, 1));
    mlc_diag_flush(ctx);
    assert_non_null(strstr(mlc_buf_c_str(&kept.text), "loc(\"source\":3:8)"));
    assert_non_null(strstr(mlc_buf_c_str(&kept.text), "a negative number"));
    mlc_interp_destroy(interp);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    mlc_buf_release(&kept.text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_of_a_file), cmocka_unit_test(rules_from_memory),
        cmocka_unit_test(irdl_that_is_remembered), cmocka_unit_test(functions_in_c)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
