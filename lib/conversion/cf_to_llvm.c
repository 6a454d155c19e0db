// cf_to_llvm.c -- branches keep their successors; values passed along are in their new types
// already.
#include "to_llvm.h"

static bool
lower_branch(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcBlock *successors[2];
    for (size_t i = 0; i < mlc_op_num_successors(op) && i < 2; i++)
        successors[i] = mlc_op_successor(op, i);
    MlcNamedAttr attr;
    size_t num_attrs = 0;
    MlcAttr segments = mlc_op_attr(op, "operandSegmentSizes");
    if (segments)
        attr = mlc_named(b->ctx, "operandSegmentSizes", segments), num_attrs = 1;
    MlcOpState state = {.def = mlc_context_op(b->ctx, mlc_str(user)),
                        .operands = operands,
                        .num_operands = mlc_op_num_operands(op),
                        .attrs = &attr,
                        .num_attrs = num_attrs,
                        .successors = successors,
                        .num_successors = mlc_op_num_successors(op)};
    mlc_builder_create(b, &state);
    mlc_conversion_erase(c, op);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "cf.br", .convert = lower_branch, .user = "llvm.br"},
    {.root = "cf.cond_br", .convert = lower_branch, .user = "llvm.cond_br"},
};
const LlvmPatterns cf_to_llvm_patterns = {patterns, sizeof patterns / sizeof *patterns};
