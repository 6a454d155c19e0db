// graph_split_extremes.c -- the least or the largest of all elements, found in many places at once.
//
// A reduction to one number is one chain of operations, of which each waits for the one before it.
// Least and largest are the same in any order, NaN and the sign of zero included, so
//
//   reduce_max(x)  ->  reduce_max(reduce_max(reshape(x, [parts, rows, columns]), axis 1))
//
// Columns are neighbours: a few vectors, each a chain of its own. Parts are what threads share.
// What models that quantise their activations when they run do to each tensor is this.
#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph.h"
#include "mlc/machine.h"
#include "mlc/pass.h"

enum {
    VECTORS = 8,       // of a row, at most
    MOST_PARTS = 16,   // of x
    LEAST_PART = 32768 // elements: what is worth a thread
};

static bool
reduces_all_of_many(MlcOp *op)
{
    if (!mlc_graph_reduce_min_isa(op) && !mlc_graph_reduce_max_isa(op))
        return false;
    bool marked[MLC_SMALL_RANK];
    MlcType x = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    if (!mlc_type_has_small_rank(x) || !mlc_type_has_static_shape(x) ||
        !mlc_type_has_rank(result) || mlc_type_rank(result) != 0)
        return false;
    mlc_graph_reduced_axes(op, marked);
    for (size_t i = 0; i < mlc_type_rank(x); i++)
        if (!marked[i])
            return false;
    return true;
}

// The largest multiple of `step`, at most `most`, that `count` is one of; 0: none.
static int64_t
largest_divisor(int64_t count, int64_t step, int64_t most)
{
    for (int64_t size = most / step * step; size > 0; size -= step)
        if (count % size == 0)
            return size;
    return 0;
}

static MlcValue *
reduce(MlcBuilder *b, MlcOp *op, MlcValue *value, MlcType type, int64_t axis)
{
    MlcOp *made = mlc_builder_insert(b, mlc_op_clone(op, NULL));
    mlc_op_set_operand(made, 0, value);
    mlc_op_set_attr(made, "keepdims", mlc_bool_attr_get(mlc_op_context(op), false));
    if (axis >= 0)
        mlc_op_set_attr(made, "axes", mlc_i64_array_attr_get(mlc_op_context(op), &axis, 1));
    mlc_value_set_type(mlc_op_result(made, 0), type);
    return mlc_op_result(made, 0);
}

static void
split(MlcPass *pass, MlcOp *op)
{
    MlcType x = mlc_op_operand_type(op, 0), element = mlc_type_element(x);
    int64_t count = mlc_type_num_elements(x);
    int64_t lanes = mlc_type_is_int_or_index(element) || mlc_type_is_float(element)
                        ? mlc_pass_target(pass)->vector_bits / mlc_type_bit_width(element)
                        : 0;
    int64_t columns = lanes ? largest_divisor(count, lanes, VECTORS * lanes) : 0;
    if (columns <= lanes || count < 4 * columns)
        return;
    int64_t most = count / LEAST_PART < MOST_PARTS ? count / LEAST_PART : MOST_PARTS;
    int64_t parts = most > 1 ? largest_divisor(count / columns, 1, most) : 1;
    int64_t shape[] = {parts, count / columns / parts, columns}, left[] = {parts, columns};
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcType cut = mlc_tensor_type_get(element, shape, 3, NULL);
    MlcValue *value = mlc_graph_reshape_as(&b, cut, mlc_op_operand(op, 0), shape, 3, false);
    value = reduce(&b, op, value, mlc_tensor_type_get(element, left, 2, NULL), 1);
    value = mlc_graph_reshape_as(
        &b, mlc_tensor_type_get(element, (int64_t[]){parts * columns}, 1, NULL), value,
        (int64_t[]){parts * columns}, 1, false);
    value = reduce(&b, op, value, mlc_op_result_type(op, 0), 0);
    mlc_op_replace(op, &value, 1);
    mlc_pass_count(pass, "split", 1);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (reduces_all_of_many(op))
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++)
        split(pass, ops.data[i]);
    mlc_vec_release(&ops);
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_split_extremes, .flag = "graph-split-extremes",
         .summary = "Find the least and the largest element of a tensor in many places at once",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
