// mixed.h -- lists of sizes, offsets and strides that are partly constants, and slices made of
// three such lists.
//
// An op keeps such a list as an operand group `sizes` and an attribute `static_sizes`, in which
// MLC_DYNAMIC stands for the next operand of the group. Read one, change it, write it back.
//
// Ownership: lists are the caller's; attributes live as long as the context.
// Threads: any; of ops as for reading or editing them.
#ifndef MLC_IR_MIXED_H
#define MLC_IR_MIXED_H

#include "mlc/ir/builder.h"

MLC_BEGIN_DECLS

typedef struct MlcMixed {
    MlcValue *value; // NULL: `constant`
    int64_t constant;
} MlcMixed;

typedef struct MlcMixedList {
    size_t size;
    MlcMixed items[MLC_RANK_LIMIT];
} MlcMixedList;

// A constant entry.
static inline MlcMixed
mlc_mixed(int64_t constant)
{
    MlcMixed m = {NULL, constant};
    return m;
}
// The constant the value is, or the value.
MLC_API MlcMixed mlc_mixed_of(MlcValue *value);
MLC_API bool mlc_mixed_constant(MlcMixed m, int64_t *constant); // a value that is one counts
MLC_API bool mlc_mixed_is(MlcMixed m, int64_t constant);
MLC_API bool mlc_mixed_equal(MlcMixed a, MlcMixed b); // surely: the same value or constant
MLC_API int64_t mlc_mixed_static(MlcMixed m);         // MLC_DYNAMIC of a value
MLC_API MlcValue *mlc_mixed_value(MlcBuilder *b, MlcMixed m);
// The size of a dimension: a constant of the type, or a `dim` op (tensor.dim, memref.dim).
MLC_API MlcMixed mlc_mixed_dim(MlcBuilder *b, MlcValue *shaped, size_t dim);

// The type of op's result with dynamic sizes that are constants, and not negative, made static.
// They stand from operand `first` on; those that are left are appended to `rest`.
MLC_API MlcType mlc_static_result_type(const MlcOp *op, size_t first, MlcValueVec *rest);

// The list kept by operand group `name`; false if it is too long or broken.
MLC_API bool mlc_mixed_list_read(const MlcOp *op, const char *name, MlcMixedList *list);
MLC_API void mlc_mixed_list_write(MlcOp *op, const char *name, const MlcMixedList *list);
MLC_API bool mlc_mixed_list_equal(const MlcMixedList *a, const MlcMixedList *b);
MLC_API bool mlc_mixed_list_all(const MlcMixedList *list, int64_t constant);
MLC_API void mlc_mixed_list_static(const MlcMixedList *list, int64_t *values);
// Values that are constants become constants: those of sizes and offsets if not negative, those of
// strides if not 0. True if any did.
MLC_API bool mlc_mixed_list_fold_sizes(MlcMixedList *list);
MLC_API bool mlc_mixed_list_fold_strides(MlcMixedList *list);

// The lists `offsets`, `sizes` and `strides` of an op.
typedef struct MlcSlice {
    MlcMixedList offsets, sizes, strides;
} MlcSlice;
// False if a list is too long or broken.
MLC_API bool mlc_slice_read(const MlcOp *op, MlcSlice *slice);
// Sets operands and attributes of the op.
MLC_API void mlc_slice_write(MlcOp *op, const MlcSlice *slice);
MLC_API bool mlc_slice_fold(MlcSlice *slice); // constants; true if any
// Surely: the same values and constants.
MLC_API bool mlc_slice_equal(const MlcSlice *a, const MlcSlice *b);
// For a verify hook: the lists have these lengths, and no offset or size is negative. False with a
// diagnostic.
MLC_API bool mlc_slice_verify(MlcOp *op, size_t num_offsets, size_t rank);

// An op of operands that stand alone, then the named lists, with the attributes of both.
typedef struct MlcNamedMixed {
    const char *name;
    const MlcMixedList *list;
} MlcNamedMixed;
// At most three lists, and eight groups of operands; `attr` is one more attribute, none where its
// name is NULL.
MLC_API MlcOp *mlc_build_op_mixed(MlcBuilder *b, const MlcOpDef *def, MlcType result,
                                  MlcValue *const *operands, size_t num_operands,
                                  const MlcNamedMixed *lists, size_t num_lists, MlcNamedAttr attr,
                                  size_t num_regions);
// An op with the three lists of a slice: tensor.extract_slice, memref.subview and the like.
MLC_API MlcOp *mlc_build_slice(MlcBuilder *b, const MlcOpDef *def, MlcType result,
                               MlcValue *const *operands, size_t num_operands,
                               const MlcSlice *slice);

// Which dimensions of size 1 a smaller shape leaves out, the leftmost where there is a choice: one
// flag per dimension of `shape`. False if `reduced` is no such shape.
MLC_API bool mlc_shape_dropped_dims(const int64_t *shape, size_t rank, const int64_t *reduced,
                                    size_t reduced_rank, bool *dropped);

MLC_END_DECLS

#endif
