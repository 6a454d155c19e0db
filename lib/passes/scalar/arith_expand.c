// arith_expand.c -- divisions that round up or down, minima, maxima and conversions of bf16, in
// terms of arith ops that have an LLVM instruction.
//
// The expansions are MLIR's. Signed divisions that round avoid the overflow that negating or adding
// first would bring where it matters; minima and maxima of floats tell NaN apart, but not zeros of
// different sign.
#include "element_types.h"

#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/arith.h"

// a == 0 ? 0 : (a - 1) / b + 1
static bool
expand_ceildivui(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *x = operands[0], *y = operands[1];
    MlcType type = mlc_value_type(x);
    MlcValue *zero = mlc_build_int(b, type, 0);
    MlcValue *is_zero = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_EQ, x, zero);
    MlcValue *one = mlc_build_int(b, type, 1);
    MlcValue *above = mlc_arith_subi(b, x, one);
    above = mlc_arith_divui(b, above, y);
    above = mlc_arith_addi(b, above, one);
    MlcValue *result = mlc_build_select(b, is_zero, zero, above);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

// Same signs, neither 0: (a + (b > 0 ? -1 : 1)) / b + 1, else -(-a / b).
static bool
expand_ceildivsi(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *x = operands[0], *y = operands[1];
    MlcType type = mlc_value_type(x);
    MlcValue *one = mlc_build_int(b, type, 1), *zero = mlc_build_int(b, type, 0);
    MlcValue *minus_one = mlc_build_int(b, type, -1);
    MlcValue *is_positive = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SGT, y, zero);
    MlcValue *towards_zero = mlc_build_select(b, is_positive, minus_one, one);
    MlcValue *above = mlc_arith_addi(b, towards_zero, x);
    above = mlc_arith_divsi(b, above, y);
    above = mlc_arith_addi(b, one, above);
    MlcValue *below = mlc_arith_subi(b, zero, x);
    below = mlc_arith_divsi(b, below, y);
    below = mlc_arith_subi(b, zero, below);
    MlcValue *x_negative = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, x, zero);
    MlcValue *x_positive = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SGT, x, zero);
    MlcValue *y_negative = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, y, zero);
    MlcValue *y_positive = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SGT, y, zero);
    MlcValue *both_negative = mlc_arith_andi(b, x_negative, y_negative);
    MlcValue *both_positive = mlc_arith_andi(b, x_positive, y_positive);
    MlcValue *same_sign = mlc_arith_ori(b, both_negative, both_positive);
    MlcValue *result = mlc_build_select(b, same_sign, above, below);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

// The quotient, less 1 if there is a remainder and the signs differ.
static bool
expand_floordivsi(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *x = operands[0], *y = operands[1];
    MlcType type = mlc_value_type(x);
    MlcValue *quotient = mlc_arith_divsi(b, x, y);
    MlcValue *product = mlc_arith_muli(b, quotient, y);
    MlcValue *has_rest = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_NE, x, product);
    MlcValue *zero = mlc_build_int(b, type, 0);
    MlcValue *x_negative = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, x, zero);
    MlcValue *y_negative = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, y, zero);
    MlcValue *differ = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_NE, x_negative, y_negative);
    MlcValue *is_less = mlc_arith_andi(b, has_rest, differ);
    MlcValue *less = mlc_arith_addi(b, quotient, mlc_build_int(b, type, -1));
    MlcValue *result = mlc_build_select(b, is_less, less, quotient);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

