// run_nodes.c -- see mlc/frontend/onnx_run.h: graphs of nodes, and those that run graphs.
//
// If, Loop and Scan are run here, since what they do depends on what they are given; all other
// nodes are imported one by one (run_node.c).
#include "run.h"

#include "order.h"

#include "mlc/dialects.h"
#include "mlc/frontend/onnx_run.h"
#include "mlc/ir/limits.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/support/alloc.h"

enum { MAX_DEPTH = 64, NODES_OF_CONTEXT = 1 << 10 };

struct MlcOnnxRun {
    MlcOnnxRunValues outputs;
    size_t bytes; // of all values
};

// ---- graphs

// The graph with these inputs, which are held; the values of its outputs, held for the caller.
static bool run_graph(MlcOnnxRunner *r, const MlcOnnxGraph *graph, MlcOnnxRunValue *const *args,
                      size_t num_args, const MlcOnnxScope *outer, MlcOnnxRunValues *results);

static MlcOnnxRunValue *
read_initializer(MlcOnnxRunner *r, const MlcOnnxTensor *tensor)
{
    MlcOnnxFolder nowhere = {0};
    MlcOnnxBytes bytes;
    MlcRtType type = tensor->data_type > 0 && tensor->data_type < MLC_ONNX_NUM_DATA_TYPES
                         ? r->types[tensor->data_type]
                         : 0;
    if (!type)
        return mlc_onnx_run_no_numbers(r), NULL;
    if (!mlc_onnx_tensor_bytes(&r->reader, &nowhere, tensor, &bytes))
        return mlc_onnx_run_fail(r, "%s", r->reader.error), NULL;
    MlcOnnxRunValue *value = mlc_onnx_run_tensor(r, type, tensor->dims.items, tensor->dims.count);
    size_t size = value ? mlc_runtime_tensor_bytes(&value->tensor) : 0;
    if (size && !mlc_onnx_unpack(value->tensor.data, bytes.data, size, tensor->data_type))
        memcpy(value->tensor.data, bytes.data, size);
    return value;
}

// Bodies of loops have theirs in each iteration.
static bool
name_initializer(MlcOnnxRunner *r, const MlcOnnxTensor *tensor, MlcOnnxScope *scope)
{
    MlcOnnxRunValue *value = mlc_map_get(&r->constants, tensor);
    if (!value && !(value = read_initializer(r, tensor)))
        return false;
    mlc_map_set(&r->constants, tensor, value);
    mlc_onnx_run_hold(value);
    mlc_onnx_run_name(scope, tensor->name, value);
    return true;
}

static bool
is_of(const MlcOnnxNode *node, const char *name)
{
    return mlc_onnx_is_default_domain(node->domain) && mlc_str_equal(node->op_type, mlc_str(name));
}

static const MlcOnnxAttribute *
attribute_of(const MlcOnnxNode *node, const char *name)
{
    for (size_t i = 0; i < node->attribute.count; i++)
        if (mlc_str_equal(node->attribute.items[i].name, mlc_str(name)))
            return &node->attribute.items[i];
    return NULL;
}

static const MlcOnnxGraph *
body_of(MlcOnnxRunner *r, const MlcOnnxNode *node, const char *name)
{
    const MlcOnnxAttribute *a = attribute_of(node, name);
    if (!a || !a->g)
        mlc_onnx_run_fail(r, "attribute '%s' is required", name);
    return a ? a->g : NULL;
}

// Gives the node's outputs their names; takes the values.
static bool
name_outputs(MlcOnnxRunner *r, const MlcOnnxNode *node, MlcOnnxRunValues *values,
             MlcOnnxScope *scope)
{
    bool ok = node->output.count <= values->size || mlc_onnx_run_broken(r);
    for (size_t i = 0; ok && i < node->output.count; i++)
        if (node->output.items[i].size) {
            mlc_onnx_run_hold(values->data[i]);
            mlc_onnx_run_name(scope, node->output.items[i], values->data[i]);
        }
    mlc_onnx_run_drop_all(values);
    return ok;
}

static bool
run_if(MlcOnnxRunner *r, const MlcOnnxNode *node, MlcOnnxScope *scope)
{
    MlcOnnxRunValues results = {0};
    int64_t truth;
    if (node->input.count != 1 ||
        !mlc_onnx_run_read(r, mlc_onnx_run_find(scope, node->input.items[0]), &truth))
        return mlc_onnx_run_broken(r);
    const MlcOnnxGraph *graph = body_of(r, node, truth ? "then_branch" : "else_branch");
    bool ok = graph && run_graph(r, graph, NULL, 0, scope, &results);
    return name_outputs(r, node, &results, scope) && ok;
}

