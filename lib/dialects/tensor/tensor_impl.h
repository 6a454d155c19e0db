// tensor_impl.h -- what the files of the tensor dialect share.
#ifndef MLC_TENSOR_IMPL_H
#define MLC_TENSOR_IMPL_H

#include "mlc/dialects/tensor.h"

#include "mlc/ir.h"
#include "mlc/ir/reshape.h"

static inline bool
mlc_tensor_is_static(MlcType type)
{
    return mlc_type_has_rank(type) && mlc_type_has_static_shape(type);
}

extern const MlcReshapeOps mlc_tensor_reshapes;

// Everything `from` knows of a shape, `to` knows too; same element type, rank and encoding.
bool mlc_tensor_knows_as_much(MlcType to, MlcType from);
// Whether tensor.cast may go from one to the other.
bool mlc_tensor_types_cast(MlcType from, MlcType to);
// The tensor.cast that makes `value`, if its user may take what was cast instead: that is known as
// well or better. NULL otherwise.
MlcOp *mlc_tensor_foldable_cast(MlcValue *value);
// Size of a padded dimension: `otherwise` where something is not known, or the sum no size.
int64_t mlc_tensor_padded_size(int64_t size, int64_t low, int64_t high, int64_t otherwise);
// Takes the sources of such casts as operands instead; true if there was one.
bool mlc_tensor_fold_casts(MlcOp *op);

// `value`, cast to `type` if it has another.
MlcValue *mlc_tensor_cast_to(MlcBuilder *b, MlcType type, MlcValue *value);
// Replaces op's only result by `value`, cast to its type if need be. Returns true.
bool mlc_tensor_replace_cast(MlcRewriter *rw, MlcOp *op, MlcValue *value);

// The type of the same kind with another shape, and no encoding.
MlcType mlc_tensor_shaped_like(MlcType type, const int64_t *shape, size_t rank);
// The type of a slice with these sizes; with `rank` dimensions, of which the leftmost that are 1
// are left out.
MlcType mlc_tensor_slice_type(MlcType source, const MlcMixedList *sizes, size_t rank);

// A slice's fault against the types it goes between, as MLIR names it; NULL: none.
const char *mlc_tensor_slice_fault(MlcType slice, MlcType whole, const int64_t *sizes, size_t rank);

// A splat constant in another static shape; NULL for what is no splat.
MlcAttr mlc_tensor_splat_in(MlcAttr constant, MlcType type);

#endif
