// eval.c -- what graph ops mean, on tensors of any number type, plainly: the oracle for everything
// below.
//
// Elementwise ops are not here: their meaning is the `body` of their record. Sums are taken in
// double and rounded once, so a lowering may differ from these by the rounding of its own order.
#include "mlc/dialects/graph_geometry.h"
#include "trees.h"

#include "mlc/dialects/graph.h"
#include "mlc/ir/eval.h"
#include "mlc/support/strided.h"

#include <ctype.h>
#include <math.h>

typedef struct Tensor {
    const MlcDatum *datum;
    size_t rank;
    const int64_t *dims;
    int64_t strides[MLC_SMALL_RANK]; // elements
    size_t size;
    bool is_f32;
} Tensor;

static Tensor
view(const MlcDatum *datum)
{
    MlcType element = mlc_type_element(datum->type);
    Tensor t = {.datum = datum,
                .rank = mlc_type_rank(datum->type),
                .dims = datum->elements.shape,
                .size = 1,
                .is_f32 =
                    mlc_type_is_float(element) && mlc_float_type_kind(element) == MLC_FLOAT_F32};
    for (size_t i = t.rank; i-- > 0; t.size *= (size_t)t.dims[i])
        t.strides[i] = (int64_t)t.size;
    return t;
}

static double
get(const Tensor *t, int64_t i)
{
    if (t->is_f32)
        return (double)mlc_f32_at(t->datum->elements.data, i);
    MlcDatum element;
    mlc_datum_element(NULL, t->datum, (size_t)i, &element);
    if (mlc_type_is_integer(element.type, 1)) // true is 1 here, though -1 as a signed number
        return (double)(mlc_datum_as_int(&element) & 1);
    if (mlc_type_is(element.type, MLC_TYPE_INTEGER) &&
        mlc_integer_type_signedness(element.type) == MLC_UNSIGNED)
        return (double)mlc_datum_as_uint(&element);
    return mlc_type_is_float(element.type) ? mlc_datum_as_double(&element)
                                           : (double)mlc_datum_as_int(&element);
}

static void
set(Tensor *t, int64_t i, double value)
{
    if (t->is_f32) {
        float narrow = (float)value;
        memcpy((char *)t->datum->elements.data + 4 * i, &narrow, 4);
        return;
    }
    MlcType type = mlc_type_element(t->datum->type);
    // Of what 64 bits do not hold, the nearest that they do.
    bool fits = value >= -0x1p63 && value < 0x1p63;
    int64_t whole = fits ? (int64_t)value : value < 0 ? INT64_MIN : INT64_MAX;
    MlcDatum element =
        mlc_type_is_float(type) ? mlc_datum_float(type, value) : mlc_datum_int(type, whole);
    mlc_datum_set_element((MlcDatum *)(uintptr_t)t->datum, (size_t)i, &element);
}

// Moves one element bit for bit.
static void
copy_element(Tensor *to, int64_t i, const Tensor *from, int64_t k)
{
    size_t size = mlc_elements_attr_element_bytes(mlc_type_element(to->datum->type));
    memcpy((char *)to->datum->elements.data + size * (size_t)i,
           (const char *)from->datum->elements.data + size * (size_t)k, size);
}

