// ops_attention.c -- ONNX operators: attention, and what rotates its queries and keys.
//
// Attention becomes the ops that exported models spell it out with, so that it fuses as theirs:
// products with a softmax between them. Queries that share keys (fewer heads of keys than of
// queries) are a dimension of their own, [N, heads of keys, queries per key, rows, size], along
// which keys and values broadcast: nothing is repeated.
#include "attention.h"

#include <inttypes.h>
#include <math.h>

// ---- shapes

MlcValue *
mlc_onnx_unpack_heads(MlcOnnxNodeImport *n, MlcValue *value, int64_t heads)
{
    MlcType type = mlc_value_type(value);
    if (mlc_type_rank(type) == 4)
        return value;
    int64_t width = mlc_type_dim(type, 2);
    if (heads < 1 || width == MLC_DYNAMIC || width % heads != 0)
        return mlc_onnx_invalid(n, "%" PRId64 " heads of an input of type %s", heads,
                                mlc_type_text(type)),
               NULL;
    int64_t shape[] = {0, 0, heads, width / heads};
    value = mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, 4}, false);
    return value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){(int64_t[]){0, 2, 1, 3}, 4}) : NULL;
}

MlcValue *
mlc_onnx_pack_heads(MlcOnnxNodeImport *n, MlcValue *value)
{
    value = value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){(int64_t[]){0, 2, 1, 3}, 4}) : NULL;
    return value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){(int64_t[]){0, 0, -1}, 3}, false)
                 : NULL;
}

// [..., heads of queries, a, b] as [..., heads of keys, queries per key, a, b]; keys and values,
// and what all heads share, get a dimension of 1.
static MlcValue *
group_heads(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *value)
{
    int64_t shape[5];
    MlcType type = value ? mlc_value_type(value) : NULL;
    if (!value || a->q_heads == a->kv_heads || mlc_type_rank(type) < 3)
        return value;
    size_t rank = mlc_type_rank(type), to = 0;
    bool is_whole = mlc_type_dim(type, rank - 3) == a->q_heads;
    for (size_t i = 0; i < rank; i++)
        if (i + 3 == rank) {
            shape[to++] = is_whole ? a->kv_heads : mlc_type_dim(type, i);
            shape[to++] = is_whole ? a->q_heads / a->kv_heads : 1;
        } else {
            shape[to++] = mlc_type_dim(type, i) == MLC_DYNAMIC ? -1 : mlc_type_dim(type, i);
        }
    return mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, to}, true);
}

static MlcValue *
ungroup_heads(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *value)
{
    if (!value || a->q_heads == a->kv_heads)
        return value;
    MlcType type = mlc_value_type(value);
    int64_t batch = mlc_type_dim(type, 0), shape[] = {batch == MLC_DYNAMIC ? -1 : batch, a->q_heads,
                                                      a->rows, mlc_type_dim(type, 4)};
    return mlc_onnx_reshape(n, value, (MlcOnnxInts){shape, 4}, true);
}

bool
mlc_onnx_measure_heads(MlcOnnxNodeImport *n, MlcOnnxAttention *a)
{
    MlcType q = mlc_value_type(a->q), k = mlc_value_type(a->k);
    if (!mlc_type_has_rank(k) || !mlc_type_has_rank(mlc_value_type(a->v)))
        return mlc_onnx_unsupported(n, "past keys or values of an unknown rank");
    a->q_heads = mlc_type_dim(q, 1);
    a->kv_heads = mlc_type_dim(k, 1);
    a->rows = mlc_type_dim(q, 2);
    a->columns = mlc_type_dim(k, 2);
    a->size = mlc_type_dim(q, 3);
    if (a->q_heads == MLC_DYNAMIC || a->kv_heads == MLC_DYNAMIC || a->size == MLC_DYNAMIC)
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(q),
                                    mlc_type_text(k));
    if (a->kv_heads < 1 || a->q_heads % a->kv_heads != 0)
        return mlc_onnx_invalid(n, "%" PRId64 " heads of queries for %" PRId64 " of keys",
                                a->q_heads, a->kv_heads);
    return true;
}

