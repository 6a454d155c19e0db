// gpu_place_kernels.c -- which kernel functions run on the device: those whose every access to
// memory can stand in a launch.
//
// Outermost parallel loops will be launches (convert-parallel-loops-to-gpu). What is left beside
// them and touches memory (a loop that is not parallel, a copy, a single store) becomes launches of
// one thread here: runs of such ops, with what they compute for each other. A kernel function stays
// on the CPU, `mlc.place = "host"`, with a note that says why, if the host needs what such a run
// computes (a condition, how much to allocate), or something in it has no form on the device: a
// call, an assertion, an allocation of a size that the run decides.
//
// A launch that is there already (by a schedule) has no form on the host: a kernel that has one and
// would stay there is refused.
//
// Ahead of convert-parallel-loops-to-gpu. Functions that are not private are left alone, but for
// those that call kernels: they are the host's.
#include "kernel_arguments.h"
#include "kernel_notes.h"

#include "mlc/ir.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/gpu_launchable.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

typedef struct Run {
    MlcOpVec ops; // of one block, in order
} Run;

typedef struct Placement {
    MLC_VEC(Run) runs;
    Run open;
    MlcOp *fault; // what is in the way; NULL: nothing
    const char *reason;
} Placement;

static bool
refuse(Placement *p, MlcOp *op, const char *reason)
{
    p->fault = op;
    p->reason = reason;
    return false;
}

static bool
is_parallel(MlcOp *op)
{
    const MlcLoop *loop = mlc_op_interface(op, MLC_INTERFACE_LOOP);
    return loop && loop->is_parallel && loop->is_parallel(op);
}

static bool
has_parallel(MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root)
        if (op != root && is_parallel(op))
            return true;
    return false;
}

static bool
check_launchable(Placement *p, MlcOp *root)
{
    const char *reason;
    MlcOp *fault = mlc_gpu_not_launchable(root, &reason);
    return !fault || refuse(p, fault, reason);
}

static bool
is_in(const Run *run, MlcOp *op)
{
    for (size_t i = 0; i < run->ops.size; i++)
        if (run->ops.data[i] == op || mlc_op_is_ancestor(run->ops.data[i], op))
            return true;
    return false;
}

// Whether an op, or one in its regions, uses what the run computes.
static bool
depends_on(const Run *run, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root)
        MLC_FOR_EACH_OPERAND (value, op) {
            MlcOp *def = mlc_value_def(value);
            if (def && is_in(run, def))
                return true;
        }
    return false;
}

static bool
close_run(Placement *p)
{
    Run *run = &p->open;
    if (run->ops.size == 0)
        return true;
    for (size_t i = 0; i < run->ops.size; i++)
        for (size_t k = 0; k < mlc_op_num_results(run->ops.data[i]); k++)
            MLC_FOR_EACH_USE (use, mlc_op_result(run->ops.data[i], k))
                if (!is_in(run, mlc_use_owner(use)))
                    return refuse(p, run->ops.data[i], "the host needs a value that it computes");
    mlc_vec_push(&p->runs, *run);
    *run = (Run){0};
    return true;
}

static bool place_block(Placement *p, MlcBlock *block);

static bool
place_op(Placement *p, MlcOp *op)
{
    bool is_terminator = op == mlc_block_last(mlc_op_block(op)) && mlc_op_num_regions(op) == 0;
    if (mlc_gpu_launch_isa(op)) // by a schedule
        return close_run(p);
    if (is_parallel(op) || has_parallel(op)) {
        if (!close_run(p))
            return false;
        if (is_parallel(op))
            return check_launchable(p, op);
        for (size_t i = 0; i < mlc_op_num_regions(op); i++)
            MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i))
                if (!place_block(p, block))
                    return false;
        return mlc_op_num_results(op) == 0 || refuse(p, op, "a loop on the host has results");
    }
    if (is_terminator)
        return close_run(p);
    if (mlc_op_is_memory_effect_free(op) || mlc_memref_alloc_isa(op)) {
        if (depends_on(&p->open, op))
            mlc_vec_push(&p->open.ops, op);
        return true;
    }
    if (!check_launchable(p, op))
        return false;
    mlc_vec_push(&p->open.ops, op);
    return true;
}

static bool
place_block(Placement *p, MlcBlock *block)
{
    MLC_FOR_EACH_OP (op, block)
        if (!place_op(p, op))
            return false;
    return true;
}

