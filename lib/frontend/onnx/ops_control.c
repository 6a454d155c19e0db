// ops_control.c -- ONNX operators: If, Loop and Scan, which have subgraphs.
//
// An If whose condition is known is the branch that it takes. Scan's axes become transposes, so
// that graph.scan goes along first dimensions alone; what Loop leaves out becomes constants.
#include "computed_sizes.h"
#include "found_sizes.h"
#include "lists.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>

static const MlcOnnxGraph *
find_body(MlcOnnxNodeImport *n, const char *name)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_GRAPH, &ok);
    if (ok && (!a || !a->g))
        mlc_onnx_invalid(n, "attribute '%s' is required", name);
    return ok && a ? a->g : NULL;
}

// Results of a type that the bodies tell later.
static void
open_types(MlcOnnxNodeImport *n, size_t count, MlcTypeVec *types)
{
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(types, mlc_unranked_tensor_type_get(f32));
}

static bool
has_sizes_of(MlcType a, MlcType b)
{
    for (size_t k = 0; mlc_type_has_rank(a) && mlc_type_has_rank(b) && k < mlc_type_rank(a); k++)
        if (mlc_size_of_dim(a, k) != mlc_size_of_dim(b, k))
            return false;
    return true;
}

// Whether what is carried keeps its sizes, and branches give the same, as texts prove. Elements of
// results may have any.
static bool
keeps_sizes(MlcOp *op, size_t first)
{
    bool is_if = mlc_graph_if_isa(op);
    size_t first_init = 0, count = mlc_op_num_results(op);
    if (!is_if)
        mlc_op_operand_group(op, mlc_graph_loop_isa(op) ? 2 : 0, &first_init, &count);
    for (size_t i = 0; i < count; i++) {
        MlcType type = mlc_op_result_type(op, i);
        if (!is_if && !has_sizes_of(type, mlc_op_operand_type(op, first_init + i)))
            return false;
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            if (!has_sizes_of(type, mlc_op_operand_type(mlc_block_last(block), first + i)))
                return false;
    }
    return true;
}

bool
mlc_onnx_finish_control(MlcOnnxNodeImport *n, MlcOp *op, size_t first)
{
    MlcOp *yield = mlc_block_last(mlc_region_first(mlc_op_region(op, 0)));
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType type = mlc_value_type(mlc_op_operand(yield, first + i));
        mlc_value_set_type(mlc_op_result(op, i),
                           mlc_unranked_tensor_type_get(mlc_type_element(type)));
    }
    if (!mlc_onnx_infer(n, op))
        return false;
    // Else the passes tell, by their types.
    return !n->import->options.interprets || keeps_sizes(op, first) ||
           mlc_onnx_unsupported(n, "its results have sizes that change or differ");
}

static bool
check_outputs(MlcOnnxNodeImport *n, const char *name, const MlcOnnxGraph *graph, size_t count)
{
    return graph->output.count == count || mlc_onnx_invalid(n, "'%s' has %zu outputs, expected %zu",
                                                            name, graph->output.count, count);
}

// No result is a sequence of which only a run would say which one it is.
static bool
check_no_lists(MlcOnnxNodeImport *n, const char *name, const MlcValueVec *results)
{
    for (size_t i = 0; i < results->size; i++)
        if (mlc_onnx_list(n->import, results->data[i]))
            return mlc_onnx_unsupported(
                n, "output %zu of '%s' is a %s, and which there is is computed", i, name,
                mlc_onnx_list_name(mlc_onnx_list(n->import, results->data[i])));
    return true;
}