// Makes the result, its shape found from the operands' shapes at run time.
static bool
make_result(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, Tensor *result)
{
    MlcType types[16];
    size_t n = mlc_op_num_operands(op);
    if (n > 16)
        return mlc_eval_error(e, op, "has more than 16 operands");
    for (size_t i = 0; i < n; i++) {
        size_t rank = mlc_type_rank(operands[i].type);
        types[i] = mlc_tensor_type_get(mlc_type_element(operands[i].type),
                                       operands[i].elements.shape, rank, NULL);
    }
    MlcType type = mlc_graph_result_type(op, types);
    if (!type || !mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_eval_error(e, op, "the shape of its result is not known");
    if (!mlc_eval_elements(e, op, type, NULL, &results[0]))
        return false;
    *result = view(&results[0]);
    return true;
}

// Steps `index` through `dims`, last dimension fastest; false after the last.
static bool
next_index(int64_t *index, const int64_t *dims, size_t rank)
{
    for (size_t i = rank; i-- > 0;) {
        if (++index[i] < dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static int64_t
position(const Tensor *t, const int64_t *index)
{
    int64_t at = 0;
    for (size_t i = 0; i < t->rank; i++)
        at += index[i] * t->strides[i];
    return at;
}

bool
mlc_graph_constant_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    return mlc_datum_from_attr(e, mlc_op_attr(op, "value"), &results[0]) ||
           mlc_eval_error(e, op, "has a value that cannot be evaluated");
}

// ---- windows

static size_t
channel_of(MlcOp *op, size_t rank)
{
    return mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC ? rank - 1 : 1;
}

static size_t
spatial_of(MlcOp *op)
{
    return mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC ? 1 : 2;
}

// Moves `index` of the input to where window element `k` of output `out` reads; false: in the
// padding.
static bool
window_index(const MlcGraphWindow *w, size_t first, const int64_t *out, const int64_t *k,
             const Tensor *input, int64_t *index)
{
    for (size_t i = 0; i < w->rank; i++) {
        int64_t at = out[first + i] * w->strides[i] - w->pad_begin[i] + k[i] * w->dilations[i];
        if (at < 0 || at >= input->dims[first + i])
            return false;
        index[first + i] = at;
    }
    return true;
}

static double
conv_at(MlcOp *op, const MlcGraphWindow *w, const Tensor *x, const Tensor *f, const int64_t *out)
{
    bool nhwc = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC;
    size_t channel = channel_of(op, x->rank), first = spatial_of(op);
    size_t f_in = nhwc ? f->rank - 2 : 1, f_out = nhwc ? f->rank - 1 : 0, f_first = nhwc ? 0 : 2;
    int64_t groups = mlc_attr_as_int(mlc_op_attr(op, "group"));
    int64_t per_group = f->dims[f_in], group = out[channel] / (f->dims[f_out] / groups);
    int64_t k[MLC_GRAPH_MAX_SPATIAL] = {0}, xi[MLC_SMALL_RANK] = {0}, fi[MLC_SMALL_RANK] = {0};
    double sum = 0;
    xi[0] = out[0];
    fi[f_out] = out[channel];
    do {
        if (!window_index(w, first, out, k, x, xi))
            continue;
        for (size_t i = 0; i < w->rank; i++)
            fi[f_first + i] = k[i];
        xi[channel] = group * per_group;
        fi[f_in] = 0;
        int64_t at = position(x, xi), fat = position(f, fi);
        for (int64_t c = 0; c < per_group; c++)
            sum += get(x, at + c * x->strides[channel]) * get(f, fat + c * f->strides[f_in]);
    } while (next_index(k, w->kernel, w->rank));
    return sum;
}

bool
mlc_graph_conv_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]), f = view(&operands[1]), bias;
    MlcGraphWindow w;
    bool has_bias = mlc_op_num_operands(op) > 2;
    if (has_bias)
        bias = view(&operands[2]);
    if (!mlc_graph_window(op, &w))
        return mlc_eval_error(e, op, "its window is not known");
    if (!make_result(e, op, operands, results, &out))
        return false;
    int64_t index[MLC_SMALL_RANK] = {0};
    size_t channel = channel_of(op, out.rank);
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        double sum = conv_at(op, &w, &x, &f, index);
        set(&out, (int64_t)i, sum + (has_bias ? get(&bias, index[channel]) : 0));
    }
    return true;
}

static bool
eval_pool(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, bool is_max)
{
    Tensor out, x = view(&operands[0]);
    MlcGraphWindow w;
    if (!mlc_graph_window(op, &w))
        return mlc_eval_error(e, op, "its window is not known");
    if (!make_result(e, op, operands, results, &out))
        return false;
    size_t channel = channel_of(op, x.rank), first = spatial_of(op);
    bool count_padding = !is_max && mlc_attr_as_bool(mlc_op_attr(op, "count_include_pad"));
    int64_t index[MLC_SMALL_RANK] = {0};
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t k[MLC_GRAPH_MAX_SPATIAL] = {0}, xi[MLC_SMALL_RANK] = {0}, count = 0;
        double value = is_max ? -INFINITY : 0;
        xi[0] = index[0];
        xi[channel] = index[channel];
        do {
            bool inside = window_index(&w, first, index, k, &x, xi), counts = true;
            // Padding counts, but not what hangs over beyond it (ceil_mode).
            for (size_t d = 0; d < w.rank; d++)
                counts &= index[first + d] * w.strides[d] + k[d] * w.dilations[d] <
                          x.dims[first + d] + w.pad_begin[d] + w.pad_end[d];
            count += inside || (count_padding && counts);
            if (!inside)
                continue;
            double here = get(&x, position(&x, xi));
            if (!is_max)
                value += here;
            else if (here > value || isnan(here))
                value = here;
        } while (next_index(k, w.kernel, w.rank));
        set(&out, (int64_t)i, is_max ? value : count ? value / (double)count : 0);
    }
    return true;
}

bool
mlc_graph_max_pool_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_pool(e, op, operands, results, true);
}

bool
mlc_graph_average_pool_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_pool(e, op, operands, results, false);
}

bool
mlc_graph_batch_norm_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]), p[4];
    double epsilon = mlc_float_attr_as_double(mlc_op_attr(op, "epsilon"));
    if (!make_result(e, op, operands, results, &out))
        return false;
    for (size_t i = 0; i < 4; i++)
        p[i] = view(&operands[i + 1]); // scale, bias, mean, variance
    int64_t index[MLC_SMALL_RANK] = {0};
    size_t channel = channel_of(op, x.rank);
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t c = index[channel];
        set(&out, (int64_t)i,
            (get(&x, (int64_t)i) - get(&p[2], c)) / sqrt(get(&p[3], c) + epsilon) * get(&p[0], c) +
                get(&p[1], c));
    }
    return true;
}

// ---- products

