// affine_parallelize.c -- outermost affine loops whose iterations are independent become
// affine.parallel.
//
// Two accesses of one buffer, one of them a write, are independent across iterations if in some
// dimension of the buffer both touch only c*i + [low, high], where i is the loop's variable, the
// range covers everything inside the loop, and is narrower than a step of i. (The strong SIV test
// widened to intervals: Goff, Kennedy, Tseng, PLDI 1991.) Windows (memref.subview) are followed to
// the buffer they are cut from; different arguments of a kernel never overlap. A perfect nest of
// parallel loops becomes one op, so that there are iterations enough to share out.
//
// By cost: a loop that takes less than it costs to wake another thread stays as it is; others carry
// `mlc.grain`, the iterations that a thread takes at a time, so that taking them is a small part of
// running them, and no more loops of a nest are joined than make iterations of that size. Where a
// loop's iterations follow each other (a recurrence), the loops of an iteration are looked at.
// Neighbours that touch nothing that the other writes (a loop and the tile that is left over, the
// edges of an image) become one loop, whose body asks by its iteration which of them it is: one
// region instead of several, and no part that one thread runs alone.
#include "affine_accesses.h"
#include "affine_loops.h"
#include "kernel/kernel_notes.h"
#include "kernel/op_cycles.h"

#include "mlc/analysis/structured.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

// Bounds that are numbers.
static bool
has_constant_bounds(MlcOp *loop)
{
    int64_t lower, upper, step;
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    return methods->constant_bounds(loop, 0, &lower, &upper, &step);
}

// Or one bound each, of sizes that the function is given.
static bool
has_given_bounds(MlcOp *loop)
{
    bool are_given = mlc_affine_map_num_results(mlc_affine_for_lower_bound_map(loop)) == 1 &&
                     mlc_affine_map_num_results(mlc_affine_for_upper_bound_map(loop)) == 1 &&
                     mlc_affine_for_step_size(loop) > 0;
    MLC_FOR_EACH_OPERAND (value, loop)
        are_given &= mlc_affine_is_symbol(value);
    return are_given;
}

static bool
is_parallel(MlcOp *loop)
{
    if (mlc_op_num_results(loop) > 0)
        return mlc_kernel_remark(loop,
                                 "not parallel: it carries values from one iteration to the next"),
               false;
    if (!has_constant_bounds(loop) && !has_given_bounds(loop))
        return mlc_kernel_remark(loop, "not parallel: its bounds depend on other loops"), false;
    int64_t step = mlc_affine_for_step_size(loop);
    MlcAccesses nest = {.op = loop};
    MlcOp *obstacle = mlc_accesses_collect(&nest);
    const MlcAccess *bad = obstacle ? NULL : mlc_accesses_conflict(&nest, step);
    if (obstacle)
        mlc_kernel_remark(loop, "not parallel: what '%.*s' inside touches is not known%s",
                          MLC_STR_FMT(mlc_op_name(obstacle)), mlc_accesses_limit(&nest));
    else if (bad)
        mlc_kernel_remark(loop,
                          "not parallel: '%.*s' inside may touch what another iteration touches",
                          MLC_STR_FMT(mlc_op_name(bad->op)));
    bool ok = !obstacle && !bad;
    mlc_vec_release(&nest.list);
    return ok;
}

// The only loop in the body, if all else there has no effect and can go inside; else NULL.
static MlcOp *
only_inner_loop(MlcOp *loop)
{
    MlcOp *inner = NULL;
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MLC_FOR_EACH_OP (op, body) {
        if (mlc_affine_for_isa(op)) {
            if (inner)
                return NULL;
            inner = op;
        } else if (op != mlc_block_terminator(body) && (!mlc_op_is_pure(op) || inner)) {
            return NULL;
        }
    }
    return inner;
}

static void
sink_into(MlcOp *outer, MlcOp *inner)
{
    MlcOp *first = mlc_block_first(mlc_region_first(mlc_op_region(inner, 0)));
    MLC_FOR_EACH_OP_SAFE (op, mlc_region_first(mlc_op_region(outer, 0))) {
        if (op == inner)
            return;
        mlc_op_move_before(op, first);
    }
}

// More loops make no more iterations that threads of a CPU want; a GPU has one for each.
enum { MAX_DEPTH = 8, MAX_SHARED_DEPTH = 3 };

// The bounds of a nest: lower ones, then upper ones, over values that come as dimensions.
typedef struct Bounds {
    MlcAffineExpr bounds[2][MAX_DEPTH];
    int64_t steps[MAX_DEPTH];
    size_t rank;
    MlcValueVec operands[2];
} Bounds;

