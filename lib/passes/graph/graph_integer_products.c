// graph_integer_products.c -- products of numbers that stand for reals become products of the bytes
// they are stored in.
//
//   sum over k of sx (x[k] - zx) sw[n] (w[k, n] - zw[n])
//       = sx sw[n] (sum over k of x[k] v[k, n]  -  zx sum over k of v[k, n]),   v = w - zw
//
// The sum of products is exact in i32, the second one is a constant, since weights are; so between
// the bytes that go in and the real that comes out are an addition of integers and one
// multiplication. What follows up to the next rounding to integers is one scale too, with the bias
// in its units. Where x is read by no instruction that the machine has with its sign, it is stored
// 128 higher or lower, and its zero point with it: numbers that are rounded to bytes are so at
// once. v that is no byte (zw is not in the middle) is a sum of several that are. Windows read zx
// where they hang over. Ops that move numbers, and maxima of windows, are done to the bytes.
//
// Only where the machine has dot products of bytes: elsewhere the wider kernels are faster.
#include "graph_constants.h"
#include "graph_quantized.h"

#include "mlc/analysis/structured.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_geometry.h"
#include "mlc/machine.h"
#include "mlc/pass.h"
#include "mlc/support/alloc.h"

#include <math.h>

enum { HALF = 128, RUN = MLC_DOT_RUN };

typedef struct Rewriter {
    MlcPass *pass;
    MlcContext *ctx;
    MlcBuilder b;
    bool unsigned_left; // what the machine multiplies bytes with signs by
} Rewriter;

static MlcType
i32_type(Rewriter *r)
{
    return mlc_integer_type_get(r->ctx, 32, MLC_SIGNLESS);
}

static MlcType
byte_type(Rewriter *r, bool is_unsigned)
{
    return mlc_integer_type_get(r->ctx, 8, is_unsigned ? MLC_UNSIGNED : MLC_SIGNLESS);
}

static bool
is_unsigned(const MlcValue *value)
{
    return mlc_integer_type_signedness(mlc_type_element(mlc_value_type(value))) == MLC_UNSIGNED;
}

// ---- small pieces of graph

static MlcValue *
build_cast(Rewriter *r, MlcValue *value, MlcType element)
{
    return mlc_graph_cast(&r->b, mlc_type_with_element(mlc_value_type(value), element), value);
}

static MlcValue *
build_integer(Rewriter *r, int64_t number)
{
    MlcType type = mlc_tensor_type_get(i32_type(r), NULL, 0, NULL);
    return mlc_graph_constant(
        &r->b, mlc_dense_attr_splat(type, mlc_integer_attr_get(i32_type(r), number)));
}

static MlcValue *
build_real(Rewriter *r, double number)
{
    MlcType f32 = mlc_float_type_get(r->ctx, MLC_FLOAT_F32);
    MlcType type = mlc_tensor_type_get(f32, NULL, 0, NULL);
    return mlc_graph_constant(&r->b, mlc_dense_attr_splat(type, mlc_float_attr_get(f32, number)));
}

// `bytes` 128 lower, as bytes with signs; or as they were.
static MlcValue *
build_moved(Rewriter *r, MlcValue *bytes, int64_t shift, bool to_unsigned)
{
    MlcValue *wide = build_cast(r, bytes, i32_type(r));
    return build_cast(r, mlc_graph_sub(&r->b, wide, build_integer(r, shift)),
                      byte_type(r, to_unsigned));
}

// scale * (bytes - zero - shift) as f32.
static MlcValue *
build_stored(Rewriter *r, const MlcStored *stored)
{
    MlcValue *value = build_cast(r, stored->bytes, i32_type(r));
    if (stored->zero)
        value = mlc_graph_sub(&r->b, value, stored->zero);
    if (stored->shift)
        value = mlc_graph_sub(&r->b, value, build_integer(r, stored->shift));
    value = build_cast(r, value, mlc_float_type_get(r->ctx, MLC_FLOAT_F32));
    return mlc_graph_mul(&r->b, value, stored->scale);
}

