// memref_layout.c -- strided layouts: read from maps, seen through windows, split and joined.
#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/reassociation.h"
#include "mlc/ir/type.h"

// Arithmetic in which what is not known, or overflows, makes the result unknown; but 0 times
// anything is 0.
static int64_t
times(int64_t a, int64_t b)
{
    int64_t product;
    if (a == 0 || b == 0)
        return 0;
    return a == MLC_DYNAMIC || b == MLC_DYNAMIC || __builtin_mul_overflow(a, b, &product)
               ? MLC_DYNAMIC
               : product;
}

static int64_t
plus(int64_t a, int64_t b)
{
    int64_t sum;
    return a == MLC_DYNAMIC || b == MLC_DYNAMIC || __builtin_add_overflow(a, b, &sum) ? MLC_DYNAMIC
                                                                                      : sum;
}

// --- strides of a layout

// Row-major, MLC_DYNAMIC left of the first unknown size. A dimension of size 0 has none.
static void
contiguous_strides(const int64_t *shape, size_t rank, int64_t *strides)
{
    int64_t stride = 1;
    for (size_t i = rank; i-- > 0;) {
        strides[i] = shape[i] ? stride : 0;
        if (shape[i] == 0)
            continue;
        stride = stride == MLC_DYNAMIC || shape[i] == MLC_DYNAMIC ? MLC_DYNAMIC
                                                                  : times(stride, shape[i]);
    }
}

// The value of an expression without dimensions.
static int64_t
constant_of(MlcAffineExpr e)
{
    return mlc_affine_kind(e) == MLC_AFFINE_CONSTANT ? mlc_affine_value(e) : MLC_DYNAMIC;
}

static bool
has_dims(MlcAffineExpr e, size_t rank)
{
    for (unsigned i = 0; i < rank; i++)
        if (mlc_affine_uses_dim(e, i))
            return true;
    return false;
}

// Adds `factor * e` to strides and offset; symbols are unknown factors.
static bool
add_strides(MlcAffineExpr e, int64_t factor, size_t rank, int64_t *offset, int64_t *strides)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_DIM:
        strides[mlc_affine_position(e)] = plus(strides[mlc_affine_position(e)], factor);
        return true;
    case MLC_AFFINE_ADD:
        return add_strides(mlc_affine_lhs(e), factor, rank, offset, strides) &&
               add_strides(mlc_affine_rhs(e), factor, rank, offset, strides);
    case MLC_AFFINE_MUL: {
        MlcAffineExpr lhs = mlc_affine_lhs(e), rhs = mlc_affine_rhs(e);
        if (!has_dims(lhs, rank))
            return add_strides(rhs, times(factor, constant_of(lhs)), rank, offset, strides);
        return !has_dims(rhs, rank) &&
               add_strides(lhs, times(factor, constant_of(rhs)), rank, offset, strides);
    }
    default:
        if (has_dims(e, rank))
            return false;
        *offset = plus(*offset, times(factor, constant_of(e)));
        return true;
    }
}

// A map whose value moves by a fixed amount with each dimension, and with every dimension.
static bool
map_strides(MlcAffineMap map, size_t rank, int64_t *offset, int64_t *strides)
{
    if (mlc_affine_map_num_results(map) != 1 || mlc_affine_map_num_dims(map) != rank)
        return false;
    *offset = 0;
    memset(strides, 0, rank * sizeof *strides);
    if (!add_strides(mlc_affine_map_result(map, 0), 1, rank, offset, strides))
        return false;
    for (size_t i = 0; i < rank; i++)
        if (strides[i] == 0)
            return false;
    return true;
}

bool
mlc_memref_type_strides(MlcType type, int64_t *offset, int64_t *strides)
{
    if (!mlc_type_is(type, MLC_TYPE_MEMREF))
        return false;
    MlcAttr layout = mlc_memref_type_layout(type);
    size_t rank = mlc_type_rank(type);
    if (!layout) {
        *offset = 0;
        contiguous_strides(mlc_type_shape(type), rank, strides);
        return true;
    }
    if (mlc_attr_is(layout, MLC_ATTR_STRIDED_LAYOUT)) {
        if (mlc_strided_layout_attr_size(layout) != rank)
            return false;
        *offset = mlc_strided_layout_attr_offset(layout);
        if (rank)
            memcpy(strides, mlc_strided_layout_attr_strides(layout), rank * sizeof *strides);
        return true;
    }
    return mlc_attr_is(layout, MLC_ATTR_AFFINE_MAP) &&
           map_strides(mlc_affine_map_attr_value(layout), rank, offset, strides);
}

