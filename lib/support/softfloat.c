// softfloat.c -- one table of formats, one unpacking, one rounding.
//
// Every conversion is unpack, then round. Arithmetic on kinds of at most 24 bits of precision is
// done in double: its 53 bits are more than 2 * 24 + 2, so that rounding twice is the same as
// rounding once (Figueroa, "When is double rounding innocuous?", 1995). f80 and f128 have integer
// arithmetic of their own.
#include "mlc/support/softfloat.h"

#include "softfloat_impl.h"

static const MlcFloatInfo infos[MLC_FLOAT_NUM_KINDS] = {
    [MLC_FLOAT_BF16] = {"bf16", 16, 8, 7, 127, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F16] = {"f16", 16, 5, 10, 15, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_TF32] = {"tf32", 19, 8, 10, 127, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F32] = {"f32", 32, 8, 23, 127, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F64] = {"f64", 64, 11, 52, 1023, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F80] = {"f80", 80, 15, 64, 16383, MLC_FLOAT_SPECIALS_IEEE, true},
    [MLC_FLOAT_F128] = {"f128", 128, 15, 112, 16383, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F8E5M2] = {"f8E5M2", 8, 5, 2, 15, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F8E4M3] = {"f8E4M3", 8, 4, 3, 7, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F8E4M3FN] = {"f8E4M3FN", 8, 4, 3, 7, MLC_FLOAT_SPECIALS_NAN_ONES, false},
    [MLC_FLOAT_F8E5M2FNUZ] = {"f8E5M2FNUZ", 8, 5, 2, 16, MLC_FLOAT_SPECIALS_NAN_ZERO, false},
    [MLC_FLOAT_F8E4M3FNUZ] = {"f8E4M3FNUZ", 8, 4, 3, 8, MLC_FLOAT_SPECIALS_NAN_ZERO, false},
    [MLC_FLOAT_F8E4M3B11FNUZ] = {"f8E4M3B11FNUZ", 8, 4, 3, 11, MLC_FLOAT_SPECIALS_NAN_ZERO, false},
    [MLC_FLOAT_F8E3M4] = {"f8E3M4", 8, 3, 4, 3, MLC_FLOAT_SPECIALS_IEEE, false},
    [MLC_FLOAT_F6E3M2FN] = {"f6E3M2FN", 6, 3, 2, 3, MLC_FLOAT_SPECIALS_NONE, false},
    [MLC_FLOAT_F6E2M3FN] = {"f6E2M3FN", 6, 2, 3, 1, MLC_FLOAT_SPECIALS_NONE, false},
    [MLC_FLOAT_F4E2M1FN] = {"f4E2M1FN", 4, 2, 1, 1, MLC_FLOAT_SPECIALS_NONE, false},
    [MLC_FLOAT_F8E8M0FNU] = {"f8E8M0FNU", 8, 8, 0, 127, MLC_FLOAT_SPECIALS_POWERS, false},
};

const MlcFloatInfo *
mlc_float_info(MlcFloatKind kind)
{
    return &infos[kind];
}

bool
mlc_float_kind_from_name(MlcStr name, MlcFloatKind *kind)
{
    if (name.size < 2)
        return false;
    for (int i = 0; i < MLC_FLOAT_NUM_KINDS; i++) {
        const char *known = infos[i].name;
        if (known[0] != name.data[0] || known[1] != name.data[1] ||
            !mlc_str_equal(name, mlc_str(known)))
            continue;
        *kind = (MlcFloatKind)i;
        return true;
    }
    return false;
}

uint32_t
mlc_float_precision(MlcFloatKind kind)
{
    return infos[kind].mantissa_bits + !infos[kind].explicit_one;
}

static Bits128
low_mask(unsigned bits)
{
    return bits >= 128 ? ~(Bits128)0 : ((Bits128)1 << bits) - 1;
}

static uint32_t
top_exponent(const MlcFloatInfo *info)
{
    return (UINT32_C(1) << info->exponent_bits) - 1;
}

static Bits128
bits_of(MlcFloat a)
{
    return (Bits128)a.hi << 64 | a.lo;
}

