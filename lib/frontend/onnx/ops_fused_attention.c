// ops_fused_attention.c -- operators of com.microsoft: attention in the forms that onnxruntime's
// optimisers and its exporters of language models write.
//
// Each becomes what Attention of ONNX becomes (attention.h). What differs is where queries, keys
// and values come from, and what masks say: they add a number of the node's to scores of what is
// masked, and only what a causal mask hides is gone.
#include "attention.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

// Elements `start` to `end` along `axis`.
static MlcValue *
part(MlcOnnxNodeImport *n, MlcValue *value, int64_t axis, int64_t start, int64_t end)
{
    return value ? mlc_onnx_slice(n, value, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                                  (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0})
                 : NULL;
}

static bool
has_rank(MlcValue *value, size_t rank)
{
    MlcType type = value ? mlc_value_type(value) : NULL;
    return type && mlc_type_has_rank(type) && mlc_type_rank(type) == rank;
}

static bool
refuse_type(MlcOnnxNodeImport *n, size_t i)
{
    return mlc_onnx_unsupported(n, "input %zu of type %s", i,
                                mlc_type_text(mlc_value_type(n->inputs[i])));
}

static bool
refuse_inputs(MlcOnnxNodeImport *n, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++)
        if (mlc_onnx_input_or_null(n, i))
            return mlc_onnx_unsupported(n, "its input %zu, '%.*s'", i,
                                        MLC_STR_FMT(n->node->input.items[i]));
    return true;
}

// ---- masks

// Whether keys count, of a mask of one number for a sample: [N], their number, or [2 * N], their
// ends and then their starts.
static MlcValue *
read_ends(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *mask)
{
    int64_t batch = mlc_type_dim(mlc_value_type(a->q), 0), column[] = {-1, 1, 1, 1};
    int64_t size = mlc_type_dim(mlc_value_type(mask), 0);
    if (batch == MLC_DYNAMIC || (size != batch && size != 2 * batch) ||
        a->columns > MLC_ONNX_MAX_ROWS)
        return mlc_onnx_unsupported(n, "a mask of type %s", mlc_type_text(mlc_value_type(mask))),
               NULL;
    mask = mlc_onnx_cast(n, mask, mlc_onnx_i64(n));
    MlcValue *places = mlc_onnx_build_count(n, a->columns, 3, 4), *ends = mask, *starts = NULL;
    if (size != batch) {
        ends = part(n, mask, 0, 0, batch);
        starts = part(n, mask, 0, batch, size);
        starts = starts ? mlc_onnx_reshape(n, starts, (MlcOnnxInts){column, 4}, false) : NULL;
        if (!starts)
            return NULL;
    }
    ends = ends ? mlc_onnx_reshape(n, ends, (MlcOnnxInts){column, 4}, false) : NULL;
    MlcValue *allowed = mlc_onnx_compare(n, &mlc_graph_less_def, places, ends);
    if (!starts)
        return allowed;
    return mlc_onnx_build_both(
        n, allowed, mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, places, starts));
}

// Whether keys count, as the mask says it: by ends, [N, keys], or [N, rows, keys] of integers that
// are above 0 where they do.
static MlcValue *
read_mask(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *mask)
{
    MlcType type = mlc_value_type(mask), element = mlc_type_element(type);
    if (mlc_type_has_rank(type) && mlc_type_rank(type) == 1)
        return read_ends(n, a, mask);
    if (!has_rank(mask, 2) && !has_rank(mask, 3))
        return mlc_onnx_unsupported(n, "a mask of type %s", mlc_type_text(type)), NULL;
    size_t rank = mlc_type_rank(type);
    if (mlc_type_dim(type, rank - 1) != a->columns)
        return mlc_onnx_unsupported(n, "a mask of type %s for %" PRId64 " keys",
                                    mlc_type_text(type), a->columns),
               NULL;
    const int64_t shape[] = {mlc_type_dim(type, 0), 1, rank == 3 ? mlc_type_dim(type, 1) : 1,
                             a->columns};
    mask = mlc_onnx_reshape(n, mask, (MlcOnnxInts){shape, 4}, true);
    if (!mask || mlc_type_is_integer(element, 1))
        return mask;
    return mlc_onnx_compare(n, &mlc_graph_greater_def, mask, mlc_onnx_build_number(n, element, 0));
}

