// index_ranges.c -- the ranges of results (mlc/ir/int_range.h), for indices of 32 and of 64 bits.
#include "mlc/dialects/index.h"

#include "mlc/ir.h"
#include "mlc/ir/int_range.h"

// mlc_index_NAME_int_range: mlc_range_FN of the two operands.
#define BINARY(name, fn, reading)                                                                  \
    static void name##_results(MlcOp *op, const MlcRange *operands, MlcRange *results)             \
    {                                                                                              \
        (void)op;                                                                                  \
        results[0] =                                                                               \
            mlc_range_index(mlc_range_##fn, MLC_READ_##reading, operands[0], operands[1]);         \
    }                                                                                              \
    const MlcIntRange mlc_index_##name##_int_range = {.results = name##_results};

BINARY(add, add, BOTH)
BINARY(sub, sub, BOTH)
BINARY(mul, mul, BOTH)
BINARY(shl, shl, BOTH)
BINARY(divs, divs, SIGNED)
BINARY(divu, divu, UNSIGNED)
BINARY(ceildivs, ceildivs, SIGNED)
BINARY(ceildivu, ceildivu, UNSIGNED)
BINARY(floordivs, floordivs, SIGNED)
BINARY(rems, rems, SIGNED)
BINARY(remu, remu, UNSIGNED)
BINARY(maxs, maxs, SIGNED)
BINARY(maxu, maxu, UNSIGNED)
BINARY(mins, mins, SIGNED)
BINARY(minu, minu, UNSIGNED)
BINARY(shrs, shrs, SIGNED)
BINARY(shru, shru, UNSIGNED)
BINARY(and, and, UNSIGNED)
BINARY(or, or, UNSIGNED)
BINARY(xor, xor, UNSIGNED)

static void
constant_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    (void)operands;
    results[0] = mlc_range_of_constant(mlc_op_attr(op, "value"));
}
const MlcIntRange mlc_index_constant_int_range = {.results = constant_results};

static void
sizeof_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    (void)op, (void)operands;
    results[0] = mlc_range_unsigned(64, 32, 64);
}
const MlcIntRange mlc_index_sizeof_int_range = {.results = sizeof_results};

static void
cmp_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    MlcPredicate predicate = (MlcPredicate)mlc_enum_attr_value(mlc_op_attr(op, "pred"));
    int wide = mlc_range_compare(predicate, operands[0], operands[1]);
    int narrow = mlc_range_compare(predicate, mlc_range_truncate(operands[0], 32),
                                   mlc_range_truncate(operands[1], 32));
    results[0] = mlc_range_of_truth(wide == narrow ? wide : -1);
}
const MlcIntRange mlc_index_cmp_int_range = {.results = cmp_results};
static_assert((int)MLC_INDEX_CMP_PREDICATE_EQ == MLC_PREDICATE_EQ &&
                  (int)MLC_INDEX_CMP_PREDICATE_UGE == MLC_PREDICATE_UGE,
              "one numbering");

static MlcRange
resize(MlcRange a, unsigned width, bool is_signed)
{
    if (width <= a.width)
        return mlc_range_truncate(a, width);
    return is_signed ? mlc_range_sign_extend(a, width) : mlc_range_zero_extend(a, width);
}

// One of the two types is index, and may have 32 bits.
static void
cast(MlcOp *op, MlcRange a, MlcRange *result, bool is_signed)
{
    if (a.width == 0 || result->width == 0)
        return;
    MlcRange wide = resize(a, result->width, is_signed), narrow;
    if (mlc_type_is(mlc_value_type(mlc_op_result(op, 0)), MLC_TYPE_INDEX))
        narrow = mlc_range_extend(resize(a, 32, is_signed), 64);
    else
        narrow = resize(mlc_range_truncate(a, 32), result->width, is_signed);
    *result = mlc_range_union(wide, narrow);
}

static void
casts_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    cast(op, operands[0], &results[0], true);
}

static void
castu_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    cast(op, operands[0], &results[0], false);
}
const MlcIntRange mlc_index_casts_int_range = {.results = casts_results};
const MlcIntRange mlc_index_castu_int_range = {.results = castu_results};
