// memref_patterns.c -- canonicalisation of memref ops: allocations of constant sizes, buffers that
// nobody reads, windows with constant lists, casts.
#include "mlc/dialects/memref.h"
#include "mlc/dialects/arith.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"

#include "memref_impl.h"

static bool
replace_cast(MlcRewriter *rw, MlcOp *op, MlcValue *value)
{
    if (mlc_value_type(value) != mlc_op_result_type(op, 0))
        value = mlc_memref_cast(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), value);
    mlc_rewriter_replace(rw, op, &value, 1);
    return true;
}

// --- allocation

// alloc(c) : memref<?> -> cast(alloc() : memref<c>)
bool
mlc_memref_allocate_static(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValueVec sizes = {0};
    MlcType type = mlc_static_result_type(op, 0, &sizes);
    bool changed = type != mlc_op_result_type(op, 0);
    if (changed) {
        MlcOp *made = mlc_builder_insert(mlc_rewriter_builder(rw), mlc_op_clone(op, NULL));
        mlc_op_set_discardable(made, NULL);
        mlc_op_set_operand_group(made, 0, sizes.data, sizes.size);
        mlc_value_set_type(mlc_op_result(made, 0), type);
        replace_cast(rw, op, mlc_op_result(made, 0));
    }
    mlc_vec_release(&sizes);
    return changed;
}

// A buffer that is only written and freed.
bool
mlc_memref_remove_unread(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *buffer = mlc_op_result(op, 0);
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *user = mlc_use_owner(use);
        bool is_write = mlc_memref_store_isa(user) && mlc_op_operand(user, 0) != buffer;
        if (!is_write && !mlc_memref_dealloc_isa(user))
            return false;
    }
    while (mlc_value_has_uses(buffer))
        mlc_rewriter_erase(rw, mlc_use_owner(mlc_value_first_use(buffer)));
    mlc_rewriter_erase(rw, op);
    return true;
}

// --- memref.alloca_scope

// What is not known to do otherwise may allocate for the scope it is in.
static bool
may_be_alloca(MlcOp *op)
{
    MlcEffectVec effects = {0};
    if (mlc_op_has_trait(op, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS))
        return false;
    bool is_known = mlc_op_effects(op, &effects);
    mlc_vec_release(&effects);
    return !is_known || mlc_memref_alloca_isa(op);
}

// Whether something inside may allocate for the scope.
static MlcWalk
find_alloca(MlcOp *op, void *user)
{
    if (op == user)
        return MLC_WALK_CONTINUE;
    if (may_be_alloca(op))
        return MLC_WALK_STOP;
    return mlc_op_has_trait(op, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE) ? MLC_WALK_SKIP
                                                                      : MLC_WALK_CONTINUE;
}

static bool
is_last(const MlcOp *op)
{
    const MlcBlock *block = mlc_op_block(op);
    return mlc_op_next(op) && mlc_op_next(op) == mlc_block_terminator(block) &&
           mlc_region_has_one_block(mlc_block_region(block));
}

// A scope without allocations is no scope; one at the end of another scope adds nothing to it.
bool
mlc_memref_inline_scope(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *parent = mlc_op_parent(op);
    bool is_needed = !mlc_op_walk_preorder(op, find_alloca, op);
    if (is_needed &&
        (!mlc_op_has_trait(parent, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE) || !is_last(op)))
        return false;
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcOp *end = mlc_block_last(body);
    MlcValueVec values = {0};
    MLC_FOR_EACH_OPERAND (value, end)
        mlc_vec_push(&values, value);
    mlc_rewriter_inline_block(rw, body, op, NULL);
    mlc_rewriter_erase(rw, end);
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return true;
}

// Allocations move out of ops that are the last of their scope, if their sizes are known there.
bool
mlc_memref_hoist_allocas(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *outermost = mlc_op_parent(op);
    if (!outermost || mlc_op_has_trait(outermost, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE) ||
        !is_last(op) || !mlc_op_parent(outermost) || !is_last(outermost))
        return false;
    while (!mlc_op_has_trait(mlc_op_parent(outermost), MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE)) {
        outermost = mlc_op_parent(outermost);
        if (!mlc_op_parent(outermost) || !is_last(outermost))
            return false;
    }
    bool any = false;
    MLC_FOR_EACH_POSTORDER (inner, op) {
        bool is_free = mlc_memref_alloca_isa(inner);
        for (size_t i = 0; is_free && i < mlc_op_num_operands(inner); i++)
            is_free = !mlc_value_is_inside(mlc_op_operand(inner, i), outermost);
        if (is_free)
            mlc_op_move_before(inner, outermost);
        any |= is_free;
    }
    if (any)
        mlc_rewriter_changed(rw, op);
    return any;
}

