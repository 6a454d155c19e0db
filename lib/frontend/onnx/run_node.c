// run_node.c -- one node whose inputs have their values: a model of it alone is written, imported
// and interpreted.
//
// Small inputs that the importer must know become constants (MlcOnnxImportOptions), so all shapes
// are numbers. What is found in the data has room for the most there may be, and is cut to what
// there is.
#include "run.h"

#include "wire.h"

#include "mlc/frontend/onnx.h"
#include "mlc/interp.h"
#include "mlc/ir/runtime_type.h"

#include <inttypes.h>

// A node as a model, and what it is given.
typedef struct Node {
    MlcOnnxRunner *r;
    const MlcOnnxNode *node;
    MlcArena arena; // names
    MlcBuf model;
    MLC_VEC(MlcOnnxInputValue) inputs; // tensors
    MlcStrVec items;                   // of lists
    MlcOp *module, *main;
} Node;

// ---- the model

static int64_t
data_type_of(const MlcOnnxRunner *r, MlcRtType type)
{
    for (int64_t i = 1; i < MLC_ONNX_NUM_DATA_TYPES; i++)
        if (r->types[i] == type && type)
            return i;
    return MLC_ONNX_FLOAT; // of an empty list that nobody typed
}

static void
write_tensor_type(MlcBuf *out, int64_t data_type, const MlcRtTensor *tensor)
{
    MlcBuf type = {0}, shape = {0}, dim = {0};
    mlc_onnx_write_number(&type, MLC_ONNX_TYPE_ELEMENT, (uint64_t)data_type);
    for (int32_t i = 0; tensor && i < tensor->rank; i++) {
        mlc_buf_clear(&dim);
        mlc_onnx_write_number(&dim, MLC_ONNX_DIM_VALUE, (uint64_t)tensor->dims[i]);
        mlc_onnx_write_bytes(&shape, MLC_ONNX_SHAPE_DIM, mlc_buf_str(&dim));
    }
    if (tensor)
        mlc_onnx_write_bytes(&type, MLC_ONNX_TYPE_SHAPE, mlc_buf_str(&shape));
    mlc_onnx_write_bytes(out, MLC_ONNX_TYPE_TENSOR, mlc_buf_str(&type));
    mlc_buf_release(&type);
    mlc_buf_release(&shape);
    mlc_buf_release(&dim);
}

static void
write_type(const MlcOnnxRunner *r, MlcBuf *out, const MlcOnnxRunValue *value)
{
    MlcBuf item = {0}, list = {0};
    if (value->kind == MLC_ONNX_RUN_TENSOR) {
        write_tensor_type(out, data_type_of(r, value->tensor.type), &value->tensor);
        return;
    }
    if (value->num_items && value->items[0]->kind != MLC_ONNX_RUN_TENSOR)
        write_type(r, &item, value->items[0]);
    else
        write_tensor_type(&item, data_type_of(r, value->element), NULL);
    mlc_onnx_write_bytes(&list, MLC_ONNX_TYPE_ELEMENT, mlc_buf_str(&item));
    mlc_onnx_write_bytes(
        out, value->kind == MLC_ONNX_RUN_SEQUENCE ? MLC_ONNX_TYPE_SEQUENCE : MLC_ONNX_TYPE_OPTIONAL,
        mlc_buf_str(&list));
    mlc_buf_release(&item);
    mlc_buf_release(&list);
}

// False: another has that name, which an item of a list may have, too.
static bool
give_tensor(Node *n, MlcStr name, const MlcRtTensor *tensor)
{
    for (size_t i = 0; i < n->inputs.size; i++)
        if (mlc_str_equal(n->inputs.data[i].name, name))
            return mlc_onnx_run_broken(n->r);
    MlcOnnxInputValue input = {.name = name,
                               .dims = tensor->dims,
                               .rank = (size_t)tensor->rank,
                               .data = tensor->data,
                               .num_bytes = mlc_runtime_tensor_bytes(tensor)};
    mlc_vec_push(&n->inputs, input);
    return true;
}

