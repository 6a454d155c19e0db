// elements.c -- attributes that hold many values: dense, dense_resource, sparse, dense arrays; and
// lists of integers.
//
// Elements lie in memory as loads and stores of the element type would have them (little-endian
// hosts only, which all targets are), so that big constants go from file to code without a copy.
// Equal elements are stored once, as MLIR does, so that a splat is a splat however it was written.
#include <assert.h>

#include "context_impl.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/type.h"
#include "mlc/support/alloc.h"
#include "mlc/support/softfloat.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "element storage is little-endian");

size_t
mlc_elements_attr_element_bytes(MlcType element)
{
    if (mlc_type_is(element, MLC_TYPE_COMPLEX))
        return 2 * mlc_elements_attr_element_bytes(mlc_type_element(element));
    unsigned width = mlc_type_bit_width(element);
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : (width + 63) / 64 * (size_t)8;
}

// --- one element

static MlcAttr
read_element(MlcType element, const unsigned char *at)
{
    size_t size = mlc_elements_attr_element_bytes(element);
    if (mlc_type_is(element, MLC_TYPE_COMPLEX)) {
        MlcType part = mlc_type_element(element);
        MlcAttr parts[] = {read_element(part, at), read_element(part, at + size / 2)};
        return mlc_array_attr_get(mlc_type_context(element), parts, 2);
    }
    uint64_t words[2] = {0, 0};
    if (size <= 16)
        memcpy(words, at, size);
    if (mlc_type_is_float(element))
        return mlc_float_attr_get_bits(element, words[0], words[1]);
    if (size <= 8)
        return mlc_integer_attr_get(element, (int64_t)words[0]);
    MlcArena arena = {0};
    MlcWide wide = mlc_wide_from_bytes(&arena, mlc_type_bit_width(element), at, size);
    MlcAttr attr = mlc_integer_attr_get_wide(element, &wide);
    mlc_arena_release(&arena);
    return attr;
}

static void
write_element(MlcType element, MlcAttr value, unsigned char *at)
{
    size_t size = mlc_elements_attr_element_bytes(element);
    if (mlc_type_is(element, MLC_TYPE_COMPLEX)) {
        MlcType part = mlc_type_element(element);
        write_element(part, mlc_array_attr_element(value, 0), at);
        write_element(part, mlc_array_attr_element(value, 1), at + size / 2);
    } else if (mlc_type_is_float(element)) {
        uint64_t bits[2];
        mlc_float_attr_bits(value, &bits[0], &bits[1]);
        memcpy(at, bits, size);
    } else {
        MlcWide wide = mlc_attr_wide(value);
        memcpy(at, mlc_wide_words(&wide), size);
    }
}

// --- dense

// Sparse and dense attributes want a shape; a dynamic one never gets here (the parser rejects it).
static size_t
count_elements(MlcType shaped)
{
    int64_t count = mlc_type_num_elements(shaped);
    assert(count >= 0);
    return (size_t)count;
}

// All elements equal the first, compared by shifting the bytes by one element.
static bool
is_uniform(const unsigned char *data, size_t num_bytes, size_t element_bytes)
{
    return num_bytes >= element_bytes &&
           memcmp(data, data + element_bytes, num_bytes - element_bytes) == 0;
}

// Bits that stand for nothing are zero, or equal attributes would not be one: `data` itself, or a
// copy to be freed.
static void *
without_padding(MlcType element, const void *data, size_t num_bytes)
{
    MlcType part = mlc_type_is(element, MLC_TYPE_COMPLEX) ? mlc_type_element(element) : element;
    size_t width = mlc_type_bit_width(part), size = mlc_elements_attr_element_bytes(part);
    if (!mlc_type_is(part, MLC_TYPE_INTEGER) || width == size * 8)
        return NULL;
    unsigned char *copy = NULL;
    for (size_t i = 0; i < num_bytes; i++) {
        size_t bit = i % size * 8; // first of this byte
        unsigned mask = bit >= width ? 0 : width - bit >= 8 ? 0xff : (1u << (width - bit)) - 1;
        if (!(((const unsigned char *)data)[i] & ~mask))
            continue;
        if (!copy)
            copy = memcpy(mlc_malloc(num_bytes), data, num_bytes);
        copy[i] &= (unsigned char)mask;
    }
    return copy;
}

