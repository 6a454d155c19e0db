// finalizing_bufferize.c -- what is left between tensors and buffers after all ops work on buffers.
//
// to_memref(to_tensor(x)) is x, or a cast of it. A bufferization.to_tensor or to_memref that stays
// is an error: its other side was not bufferized.
#include "mlc/pass.h"

#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/memref.h"

static MlcValue *
buffer_for(MlcOp *op)
{
    MlcOp *tensor = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_bufferization_to_tensor_isa(tensor))
        return NULL;
    MlcValue *buffer = mlc_op_operand(tensor, 0);
    MlcType type = mlc_op_result_type(op, 0);
    if (mlc_value_type(buffer) == type)
        return buffer;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    b.loc = mlc_op_loc(op);
    return mlc_memref_cast(&b, type, buffer);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MlcOpVec ops = {0};
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_bufferization_to_memref_isa(op) || mlc_bufferization_to_tensor_isa(op))
            mlc_vec_push(&ops, op);
    for (size_t i = ops.size; i-- > 0;) { // users before what they use
        MlcOp *op = ops.data[i];
        MlcValue *buffer = mlc_bufferization_to_memref_isa(op) ? buffer_for(op) : NULL;
        if (buffer)
            mlc_value_replace_uses(mlc_op_result(op, 0), buffer);
        if (buffer ||
            (mlc_bufferization_to_tensor_isa(op) && !mlc_value_has_uses(mlc_op_result(op, 0))))
            mlc_op_erase(op);
        else
            ok = mlc_op_error(op, "stays between a tensor and a buffer");
    }
    mlc_vec_release(&ops);
    return ok;
}

static const char *const dialects[] = {"memref", NULL};

MLC_PASS(finalizing_bufferize, .flag = "finalizing-bufferize",
         .summary = "Fold what is left between tensors and buffers; nothing may stay",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
