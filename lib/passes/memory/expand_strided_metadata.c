// expand_strided_metadata.c -- views of memory as arithmetic on the offset, sizes and strides of
// what they look at.
//
// A view becomes memref.reinterpret_cast of its source's base buffer, and metadata that is taken of
// a view is computed from that of its source, down to what is no view. The expressions are those of
// MLIR.
#include "mlc/dialects/affine_compose.h"
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/memref.h"
#include "mlc/ir/reassociation.h"

typedef struct Metadata {
    MlcValue *base;
    MlcMixed offset;
    MlcMixedList sizes, strides;
} Metadata;

static MlcMixed
known_or(int64_t known, MlcValue *value)
{
    return known == MLC_DYNAMIC ? (MlcMixed){value, 0} : mlc_mixed(known);
}

static MlcMixed
multiply(MlcBuilder *b, MlcMixed x, MlcMixed y)
{
    MlcAffineExpr e = mlc_affine_mul(mlc_affine_symbol(b->ctx, 0), mlc_affine_symbol(b->ctx, 1));
    return mlc_mixed_apply(b, e, (MlcMixed[]){x, y}, 2);
}

// The base buffer of this type of memory.
static MlcType
base_type(MlcType type)
{
    return mlc_memref_type_get(mlc_type_element(type), NULL, 0, NULL,
                               mlc_memref_type_memory_space(type));
}

// What an op that takes it apart says, constants from the type.
static bool
extract(MlcBuilder *b, MlcValue *memref, Metadata *m)
{
    MlcType type = mlc_value_type(memref);
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_rank(type) > MLC_RANK_LIMIT ||
        !mlc_memref_type_strides(type, &offset, strides))
        return false;
    size_t rank = mlc_type_rank(type);
    MlcType index = mlc_index_type_get(b->ctx), indices[MLC_RANK_LIMIT];
    for (size_t i = 0; i < rank; i++)
        indices[i] = index;
    MlcOp *op = mlc_memref_extract_strided_metadata(b, base_type(type), index, indices, rank,
                                                    indices, rank, memref);
    m->base = mlc_op_result(op, 0);
    m->offset = known_or(offset, mlc_op_result(op, 1));
    m->sizes.size = m->strides.size = rank;
    for (size_t i = 0; i < rank; i++) {
        m->sizes.items[i] = known_or(mlc_type_dim(type, i), mlc_op_result(op, 2 + i));
        m->strides.items[i] = known_or(strides[i], mlc_op_result(op, 2 + rank + i));
    }
    return true;
}

// Strides are products; the offset is the source's plus each offset times the source's stride.
static bool
of_subview(MlcBuilder *b, MlcOp *op, Metadata *m)
{
    MlcSlice slice;
    Metadata source;
    bool dropped[MLC_RANK_LIMIT];
    int64_t sizes[MLC_RANK_LIMIT];
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!mlc_slice_read(op, &slice))
        return false;
    mlc_mixed_list_static(&slice.sizes, sizes);
    if (!mlc_shape_dropped_dims(sizes, slice.sizes.size, mlc_type_shape(type), mlc_type_rank(type),
                                dropped) ||
        !extract(b, mlc_op_operand(op, 0), &source))
        return false;
    m->base = source.base;
    m->sizes.size = m->strides.size = 0;
    MlcMixed terms[1 + 2 * MLC_RANK_LIMIT] = {source.offset};
    MlcAffineExpr sum = mlc_affine_symbol(b->ctx, 0);
    size_t rank = slice.sizes.size;
    for (size_t i = 0; i < rank; i++) {
        unsigned at = (unsigned)(1 + 2 * i);
        MlcMixed stride = multiply(b, slice.strides.items[i], source.strides.items[i]);
        terms[at] = slice.offsets.items[i];
        terms[at + 1] = source.strides.items[i];
        sum = mlc_affine_add(
            sum, mlc_affine_mul(mlc_affine_symbol(b->ctx, at), mlc_affine_symbol(b->ctx, at + 1)));
        if (dropped[i])
            continue;
        m->sizes.items[m->sizes.size++] = slice.sizes.items[i];
        m->strides.items[m->strides.size++] = stride;
    }
    m->offset = mlc_mixed_apply(b, sum, terms, 1 + 2 * rank);
    return true;
}