// ---- loops

// Along which dimension, and in which order, the elements of output `i` are put together.
typedef struct Direction {
    MlcOnnxInts axes, reversed;
} Direction;

static bool
axis_of(MlcOnnxRunner *r, const MlcOnnxInts *axes, size_t i, int32_t rank, size_t *axis)
{
    int64_t at = i < axes->count ? axes->items[i] : 0;
    at += at < 0 ? rank : 0;
    *axis = (size_t)at;
    return (at >= 0 && at < rank) || mlc_onnx_run_broken(r);
}

// Of an output that no iteration gave an element of: as the graph declares the elements.
static MlcOnnxRunValue *
nothing_of(MlcOnnxRunner *r, const MlcOnnxGraph *graph, size_t output, const MlcOnnxInts *axes,
           size_t i)
{
    const MlcOnnxType *type = graph->output.items[output].type;
    const MlcOnnxTensorType *tensor = type ? type->tensor_type : NULL;
    size_t rank = tensor && tensor->shape ? tensor->shape->dim.count : 0;
    bool is_known = tensor && tensor->elem_type > 0 && tensor->elem_type < MLC_ONNX_NUM_DATA_TYPES;
    MlcRtType element = is_known ? r->types[tensor->elem_type] : 0;
    size_t axis;
    if (!element || rank >= MLC_SMALL_RANK || !axis_of(r, axes, i, (int32_t)rank + 1, &axis))
        return mlc_onnx_run_broken(r), NULL;
    int64_t dims[MLC_SMALL_RANK] = {0};
    for (size_t k = 0; k < rank; k++) {
        int64_t size = tensor->shape->dim.items[k].dim_value;
        dims[k + (k >= axis)] = size < 0 ? 0 : size;
    }
    return mlc_onnx_run_tensor(r, element, dims, rank + 1);
}

// What goes round, and what iterations have given of each output that is put together.
typedef struct Round {
    const MlcOnnxGraph *body;
    size_t num_carried, num_stacked, first; // `first`: output of the body that is carried first
    MlcOnnxRunValues carried;
    MlcOnnxRunValues *stacked;
} Round;

static void
release_round(Round *round)
{
    mlc_onnx_run_drop_all(&round->carried);
    for (size_t i = 0; i < round->num_stacked; i++)
        mlc_onnx_run_drop_all(&round->stacked[i]);
    mlc_free(round->stacked);
}

static bool
begin_round(MlcOnnxRunner *r, const MlcOnnxNode *node, size_t first_input, size_t num_carried,
            size_t first, const MlcOnnxScope *scope, Round *round)
{
    *round = (Round){.body = body_of(r, node, "body"), .num_carried = num_carried, .first = first};
    if (!round->body)
        return false;
    size_t num_outputs = round->body->output.count;
    if (num_outputs < first + num_carried)
        return mlc_onnx_run_broken(r);
    round->num_stacked = num_outputs - first - num_carried;
    round->stacked = mlc_calloc(round->num_stacked + 1, sizeof *round->stacked);
    for (size_t i = 0; i < num_carried; i++) {
        MlcOnnxRunValue *value = mlc_onnx_run_find(scope, node->input.items[first_input + i]);
        if (!value)
            return mlc_onnx_run_fail(r, "input %zu is required", first_input + i);
        mlc_onnx_run_hold(value);
        mlc_vec_push(&round->carried, value);
    }
    return true;
}

// Takes what an iteration gave.
static void
next_round(Round *round, MlcOnnxRunValues *results)
{
    for (size_t i = 0; i < round->num_carried; i++) {
        MlcOnnxRunValue *old = round->carried.data[i];
        round->carried.data[i] = results->data[round->first + i];
        mlc_onnx_run_hold(round->carried.data[i]);
        mlc_onnx_run_drop(old);
    }
    for (size_t i = 0; i < round->num_stacked; i++) {
        MlcOnnxRunValue *piece = results->data[round->first + round->num_carried + i];
        mlc_onnx_run_hold(piece);
        mlc_vec_push(&round->stacked[i], piece);
    }
    mlc_onnx_run_drop_all(results);
}

