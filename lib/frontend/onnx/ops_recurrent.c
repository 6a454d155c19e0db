// ops_recurrent.c -- ONNX operators: LSTM, GRU and RNN, each direction as a graph.scan.
//
// The products of all steps with the input's weights, biases added, are one product before the
// scan; an iteration multiplies the state alone. Weights are transposed, so that constant ones are
// when compiling, and an iteration has a plain product of [batch, hidden] and [hidden, gates].
// Sequences that end earlier keep their state from there on, and their outputs are 0.
#include "node.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>

// A step's number is a constant where sequences have lengths.
enum { MAX_DIRECTIONS = 2, MAX_ACTIVATIONS = 3 * MAX_DIRECTIONS, MAX_STEPS = 1 << 24 };
// Sizes that may be open, where a shape is a list of numbers.
enum { STEPS = -2, BATCH = -3, STEPS_TIMES_BATCH = -4 };

typedef enum Kind { RNN, GRU, LSTM } Kind;

// ---- activations

typedef struct Activation {
    const char *name;
    const MlcOpDef *op; // NULL: made of others
    bool takes_alpha, takes_beta;
    float alpha, beta; // their defaults
} Activation;

static const Activation activations[] = {
    {"affine", NULL, true, true, 1.0f, 0.0f},
    {"elu", &mlc_graph_elu_def, true, false, 1.0f, 0.0f},
    {"hardsigmoid", &mlc_graph_hard_sigmoid_def, true, true, 0.2f, 0.5f},
    {"leakyrelu", &mlc_graph_leaky_relu_def, true, false, 0.01f, 0.0f},
    {"relu", &mlc_graph_relu_def, false, false, 0.0f, 0.0f},
    {"scaledtanh", NULL, true, true, 1.0f, 1.0f},
    {"sigmoid", &mlc_graph_sigmoid_def, false, false, 0.0f, 0.0f},
    {"softplus", &mlc_graph_softplus_def, false, false, 0.0f, 0.0f},
    {"softsign", &mlc_graph_softsign_def, false, false, 0.0f, 0.0f},
    {"tanh", &mlc_graph_tanh_def, false, false, 0.0f, 0.0f},
    {"thresholdedrelu", NULL, true, false, 1.0f, 0.0f},
};

static const Activation *
find_activation(MlcStr name)
{
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++) {
        const char *known = activations[i].name;
        bool same = strlen(known) == name.size;
        for (size_t k = 0; same && k < name.size; k++)
            same = tolower((unsigned char)name.data[k]) == known[k];
        if (same)
            return &activations[i];
    }
    return NULL;
}

// ---- the operator

typedef struct Cell {
    MlcOnnxNodeImport *n;
    Kind kind;
    int64_t num_gates, num_directions, inputs, hidden;
    MlcAttr steps, batch; // numbers, or sizes that are known when the model runs
    int64_t layout, linear_before_reset, input_forget;
    bool reversed[MAX_DIRECTIONS];
    float clip;             // infinite: none
    size_t num_activations; // of a direction
    Activation activations[MAX_ACTIVATIONS];
    MlcType element; // of the model; f16 and bf16 are computed as f32
    MlcValue *x;     // [steps, batch, inputs]
    MlcValue *mask;  // [steps, batch, 1]: the sequence has not ended; NULL: none ends early
} Cell;

typedef struct Direction {
    MlcValue *weights;    // of the state: [hidden, gates * hidden]
    MlcValue *products;   // of the input, and biases: [steps, batch, gates * hidden]
    MlcValue *bias;       // of the state, where it is not in `products`; else NULL
    MlcValue *peepholes;  // [3 * hidden]; NULL: none
    MlcValue *h, *c;      // the first state: [batch, hidden]
    MlcValue *results[3]; // the last state (h, c), and [steps, batch, hidden]
} Direction;

// ---- ops, NULL where an operand is

static MlcValue *
one(Cell *c, const MlcOpDef *op, MlcValue *x)
{
    return mlc_onnx_build_one(c->n, op, x);
}

static MlcValue *
two(Cell *c, const MlcOpDef *op, MlcValue *x, MlcValue *y)
{
    return mlc_onnx_build_two(c->n, op, x, y);
}

