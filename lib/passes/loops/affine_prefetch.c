// affine_prefetch.c -- while the rows of a tile pass one panel of a matrix, the next panel is
// fetched.
//
// A panel is a run of memory, [inner, lanes], that the innermost loop reads from end to end and
// that the loop around it reads again for each few rows; of a filter, the runs of its taps one
// after the other. Where the whole matrix does not stay in the second cache, the first rows wait
// for memory: it gives fewer bytes a cycle than they want, while the other rows ask for none. So
// each turn of the outer loop (the last loops of an affine.parallel, where iterations are shared
// out) asks for its share of the panel that follows in memory, spread evenly over the inner loop;
// where the inner loop reads some rows of a panel, for those rows of the next. Which
// panel is wanted next is not known here; matrices are packed in the order in which they are read.
// What lies behind the last panel is asked for in vain: a prefetch never faults. Turns of a number
// that is not known have shares that the code computes, of no more lines than others. A single turn
// asks for nothing new, since it waits for memory all the time: the lines it asks for are its own.
// Where a loop goes on with what another began, the first one asks for all.
//
// Lines are brought into the first cache (locality 3): on a Zen 4 core with pages of 4 KiB,
// stopping at the second (2) gained nothing. docs/measurements/products.md has the figures.
#include "affine_loops.h"
#include "kernel/kernel_notes.h"
#include "kernel/op_cycles.h"

#include "mlc/analysis/alias.h"
#include "mlc/pass.h"
#include "mlc/machine.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/memref.h"

enum { MOST_LINES = 2 }; // asked for in one iteration

// affine.for, or the last loops of an affine.parallel, taken as one: those before them are `rest`.
typedef struct Loop {
    MlcOp *op;
    MlcValue *variable;  // of an affine.for
    int64_t trips, step; // trips 0: not known
    size_t rest, num_loops;
} Loop;

typedef struct Panel {
    MlcOp *load;         // the first one of an iteration
    MlcAffineExpr start; // row of the panel that the inner loop begins with
    MlcValue *buffer;
    size_t rank, panel; // the dimension that counts panels; the one before the last counts rows
    int64_t strides[8];
    int64_t elements; // that the inner loop reads
    int64_t line;     // elements of a cache line
} Panel;

// An affine.for whose end is known when it runs.
static bool
read_open_loop(MlcOp *op, Loop *loop)
{
    if (!mlc_affine_for_isa(op))
        return false;
    MlcAffineMap lower = mlc_affine_for_lower_bound_map(op),
                 upper = mlc_affine_for_upper_bound_map(op);
    if (mlc_affine_map_num_results(lower) != 1 || mlc_affine_map_num_results(upper) != 1 ||
        mlc_affine_kind(mlc_affine_map_result(upper, 0)) == MLC_AFFINE_CONSTANT)
        return false;
    *loop = (Loop){.op = op,
                   .variable = mlc_block_arg(mlc_region_first(mlc_op_region(op, 0)), 0),
                   .step = mlc_affine_for_step_size(op)};
    return loop->step > 0;
}

// An affine.for from 0, of constant bounds.
static bool
read_loop(MlcOp *op, Loop *loop)
{
    const MlcLoop *methods =
        mlc_affine_for_isa(op) ? mlc_op_interface(op, MLC_INTERFACE_LOOP) : NULL;
    int64_t lower, upper;
    if (!methods || !methods->constant_bounds ||
        !methods->constant_bounds(op, 0, &lower, &upper, &loop->step) || lower != 0 || upper <= 0)
        return false;
    loop->op = op;
    loop->num_loops = 0;
    loop->variable = mlc_block_arg(mlc_region_first(mlc_op_region(op, 0)), 0);
    loop->trips = (upper - 1) / loop->step + 1;
    return true;
}

static MlcAffineMap
map_of(MlcOp *load)
{
    return mlc_affine_map_attr_value(mlc_op_attr(load, "map"));
}