static bool
end_round(MlcOnnxRunner *r, const MlcOnnxNode *node, Round *round, const Direction *direction,
          MlcOnnxScope *scope)
{
    MlcOnnxRunValues results = {0};
    bool ok = true;
    for (size_t i = 0; i < round->num_carried; i++) {
        mlc_onnx_run_hold(round->carried.data[i]);
        mlc_vec_push(&results, round->carried.data[i]);
    }
    for (size_t i = 0; ok && i < round->num_stacked; i++) {
        const MlcOnnxRunValues *pieces = &round->stacked[i];
        size_t axis;
        MlcOnnxRunValue *value = NULL;
        if (pieces->size == 0)
            value = nothing_of(r, round->body, round->first + round->num_carried + i,
                               &direction->axes, i);
        else if (axis_of(r, &direction->axes, i, pieces->data[0]->tensor.rank + 1, &axis))
            value = mlc_onnx_run_stack(r, pieces, axis,
                                       i < direction->reversed.count &&
                                           direction->reversed.items[i] == 1);
        ok = value != NULL;
        if (ok)
            mlc_vec_push(&results, value);
    }
    return ok ? name_outputs(r, node, &results, scope) : (mlc_onnx_run_drop_all(&results), false);
}

static bool
run_iterations(MlcOnnxRunner *r, Round *round, int64_t count, bool goes_on,
               const MlcOnnxScope *scope)
{
    bool ok = true;
    for (int64_t t = 0; ok && goes_on && t < count; t++) {
        MlcOnnxRunValues args = {0}, results = {0};
        int64_t truth = 0;
        mlc_vec_push(&args, mlc_onnx_run_scalar(r, MLC_RT_I64, t));
        mlc_vec_push(&args, mlc_onnx_run_scalar(r, MLC_RT_BOOL, 1));
        for (size_t i = 0; i < round->num_carried; i++) {
            mlc_onnx_run_hold(round->carried.data[i]);
            mlc_vec_push(&args, round->carried.data[i]);
        }
        ok = args.data[0] && args.data[1] &&
             run_graph(r, round->body, args.data, args.size, scope, &results) &&
             mlc_onnx_run_read(r, results.data[0], &truth);
        goes_on = truth != 0;
        mlc_onnx_run_drop_all(&args);
        if (ok)
            next_round(round, &results);
        mlc_onnx_run_drop_all(&results);
    }
    return ok;
}

static bool
run_loop(MlcOnnxRunner *r, const MlcOnnxNode *node, MlcOnnxScope *scope)
{
    size_t num_inputs = node->input.count;
    Round round;
    Direction direction = {0};
    int64_t count = INT64_MAX, goes_on = 1;
    bool has_count = num_inputs > 0 && node->input.items[0].size;
    bool has_condition = num_inputs > 1 && node->input.items[1].size;
    bool ok = begin_round(r, node, 2, num_inputs > 2 ? num_inputs - 2 : 0, 1, scope, &round) &&
              (!has_count ||
               mlc_onnx_run_read(r, mlc_onnx_run_find(scope, node->input.items[0]), &count)) &&
              (!has_condition ||
               mlc_onnx_run_read(r, mlc_onnx_run_find(scope, node->input.items[1]), &goes_on)) &&
              run_iterations(r, &round, count, goes_on != 0, scope) &&
              end_round(r, node, &round, &direction, scope);
    release_round(&round);
    return ok;
}

// ---- Scan, of opset 9 and later

typedef struct Scanned {
    const MlcRtTensor *tensor;
    size_t axis;
    bool reversed;
} Scanned;

static MlcOnnxInts
ints_of(const MlcOnnxNode *node, const char *name)
{
    const MlcOnnxAttribute *a = attribute_of(node, name);
    return a ? a->ints : (MlcOnnxInts){0};
}

