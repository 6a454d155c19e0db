// memref.c -- buffers printed and compared, as MLIR's runner prints them: rows in brackets, one
// under the other.
#include "mlc/runner_utils.h"

#include <inttypes.h>
#include <stdio.h>

#include "halves.h"

// One kind of element: how one is printed, and whether two are the same.
typedef struct Kind {
    size_t bytes;
    void (*print)(FILE *out, const void *element);
    bool (*is_same)(const void *actual, const void *expected);
} Kind;

static bool
is_close(double actual, double expected)
{
    double difference = actual - expected;
    return actual == expected || fabs(difference) <= 1e-7 * fabs(expected);
}

#define INTEGER(name, type, format, cast)                                                          \
    static void print_##name(FILE *out, const void *element)                                       \
    {                                                                                              \
        fprintf(out, format, (cast) * (const type *)element);                                      \
    }                                                                                              \
    static bool is_same_##name(const void *actual, const void *expected)                           \
    {                                                                                              \
        return *(const type *)actual == *(const type *)expected;                                   \
    }                                                                                              \
    static const Kind kind_##name = {sizeof(type), print_##name, is_same_##name};
#define REAL(name, type, value)                                                                    \
    static void print_##name(FILE *out, const void *element)                                       \
    {                                                                                              \
        fprintf(out, "%g", value(*(const type *)element));                                         \
    }                                                                                              \
    static bool is_same_##name(const void *actual, const void *expected)                           \
    {                                                                                              \
        return is_close(value(*(const type *)actual), value(*(const type *)expected));             \
    }                                                                                              \
    static const Kind kind_##name = {sizeof(type), print_##name, is_same_##name};
#define COMPLEX(name, type)                                                                        \
    static void print_##name(FILE *out, const void *element)                                       \
    {                                                                                              \
        const type *parts = element;                                                               \
        fprintf(out, "(%g,%g)", (double)parts[0], (double)parts[1]);                               \
    }                                                                                              \
    static bool is_same_##name(const void *actual, const void *expected)                           \
    {                                                                                              \
        const type *a = actual, *e = expected;                                                     \
        return is_close((double)a[0], (double)e[0]) && is_close((double)a[1], (double)e[1]);       \
    }                                                                                              \
    static const Kind kind_##name = {2 * sizeof(type), print_##name, is_same_##name};

INTEGER(I8, int8_t, "%c", int) // a character, as a stream of C++ prints it
INTEGER(I16, int16_t, "%d", int)
INTEGER(I32, int32_t, "%" PRId32, int32_t)
INTEGER(I64, int64_t, "%" PRId64, int64_t)
INTEGER(Ind, int64_t, "%" PRId64, int64_t)
REAL(F16, uint16_t, f16_value)
REAL(BF16, uint16_t, bf16_value)
REAL(F32, float, (double))
REAL(F64, double, (double))
COMPLEX(C32, float)
COMPLEX(C64, double)

static const int64_t *
sizes_of(const MlcRunnerMemref *m)
{
    return (const int64_t *)(m + 1);
}

static const int64_t *
strides_of(const MlcRunnerMemref *m, int64_t rank)
{
    return sizes_of(m) + rank;
}

static void
print_list(FILE *out, const char *name, const int64_t *numbers, int64_t count)
{
    fprintf(out, " %s = [", name);
    for (int64_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRId64, i ? ", " : "", numbers[i]);
    fputc(']', out);
}

static void
print_shape(FILE *out, int64_t rank, const MlcRunnerMemref *m)
{
    fprintf(out, "base@ = %p rank = %" PRId64 " offset = %" PRId64, m->aligned, rank, m->offset);
    print_list(out, "sizes", sizes_of(m), rank);
    print_list(out, "strides", strides_of(m, rank), rank);
}

// Dimension `dim` of the elements that begin at `at`, behind as many open brackets.
static void
print_elements(FILE *out, const Kind *kind, int64_t rank, const MlcRunnerMemref *m, int64_t dim,
               const char *at)
{
    if (dim == rank) {
        kind->print(out, at);
        return;
    }
    const int64_t *strides = strides_of(m, rank);
    fputc('[', out);
    for (int64_t i = 0; i < sizes_of(m)[dim]; i++) {
        if (i > 0 && dim + 1 == rank)
            fprintf(out, ",%*s", (int)rank + 1, "");
        else if (i > 0)
            fprintf(out, ", \n%*s", (int)dim + 1, "");
        print_elements(out, kind, rank, m, dim + 1, at + i * strides[dim] * (int64_t)kind->bytes);
    }
    fputc(']', out);
}

