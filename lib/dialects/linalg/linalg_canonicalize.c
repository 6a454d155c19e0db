// linalg_canonicalize.c -- structured ops that do nothing, that know their shapes from each other,
// and whose operands are casts.
#include "linalg_impl.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"

bool
mlc_linalg_is_on_tensors(const MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (is_memref(mlc_op_operand_type(op, i)))
            return false;
    return mlc_op_num_results(op) > 0;
}

bool
mlc_linalg_is_on_buffers(const MlcOp *op)
{
    return mlc_op_num_results(op) == 0;
}

MlcValue *
mlc_linalg_cast(MlcBuilder *b, MlcValue *value, MlcType type)
{
    return mlc_value_type(value) == type ? value : mlc_tensor_cast(b, type, value);
}

bool
mlc_linalg_replace(MlcRewriter *rw, MlcOp *op, MlcValue *value)
{
    mlc_rewriter_replace(rw, op, &value, 1);
    return true;
}

// A memref<0x..> among the operands: no iteration. (Tensors of size 0 may mean something else.)
static bool
erase_empty(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_op_operand_type(op, i);
        for (size_t d = 0; is_memref(type) && d < mlc_type_rank(type); d++)
            if (mlc_type_dim(type, d) == 0) {
                mlc_rewriter_erase(rw, op);
                return true;
            }
    }
    return false;
}

// Whether the operand may be of that type: no loop gets two sizes.
static bool
has_sizes_of_loops(MlcOp *op, size_t operand, MlcType type)
{
    MlcAffineMap map = mlc_structured_map(op, operand);
    int64_t *sizes = mlc_malloc((mlc_structured_num_loops(op) + 1) * sizeof *sizes);
    bool fits = true;
    mlc_structured_loop_sizes(op, sizes);
    for (size_t r = 0; r < mlc_affine_map_num_results(map) && r < mlc_type_rank(type); r++) {
        MlcAffineExpr e = mlc_affine_map_result(map, r);
        int64_t size =
            mlc_affine_kind(e) == MLC_AFFINE_DIM ? sizes[mlc_affine_position(e)] : MLC_DYNAMIC;
        fits = fits && (size == MLC_DYNAMIC || mlc_type_dim(type, r) == MLC_DYNAMIC ||
                        mlc_type_dim(type, r) == size);
    }
    mlc_free(sizes);
    return fits;
}

// Buffers are used as they were before memref.cast; one that would fail stays, for the run to tell.
static bool
drop_memref_casts(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    bool changed = false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcOp *cast = operand_def(op, i);
        if (!mlc_memref_cast_isa(cast) || !is_memref(mlc_op_operand_type(cast, 0)) ||
            !has_sizes_of_loops(op, i, mlc_op_operand_type(cast, 0)))
            continue;
        mlc_op_set_operand(op, i, mlc_op_operand(cast, 0));
        changed = true;
    }
    if (changed)
        mlc_rewriter_changed(rw, op);
    return changed;
}

// --- static shapes

// Sizes of loops that some operand's static dimension gives.
static void
known_sizes(MlcOp *op, int64_t *sizes)
{
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        sizes[i] = MLC_DYNAMIC;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_op_operand_type(op, i);
        if (!is_tensor(type))
            continue;
        MlcAffineMap map = mlc_structured_map(op, i);
        for (size_t d = 0; d < mlc_type_rank(type); d++) {
            MlcAffineExpr e = mlc_affine_map_result(map, d);
            if (mlc_affine_kind(e) == MLC_AFFINE_DIM &&
                sizes[mlc_affine_position(e)] == MLC_DYNAMIC)
                sizes[mlc_affine_position(e)] = mlc_type_dim(type, d);
        }
    }
}

// The operand's type with the sizes that loops are known to have.
static MlcType
with_known_sizes(MlcType type, MlcAffineMap map, const int64_t *sizes)
{
    int64_t shape[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(type);
    for (size_t d = 0; d < rank; d++) {
        MlcAffineExpr e = mlc_affine_map_result(map, d);
        shape[d] = mlc_type_dim(type, d);
        if (shape[d] == MLC_DYNAMIC && mlc_affine_kind(e) == MLC_AFFINE_DIM)
            shape[d] = sizes[mlc_affine_position(e)];
    }
    return mlc_type_with_shape(type, shape, rank, mlc_type_element(type));
}

// Replaces `op` by `made`, whose results may know more of their shape.
static void
replace_and_cast_back(MlcRewriter *rw, MlcOp *op, MlcOp *made)
{
    MlcValueVec values = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&values, mlc_linalg_cast(mlc_rewriter_builder(rw), mlc_op_result(made, i),
                                              mlc_value_type(mlc_op_result(op, i))));
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
}

// A size that one operand knows is that of all operands the same loop walks over.
static bool
infer_static_shapes(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_operands(op), num_inputs = mlc_structured_num_inputs(op);
    int64_t sizes[MLC_RANK_LIMIT];
    if (!mlc_op_has_trait(op, MLC_TRAIT_DESTINATION_STYLE) || !mlc_linalg_is_on_tensors(op) ||
        mlc_structured_num_loops(op) > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!mlc_affine_map_is_projected_permutation(mlc_structured_map(op, i), false))
            return false;
    known_sizes(op, sizes);
    bool changed = false;
    for (size_t i = 0; i < n && !changed; i++)
        changed = is_tensor(mlc_op_operand_type(op, i)) &&
                  with_known_sizes(mlc_op_operand_type(op, i), mlc_structured_map(op, i), sizes) !=
                      mlc_op_operand_type(op, i);
    if (!changed)
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcOp *made = mlc_op_clone(op, NULL);
    for (size_t i = 0; i < n; i++) {
        if (!is_tensor(mlc_op_operand_type(op, i)))
            continue;
        MlcType type =
            with_known_sizes(mlc_op_operand_type(op, i), mlc_structured_map(op, i), sizes);
        mlc_op_set_operand(made, i, mlc_linalg_cast(b, mlc_op_operand(op, i), type));
        if (i >= num_inputs)
            mlc_value_set_type(mlc_op_result(made, i - num_inputs), type);
    }
    mlc_builder_insert(b, made);
    replace_and_cast_back(rw, op, made);
    return true;
}