static void
append_shape(MlcBuf *out, const MlcRtTensor *tensor)
{
    mlc_buf_append_c(out, tensor->rank ? "" : "scalar");
    for (int32_t i = 0; i < tensor->rank; i++)
        mlc_buf_printf(out, "%s%" PRId64, i ? "x" : "", tensor->dims[i]);
}

// "seq=2x3:4x3", and its tensors: "seq[0]"...
static bool
give_list(Node *n, MlcStr name, const MlcOnnxRunValue *list)
{
    MlcBuf spec = {0};
    const MlcOnnxRunValue *of = list;
    bool ok = true;
    if (list->num_items && list->items[0]->kind != MLC_ONNX_RUN_TENSOR)
        of = list->items[0]; // of an optional sequence
    mlc_buf_printf(&spec, "%.*s=", MLC_STR_FMT(name));
    if (of->num_items == 0)
        mlc_buf_append_c(&spec, of->kind == MLC_ONNX_RUN_OPTIONAL ? "none" : "empty");
    for (size_t i = 0; ok && i < of->num_items; i++) {
        ok = of->items[i]->kind == MLC_ONNX_RUN_TENSOR || mlc_onnx_run_no_numbers(n->r);
        mlc_buf_append_c(&spec, i ? ":" : "");
        append_shape(&spec, &of->items[i]->tensor);
        ok = ok && give_tensor(n, mlc_arena_printf(&n->arena, "%.*s[%zu]", MLC_STR_FMT(name), i),
                               &of->items[i]->tensor);
    }
    mlc_vec_push(&n->items, mlc_arena_strdup(&n->arena, mlc_buf_str(&spec)));
    mlc_buf_release(&spec);
    return ok;
}

static bool
is_first(const MlcOnnxStrs *names, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (mlc_str_equal(names->items[k], names->items[i]))
            return false;
    return names->items[i].size > 0;
}

static void
write_value_info(MlcBuf *graph, unsigned field, MlcStr name, MlcStr type)
{
    MlcBuf info = {0};
    mlc_onnx_write_bytes(&info, MLC_ONNX_VALUE_INFO_NAME, name);
    if (type.size)
        mlc_onnx_write_bytes(&info, MLC_ONNX_VALUE_INFO_TYPE, type);
    mlc_onnx_write_bytes(graph, field, mlc_buf_str(&info));
    mlc_buf_release(&info);
}

static MlcStr
raw(const MlcOnnxRunner *r, uint64_t offset, uint64_t size)
{
    return mlc_str_n(r->reader.data + offset, size);
}

static bool
write_model(Node *n, const MlcOnnxScope *scope)
{
    MlcOnnxRunner *r = n->r;
    MlcBuf graph = {0}, type = {0};
    const MlcOnnxStrs *in = &n->node->input, *out = &n->node->output;
    bool ok = true;
    mlc_onnx_write_number(&n->model, MLC_ONNX_MODEL_IR_VERSION, (uint64_t)r->model->ir_version);
    for (size_t i = 0; i < r->num_opsets; i++)
        mlc_onnx_write_bytes(&n->model, MLC_ONNX_MODEL_OPSET_IMPORT,
                             raw(r, r->opsets[i].offset, r->opsets[i].size));
    for (size_t i = 0; i < r->model->functions.count; i++)
        mlc_onnx_write_bytes(
            &n->model, MLC_ONNX_MODEL_FUNCTIONS,
            raw(r, r->model->functions.items[i].offset, r->model->functions.items[i].size));
    mlc_onnx_write_bytes(&graph, MLC_ONNX_GRAPH_NAME, mlc_str("node"));
    mlc_onnx_write_bytes(&graph, MLC_ONNX_GRAPH_NODE, raw(r, n->node->offset, n->node->size));
    for (size_t i = 0; ok && i < in->count; i++) {
        if (!is_first(in, i))
            continue;
        const MlcOnnxRunValue *value = mlc_onnx_run_find(scope, in->items[i]);
        if (!value)
            ok = mlc_onnx_run_broken(r);
        else if (value->kind == MLC_ONNX_RUN_TENSOR)
            ok = give_tensor(n, in->items[i], &value->tensor);
        else
            ok = give_list(n, in->items[i], value);
        if (!ok)
            break;
        mlc_buf_clear(&type);
        write_type(r, &type, value);
        write_value_info(&graph, MLC_ONNX_GRAPH_INPUT, in->items[i], mlc_buf_str(&type));
    }
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].size)
            write_value_info(&graph, MLC_ONNX_GRAPH_OUTPUT, out->items[i], mlc_str(""));
    mlc_onnx_write_bytes(&n->model, MLC_ONNX_MODEL_GRAPH, mlc_buf_str(&graph));
    mlc_buf_release(&graph);
    mlc_buf_release(&type);
    return ok;
}

