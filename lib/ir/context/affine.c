// affine.c -- affine expressions. Construction simplifies exactly as MLIR 19's AffineExpr does,
// because what it builds is what tests read: rules may not be added here, only in functions that
// ask for more.
#include "mlc/ir/affine.h"

#include <assert.h>
#include <stdlib.h>

#include "context_impl.h"

static MlcAffineExpr
intern_expr(MlcContext *ctx, MlcAffineKind kind, uint64_t a, uint64_t b)
{
    uint64_t words[] = {a, b};
    return mlc_intern_words(ctx, MLC_CATEGORY_EXPR, kind, words, 2);
}

static MlcAffineExpr
input(MlcContext *ctx, MlcAffineKind kind, unsigned position)
{
    if (position >= MLC_FEW_INPUTS)
        return intern_expr(ctx, kind, position, 0);
    _Atomic(MlcAffineExpr) *slot = &ctx->affine_inputs[kind == MLC_AFFINE_SYMBOL][position];
    MlcAffineExpr e = atomic_load_explicit(slot, memory_order_acquire);
    if (!e) {
        e = intern_expr(ctx, kind, position, 0);
        atomic_store_explicit(slot, e, memory_order_release);
    }
    return e;
}

MlcAffineExpr
mlc_affine_dim(MlcContext *ctx, unsigned position)
{
    return input(ctx, MLC_AFFINE_DIM, position);
}

MlcAffineExpr
mlc_affine_symbol(MlcContext *ctx, unsigned position)
{
    return input(ctx, MLC_AFFINE_SYMBOL, position);
}

MlcAffineExpr
mlc_affine_constant(MlcContext *ctx, int64_t value)
{
    return intern_expr(ctx, MLC_AFFINE_CONSTANT, (uint64_t)value, 0);
}

MlcAffineKind
mlc_affine_kind(MlcAffineExpr e)
{
    return (MlcAffineKind)e->kind;
}

static bool
is_binary(MlcAffineExpr e)
{
    return e->kind < MLC_AFFINE_CONSTANT;
}

static bool
is_kind(MlcAffineExpr e, MlcAffineKind kind)
{
    return e->kind == kind;
}

static bool
is_constant(MlcAffineExpr e)
{
    return e->kind == MLC_AFFINE_CONSTANT;
}

MlcAffineExpr
mlc_affine_lhs(MlcAffineExpr e)
{
    assert(is_binary(e));
    return e->lhs;
}

MlcAffineExpr
mlc_affine_rhs(MlcAffineExpr e)
{
    assert(is_binary(e));
    return e->rhs;
}

int64_t
mlc_affine_value(MlcAffineExpr e)
{
    assert(is_constant(e));
    return e->value;
}

unsigned
mlc_affine_position(MlcAffineExpr e)
{
    assert(e->kind == MLC_AFFINE_DIM || e->kind == MLC_AFFINE_SYMBOL);
    return (unsigned)e->value;
}

MlcContext *
mlc_affine_context(MlcAffineExpr e)
{
    return e->ctx;
}

static bool
is_symbolic_or_constant(MlcAffineExpr e)
{
    if (is_binary(e))
        return is_symbolic_or_constant(e->lhs) && is_symbolic_or_constant(e->rhs);
    return e->kind != MLC_AFFINE_DIM;
}

bool
mlc_affine_is_pure(MlcAffineExpr e)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_ADD:
        return mlc_affine_is_pure(e->lhs) && mlc_affine_is_pure(e->rhs);
    case MLC_AFFINE_MUL:
        return mlc_affine_is_pure(e->lhs) && mlc_affine_is_pure(e->rhs) &&
               (is_constant(e->lhs) || is_constant(e->rhs));
    case MLC_AFFINE_MOD:
    case MLC_AFFINE_FLOORDIV:
    case MLC_AFFINE_CEILDIV:
        return mlc_affine_is_pure(e->lhs) && is_constant(e->rhs);
    default:
        return true;
    }
}

