// ops_text.c -- ONNX operators that look into strings, and TfIdfVectorizer, which counts them.
//
// What is done with the bytes of a string is asked of the runtime, element by element. All else is
// ops on the strings' numbers: stop words are comparisons, n-grams too.
#include "found_sizes.h"
#include "strings_of.h"

#include "mlc/support/regex.h"

#include <inttypes.h>

static MlcType
string_of(MlcOnnxNodeImport *n)
{
    return mlc_onnx_string_type(mlc_onnx_context_of(n));
}

static MlcOnnxInts
shape_of(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return (MlcOnnxInts){mlc_type_shape(type), mlc_type_rank(type)};
}

// Input `i` as strings of a known shape.
static bool
check_strings(MlcOnnxNodeImport *n, size_t i)
{
    MlcType type = mlc_value_type(n->inputs[i]);
    return (mlc_type_is_string(mlc_type_element(type)) && mlc_type_has_small_rank(type) &&
            mlc_type_has_static_shape(type)) ||
           mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
}

// One string of the model, as often as the value has elements.
static MlcValue *
repeat(MlcOnnxNodeImport *n, MlcStr text, MlcValue *value)
{
    return mlc_onnx_expand(n, mlc_onnx_build_strings(n->import, &text, NULL, 0), shape_of(value));
}

static bool
read_strings(MlcOnnxNodeImport *n, const char *name, MlcOnnxStrs *list)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_STRINGS, &ok);
    if (a)
        *list = a->strings;
    return ok;
}

// ---- StringConcat

// The shape of both, sizes of 1 repeated; false after an error.
static bool
broadcast(MlcOnnxNodeImport *n, int64_t *shape, size_t *rank)
{
    MlcOnnxInts a = shape_of(n->inputs[0]), b = shape_of(n->inputs[1]);
    *rank = a.count > b.count ? a.count : b.count;
    for (size_t i = 0; i < *rank; i++) {
        int64_t x = i < a.count ? a.items[a.count - 1 - i] : 1;
        int64_t y = i < b.count ? b.items[b.count - 1 - i] : 1;
        if (x != y && x != 1 && y != 1)
            return mlc_onnx_invalid(n, "inputs of types %s and %s do not broadcast",
                                    mlc_type_text(mlc_value_type(n->inputs[0])),
                                    mlc_type_text(mlc_value_type(n->inputs[1])));
        shape[*rank - 1 - i] = x == 1 ? y : x;
    }
    return true;
}

static bool
import_concat(MlcOnnxNodeImport *n)
{
    int64_t shape[MLC_SMALL_RANK];
    size_t rank;
    if (!check_strings(n, 0) || !check_strings(n, 1) || !broadcast(n, shape, &rank))
        return false;
    MlcValue *both[2];
    for (size_t i = 0; i < 2; i++)
        both[i] = mlc_onnx_expand(n, n->inputs[i], (MlcOnnxInts){shape, rank});
    return mlc_onnx_set_result(n, mlc_onnx_text(n, "concat", string_of(n), both, 2));
}

// ---- StringNormalizer

typedef struct Normalizer {
    const char *change; // "lower", "upper"; NULL: none
    bool is_case_sensitive;
    MlcOnnxStrs stops;
} Normalizer;

static bool
read_normalizer(MlcOnnxNodeImport *n, Normalizer *how)
{
    MlcStr change = mlc_str("NONE");
    int64_t sensitive = 0;
    if (!mlc_onnx_read_str(n, "case_change_action", &change) ||
        !mlc_onnx_read_int(n, "is_case_sensitive", &sensitive) ||
        !read_strings(n, "stopwords", &how->stops))
        return false;
    how->is_case_sensitive = sensitive != 0;
    how->change = mlc_str_equal(change, mlc_str("LOWER"))   ? "lower"
                  : mlc_str_equal(change, mlc_str("UPPER")) ? "upper"
                                                            : NULL;
    return how->change || mlc_str_equal(change, mlc_str("NONE")) ||
           mlc_onnx_invalid(n, "'case_change_action' is '%.*s', expected LOWER, UPPER or NONE",
                            MLC_STR_FMT(change));
}