static bool
read_inputs(MlcOnnxNodeImport *n, MlcOnnxAttention *a)
{
    int64_t q_heads = 0, kv_heads = 0;
    MlcValue *past_key = mlc_onnx_input_or_null(n, 4), *past_value = mlc_onnx_input_or_null(n, 5);
    if (!mlc_onnx_read_int(n, "q_num_heads", &q_heads) ||
        !mlc_onnx_read_int(n, "kv_num_heads", &kv_heads))
        return false;
    for (size_t i = 0; i < 3; i++) {
        MlcType type = mlc_value_type(n->inputs[i]);
        if (!mlc_type_has_rank(type) || !mlc_type_is_float(mlc_type_element(type)))
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
        if (mlc_type_rank(type) != mlc_type_rank(mlc_value_type(n->inputs[0])) ||
            (mlc_type_rank(type) != 3 && mlc_type_rank(type) != 4))
            return mlc_onnx_invalid(n, "input %zu has type %s", i, mlc_type_text(type));
    }
    a->is_packed = mlc_type_rank(mlc_value_type(n->inputs[0])) == 3;
    a->element = mlc_type_element(mlc_value_type(n->inputs[0]));
    a->q = mlc_onnx_unpack_heads(n, n->inputs[0], q_heads);
    a->k = a->q ? mlc_onnx_unpack_heads(n, n->inputs[1], kv_heads) : NULL;
    a->v = a->k ? mlc_onnx_unpack_heads(n, n->inputs[2], kv_heads) : NULL;
    if (!past_key != !past_value)
        return mlc_onnx_invalid(n, "past keys and past values must be given together");
    if (a->v && past_key) {
        if (mlc_type_has_rank(mlc_value_type(past_key)) &&
            mlc_type_rank(mlc_value_type(past_key)) == 4)
            a->offset = mlc_type_dim(mlc_value_type(past_key), 2);
        a->k = mlc_onnx_concat(n, (MlcValue *[]){past_key, a->k}, 2, 2);
        a->v = a->k ? mlc_onnx_concat(n, (MlcValue *[]){past_value, a->v}, 2, 2) : NULL;
    }
    return a->v && mlc_onnx_measure_heads(n, a);
}

// ---- masks: added to the scores, 0 where a key counts and -infinity where it does not

MlcValue *
mlc_onnx_build_both(MlcOnnxNodeImport *n, MlcValue *lhs, MlcValue *rhs)
{
    return lhs && rhs ? mlc_onnx_compare(n, &mlc_graph_and_def, lhs, rhs) : lhs ? lhs : rhs;
}

// Where key j and query i may meet, by their positions: j - i from -left to right; [rows, columns],
// or [N, 1, rows, columns] where each sample has its own number of keys.
static MlcValue *
build_distances(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, int64_t left, int64_t right)
{
    if (a->rows == MLC_DYNAMIC || a->columns == MLC_DYNAMIC || a->offset == MLC_DYNAMIC ||
        a->rows > MLC_ONNX_MAX_ROWS || a->columns > MLC_ONNX_MAX_ROWS)
        return mlc_onnx_unsupported(n, "a mask of positions of a type %s",
                                    mlc_type_text(mlc_value_type(a->k))),
               NULL;
    MlcValue *j = mlc_onnx_build_count(n, a->columns, 1, 2), *nearest = NULL, *farthest = NULL;
    MlcValue *i = mlc_onnx_build_count(n, a->rows, 0, 2);
    if (a->num_columns) {
        MlcValue *rows = mlc_onnx_int(n, a->rows);
        i = mlc_onnx_build_two(n, &mlc_graph_add_def, i,
                               mlc_onnx_build_two(n, &mlc_graph_sub_def, a->num_columns, rows));
    } else if (a->offset) {
        i = mlc_onnx_build_two(n, &mlc_graph_add_def, i, mlc_onnx_int(n, a->offset));
    }
    if (right >= 0) {
        MlcValue *last =
            right ? mlc_onnx_build_two(n, &mlc_graph_add_def, i, mlc_onnx_int(n, right)) : i;
        farthest = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, j, last);
    }
    if (left >= 0) {
        MlcValue *first = mlc_onnx_build_two(n, &mlc_graph_sub_def, i, mlc_onnx_int(n, left));
        nearest = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, j, first);
    }
    return mlc_onnx_build_both(n, farthest, nearest);
}