// What is added to the scores: the number `mask_filter_value` where the mask hides a key, as good
// as -infinity where a query comes before one, and input `added`. False after an error.
static bool
build_bias(MlcOnnxNodeImport *n, MlcOnnxAttention *a, MlcValue *mask, size_t added, MlcValue **bias)
{
    float filter = -10000;
    int64_t is_causal = 0;
    MlcValue *zero = mlc_onnx_build_scalar(n, a->element, 0);
    *bias = NULL;
    if (!mlc_onnx_read_float(n, "mask_filter_value", &filter) ||
        !mlc_onnx_read_int(n, "unidirectional", &is_causal) || !zero)
        return false;
    if (mask) {
        *bias = mlc_onnx_select(n, read_mask(n, a, mask), zero,
                                mlc_onnx_build_scalar(n, a->element, (double)filter));
        if (!*bias)
            return false;
    }
    is_causal &= a->rows > 1; // one query comes last
    if (is_causal && (a->rows > MLC_ONNX_MAX_ROWS || a->columns > MLC_ONNX_MAX_ROWS))
        return mlc_onnx_unsupported(n, "a mask for %" PRId64 " keys", a->columns);
    if (is_causal) {
        double lowest = mlc_type_bit_width(a->element) == 16 ? -65504.0 : -(double)FLT_MAX;
        MlcValue *i =
            mlc_onnx_build_two(n, &mlc_graph_add_def, mlc_onnx_build_count(n, a->rows, 0, 2),
                               mlc_onnx_int(n, a->columns - a->rows));
        MlcValue *j = mlc_onnx_build_count(n, a->columns, 1, 2);
        *bias = mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, j, i),
                                *bias ? *bias : zero, mlc_onnx_build_scalar(n, a->element, lowest));
        if (!*bias)
            return false;
    }
    MlcValue *more = mlc_onnx_input_or_null(n, added);
    if (more && *bias)
        *bias = mlc_onnx_build_two(n, &mlc_graph_add_def, *bias, more);
    else if (more)
        *bias = more;
    return !more || *bias;
}

// The result, [N, rows, heads * size], after the heads were measured.
static bool
finish(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, MlcValue *bias,
       MlcValue *stages[MLC_ONNX_NUM_STAGES])
{
    MlcValue *value = mlc_onnx_attend(n, a, bias, stages);
    return mlc_onnx_set_result(n, mlc_onnx_pack_heads(n, value));
}

// Sizes that masks and caches need to know.
static bool
measure(MlcOnnxNodeImport *n, MlcOnnxAttention *a)
{
    if (!a->q || !a->k || !a->v || !mlc_onnx_measure_heads(n, a))
        return false;
    a->element = mlc_type_element(mlc_value_type(a->q));
    if (a->rows == MLC_DYNAMIC || a->columns == MLC_DYNAMIC)
        return mlc_onnx_unsupported(n, "queries of type %s for keys of type %s",
                                    mlc_type_text(mlc_value_type(a->q)),
                                    mlc_type_text(mlc_value_type(a->k)));
    return mlc_onnx_read_float(n, "scale", &a->scale);
}

// ---- Attention, which has the input's projections inside

// The sizes of queries, keys and values: thirds of `width`, or what the attribute says.
static bool
read_sizes(MlcOnnxNodeImport *n, int64_t width, int64_t heads, int64_t sizes[3])
{
    MlcOnnxInts given = {0};
    if (!mlc_onnx_read_ints(n, "qkv_hidden_sizes", &given))
        return false;
    for (size_t i = 0; i < 3; i++)
        sizes[i] = given.count == 3 ? given.items[i] : width / 3;
    int64_t sum = 0;
    for (size_t i = 0; i < 3; i++) {
        if (sizes[i] < 1 || sizes[i] > width || heads < 1 || sizes[i] % heads != 0)
            return mlc_onnx_invalid(n, "%" PRId64 " heads of a size of %" PRId64, heads, sizes[i]);
        sum += sizes[i];
    }
    return sum == width ||
           mlc_onnx_invalid(n, "sizes add up to %" PRId64 ", of %" PRId64, sum, width);
}

// Keys, or values, behind those of the past: [2, N, heads, keys, size] has both.
static MlcValue *
add_past(MlcOnnxNodeImport *n, MlcValue *past, int64_t which, MlcValue *value)
{
    MlcType type = mlc_value_type(past);
    if (!value)
        return NULL;
    const int64_t shape[] = {mlc_type_dim(type, 1), mlc_type_dim(type, 2), mlc_type_dim(type, 3),
                             mlc_type_dim(type, 4)};
    past = part(n, past, 0, which, which + 1);
    past = past ? mlc_onnx_reshape(n, past, (MlcOnnxInts){shape, 4}, true) : NULL;
    return mlc_onnx_concat(n, (MlcValue *[]){past, value}, 2, 2);
}

