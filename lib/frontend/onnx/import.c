// import.c -- an ONNX model as a module: names resolved, nodes put in order, each handed to its
// operator.
//
// What is not supported is found in two ways, both before anything is given up: operators that are
// not in the table, and forms that an operator's importer refuses. A refused node's results become
// "missing" values, and nodes that use them are passed over, so that one run lists everything. What
// is no tensor, or one of elements that mlc has no type for, is missing too: the nodes that read it
// are those that are refused.
#include "check_model.h"
#include "computed_sizes.h"
#include "found_sizes.h"
#include "lists.h"
#include "operators.h"
#include "order.h"
#include "parts.h"
#include "strings_of.h"

#include "mlc/dialects/builtin.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir/work.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MAX_IR_VERSION = 14, MAX_OPSET = 28, MAX_ML_OPSET = 5 };
enum { INLINE_BYTES = 256, MAX_CALL_DEPTH = 64 };

// Functions that call each other twice, thrice... would make exponentially many.
enum { MAX_NODES = 1 << 22 };

bool
mlc_onnx_is_default_domain(MlcStr domain)
{
    return domain.size == 0 || mlc_str_equal(domain, mlc_str("ai.onnx"));
}

// ---- messages

MlcLoc
mlc_onnx_file_loc(MlcOnnxImport *im)
{
    return mlc_loc_file(im->ctx, mlc_str(im->file_name), 0, 0);
}

