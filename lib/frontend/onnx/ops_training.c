// ops_training.c -- operators of ai.onnx.preview.training: one step of an optimizer, element by
// element. Gradient has a file of its own (ops_gradient.c).
//
// Inputs are the rate, the number of the step, then lists of as many tensors each: what is
// optimized, gradients, and what is accumulated of them. Outputs are those lists but the gradients.
#include "node.h"

// value op number
static MlcValue *
by(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value, double number)
{
    if (!value)
        return NULL;
    MlcType element = mlc_type_element(mlc_value_type(value));
    return mlc_onnx_build_two(n, op, value, mlc_onnx_build_number(n, element, number));
}

static MlcValue *
scaled(MlcOnnxNodeImport *n, MlcValue *value, float factor)
{
    return by(n, &mlc_graph_mul_def, value, (double)factor);
}

static MlcValue *
sum(MlcOnnxNodeImport *n, MlcValue *lhs, MlcValue *rhs)
{
    return mlc_onnx_build_two(n, &mlc_graph_add_def, lhs, rhs);
}

static MlcValue *
square(MlcOnnxNodeImport *n, MlcValue *value)
{
    return mlc_onnx_build_two(n, &mlc_graph_mul_def, value, value);
}

// How many tensors are optimized, by `lists` lists of inputs and one fewer of outputs; 0 after an
// error.
static size_t
count_tensors(MlcOnnxNodeImport *n, size_t lists)
{
    size_t count = (n->num_inputs - 2) / lists;
    if (count == 0 || 2 + count * lists != n->num_inputs ||
        n->node->output.count != count * (lists - 1))
        return mlc_onnx_invalid(n, "%zu inputs and %zu outputs are no %zu lists", n->num_inputs,
                                n->node->output.count, lists),
               0;
    for (size_t i = 0; i < n->num_inputs; i++) {
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i), 0;
        if (i != 1 && !mlc_type_is_float(mlc_type_element(mlc_value_type(n->inputs[i]))))
            return mlc_onnx_unsupported(n, "an input of type %s",
                                        mlc_type_text(mlc_value_type(n->inputs[i]))),
                   0;
    }
    return count;
}

// The number of the step, in the type of the rate.
static MlcValue *
step_number(MlcOnnxNodeImport *n)
{
    return mlc_onnx_cast(n, n->inputs[1], mlc_type_element(mlc_value_type(n->inputs[0])));
}

static MlcValue *
where_step(MlcOnnxNodeImport *n, MlcValue *later, double first)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    MlcValue *is_later = mlc_onnx_compare(n, &mlc_graph_greater_def, n->inputs[1],
                                          mlc_onnx_build_number(n, element, 0));
    if (!later)
        return NULL;
    MlcValue *otherwise = mlc_onnx_build_number(n, mlc_type_element(mlc_value_type(later)), first);
    return mlc_onnx_select(n, is_later, later, otherwise);
}

// gradient + coefficient * x
static MlcValue *
regularized(MlcOnnxNodeImport *n, size_t i, size_t count, float coefficient)
{
    return sum(n, scaled(n, n->inputs[2 + i], coefficient), n->inputs[2 + count + i]);
}

// x - rate * direction
static MlcValue *
moved(MlcOnnxNodeImport *n, size_t i, MlcValue *rate, MlcValue *direction)
{
    MlcValue *x = n->inputs[2 + i];
    rate = rate ? mlc_onnx_cast(n, rate, mlc_type_element(mlc_value_type(x))) : NULL;
    return mlc_onnx_build_two(n, &mlc_graph_sub_def, x,
                              mlc_onnx_build_two(n, &mlc_graph_mul_def, rate, direction));
}

// x - (rate * direction) / (root of h + epsilon)
static MlcValue *
moved_by_root(MlcOnnxNodeImport *n, size_t i, MlcValue *rate, MlcValue *direction, MlcValue *h,
              float epsilon)
{
    MlcValue *root =
        by(n, &mlc_graph_add_def, mlc_onnx_build_one(n, &mlc_graph_sqrt_def, h), (double)epsilon);
    MlcValue *x = n->inputs[2 + i];
    rate = rate ? mlc_onnx_cast(n, rate, mlc_type_element(mlc_value_type(x))) : NULL;
    direction = mlc_onnx_build_two(n, &mlc_graph_mul_def, rate, direction);
    return mlc_onnx_build_two(n, &mlc_graph_sub_def, x,
                              mlc_onnx_build_two(n, &mlc_graph_div_def, direction, root));
}