// Which of the words [count] are none of the stop words.
static MlcValue *
find_kept(MlcOnnxNodeImport *n, const Normalizer *how, MlcValue *words, int64_t count)
{
    int64_t num_stops = (int64_t)how->stops.count, column[] = {count, 1}, last = 1;
    MlcValue *stops = mlc_onnx_build_strings(n->import, how->stops.items, &num_stops, 1);
    if (!how->is_case_sensitive) {
        words = mlc_onnx_text(n, "lower", string_of(n), &words, 1);
        stops = mlc_onnx_text(n, "lower", string_of(n), &stops, 1);
    }
    words = words ? mlc_onnx_reshape(n, words, (MlcOnnxInts){column, 2}, true) : NULL;
    MlcValue *is_stop = mlc_onnx_compare(n, &mlc_graph_equal_def, words, stops);
    MlcOnnxAttrs over = {0};
    mlc_onnx_add_ints(n, &over, "axes", (MlcOnnxInts){&last, 1});
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    is_stop = mlc_onnx_cast(n, is_stop, mlc_onnx_i64(n));
    is_stop = is_stop ? mlc_onnx_build(n, &mlc_graph_reduce_max_def, &is_stop, 1, &over) : NULL;
    return mlc_onnx_compare(n, &mlc_graph_equal_def, is_stop, mlc_onnx_int(n, 0));
}

// Those that are kept side by side; where none is, an empty string. `*size` is how many there are.
static MlcValue *
keep_words(MlcOnnxNodeImport *n, MlcValue *words, MlcValue *is_kept, int64_t count, MlcValue **size)
{
    MlcOnnxAttrs over = {0};
    MlcStr nothing = mlc_str("");
    MlcValue *ones = mlc_onnx_cast(n, is_kept, mlc_onnx_i64(n));
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    if (!ones)
        return NULL;
    MlcValue *places =
        mlc_onnx_build_typed(n, &mlc_graph_true_places_def, mlc_onnx_i64(n), &is_kept, 1, NULL);
    MlcValue *sum = mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &ones, 1, &over);
    places = mlc_onnx_build_two(n, &mlc_graph_max_def, places, mlc_onnx_int(n, 0));
    MlcValue *kept = mlc_onnx_gather_there(n, words, places, 0);
    MlcValue *is_none = mlc_onnx_compare(n, &mlc_graph_equal_def, sum, mlc_onnx_int(n, 0));
    MlcValue *empty = mlc_onnx_expand(n, mlc_onnx_build_strings(n->import, &nothing, NULL, 0),
                                      (MlcOnnxInts){&count, 1});
    *size = mlc_onnx_build_two(n, &mlc_graph_max_def, sum, mlc_onnx_int(n, 1));
    return mlc_onnx_select(n, is_none, empty, kept);
}

static bool
import_normalizer(MlcOnnxNodeImport *n)
{
    Normalizer how = {0};
    if (!check_strings(n, 0) || !read_normalizer(n, &how))
        return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    size_t rank = mlc_type_rank(type);
    if (rank == 0 || rank > 2 || (rank == 2 && mlc_type_dim(type, 0) != 1))
        return mlc_onnx_invalid(n, "its input has type %s, expected [C] or [1, C]",
                                mlc_type_text(type));
    int64_t count = mlc_type_dim(type, rank - 1), one = 1;
    MlcValue *size = NULL;
    MlcValue *words = mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){&count, 1}, true);
    if (words && how.stops.count > 0 && count > 0) {
        MlcValue *is_kept = find_kept(n, &how, words, count);
        words = is_kept ? keep_words(n, words, is_kept, count, &size) : NULL;
    } else if (words && how.stops.count > 0) {
        words = mlc_onnx_build_strings(n->import, &(MlcStr){"", 0}, &one, 1);
        count = 1;
    }
    if (words && how.change)
        words = mlc_onnx_text(n, how.change, string_of(n), &words, 1);
    int64_t shape[] = {1, count};
    words =
        words ? mlc_onnx_reshape(n, words, (MlcOnnxInts){shape + (2 - rank), rank}, true) : NULL;
    if (!words || !size)
        return mlc_onnx_set_result(n, words);
    return mlc_onnx_give_found(n, 0, words, rank - 1, size, "the number of words that are kept");
}

