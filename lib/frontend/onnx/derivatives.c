// derivatives.c -- derivatives of element-wise graph ops, as texts over a table of ops.
//
// A text is an expression in the operands a and b, the result y, its gradient g, numbers, and the
// op's attributes that are floats. A recursive descent makes graph ops as it reads, as
// lib/dialects/linalg/body.c makes scalar ones of bodies. Texts are ours alone: one that cannot be
// read is a bug.
//
// Where there is no derivative it is torch's: 0 at the corner of relu and abs, half for each side
// of a maximum of equal numbers, g at the bounds of clip.
#include "gradient.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct Derivative {
    const MlcOpDef *op;
    const char *of[3]; // by operand
} Derivative;

#define OP(name) &mlc_graph_##name##_def
#define NO_SLOPE "" // it is 0 everywhere

static const Derivative derivatives[] = {
    {OP(relu), {"where(0 < a, g, 0)"}},
    {OP(identity), {"g"}},
    {OP(clip), {"where(a < low, 0, where(high < a, 0, g))"}},
    {OP(leaky_relu), {"where(a < 0, alpha * g, g)"}},
    {OP(elu), {"where(a < 0, g * (y + alpha), g)"}},
    {OP(selu), {"g * where(a < 0, y + gamma * alpha, gamma)"}},
    {OP(sigmoid), {"g * y * (1 - y)"}},
    {OP(hard_sigmoid), {"where(0 < y, where(y < 1, alpha * g, 0), 0)"}},
    {OP(hard_swish), {"where(a < -3, 0, where(3 < a, g, g * (a / 3 + 0.5)))"}},
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
     {"g * (0.5 * (1 + tanh(0.79788456080286536 * (a + 0.044715 * a * a * a))) + 0.5 * a * "
      "(1 - sqr(tanh(0.79788456080286536 * (a + 0.044715 * a * a * a)))) * "
      "0.79788456080286536 * (1 + 0.134145 * a * a))"}},
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
    {OP(pow), {"where(b == 0, 0, g * b * pow(a, b - 1))", "where(a == 0, 0, g * y * log(a))"}},
    {OP(min),
     {"g * where(a < b, 1, where(a == b, 0.5, 0))", "g * where(b < a, 1, where(a == b, 0.5, 0))"}},
    {OP(max),
     {"g * where(b < a, 1, where(a == b, 0.5, 0))", "g * where(a < b, 1, where(a == b, 0.5, 0))"}},
    {OP(prelu), {"where(a < 0, g * b, g)", "where(a < 0, g * a, 0)"}},
    {OP(where), {NO_SLOPE, "where(a, g, 0)", "where(a, 0, g)"}},
};

typedef struct Function {
    const char *name;
    const MlcOpDef *op;
} Function;

static const Function functions[] = {
    {"abs", OP(abs)},   {"cos", OP(cos)}, {"cosh", OP(cosh)}, {"erf", OP(erf)},
    {"exp", OP(exp)},   {"log", OP(log)}, {"pow", OP(pow)},   {"sigmoid", OP(sigmoid)},
    {"sign", OP(sign)}, {"sin", OP(sin)}, {"sinh", OP(sinh)}, {"sqrt", OP(sqrt)},
    {"tanh", OP(tanh)},
};

typedef struct Reader {
    MlcOnnxNodeImport *n;
    MlcOp *op;
    MlcValue *g;
    MlcType element; // of numbers
    const char *at;
} Reader;

static MlcValue *read_expression(Reader *r);

static bool
accept(Reader *r, const char *text)
{
    while (*r->at == ' ')
        r->at++;
    size_t size = strlen(text);
    if (strncmp(r->at, text, size) != 0)
        return false;
    r->at += size;
    return true;
}

static MlcStr
read_name(Reader *r)
{
    const char *start = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_')
        r->at++;
    return mlc_str_n(start, (size_t)(r->at - start));
}

