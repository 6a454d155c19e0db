// ops_ml_maps.c -- ONNX operators of the domain ai.onnx.ml: maps to tensors, and back.
//
// A map is two tensors of one dimension (lists.h). What it has for a key is found by comparing all
// keys, so a map's entries may come in any order, and how many there are is known when compiling.
#include "found_sizes.h"
#include "lists.h"
#include "ml.h"
#include "strings_of.h"

#include <inttypes.h>

enum { MAX_SIZE = 1 << 24 };

static const MlcOnnxList *
map_input(MlcOnnxNodeImport *n)
{
    const MlcOnnxList *map = mlc_onnx_list(n->import, n->inputs[0]);
    if (map && map->kind == MLC_ONNX_MAP && map->count == 2)
        return map;
    return mlc_onnx_invalid(n, "its input is a %s, expected a map", mlc_onnx_list_name(map)), NULL;
}

// [1, count]: what the map has for each of the keys `asked`; `otherwise`, a scalar, where it has
// none.
static MlcValue *
look_up(MlcOnnxNodeImport *n, MlcValue *keys, MlcValue *values, MlcValue *asked,
        MlcValue *otherwise)
{
    if (!keys || !values || !asked || !otherwise)
        return NULL;
    int64_t count = mlc_type_num_elements(mlc_value_type(asked)), column[] = {count, 1};
    int64_t num_keys = mlc_type_num_elements(mlc_value_type(keys)), row[] = {1, count}, one = 1;
    if (count < 0 || count > MAX_SIZE || num_keys > MAX_SIZE)
        return mlc_onnx_unsupported(n, "%" PRId64 " keys", count), NULL;
    // Places from 1 on in a table of the values behind what stands for none.
    int64_t *places = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)num_keys + 1);
    for (int64_t i = 0; i < num_keys; i++)
        places[i] = i + 1;
    asked = mlc_onnx_reshape(n, asked, (MlcOnnxInts){column, 2}, true);
    MlcValue *is_key = asked ? mlc_onnx_compare(n, &mlc_graph_equal_def, asked, keys) : NULL;
    MlcValue *none = mlc_onnx_int(n, 0);
    MlcValue *at = mlc_onnx_select(n, is_key, mlc_onnx_build_ints(n, places, &num_keys, 1), none);
    at = num_keys ? mlc_onnx_reduce_last(n, &mlc_graph_reduce_max_def, at) : none;
    at = at ? mlc_onnx_expand(n, at, (MlcOnnxInts){column, 2}) : NULL;
    at = at ? mlc_onnx_reshape(n, at, (MlcOnnxInts){row, 2}, true) : NULL;
    otherwise = mlc_onnx_reshape(n, otherwise, (MlcOnnxInts){&one, 1}, true);
    MlcValue *table =
        otherwise ? mlc_onnx_concat(n, (MlcValue *[]){otherwise, values}, 2, 0) : NULL;
    return mlc_onnx_gather_there(n, table, at, 0);
}

static MlcValue *
build_text(MlcOnnxNodeImport *n, const char *text)
{
    return mlc_onnx_build_strings(n->import, &(MlcStr){text, strlen(text)}, NULL, 0);
}

// ---- DictVectorizer

static bool
import_dict_vectorizer(MlcOnnxNodeImport *n)
{
    MlcOnnxClasses vocabulary = {0};
    const MlcOnnxList *map = map_input(n);
    if (!map || !mlc_onnx_read_classes(n, "int64_vocabulary", "string_vocabulary", &vocabulary))
        return false;
    MlcValue *asked = mlc_onnx_build_classes(n, &vocabulary);
    if (!asked)
        return false;
    MlcType of_keys = mlc_value_type(map->items[0]), of_values = mlc_value_type(map->items[1]);
    if (mlc_type_element(of_keys) != mlc_type_element(mlc_value_type(asked)))
        return mlc_onnx_invalid(n, "a vocabulary of type %s for keys of type %s",
                                mlc_type_text(mlc_value_type(asked)), mlc_type_text(of_keys));
    MlcType element = mlc_type_element(of_values);
    MlcValue *none =
        mlc_type_is_string(element) ? build_text(n, "") : mlc_onnx_build_number(n, element, 0);
    return mlc_onnx_set_result(n, look_up(n, map->items[0], map->items[1], asked, none));
}

// ---- CastMap