// ---- StringSplit

enum { MOST_PARTS = 256 }; // where the node does not say it

static bool
give_parts(MlcOnnxNodeImport *n, MlcStr delimiter, int64_t most_cuts, int64_t room)
{
    MlcValue *x = n->inputs[0];
    int64_t count = mlc_type_num_elements(mlc_value_type(x)), column[] = {count, 1};
    int64_t grid[] = {count, room}, shape[MLC_SMALL_RANK + 1];
    size_t rank = mlc_type_rank(mlc_value_type(x));
    MlcOnnxAttrs over = {0};
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    MlcValue *strings = mlc_onnx_reshape(n, x, (MlcOnnxInts){column, 2}, true);
    if (!strings)
        return false;
    MlcValue *asked[4] = {strings, repeat(n, delimiter, strings),
                          mlc_onnx_expand(n, mlc_onnx_int(n, most_cuts), (MlcOnnxInts){column, 2})};
    MlcValue *counts = mlc_onnx_text(n, "parts", mlc_onnx_i64(n), asked, 3);
    MlcValue *most =
        counts ? mlc_onnx_build(n, &mlc_graph_reduce_max_def, &counts, 1, &over) : NULL;
    for (size_t i = 0; i < 3; i++)
        asked[i] = mlc_onnx_expand(n, asked[i], (MlcOnnxInts){grid, 2});
    asked[3] = mlc_onnx_expand(n, mlc_onnx_build_count(n, room, 1, 2), (MlcOnnxInts){grid, 2});
    MlcValue *parts = most ? mlc_onnx_text(n, "part", string_of(n), asked, 4) : NULL;
    MlcValue *fits = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, most, mlc_onnx_int(n, room));
    for (size_t i = 0; i < rank; i++)
        shape[i] = mlc_type_dim(mlc_value_type(x), i);
    shape[rank] = room;
    parts = parts ? mlc_onnx_reshape(n, parts, (MlcOnnxInts){shape, rank + 1}, true) : NULL;
    if (parts && most_cuts < 0)
        parts = mlc_onnx_assert(n, parts, fits, "a string has more than 256 parts");
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] =
            counts ? mlc_onnx_reshape(n, counts, (MlcOnnxInts){shape, rank}, true) : NULL;
    return parts && mlc_onnx_give_found(n, 0, parts, rank, most, "the number of parts");
}

static bool
import_split(MlcOnnxNodeImport *n)
{
    MlcStr delimiter = mlc_str("");
    int64_t cuts = -1, shape[MLC_SMALL_RANK + 1];
    if (!check_strings(n, 0) || !mlc_onnx_read_str(n, "delimiter", &delimiter) ||
        !mlc_onnx_read_int(n, "maxsplit", &cuts))
        return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    size_t rank = mlc_type_rank(type);
    if (rank == MLC_SMALL_RANK || cuts >= INT64_C(1) << 20)
        return mlc_onnx_unsupported(n, "%" PRId64 " cuts of strings of type %s", cuts,
                                    mlc_type_text(type));
    if (mlc_type_num_elements(type) > 0)
        return give_parts(n, delimiter, cuts < 0 ? -1 : cuts, cuts < 0 ? MOST_PARTS : cuts + 1);
    for (size_t i = 0; i < rank; i++)
        shape[i] = mlc_type_dim(type, i);
    shape[rank] = 0;
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = mlc_onnx_build_ints(n, &(int64_t){0}, shape, rank);
    return mlc_onnx_set_result(n, mlc_onnx_build_strings(n->import, NULL, shape, rank + 1));
}