// The place of `variable` among the dimensions of a load's map; -1 if it is none of them.
static int
dim_of(MlcOp *load, const MlcValue *variable)
{
    for (size_t i = 1; i < mlc_op_num_operands(load); i++)
        if (mlc_op_operand(load, i) == variable)
            return (int)i - 1;
    return -1;
}

static MlcOp *
first_load(MlcBlock *body, const MlcValue *buffer)
{
    MLC_FOR_EACH_OP (op, body)
        if (mlc_affine_vector_load_isa(op) && mlc_op_operand(op, 0) == buffer)
            return op;
    return NULL;
}

// Elements of `buffer` that one iteration reads as vectors.
static int64_t
elements_read(MlcBlock *body, const MlcValue *buffer)
{
    int64_t sum = 0;
    MLC_FOR_EACH_OP (op, body)
        if (mlc_affine_vector_load_isa(op) && mlc_op_operand(op, 0) == buffer)
            sum += mlc_type_num_elements(mlc_value_type(mlc_op_result(op, 0)));
    return sum;
}

static MlcBlock *
body_of(const MlcOp *op)
{
    return mlc_region_first(mlc_op_region(op, 0));
}

// A variable of the affine.parallel whose last loops are the turns.
static bool
is_around_turns(MlcValue *value, const Loop *outer)
{
    return outer->num_loops > 0 && !mlc_value_def(value) &&
           mlc_value_block(value) == body_of(outer->op) && mlc_value_index(value) < outer->rest;
}

// Operand `i` of the load is moved by loops inside of a turn.
static bool
moves_in_turn(MlcOp *load, size_t i, const Loop *outer)
{
    MlcValue *value = mlc_op_operand(load, i);
    return mlc_value_is_inside(value, outer->op) && !is_around_turns(value, outer);
}

static bool
result_moves_in_turn(MlcOp *load, size_t result, const Loop *outer)
{
    for (size_t i = 1; i < mlc_op_num_operands(load); i++)
        if (moves_in_turn(load, i, outer) &&
            mlc_affine_uses_dim(mlc_affine_map_result(map_of(load), result), (unsigned)i - 1))
            return true;
    return false;
}

// Whether a turn of the outer loop reads one panel, rows of the inner loop's at a time: what moves
// in a turn are loops, along dimensions behind that of panels (taps of a filter, rows).
static bool
walks_a_panel(MlcOp *load, const Loop *inner, const Loop *outer, Panel *panel)
{
    MlcAffineMap map = map_of(load);
    size_t rank = panel->rank, row = rank - 2, first = row;
    int along = dim_of(load, inner->variable);
    if (along < 0 || mlc_affine_map_num_symbols(map) > 0)
        return false;
    MlcContext *ctx = mlc_affine_map_context(map);
    panel->start = mlc_affine_simplify(
        mlc_affine_sub(mlc_affine_map_result(map, row), mlc_affine_dim(ctx, (unsigned)along)),
        mlc_affine_map_num_dims(map), 0);
    if (mlc_affine_uses_dim(panel->start, (unsigned)along) ||
        mlc_affine_map_result(map, rank - 1) != mlc_affine_constant(ctx, 0))
        return false;
    while (first > 0 && result_moves_in_turn(load, first - 1, outer))
        first--;
    if (first == 0)
        return false;
    panel->panel = first - 1;
    for (size_t i = 0; i < row; i++)
        if (mlc_affine_uses_dim(mlc_affine_map_result(map, i), (unsigned)along) ||
            (i < first && result_moves_in_turn(load, i, outer)))
            return false;
    for (size_t i = 1; i < mlc_op_num_operands(load); i++)
        if (moves_in_turn(load, i, outer) && mlc_value_def(mlc_op_operand(load, i)))
            return false;
    return true;
}

