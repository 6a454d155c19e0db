// ops_random.c -- ONNX operators: numbers drawn at random.
//
// They are drawn when the model is compiled, by the Mersenne Twister (Matsumoto and Nishimura,
// 1998) begun with the node's seed, 0 if it has none: nothing depends on the clock, and each run
// has the numbers of the first. Uniform ones have 53 bits, as in numpy, so that a mask of Dropout
// is that of ONNX's tests; normal ones are made of pairs (Box and Muller, 1958).
#include "found_sizes.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <math.h>

enum { STATE_SIZE = 624, MIDDLE = 397, MAX_NUMBERS = 1 << 24 };

typedef struct Twister {
    uint32_t state[STATE_SIZE];
    size_t next;
} Twister;

static void
twister_init(Twister *t, uint32_t seed)
{
    t->state[0] = seed;
    for (uint32_t i = 1; i < STATE_SIZE; i++)
        t->state[i] = UINT32_C(1812433253) * (t->state[i - 1] ^ t->state[i - 1] >> 30) + i;
    t->next = STATE_SIZE;
}

static uint32_t
next_bits(Twister *t)
{
    if (t->next == STATE_SIZE) {
        for (size_t i = 0; i < STATE_SIZE; i++) {
            uint32_t y = (t->state[i] & UINT32_C(0x80000000)) |
                         (t->state[(i + 1) % STATE_SIZE] & UINT32_C(0x7fffffff));
            uint32_t twist = y & 1 ? UINT32_C(0x9908b0df) : 0;
            t->state[i] = t->state[(i + MIDDLE) % STATE_SIZE] ^ y >> 1 ^ twist;
        }
        t->next = 0;
    }
    uint32_t y = t->state[t->next++];
    y ^= y >> 11;
    y ^= y << 7 & UINT32_C(0x9d2c5680);
    y ^= y << 15 & UINT32_C(0xefc60000);
    return y ^ y >> 18;
}