static MlcValue *
build_present(MlcOnnxNodeImport *n, const MlcOnnxAttention *a)
{
    MlcValue *both[2] = {a->k, a->v};
    for (size_t i = 0; i < 2; i++) {
        MlcType type = mlc_value_type(both[i]);
        if (!mlc_type_has_static_shape(type))
            return mlc_onnx_unsupported(n, "keys of type %s", mlc_type_text(type)), NULL;
        int64_t shape[5] = {1};
        memcpy(shape + 1, mlc_type_shape(type), 4 * sizeof *shape);
        both[i] = mlc_onnx_reshape(n, both[i], (MlcOnnxInts){shape, 5}, true);
    }
    return mlc_onnx_concat(n, both, 2, 0);
}

bool
mlc_onnx_attend_projected(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *mask, MlcValue *past,
                          size_t added)
{
    MlcOnnxAttention a = {.is_packed = true};
    int64_t heads = 0, width = mlc_type_dim(mlc_value_type(x), 2), at = 0, sizes[3];
    MlcValue *bias, *stages[MLC_ONNX_NUM_STAGES];
    if (width == MLC_DYNAMIC)
        return refuse_type(n, 1);
    if (!mlc_onnx_read_int(n, "num_heads", &heads) || !read_sizes(n, width, heads, sizes))
        return false;
    MlcValue **parts[] = {&a.q, &a.k, &a.v};
    a.offset = past ? mlc_type_dim(mlc_value_type(past), 3) : 0;
    for (size_t i = 0; i < 3; at += sizes[i++]) {
        MlcValue *one = part(n, x, 2, at, at + sizes[i]);
        *parts[i] = one ? mlc_onnx_unpack_heads(n, one, heads) : NULL;
        if (i > 0 && past)
            *parts[i] = add_past(n, past, (int64_t)i - 1, *parts[i]);
    }
    if (!measure(n, &a) || !build_bias(n, &a, mask, added, &bias))
        return false;
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = build_present(n, &a);
    return finish(n, &a, bias, stages);
}

static bool
import_attention(MlcOnnxNodeImport *n)
{
    int64_t shares = 0, turns = 0;
    MlcValue *past = mlc_onnx_input_or_null(n, 4);
    if (!mlc_onnx_read_int(n, "past_present_share_buffer", &shares) ||
        !mlc_onnx_read_int(n, "do_rotary", &turns) || !refuse_inputs(n, 6, 6))
        return false;
    if (shares || turns)
        return mlc_onnx_unsupported(n, shares ? "past_present_share_buffer = 1" : "do_rotary = 1");
    for (size_t i = 0; i < 2; i++)
        if (!has_rank(n->inputs[i], 3 - i))
            return refuse_type(n, i);
    if (past && (!has_rank(past, 5) || !mlc_type_has_static_shape(mlc_value_type(past))))
        return refuse_type(n, 4);
    MlcValue *x = mlc_onnx_build_two(n, &mlc_graph_matmul_def, n->inputs[0], n->inputs[1]);
    if (mlc_onnx_input_or_null(n, 2))
        x = mlc_onnx_build_two(n, &mlc_graph_add_def, x, n->inputs[2]);
    return x && mlc_onnx_attend_projected(n, x, mlc_onnx_input_or_null(n, 3), past, 5);
}

// ---- MultiHeadAttention

// Matrix `which` of a packed input, [N, rows, heads, matrices, size], as [N, heads, rows, size].
static MlcValue *
unpack_matrix(MlcOnnxNodeImport *n, MlcValue *packed, int64_t which)
{
    MlcType type = mlc_value_type(packed);
    const int64_t shape[] = {mlc_type_dim(type, 0), mlc_type_dim(type, 1), mlc_type_dim(type, 2),
                             mlc_type_dim(type, 4)};
    packed = part(n, packed, 3, which, which + 1);
    packed = packed ? mlc_onnx_reshape(n, packed, (MlcOnnxInts){shape, 4}, true) : NULL;
    return packed ? mlc_onnx_transpose(n, packed, (MlcOnnxInts){(int64_t[]){0, 2, 1, 3}, 4}) : NULL;
}