// The zero point of what is stored, where it is known.
static bool
known_zero(const MlcStored *stored, int64_t *zero)
{
    int32_t *number = stored->zero ? mlc_read_integers(stored->zero) : NULL;
    *zero = stored->shift + (number ? *number : 0);
    mlc_free(number);
    return !stored->zero || number;
}

// ---- numbers that are rounded to bytes

static bool
rounds_to_signed_bytes(MlcOp *op)
{
    MlcValue *result = mlc_op_result(op, 0);
    return mlc_is_integer_of(mlc_value_type(result), 8) && !is_unsigned(result) &&
           mlc_float_attr_as_double(mlc_op_attr(op, "low")) == -HALF &&
           mlc_float_attr_as_double(mlc_op_attr(op, "high")) == HALF - 1;
}

static bool
is_returned(MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value)
        if (mlc_op_has_trait(mlc_use_owner(use), MLC_TRAIT_RETURN_LIKE))
            return true;
    return false;
}

// The same division by `scale` that was a multiplication: the bytes themselves.
static bool
fold_requantization(MlcOp *op)
{
    MlcStored stored;
    double scale, own, zero_point;
    int64_t zero;
    MlcOp *div = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_graph_div_isa(div) || !mlc_find_stored(mlc_op_operand(div, 0), &stored) ||
        !stored.scale || !mlc_read_real(mlc_op_operand(div, 1), &scale) ||
        !mlc_read_real(stored.scale, &own) || !mlc_read_real(mlc_op_operand(op, 1), &zero_point) ||
        !known_zero(&stored, &zero) || own != scale || !(scale > 0) || isinf(scale))
        return false;
    MlcValue *result = mlc_op_result(op, 0);
    if (mlc_value_type(stored.bytes) != mlc_value_type(result) || zero_point != (double)zero)
        return false;
    mlc_op_replace(op, &stored.bytes, 1);
    return true;
}

// Rounded to bytes without signs, 128 higher.
static MlcOp *
round_unsigned(Rewriter *r, MlcOp *op)
{
    MlcValue *old = mlc_op_result(op, 0);
    mlc_builder_before(&r->b, op);
    MlcValue *zero = mlc_graph_add(&r->b, mlc_op_operand(op, 1), build_real(r, HALF));
    MlcValue *made =
        mlc_graph_quantize(&r->b, mlc_type_with_element(mlc_value_type(old), byte_type(r, true)),
                           mlc_op_operand(op, 0), zero);
    MlcValue *value = build_moved(r, made, HALF, false);
    mlc_op_replace(op, &value, 1);
    return mlc_value_def(made);
}

// A number that was computed is multiplied by what it would be divided by: the quotient is an ulp
// from the real one at most. One that the model is given is divided, as ONNX says.
static void
multiply_instead(Rewriter *r, MlcOp *op)
{
    double scale;
    MlcOp *div = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_graph_div_isa(div) || !mlc_value_has_one_use(mlc_op_result(div, 0)) ||
        !mlc_value_def(mlc_op_operand(div, 0)) || !mlc_read_real(mlc_op_operand(div, 1), &scale) ||
        !isnormal((float)(1 / scale)))
        return;
    mlc_builder_before(&r->b, div);
    MlcValue *product = mlc_graph_mul(&r->b, mlc_op_operand(div, 0), build_real(r, 1 / scale));
    mlc_op_replace(div, &product, 1);
}

// What is rounded to an integer has no sign where it is 0: a zero point of 0 becomes -0, which
// changes nothing when it is added, so nobody need add it.
static void
forget_zero(Rewriter *r, MlcOp *op)
{
    double zero;
    if (!mlc_read_real(mlc_op_operand(op, 1), &zero) || zero != 0 ||
        mlc_type_bit_width(mlc_type_element(mlc_op_operand_type(op, 1))) != 32)
        return;
    mlc_builder_before(&r->b, op);
    mlc_op_set_operand(op, 1, build_real(r, -0.0));
}

static void
visit_rounding(Rewriter *r, MlcOp *op)
{
    bool moves =
        r->unsigned_left && rounds_to_signed_bytes(op) && !is_returned(mlc_op_result(op, 0));
    if (moves)
        op = round_unsigned(r, op);
    if (fold_requantization(op))
        return;
    multiply_instead(r, op);
    forget_zero(r, op);
}