// In [0, 1).
static double
next_uniform(Twister *t)
{
    uint32_t high = next_bits(t) >> 5, low = next_bits(t) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

static double
next_normal(Twister *t)
{
    double size = sqrt(-2 * log(1 - next_uniform(t)));
    return size * cos(6.28318530717958647692 * next_uniform(t));
}

// Dropout's seed is an integer, that of the others a float.
static bool
read_seed(MlcOnnxNodeImport *n, bool is_integer, Twister *t)
{
    int64_t integer = 0;
    float real = 0;
    bool ok =
        is_integer ? mlc_onnx_read_int(n, "seed", &integer) : mlc_onnx_read_float(n, "seed", &real);
    if (ok && !is_integer && real >= -0x1p62f && real <= 0x1p62f)
        integer = (int64_t)real;
    twister_init(t, (uint32_t)integer);
    return ok;
}

// f64 numbers of this shape, one after the other from `draw`, each as low + width * number.
static MlcValue *
draw_numbers(MlcOnnxNodeImport *n, Twister *t, double (*draw)(Twister *t), const int64_t *shape,
             size_t rank, const double range[2])
{
    MlcType f64 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    int64_t count = 1;
    for (size_t i = 0; i < rank; i++) {
        if (shape[i] < 0 || (shape[i] > 0 && count > MAX_NUMBERS / shape[i]))
            return mlc_onnx_unsupported(n, "a dimension of %" PRId64 " random numbers", shape[i]),
                   NULL;
        count *= shape[i];
    }
    double *numbers = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = range[0] + range[1] * draw(t);
    return mlc_onnx_build_floats(n, f64, numbers, shape, rank);
}

// The same of an open shape. Two tables are drawn, whose lengths share no divisor: a place has the
// sum of an element of each, so numbers come again after 2^32 only. Sums of normal numbers are
// normal; what is behind the point of a sum of uniform ones is uniform.
static MlcValue *
draw_open(MlcOnnxNodeImport *n, Twister *t, bool is_normal, const MlcOnnxSizes *dims,
          const double range[2])
{
    static const int64_t lengths[2] = {65521, 65519}; // primes
    MlcType f64 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    MlcType i64 = mlc_onnx_i64(n);
    MlcAttr count = mlc_size_number(mlc_onnx_context_of(n), 1);
    const double whole[] = {0, is_normal ? sqrt(0.5) : 1};
    MlcValue *parts[2];
    for (size_t i = 0; i < dims->count; i++)
        count = mlc_size_combine(MLC_SIZE_MUL, count, dims->items[i]);
    if (!count)
        return mlc_onnx_unknown_size(n, 0), NULL;
    MlcValue *places = mlc_onnx_build_iota(n, count, i64);
    for (size_t i = 0; i < 2; i++) {
        MlcValue *table =
            draw_numbers(n, t, is_normal ? next_normal : next_uniform, &lengths[i], 1, whole);
        MlcValue *at = mlc_onnx_build_two(n, &mlc_graph_mod_def, places,
                                          mlc_onnx_build_number(n, i64, (double)lengths[i]));
        parts[i] = mlc_onnx_gather_there(n, table, at, 0);
    }
    MlcValue *sum = mlc_onnx_build_two(n, &mlc_graph_add_def, parts[0], parts[1]);
    if (!is_normal)
        sum = mlc_onnx_build_two(n, &mlc_graph_sub_def, sum,
                                 mlc_onnx_build_one(n, &mlc_graph_floor_def, sum));
    sum = mlc_onnx_build_two(n, &mlc_graph_mul_def, sum, mlc_onnx_build_number(n, f64, range[1]));
    sum = mlc_onnx_build_two(n, &mlc_graph_add_def, sum, mlc_onnx_build_number(n, f64, range[0]));
    return mlc_onnx_reshape_to(n, sum, dims);
}

// What a node draws: in [low, high), or normal with `mean` and `scale`; as `dtype`, or `otherwise`.
static bool
import_numbers(MlcOnnxNodeImport *n, const MlcOnnxSizes *dims, MlcType otherwise)
{
    MlcOnnxInts shape;
    bool is_normal = mlc_str_equal(n->node->op_type, mlc_str("RandomNormal")) ||
                     mlc_str_equal(n->node->op_type, mlc_str("RandomNormalLike"));
    float first = 0, second = 1;
    int64_t data_type = 0;
    Twister t;
    if (!mlc_onnx_read_float(n, is_normal ? "mean" : "low", &first) ||
        !mlc_onnx_read_float(n, is_normal ? "scale" : "high", &second) ||
        !mlc_onnx_read_int(n, "dtype", &data_type) || !read_seed(n, false, &t))
        return false;
    MlcType element =
        data_type ? mlc_onnx_element_type(mlc_onnx_context_of(n), data_type) : otherwise;
    if (!element || !mlc_type_is_float(element) || mlc_type_bit_width(element) < 16)
        return mlc_onnx_unsupported(n, "random numbers of type %s",
                                    element ? mlc_type_text(element) : "unknown");
    const double range[] = {(double)first, (double)second - (is_normal ? 0 : (double)first)};
    MlcValue *numbers = mlc_onnx_size_numbers(n, dims, 0, &shape)
                            ? draw_numbers(n, &t, is_normal ? next_normal : next_uniform,
                                           shape.items, shape.count, range)
                            : draw_open(n, &t, is_normal, dims, range);
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, numbers, element));
}

static bool
import_random(MlcOnnxNodeImport *n)
{
    MlcOnnxInts shape = {0};
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    if (!mlc_onnx_read_ints(n, "shape", &shape))
        return false;
    if (shape.count >= MLC_SMALL_RANK)
        return mlc_onnx_unsupported(n, "a rank of %zu", shape.count);
    MlcOnnxSizes dims = mlc_onnx_sizes_of_numbers(n, shape);
    return import_numbers(n, &dims, f32);
}

static bool
check_known(MlcOnnxNodeImport *n, MlcType type)
{
    return (mlc_type_has_small_rank(type) && mlc_type_has_static_shape(type)) ||
           mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
}

static bool
import_random_like(MlcOnnxNodeImport *n)
{
    MlcOnnxSizes dims;
    return mlc_onnx_dims_of(n, n->inputs[0], &dims) &&
           import_numbers(n, &dims, mlc_type_element(mlc_value_type(n->inputs[0])));
}

// 1 where a uniform number is below the input.
static bool
import_bernoulli(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]), element = mlc_type_element(type);
    int64_t data_type = 0;
    Twister t;
    if (!check_known(n, type) || !mlc_onnx_read_int(n, "dtype", &data_type) ||
        !read_seed(n, false, &t))
        return false;
    if (data_type)
        element = mlc_onnx_element_type(mlc_onnx_context_of(n), data_type);
    if (!element)
        return mlc_onnx_unsupported(n, "attribute 'dtype' = %" PRId64, data_type);
    MlcValue *numbers = draw_numbers(n, &t, next_uniform, mlc_type_shape(type), mlc_type_rank(type),
                                     (const double[]){0, 1});
    MlcType f64 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    MlcValue *is_one =
        mlc_onnx_compare(n, &mlc_graph_less_def, numbers, mlc_onnx_cast(n, n->inputs[0], f64));
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, is_one, element));
}