// The subgraph as a region of the op; the builder comes back to where it was.
static bool
import_region(MlcOnnxNodeImport *n, const char *name, const MlcOnnxGraph *graph, MlcRegion *region,
              const MlcTypeVec *types)
{
    MlcOnnxImport *im = n->import;
    MlcBuilder outside = im->builder;
    MlcBlock *block = mlc_builder_create_block(&im->builder, region, NULL, 0);
    MlcValueVec args = {0}, results = {0};
    for (size_t i = 0; i < types->size; i++) {
        MlcLoc loc = i < graph->input.count
                         ? mlc_loc_name(im->ctx, graph->input.items[i].name, NULL)
                         : im->builder.loc;
        mlc_vec_push(&args, mlc_block_add_arg(block, types->data[i], loc));
    }
    bool ok = mlc_onnx_import_subgraph(n, name, graph, args.data, args.size, &results) &&
              check_no_lists(n, name, &results);
    for (size_t i = 0; ok && i < results.size; i++)
        if (mlc_onnx_has_found_size(im, results.data[i]))
            ok = mlc_onnx_unsupported(n, "output %zu of '%s' has a size that is found in the data",
                                      i, name);
    if (ok)
        mlc_graph_yield(&im->builder, results.data, results.size);
    im->builder = outside;
    mlc_vec_release(&args);
    mlc_vec_release(&results);
    return ok;
}

// ---- If

// The branch itself, its ops beside the others.
static bool
import_branch(MlcOnnxNodeImport *n, const char *name, const MlcOnnxGraph *graph)
{
    MlcValueVec results = {0};
    bool ok = mlc_onnx_import_subgraph(n, name, graph, NULL, 0, &results);
    for (size_t i = 0; ok && i < results.size; i++)
        n->outputs[i] = results.data[i];
    mlc_vec_release(&results);
    return ok;
}

// One branch of an If whose branches give tensors of different sizes, or of sizes that are found.
typedef struct Branch {
    const char *name;
    const MlcOnnxGraph *graph;
    MlcBlock *block;
    MlcValueVec results;
} Branch;

static bool
import_block(MlcOnnxNodeImport *n, MlcRegion *region, Branch *branch)
{
    MlcBuilder outside = n->import->builder;
    branch->block = mlc_builder_create_block(&n->import->builder, region, NULL, 0);
    bool ok = mlc_onnx_import_subgraph(n, branch->name, branch->graph, NULL, 0, &branch->results) &&
              check_no_lists(n, branch->name, &branch->results);
    n->import->builder = outside;
    return ok;
}

// Whether size `dim` of result `i` is found: in a branch, or because they have different ones.
static bool
is_open(MlcOnnxNodeImport *n, const Branch branches[2], size_t i, size_t dim)
{
    MlcValue *a = branches[0].results.data[i], *b = branches[1].results.data[i];
    return mlc_type_dim(mlc_value_type(a), dim) != mlc_type_dim(mlc_value_type(b), dim) ||
           mlc_onnx_found_size(n->import, a, dim) || mlc_onnx_found_size(n->import, b, dim);
}

// Whether results can have room for the larger one of both.
static bool
have_room(const Branch branches[2], size_t i)
{
    MlcType a = mlc_value_type(branches[0].results.data[i]);
    MlcType b = mlc_value_type(branches[1].results.data[i]);
    return mlc_type_has_rank(a) && mlc_type_has_rank(b) && mlc_type_rank(a) == mlc_type_rank(b) &&
           mlc_type_rank(a) <= MLC_SMALL_RANK && mlc_type_has_static_shape(a) &&
           mlc_type_has_static_shape(b);
}

// What the branch yields of result `i`: as large as the larger one of both, and then its own sizes,
// as they are found.
static bool
give_room(MlcOnnxNodeImport *n, const Branch branches[2], size_t which, size_t i,
          MlcValueVec *yielded, MlcValueVec *counts)
{
    MlcValue *value = branches[which].results.data[i];
    MlcType type = mlc_value_type(value), other;
    other = mlc_value_type(branches[1 - which].results.data[i]);
    size_t rank = mlc_type_has_rank(type) ? mlc_type_rank(type) : 0;
    int64_t pads[2 * MLC_SMALL_RANK] = {0};
    MlcOnnxAttrs attrs = {0};
    bool grows = false;
    for (size_t dim = 0; have_room(branches, i) && dim < rank; dim++) {
        int64_t size = mlc_type_dim(type, dim), more = mlc_type_dim(other, dim) - size;
        pads[rank + dim] = more > 0 ? more : 0;
        grows |= more > 0;
        if (!is_open(n, branches, i, dim))
            continue;
        MlcValue *count = mlc_onnx_found_size(n->import, value, dim);
        mlc_vec_push(counts, count ? count : mlc_onnx_build_ints(n, &size, NULL, 0));
    }
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    if (grows)
        value = mlc_onnx_build(n, &mlc_graph_pad_def, &value, 1, &attrs);
    mlc_vec_push(yielded, value);
    return value != NULL;
}

