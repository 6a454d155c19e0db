// clock.c -- see clock.h.
#include "mlc/support/clock.h"

#include <time.h>

static int64_t
read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
mlc_clock_wall(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double
mlc_clock_seconds(void)
{
    return 1e-9 * (double)mlc_clock_wall();
}

int64_t
mlc_clock_thread(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