static MlcValue *
read_call(Reader *r, MlcStr name)
{
    MlcValue *args[3] = {0};
    size_t count = 0;
    do
        args[count++] = read_expression(r);
    while (count < 3 && accept(r, ","));
    if (!accept(r, ")"))
        mlc_bug("a derivative lacks ')'");
    for (size_t i = 0; i < count; i++)
        if (!args[i])
            return NULL;
    if (mlc_str_equal(name, mlc_str("where")) && count == 3)
        return mlc_onnx_select(r->n, args[0], args[1], args[2]);
    if (mlc_str_equal(name, mlc_str("sqr")) && count == 1)
        return mlc_onnx_build_two(r->n, OP(mul), args[0], args[0]);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (mlc_str_equal(name, mlc_str(functions[i].name)))
            return mlc_onnx_build(r->n, functions[i].op, args, count, NULL);
    mlc_bug("a derivative calls what is no function");
}

static MlcValue *
read_atom(Reader *r)
{
    if (accept(r, "(")) {
        MlcValue *value = read_expression(r);
        if (!accept(r, ")"))
            mlc_bug("a derivative lacks ')'");
        return value;
    }
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        double number = strtod(r->at, &end);
        r->at = end;
        return mlc_onnx_build_scalar(r->n, r->element, number);
    }
    MlcStr name = read_name(r);
    if (accept(r, "("))
        return read_call(r, name);
    if (name.size == 1 && (name.data[0] == 'a' || name.data[0] == 'b'))
        return mlc_op_operand(r->op, name.data[0] == 'b');
    if (name.size == 1 && (name.data[0] == 'y' || name.data[0] == 'g'))
        return name.data[0] == 'y' ? mlc_op_result(r->op, 0) : r->g;
    return mlc_onnx_build_scalar(r->n, r->element,
                                 mlc_float_attr_as_double(mlc_op_attr_str(r->op, name)));
}

static MlcValue *
read_unary(Reader *r)
{
    return accept(r, "-") ? mlc_onnx_build_one(r->n, OP(neg), read_unary(r)) : read_atom(r);
}

static MlcValue *
read_product(Reader *r)
{
    MlcValue *value = read_unary(r);
    for (;;) {
        const MlcOpDef *op = accept(r, "*") ? OP(mul) : accept(r, "/") ? OP(div) : NULL;
        if (!op)
            return value;
        value = mlc_onnx_build_two(r->n, op, value, read_unary(r));
    }
}

static MlcValue *
read_sum(Reader *r)
{
    MlcValue *value = read_product(r);
    for (;;) {
        const MlcOpDef *op = accept(r, "+") ? OP(add) : accept(r, "-") ? OP(sub) : NULL;
        if (!op)
            return value;
        value = mlc_onnx_build_two(r->n, op, value, read_product(r));
    }
}

static MlcValue *
read_expression(Reader *r)
{
    MlcValue *value = read_sum(r);
    const MlcOpDef *op = accept(r, "==") ? OP(equal) : accept(r, "<") ? OP(less) : NULL;
    return op ? mlc_onnx_compare(r->n, op, value, read_sum(r)) : value;
}

MlcValue *
mlc_onnx_derivative(MlcOnnxNodeImport *n, MlcOp *op, size_t i, MlcValue *g, bool *is_known)
{
    const Derivative *row = NULL;
    for (size_t k = 0; !row && k < sizeof derivatives / sizeof *derivatives; k++)
        row = mlc_op_def(op) == derivatives[k].op ? &derivatives[k] : NULL;
    *is_known = row && i < 3 && row->of[i];
    if (!*is_known || row->of[i][0] == '\0')
        return NULL;
    Reader r = {
        .n = n, .op = op, .g = g, .element = mlc_type_element(mlc_value_type(g)), .at = row->of[i]};
    MlcValue *value = read_expression(&r);
    if (value && *r.at)
        mlc_bug("a derivative ends early");
    return value;
}