// Input `i`, [N, rows, size], with its part of the bias, from `*at` on.
static MlcValue *
read_projected(MlcOnnxNodeImport *n, size_t i, int64_t heads, int64_t *at)
{
    MlcValue *value = n->inputs[i], *bias = mlc_onnx_input_or_null(n, 3);
    int64_t size = mlc_type_dim(mlc_value_type(value), 2), start = *at;
    if (size == MLC_DYNAMIC)
        return refuse_type(n, i), NULL;
    *at += size;
    if (bias)
        value = mlc_onnx_build_two(n, &mlc_graph_add_def, value, part(n, bias, 0, start, *at));
    return value ? mlc_onnx_unpack_heads(n, value, heads) : NULL;
}

static bool
is_packed(MlcOnnxNodeImport *n, size_t i, int64_t matrices)
{
    MlcType type = mlc_value_type(n->inputs[i]);
    return has_rank(n->inputs[i], 5) && mlc_type_has_static_shape(type) &&
           mlc_type_dim(type, 3) == matrices;
}

// Queries, keys and values: each by itself, keys and values together, all three together, or keys
// and values with heads apart, as another step left them.
static bool
read_heads(MlcOnnxNodeImport *n, MlcOnnxAttention *a, int64_t heads)
{
    MlcValue *key = mlc_onnx_input_or_null(n, 1), *value = mlc_onnx_input_or_null(n, 2);
    int64_t at = 0;
    if (!key && !value) {
        if (!is_packed(n, 0, 3))
            return refuse_type(n, 0);
        if (!refuse_inputs(n, 3, 3))
            return false;
        a->q = unpack_matrix(n, n->inputs[0], 0);
        a->k = unpack_matrix(n, n->inputs[0], 1);
        a->v = unpack_matrix(n, n->inputs[0], 2);
        return a->q && a->k && a->v;
    }
    if (!has_rank(n->inputs[0], 3))
        return refuse_type(n, 0);
    if (!(a->q = read_projected(n, 0, heads, &at)))
        return false;
    if (key && !value) {
        if (!is_packed(n, 1, 2))
            return refuse_type(n, 1);
        a->k = unpack_matrix(n, key, 0);
        a->v = unpack_matrix(n, key, 1);
        return a->k && a->v;
    }
    if (!key)
        return mlc_onnx_invalid(n, "input 1 is required");
    if (has_rank(key, 4) && has_rank(value, 4)) {
        a->k = key;
        a->v = value;
        return true;
    }
    for (size_t i = 1; i < 3; i++)
        if (!has_rank(n->inputs[i], 3))
            return refuse_type(n, i);
    a->k = read_projected(n, 1, heads, &at);
    a->v = a->k ? read_projected(n, 2, heads, &at) : NULL;
    return a->v != NULL;
}

static bool
import_multi_head_attention(MlcOnnxNodeImport *n)
{
    MlcOnnxAttention a = {.is_packed = true};
    int64_t heads = 0;
    MlcValue *past_key = mlc_onnx_input_or_null(n, 6), *past_value = mlc_onnx_input_or_null(n, 7);
    MlcValue *bias, *stages[MLC_ONNX_NUM_STAGES];
    if (!mlc_onnx_read_int(n, "num_heads", &heads) || !refuse_inputs(n, 8, 9))
        return false;
    if (!past_key != !past_value)
        return mlc_onnx_invalid(n, "past keys and past values must be given together");
    if (!read_heads(n, &a, heads))
        return false;
    for (size_t i = 6; past_key && i < 8; i++)
        if (!has_rank(n->inputs[i], 4) ||
            mlc_type_dim(mlc_value_type(n->inputs[i]), 2) == MLC_DYNAMIC)
            return refuse_type(n, i);
    if (past_key) {
        a.offset = mlc_type_dim(mlc_value_type(past_key), 2);
        a.k = mlc_onnx_concat(n, (MlcValue *[]){past_key, a.k}, 2, 2);
        a.v = mlc_onnx_concat(n, (MlcValue *[]){past_value, a.v}, 2, 2);
    }
    if (!measure(n, &a) || !build_bias(n, &a, mlc_onnx_input_or_null(n, 4), 5, &bias) ||
        !finish(n, &a, bias, stages))
        return false;
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = a.k;
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] = a.v;
    if (mlc_onnx_has_output(n, 3))
        n->outputs[3] = mlc_onnx_attention_stage(n, &a, stages, MLC_ONNX_BIASED);
    return true;
}