bool
mlc_graph_gemm_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, a = view(&operands[0]), b = view(&operands[1]), c;
    bool trans_a = mlc_attr_as_bool(mlc_op_attr(op, "trans_a")),
         has_c = mlc_op_num_operands(op) > 2;
    bool trans_b = mlc_attr_as_bool(mlc_op_attr(op, "trans_b"));
    double alpha = mlc_float_attr_as_double(mlc_op_attr(op, "alpha"));
    double beta = mlc_float_attr_as_double(mlc_op_attr(op, "beta"));
    if (!make_result(e, op, operands, results, &out))
        return false;
    if (has_c)
        c = view(&operands[2]);
    int64_t inner = a.dims[trans_a ? 0 : 1];
    for (int64_t i = 0; i < out.dims[0]; i++)
        for (int64_t j = 0; j < out.dims[1]; j++) {
            double sum = 0;
            for (int64_t k = 0; k < inner; k++)
                sum += get(&a, i * a.strides[trans_a] + k * a.strides[!trans_a]) *
                       get(&b, k * b.strides[trans_b] + j * b.strides[!trans_b]);
            sum *= alpha;
            if (has_c) { // aligned at the end, size 1 repeated
                int64_t at = 0;
                if (c.rank > 0 && c.dims[c.rank - 1] != 1)
                    at += j;
                if (c.rank > 1 && c.dims[0] != 1)
                    at += i * c.strides[0];
                sum += beta * get(&c, at);
            }
            set(&out, i * out.strides[0] + j, sum);
        }
    return true;
}

// Position in an operand of a batched product: `index` are the result's batch dims, aligned at
// their end.
static int64_t
batch_position(const Tensor *t, const int64_t *index, size_t batch)
{
    int64_t at = 0;
    size_t own = t->rank > 2 ? t->rank - 2 : 0;
    for (size_t i = 0; i < own; i++)
        if (t->dims[i] != 1)
            at += index[i + batch - own] * t->strides[i];
    return at;
}

bool
mlc_graph_matmul_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, a = view(&operands[0]), b = view(&operands[1]);
    if (!make_result(e, op, operands, results, &out))
        return false;
    size_t batch = out.rank - (a.rank > 1) - (b.rank > 1);
    int64_t inner = a.dims[a.rank - 1], index[MLC_SMALL_RANK] = {0};
    int64_t b_step = b.strides[b.rank > 1 ? b.rank - 2 : 0];
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t row = a.rank > 1 ? index[batch] * a.strides[a.rank - 2] : 0;
        int64_t column = b.rank > 1 ? index[out.rank - 1] : 0;
        int64_t at_a = batch_position(&a, index, batch) + row;
        int64_t at_b = batch_position(&b, index, batch) + column;
        double sum = 0;
        for (int64_t k = 0; k < inner; k++)
            sum += get(&a, at_a + k) * get(&b, at_b + k * b_step);
        set(&out, (int64_t)i, sum);
    }
    return true;
}

bool
mlc_graph_block_matmul_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, a = view(&operands[0]), b = view(&operands[1]), scales = view(&operands[2]);
    if (!make_result(e, op, operands, results, &out))
        return false;
    int64_t columns = b.dims[2], size = b.dims[1], inner = b.dims[0] * size;
    for (size_t i = 0; i < out.size; i++) {
        int64_t column = (int64_t)i % columns, row = (int64_t)i / columns;
        double sum = 0;
        for (int64_t k = 0; k < inner; k++)
            sum += get(&a, row * inner + k) * get(&b, k * columns + column) *
                   get(&scales, k / size * columns + column);
        set(&out, (int64_t)i, sum);
    }
    return true;
}

// ---- shapes

bool
mlc_graph_eval_reshape(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    if (!make_result(e, op, operands, results, &out))
        return false;
    if (out.size != x.size)
        return mlc_eval_error(e, op, "%zu elements cannot become %zu", x.size, out.size);
    if (out.size)
        memcpy(results[0].elements.data, operands[0].elements.data, results[0].elements.num_bytes);
    return true;
}

bool
mlc_graph_transpose_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    int64_t perm[MLC_SMALL_RANK];
    MlcStridedDim moves[MLC_SMALL_RANK];
    if (!make_result(e, op, operands, results, &out))
        return false;
    mlc_graph_permutation(op, perm);
    for (size_t d = 0; d < out.rank; d++)
        moves[d] = (MlcStridedDim){out.dims[d], out.strides[d], x.strides[perm[d]]};
    mlc_strided_copy(results[0].elements.data, operands[0].elements.data,
                     mlc_elements_attr_element_bytes(mlc_type_element(operands[0].type)), moves,
                     out.rank);
    return true;
}

bool
mlc_graph_concat_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out;
    int64_t start = 0;
    if (!make_result(e, op, operands, results, &out))
        return false;
    size_t axis = (size_t)mlc_graph_axis(op);
    for (size_t k = 0; k < mlc_op_num_operands(op); k++) {
        Tensor x = view(&operands[k]);
        int64_t index[MLC_SMALL_RANK] = {0};
        for (size_t i = 0; i < x.size; i++, next_index(index, x.dims, x.rank))
            copy_element(&out, position(&out, index) + start * out.strides[axis], &x, (int64_t)i);
        start += x.dims[axis];
    }
    return true;
}

bool
mlc_graph_pad_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    MlcAttr pads = mlc_op_attr(op, "pads");
    double value = mlc_float_attr_as_double(mlc_op_attr(op, "value"));
    if (!make_result(e, op, operands, results, &out))
        return false;
    int64_t index[MLC_SMALL_RANK] = {0};
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t at = 0, low = 0;
        bool inside = true;
        for (size_t d = 0; d < out.rank && inside; d++) {
            inside = mlc_int_list_attr_get(pads, d, &low) && index[d] >= low &&
                     index[d] - low < x.dims[d];
            at += (index[d] - low) * x.strides[d];
        }
        if (inside)
            copy_element(&out, (int64_t)i, &x, at);
        else
            set(&out, (int64_t)i, value);
    }
    return true;
}

