// dialect_yaml.c -- a dialect in YAML, then behind a line "// ir" a text that uses it:
// --load-dialect.
//
// A dialect may name any function of the process as a hook, as a plugin may: those are loaded, but
// no text is read with them.
#include "common.h"

static bool
names_functions(MlcStr yaml)
{
    static const char *const keys[] = {"hook", "interface", "check", "mlc_", "\\"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (memmem(yaml.data, yaml.size, keys[i], strlen(keys[i])))
            return true;
    return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n// ir\n";
    const char *text = (const char *)data, *at = memmem(data, size, mark, sizeof mark - 1);
    MlcStr yaml = mlc_str_n(text, at ? (size_t)(at - text) : size);
    MlcContext *ctx = fuzz_context();
    bool ok = mlc_load_dialect(ctx, fuzz_write("fuzz.yaml", yaml.data, yaml.size));
    if (ok && at && !names_functions(yaml)) {
        MlcOp *module = fuzz_parse(ctx, at, size - yaml.size);
        if (module && mlc_verify(module)) {
            MlcBuf out = {0};
            mlc_op_print(module, NULL, &out);
            mlc_buf_release(&out);
        }
        if (module)
            mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
    return 0;
}
