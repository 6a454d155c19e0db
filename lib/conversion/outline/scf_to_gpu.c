// scf_to_gpu.c -- outermost parallel loops become launches: one thread an iteration, in blocks of
// as many threads as the machine says.
//
// The iteration space is counted in row-major order, so neighbouring threads run iterations that
// differ in the last index and touch neighbouring elements. Threads beyond the end do nothing.
#include "mlc/machine.h"
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "parallel_space.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/scf.h"

static MlcType
index_type(MlcBuilder *b)
{
    return mlc_index_type_get(b->ctx);
}

static MlcValue *
num_blocks(MlcBuilder *b, MlcValue *iterations, int64_t block_threads)
{
    int64_t count;
    if (mlc_value_constant_int(iterations, &count))
        return mlc_build_index(b, mlc_ceil_div(count, block_threads));
    MlcValue *more = mlc_arith_addi(b, iterations, mlc_build_index(b, block_threads - 1));
    return mlc_arith_divui(b, more, mlc_build_index(b, block_threads));
}

static MlcOp *
create_launch(MlcBuilder *b, MlcValue *blocks, int64_t block_threads)
{
    MlcValue *one = mlc_build_index(b, 1), *threads = mlc_build_index(b, block_threads);
    return mlc_gpu_launch(b, NULL, NULL, 0, blocks, one, one, threads, one, one, NULL, NULL, NULL,
                          NULL);
}

static void
replace_indices(MlcBuilder *b, MlcOp *loop, MlcValue *number, const MlcValueVec *counts)
{
    MlcValueVec indices = {0};
    parallel_indices(b, loop, number, counts, NULL, &indices);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    for (size_t i = 0; i < indices.size; i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), indices.data[i]);
    mlc_vec_release(&indices);
}

static bool
lower(MlcOp *loop, int64_t block_threads)
{
    if (mlc_op_num_results(loop) > 0)
        return mlc_op_error(loop,
                            "reductions of parallel loops have no place on a grid of threads");
    MlcContext *ctx = mlc_op_context(loop);
    size_t n = mlc_op_num_operands(loop) / 3;
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, loop);
    MlcType index = index_type(&b), indices[12];
    MlcValueVec counts = {0};
    MlcValue *iterations = mlc_build_index(&b, 1);
    for (size_t i = 0; i < n; i++) {
        int64_t so_far, count;
        mlc_vec_push(&counts, parallel_trip_count(&b, loop, i, NULL));
        bool constant = mlc_value_constant_int(iterations, &so_far) &&
                        mlc_value_constant_int(counts.data[i], &count);
        iterations = constant ? mlc_build_index(&b, so_far * count)
                              : mlc_arith_muli(&b, iterations, counts.data[i]);
    }
    MlcOp *launch = create_launch(&b, num_blocks(&b, iterations, block_threads), block_threads);
    for (size_t i = 0; i < 12; i++)
        indices[i] = index;
    MlcBlock *body = mlc_builder_create_block(&b, mlc_op_region(launch, 0), indices, 12);
    // Arguments: block ids, thread ids, grid sizes, block sizes; x, y, z each.
    MlcValue *first = mlc_arith_muli(&b, mlc_block_arg(body, 0), mlc_block_arg(body, 9));
    MlcValue *number = mlc_arith_addi(&b, first, mlc_block_arg(body, 3));
    MlcValue *inside = mlc_arith_cmpi(&b, number, iterations, MLC_ARITH_CMPI_PREDICATE_ULT);
    MlcOp *guard = mlc_scf_if(&b, NULL, 0, inside);
    mlc_gpu_terminator(&b);
    MlcBlock *then = mlc_builder_create_block(&b, mlc_op_region(guard, 0), NULL, 0);
    replace_indices(&b, loop, number, &counts);
    mlc_vec_release(&counts);
    MlcBlock *from = mlc_region_first(mlc_op_region(loop, 0));
    mlc_op_erase(mlc_block_last(from));
    mlc_block_splice(then, NULL, from);
    mlc_builder_at_end(&b, then);
    mlc_scf_yield(&b, NULL, 0);
    mlc_op_erase(loop);
    return true;
}

// As gpu-place-kernels decided.
static bool
is_on_host(MlcOp *loop)
{
    for (MlcOp *op = loop; op; op = mlc_op_parent(op))
        if (mlc_op_attr(op, "mlc.place"))
            return true;
    return false;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_scf_parallel_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    int64_t block_threads = mlc_target_desc_gpu(mlc_pass_target(pass))->gpu_block_threads;
    MlcOpVec loops = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_scf_parallel_isa(op) && !is_on_host(op) &&
            !mlc_op_parent_of_kind(op, mlc_op_def(op)) &&
            !mlc_op_parent_of_kind(op, &mlc_gpu_launch_def))
            mlc_vec_push(&loops, op);
    bool ok = true;
    for (size_t i = 0; i < loops.size; i++)
        ok = lower(loops.data[i], block_threads) && ok;
    mlc_vec_release(&loops);
    return ok;
}

static const char *const dialects[] = {"gpu", "arith", "scf", NULL};

MLC_PASS(scf_to_gpu, .flag = "convert-parallel-loops-to-gpu",
         .summary = "Launch outermost parallel loops on a GPU", .dependent_dialects = dialects,
         .converts = converts, .run = run)
