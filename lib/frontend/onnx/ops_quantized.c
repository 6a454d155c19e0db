// ops_quantized.c -- operators of com.microsoft on integers that stand for reals, as onnxruntime's
// quantisers write them.
//
// What computes on one or two such tensors is done to reals and rounded: bytes become so, and are
// made again, element by element. Products are those of bytes, as ops_quantization.c makes them, or
// of reals by integers of a few bits with a scale for each block (MatMulNBits).
#include "attention.h"
#include "quantization.h"

#include "mlc/dialects/graph_geometry.h"

#include "mlc/ir/blob.h"
#include "mlc/support/powers.h"

#include <inttypes.h>

static MlcType
element_of(const MlcValue *value)
{
    return mlc_type_element(mlc_value_type(value));
}

static MlcType
f32_of(MlcOnnxNodeImport *n)
{
    return mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
}

// ---- element by element, and windows

// Input `i` as reals, by the scale and zero point in the two inputs behind it.
static MlcValue *
real_input(MlcOnnxNodeImport *n, size_t i)
{
    MlcValue *value =
        mlc_onnx_less_zero_point(n, n->inputs[i], mlc_onnx_input_or_null(n, i + 2), -1);
    MlcValue *scale =
        value ? mlc_onnx_place_beside(n, n->inputs[i + 1], mlc_value_type(value), -1, 0) : NULL;
    return mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_cast(n, value, f32_of(n)), scale);
}

// Two inputs, each with scale and zero point; then those of the result.
static bool
import_qlinear_two(MlcOnnxNodeImport *n)
{
    MlcType byte = element_of(n->inputs[0]);
    for (size_t i = 0; i < 7; i++)
        if (!n->inputs[i] && i != 2 && i != 5)
            return mlc_onnx_invalid(n, "input %zu is required", i);
    MlcValue *value =
        mlc_onnx_build_two(n, n->row->op, real_input(n, 0), n->inputs[3] ? real_input(n, 3) : NULL);
    value = mlc_onnx_build_two(n, &mlc_graph_div_def, value, n->inputs[6]);
    return mlc_onnx_set_result(n, mlc_onnx_quantize(n, value, mlc_onnx_input_or_null(n, 7), byte));
}

// alpha * a' * b' + c of integers, where c counts in the product's scale; without a scale of the
// result that is of reals.
static bool
import_qgemm(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    float alpha = 1;
    int64_t trans_b = 0;
    if (!mlc_onnx_check_inputs(n, 6) || !mlc_onnx_copy_attrs(n, &attrs) ||
        !mlc_onnx_read_float(n, "alpha", &alpha) || !mlc_onnx_read_int(n, "transB", &trans_b))
        return false;
    MlcValue *a = mlc_onnx_less_zero_point(n, n->inputs[0], mlc_onnx_input_or_null(n, 2), -2);
    MlcValue *b =
        a ? mlc_onnx_less_zero_point(n, n->inputs[3], mlc_onnx_input_or_null(n, 5), trans_b ? 0 : 1)
          : NULL;
    MlcValue *operands[] = {a, b, mlc_onnx_input_or_null(n, 6)};
    MlcValue *value =
        b ? mlc_onnx_build(n, &mlc_graph_gemm_def, operands, operands[2] ? 3 : 2, &attrs) : NULL;
    if (!value)
        return false;
    MlcType type = mlc_value_type(value);
    MlcValue *scale = mlc_onnx_place_beside(n, n->inputs[4], type, 1, 0);
    MlcValue *first = scale ? mlc_onnx_place_beside(n, n->inputs[1], type, 1, 0) : NULL;
    scale = mlc_onnx_build_two(n, &mlc_graph_mul_def, first, scale);
    scale = mlc_onnx_build_two(n, &mlc_graph_mul_def, scale,
                               mlc_onnx_build_scalar(n, f32_of(n), (double)alpha));
    MlcValue *result = mlc_onnx_input_or_null(n, 7), *zero_point = mlc_onnx_input_or_null(n, 8);
    if (result)
        scale = mlc_onnx_build_two(n, &mlc_graph_div_def, scale, result);
    value = mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_cast(n, value, f32_of(n)), scale);
    if (!result)
        return mlc_onnx_set_result(n, value);
    return mlc_onnx_set_result(
        n, mlc_onnx_quantize(n, value, zero_point,
                             zero_point ? element_of(zero_point) : element_of(n->inputs[0])));
}