static void
release_bounds(Bounds *bounds)
{
    mlc_vec_release(&bounds->operands[0]);
    mlc_vec_release(&bounds->operands[1]);
}

static void
add_loop(Bounds *bounds, MlcOp *loop)
{
    MlcContext *ctx = mlc_op_context(loop);
    for (int is_upper = 0; is_upper < 2; is_upper++) {
        MlcValueVec *operands = &bounds->operands[is_upper];
        MlcValueMap bound = mlc_affine_for_bound(loop, is_upper);
        MLC_VEC(MlcAffineExpr) inputs = {0};
        size_t num_dims = mlc_affine_map_num_dims(bound.map);
        for (size_t i = 0; i < bound.operands.size; i++) {
            mlc_vec_push(&inputs, mlc_affine_dim(ctx, (unsigned)operands->size));
            mlc_vec_push(operands, bound.operands.data[i]);
        }
        bounds->bounds[is_upper][bounds->rank] =
            inputs.size == 0
                ? mlc_affine_map_result(bound.map, 0)
                : mlc_affine_replace(mlc_affine_map_result(bound.map, 0), inputs.data, num_dims,
                                     inputs.data + num_dims, inputs.size - num_dims);
        mlc_vec_release(&inputs);
        mlc_value_map_release(&bound);
    }
    bounds->steps[bounds->rank++] = mlc_affine_for_step_size(loop);
}

static MlcAffineMap
bounds_map(MlcContext *ctx, const Bounds *bounds, int is_upper)
{
    return mlc_affine_map_get(ctx, (unsigned)bounds->operands[is_upper].size, 0,
                              bounds->bounds[is_upper], bounds->rank);
}

// An affine.parallel with an empty region.
static MlcOp *
build_parallel(MlcBuilder *b, const Bounds *bounds)
{
    MlcContext *ctx = b->ctx;
    MlcAttr step_attrs[MAX_DEPTH];
    for (size_t i = 0; i < bounds->rank; i++)
        step_attrs[i] = mlc_i64_attr_get(ctx, bounds->steps[i]);
    int64_t shape = (int64_t)bounds->rank;
    MlcType group_type =
        mlc_tensor_type_get(mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), &shape, 1, NULL);
    MlcAttr groups = mlc_dense_attr_splat(group_type, mlc_i32_attr_get(ctx, 1));
    MlcValueVec operands = {0};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < bounds->operands[k].size; i++)
            mlc_vec_push(&operands, bounds->operands[k].data[i]);
    MlcOp *parallel = mlc_affine_parallel(
        b, NULL, 0, operands.data, operands.size, mlc_array_attr_get(ctx, NULL, 0),
        bounds_map(ctx, bounds, 0), groups, bounds_map(ctx, bounds, 1), groups,
        mlc_array_attr_get(ctx, step_attrs, bounds->rank));
    mlc_vec_release(&operands);
    return parallel;
}

static void
bounds_of(MlcOp *loop, int64_t *lower, int64_t *upper, int64_t *step)
{
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    methods->constant_bounds(loop, 0, lower, upper, step);
}

static MlcOp *
make_parallel(MlcOp *const *loops, size_t num_loops)
{
    Bounds bounds = {0};
    MlcBuilder b;
    for (size_t i = 0; i < num_loops; i++)
        add_loop(&bounds, loops[i]);
    mlc_builder_init(&b, mlc_op_context(loops[0]));
    mlc_builder_before(&b, loops[0]);
    MlcOp *parallel = build_parallel(&b, &bounds);
    release_bounds(&bounds);
    MlcOp *innermost = loops[num_loops - 1];
    mlc_region_take_body(mlc_op_region(parallel, 0), mlc_op_region(innermost, 0));
    MlcBlock *body = mlc_region_first(mlc_op_region(parallel, 0));
    for (size_t i = 0; i + 1 < num_loops; i++) {
        MlcValue *variable = mlc_block_arg(mlc_region_first(mlc_op_region(loops[i], 0)), 0);
        mlc_value_replace_uses(variable, mlc_block_insert_arg(body, i, mlc_value_type(variable),
                                                              mlc_op_loc(loops[i])));
    }
    mlc_op_erase(loops[0]);
    return parallel;
}

