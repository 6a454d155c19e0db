// irdl.c -- definitions in IRDL, then behind a line "// ir" a text that uses them: --irdl-file. What
// is registered is written as IRDL again.
#include "common.h"

#include "mlc/frontend/irdl.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcStr ir, irdl = fuzz_cut_ir(data, size, &ir);
    MlcContext *ctx = fuzz_context();
    size_t num_built_in = mlc_context_num_dialects(ctx);
    if (mlc_load_irdl(ctx, fuzz_write("fuzz.irdl.mlir", irdl.data, irdl.size))) {
        MlcOp *module = ir.size > 0 ? fuzz_parse(ctx, ir.data, ir.size) : NULL;
        MlcBuf out = {0};
        for (size_t i = num_built_in; i < mlc_context_num_dialects(ctx); i++)
            mlc_dialect_to_irdl(mlc_context_dialect_at(ctx, i), &out);
        if (module && mlc_verify(module))
            fuzz_print(module, &out);
        mlc_buf_release(&out);
        if (module)
            mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
    return 0;
}