static void
print_memref(const Kind *kind, int64_t rank, const MlcRunnerMemref *m, bool has_elements)
{
    printf("Unranked Memref ");
    print_shape(stdout, rank, m);
    if (has_elements) {
        printf(" data = \n");
        if (rank == 0)
            fputc('[', stdout);
        print_elements(stdout, kind, rank, m, 0,
                       (const char *)m->aligned + m->offset * (int64_t)kind->bytes);
        if (rank == 0)
            fputc(']', stdout);
    }
    fputc('\n', stdout);
    fflush(stdout);
}

typedef struct Comparison {
    const Kind *kind;
    int64_t rank, count, differences; // elements so far
    const MlcRunnerMemref *actual, *expected;
} Comparison;

static void
compare(Comparison *c, int64_t dim, const char *actual, const char *expected)
{
    int64_t bytes = (int64_t)c->kind->bytes;
    if (dim == c->rank) {
        if (!c->kind->is_same(actual, expected)) {
            c->kind->print(stderr, actual);
            fprintf(stderr, " != ");
            c->kind->print(stderr, expected);
            fprintf(stderr, " offset = %" PRId64 "\n", c->count);
            c->differences++;
        }
        c->count++;
        return;
    }
    const int64_t *a = strides_of(c->actual, c->rank), *e = strides_of(c->expected, c->rank);
    for (int64_t i = 0; i < sizes_of(c->actual)[dim]; i++)
        compare(c, dim + 1, actual + i * a[dim] * bytes, expected + i * e[dim] * bytes);
}

static int64_t
verify(const Kind *kind, const MlcRunnerUnranked *actual, const MlcRunnerUnranked *expected)
{
    const MlcRunnerMemref *a = actual->memref, *e = expected->memref;
    size_t bytes = (size_t)actual->rank * sizeof(int64_t);
    if (actual->rank != expected->rank || memcmp(sizes_of(a), sizes_of(e), bytes) != 0) {
        print_shape(stderr, actual->rank, a);
        fprintf(stderr, "\n");
        print_shape(stderr, expected->rank, e);
        fprintf(stderr, "\n");
        return -1;
    }
    Comparison c = {.kind = kind, .rank = actual->rank, .actual = a, .expected = e};
    compare(&c, 0, (const char *)a->aligned + a->offset * (int64_t)kind->bytes,
            (const char *)e->aligned + e->offset * (int64_t)kind->bytes);
    return c.differences;
}

#define FUNCTIONS(name)                                                                            \
    void printMemref##name(int64_t rank, void *descriptor)                                         \
    {                                                                                              \
        print_memref(&kind_##name, rank, descriptor, true);                                        \
    }                                                                                              \
    void _mlir_ciface_printMemref##name(MlcRunnerUnranked *m)                                      \
    {                                                                                              \
        print_memref(&kind_##name, m->rank, m->memref, true);                                      \
    }                                                                                              \
    void _mlir_ciface_printMemrefShape##name(MlcRunnerUnranked *m)                                 \
    {                                                                                              \
        print_memref(&kind_##name, m->rank, m->memref, false);                                     \
    }                                                                                              \
    int64_t verifyMemRef##name(int64_t rank, void *actual, void *expected)                         \
    {                                                                                              \
        return verify(&kind_##name, &(MlcRunnerUnranked){rank, actual},                            \
                      &(MlcRunnerUnranked){rank, expected});                                       \
    }                                                                                              \
    int64_t _mlir_ciface_verifyMemRef##name(MlcRunnerUnranked *actual,                             \
                                            MlcRunnerUnranked *expected)                           \
    {                                                                                              \
        return verify(&kind_##name, actual, expected);                                             \
    }

FUNCTIONS(I8)
FUNCTIONS(I16)
FUNCTIONS(I32)
FUNCTIONS(I64)
FUNCTIONS(Ind)
FUNCTIONS(F16)
FUNCTIONS(BF16)
FUNCTIONS(F32)
FUNCTIONS(F64)
FUNCTIONS(C32)
FUNCTIONS(C64)
