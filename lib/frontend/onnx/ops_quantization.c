// ops_quantization.c -- ONNX operators: integers that stand for reals, (number - zero point) *
// scale, and products of such integers.
//
// Integers less their zero points, and sums of their products, are computed as i32: exactly, unless
// the model itself overflows, which wraps. Reals come in where they are scaled.
#include "quantization.h"

#include "mlc/dialects/graph_geometry.h"

#include <inttypes.h>
#include <math.h>

static MlcType
element_of(const MlcValue *value)
{
    return mlc_type_element(mlc_value_type(value));
}

static MlcType
i32_of(MlcOnnxNodeImport *n)
{
    return mlc_integer_type_get(mlc_onnx_context_of(n), 32, MLC_SIGNLESS);
}

static MlcType
f32_of(MlcOnnxNodeImport *n)
{
    return mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
}

// ---- scales and zero points beside what they are for

// Of [blocks along the axis]: each repeated for the elements of its block.
static MlcValue *
repeat_blocks(MlcOnnxNodeImport *n, MlcValue *value, MlcType beside, int64_t axis, int64_t block)
{
    MlcType type = mlc_value_type(value);
    int64_t size = mlc_type_dim(beside, (size_t)axis), count = mlc_type_dim(type, (size_t)axis);
    if (size == MLC_DYNAMIC || count == MLC_DYNAMIC)
        return mlc_onnx_unknown_size(n, axis), NULL;
    if (block < 1 || (size - 1) / block >= count)
        return mlc_onnx_invalid(n,
                                "blocks of %" PRId64 " elements, %" PRId64 " in all, for %" PRId64,
                                block, count, size),
               NULL;
    if (!mlc_onnx_can_list(n, size))
        return NULL;
    int64_t *places = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)size + 1);
    for (int64_t i = 0; i < size; i++)
        places[i] = i / block;
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", axis);
    MlcValue *operands[] = {value, mlc_onnx_build_ints(n, places, &size, 1)};
    return mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs);
}

MlcValue *
mlc_onnx_place_beside(MlcOnnxNodeImport *n, MlcValue *value, MlcType beside, int64_t axis,
                      int64_t block)
{
    MlcType type = mlc_value_type(value);
    int64_t shape[MLC_SMALL_RANK], rank = (int64_t)mlc_type_rank(beside);
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "scales of type %s", mlc_type_text(type)), NULL;
    if (block == 0 && mlc_type_num_elements(type) == 1)
        return mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, 0}, true);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank),
               NULL;
    axis += axis < 0 ? rank : 0;
    if (block != 0 && mlc_type_rank(type) == (size_t)rank)
        return repeat_blocks(n, value, beside, axis, block);
    if (block != 0 || mlc_type_rank(type) != 1)
        return mlc_onnx_invalid(n, "scales of type %s for an input of type %s", mlc_type_text(type),
                                mlc_type_text(beside)),
               NULL;
    size_t count = 0;
    shape[count++] = mlc_type_dim(type, 0);
    while ((int64_t)count < rank - axis)
        shape[count++] = 1;
    return mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, count}, true);
}

// The least and the most that integers of up to 16 bits hold; false for any other type.
static bool
bounds_of(MlcType type, double *low, double *high)
{
    unsigned bits = mlc_type_is(type, MLC_TYPE_INTEGER) ? mlc_type_bit_width(type) : 0;
    if (bits < 2 || bits > 16)
        return false;
    bool is_unsigned = mlc_integer_type_signedness(type) == MLC_UNSIGNED;
    *low = is_unsigned ? 0 : -ldexp(1, (int)bits - 1);
    *high = ldexp(1, (int)bits - !is_unsigned) - 1;
    return true;
}

static bool
is_known_zero(MlcValue *value)
{
    MlcAttr constant = mlc_value_constant(value);
    int64_t count = constant ? mlc_type_num_elements(mlc_attr_type(constant)) : 0;
    for (int64_t i = 0; i < count; i++) {
        MlcAttr element = mlc_elements_attr_element(constant, (size_t)i);
        if (!mlc_attr_is(element, MLC_ATTR_FLOAT) || mlc_float_attr_as_double(element) != 0)
            return false;
    }
    return count > 0;
}

