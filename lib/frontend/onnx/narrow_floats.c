// narrow_floats.c -- casts to floats of at most 8 bits, whose ends ONNX has rules for.
#include "node.h"

static MlcType
f32_of(MlcOnnxNodeImport *n)
{
    return mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
}

static MlcValue *
number_of(MlcOnnxNodeImport *n, const MlcValue *like, double number)
{
    return mlc_onnx_build_number(n, mlc_type_element(mlc_value_type(like)), number);
}

static MlcValue *
held(MlcOnnxNodeImport *n, MlcValue *value, MlcType element)
{
    double most = mlc_float_to_double(mlc_float_largest(mlc_float_type_kind(element), false));
    MlcType from = mlc_type_element(mlc_value_type(value));
    MlcOnnxAttrs bounds = {0};
    mlc_onnx_add_attr(n, &bounds, "low", mlc_float_attr_get(from, -most));
    mlc_onnx_add_attr(n, &bounds, "high", mlc_float_attr_get(from, most));
    return mlc_onnx_build(n, &mlc_graph_clip_def, &value, 1, &bounds);
}

// A format without NaN has -0 in its place.
static MlcValue *
without_nan(MlcOnnxNodeImport *n, MlcValue *value)
{
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcValue *is_nan = mlc_onnx_build_typed(n, &mlc_graph_is_nan_def, i1, &value, 1, NULL);
    return mlc_onnx_select(n, is_nan, number_of(n, value, -0.0), value);
}

// The magnitude of an f32 as a power of 2 (f8E8M0FNU): the exponent of the bits with what rounds
// added. Below 2^-126 there is only 2^-127. What is beyond the ends, 0 too, is the end, or NaN.
static MlcValue *
power_of_two(MlcOnnxNodeImport *n, MlcValue *x, bool saturate, MlcStr mode)
{
    static const struct {
        const char *name;
        int64_t added, least; // the least bits that are 2^-126
    } modes[] = {
        {"up", 0x7fffff, 0x400001}, {"nearest", 0x400000, 0x600000}, {"down", 0, 0x800000}};
    size_t i = 0, count = sizeof modes / sizeof *modes;
    while (i < count && !mlc_str_equal(mode, mlc_str(modes[i].name)))
        i++;
    if (i == count)
        return mlc_onnx_invalid(n, "attribute 'round_mode' is '%.*s'", MLC_STR_FMT(mode)), NULL;
    MlcType i32 = mlc_integer_type_get(mlc_onnx_context_of(n), 32, MLC_SIGNLESS);
    x = mlc_onnx_build_one(n, &mlc_graph_abs_def, x);
    MlcValue *bits = mlc_onnx_bitcast(n, x, i32);
    if (!bits)
        return NULL;
    MlcValue *rounded =
        mlc_onnx_build_two(n, &mlc_graph_add_def, bits, number_of(n, bits, (double)modes[i].added));
    rounded =
        mlc_onnx_build_two(n, &mlc_graph_bitwise_and_def, rounded, number_of(n, bits, 0x7f800000));
    MlcValue *power = mlc_onnx_bitcast(n, rounded, f32_of(n)), *least = number_of(n, x, 0x1p-127);
    MlcValue *is_small =
        mlc_onnx_compare(n, &mlc_graph_less_def, bits, number_of(n, bits, (double)modes[i].least));
    power = mlc_onnx_select(n, is_small, least, power);
    if (saturate)
        power = mlc_onnx_build_two(n, &mlc_graph_min_def, power, number_of(n, x, 0x1p127));
    else
        power = mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_less_def, x, least),
                                number_of(n, x, __builtin_nan("")), power);
    // With what rounds added, the bits of NaN are none.
    return mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, x, x), power, x);
}

// What a float of 8 bits does not hold is its largest number, infinities too, unless it does not
// saturate: then what the format has in place of them.
MlcValue *
mlc_onnx_cast_to_narrow_float(MlcOnnxNodeImport *n, MlcValue *value, MlcType element, bool saturate,
                              MlcStr mode)
{
    MlcType from = mlc_type_element(mlc_value_type(value));
    bool is_power = mlc_float_type_kind(element) == MLC_FLOAT_F8E8M0FNU;
    bool has_real = mlc_type_is_float(from) && mlc_type_bit_width(from) > 8;
    if (!has_real || is_power)
        value = mlc_onnx_cast(n, value, f32_of(n));
    if (!value)
        return NULL;
    if (is_power)
        value = power_of_two(n, value, saturate, mode);
    else if (mlc_type_bit_width(element) < 8)
        value = without_nan(n, value);
    else if (saturate)
        value = held(n, value, element);
    return mlc_onnx_cast(n, value, element);
}
