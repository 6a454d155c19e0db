// load_irdl.c -- `--irdl-file`: what a file in IRDL defines, by way of YAML.
#include "mlc/dialects.h"
#include "mlc/dialects/irdl.h"
#include "mlc/frontend/irdl.h"
#include "mlc/ir.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/text.h"
#include "mlc/ir/verify.h"
#include "mlc/support/file.h"

static bool
load_dialects(MlcContext *ctx, MlcOp *module, const char *path)
{
    bool ok = true, is_any = false;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0))) {
        MlcBuf yaml = {0};
        if (!mlc_irdl_dialect_isa(op))
            continue;
        is_any = true;
        ok = mlc_irdl_to_yaml(op, &yaml) && mlc_define_dialect(ctx, mlc_buf_str(&yaml), path);
        mlc_buf_release(&yaml);
        if (!ok)
            return false;
    }
    return is_any || mlc_error(ctx, mlc_loc_file(ctx, mlc_str(path), 1, 1),
                               "the file defines no dialect: there is no 'irdl.dialect'");
}

bool
mlc_load_irdl(MlcContext *ctx, const char *path)
{
    MlcFile file;
    MlcBuf error = {0};
    if (!mlc_file_open(&file, path, MLC_FILE_PRIVATE, &error)) {
        mlc_error(ctx, mlc_loc_unknown(ctx), "%s", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return false;
    }
    MlcStr name = mlc_str(strcmp(path, "-") == 0 ? "<stdin>" : path);
    MlcOp *module = mlc_parse_module(ctx, mlc_str_n(file.data, file.size), name);
    bool ok = module && mlc_verify(module) && load_dialects(ctx, module, name.data);
    if (ok)
        mlc_context_add_extension(ctx, MLC_EXTENSION_IRDL, path);
    if (module)
        mlc_op_destroy(module);
    mlc_diag_flush(ctx);
    mlc_context_remove_source(ctx, mlc_str_n(file.data, file.size));
    mlc_file_release(&file);
    return ok;
}