// ---- what moves numbers

static bool
moves_numbers(MlcOp *op)
{
    return mlc_op_num_operands(op) == 1 && mlc_op_num_results(op) == 1 &&
           mlc_op_has_trait(op, MLC_TRAIT_MOVES_ELEMENTS) && !mlc_graph_pad_isa(op);
}

// The op on other elements.
static MlcValue *
rebuild_on(Rewriter *r, MlcOp *op, MlcValue *value)
{
    MlcOp *clone = mlc_op_clone(op, NULL);
    MlcValue *result = mlc_op_result(clone, 0);
    mlc_op_set_operand(clone, 0, value);
    mlc_value_set_type(result, mlc_type_with_element(mlc_value_type(result),
                                                     mlc_type_element(mlc_value_type(value))));
    mlc_builder_insert(&r->b, clone);
    return result;
}

// op(scale * (x - zero)) -> scale * (op(x) - zero), op moving numbers, or the maximum of windows
// and scale > 0.
static void
visit_move(Rewriter *r, MlcOp *op)
{
    MlcStored stored;
    double scale;
    int64_t zero;
    MlcValue *input = mlc_op_operand(op, 0);
    mlc_builder_before(&r->b, op);
    if (mlc_find_stored(input, &stored) && stored.scale && known_zero(&stored, &zero) &&
        mlc_read_real(stored.scale, &scale) && scale > 0) {
        stored.bytes = rebuild_on(r, op, stored.bytes);
        MlcValue *value = build_stored(r, &stored);
        mlc_op_replace(op, &value, 1);
        return;
    }
    if (!mlc_is_integer_of(mlc_value_type(input), 8) || is_unsigned(input))
        return;
    MlcValue *wide = build_cast(r, input, i32_type(r)); // is it moved by 128?
    bool is_moved = mlc_find_stored(wide, &stored) && stored.shift == HALF;
    mlc_op_erase(mlc_value_def(wide));
    if (is_moved) {
        MlcValue *value = build_moved(r, rebuild_on(r, op, stored.bytes), HALF, false);
        mlc_op_replace(op, &value, 1);
    }
}

// ---- products

typedef struct Product {
    MlcOp *op;
    bool is_conv;
    MlcStored x;
    int64_t channels, inner, taps; // of the result; of x, of a group; elements of a window
    int64_t group;
    int32_t *weights;    // [inner, channels], or [channels, inner, taps...] of a convolution
    double *scales;      // of weights, by channel; NULL: sums are the result
    MlcValue *bias;      // NULL: none
    MlcType weight_type; // with no padding
} Product;

static void
release(Product *p)
{
    mlc_free(p->weights);
    mlc_free(p->scales);
}

// A tensor that is broadcast to one of `rank` dimensions, and differs along `axis` alone.
static bool
runs_along(MlcValue *value, size_t rank, size_t axis)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) > rank)
        return false;
    size_t first = rank - mlc_type_rank(type);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (first + i != axis && mlc_type_dim(type, i) != 1)
            return false;
    return true;
}

// Integers, or reals that are a scale of each channel times integers.
static bool
read_weights(Product *p, MlcValue *value, size_t axis)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_is_float(mlc_type_element(type))) {
        p->weights = mlc_read_integers(value);
        return p->weights != NULL;
    }
    MlcOp *mul = mlc_value_def(value);
    for (size_t i = 0; mlc_graph_mul_isa(mul) && i < 2 && !p->weights; i++) {
        MlcOp *cast = mlc_value_def(mlc_op_operand(mul, i));
        MlcValue *scale = mlc_op_operand(mul, 1 - i);
        if (!mlc_graph_cast_isa(cast) || !runs_along(scale, mlc_type_rank(type), axis) ||
            mlc_value_type(mlc_op_result(cast, 0)) != type)
            continue;
        mlc_free(p->scales); // of the other factor, which is none
        p->scales = mlc_calloc((size_t)p->channels + 1, sizeof *p->scales);
        if (mlc_read_reals(scale, p->scales, (size_t)p->channels))
            p->weights = mlc_read_integers(mlc_op_operand(cast, 0));
    }
    return p->weights != NULL;
}

