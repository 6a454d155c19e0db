// vector_verify.c -- what records cannot say of ops between vectors: shapes, positions, offsets and
// masks that must fit each other.
#include "vector_impl.h"

// --- lists of offsets, sizes and strides

static bool
no_longer_than(MlcOp *op, MlcAttr list, MlcType type, const char *name)
{
    if (list_size(list) > mlc_type_rank(type))
        return mlc_op_error(op, "expected %s attribute of rank no greater than vector rank", name);
    return true;
}

static bool
confined_to_ones(MlcOp *op, MlcAttr list, const char *name)
{
    if (!list_is_all(list, 1))
        return mlc_op_error(op, "expected %s to be confined to [1, 2)", name);
    return true;
}

// min <= list[i] < shape[i] + extra
static bool
confined_to_shape(MlcOp *op, MlcAttr list, MlcType type, const char *name, int64_t min,
                  int64_t extra)
{
    for (size_t i = 0; i < list_size(list) && i < mlc_type_rank(type); i++) {
        int64_t max = mlc_type_dim(type, i) + extra;
        if (list_int(list, i) < min || list_int(list, i) >= max)
            return mlc_op_error(op, "expected %s dimension %zu to be confined to [%lld, %lld)",
                                name, i, (long long)min, (long long)max);
    }
    return true;
}

static bool
sum_confined(MlcOp *op, size_t i, int64_t offset, int64_t size, int64_t max, const char *names)
{
    int64_t sum;
    if (__builtin_add_overflow(offset, size, &sum) || sum < 0 || sum >= max + 1)
        return mlc_op_error(op, "expected sum(%s) dimension %zu to be confined to [1, %lld)", names,
                            i, (long long)max + 1);
    return true;
}

// --- elements and parts

static bool
verify_element_position(MlcOp *op, MlcType vector, bool has_position)
{
    if (mlc_type_rank(vector) == 0 && has_position)
        return mlc_op_error(op, "expected position to be empty with 0-D vector");
    if (mlc_type_rank(vector) > 1)
        return mlc_op_error(op, "unexpected >1 vector rank");
    if (mlc_type_rank(vector) == 1 && !has_position)
        return mlc_op_error(op, "expected position for 1-D vector");
    return true;
}

bool
mlc_vector_extractelement_verify(MlcOp *op)
{
    return verify_element_position(op, mlc_op_operand_type(op, 0), mlc_op_num_operands(op) > 1);
}

bool
mlc_vector_insertelement_verify(MlcOp *op)
{
    return verify_element_position(op, mlc_op_operand_type(op, 1), mlc_op_num_operands(op) > 2);
}

static bool
verify_position(MlcOp *op, MlcAttr position, MlcType vector, const char *which)
{
    for (size_t i = 0; i < list_size(position); i++) {
        int64_t at = list_int(position, i);
        if (at != MLC_DYNAMIC && (at < 0 || at >= mlc_type_dim(vector, i)))
            return mlc_op_error(op,
                                "expected position attribute #%zu to be a non-negative integer "
                                "smaller than the corresponding %svector dimension",
                                i + 1, which);
    }
    return true;
}

// Is `type` a vector of one `element`? It may stand for it.
static bool
is_one_of(MlcType type, MlcType element)
{
    return is_vector(type) && mlc_type_rank(type) == 1 && mlc_type_dim(type, 0) == 1 &&
           mlc_type_element(type) == element;
}

bool
mlc_vector_extract_verify(MlcOp *op)
{
    MlcAttr position = mlc_vector_extract_static_position(op);
    MlcType vector = mlc_op_operand_type(op, 0), have = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(vector), n = list_size(position), dynamic = 0;
    size_t used = n < rank ? n : rank;
    MlcType want = mlc_type_element(vector);
    if (n < rank && rank - used <= MLC_RANK_LIMIT)
        want = mlc_vector_type_slice(vector, used, rank - used, want);
    if (have != want && !is_one_of(have, want) && !is_one_of(want, have)) {
        mlc_op_error(op,
                     "inferred type(s) '%s' are incompatible with return type(s) of operation "
                     "'%s'",
                     mlc_type_text(want), mlc_type_text(have));
        return mlc_op_error(op, "failed to infer returned types");
    }
    for (size_t i = 0; i < n; i++)
        dynamic += list_int(position, i) == MLC_DYNAMIC;
    if (dynamic != mlc_op_num_operands(op) - 1)
        return mlc_op_error(
            op, "mismatch between dynamic and static positions (kDynamic marker but no "
                "corresponding dynamic position) -- this can only happen due to an incorrect "
                "fold/rewrite");
    if (n > rank)
        return mlc_op_error(op, "expected position attribute of rank no greater than vector rank");
    return verify_position(op, position, vector, "");
}

