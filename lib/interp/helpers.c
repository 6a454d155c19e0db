// helpers.c -- functions that programs declare and libraries define (mlc/runner_utils.h), which the
// interpreter stands for: it prints what they print.
#include <stdio.h>
#include <time.h>

#include "interp_impl.h"

#include "mlc/runtime/abi.h"

typedef struct Helper {
    const char *name;
    size_t num_args;
    bool has_result;
    bool (*run)(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result);
    const char *text; // printed as it is
} Helper;

static bool
print_text(MlcBuf *text)
{
    fputs(mlc_buf_c_str(text), stdout);
    return true;
}

static void
append_number(const MlcDatum *d, bool is_unsigned, MlcBuf *out)
{
    if (mlc_type_is_float(d->type))
        mlc_buf_printf(out, "%g", mlc_datum_as_double(d));
    else if (is_unsigned)
        mlc_buf_printf(out, "%llu", (unsigned long long)mlc_datum_as_uint(d));
    else
        mlc_buf_printf(out, "%lld", (long long)mlc_datum_as_int(d));
}

static bool
print_number(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result)
{
    (void)interp, (void)op, (void)result;
    MlcBuf text = {0};
    append_number(&args[0], false, &text);
    print_text(&text);
    mlc_buf_release(&text);
    return true;
}

static bool
print_unsigned(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result)
{
    (void)interp, (void)op, (void)result;
    MlcBuf text = {0};
    append_number(&args[0], true, &text);
    print_text(&text);
    mlc_buf_release(&text);
    return true;
}

static void
append_list(const char *name, const int64_t *list, size_t n, MlcBuf *out)
{
    mlc_buf_printf(out, " %s = [", name);
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(out, "%s%lld", i ? ", " : "", (long long)list[i]);
    mlc_buf_append_c(out, "]");
}

static void
append_shape(const MlcDatum *d, MlcBuf *out)
{
    mlc_buf_printf(out, "Unranked Memref base@ = 0x%llx rank = %zu offset = %lld",
                   (unsigned long long)mlc_buffer_address(d->memref.buffer), d->rank,
                   (long long)d->memref.offset);
    append_list("sizes", d->memref.sizes, d->rank, out);
    append_list("strides", d->memref.strides, d->rank, out);
}

// Dimension `dim` of the elements at `at`, behind as many open brackets.
static bool
append_elements(MlcInterp *interp, MlcOp *op, const MlcDatum *d, size_t dim, int64_t *at,
                MlcBuf *out)
{
    if (dim == d->rank) {
        MlcDatum element;
        if (!mlc_eval_load(&interp->eval, op, d, at, &element))
            return false;
        if (mlc_type_is_int_or_index(element.type) && mlc_type_bit_width(element.type) == 8)
            mlc_buf_append_char(out, (char)mlc_datum_as_int(&element)); // a character
        else
            append_number(&element, false, out);
        return true;
    }
    bool ok = true;
    mlc_buf_append_char(out, '[');
    for (at[dim] = 0; ok && at[dim] < d->memref.sizes[dim]; at[dim]++) {
        if (at[dim] > 0 && dim + 1 == d->rank)
            mlc_buf_printf(out, ",%*s", (int)d->rank + 1, "");
        else if (at[dim] > 0)
            mlc_buf_printf(out, ", \n%*s", (int)dim + 1, "");
        ok = append_elements(interp, op, d, dim + 1, at, out);
    }
    mlc_buf_append_char(out, ']');
    return ok;
}

static bool
print_shape(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result)
{
    (void)interp, (void)op, (void)result;
    MlcBuf text = {0};
    append_shape(&args[0], &text);
    mlc_buf_append_char(&text, '\n');
    print_text(&text);
    mlc_buf_release(&text);
    return true;
}

static bool
print_memref(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result)
{
    (void)result;
    MlcBuf text = {0};
    int64_t at[MLC_RANK_LIMIT] = {0};
    append_shape(&args[0], &text);
    mlc_buf_append_c(&text, args[0].rank ? " data = \n" : " data = \n[");
    bool ok = append_elements(interp, op, &args[0], 0, at, &text);
    mlc_buf_append_c(&text, args[0].rank ? "\n" : "]\n");
    if (ok)
        print_text(&text);
    mlc_buf_release(&text);
    return ok;
}