// The results of both branches, and behind them the sizes that are found.
static bool
yield_branch(MlcOnnxNodeImport *n, const Branch branches[2], size_t which, size_t *num_results)
{
    MlcOnnxImport *im = n->import;
    MlcBuilder outside = im->builder;
    MlcValueVec yielded = {0}, counts = {0};
    bool ok = true;
    mlc_builder_at_end(&im->builder, branches[which].block);
    for (size_t i = 0; ok && i < branches[which].results.size; i++)
        ok = give_room(n, branches, which, i, &yielded, &counts);
    for (size_t i = 0; i < counts.size; i++)
        mlc_vec_push(&yielded, counts.data[i]);
    if (ok)
        mlc_graph_yield(&im->builder, yielded.data, yielded.size);
    *num_results = yielded.size;
    im->builder = outside;
    mlc_vec_release(&yielded);
    mlc_vec_release(&counts);
    return ok;
}

// The op in the place of one whose number of results was not known yet.
static MlcOp *
with_results(MlcOnnxNodeImport *n, MlcOp *op, size_t num_results)
{
    MlcTypeVec types = {0};
    open_types(n, num_results, &types);
    MlcOp *made = mlc_graph_if(&n->import->builder, types.data, types.size, n->inputs[0]);
    mlc_vec_release(&types);
    for (size_t i = 0; i < 2; i++)
        mlc_region_take_body(mlc_op_region(made, i), mlc_op_region(op, i));
    mlc_op_erase(op);
    return made;
}

static void
set_if_outputs(MlcOnnxNodeImport *n, const Branch branches[2], MlcOp *op)
{
    size_t num_outputs = branches[0].results.size, next = num_outputs;
    for (size_t i = 0; i < num_outputs; i++) {
        MlcType type = mlc_op_result_type(op, i);
        n->outputs[i] = mlc_op_result(op, i);
        for (size_t dim = 0; have_room(branches, i) && dim < mlc_type_rank(type); dim++)
            if (is_open(n, branches, i, dim))
                mlc_onnx_set_found_size(n, n->outputs[i], dim, mlc_op_result(op, next++));
    }
}

static bool
import_if(MlcOnnxNodeImport *n)
{
    static const char *const names[] = {"then_branch", "else_branch"};
    const MlcOnnxGraph *graphs[2];
    size_t num_outputs = n->node->output.count;
    for (size_t i = 0; i < 2; i++)
        if (!(graphs[i] = find_body(n, names[i])) ||
            !check_outputs(n, names[i], graphs[i], num_outputs))
            return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_is_integer(mlc_type_element(type), 1))
        return mlc_onnx_invalid(n, "the condition has type %s, expected a truth value",
                                mlc_type_text(type));
    MlcAttr known = mlc_value_constant(n->inputs[0]);
    if (known && mlc_type_num_elements(mlc_attr_type(known)) == 1) {
        size_t taken = mlc_attr_as_bool(mlc_elements_attr_element(known, 0)) ? 0 : 1;
        return import_branch(n, names[taken], graphs[taken]);
    }
    for (size_t i = 0; i < num_outputs; i++) // which sequence it is must be known, if it can be
        if (mlc_onnx_is_list_type(graphs[0]->output.items[i].type) &&
            mlc_onnx_want_value(n->import, n->inputs[0]))
            return false;
    Branch branches[2] = {{.name = names[0], .graph = graphs[0]},
                          {.name = names[1], .graph = graphs[1]}};
    MlcOp *op = mlc_graph_if(&n->import->builder, NULL, 0, n->inputs[0]);
    size_t num_results;
    bool ok = import_block(n, mlc_op_region(op, 0), &branches[0]) &&
              import_block(n, mlc_op_region(op, 1), &branches[1]) &&
              yield_branch(n, branches, 0, &num_results) &&
              yield_branch(n, branches, 1, &num_results);
    if (ok) {
        op = with_results(n, op, num_results);
        ok = mlc_onnx_finish_control(n, op, 0);
    }
    if (ok)
        set_if_outputs(n, branches, op);
    else
        mlc_op_erase(op);
    for (size_t i = 0; i < 2; i++)
        mlc_vec_release(&branches[i].results);
    return ok;
}

