// sizes.c -- see graph_sizes.h.
//
// Text is read into a sum of terms, a number times factors in order. A factor is a name or the text
// of a function. Sums are put in order as they are made, and written again: so what is equal by the
// rules of sums and products is equal as text.
#include "mlc/dialects/graph_sizes.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/ir.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_TERMS = 32, MAX_FACTORS = 8, MAX_DEPTH = 8, MAX_TEXT = 1024 };

typedef struct Term {
    int64_t number;
    size_t num_factors;
    MlcStr factors[MAX_FACTORS]; // in order
} Term;

typedef struct Sum {
    size_t num_terms;
    Term terms[MAX_TERMS]; // in order, no number 0
} Sum;

static const char *const functions[] = {
    [MLC_SIZE_FLOORDIV] = "floordiv", [MLC_SIZE_MAX] = "max", [MLC_SIZE_MIN] = "min"};
enum { NUM_OPS = sizeof functions / sizeof *functions };

// ---- sums

static int
compare_text(MlcStr a, MlcStr b)
{
    size_t n = a.size < b.size ? a.size : b.size;
    int order = n ? memcmp(a.data, b.data, n) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

// More factors first, numbers last.
static int
compare_factors(const Term *a, const Term *b)
{
    if (a->num_factors != b->num_factors)
        return a->num_factors > b->num_factors ? -1 : 1;
    for (size_t i = 0; i < a->num_factors; i++) {
        int order = compare_text(a->factors[i], b->factors[i]);
        if (order)
            return order;
    }
    return 0;
}

static bool
add_term(Sum *sum, const Term *term)
{
    size_t at = 0;
    while (at < sum->num_terms && compare_factors(&sum->terms[at], term) < 0)
        at++;
    bool is_there = at < sum->num_terms && compare_factors(&sum->terms[at], term) == 0;
    if (term->number == 0)
        return true;
    if (is_there) {
        Term *same = &sum->terms[at];
        if (__builtin_add_overflow(same->number, term->number, &same->number))
            return false;
        if (same->number == 0) {
            memmove(same, same + 1, (sum->num_terms - at - 1) * sizeof *same);
            sum->num_terms--;
        }
        return true;
    }
    if (sum->num_terms == MAX_TERMS)
        return false;
    memmove(&sum->terms[at + 1], &sum->terms[at], (sum->num_terms - at) * sizeof *term);
    sum->terms[at] = *term;
    sum->num_terms++;
    return true;
}

static bool
add_sums(Sum *sum, const Sum *other, int64_t times)
{
    for (size_t i = 0; i < other->num_terms; i++) {
        Term term = other->terms[i];
        if (__builtin_mul_overflow(term.number, times, &term.number) || !add_term(sum, &term))
            return false;
    }
    return true;
}

static bool
multiply_terms(const Term *a, const Term *b, Term *product)
{
    size_t i = 0, k = 0, n = 0;
    if (a->num_factors + b->num_factors > MAX_FACTORS ||
        __builtin_mul_overflow(a->number, b->number, &product->number))
        return false;
    while (i < a->num_factors || k < b->num_factors) {
        bool is_a = k == b->num_factors ||
                    (i < a->num_factors && compare_text(a->factors[i], b->factors[k]) <= 0);
        product->factors[n++] = is_a ? a->factors[i++] : b->factors[k++];
    }
    product->num_factors = n;
    return true;
}

static bool
multiply_sums(const Sum *a, const Sum *b, Sum *product)
{
    product->num_terms = 0;
    for (size_t i = 0; i < a->num_terms; i++)
        for (size_t k = 0; k < b->num_terms; k++) {
            Term term;
            if (!multiply_terms(&a->terms[i], &b->terms[k], &term) || !add_term(product, &term))
                return false;
        }
    return true;
}

// `term` over `by`, if nothing is left over.
static bool
divide_term(const Term *term, const Term *by, Term *quotient)
{
    size_t k = 0;
    *quotient = (Term){.number = term->number};
    if (by->number == 0 || by->number == -1 || term->number % by->number != 0)
        return false;
    quotient->number = term->number / by->number;
    for (size_t i = 0; i < term->num_factors; i++)
        if (k < by->num_factors && compare_text(term->factors[i], by->factors[k]) == 0)
            k++;
        else
            quotient->factors[quotient->num_factors++] = term->factors[i];
    return k == by->num_factors;
}

static bool
is_number(const Sum *sum, int64_t *number)
{
    *number = sum->num_terms ? sum->terms[0].number : 0;
    return sum->num_terms == 0 || (sum->num_terms == 1 && sum->terms[0].num_factors == 0);
}

static Sum
number_sum(int64_t number)
{
    return (Sum){.num_terms = number != 0, .terms = {{.number = number}}};
}

// ---- writing

static void
write_term(MlcBuf *out, const Term *term, bool is_first)
{
    // Its negative may not fit.
    uint64_t number = term->number < 0 ? -(uint64_t)term->number : (uint64_t)term->number;
    mlc_buf_append_c(out, term->number < 0 ? (is_first ? "-" : " - ") : is_first ? "" : " + ");
    bool has_number = number != 1 || term->num_factors == 0;
    if (has_number)
        mlc_buf_append_uint(out, number);
    for (size_t i = 0; i < term->num_factors; i++) {
        if (i || has_number)
            mlc_buf_append_char(out, '*');
        mlc_buf_append_str(out, term->factors[i]);
    }
}

static void
write_sum(MlcBuf *out, const Sum *sum)
{
    for (size_t i = 0; i < sum->num_terms; i++)
        write_term(out, &sum->terms[i], i == 0);
    if (sum->num_terms == 0)
        mlc_buf_append_char(out, '0');
}

static bool
as_function(MlcArena *arena, MlcSizeOp op, const Sum *a, const Sum *b, Sum *out)
{
    MlcBuf text = {0};
    mlc_buf_printf(&text, "%s(", functions[op]);
    write_sum(&text, a);
    mlc_buf_append_c(&text, ", ");
    write_sum(&text, b);
    mlc_buf_append_char(&text, ')');
    bool ok = text.size <= MAX_TEXT;
    *out = (Sum){.num_terms = 1, .terms = {{.number = 1, .num_factors = 1}}};
    out->terms[0].factors[0] = mlc_arena_strdup(arena, mlc_buf_str(&text));
    mlc_buf_release(&text);
    return ok;
}

// ---- functions

static bool
has_function(const Term *term)
{
    for (size_t i = 0; i < term->num_factors; i++)
        if (term->factors[i].data[term->factors[i].size - 1] == ')')
            return true;
    return false;
}

// What is sure of the factors: they are not negative; names are not below `name`.
static bool
at_least(const Sum *sum, int64_t name, int64_t *least)
{
    *least = 0;
    for (size_t i = 0; i < sum->num_terms; i++) {
        const Term *term = &sum->terms[i];
        bool counts = term->num_factors == 0 || (name > 0 && !has_function(term));
        if (term->num_factors > 0 && term->number < 0)
            return false;
        if (counts && __builtin_add_overflow(*least, term->number, least))
            return false;
    }
    return true;
}

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// Terms that the divisor divides go in front: (4 * s + 3) / 4 is s + 3 / 4.
static bool
divide_sums(MlcArena *arena, const Sum *a, const Sum *b, Sum *out)
{
    Sum rest = {0}, function;
    int64_t number, by;
    out->num_terms = 0;
    if (b->num_terms == 0)
        return false;
    if (is_number(b, &by) && by == 1)
        return *out = *a, true;
    for (size_t i = 0; i < a->num_terms; i++) {
        Term quotient;
        bool divides = b->num_terms == 1 && b->terms[0].number > 0 &&
                       divide_term(&a->terms[i], &b->terms[0], &quotient);
        if (divides ? !add_term(out, &quotient) : !add_term(&rest, &a->terms[i]))
            return false;
    }
    if (rest.num_terms == 0)
        return true;
    if (is_number(&rest, &number) && is_number(b, &by)) {
        if (by == -1)
            return false;
        function = number_sum(floor_div(number, by));
    } else if (!as_function(arena, MLC_SIZE_FLOORDIV, &rest, b, &function)) {
        return false;
    }
    return add_sums(out, &function, 1);
}

static bool
choose(MlcArena *arena, MlcSizeOp op, const Sum *a, const Sum *b, Sum *out)
{
    Sum difference = *a, opposite = *b;
    int64_t least;
    if (!add_sums(&difference, b, -1) || !add_sums(&opposite, a, -1))
        return false;
    bool is_a_more = at_least(&difference, 0, &least) && least >= 0;
    bool is_b_more = at_least(&opposite, 0, &least) && least >= 0;
    if (is_a_more || is_b_more)
        return *out = *(is_a_more == (op == MLC_SIZE_MAX) ? a : b), true;
    MlcBuf x = {0}, y = {0};
    write_sum(&x, a);
    write_sum(&y, b);
    bool in_order = compare_text(mlc_buf_str(&x), mlc_buf_str(&y)) <= 0;
    mlc_buf_release(&x);
    mlc_buf_release(&y);
    return as_function(arena, op, in_order ? a : b, in_order ? b : a, out);
}

static bool
combine(MlcArena *arena, MlcSizeOp op, const Sum *a, const Sum *b, Sum *out)
{
    switch (op) {
    case MLC_SIZE_ADD:
    case MLC_SIZE_SUB:
        *out = *a;
        return add_sums(out, b, op == MLC_SIZE_ADD ? 1 : -1);
    case MLC_SIZE_MUL:
        return multiply_sums(a, b, out);
    case MLC_SIZE_FLOORDIV:
        return divide_sums(arena, a, b, out);
    default:
        return choose(arena, op, a, b, out);
    }
}

// ---- reading

// What is read: a sum, or, where `steps` is asked for, how to compute it as it is written.
typedef struct Reader {
    const char *at, *end;
    MlcArena *arena;
    MlcSizeSteps *steps; // NULL: none
    unsigned depth;
} Reader;

static void
skip_spaces(Reader *r)
{
    while (r->at < r->end && *r->at == ' ')
        r->at++;
}

static bool
take(Reader *r, char c)
{
    skip_spaces(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void
add_step(Reader *r, MlcSizeStepKind kind, int64_t number, MlcStr name)
{
    if (r->steps)
        mlc_vec_push(r->steps, (MlcSizeStep){kind, number, name});
}

static bool read_sum(Reader *r, Sum *sum);

static bool
read_number(Reader *r, Sum *sum)
{
    int64_t number = 0;
    for (; r->at < r->end && is_digit(*r->at); r->at++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, *r->at - '0', &number))
            return false;
    add_step(r, MLC_SIZE_STEP_NUMBER, number, (MlcStr){0});
    *sum = number_sum(number);
    return true;
}

static bool
read_call(Reader *r, MlcStr name, Sum *sum)
{
    Sum a, b;
    for (size_t op = MLC_SIZE_FLOORDIV; op < NUM_OPS; op++) {
        if (!mlc_str_equal(name, mlc_str(functions[op])))
            continue;
        bool ok = read_sum(r, &a) && take(r, ',') && read_sum(r, &b) && take(r, ')') &&
                  combine(r->arena, (MlcSizeOp)op, &a, &b, sum);
        add_step(r, MLC_SIZE_STEP_OP, (int64_t)op, (MlcStr){0});
        return ok;
    }
    return false;
}

// A name, between backticks or an identifier, or a call of a function.
static bool
read_name(Reader *r, Sum *sum)
{
    const char *begin = r->at;
    MlcStr name;
    if (*r->at == '`') {
        const char *close = memchr(begin + 1, '`', (size_t)(r->end - begin) - 1);
        if (!close || close == begin + 1)
            return false;
        r->at = close + 1;
        name = mlc_str_n(begin + 1, (size_t)(close - begin) - 1);
    } else {
        while (r->at < r->end && (is_letter(*r->at) || is_digit(*r->at) || *r->at == '.'))
            r->at++;
        name = mlc_str_n(begin, (size_t)(r->at - begin));
        if (r->at < r->end && *r->at == '(')
            return r->at++, read_call(r, name, sum);
    }
    add_step(r, MLC_SIZE_STEP_NAME, 0, name);
    *sum = (Sum){.num_terms = 1, .terms = {{.number = 1, .num_factors = 1}}};
    sum->terms[0].factors[0] = mlc_str_n(begin, (size_t)(r->at - begin));
    return true;
}

static bool
read_factor(Reader *r, Sum *sum)
{
    skip_spaces(r);
    if (r->at == r->end)
        return false;
    if (*r->at == '(')
        return r->at++, read_sum(r, sum) && take(r, ')');
    if (is_digit(*r->at))
        return read_number(r, sum);
    return (*r->at == '`' || is_letter(*r->at)) && read_name(r, sum);
}

static bool
read_product(Reader *r, Sum *sum)
{
    Sum left, right;
    if (!read_factor(r, sum))
        return false;
    for (;;) {
        bool is_quotient = take(r, '/');
        if (is_quotient ? !take(r, '/') : !take(r, '*'))
            return !is_quotient;
        MlcSizeOp op = is_quotient ? MLC_SIZE_FLOORDIV : MLC_SIZE_MUL;
        left = *sum;
        if (!read_factor(r, &right) || !combine(r->arena, op, &left, &right, sum))
            return false;
        add_step(r, MLC_SIZE_STEP_OP, (int64_t)op, (MlcStr){0});
    }
}

static bool
read_terms(Reader *r, Sum *sum)
{
    Sum product;
    *sum = (Sum){0};
    bool is_negative = take(r, '-');
    if (is_negative)
        add_step(r, MLC_SIZE_STEP_NUMBER, 0, (MlcStr){0});
    for (bool is_first = true;; is_first = false) {
        if (!read_product(r, &product) || !add_sums(sum, &product, is_negative ? -1 : 1))
            return false;
        if (!is_first || is_negative)
            add_step(r, MLC_SIZE_STEP_OP, is_negative ? MLC_SIZE_SUB : MLC_SIZE_ADD, (MlcStr){0});
        is_negative = take(r, '-');
        if (!is_negative && !take(r, '+'))
            return true;
    }
}

static bool
read_sum(Reader *r, Sum *sum)
{
    bool ok = r->depth++ < MAX_DEPTH && read_terms(r, sum);
    r->depth--;
    return ok;
}

static bool
read_text(MlcArena *arena, MlcStr text, Sum *sum, MlcSizeSteps *steps)
{
    Reader r = {.at = text.data, .end = text.data + text.size, .arena = arena, .steps = steps};
    if (text.size == 0 || text.size > MAX_TEXT || !read_sum(&r, sum))
        return false;
    skip_spaces(&r);
    return r.at == r.end;
}

// ---- the interface

static MlcAttr
make(MlcContext *ctx, const Sum *sum)
{
    MlcBuf text = {0};
    write_sum(&text, sum);
    MlcAttr attr = text.size <= MAX_TEXT ? mlc_string_attr_get(ctx, mlc_buf_str(&text)) : NULL;
    mlc_buf_release(&text);
    return attr;
}

static bool
read_attr(MlcArena *arena, MlcAttr size, Sum *sum)
{
    return mlc_attr_is(size, MLC_ATTR_STRING) &&
           read_text(arena, mlc_string_attr_value(size), sum, NULL);
}

MlcAttr
mlc_size_parse(MlcContext *ctx, MlcStr text)
{
    MlcArena arena = {0};
    Sum sum;
    MlcAttr size = read_text(&arena, text, &sum, NULL) ? make(ctx, &sum) : NULL;
    mlc_arena_release(&arena);
    return size;
}

MlcAttr
mlc_size_named(MlcContext *ctx, MlcStr name)
{
    MlcBuf text = {0};
    bool is_plain = name.size > 0 && is_letter(name.data[0]);
    for (size_t i = 0; i < name.size; i++)
        is_plain &= is_letter(name.data[i]) || is_digit(name.data[i]) || name.data[i] == '.';
    mlc_buf_printf(&text, is_plain ? "%.*s" : "`%.*s`", MLC_STR_FMT(name));
    MlcAttr size = NULL;
    if (name.size > 0 && name.size <= MAX_TEXT / 2 && !memchr(name.data, '`', name.size) &&
        !memchr(name.data, '\0', name.size))
        size = mlc_string_attr_get(ctx, mlc_buf_str(&text));
    mlc_buf_release(&text);
    return size;
}

MlcAttr
mlc_size_number(MlcContext *ctx, int64_t number)
{
    Sum sum = number_sum(number);
    return make(ctx, &sum);
}

bool
mlc_size_is_number(MlcAttr size, int64_t *number)
{
    MlcArena arena = {0};
    Sum sum;
    bool ok = read_attr(&arena, size, &sum) && is_number(&sum, number);
    mlc_arena_release(&arena);
    return ok;
}

bool
mlc_size_is_name(MlcAttr size, MlcStr *name)
{
    MlcSizeSteps steps = {0};
    bool ok = mlc_attr_is(size, MLC_ATTR_STRING) &&
              mlc_size_steps(mlc_string_attr_value(size), &steps) && steps.size == 1 &&
              steps.data[0].kind == MLC_SIZE_STEP_NAME;
    if (ok)
        *name = steps.data[0].name;
    mlc_vec_release(&steps);
    return ok;
}

MlcAttr
mlc_size_combine(MlcSizeOp op, MlcAttr a, MlcAttr b)
{
    MlcArena arena = {0};
    Sum x, y, result;
    MlcAttr size = NULL;
    if (read_attr(&arena, a, &x) && read_attr(&arena, b, &y) &&
        combine(&arena, op, &x, &y, &result))
        size = make(mlc_attr_context(a), &result);
    mlc_arena_release(&arena);
    return size;
}

// Term by term, the first ones first, as long as nothing is left over.
static bool
divide_exactly(const Sum *a, const Sum *b, Sum *out)
{
    Sum rest = *a;
    out->num_terms = 0;
    for (size_t i = 0; rest.num_terms > 0; i++) {
        Sum quotient = {.num_terms = 1}, product;
        if (i == MAX_TERMS || b->num_terms == 0 ||
            !divide_term(&rest.terms[0], &b->terms[0], &quotient.terms[0]) ||
            !multiply_sums(&quotient, b, &product) || !add_sums(&rest, &product, -1) ||
            !add_term(out, &quotient.terms[0]))
            return false;
    }
    return true;
}

MlcAttr
mlc_size_exact_quotient(MlcAttr a, MlcAttr b)
{
    MlcArena arena = {0};
    Sum x, y, result;
    MlcAttr size = NULL;
    if (read_attr(&arena, a, &x) && read_attr(&arena, b, &y) && divide_exactly(&x, &y, &result))
        size = make(mlc_attr_context(a), &result);
    else if (a && b && a == b)
        size = mlc_size_number(mlc_attr_context(a), 1);
    mlc_arena_release(&arena);
    return size;
}

static bool
attr_at_least(MlcAttr size, int64_t name, int64_t *least)
{
    MlcArena arena = {0};
    Sum sum;
    bool ok = read_attr(&arena, size, &sum) && at_least(&sum, name, least);
    mlc_arena_release(&arena);
    return ok;
}

bool
mlc_size_at_least(MlcAttr size, int64_t *least)
{
    return attr_at_least(size, 0, least);
}

bool
mlc_size_at_least_of_some(MlcAttr size, int64_t *least)
{
    return attr_at_least(size, 1, least);
}

bool
mlc_size_steps(MlcStr text, MlcSizeSteps *steps)
{
    MlcArena arena = {0};
    Sum sum;
    bool ok = read_text(&arena, text, &sum, steps);
    mlc_arena_release(&arena);
    return ok;
}

static MlcValue *
build_op(MlcBuilder *b, MlcSizeOp op, MlcValue *x, MlcValue *y)
{
    switch (op) {
    case MLC_SIZE_ADD:
        return mlc_arith_addi(b, x, y);
    case MLC_SIZE_SUB:
        return mlc_arith_subi(b, x, y);
    case MLC_SIZE_MUL:
        return mlc_arith_muli(b, x, y);
    case MLC_SIZE_FLOORDIV:
        return mlc_arith_floordivsi(b, x, y);
    case MLC_SIZE_MAX:
        return mlc_arith_maxsi(b, x, y);
    default:
        return mlc_arith_minsi(b, x, y);
    }
}

MlcValue *
mlc_size_build(MlcBuilder *b, MlcAttr size, MlcSizeFind find, void *user)
{
    MlcSizeSteps steps = {0};
    MlcValueVec stack = {0};
    bool ok =
        mlc_attr_is(size, MLC_ATTR_STRING) && mlc_size_steps(mlc_string_attr_value(size), &steps);
    for (size_t i = 0; ok && i < steps.size; i++) {
        const MlcSizeStep *step = &steps.data[i];
        MlcValue *value;
        if (step->kind == MLC_SIZE_STEP_OP) {
            MlcValue *y = mlc_vec_pop(&stack), *x = mlc_vec_pop(&stack);
            value = build_op(b, (MlcSizeOp)step->number, x, y);
        } else {
            value = step->kind == MLC_SIZE_STEP_NUMBER ? mlc_build_index(b, step->number)
                                                       : find(b, step->name, user);
        }
        ok = value != NULL;
        mlc_vec_push(&stack, value);
    }
    MlcValue *result = ok ? stack.data[0] : NULL;
    mlc_vec_release(&steps);
    mlc_vec_release(&stack);
    return result;
}

MlcAttr
mlc_size_names(MlcType tensor)
{
    MlcAttr encoding =
        mlc_type_is(tensor, MLC_TYPE_TENSOR) ? mlc_tensor_type_encoding(tensor) : NULL;
    return encoding && mlc_attr_isa(encoding, "graph.dims") ? mlc_dialect_attr_param(encoding, 0)
                                                            : NULL;
}

MlcAttr
mlc_size_of_dim(MlcType tensor, size_t i)
{
    MlcAttr names = mlc_size_names(tensor);
    if (mlc_type_dim(tensor, i) != MLC_DYNAMIC)
        return mlc_size_number(mlc_type_context(tensor), mlc_type_dim(tensor, i));
    if (!mlc_attr_is(names, MLC_ATTR_ARRAY) || i >= mlc_array_attr_size(names))
        return NULL;
    MlcAttr name = mlc_array_attr_element(names, i);
    return mlc_attr_is(name, MLC_ATTR_STRING) && mlc_string_attr_value(name).size ? name : NULL;
}

MlcType
mlc_sized_type_get(MlcType element, const MlcAttr *sizes, size_t rank)
{
    MlcContext *ctx = mlc_type_context(element);
    MlcAttr *names = mlc_calloc(rank + 1, sizeof *names);
    int64_t *dims = mlc_calloc(rank + 1, sizeof *dims);
    bool any = false;
    for (size_t i = 0; i < rank; i++) {
        bool is_known = sizes[i] && mlc_size_is_number(sizes[i], &dims[i]) && dims[i] >= 0;
        bool is_named = sizes[i] && !is_known;
        dims[i] = is_known ? dims[i] : MLC_DYNAMIC;
        names[i] = is_named ? sizes[i] : mlc_string_attr_get(ctx, mlc_str(""));
        any |= is_named;
    }
    MlcAttr list = any ? mlc_array_attr_get(ctx, names, rank) : NULL, encoding = NULL;
    if (any)
        encoding =
            mlc_dialect_attr_get(ctx, mlc_context_attr(ctx, mlc_str("graph.dims")), &list, 1);
    MlcType type = mlc_tensor_type_get(element, dims, rank, encoding);
    mlc_free(names);
    mlc_free(dims);
    return type;
}

MlcAttr
mlc_size_list(const MlcOp *op, size_t n)
{
    static const char *const names[] = {"sizes", "start_sizes", "end_sizes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        MlcAttr list = mlc_op_attr(op, names[i]);
        if (mlc_attr_is(list, MLC_ATTR_ARRAY) && n-- == 0)
            return list;
    }
    return NULL;
}

// ---- of functions

static MlcAttr
arg_attr(MlcOp *function, size_t i, const char *name)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = methods ? mlc_op_slot(function, methods->arg_attrs_slot) : NULL;
    return attrs && i < mlc_array_attr_size(attrs)
               ? mlc_dict_attr_find(mlc_array_attr_element(attrs, i), mlc_str(name))
               : NULL;
}

static MlcAttr
size_of_argument(MlcOp *function, MlcValue *arg, size_t i, size_t dim)
{
    MlcAttr dims = arg_attr(function, i, MLC_DIMS_ATTR);
    if (mlc_type_dim(mlc_value_type(arg), dim) != MLC_DYNAMIC)
        return NULL;
    if (mlc_attr_is(dims, MLC_ATTR_ARRAY) && dim < mlc_array_attr_size(dims))
        return mlc_array_attr_element(dims, dim);
    return mlc_size_of_dim(mlc_value_type(arg), dim);
}

MlcValue *
mlc_size_argument(MlcOp *function, MlcAttr size)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        if (arg_attr(function, i, MLC_SIZE_ATTR) == size)
            return mlc_block_arg(entry, i);
    return NULL;
}

