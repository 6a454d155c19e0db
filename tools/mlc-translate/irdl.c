// irdl.c -- --irdl-to-yaml, --yaml-to-irdl, --dialect-to-irdl.
#include "irdl.h"

#include "mlc/dialects.h"
#include "mlc/dialects/irdl.h"
#include "mlc/frontend/irdl.h"
#include "mlc/ir/context.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/loc.h"

bool
irdl_to_yaml(MlcOp *module, MlcBuf *out)
{
    size_t n = 0;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_irdl_dialect_isa(op))
            continue;
        mlc_buf_append_c(out, n++ ? "---\n" : "");
        if (!mlc_irdl_to_yaml(op, out))
            return false;
    }
    return n > 0 || mlc_op_error(module, "has no 'irdl.dialect' in it");
}

bool
yaml_to_irdl(MlcContext *ctx, const char *path, MlcBuf *out)
{
    if (!mlc_load_dialect(ctx, path))
        return false;
    mlc_dialect_to_irdl(mlc_context_dialect_at(ctx, mlc_context_num_dialects(ctx) - 1), out);
    return true;
}

bool
dialect_to_irdl(MlcContext *ctx, MlcStr name, MlcBuf *out)
{
    const MlcDialectDef *dialect = mlc_context_dialect(ctx, name);
    if (!dialect)
        return mlc_error(ctx, mlc_loc_unknown(ctx), "no dialect '%.*s' is registered",
                         MLC_STR_FMT(name));
    mlc_dialect_to_irdl(dialect, out);
    return true;
}
