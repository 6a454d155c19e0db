// linalg_winograd.h -- Winograd's minimal filtering F(m x m, r x r): the constant matrices.
//
// Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", arXiv:1509.09308:
// Y = A^T [(G g G^T) * (B^T d B)] A for a tile d of alpha x alpha inputs, alpha = m + r - 1.
//
// Ownership: matrices lie in the caller's memory.
// Threads: any.
#ifndef MLC_DIALECTS_LINALG_WINOGRAD_H
#define MLC_DIALECTS_LINALG_WINOGRAD_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

enum { MLC_WINOGRAD_MAX = 6 }; // rows and columns

typedef struct MlcWinograd {
    int64_t m, r, alpha;
    const double *input;  // B^T, [alpha][alpha]
    const double *filter; // G, [alpha][r]
    const double *output; // A^T, [m][alpha]
} MlcWinograd;
// F(2, 3) and F(4, 3); NULL for others.
MLC_API const MlcWinograd *mlc_winograd_find(int64_t m, int64_t r);

// G g G^T of one channel of one filter: `from` [r][r] of f32, aligned or not, with `stride`
// elements between neighbours, `to` [alpha][alpha] likewise. Computed in double, rounded once.
MLC_API void mlc_winograd_filter(const MlcWinograd *w, const void *from, size_t from_stride,
                                 float *to, size_t to_stride);

// How much errors made where the products of a tile are summed up grow on their way to the result,
// root mean square, next to those of the direct sum: for the worst output of a tile, and elements
// of the image that are all as large. `products` [r * r][r * r] are those of each two taps of a
// filter, summed up over channels. 1.0 to 3.0 for F(2, 3), 3.6 to 16 for F(4, 3); NaN of a filter
// of zeros.
MLC_API double mlc_winograd_gain(const MlcWinograd *w, const double *products);

MLC_END_DECLS

#endif
