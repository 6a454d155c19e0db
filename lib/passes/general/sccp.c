// sccp.c -- sparse conditional constant propagation: values that are constant in every execution
// become constants, across blocks, regions and calls.
//
// The analysis does the work (mlc/analysis/dataflow.h). Ops whose results are all known go if they
// do nothing else; branches and dead blocks stay for canonicalize.
#include "mlc/pass.h"

#include "mlc/analysis/dataflow.h"
#include "mlc/ir/rewrite.h"

typedef struct Sccp {
    MlcSolver *solver;
    MlcConstantPool *pool;
    MLC_VEC(MlcBlock *) blocks; // to rewrite, the next one last
} Sccp;

static bool
replace_by_constant(Sccp *sccp, MlcBlock *block, MlcValue *value)
{
    MlcConstant known = mlc_solver_constant(sccp->solver, value);
    if (!known.value)
        return false;
    MlcValue *constant =
        mlc_constant_pool_get(sccp->pool, block, known.dialect, known.value, mlc_value_type(value));
    if (constant && constant != value)
        mlc_value_replace_uses(value, constant);
    return constant != NULL;
}

static void
add_blocks(Sccp *sccp, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        for (MlcBlock *block = mlc_region_last(mlc_op_region(op, i)); block;
             block = mlc_block_prev(block))
            mlc_vec_push(&sccp->blocks, block);
}

static void
rewrite_block(Sccp *sccp, MlcBlock *block)
{
    MLC_FOR_EACH_OP_SAFE (op, block) {
        size_t num_results = mlc_op_num_results(op);
        bool all = num_results > 0;
        for (size_t i = 0; i < num_results; i++)
            all &= replace_by_constant(sccp, block, mlc_op_result(op, i));
        if (all && mlc_op_is_trivially_dead(op))
            mlc_op_erase(op);
        else
            add_blocks(sccp, op);
    }
    for (size_t i = 0; i < mlc_block_num_args(block); i++)
        replace_by_constant(sccp, block, mlc_block_arg(block, i));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    Sccp sccp = {mlc_solver_create(root), mlc_constant_pool_create(), {0}};
    mlc_solver_add_constants(sccp.solver);
    mlc_solver_run(sccp.solver);
    add_blocks(&sccp, root);
    while (sccp.blocks.size)
        rewrite_block(&sccp, mlc_vec_pop(&sccp.blocks));
    mlc_vec_release(&sccp.blocks);
    mlc_constant_pool_destroy(sccp.pool);
    mlc_solver_destroy(sccp.solver);
    return true;
}

MLC_PASS(sccp, .flag = "sccp", .summary = "Sparse Conditional Constant Propagation", .run = run)