// The element of the input at `start + index * step` in each dimension.
bool
mlc_graph_slice_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    int64_t starts[MLC_SMALL_RANK], steps[MLC_SMALL_RANK], index[MLC_SMALL_RANK] = {0};
    if (!mlc_type_has_static_shape(mlc_value_type(mlc_op_operand(op, 0))))
        return mlc_eval_error(e, op, "the shape of its input is not known");
    if (!make_result(e, op, operands, results, &out))
        return false;
    mlc_graph_slice_bounds(op, starts, steps);
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t at = 0;
        for (size_t d = 0; d < out.rank; d++)
            at += (starts[d] + index[d] * steps[d]) * x.strides[d];
        copy_element(&out, (int64_t)i, &x, at);
    }
    return true;
}

// Dimensions are aligned at their ends; an index wraps around where the input is shorter.
bool
mlc_graph_eval_repeat(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    int64_t index[MLC_SMALL_RANK] = {0};
    if (!make_result(e, op, operands, results, &out))
        return false;
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t at = 0;
        for (size_t d = 0; d < x.rank; d++)
            at += index[d + out.rank - x.rank] % x.dims[d] * x.strides[d];
        copy_element(&out, (int64_t)i, &x, at);
    }
    return true;
}

bool
mlc_graph_trilu_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    int64_t k = mlc_attr_as_int(mlc_op_attr(op, "k")), index[MLC_SMALL_RANK] = {0};
    bool upper = mlc_attr_as_bool(mlc_op_attr(op, "upper"));
    if (!make_result(e, op, operands, results, &out))
        return false;
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t diagonal = index[out.rank - 1] - index[out.rank - 2];
        if (upper ? diagonal >= k : diagonal <= k) // what is new is zero
            copy_element(&out, (int64_t)i, &x, (int64_t)i);
    }
    return true;
}

// ---- elements found by indices

// The i-th index, negative ones counted from the end; false after an error: not within `size`.
static bool
read_index(MlcEval *e, MlcOp *op, const Tensor *indices, int64_t i, int64_t size, int64_t *index)
{
    MlcDatum element;
    mlc_datum_element(e, indices->datum, (size_t)i, &element);
    int64_t value = mlc_datum_as_int(&element);
    *index = value < 0 ? value + size : value;
    return (*index >= 0 && *index < size) ||
           mlc_eval_error(e, op, "index %lld is not within %lld elements", (long long)value,
                          (long long)size);
}

// Tuples of `count` indices into dimensions from `first` on, where no element is read by them.
static bool
check_indices(MlcEval *e, MlcOp *op, const Tensor *x, const Tensor *indices, size_t first,
              size_t count)
{
    int64_t index;
    for (size_t i = 0; i < indices->size; i++)
        if (!read_index(e, op, indices, (int64_t)i, x->dims[first + i % count], &index))
            return false;
    return true;
}

bool
mlc_graph_gather_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]), indices = view(&operands[1]);
    if (!make_result(e, op, operands, results, &out))
        return false;
    size_t axis = (size_t)mlc_graph_axis(op);
    if (out.size == 0)
        return check_indices(e, op, &x, &indices, axis, 1);
    int64_t run = x.strides[axis], chosen; // elements behind each index
    for (int64_t i = 0; i < (int64_t)out.size; i++) {
        int64_t inner = i % run, which = i / run % (int64_t)indices.size;
        int64_t outer = i / run / (int64_t)indices.size;
        if (!read_index(e, op, &indices, which, x.dims[axis], &chosen))
            return false;
        copy_element(&out, i, &x, (outer * x.dims[axis] + chosen) * run + inner);
    }
    return true;
}

bool
mlc_graph_gather_elements_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]), indices = view(&operands[1]);
    int64_t index[MLC_SMALL_RANK] = {0}, chosen;
    if (!make_result(e, op, operands, results, &out))
        return false;
    size_t axis = (size_t)mlc_graph_axis(op);
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        if (!read_index(e, op, &indices, (int64_t)i, x.dims[axis], &chosen))
            return false;
        copy_element(&out, (int64_t)i, &x,
                     position(&x, index) + (chosen - index[axis]) * x.strides[axis]);
    }
    return true;
}

bool
mlc_graph_gather_nd_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]), indices = view(&operands[1]);
    size_t batch = (size_t)mlc_attr_as_int(mlc_op_attr(op, "batch_dims"));
    int64_t count = indices.dims[indices.rank - 1], index[MLC_SMALL_RANK] = {0}, chosen;
    if (!make_result(e, op, operands, results, &out))
        return false;
    if (out.size == 0)
        return check_indices(e, op, &x, &indices, batch, (size_t)count);
    int64_t run = x.strides[batch + (size_t)count - 1];
    for (size_t i = 0; i < out.size; i++, next_index(index, out.dims, out.rank)) {
        int64_t at = (int64_t)i % run, tuple = (int64_t)i / run * count;
        for (size_t d = 0; d < batch; d++)
            at += index[d] * x.strides[d];
        for (int64_t k = 0; k < count; k++) {
            size_t dim = batch + (size_t)k;
            if (!read_index(e, op, &indices, tuple + k, x.dims[dim], &chosen))
                return false;
            at += chosen * x.strides[dim];
        }
        copy_element(&out, (int64_t)i, &x, at);
    }
    return true;
}