// Does `to` know all sizes that `from` knows?
static bool
knows_no_less(MlcType from, MlcType to)
{
    if (!is_tensor(from) || !is_tensor(to) || mlc_type_rank(from) != mlc_type_rank(to) ||
        mlc_type_element(from) != mlc_type_element(to))
        return false;
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (mlc_type_dim(from, i) != MLC_DYNAMIC && mlc_type_dim(to, i) == MLC_DYNAMIC)
            return false;
    return true;
}

// cast(structured op) : t -> the op on cast(destination) : t
static bool
cast_destination(MlcRewriter *rw, MlcOp *cast, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *op = operand_def(cast, 0);
    MlcType type = mlc_op_result_type(cast, 0);
    if (!op || !mlc_structured(op) || !mlc_op_has_trait(op, MLC_TRAIT_DESTINATION_STYLE) ||
        mlc_op_block(op) != mlc_op_block(cast) ||
        !knows_no_less(mlc_op_operand_type(cast, 0), type))
        return false;
    size_t result = mlc_value_index(mlc_op_operand(cast, 0)),
           operand = mlc_structured_num_inputs(op) + result;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    mlc_builder_before(b, op);
    MlcOp *made = mlc_op_clone(op, NULL);
    mlc_op_set_operand(made, operand, mlc_linalg_cast(b, mlc_op_operand(op, operand), type));
    mlc_value_set_type(mlc_op_result(made, result), type);
    mlc_builder_insert(b, made);
    replace_and_cast_back(rw, op, made);
    return mlc_linalg_replace(rw, cast, mlc_op_result(made, result));
}

// --- identities

static bool
maps_are_equal(MlcOp *op)
{
    for (size_t i = 1; i < mlc_op_num_operands(op); i++)
        if (mlc_structured_map(op, i) != mlc_structured_map(op, 0))
            return false;
    return true;
}

static bool
may_be_cast(MlcType from, MlcType to)
{
    if (!is_tensor(from) || !is_tensor(to) || mlc_type_rank(from) != mlc_type_rank(to) ||
        mlc_type_element(from) != mlc_type_element(to))
        return false;
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (mlc_type_dim(from, i) != mlc_type_dim(to, i) && mlc_type_dim(from, i) != MLC_DYNAMIC &&
            mlc_type_dim(to, i) != MLC_DYNAMIC)
            return false;
    return true;
}

// All operands are walked in the same order and the body only hands on: the operands it hands on
bool
mlc_linalg_erase_identity(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBlock *block = mlc_structured_body(op);
    MlcOp *yield = block ? mlc_block_first(block) : NULL;
    if (!maps_are_equal(op) || !yield || yield != mlc_block_last(block))
        return false;
    if (mlc_linalg_is_on_buffers(op)) {
        if (mlc_op_num_operands(op) != 2 || mlc_op_operand(op, 0) != mlc_op_operand(op, 1))
            return false;
        mlc_rewriter_erase(rw, op);
        return true;
    }
    size_t n = mlc_op_num_results(op);
    if (!mlc_linalg_is_on_tensors(op) || mlc_op_num_operands(yield) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcValue *arg = mlc_op_operand(yield, i);
        if (mlc_value_block(arg) != block)
            return false;
        MlcType from = mlc_op_operand_type(op, mlc_value_index(arg)),
                to = mlc_value_type(mlc_op_result(op, i));
        if (from != to && !may_be_cast(from, to))
            return false;
    }
    MlcValueVec values = {0};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&values,
                     mlc_linalg_cast(mlc_rewriter_builder(rw),
                                     mlc_op_operand(op, mlc_value_index(mlc_op_operand(yield, i))),
                                     mlc_value_type(mlc_op_result(op, i))));
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return true;
}

#define OF_STRUCTURED (MLC_INTERFACE_STRUCTURED + 1)

// Those of all structured ops come with linalg.generic's own.
void
mlc_linalg_generic_patterns(MlcPatternSet *set)
{
    static const MlcPattern patterns[] = {
        {"linalg.generic: identity", "linalg.generic", 0, 1, mlc_linalg_erase_identity, NULL},
        {"linalg: no iteration", NULL, OF_STRUCTURED, 1, erase_empty, NULL},
        {"linalg: memref.cast", NULL, OF_STRUCTURED, 1, drop_memref_casts, NULL},
        {"linalg: static shapes", NULL, OF_STRUCTURED, 1, infer_static_shapes, NULL},
        {"linalg: cast of a result", "tensor.cast", 0, 1, cast_destination, NULL},
    };
    mlc_pattern_set_add_all(set, patterns, sizeof patterns / sizeof *patterns);
}

// copy(x, x) -> x
bool
mlc_linalg_erase_self_copy(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    if (mlc_op_num_operands(op) != 2 || mlc_op_operand(op, 0) != mlc_op_operand(op, 1))
        return false;
    if (mlc_op_num_results(op) > 0)
        return mlc_linalg_replace(rw, op, mlc_op_operand(op, 0));
    mlc_rewriter_erase(rw, op);
    return true;
}
