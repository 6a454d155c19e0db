// math_eval.c -- what math ops mean: libm in double, rounded once to the type. For f64 that is
// libm's own accuracy.
#include <math.h>

#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

static bool
is_known(MlcEval *e, MlcOp *op, MlcType type)
{
    MlcFloatKind kind = mlc_float_type_kind(type);
    if (kind == MLC_FLOAT_F80 || kind == MLC_FLOAT_F128)
        return mlc_eval_error(e, op, "is not known for %s", mlc_float_info(kind)->name);
    return true;
}

// Folds of f32 are computed as the compiled program would, in float.
static bool
folds_f32(const MlcEval *e, MlcType type)
{
    return mlc_eval_is_folding(e) && mlc_float_type_kind(type) == MLC_FLOAT_F32;
}

#define ELEMENTWISE(name)                                                                          \
    bool mlc_math_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,                   \
                                MlcDatum *results)                                                 \
    {                                                                                              \
        return mlc_eval_elementwise(e, op, operands, results, name##_scalar);                      \
    }

// `is_partial`: where the function is not defined a fold leaves the op.
#define FLOAT_FUNCTION(name, fn, is_partial)                                                       \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        if (!is_known(e, op, result->type))                                                        \
            return false;                                                                          \
        double x = mlc_datum_as_double(&operands[0]);                                              \
        double y = folds_f32(e, result->type) ? (double)fn##f((float)x) : fn(x);                   \
        if (is_partial && isnan(y) && !isnan(x) && mlc_eval_is_folding(e))                         \
            return false;                                                                          \
        *result = mlc_datum_float(result->type, y);                                                \
        return true;                                                                               \
    }                                                                                              \
    ELEMENTWISE(name)
#define FLOAT_UNARY(name, fn) FLOAT_FUNCTION(name, fn, false)
#define FLOAT_PARTIAL(name, fn) FLOAT_FUNCTION(name, fn, true)

#define FLOAT_BINARY(name, fn)                                                                     \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        if (!is_known(e, op, result->type))                                                        \
            return false;                                                                          \
        double a = mlc_datum_as_double(&operands[0]), b = mlc_datum_as_double(&operands[1]);       \
        double y = folds_f32(e, result->type) ? (double)fn##f((float)a, (float)b) : fn(a, b);      \
        *result = mlc_datum_float(result->type, y);                                                \
        return true;                                                                               \
    }                                                                                              \
    ELEMENTWISE(name)

static double
rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

static float
rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}

FLOAT_UNARY(absf, fabs)
FLOAT_UNARY(acos, acos)
FLOAT_UNARY(acosh, acosh)
FLOAT_UNARY(asin, asin)
FLOAT_UNARY(asinh, asinh)
FLOAT_UNARY(atan, atan)
FLOAT_UNARY(atanh, atanh)
FLOAT_UNARY(cbrt, cbrt)
FLOAT_UNARY(ceil, ceil)
FLOAT_UNARY(cos, cos)
FLOAT_UNARY(cosh, cosh)
FLOAT_UNARY(erf, erf)
FLOAT_UNARY(exp, exp)
FLOAT_UNARY(exp2, exp2)
FLOAT_UNARY(expm1, expm1)
FLOAT_UNARY(floor, floor)
FLOAT_PARTIAL(log, log)
FLOAT_PARTIAL(log10, log10)
FLOAT_PARTIAL(log1p, log1p)
FLOAT_PARTIAL(log2, log2)
FLOAT_UNARY(round, round)
FLOAT_UNARY(roundeven, roundeven)
FLOAT_UNARY(rsqrt, rsqrt)
FLOAT_UNARY(sin, sin)
FLOAT_UNARY(sinh, sinh)
FLOAT_PARTIAL(sqrt, sqrt)
FLOAT_UNARY(tan, tan)
FLOAT_UNARY(tanh, tanh)
FLOAT_UNARY(trunc, trunc)
FLOAT_BINARY(atan2, atan2)
FLOAT_BINARY(copysign, copysign)
FLOAT_BINARY(powf, pow)

// f32: the product is exact in double, but the sum is rounded to double before it is rounded to
// float; fmaf rounds once.
static bool
fma_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    if (!is_known(e, op, result->type))
        return false;
    double a = mlc_datum_as_double(&operands[0]), b = mlc_datum_as_double(&operands[1]),
           c = mlc_datum_as_double(&operands[2]);
    bool is_f32 = mlc_float_type_kind(result->type) == MLC_FLOAT_F32;
    *result = mlc_datum_float(result->type,
                              is_f32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c));
    return true;
}

bool
mlc_math_fma_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elementwise(e, op, operands, results, fma_scalar);
}

// --- integers

static bool
set_wide(MlcEval *e, MlcDatum *result, MlcArena *arena, MlcWide value)
{
    *result = mlc_datum_wide(e, result->type, value);
    mlc_arena_release(arena);
    return true;
}

static bool
absi_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)op;
    MlcArena arena = {0};
    MlcWide a = operands[0].integer;
    return set_wide(e, result, &arena, mlc_wide_is_negative(a) ? mlc_wide_neg(&arena, a) : a);
}

bool
mlc_math_absi_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elementwise(e, op, operands, results, absi_scalar);
}

#define INT_COUNT(name, fn)                                                                        \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        (void)op;                                                                                  \
        MlcArena arena = {0};                                                                      \
        MlcWide a = operands[0].integer;                                                           \
        return set_wide(e, result, &arena, mlc_wide_from_uint(&arena, a.width, fn(a)));            \
    }                                                                                              \
    ELEMENTWISE(name)

INT_COUNT(ctlz, mlc_wide_count_leading_zeros)
INT_COUNT(cttz, mlc_wide_count_trailing_zeros)
INT_COUNT(ctpop, mlc_wide_popcount)

// A negative exponent: 1 and -1 to it, 0 for other bases, an error for 0 (a division by zero).
static bool
ipowi_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    MlcArena arena = {0};
    MlcWide base = operands[0].integer, exponent = operands[1].integer;
    MlcWide power = mlc_wide_from_uint(&arena, base.width, 1);
    if (mlc_wide_is_negative(exponent)) {
        if (mlc_wide_is_zero(base))
            return mlc_eval_error(e, op, "raises 0 to a negative power");
        MlcWide one = power, minus_one = mlc_wide_all_ones(&arena, base.width);
        if (mlc_wide_equal(base, minus_one) && !mlc_wide_equal(base, one))
            power = mlc_wide_bit(exponent, 0) ? minus_one : one;
        else if (!mlc_wide_equal(base, one))
            power = mlc_wide_from_uint(&arena, base.width, 0);
        return set_wide(e, result, &arena, power);
    }
    for (uint32_t i = mlc_wide_active_bits(exponent); i-- > 0;) {
        power = mlc_wide_mul(&arena, power, power);
        if (mlc_wide_bit(exponent, i))
            power = mlc_wide_mul(&arena, power, base);
    }
    return set_wide(e, result, &arena, power);
}

bool
mlc_math_ipowi_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elementwise(e, op, operands, results, ipowi_scalar);
}

static bool
fpowi_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    int64_t exponent;
    if (!is_known(e, op, result->type))
        return false;
    if (!mlc_wide_try_as_int(operands[1].integer, &exponent))
        return mlc_eval_error(e, op, "has an exponent of more than 64 bits");
    *result =
        mlc_datum_float(result->type, pow(mlc_datum_as_double(&operands[0]), (double)exponent));
    return true;
}

bool
mlc_math_fpowi_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elementwise(e, op, operands, results, fpowi_scalar);
}
