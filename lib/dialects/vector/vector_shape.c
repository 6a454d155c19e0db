// vector_shape.c -- ops that only rearrange: broadcast, splat, shape_cast, bitcast, transpose,
// shuffle, from_elements. Of each other, of constants and of masks.
#include "vector_impl.h"

// --- broadcast, splat, from_elements

bool
mlc_vector_broadcast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_op_result_type(op, 0);
    if (mlc_op_operand_type(op, 0) == type)
        return to_value(results, mlc_op_operand(op, 0));
    if (is_number(constants[0]))
        return mlc_type_element(type) == mlc_attr_type(constants[0]) &&
               to_attr(results, mlc_dense_attr_splat(type, constants[0]));
    return is_splat(constants[0]) &&
           to_attr(results, mlc_dense_attr_splat(type, mlc_elements_attr_element(constants[0], 0)));
}

bool
mlc_vector_splat_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_number(constants[0]) &&
           to_attr(results, mlc_dense_attr_splat(mlc_op_result_type(op, 0), constants[0]));
}
// from_elements(x, x, ...) -> splat(x)
bool
mlc_vector_elements_to_splat(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *first = mlc_op_num_operands(op) ? mlc_op_operand(op, 0) : NULL;
    MLC_FOR_EACH_OPERAND (value, op)
        if (value != first)
            return false;
    if (!first)
        return false;
    return mlc_rewriter_replace_op(
        rw, op, mlc_vector_splat(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), first));
}

// --- shape_cast, bitcast

// shape_cast(shape_cast(x)) -> x or shape_cast(x); shape_cast(broadcast(x)) -> x
bool
mlc_vector_shape_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType type = mlc_op_result_type(op, 0);
    MlcOp *inner = operand_def(op, 0);
    if (mlc_op_operand_type(op, 0) == type)
        return to_value(results, mlc_op_operand(op, 0));
    if ((mlc_vector_shape_cast_isa(inner) || mlc_vector_broadcast_isa(inner)) &&
        mlc_op_operand_type(inner, 0) == type)
        return to_value(results, mlc_op_operand(inner, 0));
    if (!mlc_vector_shape_cast_isa(inner))
        return false;
    MlcType from = mlc_op_operand_type(inner, 0);
    if (mlc_type_rank(from) == mlc_type_rank(type) || !mlc_vector_is_regrouped(from, type))
        return false;
    mlc_op_set_operand(op, 0, mlc_op_operand(inner, 0));
    return true;
}

// How many trailing `1`s (not `[1]`s) a cast drops, nothing else changed; 0 if it does anything
// else. One dimension always stays.
static size_t
num_dropped_ones(MlcType from, MlcType to)
{
    size_t kept = mlc_type_rank(from);
    while (kept > 1 && mlc_type_dim(from, kept - 1) == 1 &&
           !mlc_vector_type_is_scalable(from, kept - 1))
        --kept;
    if (kept != mlc_type_rank(to))
        return 0;
    for (size_t i = 0; i < kept; i++)
        if (!same_dim(from, i, to, i))
            return 0;
    return mlc_type_rank(from) - kept;
}

// shape_cast(create_mask(.., 1)) -> create_mask(..), of a constant_mask too
bool
mlc_vector_cast_mask(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *mask = operand_def(op, 0);
    bool is_constant = mlc_vector_constant_mask_isa(mask);
    size_t dropped = num_dropped_ones(mlc_op_operand_type(op, 0), mlc_op_result_type(op, 0));
    if ((!is_constant && !mlc_vector_create_mask_isa(mask)) || dropped == 0)
        return false;
    int64_t sizes[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(mlc_op_operand_type(op, 0));
    if (rank > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < rank; i++) {
        if (is_constant)
            sizes[i] = list_int(mlc_vector_constant_mask_mask_dim_sizes(mask), i);
        else if (!mlc_value_constant_int(mlc_op_operand(mask, i), &sizes[i]))
            sizes[i] = -1;
        if (i >= rank - dropped && sizes[i] != 1)
            return false;
    }
    if (is_constant)
        return mlc_vector_replace_by_mask(rw, op, sizes, rank - dropped);
    MlcValueVec rest = {0};
    for (size_t i = 0; i < rank - dropped; i++)
        mlc_vec_push(&rest, mlc_op_operand(mask, i));
    mlc_rewriter_replace_op(rw, op,
                            mlc_vector_create_mask(mlc_rewriter_builder(rw),
                                                   mlc_op_result_type(op, 0), rest.data,
                                                   rest.size));
    mlc_vec_release(&rest);
    return true;
}

// shape_cast(broadcast(x)) -> broadcast(x) where x's shape ends the result's, shape_cast(x) where
// there are as many elements
bool
mlc_vector_cast_broadcast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *broadcast = operand_def(op, 0);
    if (!mlc_vector_broadcast_isa(broadcast))
        return false;
    MlcValue *source = mlc_op_operand(broadcast, 0);
    MlcType from = mlc_value_type(source), to = mlc_op_result_type(op, 0);
    size_t rank = rank_of(from), to_rank = mlc_type_rank(to);
    bool is_suffix = rank <= to_rank;
    for (size_t i = 0; is_suffix && i < rank; i++)
        is_suffix = mlc_type_dim(from, i) == mlc_type_dim(to, to_rank - rank + i);
    if (!is_suffix &&
        (!is_vector(from) || mlc_type_num_elements(from) != mlc_type_num_elements(to)))
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    return mlc_rewriter_replace_op(rw, op,
                                   is_suffix ? mlc_vector_broadcast(b, to, source)
                                             : mlc_vector_shape_cast(b, to, source));
}

