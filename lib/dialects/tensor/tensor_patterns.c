// tensor_patterns.c -- canonicalisation of ops that make, measure and read tensors, and of
// reshapes.
#include "tensor_impl.h"
#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"

#include "mlc/ir/rewrite.h"

// --- sizes that are constants

// The same op with these operands and this type, its regions moved; its result is cast.
static bool
retype(MlcRewriter *rw, MlcOp *op, MlcType type, const MlcValueVec *operands)
{
    if (type == mlc_op_result_type(op, 0))
        return false;
    MlcOp *made = mlc_build_op(mlc_rewriter_builder(rw), mlc_op_name(op).data, &type, 1,
                               operands->data, operands->size, NULL, 0, mlc_op_num_regions(op));
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        mlc_region_take_body(mlc_op_region(made, i), mlc_op_region(op, i));
    return mlc_tensor_replace_cast(rw, op, mlc_op_result(made, 0));
}

// empty(c) : tensor<?> -> cast(empty() : tensor<c>), and so tensor.generate
bool
mlc_tensor_make_sizes_static(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValueVec operands = {0};
    MlcType type = mlc_static_result_type(op, 0, &operands);
    bool changed = retype(rw, op, type, &operands);
    mlc_vec_release(&operands);
    return changed;
}

// --- tensor.dim

// The constant index of a dimension that the source's type does not know; -1 otherwise.
static int64_t
dynamic_dim(const MlcOp *op)
{
    int64_t dim;
    MlcType type = mlc_op_operand_type(op, 0);
    bool ok = mlc_value_constant_int(mlc_op_operand(op, 1), &dim) && mlc_type_has_rank(type) &&
              dim >= 0 && dim < (int64_t)mlc_type_rank(type) &&
              mlc_type_dim(type, (size_t)dim) == MLC_DYNAMIC;
    return ok ? dim : -1;
}

// dim(cast(x)) -> dim(x)
bool
mlc_tensor_dim_of_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cast = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_tensor_cast_isa(cast))
        return false;
    return mlc_rewriter_replace_op(
        rw, op,
        mlc_tensor_dim(mlc_rewriter_builder(rw), mlc_op_operand(cast, 0), mlc_op_operand(op, 1)));
}

// dim of what an op wrote into a destination -> dim of the destination
bool
mlc_tensor_dim_of_destination(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *source = mlc_op_operand(op, 0);
    MlcOp *def = mlc_value_def(source);
    size_t first, count;
    if (!def || !mlc_op_destinations(def, &first, &count) || mlc_value_index(source) >= count)
        return false;
    mlc_op_set_operand(op, 0, mlc_op_operand(def, first + mlc_value_index(source)));
    mlc_rewriter_changed(rw, op);
    return true;
}

// dim(reshape(x, shape), i) -> shape[i]
bool
mlc_tensor_dim_of_reshape(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *reshape = mlc_value_def(mlc_op_operand(op, 0));
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType index = mlc_index_type_get(b->ctx);
    if (!mlc_tensor_reshape_isa(reshape))
        return false;
    MlcValue *dim = mlc_op_operand(op, 1),
             *size = mlc_tensor_extract(b, mlc_op_operand(reshape, 1), &dim, 1);
    if (mlc_value_type(size) != index)
        size = mlc_arith_index_cast(b, index, size);
    return mlc_rewriter_replace_op(rw, op, size);
}

// dim(empty(sizes)) -> the size
bool
mlc_tensor_dim_of_empty(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *empty = mlc_value_def(mlc_op_operand(op, 0));
    int64_t dim = dynamic_dim(op);
    size_t at = 0;
    if (dim < 0 || !mlc_tensor_empty_isa(empty))
        return false;
    for (int64_t i = 0; i < dim; i++)
        at += mlc_type_dim(mlc_op_operand_type(op, 0), (size_t)i) == MLC_DYNAMIC;
    return mlc_rewriter_replace_op(rw, op, mlc_op_operand(empty, at));
}

static MlcValue *
build_apply(MlcBuilder *b, MlcAffineExpr e, MlcValue *const *symbols, size_t n)
{
    return mlc_affine_apply(b, symbols, n, mlc_affine_map_get(b->ctx, 0, (unsigned)n, &e, 1));
}

static MlcValue *
build_dim(MlcBuilder *b, MlcValue *tensor, size_t dim)
{
    return mlc_tensor_dim(b, tensor, mlc_build_index(b, (int64_t)dim));
}

