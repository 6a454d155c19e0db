// arith_to_llvm.c -- arith, op by op. Most are the same op under another name: one table, one
// pattern.
#include "to_llvm.h"

static bool
lower_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcBuilder *b = mlc_conversion_builder(c);
    // As it is: an index constant says so, whatever its result is now.
    MlcNamedAttr attr = mlc_named(b->ctx, "value", mlc_op_attr(op, "value"));
    MlcValue *made =
        mlc_op_result(mlc_build_op(b, "llvm.mlir.constant", &type, 1, NULL, 0, &attr, 1, 0), 0);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

static bool
lower_compare(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcBuilder *b = mlc_conversion_builder(c);
    int64_t predicate =
        mlc_enum_attr_value(mlc_op_attr(op, "predicate")); // numbered alike in both dialects
    MlcNamedAttr attrs[2] = {mlc_named(b->ctx, "predicate", mlc_i64_attr_get(b->ctx, predicate))};
    size_t num_attrs = 1 + llvm_convert_flags(op, b, LLVM_FASTMATH, &attrs[1]);
    MlcOp *made = mlc_build_op(b, user, &type, 1, operands, 2, attrs, num_attrs, 0);
    MlcValue *result = mlc_op_result(made, 0);
    mlc_conversion_replace(c, op, &result, 1);
    return true;
}

// To nearest, ties to even, is what llvm.fptrunc does; a mode that is named is one LLVM is told of.
static bool
lower_truncf(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    static const int64_t modes[] = {1, 3, 2, 0, 4}; // #arith.roundingmode as llvm numbers them
    MlcAttr mode = mlc_op_attr(op, "roundingmode");
    if (!mode)
        return llvm_lower_same(c, op, operands, user);
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcBuilder *b = mlc_conversion_builder(c);
    const MlcAttrDef *modes_def = mlc_context_attr(b->ctx, mlc_str("llvm.rounding_mode")),
                     *exceptions = mlc_context_attr(b->ctx, mlc_str("llvm.fp_exception_behavior"));
    MlcNamedAttr attrs[2] = {
        mlc_named(b->ctx, "roundingmode",
                  mlc_enum_attr_get(b->ctx, modes_def, modes[mlc_enum_attr_value(mode)])),
        mlc_named(b->ctx, "fpExceptionBehavior", mlc_enum_attr_get(b->ctx, exceptions, 0)),
    };
    MlcValue *made = mlc_op_result(mlc_build_op(b, "llvm.intr.experimental.constrained.fptrunc",
                                                &type, 1, operands, 1, attrs, 2, 0),
                                   0);
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
    MlcValue *both = mlc_build_value(b, "llvm.intr.uadd.with.overflow",
                                     llvm_struct(b->ctx, parts, 2), operands, 2);
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
    MlcValue *product = mlc_build(b, "llvm.mul", wide, lhs, rhs);
    MlcValue *low = mlc_build(b, "llvm.trunc", type, product);
    MlcNamedAttr value = mlc_named(b->ctx, "value", shift);
    MlcOp *amount = mlc_build_op(b, "llvm.mlir.constant", &wide, 1, NULL, 0, &value, 1, 0);
    MlcValue *upper = mlc_build(b, "llvm.lshr", wide, product, mlc_op_result(amount, 0));
    MlcValue *results[2] = {low, mlc_build(b, "llvm.trunc", type, upper)};
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
    {.root = "arith.cmpi", .convert = lower_compare, .user = "llvm.icmp"},
    {.root = "arith.cmpf", .convert = lower_compare, .user = "llvm.fcmp"},
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
