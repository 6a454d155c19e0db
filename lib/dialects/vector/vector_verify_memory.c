// vector_verify_memory.c -- ops between vectors and memory: indices, element types, lanes and masks
// that fit; what may stand under a mask; values spread over a warp.
#include "vector_impl.h"

static size_t
group_size(const MlcOp *op, size_t group)
{
    size_t first, size;
    mlc_op_operand_group(op, group, &first, &size);
    return size;
}

static MlcType
group_type(const MlcOp *op, size_t group)
{
    size_t first, size;
    mlc_op_operand_group(op, group, &first, &size);
    return size ? mlc_op_operand_type(op, first) : NULL;
}

static bool
verify_num_indices(MlcOp *op, MlcType base, size_t n)
{
    if (n != mlc_type_rank(base))
        return mlc_op_error(op, "requires %zu indices", mlc_type_rank(base));
    return true;
}

// --- load, store

static bool
verify_minor_stride(MlcOp *op, MlcType base)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(base);
    if (rank == 0 || rank > MLC_RANK_LIMIT)
        return true;
    if (!mlc_memref_type_strides(base, &offset, strides) || strides[rank - 1] != 1)
        return mlc_op_error(op, "most minor memref dim must have unit stride");
    return true;
}

static bool
verify_access(MlcOp *op, MlcType vector, MlcType base, size_t num_indices, const char *types,
              const char *elements)
{
    if (!verify_minor_stride(op, base))
        return false;
    MlcType element = mlc_type_element(base);
    if (is_vector(element)) {
        if (element != vector)
            return mlc_op_error(op, "%s", types);
        element = mlc_type_element(element);
    }
    if (mlc_type_element(vector) != element)
        return mlc_op_error(op, "%s", elements);
    return verify_num_indices(op, base, num_indices);
}

bool
mlc_vector_load_verify(MlcOp *op)
{
    return verify_access(op, mlc_op_result_type(op, 0), mlc_op_operand_type(op, 0),
                         group_size(op, 1), "base memref and result vector types should match",
                         "base and result element types should match");
}

bool
mlc_vector_store_verify(MlcOp *op)
{
    return verify_access(op, mlc_op_operand_type(op, 0), mlc_op_operand_type(op, 1),
                         group_size(op, 2),
                         "base memref and valueToStore vector types should match",
                         "base and valueToStore element type should match");
}

// --- under a mask: base, indices, [index_vec,] mask, pass_thru or valueToStore

bool
mlc_vector_verify_masked_load(MlcOp *op)
{
    MlcType base = mlc_op_operand_type(op, 0), type = mlc_op_result_type(op, 0);
    if (mlc_type_element(type) != mlc_type_element(base))
        return mlc_op_error(op, "base and result element type should match");
    if (!verify_num_indices(op, base, group_size(op, 1)))
        return false;
    if (mlc_type_dim(type, 0) != mlc_type_dim(group_type(op, 2), 0))
        return mlc_op_error(op, "expected result dim to match mask dim");
    if (type != group_type(op, 3))
        return mlc_op_error(op, "expected pass_thru of same type as result type");
    return true;
}

bool
mlc_vector_verify_masked_store(MlcOp *op)
{
    MlcType base = mlc_op_operand_type(op, 0), type = group_type(op, 3);
    if (mlc_type_element(type) != mlc_type_element(base))
        return mlc_op_error(op, "base and valueToStore element type should match");
    if (!verify_num_indices(op, base, group_size(op, 1)))
        return false;
    if (mlc_type_dim(type, 0) != mlc_type_dim(group_type(op, 2), 0))
        return mlc_op_error(op, "expected valueToStore dim to match mask dim");
    return true;
}

bool
mlc_vector_gather_verify(MlcOp *op)
{
    MlcType base = mlc_op_operand_type(op, 0), type = mlc_op_result_type(op, 0);
    if (!mlc_type_is(base, MLC_TYPE_MEMREF) && !mlc_type_is(base, MLC_TYPE_TENSOR))
        return mlc_op_error(op, "requires base to be a memref or ranked tensor type");
    if (mlc_type_element(type) != mlc_type_element(base))
        return mlc_op_error(op, "base and result element type should match");
    if (!verify_num_indices(op, base, group_size(op, 1)))
        return false;
    if (!mlc_type_has_shape_of(type, group_type(op, 2)))
        return mlc_op_error(op, "expected result dim to match indices dim");
    if (!mlc_type_has_shape_of(type, group_type(op, 3)))
        return mlc_op_error(op, "expected result dim to match mask dim");
    if (type != group_type(op, 4))
        return mlc_op_error(op, "expected pass_thru of same type as result type");
    return true;
}

