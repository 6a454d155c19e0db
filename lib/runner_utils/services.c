// services.c -- memory, clocks, random numbers.
#include "mlc/runner_utils.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void
copy(int64_t bytes, int64_t rank, const MlcRunnerMemref *from, const MlcRunnerMemref *to,
     int64_t dim, const char *source, char *target)
{
    if (dim == rank) {
        memcpy(target, source, (size_t)bytes);
        return;
    }
    const int64_t *sizes = (const int64_t *)(from + 1), *steps = sizes + rank,
                  *to_steps = (const int64_t *)(to + 1) + rank;
    for (int64_t i = 0; i < sizes[dim]; i++)
        copy(bytes, rank, from, to, dim + 1, source + i * steps[dim] * bytes,
             target + i * to_steps[dim] * bytes);
}

void
memrefCopy(int64_t element_bytes, MlcRunnerUnranked *from, MlcRunnerUnranked *to)
{
    const MlcRunnerMemref *a = from->memref, *b = to->memref;
    copy(element_bytes, from->rank, a, b, 0, (const char *)a->aligned + a->offset * element_bytes,
         (char *)b->aligned + b->offset * element_bytes);
}

void *
mlirAlloc(uint64_t bytes)
{
    return malloc(bytes);
}

// aligned_alloc wants a multiple of the alignment.
void *
mlirAlignedAlloc(uint64_t alignment, uint64_t bytes)
{
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void
mlirFree(void *memory)
{
    free(memory);
}

void
mlirAlignedFree(void *memory)
{
    free(memory);
}

int64_t
_mlir_ciface_nanoTime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double
rtclock(void)
{
    return (double)_mlir_ciface_nanoTime() * 1e-9;
}

void
printFlops(double flops)
{
    fprintf(stderr, "%f GFLOPS\n", flops / 1e9);
}

// splitmix64 (Steele, Lea & Flood, OOPSLA 2014).
void *
rtsrand(uint64_t seed)
{
    uint64_t *state = malloc(sizeof *state);
    if (state)
        *state = seed;
    return state;
}

uint64_t
rtrand(void *generator, uint64_t most)
{
    uint64_t x = *(uint64_t *)generator += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    x ^= x >> 31;
    return most == UINT64_MAX ? x : x % (most + 1);
}

void
rtdrand(void *generator)
{
    free(generator);
}
