// tensor.c -- verification of tensor ops: shapes that must fit.
#include "tensor_impl.h"

#include "mlc/dialects/scf.h"

// As mlc_op_error, without the "'name' op" in front.
#define ERROR_AT(op, ...) mlc_error(mlc_op_context(op), mlc_op_loc(op), __VA_ARGS__)

static bool
fits(int64_t a, int64_t b)
{
    return a == b || a == MLC_DYNAMIC || b == MLC_DYNAMIC;
}

// tensor.cast: equal element types and encodings, ranks equal where known, dimensions equal where
// both are.
static bool
shapes_fit(MlcType a, MlcType b)
{
    if (!mlc_type_has_rank(a) || !mlc_type_has_rank(b))
        return true;
    if (mlc_type_rank(a) != mlc_type_rank(b))
        return false;
    for (size_t i = 0; i < mlc_type_rank(a); i++)
        if (!fits(mlc_type_dim(a, i), mlc_type_dim(b, i)))
            return false;
    return true;
}

bool
mlc_tensor_types_cast(MlcType from, MlcType to)
{
    return mlc_type_element(from) == mlc_type_element(to) && shapes_fit(from, to);
}

bool
mlc_tensor_cast_verify(MlcOp *op)
{
    return mlc_tensor_types_cast(mlc_op_operand_type(op, 0), mlc_op_result_type(op, 0)) ||
           mlc_op_cast_error(op);
}

bool
mlc_tensor_bitcast_verify(MlcOp *op)
{
    MlcType from = mlc_type_element(mlc_op_operand_type(op, 0)),
            to = mlc_type_element(mlc_op_result_type(op, 0));
    bool numbers = (mlc_type_is(from, MLC_TYPE_INTEGER) || mlc_type_is(from, MLC_TYPE_FLOAT)) &&
                   (mlc_type_is(to, MLC_TYPE_INTEGER) || mlc_type_is(to, MLC_TYPE_FLOAT));
    bool ok = numbers && mlc_type_bit_width(from) == mlc_type_bit_width(to) &&
              shapes_fit(mlc_op_operand_type(op, 0), mlc_op_result_type(op, 0));
    return ok || mlc_op_cast_error(op);
}

static bool
verify_num_dynamic(MlcOp *op, size_t have)
{
    size_t want = mlc_type_num_dynamic_dims(mlc_op_result_type(op, 0));
    if (have != want)
        return mlc_op_error(op, "incorrect number of dynamic sizes, has %zu, expected %zu", have,
                            want);
    return true;
}

bool
mlc_tensor_empty_verify(MlcOp *op)
{
    return verify_num_dynamic(op, mlc_op_num_operands(op));
}

bool
mlc_tensor_splat_verify(MlcOp *op)
{
    return verify_num_dynamic(op, mlc_op_num_operands(op) - 1);
}

// What tensor.generate and tensor.pad share: one index argument per dimension, and a yield of the
// element type.
static bool
verify_body(MlcOp *op, MlcRegion *region)
{
    MlcBlock *block = mlc_region_first(region);
    MlcType type = mlc_op_result_type(op, 0);
    if (mlc_block_num_args(block) != mlc_type_rank(type))
        return ERROR_AT(op, "must have one body argument per input dimension");
    for (size_t i = 0; i < mlc_block_num_args(block); i++)
        if (!mlc_type_is(mlc_value_type(mlc_block_arg(block, i)), MLC_TYPE_INDEX))
            return ERROR_AT(op, "all body arguments must be index");
    if (mlc_op_operand_type(mlc_block_terminator(block), 0) != mlc_type_element(type))
        return mlc_op_error(
            op, "body must be terminated with a `yield` operation of the tensor element type");
    return true;
}

bool
mlc_tensor_generate_verify(MlcOp *op)
{
    if (mlc_op_num_operands(op) != mlc_type_num_dynamic_dims(mlc_op_result_type(op, 0)))
        return ERROR_AT(op,
                        "must have as many index operands as dynamic extents in the result type");
    return true;
}

bool
mlc_tensor_generate_verify_regions(MlcOp *op)
{
    return verify_body(op, mlc_tensor_generate_body(op));
}