bool
mlc_vector_insert_verify(MlcOp *op)
{
    MlcAttr position = mlc_vector_insert_static_position(op);
    MlcType source = mlc_op_operand_type(op, 0), dest = mlc_op_operand_type(op, 1);
    size_t n = list_size(position), rank = mlc_type_rank(dest), dynamic = 0;
    for (size_t i = 0; i < n; i++)
        dynamic += list_int(position, i) == MLC_DYNAMIC;
    if (dynamic != mlc_op_num_operands(op) - 2)
        return mlc_op_error(
            op, "mismatch between dynamic and static positions (kDynamic marker but no "
                "corresponding dynamic position) -- this can only happen due to an incorrect "
                "fold/rewrite");
    if (n > rank)
        return mlc_op_error(op,
                            "expected position attribute of rank no greater than dest vector rank");
    if (is_vector(source) && mlc_type_rank(source) + n != rank)
        return mlc_op_error(
            op, "expected position attribute rank + source rank to match dest vector rank");
    if (!is_vector(source) && n != rank)
        return mlc_op_error(op, "expected position attribute rank to match the dest vector rank");
    return verify_position(op, position, dest, "dest ");
}

static bool
verify_scalable_slice(MlcOp *op, size_t i, int64_t size, int64_t dim)
{
    if (size != dim)
        return mlc_op_error(op,
                            "expected size at idx=%zu to match the corresponding base size from "
                            "the input vector (%lld vs %lld)",
                            i, (long long)size, (long long)dim);
    return true;
}

bool
mlc_vector_extract_strided_slice_verify(MlcOp *op)
{
    MlcType type = mlc_op_operand_type(op, 0);
    MlcAttr offsets = mlc_vector_extract_strided_slice_offsets(op),
            sizes = mlc_vector_extract_strided_slice_sizes(op),
            strides = mlc_vector_extract_strided_slice_strides(op);
    size_t n = list_size(offsets), rank = mlc_type_rank(type);
    if (n != list_size(sizes) || n != list_size(strides))
        return mlc_op_error(op, "expected offsets, sizes and strides attributes of same size");
    if (!no_longer_than(op, offsets, type, "offsets") ||
        !confined_to_shape(op, offsets, type, "offsets", 0, 0) ||
        !confined_to_shape(op, sizes, type, "sizes", 1, 1) ||
        !confined_to_ones(op, strides, "strides"))
        return false;
    int64_t shape[MLC_RANK_LIMIT];
    for (size_t i = 0; i < n; i++)
        if (!sum_confined(op, i, list_int(offsets, i), list_int(sizes, i), mlc_type_dim(type, i),
                          "offsets, sizes"))
            return false;
    for (size_t i = 0; i < rank && i < MLC_RANK_LIMIT; i++)
        shape[i] = i < n ? list_int(sizes, i) : mlc_type_dim(type, i);
    MlcType want = rank > MLC_RANK_LIMIT
                       ? mlc_op_result_type(op, 0)
                       : mlc_type_with_shape(type, shape, rank, mlc_type_element(type));
    if (mlc_op_result_type(op, 0) != want)
        return mlc_op_error(op, "expected result type to be '%s'", mlc_type_text(want));
    for (size_t i = 0; i < n; i++)
        if (mlc_vector_type_is_scalable(type, i) &&
            !verify_scalable_slice(op, i, list_int(sizes, i), mlc_type_dim(type, i)))
            return false;
    return true;
}

