// bufferization_patterns.c -- folds and canonicalisation between tensors and buffers: round trips,
// clones that are not needed, conditional deallocations.
#include "mlc/dialects/bufferization.h"

#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"
#include "mlc/dialects/arith.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"

static MlcValue *
cast_memref(MlcBuilder *b, MlcType type, MlcValue *value)
{
    return mlc_value_type(value) == type ? value : mlc_memref_cast(b, type, value);
}

// --- to_tensor and to_memref

// to_tensor(to_memref(x)) -> x, if nothing can have written to the buffer in between
bool
mlc_bufferization_to_tensor_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_bufferization_to_memref_isa(inner) || mlc_op_next(inner) != op)
        return false;
    results->value = mlc_op_operand(inner, 0);
    return true;
}

// to_memref(to_tensor(x)) -> x
bool
mlc_bufferization_to_memref_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_bufferization_to_tensor_isa(inner) ||
        mlc_op_operand_type(inner, 0) != mlc_op_result_type(op, 0))
        return false;
    results->value = mlc_op_operand(inner, 0);
    return true;
}

// dim(to_tensor(x)) -> memref.dim x
bool
mlc_bufferization_dim_of_to_tensor(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    return mlc_bufferization_to_tensor_isa(inner) &&
           mlc_rewriter_replace_op(rw, op,
                                   mlc_memref_dim(mlc_rewriter_builder(rw),
                                                  mlc_op_operand(inner, 0), mlc_op_operand(op, 1)));
}

// A cast that surely succeeds: it promises nothing of the layout that is not known.
static bool
is_safe_cast(MlcType from, MlcType to)
{
    int64_t offsets[2], strides[2][MLC_RANK_LIMIT];
    if (mlc_type_rank(from) > MLC_RANK_LIMIT ||
        !mlc_memref_type_strides(from, &offsets[0], strides[0]) ||
        !mlc_memref_type_strides(to, &offsets[1], strides[1]))
        return false;
    bool ok = mlc_memref_type_memory_space(from) == mlc_memref_type_memory_space(to) &&
              (offsets[0] == offsets[1] || offsets[1] == MLC_DYNAMIC);
    for (size_t i = 0; ok && i < mlc_type_rank(from); i++) {
        int64_t a = mlc_type_dim(from, i), b = mlc_type_dim(to, i);
        ok = (strides[0][i] == strides[1][i] || strides[1][i] == MLC_DYNAMIC) &&
             (a == b || a == MLC_DYNAMIC || b == MLC_DYNAMIC);
    }
    return ok;
}

// Another buffer of the type wanted, with the same content.
static MlcValue *
copy_to(MlcBuilder *b, MlcType type, MlcValue *value)
{
    MlcValueVec sizes = {0};
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            mlc_vec_push(&sizes, mlc_memref_dim(b, value, mlc_build_index(b, (int64_t)i)));
    MlcValue *copy = mlc_memref_alloc(b, type, sizes.data, sizes.size, NULL, 0);
    mlc_memref_copy(b, value, copy);
    mlc_vec_release(&sizes);
    return copy;
}

// to_memref(to_tensor(x)) -> cast(x), or a copy where the layout may be another
bool
mlc_bufferization_memref_of_tensor(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (!mlc_bufferization_to_tensor_isa(inner))
        return false;
    MlcValue *buffer = mlc_op_operand(inner, 0);
    MlcType from = mlc_value_type(buffer), to = mlc_op_result_type(op, 0);
    if (from == to || !mlc_type_has_rank(to))
        return mlc_rewriter_replace_op(rw, op, cast_memref(b, to, buffer));
    if (!mlc_type_has_rank(from) || mlc_type_rank(from) != mlc_type_rank(to))
        return false;
    return mlc_rewriter_replace_op(
        rw, op, is_safe_cast(from, to) ? cast_memref(b, to, buffer) : copy_to(b, to, buffer));
}