// [N, K] to [K, N].
static void
transpose_weights(Product *p)
{
    size_t n = (size_t)p->channels, k = (size_t)p->inner;
    int32_t *moved = mlc_calloc(n * k + 1, sizeof *moved);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < n; j++)
            moved[i * n + j] = p->weights[j * k + i];
    mlc_free(p->weights);
    p->weights = moved;
}

static bool
is_plain_gemm(MlcOp *op)
{
    return mlc_float_attr_as_double(mlc_op_attr(op, "alpha")) == 1 &&
           mlc_float_attr_as_double(mlc_op_attr(op, "beta")) == 1 &&
           !mlc_attr_as_bool(mlc_op_attr(op, "trans_a"));
}

static bool
read_matrix(Product *p)
{
    bool is_gemm = mlc_graph_gemm_isa(p->op);
    bool trans = is_gemm && mlc_attr_as_bool(mlc_op_attr(p->op, "trans_b"));
    MlcType type = mlc_op_operand_type(p->op, 1);
    if (mlc_type_rank(type) != 2 || mlc_type_rank(mlc_op_operand_type(p->op, 0)) < 2 ||
        (is_gemm && !is_plain_gemm(p->op)))
        return false;
    p->channels = mlc_type_dim(type, !trans);
    p->inner = mlc_type_dim(type, trans);
    p->taps = p->group = 1;
    if (!read_weights(p, mlc_op_operand(p->op, 1), !trans))
        return false;
    if (trans)
        transpose_weights(p);
    p->bias = is_gemm && mlc_op_num_operands(p->op) > 2 ? mlc_op_operand(p->op, 2) : NULL;
    return true;
}

// Groups of one channel each are no dot products, but products of bytes all the same; those of
// runs of channels are.
static bool
read_filter(Product *p)
{
    MlcType type = mlc_op_operand_type(p->op, 1);
    MlcGraphWindow window;
    if (mlc_graph_layout(p->op) != MLC_GRAPH_LAYOUT_NCHW || !mlc_graph_window(p->op, &window))
        return false;
    p->is_conv = true;
    p->channels = mlc_type_dim(type, 0);
    p->inner = mlc_type_dim(type, 1);
    p->group = mlc_attr_as_int(mlc_op_attr(p->op, "group"));
    p->taps = mlc_type_num_elements(type) / (p->channels * p->inner);
    bool is_depthwise = p->inner == 1 && p->channels == p->group && window.rank == 2;
    if (p->group > 1 && p->inner % RUN != 0 && !is_depthwise)
        return false;
    p->bias = mlc_op_num_operands(p->op) > 2 ? mlc_op_operand(p->op, 2) : NULL;
    return read_weights(p, mlc_op_operand(p->op, 1), 0);
}

static bool
is_static(MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_op_operand_type(op, i);
        if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type) ||
            mlc_type_num_elements(type) == 0)
            return false;
    }
    MlcType type = mlc_op_result_type(op, 0);
    return mlc_type_has_small_rank(type) && mlc_type_has_static_shape(type);
}

static bool
read_product(MlcOp *op, Product *p)
{
    MlcType element = mlc_type_element(mlc_op_result_type(op, 0));
    bool is_real = mlc_type_is_float(element) && mlc_type_bit_width(element) == 32;
    *p = (Product){.op = op};
    if (!is_static(op) || (!is_real && !mlc_is_integer_of(element, 32)) ||
        !mlc_find_stored(mlc_op_operand(op, 0), &p->x))
        return false;
    if (!(mlc_graph_conv_isa(op) ? read_filter(p) : read_matrix(p)))
        return false;
    p->weight_type = mlc_op_operand_type(op, 1);
    int64_t count = p->channels * p->inner * p->taps;
    for (int64_t i = 0; i < count; i++)
        if (p->weights[i] < -255 || p->weights[i] > 255)
            return false;
    return (p->scales != NULL) == is_real && (p->x.scale != NULL) == is_real;
}

// ---- their sums

static size_t
weight_index(const Product *p, int64_t channel, int64_t inner, int64_t tap, int64_t padded)
{
    return (size_t)(p->is_conv ? (channel * padded + inner) * p->taps + tap
                               : inner * p->channels + channel);
}

