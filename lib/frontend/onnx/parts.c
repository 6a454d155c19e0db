// parts.c -- see parts.h.
//
// A node that is refused has inputs whose values say too little until the model runs: a size of an
// iteration, a rank that a condition decides. The import begins again then, and the node becomes a
// graph.operator that is given a model of this node alone, as bytes, and runs it node by node. Its
// outputs are of the types that the model declares; sizes that are not declared are told by a
// first call (mlc_measure_nodes_operator) and get names, as all sizes that a model computes
// (computed_sizes.h).
//
// Where nobody knows an output's rank, what reads it is run with it, until something has a rank:
// such an output is pending, a list of nodes.
#include "parts.h"

#include "computed_sizes.h"
#include "found_sizes.h"
#include "lists.h"
#include "operators.h"
#include "strings_of.h"
#include "wire.h"

#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/operator.h"

// Each node whose rank nobody knows is run with all that it needs of such, so long chains of them
// cost their square.
enum { MAX_CONSTANT_BYTES = 1 << 12, MAX_NAMED = 8, MAX_NODES_OF_PART = 1 << 12 };

// A node that was refused.
typedef struct Refused {
    MlcStr why;
    bool is_hopeless; // it cannot be run either
} Refused;

// What a pending value stands for: nodes by their places, rising; the last one gives it.
typedef struct Pending {
    const MlcOnnxOrdered *graph;
    const size_t *nodes;
    size_t count;
} Pending;

typedef MLC_VEC(size_t) Places;
typedef MLC_VEC(int64_t) IntVec;
typedef MLC_VEC(MlcAttr) AttrVec;

// Nodes that are run together.
typedef struct Part {
    MlcOnnxNodeImport *n; // the last one
    const MlcOnnxOrdered *graph;
    Places nodes;
    MlcStrMap seen;      // names that are defined
    MlcValueVec inputs;  // operands
    MlcBuf literals;     // nodes before the others: lists
    MlcBuf graph_fields; // inputs, initialisers and outputs
    MlcTypeVec types;    // of the outputs that have one
    Places outputs;      // which of the node's outputs these are
    MlcStr why;
} Part;

bool
mlc_onnx_refuse_to_part(MlcOnnxImport *im, const MlcOnnxNode *node, MlcStr why)
{
    Refused *old = mlc_map_get(&im->refused_nodes, node);
    if (!im->options.interprets || old || mlc_onnx_is_gradient(node)) // which needs its graph
        return false;
    Refused *refused = MLC_NEW(&im->arena, Refused);
    *refused = (Refused){.why = why};
    mlc_map_set(&im->refused_nodes, node, refused);
    return true;
}

bool
mlc_onnx_is_pending(const MlcOnnxImport *im, MlcValue *value)
{
    return value && mlc_map_size(&im->pending) > 0 && mlc_map_get(&im->pending, value);
}

static const Pending *
pending_of(const MlcOnnxImport *im, MlcStr name)
{
    MlcValue *value = mlc_str_map_get(&im->values, name);
    return value && mlc_map_size(&im->pending) > 0 ? mlc_map_get(&im->pending, value) : NULL;
}

bool
mlc_onnx_is_part(MlcOnnxImport *im, const MlcOnnxOrdered *graph, size_t i)
{
    const Refused *refused = mlc_map_get(&im->refused_nodes, graph->nodes[i]);
    bool reads_pending = false;
    for (size_t k = 0; k < graph->uses[i].count; k++)
        reads_pending |= pending_of(im, graph->uses[i].names[k]) != NULL;
    return (reads_pending && !mlc_onnx_is_gradient(graph->nodes[i])) ||
           (refused && !refused->is_hopeless);
}

// ---- inputs

static int64_t
data_type_of(MlcContext *ctx, MlcType element)
{
    for (int64_t i = 1; i < MLC_ONNX_NUM_DATA_TYPES; i++)
        if (mlc_onnx_element_type(ctx, i) == element)
            return i;
    return MLC_ONNX_UNDEFINED;
}