MlcOp *
mlc_size_setter(MlcOp *function, MlcAttr size)
{
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(function, 0)))
        if (mlc_op_num_results(op) == 1 && mlc_op_attr(op, MLC_SIZE_ATTR) == size)
            return op;
    return NULL;
}

// Behind the last op that sets a size which has to do with this one.
static void
go_behind_setters(MlcBuilder *b, MlcOp *function, MlcAttr size)
{
    MlcSizeSteps steps = {0};
    MlcOp *last = NULL;
    bool ok =
        mlc_attr_is(size, MLC_ATTR_STRING) && mlc_size_steps(mlc_string_attr_value(size), &steps);
    for (size_t i = 0; ok && i < steps.size; i++) {
        MlcOp *setter = steps.data[i].kind == MLC_SIZE_STEP_NAME
                            ? mlc_size_setter(function, mlc_size_named(b->ctx, steps.data[i].name))
                            : NULL;
        if (setter && (!last || mlc_op_is_before(last, setter)))
            last = setter;
    }
    if (last)
        mlc_builder_after(b, last);
    mlc_vec_release(&steps);
}

// An argument that is the size, or has it as a dimension; or what the function computes.
static MlcValue *
find_size(MlcBuilder *b, MlcOp *function, MlcAttr size)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcValue *argument = mlc_size_argument(function, size);
    MlcOp *setter = argument ? NULL : mlc_size_setter(function, size);
    if (argument || setter)
        return argument ? argument : mlc_op_result(setter, 0);
    for (size_t i = 0; i < mlc_block_num_args(entry); i++) {
        MlcValue *arg = mlc_block_arg(entry, i);
        MlcType type = mlc_value_type(arg);
        bool has_dims = mlc_type_is(type, MLC_TYPE_TENSOR);
        for (size_t k = 0; has_dims && k < mlc_type_rank(type); k++)
            if (size_of_argument(function, arg, i, k) == size)
                return mlc_build_dim(b, arg, k);
    }
    return NULL;
}