// ---- elements put where indices say, and the first in order

static bool
is_unsigned_type(MlcType type)
{
    return mlc_integer_type_signedness(type) == MLC_UNSIGNED || mlc_type_is_integer(type, 1);
}

// -1, 0, 1: a is smaller, equal, larger. NaN is larger than every number.
static int
compare_data(const MlcDatum *a, const MlcDatum *b)
{
    if (mlc_type_is_float(a->type)) {
        double x = mlc_datum_as_double(a), y = mlc_datum_as_double(b);
        return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
    }
    if (is_unsigned_type(a->type)) {
        uint64_t x = mlc_datum_as_uint(a), y = mlc_datum_as_uint(b);
        return (x > y) - (x < y);
    }
    int64_t x = mlc_datum_as_int(a), y = mlc_datum_as_int(b);
    return (x > y) - (x < y);
}

// An update (`b`) where `a` is. Sums and products of integers wrap, of truth values are or and and.
static MlcDatum
reduce_data(MlcGraphScatter how, const MlcDatum *a, const MlcDatum *b)
{
    bool is_truth = mlc_type_is_integer(a->type, 1), is_float = mlc_type_is_float(a->type);
    if (how == MLC_GRAPH_SCATTER_NONE)
        return *b;
    if (how == MLC_GRAPH_SCATTER_MAX || (is_truth && how == MLC_GRAPH_SCATTER_ADD))
        return compare_data(a, b) >= 0 ? *a : *b;
    if (how == MLC_GRAPH_SCATTER_MIN || is_truth) {
        bool is_nan = is_float && isnan(mlc_datum_as_double(b));
        return !is_nan && compare_data(a, b) <= 0          ? *a
               : is_float && isnan(mlc_datum_as_double(a)) ? *a
                                                           : *b;
    }
    if (is_float) {
        double x = mlc_datum_as_double(a), y = mlc_datum_as_double(b);
        return mlc_datum_float(a->type, how == MLC_GRAPH_SCATTER_ADD ? x + y : x * y);
    }
    uint64_t x = (uint64_t)mlc_datum_as_int(a), y = (uint64_t)mlc_datum_as_int(b);
    return mlc_datum_int(a->type, (int64_t)(how == MLC_GRAPH_SCATTER_ADD ? x + y : x * y));
}

static void
update_element(MlcGraphScatter how, Tensor *out, int64_t at, const Tensor *updates, int64_t i)
{
    MlcDatum old, update;
    mlc_datum_element(NULL, out->datum, (size_t)at, &old);
    mlc_datum_element(NULL, updates->datum, (size_t)i, &update);
    update = reduce_data(how, &old, &update);
    mlc_datum_set_element((MlcDatum *)(uintptr_t)out->datum, (size_t)at, &update);
}

// The result, as yet the data.
static bool
copy_data(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, Tensor *out)
{
    if (!make_result(e, op, operands, results, out))
        return false;
    if (out->size)
        memcpy(results[0].elements.data, operands[0].elements.data, results[0].elements.num_bytes);
    return true;
}

bool
mlc_graph_scatter_elements_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, indices = view(&operands[1]), updates = view(&operands[2]);
    int64_t index[MLC_SMALL_RANK] = {0}, chosen;
    MlcGraphScatter how = mlc_graph_scatter_elements_reduction(op);
    if (!copy_data(e, op, operands, results, &out))
        return false;
    size_t axis = (size_t)mlc_graph_axis(op);
    for (size_t i = 0; i < indices.size; i++, next_index(index, indices.dims, indices.rank)) {
        if (!read_index(e, op, &indices, (int64_t)i, out.dims[axis], &chosen))
            return false;
        int64_t at = position(&out, index) + (chosen - index[axis]) * out.strides[axis];
        update_element(how, &out, at, &updates, (int64_t)i);
    }
    return true;
}

bool
mlc_graph_scatter_nd_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, indices = view(&operands[1]), updates = view(&operands[2]);
    int64_t count = indices.dims[indices.rank - 1], chosen;
    MlcGraphScatter how = mlc_graph_scatter_nd_reduction(op);
    if (!copy_data(e, op, operands, results, &out))
        return false;
    int64_t run = out.strides[count - 1];
    for (int64_t tuple = 0; tuple < (int64_t)indices.size / count; tuple++) {
        int64_t at = 0;
        for (int64_t k = 0; k < count; k++) {
            if (!read_index(e, op, &indices, tuple * count + k, out.dims[k], &chosen))
                return false;
            at += chosen * out.strides[k];
        }
        for (int64_t i = 0; i < run; i++)
            update_element(how, &out, at + i, &updates, tuple * run + i);
    }
    return true;
}

bool
mlc_graph_expect_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out;
    MlcDatum value;
    mlc_datum_element(e, &operands[1], 0, &value);
    int64_t number = mlc_datum_as_int(&value);
    if (number != mlc_graph_expect_expected(op) && mlc_attr_as_bool(mlc_op_attr(op, "is_whole")))
        return mlc_eval_error(e, op, "%.*s", MLC_STR_FMT(mlc_graph_expect_what(op)));
    return (number == mlc_graph_expect_expected(op) ||
            mlc_eval_error(e, op, "%.*s is %lld, not %lld", MLC_STR_FMT(mlc_graph_expect_what(op)),
                           (long long)number, (long long)mlc_graph_expect_expected(op))) &&
           copy_data(e, op, operands, results, &out);
}