// The elements of static dimensions from `first` up to `end`, and the dynamic one (`end`: none);
// false if there are several, or the product is too large.
static bool
static_elements(MlcType type, size_t first, size_t end, int64_t *product, size_t *dynamic)
{
    size_t num_dynamic = 0;
    *product = 1;
    *dynamic = end;
    for (size_t i = first; i < end; i++) {
        int64_t size = mlc_type_dim(type, i);
        num_dynamic += size == MLC_DYNAMIC;
        *dynamic = size == MLC_DYNAMIC ? i : *dynamic;
        if (size != MLC_DYNAMIC && __builtin_mul_overflow(*product, size, product))
            return false;
    }
    return num_dynamic == 0 || (num_dynamic == 1 && *product > 0);
}

// One dimension of the source split into those from `first` up to `end`: a dynamic one has what the
// others leave of the source's.
static void
split(MlcBuilder *b, MlcOp *op, size_t first, size_t end, const Metadata *source, size_t dim,
      Metadata *m)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    int64_t statics;
    size_t dynamic;
    static_elements(type, first, end, &statics, &dynamic);
    MlcAffineExpr s0 = mlc_affine_symbol(b->ctx, 0), s1 = mlc_affine_symbol(b->ctx, 1);
    MlcAffineExpr by = mlc_affine_constant(b->ctx, statics);
    MlcMixed size_and_stride[2] = {source->sizes.items[dim], source->strides.items[dim]};
    for (size_t i = first; i < end; i++)
        m->sizes.items[i] = i == dynamic
                                ? mlc_mixed_apply(b, mlc_affine_binary(MLC_AFFINE_FLOORDIV, s0, by),
                                                  size_and_stride, 1)
                                : mlc_mixed(mlc_type_dim(type, i));
    for (size_t i = first; i < end; i++) {
        int64_t behind = 1; // elements of the dimensions that follow, a dynamic one left out
        for (size_t j = i + 1; j < end; j++)
            behind *= j == dynamic ? 1 : mlc_type_dim(type, j);
        MlcAffineExpr count =
            i < dynamic && dynamic < end
                ? mlc_affine_binary(MLC_AFFINE_FLOORDIV, mlc_affine_mul_const(s0, behind), by)
                : mlc_affine_constant(b->ctx, behind);
        m->strides.items[i] = mlc_mixed_apply(b, mlc_affine_mul(count, s1), size_and_stride, 2);
    }
}

static bool
of_expand_shape(MlcBuilder *b, MlcOp *op, Metadata *m)
{
    MlcGroups groups;
    Metadata source;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    size_t rank = mlc_type_rank(type), dynamic;
    int64_t statics;
    if (!mlc_groups_read(mlc_op_attr(op, "reassociation"), &groups) || rank > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < groups.size; i++)
        if (!static_elements(type, mlc_groups_first(&groups, i), groups.ends[i], &statics,
                             &dynamic))
            return false;
    if (!extract(b, mlc_op_operand(op, 0), &source))
        return false;
    m->base = source.base;
    m->offset = source.offset;
    m->sizes.size = m->strides.size = rank;
    for (size_t i = 0; i < rank && groups.size == 0; i++)
        m->sizes.items[i] = m->strides.items[i] = mlc_mixed(1);
    for (size_t i = 0; i < groups.size; i++)
        split(b, op, mlc_groups_first(&groups, i), groups.ends[i], &source, i, m);
    return true;
}

// The least stride of dimensions that are not 1, since those joined follow each other. Of ones
// alone any stride will do: what the result's type says, or a dynamic one.
static MlcMixed
joined_stride(MlcBuilder *b, MlcType type, size_t first, size_t end, const Metadata *source,
              int64_t type_says)
{
    MlcMixed strides[MLC_RANK_LIMIT], any = mlc_mixed(type_says);
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        if (mlc_type_dim(type, i) != 1)
            strides[n++] = source->strides.items[i];
        if (type_says == MLC_DYNAMIC && source->strides.items[i].value)
            any = source->strides.items[i];
    }
    return n > 0 ? mlc_mixed_min(b, strides, n) : any;
}

// Whether the result's type says the stride of each group of ones, or a dimension of it has one
// that is not known.
static bool
can_join_strides(MlcType type, const MlcGroups *groups, const int64_t *result_strides)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (mlc_type_rank(type) > MLC_RANK_LIMIT || !mlc_memref_type_strides(type, &offset, strides))
        return false;
    for (size_t g = 0; g < groups->size; g++) {
        bool found = result_strides[g] != MLC_DYNAMIC;
        for (size_t i = mlc_groups_first(groups, g); i < groups->ends[g]; i++)
            found = found || mlc_type_dim(type, i) != 1 || strides[i] == MLC_DYNAMIC;
        if (!found)
            return false;
    }
    return true;
}

