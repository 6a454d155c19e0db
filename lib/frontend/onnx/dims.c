// dims.c -- sizes that a caller gives to dimensions which the model leaves open.
//
// A dimension is open if the model has no number for it, only a name that it shares with others, or
// nothing. Sizes are kept by that name, and by input and position ("x.1") where there is none:
// whoever reads a shape asks here first, so that the rest is as with a model that has the numbers.
//
// A dimension that nobody gives is a symbol of its name: exporters write "past + seq" for what is a
// sum of others, and so it is if all of these are dimensions of inputs.
#include "import.h"

#include "mlc/dialects/graph_sizes.h"
#include "mlc/support/cli.h"

#include <inttypes.h>

enum { MAX_LISTED = 16 };

// One of an input's dimensions; what the caller said of it.
typedef struct OpenDim {
    MlcStr key; // in the map of sizes: the name, or "x.1"
    MlcStr input;
    size_t position;
    uint64_t offset;
    MlcStr given; // "batch=4", the first that said it; empty: none
    int64_t size;
    bool is_fixed; // not open: the model has the number
} OpenDim;

typedef struct OpenDims {
    MlcOnnxImport *im;
    MLC_VEC(OpenDim) all; // in the order of the inputs
    MlcStrMap at;         // "x.1" -> number in `all` + 1
    MlcStrMap by_key;     // what is not fixed; of those that share a name the first
} OpenDims;

static MlcStr
position_key(MlcOnnxImport *im, MlcStr input, size_t position)
{
    return mlc_arena_printf(&im->arena, "%.*s.%zu", MLC_STR_FMT(input), position);
}

// What the name says of other dimensions; NULL if it is no such text.
static MlcAttr
evaluate(MlcOnnxImport *im, MlcStr text)
{
    MlcSizeSteps steps = {0};
    MLC_VEC(MlcAttr) stack = {0};
    bool ok = mlc_size_steps(text, &steps) && steps.size > 1;
    for (size_t i = 0; ok && i < steps.size; i++) {
        const MlcSizeStep *step = &steps.data[i];
        uint64_t given;
        MlcAttr size = NULL;
        if (step->kind == MLC_SIZE_STEP_OP) {
            MlcAttr b = mlc_vec_pop(&stack), a = mlc_vec_pop(&stack);
            size = mlc_size_combine((MlcSizeOp)step->number, a, b);
        } else if (step->kind == MLC_SIZE_STEP_NUMBER) {
            size = mlc_size_number(im->ctx, step->number);
        } else if (mlc_str_map_get_u64(&im->dim_sizes, step->name, &given)) {
            size = mlc_size_number(im->ctx, (int64_t)given);
        } else if (mlc_str_map_has(&im->open_dims, step->name)) {
            size = mlc_size_named(im->ctx, step->name);
        }
        ok = size != NULL;
        mlc_vec_push(&stack, size);
    }
    MlcAttr result = ok ? stack.data[0] : NULL;
    mlc_vec_release(&steps);
    mlc_vec_release(&stack);
    return result;
}

// Where sizes are symbols they are those of inputs: what an output calls its own says nothing.
MlcAttr
mlc_onnx_dim_text(MlcOnnxImport *im, const MlcOnnxValueInfo *info, size_t i)
{
    const MlcOnnxDim *dim = &info->type->tensor_type->shape->dim.items[i];
    MlcAttr text = dim->dim_param.size ? evaluate(im, dim->dim_param) : NULL;
    MlcStr at = position_key(im, info->name, i), key = dim->dim_param.size ? dim->dim_param : at;
    bool is_symbol = !im->options.names_sizes || mlc_str_map_has(&im->open_dims, key);
    if (!text && dim->dim_param.size && is_symbol)
        text = mlc_size_named(im->ctx, dim->dim_param);
    if (!text && im->options.names_sizes && is_symbol)
        text = mlc_size_named(im->ctx, at);
    return text ? text : mlc_string_attr_get(im->ctx, mlc_str(""));
}

