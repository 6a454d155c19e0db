// passes.c -- the generic passes on whatever parses and verifies: they end, and leave valid IR.
#include "run_passes.h"

static void
run(MlcContext *ctx, MlcOp *module, const char *pipeline)
{
    MlcBuf before = {0}, after = {0};
    mlc_op_print(module, NULL, &before);
    if (!fuzz_run_passes(ctx, module, pipeline)) {
        mlc_op_print(module, NULL, &after);
        fprintf(stderr, "%s leaves invalid IR:\n%s\n---\n%s\n", pipeline, mlc_buf_c_str(&before),
                mlc_buf_c_str(&after));
        abort();
    }
    mlc_buf_release(&before);
    mlc_buf_release(&after);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const others[] = {
        "builtin.module(inline)",
        "builtin.module(canonicalize{region-simplify=aggressive})",
        "builtin.module(any(loop-invariant-code-motion,control-flow-sink,topological-sort))",
        "builtin.module(any(mem2reg,sroa))",
        "builtin.module(symbol-privatize,symbol-dce,remove-dead-values)",
    };
    MlcContext *ctx = fuzz_context();
    MlcOp *module = fuzz_parse_valid(ctx, data, size);
    if (module) {
        run(ctx, module, "builtin.module(canonicalize,cse,sccp)");
        run(ctx, module, others[size % (sizeof others / sizeof *others)]);
    }
    if (module)
        mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return 0;
}