// A launch of one thread at the place of the run's last op.
static void
launch_run(const Run *run)
{
    MlcOp *last = run->ops.data[run->ops.size - 1];
    MlcContext *ctx = mlc_op_context(last);
    MlcType indices[12];
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, last);
    b.loc = mlc_op_loc(last);
    MlcValue *one = mlc_build_index(&b, 1);
    MlcOp *launch =
        mlc_gpu_launch(&b, NULL, NULL, 0, one, one, one, one, one, one, NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < 12; i++)
        indices[i] = mlc_index_type_get(ctx);
    mlc_builder_create_block(&b, mlc_op_region(launch, 0), indices, 12);
    MlcOp *end = mlc_gpu_terminator(&b);
    for (size_t i = 0; i < run->ops.size; i++)
        mlc_op_move_before(run->ops.data[i], end);
}

// What the iterations of parallel loops, and runs, allocate is each thread's own.
static void
make_local(MlcOp *function)
{
    MlcOpVec allocs = {0};
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_memref_alloc_isa(op))
            for (MlcOp *up = mlc_op_parent(op); up; up = mlc_op_parent(up))
                if (is_parallel(up) || mlc_gpu_launch_isa(up)) {
                    mlc_vec_push(&allocs, op);
                    break;
                }
    for (size_t i = 0; i < allocs.size; i++) {
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(function));
        mlc_builder_before(&b, allocs.data[i]);
        MlcType type = mlc_value_type(mlc_op_result(allocs.data[i], 0));
        MlcValue *made = mlc_memref_alloca(&b, type, NULL, 0, NULL, 0);
        mlc_op_replace(allocs.data[i], &made, 1);
    }
    mlc_vec_release(&allocs);
}

static void
keep_on_host(MlcOp *function)
{
    mlc_op_set_attr(function, "mlc.place",
                    mlc_string_attr_get(mlc_op_context(function), mlc_str("host")));
}

static bool
has_launch(MlcOp *function)
{
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_gpu_launch_isa(op))
            return true;
    return false;
}

// On the CPU; an error where that cannot be.
static bool
stay(MlcPass *pass, const Placement *p, MlcOp *function)
{
    if (has_launch(function))
        return mlc_op_unsupported(p->fault, "a kernel that has launches must run on the device: %s",
                                  p->reason);
    keep_on_host(function);
    mlc_kernel_remark(p->fault, "runs on the CPU: %s", p->reason);
    mlc_pass_count(pass, "host-kernels", 1);
    return true;
}

// Whether its text places it.
static bool
is_on_host(const MlcOp *function)
{
    MlcAttr place = mlc_op_attr(function, "mlc.place");
    return mlc_attr_is(place, MLC_ATTR_STRING) &&
           mlc_str_equal(mlc_string_attr_value(place), mlc_str("host"));
}

static bool
place(MlcPass *pass, MlcOp *function)
{
    Placement p = {0};
    bool fits =
        !is_on_host(function) || refuse(&p, function, "its attribute 'mlc.place' asks for it");
    fits = fits && (mlc_region_has_one_block(mlc_op_region(function, 0)) ||
                    refuse(&p, function, "it has branches"));
    fits = fits && place_block(&p, mlc_region_first(mlc_op_region(function, 0)));
    bool ok = fits || stay(pass, &p, function);
    for (size_t i = 0; i < p.runs.size; i++) {
        if (fits)
            launch_run(&p.runs.data[i]);
        mlc_vec_release(&p.runs.data[i].ops);
    }
    if (fits)
        make_local(function);
    mlc_vec_release(&p.open.ops);
    mlc_vec_release(&p.runs);
    return ok;
}

static bool
calls_kernels(MlcOp *function)
{
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_op_interface(op, MLC_INTERFACE_CALL))
            return true;
    return false;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    bool ok = true;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0))) {
        if (mlc_is_kernel_function(op))
            ok &= place(pass, op);
        else if (mlc_func_func_isa(op) && calls_kernels(op))
            keep_on_host(op);
    }
    return ok;
}

static const char *const dialects[] = {"gpu", "memref", NULL};

MLC_PASS(gpu_place_kernels, .flag = "gpu-place-kernels",
         .summary = "Decide which kernels run on the device", .anchor = "builtin.module",
         .dependent_dialects = dialects, .run = run)