// ---- Loop

enum { MAX_UNROLLED = 256, MAX_UNROLLED_NODES = 1 << 14 };

static MlcType
scalar_type(MlcOnnxNodeImport *n, unsigned bits)
{
    MlcType element = mlc_integer_type_get(mlc_onnx_context_of(n), bits, MLC_SIGNLESS);
    return mlc_tensor_type_get(element, NULL, 0, NULL);
}

// An input of one integer; what is left out is `otherwise`.
static MlcValue *
scalar_input(MlcOnnxNodeImport *n, size_t i, unsigned bits, int64_t otherwise)
{
    MlcValue *value = mlc_onnx_input_or_null(n, i);
    if (!value) {
        MlcType type = scalar_type(n, bits);
        MlcAttr number = mlc_integer_attr_get(mlc_type_element(type), otherwise);
        return mlc_onnx_build_value(n, mlc_dense_attr_from_elements(type, &number, 1));
    }
    if (mlc_type_is_integer(mlc_type_element(mlc_value_type(value)), bits))
        return value;
    return mlc_onnx_invalid(n, "input %zu has type %s, expected %s", i,
                            mlc_type_text(mlc_value_type(value)),
                            mlc_type_text(scalar_type(n, bits))),
           NULL;
}

static bool
carried_inputs(MlcOnnxNodeImport *n, size_t first, size_t count, MlcValueVec *values,
               MlcTypeVec *types)
{
    for (size_t i = first; i < first + count; i++) {
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
        mlc_vec_push(values, n->inputs[i]);
        mlc_vec_push(types, mlc_value_type(n->inputs[i]));
    }
    return true;
}

static bool
check_num_outputs(MlcOnnxNodeImport *n, size_t count)
{
    return n->node->output.count <= count ||
           mlc_onnx_invalid(n, "has %zu outputs, but its body gives %zu", n->node->output.count,
                            count);
}

// How many iterations there are decides a size where their results are put together: if it can be
// known, it has to be.
static bool
wants_count(MlcOnnxNodeImport *n, const MlcOnnxGraph *body, size_t num_carried)
{
    MlcValue *value = mlc_onnx_input_or_null(n, 0);
    return body->output.count > 1 + num_carried && value && !mlc_value_constant(value) &&
           mlc_onnx_want_value(n->import, value);
}

static bool
build_loop(MlcOnnxNodeImport *n, const MlcOnnxGraph *body, MlcValueVec *inits, MlcTypeVec *args)
{
    size_t num_results = body->output.count - 1;
    MlcValue *count = scalar_input(n, 0, 64, INT64_MAX), *condition = scalar_input(n, 1, 1, 1);
    if (!count || !condition || !check_num_outputs(n, num_results) ||
        wants_count(n, body, inits->size))
        return false;
    MlcTypeVec types = {0};
    open_types(n, num_results, &types);
    MlcOp *op = mlc_graph_loop(&n->import->builder, types.data, types.size, count, condition,
                               inits->data, inits->size);
    mlc_vec_release(&types);
    bool ok = import_region(n, "body", body, mlc_op_region(op, 0), args);
    if (ok && mlc_onnx_is_open_loop(n, op, inits->size))
        return mlc_onnx_import_open_loop(n, op, inits->size);
    ok = ok && mlc_onnx_finish_control(n, op, 1);
    for (size_t i = 0; ok && i < n->node->output.count; i++)
        n->outputs[i] = mlc_op_result(op, i);
    if (!ok)
        mlc_op_erase(op);
    return ok;
}

static bool
is_among(const MlcStr *names, size_t count, MlcStr name)
{
    for (size_t i = 0; name.size && i < count; i++)
        if (mlc_str_equal(names[i], name))
            return true;
    return false;
}

// Whether the node's input `i` says a size or a place that must be known.
static bool
must_be_known(const MlcOnnxNodeImport *n, const MlcOnnxNode *node, size_t i)
{
    const MlcOnnxOperator *row = mlc_onnx_is_default_domain(node->domain)
                                     ? mlc_onnx_find_operator(node->op_type, n->import->opset)
                                     : NULL;
    return row && row->sizes && i >= row->sizes->first;
}