static void
write_value_info(Part *part, unsigned field, MlcStr name, MlcType element)
{
    MlcBuf tensor = {0}, type = {0}, info = {0};
    mlc_onnx_write_bytes(&info, MLC_ONNX_VALUE_INFO_NAME, name);
    mlc_onnx_write_number(&tensor, MLC_ONNX_TYPE_ELEMENT,
                          (uint64_t)data_type_of(part->n->import->ctx, element));
    mlc_onnx_write_bytes(&type, MLC_ONNX_TYPE_TENSOR, mlc_buf_str(&tensor));
    mlc_onnx_write_bytes(&info, MLC_ONNX_VALUE_INFO_TYPE, mlc_buf_str(&type));
    mlc_onnx_write_bytes(&part->graph_fields, field, mlc_buf_str(&info));
    mlc_buf_release(&tensor);
    mlc_buf_release(&type);
    mlc_buf_release(&info);
}

// Constants of few bytes stand in the part: operands are few.
static bool
write_constant(Part *part, MlcStr name, MlcAttr constant)
{
    MlcContext *ctx = part->n->import->ctx;
    MlcType type = mlc_attr_type(constant);
    int64_t data_type = data_type_of(ctx, mlc_type_element(type));
    size_t count = (size_t)mlc_type_num_elements(type), size;
    size_t bytes = mlc_elements_attr_element_bytes(mlc_type_element(type));
    if (!mlc_elements_attr_has_data(constant) || mlc_onnx_data_type_bits(data_type) < 8 ||
        count > MAX_CONSTANT_BYTES / bytes)
        return false;
    const char *data = mlc_elements_attr_data(constant, &size);
    MlcBuf all = {0}, tensor = {0};
    for (size_t i = 0; i < count; i++)
        mlc_buf_append(&all, data + (mlc_elements_attr_is_splat(constant) ? 0 : i * bytes), bytes);
    MlcOnnxTensorValue value = {
        MLC_SIZED(MlcOnnxTensorValue), .data_type = data_type, .dims = mlc_type_shape(type),
        .rank = mlc_type_rank(type),   .data = all.data,       .num_bytes = all.size};
    mlc_onnx_tensor_write_header(&tensor, name, &value);
    mlc_buf_append_str(&tensor, mlc_buf_str(&all));
    mlc_onnx_write_bytes(&part->graph_fields, MLC_ONNX_GRAPH_INITIALIZER, mlc_buf_str(&tensor));
    mlc_buf_release(&all);
    mlc_buf_release(&tensor);
    return true;
}

static bool
add_tensor(Part *part, MlcStr name, MlcValue *value)
{
    MlcOnnxImport *im = part->n->import;
    if (mlc_onnx_is_strings(im, value))
        return false;
    if (mlc_onnx_has_found_size(im, value) && !(value = mlc_onnx_cut_to_found(part->n, value)))
        return false;
    MlcAttr constant = mlc_value_constant(value);
    if (constant && write_constant(part, name, constant))
        return true;
    MlcType type = mlc_value_type(value);
    MlcRtType runtime;
    bool is_sized = mlc_type_has_rank(type) && mlc_type_rank(type) <= MLC_OPERATOR_MAX_RANK &&
                    data_type_of(im->ctx, mlc_type_element(type)) &&
                    mlc_type_to_runtime(mlc_type_element(type), &runtime);
    for (size_t i = 0; is_sized && i < mlc_type_rank(type); i++)
        is_sized = mlc_size_of_dim(type, i) != NULL;
    if (!is_sized)
        return false;
    mlc_vec_push(&part->inputs, value);
    write_value_info(part, MLC_ONNX_GRAPH_INPUT, name, mlc_type_element(type));
    return true;
}

// An empty sequence has its elements' type in an attribute.
static void
write_element_type(MlcBuf *node, int64_t data_type)
{
    enum { FIELD_ATTRIBUTE = 5, FIELD_NAME = 1, FIELD_INT = 3, FIELD_TYPE = 20 };
    MlcBuf attribute = {0};
    mlc_onnx_write_bytes(&attribute, FIELD_NAME, mlc_str("dtype"));
    mlc_onnx_write_number(&attribute, FIELD_INT, (uint64_t)data_type);
    mlc_onnx_write_number(&attribute, FIELD_TYPE, MLC_ONNX_ATTRIBUTE_INT);
    mlc_onnx_write_bytes(node, FIELD_ATTRIBUTE, mlc_buf_str(&attribute));
    mlc_buf_release(&attribute);
}

