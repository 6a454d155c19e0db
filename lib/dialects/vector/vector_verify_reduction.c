// vector_verify_reduction.c -- contractions, outer products, reductions and scans: which dimensions
// meet which, and what may be combined how.
#include "vector_impl.h"

bool
mlc_vector_reduction_verify(MlcOp *op)
{
    MlcType type = mlc_op_operand_type(op, 0), element = mlc_op_result_type(op, 0);
    MlcAttr kind = mlc_vector_reduction_kind_attr(op);
    if (mlc_type_rank(type) > 1)
        return mlc_op_error(op, "unsupported reduction rank: %zu", mlc_type_rank(type));
    if (!mlc_vector_kind_fits(mlc_enum_attr_value(kind), element))
        return mlc_op_error(op, "unsupported reduction type ''%s'' for kind '%s'",
                            mlc_type_text(element), mlc_vector_kind_name(kind));
    return true;
}

bool
mlc_vector_multi_reduction_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), want = mlc_type_element(source);
    MlcAttr dims = mlc_vector_multi_reduction_reduction_dims(op);
    int64_t shape[MLC_RANK_LIMIT];
    bool scalable[MLC_RANK_LIMIT];
    size_t rank = 0;
    for (size_t i = 0; i < mlc_type_rank(source) && rank < MLC_RANK_LIMIT; i++)
        if (!mlc_int_list_attr_has(dims, (int64_t)i)) {
            scalable[rank] = mlc_vector_type_is_scalable(source, i);
            shape[rank++] = mlc_type_dim(source, i);
        }
    if (rank > 0)
        want = mlc_vector_type_get(want, shape, rank, scalable);
    if (mlc_op_result_type(op, 0) != want)
        return mlc_op_error(op, "destination type '%s' is incompatible with source type '%s'",
                            mlc_type_text(mlc_op_result_type(op, 0)), mlc_type_text(source));
    return true;
}

bool
mlc_vector_scan_verify(MlcOp *op)
{
    MlcType source = mlc_op_operand_type(op, 0), initial = mlc_op_operand_type(op, 1);
    MlcAttr kind = mlc_vector_scan_kind_attr(op);
    int64_t dim = mlc_vector_scan_reduction_dim(op);
    size_t rank = mlc_type_rank(source), initial_rank = mlc_type_rank(initial);
    if (dim >= (int64_t)rank)
        return mlc_op_error(op, "reduction dimension %lld has to be less than %zu", (long long)dim,
                            rank);
    if (initial_rank != rank - 1)
        return mlc_op_error(op, "initial value rank %zu has to be equal to %zu", initial_rank,
                            rank - 1);
    for (size_t i = 0, k = 0; i < rank; i++)
        if ((int64_t)i != dim &&
            (k >= initial_rank || mlc_type_dim(source, i) != mlc_type_dim(initial, k++)))
            return mlc_op_error(op, "incompatible input/initial value shapes");
    MlcType element = mlc_type_element(source);
    if (!mlc_vector_kind_fits(mlc_enum_attr_value(kind), element))
        return mlc_op_error(op, "unsupported reduction type '%s' for kind '%s'",
                            mlc_type_text(element), mlc_vector_kind_name(kind));
    return true;
}

bool
mlc_vector_outerproduct_verify(MlcOp *op)
{
    MlcType lhs = mlc_op_operand_type(op, 0), rhs = mlc_op_operand_type(op, 1),
            result = mlc_op_result_type(op, 0);
    if (mlc_type_rank(lhs) != 1)
        return mlc_op_error(op, "expected 1-d vector for operand #1");
    if (is_vector(rhs)) {
        if (mlc_type_rank(rhs) != 1)
            return mlc_op_error(op, "expected 1-d vector for operand #2");
        if (mlc_type_rank(result) != 2)
            return mlc_op_error(op, "expected 2-d vector result");
        if (mlc_type_dim(lhs, 0) != mlc_type_dim(result, 0))
            return mlc_op_error(op, "expected #1 operand dim to match result dim #1");
        if (mlc_type_dim(rhs, 0) != mlc_type_dim(result, 1))
            return mlc_op_error(op, "expected #2 operand dim to match result dim #2");
        if (mlc_vector_type_has_scalable(lhs) && !mlc_vector_type_has_scalable(rhs))
            return mlc_op_error(op, "expected either both or only #2 operand dim to be scalable");
    } else {
        if (mlc_type_rank(result) != 1)
            return mlc_op_error(op, "expected 1-d vector result");
        if (mlc_type_dim(lhs, 0) != mlc_type_dim(result, 0))
            return mlc_op_error(op, "expected #1 operand dim to match result dim #1");
    }
    if (mlc_op_num_operands(op) > 2 && mlc_op_operand_type(op, 2) != result)
        return mlc_op_error(op, "expected operand #3 of same type as result type");
    if (!mlc_vector_kind_fits(mlc_vector_outerproduct_kind(op), mlc_type_element(result)))
        return mlc_op_error(op, "unsupported outerproduct type");
    return true;
}

// --- contract

static MlcAffineMap
map_of(MlcOp *op, size_t i)
{
    return mlc_affine_map_attr_value(
        mlc_array_attr_element(mlc_vector_contract_indexing_maps(op), i));
}