int64_t
mlc_tensor_padded_size(int64_t size, int64_t low, int64_t high, int64_t otherwise)
{
    bool is_known = size != MLC_DYNAMIC && low != MLC_DYNAMIC && high != MLC_DYNAMIC;
    return is_known && !__builtin_add_overflow(size, low, &size) &&
                   !__builtin_add_overflow(size, high, &size)
               ? size
               : otherwise;
}

static void
padded_shape(const MlcOp *op, int64_t *shape)
{
    MlcType source = mlc_op_operand_type(op, 0);
    MlcAttr low = mlc_tensor_pad_static_low(op), high = mlc_tensor_pad_static_high(op);
    for (size_t i = 0; i < mlc_type_rank(source); i++)
        shape[i] = mlc_tensor_padded_size(mlc_type_dim(source, i), mlc_dense_array_attr_int(low, i),
                                          mlc_dense_array_attr_int(high, i), MLC_DYNAMIC);
}

static MlcType
with_padded_shape(const MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0);
    size_t rank = mlc_type_rank(source);
    int64_t *shape = mlc_malloc((rank + 1) * sizeof *shape);
    padded_shape(op, shape);
    MlcType type = mlc_type_with_shape(source, shape, rank, mlc_type_element(source));
    mlc_free(shape);
    return type;
}

bool
mlc_tensor_pad_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(source);
    if (mlc_dense_array_attr_size(mlc_tensor_pad_static_low(op)) != rank ||
        mlc_dense_array_attr_size(mlc_tensor_pad_static_high(op)) != rank ||
        mlc_type_rank(result) != rank)
        return ERROR_AT(op,
                        "failed to infer expectedType from sourceType '%s', specified resultType "
                        "is '%s'",
                        mlc_type_text(source), mlc_type_text(result));
    MlcType inferred = with_padded_shape(op);
    for (size_t i = 0; i < rank; i++)
        if (mlc_type_dim(inferred, i) != MLC_DYNAMIC &&
            mlc_type_dim(result, i) != mlc_type_dim(inferred, i) &&
            mlc_type_dim(result, i) != MLC_DYNAMIC)
            return ERROR_AT(op, "specified type '%s' does not match the inferred type '%s'",
                            mlc_type_text(result), mlc_type_text(inferred));
    return true;
}

bool
mlc_tensor_pad_verify_regions(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_tensor_pad_region(op));
    size_t rank = mlc_type_rank(mlc_op_result_type(op, 0));
    if (mlc_block_num_args(block) != rank)
        return ERROR_AT(op, "expected the block to have %zu arguments", rank);
    for (size_t i = 0; i < rank; i++)
        if (!mlc_type_is(mlc_value_type(mlc_block_arg(block, i)), MLC_TYPE_INDEX))
            return mlc_op_error(op, "expected block argument %zu to be an index", i + 1);
    MlcOp *yield = mlc_block_terminator(block);
    if (yield && mlc_op_operand_type(yield, 0) != mlc_type_element(mlc_op_result_type(op, 0)))
        return mlc_op_error(op, "expected yield type to match shape element type");
    return true;
}

// `slice` is what the lists say of `whole`, perhaps without dimensions of size 1.
static bool
verify_slice(MlcOp *op, MlcType slice, MlcType whole)
{
    MlcSlice lists;
    int64_t sizes[MLC_RANK_LIMIT];
    if (!mlc_slice_verify(op, mlc_type_rank(whole), mlc_type_rank(whole)))
        return false;
    if (!mlc_slice_read(op, &lists))
        return mlc_op_error(op, "has more than %d dimensions", MLC_RANK_LIMIT);
    mlc_mixed_list_static(&lists.sizes, sizes);
    const char *fault = mlc_tensor_slice_fault(slice, whole, sizes, lists.sizes.size);
    MlcType expected = mlc_tensor_slice_type(whole, &lists.sizes, lists.sizes.size);
    if (!fault)
        return true;
    if (strcmp(fault, "rank") == 0)
        return ERROR_AT(op, "expected rank to be smaller or equal to the other rank. ");
    if (strcmp(fault, "element type") == 0)
        return ERROR_AT(op, "expected element type to be '%s'",
                        mlc_type_text(mlc_type_element(whole)));
    return ERROR_AT(op, "expected type to be '%s' or a rank-reduced version. (%s mismatch) ",
                    mlc_type_text(expected), fault);
}

