// affine_bounds.c -- maps made simpler by what is known of loop variables among their operands.
#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/affine.h"
#include "mlc/support/alloc.h"

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t
ceil_div(int64_t a, int64_t b)
{
    return floor_div(a, b) + (a % b != 0);
}

static bool
constant_bound(MlcAttr map, int64_t *bound)
{
    return mlc_affine_map_is_constant(mlc_affine_map_attr_value(map), bound);
}

static MlcKnownBound
lower_of(const MlcValue *value)
{
    MlcKnownBound known = {0};
    MlcOp *loop = mlc_affine_loop_of(value);
    known.is_known =
        loop && constant_bound(mlc_affine_for_lower_bound_map_attr(loop), &known.value);
    return known;
}

// The last value, exactly if the first is known too.
static MlcKnownBound
upper_of(const MlcValue *value)
{
    MlcKnownBound known = {0}, lower = lower_of(value);
    MlcOp *loop = mlc_affine_loop_of(value);
    int64_t span, step;
    known.is_known = loop &&
                     constant_bound(mlc_affine_for_upper_bound_map_attr(loop), &known.value) &&
                     !__builtin_sub_overflow(known.value, 1, &known.value);
    if (known.is_known && lower.is_known &&
        mlc_attr_try_as_int(mlc_affine_for_step_attr(loop), &step) && step > 0 &&
        !__builtin_sub_overflow(known.value, lower.value, &span))
        known.value -= span % step;
    return known;
}

static MlcAffineBounds
bounds_of(const MlcValueMap *vm)
{
    size_t n = vm->operands.size;
    MlcKnownBound *known = mlc_malloc((2 * n + 1) * sizeof *known);
    for (size_t i = 0; i < n; i++) {
        known[i] = lower_of(vm->operands.data[i]);
        known[n + i] = upper_of(vm->operands.data[i]);
    }
    return (MlcAffineBounds){.num_dims = mlc_affine_map_num_dims(vm->map),
                             .num_symbols = mlc_affine_map_num_symbols(vm->map),
                             .lower = known,
                             .upper = known + n};
}

static void
release_bounds(MlcAffineBounds *bounds)
{
    mlc_free((void *)bounds->lower);
}

// 0 <= e < k, for constants and dimensions.
static bool
is_below(MlcAffineExpr e, const MlcAffineBounds *b, int64_t k)
{
    if (mlc_affine_kind(e) == MLC_AFFINE_CONSTANT)
        return mlc_affine_value(e) >= 0 && mlc_affine_value(e) < k;
    if (mlc_affine_kind(e) != MLC_AFFINE_DIM)
        return false;
    unsigned i = mlc_affine_position(e);
    return b->lower[i].is_known && b->lower[i].value >= 0 && b->upper[i].is_known &&
           b->upper[i].value < k;
}

static int64_t
gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a < 0 ? -a : a;
}

// A divisor of every value of the loop's variable: of its first value and of its step.
static int64_t
divisor_of_variable(MlcOp *loop)
{
    int64_t divisor;
    if (!mlc_attr_try_as_int(mlc_affine_for_step_attr(loop), &divisor))
        return 1;
    MlcAffineMap lower = mlc_affine_for_lower_bound_map(loop);
    for (size_t i = 0; i < mlc_affine_map_num_results(lower); i++)
        divisor = gcd(mlc_affine_known_divisor(mlc_affine_map_result(lower, i)), divisor);
    return divisor;
}

static int64_t
known_divisor(MlcAffineExpr e, const MlcValueMap *vm)
{
    MlcOp *loop = mlc_affine_kind(e) == MLC_AFFINE_DIM
                      ? mlc_affine_loop_of(vm->operands.data[mlc_affine_position(e)])
                      : NULL;
    return loop ? divisor_of_variable(loop) : mlc_affine_known_divisor(e);
}

// e = quotient * d + rest, where 0 <= rest < d
static bool
split_multiple(MlcAffineExpr e, const MlcValueMap *vm, const MlcAffineBounds *b, int64_t *divisor,
               MlcAffineExpr *multiple, MlcAffineExpr *rest)
{
    if (mlc_affine_kind(e) != MLC_AFFINE_ADD)
        return false;
    for (int side = 0; side < 2; side++) {
        *multiple = side ? mlc_affine_rhs(e) : mlc_affine_lhs(e);
        *rest = side ? mlc_affine_lhs(e) : mlc_affine_rhs(e);
        *divisor = known_divisor(*multiple, vm);
        if (is_below(*rest, b, *divisor))
            return true;
    }
    return false;
}

// e / c or e mod c where e stays between two multiples of c; NULL if it does not, or may.
static MlcAffineExpr
in_one_interval(MlcAffineKind kind, MlcAffineExpr e, int64_t c, const MlcAffineBounds *b)
{
    MlcContext *ctx = mlc_affine_context(e);
    int64_t lower, upper;
    if (!mlc_affine_bound(e, b, false, &lower) || !mlc_affine_bound(e, b, true, &upper))
        return NULL;
    if (kind == MLC_AFFINE_FLOORDIV && floor_div(lower, c) == floor_div(upper, c))
        return mlc_affine_constant(ctx, floor_div(lower, c));
    if (kind == MLC_AFFINE_CEILDIV && ceil_div(lower, c) == ceil_div(upper, c))
        return mlc_affine_constant(ctx, ceil_div(lower, c));
    return kind == MLC_AFFINE_MOD && lower >= 0 && upper < c ? e : NULL;
}

