// arith_to_llvm.c -- arith, op by op. Most are the same op under another name: one table, one
// pattern.
#include "to_llvm.h"

#include "mlc/dialects/arith.h"

static bool
lower_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    // As it is: an index constant says so, whatever its result is now.
    MlcValue *made =
        mlc_llvm_mlir_constant(mlc_conversion_builder(c), type, mlc_arith_constant_value(op));
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

// Predicates are numbered alike in both dialects.
static_assert((int)MLC_ARITH_CMPI_PREDICATE_UGE == (int)MLC_LLVM_ICMP_PREDICATE_UGE, "of icmp");
static_assert((int)MLC_ARITH_CMPF_PREDICATE_UNO == (int)MLC_LLVM_FCMP_PREDICATE_UNO, "of fcmp");

static bool
lower_compare(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (!llvm_result_type(c, op))
        return llvm_no_type(c, op);
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *lhs = operands[0], *rhs = operands[1], *result;
    if (mlc_arith_cmpi_isa(op))
        result = mlc_llvm_icmp(b, lhs, rhs, (MlcLlvmIcmpPredicate)mlc_arith_cmpi_predicate(op));
    else
        result = mlc_llvm_fcmp(b, lhs, rhs, (MlcLlvmFcmpPredicate)mlc_arith_cmpf_predicate(op));
    llvm_copy_flags(mlc_value_def(result), op, LLVM_FASTMATH);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

// To nearest, ties to even, is what llvm.fptrunc does; a mode that is named is one LLVM is told of.
static bool
lower_truncf(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    static const MlcLlvmRoundingMode modes[] = {
        [MLC_ARITH_ROUNDINGMODE_TO_NEAREST_EVEN] = MLC_LLVM_ROUNDING_MODE_TONEAREST,
        [MLC_ARITH_ROUNDINGMODE_DOWNWARD] = MLC_LLVM_ROUNDING_MODE_DOWNWARD,
        [MLC_ARITH_ROUNDINGMODE_UPWARD] = MLC_LLVM_ROUNDING_MODE_UPWARD,
        [MLC_ARITH_ROUNDINGMODE_TOWARD_ZERO] = MLC_LLVM_ROUNDING_MODE_TOWARDZERO,
        [MLC_ARITH_ROUNDINGMODE_TO_NEAREST_AWAY] = MLC_LLVM_ROUNDING_MODE_TONEARESTAWAY,
    };
    MlcAttr mode = mlc_arith_truncf_roundingmode(op);
    if (!mode)
        return llvm_lower_same(c, op, operands, user);
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
    if (bits * 2 > 16777215u)
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

#define SAME(name, llvm, flags)                                                                    \
    {                                                                                              \
        .root = "arith." name, .convert = llvm_lower_same, .user = &(LlvmSame)                     \
        {                                                                                          \
            llvm, flags                                                                            \
        }                                                                                          \
    }
static const MlcConversionPattern patterns[] = {
    SAME("addi", "llvm.add", LLVM_OVERFLOW),
    SAME("subi", "llvm.sub", LLVM_OVERFLOW),
    SAME("muli", "llvm.mul", LLVM_OVERFLOW),
    SAME("divsi", "llvm.sdiv", LLVM_NONE),
    SAME("divui", "llvm.udiv", LLVM_NONE),
    SAME("remsi", "llvm.srem", LLVM_NONE),
    SAME("remui", "llvm.urem", LLVM_NONE),
    SAME("andi", "llvm.and", LLVM_NONE),
    SAME("ori", "llvm.or", LLVM_NONE),
    SAME("xori", "llvm.xor", LLVM_NONE),
    SAME("shli", "llvm.shl", LLVM_OVERFLOW),
    SAME("shrsi", "llvm.ashr", LLVM_NONE),
    SAME("shrui", "llvm.lshr", LLVM_NONE),
    SAME("minsi", "llvm.intr.smin", LLVM_NONE),
    SAME("maxsi", "llvm.intr.smax", LLVM_NONE),
    SAME("minui", "llvm.intr.umin", LLVM_NONE),
    SAME("maxui", "llvm.intr.umax", LLVM_NONE),
    SAME("addf", "llvm.fadd", LLVM_FASTMATH),
    SAME("subf", "llvm.fsub", LLVM_FASTMATH),
    SAME("mulf", "llvm.fmul", LLVM_FASTMATH),
    SAME("divf", "llvm.fdiv", LLVM_FASTMATH),
    SAME("remf", "llvm.frem", LLVM_FASTMATH),
    SAME("negf", "llvm.fneg", LLVM_FASTMATH),
    SAME("maximumf", "llvm.intr.maximum", LLVM_FASTMATH),
    SAME("minimumf", "llvm.intr.minimum", LLVM_FASTMATH),
    SAME("maxnumf", "llvm.intr.maxnum", LLVM_FASTMATH),
    SAME("minnumf", "llvm.intr.minnum", LLVM_FASTMATH),
    SAME("select", "llvm.select", LLVM_NONE),
    SAME("extsi", "llvm.sext", LLVM_NONE),
    SAME("extui", "llvm.zext", LLVM_NONE),
    SAME("trunci", "llvm.trunc", LLVM_OVERFLOW),
    SAME("extf", "llvm.fpext", LLVM_NONE),
    SAME("sitofp", "llvm.sitofp", LLVM_NONE),
    SAME("uitofp", "llvm.uitofp", LLVM_NONE),
    SAME("fptosi", "llvm.fptosi", LLVM_NONE),
    SAME("fptoui", "llvm.fptoui", LLVM_NONE),
    SAME("bitcast", "llvm.bitcast", LLVM_NONE),
    {.root = "arith.truncf",
     .convert = lower_truncf,
     .user = &(LlvmSame){"llvm.fptrunc", LLVM_NONE}},
    {.root = "arith.addui_extended", .convert = lower_add_extended},
    {.root = "arith.mulsi_extended", .convert = lower_mul_extended, .user = "llvm.sext"},
    {.root = "arith.mului_extended", .convert = lower_mul_extended, .user = "llvm.zext"},
    {.root = "arith.constant", .convert = lower_constant},
    {.root = "arith.cmpi", .convert = lower_compare},
    {.root = "arith.cmpf", .convert = lower_compare},
    {.root = "arith.index_cast", .convert = llvm_lower_width, .user = "llvm.sext"},
    {.root = "arith.index_castui", .convert = llvm_lower_width, .user = "llvm.zext"},
};
const LlvmPatterns arith_to_llvm_patterns = {patterns, sizeof patterns / sizeof *patterns};

static bool
run(MlcPass *pass, MlcOp *root)
{
    static const LlvmPatterns *const sets[] = {&arith_to_llvm_patterns, NULL};
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(arith_to_llvm, .flag = "convert-arith-to-llvm", .summary = "Lower arith to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .run = run)
