// linalg_verify.c -- what the maps of structured ops do not say: lists of dimensions, bodies that
// are written out, and the ops that are not structured. The texts are MLIR's.
#include "linalg_impl.h"

static int64_t
list_int(MlcAttr list, size_t i)
{
    return mlc_dense_array_attr_int(list, i);
}

static size_t
list_size(MlcAttr list)
{
    return mlc_dense_array_attr_size(list);
}

static MlcType
element_of(MlcType type)
{
    return is_tensor(type) || is_memref(type) ? mlc_type_element(type) : type;
}

// "4, 8", for messages.
static void
write_dims(MlcBuf *buf, const int64_t *dims, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(buf, "%s%lld", i ? ", " : "", (long long)dims[i]);
}

// --- inside of a body

static MlcOp *
structured_parent(const MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    return parent && mlc_structured(parent) && mlc_op_has_trait(parent, MLC_TRAIT_STRUCTURED)
               ? parent
               : NULL;
}

bool
mlc_linalg_yield_verify(MlcOp *op)
{
    MlcOp *parent = structured_parent(op);
    if (!parent)
        return mlc_op_error(op, "expected parent op with LinalgOp interface");
    size_t n = mlc_op_num_operands(op), num_outputs = mlc_structured_num_outputs(parent),
           first = mlc_structured_num_inputs(parent);
    if (n != num_outputs)
        return mlc_op_error(op,
                            "expected number of yield values (%zu) to match the number of inits / "
                            "outs operands of the enclosing LinalgOp (%zu)",
                            n, num_outputs);
    for (size_t i = 0; i < n; i++) {
        MlcType want = element_of(mlc_op_operand_type(parent, first + i));
        if (mlc_op_operand_type(op, i) != want)
            return mlc_op_error(op,
                                "type of yield operand %zu ('%s') doesn't match the element type "
                                "of the enclosing linalg.generic op ('%s')",
                                i + 1, mlc_type_text(mlc_op_operand_type(op, i)),
                                mlc_type_text(want));
    }
    return true;
}

bool
mlc_linalg_index_verify(MlcOp *op)
{
    MlcOp *parent = structured_parent(op);
    int64_t dim = mlc_linalg_index_dim(op);
    if (!parent)
        return mlc_op_error(op, "expected parent op with LinalgOp interface");
    if ((int64_t)mlc_structured_num_loops(parent) <= dim)
        return mlc_op_error(op,
                            "expected dim (%lld) to be lower than the number of loops (%zu) of the "
                            "enclosing LinalgOp",
                            (long long)dim, mlc_structured_num_loops(parent));
    return true;
}

// --- fill, map, reduce

bool
mlc_linalg_fill_verify(MlcOp *op)
{
    if (mlc_op_num_operands(op) == 2 &&
        (is_tensor(mlc_op_operand_type(op, 0)) || is_memref(mlc_op_operand_type(op, 0))))
        return mlc_error(mlc_op_context(op), mlc_op_loc(op), "expected op with scalar input");
    return true;
}

bool
mlc_linalg_map_verify(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(op, 0));
    size_t n = mlc_op_num_operands(op) - 1;
    if (mlc_block_num_args(block) != n)
        return mlc_op_error(op,
                            "expects number of operands to match the arity of mapper, but got: %zu "
                            "and %zu",
                            n, mlc_block_num_args(block));
    for (size_t i = 0; i < n; i++) {
        MlcType element = mlc_type_element(mlc_op_operand_type(op, i)),
                arg = mlc_value_type(mlc_block_arg(block, i));
        if (arg != element)
            return mlc_op_error(op, "expected element type of input '%s' to match bbArg type '%s'",
                                mlc_type_text(element), mlc_type_text(arg));
    }
    MlcType out = mlc_op_operand_type(op, n);
    for (size_t i = 0; i < n; i++) {
        MlcType in = mlc_op_operand_type(op, i);
        if (mlc_type_has_shape_of(in, out))
            continue;
        MlcBuf text = {0};
        mlc_buf_printf(&text, "expected shape of input (");
        write_dims(&text, mlc_type_shape(in), mlc_type_rank(in));
        mlc_buf_printf(&text, ") to match shape of output (");
        write_dims(&text, mlc_type_shape(out), mlc_type_rank(out));
        mlc_op_error(op, "%s)", mlc_buf_c_str(&text));
        mlc_buf_release(&text);
        return false;
    }
    return true;
}

static bool
verify_same_shapes(MlcOp *op, size_t first, size_t n, const char *sides, const char *side)
{
    for (size_t i = 1; i < n; i++)
        if (!mlc_type_has_shape_of(mlc_op_operand_type(op, first + i),
                                   mlc_op_operand_type(op, first)))
            return mlc_op_error(op,
                                "expects all %s to have the same shapes. Shape at %s-index %zu is "
                                "not equal to the shape at %s-index 0.",
                                sides, side, i, side);
    return true;
}

