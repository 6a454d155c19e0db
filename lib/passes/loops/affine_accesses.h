// affine_accesses.h -- what an op and all in it touch in memory, by affine expressions.
#ifndef MLC_PASSES_AFFINE_ACCESSES_H
#define MLC_PASSES_AFFINE_ACCESSES_H

#include "mlc/dialects/affine_gather.h"
#include "mlc/ir.h"

// An access, as expressions of index values in every dimension of its root buffer, `extent`
// elements from there on.
typedef struct MlcAccess {
    MlcOp *op;
    MlcValue *root;
    bool is_write;
    size_t rank;
    MlcAffineExpr index[MLC_SMALL_RANK];
    int64_t extent[MLC_SMALL_RANK];
} MlcAccess;

typedef struct MlcAccesses {
    MlcOp *op;        // set by the caller
    MlcGather values; // shared by all expressions
    MLC_VEC(MlcAccess) list;
} MlcAccesses;
// All accesses of `nest->op` to what is not allocated inside it. Returns the op of which they are
// not known, NULL if there is none. The caller releases `list`.
MlcOp *mlc_accesses_collect(MlcAccesses *nest);
// For a remark, after a mlc_accesses_collect that returned an op: why, if a limit was reached, else
// "".
const char *mlc_accesses_limit(const MlcAccesses *nest);
// One of two accesses, in different iterations of the loop `nest->op`, that may touch the same
// element, one of them writing; NULL if there is none.
const MlcAccess *mlc_accesses_conflict(const MlcAccesses *nest, int64_t step);
// Whether a, in n->op, and b, in m->op, touch no index in common, in buffers of the same shape; the
// ops are in no loops.
bool mlc_access_is_apart(const MlcAccesses *n, const MlcAccess *a, const MlcAccesses *m,
                         const MlcAccess *b);
// Whether `a`, a read, is always through with an element when `b`, a write to a buffer of the same
// shape, reaches the one of that index. Both are in `nest->op`, in affine loops and conditions.
bool mlc_access_is_first(const MlcAccesses *nest, const MlcAccess *a, const MlcAccess *b);
// Whether the loops of `band`, a perfect nest of affine.for from `nest->op` inwards, may be run in
// any order: no dependence has a positive distance in one of them and a negative one in another.
bool mlc_accesses_permutable(const MlcAccesses *nest, MlcOp *const *band, size_t num_loops);
// Bytes of the boxes around what is touched of each buffer; -1 if that is not known.
int64_t mlc_accesses_footprint(const MlcAccesses *nest);
// Whether two ops, in no loops themselves, write nothing that the other one touches.
bool mlc_accesses_disjoint(const MlcAccesses *n, const MlcAccesses *m);

#endif