bool
mlc_tensor_extract_slice_verify(MlcOp *op)
{
    return verify_slice(op, mlc_op_result_type(op, 0), mlc_op_operand_type(op, 0));
}

bool
mlc_tensor_insert_slice_verify(MlcOp *op)
{
    return verify_slice(op, mlc_op_operand_type(op, 0), mlc_op_operand_type(op, 1));
}

bool
mlc_tensor_parallel_insert_slice_verify(MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    if (!mlc_scf_forall_in_parallel_isa(parent))
        return ERROR_AT(op, "expected ParallelCombiningOpInterface parent, got: %s",
                        parent ? mlc_op_name(parent).data : "none");
    return verify_slice(op, mlc_op_operand_type(op, 0), mlc_op_operand_type(op, 1));
}

// Reassociations name the dimensions of the expanded side, in order, one group per dimension of the
// collapsed side.
static bool
verify_groups(MlcOp *op, MlcAttr groups, size_t expanded, size_t collapsed)
{
    int64_t next = 0, index, highest = -1;
    if (mlc_array_attr_size(groups) != collapsed)
        return mlc_op_error(
            op, "expected collapsed rank (%zu) to equal the number of reassociation maps (%zu).",
            collapsed, mlc_array_attr_size(groups));
    for (size_t i = 0; i < collapsed; i++)
        for (size_t k = 0; k < mlc_int_list_attr_size(mlc_array_attr_element(groups, i)); k++)
            if (mlc_int_list_attr_get(mlc_array_attr_element(groups, i), k, &index) &&
                index > highest)
                highest = index;
    if (collapsed && highest + 1 != (int64_t)expanded)
        return mlc_op_error(op,
                            "expected reassociation map #0 to have size equal to the expanded "
                            "rank (%zu), but it is  %lld.",
                            expanded, (long long)highest + 1);
    for (size_t i = 0; i < collapsed; i++) {
        MlcAttr group = mlc_array_attr_element(groups, i);
        for (size_t k = 0; k < mlc_int_list_attr_size(group); k++)
            if (!mlc_int_list_attr_get(group, k, &index) || index != next++)
                return mlc_op_error(
                    op, "expected reassociation map #%zu to be valid and contiguous.", i);
    }
    return true;
}

static bool
verify_group_sizes(MlcOp *op, MlcAttr groups, MlcType expanded, MlcType collapsed)
{
    size_t dim = 0;
    for (size_t i = 0; i < mlc_type_rank(collapsed); i++) {
        int64_t product = 1;
        size_t n = mlc_int_list_attr_size(mlc_array_attr_element(groups, i));
        for (size_t k = 0; k < n; k++, dim++) {
            int64_t size = mlc_type_dim(expanded, dim);
            if (size == MLC_DYNAMIC || product == MLC_DYNAMIC)
                product = MLC_DYNAMIC;
            else if (__builtin_mul_overflow(product, size, &product))
                return mlc_op_error(op, "has more elements than fit 64 bits");
        }
        int64_t have = mlc_type_dim(collapsed, i);
        if (product == MLC_DYNAMIC && have != MLC_DYNAMIC)
            return mlc_op_error(
                op,
                "expected dimension %zu of collapsed type to be dynamic since one or more of the "
                "corresponding dimensions in the expanded type is dynamic",
                i);
        if (product != have && product != MLC_DYNAMIC)
            return mlc_op_error(
                op, "expected dimension %zu of collapsed type to be static value of %lld", i,
                (long long)product);
    }
    return true;
}

static bool
verify_reshape(MlcOp *op, MlcAttr groups, MlcType expanded, MlcType collapsed)
{
    if (mlc_type_rank(expanded) < mlc_type_rank(collapsed))
        return mlc_op_error(op,
                            "expected the expanded type, '%s' to have a higher (or same) rank "
                            "than the collapsed type, '%s'.",
                            mlc_type_text(expanded), mlc_type_text(collapsed));
    if (!verify_groups(op, groups, mlc_type_rank(expanded), mlc_type_rank(collapsed)) ||
        !verify_group_sizes(op, groups, expanded, collapsed))
        return false;
    if (mlc_type_element(expanded) == mlc_type_element(collapsed))
        return true;
    MlcType expected = mlc_type_with_element(collapsed, mlc_type_element(expanded));
    return mlc_op_error(op, "expected collapsed type to be '%s', but got '%s'",
                        mlc_type_text(expected), mlc_type_text(collapsed));
}

