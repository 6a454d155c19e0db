// open_loops.c -- loops whose results grow: iterations that are counted when the model runs.
//
// What a Loop puts together has as many elements as there were iterations. Where that is known,
// graph.loop stacks them. Where a condition may end the loop, or its count is found in the data, a
// state has room for the most there may be: each iteration writes its element there, and how many
// have run is a found size (found_sizes.h). Exporters also write a list that grows as a carried
// tensor to which the body concatenates; such a state is an element of each iteration, too.
#include "found_sizes.h"
#include "strings_of.h"

#include "mlc/dialects/graph_geometry.h"

#include <inttypes.h>

#define MAX_ROOM (INT64_C(1) << 28) // elements of a result

typedef struct Growing {
    MlcValue **pieces; // by result: the element of each iteration; NULL: it is carried
    size_t num_results, num_carried;
} Growing;

typedef struct Steps {
    int64_t most;    // iterations
    bool is_counted; // there are `found`, or where that is NULL `most`; else it is a result
    MlcValue *found;
} Steps;

static MlcBlock *
body_of(MlcOp *op)
{
    return mlc_region_first(mlc_op_region(op, 0));
}

// What is concatenated to the state, which starts without an element and is read by nothing else;
// NULL: it is another kind of state.
static MlcValue *
appended_to(MlcOp *op, size_t state)
{
    MlcValue *arg = mlc_block_arg(body_of(op), 2 + state);
    MlcValue *next = mlc_op_operand(mlc_block_last(body_of(op)), 1 + state);
    MlcOp *def = mlc_value_def(next);
    int64_t axis;
    if (!mlc_value_has_one_use(arg) || !def || !mlc_graph_concat_isa(def) ||
        mlc_op_num_operands(def) != 2 || mlc_op_operand(def, 0) != arg ||
        mlc_op_operand(def, 1) == arg)
        return NULL;
    MlcType type = mlc_value_type(arg), piece = mlc_value_type(mlc_op_operand(def, 1));
    axis = mlc_graph_concat_axis(def);
    bool is_first = axis == 0 || (mlc_type_has_rank(type) && -axis == (int64_t)mlc_type_rank(type));
    return is_first && mlc_type_has_rank(type) && mlc_type_rank(type) > 0 &&
                   mlc_type_dim(type, 0) == 0 && mlc_type_has_rank(piece) &&
                   mlc_type_has_static_shape(piece)
               ? mlc_op_operand(def, 1)
               : NULL;
}

static bool
find_growing(MlcOnnxNodeImport *n, MlcOp *op, size_t num_carried, Growing *g)
{
    MlcOp *yield = mlc_block_last(body_of(op));
    bool any = false;
    *g = (Growing){.num_results = mlc_op_num_results(op), .num_carried = num_carried};
    g->pieces = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, g->num_results + 1);
    for (size_t i = 0; i < g->num_results; i++) {
        g->pieces[i] = i < num_carried ? appended_to(op, i) : mlc_op_operand(yield, 1 + i);
        any |= g->pieces[i] != NULL;
    }
    return any;
}

// How many iterations there may be at most, and, where nothing ends the loop before, how many there
// are; false after an error.
static bool
read_steps(MlcOnnxNodeImport *n, MlcOp *op, Steps *steps)
{
    MlcOnnxSize size;
    size_t count;
    if (!mlc_onnx_read_sizes(n, mlc_graph_loop_count(op), &size, &count) || count != 1 ||
        size.most > INT32_MAX)
        return mlc_onnx_unsupported(n, "it puts results together of as many iterations as are "
                                       "computed, of which the most is not known");
    steps->most = size.most < 0 ? 0 : size.most;
    steps->is_counted = mlc_graph_loop_is_counted(op);
    steps->found = steps->is_counted ? size.count : NULL;
    return true;
}