static MlcAffineExpr
simplify(MlcAffineExpr e, const MlcValueMap *vm, const MlcAffineBounds *b)
{
    if (mlc_affine_kind(e) >= MLC_AFFINE_CONSTANT)
        return e;
    MlcAffineExpr left = simplify(mlc_affine_lhs(e), vm, b);
    MlcAffineExpr right = simplify(mlc_affine_rhs(e), vm, b);
    if (left != mlc_affine_lhs(e) || right != mlc_affine_rhs(e))
        e = mlc_affine_binary(mlc_affine_kind(e), left, right);
    MlcAffineKind kind = mlc_affine_kind(e);
    if (kind != MLC_AFFINE_FLOORDIV && kind != MLC_AFFINE_CEILDIV && kind != MLC_AFFINE_MOD)
        return e;
    MlcAffineExpr lhs = mlc_affine_lhs(e), rhs = mlc_affine_rhs(e), multiple, rest;
    if (mlc_affine_kind(rhs) != MLC_AFFINE_CONSTANT || mlc_affine_value(rhs) <= 0)
        return e;
    int64_t c = mlc_affine_value(rhs), divisor;
    MlcAffineExpr simple = in_one_interval(kind, lhs, c, b);
    if (simple)
        return simple;
    if (kind == MLC_AFFINE_MOD && known_divisor(lhs, vm) % c == 0)
        return mlc_affine_constant(mlc_affine_context(e), 0);
    if (!split_multiple(lhs, vm, b, &divisor, &multiple, &rest))
        return e;
    if (kind == MLC_AFFINE_FLOORDIV && c % divisor == 0)
        return mlc_affine_binary(kind, multiple, rhs);
    if (kind == MLC_AFFINE_MOD && divisor % c == 0)
        return mlc_affine_binary(kind, rest, rhs);
    return e;
}

static bool
divides(MlcAffineExpr e)
{
    MlcAffineKind kind = mlc_affine_kind(e);
    if (kind >= MLC_AFFINE_CONSTANT)
        return false;
    return (kind != MLC_AFFINE_ADD && kind != MLC_AFFINE_MUL) || divides(mlc_affine_lhs(e)) ||
           divides(mlc_affine_rhs(e));
}

// Only quotients and remainders can be simplified by what is known of operands.
void
mlc_value_map_simplify(MlcValueMap *vm)
{
    size_t n = mlc_affine_map_num_results(vm->map);
    bool any = false;
    for (size_t i = 0; i < n && !any; i++)
        any = divides(mlc_affine_map_result(vm->map, i));
    if (!any)
        return;
    MlcAffineBounds bounds = bounds_of(vm);
    MlcAffineExpr *results = mlc_malloc((n + 1) * sizeof *results);
    for (size_t i = 0; i < n; i++)
        results[i] = simplify(mlc_affine_map_result(vm->map, i), vm, &bounds);
    vm->map = mlc_affine_map_get(mlc_affine_map_context(vm->map), bounds.num_dims,
                                 bounds.num_symbols, results, n);
    mlc_free(results);
    release_bounds(&bounds);
}

typedef struct Range {
    MlcKnownBound lower, upper;
} Range;

// Whether another result is never less (is_max) or never more than result i; of two that are always
// equal the first stays.
static bool
is_redundant(const Range *ranges, size_t n, size_t i, bool is_max)
{
    const MlcKnownBound *own = is_max ? &ranges[i].upper : &ranges[i].lower;
    const MlcKnownBound *own_far = is_max ? &ranges[i].lower : &ranges[i].upper;
    for (size_t j = 0; j < n && own->is_known; j++) {
        const MlcKnownBound *other = is_max ? &ranges[j].lower : &ranges[j].upper;
        const MlcKnownBound *other_far = is_max ? &ranges[j].upper : &ranges[j].lower;
        if (j == i || !other->is_known)
            continue;
        if (other->value != own->value) {
            if ((other->value > own->value) == is_max)
                return true;
            continue;
        }
        bool both_constant = own_far->is_known && own_far->value == own->value &&
                             other_far->is_known && other_far->value == other->value;
        if (!both_constant || j < i)
            return true;
    }
    return false;
}

void
mlc_value_map_drop_redundant(MlcValueMap *vm, bool is_max)
{
    size_t n = mlc_affine_map_num_results(vm->map), kept = 0;
    if (!vm->operands.size)
        return;
    MlcAffineBounds bounds = bounds_of(vm);
    Range *ranges = mlc_calloc(n + 1, sizeof *ranges);
    MlcAffineExpr *results = mlc_malloc((n + 1) * sizeof *results);
    for (size_t i = 0; i < n; i++) {
        MlcAffineExpr e = mlc_affine_map_result(vm->map, i);
        Range *r = &ranges[i];
        r->lower.is_known = mlc_affine_bound(e, &bounds, false, &r->lower.value);
        r->upper.is_known = mlc_affine_bound(e, &bounds, true, &r->upper.value);
    }
    for (size_t i = 0; i < n; i++) {
        const Range *r = &ranges[i];
        if (is_redundant(ranges, n, i, is_max))
            continue;
        bool is_constant =
            r->lower.is_known && r->upper.is_known && r->lower.value == r->upper.value;
        results[kept++] = is_constant
                              ? mlc_affine_constant(mlc_affine_map_context(vm->map), r->lower.value)
                              : mlc_affine_map_result(vm->map, i);
    }
    if (kept)
        vm->map = mlc_affine_map_get(mlc_affine_map_context(vm->map), bounds.num_dims,
                                     bounds.num_symbols, results, kept);
    mlc_free(results);
    mlc_free(ranges);
    release_bounds(&bounds);
}