bool
mlc_onnx_dim_size(MlcOnnxImport *im, const MlcOnnxValueInfo *info, size_t i, int64_t *size)
{
    const MlcOnnxDim *dim = &info->type->tensor_type->shape->dim.items[i];
    uint64_t known = (uint64_t)dim->dim_value;
    bool is_known = dim->has_dim_value;
    if (!is_known && mlc_str_map_size(&im->dim_sizes) > 0)
        is_known = mlc_str_map_get_u64(
            &im->dim_sizes, dim->dim_param.size ? dim->dim_param : position_key(im, info->name, i),
            &known);
    *size = (int64_t)known;
    if (!is_known && dim->dim_param.size && mlc_str_map_size(&im->dim_sizes) > 0)
        is_known = mlc_size_is_number(evaluate(im, dim->dim_param), size);
    return is_known;
}

static void
add_input(OpenDims *dims, const MlcOnnxValueInfo *info)
{
    const MlcOnnxShape *shape = info->type->tensor_type->shape;
    for (size_t i = 0; i < shape->dim.count; i++) {
        const MlcOnnxDim *dim = &shape->dim.items[i];
        MlcStr at = position_key(dims->im, info->name, i);
        OpenDim open = {.key = dim->dim_param.size ? dim->dim_param : at,
                        .input = info->name,
                        .position = i,
                        .offset = dim->offset,
                        .size = dim->dim_value,
                        .is_fixed = dim->has_dim_value};
        mlc_vec_push(&dims->all, open);
        mlc_str_map_set_u64(&dims->at, at, dims->all.size);
        if (!open.is_fixed && !mlc_str_map_has(&dims->by_key, open.key))
            mlc_str_map_set_u64(&dims->by_key, open.key, dims->all.size);
    }
}

static OpenDim *
find(OpenDims *dims, const MlcStrMap *map, MlcStr key)
{
    uint64_t number = 0;
    return mlc_str_map_get_u64(map, key, &number) ? &dims->all.data[number - 1] : NULL;
}

// The first one of its name is where the size is noted.
static bool
is_first(OpenDims *dims, const OpenDim *dim)
{
    return !dim->is_fixed && find(dims, &dims->by_key, dim->key) == dim;
}

static bool
fail_unknown(OpenDims *dims, MlcStr name)
{
    MlcStrVec names = {0};
    MlcBuf list = {0};
    for (size_t i = 0; i < dims->all.size; i++)
        if (is_first(dims, &dims->all.data[i]))
            mlc_vec_push(&names, dims->all.data[i].key);
    for (size_t i = 0; i < names.size && i < MAX_LISTED; i++)
        mlc_buf_printf(&list, "%s'%.*s'", i ? ", " : "", MLC_STR_FMT(names.data[i]));
    if (names.size > MAX_LISTED)
        mlc_buf_printf(&list, " and %zu more", names.size - MAX_LISTED);
    MlcStr closest = mlc_closest_name(name, names.data, names.size);
    if (names.size == 0)
        mlc_onnx_fail(dims->im, "no input has an open dimension '%.*s': all have their sizes",
                      MLC_STR_FMT(name));
    else if (closest.size)
        mlc_onnx_fail(dims->im,
                      "no input has an open dimension '%.*s', did you mean '%.*s'? there are %s",
                      MLC_STR_FMT(name), MLC_STR_FMT(closest), mlc_buf_c_str(&list));
    else
        mlc_onnx_fail(dims->im, "no input has an open dimension '%.*s': there are %s",
                      MLC_STR_FMT(name), mlc_buf_c_str(&list));
    mlc_buf_release(&list);
    mlc_vec_release(&names);
    return false;
}