// ---- running

static bool
import(Node *n)
{
    MlcImportStatus status;
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions), .values = n->inputs.data,
                                    .num_values = n->inputs.size,    .items = n->items.data,
                                    .num_items = n->items.size,      .infers_outputs = true};
    n->module = mlc_onnx_import_bytes_with(n->r->ctx, "a part", n->model.data, n->model.size,
                                           &options, &status);
    mlc_diag_flush(n->r->ctx);
    n->main = n->module ? mlc_symbol_lookup(n->module, mlc_str("main")) : NULL;
    return n->main || mlc_onnx_run_broken(n->r);
}

static MlcAttr
entry_of(MlcOp *function, const char *list, size_t i, const char *name)
{
    MlcAttr attrs = mlc_op_attr(function, list);
    return attrs ? mlc_dict_attr_find(mlc_array_attr_element(attrs, i), mlc_str(name)) : NULL;
}

// The tensors that are still arguments, as datums.
static bool
fill_arguments(Node *n, MlcEval *e, MlcDatum *args)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(n->main, 0));
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        MlcStr name = mlc_string_attr_value(entry_of(n->main, "arg_attrs", i, "mlc.name"));
        size_t k = 0;
        while (k < n->inputs.size && !mlc_str_equal(n->inputs.data[k].name, name))
            k++;
        if (k == n->inputs.size)
            return mlc_onnx_run_broken(n->r);
        if (!mlc_eval_elements(e, n->main, mlc_value_type(mlc_block_arg(block, i)),
                               n->inputs.data[k].dims, &args[i]))
            return false;
        if (n->inputs.data[k].num_bytes)
            memcpy(args[i].elements.data, n->inputs.data[k].data, n->inputs.data[k].num_bytes);
    }
    return true;
}

// Result `i` with as many elements along each dimension as there are.
static MlcOnnxRunValue *
take_result(Node *n, const MlcDatum *results, size_t num_results, size_t i)
{
    const MlcDatum *d = &results[i];
    MlcRtTensor all = {
        .rank = (int32_t)d->rank, .dims = d->elements.shape, .data = d->elements.data};
    if (!mlc_type_to_runtime(mlc_type_element(d->type), &all.type) || all.type == MLC_RT_STRING)
        return mlc_onnx_run_no_numbers(n->r), NULL;
    int64_t *dims = MLC_NEW_ARRAY(&n->arena, int64_t, d->rank + 1), of, dim;
    for (size_t k = 0; k < d->rank; k++)
        dims[k] = d->elements.shape[k];
    for (size_t k = 0; k < num_results; k++) {
        MlcAttr size_of = entry_of(n->main, "res_attrs", k, "mlc.size_of");
        if (!size_of || !mlc_int_list_attr_get(size_of, 0, &of) || of != (int64_t)i ||
            !mlc_int_list_attr_get(size_of, 1, &dim))
            continue;
        int64_t count;
        memcpy(&count, results[k].elements.data, sizeof count);
        dims[dim] = count < 0 ? 0 : count < dims[dim] ? count : dims[dim];
    }
    return mlc_onnx_run_crop(n->r, &all, dims);
}

