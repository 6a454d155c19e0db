// graph_lower_control.c -- graph.if, graph.loop and graph.scan as scf on tensors.
//
// A loop whose condition never ends it is an scf.for, whether its count is known or not; any other
// one is an scf.while. Elements of inputs are slices, elements of results are put into tensors that
// go round. Bodies were lowered before the op that holds them.
#include "graph_lower.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/mixed.h"
#include "mlc/support/map.h"

static MlcBlock *
body_of(const MlcOp *op, size_t region)
{
    return mlc_region_first(mlc_op_region(op, region));
}

static void
replace_by(MlcOp *op, MlcOp *made, size_t first)
{
    MlcValueVec values = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&values, mlc_op_result(made, first + i));
    mlc_op_replace(op, values.data, values.size);
    mlc_vec_release(&values);
}

static MlcValue *
constant(MlcBuilder *b, MlcType type, int64_t value)
{
    return mlc_arith_constant(b, mlc_integer_attr_get(type, value));
}

static MlcValue *
index_constant(MlcBuilder *b, int64_t value)
{
    return constant(b, mlc_index_type_get(b->ctx), value);
}

// The one element of a tensor, and a tensor of it.
static MlcValue *
the_element(MlcBuilder *b, MlcValue *tensor)
{
    MlcValue *indices[MLC_SMALL_RANK];
    size_t rank = mlc_type_rank(mlc_value_type(tensor));
    for (size_t i = 0; i < rank; i++)
        indices[i] = index_constant(b, 0);
    return mlc_tensor_extract(b, tensor, indices, rank);
}

static MlcValue *
scalar_tensor(MlcBuilder *b, MlcValue *scalar)
{
    MlcType type = mlc_tensor_type_get(mlc_value_type(scalar), NULL, 0, NULL);
    return mlc_tensor_from_elements(b, type, &scalar, 1);
}

// ---- if

static MlcValue *
yielded(const MlcOp *op, size_t region, size_t i)
{
    return mlc_op_operand(mlc_block_last(body_of(op, region)), i);
}

// Neither branch makes the result: it is one of two values, element by element, which is done in
// the loops of what reads it.
static bool
is_choice(const MlcOp *op, size_t i)
{
    return !mlc_value_is_inside(yielded(op, 0, i), op) &&
           !mlc_value_is_inside(yielded(op, 1, i), op);
}

// The sizes of a value that its type said, and a tensor of them.
static MlcMixed
size_of(const MlcGraphLower *l, MlcValue *value, size_t i)
{
    MlcType type = mlc_value_type(value);
    MlcAttr names = mlc_map_get(l->names, value);
    if (mlc_type_dim(type, i) != MLC_DYNAMIC)
        return mlc_mixed(mlc_type_dim(type, i));
    return mlc_graph_lower_mixed(l, mlc_array_attr_element(names, i));
}

static MlcValue *
build_empty_like(MlcGraphLower *l, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    MlcTensorShape shape = {.rank = mlc_type_rank(type)};
    for (size_t i = 0; i < shape.rank; i++) {
        shape.dims[i] = mlc_type_dim(type, i);
        shape.values[i] = size_of(l, value, i).value;
    }
    return mlc_build_empty_shape(&l->b, &shape, mlc_type_element(type));
}

static MlcValue *
build_choice(MlcGraphLower *l, MlcValue *condition, size_t i)
{
    MlcOp *op = l->op;
    MlcBuilder *b = &l->b;
    static const char *const names[] = {"condition", "a", "b", "(result)"};
    MlcType type = mlc_value_type(mlc_op_result(op, i));
    unsigned rank = (unsigned)mlc_type_rank(type);
    MlcAffineMap all = mlc_affine_map_identity(b->ctx, rank);
    MlcGeneric g = {.inputs = {scalar_tensor(b, condition), yielded(op, 0, i), yielded(op, 1, i)},
                    .maps = {mlc_affine_map_get(b->ctx, rank, 0, NULL, 0), all, all, all},
                    .num_inputs = 3,
                    .output = build_empty_like(l, mlc_op_result(op, i)),
                    .num_loops = rank,
                    .body = "select(condition, a, b)",
                    .names = names};
    return mlc_build_generic(b, &g);
}

