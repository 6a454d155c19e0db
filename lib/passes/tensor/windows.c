// windows.c -- see windows.h.
#include "windows.h"

#include "mlc/dialects/tensor.h"

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

void
mlc_window_of_operand(MlcAffineMap map, const MlcWindow *loops, MlcWindow *w)
{
    w->rank = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < w->rank; i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        int64_t coefficients[MLC_SMALL_RANK + 1], size = 1, divisor;
        int divided = mlc_affine_divided_dim(e, &divisor);
        if (divided >= 0) { // tiles start at multiples
            w->sizes[i] = loops->sizes[divided] / divisor;
            w->offsets[i] =
                mlc_affine_binary(MLC_AFFINE_FLOORDIV, loops->offsets[divided],
                                  mlc_affine_constant(mlc_affine_map_context(map), divisor));
            continue;
        }
        mlc_affine_linear(e, (unsigned)loops->rank, 0, coefficients);
        for (size_t d = 0; d < loops->rank; d++)
            size += coefficients[d] * (loops->sizes[d] - 1);
        w->sizes[i] = size;
        w->offsets[i] = mlc_affine_replace(e, loops->offsets, loops->rank, NULL, 0);
    }
}

// Where a window begins: static offsets as numbers, others as `values` too; steps of 1.
typedef struct SliceParts {
    int64_t offsets[MLC_SMALL_RANK], strides[MLC_SMALL_RANK];
    MlcValue *values[MLC_SMALL_RANK];
    size_t num_values;
} SliceParts;

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
}

MlcValue *
mlc_window_extract(MlcBuilder *b, MlcIndexValues *indices, MlcValue *source, const MlcWindow *w,
                   MlcType type)
{
    SliceParts s;
    slice_parts(b, indices, w, &s);
    return mlc_tensor_extract_slice(b, type, source, s.values, s.num_values, NULL, 0, NULL, 0,
                                    s.offsets, w->rank, w->sizes, w->rank, s.strides, w->rank);
}

MlcValue *
mlc_window_insert(MlcBuilder *b, MlcIndexValues *indices, MlcValue *source, MlcValue *dest,
                  const MlcWindow *w)
{
    SliceParts s;
    slice_parts(b, indices, w, &s);
    return mlc_tensor_insert_slice(b, source, dest, s.values, s.num_values, NULL, 0, NULL, 0,
                                   s.offsets, w->rank, w->sizes, w->rank, s.strides, w->rank);
}

bool
mlc_window_of_slice(MlcOp *slice, size_t num_fixed, MlcIndexValues *indices, MlcWindow *w)
{
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
            !mlc_int_list_attr_get(sizes, i, &w->sizes[i]) || w->sizes[i] == MLC_DYNAMIC ||
            !mlc_int_list_attr_get(strides, i, &stride) || stride != 1)
            return false;
        w->offsets[i] = offset == MLC_DYNAMIC
                            ? mlc_index_values_expr(indices, mlc_op_context(slice),
                                                    mlc_op_operand(slice, dynamic++))
                            : mlc_affine_constant(mlc_op_context(slice), offset);
    }
    return true;
}