// Whether the number of the iteration decides a shape in the body: then each one has its own, and
// is imported by itself. So EmbeddingBag is exported: a slice from one constant to the next.
static bool
shapes_itself(MlcOnnxNodeImport *n, const MlcOnnxGraph *body)
{
    size_t most = 1, count = 0;
    for (size_t i = 0; i < body->node.count; i++)
        most += body->node.items[i].output.count;
    MlcStr *depends = MLC_NEW_ARRAY(&n->import->arena, MlcStr, most);
    if (body->input.count == 0)
        return false;
    depends[count++] = body->input.items[0].name;
    for (size_t i = 0; i < body->node.count; i++) {
        const MlcOnnxNode *node = &body->node.items[i];
        bool reads = false;
        for (size_t k = 0; k < node->input.count; k++) {
            bool is_in = is_among(depends, count, node->input.items[k]);
            if (is_in && must_be_known(n, node, k))
                return true;
            reads |= is_in;
        }
        for (size_t k = 0; reads && k < node->output.count; k++)
            depends[count++] = node->output.items[k];
    }
    return false;
}

// Whether it is few iterations that are known, and nothing ends them before.
static bool
is_short(MlcOnnxNodeImport *n, const MlcOnnxGraph *body)
{
    MlcValue *count = mlc_onnx_input_or_null(n, 0), *condition = mlc_onnx_input_or_null(n, 1);
    MlcOnnxInts given = {0};
    bool is_known = count && mlc_value_constant(count) &&
                    (!condition || mlc_value_constant(condition)) &&
                    mlc_onnx_constant_ints(n, 0, &given) && given.count == 1;
    return is_known && given.items[0] > 0 && given.items[0] <= MAX_UNROLLED &&
           (size_t)given.items[0] * body->node.count <= MAX_UNROLLED_NODES;
}

static bool
import_loop(MlcOnnxNodeImport *n)
{
    const MlcOnnxGraph *body = find_body(n, "body");
    size_t num_carried = n->num_inputs > 2 ? n->num_inputs - 2 : 0;
    if (!body)
        return false;
    if (body->output.count < 1 + num_carried)
        return mlc_onnx_invalid(n, "'body' has %zu outputs, expected at least %zu",
                                body->output.count, 1 + num_carried);
    for (size_t i = 2; i < n->num_inputs; i++)
        if (mlc_onnx_list(n->import, n->inputs[i]))
            return mlc_onnx_unroll_loop(n, body);
    if (is_short(n, body) && shapes_itself(n, body))
        return mlc_onnx_unroll_loop(n, body);
    MlcValueVec inits = {0};
    MlcTypeVec args = {0};
    mlc_vec_push(&args, scalar_type(n, 64));
    mlc_vec_push(&args, scalar_type(n, 1));
    bool ok =
        carried_inputs(n, 2, num_carried, &inits, &args) && build_loop(n, body, &inits, &args);
    mlc_vec_release(&inits);
    mlc_vec_release(&args);
    return ok;
}

// ---- Scan

typedef struct Scan {
    const MlcOnnxGraph *body;
    size_t num_states, num_inputs, num_outputs; // outputs that are no states
    MlcOnnxInts input_axes, input_directions, output_axes, output_directions;
} Scan;

static bool
read_list(MlcOnnxNodeImport *n, const char *name, size_t count, MlcOnnxInts *list)
{
    if (!mlc_onnx_read_ints(n, name, list))
        return false;
    return list->count == 0 || list->count == count ||
           mlc_onnx_invalid(n, "'%s' has %zu entries, expected %zu", name, list->count, count);
}

static bool
read_directions(MlcOnnxNodeImport *n, const char *name, size_t count, MlcOnnxInts *list)
{
    if (!read_list(n, name, count, list))
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] != 0 && list->items[i] != 1)
            return mlc_onnx_invalid(n, "'%s' has the entry %" PRId64 ", expected 0 or 1", name,
                                    list->items[i]);
    return true;
}