// to_memref(tensor.cast(x)) -> memref.cast(to_memref(x))
bool
mlc_bufferization_memref_of_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cast = mlc_value_def(mlc_op_operand(op, 0));
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (!mlc_tensor_cast_isa(cast) || !mlc_type_has_rank(mlc_op_operand_type(cast, 0)))
        return false;
    MlcType from = mlc_op_operand_type(cast, 0),
            type = mlc_memref_type_get(mlc_type_element(from), mlc_type_shape(from),
                                       mlc_type_rank(from), NULL, NULL);
    MlcValue *buffer = mlc_bufferization_to_memref(b, type, mlc_op_operand(cast, 0));
    return mlc_rewriter_replace_op(rw, op, mlc_memref_cast(b, mlc_op_result_type(op, 0), buffer));
}

// memref.load(to_memref(x)) -> tensor.extract x
bool
mlc_bufferization_load_of_memref(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_bufferization_to_memref_isa(inner))
        return false;
    MlcValueVec indices = {0};
    for (size_t i = 1; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&indices, mlc_op_operand(op, i));
    MlcValue *value = mlc_tensor_extract(mlc_rewriter_builder(rw), mlc_op_operand(inner, 0),
                                         indices.data, indices.size);
    mlc_vec_release(&indices);
    return mlc_rewriter_replace_op(rw, op, value);
}

// --- alloc_tensor

// dim(alloc_tensor(sizes)) -> the size, or that of what it copies
bool
mlc_bufferization_dim_of_alloc_tensor(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *alloc = mlc_value_def(mlc_op_operand(op, 0));
    MlcType type = mlc_op_operand_type(op, 0);
    int64_t dim;
    size_t at = 0;
    if (!mlc_bufferization_alloc_tensor_isa(alloc) ||
        !mlc_value_constant_int(mlc_op_operand(op, 1), &dim) || dim < 0 ||
        dim >= (int64_t)mlc_type_rank(type) || mlc_type_dim(type, (size_t)dim) != MLC_DYNAMIC)
        return false;
    MlcValue *copy = mlc_bufferization_alloc_tensor_copy(alloc);
    if (copy)
        return mlc_rewriter_replace_op(
            rw, op, mlc_tensor_dim(mlc_rewriter_builder(rw), copy, mlc_op_operand(op, 1)));
    for (int64_t i = 0; i < dim; i++)
        at += mlc_type_dim(type, (size_t)i) == MLC_DYNAMIC;
    return mlc_rewriter_replace_op(rw, op, mlc_op_operand(alloc, at));
}

// alloc_tensor(c) : tensor<?> -> cast(alloc_tensor() : tensor<c>)
bool
mlc_bufferization_allocate_static(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(type), at = 0;
    int64_t shape[MLC_RANK_LIMIT], size;
    MlcValueVec sizes = {0};
    if (mlc_bufferization_alloc_tensor_copy(op) || rank > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < rank; i++) {
        shape[i] = mlc_type_dim(type, i);
        if (shape[i] != MLC_DYNAMIC)
            continue;
        MlcValue *value = mlc_op_operand(op, at++);
        if (mlc_value_constant_int(value, &size) && size >= 0)
            shape[i] = size;
        else
            mlc_vec_push(&sizes, value);
    }
    bool changed = sizes.size < at;
    if (changed) {
        MlcBuilder *b = mlc_rewriter_builder(rw);
        MlcOp *made = mlc_builder_insert(b, mlc_op_clone(op, NULL));
        mlc_op_set_operand_group(made, 0, sizes.data, sizes.size);
        mlc_value_set_type(mlc_op_result(made, 0),
                           mlc_tensor_type_get(mlc_type_element(type), shape, rank,
                                               mlc_tensor_type_encoding(type)));
        mlc_rewriter_replace_op(rw, op, mlc_tensor_cast(b, type, mlc_op_result(made, 0)));
    }
    mlc_vec_release(&sizes);
    return changed;
}

// --- clone

bool
mlc_bufferization_clone_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    MlcOp *cast = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_memref_cast_isa(cast) || !mlc_type_has_rank(mlc_op_operand_type(cast, 0)))
        return false;
    mlc_op_set_operand(op, 0, mlc_op_operand(cast, 0));
    return true;
}

static bool
has_effect(MlcOp *op, uint8_t effect, const MlcValue *on)
{
    MlcEffectVec effects = {0};
    bool found = false;
    if (mlc_op_effects(op, &effects))
        for (size_t i = 0; i < effects.size; i++)
            found |= (effects.data[i].effect & effect) && (!on || effects.data[i].value == on);
    mlc_vec_release(&effects);
    return found;
}