static bool
verify_reduced_shape(MlcOp *op, MlcType input, MlcType init)
{
    MlcAttr dims = mlc_linalg_reduce_dimensions(op);
    int64_t left[MLC_RANK_LIMIT];
    size_t n = 0;
    for (size_t i = 0; i < list_size(dims); i++)
        if (list_int(dims, i) < 0 || list_int(dims, i) >= (int64_t)mlc_type_rank(input))
            return mlc_op_error(op, "dimensions for reduction should be in the range [0, %lld].",
                                (long long)mlc_type_rank(input) - 1);
    for (size_t i = 0; i < mlc_type_rank(input) && n < MLC_RANK_LIMIT; i++)
        if (!mlc_int_list_attr_has(dims, (int64_t)i))
            left[n++] = mlc_type_dim(input, i);
    if (n != mlc_type_rank(init))
        return mlc_op_error(
            op, "number of dimensions after reduction %zu doesn't match the init rank %zu", n,
            mlc_type_rank(init));
    if (n == 0 || memcmp(left, mlc_type_shape(init), n * sizeof *left) == 0)
        return true;
    MlcBuf text = {0};
    mlc_buf_printf(&text, "init dimensions [");
    write_dims(&text, mlc_type_shape(init), n);
    mlc_buf_printf(&text, "] doesn't match input dimensions after reduction [");
    write_dims(&text, left, n);
    mlc_op_error(op, "%s]", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

bool
mlc_linalg_reduce_verify(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(op, 0));
    size_t n = mlc_op_num_operands(op), half = n / 2;
    if (n == 0)
        return true;
    if (!verify_same_shapes(op, 0, half, "inputs", "input") ||
        !verify_same_shapes(op, half, n - half, "outputs", "output") ||
        !verify_reduced_shape(op, mlc_op_operand_type(op, 0), mlc_op_operand_type(op, half)))
        return false;
    if (mlc_block_num_args(block) != n)
        return mlc_op_error(op, "mismatching number of operands and block arguments");
    for (size_t i = 0; i < n; i++) {
        MlcType element = mlc_type_element(mlc_op_operand_type(op, i)),
                arg = mlc_value_type(mlc_block_arg(block, i));
        if (element != arg)
            return mlc_op_error(
                op, "%s element type '%s' does not match corresponding block argument type '%s'",
                i < half ? "input" : "output", mlc_type_text(element), mlc_type_text(arg));
    }
    return true;
}

// --- transpose, broadcast

bool
mlc_linalg_transpose_verify(MlcOp *op)
{
    MlcAttr permutation = mlc_linalg_transpose_permutation(op);
    MlcType input = mlc_op_operand_type(op, 0), init = mlc_op_operand_type(op, 1);
    size_t n = list_size(permutation), rank = mlc_type_rank(input);
    for (size_t i = 0; i < n; i++) {
        bool is_valid = list_int(permutation, i) >= 0 && list_int(permutation, i) < (int64_t)n;
        for (size_t k = 0; k < i; k++)
            is_valid &= list_int(permutation, k) != list_int(permutation, i);
        if (!is_valid)
            return mlc_op_error(op, "permutation is not valid");
    }
    if (rank != mlc_type_rank(init))
        return mlc_op_error(op, "input rank %zu does not match init rank %zu", rank,
                            mlc_type_rank(init));
    if (rank != n)
        return mlc_op_error(op, "size of permutation %zu does not match the argument rank %zu", n,
                            rank);
    for (size_t i = 0; i < n; i++) {
        int64_t from = mlc_type_dim(input, (size_t)list_int(permutation, i)),
                to = mlc_type_dim(init, i);
        if (from != to)
            return mlc_op_error(
                op, "dim(result, %zu) = %lld doesn't match dim(input, permutation[%zu]) = %lld", i,
                (long long)to, i, (long long)from);
    }
    return true;
}

bool
mlc_linalg_broadcast_verify(MlcOp *op)
{
    MlcAttr added = mlc_linalg_broadcast_dimensions(op);
    MlcType input = mlc_op_operand_type(op, 0), init = mlc_op_operand_type(op, 1);
    size_t n = list_size(added), rank = mlc_type_rank(input), init_rank = mlc_type_rank(init);
    if (rank + n != init_rank)
        return mlc_op_error(op,
                            "input rank plus added dimensions does not match init rank. input "
                            "rank: %zu, dimensions size: %zu, init rank: %zu",
                            rank, n, init_rank);
    for (size_t i = 0; i < n; i++)
        if (list_int(added, i) < 0 || list_int(added, i) >= (int64_t)init_rank)
            return mlc_op_error(
                op, "dimension %zu is out of range. expected range: [0, %lld], got: %lld", i,
                (long long)init_rank - 1, (long long)list_int(added, i));
    for (size_t from = 0, to = 0; to < init_rank && from < rank; to++) {
        if (mlc_int_list_attr_has(added, (int64_t)to))
            continue;
        if (mlc_type_dim(input, from) != mlc_type_dim(init, to))
            return mlc_op_error(
                op, "input dim %zu should match init dim %zu. input: %lld, init: %lld", from, to,
                (long long)mlc_type_dim(input, from), (long long)mlc_type_dim(init, to));
        from++;
    }
    return true;
}

// --- softmax, winograd

static bool
fits(int64_t a, int64_t b)
{
    return a == b || a == MLC_DYNAMIC || b == MLC_DYNAMIC;
}

static bool
shape_fits(MlcType type, const int64_t *shape)
{
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (!fits(mlc_type_dim(type, i), shape[i]))
            return false;
    return true;
}

bool
mlc_linalg_softmax_verify(MlcOp *op)
{
    MlcType input = mlc_op_operand_type(op, 0), output = mlc_op_operand_type(op, 1);
    int64_t dim = mlc_linalg_softmax_dimension(op);
    if (!mlc_type_has_rank(input) || !mlc_type_has_rank(output))
        return true;
    if (mlc_type_rank(input) != mlc_type_rank(output) || !shape_fits(output, mlc_type_shape(input)))
        return mlc_op_error(op, "incompatible output shape");
    if (dim < 0 || dim >= (int64_t)mlc_type_rank(input))
        return mlc_op_error(op, "incorrect dimension specified");
    return true;
}

static bool
verify_output_shape(MlcOp *op, const int64_t *want)
{
    return shape_fits(mlc_op_operand_type(op, 1), want) ||
           mlc_op_error(op, "the output shape is not expected");
}

// filter [F, H, W, C] -> [alpha, alpha, C, F], alpha = m + r - 1
bool
mlc_linalg_winograd_filter_transform_verify(MlcOp *op)
{
    MlcType filter = mlc_op_operand_type(op, 0);
    int64_t m = mlc_linalg_winograd_filter_transform_m(op),
            r = mlc_linalg_winograd_filter_transform_r(op);
    int64_t h = mlc_type_dim(filter, 1), w = mlc_type_dim(filter, 2);
    if (h != r && h != 1)
        return mlc_op_error(op, "expect filter height either equals to r or 1");
    if (w != r && w != 1)
        return mlc_op_error(op, "expect filter width either equals to r or 1");
    if (h == 1 && w == 1)
        return mlc_op_error(op, "expect either filter height or width equals to r");
    int64_t want[4] = {h == r ? m + r - 1 : 1, w == r ? m + r - 1 : 1, mlc_type_dim(filter, 3),
                       mlc_type_dim(filter, 0)};
    return verify_output_shape(op, want);
}

// input [N, H, W, C] -> [alpha, alpha, tiles, tiles, N, C]
bool
mlc_linalg_winograd_input_transform_verify(MlcOp *op)
{
    MlcType input = mlc_op_operand_type(op, 0);
    int64_t m = mlc_linalg_winograd_input_transform_m(op),
            r = mlc_linalg_winograd_input_transform_r(op);
    int64_t want[6] = {0, 0, 0, 0, mlc_type_dim(input, 0), mlc_type_dim(input, 3)};
    for (size_t i = 0; i < 2; i++) {
        int64_t size = mlc_type_dim(input, 1 + i);
        bool is_transformed = size != 1;
        want[i] = is_transformed ? m + r - 1 : 1;
        want[2 + i] = size == MLC_DYNAMIC   ? MLC_DYNAMIC
                      : is_transformed && m ? (size - (r - 1)) / m
                                            : size;
    }
    return verify_output_shape(op, want);
}

// value [alpha, alpha, tiles, tiles, N, F] -> [N, H, W, F]
bool
mlc_linalg_winograd_output_transform_verify(MlcOp *op)
{
    MlcType value = mlc_op_operand_type(op, 0);
    int64_t m = mlc_linalg_winograd_output_transform_m(op),
            r = mlc_linalg_winograd_output_transform_r(op);
    int64_t want[4] = {mlc_type_dim(value, 4), 0, 0, mlc_type_dim(value, 5)};
    for (size_t i = 0; i < 2; i++) {
        int64_t alpha = mlc_type_dim(value, i), tiles = mlc_type_dim(value, 2 + i);
        bool is_transformed = alpha != 1;
        want[1 + i] = MLC_DYNAMIC;
        if (alpha == MLC_DYNAMIC || tiles == MLC_DYNAMIC)
            continue;
        if (alpha != (is_transformed ? m + r - 1 : 1))
            return mlc_op_error(op, "expect input %s equals to input tile size",
                                i ? "width" : "height");
        want[1 + i] = (is_transformed ? m : 1) * tiles;
    }
    return verify_output_shape(op, want);
}
