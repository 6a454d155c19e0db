// affine_simplify.c -- affine expressions as sums over dimensions, symbols and quotients, and back:
// equal sums become equal expressions, in the order of terms that MLIR 19 prints.
//
// A flat form has one coefficient per dimension, per symbol, per local and for the constant. A
// local stands for a quotient (e mod c is e - c * (e floordiv c)) or, in semi-affine expressions,
// for a product, quotient or remainder of two forms that are not constant.
#include <stdlib.h>

#include "context_impl.h"
#include "mlc/ir/affine.h"
#include "mlc/support/alloc.h"

typedef struct Flat {
    MlcContext *ctx;
    MlcArena arena;
    unsigned num_dims, num_symbols, num_locals;
    size_t size; // of a form: room for all locals there may be, the constant last
    MlcAffineExpr *locals;
} Flat;

static bool
is_binary(MlcAffineExpr e)
{
    return e->kind < MLC_AFFINE_CONSTANT;
}

static bool
is_constant(MlcAffineExpr e)
{
    return e->kind == MLC_AFFINE_CONSTANT;
}

static size_t
count_binary(MlcAffineExpr e)
{
    return is_binary(e) ? 1 + count_binary(e->lhs) + count_binary(e->rhs) : 0;
}

static void
flat_init(Flat *f, MlcAffineExpr e, unsigned num_dims, unsigned num_symbols)
{
    size_t most = count_binary(e);
    *f = (Flat){.ctx = e->ctx, .num_dims = num_dims, .num_symbols = num_symbols};
    f->size = (size_t)num_dims + num_symbols + most + 1;
    f->locals = mlc_arena_alloc(&f->arena, (most + 1) * sizeof *f->locals, sizeof(void *));
}

static int64_t *
new_form(Flat *f)
{
    int64_t *form = mlc_arena_alloc(&f->arena, f->size * sizeof *form, sizeof *form);
    memset(form, 0, f->size * sizeof *form);
    return form;
}

// The form as a sum: dimensions, symbols, locals, the constant.
static MlcAffineExpr
to_expr(const Flat *f, const int64_t *form)
{
    MlcAffineExpr sum = mlc_affine_constant(f->ctx, 0);
    for (unsigned i = 0; i < f->num_dims + f->num_symbols + f->num_locals; i++) {
        if (form[i] == 0)
            continue;
        MlcAffineExpr term = i < f->num_dims ? mlc_affine_dim(f->ctx, i)
                             : i < f->num_dims + f->num_symbols
                                 ? mlc_affine_symbol(f->ctx, i - f->num_dims)
                                 : f->locals[i - f->num_dims - f->num_symbols];
        sum = mlc_affine_add(sum, mlc_affine_mul_const(term, form[i]));
    }
    return mlc_affine_add_const(sum, form[f->size - 1]);
}

// Where the coefficient of the local stands that means `e`.
static size_t
local_of(Flat *f, MlcAffineExpr e)
{
    unsigned i = 0;
    while (i < f->num_locals && f->locals[i] != e)
        i++;
    if (i == f->num_locals)
        f->locals[f->num_locals++] = e;
    return f->num_dims + f->num_symbols + i;
}

static bool
scale(const Flat *f, int64_t *form, int64_t factor)
{
    for (size_t i = 0; i < f->size; i++)
        if (__builtin_mul_overflow(form[i], factor, &form[i]))
            return false;
    return true;
}

static int64_t
gcd_with(const Flat *f, const int64_t *form, int64_t gcd)
{
    for (size_t i = 0; i < f->size; i++)
        for (int64_t b = form[i]; b != 0;) {
            int64_t rest = gcd % b;
            gcd = b;
            b = rest;
        }
    return gcd < 0 ? -gcd : gcd;
}

// form := form mod c
static bool
flatten_mod(Flat *f, int64_t *form, int64_t c)
{
    int64_t gcd = gcd_with(f, form, c);
    if (gcd == c) {
        memset(form, 0, f->size * sizeof *form);
        return true;
    }
    int64_t *dividend = new_form(f);
    for (size_t i = 0; i < f->size; i++)
        dividend[i] = form[i] / gcd;
    MlcAffineExpr quotient = mlc_affine_binary(MLC_AFFINE_FLOORDIV, to_expr(f, dividend),
                                               mlc_affine_constant(f->ctx, c / gcd));
    if (!is_binary(quotient))
        return false;
    size_t at = local_of(f, quotient);
    return !__builtin_sub_overflow(form[at], c, &form[at]);
}

