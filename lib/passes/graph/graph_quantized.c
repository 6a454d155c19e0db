// graph_quantized.c -- see graph_quantized.h. What is looked for is what importers make of ONNX's
// operators: casts to i32, a zero point taken off, a cast to f32, a scale. Casts to bytes and back
// that only move the numbers by 128 (graph-integer-products makes them) are seen through.
#include "graph_quantized.h"

#include "graph_constants.h"
#include "kernel/constant_remade.h"

#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_geometry.h"
#include "mlc/support/alloc.h"

static MlcType
element_of(const MlcValue *value)
{
    return mlc_type_element(mlc_value_type(value));
}

bool
mlc_is_integer_of(MlcType type, unsigned bits)
{
    MlcType element = mlc_type_element(type);
    return mlc_type_is(element, MLC_TYPE_INTEGER) && mlc_type_bit_width(element) == bits;
}

static bool
has_one_element(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_has_rank(type) && mlc_type_has_static_shape(type) &&
           mlc_type_num_elements(type) == 1;
}

// ---- what is stored

// The bytes that are cast to i32; those of a cast from i32, of what another byte is less or more
// than 128, are that byte.
static bool
find_bytes(MlcValue *value, MlcStored *stored)
{
    MlcOp *cast = mlc_value_def(value);
    if (!mlc_graph_cast_isa(cast) || !mlc_is_integer_of(mlc_value_type(value), 32) ||
        !mlc_is_integer_of(mlc_op_operand_type(cast, 0), 8))
        return false;
    stored->bytes = mlc_op_operand(cast, 0);
    MlcOp *narrow = mlc_value_def(stored->bytes);
    MlcOp *moved = mlc_graph_cast_isa(narrow) ? mlc_value_def(mlc_op_operand(narrow, 0)) : NULL;
    if (!mlc_graph_sub_isa(moved))
        return true;
    int32_t *by = has_one_element(mlc_op_operand(moved, 1))
                      ? mlc_read_integers(mlc_op_operand(moved, 1))
                      : NULL;
    MlcStored inner = {0};
    if (by && (*by == 128 || *by == -128) && find_bytes(mlc_op_operand(moved, 0), &inner) &&
        !inner.zero) {
        stored->bytes = inner.bytes;
        stored->shift += inner.shift + *by;
    }
    mlc_free(by);
    return true;
}

static bool
find_difference(MlcValue *value, MlcStored *stored)
{
    MlcOp *sub = mlc_value_def(value);
    if (!mlc_graph_sub_isa(sub))
        return find_bytes(value, stored);
    stored->zero = mlc_op_operand(sub, 1);
    return mlc_is_integer_of(mlc_value_type(value), 32) && has_one_element(stored->zero) &&
           find_bytes(mlc_op_operand(sub, 0), stored);
}

static bool
is_f32(MlcType element)
{
    return mlc_type_is_float(element) && mlc_float_type_kind(element) == MLC_FLOAT_F32;
}

bool
mlc_find_stored(MlcValue *value, MlcStored *stored)
{
    *stored = (MlcStored){0};
    if (!is_f32(element_of(value)))
        return find_difference(value, stored);
    MlcOp *mul = mlc_value_def(value);
    for (size_t i = 0; mlc_graph_mul_isa(mul) && i < 2; i++) {
        MlcOp *cast = mlc_value_def(mlc_op_operand(mul, i));
        MlcValue *scale = mlc_op_operand(mul, 1 - i);
        *stored = (MlcStored){.scale = scale};
        if (mlc_graph_cast_isa(cast) && has_one_element(scale) &&
            find_difference(mlc_op_operand(cast, 0), stored))
            return true;
    }
    return false;
}

// ---- constants