// `value` in units of the scale in input `i`, rounded to what the zero point behind it is of.
static bool
set_rounded(MlcOnnxNodeImport *n, MlcValue *value, size_t i)
{
    MlcValue *zero_point = mlc_onnx_input_or_null(n, i + 1);
    value = mlc_onnx_build_two(n, &mlc_graph_div_def, value, n->inputs[i]);
    MlcType element = element_of(zero_point ? zero_point : n->inputs[0]);
    return mlc_onnx_set_result(n, mlc_onnx_quantize(n, value, zero_point, element));
}

// The inputs of an operator of one tensor: it, scale, zero point (may be missing), and those of the
// result.
static bool
check_unary(MlcOnnxNodeImport *n)
{
    for (size_t i = 0; i < 4; i++)
        if (!n->inputs[i] && i != 2)
            return mlc_onnx_invalid(n, "input %zu is required", i);
    return true;
}

static bool
import_qlinear_unary(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    if (!check_unary(n) || !mlc_onnx_copy_attrs(n, &attrs))
        return false;
    MlcValue *value = real_input(n, 0);
    return set_rounded(n, value ? mlc_onnx_build(n, n->row->op, &value, 1, &attrs) : NULL, 3);
}

// The rule of the default domain's opset that an attribute names; before 13 that flattens what is
// behind the axis.
static bool
import_qlinear_softmax(MlcOnnxNodeImport *n)
{
    int64_t opset = 13, axis = -1;
    MlcType type = n->inputs[0] ? mlc_value_type(n->inputs[0]) : NULL;
    if (!mlc_onnx_read_int(n, "opset", &opset) || !mlc_onnx_read_int(n, "axis", &axis))
        return false;
    bool is_last =
        axis == -1 || (type && mlc_type_has_rank(type) && axis == (int64_t)mlc_type_rank(type) - 1);
    if (opset < 13 && !is_last)
        return mlc_onnx_unsupported(n, "axis %" PRId64 " by the rule of opset %" PRId64, axis,
                                    opset);
    return import_qlinear_unary(n);
}

// A condition; two tensors, each with scale and zero point; those of the result.
static bool
import_qlinear_where(MlcOnnxNodeImport *n)
{
    if (!mlc_onnx_check_inputs(n, 9))
        return false;
    MlcValue *one = real_input(n, 1), *other = one ? real_input(n, 4) : NULL;
    return set_rounded(n, other ? mlc_onnx_select(n, n->inputs[0], one, other) : NULL, 7);
}

// Windows of [N, C, spatial...], or of [N, spatial..., C].
static bool
import_qlinear_pool(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    int64_t channels_last = 0, perm[MLC_SMALL_RANK], back[MLC_SMALL_RANK];
    if (!check_unary(n) || !mlc_onnx_copy_attrs(n, &attrs) ||
        !mlc_onnx_read_int(n, "channels_last", &channels_last))
        return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) < 3)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++) {
        perm[i] = i == 0 ? 0 : i == 1 ? (int64_t)rank - 1 : (int64_t)i - 1;
        back[i] = i == 0 ? 0 : i + 1 == rank ? 1 : (int64_t)i + 1;
    }
    MlcValue *value = real_input(n, 0);
    if (value && channels_last)
        value = mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, rank});
    value = value ? mlc_onnx_build(n, n->row->op, &value, 1, &attrs) : NULL;
    if (value && channels_last)
        value = mlc_onnx_transpose(n, value, (MlcOnnxInts){back, rank});
    return set_rounded(n, value, 3);
}