static bool
read_scan(MlcOnnxNodeImport *n, size_t num_inputs, Scan *scan)
{
    int64_t num_scanned = 0;
    scan->body = find_body(n, "body");
    if (!scan->body || !mlc_onnx_read_int(n, "num_scan_inputs", &num_scanned))
        return false;
    if (num_scanned < 1 || (uint64_t)num_scanned > num_inputs)
        return mlc_onnx_invalid(n, "'num_scan_inputs' is %" PRId64 ", expected 1 to %zu",
                                num_scanned, num_inputs);
    scan->num_inputs = (size_t)num_scanned;
    scan->num_states = num_inputs - scan->num_inputs;
    if (scan->body->output.count < scan->num_states)
        return mlc_onnx_invalid(n, "'body' has %zu outputs, expected at least %zu",
                                scan->body->output.count, scan->num_states);
    scan->num_outputs = scan->body->output.count - scan->num_states;
    return check_num_outputs(n, scan->body->output.count);
}

// The value with dimension `axis` moved to the front, or back.
static MlcValue *
move_axis(MlcOnnxNodeImport *n, const char *name, MlcValue *value, int64_t axis, bool to_front)
{
    int64_t perm[MLC_SMALL_RANK], rank;
    MlcType type = mlc_value_type(value);
    if (axis == 0)
        return value;
    if (!mlc_type_has_rank(type) || !mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "the rank of what '%s' is for is unknown, it must be fixed",
                                    name),
               NULL;
    rank = (int64_t)mlc_type_rank(type);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "'%s' has the entry %" PRId64 ", out of range for rank %" PRId64,
                                name, axis, rank),
               NULL;
    axis += axis < 0 ? rank : 0;
    // To the front: axis, then the others in order. Back: the others, the first one at its place.
    for (int64_t i = 0; i < rank; i++)
        if (to_front)
            perm[i] = i == 0 ? axis : i <= axis ? i - 1 : i;
        else
            perm[i] = i == axis ? 0 : i < axis ? i + 1 : i;
    return mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, (size_t)rank});
}

static MlcOp *
create_scan(MlcOnnxNodeImport *n, const Scan *scan, const MlcValueVec *states,
            const MlcValueVec *inputs)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcTypeVec types = {0};
    open_types(n, scan->num_states + scan->num_outputs, &types);
    MlcOp *op = mlc_graph_scan(&n->import->builder, types.data, types.size, states->data,
                               states->size, inputs->data, inputs->size);
    mlc_vec_release(&types);
    if (scan->input_directions.count)
        mlc_op_set_attr(op, "input_reversed",
                        mlc_i64_array_attr_get(ctx, scan->input_directions.items,
                                               scan->input_directions.count));
    if (scan->output_directions.count)
        mlc_op_set_attr(op, "output_reversed",
                        mlc_i64_array_attr_get(ctx, scan->output_directions.items,
                                               scan->output_directions.count));
    return op;
}

// The scan of these values, whose body is the node's; NULL after an error.
static MlcOp *
build_scan(MlcOnnxNodeImport *n, const Scan *scan, const MlcValueVec *states,
           const MlcValueVec *inputs)
{
    MlcTypeVec args = {0};
    for (size_t i = 0; i < states->size; i++)
        mlc_vec_push(&args, mlc_value_type(states->data[i]));
    for (size_t i = 0; i < inputs->size; i++)
        mlc_vec_push(&args, mlc_graph_scan_element_type(mlc_value_type(inputs->data[i])));
    MlcOp *op = create_scan(n, scan, states, inputs);
    bool ok = import_region(n, "body", scan->body, mlc_op_region(op, 0), &args) &&
              mlc_onnx_finish_control(n, op, 0);
    mlc_vec_release(&args);
    if (!ok)
        mlc_op_erase(op);
    return ok ? op : NULL;
}

static bool
set_scan_outputs(MlcOnnxNodeImport *n, const Scan *scan, MlcOp *op)
{
    for (size_t i = 0; i < n->node->output.count; i++) {
        MlcValue *value = mlc_op_result(op, i);
        size_t k = i - scan->num_states;
        if (i >= scan->num_states && scan->output_axes.count)
            value = move_axis(n, "scan_output_axes", value, scan->output_axes.items[k], false);
        if (!value)
            return false;
        n->outputs[i] = value;
    }
    return true;
}

