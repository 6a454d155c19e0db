// roofline.c -- what one core of this machine can do at most, measured: its clock by a chain of
// dependent additions, its memory by reading more than any cache holds.
#include "mlc.h"

#include "mlc/support/alloc.h"
#include "mlc/support/clock.h"
#include "mlc/support/pool.h"
#include "mlc/machine.h"

enum { CHAIN = 1 << 22, CLOCK_ROUNDS = 20, ROUNDS = 5, READ_BYTES = 256 << 20 };

static inline uint64_t
add(uint64_t x, uint64_t y)
{
    x += y;
    __asm__ volatile("" : "+r"(x)); // one after the other, none left out
    return x;
}

// Additions of registers that wait for each other take a cycle each, on every processor that we
// know; those of small constants take none where renaming does them (Intel, from Golden Cove on).
// Written out, as leaving a short loop takes a cycle too.
static double
measure_clock(void)
{
    double best = 1e9;
    for (int round = 0; round < CLOCK_ROUNDS; round++) {
        uint64_t x = (uint64_t)round, y = 3;
        __asm__ volatile("" : "+r"(y)); // not a constant that the compiler knows
        double start = mlc_clock_seconds();
        for (int i = 0; i < CHAIN / 16; i++) {
            x = add(add(add(add(x, y), y), y), y);
            x = add(add(add(add(x, y), y), y), y);
            x = add(add(add(add(x, y), y), y), y);
            x = add(add(add(add(x, y), y), y), y);
        }
        double seconds = mlc_clock_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return CHAIN / best;
}

typedef struct Reading {
    const uint64_t *words;
    size_t count; // of each reader
} Reading;

static void
read_part(void *user, size_t part, unsigned worker)
{
    (void)worker;
    const Reading *r = user;
    const uint64_t *words = r->words + part * r->count;
    uint64_t sum[8] = {0};
    for (size_t i = 0; i + 8 <= r->count; i += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += words[i + k];
    __asm__ volatile("" : : "r"(sum) : "memory");
}

static double
measure_bandwidth(unsigned threads)
{
    uint64_t *words = mlc_malloc(READ_BYTES);
    Reading reading = {words, READ_BYTES / sizeof *words / threads};
    MlcPool *pool = mlc_pool_create(threads);
    double best = 1e9;
    memset(words, 1, READ_BYTES);
    for (int round = 0; round < ROUNDS; round++) {
        double start = mlc_clock_seconds();
        mlc_parallel_for(pool, threads, read_part, &reading);
        double seconds = mlc_clock_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    mlc_pool_destroy(pool);
    mlc_free(words);
    return READ_BYTES / best;
}

Roofline
roofline_measure(int threads)
{
    const MlcTargetDesc *desc = mlc_target_desc_host();
    double ports = desc->fma_ports ? desc->fma_ports : 1, lanes = desc->vector_bits / 32.0;
    return (Roofline){.flops = threads * measure_clock() * ports * 2 * lanes,
                      .bytes = measure_bandwidth((unsigned)threads)};
}

double
roofline_share(const Roofline *machine, double flops, double bytes, double seconds)
{
    double least = flops / machine->flops, moving = bytes / machine->bytes;
    least = moving > least ? moving : least;
    return seconds > 0 ? least / seconds : 0;
}