bool
mlc_vector_scatter_verify(MlcOp *op)
{
    MlcType base = mlc_op_operand_type(op, 0), type = group_type(op, 4);
    if (mlc_type_element(type) != mlc_type_element(base))
        return mlc_op_error(op, "base and valueToStore element type should match");
    if (!verify_num_indices(op, base, group_size(op, 1)))
        return false;
    if (mlc_type_dim(type, 0) != mlc_type_dim(group_type(op, 2), 0))
        return mlc_op_error(op, "expected valueToStore dim to match indices dim");
    if (mlc_type_dim(type, 0) != mlc_type_dim(group_type(op, 3), 0))
        return mlc_op_error(op, "expected valueToStore dim to match mask dim");
    return true;
}

// --- type_cast

// Dimensions of the buffer and of its elements, one after the other.
static size_t
all_dims(MlcType type, int64_t *dims, size_t max)
{
    size_t n = 0;
    MlcType element = mlc_type_element(type);
    for (size_t i = 0; i < mlc_type_rank(type) && n < max; i++)
        dims[n++] = mlc_type_dim(type, i);
    for (size_t i = 0; i < rank_of(element) && n < max; i++)
        dims[n++] = mlc_type_dim(element, i);
    return n;
}

// Strides written out may be those of the identity.
static bool
is_identity_layout(MlcType type)
{
    int64_t offset, strides[MLC_RANK_LIMIT], expected = 1;
    if (!mlc_memref_type_layout(type))
        return true;
    if (mlc_type_rank(type) > MLC_RANK_LIMIT || !mlc_type_has_static_shape(type) ||
        !mlc_memref_type_strides(type, &offset, strides))
        return false;
    for (size_t i = mlc_type_rank(type); i-- > 0; expected *= mlc_type_dim(type, i))
        if (strides[i] != expected)
            return false;
    return offset == 0;
}

bool
mlc_vector_type_cast_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    int64_t from_dims[2 * MLC_RANK_LIMIT], to_dims[2 * MLC_RANK_LIMIT];
    if (!is_identity_layout(from))
        return mlc_op_error(op, "expects operand to be a memref with identity layout");
    if (!is_identity_layout(to))
        return mlc_op_error(op, "expects result to be a memref with identity layout");
    if (mlc_memref_type_memory_space(from) != mlc_memref_type_memory_space(to))
        return mlc_op_error(op, "expects result in same memory space");
    MlcType from_element = mlc_type_element(from), to_element = mlc_type_element(to);
    if ((is_vector(from_element) ? mlc_type_element(from_element) : from_element) !=
        (is_vector(to_element) ? mlc_type_element(to_element) : to_element))
        return mlc_op_error(op, "expects result and operand with same underlying scalar type: '%s'",
                            mlc_type_text(to));
    size_t n = all_dims(from, from_dims, 2 * MLC_RANK_LIMIT);
    if (n != all_dims(to, to_dims, 2 * MLC_RANK_LIMIT) ||
        memcmp(from_dims, to_dims, n * sizeof *to_dims) != 0)
        return mlc_op_error(op, "expects concatenated result and operand shapes to be equal: '%s'",
                            mlc_type_text(to));
    return true;
}

// --- transfers

static int64_t
minor_bits(MlcType vector)
{
    MlcType element = mlc_type_element(vector);
    size_t rank = mlc_type_rank(vector);
    if (!mlc_type_is_int_or_index(element) && !mlc_type_is_float(element))
        return 0;
    return (int64_t)mlc_type_bit_width(element) * (rank ? mlc_type_dim(vector, rank - 1) : 1);
}