bool
mlc_vector_insert_strided_slice_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), dest = mlc_op_operand_type(op, 1);
    MlcAttr offsets = mlc_vector_insert_strided_slice_offsets(op),
            strides = mlc_vector_insert_strided_slice_strides(op);
    size_t source_rank = mlc_type_rank(source), rank = mlc_type_rank(dest);
    if (list_size(offsets) != rank)
        return mlc_op_error(op, "expected offsets of same size as destination vector rank");
    if (list_size(strides) != source_rank)
        return mlc_op_error(op, "expected strides of same size as source vector rank");
    if (source_rank > rank)
        return mlc_op_error(op, "expected source rank to be no greater than destination rank");
    if (!confined_to_shape(op, offsets, dest, "offsets", 0, 0) ||
        !confined_to_ones(op, strides, "strides"))
        return false;
    size_t skipped = rank - source_rank;
    for (size_t i = 0; i < rank; i++)
        if (!sum_confined(op, i, list_int(offsets, i),
                          i < skipped ? 0 : mlc_type_dim(source, i - skipped),
                          mlc_type_dim(dest, i), "offsets, source vector shape"))
            return false;
    for (size_t i = 0; i < source_rank; i++) {
        bool is_scalable = mlc_vector_type_is_scalable(source, i);
        if (is_scalable != mlc_vector_type_is_scalable(dest, i + skipped))
            return mlc_op_error(op, "mismatching scalable flags (at source vector idx=%zu)", i);
        if (is_scalable &&
            !verify_scalable_slice(op, i, mlc_type_dim(source, i), mlc_type_dim(dest, i + skipped)))
            return false;
    }
    return true;
}

static bool
verify_scalable_position(MlcOp *op, int64_t position, size_t whole, MlcType part, const char *name)
{
    MlcType type = mlc_op_operand_type(op, whole);
    if (!mlc_vector_type_has_scalable(type))
        return mlc_op_error(op, "operand #%zu must be  of ranks 1, but got '%s'", whole,
                            mlc_type_text(type));
    if (position % mlc_type_dim(part, 0) != 0)
        return mlc_op_error(op, "failed to verify that position is a multiple of the %s length.",
                            name);
    return true;
}

bool
mlc_vector_scalable_extract_verify(MlcOp *op)
{
    return verify_scalable_position(op, mlc_vector_scalable_extract_pos(op), 0,
                                    mlc_op_result_type(op, 0), "result");
}

bool
mlc_vector_scalable_insert_verify(MlcOp *op)
{
    return verify_scalable_position(op, mlc_vector_scalable_insert_pos(op), 1,
                                    mlc_op_operand_type(op, 0), "source");
}

// --- shapes

bool
mlc_vector_broadcast_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), dest = mlc_op_result_type(op, 0);
    if (mlc_type_is_int_or_index(source) || mlc_type_is_float(source))
        return true;
    if (!is_vector(source))
        return mlc_op_error(op, "source type is not a vector");
    size_t rank = mlc_type_rank(source), lead = mlc_type_rank(dest) - rank;
    if (rank > mlc_type_rank(dest))
        return mlc_op_error(op, "source rank higher than destination rank");
    for (size_t i = 0; i < rank; i++)
        if (mlc_type_dim(source, i) != 1 && mlc_type_dim(source, i) != mlc_type_dim(dest, lead + i))
            return mlc_op_error(op, "dimension mismatch (%lld vs. %lld)",
                                (long long)mlc_type_dim(source, i),
                                (long long)mlc_type_dim(dest, lead + i));
    return true;
}

bool
mlc_vector_shape_cast_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    if (mlc_type_element(from) != mlc_type_element(to))
        return mlc_op_error(op, "source/result vectors must have same element type");
    if (mlc_type_num_elements(from) != mlc_type_num_elements(to))
        return mlc_op_error(op, "source/result number of elements must match");
    if (mlc_type_rank(from) != mlc_type_rank(to) && !mlc_vector_is_regrouped(from, to))
        return mlc_op_error(op, "invalid shape cast");
    return true;
}

static int64_t
element_bits(MlcType type)
{
    return mlc_type_is_int_or_index(type) || mlc_type_is_float(type)
               ? (int64_t)mlc_type_bit_width(type)
               : 0;
}