static MlcValue *
find_named(MlcBuilder *b, MlcStr name, void *user)
{
    return find_size(b, user, mlc_size_named(b->ctx, name));
}

// Of factors that the function is told, or is told the names in; NULL: of one it is not.
static MlcValue *
build_term(MlcBuilder *b, MlcOp *function, const Term *term)
{
    MlcValue *product = NULL;
    for (size_t i = 0; i < term->num_factors; i++) {
        MlcAttr size = mlc_string_attr_get(b->ctx, term->factors[i]);
        MlcValue *factor = find_size(b, function, size);
        factor = factor ? factor : mlc_size_build(b, size, find_named, function);
        if (!factor)
            return NULL;
        product = product ? mlc_arith_muli(b, product, factor) : factor;
    }
    if (!product)
        return mlc_build_index(b, term->number);
    return term->number == 1 ? product
                             : mlc_arith_muli(b, product, mlc_build_index(b, term->number));
}

// The same of a sum: a function of sizes may be known as a whole, where its names are not.
static MlcValue *
build_of_factors(MlcBuilder *b, MlcOp *function, MlcAttr size)
{
    MlcArena arena = {0};
    Sum sum;
    MlcValue *result = NULL;
    bool ok = read_attr(&arena, size, &sum);
    for (size_t i = 0; ok && i < sum.num_terms; i++) {
        MlcValue *term = build_term(b, function, &sum.terms[i]);
        ok = term != NULL;
        result = result && term ? mlc_arith_addi(b, result, term) : term;
    }
    mlc_arena_release(&arena);
    return ok ? result : NULL;
}

MlcValue *
mlc_size_in_function(MlcOp *function, MlcAttr size)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(function));
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(function, 0)));
    go_behind_setters(&b, function, size);
    b.loc = mlc_op_loc(function);
    MlcValue *found = size ? find_size(&b, function, size) : NULL;
    if (!found && size)
        found = mlc_size_build(&b, size, find_named, function);
    return found || !size ? found : build_of_factors(&b, function, size);
}