// The result's scale and zero point, then each tensor with its own.
static bool
import_qlinear_concat(MlcOnnxNodeImport *n)
{
    int64_t axis = 0;
    size_t count = n->num_inputs / 3;
    if (n->num_inputs % 3 != 2 || count < 1)
        return mlc_onnx_invalid(n, "%zu inputs, expected 2 and 3 for each tensor", n->num_inputs);
    if (!mlc_onnx_check_inputs(n, n->num_inputs) || !mlc_onnx_read_int(n, "axis", &axis))
        return false;
    MlcValue **values = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, count);
    for (size_t i = 0; i < count; i++)
        if (!(values[i] = real_input(n, 2 + 3 * i)))
            return false;
    return set_rounded(n, mlc_onnx_concat(n, values, count, axis), 0);
}

// ---- products

// The product of integers as reals: one scale times the other, and a bias (NULL: none).
static MlcValue *
scaled_product(MlcOnnxNodeImport *n, MlcValue *a, MlcValue *b, MlcValue *one, MlcValue *other,
               MlcValue *bias)
{
    MlcValue *sums = a && b ? mlc_onnx_build_two(n, &mlc_graph_matmul_def, a, b) : NULL;
    if (!sums)
        return NULL;
    MlcType type = mlc_value_type(sums);
    one = mlc_onnx_place_beside(n, one, type, mlc_type_rank(type) > 1 ? -2 : -1, 0);
    other = one ? mlc_onnx_place_beside(n, other, type, -1, 0) : NULL;
    MlcValue *value = mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_cast(n, sums, f32_of(n)),
                                         mlc_onnx_build_two(n, &mlc_graph_mul_def, one, other));
    return bias ? mlc_onnx_build_two(n, &mlc_graph_add_def, value, bias) : value;
}

static bool
import_matmul_integer_to_float(MlcOnnxNodeImport *n)
{
    if (!mlc_onnx_check_inputs(n, 4))
        return false;
    MlcValue *a = mlc_onnx_less_zero_point(n, n->inputs[0], mlc_onnx_input_or_null(n, 4), -2);
    MlcValue *b =
        a ? mlc_onnx_less_zero_point(n, n->inputs[1], mlc_onnx_input_or_null(n, 5), -1) : NULL;
    return mlc_onnx_set_result(
        n, scaled_product(n, a, b, n->inputs[2], n->inputs[3], mlc_onnx_input_or_null(n, 6)));
}

static bool
import_dynamic_quantize_matmul(MlcOnnxNodeImport *n)
{
    MlcOnnxRange range;
    if (!mlc_onnx_check_inputs(n, 3) || !mlc_onnx_quantize_by_range(n, n->inputs[0], &range))
        return false;
    MlcValue *a = mlc_onnx_less_zero_point(n, range.bytes, range.zero_point, -2);
    MlcValue *b =
        a ? mlc_onnx_less_zero_point(n, n->inputs[1], mlc_onnx_input_or_null(n, 3), -1) : NULL;
    return mlc_onnx_set_result(
        n, scaled_product(n, a, b, range.scale, n->inputs[2], mlc_onnx_input_or_null(n, 4)));
}

// Attention whose projections are a product of bytes.
static bool
import_qattention(MlcOnnxNodeImport *n)
{
    MlcValue *past = mlc_onnx_input_or_null(n, 8);
    if (!mlc_onnx_check_inputs(n, 5))
        return false;
    static const size_t ranks[][2] = {{0, 3}, {1, 2}, {8, 5}}; // activations, weights, the past
    for (size_t i = 0; i < 3; i++) {
        MlcValue *value = mlc_onnx_input_or_null(n, ranks[i][0]);
        MlcType type = value ? mlc_value_type(value) : NULL;
        if (type && (!mlc_type_has_rank(type) || mlc_type_rank(type) != ranks[i][1] ||
                     !mlc_type_has_static_shape(type)))
            return mlc_onnx_unsupported(n, "input %zu of type %s", ranks[i][0],
                                        mlc_type_text(type));
    }
    MlcValue *a = mlc_onnx_less_zero_point(n, n->inputs[0], mlc_onnx_input_or_null(n, 6), -2);
    MlcValue *b =
        a ? mlc_onnx_less_zero_point(n, n->inputs[1], mlc_onnx_input_or_null(n, 7), -1) : NULL;
    MlcValue *x = scaled_product(n, a, b, n->inputs[3], n->inputs[4], n->inputs[2]);
    return x && mlc_onnx_attend_projected(n, x, mlc_onnx_input_or_null(n, 5), past, n->num_inputs);
}

