// mlir_bytecode.c -- the reader of MLIR's bytecode on arbitrary bytes. The seeds are what
// mlir-opt-19 writes for test/lit/ir/mlir-bytecode.
#include "common.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = fuzz_context();
    fuzz_read_bytecode(ctx, data, size);
    mlc_context_destroy(ctx);
    return 0;
}
