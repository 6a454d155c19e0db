// graph_constants.h -- what the graph passes do to constants: read numbers, make new ones, move
// elements about.
#ifndef MLC_PASSES_GRAPH_CONSTANTS_H
#define MLC_PASSES_GRAPH_CONSTANTS_H

#include "mlc/ir.h"

// The numbers of an elements attribute of float type, as doubles; `count` must be its number of
// elements. False if it has no bytes, or is no tensor of floats.
bool mlc_constant_read(MlcAttr attr, double *numbers, size_t count);

// An elements attribute of a float tensor type from doubles, rounded. Big ones are blobs named
// after `key`.
MlcAttr mlc_constant_make(MlcType type, const double *numbers, size_t count, MlcStr key);

// The elements in another order: result dimension i is dimension perm[i]. `shape` (of `rank`) is
// how the attribute's elements are seen, which may differ from its own type's shape; the result has
// the permuted shape. NULL if there are no bytes to move.
MlcAttr mlc_constant_permute(MlcAttr attr, const int64_t *shape, const int64_t *perm, size_t rank);

// The same elements under another shape.
MlcAttr mlc_constant_reshape(MlcAttr attr, const int64_t *shape, size_t rank);

// `count` of the first dimension's rows from `first` on; the bytes of a blob are shared. NULL if
// there are no bytes.
MlcAttr mlc_constant_rows(MlcAttr attr, int64_t first, int64_t count);

// A name for what is made from `attr`: its resource key, or "constant".
MlcStr mlc_constant_key(MlcAttr attr);

// A graph.constant before `before`, at its location.
MlcValue *mlc_constant_build(MlcOp *before, MlcAttr value);

// Bytes of the attribute's elements.
size_t mlc_constant_bytes(MlcAttr attr);

#endif
