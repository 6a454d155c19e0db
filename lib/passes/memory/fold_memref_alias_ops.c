// fold_memref_alias_ops.c -- accesses through a view become accesses of what it looks at: their
// indices go through the window, or the dimensions that were split or joined.
//
// Vectors need neighbours to stay neighbours, so they only go through windows of unit strides.
#include "mlc/dialects/affine_compose.h"
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/memref.h"
#include "mlc/ir/reassociation.h"

static MlcValue *
apply(MlcBuilder *b, MlcAffineExpr e, const MlcMixed *symbols, size_t n)
{
    return mlc_mixed_value(b, mlc_mixed_apply(b, e, symbols, n));
}

// The op's indices into the view, as values.
static void
read_indices(MlcBuilder *b, MlcOp *op, MlcValueVec *out)
{
    size_t first, count;
    mlc_op_access_indices(op, &first, &count);
    MlcAffineMap map = mlc_op_access_map(op);
    if (!map) {
        for (size_t i = 0; i < count; i++)
            mlc_vec_push(out, mlc_op_operand(op, first + i));
        return;
    }
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcValueMap index = mlc_value_map_of(mlc_affine_map_sub(map, &i, 1), op, first);
        mlc_vec_push(out, mlc_value_map_build(b, &index));
    }
}

static void
write_access(MlcOp *op, MlcValue *memref, const MlcValueVec *indices)
{
    const MlcMemoryAccess *access = mlc_op_access(op);
    mlc_op_set_operand_group(op, access->memref, &memref, 1);
    mlc_op_set_operand_group(op, access->indices, indices->data, indices->size);
    if (access->map)
        mlc_op_set_slot(op, access->map - 1u,
                        mlc_affine_map_attr_get(
                            mlc_affine_map_identity(mlc_op_context(op), (unsigned)indices->size)));
}

static bool
is_vector(const MlcOp *op)
{
    return mlc_op_access_value(op) && !mlc_op_accesses_element(op);
}

// --- windows

static bool
has_out_of_bounds_dim(const MlcOp *op)
{
    const MlcMemoryAccess *access = mlc_op_access(op);
    MlcAttr in_bounds = access->in_bounds ? mlc_op_slot(op, access->in_bounds - 1u) : NULL;
    for (size_t i = 0; in_bounds && i < mlc_array_attr_size(in_bounds); i++)
        if (!mlc_attr_as_bool(mlc_array_attr_element(in_bounds, i)))
            return true;
    return false;
}

// The permutation over the source's dimensions: those of the window are some of them, in order.
static void
widen_permutation(MlcOp *op, size_t slot, const bool *dropped, size_t rank)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcAffineMap map = mlc_affine_map_attr_value(mlc_op_slot(op, slot));
    MLC_VEC(MlcAffineExpr) dims = {0};
    for (size_t i = 0; i < rank; i++)
        if (!dropped[i])
            mlc_vec_push(&dims, mlc_affine_dim(ctx, (unsigned)i));
    map = mlc_affine_map_replace(map, dims.data, NULL, (unsigned)rank, 0);
    mlc_op_set_slot(op, slot, mlc_affine_map_attr_get(map));
    mlc_vec_release(&dims);
}

static bool
fold_subview(MlcRewriter *rw, MlcOp *op, MlcOp *view)
{
    MlcSlice slice;
    int64_t sizes[MLC_RANK_LIMIT];
    bool dropped[MLC_RANK_LIMIT];
    MlcType type = mlc_value_type(mlc_op_result(view, 0));
    if (!mlc_slice_read(view, &slice) ||
        (is_vector(op) && !mlc_mixed_list_all(&slice.strides, 1)) || has_out_of_bounds_dim(op))
        return mlc_rewriter_no_match(rw, op, "does not go through this window");
    size_t rank = slice.sizes.size;
    mlc_mixed_list_static(&slice.sizes, sizes);
    if (!mlc_shape_dropped_dims(sizes, rank, mlc_type_shape(type), mlc_type_rank(type), dropped))
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcAffineExpr at =
        mlc_affine_add(mlc_affine_symbol(b->ctx, 0),
                       mlc_affine_mul(mlc_affine_symbol(b->ctx, 1), mlc_affine_symbol(b->ctx, 2)));
    MlcValueVec inner = {0}, outer = {0};
    read_indices(b, op, &inner);
    for (size_t i = 0, k = 0; i < rank; i++) {
        MlcMixed parts[3] = {slice.offsets.items[i]};
        if (!dropped[i]) {
            parts[1] = mlc_mixed_of(inner.data[k++]);
            parts[2] = slice.strides.items[i];
        }
        mlc_vec_push(&outer, dropped[i] ? mlc_mixed_value(b, parts[0]) : apply(b, at, parts, 3));
    }
    const MlcMemoryAccess *access = mlc_op_access(op);
    if (access->permutation)
        widen_permutation(op, access->permutation - 1u, dropped, rank);
    write_access(op, mlc_op_operand(view, 0), &outer);
    mlc_vec_release(&inner);
    mlc_vec_release(&outer);
    return true;
}

