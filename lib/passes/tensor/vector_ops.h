// vector_ops.h -- the vector ops that linalg_vectorize writes, and types of vectors.
#ifndef MLC_PASSES_VECTOR_OPS_H
#define MLC_PASSES_VECTOR_OPS_H

#include "mlc/ir.h"
#include "mlc/machine.h"

// Vectors have MLC_MAX_LANES lanes at most: as many as the widest machine's registers.
typedef struct MlcChunk {
    int64_t start;   // along the last dimension
    int64_t lanes;   // elements that count
    int64_t width;   // of the vector; 0: a scalar
    MlcValue *count; // of the elements, where that is known only when the kernel runs; else NULL
} MlcChunk;

// vector<width x element>, or the element where width is 0.
MlcType mlc_lanes_type(MlcType element, int64_t width);
// The first `lanes`, or `count`, of `width` are on; NULL where all are.
MlcValue *mlc_build_mask(MlcBuilder *b, MlcChunk c);
// A chunk read from, or written to, a tensor along its last dimension; masked where it is partial.
MlcValue *mlc_build_transfer_read(MlcBuilder *b, MlcValue *source, MlcValue *const *index,
                                  size_t rank, MlcChunk c);
MlcValue *mlc_build_transfer_write(MlcBuilder *b, MlcValue *vector, MlcValue *dest,
                                   MlcValue *const *index, size_t rank, MlcChunk c);
// A scalar in all lanes; the scalar itself where width is 0.
MlcValue *mlc_build_splat(MlcBuilder *b, MlcValue *scalar, int64_t width);
// Transposes a square in place: lane l of rows[p] becomes what lane p of rows[l] was. `width` rows
// of as many lanes, a power of two.
void mlc_build_transpose(MlcBuilder *b, MlcValue **rows, int64_t width);
// One lane of a vector.
MlcValue *mlc_build_lane(MlcBuilder *b, MlcValue *vector, int64_t lane);

#endif
