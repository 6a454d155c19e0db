// onnx_import.c -- what callers say of inputs: sizes of what the model leaves open, and values.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/frontend/onnx.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"

// Reshape of x, f32 ["n", 2], to s, i64 [2].
static const char model[] = "\x08\x08\x3a\x49"
                            "\x0a\x12\x0a\x01x\x0a\x01s\x12\x01y\x22\x07Reshape"
                            "\x5a\x14\x0a\x01x\x12\x0f\x0a\x0d\x08\x01\x12\x09"
                            "\x0a\x03\x12\x01n\x0a\x02\x08\x02"
                            "\x5a\x0f\x0a\x01s\x12\x0a\x0a\x08\x08\x07\x12\x04"
                            "\x0a\x02\x08\x02"
                            "\x12\x01g"
                            "\x62\x09\x0a\x01y\x12\x04\x0a\x02\x08\x01"
                            "\x42\x02\x10\x0d";
static char path[] = "/tmp/mlc-unit-XXXXXX";
static MlcContext *ctx;
static MlcBuf told; // the last message
static const int64_t numbers[] = {4, 3}, two = 2;

static void
keep(const MlcDiag *diag, void *user)
{
    (void)user;
    mlc_buf_clear(&told);
    mlc_buf_append_str(&told, diag->message);
}

static int
setup(void **state)
{
    (void)state;
    int file = mkstemp(path);
    bool ok = file >= 0 && write(file, model, sizeof model - 1) == sizeof model - 1;
    close(file);
    ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_set_diag_handler(ctx, keep, NULL);
    return ok ? 0 : -1;
}

static int
teardown(void **state)
{
    (void)state;
    mlc_context_destroy(ctx);
    mlc_buf_release(&told);
    return unlink(path);
}

static void
assert_says(MlcOnnxImportOptions options, MlcImportStatus wanted, const char *text)
{
    MlcImportStatus status;
    MlcBuf printed = {0};
    MlcOp *module = mlc_onnx_import(ctx, path, &options, &status);
    mlc_diag_flush(ctx);
    assert_int_equal(status, wanted);
    assert_true((module != NULL) == (wanted == MLC_IMPORT_OK));
    if (module) {
        MlcPrintFlags flags = mlc_print_flags_default();
        mlc_op_print(module, &flags, &printed);
        mlc_op_destroy(module);
    }
    const char *got = module ? mlc_buf_c_str(&printed) : mlc_buf_c_str(&told);
    if (!strstr(got, text))
        fail_msg("expected '%s' in: %s", text, got);
    mlc_buf_release(&printed);
}

static MlcOnnxInputValue
shape_value(bool is_constant)
{
    return (MlcOnnxInputValue){.name = mlc_str("s"),
                               .dims = &two,
                               .rank = 1,
                               .data = numbers,
                               .num_bytes = sizeof numbers,
                               .is_constant = is_constant};
}

static void
sizes_and_values(void **state)
{
    (void)state;
    MlcStr dims[] = {mlc_str("n=6")};
    MlcOnnxInputValue value = shape_value(false);
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions), .dims = dims, .num_dims = 1};
    assert_says(options, MLC_IMPORT_OK, "{mlc.size = \"computed.0\"}");
    options.values = &value;
    options.num_values = 1;
    assert_says(options, MLC_IMPORT_OK, "@main(%arg0: tensor<6x2xf32> {mlc.name = \"x\"})");
    assert_says(options, MLC_IMPORT_OK, "tensor<4x3xf32>");
    options.only_signature = true;
    assert_says(options, MLC_IMPORT_OK, "%arg1: tensor<2xi64>"); // no node asks
    value.is_constant = true;
    assert_says(options, MLC_IMPORT_OK, "@main(%arg0: tensor<6x2xf32> {mlc.name = \"x\"})");
}

static void
wrong_values(void **state)
{
    (void)state;
    MlcOnnxInputValue value = shape_value(false);
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions), .values = &value,
                                    .num_values = 1};
    static const char message[] = "the value given for input 's' is no tensor<2xi64>";
    const int64_t three = 3, square[] = {1, 2}, huge = INT64_MAX;
    value.num_bytes = 15;
    assert_says(options, MLC_IMPORT_INVALID, message);
    value.num_bytes = 8;
    assert_says(options, MLC_IMPORT_INVALID, message);
    value = shape_value(true);
    value.dims = &three;
    assert_says(options, MLC_IMPORT_INVALID, message);
    value.dims = &huge;
    assert_says(options, MLC_IMPORT_INVALID, message);
    value.dims = square;
    value.rank = 2;
    assert_says(options, MLC_IMPORT_INVALID, message);
    value = shape_value(false);
    value.name = mlc_str("t");
    assert_says(options, MLC_IMPORT_INVALID, "a value is given for 't', which is no input");
}

static bool
is_never_compiled(const MlcOpDef *op)
{
    (void)op;
    return false;
}

// An operator that is one op is interpreted where nothing lowers that; one that is more is not
// asked.
static void
lists_what_is_interpreted(void **state)
{
    (void)state;
    MlcContext *ctx = mlc_context_create();
    MlcBuf out = {0};
    mlc_register_all_dialects(ctx);
    assert_true(
        mlc_onnx_list_operators_by(ctx, mlc_str(""), mlc_str("Relu"), is_never_compiled, &out));
    assert_non_null(strstr(mlc_buf_c_str(&out), " interpreted "));
    assert_null(strstr(mlc_buf_c_str(&out), " compiled "));
    mlc_buf_clear(&out);
    assert_true(
        mlc_onnx_list_operators_by(ctx, mlc_str(""), mlc_str("LSTM"), is_never_compiled, &out));
    assert_non_null(strstr(mlc_buf_c_str(&out), " compiled "));
    mlc_buf_release(&out);
    mlc_context_destroy(ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_values),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(lists_what_is_interpreted),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
