// index_to_llvm.c -- the index dialect on integers of the width that index has: what is more than
// another name (`lowers_to` in index.yaml).
#include "to_llvm.h"

#include "mlc/dialects/index.h"

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
    MlcValue *m_positive = mlc_llvm_icmp(b, m, zero, MLC_LLVM_ICMP_PREDICATE_SGT);
    MlcValue *x = mlc_llvm_select(b, m_positive, minus_one, one);
    MlcValue *above = mlc_llvm_add(b, n, x);
    above = mlc_llvm_sdiv(b, above, m);
    above = mlc_llvm_add(b, above, one);
    MlcValue *below = mlc_llvm_sub(b, zero, n);
    below = mlc_llvm_sdiv(b, below, m);
    below = mlc_llvm_sub(b, zero, below);
    MlcValue *n_positive = mlc_llvm_icmp(b, n, zero, MLC_LLVM_ICMP_PREDICATE_SGT);
    MlcValue *same_sign = mlc_llvm_icmp(b, n_positive, m_positive, MLC_LLVM_ICMP_PREDICATE_EQ);
    MlcValue *rounds_up =
        mlc_llvm_and(b, same_sign, mlc_llvm_icmp(b, n, zero, MLC_LLVM_ICMP_PREDICATE_NE));
    return replace(c, op, mlc_llvm_select(b, rounds_up, above, below));
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
    MlcValue *above = mlc_llvm_sub(b, n, one);
    above = mlc_llvm_udiv(b, above, m);
    above = mlc_llvm_add(b, above, one);
    return replace(
        c, op,
        mlc_llvm_select(b, mlc_llvm_icmp(b, n, zero, MLC_LLVM_ICMP_PREDICATE_EQ), zero, above));
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
    MlcValue *m_negative = mlc_llvm_icmp(b, m, zero, MLC_LLVM_ICMP_PREDICATE_SLT);
    MlcValue *x = mlc_llvm_select(b, m_negative, one, minus_one);
    MlcValue *below = mlc_llvm_sub(b, x, n);
    below = mlc_llvm_sdiv(b, below, m);
    below = mlc_llvm_sub(b, minus_one, below);
    MlcValue *above = mlc_llvm_sdiv(b, n, m);
    MlcValue *n_negative = mlc_llvm_icmp(b, n, zero, MLC_LLVM_ICMP_PREDICATE_SLT);
    MlcValue *other_sign = mlc_llvm_icmp(b, n_negative, m_negative, MLC_LLVM_ICMP_PREDICATE_NE);
    MlcValue *rounds_down =
        mlc_llvm_and(b, other_sign, mlc_llvm_icmp(b, n, zero, MLC_LLVM_ICMP_PREDICATE_NE));
    return replace(c, op, mlc_llvm_select(b, rounds_down, below, above));
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

static const MlcConversionPattern patterns[] = {
    {.root = "index.ceildivs", .convert = lower_ceildivs},
    {.root = "index.ceildivu", .convert = lower_ceildivu},
    {.root = "index.floordivs", .convert = lower_floordivs},
    {.root = "index.casts", .convert = llvm_lower_width, .user = "llvm.sext"},
    {.root = "index.castu", .convert = llvm_lower_width, .user = "llvm.zext"},
    {.root = "index.constant", .convert = lower_constant},
    {.root = "index.bool.constant", .convert = lower_constant},
    {.root = "index.sizeof", .convert = lower_sizeof},
};
const LlvmPatterns index_to_llvm_patterns = {"index", "llvm", patterns,
                                             sizeof patterns / sizeof *patterns};

LLVM_PASS_OF(index_to_llvm_patterns)

MLC_PASS(index_to_llvm, .flag = "convert-index-to-llvm",
         .summary = "Lower the index dialect to llvm", .options = &llvm_index_option,
         .num_options = 1, .dependent_dialects = llvm_dialects, .converts = converts, .run = run)
