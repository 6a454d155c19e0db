// memref_views.c -- verification and result types of ops that see a buffer in another way.
#include "mlc/dialects/memref.h"

#include "mlc/ir.h"

#include "memref_impl.h"

// As mlc_op_error, without the "'name' op" in front.
#define ERROR_AT(op, ...) mlc_error(mlc_op_context(op), mlc_op_loc(op), __VA_ARGS__)

static bool
verify_same_space(MlcOp *op, const char *what, MlcType from, const char *into, MlcType to)
{
    if (mlc_memref_type_memory_space(from) == mlc_memref_type_memory_space(to))
        return true;
    return ERROR_AT(op, "different memory spaces specified for %s '%s' and %s '%s'", what,
                    mlc_type_text(from), into, mlc_type_text(to));
}

bool
mlc_memref_view_verify(MlcOp *op)
{
    MlcType base = mlc_op_operand_type(op, 0), view = mlc_op_result_type(op, 0);
    if (mlc_memref_type_layout(base))
        return ERROR_AT(op, "unsupported map for base memref type '%s'", mlc_type_text(base));
    if (mlc_memref_type_layout(view))
        return ERROR_AT(op, "unsupported map for result memref type '%s'", mlc_type_text(view));
    if (!verify_same_space(op, "base memref type", base, "view memref type", view))
        return false;
    if (mlc_memref_view_num_sizes(op) != mlc_type_num_dynamic_dims(view))
        return ERROR_AT(op, "incorrect number of size operands for type '%s'", mlc_type_text(view));
    return true;
}

bool
mlc_memref_reshape_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0),
            shape = mlc_op_operand_type(op, 1);
    if (mlc_type_element(source) != mlc_type_element(result))
        return mlc_op_error(
            op, "element types of source and destination memref types should be the same");
    if (mlc_type_has_rank(source) && mlc_memref_type_layout(source))
        return mlc_op_error(op, "source memref type should have identity affine map");
    if (!mlc_type_has_rank(result))
        return true;
    if (mlc_memref_type_layout(result))
        return mlc_op_error(op, "result memref type should have identity affine map");
    if (mlc_type_dim(shape, 0) == MLC_DYNAMIC)
        return mlc_op_error(op, "cannot use shape operand with dynamic length to reshape to "
                                "statically-ranked memref type");
    if (mlc_type_dim(shape, 0) != (int64_t)mlc_type_rank(result))
        return mlc_op_error(op, "length of shape operand differs from the result's memref rank");
    return true;
}

// --- reinterpret_cast

static bool
contradict(int64_t a, int64_t b)
{
    return a != b && a != MLC_DYNAMIC && b != MLC_DYNAMIC;
}

static bool
verify_entry(MlcOp *op, const char *what, int64_t expected, int64_t have, size_t dim)
{
    return !contradict(expected, have) ||
           ERROR_AT(op, "expected result type with %s = %lld instead of %lld in dim = %zu", what,
                    (long long)expected, (long long)have, dim);
}

bool
mlc_memref_reinterpret_cast_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    MlcAttr offsets = mlc_memref_reinterpret_cast_static_offsets(op),
            sizes = mlc_memref_reinterpret_cast_static_sizes(op),
            lists = mlc_memref_reinterpret_cast_static_strides(op);
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(result);
    if (rank > MLC_RANK_LIMIT || !mlc_slice_verify(op, 1, rank) ||
        !verify_same_space(op, "source type", source, "result memref type", result))
        return false;
    if (mlc_type_element(source) != mlc_type_element(result))
        return ERROR_AT(
            op,
            "different element types specified for source type '%s' and result memref type '%s'",
            mlc_type_text(source), mlc_type_text(result));
    for (size_t i = 0; i < rank; i++)
        if (!verify_entry(op, "size", mlc_dense_array_attr_int(sizes, i), mlc_type_dim(result, i),
                          i))
            return false;
    if (!mlc_memref_type_strides(result, &offset, strides))
        return ERROR_AT(op, "expected result type to have strided layout but found '%s'",
                        mlc_type_text(result));
    if (contradict(mlc_dense_array_attr_int(offsets, 0), offset))
        return ERROR_AT(op, "expected result type with offset = %lld instead of %lld",
                        (long long)mlc_dense_array_attr_int(offsets, 0), (long long)offset);
    for (size_t i = 0; i < rank; i++)
        if (!verify_entry(op, "stride", mlc_dense_array_attr_int(lists, i), strides[i], i))
            return false;
    return true;
}

