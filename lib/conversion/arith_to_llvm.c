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
    MlcAttr value = mlc_op_attr(op, "value");
    if (mlc_attr_is(value, MLC_ATTR_INTEGER) && mlc_attr_type(value) != type)
        value = mlc_integer_attr_get(type, mlc_attr_as_int(value));
    if (mlc_attr_is(value, MLC_ATTR_DENSE) && mlc_attr_type(value) != type) {
        size_t size;
        const void *data = mlc_elements_attr_data(value, &size);
        value = mlc_dense_attr_get(type, data, size, mlc_elements_attr_is_splat(value));
    }
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcNamedAttr attr = mlc_named(b->ctx, "value", value);
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

// index is as wide as i64: a cast widens, narrows or is nothing.
static bool
lower_index_cast(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    unsigned from = mlc_type_bit_width(mlc_type_element(mlc_value_type(operands[0])));
    unsigned to = mlc_type_bit_width(mlc_type_element(type));
    MlcValue *value = operands[0];
    if (from != to)
        value = mlc_build(mlc_conversion_builder(c), from > to ? "llvm.trunc" : (const char *)user,
                          type, value);
    mlc_conversion_replace(c, op, &value, 1);
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
    SAME("truncf", "llvm.fptrunc", LLVM_NONE),
    SAME("sitofp", "llvm.sitofp", LLVM_NONE),
    SAME("uitofp", "llvm.uitofp", LLVM_NONE),
    SAME("fptosi", "llvm.fptosi", LLVM_NONE),
    SAME("fptoui", "llvm.fptoui", LLVM_NONE),
    SAME("bitcast", "llvm.bitcast", LLVM_NONE),
    {.root = "arith.constant", .convert = lower_constant},
    {.root = "arith.cmpi", .convert = lower_compare, .user = "llvm.icmp"},
    {.root = "arith.cmpf", .convert = lower_compare, .user = "llvm.fcmp"},
    {.root = "arith.index_cast", .convert = lower_index_cast, .user = "llvm.sext"},
    {.root = "arith.index_castui", .convert = lower_index_cast, .user = "llvm.zext"},
};
const LlvmPatterns arith_to_llvm_patterns = {patterns, sizeof patterns / sizeof *patterns};