// The op that frees the buffer, if any; false if there are several, or it lives on elsewhere.
static bool
find_dealloc(const MlcValue *buffer, MlcOp **dealloc)
{
    *dealloc = NULL;
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *user = mlc_use_owner(use);
        if (!has_effect(user, MLC_EFFECT_FREE, buffer))
            continue;
        if (mlc_memref_realloc_isa(user) || *dealloc)
            return false;
        *dealloc = user;
    }
    return true;
}

static MlcValue *
viewed_buffer(MlcValue *value)
{
    for (MlcOp *def; (def = mlc_value_def(value)) != NULL;) {
        const MlcViewLike *view = mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE);
        if (!view)
            break;
        value = mlc_op_operand(def, view->source(def));
    }
    return value;
}

static bool
is_freed_between(MlcOp *op, const MlcOp *end)
{
    while ((op = mlc_op_next(op)) != end)
        if (!op || has_effect(op, MLC_EFFECT_FREE, NULL))
            return true;
    return false;
}

// A clone is its source, if one of the two is freed at the end of the clone's block and nothing
// else is before.
bool
mlc_bufferization_simplify_clone(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *source = mlc_op_operand(op, 0), *clone = mlc_op_result(op, 0);
    MlcOp *frees_clone, *frees_source;
    if (!mlc_value_has_uses(clone)) {
        mlc_rewriter_erase(rw, op);
        return true;
    }
    if (!find_dealloc(clone, &frees_clone) || !find_dealloc(viewed_buffer(source), &frees_source) ||
        (frees_clone && frees_source && mlc_op_block(frees_clone) == mlc_op_block(frees_source)))
        return false;
    MlcBlock *block = mlc_op_block(op);
    MlcOp *redundant = frees_clone && mlc_op_block(frees_clone) == block     ? frees_clone
                       : frees_source && mlc_op_block(frees_source) == block ? frees_source
                                                                             : NULL;
    if (!redundant || is_freed_between(op, redundant))
        return false;
    source = cast_memref(mlc_rewriter_builder(rw), mlc_value_type(clone), source);
    mlc_rewriter_replace_op(rw, op, source);
    mlc_rewriter_erase(rw, redundant);
    return true;
}

// --- dealloc

typedef struct Dealloc {
    MlcValueVec memrefs, conditions;
} Dealloc;

static void
push_dealloc(Dealloc *d, MlcValue *memref, MlcValue *condition)
{
    mlc_vec_push(&d->memrefs, memref);
    mlc_vec_push(&d->conditions, condition);
}

static MlcValue *
memref_of(const MlcOp *op, size_t i)
{
    return mlc_op_operand(op, i);
}

static MlcValue *
condition_of(const MlcOp *op, size_t i)
{
    return mlc_op_operand(op, mlc_bufferization_dealloc_num_memrefs(op) + i);
}

// Puts other memrefs and conditions in place; false if they are those that are there.
static bool
update(MlcRewriter *rw, MlcOp *op, Dealloc *d)
{
    size_t n = mlc_bufferization_dealloc_num_memrefs(op);
    bool changed = d->memrefs.size != n;
    for (size_t i = 0; i < n && !changed; i++)
        changed =
            d->memrefs.data[i] != memref_of(op, i) || d->conditions.data[i] != condition_of(op, i);
    if (changed) {
        mlc_op_set_operand_group(op, 0, d->memrefs.data, d->memrefs.size);
        mlc_op_set_operand_group(op, 1, d->conditions.data, d->conditions.size);
        mlc_rewriter_changed(rw, op);
    }
    mlc_vec_release(&d->memrefs);
    mlc_vec_release(&d->conditions);
    return changed;
}

// A buffer is freed once, if any of its conditions holds.
bool
mlc_bufferization_join_memrefs(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0};
    for (size_t i = 0; i < mlc_bufferization_dealloc_num_memrefs(op); i++) {
        MlcValue *memref = memref_of(op, i), *condition = condition_of(op, i);
        size_t k = 0;
        while (k < d.memrefs.size && d.memrefs.data[k] != memref)
            k++;
        if (k == d.memrefs.size)
            push_dealloc(&d, memref, condition);
        else if (d.conditions.data[k] != condition)
            d.conditions.data[k] =
                mlc_arith_ori(mlc_rewriter_builder(rw), d.conditions.data[k], condition);
    }
    return update(rw, op, &d);
}

