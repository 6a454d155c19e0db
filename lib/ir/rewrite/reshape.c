// reshape.c -- reshapes that meet become one, or none.
//
// What is certain of a composition follows from the groups alone, as long as no group has two
// dynamic dimensions: their sizes are not known from the product.
#include "mlc/ir/reshape.h"

#include "mlc/ir.h"

static MlcType
source_type(const MlcOp *op)
{
    return mlc_value_type(mlc_op_operand(op, 0));
}

static bool
read_groups(const MlcOp *op, MlcGroups *groups)
{
    return mlc_groups_read(mlc_op_attr(op, "reassociation"), groups);
}

static bool
is_plain(MlcType type)
{
    return !mlc_type_is(type, MLC_TYPE_MEMREF) || !mlc_memref_type_layout(type);
}

static size_t
num_dynamic(MlcType type, size_t first, size_t end)
{
    size_t n = 0;
    for (size_t i = first; i < end; i++)
        n += mlc_type_dim(type, i) == MLC_DYNAMIC;
    return n;
}

// --- building

MlcOp *
mlc_build_collapse(MlcBuilder *b, const MlcReshapeOps *ops, MlcType type, MlcValue *source,
                   const MlcGroups *groups)
{
    MlcNamedAttr attr = mlc_named(b->ctx, "reassociation", mlc_groups_attr(b->ctx, groups));
    return mlc_build_op(b, ops->collapse->name, &type, 1, &source, 1, &attr, 1, 0);
}

MlcOp *
mlc_build_expand(MlcBuilder *b, const MlcReshapeOps *ops, MlcType type, MlcValue *source,
                 const MlcGroups *groups, const MlcMixedList *shape)
{
    MlcNamedAttr attr = mlc_named(b->ctx, "reassociation", mlc_groups_attr(b->ctx, groups));
    MlcMixedList sizes;
    if (!shape) {
        sizes.size = mlc_type_rank(type);
        for (size_t i = 0; i < sizes.size; i++)
            sizes.items[i] = mlc_mixed(mlc_type_dim(type, i));
    }
    MlcNamedMixed list = {"output_shape", shape ? shape : &sizes};
    return mlc_build_op_mixed(b, ops->expand, type, &source, 1, &list, 1, attr, 0);
}

// --- folds

// The same elements in the same order.
static MlcAttr
reshape_constant(MlcAttr constant, MlcType type)
{
    size_t num_bytes;
    if (!mlc_attr_is(constant, MLC_ATTR_DENSE) || !mlc_type_has_static_shape(type))
        return NULL;
    const void *data = mlc_elements_attr_data(constant, &num_bytes);
    return mlc_dense_attr_get(type, data, num_bytes, mlc_elements_attr_is_splat(constant));
}

// The second reshape undoes the first: from its source's type back to it, with sizes that can only
// be the same.
static bool
is_undone(MlcOp *op, MlcOp *inner)
{
    MlcType source = source_type(inner);
    size_t rank = mlc_type_rank(source);
    MlcGroups groups, inner_groups;
    if (source != mlc_op_result_type(op, 0))
        return false;
    if (num_dynamic(source, 0, rank) < 2)
        return true;
    if (!read_groups(op, &groups) || !read_groups(inner, &inner_groups) ||
        !mlc_groups_equal(&groups, &inner_groups))
        return false;
    if (rank < mlc_type_rank(mlc_op_result_type(inner, 0)))
        return true;
    for (size_t i = 0; i < groups.size; i++)
        if (num_dynamic(source, mlc_groups_first(&groups, i), groups.ends[i]) > 1)
            return false;
    return true;
}

bool
mlc_reshape_fold(MlcOp *op, const MlcReshapeOps *ops, const MlcAttr *constants, MlcFold *results)
{
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    const MlcOpDef *inverse = mlc_op_isa(op, ops->expand) ? ops->collapse : ops->expand;
    if (source_type(op) == mlc_op_result_type(op, 0)) {
        results->value = mlc_op_operand(op, 0);
        return true;
    }
    results->attr = reshape_constant(constants[0], mlc_op_result_type(op, 0));
    if (results->attr)
        return true;
    if (!inner || !mlc_op_isa(inner, inverse) || !is_undone(op, inner))
        return false;
    results->value = mlc_op_operand(inner, 0);
    return true;
}

// --- patterns

static bool
replace(MlcRewriter *rw, MlcOp *op, MlcOp *with)
{
    mlc_rewriter_replace_with(rw, op, with);
    return true;
}