static bool
of_collapse_shape(MlcBuilder *b, MlcOp *op, Metadata *m)
{
    MlcGroups groups;
    Metadata source;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcType from = mlc_value_type(mlc_op_operand(op, 0));
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!mlc_groups_read(mlc_op_attr(op, "reassociation"), &groups) ||
        mlc_type_rank(type) > MLC_RANK_LIMIT || !mlc_memref_type_strides(type, &offset, strides) ||
        !can_join_strides(from, &groups, strides) || !extract(b, mlc_op_operand(op, 0), &source))
        return false;
    m->base = source.base;
    m->offset = source.offset;
    m->sizes.size = m->strides.size = groups.size;
    for (size_t i = 0; i < groups.size; i++) {
        size_t first = mlc_groups_first(&groups, i), end = groups.ends[i];
        MlcAffineExpr product = mlc_affine_symbol(b->ctx, 0);
        for (size_t j = first + 1; j < end; j++)
            product = mlc_affine_mul(product, mlc_affine_symbol(b->ctx, (unsigned)(j - first)));
        m->sizes.items[i] =
            mlc_type_dim(type, i) == MLC_DYNAMIC
                ? mlc_mixed_apply(b, product, source.sizes.items + first, end - first)
                : mlc_mixed(mlc_type_dim(type, i));
        m->strides.items[i] = joined_stride(b, from, first, end, &source, strides[i]);
    }
    return true;
}

static bool
of_reinterpret_cast(MlcBuilder *b, MlcOp *op, Metadata *m)
{
    MlcSlice lists;
    Metadata source;
    if (!mlc_slice_read(op, &lists) || !extract(b, mlc_op_operand(op, 0), &source))
        return false;
    m->base = source.base;
    m->offset = lists.offsets.items[0];
    m->sizes = lists.sizes;
    m->strides = lists.strides;
    return true;
}

// What either side of the cast knows.
static bool
of_cast(MlcBuilder *b, MlcOp *op, Metadata *m)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_rank(type) > MLC_RANK_LIMIT ||
        !mlc_memref_type_strides(type, &offset, strides) || !extract(b, mlc_op_operand(op, 0), m))
        return false;
    if (offset != MLC_DYNAMIC)
        m->offset = mlc_mixed(offset);
    for (size_t i = 0; i < m->sizes.size; i++) {
        if (mlc_type_dim(type, i) != MLC_DYNAMIC)
            m->sizes.items[i] = mlc_mixed(mlc_type_dim(type, i));
        if (strides[i] != MLC_DYNAMIC)
            m->strides.items[i] = mlc_mixed(strides[i]);
    }
    return true;
}

// The base buffer is a base buffer already.
static bool
of_metadata(MlcBuilder *b, MlcOp *op, Metadata *m)
{
    (void)b;
    m->base = mlc_op_result(op, 0);
    m->offset = mlc_mixed(0);
    m->sizes.size = m->strides.size = 0;
    return true;
}

static MlcValue *
build_reinterpret(MlcBuilder *b, MlcType type, MlcValue *source, const MlcMixed *offset,
                  const MlcMixedList *sizes, const MlcMixedList *strides)
{
    MlcSlice lists = {
        .offsets = {.size = 1, .items = {*offset}}, .sizes = *sizes, .strides = *strides};
    const MlcOpDef *def = &mlc_memref_reinterpret_cast_def;
    return mlc_op_result(mlc_build_slice(b, def, type, &source, 1, &lists), 0);
}

// A buffer of its own, dense: dynamic sizes are operands from the first on.
static bool
of_buffer(MlcBuilder *b, MlcOp *op, Metadata *m)
{
    MlcValue *memref = mlc_op_result(op, 0);
    MlcType type = mlc_value_type(memref);
    size_t rank = mlc_type_rank(type), num_dynamic = 0;
    if (mlc_memref_type_layout(type) || rank > MLC_RANK_LIMIT)
        return false;
    m->sizes.size = m->strides.size = rank;
    m->offset = mlc_mixed(0);
    for (size_t i = 0; i < rank; i++)
        m->sizes.items[i] = mlc_type_dim(type, i) == MLC_DYNAMIC
                                ? (MlcMixed){mlc_op_operand(op, num_dynamic++), 0}
                                : mlc_mixed(mlc_type_dim(type, i));
    MlcMixed stride = mlc_mixed(1);
    for (size_t i = rank; i-- > 0;) {
        m->strides.items[i] = stride;
        stride = i > 0 ? multiply(b, stride, m->sizes.items[i]) : stride;
    }
    MlcMixedList none = {0};
    m->base = rank == 0 ? memref
                        : build_reinterpret(b, base_type(type), memref, &m->offset, &none, &none);
    return true;
}