// A buffer is retained once; results of the others are that one's.
bool
mlc_bufferization_join_retained(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_results(op), first = 2 * mlc_bufferization_dealloc_num_memrefs(op);
    MlcValueVec unique = {0}, values = {0};
    MLC_VEC(size_t) positions = {0};
    for (size_t i = 0; i < n; i++) {
        MlcValue *retained = mlc_op_operand(op, first + i);
        size_t k = 0;
        while (k < unique.size && unique.data[k] != retained)
            k++;
        mlc_vec_push(&positions, k);
        if (k == unique.size)
            mlc_vec_push(&unique, retained);
    }
    bool changed = unique.size < n;
    if (changed) {
        size_t num_memrefs = mlc_bufferization_dealloc_num_memrefs(op);
        for (size_t i = 0; i < first; i++)
            mlc_vec_push(&values, mlc_op_operand(op, i));
        MlcOp *made = mlc_bufferization_dealloc(mlc_rewriter_builder(rw), values.data, num_memrefs,
                                                values.data + num_memrefs, num_memrefs, unique.data,
                                                unique.size);
        mlc_vec_clear(&values);
        for (size_t i = 0; i < n; i++)
            mlc_vec_push(&values, mlc_op_result(made, positions.data[i]));
        mlc_rewriter_replace(rw, op, values.data, values.size);
    }
    mlc_vec_release(&unique);
    mlc_vec_release(&values);
    mlc_vec_release(&positions);
    return changed;
}

// Nothing is freed, so nothing retained was to be.
bool
mlc_bufferization_erase_empty(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    if (mlc_bufferization_dealloc_num_memrefs(op))
        return false;
    MlcValueVec values = {0};
    MlcValue *no = mlc_build_constant(b, mlc_bool_attr_get(b->ctx, false));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&values, no);
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return true;
}

// Buffers whose condition never holds are not freed.
bool
mlc_bufferization_drop_never(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0};
    int64_t condition;
    for (size_t i = 0; i < mlc_bufferization_dealloc_num_memrefs(op); i++)
        if (!mlc_value_constant_int(condition_of(op, i), &condition) || condition != 0)
            push_dealloc(&d, memref_of(op, i), condition_of(op, i));
    return update(rw, op, &d);
}

// The base of a buffer that was allocated is freed as the buffer.
bool
mlc_bufferization_skip_metadata(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0};
    for (size_t i = 0; i < mlc_bufferization_dealloc_num_memrefs(op); i++) {
        MlcValue *memref = memref_of(op, i);
        MlcOp *def = mlc_value_def(memref);
        MlcValue *source =
            mlc_memref_extract_strided_metadata_isa(def) ? mlc_op_operand(def, 0) : NULL;
        MlcOp *alloc = source ? mlc_value_def(source) : NULL;
        if (alloc && has_effect(alloc, MLC_EFFECT_ALLOC, source))
            memref = source;
        push_dealloc(&d, memref, condition_of(op, i));
    }
    return update(rw, op, &d);
}

static bool
only_allocates(MlcOp *op, const MlcValue *buffer)
{
    MlcEffectVec effects = {0};
    bool ok = mlc_op_effects(op, &effects) && effects.size == 1 &&
              effects.data[0].effect == MLC_EFFECT_ALLOC && effects.data[0].value == buffer;
    mlc_vec_release(&effects);
    return ok;
}

// A buffer that is only freed need not be there.
bool
mlc_bufferization_remove_unused(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0};
    MlcOpVec unused = {0};
    for (size_t i = 0; i < mlc_bufferization_dealloc_num_memrefs(op); i++) {
        MlcValue *memref = memref_of(op, i);
        MlcOp *alloc = mlc_value_def(memref);
        if (alloc && mlc_value_has_one_use(memref) && only_allocates(alloc, memref))
            mlc_vec_push(&unused, alloc);
        else
            push_dealloc(&d, memref, condition_of(op, i));
    }
    bool changed = update(rw, op, &d);
    for (size_t i = 0; changed && i < unused.size; i++)
        mlc_rewriter_erase(rw, unused.data[i]);
    mlc_vec_release(&unused);
    return changed;
}
