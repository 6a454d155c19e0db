// affine_prefetch.c -- while the rows of a tile pass one panel of a matrix, the next panel is
// fetched.
//
// A panel is a run of memory, [inner, lanes], that the innermost loop reads from end to end and
// that the loop around it reads again for each few rows. Where the whole matrix is bigger than the
// second cache, the first rows wait for memory: it gives fewer bytes a cycle than they want, while
// the other rows ask for none. So each turn of the outer loop asks for its share of the panel that
// follows in memory, spread evenly over the inner loop; where the inner loop reads some rows of a
// panel, for those rows of the next. Which panel is wanted next is not known here; matrices are
// packed in the order in which they are read. What lies behind the last panel is asked for in vain:
// a prefetch never faults. Turns of a number that is not known have shares that the code computes,
// of no more lines than others.
//
// Lines are brought into the first cache (locality 3): on a Zen 4 core with pages of 4 KiB,
// stopping at the second (2) gained nothing. docs/measurements/products.md has the figures.
#include "affine_loops.h"
#include "kernel/kernel_notes.h"
#include "kernel/op_cycles.h"

#include "mlc/pass.h"
#include "mlc/machine.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/memref.h"

enum { MOST_LINES = 2 }; // asked for in one iteration

typedef struct Loop {
    MlcOp *op;
    MlcValue *variable;
    int64_t trips, step; // trips 0: not known
} Loop;

typedef struct Panel {
    MlcOp *load;         // the first one of an iteration
    MlcAffineExpr start; // row of the panel that the inner loop begins with
    MlcValue *buffer;
    size_t rank;
    int64_t strides[8];
    int64_t elements; // that the inner loop reads
    int64_t line;     // elements of a cache line
} Panel;

