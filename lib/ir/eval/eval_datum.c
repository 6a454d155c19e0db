// eval_datum.c -- datums: made, read, written, from and to attributes.
#include <assert.h>

#include "eval_impl.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/support/alloc.h"

// --- scalars

MlcDatum
mlc_datum_int(MlcType type, int64_t value)
{
    MlcDatum d = {.type = type};
    d.integer = mlc_wide_from_int(NULL, mlc_type_bit_width(type), value);
    return d;
}

MlcDatum
mlc_datum_index(MlcContext *ctx, int64_t value)
{
    return mlc_datum_int(mlc_index_type_get(ctx), value);
}

MlcDatum
mlc_datum_wide(MlcEval *e, MlcType type, MlcWide value)
{
    MlcDatum d = {.type = type};
    d.integer = value;
    if (value.width > 64) {
        size_t size = mlc_wide_num_words(value) * sizeof(uint64_t);
        d.cell = mlc_cell_create(e, size);
        d.integer.words = memcpy(d.cell->bytes, value.words, size);
    }
    return d;
}

MlcDatum
mlc_datum_soft(MlcType type, MlcFloat value)
{
    MlcDatum d = {.type = type};
    d.bits[0] = value.lo;
    d.bits[1] = value.hi;
    return d;
}

MlcDatum
mlc_datum_float(MlcType type, double value)
{
    return mlc_datum_soft(type, mlc_float_from_double(mlc_float_type_kind(type), value));
}

int64_t
mlc_datum_as_int(const MlcDatum *d)
{
    return mlc_wide_low_int(d->integer);
}

uint64_t
mlc_datum_as_uint(const MlcDatum *d)
{
    return mlc_wide_low_uint(d->integer);
}

bool
mlc_datum_as_bool(const MlcDatum *d)
{
    return !mlc_wide_is_zero(d->integer);
}

MlcFloat
mlc_datum_as_soft(const MlcDatum *d)
{
    return mlc_float_from_bits(mlc_float_type_kind(d->type), d->bits[0], d->bits[1]);
}

