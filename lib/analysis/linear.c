// linear.c -- linear inequalities, by Fourier and Motzkin's elimination: a variable goes by adding
// up each row that bounds it from below with each that bounds it from above.
//
// Rows are divided by the divisor of their coefficients and the constant rounded down, which keeps
// all integer solutions. What would overflow, or become too many rows, counts as "not known".
#include "mlc/analysis/linear.h"

#include "mlc/ir/mixed.h"
#include "mlc/support/vec.h"

enum { MAX_ROWS = 256 };

typedef MLC_VEC(MlcLinear) Rows;

void
mlc_linear_release(MlcLinearSystem *system)
{
    mlc_vec_release(&system->rows);
}

bool
mlc_linear_add(const MlcLinear *a, int64_t scale, const MlcLinear *b, int64_t constant,
               MlcLinear *out)
{
    MlcLinear sum = *a;
    bool ok = true;
    for (size_t i = 0; ok && i <= MLC_LINEAR_MAX; i++) {
        int64_t product;
        ok = !__builtin_mul_overflow(scale, b->coeffs[i], &product) &&
             !__builtin_add_overflow(sum.coeffs[i], product, &sum.coeffs[i]);
    }
    ok = ok &&
         !__builtin_add_overflow(sum.coeffs[MLC_LINEAR_MAX], constant, &sum.coeffs[MLC_LINEAR_MAX]);
    *out = sum;
    return ok;
}

void
mlc_linear_require(MlcLinearSystem *system, const MlcLinear *not_negative)
{
    if (system->rows.size < MAX_ROWS)
        mlc_vec_push(&system->rows, *not_negative);
}

static bool
new_variable(MlcLinearSystem *system, MlcValue *value, MlcLinear *out)
{
    if (system->num_vars == MLC_LINEAR_MAX)
        return false;
    system->values[system->num_vars] = value;
    *out = (MlcLinear){{0}};
    out->coeffs[system->num_vars++] = 1;
    return true;
}

bool
mlc_linear_of_value(MlcLinearSystem *system, MlcValue *value, MlcLinear *out)
{
    *out = (MlcLinear){{0}};
    if (mlc_value_constant(value))
        return mlc_value_constant_int(value, &out->coeffs[MLC_LINEAR_MAX]);
    for (size_t i = 0; i < system->num_vars; i++)
        if (system->values[i] == value) {
            out->coeffs[i] = 1;
            return true;
        }
    return new_variable(system, value, out);
}

static bool
is_constant(const MlcLinear *e, int64_t *value)
{
    for (size_t i = 0; i < MLC_LINEAR_MAX; i++)
        if (e->coeffs[i])
            return false;
    *value = e->coeffs[MLC_LINEAR_MAX];
    return true;
}

// q = floor(e / divisor): 0 <= e - divisor * q <= divisor - 1.
static bool
quotient(MlcLinearSystem *system, const MlcLinear *e, int64_t divisor, MlcLinear *q)
{
    const MlcLinear zero = {{0}};
    MlcLinear rest, room;
    if (divisor <= 0 || !new_variable(system, NULL, q) ||
        !mlc_linear_add(e, -divisor, q, 0, &rest) ||
        !mlc_linear_add(&zero, -1, &rest, divisor - 1, &room))
        return false;
    mlc_linear_require(system, &rest);
    mlc_linear_require(system, &room);
    return true;
}

static bool
combine(MlcLinearSystem *system, MlcAffineKind kind, const MlcLinear *lhs, const MlcLinear *rhs,
        MlcLinear *out)
{
    const MlcLinear zero = {{0}};
    int64_t factor;
    MlcLinear q, raised;
    switch (kind) {
    case MLC_AFFINE_ADD:
        return mlc_linear_add(lhs, 1, rhs, 0, out);
    case MLC_AFFINE_MUL:
        return is_constant(rhs, &factor)   ? mlc_linear_add(&zero, factor, lhs, 0, out)
               : is_constant(lhs, &factor) ? mlc_linear_add(&zero, factor, rhs, 0, out)
                                           : false;
    case MLC_AFFINE_FLOORDIV:
        return is_constant(rhs, &factor) && quotient(system, lhs, factor, out);
    case MLC_AFFINE_CEILDIV: // floor((e + divisor - 1) / divisor)
        return is_constant(rhs, &factor) && factor > 0 &&
               mlc_linear_add(lhs, 0, &zero, factor - 1, &raised) &&
               quotient(system, &raised, factor, out);
    case MLC_AFFINE_MOD:
        return is_constant(rhs, &factor) && quotient(system, lhs, factor, &q) &&
               mlc_linear_add(lhs, -factor, &q, 0, out);
    default:
        return false;
    }
}

