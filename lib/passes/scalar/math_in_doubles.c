// math_in_doubles.c -- log, pow, sin and cos of f32 by way of f64.
//
// x = 2^k m with sqrt(1/2) <= m < sqrt(2); log2(m) = 2 / ln 2 * artanh(s), s = (m - 1) / (m + 1),
// by its series: |s| < 0.172, so nine terms leave 2^-49 of the result. 2^t = 2^n 2^f, |f| <= 1/2,
// by the series of exp: nine powers leave 2^-37, which an f32 does not show. pow's special cases
// are those of IEEE 754-2019, 9.2.1.
#include "math_in_doubles.h"
#include "element_types.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/math.h"
#include "mlc/ir.h"

#include <math.h>

enum {
    OEQ = MLC_ARITH_CMPF_PREDICATE_OEQ,
    OLT = MLC_ARITH_CMPF_PREDICATE_OLT,
    ONE = MLC_ARITH_CMPF_PREDICATE_ONE,
    UNO = MLC_ARITH_CMPF_PREDICATE_UNO,
};

static MlcValue *
number(MlcBuilder *b, MlcValue *as, double value)
{
    return mlc_build_float(b, mlc_value_type(as), value);
}

// ((c[n-1] x + c[n-2]) x + ...) x + c[0]
static MlcValue *
polynomial(MlcBuilder *b, MlcValue *x, const double *c, size_t n)
{
    MlcType type = mlc_value_type(x);
    MlcValue *sum = mlc_build_float(b, type, c[n - 1]);
    for (size_t i = n - 1; i-- > 0;)
        sum = mlc_math_fma(b, sum, x, mlc_build_float(b, type, c[i]));
    return sum;
}

// log2 of an f64 that is no denormal number and not negative.
static MlcValue *
build_log2(MlcBuilder *b, MlcValue *x)
{
    enum { TERMS = 9 };
    static const int64_t half_root = 0x3FE6A09E667F3BCD; // sqrt(1/2)
    MlcType f64 = mlc_value_type(x), i64 = mlc_ints_like(x, 64), i32 = mlc_ints_like(x, 32);
    MlcValue *bits = mlc_arith_bitcast(b, i64, x);
    MlcValue *above = mlc_arith_subi(b, bits, mlc_build_int(b, i64, half_root));
    MlcValue *width = mlc_build_int(b, i64, 52), *one = number(b, x, 1);
    MlcValue *k = mlc_arith_shrsi(b, above, width);
    MlcValue *m = mlc_arith_subi(b, bits, mlc_arith_shli(b, k, width));
    m = mlc_arith_bitcast(b, f64, m);
    k = mlc_arith_sitofp(b, f64, mlc_arith_trunci(b, i32, k));
    MlcValue *less = mlc_arith_subf(b, m, one), *more = mlc_arith_addf(b, m, one);
    MlcValue *s = mlc_arith_divf(b, less, more);
    double c[TERMS];
    for (size_t i = 0; i < TERMS; i++)
        c[i] = 2.88539008177792681 / (double)(2 * i + 1); // 2 / ln 2
    MlcValue *series = polynomial(b, mlc_arith_mulf(b, s, s), c, TERMS);
    MlcValue *log = mlc_math_fma(b, s, series, k);
    MlcValue *infinity = number(b, x, INFINITY);
    log = mlc_build_select(b, mlc_build_compare(b, OLT, x, infinity), log,
                           x); // infinity and NaN stay
    return mlc_build_select(b, mlc_build_compare(b, OEQ, x, number(b, x, 0)),
                            number(b, x, -INFINITY), log);
}

// 2^t as an f64, for an f32: what is too large or too small for that is as good as infinite or 0.
static MlcValue *
build_exp2(MlcBuilder *b, MlcValue *t)
{
    enum { TERMS = 10 };
    MlcType f64 = mlc_value_type(t), i64 = mlc_ints_like(t, 64), i32 = mlc_ints_like(t, 32);
    MlcValue *top = number(b, t, 130), *bottom = number(b, t, -160);
    t = mlc_build_select(b, mlc_build_compare(b, OLT, top, t), top, t); // NaN stays
    t = mlc_build_select(b, mlc_build_compare(b, OLT, t, bottom), bottom, t);
    MlcValue *n = mlc_math_roundeven(b, t);
    double c[TERMS] = {1};
    for (size_t i = 1; i < TERMS; i++)
        c[i] = c[i - 1] * 0.693147180559945309 / (double)i;
    MlcValue *power = polynomial(b, mlc_arith_subf(b, t, n), c, TERMS);
    // An integer from NaN would be poison; `power` is NaN already.
    n = mlc_build_select(b, mlc_build_compare(b, UNO, t, t), number(b, t, 0), n);
    MlcValue *exponent = mlc_arith_fptosi(b, i32, n);
    exponent = mlc_arith_addi(b, exponent, mlc_build_int(b, i32, 1023));
    exponent = mlc_arith_extsi(b, i64, exponent);
    exponent = mlc_arith_shli(b, exponent, mlc_build_int(b, i64, 52));
    return mlc_arith_mulf(b, power, mlc_arith_bitcast(b, f64, exponent));
}

static MlcValue *
widen(MlcBuilder *b, MlcValue *x)
{
    return mlc_arith_extf(b, mlc_floats_like(x, MLC_FLOAT_F64), x);
}

MlcValue *
mlc_build_log_in_doubles(MlcBuilder *b, MlcValue *const *operands)
{
    MlcValue *x = widen(b, operands[0]);
    MlcValue *log2 = build_log2(b, x);
    MlcValue *log = mlc_arith_mulf(b, log2, number(b, x, 0.693147180559945309));
    log =
        mlc_build_select(b, mlc_build_compare(b, OLT, x, number(b, x, 0)), number(b, x, NAN), log);
    return mlc_arith_truncf(b, mlc_value_type(operands[0]), log);
}