MlcAttr
mlc_dense_attr_get(MlcType shaped, const void *data, size_t num_bytes, bool is_splat)
{
    size_t element_bytes = mlc_elements_attr_element_bytes(mlc_type_element(shaped));
    void *copy = without_padding(mlc_type_element(shaped), data, num_bytes);
    if (copy) {
        MlcAttr attr = mlc_dense_attr_get(shaped, copy, num_bytes, is_splat);
        mlc_free(copy);
        return attr;
    }
    size_t count = count_elements(shaped);
    assert(num_bytes == (is_splat ? element_bytes : count * element_bytes));
    if (count == 0) {
        is_splat = false;
        num_bytes = 0;
    } else if (!is_splat && is_uniform(data, num_bytes, element_bytes)) {
        is_splat = true;
        num_bytes = element_bytes;
    }
    uint64_t head[] = {mlc_word(shaped), is_splat, num_bytes};
    MlcPart parts[] = {{head, sizeof head}, {data, num_bytes}};
    return mlc_intern(mlc_type_context(shaped), MLC_CATEGORY_ATTR, MLC_ATTR_DENSE, parts, 2, 0);
}

MlcAttr
mlc_dense_attr_splat(MlcType shaped, MlcAttr element)
{
    MlcType type = mlc_type_element(shaped);
    size_t size = mlc_elements_attr_element_bytes(type);
    unsigned char few[64], *bytes = size <= sizeof few ? few : mlc_malloc(size);
    write_element(type, element, bytes);
    MlcAttr attr = mlc_dense_attr_get(shaped, bytes, size, true);
    if (bytes != few)
        mlc_free(bytes);
    return attr;
}

MlcAttr
mlc_dense_attr_from_elements(MlcType shaped, const MlcAttr *elements, size_t num_elements)
{
    assert(num_elements == count_elements(shaped));
    MlcType type = mlc_type_element(shaped);
    size_t size = mlc_elements_attr_element_bytes(type), num_bytes;
    if (!mlc_mul_size(size, num_elements, &num_bytes))
        mlc_out_of_memory(SIZE_MAX);
    unsigned char *bytes = mlc_malloc(num_bytes);
    for (size_t i = 0; i < num_elements; i++)
        write_element(type, elements[i], bytes + i * size);
    MlcAttr attr = mlc_dense_attr_get(shaped, bytes, num_bytes, false);
    mlc_free(bytes);
    return attr;
}

MlcAttr
mlc_dense_string_attr_get(MlcType shaped, const MlcStr *strings, size_t num_strings)
{
    MlcContext *ctx = mlc_type_context(shaped);
    MlcAttr *elements = mlc_malloc(num_strings * sizeof *elements);
    bool is_splat = num_strings > 0;
    for (size_t i = 0; i < num_strings; i++) {
        elements[i] = mlc_string_attr_get(ctx, strings[i]);
        is_splat &= elements[i] == elements[0];
    }
    uint64_t head[] = {mlc_word(shaped), is_splat ? 1 : num_strings};
    MlcPart parts[] = {{head, sizeof head}, {elements, head[1] * sizeof *elements}};
    MlcAttr attr = mlc_intern(ctx, MLC_CATEGORY_ATTR, MLC_ATTR_DENSE_STRING, parts, 2, 0);
    mlc_free(elements);
    return attr;
}

MlcStr
mlc_dense_string_attr_element(MlcAttr attr, size_t i)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DENSE_STRING));
    return mlc_string_attr_value(attr->array.elements[attr->array.size == 1 ? 0 : i]);
}

MlcAttr
mlc_sparse_attr_get(MlcType shaped, MlcAttr indices, MlcAttr values)
{
    uint64_t words[] = {mlc_word(shaped), mlc_word(indices), mlc_word(values)};
    return mlc_intern_words(mlc_type_context(shaped), MLC_CATEGORY_ATTR, MLC_ATTR_SPARSE, words, 3);
}

MlcAttr
mlc_sparse_attr_indices(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_SPARSE));
    return attr->sparse.indices;
}

MlcAttr
mlc_sparse_attr_values(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_SPARSE));
    return attr->sparse.values;
}

// --- dense_resource

static MlcResource *
find_resource(MlcContext *ctx, MlcStr key)
{
    uint64_t word = mlc_word(mlc_string_attr_get(ctx, key));
    MlcPart part = {&word, sizeof word};
    return (MlcResource *)(uintptr_t)mlc_intern(ctx, MLC_CATEGORY_RESOURCE, 0, &part, 1,
                                                sizeof(MlcResource) - offsetof(MlcResource, blob));
}