static MlcFloat
assemble(MlcFloatKind kind, bool negative, uint32_t biased_exponent, Bits128 mantissa)
{
    const MlcFloatInfo *info = &infos[kind];
    Bits128 bits = mantissa | (Bits128)biased_exponent << info->mantissa_bits;
    if (info->specials != MLC_FLOAT_SPECIALS_POWERS)
        bits |= (Bits128)negative << (info->width - 1);
    return mlc_float_from_bits(kind, (uint64_t)bits, (uint64_t)(bits >> 64));
}

// --- special values

MlcFloat
mlc_float_largest(MlcFloatKind kind, bool negative)
{
    const MlcFloatInfo *info = &infos[kind];
    Bits128 mantissa = low_mask(info->mantissa_bits);
    if (info->specials == MLC_FLOAT_SPECIALS_IEEE)
        return assemble(kind, negative, top_exponent(info) - 1, mantissa);
    if (info->specials == MLC_FLOAT_SPECIALS_POWERS)
        return assemble(kind, false, top_exponent(info) - 1, 0);
    if (info->specials == MLC_FLOAT_SPECIALS_NAN_ONES)
        --mantissa;
    return assemble(kind, negative, top_exponent(info), mantissa);
}

static MlcFloat
make_nan(MlcFloatKind kind, bool negative, Bits128 payload)
{
    const MlcFloatInfo *info = &infos[kind];
    switch (info->specials) {
    case MLC_FLOAT_SPECIALS_NONE:
        return mlc_float_largest(kind, negative);
    case MLC_FLOAT_SPECIALS_NAN_ZERO:
        return assemble(kind, true, 0, 0);
    case MLC_FLOAT_SPECIALS_NAN_ONES:
    case MLC_FLOAT_SPECIALS_POWERS:
        return assemble(kind, negative, top_exponent(info), low_mask(info->mantissa_bits));
    case MLC_FLOAT_SPECIALS_IEEE:
        break;
    }
    // The fraction's top bit says "quiet"; f80 has its explicit one above that.
    unsigned fraction_bits = info->mantissa_bits - info->explicit_one;
    Bits128 fraction = payload >> (128 - fraction_bits) | (Bits128)1 << (fraction_bits - 1);
    if (info->explicit_one)
        fraction |= (Bits128)1 << fraction_bits;
    return assemble(kind, negative, top_exponent(info), fraction);
}

MlcFloat
mlc_float_nan(MlcFloatKind kind)
{
    return make_nan(kind, false, 0);
}

MlcFloat
mlc_float_inf(MlcFloatKind kind, bool negative)
{
    const MlcFloatInfo *info = &infos[kind];
    if (info->specials == MLC_FLOAT_SPECIALS_NONE)
        return mlc_float_largest(kind, negative);
    if (info->specials != MLC_FLOAT_SPECIALS_IEEE)
        return make_nan(kind, negative, 0);
    Bits128 one = info->explicit_one ? (Bits128)1 << (info->mantissa_bits - 1) : 0;
    return assemble(kind, negative, top_exponent(info), one);
}

// --- unpack and round

static FloatClass
classify(const MlcFloatInfo *info, bool negative, uint32_t biased, Bits128 mantissa)
{
    bool is_top = biased == top_exponent(info);
    Bits128 fraction = mantissa & low_mask(info->mantissa_bits - info->explicit_one);
    // An f80 whose explicit one is missing where it belongs is no number (as APFloat has it).
    bool has_one = !info->explicit_one || mantissa >> (info->mantissa_bits - 1);
    switch (info->specials) {
    case MLC_FLOAT_SPECIALS_IEEE:
        if (is_top)
            return has_one && fraction == 0 ? CLASS_INF : CLASS_NAN;
        if (biased > 0 && !has_one)
            return CLASS_NAN;
        break;
    case MLC_FLOAT_SPECIALS_NAN_ONES:
        if (is_top && mantissa == low_mask(info->mantissa_bits))
            return CLASS_NAN;
        break;
    case MLC_FLOAT_SPECIALS_NAN_ZERO:
        if (negative && biased == 0 && mantissa == 0)
            return CLASS_NAN;
        break;
    case MLC_FLOAT_SPECIALS_POWERS:
        return is_top ? CLASS_NAN : CLASS_FINITE;
    case MLC_FLOAT_SPECIALS_NONE:
        break;
    }
    return biased == 0 && mantissa == 0 ? CLASS_ZERO : CLASS_FINITE;
}