static bool add_value(Part *part, MlcStr name, MlcValue *value);

// A sequence or an optional of what it holds: a node makes it.
static bool
add_list(Part *part, MlcStr name, const MlcOnnxList *list)
{
    MlcOnnxImport *im = part->n->import;
    bool is_sequence = list->kind == MLC_ONNX_SEQUENCE, ok = true;
    if (!is_sequence && (list->kind != MLC_ONNX_OPTIONAL || list->count != 1))
        return false;
    MlcBuf node = {0};
    for (size_t i = 0; ok && i < list->count; i++) {
        MlcStr item = mlc_arena_printf(&im->arena, "%.*s[%zu]", MLC_STR_FMT(name), i);
        ok = add_value(part, item, list->items[i]);
        mlc_onnx_write_bytes(&node, MLC_ONNX_NODE_INPUT, item);
    }
    mlc_onnx_write_bytes(&node, MLC_ONNX_NODE_OUTPUT, name);
    mlc_onnx_write_bytes(&node, MLC_ONNX_NODE_OP_TYPE,
                         mlc_str(!is_sequence  ? "Optional"
                                 : list->count ? "SequenceConstruct"
                                               : "SequenceEmpty"));
    if (list->count == 0)
        write_element_type(&node,
                           list->element ? data_type_of(im->ctx, list->element) : MLC_ONNX_FLOAT);
    if (ok)
        mlc_onnx_write_bytes(&part->literals, MLC_ONNX_GRAPH_NODE, mlc_buf_str(&node));
    mlc_buf_release(&node);
    return ok;
}

static bool
add_value(Part *part, MlcStr name, MlcValue *value)
{
    bool fresh;
    mlc_str_map_insert(&part->seen, name, &fresh);
    if (!fresh)
        return true;
    const MlcOnnxList *list = mlc_onnx_list(part->n->import, value);
    return list ? add_list(part, name, list) : add_tensor(part, name, value);
}

static bool
add_inputs(Part *part)
{
    for (size_t i = 0; i < part->nodes.size; i++) {
        const MlcOnnxNode *node = part->graph->nodes[part->nodes.data[i]];
        for (size_t k = 0; k < node->output.count; k++)
            mlc_str_map_insert(&part->seen, node->output.items[k], NULL);
    }
    for (size_t i = 0; i < part->nodes.size; i++) {
        const MlcOnnxNodeUses *uses = &part->graph->uses[part->nodes.data[i]];
        for (size_t k = 0; k < uses->count; k++) {
            if (uses->names[k].size == 0 || mlc_str_map_has(&part->seen, uses->names[k]))
                continue;
            MlcValue *value = mlc_str_map_get(&part->n->import->values, uses->names[k]);
            if (!value || !add_value(part, uses->names[k], value))
                return false;
        }
    }
    return true;
}

// ---- outputs

// What a graph declares its output `i` to be, of sizes that are not known; NULL: no rank.
static MlcType
declared_by(MlcOnnxImport *im, const MlcOnnxGraph *graph, size_t i, size_t more)
{
    const MlcOnnxType *type = graph && i < graph->output.count ? graph->output.items[i].type : NULL;
    const MlcOnnxTensorType *tensor = type ? type->tensor_type : NULL;
    MlcType element = tensor ? mlc_onnx_element_type(im->ctx, tensor->elem_type) : NULL;
    int64_t dims[MLC_OPERATOR_MAX_RANK];
    if (!element || !tensor->shape || tensor->shape->dim.count + more > MLC_OPERATOR_MAX_RANK)
        return NULL;
    size_t rank = tensor->shape->dim.count + more;
    for (size_t k = 0; k < rank; k++)
        dims[k] = MLC_DYNAMIC;
    return mlc_tensor_type_get(element, dims, rank, NULL);
}

