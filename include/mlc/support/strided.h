// strided.h -- elements of constants: read where they lie, and moved between strided places, which
// transposes, permutes and packs them.
//
// They need not be aligned: a model's weights stay where they are in its file.
//
// Ownership: both sides are the caller's memory.
// Threads: any, on places of their own.
#ifndef MLC_SUPPORT_STRIDED_H
#define MLC_SUPPORT_STRIDED_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// The `i`-th of the f32 from `data` on.
static inline float
mlc_f32_at(const void *data, int64_t i)
{
    float value;
    memcpy(&value, (const char *)data + (int64_t)sizeof value * i, sizeof value);
    return value;
}

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
