// expand_narrow_floats.c -- f16, bf16 and floats of 8 bits in instructions that the machine has.
//
// Machines convert and hardly compute: arithmetic is done in f32 and rounded, conversions are the
// machine's where it has them (f16, mlc/machine.h) and integers elsewhere, so that nothing is
// left for which LLVM would call a library. Each conversion rounds once, to nearest, ties to even:
// from f64 and large integers by way of an f32 rounded to odd (Boldo and Melquiond, IEEE TC 2008),
// which the second rounding cannot mistake for a tie. Denormal numbers are numbers, whatever the
// mode of the processor, which is why bf16 never goes by its instructions (they flush). NaN stays
// NaN, and is quiet.
#include "element_types.h"

#include <math.h>

#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/math.h"
#include "mlc/dialects/vector.h"
#include "mlc/ir.h"
#include "mlc/machine.h"

typedef struct Expander {
    MlcBuilder b;
    bool has_f16; // conversions between it and f32
} Expander;

static bool
is_float_of(MlcType type, MlcFloatKind kind)
{
    if (!mlc_type_is(type, MLC_TYPE_VECTOR) && !mlc_type_is(type, MLC_TYPE_FLOAT))
        return false;
    MlcType element = mlc_type_element(type);
    return mlc_type_is_float(element) && mlc_float_type_kind(element) == kind;
}

static MlcFloatKind
kind_of(MlcType type)
{
    return mlc_float_type_kind(mlc_type_element(type));
}

static bool
is_byte(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_VECTOR) && !mlc_type_is(type, MLC_TYPE_FLOAT))
        return false;
    MlcType element = mlc_type_element(type);
    return mlc_type_is_float(element) && mlc_type_bit_width(element) == 8;
}

static bool
is_narrow(MlcType type)
{
    return is_float_of(type, MLC_FLOAT_F16) || is_float_of(type, MLC_FLOAT_BF16) || is_byte(type);
}

// x op c
static MlcValue *
with(Expander *e, MlcValue *(*op)(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs), MlcValue *x,
     int64_t c)
{
    return op(&e->b, x, mlc_build_int(&e->b, mlc_value_type(x), c));
}

static MlcValue *
compare(Expander *e, int64_t predicate, MlcValue *x, int64_t c)
{
    return mlc_build_compare(&e->b, predicate, x, mlc_build_int(&e->b, mlc_value_type(x), c));
}

static MlcValue *
bits_of(Expander *e, MlcValue *x)
{
    unsigned width = mlc_type_bit_width(mlc_type_element(mlc_value_type(x)));
    return mlc_arith_bitcast(&e->b, mlc_ints_like(x, width), x);
}

// ---- to f32

static MlcValue *
bf16_to_f32(Expander *e, MlcValue *x)
{
    MlcValue *bits = mlc_arith_extui(&e->b, mlc_ints_like(x, 32), bits_of(e, x));
    return mlc_arith_bitcast(&e->b, mlc_floats_like(x, MLC_FLOAT_F32),
                             with(e, mlc_arith_shli, bits, 16));
}

// The exponent's bias grows by 112, twice where it is the highest; without an exponent, the number
// is so many times 2^-24.
static MlcValue *
f16_to_f32(Expander *e, MlcValue *x)
{
    MlcBuilder *b = &e->b;
    MlcType i32 = mlc_ints_like(x, 32), f32 = mlc_floats_like(x, MLC_FLOAT_F32);
    MlcValue *bits = mlc_arith_extui(b, i32, bits_of(e, x));
    MlcValue *magnitude = with(e, mlc_arith_andi, bits, 0x7fff);
    MlcValue *sign = with(e, mlc_arith_shli, with(e, mlc_arith_andi, bits, 0x8000), 16);
    MlcValue *shifted = with(e, mlc_arith_shli, magnitude, 13);
    MlcValue *normal = with(e, mlc_arith_addi, shifted, INT64_C(112) << 23);
    MlcValue *special = with(e, mlc_arith_addi, shifted, INT64_C(224) << 23);
    MlcValue *small = mlc_arith_sitofp(b, f32, magnitude);
    small = mlc_arith_mulf(b, small, mlc_build_float(b, f32, 0x1p-24));
    MlcValue *wide = mlc_build_select(
        b, compare(e, MLC_ARITH_CMPI_PREDICATE_UGE, magnitude, 0x7c00), special, normal);
    wide = mlc_build_select(b, compare(e, MLC_ARITH_CMPI_PREDICATE_ULT, magnitude, 0x0400),
                            bits_of(e, small), wide);
    return mlc_arith_bitcast(b, f32, mlc_arith_ori(b, wide, sign));
}