// A state of zeros: `most` elements of this type.
static MlcValue *
build_room(MlcOnnxNodeImport *n, MlcType piece, int64_t most)
{
    int64_t dims[MLC_SMALL_RANK];
    MlcType element = mlc_type_element(piece);
    if (!mlc_type_has_rank(piece) || !mlc_type_has_static_shape(piece) ||
        mlc_type_rank(piece) >= MLC_SMALL_RANK)
        return mlc_onnx_unsupported(n, "it puts results of type %s together", mlc_type_text(piece)),
               NULL;
    int64_t each = mlc_type_num_elements(piece);
    if (each > 0 && most > MAX_ROOM / each)
        return mlc_onnx_unsupported(n, "room for %" PRId64 " results of type %s", most,
                                    mlc_type_text(piece)),
               NULL;
    dims[0] = most;
    for (size_t i = 0; i < mlc_type_rank(piece); i++)
        dims[1 + i] = mlc_type_dim(piece, i);
    MlcAttr zero = mlc_type_is_float(element) ? mlc_float_attr_get(element, 0)
                                              : mlc_integer_attr_get(element, 0);
    MlcType scalar = mlc_tensor_type_get(element, NULL, 0, NULL);
    return mlc_onnx_expand(n, mlc_onnx_build_value(n, mlc_dense_attr_splat(scalar, zero)),
                           (MlcOnnxInts){dims, mlc_type_rank(piece) + 1});
}

// The room with the piece at the place of this iteration, which is one of its.
static MlcValue *
put(MlcOnnxNodeImport *n, MlcValue *room, MlcValue *iteration, MlcValue *piece)
{
    MlcType type = mlc_value_type(piece);
    int64_t dims[MLC_SMALL_RANK] = {1}, at[] = {1, 1};
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        dims[1 + i] = mlc_type_dim(type, i);
    MlcValue *operands[] = {
        room, mlc_onnx_reshape(n, iteration, (MlcOnnxInts){at, 2}, true),
        mlc_onnx_reshape(n, piece, (MlcOnnxInts){dims, mlc_type_rank(type) + 1}, true)};
    return operands[1] && operands[2]
               ? mlc_onnx_build(n, &mlc_graph_scatter_nd_def, operands, 3, NULL)
               : NULL;
}

// States of the new loop: what is carried still, then rooms, then how many iterations there were.
static bool
collect_inits(MlcOnnxNodeImport *n, MlcOp *op, const Growing *g, int64_t most, MlcValueVec *inits)
{
    for (size_t i = 0; i < g->num_carried; i++)
        if (!g->pieces[i])
            mlc_vec_push(inits, mlc_op_operand(op, 2 + i));
    for (size_t i = 0; i < g->num_results; i++) {
        MlcValue *room = g->pieces[i] ? build_room(n, mlc_value_type(g->pieces[i]), most) : NULL;
        if (g->pieces[i] && !room)
            return false;
        if (room)
            mlc_vec_push(inits, room);
    }
    mlc_vec_push(inits, mlc_onnx_build_ints(n, &(int64_t){0}, NULL, 0));
    return true;
}

// The body's states and what it yields, as the new loop has them.
static bool
change_body(MlcOnnxNodeImport *n, MlcOp *op, const Growing *g, size_t first_room)
{
    MlcBlock *block = body_of(op);
    MlcOp *yield = mlc_block_last(block);
    MlcBuilder outside = n->import->builder;
    MlcValueVec yielded = {0};
    MlcValue *iteration = mlc_block_arg(block, 0);
    size_t next = 2 + first_room;
    bool ok = true;
    mlc_builder_before(&n->import->builder, yield);
    mlc_vec_push(&yielded, mlc_op_operand(yield, 0));
    for (size_t i = 0; i < g->num_carried; i++)
        if (!g->pieces[i])
            mlc_vec_push(&yielded, mlc_op_operand(yield, 1 + i));
    for (size_t i = 0; ok && i < g->num_results; i++) {
        MlcValue *room =
            g->pieces[i] ? put(n, mlc_block_arg(block, next), iteration, g->pieces[i]) : NULL;
        ok = !g->pieces[i] || room;
        next += g->pieces[i] != NULL;
        if (room)
            mlc_vec_push(&yielded, room);
    }
    MlcValue *one = mlc_onnx_build_ints(n, &(int64_t){1}, NULL, 0);
    mlc_vec_push(&yielded, mlc_onnx_build_two(n, &mlc_graph_add_def, iteration, one));
    if (ok)
        mlc_graph_yield(&n->import->builder, yielded.data, yielded.size);
    mlc_op_erase(yield);
    n->import->builder = outside;
    mlc_vec_release(&yielded);
    return ok;
}