// ---- RegexFullMatch

static bool
import_match(MlcOnnxNodeImport *n)
{
    MlcStr pattern = mlc_str("");
    MlcBuf program = {0}, error = {0};
    if (!check_strings(n, 0) || !mlc_onnx_read_str(n, "pattern", &pattern))
        return false;
    if (!mlc_regex_compile(pattern, &program, &error)) {
        mlc_onnx_unsupported(n, "the pattern '%.*s': %s", MLC_STR_FMT(pattern),
                             mlc_buf_c_str(&error));
        mlc_buf_release(&program);
        mlc_buf_release(&error);
        return false;
    }
    MlcStr kept = mlc_arena_strdup(&n->import->arena, mlc_buf_str(&program));
    mlc_buf_release(&program);
    int64_t literal = mlc_onnx_literal_bytes(n->import, kept);
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcValue *asked[] = {n->inputs[0],
                         mlc_onnx_expand(n, mlc_onnx_int(n, literal), shape_of(n->inputs[0]))};
    MlcValue *matches = mlc_onnx_text(n, "match", mlc_onnx_i64(n), asked, 2);
    return mlc_onnx_set_result(n, matches ? mlc_onnx_cast(n, matches, i1) : NULL);
}

// ---- Cast

static MlcValue *
text_of_numbers(MlcOnnxNodeImport *n, MlcValue *x)
{
    MlcType element = mlc_type_element(mlc_value_type(x));
    MlcContext *ctx = mlc_onnx_context_of(n);
    bool is_double = mlc_type_is_float(element) && mlc_type_bit_width(element) == 64;
    const char *what = "from_i64";
    if (mlc_type_is_float(element)) {
        what = is_double ? "from_f64" : "from_f32";
        if (!is_double)
            x = mlc_onnx_cast(n, x, mlc_float_type_get(ctx, MLC_FLOAT_F32));
        x = mlc_onnx_bitcast(n, x, mlc_integer_type_get(ctx, is_double ? 64 : 32, MLC_SIGNLESS));
    } else if (mlc_onnx_is_unsigned(element) && mlc_type_bit_width(element) == 64) {
        return mlc_onnx_unsupported(n, "a cast of %s to strings", mlc_type_text(element)), NULL;
    }
    x = mlc_onnx_cast(n, x, mlc_onnx_i64(n));
    return x ? mlc_onnx_text(n, what, string_of(n), &x, 1) : NULL;
}

bool
mlc_onnx_cast_strings(MlcOnnxNodeImport *n, MlcType element)
{
    MlcValue *x = n->inputs[0];
    bool is_string = mlc_onnx_is_strings(n->import, x);
    if (is_string && mlc_type_is_string(element))
        return mlc_onnx_set_result(n, x);
    if (!is_string)
        return mlc_onnx_set_result(n, text_of_numbers(n, x));
    if (mlc_type_bit_width(element) == 1)
        return mlc_onnx_unsupported(n, "a cast of strings to truth values");
    bool is_float = mlc_type_is_float(element);
    MlcValue *bits = mlc_onnx_text(n, is_float ? "to_f64" : "to_i64", mlc_onnx_i64(n), &x, 1);
    if (is_float)
        bits = mlc_onnx_bitcast(n, bits, mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64));
    return mlc_onnx_set_result(n, bits ? mlc_onnx_cast(n, bits, element) : NULL);
}

// ---- TfIdfVectorizer

typedef struct Grams {
    MlcOnnxInts counts, indexes, ints; // where each length begins in the pool; places in the result
    MlcOnnxStrs strings;
    MlcOnnxFloats weights;
    int64_t shortest, longest, skips, size; // of the result
    bool is_counted, is_weighted;
    int64_t *tokens; // the pool, of strings their numbers
    size_t num_tokens;
    MlcValue *x; // [rows, columns], i64
    int64_t rows, columns;
} Grams;