// Puts place `i` of a run of `x` into the first `filled` ones of `order`, which are in order.
static void
insert_place(const Tensor *x, int64_t start, int64_t step, bool largest, int64_t *order,
             int64_t filled, int64_t i)
{
    MlcDatum here, other;
    mlc_datum_element(NULL, x->datum, (size_t)(start + i * step), &here);
    for (; filled > 0; filled--) {
        mlc_datum_element(NULL, x->datum, (size_t)(start + order[filled - 1] * step), &other);
        int sign = compare_data(&here, &other);
        if (largest ? sign <= 0 : sign >= 0)
            break;
        order[filled] = order[filled - 1];
    }
    order[filled] = i;
}

bool
mlc_graph_top_k_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    bool largest = mlc_attr_as_bool(mlc_op_attr(op, "largest"));
    if (!make_result(e, op, operands, results, &out))
        return false;
    size_t axis = (size_t)mlc_graph_axis(op);
    int64_t k = out.dims[axis], n = x.dims[axis], step = x.strides[axis];
    int64_t *order = mlc_eval_alloc(e, ((size_t)k + 1) * sizeof *order);
    for (int64_t run = 0; n > 0 && run < (int64_t)x.size / n; run++) {
        int64_t start = run / step * step * n + run % step, to = run / step * step * k + run % step;
        for (int64_t i = 0; i < n; i++) // behind the last is room for one that is dropped
            insert_place(&x, start, step, largest, order, i < k ? i : k, i);
        for (int64_t i = 0; i < k; i++) {
            MlcDatum place = mlc_datum_int(mlc_type_element(out.datum->type), order[i]);
            mlc_datum_set_element(&results[0], (size_t)(to + i * step), &place);
        }
    }
    return true;
}

// ---- order

static bool
comes_first(const Tensor *x, int64_t a, int64_t b, bool descending)
{
    MlcDatum first, second;
    mlc_datum_element(NULL, x->datum, (size_t)a, &first);
    mlc_datum_element(NULL, x->datum, (size_t)b, &second);
    int sign = compare_data(&first, &second);
    return descending ? sign > 0 : sign < 0;
}

// Merges runs of 1, 2, 4... of `order`, places of x from `start` on; `spare` is as long.
static void
sort_row(const Tensor *x, int64_t start, int64_t n, bool descending, int64_t *order, int64_t *spare)
{
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t middle = low + width < n ? low + width : n;
            int64_t high = low + 2 * width < n ? low + 2 * width : n, i = low, k = middle;
            for (int64_t to = low; to < high; to++) {
                bool second =
                    i == middle ||
                    (k < high && comes_first(x, start + order[k], start + order[i], descending));
                spare[to] = order[second ? k++ : i++];
            }
        }
        memcpy(order, spare, (size_t)n * sizeof *order);
    }
}

bool
mlc_graph_argsort_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    bool descending = mlc_attr_as_bool(mlc_op_attr(op, "descending"));
    if (!make_result(e, op, operands, results, &out))
        return false;
    int64_t n = x.dims[1];
    int64_t *order = mlc_eval_alloc(e, (2 * (size_t)n + 1) * sizeof *order);
    for (int64_t row = 0; row < x.dims[0]; row++) {
        for (int64_t i = 0; i < n; i++)
            order[i] = i;
        sort_row(&x, row * n, n, descending, order, order + n);
        for (int64_t i = 0; i < n; i++)
            set(&out, row * n + i, (double)order[i]);
    }
    return true;
}

bool
mlc_graph_true_places_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    int64_t count = 0;
    if (!make_result(e, op, operands, results, &out))
        return false;
    for (int64_t i = 0; i < (int64_t)x.size; i++)
        if (get(&x, i) != 0)
            set(&out, count++, (double)i);
    for (; count < (int64_t)x.size; count++)
        set(&out, count, -1);
    return true;
}

bool
mlc_graph_running_sum_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    if (!make_result(e, op, operands, results, &out))
        return false;
    for (int64_t i = 0; i < (int64_t)x.size; i++) {
        copy_element(&out, i, &x, i);
        if (i % x.dims[1] != 0)
            update_element(MLC_GRAPH_SCATTER_ADD, &out, i, &out, i - 1);
    }
    return true;
}

// A box by its corners, and its area.
typedef struct Box {
    float low[2], high[2], area;
} Box;

static Box
box_at(const Tensor *boxes, int64_t at, bool is_centered)
{
    Box box;
    for (int64_t i = 0; i < 2; i++) {
        float a = (float)get(boxes, at + i), b = (float)get(boxes, at + 2 + i);
        box.low[i] = is_centered ? a - b / 2 : a < b ? a : b;
        box.high[i] = is_centered ? a + b / 2 : a < b ? b : a;
    }
    box.area = (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]);
    return box;
}