// An affine.for from 0, whose end is known when it runs; not one of few turns.
static bool
read_open_loop(MlcOp *op, Loop *loop)
{
    if (!mlc_affine_for_isa(op) || mlc_most_trips(op))
        return false;
    MlcAffineMap lower = mlc_affine_for_lower_bound_map(op),
                 upper = mlc_affine_for_upper_bound_map(op);
    MlcAffineExpr zero = mlc_affine_constant(mlc_op_context(op), 0);
    *loop = (Loop){.op = op,
                   .variable = mlc_block_arg(mlc_region_first(mlc_op_region(op, 0)), 0),
                   .step = mlc_affine_for_step_size(op)};
    return mlc_affine_map_num_results(lower) == 1 && mlc_affine_map_result(lower, 0) == zero &&
           mlc_affine_map_num_results(upper) == 1 && loop->step > 0;
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
    loop->variable = mlc_block_arg(mlc_region_first(mlc_op_region(op, 0)), 0);
    loop->trips = mlc_ceil_div(upper, loop->step);
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

// Operand `i` of the load is a loop's variable, and counts rows of panels.
static bool
moves_rows_only(MlcOp *load, size_t i, size_t rank)
{
    MlcAffineMap map = map_of(load);
    for (size_t r = 0; r < rank; r++)
        if (r != rank - 2 && mlc_affine_uses_dim(mlc_affine_map_result(map, r), (unsigned)i - 1))
            return false;
    return !mlc_value_def(mlc_op_operand(load, i));
}

// Whether nothing but the inner loop moves within a panel, and nothing of the outer one moves it.
static bool
walks_a_panel(MlcOp *load, const Loop *inner, const Loop *outer, size_t rank, MlcAffineExpr *start)
{
    MlcAffineMap map = map_of(load);
    int along = dim_of(load, inner->variable);
    if (along < 0 || mlc_affine_map_num_symbols(map) > 0)
        return false;
    MlcContext *ctx = mlc_affine_map_context(map);
    *start = mlc_affine_simplify(
        mlc_affine_sub(mlc_affine_map_result(map, rank - 2), mlc_affine_dim(ctx, (unsigned)along)),
        mlc_affine_map_num_dims(map), 0);
    if (mlc_affine_uses_dim(*start, (unsigned)along) ||
        mlc_affine_map_result(map, rank - 1) != mlc_affine_constant(ctx, 0))
        return false;
    for (size_t i = 0; i + 2 < rank; i++)
        if (mlc_affine_uses_dim(mlc_affine_map_result(map, i), (unsigned)along))
            return false;
    for (size_t i = 1; i < mlc_op_num_operands(load); i++)
        if (mlc_op_operand(load, i) != inner->variable &&
            mlc_value_is_inside(mlc_op_operand(load, i), outer->op) &&
            !moves_rows_only(load, i, rank))
            return false;
    return true;
}

// The loop around `inner` that reads the same again: loops between them go on in the panel.
static bool
read_outer(MlcOp *load, const Loop *inner, Loop *outer)
{
    MlcOp *op = mlc_op_parent(inner->op);
    while (read_loop(op, outer) && dim_of(load, outer->variable) >= 0)
        op = mlc_op_parent(op);
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
        mlc_memref_type_layout(type) || !mlc_type_has_static_shape(type) || bytes == 0 ||
        mlc_type_num_elements(type) * bytes <= (int64_t)target->l2_bytes ||
        load != first_load(mlc_op_block(load), buffer) ||
        !walks_a_panel(load, inner, outer, rank, &panel->start))
        return false;
    int64_t stride = 1;
    for (size_t i = rank; i-- > 0; stride *= mlc_type_dim(type, i))
        panel->strides[i] = stride;
    panel->elements = panel->strides[rank - 2] * inner->trips * inner->step;
    panel->line = (int64_t)target->line_bytes / bytes;
    return inner->trips * inner->step <= mlc_type_dim(type, rank - 2) &&
           elements_read(mlc_op_block(load), buffer) == inner->step * mlc_type_dim(type, rank - 1);
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

// `offset` elements behind where the inner loop would begin in the next panel, in the run.
static MlcAffineExpr
in_next(const Panel *panel, MlcAffineExpr offset)
{
    MlcAffineMap map = map_of(panel->load);
    MlcContext *ctx = mlc_affine_map_context(map);
    MlcAffineExpr at =
        mlc_affine_add(mlc_affine_constant(ctx, panel->strides[panel->rank - 3]), offset);
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

static void
emit(const Panel *panel, const Loop *inner, const Loop *outer, int64_t share, int64_t lines)
{
    MlcAffineMap map = map_of(panel->load);
    MlcContext *ctx = mlc_affine_map_context(map);
    unsigned dims = mlc_affine_map_num_dims(map);
    MlcAffineExpr turn = mlc_affine_binary(MLC_AFFINE_FLOORDIV, mlc_affine_dim(ctx, dims),
                                           mlc_affine_constant(ctx, outer->step));
    int64_t each = (share + inner->trips * inner->step - 1) / (inner->trips * inner->step);
    MlcAffineExpr at = mlc_affine_add(mlc_affine_mul_const(turn, share),
                                      mlc_affine_mul_const(mlc_affine_dim(ctx, dims + 1), each));
    at = in_next(panel, at);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, outer->op);
    MlcValue *flat = build_flat(&b, panel);
    MlcValueVec indices = {0};
    find_indices(panel, &indices);
    mlc_vec_push(&indices, outer->variable);
    mlc_vec_push(&indices, inner->variable);
    mlc_builder_before(&b, mlc_block_first(mlc_op_block(panel->load)));
    for (int64_t i = 0; i < lines; i++) {
        MlcAffineExpr e = mlc_affine_add(at, mlc_affine_constant(ctx, i * panel->line));
        mlc_affine_prefetch(&b, flat, indices.data, indices.size, false, 3, true,
                            mlc_affine_map_get(ctx, dims + 2, 0, &e, 1));
    }
    mlc_vec_release(&indices);
}

// How many elements a turn asks for, where the number of turns is known when they run.
static MlcValue *
build_share(MlcBuilder *b, const Panel *panel, const Loop *inner, const Loop *outer)
{
    MlcValueMap trips;
    if (!mlc_affine_for_trip_map(outer->op, &trips))
        return NULL;
    MlcValue *turns = mlc_affine_apply(b, trips.operands.data, trips.operands.size, trips.map);
    mlc_value_map_release(&trips);
    MlcValue *all = mlc_build_index(b, panel->elements),
             *most = mlc_build_index(b, MOST_LINES * panel->line * inner->trips),
             *some = mlc_arith_maxsi(b, turns, mlc_build_index(b, 1));
    return mlc_arith_minsi(b, mlc_arith_ceildivsi(b, all, some), most);
}

static void
emit_open(const Panel *panel, const Loop *inner, const Loop *outer)
{
    MlcAffineMap map = map_of(panel->load);
    MlcContext *ctx = mlc_affine_map_context(map);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, outer->op);
    MlcValue *share = build_share(&b, panel, inner, outer);
    if (!share)
        return;
    MlcValue *flat = build_flat(&b, panel),
             *steps = mlc_build_index(&b, inner->trips * inner->step),
             *each = mlc_arith_ceildivsi(&b, share, steps);
    MlcAffineExpr turn = mlc_affine_binary(MLC_AFFINE_FLOORDIV, mlc_affine_dim(ctx, 0),
                                           mlc_affine_constant(ctx, outer->step)),
                  start = in_next(panel, mlc_affine_constant(ctx, 0));
    MlcValueVec indices = {0};
    find_indices(panel, &indices);
    mlc_builder_before(&b, mlc_block_first(mlc_op_block(panel->load)));
    MlcValue *at = mlc_affine_apply(
                 &b, indices.data, indices.size,
                 mlc_affine_map_get(ctx, mlc_affine_map_num_dims(map), 0, &start, 1)),
             *number = mlc_affine_apply(&b, (MlcValue *[]){outer->variable}, 1,
                                        mlc_affine_map_get(ctx, 1, 0, &turn, 1));
    at = mlc_arith_addi(&b, at, mlc_arith_muli(&b, number, share));
    at = mlc_arith_addi(&b, at, mlc_arith_muli(&b, inner->variable, each));
    for (int64_t i = 0; i < MOST_LINES; i++) {
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