// The same to floats, which need no zero point: adding one of 0 makes 0 of -0, in ONNX for those of
// 4 bits only.
static MlcValue *
quantize_to_float(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *zero_point, MlcType element)
{
    int64_t saturate = 1;
    if (!mlc_onnx_read_int(n, "saturate", &saturate))
        return NULL;
    if (zero_point && (mlc_type_bit_width(element) < 8 || !is_known_zero(zero_point)))
        value = mlc_onnx_build_two(n, &mlc_graph_add_def, value,
                                   mlc_onnx_cast(n, zero_point, element_of(value)));
    return value ? mlc_onnx_cast_to_narrow_float(n, value, element, saturate != 0, mlc_str("up"))
                 : NULL;
}

MlcValue *
mlc_onnx_quantize(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *zero_point, MlcType element)
{
    double low, high;
    MlcOnnxAttrs attrs = {0};
    if (!value)
        return NULL;
    if (mlc_type_is_float(element) && mlc_type_bit_width(element) <= 8)
        return quantize_to_float(n, value, zero_point, element);
    if (!bounds_of(element, &low, &high))
        return mlc_onnx_unsupported(n, "a result of type %s", mlc_type_text(element)), NULL;
    MlcType real = element_of(value);
    if (mlc_type_bit_width(real) < 32) // f16 does not hold all zero points
        value = mlc_onnx_cast(n, value, real = f32_of(n));
    zero_point =
        zero_point ? mlc_onnx_cast(n, zero_point, real) : mlc_onnx_build_scalar(n, real, 0);
    mlc_onnx_add_float(n, &attrs, "low", (float)low);
    mlc_onnx_add_float(n, &attrs, "high", (float)high);
    MlcValue *operands[] = {value, zero_point};
    MlcType made = element; // of less than a byte: a byte that is cast, as no op computes those
    if (mlc_type_bit_width(element) < 8)
        made =
            mlc_integer_type_get(mlc_onnx_context_of(n), 8, mlc_integer_type_signedness(element));
    return zero_point
               ? mlc_onnx_cast(
                     n, mlc_onnx_build_typed(n, &mlc_graph_quantize_def, made, operands, 2, &attrs),
                     element)
               : NULL;
}

// ---- QuantizeLinear and its kin

// The type that the integer attribute names, or `otherwise`; NULL after an error.
static MlcType
type_attribute(MlcOnnxNodeImport *n, const char *name, MlcType otherwise)
{
    int64_t data_type = 0;
    if (!mlc_onnx_read_int(n, name, &data_type))
        return NULL;
    if (data_type == 0)
        return otherwise;
    if (!mlc_onnx_data_type_name(data_type))
        return mlc_onnx_invalid(n, "attribute '%s' is %" PRId64 ", which is no data type", name,
                                data_type),
               NULL;
    MlcType type = mlc_onnx_element_type(mlc_onnx_context_of(n), data_type);
    if (!type)
        mlc_onnx_unsupported(n, "elements of type %s", mlc_onnx_data_type_name(data_type));
    return type;
}

// Scale and zero point (NULL: none) of an operator of x, beside it.
static bool
read_parameters(MlcOnnxNodeImport *n, MlcValue **scale, MlcValue **zero_point)
{
    int64_t axis = 1, block = 0;
    MlcType x = mlc_value_type(n->inputs[0]);
    if (!mlc_onnx_read_int(n, "axis", &axis) || !mlc_onnx_read_int(n, "block_size", &block))
        return false;
    if (!mlc_type_has_small_rank(x))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(x));
    if (!n->inputs[1])
        return mlc_onnx_invalid(n, "input 1 is required");
    *zero_point = mlc_onnx_input_or_null(n, 2);
    *scale = mlc_onnx_place_beside(n, n->inputs[1], x, axis, block);
    if (*scale && *zero_point &&
        !(*zero_point = mlc_onnx_place_beside(n, *zero_point, x, axis, block)))
        return false;
    return *scale != NULL;
}

// A float that is computed on.
static bool
is_real(MlcType element)
{
    return mlc_type_is_float(element) && mlc_type_bit_width(element) > 8;
}

