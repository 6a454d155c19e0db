// index_to_llvm.c -- the index dialect on integers of the width that index has.
#include "to_llvm.h"

enum { EQ = 0, NE = 1, SLT = 2, SGT = 4 }; // predicates of llvm.icmp

static MlcValue *
choose(MlcBuilder *b, MlcValue *condition, MlcValue *yes, MlcValue *no)
{
    return mlc_build(b, "llvm.select", mlc_value_type(yes), condition, yes, no);
}

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

// ceil(n / m) = n and m of one sign, n not 0: (n + (m > 0 ? -1 : 1)) / m + 1, else -(-n / m)
static bool
lower_ceildivs(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *n = operands[0], *m = operands[1];
    MlcType type = mlc_value_type(n);
    MlcValue *zero = llvm_constant(b, type, 0), *one = llvm_constant(b, type, 1),
             *minus_one = llvm_constant(b, type, -1);
    MlcValue *m_positive = llvm_icmp(b, SGT, m, zero);
    MlcValue *x = choose(b, m_positive, minus_one, one);
    MlcValue *above = mlc_build_binary(b, "llvm.add", n, x);
    above = mlc_build_binary(b, "llvm.sdiv", above, m);
    above = mlc_build_binary(b, "llvm.add", above, one);
    MlcValue *below = mlc_build_binary(b, "llvm.sub", zero, n);
    below = mlc_build_binary(b, "llvm.sdiv", below, m);
    below = mlc_build_binary(b, "llvm.sub", zero, below);
    MlcValue *n_positive = llvm_icmp(b, SGT, n, zero);
    MlcValue *same_sign = llvm_icmp(b, EQ, n_positive, m_positive);
    MlcValue *rounds_up = mlc_build_binary(b, "llvm.and", same_sign, llvm_icmp(b, NE, n, zero));
    return replace(c, op, choose(b, rounds_up, above, below));
}

// ceil(n / m) = n == 0 ? 0 : (n - 1) / m + 1
static bool
lower_ceildivu(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *n = operands[0], *m = operands[1];
    MlcType type = mlc_value_type(n);
    MlcValue *zero = llvm_constant(b, type, 0), *one = llvm_constant(b, type, 1);
    MlcValue *above = mlc_build_binary(b, "llvm.sub", n, one);
    above = mlc_build_binary(b, "llvm.udiv", above, m);
    above = mlc_build_binary(b, "llvm.add", above, one);
    return replace(c, op, choose(b, llvm_icmp(b, EQ, n, zero), zero, above));
}

// floor(n / m) = n and m of two signs, n not 0: -1 - ((m < 0 ? 1 : -1) - n) / m, else n / m
static bool
lower_floordivs(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *n = operands[0], *m = operands[1];
    MlcType type = mlc_value_type(n);
    MlcValue *zero = llvm_constant(b, type, 0), *one = llvm_constant(b, type, 1),
             *minus_one = llvm_constant(b, type, -1);
    MlcValue *m_negative = llvm_icmp(b, SLT, m, zero);
    MlcValue *x = choose(b, m_negative, one, minus_one);
    MlcValue *below = mlc_build_binary(b, "llvm.sub", x, n);
    below = mlc_build_binary(b, "llvm.sdiv", below, m);
    below = mlc_build_binary(b, "llvm.sub", minus_one, below);
    MlcValue *above = mlc_build_binary(b, "llvm.sdiv", n, m);
    MlcValue *n_negative = llvm_icmp(b, SLT, n, zero);
    MlcValue *other_sign = llvm_icmp(b, NE, n_negative, m_negative);
    MlcValue *rounds_down = mlc_build_binary(b, "llvm.and", other_sign, llvm_icmp(b, NE, n, zero));
    return replace(c, op, choose(b, rounds_down, below, above));
}

static bool
lower_compare(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    int64_t predicate = mlc_enum_attr_value(mlc_op_attr(op, "pred")); // numbered alike
    return replace(c, op,
                   llvm_icmp(mlc_conversion_builder(c), predicate, operands[0], operands[1]));
}

static bool
lower_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    int64_t value = mlc_attr_as_int(mlc_op_attr(op, "value")); // of type index: 64 bits
    return replace(c, op, llvm_constant(mlc_conversion_builder(c), llvm_result_type(c, op), value));
}

static bool
lower_sizeof(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcType type = llvm_result_type(c, op);
    return replace(c, op, llvm_constant(mlc_conversion_builder(c), type, mlc_type_bit_width(type)));
}

#define SAME(name, llvm)                                                                           \
    {                                                                                              \
        .root = "index." name, .convert = llvm_lower_same, .user = &(LlvmSame)                     \
        {                                                                                          \
            llvm, LLVM_NONE                                                                        \
        }                                                                                          \
    }
static const MlcConversionPattern patterns[] = {
    SAME("add", "llvm.add"),
    SAME("sub", "llvm.sub"),
    SAME("mul", "llvm.mul"),
    SAME("divs", "llvm.sdiv"),
    SAME("divu", "llvm.udiv"),
    SAME("rems", "llvm.srem"),
    SAME("remu", "llvm.urem"),
    SAME("maxs", "llvm.intr.smax"),
    SAME("maxu", "llvm.intr.umax"),
    SAME("mins", "llvm.intr.smin"),
    SAME("minu", "llvm.intr.umin"),
    SAME("shl", "llvm.shl"),
    SAME("shrs", "llvm.ashr"),
    SAME("shru", "llvm.lshr"),
    SAME("and", "llvm.and"),
    SAME("or", "llvm.or"),
    SAME("xor", "llvm.xor"),
    {.root = "index.ceildivs", .convert = lower_ceildivs},
    {.root = "index.ceildivu", .convert = lower_ceildivu},
    {.root = "index.floordivs", .convert = lower_floordivs},
    {.root = "index.cmp", .convert = lower_compare},
    {.root = "index.casts", .convert = llvm_lower_width, .user = "llvm.sext"},
    {.root = "index.castu", .convert = llvm_lower_width, .user = "llvm.zext"},
    {.root = "index.constant", .convert = lower_constant},
    {.root = "index.bool.constant", .convert = lower_constant},
    {.root = "index.sizeof", .convert = lower_sizeof},
};
const LlvmPatterns index_to_llvm_patterns = {patterns, sizeof patterns / sizeof *patterns};

static bool
run(MlcPass *pass, MlcOp *root)
{
    static const LlvmPatterns *const sets[] = {&index_to_llvm_patterns, NULL};
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(index_to_llvm, .flag = "convert-index-to-llvm",
         .summary = "Lower the index dialect to llvm", .options = &llvm_index_option,
         .num_options = 1, .dependent_dialects = llvm_dialects, .run = run)