// The code of a float of 8 bits without its sign: of its largest number, and of 1 in its exponent.
static int64_t
largest_code(const MlcFloatInfo *info)
{
    int64_t ones = 0x7f;
    return info->specials == MLC_FLOAT_SPECIALS_IEEE ? ones - (INT64_C(1) << info->mantissa_bits)
           : info->specials == MLC_FLOAT_SPECIALS_NAN_ONES ? ones - 1
                                                           : ones;
}

static int64_t
least_normal_code(const MlcFloatInfo *info)
{
    return INT64_C(1) << info->mantissa_bits;
}

// As f16, by what the format says of itself. What lies above the largest number is infinite or NaN;
// so is negative zero in a format without one.
static MlcValue *
byte_to_f32(Expander *e, MlcValue *x)
{
    enum { UGT = MLC_ARITH_CMPI_PREDICATE_UGT, ULT = MLC_ARITH_CMPI_PREDICATE_ULT };
    MlcBuilder *b = &e->b;
    const MlcFloatInfo *info = mlc_float_info(kind_of(mlc_value_type(x)));
    int64_t rest = 23 - (int64_t)info->mantissa_bits, rebias = 127 - info->bias;
    MlcType i32 = mlc_ints_like(x, 32), f32 = mlc_floats_like(x, MLC_FLOAT_F32);
    MlcValue *bits = mlc_arith_extui(b, i32, bits_of(e, x));
    MlcValue *magnitude = with(e, mlc_arith_andi, bits, 0x7f);
    MlcValue *sign = with(e, mlc_arith_shli, with(e, mlc_arith_andi, bits, 0x80), 24);
    MlcValue *shifted = with(e, mlc_arith_shli, magnitude, rest);
    MlcValue *wide = with(e, mlc_arith_addi, shifted, rebias << 23);
    MlcValue *small = mlc_arith_sitofp(b, f32, magnitude);
    small = mlc_arith_mulf(
        b, small, mlc_build_float(b, f32, ldexp(1, 1 - info->bias - (int)info->mantissa_bits)));
    wide = mlc_build_select(b, compare(e, ULT, magnitude, least_normal_code(info)),
                            bits_of(e, small), wide);
    MlcValue *nan = mlc_build_int(b, i32, 0x7fc00000);
    if (info->specials == MLC_FLOAT_SPECIALS_IEEE) // its payload stays
        nan = with(e, mlc_arith_ori, shifted, 0x7f800000);
    if (info->specials != MLC_FLOAT_SPECIALS_NAN_ZERO)
        wide = mlc_build_select(b, compare(e, UGT, magnitude, largest_code(info)), nan, wide);
    wide = mlc_arith_ori(b, wide, sign);
    if (info->specials == MLC_FLOAT_SPECIALS_NAN_ZERO)
        wide = mlc_build_select(b, compare(e, MLC_ARITH_CMPI_PREDICATE_EQ, bits, 0x80), nan, wide);
    return mlc_arith_bitcast(b, f32, wide);
}

static MlcValue *
to_f32(Expander *e, MlcValue *x)
{
    if (is_byte(mlc_value_type(x)))
        return byte_to_f32(e, x);
    if (!is_float_of(mlc_value_type(x), MLC_FLOAT_F16))
        return bf16_to_f32(e, x);
    return e->has_f16 ? mlc_arith_extf(&e->b, mlc_floats_like(x, MLC_FLOAT_F32), x)
                      : f16_to_f32(e, x);
}

// ---- from f32

// bits + (half of what goes - 1) + (the lowest bit that stays), of which `width` lower bits go.
static MlcValue *
round_bits(Expander *e, MlcValue *bits, int64_t width)
{
    MlcValue *lowest = with(e, mlc_arith_andi, with(e, mlc_arith_shrui, bits, width), 1);
    MlcValue *sum = mlc_arith_addi(&e->b, bits, lowest);
    return with(e, mlc_arith_addi, sum, (INT64_C(1) << (width - 1)) - 1);
}