bool
mlc_affine_uses_dim(MlcAffineExpr e, unsigned position)
{
    if (is_binary(e))
        return mlc_affine_uses_dim(e->lhs, position) || mlc_affine_uses_dim(e->rhs, position);
    return e->kind == MLC_AFFINE_DIM && (unsigned)e->value == position;
}

bool
mlc_affine_uses_symbol(MlcAffineExpr e, unsigned position)
{
    if (is_binary(e))
        return mlc_affine_uses_symbol(e->lhs, position) || mlc_affine_uses_symbol(e->rhs, position);
    return e->kind == MLC_AFFINE_SYMBOL && (unsigned)e->value == position;
}

// --- arithmetic with overflow

static bool
floor_div(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

static bool
ceil_div(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *out = a / b + (a % b != 0 && (a < 0) == (b < 0));
    return true;
}

static int64_t
floor_mod(int64_t a, int64_t b)
{
    int64_t m = a % b;
    return m < 0 ? m + b : m;
}

static int64_t
gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static int64_t
absolute(int64_t a)
{
    return a == INT64_MIN ? INT64_MAX : a < 0 ? -a : a;
}

int64_t
mlc_affine_known_divisor(MlcAffineExpr e)
{
    int64_t product;
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
        return absolute(e->value);
    case MLC_AFFINE_FLOORDIV:
    case MLC_AFFINE_CEILDIV:
        if (is_constant(e->rhs) && e->rhs->value != 0) {
            int64_t lhs = mlc_affine_known_divisor(e->lhs);
            if (lhs % e->rhs->value == 0)
                return absolute(lhs / e->rhs->value);
        }
        return 1;
    case MLC_AFFINE_MUL:
        return __builtin_mul_overflow(mlc_affine_known_divisor(e->lhs),
                                      mlc_affine_known_divisor(e->rhs), &product)
                   ? 1
                   : product;
    case MLC_AFFINE_ADD:
    case MLC_AFFINE_MOD:
        return gcd(mlc_affine_known_divisor(e->lhs), mlc_affine_known_divisor(e->rhs));
    default:
        return 1;
    }
}

// --- construction: each simplifier gives NULL where no rule applies

MlcAffineExpr
mlc_affine_add_const(MlcAffineExpr lhs, int64_t rhs)
{
    return mlc_affine_add(lhs, mlc_affine_constant(lhs->ctx, rhs));
}

MlcAffineExpr
mlc_affine_mul_const(MlcAffineExpr lhs, int64_t rhs)
{
    return mlc_affine_mul(lhs, mlc_affine_constant(lhs->ctx, rhs));
}

static MlcAffineExpr
div_const(MlcAffineKind kind, MlcAffineExpr lhs, int64_t rhs)
{
    return mlc_affine_binary(kind, lhs, mlc_affine_constant(lhs->ctx, rhs));
}

// e = c * x, where c is 1 if there is no constant factor.
static int64_t
split_factor(MlcAffineExpr e, MlcAffineExpr *x)
{
    bool has_factor = is_kind(e, MLC_AFFINE_MUL) && is_constant(e->rhs);
    *x = has_factor ? e->lhs : e;
    return has_factor ? e->rhs->value : 1;
}

// expr + (expr floordiv q) * q * -1, and expr + (expr floordiv c) * -c -> expr mod q
static MlcAffineExpr
as_mod(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    if (!is_binary(rhs))
        return NULL;
    MlcAffineExpr inner = rhs->lhs, factor = rhs->rhs;
    if (is_constant(factor) && factor->value == -1 && is_kind(inner, MLC_AFFINE_MUL)) {
        MlcAffineExpr quotient = inner->lhs, q = inner->rhs;
        if (!is_kind(quotient, MLC_AFFINE_FLOORDIV))
            return NULL;
        if (quotient->rhs == q && quotient->lhs == lhs)
            return mlc_affine_binary(MLC_AFFINE_MOD, lhs, q);
    }
    if (!is_kind(rhs, MLC_AFFINE_MUL) || !is_kind(inner, MLC_AFFINE_FLOORDIV))
        return NULL;
    MlcAffineExpr c = inner->rhs;
    if (is_constant(c) && c->value > 0 && lhs == inner->lhs && is_constant(factor) &&
        factor->value == -c->value)
        return mlc_affine_binary(MLC_AFFINE_MOD, lhs, c);
    return NULL;
}