double
mlc_datum_as_double(const MlcDatum *d)
{
    MlcFloatKind kind = mlc_float_type_kind(d->type);
    if (kind == MLC_FLOAT_F32) {
        uint32_t bits = (uint32_t)d->bits[0];
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return mlc_float_to_double(mlc_float_from_bits(kind, d->bits[0], d->bits[1]));
}

bool
mlc_datum_is_elements(const MlcDatum *d)
{
    switch (mlc_type_kind(d->type)) {
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_UNRANKED_TENSOR:
        return true;
    default:
        return false;
    }
}

bool
mlc_datum_is_memref(const MlcDatum *d)
{
    return mlc_type_is(d->type, MLC_TYPE_MEMREF) || mlc_type_is(d->type, MLC_TYPE_UNRANKED_MEMREF);
}

// --- storage

void
mlc_datum_read(MlcEval *e, MlcType element, const void *at, MlcDatum *out)
{
    if (mlc_type_is(element, MLC_TYPE_VECTOR)) { // an element of memref<4xvector<8xf32>>
        MlcDatum vector;
        if (!mlc_eval_elements(e, NULL, element, NULL, &vector))
            return;
        memcpy(vector.elements.data, at, vector.elements.num_bytes);
        *out = vector;
        return;
    }
    unsigned width = mlc_type_bit_width(element);
    if (width > 64 && !mlc_type_is_float(element)) {
        MlcArena arena = {0};
        *out = mlc_datum_wide(e, element, mlc_wide_from_bytes(&arena, width, at, (width + 7) / 8));
        mlc_arena_release(&arena);
        return;
    }
    uint64_t bits[2] = {0, 0};
    memcpy(bits, at, mlc_elements_attr_element_bytes(element));
    *out = (MlcDatum){.type = element};
    if (mlc_type_is_float(element)) {
        if (width < 64)
            bits[0] &= (UINT64_C(1) << width) - 1;
        out->bits[0] = bits[0];
        out->bits[1] = bits[1];
    } else {
        out->integer = mlc_wide_from_uint(NULL, width, bits[0]);
    }
}

void
mlc_datum_write(void *at, const MlcDatum *value)
{
    if (mlc_datum_is_elements(value))
        memcpy(at, value->elements.data, value->elements.num_bytes);
    else if (mlc_type_is_float(value->type))
        memcpy(at, value->bits, mlc_elements_attr_element_bytes(value->type));
    else
        memcpy(at, mlc_wide_words(&value->integer), mlc_elements_attr_element_bytes(value->type));
}

size_t
mlc_datum_num_elements(const MlcDatum *d)
{
    const int64_t *shape = mlc_datum_is_memref(d)     ? d->memref.sizes
                           : mlc_datum_is_elements(d) ? d->elements.shape
                                                      : NULL;
    size_t count = 1;
    for (size_t i = 0; shape && i < d->rank; i++)
        count *= (size_t)shape[i];
    return count;
}

size_t
mlc_datum_element_bytes(const MlcDatum *d)
{
    MlcType element = mlc_type_element(d->type);
    if (mlc_type_is(element, MLC_TYPE_VECTOR))
        return (size_t)mlc_type_num_elements(element) *
               mlc_elements_attr_element_bytes(mlc_type_element(element));
    return mlc_elements_attr_element_bytes(element);
}

void
mlc_datum_element(MlcEval *e, const MlcDatum *elements, size_t i, MlcDatum *out)
{
    if (!mlc_datum_is_elements(elements)) {
        *out = *elements;
        return;
    }
    size_t size = mlc_datum_element_bytes(elements);
    mlc_datum_read(e, mlc_type_element(elements->type), (char *)elements->elements.data + i * size,
                   out);
}

void
mlc_datum_set_element(MlcDatum *elements, size_t i, const MlcDatum *value)
{
    mlc_datum_write((char *)elements->elements.data + i * mlc_datum_element_bytes(elements), value);
}

// --- vectors and tensors

bool
mlc_eval_elements_of_rank(MlcEval *e, MlcOp *op, MlcType type, const int64_t *shape, size_t rank,
                          MlcDatum *out)
{
    *out = (MlcDatum){.type = type, .rank = rank};
    size_t num_bytes = mlc_datum_element_bytes(out), total;
    for (size_t i = 0; i < rank; i++)
        if (shape[i] < 0 || !mlc_mul_size(num_bytes, (size_t)shape[i], &num_bytes))
            return mlc_eval_error(e, op, "makes a value of %s elements in dimension %zu",
                                  shape[i] < 0 ? "a negative number of" : "too many", i);
    size_t shape_bytes = (rank * sizeof(int64_t) + 15) & ~(size_t)15;
    if (!mlc_add_size(num_bytes, shape_bytes, &total) || total > e->max_memory ||
        e->memory > e->max_memory - total)
        return mlc_eval_error(e, op,
                              "needs %zu bytes, which passes the interpreter's memory limit of %zu",
                              num_bytes, e->max_memory);
    out->cell = mlc_cell_create(e, total);
    out->elements.shape = memcpy(out->cell->bytes, shape, rank * sizeof(int64_t));
    out->elements.data = memset(out->cell->bytes + shape_bytes, 0, num_bytes);
    out->elements.num_bytes = num_bytes;
    return true;
}

bool
mlc_eval_elements(MlcEval *e, MlcOp *op, MlcType type, const int64_t *shape, MlcDatum *out)
{
    if (!mlc_type_has_rank(type))
        return mlc_eval_error(e, op, "makes an unranked value of no known rank");
    return mlc_eval_elements_of_rank(e, op, type, shape ? shape : mlc_type_shape(type),
                                     mlc_type_rank(type), out);
}

bool
mlc_eval_copy_elements(MlcEval *e, MlcOp *op, const MlcDatum *from, MlcDatum *out)
{
    MlcDatum copy;
    if (!mlc_eval_elements_of_rank(e, op, from->type, from->elements.shape, from->rank, &copy))
        return false;
    memcpy(copy.elements.data, from->elements.data, from->elements.num_bytes);
    *out = copy;
    return true;
}

bool
mlc_eval_reshape(MlcEval *e, MlcOp *op, const MlcDatum *from, MlcType type, const int64_t *shape,
                 size_t rank, MlcDatum *out)
{
    MlcDatum copy = *from;
    size_t count = 1;
    for (size_t i = 0; i < rank; i++)
        count *= (size_t)shape[i];
    if (mlc_type_has_rank(type) && mlc_type_has_static_shape(type) &&
        count == mlc_datum_num_elements(from)) {
        copy.type = type; // the type keeps the shape, the cell the data
        copy.rank = rank;
        copy.elements.shape = mlc_type_shape(type);
        *out = copy;
        return true;
    }
    if (!mlc_eval_elements_of_rank(e, op, type, shape, rank, &copy))
        return false;
    if (copy.elements.num_bytes != from->elements.num_bytes)
        return mlc_eval_error(e, op, "makes %zu elements of %zu", mlc_datum_num_elements(&copy),
                              mlc_datum_num_elements(from));
    memcpy(copy.elements.data, from->elements.data, from->elements.num_bytes);
    *out = copy;
    return true;
}

bool
mlc_next_index(int64_t *indices, const int64_t *shape, size_t rank)
{
    for (size_t i = rank; i-- > 0;) {
        if (++indices[i] < shape[i])
            return true;
        indices[i] = 0;
    }
    return false;
}

int64_t
mlc_linear_index(const int64_t *indices, const int64_t *shape, size_t rank)
{
    int64_t at = 0;
    for (size_t i = 0; i < rank; i++)
        at = at * shape[i] + indices[i];
    return at;
}

// --- attributes

static bool
elements_from_attr(MlcEval *e, MlcAttr attr, MlcDatum *out)
{
    MlcType type = mlc_attr_type(attr), element = mlc_type_element(type);
    if (!mlc_type_is_int_or_index(element) && !mlc_type_is_float(element))
        return false;
    size_t num_bytes;
    const unsigned char *data = mlc_elements_attr_data(attr, &num_bytes);
    if (!data && mlc_type_num_elements(type) != 0)
        return false;
    if (!mlc_elements_attr_is_splat(attr)) {
        *out = (MlcDatum){.type = type, .rank = mlc_type_rank(type)};
        out->elements.data = (void *)(uintptr_t)data; // read only, as elements are
        out->elements.num_bytes = num_bytes;
        out->elements.shape = mlc_type_shape(type);
        return true;
    }
    if (!mlc_eval_elements(e, NULL, type, NULL, out))
        return false;
    size_t size = mlc_elements_attr_element_bytes(element);
    for (size_t i = 0; i < out->elements.num_bytes; i += size)
        memcpy((char *)out->elements.data + i, data, size);
    return true;
}

bool
mlc_datum_from_attr(MlcEval *e, MlcAttr attr, MlcDatum *out)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_INTEGER:
        *out = mlc_datum_wide(e, mlc_attr_type(attr), mlc_attr_wide(attr));
        return true;
    case MLC_ATTR_FLOAT:
        *out = (MlcDatum){.type = mlc_attr_type(attr)};
        mlc_float_attr_bits(attr, &out->bits[0], &out->bits[1]);
        return true;
    case MLC_ATTR_DENSE:
    case MLC_ATTR_DENSE_RESOURCE:
        return elements_from_attr(e, attr, out);
    default:
        return false;
    }
}

MlcAttr
mlc_datum_to_attr(const MlcDatum *d)
{
    if (mlc_type_is_int_or_index(d->type))
        return mlc_integer_attr_get_wide(d->type, &d->integer);
    if (mlc_type_is_float(d->type))
        return mlc_float_attr_get_bits(d->type, d->bits[0], d->bits[1]);
    if (!mlc_datum_is_elements(d) || mlc_type_is(mlc_type_element(d->type), MLC_TYPE_VECTOR))
        return NULL;
    MlcType type = d->type;
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        type = mlc_tensor_type_get(mlc_type_element(type), d->elements.shape, d->rank, NULL);
    return mlc_dense_attr_get(type, d->elements.data, d->elements.num_bytes, false);
}
