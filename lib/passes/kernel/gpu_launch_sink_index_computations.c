// gpu_launch_sink_index_computations.c -- computes indices again inside of launches instead of
// passing them: constants, sizes of memrefs, comparisons and choices of what is there.
//
// An op goes in if all that it needs is there already: an argument of the launch's body, something
// that it uses anyhow, or another op that goes in. The ops outside stay, for others and for dce.
#include "mlc/pass.h"

#include "mlc/ir.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"

typedef struct Sink {
    MlcValueVec used; // by the launch's body, from outside
    MlcMap is_there;  // values that ops which go in give
    MlcOpVec ops;     // those, each behind what it needs
} Sink;

static bool
is_index_computation(MlcOp *op)
{
    return mlc_op_constant(op) != NULL || mlc_memref_dim_isa(op) || mlc_arith_select_isa(op) ||
           mlc_arith_cmpi_isa(op);
}

static bool
is_used(const Sink *s, MlcValue *value)
{
    for (size_t i = 0; i < s->used.size; i++)
        if (s->used.data[i] == value)
            return true;
    return false;
}

// Depth is that of the chain of such ops.
static bool
take(Sink *s, MlcOp *op)
{
    for (size_t i = 0; i < s->ops.size; i++)
        if (s->ops.data[i] == op)
            return true;
    if (!is_index_computation(op))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        MlcOp *def = mlc_value_def(value);
        if (!mlc_map_has(&s->is_there, value) && !(def && take(s, def)) && !is_used(s, value))
            return false;
    }
    mlc_vec_push(&s->ops, op);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_map_set(&s->is_there, mlc_op_result(op, i), op);
    return true;
}

static bool
is_inside(MlcUse *use, void *launch)
{
    return mlc_op_is_ancestor(launch, mlc_use_owner(use)) && mlc_use_owner(use) != launch;
}

static void
sink_into(MlcOp *launch)
{
    Sink s = {0};
    MlcOpVec constants = {0};
    mlc_map_init(&s.is_there);
    mlc_op_find_captures(launch, false, &s.used, &constants);
    for (size_t i = 0; i < constants.size; i++)
        take(&s, constants.data[i]);
    for (size_t i = 0; i < s.used.size; i++)
        if (mlc_value_def(s.used.data[i]))
            take(&s, mlc_value_def(s.used.data[i]));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(launch));
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(launch, 0)));
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < s.ops.size; i++) {
        MlcOp *op = s.ops.data[i], *again = mlc_builder_insert(&b, mlc_op_clone(op, map));
        for (size_t k = 0; k < mlc_op_num_results(op); k++)
            mlc_value_replace_uses_if(mlc_op_result(op, k), mlc_op_result(again, k), is_inside,
                                      launch);
    }
    mlc_clone_map_destroy(map);
    mlc_vec_release(&constants);
    mlc_vec_release(&s.used);
    mlc_vec_release(&s.ops);
    mlc_map_release(&s.is_there);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_gpu_launch_isa(op))
            sink_into(op);
    return true;
}

MLC_PASS(gpu_launch_sink_index_computations, .flag = "gpu-launch-sink-index-computations",
         .summary = "Compute indices inside of launches instead of passing them", .run = run)