// form := form floordiv c, or ceildiv
static bool
flatten_div(Flat *f, MlcAffineKind kind, int64_t *form, int64_t c)
{
    int64_t gcd = gcd_with(f, form, c);
    for (size_t i = 0; i < f->size; i++)
        form[i] /= gcd;
    if (c == gcd)
        return true;
    MlcAffineExpr quotient =
        mlc_affine_binary(kind, to_expr(f, form), mlc_affine_constant(f->ctx, c / gcd));
    memset(form, 0, f->size * sizeof *form);
    if (is_constant(quotient))
        form[f->size - 1] = quotient->value;
    else if (!is_binary(quotient))
        return false;
    else
        form[local_of(f, quotient)] = 1;
    return true;
}

// False where a coefficient overflows, a divisor is not positive, or nesting is too deep.
static bool
flatten(Flat *f, MlcAffineExpr e, int64_t *form)
{
    if (!is_binary(e)) {
        size_t at = e->kind == MLC_AFFINE_DIM      ? (size_t)e->value
                    : e->kind == MLC_AFFINE_SYMBOL ? f->num_dims + (size_t)e->value
                                                   : f->size - 1;
        if (at >= f->size || (!is_constant(e) && at >= f->num_dims + f->num_symbols))
            return false;
        form[at] = is_constant(e) ? e->value : 1;
        return true;
    }
    MlcAffineKind kind = mlc_affine_kind(e);
    int64_t *rhs = new_form(f);
    if (!flatten(f, e->lhs, form) || !flatten(f, e->rhs, rhs))
        return false;
    if (kind == MLC_AFFINE_ADD) {
        for (size_t i = 0; i < f->size; i++)
            if (__builtin_add_overflow(form[i], rhs[i], &form[i]))
                return false;
        return true;
    }
    if (!is_constant(e->rhs)) {
        MlcAffineExpr local = mlc_affine_binary(kind, to_expr(f, form), to_expr(f, rhs));
        memset(form, 0, f->size * sizeof *form);
        if (is_constant(local))
            form[f->size - 1] = local->value;
        else if (!is_binary(local))
            return flatten(f, local, form);
        else
            form[local_of(f, local)] = 1;
        return true;
    }
    int64_t c = e->rhs->value;
    if (kind == MLC_AFFINE_MUL)
        return scale(f, form, c);
    if (c <= 0)
        return false;
    return kind == MLC_AFFINE_MOD ? flatten_mod(f, form, c) : flatten_div(f, kind, form, c);
}

// --- the order of terms of a semi-affine sum

typedef struct Term {
    int64_t key[2];
    MlcAffineExpr expr; // with its factor
} Term;

static int
compare_terms(const void *a, const void *b)
{
    const Term *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

// Of single dimensions and symbols.
static bool
is_simple(MlcAffineExpr local)
{
    return !is_binary(local->lhs) && !is_constant(local->lhs) && !is_binary(local->rhs);
}

// Fills `terms` with what has a place in the order; returns how many.
static size_t
order_terms(const Flat *f, const int64_t *form, Term *terms)
{
    unsigned nd = f->num_dims, ns = f->num_symbols;
    int64_t after = nd > ns ? nd : ns, before = -1;
    size_t n = 0;
    for (unsigned i = 0; i < ns; i++)
        if (form[nd + i])
            terms[n++] = (Term){{i, after++},
                                mlc_affine_mul_const(mlc_affine_symbol(f->ctx, i), form[nd + i])};
    for (unsigned i = 0; i < f->num_locals; i++) {
        MlcAffineExpr local = f->locals[i];
        int64_t factor = form[nd + ns + i];
        if (factor == 0 || !is_simple(local))
            continue;
        int64_t second = local->lhs->kind != MLC_AFFINE_DIM ? after++
                         : is_constant(local->rhs)          ? before--
                                                            : local->rhs->value;
        terms[n++] = (Term){{local->lhs->value, second}, mlc_affine_mul_const(local, factor)};
    }
    for (unsigned i = 0; i < nd; i++)
        if (form[i])
            terms[n++] =
                (Term){{i, before--}, mlc_affine_mul_const(mlc_affine_dim(f->ctx, i), form[i])};
    qsort(terms, n, sizeof *terms, compare_terms);
    return n;
}

// Terms by the position of what they are made of: d0, d0 * s0, s0, d1 ...; of equal positions,
// quotients come before dimensions and products of symbols after symbols. Others go last.
static MlcAffineExpr
to_semi_affine(const Flat *f, const int64_t *form)
{
    Term *terms = mlc_malloc(f->size * sizeof *terms);
    size_t n = order_terms(f, form, terms);
    MlcAffineExpr sum = mlc_affine_constant(f->ctx, 0);
    for (size_t i = 0; i < n; i++)
        sum = mlc_affine_add(sum, terms[i].expr);
    mlc_free(terms);
    for (unsigned i = 0; i < f->num_locals; i++) {
        int64_t factor = form[f->num_dims + f->num_symbols + i];
        if (factor && !is_simple(f->locals[i]))
            sum = mlc_affine_add(sum, mlc_affine_mul_const(f->locals[i], factor));
    }
    return mlc_affine_add_const(sum, form[f->size - 1]);
}

// --- division of semi-affine expressions by a symbol

// Whether e / s is exact for every value, by its form alone. `is_factor`: e is one, and its own
// quotients must not be pulled out of the product.
static bool
is_multiple_of_symbol(MlcAffineExpr e, MlcAffineExpr s, MlcAffineKind kind, bool is_factor)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
        return e->value == 0;
    case MLC_AFFINE_DIM:
        return false;
    case MLC_AFFINE_SYMBOL:
        return e == s;
    case MLC_AFFINE_ADD:
        return is_multiple_of_symbol(e->lhs, s, kind, false) &&
               is_multiple_of_symbol(e->rhs, s, kind, false);
    case MLC_AFFINE_MOD:
        return is_multiple_of_symbol(e->lhs, s, MLC_AFFINE_MOD, false) &&
               is_multiple_of_symbol(e->rhs, s, MLC_AFFINE_MOD, false);
    case MLC_AFFINE_MUL:
        return is_multiple_of_symbol(e->lhs, s, kind, true) ||
               is_multiple_of_symbol(e->rhs, s, kind, true);
    default: // (a floordiv b) floordiv s = (a floordiv s) floordiv b
        return kind == mlc_affine_kind(e) && !is_factor &&
               is_multiple_of_symbol(e->lhs, s, kind, false);
    }
}

