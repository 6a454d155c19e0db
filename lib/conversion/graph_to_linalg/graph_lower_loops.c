// graph_lower_loops.c -- ops whose result depends on the order of steps, as loops around
// tensor.insert: scatters, where updates meet, and the first k elements in order.
//
// Indices are checked before the loops, so the loops read and write where there is something.
#include "graph_lower.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

// ---- loops that carry a tensor

// Makes what one iteration makes of the tensor; `index` has one value per loop.
typedef MlcValue *(*Step)(MlcGraphLower *l, MlcValue *const *index, MlcValue *tensor, void *user);

typedef struct Nest {
    const MlcTensorShape *shape;
    Step step;
    void *user;
    MlcValue *index[MLC_BUILD_RANK];
} Nest;

// A loop from `lower` to before `upper`; the builder is at the start of its body then, where the
// index and the tensor are the arguments.
static MlcOp *
begin_loop(MlcGraphLower *l, MlcValue *lower, MlcValue *upper, MlcValue *tensor)
{
    MlcBuilder *b = &l->b;
    MlcType types[] = {mlc_index_type_get(b->ctx), mlc_value_type(tensor)};
    MlcOp *loop = mlc_scf_for(b, types + 1, 1, lower, upper, mlc_build_index(b, 1), &tensor, 1);
    mlc_builder_create_block(b, mlc_op_region(loop, 0), types, 2);
    return loop;
}

// Ends the body; the builder is behind the loop then.
static MlcValue *
end_loop(MlcGraphLower *l, MlcOp *loop, MlcValue *yielded)
{
    mlc_scf_yield(&l->b, &yielded, 1);
    mlc_builder_after(&l->b, loop);
    return mlc_op_result(loop, 0);
}

static MlcValue *
loop_arg(MlcOp *loop, size_t i)
{
    return mlc_block_arg(mlc_region_first(mlc_op_region(loop, 0)), i);
}

static MlcValue *
build_nest(MlcGraphLower *l, Nest *nest, size_t depth, MlcValue *tensor)
{
    if (depth == nest->shape->rank)
        return nest->step(l, nest->index, tensor, nest->user);
    MlcOp *loop =
        begin_loop(l, mlc_build_index(&l->b, 0), size_value(l, nest->shape, depth), tensor);
    nest->index[depth] = loop_arg(loop, 0);
    return end_loop(l, loop, build_nest(l, nest, depth + 1, loop_arg(loop, 1)));
}

static MlcValue *
extract(MlcGraphLower *l, MlcValue *tensor, MlcValue *const *index)
{
    return mlc_tensor_extract(&l->b, tensor, index, rank_of(tensor));
}

static MlcValue *
insert(MlcGraphLower *l, MlcValue *element, MlcValue *tensor, MlcValue *const *index)
{
    return mlc_tensor_insert(&l->b, element, tensor, index, rank_of(tensor));
}

// `text` over two elements x and y, of type `element`.
static MlcValue *
of_two(MlcGraphLower *l, const char *text, MlcType element, MlcValue *x, MlcValue *y)
{
    static const char *const names[] = {"x", "y"};
    MlcValue *values[] = {x, y}, *result = NULL;
    MlcBody body = {.text = text,
                    .names = names,
                    .values = values,
                    .num_values = 2,
                    .element = element,
                    .fastmath = l->fastmath,
                    .is_total = true};
    return mlc_body_build(&l->b, &body, &result, 1) == 1 ? result : NULL;
}

// ---- scatters

static const char *
reduction_body(MlcGraphScatter how, MlcType element)
{
    static const char *const bodies[] = {"y", "x + y", "x * y", "min(x, y)", "max(x, y)"};
    static const char *const of_truths[] = {"y", "select(x, x, y)", "select(x, y, x)",
                                            "select(x, y, x)", "select(x, x, y)"};
    return (mlc_type_is_integer(element, 1) ? of_truths : bodies)[how];
}

typedef struct Scatter {
    MlcGraphScatter how;
    size_t axis;  // of scatter_elements
    size_t count; // of scatter_nd: of an index tuple
} Scatter;

// The update at `from` reaches the element at `to`.
static MlcValue *
put_update(MlcGraphLower *l, const Scatter *scatter, MlcValue *const *from, MlcValue *const *to,
           MlcValue *tensor)
{
    MlcValue *update = extract(l, operand(l, 2), from);
    if (scatter->how != MLC_GRAPH_SCATTER_NONE) {
        const char *body = reduction_body(scatter->how, l->element);
        update = of_two(l, body, l->element, extract(l, tensor, to), update);
    }
    return insert(l, update, tensor, to);
}

