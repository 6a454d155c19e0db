// derivatives.c -- derivatives of graph ops, as texts over a table of ops.
//
// A text is a formula (mlc/support/formula.h) in the operands a to e, the result y, its gradient g,
// numbers, and the op's attributes that are floats; its parts become graph ops as they are read.
// Texts are ours alone: one that cannot be read is a bug.
//
// Where there is no derivative it is torch's: 0 at the corner of relu and abs, half for each side
// of a maximum of equal numbers, g at the bounds of clip.
#include "gradient.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/support/formula.h"

enum { MAX_OPERANDS = 5, MAX_AXES = 64 };

typedef struct Derivative {
    const MlcOpDef *op;
    const char *of[MAX_OPERANDS]; // by operand; NULL: not known
} Derivative;

#define OP(name) &mlc_graph_##name##_def
#define NO_SLOPE "" // it is 0 everywhere
#define BATCH_NORM                                                                                 \
    "inverse = reciprocal(sqrt(channel(e) + epsilon)); "                                           \
    "normal = (a - channel(d)) * inverse; slope = channel(b) * inverse; "
// Elements that are the greatest, or the least, share its gradient.
#define SHARED "is_it = a == kept(y); select(is_it, kept(g) / sum(cast(is_it)), 0)"
// Of an element that is the only 0 the product of what is none.
#define PRODUCT_OF_OTHERS                                                                          \
    "is_zero = a == 0; rest = select(is_zero, 1, a); zeros = sum(cast(is_zero)); "                 \
    "others = product(rest) / rest; counts = or(zeros == 0, and(zeros == 1, is_zero)); "           \
    "kept(g) * select(counts, others, 0)"

static const Derivative derivatives[] = {
    {OP(relu), {"select(0 < a, g, 0)"}},
    {OP(identity), {"g"}},
    {OP(clip), {"select(a < low, 0, select(high < a, 0, g))"}},
    {OP(leaky_relu), {"select(a < 0, alpha * g, g)"}},
    {OP(elu), {"select(a < 0, g * (y + alpha), g)"}},
    {OP(selu), {"g * select(a < 0, y + gamma * alpha, gamma)"}},
    {OP(sigmoid), {"g * y * (1 - y)"}},
    {OP(hard_sigmoid), {"select(0 < y, select(y < 1, alpha * g, 0), 0)"}},
    {OP(hard_swish), {"select(a < -3, 0, select(3 < a, g, g * (a / 3 + 0.5)))"}},
    {OP(softplus), {"g * sigmoid(a)"}},
    {OP(softsign), {"g * sqr(1 - abs(y))"}},
    {OP(tanh), {"g * (1 - y * y)"}},
    {OP(exp), {"g * y"}},
    {OP(log), {"g / a"}},
    {OP(sqrt), {"g * 0.5 / y"}},
    {OP(erf), {"g * 1.1283791670955126 * exp(-(a * a))"}},
    {OP(gelu),
     {"g * (0.5 * (1 + erf(a * 0.70710678118654752)) + "
      "a * 0.39894228040143268 * exp(-0.5 * a * a))"}},
    {OP(gelu_tanh),
     {"t = tanh(0.79788456080286536 * (a + 0.044715 * a * a * a)); g * (0.5 * (1 + t) + "
      "0.5 * a * (1 - sqr(t)) * 0.79788456080286536 * (1 + 0.134145 * a * a))"}},
    {OP(abs), {"g * sign(a)"}},
    {OP(neg), {"-g"}},
    {OP(reciprocal), {"-(g * y * y)"}},
    {OP(ceil), {NO_SLOPE}},
    {OP(floor), {NO_SLOPE}},
    {OP(round), {NO_SLOPE}},
    {OP(sign), {NO_SLOPE}},
    {OP(sin), {"g * cos(a)"}},
    {OP(cos), {"-(g * sin(a))"}},
    {OP(tan), {"g * (1 + y * y)"}},
    {OP(sinh), {"g * cosh(a)"}},
    {OP(cosh), {"g * sinh(a)"}},
    {OP(asin), {"g / sqrt(1 - a * a)"}},
    {OP(acos), {"-(g / sqrt(1 - a * a))"}},
    {OP(atan), {"g / (1 + a * a)"}},
    {OP(asinh), {"g / sqrt(a * a + 1)"}},
    {OP(acosh), {"g / (sqrt(a - 1) * sqrt(a + 1))"}},
    {OP(atanh), {"g / ((1 - a) * (1 + a))"}},
    {OP(add), {"g", "g"}},
    {OP(sub), {"g", "-g"}},
    {OP(mul), {"g * b", "g * a"}},
    {OP(div), {"g / b", "-(g * y / b)"}},
    {OP(pow), {"select(b == 0, 0, g * b * pow(a, b - 1))", "select(a == 0, 0, g * y * log(a))"}},
    {OP(min),
     {"g * select(a < b, 1, select(a == b, 0.5, 0))",
      "g * select(b < a, 1, select(a == b, 0.5, 0))"}},
    {OP(max),
     {"g * select(b < a, 1, select(a == b, 0.5, 0))",
      "g * select(a < b, 1, select(a == b, 0.5, 0))"}},
    {OP(prelu), {"select(a < 0, g * b, g)", "select(a < 0, g * a, 0)"}},
    {OP(where), {NO_SLOPE, "select(a, g, 0)", "select(a, 0, g)"}},
    {OP(cast), {"g"}},
    {OP(expect), {"g"}},
    {OP(expand), {"g"}},
    {OP(flatten), {"view(g)"}},
    {OP(reshape), {"view(g)"}},
    {OP(batch_norm),
     {BATCH_NORM "g * slope", BATCH_NORM "channels(g * normal)", "channels(g)",
      BATCH_NORM "channels(g * slope * -1)",
      BATCH_NORM "channels(g * normal * (slope * inverse) * -0.5)"}},
    {OP(softmax), {"y * (g - sum(g * y))"}},
    {OP(reduce_sum), {"expand(kept(g))"}},
    {OP(reduce_mean), {"expand(kept(g) / count())"}},
    {OP(reduce_max), {SHARED}},
    {OP(reduce_min), {SHARED}},
    {OP(reduce_prod), {PRODUCT_OF_OTHERS}},
    {OP(global_average_pool), {"expand(g / count())"}},
    {OP(global_max_pool), {SHARED}},
};