static void
end_branch(MlcBuilder *b, MlcBlock *block, const MlcValueVec *chosen)
{
    MlcOp *yield = mlc_block_last(block);
    MlcValueVec values = {0};
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++)
        if (!chosen->data[i])
            mlc_vec_push(&values, mlc_op_operand(yield, i));
    mlc_builder_before(b, yield);
    mlc_scf_yield(b, values.data, values.size);
    mlc_op_erase(yield);
    mlc_vec_release(&values);
}

static void
hoist_constants(MlcOp *op)
{
    for (size_t r = 0; r < 2; r++)
        MLC_FOR_EACH_OP_SAFE (inner, body_of(op, r))
            if (mlc_op_has_trait(inner, MLC_TRAIT_CONSTANT_LIKE))
                mlc_op_move_before(inner, op);
}

// False after a diagnostic.
static bool
lower_if(MlcGraphLower *l)
{
    MlcOp *op = l->op;
    MlcBuilder *b = &l->b;
    MlcTypeVec types = {0};
    MlcValueVec results = {0}; // those that are choices, the others NULL
    bool ok = true;
    hoist_constants(op);
    MlcValue *condition = the_element(b, mlc_graph_if_condition(op));
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *choice = is_choice(op, i) ? build_choice(l, condition, i) : NULL;
        ok &= choice || !is_choice(op, i);
        mlc_vec_push(&results, choice);
        if (!choice)
            mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    }
    MlcOp *made = ok ? mlc_scf_if(b, types.data, types.size, condition) : NULL;
    for (size_t r = 0; ok && r < 2; r++) {
        mlc_region_take_body(mlc_op_region(made, r), mlc_op_region(op, r));
        end_branch(b, body_of(made, r), &results);
    }
    for (size_t i = 0, next = 0; ok && i < results.size; i++)
        if (!results.data[i])
            results.data[i] = mlc_op_result(made, next++);
    if (ok)
        mlc_op_replace(op, results.data, results.size);
    mlc_vec_release(&types);
    mlc_vec_release(&results);
    return ok;
}

// ---- loops: what is carried, then the tensors that results are put together in

typedef struct Round {
    MlcOp *op;
    size_t first_init, num_carried, first_yield;
    MlcTypeVec types;  // of all that goes round
    MlcValueVec inits; // of it
} Round;

static Round
round_of(MlcGraphLower *l)
{
    MlcOp *op = l->op;
    Round r = {.op = op, .first_yield = mlc_graph_loop_isa(op) ? 1 : 0};
    mlc_op_operand_group(op, mlc_graph_loop_isa(op) ? 2 : 0, &r.first_init, &r.num_carried);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        mlc_vec_push(&r.types, mlc_value_type(mlc_op_result(op, i)));
        mlc_vec_push(&r.inits, i < r.num_carried ? mlc_op_operand(op, r.first_init + i)
                                                 : build_empty_like(l, mlc_op_result(op, i)));
    }
    return r;
}

static void
release_round(Round *r)
{
    mlc_vec_release(&r->types);
    mlc_vec_release(&r->inits);
}

// The slice of one element at `at`: all of the other dimensions, of the sizes of `whole`.
static MlcSlice
slice_at(MlcGraphLower *l, MlcValue *whole, MlcValue *at)
{
    size_t rank = mlc_type_rank(mlc_value_type(whole));
    MlcSlice slice = {.offsets.size = rank, .sizes.size = rank, .strides.size = rank};
    for (size_t i = 0; i < rank; i++) {
        slice.offsets.items[i] = i ? mlc_mixed(0) : (MlcMixed){at, MLC_DYNAMIC};
        slice.sizes.items[i] = i ? size_of(l, whole, i) : mlc_mixed(1);
        slice.strides.items[i] = mlc_mixed(1);
    }
    return slice;
}

static MlcValue *
take_element(MlcGraphLower *l, MlcValue *all, MlcValue *at, MlcType element)
{
    MlcSlice slice = slice_at(l, all, at);
    return mlc_op_result(
        mlc_build_slice(&l->b, &mlc_tensor_extract_slice_def, element, &all, 1, &slice), 0);
}

// Into `all`, which goes round for the op's result `whole`.
static MlcValue *
put_element(MlcGraphLower *l, MlcValue *element, MlcValue *all, MlcValue *whole, MlcValue *at)
{
    MlcSlice slice = slice_at(l, whole, at);
    MlcValue *operands[] = {element, all};
    return mlc_op_result(mlc_build_slice(&l->b, &mlc_tensor_insert_slice_def, mlc_value_type(all),
                                         operands, 2, &slice),
                         0);
}

