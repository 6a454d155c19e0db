// text_parser.c -- the text parser and printer on arbitrary bytes: whatever parses prints, and what
// is valid comes back the same, in the generic form and in the custom one.
#include "common.h"

static void
print(MlcOp *module, bool generic, MlcBuf *out)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = flags.debug_info = generic;
    mlc_op_print(module, &flags, out);
}

static void
check_round_trip(MlcOp *module, bool generic)
{
    MlcContext *ctx = fuzz_context(); // a resource would get another name in the module's own
    MlcBuf before = {0}, after = {0};
    print(module, generic, &before);
    MlcOp *again = fuzz_parse(ctx, before.data, before.size);
    if (again && mlc_verify(again))
        print(again, generic, &after);
    fuzz_check_same("text does not come back as it was", &before, &after);
    if (again)
        mlc_op_destroy(again);
    mlc_context_destroy(ctx);
    mlc_buf_release(&before);
    mlc_buf_release(&after);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (mlc_is_bytecode(mlc_str_n((const char *)data, size)))
        return 0;
    MlcContext *ctx = fuzz_context();
    MlcOp *module = fuzz_parse(ctx, data, size);
    if (module && mlc_verify(module)) {
        check_round_trip(module, true);
        check_round_trip(module, false);
    } else if (module) { // printed in diagnostics, and with --verify=false
        MlcBuf text = {0};
        print(module, size % 2, &text);
        mlc_buf_release(&text);
    }
    if (module)
        mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return 0;
}