static bool
overlaps(const Box *a, const Box *b, float most)
{
    float size[2];
    for (size_t i = 0; i < 2; i++) {
        float low = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        float high = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
        size[i] = high - low;
        if (!(high > low))
            return false;
    }
    float both = size[0] * size[1], either = a->area + b->area - both;
    return both > 0 && a->area > 0 && b->area > 0 && either > 0 && both / either > most;
}

typedef struct Suppression {
    Tensor boxes, scores;
    double threshold;
    float overlap;
    int64_t most;
    bool is_centered, has_threshold;
} Suppression;

// Those taken of one class, whose scores begin at `start`, into `taken`; returns how many.
static int64_t
take_boxes(const Suppression *s, int64_t batch, int64_t start, bool *is_out, int64_t *taken)
{
    int64_t n = s->scores.dims[2], count = 0;
    for (int64_t i = 0; i < n; i++)
        is_out[i] = s->has_threshold && !(get(&s->scores, start + i) > s->threshold);
    while (count < s->most) {
        int64_t best = -1;
        double highest = 0;
        for (int64_t i = 0; i < n; i++) {
            double score = get(&s->scores, start + i);
            score = isnan(score) ? -INFINITY : score;
            if (!is_out[i] && (best < 0 || score > highest))
                best = i, highest = score;
        }
        if (best < 0)
            return count;
        is_out[best] = true;
        Box box = box_at(&s->boxes, (batch * n + best) * 4, s->is_centered);
        bool overlapped = false;
        for (int64_t i = 0; i < count && !overlapped; i++) {
            Box other = box_at(&s->boxes, (batch * n + taken[i]) * 4, s->is_centered);
            overlapped = overlaps(&box, &other, s->overlap);
        }
        if (!overlapped)
            taken[count++] = best;
    }
    return count;
}

bool
mlc_graph_non_max_suppression_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                   MlcDatum *results)
{
    Tensor out, count = view(&operands[2]), overlap = view(&operands[3]),
                threshold = view(&operands[4]);
    Suppression s = {.boxes = view(&operands[0]),
                     .scores = view(&operands[1]),
                     .most = mlc_graph_non_max_suppression_most(op),
                     .is_centered = mlc_attr_as_bool(mlc_op_attr(op, "is_centered")),
                     .has_threshold = mlc_attr_as_bool(mlc_op_attr(op, "has_threshold"))};
    if (!make_result(e, op, operands, results, &out))
        return false;
    int64_t classes = s.scores.dims[1], n = s.scores.dims[2], row = 0;
    double wanted = get(&count, 0);
    s.most = wanted < (double)s.most ? (int64_t)wanted : s.most;
    s.overlap = (float)get(&overlap, 0);
    s.threshold = get(&threshold, 0);
    bool *is_out = mlc_eval_alloc(e, (size_t)n + 1);
    int64_t *taken = mlc_eval_alloc(e, ((size_t)n + 1) * sizeof *taken);
    for (int64_t i = 0; i < s.scores.dims[0] * classes; i++) {
        int64_t num_taken = take_boxes(&s, i / classes, i * n, is_out, taken);
        for (int64_t k = 0; k < num_taken; k++, row++) {
            set(&out, row * 3, (double)(i / classes));
            set(&out, row * 3 + 1, (double)(i % classes));
            set(&out, row * 3 + 2, (double)taken[k]);
        }
    }
    for (int64_t i = row * 3; i < (int64_t)out.size; i++)
        set(&out, i, -1);
    return true;
}

// ---- reductions

typedef enum Reduction { REDUCE_SUM, REDUCE_MEAN, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN } Reduction;

static double
combine(Reduction kind, double a, double b)
{
    switch (kind) {
    case REDUCE_MAX:
        return b > a || isnan(b) ? b : a;
    case REDUCE_MIN:
        return b < a || isnan(b) ? b : a;
    case REDUCE_PROD:
        return a * b;
    default:
        return a + b;
    }
}

static bool
eval_reduction(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results,
               const bool *marked, Reduction kind)
{
    Tensor out, x = view(&operands[0]);
    if (!make_result(e, op, operands, results, &out))
        return false;
    double *sums = mlc_eval_alloc(e, (out.size ? out.size : 1) * sizeof *sums), count = 1;
    bool is_float = mlc_type_is_float(mlc_type_element(out.datum->type));
    for (size_t i = 0; i < out.size; i++)
        sums[i] = kind == REDUCE_MAX    ? -INFINITY
                  : kind == REDUCE_MIN  ? INFINITY
                  : kind == REDUCE_PROD ? 1
                                        : 0;
    int64_t steps[MLC_SMALL_RANK] = {0}, step = 1, index[MLC_SMALL_RANK] = {0};
    for (size_t i = x.rank; i-- > 0;) {
        steps[i] = marked[i] ? 0 : step;
        step *= marked[i] ? 1 : x.dims[i];
        count *= marked[i] ? (double)x.dims[i] : 1;
    }
    bool is_mean = kind == REDUCE_MEAN && (is_float || count > 0); // of nothing: NaN, or 0
    for (size_t i = 0; i < x.size; i++, next_index(index, x.dims, x.rank)) {
        int64_t at = 0;
        for (size_t d = 0; d < x.rank; d++)
            at += index[d] * steps[d];
        sums[at] = combine(kind, sums[at], get(&x, (int64_t)i));
    }
    for (size_t i = 0; i < out.size; i++)
        set(&out, (int64_t)i, is_mean ? sums[i] / count : sums[i]);
    return true;
}

