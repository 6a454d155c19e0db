// bytecode.c -- the bytecode reader on arbitrary bytes. A text is written as bytecode, ours
// and MLIR's, first: that must come back as the same text, and is read again with some of its bytes
// changed.
#include "common.h"

enum { CORRUPTIONS = 6 };

static void
check_same(MlcOp *module, const MlcBuf *bytes, bool is_mlir)
{
    MlcContext *ctx = fuzz_context(); // a resource would get another name in its own
    MlcBuf before = {0}, after = {0};
    MlcOp *again = mlc_bytecode_read(ctx, mlc_buf_str(bytes), mlc_str("fuzz"), NULL);
    fuzz_print(module, &before);
    if (again)
        fuzz_print(again, &after);
    // In MLIR's format, text inside of an attribute cannot say which distinct attribute it means.
    bool is_ambiguous = is_mlir && strstr(mlc_buf_c_str(&before), "distinct[");
    if (!is_ambiguous)
        fuzz_check_same("bytecode does not come back as it was", &before, &after);
    if (again)
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
        fuzz_read_bytecode(ctx, bytes->data, bytes->size);
        if (i % 2) // every second change stays
            bytes->data[at] = was;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = fuzz_context();
    if (mlc_is_bytecode(mlc_str_n((const char *)data, size))) {
        fuzz_read_bytecode(ctx, data, size);
        mlc_context_destroy(ctx);
        return 0;
    }
    MlcOp *module = fuzz_parse(ctx, data, size);
    bool ok = module && mlc_verify(module);
    for (int is_mlir = 0; ok && is_mlir < 2; is_mlir++) {
        MlcBytecodeWriteOptions options = {MLC_SIZED(MlcBytecodeWriteOptions), .is_mlir = is_mlir};
        MlcBuf bytes = {0};
        mlc_bytecode_write(module, &options, &bytes);
        check_same(module, &bytes, is_mlir);
        corrupt_and_read(ctx, &bytes, size);
        mlc_buf_release(&bytes);
    }
    if (module)
        mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return 0;
}
