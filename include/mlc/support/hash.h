// hash.h -- a fast 64-bit hash of bytes and helpers to mix words.
//
// The 64x64 -> 128 bit multiply folded to 64 bits is the mixer (the idea of Wang Yi's wyhash). The
// results are the same on every machine and in every run, so they may be written to files; they do
// not resist an adversary.
//
// Ownership: nothing is kept.
// Threads: any.
#ifndef MLC_SUPPORT_HASH_H
#define MLC_SUPPORT_HASH_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

#define MLC_HASH_SEED UINT64_C(0x9e3779b97f4a7c15)

// The high and the low half of a * b, xored.
static inline uint64_t
mlc_hash_mum(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Mixes all bits of a number into all bits of the result; for tables, not against attackers.
static inline uint64_t
mlc_hash_u64(uint64_t x)
{
    return mlc_hash_mum(x ^ MLC_HASH_SEED, UINT64_C(0xe7037ed1a0b428db));
}

// Of an address, not of what stands there.
static inline uint64_t
mlc_hash_ptr(const void *p)
{
    return mlc_hash_u64((uint64_t)(uintptr_t)p);
}

// Mixes one more word into a running hash; the order of words matters.
static inline uint64_t
mlc_hash_combine(uint64_t hash, uint64_t word)
{
    return mlc_hash_mum(hash ^ UINT64_C(0xa0761d6478bd642f), word ^ UINT64_C(0x8ebc6af09c88c6e3));
}

// Of `size` bytes; other seeds give other hashes.
MLC_API uint64_t mlc_hash_bytes(const void *data, size_t size, uint64_t seed);

// With the seed 0.
static inline uint64_t
mlc_hash_str(MlcStr s)
{
    return mlc_hash_bytes(s.data, s.size, MLC_HASH_SEED);
}

MLC_END_DECLS

#endif