// The last loops of an affine.parallel that the load does not move with.
static bool
read_last_loops(MlcOp *op, MlcOp *load, Loop *loop)
{
    size_t n = mlc_block_num_args(body_of(op)), first = n;
    const MlcLoop *methods = mlc_op_interface(op, MLC_INTERFACE_LOOP);
    *loop = (Loop){.op = op, .trips = 1, .step = 1};
    while (first > 0 && dim_of(load, mlc_block_arg(body_of(op), first - 1)) < 0) {
        int64_t lower, upper, step;
        if (!methods || !methods->constant_bounds ||
            !methods->constant_bounds(op, --first, &lower, &upper, &step) || lower != 0 ||
            upper <= 0)
            return false;
        loop->trips *= mlc_ceil_div(upper, step);
    }
    loop->rest = first;
    loop->num_loops = n - first;
    return loop->trips > 1;
}

// The loop around `inner` that reads the same again: loops between them go on in the panel.
static bool
read_outer(MlcOp *load, const Loop *inner, Loop *outer)
{
    MlcOp *op = mlc_op_parent(inner->op);
    while (read_loop(op, outer) && dim_of(load, outer->variable) >= 0)
        op = mlc_op_parent(op);
    if (mlc_affine_parallel_isa(op))
        return read_last_loops(op, load, outer);
    return read_loop(op, outer) ? outer->trips > 1 : read_open_loop(op, outer);
}

static bool
read_panel(MlcOp *load, const Loop *inner, const Loop *outer, const MlcTargetDesc *target,
           Panel *panel)
{
    MlcValue *buffer = mlc_op_operand(load, 0);
    MlcType type = mlc_value_type(buffer);
    *panel = (Panel){.load = load, .buffer = buffer, .rank = mlc_type_rank(type)};
    int64_t bytes = mlc_type_bit_width(mlc_type_element(type)) / 8;
    size_t rank = panel->rank;
    if (rank < 3 || rank > sizeof panel->strides / sizeof *panel->strides ||
        mlc_value_is_inside(buffer, outer->op) || mlc_memref_type_layout(type) ||
        !mlc_type_has_static_shape(type) || bytes == 0 ||
        mlc_buffer_bytes(type) <= mlc_target_resident_bytes(target) ||
        mlc_buffer_bytes(type) == MLC_MOST_BYTES ||
        inner->trips > mlc_type_dim(type, rank - 2) / inner->step ||
        load != first_load(mlc_op_block(load), buffer) || !walks_a_panel(load, inner, outer, panel))
        return false;
    int64_t stride = 1;
    for (size_t i = rank; i-- > 0; stride *= mlc_type_dim(type, i))
        panel->strides[i] = stride;
    panel->elements = panel->strides[rank - 2] * inner->trips * inner->step;
    panel->line = (int64_t)target->line_bytes / bytes;
    return elements_read(mlc_op_block(load), buffer) == inner->step * mlc_type_dim(type, rank - 1);
}

// The buffer as one run of elements, made where the buffer is.
static MlcValue *
build_flat(MlcBuilder *b, const Panel *panel)
{
    MlcType type = mlc_value_type(panel->buffer);
    int64_t size = mlc_type_num_elements(type);
    MlcType flat = mlc_memref_type_get(mlc_type_element(type), &size, 1, NULL,
                                       mlc_memref_type_memory_space(type));
    MlcGroups groups = {0};
    mlc_groups_push(&groups, panel->rank);
    return mlc_memref_collapse_shape(b, flat, panel->buffer, mlc_groups_attr(b->ctx, &groups));
}

// `offset` elements behind where the inner loop begins in the panel, in the run.
static MlcAffineExpr
in_panel(const Panel *panel, MlcAffineExpr offset)
{
    MlcAffineMap map = map_of(panel->load);
    MlcAffineExpr at = offset;
    at = mlc_affine_add(at, mlc_affine_mul_const(panel->start, panel->strides[panel->rank - 2]));
    for (size_t i = 0; i + 2 < panel->rank; i++)
        at = mlc_affine_add(at,
                            mlc_affine_mul_const(mlc_affine_map_result(map, i), panel->strides[i]));
    return at;
}

