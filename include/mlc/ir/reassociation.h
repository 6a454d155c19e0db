// reassociation.h -- groups of neighbouring dimensions, as expand_shape and collapse_shape have
// them: group i of the expanded shape's dimensions is dimension i of the collapsed shape.
//
// Ownership: groups lie in the caller's structs.
// Threads: any.
#ifndef MLC_IR_REASSOCIATION_H
#define MLC_IR_REASSOCIATION_H

#include "mlc/ir/attr.h"
#include "mlc/ir/type.h"

MLC_BEGIN_DECLS

// Group i has the dimensions from ends[i - 1] (0 for the first) up to, not including, ends[i]. No
// groups: every dimension is 1, and the collapsed shape has rank 0.
typedef struct MlcGroups {
    size_t size;
    size_t ends[MLC_RANK_LIMIT];
} MlcGroups;

// The first dimension of group `i`.
static inline size_t
mlc_groups_first(const MlcGroups *groups, size_t i)
{
    return i ? groups->ends[i - 1] : 0;
}

// From [[0, 1], [2]]; false if it is not contiguous, or too long.
MLC_API bool mlc_groups_read(MlcAttr attr, MlcGroups *groups);
MLC_API MlcAttr mlc_groups_attr(MlcContext *ctx, const MlcGroups *groups);
MLC_API void mlc_groups_push(MlcGroups *groups, size_t num_dims);
MLC_API bool mlc_groups_equal(const MlcGroups *a, const MlcGroups *b);
// Groups of groups: two collapses, or two expansions, in one. False if they do not fit.
MLC_API bool mlc_groups_compose(const MlcGroups *a, const MlcGroups *b, MlcGroups *out);
// The groups that collapse `shape` to `target`; false if none do (for certain).
MLC_API bool mlc_groups_infer(const int64_t *shape, size_t rank, const int64_t *target,
                              size_t target_rank, MlcGroups *out);

// Result types of memrefs (MLIR's computeExpandedType and computeCollapsedType, not strict); NULL
// if the layout does not allow it. `shape` is the result's.
MLC_API MlcType mlc_memref_type_expand(MlcType source, const MlcGroups *groups,
                                       const int64_t *shape, size_t rank);
MLC_API MlcType mlc_memref_type_collapse(MlcType source, const MlcGroups *groups,
                                         const int64_t *shape, size_t rank);

MLC_END_DECLS

#endif