MlcValue *
mlc_onnx_lengthen_mask(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *mask)
{
    MlcType type = mlc_value_type(mask);
    MlcOnnxAttrs attrs = {0};
    int64_t pads[8] = {0};
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) < 1 || mlc_type_rank(type) > 4)
        return mlc_onnx_unsupported(n, "a mask of type %s", mlc_type_text(type)), NULL;
    size_t rank = mlc_type_rank(type);
    int64_t length = mlc_type_dim(type, rank - 1);
    // A length of 1 is no mask of all keys, but of the first.
    if (length == a->columns || length == MLC_DYNAMIC || a->columns == MLC_DYNAMIC)
        return mask;
    if (length > a->columns)
        return mlc_onnx_invalid(n, "a mask of type %s for %" PRId64 " keys", mlc_type_text(type),
                                a->columns),
               NULL;
    MlcType element = mlc_type_element(type);
    bool is_float = mlc_type_is_float(element);
    pads[2 * rank - 1] = a->columns - length;
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    if (is_float)
        mlc_onnx_add_attr(n, &attrs, "value", mlc_float_attr_get(element, -INFINITY));
    return mlc_onnx_build(n, &mlc_graph_pad_def, &mask, 1, &attrs);
}

// What is added to the scores; NULL with `*ok` still true: nothing.
static MlcValue *
build_bias(MlcOnnxNodeImport *n, MlcOnnxAttention *a, bool *ok)
{
    int64_t causal = 0, left = -1, right = -1;
    MlcValue *bias = NULL, *allowed = NULL;
    if (!mlc_onnx_read_int(n, "is_causal", &causal) ||
        !mlc_onnx_read_int(n, "left_window_size", &left) ||
        !mlc_onnx_read_int(n, "right_window_size", &right))
        return *ok = false, NULL;
    bool is_near = causal || left >= 0 || right >= 0, has_mask = mlc_onnx_input_or_null(n, 3);
    a->may_be_empty = has_mask || a->num_columns || left >= 0 || right >= 0;
    if (causal && right != 0)
        right = 0;
    if (is_near)
        *ok = (allowed = build_distances(n, a, left, right)) != NULL;
    if (*ok && a->num_columns) {
        if (a->columns == MLC_DYNAMIC || a->columns > MLC_ONNX_MAX_ROWS)
            return *ok = mlc_onnx_unsupported(n, "keys of type %s",
                                              mlc_type_text(mlc_value_type(a->k))),
                   NULL;
        allowed = mlc_onnx_build_both(n, allowed,
                                      mlc_onnx_compare(n, &mlc_graph_less_def,
                                                       mlc_onnx_build_count(n, a->columns, 3, 4),
                                                       a->num_columns));
    }
    if (*ok && has_mask) {
        bias = mlc_onnx_lengthen_mask(n, a, mlc_onnx_input_or_null(n, 3));
        if (bias && mlc_type_is_integer(mlc_type_element(mlc_value_type(bias)), 1))
            allowed = mlc_onnx_build_both(n, allowed, bias), bias = NULL;
        else
            *ok = (bias = mlc_onnx_cast(n, bias, a->element)) != NULL;
    }
    if (!*ok || !allowed)
        return bias;
    bias = mlc_onnx_select(n, allowed, bias ? bias : mlc_onnx_build_scalar(n, a->element, 0),
                           mlc_onnx_build_scalar(n, a->element, -INFINITY));
    *ok = bias != NULL;
    return bias;
}

// ---- scores

// The scores with one more column, of each head's sink.
static MlcValue *
add_sink(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *scores)
{
    int64_t column[] = {1, a->q_heads, 1, 1}, grouped[] = {1, a->kv_heads, 0, 1, 1}, shape[5];
    MlcType type = scores ? mlc_value_type(scores) : NULL;
    if (!scores)
        return NULL;
    size_t rank = mlc_type_rank(type);
    grouped[2] = a->q_heads / a->kv_heads;
    memcpy(shape, mlc_type_shape(type), rank * sizeof *shape);
    shape[rank - 1] = 1;
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){shape, rank});
    MlcValue *sink =
        mlc_onnx_reshape(n, a->sink, (MlcOnnxInts){rank == 5 ? grouped : column, rank}, true);
    sink = sink ? mlc_onnx_build(n, &mlc_graph_expand_def, &sink, 1, &attrs) : NULL;
    sink = mlc_onnx_cast(n, sink, mlc_type_element(type));
    return mlc_onnx_concat(n, (MlcValue *[]){scores, sink}, 2, -1);
}