static void
find_indices(const Panel *panel, MlcValueVec *indices)
{
    for (size_t i = 1; i < mlc_op_num_operands(panel->load); i++)
        mlc_vec_push(indices, mlc_op_operand(panel->load, i));
}

// The number of the turn; its variables are added to `indices`, as dimensions from `dims` on.
static MlcAffineExpr
number_of_turn(MlcContext *ctx, const Loop *outer, unsigned dims, MlcValueVec *indices)
{
    if (outer->num_loops == 0) {
        mlc_vec_push(indices, outer->variable);
        return mlc_affine_binary(MLC_AFFINE_FLOORDIV, mlc_affine_dim(ctx, dims),
                                 mlc_affine_constant(ctx, outer->step));
    }
    const MlcLoop *methods = mlc_op_interface(outer->op, MLC_INTERFACE_LOOP);
    MlcAffineExpr number = mlc_affine_constant(ctx, 0);
    for (size_t i = 0; i < outer->num_loops; i++) {
        int64_t lower, upper, step;
        if (!methods->constant_bounds(outer->op, outer->rest + i, &lower, &upper, &step))
            mlc_bug("bounds that were constant");
        MlcAffineExpr at =
            mlc_affine_binary(MLC_AFFINE_FLOORDIV, mlc_affine_dim(ctx, dims + (unsigned)i),
                              mlc_affine_constant(ctx, step));
        number =
            mlc_affine_add(mlc_affine_mul_const(number, mlc_ceil_div(upper - lower, step)), at);
        mlc_vec_push(indices, mlc_block_arg(body_of(outer->op), outer->rest + i));
    }
    return number;
}

static void
emit(const Panel *panel, const Loop *inner, const Loop *outer, int64_t share, int64_t lines)
{
    MlcAffineMap map = map_of(panel->load);
    MlcContext *ctx = mlc_affine_map_context(map);
    MlcValueVec indices = {0};
    find_indices(panel, &indices);
    MlcAffineExpr turn = number_of_turn(ctx, outer, mlc_affine_map_num_dims(map), &indices);
    unsigned dims = (unsigned)indices.size;
    mlc_vec_push(&indices, inner->variable);
    int64_t each = (share + inner->trips * inner->step - 1) / (inner->trips * inner->step);
    MlcAffineExpr at = mlc_affine_add(mlc_affine_mul_const(turn, share),
                                      mlc_affine_mul_const(mlc_affine_dim(ctx, dims), each));
    at = in_panel(panel, mlc_affine_add_const(at, panel->strides[panel->panel]));
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, outer->num_loops ? mlc_block_first(body_of(outer->op)) : outer->op);
    MlcValue *flat = build_flat(&b, panel);
    mlc_builder_before(&b, mlc_block_first(mlc_op_block(panel->load)));
    for (int64_t i = 0; i < lines; i++) {
        MlcAffineExpr e = mlc_affine_add(at, mlc_affine_constant(ctx, i * panel->line));
        mlc_affine_prefetch(&b, flat, indices.data, indices.size, false, 3, true,
                            mlc_affine_map_get(ctx, dims + 1, 0, &e, 1));
    }
    mlc_vec_release(&indices);
}

static MlcValue *
build_bound(MlcBuilder *b, MlcOp *loop, bool is_upper)
{
    MlcValueMap bound = mlc_affine_for_bound(loop, is_upper);
    MlcValue *value = mlc_value_map_build(b, &bound);
    mlc_value_map_release(&bound);
    return value;
}

