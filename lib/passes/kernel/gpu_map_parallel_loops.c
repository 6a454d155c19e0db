// gpu_map_parallel_loops.c -- says of nested scf.parallel what its dimensions run on, greedily: the
// outermost loop's first three on blocks along x, y and z, those of the next on threads, all others
// one after the other. Loops with reductions, and those that say it already, are left with all in
// them.
#include "mlc/pass.h"

#include "mlc/ir.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/scf.h"

enum { NUM_AXES = 3, NUM_LEVELS = 2 };

static MlcGpuProcessor
processor_of(size_t level, size_t dim)
{
    static const MlcGpuProcessor processors[NUM_LEVELS][NUM_AXES] = {
        {MLC_GPU_PROCESSOR_BLOCK_X, MLC_GPU_PROCESSOR_BLOCK_Y, MLC_GPU_PROCESSOR_BLOCK_Z},
        {MLC_GPU_PROCESSOR_THREAD_X, MLC_GPU_PROCESSOR_THREAD_Y, MLC_GPU_PROCESSOR_THREAD_Z}};
    return level < NUM_LEVELS && dim < NUM_AXES ? processors[level][dim]
                                                : MLC_GPU_PROCESSOR_SEQUENTIAL;
}

static size_t
level_of(MlcOp *loop)
{
    size_t level = 0;
    for (MlcOp *up = mlc_op_parent(loop); up; up = mlc_op_parent(up))
        level += mlc_scf_parallel_isa(up);
    return level;
}

static void
map_loop(MlcOp *loop)
{
    MlcContext *ctx = mlc_op_context(loop);
    size_t level = level_of(loop), n = mlc_block_num_args(mlc_region_first(mlc_op_region(loop, 0)));
    MlcAttr identity = mlc_affine_map_attr_get(mlc_affine_map_identity(ctx, 1));
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < n; i++) {
        MlcAttr params[3] = {
            mlc_enum_attr_get(ctx, &mlc_gpu_processor_attr_def, processor_of(level, i)), identity,
            identity};
        mlc_vec_push(&list, mlc_dialect_attr_get(ctx, &mlc_gpu_loop_dim_map_attr_def, params, 3));
    }
    mlc_op_set_attr(loop, "mapping", mlc_array_attr_get(ctx, list.data, list.size));
    mlc_vec_release(&list);
}

// Whether this loop, or one around it, is left.
static bool
is_left(MlcOp *loop, const MlcOpVec *mapped)
{
    if (mlc_op_num_results(loop) > 0 || mlc_op_attr(loop, "mapping"))
        return true;
    MlcOp *up = mlc_op_parent_of_kind(loop, &mlc_scf_parallel_def);
    for (size_t i = 0; up && i < mapped->size; i++)
        if (mapped->data[i] == up)
            return false;
    return up != NULL;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MlcOpVec mapped = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_scf_parallel_isa(op) && !is_left(op, &mapped))
            mlc_vec_push(&mapped, op);
    for (size_t i = 0; i < mapped.size; i++)
        map_loop(mapped.data[i]);
    mlc_vec_release(&mapped);
    return true;
}

static const char *const dialects[] = {"gpu", NULL};

MLC_PASS(gpu_map_parallel_loops, .flag = "gpu-map-parallel-loops",
         .summary = "Say what parallel loops run on, greedily", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)
