// ops_signal.c -- ONNX operators: Fourier transforms, windows, and bands of frequencies.
//
// A transform of known length is one product with a constant matrix, real and imaginary parts side
// by side. A window is a constant.
#include "node.h"

#include <inttypes.h>
#include <math.h>

// A matrix of 64 MiB; of frames, 1 GiB of places.
enum { MAX_LENGTH = 2048, MAX_WINDOW = 1 << 24, MAX_IN_FRAMES = 1 << 27 };

static const double turn = 6.28318530717958647692;

// ---- windows

// One that is computed is as long as the model declares, which is checked when it runs.
static bool
import_window(MlcOnnxNodeImport *n, const double weights[3])
{
    int64_t periodic = 1, data_type = MLC_ONNX_FLOAT, size;
    MlcOnnxInts given = {0};
    bool is_constant = mlc_value_constant(n->inputs[0]) != NULL;
    if (!mlc_onnx_read_int(n, "periodic", &periodic) ||
        !mlc_onnx_read_int(n, "output_datatype", &data_type) ||
        (is_constant && !mlc_onnx_constant_ints(n, 0, &given)))
        return false;
    if (is_constant && given.count != 1)
        return mlc_onnx_invalid(n, "input 0 must be a scalar");
    size = is_constant ? given.items[0] : mlc_onnx_declared_size(n, 0, 0);
    if (!is_constant && size < 0)
        return mlc_onnx_unknown_value(n, 0);
    MlcType element = mlc_onnx_element_type(mlc_onnx_context_of(n), data_type);
    if (size < 0 || size > MAX_WINDOW || !element || !mlc_type_is_float(element))
        return mlc_onnx_unsupported(n, "a window of %" PRId64 " elements of type %s", size,
                                    element ? mlc_type_text(element) : "unknown");
    double *items = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)size + 1);
    double length = (double)(periodic || size < 2 ? size : size - 1);
    for (int64_t i = 0; i < size; i++) {
        double angle = turn * (double)i / length;
        items[i] = weights[0] + weights[1] * cos(angle) + weights[2] * cos(2 * angle);
    }
    MlcValue *window = mlc_onnx_build_floats(n, element, items, &size, 1);
    return mlc_onnx_set_result(
        n, is_constant ? window : mlc_onnx_expect(n, window, n->inputs[0], size, "the size"));
}

static bool
import_hann(MlcOnnxNodeImport *n)
{
    return import_window(n, (const double[]){0.5, -0.5, 0});
}

static bool
import_hamming(MlcOnnxNodeImport *n)
{
    return import_window(n, (const double[]){25. / 46, -21. / 46, 0});
}

static bool
import_blackman(MlcOnnxNodeImport *n)
{
    return import_window(n, (const double[]){0.42, -0.5, 0.08});
}

// ---- MelWeightMatrix

// One number of the constant input `i`, within [least, most].
static bool
read_number(MlcOnnxNodeImport *n, size_t i, double least, double most, double *number)
{
    return mlc_onnx_constant_float(n, i, number) &&
           ((*number >= least && *number <= most) ||
            mlc_onnx_invalid(n, "input %zu is %g, expected %g to %g", i, *number, least, most));
}