static bool
import_scan(MlcOnnxNodeImport *n)
{
    Scan scan = {0};
    MlcValueVec states = {0}, inputs = {0};
    MlcTypeVec types = {0};
    bool ok =
        read_scan(n, n->num_inputs, &scan) &&
        read_list(n, "scan_input_axes", scan.num_inputs, &scan.input_axes) &&
        read_list(n, "scan_output_axes", scan.num_outputs, &scan.output_axes) &&
        read_directions(n, "scan_input_directions", scan.num_inputs, &scan.input_directions) &&
        read_directions(n, "scan_output_directions", scan.num_outputs, &scan.output_directions) &&
        carried_inputs(n, 0, scan.num_states, &states, &types) &&
        carried_inputs(n, scan.num_states, scan.num_inputs, &inputs, &types);
    for (size_t i = 0; ok && i < inputs.size && scan.input_axes.count; i++) {
        inputs.data[i] =
            move_axis(n, "scan_input_axes", inputs.data[i], scan.input_axes.items[i], true);
        ok = inputs.data[i] != NULL;
    }
    MlcOp *op = ok ? build_scan(n, &scan, &states, &inputs) : NULL;
    ok = op && set_scan_outputs(n, &scan, op);
    mlc_vec_release(&states);
    mlc_vec_release(&inputs);
    mlc_vec_release(&types);
    return ok;
}

// Opset 8: all has a batch in front, whose entries are scanned by themselves.
static bool
build_batch_scan(MlcOnnxNodeImport *n, const Scan *scan, const MlcValueVec *all)
{
    MlcOnnxImport *im = n->import;
    MlcBuilder outside = im->builder;
    Scan batch = {.num_outputs = scan->body->output.count};
    MlcValueVec none = {0}, states = {0}, inputs = {0}, results = {0};
    MlcOp *op = create_scan(n, &batch, &none, all), *inner;
    MlcBlock *block = mlc_builder_create_block(&im->builder, mlc_op_region(op, 0), NULL, 0);
    for (size_t i = 0; i < all->size; i++)
        mlc_vec_push(i < scan->num_states ? &states : &inputs,
                     mlc_block_add_arg(block,
                                       mlc_graph_scan_element_type(mlc_value_type(all->data[i])),
                                       im->builder.loc));
    inner = build_scan(n, scan, &states, &inputs);
    for (size_t i = 0; inner && i < mlc_op_num_results(inner); i++)
        mlc_vec_push(&results, mlc_op_result(inner, i));
    if (inner)
        mlc_graph_yield(&im->builder, results.data, results.size);
    im->builder = outside;
    bool ok = inner && mlc_onnx_finish_control(n, op, 0);
    for (size_t i = 0; ok && i < n->node->output.count; i++)
        n->outputs[i] = mlc_op_result(op, i);
    if (!ok)
        mlc_op_erase(op);
    mlc_vec_release(&states);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return ok;
}

static bool
import_batch_scan(MlcOnnxNodeImport *n)
{
    Scan scan = {0};
    MlcValueVec all = {0};
    MlcTypeVec types = {0};
    if (n->inputs[0])
        return mlc_onnx_unsupported(n, "lengths of sequences");
    bool ok = read_scan(n, n->num_inputs - 1, &scan) &&
              read_directions(n, "directions", scan.num_inputs, &scan.input_directions) &&
              carried_inputs(n, 1, n->num_inputs - 1, &all, &types) &&
              build_batch_scan(n, &scan, &all);
    mlc_vec_release(&all);
    mlc_vec_release(&types);
    return ok;
}

static const MlcOnnxOperator rows[] = {
    {"If", 1, MLC_ONNX_NEWEST, 1, 1, .takes_strings = true, .import = import_if},
    {"Loop", 1, MLC_ONNX_NEWEST, 0, MLC_ONNX_ANY, .import = import_loop, .takes_lists = true},
    {"Scan", 8, 8, 0, MLC_ONNX_ANY, .takes_strings = true, .import = import_batch_scan},
    {"Scan", 9, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, .takes_strings = true, .import = import_scan},
};
const MlcOnnxOperators mlc_onnx_control = MLC_ONNX_OPERATORS(rows);
