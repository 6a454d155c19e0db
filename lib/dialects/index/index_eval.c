// index_eval.c -- the meanings of index's ops: arithmetic on 64 bits, the host's index.
//
// A target's index may have 32 bits. So a fold also computes on the low halves, and keeps a result
// only if its low half is what a narrow target would see.
#include "mlc/dialects/index.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

#define NARROW 32

typedef bool (*IndexFn)(MlcWide a, MlcWide b, MlcWide *out); // false: no result

static bool
binary(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, IndexFn fn)
{
    MlcWide a = operands[0].integer, b = operands[1].integer, wide, narrow;
    if (!fn(a, b, &wide))
        return mlc_eval_error(e, op, "has no result for these operands");
    if (mlc_eval_is_folding(e) &&
        (!fn(mlc_wide_trunc(NULL, a, NARROW), mlc_wide_trunc(NULL, b, NARROW), &narrow) ||
         !mlc_wide_equal(narrow, mlc_wide_trunc(NULL, wide, NARROW))))
        return false;
    results[0].integer = wide;
    return true;
}

static bool
is_negative(MlcWide a)
{
    return mlc_wide_is_negative(a);
}

static MlcWide
one(MlcWide like)
{
    return mlc_wide_from_uint(NULL, like.width, 1);
}

// mlc_index_NAME_eval: `*out = value` on words of either width, unless `undefined`.
#define INDEX_BINARY(name, undefined, value)                                                       \
    static bool name##_words(MlcWide a, MlcWide b, MlcWide *out)                                   \
    {                                                                                              \
        if (undefined)                                                                             \
            return false;                                                                          \
        *out = value;                                                                              \
        return true;                                                                               \
    }                                                                                              \
    bool mlc_index_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,                  \
                                 MlcDatum *results)                                                \
    {                                                                                              \
        return binary(e, op, operands, results, name##_words);                                     \
    }

static MlcWide
ceil_signed(MlcWide a, MlcWide b)
{
    MlcWide q = mlc_wide_sdiv(NULL, a, b);
    bool is_exact = mlc_wide_is_zero(mlc_wide_srem(NULL, a, b));
    return is_exact || is_negative(a) != is_negative(b) ? q : mlc_wide_add(NULL, q, one(a));
}

static MlcWide
floor_signed(MlcWide a, MlcWide b)
{
    MlcWide q = mlc_wide_sdiv(NULL, a, b);
    bool is_exact = mlc_wide_is_zero(mlc_wide_srem(NULL, a, b));
    return is_exact || is_negative(a) == is_negative(b) ? q : mlc_wide_sub(NULL, q, one(a));
}

static MlcWide
ceil_unsigned(MlcWide a, MlcWide b)
{
    MlcWide q = mlc_wide_udiv(NULL, a, b);
    return mlc_wide_is_zero(mlc_wide_urem(NULL, a, b)) ? q : mlc_wide_add(NULL, q, one(a));
}

#define ZERO mlc_wide_is_zero(b)
#define TOO_FAR (mlc_wide_low_uint(b) >= a.width)
#define PICK(compare, sign) (mlc_wide_compare_##compare(a, b) sign 0 ? a : b)

INDEX_BINARY(add, false, mlc_wide_add(NULL, a, b))
INDEX_BINARY(sub, false, mlc_wide_sub(NULL, a, b))
INDEX_BINARY(mul, false, mlc_wide_mul(NULL, a, b))
INDEX_BINARY(divs, ZERO, mlc_wide_sdiv(NULL, a, b))
INDEX_BINARY(divu, ZERO, mlc_wide_udiv(NULL, a, b))
INDEX_BINARY(ceildivs, ZERO, ceil_signed(a, b))
INDEX_BINARY(ceildivu, ZERO, ceil_unsigned(a, b))
INDEX_BINARY(floordivs, ZERO, floor_signed(a, b))
INDEX_BINARY(rems, ZERO, mlc_wide_srem(NULL, a, b))
INDEX_BINARY(remu, ZERO, mlc_wide_urem(NULL, a, b))
INDEX_BINARY(maxs, false, PICK(signed, >=))
INDEX_BINARY(maxu, false, PICK(unsigned, >=))
INDEX_BINARY(mins, false, PICK(signed, <=))
INDEX_BINARY(minu, false, PICK(unsigned, <=))
INDEX_BINARY(shl, TOO_FAR, mlc_wide_shl(NULL, a, mlc_wide_low_uint(b)))
INDEX_BINARY(shrs, TOO_FAR, mlc_wide_ashr(NULL, a, mlc_wide_low_uint(b)))
INDEX_BINARY(shru, TOO_FAR, mlc_wide_lshr(NULL, a, mlc_wide_low_uint(b)))
INDEX_BINARY(and, false, mlc_wide_and(NULL, a, b))
INDEX_BINARY(or, false, mlc_wide_or(NULL, a, b))
INDEX_BINARY(xor, false, mlc_wide_xor(NULL, a, b))

static bool
compare(int64_t predicate, MlcWide a, MlcWide b)
{
    int s = mlc_wide_compare_signed(a, b), u = mlc_wide_compare_unsigned(a, b);
    switch (predicate) {
    case MLC_INDEX_CMP_PREDICATE_EQ:
        return u == 0;
    case MLC_INDEX_CMP_PREDICATE_NE:
        return u != 0;
    case MLC_INDEX_CMP_PREDICATE_SLT:
        return s < 0;
    case MLC_INDEX_CMP_PREDICATE_SLE:
        return s <= 0;
    case MLC_INDEX_CMP_PREDICATE_SGT:
        return s > 0;
    case MLC_INDEX_CMP_PREDICATE_SGE:
        return s >= 0;
    case MLC_INDEX_CMP_PREDICATE_ULT:
        return u < 0;
    case MLC_INDEX_CMP_PREDICATE_ULE:
        return u <= 0;
    case MLC_INDEX_CMP_PREDICATE_UGT:
        return u > 0;
    default:
        return u >= 0;
    }
}

bool
mlc_index_cmp_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t predicate = mlc_index_cmp_pred(op);
    MlcWide a = operands[0].integer, b = operands[1].integer;
    bool holds = compare(predicate, a, b);
    if (mlc_eval_is_folding(e) && holds != compare(predicate, mlc_wide_trunc(NULL, a, NARROW),
                                                   mlc_wide_trunc(NULL, b, NARROW)))
        return false;
    results[0] = mlc_datum_int(results[0].type, holds);
    return true;
}