bool
mlc_onnx_report(MlcOnnxImport *im, MlcOnnxReport as, const char *format, ...)
{
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    *(as == mlc_error ? &im->num_invalid : &im->num_unsupported) += 1;
    as(im->ctx, mlc_onnx_file_loc(im), "%s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

// The reader's message starts with the file's name, which the location says too.
bool
mlc_onnx_fail_reading(MlcOnnxImport *im)
{
    const char *at = strstr(im->reader.error, ": at byte ");
    return mlc_onnx_fail(im, "%s", at ? at + 2 : im->reader.error);
}

bool
mlc_onnx_invalid(MlcOnnxNodeImport *n, const char *format, ...)
{
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    MlcStr node = mlc_onnx_describe_node(&n->import->arena, n->node);
    mlc_onnx_fail(n->import, "at byte %llu: %s: %s", (unsigned long long)n->node->offset, node.data,
                  mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

bool
mlc_onnx_unsupported(MlcOnnxNodeImport *n, const char *format, ...)
{
    MlcOnnxImport *im = n->import;
    MlcBuf text = {0};
    if (im->refused_node == n->node) // for another of the ops that it is made of
        return false;
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    if (n->is_trial) {
        if (n->refused.size == 0)
            n->refused = mlc_arena_strdup(&im->arena, mlc_buf_str(&text));
        mlc_buf_release(&text);
        return false;
    }
    im->refused_node = n->node;
    mlc_onnx_note_unknown(n);
    im->why = mlc_arena_strdup(&im->arena, mlc_buf_str(&text));
    const char *node = mlc_onnx_describe_node(&im->arena, n->node).data;
    if (mlc_onnx_is_default_domain(n->node->domain))
        mlc_onnx_refuse(im, "%s, opset %lld, is not supported: %s", node, (long long)im->opset,
                        mlc_buf_c_str(&text));
    else
        mlc_onnx_refuse(im, "%s is not supported: %s", node, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

// Whether a run knows more of the value: its shape, or which integers it holds.
static bool
tells_more(MlcOnnxImport *im, MlcValue *value)
{
    MlcType type = value ? mlc_value_type(value) : NULL;
    if (!value || mlc_value_constant(value))
        return false;
    return mlc_onnx_list(im, value) || !mlc_type_has_rank(type) ||
           !mlc_type_has_static_shape(type) || mlc_onnx_has_found_size(im, value) ||
           (mlc_type_is(mlc_type_element(type), MLC_TYPE_INTEGER) &&
            mlc_integer_type_width(mlc_type_element(type)) > 1);
}

void
mlc_onnx_note_unknown(MlcOnnxNodeImport *n)
{
    n->import->is_unknown |= mlc_onnx_has_subgraphs(n->node);
    for (size_t i = 0; n->inputs && i < n->num_inputs; i++)
        n->import->is_unknown |= tells_more(n->import, n->inputs[i]);
}

// ---- constants

static void
release_mapping(void *user)
{
    MlcOnnxMapping *mapping = user;
    if (atomic_fetch_sub(&mapping->refs, 1) != 1)
        return;
    mlc_onnx_folder_release(&mapping->folder);
    if (mapping->model.data)
        mlc_file_release(&mapping->model);
    mlc_free(mapping);
}

// The largest power of two up to 64 that divides the address.
static size_t
alignment_of(const void *data)
{
    uintptr_t bits = (uintptr_t)data | 64;
    return (size_t)(bits & -bits);
}

static MlcBlob *
make_blob(MlcOnnxImport *im, const MlcOnnxBytes *bytes)
{
    if (bytes->source == MLC_ONNX_SOURCE_ARENA)
        return mlc_blob_create_copy(bytes->data, bytes->size, 64);
    atomic_fetch_add(&im->mapping->refs, 1);
    return mlc_blob_create(bytes->data, bytes->size, alignment_of(bytes->data), release_mapping,
                           im->mapping);
}

MlcType
mlc_onnx_element_type(MlcContext *ctx, int64_t data_type)
{
    switch (data_type) {
    case MLC_ONNX_FLOAT:
        return mlc_float_type_get(ctx, MLC_FLOAT_F32);
    case MLC_ONNX_DOUBLE:
        return mlc_float_type_get(ctx, MLC_FLOAT_F64);
    case MLC_ONNX_FLOAT16:
        return mlc_float_type_get(ctx, MLC_FLOAT_F16);
    case MLC_ONNX_BFLOAT16:
        return mlc_float_type_get(ctx, MLC_FLOAT_BF16);
    case MLC_ONNX_FLOAT8E4M3FN:
        return mlc_float_type_get(ctx, MLC_FLOAT_F8E4M3FN);
    case MLC_ONNX_FLOAT8E4M3FNUZ:
        return mlc_float_type_get(ctx, MLC_FLOAT_F8E4M3FNUZ);
    case MLC_ONNX_FLOAT8E5M2:
        return mlc_float_type_get(ctx, MLC_FLOAT_F8E5M2);
    case MLC_ONNX_FLOAT8E5M2FNUZ:
        return mlc_float_type_get(ctx, MLC_FLOAT_F8E5M2FNUZ);
    case MLC_ONNX_FLOAT4E2M1:
        return mlc_float_type_get(ctx, MLC_FLOAT_F4E2M1FN);
    case MLC_ONNX_FLOAT6E2M3:
        return mlc_float_type_get(ctx, MLC_FLOAT_F6E2M3FN);
    case MLC_ONNX_FLOAT6E3M2:
        return mlc_float_type_get(ctx, MLC_FLOAT_F6E3M2FN);
    case MLC_ONNX_FLOAT8E8M0:
        return mlc_float_type_get(ctx, MLC_FLOAT_F8E8M0FNU);
    case MLC_ONNX_BOOL:
        return mlc_integer_type_get(ctx, 1, MLC_SIGNLESS);
    case MLC_ONNX_INT2:
    case MLC_ONNX_INT4:
    case MLC_ONNX_INT8:
    case MLC_ONNX_INT16:
    case MLC_ONNX_INT32:
    case MLC_ONNX_INT64:
        return mlc_integer_type_get(ctx, mlc_onnx_data_type_bits(data_type), MLC_SIGNLESS);
    case MLC_ONNX_UINT2:
    case MLC_ONNX_UINT4:
    case MLC_ONNX_UINT8:
    case MLC_ONNX_UINT16:
    case MLC_ONNX_UINT32:
    case MLC_ONNX_UINT64:
        return mlc_integer_type_get(ctx, mlc_onnx_data_type_bits(data_type), MLC_UNSIGNED);
    default: // strings and complex numbers
        return NULL;
    }
}

static const char *
describe_elements(MlcOnnxImport *im, int64_t data_type)
{
    return mlc_arena_printf(&im->arena, "elements of type %s", mlc_onnx_data_type_name(data_type))
        .data;
}

bool
mlc_onnx_check_rank(MlcOnnxImport *im, MlcStr name, size_t rank)
{
    uint64_t limit = mlc_context_limits(im->ctx)->rank;
    return rank <= limit || mlc_onnx_fail(im, "'%.*s' has rank %zu, more than the limit of %llu",
                                          MLC_STR_FMT(name), rank, (unsigned long long)limit);
}

MlcValue *
mlc_onnx_build_constant(MlcOnnxImport *im, const MlcOnnxTensor *tensor, const char **refused)
{
    MlcOnnxBytes bytes;
    if (tensor->data_type == MLC_ONNX_STRING)
        return mlc_onnx_build_string_tensor(im, tensor);
    MlcType element = mlc_onnx_element_type(im->ctx, tensor->data_type);
    if (!element && mlc_onnx_data_type_name(tensor->data_type)) {
        *refused = describe_elements(im, tensor->data_type);
        return NULL;
    }
    if (!mlc_onnx_tensor_bytes(&im->reader, &im->mapping->folder, tensor, &bytes))
        return mlc_onnx_fail_reading(im), NULL;
    if (!mlc_onnx_check_rank(im, tensor->name, tensor->dims.count))
        return NULL;
    MlcType type = mlc_tensor_type_get(element, tensor->dims.items, tensor->dims.count, NULL);
    size_t count = (size_t)mlc_type_num_elements(type);
    unsigned char few[8 * INLINE_BYTES];
    MlcAttr value;
    if (bytes.size < INLINE_BYTES) {
        bool is_packed = mlc_onnx_unpack(few, bytes.data, count, tensor->data_type);
        value = is_packed ? mlc_dense_attr_get(type, few, count, false)
                          : mlc_dense_attr_get(type, bytes.data, bytes.size, false);
    } else {
        MlcBlob *blob = make_blob(im, &bytes);
        if (mlc_onnx_data_type_bits(tensor->data_type) < 8)
            blob = mlc_onnx_unpacked_blob(blob, count, tensor->data_type);
        value = mlc_dense_resource_attr_get(type, tensor->name, blob);
        mlc_blob_release(blob); // the attribute holds it
    }
    return mlc_graph_constant(&im->builder, value);
}

// ---- types of inputs and outputs

// The dims as a tensor encoding: #graph.dims<["N", "", ...]>; NULL if none has a name.
static MlcAttr
dim_names(MlcOnnxImport *im, const MlcOnnxValueInfo *info, const int64_t *dims)
{
    const MlcOnnxShape *shape = info->type->tensor_type->shape;
    bool any = false;
    MlcAttr *names = MLC_NEW_ARRAY(&im->arena, MlcAttr, shape->dim.count);
    for (size_t i = 0; i < shape->dim.count; i++) {
        names[i] = dims[i] == MLC_DYNAMIC ? mlc_onnx_dim_text(im, info, i)
                                          : mlc_string_attr_get(im->ctx, mlc_str(""));
        any |= mlc_string_attr_value(names[i]).size > 0;
    }
    if (!any)
        return NULL;
    MlcAttr list = mlc_array_attr_get(im->ctx, names, shape->dim.count);
    const MlcAttrDef *def = mlc_context_attr(im->ctx, mlc_str("graph.dims"));
    return mlc_dialect_attr_get(im->ctx, def, &list, 1);
}

// NULL after an error, or with what is not supported in `*refused`.
static MlcType
import_type(MlcOnnxImport *im, const MlcOnnxValueInfo *info, const char **refused)
{
    if (!info->type || !info->type->tensor_type) {
        *refused = "no tensor";
        return NULL;
    }
    const MlcOnnxTensorType *tensor = info->type->tensor_type;
    MlcType element = mlc_onnx_any_element_type(im->ctx, tensor->elem_type);
    if (!element && !mlc_onnx_data_type_name(tensor->elem_type))
        return mlc_onnx_fail(im, "at byte %llu: '%.*s' has unknown element type %lld",
                             (unsigned long long)tensor->offset, MLC_STR_FMT(info->name),
                             (long long)tensor->elem_type),
               NULL;
    if (!element) {
        *refused = describe_elements(im, tensor->elem_type);
        return NULL;
    }
    const MlcOnnxShape *shape = tensor->shape;
    if (!shape)
        return mlc_unranked_tensor_type_get(element);
    if (!mlc_onnx_check_rank(im, info->name, shape->dim.count))
        return NULL;
    int64_t *dims = MLC_NEW_ARRAY(&im->arena, int64_t, shape->dim.count);
    int64_t *least = MLC_NEW_ARRAY(&im->arena, int64_t, shape->dim.count); // of open ones, 1
    for (size_t i = 0; i < shape->dim.count; i++) {
        const MlcOnnxDim *dim = &shape->dim.items[i];
        bool is_known = mlc_onnx_dim_size(im, info, i, &dims[i]);
        if (is_known && dims[i] < 0)
            return mlc_onnx_fail(im, "at byte %llu: '%.*s' has the size %lld",
                                 (unsigned long long)dim->offset, MLC_STR_FMT(info->name),
                                 (long long)dim->dim_value),
                   NULL;
        least[i] =
            is_known && dims[i] > 0 ? dims[i] : 1; // strides are numbers without elements too
        if (!is_known)
            dims[i] = MLC_DYNAMIC;
    }
    if (mlc_type_num_elements(mlc_tensor_type_get(element, least, shape->dim.count, NULL)) < 0)
        return mlc_onnx_fail(im, "at byte %llu: '%.*s' has more elements than fit in 64 bits",
                             (unsigned long long)shape->offset, MLC_STR_FMT(info->name)),
               NULL;
    return mlc_tensor_type_get(element, dims, shape->dim.count, dim_names(im, info, dims));
}

static const MlcOnnxValueInfo *
find_info(const MlcOnnxValueInfo *infos, size_t count, MlcStr name)
{
    for (size_t i = 0; i < count; i++)
        if (mlc_str_equal(infos[i].name, name))
            return &infos[i];
    return NULL;
}

MlcType
mlc_onnx_declared_type(MlcOnnxNodeImport *n, size_t i)
{
    const MlcOnnxGraph *graph = n->import->model->graph;
    MlcStr name = n->node->output.items[i];
    const char *refused = NULL;
    if (name.size == 0 || n->import->scope.size)
        return NULL;
    const MlcOnnxValueInfo *info = find_info(graph->output.items, graph->output.count, name);
    if (!info)
        info = find_info(graph->value_info.items, graph->value_info.count, name);
    return info ? import_type(n->import, info, &refused) : NULL;
}

// ---- functions: operators that the model itself defines, in terms of others

static MlcStr
function_key(MlcOnnxImport *im, MlcStr domain, MlcStr name)
{
    if (mlc_onnx_is_default_domain(domain))
        domain = mlc_str("");
    return mlc_arena_printf(&im->arena, "%.*s:%.*s", MLC_STR_FMT(domain), MLC_STR_FMT(name));
}

const MlcOnnxFunction *
mlc_onnx_model_function(MlcOnnxImport *im, const MlcOnnxNode *node)
{
    if (mlc_str_map_size(&im->functions) == 0)
        return NULL;
    return mlc_str_map_get(&im->functions, function_key(im, node->domain, node->op_type));
}

static bool
find_functions(MlcOnnxImport *im)
{
    bool ok = true;
    for (size_t i = 0; i < im->model->functions.count; i++) {
        const MlcOnnxFunction *function = &im->model->functions.items[i];
        bool fresh;
        mlc_str_map_insert(&im->functions, function_key(im, function->domain, function->name),
                           &fresh)
            ->value = (uint64_t)(uintptr_t)function;
        if (!fresh)
            ok = mlc_onnx_fail(im, "at byte %llu: function '%.*s' is defined twice",
                               (unsigned long long)function->offset, MLC_STR_FMT(function->name));
    }
    return ok;
}

int64_t
mlc_onnx_function_opset(const MlcOnnxImport *im, const MlcOnnxFunction *function)
{
    for (size_t i = 0; i < function->opset_import.count; i++)
        if (mlc_onnx_is_default_domain(function->opset_import.items[i].domain))
            return function->opset_import.items[i].version;
    return im->opset;
}

// ---- nodes

MlcStrMapEntry *
mlc_onnx_find_value(const MlcOnnxImport *im, MlcStr name)
{
    MlcStrMapEntry *entry = mlc_str_map_find(&im->values, name);
    for (const MlcOnnxOuter *at = im->outer; !entry && at; at = at->outer)
        entry = mlc_str_map_find(&at->values, name);
    return entry;
}

// An input that is missing because of what it is: a node that could be imported is refused for it,
// any other one was.
static void
tell_refused_input(MlcOnnxNodeImport *n, MlcStr name, bool is_known)
{
    MlcOnnxImport *im = n->import;
    MlcStrMapEntry *entry = im->call_depth == 0 ? mlc_str_map_find(&im->refused, name) : NULL;
    if (!entry)
        return;
    MlcOnnxRefused *refused = (MlcOnnxRefused *)(uintptr_t)entry->value;
    refused->is_told = true;
    if (is_known)
        mlc_onnx_unsupported(n, "its input '%.*s' is of %s", MLC_STR_FMT(name), refused->why);
}

// Input values by name. `*missing`: one of them comes from a node that is not supported.
static bool
find_inputs(MlcOnnxNodeImport *n, bool is_known, bool *missing)
{
    const MlcOnnxNode *node = n->node;
    *missing = false;
    n->num_inputs = node->input.count;
    n->inputs = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, node->input.count);
    bool ok = true;
    for (size_t i = 0; i < node->input.count; i++) {
        MlcStr name = node->input.items[i];
        if (name.size == 0)
            continue;
        MlcStrMapEntry *entry = mlc_onnx_find_value(n->import, name);
        if (!entry)
            ok = mlc_onnx_invalid(n, "input '%.*s' is defined nowhere in the graph",
                                  MLC_STR_FMT(name));
        else if (!entry->value) {
            tell_refused_input(n, name, is_known && !*missing);
            *missing = true;
        } else
            n->inputs[i] = (MlcValue *)(uintptr_t)entry->value;
    }
    return ok;
}

static bool
check_input_count(MlcOnnxNodeImport *n, const MlcOnnxOperator *row)
{
    size_t count = n->num_inputs;
    bool any_number = row->max_inputs == UINT8_MAX;
    if (count < row->min_inputs || (count > row->max_inputs && !any_number))
        return mlc_onnx_invalid(n, "expected %d to %d inputs, got %zu", row->min_inputs,
                                row->max_inputs, count);
    for (size_t i = 0; i < row->min_inputs; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
    return true;
}

static bool
import_known(MlcOnnxNodeImport *n)
{
    for (size_t i = 0; i < n->num_inputs; i++)
        if (mlc_onnx_has_found_size(n->import, n->inputs[i]))
            return mlc_onnx_import_found(n);
    return mlc_onnx_import_row(n);
}

// Where it is refused, once more, of inputs that are sizes by name (computed_sizes.h).
static bool
import_by_row(MlcOnnxNodeImport *n)
{
    MlcValue **inputs = n->inputs;
    size_t num_inputs = n->num_inputs;
    n->is_trial = mlc_onnx_may_name(n) && !mlc_onnx_has_subgraphs(n->node);
    bool ok = import_known(n);
    if (ok || n->refused.size == 0)
        return n->is_trial = false, ok;
    n->inputs = inputs;
    n->num_inputs = num_inputs;
    memset(n->outputs, 0, n->node->output.count * sizeof *n->outputs);
    MlcOnnxNamed named = mlc_onnx_name_inputs(n);
    ok = named == MLC_ONNX_MADE || (named == MLC_ONNX_RENAMED && import_known(n));
    n->is_trial = false;
    return ok || mlc_onnx_unsupported(n, "%.*s", MLC_STR_FMT(n->refused));
}

static bool
import_operator(MlcOnnxNodeImport *n)
{
    const MlcOpDef *custom = mlc_onnx_find_custom(n->import, n->node);
    MlcOnnxFunctionFound found;
    bool has_function = mlc_onnx_find_function(n->import, n->node, &found);
    bool is_users = custom || has_function, missing;
    const MlcOnnxOperator *row =
        mlc_onnx_is_default_domain(n->node->domain)
            ? mlc_onnx_find_operator(n->node->op_type, n->import->opset)
            : mlc_onnx_find_other(n->node->domain, n->node->op_type, n->import->ml_opset);
    if (!find_inputs(n, is_users || row, &missing) || missing || (!is_users && !row))
        return false;
    n->row = row;
    if (!is_users && (!check_input_count(n, row) || !mlc_onnx_check_types(n)))
        return false;
    for (size_t i = 0; i < n->num_inputs; i++) {
        const MlcOnnxList *list = mlc_onnx_list(n->import, n->inputs[i]);
        bool takes_strings = !is_users && (row->takes_strings || row->takes_lists);
        if (!takes_strings && !list && mlc_onnx_is_strings(n->import, n->inputs[i]))
            return mlc_onnx_unsupported(n, "its input '%.*s' is of strings",
                                        MLC_STR_FMT(n->node->input.items[i]));
        if (list && (is_users || !row->takes_lists))
            return mlc_onnx_invalid(n, "its input '%.*s' is a %s, expected a tensor",
                                    MLC_STR_FMT(n->node->input.items[i]), mlc_onnx_list_name(list));
    }
    for (size_t i = 0; i < n->num_inputs && is_users; i++)
        if (mlc_onnx_has_found_size(n->import, n->inputs[i]))
            return mlc_onnx_refuse_found(n);
    if (has_function && (!custom || !custom->body)) {
        MlcOp *like = custom ? mlc_onnx_build_custom(n, custom) : NULL;
        return (like || !custom) && mlc_onnx_import_function(n, &found, like);
    }
    if (custom)
        return mlc_onnx_import_custom(n, custom);
    return import_by_row(n);
}

static MlcLoc
node_loc(MlcOnnxImport *im, const MlcOnnxNode *node)
{
    MlcStr name = mlc_onnx_node_name(node);
    if (name.size && im->scope.size)
        name = mlc_arena_printf(&im->arena, "%.*s%.*s", MLC_STR_FMT(im->scope), MLC_STR_FMT(name));
    return name.size ? mlc_loc_name(im->ctx, name, NULL) : mlc_loc_unknown(im->ctx);
}

static void import_node(MlcOnnxImport *im, const MlcOnnxNode *node);

// Nodes of a function's body or of a subgraph, in an order in which they can be imported.
static bool
import_nodes(MlcOnnxImport *im, const MlcOnnxNode *nodes, size_t num_nodes,
             const MlcStrMap *initializers)
{
    MlcOnnxOrdered ordered;
    const MlcOnnxOrdered *around = im->ordered;
    bool ok = mlc_onnx_order_nodes(im, nodes, num_nodes, initializers, &ordered);
    if (!im->cut || im->cut->nodes != nodes) // which are some of `around`
        im->ordered = &ordered;
    for (size_t i = 0; ok && !im->restarts && i < ordered.num_nodes; i++)
        import_node(im, ordered.nodes[i]);
    im->ordered = around;
    return ok && !im->restarts;
}

// A function's names are its own.
static bool
import_function_body(MlcOnnxImport *im, const MlcOnnxFunction *function)
{
    MlcStrMap none;
    mlc_str_map_init(&none, NULL);
    return import_nodes(im, function->node.items, function->node.count, &none);
}

// A call of a function of the model: its body in place of the call, so that what is constant for
// the caller is constant inside. Sets the values of the call's outputs, which are NULL if it
// failed.
static void
import_call(MlcOnnxNodeImport *n, const MlcOnnxFunction *function)
{
    MlcOnnxImport *im = n->import;
    const MlcOnnxNode *node = n->node;
    bool missing, ok = find_inputs(n, true, &missing) && !missing;
    if (ok && im->call_depth == MAX_CALL_DEPTH)
        ok = mlc_onnx_invalid(n, "functions call each other more than %d deep", MAX_CALL_DEPTH);
    if (ok && n->num_inputs > function->input.count)
        ok = mlc_onnx_invalid(n, "expected at most %zu inputs, got %zu", function->input.count,
                              n->num_inputs);
    MlcStrMap outer = im->values, inner;
    const MlcOnnxOuter *around = im->outer;
    MlcStr scope = im->scope;
    int64_t opset = im->opset;
    mlc_str_map_init(&inner, NULL);
    for (size_t i = 0; ok && i < function->input.count; i++) {
        if (i >= n->num_inputs || !n->inputs[i])
            ok = mlc_onnx_unsupported(n, "it leaves out input %zu of the function", i);
        else
            mlc_str_map_set(&inner, function->input.items[i], n->inputs[i]);
    }
    if (ok) {
        MlcStr name = node->name.size ? node->name : node->op_type;
        im->scope =
            mlc_arena_printf(&im->arena, "%.*s%.*s/", MLC_STR_FMT(scope), MLC_STR_FMT(name));
        im->opset = mlc_onnx_function_opset(im, function);
        im->values = inner;
        im->outer = NULL;
        im->call_depth++;
        ok = import_function_body(im, function);
        im->call_depth--;
        inner = im->values;
    }
    im->values = outer;
    im->outer = around;
    im->opset = opset;
    im->scope = scope;
    for (size_t i = 0; i < node->output.count; i++) {
        MlcStr name = node->output.items[i];
        if (name.size == 0)
            continue;
        MlcStrMapEntry *entry = ok && i < function->output.count
                                    ? mlc_str_map_find(&inner, function->output.items[i])
                                    : NULL;
        if (ok && !entry)
            mlc_onnx_invalid(n, "the function does not define its output %zu", i);
        mlc_str_map_set(&im->values, name, entry ? (void *)(uintptr_t)entry->value : NULL);
    }
    mlc_str_map_release(&inner);
}

bool
mlc_onnx_count_nodes(MlcOnnxImport *im, size_t count)
{
    bool is_first = im->num_nodes <= MAX_NODES;
    im->num_nodes += count > MAX_NODES ? MAX_NODES : count;
    if (im->num_nodes > MAX_NODES && is_first)
        mlc_onnx_fail(im, "more than %d nodes, those of called functions counted at each call",
                      MAX_NODES);
    return im->num_nodes <= MAX_NODES;
}

static void
import_node(MlcOnnxImport *im, const MlcOnnxNode *node)
{
    MlcOnnxNodeImport n = {.import = im, .node = node};
    const MlcOnnxFunction *function = mlc_onnx_model_function(im, node);
    if (!mlc_onnx_count_nodes(im, 1))
        return;
    im->builder.loc = node_loc(im, node);
    MlcOnnxFunctionFound found;
    if (function && !mlc_onnx_find_custom(im, node) && !mlc_onnx_find_function(im, node, &found)) {
        import_call(&n, function);
        return;
    }
    n.outputs = MLC_NEW_ARRAY(&im->arena, MlcValue *, node->output.count + 1); // one is always set
    bool ok = import_operator(&n);
    for (size_t i = 0; i < node->output.count; i++) {
        MlcStr name = node->output.items[i];
        if (name.size == 0)
            continue;
        MlcValue *value = ok ? n.outputs[i] : NULL;
        if (ok && !value)
            mlc_onnx_unsupported(&n, "its output %zu", i);
        mlc_str_map_set(&im->values, name, value);
    }
}

// A node of the model's own graph. What is refused may be run instead, by the next import.
static void
import_own_node(MlcOnnxImport *im, const MlcOnnxOrdered *graph, size_t i)
{
    const MlcOnnxNode *node = graph->nodes[i];
    MlcOnnxNodeImport n = {.import = im, .node = node};
    size_t num_invalid = im->num_invalid, num_unsupported = im->num_unsupported;
    if (mlc_onnx_is_part(im, graph, i)) {
        bool is_refused = mlc_map_has(&im->refused_nodes, node);
        n.outputs = MLC_NEW_ARRAY(&im->arena, MlcValue *, node->output.count + 1);
        im->builder.loc = node_loc(im, node);
        bool ok = mlc_onnx_import_part(&n, graph, i);
        for (size_t k = 0; ok && k < node->output.count; k++)
            if (node->output.items[k].size)
                mlc_str_map_set(&im->values, node->output.items[k], n.outputs[k]);
        if (ok)
            return;
        if (!is_refused) { // it reads what has no rank, so its operator cannot say why not
            mlc_onnx_unsupported(&n, "only a run knows the rank of its input, and it cannot be "
                                     "run by itself: it needs too many nodes or tensors");
            for (size_t k = 0; k < node->output.count; k++)
                if (node->output.items[k].size)
                    mlc_str_map_set(&im->values, node->output.items[k], NULL);
            return;
        }
    }
    im->why = mlc_str("a shape that only a run knows");
    im->is_unknown = false;
    import_node(im, node);
    size_t told = im->num_unsupported - num_unsupported;
    if (told && im->is_unknown && im->num_invalid == num_invalid && !im->restarts &&
        mlc_onnx_refuse_to_part(im, node, im->why))
        im->num_to_part += told;
}

// ---- the function

static bool
find_initializers(MlcOnnxImport *im, const MlcOnnxGraph *graph, MlcStrMap *initializers)
{
    bool ok = true;
    for (size_t i = 0; i < graph->initializer.count; i++) {
        const MlcOnnxTensor *tensor = &graph->initializer.items[i];
        bool fresh;
        mlc_str_map_insert(initializers, tensor->name, &fresh)->value = i + 1;
        if (!fresh)
            ok = mlc_onnx_fail(im, "at byte %llu: initialiser '%.*s' is defined twice",
                               (unsigned long long)tensor->offset, MLC_STR_FMT(tensor->name));
    }
    if (graph->sparse_initializer.count)
        ok = mlc_onnx_refuse(im, "sparse initialisers are not supported");
    return ok;
}

static void
keep_refused(MlcOnnxImport *im, MlcStr name, const char *why)
{
    MlcOnnxRefused *refused = MLC_NEW(&im->arena, MlcOnnxRefused);
    *refused = (MlcOnnxRefused){.name = name, .why = why};
    mlc_str_map_set(&im->refused, name, refused);
    mlc_vec_push(&im->all_refused, refused);
}

// Those that no node was refused for.
static void
tell_refused(MlcOnnxImport *im)
{
    for (size_t i = 0; i < im->all_refused.size; i++)
        if (!im->all_refused.data[i]->is_told)
            mlc_onnx_refuse(im, "'%.*s' is not supported: it is of %s",
                            MLC_STR_FMT(im->all_refused.data[i]->name),
                            im->all_refused.data[i]->why);
}

// Inputs become block arguments, in order; those with an initialiser (a default value, before IR
// version 4) do not, and those that are bound are constants.
static bool
import_inputs(MlcOnnxImport *im, const MlcOnnxGraph *graph, const MlcStrMap *initializers,
              MlcBlock *block)
{
    bool ok = true;
    for (size_t i = 0; i < graph->input.count; i++) {
        const MlcOnnxValueInfo *info = &graph->input.items[i];
        if (mlc_str_map_has(initializers, info->name))
            continue;
        if (mlc_str_map_has(&im->values, info->name)) {
            ok = mlc_onnx_fail(im, "at byte %llu: input '%.*s' is defined twice",
                               (unsigned long long)info->offset, MLC_STR_FMT(info->name));
            continue;
        }
        const char *refused = NULL;
        MlcValue *value = NULL;
        bool is_list = mlc_onnx_is_list_type(info->type);
        if (is_list)
            value = mlc_onnx_list_input(im, info, block, &refused);
        MlcType type = is_list ? NULL : import_type(im, info, &refused);
        ok &= type || value || refused;
        if (refused)
            keep_refused(im, info->name, refused);
        if (type && mlc_onnx_is_bound(im, info->name))
            ok &= (value = mlc_onnx_bound_value(im, info->name, type)) != NULL;
        else if (type)
            value = mlc_block_add_arg(block, type, mlc_loc_name(im->ctx, info->name, NULL));
        mlc_str_map_set(&im->values, info->name, value);
    }
    return ok;
}

static bool
import_initializers(MlcOnnxImport *im, const MlcOnnxGraph *graph)
{
    bool ok = true;
    for (size_t i = 0; i < graph->initializer.count; i++) {
        const MlcOnnxTensor *tensor = &graph->initializer.items[i];
        im->builder.loc = mlc_loc_name(im->ctx, tensor->name, NULL);
        const char *refused = NULL;
        MlcValue *value = mlc_onnx_build_constant(im, tensor, &refused);
        ok &= value || refused;
        if (refused)
            keep_refused(im, tensor->name, refused);
        mlc_str_map_set(&im->values, tensor->name, value);
    }
    return ok;
}

// ---- subgraphs

static bool
set_subgraph_inputs(MlcOnnxNodeImport *n, const char *attribute, const MlcOnnxGraph *graph,
                    MlcValue *const *args, size_t num_args)
{
    MlcOnnxImport *im = n->import;
    if (graph->input.count != num_args)
        return mlc_onnx_invalid(n, "'%s' has %zu inputs, expected %zu", attribute,
                                graph->input.count, num_args);
    for (size_t i = 0; i < num_args; i++) {
        const MlcOnnxValueInfo *info = &graph->input.items[i];
        MlcType type = mlc_value_type(args[i]);
        if (mlc_str_map_has(&im->values, info->name))
            return mlc_onnx_invalid(n, "'%s' has two inputs '%.*s'", attribute,
                                    MLC_STR_FMT(info->name));
        const MlcOnnxList *list = mlc_onnx_list(im, args[i]);
        if (info->type && (list != NULL) != (info->type->tensor_type == NULL))
            return mlc_onnx_invalid(n, "input '%.*s' of '%s' gets a %s, which it is not",
                                    MLC_STR_FMT(info->name), attribute, mlc_onnx_list_name(list));
        int64_t declared = info->type && !list ? info->type->tensor_type->elem_type : 0;
        MlcType element = declared ? mlc_onnx_element_type(im->ctx, declared) : NULL;
        if (element && element != mlc_type_element(type))
            return mlc_onnx_invalid(n, "input '%.*s' of '%s' has elements of type %s, but gets %s",
                                    MLC_STR_FMT(info->name), attribute, mlc_type_text(element),
                                    mlc_type_text(type));
        mlc_str_map_set(&im->values, info->name, args[i]);
    }
    return true;
}

static bool
find_subgraph_outputs(MlcOnnxNodeImport *n, const char *attribute, const MlcOnnxGraph *graph,
                      MlcValueVec *results)
{
    bool ok = true;
    for (size_t i = 0; i < graph->output.count; i++) {
        MlcStr name = graph->output.items[i].name;
        MlcStrMapEntry *entry = mlc_str_map_find(&n->import->values, name);
        if (!entry)
            ok = mlc_onnx_invalid(n, "output '%.*s' of '%s' is defined nowhere in it",
                                  MLC_STR_FMT(name), attribute);
        else if (!entry->value)
            ok = false; // a node was refused for it
        else
            mlc_vec_push(results, (MlcValue *)(uintptr_t)entry->value);
    }
    return ok;
}

bool
mlc_onnx_import_subgraph(MlcOnnxNodeImport *n, const char *attribute, const MlcOnnxGraph *graph,
                         MlcValue *const *args, size_t num_args, MlcValueVec *results)
{
    MlcOnnxImport *im = n->import;
    MlcOnnxOuter outer = {im->values, im->outer};
    MlcStr scope = im->scope;
    MlcLoc loc = im->builder.loc;
    MlcStr name = mlc_onnx_node_name(n->node);
    MlcStrMap initializers;
    mlc_str_map_init(&initializers, NULL);
    mlc_str_map_init(&im->values, NULL);
    im->outer = &outer;
    im->scope = mlc_arena_printf(&im->arena, "%.*s%.*s/", MLC_STR_FMT(scope), MLC_STR_FMT(name));
    bool ok = set_subgraph_inputs(n, attribute, graph, args, num_args) &&
              find_initializers(im, graph, &initializers) && import_initializers(im, graph) &&
              import_nodes(im, graph->node.items, graph->node.count, &initializers) &&
              !im->restarts && find_subgraph_outputs(n, attribute, graph, results);
    mlc_str_map_release(&im->values);
    mlc_str_map_release(&initializers);
    im->values = outer.values;
    im->outer = outer.outer;
    im->scope = scope;
    im->builder.loc = loc;
    return ok;
}

static MlcAttr
name_attr(MlcOnnxImport *im, MlcStr name)
{
    MlcNamedAttr entry = mlc_named(im->ctx, "mlc.name", mlc_string_attr_get(im->ctx, name));
    return mlc_dict_attr_get(im->ctx, &entry, 1);
}

static bool
contradicts(MlcOnnxImport *im, const MlcOnnxValueInfo *info, MlcType type)
{
    const MlcOnnxShape *shape = info->type->tensor_type->shape;
    if (!shape || !mlc_type_has_rank(type))
        return false;
    bool same = shape->dim.count == mlc_type_rank(type);
    for (size_t i = 0; same && i < shape->dim.count; i++) {
        int64_t size, got = mlc_type_dim(type, i);
        same = !mlc_onnx_dim_size(im, info, i, &size) || got == MLC_DYNAMIC || size == got;
    }
    return !same;
}

// A shape that the model declares and its operators do not give: theirs is used, as onnxruntime
// does. Models whose batch was changed by hand say such things.
static void
warn_of_shape(MlcOnnxImport *im, const MlcOnnxValueInfo *info, const char *what, MlcType type)
{
    const MlcOnnxShape *shape = info->type->tensor_type->shape;
    MlcBuf text = {0};
    for (size_t i = 0; i < shape->dim.count && i < 16; i++) {
        int64_t size;
        mlc_buf_append_c(&text, i ? ", " : "");
        if (mlc_onnx_dim_size(im, info, i, &size))
            mlc_buf_printf(&text, "%lld", (long long)size);
        else
            mlc_buf_append_c(&text, "?");
    }
    mlc_warning(im->ctx, mlc_onnx_file_loc(im),
                "at byte %llu: %s '%.*s' is declared with shape [%s%s] but is %s, which is used",
                (unsigned long long)info->offset, what, MLC_STR_FMT(info->name),
                mlc_buf_c_str(&text), shape->dim.count > 16 ? ", ..." : "", mlc_type_text(type));
    mlc_buf_release(&text);
}

// False if the declared element type is not what was found, or cannot be read.
static bool
check_output_type(MlcOnnxImport *im, const MlcOnnxValueInfo *info, MlcType type)
{
    const char *refused = NULL;
    MlcType declared =
        info->type && info->type->tensor_type ? import_type(im, info, &refused) : NULL;
    if (refused)
        return mlc_onnx_refuse(im, "output '%.*s' is not supported: it is of %s",
                               MLC_STR_FMT(info->name), refused);
    if (!declared)
        return true;
    if (mlc_type_element(declared) != mlc_type_element(type))
        return mlc_onnx_fail(im, "at byte %llu: output '%.*s' is declared as %s but is %s",
                             (unsigned long long)info->offset, MLC_STR_FMT(info->name),
                             mlc_type_text(declared), mlc_type_text(type));
    if (contradicts(im, info, type))
        warn_of_shape(im, info, "output", type);
    return true;
}

static void
check_value_infos(MlcOnnxImport *im, const MlcOnnxGraph *graph)
{
    for (size_t i = 0; i < graph->value_info.count; i++) {
        const MlcOnnxValueInfo *info = &graph->value_info.items[i];
        MlcValue *value = mlc_str_map_get(&im->values, info->name);
        bool is_tensor = value && !mlc_onnx_list(im, value) && !mlc_onnx_is_pending(im, value);
        if (is_tensor && info->type && info->type->tensor_type &&
            contradicts(im, info, mlc_value_type(value)))
            warn_of_shape(im, info, "value", mlc_value_type(value));
    }
}

static bool
import_outputs(MlcOnnxImport *im, const MlcOnnxGraph *graph, MlcValueVec *results)
{
    bool ok = true;
    for (size_t i = 0; i < graph->output.count; i++) {
        const MlcOnnxValueInfo *info = &graph->output.items[i];
        MlcStrMapEntry *entry = mlc_str_map_find(&im->values, info->name);
        if (!entry) {
            ok = mlc_onnx_fail(im, "at byte %llu: output '%.*s' is defined nowhere in the graph",
                               (unsigned long long)info->offset, MLC_STR_FMT(info->name));
            continue;
        }
        MlcValue *value = (MlcValue *)(uintptr_t)entry->value;
        if (!value)
            continue;
        if (mlc_onnx_is_pending(im, value)) {
            mlc_onnx_give_up_part(im, value);
            im->gives_up = true;
            continue;
        }
        const MlcOnnxList *list = mlc_onnx_list(im, value);
        if (info->type && (list != NULL) != mlc_onnx_is_list_type(info->type))
            ok = mlc_onnx_fail(im, "at byte %llu: output '%.*s' is a %s, which is not declared",
                               (unsigned long long)info->offset, MLC_STR_FMT(info->name),
                               mlc_onnx_list_name(list));
        else if (!list)
            ok &= check_output_type(im, info, mlc_value_type(value));
        mlc_vec_push(results, value);
    }
    return ok && results->size == graph->output.count;
}

typedef MLC_VEC(MlcAttr) AttrVec;

// Results behind the others: sizes of those that have some that are found in the data.
static void
add_found_sizes(MlcOnnxImport *im, MlcOnnxLeaves *results, AttrVec *attrs)
{
    size_t num_outputs = results->values.size;
    for (size_t i = 0; i < num_outputs; i++) {
        MlcType type = mlc_value_type(results->values.data[i]);
        size_t rank = mlc_type_has_rank(type) ? mlc_type_rank(type) : 0;
        for (size_t dim = 0; dim < rank; dim++) {
            MlcValue *count = mlc_onnx_found_size(im, results->values.data[i], dim);
            int64_t size_of[] = {(int64_t)i, (int64_t)dim};
            if (!count)
                continue;
            MlcStr name =
                mlc_arena_printf(&im->arena, "%.*s.%zu", MLC_STR_FMT(results->names.data[i]), dim);
            MlcNamedAttr entries[] = {
                mlc_named(im->ctx, "mlc.name", mlc_string_attr_get(im->ctx, name)),
                mlc_named(im->ctx, "mlc.size_of", mlc_i64_array_attr_get(im->ctx, size_of, 2))};
            mlc_vec_push(&results->values, count);
            mlc_vec_push(attrs, mlc_dict_attr_get(im->ctx, entries, 2));
        }
    }
}

// Behind those, what the model computes as sizes: `mlc.size` is the name of each.
static void
add_computed_sizes(MlcOnnxImport *im, MlcOnnxLeaves *results, AttrVec *attrs)
{
    for (size_t i = 0; i < im->computed_sizes.size; i++) {
        MlcNamedAttr entry = mlc_named(im->ctx, MLC_SIZE_ATTR, im->computed_sizes.data[i].name);
        mlc_vec_push(&results->values, im->computed_sizes.data[i].size);
        mlc_vec_push(attrs, mlc_dict_attr_get(im->ctx, &entry, 1));
    }
}

// {name = "y", form = "sequence(tensor, tensor)", type = f32}
static MlcAttr
value_attr(MlcOnnxImport *im, MlcStr name, MlcValue *value)
{
    MlcBuf form = {0};
    MlcType element = mlc_onnx_item_element(im, value);
    mlc_onnx_append_form(im, value, &form);
    MlcNamedAttr entries[] = {
        mlc_named(im->ctx, "name", mlc_string_attr_get(im->ctx, name)),
        mlc_named(im->ctx, "form", mlc_string_attr_get(im->ctx, mlc_buf_str(&form))),
        mlc_named(im->ctx, "type", element ? mlc_type_attr_get(element) : NULL)};
    mlc_buf_release(&form);
    return mlc_dict_attr_get(im->ctx, entries, element ? 3 : 2);
}

// What the model's inputs or outputs are, of which one is no tensor.
static void
tell_values(MlcOnnxImport *im, MlcOp *module, const char *attribute, const AttrVec *attrs)
{
    mlc_op_set_attr(module, attribute, mlc_array_attr_get(im->ctx, attrs->data, attrs->size));
}

static void
tell_lists(MlcOnnxImport *im, const MlcOnnxGraph *graph, MlcOp *module, const MlcValueVec *results)
{
    AttrVec inputs = {0}, outputs = {0};
    bool any = false;
    for (size_t i = 0; i < graph->input.count; i++) {
        MlcStr name = graph->input.items[i].name;
        MlcValue *value = mlc_str_map_get(&im->values, name);
        MlcOp *def = value ? mlc_value_def(value) : NULL;
        const MlcOnnxList *list = mlc_onnx_list(im, value);
        any |= list != NULL;
        if (value && (list || !def)) // not what is a constant
            mlc_vec_push(&inputs, value_attr(im, name, value));
    }
    for (size_t i = 0; i < results->size; i++) {
        any |= mlc_onnx_list(im, results->data[i]) != NULL;
        mlc_vec_push(&outputs, value_attr(im, graph->output.items[i].name, results->data[i]));
    }
    if (any) {
        tell_values(im, module, "mlc.input_values", &inputs);
        tell_values(im, module, "mlc.output_values", &outputs);
    }
    mlc_vec_release(&inputs);
    mlc_vec_release(&outputs);
}

static void
finish_function(MlcOnnxImport *im, const MlcOnnxGraph *graph, MlcOp *func, MlcValueVec *results)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(func, 0));
    MlcTypeVec types = {0};
    AttrVec names = {0};
    MlcOnnxLeaves leaves = {0};
    tell_lists(im, graph, mlc_op_parent(func), results);
    mlc_onnx_tell_literals(im, mlc_op_parent(func));
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        mlc_vec_push(&types, mlc_value_type(mlc_block_arg(block, i)));
        mlc_vec_push(&names, name_attr(im, mlc_loc_name_str(mlc_block_arg_loc(block, i))));
    }
    size_t num_args = types.size;
    mlc_op_set_attr(func, "arg_attrs", mlc_array_attr_get(im->ctx, names.data, names.size));
    mlc_vec_clear(&names);
    for (size_t i = 0; i < results->size; i++)
        mlc_onnx_add_leaves(im, results->data[i], graph->output.items[i].name, &leaves);
    for (size_t i = 0; i < leaves.values.size; i++)
        mlc_vec_push(&names, name_attr(im, leaves.names.data[i]));
    add_found_sizes(im, &leaves, &names);
    add_computed_sizes(im, &leaves, &names);
    for (size_t i = 0; i < leaves.values.size; i++)
        mlc_vec_push(&types, mlc_value_type(leaves.values.data[i]));
    mlc_op_set_attr(func, "res_attrs", mlc_array_attr_get(im->ctx, names.data, names.size));
    MlcType type = mlc_function_type_get(im->ctx, types.data, num_args, types.data + num_args,
                                         leaves.values.size);
    mlc_op_set_attr(func, "function_type", mlc_type_attr_get(type));
    im->builder.loc = mlc_loc_unknown(im->ctx);
    mlc_func_return(&im->builder, leaves.values.data, leaves.values.size);
    mlc_vec_release(&types);
    mlc_vec_release(&names);
    mlc_vec_release(&leaves.values);
    mlc_vec_release(&leaves.names);
}

static bool
import_body(MlcOnnxImport *im, const MlcOnnxGraph *graph, const MlcStrMap *initializers,
            MlcOp *func)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(func, 0));
    MlcValueVec results = {0};
    MlcOnnxOrdered ordered;
    if (!mlc_onnx_check_values(im, initializers) || !mlc_onnx_give_dims(im, initializers) ||
        !mlc_onnx_check_items(im, initializers) || !import_inputs(im, graph, initializers, block))
        return false;
    if (im->options.only_signature) {
        finish_function(im, graph, func, &results);
        return true;
    }
    if (!mlc_onnx_order_nodes(im, graph->node.items, graph->node.count, initializers, &ordered))
        return false;
    mlc_onnx_tell_unknown_operators(im, graph->node.items, graph->node.count);
    if (im->lacks_sizes)
        return false;
    im->ordered = &ordered;
    bool ok = import_initializers(im, graph);
    for (size_t i = 0; !im->restarts && i < ordered.num_nodes; i++)
        import_own_node(im, &ordered, i);
    im->ordered = NULL;
    if (im->restarts)
        return false;
    check_value_infos(im, graph);
    tell_refused(im);
    ok &= import_outputs(im, graph, &results) && im->num_invalid + im->num_unsupported == 0;
    if (ok) {
        finish_function(im, graph, func, &results);
        mlc_onnx_tell_parts(im);
    }
    // Begins again, if all that was refused can be run instead.
    im->restarts = !ok && im->num_invalid == 0 && im->num_to_part == im->num_unsupported &&
                   (im->num_to_part > 0 || im->gives_up);
    mlc_vec_release(&results);
    return ok;
}

static MlcOp *
build_module(MlcOnnxImport *im, MlcOp **func)
{
    mlc_builder_init(&im->builder, im->ctx);
    MlcOp *module = mlc_builtin_module(&im->builder);
    MlcBlock *body = mlc_builder_create_block(&im->builder, mlc_op_region(module, 0), NULL, 0);
    mlc_builder_at_end(&im->builder, body);
    *func = mlc_func_func(&im->builder, mlc_str("main"),
                          mlc_function_type_get(im->ctx, NULL, 0, NULL, 0));
    mlc_builder_create_block(&im->builder, mlc_op_region(*func, 0), NULL, 0);
    return module;
}

static bool
check_versions(MlcOnnxImport *im)
{
    const MlcOnnxModel *model = im->model;
    bool has_opset = false;
    if (!model->has_ir_version || model->ir_version < 1)
        return mlc_onnx_fail(im, "no ONNX model: it has no IR version");
    if (model->ir_version > MAX_IR_VERSION)
        return mlc_onnx_fail(im, "IR version %lld is newer than %d, the newest that mlc reads",
                             (long long)model->ir_version, MAX_IR_VERSION);
    for (size_t i = 0; i < model->opset_import.count; i++)
        if (mlc_onnx_is_default_domain(model->opset_import.items[i].domain)) {
            im->opset = model->opset_import.items[i].version;
            has_opset = true;
        } else if (mlc_str_equal(model->opset_import.items[i].domain, mlc_str("ai.onnx.ml"))) {
            im->ml_opset = model->opset_import.items[i].version;
            if (im->ml_opset < 1 || im->ml_opset > MAX_ML_OPSET)
                return mlc_onnx_fail(im, "opset %lld of 'ai.onnx.ml' is not within 1 and %d",
                                     (long long)im->ml_opset, MAX_ML_OPSET);
        }
    if (!has_opset && model->ir_version < 3) // opset imports came with IR version 3
        im->opset = 1;
    else if (!has_opset && model->opset_import.count == 0)
        return mlc_onnx_fail(im, "the model imports no opset");
    if (has_opset && (im->opset < 1 || im->opset > MAX_OPSET))
        return mlc_onnx_fail(im, "opset %lld is not within 1 and %d, those that mlc knows",
                             (long long)im->opset, MAX_OPSET);
    if (!model->graph)
        return mlc_onnx_fail(im, "the model has no graph");
    return model->graph->output.count > 0 || mlc_onnx_fail(im, "the graph has no outputs");
}

static MlcOp *
import_model(MlcOnnxImport *im)
{
    if (!check_versions(im))
        return NULL;
    MlcStrMap initializers;
    mlc_str_map_init(&initializers, NULL);
    mlc_str_map_init(&im->values, NULL);
    mlc_str_map_init(&im->functions, NULL);
    mlc_str_map_init(&im->refused, NULL);
    mlc_str_map_init(&im->dim_sizes, NULL);
    mlc_str_map_init(&im->open_dims, NULL);
    mlc_map_init(&im->found_sizes);
    mlc_map_init(&im->cut_values);
    mlc_map_init(&im->lists);
    mlc_map_init(&im->pending);
    mlc_str_map_init(&im->literal_numbers, NULL);
    mlc_vec_clear(&im->literals);
    im->declares_text = false;
    im->stand_ins = NULL;
    mlc_map_init(&im->found_most);
    MlcOp *func, *module = build_module(im, &func);
    im->body = mlc_region_first(mlc_op_region(func, 0));
    bool ok = find_functions(im) && mlc_onnx_check_model(im) &&
              find_initializers(im, im->model->graph, &initializers) &&
              import_body(im, im->model->graph, &initializers, func);
    if (ok && im->size_checks.size)
        mlc_op_set_attr(func, "mlc.checks",
                        mlc_array_attr_get(im->ctx, im->size_checks.data, im->size_checks.size));
    mlc_str_map_release(&initializers);
    mlc_str_map_release(&im->values);
    mlc_str_map_release(&im->functions);
    mlc_str_map_release(&im->refused);
    mlc_str_map_release(&im->dim_sizes);
    mlc_str_map_release(&im->open_dims);
    mlc_map_release(&im->found_sizes);
    mlc_map_release(&im->cut_values);
    mlc_vec_release(&im->computed_sizes);
    mlc_map_release(&im->lists);
    mlc_map_release(&im->pending);
    mlc_vec_release(&im->part_nodes);
    mlc_map_release(&im->found_most);
    mlc_str_map_release(&im->literal_numbers);
    mlc_vec_release(&im->literals);
    mlc_vec_release(&im->size_checks);
    mlc_vec_release(&im->all_refused);
    if (!ok)
        mlc_op_destroy(module); // before what an op of it may still use
    if (im->stand_ins)
        mlc_op_destroy(im->stand_ins);
    if (ok)
        return module;
    return NULL;
}

// Until no more values of inputs turn out to be needed, and nodes to be run.
static MlcOp *
import_with_values(MlcOnnxImport *im)
{
    MlcOp *module;
    im->is_bound = MLC_NEW_ARRAY(&im->arena, bool, im->options.num_values + 1);
    for (size_t i = 0; i < im->options.num_values; i++)
        im->is_bound[i] = im->options.values[i].is_constant;
    mlc_map_init(&im->refused_nodes);
    do {
        MlcDiagList told = {0};
        im->restarts = im->gives_up = false;
        im->refused_node = NULL;
        im->num_invalid = im->num_unsupported = im->num_to_part = 0;
        mlc_diag_capture_begin(im->ctx, &told);
        module = import_model(im);
        mlc_diag_capture_end(im->ctx, &told);
        if (im->restarts)
            mlc_diag_discard(im->ctx, &told);
        else
            mlc_diag_replay(im->ctx, &told);
    } while (im->restarts);
    mlc_map_release(&im->refused_nodes);
    return module;
}

static MlcOp *
import_mapped(MlcContext *ctx, const char *name, MlcOnnxMapping *mapping, const void *data,
              size_t size, const MlcOnnxImportOptions *options, MlcImportStatus *status)
{
    MlcOnnxImport im = {.ctx = ctx, .file_name = name, .mapping = mapping, .options = *options};
    mlc_arena_init(&im.arena);
    im.model = mlc_onnx_read(&im.reader, name, &im.arena, data, size);
    bool has_libraries = mlc_onnx_open_libraries(&im);
    MlcOp *module = im.model && has_libraries ? import_with_values(&im) : NULL;
    if (!im.model)
        mlc_onnx_fail_reading(&im);
    im.num_invalid += !has_libraries;
    mlc_vec_release(&im.libraries);
    *status = module ? MLC_IMPORT_OK : im.num_invalid ? MLC_IMPORT_INVALID : MLC_IMPORT_UNSUPPORTED;
    mlc_arena_release(&im.arena);
    release_mapping(mapping);
    return module;
}

static MlcOnnxMapping *
create_mapping(void)
{
    MlcOnnxMapping *mapping = mlc_calloc(1, sizeof *mapping);
    mapping->refs = 1;
    return mapping;
}

MlcOp *
mlc_onnx_import_bytes(MlcContext *ctx, const char *name, const void *data, size_t size,
                      MlcImportStatus *status)
{
    return mlc_onnx_import_bytes_with(ctx, name, data, size, NULL, status);
}

MlcOp *
mlc_onnx_import_bytes_with(MlcContext *ctx, const char *name, const void *data, size_t size,
                           const MlcOnnxImportOptions *options, MlcImportStatus *status)
{
    MlcOnnxImportOptions own = {0};
    if (options)
        mlc_sized_copy(&own, sizeof own, options, "MlcOnnxImportOptions");
    return import_mapped(ctx, name, create_mapping(), data, size, &own, status);
}

MlcOp *
mlc_onnx_import(MlcContext *ctx, const char *path, const MlcOnnxImportOptions *options,
                MlcImportStatus *status)
{
    MlcBuf reason = {0};
    MlcOnnxImportOptions own = {0};
    if (options)
        mlc_sized_copy(&own, sizeof own, options, "MlcOnnxImportOptions");
    MlcOnnxMapping *mapping = create_mapping();
    *status = MLC_IMPORT_INVALID;
    if (!mlc_file_open(&mapping->model, path, MLC_FILE_READ_ONLY, &reason)) {
        mlc_error(ctx, mlc_loc_file(ctx, mlc_str(path), 0, 0), "cannot read %s",
                  mlc_buf_c_str(&reason));
        mlc_buf_release(&reason);
        mlc_free(mapping);
        return NULL;
    }
    mlc_buf_release(&reason);
    bool has_folder = mlc_onnx_folder_init(&mapping->folder, path); // else external data is refused
    mapping->folder.allow_links = own.allow_external_links;
    (void)has_folder;
    MlcWork work;
    mlc_work_begin(&work, ctx, mlc_loc_file(ctx, mlc_str(path), 0, 0), "importing", NULL);
    MlcOp *module =
        import_mapped(ctx, path, mapping, mapping->model.data, mapping->model.size, &own, status);
    mlc_work_end(&work);
    return module;
}
