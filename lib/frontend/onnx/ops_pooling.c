// ops_pooling.c -- ONNX operators: where the largest elements of windows are, and elements put back
// there.
//
// The window's places are looked at one after the other: each is a strided slice of the padded
// input, and the last that equals the maximum, going backwards, is the first one.
#include "node.h"

#include "mlc/dialects/graph_geometry.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_TAPS = 1024, MAX_INDICES = 1 << 24 };

typedef struct Window {
    MlcOnnxNodeImport *n;
    MlcGraphWindow w;
    MlcType input, result;
    size_t rank; // spatial
    bool is_column_major;
} Window;

// Where along dimension `d` tap `tap` of result `i` lies; it may be outside.
static int64_t
place(const Window *p, size_t d, int64_t i, int64_t tap)
{
    return i * p->w.strides[d] + tap * p->w.dilations[d] - p->w.pad_begin[d];
}

// The input with -inf around it, as far as windows reach.
static MlcValue *
padded(const Window *p)
{
    int64_t pads[2 * MLC_SMALL_RANK] = {0};
    bool any = false;
    for (size_t d = 0; d < p->rank; d++) {
        int64_t in = mlc_type_dim(p->input, d + 2), out = mlc_type_dim(p->result, d + 2);
        int64_t reach = place(p, d, out - 1, p->w.kernel[d] - 1) + 1 - in;
        pads[d + 2] = p->w.pad_begin[d];
        pads[d + 2 + p->rank + 2] = reach > 0 ? reach : 0;
        any |= pads[d + 2] || reach > 0;
    }
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(p->n, &attrs, "pads", (MlcOnnxInts){pads, 2 * (p->rank + 2)});
    mlc_onnx_add_float(p->n, &attrs, "value", -INFINITY);
    return any ? mlc_onnx_build(p->n, &mlc_graph_pad_def, p->n->inputs, 1, &attrs)
               : p->n->inputs[0];
}

// Of each position of the result the place in a channel of this tap, [1, 1, spatial...], and
// whether it is inside.
static void
tabulate(const Window *p, const int64_t *tap, MlcValue **places, MlcValue **inside)
{
    MlcOnnxNodeImport *n = p->n;
    int64_t shape[MLC_SMALL_RANK] = {1, 1}, count = 1;
    for (size_t d = 0; d < p->rank; d++)
        count *= shape[d + 2] = mlc_type_dim(p->result, d + 2);
    int64_t *numbers = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count + 1);
    bool *within = MLC_NEW_ARRAY(&n->import->arena, bool, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i, number = 0, at[MLC_SMALL_RANK];
        within[i] = true;
        for (size_t d = p->rank; d-- > 0; rest /= shape[d + 2]) {
            at[d] = place(p, d, rest % shape[d + 2], tap[d]);
            within[i] &= at[d] >= 0 && at[d] < mlc_type_dim(p->input, d + 2);
        }
        for (size_t k = 0; k < p->rank; k++) {
            size_t d = p->is_column_major ? p->rank - 1 - k : k;
            number = number * mlc_type_dim(p->input, d + 2) + at[d];
        }
        numbers[i] = within[i] ? number : 0;
    }
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcType type = mlc_tensor_type_get(i1, shape, p->rank + 2, NULL);
    *places = mlc_onnx_build_ints(n, numbers, shape, p->rank + 2);
    *inside = mlc_onnx_build_value(n, mlc_dense_attr_get(type, within, (size_t)count, false));
}

static MlcValue *
tap_of(const Window *p, MlcValue *input, const int64_t *tap)
{
    int64_t starts[MLC_SMALL_RANK], ends[MLC_SMALL_RANK], axes[MLC_SMALL_RANK];
    for (size_t d = 0; d < p->rank; d++) {
        axes[d] = (int64_t)d + 2;
        starts[d] = tap[d] * p->w.dilations[d];
        ends[d] = starts[d] + (mlc_type_dim(p->result, d + 2) - 1) * p->w.strides[d] + 1;
    }
    return mlc_onnx_slice(p->n, input, (MlcOnnxInts){starts, p->rank}, (MlcOnnxInts){ends, p->rank},
                          (MlcOnnxInts){axes, p->rank}, (MlcOnnxInts){p->w.strides, p->rank});
}