// A triangle for each band: up to 1 at its middle frequency, down to 0 at the next one's, whose
// frequencies are as far apart from each other in mel (2595 log10(1 + hertz / 700)).
static bool
import_mel_weight_matrix(MlcOnnxNodeImport *n)
{
    enum { MAX_BINS = 1 << 20 };
    double bands, length, rate, edges[2];
    int64_t data_type = MLC_ONNX_FLOAT;
    if (!read_number(n, 0, 0, MAX_BINS, &bands) || !read_number(n, 1, 1, MAX_BINS, &length) ||
        !read_number(n, 2, 1, 1e12, &rate) || !read_number(n, 3, 0, 1e12, &edges[0]) ||
        !read_number(n, 4, 0, 1e12, &edges[1]) ||
        !mlc_onnx_read_int(n, "output_datatype", &data_type))
        return false;
    MlcType element = mlc_onnx_element_type(mlc_onnx_context_of(n), data_type);
    int64_t shape[] = {(int64_t)length / 2 + 1, (int64_t)bands};
    if (!element || !mlc_type_is_float(element) || shape[0] > MAX_WINDOW / (shape[1] + 1))
        return mlc_onnx_unsupported(n, "%" PRId64 " bands of %" PRId64 " frequencies of type %s",
                                    shape[1], shape[0],
                                    element ? mlc_type_text(element) : "unknown");
    double *items = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)(shape[0] * shape[1]) + 1);
    double low = 2595 * log10(1 + edges[0] / 700), high = 2595 * log10(1 + edges[1] / 700);
    double step = (high - low) / (bands + 2);
    for (int64_t i = 0; i < shape[1]; i++) {
        double at[3]; // the bins where the triangle begins, is 1, and ends
        for (int64_t k = 0; k < 3; k++) {
            double hertz = 700 * (pow(10, (low + (double)(i + k) * step) / 2595) - 1);
            at[k] = floor((floor(length) + 1) * hertz / rate);
        }
        for (double j = at[0] < 0 ? 0 : at[0]; j < (double)shape[0] && j <= at[2]; j++) {
            double weight = j < at[1]                    ? (j - at[0]) / (at[1] - at[0])
                            : j == at[1]                 ? 1
                            : at[2] > at[1] && j < at[2] ? (at[2] - j) / (at[2] - at[1])
                                                         : 0;
            items[(int64_t)j * shape[1] + i] = weight;
        }
    }
    return mlc_onnx_set_result(n, mlc_onnx_build_floats(n, element, items, shape, 2));
}

// ---- transforms

typedef struct Transform {
    bool inverse, one_sided; // one-sided: real numbers and the first half of their frequencies
    int64_t length;          // of the whole signal
    int64_t from, to;        // places along the axis that are read and made
    int64_t from_parts, to_parts;
} Transform;

// What part `p` of place `j` adds to part `q` of place `k`.
static double
coefficient(const Transform *t, int64_t j, int64_t p, int64_t k, int64_t q)
{
    double angle = turn * (double)((j * k) % t->length) / (double)t->length;
    double sign = t->inverse ? 1 : -1, scale = t->inverse ? 1 / (double)t->length : 1;
    if (t->inverse && t->one_sided && j != 0 && 2 * j != t->length)
        scale *= 2; // the other half is its mirror image
    if (p == q)
        return scale * cos(angle);
    return scale * sin(angle) * (q ? sign : -sign);
}

static MlcValue *
build_matrix(MlcOnnxNodeImport *n, const Transform *t, MlcType element)
{
    int64_t shape[] = {t->from * t->from_parts, t->to * t->to_parts};
    double *items = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)(shape[0] * shape[1]) + 1);
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t k = 0; k < shape[1]; k++)
            items[i * shape[1] + k] = coefficient(t, i / t->from_parts, i % t->from_parts,
                                                  k / t->to_parts, k % t->to_parts);
    return mlc_onnx_build_floats(n, element, items, shape, 2);
}

// The axis: an attribute before opset 20, then an input.
static bool
read_dft_axis(MlcOnnxNodeImport *n, MlcType type, int64_t *axis)
{
    MlcOnnxInts given = {0};
    if (n->import->opset < 20) {
        *axis = 1;
        return mlc_onnx_read_axis(n, "axis", type, axis);
    }
    if (mlc_onnx_input_or_null(n, 2) && !mlc_onnx_constant_ints(n, 2, &given))
        return false;
    int64_t rank = (int64_t)mlc_type_rank(type), asked = given.count ? given.items[0] : -2;
    *axis = asked + (asked < 0 ? rank : 0);
    return (*axis >= 0 && *axis < rank) ||
           mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, asked, rank);
}