static bool
verify_vector_elements(MlcOp *op, MlcType vector, MlcType element, size_t num_results,
                       bool has_mask)
{
    int64_t have = minor_bits(vector), unit = minor_bits(element);
    if (unit && have % unit != 0)
        return mlc_op_error(op, "requires the bitwidth of the minor 1-D vector to be an integral "
                                "multiple of the bitwidth of the minor 1-D vector of the source");
    if (mlc_type_rank(element) > mlc_type_rank(vector))
        return mlc_op_error(op, "requires source vector element and vector result ranks to match.");
    if (num_results != mlc_type_rank(vector) - mlc_type_rank(element))
        return mlc_op_error(op, "requires a permutation_map with result dims of the same rank as "
                                "the vector type");
    if (has_mask)
        return mlc_op_error(op, "does not support masks with vector element type");
    return true;
}

static bool
verify_scalar_elements(MlcOp *op, MlcType vector, MlcType element, size_t num_results)
{
    int64_t unit = mlc_type_is_int_or_index(element) || mlc_type_is_float(element)
                       ? (int64_t)mlc_type_bit_width(element)
                       : 0;
    if (unit && minor_bits(vector) % unit != 0)
        return mlc_op_error(op, "requires the bitwidth of the minor 1-D vector to be an integral "
                                "multiple of the bitwidth of the source element type");
    if (num_results != mlc_type_rank(vector))
        return mlc_op_error(op, "requires a permutation_map with result dims of the same rank as "
                                "the vector type");
    return true;
}

static bool
verify_transfer(MlcOp *op, MlcType shaped, MlcType vector, MlcType mask)
{
    if (mlc_op_attr(op, "masked"))
        return mlc_op_error(op, "masked attribute has been removed. Use in_bounds instead.");
    if (!mlc_type_is(shaped, MLC_TYPE_MEMREF) && !mlc_type_is(shaped, MLC_TYPE_TENSOR))
        return mlc_op_error(op, "requires source to be a memref or ranked tensor type");
    MlcAffineMap map = mlc_op_affine_map(op, "permutation_map");
    MlcAttr in_bounds = mlc_op_attr(op, "in_bounds");
    size_t n = mlc_affine_map_num_results(map);
    MlcType element = mlc_type_element(shaped);
    if (is_vector(element) ? !verify_vector_elements(op, vector, element, n, mask != NULL)
                           : !verify_scalar_elements(op, vector, element, n))
        return false;
    if (mlc_affine_map_num_symbols(map) != 0)
        return mlc_op_error(op, "requires permutation_map without symbols");
    if (mlc_affine_map_num_inputs(map) != mlc_type_rank(shaped))
        return mlc_op_error(op, "requires a permutation_map with input dims of the same rank as "
                                "the source type");
    MlcType want = mask ? mlc_vector_transfer_mask_type(vector, map) : NULL;
    if (mask != want)
        return mlc_op_error(op,
                            "inferred mask type ('%s') and mask operand type ('%s') don't match",
                            mlc_type_text(want), mlc_type_text(mask));
    if (n != mlc_array_attr_size(in_bounds))
        return mlc_op_error(
            op,
            "expects the in_bounds attr of same rank as permutation_map results: %s vs inBounds "
            "of size: %zu",
            mlc_attr_text(mlc_affine_map_attr_get(map)), mlc_array_attr_size(in_bounds));
    for (size_t i = 0; i < n; i++)
        if (mlc_affine_kind(mlc_affine_map_result(map, i)) == MLC_AFFINE_CONSTANT &&
            !mlc_attr_as_bool(mlc_array_attr_element(in_bounds, i)))
            return mlc_op_error(op, "requires broadcast dimensions to be in-bounds");
    return true;
}

static bool
verify_permutation(MlcOp *op)
{
    MlcAffineMap map = mlc_op_affine_map(op, "permutation_map");
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        bool is_zero = mlc_affine_kind(e) == MLC_AFFINE_CONSTANT && mlc_affine_value(e) == 0;
        if (is_zero)
            continue;
        if (mlc_affine_kind(e) != MLC_AFFINE_DIM)
            return mlc_op_error(op, "requires a projected permutation_map (at most one dim or the "
                                    "zero constant can appear in each result)");
        for (size_t k = 0; k < i; k++)
            if (mlc_affine_map_result(map, k) == e)
                return mlc_op_error(op, "requires a permutation_map that is a permutation (found "
                                        "one dim used more than once)");
    }
    return true;
}

