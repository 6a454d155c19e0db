// softfloat_impl.h -- what softfloat.c and softfloat_text.c share: numbers taken apart.
#ifndef MLC_SUPPORT_SOFTFLOAT_IMPL_H
#define MLC_SUPPORT_SOFTFLOAT_IMPL_H

#include "mlc/support/softfloat.h"

__extension__ typedef unsigned __int128 Bits128;

typedef enum FloatClass {
    CLASS_ZERO,
    CLASS_FINITE,
    CLASS_INF,
    CLASS_NAN,
} FloatClass;

typedef struct Unpacked {
    FloatClass class;
    bool negative;
    int32_t exponent; // of a finite number: mantissa * 2^exponent
    Bits128 mantissa; // of a NaN: its payload, aligned to the top
} Unpacked;

Unpacked mlc_float_unpack(MlcFloat a);

// mantissa * 2^exponent, and a bit more when `sticky`, rounded to nearest even. *tie (may be NULL)
// says whether what was cut off is exactly half, not counting `sticky`.
MlcFloat mlc_float_round(MlcFloatKind kind, bool negative, Bits128 mantissa, int64_t exponent,
                         bool sticky, bool *tie);

// Bits of the significand, the leading one included.
uint32_t mlc_float_precision(MlcFloatKind kind);

static inline unsigned
bit_length(Bits128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    if (high)
        return 128 - (unsigned)__builtin_clzll(high);
    return low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

#endif