// Numbers that are too large become infinite by the carry; that of a NaN is kept out.
static MlcValue *
f32_to_bf16(Expander *e, MlcValue *x)
{
    MlcBuilder *b = &e->b;
    MlcValue *bits = bits_of(e, x);
    MlcValue *rounded = with(e, mlc_arith_shrui, round_bits(e, bits, 16), 16);
    MlcValue *quiet = with(e, mlc_arith_ori, with(e, mlc_arith_shrui, bits, 16), 0x40);
    MlcValue *is_nan = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_UNO, x, x);
    MlcValue *upper = mlc_build_select(b, is_nan, quiet, rounded);
    return mlc_arith_bitcast(b, mlc_floats_like(x, MLC_FLOAT_BF16),
                             mlc_arith_trunci(b, mlc_ints_like(x, 16), upper));
}

// Below 2^-14, adding 1/2 rounds to multiples of 2^-24, which its lowest bits count.
static MlcValue *
f32_to_f16(Expander *e, MlcValue *x)
{
    MlcBuilder *b = &e->b;
    enum { TOO_LARGE = 0x47800000, LEAST_NORMAL = 0x38800000, HALF = 0x3f000000 };
    MlcType f32 = mlc_value_type(x);
    MlcValue *bits = bits_of(e, x), *magnitude = with(e, mlc_arith_andi, bits, 0x7fffffff);
    MlcValue *sign = with(e, mlc_arith_andi, with(e, mlc_arith_shrui, bits, 16), 0x8000);
    MlcValue *normal = with(e, mlc_arith_subi, round_bits(e, magnitude, 13), INT64_C(112) << 23);
    normal = with(e, mlc_arith_shrui, normal, 13);
    MlcValue *small = mlc_arith_bitcast(b, f32, magnitude);
    small = mlc_arith_addf(b, small, mlc_build_float(b, f32, 0.5));
    small = with(e, mlc_arith_subi, bits_of(e, small), HALF);
    MlcValue *nan = with(e, mlc_arith_andi, with(e, mlc_arith_shrui, magnitude, 13), 0x3ff);
    nan = with(e, mlc_arith_ori, nan, 0x7e00);
    MlcValue *is_nan = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_UNO, x, x);
    MlcValue *special =
        mlc_build_select(b, is_nan, nan, mlc_build_int(b, mlc_value_type(nan), 0x7c00));
    MlcValue *is_large = compare(e, MLC_ARITH_CMPI_PREDICATE_UGE, magnitude, TOO_LARGE);
    MlcValue *is_small = compare(e, MLC_ARITH_CMPI_PREDICATE_ULT, magnitude, LEAST_NORMAL);
    MlcValue *half = mlc_build_select(b, is_large, special, normal);
    half = mlc_arith_ori(b, mlc_build_select(b, is_small, small, half), sign);
    return mlc_arith_bitcast(b, mlc_floats_like(x, MLC_FLOAT_F16),
                             mlc_arith_trunci(b, mlc_ints_like(x, 16), half));
}

// As f16. A code beyond the largest number's is what the format has in place of infinity.
static MlcValue *
f32_to_byte(Expander *e, MlcValue *x, MlcType type)
{
    enum { SGT = MLC_ARITH_CMPI_PREDICATE_SGT, ULT = MLC_ARITH_CMPI_PREDICATE_ULT };
    MlcBuilder *b = &e->b;
    const MlcFloatInfo *info = mlc_float_info(kind_of(type));
    int64_t rest = 23 - (int64_t)info->mantissa_bits, rebias = 127 - info->bias;
    double unit = ldexp(1, 24 - info->bias - (int)info->mantissa_bits);
    bool is_ieee = info->specials == MLC_FLOAT_SPECIALS_IEEE;
    MlcType f32 = mlc_value_type(x), i32 = mlc_ints_like(x, 32);
    MlcValue *bits = bits_of(e, x), *magnitude = with(e, mlc_arith_andi, bits, 0x7fffffff);
    MlcValue *sign = with(e, mlc_arith_andi, with(e, mlc_arith_shrui, bits, 24), 0x80);
    MlcValue *code = with(e, mlc_arith_subi, round_bits(e, magnitude, rest), rebias << 23);
    code = with(e, mlc_arith_shrsi, code, rest);
    MlcValue *small = mlc_arith_bitcast(b, f32, magnitude), *one = mlc_build_float(b, f32, unit);
    small = mlc_arith_subi(b, bits_of(e, mlc_arith_addf(b, small, one)), bits_of(e, one));
    code = mlc_build_select(b, compare(e, ULT, magnitude, (rebias + 1) << 23), small, code);
    bool has_zero_sign = info->specials != MLC_FLOAT_SPECIALS_NAN_ZERO;
    int64_t beyond = has_zero_sign ? largest_code(info) + 1 : 0x80;
    MlcValue *special = mlc_build_int(b, i32, beyond), *nan = special;
    if (is_ieee)
        nan = mlc_build_int(b, i32, beyond + least_normal_code(info) / 2);
    MlcValue *is_nan = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_UNO, x, x);
    MlcValue *is_beyond = compare(e, SGT, code, largest_code(info));
    if (!has_zero_sign) {
        MlcValue *zero = mlc_build_int(b, i32, 0);
        sign = mlc_build_select(b, compare(e, MLC_ARITH_CMPI_PREDICATE_EQ, code, 0), zero, sign);
    }
    code = mlc_build_select(b, is_beyond, special, code);
    code = mlc_arith_ori(b, mlc_build_select(b, is_nan, nan, code), sign);
    return mlc_arith_bitcast(b, type, mlc_arith_trunci(b, mlc_ints_like(x, 8), code));
}