// --- memref.copy

static bool
is_empty(MlcType type)
{
    for (size_t i = 0; mlc_type_has_rank(type) && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == 0)
            return true;
    return false;
}

// A copy of nothing, or onto itself.
bool
mlc_memref_remove_copy(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    if (mlc_op_operand(op, 0) != mlc_op_operand(op, 1) && !is_empty(mlc_op_operand_type(op, 0)) &&
        !is_empty(mlc_op_operand_type(op, 1)))
        return false;
    mlc_rewriter_erase(rw, op);
    return true;
}

// Casts that keep the shape are looked through, whatever they do to the layout.
bool
mlc_memref_copy_of_casts(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    bool any = false;
    for (size_t i = 0; i < 2; i++) {
        MlcOp *cast = mlc_value_def(mlc_op_operand(op, i));
        MlcType from = mlc_memref_cast_isa(cast) ? mlc_op_operand_type(cast, 0) : NULL,
                to = mlc_op_operand_type(op, i);
        if (!from || !mlc_type_has_rank(from) || !mlc_type_has_rank(to) ||
            memcmp(mlc_type_shape(from), mlc_type_shape(to), mlc_type_rank(to) * sizeof(int64_t)) !=
                0)
            continue;
        mlc_op_set_operand(op, i, mlc_op_operand(cast, 0));
        any = true;
    }
    if (any)
        mlc_rewriter_changed(rw, op);
    return any;
}

// --- memref.dim

// The shape is read just after the reshape, where the index must be known already.
bool
mlc_memref_dim_of_reshape(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *index = mlc_op_operand(op, 1);
    MlcOp *reshape = mlc_value_def(mlc_op_operand(op, 0)), *def = mlc_value_def(index);
    if (!mlc_memref_reshape_isa(reshape))
        return false;
    MlcBlock *block = mlc_op_block(reshape);
    if (def && mlc_op_block(def) == block) {
        if (mlc_op_is_before(reshape, def))
            return false;
    } else if (mlc_op_block(op) != block &&
               !mlc_op_is_ancestor(mlc_block_parent(mlc_value_parent_block(index)), reshape)) {
        return false;
    }
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcLoc loc = mlc_op_loc(op);
    mlc_builder_after(b, reshape);
    b->loc = loc;
    MlcValue *size = mlc_memref_load(b, mlc_op_operand(reshape, 1), &index, 1);
    if (mlc_value_type(size) != mlc_op_result_type(op, 0))
        size = mlc_arith_index_cast(b, mlc_op_result_type(op, 0), size);
    mlc_rewriter_replace(rw, op, &size, 1);
    return true;
}

// --- reshapes

void
mlc_memref_collapse_shape_patterns(MlcPatternSet *set)
{
    mlc_reshape_collapse_patterns(set, &mlc_memref_reshapes);
}

void
mlc_memref_expand_shape_patterns(MlcPatternSet *set)
{
    mlc_reshape_expand_patterns(set, &mlc_memref_reshapes);
}

// --- memref.extract_strided_metadata

static bool
replace_by_constant(MlcRewriter *rw, MlcOp *op, size_t result, int64_t constant)
{
    MlcValue *value = mlc_op_result(op, result);
    if (constant == MLC_DYNAMIC || !mlc_value_has_uses(value))
        return false;
    MLC_FOR_EACH_USE (use, value)
        mlc_rewriter_changed(rw, mlc_use_owner(use));
    mlc_value_replace_uses(value, mlc_build_index(mlc_rewriter_builder(rw), constant));
    return true;
}

// What the type knows of offset, sizes and strides are constants.
bool
mlc_memref_fold_metadata(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType type = mlc_op_operand_type(op, 0);
    size_t rank = mlc_type_rank(type);
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (rank > MLC_RANK_LIMIT || !mlc_memref_type_strides(type, &offset, strides))
        return false;
    bool any = replace_by_constant(rw, op, 1, offset);
    for (size_t i = 0; i < rank; i++)
        any |= replace_by_constant(rw, op, 2 + i, mlc_type_dim(type, i));
    for (size_t i = 0; i < rank; i++)
        any |= replace_by_constant(rw, op, 2 + rank + i, strides[i]);
    return any;
}

// An entry of a reinterpret_cast is what the metadata says of the source.
static bool
says_the_same(MlcMixed entry, MlcValue *result, int64_t known)
{
    int64_t constant;
    if (entry.value == result && result)
        return true;
    return known != MLC_DYNAMIC && mlc_mixed_constant(entry, &constant) && constant == known;
}