// Bytes next to zero of the weights, which keep the rest; zeros for the inner places added. False:
// nothing is left.
static bool
take_part(Product *p, int64_t padded, int32_t *part)
{
    bool any = false;
    for (int64_t c = 0; c < p->channels; c++)
        for (int64_t k = 0; k < p->inner; k++)
            for (int64_t t = 0; t < p->taps; t++) {
                int32_t *w = &p->weights[weight_index(p, c, k, t, p->inner)];
                int32_t taken = *w < -HALF ? -HALF : *w > HALF - 1 ? HALF - 1 : *w;
                part[weight_index(p, c, k, t, padded)] = taken;
                *w -= taken;
                any |= taken != 0;
            }
    return any;
}

static void
add_up(const Product *p, int32_t *sums)
{
    for (int64_t c = 0; c < p->channels; c++)
        for (int64_t k = 0; k < p->inner; k++)
            for (int64_t t = 0; t < p->taps; t++)
                sums[c] += p->weights[weight_index(p, c, k, t, p->inner)];
}

// In a shape that broadcasts with the result's channels.
static MlcType
channel_type(const Product *p, MlcType element)
{
    int64_t dims[MLC_SMALL_RANK] = {p->channels};
    size_t rank = p->is_conv ? mlc_type_rank(p->weight_type) - 1 : 1;
    for (size_t i = 1; i < rank; i++)
        dims[i] = 1;
    return mlc_tensor_type_get(element, dims, rank, NULL);
}

// x as the machine multiplies it, and its zero point.
static void
adapt_sign(Rewriter *r, Product *p)
{
    MlcStored *x = &p->x;
    if (is_unsigned(x->bytes) == r->unsigned_left || (p->group > 1 && p->inner == 1))
        return;
    int64_t shift = r->unsigned_left ? HALF : -HALF;
    x->bytes = build_moved(r, x->bytes, -shift, r->unsigned_left);
    x->shift += shift;
}

// The zero point where it is computed.
static MlcValue *
computed_zero(Rewriter *r, const MlcStored *x)
{
    return x->shift ? mlc_graph_add(&r->b, x->zero, build_integer(r, x->shift)) : x->zero;
}

// `x`, which has zeros around images, with the zero point there: times bytes that are 1 around
// them and 0 inside, of shape [1, 1, spatial...].
static MlcValue *
fill_border(Rewriter *r, const Product *p, MlcValue *x, const int64_t *pads)
{
    MlcType type = mlc_value_type(x);
    int64_t dims[MLC_SMALL_RANK], count = 1;
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        count *= dims[i] = i < 2 ? 1 : mlc_type_dim(type, i);
    int32_t *border = mlc_calloc((size_t)count + 1, sizeof *border);
    for (int64_t n = 0; n < count; n++) {
        int64_t rest = n;
        for (size_t i = rank; i-- > 2; rest /= dims[i]) {
            int64_t at = rest % dims[i];
            border[n] |= at < pads[i] || at >= dims[i] - pads[rank + i];
        }
    }
    MlcType element = mlc_type_element(type);
    MlcValue *mask = mlc_build_bytes(p->op, mlc_tensor_type_get(element, dims, rank, NULL), border,
                                     (size_t)count, mlc_str("border"));
    mlc_free(border);
    MlcValue *zero = build_cast(r, computed_zero(r, &p->x), element);
    return mlc_graph_add(&r->b, x, mlc_graph_mul(&r->b, mask, zero));
}

