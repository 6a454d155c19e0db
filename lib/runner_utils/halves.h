// halves.h -- the values of f16 and bf16, by their bits: every compiler has no such types.
#ifndef MLC_RUNNER_UTILS_HALVES_H
#define MLC_RUNNER_UTILS_HALVES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double
f16_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 0    ? ldexp(fraction, -24)
                   : exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                                    : ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 ? -value : value;
}

static inline double
bf16_value(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return (double)value;
}

#endif