// A splat of integers as wider ones, or of f16 as f32: the bits repeated.
static MlcAttr
bitcast_splat(MlcAttr constant, MlcType type)
{
    MlcType from = mlc_type_element(mlc_attr_type(constant)), to = mlc_type_element(type);
    bool halves = mlc_type_is(from, MLC_TYPE_FLOAT) && mlc_type_is(to, MLC_TYPE_FLOAT) &&
                  mlc_float_type_kind(from) == MLC_FLOAT_F16 &&
                  mlc_float_type_kind(to) == MLC_FLOAT_F32;
    MlcAttr element = mlc_elements_attr_element(constant, 0);
    if (halves) {
        uint64_t low, high;
        mlc_float_attr_bits(element, &low, &high);
        return mlc_dense_attr_splat(type, mlc_float_attr_get_bits(to, low << 16 | low, 0));
    }
    if (!mlc_type_is(from, MLC_TYPE_INTEGER) || !mlc_type_is(to, MLC_TYPE_INTEGER))
        return NULL;
    unsigned narrow = mlc_integer_type_width(from), wide = mlc_integer_type_width(to);
    int64_t value;
    if (wide <= narrow || wide % narrow != 0 || wide > 64 || !mlc_attr_try_as_int(element, &value))
        return NULL;
    uint64_t bits = (uint64_t)value & ((UINT64_C(1) << narrow) - 1), all = 0;
    for (unsigned i = 0; i < wide / narrow; i++)
        all = all << narrow | bits;
    return mlc_dense_attr_splat(type, mlc_integer_attr_get(to, (int64_t)all));
}

// bitcast(bitcast(x)) -> x or bitcast(x)
bool
mlc_vector_bitcast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_op_result_type(op, 0);
    MlcOp *inner = operand_def(op, 0);
    if (mlc_op_operand_type(op, 0) == type)
        return to_value(results, mlc_op_operand(op, 0));
    if (mlc_vector_bitcast_isa(inner)) {
        if (mlc_op_operand_type(inner, 0) == type)
            return to_value(results, mlc_op_operand(inner, 0));
        mlc_op_set_operand(op, 0, mlc_op_operand(inner, 0));
        return true;
    }
    return is_splat(constants[0]) && to_attr(results, bitcast_splat(constants[0], type));
}

// --- transpose

bool
mlc_vector_transpose_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcAttr permutation = mlc_vector_transpose_permutation(op);
    if (is_splat(constants[0]))
        return to_attr(results, mlc_dense_attr_splat(mlc_op_result_type(op, 0),
                                                     mlc_elements_attr_element(constants[0], 0)));
    for (size_t i = 0; i < list_size(permutation); i++)
        if (list_int(permutation, i) != (int64_t)i)
            return false;
    return to_value(results, mlc_op_operand(op, 0));
}

// transpose(create_mask(a, b), [1, 0]) -> create_mask(b, a)
bool
mlc_vector_transpose_mask(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *mask = operand_def(op, 0);
    MlcAttr permutation = mlc_vector_transpose_permutation(op);
    size_t rank = list_size(permutation);
    int64_t sizes[MLC_RANK_LIMIT];
    MlcValue *values[MLC_RANK_LIMIT];
    bool is_constant = mlc_vector_constant_mask_isa(mask);
    if (rank == 0 || rank > MLC_RANK_LIMIT || (!is_constant && !mlc_vector_create_mask_isa(mask)))
        return false;
    for (size_t i = 0; i < rank; i++) {
        size_t from = (size_t)list_int(permutation, i);
        if (is_constant)
            sizes[i] = list_int(mlc_vector_constant_mask_mask_dim_sizes(mask), from);
        else
            values[i] = mlc_op_operand(mask, from);
    }
    return is_constant ? mlc_vector_replace_by_mask(rw, op, sizes, rank)
                       : mlc_rewriter_replace_op(rw, op,
                                                 mlc_vector_create_mask(mlc_rewriter_builder(rw),
                                                                        mlc_op_result_type(op, 0),
                                                                        values, rank));
}