// Gives the resource its blob; false if it has another.
static bool
set_blob(MlcResource *resource, MlcBlob *blob)
{
    MlcBlob *none = NULL;
    if (!atomic_compare_exchange_strong(&resource->blob, &none, blob))
        return none == blob;
    mlc_blob_retain(blob);
    MlcContext *ctx = resource->ctx;
    pthread_mutex_lock(&ctx->lock);
    resource->next_with_blob = ctx->resources;
    ctx->resources = resource;
    pthread_mutex_unlock(&ctx->lock);
    return true;
}

bool
mlc_dense_resource_set_blob(MlcContext *ctx, MlcStr key, MlcBlob *blob)
{
    return set_blob(find_resource(ctx, key), blob);
}

MlcAttr
mlc_dense_resource_attr_get(MlcType shaped, MlcStr key, MlcBlob *blob)
{
    MlcContext *ctx = mlc_type_context(shaped);
    MlcResource *resource = find_resource(ctx, key);
    MlcBuf other = {0}; // key_1, key_2 ... where the key is taken by other bytes
    for (int64_t i = 1; blob && !set_blob(resource, blob); i++) {
        mlc_buf_clear(&other);
        mlc_buf_append_str(&other, key);
        mlc_buf_append_char(&other, '_');
        mlc_buf_append_int(&other, i);
        resource = find_resource(ctx, mlc_buf_str(&other));
    }
    mlc_buf_release(&other);
    uint64_t words[] = {mlc_word(shaped), mlc_word(resource)};
    return mlc_intern_words(ctx, MLC_CATEGORY_ATTR, MLC_ATTR_DENSE_RESOURCE, words, 2);
}

MlcStr
mlc_dense_resource_attr_key(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE));
    return mlc_string_attr_value(attr->resource->key);
}

MlcBlob *
mlc_dense_resource_attr_blob(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE));
    return atomic_load_explicit(&attr->resource->blob, memory_order_acquire);
}

// --- reading elements

const void *
mlc_elements_attr_data(MlcAttr attr, size_t *num_bytes)
{
    *num_bytes = 0;
    if (mlc_attr_is(attr, MLC_ATTR_DENSE)) {
        *num_bytes = attr->dense.size;
        return attr->dense.bytes;
    }
    MlcBlob *blob =
        mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE) ? mlc_dense_resource_attr_blob(attr) : NULL;
    if (!blob)
        return NULL;
    *num_bytes = mlc_blob_size(blob);
    return mlc_blob_data(blob);
}

bool
mlc_elements_attr_has_data(MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_DENSE) ||
           (mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE) && mlc_dense_resource_attr_blob(attr));
}

bool
mlc_elements_attr_is_splat(MlcAttr attr)
{
    if (mlc_attr_is(attr, MLC_ATTR_DENSE))
        return attr->dense.is_splat;
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_STRING))
        return attr->array.size == 1;
    return mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE) && mlc_type_has_static_shape(attr->type) &&
           mlc_type_num_elements(attr->type) == 1;
}

// The place in row-major order that row `row` of a sparse attribute's indices names.
static size_t
sparse_place(MlcAttr attr, size_t row)
{
    MlcAttr indices = mlc_sparse_attr_indices(attr);
    size_t rank = mlc_type_rank(attr->type), place = 0;
    for (size_t d = 0; d < rank; d++) {
        int64_t index = 0;
        MlcAttr at = mlc_elements_attr_element(indices, row * rank + d);
        if (at)
            mlc_attr_try_as_int(at, &index);
        place = place * (size_t)mlc_type_dim(attr->type, d) + (size_t)index;
    }
    return place;
}

// Strings and values of foreign types are kept, but have no bytes.
static bool
is_number(MlcType element)
{
    return mlc_type_is_int_or_index(element) || mlc_type_is_float(element) ||
           mlc_type_is(element, MLC_TYPE_COMPLEX);
}

// One of the values, or 0.
static MlcAttr
sparse_element(MlcAttr attr, size_t i)
{
    MlcType indices = mlc_attr_type(mlc_sparse_attr_indices(attr)),
            element = mlc_type_element(attr->type);
    static const unsigned char zeros[256];
    size_t num_rows = mlc_type_rank(indices) ? (size_t)mlc_type_dim(indices, 0) : 1;
    for (size_t row = 0; row < num_rows; row++)
        if (sparse_place(attr, row) == i)
            return mlc_elements_attr_element(mlc_sparse_attr_values(attr), row);
    return mlc_elements_attr_element_bytes(element) <= sizeof zeros ? read_element(element, zeros)
                                                                    : NULL;
}