static const MlcOnnxGraph *
subgraph(const MlcOnnxNode *node, const char *name)
{
    for (size_t i = 0; i < node->attribute.count; i++)
        if (mlc_str_equal(node->attribute.items[i].name, mlc_str(name)))
            return node->attribute.items[i].g;
    return NULL;
}

// By what the node's graphs declare; NULL: they do not agree, or say no rank.
static MlcType
type_by_graphs(MlcOnnxNodeImport *n, size_t i)
{
    const MlcOnnxNode *node = n->node;
    MlcOnnxImport *im = n->import;
    if (mlc_str_equal(node->op_type, mlc_str("If"))) {
        MlcType a = declared_by(im, subgraph(node, "then_branch"), i, 0);
        MlcType b = declared_by(im, subgraph(node, "else_branch"), i, 0);
        return a == b ? a : NULL;
    }
    if (!mlc_str_equal(node->op_type, mlc_str("Loop")))
        return NULL;
    size_t num_carried = node->input.count > 2 ? node->input.count - 2 : 0;
    if (i >= num_carried)
        return declared_by(im, subgraph(node, "body"), 1 + i, 1);
    MlcValue *init = mlc_str_map_get(&im->values, node->input.items[2 + i]);
    MlcType type = declared_by(im, subgraph(node, "body"), 1 + i, 0);
    bool fits = init && type && !mlc_onnx_list(im, init) && !mlc_onnx_is_pending(im, init) &&
                mlc_type_has_rank(mlc_value_type(init)) &&
                mlc_type_rank(mlc_value_type(init)) == mlc_type_rank(type);
    return fits ? type : NULL;
}

// The type with sizes that a run finds: what exporters say of results of loops holds for the first
// iteration alone.
static MlcType
of_rank(MlcType type)
{
    int64_t dims[MLC_OPERATOR_MAX_RANK];
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        dims[i] = MLC_DYNAMIC;
    return mlc_tensor_type_get(mlc_type_element(type), dims, rank, NULL);
}

// NULL: only a run knows its rank.
static MlcType
type_of(MlcOnnxNodeImport *n, size_t i)
{
    MlcRtType runtime;
    MlcType type = mlc_onnx_declared_type(n, i);
    if (!type || !mlc_type_has_rank(type))
        type = type_by_graphs(n, i);
    if (!type || mlc_type_rank(type) > MLC_OPERATOR_MAX_RANK ||
        !mlc_type_to_runtime(mlc_type_element(type), &runtime) || runtime == MLC_RT_STRING)
        return NULL;
    return mlc_onnx_has_subgraphs(n->node) ? of_rank(type) : type;
}

static void
find_outputs(Part *part)
{
    const MlcOnnxNode *node = part->n->node;
    for (size_t i = 0; i < node->output.count; i++) {
        MlcType type = node->output.items[i].size ? type_of(part->n, i) : NULL;
        if (!type)
            continue;
        mlc_vec_push(&part->types, type);
        mlc_vec_push(&part->outputs, i);
        write_value_info(part, MLC_ONNX_GRAPH_OUTPUT, node->output.items[i],
                         mlc_type_element(type));
    }
}

// ---- the call

static MlcStr
raw(const MlcOnnxImport *im, uint64_t offset, uint64_t size)
{
    return mlc_str_n(im->reader.data + offset, size);
}

