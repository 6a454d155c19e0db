// arith_eval.c -- what arith ops mean: integers exactly at any width, floats rounded once in their
// own format.
//
// Where MLIR says poison (shifts past the width, conversions out of range), a fixed value comes out
// when running, and nothing is folded. Division by zero is an error.
#include <math.h>

#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"
#include "mlc/support/strided.h"

// --- integers, element by element

typedef MlcWide (*WideBinary)(MlcArena *arena, MlcWide a, MlcWide b);

static bool
set_binary(MlcEval *e, const MlcDatum *operands, MlcDatum *result, WideBinary fn)
{
    MlcWide a = operands[0].integer, b = operands[1].integer;
    if (a.width <= 64) {
        result->integer = fn(NULL, a, b);
        return true;
    }
    MlcArena arena = {0};
    *result = mlc_datum_wide(e, result->type, fn(&arena, a, b));
    mlc_arena_release(&arena);
    return true;
}

// mlc_arith_NAME_eval by `fn` on each pair of elements.
#define INT_BINARY(name, fn)                                                                       \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        (void)op;                                                                                  \
        return set_binary(e, operands, result, fn);                                                \
    }                                                                                              \
    bool mlc_arith_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,                  \
                                 MlcDatum *results)                                                \
    {                                                                                              \
        return mlc_eval_elementwise(e, op, operands, results, name##_scalar);                      \
    }

// The least number divided by -1 has no signed quotient: not to be decided when folding.
static bool
overflows(MlcEval *e, MlcWide a, MlcWide b)
{
    return mlc_eval_is_folding(e) && mlc_wide_is_negative(a) && mlc_wide_popcount(a) == 1 &&
           mlc_wide_popcount(b) == b.width;
}

// The same, where a divisor of 0 is an error.
#define INT_DIVISION(name, fn, is_signed)                                                          \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        if (mlc_wide_is_zero(operands[1].integer))                                                 \
            return mlc_eval_error(e, op, "divides by zero");                                       \
        if (is_signed && overflows(e, operands[0].integer, operands[1].integer))                   \
            return false;                                                                          \
        return set_binary(e, operands, result, fn);                                                \
    }                                                                                              \
    bool mlc_arith_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,                  \
                                 MlcDatum *results)                                                \
    {                                                                                              \
        return mlc_eval_elementwise(e, op, operands, results, name##_scalar);                      \
    }

// The same, where a shift amount of the width or more is poison.
#define INT_SHIFT(name, fn)                                                                        \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        uint64_t amount;                                                                           \
        bool is_poison = !mlc_wide_try_as_uint(operands[1].integer, &amount) ||                    \
                         amount >= operands[1].integer.width;                                      \
        (void)op;                                                                                  \
        return !(is_poison && mlc_eval_is_folding(e)) && set_binary(e, operands, result, fn);      \
    }                                                                                              \
    bool mlc_arith_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,                  \
                                 MlcDatum *results)                                                \
    {                                                                                              \
        return mlc_eval_elementwise(e, op, operands, results, name##_scalar);                      \
    }

static bool
differ_in_sign(MlcWide a, MlcWide b)
{
    return mlc_wide_is_negative(a) != mlc_wide_is_negative(b);
}

static MlcWide
one(MlcArena *arena, uint32_t width)
{
    return mlc_wide_from_uint(arena, width, 1);
}

static MlcWide
ceil_div_signed(MlcArena *arena, MlcWide a, MlcWide b)
{
    MlcWide quotient = mlc_wide_sdiv(arena, a, b);
    if (mlc_wide_is_zero(mlc_wide_srem(arena, a, b)) || differ_in_sign(a, b))
        return quotient;
    return mlc_wide_add(arena, quotient, one(arena, a.width));
}

static MlcWide
floor_div_signed(MlcArena *arena, MlcWide a, MlcWide b)
{
    MlcWide quotient = mlc_wide_sdiv(arena, a, b);
    if (mlc_wide_is_zero(mlc_wide_srem(arena, a, b)) || !differ_in_sign(a, b))
        return quotient;
    return mlc_wide_sub(arena, quotient, one(arena, a.width));
}

static MlcWide
ceil_div_unsigned(MlcArena *arena, MlcWide a, MlcWide b)
{
    MlcWide quotient = mlc_wide_udiv(arena, a, b);
    if (mlc_wide_is_zero(mlc_wide_urem(arena, a, b)))
        return quotient;
    return mlc_wide_add(arena, quotient, one(arena, a.width));
}

static MlcWide
max_signed(MlcArena *arena, MlcWide a, MlcWide b)
{
    (void)arena;
    return mlc_wide_compare_signed(a, b) >= 0 ? a : b;
}

static MlcWide
min_signed(MlcArena *arena, MlcWide a, MlcWide b)
{
    (void)arena;
    return mlc_wide_compare_signed(a, b) <= 0 ? a : b;
}

static MlcWide
max_unsigned(MlcArena *arena, MlcWide a, MlcWide b)
{
    (void)arena;
    return mlc_wide_compare_unsigned(a, b) >= 0 ? a : b;
}

static MlcWide
min_unsigned(MlcArena *arena, MlcWide a, MlcWide b)
{
    (void)arena;
    return mlc_wide_compare_unsigned(a, b) <= 0 ? a : b;
}

static uint64_t
shift_amount(MlcWide b)
{
    uint64_t amount;
    return mlc_wide_try_as_uint(b, &amount) ? amount : UINT64_MAX;
}

static MlcWide
shift_left(MlcArena *arena, MlcWide a, MlcWide b)
{
    return mlc_wide_shl(arena, a, shift_amount(b));
}

static MlcWide
shift_right_signed(MlcArena *arena, MlcWide a, MlcWide b)
{
    return mlc_wide_ashr(arena, a, shift_amount(b));
}

static MlcWide
shift_right_unsigned(MlcArena *arena, MlcWide a, MlcWide b)
{
    return mlc_wide_lshr(arena, a, shift_amount(b));
}

INT_BINARY(addi, mlc_wide_add)
INT_BINARY(subi, mlc_wide_sub)
INT_BINARY(muli, mlc_wide_mul)
INT_BINARY(andi, mlc_wide_and)
INT_BINARY(ori, mlc_wide_or)
INT_BINARY(xori, mlc_wide_xor)
INT_BINARY(maxsi, max_signed)
INT_BINARY(maxui, max_unsigned)
INT_BINARY(minsi, min_signed)
INT_BINARY(minui, min_unsigned)
INT_DIVISION(divsi, mlc_wide_sdiv, true)
INT_DIVISION(divui, mlc_wide_udiv, false)
INT_DIVISION(remsi, mlc_wide_srem, false)
INT_DIVISION(remui, mlc_wide_urem, false)
INT_DIVISION(ceildivsi, ceil_div_signed, true)
INT_DIVISION(ceildivui, ceil_div_unsigned, false)
INT_DIVISION(floordivsi, floor_div_signed, true)
INT_SHIFT(shli, shift_left)
INT_SHIFT(shrsi, shift_right_signed)
INT_SHIFT(shrui, shift_right_unsigned)

// --- integers with two results

// Low and high half of the sum or product, computed in twice the width.
typedef void (*WidePair)(MlcArena *arena, MlcWide a, MlcWide b, MlcWide *low, MlcWide *high);

static void
add_extended(MlcArena *arena, MlcWide a, MlcWide b, MlcWide *low, MlcWide *high)
{
    *low = mlc_wide_add(arena, a, b);
    *high = mlc_wide_from_uint(arena, 1, mlc_wide_compare_unsigned(*low, a) < 0);
}

static void
split(MlcArena *arena, MlcWide product, uint32_t width, MlcWide *low, MlcWide *high)
{
    *low = mlc_wide_trunc(arena, product, width);
    *high = mlc_wide_trunc(arena, mlc_wide_lshr(arena, product, width), width);
}

static void
multiply_signed(MlcArena *arena, MlcWide a, MlcWide b, MlcWide *low, MlcWide *high)
{
    uint32_t wide = 2 * a.width;
    split(arena, mlc_wide_mul(arena, mlc_wide_sext(arena, a, wide), mlc_wide_sext(arena, b, wide)),
          a.width, low, high);
}

static void
multiply_unsigned(MlcArena *arena, MlcWide a, MlcWide b, MlcWide *low, MlcWide *high)
{
    uint32_t wide = 2 * a.width;
    split(arena, mlc_wide_mul(arena, mlc_wide_zext(arena, a, wide), mlc_wide_zext(arena, b, wide)),
          a.width, low, high);
}

static bool
eval_pair(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, WidePair fn)
{
    MlcType types[2];
    for (size_t i = 0; i < 2; i++) {
        types[i] = mlc_value_type(mlc_op_result(op, i));
        if (mlc_datum_is_elements(&operands[0]) &&
            !mlc_eval_elements_of_rank(e, op, types[i], operands[0].elements.shape,
                                       operands[0].rank, &results[i]))
            return false;
    }
    for (size_t i = 0; i < mlc_datum_num_elements(&operands[0]); i++) {
        MlcArena arena = {0};
        MlcDatum a, b;
        MlcWide halves[2];
        mlc_datum_element(e, &operands[0], i, &a);
        mlc_datum_element(e, &operands[1], i, &b);
        fn(&arena, a.integer, b.integer, &halves[0], &halves[1]);
        for (size_t r = 0; r < 2; r++) {
            MlcDatum half = mlc_datum_wide(e, mlc_type_element(types[r]), halves[r]);
            if (mlc_datum_is_elements(&operands[0]))
                mlc_datum_set_element(&results[r], i, &half);
            else
                results[r] = half;
        }
        mlc_arena_release(&arena);
    }
    return true;
}

bool
mlc_arith_addui_extended_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_pair(e, op, operands, results, add_extended);
}

