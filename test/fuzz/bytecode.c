// bytecode.c -- the bytecode reader on arbitrary bytes. A text is written as bytecode first: that
// must come back as the same text, and then is read again with some of its bytes changed.
#include "common.h"

#include <stdio.h>

enum { CORRUPTIONS = 6 };

static void
print(MlcOp *module, MlcBuf *out)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = flags.debug_info = true;
    mlc_op_print(module, &flags, out);
}

static void
read(MlcContext *ctx, const void *data, size_t size)
{
    MlcStr bytes = mlc_str_n(data, size);
    MlcBytecodeReadOptions options = {.lazy = size % 2};
    MlcBytecode *file = mlc_bytecode_open(ctx, bytes, mlc_str("fuzz"), &options);
    if (!file)
        return;
    MlcOp *root = mlc_bytecode_root(file);
    bool ok = true;
    for (MlcOp *op = root; op && ok; op = mlc_op_preorder_next(op, root))
        ok = mlc_bytecode_materialize(file, op);
    MlcBuf text = {0};
    if (ok && mlc_verify(root))
        print(root, &text);
    mlc_buf_release(&text);
    mlc_bytecode_close(file);
    mlc_op_destroy(root);
}

static void
check_same(MlcOp *module, const MlcBuf *bytes)
{
    MlcContext *ctx = fuzz_context(); // a resource would get another name in its own
    MlcBuf before = {0}, after = {0};
    MlcOp *again = mlc_bytecode_read(ctx, mlc_buf_str(bytes), mlc_str("fuzz"), NULL);
    print(module, &before);
    if (again)
        print(again, &after);
    if (!mlc_str_equal(mlc_buf_str(&before), mlc_buf_str(&after))) {
        fprintf(stderr, "bytecode does not come back as it was:\n%s\n%s\n", mlc_buf_c_str(&before),
                mlc_buf_c_str(&after));
        abort();
    }
    mlc_op_destroy(again);
    mlc_context_destroy(ctx);
    mlc_buf_release(&before);
    mlc_buf_release(&after);
}

static void
corrupt_and_read(MlcContext *ctx, MlcBuf *bytes, uint64_t seed)
{
    for (unsigned i = 0; i < CORRUPTIONS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t at = (size_t)(seed >> 33) % bytes->size;
        char was = bytes->data[at];
        bytes->data[at] = (char)(seed >> 24);
        read(ctx, bytes->data, bytes->size);
        if (i % 2) // every second change stays
            bytes->data[at] = was;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = fuzz_context();
    if (mlc_is_bytecode(mlc_str_n((const char *)data, size))) {
        read(ctx, data, size);
        mlc_context_destroy(ctx);
        return 0;
    }
    MlcOp *module = fuzz_parse(ctx, data, size);
    if (module && mlc_verify(module)) {
        MlcBuf bytes = {0};
        mlc_bytecode_write(module, NULL, &bytes);
        check_same(module, &bytes);
        corrupt_and_read(ctx, &bytes, size);
        mlc_buf_release(&bytes);
    }
    if (module)
        mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return 0;
}