// --- subview

// Those of size 1, or, if there are more of them than ranks lost, those whose strides are gone.
bool
mlc_memref_dropped_dims(MlcType type, MlcType reduced, const MlcMixedList *sizes, bool *dropped)
{
    size_t rank = mlc_type_rank(type), kept = mlc_type_rank(reduced), num_dropped = 0;
    int64_t strides[MLC_RANK_LIMIT], reduced_strides[MLC_RANK_LIMIT], offset;
    memset(dropped, 0, rank * sizeof *dropped);
    if (rank == kept)
        return true;
    for (size_t i = 0; i < rank; i++)
        num_dropped += dropped[i] = !sizes->items[i].value && sizes->items[i].constant == 1;
    if (num_dropped + kept == rank)
        return true;
    if (!mlc_memref_type_strides(type, &offset, strides) ||
        !mlc_memref_type_strides(reduced, &offset, reduced_strides))
        return false;
    bool gone[MLC_RANK_LIMIT] = {false};
    for (size_t i = 0; i < rank; i++) {
        size_t have = 0, want = 0;
        for (size_t k = 0; k < rank; k++)
            have += strides[k] == strides[i] && !gone[k];
        for (size_t k = 0; k < kept; k++)
            want += reduced_strides[k] == strides[i];
        if (!dropped[i])
            continue;
        if (have < want)
            return false;
        gone[i] = have > want;
        num_dropped -= dropped[i] && !gone[i];
        dropped[i] = gone[i];
    }
    return num_dropped + kept == rank;
}

static bool
same_layout(MlcType expected, MlcType type, const MlcMixedList *sizes)
{
    int64_t strides[2][MLC_RANK_LIMIT], offsets[2];
    bool dropped[MLC_RANK_LIMIT];
    size_t k = 0;
    if (!mlc_memref_type_strides(expected, &offsets[0], strides[0]) ||
        !mlc_memref_type_strides(type, &offsets[1], strides[1]) || offsets[0] != offsets[1] ||
        !mlc_memref_dropped_dims(expected, type, sizes, dropped))
        return false;
    for (size_t i = 0; i < mlc_type_rank(expected); i++)
        if (!dropped[i] && strides[0][i] != strides[1][k++])
            return false;
    return true;
}

static bool
verify_subview_type(MlcOp *op, MlcType expected, MlcType type, const MlcMixedList *sizes)
{
    static const char format[] =
        "expected result type to be '%s' or a rank-reduced version. (mismatch of result %s) ";
    bool dropped[MLC_RANK_LIMIT];
    if (mlc_type_rank(type) > mlc_type_rank(expected))
        return ERROR_AT(op, "expected result rank to be smaller or equal to the source rank. ");
    if (!mlc_shape_dropped_dims(mlc_type_shape(expected), mlc_type_rank(expected),
                                mlc_type_shape(type), mlc_type_rank(type), dropped))
        return ERROR_AT(op, format, mlc_type_text(expected), "sizes");
    if (mlc_type_element(type) != mlc_type_element(expected))
        return ERROR_AT(op, "expected result element type to be '%s'",
                        mlc_type_text(mlc_type_element(expected)));
    return same_layout(expected, type, sizes) ||
           ERROR_AT(op, format, mlc_type_text(expected), "layout");
}

MlcType
mlc_memref_slice_type(MlcType source, const MlcSlice *slice)
{
    int64_t offsets[MLC_RANK_LIMIT], sizes[MLC_RANK_LIMIT], strides[MLC_RANK_LIMIT];
    mlc_mixed_list_static(&slice->offsets, offsets);
    mlc_mixed_list_static(&slice->sizes, sizes);
    mlc_mixed_list_static(&slice->strides, strides);
    return mlc_memref_type_slice(source, offsets, sizes, strides, NULL);
}

bool
mlc_memref_subview_dropped_dims(const MlcOp *op, bool *dropped)
{
    MlcSlice slice;
    MlcType type = mlc_slice_read(op, &slice)
                       ? mlc_memref_slice_type(mlc_op_operand_type(op, 0), &slice)
                       : NULL;
    return type && mlc_memref_dropped_dims(type, mlc_op_result_type(op, 0), &slice.sizes, dropped);
}