// The softmax of the scores, in the type that is asked for if it is wider; rows that have no key
// are 0.
static MlcValue *
build_softmax(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *scores, MlcValue *bias)
{
    int64_t precision = 0, last = -1;
    MlcType wide = NULL;
    if (!mlc_onnx_read_int(n, "softmax_precision", &precision))
        return NULL;
    if (precision)
        wide = mlc_onnx_element_type(mlc_onnx_context_of(n), precision);
    if (precision && (!wide || !mlc_type_is_float(wide)))
        return mlc_onnx_unsupported(n, "softmax_precision = %" PRId64, precision), NULL;
    bool is_wider = wide && mlc_type_bit_width(wide) > mlc_type_bit_width(a->element);
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", last);
    if (is_wider)
        scores = mlc_onnx_cast(n, scores, wide);
    if (a->sink)
        scores = add_sink(n, a, scores);
    MlcValue *shares =
        scores ? mlc_onnx_build(n, &mlc_graph_softmax_def, &scores, 1, &attrs) : NULL;
    if (a->sink && shares)
        shares = mlc_onnx_slice(n, shares, (MlcOnnxInts){(int64_t[]){0}, 1},
                                (MlcOnnxInts){(int64_t[]){-1}, 1}, (MlcOnnxInts){&last, 1},
                                (MlcOnnxInts){0});
    if (bias && a->may_be_empty) {
        MlcValue *most =
            mlc_onnx_reduce_axes(n, &mlc_graph_reduce_max_def, bias, (MlcOnnxInts){&last, 1});
        MlcValue *none = mlc_onnx_build_scalar(n, a->element, -INFINITY);
        MlcValue *zero = mlc_onnx_build_scalar(n, is_wider ? wide : a->element, 0);
        shares =
            mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, most, none), zero, shares);
    }
    return mlc_onnx_cast(n, shares, a->element);
}

static MlcValue *
build_scores(MlcOnnxNodeImport *n, const MlcOnnxAttention *a)
{
    float scale = a->scale != 0 ? a->scale : 1 / sqrtf((float)a->size);
    MlcValue *factor = mlc_onnx_build_scalar(n, a->element, (double)scale);
    MlcValue *q = mlc_onnx_build_two(n, &mlc_graph_mul_def, group_heads(n, a, a->q), factor);
    bool is_grouped = a->q_heads != a->kv_heads;
    const int64_t swap[] = {0, 1, 3, 2}, swap_grouped[] = {0, 1, 2, 4, 3};
    MlcValue *k = q ? group_heads(n, a, a->k) : NULL;
    k = k ? mlc_onnx_transpose(n, k,
                               (MlcOnnxInts){is_grouped ? swap_grouped : swap, is_grouped ? 5 : 4})
          : NULL;
    return mlc_onnx_build_two(n, &mlc_graph_matmul_def, q, k);
}

static MlcValue *
cap_scores(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *scores)
{
    MlcValue *limit = mlc_onnx_build_scalar(n, a->element, (double)a->cap);
    MlcValue *part = mlc_onnx_build_two(n, &mlc_graph_div_def, scores, limit);
    return mlc_onnx_build_two(n, &mlc_graph_mul_def,
                              mlc_onnx_build_one(n, &mlc_graph_tanh_def, part), limit);
}

MlcValue *
mlc_onnx_attend(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *bias,
                MlcValue *stages[MLC_ONNX_NUM_STAGES])
{
    MlcValue *scores = build_scores(n, a);
    stages[MLC_ONNX_SCORES] = scores;
    if (scores && a->cap > 0)
        scores = cap_scores(n, a, scores);
    stages[MLC_ONNX_CAPPED] = scores;
    bias = group_heads(n, a, bias);
    if (scores && bias)
        scores = mlc_onnx_build_two(n, &mlc_graph_add_def, scores, bias);
    stages[MLC_ONNX_BIASED] = scores;
    scores = scores ? build_softmax(n, a, scores, bias) : NULL;
    stages[MLC_ONNX_SHARES] = scores;
    MlcValue *v = scores ? group_heads(n, a, a->v) : NULL;
    return ungroup_heads(n, a, mlc_onnx_build_two(n, &mlc_graph_matmul_def, scores, v));
}

