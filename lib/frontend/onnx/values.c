// values.c -- inputs whose values a caller knows: constants where a node must know them.
//
// A node asks for what it must know when it is imported. If that is computed from inputs alone
// whose values are given, the import begins again with these as constants: whatever depends on
// them, sizes too, is then found as if they stood in the model. Each time binds another input, so
// it ends.
#include "lists.h"

#include "mlc/dialects/graph.h"
#include "mlc/support/map.h"

static bool
find_value(const MlcOnnxImport *im, MlcStr name, size_t *number)
{
    for (*number = 0; *number < im->options.num_values; ++*number)
        if (mlc_str_equal(im->options.values[*number].name, name))
            return true;
    return false;
}

bool
mlc_onnx_check_values(MlcOnnxImport *im, const MlcStrMap *initializers)
{
    const MlcOnnxGraph *graph = im->model->graph;
    bool ok = true;
    for (size_t i = 0; i < im->options.num_values; i++) {
        MlcStr name = im->options.values[i].name;
        bool is_input = false;
        for (size_t k = 0; k < graph->input.count; k++)
            is_input |= mlc_str_equal(graph->input.items[k].name, name) ||
                        mlc_onnx_is_item(&graph->input.items[k], name);
        if (!is_input || mlc_str_map_has(initializers, name))
            ok = mlc_onnx_fail(im, "a value is given for '%.*s', which is no input",
                               MLC_STR_FMT(name));
    }
    return ok;
}

bool
mlc_onnx_is_bound(const MlcOnnxImport *im, MlcStr name)
{
    size_t number;
    return find_value(im, name, &number) && im->is_bound[number];
}

MlcValue *
mlc_onnx_bound_value(MlcOnnxImport *im, MlcStr name, MlcType declared)
{
    size_t number;
    if (!find_value(im, name, &number))
        mlc_bug("an input without a value");
    const MlcOnnxInputValue *value = &im->options.values[number];
    MlcType element = mlc_type_element(declared);
    MlcType type = mlc_tensor_type_get(element, value->dims, value->rank, NULL);
    bool fits = !mlc_type_has_rank(declared) || mlc_type_rank(declared) == value->rank;
    for (size_t i = 0; fits && mlc_type_has_rank(declared) && i < value->rank; i++)
        fits =
            mlc_type_dim(declared, i) == MLC_DYNAMIC || mlc_type_dim(declared, i) == value->dims[i];
    size_t bytes = (mlc_type_bit_width(element) + 7) / 8;
    int64_t count = fits ? mlc_type_num_elements(type) : -1;
    if (count < 0 || value->num_bytes / bytes != (size_t)count || value->num_bytes % bytes)
        return mlc_onnx_fail(im, "the value given for input '%.*s' is no %s", MLC_STR_FMT(name),
                             mlc_type_text(declared)),
               NULL;
    im->builder.loc = mlc_loc_name(im->ctx, name, NULL);
    return mlc_graph_constant(&im->builder,
                              mlc_dense_attr_get(type, value->data, value->num_bytes, false));
}

typedef struct Slice {
    MlcMap seen;
    MlcValueVec pending;
} Slice;

static void
add(Slice *slice, MlcValue *value)
{
    bool fresh;
    mlc_map_insert(&slice->seen, (uint64_t)(uintptr_t)value, &fresh);
    if (fresh)
        mlc_vec_push(&slice->pending, value);
}

// Whether the value of this argument of @main is given.
static bool
find_argument(const MlcOnnxImport *im, const MlcValue *arg, size_t *number)
{
    size_t i = 0, count = mlc_block_num_args(im->body);
    while (i < count && mlc_block_arg(im->body, i) != arg)
        i++;
    return i < count && find_value(im, mlc_loc_name_str(mlc_block_arg_loc(im->body, i)), number);
}

bool
mlc_onnx_want_value(MlcOnnxImport *im, MlcValue *wanted)
{
    Slice slice = {0};
    bool ok = im->num_invalid + im->num_unsupported == 0 && im->options.num_values > 0;
    size_t *found = MLC_NEW_ARRAY(&im->arena, size_t, im->options.num_values + 1), num_found = 0;
    mlc_map_init(&slice.seen);
    add(&slice, wanted);
    for (size_t i = 0; ok && i < slice.pending.size; i++) {
        MlcOp *op = mlc_value_def(slice.pending.data[i]);
        if (op)
            MLC_FOR_EACH_OPERAND (operand, op)
                add(&slice, operand);
        else if ((ok = find_argument(im, slice.pending.data[i], &found[num_found])))
            num_found++;
    }
    for (size_t i = 0; ok && i < num_found; i++)
        im->is_bound[found[i]] = true;
    mlc_map_release(&slice.seen);
    mlc_vec_release(&slice.pending);
    im->restarts |= ok && num_found > 0;
    return ok && num_found > 0;
}
