// math_in_doubles.c -- log, pow, sin and cos of f32 by way of f64.
//
// x = 2^k m with sqrt(1/2) <= m < sqrt(2); log2(m) = 2 / ln 2 * artanh(s), s = (m - 1) / (m + 1),
// by its series: |s| < 0.172, so nine terms leave 2^-49 of the result. 2^t = 2^n 2^f, |f| <= 1/2,
// by the series of exp: nine powers leave 2^-37, which an f32 does not show. pow's special cases
// are those of IEEE 754-2019, 9.2.1.
#include "math_in_doubles.h"
#include "element_types.h"

#include "mlc/ir.h"

#include <math.h>

enum { OEQ = 1, OLT = 4, ONE = 6, UNO = 14 }; // of arith.cmpf

static MlcValue *
number(MlcBuilder *b, MlcValue *as, double value)
{
    return mlc_build_float(b, mlc_value_type(as), value);
}

static MlcValue *
choose(MlcBuilder *b, MlcValue *condition, MlcValue *yes, MlcValue *no)
{
    return mlc_build(b, "arith.select", mlc_value_type(yes), condition, yes, no);
}

static MlcValue *
both(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs)
{
    return mlc_build(b, "arith.andi", mlc_value_type(lhs), lhs, rhs);
}

// ((c[n-1] x + c[n-2]) x + ...) x + c[0]
static MlcValue *
polynomial(MlcBuilder *b, MlcValue *x, const double *c, size_t n)
{
    MlcType type = mlc_value_type(x);
    MlcValue *sum = mlc_build_float(b, type, c[n - 1]);
    for (size_t i = n - 1; i-- > 0;)
        sum = mlc_build(b, "math.fma", type, sum, x, mlc_build_float(b, type, c[i]));
    return sum;
}

// log2 of an f64 that is no denormal number and not negative.
static MlcValue *
build_log2(MlcBuilder *b, MlcValue *x)
{
    enum { TERMS = 9 };
    static const int64_t half_root = 0x3FE6A09E667F3BCD; // sqrt(1/2)
    MlcType f64 = mlc_value_type(x), i64 = mlc_ints_like(x, 64), i32 = mlc_ints_like(x, 32);
    MlcValue *bits = mlc_build(b, "arith.bitcast", i64, x);
    MlcValue *above = mlc_build(b, "arith.subi", i64, bits, mlc_build_int(b, i64, half_root));
    MlcValue *width = mlc_build_int(b, i64, 52), *one = number(b, x, 1);
    MlcValue *k = mlc_build(b, "arith.shrsi", i64, above, width);
    MlcValue *m = mlc_build(b, "arith.subi", i64, bits, mlc_build(b, "arith.shli", i64, k, width));
    m = mlc_build(b, "arith.bitcast", f64, m);
    k = mlc_build(b, "arith.sitofp", f64, mlc_build(b, "arith.trunci", i32, k));
    MlcValue *s = mlc_build(b, "arith.divf", f64, mlc_build(b, "arith.subf", f64, m, one),
                            mlc_build(b, "arith.addf", f64, m, one));
    double c[TERMS];
    for (size_t i = 0; i < TERMS; i++)
        c[i] = 2.88539008177792681 / (double)(2 * i + 1); // 2 / ln 2
    MlcValue *series = polynomial(b, mlc_build(b, "arith.mulf", f64, s, s), c, TERMS);
    MlcValue *log = mlc_build(b, "math.fma", f64, s, series, k);
    MlcValue *infinity = number(b, x, INFINITY);
    log = choose(b, mlc_build_compare(b, OLT, x, infinity), log, x); // infinity and NaN stay
    return choose(b, mlc_build_compare(b, OEQ, x, number(b, x, 0)), number(b, x, -INFINITY), log);
}

// 2^t as an f64, for an f32: what is too large or too small for that is as good as infinite or 0.
static MlcValue *
build_exp2(MlcBuilder *b, MlcValue *t)
{
    enum { TERMS = 10 };
    MlcType f64 = mlc_value_type(t), i64 = mlc_ints_like(t, 64), i32 = mlc_ints_like(t, 32);
    MlcValue *top = number(b, t, 130), *bottom = number(b, t, -160);
    t = choose(b, mlc_build_compare(b, OLT, top, t), top, t); // NaN stays
    t = choose(b, mlc_build_compare(b, OLT, t, bottom), bottom, t);
    MlcValue *n = mlc_build(b, "math.roundeven", f64, t);
    double c[TERMS] = {1};
    for (size_t i = 1; i < TERMS; i++)
        c[i] = c[i - 1] * 0.693147180559945309 / (double)i;
    MlcValue *power = polynomial(b, mlc_build(b, "arith.subf", f64, t, n), c, TERMS);
    // An integer from NaN would be poison; `power` is NaN already.
    n = choose(b, mlc_build_compare(b, UNO, t, t), number(b, t, 0), n);
    MlcValue *exponent = mlc_build(b, "arith.fptosi", i32, n);
    exponent = mlc_build(b, "arith.addi", i32, exponent, mlc_build_int(b, i32, 1023));
    exponent = mlc_build(b, "arith.extsi", i64, exponent);
    exponent = mlc_build(b, "arith.shli", i64, exponent, mlc_build_int(b, i64, 52));
    return mlc_build(b, "arith.mulf", f64, power, mlc_build(b, "arith.bitcast", f64, exponent));
}

static MlcValue *
widen(MlcBuilder *b, MlcValue *x)
{
    return mlc_build(b, "arith.extf", mlc_floats_like(x, MLC_FLOAT_F64), x);
}