static MlcValue *
number(Cell *c, double value)
{
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(c->n), MLC_FLOAT_F32);
    bool is_narrow = mlc_type_bit_width(c->element) < 32;
    return mlc_onnx_build_scalar(c->n, is_narrow ? f32 : c->element, value);
}

static MlcValue *
slice(Cell *c, MlcValue *x, int64_t axis, int64_t start, int64_t end)
{
    return x ? mlc_onnx_slice(c->n, x, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                              (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0})
             : NULL;
}

static MlcAttr
size_text(Cell *c, int64_t size)
{
    switch (size) {
    case STEPS:
        return c->steps;
    case BATCH:
        return c->batch;
    case STEPS_TIMES_BATCH:
        return mlc_size_combine(MLC_SIZE_MUL, c->steps, c->batch);
    default:
        return mlc_size_number(mlc_onnx_context_of(c->n), size);
    }
}

static MlcOnnxSizes
sizes_of(Cell *c, const int64_t *shape, size_t rank)
{
    MlcOnnxSizes sizes = {MLC_NEW_ARRAY(&c->n->import->arena, MlcAttr, rank + 1), rank};
    for (size_t i = 0; i < rank; i++)
        sizes.items[i] = size_text(c, shape[i]);
    return sizes;
}

static MlcValue *
reshape(Cell *c, MlcValue *x, const int64_t *shape, size_t rank)
{
    MlcOnnxSizes sizes = sizes_of(c, shape, rank);
    return mlc_onnx_reshape_to(c->n, x, &sizes);
}

static MlcValue *
transpose(Cell *c, MlcValue *x, const int64_t *perm, size_t rank)
{
    return x ? mlc_onnx_transpose(c->n, x, (MlcOnnxInts){(int64_t *)(uintptr_t)perm, rank}) : NULL;
}

static MlcValue *
gemm(Cell *c, MlcValue *a, MlcValue *b, MlcValue *bias)
{
    return a && b ? mlc_onnx_build(c->n, &mlc_graph_gemm_def, (MlcValue *[]){a, b, bias},
                                   bias ? 3 : 2, NULL)
                  : NULL;
}

static MlcValue *
concat(Cell *c, MlcValue *const *parts, size_t count, int64_t axis)
{
    MlcOnnxAttrs attrs = {0};
    for (size_t i = 0; i < count; i++)
        if (!parts[i])
            return NULL;
    mlc_onnx_add_int(c->n, &attrs, "axis", axis);
    return count == 1 ? parts[0]
                      : mlc_onnx_build(c->n, &mlc_graph_concat_def, parts, count, &attrs);
}

static MlcValue *
where(Cell *c, MlcValue *condition, MlcValue *x, MlcValue *y)
{
    if (!condition || !x || !y)
        return NULL;
    return mlc_onnx_build_typed(c->n, &mlc_graph_where_def, mlc_type_element(mlc_value_type(x)),
                                (MlcValue *[]){condition, x, y}, 3, NULL);
}

static MlcValue *
truth(Cell *c, const MlcOpDef *op, MlcValue *x, MlcValue *y)
{
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(c->n), 1, MLC_SIGNLESS);
    return x && y ? mlc_onnx_build_typed(c->n, op, i1, (MlcValue *[]){x, y}, 2, NULL) : NULL;
}

static MlcValue *
cast(Cell *c, MlcValue *x, MlcType element)
{
    if (!x || mlc_type_element(mlc_value_type(x)) == element)
        return x;
    return mlc_onnx_build_typed(c->n, &mlc_graph_cast_def, element, &x, 1, NULL);
}

static MlcValue *
zeros(Cell *c, const int64_t *shape, size_t rank)
{
    bool is_narrow = mlc_type_bit_width(c->element) < 32;
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(c->n), MLC_FLOAT_F32);
    MlcOnnxSizes sizes = sizes_of(c, shape, rank);
    MlcType element = is_narrow ? f32 : c->element;
    MlcType type = mlc_sized_type_get(element, sizes.items, rank);
    bool is_open = !mlc_type_has_static_shape(type);
    MlcAttr zero = mlc_float_attr_get(element, 0);
    type = is_open ? mlc_tensor_type_get(element, NULL, 0, NULL) : type;
    MlcValue *value = mlc_onnx_build_value(c->n, mlc_dense_attr_splat(type, zero));
    return is_open ? mlc_onnx_expand_to(c->n, value, &sizes) : value;
}