static bool
read_transform(MlcOnnxNodeImport *n, int64_t *axis, Transform *t)
{
    int64_t inverse = 0, one_sided = 0;
    MlcOnnxInts length = {0};
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) < 2 || !mlc_type_is_float(mlc_type_element(type)))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (!mlc_onnx_read_int(n, "inverse", &inverse) ||
        !mlc_onnx_read_int(n, "onesided", &one_sided) || !read_dft_axis(n, type, axis) ||
        (mlc_onnx_input_or_null(n, 1) && !mlc_onnx_constant_ints(n, 1, &length)))
        return false;
    size_t last = mlc_type_rank(type) - 1;
    *t = (Transform){.inverse = inverse != 0,
                     .one_sided = one_sided != 0,
                     .from_parts = mlc_type_dim(type, last)};
    if (*axis == (int64_t)last || t->from_parts < 1 || t->from_parts > 2)
        return mlc_onnx_invalid(n, "axis %" PRId64 " of an input of type %s", *axis,
                                mlc_type_text(type));
    bool halves = t->one_sided && t->inverse;
    int64_t size = mlc_type_dim(type, (size_t)*axis);
    t->length = length.count ? length.items[0] : halves ? 2 * (size - 1) : size;
    if (t->length < 1 || t->length > MAX_LENGTH)
        return mlc_onnx_unsupported(n, "a transform of %" PRId64 " elements", t->length);
    t->from = halves ? t->length / 2 + 1 : t->length;
    t->to = t->one_sided && !t->inverse ? t->length / 2 + 1 : t->length;
    t->to_parts = halves ? 1 : 2;
    return true;
}

// Cut off, or filled up with zeros, along the second to last dimension.
static MlcValue *
fit_length(MlcOnnxNodeImport *n, MlcValue *value, int64_t size)
{
    MlcType type = mlc_value_type(value);
    int64_t pads[2 * MLC_SMALL_RANK] = {0};
    size_t rank = mlc_type_rank(type);
    MlcOnnxAttrs attrs = {0};
    pads[2 * rank - 2] = size - mlc_type_dim(type, rank - 2);
    if (pads[2 * rank - 2] == 0)
        return value;
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    return mlc_onnx_build(n, &mlc_graph_pad_def, &value, 1, &attrs);
}

// `value` along its second to last dimension. In f64: sums of f32 that should vanish do not.
static MlcValue *
transform(MlcOnnxNodeImport *n, const Transform *t, MlcValue *value)
{
    int64_t shape[MLC_SMALL_RANK];
    MlcType f64 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    value = value ? fit_length(n, value, t->from) : NULL;
    if (!value)
        return NULL;
    MlcType type = mlc_value_type(value);
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i + 2 < rank; i++)
        shape[i] = mlc_type_dim(type, i);
    shape[rank - 2] = t->from * t->from_parts;
    value = mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, rank - 1}, true);
    value = mlc_onnx_cast(n, value, f64);
    value = mlc_onnx_build_two(n, &mlc_graph_matmul_def, value, build_matrix(n, t, f64));
    value = mlc_onnx_cast(n, value, mlc_type_element(type));
    shape[rank - 2] = t->to;
    shape[rank - 1] = t->to_parts;
    return value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, rank}, true) : NULL;
}

static bool
import_dft(MlcOnnxNodeImport *n)
{
    Transform t = {.length = 1};
    int64_t axis, perm[MLC_SMALL_RANK];
    if (!read_transform(n, &axis, &t))
        return false;
    size_t rank = mlc_type_rank(mlc_value_type(n->inputs[0]));
    for (size_t i = 0; i < rank; i++)
        perm[i] = (int64_t)i;
    perm[axis] = (int64_t)rank - 2; // its own inverse
    perm[rank - 2] = axis;
    MlcValue *value =
        transform(n, &t, mlc_onnx_transpose(n, n->inputs[0], (MlcOnnxInts){perm, rank}));
    return mlc_onnx_set_result(n, value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, rank})
                                        : NULL);
}