static bool
read_mode(MlcOnnxNodeImport *n, Grams *g)
{
    bool ok = true;
    MlcStr mode = mlc_str("TF");
    const MlcOnnxAttribute *weights =
        mlc_onnx_find_attribute(n, "weights", MLC_ONNX_ATTRIBUTE_FLOATS, &ok);
    if (!ok || !mlc_onnx_read_str(n, "mode", &mode))
        return false;
    if (weights)
        g->weights = weights->floats;
    g->is_counted = !mlc_str_equal(mode, mlc_str("IDF"));
    g->is_weighted = !mlc_str_equal(mode, mlc_str("TF"));
    return mlc_str_equal(mode, mlc_str("TF")) || mlc_str_equal(mode, mlc_str("IDF")) ||
           mlc_str_equal(mode, mlc_str("TFIDF")) ||
           mlc_onnx_invalid(n, "'mode' is '%.*s', expected TF, IDF or TFIDF", MLC_STR_FMT(mode));
}

// Tokens of all n-grams, whose counts and places must fit each other.
static bool
read_pool(MlcOnnxNodeImport *n, Grams *g)
{
    bool is_strings = mlc_onnx_is_strings(n->import, n->inputs[0]);
    size_t count = g->num_tokens = is_strings ? g->strings.count : g->ints.count, grams = 0;
    g->tokens = MLC_NEW_ARRAY(&n->import->arena, int64_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        g->tokens[i] =
            is_strings ? mlc_onnx_literal(n->import, g->strings.items[i]) : g->ints.items[i];
        if (is_strings && g->tokens[i] < 0)
            return false;
    }
    for (size_t i = 0; i < g->counts.count; i++) {
        int64_t begin = g->counts.items[i];
        int64_t end = i + 1 < g->counts.count ? g->counts.items[i + 1] : (int64_t)count;
        if (begin < 0 || end < begin || end > (int64_t)count || (end - begin) % (int64_t)(i + 1))
            return mlc_onnx_invalid(
                n, "n-grams of %zu tokens from %" PRId64 " to %" PRId64 " of a pool of %zu", i + 1,
                begin, end, count);
        grams += (size_t)(end - begin) / (i + 1);
    }
    if (grams != g->indexes.count)
        return mlc_onnx_invalid(n, "%zu n-grams with %zu places", grams, g->indexes.count);
    if (grams == 0)
        return mlc_onnx_invalid(n, "it has no n-gram");
    for (size_t i = 0; i < g->indexes.count; i++) {
        int64_t place = g->indexes.items[i];
        if (place < 0 || place >= 1 << 24)
            return mlc_onnx_invalid(n, "an n-gram has the place %" PRId64, place);
        g->size = place >= g->size ? place + 1 : g->size;
    }
    return g->weights.count == 0 || (int64_t)g->weights.count >= g->size ||
           mlc_onnx_invalid(n, "%zu weights for %" PRId64 " places", g->weights.count, g->size);
}

static bool
read_grams(MlcOnnxNodeImport *n, Grams *g)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    size_t rank;
    if (!mlc_onnx_read_int(n, "min_gram_length", &g->shortest) ||
        !mlc_onnx_read_int(n, "max_gram_length", &g->longest) ||
        !mlc_onnx_read_int(n, "max_skip_count", &g->skips) ||
        !mlc_onnx_read_ints(n, "ngram_counts", &g->counts) ||
        !mlc_onnx_read_ints(n, "ngram_indexes", &g->indexes) ||
        !mlc_onnx_read_ints(n, "pool_int64s", &g->ints) ||
        !read_strings(n, "pool_strings", &g->strings) || !read_mode(n, g) || !read_pool(n, g))
        return false;
    if (g->shortest < 1 || g->longest < g->shortest || g->skips < 0)
        return mlc_onnx_invalid(
            n, "n-grams of %" PRId64 " to %" PRId64 " tokens, with %" PRId64 " skipped",
            g->shortest, g->longest, g->skips);
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if ((rank = mlc_type_rank(type)) < 1 || rank > 2)
        return mlc_onnx_invalid(n, "its input has type %s, expected [C] or [N, C]",
                                mlc_type_text(type));
    g->rows = rank == 2 ? mlc_type_dim(type, 0) : 1;
    g->columns = mlc_type_dim(type, rank - 1);
    int64_t shape[] = {g->rows, g->columns};
    MlcValue *x = mlc_onnx_is_strings(n->import, n->inputs[0])
                      ? mlc_onnx_bitcast(n, n->inputs[0], mlc_onnx_i64(n))
                      : mlc_onnx_cast(n, n->inputs[0], mlc_onnx_i64(n));
    g->x = x ? mlc_onnx_reshape(n, x, (MlcOnnxInts){shape, 2}, true) : NULL;
    return g->x != NULL;
}