// Windows that an iteration around the loop cuts from a buffer are cut inside, so that threads are
// told of the buffer and the iteration, not of where each window begins.
static bool
is_window_outside(MlcOp *view, MlcOp *parallel)
{
    return view && !mlc_op_is_ancestor(parallel, view) && mlc_op_is_pure(view) &&
           mlc_op_interface(view, MLC_INTERFACE_VIEW_LIKE) &&
           !mlc_op_interface(mlc_op_parent(view), MLC_INTERFACE_FUNCTION);
}

static void
cut_inside(MlcOp *parallel)
{
    MlcBuilder b;
    MlcOpVec outside = {0};
    MlcMap seen = {0};
    mlc_builder_init(&b, mlc_op_context(parallel));
    MLC_FOR_EACH_PREORDER (op, parallel)
        MLC_FOR_EACH_OPERAND (value, op)
            if (is_window_outside(mlc_value_def(value), parallel) &&
                mlc_map_add(&seen, mlc_value_def(value)))
                mlc_vec_push(&outside, mlc_value_def(value));
    for (size_t i = 0; i < outside.size; i++) { // of a window of a window, the inner one first
        MlcOp *clone = mlc_op_clone(outside.data[i], NULL);
        mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(parallel, 0)));
        mlc_builder_insert(&b, clone);
        MlcValue *old = mlc_op_result(outside.data[i], 0);
        MLC_FOR_EACH_USE_SAFE (use, old)
            if (mlc_op_is_ancestor(parallel, mlc_use_owner(use)))
                mlc_op_set_operand(mlc_use_owner(use), mlc_use_index(use), mlc_op_result(clone, 0));
        MLC_FOR_EACH_OPERAND (value, clone)
            if (is_window_outside(mlc_value_def(value), parallel))
                mlc_vec_push(&outside, mlc_value_def(value));
    }
    mlc_vec_release(&outside);
    mlc_map_release(&seen);
}

// ---- what it costs to share out

enum {
    MIN_THREADS = 2,      // to gain anything from
    CHUNKS_PER_COST = 20, // a chunk takes this many times what it costs to take it
    ENOUGH_TRIPS = 16
};

static double
chunk_cycles(const MlcTargetDesc *target)
{
    return CHUNKS_PER_COST * (double)target->chunk_cycles;
}

static double
region_cost(const MlcTargetDesc *target)
{
    return MIN_THREADS * (double)target->region_cycles;
}

// Whether a loop is worth it whose iterations are counted when it runs, its grain decides then.
static bool
is_worth_sharing(MlcOp *loop, const MlcTargetDesc *target)
{
    if (!has_constant_bounds(loop) && !mlc_most_trips(loop))
        return true;
    double cycles = mlc_op_cycles(loop, target), cost = region_cost(target);
    if (cycles < cost)
        mlc_kernel_remark(loop,
                          "not parallel: it takes about %.0f cycles, sharing it out saves none "
                          "below %.0f",
                          cycles, cost);
    return cycles >= cost;
}

// Iterations of `cycles` that a thread takes at a time.
static int64_t
grain_of(double cycles, const MlcTargetDesc *target)
{
    double wanted = chunk_cycles(target);
    return cycles >= wanted ? 1 : cycles > 1 ? (int64_t)(wanted / cycles) + 1 : (int64_t)wanted;
}

// Of a loop of a number of iterations that is not known: so many that fewer are not worth sharing
// out.
static int64_t
grain_of_dynamic(double cycles, const MlcTargetDesc *target)
{
    double wanted =
        region_cost(target) > chunk_cycles(target) ? region_cost(target) : chunk_cycles(target);
    return cycles >= wanted ? 1 : cycles > 1 ? (int64_t)(wanted / cycles) + 1 : (int64_t)wanted;
}

// `trips` of 0: not known.
static void
set_grain(MlcOp *parallel, int64_t trips, int64_t grain)
{
    if (trips > 0)
        mlc_kernel_note(parallel, "%lld iterations shared out, %lld at a time", (long long)trips,
                        (long long)grain);
    else
        mlc_kernel_note(parallel, "iterations shared out, %lld at a time", (long long)grain);
    mlc_op_set_attr(parallel, "mlc.grain", mlc_i64_attr_get(mlc_op_context(parallel), grain));
}

static int64_t
trips_of(MlcOp *loop)
{
    int64_t lower, upper, step;
    if (!has_constant_bounds(loop))
        return mlc_most_trips(loop) ? mlc_most_trips(loop) : MLC_UNKNOWN_TRIPS;
    bounds_of(loop, &lower, &upper, &step);
    return upper > lower ? (upper - lower - 1) / step + 1 : 0;
}

