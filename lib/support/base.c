// base.c -- the end of the road for faults of ours.
#include "mlc/support/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
mlc_bug_at(const char *file, int line, const char *format, ...)
{
    fprintf(stderr, "%s:%d: bug in mlc: ", file, line);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