// ---- GroupQueryAttention

// Where each sample's keys stand: inputs say how many it has with the new ones, and how many there
// are at most.
typedef struct Cache {
    int64_t batch, length; // of what comes out
    int64_t past;          // room in what comes in
    MlcValue *start;       // [batch]: of the new keys
    MlcValue *is_first;    // a truth value: nothing is past; NULL: it is `begins`
    bool begins;
    bool appends; // new keys stand behind all there is room for in the past
} Cache;

// The length of what comes out, as it is declared; or else the largest number there is.
static bool
find_length(MlcOnnxNodeImport *n, Cache *cache)
{
    MlcOnnxInts total = {0};
    bool is_known = mlc_value_constant(n->inputs[6]) != NULL;
    int64_t declared = mlc_onnx_declared_size(n, 1, 2);
    if (!is_known && declared >= cache->past && declared > 0) {
        cache->length = declared;
        return true;
    }
    if (!mlc_onnx_constant_ints(n, 6, &total))
        return false;
    if (total.count != 1 || total.items[0] < 1 || total.items[0] > MLC_ONNX_MAX_ROWS)
        return mlc_onnx_invalid(n, "input 6 must be a number of keys");
    cache->length = total.items[0] > cache->past ? total.items[0] : cache->past;
    return true;
}

static bool
is_all(MlcValue *value, int64_t number)
{
    MlcAttr constant = mlc_value_constant(value);
    int64_t count = constant ? mlc_type_num_elements(mlc_attr_type(constant)) : 0, item;
    for (int64_t i = 0; i < count; i++)
        if (!mlc_onnx_element_int(mlc_elements_attr_element(constant, (size_t)i), &item) ||
            item != number)
            return false;
    return count > 0;
}

static bool
find_cache(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, Cache *cache)
{
    int64_t rows = a->rows, batch = mlc_type_dim(mlc_value_type(a->q), 0);
    MlcValue *past = mlc_onnx_input_or_null(n, 3), *given = n->inputs[5];
    if (batch == MLC_DYNAMIC || rows < 1 || rows > MLC_ONNX_MAX_ROWS)
        return refuse_type(n, 0);
    if (!mlc_onnx_can_list(n, batch))
        return false;
    for (size_t i = 3; i < 5; i++) { // keys, values
        MlcValue *all = mlc_onnx_input_or_null(n, i);
        if (all && (!has_rank(all, 4) || !mlc_type_has_static_shape(mlc_value_type(all))))
            return refuse_type(n, i);
    }
    cache->batch = batch;
    cache->past = past ? mlc_type_dim(mlc_value_type(past), 2) : 0;
    if (!find_length(n, cache))
        return false;
    MlcValue *total = mlc_onnx_cast(n, n->inputs[6], mlc_onnx_i64(n));
    total = total ? mlc_onnx_reshape(n, total, (MlcOnnxInts){NULL, 0}, true) : NULL;
    MlcValue *is_first = mlc_onnx_compare(n, &mlc_graph_equal_def, total, mlc_onnx_int(n, rows));
    given = mlc_onnx_cast(n, given, mlc_onnx_i64(n));
    given = given ? mlc_onnx_reshape(n, given, (MlcOnnxInts){&batch, 1}, true) : NULL;
    MlcValue *start = mlc_onnx_build_two(n, &mlc_graph_sub_def, given, mlc_onnx_int(n, rows - 1));
    cache->start = mlc_onnx_select(n, is_first, mlc_onnx_int(n, 0), start);
    if (!cache->start)
        return false;
    cache->is_first = mlc_value_constant(is_first) ? NULL : is_first;
    cache->begins = !cache->is_first && is_all(n->inputs[6], rows);
    if (cache->begins) // whatever the number of keys is
        cache->start =
            mlc_onnx_build_ints(n, MLC_NEW_ARRAY(&n->import->arena, int64_t, batch), &batch, 1);
    cache->appends = cache->past + rows == cache->length && is_all(cache->start, cache->past);
    return true;
}