static bool
import_momentum(MlcOnnxNodeImport *n)
{
    float alpha = 0, beta = 0, norm = 0;
    MlcStr mode = mlc_str("");
    size_t count = count_tensors(n, 3);
    if (!count || !mlc_onnx_read_float(n, "alpha", &alpha) ||
        !mlc_onnx_read_float(n, "beta", &beta) ||
        !mlc_onnx_read_float(n, "norm_coefficient", &norm) || !mlc_onnx_read_str(n, "mode", &mode))
        return false;
    bool is_nesterov = mlc_str_equal(mode, mlc_str("nesterov"));
    if (!is_nesterov && !mlc_str_equal(mode, mlc_str("standard")))
        return mlc_onnx_invalid(n, "attribute 'mode' is '%.*s'", MLC_STR_FMT(mode));
    for (size_t i = 0; i < count; i++) {
        MlcValue *gradient = regularized(n, i, count, norm), *v = n->inputs[2 + 2 * count + i];
        if (!gradient)
            return false;
        MlcType element = mlc_type_element(mlc_value_type(gradient));
        MlcValue *share = where_step(n, mlc_onnx_build_number(n, element, (double)beta), 1);
        v = sum(n, scaled(n, v, alpha), mlc_onnx_build_two(n, &mlc_graph_mul_def, share, gradient));
        MlcValue *direction = is_nesterov ? sum(n, gradient, scaled(n, v, alpha)) : v;
        n->outputs[i] = moved(n, i, n->inputs[0], direction);
        n->outputs[count + i] = v;
        if (!n->outputs[i])
            return false;
    }
    return true;
}

static bool
import_adagrad(MlcOnnxNodeImport *n)
{
    float decay = 0, epsilon = 1e-6f, norm = 0;
    size_t count = count_tensors(n, 3);
    if (!count || !mlc_onnx_read_float(n, "decay_factor", &decay) ||
        !mlc_onnx_read_float(n, "epsilon", &epsilon) ||
        !mlc_onnx_read_float(n, "norm_coefficient", &norm))
        return false;
    MlcValue *slowed = by(n, &mlc_graph_add_def, scaled(n, step_number(n), decay), 1);
    MlcValue *rate = mlc_onnx_build_two(n, &mlc_graph_div_def, n->inputs[0], slowed);
    for (size_t i = 0; i < count; i++) {
        MlcValue *gradient = regularized(n, i, count, norm);
        MlcValue *h = sum(n, n->inputs[2 + 2 * count + i], square(n, gradient));
        n->outputs[i] = moved_by_root(n, i, rate, gradient, h, epsilon);
        n->outputs[count + i] = h;
        if (!n->outputs[i])
            return false;
    }
    return true;
}

// rate * root(1 - beta^step) / (1 - alpha^step), from the first step on
static MlcValue *
adam_rate(MlcOnnxNodeImport *n, float alpha, float beta)
{
    MlcValue *step = step_number(n), *parts[2];
    if (!step)
        return NULL;
    MlcType element = mlc_type_element(mlc_value_type(step));
    const float bases[] = {beta, alpha};
    MlcValue *one = mlc_onnx_build_number(n, element, 1);
    for (size_t i = 0; i < 2; i++) {
        MlcValue *base = mlc_onnx_build_number(n, element, (double)bases[i]);
        parts[i] = mlc_onnx_build_two(n, &mlc_graph_sub_def, one,
                                      mlc_onnx_build_two(n, &mlc_graph_pow_def, base, step));
    }
    MlcValue *share = mlc_onnx_build_two(
        n, &mlc_graph_div_def, mlc_onnx_build_one(n, &mlc_graph_sqrt_def, parts[0]), parts[1]);
    return mlc_onnx_build_two(n, &mlc_graph_mul_def, n->inputs[0], where_step(n, share, 1));
}

static bool
import_adam(MlcOnnxNodeImport *n)
{
    float alpha = 0.9f, beta = 0.999f, epsilon = 1e-6f, norm = 0, post = 0;
    size_t count = count_tensors(n, 4);
    if (!count || !mlc_onnx_read_float(n, "alpha", &alpha) ||
        !mlc_onnx_read_float(n, "beta", &beta) || !mlc_onnx_read_float(n, "epsilon", &epsilon) ||
        !mlc_onnx_read_float(n, "norm_coefficient", &norm) ||
        !mlc_onnx_read_float(n, "norm_coefficient_post", &post))
        return false;
    MlcValue *rate = adam_rate(n, alpha, beta);
    for (size_t i = 0; i < count; i++) {
        MlcValue *gradient = regularized(n, i, count, norm);
        MlcValue *v = n->inputs[2 + 2 * count + i], *h = n->inputs[2 + 3 * count + i];
        v = sum(n, scaled(n, v, alpha), scaled(n, gradient, 1 - alpha));
        h = sum(n, scaled(n, h, beta), scaled(n, square(n, gradient), 1 - beta));
        MlcValue *x = moved_by_root(n, i, rate, v, h, epsilon);
        n->outputs[i] = post != 0 ? scaled(n, x, 1 - post) : x;
        n->outputs[count + i] = v;
        n->outputs[2 * count + i] = h;
        if (!n->outputs[i])
            return false;
    }
    return true;
}

static const MlcOnnxOperator rows[] = {
    {"Adagrad", 1, MLC_ONNX_NEWEST, 5, MLC_ONNX_ANY, .import = import_adagrad},
    {"Adam", 1, MLC_ONNX_NEWEST, 6, MLC_ONNX_ANY, .import = import_adam},
    {"Gradient", 1, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, .import = mlc_onnx_import_gradient},
    {"Momentum", 1, MLC_ONNX_NEWEST, 5, MLC_ONNX_ANY, .import = import_momentum},
};
const MlcOnnxOperators mlc_onnx_training = MLC_ONNX_OPERATORS(rows);