// Depth is bounded by that of expressions, which the parser limits.
bool
mlc_linear_of_expr(MlcLinearSystem *system, MlcAffineExpr e, MlcValue *const *operands,
                   unsigned num_dims, MlcLinear *out)
{
    MlcLinear lhs, rhs;
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
        *out = (MlcLinear){{0}};
        out->coeffs[MLC_LINEAR_MAX] = mlc_affine_value(e);
        return true;
    case MLC_AFFINE_DIM:
        return mlc_linear_of_value(system, operands[mlc_affine_position(e)], out);
    case MLC_AFFINE_SYMBOL:
        return mlc_linear_of_value(system, operands[num_dims + mlc_affine_position(e)], out);
    default:
        return mlc_linear_of_expr(system, mlc_affine_lhs(e), operands, num_dims, &lhs) &&
               mlc_linear_of_expr(system, mlc_affine_rhs(e), operands, num_dims, &rhs) &&
               combine(system, mlc_affine_kind(e), &lhs, &rhs, out);
    }
}

// --- elimination

static int64_t
divisor_of(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

// False if the row cannot be satisfied.
static bool
tighten(MlcLinear *row)
{
    int64_t divisor = 0, constant = row->coeffs[MLC_LINEAR_MAX];
    for (size_t i = 0; i < MLC_LINEAR_MAX; i++)
        if (row->coeffs[i] != INT64_MIN)
            divisor = divisor_of(divisor, row->coeffs[i]);
        else
            return true;
    if (divisor == 0)
        return constant >= 0;
    for (size_t i = 0; i < MLC_LINEAR_MAX; i++)
        row->coeffs[i] /= divisor;
    row->coeffs[MLC_LINEAR_MAX] = constant / divisor - (constant % divisor < 0);
    return true;
}

// How many rows bound the variable, and whether all do so by itself, not a multiple.
static void
count_bounds(const Rows *rows, size_t variable, size_t *lower, size_t *upper, bool *is_exact)
{
    *lower = *upper = 0;
    *is_exact = true;
    for (size_t i = 0; i < rows->size; i++) {
        int64_t c = rows->data[i].coeffs[variable];
        *lower += c > 0;
        *upper += c < 0;
        *is_exact = *is_exact && c >= -1 && c <= 1;
    }
}

// The variable to eliminate: one that takes no integer solutions with it, if there is one, and of
// those the one that makes the fewest rows. MLC_LINEAR_MAX: none is left.
static size_t
next_variable(const Rows *rows)
{
    size_t best = MLC_LINEAR_MAX, least = SIZE_MAX;
    bool best_is_exact = false;
    for (size_t v = 0; v < MLC_LINEAR_MAX; v++) {
        size_t lower, upper;
        bool is_exact;
        count_bounds(rows, v, &lower, &upper, &is_exact);
        bool is_better =
            is_exact == best_is_exact ? lower * upper < least : is_exact && !best_is_exact;
        if (lower + upper == 0 || !is_better)
            continue;
        least = lower * upper;
        best = v;
        best_is_exact = is_exact;
    }
    return best;
}

// Rows without the variable. False if they are too many or too large; *empty if one cannot be.
static bool
eliminate(Rows *rows, size_t variable, bool *empty)
{
    const MlcLinear zero = {{0}};
    Rows left = {0};
    bool ok = true;
    for (size_t i = 0; i < rows->size; i++)
        if (rows->data[i].coeffs[variable] == 0)
            mlc_vec_push(&left, rows->data[i]);
    for (size_t i = 0; ok && i < rows->size; i++)
        for (size_t j = 0; ok && j < rows->size; j++) {
            int64_t a = rows->data[i].coeffs[variable], b = rows->data[j].coeffs[variable];
            if (a <= 0 || b >= 0)
                continue;
            MlcLinear sum;
            ok = b != INT64_MIN && left.size < MAX_ROWS &&
                 mlc_linear_add(&zero, -b, &rows->data[i], 0, &sum) &&
                 mlc_linear_add(&sum, a, &rows->data[j], 0, &sum);
            if (!ok)
                break;
            *empty = *empty || !tighten(&sum);
            mlc_vec_push(&left, sum);
        }
    mlc_vec_release(rows);
    *rows = left;
    return ok;
}

bool
mlc_linear_contradicts(const MlcLinearSystem *system, const MlcLinear *also)
{
    Rows rows = {0};
    bool empty = false, known = true;
    for (size_t i = 0; i < system->rows.size; i++)
        mlc_vec_push(&rows, system->rows.data[i]);
    if (also)
        mlc_vec_push(&rows, *also);
    for (size_t i = 0; i < rows.size; i++)
        empty = !tighten(&rows.data[i]) || empty;
    for (size_t v; known && !empty && (v = next_variable(&rows)) < MLC_LINEAR_MAX;)
        known = eliminate(&rows, v, &empty);
    mlc_vec_release(&rows);
    return empty;
}