bool
mlc_memref_subview_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    MlcSlice slice;
    if (!mlc_slice_verify(op, mlc_type_rank(source), mlc_type_rank(source)))
        return false;
    if (!mlc_slice_read(op, &slice))
        return mlc_op_error(op, "has more than %d dimensions", MLC_RANK_LIMIT);
    if (!verify_same_space(op, "base memref type", source, "subview memref type", result))
        return false;
    MlcType expected = mlc_memref_slice_type(source, &slice);
    if (!expected)
        return ERROR_AT(op, "base type '%s' is not strided", mlc_type_text(source));
    return verify_subview_type(op, expected, result, &slice.sizes);
}

// --- transpose

// The same layout, however it is written.
static bool
same_strides(MlcType a, MlcType b)
{
    int64_t offsets[2], strides[2][MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(a);
    return a == b ||
           (mlc_type_rank(b) == rank && mlc_type_element(a) == mlc_type_element(b) &&
            mlc_memref_type_memory_space(a) == mlc_memref_type_memory_space(b) &&
            memcmp(mlc_type_shape(a), mlc_type_shape(b), rank * sizeof(int64_t)) == 0 &&
            mlc_memref_type_strides(a, &offsets[0], strides[0]) &&
            mlc_memref_type_strides(b, &offsets[1], strides[1]) && offsets[0] == offsets[1] &&
            memcmp(strides[0], strides[1], rank * sizeof(int64_t)) == 0);
}

bool
mlc_memref_transpose_verify(MlcOp *op)
{
    MlcAffineMap map = mlc_memref_transpose_permutation(op);
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    if (!mlc_affine_map_is_permutation(map))
        return mlc_op_error(op, "expected a permutation map");
    if (mlc_affine_map_num_dims(map) != mlc_type_rank(source))
        return mlc_op_error(op, "expected a permutation map of same rank as the input");
    MlcType expected = mlc_memref_type_transpose(source, map);
    expected = expected ? mlc_memref_type_canonical(expected) : source;
    if (same_strides(mlc_memref_type_canonical(result), expected))
        return true;
    return mlc_op_error(
        op, "result type '%s' is not equivalent to the canonical transposed input type '%s'",
        mlc_type_text(result), mlc_type_text(mlc_memref_type_with_map(expected)));
}

// --- expand_shape and collapse_shape

// The dimensions of the expanded shape, group by group.
static bool
verify_group(MlcOp *op, MlcAttr group, size_t dim, int64_t collapsed, MlcType expanded,
             int64_t *next)
{
    bool is_dynamic = false;
    int64_t product = 1, index;
    for (size_t k = 0; k < mlc_int_list_attr_size(group); k++) {
        if (!mlc_int_list_attr_get(group, k, &index) || index != (*next)++)
            return mlc_op_error(op, "reassociation indices must be contiguous");
        if (index >= (int64_t)mlc_type_rank(expanded))
            return mlc_op_error(op, "reassociation index %lld is out of bounds", (long long)index);
        int64_t size = mlc_type_dim(expanded, (size_t)index);
        is_dynamic |= size == MLC_DYNAMIC;
        if (size != MLC_DYNAMIC && __builtin_mul_overflow(product, size, &product))
            return mlc_op_error(op, "has more elements than fit 64 bits");
    }
    if (is_dynamic != (collapsed == MLC_DYNAMIC))
        return mlc_op_error(
            op, "collapsed dim (%zu) must be dynamic if and only if reassociation group is dynamic",
            dim);
    if (!is_dynamic && product != collapsed)
        return mlc_op_error(op,
                            "collapsed dim size (%lld) must equal reassociation group size (%lld)",
                            (long long)collapsed, (long long)product);
    return true;
}

static bool
verify_groups(MlcOp *op, MlcAttr groups, MlcType collapsed, MlcType expanded)
{
    size_t rank = mlc_type_rank(collapsed), n = mlc_array_attr_size(groups);
    int64_t next = 0;
    if (n != rank)
        return mlc_op_error(op, "invalid number of reassociation groups: found %zu, expected %zu",
                            n, rank);
    for (size_t i = 0; i < n; i++)
        if (!verify_group(op, mlc_array_attr_element(groups, i), i, mlc_type_dim(collapsed, i),
                          expanded, &next))
            return false;
    for (size_t i = 0; i < mlc_type_rank(expanded) && rank == 0; i++)
        if (mlc_type_dim(expanded, i) != 1)
            return mlc_op_error(op, "rank 0 memrefs can only be extended/collapsed with/from ones");
    if (rank && next != (int64_t)mlc_type_rank(expanded))
        return mlc_op_error(
            op, "expanded rank (%zu) inconsistent with number of reassociation indices (%lld)",
            mlc_type_rank(expanded), (long long)next);
    return true;
}

static bool
verify_output_shape(MlcOp *op)
{
    MlcType result = mlc_op_result_type(op, 0);
    MlcAttr sizes = mlc_memref_expand_shape_static_output_shape(op);
    size_t n = mlc_dense_array_attr_size(sizes), num_dynamic = 0,
           num_values = mlc_memref_expand_shape_num_output_shape(op);
    if (n != mlc_type_rank(result))
        return mlc_op_error(op,
                            "expected number of static shape bounds to be equal to the output rank "
                            "(%zu) but found %zu inputs instead",
                            mlc_type_rank(result), n);
    for (size_t i = 0; i < n; i++)
        num_dynamic += mlc_dense_array_attr_int(sizes, i) == MLC_DYNAMIC;
    if (num_dynamic != num_values)
        return mlc_op_error(op,
                            "mismatch in dynamic dims in output_shape and static_output_shape: "
                            "static_output_shape has %zu dynamic dims while output_shape has %zu "
                            "values",
                            num_dynamic, num_values);
    for (size_t i = 0; i < n; i++) {
        int64_t size = mlc_dense_array_attr_int(sizes, i);
        if (size != MLC_DYNAMIC && size != mlc_type_dim(result, i))
            return mlc_op_error(op, "invalid output shape provided at pos %zu", i);
    }
    return true;
}

bool
mlc_memref_expand_shape_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    MlcAttr attr = mlc_memref_expand_shape_reassociation(op);
    size_t from = mlc_type_rank(source), to = mlc_type_rank(result);
    MlcGroups groups;
    if (from > to)
        return mlc_op_error(op,
                            "has source rank %zu and result rank %zu. This is not an expansion "
                            "(%zu > %zu).",
                            from, to, from, to);
    if (!verify_groups(op, attr, source, result))
        return false;
    MlcType expected = mlc_groups_read(attr, &groups)
                           ? mlc_memref_type_expand(source, &groups, mlc_type_shape(result), to)
                           : NULL;
    if (!expected)
        return mlc_op_error(op, "invalid source layout map");
    if (expected != result)
        return mlc_op_error(op, "expected expanded type to be '%s' but found '%s'",
                            mlc_type_text(expected), mlc_type_text(result));
    return verify_output_shape(op);
}