// x with its zero point around images and behind the channels that do not make full runs.
static MlcValue *
pad_x(Rewriter *r, const Product *p, int64_t padded)
{
    int64_t pads[2 * MLC_SMALL_RANK] = {0}, zero;
    size_t rank = mlc_type_rank(mlc_value_type(p->x.bytes));
    MlcGraphWindow window;
    bool has_border = false, is_known = known_zero(&p->x, &zero);
    if (p->is_conv && mlc_graph_window(p->op, &window))
        for (size_t i = 0; i < window.rank; i++) {
            pads[2 + i] = window.pad_begin[i];
            pads[rank + 2 + i] = window.pad_end[i];
            has_border |= window.pad_begin[i] || window.pad_end[i];
        }
    pads[rank + (p->is_conv ? 1 : rank - 1)] = padded - p->inner;
    if (!has_border && padded == p->inner)
        return p->x.bytes;
    MlcValue *x = mlc_graph_pad(&r->b, p->x.bytes, pads, 2 * rank);
    MlcType f32 = mlc_float_type_get(r->ctx, MLC_FLOAT_F32);
    mlc_graph_pad_set_value(mlc_value_def(x), mlc_float_attr_get(f32, is_known ? (double)zero : 0));
    return has_border && !is_known ? fill_border(r, p, x, pads) : x;
}

static MlcValue *
build_product(Rewriter *r, const Product *p, MlcValue *x, MlcValue *w)
{
    MlcGraphWindow window;
    if (!p->is_conv || !mlc_graph_window(p->op, &window))
        return mlc_graph_matmul(&r->b, x, w);
    return mlc_graph_conv(&r->b, x, w, NULL, window.strides, window.rank, window.dilations,
                          window.rank, NULL, 0, (MlcStr){0}, p->group, MLC_GRAPH_LAYOUT_NCHW);
}

// The sums of products of bytes: of each part of the weights.
static MlcValue *
build_parts(Rewriter *r, Product *p, MlcValue *x, int64_t padded)
{
    int64_t dims[MLC_SMALL_RANK] = {p->is_conv ? p->channels : padded,
                                    p->is_conv ? padded : p->channels};
    size_t rank = mlc_type_rank(p->weight_type);
    size_t count = (size_t)(p->channels * padded * p->taps);
    for (size_t i = 2; i < rank; i++)
        dims[i] = mlc_type_dim(p->weight_type, i);
    MlcType type = mlc_tensor_type_get(byte_type(r, false), dims, rank, NULL);
    int32_t *part = mlc_calloc(count + 1, sizeof *part);
    MlcValue *sum = NULL;
    while (take_part(p, padded, part) || !sum) {
        MlcValue *w = mlc_build_bytes(p->op, type, part, count, mlc_str("bytes"));
        MlcValue *product = build_product(r, p, x, w);
        sum = sum ? mlc_graph_add(&r->b, sum, product) : product;
    }
    mlc_free(part);
    return sum;
}

// sum over k of (x - zx) v, as i32.
static MlcValue *
build_sums(Rewriter *r, Product *p)
{
    int64_t zero, padded = p->group > 1 ? p->inner : mlc_ceil_div(p->inner, RUN) * RUN;
    adapt_sign(r, p);
    bool is_known = known_zero(&p->x, &zero);
    size_t n = (size_t)p->channels;
    int32_t *by_channel = mlc_calloc(n + 1, sizeof *by_channel);
    add_up(p, by_channel);
    MlcValue *sums = build_parts(r, p, pad_x(r, p, padded), padded), *offset = NULL;
    for (size_t i = 0; is_known && i < n; i++)
        by_channel[i] = (int32_t)((uint32_t)by_channel[i] * (0 - (uint32_t)zero));
    if (!is_known || zero != 0)
        offset = mlc_build_integers(p->op, channel_type(p, i32_type(r)), by_channel, n);
    mlc_free(by_channel);
    if (is_known)
        return offset ? mlc_graph_add(&r->b, sums, offset) : sums;
    MlcValue *less = mlc_graph_mul(&r->b, offset, computed_zero(r, &p->x));
    return mlc_graph_sub(&r->b, sums, less);
}

// ---- what follows

// The division by a known scale, before a rounding, that the product's result goes to: at once, or
// after a relu. NULL: it goes somewhere else.
static MlcOp *
next_division(MlcOp *op, MlcOp **relu, double *scale)
{
    *relu = NULL;
    for (;;) {
        MlcValue *result = mlc_op_result(op, 0);
        if (!mlc_value_has_one_use(result))
            return NULL;
        op = mlc_use_owner(mlc_value_first_use(result));
        if (mlc_graph_relu_isa(op) && !*relu)
            *relu = op;
        else
            break;
    }
    MlcValue *quotient = mlc_op_result(op, 0);
    return mlc_graph_div_isa(op) && mlc_value_has_one_use(quotient) &&
                   mlc_graph_quantize_isa(mlc_use_owner(mlc_value_first_use(quotient))) &&
                   mlc_read_real(mlc_op_operand(op, 1), scale) && *scale > 0 &&
                   isnormal((float)(1 / *scale))
               ? op
               : NULL;
}