// An integer minimum or maximum: a comparison and a choice.
static bool
expand_min_max_int(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    const int64_t *predicate = user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *first = mlc_build_compare(b, *predicate, operands[0], operands[1]);
    MlcValue *result = mlc_build_select(b, first, operands[0], operands[1]);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

typedef struct MinMax {
    int64_t predicate;
    bool keeps_nan; // else a NaN gives way to the other operand
} MinMax;

// The comparison is true of NaN, so the first operand is chosen if either is one; what a NaN
// changes is put right behind it.
static bool
expand_min_max_float(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    const MinMax *kind = user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *x = operands[0], *y = operands[1];
    MlcValue *chosen = mlc_build_select(b, mlc_build_compare(b, kind->predicate, x, y), x, y);
    MlcValue *doubtful = kind->keeps_nan ? y : x;
    MlcValue *is_nan = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_UNO, doubtful, doubtful);
    MlcValue *result = mlc_build_select(b, is_nan, y, chosen);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

static bool
is_bf16_and_f32(MlcType narrow, MlcType wide)
{
    narrow = mlc_type_element(narrow), wide = mlc_type_element(wide);
    return mlc_type_is_float(narrow) && mlc_float_type_kind(narrow) == MLC_FLOAT_BF16 &&
           mlc_type_is_float(wide) && mlc_float_type_kind(wide) == MLC_FLOAT_F32;
}

// The upper half of the bits.
static bool
expand_extend_bf16(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i16 = mlc_ints_like(operands[0], 16), i32 = mlc_ints_like(operands[0], 32);
    MlcValue *bits = mlc_arith_bitcast(b, i16, operands[0]);
    bits = mlc_arith_extui(b, i32, bits);
    bits = mlc_arith_shli(b, bits, mlc_build_int(b, i32, 16));
    MlcValue *result = mlc_arith_bitcast(b, mlc_value_type(mlc_op_result(op, 0)), bits);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

// The upper half of bits + 0x7fff + (the lowest bit that stays): to nearest, ties to even. A NaN
// could become infinite that way, and is replaced.
static bool
expand_truncate_to_bf16(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *x = operands[0];
    MlcType i16 = mlc_ints_like(x, 16), i32 = mlc_ints_like(x, 32);
    MlcValue *is_nan = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_UNE, x, x);
    MlcValue *less_than_half = mlc_build_int(b, i32, 0x7fff);
    MlcValue *nan = mlc_build_int(b, i16, 0x7fc0);
    MlcValue *half_width = mlc_build_int(b, i32, 16), *one = mlc_build_int(b, i32, 1);
    MlcValue *bits = mlc_arith_bitcast(b, i32, x);
    MlcValue *lowest = mlc_arith_shrui(b, bits, half_width);
    lowest = mlc_arith_andi(b, lowest, one);
    MlcValue *bias = mlc_arith_addi(b, lowest, less_than_half);
    MlcValue *rounded = mlc_arith_addi(b, bits, bias);
    MlcValue *upper = mlc_arith_trunci(b, i16, mlc_arith_shrui(b, rounded, half_width));
    MlcValue *result = mlc_arith_bitcast(b, mlc_value_type(mlc_op_result(op, 0)),
                                         mlc_build_select(b, is_nan, nan, upper));
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

static bool
is_legal_extend(MlcOp *op, void *user)
{
    (void)user;
    return !is_bf16_and_f32(mlc_value_type(mlc_op_operand(op, 0)),
                            mlc_value_type(mlc_op_result(op, 0)));
}

static bool
is_legal_truncate(MlcOp *op, void *user)
{
    (void)user;
    MlcAttr rounding = mlc_op_attr(op, "roundingmode");
    return (rounding && mlc_enum_attr_value(rounding) != MLC_ARITH_ROUNDINGMODE_TO_NEAREST_EVEN) ||
           !is_bf16_and_f32(mlc_value_type(mlc_op_result(op, 0)),
                            mlc_value_type(mlc_op_operand(op, 0)));
}

static int64_t sgt = MLC_ARITH_CMPI_PREDICATE_SGT, slt = MLC_ARITH_CMPI_PREDICATE_SLT;
static int64_t ugt = MLC_ARITH_CMPI_PREDICATE_UGT, ult = MLC_ARITH_CMPI_PREDICATE_ULT;
static MinMax maximum = {MLC_ARITH_CMPF_PREDICATE_UGT, true};
static MinMax minimum = {MLC_ARITH_CMPF_PREDICATE_ULT, true};
static MinMax maxnum = {MLC_ARITH_CMPF_PREDICATE_UGT, false};
static MinMax minnum = {MLC_ARITH_CMPF_PREDICATE_ULT, false};

static const MlcConversionPattern patterns[] = {
    {.root = "arith.ceildivsi", .convert = expand_ceildivsi},
    {.root = "arith.ceildivui", .convert = expand_ceildivui},
    {.root = "arith.floordivsi", .convert = expand_floordivsi},
    {.root = "arith.maxsi", .convert = expand_min_max_int, .user = &sgt},
    {.root = "arith.minsi", .convert = expand_min_max_int, .user = &slt},
    {.root = "arith.maxui", .convert = expand_min_max_int, .user = &ugt},
    {.root = "arith.minui", .convert = expand_min_max_int, .user = &ult},
    {.root = "arith.maximumf", .convert = expand_min_max_float, .user = &maximum},
    {.root = "arith.minimumf", .convert = expand_min_max_float, .user = &minimum},
    {.root = "arith.maxnumf", .convert = expand_min_max_float, .user = &maxnum},
    {.root = "arith.minnumf", .convert = expand_min_max_float, .user = &minnum},
    {.root = "arith.extf", .convert = expand_extend_bf16},
    {.root = "arith.truncf", .convert = expand_truncate_to_bf16},
};
enum { NUM_PATTERNS = sizeof patterns / sizeof *patterns, NUM_DIVISIONS = 3, NUM_BF16 = 2 };

static bool
converts(const MlcOpDef *op)
{
    return mlc_conversion_has_pattern(patterns, NUM_PATTERNS, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcConversionTarget *target = mlc_conversion_target_create(mlc_pass_context(pass));
    mlc_conversion_target_legal_dialect(target, "arith");
    size_t count =
        mlc_pass_option_bool(pass, "only-divisions") ? NUM_DIVISIONS : NUM_PATTERNS - NUM_BF16;
    for (size_t i = 0; i < count; i++)
        mlc_conversion_target_illegal_op(target, patterns[i].root);
    if (mlc_pass_option_bool(pass, "include-bf16")) {
        mlc_conversion_target_dynamic_op(target, "arith.extf", is_legal_extend, NULL);
        mlc_conversion_target_dynamic_op(target, "arith.truncf", is_legal_truncate, NULL);
    }
    bool ok = mlc_convert_partial(root, target, NULL, patterns, NUM_PATTERNS);
    mlc_conversion_target_destroy(target);
    return ok;
}

static const MlcPassOption options[] = {
    {"include-bf16", MLC_OPTION_BOOL, NULL, "conversions between bf16 and f32 too"},
    {"only-divisions", MLC_OPTION_BOOL, NULL, "no minima and maxima, which are instructions there"},
};
static const char *const dialects[] = {"arith", NULL};

MLC_PASS(arith_expand, .flag = "arith-expand",
         .summary = "Expand arith ops that LLVM has no instruction for", .options = options,
         .num_options = 2, .dependent_dialects = dialects, .converts = converts, .run = run)