bool
mlc_tensor_collapse_shape_verify(MlcOp *op)
{
    return verify_reshape(op, mlc_tensor_collapse_shape_reassociation(op),
                          mlc_op_operand_type(op, 0), mlc_op_result_type(op, 0));
}

bool
mlc_tensor_expand_shape_verify(MlcOp *op)
{
    MlcAttr sizes = mlc_tensor_expand_shape_static_output_shape(op);
    if (mlc_dense_array_attr_size(sizes) != mlc_type_rank(mlc_op_result_type(op, 0)))
        return mlc_op_error(op,
                            "expected number of static shape dims to be equal to the output rank "
                            "(%zu) but found %zu inputs instead",
                            mlc_type_rank(mlc_op_result_type(op, 0)),
                            mlc_dense_array_attr_size(sizes));
    return verify_reshape(op, mlc_tensor_expand_shape_reassociation(op), mlc_op_result_type(op, 0),
                          mlc_op_operand_type(op, 0));
}

bool
mlc_tensor_reshape_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0),
            shape = mlc_op_operand_type(op, 1);
    if (mlc_type_element(source) != mlc_type_element(result))
        return mlc_op_error(
            op, "element types of source and destination tensor types should be the same");
    if (!mlc_type_has_rank(result))
        return true;
    if (mlc_type_dim(shape, 0) == MLC_DYNAMIC)
        return mlc_op_error(op, "cannot use shape operand with dynamic length to reshape to "
                                "statically-ranked tensor type");
    if (mlc_type_dim(shape, 0) != (int64_t)mlc_type_rank(result))
        return mlc_op_error(op, "length of shape operand differs from the result's tensor rank");
    if (mlc_type_has_rank(source) && mlc_type_has_static_shape(source) &&
        mlc_type_has_static_shape(result) &&
        mlc_type_num_elements(source) != mlc_type_num_elements(result))
        return mlc_op_error(
            op, "source and destination tensor should have the same number of elements");
    return true;
}

static bool
verify_concat_sizes(MlcOp *op, int64_t dim, int64_t sum)
{
    MlcType first = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    int64_t shape[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(first) < MLC_RANK_LIMIT ? mlc_type_rank(first) : MLC_RANK_LIMIT;
    for (size_t i = 0; i < rank; i++)
        shape[i] = (int64_t)i == dim ? sum : mlc_type_dim(first, i);
    MlcType inferred = mlc_type_with_shape(first, shape, rank, mlc_type_element(first));
    return mlc_op_error(op, "result type '%s'does not match inferred shape '%s' static sizes",
                        mlc_type_text(result), mlc_type_text(inferred));
}

bool
mlc_tensor_concat_verify(MlcOp *op)
{
    MlcType result = mlc_op_result_type(op, 0);
    int64_t dim = mlc_tensor_concat_dim(op), rank = (int64_t)mlc_type_rank(result), sum = 0;
    if (mlc_op_num_operands(op) < 1)
        return mlc_op_error(op, "requires at least one input");
    if (dim >= rank)
        return mlc_op_error(op, "concatenation dim must be less than the tensor rank");
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_op_operand_type(op, i);
        if ((int64_t)mlc_type_rank(type) != rank)
            return mlc_op_error(op, "rank of concatenated inputs must match result rank");
        if (mlc_type_element(type) != mlc_type_element(result))
            return mlc_op_error(op, "inputs and result element type must match");
        for (int64_t d = 0; d < rank; d++)
            if (d != dim && !fits(mlc_type_dim(type, (size_t)d), mlc_type_dim(result, (size_t)d)))
                return mlc_op_error(
                    op, "static concatenation size mismatch along non-concatenated dimension %lld",
                    (long long)d);
        int64_t size = mlc_type_dim(type, (size_t)dim);
        sum = size == MLC_DYNAMIC || sum == MLC_DYNAMIC ? MLC_DYNAMIC : sum + size;
    }
    return fits(sum, mlc_type_dim(result, (size_t)dim)) || verify_concat_sizes(op, dim, sum);
}