// "sequence(tensor, tensor)" and the results that are its tensors, from `*next` on.
static MlcOnnxRunValue *
take_form(Node *n, MlcStr *form, MlcRtType element, const MlcDatum *results, size_t num_results,
          size_t *next)
{
    static const char *const names[] = {"tensor", "sequence", "optional"};
    size_t kind = 0, length = 0;
    MlcOnnxRunValues items = {0};
    while (kind < 3 && (strlen(names[kind]) > form->size ||
                        memcmp(form->data, names[kind], strlen(names[kind])) != 0))
        kind++;
    if (kind == 3)
        return mlc_onnx_run_no_numbers(n->r), NULL;
    length = strlen(names[kind]);
    *form = mlc_str_n(form->data + length, form->size - length);
    if (kind == MLC_ONNX_RUN_TENSOR)
        return take_result(n, results, num_results, (*next)++);
    bool ok = true;
    for (*form = mlc_str_n(form->data + 1, form->size - 1); ok && form->data[0] != ')';) {
        size_t skipped = form->data[0] == ',' ? 2 : 0;
        *form = mlc_str_n(form->data + skipped, form->size - skipped);
        MlcOnnxRunValue *item = take_form(n, form, element, results, num_results, next);
        ok = item != NULL;
        if (ok)
            mlc_vec_push(&items, item);
    }
    if (ok)
        *form = mlc_str_n(form->data + 1, form->size - 1);
    MlcOnnxRunValue *list =
        ok ? mlc_onnx_run_list(n->r, (int)kind, element, items.data, items.size) : NULL;
    mlc_onnx_run_drop_all(&items);
    return list;
}

// Output `i` of those that have names.
static MlcOnnxRunValue *
take_output(Node *n, size_t i, const MlcDatum *results, size_t num_results, size_t *next)
{
    MlcAttr all = mlc_op_attr(n->module, "mlc.output_values");
    if (!all)
        return take_result(n, results, num_results, (*next)++);
    MlcAttr entry = mlc_array_attr_element(all, i);
    MlcAttr type = mlc_dict_attr_find(entry, mlc_str("type"));
    MlcStr form = mlc_string_attr_value(mlc_dict_attr_find(entry, mlc_str("form")));
    MlcRtType element = 0;
    if (type && !mlc_type_to_runtime(mlc_type_attr_value(type), &element))
        return mlc_onnx_run_no_numbers(n->r), NULL;
    return take_form(n, &form, element, results, num_results, next);
}

static bool
interpret(Node *n, MlcOnnxScope *scope)
{
    MlcInterpConfig config = {MLC_SIZED(MlcInterpConfig),
                              .max_memory = MLC_ONNX_RUN_MAX_MEMORY - *n->r->all_bytes};
    MlcInterp *interp = mlc_interp_create(n->module, &config);
    MlcType type = mlc_interp_function_type(n->main);
    size_t num_args = mlc_function_type_num_inputs(type), next = 0, named = 0;
    size_t num_results = mlc_function_type_num_results(type);
    MlcDatum *args = MLC_NEW_ARRAY(&n->arena, MlcDatum, num_args + 1);
    MlcDatum *results = MLC_NEW_ARRAY(&n->arena, MlcDatum, num_results + 1);
    bool ok = fill_arguments(n, mlc_interp_eval(interp), args) &&
              mlc_interp_call(interp, mlc_str("main"), args, num_args, results, num_results);
    for (size_t i = 0; ok && i < n->node->output.count; i++) {
        if (n->node->output.items[i].size == 0)
            continue;
        MlcOnnxRunValue *value = take_output(n, named++, results, num_results, &next);
        ok = value != NULL;
        if (ok)
            mlc_onnx_run_name(scope, n->node->output.items[i], value);
    }
    mlc_interp_destroy(interp);
    mlc_diag_flush(n->r->ctx);
    return ok || mlc_onnx_run_broken(n->r);
}

bool
mlc_onnx_run_node(MlcOnnxRunner *r, const MlcOnnxNode *node, MlcOnnxScope *scope)
{
    Node n = {.r = r, .node = node};
    bool has_output = false;
    for (size_t i = 0; i < node->output.count; i++)
        has_output |= node->output.items[i].size > 0;
    if (!has_output)
        return true;
    mlc_arena_init(&n.arena);
    bool ok = write_model(&n, scope) && import(&n) && interpret(&n, scope);
    if (n.module)
        mlc_op_destroy(n.module);
    mlc_buf_release(&n.model);
    mlc_vec_release(&n.inputs);
    mlc_vec_release(&n.items);
    mlc_arena_release(&n.arena);
    return ok;
}