// reinterpret_cast(base of x), with x's own offset, sizes and strides -> x
bool
mlc_memref_reinterpret_metadata(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *metadata = mlc_value_def(mlc_op_operand(op, 0));
    MlcSlice lists;
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!mlc_memref_extract_strided_metadata_isa(metadata) || !mlc_slice_read(op, &lists))
        return false;
    MlcValue *source = mlc_op_operand(metadata, 0);
    MlcType type = mlc_value_type(source);
    size_t rank = mlc_type_rank(type);
    bool same = rank == lists.sizes.size && mlc_memref_type_strides(type, &offset, strides) &&
                says_the_same(lists.offsets.items[0], mlc_op_result(metadata, 1), offset);
    for (size_t i = 0; same && i < rank; i++)
        same = says_the_same(lists.sizes.items[i], mlc_op_result(metadata, 2 + i),
                             mlc_type_dim(type, i)) &&
               says_the_same(lists.strides.items[i], mlc_op_result(metadata, 2 + rank + i),
                             strides[i]);
    return same && replace_cast(rw, op, source);
}

// --- memref.subview

// The type of a window on a source of this type, without the dimensions that op's result has not.
static MlcType
reduced_type(const MlcOp *op, MlcType source, const MlcSlice *slice)
{
    int64_t offsets[MLC_RANK_LIMIT], sizes[MLC_RANK_LIMIT], strides[MLC_RANK_LIMIT];
    bool dropped[MLC_RANK_LIMIT];
    if (!mlc_memref_subview_dropped_dims(op, dropped))
        return NULL;
    mlc_mixed_list_static(&slice->offsets, offsets);
    mlc_mixed_list_static(&slice->sizes, sizes);
    mlc_mixed_list_static(&slice->strides, strides);
    return mlc_memref_type_slice(source, offsets, sizes, strides, dropped);
}

static bool
rebuild_subview(MlcRewriter *rw, MlcOp *op, MlcValue *source, const MlcSlice *slice)
{
    MlcType type = reduced_type(op, mlc_value_type(source), slice);
    if (!type)
        return false;
    MlcOp *made =
        mlc_build_slice(mlc_rewriter_builder(rw), mlc_op_def(op), type, &source, 1, slice);
    return replace_cast(rw, op, mlc_op_result(made, 0));
}

bool
mlc_memref_subview_constants(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcSlice slice;
    return mlc_slice_read(op, &slice) && mlc_slice_fold(&slice) &&
           rebuild_subview(rw, op, mlc_op_operand(op, 0), &slice);
}

bool
mlc_memref_subview_of_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cast = mlc_memref_foldable_cast(mlc_op_operand(op, 0));
    MlcSlice slice, folded;
    if (!cast || !mlc_slice_read(op, &slice))
        return false;
    folded = slice;
    return !mlc_slice_fold(&folded) && rebuild_subview(rw, op, mlc_op_operand(cast, 0), &slice);
}

// A window that is all of its source is a cast of it.
bool
mlc_memref_subview_of_all(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType source = mlc_op_operand_type(op, 0);
    MlcSlice slice;
    if (mlc_type_rank(mlc_op_result_type(op, 0)) != mlc_type_rank(source) ||
        !mlc_slice_read(op, &slice) || !mlc_mixed_list_all(&slice.offsets, 0) ||
        !mlc_mixed_list_all(&slice.strides, 1))
        return false;
    for (size_t i = 0; i < slice.sizes.size; i++)
        if (mlc_type_dim(source, i) == MLC_DYNAMIC ||
            !mlc_mixed_is(slice.sizes.items[i], mlc_type_dim(source, i)))
            return false;
    return replace_cast(rw, op, mlc_op_operand(op, 0));
}

// --- memref.view

static bool
rebuild_view(MlcRewriter *rw, MlcOp *op, MlcType type, MlcValue *source, const MlcValueVec *sizes)
{
    return replace_cast(rw, op,
                        mlc_memref_view(mlc_rewriter_builder(rw), type, source,
                                        mlc_op_operand(op, 1), sizes->data, sizes->size));
}

bool
mlc_memref_view_static(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValueVec sizes = {0};
    MlcType type = mlc_static_result_type(op, 2, &sizes);
    bool changed = type != mlc_op_result_type(op, 0) &&
                   rebuild_view(rw, op, type, mlc_op_operand(op, 0), &sizes);
    mlc_vec_release(&sizes);
    return changed;
}

bool
mlc_memref_view_of_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cast = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_memref_cast_isa(cast) || !mlc_memref_alloc_isa(mlc_value_def(mlc_op_operand(cast, 0))))
        return false;
    mlc_op_set_operand(op, 0, mlc_op_operand(cast, 0));
    mlc_rewriter_changed(rw, op);
    return true;
}
