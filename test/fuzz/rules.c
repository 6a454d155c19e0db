// rules.c -- rules, then behind a line "// ir" a text that they are applied to: --load-rules, and
// the lowering `one` where there is one. What a file's rules make may be wrong, which the verifier
// says, but nothing crashes or runs for ever.
#include "run_passes.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcStr ir, rules = fuzz_cut_ir(data, size, &ir);
    MlcContext *ctx = fuzz_context();
    if (mlc_load_rules(ctx, fuzz_write("fuzz.rules", rules.data, rules.size)) && ir.size > 0) {
        MlcOp *module = fuzz_parse_valid(ctx, ir.data, ir.size);
        MlcBuf out = {0};
        bool lowers = mlc_rule_set_find(ctx, mlc_str("one")) != NULL;
        bool is_valid =
            module && (!lowers || fuzz_run_passes(ctx, module, "builtin.module(lower{by=one})"));
        if (is_valid && fuzz_run_passes(ctx, module, "builtin.module(canonicalize)"))
            mlc_op_print(module, NULL, &out);
        mlc_buf_release(&out);
        if (module)
            mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
    return 0;
}