// INT64_MAX where they are more.
static int64_t
times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// Whether `loop`, in a nest of so many `trips`, is as far as it goes: its iterations are no more
// than a chunk, or those of `inner` so short that to find out which one it is takes longer.
static bool
is_fine_enough(MlcOp *loop, MlcOp *inner, int64_t trips, const MlcTargetDesc *target)
{
    return mlc_op_body_cycles(loop, target) < chunk_cycles(target) ||
           (trips >= ENOUGH_TRIPS && mlc_op_body_cycles(inner, target) < target->chunk_cycles);
}

// The nest of loops[0] that is worth sharing out as one: returns its depth. `target` NULL: all of
// it. `is_counted`: no loop of which it is known only when it runs how long it is.
static size_t
collect_nest(MlcOp **loops, const MlcTargetDesc *target, bool is_counted)
{
    size_t depth = 1, most = target ? MAX_SHARED_DEPTH : MAX_DEPTH;
    int64_t trips = trips_of(loops[0]);
    for (MlcOp *inner; depth < most && (inner = only_inner_loop(loops[depth - 1]));) {
        if ((target && is_fine_enough(loops[depth - 1], inner, trips, target)) ||
            !is_parallel(inner) || (is_counted && !has_constant_bounds(inner)))
            break;
        trips = times(trips, trips_of(inner));
        sink_into(loops[depth - 1], inner);
        loops[depth++] = inner;
    }
    return depth;
}

// Iterations there are at least, of a loop that runs at all: its end is a multiple of them.
static int64_t
least_trips(MlcOp *loop)
{
    MlcAffineExpr end = mlc_affine_map_result(mlc_affine_for_upper_bound_map(loop), 0);
    int64_t factor, step = mlc_affine_for_step_size(loop);
    bool is_multiple = mlc_affine_kind(end) == MLC_AFFINE_MUL &&
                       mlc_affine_kind(mlc_affine_rhs(end)) == MLC_AFFINE_CONSTANT;
    factor = is_multiple ? mlc_affine_value(mlc_affine_rhs(end)) : 1;
    return step > 0 && factor > step ? factor / step : 1;
}

// Whether the iterations of a loop, which may be one, run one after the other: the loops of each
// are long enough to be shared out, and are nearly all of it (an image's convolution).
static bool
is_shared_inside(MlcOp *loop, const MlcTargetDesc *target)
{
    enum { LONG = 8 }; // regions
    if (!mlc_affine_for_isa(loop) || has_constant_bounds(loop) || !has_given_bounds(loop) ||
        least_trips(loop) >= 2 * (int64_t)target->cores)
        return false;
    double all = mlc_op_body_cycles(loop, target), inside = 0;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(loop, 0)))
        if (mlc_affine_parallel_isa(op))
            return true; // they are already
    if (all < LONG * region_cost(target))
        return false;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(loop, 0)))
        if (mlc_affine_for_isa(op) && has_constant_bounds(op) &&
            mlc_op_cycles(op, target) >= region_cost(target) && is_parallel(op))
            inside += mlc_op_cycles(op, target);
    return inside > 0.8 * all;
}

// How many iterations a loop of dynamic size has; NULL: its step is not 1, or its begin not 0.
static MlcValue *
count_of(MlcBuilder *b, MlcOp *loop)
{
    int64_t lower;
    MlcAffineMap from = mlc_affine_for_lower_bound_map(loop);
    if (mlc_affine_for_step_size(loop) != 1 ||
        !mlc_affine_is_constant(mlc_affine_map_result(from, 0), &lower) || lower != 0)
        return NULL;
    MlcValueMap bound = mlc_affine_for_bound(loop, true);
    return mlc_value_map_build(b, &bound);
}

static MlcBlock *
open_branch(MlcBuilder *b, MlcOp *branch, size_t region)
{
    MlcBuilder inner = *b;
    MlcBlock *block = mlc_builder_create_block(&inner, mlc_op_region(branch, region), NULL, 0);
    mlc_scf_yield(&inner, NULL, 0);
    return block;
}

