// llvm_inline.h -- private: what an inlined body of LLVM's ops needs beyond its copy.
#ifndef MLC_LLVM_INLINE_H
#define MLC_LLVM_INLINE_H

#include "mlc/ir/inline.h"

// A mark on the copy of a pointer that stands for a `noalias` argument; resolved with the scopes.
MlcValue *mlc_llvm_mark_no_alias(MlcBuilder *b, MlcValue *argument);
// Scopes of the copy become its own, marked arguments become scopes, and what the call says of its
// accesses (alias scopes, access groups) is said of the ops that took its place.
void mlc_llvm_inline_metadata(const MlcInlining *in, MlcRegion *copy);
// Places of loops say that they were called from the caller's subprogram.
void mlc_llvm_inline_loop_places(const MlcInlining *in, MlcRegion *copy);

#endif