typedef MlcWide (*Extend)(MlcArena *arena, MlcWide a, uint32_t width);

static MlcWide
resize(MlcArena *arena, MlcWide a, uint32_t width, Extend extend)
{
    return width <= a.width ? mlc_wide_trunc(arena, a, width) : extend(arena, a, width);
}

static bool
cast(MlcEval *e, const MlcDatum *operands, MlcDatum *results, Extend extend)
{
    MlcArena arena = {0};
    MlcWide from = operands[0].integer;
    uint32_t width = mlc_type_bit_width(results[0].type);
    MlcWide to = resize(&arena, from, width, extend);
    bool ok = true;
    if (mlc_eval_is_folding(e) && mlc_type_is(operands[0].type, MLC_TYPE_INDEX)) {
        MlcWide narrow = resize(&arena, mlc_wide_trunc(&arena, from, NARROW), width, extend);
        ok = mlc_wide_equal(to, narrow);
    }
    results[0] = mlc_datum_wide(e, results[0].type, to);
    mlc_arena_release(&arena);
    return ok;
}

bool
mlc_index_casts_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)op;
    return cast(e, operands, results, mlc_wide_sext);
}

bool
mlc_index_castu_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)op;
    return cast(e, operands, results, mlc_wide_zext);
}

bool
mlc_index_sizeof_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)op, (void)operands;
    if (mlc_eval_is_folding(e)) // the target's
        return false;
    results[0] = mlc_datum_int(results[0].type, 64);
    return true;
}

static bool
constant(MlcEval *e, MlcAttr value, MlcDatum *result)
{
    return mlc_datum_from_attr(e, value, result);
}

bool
mlc_index_constant_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    return constant(e, mlc_index_constant_value_attr(op), &results[0]);
}

bool
mlc_index_bool_constant_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    return constant(e, mlc_index_bool_constant_value_attr(op), &results[0]);
}