// Activation `i` of the direction, of what is held within the clip before.
static MlcValue *
activate(Cell *c, size_t direction, size_t i, MlcValue *x, bool is_clipped)
{
    const Activation *a = &c->activations[direction * c->num_activations + i];
    MlcOnnxAttrs attrs = {0};
    if (is_clipped && isfinite(c->clip)) {
        x = two(c, &mlc_graph_min_def, x, number(c, (double)c->clip));
        x = two(c, &mlc_graph_max_def, x, number(c, (double)-c->clip));
    }
    if (!x)
        return NULL;
    if (a->op) {
        if (a->takes_alpha)
            mlc_onnx_add_float(c->n, &attrs, "alpha", a->alpha);
        if (a->takes_beta)
            mlc_onnx_add_float(c->n, &attrs, "beta", a->beta);
        return mlc_onnx_build(c->n, a->op, &x, 1, &attrs);
    }
    MlcValue *alpha = number(c, (double)a->alpha), *beta = number(c, (double)a->beta);
    if (strcmp(a->name, "affine") == 0)
        return two(c, &mlc_graph_add_def, two(c, &mlc_graph_mul_def, x, alpha), beta);
    if (strcmp(a->name, "scaledtanh") == 0)
        return two(c, &mlc_graph_mul_def,
                   one(c, &mlc_graph_tanh_def, two(c, &mlc_graph_mul_def, x, beta)), alpha);
    return where(c, truth(c, &mlc_graph_greater_def, x, alpha), x, number(c, 0));
}

// ---- reading the node

static bool
read_activation_list(Cell *c, const MlcOnnxAttribute *names)
{
    static const char *const defaults[][3] = {
        [RNN] = {"tanh"}, [GRU] = {"sigmoid", "tanh"}, [LSTM] = {"sigmoid", "tanh", "tanh"}};
    size_t count = c->num_activations * (size_t)c->num_directions;
    if (names && names->strings.count && names->strings.count != count)
        return mlc_onnx_invalid(c->n, "'activations' has %zu entries, expected %zu",
                                names->strings.count, count);
    for (size_t i = 0; i < count; i++) {
        MlcStr name = names && names->strings.count
                          ? names->strings.items[i]
                          : mlc_str(defaults[c->kind][i % c->num_activations]);
        const Activation *found = find_activation(name);
        if (!found)
            return mlc_onnx_unsupported(c->n, "the activation '%.*s'", MLC_STR_FMT(name));
        c->activations[i] = *found;
    }
    return true;
}

// Those that take a number take the next one of the list.
static bool
read_activations(Cell *c)
{
    bool ok = true;
    const MlcOnnxAttribute *names =
        mlc_onnx_find_attribute(c->n, "activations", MLC_ONNX_ATTRIBUTE_STRINGS, &ok);
    const MlcOnnxAttribute *alphas =
        mlc_onnx_find_attribute(c->n, "activation_alpha", MLC_ONNX_ATTRIBUTE_FLOATS, &ok);
    const MlcOnnxAttribute *betas =
        mlc_onnx_find_attribute(c->n, "activation_beta", MLC_ONNX_ATTRIBUTE_FLOATS, &ok);
    if (!ok || !read_activation_list(c, names))
        return false;
    size_t next_alpha = 0, next_beta = 0;
    for (size_t i = 0; i < c->num_activations * (size_t)c->num_directions; i++) {
        Activation *a = &c->activations[i];
        if (a->takes_alpha && alphas && next_alpha < alphas->floats.count)
            a->alpha = mlc_onnx_float_at(alphas->floats, next_alpha++);
        if (a->takes_beta && betas && next_beta < betas->floats.count)
            a->beta = mlc_onnx_float_at(betas->floats, next_beta++);
    }
    return true;
}

