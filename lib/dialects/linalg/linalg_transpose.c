// linalg_transpose.c -- transposes of transposes and of broadcasts, and those that move nothing.
#include "linalg_impl.h"
#include "mlc/dialects/tensor.h"

bool
mlc_linalg_transpose_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcAttr permutation = mlc_linalg_transpose_permutation(op);
    for (size_t i = 0; i < mlc_dense_array_attr_size(permutation); i++)
        if (mlc_dense_array_attr_int(permutation, i) != (int64_t)i)
            return false;
    if (!is_tensor(mlc_op_operand_type(op, 0)) ||
        mlc_op_operand_type(op, 0) != mlc_op_operand_type(op, 1))
        return false;
    results->value = mlc_op_operand(op, 0);
    return true;
}

static MlcOp *
build_transpose(MlcBuilder *b, MlcValue *x, MlcValue *dest, const int64_t *permutation, size_t rank)
{
    MlcType type = mlc_value_type(dest);
    return mlc_linalg_yield_input(
        mlc_linalg_transpose(b, &type, is_tensor(type), x, dest, permutation, rank));
}

// transpose(transpose(x, p), q) -> transpose(x, p o q)
bool
mlc_linalg_transpose_transpose(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = operand_def(op, 0);
    MlcAttr outer_list = mlc_linalg_transpose_permutation(op);
    size_t rank = mlc_dense_array_attr_size(outer_list);
    int64_t both[MLC_RANK_LIMIT];
    if (!mlc_linalg_transpose_isa(inner) || rank > MLC_RANK_LIMIT)
        return false;
    MlcAttr inner_list = mlc_linalg_transpose_permutation(inner);
    for (size_t i = 0; i < rank; i++)
        both[i] =
            mlc_dense_array_attr_int(inner_list, (size_t)mlc_dense_array_attr_int(outer_list, i));
    mlc_rewriter_replace_with(rw, op,
                              build_transpose(mlc_rewriter_builder(rw), mlc_op_operand(inner, 0),
                                              mlc_op_operand(op, 1), both, rank));
    return true;
}

// The permutation of the dimensions that are not new.
static size_t
permutation_of_old(MlcAttr permutation, MlcAttr added, int64_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < mlc_dense_array_attr_size(permutation); i++) {
        int64_t dim = mlc_dense_array_attr_int(permutation, i), before = 0;
        if (mlc_int_list_attr_has(added, dim))
            continue;
        for (size_t k = 0; k < mlc_dense_array_attr_size(added); k++)
            before += mlc_dense_array_attr_int(added, k) < dim;
        out[n++] = dim - before;
    }
    return n;
}

// An empty tensor of x's dimensions in another order.
static MlcValue *
empty_permuted(MlcBuilder *b, MlcValue *x, const int64_t *permutation, size_t rank)
{
    MlcType type = mlc_value_type(x);
    MlcMixed dims[MLC_RANK_LIMIT];
    int64_t shape[MLC_RANK_LIMIT];
    MlcValueVec dynamic = {0};
    for (size_t i = 0; i < rank; i++)
        dims[i] = mlc_mixed_dim(b, x, i);
    for (size_t i = 0; i < rank; i++) {
        MlcMixed dim = dims[permutation[i]];
        shape[i] = mlc_mixed_static(dim);
        if (dim.value)
            mlc_vec_push(&dynamic, dim.value);
    }
    MlcValue *empty =
        mlc_tensor_empty(b, mlc_tensor_type_get(mlc_type_element(type), shape, rank, NULL),
                         dynamic.data, dynamic.size);
    mlc_vec_release(&dynamic);
    return empty;
}

// transpose(broadcast(x)) -> broadcast(transpose(x)), which moves less
bool
mlc_linalg_transpose_broadcast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *broadcast = operand_def(op, 0);
    if (!mlc_linalg_broadcast_isa(broadcast) || !mlc_value_has_one_use(mlc_op_operand(op, 0)))
        return false;
    MlcAttr permutation = mlc_linalg_transpose_permutation(op),
            added = mlc_linalg_broadcast_dimensions(broadcast);
    size_t rank = mlc_dense_array_attr_size(permutation),
           num_added = mlc_dense_array_attr_size(added);
    int64_t old[MLC_RANK_LIMIT], dims[MLC_RANK_LIMIT];
    if (rank > MLC_RANK_LIMIT || !is_tensor(mlc_op_operand_type(broadcast, 0)))
        return false;
    size_t num_old = permutation_of_old(permutation, added, old);
    for (size_t i = 0; i < num_added; i++)
        for (size_t k = 0; k < rank; k++)
            if (mlc_dense_array_attr_int(permutation, k) == mlc_dense_array_attr_int(added, i))
                dims[i] = (int64_t)k;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *x = mlc_op_operand(broadcast, 0);
    MlcOp *inner = build_transpose(b, x, empty_permuted(b, x, old, num_old), old, num_old);
    MlcValue *dest = mlc_op_operand(op, 1);
    MlcType type = mlc_value_type(dest);
    MlcOp *made = mlc_linalg_broadcast(b, &type, is_tensor(type), mlc_op_result(inner, 0), dest,
                                       dims, num_added);
    mlc_rewriter_replace_with(rw, op, mlc_linalg_yield_input(made));
    return true;
}