static bool
import_dequantize(MlcOnnxNodeImport *n)
{
    MlcValue *scale, *zero_point, *value = n->inputs[0];
    if (!read_parameters(n, &scale, &zero_point))
        return false;
    MlcType type = type_attribute(n, "output_dtype", element_of(scale));
    if (!type)
        return false;
    bool is_integer = mlc_type_is(element_of(value), MLC_TYPE_INTEGER);
    bool is_narrow =
        mlc_type_is_float(element_of(value)) && mlc_type_bit_width(element_of(value)) <= 8;
    if ((!is_integer && !is_narrow) || !is_real(type))
        return mlc_onnx_unsupported(n, "elements of type %s",
                                    mlc_type_text(is_real(type) ? element_of(value) : type));
    // Of 16 bits, integers are rounded by f16 and bf16.
    MlcType real = mlc_type_bit_width(element_of(scale)) < 32 ? f32_of(n) : element_of(scale);
    MlcType computed = is_integer ? i32_of(n) : real;
    value = mlc_onnx_cast(n, value, computed);
    if (value && zero_point)
        value = mlc_onnx_build_two(n, &mlc_graph_sub_def, value,
                                   mlc_onnx_cast(n, zero_point, computed));
    value = mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_cast(n, value, real),
                               mlc_onnx_cast(n, scale, real));
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, value, type));
}

static bool
import_quantize(MlcOnnxNodeImport *n)
{
    MlcValue *scale, *zero_point;
    MlcType ui8 = mlc_integer_type_get(mlc_onnx_context_of(n), 8, MLC_UNSIGNED);
    if (!read_parameters(n, &scale, &zero_point))
        return false;
    MlcType type = type_attribute(n, "output_dtype", zero_point ? element_of(zero_point) : ui8);
    if (type && zero_point && type != element_of(zero_point))
        return mlc_onnx_invalid(n, "a zero point of type %s for a result of type %s",
                                mlc_type_text(element_of(zero_point)), mlc_type_text(type));
    MlcType scale_type = is_real(element_of(scale)) ? element_of(scale) : f32_of(n);
    MlcType real = type ? type_attribute(n, "precision", scale_type) : NULL;
    if (!real)
        return false;
    MlcValue *value = mlc_onnx_build_two(
        n, &mlc_graph_div_def, mlc_onnx_cast(n, n->inputs[0], real), mlc_onnx_cast(n, scale, real));
    return mlc_onnx_set_result(n, mlc_onnx_quantize(n, value, zero_point, type));
}

// Whether no number of `value` is below 0.
static bool
is_never_negative(MlcValue *value)
{
    MlcOp *op = mlc_value_def(value);
    while (op && (mlc_graph_reshape_isa(op) || mlc_graph_transpose_isa(op) ||
                  mlc_graph_max_pool_isa(op) || mlc_graph_flatten_isa(op)))
        op = mlc_value_def(mlc_op_operand(op, 0));
    if (mlc_graph_clip_isa(op))
        return mlc_float_attr_as_double(mlc_op_attr(op, "low")) >= 0;
    return mlc_graph_relu_isa(op) || mlc_graph_sigmoid_isa(op) || mlc_graph_softmax_isa(op);
}

// Of numbers that are never below 0 the least is not looked for: 0 belongs to the range and is 0.
// (NaN among them makes the largest NaN, and with it the scale.)
bool
mlc_onnx_quantize_by_range(MlcOnnxNodeImport *n, MlcValue *x, MlcOnnxRange *range_of)
{
    MlcOnnxAttrs attrs = {0};
    MlcValue *ends[2], *zero = mlc_onnx_build_scalar(n, f32_of(n), 0);
    MlcType ui8 = mlc_integer_type_get(mlc_onnx_context_of(n), 8, MLC_UNSIGNED);
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    bool from_zero = is_never_negative(x);
    ends[0] = from_zero ? zero : mlc_onnx_build(n, &mlc_graph_reduce_min_def, &x, 1, &attrs);
    ends[1] = mlc_onnx_build(n, &mlc_graph_reduce_max_def, &x, 1, &attrs);
    if (!from_zero)
        ends[0] = mlc_onnx_build_two(n, &mlc_graph_min_def, ends[0], zero);
    ends[1] = mlc_onnx_build_two(n, &mlc_graph_max_def, ends[1], zero);
    MlcValue *range = mlc_onnx_build_two(n, &mlc_graph_sub_def, ends[1], ends[0]);
    MlcValue *scale =
        mlc_onnx_build_two(n, &mlc_graph_div_def, range, mlc_onnx_build_scalar(n, f32_of(n), 255));
    if (!scale)
        return false;
    scale = mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, range, zero),
                            mlc_onnx_build_scalar(n, f32_of(n), 1), scale);
    MlcValue *zero_point = mlc_onnx_build_number(n, ui8, 0);
    if (!from_zero) {
        MlcValue *start = mlc_onnx_build_two(n, &mlc_graph_div_def, ends[0], scale);
        start = mlc_onnx_build_one(n, &mlc_graph_neg_def, start);
        zero_point = mlc_onnx_quantize(n, start, NULL, ui8);
    }
    if (!zero_point)
        return false;
    MlcValue *number = mlc_onnx_build_two(n, &mlc_graph_div_def, x, scale);
    *range_of = (MlcOnnxRange){mlc_onnx_quantize(n, number, zero_point, ui8), scale, zero_point};
    return range_of->bytes != NULL;
}

