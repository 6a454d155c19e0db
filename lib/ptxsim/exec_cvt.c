// exec_cvt.c -- conversions between numbers.
//
// Integers between each other go by bits and extension. Everything else goes through double, which
// holds every f32, every half and every integer of 32 bits; integers of 64 bits are converted by
// the machine, which rounds once.
#include <fenv.h>
#include <math.h>

#include "exec.h"
#include "exec_float.h"
#include "numeric.h"

static bool
is_float(PtxType type)
{
    return ptx_types[type].class == CLASS_FLOAT;
}

Step
ptx_convert_ints(Warp *w, const Inst *in, uint32_t mask)
{
    unsigned from = ptx_types[in->from].bytes, to = ptx_types[in->type].bytes;
    bool from_signed = ptx_types[in->from].class == CLASS_SIGNED,
         to_signed = ptx_types[in->type].class == CLASS_SIGNED;
    FOR_ACTIVE (l, mask) {
        uint64_t value = extend(get_lane(w, &in->operand[1], l), from, from_signed);
        if (in->flags & FLAG_SAT) {
            uint64_t most = UINT64_MAX >> (64 - 8 * to + to_signed);
            bool negative = from_signed && (int64_t)value < 0;
            if (negative)
                value = !to_signed ? 0 : (int64_t)value < -(int64_t)most - 1 ? ~most : value;
            else if (value > most)
                value = most;
        }
        put_lane(w, &in->operand[0], l, extend(value, to, to_signed));
    }
    return STEP_NEXT;
}

static double
to_integral(double value, unsigned rounding)
{
    switch (rounding) {
    case ROUND_RN:
        return rint(value);
    case ROUND_RM:
        return floor(value);
    case ROUND_RP:
        return ceil(value);
    default:
        return trunc(value);
    }
}

static double
number(uint64_t bits, const Inst *in)
{
    double value = in->from == TYPE_F64 ? bits_double(bits) : ptx_widen((uint32_t)bits, in->from);
    if (in->from == TYPE_F16)
        value = f16_float((uint32_t)bits & 0xffff);
    if (in->from == TYPE_BF16)
        value = bf16_float((uint32_t)bits & 0xffff);
    if ((in->flags & FLAG_FTZ) && in->from == TYPE_F32 && fabs(value) < 0x1p-126)
        value = value < 0 || signbit(value) ? -0.0 : 0.0;
    return value;
}

// Out of range becomes the nearest integer in range, a NaN 0.
static uint64_t
integer(double value, PtxType type)
{
    unsigned bits = 8 * ptx_types[type].bytes;
    if (value != value)
        return 0;
    if (ptx_types[type].class == CLASS_SIGNED) {
        double limit = ldexp(1, (int)bits - 1);
        uint64_t least = UINT64_MAX << (bits - 1);
        return value >= limit ? ~least : value < -limit ? least : (uint64_t)(int64_t)value;
    }
    double limit = ldexp(1, (int)bits);
    return value >= limit ? UINT64_MAX >> (64 - bits) : value <= 0 ? 0 : (uint64_t)value;
}

static uint64_t
float_result(double value, const Inst *in)
{
    if (in->shape & TO_INTEGRAL)
        value = to_integral(value, in->variant);
    if (in->flags & FLAG_SAT)
        value = !(value > 0) ? 0 : value > 1 ? 1 : value;
    if (in->type == TYPE_F64)
        return double_bits(value);
    if ((in->flags & FLAG_RELU) && value < 0)
        value = 0;
    uint32_t bits = ptx_narrow(value, in->type, in->variant, in->shape & SATURATE_FINITE);
    if ((in->flags & FLAG_FTZ) && in->type == TYPE_F32 && !(bits & 0x7f800000))
        bits &= 0x80000000;
    return bits;
}

// From an integer of 64 bits, which double does not hold.
static uint64_t
float_of_wide(uint64_t value, const Inst *in)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    bool is_signed = in->from == TYPE_S64;
    fesetround(modes[in->variant & 3]);
    volatile int64_t s = (int64_t)value;
    volatile uint64_t u = value;
    volatile float f = is_signed ? (float)s : (float)u;
    volatile double d = is_signed ? (double)s : (double)u;
    fesetround(FE_TONEAREST);
    if (in->type == TYPE_F32)
        return float_bits(f);
    return in->type == TYPE_F64 ? double_bits(d) : ptx_narrow(d, in->type, in->variant, false);
}

static uint64_t
convert_lane(uint64_t bits, const Inst *in)
{
    unsigned bytes = ptx_types[in->from].bytes;
    if (is_float(in->from)) {
        double value = number(extend(bits, bytes, false), in);
        if (is_float(in->type))
            return float_result(value, in);
        return integer(to_integral(value, in->variant), in->type);
    }
    uint64_t value = extend(bits, bytes, ptx_types[in->from].class == CLASS_SIGNED);
    if (bytes == 8)
        return float_of_wide(value, in);
    return float_result(
        ptx_types[in->from].class == CLASS_SIGNED ? (double)(int64_t)value : (double)value, in);
}

Step
ptx_convert(Warp *w, const Inst *in, uint32_t mask)
{
    FOR_ACTIVE (l, mask) {
        uint64_t value = convert_lane(get_lane(w, &in->operand[1], l), in);
        put_lane(w, &in->operand[0], l, value);
    }
    return STEP_NEXT;
}

// d = {a, b}, a the upper one.
Step
ptx_convert_pair(Warp *w, const Inst *in, uint32_t mask)
{
    unsigned bits = 4 * ptx_types[in->type].bytes;
    FOR_ACTIVE (l, mask) {
        uint64_t high = convert_lane(get_lane(w, &in->operand[1], l), in),
                 low = convert_lane(get_lane(w, &in->operand[2], l), in);
        put_lane(w, &in->operand[0], l, high << bits | low);
    }
    return STEP_NEXT;
}

// Both numbers of a register: halves to 8 bits each, or back.
Step
ptx_convert_from_pair(Warp *w, const Inst *in, uint32_t mask)
{
    unsigned from = 4 * ptx_types[in->from].bytes, to = 4 * ptx_types[in->type].bytes;
    FOR_ACTIVE (l, mask) {
        uint64_t bits = get_lane(w, &in->operand[1], l), out = 0;
        for (unsigned i = 0; i < 2; i++) {
            double value = ptx_widen((uint32_t)(bits >> i * from & ((1u << from) - 1)), in->from);
            out |= float_result(value, in) << i * to;
        }
        put_lane(w, &in->operand[0], l, out);
    }
    return STEP_NEXT;
}