static bool
find_scanned(MlcOnnxRunner *r, const MlcOnnxNode *node, size_t first, size_t count,
             const MlcOnnxScope *scope, Scanned *scanned, int64_t *steps)
{
    MlcOnnxInts axes = ints_of(node, "scan_input_axes");
    MlcOnnxInts reversed = ints_of(node, "scan_input_directions");
    *steps = 0;
    for (size_t i = 0; i < count; i++) {
        MlcOnnxRunValue *value = mlc_onnx_run_find(scope, node->input.items[first + i]);
        if (!value || value->kind != MLC_ONNX_RUN_TENSOR || value->tensor.rank == 0)
            return mlc_onnx_run_broken(r);
        scanned[i].tensor = &value->tensor;
        scanned[i].reversed = i < reversed.count && reversed.items[i] == 1;
        if (!axis_of(r, &axes, i, value->tensor.rank, &scanned[i].axis))
            return false;
        int64_t size = value->tensor.dims[scanned[i].axis];
        if (i > 0 && size != *steps)
            return mlc_onnx_run_fail(r, "inputs to scan have %lld and %lld elements",
                                     (long long)*steps, (long long)size);
        *steps = size;
    }
    return true;
}

static bool
scan_step(MlcOnnxRunner *r, Round *round, const Scanned *scanned, size_t count, int64_t t,
          int64_t steps, const MlcOnnxScope *scope)
{
    MlcOnnxRunValues args = {0}, results = {0};
    bool ok = true;
    for (size_t i = 0; i < round->num_carried; i++) {
        mlc_onnx_run_hold(round->carried.data[i]);
        mlc_vec_push(&args, round->carried.data[i]);
    }
    for (size_t i = 0; ok && i < count; i++) {
        MlcOnnxRunValue *element = mlc_onnx_run_take(r, scanned[i].tensor, scanned[i].axis,
                                                     scanned[i].reversed ? steps - 1 - t : t);
        ok = element != NULL;
        if (ok)
            mlc_vec_push(&args, element);
    }
    ok = ok && run_graph(r, round->body, args.data, args.size, scope, &results);
    if (ok)
        next_round(round, &results);
    mlc_onnx_run_drop_all(&args);
    mlc_onnx_run_drop_all(&results);
    return ok;
}

static bool
run_scan(MlcOnnxRunner *r, const MlcOnnxNode *node, MlcOnnxScope *scope)
{
    const MlcOnnxAttribute *a = attribute_of(node, "num_scan_inputs");
    int64_t count = a ? a->i : 0, steps = 0;
    if (count < 1 || (uint64_t)count > node->input.count)
        return mlc_onnx_run_broken(r);
    size_t num_scanned = (size_t)count, num_states = node->input.count - num_scanned;
    Scanned *scanned = mlc_calloc(num_scanned, sizeof *scanned);
    Round round;
    Direction direction = {ints_of(node, "scan_output_axes"),
                           ints_of(node, "scan_output_directions")};
    bool ok = begin_round(r, node, 0, num_states, 0, scope, &round) &&
              find_scanned(r, node, num_states, num_scanned, scope, scanned, &steps);
    for (int64_t t = 0; ok && t < steps; t++)
        ok = scan_step(r, &round, scanned, num_scanned, t, steps, scope);
    ok = ok && end_round(r, node, &round, &direction, scope);
    release_round(&round);
    mlc_free(scanned);
    return ok;
}

// ---- nodes

static bool run_all(MlcOnnxRunner *r, const MlcOnnxNode *nodes, size_t count, MlcOnnxScope *scope);

static void
release_scope(MlcOnnxScope *scope)
{
    for (size_t i = 0; i < scope->values.num_entries; i++)
        if (scope->values.entries[i].live)
            mlc_onnx_run_drop((MlcOnnxRunValue *)(uintptr_t)scope->values.entries[i].value);
    mlc_str_map_release(&scope->values);
}

// The model's own function that the node calls, or NULL.
static const MlcOnnxFunction *
function_of(const MlcOnnxRunner *r, const MlcOnnxNode *node)
{
    for (size_t i = 0; i < r->model->functions.count; i++) {
        const MlcOnnxFunction *function = &r->model->functions.items[i];
        bool is_default = mlc_onnx_is_default_domain(node->domain) &&
                          mlc_onnx_is_default_domain(function->domain);
        if (mlc_str_equal(function->name, node->op_type) &&
            (is_default || mlc_str_equal(function->domain, node->domain)))
            return function;
    }
    return NULL;
}