MlcValue *
mlc_build_log_in_doubles(MlcBuilder *b, MlcValue *const *operands)
{
    MlcValue *x = widen(b, operands[0]);
    MlcType f64 = mlc_value_type(x);
    MlcValue *log =
        mlc_build(b, "arith.mulf", f64, build_log2(b, x), number(b, x, 0.693147180559945309));
    log = choose(b, mlc_build_compare(b, OLT, x, number(b, x, 0)), number(b, x, NAN), log);
    return mlc_build(b, "arith.truncf", mlc_value_type(operands[0]), log);
}

// Whether f64s are whole numbers.
static MlcValue *
is_whole(MlcBuilder *b, MlcValue *x)
{
    return mlc_build_compare(b, OEQ, mlc_build(b, "math.floor", mlc_value_type(x), x), x);
}

// The sign and the NaNs of x^y, where `power` is |x|^y.
static MlcValue *
with_sign(MlcBuilder *b, MlcValue *x, MlcValue *y, MlcValue *power)
{
    MlcType f64 = mlc_value_type(x);
    MlcValue *half = mlc_build(b, "arith.mulf", f64, y, number(b, y, 0.5));
    MlcValue *whole = is_whole(b, y), *zero = number(b, x, 0);
    MlcValue *is_halved = mlc_build_compare(b, ONE, mlc_build(b, "math.floor", f64, half),
                                            half); // an odd number, or no whole one
    MlcValue *signed_power = mlc_build(b, "math.copysign", f64, power, x);
    power = choose(b, both(b, whole, is_halved), signed_power, power);
    MlcValue *is_finite_negative = both(b, mlc_build_compare(b, OLT, x, zero),
                                        mlc_build_compare(b, OLT, number(b, x, -INFINITY), x));
    MlcValue *real = choose(b, whole, power, number(b, x, NAN));
    return choose(b, is_finite_negative, real, power);
}

MlcValue *
mlc_build_pow_in_doubles(MlcBuilder *b, MlcValue *const *operands)
{
    MlcValue *x = widen(b, operands[0]), *y = widen(b, operands[1]);
    MlcType f64 = mlc_value_type(x);
    MlcValue *magnitude = mlc_build(b, "math.absf", f64, x), *one = number(b, x, 1);
    MlcValue *t = mlc_build(b, "arith.mulf", f64, y, build_log2(b, magnitude));
    // 1 and -1 to an infinite power: 0 * infinity above
    MlcValue *is_infinite =
        mlc_build_compare(b, OEQ, mlc_build(b, "math.absf", f64, y), number(b, y, INFINITY));
    MlcValue *is_one = mlc_build_compare(b, OEQ, magnitude, one);
    t = choose(b, both(b, is_infinite, is_one), number(b, x, 0), t);
    MlcValue *power = with_sign(b, x, y, build_exp2(b, t));
    power = choose(b, mlc_build_compare(b, OEQ, y, number(b, y, 0)), one, power); // even of NaN
    power = choose(b, mlc_build_compare(b, OEQ, x, one), one, power);             // even to NaN
    return mlc_build(b, "arith.truncf", mlc_value_type(operands[0]), power);
}

// x as quarter turns: whole ones (modulo some multiple of 4) and what is left, in [-1/2, 1/2].
static void
build_quarter_turns(MlcBuilder *b, MlcValue *x, MlcValue **whole, MlcValue **rest)
{
    enum { BITS = 29 };
    static const double parts[] = {0x145F306D, 0x19391054, 0x14FE13AB, 0x1D1F534D,
                                   0x1B81B6C5, 0x05664F10, 0x1C820FF2}; // of 2 / pi, BITS each
    MlcType f64 = mlc_value_type(x);
    *whole = *rest = number(b, x, 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double part = ldexp(parts[i], -BITS * (int)(i + 1));
        MlcValue *turns = mlc_build(b, "arith.mulf", f64, x, number(b, x, part));
        MlcValue *fours = mlc_build(b, "arith.mulf", f64, turns, number(b, x, 0.25));
        fours = mlc_build(b, "math.roundeven", f64, fours);
        turns = mlc_build(b, "math.fma", f64, fours, number(b, x, -4), turns);
        *rest = mlc_build(b, "arith.addf", f64, *rest, turns);
        MlcValue *n = mlc_build(b, "math.roundeven", f64, *rest);
        *rest = mlc_build(b, "arith.subf", f64, *rest, n);
        *whole = mlc_build(b, "arith.addf", f64, *whole, n);
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
    MlcType f64 = mlc_value_type(x);
    build_quarter_turns(b, x, &whole, &rest);
    MlcValue *angle = mlc_build(b, "arith.mulf", f64, rest, number(b, x, 1.57079632679489662));
    MlcValue *square = mlc_build(b, "arith.mulf", f64, angle, angle);
    MlcValue *even = polynomial(b, square, cosine, sizeof cosine / sizeof *cosine);
    MlcValue *odd = mlc_build(b, "arith.mulf", f64, angle,
                              polynomial(b, square, sine, sizeof sine / sizeof *sine));
    // Quarter turns are counted as halves of half turns: a rest says which function, odd ones the
    // sign.
    whole = mlc_build(b, "arith.addf", f64, whole, number(b, x, more));
    MlcValue *halves = mlc_build(b, "arith.mulf", f64, whole, number(b, x, 0.5));
    MlcValue *half_turns = mlc_build(b, "math.floor", f64, halves);
    MlcValue *turns = mlc_build(b, "arith.mulf", f64, half_turns, number(b, x, 0.5));
    MlcValue *result = choose(b, mlc_build_compare(b, OEQ, half_turns, halves), odd, even);
    result = choose(b, is_whole(b, turns), result, mlc_build(b, "arith.negf", f64, result));
    return mlc_build(b, "arith.truncf", mlc_value_type(operand), result);
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
