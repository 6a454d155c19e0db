// memref_expand.c -- memref ops that have no counterpart in LLVM, in terms of others: atomic minima
// and maxima of floats as a body to repeat, and a reshape as a view with strides computed from the
// shape.
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir/mixed.h"

static const char *
body_op_of(int64_t kind)
{
    switch (kind) {
    case MLC_ARITH_ATOMIC_RMW_KIND_MAXIMUMF:
        return "arith.maximumf";
    case MLC_ARITH_ATOMIC_RMW_KIND_MINIMUMF:
        return "arith.minimumf";
    case MLC_ARITH_ATOMIC_RMW_KIND_MAXNUMF:
        return "arith.maxnumf";
    case MLC_ARITH_ATOMIC_RMW_KIND_MINNUMF:
        return "arith.minnumf";
    default:
        return NULL;
    }
}

// Operands: value, memref, indices.
static void
expand_atomic(MlcOp *op)
{
    const char *body_op = body_op_of(mlc_enum_attr_value(mlc_op_attr(op, "kind")));
    if (!body_op)
        return;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcValueVec operands = {0};
    for (size_t i = 1; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&operands, mlc_op_operand(op, i));
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcOp *generic = mlc_build_op(&b, "memref.generic_atomic_rmw", &type, 1, operands.data,
                                  operands.size, NULL, 0, 1);
    mlc_vec_release(&operands);
    MlcBlock *body = mlc_builder_create_block(&b, mlc_op_region(generic, 0), &type, 1);
    MlcValue *value = mlc_build(&b, body_op, type, mlc_block_arg(body, 0), mlc_op_operand(op, 0));
    mlc_build_op(&b, "memref.atomic_yield", NULL, 0, &value, 1, NULL, 0, 0);
    mlc_op_replace(op, (MlcValue *[]){mlc_op_result(generic, 0)}, 1);
}

// Element `i` of the shape.
static MlcValue *
load_size(MlcBuilder *b, MlcValue *shape, size_t i)
{
    MlcValue *size = mlc_build(b, "memref.load", mlc_type_element(mlc_value_type(shape)), shape,
                               mlc_build_index(b, (int64_t)i));
    MlcType index = mlc_index_type_get(b->ctx);
    return mlc_value_type(size) == index ? size : mlc_arith_index_cast(b, index, size);
}

static void
expand_reshape(MlcOp *op)
{
    MlcValue *source = mlc_op_operand(op, 0), *shape = mlc_op_operand(op, 1);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_rank(type) > MLC_MIXED_MAX ||
        !mlc_type_has_static_shape(mlc_value_type(shape)))
        return;
    size_t rank = mlc_type_rank(type);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcSlice view = {.offsets = {.size = 1}, .sizes.size = rank, .strides.size = rank};
    MlcValue *stride = rank ? mlc_build_index(&b, 1) : NULL;
    for (size_t i = rank; i-- > 0;) {
        int64_t known = mlc_type_dim(type, i);
        MlcValue *size = NULL;
        if (known == MLC_DYNAMIC)
            size = load_size(&b, shape, i);
        view.sizes.items[i] = size ? (MlcMixed){size, 0} : mlc_mixed(known);
        view.strides.items[i] = (MlcMixed){stride, 0};
        if (i > 0)
            stride = mlc_arith_muli(&b, stride, size ? size : mlc_build_index(&b, known));
    }
    MlcOp *made = mlc_build_slice(&b, &mlc_memref_reinterpret_cast_def, type, &source, 1, &view);
    mlc_op_replace(op, (MlcValue *[]){mlc_op_result(made, 0)}, 1);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root) {
        if (mlc_memref_atomic_rmw_isa(op))
            expand_atomic(op);
        else if (mlc_memref_reshape_isa(op))
            expand_reshape(op);
    }
    return true;
}

static const char *const dialects[] = {"arith", "memref", NULL};

MLC_PASS(memref_expand, .flag = "memref-expand",
         .summary = "Expand memref ops that have no counterpart in LLVM",
         .dependent_dialects = dialects, .run = run)
