// int_range.h -- ranges of integers: what is known of a value that an op computes.
//
// A range bounds the same bits twice, read as an unsigned and as a signed number; both bounds are
// inclusive. An element of a vector or tensor is any of its elements. Integers of more than 64 bits
// have no range. (The transfer functions are those of MLIR 19's InferIntRangeInterface.)
//
// Ownership: ranges are values; nothing is kept.
// Threads: any; of ops as for reading them.
#ifndef MLC_IR_INT_RANGE_H
#define MLC_IR_INT_RANGE_H

#include "mlc/ir/op.h"

MLC_BEGIN_DECLS

typedef struct MlcRange {
    unsigned width; // bits, 1 to 64; 0: no integer, nothing is known
    uint64_t umin, umax;
    int64_t smin, smax;
} MlcRange;

// MLC_INTERFACE_INT_RANGE. Ranges come in as all values of the type; a function sets those of which
// it knows more. Operands without a range (width 0) are no integers, or wide ones.
typedef struct MlcIntRange {
    void (*results)(MlcOp *op, const MlcRange *operands, MlcRange *results); // may be NULL
    // Arguments of a region's entry block that control flow does not pass: induction variables.
    // May be NULL.
    void (*args)(MlcOp *op, MlcRegion *region, const MlcRange *operands, MlcRange *args);
    // The operand that is the op's one result where operands are in these ranges; -1: none. May be
    // NULL.
    int (*same_as)(MlcOp *op, const MlcRange *operands);
} MlcIntRange;

MLC_API MlcRange mlc_range_all(unsigned width);   // width 0 or above 64: no range
MLC_API MlcRange mlc_range_of_type(MlcType type); // all values; index counts 64 bits
// Of an integer attribute, or of all elements of a dense one; of width 0 where it is neither.
MLC_API MlcRange mlc_range_of_constant(MlcAttr value);
// All values between two bounds, read unsigned or signed; what is known in the other reading
// follows.
MLC_API MlcRange mlc_range_unsigned(unsigned width, uint64_t min, uint64_t max);
MLC_API MlcRange mlc_range_signed(unsigned width, int64_t min, int64_t max);
// The number as an attribute of `type`, a splat where that is a vector or tensor; NULL: no static
// shape.
MLC_API MlcAttr mlc_range_constant(MlcType type, int64_t value);
MLC_API bool mlc_range_equal(MlcRange a, MlcRange b);
MLC_API bool mlc_range_is_one(MlcRange a, int64_t *value); // the only value, sign-extended
MLC_API MlcRange mlc_range_union(MlcRange a, MlcRange b);
MLC_API MlcRange mlc_range_intersection(MlcRange a, MlcRange b);

// What is computed from operands of two ranges of the same width. `flags`: no signed (1) or
// unsigned (2) overflow happens.
enum { MLC_RANGE_NSW = 1, MLC_RANGE_NUW = 2 };
typedef MlcRange (*MlcRangeFn)(MlcRange a, MlcRange b, unsigned flags);
// What `a op b` may be, for values of one width. `flags`: no overflow, signed or unsigned, is
// promised; a promise that must break gives any value.
MLC_API MlcRange mlc_range_add(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_sub(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_mul(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_shl(MlcRange a, MlcRange b, unsigned flags);
// The same for divisions, rounded towards zero, up or down; a divisor that may be 0 is left out,
// since the division has no meaning then.
MLC_API MlcRange mlc_range_divu(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_divs(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_ceildivu(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_ceildivs(MlcRange a, MlcRange b, unsigned flags);
// Rounded down, and remainders.
MLC_API MlcRange mlc_range_floordivs(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_remu(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_rems(MlcRange a, MlcRange b, unsigned flags);
// The lesser and the greater, in either reading.
MLC_API MlcRange mlc_range_minu(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_mins(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_maxu(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_maxs(MlcRange a, MlcRange b, unsigned flags);
// Bit by bit.
MLC_API MlcRange mlc_range_and(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_or(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_xor(MlcRange a, MlcRange b, unsigned flags);
// Shifts to the right; one by the width or more gives any value.
MLC_API MlcRange mlc_range_shru(MlcRange a, MlcRange b, unsigned flags);
MLC_API MlcRange mlc_range_shrs(MlcRange a, MlcRange b, unsigned flags);

// In another width: with zeros, or with the sign in front.
MLC_API MlcRange mlc_range_zero_extend(MlcRange a, unsigned width);
MLC_API MlcRange mlc_range_sign_extend(MlcRange a, unsigned width);
MLC_API MlcRange mlc_range_extend(MlcRange a, unsigned width); // each bound in its reading
// The low `width` bits.
MLC_API MlcRange mlc_range_truncate(MlcRange a, unsigned width);

typedef enum MlcPredicate { // of arith.cmpi and index.cmp alike
    MLC_PREDICATE_EQ,
    MLC_PREDICATE_NE,
    MLC_PREDICATE_SLT,
    MLC_PREDICATE_SLE,
    MLC_PREDICATE_SGT,
    MLC_PREDICATE_SGE,
    MLC_PREDICATE_ULT,
    MLC_PREDICATE_ULE,
    MLC_PREDICATE_UGT,
    MLC_PREDICATE_UGE,
} MlcPredicate;
// 1: holds for all values; 0: for none; -1: depends.
MLC_API int mlc_range_compare(MlcPredicate predicate, MlcRange a, MlcRange b);
MLC_API MlcRange mlc_range_of_truth(int truth); // of an i1: 1, 0, -1

// Of an index, whose width (32 or 64) only the target knows: what holds for both widths, computed
// in 64 bits.
typedef enum MlcRangeReading { MLC_READ_BOTH, MLC_READ_SIGNED, MLC_READ_UNSIGNED } MlcRangeReading;
// `fn` of index values: in both readings or in one.
MLC_API MlcRange mlc_range_index(MlcRangeFn fn, MlcRangeReading reading, MlcRange a, MlcRange b);

MLC_API extern const MlcIntRange mlc_shaped_dim_int_range; // of ops (shaped, index) -> size

// An induction variable from `lower` up to `upper`, exclusive, by `step`; all values where bounds
// contradict.
MLC_API MlcRange mlc_range_induction(MlcRange lower, MlcRange upper, MlcRange step);

MLC_END_DECLS

#endif
