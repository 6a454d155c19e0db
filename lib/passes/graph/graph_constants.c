// graph_constants.c -- what the graph passes do to constants.
//
// New constants of 256 bytes and more are blobs, so that no weight is uniqued by value; smaller
// ones stay in the text.
#include "graph_constants.h"

#include "kernel/constant_remade.h"
#include "mlc/dialects/graph.h"

#include "mlc/support/softfloat.h"
#include "mlc/support/strided.h"

enum { INLINE_BYTES = 256 };

static bool
is_float_tensor(MlcAttr attr)
{
    return attr && mlc_attr_type(attr) && mlc_type_is(mlc_attr_type(attr), MLC_TYPE_TENSOR) &&
           mlc_type_is_float(mlc_type_element(mlc_attr_type(attr)));
}

size_t
mlc_constant_bytes(MlcAttr attr)
{
    MlcType type = mlc_attr_type(attr);
    int64_t count = mlc_type_num_elements(type);
    return count < 0 ? SIZE_MAX
                     : (size_t)count * mlc_elements_attr_element_bytes(mlc_type_element(type));
}

bool
mlc_constant_read(MlcAttr attr, double *numbers, size_t count)
{
    size_t num_bytes;
    if (!is_float_tensor(attr) || mlc_type_num_elements(mlc_attr_type(attr)) != (int64_t)count)
        return false;
    const void *data = mlc_elements_attr_data(attr, &num_bytes);
    bool splat = mlc_elements_attr_is_splat(attr);
    MlcType element = mlc_type_element(mlc_attr_type(attr));
    if (!data || num_bytes < (splat ? 1 : count) * mlc_elements_attr_element_bytes(element))
        return false;
    bool is_f32 = mlc_float_type_kind(element) == MLC_FLOAT_F32;
    for (size_t i = 0; i < count; i++) {
        size_t at = splat ? 0 : i;
        numbers[i] = is_f32 ? (double)mlc_f32_at(data, (int64_t)at)
                            : mlc_float_attr_as_double(mlc_elements_attr_element(attr, at));
    }
    return true;
}

static MlcAttr
make_from_bytes(MlcType type, MlcBlob *blob, const void *data, MlcStr key)
{
    size_t size = mlc_blob_size(blob);
    MlcAttr attr = size < INLINE_BYTES ? mlc_dense_attr_get(type, data, size, false)
                                       : mlc_dense_resource_attr_get(type, key, blob);
    mlc_blob_release(blob);
    return attr;
}

MlcAttr
mlc_constant_make(MlcType type, const double *numbers, size_t count, MlcStr key)
{
    MlcType element = mlc_type_element(type);
    size_t width = mlc_elements_attr_element_bytes(element);
    void *data;
    MlcBlob *blob = mlc_blob_create_empty(count * width, 64, &data);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits[2];
        if (mlc_float_type_kind(element) == MLC_FLOAT_F32) {
            float value = (float)numbers[i];
            memcpy((char *)data + 4 * i, &value, 4);
            continue;
        }
        mlc_float_attr_bits(mlc_float_attr_get(element, numbers[i]), &bits[0], &bits[1]);
        memcpy((char *)data + width * i, bits, width);
    }
    return make_from_bytes(type, blob, data, key);
}

typedef struct Permutation {
    MlcStridedDim moves[MLC_RANK_LIMIT];
    size_t width, rank;
} Permutation;

static void
permute(void *to, const void *from, bool is_splat, const void *recipe)
{
    const Permutation *p = recipe;
    (void)is_splat; // of one element
    mlc_strided_copy(to, from, p->width, p->moves, p->rank);
}

MlcAttr
mlc_constant_permute(MlcAttr attr, const int64_t *shape, const int64_t *perm, size_t rank)
{
    int64_t strides[MLC_RANK_LIMIT], dims[MLC_RANK_LIMIT], step = 1;
    MlcType element = mlc_type_element(mlc_attr_type(attr));
    Permutation p = {.width = mlc_elements_attr_element_bytes(element), .rank = rank};
    for (size_t i = rank; i-- > 0; step *= shape[i])
        strides[i] = step;
    step = 1;
    for (size_t i = rank; i-- > 0; step *= dims[i]) {
        dims[i] = shape[perm[i]];
        p.moves[i] = (MlcStridedDim){dims[i], step, strides[perm[i]]};
    }
    MlcType type = mlc_tensor_type_get(element, dims, rank, NULL);
    if (mlc_attr_is(attr, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(attr))
        return mlc_dense_attr_splat(type, mlc_elements_attr_element(attr, 0));
    size_t size = mlc_constant_bytes(attr), num_bytes;
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE) && mlc_dense_resource_attr_blob(attr) &&
        size >= INLINE_BYTES && mlc_blob_size(mlc_dense_resource_attr_blob(attr)) >= size)
        return mlc_constant_remade(attr, type, mlc_constant_key(attr), permute, &p, sizeof p);
    const char *data = mlc_elements_attr_data(attr, &num_bytes);
    if (!data || num_bytes < size)
        return NULL;
    void *to;
    MlcBlob *blob = mlc_blob_create_empty(size, 64, &to);
    permute(to, data, false, &p);
    return make_from_bytes(type, blob, to, mlc_constant_key(attr));
}

MlcAttr
mlc_constant_reshape(MlcAttr attr, const int64_t *shape, size_t rank)
{
    size_t num_bytes;
    MlcType type = mlc_tensor_type_get(mlc_type_element(mlc_attr_type(attr)), shape, rank, NULL);
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE))
        return mlc_dense_resource_attr_get(type, mlc_dense_resource_attr_key(attr),
                                           mlc_dense_resource_attr_blob(attr));
    const void *data = mlc_elements_attr_data(attr, &num_bytes);
    return data ? mlc_dense_attr_get(type, data, num_bytes, mlc_elements_attr_is_splat(attr))
                : NULL;
}

static void
release_blob(void *blob)
{
    mlc_blob_release(blob);
}

MlcAttr
mlc_constant_rows(MlcAttr attr, int64_t first, int64_t count)
{
    MlcType whole = mlc_attr_type(attr);
    int64_t dims[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(whole), num_bytes;
    memcpy(dims, mlc_type_shape(whole), rank * sizeof *dims);
    dims[0] = count;
    MlcType type = mlc_tensor_type_get(mlc_type_element(whole), dims, rank, NULL);
    if (mlc_attr_is(attr, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(attr))
        return mlc_dense_attr_splat(type, mlc_elements_attr_element(attr, 0));
    const char *data = mlc_elements_attr_data(attr, &num_bytes);
    if (!data || num_bytes < mlc_constant_bytes(attr))
        return NULL;
    size_t row = mlc_constant_bytes(attr) / (size_t)mlc_type_dim(whole, 0);
    const char *start = data + row * (size_t)first;
    if (!mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE))
        return mlc_dense_attr_get(type, start, row * (size_t)count, false);
    MlcBlob *parent = mlc_dense_resource_attr_blob(attr);
    mlc_blob_retain(parent);
    size_t alignment = mlc_elements_attr_element_bytes(mlc_type_element(whole));
    MlcBlob *part = mlc_blob_create(start, row * (size_t)count, alignment, release_blob, parent);
    return make_from_bytes(type, part, start, mlc_constant_key(attr));
}

MlcStr
mlc_constant_key(MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE) ? mlc_dense_resource_attr_key(attr)
                                                      : mlc_str("constant");
}

MlcValue *
mlc_constant_build(MlcOp *before, MlcAttr value)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(before));
    mlc_builder_before(&b, before);
    return mlc_graph_constant(&b, value);
}