bool
mlc_vector_transfer_read_verify(MlcOp *op)
{
    MlcType shaped = mlc_op_operand_type(op, 0), padding = group_type(op, 2);
    if (mlc_type_has_rank(shaped) && !verify_num_indices(op, shaped, group_size(op, 1)))
        return false;
    if (!verify_transfer(op, shaped, mlc_op_result_type(op, 0), group_type(op, 3)))
        return false;
    MlcType element = mlc_type_element(shaped);
    if (is_vector(element) && element != padding)
        return mlc_op_error(op, "requires source element type and padding type to match.");
    if (!is_vector(element) && !mlc_type_is_int_or_index(padding) && !mlc_type_is_float(padding))
        return mlc_op_error(op, "requires valid padding vector elemental type");
    if (!is_vector(element) && element != padding)
        return mlc_op_error(op, "requires formal padding and source of the same elemental type");
    return verify_permutation(op);
}

bool
mlc_vector_transfer_write_verify(MlcOp *op)
{
    MlcType shaped = mlc_op_operand_type(op, 1);
    if (mlc_type_has_rank(shaped) && !verify_num_indices(op, shaped, group_size(op, 2)))
        return false;
    MlcAffineMap map = mlc_op_affine_map(op, "permutation_map");
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        if (mlc_affine_kind(mlc_affine_map_result(map, i)) == MLC_AFFINE_CONSTANT)
            return mlc_op_error(op, "should not have broadcast dimensions");
    return verify_transfer(op, shaped, mlc_op_operand_type(op, 0), group_type(op, 3)) &&
           verify_permutation(op);
}

// --- mask

// The lanes of a contraction: one dimension per loop.
static MlcType
contract_mask_type(MlcOp *op)
{
    int64_t shape[MLC_RANK_LIMIT];
    bool scalable[MLC_RANK_LIMIT];
    MlcAttr maps = mlc_vector_contract_indexing_maps(op);
    size_t n = mlc_array_attr_size(mlc_vector_contract_iterator_types(op));
    if (n > MLC_RANK_LIMIT || mlc_array_attr_size(maps) != 3)
        return NULL;
    memset(shape, 0, sizeof shape);
    memset(scalable, 0, sizeof scalable);
    for (size_t side = 0; side < 2; side++) {
        MlcAffineMap map = mlc_affine_map_attr_value(mlc_array_attr_element(maps, side));
        MlcType type = mlc_op_operand_type(op, side);
        for (size_t i = 0; i < mlc_affine_map_num_results(map) && i < mlc_type_rank(type); i++) {
            MlcAffineExpr e = mlc_affine_map_result(map, i);
            if (mlc_affine_kind(e) != MLC_AFFINE_DIM || mlc_affine_position(e) >= n)
                return NULL;
            shape[mlc_affine_position(e)] = mlc_type_dim(type, i);
            scalable[mlc_affine_position(e)] = mlc_vector_type_is_scalable(type, i);
        }
    }
    return mlc_vector_type_get(mlc_integer_type_get(mlc_op_context(op), 1, MLC_SIGNLESS), shape, n,
                               scalable);
}

// Can the op be masked? `*mask` is the type of its mask, NULL if that cannot be told.
static bool
is_maskable(MlcOp *op, MlcType *mask)
{
    MlcType lanes = NULL;
    *mask = NULL;
    if (mlc_vector_transfer_read_isa(op) || mlc_vector_transfer_write_isa(op)) {
        MlcType vector = mlc_vector_transfer_read_isa(op) ? mlc_op_result_type(op, 0)
                                                          : mlc_op_operand_type(op, 0);
        MlcAffineMap map = mlc_op_affine_map(op, "permutation_map");
        *mask = mlc_vector_transfer_mask_type(vector, map);
        return true;
    }
    if (mlc_vector_contract_isa(op)) {
        *mask = contract_mask_type(op);
        return true;
    }
    if (mlc_vector_reduction_isa(op) || mlc_vector_multi_reduction_isa(op))
        lanes = mlc_op_operand_type(op, 0);
    else if (mlc_vector_outerproduct_isa(op) || mlc_vector_gather_isa(op))
        lanes = mlc_op_result_type(op, 0);
    if (lanes)
        *mask =
            mlc_type_with_element(lanes, mlc_integer_type_get(mlc_op_context(op), 1, MLC_SIGNLESS));
    return lanes != NULL;
}