// --- tensor.gather and tensor.scatter

// The dimensions that are gathered or scattered along, of a tensor of this rank.
static bool
verify_coordinate_dims(MlcOp *op, MlcAttr dims, size_t rank, const char *what, const char *whose)
{
    size_t n = mlc_dense_array_attr_size(dims);
    if (n == 0)
        return mlc_op_error(op, "%s_dims must be non-empty", what);
    if (n > rank)
        return mlc_op_error(op, "%s_dims overflow %s rank", what, whose);
    for (size_t i = 0; i < n; i++) {
        if (mlc_dense_array_attr_int(dims, i) < 0)
            return mlc_op_error(op, "%s_dims value must be non-negative", what);
        if (mlc_dense_array_attr_int(dims, i) >= (int64_t)rank)
            return mlc_op_error(op, "%s_dims value must be smaller than %s rank", what, whose);
    }
    for (size_t i = 1; i < n; i++)
        if (mlc_dense_array_attr_int(dims, i - 1) >= mlc_dense_array_attr_int(dims, i))
            return mlc_op_error(op, "%s_dims values must be strictly increasing", what);
    return true;
}

// The slices of `tensor` at `indices`; dimensions of the coordinates are 1, or left out.
static MlcType
slices_type(MlcType tensor, MlcType indices, MlcAttr dims, bool reduced)
{
    int64_t shape[2 * MLC_RANK_LIMIT];
    size_t rank = 0, k = 0;
    for (size_t i = 0; i + 1 < mlc_type_rank(indices) && i < MLC_RANK_LIMIT; i++)
        shape[rank++] = mlc_type_dim(indices, i);
    for (size_t i = 0; i < mlc_type_rank(tensor) && i < MLC_RANK_LIMIT; i++) {
        bool is_coordinate =
            k < mlc_dense_array_attr_size(dims) && mlc_dense_array_attr_int(dims, k) == (int64_t)i;
        k += is_coordinate;
        if (!is_coordinate || !reduced)
            shape[rank++] = is_coordinate ? 1 : mlc_type_dim(tensor, i);
    }
    return mlc_type_with_shape(tensor, shape, rank, mlc_type_element(tensor));
}

static bool
verify_slices(MlcOp *op, const char *what, MlcType type, MlcType tensor, MlcType indices,
              MlcAttr dims)
{
    MlcType full = slices_type(tensor, indices, dims, false),
            reduced = slices_type(tensor, indices, dims, true);
    return type == full || type == reduced ||
           mlc_op_error(op,
                        "%s type mismatch: expected '%s' or its rank-reduced variant '%s' (got: "
                        "'%s')",
                        what, mlc_type_text(full), mlc_type_text(reduced), mlc_type_text(type));
}

bool
mlc_tensor_gather_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), indices = mlc_op_operand_type(op, 1);
    MlcAttr dims = mlc_tensor_gather_gather_dims(op);
    return verify_coordinate_dims(op, dims, mlc_type_rank(source), "gather", "source") &&
           verify_slices(op, "result", mlc_op_result_type(op, 0), source, indices, dims);
}

bool
mlc_tensor_scatter_verify(MlcOp *op)
{
    MlcType dest = mlc_op_operand_type(op, 1), indices = mlc_op_operand_type(op, 2);
    MlcAttr dims = mlc_tensor_scatter_scatter_dims(op);
    if (!verify_coordinate_dims(op, dims, mlc_type_rank(dest), "scatter", "dest"))
        return false;
    if (!mlc_tensor_scatter_unique(op))
        return mlc_op_error(op, "requires 'unique' attribute to be set");
    return verify_slices(op, "source", mlc_op_operand_type(op, 0), dest, indices, dims);
}

// tensor.dim may be asked where the program did not only if the dimension is there.
static bool
dim_is_speculatable(MlcOp *op)
{
    int64_t dim;
    MlcType type = mlc_op_operand_type(op, 0);
    return mlc_value_constant_int(mlc_op_operand(op, 1), &dim) && mlc_type_has_rank(type) &&
           dim >= 0 && dim < (int64_t)mlc_type_rank(type);
}

const MlcSpeculation mlc_tensor_dim_speculation = {.is_speculatable = dim_is_speculatable};