MlcAttr
mlc_elements_attr_element(MlcAttr attr, size_t i)
{
    size_t num_bytes;
    MlcType element = mlc_type_element(attr->type);
    if (!is_number(element))
        return NULL;
    if (mlc_attr_is(attr, MLC_ATTR_SPARSE))
        return sparse_element(attr, i);
    const unsigned char *data = mlc_elements_attr_data(attr, &num_bytes);
    size_t size = mlc_elements_attr_element_bytes(element);
    size_t at = mlc_elements_attr_is_splat(attr) ? 0 : i * size;
    if (!data || num_bytes < size || at > num_bytes - size)
        return NULL;
    return read_element(element, data + at);
}

// --- dense arrays and lists of integers

MlcAttr
mlc_dense_array_attr_get(MlcType element, const void *data, size_t num_elements)
{
    uint64_t head[] = {0, mlc_word(element), num_elements};
    MlcPart parts[] = {{head, sizeof head},
                       {data, num_elements * mlc_elements_attr_element_bytes(element)}};
    return mlc_intern(mlc_type_context(element), MLC_CATEGORY_ATTR, MLC_ATTR_DENSE_ARRAY, parts, 2,
                      0);
}

MlcAttr
mlc_i64_array_attr_get(MlcContext *ctx, const int64_t *values, size_t num_values)
{
    return mlc_dense_array_attr_get(mlc_integer_type_get(ctx, 64, MLC_SIGNLESS), values,
                                    num_values);
}

MlcAttr
mlc_i32_array_attr_get(MlcContext *ctx, const int32_t *values, size_t num_values)
{
    return mlc_dense_array_attr_get(mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), values,
                                    num_values);
}

MlcType
mlc_dense_array_attr_element_type(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY));
    return attr->dense_array.element;
}

size_t
mlc_dense_array_attr_size(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY));
    return attr->dense_array.size;
}

const void *
mlc_dense_array_attr_data(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY));
    return attr->dense_array.bytes;
}

int64_t
mlc_dense_array_attr_int(MlcAttr attr, size_t i)
{
    assert(i < mlc_dense_array_attr_size(attr));
    unsigned width = mlc_type_bit_width(attr->dense_array.element);
    if (width == 32) { // sizes of groups: the commonest
        int32_t value;
        memcpy(&value, attr->dense_array.bytes + i * sizeof value, sizeof value);
        return value;
    }
    size_t size = mlc_elements_attr_element_bytes(attr->dense_array.element);
    assert(width <= 64 && mlc_type_is_int_or_index(attr->dense_array.element));
    uint64_t word = 0;
    memcpy(&word, attr->dense_array.bytes + i * size, size);
    return width <= 1 ? (int64_t)word : (int64_t)(word << (64 - width)) >> (64 - width);
}

size_t
mlc_int_list_attr_size(MlcAttr attr)
{
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY))
        return attr->dense_array.size;
    if (mlc_attr_is(attr, MLC_ATTR_ARRAY))
        return attr->array.size;
    if (mlc_attr_is(attr, MLC_ATTR_DENSE) || mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE))
        return count_elements(attr->type);
    return 0;
}

bool
mlc_int_list_attr_has(MlcAttr attr, int64_t value)
{
    int64_t element;
    for (size_t i = 0; i < mlc_int_list_attr_size(attr); i++)
        if (mlc_int_list_attr_get(attr, i, &element) && element == value)
            return true;
    return false;
}

bool
mlc_int_list_attr_get(MlcAttr attr, size_t i, int64_t *value)
{
    if (i >= mlc_int_list_attr_size(attr))
        return false;
    if (mlc_attr_is(attr, MLC_ATTR_ARRAY))
        return mlc_attr_try_as_int(attr->array.elements[i], value);
    if (!mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY))
        return mlc_type_is_int_or_index(mlc_type_element(attr->type)) &&
               mlc_attr_try_as_int(mlc_elements_attr_element(attr, i), value);
    MlcType element = attr->dense_array.element;
    if (!mlc_type_is_int_or_index(element) || mlc_type_bit_width(element) > 64)
        return false;
    *value = mlc_dense_array_attr_int(attr, i);
    return true;
}
