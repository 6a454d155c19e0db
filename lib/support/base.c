// base.c -- the end of the road for faults of ours, and of programs on the library.
#include "mlc/support/base.h"

#include "mlc/support/sized.h"

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

void
mlc_sized_copy(void *to, size_t size, const void *from, const char *what)
{
    if (mlc_sized_try_copy(to, size, from))
        return;
    fprintf(stderr,
            "the program that uses libmlc has a fault: a %s whose 'size' is not set (MLC_SIZED), "
            "or which says more than this libmlc knows\n",
            what);
    abort();
}
