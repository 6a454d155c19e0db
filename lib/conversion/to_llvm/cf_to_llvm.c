// cf_to_llvm.c -- branches keep their successors; values passed along are in their new types
// already, and what they are passed to must be: the function's conversion sees to that.
#include "to_llvm.h"

static bool
fits_successors(MlcOp *op, MlcValue *const *operands)
{
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    for (size_t i = 0; i < mlc_op_num_successors(op); i++) {
        size_t first, count;
        branch->successor_operands(op, i, &first, &count);
        for (size_t j = 0; j < count; j++)
            if (mlc_value_type(operands[first + j]) !=
                mlc_value_type(mlc_block_arg(mlc_op_successor(op, i), j)))
                return false;
    }
    return true;
}

static bool
lower_branch(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    if (!fits_successors(op, operands))
        return mlc_conversion_no_match(c, op, "an argument of a successor is of another type");
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

static bool
run(MlcPass *pass, MlcOp *root)
{
    static const LlvmPatterns *const sets[] = {&cf_to_llvm_patterns, NULL};
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(cf_to_llvm, .flag = "convert-cf-to-llvm", .summary = "Lower cf to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .run = run)