// Step `t` of so many, from the end if `reversed`.
static MlcValue *
step_at(MlcBuilder *b, MlcValue *t, MlcMixed steps, bool reversed)
{
    MlcValue *operands[] = {t, steps.value};
    if (!reversed)
        return t;
    MlcAffineExpr last = steps.value ? mlc_affine_add_const(mlc_affine_symbol(b->ctx, 0), -1)
                                     : mlc_affine_constant(b->ctx, steps.constant - 1);
    MlcAffineExpr at = mlc_affine_sub(last, mlc_affine_dim(b->ctx, 0));
    size_t count = steps.value ? 2 : 1;
    return mlc_affine_apply(b, operands, count,
                            mlc_affine_map_get(b->ctx, 1, (unsigned)count - 1, &at, 1));
}

// The body's ops into `to`, at its end. Its yield is what comes last, and the builder before it.
static MlcOp *
move_body(MlcBuilder *b, MlcOp *op, MlcBlock *to, MlcValue *const *args)
{
    MlcBlock *body = body_of(op, 0);
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), args[i]);
    mlc_block_splice(to, NULL, body);
    mlc_builder_before(b, mlc_block_last(to));
    return mlc_block_last(to);
}

// What goes round after the iteration that `yield` ends; `around` is what it got.
static void
next_round(MlcGraphLower *l, const Round *r, MlcOp *yield, MlcValue *const *around, MlcValue *t,
           MlcMixed steps, MlcValueVec *next)
{
    for (size_t i = 0; i < r->types.size; i++) {
        MlcValue *value = mlc_op_operand(yield, r->first_yield + i);
        bool reversed = mlc_graph_scan_is_reversed(r->op, "output_reversed", i - r->num_carried);
        if (i >= r->num_carried)
            value = put_element(l, value, around[i], mlc_op_result(r->op, i),
                                step_at(&l->b, t, steps, reversed));
        mlc_vec_push(next, value);
    }
}

static MlcOp *
build_for(MlcBuilder *b, const Round *r, MlcValue *count, MlcValueVec *around)
{
    MlcOp *loop = mlc_scf_for(b, r->types.data, r->types.size, index_constant(b, 0), count,
                              index_constant(b, 1), r->inits.data, r->inits.size);
    MlcBlock *block = mlc_builder_create_block(b, mlc_op_region(loop, 0), NULL, 0);
    mlc_block_add_arg(block, mlc_index_type_get(b->ctx), b->loc);
    for (size_t i = 0; i < r->types.size; i++)
        mlc_vec_push(around, mlc_block_add_arg(block, r->types.data[i], b->loc));
    return loop;
}

static void
lower_scan(MlcGraphLower *l)
{
    MlcOp *op = l->op;
    MlcBuilder *b = &l->b;
    Round r = round_of(l);
    MlcValueVec around = {0}, args = {0}, next = {0};
    MlcMixed steps = size_of(l, mlc_op_operand(op, r.num_carried), 0);
    MlcOp *loop = build_for(b, &r, mlc_mixed_value(b, steps), &around);
    MlcBlock *block = body_of(loop, 0);
    MlcValue *t = mlc_block_arg(block, 0);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        bool reversed = mlc_graph_scan_is_reversed(op, "input_reversed", i - r.num_carried);
        mlc_vec_push(&args,
                     i < r.num_carried
                         ? around.data[i]
                         : take_element(l, mlc_op_operand(op, i), step_at(b, t, steps, reversed),
                                        mlc_value_type(mlc_block_arg(body_of(op, 0), i))));
    }
    MlcOp *yield = move_body(b, op, block, args.data);
    next_round(l, &r, yield, around.data, t, steps, &next);
    mlc_scf_yield(b, next.data, next.size);
    mlc_op_erase(yield);
    replace_by(op, loop, 0);
    mlc_vec_release(&around);
    mlc_vec_release(&args);
    mlc_vec_release(&next);
    release_round(&r);
}

// The arguments of the body of iteration `t`, whose condition holds.
static void
loop_args(MlcBuilder *b, const Round *r, MlcValue *t, MlcValue *const *around, MlcValueVec *args)
{
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcType i1 = mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS);
    mlc_vec_push(args, scalar_tensor(b, mlc_arith_index_cast(b, i64, t)));
    mlc_vec_push(args, scalar_tensor(b, constant(b, i1, 1)));
    for (size_t i = 0; i < r->num_carried; i++)
        mlc_vec_push(args, around[i]);
}

