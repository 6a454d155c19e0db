// gpu_launchable.c -- ops that the host has, and threads of a device have not.
#include "mlc/dialects/gpu_launchable.h"

#include "mlc/ir.h"

#include "mlc/dialects/cf.h"
#include "mlc/dialects/memref.h"

enum { LOCAL_BYTES = 16 << 10 }; // of an allocation that a thread has for itself

static bool
is_local(MlcOp *alloc)
{
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    return mlc_type_has_static_shape(type) && mlc_type_num_elements(type) <= LOCAL_BYTES / 8;
}

static bool
is_known(MlcOp *op)
{
    MlcEffectVec effects = {0};
    bool known = mlc_op_num_regions(op) > 0 || mlc_op_effects(op, &effects);
    mlc_vec_release(&effects);
    return known;
}

// An assertion of an element tells and goes on; others say that nothing behind them runs.
static bool
is_of_element(MlcOp *assertion)
{
    for (MlcOp *up = mlc_op_parent(assertion); up; up = mlc_op_parent(up)) {
        const MlcLoop *loop = mlc_op_interface(up, MLC_INTERFACE_LOOP);
        if (mlc_structured(up) || (loop && loop->is_parallel && loop->is_parallel(up)))
            return true;
    }
    return false;
}

MlcOp *
mlc_gpu_not_launchable(MlcOp *root, const char **reason)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        *reason = mlc_op_interface(op, MLC_INTERFACE_CALL)      ? "it calls a function"
                  : mlc_cf_assert_isa(op) && !is_of_element(op) ? "it may fail"
                  : mlc_memref_alloc_isa(op) && !is_local(op)   ? "a thread would allocate"
                  : !is_known(op)                               ? "an op may do anything"
                                                                : NULL;
        if (*reason)
            return op;
    }
    return NULL;
}