// ---- blocks of integers of a few bits

enum { FEW_ROWS = 4 }; // for which widening numbers again costs less than reading f32

typedef struct Blocks {
    int64_t inner, columns, bits, size, count; // of a block; blocks of a column
    const uint8_t *bytes, *zeros;              // [N, count, size * bits / 8]; NULL: the middle
} Blocks;

static int
number_at(const uint8_t *bytes, int64_t i, int64_t bits)
{
    return bytes[i * bits / 8] >> (i * bits % 8) & ((1 << bits) - 1);
}

static bool
read_blocks(MlcOnnxNodeImport *n, Blocks *b)
{
    *b = (Blocks){.bits = 4};
    if (!mlc_onnx_check_inputs(n, 3) || !mlc_onnx_read_int(n, "K", &b->inner) ||
        !mlc_onnx_read_int(n, "N", &b->columns) || !mlc_onnx_read_int(n, "bits", &b->bits) ||
        !mlc_onnx_read_int(n, "block_size", &b->size))
        return false;
    enum { MOST = 1 << 30 };
    if (b->inner < 1 || b->inner > MOST || b->columns < 1 || b->columns > MOST || b->size < 16 ||
        b->size > MOST || !mlc_is_power_of_two(b->size) ||
        (b->bits != 2 && b->bits != 4 && b->bits != 8))
        return mlc_onnx_invalid(
            n, "%" PRId64 " x %" PRId64 " numbers of %" PRId64 " bits in blocks of %" PRId64,
            b->inner, b->columns, b->bits, b->size);
    b->count = (b->inner - 1) / b->size + 1;
    return true;
}

// The bytes of input `i`, which must be a constant of so many; NULL after an error.
static const uint8_t *
constant_bytes(MlcOnnxNodeImport *n, size_t i, int64_t count)
{
    size_t size;
    MlcAttr attr = mlc_value_constant(n->inputs[i]);
    if (!attr || !mlc_elements_attr_has_data(attr))
        return mlc_onnx_unknown_value(n, i), NULL;
    MlcType type = mlc_attr_type(attr);
    if (!mlc_type_is(mlc_type_element(type), MLC_TYPE_INTEGER) ||
        mlc_type_bit_width(mlc_type_element(type)) != 8 || mlc_type_num_elements(type) != count)
        return mlc_onnx_invalid(n, "input %zu has type %s, expected %" PRId64 " bytes", i,
                                mlc_type_text(type), count),
               NULL;
    const uint8_t *bytes = mlc_elements_attr_data(attr, &size);
    if (!mlc_elements_attr_is_splat(attr))
        return bytes;
    uint8_t *all = MLC_NEW_ARRAY(&n->import->arena, uint8_t, (size_t)count + 1);
    memset(all, bytes[0], (size_t)count);
    return all;
}