// A loop whose iterations are shared inside, where they may be shared out, too: if there are as
// many as the cores take evenly, or many, each runs on one core, which waits for nobody.
static void
make_versions(MlcOp *loop, const MlcTargetDesc *target)
{
    enum { MANY = 4 }; // for each core
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, loop);
    MlcValue *count = target->cores > 1 && is_parallel(loop) ? count_of(&b, loop) : NULL;
    if (!count)
        return;
    MlcValue *cores = mlc_build_index(&b, (int64_t)target->cores);
    MlcValue *many = mlc_build_index(&b, MANY * (int64_t)target->cores);
    MlcValue *rest = mlc_arith_remsi(&b, count, cores);
    MlcValue *is_even =
        mlc_arith_cmpi(&b, rest, mlc_build_index(&b, 0), MLC_ARITH_CMPI_PREDICATE_EQ);
    MlcValue *is_many = mlc_arith_cmpi(&b, count, many, MLC_ARITH_CMPI_PREDICATE_SGE);
    MlcValue *one_each = mlc_arith_ori(&b, is_even, is_many);
    MlcOp *branch = mlc_scf_if(&b, NULL, 0, one_each);
    MlcOp *clone = mlc_op_clone(loop, NULL);
    mlc_builder_before(&b, mlc_block_terminator(open_branch(&b, branch, 0)));
    mlc_builder_insert(&b, clone);
    mlc_op_move_before(loop, mlc_block_terminator(open_branch(&b, branch, 1)));
    MlcOp *loops[] = {clone};
    set_grain(make_parallel(loops, 1), 0, 1);
}

static bool
share_out(MlcOp *outermost, const MlcTargetDesc *target)
{
    MlcOp *loops[MAX_DEPTH] = {outermost};
    if (mlc_most_trips(outermost) == 1 || (target && is_shared_inside(outermost, target)))
        return false;
    if ((target && !is_worth_sharing(outermost, target)) || !is_parallel(outermost))
        return false;
    size_t depth = collect_nest(loops, target, false);
    double cycles = target ? mlc_op_body_cycles(loops[depth - 1], target) : 0;
    int64_t trips = 1;
    bool is_known = true;
    for (size_t i = 0; i < depth; i++) {
        trips = times(trips, trips_of(loops[i]));
        is_known &= has_constant_bounds(loops[i]);
    }
    MlcOp *parallel = make_parallel(loops, depth);
    cut_inside(parallel);
    if (target)
        set_grain(parallel, is_known ? trips : 0,
                  is_known ? grain_of(cycles, target) : grain_of_dynamic(cycles, target));
    return true;
}

// ---- neighbours

// A part of a block that may run beside the other parts: a loop of independent iterations, or ops
// in their order.
typedef struct Piece {
    MlcOpVec ops;
    MLC_VEC(MlcAccesses) accesses; // of each
    bool is_loop;
    double cycles;
} Piece;

// One or more iterations of the loop to be: of a piece that is a loop, or all of a few pieces.
typedef struct Part {
    size_t first, count; // pieces
    MlcOp *loops[MAX_DEPTH];
    size_t depth; // 0: no loop
    int64_t trips;
} Part;

typedef struct Joiner {
    MlcPass *pass;
    const MlcTargetDesc *target;
    MLC_VEC(Piece) pieces;
    MlcMap piece_of; // op -> number of its piece + 1
    MlcOpVec stays;  // between the pieces: ops that write nothing
    MLC_VEC(Part) parts;
} Joiner;

static size_t
piece_number(Joiner *j, MlcOp *op)
{
    return (size_t)(uintptr_t)mlc_map_get(&j->piece_of, op);
}

static void
clear_run(Joiner *j)
{
    for (size_t i = 0; i < j->pieces.size; i++) {
        Piece *piece = &j->pieces.data[i];
        for (size_t k = 0; k < piece->accesses.size; k++)
            mlc_vec_release(&piece->accesses.data[k].list);
        mlc_vec_release(&piece->accesses);
        mlc_vec_release(&piece->ops);
    }
    mlc_vec_clear(&j->pieces);
    mlc_vec_clear(&j->stays);
    mlc_vec_clear(&j->parts);
    mlc_map_clear(&j->piece_of);
}

// The number of the only piece that uses what `op` makes; 0: none, or several.
static size_t
only_user(Joiner *j, MlcOp *op)
{
    size_t number = 0;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        MLC_FOR_EACH_USE (use, mlc_op_result(op, i)) {
            MlcOp *user = mlc_block_find_ancestor(mlc_op_block(op), mlc_use_owner(use));
            size_t other = user ? piece_number(j, user) : 0;
            if (other == 0 || (number && other != number))
                return 0;
            number = other;
        }
    return number;
}