// [rows, grams]: how often each of `count` n-grams of `length`, from token `begin` on, is there
// with `step` from one of its tokens to the next. NULL: nowhere, or after an error.
static MlcValue *
count_grams(MlcOnnxNodeImport *n, const Grams *g, int64_t begin, int64_t count, int64_t length,
            int64_t step)
{
    int64_t windows = g->columns - (length - 1) * step, one = 1;
    int64_t column[] = {g->rows, windows, 1};
    MlcValue *all = NULL;
    MlcOnnxAttrs over = {0};
    int64_t *tokens = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count);
    for (int64_t j = 0; j < length; j++) {
        int64_t from = j * step, to = from + windows;
        for (int64_t i = 0; i < count; i++)
            tokens[i] = g->tokens[begin + i * length + j];
        MlcValue *part = mlc_onnx_slice(n, g->x, (MlcOnnxInts){&from, 1}, (MlcOnnxInts){&to, 1},
                                        (MlcOnnxInts){&one, 1}, (MlcOnnxInts){0});
        part = part ? mlc_onnx_reshape(n, part, (MlcOnnxInts){column, 3}, true) : NULL;
        MlcValue *is = mlc_onnx_compare(n, &mlc_graph_equal_def, part,
                                        mlc_onnx_build_ints(n, tokens, &count, 1));
        all = all ? mlc_onnx_compare(n, &mlc_graph_and_def, all, is) : is;
    }
    mlc_onnx_add_ints(n, &over, "axes", (MlcOnnxInts){&one, 1});
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    all = mlc_onnx_cast(n, all, mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32));
    return all ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &all, 1, &over) : NULL;
}

// The n-grams of a length, at all distances; those of one token have one.
static MlcValue *
count_length(MlcOnnxNodeImport *n, const Grams *g, int64_t begin, int64_t count, int64_t length)
{
    MlcValue *sum = NULL;
    for (int64_t step = 1; step <= g->skips + 1; step++) {
        if ((length > 1 ? step > (g->columns - 1) / (length - 1) : step > 1) || g->columns < length)
            break;
        MlcValue *counts = count_grams(n, g, begin, count, length, step);
        if (!counts)
            return NULL;
        sum = sum ? mlc_onnx_build_two(n, &mlc_graph_add_def, sum, counts) : counts;
    }
    int64_t shape[] = {g->rows, count};
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    return sum ? sum
               : mlc_onnx_expand(n, mlc_onnx_build_number(n, f32, 0), (MlcOnnxInts){shape, 2});
}

