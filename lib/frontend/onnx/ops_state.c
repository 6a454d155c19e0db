// ops_state.c -- ONNX operators: what carries a state from step to step, with the state as an input
// and an output.
//
// The steps of linear attention are written out one after the other: a decoder takes one of them.
#include "node.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_STEPS = 256 };

typedef struct LinearAttention {
    MlcType element; // what is computed on
    int64_t batch, steps, q_heads, kv_heads, key_size, value_size;
    bool is_gated, corrects;
    float scale;
} LinearAttention;

// ---- linear attention

static bool
read_rule(MlcOnnxNodeImport *n, LinearAttention *a)
{
    MlcStr rule = mlc_str("gated_delta");
    if (!mlc_onnx_read_str(n, "update_rule", &rule))
        return false;
    a->corrects =
        mlc_str_equal(rule, mlc_str("delta")) || mlc_str_equal(rule, mlc_str("gated_delta"));
    a->is_gated =
        mlc_str_equal(rule, mlc_str("gated")) || mlc_str_equal(rule, mlc_str("gated_delta"));
    if (!a->corrects && !a->is_gated && !mlc_str_equal(rule, mlc_str("linear")))
        return mlc_onnx_invalid(n, "attribute 'update_rule' is '%.*s'", MLC_STR_FMT(rule));
    if (a->is_gated != (mlc_onnx_input_or_null(n, 4) != NULL))
        return mlc_onnx_invalid(n, "rule '%.*s' %s a decay", MLC_STR_FMT(rule),
                                a->is_gated ? "needs" : "has not");
    if (a->corrects != (mlc_onnx_input_or_null(n, 5) != NULL))
        return mlc_onnx_invalid(n, "rule '%.*s' %s a beta", MLC_STR_FMT(rule),
                                a->corrects ? "needs" : "has not");
    return true;
}

static bool
read_linear_attention(MlcOnnxNodeImport *n, LinearAttention *a)
{
    if (!read_rule(n, a) || !mlc_onnx_read_int(n, "q_num_heads", &a->q_heads) ||
        !mlc_onnx_read_int(n, "kv_num_heads", &a->kv_heads) ||
        !mlc_onnx_read_float(n, "scale", &a->scale))
        return false;
    for (size_t i = 0; i < 6; i++) { // query, key, value, state, decay, beta
        MlcValue *input = mlc_onnx_input_or_null(n, i);
        MlcType type = input ? mlc_value_type(input) : NULL;
        if (!input)
            continue;
        if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type) ||
            !mlc_type_is_float(mlc_type_element(type)))
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
        if (i < 3 && mlc_type_rank(type) != 3)
            return mlc_onnx_invalid(n, "input %zu has type %s", i, mlc_type_text(type));
    }
    MlcType q = mlc_value_type(n->inputs[0]), v = mlc_value_type(n->inputs[2]);
    a->batch = mlc_type_dim(q, 0);
    a->steps = mlc_type_dim(q, 1);
    if (a->kv_heads < 1 || a->q_heads < 1 || a->q_heads % a->kv_heads != 0 ||
        mlc_type_dim(q, 2) % a->q_heads != 0 || mlc_type_dim(v, 2) % a->kv_heads != 0)
        return mlc_onnx_invalid(
            n, "%" PRId64 " heads of queries, %" PRId64 " of keys, for inputs of types %s and %s",
            a->q_heads, a->kv_heads, mlc_type_text(q), mlc_type_text(v));
    if (a->steps < 1 || a->steps > MAX_STEPS)
        return mlc_onnx_unsupported(n, "%" PRId64 " steps, more than %d or none", a->steps,
                                    (int)MAX_STEPS);
    a->key_size = mlc_type_dim(q, 2) / a->q_heads;
    a->value_size = mlc_type_dim(v, 2) / a->kv_heads;
    if (a->scale == 0)
        a->scale = 1 / sqrtf((float)a->key_size);
    a->element = mlc_type_element(q);
    MlcValue *past = mlc_onnx_input_or_null(n, 3);
    if (past && mlc_type_is_float(mlc_type_element(mlc_value_type(past))) &&
        mlc_type_bit_width(mlc_type_element(mlc_value_type(past))) > mlc_type_bit_width(a->element))
        a->element = mlc_type_element(mlc_value_type(past));
    return true;
}