static bool
disjoint_from(Joiner *j, const MlcAccesses *accesses, size_t but)
{
    for (size_t i = 0; i < j->pieces.size; i++)
        for (size_t k = 0; i + 1 != but && k < j->pieces.data[i].accesses.size; k++)
            if (!mlc_accesses_disjoint(accesses, &j->pieces.data[i].accesses.data[k]))
                return false;
    return true;
}

static void
prepend(Joiner *j, size_t number, MlcOp *op)
{
    MlcOpVec *ops = &j->pieces.data[number - 1].ops;
    mlc_op_move_before(op, ops->data[0]);
    mlc_vec_push(ops, op);
    memmove(ops->data + 1, ops->data, (ops->size - 1) * sizeof *ops->data);
    ops->data[0] = op;
    mlc_map_set(&j->piece_of, op, (void *)(uintptr_t)number);
}

// What only one piece uses goes there, last first; false if something that a piece makes is used
// elsewhere.
static bool
take_along(Joiner *j)
{
    for (size_t i = 0; i < j->pieces.size; i++)
        for (size_t k = 0; k < j->pieces.data[i].ops.size; k++) {
            MlcOp *op = j->pieces.data[i].ops.data[k];
            for (size_t r = 0; r < mlc_op_num_results(op); r++)
                if (mlc_value_has_uses(mlc_op_result(op, r)) && only_user(j, op) != i + 1)
                    return false;
        }
    for (size_t i = j->stays.size; i-- > 0;) {
        MlcOp *op = j->stays.data[i];
        size_t number = only_user(j, op);
        MlcAccesses accesses = {.op = op};
        if (number && !j->pieces.data[number - 1].is_loop && !mlc_accesses_collect(&accesses) &&
            disjoint_from(j, &accesses, number))
            prepend(j, number, op);
        mlc_vec_release(&accesses.list);
    }
    return true;
}

// Loops worth it stay loops; what is small joins its neighbour.
static void
plan_parts(Joiner *j)
{
    double cycles = 0;
    for (size_t i = 0; i < j->pieces.size; i++) {
        const Piece *piece = &j->pieces.data[i];
        Part *last = j->parts.size > 0 ? &j->parts.data[j->parts.size - 1] : NULL;
        bool is_small = !piece->is_loop || piece->cycles < chunk_cycles(j->target);
        if (is_small && last && last->depth == 0 && cycles < chunk_cycles(j->target)) {
            last->count++;
            cycles += piece->cycles;
            continue;
        }
        Part part = {.first = i, .count = 1, .trips = 1};
        cycles = piece->cycles;
        if (!is_small) {
            part.loops[0] = piece->ops.data[0];
            part.depth = collect_nest(part.loops, j->target, true);
            for (size_t d = 0; d < part.depth; d++)
                part.trips = times(part.trips, trips_of(part.loops[d]));
        }
        mlc_vec_push(&j->parts, part);
    }
}

static MlcValue *
build_index(MlcBuilder *b, MlcAffineExpr e, MlcValue *number)
{
    return mlc_affine_apply(b, &number, 1, mlc_affine_map_get(b->ctx, 1, 0, &e, 1));
}

// The part's ops at the builder; `number` counts iterations, the part's from `start`.
static void
emit_part(Joiner *j, MlcBuilder *b, const Part *part, MlcValue *number, int64_t start)
{
    MlcOp *anchor = mlc_affine_yield(b, NULL, 0);
    for (size_t i = part->first; part->depth == 0 && i < part->first + part->count; i++)
        for (size_t k = 0; k < j->pieces.data[i].ops.size; k++)
            mlc_op_move_before(j->pieces.data[i].ops.data[k], anchor);
    if (part->depth == 0)
        return;
    MlcAffineExpr rest = mlc_affine_add_const(mlc_affine_dim(b->ctx, 0), -start);
    mlc_builder_before(b, anchor);
    for (size_t d = part->depth; d-- > 0;) { // the last changes fastest
        int64_t lower, upper, step;
        bounds_of(part->loops[d], &lower, &upper, &step);
        MlcAffineExpr trips = mlc_affine_constant(b->ctx, trips_of(part->loops[d]));
        MlcAffineExpr at = d > 0 ? mlc_affine_binary(MLC_AFFINE_MOD, rest, trips) : rest;
        rest = mlc_affine_binary(MLC_AFFINE_FLOORDIV, rest, trips);
        at = mlc_affine_add_const(mlc_affine_mul_const(at, step), lower);
        mlc_value_replace_uses(mlc_block_arg(mlc_region_first(mlc_op_region(part->loops[d], 0)), 0),
                               build_index(b, at, number));
    }
    MlcBlock *body = mlc_region_first(mlc_op_region(part->loops[part->depth - 1], 0));
    mlc_op_erase(mlc_block_terminator(body));
    mlc_block_splice(mlc_op_block(anchor), anchor, body);
    mlc_op_erase(part->loops[0]);
}