static bool
read_direction(Cell *c)
{
    MlcStr direction = mlc_str("forward");
    if (!mlc_onnx_read_str(c->n, "direction", &direction))
        return false;
    bool is_both = mlc_str_equal(direction, mlc_str("bidirectional"));
    bool is_reverse = mlc_str_equal(direction, mlc_str("reverse"));
    c->num_directions = is_both ? 2 : 1;
    c->reversed[0] = is_reverse;
    c->reversed[1] = true;
    return is_both || is_reverse || mlc_str_equal(direction, mlc_str("forward")) ||
           mlc_onnx_invalid(c->n, "attribute 'direction' is '%.*s'", MLC_STR_FMT(direction));
}

static bool
read_attributes(Cell *c)
{
    MlcOnnxNodeImport *n = c->n;
    c->clip = INFINITY;
    if (!read_direction(c) || !read_activations(c) || !mlc_onnx_read_float(n, "clip", &c->clip) ||
        !mlc_onnx_read_int(n, "layout", &c->layout) ||
        !mlc_onnx_read_int(n, "linear_before_reset", &c->linear_before_reset) ||
        !mlc_onnx_read_int(n, "input_forget", &c->input_forget) ||
        !mlc_onnx_read_int(n, "hidden_size", &c->hidden))
        return false;
    if (c->layout != 0 && c->layout != 1)
        return mlc_onnx_invalid(n, "attribute 'layout' is %" PRId64, c->layout);
    return !(c->clip < 0) || mlc_onnx_invalid(n, "attribute 'clip' is negative");
}

static bool
unknown_shape(Cell *c, size_t i)
{
    return mlc_onnx_unsupported(c->n, "the shape of its input '%.*s' is unknown, it must be fixed",
                                MLC_STR_FMT(c->n->node->input.items[i]));
}

static bool
has_rank(Cell *c, size_t i, size_t rank)
{
    MlcType type = mlc_value_type(c->n->inputs[i]);
    bool is_sized = mlc_type_has_rank(type);
    if (is_sized && mlc_type_rank(type) != rank)
        return mlc_onnx_invalid(c->n, "input %zu has type %s, expected rank %zu", i,
                                mlc_type_text(type), rank);
    for (size_t d = 0; is_sized && d < rank; d++)
        is_sized = mlc_size_of_dim(type, d) != NULL;
    return is_sized || unknown_shape(c, i);
}

// An input that may be left out; `dims` end with -1, and of `is_float` have the elements of the
// first. Two open sizes are compared when the model runs.
static bool
check_input(Cell *c, size_t i, bool is_float, const int64_t *dims)
{
    size_t rank = 0;
    if (!mlc_onnx_input_or_null(c->n, i))
        return true;
    while (dims[rank] != -1)
        rank++;
    if (!has_rank(c, i, rank))
        return false;
    MlcType type = mlc_value_type(c->n->inputs[i]);
    if (is_float && mlc_type_element(type) != c->element)
        return mlc_onnx_invalid(c->n, "input %zu has elements of type %s, the first of %s", i,
                                mlc_type_text(mlc_type_element(type)), mlc_type_text(c->element));
    for (size_t d = 0; d < rank; d++) {
        int64_t size;
        MlcAttr text = size_text(c, dims[d]);
        bool is_known = mlc_size_is_number(text, &size) && mlc_type_dim(type, d) != MLC_DYNAMIC;
        if (is_known && mlc_type_dim(type, d) != size)
            return mlc_onnx_invalid(
                c->n, "input %zu has type %s, expected size %" PRId64 " in dimension %zu", i,
                mlc_type_text(type), size, d);
        if (dims[d] >= 0 && !is_known)
            return unknown_shape(c, i);
    }
    return true;
}