bool
mlc_vector_bitcast_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(from);
    for (size_t i = 0; i + 1 < rank; i++)
        if (mlc_type_dim(from, i) != mlc_type_dim(to, i))
            return mlc_op_error(op, "dimension size mismatch at: %zu", i);
    int64_t from_bits = element_bits(mlc_type_element(from)),
            to_bits = element_bits(mlc_type_element(to));
    if (rank == 0 && from_bits != to_bits)
        return mlc_op_error(op,
                            "source/result bitwidth of the 0-D vector element types must be equal");
    if (rank > 0 &&
        from_bits * mlc_type_dim(from, rank - 1) != to_bits * mlc_type_dim(to, rank - 1))
        return mlc_op_error(op, "source/result bitwidth of the minor 1-D vectors must be equal");
    return true;
}

bool
mlc_vector_transpose_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    MlcAttr permutation = mlc_vector_transpose_permutation(op);
    size_t rank = mlc_type_rank(from), n = list_size(permutation);
    if (rank != mlc_type_rank(to))
        return mlc_op_error(op, "vector result rank mismatch: %zu", mlc_type_rank(to));
    if (n != rank)
        return mlc_op_error(op, "transposition length mismatch: %zu", n);
    for (size_t i = 0; i < n; i++) {
        int64_t at = list_int(permutation, i);
        if (at < 0 || at >= (int64_t)rank)
            return mlc_op_error(op, "transposition index out of range: %lld", (long long)at);
        for (size_t k = 0; k < i; k++)
            if (list_int(permutation, k) == at)
                return mlc_op_error(op, "duplicate position index: %lld", (long long)at);
        if (mlc_type_dim(to, i) != mlc_type_dim(from, (size_t)at))
            return mlc_op_error(op, "dimension size mismatch at: %lld", (long long)at);
    }
    return true;
}

bool
mlc_vector_shuffle_verify(MlcOp *op)
{
    MlcType a = mlc_op_operand_type(op, 0), b = mlc_op_operand_type(op, 1),
            result = mlc_op_result_type(op, 0);
    MlcAttr mask = mlc_vector_shuffle_mask(op);
    size_t rank_a = mlc_type_rank(a), rank_b = mlc_type_rank(b), rank = mlc_type_rank(result);
    bool of_scalars = rank_a == 0 && rank_b == 0 && rank == 1;
    if (!of_scalars && (rank_a != rank || rank_b != rank))
        return mlc_op_error(op, "rank mismatch");
    for (size_t i = 1; i < rank_a; i++)
        if (mlc_type_dim(a, i) != mlc_type_dim(result, i) ||
            mlc_type_dim(a, i) != mlc_type_dim(b, i))
            return mlc_op_error(op, "dimension mismatch");
    if (list_size(mask) == 0)
        return mlc_op_error(op, "invalid mask length");
    if ((int64_t)list_size(mask) != mlc_type_dim(result, 0))
        return mlc_op_error(op, "mask length mismatch");
    int64_t lanes = (rank_a ? mlc_type_dim(a, 0) : 1) + (rank_b ? mlc_type_dim(b, 0) : 1);
    for (size_t i = 0; i < list_size(mask); i++)
        if (list_int(mask, i) < 0 || list_int(mask, i) >= lanes)
            return mlc_op_error(op, "mask index #%zu out of range", i + 1);
    return true;
}

bool
mlc_vector_deinterleave_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(from);
    int64_t width = mlc_type_dim(from, rank - 1);
    if (width % 2 != 0)
        return mlc_op_error(op, "failed to verify that the trailing dimension of the source vector "
                                "has an even number of elements");
    bool fits = mlc_type_rank(to) == rank && mlc_type_dim(to, rank - 1) * 2 == width;
    if (!fits || mlc_type_element(from) != mlc_type_element(to) ||
        mlc_vector_type_is_scalable(from, rank - 1) != mlc_vector_type_is_scalable(to, rank - 1))
        return mlc_op_error(op, "failed to verify that the trailing dimension of the results is "
                                "half the width of source trailing dimension");
    return true;
}