// ---- parts of texts

typedef struct Reader {
    MlcFormula formula;
    MlcOnnxNodeImport *n;
    MlcOp *op;
    MlcValue *g;
} Reader;

static MlcValue *
number(const Reader *r, double value)
{
    return mlc_onnx_build_scalar(r->n, mlc_type_element(mlc_value_type(r->g)), value);
}

// The dimensions of which the op makes one element: those that it names, else the spatial ones.
static void
mark_axes(const Reader *r, bool *marked)
{
    const MlcOpDef *def = mlc_op_def(r->op);
    size_t rank = mlc_type_rank(mlc_op_operand_type(r->op, 0));
    bool has_axis = mlc_op_def_attr_slot(def, mlc_str("axis")) >= 0;
    if (mlc_op_def_attr_slot(def, mlc_str("axes")) >= 0) {
        mlc_graph_reduced_axes(r->op, marked);
        return;
    }
    for (size_t i = 0; i < rank; i++)
        marked[i] = has_axis ? (int64_t)i == mlc_graph_axis(r->op) : i >= 2;
}

// The value with the dimensions that the op took, as 1.
static MlcValue *
kept(const Reader *r, MlcValue *value)
{
    bool marked[MAX_AXES];
    MlcOnnxSizes dims;
    mark_axes(r, marked);
    if (!mlc_onnx_dims_of(r->n, mlc_op_operand(r->op, 0), &dims))
        return NULL;
    for (size_t i = 0; i < dims.count; i++)
        if (marked[i])
            dims.items[i] = mlc_size_number(r->n->import->ctx, 1);
    return mlc_onnx_reshape_to(r->n, value, &dims);
}

