// windows.c -- see windows.h.
#include "windows.h"

#include "mlc/dialects/tensor.h"

MlcAffineExpr
mlc_window_size(MlcContext *ctx, const MlcWindow *w, size_t i)
{
    return w->sizes[i] == MLC_DYNAMIC ? w->extents[i] : mlc_affine_constant(ctx, w->sizes[i]);
}

bool
mlc_window_is_whole(const MlcWindow *w, MlcType type)
{
    for (size_t i = 0; i < w->rank; i++) {
        int64_t offset;
        if (!mlc_affine_is_constant(w->offsets[i], &offset) || offset != 0 ||
            w->sizes[i] != mlc_type_dim(type, i))
            return false;
    }
    return true;
}

bool
mlc_window_is_static(const MlcWindow *w)
{
    for (size_t i = 0; i < w->rank; i++)
        if (w->sizes[i] == MLC_DYNAMIC)
            return false;
    return true;
}

static bool
uses_dynamic(MlcAffineExpr e, const MlcWindow *loops)
{
    for (size_t d = 0; d < loops->rank; d++)
        if (loops->sizes[d] == MLC_DYNAMIC && mlc_affine_uses_dim(e, (unsigned)d))
            return true;
    return false;
}

// The size of what `e` runs through in `loops`: that of a dim, or of a window over several.
static void
set_dynamic_size(MlcAffineExpr e, const MlcWindow *loops, MlcWindow *w, size_t i)
{
    MlcContext *ctx = mlc_affine_context(e);
    int64_t coefficients[MLC_SMALL_RANK + 1], divisor;
    int divided = mlc_affine_divided_dim(e, &divisor);
    w->sizes[i] = MLC_DYNAMIC;
    if (divided >= 0) { // tiles start at multiples
        w->extents[i] =
            mlc_affine_binary(MLC_AFFINE_FLOORDIV, mlc_window_size(ctx, loops, (size_t)divided),
                              mlc_affine_constant(ctx, divisor));
        return;
    }
    mlc_affine_linear(e, (unsigned)loops->rank, 0, coefficients);
    MlcAffineExpr size = mlc_affine_constant(ctx, 1);
    for (size_t d = 0; d < loops->rank; d++) {
        MlcAffineExpr steps = mlc_affine_add_const(mlc_window_size(ctx, loops, d), -1);
        if (coefficients[d] != 0)
            size = mlc_affine_add(size, mlc_affine_mul_const(steps, coefficients[d]));
    }
    w->extents[i] = size;
}

void
mlc_window_of_operand(MlcAffineMap map, const MlcWindow *loops, MlcWindow *w)
{
    w->rank = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < w->rank; i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        int64_t coefficients[MLC_SMALL_RANK + 1], size = 1, divisor;
        int divided = mlc_affine_divided_dim(e, &divisor);
        if (uses_dynamic(e, loops)) {
            set_dynamic_size(e, loops, w, i);
            w->offsets[i] = mlc_affine_replace(e, loops->offsets, loops->rank, NULL, 0);
            continue;
        }
        if (divided >= 0) { // tiles start at multiples
            w->sizes[i] = loops->sizes[divided] / divisor;
            w->offsets[i] =
                mlc_affine_binary(MLC_AFFINE_FLOORDIV, loops->offsets[divided],
                                  mlc_affine_constant(mlc_affine_map_context(map), divisor));
            continue;
        }
        mlc_affine_linear(e, (unsigned)loops->rank, 0, coefficients);
        for (size_t d = 0; d < loops->rank; d++)
            size += coefficients[d] == 0 ? 0 : coefficients[d] * (loops->sizes[d] - 1);
        w->sizes[i] = size;
        w->offsets[i] = mlc_affine_replace(e, loops->offsets, loops->rank, NULL, 0);
    }
}

