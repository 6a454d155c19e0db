// verify_structured.c -- a loop nest over operands: maps that fit ranks and loops, sizes that fit
// each other, a body with an argument per operand. The texts are MLIR's.
#include "mlc/ir/affine.h"
#include "mlc/ir/interfaces.h"
#include "verify_impl.h"

static bool
is_ranked_container(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_is(type, MLC_TYPE_MEMREF);
}

static size_t
rank_of(MlcType type)
{
    return mlc_type_is_shaped(type) && mlc_type_has_rank(type) ? mlc_type_rank(type) : 0;
}

// Tensors and buffers do not mix, and there is at least one of either.
static bool
verify_semantics(MlcOp *op)
{
    size_t num_tensors = 0, num_memrefs = 0;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcTypeKind kind = mlc_type_kind(mlc_op_operand_type(op, i));
        num_tensors += kind == MLC_TYPE_TENSOR || kind == MLC_TYPE_UNRANKED_TENSOR;
        num_memrefs += kind == MLC_TYPE_MEMREF || kind == MLC_TYPE_UNRANKED_MEMREF;
    }
    if (mlc_op_num_operands(op) && !num_tensors == !num_memrefs)
        return mlc_op_error(op, "expected to have pure tensor or buffer semantics");
    return true;
}

static bool
verify_maps(MlcOp *op)
{
    MlcAttr maps = mlc_op_attr(op, "indexing_maps");
    size_t num_loops = mlc_structured_num_loops(op), n = mlc_op_num_operands(op);
    if (mlc_attr_is(maps, MLC_ATTR_ARRAY) && mlc_array_attr_size(maps) != n)
        return mlc_op_error(op,
                            "expected the number of indexing_map (%zu) to be equal to the number "
                            "of input/output operands (%zu)",
                            mlc_array_attr_size(maps), n);
    for (size_t i = 0; i < n; i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        size_t rank = rank_of(mlc_op_operand_type(op, i));
        if (mlc_affine_map_num_symbols(map))
            return mlc_op_error(op, "unexpected symbols in indexing_map #%zu", i);
        if (mlc_affine_map_num_dims(map) != num_loops)
            return mlc_op_error(
                op, "expected indexing_map #%zu to have %zu dim(s) to match the number of loops", i,
                num_loops);
        if (mlc_affine_map_num_results(map) != rank)
            return mlc_op_error(
                op,
                "expected operand rank (%zu) to match the result rank of indexing_map #%zu (%zu)",
                rank, i, mlc_affine_map_num_results(map));
    }
    return true;
}

// Sizes of loops: of the first dimension that the loop's variable alone walks over. False if a loop
// has none.
static bool
loop_sizes(MlcOp *op, size_t num_loops, int64_t *sizes)
{
    bool is_known[MLC_RANK_LIMIT] = {false};
    size_t num_known = 0;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcAffineMap map = mlc_structured_map(op, i);
        for (size_t r = 0; r < mlc_affine_map_num_results(map); r++) {
            MlcAffineExpr e = mlc_affine_map_result(map, r);
            if (mlc_affine_kind(e) != MLC_AFFINE_DIM || is_known[mlc_affine_position(e)])
                continue;
            is_known[mlc_affine_position(e)] = true;
            sizes[mlc_affine_position(e)] = mlc_type_dim(mlc_op_operand_type(op, i), r);
            num_known++;
        }
    }
    return num_known == num_loops;
}

// Dimension `dim` of operand `i` holds what the loops, from first to last, ask for.
static bool
verify_dim(MlcOp *op, size_t i, size_t dim, const int64_t *first, const int64_t *last)
{
    MlcAffineMap map = mlc_structured_map(op, i);
    MlcAffineExpr e = mlc_affine_map_result(map, dim);
    int64_t have = mlc_type_dim(mlc_op_operand_type(op, i), dim), low, high;
    if (have == MLC_DYNAMIC || have == 0 || !mlc_affine_eval(e, first, NULL, &low) ||
        !mlc_affine_eval(e, last, NULL, &high))
        return true;
    if (low < 0 || high < 0) {
        const char *text = mlc_attr_text(mlc_affine_map_attr_get(map)); // affine_map<...>
        int size = (int)strlen(text) - 12;
        return mlc_op_error(op, "unexpected result less than 0 at expression #%zu in %.*s", dim,
                            size, text + 11);
    }
    int64_t want = (low > high ? low : high) + 1;
    bool is_dim = mlc_affine_kind(e) == MLC_AFFINE_DIM;
    if (is_dim ? want != have : want > have)
        return mlc_op_error(op,
                            "inferred input/output operand #%zu has shape's dimension #%zu to be "
                            "%s%lld, but found %lld",
                            i, dim, is_dim ? "" : "greater than or equal to ", (long long)want,
                            (long long)have);
    return true;
}

static bool
verify_sizes(MlcOp *op, size_t num_loops)
{
    int64_t first[MLC_RANK_LIMIT] = {0}, last[MLC_RANK_LIMIT];
    if (num_loops > MLC_RANK_LIMIT)
        return true;
    if (!loop_sizes(op, num_loops, last))
        return mlc_op_error(op, "expected the shape-to-loops map to be non-null");
    for (size_t i = 0; i < num_loops; i++)
        if (last[i] == MLC_DYNAMIC)
            return true;
        else
            last[i]--;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        for (size_t dim = 0; dim < rank_of(mlc_op_operand_type(op, i)); dim++)
            if (!verify_dim(op, i, dim, first, last))
                return false;
    return true;
}

static bool
verify_body(MlcOp *op)
{
    MlcRegion *region = mlc_op_num_regions(op) == 1 ? mlc_op_region(op, 0) : NULL;
    if (!region || !mlc_region_has_one_block(region))
        return mlc_op_error(op, "expects to have 1 region with 1 block");
    // linalg.map has no argument for its output.
    MlcBlock *block = mlc_region_first(region);
    size_t n = mlc_op_num_operands(op), num_args = mlc_block_num_args(block);
    if (!mlc_structured(op)->body_lacks_outputs && num_args != n)
        return mlc_op_error(op, "expected as many non-induction variable region arguments as the "
                                "number of input/output operands");
    for (size_t i = 0; i < num_args && i < n; i++) {
        MlcType type = mlc_op_operand_type(op, i), arg = mlc_value_type(mlc_block_arg(block, i));
        if (is_ranked_container(type))
            type = mlc_type_element(type);
        if (type != arg)
            return mlc_op_error(op,
                                "expected type of bb argument #%zu ('%s') to match element or "
                                "self type of the corresponding operand ('%s')",
                                i, mlc_type_text(arg), mlc_type_text(type));
    }
    return true;
}

bool
mlc_verify_structured(MlcOp *op)
{
    return verify_semantics(op) && verify_maps(op) &&
           verify_sizes(op, mlc_structured_num_loops(op)) && verify_body(op);
}