// The values as what `cast_to` says, and what stands where there is none (as in onnxruntime).
static bool
cast_values(MlcOnnxNodeImport *n, MlcValue **values, MlcValue **none)
{
    MlcStr to = mlc_str("TO_FLOAT");
    if (!mlc_onnx_read_str(n, "cast_to", &to))
        return false;
    bool is_text = mlc_str_equal(to, mlc_str("TO_STRING"));
    bool is_int = mlc_str_equal(to, mlc_str("TO_INT64"));
    if (!is_text && !is_int && !mlc_str_equal(to, mlc_str("TO_FLOAT")))
        return mlc_onnx_invalid(n, "attribute 'cast_to' is '%.*s'", MLC_STR_FMT(to));
    MlcType element = is_text  ? mlc_onnx_string_type(mlc_onnx_context_of(n))
                      : is_int ? mlc_onnx_i64(n)
                               : mlc_onnx_f32(n);
    *none = is_text ? build_text(n, "0.f") : mlc_onnx_build_number(n, element, 0);
    if (is_text == mlc_onnx_is_strings(n->import, *values)) {
        *values = is_text ? *values : mlc_onnx_cast(n, *values, element);
        return *values != NULL;
    }
    n->inputs[0] = *values;
    if (!mlc_onnx_cast_strings(n, element))
        return false;
    *values = n->outputs[0];
    return true;
}

static bool
import_cast_map(MlcOnnxNodeImport *n)
{
    const MlcOnnxList *map = map_input(n);
    MlcStr form = mlc_str("DENSE");
    int64_t size = 1;
    MlcValue *values, *none = NULL;
    if (!map || !mlc_onnx_read_str(n, "map_form", &form) || !mlc_onnx_read_int(n, "max_map", &size))
        return false;
    MlcValue *keys = map->items[0];
    values = map->items[1];
    bool is_sparse = mlc_str_equal(form, mlc_str("SPARSE"));
    if (!is_sparse && !mlc_str_equal(form, mlc_str("DENSE")))
        return mlc_onnx_invalid(n, "attribute 'map_form' is '%.*s'", MLC_STR_FMT(form));
    if (mlc_onnx_is_strings(n->import, keys))
        return mlc_onnx_invalid(n, "keys of type %s", mlc_type_text(mlc_value_type(keys)));
    if (is_sparse && (size < 1 || size > MAX_SIZE))
        return mlc_onnx_unsupported(n, "a row of %" PRId64 " numbers", size);
    if (!cast_values(n, &values, &none))
        return false;
    if (is_sparse)
        return mlc_onnx_set_result(
            n, look_up(n, keys, values, mlc_onnx_build_count(n, size, 0, 1), none));
    // In the order of the keys.
    keys = mlc_onnx_reshape(n, keys, (MlcOnnxInts){(int64_t[]){1, -1}, 2}, false);
    MlcValue *order =
        keys ? mlc_onnx_build_typed(n, &mlc_graph_argsort_def, mlc_onnx_i64(n), &keys, 1, NULL)
             : NULL;
    return mlc_onnx_set_result(n, mlc_onnx_gather_there(n, values, order, 0));
}

// ---- ZipMap

// A map for each row, all with the same keys: nothing is computed.
static bool
import_zip_map(MlcOnnxNodeImport *n)
{
    MlcOnnxClasses classes = {0};
    MlcValue *both[2];
    if (!mlc_onnx_read_classes(n, "classlabels_int64s", "classlabels_strings", &classes))
        return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    int64_t columns = mlc_onnx_num_features(n, n->inputs[0]);
    if (columns < 0)
        return false;
    if (mlc_type_rank(type) > 2)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if ((size_t)columns != classes.count)
        return mlc_onnx_invalid(n, "%zu keys for rows of %" PRId64, classes.count, columns);
    both[0] = mlc_onnx_build_classes(n, &classes);
    both[1] =
        mlc_type_rank(type) == 2
            ? n->inputs[0]
            : mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){(int64_t[]){1, columns}, 2}, true);
    if (!both[0] || !both[1])
        return false;
    n->outputs[0] = mlc_onnx_build_list(n->import, MLC_ONNX_TABLE, mlc_type_element(type), both, 2);
    return true;
}

static const MlcOnnxOperator rows[] = {
    {"CastMap", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_cast_map, .takes_lists = true},
    {"DictVectorizer", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_dict_vectorizer,
     .takes_lists = true},
    {"ZipMap", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_zip_map},
};
const MlcOnnxOperators mlc_onnx_ml_maps = MLC_ONNX_OPERATORS(rows);