static MlcAttr
write_model(const Part *part)
{
    const MlcOnnxImport *im = part->n->import;
    const MlcOnnxModel *model = im->model;
    MlcBuf out = {0}, graph = {0};
    mlc_onnx_write_number(&out, MLC_ONNX_MODEL_IR_VERSION, (uint64_t)model->ir_version);
    for (size_t i = 0; i < model->opset_import.count; i++)
        mlc_onnx_write_bytes(
            &out, MLC_ONNX_MODEL_OPSET_IMPORT,
            raw(im, model->opset_import.items[i].offset, model->opset_import.items[i].size));
    for (size_t i = 0; i < model->functions.count; i++)
        mlc_onnx_write_bytes(
            &out, MLC_ONNX_MODEL_FUNCTIONS,
            raw(im, model->functions.items[i].offset, model->functions.items[i].size));
    mlc_onnx_write_bytes(&graph, MLC_ONNX_GRAPH_NAME, mlc_str("part"));
    mlc_buf_append_str(&graph, mlc_buf_str(&part->literals));
    for (size_t i = 0; i < part->nodes.size; i++) {
        const MlcOnnxNode *node = part->graph->nodes[part->nodes.data[i]];
        mlc_onnx_write_bytes(&graph, MLC_ONNX_GRAPH_NODE, raw(im, node->offset, node->size));
    }
    mlc_buf_append_str(&graph, mlc_buf_str(&part->graph_fields));
    mlc_onnx_write_bytes(&out, MLC_ONNX_MODEL_GRAPH, mlc_buf_str(&graph));
    MlcAttr bytes = mlc_string_attr_get(im->ctx, mlc_buf_str(&out));
    mlc_buf_release(&out);
    mlc_buf_release(&graph);
    return bytes;
}

// Of each output its rank and sizes, -1 for those that are found; `*num_found` of these.
static MlcAttr
list_shapes(const Part *part, size_t *num_found)
{
    MlcContext *ctx = part->n->import->ctx;
    AttrVec shapes = {0};
    *num_found = 0;
    for (size_t i = 0; i < part->types.size; i++) {
        size_t rank = mlc_type_rank(part->types.data[i]);
        mlc_vec_push(&shapes, mlc_i64_attr_get(ctx, (int64_t)rank));
        for (size_t k = 0; k < rank; k++) {
            int64_t size = mlc_type_dim(part->types.data[i], k);
            *num_found += size == MLC_DYNAMIC;
            mlc_vec_push(&shapes, mlc_i64_attr_get(ctx, size == MLC_DYNAMIC ? -1 : size));
        }
    }
    MlcAttr list = mlc_array_attr_get(ctx, shapes.data, shapes.size);
    mlc_vec_release(&shapes);
    return list;
}

static MlcOp *
build_call(const Part *part, const char *function, MlcAttr attributes, const MlcTypeVec *types)
{
    MlcOnnxImport *im = part->n->import;
    MlcContext *ctx = im->ctx;
    MlcStr domain = part->n->node->domain.size ? part->n->node->domain : mlc_str("ai.onnx");
    MlcAttr note = mlc_string_attr_get(
        ctx, mlc_arena_printf(&im->arena, "interpreted: %.*s", MLC_STR_FMT(part->why)));
    MlcNamedAttr attrs[] = {
        mlc_named(ctx, "function", mlc_string_attr_get(ctx, mlc_str(function))),
        mlc_named(ctx, "library", mlc_string_attr_get(ctx, mlc_str("libmlc.so.0"))),
        mlc_named(ctx, "domain", mlc_string_attr_get(ctx, domain)),
        mlc_named(ctx, "name", mlc_string_attr_get(ctx, part->n->node->op_type)),
        mlc_named(ctx, "attributes", attributes),
        mlc_named(ctx, "mlc.notes", mlc_array_attr_get(ctx, &note, 1)),
    };
    MlcOpState state = {.def = &mlc_graph_operator_def,
                        .operands = part->inputs.data,
                        .num_operands = part->inputs.size,
                        .result_types = types->data,
                        .num_results = types->size,
                        .attrs = attrs,
                        .num_attrs = sizeof attrs / sizeof *attrs};
    MlcOp *op = mlc_builder_create(&im->builder, &state);
    return mlc_onnx_infer(part->n, op) ? op : NULL;
}