// `value` times each channel's factor, over `scale`.
static MlcValue *
build_scaled(Rewriter *r, Product *p, MlcValue *value, double scale)
{
    double own = 1;
    MlcType f32 = mlc_float_type_get(r->ctx, MLC_FLOAT_F32);
    bool is_known = mlc_read_real(p->x.scale, &own);
    if (!is_known)
        value = mlc_graph_mul(&r->b, value, p->x.scale);
    for (int64_t i = 0; i < p->channels; i++)
        p->scales[i] *= own / scale;
    MlcAttr factors =
        mlc_constant_make(channel_type(p, f32), p->scales, (size_t)p->channels, mlc_str("scales"));
    return mlc_graph_mul(&r->b, value, mlc_constant_build(p->op, factors));
}

// The bias of each channel, or a tensor that broadcasts with the result; over `scale`.
static MlcValue *
build_bias(Rewriter *r, const Product *p, double scale)
{
    size_t n = (size_t)p->channels;
    MlcValue *bias = p->bias;
    if (p->is_conv) {
        MlcType type = channel_type(p, mlc_type_element(mlc_value_type(bias)));
        bias = mlc_graph_reshape_as(&r->b, type, bias, mlc_type_shape(type), mlc_type_rank(type),
                                    false);
    }
    return scale == 1 || n == 0 ? bias : mlc_graph_mul(&r->b, bias, build_real(r, 1 / scale));
}

static void
visit_product(Rewriter *r, MlcOp *op)
{
    Product p;
    MlcOp *relu, *div;
    double scale = 1;
    if (!read_product(op, &p)) {
        release(&p);
        return;
    }
    mlc_builder_before(&r->b, op);
    MlcValue *value = build_sums(r, &p);
    div = p.scales ? next_division(op, &relu, &scale) : NULL;
    scale = div ? scale : 1;
    if (p.scales)
        value = build_scaled(
            r, &p, build_cast(r, value, mlc_type_element(mlc_op_result_type(op, 0))), scale);
    if (p.bias)
        value = mlc_graph_add(&r->b, value, build_bias(r, &p, scale));
    if (div && relu)
        value = mlc_graph_relu(&r->b, value);
    mlc_value_replace_uses(mlc_op_result(div ? div : op, 0), value);
    mlc_pass_count(r->pass, "products-of-bytes", 1);
    release(&p);
}

// ---- numbers that are rounded and scaled back

// The product whose result, element by element, `quantize` rounds and nobody else wants; NULL:
// none.
static MlcOp *
rounded_product(MlcOp *quantize)
{
    MlcOp *op = quantize;
    while (mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE)) {
        MlcOp *next = NULL;
        MLC_FOR_EACH_OPERAND (value, op)
            if (!next && mlc_value_def(value) && !mlc_value_constant(value) &&
                mlc_value_has_one_use(value))
                next = mlc_value_def(value);
        if (!next)
            return NULL;
        op = next;
    }
    return mlc_graph_conv_isa(op) || mlc_graph_matmul_isa(op) ? op : NULL;
}

// The rounding in scale * (quantize(v) - zero), before or after visit_scaled_back; NULL: it is
// something else.
static MlcOp *
rounding_behind(MlcValue *value)
{
    MlcStored stored;
    MlcOp *mul = mlc_value_def(value), *op = NULL;
    if (mlc_find_stored(value, &stored) && stored.scale)
        op = mlc_value_def(stored.bytes);
    else if (mlc_graph_mul_isa(mul))
        op = mlc_value_def(mlc_op_operand(mul, 0));
    return mlc_graph_quantize_isa(op) ? op : NULL;
}