MlcValue *
mlc_onnx_attention_stage(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *const *stages,
                         size_t which)
{
    return ungroup_heads(n, a, stages[which]);
}

static bool
read_num_columns(MlcOnnxNodeImport *n, MlcOnnxAttention *a)
{
    MlcValue *given = mlc_onnx_input_or_null(n, 6);
    if (!given)
        return true;
    if (mlc_onnx_input_or_null(n, 4))
        return mlc_onnx_invalid(n, "past keys and numbers of keys cannot be given together");
    a->num_columns = mlc_onnx_reshape(n, given, (MlcOnnxInts){(int64_t[]){-1, 1, 1, 1}, 4}, true);
    return a->num_columns != NULL;
}

static bool
import_attention(MlcOnnxNodeImport *n)
{
    MlcOnnxAttention a = {0};
    int64_t mode = 0;
    bool ok = true;
    if (!mlc_onnx_read_float(n, "softcap", &a.cap) ||
        !mlc_onnx_read_int(n, "qk_matmul_output_mode", &mode) || !read_inputs(n, &a) ||
        !read_num_columns(n, &a))
        return false;
    a.scale = 1 / sqrtf((float)a.size);
    if (!mlc_onnx_read_float(n, "scale", &a.scale))
        return false;
    if (mode < 0 || mode >= MLC_ONNX_NUM_STAGES)
        return mlc_onnx_invalid(n, "attribute 'qk_matmul_output_mode' is %" PRId64, mode);
    MlcValue *bias = build_bias(n, &a, &ok), *stages[MLC_ONNX_NUM_STAGES];
    MlcValue *value = ok ? mlc_onnx_attend(n, &a, bias, stages) : NULL;
    if (!value || !mlc_onnx_set_result(n, a.is_packed ? mlc_onnx_pack_heads(n, value) : value))
        return false;
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = a.k;
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] = a.v;
    if (mlc_onnx_has_output(n, 3))
        n->outputs[3] = mlc_onnx_attention_stage(n, &a, stages, (size_t)mode);
    return true;
}

// ---- FlexAttention, of the domain ai.onnx.preview

// What the subgraph makes of `value`, of the same shape; `value` where there is none.
static MlcValue *
modified(MlcOnnxNodeImport *n, const char *name, MlcValue *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_GRAPH, &ok);
    if (!ok || !value || !a || !a->g)
        return ok ? value : NULL;
    MlcValueVec results = {0};
    ok = mlc_onnx_import_subgraph(n, name, a->g, &value, 1, &results);
    MlcValue *made = ok && results.size == 1 ? results.data[0] : NULL;
    if (ok && results.size != 1)
        mlc_onnx_invalid(n, "'%s' has %zu outputs, expected 1", name, results.size);
    else if (made &&
             mlc_type_element(mlc_value_type(made)) != mlc_type_element(mlc_value_type(value)))
        made =
            (mlc_onnx_invalid(n, "'%s' makes %s of %s", name, mlc_type_text(mlc_value_type(made)),
                              mlc_type_text(mlc_value_type(value))),
             NULL);
    mlc_vec_release(&results);
    return made;
}