// How many elements become one.
static MlcValue *
count(const Reader *r)
{
    bool marked[MAX_AXES];
    MlcOnnxSizes dims;
    MlcValue *all = number(r, 1);
    mark_axes(r, marked);
    if (!mlc_onnx_dims_of(r->n, mlc_op_operand(r->op, 0), &dims))
        return NULL;
    for (size_t i = 0; i < dims.count; i++)
        if (marked[i])
            all = mlc_onnx_build_two(r->n, OP(mul), all,
                                     mlc_onnx_cast(r->n, mlc_onnx_build_size(r->n, dims.items[i]),
                                                   mlc_type_element(mlc_value_type(r->g))));
    return all;
}

static MlcValue *
reduced(const Reader *r, const MlcOpDef *def, MlcValue *value)
{
    bool marked[MAX_AXES];
    int64_t axes[MAX_AXES];
    size_t rank = mlc_type_rank(mlc_op_operand_type(r->op, 0)), num_axes = 0;
    mark_axes(r, marked);
    for (size_t i = 0; i < rank; i++)
        if (marked[i])
            axes[num_axes++] = (int64_t)i;
    return num_axes ? mlc_onnx_reduce_axes(r->n, def, value, (MlcOnnxInts){axes, num_axes}) : value;
}

static MlcValue *
sum(const Reader *r, MlcValue *value)
{
    return reduced(r, OP(reduce_sum), value);
}

static MlcValue *
product(const Reader *r, MlcValue *value)
{
    return reduced(r, OP(reduce_prod), value);
}

static MlcValue *
cast(const Reader *r, MlcValue *value)
{
    return mlc_onnx_cast(r->n, value, mlc_type_element(mlc_value_type(r->g)));
}

static MlcValue *
expand(const Reader *r, MlcValue *value)
{
    return mlc_onnx_expand_like(r->n, value, mlc_op_operand(r->op, 0));
}

static MlcValue *
view(const Reader *r, MlcValue *value)
{
    return mlc_onnx_reshape_like(r->n, value, mlc_op_operand(r->op, 0));
}

static MlcValue *
square(const Reader *r, MlcValue *value)
{
    return mlc_onnx_build_two(r->n, OP(mul), value, value);
}

// Numbers per channel, [C], such that they broadcast with the first operand.
static MlcValue *
channel(const Reader *r, MlcValue *value)
{
    for (size_t i = 2; value && i < mlc_type_rank(mlc_op_operand_type(r->op, 0)); i++)
        value = mlc_onnx_with_one(r->n, value, 0);
    return value;
}

// Back: one number per channel, [C], of all that stand there.
static MlcValue *
channels(const Reader *r, MlcValue *value)
{
    MlcValue *one = mlc_op_operand(r->op, 1), *like = channel(r, one);
    return like ? mlc_onnx_reshape_like(r->n, mlc_onnx_sum_to(r->n, value, like), one) : NULL;
}

typedef struct Function {
    const char *name;
    uint8_t num_args;
    const MlcOpDef *op;                                  // that it is; or
    MlcValue *(*make)(const Reader *r, MlcValue *value); // of one value
} Function;

static const Function functions[] = {
    {"abs", 1, OP(abs), NULL},
    {"and", 2, OP(and), NULL},
    {"cast", 1, NULL, cast},
    {"channel", 1, NULL, channel},
    {"channels", 1, NULL, channels},
    {"cos", 1, OP(cos), NULL},
    {"cosh", 1, OP(cosh), NULL},
    {"erf", 1, OP(erf), NULL},
    {"exp", 1, OP(exp), NULL},
    {"expand", 1, NULL, expand},
    {"kept", 1, NULL, kept},
    {"log", 1, OP(log), NULL},
    {"or", 2, OP(or), NULL},
    {"pow", 2, OP(pow), NULL},
    {"product", 1, NULL, product},
    {"reciprocal", 1, OP(reciprocal), NULL},
    {"sigmoid", 1, OP(sigmoid), NULL},
    {"sign", 1, OP(sign), NULL},
    {"sin", 1, OP(sin), NULL},
    {"sinh", 1, OP(sinh), NULL},
    {"sqr", 1, NULL, square},
    {"sqrt", 1, OP(sqrt), NULL},
    {"sum", 1, NULL, sum},
    {"tanh", 1, OP(tanh), NULL},
    {"view", 1, NULL, view},
};

static bool
give(MlcFormulaTerm *out, MlcValue *value)
{
    out->value = value;
    return value != NULL;
}