static bool
check_inputs(Cell *c)
{
    MlcOnnxNodeImport *n = c->n;
    for (size_t i = 0; i < 3; i++)
        if (!has_rank(c, i, 3))
            return false;
    MlcType x = mlc_value_type(n->inputs[0]), r = mlc_value_type(n->inputs[2]);
    c->element = mlc_type_element(x);
    c->steps = mlc_size_of_dim(x, c->layout ? 1 : 0);
    c->batch = mlc_size_of_dim(x, c->layout ? 0 : 1);
    c->inputs = mlc_type_dim(x, 2);
    if (!size_text(c, STEPS_TIMES_BATCH) || c->inputs == MLC_DYNAMIC)
        return unknown_shape(c, 0);
    if (!mlc_type_is_float(c->element))
        return mlc_onnx_invalid(n, "input 0 has type %s, expected floats", mlc_type_text(x));
    if (c->hidden && c->hidden != mlc_type_dim(r, 2))
        return mlc_onnx_invalid(n, "'hidden_size' is %" PRId64 ", but input 2 has type %s",
                                c->hidden, mlc_type_text(r));
    c->hidden = mlc_type_dim(r, 2);
    if (c->hidden == MLC_DYNAMIC)
        return unknown_shape(c, 2);
    if (c->hidden > INT32_MAX) // times gates and biases
        return mlc_onnx_unsupported(n, "a state of %" PRId64 " numbers", c->hidden);
    int64_t rows = c->num_gates * c->hidden, d = c->num_directions;
    const int64_t first = c->layout ? BATCH : d, second = c->layout ? d : BATCH;
    return check_input(c, 1, true, (int64_t[]){d, rows, c->inputs, -1}) &&
           check_input(c, 2, true, (int64_t[]){d, rows, c->hidden, -1}) &&
           check_input(c, 3, true, (int64_t[]){d, 2 * rows, -1}) &&
           check_input(c, 4, false, (int64_t[]){BATCH, -1}) &&
           check_input(c, 5, true, (int64_t[]){first, second, c->hidden, -1}) &&
           check_input(c, 6, true, (int64_t[]){first, second, c->hidden, -1}) &&
           check_input(c, 7, true, (int64_t[]){d, 3 * c->hidden, -1});
}

// ---- what comes before the scan

// f16 and bf16 are computed as f32.
static MlcValue *
wide_input(Cell *c, size_t i)
{
    MlcValue *x = mlc_onnx_input_or_null(c->n, i);
    bool is_narrow = x && mlc_type_is_float(mlc_type_element(mlc_value_type(x))) &&
                     mlc_type_bit_width(mlc_type_element(mlc_value_type(x))) < 32;
    return is_narrow ? cast(c, x, mlc_float_type_get(mlc_onnx_context_of(c->n), MLC_FLOAT_F32)) : x;
}

static bool
all_are(MlcAttr lengths, int64_t steps)
{
    int64_t count = mlc_type_num_elements(mlc_attr_type(lengths)), length;
    for (int64_t i = 0; i < count; i++)
        if (!mlc_onnx_element_int(mlc_elements_attr_element(lengths, (size_t)i), &length) ||
            length < steps)
            return false;
    return true;
}

// Step t of sequence b is below its length.
static bool
make_mask(Cell *c)
{
    MlcValue *lengths = mlc_onnx_input_or_null(c->n, 4);
    int64_t steps = MLC_DYNAMIC;
    bool is_known = mlc_size_is_number(c->steps, &steps);
    if (!lengths)
        return true;
    if (is_known && mlc_value_constant(lengths) && all_are(mlc_value_constant(lengths), steps))
        return true;
    if (is_known && steps > MAX_STEPS)
        return mlc_onnx_unsupported(c->n, "lengths of sequences of more than %d steps", MAX_STEPS);
    MlcType i64 = mlc_integer_type_get(mlc_onnx_context_of(c->n), 64, MLC_SIGNLESS);
    lengths = cast(c, lengths, i64);
    lengths = reshape(c, lengths, (int64_t[]){1, BATCH, 1}, 3);
    c->mask = truth(c, &mlc_graph_less_def, mlc_onnx_build_count_to(c->n, c->steps, 0, 3), lengths);
    return c->mask != NULL;
}

// Of an input [directions, ...] that of one direction: `shape`.
static MlcValue *
part_of(Cell *c, size_t i, int64_t direction, const int64_t *shape, size_t rank)
{
    MlcValue *all = wide_input(c, i);
    if (c->num_directions > 1)
        all = slice(c, all, 0, direction, direction + 1);
    return reshape(c, all, shape, rank);
}

