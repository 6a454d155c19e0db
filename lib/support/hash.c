// hash.c -- bytes to 64 bits, 16 at a time by one multiply (after Wang Yi's wyhash; tails are read
// with overlap).
#include "mlc/support/hash.h"

static uint64_t
read64(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

static uint64_t
read32(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

uint64_t
mlc_hash_bytes(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *p = data;
    const uint64_t k0 = UINT64_C(0xa0761d6478bd642f), k1 = UINT64_C(0xe7037ed1a0b428db);
    uint64_t hash = seed ^ k0, a = 0, b = 0;
    size_t left = size;
    for (; left > 16; left -= 16, p += 16)
        hash = mlc_hash_mum(read64(p) ^ k1, read64(p + 8) ^ hash);
    if (left >= 8) {
        a = read64(p);
        b = read64(p + left - 8);
    } else if (left >= 4) {
        a = read32(p);
        b = read32(p + left - 4);
    } else if (left > 0) {
        a = (uint64_t)p[0] << 16 | (uint64_t)p[left / 2] << 8 | p[left - 1];
    }
    return mlc_hash_mum(k1 ^ size, mlc_hash_mum(a ^ k1, b ^ hash));
}