// The numbers less their zero points, [count, size, N] of i8; those behind the last are 0.
static MlcValue *
build_numbers(MlcOnnxNodeImport *n, const Blocks *b)
{
    int64_t shape[] = {b->count, b->size, b->columns}, bytes = b->size * b->bits / 8,
            zero_bytes = (b->count * b->bits + 7) / 8;
    MlcType i8 = mlc_integer_type_get(mlc_onnx_context_of(n), 8, MLC_SIGNLESS);
    void *data;
    MlcBlob *blob = mlc_blob_create_empty((size_t)(b->count * b->size * b->columns), 64, &data);
    bool fits = true;
    for (int64_t c = 0; c < b->columns; c++)
        for (int64_t k = 0; k < b->inner; k++) {
            int64_t block = k / b->size;
            int zero = b->zeros ? number_at(b->zeros + c * zero_bytes, block, b->bits)
                                : 1 << (b->bits - 1);
            int number =
                number_at(b->bytes + (c * b->count + block) * bytes, k % b->size, b->bits) - zero;
            fits &= number >= -128 && number <= 127;
            ((int8_t *)data)[k * b->columns + c] = (int8_t)number;
        }
    MlcAttr attr = mlc_dense_resource_attr_get(mlc_tensor_type_get(i8, shape, 3, NULL),
                                               mlc_str("blocks"), blob);
    mlc_blob_release(blob);
    if (!fits)
        return mlc_onnx_unsupported(n, "numbers of 8 bits far from their zero point"), NULL;
    return mlc_onnx_build_value(n, attr);
}

// x as [..., blocks * size]: zeros behind what the last block lacks.
static MlcValue *
pad_inner(MlcOnnxNodeImport *n, const Blocks *b)
{
    int64_t pads[2 * MLC_SMALL_RANK] = {0};
    size_t rank = mlc_type_rank(mlc_value_type(n->inputs[0]));
    MlcOnnxAttrs attrs = {0};
    pads[2 * rank - 1] = b->count * b->size - b->inner;
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    return pads[2 * rank - 1] ? mlc_onnx_build(n, &mlc_graph_pad_def, n->inputs, 1, &attrs)
                              : n->inputs[0];
}

static int64_t
num_rows(MlcType type)
{
    int64_t rows = 1;
    for (size_t i = 0; i + 1 < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC ||
            __builtin_mul_overflow(rows, mlc_type_dim(type, i), &rows))
            return INT64_MAX;
    return rows;
}

// Numbers times scales, which are constants, so that what is multiplied are numbers of f32.
static MlcValue *
product_of_reals(MlcOnnxNodeImport *n, const Blocks *b, MlcValue *const *operands)
{
    int64_t beside[] = {b->count, 1, b->columns}, matrix[] = {b->count * b->size, b->columns};
    MlcValue *scale = mlc_onnx_reshape(n, operands[2], (MlcOnnxInts){beside, 3}, true);
    MlcValue *w = scale ? mlc_onnx_build_two(n, &mlc_graph_mul_def,
                                             mlc_onnx_cast(n, operands[1], f32_of(n)), scale)
                        : NULL;
    w = w ? mlc_onnx_reshape(n, w, (MlcOnnxInts){matrix, 2}, true) : NULL;
    return mlc_onnx_build_two(n, &mlc_graph_matmul_def, operands[0], w);
}