bool
mlc_arith_mulsi_extended_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_pair(e, op, operands, results, multiply_signed);
}

bool
mlc_arith_mului_extended_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_pair(e, op, operands, results, multiply_unsigned);
}

// --- floats

static double
add(double a, double b)
{
    return a + b;
}

static double
subtract(double a, double b)
{
    return a - b;
}

static double
multiply(double a, double b)
{
    return a * b;
}

static double
divide(double a, double b)
{
    return a / b;
}

typedef MlcFloat (*SoftBinary)(MlcFloat a, MlcFloat b);

// Up to 24 bits of precision one operation in double, rounded, is the operation rounded once
// (softfloat.c says why).
static bool
set_float(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result,
          double (*fn)(double, double), SoftBinary exact)
{
    MlcFloatKind kind = mlc_float_type_kind(result->type);
    if (kind != MLC_FLOAT_F80 && kind != MLC_FLOAT_F128) {
        double a = mlc_datum_as_double(&operands[0]), b = mlc_datum_as_double(&operands[1]);
        double value = fn(a, b);
        bool is_new_nan =
            isnan(value) && !isnan(a) && !isnan(b); // of no sign: the processor says -
        *result = mlc_datum_float(result->type, is_new_nan ? (double)NAN : value);
        return true;
    }
    if (!exact)
        return mlc_eval_error(e, op, "is not known for %s", mlc_float_info(kind)->name);
    *result = mlc_datum_soft(
        result->type, exact(mlc_datum_as_soft(&operands[0]), mlc_datum_as_soft(&operands[1])));
    return true;
}