// The keys, or values, of input `past` with new ones in their places; beyond are zeros.
static MlcValue *
write_cache(MlcOnnxNodeImport *n, const Cache *cache, size_t past, MlcValue *value)
{
    int64_t pads[8] = {0}, column[] = {cache->batch, 1, 1, 1};
    MlcValue *all = mlc_onnx_input_or_null(n, past);
    if (!value)
        return NULL;
    if (cache->appends)
        return cache->past ? mlc_onnx_concat(n, (MlcValue *[]){all, value}, 2, 2) : value;
    MlcType type = mlc_value_type(value);
    MlcOnnxAttrs attrs = {0};
    if (!all) {
        int64_t shape[4];
        memcpy(shape, mlc_type_shape(type), sizeof shape);
        shape[2] = cache->length;
        mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){shape, 4});
        all = mlc_onnx_build_scalar(n, mlc_type_element(type), 0);
        all = all ? mlc_onnx_build(n, &mlc_graph_expand_def, &all, 1, &attrs) : NULL;
    } else if (cache->past < cache->length) {
        pads[6] = cache->length - cache->past;
        mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 8});
        all = mlc_onnx_build(n, &mlc_graph_pad_def, &all, 1, &attrs);
    }
    if (all && mlc_onnx_input_or_null(n, past)) { // what is behind the past may be no number
        MlcValue *start = mlc_onnx_reshape(n, cache->start, (MlcOnnxInts){column, 4}, true);
        MlcValue *is_past = mlc_onnx_compare(n, &mlc_graph_less_def,
                                             mlc_onnx_build_count(n, cache->length, 2, 4), start);
        all = mlc_onnx_select(n, is_past, all, mlc_onnx_build_scalar(n, mlc_type_element(type), 0));
    }
    return all ? mlc_onnx_write_cache(n, all, value, cache->start, 2, false) : NULL;
}

// The positions of the queries, [batch, rows].
static MlcValue *
find_positions(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, const Cache *cache)
{
    int64_t column[] = {cache->batch, 1};
    MlcValue *given = mlc_onnx_input_or_null(n, 9), *rows = mlc_onnx_build_count(n, a->rows, 1, 2);
    MlcValue *start = mlc_onnx_reshape(n, cache->start, (MlcOnnxInts){column, 2}, true);
    MlcValue *own = mlc_onnx_build_two(n, &mlc_graph_add_def, start, rows);
    if (!given || !own)
        return own;
    if (!has_rank(given, 2))
        return refuse_type(n, 9), NULL;
    given = mlc_onnx_cast(n, given, mlc_onnx_i64(n));
    // The first time only the first one is read.
    MlcValue *first = part(n, part(n, given, 0, 0, 1), 1, 0, 1);
    first = mlc_onnx_build_two(n, &mlc_graph_add_def, first, rows);
    if (!cache->is_first)
        return cache->begins ? first : given;
    return mlc_onnx_select(n, cache->is_first, first, given);
}

// Queries and keys turned by their positions.
static bool
turn(MlcOnnxNodeImport *n, MlcOnnxAttention *a, const Cache *cache)
{
    int64_t is_interleaved = 0, is_asked = 0;
    MlcOnnxRotation rotation = {.cos = mlc_onnx_input_or_null(n, 7),
                                .sin = mlc_onnx_input_or_null(n, 8)};
    if (!mlc_onnx_read_int(n, "do_rotary", &is_asked) ||
        !mlc_onnx_read_int(n, "rotary_interleaved", &is_interleaved))
        return false;
    if (!is_asked)
        return true;
    if (!rotation.cos || !rotation.sin)
        return mlc_onnx_invalid(n, "inputs 7 and 8 are required where do_rotary is 1");
    if (!has_rank(rotation.cos, 2) || mlc_type_dim(mlc_value_type(rotation.cos), 1) == MLC_DYNAMIC)
        return refuse_type(n, 7);
    rotation.size = 2 * mlc_type_dim(mlc_value_type(rotation.cos), 1);
    rotation.is_interleaved = is_interleaved != 0;
    rotation.positions = find_positions(n, a, cache);
    a->q = rotation.positions ? mlc_onnx_rotate(n, a->q, a->q_heads, &rotation) : NULL;
    a->k = a->q ? mlc_onnx_rotate(n, a->k, a->kv_heads, &rotation) : NULL;
    return a->k != NULL;
}