static bool
replace_with_expand(MlcRewriter *rw, MlcOp *op, const MlcReshapeOps *ops, MlcValue *source,
                    const MlcGroups *groups)
{
    MlcMixedList shape;
    if (!mlc_mixed_list_read(op, "output_shape", &shape))
        return false;
    return replace(rw, op,
                   mlc_build_expand(mlc_rewriter_builder(rw), ops, mlc_op_result_type(op, 0),
                                    source, groups, &shape));
}

// expand(expand(x)) -> expand(x), collapse(collapse(x)) -> collapse(x)
static bool
compose(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcReshapeOps *ops = pattern->user;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    MlcGroups groups, inner_groups, both;
    if (!inner || mlc_op_def(inner) != mlc_op_def(op) || !is_plain(source_type(inner)) ||
        !is_plain(source_type(op)) || !is_plain(mlc_op_result_type(op, 0)) ||
        !read_groups(op, &groups) || !read_groups(inner, &inner_groups) ||
        !mlc_groups_compose(&inner_groups, &groups, &both))
        return false;
    MlcValue *source = mlc_op_operand(inner, 0);
    if (mlc_op_isa(op, ops->expand))
        return replace_with_expand(rw, op, ops, source, &both);
    return replace(rw, op,
                   mlc_build_collapse(mlc_rewriter_builder(rw), ops, mlc_op_result_type(op, 0),
                                      source, &both));
}

// Of two groupings of the same dimensions, how many groups of the finer one make each of the
// coarser; false if their borders do not agree.
static bool
regroup(const MlcGroups *fine, const MlcGroups *coarse, MlcGroups *out)
{
    size_t at = 0;
    out->size = 0;
    for (size_t i = 0; i < coarse->size; i++) {
        while (at < fine->size && fine->ends[at] <= coarse->ends[i])
            at++;
        if ((at < fine->size && fine->ends[at] > coarse->ends[i] &&
             mlc_groups_first(fine, at) < coarse->ends[i]) ||
            at == mlc_groups_first(out, i))
            return false;
        out->ends[out->size++] = at;
    }
    return true;
}

// The sizes of `type`, to which `source` is expanded; one dynamic dimension of a group is that of
// the source divided by the rest. False, and nothing built, if a group has two.
static bool
infer_sizes(MlcBuilder *b, MlcValue *source, MlcType type, const MlcGroups *groups,
            MlcMixedList *sizes)
{
    sizes->size = mlc_type_rank(type);
    if (sizes->size > MLC_RANK_LIMIT)
        return false;
    for (size_t g = 0; g < groups->size; g++)
        if (num_dynamic(type, mlc_groups_first(groups, g), groups->ends[g]) > 1)
            return false;
    for (size_t i = 0; i < sizes->size; i++)
        sizes->items[i] = mlc_mixed(mlc_type_dim(type, i));
    for (size_t g = 0; g < groups->size; g++) {
        size_t first = mlc_groups_first(groups, g), dynamic = sizes->size;
        int64_t rest = 1;
        for (size_t i = first; i < groups->ends[g]; i++)
            if (mlc_type_dim(type, i) == MLC_DYNAMIC)
                dynamic = i;
            else
                rest *= mlc_type_dim(type, i);
        if (dynamic == sizes->size)
            continue;
        MlcMixed size = mlc_mixed_dim(b, source, g);
        if (rest != 1)
            size.value = mlc_build(b, "arith.divui", NULL, mlc_mixed_value(b, size),
                                   mlc_build_index(b, rest));
        sizes->items[dynamic] = size;
    }
    return true;
}

// collapse(expand(x)) -> collapse(x), expand(x) or cast(x), whichever the ranks ask for
static bool
collapse_of_expand(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcReshapeOps *ops = pattern->user;
    MlcOp *expand = mlc_value_def(mlc_op_operand(op, 0));
    MlcGroups collapsing, expanding, groups;
    if (!expand || !mlc_op_isa(expand, ops->expand))
        return false;
    MlcType source = source_type(expand), result = mlc_op_result_type(op, 0);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *value = mlc_op_operand(expand, 0);
    if (!is_plain(source_type(op)) || !is_plain(source) || source == result ||
        !read_groups(op, &collapsing) || !read_groups(expand, &expanding))
        return false;
    size_t from = mlc_type_rank(source), to = mlc_type_rank(result);
    if (!(from > to ? regroup(&expanding, &collapsing, &groups)
                    : regroup(&collapsing, &expanding, &groups)))
        return false;
    if (from > to)
        return replace(rw, op, mlc_build_collapse(b, ops, result, value, &groups));
    if (from == to)
        return replace(rw, op, mlc_build_op(b, ops->cast->name, &result, 1, &value, 1, NULL, 0, 0));
    MlcMixedList shape;
    if (!infer_sizes(b, value, result, &groups, &shape))
        return false;
    return replace(rw, op, mlc_build_expand(b, ops, result, value, &groups, &shape));
}

