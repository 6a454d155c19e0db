// builtin_names.h -- what IRDL calls builtin types and attributes, and what YAML does.
#ifndef MLC_FRONTEND_IRDL_BUILTIN_NAMES_H
#define MLC_FRONTEND_IRDL_BUILTIN_NAMES_H

#include "mlc/support/base.h"

typedef struct MlcIrdlBuiltin {
    const char *name; // "!builtin.integer"
    const char *yaml; // a constraint
    int kind;         // MlcTypeKind or MlcAttrKind; -1: a float type
} MlcIrdlBuiltin;
// NULL: none of that name.
const MlcIrdlBuiltin *mlc_irdl_builtin_named(MlcStr name);
// NULL: IRDL has no name for types, or attributes, of that kind.
const MlcIrdlBuiltin *mlc_irdl_builtin_of_kind(int kind, bool is_type);

#endif
