// vector_impl.h -- what the folds, patterns and verifiers of vector share: operands and types by
// number, lists of integers, masks whose lanes are known.
#ifndef MLC_VECTOR_IMPL_H
#define MLC_VECTOR_IMPL_H

#include "mlc/dialects/vector.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"

// Vectors of a higher rank are verified, but no rewrite is for them.
static inline MlcOp *
operand_def(const MlcOp *op, size_t i)
{
    return mlc_value_def(mlc_op_operand(op, i));
}

static inline bool
is_vector(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_VECTOR);
}

// Rank, 0 of scalars.
static inline size_t
rank_of(MlcType type)
{
    return is_vector(type) ? mlc_type_rank(type) : 0;
}

// Element i of `[..]` or `array<i64: ..>`.
static inline int64_t
list_int(MlcAttr list, size_t i)
{
    int64_t value = 0;
    mlc_int_list_attr_get(list, i, &value);
    return value;
}

static inline size_t
list_size(MlcAttr list)
{
    return mlc_int_list_attr_size(list);
}

// All of `list` is `value`.
static inline bool
list_is_all(MlcAttr list, int64_t value)
{
    for (size_t i = 0; i < list_size(list); i++)
        if (list_int(list, i) != value)
            return false;
    return true;
}

static inline bool
to_value(MlcFold *result, MlcValue *value)
{
    result->value = value;
    return value != NULL;
}

static inline bool
to_attr(MlcFold *result, MlcAttr attr)
{
    result->attr = attr;
    return attr != NULL;
}

static inline bool
is_splat(MlcAttr constant)
{
    return mlc_attr_is(constant, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(constant);
}

static inline bool
is_number(MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_INTEGER) || mlc_attr_is(attr, MLC_ATTR_FLOAT);
}

// The extents of one operand's dimension, as `4` or `[4]`, are the same.
static inline bool
same_dim(MlcType a, size_t i, MlcType b, size_t j)
{
    return mlc_type_dim(a, i) == mlc_type_dim(b, j) &&
           mlc_vector_type_is_scalable(a, i) == mlc_vector_type_is_scalable(b, j);
}

// [1 : i64, ...]
MlcAttr mlc_vector_int_list(MlcContext *ctx, const int64_t *values, size_t num_values);
// A vector type of rank `rank`: dimensions `first` ... of `type`.
MlcType mlc_vector_type_slice(MlcType type, size_t first, size_t rank, MlcType element);
// Replaces `op` by the vector.constant_mask of these sizes; true.
bool mlc_vector_replace_by_mask(MlcRewriter *rw, MlcOp *op, const int64_t *sizes, size_t n);
bool mlc_vector_replace_by_constant(MlcRewriter *rw, MlcOp *op, MlcAttr value);
// A pattern for ops that choose among the elements of a splat constant: they are its element, or a
// splat of it.
bool mlc_vector_resize_splat(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);
bool mlc_vector_replace_value(MlcRewriter *rw, MlcOp *op, MlcValue *value);
// vector.extract at constant positions.
MlcValue *mlc_vector_build_extract(MlcBuilder *b, MlcValue *vector, MlcType type,
                                   const int64_t *position, size_t num_positions);
// Is a vector of `shape` one of `other` regrouped: each dimension of the one of lower rank a
// product of neighbours of the other? (The geometry that vector.shape_cast allows.)
bool mlc_vector_is_regrouped(MlcType a, MlcType b);

// What is known of a mask's lanes.
typedef enum MaskFormat { MASK_UNKNOWN, MASK_ALL_TRUE, MASK_ALL_FALSE } MaskFormat;
MaskFormat mlc_vector_mask_format(MlcValue *mask);
// vector<..xi1> of the lanes that a transfer of `vector` by `map` reads or writes.
MlcType mlc_vector_transfer_mask_type(MlcType vector, MlcAffineMap map);
// The vector.mask around an op, or NULL.
MlcOp *mlc_vector_masking_op(const MlcOp *op);

// memref.cast operands give way to what they cast; true if one did.
bool mlc_vector_fold_memref_casts(MlcOp *op);

// Combining by this kind is defined for elements of this type.
bool mlc_vector_kind_fits(int64_t kind, MlcType element);
const char *mlc_vector_kind_name(MlcAttr kind);

#endif