// What is added to the scores: -infinity for keys behind a query, before its window, and beyond
// those of its sample; and input 10.
static MlcValue *
build_cache_bias(MlcOnnxNodeImport *n, const MlcOnnxAttention *a, const Cache *cache)
{
    int64_t is_causal = 1, window = -1, column[] = {cache->batch, 1, 1, 1};
    MlcValue *zero = mlc_onnx_build_scalar(n, a->element, 0);
    MlcValue *bias = mlc_onnx_input_or_null(n, 10), *given = NULL;
    if (!mlc_onnx_read_int(n, "causal", &is_causal) ||
        !mlc_onnx_read_int(n, "local_window_size", &window) || !zero)
        return NULL;
    given = mlc_onnx_cast(n, n->inputs[5], mlc_onnx_i64(n));
    given = given ? mlc_onnx_reshape(n, given, (MlcOnnxInts){column, 4}, true) : NULL;
    MlcValue *start = mlc_onnx_reshape(n, cache->start, (MlcOnnxInts){column, 4}, true);
    MlcValue *j = mlc_onnx_build_count(n, a->columns, 3, 4);
    MlcValue *i =
        mlc_onnx_build_two(n, &mlc_graph_add_def, start, mlc_onnx_build_count(n, a->rows, 2, 4));
    MlcValue *last = is_causal ? mlc_onnx_build_two(n, &mlc_graph_min_def, i, given) : given;
    MlcValue *allowed = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, j, last);
    if (window > 0 && allowed)
        allowed =
            mlc_onnx_build_both(n, allowed,
                                mlc_onnx_compare(n, &mlc_graph_greater_def, j,
                                                 mlc_onnx_build_two(n, &mlc_graph_sub_def, i,
                                                                    mlc_onnx_int(n, window))));
    if (bias)
        bias = mlc_onnx_lengthen_mask(n, a, bias);
    else
        bias = zero;
    return mlc_onnx_select(n, allowed, bias, mlc_onnx_build_scalar(n, a->element, -INFINITY));
}

// Queries, keys and values, apart or one behind the other.
static bool
read_grouped(MlcOnnxNodeImport *n, MlcOnnxAttention *a)
{
    int64_t heads = 0, kv_heads = 0;
    MlcValue *inputs[] = {n->inputs[0], mlc_onnx_input_or_null(n, 1), mlc_onnx_input_or_null(n, 2)};
    if (!mlc_onnx_read_int(n, "num_heads", &heads) ||
        !mlc_onnx_read_int(n, "kv_num_heads", &kv_heads))
        return false;
    if (!has_rank(inputs[0], 3) || mlc_type_dim(mlc_value_type(inputs[0]), 2) == MLC_DYNAMIC)
        return refuse_type(n, 0);
    if (heads < 1 || kv_heads < 1 || heads > INT16_MAX || kv_heads > heads)
        return mlc_onnx_invalid(n, "%" PRId64 " heads of queries for %" PRId64 " of keys", heads,
                                kv_heads);
    if (!inputs[1] != !inputs[2])
        return mlc_onnx_invalid(n, "keys and values must be given together");
    if (!inputs[1]) {
        int64_t width = mlc_type_dim(mlc_value_type(inputs[0]), 2);
        int64_t size = width / (heads + 2 * kv_heads), at = heads * size;
        inputs[1] = part(n, inputs[0], 2, at, at + kv_heads * size);
        inputs[2] = part(n, inputs[0], 2, at + kv_heads * size, width);
        inputs[0] = part(n, inputs[0], 2, 0, at);
    }
    for (size_t i = 0; i < 3; i++)
        if (!has_rank(inputs[i], 3))
            return inputs[i] ? refuse_type(n, i) : false;
    a->q = mlc_onnx_unpack_heads(n, inputs[0], heads);
    a->k = a->q ? mlc_onnx_unpack_heads(n, inputs[1], kv_heads) : NULL;
    a->v = a->k ? mlc_onnx_unpack_heads(n, inputs[2], kv_heads) : NULL;
    return measure(n, a);
}

static bool
read_sink(MlcOnnxNodeImport *n, MlcOnnxAttention *a)
{
    int64_t is_smooth = 0;
    a->sink = mlc_onnx_input_or_null(n, 11);
    if (!mlc_onnx_read_int(n, "smooth_softmax", &is_smooth))
        return false;
    if (a->sink || is_smooth != 1)
        return true;
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){&a->q_heads, 1});
    MlcValue *zero = mlc_onnx_build_scalar(n, a->element, 0);
    a->sink = zero ? mlc_onnx_build(n, &mlc_graph_expand_def, &zero, 1, &attrs) : NULL;
    return a->sink != NULL;
}