static bool
eval_axes(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, Reduction kind)
{
    bool marked[MLC_SMALL_RANK];
    mlc_graph_reduced_axes(op, marked);
    return eval_reduction(e, op, operands, results, marked, kind);
}

bool
mlc_graph_reduce_mean_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_axes(e, op, operands, results, REDUCE_MEAN);
}

bool
mlc_graph_reduce_sum_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_axes(e, op, operands, results, REDUCE_SUM);
}

bool
mlc_graph_reduce_prod_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_axes(e, op, operands, results, REDUCE_PROD);
}

bool
mlc_graph_reduce_max_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_axes(e, op, operands, results, REDUCE_MAX);
}

bool
mlc_graph_reduce_min_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_axes(e, op, operands, results, REDUCE_MIN);
}

static bool
eval_global_pool(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, Reduction kind)
{
    bool marked[MLC_SMALL_RANK] = {0};
    size_t rank = mlc_type_rank(operands[0].type);
    for (size_t i = 0; i + 2 < rank; i++)
        marked[spatial_of(op) + i] = true;
    return eval_reduction(e, op, operands, results, marked, kind);
}

bool
mlc_graph_global_average_pool_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                   MlcDatum *results)
{
    return eval_global_pool(e, op, operands, results, REDUCE_MEAN);
}

bool
mlc_graph_global_max_pool_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return eval_global_pool(e, op, operands, results, REDUCE_MAX);
}

bool
mlc_graph_softmax_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Tensor out, x = view(&operands[0]);
    if (!make_result(e, op, operands, results, &out))
        return false;
    size_t axis = (size_t)mlc_graph_axis(op);
    int64_t step = x.strides[axis], n = x.dims[axis];
    for (int64_t i = 0; i < (int64_t)x.size; i++) {
        if (i / step % n) // the first element of each run along the axis
            continue;
        double largest = -INFINITY, sum = 0;
        for (int64_t k = 0; k < n; k++)
            largest = fmax(largest, get(&x, i + k * step));
        for (int64_t k = 0; k < n; k++)
            sum += exp(get(&x, i + k * step) - largest);
        for (int64_t k = 0; k < n; k++)
            set(&out, i + k * step, exp(get(&x, i + k * step) - largest) / sum);
    }
    return true;
}

// ---- how long all that takes

// A scalar op of a body is called through its hook, an element that is no f32 read through a datum;
// arithmetic on f32 goes by vectors.
enum { STEPS_PER_CALL = 16 };

static double
num_elements(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_is_shaped(type) ? (double)mlc_type_num_elements(type) : 1;
}

// Names, numbers and calls: about as many as ops.
static double
count_words(const char *text)
{
    double count = 0;
    for (bool was_word = false; *text; text++) {
        bool is_word = isalnum((unsigned char)*text) || *text == '_' || *text == '.';
        count += is_word && !was_word;
        was_word = is_word;
    }
    return count;
}

// Of the result.
static double
products_per_element(MlcOp *op)
{
    MlcGraphWindow w;
    double count = 1;
    MlcType first = mlc_value_type(mlc_op_operand(op, 0));
    if (mlc_graph_matmul_isa(op) || mlc_graph_block_matmul_isa(op))
        return (double)mlc_type_dim(first, mlc_type_rank(first) - 1);
    if (mlc_graph_gemm_isa(op))
        return (double)mlc_type_dim(first, mlc_attr_as_bool(mlc_op_attr(op, "trans_a")) ? 0 : 1);
    if (mlc_graph_conv_isa(op)) {
        MlcType filter = mlc_value_type(mlc_op_operand(op, 1));
        bool nhwc = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC;
        size_t out = nhwc ? mlc_type_rank(filter) - 1 : 0;
        return num_elements(mlc_op_operand(op, 1)) / (double)mlc_type_dim(filter, out);
    }
    if (mlc_graph_top_k_isa(op))
        return (double)mlc_type_dim(first, (size_t)mlc_graph_axis(op));
    if (mlc_graph_tree_ensemble_isa(op))
        return mlc_graph_trees_steps(op);
    if ((mlc_graph_max_pool_isa(op) || mlc_graph_average_pool_isa(op)) && mlc_graph_window(op, &w))
        for (size_t i = 0; i < w.rank; i++)
            count *= (double)w.kernel[i];
    return count;
}

int64_t
mlc_graph_eval_steps(MlcOp *op)
{
    MlcValue *result = mlc_op_result(op, 0);
    MlcType element = mlc_type_element(mlc_value_type(result));
    bool is_f32 = mlc_type_is_float(element) && mlc_float_type_kind(element) == MLC_FLOAT_F32;
    const char *body = mlc_op_def(op)->body;
    double steps = num_elements(result);
    if (body)
        steps *= (is_f32 && !strchr(body, '(') ? 1 : STEPS_PER_CALL) * count_words(body);
    else if (mlc_graph_softmax_isa(op))
        steps *= STEPS_PER_CALL * 2;
    else
        steps *= products_per_element(op) * (is_f32 ? 1 : STEPS_PER_CALL);
    MLC_FOR_EACH_OPERAND (value, op)
        steps += num_elements(value);
    return steps < 0x1p62 ? (int64_t)steps : INT64_MAX; // not a number: a filter for nothing
}
