// memref_layout.c -- strided layouts of memrefs seen through a window.
#include "mlc/ir/attr.h"
#include "mlc/ir/type.h"

enum { MAX_RANK = 64 };

static int64_t
times(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return a == MLC_DYNAMIC || b == MLC_DYNAMIC ? MLC_DYNAMIC : a * b;
}

static int64_t
plus(int64_t a, int64_t b)
{
    return a == MLC_DYNAMIC || b == MLC_DYNAMIC ? MLC_DYNAMIC : a + b;
}

static bool
is_identity(const int64_t *shape, size_t rank, int64_t offset, const int64_t *strides)
{
    int64_t expected = 1;
    for (size_t i = rank; i-- > 0;) {
        if (strides[i] != expected || expected == MLC_DYNAMIC)
            return false;
        expected = times(expected, shape[i]);
    }
    return offset == 0;
}

MlcType
mlc_memref_type_subview(MlcType source, const int64_t *offsets, const int64_t *sizes,
                        const int64_t *strides, const bool *dropped)
{
    size_t rank = mlc_type_rank(source), kept = 0;
    int64_t source_strides[MAX_RANK], result_strides[MAX_RANK], shape[MAX_RANK], offset;
    if (rank > MAX_RANK || !mlc_memref_type_strides(source, &offset, source_strides))
        return NULL;
    for (size_t i = 0; i < rank; i++) {
        offset = plus(offset, times(offsets[i], source_strides[i]));
        if (dropped && dropped[i])
            continue;
        shape[kept] = sizes[i];
        result_strides[kept++] = times(strides[i], source_strides[i]);
    }
    MlcAttr layout = NULL;
    if (!is_identity(shape, kept, offset, result_strides))
        layout =
            mlc_strided_layout_attr_get(mlc_type_context(source), offset, result_strides, kept);
    return mlc_memref_type_get(mlc_type_element(source), shape, kept, layout,
                               mlc_memref_type_memory_space(source));
}