static bool
import_group_query_attention(MlcOnnxNodeImport *n)
{
    MlcOnnxAttention a = {.is_packed = true};
    Cache cache = {0};
    int64_t evicts = 0;
    MlcValue *stages[MLC_ONNX_NUM_STAGES];
    for (size_t i = 5; i < 7; i++)
        if (!mlc_onnx_input_or_null(n, i))
            return mlc_onnx_invalid(n, "input %zu is required", i);
    if (!mlc_onnx_read_int(n, "sliding_window_cache", &evicts) ||
        !mlc_onnx_read_float(n, "softcap", &a.cap) || !refuse_inputs(n, 12, 15) ||
        !read_grouped(n, &a) || !read_sink(n, &a))
        return false;
    if (evicts)
        return mlc_onnx_unsupported(n, "sliding_window_cache = 1");
    if (!find_cache(n, &a, &cache) || !turn(n, &a, &cache))
        return false;
    a.k = write_cache(n, &cache, 3, a.k);
    a.v = a.k ? write_cache(n, &cache, 4, a.v) : NULL;
    a.columns = cache.length;
    MlcValue *bias = a.v ? build_cache_bias(n, &a, &cache) : NULL;
    if (!bias || !finish(n, &a, bias, stages))
        return false;
    n->outputs[1] = mlc_onnx_has_output(n, 1) ? a.k : NULL;
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] = a.v;
    return true;
}

// ---- rotation by position

static bool
import_rotary_embedding(MlcOnnxNodeImport *n)
{
    int64_t heads = 0, interleaved = 0, is_ragged = 0;
    float scale = 1;
    MlcValue *positions = mlc_onnx_cast(n, n->inputs[1], mlc_onnx_i64(n));
    MlcOnnxRotation rotation = {.cos = n->inputs[2], .sin = n->inputs[3]};
    MlcType type = mlc_value_type(n->inputs[0]), angles = mlc_value_type(rotation.cos);
    if (!mlc_onnx_read_int(n, "num_heads", &heads) ||
        !mlc_onnx_read_int(n, "interleaved", &interleaved) ||
        !mlc_onnx_read_int(n, "is_packed_batching", &is_ragged) ||
        !mlc_onnx_read_int(n, "rotary_embedding_dim", &rotation.size) ||
        !mlc_onnx_read_float(n, "scale", &scale))
        return false;
    bool is_split = has_rank(n->inputs[0], 4);
    if ((!is_split && !has_rank(n->inputs[0], 3)) || !mlc_type_has_static_shape(type))
        return refuse_type(n, 0);
    if (!has_rank(rotation.cos, 2) || mlc_type_dim(angles, 1) == MLC_DYNAMIC)
        return refuse_type(n, 2);
    if (is_ragged || scale != 1)
        return mlc_onnx_unsupported(n, is_ragged ? "is_packed_batching = 1" : "a scale");
    if (!is_split && heads == 0) // heads as large as the tables say
        heads = mlc_type_dim(type, 2) / (2 * mlc_type_dim(angles, 1));
    if (rotation.size == 0)
        rotation.size = 2 * mlc_type_dim(angles, 1);
    rotation.is_interleaved = interleaved != 0;
    if (has_rank(positions, 1)) { // of the first row
        int64_t whole[] = {mlc_type_dim(type, 0), 0}, rows = mlc_type_dim(type, is_split ? 2 : 1);
        MlcOnnxAttrs attrs = {0};
        whole[1] = rows;
        mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){whole, 2});
        positions = mlc_onnx_build_two(n, &mlc_graph_add_def, positions,
                                       mlc_onnx_build_count(n, rows, 1, 2));
        positions =
            positions ? mlc_onnx_build(n, &mlc_graph_expand_def, &positions, 1, &attrs) : NULL;
    }
    rotation.positions = positions;
    return positions && mlc_onnx_set_result(n, mlc_onnx_rotate(n, n->inputs[0], heads, &rotation));
}

static const MlcOnnxOperator rows[] = {
    {"Attention", 1, MLC_ONNX_NEWEST, 2, 7, .one_type = 0x37, .import = import_attention},
    {"GroupQueryAttention", 1, MLC_ONNX_NEWEST, 1, 16, .one_type = 0xd9f,
     .import = import_group_query_attention},
    {"MultiHeadAttention", 1, MLC_ONNX_NEWEST, 1, 10, .one_type = 0xef,
     .import = import_multi_head_attention},
    {"RotaryEmbedding", 1, MLC_ONNX_NEWEST, 4, 4, .one_type = 0xd,
     .import = import_rotary_embedding},
};
const MlcOnnxOperators mlc_onnx_fused_attention = MLC_ONNX_OPERATORS(rows);
