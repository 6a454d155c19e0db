// arith_to_llvm.c -- arith, op by op: those that are more than another name (`lowers_to` in
// arith.yaml).
#include "to_llvm.h"

#include "mlc/dialects/arith.h"

// To nearest, ties to even, is what llvm.fptrunc does, which the record says; a mode that is named
// is one LLVM is told of.
static bool
lower_truncf(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    static const MlcLlvmRoundingMode modes[] = {
        [MLC_ARITH_ROUNDINGMODE_TO_NEAREST_EVEN] = MLC_LLVM_ROUNDING_MODE_TONEAREST,
        [MLC_ARITH_ROUNDINGMODE_DOWNWARD] = MLC_LLVM_ROUNDING_MODE_DOWNWARD,
        [MLC_ARITH_ROUNDINGMODE_UPWARD] = MLC_LLVM_ROUNDING_MODE_UPWARD,
        [MLC_ARITH_ROUNDINGMODE_TOWARD_ZERO] = MLC_LLVM_ROUNDING_MODE_TOWARDZERO,
        [MLC_ARITH_ROUNDINGMODE_TO_NEAREST_AWAY] = MLC_LLVM_ROUNDING_MODE_TONEARESTAWAY,
    };
    MlcAttr mode = mlc_arith_truncf_roundingmode(op);
    if (!mode)
        return false;
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcValue *made = mlc_llvm_intr_experimental_constrained_fptrunc(
        mlc_conversion_builder(c), type, operands[0], modes[mlc_enum_attr_value(mode)],
        MLC_LLVM_FP_EXCEPTION_BEHAVIOR_IGNORE);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

static bool
lower_add_extended(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcTypeConverter *types = mlc_conversion_types(c);
    MlcType parts[2];
    for (size_t i = 0; i < 2; i++)
        if (!(parts[i] =
                  mlc_type_converter_convert_one(types, mlc_value_type(mlc_op_result(op, i)))))
            return llvm_no_type(c, op);
    MlcValue *both = mlc_llvm_intr_uadd_with_overflow(b, llvm_struct(b->ctx, parts, 2), operands[0],
                                                      operands[1]);
    MlcValue *results[2] = {llvm_extract(b, both, (int64_t[]){0}, 1),
                            llvm_extract(b, both, (int64_t[]){1}, 1)};
    mlc_conversion_replace(c, op, results, 2);
    return true;
}

// The product in twice the width; `user`: how the factors are widened.
static bool
lower_mul_extended(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    unsigned bits = mlc_type_bit_width(mlc_type_element(type));
    if (bits * 2 > MLC_INTEGER_WIDTH_LIMIT)
        return mlc_conversion_no_match(c, op, "its product is wider than integers can be");
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType wide = mlc_integer_type_get(b->ctx, bits * 2, MLC_SIGNLESS);
    MlcAttr shift = mlc_integer_attr_get(wide, bits);
    if (mlc_type_is(type, MLC_TYPE_VECTOR)) {
        wide = mlc_type_with_element(type, wide);
        shift = mlc_dense_attr_splat(wide, shift);
    }
    MlcValue *lhs = mlc_build(b, user, wide, operands[0]),
             *rhs = mlc_build(b, user, wide, operands[1]);
    MlcValue *product = mlc_llvm_mul(b, lhs, rhs);
    MlcValue *low = mlc_llvm_trunc(b, type, product);
    MlcValue *amount = mlc_llvm_mlir_constant(b, wide, shift);
    MlcValue *upper = mlc_llvm_lshr(b, product, amount);
    MlcValue *results[2] = {low, mlc_llvm_trunc(b, type, upper)};
    mlc_conversion_replace(c, op, results, 2);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "arith.truncf", .convert = lower_truncf},
    {.root = "arith.addui_extended", .convert = lower_add_extended},
    {.root = "arith.mulsi_extended", .convert = lower_mul_extended, .user = "llvm.sext"},
    {.root = "arith.mului_extended", .convert = lower_mul_extended, .user = "llvm.zext"},
    {.root = "arith.index_cast", .convert = llvm_lower_width, .user = "llvm.sext"},
    {.root = "arith.index_castui", .convert = llvm_lower_width, .user = "llvm.zext"},
};
const LlvmPatterns arith_to_llvm_patterns = {"arith", "llvm", patterns,
                                             sizeof patterns / sizeof *patterns};

LLVM_PASS_OF(arith_to_llvm_patterns)

MLC_PASS(arith_to_llvm, .flag = "convert-arith-to-llvm", .summary = "Lower arith to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)