// Where a window begins, and how large it is: what is static as numbers, what is not as `values`
// too; steps of 1.
typedef struct SliceParts {
    int64_t offsets[MLC_SMALL_RANK], strides[MLC_SMALL_RANK];
    MlcValue *values[MLC_SMALL_RANK], *sizes[MLC_SMALL_RANK];
    size_t num_values, num_sizes;
} SliceParts;

static size_t
size_values(MlcBuilder *b, MlcIndexValues *indices, const MlcWindow *w, MlcValue **values)
{
    size_t n = 0;
    for (size_t i = 0; i < w->rank; i++)
        if (w->sizes[i] == MLC_DYNAMIC)
            values[n++] = mlc_index_values_at(indices, b, w->extents[i]);
    return n;
}

static void
slice_parts(MlcBuilder *b, MlcIndexValues *indices, const MlcWindow *w, SliceParts *s)
{
    s->num_values = 0;
    for (size_t i = 0; i < w->rank; i++) {
        s->strides[i] = 1;
        if (mlc_affine_is_constant(w->offsets[i], &s->offsets[i]))
            continue;
        s->offsets[i] = MLC_DYNAMIC;
        s->values[s->num_values++] = mlc_index_values_at(indices, b, w->offsets[i]);
    }
    s->num_sizes = size_values(b, indices, w, s->sizes);
}

MlcValue *
mlc_window_empty(MlcBuilder *b, MlcIndexValues *indices, const MlcWindow *w, MlcType element)
{
    MlcValue *sizes[MLC_SMALL_RANK];
    size_t n = size_values(b, indices, w, sizes);
    return mlc_tensor_empty(b, mlc_tensor_type_get(element, w->sizes, w->rank, NULL), sizes, n);
}

MlcValue *
mlc_window_extract(MlcBuilder *b, MlcIndexValues *indices, MlcValue *source, const MlcWindow *w,
                   MlcType type)
{
    SliceParts s;
    slice_parts(b, indices, w, &s);
    return mlc_tensor_extract_slice(b, type, source, s.values, s.num_values, s.sizes, s.num_sizes,
                                    NULL, 0, s.offsets, w->rank, w->sizes, w->rank, s.strides,
                                    w->rank);
}

MlcValue *
mlc_window_insert(MlcBuilder *b, MlcIndexValues *indices, MlcValue *source, MlcValue *dest,
                  const MlcWindow *w)
{
    SliceParts s;
    slice_parts(b, indices, w, &s);
    return mlc_tensor_insert_slice(b, source, dest, s.values, s.num_values, s.sizes, s.num_sizes,
                                   NULL, 0, s.offsets, w->rank, w->sizes, w->rank, s.strides,
                                   w->rank);
}

bool
mlc_window_of_slice(MlcOp *slice, size_t num_fixed, MlcIndexValues *indices, MlcWindow *w)
{
    MlcContext *ctx = mlc_op_context(slice);
    MlcAttr offsets = mlc_op_attr(slice, "static_offsets");
    MlcAttr sizes = mlc_op_attr(slice, "static_sizes");
    MlcAttr strides = mlc_op_attr(slice, "static_strides");
    size_t dynamic = num_fixed;
    w->rank = mlc_int_list_attr_size(offsets);
    if (w->rank > MLC_SMALL_RANK)
        return false;
    for (size_t i = 0; i < w->rank; i++) {
        int64_t offset, stride;
        if (!mlc_int_list_attr_get(offsets, i, &offset) ||
            !mlc_int_list_attr_get(sizes, i, &w->sizes[i]) ||
            !mlc_int_list_attr_get(strides, i, &stride) || stride != 1)
            return false;
        w->offsets[i] = offset == MLC_DYNAMIC
                            ? mlc_index_values_expr(indices, ctx, mlc_op_operand(slice, dynamic++))
                            : mlc_affine_constant(ctx, offset);
    }
    for (size_t i = 0; i < w->rank; i++)
        if (w->sizes[i] == MLC_DYNAMIC)
            w->extents[i] = mlc_index_values_expr(indices, ctx, mlc_op_operand(slice, dynamic++));
    return true;
}