static double
seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool
read_clock(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result)
{
    (void)interp, (void)op, (void)args;
    *result = mlc_type_is_float(result->type)
                  ? mlc_datum_float(result->type, seconds())
                  : mlc_datum_int(result->type, (int64_t)(seconds() * 1e9));
    return true;
}

// What a model computes and then tells the runtime (mlc/runtime/abi.h), which gives it back.
static bool
give_size(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result)
{
    (void)interp;
    if (!mlc_type_is_int_or_index(args[1].type) || !mlc_type_is_int_or_index(result->type))
        return mlc_op_error(op, "calls '" MLC_RT_SIZE_FUNCTION "' of other types than integers");
    *result = mlc_datum_int(result->type, mlc_datum_as_int(&args[1]));
    return true;
}

static bool
print_flops(MlcInterp *interp, MlcOp *op, const MlcDatum *args, MlcDatum *result)
{
    (void)interp, (void)op, (void)result;
    fprintf(stderr, "%f GFLOPS\n", mlc_datum_as_double(&args[0]) / 1e9);
    return true;
}

static const Helper helpers[] = {
    {"printI64", 1, false, print_number, NULL},
    {"printU64", 1, false, print_unsigned, NULL},
    {"printF32", 1, false, print_number, NULL},
    {"printF64", 1, false, print_number, NULL},
    {"printOpen", 0, false, NULL, "( "},
    {"printClose", 0, false, NULL, " )"},
    {"printComma", 0, false, NULL, ", "},
    {"printNewline", 0, false, NULL, "\n"},
    {"printMemrefI8", 1, false, print_memref, NULL},
    {"printMemrefI16", 1, false, print_memref, NULL},
    {"printMemrefI32", 1, false, print_memref, NULL},
    {"printMemrefI64", 1, false, print_memref, NULL},
    {"printMemrefInd", 1, false, print_memref, NULL},
    {"printMemrefF16", 1, false, print_memref, NULL},
    {"printMemrefBF16", 1, false, print_memref, NULL},
    {"printMemrefF32", 1, false, print_memref, NULL},
    {"printMemrefF64", 1, false, print_memref, NULL},
    {"printMemrefShapeI8", 1, false, print_shape, NULL},
    {"printMemrefShapeI32", 1, false, print_shape, NULL},
    {"printMemrefShapeI64", 1, false, print_shape, NULL},
    {"printMemrefShapeInd", 1, false, print_shape, NULL},
    {"printMemrefShapeF32", 1, false, print_shape, NULL},
    {"printMemrefShapeF64", 1, false, print_shape, NULL},
    {"rtclock", 0, true, read_clock, NULL},
    {"nanoTime", 0, true, read_clock, NULL},
    {"printFlops", 1, false, print_flops, NULL},
    {MLC_RT_SIZE_FUNCTION, 2, true, give_size, NULL},
};

static bool
takes(const Helper *h, const MlcDatum *args, size_t num_args, size_t num_results)
{
    bool is_buffer = h->run == print_memref || h->run == print_shape;
    if (num_args != h->num_args || num_results != h->has_result)
        return false;
    return num_args == 0 ||
           (is_buffer
                ? mlc_datum_is_memref(&args[0]) && !mlc_type_is(args[0].type, MLC_TYPE_DIALECT)
                : mlc_type_is_int_or_index(args[0].type) || mlc_type_is_float(args[0].type));
}

void
mlc_interp_bind(MlcInterp *interp, const char *name, MlcInterpFn function, void *user)
{
    Bound bound = {mlc_arena_strdup(&interp->arena, mlc_str(name)).data, function, user};
    mlc_vec_push(&interp->bound, bound);
}

bool
mlc_interp_helper(MlcInterp *interp, MlcOp *op, MlcStr name, const MlcDatum *args, size_t num_args,
                  MlcDatum *results, size_t num_results, bool *ok)
{
    for (size_t i = interp->bound.size; i-- > 0;) {
        const Bound *b = &interp->bound.data[i];
        if (!mlc_str_equal(name, mlc_str(b->name)))
            continue;
        *ok = b->function(interp, op, args, num_args, results, num_results, b->user);
        return true;
    }
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        const Helper *h = &helpers[i];
        if (!mlc_str_equal(name, mlc_str(h->name)) || !takes(h, args, num_args, num_results))
            continue;
        *ok = true;
        if (h->text)
            fputs(h->text, stdout);
        else
            *ok = h->run(interp, op, args, results);
        return true;
    }
    return false;
}