// Its nodes see the names of the function alone, and are of its opsets.
static bool
run_call(MlcOnnxRunner *r, const MlcOnnxFunction *function, const MlcOnnxNode *node,
         MlcOnnxScope *outer)
{
    MlcOnnxScope scope = {0};
    MlcOnnxRunValues results = {0};
    const MlcOnnxOpset *opsets = r->opsets;
    size_t num_opsets = r->num_opsets;
    if (r->depth == MAX_DEPTH)
        return mlc_onnx_run_broken(r);
    bool ok = node->input.count <= function->input.count || mlc_onnx_run_broken(r);
    mlc_str_map_init(&scope.values, NULL);
    for (size_t i = 0; ok && i < node->input.count; i++) {
        MlcOnnxRunValue *value = mlc_onnx_run_find(outer, node->input.items[i]);
        if (!value)
            continue;
        mlc_onnx_run_hold(value);
        mlc_onnx_run_name(&scope, function->input.items[i], value);
    }
    if (function->opset_import.count) {
        r->opsets = function->opset_import.items;
        r->num_opsets = function->opset_import.count;
    }
    r->depth++;
    ok = ok && run_all(r, function->node.items, function->node.count, &scope);
    r->depth--;
    r->opsets = opsets;
    r->num_opsets = num_opsets;
    for (size_t i = 0; ok && i < function->output.count; i++) {
        MlcOnnxRunValue *value = mlc_onnx_run_find(&scope, function->output.items[i]);
        ok = value || mlc_onnx_run_fail(r, "the function does not define its output %zu", i);
        if (ok) {
            mlc_onnx_run_hold(value);
            mlc_vec_push(&results, value);
        }
    }
    release_scope(&scope);
    return name_outputs(r, node, &results, outer) && ok;
}

static int64_t
default_opset(const MlcOnnxRunner *r)
{
    for (size_t i = 0; i < r->num_opsets; i++)
        if (mlc_onnx_is_default_domain(r->opsets[i].domain))
            return r->opsets[i].version;
    return 0;
}

static void
keep_message(const MlcDiag *diag, void *user)
{
    if (diag->severity == MLC_ERROR)
        mlc_onnx_run_fail(user, "%.*s", MLC_STR_FMT(diag->message));
}

static void
create_context(MlcOnnxRunner *r)
{
    r->ctx = mlc_context_create();
    mlc_context_set_diag_handler(r->ctx, keep_message, r);
    mlc_register_all_dialects(r->ctx);
}

static bool
run_node(MlcOnnxRunner *r, const MlcOnnxNode *node, MlcOnnxScope *scope)
{
    if (++r->num_nodes % NODES_OF_CONTEXT == 0) {
        mlc_context_destroy(r->ctx);
        create_context(r);
    }
    const MlcOnnxFunction *function = function_of(r, node);
    bool ok = function                                      ? run_call(r, function, node, scope)
              : is_of(node, "If")                           ? run_if(r, node, scope)
              : is_of(node, "Loop")                         ? run_loop(r, node, scope)
              : is_of(node, "Scan") && default_opset(r) > 8 ? run_scan(r, node, scope)
                                                            : mlc_onnx_run_node(r, node, scope);
    if (ok)
        return true;
    MlcStr name = mlc_onnx_node_name(node);
    if (r->error->size && r->error->data[0] != '\'') { // the innermost node
        MlcBuf why = {0};
        mlc_buf_printf(&why, "'%.*s' (%.*s): %s", MLC_STR_FMT(name), MLC_STR_FMT(node->op_type),
                       mlc_buf_c_str(r->error));
        mlc_buf_clear(r->error);
        mlc_buf_append_str(r->error, mlc_buf_str(&why));
        mlc_buf_release(&why);
    }
    return false;
}

static bool
run_all(MlcOnnxRunner *r, const MlcOnnxNode *nodes, size_t count, MlcOnnxScope *scope)
{
    MlcOnnxImport im = {.ctx = r->ctx, .file_name = "a part"};
    MlcStrMap none;
    MlcOnnxOrdered ordered;
    mlc_arena_init(&im.arena);
    mlc_str_map_init(&im.values, NULL);
    mlc_str_map_init(&none, NULL);
    bool ok = mlc_onnx_order_nodes(&im, nodes, count, &none, &ordered);
    mlc_diag_flush(r->ctx);
    for (size_t i = 0; ok && i < count; i++)
        ok = run_node(r, ordered.nodes[i], scope);
    mlc_str_map_release(&none);
    mlc_str_map_release(&im.values);
    mlc_arena_release(&im.arena);
    return ok;
}

