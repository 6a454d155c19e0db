// rules.c -- rules, then behind a line "// ir" a text that they are applied to: --load-rules. What
// a file's rules make may be wrong, which the verifier says, but nothing crashes or runs for ever.
#include "run_passes.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n// ir\n";
    const char *text = (const char *)data, *at = memmem(data, size, mark, sizeof mark - 1);
    size_t rules_size = at ? (size_t)(at - text) : size;
    MlcContext *ctx = fuzz_context();
    if (mlc_load_rules(ctx, fuzz_write("fuzz.rules", data, rules_size)) && at) {
        MlcOp *module = fuzz_parse_valid(ctx, at, size - rules_size);
        MlcBuf out = {0};
        if (module && fuzz_run_passes(ctx, module, "builtin.module(canonicalize)"))
            mlc_op_print(module, NULL, &out);
        mlc_buf_release(&out);
        if (module)
            mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
    return 0;
}