// --- dimensions split and joined

// ((i0 * size1 + i1) * size2 + i2) ...
static MlcValue *
join_indices(MlcBuilder *b, const MlcMixedList *shape, MlcValue *const *indices, size_t first,
             size_t end)
{
    MlcMixed symbols[2 * MLC_RANK_LIMIT] = {mlc_mixed_of(indices[first])};
    MlcAffineExpr e = mlc_affine_symbol(b->ctx, 0);
    unsigned n = 1;
    for (size_t i = first + 1; i < end; i++) {
        symbols[n] = mlc_mixed_of(indices[i]);
        symbols[n + 1] = shape->items[i];
        e = mlc_affine_add(mlc_affine_mul(e, mlc_affine_symbol(b->ctx, n + 1)),
                           mlc_affine_symbol(b->ctx, n));
        n += 2;
    }
    return apply(b, e, symbols, n);
}

static bool
fold_expand_shape(MlcRewriter *rw, MlcOp *op, MlcOp *view)
{
    MlcGroups groups;
    MlcMixedList shape;
    if (is_vector(op) || !mlc_groups_read(mlc_op_attr(view, "reassociation"), &groups) ||
        !mlc_mixed_list_read(view, "output_shape", &shape))
        return mlc_rewriter_no_match(rw, op, "does not go through split dimensions");
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValueVec inner = {0}, outer = {0};
    read_indices(b, op, &inner);
    for (size_t i = 0; i < groups.size; i++)
        mlc_vec_push(&outer, join_indices(b, &shape, inner.data, mlc_groups_first(&groups, i),
                                          groups.ends[i]));
    write_access(op, mlc_op_operand(view, 0), &outer);
    mlc_vec_release(&inner);
    mlc_vec_release(&outer);
    return true;
}

// The elements of the dimensions behind `dim`, in its group; false if they are not known.
static bool
elements_behind(MlcType type, size_t dim, size_t end, int64_t *elements)
{
    *elements = 1;
    for (size_t i = dim + 1; i < end; i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC ||
            __builtin_mul_overflow(*elements, mlc_type_dim(type, i), elements))
            return false;
    return *elements > 0;
}

static void
split_index(MlcBuilder *b, MlcType type, MlcValue *index, size_t first, size_t end,
            MlcValueVec *out)
{
    MlcMixed symbol = mlc_mixed_of(index);
    MlcAffineExpr rest = mlc_affine_symbol(b->ctx, 0);
    for (size_t i = first; i < end; i++) {
        int64_t behind;
        elements_behind(type, i, end, &behind);
        MlcAffineExpr by = mlc_affine_constant(b->ctx, behind);
        MlcAffineExpr at = mlc_affine_binary(MLC_AFFINE_FLOORDIV, rest, by);
        mlc_vec_push(out, apply(b, i + 1 < end ? at : rest, &symbol, 1));
        rest = mlc_affine_binary(MLC_AFFINE_MOD, rest, by);
    }
}

static bool
fold_collapse_shape(MlcRewriter *rw, MlcOp *op, MlcOp *view)
{
    MlcGroups groups;
    MlcType type = mlc_value_type(mlc_op_operand(view, 0));
    bool ok = !is_vector(op) && mlc_groups_read(mlc_op_attr(view, "reassociation"), &groups);
    int64_t behind;
    for (size_t i = 0; ok && i < groups.size; i++)
        ok = elements_behind(type, mlc_groups_first(&groups, i), groups.ends[i], &behind);
    if (!ok)
        return mlc_rewriter_no_match(rw, op, "does not go through these joined dimensions");
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValueVec inner = {0}, outer = {0};
    read_indices(b, op, &inner);
    for (size_t i = 0; i < groups.size; i++)
        split_index(b, type, inner.data[i], mlc_groups_first(&groups, i), groups.ends[i], &outer);
    for (size_t i = 0; groups.size == 0 && i < mlc_type_rank(type); i++)
        mlc_vec_push(&outer, mlc_build_index(b, 0));
    write_access(op, mlc_op_operand(view, 0), &outer);
    mlc_vec_release(&inner);
    mlc_vec_release(&outer);
    return true;
}

static bool
fold(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *view = mlc_value_def(mlc_op_access_memref(op));
    bool ok = view && (mlc_memref_subview_isa(view)          ? fold_subview(rw, op, view)
                       : mlc_memref_expand_shape_isa(view)   ? fold_expand_shape(rw, op, view)
                       : mlc_memref_collapse_shape_isa(view) ? fold_collapse_shape(rw, op, view)
                                                             : false);
    if (ok)
        mlc_rewriter_changed(rw, op);
    return ok;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "memref: access through a view",
                                               .interface = MLC_INTERFACE_ACCESS + 1,
                                               .benefit = 1,
                                               .rewrite = fold});
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"affine", "arith", "memref", "vector", NULL};

MLC_PASS(fold_memref_alias_ops, .flag = "fold-memref-alias-ops",
         .summary = "Fold views of memory into the accesses that go through them",
         .dependent_dialects = dialects, .run = run)
