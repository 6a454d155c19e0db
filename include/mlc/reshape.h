// reshape.h -- folds and patterns of ops that split and join dimensions, for any dialect that has
// such a pair (tensor, memref).
#ifndef MLC_RESHAPE_H
#define MLC_RESHAPE_H

#include "mlc/ir/reassociation.h"
#include "mlc/rewrite.h"

MLC_BEGIN_DECLS

// Both ops have the source first and an attribute `reassociation`; the expansion has a list
// `output_shape`.
typedef struct MlcReshapeOps {
    const MlcOpDef *expand, *collapse, *cast;
} MlcReshapeOps;

// Nothing reshaped, constants reshaped, and one reshape undone by the other; a fold hook.
MLC_API bool mlc_reshape_fold(MlcOp *op, const MlcReshapeOps *ops, const MlcAttr *constants,
                              MlcFold *results);
// expand(expand(x)) -> expand(x), collapse(collapse(x)) -> collapse(x)
MLC_API bool mlc_reshape_compose(MlcRewriter *rw, MlcOp *op, const MlcReshapeOps *ops);
// collapse(expand(x)) -> collapse(x), expand(x) or cast(x), whichever the ranks ask for
MLC_API bool mlc_reshape_collapse_of_expand(MlcRewriter *rw, MlcOp *op, const MlcReshapeOps *ops);
// expand(collapse(x)) -> collapse(x) or expand(x)
MLC_API bool mlc_reshape_expand_of_collapse(MlcRewriter *rw, MlcOp *op, const MlcReshapeOps *ops);

// A collapse, or an expansion to `type` with `shape` as its sizes (NULL: those of a static type).
MLC_API MlcOp *mlc_build_collapse(MlcBuilder *b, const MlcReshapeOps *ops, MlcType type,
                                  MlcValue *source, const MlcGroups *groups);
MLC_API MlcOp *mlc_build_expand(MlcBuilder *b, const MlcReshapeOps *ops, MlcType type,
                                MlcValue *source, const MlcGroups *groups,
                                const MlcMixedList *shape);

MLC_END_DECLS

#endif
