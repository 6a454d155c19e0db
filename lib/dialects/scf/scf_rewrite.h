// scf_rewrite.h -- private: what the canonicalisations of loops and conditions share.
#ifndef MLC_SCF_REWRITE_H
#define MLC_SCF_REWRITE_H

#include "mlc/dialects/scf.h"

#include "mlc/ir/rewrite.h"

static inline MlcBlock *
scf_body(const MlcOp *op, size_t region)
{
    return mlc_region_first(mlc_op_region(op, region));
}

// The ops of `block` take the place of `op`, the values that its end yields those of op's results.
void mlc_scf_replace_with_body(MlcRewriter *rw, MlcOp *op, MlcBlock *block, MlcValue *const *args);
// In place.
void mlc_scf_set_operands(MlcRewriter *rw, MlcOp *op, const MlcValueVec *values);
// A block of arguments of these types at the end of `region`; the builder stays where it is.
MlcBlock *mlc_scf_add_block(MlcRewriter *rw, MlcRegion *region, const MlcTypeVec *types);
// Iterations of a loop from `lower` to `upper`, where they are constants or the same; else -1.
bool mlc_scf_trip_count(MlcMixed lower, MlcMixed upper, MlcMixed step, int64_t *count);
// A tensor.cast between two ranked types whose source knows all that its result knows.
bool mlc_scf_is_cast_to_less(const MlcOp *op);
bool mlc_scf_region_holds(const MlcRegion *region, const MlcOp *op);

#endif
