// eval_combine.c -- two scalars into one: what reductions and atomic updates of all dialects share.
#include <assert.h>
#include <math.h>

#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

double
mlc_eval_maximum(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == 0 && b == 0)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

double
mlc_eval_minimum(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == 0 && b == 0)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}

static bool
combine_doubles(MlcCombine kind, double a, double b, double *out)
{
    switch (kind) {
    case MLC_COMBINE_ADD:
        *out = a + b;
        return true;
    case MLC_COMBINE_MUL:
        *out = a * b;
        return true;
    case MLC_COMBINE_MINIMUM:
        *out = mlc_eval_minimum(a, b);
        return true;
    case MLC_COMBINE_MAXIMUM:
        *out = mlc_eval_maximum(a, b);
        return true;
    case MLC_COMBINE_MINNUM:
        *out = fmin(a, b);
        return true;
    case MLC_COMBINE_MAXNUM:
        *out = fmax(a, b);
        return true;
    default:
        return false;
    }
}

static bool
combine_floats(MlcEval *e, MlcOp *op, MlcCombine kind, const MlcDatum *a, const MlcDatum *b,
               MlcDatum *out)
{
    MlcFloatKind format = mlc_float_type_kind(a->type);
    if (format == MLC_FLOAT_F80 || format == MLC_FLOAT_F128) {
        if (kind != MLC_COMBINE_ADD && kind != MLC_COMBINE_MUL)
            return mlc_eval_error(e, op, "is not known for %s", mlc_float_info(format)->name);
        MlcFloat x = mlc_datum_as_soft(a), y = mlc_datum_as_soft(b);
        *out = mlc_datum_soft(a->type,
                              kind == MLC_COMBINE_ADD ? mlc_float_add(x, y) : mlc_float_mul(x, y));
        return true;
    }
    double value;
    if (!combine_doubles(kind, mlc_datum_as_double(a), mlc_datum_as_double(b), &value))
        return mlc_eval_error(e, op, "combines floats in a way that is for integers");
    *out = mlc_datum_float(a->type, value);
    return true;
}

static bool
combine_ints(MlcArena *arena, MlcCombine kind, MlcWide a, MlcWide b, MlcWide *out)
{
    switch (kind) {
    case MLC_COMBINE_ADD:
        *out = mlc_wide_add(arena, a, b);
        return true;
    case MLC_COMBINE_MUL:
        *out = mlc_wide_mul(arena, a, b);
        return true;
    case MLC_COMBINE_MIN_SIGNED:
        *out = mlc_wide_compare_signed(a, b) <= 0 ? a : b;
        return true;
    case MLC_COMBINE_MIN_UNSIGNED:
        *out = mlc_wide_compare_unsigned(a, b) <= 0 ? a : b;
        return true;
    case MLC_COMBINE_MAX_SIGNED:
        *out = mlc_wide_compare_signed(a, b) >= 0 ? a : b;
        return true;
    case MLC_COMBINE_MAX_UNSIGNED:
        *out = mlc_wide_compare_unsigned(a, b) >= 0 ? a : b;
        return true;
    case MLC_COMBINE_AND:
        *out = mlc_wide_and(arena, a, b);
        return true;
    case MLC_COMBINE_OR:
        *out = mlc_wide_or(arena, a, b);
        return true;
    case MLC_COMBINE_XOR:
        *out = mlc_wide_xor(arena, a, b);
        return true;
    default:
        return false;
    }
}

bool
mlc_eval_combine(MlcEval *e, MlcOp *op, MlcCombine kind, const MlcDatum *a, const MlcDatum *b,
                 MlcDatum *out)
{
    if (kind == MLC_COMBINE_ASSIGN) {
        *out = *b;
        return true;
    }
    if (mlc_type_is_float(a->type))
        return combine_floats(e, op, kind, a, b, out);
    MlcArena arena = {0};
    MlcWide value;
    bool ok = combine_ints(&arena, kind, a->integer, b->integer, &value);
    if (ok)
        *out = mlc_datum_wide(e, a->type, value);
    mlc_arena_release(&arena);
    return ok || mlc_eval_error(e, op, "combines integers in a way that is for floats");
}

MlcCombine
mlc_combine_from_rmw_kind(int64_t kind)
{
    static const MlcCombine kinds[] = {
        MLC_COMBINE_ADD,     MLC_COMBINE_ADD,        MLC_COMBINE_ASSIGN,
        MLC_COMBINE_MAXIMUM, MLC_COMBINE_MAX_SIGNED, MLC_COMBINE_MAX_UNSIGNED,
        MLC_COMBINE_MINIMUM, MLC_COMBINE_MIN_SIGNED, MLC_COMBINE_MIN_UNSIGNED,
        MLC_COMBINE_MUL,     MLC_COMBINE_MUL,        MLC_COMBINE_OR,
        MLC_COMBINE_AND,     MLC_COMBINE_MAXNUM,     MLC_COMBINE_MINNUM,
    };
    assert(kind >= 0 && (size_t)kind < sizeof kinds / sizeof *kinds);
    return kinds[kind];
}