size_t
mlc_memref_type_num_symbols(MlcType type)
{
    MlcAttr layout = mlc_memref_type_layout(type);
    if (mlc_attr_is(layout, MLC_ATTR_AFFINE_MAP))
        return mlc_affine_map_num_symbols(mlc_affine_map_attr_value(layout));
    if (!mlc_attr_is(layout, MLC_ATTR_STRIDED_LAYOUT))
        return 0;
    size_t n = mlc_strided_layout_attr_offset(layout) == MLC_DYNAMIC;
    for (size_t i = 0; i < mlc_strided_layout_attr_size(layout); i++)
        n += mlc_strided_layout_attr_strides(layout)[i] == MLC_DYNAMIC;
    return n;
}

// --- types of views

static MlcType
strided_type(MlcType like, const int64_t *shape, size_t rank, int64_t offset,
             const int64_t *strides)
{
    MlcAttr layout = mlc_strided_layout_attr_get(mlc_type_context(like), offset, strides, rank);
    return mlc_memref_type_get(mlc_type_element(like), shape, rank, layout,
                               mlc_memref_type_memory_space(like));
}

static MlcType
contiguous_type(MlcType like, const int64_t *shape, size_t rank)
{
    return mlc_memref_type_get(mlc_type_element(like), shape, rank, NULL,
                               mlc_memref_type_memory_space(like));
}

MlcType
mlc_memref_type_canonical(MlcType type)
{
    int64_t strides[MLC_RANK_LIMIT], contiguous[MLC_RANK_LIMIT], offset;
    size_t rank = mlc_type_rank(type);
    if (rank > MLC_RANK_LIMIT || !mlc_memref_type_strides(type, &offset, strides) || offset != 0)
        return type;
    contiguous_strides(mlc_type_shape(type), rank, contiguous);
    for (size_t i = 0; i < rank; i++)
        if (strides[i] != contiguous[i] || strides[i] == MLC_DYNAMIC)
            return type;
    return contiguous_type(type, mlc_type_shape(type), rank);
}

// The terms in the order in which MLIR simplifies them: where a stride is a symbol, that of the
// offset comes second.
MlcType
mlc_memref_type_with_map(MlcType type)
{
    MlcContext *ctx = mlc_type_context(type);
    size_t rank = mlc_type_rank(type);
    int64_t strides[MLC_RANK_LIMIT], offset;
    if (!mlc_memref_type_layout(type) || rank > MLC_RANK_LIMIT ||
        !mlc_memref_type_strides(type, &offset, strides))
        return type;
    unsigned num_symbols = offset == MLC_DYNAMIC;
    MlcAffineExpr start = num_symbols ? mlc_affine_symbol(ctx, 0) : NULL, sum = NULL;
    bool is_second = false;
    for (size_t i = 0; i < rank; i++)
        is_second |= strides[i] == MLC_DYNAMIC;
    for (size_t i = 0; i < rank; i++) {
        MlcAffineExpr dim = mlc_affine_dim(ctx, (unsigned)i);
        MlcAffineExpr term = strides[i] == MLC_DYNAMIC
                                 ? mlc_affine_mul(dim, mlc_affine_symbol(ctx, num_symbols++))
                                 : mlc_affine_mul_const(dim, strides[i]);
        sum = sum ? mlc_affine_add(sum, term) : term;
        if (start && is_second && i == 0)
            sum = mlc_affine_add(sum, start);
    }
    if (start && !(is_second && rank))
        sum = sum ? mlc_affine_add(sum, start) : start;
    if (!start)
        sum = sum ? mlc_affine_add_const(sum, offset) : mlc_affine_constant(ctx, offset);
    MlcAffineMap map = mlc_affine_map_get(ctx, (unsigned)rank, num_symbols, &sum, 1);
    return mlc_memref_type_get(mlc_type_element(type), mlc_type_shape(type), rank,
                               mlc_affine_map_attr_get(map), mlc_memref_type_memory_space(type));
}

MlcType
mlc_memref_type_slice(MlcType source, const int64_t *offsets, const int64_t *sizes,
                      const int64_t *strides, const bool *dropped)
{
    size_t rank = mlc_type_rank(source), kept = 0;
    int64_t source_strides[MLC_RANK_LIMIT], result_strides[MLC_RANK_LIMIT], shape[MLC_RANK_LIMIT],
        offset;
    if (rank > MLC_RANK_LIMIT || !mlc_memref_type_strides(source, &offset, source_strides))
        return NULL;
    for (size_t i = 0; i < rank; i++) {
        offset = plus(offset, times(offsets[i], source_strides[i]));
        if (dropped && dropped[i])
            continue;
        shape[kept] = sizes[i];
        result_strides[kept++] = times(strides[i], source_strides[i]);
    }
    return strided_type(source, shape, kept, offset, result_strides);
}