static int32_t
integer_at(const char *data, size_t i, size_t width, bool is_unsigned)
{
    if (width == 1)
        return is_unsigned ? (int32_t)(uint8_t)data[i] : (int32_t)(int8_t)data[i];
    if (width == 2) {
        uint16_t bits;
        memcpy(&bits, data + 2 * i, 2);
        return is_unsigned ? (int32_t)bits : (int32_t)(int16_t)bits;
    }
    int32_t number;
    memcpy(&number, data + 4 * i, 4);
    return number;
}

static int32_t *
read_constant(MlcAttr attr, MlcType type, size_t count)
{
    MlcType element = mlc_type_element(type);
    unsigned bits = mlc_type_bit_width(element);
    if (!mlc_elements_attr_has_data(attr) || (bits != 8 && bits != 16 && bits != 32))
        return NULL;
    bool is_splat, is_unsigned = mlc_integer_type_signedness(element) == MLC_UNSIGNED;
    void *temporary;
    const char *data = mlc_constant_borrow(attr, &is_splat, &temporary);
    int32_t *numbers = mlc_calloc(count + 1, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = integer_at(data, is_splat ? 0 : i, bits / 8, is_unsigned);
    mlc_constant_give_back(attr, temporary);
    return numbers;
}

// numbers[i] of `type` less what `other`, broadcast, has there.
static bool
subtract(int32_t *numbers, MlcType type, MlcValue *other)
{
    MlcType small = mlc_value_type(other);
    size_t rank = mlc_type_rank(type), own = mlc_type_rank(small);
    int32_t *less = own <= rank ? mlc_read_integers(other) : NULL;
    int64_t count = mlc_type_num_elements(type);
    for (int64_t i = 0; less && i < count; i++) {
        int64_t at = 0, step = 1, rest = i;
        for (size_t d = 0; d < rank; d++) {
            int64_t index = rest % mlc_type_dim(type, rank - 1 - d);
            rest /= mlc_type_dim(type, rank - 1 - d);
            int64_t size = d < own ? mlc_type_dim(small, own - 1 - d) : 1;
            at += size == 1 ? 0 : index * step;
            step *= size;
        }
        numbers[i] = (int32_t)((uint32_t)numbers[i] - (uint32_t)less[at]);
    }
    mlc_free(less);
    return less != NULL;
}

static int32_t *
transposed(MlcOp *op, int32_t *numbers)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    int64_t perm[MLC_RANK_LIMIT], strides[MLC_RANK_LIMIT], step = 1;
    size_t rank = mlc_type_rank(from);
    int64_t count = mlc_type_num_elements(from);
    int32_t *moved = mlc_calloc((size_t)count + 1, sizeof *moved);
    mlc_graph_permutation(op, perm);
    for (size_t i = rank; i-- > 0; step *= mlc_type_dim(from, i))
        strides[i] = step;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = 0, rest = i;
        for (size_t d = rank; d-- > 0; rest /= mlc_type_dim(to, d))
            at += rest % mlc_type_dim(to, d) * strides[perm[d]];
        moved[i] = numbers[at];
    }
    mlc_free(numbers);
    return moved;
}

// The parts of an operand's dimension that a gather takes; NULL: which is not known.
static int32_t *
gathered(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    int32_t *numbers = mlc_read_integers(mlc_op_operand(op, 0)), *taken = NULL;
    MlcAttr places = mlc_value_constant(mlc_op_operand(op, 1));
    size_t axis = numbers ? (size_t)mlc_graph_axis(op) : 0;
    if (numbers && places && mlc_type_rank(mlc_op_operand_type(op, 1)) == 1) {
        int64_t inner = 1, size = mlc_type_dim(from, axis), count = mlc_type_dim(to, axis),
                all = mlc_type_num_elements(to);
        for (size_t i = axis + 1; i < mlc_type_rank(from); i++)
            inner *= mlc_type_dim(from, i);
        taken = mlc_calloc((size_t)all + 1, sizeof *taken);
        for (int64_t i = 0; i < all; i++) {
            int64_t place = 0, outer = i / (inner * count);
            (void)mlc_attr_try_as_int(
                mlc_elements_attr_element(places, (size_t)(i / inner % count)), &place);
            place += place < 0 ? size : 0;
            if (place >= 0 && place < size)
                taken[i] = numbers[(outer * size + place) * inner + i % inner];
        }
    }
    mlc_free(numbers);
    return taken;
}