// Rows of queries that share keys one after the other: [N, heads of keys, queries * rows, ...].
static bool
import_flex_attention(MlcOnnxNodeImport *n)
{
    int64_t sizes[3][4], data_type = 0;
    for (size_t i = 0; i < 3; i++) {
        MlcType type = mlc_value_type(n->inputs[i]);
        if (!mlc_type_has_rank(type) || mlc_type_rank(type) != 4 ||
            !mlc_type_has_static_shape(type) || !mlc_type_is_float(mlc_type_element(type)))
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
        memcpy(sizes[i], mlc_type_shape(type), sizeof sizes[i]);
    }
    const int64_t *q = sizes[0], *k = sizes[1], *v = sizes[2];
    if (k[1] < 1 || q[1] % k[1] != 0 || q[0] != k[0] || q[0] != v[0] || k[1] != v[1] ||
        k[2] != v[2] || q[3] != k[3])
        return mlc_onnx_invalid(n, "queries of type %s for keys of type %s and values of type %s",
                                mlc_type_text(mlc_value_type(n->inputs[0])),
                                mlc_type_text(mlc_value_type(n->inputs[1])),
                                mlc_type_text(mlc_value_type(n->inputs[2])));
    float scale = 1 / sqrtf((float)q[3]);
    if (!mlc_onnx_read_float(n, "scale", &scale) ||
        !mlc_onnx_read_int(n, "softmax_precision", &data_type))
        return false;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcType precise = data_type                           ? mlc_onnx_element_type(ctx, data_type)
                      : mlc_type_bit_width(element) == 64 ? element
                                                          : mlc_float_type_get(ctx, MLC_FLOAT_F32);
    if (!precise || !mlc_type_is_float(precise))
        return mlc_onnx_unsupported(n, "softmax_precision = %" PRId64, data_type);
    const int64_t grouped[] = {q[0], k[1], q[1] / k[1] * q[2], q[3]}, swap[] = {0, 1, 3, 2};
    const int64_t scores[] = {q[0], q[1], q[2], k[2]}, shares[] = {q[0], k[1], grouped[2], k[2]};
    const int64_t result[] = {q[0], q[1], q[2], v[3]};
    MlcValue *value = mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){grouped, 4}, true);
    value = mlc_onnx_build_two(n, &mlc_graph_matmul_def, value,
                               mlc_onnx_transpose(n, n->inputs[1], (MlcOnnxInts){swap, 4}));
    value = mlc_onnx_cast(n, value, precise);
    value = mlc_onnx_build_two(n, &mlc_graph_mul_def, value,
                               mlc_onnx_build_scalar(n, precise, (double)scale));
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){scores, 4}, true) : NULL;
    value = modified(n, "score_mod", value);
    value = mlc_onnx_build_one(n, &mlc_graph_softmax_def, value);
    value = modified(n, "prob_mod", value);
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){shares, 4}, true) : NULL;
    value = mlc_onnx_build_two(n, &mlc_graph_matmul_def, mlc_onnx_cast(n, value, element),
                               n->inputs[2]);
    return mlc_onnx_set_result(n, value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){result, 4}, true)
                                        : NULL);
}

static const MlcOnnxOperator preview_rows[] = {
    {"FlexAttention", 1, MLC_ONNX_NEWEST, 3, 3, .import = import_flex_attention},
};
const MlcOnnxOperators mlc_onnx_preview = MLC_ONNX_OPERATORS(preview_rows);

// ---- rotation by position

// cos or sin of each position, [N, 1, rows, size / 2], or [N, rows, 1, size / 2] for packed heads.
static MlcValue *
find_angles(MlcOnnxNodeImport *n, MlcValue *table, MlcValue *positions, bool is_packed)
{
    if (positions)
        table = mlc_onnx_build(n, &mlc_graph_gather_def, (MlcValue *[]){table, positions}, 2, NULL);
    if (!table)
        return NULL;
    MlcType type = mlc_value_type(table);
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) != 3)
        return mlc_onnx_invalid(n, "angles of type %s", mlc_type_text(type)), NULL;
    int64_t shape[] = {mlc_type_dim(type, 0), 1, mlc_type_dim(type, 1), mlc_type_dim(type, 2)};
    if (is_packed)
        shape[1] = shape[2], shape[2] = 1;
    size_t num_unknown = 0;
    for (size_t k = 0; k < 4; k++)
        if (shape[k] == MLC_DYNAMIC)
            shape[k] = -1, num_unknown++;
    if (num_unknown > 1)
        return mlc_onnx_unsupported(n, "angles of type %s", mlc_type_text(type)), NULL;
    return mlc_onnx_reshape(n, table, (MlcOnnxInts){shape, 4}, true);
}

static MlcValue *
slice_last(MlcOnnxNodeImport *n, MlcValue *value, int64_t start, int64_t end, int64_t step)
{
    return mlc_onnx_slice(n, value, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                          (MlcOnnxInts){(int64_t[]){3}, 1}, (MlcOnnxInts){&step, 1});
}