// if number < end of the part: the part, else: the parts after it.
static void
emit_parts(Joiner *j, MlcBuilder *b, size_t i, MlcValue *number, int64_t start)
{
    const Part *part = &j->parts.data[i];
    if (i + 1 == j->parts.size) {
        emit_part(j, b, part, number, start);
        return;
    }
    int64_t end = start + part->trips;
    MlcAffineExpr inside =
        mlc_affine_add_const(mlc_affine_mul_const(mlc_affine_dim(b->ctx, 0), -1), end - 1); // >= 0
    MlcIntegerSet set = mlc_integer_set_get(b->ctx, 1, 0, &inside, &(bool){false}, 1);
    MlcOp *branch = mlc_affine_if(b, NULL, 0, &number, 1);
    mlc_op_set_attr(branch, "condition", mlc_integer_set_attr_get(set));
    mlc_affine_yield(b, NULL, 0);
    MlcBuilder inner = *b;
    mlc_builder_create_block(&inner, mlc_op_region(branch, 0), NULL, 0);
    emit_part(j, &inner, part, number, start);
    mlc_builder_create_block(&inner, mlc_op_region(branch, 1), NULL, 0);
    emit_parts(j, &inner, i + 1, number, end);
}

// Makes one loop of the run that ends before `next`, if that is worth it.
static void
join_run(Joiner *j, MlcOp *next)
{
    double cycles = 0;
    for (size_t i = 0; i < j->pieces.size; i++)
        cycles += j->pieces.data[i].cycles;
    if (j->pieces.size > 1 && cycles >= region_cost(j->target) && take_along(j)) {
        plan_parts(j);
        int64_t trips = 0;
        for (size_t i = 0; i < j->parts.size; i++)
            if (__builtin_add_overflow(trips, j->parts.data[i].trips, &trips))
                trips = INT64_MAX;
        if (trips > 1 && trips < INT64_MAX) {
            MlcBuilder b;
            mlc_builder_init(&b, mlc_op_context(next));
            mlc_builder_before(&b, next);
            b.loc = mlc_op_loc(j->pieces.data[0].ops.data[0]);
            Bounds bounds = {
                .bounds = {{mlc_affine_constant(b.ctx, 0)}, {mlc_affine_constant(b.ctx, trips)}},
                .steps = {1},
                .rank = 1};
            MlcOp *parallel = build_parallel(&b, &bounds);
            MlcType index = mlc_index_type_get(b.ctx);
            MlcBlock *body = mlc_builder_create_block(&b, mlc_op_region(parallel, 0), &index, 1);
            emit_parts(j, &b, 0, mlc_block_arg(body, 0), 0);
            cut_inside(parallel);
            set_grain(parallel, trips, grain_of(cycles / (double)trips, j->target));
            mlc_pass_count(j->pass, "loops-joined", (int64_t)j->pieces.size);
        }
    }
    clear_run(j);
}

static bool
uses_pieces(Joiner *j, MlcOp *op, size_t but)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        MLC_FOR_EACH_OPERAND (value, inner) {
            size_t number = mlc_value_def(value) ? piece_number(j, mlc_value_def(value)) : 0;
            if (number && number != but)
                return true;
        }
    return false;
}

// Ops that write nothing and need nothing of a piece stay outside.
static bool
may_stay(Joiner *j, MlcOp *op, const MlcAccesses *accesses)
{
    if (mlc_op_num_regions(op) > 0 || uses_pieces(j, op, 0))
        return false;
    for (size_t i = 0; i < accesses->list.size; i++)
        if (accesses->list.data[i].is_write)
            return false;
    return true;
}

static bool
has_independent_iterations(MlcOp *op, const MlcAccesses *accesses)
{
    int64_t lower, upper, step;
    const MlcLoop *methods = mlc_op_interface(op, MLC_INTERFACE_LOOP);
    return methods && mlc_affine_for_isa(op) && mlc_op_num_results(op) == 0 &&
           methods->constant_bounds(op, 0, &lower, &upper, &step) &&
           !mlc_accesses_conflict(accesses, step);
}

