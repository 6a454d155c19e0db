// cf_to_llvm.c -- branches keep their successors; values passed along are in their new types
// already, and what they are passed to must be: the function's conversion sees to that. An
// assertion that does not hold prints its message and ends the process.
#include "to_llvm.h"

#include "mlc/dialects/cf.h"
#include "mlc/ir/symbol.h"

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

// The message is printed, and the process ends.
static void
build_failure(MlcBuilder *b, MlcOp *module, MlcSymbolTable *symbols, MlcStr text)
{
    MlcContext *ctx = b->ctx;
    MlcType ptr = llvm_ptr(ctx, 0), i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    MlcBuilder outside = *b;
    mlc_builder_at_start(&outside, mlc_region_first(mlc_op_region(module, 0)));
    if (!mlc_symbol_table_lookup(symbols, mlc_str("puts")))
        mlc_symbol_table_insert(
            symbols, mlc_llvm_func(&outside, mlc_str("puts"),
                                   mlc_type_attr_get(llvm_function_type(ctx, i32, &ptr, 1))));
    if (!mlc_symbol_table_lookup(symbols, mlc_str("abort")))
        mlc_symbol_table_insert(
            symbols, mlc_llvm_func(&outside, mlc_str("abort"),
                                   mlc_type_attr_get(llvm_function_type(ctx, NULL, NULL, 0))));
    MlcOp *global = llvm_text_global(&outside, mlc_str("assert_msg"), text);
    mlc_symbol_table_insert(symbols, global);
    MlcValue *address = mlc_llvm_mlir_addressof(b, ptr, mlc_symbol_name(global));
    llvm_call_function(b, "puts", i32, &address, 1);
    llvm_call_function(b, "abort", NULL, NULL, 0);
    mlc_llvm_unreachable(b);
}

static void
lower_assertion(MlcOp *op, MlcOp *module, MlcSymbolTable *symbols)
{
    MlcBlock *rest = mlc_block_split(mlc_op_next(op)),
             *failed = mlc_block_create(mlc_op_context(op));
    mlc_region_append(mlc_op_region(mlc_op_parent(op), 0), failed);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    mlc_cf_cond_br(&b, mlc_cf_assert_arg(op), NULL, 0, NULL, 0, rest, failed);
    mlc_builder_at_end(&b, failed);
    build_failure(&b, module, symbols, mlc_cf_assert_msg(op));
    mlc_op_erase(op);
}

void
llvm_lower_assertions(MlcOp *root)
{
    MlcOpVec assertions = {0};
    if (!mlc_op_has_trait(root, MLC_TRAIT_SYMBOL_TABLE))
        return;
    // Those in blocks of a function: others stand in loops, which have one block.
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_cf_assert_isa(op) && mlc_op_parent(mlc_op_parent(op)) == root &&
            mlc_op_interface(mlc_op_parent(op), MLC_INTERFACE_FUNCTION))
            mlc_vec_push(&assertions, op);
    if (assertions.size > 0) {
        MlcSymbolTable *symbols = mlc_symbol_table_create(root);
        for (size_t i = 0; i < assertions.size; i++)
            lower_assertion(assertions.data[i], root, symbols);
        mlc_symbol_table_destroy(symbols);
    }
    mlc_vec_release(&assertions);
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
    llvm_lower_assertions(root);
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(cf_to_llvm, .flag = "convert-cf-to-llvm", .summary = "Lower cf to llvm",
         .options = &llvm_index_option, .num_options = 1, .dependent_dialects = llvm_dialects,
         .converts = converts, .run = run)