static bool
run_graph(MlcOnnxRunner *r, const MlcOnnxGraph *graph, MlcOnnxRunValue *const *args,
          size_t num_args, const MlcOnnxScope *outer, MlcOnnxRunValues *results)
{
    MlcOnnxScope scope = {.outer = outer};
    if (graph->input.count != num_args)
        return mlc_onnx_run_broken(r);
    if (r->depth == MAX_DEPTH)
        return mlc_onnx_run_broken(r);
    r->depth++;
    mlc_str_map_init(&scope.values, NULL);
    bool ok = true;
    for (size_t i = 0; i < num_args; i++) {
        mlc_onnx_run_hold(args[i]);
        mlc_onnx_run_name(&scope, graph->input.items[i].name, args[i]);
    }
    for (size_t i = 0; ok && i < graph->initializer.count; i++)
        ok = name_initializer(r, &graph->initializer.items[i], &scope);
    ok = ok && run_all(r, graph->node.items, graph->node.count, &scope);
    for (size_t i = 0; ok && i < graph->output.count; i++) {
        MlcOnnxRunValue *value = mlc_onnx_run_find(&scope, graph->output.items[i].name);
        ok = value || mlc_onnx_run_broken(r);
        if (ok) {
            mlc_onnx_run_hold(value);
            mlc_vec_push(results, value);
        }
    }
    release_scope(&scope);
    r->depth--;
    return ok;
}

// ---- the model

static void
find_types(MlcOnnxRunner *r)
{
    for (int64_t i = 1; i < MLC_ONNX_NUM_DATA_TYPES; i++) {
        MlcType type = mlc_onnx_element_type(r->ctx, i);
        if (!type || !mlc_type_to_runtime(type, &r->types[i]))
            r->types[i] = 0;
    }
}

static bool
run_model(MlcOnnxRunner *r, const MlcRtTensor *inputs, size_t num_inputs, MlcOnnxRun *run)
{
    MlcOnnxRunValues args = {0};
    bool ok = true;
    r->opsets = r->model->opset_import.items;
    r->num_opsets = r->model->opset_import.count;
    for (size_t i = 0; ok && i < num_inputs; i++) {
        MlcOnnxRunValue *value =
            mlc_onnx_run_tensor(r, inputs[i].type, inputs[i].dims, (size_t)inputs[i].rank);
        ok = value != NULL;
        if (!ok)
            break;
        if (mlc_runtime_tensor_bytes(&inputs[i]))
            memcpy(value->tensor.data, inputs[i].data, mlc_runtime_tensor_bytes(&inputs[i]));
        mlc_vec_push(&args, value);
    }
    ok = ok && run_graph(r, r->model->graph, args.data, args.size, NULL, &run->outputs);
    for (size_t i = 0; ok && i < run->outputs.size; i++)
        ok = run->outputs.data[i]->kind == MLC_ONNX_RUN_TENSOR || mlc_onnx_run_broken(r);
    mlc_onnx_run_drop_all(&args);
    return ok;
}

MlcOnnxRun *
mlc_onnx_run(const void *model, size_t size, const MlcRtTensor *inputs, size_t num_inputs,
             MlcBuf *error)
{
    MlcOnnxRun *run = mlc_calloc(1, sizeof *run);
    MlcOnnxRunner r = {.error = error, .all_bytes = &run->bytes};
    create_context(&r);
    mlc_arena_init(&r.arena);
    mlc_map_init(&r.constants);
    find_types(&r);
    r.model = mlc_onnx_read(&r.reader, "a part", &r.arena, model, size);
    bool ok = r.model && r.model->graph ? run_model(&r, inputs, num_inputs, run)
                                        : mlc_onnx_run_fail(&r, "%s", r.reader.error);
    mlc_diag_flush(r.ctx);
    MLC_MAP_FOR_EACH (constant, &r.constants)
        mlc_onnx_run_drop((MlcOnnxRunValue *)(uintptr_t)constant->value);
    mlc_map_release(&r.constants);
    mlc_arena_release(&r.arena);
    mlc_context_destroy(r.ctx);
    if (!ok) {
        mlc_onnx_run_destroy(run);
        run = NULL;
    }
    return run;
}

size_t
mlc_onnx_run_num_outputs(const MlcOnnxRun *run)
{
    return run->outputs.size;
}

const MlcRtTensor *
mlc_onnx_run_output(const MlcOnnxRun *run, size_t i)
{
    return &run->outputs.data[i]->tensor;
}

void
mlc_onnx_run_destroy(MlcOnnxRun *run)
{
    mlc_onnx_run_drop_all(&run->outputs);
    mlc_free(run);
}