// Whether what is scaled back meets the result of a later product, with which the sum of both will
// be computed: what the earlier one leaves in memory had better be bytes.
static bool
waits_for_other_product(MlcOp *op, MlcOp *quantize)
{
    MlcOp *product = rounded_product(quantize);
    if (!product || !mlc_value_has_one_use(mlc_op_result(op, 0)))
        return false;
    MlcOp *sum = mlc_use_owner(mlc_value_first_use(mlc_op_result(op, 0)));
    MLC_FOR_EACH_OPERAND (value, sum) {
        MlcOp *other = value != mlc_op_result(op, 0) ? rounding_behind(value) : NULL;
        MlcOp *later = other ? rounded_product(other) : NULL;
        if (later && mlc_op_block(later) == mlc_op_block(product) &&
            mlc_op_is_before(product, later))
            return true;
    }
    return false;
}

// scale * (quantize(v) - zero), where nobody else wants the bytes, is done to reals alone: they are
// rounded and held between the bounds less the zero point, and never integers.
static void
visit_scaled_back(Rewriter *r, MlcOp *op)
{
    MlcStored stored;
    double zero_point;
    int64_t zero;
    if (!mlc_find_stored(mlc_op_result(op, 0), &stored) || !stored.scale)
        return;
    MlcOp *quantize = mlc_value_def(stored.bytes);
    if (!mlc_graph_quantize_isa(quantize) || !mlc_value_has_one_use(stored.bytes) ||
        !mlc_read_real(mlc_op_operand(quantize, 1), &zero_point) || !known_zero(&stored, &zero) ||
        zero_point != (double)zero)
        return;
    MlcType f32 = mlc_float_type_get(r->ctx, MLC_FLOAT_F32);
    MlcValue *input = mlc_op_operand(quantize, 0);
    if (mlc_type_element(mlc_value_type(input)) != f32 || waits_for_other_product(op, quantize))
        return;
    mlc_builder_before(&r->b, op);
    MlcValue *made =
        mlc_graph_quantize(&r->b, mlc_value_type(mlc_op_result(op, 0)), input, build_real(r, -0.0));
    MlcOp *rounded = mlc_value_def(made);
    double low = mlc_float_attr_as_double(mlc_op_attr(quantize, "low")),
           high = mlc_float_attr_as_double(mlc_op_attr(quantize, "high"));
    mlc_op_set_attr(rounded, "low", mlc_float_attr_get(f32, low - zero_point));
    mlc_op_set_attr(rounded, "high", mlc_float_attr_get(f32, high - zero_point));
    MlcValue *value = mlc_graph_mul(&r->b, made, stored.scale);
    mlc_op_replace(op, &value, 1);
    mlc_pass_count(r->pass, "scaled-back", 1);
}

static void
collect_ops(MlcOp *root, MlcOpVec *ops)
{
    mlc_vec_clear(ops);
    MLC_FOR_EACH_PREORDER (op, root)
        mlc_vec_push(ops, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcDotProducts dot = mlc_pass_target(pass)->dot_products;
    Rewriter r = {
        .pass = pass, .ctx = mlc_op_context(root), .unsigned_left = dot != MLC_DOT_SIGNED_SIGNED};
    MlcOpVec ops = {0};
    mlc_builder_init(&r.b, r.ctx);
    if (dot != MLC_DOT_NONE)
        collect_ops(root, &ops);
    for (size_t i = 0; i < ops.size; i++) {
        MlcOp *op = ops.data[i];
        if (mlc_graph_quantize_isa(op))
            visit_rounding(&r, op);
        else if (moves_numbers(op) || mlc_graph_max_pool_isa(op))
            visit_move(&r, op);
        else if (mlc_graph_matmul_isa(op) || mlc_graph_gemm_isa(op) || mlc_graph_conv_isa(op))
            visit_product(&r, op);
    }
    if (dot != MLC_DOT_NONE)
        collect_ops(root, &ops);
    for (size_t i = 0; i < ops.size; i++)
        if (mlc_graph_mul_isa(ops.data[i]))
            visit_scaled_back(&r, ops.data[i]);
    mlc_vec_release(&ops);
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_integer_products, .flag = "graph-integer-products",
         .summary = "Multiply the bytes that numbers are stored in, where the machine adds them up",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