// Step `t` of input `i`, [N, T, ...], as [N, heads, rows, columns].
static MlcValue *
step_of(MlcOnnxNodeImport *n, const LinearAttention *a, size_t i, int64_t t, int64_t heads,
        int64_t rows, int64_t columns)
{
    int64_t end = t + 1, shape[] = {a->batch, heads, rows, columns};
    MlcValue *value = mlc_onnx_slice(n, n->inputs[i], (MlcOnnxInts){&t, 1}, (MlcOnnxInts){&end, 1},
                                     (MlcOnnxInts){(int64_t[]){1}, 1}, (MlcOnnxInts){0});
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, 4}, true) : NULL;
    return mlc_onnx_cast(n, value, a->element);
}

// How many numbers of a step input `i` has per head: `per_head`, or 1.
static int64_t
num_per_head(MlcOnnxNodeImport *n, const LinearAttention *a, size_t i, int64_t per_head)
{
    MlcType type = mlc_value_type(n->inputs[i]);
    bool is_whole = mlc_type_has_rank(type) && mlc_type_rank(type) == 3 &&
                    mlc_type_dim(type, 2) == a->kv_heads * per_head;
    return is_whole ? per_head : 1;
}

// The state after step `t`: decayed, and with the outer product of key and value added; by the
// delta rule, of the part of the value that the state does not yield for the key.
static MlcValue *
step_state(MlcOnnxNodeImport *n, const LinearAttention *a, int64_t t, MlcValue *state)
{
    const MlcOpDef *mul = &mlc_graph_mul_def;
    MlcValue *value = step_of(n, a, 2, t, a->kv_heads, 1, a->value_size);
    if (a->is_gated) {
        int64_t rows = num_per_head(n, a, 4, a->key_size);
        MlcValue *decay = step_of(n, a, 4, t, a->kv_heads, rows, 1);
        state = mlc_onnx_build_two(n, mul, state, mlc_onnx_build_one(n, &mlc_graph_exp_def, decay));
    }
    if (a->corrects && state) {
        MlcType type = mlc_value_type(n->inputs[5]);
        bool is_one = mlc_type_has_rank(type) && mlc_type_rank(type) == 3 &&
                      mlc_type_dim(type, 2) == 1;
        MlcValue *key = step_of(n, a, 1, t, a->kv_heads, 1, a->key_size);
        MlcValue *beta = step_of(n, a, 5, t, is_one ? 1 : a->kv_heads, 1, 1);
        MlcValue *known = mlc_onnx_build_two(n, &mlc_graph_matmul_def, key, state);
        value = mlc_onnx_build_two(n, mul, beta,
                                   mlc_onnx_build_two(n, &mlc_graph_sub_def, value, known));
    }
    MlcValue *key = step_of(n, a, 1, t, a->kv_heads, a->key_size, 1);
    return mlc_onnx_build_two(n, &mlc_graph_add_def, state, mlc_onnx_build_two(n, mul, key, value));
}