static bool
make_number(MlcFormula *f, double value, MlcFormulaTerm *out)
{
    return give(out, number(f->user, value));
}

static bool
make_call(MlcFormula *f, MlcStr name, const MlcFormulaTerm *args, size_t n, MlcFormulaTerm *out)
{
    const Reader *r = f->user;
    MlcValue *values[MLC_FORMULA_ARGUMENTS];
    for (size_t i = 0; i < n; i++)
        values[i] = args[i].value;
    if (n == 3 && mlc_str_equal(name, mlc_str("select")))
        return give(out, mlc_onnx_select(r->n, values[0], values[1], values[2]));
    if (n == 0 && mlc_str_equal(name, mlc_str("count")))
        return give(out, count(r));
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const Function *function = &functions[i];
        if (n != function->num_args || !mlc_str_equal(name, mlc_str(function->name)))
            continue;
        return give(out, function->make ? function->make(r, values[0])
                                        : mlc_onnx_build(r->n, function->op, values, n, NULL));
    }
    mlc_bug("a derivative calls what is no function");
}

static bool
find_name(MlcFormula *f, MlcStr name, MlcFormulaTerm *out)
{
    const Reader *r = f->user;
    char letter = name.size == 1 ? name.data[0] : '\0';
    if (letter >= 'a' && letter < 'a' + MAX_OPERANDS)
        return give(out, mlc_op_operand(r->op, (size_t)(letter - 'a')));
    if (letter == 'y' || letter == 'g')
        return give(out, letter == 'y' ? mlc_op_result(r->op, 0) : r->g);
    return mlc_formula_find(f, name, out) ||
           give(out, number(r, mlc_float_attr_as_double(mlc_op_attr_str(r->op, name))));
}

static bool
apply(MlcFormula *f, MlcFormulaOp op, const MlcFormulaTerm *operands, MlcFormulaTerm *out)
{
    static const MlcOpDef *const ops[] = {
        [MLC_FORMULA_NEGATE] = OP(neg),   [MLC_FORMULA_ADD] = OP(add),
        [MLC_FORMULA_SUBTRACT] = OP(sub), [MLC_FORMULA_MULTIPLY] = OP(mul),
        [MLC_FORMULA_DIVIDE] = OP(div),   [MLC_FORMULA_EQUAL] = OP(equal),
        [MLC_FORMULA_LESS] = OP(less),    [MLC_FORMULA_GREATER] = NULL,
    };
    const Reader *r = f->user;
    if (!ops[op])
        mlc_bug("a derivative compares in a way that it must not");
    if (op == MLC_FORMULA_NEGATE)
        return give(out, mlc_onnx_build_one(r->n, ops[op], operands[0].value));
    MlcValue *lhs = operands[0].value, *rhs = operands[1].value;
    return give(out, (op < MLC_FORMULA_AT_MOST ? mlc_onnx_build_two
                                               : mlc_onnx_compare)(r->n, ops[op], lhs, rhs));
}

static void
fail(MlcFormula *f, const char *message)
{
    (void)f;
    mlc_bug("a derivative cannot be read: %s", message);
}

static const MlcFormulaMaker maker = {
    .number = make_number, .name = find_name, .call = make_call, .apply = apply, .report = fail};

MlcValue *
mlc_onnx_derivative(MlcOnnxNodeImport *n, MlcOp *op, size_t i, MlcValue *g, bool *is_known)
{
    const Derivative *row = NULL;
    for (size_t k = 0; !row && k < sizeof derivatives / sizeof *derivatives; k++)
        row = mlc_op_def(op) == derivatives[k].op ? &derivatives[k] : NULL;
    *is_known = row && i < MAX_OPERANDS && row->of[i];
    if (!*is_known || row->of[i][0] == '\0')
        return NULL;
    Reader r = {.formula = {.maker = &maker, .at = row->of[i]}, .n = n, .op = op, .g = g};
    MlcFormulaTerm term;
    MlcStr name;
    r.formula.user = &r;
    for (;;) {
        if (!mlc_formula_read(&r.formula, &name, &term))
            return NULL;
        if (name.size == 0)
            return term.value;
        if (!mlc_formula_define(&r.formula, name, term))
            return NULL;
    }
}