static bool
import_matmul_nbits(MlcOnnxNodeImport *n)
{
    Blocks b;
    if (!read_blocks(n, &b))
        return false;
    MlcType x = mlc_value_type(n->inputs[0]);
    MlcValue *zeros = mlc_onnx_input_or_null(n, 3), *bias = mlc_onnx_input_or_null(n, 5);
    if (!mlc_type_has_small_rank(x) || mlc_type_rank(x) < 1 ||
        element_of(n->inputs[0]) != f32_of(n))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(x));
    if (mlc_onnx_input_or_null(n, 4))
        return mlc_onnx_unsupported(n, "an order of groups (input 4)");
    if (zeros && mlc_type_is_float(element_of(zeros)))
        return mlc_onnx_unsupported(n, "zero points of type %s", mlc_type_text(element_of(zeros)));
    b.bytes = constant_bytes(n, 1, b.columns * b.count * (b.size * b.bits / 8));
    if (!b.bytes ||
        (zeros && !(b.zeros = constant_bytes(n, 3, b.columns * ((b.count * b.bits + 7) / 8)))))
        return false;
    MlcType scales = mlc_value_type(n->inputs[2]);
    if (!mlc_type_has_static_shape(scales) || mlc_type_num_elements(scales) != b.columns * b.count)
        return mlc_onnx_invalid(n, "scales of type %s, expected %" PRId64, mlc_type_text(scales),
                                b.columns * b.count);
    int64_t shape[] = {b.columns, b.count}, perm[] = {1, 0};
    MlcValue *scale = mlc_onnx_reshape(n, n->inputs[2], (MlcOnnxInts){shape, 2}, true);
    scale = scale ? mlc_onnx_transpose(n, scale, (MlcOnnxInts){perm, 2}) : NULL;
    MlcValue *operands[] = {pad_inner(n, &b), build_numbers(n, &b), scale};
    if (!operands[0] || !operands[1] || !operands[2])
        return false;
    MlcValue *value = num_rows(x) <= FEW_ROWS
                          ? mlc_onnx_build(n, &mlc_graph_block_matmul_def, operands, 3, NULL)
                          : product_of_reals(n, &b, operands);
    return mlc_onnx_set_result(n, bias ? mlc_onnx_build_two(n, &mlc_graph_add_def, value, bias)
                                       : value);
}

static const MlcOnnxOperator rows[] = {
    {"QAttention", 1, MLC_ONNX_NEWEST, 5, 9, .on_f32 = true, .import = import_qattention},
    {"QGemm", 1, MLC_ONNX_NEWEST, 6, 9, .import = import_qgemm,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_BOOL("transA", .as = "trans_a"),
                    MLC_ONNX_COPY_BOOL("transB", .as = "trans_b"))},
    {"DynamicQuantizeMatMul", 1, MLC_ONNX_NEWEST, 3, 5, .import = import_dynamic_quantize_matmul},
    {"MatMulIntegerToFloat", 1, MLC_ONNX_NEWEST, 4, 7, .on_f32 = true,
     .import = import_matmul_integer_to_float},
    {"MatMulNBits", 1, MLC_ONNX_NEWEST, 3, 6, .on_f32 = true, .import = import_matmul_nbits},
    {"QLinearAdd", 1, MLC_ONNX_NEWEST, 7, 8, MLC_ONNX_OP(add), .import = import_qlinear_two},
    {"QLinearAveragePool", 1, MLC_ONNX_NEWEST, 4, 5, MLC_ONNX_OP(average_pool),
     .import = import_qlinear_pool,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("kernel_shape"), MLC_ONNX_COPY_PADS,
                    MLC_ONNX_COPY_INTS("strides"), MLC_ONNX_COPY_BOOL("ceil_mode"),
                    MLC_ONNX_COPY_BOOL("count_include_pad"))},
    {"QLinearConcat", 1, MLC_ONNX_NEWEST, 5, MLC_ONNX_ANY, .import = import_qlinear_concat},
    {"QLinearGlobalAveragePool", 1, MLC_ONNX_NEWEST, 5, 5, MLC_ONNX_OP(global_average_pool),
     .import = import_qlinear_pool},
    {"QLinearLeakyRelu", 1, MLC_ONNX_NEWEST, 4, 5, MLC_ONNX_OP(leaky_relu),
     .import = import_qlinear_unary, MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"))},
    {"QLinearMul", 1, MLC_ONNX_NEWEST, 7, 8, MLC_ONNX_OP(mul), .import = import_qlinear_two},
    {"QLinearSigmoid", 1, MLC_ONNX_NEWEST, 4, 5, MLC_ONNX_OP(sigmoid),
     .import = import_qlinear_unary},
    {"QLinearSoftmax", 1, MLC_ONNX_NEWEST, 5, 5, MLC_ONNX_OP(softmax),
     .import = import_qlinear_softmax, MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis"))},
    {"QLinearWhere", 1, MLC_ONNX_NEWEST, 9, 9, .import = import_qlinear_where},
};
const MlcOnnxOperators mlc_onnx_microsoft = MLC_ONNX_OPERATORS(rows);