Unpacked
mlc_float_unpack(MlcFloat a)
{
    const MlcFloatInfo *info = &infos[a.kind];
    Bits128 bits = bits_of(a) & low_mask(info->width);
    Bits128 mantissa = bits & low_mask(info->mantissa_bits);
    uint32_t biased = (uint32_t)(bits >> info->mantissa_bits) & top_exponent(info);
    bool is_power = info->specials == MLC_FLOAT_SPECIALS_POWERS;
    bool negative = !is_power && (bits >> (info->width - 1) & 1);
    Unpacked u = {.class = classify(info, negative, biased, mantissa), .negative = negative};
    if (u.class == CLASS_NAN) {
        // A NaN that is spelt as negative zero has no sign and no payload.
        u.negative = negative && info->specials != MLC_FLOAT_SPECIALS_NAN_ZERO;
        unsigned fraction_bits = info->mantissa_bits - info->explicit_one;
        u.mantissa = fraction_bits ? mantissa << (128 - fraction_bits) : 0;
    }
    if (is_power && u.class == CLASS_FINITE) {
        u.mantissa = 1;
        u.exponent = (int32_t)biased - info->bias;
        return u;
    }
    if (u.class == CLASS_FINITE) {
        u.mantissa = mantissa;
        if (biased > 0 && !info->explicit_one)
            u.mantissa |= (Bits128)1 << info->mantissa_bits;
        u.exponent = (int32_t)(biased > 0 ? biased : 1) - info->bias -
                     ((int32_t)mlc_float_precision(a.kind) - 1);
    }
    return u;
}

// mantissa / 2^shift to nearest even; a shift of 0 or less is exact.
static Bits128
shift_and_round(Bits128 mantissa, int64_t shift, bool sticky, bool *tie)
{
    *tie = false;
    if (shift <= 0)
        return mantissa << -shift;
    if (shift > 128)
        return 0;
    Bits128 kept = shift == 128 ? 0 : mantissa >> shift;
    Bits128 cut = mantissa & low_mask((unsigned)shift), half = (Bits128)1 << (shift - 1);
    *tie = cut == half;
    if (cut > half || (cut == half && (sticky || (kept & 1))))
        kept++;
    return kept;
}

// Of its magnitude, as there are no signs: the nearest power of 2, the upper one of a tie. What is
// below the least one, 0 too, is that one.
static MlcFloat
round_to_power(MlcFloatKind kind, Bits128 mantissa, int64_t exponent)
{
    const MlcFloatInfo *info = &infos[kind];
    unsigned length = bit_length(mantissa);
    bool is_upper = length > 1 && (mantissa >> (length - 2) & 1);
    int64_t biased = exponent + (int64_t)length - 1 + is_upper + info->bias;
    if (mantissa == 0 || biased < 0)
        biased = 0;
    return biased < (int64_t)top_exponent(info) ? assemble(kind, false, (uint32_t)biased, 0)
                                                : make_nan(kind, false, 0);
}

