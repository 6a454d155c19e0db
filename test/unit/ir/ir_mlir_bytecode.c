// ir_mlir_bytecode.c -- MLIR's bytecode: bodies are read when they are wanted, and no file that is
// broken is read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/bytecode.h"
#include "mlc/support/file.h"

// The last error of what a test does.
typedef struct Errors {
    int count;
    char message[256];
} Errors;

static void
note_error(const MlcDiag *diag, void *user)
{
    Errors *errors = user;
    errors->count++;
    snprintf(errors->message, sizeof errors->message, "%.*s", MLC_STR_FMT(diag->message));
}

static MlcContext *
new_context(Errors *errors)
{
    *errors = (Errors){0};
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_allow_unregistered(ctx, true);
    mlc_context_set_diag_handler(ctx, note_error, errors);
    return ctx;
}

static MlcFile
open_seed(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, SEEDS "/%s", name);
    MlcFile file;
    MlcBuf error = {0};
    assert_true(mlc_file_open(&file, path, MLC_FILE_PRIVATE, &error));
    mlc_buf_release(&error);
    return file;
}

static MlcBuf
text_of(MlcOp *root)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.debug_info = true;
    MlcBuf text = {0};
    mlc_op_print(root, &flags, &text);
    return text;
}

// What is read body by body, the last first, is what is read at once.
static void
test_lazy(void **state)
{
    (void)state;
    Errors errors;
    MlcFile seed = open_seed("ops.mlirbc");
    MlcContext *ctx = new_context(&errors);
    MlcOp *whole = mlc_bytecode_read(ctx, mlc_str_n(seed.data, seed.size), mlc_str("seed"), NULL);
    assert_non_null(whole);
    MlcBytecodeReadOptions options = {MLC_SIZED(MlcBytecodeReadOptions), .lazy = true};
    MlcBytecode *file =
        mlc_bytecode_open(ctx, mlc_str_n(seed.data, seed.size), mlc_str("seed"), &options);
    assert_non_null(file);
    MlcOp *root = mlc_bytecode_root(file);
    assert_int_equal(mlc_bytecode_num_pending(file), 3);
    for (MlcOp *op = mlc_block_last(mlc_region_first(mlc_op_region(root, 0))); op;
         op = mlc_op_prev(op)) {
        assert_true(mlc_bytecode_is_pending(file, op));
        assert_true(mlc_bytecode_materialize(file, op));
    }
    for (MlcOp *op = root; op; op = mlc_op_preorder_next(op, root))
        assert_true(mlc_bytecode_materialize(file, op));
    assert_int_equal(mlc_bytecode_num_pending(file), 0);
    MlcBuf expected = text_of(whole), text = text_of(root);
    assert_string_equal(mlc_buf_c_str(&text), mlc_buf_c_str(&expected));
    mlc_buf_release(&expected);
    mlc_buf_release(&text);
    mlc_bytecode_close(file);
    mlc_op_destroy(root);
    mlc_op_destroy(whole);
    mlc_context_destroy(ctx);
    mlc_file_release(&seed);
}

// Reads a copy without room behind it, so that a read past the end is seen under AddressSanitizer.
static bool
reads(const char *data, size_t size, Errors *errors)
{
    MlcContext *ctx = new_context(errors);
    char *copy = malloc(size + !size);
    memcpy(copy, data, size);
    MlcOp *root = mlc_bytecode_read(ctx, mlc_str_n(copy, size), mlc_str("broken"), NULL);
    mlc_diag_flush(ctx);
    bool ok = root != NULL;
    if (root)
        mlc_op_destroy(root);
    mlc_context_destroy(ctx);
    free(copy);
    return ok;
}

static const char *const seeds[] = {"ops.mlirbc",      "values.mlirbc",   "use-orders.mlirbc",
                                    "version0.mlirbc", "version2.mlirbc", "version5.mlirbc"};

static void
test_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        MlcFile seed = open_seed(seeds[i]);
        Errors errors;
        for (size_t size = 0; size < seed.size; size++) {
            assert_false(reads(seed.data, size, &errors));
            assert_int_equal(errors.count, 1);
        }
        assert_true(reads(seed.data, seed.size, &errors));
        mlc_file_release(&seed);
    }
}

// A file with any one byte changed is read or refused with an error, and leaves nothing behind.
static void
test_changed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        MlcFile seed = open_seed(seeds[i]);
        char *bytes = malloc(seed.size);
        memcpy(bytes, seed.data, seed.size);
        for (size_t at = 0; at < seed.size; at++) {
            Errors errors;
            bytes[at] = (char)(seed.data[at] ^ (1 << at % 8));
            assert_true(reads(bytes, seed.size, &errors) || errors.count > 0);
            bytes[at] = seed.data[at];
        }
        free(bytes);
        mlc_file_release(&seed);
    }
}

static void
test_structure(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
#define FILE_OF(tail) "ML\xefR" tail, sizeof "ML\xefR" tail - 1
        {FILE_OF("\x0f"), "bytecode version 7 is newer than the current version 6"},
        {FILE_OF("\x0dX"), "malformed null-terminated string, no null character found"},
        {FILE_OF("\x0d\0"), "missing data for top-level section: String (0)"},
        {FILE_OF("\x0d\0\x00\x01\x00\x01"), "duplicate top-level section: String (0)"},
        {FILE_OF("\x0d\0\x09\x01"), "invalid section ID: 9"},
        {FILE_OF("\x0d\0\x00\x07"), "attempting to parse a section of 3 bytes when only 0 remain"},
        {FILE_OF("\x0d\0\x80\x01\x07"), "expected alignment to be a power-of-two"},
        {FILE_OF("\x0d\0\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"),
         "attempting to parse a section of 18446744073709551615 bytes when only 0 remain"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Errors errors;
        assert_false(reads(cases[i].bytes, cases[i].size, &errors));
        if (!strstr(errors.message, cases[i].message))
            fail_msg("'%s' instead of '%s'", errors.message, cases[i].message);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lazy),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