// The other operand where one is a NaN; -0 is less than 0.
static double
max_number(double a, double b)
{
    return isnan(a) || isnan(b) ? fmax(a, b) : mlc_eval_maximum(a, b);
}

static double
min_number(double a, double b)
{
    return isnan(a) || isnan(b) ? fmin(a, b) : mlc_eval_minimum(a, b);
}

static bool
both_are(const MlcDatum *operands, MlcFloatKind kind)
{
    MlcType element = mlc_type_element(operands[0].type);
    return mlc_datum_is_elements(&operands[0]) && mlc_datum_is_elements(&operands[1]) &&
           mlc_type_is_float(element) && mlc_float_type_kind(element) == kind &&
           operands[0].elements.num_bytes == operands[1].elements.num_bytes;
}

// Vectors of f32, the common case, without a datum per element.
static bool
float_arrays(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results,
             double (*fn)(double, double))
{
    if (!mlc_eval_elements_of_rank(e, op, mlc_value_type(mlc_op_result(op, 0)),
                                   operands[0].elements.shape, operands[0].rank, &results[0]))
        return false;
    const void *a = operands[0].elements.data, *b = operands[1].elements.data;
    float *out = results[0].elements.data;
    for (int64_t i = 0, n = (int64_t)(results[0].elements.num_bytes / sizeof(float)); i < n; i++)
        out[i] = (float)fn((double)mlc_f32_at(a, i), (double)mlc_f32_at(b, i));
    return true;
}