// Columns of all n-grams to where the result has them: each place takes the columns that it is of,
// one after the other; column 0 is 0.
static MlcValue *
place_grams(MlcOnnxNodeImport *n, const Grams *g, MlcValue *counts)
{
    int64_t *from = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)g->size + 1);
    bool *is_done = MLC_NEW_ARRAY(&n->import->arena, bool, g->indexes.count + 1);
    MlcValue *sum = NULL;
    for (size_t left = g->indexes.count; left > 0;) {
        memset(from, 0, (size_t)g->size * sizeof *from);
        for (size_t i = 0; i < g->indexes.count; i++) {
            int64_t place = g->indexes.items[i];
            if (is_done[i] || from[place])
                continue;
            from[place] = (int64_t)i + 1;
            is_done[i] = true;
            left--;
        }
        MlcValue *placed =
            mlc_onnx_gather_there(n, counts, mlc_onnx_build_ints(n, from, &g->size, 1), 1);
        sum = sum ? mlc_onnx_build_two(n, &mlc_graph_add_def, sum, placed) : placed;
    }
    return sum;
}

static MlcValue *
weigh(MlcOnnxNodeImport *n, const Grams *g, MlcValue *counts)
{
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    if (!g->is_counted)
        counts = mlc_onnx_cast(
            n,
            mlc_onnx_compare(n, &mlc_graph_greater_def, counts, mlc_onnx_build_number(n, f32, 0)),
            f32);
    if (!g->is_weighted || g->weights.count == 0)
        return counts;
    double *weights = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)g->size);
    for (size_t i = 0; i < (size_t)g->size; i++)
        weights[i] = (double)mlc_onnx_float_at(g->weights, i);
    return mlc_onnx_build_two(n, &mlc_graph_mul_def, counts,
                              mlc_onnx_build_floats(n, f32, weights, &g->size, 1));
}

static bool
import_vectorizer(MlcOnnxNodeImport *n)
{
    Grams g = {0};
    if (!read_grams(n, &g))
        return false;
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    int64_t column[] = {g.rows, 1};
    MlcValueVec parts = {0};
    bool ok = true;
    mlc_vec_push(&parts,
                 mlc_onnx_expand(n, mlc_onnx_build_number(n, f32, 0), (MlcOnnxInts){column, 2}));
    for (size_t i = 0; ok && i < g.counts.count; i++) {
        int64_t length = (int64_t)i + 1, begin = g.counts.items[i];
        int64_t end = i + 1 < g.counts.count ? g.counts.items[i + 1] : (int64_t)g.num_tokens;
        int64_t shape[] = {g.rows, (end - begin) / length};
        bool is_asked = length >= g.shortest && length <= g.longest;
        if (shape[1] == 0)
            continue;
        mlc_vec_push(&parts, is_asked ? count_length(n, &g, begin, shape[1], length)
                                      : mlc_onnx_expand(n, mlc_onnx_build_number(n, f32, 0),
                                                        (MlcOnnxInts){shape, 2}));
        ok = parts.data[parts.size - 1] != NULL;
    }
    MlcValue *counts = ok ? mlc_onnx_concat(n, parts.data, parts.size, 1) : NULL;
    MlcValue *result = counts ? weigh(n, &g, place_grams(n, &g, counts)) : NULL;
    mlc_vec_release(&parts);
    size_t rank = mlc_type_rank(mlc_value_type(n->inputs[0]));
    int64_t shape[] = {g.rows, g.size};
    return mlc_onnx_set_result(
        n,
        result ? mlc_onnx_reshape(n, result, (MlcOnnxInts){shape + (2 - rank), rank}, true) : NULL);
}

static const MlcOnnxOperator rows[] = {
    {"RegexFullMatch", 20, MLC_ONNX_NEWEST, 1, 1, .import = import_match, .takes_strings = true},
    {"StringConcat", 20, MLC_ONNX_NEWEST, 2, 2, .import = import_concat, .takes_strings = true},
    {"StringNormalizer", 10, MLC_ONNX_NEWEST, 1, 1, .import = import_normalizer,
     .takes_strings = true},
    {"StringSplit", 20, MLC_ONNX_NEWEST, 1, 1, .import = import_split, .takes_strings = true},
    {"TfIdfVectorizer", 9, MLC_ONNX_NEWEST, 1, 1, .import = import_vectorizer,
     .takes_strings = true},
};
const MlcOnnxOperators mlc_onnx_texts = MLC_ONNX_OPERATORS(rows);