static MlcAffineExpr
divide_by_symbol(MlcAffineExpr e, MlcAffineExpr s, MlcAffineKind kind)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
        return e;
    case MLC_AFFINE_SYMBOL:
        return mlc_affine_constant(e->ctx, 1);
    case MLC_AFFINE_ADD:
        return mlc_affine_add(divide_by_symbol(e->lhs, s, kind), divide_by_symbol(e->rhs, s, kind));
    case MLC_AFFINE_MOD:
        return mlc_affine_binary(MLC_AFFINE_MOD, divide_by_symbol(e->lhs, s, MLC_AFFINE_MOD),
                                 divide_by_symbol(e->rhs, s, MLC_AFFINE_MOD));
    case MLC_AFFINE_MUL:
        return is_multiple_of_symbol(e->lhs, s, kind, true)
                   ? mlc_affine_mul(divide_by_symbol(e->lhs, s, kind), e->rhs)
                   : mlc_affine_mul(e->lhs, divide_by_symbol(e->rhs, s, kind));
    default:
        return mlc_affine_binary(mlc_affine_kind(e), divide_by_symbol(e->lhs, s, kind), e->rhs);
    }
}

// The sum of all terms of e but `left_out`, which comes in it once.
static MlcAffineExpr
sum_without(MlcAffineExpr e, MlcAffineExpr *left_out, MlcAffineExpr so_far)
{
    if (mlc_affine_kind(e) == MLC_AFFINE_ADD)
        return sum_without(e->rhs, left_out, sum_without(e->lhs, left_out, so_far));
    if (e != *left_out)
        return mlc_affine_add(so_far, e);
    *left_out = NULL;
    return so_far;
}

// (x - x mod c) mod c: whether `e`, a sum or one of its terms, has such a remainder.
static bool
subtracts_remainder(MlcAffineExpr sum, MlcAffineExpr e, MlcAffineExpr c, unsigned num_dims,
                    unsigned num_symbols)
{
    if (mlc_affine_kind(e) == MLC_AFFINE_ADD)
        return subtracts_remainder(sum, e->lhs, c, num_dims, num_symbols) ||
               subtracts_remainder(sum, e->rhs, c, num_dims, num_symbols);
    if (mlc_affine_kind(e) != MLC_AFFINE_MUL || !is_constant(e->rhs) || e->rhs->value != -1 ||
        mlc_affine_kind(e->lhs) != MLC_AFFINE_MOD || e->lhs->rhs != c)
        return false;
    MlcAffineExpr x = e->lhs->lhs, term = e;
    MlcAffineExpr others = sum_without(sum, &term, mlc_affine_constant(e->ctx, 0));
    MlcAffineExpr difference =
        mlc_affine_simplify(mlc_affine_sub(others, x), num_dims, num_symbols);
    return is_constant(difference) && difference->value == 0;
}

