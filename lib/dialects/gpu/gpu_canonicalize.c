// gpu_canonicalize.c -- waits, barriers and copies that do nothing, sizes of one, casts of memory.
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"

#include "mlc/ir/rewrite.h"

// --- folds

static bool
look_through_casts(MlcOp *op)
{
    bool changed = false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcOp *def = mlc_value_def(mlc_op_operand(op, i));
        if (!mlc_memref_cast_isa(def) || !mlc_type_has_rank(mlc_value_type(mlc_op_operand(def, 0))))
            continue;
        mlc_op_set_operand(op, i, mlc_op_operand(def, 0));
        changed = true;
    }
    return changed;
}

bool
mlc_gpu_memory_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    return look_through_casts(op);
}

// In the entry block of a launch every work item comes along.
bool
mlc_gpu_reduction_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    MlcOp *launch = mlc_op_parent(op);
    if (!launch || !mlc_gpu_launch_isa(launch) || mlc_op_attr(op, "uniform") ||
        mlc_op_block(op) != mlc_region_first(mlc_gpu_launch_body(launch)))
        return false;
    mlc_op_set_attr(op, "uniform", mlc_unit_attr_get(mlc_op_context(op)));
    return true;
}

// --- gpu.wait

static bool
is_independent_wait(const MlcValue *token)
{
    MlcOp *def = mlc_value_def(token);
    return def && mlc_gpu_wait_isa(def) && mlc_op_num_operands(def) == 0;
}

// wait [t, (wait async)] -> wait [t]
bool
mlc_gpu_drop_independent_tokens(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValueVec kept = {0};
    MLC_FOR_EACH_OPERAND (token, op)
        if (!is_independent_wait(token))
            mlc_vec_push(&kept, token);
    bool changed = kept.size < mlc_op_num_operands(op);
    if (changed) {
        mlc_op_set_operands(op, kept.data, kept.size);
        mlc_rewriter_changed(rw, op);
    }
    mlc_vec_release(&kept);
    return changed;
}

// wait -> nothing; wait async [t] -> t; wait async of which nobody uses the token -> nothing
bool
mlc_gpu_remove_trivial_wait(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_operands(op);
    bool is_async = mlc_op_num_results(op) > 0;
    if (n == 1 && is_async) {
        MlcValue *token = mlc_op_operand(op, 0);
        mlc_rewriter_replace(rw, op, &token, 1);
        return true;
    }
    if (is_async ? mlc_op_has_uses(op) : n > 0)
        return false;
    mlc_rewriter_erase(rw, op);
    return true;
}

// --- gpu.barrier

bool
mlc_gpu_merge_barriers(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *next = mlc_op_next(op);
    if (!next || !mlc_gpu_barrier_isa(next))
        return false;
    mlc_rewriter_erase(rw, op);
    return true;
}

// --- gpu.memcpy

// Whether all that the op does to memory is this, to this value.
static bool
has_single_effect(MlcOp *op, MlcEffect effect, const MlcValue *value)
{
    MlcEffectVec effects = {0};
    bool ok = mlc_op_effects(op, &effects) && effects.size == 1 &&
              effects.data[0].effect == effect && effects.data[0].value == value;
    mlc_vec_release(&effects);
    return ok;
}

// A copy into memory that is made here and only freed.
bool
mlc_gpu_remove_dead_copy(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *dst = mlc_gpu_memcpy_dst(op);
    MlcOp *def = mlc_value_def(dst);
    if (!def || !has_single_effect(def, MLC_EFFECT_ALLOC, dst))
        return false;
    MLC_FOR_EACH_USE (use, dst) {
        MlcOp *user = mlc_use_owner(use);
        if (user != op && !has_single_effect(user, MLC_EFFECT_FREE, dst))
            return false;
    }
    size_t num_tokens = mlc_gpu_memcpy_num_async_dependencies(op);
    if (num_tokens > 1 || num_tokens != mlc_op_num_results(op))
        return false;
    MlcValue *token = num_tokens ? mlc_op_operand(op, 0) : NULL;
    mlc_rewriter_replace(rw, op, &token, num_tokens);
    return true;
}

// --- gpu.alloc

// dim (alloc(n)), i -> n
bool
mlc_gpu_dim_of_alloc(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *alloc = mlc_value_def(mlc_op_operand(op, 0));
    int64_t index;
    if (!alloc || !mlc_gpu_alloc_isa(alloc) ||
        !mlc_value_constant_int(mlc_op_operand(op, 1), &index))
        return false;
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    const int64_t *shape = mlc_type_shape(type);
    if (index < 0 || (size_t)index >= mlc_type_rank(type) || shape[index] != MLC_DYNAMIC)
        return false;
    size_t position = 0;
    for (int64_t i = 0; i < index; i++)
        position += shape[i] == MLC_DYNAMIC;
    MlcValue *size = mlc_gpu_alloc_dynamic_sizes(alloc, position);
    mlc_rewriter_replace(rw, op, &size, 1);
    return true;
}

// --- gpu.launch

// Ids along dimensions of size 1 are 0.
bool
mlc_gpu_fold_ids(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *sizes[] = {mlc_gpu_launch_grid_size_x(op),  mlc_gpu_launch_grid_size_y(op),
                         mlc_gpu_launch_grid_size_z(op),  mlc_gpu_launch_block_size_x(op),
                         mlc_gpu_launch_block_size_y(op), mlc_gpu_launch_block_size_z(op)};
    MlcBlock *entry = mlc_region_first(mlc_gpu_launch_body(op));
    MlcValue *zero = NULL;
    for (size_t i = 0; i < 6; i++) {
        MlcValue *id = mlc_block_arg(entry, i);
        int64_t size;
        if (!mlc_value_constant_int(sizes[i], &size) || size != 1 || !mlc_value_has_uses(id))
            continue;
        if (!zero) {
            MlcBuilder *b = mlc_rewriter_builder(rw);
            mlc_builder_at_start(b, entry);
            b->loc = mlc_op_loc(op);
            zero = mlc_build_index(b, 0);
        }
        MLC_FOR_EACH_USE_SAFE (use, id) {
            MlcOp *user = mlc_use_owner(use);
            mlc_use_set(use, zero);
            mlc_rewriter_changed(rw, user);
        }
    }
    return zero != NULL;
}