bool
mlc_vector_interleave_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(from);
    bool fits =
        mlc_type_element(from) == mlc_type_element(to) && mlc_type_rank(to) == (rank ? rank : 1);
    for (size_t i = 0; fits && i < mlc_type_rank(to); i++) {
        int64_t dim = rank ? mlc_type_dim(from, i) : 1;
        fits = mlc_type_dim(to, i) == (i + 1 == mlc_type_rank(to) ? 2 * dim : dim) &&
               mlc_vector_type_is_scalable(to, i) ==
                   (rank > 0 && mlc_vector_type_is_scalable(from, i));
    }
    if (!fits)
        return mlc_op_error(
            op, "failed to verify that type of 'result' is double the width of the inputs");
    return true;
}

static bool
product_of(MlcOp *op, size_t group, int64_t *product)
{
    size_t first, count;
    int64_t size;
    mlc_op_operand_group(op, group, &first, &count);
    *product = 1;
    for (size_t i = 0; i < count; i++)
        if (!mlc_value_constant_int(mlc_op_operand(op, first + i), &size) ||
            __builtin_mul_overflow(*product, size, product))
            return false;
    return true;
}

static bool
verify_reshape_side(MlcOp *op, MlcType type, size_t group, const char *side)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcAttr fixed = mlc_vector_reshape_fixed_vector_sizes(op);
    size_t first, count, n = list_size(fixed), rank = mlc_type_rank(type);
    mlc_op_operand_group(op, group, &first, &count);
    if (rank != count + n)
        return mlc_error(ctx, mlc_op_loc(op), "invalid %s shape for vector type '%s'", side,
                         mlc_type_text(type));
    return true;
}

static bool
verify_reshape_suffix(MlcOp *op, MlcType type, const char *side)
{
    MlcAttr fixed = mlc_vector_reshape_fixed_vector_sizes(op);
    size_t n = list_size(fixed), rank = mlc_type_rank(type);
    for (size_t i = 0; i < n; i++)
        if (list_int(fixed, i) != mlc_type_dim(type, rank - n + i))
            return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                             "fixed vector size must match %s vector for dim %zu", side, i);
    return true;
}

bool
mlc_vector_reshape_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    int64_t num_from, num_to;
    if (!verify_reshape_side(op, from, 1, "input") || !verify_reshape_side(op, to, 2, "output") ||
        !verify_reshape_suffix(op, from, "input") || !verify_reshape_suffix(op, to, "output"))
        return false;
    if (product_of(op, 1, &num_from) && product_of(op, 2, &num_to) && num_from != num_to)
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "product of input and output shape sizes must match");
    return true;
}

// --- masks

bool
mlc_vector_constant_mask_verify(MlcOp *op)
{
    MlcType type = mlc_op_result_type(op, 0);
    MlcAttr sizes = mlc_vector_constant_mask_mask_dim_sizes(op);
    size_t n = list_size(sizes), num_zeros = 0;
    MlcContext *ctx = mlc_op_context(op);
    if (mlc_type_rank(type) == 0) {
        if (n != 1)
            return mlc_error(ctx, mlc_op_loc(op), "array attr must have length 1 for 0-D vectors");
        if (list_int(sizes, 0) != 0 && list_int(sizes, 0) != 1)
            return mlc_error(ctx, mlc_op_loc(op),
                             "mask dim size must be either 0 or 1 for 0-D vectors");
        return true;
    }
    if (n != mlc_type_rank(type))
        return mlc_op_error(op, "must specify array attr of size equal vector result rank");
    for (size_t i = 0; i < n; i++) {
        int64_t size = list_int(sizes, i);
        if (size < 0 || size > mlc_type_dim(type, i))
            return mlc_op_error(op,
                                "array attr of size out of bounds of vector result dimension size");
        if (mlc_vector_type_is_scalable(type, i) && size != 0 && size != mlc_type_dim(type, i))
            return mlc_op_error(op, "only supports 'none set' or 'all set' scalable dimensions");
        num_zeros += size == 0;
    }
    if (num_zeros > 0 && num_zeros < n)
        return mlc_op_error(op, "expected all mask dim sizes to be zeros, as a result of "
                                "conjunction with zero mask dim");
    return true;
}