// The groups that collapse `shape` to `target`, found inside each pair of groups that have the same
// product. As in MLIR, every pair must lose a dimension.
static bool
find_groups(const MlcGroups *from, const MlcGroups *to, MlcType shape, MlcType target,
            MlcGroups *out)
{
    const int64_t *dims = mlc_type_shape(shape), *want = mlc_type_shape(target);
    if (from->size == 0)
        return mlc_groups_infer(dims, mlc_type_rank(shape), want, mlc_type_rank(target), out);
    out->size = 0;
    for (size_t i = 0; i < from->size && i < to->size; i++) {
        size_t first = mlc_groups_first(from, i), n = from->ends[i] - first;
        size_t target_first = mlc_groups_first(to, i), m = to->ends[i] - target_first;
        MlcGroups part;
        if (!mlc_groups_infer(dims + first, n, want + target_first, m, &part))
            return false;
        for (size_t k = 0; k < part.size; k++)
            mlc_groups_push(out, part.ends[k] - mlc_groups_first(&part, k));
    }
    return true;
}

// expand(collapse(x)) -> collapse(x) or expand(x)
static bool
expand_of_collapse(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcReshapeOps *ops = pattern->user;
    MlcOp *collapse = mlc_value_def(mlc_op_operand(op, 0));
    MlcGroups collapsing, expanding, groups;
    if (!collapse || !mlc_op_isa(collapse, ops->collapse))
        return false;
    MlcType source = source_type(collapse), result = mlc_op_result_type(op, 0);
    MlcValue *value = mlc_op_operand(collapse, 0);
    if (!is_plain(source_type(op)) || !is_plain(source) || source == result ||
        !read_groups(op, &expanding) || !read_groups(collapse, &collapsing))
        return false;
    if (mlc_type_rank(source) > mlc_type_rank(result))
        return find_groups(&collapsing, &expanding, source, result, &groups) &&
               replace(rw, op,
                       mlc_build_collapse(mlc_rewriter_builder(rw), ops, result, value, &groups));
    return find_groups(&expanding, &collapsing, result, source, &groups) &&
           replace_with_expand(rw, op, ops, value, &groups);
}

// collapse(cast(x)) -> cast(collapse(x)), of x that knows more of its shape
static bool
collapse_of_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcReshapeOps *ops = pattern->user;
    MlcOp *cast = ops->foldable_cast(mlc_op_operand(op, 0));
    MlcGroups groups;
    int64_t shape[MLC_RANK_LIMIT];
    if (!cast || !read_groups(op, &groups))
        return false;
    MlcType source = source_type(cast), result = mlc_op_result_type(op, 0);
    for (size_t g = 0; g < groups.size; g++) {
        size_t first = mlc_groups_first(&groups, g);
        shape[g] = num_dynamic(source, first, groups.ends[g]) ? MLC_DYNAMIC : 1;
        for (size_t i = first; i < groups.ends[g] && shape[g] != MLC_DYNAMIC; i++)
            shape[g] *= mlc_type_dim(source, i);
    }
    MlcType type = ops->collapsed(source, &groups, shape, groups.size);
    if (!type)
        return false;
    if (type == result) {
        mlc_op_set_operand(op, 0, mlc_op_operand(cast, 0));
        mlc_rewriter_changed(rw, op);
        return true;
    }
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcOp *made = mlc_build_collapse(b, ops, type, mlc_op_operand(cast, 0), &groups);
    MlcValue *value = mlc_op_result(made, 0);
    return replace(rw, op, mlc_build_op(b, ops->cast->name, &result, 1, &value, 1, NULL, 0, 0));
}

static void
add(MlcPatternSet *set, const MlcOpDef *root, const char *name, const MlcReshapeOps *ops,
    bool (*rewrite)(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern))
{
    mlc_pattern_set_add(set, (MlcPattern){.name = name,
                                          .root = root->name,
                                          .benefit = 1,
                                          .rewrite = rewrite,
                                          .user = (void *)(uintptr_t)ops});
}

void
mlc_reshape_collapse_patterns(MlcPatternSet *set, const MlcReshapeOps *ops)
{
    add(set, ops->collapse, "collapse_shape: of a collapse", ops, compose);
    add(set, ops->collapse, "collapse_shape: of an expansion", ops, collapse_of_expand);
    add(set, ops->collapse, "collapse_shape: of a cast", ops, collapse_of_cast);
}

void
mlc_reshape_expand_patterns(MlcPatternSet *set, const MlcReshapeOps *ops)
{
    add(set, ops->expand, "expand_shape: of an expansion", ops, compose);
    add(set, ops->expand, "expand_shape: of a collapse", ops, expand_of_collapse);
}
