// empty_tensor_to_alloc_tensor.c -- tensors without contents as buffers to be, which are not
// shared.
#include "mlc/pass.h"

#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/tensor.h"

static void
replace(MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcValueVec sizes = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&sizes, value);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcValue *alloc = mlc_bufferization_alloc_tensor(&b, type, sizes.data, sizes.size, NULL, NULL);
    mlc_vec_release(&sizes);
    mlc_op_replace(op, &alloc, 1);
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_tensor_empty_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_tensor_empty_isa(op))
            replace(op);
    return true;
}

static const char *const dialects[] = {"bufferization", "tensor", NULL};

MLC_PASS(empty_tensor_to_alloc_tensor, .flag = "empty-tensor-to-alloc-tensor",
         .summary = "Replace tensor.empty by bufferization.alloc_tensor",
         .dependent_dialects = dialects, .converts = converts, .run = run)