MlcFloat
mlc_float_round(MlcFloatKind kind, bool negative, Bits128 mantissa, int64_t exponent, bool sticky,
                bool *tie)
{
    const MlcFloatInfo *info = &infos[kind];
    int64_t precision = mlc_float_precision(kind), lowest = 1 - info->bias;
    bool is_tie = false;
    if (info->specials == MLC_FLOAT_SPECIALS_POWERS)
        return round_to_power(kind, mantissa, exponent);
    if (mantissa == 0) // `sticky` alone is far below half of the least number
        exponent = lowest - (precision - 1);
    int64_t leading = exponent + (int64_t)bit_length(mantissa) - 1;
    int64_t unit = (leading > lowest ? leading : lowest) - (precision - 1);
    Bits128 rounded = shift_and_round(mantissa, unit - exponent, sticky, &is_tie);
    if (tie)
        *tie = is_tie;
    if (rounded >> precision) {
        rounded >>= 1;
        unit++;
    }
    if (rounded == 0)
        return assemble(kind, negative && info->specials != MLC_FLOAT_SPECIALS_NAN_ZERO, 0, 0);
    bool is_normal = rounded >> (precision - 1);
    int64_t biased = is_normal ? unit + (precision - 1) + info->bias : 0;
    Bits128 stored = rounded & low_mask(info->mantissa_bits);
    int64_t most = (int64_t)top_exponent(info) - (info->specials == MLC_FLOAT_SPECIALS_IEEE);
    bool is_nan_pattern = info->specials == MLC_FLOAT_SPECIALS_NAN_ONES && biased == most &&
                          stored == low_mask(info->mantissa_bits);
    if (biased > most || is_nan_pattern)
        return mlc_float_inf(kind, negative);
    return assemble(kind, negative, (uint32_t)biased, stored);
}

// --- conversions

MlcFloat
mlc_float_convert(MlcFloat a, MlcFloatKind kind)
{
    if (a.kind == kind)
        return a;
    Unpacked u = mlc_float_unpack(a);
    switch (u.class) {
    case CLASS_NAN:
        return make_nan(kind, u.negative, u.mantissa);
    case CLASS_INF:
        return mlc_float_inf(kind, u.negative);
    case CLASS_ZERO:
    case CLASS_FINITE:
        break;
    }
    return mlc_float_round(kind, u.negative, u.mantissa, u.exponent, false, NULL);
}

MlcFloat
mlc_float_from_double(MlcFloatKind kind, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mlc_float_convert(mlc_float_from_bits(MLC_FLOAT_F64, bits, 0), kind);
}

double
mlc_float_to_double(MlcFloat a)
{
    double value;
    if (a.kind == MLC_FLOAT_F32) {
        float narrow;
        uint32_t bits = (uint32_t)a.lo;
        memcpy(&narrow, &bits, sizeof narrow);
        return narrow;
    }
    uint64_t bits = mlc_float_convert(a, MLC_FLOAT_F64).lo;
    memcpy(&value, &bits, sizeof value);
    return value;
}

MlcFloat
mlc_float_from_int(MlcFloatKind kind, int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return mlc_float_round(kind, value < 0, magnitude, 0, false, NULL);
}

MlcFloat
mlc_float_from_uint(MlcFloatKind kind, uint64_t value)
{
    return mlc_float_round(kind, false, value, 0, false, NULL);
}

bool
mlc_float_try_as_int(MlcFloat a, int64_t *out)
{
    Unpacked u = mlc_float_unpack(a);
    if (u.class == CLASS_NAN || u.class == CLASS_INF)
        return false;
    int64_t bits = (int64_t)bit_length(u.mantissa) + u.exponent;
    if (bits > 64)
        return false;
    Bits128 whole = u.exponent >= 0     ? u.mantissa << u.exponent
                    : u.exponent > -128 ? u.mantissa >> -u.exponent
                                        : 0;
    if (whole > (Bits128)INT64_MAX + u.negative)
        return false;
    *out = (int64_t)(u.negative ? 0 - (uint64_t)whole : (uint64_t)whole);
    return true;
}

// --- questions

bool
mlc_float_is_nan(MlcFloat a)
{
    return mlc_float_unpack(a).class == CLASS_NAN;
}

bool
mlc_float_is_inf(MlcFloat a)
{
    return mlc_float_unpack(a).class == CLASS_INF;
}

bool
mlc_float_is_zero(MlcFloat a)
{
    return mlc_float_unpack(a).class == CLASS_ZERO;
}

bool
mlc_float_is_negative(MlcFloat a)
{
    return infos[a.kind].specials != MLC_FLOAT_SPECIALS_POWERS &&
           (bits_of(a) >> (infos[a.kind].width - 1) & 1);
}