// dim(expand_shape(x)) -> dim(x) floordiv the other sizes of the group
bool
mlc_tensor_dim_of_expand(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *expand = mlc_value_def(mlc_op_operand(op, 0));
    MlcType type = mlc_op_operand_type(op, 0);
    MlcGroups groups;
    int64_t dim = dynamic_dim(op), rest = 1;
    if (dim < 0 || !mlc_tensor_expand_shape_isa(expand) ||
        !mlc_groups_read(mlc_tensor_expand_shape_reassociation(expand), &groups) ||
        groups.size == 0)
        return false;
    size_t g = 0;
    while (groups.ends[g] <= (size_t)dim)
        g++;
    for (size_t i = mlc_groups_first(&groups, g); i < groups.ends[g]; i++)
        if (i != (size_t)dim && mlc_type_dim(type, i) == MLC_DYNAMIC)
            return false;
        else if (i != (size_t)dim)
            rest *= mlc_type_dim(type, i);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *size = build_dim(b, mlc_op_operand(expand, 0), g);
    MlcAffineExpr e = mlc_affine_binary(MLC_AFFINE_FLOORDIV, mlc_affine_symbol(b->ctx, 0),
                                        mlc_affine_constant(b->ctx, rest));
    return mlc_rewriter_replace_op(rw, op, build_apply(b, e, &size, 1));
}

// dim(collapse_shape(x)) -> the product of the group's dims
bool
mlc_tensor_dim_of_collapse(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *collapse = mlc_value_def(mlc_op_operand(op, 0));
    MlcGroups groups;
    int64_t dim = dynamic_dim(op);
    if (dim < 0 || !mlc_tensor_collapse_shape_isa(collapse) ||
        !mlc_groups_read(mlc_tensor_collapse_shape_reassociation(collapse), &groups) ||
        (size_t)dim >= groups.size)
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *sizes[MLC_RANK_LIMIT];
    MlcAffineExpr product = NULL;
    size_t n = 0;
    for (size_t i = mlc_groups_first(&groups, (size_t)dim); i < groups.ends[dim]; i++, n++) {
        MlcAffineExpr symbol = mlc_affine_symbol(b->ctx, (unsigned)n);
        sizes[n] = build_dim(b, mlc_op_operand(collapse, 0), i);
        product = product ? mlc_affine_mul(product, symbol) : symbol;
    }
    return mlc_rewriter_replace_op(rw, op, build_apply(b, product, sizes, n));
}

// --- tensor.concat

// concat of one tensor -> a cast
bool
mlc_tensor_concat_of_one(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    return mlc_op_num_operands(op) == 1 && mlc_tensor_replace_cast(rw, op, mlc_op_operand(op, 0));
}

// --- reshapes

static MlcType
collapsed(MlcType source, const MlcGroups *groups, const int64_t *shape, size_t rank)
{
    (void)groups;
    return mlc_tensor_shaped_like(source, shape, rank);
}

const MlcReshapeOps mlc_tensor_reshapes = {.expand = &mlc_tensor_expand_shape_def,
                                           .collapse = &mlc_tensor_collapse_shape_def,
                                           .cast = &mlc_tensor_cast_def,
                                           .foldable_cast = mlc_tensor_foldable_cast,
                                           .collapsed = collapsed};

// A splat, or a tensor of given elements, is made in the new shape at once.
static bool
reshape_of_elements(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *source = mlc_value_def(mlc_op_operand(op, 0));
    bool is_splat = mlc_tensor_splat_isa(source);
    if ((!is_splat && !mlc_tensor_from_elements_isa(source)) ||
        !mlc_tensor_is_static(mlc_op_operand_type(op, 0)))
        return false;
    MlcValueVec elements = {0};
    MLC_FOR_EACH_OPERAND (value, source)
        mlc_vec_push(&elements, value);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType type = mlc_op_result_type(op, 0);
    MlcValue *made =
        is_splat ? mlc_tensor_splat(b, type, elements.data[0], elements.data + 1, elements.size - 1)
                 : mlc_tensor_from_elements(b, type, elements.data, elements.size);
    mlc_vec_release(&elements);
    return mlc_rewriter_replace_op(rw, op, made);
}

void
mlc_tensor_collapse_shape_patterns(MlcPatternSet *set)
{
    mlc_reshape_collapse_patterns(set, &mlc_tensor_reshapes);
    mlc_pattern_set_add_op(set, "tensor.collapse_shape", "tensor.collapse_shape: of elements",
                           reshape_of_elements);
}

void
mlc_tensor_expand_shape_patterns(MlcPatternSet *set)
{
    mlc_reshape_expand_patterns(set, &mlc_tensor_reshapes);
    mlc_pattern_set_add_op(set, "tensor.expand_shape", "tensor.expand_shape: of elements",
                           reshape_of_elements);
}