static MlcValue *
scatter_element(MlcGraphLower *l, MlcValue *const *index, MlcValue *tensor, void *user)
{
    const Scatter *scatter = user;
    MlcValue *to[MLC_BUILD_RANK];
    for (size_t i = 0; i < rank_of(tensor); i++)
        to[i] = i == scatter->axis
                    ? mlc_graph_lower_index_within(l, extract(l, operand(l, 1), index), i)
                    : index[i];
    return put_update(l, scatter, index, to, tensor);
}

// The loops are those of the updates: over the tuples, then over what each names.
static MlcValue *
scatter_slice(MlcGraphLower *l, MlcValue *const *index, MlcValue *tensor, void *user)
{
    const Scatter *scatter = user;
    MlcValue *to[MLC_BUILD_RANK], *tuple[MLC_BUILD_RANK];
    size_t last = rank_of(operand(l, 1)) - 1;
    memcpy(tuple, index, last * sizeof *tuple);
    for (size_t i = 0; i < rank_of(tensor); i++) {
        if (i >= scatter->count) {
            to[i] = index[last + i - scatter->count];
            continue;
        }
        tuple[last] = mlc_build_index(&l->b, (int64_t)i);
        to[i] = mlc_graph_lower_index_within(l, extract(l, operand(l, 1), tuple), i);
    }
    return put_update(l, scatter, index, to, tensor);
}

static MlcValue *
lower_scatter(MlcGraphLower *l, Scatter *scatter, Step step)
{
    MlcTensorShape shape;
    mlc_graph_lower_check_indices(l);
    mlc_build_shape_of(&l->b, operand(l, 2), &shape);
    Nest nest = {.shape = &shape, .step = step, .user = scatter};
    return build_nest(l, &nest, 0, operand(l, 0));
}

MlcValue *
mlc_graph_lower_scatter_elements(MlcGraphLower *l)
{
    Scatter scatter = {.how = mlc_graph_scatter_elements_reduction(l->op),
                       .axis = (size_t)mlc_graph_axis(l->op)};
    return lower_scatter(l, &scatter, scatter_element);
}

MlcValue *
mlc_graph_lower_scatter_nd(MlcGraphLower *l)
{
    MlcType indices = mlc_value_type(operand(l, 1));
    Scatter scatter = {.how = mlc_graph_scatter_nd_reduction(l->op),
                       .count = (size_t)mlc_type_dim(indices, mlc_type_rank(indices) - 1)};
    return lower_scatter(l, &scatter, scatter_slice);
}

// ---- the first k in order
//
// One element after the other is put where it belongs among the first k so far, whose places are in
// the result: those behind it move up by one. Of the elements after the k-th most are worse than
// all of those, which takes one comparison.

typedef struct TopK {
    size_t axis;
    int64_t k;
    MlcValue *num_elements; // along the axis
    const char *body;       // whether x comes before y
    MlcValue *const *index;
} TopK;

static MlcValue *
element_at(MlcGraphLower *l, const TopK *top, MlcValue *place)
{
    MlcValue *index[MLC_BUILD_RANK];
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++)
        index[i] = i == top->axis ? place : top->index[i];
    return extract(l, operand(l, 0), index);
}

// Result `i` of the run.
static MlcValue *
order_at(MlcGraphLower *l, const TopK *top, MlcValue *order, MlcValue *i)
{
    MlcValue *index[MLC_BUILD_RANK];
    memcpy(index, top->index, rank_of(order) * sizeof *index);
    index[top->axis] = i;
    return extract(l, order, index);
}

static MlcValue *
set_order(MlcGraphLower *l, const TopK *top, MlcValue *order, MlcValue *i, MlcValue *place)
{
    MlcValue *index[MLC_BUILD_RANK];
    memcpy(index, top->index, rank_of(order) * sizeof *index);
    index[top->axis] = i;
    return insert(l, place, order, index);
}

// Whether x comes before what result `i` names.
static MlcValue *
comes_before(MlcGraphLower *l, const TopK *top, MlcValue *x, MlcValue *order, MlcValue *i)
{
    MlcType index = mlc_index_type_get(l->b.ctx),
            truth = mlc_integer_type_get(l->b.ctx, 1, MLC_SIGNLESS);
    MlcValue *place = mlc_arith_index_cast(&l->b, index, order_at(l, top, order, i));
    return of_two(l, top->body, truth, x, element_at(l, top, place));
}

// A region of scf.if: its block, at whose end the builder is.
static void
begin_branch(MlcGraphLower *l, MlcOp *branch, size_t i)
{
    mlc_builder_create_block(&l->b, mlc_op_region(branch, i), NULL, 0);
}

