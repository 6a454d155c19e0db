// strided.h -- elements moved between strided places: what transposes, permutes and packs
// constants.
#ifndef MLC_SUPPORT_STRIDED_H
#define MLC_SUPPORT_STRIDED_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcStridedDim {
    int64_t size;
    int64_t to, from; // how many elements neighbours are apart, on either side
} MlcStridedDim;

// Copies the elements of `rank` dimensions, the last one innermost; an element has `width` bytes.
// The places do not overlap.
MLC_API void mlc_strided_copy(void *to, const void *from, size_t width, const MlcStridedDim *dims,
                              size_t rank);

MLC_END_DECLS

#endif