MlcType
mlc_memref_type_subview(MlcType source, const int64_t *offsets, const int64_t *sizes,
                        const int64_t *strides, const bool *dropped)
{
    MlcType type = mlc_memref_type_slice(source, offsets, sizes, strides, dropped);
    return type ? mlc_memref_type_canonical(type) : NULL;
}

MlcType
mlc_memref_type_transpose(MlcType source, MlcAffineMap permutation)
{
    size_t rank = mlc_type_rank(source);
    int64_t offset, strides[MLC_RANK_LIMIT], new_strides[MLC_RANK_LIMIT], shape[MLC_RANK_LIMIT];
    if (rank > MLC_RANK_LIMIT || !mlc_memref_type_strides(source, &offset, strides))
        return NULL;
    for (size_t i = 0; i < rank; i++) {
        unsigned from = mlc_affine_position(mlc_affine_map_result(permutation, i));
        shape[i] = mlc_type_dim(source, from);
        new_strides[i] = strides[from];
    }
    return strided_type(source, shape, rank, offset, new_strides);
}

MlcType
mlc_memref_type_expand(MlcType source, const MlcGroups *groups, const int64_t *shape, size_t rank)
{
    int64_t strides[MLC_RANK_LIMIT], result_strides[MLC_RANK_LIMIT], offset;
    if (!mlc_memref_type_layout(source))
        return contiguous_type(source, shape, rank);
    if (rank > MLC_RANK_LIMIT || groups->size != mlc_type_rank(source) ||
        !mlc_memref_type_strides(source, &offset, strides))
        return NULL;
    for (size_t i = 0; i < rank; i++)
        result_strides[i] = 1;
    for (size_t g = 0; g < groups->size; g++)
        for (size_t i = groups->ends[g], first = mlc_groups_first(groups, g); i-- > first;) {
            result_strides[i] = strides[g];
            strides[g] = times(strides[g], shape[i]);
        }
    return strided_type(source, shape, rank, offset, result_strides);
}

// A group has the stride of its last dimension that is not 1; which that is is unknown if its size
// is. Strides of dimensions of size 1 mean nothing.
static int64_t
group_stride(const int64_t *shape, const int64_t *strides, size_t first, size_t end)
{
    size_t last = end - 1;
    while (shape[last] == 1 && last > first)
        last--;
    return shape[last] != MLC_DYNAMIC || last == first ? strides[last] : MLC_DYNAMIC;
}

// False if it is certain that the group has gaps.
static bool
is_contiguous(const int64_t *shape, const int64_t *strides, size_t first, size_t end,
              int64_t stride)
{
    for (size_t i = end; --i > first;) {
        stride = times(stride, shape[i]);
        if (shape[i - 1] != 1 && stride != MLC_DYNAMIC && strides[i - 1] != MLC_DYNAMIC &&
            stride != strides[i - 1])
            return false;
    }
    return true;
}

MlcType
mlc_memref_type_collapse(MlcType source, const MlcGroups *groups, const int64_t *shape, size_t rank)
{
    int64_t strides[MLC_RANK_LIMIT], result_strides[MLC_RANK_LIMIT], offset;
    const int64_t *from = mlc_type_shape(source);
    if (!mlc_memref_type_layout(source))
        return contiguous_type(source, shape, rank);
    if (mlc_type_rank(source) > MLC_RANK_LIMIT ||
        !mlc_memref_type_strides(source, &offset, strides))
        return NULL;
    for (size_t g = 0; g < groups->size; g++) {
        size_t first = mlc_groups_first(groups, g), end = groups->ends[g];
        result_strides[g] = group_stride(from, strides, first, end);
        if (!is_contiguous(from, strides, first, end, result_strides[g]))
            return NULL;
    }
    return strided_type(source, shape, groups->size, offset, result_strides);
}

size_t
mlc_memref_type_run(MlcType type)
{
    int64_t offset, expected = 1, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(type), run = 0;
    bool known = rank <= MLC_RANK_LIMIT && mlc_memref_type_strides(type, &offset, strides);
    while (known && run < rank) {
        int64_t size = mlc_type_dim(type, rank - 1 - run);
        if (size == MLC_DYNAMIC || (size != 1 && strides[rank - 1 - run] != expected))
            break;
        expected *= size;
        run++;
    }
    return run;
}