// "batch=4": the name may hold '=' too. Only digits: 0 is a size.
static bool
split(MlcStr given, MlcStr *name, int64_t *size)
{
    const char *equals = memrchr(given.data, '=', given.size);
    size_t length = equals ? (size_t)(equals - given.data) : 0;
    *name = mlc_str_n(given.data, length);
    *size = 0;
    if (length == 0 || length + 1 == given.size)
        return false;
    for (size_t i = length + 1; i < given.size; i++) {
        int digit = given.data[i] - '0';
        if (digit < 0 || digit > 9 || *size > (INT64_MAX - digit) / 10)
            return false;
        *size = *size * 10 + digit;
    }
    return true;
}

static bool
give(OpenDims *dims, MlcStr given)
{
    MlcOnnxImport *im = dims->im;
    MlcStr name;
    int64_t size;
    if (!split(given, &name, &size))
        return mlc_onnx_fail(
            im, "expected NAME=SIZE for a dimension, the size from 0 to 2^63 - 1, got '%.*s'",
            MLC_STR_FMT(given));
    OpenDim *dim = find(dims, &dims->by_key, name);
    if (!dim)
        dim = find(dims, &dims->at, name);
    if (!dim)
        return fail_unknown(dims, name);
    if (dim->is_fixed)
        return dim->size == size ||
               mlc_onnx_fail(im,
                             "at byte %" PRIu64 ": dimension %zu of input '%.*s' is %" PRId64
                             " in the model, but '%.*s' is given",
                             dim->offset, dim->position, MLC_STR_FMT(dim->input), dim->size,
                             MLC_STR_FMT(given));
    dim = find(dims, &dims->by_key, dim->key);
    if (dim->given.size && dim->size != size)
        return mlc_onnx_fail(im, "dimension '%.*s' has two sizes: by '%.*s' and by '%.*s'",
                             MLC_STR_FMT(dim->key), MLC_STR_FMT(dim->given), MLC_STR_FMT(given));
    dim->given = given;
    dim->size = size;
    mlc_str_map_set_u64(&im->dim_sizes, dim->key, (uint64_t)size);
    return true;
}

static bool
check_all_given(OpenDims *dims)
{
    bool ok = true;
    int64_t number;
    for (size_t i = 0; i < dims->all.size; i++) {
        const OpenDim *dim = &dims->all.data[i];
        if (is_first(dims, dim) && !dim->given.size &&
            !mlc_size_is_number(evaluate(dims->im, dim->key), &number))
            ok = mlc_onnx_refuse(
                dims->im,
                "at byte %" PRIu64 ": dimension %zu of input '%.*s' has no size in the model: give "
                "it with --dim '%.*s=SIZE'",
                dim->offset, dim->position, MLC_STR_FMT(dim->input), MLC_STR_FMT(dim->key));
    }
    return ok;
}

bool
mlc_onnx_give_dims(MlcOnnxImport *im, const MlcStrMap *initializers)
{
    const MlcOnnxGraph *graph = im->model->graph;
    OpenDims dims = {.im = im};
    bool ok = true;
    mlc_str_map_init(&dims.at, NULL);
    mlc_str_map_init(&dims.by_key, NULL);
    for (size_t i = 0; i < graph->input.count; i++) {
        const MlcOnnxValueInfo *info = &graph->input.items[i];
        if (info->type && info->type->tensor_type && info->type->tensor_type->shape &&
            !mlc_str_map_has(initializers, info->name))
            add_input(&dims, info);
    }
    for (size_t i = 0; i < im->options.num_dims; i++)
        ok &= give(&dims, im->options.dims[i]);
    for (size_t i = 0; i < dims.all.size; i++)
        if (is_first(&dims, &dims.all.data[i]) && !dims.all.data[i].given.size)
            mlc_str_map_set_u64(&im->open_dims, dims.all.data[i].key, 1);
    if (ok && im->options.needs_sizes)
        im->lacks_sizes = !check_all_given(&dims);
    mlc_str_map_release(&dims.at);
    mlc_str_map_release(&dims.by_key);
    mlc_vec_release(&dims.all);
    return ok;
}
