// dialect_yaml.c -- a dialect in YAML, then behind a line "// ir" a text that uses it:
// --load-dialect.
//
// A dialect may name any function of the process as a hook, as a plugin may: those are loaded, but
// no text is read with them.
#include "common.h"

#include "mlc/ir/extension.h"

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
    MlcStr ir, yaml = fuzz_cut_ir(data, size, &ir);
    MlcContext *ctx = fuzz_context();
    const char *path = fuzz_write("fuzz.yaml", yaml.data, yaml.size);
    mlc_package_destroy(mlc_package_read(ctx, path));
    bool ok = mlc_load_dialect(ctx, path);
    if (ok && ir.size > 0 && !names_functions(yaml)) {
        MlcOp *module = fuzz_parse(ctx, ir.data, ir.size);
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