#define FLOAT_BINARY(name, fn, exact)                                                              \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        return set_float(e, op, operands, result, fn, exact);                                      \
    }                                                                                              \
    bool mlc_arith_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,                  \
                                 MlcDatum *results)                                                \
    {                                                                                              \
        if (both_are(operands, MLC_FLOAT_F32))                                                     \
            return float_arrays(e, op, operands, results, fn);                                     \
        return mlc_eval_elementwise(e, op, operands, results, name##_scalar);                      \
    }

FLOAT_BINARY(addf, add, mlc_float_add)
FLOAT_BINARY(subf, subtract, mlc_float_sub)
FLOAT_BINARY(mulf, multiply, mlc_float_mul)
FLOAT_BINARY(divf, divide, mlc_float_div)
FLOAT_BINARY(remf, fmod, NULL)
FLOAT_BINARY(maximumf, mlc_eval_maximum, NULL)
FLOAT_BINARY(minimumf, mlc_eval_minimum, NULL)
FLOAT_BINARY(maxnumf, max_number, NULL)
FLOAT_BINARY(minnumf, min_number, NULL)

static bool
negf_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)e, (void)op;
    *result = mlc_datum_soft(result->type, mlc_float_neg(mlc_datum_as_soft(&operands[0])));
    return true;
}

bool
mlc_arith_negf_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elementwise(e, op, operands, results, negf_scalar);
}

// --- comparisons

static int64_t
predicate_of(MlcOp *op)
{
    return mlc_enum_attr_value(mlc_op_attr(op, "predicate"));
}

static bool
compare_ints(int64_t predicate, MlcWide a, MlcWide b)
{
    int order = predicate >= 6 ? mlc_wide_compare_unsigned(a, b) : mlc_wide_compare_signed(a, b);
    switch (predicate) {
    case 0:
        return order == 0;
    case 1:
        return order != 0;
    case 2:
    case 6:
        return order < 0;
    case 3:
    case 7:
        return order <= 0;
    case 4:
    case 8:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool
cmpi_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)e;
    *result = mlc_datum_int(
        result->type, compare_ints(predicate_of(op), operands[0].integer, operands[1].integer));
    return true;
}

bool
mlc_arith_cmpi_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elementwise(e, op, operands, results, cmpi_scalar);
}

// Which outcomes make a predicate true: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered; in
// the order of the enum: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true.
static bool
compare_floats(int64_t predicate, int order)
{
    static const uint8_t outcomes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15};
    int bit = order == 0 ? 0 : order == 1 ? 1 : order == -1 ? 2 : 3;
    return outcomes[predicate & 15] >> bit & 1;
}

static bool
cmpf_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)e;
    int order = mlc_float_compare(mlc_datum_as_soft(&operands[0]), mlc_datum_as_soft(&operands[1]));
    *result = mlc_datum_int(result->type, compare_floats(predicate_of(op), order));
    return true;
}

bool
mlc_arith_cmpf_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_elementwise(e, op, operands, results, cmpf_scalar);
}

static bool
select_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)e, (void)op;
    *result = mlc_datum_as_bool(&operands[0]) ? operands[1] : operands[2];
    return true;
}

bool
mlc_arith_select_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (!mlc_datum_is_elements(&operands[0])) // one condition for all of it, whatever it is
        return select_scalar(e, op, operands, &results[0]);
    return mlc_eval_elementwise(e, op, operands, results, select_scalar);
}

bool
mlc_arith_constant_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    MlcAttr value = mlc_op_attr(op, "value");
    if (!mlc_datum_from_attr(e, value, &results[0]))
        return mlc_eval_error(e, op, "has a value that cannot be evaluated");
    return true;
}

// --- conversions

static bool
set_wide(MlcEval *e, MlcDatum *result, MlcArena *arena, MlcWide value)
{
    *result = mlc_datum_wide(e, result->type, value);
    mlc_arena_release(arena);
    return true;
}

#define INT_RESIZE(name, fn)                                                                       \
    static bool name##_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)   \
    {                                                                                              \
        MlcArena arena = {0};                                                                      \
        uint32_t width = mlc_type_bit_width(result->type);                                         \
        (void)op;                                                                                  \
        return set_wide(e, result, &arena, fn(&arena, operands[0].integer, width));                \
    }

INT_RESIZE(trunci, mlc_wide_trunc)
INT_RESIZE(extsi, mlc_wide_sext)
INT_RESIZE(extui, mlc_wide_zext)