// transpose(broadcast of one element) -> broadcast
bool
mlc_vector_transpose_broadcast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *broadcast = operand_def(op, 0);
    if (!mlc_vector_broadcast_isa(broadcast))
        return false;
    MlcValue *source = mlc_op_operand(broadcast, 0);
    MlcType from = mlc_value_type(source);
    if (is_vector(from) && mlc_type_num_elements(from) != 1)
        return false;
    return mlc_rewriter_replace_op(
        rw, op, mlc_vector_broadcast(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), source));
}

// transpose(transpose(x, p), q) -> transpose(x, p o q)
bool
mlc_vector_transpose_transpose(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = operand_def(op, 0);
    MlcAttr outer_list = mlc_vector_transpose_permutation(op);
    size_t rank = list_size(outer_list);
    int64_t both[MLC_RANK_LIMIT];
    if (!mlc_vector_transpose_isa(inner) || rank > MLC_RANK_LIMIT)
        return false;
    MlcAttr inner_list = mlc_vector_transpose_permutation(inner);
    for (size_t i = 0; i < rank; i++)
        both[i] = list_int(inner_list, (size_t)list_int(outer_list, i));
    return mlc_rewriter_replace_op(rw, op,
                                   mlc_vector_transpose(mlc_rewriter_builder(rw),
                                                        mlc_op_result_type(op, 0),
                                                        mlc_op_operand(inner, 0), both, rank));
}

// --- shuffle

static bool
counts_up(MlcAttr mask, int64_t first, int64_t n)
{
    if ((int64_t)list_size(mask) != n)
        return false;
    for (size_t i = 0; i < list_size(mask); i++)
        if (list_int(mask, i) != first + (int64_t)i)
            return false;
    return true;
}

// shuffle(a, b, [0, 1, ...]) -> a; all of b likewise; of constants their lanes
bool
mlc_vector_shuffle_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType a = mlc_op_operand_type(op, 0), b = mlc_op_operand_type(op, 1);
    MlcAttr mask = mlc_vector_shuffle_mask(op);
    if (mlc_type_rank(a) == 0 || mlc_type_rank(b) == 0)
        return false;
    int64_t width = mlc_type_dim(a, 0);
    if (counts_up(mask, 0, width))
        return to_value(results, mlc_op_operand(op, 0));
    if (counts_up(mask, width, mlc_type_dim(b, 0)))
        return to_value(results, mlc_op_operand(op, 1));
    if (!mlc_attr_is(constants[0], MLC_ATTR_DENSE) || !mlc_attr_is(constants[1], MLC_ATTR_DENSE) ||
        mlc_type_rank(a) != 1)
        return false;
    MLC_VEC(MlcAttr) lanes = {0};
    for (size_t i = 0; i < list_size(mask); i++) {
        int64_t at = list_int(mask, i);
        mlc_vec_push(&lanes, at < width
                                 ? mlc_elements_attr_element(constants[0], (size_t)at)
                                 : mlc_elements_attr_element(constants[1], (size_t)(at - width)));
    }
    MlcAttr folded =
        mlc_dense_attr_from_elements(mlc_op_result_type(op, 0), lanes.data, lanes.size);
    mlc_vec_release(&lanes);
    return to_attr(results, folded);
}

bool
mlc_vector_shuffle_scalars(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr mask = mlc_vector_shuffle_mask(op);
    if (mlc_type_rank(mlc_op_operand_type(op, 0)) > 0 || list_size(mask) != 1)
        return false;
    MlcValue *source = mlc_op_operand(op, list_int(mask, 0) != 0);
    return mlc_rewriter_replace_op(
        rw, op, mlc_vector_broadcast(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), source));
}

// shuffle(a, b, [0, n, 1, n + 1, ...]) -> interleave(a, b)
bool
mlc_vector_shuffle_to_interleave(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr mask = mlc_vector_shuffle_mask(op);
    MlcType type = mlc_op_operand_type(op, 0);
    size_t half = list_size(mask) / 2;
    if (mlc_type_rank(mlc_op_result_type(op, 0)) != 1 || type != mlc_op_operand_type(op, 1) ||
        list_size(mask) % 2 != 0 || (size_t)mlc_type_num_elements(type) != half)
        return false;
    for (size_t i = 0; i < half; i++)
        if (list_int(mask, 2 * i) != (int64_t)i || list_int(mask, 2 * i + 1) != (int64_t)(half + i))
            return false;
    return mlc_rewriter_replace_op(
        rw, op,
        mlc_vector_interleave(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0),
                              mlc_op_operand(op, 0), mlc_op_operand(op, 1)));
}