// A loop of which it is known only when it runs how long it is stays by itself, and so do versions
// of one.
static bool
is_open_loop(MlcOp *op)
{
    if (mlc_scf_if_isa(op))
        MLC_FOR_EACH_PREORDER (inner, op)
            if (mlc_affine_parallel_isa(inner))
                return true;
    return mlc_affine_for_isa(op) && !has_constant_bounds(op);
}

static void
add_to_run(Joiner *j, MlcOp *op)
{
    MlcAccesses accesses = {.op = op};
    bool is_known = !mlc_accesses_collect(&accesses) && !is_open_loop(op);
    size_t last = j->pieces.size;
    if (is_known && may_stay(j, op, &accesses)) {
        if (!disjoint_from(j, &accesses, 0))
            join_run(j, op);
        mlc_vec_push(&j->stays, op);
        mlc_vec_release(&accesses.list);
        return;
    }
    bool is_loop = is_known && has_independent_iterations(op, &accesses);
    bool extends = !is_loop && last > 0 && !j->pieces.data[last - 1].is_loop;
    if (!is_known || uses_pieces(j, op, extends ? last : 0) ||
        !disjoint_from(j, &accesses, extends ? last : 0)) {
        join_run(j, op);
        extends = false;
    }
    if (!is_known) {
        mlc_vec_release(&accesses.list);
        return;
    }
    if (!extends)
        mlc_vec_push(&j->pieces, ((Piece){.is_loop = is_loop}));
    Piece *piece = &j->pieces.data[j->pieces.size - 1];
    mlc_vec_push(&piece->ops, op);
    mlc_vec_push(&piece->accesses, accesses);
    piece->cycles += mlc_op_cycles(op, j->target);
    mlc_map_set(&j->piece_of, op, (void *)(uintptr_t)j->pieces.size);
}

static void
join_block(MlcPass *pass, MlcBlock *block, const MlcTargetDesc *target)
{
    Joiner j = {.pass = pass, .target = target};
    MlcOp *terminator = mlc_block_terminator(block);
    for (MlcOp *op = mlc_block_first(block), *next; op && op != terminator; op = next) {
        next = mlc_op_next(op);
        add_to_run(&j, op);
    }
    if (terminator)
        join_run(&j, terminator);
    clear_run(&j);
    mlc_vec_release(&j.pieces);
    mlc_vec_release(&j.stays);
    mlc_vec_release(&j.parts);
    mlc_map_release(&j.piece_of);
}

// The affine loops in `root` that are in no other affine loop there.
static void
add_outermost(MlcOp *root, MlcOpVec *loops)
{
    for (MlcOp *op = mlc_op_preorder_next(root, root), *next; op; op = next) {
        next = mlc_op_preorder_next(op, root);
        if (!mlc_op_interface(op, MLC_INTERFACE_LOOP) || mlc_scf_while_isa(op))
            continue;
        if (mlc_affine_for_isa(op))
            mlc_vec_push(loops, op);
        while (next && mlc_op_is_ancestor(op, next)) // nothing inside is outermost
            next = mlc_op_preorder_next(next, root);
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    const MlcTargetDesc *target =
        mlc_pass_option_bool(pass, "by-cost") ? mlc_pass_target(pass) : NULL;
    MlcOpVec outermost = {0};
    for (size_t i = 0; target && i < mlc_op_num_regions(root); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(root, i)) {
            MLC_FOR_EACH_OP_SAFE (op, block)
                if (is_shared_inside(op, target)) {
                    make_versions(op, target);
                    join_block(pass, mlc_region_first(mlc_op_region(op, 0)), target);
                }
            join_block(pass, block, target);
        }
    add_outermost(root, &outermost);
    int64_t count = 0;
    for (size_t i = 0; i < outermost.size; i++)
        if (share_out(outermost.data[i], target))
            count++;
        else if (target && mlc_op_num_results(outermost.data[i]) == 0 &&
                 mlc_op_cycles(outermost.data[i], target) >= region_cost(target))
            add_outermost(outermost.data[i], &outermost); // what each iteration does, by itself
    mlc_vec_release(&outermost);
    mlc_pass_count(pass, "parallel-loops", count);
    return true;
}

static const MlcPassOption options[] = {
    {"by-cost", MLC_OPTION_BOOL, "false",
     "leave loops that the target's threads would not make faster, and set the grain of others"},
};

static const char *const dialects[] = {"affine", NULL};

MLC_PASS(affine_parallelize, .flag = "affine-parallelize",
         .summary = "Run independent iterations of outermost affine loops in parallel",
         .anchor = "func.func", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .run = run)