bool
mlc_memref_collapse_shape_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    MlcAttr attr = mlc_memref_collapse_shape_reassociation(op);
    size_t from = mlc_type_rank(source), to = mlc_type_rank(result);
    MlcGroups groups;
    if (from < to)
        return mlc_op_error(op,
                            "has source rank %zu and result rank %zu. This is not a collapse (%zu "
                            "< %zu).",
                            from, to, from, to);
    if (!verify_groups(op, attr, result, source))
        return false;
    MlcType expected = mlc_groups_read(attr, &groups)
                           ? mlc_memref_type_collapse(source, &groups, mlc_type_shape(result), to)
                           : NULL;
    if (!expected)
        return mlc_op_error(op, "invalid source layout map or collapsing non-contiguous dims");
    if (expected != result)
        return mlc_op_error(op, "expected collapsed type to be '%s' but found '%s'",
                            mlc_type_text(expected), mlc_type_text(result));
    return true;
}

// --- extract_strided_metadata

bool
mlc_memref_extract_strided_metadata_verify(MlcOp *op)
{
    size_t rank = mlc_type_rank(mlc_op_operand_type(op, 0)), n = mlc_op_num_results(op);
    MlcType source = mlc_op_operand_type(op, 0),
            base = mlc_memref_type_get(mlc_type_element(source), NULL, 0, NULL,
                                       mlc_memref_type_memory_space(source));
    if (n == 2 + 2 * rank && mlc_op_result_type(op, 0) == base)
        return true;
    MlcBuf have = {0}, want = {0};
    mlc_buf_printf(&want, "'%s'", mlc_type_text(base));
    for (size_t i = 0; i < 1 + 2 * rank; i++)
        mlc_buf_append_c(&want, ", 'index'");
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(&have, "%s'%s'", i ? ", " : "",
                       mlc_type_text(mlc_value_type(mlc_op_result(op, i))));
    mlc_op_error(op, "inferred type(s) %s are incompatible with return type(s) of operation %s",
                 mlc_buf_c_str(&want), mlc_buf_c_str(&have));
    mlc_op_error(op, "failed to infer returned types");
    mlc_buf_release(&want);
    mlc_buf_release(&have);
    return false;
}