// i > 0 and x comes before what stands at i - 1, which is only looked at in the first case.
static MlcValue *
goes_on(MlcGraphLower *l, const TopK *top, MlcValue *x, MlcValue *order, MlcValue *i)
{
    MlcBuilder *b = &l->b;
    MlcType truth = mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS);
    MlcValue *is_inside = mlc_arith_cmpi(b, i, mlc_build_index(b, 0), MLC_ARITH_CMPI_PREDICATE_SGT);
    MlcOp *branch = mlc_scf_if(b, &truth, 1, is_inside);
    begin_branch(l, branch, 0);
    MlcValue *before = comes_before(l, top, x, order, mlc_arith_subi(b, i, mlc_build_index(b, 1)));
    mlc_scf_yield(b, &before, 1);
    begin_branch(l, branch, 1);
    MlcValue *no = mlc_build_int(b, truth, 0);
    mlc_scf_yield(b, &no, 1);
    mlc_builder_after(b, branch);
    return mlc_op_result(branch, 0);
}

// x, the element at `place`, goes to result `i` or before; what was there and behind moves up.
static MlcValue *
insert_in_order(MlcGraphLower *l, const TopK *top, MlcValue *x, MlcValue *place, MlcValue *i,
                MlcValue *order)
{
    MlcBuilder *b = &l->b;
    MlcValue *carried[] = {i, order};
    MlcType types[] = {mlc_value_type(i), mlc_value_type(order)};
    MlcOp *loop = mlc_scf_while(b, types, 2, carried, 2);
    mlc_builder_create_block(b, mlc_op_region(loop, 0), types, 2);
    carried[0] = loop_arg(loop, 0);
    carried[1] = loop_arg(loop, 1);
    mlc_scf_condition(b, goes_on(l, top, x, carried[1], carried[0]), carried, 2);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 1), types, 2);
    MlcValue *at = mlc_block_arg(body, 0), *before = mlc_arith_subi(b, at, mlc_build_index(b, 1));
    MlcValue *tensor = mlc_block_arg(body, 1);
    carried[0] = before;
    carried[1] = set_order(l, top, tensor, at, order_at(l, top, tensor, before));
    mlc_scf_yield(b, carried, 2);
    mlc_builder_after(b, loop);
    MlcType i64 = mlc_type_element(types[1]);
    return set_order(l, top, mlc_op_result(loop, 1), mlc_op_result(loop, 0),
                     mlc_arith_index_cast(b, i64, place));
}

// One run along the axis.
static MlcValue *
find_first(MlcGraphLower *l, MlcValue *const *index, MlcValue *order, void *user)
{
    TopK *top = user;
    MlcBuilder *b = &l->b;
    MlcType type = mlc_value_type(order);
    top->index = index;
    MlcValue *zero = mlc_build_index(b, 0), *k = mlc_build_index(b, top->k);
    MlcOp *loop = begin_loop(l, zero, k, order);
    MlcValue *i = loop_arg(loop, 0), *x = element_at(l, top, i);
    order = end_loop(l, loop, insert_in_order(l, top, x, i, i, loop_arg(loop, 1)));
    loop = begin_loop(l, k, top->num_elements, order);
    MlcValue *last = mlc_build_index(b, top->k - 1);
    i = loop_arg(loop, 0);
    x = element_at(l, top, i);
    MlcOp *branch = mlc_scf_if(b, &type, 1, comes_before(l, top, x, loop_arg(loop, 1), last));
    begin_branch(l, branch, 0);
    MlcValue *made = insert_in_order(l, top, x, i, last, loop_arg(loop, 1));
    mlc_scf_yield(b, &made, 1);
    begin_branch(l, branch, 1);
    made = loop_arg(loop, 1);
    mlc_scf_yield(b, &made, 1);
    mlc_builder_after(b, branch);
    return end_loop(l, loop, mlc_op_result(branch, 0));
}

MlcValue *
mlc_graph_lower_top_k(MlcGraphLower *l)
{
    // NaN is larger than every number; "x == x" is false of NaN alone.
    static const char *const bodies[] = {"x < y", "x > y"};
    static const char *const of_floats[] = {"select(x == x, select(x < y, x < y, y != y), x < x)",
                                            "select(y == y, select(x > y, x > y, x != x), y < y)"};
    bool largest = bool_attr(l, "largest");
    MlcType input = mlc_value_type(operand(l, 0));
    bool is_float = mlc_type_is_float(mlc_type_element(input));
    TopK top = {.axis = (size_t)mlc_graph_axis(l->op),
                .k = mlc_graph_top_k_k(l->op),
                .body = (is_float ? of_floats : bodies)[largest]};
    MlcTensorShape result, runs, all;
    mlc_graph_lower_shape(l, &result);
    mlc_build_shape_of(&l->b, operand(l, 0), &all);
    top.num_elements = size_value(l, &all, top.axis);
    runs = result;
    runs.dims[top.axis] = 1;
    runs.values[top.axis] = NULL;
    Nest nest = {.shape = &runs, .step = find_first, .user = &top};
    MlcValue *empty = mlc_build_empty_shape(&l->b, &result, l->element);
    return top.k > 0 ? build_nest(l, &nest, 0, empty) : empty;
}
