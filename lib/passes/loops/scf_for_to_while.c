// scf_for_to_while.c -- counted loops as general ones: the variable is carried along, compared
// before each iteration and advanced in it.
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

enum { LOWER, UPPER, STEP, FIRST_INIT };

// before(i, carried...): go on while i < upper.
static void
build_condition(MlcBuilder *b, MlcOp *loop, MlcOp *scf_while, const MlcTypeVec *types)
{
    MlcBuilder inside = *b;
    MlcBlock *before =
        mlc_builder_create_block(&inside, mlc_op_region(scf_while, 0), types->data, types->size);
    MlcValue *goes_on = mlc_build_compare(&inside, MLC_ARITH_CMPI_PREDICATE_SLT,
                                          mlc_block_arg(before, 0), mlc_op_operand(loop, UPPER));
    MlcValueVec args = {0};
    for (size_t i = 0; i < types->size; i++)
        mlc_vec_push(&args, mlc_block_arg(before, i));
    mlc_scf_condition(&inside, goes_on, args.data, args.size);
    mlc_vec_release(&args);
}

// after(i, carried...): the loop's body, which yields the next i too.
static void
build_body(MlcRewriter *rw, MlcOp *loop, MlcOp *scf_while, const MlcTypeVec *types)
{
    MlcBuilder inside = *mlc_rewriter_builder(rw);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcBlock *after =
        mlc_builder_create_block(&inside, mlc_op_region(scf_while, 1), types->data, types->size);
    MlcValue *next = mlc_arith_addi(&inside, mlc_block_arg(after, 0), mlc_op_operand(loop, STEP));
    MlcValueVec args = {0};
    for (size_t i = 0; i < types->size; i++)
        mlc_vec_push(&args, mlc_block_arg(after, i));
    mlc_rewriter_append_block(rw, body, after, args.data);
    mlc_vec_release(&args);
    MlcOp *yield = mlc_block_last(after);
    mlc_op_insert_operands(yield, 0, &next, 1);
    mlc_rewriter_changed(rw, yield);
}

static bool
convert(MlcRewriter *rw, MlcOp *loop, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValueVec inits = {0}, results = {0};
    MlcTypeVec types = {0};
    mlc_vec_push(&inits, mlc_op_operand(loop, LOWER));
    for (size_t i = FIRST_INIT; i < mlc_op_num_operands(loop); i++)
        mlc_vec_push(&inits, mlc_op_operand(loop, i));
    for (size_t i = 0; i < inits.size; i++)
        mlc_vec_push(&types, mlc_value_type(inits.data[i]));
    MlcOp *scf_while = mlc_scf_while(b, types.data, types.size, inits.data, inits.size);
    mlc_op_set_discardable(scf_while, mlc_op_discardable(loop));
    build_condition(b, loop, scf_while, &types);
    build_body(rw, loop, scf_while, &types);
    for (size_t i = 1; i < types.size; i++)
        mlc_vec_push(&results, mlc_op_result(scf_while, i));
    mlc_rewriter_replace(rw, loop, results.data, results.size);
    mlc_vec_release(&inits);
    mlc_vec_release(&results);
    mlc_vec_release(&types);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_scf_for_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "scf.for: scf.while",
                                               .root = "scf.for",
                                               .benefit = 1,
                                               .rewrite = convert});
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"arith", NULL};

MLC_PASS(scf_for_to_while, .flag = "scf-for-to-while", .summary = "Turn scf.for into scf.while",
         .dependent_dialects = dialects, .converts = converts, .run = run)