int32_t *
mlc_read_integers(MlcValue *value)
{
    MlcType type = mlc_value_type(value), element = mlc_type_element(type);
    MlcAttr attr = mlc_value_constant(value);
    MlcOp *def = mlc_value_def(value);
    if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type) ||
        !mlc_type_is(element, MLC_TYPE_INTEGER))
        return NULL;
    if (attr)
        return read_constant(attr, type, (size_t)mlc_type_num_elements(type));
    bool widens = mlc_graph_cast_isa(def) &&
                  mlc_type_is(element_of(mlc_op_operand(def, 0)), MLC_TYPE_INTEGER) &&
                  mlc_type_bit_width(element) == 32;
    if (widens || mlc_graph_reshape_isa(def))
        return mlc_read_integers(mlc_op_operand(def, 0));
    if (mlc_graph_gather_isa(def))
        return gathered(def);
    if (!mlc_graph_sub_isa(def) && !mlc_graph_transpose_isa(def))
        return NULL;
    int32_t *numbers = mlc_op_operand_type(def, 0) == type || mlc_graph_transpose_isa(def)
                           ? mlc_read_integers(mlc_op_operand(def, 0))
                           : NULL;
    if (numbers && mlc_graph_transpose_isa(def))
        return transposed(def, numbers);
    if (numbers && !subtract(numbers, type, mlc_op_operand(def, 1))) {
        mlc_free(numbers);
        return NULL;
    }
    return numbers;
}

bool
mlc_read_reals(MlcValue *value, double *numbers, size_t count)
{
    while (mlc_graph_reshape_isa(mlc_value_def(value)))
        value = mlc_op_operand(mlc_value_def(value), 0);
    MlcType type = mlc_value_type(value);
    MlcAttr attr = mlc_value_constant(value);
    if (!attr || !mlc_type_has_static_shape(type))
        return false;
    bool is_one = mlc_type_num_elements(type) == 1;
    if (!mlc_constant_read(attr, numbers, is_one ? 1 : count))
        return false;
    for (size_t i = 1; is_one && i < count; i++)
        numbers[i] = numbers[0];
    return true;
}

bool
mlc_read_real(MlcValue *value, double *number)
{
    return has_one_element(value) && mlc_read_reals(value, number, 1);
}

static MlcValue *
build_constant(MlcOp *before, MlcType type, MlcBlob *blob, const void *data, MlcStr key)
{
    enum { INLINE_BYTES = 256 };
    size_t size = mlc_blob_size(blob);
    MlcAttr attr = size < INLINE_BYTES ? mlc_dense_attr_get(type, data, size, false)
                                       : mlc_dense_resource_attr_get(type, key, blob);
    mlc_blob_release(blob);
    return mlc_constant_build(before, attr);
}

MlcValue *
mlc_build_bytes(MlcOp *before, MlcType type, const int32_t *numbers, size_t count, MlcStr key)
{
    void *data;
    MlcBlob *blob = mlc_blob_create_empty(count, 64, &data);
    for (size_t i = 0; i < count; i++)
        ((int8_t *)data)[i] = (int8_t)numbers[i];
    return build_constant(before, type, blob, data, key);
}

MlcValue *
mlc_build_integers(MlcOp *before, MlcType type, const int32_t *numbers, size_t count)
{
    void *data;
    MlcBlob *blob = mlc_blob_create_empty(count * 4, 64, &data);
    memcpy(data, numbers, count * 4);
    return build_constant(before, type, blob, data, mlc_str("sums"));
}