// Arguments of states that are pieces now go, with what concatenated to them.
static void
drop_arguments(MlcOp *op, const Growing *g)
{
    for (size_t i = g->num_carried; i-- > 0;) {
        if (!g->pieces[i])
            continue;
        MlcValue *arg = mlc_block_arg(body_of(op), 2 + i);
        mlc_op_erase(mlc_use_owner(mlc_value_first_use(arg)));
        mlc_block_erase_arg(body_of(op), 2 + i);
    }
}

// The result of pieces [p, ...], of `count` iterations (NULL: of all), as the first dimension has
// them: count * p.
static bool
give_growing(MlcOnnxNodeImport *n, size_t i, MlcValue *room, MlcValue *count, bool was_carried)
{
    static const char what[] = "the number of iterations";
    MlcType type = mlc_value_type(room);
    int64_t dims[MLC_SMALL_RANK], each;
    if (!was_carried)
        return count ? mlc_onnx_give_found(n, i, room, 0, count, what)
                     : (n->outputs[i] = room) != NULL;
    each = mlc_type_dim(type, 1);
    for (size_t k = 1; k < mlc_type_rank(type); k++)
        dims[k - 1] = mlc_type_dim(type, k) * (k == 1 ? mlc_type_dim(type, 0) : 1);
    room = mlc_onnx_reshape(n, room, (MlcOnnxInts){dims, mlc_type_rank(type) - 1}, true);
    if (!count)
        return (n->outputs[i] = room) != NULL;
    count =
        mlc_onnx_build_two(n, &mlc_graph_mul_def, count, mlc_onnx_build_ints(n, &each, NULL, 0));
    return mlc_onnx_give_found(n, i, room, 0, count, what);
}

static bool
give_results(MlcOnnxNodeImport *n, MlcOp *op, const Growing *g, size_t first_room,
             const Steps *steps)
{
    MlcValue *count =
        steps->is_counted ? steps->found : mlc_op_result(op, mlc_op_num_results(op) - 1);
    size_t carried = 0, room = first_room;
    for (size_t i = 0; i < g->num_results; i++) {
        MlcValue *value = mlc_op_result(op, g->pieces[i] ? room++ : carried++);
        if (i >= n->node->output.count)
            continue;
        if (!g->pieces[i])
            n->outputs[i] = value;
        else if (!give_growing(n, i, value, count, i < g->num_carried))
            return false;
    }
    return true;
}

bool
mlc_onnx_is_open_loop(MlcOnnxNodeImport *n, MlcOp *op, size_t num_carried)
{
    Growing g;
    int64_t steps;
    if (!find_growing(n, op, num_carried, &g))
        return false;
    bool appends = false;
    for (size_t i = 0; i < num_carried; i++)
        appends |= g.pieces[i] != NULL;
    return appends || !mlc_graph_loop_steps(op, &steps);
}

bool
mlc_onnx_import_open_loop(MlcOnnxNodeImport *n, MlcOp *op, size_t num_carried)
{
    Growing g;
    MlcValueVec inits = {0};
    MlcTypeVec types = {0};
    Steps steps = {0};
    find_growing(n, op, num_carried, &g);
    bool ok = read_steps(n, op, &steps) && collect_inits(n, op, &g, steps.most, &inits);
    if (!ok) {
        mlc_op_erase(op);
        mlc_vec_release(&inits);
        return false;
    }
    size_t num_rooms = 1; // the number of iterations
    for (size_t i = 0; i < g.num_results; i++)
        num_rooms += g.pieces[i] != NULL;
    for (size_t i = inits.size - num_rooms; i < inits.size; i++)
        mlc_block_add_arg(body_of(op), mlc_value_type(inits.data[i]), n->import->builder.loc);
    size_t first_room = inits.size - num_rooms;
    ok = change_body(n, op, &g, num_carried);
    drop_arguments(op, &g);
    for (size_t i = 0; i < inits.size; i++)
        mlc_vec_push(&types, mlc_value_type(inits.data[i]));
    MlcOp *made =
        mlc_graph_loop(&n->import->builder, types.data, types.size, mlc_graph_loop_count(op),
                       mlc_graph_loop_condition(op), inits.data, inits.size);
    mlc_region_take_body(mlc_op_region(made, 0), mlc_op_region(op, 0));
    mlc_op_erase(op);
    ok = ok && mlc_onnx_finish_control(n, made, 1) && give_results(n, made, &g, first_room, &steps);
    if (!ok)
        mlc_op_erase(made);
    mlc_vec_release(&inits);
    mlc_vec_release(&types);
    return ok;
}