typedef struct Source {
    const char *op;
    bool (*metadata)(MlcBuilder *b, MlcOp *op, Metadata *m);
    bool is_replaced;    // by a reinterpret_cast
    bool waits_for_that; // before metadata is taken of it
} Source;

static const Source sources[] = {
    {"memref.subview", of_subview, true, false},
    {"memref.expand_shape", of_expand_shape, true, true},
    {"memref.collapse_shape", of_collapse_shape, true, false},
    {"memref.reinterpret_cast", of_reinterpret_cast, false, false},
    {"memref.cast", of_cast, false, false},
    {"memref.extract_strided_metadata", of_metadata, false, false},
    {"memref.alloc", of_buffer, false, false},
    {"memref.alloca", of_buffer, false, false},
    {"memref.get_global", of_buffer, false, false},
};

static bool
replace_view(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const Source *source = pattern->user;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    Metadata m;
    if (!source->metadata(b, op, &m))
        return mlc_rewriter_no_match(rw, op, "has a layout that is not known");
    MlcValue *view = build_reinterpret(b, mlc_value_type(mlc_op_result(op, 0)), m.base, &m.offset,
                                       &m.sizes, &m.strides);
    mlc_rewriter_replace(rw, op, &view, 1);
    return true;
}

static bool
replace_metadata(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *view = mlc_value_def(mlc_op_operand(op, 0));
    const Source *source = NULL;
    for (size_t i = 0; view && i < sizeof sources / sizeof *sources; i++)
        if (mlc_op_is_named(view, sources[i].op))
            source = &sources[i];
    MlcBuilder *b = mlc_rewriter_builder(rw);
    Metadata m;
    if (!source || source->waits_for_that || !source->metadata(b, view, &m))
        return mlc_rewriter_no_match(rw, op, "is not of a view or buffer that is known");
    MlcValueVec results = {0};
    mlc_vec_push(&results, m.base);
    mlc_vec_push(&results, mlc_mixed_value(b, m.offset));
    for (size_t i = 0; i < m.sizes.size; i++)
        mlc_vec_push(&results, mlc_mixed_value(b, m.sizes.items[i]));
    for (size_t i = 0; i < m.strides.size; i++)
        mlc_vec_push(&results, mlc_mixed_value(b, m.strides.items[i]));
    mlc_rewriter_replace(rw, op, results.data, results.size);
    mlc_vec_release(&results);
    return true;
}

// The pointer of a view is that of what it looks at, the offset being kept apart; memref.view has
// no offset, and moves the pointer.
static bool
replace_pointer(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *view = mlc_value_def(mlc_op_operand(op, 0));
    if (!view || mlc_memref_view_isa(view))
        return false;
    const MlcViewLike *methods = mlc_op_interface(view, MLC_INTERFACE_VIEW_LIKE);
    if (!methods && !mlc_memref_extract_strided_metadata_isa(view))
        return false;
    mlc_op_set_operand(op, 0, mlc_op_operand(view, methods ? methods->source(view) : 0));
    mlc_rewriter_changed(rw, op);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i].is_replaced && strcmp(sources[i].op, op->name) == 0)
            return true;
    return op == &mlc_memref_extract_strided_metadata_def ||
           op == &mlc_memref_extract_aligned_pointer_as_index_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i].is_replaced)
            mlc_pattern_set_add(patterns, (MlcPattern){.name = "memref: view by its metadata",
                                                       .root = sources[i].op,
                                                       .benefit = 1,
                                                       .rewrite = replace_view,
                                                       .user = (void *)&sources[i]});
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "memref: metadata of a view",
                                               .root = "memref.extract_strided_metadata",
                                               .benefit = 1,
                                               .rewrite = replace_metadata});
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "memref: pointer of a view",
                                               .root = "memref.extract_aligned_pointer_as_index",
                                               .benefit = 1,
                                               .rewrite = replace_pointer});
    const MlcOpDef *metadata = &mlc_memref_extract_strided_metadata_def;
    mlc_pattern_set_add_all(patterns, metadata->canonical, metadata->num_canonical);
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"affine", "arith", "memref", NULL};

MLC_PASS(expand_strided_metadata, .flag = "expand-strided-metadata",
         .summary = "Turn views of memory into arithmetic on offsets, sizes and strides",
         .dependent_dialects = dialects, .converts = converts, .run = run)