static bool
verify_maps(MlcOp *op, size_t num_loops)
{
    MlcAttr maps = mlc_vector_contract_indexing_maps(op);
    if (mlc_array_attr_size(maps) != 3)
        return mlc_op_error(op, "expected an indexing map for each vector operand");
    for (size_t i = 0; i < 3; i++) {
        if (!mlc_attr_is(mlc_array_attr_element(maps, i), MLC_ATTR_AFFINE_MAP))
            return mlc_op_error(op, "expected an indexing map for each vector operand");
        MlcAffineMap map = map_of(op, i);
        size_t rank = rank_of(mlc_op_operand_type(op, i));
        if (mlc_affine_map_num_symbols(map) != 0)
            return mlc_op_error(op, "expected indexing map %zu to have no symbols", i);
        if (mlc_affine_map_num_dims(map) != num_loops)
            return mlc_op_error(op, "expected indexing map %zu to have %zu number of inputs", i,
                                num_loops);
        if (mlc_affine_map_num_results(map) != rank)
            return mlc_op_error(op, "expected indexing map %zu to have %zu number of outputs", i,
                                rank);
        if (!mlc_affine_map_is_projected_permutation(map, false))
            return mlc_op_error(
                op, "expected indexing map %zu to be a projected permutation of its inputs", i);
    }
    return true;
}

// The result of `map` that is loop `loop`; -1 if none is.
static int
position_of(MlcAffineMap map, size_t loop)
{
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        if (mlc_affine_position(mlc_affine_map_result(map, i)) == loop)
            return (int)i;
    return -1;
}

// Extents of loops that both sides have must agree.
static bool
verify_loops(MlcOp *op, size_t num_loops)
{
    MlcAttr iterators = mlc_vector_contract_iterator_types(op);
    bool bad[2] = {false, false}, any_reduction = false;
    for (size_t loop = 0; loop < num_loops; loop++) {
        int l = position_of(map_of(op, 0), loop), r = position_of(map_of(op, 1), loop);
        bool is_parallel = mlc_enum_attr_value(mlc_array_attr_element(iterators, loop)) ==
                           MLC_VECTOR_ITERATOR_TYPE_PARALLEL;
        if (l < 0 || r < 0)
            continue;
        any_reduction |= !is_parallel;
        bad[is_parallel] |= mlc_type_dim(mlc_op_operand_type(op, 0), (size_t)l) !=
                            mlc_type_dim(mlc_op_operand_type(op, 1), (size_t)r);
    }
    if (!any_reduction)
        return mlc_op_error(op, "expected at least one contracting dimension pair");
    if (bad[0])
        return mlc_op_error(op, "invalid contracting dimension map");
    if (bad[1])
        return mlc_op_error(op, "invalid batch dimension map");
    return true;
}

// Do the operands have a loop that is no reduction of both?
static bool
has_free_loop(MlcOp *op, size_t num_loops)
{
    MlcAttr iterators = mlc_vector_contract_iterator_types(op);
    for (size_t loop = 0; loop < num_loops; loop++) {
        bool l = position_of(map_of(op, 0), loop) >= 0, r = position_of(map_of(op, 1), loop) >= 0;
        bool is_parallel = mlc_enum_attr_value(mlc_array_attr_element(iterators, loop)) ==
                           MLC_VECTOR_ITERATOR_TYPE_PARALLEL;
        if ((l || r) && (is_parallel || !l || !r))
            return true;
    }
    return false;
}

static bool
verify_result(MlcOp *op, size_t num_loops)
{
    MlcType acc = mlc_op_operand_type(op, 2), result = mlc_op_result_type(op, 0);
    if (!has_free_loop(op, num_loops)) {
        if (is_vector(acc) || is_vector(result))
            return mlc_op_error(op, "invalid accumulator/result vector shape");
        return true;
    }
    if (!is_vector(acc) || !is_vector(result))
        return mlc_op_error(op, "invalid accumulator/result vector shape");
    for (size_t loop = 0; loop < num_loops; loop++)
        if (position_of(map_of(op, 0), loop) < 0 && position_of(map_of(op, 1), loop) < 0)
            return mlc_op_error(op,
                                "expected all dimensions to be either a LHS or a RHS dimension");
    int64_t shape[MLC_RANK_LIMIT];
    size_t rank = mlc_affine_map_num_results(map_of(op, 2));
    for (size_t i = 0; i < rank && i < MLC_RANK_LIMIT; i++) {
        unsigned loop = mlc_affine_position(mlc_affine_map_result(map_of(op, 2), i));
        int l = position_of(map_of(op, 0), loop), r = position_of(map_of(op, 1), loop);
        shape[i] = l >= 0 ? mlc_type_dim(mlc_op_operand_type(op, 0), (size_t)l)
                          : mlc_type_dim(mlc_op_operand_type(op, 1), (size_t)r);
    }
    MlcType want = rank > MLC_RANK_LIMIT
                       ? result
                       : mlc_type_with_shape(result, shape, rank, mlc_type_element(result));
    if (result != want || acc != want)
        return mlc_op_error(op, "invalid accumulator/result vector shape, expected: '%s'",
                            mlc_type_text(want));
    return true;
}

bool
mlc_vector_contract_verify(MlcOp *op)
{
    size_t num_loops = mlc_array_attr_size(mlc_vector_contract_iterator_types(op));
    if (!verify_maps(op, num_loops) || !verify_loops(op, num_loops) ||
        !verify_result(op, num_loops))
        return false;
    if (!mlc_vector_kind_fits(mlc_vector_contract_kind(op),
                              mlc_type_element(mlc_op_result_type(op, 0))))
        return mlc_op_error(op, "unsupported contraction type");
    return true;
}
