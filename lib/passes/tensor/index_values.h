// index_values.h -- positions as affine expressions over a list of index values: dim i is
// values.data[i].
//
// They stay expressions until an op needs them, so that offsets of nested slices are added up
// instead of chained.
#ifndef MLC_PASSES_INDEX_VALUES_H
#define MLC_PASSES_INDEX_VALUES_H

#include "mlc/ir.h"
#include "mlc/support/map.h"

typedef struct MlcIndexValues {
    MlcValueVec values;
    MlcMap cache; // expression -> index value, for ops made in `block`
    MlcBlock *block;
} MlcIndexValues;
void mlc_index_values_release(MlcIndexValues *indices);
// The dim that stands for `value`; an affine.apply is seen through.
MlcAffineExpr mlc_index_values_expr(MlcIndexValues *indices, MlcContext *ctx, MlcValue *value);
// The value of `e` at the builder's place: a constant, an induction variable or an affine.apply.
MlcValue *mlc_index_values_at(MlcIndexValues *indices, MlcBuilder *b, MlcAffineExpr e);

// scf.for with the builder left at the end of its empty body; the caller makes the scf.yield.
MlcOp *mlc_build_for(MlcBuilder *b, int64_t lower, int64_t upper, int64_t step,
                     MlcValue *const *inits, size_t num_inits);
MlcOp *mlc_build_for_values(MlcBuilder *b, MlcValue *from, MlcValue *to, int64_t step,
                            MlcValue *const *inits, size_t num_inits);

#endif