// Whether `next` begins where `loop` ends, at a place that is known before both.
static bool
goes_on(MlcOp *loop, MlcOp *next)
{
    MlcValueMap end = mlc_affine_for_bound(loop, true), begin = mlc_affine_for_bound(next, false);
    bool goes_on = end.map == begin.map && end.operands.size == begin.operands.size;
    for (size_t i = 0; goes_on && i < end.operands.size; i++)
        goes_on = end.operands.data[i] == begin.operands.data[i];
    MLC_FOR_EACH_OPERAND (value, next) {
        MlcOp *def = mlc_value_def(value);
        goes_on &= !def || mlc_op_block(def) != mlc_op_block(loop) || mlc_op_is_before(def, loop);
    }
    mlc_value_map_release(&end);
    mlc_value_map_release(&begin);
    return goes_on;
}

// The last of the loops of which each begins where the one before it ends.
static MlcOp *
last_that_goes_on(MlcOp *loop)
{
    for (MlcOp *op = mlc_op_next(loop); op; op = mlc_op_next(op))
        if (mlc_affine_for_isa(op) && goes_on(loop, op))
            loop = op;
    return loop;
}

static bool
has_operand_inside(MlcOp *op, MlcOp *around)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (mlc_value_is_inside(value, around))
            return true;
    return false;
}

// The outermost op around both loops before which their bounds are known.
static MlcOp *
where_bounds_are_known(MlcOp *loop, MlcOp *last)
{
    MlcOp *place = loop;
    for (MlcOp *around = mlc_op_parent(loop);
         !mlc_op_interface(around, MLC_INTERFACE_FUNCTION) && !has_operand_inside(loop, around) &&
         !has_operand_inside(last, around);
         around = mlc_op_parent(around))
        place = around;
    return place;
}

// How many elements a turn asks for. Of few turns there is a known number, or one that goes on.
static MlcValue *
build_share(MlcBuilder *b, const Panel *panel, const Loop *inner, MlcOp *outer, int64_t lines)
{
    MlcValueMap trips;
    int64_t limit = lines * panel->line * inner->trips, few = mlc_most_trips(outer);
    if (few > 0) {
        int64_t share = mlc_ceil_div(panel->elements, few);
        return mlc_build_index(b, share < limit ? share : limit);
    }
    if (!mlc_affine_for_trip_map(outer, &trips))
        return NULL;
    MlcValue *turns = mlc_affine_apply(b, trips.operands.data, trips.operands.size, trips.map);
    mlc_value_map_release(&trips);
    MlcValue *all = mlc_build_index(b, panel->elements), *most = mlc_build_index(b, limit),
             *some = mlc_arith_maxsi(b, turns, mlc_build_index(b, 1));
    return mlc_arith_minsi(b, mlc_arith_ceildivsi(b, all, some), most);
}

// How far away the panel is that is asked for: the next one, or none but this one. If there is one
// turn in all, it waits for memory all the time. A loop that does not begin at 0 goes on with what
// another one began, which has asked for all.
static MlcValue *
build_distance(MlcBuilder *b, const Panel *panel, const Loop *outer, MlcOp *last, MlcValue *begin)
{
    MlcValue *zero = mlc_build_index(b, 0), *step = mlc_build_index(b, outer->step),
             *end = build_bound(b, last, true);
    MlcValue *is_first = mlc_arith_cmpi(b, begin, zero, MLC_ARITH_CMPI_PREDICATE_EQ),
             *is_again = mlc_arith_cmpi(b, end, step, MLC_ARITH_CMPI_PREDICATE_SGT);
    return mlc_build_select(b, mlc_arith_andi(b, is_first, is_again),
                            mlc_build_index(b, panel->strides[panel->panel]), zero);
}

// Lines that one iteration of two turns asks for.
static int64_t
lines_of_iteration(const Panel *panel, const Loop *inner)
{
    int64_t lines = mlc_ceil_div(panel->strides[panel->rank - 2] * inner->step, 2 * panel->line);
    return lines < MOST_LINES ? lines : MOST_LINES;
}