bool
mlc_float_same_bits(MlcFloat a, MlcFloat b)
{
    return a.kind == b.kind && a.lo == b.lo && a.hi == b.hi;
}

// Of the absolute values of finite numbers.
static int
compare_magnitudes(Unpacked a, Unpacked b)
{
    int64_t a_top = a.exponent + (int64_t)bit_length(a.mantissa);
    int64_t b_top = b.exponent + (int64_t)bit_length(b.mantissa);
    if (a_top != b_top)
        return a_top < b_top ? -1 : 1;
    Bits128 x = a.mantissa << (128 - bit_length(a.mantissa));
    Bits128 y = b.mantissa << (128 - bit_length(b.mantissa));
    return x == y ? 0 : x < y ? -1 : 1;
}

int
mlc_float_compare(MlcFloat a, MlcFloat b)
{
    Unpacked x = mlc_float_unpack(a), y = mlc_float_unpack(b);
    if (x.class == CLASS_NAN || y.class == CLASS_NAN)
        return 2;
    if (x.class == CLASS_ZERO && y.class == CLASS_ZERO)
        return 0;
    // Negative before zero before positive; within one sign zero < finite < infinite.
    int x_sign = x.class == CLASS_ZERO ? 0 : x.negative ? -1 : 1;
    int y_sign = y.class == CLASS_ZERO ? 0 : y.negative ? -1 : 1;
    if (x_sign != y_sign)
        return x_sign < y_sign ? -1 : 1;
    if (x.class != y.class)
        return x.class < y.class ? -x_sign : x_sign;
    return x.class == CLASS_INF ? 0 : x_sign * compare_magnitudes(x, y);
}

// --- arithmetic

static MlcFloat
with_sign(MlcFloat a, bool negative)
{
    const MlcFloatInfo *info = &infos[a.kind];
    Bits128 bits = bits_of(a), sign = (Bits128)1 << (info->width - 1);
    // Where the pattern of negative zero is the NaN, neither NaN nor zero has a sign to change.
    if (info->specials == MLC_FLOAT_SPECIALS_NAN_ZERO && (bits & ~sign) == 0)
        return a;
    if (info->specials == MLC_FLOAT_SPECIALS_POWERS)
        return negative ? make_nan(a.kind, false, 0) : a;
    bits = negative ? bits | sign : bits & ~sign;
    return mlc_float_from_bits(a.kind, (uint64_t)bits, (uint64_t)(bits >> 64));
}

MlcFloat
mlc_float_neg(MlcFloat a)
{
    return with_sign(a, !mlc_float_is_negative(a));
}

MlcFloat
mlc_float_abs(MlcFloat a)
{
    return with_sign(a, false);
}

typedef enum Operation {
    ADD,
    MUL,
    DIV,
} Operation;

static double
compute(Operation operation, double a, double b)
{
    return operation == ADD ? a + b : operation == MUL ? a * b : a / b;
}

// Stands for a wide number where only its class and sign matter.
static double
stand_in(Unpacked u)
{
    static const double by_class[] = {
        [CLASS_ZERO] = 0.0,
        [CLASS_FINITE] = 1.0,
        [CLASS_INF] = __builtin_inf(),
        [CLASS_NAN] = __builtin_nan(""),
    };
    return u.negative ? -by_class[u.class] : by_class[u.class];
}

// Brings a number's leading one to bit 125: room for a carry, and 12 bits or more below any
// mantissa for rounding.
static Unpacked
normalized(Unpacked u)
{
    int shift = 126 - (int)bit_length(u.mantissa);
    u.mantissa <<= shift;
    u.exponent -= shift;
    return u;
}

static MlcFloat
add_finite(MlcFloatKind kind, Unpacked a, Unpacked b)
{
    a = normalized(a);
    b = normalized(b);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa)) {
        Unpacked swap = a;
        a = b;
        b = swap;
    }
    int64_t shift = (int64_t)a.exponent - b.exponent;
    Bits128 small = shift < 128 ? b.mantissa >> shift : 0;
    bool sticky = shift >= 128 || (b.mantissa & low_mask((unsigned)shift)) != 0;
    if (a.negative == b.negative)
        return mlc_float_round(kind, a.negative, a.mantissa + small, a.exponent, sticky, NULL);
    Bits128 difference = a.mantissa - small - sticky;
    bool negative = a.negative && (difference != 0 || sticky); // x - x is +0
    return mlc_float_round(kind, negative, difference, a.exponent, sticky, NULL);
}