// Numbers of the whole input: those of a channel, and the channels before it.
static MlcValue *
with_channels(const Window *p, MlcValue *places)
{
    MlcOnnxNodeImport *n = p->n;
    int64_t shape[MLC_SMALL_RANK], size = 1;
    for (size_t d = 0; d < p->rank + 2; d++) {
        shape[d] = d < 2 ? mlc_type_dim(p->input, d) : 1;
        size *= d < 2 ? 1 : mlc_type_dim(p->input, d);
    }
    int64_t count = shape[0] * shape[1];
    int64_t *numbers = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = i * size;
    return mlc_onnx_build_two(n, &mlc_graph_add_def, places,
                              mlc_onnx_build_ints(n, numbers, shape, p->rank + 2));
}

static MlcValue *
find_places(const Window *p, MlcValue *result)
{
    MlcOnnxNodeImport *n = p->n;
    MlcValue *input = padded(p), *found = mlc_onnx_build_number(n, mlc_onnx_i64(n), 0);
    int64_t tap[MLC_SMALL_RANK], num_taps = 1;
    for (size_t d = 0; d < p->rank; d++) {
        tap[d] = p->w.kernel[d] - 1;
        num_taps *= p->w.kernel[d];
    }
    for (int64_t i = 0; i < num_taps && input; i++) {
        MlcValue *places, *inside;
        tabulate(p, tap, &places, &inside);
        MlcValue *is_most =
            mlc_onnx_compare(n, &mlc_graph_equal_def, tap_of(p, input, tap), result);
        is_most = mlc_onnx_select(n, inside, is_most, inside);
        found = mlc_onnx_select(n, is_most, places, found);
        for (size_t d = p->rank; d-- > 0;) {
            if (tap[d]-- > 0)
                break;
            tap[d] = p->w.kernel[d] - 1;
        }
    }
    return input && found ? with_channels(p, found) : NULL;
}

bool
mlc_onnx_import_max_pool(MlcOnnxNodeImport *n)
{
    Window p = {.n = n, .input = mlc_value_type(n->inputs[0])};
    int64_t column_major = 0, num_taps = 1;
    if (!mlc_onnx_read_int(n, "storage_order", &column_major) || !mlc_onnx_import_one_op(n))
        return false;
    if (!mlc_onnx_has_output(n, 1))
        return true;
    MlcOp *op = mlc_value_def(n->outputs[0]);
    p.result = mlc_value_type(n->outputs[0]);
    p.is_column_major = column_major != 0;
    bool is_known = mlc_type_has_small_rank(p.input) && mlc_type_has_static_shape(p.input) &&
                    mlc_type_is_float(mlc_type_element(p.input)) && mlc_graph_max_pool_isa(op) &&
                    mlc_graph_window(op, &p.w) && mlc_type_num_elements(p.input) <= MAX_INDICES;
    if (!is_known)
        return mlc_onnx_unsupported(n, "indices into an input of type %s", mlc_type_text(p.input));
    p.rank = p.w.rank;
    int64_t places = 1; // of a result, which may have no element
    for (size_t d = 0; d < p.rank; d++)
        if (__builtin_mul_overflow(places, mlc_type_dim(p.result, d + 2), &places) ||
            places > MAX_INDICES)
            return mlc_onnx_unsupported(n, "indices into an input of type %s",
                                        mlc_type_text(p.input));
    for (size_t d = 0; d < p.rank; d++)
        num_taps = num_taps <= MAX_TAPS ? num_taps * p.w.kernel[d] : num_taps;
    if (num_taps > MAX_TAPS)
        return mlc_onnx_unsupported(n, "indices of windows of more than %d elements", MAX_TAPS);
    n->outputs[1] = find_places(&p, n->outputs[0]);
    return n->outputs[1] != NULL;
}

// ---- MaxUnpool