// Pairs (x, y) of the first `size` of the last dimension turned; halves of it, or neighbours.
static MlcValue *
rotate_pairs(MlcOnnxNodeImport *n, MlcValue *value, int64_t size, bool is_interleaved,
             MlcValue *const angles[2])
{
    int64_t half = size / 2, step = is_interleaved ? 2 : 1;
    const int64_t pair[] = {0, 0, 0, 0, 1}, joined[] = {0, 0, 0, -1};
    MlcValue *x = slice_last(n, value, 0, is_interleaved ? size : half, step);
    MlcValue *y = slice_last(n, value, is_interleaved ? 1 : half, size, step);
    const MlcOpDef *mul = &mlc_graph_mul_def;
    MlcValue *turned[] = {
        mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_build_two(n, mul, x, angles[0]),
                           mlc_onnx_build_two(n, mul, y, angles[1])),
        mlc_onnx_build_two(n, &mlc_graph_add_def, mlc_onnx_build_two(n, mul, x, angles[1]),
                           mlc_onnx_build_two(n, mul, y, angles[0]))};
    for (size_t i = 0; is_interleaved && i < 2; i++) {
        int64_t shape[5];
        memcpy(shape, pair, sizeof pair);
        shape[3] = half;
        turned[i] =
            turned[i] ? mlc_onnx_reshape(n, turned[i], (MlcOnnxInts){shape, 5}, false) : NULL;
    }
    value = mlc_onnx_concat(n, turned, 2, -1);
    return value && is_interleaved ? mlc_onnx_reshape(n, value, (MlcOnnxInts){joined, 4}, false)
                                   : value;
}

MlcValue *
mlc_onnx_rotate(MlcOnnxNodeImport *n, MlcValue *value, int64_t heads,
                const MlcOnnxRotation *rotation)
{
    MlcType type = mlc_value_type(value);
    bool is_packed = mlc_type_has_rank(type) && mlc_type_rank(type) == 3;
    if (!is_packed && !(mlc_type_has_rank(type) && mlc_type_rank(type) == 4))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    int64_t width = mlc_type_dim(type, is_packed ? 2 : 3);
    if (width == MLC_DYNAMIC)
        return mlc_onnx_unknown_size(n, is_packed ? 2 : 3), NULL;
    if (is_packed && (heads < 1 || width % heads != 0))
        return mlc_onnx_invalid(n, "%" PRId64 " heads of an input of type %s", heads,
                                mlc_type_text(type)),
               NULL;
    width /= is_packed ? heads : 1;
    int64_t size = rotation->size ? rotation->size : width;
    if (size < 2 || size > width || size % 2 != 0)
        return mlc_onnx_invalid(n, "%" PRId64 " of %" PRId64 " are rotated", size, width), NULL;
    int64_t unpacked[] = {0, 0, heads, width};
    if (is_packed)
        value = mlc_onnx_reshape(n, value, (MlcOnnxInts){unpacked, 4}, false);
    MlcValue *angles[] = {find_angles(n, rotation->cos, rotation->positions, is_packed), NULL};
    angles[1] = angles[0] ? find_angles(n, rotation->sin, rotation->positions, is_packed) : NULL;
    if (!value || !angles[1])
        return NULL;
    MlcValue *parts[] = {rotate_pairs(n, value, size, rotation->is_interleaved, angles),
                         size < width ? slice_last(n, value, size, width, 1) : NULL};
    value = size < width ? mlc_onnx_concat(n, parts, 2, -1) : parts[0];
    if (value && is_packed)
        value = mlc_onnx_reshape(n, value, (MlcOnnxInts){(int64_t[]){0, 0, -1}, 3}, false);
    return value;
}

static bool
import_rotary_embedding(MlcOnnxNodeImport *n)
{
    int64_t heads = 0, interleaved = 0;
    MlcOnnxRotation rotation = {
        .cos = n->inputs[1], .sin = n->inputs[2], .positions = mlc_onnx_input_or_null(n, 3)};
    if (!mlc_onnx_read_int(n, "num_heads", &heads) ||
        !mlc_onnx_read_int(n, "interleaved", &interleaved) ||
        !mlc_onnx_read_int(n, "rotary_embedding_dim", &rotation.size))
        return false;
    rotation.is_interleaved = interleaved != 0;
    return mlc_onnx_set_result(n, mlc_onnx_rotate(n, n->inputs[0], heads, &rotation));
}

static const MlcOnnxOperator rows[] = {
    {"Attention", 23, MLC_ONNX_NEWEST, 3, 7, .import = import_attention},
    {"RotaryEmbedding", 23, MLC_ONNX_NEWEST, 3, 4, .import = import_rotary_embedding},
};
const MlcOnnxOperators mlc_onnx_attention = MLC_ONNX_OPERATORS(rows);
