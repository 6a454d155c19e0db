// text_parser.c -- the text parser and printer on arbitrary bytes: whatever is accepted prints, and
// what is printed is accepted again.
#include "common.h"

static void
round_trip(MlcContext *ctx, MlcOp *module)
{
    MlcBuf first = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = true;
    mlc_op_print(module, &flags, &first);
    MlcOp *again = fuzz_parse(ctx, first.data, first.size);
    if (again)
        mlc_op_destroy(again);
    mlc_buf_clear(&first);
    mlc_op_print(module, NULL, &first);
    mlc_buf_release(&first);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = fuzz_context();
    MlcOp *module =
        mlc_is_bytecode(mlc_str_n((const char *)data, size)) ? NULL : fuzz_parse(ctx, data, size);
    if (module) {
        if (mlc_verify(module))
            round_trip(ctx, module);
        mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
    return 0;
}