static MlcValue *
from_f32(Expander *e, MlcValue *x, MlcType type)
{
    if (is_byte(type))
        return f32_to_byte(e, x, type);
    if (!is_float_of(type, MLC_FLOAT_F16))
        return f32_to_bf16(e, x);
    return e->has_f16 ? mlc_arith_truncf(&e->b, type, x) : f32_to_f16(e, x);
}

// ---- from wider numbers

// Of f64: towards zero, and odd if that is not exact.
static MlcValue *
f64_to_odd_f32(Expander *e, MlcValue *x)
{
    MlcBuilder *b = &e->b;
    MlcType f32 = mlc_floats_like(x, MLC_FLOAT_F32), f64 = mlc_value_type(x);
    MlcValue *nearest = mlc_arith_truncf(b, f32, x), *bits = bits_of(e, nearest);
    MlcValue *back = mlc_arith_extf(b, f64, nearest);
    MlcValue *is_above = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_OGT, mlc_math_absf(b, back),
                                           mlc_math_absf(b, x));
    MlcValue *is_inexact = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_ONE, back, x);
    MlcValue *below = mlc_build_select(b, is_above, with(e, mlc_arith_subi, bits, 1), bits);
    MlcValue *odd = mlc_build_select(b, is_inexact, with(e, mlc_arith_ori, below, 1), bits);
    return mlc_arith_bitcast(b, f32, odd);
}

// Of 64 bits, those that f64 has no room for become one that says whether there were any.
static MlcValue *
shorten(Expander *e, MlcValue *x, bool is_signed)
{
    enum { UNE = MLC_ARITH_CMPI_PREDICATE_NE };
    MlcBuilder *b = &e->b;
    MlcType i64 = mlc_value_type(x);
    MlcValue *rest = with(e, mlc_arith_andi, x, 0xfff), *zero = mlc_build_int(b, i64, 0);
    MlcValue *sticky =
        mlc_build_select(b, compare(e, UNE, rest, 0), mlc_build_int(b, i64, 0x800), zero);
    MlcValue *cut = mlc_arith_ori(b, with(e, mlc_arith_andi, x, -INT64_C(0x1000)), sticky);
    MlcValue *top = is_signed
                        ? with(e, mlc_arith_shrui, with(e, mlc_arith_addi, x, INT64_C(1) << 53), 54)
                        : with(e, mlc_arith_shrui, x, 53);
    return mlc_build_select(b, compare(e, UNE, top, 0), cut, x);
}

// f16 ends at 65504, floats of 8 bits before it, and f32 holds all integers up to 2^24, so there is
// nothing to round twice.
static MlcValue *
from_int(Expander *e, MlcValue *x, MlcType type, bool is_signed)
{
    MlcBuilder *b = &e->b;
    MlcValue *(*convert)(MlcBuilder * b, MlcType type, MlcValue * in) =
        is_signed ? mlc_arith_sitofp : mlc_arith_uitofp;
    unsigned width = mlc_type_bit_width(mlc_type_element(mlc_value_type(x)));
    if (width <= 24 || !is_float_of(type, MLC_FLOAT_BF16))
        return from_f32(e, convert(b, mlc_floats_like(x, MLC_FLOAT_F32), x), type);
    if (width > 53)
        x = shorten(e, x, is_signed);
    MlcValue *exact = convert(b, mlc_floats_like(x, MLC_FLOAT_F64), x);
    return from_f32(e, f64_to_odd_f32(e, exact), type);
}

