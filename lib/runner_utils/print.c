// print.c -- numbers, and the signs that stand between them.
#include "mlc/runner_utils.h"

#include <inttypes.h>
#include <stdio.h>

#include "halves.h"

void
printI64(int64_t value)
{
    printf("%" PRId64, value);
}

void
printU64(uint64_t value)
{
    printf("%" PRIu64, value);
}

void
printF32(float value)
{
    printf("%g", (double)value);
}

void
printF64(double value)
{
    printf("%g", value);
}

void
printF16(uint16_t bits)
{
    printf("%g", f16_value(bits));
}

void
printBF16(uint16_t bits)
{
    printf("%g", bf16_value(bits));
}

void
printString(const char *text)
{
    fputs(text, stdout);
}

void
printOpen(void)
{
    fputs("( ", stdout);
}

void
printClose(void)
{
    fputs(" )", stdout);
}

void
printComma(void)
{
    fputs(", ", stdout);
}

void
printNewline(void)
{
    fputc('\n', stdout);
    fflush(stdout);
}