static bool
import_linear_attention(MlcOnnxNodeImport *n)
{
    LinearAttention a = {0};
    MlcValue *rows[MAX_STEPS], *past = mlc_onnx_input_or_null(n, 3);
    if (!read_linear_attention(n, &a))
        return false;
    int64_t shape[] = {a.batch, a.kv_heads, a.key_size, a.value_size};
    MlcType q = mlc_type_element(mlc_value_type(n->inputs[0]));
    MlcType given = past ? mlc_type_element(mlc_value_type(past)) : q;
    MlcValue *state = mlc_onnx_cast(n, past, a.element);
    if (!past) {
        MlcValue *zero = mlc_onnx_build_scalar(n, a.element, 0);
        MlcOnnxAttrs attrs = {0};
        mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){shape, 4});
        state = mlc_onnx_build(n, &mlc_graph_expand_def, &zero, 1, &attrs);
    }
    MlcValue *scale = mlc_onnx_build_scalar(n, a.element, (double)a.scale);
    for (int64_t t = 0; t < a.steps; t++) {
        int64_t row[] = {a.batch, 1, a.q_heads * a.value_size};
        state = step_state(n, &a, t, state);
        MlcValue *query =
            state ? step_of(n, &a, 0, t, a.kv_heads, a.q_heads / a.kv_heads, a.key_size) : NULL;
        MlcValue *read =
            mlc_onnx_build_two(n, &mlc_graph_matmul_def,
                               mlc_onnx_build_two(n, &mlc_graph_mul_def, query, scale), state);
        rows[t] = read ? mlc_onnx_reshape(n, read, (MlcOnnxInts){row, 3}, true) : NULL;
        if (!rows[t])
            return false;
    }
    MlcValue *all = a.steps == 1 ? rows[0] : mlc_onnx_concat(n, rows, (size_t)a.steps, 1);
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = mlc_onnx_cast(n, state, given);
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, all, q));
}

// ---- causal convolution

// Each channel's own convolution over the last inputs: those of the state, then the new ones.
static bool
import_causal_conv(MlcOnnxNodeImport *n)
{
    MlcStr activation = mlc_str("none");
    MlcType x = mlc_value_type(n->inputs[0]), w = mlc_value_type(n->inputs[1]);
    MlcValue *past = mlc_onnx_input_or_null(n, 3), *bias = mlc_onnx_input_or_null(n, 2), *all;
    if (!mlc_onnx_read_str(n, "activation", &activation))
        return false;
    bool is_silu =
        mlc_str_equal(activation, mlc_str("silu")) || mlc_str_equal(activation, mlc_str("swish"));
    if (!is_silu && !mlc_str_equal(activation, mlc_str("none")))
        return mlc_onnx_invalid(n, "attribute 'activation' is '%.*s'", MLC_STR_FMT(activation));
    if (!mlc_type_has_rank(x) || mlc_type_rank(x) != 3 || !mlc_type_has_rank(w) ||
        mlc_type_rank(w) != 3 || mlc_type_dim(x, 1) == MLC_DYNAMIC ||
        mlc_type_dim(x, 2) == MLC_DYNAMIC || !mlc_type_has_static_shape(w) ||
        mlc_type_dim(w, 2) < 1)
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(x),
                                    mlc_type_text(w));
    int64_t before = mlc_type_dim(w, 2) - 1, pads[6] = {0, 0, before}, axis = 2;
    MlcOnnxAttrs pad = {0}, conv = {0};
    mlc_onnx_add_ints(n, &pad, "pads", (MlcOnnxInts){pads, 6});
    mlc_onnx_add_int(n, &conv, "group", mlc_type_dim(x, 1));
    all = past ? mlc_onnx_concat(n, (MlcValue *[]){past, n->inputs[0]}, 2, axis)
               : mlc_onnx_build(n, &mlc_graph_pad_def, n->inputs, 1, &pad);
    MlcValue *operands[] = {all, n->inputs[1], bias};
    MlcValue *value =
        all ? mlc_onnx_build(n, &mlc_graph_conv_def, operands, bias ? 3 : 2, &conv) : NULL;
    if (is_silu)
        value = mlc_onnx_build_two(n, &mlc_graph_mul_def, value,
                                   mlc_onnx_build_one(n, &mlc_graph_sigmoid_def, value));
    if (value && mlc_onnx_has_output(n, 1)) {
        int64_t end = mlc_type_dim(mlc_value_type(all), 2), start = end - before;
        n->outputs[1] = mlc_onnx_slice(n, all, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                                       (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
    }
    return mlc_onnx_set_result(n, value);
}

static const MlcOnnxOperator rows[] = {
    {"CausalConvWithState", 27, MLC_ONNX_NEWEST, 2, 4, .import = import_causal_conv},
    {"LinearAttention", 27, MLC_ONNX_NEWEST, 3, 6, .import = import_linear_attention},
};
const MlcOnnxOperators mlc_onnx_state = MLC_ONNX_OPERATORS(rows);
