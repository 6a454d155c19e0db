// memref_build.h -- buffers as the address where they begin, and back: what a call passes where
// layouts are known on both sides, or are no parameters.
//
// Ownership: ops belong to where the builder is.
// Threads: as for building ops (mlc/ir/builder.h).
#ifndef MLC_DIALECTS_MEMREF_BUILD_H
#define MLC_DIALECTS_MEMREF_BUILD_H

#include "mlc/ir/mixed.h"

MLC_BEGIN_DECLS

// Whether strides of the memref are open: what passes it has to pass them too. Other types: false.
bool mlc_memref_has_open_strides(MlcType type);
// The buffer of rank 0 that has no layout, with the elements and the memory space of `memref`.
MlcType mlc_memref_element_type(MlcType memref);
// The first element of a buffer without a layout, or, for its address alone, of any.
MlcValue *mlc_build_address(MlcBuilder *b, MlcValue *buffer);
// The buffer of that type and shape that begins there, without gaps.
MlcValue *mlc_build_buffer_at(MlcBuilder *b, MlcValue *address, MlcType type,
                              const MlcMixedList *shape);

MLC_END_DECLS

#endif