static MlcValue *
first_state(Cell *c, size_t i, int64_t direction)
{
    const int64_t shape[] = {BATCH, c->hidden};
    MlcValue *all = mlc_onnx_input_or_null(c->n, i);
    if (!all)
        return zeros(c, shape, 2);
    if (!c->layout)
        return part_of(c, i, direction, shape, 2);
    all = wide_input(c, i);
    return reshape(c, slice(c, all, 1, direction, direction + 1), shape, 2);
}

// Biases of input and state together. Of a GRU that multiplies the state's product afterwards, that
// of the hidden gate stays with the product.
static MlcValue *
make_bias(Cell *c, Direction *d, int64_t direction)
{
    int64_t rows = c->num_gates * c->hidden, kept = 2 * c->hidden;
    if (!mlc_onnx_input_or_null(c->n, 3))
        return NULL;
    MlcValue *all = part_of(c, 3, direction, (int64_t[]){2 * rows}, 1);
    MlcValue *of_input = slice(c, all, 0, 0, rows), *of_state = slice(c, all, 0, rows, 2 * rows);
    if (c->kind == GRU && c->linear_before_reset) {
        MlcValue *none = zeros(c, (int64_t[]){kept}, 1);
        MlcValue *hidden = slice(c, of_state, 0, kept, rows);
        d->bias = concat(c, (MlcValue *[]){none, hidden}, 2, 0);
        of_state = concat(
            c, (MlcValue *[]){slice(c, of_state, 0, 0, kept), zeros(c, (int64_t[]){c->hidden}, 1)},
            2, 0);
    }
    return two(c, &mlc_graph_add_def, of_input, of_state);
}

static bool
prepare(Cell *c, Direction *d, int64_t direction)
{
    const int64_t perm[] = {1, 0}, rows = c->num_gates * c->hidden;
    MlcValue *w = part_of(c, 1, direction, (int64_t[]){rows, c->inputs}, 2);
    MlcValue *r = part_of(c, 2, direction, (int64_t[]){rows, c->hidden}, 2);
    MlcValue *bias = make_bias(c, d, direction);
    if (mlc_onnx_input_or_null(c->n, 3) && !bias)
        return false;
    MlcValue *x = reshape(c, c->x, (int64_t[]){STEPS_TIMES_BATCH, c->inputs}, 2);
    MlcValue *products = gemm(c, x, transpose(c, w, perm, 2), bias);
    d->products = reshape(c, products, (int64_t[]){STEPS, BATCH, rows}, 3);
    d->weights = transpose(c, r, perm, 2);
    d->h = first_state(c, 5, direction);
    if (c->kind == LSTM)
        d->c = first_state(c, 6, direction);
    if (c->kind == LSTM && mlc_onnx_input_or_null(c->n, 7) &&
        !(d->peepholes = part_of(c, 7, direction, (int64_t[]){3 * c->hidden}, 1)))
        return false;
    return d->products && d->weights && d->h && (c->kind != LSTM || d->c);
}

// ---- a step: `x` is [batch, gates * hidden]; state[0] is h, state[1] is c

static MlcValue *
gate(Cell *c, MlcValue *all, int64_t i)
{
    return slice(c, all, 1, i * c->hidden, (i + 1) * c->hidden);
}

static MlcValue *
peep(Cell *c, const Direction *d, int64_t i, MlcValue *x, MlcValue *state)
{
    if (!d->peepholes)
        return x;
    MlcValue *weights = slice(c, d->peepholes, 0, i * c->hidden, (i + 1) * c->hidden);
    return two(c, &mlc_graph_add_def, x, two(c, &mlc_graph_mul_def, state, weights));
}

static void
lstm_step(Cell *c, const Direction *d, size_t at, MlcValue *x, MlcValue **state)
{
    MlcValue *all = gemm(c, state[0], d->weights, x);
    MlcValue *i = peep(c, d, 0, gate(c, all, 0), state[1]);
    MlcValue *f = peep(c, d, 2, gate(c, all, 2), state[1]);
    i = activate(c, at, 0, i, true);
    f = c->input_forget ? two(c, &mlc_graph_sub_def, number(c, 1), i) : activate(c, at, 0, f, true);
    MlcValue *g = activate(c, at, 1, gate(c, all, 3), true);
    MlcValue *kept = two(c, &mlc_graph_mul_def, f, state[1]);
    MlcValue *next = two(c, &mlc_graph_add_def, kept, two(c, &mlc_graph_mul_def, i, g));
    MlcValue *o = activate(c, at, 0, peep(c, d, 1, gate(c, all, 1), next), true);
    state[0] = two(c, &mlc_graph_mul_def, o, activate(c, at, 2, next, false));
    state[1] = next;
}

