// numeric.h -- the formats of floats that instructions know, and how numbers get into them.
#ifndef MLC_LIB_PTXSIM_NUMERIC_H
#define MLC_LIB_PTXSIM_NUMERIC_H

#include "inst.h"

typedef enum Rounding { ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNA } Rounding;

#define NAN_F32 UINT32_C(0x7fffffff)
#define NAN_F16 0x7fffu // of bf16, too

// The bits of `value` in a format of at most 32 bits, rounded once. `finite`: what is too large
// becomes the largest number. A NaN is the format's canonical one.
uint32_t ptx_narrow(double value, PtxType type, Rounding rounding, bool finite);
// The number that these bits are.
double ptx_widen(uint32_t bits, PtxType type);

static inline float
bf16_float(uint32_t bits)
{
    uint32_t u = bits << 16;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

// 5 bits of exponent, 10 of fraction.
static inline float
f16_float(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff, u;
    float f;
    if (magnitude >= 0x7c00) {
        u = sign | 0x7f800000 | (magnitude & 0x3ff) << 13;
    } else if (magnitude >= 0x400) {
        u = sign | ((magnitude << 13) + ((127u - 15) << 23));
    } else {
        f = (float)magnitude * 0x1p-24f;
        return sign ? -f : f;
    }
    memcpy(&f, &u, sizeof f);
    return f;
}

#endif
