// numeric.c -- one rounding for every format of floats, from double.
//
// What comes in is exact, or so much wider than the format that it rounds as the exact number would
// (sums and products of halves in double: their 22 bits and the 11 of an addend either overlap or
// are too far apart to make a tie).
#include "numeric.h"

#include "exec.h"

typedef struct Format {
    int exponent_bits, fraction_bits;
    bool has_infinity; // else the highest exponent has numbers, and all ones is the NaN
    uint32_t nan;
} Format;

static const Format *
format_of(PtxType type)
{
    static const Format f16 = {5, 10, true, NAN_F16}, bf16 = {8, 7, true, NAN_F16},
                        f32 = {8, 23, true, NAN_F32}, tf32 = {8, 10, true, NAN_F32},
                        e4m3 = {4, 3, false, 0x7f}, e5m2 = {5, 2, true, 0x7f};
    switch (type) {
    case TYPE_F16:
    case TYPE_F16X2:
        return &f16;
    case TYPE_BF16:
    case TYPE_BF16X2:
        return &bf16;
    case TYPE_TF32:
        return &tf32;
    case TYPE_E4M3:
    case TYPE_E4M3X2:
        return &e4m3;
    case TYPE_E5M2:
    case TYPE_E5M2X2:
        return &e5m2;
    default:
        return &f32;
    }
}

// `bits` without the lowest `shift`, rounded.
static uint64_t
round_off(uint64_t bits, unsigned shift, bool negative, Rounding rounding)
{
    if (shift == 0)
        return bits;
    if (shift > 60)
        return bits && ((rounding == ROUND_RM && negative) || (rounding == ROUND_RP && !negative));
    uint64_t kept = bits >> shift, rest = bits & ((UINT64_C(1) << shift) - 1),
             half = UINT64_C(1) << (shift - 1);
    switch (rounding) {
    case ROUND_RN:
        return kept + (rest > half || (rest == half && (kept & 1)));
    case ROUND_RNA:
        return kept + (rest >= half);
    case ROUND_RM:
        return kept + (rest && negative);
    case ROUND_RP:
        return kept + (rest && !negative);
    default:
        return kept;
    }
}

uint32_t
ptx_narrow(double value, PtxType type, Rounding rounding, bool finite)
{
    const Format *f = format_of(type);
    uint64_t bits = double_bits(value);
    bool negative = bits >> 63;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023, bias = (1 << (f->exponent_bits - 1)) - 1;
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 1024 && mantissa)
        return f->nan;
    uint32_t sign = (uint32_t)negative << (f->exponent_bits + f->fraction_bits);
    uint32_t top = f->has_infinity ? ((1u << f->exponent_bits) - 1) << f->fraction_bits : 0x7f;
    uint32_t magnitude = top;
    if (exponent < 1024 && exponent > -1023) {
        mantissa |= UINT64_C(1) << 52;
        // Below the smallest normal exponent, bits go as the exponent stays.
        int below = exponent < 1 - bias ? 1 - bias - exponent : 0;
        unsigned shift = (unsigned)(52 - f->fraction_bits + (below < 64 ? below : 64));
        uint64_t kept = round_off(mantissa, shift, negative, rounding);
        int64_t biased = below ? 0 : exponent + bias - 1;
        uint64_t whole = kept + ((uint64_t)biased << f->fraction_bits);
        bool toward_zero = rounding == ROUND_RZ || (rounding == ROUND_RM && !negative) ||
                           (rounding == ROUND_RP && negative);
        magnitude = whole < top ? (uint32_t)whole : toward_zero ? top - 1 : top;
    } else if (exponent == -1023) {
        magnitude =
            mantissa && ((rounding == ROUND_RM && negative) || (rounding == ROUND_RP && !negative));
    }
    if (magnitude == top && (finite || !f->has_infinity))
        magnitude = finite ? top - 1 : f->nan;
    uint32_t out = sign | magnitude;
    return type == TYPE_TF32 ? out << 13 : out;
}

double
ptx_widen(uint32_t bits, PtxType type)
{
    const Format *f = format_of(type);
    if (type == TYPE_TF32 || type == TYPE_F32)
        return bits_float(type == TYPE_TF32 ? bits & ~UINT32_C(0x1fff) : bits);
    int bias = (1 << (f->exponent_bits - 1)) - 1;
    uint32_t exponent = bits >> f->fraction_bits & ((1u << f->exponent_bits) - 1),
             fraction = bits & ((1u << f->fraction_bits) - 1);
    double sign = bits >> (f->exponent_bits + f->fraction_bits) & 1 ? -1 : 1;
    uint32_t ones = (1u << f->exponent_bits) - 1;
    if (exponent == ones && f->has_infinity)
        return fraction ? __builtin_nan("") : sign * __builtin_inf();
    if (!f->has_infinity && exponent == ones && fraction == (1u << f->fraction_bits) - 1)
        return __builtin_nan("");
    double scale = __builtin_ldexp(1, (exponent ? (int)exponent : 1) - bias - f->fraction_bits);
    return sign * scale * (fraction + (exponent ? 1u << f->fraction_bits : 0));
}