static bool
import_dynamic_quantize(MlcOnnxNodeImport *n)
{
    MlcOnnxRange range;
    if (!mlc_onnx_quantize_by_range(n, n->inputs[0], &range))
        return false;
    n->outputs[0] = range.bytes;
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = range.scale;
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] = range.zero_point;
    return true;
}

// ---- products of integers

MlcValue *
mlc_onnx_less_zero_point(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *zero_point, int64_t axis)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    if (!mlc_type_is(mlc_type_element(type), MLC_TYPE_INTEGER))
        return mlc_onnx_unsupported(n, "elements of type %s",
                                    mlc_type_text(mlc_type_element(type))),
               NULL;
    value = mlc_onnx_cast(n, value, i32_of(n));
    if (zero_point && mlc_type_has_rank(mlc_value_type(zero_point)) &&
        mlc_type_rank(mlc_value_type(zero_point)) < 2)
        zero_point = mlc_onnx_place_beside(n, zero_point, type, axis, 0);
    else if (!zero_point)
        return value;
    return mlc_onnx_build_two(n, &mlc_graph_sub_def, value,
                              mlc_onnx_cast(n, zero_point, i32_of(n)));
}

bool
mlc_onnx_check_inputs(MlcOnnxNodeImport *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
    return true;
}

// The axis of an input's rows, or of its columns, from its end: a vector has neither.
static int64_t
matrix_axis(const MlcValue *value, int64_t from_end)
{
    return mlc_type_has_rank(mlc_value_type(value)) && mlc_type_rank(mlc_value_type(value)) > 1
               ? from_end
               : -1;
}

static bool
import_matmul_integer(MlcOnnxNodeImport *n)
{
    MlcValue *a = mlc_onnx_less_zero_point(n, n->inputs[0], mlc_onnx_input_or_null(n, 2),
                                           matrix_axis(n->inputs[0], -2));
    MlcValue *b =
        a ? mlc_onnx_less_zero_point(n, n->inputs[1], mlc_onnx_input_or_null(n, 3), -1) : NULL;
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_matmul_def, a, b));
}

static MlcValue *
build_conv(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *w, MlcValue *bias)
{
    MlcOnnxAttrs attrs = {0};
    if (!x || !w || !mlc_onnx_check_kernel_shape(n, mlc_value_type(w)) ||
        !mlc_onnx_copy_attrs(n, &attrs))
        return NULL;
    return mlc_onnx_build(n, &mlc_graph_conv_def, (MlcValue *[]){x, w, bias}, bias ? 3 : 2, &attrs);
}

static bool
import_conv_integer(MlcOnnxNodeImport *n)
{
    MlcValue *x = mlc_onnx_less_zero_point(n, n->inputs[0], mlc_onnx_input_or_null(n, 2), 1),
             *w = x ? mlc_onnx_less_zero_point(n, n->inputs[1], mlc_onnx_input_or_null(n, 3), 0)
                    : NULL;
    return mlc_onnx_set_result(n, build_conv(n, x, w, NULL));
}

// sums * (one scale * the other / that of the result), rounded to the result's integers.
static MlcValue *
requantize(MlcOnnxNodeImport *n, MlcValue *sums, MlcValue *one, MlcValue *other, MlcValue *result,
           MlcValue *zero_point)
{
    if (!sums || !one || !other || !result || !zero_point)
        return NULL;
    MlcType real = f32_of(n);
    MlcValue *factor = mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_cast(n, one, real),
                                          mlc_onnx_cast(n, other, real));
    factor = mlc_onnx_build_two(n, &mlc_graph_div_def, factor, mlc_onnx_cast(n, result, real));
    MlcValue *value =
        mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_cast(n, sums, real), factor);
    return mlc_onnx_quantize(n, value, zero_point, element_of(zero_point));
}