// Step between frames, and their length: input 3, or that of the window.
static bool
read_frames(MlcOnnxNodeImport *n, int64_t *step, int64_t *length)
{
    MlcOnnxInts steps = {0}, lengths = {0};
    MlcValue *window = mlc_onnx_input_or_null(n, 2);
    MlcType type = window ? mlc_value_type(window) : NULL;
    if (!mlc_onnx_constant_ints(n, 1, &steps) ||
        (mlc_onnx_input_or_null(n, 3) && !mlc_onnx_constant_ints(n, 3, &lengths)))
        return false;
    for (size_t i = 1; i <= 3; i += 2) {
        MlcValue *number = mlc_onnx_input_or_null(n, i);
        if (number && mlc_type_rank(mlc_value_type(number)) != 0)
            return mlc_onnx_invalid(n, "input %zu must be a scalar", i);
    }
    if (window && !lengths.count && (!mlc_type_has_rank(type) || mlc_type_rank(type) != 1))
        return mlc_onnx_unsupported(n, "a window of type %s", mlc_type_text(type));
    *step = steps.count ? steps.items[0] : 0;
    *length = lengths.count ? lengths.items[0] : window ? mlc_type_dim(type, 0) : -1;
    return (*step > 0 && *length > 0) ||
           mlc_onnx_invalid(n, "frames of %" PRId64 " elements, %" PRId64 " apart", *length, *step);
}

// [batch, frames, length, parts] of the signal [batch, size, parts].
static MlcValue *
cut_frames(MlcOnnxNodeImport *n, int64_t count, int64_t step, int64_t length)
{
    int64_t shape[] = {count, length};
    int64_t *places = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)(count * length) + 1);
    for (int64_t i = 0; i < count * length; i++)
        places[i] = i / length * step + i % length;
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", 1);
    MlcValue *operands[] = {n->inputs[0], mlc_onnx_build_ints(n, places, shape, 2)};
    return mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs);
}

static bool
import_stft(MlcOnnxNodeImport *n)
{
    int64_t step = 1, length = 1, one_sided = 1;
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcValue *window = mlc_onnx_input_or_null(n, 2);
    if (mlc_type_has_rank(type) && mlc_type_rank(type) == 2) { // real, as torch writes it
        n->inputs[0] =
            mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){(int64_t[]){0, 0, 1}, 3}, false);
        if (!n->inputs[0])
            return false;
        type = mlc_value_type(n->inputs[0]);
    }
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) != 3 || !mlc_type_has_static_shape(type) ||
        !mlc_type_is_float(mlc_type_element(type)) || mlc_type_dim(type, 2) > 2)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (!mlc_onnx_read_int(n, "onesided", &one_sided) || !read_frames(n, &step, &length))
        return false;
    int64_t size = mlc_type_dim(type, 1);
    if (length > size || length > MAX_LENGTH)
        return mlc_onnx_unsupported(n, "a transform of %" PRId64 " elements", length);
    int64_t count = (size - length) / step + 1;
    if (count > MAX_IN_FRAMES / length)
        return mlc_onnx_unsupported(n, "%" PRId64 " frames of %" PRId64 " elements", count, length);
    Transform t = {.one_sided = one_sided != 0,
                   .length = length,
                   .from = length,
                   .to = one_sided ? length / 2 + 1 : length,
                   .from_parts = mlc_type_dim(type, 2),
                   .to_parts = 2};
    MlcValue *value = cut_frames(n, count, step, length);
    if (window)
        window = mlc_onnx_reshape(n, window, (MlcOnnxInts){(int64_t[]){length, 1}, 2}, true);
    if (mlc_onnx_input_or_null(n, 2))
        value = mlc_onnx_build_two(n, &mlc_graph_mul_def, value, window);
    return mlc_onnx_set_result(n, transform(n, &t, value));
}

static const MlcOnnxOperator rows[] = {
    {"BlackmanWindow", 17, MLC_ONNX_NEWEST, 1, 1, .import = import_blackman},
    {"DFT", 17, MLC_ONNX_NEWEST, 1, 3, .import = import_dft},
    {"HammingWindow", 17, MLC_ONNX_NEWEST, 1, 1, .import = import_hamming},
    {"HannWindow", 17, MLC_ONNX_NEWEST, 1, 1, .import = import_hann},
    {"MelWeightMatrix", 17, MLC_ONNX_NEWEST, 5, 5, .import = import_mel_weight_matrix},
    {"STFT", 17, MLC_ONNX_NEWEST, 2, 4, .import = import_stft},
};
const MlcOnnxOperators mlc_onnx_signal = MLC_ONNX_OPERATORS(rows);
