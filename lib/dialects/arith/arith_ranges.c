// arith_ranges.c -- the ranges of results (mlc/ir/int_range.h).
#include "mlc/dialects/arith.h"

#include "mlc/ir.h"
#include "mlc/ir/int_range.h"

static bool
are_ranges(const MlcRange *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ranges[i].width == 0)
            return false;
    return true;
}

// The flags of an op that has them: arith's are MLC_RANGE_NSW and MLC_RANGE_NUW.
static unsigned
overflow_flags(MlcOp *op)
{
    MlcAttr flags = mlc_op_attr(op, "overflowFlags");
    return flags ? (unsigned)mlc_enum_attr_value(flags) : 0;
}
static_assert((int)MLC_ARITH_OVERFLOW_NSW == MLC_RANGE_NSW &&
                  (int)MLC_ARITH_OVERFLOW_NUW == MLC_RANGE_NUW,
              "one set of flags");

// mlc_arith_NAME_int_range: mlc_range_FN of the two operands.
#define BINARY_WITH(name, fn, ...)                                                                 \
    static void name##_results(MlcOp *op, const MlcRange *operands, MlcRange *results)             \
    {                                                                                              \
        if (are_ranges(operands, 2))                                                               \
            results[0] = mlc_range_##fn(operands[0], operands[1], overflow_flags(op));             \
    }                                                                                              \
    const MlcIntRange mlc_arith_##name##_int_range = {.results = name##_results, __VA_ARGS__};
#define BINARY(name, fn) BINARY_WITH(name, fn, )

BINARY(addi, add)
BINARY(subi, sub)
BINARY(muli, mul)
BINARY(shli, shl)
BINARY(divui, divu)
BINARY(divsi, divs)
BINARY(ceildivui, ceildivu)
BINARY(ceildivsi, ceildivs)
BINARY(floordivsi, floordivs)
BINARY(minui, minu)
BINARY(minsi, mins)
BINARY(maxui, maxu)
BINARY(maxsi, maxs)
BINARY(andi, and)
BINARY(ori, or)
BINARY(xori, xor)
BINARY(shrui, shru)
BINARY(shrsi, shrs)

// x mod c -> x where 0 <= x < c
static bool
is_below_divisor(MlcOp *op, uint64_t max)
{
    int64_t divisor;
    return mlc_value_constant_int(mlc_op_operand(op, 1), &divisor) && divisor > 0 &&
           max < (uint64_t)divisor;
}

static int
remui_same_as(MlcOp *op, const MlcRange *operands)
{
    MlcRange x = operands[0];
    return x.width && x.umin <= x.umax && is_below_divisor(op, x.umax) ? 0 : -1;
}

static int
remsi_same_as(MlcOp *op, const MlcRange *operands)
{
    MlcRange x = operands[0];
    bool is_positive = x.width && x.smin >= 0 && x.smin <= x.smax;
    return is_positive && is_below_divisor(op, (uint64_t)x.smax) ? 0 : -1;
}

BINARY_WITH(remui, remu, .same_as = remui_same_as)
BINARY_WITH(remsi, rems, .same_as = remsi_same_as)

static void
constant_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    (void)operands;
    MlcRange range = mlc_range_of_constant(mlc_op_attr(op, "value"));
    if (range.width == results[0].width)
        results[0] = range;
}
const MlcIntRange mlc_arith_constant_int_range = {.results = constant_results};

static void
cmpi_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    MlcPredicate predicate = (MlcPredicate)mlc_enum_attr_value(mlc_op_attr(op, "predicate"));
    results[0] = mlc_range_of_truth(mlc_range_compare(predicate, operands[0], operands[1]));
}
const MlcIntRange mlc_arith_cmpi_int_range = {.results = cmpi_results};
static_assert((int)MLC_ARITH_CMPI_PREDICATE_EQ == MLC_PREDICATE_EQ &&
                  (int)MLC_ARITH_CMPI_PREDICATE_UGE == MLC_PREDICATE_UGE,
              "one numbering");

static void
select_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    (void)op;
    int64_t condition;
    if (!are_ranges(operands + 1, 2))
        return;
    if (operands[0].width && mlc_range_is_one(operands[0], &condition))
        results[0] = operands[condition ? 1 : 2];
    else
        results[0] = mlc_range_union(operands[1], operands[2]);
}
const MlcIntRange mlc_arith_select_int_range = {.results = select_results};

// To the width of the result, which may be the operand's.
static void
cast(MlcRange a, MlcRange *result, bool is_signed)
{
    if (a.width == 0 || result->width == 0)
        return;
    if (result->width > a.width)
        *result = is_signed ? mlc_range_sign_extend(a, result->width)
                            : mlc_range_zero_extend(a, result->width);
    else
        *result = mlc_range_truncate(a, result->width);
}

static void
signed_cast_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    (void)op;
    cast(operands[0], &results[0], true);
}

static void
unsigned_cast_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    (void)op;
    cast(operands[0], &results[0], false);
}
const MlcIntRange mlc_arith_signed_cast_int_range = {.results = signed_cast_results};
const MlcIntRange mlc_arith_unsigned_cast_int_range = {.results = unsigned_cast_results};