static MlcAffineExpr
simplify_add(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    int64_t sum;
    if (is_constant(lhs) && is_constant(rhs))
        return __builtin_add_overflow(lhs->value, rhs->value, &sum)
                   ? NULL
                   : mlc_affine_constant(lhs->ctx, sum);
    // Constants to the right, then symbols.
    if (is_constant(lhs) || (is_symbolic_or_constant(lhs) && !is_symbolic_or_constant(rhs)))
        return mlc_affine_add(rhs, lhs);
    if (is_constant(rhs) && rhs->value == 0)
        return lhs;
    bool lhs_has_constant = is_kind(lhs, MLC_AFFINE_ADD) && is_constant(lhs->rhs);
    // (x + 2) + 3 -> x + 5
    if (lhs_has_constant && is_constant(rhs))
        return __builtin_add_overflow(lhs->rhs->value, rhs->value, &sum)
                   ? NULL
                   : mlc_affine_add_const(lhs->lhs, sum);
    // c1 * x + c2 * x -> (c1 + c2) * x
    MlcAffineExpr x, y;
    int64_t c1 = split_factor(lhs, &x), c2 = split_factor(rhs, &y);
    if (x == y && !__builtin_add_overflow(c1, c2, &sum))
        return mlc_affine_mul_const(x, sum);
    // (x + 2) + y -> (x + y) + 2
    if (lhs_has_constant)
        return mlc_affine_add(mlc_affine_add(lhs->lhs, rhs), lhs->rhs);
    return as_mod(lhs, rhs);
}

static MlcAffineExpr
simplify_mul(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    int64_t product;
    if (is_constant(lhs) && is_constant(rhs))
        return __builtin_mul_overflow(lhs->value, rhs->value, &product)
                   ? NULL
                   : mlc_affine_constant(lhs->ctx, product);
    bool rhs_is_symbolic = is_symbolic_or_constant(rhs);
    if (!rhs_is_symbolic && !is_symbolic_or_constant(lhs))
        return NULL; // not affine: whoever made it says so
    if (!rhs_is_symbolic || is_constant(lhs))
        return mlc_affine_mul(rhs, lhs);
    if (is_constant(rhs) && rhs->value == 1)
        return lhs;
    if (is_constant(rhs) && rhs->value == 0)
        return rhs;
    if (!is_kind(lhs, MLC_AFFINE_MUL) || !is_constant(lhs->rhs))
        return NULL;
    // (x * 2) * 3 -> x * 6
    if (is_constant(rhs))
        return __builtin_mul_overflow(lhs->rhs->value, rhs->value, &product)
                   ? NULL
                   : mlc_affine_mul_const(lhs->lhs, product);
    // (x * 2) * s -> (x * s) * 2
    return mlc_affine_mul(mlc_affine_mul(lhs->lhs, rhs), lhs->rhs);
}

// (x * 128) floordiv 64 -> x * 2; the same for ceildiv
static MlcAffineExpr
divide_factor(MlcAffineExpr lhs, int64_t divisor)
{
    if (divisor == 1)
        return lhs;
    if (is_kind(lhs, MLC_AFFINE_MUL) && is_constant(lhs->rhs) && divisor != -1 &&
        lhs->rhs->value % divisor == 0)
        return mlc_affine_mul_const(lhs->lhs, lhs->rhs->value / divisor);
    return NULL;
}

