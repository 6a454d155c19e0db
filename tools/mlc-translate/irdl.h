// irdl.h -- definitions of dialects between YAML and IRDL.
#ifndef MLC_TOOLS_MLC_TRANSLATE_IRDL_H
#define MLC_TOOLS_MLC_TRANSLATE_IRDL_H

#include "mlc/ir/op.h"
#include "mlc/support/buf.h"

// Append to `out`; false after diagnostics.
bool irdl_to_yaml(MlcOp *module, MlcBuf *out); // its dialects, `---` between them
bool yaml_to_irdl(MlcContext *ctx, const char *path, MlcBuf *out);
bool dialect_to_irdl(MlcContext *ctx, MlcStr name, MlcBuf *out);

#endif