static void
emit_open(const Panel *panel, const Loop *inner, const Loop *outer)
{
    MlcAffineMap map = map_of(panel->load);
    MlcContext *ctx = mlc_affine_map_context(map);
    int64_t lines = lines_of_iteration(panel, inner);
    MlcOp *last = last_that_goes_on(outer->op);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, where_bounds_are_known(outer->op, last));
    MlcValue *share = build_share(&b, panel, inner, outer->op, lines);
    if (!share)
        return;
    MlcValue *begin = build_bound(&b, outer->op, false),
             *distance = build_distance(&b, panel, outer, last, begin),
             *steps = mlc_build_index(&b, inner->trips * inner->step),
             *each = mlc_arith_ceildivsi(&b, share, steps);
    mlc_builder_before(&b, outer->op);
    MlcValue *flat = build_flat(&b, panel);
    MlcAffineExpr from = mlc_affine_sub(mlc_affine_dim(ctx, 0), mlc_affine_dim(ctx, 1)),
                  turn = mlc_affine_binary(MLC_AFFINE_FLOORDIV, from,
                                           mlc_affine_constant(ctx, outer->step)),
                  start = in_panel(panel, mlc_affine_constant(ctx, 0));
    MlcValueVec indices = {0};
    find_indices(panel, &indices);
    mlc_builder_before(&b, mlc_block_first(mlc_op_block(panel->load)));
    MlcValue *at = mlc_affine_apply(
                 &b, indices.data, indices.size,
                 mlc_affine_map_get(ctx, mlc_affine_map_num_dims(map), 0, &start, 1)),
             *number = mlc_affine_apply(&b, (MlcValue *[]){outer->variable, begin}, 2,
                                        mlc_affine_map_get(ctx, 2, 0, &turn, 1));
    at = mlc_arith_addi(&b, at, distance);
    at = mlc_arith_addi(&b, at, mlc_arith_muli(&b, number, share));
    at = mlc_arith_addi(&b, at, mlc_arith_muli(&b, inner->variable, each));
    for (int64_t i = 0; i < lines; i++) {
        MlcValue *line = mlc_arith_addi(&b, at, mlc_build_index(&b, i * panel->line));
        mlc_memref_prefetch(&b, flat, &line, 1, false, 3, true);
    }
    mlc_vec_release(&indices);
}

static void
try_loop(MlcPass *pass, MlcOp *op)
{
    Loop inner, outer;
    if (!read_loop(op, &inner))
        return;
    MLC_FOR_EACH_OP (load, mlc_region_first(mlc_op_region(op, 0))) {
        Panel panel;
        if (!mlc_affine_vector_load_isa(load) || !read_outer(load, &inner, &outer) ||
            !read_panel(load, &inner, &outer, mlc_pass_target(pass), &panel))
            continue;
        if (outer.trips == 0) {
            emit_open(&panel, &inner, &outer);
            mlc_pass_count(pass, "panels", 1);
            continue;
        }
        int64_t share = mlc_ceil_div(panel.elements, outer.trips);
        int64_t per_iteration = mlc_ceil_div(share, inner.trips);
        int64_t lines = mlc_ceil_div(per_iteration, panel.line);
        if (lines > MOST_LINES)
            mlc_kernel_remark(load,
                              "its next panel is not fetched: there are too few rows to do it in");
        else
            emit(&panel, &inner, &outer, share, lines);
        mlc_pass_count(pass, "panels", lines <= MOST_LINES);
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec loops = {0};
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_affine_for_isa(op))
            mlc_vec_push(&loops, op);
    for (size_t i = 0; i < loops.size; i++)
        try_loop(pass, loops.data[i]);
    mlc_vec_release(&loops);
    return true;
}

static const char *const dialects[] = {"affine", "arith", "memref", NULL};

MLC_PASS(affine_prefetch, .flag = "affine-prefetch",
         .summary = "Fetch the next panel of a matrix while rows pass the present one",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
