// reshape.h -- folds and patterns of ops that split and join dimensions, for any dialect that has
// such a pair (tensor, memref).
//
// Ownership: new ops belong to their block.
// Threads: as for editing ops (mlc/ir/op.h).
#ifndef MLC_IR_RESHAPE_H
#define MLC_IR_RESHAPE_H

#include "mlc/ir/reassociation.h"
#include "mlc/ir/rewrite.h"

MLC_BEGIN_DECLS

// Both ops have the source first and an attribute `reassociation`; the expansion has a list
// `output_shape`.
typedef struct MlcReshapeOps {
    const MlcOpDef *expand, *collapse, *cast;
    // The cast that made a value and that a user may look through, as its source is known as well;
    // NULL: none.
    MlcOp *(*foldable_cast)(MlcValue *value);
    // What `source` collapses to; NULL: its layout does not allow it.
    MlcType (*collapsed)(MlcType source, const MlcGroups *groups, const int64_t *shape,
                         size_t rank);
} MlcReshapeOps;

// Nothing reshaped, constants reshaped, and one reshape undone by the other; a fold hook.
MLC_API bool mlc_reshape_fold(MlcOp *op, const MlcReshapeOps *ops, const MlcAttr *constants,
                              MlcFold *results);
// Reshapes that meet become one, and a collapse goes before a cast that knows less.
MLC_API void mlc_reshape_collapse_patterns(MlcPatternSet *set, const MlcReshapeOps *ops);
MLC_API void mlc_reshape_expand_patterns(MlcPatternSet *set, const MlcReshapeOps *ops);

// A collapse, or an expansion to `type` with `shape` as its sizes (NULL: those of a static type).
MLC_API MlcOp *mlc_build_collapse(MlcBuilder *b, const MlcReshapeOps *ops, MlcType type,
                                  MlcValue *source, const MlcGroups *groups);
MLC_API MlcOp *mlc_build_expand(MlcBuilder *b, const MlcReshapeOps *ops, MlcType type,
                                MlcValue *source, const MlcGroups *groups,
                                const MlcMixedList *shape);

MLC_END_DECLS

#endif
