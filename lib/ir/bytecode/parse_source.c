// parse_source.c -- a module from a file's contents, text or bytecode.
#include "bytecode_read.h"
#include "mlc/ir/bytecode.h"
#include "mlc/ir/work.h"
#include "text/parse_impl.h"

static MlcOp *
parse_bytecode(MlcContext *ctx, MlcStr data, MlcStr name, const MlcParseOptions *options)
{
    MlcOp *root = mlc_bytecode_read(ctx, data, name, options->external);
    bool is_module = mlc_op_is_named(root, "builtin.module");
    if (!root || is_module || options->no_implicit_module)
        return root;
    MlcOp *module = mlc_make_module(ctx, name);
    mlc_block_append(mlc_region_first(mlc_op_region(module, 0)), root);
    return module;
}

MlcOp *
mlc_parse_source(MlcContext *ctx, MlcStr text, MlcStr name, const MlcParseOptions *options)
{
    MlcParseOptions own = {0};
    if (options)
        mlc_sized_copy(&own, sizeof own, options, "MlcParseOptions");
    MlcWork work;
    MlcLoc loc = mlc_quota_is_begun() ? mlc_loc_file(ctx, name, 1, 1) : NULL;
    mlc_work_begin(&work, ctx, loc, "reading", NULL);
    MlcOp *root = mlc_is_bytecode(text) ? parse_bytecode(ctx, text, name, &own)
                                        : mlc_parse_text(ctx, text, name, &own);
    mlc_work_end(&work);
    return root;
}

void
mlc_read_external_resources(MlcContext *ctx, MlcStr text, MlcStr name,
                            MlcExternalResources *resources)
{
    MlcDiagList faults = {0};
    mlc_diag_capture_begin(ctx, &faults);
    if (mlc_is_bytecode(text))
        bytecode_read_external(ctx, text, name, resources);
    else
        mlc_parse_external_resources(ctx, text, name, resources);
    mlc_diag_capture_end(ctx, &faults);
    mlc_diag_discard(ctx, &faults);
}

MlcOp *
mlc_parse_module(MlcContext *ctx, MlcStr text, MlcStr name)
{
    char *copy = mlc_context_alloc(ctx, text.size + 2, 1);
    if (text.size)
        memcpy(copy, text.data, text.size);
    copy[text.size] = copy[text.size + 1] = 0;
    return mlc_parse_source(ctx, mlc_str_n(copy, text.size), name, NULL);
}