// Whether f64s are whole numbers.
static MlcValue *
is_whole(MlcBuilder *b, MlcValue *x)
{
    return mlc_build_compare(b, OEQ, mlc_math_floor(b, x), x);
}

// The sign and the NaNs of x^y, where `power` is |x|^y.
static MlcValue *
with_sign(MlcBuilder *b, MlcValue *x, MlcValue *y, MlcValue *power)
{
    MlcValue *half = mlc_arith_mulf(b, y, number(b, y, 0.5));
    MlcValue *whole = is_whole(b, y), *zero = number(b, x, 0);
    MlcValue *is_halved = mlc_build_compare(b, ONE, mlc_math_floor(b, half),
                                            half); // an odd number, or no whole one
    MlcValue *signed_power = mlc_math_copysign(b, power, x);
    power = mlc_build_select(b, mlc_arith_andi(b, whole, is_halved), signed_power, power);
    MlcValue *is_finite_negative =
        mlc_arith_andi(b, mlc_build_compare(b, OLT, x, zero),
                       mlc_build_compare(b, OLT, number(b, x, -INFINITY), x));
    MlcValue *real = mlc_build_select(b, whole, power, number(b, x, NAN));
    return mlc_build_select(b, is_finite_negative, real, power);
}

MlcValue *
mlc_build_pow_in_doubles(MlcBuilder *b, MlcValue *const *operands)
{
    MlcValue *x = widen(b, operands[0]), *y = widen(b, operands[1]);
    MlcValue *magnitude = mlc_math_absf(b, x), *one = number(b, x, 1);
    MlcValue *t = mlc_arith_mulf(b, y, build_log2(b, magnitude));
    // 1 and -1 to an infinite power: 0 * infinity above
    MlcValue *is_infinite = mlc_build_compare(b, OEQ, mlc_math_absf(b, y), number(b, y, INFINITY));
    MlcValue *is_one = mlc_build_compare(b, OEQ, magnitude, one);
    t = mlc_build_select(b, mlc_arith_andi(b, is_infinite, is_one), number(b, x, 0), t);
    MlcValue *power = with_sign(b, x, y, build_exp2(b, t));
    power = mlc_build_select(b, mlc_build_compare(b, OEQ, y, number(b, y, 0)), one,
                             power);                                            // even of NaN
    power = mlc_build_select(b, mlc_build_compare(b, OEQ, x, one), one, power); // even to NaN
    return mlc_arith_truncf(b, mlc_value_type(operands[0]), power);
}

// x as quarter turns: whole ones (modulo some multiple of 4) and what is left, in [-1/2, 1/2].
static void
build_quarter_turns(MlcBuilder *b, MlcValue *x, MlcValue **whole, MlcValue **rest)
{
    enum { BITS = 29 };
    static const double parts[] = {0x145F306D, 0x19391054, 0x14FE13AB, 0x1D1F534D,
                                   0x1B81B6C5, 0x05664F10, 0x1C820FF2}; // of 2 / pi, BITS each
    *whole = *rest = number(b, x, 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double part = ldexp(parts[i], -BITS * (int)(i + 1));
        MlcValue *turns = mlc_arith_mulf(b, x, number(b, x, part));
        MlcValue *fours = mlc_arith_mulf(b, turns, number(b, x, 0.25));
        fours = mlc_math_roundeven(b, fours);
        turns = mlc_math_fma(b, fours, number(b, x, -4), turns);
        *rest = mlc_arith_addf(b, *rest, turns);
        MlcValue *n = mlc_math_roundeven(b, *rest);
        *rest = mlc_arith_subf(b, *rest, n);
        *whole = mlc_arith_addf(b, *whole, n);
    }
}

// The sine of x and `more` quarter turns.
static MlcValue *
build_sine(MlcBuilder *b, MlcValue *operand, double more)
{
    static const double sine[] = {1,           -1.0 / 6,     1.0 / 120,
                                  -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800};
    static const double cosine[] = {1,           -1.0 / 2,       1.0 / 24,       -1.0 / 720,
                                    1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};
    MlcValue *x = widen(b, operand), *whole, *rest;
    build_quarter_turns(b, x, &whole, &rest);
    MlcValue *angle = mlc_arith_mulf(b, rest, number(b, x, 1.57079632679489662));
    MlcValue *square = mlc_arith_mulf(b, angle, angle);
    MlcValue *even = polynomial(b, square, cosine, sizeof cosine / sizeof *cosine);
    MlcValue *odd =
        mlc_arith_mulf(b, angle, polynomial(b, square, sine, sizeof sine / sizeof *sine));
    // Quarter turns are counted as halves of half turns: a rest says which function, odd ones the
    // sign.
    whole = mlc_arith_addf(b, whole, number(b, x, more));
    MlcValue *halves = mlc_arith_mulf(b, whole, number(b, x, 0.5));
    MlcValue *half_turns = mlc_math_floor(b, halves);
    MlcValue *turns = mlc_arith_mulf(b, half_turns, number(b, x, 0.5));
    MlcValue *result =
        mlc_build_select(b, mlc_build_compare(b, OEQ, half_turns, halves), odd, even);
    result = mlc_build_select(b, is_whole(b, turns), result, mlc_arith_negf(b, result));
    return mlc_arith_truncf(b, mlc_value_type(operand), result);
}

MlcValue *
mlc_build_sin_in_doubles(MlcBuilder *b, MlcValue *const *operands)
{
    return build_sine(b, operands[0], 0);
}

MlcValue *
mlc_build_cos_in_doubles(MlcBuilder *b, MlcValue *const *operands)
{
    return build_sine(b, operands[0], 1);
}