static MlcAffineExpr
simplify_floordiv(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    if (!is_constant(rhs) || rhs->value == 0)
        return NULL;
    int64_t divisor = rhs->value, quotient;
    if (is_constant(lhs))
        return floor_div(lhs->value, divisor, &quotient) ? mlc_affine_constant(lhs->ctx, quotient)
                                                         : NULL;
    MlcAffineExpr divided = divide_factor(lhs, divisor);
    if (divided)
        return divided;
    // (x + y) floordiv c -> x floordiv c + y floordiv c where c divides one of them
    if (is_kind(lhs, MLC_AFFINE_ADD) && divisor != -1 &&
        (mlc_affine_known_divisor(lhs->lhs) % divisor == 0 ||
         mlc_affine_known_divisor(lhs->rhs) % divisor == 0))
        return mlc_affine_add(div_const(MLC_AFFINE_FLOORDIV, lhs->lhs, divisor),
                              div_const(MLC_AFFINE_FLOORDIV, lhs->rhs, divisor));
    return NULL;
}

static MlcAffineExpr
simplify_ceildiv(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    if (!is_constant(rhs) || rhs->value == 0)
        return NULL;
    int64_t quotient;
    if (is_constant(lhs))
        return ceil_div(lhs->value, rhs->value, &quotient) ? mlc_affine_constant(lhs->ctx, quotient)
                                                           : NULL;
    return divide_factor(lhs, rhs->value);
}

static MlcAffineExpr
simplify_mod(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    if (!is_constant(rhs) || rhs->value < 1)
        return NULL;
    int64_t divisor = rhs->value;
    if (is_constant(lhs))
        return mlc_affine_constant(lhs->ctx, floor_mod(lhs->value, divisor));
    // (x * 128) mod 64 -> 0
    if (mlc_affine_known_divisor(lhs) % divisor == 0)
        return mlc_affine_constant(lhs->ctx, 0);
    // (x + y) mod c -> y mod c where c divides x
    if (is_kind(lhs, MLC_AFFINE_ADD)) {
        if (mlc_affine_known_divisor(lhs->lhs) % divisor == 0)
            return mlc_affine_binary(MLC_AFFINE_MOD, lhs->rhs, rhs);
        if (mlc_affine_known_divisor(lhs->rhs) % divisor == 0)
            return mlc_affine_binary(MLC_AFFINE_MOD, lhs->lhs, rhs);
    }
    // (x mod a) mod b -> x mod b where b divides a
    if (is_kind(lhs, MLC_AFFINE_MOD) && is_constant(lhs->rhs) && lhs->rhs->value % divisor == 0)
        return mlc_affine_binary(MLC_AFFINE_MOD, lhs->lhs, rhs);
    return NULL;
}

MlcAffineExpr
mlc_affine_binary(MlcAffineKind kind, MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    MlcAffineExpr simple = NULL;
    switch (kind) {
    case MLC_AFFINE_ADD:
        simple = simplify_add(lhs, rhs);
        break;
    case MLC_AFFINE_MUL:
        simple = simplify_mul(lhs, rhs);
        break;
    case MLC_AFFINE_MOD:
        simple = simplify_mod(lhs, rhs);
        break;
    case MLC_AFFINE_FLOORDIV:
        simple = simplify_floordiv(lhs, rhs);
        break;
    case MLC_AFFINE_CEILDIV:
        simple = simplify_ceildiv(lhs, rhs);
        break;
    default:
        mlc_bug("mlc_affine_binary: not a binary kind");
    }
    return simple ? simple : intern_expr(lhs->ctx, kind, mlc_word(lhs), mlc_word(rhs));
}

MlcAffineExpr
mlc_affine_add(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    return mlc_affine_binary(MLC_AFFINE_ADD, lhs, rhs);
}

MlcAffineExpr
mlc_affine_mul(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    return mlc_affine_binary(MLC_AFFINE_MUL, lhs, rhs);
}

MlcAffineExpr
mlc_affine_sub(MlcAffineExpr lhs, MlcAffineExpr rhs)
{
    return mlc_affine_add(lhs, mlc_affine_mul_const(rhs, -1));
}

// --- using expressions