// ---- which op becomes what

static bool
rounds_to_nearest(MlcOp *op)
{
    MlcAttr mode = mlc_op_attr(op, "roundingmode");
    return !mode || mlc_enum_attr_value(mode) == MLC_ARITH_ROUNDINGMODE_TO_NEAREST_EVEN;
}

// The result of a conversion; NULL: it is none, or stays.
static MlcValue *
expand_conversion(Expander *e, MlcOp *op)
{
    MlcValue *x = mlc_op_operand(op, 0);
    MlcType from = mlc_value_type(x), to = mlc_value_type(mlc_op_result(op, 0));
    bool is_f32 = is_float_of(from, MLC_FLOAT_F32), is_f64 = is_float_of(from, MLC_FLOAT_F64);
    bool is_signed = mlc_arith_sitofp_isa(op);
    if (is_signed || mlc_arith_uitofp_isa(op))
        return is_narrow(to) ? from_int(e, x, to, is_signed) : NULL;
    if (mlc_arith_truncf_isa(op) && is_narrow(to) && rounds_to_nearest(op)) {
        if (is_f32 && is_float_of(to, MLC_FLOAT_F16) && e->has_f16)
            return NULL;
        if (is_narrow(from))
            return from_f32(e, to_f32(e, x), to);
        return is_f32 ? from_f32(e, x, to) : is_f64 ? from_f32(e, f64_to_odd_f32(e, x), to) : NULL;
    }
    if (!is_narrow(from) || !mlc_arith_extf_isa(op) ||
        (is_float_of(from, MLC_FLOAT_F16) && is_float_of(to, MLC_FLOAT_F32) && e->has_f16))
        return NULL;
    MlcValue *wide = to_f32(e, x);
    if (is_narrow(to)) // which holds all that the narrower one does
        return from_f32(e, wide, to);
    return mlc_value_type(wide) == to ? wide : mlc_arith_extf(&e->b, to, wide);
}

// Arithmetic, comparisons and conversions to integers; what only moves bits stays.
static bool
computes(MlcOp *op)
{
    const char *name = mlc_op_def(op)->name;
    if (mlc_arith_constant_isa(op) || mlc_arith_select_isa(op) || mlc_arith_bitcast_isa(op) ||
        mlc_arith_extf_isa(op) || mlc_arith_truncf_isa(op))
        return false;
    return strncmp(name, "arith.", 6) == 0 || strncmp(name, "math.", 5) == 0 ||
           mlc_vector_fma_isa(op);
}

static MlcValue *
compute_in_f32(Expander *e, MlcOp *op)
{
    MlcOp *wide = mlc_op_clone(op, NULL);
    MlcValue *result = mlc_op_result(wide, 0);
    MlcType type = mlc_value_type(result);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (is_narrow(mlc_value_type(mlc_op_operand(op, i))))
            mlc_op_set_operand(wide, i, to_f32(e, mlc_op_operand(op, i)));
    if (is_narrow(type))
        mlc_value_set_type(result, mlc_floats_like(result, MLC_FLOAT_F32));
    mlc_builder_insert(&e->b, wide);
    return is_narrow(type) ? from_f32(e, result, type) : result;
}

static bool
has_narrow(MlcOp *op)
{
    if (mlc_op_num_results(op) != 1 || mlc_op_num_operands(op) == 0)
        return false;
    MLC_FOR_EACH_OPERAND (value, op)
        if (is_narrow(mlc_value_type(value)))
            return true;
    return is_narrow(mlc_value_type(mlc_op_result(op, 0)));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Expander e = {.has_f16 = mlc_pass_target(pass)->has_f16_conversions};
    mlc_builder_init(&e.b, mlc_pass_context(pass));
    MLC_FOR_EACH_POSTORDER (op, root) {
        if (!has_narrow(op))
            continue;
        mlc_builder_before(&e.b, op);
        MlcValue *value = expand_conversion(&e, op);
        if (!value && computes(op))
            value = compute_in_f32(&e, op);
        if (!value)
            continue;
        mlc_op_replace(op, &value, 1);
        mlc_pass_count(pass, "expanded", 1);
    }
    return true;
}

static const char *const dialects[] = {"arith", "math", NULL};

MLC_PASS(
    expand_narrow_floats, .flag = "expand-narrow-floats",
    .summary = "Compute f16, bf16 and floats of 8 bits in f32, and convert by what the machine has",
    .anchor = "func.func", .dependent_dialects = dialects, .run = run)