static bool
verify_mask_results(MlcOp *op, MlcOp *inner)
{
    size_t n = mlc_op_num_results(inner);
    if (n != mlc_op_num_results(op))
        return mlc_op_error(
            op, "expects number of results to match maskable operation number of results");
    for (size_t i = 0; i < n; i++) {
        MlcType type = mlc_value_type(mlc_op_result(inner, i));
        if (type != mlc_value_type(mlc_op_result(op, i)))
            return mlc_op_error(op, "expects result type to match maskable operation result type");
    }
    return true;
}

static bool
verify_passthru(MlcOp *op, MlcOp *inner)
{
    if (mlc_op_num_operands(op) < 2)
        return true;
    if (!mlc_vector_transfer_read_isa(inner))
        return mlc_op_error(op, "doesn't expect a passthru argument for this maskable operation");
    if (mlc_op_operand_type(op, 1) != mlc_op_result_type(inner, 0))
        return mlc_op_error(op, "expects passthru type to match result type");
    return true;
}

bool
mlc_vector_mask_verify(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_vector_mask_mask_region(op));
    MlcOp *inner = block ? mlc_block_first(block) : NULL,
          *last = block ? mlc_block_last(block) : NULL;
    MlcType mask;
    if (!inner)
        return mlc_op_error(op, "expects a terminator within the mask region");
    if (inner != last && mlc_op_next(inner) != last)
        return mlc_op_error(op, "expects only one operation to mask");
    if (!mlc_vector_yield_isa(last))
        return mlc_op_error(op, "expects a terminator within the mask region");
    if (mlc_op_num_operands(last) != mlc_op_num_results(op))
        return mlc_op_error(op, "expects number of results to match mask region yielded values");
    if (inner == last)
        return true;
    if (!is_maskable(inner, &mask))
        return true;
    if (!verify_mask_results(op, inner))
        return false;
    if (mask && mlc_op_operand_type(op, 0) != mask)
        return mlc_op_error(op, "expects a '%s' mask for the maskable operation",
                            mlc_type_text(mask));
    return verify_passthru(op, inner);
}

// --- warp_execute_on_lane_0

static bool
verify_distributed(MlcOp *op, MlcType whole, MlcType part)
{
    if (whole == part)
        return true;
    if (!is_vector(whole) || !is_vector(part))
        return mlc_op_error(op, "expected vector type for distributed operands.");
    if (mlc_type_rank(whole) != mlc_type_rank(part) ||
        mlc_type_element(whole) != mlc_type_element(part))
        return mlc_op_error(op, "expected distributed vectors to have same rank and element type.");
    int64_t scale = 1, warp = mlc_vector_warp_execute_on_lane_0_warp_size(op);
    for (size_t i = 0; i < mlc_type_rank(whole); i++) {
        int64_t big = mlc_type_dim(whole, i), small = mlc_type_dim(part, i);
        if (big % small != 0)
            return mlc_op_error(op,
                                "expected expanded vector dimension #%zu (%lld) to be a multipler "
                                "of the distributed vector dimension (%lld)",
                                i, (long long)big, (long long)small);
        scale *= big / small;
    }
    if (scale != warp)
        return mlc_op_error(op,
                            "incompatible distribution dimensions from '%s' to '%s' with warp size "
                            "= %lld",
                            mlc_type_text(whole), mlc_type_text(part), (long long)warp);
    return true;
}

bool
mlc_vector_warp_execute_on_lane_0_verify(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(op, 0));
    size_t n = mlc_op_num_operands(op) - 1;
    if (mlc_block_num_args(block) != n)
        return mlc_op_error(op, "expected same number op arguments and block arguments.");
    MlcOp *yield = mlc_block_last(block);
    if (!yield || !mlc_vector_yield_isa(yield))
        return true;
    if (mlc_op_num_operands(yield) != mlc_op_num_results(op))
        return mlc_op_error(op, "expected same number of yield operands and return values.");
    for (size_t i = 0; i < n; i++)
        if (!verify_distributed(op, mlc_value_type(mlc_block_arg(block, i)),
                                mlc_op_operand_type(op, i + 1)))
            return false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (!verify_distributed(op, mlc_op_operand_type(yield, i),
                                mlc_value_type(mlc_op_result(op, i))))
            return false;
    return true;
}