// The type with names for the sizes that are found: elements of `told`, from `*next` on.
static MlcType
name_sizes(MlcOnnxNodeImport *n, MlcType type, MlcValue *told, int64_t *next)
{
    MlcContext *ctx = n->import->ctx;
    MlcAttr names[MLC_OPERATOR_MAX_RANK];
    int64_t axis = 0;
    bool is_open = false;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        names[i] = mlc_string_attr_get(ctx, mlc_str(""));
        if (mlc_type_dim(type, i) != MLC_DYNAMIC)
            continue;
        int64_t start = (*next)++, end = start + 1;
        MlcValue *size = mlc_onnx_slice(n, told, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                                        (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
        size = size ? mlc_onnx_reshape(n, size, (MlcOnnxInts){&axis, 0}, true) : NULL;
        if (!(names[i] = size ? mlc_onnx_name_size(n, size) : NULL))
            return NULL;
        is_open = true;
    }
    MlcAttr list = mlc_array_attr_get(ctx, names, mlc_type_rank(type));
    return mlc_tensor_type_get(
        mlc_type_element(type), mlc_type_shape(type), mlc_type_rank(type),
        is_open ? mlc_dialect_attr_get(ctx, &mlc_graph_dims_attr_def, &list, 1) : NULL);
}

static bool
build_part(Part *part)
{
    MlcOnnxNodeImport *n = part->n;
    MlcContext *ctx = n->import->ctx;
    size_t num_found;
    int64_t next = 0;
    MlcAttr shapes = list_shapes(part, &num_found);
    MlcNamedAttr entries[] = {mlc_named(ctx, "model", write_model(part)),
                              mlc_named(ctx, "shapes", shapes)};
    MlcAttr attributes = mlc_dict_attr_get(ctx, entries, 2);
    MlcTypeVec types = {0};
    MlcOp *told = NULL;
    if (num_found) {
        MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
        mlc_vec_push(&types, mlc_tensor_type_get(i64, &(int64_t){(int64_t)num_found}, 1, NULL));
        told = build_call(part, "mlc_measure_nodes_operator", attributes, &types);
        mlc_vec_clear(&types);
    }
    bool ok = !num_found || told;
    for (size_t i = 0; ok && i < part->types.size; i++) {
        MlcType type =
            name_sizes(n, part->types.data[i], told ? mlc_op_result(told, 0) : NULL, &next);
        ok = type != NULL;
        mlc_vec_push(&types, type);
    }
    MlcOp *op = ok ? build_call(part, "mlc_run_nodes_operator", attributes, &types) : NULL;
    for (size_t i = 0; op && i < part->outputs.size; i++)
        n->outputs[part->outputs.data[i]] = mlc_op_result(op, i);
    mlc_vec_release(&types);
    return op != NULL;
}

// ---- nodes

static void
add_node(Places *nodes, size_t node)
{
    size_t at = nodes->size; // they come in order, mostly
    while (at > 0 && nodes->data[at - 1] > node)
        at--;
    if (at > 0 && nodes->data[at - 1] == node)
        return;
    mlc_vec_push(nodes, node);
    for (size_t i = nodes->size - 1; i > at; i--)
        nodes->data[i] = nodes->data[i - 1];
    nodes->data[at] = node;
}

static void
collect_nodes(Part *part, size_t i)
{
    const MlcOnnxNodeUses *uses = &part->graph->uses[i];
    add_node(&part->nodes, i);
    for (size_t k = 0; k < uses->count; k++) {
        const Pending *pending = pending_of(part->n->import, uses->names[k]);
        for (size_t p = 0; pending && p < pending->count; p++)
            add_node(&part->nodes, pending->nodes[p]);
    }
}

// The node's outputs without a type.
static void
leave_pending(Part *part)
{
    MlcOnnxImport *im = part->n->import;
    Pending *pending = MLC_NEW(&im->arena, Pending);
    size_t *nodes = MLC_NEW_ARRAY(&im->arena, size_t, part->nodes.size);
    for (size_t i = 0; i < part->nodes.size; i++)
        nodes[i] = part->nodes.data[i];
    *pending = (Pending){part->graph, nodes, part->nodes.size};
    for (size_t i = 0; i < part->n->node->output.count; i++) {
        if (part->n->outputs[i] || part->n->node->output.items[i].size == 0)
            continue;
        part->n->outputs[i] = mlc_onnx_build_stand_in(im);
        mlc_map_set(&im->pending, part->n->outputs[i], pending);
    }
}

// Whether the nodes need nothing of what other files hold: tensors, and functions of libraries and
// dialects.
static bool
can_run(MlcOnnxImport *im, const MlcOnnxNode *nodes, size_t count)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        MlcOnnxFunctionFound found;
        ok = !mlc_onnx_find_custom(im, &nodes[i]) && !mlc_onnx_find_function(im, &nodes[i], &found);
        for (size_t k = 0; ok && k < nodes[i].attribute.count; k++) {
            const MlcOnnxAttribute *a = &nodes[i].attribute.items[k];
            ok = !a->t || a->t->data_location != MLC_ONNX_EXTERNAL;
            for (size_t t = 0; ok && a->g && t < a->g->initializer.count; t++)
                ok = a->g->initializer.items[t].data_location != MLC_ONNX_EXTERNAL;
            ok = ok && (!a->g || can_run(im, a->g->node.items, a->g->node.count));
        }
    }
    return ok;
}

