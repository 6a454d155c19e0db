// bound_buffers.c -- buffers whose sizes have bounds become as large as these.
//
// What a block of rows computes in between has as many rows as are left, at most those of a block
// (affine.min). A buffer of that bound does not depend on the iteration: it can be allocated before
// the loop (buffer-loop-hoisting), and be scratch if all its sizes are numbers (kernel-scratch,
// parallel-to-runtime). Its users see the type that it had. Only accesses at given indices and
// windows of given sizes may use it: nothing may ask the buffer how large it is, but for
// memref.dim, which gets the answer here.
#include "tensor/loop_sizes.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/memref.h"

static bool
uses_given_sizes(MlcValue *buffer)
{
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *op = mlc_use_owner(use);
        bool is_window = mlc_memref_subview_isa(op) && uses_given_sizes(mlc_op_result(op, 0));
        bool is_access = mlc_op_access(op) && mlc_op_access_memref(op) == buffer &&
                         mlc_op_access_value(op) != buffer;
        bool is_known_dim = mlc_memref_dim_isa(op) && mlc_value_constant(mlc_op_operand(op, 1));
        if (!is_window && !is_access && !is_known_dim)
            return false;
    }
    return true;
}

// memref.dim of the buffer is what it was made with.
static void
answer_dims(MlcOp *alloc)
{
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    MLC_FOR_EACH_USE_SAFE (use, mlc_op_result(alloc, 0)) {
        MlcOp *op = mlc_use_owner(use);
        int64_t dim;
        size_t operand = 0;
        if (!mlc_memref_dim_isa(op) || !mlc_value_constant_int(mlc_op_operand(op, 1), &dim) ||
            dim < 0 || (size_t)dim >= mlc_type_rank(type) ||
            mlc_type_dim(type, (size_t)dim) != MLC_DYNAMIC)
            continue;
        for (size_t i = 0; i < (size_t)dim; i++)
            operand += mlc_type_dim(type, i) == MLC_DYNAMIC;
        MlcValue *size = mlc_op_operand(alloc, operand);
        mlc_op_replace(op, &size, 1);
    }
}

// The shape with bounds for sizes that have some, and the operands of the others; false: none has.
static bool
bounded_shape(MlcOp *alloc, int64_t *shape, MlcValueVec *sizes)
{
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    size_t operand = 0;
    bool any = false;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        shape[i] = mlc_type_dim(type, i);
        if (shape[i] != MLC_DYNAMIC)
            continue;
        MlcValue *size = mlc_op_operand(alloc, operand++);
        shape[i] = mlc_size_bound(size);
        any |= shape[i] != MLC_DYNAMIC;
        if (shape[i] == MLC_DYNAMIC)
            mlc_vec_push(sizes, size);
    }
    return any;
}

static bool
bound(MlcOp *alloc)
{
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    int64_t shape[MLC_SMALL_RANK];
    MlcValueVec sizes = {0};
    if (mlc_type_has_static_shape(type) || !mlc_type_has_small_rank(type) ||
        mlc_memref_type_layout(type) || mlc_memref_type_memory_space(type) ||
        !uses_given_sizes(mlc_op_result(alloc, 0)))
        return false;
    bool any = bounded_shape(alloc, shape, &sizes);
    if (any) {
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(alloc));
        mlc_builder_before(&b, alloc);
        answer_dims(alloc);
        MlcType larger =
            mlc_memref_type_get(mlc_type_element(type), shape, mlc_type_rank(type), NULL, NULL);
        MlcValue *made = mlc_memref_alloc(&b, larger, sizes.data, sizes.size, NULL, 0);
        mlc_op_set_attr(mlc_value_def(made), "alignment", mlc_op_attr(alloc, "alignment"));
        MlcValue *as_before = mlc_memref_cast(&b, type, made);
        mlc_op_replace(alloc, &as_before, 1);
    }
    mlc_vec_release(&sizes);
    return any;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_OF_KIND (alloc, root, &mlc_memref_alloc_def)
        if (bound(alloc))
            mlc_pass_count(pass, "buffers-bounded", 1);
    return true;
}

static const char *const dialects[] = {"memref", NULL};

MLC_PASS(bound_buffers, .flag = "bound-buffers",
         .summary = "Make buffers as large as the bounds of their sizes", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)
