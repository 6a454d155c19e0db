// ir_bytecode.c -- bodies are read when they are wanted, and resources lie where the file has them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/bytecode.h"

static char source[] = "func.func @f() { return }\n"
                       "func.func @g(%a: i32) -> i32 { return %a : i32 }\n"
                       "module { func.func @h() { return } }\n"
                       "module attributes {foo.w = dense_resource<w> : tensor<4xi8>} {}\n"
                       "{-# dialect_resources: { builtin: { w: \"0x0400000001020304\" } } #-}\n\0";

static MlcContext *
new_context(void)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    return ctx;
}

static MlcBuf
write_source(void)
{
    MlcContext *ctx = new_context();
    MlcOp *module = mlc_parse_module(ctx, mlc_str(source), mlc_str("source"));
    assert_non_null(module);
    MlcBuf bytes = {0};
    mlc_bytecode_write(module, NULL, &bytes);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return bytes;
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
test_lazy(void **state)
{
    (void)state;
    MlcBuf bytes = write_source();
    MlcContext *ctx = new_context();
    MlcBytecodeReadOptions options = {MLC_SIZED(MlcBytecodeReadOptions), .lazy = true};
    MlcBytecode *file = mlc_bytecode_open(ctx, mlc_buf_str(&bytes), mlc_str("bytes"), &options);
    assert_non_null(file);
    MlcOp *root = mlc_bytecode_root(file);
    assert_int_equal(mlc_bytecode_num_pending(file), 4);
    assert_int_equal(count_ops(root), 5);
    for (MlcOp *op = root; op; op = mlc_op_preorder_next(op, root)) {
        assert_true(mlc_bytecode_materialize(file, op));
        assert_false(mlc_bytecode_is_pending(file, op));
    }
    assert_int_equal(mlc_bytecode_num_pending(file), 0);
    assert_int_equal(count_ops(root), 9);
    assert_true(mlc_verify(root));
    mlc_bytecode_close(file);
    mlc_op_destroy(root);
    mlc_context_destroy(ctx);
    mlc_buf_release(&bytes);
}

static void
note_release(void *user)
{
    ++*(int *)user;
}

static MlcAttr
find_resource(MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_op_attr(op, "foo.w"))
            return mlc_op_attr(op, "foo.w");
    return NULL;
}

// Windows into the mapping keep it; it goes when the file is closed and the context, which holds
// them.
static void
test_windows(void **state)
{
    (void)state;
    MlcBuf bytes = write_source();
    MlcContext *ctx = new_context();
    int released = 0;
    void *mapping = aligned_alloc(4096, (bytes.size + 4095) / 4096 * 4096);
    memcpy(mapping, bytes.data, bytes.size);
    MlcBytecodeReadOptions options = {MLC_SIZED(MlcBytecodeReadOptions), .release = note_release,
                                      .user = &released};
    MlcBytecode *file =
        mlc_bytecode_open(ctx, mlc_str_n(mapping, bytes.size), mlc_str("bytes"), &options);
    MlcOp *root = mlc_bytecode_root(file);
    MlcBlob *blob = mlc_dense_resource_attr_blob(find_resource(root));
    const char *data = mlc_blob_data(blob);
    assert_true(data > (char *)mapping && data < (char *)mapping + bytes.size);
    assert_memory_equal(data, "\1\2\3\4", 4);
    mlc_bytecode_close(file);
    assert_int_equal(released, 0);
    mlc_op_destroy(root);
    mlc_context_destroy(ctx);
    assert_int_equal(released, 1);
    free(mapping);
    mlc_buf_release(&bytes);
}

// Every beginning of a file is refused, without a crash and without a leak.
static void
ignore(const MlcDiag *diag, void *user)
{
    (void)diag;
    ++*(int *)user;
}

static void
test_cut(void **state)
{
    (void)state;
    MlcBuf bytes = write_source();
    MlcContext *ctx = new_context();
    for (size_t size = 0; size < bytes.size; size++) {
        char *copy = malloc(size + 1);
        memcpy(copy, bytes.data, size);
        int errors = 0;
        mlc_context_set_diag_handler(ctx, ignore, &errors);
        assert_null(mlc_bytecode_read(ctx, mlc_str_n(copy, size), mlc_str("cut"), NULL));
        mlc_diag_flush(ctx);
        assert_int_equal(errors, 1);
        free(copy);
    }
    mlc_context_destroy(ctx);
    mlc_buf_release(&bytes);
}

// A file with any one byte changed is read or refused with an error.
static void
test_changed(void **state)
{
    (void)state;
    MlcBuf bytes = write_source();
    for (size_t at = 0; at < bytes.size; at++) {
        MlcContext *ctx = new_context();
        int errors = 0;
        mlc_context_set_diag_handler(ctx, ignore, &errors);
        bytes.data[at] = (char)(bytes.data[at] ^ (1 << at % 8));
        MlcOp *root = mlc_bytecode_read(ctx, mlc_buf_str(&bytes), mlc_str("changed"), NULL);
        bytes.data[at] = (char)(bytes.data[at] ^ (1 << at % 8));
        mlc_diag_flush(ctx);
        assert_true(root || errors > 0);
        if (root)
            mlc_op_destroy(root);
        mlc_context_destroy(ctx);
    }
    mlc_buf_release(&bytes);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lazy),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
