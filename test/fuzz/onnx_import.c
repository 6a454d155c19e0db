// onnx_import.c -- any bytes as a model: imported or refused, and what is imported verifies.
#include "mlc/dialects.h"
#include "mlc/frontend/onnx.h"
#include "mlc/ir.h"

#include <stdlib.h>

static void
ignore(const MlcDiag *diag, void *user)
{
    (void)diag;
    (void)user;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = mlc_context_create();
    MlcImportStatus status;
    mlc_register_all_dialects(ctx);
    mlc_context_set_diag_handler(ctx, ignore, NULL);
    MlcOp *module = mlc_onnx_import_bytes(ctx, "fuzz.onnx", data, size, &status);
    if (module) {
        if (status != MLC_IMPORT_OK || !mlc_verify(module))
            abort();
        mlc_op_destroy(module);
    } else if (status == MLC_IMPORT_OK ||
               (status == MLC_IMPORT_INVALID && mlc_context_num_errors(ctx) == 0)) {
        abort(); // refused without a word
    }
    mlc_diag_flush(ctx);
    mlc_context_destroy(ctx);
    return 0;
}