static bool
index_cast_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    bool widens = mlc_type_bit_width(result->type) > operands[0].integer.width;
    return widens ? extsi_scalar(e, op, operands, result) : trunci_scalar(e, op, operands, result);
}

static bool
index_castui_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    bool widens = mlc_type_bit_width(result->type) > operands[0].integer.width;
    return widens ? extui_scalar(e, op, operands, result) : trunci_scalar(e, op, operands, result);
}

// truncf and extf: the roundings other than to nearest even are not known here. What is not exact
// is left to the processor when folding.
static bool
convert_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    MlcFloat from = mlc_datum_as_soft(&operands[0]);
    MlcFloat to = mlc_float_convert(from, mlc_float_type_kind(result->type));
    bool is_exact =
        mlc_float_is_nan(from) || mlc_float_same_bits(mlc_float_convert(to, from.kind), from);
    MlcAttr mode = mlc_op_attr(op, "roundingmode");
    if (!is_exact && mlc_eval_is_folding(e))
        return false;
    if (!is_exact && mode && mlc_enum_attr_value(mode) != 0)
        return mlc_eval_error(e, op, "rounds in a way that the interpreter does not know");
    *result = mlc_datum_soft(result->type, to);
    return true;
}

// Integers beyond 64 bits are not converted.
static bool
sitofp_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    int64_t value;
    if (!mlc_wide_try_as_int(operands[0].integer, &value))
        return mlc_eval_error(e, op, "converts an integer of more than 64 bits");
    *result =
        mlc_datum_soft(result->type, mlc_float_from_int(mlc_float_type_kind(result->type), value));
    return true;
}

static bool
uitofp_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    uint64_t value;
    if (!mlc_wide_try_as_uint(operands[0].integer, &value))
        return mlc_eval_error(e, op, "converts an integer of more than 64 bits");
    *result =
        mlc_datum_soft(result->type, mlc_float_from_uint(mlc_float_type_kind(result->type), value));
    return true;
}

// Out of range is poison: the least signed value comes out, as x86 has it.
static bool
fptosi_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)op;
    MlcArena arena = {0};
    uint32_t width = mlc_type_bit_width(result->type);
    int64_t value;
    MlcWide out = {0};
    bool fits = mlc_float_try_as_int(mlc_datum_as_soft(&operands[0]), &value);
    if (fits) {
        out = mlc_wide_from_int(&arena, width, value);
        fits = width >= 64 || mlc_wide_low_int(out) == value;
    }
    if (!fits && mlc_eval_is_folding(e)) {
        mlc_arena_release(&arena);
        return false;
    }
    return set_wide(e, result, &arena, fits ? out : mlc_wide_signed_min(&arena, width));
}

static bool
fptoui_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)op;
    MlcArena arena = {0};
    uint32_t width = mlc_type_bit_width(result->type);
    double value = trunc(mlc_datum_as_double(&operands[0]));
    bool fits = value > -1.0 && value < (width >= 64 ? 0x1p64 : ldexp(1.0, (int)width));
    if (!fits && mlc_eval_is_folding(e))
        return false;
    MlcWide out = fits ? mlc_wide_from_uint(&arena, width, (uint64_t)value)
                       : mlc_wide_all_ones(&arena, width);
    return set_wide(e, result, &arena, out);
}

static bool
bitcast_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    (void)op;
    size_t size = mlc_elements_attr_element_bytes(result->type);
    unsigned char *bytes = mlc_eval_alloc(e, size + 16);
    mlc_datum_write(bytes, &operands[0]);
    mlc_datum_read(e, result->type, bytes, result);
    return true;
}

#define CONVERSION(name, scalar)                                                                   \
    bool mlc_arith_##name##_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,                  \
                                 MlcDatum *results)                                                \
    {                                                                                              \
        return mlc_eval_elementwise(e, op, operands, results, scalar);                             \
    }

CONVERSION(trunci, trunci_scalar)
CONVERSION(extsi, extsi_scalar)
CONVERSION(extui, extui_scalar)
CONVERSION(index_cast, index_cast_scalar)
CONVERSION(index_castui, index_castui_scalar)
CONVERSION(truncf, convert_scalar)
CONVERSION(extf, convert_scalar)
CONVERSION(sitofp, sitofp_scalar)
CONVERSION(uitofp, uitofp_scalar)
CONVERSION(fptosi, fptosi_scalar)
CONVERSION(fptoui, fptoui_scalar)
CONVERSION(bitcast, bitcast_scalar)
