// cf_to_llvm.c -- branches keep their successors; values passed along are in their new types
// already, and what they are passed to must be: the function's conversion sees to that.
#include "to_llvm.h"

#include "mlc/dialects/cf.h"

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
    (void)user;
    if (!fits_successors(op, operands))
        return mlc_conversion_no_match(c, op, "an argument of a successor is of another type");
    MlcBuilder *b = mlc_conversion_builder(c);
    if (mlc_cf_br_isa(op)) {
        mlc_llvm_br(b, operands, mlc_op_num_operands(op), mlc_op_successor(op, 0));
    } else {
        size_t num_true = mlc_cf_cond_br_num_true_dest_operands(op);
        mlc_llvm_cond_br(b, operands[0], operands + 1, num_true, operands + 1 + num_true,
                         mlc_cf_cond_br_num_false_dest_operands(op), mlc_op_successor(op, 0),
                         mlc_op_successor(op, 1));
    }
    mlc_conversion_erase(c, op);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "cf.br", .convert = lower_branch},
    {.root = "cf.cond_br", .convert = lower_branch},
};
const LlvmPatterns cf_to_llvm_patterns = {"cf", "llvm", patterns,
                                          sizeof patterns / sizeof *patterns};

static const LlvmPatterns *const sets[] = {&cf_to_llvm_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(cf_to_llvm, .flag = "convert-cf-to-llvm", .summary = "Lower cf to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)