static void
lower_counted_loop(MlcGraphLower *l, MlcValue *count)
{
    MlcOp *op = l->op;
    MlcBuilder *b = &l->b;
    Round r = round_of(l);
    MlcValueVec around = {0}, args = {0}, next = {0};
    MlcOp *loop = build_for(b, &r, count, &around);
    MlcValue *t = mlc_block_arg(body_of(loop, 0), 0);
    loop_args(b, &r, t, around.data, &args);
    MlcOp *yield = move_body(b, op, body_of(loop, 0), args.data);
    next_round(l, &r, yield, around.data, t, mlc_mixed(0), &next);
    mlc_scf_yield(b, next.data, next.size);
    mlc_op_erase(yield);
    replace_by(op, loop, 0);
    mlc_vec_release(&around);
    mlc_vec_release(&args);
    mlc_vec_release(&next);
    release_round(&r);
}

static MlcBlock *
while_block(MlcBuilder *b, MlcOp *loop, size_t region, MlcValueVec *args)
{
    MlcBlock *block = mlc_builder_create_block(b, mlc_op_region(loop, region), NULL, 0);
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_vec_push(args,
                     mlc_block_add_arg(block, mlc_value_type(mlc_op_result(loop, i)), b->loc));
    return block;
}

// The number of the iteration and whether it runs go round, too. What ends it may be the body's
// condition, so no result is put together here (graph_check_lowerable.c).
static void
lower_open_loop(MlcGraphLower *l, MlcValue *count)
{
    MlcOp *op = l->op;
    MlcBuilder *b = &l->b;
    Round r = round_of(l);
    MlcValueVec inits = {0}, before = {0}, after = {0}, args = {0}, next = {0};
    MlcTypeVec types = {0};
    mlc_vec_push(&inits, index_constant(b, 0));
    mlc_vec_push(&inits, the_element(b, mlc_graph_loop_condition(op)));
    for (size_t i = 0; i < r.inits.size; i++)
        mlc_vec_push(&inits, r.inits.data[i]);
    for (size_t i = 0; i < inits.size; i++)
        mlc_vec_push(&types, mlc_value_type(inits.data[i]));
    MlcOp *loop = mlc_scf_while(b, types.data, types.size, inits.data, inits.size);
    while_block(b, loop, 0, &before);
    MlcValue *is_below = mlc_arith_cmpi(b, before.data[0], count, MLC_ARITH_CMPI_PREDICATE_SLT);
    MlcValue *goes_on = mlc_arith_andi(b, is_below, before.data[1]);
    mlc_scf_condition(b, goes_on, before.data, before.size);
    MlcBlock *block = while_block(b, loop, 1, &after);
    loop_args(b, &r, after.data[0], after.data + 2, &args);
    MlcOp *yield = move_body(b, op, block, args.data);
    mlc_vec_push(&next, mlc_arith_addi(b, after.data[0], index_constant(b, 1)));
    mlc_vec_push(&next, the_element(b, mlc_op_operand(yield, 0)));
    next_round(l, &r, yield, after.data + 2, after.data[0], mlc_mixed(0), &next);
    mlc_scf_yield(b, next.data, next.size);
    mlc_op_erase(yield);
    replace_by(op, loop, 2);
    mlc_vec_release(&inits);
    mlc_vec_release(&types);
    mlc_vec_release(&before);
    mlc_vec_release(&after);
    mlc_vec_release(&args);
    mlc_vec_release(&next);
    release_round(&r);
}

static void
lower_loop(MlcGraphLower *l)
{
    MlcBuilder *b = &l->b;
    MlcValue *count = the_element(b, mlc_graph_loop_count(l->op));
    count = mlc_arith_index_cast(b, mlc_index_type_get(b->ctx), count);
    if (mlc_graph_loop_is_counted(l->op))
        lower_counted_loop(l, count);
    else
        lower_open_loop(l, count);
}

bool
mlc_graph_is_control(const MlcOpDef *op)
{
    return op == &mlc_graph_if_def || op == &mlc_graph_loop_def || op == &mlc_graph_scan_def;
}

bool
mlc_graph_lower_control(MlcGraphLower *l)
{
    l->b.loc = mlc_op_loc(l->op);
    if (mlc_graph_if_isa(l->op))
        return lower_if(l);
    if (mlc_graph_loop_isa(l->op))
        lower_loop(l);
    else
        lower_scan(l);
    return true;
}
