// random.h -- the random numbers of mutations: the same on every machine.
#ifndef MLC_TEST_FUZZ_RANDOM_H
#define MLC_TEST_FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#define FUZZ_RANDOM_SEED UINT64_C(88172645463325252) // any state but 0 will do

// From 0 to limit - 1; 0 where there is nothing to choose. (Xorshift; Marsaglia 2003.)
static inline size_t
fuzz_random_below(uint64_t *state, size_t limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return limit ? (size_t)(*state % limit) : 0;
}

#endif