bool
mlc_onnx_import_part(MlcOnnxNodeImport *n, const MlcOnnxOrdered *graph, size_t i)
{
    MlcOnnxImport *im = n->import;
    Refused *refused = mlc_map_get(&im->refused_nodes, graph->nodes[i]);
    Part part = {.n = n, .graph = graph, .why = mlc_str("only a run knows the rank of its input")};
    if (refused)
        part.why = refused->why;
    mlc_str_map_init(&part.seen, NULL);
    collect_nodes(&part, i);
    bool ok = part.nodes.size <= MAX_NODES_OF_PART;
    for (size_t k = 0; ok && k < part.nodes.size; k++)
        ok = can_run(im, graph->nodes[part.nodes.data[k]], 1);
    ok = ok && add_inputs(&part);
    if (ok)
        find_outputs(&part);
    ok = ok && part.inputs.size + part.types.size <= MLC_OPERATOR_MAX_TENSORS &&
         (part.types.size == 0 || build_part(&part));
    if (ok) {
        leave_pending(&part);
        mlc_vec_push(&im->part_nodes, graph->nodes[i]);
    } else if (refused) {
        refused->is_hopeless = true;
    }
    mlc_str_map_release(&part.seen);
    mlc_vec_release(&part.nodes);
    mlc_vec_release(&part.inputs);
    mlc_vec_release(&part.types);
    mlc_vec_release(&part.outputs);
    mlc_buf_release(&part.literals);
    mlc_buf_release(&part.graph_fields);
    return ok;
}

void
mlc_onnx_give_up_part(MlcOnnxImport *im, MlcValue *pending)
{
    const Pending *of = mlc_map_get(&im->pending, pending);
    for (size_t i = 0; i < of->count; i++) {
        Refused *refused = mlc_map_get(&im->refused_nodes, of->graph->nodes[of->nodes[i]]);
        if (refused)
            refused->is_hopeless = true;
    }
}

void
mlc_onnx_tell_parts(MlcOnnxImport *im)
{
    MlcBuf names = {0};
    size_t count = im->part_nodes.size;
    for (size_t i = 0; i < count && i < MAX_NAMED; i++) {
        const MlcOnnxNode *node = im->part_nodes.data[i];
        const Refused *refused = mlc_map_get(&im->refused_nodes, node);
        MlcStr name = mlc_onnx_node_name(node);
        mlc_buf_printf(&names, "%s'%.*s' (%.*s)%s%.*s", i ? "; " : "", MLC_STR_FMT(name),
                       MLC_STR_FMT(node->op_type), refused ? ": " : "",
                       MLC_STR_FMT(refused ? refused->why : mlc_str("")));
    }
    if (count > MAX_NAMED)
        mlc_buf_append_c(&names, "; ...");
    if (count)
        mlc_warning(im->ctx, mlc_loc_file(im->ctx, mlc_str(im->file_name), 0, 0),
                    "%zu node%s interpreted, which is slow (--require-compiled refuses that): %s",
                    count, count == 1 ? " is" : "s are", mlc_buf_c_str(&names));
    mlc_buf_release(&names);
}