// A scale or zero point of a matrix, which may be one number, a vector along the axis, or of the
// matrix's rank.
static MlcValue *
beside_matrix(MlcOnnxNodeImport *n, size_t i, MlcType beside, int64_t axis)
{
    MlcType type = mlc_value_type(n->inputs[i]);
    if (!mlc_type_has_small_rank(beside))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(beside)), NULL;
    bool is_vector = mlc_type_has_rank(type) && mlc_type_rank(type) < 2;
    return is_vector ? mlc_onnx_place_beside(n, n->inputs[i], beside, axis, 0) : n->inputs[i];
}

static bool
import_qlinear_matmul(MlcOnnxNodeImport *n)
{
    if (!mlc_onnx_check_inputs(n, 8))
        return false;
    int64_t rows = matrix_axis(n->inputs[0], -2);
    MlcValue *a = mlc_onnx_less_zero_point(n, n->inputs[0], mlc_onnx_input_or_null(n, 2), rows),
             *b = a ? mlc_onnx_less_zero_point(n, n->inputs[3], mlc_onnx_input_or_null(n, 5), -1)
                    : NULL;
    MlcValue *sums = mlc_onnx_build_two(n, &mlc_graph_matmul_def, a, b);
    if (!sums)
        return false;
    MlcType type = mlc_value_type(sums);
    MlcValue *one = beside_matrix(n, 1, mlc_value_type(a), rows);
    MlcValue *other = one ? beside_matrix(n, 4, mlc_value_type(b), -1) : NULL;
    MlcValue *result = other ? beside_matrix(n, 6, type, rows) : NULL;
    MlcValue *zero_point = result ? beside_matrix(n, 7, type, rows) : NULL;
    return mlc_onnx_set_result(n, requantize(n, sums, one, other, result, zero_point));
}

static bool
import_qlinear_conv(MlcOnnxNodeImport *n)
{
    if (!mlc_onnx_check_inputs(n, 8))
        return false;
    MlcValue *x = mlc_onnx_less_zero_point(n, n->inputs[0], mlc_onnx_input_or_null(n, 2), 1),
             *w = x ? mlc_onnx_less_zero_point(n, n->inputs[3], mlc_onnx_input_or_null(n, 5), 0)
                    : NULL;
    MlcValue *sums = build_conv(n, x, w, mlc_onnx_input_or_null(n, 8));
    if (!sums)
        return false;
    MlcType type = mlc_value_type(sums);
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unknown_rank(n);
    MlcValue *scales[3];
    for (size_t i = 0; i < 3; i++) // of x, w and the result
        if (!(scales[i] = mlc_onnx_place_beside(n, n->inputs[i == 2 ? 6 : 3 * i + 1], type, 1, 0)))
            return false;
    MlcValue *zero_point = mlc_onnx_place_beside(n, n->inputs[7], type, 1, 0);
    return mlc_onnx_set_result(n, requantize(n, sums, scales[0], scales[1], scales[2], zero_point));
}

static const MlcOnnxOperator rows[] = {
    {"ConvInteger", 10, MLC_ONNX_NEWEST, 2, 4, .import = import_conv_integer,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_PADS, MLC_ONNX_COPY_INTS("strides"),
                    MLC_ONNX_COPY_INTS("dilations"), MLC_ONNX_COPY_INT("group"))},
    {"DequantizeLinear", 10, MLC_ONNX_NEWEST, 2, 3, .import = import_dequantize},
    {"DynamicQuantizeLinear", 11, MLC_ONNX_NEWEST, 1, 1, .import = import_dynamic_quantize},
    {"MatMulInteger", 10, MLC_ONNX_NEWEST, 2, 4, .import = import_matmul_integer},
    {"QLinearConv", 10, MLC_ONNX_NEWEST, 8, 9, .import = import_qlinear_conv,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_PADS, MLC_ONNX_COPY_INTS("strides"),
                    MLC_ONNX_COPY_INTS("dilations"), MLC_ONNX_COPY_INT("group"))},
    {"QLinearMatMul", 10, MLC_ONNX_NEWEST, 8, 8, .import = import_qlinear_matmul},
    {"QuantizeLinear", 10, MLC_ONNX_NEWEST, 2, 3, .import = import_quantize},
};
const MlcOnnxOperators mlc_onnx_quantization = MLC_ONNX_OPERATORS(rows);
