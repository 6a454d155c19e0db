// buffer_loop_hoisting.c -- buffers that each iteration allocates anew are allocated once, before
// the loop.
//
// What an allocation holds is for nobody to know, so iterations may share one, as long as none can
// hold on to its own: the buffer, with all views of it, is only read and written. One that is
// yielded, returned, freed, stored, or passed to a call stays. Loops whose iterations may run at
// once keep theirs, too: each needs its own.
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/memref.h"

// Numbers do not lead back to memory.
static bool
makes_only_numbers(MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType type = mlc_op_result_type(op, i);
        if (mlc_type_is(type, MLC_TYPE_VECTOR))
            type = mlc_type_element(type);
        if (!mlc_type_is_float(type) && !mlc_type_is_int_or_index(type))
            return false;
    }
    return true;
}

static bool
only_reads_or_writes(MlcOp *op, MlcValue *buffer)
{
    MlcEffectVec effects = {0};
    bool known = mlc_op_effects(op, &effects), accesses = false, others = false;
    for (size_t i = 0; i < effects.size; i++)
        if (effects.data[i].value == buffer) {
            accesses = true;
            others = others || !(effects.data[i].effect & (MLC_EFFECT_READ | MLC_EFFECT_WRITE));
        }
    mlc_vec_release(&effects);
    return known && accesses && !others && makes_only_numbers(op);
}

// Only uses that are over when the iteration is?
static bool
stays_in_iteration(MlcValue *buffer)
{
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *op = mlc_use_owner(use);
        if (mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE) && mlc_use_index(use) == 0) {
            for (size_t i = 0; i < mlc_op_num_results(op); i++)
                if (!stays_in_iteration(mlc_op_result(op, i)))
                    return false;
        } else if (!mlc_memref_dim_isa(op) && !only_reads_or_writes(op, buffer)) {
            return false;
        }
    }
    return true;
}

static bool
can_hoist(MlcOp *alloc, MlcOp *loop)
{
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    if (!methods || methods->is_parallel(loop))
        return false;
    MLC_FOR_EACH_OPERAND (size, alloc)
        if (mlc_value_is_inside(size, loop))
            return false;
    return stays_in_iteration(mlc_op_result(alloc, 0));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_OF_KIND (alloc, root, &mlc_memref_alloc_def)
        for (MlcOp *loop; (loop = mlc_op_parent(alloc)) && loop != root && can_hoist(alloc, loop);)
            mlc_op_move_before(alloc, loop);
    return true;
}

MLC_PASS(buffer_loop_hoisting, .flag = "buffer-loop-hoisting",
         .summary = "Allocate buffers of iterations once, before the loop", .run = run)
