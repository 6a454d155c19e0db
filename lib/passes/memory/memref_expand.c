// memref_expand.c -- memref ops that have no counterpart in LLVM, in terms of others: atomic minima
// and maxima of floats as a body to repeat, and a reshape as a view with strides computed from the
// shape.
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir/mixed.h"

// Builds a op b.
typedef MlcValue *BodyOp(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs);

static BodyOp *
body_op_of(int64_t kind)
{
    switch (kind) {
    case MLC_ARITH_ATOMIC_RMW_KIND_MAXIMUMF:
        return mlc_arith_maximumf;
    case MLC_ARITH_ATOMIC_RMW_KIND_MINIMUMF:
        return mlc_arith_minimumf;
    case MLC_ARITH_ATOMIC_RMW_KIND_MAXNUMF:
        return mlc_arith_maxnumf;
    case MLC_ARITH_ATOMIC_RMW_KIND_MINNUMF:
        return mlc_arith_minnumf;
    default:
        return NULL;
    }
}

// Operands: value, memref, indices.
static void
expand_atomic(MlcOp *op)
{
    BodyOp *build = body_op_of(mlc_enum_attr_value(mlc_op_attr(op, "kind")));
    if (!build)
        return;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcValueVec indices = {0};
    for (size_t i = 2; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&indices, mlc_op_operand(op, i));
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcValue *generic =
        mlc_memref_generic_atomic_rmw(&b, mlc_op_operand(op, 1), indices.data, indices.size);
    mlc_vec_release(&indices);
    MlcRegion *region = mlc_op_region(mlc_value_def(generic), 0);
    MlcBlock *body = mlc_builder_create_block(&b, region, &type, 1);
    mlc_memref_atomic_yield(&b, build(&b, mlc_block_arg(body, 0), mlc_op_operand(op, 0)));
    mlc_op_replace(op, &generic, 1);
}

// Element `i` of the shape.
static MlcValue *
load_size(MlcBuilder *b, MlcValue *shape, size_t i)
{
    MlcValue *number = mlc_build_index(b, (int64_t)i),
             *size = mlc_memref_load(b, shape, &number, 1);
    MlcType index = mlc_index_type_get(b->ctx);
    return mlc_value_type(size) == index ? size : mlc_arith_index_cast(b, index, size);
}

static void
expand_reshape(MlcOp *op)
{
    MlcValue *source = mlc_op_operand(op, 0), *shape = mlc_op_operand(op, 1);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_rank(type) > MLC_RANK_LIMIT ||
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
converts(const MlcOpDef *op)
{
    return op == &mlc_memref_atomic_rmw_def || op == &mlc_memref_reshape_def;
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
         .dependent_dialects = dialects, .converts = converts, .run = run)
