// check_dialect.h -- private to lib/ir: texts in a loaded dialect's records.
#ifndef MLC_IR_CHECK_DIALECT_H
#define MLC_IR_CHECK_DIALECT_H

#include "mlc/ir/fwd.h"
#include "yaml_loader.h"

// Whether they are what they stand for; false after located diagnostics. The dialect is registered,
// and `loader` has just read it.
bool mlc_check_dialect(MlcContext *ctx, MlcYamlLoader *loader, const MlcDialectDef *dialect);

#endif
