// powers.h -- powers of two.
//
// Ownership: values.
// Threads: any.
#ifndef MLC_SUPPORT_POWERS_H
#define MLC_SUPPORT_POWERS_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// 1, 2, 4, 8...
static inline bool
mlc_is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

// The least power of two that is not below `n`, of 1 to 2^62.
static inline int64_t
mlc_power_of_two_from(int64_t n)
{
    int64_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

// Of `n` > 0, rounded down.
static inline unsigned
mlc_log2(int64_t n)
{
    unsigned log = 0;
    while (n >> log > 1)
        log++;
    return log;
}

MLC_END_DECLS

#endif