// The class whose share of the sum of all e^x a uniform number falls into.
static bool
import_multinomial(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    int64_t data_type = MLC_ONNX_INT32, count = 1;
    Twister t;
    if (!check_known(n, type) || !mlc_onnx_read_int(n, "dtype", &data_type) ||
        !mlc_onnx_read_int(n, "sample_size", &count) || !read_seed(n, false, &t))
        return false;
    MlcType element = mlc_onnx_element_type(mlc_onnx_context_of(n), data_type);
    if (mlc_type_rank(type) != 2 || !element || !mlc_type_is(element, MLC_TYPE_INTEGER))
        return mlc_onnx_unsupported(n, "samples of an input of type %s", mlc_type_text(type));
    MlcType f64 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    MlcType i64 = mlc_onnx_i64(n);
    int64_t classes = mlc_type_dim(type, 1), shape[] = {mlc_type_dim(type, 0), count, 1};
    if (classes < 1 || classes > 4096)
        return mlc_onnx_unsupported(n, "%" PRId64 " classes", classes);
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", 1);
    MlcValue *shares = mlc_onnx_cast(n, n->inputs[0], f64), *places;
    shares = shares ? mlc_onnx_build(n, &mlc_graph_softmax_def, &shares, 1, &attrs) : NULL;
    double *upper = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)(classes * classes));
    for (int64_t i = 0; i < classes * classes; i++)
        upper[i] = i / classes <= i % classes; // sums of all up to each
    shares = mlc_onnx_build_two(
        n, &mlc_graph_matmul_def, shares,
        mlc_onnx_build_floats(n, f64, upper, (const int64_t[]){classes, classes}, 2));
    shares = shares ? mlc_onnx_reshape(n, shares,
                                       (MlcOnnxInts){(int64_t[]){shape[0], 1, classes}, 3}, true)
                    : NULL;
    MlcValue *numbers = draw_numbers(n, &t, next_uniform, shape, 3, (const double[]){0, 1});
    MlcValue *is_beyond = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, numbers, shares);
    MlcOnnxAttrs last = {0};
    mlc_onnx_add_ints(n, &last, "axes", (MlcOnnxInts){(int64_t[]){2}, 1});
    mlc_onnx_add_bool(n, &last, "keepdims", false);
    places = mlc_onnx_cast(n, is_beyond, i64);
    places = places ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &places, 1, &last) : NULL;
    places = mlc_onnx_build_two(n, &mlc_graph_min_def, places,
                                mlc_onnx_build_number(n, i64, (double)(classes - 1)));
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, places, element));
}

// Dropout in training: the mask is true where a uniform number is at least the ratio, and the rest
// is divided by what is left.
bool
mlc_onnx_train_dropout(MlcOnnxNodeImport *n, double ratio)
{
    MlcType type = mlc_value_type(n->inputs[0]), element = mlc_type_element(type);
    Twister t;
    if (!check_known(n, type) || !read_seed(n, true, &t))
        return false;
    if (!(ratio >= 0 && ratio < 1))
        return mlc_onnx_invalid(n, "the ratio is %g, expected 0 to less than 1", ratio);
    MlcValue *numbers = draw_numbers(n, &t, next_uniform, mlc_type_shape(type), mlc_type_rank(type),
                                     (const double[]){0, 1});
    if (!numbers)
        return false;
    MlcType f64 = mlc_type_element(mlc_value_type(numbers));
    MlcValue *mask = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, numbers,
                                      mlc_onnx_build_number(n, f64, ratio));
    MlcValue *scaled = mlc_onnx_build_two(n, &mlc_graph_mul_def, n->inputs[0],
                                          mlc_onnx_build_number(n, element, 1 / (1 - ratio)));
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = mask;
    return mlc_onnx_set_result(
        n, mlc_onnx_select(n, mask, scaled, mlc_onnx_build_number(n, element, 0)));
}

static const MlcOnnxOperator rows[] = {
    {"Bernoulli", 15, MLC_ONNX_NEWEST, 1, 1, .import = import_bernoulli},
    {"Multinomial", 7, MLC_ONNX_NEWEST, 1, 1, .import = import_multinomial},
    {"RandomNormal", 1, MLC_ONNX_NEWEST, 0, 0, .import = import_random},
    {"RandomNormalLike", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_random_like},
    {"RandomUniform", 1, MLC_ONNX_NEWEST, 0, 0, .import = import_random},
    {"RandomUniformLike", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_random_like},
};
const MlcOnnxOperators mlc_onnx_random = MLC_ONNX_OPERATORS(rows);
