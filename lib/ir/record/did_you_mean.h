// did_you_mean.h -- private to lib/ir and mlc-gen: what a definition may have meant by a name that
// nothing has.
#ifndef MLC_IR_DID_YOU_MEAN_H
#define MLC_IR_DID_YOU_MEAN_H

#include "mlc/ir/def.h"
#include "mlc/support/arena.h"
#include "mlc/support/vec.h"

typedef MLC_VEC(MlcStr) MlcNames; // what there is; borrowed

// "; did you mean 'x'?", in the arena, or "" where none is near enough. Releases the names.
const char *mlc_did_you_mean(MlcArena *arena, MlcStr wrong, MlcNames *names);
// The same of words; NULL ends them.
const char *mlc_did_you_mean_word(MlcArena *arena, MlcStr wrong, const char *const *words);
// Of a dialect's ops, with its name where the wrong one has a dot; NULL: there is none.
const char *mlc_did_you_mean_op(MlcArena *arena, MlcStr wrong, const MlcDialectDef *dialect);
// Of an op's attributes; with `groups` of its operands and results, too.
const char *mlc_did_you_mean_attr(MlcArena *arena, MlcStr wrong, const MlcOpDef *op, bool groups);

#endif
