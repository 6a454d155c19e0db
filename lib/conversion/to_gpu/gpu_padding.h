// gpu_padding.h -- buffers that hold another one in their middle and one number around it, which
// nobody needs to make: a reader asks whether it is inside.
#ifndef MLC_CONVERSION_GPU_PADDING_H
#define MLC_CONVERSION_GPU_PADDING_H

#include "mlc/ir.h"

typedef struct Padding {
    MlcValue *source;               // what is inside: a buffer without gaps, of the same rank
    MlcAttr around;                 // the number
    int64_t low[MLC_SMALL_RANK];    // elements before it, by dimension
    bool is_padded[MLC_SMALL_RANK]; // there may be elements before or behind it
} Padding;

// Whether what `reader` finds in `buffer` is such: a fill and a copy into its middle made it, and
// nobody writes what was copied afterwards.
bool gpu_padding_read(Padding *padding, MlcValue *buffer, MlcOp *reader);
// The op that fills the padded buffer, and the one that copies.
typedef struct PaddingOps {
    MlcOp *fill, *copy;
} PaddingOps;
PaddingOps gpu_padding_ops(MlcValue *buffer);
// Erases what makes the padded buffer `buffer` is a view of, and it, once nobody reads it.
void gpu_padding_erase(MlcValue *buffer);
// Loads the element at `indices` of the padded buffer.
MlcValue *gpu_padding_load(const Padding *padding, MlcBuilder *b, MlcValue *const *indices);

#endif