static MlcAffineExpr
simplify_semi_affine(MlcAffineExpr e, unsigned num_dims, unsigned num_symbols)
{
    if (!is_binary(e))
        return e;
    MlcAffineKind kind = mlc_affine_kind(e);
    MlcAffineExpr lhs = simplify_semi_affine(e->lhs, num_dims, num_symbols);
    MlcAffineExpr rhs = simplify_semi_affine(e->rhs, num_dims, num_symbols);
    if (kind == MLC_AFFINE_ADD || kind == MLC_AFFINE_MUL)
        return mlc_affine_binary(kind, lhs, rhs);
    if (kind == MLC_AFFINE_MOD && subtracts_remainder(lhs, lhs, rhs, num_dims, num_symbols))
        return mlc_affine_constant(e->ctx, 0);
    if (rhs->kind != MLC_AFFINE_SYMBOL || !is_multiple_of_symbol(lhs, rhs, kind, false))
        return mlc_affine_binary(kind, lhs, rhs);
    return kind == MLC_AFFINE_MOD ? mlc_affine_constant(e->ctx, 0)
                                  : divide_by_symbol(lhs, rhs, kind);
}

// --- the public functions

MlcAffineExpr
mlc_affine_simplify(MlcAffineExpr e, unsigned num_dims, unsigned num_symbols)
{
    if (!is_binary(e))
        return e;
    if (!mlc_affine_is_pure(e))
        e = simplify_semi_affine(e, num_dims, num_symbols);
    Flat f;
    flat_init(&f, e, num_dims, num_symbols);
    int64_t *form = new_form(&f);
    if (flatten(&f, e, form)) {
        MlcAffineExpr flat = to_expr(&f, form);
        e = mlc_affine_is_pure(e) || e == flat ? flat : to_semi_affine(&f, form);
    }
    mlc_arena_release(&f.arena);
    return e;
}

static MlcAffineMap
simplify_map(MlcAffineMap map)
{
    size_t n = map->num_results;
    MlcAffineExpr few[8] = {0}, *results = n <= 8 ? few : mlc_malloc(n * sizeof *results);
    for (size_t i = 0; i < n; i++)
        results[i] = mlc_affine_simplify(map->results[i], (unsigned)map->num_dims,
                                         (unsigned)map->num_symbols);
    map = mlc_affine_map_get(map->ctx, (unsigned)map->num_dims, (unsigned)map->num_symbols, results,
                             n);
    if (results != few)
        mlc_free(results);
    return map;
}

// What a map becomes is remembered behind its results (NULL: not asked for yet): the same few maps
// come up over and over.
MlcAffineMap
mlc_affine_map_simplify(MlcAffineMap map)
{
    _Atomic(MlcAffineMap) *known =
        (_Atomic(MlcAffineMap) *)(uintptr_t)(map->results + map->num_results);
    MlcAffineMap simple = atomic_load_explicit(known, memory_order_acquire);
    if (!simple) {
        simple = simplify_map(map);
        atomic_store_explicit(known, simple, memory_order_release);
    }
    return simple;
}

// --- bounds

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static bool
linear_bound(MlcAffineExpr e, const MlcAffineBounds *b, bool is_upper, int64_t *bound)
{
    unsigned n = b->num_dims + b->num_symbols;
    int64_t *form = mlc_malloc((n + 1) * sizeof *form);
    bool ok = mlc_affine_linear(e, b->num_dims, b->num_symbols, form);
    if (ok)
        *bound = form[n];
    for (unsigned i = 0; ok && i < n; i++) {
        if (form[i] == 0)
            continue;
        int64_t product;
        const MlcKnownBound *known = (form[i] > 0) == is_upper ? &b->upper[i] : &b->lower[i];
        ok = known->is_known && !__builtin_mul_overflow(form[i], known->value, &product) &&
             !__builtin_add_overflow(*bound, product, bound);
    }
    mlc_free(form);
    return ok;
}

bool
mlc_affine_bound(MlcAffineExpr e, const MlcAffineBounds *bounds, bool is_upper, int64_t *bound)
{
    if (mlc_affine_kind(e) < MLC_AFFINE_MOD || !is_binary(e))
        return linear_bound(e, bounds, is_upper, bound);
    if (!is_constant(e->rhs) || e->rhs->value < 1)
        return false;
    int64_t c = e->rhs->value, lower, upper;
    if (mlc_affine_kind(e) != MLC_AFFINE_MOD) {
        if (!mlc_affine_bound(e->lhs, bounds, is_upper, bound))
            return false;
        *bound = mlc_affine_kind(e) == MLC_AFFINE_FLOORDIV
                     ? floor_div(*bound, c)
                     : floor_div(*bound, c) + (*bound % c != 0);
        return true;
    }
    *bound = is_upper ? c - 1 : 0;
    if (mlc_affine_bound(e->lhs, bounds, false, &lower) &&
        mlc_affine_bound(e->lhs, bounds, true, &upper) &&
        floor_div(lower, c) == floor_div(upper, c)) {
        int64_t end = is_upper ? upper : lower;
        *bound = end - floor_div(end, c) * c;
    }
    return true;
}
