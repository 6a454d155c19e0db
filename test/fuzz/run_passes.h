// run_passes.h -- for targets that run passes: on modules that are valid, one thread, no output.
#ifndef MLC_TEST_FUZZ_RUN_PASSES_H
#define MLC_TEST_FUZZ_RUN_PASSES_H

#include "common.h"

#include "mlc/ir/rule.h"
#include "mlc/pass.h"

// The module of a text if it is valid; NULL otherwise.
static inline MlcOp *
fuzz_parse_valid(MlcContext *ctx, const void *data, size_t size)
{
    if (mlc_is_bytecode(mlc_str_n((const char *)data, size)))
        return NULL;
    MlcOp *module = fuzz_parse(ctx, data, size);
    if (mlc_op_is_named(module, "builtin.module") && mlc_verify(module))
        return module;
    if (module)
        mlc_op_destroy(module);
    return NULL;
}

// Runs them without verifying; whether the module is still valid.
static inline bool
fuzz_run_passes(MlcContext *ctx, MlcOp *module, const char *pipeline)
{
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.verify_each = false;
    config.threads = 1;
    MlcPassManager *pm = mlc_pass_manager_create(ctx, &config);
    if (!mlc_pass_manager_parse(pm, mlc_str(pipeline)))
        abort();
    mlc_pass_manager_run(pm, module);
    mlc_pass_manager_destroy(pm);
    return mlc_verify(module);
}

#endif