// The shape that the pooled input had, if its windows left nothing over.
static bool
unpooled_shape(MlcOnnxNodeImport *n, MlcType type, int64_t *shape)
{
    MlcOnnxInts kernel = {0}, strides = {0}, pads = {0};
    if (!mlc_onnx_read_ints(n, "kernel_shape", &kernel) ||
        !mlc_onnx_read_ints(n, "strides", &strides) || !mlc_onnx_read_ints(n, "pads", &pads))
        return false;
    size_t rank = mlc_type_rank(type) - 2;
    if (kernel.count != rank || (strides.count && strides.count != rank) ||
        (pads.count && pads.count != 2 * rank))
        return mlc_onnx_invalid(n, "windows of %zu dimensions for an input of type %s",
                                kernel.count, mlc_type_text(type));
    int64_t total = 1;
    for (size_t i = 0; i < rank + 2; i++) {
        int64_t size = mlc_type_dim(type, i);
        if (i >= 2) {
            int64_t stride = strides.count ? strides.items[i - 2] : 1, reach = kernel.items[i - 2];
            int64_t cut = pads.count ? pads.items[i - 2] + pads.items[i - 2 + rank] : 0;
            bool is_small = stride > 0 && stride < MAX_INDICES && reach > 0 &&
                            reach < MAX_INDICES && cut >= 0 && cut < MAX_INDICES;
            size = is_small ? (size - 1) * stride - cut + reach : 0;
        }
        if (size < 1 || total > MAX_INDICES / size)
            return mlc_onnx_invalid(n, "dimension %zu of the result would be %" PRId64, i, size);
        total *= shape[i] = size;
    }
    return true;
}

// Zeros with each element at its place; what is asked for beyond their shape is 0 too.
static bool
import_max_unpool(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    int64_t shape[MLC_SMALL_RANK], pads[2 * MLC_SMALL_RANK] = {0}, count = 1, flat = -1;
    MlcOnnxInts wanted = {0};
    if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) < 3 || mlc_type_num_elements(type) < 1)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    size_t rank = mlc_type_rank(type);
    if (!unpooled_shape(n, type, shape) ||
        (mlc_onnx_input_or_null(n, 2) && !mlc_onnx_constant_ints(n, 2, &wanted)))
        return false;
    if (wanted.count && wanted.count != rank)
        return mlc_onnx_invalid(n, "a result of %zu dimensions for an input of type %s",
                                wanted.count, mlc_type_text(type));
    for (size_t i = 0; i < rank; i++) {
        count *= shape[i];
        pads[i + rank] = wanted.count ? wanted.items[i] - shape[i] : 0;
        if (wanted.count && (wanted.items[i] < shape[i] || wanted.items[i] > MAX_INDICES))
            return mlc_onnx_invalid(n,
                                    "dimension %zu of the result is asked to be %" PRId64
                                    ", at least %" PRId64 " is needed",
                                    i, wanted.items[i], shape[i]);
    }
    MlcType zeros = mlc_tensor_type_get(mlc_type_element(type), &count, 1, NULL);
    MlcType element = mlc_type_element(type);
    MlcAttr zero = mlc_type_is_float(element) ? mlc_float_attr_get(element, 0)
                                              : mlc_integer_attr_get(element, 0);
    MlcValue *operands[] = {mlc_onnx_build_value(n, mlc_dense_attr_splat(zeros, zero)),
                            mlc_onnx_reshape(n, n->inputs[1], (MlcOnnxInts){&flat, 1}, false),
                            mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){&flat, 1}, false)};
    MlcValue *value = operands[1] && operands[2]
                          ? mlc_onnx_build(n, &mlc_graph_scatter_elements_def, operands, 3, NULL)
                          : NULL;
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, rank}, true) : NULL;
    if (value && wanted.count) {
        MlcOnnxAttrs attrs = {0};
        mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
        value = mlc_onnx_build(n, &mlc_graph_pad_def, &value, 1, &attrs);
    }
    return mlc_onnx_set_result(n, value);
}

static const MlcOnnxOperator rows[] = {
    {"MaxUnpool", 9, MLC_ONNX_NEWEST, 2, 3, .import = import_max_unpool},
};
const MlcOnnxOperators mlc_onnx_pooling = MLC_ONNX_OPERATORS(rows);
