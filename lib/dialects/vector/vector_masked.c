// vector_masked.c -- masks whose lanes are known: what runs under them runs bare, or not at all.
#include "vector_impl.h"
#include "mlc/dialects/arith.h"

// --- create_mask

// c of `c * vscale`; false if the value is none.
static bool
vscale_multiple(MlcValue *value, int64_t *multiple)
{
    MlcOp *op = mlc_value_def(value);
    *multiple = 1;
    if (mlc_vector_vscale_isa(op))
        return true;
    if (!mlc_arith_muli_isa(op))
        return false;
    for (size_t i = 0; i < 2; i++)
        if (mlc_vector_vscale_isa(operand_def(op, i)))
            return mlc_value_constant_int(mlc_op_operand(op, 1 - i), multiple);
    return false;
}

// create_mask(constants) -> constant_mask, sizes brought into range; one that is empty empties all
bool
mlc_vector_create_to_constant(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(type), n = mlc_op_num_operands(op);
    int64_t sizes[MLC_RANK_LIMIT];
    bool is_empty = false;
    if (n > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < n; i++) {
        bool is_scalable = rank > 0 && mlc_vector_type_is_scalable(type, i);
        int64_t max = rank > 0 ? mlc_type_dim(type, i) : 1;
        if (mlc_value_constant_int(mlc_op_operand(op, i), &sizes[i])) {
            if (is_scalable && sizes[i] > 0)
                return false;
        } else if (!is_scalable || !vscale_multiple(mlc_op_operand(op, i), &sizes[i]) ||
                   sizes[i] < max) {
            return false;
        }
        sizes[i] = sizes[i] < 0 ? 0 : sizes[i] > max ? max : sizes[i];
        is_empty |= sizes[i] == 0;
    }
    if (is_empty)
        memset(sizes, 0, n * sizeof *sizes);
    return mlc_vector_replace_by_mask(rw, op, sizes, n);
}

// --- mask

// mask true { op } -> op
bool
mlc_vector_mask_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcBlock *block = mlc_region_first(mlc_vector_mask_mask_region(op));
    MlcOp *inner = mlc_block_first(block), *yield = mlc_block_last(block);
    if (inner == yield || mlc_vector_mask_format(mlc_op_operand(op, 0)) != MASK_ALL_TRUE)
        return false;
    mlc_op_set_operands(yield, NULL, 0);
    mlc_op_move_before(inner, op);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        results[i].value = mlc_op_result(inner, i);
    return true;
}

// mask m { yield x } -> x
bool
mlc_vector_drop_empty_mask(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBlock *block = mlc_region_first(mlc_vector_mask_mask_region(op));
    MlcOp *yield = mlc_block_first(block);
    if (yield != mlc_block_last(block))
        return false;
    MlcValueVec values = {0};
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&values, value);
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return true;
}

// --- loads and stores under masks: base, indices, [index_vec,] mask, pass_thru or value

bool
mlc_vector_load_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    return mlc_vector_fold_memref_casts(op);
}

// Those between the base and the mask.
static void
indices_of(MlcOp *op, MlcValueVec *out)
{
    size_t first, count;
    mlc_op_operand_group(op, 1, &first, &count);
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(out, mlc_op_operand(op, first + i));
}

// maskedload, expandload: all lanes -> load; none -> pass_thru
bool
mlc_vector_simplify_load(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_operands(op);
    switch (mlc_vector_mask_format(mlc_op_operand(op, n - 2))) {
    case MASK_ALL_FALSE:
        return mlc_vector_replace_value(rw, op, mlc_op_operand(op, n - 1));
    case MASK_ALL_TRUE: {
        MlcValueVec indices = {0};
        indices_of(op, &indices);
        mlc_rewriter_replace_op(rw, op,
                                mlc_vector_load(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0),
                                                mlc_op_operand(op, 0), indices.data, indices.size));
        mlc_vec_release(&indices);
        return true;
    }
    default:
        return false;
    }
}

// maskedstore, compressstore: all lanes -> store; none -> nothing
bool
mlc_vector_simplify_store(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_operands(op);
    MaskFormat format = mlc_vector_mask_format(mlc_op_operand(op, n - 2));
    if (format == MASK_UNKNOWN)
        return false;
    if (format == MASK_ALL_TRUE) {
        MlcValueVec indices = {0};
        indices_of(op, &indices);
        mlc_vector_store(mlc_rewriter_builder(rw), mlc_op_operand(op, n - 1), mlc_op_operand(op, 0),
                         indices.data, indices.size);
        mlc_vec_release(&indices);
    }
    mlc_rewriter_erase(rw, op);
    return true;
}

bool
mlc_vector_drop_unused_access(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_operands(op);
    if (mlc_vector_mask_format(mlc_op_operand(op, n - 2)) != MASK_ALL_FALSE)
        return false;
    if (mlc_op_num_results(op) > 0)
        return mlc_vector_replace_value(rw, op, mlc_op_operand(op, n - 1));
    mlc_rewriter_erase(rw, op);
    return true;
}