static void
gru_step(Cell *c, const Direction *d, size_t at, MlcValue *x, MlcValue **state)
{
    MlcValue *h = state[0], *z, *r, *hidden;
    if (c->linear_before_reset) {
        MlcValue *all = gemm(c, h, d->weights, d->bias);
        z = two(c, &mlc_graph_add_def, gate(c, x, 0), gate(c, all, 0));
        r = two(c, &mlc_graph_add_def, gate(c, x, 1), gate(c, all, 1));
        r = activate(c, at, 0, r, true);
        hidden = two(c, &mlc_graph_mul_def, r, gate(c, all, 2));
        hidden = two(c, &mlc_graph_add_def, gate(c, x, 2), hidden);
    } else {
        MlcValue *gates = slice(c, d->weights, 1, 0, 2 * c->hidden);
        MlcValue *all = gemm(c, h, gates, slice(c, x, 1, 0, 2 * c->hidden));
        z = gate(c, all, 0);
        r = activate(c, at, 0, gate(c, all, 1), true);
        hidden = gemm(c, two(c, &mlc_graph_mul_def, r, h),
                      slice(c, d->weights, 1, 2 * c->hidden, 3 * c->hidden), gate(c, x, 2));
    }
    z = activate(c, at, 0, z, true);
    hidden = activate(c, at, 1, hidden, true);
    MlcValue *fresh = two(c, &mlc_graph_sub_def, number(c, 1), z);
    state[0] = two(c, &mlc_graph_add_def, two(c, &mlc_graph_mul_def, fresh, hidden),
                   two(c, &mlc_graph_mul_def, z, h));
}

static void
rnn_step(Cell *c, const Direction *d, size_t at, MlcValue *x, MlcValue **state)
{
    state[0] = activate(c, at, 0, gemm(c, state[0], d->weights, x), true);
}

// The body's ops, at the builder.
static bool
build_step(Cell *c, const Direction *d, size_t at, MlcBlock *block)
{
    size_t num_states = c->kind == LSTM ? 2 : 1;
    MlcValue *state[2] = {mlc_block_arg(block, 0), mlc_block_arg(block, num_states - 1)};
    MlcValue *x = mlc_block_arg(block, num_states), *output;
    if (c->kind == LSTM)
        lstm_step(c, d, at, x, state);
    else if (c->kind == GRU)
        gru_step(c, d, at, x, state);
    else
        rnn_step(c, d, at, x, state);
    output = state[0];
    if (c->mask) {
        MlcValue *runs = mlc_block_arg(block, num_states + 1);
        output = where(c, runs, state[0], number(c, 0));
        for (size_t i = 0; i < num_states; i++)
            state[i] = where(c, runs, state[i], mlc_block_arg(block, i));
    }
    MlcValue *results[] = {state[0], state[1], output};
    results[num_states] = output;
    if (!state[0] || (num_states > 1 && !state[1]) || !output)
        return false;
    mlc_graph_yield(&c->n->import->builder, results, num_states + 1);
    return true;
}