static MlcFloat
mul_finite(MlcFloatKind kind, Unpacked a, Unpacked b)
{
    a = normalized(a);
    b = normalized(b);
    const uint64_t a_low = (uint64_t)a.mantissa, a_high = (uint64_t)(a.mantissa >> 64);
    const uint64_t b_low = (uint64_t)b.mantissa, b_high = (uint64_t)(b.mantissa >> 64);
    Bits128 low = (Bits128)a_low * b_low;
    Bits128 middle = (Bits128)a_low * b_high + (low >> 64); // highs are below 2^62: no overflow
    middle += (Bits128)a_high * b_low;
    Bits128 high = (Bits128)a_high * b_high + (middle >> 64);
    bool sticky = (uint64_t)low != 0 || (uint64_t)middle != 0;
    int64_t exponent = (int64_t)a.exponent + b.exponent + 128;
    return mlc_float_round(kind, a.negative != b.negative, high, exponent, sticky, NULL);
}

static MlcFloat
div_finite(MlcFloatKind kind, Unpacked a, Unpacked b)
{
    a = normalized(a);
    b = normalized(b);
    Bits128 quotient = 0, rest = a.mantissa;
    for (int i = 0; i < 120; i++) {
        bool bit = rest >= b.mantissa;
        rest = (bit ? rest - b.mantissa : rest) << 1;
        quotient = quotient << 1 | bit;
    }
    int64_t exponent = (int64_t)a.exponent - b.exponent - 119;
    return mlc_float_round(kind, a.negative != b.negative, quotient, exponent, rest != 0, NULL);
}

// Processors disagree on the sign of the NaN that comes from numbers; ours is positive.
static MlcFloat
from_result(MlcFloatKind kind, double result)
{
    return result == result ? mlc_float_from_double(kind, result) : mlc_float_nan(kind);
}

static MlcFloat
operate(Operation operation, MlcFloat a, MlcFloat b)
{
    if (a.kind != b.kind)
        mlc_bug("operands of kinds %s and %s", infos[a.kind].name, infos[b.kind].name);
    Unpacked x = mlc_float_unpack(a), y = mlc_float_unpack(b);
    if (x.class == CLASS_NAN)
        return make_nan(a.kind, x.negative, x.mantissa);
    if (y.class == CLASS_NAN)
        return make_nan(a.kind, y.negative, y.mantissa);
    if (infos[a.kind].width <= 64)
        return from_result(a.kind,
                           compute(operation, mlc_float_to_double(a), mlc_float_to_double(b)));
    if (x.class != CLASS_FINITE || y.class != CLASS_FINITE) {
        if (operation == ADD && x.class == CLASS_FINITE && y.class == CLASS_ZERO)
            return a;
        if (operation == ADD && y.class == CLASS_FINITE && x.class == CLASS_ZERO)
            return b;
        return from_result(a.kind, compute(operation, stand_in(x), stand_in(y)));
    }
    switch (operation) {
    case ADD:
        return add_finite(a.kind, x, y);
    case MUL:
        return mul_finite(a.kind, x, y);
    case DIV:
        return div_finite(a.kind, x, y);
    }
    mlc_bug("no such operation");
}

MlcFloat
mlc_float_add(MlcFloat a, MlcFloat b)
{
    return operate(ADD, a, b);
}

MlcFloat
mlc_float_sub(MlcFloat a, MlcFloat b)
{
    return operate(ADD, a, mlc_float_neg(b));
}

MlcFloat
mlc_float_mul(MlcFloat a, MlcFloat b)
{
    return operate(MUL, a, b);
}

MlcFloat
mlc_float_div(MlcFloat a, MlcFloat b)
{
    return operate(DIV, a, b);
}