MlcAffineExpr
mlc_affine_replace(MlcAffineExpr e, const MlcAffineExpr *dims, size_t num_dims,
                   const MlcAffineExpr *symbols, size_t num_symbols)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
        return e;
    case MLC_AFFINE_DIM:
        return (size_t)e->value < num_dims ? dims[e->value] : e;
    case MLC_AFFINE_SYMBOL:
        return (size_t)e->value < num_symbols ? symbols[e->value] : e;
    default:
        break;
    }
    MlcAffineExpr lhs = mlc_affine_replace(e->lhs, dims, num_dims, symbols, num_symbols);
    MlcAffineExpr rhs = mlc_affine_replace(e->rhs, dims, num_dims, symbols, num_symbols);
    return lhs == e->lhs && rhs == e->rhs ? e : mlc_affine_binary(mlc_affine_kind(e), lhs, rhs);
}

MlcAffineExpr
mlc_affine_replace_expr(MlcAffineExpr e, MlcAffineExpr from, MlcAffineExpr to)
{
    if (e == from)
        return to;
    if (!is_binary(e))
        return e;
    MlcAffineExpr lhs = mlc_affine_replace_expr(e->lhs, from, to);
    MlcAffineExpr rhs = mlc_affine_replace_expr(e->rhs, from, to);
    return lhs == e->lhs && rhs == e->rhs ? e : mlc_affine_binary(mlc_affine_kind(e), lhs, rhs);
}

bool
mlc_affine_eval(MlcAffineExpr e, const int64_t *dims, const int64_t *symbols, int64_t *result)
{
    if (!is_binary(e)) {
        *result =
            is_constant(e) ? e->value : (is_kind(e, MLC_AFFINE_DIM) ? dims : symbols)[e->value];
        return true;
    }
    int64_t lhs, rhs;
    if (!mlc_affine_eval(e->lhs, dims, symbols, &lhs) ||
        !mlc_affine_eval(e->rhs, dims, symbols, &rhs))
        return false;
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_ADD:
        return !__builtin_add_overflow(lhs, rhs, result);
    case MLC_AFFINE_MUL:
        return !__builtin_mul_overflow(lhs, rhs, result);
    case MLC_AFFINE_MOD:
        if (rhs <= 0)
            return false;
        *result = floor_mod(lhs, rhs);
        return true;
    case MLC_AFFINE_FLOORDIV:
        return rhs > 0 && floor_div(lhs, rhs, result);
    default:
        return rhs > 0 && ceil_div(lhs, rhs, result);
    }
}

// Adds factor * e to the coefficients.
static bool
add_linear(MlcAffineExpr e, int64_t factor, unsigned num_dims, unsigned num_symbols,
           int64_t *coeffs)
{
    int64_t *at = NULL, product = factor;
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_ADD:
        return add_linear(e->lhs, factor, num_dims, num_symbols, coeffs) &&
               add_linear(e->rhs, factor, num_dims, num_symbols, coeffs);
    case MLC_AFFINE_MUL:
        return is_constant(e->rhs) && !__builtin_mul_overflow(factor, e->rhs->value, &product) &&
               add_linear(e->lhs, product, num_dims, num_symbols, coeffs);
    case MLC_AFFINE_CONSTANT:
        at = &coeffs[num_dims + num_symbols];
        if (__builtin_mul_overflow(factor, e->value, &product))
            return false;
        break;
    case MLC_AFFINE_DIM:
        at = (uint64_t)e->value < num_dims ? &coeffs[e->value] : NULL;
        break;
    case MLC_AFFINE_SYMBOL:
        at = (uint64_t)e->value < num_symbols ? &coeffs[num_dims + (size_t)e->value] : NULL;
        break;
    default:
        return false;
    }
    return at && !__builtin_add_overflow(*at, product, at);
}

bool
mlc_affine_linear(MlcAffineExpr e, unsigned num_dims, unsigned num_symbols, int64_t *coeffs)
{
    memset(coeffs, 0, ((size_t)num_dims + num_symbols + 1) * sizeof *coeffs);
    return add_linear(e, 1, num_dims, num_symbols, coeffs);
}
