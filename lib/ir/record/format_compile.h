// format_compile.h -- compiles a `format:` string to the program in MlcFormat. Stands on support
// and def.h alone: the dialect generator calls it when building, the loader at run time.
#ifndef MLC_IR_FORMAT_COMPILE_H
#define MLC_IR_FORMAT_COMPILE_H

#include "mlc/ir/def.h"
#include "mlc/support/arena.h"
#include "mlc/support/buf.h"

// For an op. `def` needs its groups, attribute slots, regions and successors filled in (constraints
// included: a unit attribute is told by its constraint). What `out` points to lives in `arena`.
// False with "offset N: message" appended to `error`, N counted from 0 in `text`.
bool mlc_format_compile_op(const MlcOpDef *def, MlcStr text, MlcArena *arena, MlcFormat *out,
                           MlcBuf *error);

// For a type or attribute: what follows the mnemonic.
bool mlc_format_compile_params(const MlcParamDef *params, size_t num_params, MlcStr text,
                               MlcArena *arena, MlcFormat *out, MlcBuf *error);

#endif