static bool
build_scan(Cell *c, Direction *d, size_t at)
{
    MlcOnnxImport *im = c->n->import;
    MlcBuilder outside = im->builder;
    size_t num_states = c->kind == LSTM ? 2 : 1, num_inputs = c->mask ? 2 : 1;
    MlcValue *states[] = {d->h, d->c}, *inputs[] = {d->products, c->mask};
    MlcType open = mlc_unranked_tensor_type_get(mlc_type_element(mlc_value_type(d->h)));
    MlcType types[] = {open, open, open};
    MlcOp *op =
        mlc_graph_scan(&im->builder, types, num_states + 1, states, num_states, inputs, num_inputs);
    const int64_t reversed[] = {1, 1};
    if (c->reversed[at]) {
        mlc_op_set_attr(op, "input_reversed",
                        mlc_i64_array_attr_get(im->ctx, reversed, num_inputs));
        mlc_op_set_attr(op, "output_reversed", mlc_i64_array_attr_get(im->ctx, reversed, 1));
    }
    MlcBlock *block = mlc_builder_create_block(&im->builder, mlc_op_region(op, 0), NULL, 0);
    for (size_t i = 0; i < num_states + num_inputs; i++) {
        MlcType type = mlc_value_type(mlc_op_operand(op, i));
        mlc_block_add_arg(block, i < num_states ? type : mlc_graph_scan_element_type(type),
                          im->builder.loc);
    }
    bool ok = build_step(c, d, at, block);
    im->builder = outside;
    ok = ok && mlc_onnx_finish_control(c->n, op, 0);
    for (size_t i = 0; ok && i < 2; i++)
        d->results[i] = mlc_op_result(op, i < num_states ? i : 0);
    d->results[2] = ok ? mlc_op_result(op, num_states) : NULL;
    if (!ok)
        mlc_op_erase(op);
    return ok;
}

// ---- results

// Output 0 is [steps, directions, batch, hidden]; 1 and 2, the last states, lack the steps. With
// `layout` the batch comes first.
static bool
set_output(Cell *c, size_t i, const Direction *directions)
{
    MlcValue *parts[MAX_DIRECTIONS];
    const int64_t all[] = {STEPS, 1, BATCH, c->hidden};
    const int64_t batch_first[] = {2, 0, 1, 3}, states_batch_first[] = {1, 0, 2};
    bool is_all = i == 0;
    if (!mlc_onnx_has_output(c->n, i))
        return true;
    for (int64_t d = 0; d < c->num_directions; d++)
        parts[d] = reshape(c, directions[d].results[is_all ? 2 : i - 1], is_all ? all : all + 1,
                           is_all ? 4 : 3);
    MlcValue *value = concat(c, parts, (size_t)c->num_directions, is_all ? 1 : 0);
    if (c->layout)
        value = transpose(c, value, is_all ? batch_first : states_batch_first, is_all ? 4 : 3);
    c->n->outputs[i] = cast(c, value, c->element);
    return c->n->outputs[i] != NULL;
}

static bool
import_recurrent(MlcOnnxNodeImport *n, Kind kind)
{
    static const int64_t gates[] = {[RNN] = 1, [GRU] = 3, [LSTM] = 4};
    Cell c = {.n = n, .kind = kind, .num_gates = gates[kind], .num_activations = kind + 1};
    Direction directions[MAX_DIRECTIONS] = {0};
    const int64_t batch_second[] = {1, 0, 2};
    if (!read_attributes(&c) || !check_inputs(&c) || !make_mask(&c))
        return false;
    c.x = wide_input(&c, 0);
    if (c.layout)
        c.x = transpose(&c, c.x, batch_second, 3);
    for (int64_t d = 0; d < c.num_directions; d++)
        if (!c.x || !prepare(&c, &directions[d], d) || !build_scan(&c, &directions[d], (size_t)d))
            return false;
    for (size_t i = 0; i < (kind == LSTM ? 3 : 2); i++)
        if (!set_output(&c, i, directions))
            return false;
    return true;
}

static bool
import_rnn(MlcOnnxNodeImport *n)
{
    return import_recurrent(n, RNN);
}

static bool
import_gru(MlcOnnxNodeImport *n)
{
    return import_recurrent(n, GRU);
}

static bool
import_lstm(MlcOnnxNodeImport *n)
{
    return import_recurrent(n, LSTM);
}

static const MlcOnnxOperator rows[] = {
    {"GRU", 1, MLC_ONNX_NEWEST, 3, 6, .import = import_gru},
    {"LSTM", 1, MLC_ONNX_NEWEST, 3, 8, .import = import_lstm},
    {"RNN", 1, MLC_ONNX_NEWEST, 3, 6, .import = import_rnn},
};
const MlcOnnxOperators mlc_onnx_recurrent = MLC_ONNX_OPERATORS(rows);
