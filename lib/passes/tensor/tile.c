// tile.c -- cut structured ops on tensors into tiles, producers fused into the tiles of their
// consumer.
//
// The last structured op of a chain is the root. Its loops become scf.for over windows of the
// result, carried through the loops as a tensor; the op itself is cloned onto windows of its
// operands. A producer whose uses are all within the group, and which each consumer reads point by
// point, is computed inside the tile instead of before it. Where a tile size does not divide, the
// rest is a second, smaller tile after the loop: every tile has a static shape. What a loop of
// dynamic size leaves is done by ever smaller tiles, each size in a loop of its own; along the
// vectors by tiles of one vector that know how many of its lanes there are. Only maps, iterators
// and shapes are asked, so this works for any structured op, one from a loaded dialect too. Sizes
// come from the option, or from the target description (schedule.c). Few rows of a product of
// dynamic size are one wide tile, and all other numbers of rows are behind a condition.
//
// With `rows`, whole rows are tiles: a chain whose every op computes a row of its result from the
// same row of what it reads (a softmax, a norm, attention: rows are all loops but that of the
// result's last dimension) becomes a loop over blocks of rows, so that what is between stays in the
// cache. The ops in that loop are still to be tiled.
//
// A padded tensor that the group reads through windows is not made if its reader can be clipped
// (pads.h): each part of its points that has the same taps inside has tiles of its own, which read
// those.
#include "tile.h"
#include "kernel/kernel_notes.h"
#include "loop_sizes.h"
#include "pads.h"
#include "schedule.h"

#include "mlc/ir.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

typedef struct Made { // a producer already computed in the current tile
    MlcOp *op;
    MlcWindow window;
    MlcValue *value;
} Made;

// What is known of an op of the group.
typedef struct Member {
    bool is_repeated;                      // tiles that read the same of it each compute it
    MlcAffineExpr extents[MLC_SMALL_RANK]; // of its loops of dynamic size
    // In a group of rows:
    bool is_tiled;           // tiles read tiles of it all the way to the root: it needs no rows
    int row[MLC_SMALL_RANK]; // 1 + the root's loop that each of its loops is; 0: none of a row's
} Member;

enum { MOST_ROWS = 8 }; // of a tile behind full ones

// Of a loop over rows: ends[k] is where tiles of `k` rows end, ends[MOST_ROWS + 1] where full ones
// do.
typedef struct Rest {
    MlcAffineExpr ends[MOST_ROWS + 2];
} Rest;

typedef struct Tiler {
    MlcPass *pass;
    MlcContext *ctx;
    MlcBuilder b;
    MlcIndexValues indices;
    MlcOp *root;
    MlcMap group; // op computed inside the tile, root included -> Member
    MlcSchedule schedule;
    MlcClip clip;                  // of an op of the group, if clip.pad
    int clip_loop[MLC_SMALL_RANK]; // the reader's loop that each of the root's is; -1: none
    int64_t part[MLC_SMALL_RANK];  // where the current part of each of the reader's loops begins
    MlcWindow loops;               // of the root: where the current tile is in its iteration space
    MlcAffineExpr extents[MLC_SMALL_RANK]; // of its loops of dynamic size
    Rest rests[MLC_SMALL_RANK];            // of those with MLC_REST_ROWS
    MLC_VEC(Made) made;
} Tiler;

static MlcValue *tile_op(Tiler *t, MlcOp *op, const MlcWindow *loops, MlcValue *dest);

static bool
window_equal(const MlcWindow *a, const MlcWindow *b)
{
    for (size_t i = 0; i < a->rank; i++)
        if (a->offsets[i] != b->offsets[i] || a->sizes[i] != b->sizes[i] ||
            (a->sizes[i] == MLC_DYNAMIC && a->extents[i] != b->extents[i]))
            return false;
    return a->rank == b->rank;
}

static Member *
member(Tiler *t, MlcOp *op)
{
    return mlc_map_get(&t->group, op);
}

// The iterations of `op` that compute the window `w` of its result.
static void
loops_of_window(Tiler *t, MlcOp *op, const MlcWindow *w, MlcWindow *loops)
{
    MlcAffineMap map = mlc_structured_map(op, mlc_structured_num_inputs(op));
    loops->rank = mlc_structured_num_loops(op);
    mlc_structured_loop_sizes(op, loops->sizes);
    memcpy(loops->extents, member(t, op)->extents, sizeof loops->extents);
    for (size_t i = 0; i < loops->rank; i++)
        loops->offsets[i] = mlc_affine_constant(mlc_op_context(op), 0);
    for (size_t i = 0; i < w->rank; i++) {
        int dim = mlc_map_result_dim(map, i);
        loops->offsets[dim] = w->offsets[i];
        loops->sizes[dim] = w->sizes[i];
        loops->extents[dim] = w->extents[i];
    }
}

static MlcType
window_type(MlcType type, const MlcWindow *w)
{
    return mlc_tensor_type_get(mlc_type_element(type), w->sizes, w->rank, NULL);
}

static MlcValue *
tile_producer(Tiler *t, MlcOp *op, const MlcWindow *w)
{
    for (size_t i = 0; i < t->made.size; i++)
        if (t->made.data[i].op == op && window_equal(&t->made.data[i].window, w))
            return t->made.data[i].value;
    MlcWindow loops;
    loops_of_window(t, op, w, &loops);
    Made made = {.op = op, .window = *w, .value = tile_op(t, op, &loops, NULL)};
    mlc_vec_push(&t->made, made);
    return made.value;
}

static MlcValue *
tile_operand(Tiler *t, MlcValue *value, MlcAffineMap map, const MlcWindow *loops)
{
    MlcOp *def = mlc_value_def(value);
    if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_TENSOR))
        return value;
    MlcWindow w;
    mlc_window_of_operand(map, loops, &w);
    if (def && mlc_map_has(&t->group, def))
        return tile_producer(t, def, &w);
    if (def && def == t->clip.pad) {
        value = mlc_op_operand(def, 0);
        mlc_clip_to_source(&t->clip, &w);
    }
    MlcType type = mlc_value_type(value);
    if (mlc_window_is_whole(&w, type))
        return value;
    if (mlc_tensor_empty_isa(mlc_value_def(value)))
        return mlc_window_empty(&t->b, &t->indices, &w, mlc_type_element(type));
    return mlc_window_extract(&t->b, &t->indices, value, &w, window_type(type, &w));
}

// linalg.index counts from the tile's start: adds the offset, a value from before the tile.
static void
shift_indices(Tiler *t, MlcOp *tiled, MlcValue *const *offsets)
{
    MlcBlock *body = mlc_structured_body(tiled);
    MLC_FOR_EACH_OP_SAFE (op, body) {
        MlcAttr dim = mlc_op_attr(op, "dim");
        if (mlc_op_num_operands(op) != 0 || !dim || !mlc_structured_uses_index(tiled))
            continue;
        MlcBuilder b;
        mlc_builder_init(&b, t->ctx);
        mlc_builder_after(&b, op);
        MlcValue *index = mlc_op_result(op, 0);
        MlcValue *sum = mlc_arith_addi(&b, index, offsets[mlc_attr_as_int(dim)]);
        mlc_value_replace_uses(index, sum);
        mlc_op_set_operand(mlc_value_def(sum), 0, index);
    }
}

// Clones `op` onto the iterations `loops`; `dest` is the window it writes, NULL: made from its own
// operand.
static MlcValue *
tile_op(Tiler *t, MlcOp *op, const MlcWindow *loops, MlcValue *dest)
{
    size_t num_operands = mlc_op_num_operands(op), num_inputs = mlc_structured_num_inputs(op);
    MlcValue *operands[MLC_SMALL_RANK * 2] = {0};
    MlcWindow clipped;
    if (t->clip.pad && op == t->clip.reader) {
        clipped = *loops;
        mlc_clip_taps(&t->clip, t->part, &clipped);
        loops = &clipped;
    }
    for (size_t i = 0; i < num_operands; i++)
        operands[i] = i == num_inputs && dest ? dest
                                              : tile_operand(t, mlc_op_operand(op, i),
                                                             mlc_structured_map(op, i), loops);
    MlcValue *offsets[MLC_SMALL_RANK];
    bool uses_index = mlc_structured_uses_index(op);
    for (size_t i = 0; uses_index && i < loops->rank; i++)
        offsets[i] = mlc_index_values_at(&t->indices, &t->b, loops->offsets[i]);
    MlcOp *tiled = mlc_op_clone(op, NULL);
    mlc_builder_insert(&t->b, tiled);
    for (size_t i = 0; i < num_operands; i++)
        mlc_op_set_operand(tiled, i, operands[i]);
    mlc_value_set_type(mlc_op_result(tiled, 0), mlc_value_type(operands[num_inputs]));
    if (uses_index)
        shift_indices(t, tiled, offsets);
    return mlc_op_result(tiled, 0);
}

// One tile at t->loops; returns `dest` with the tile in its place.
static MlcValue *
emit_tile(Tiler *t, MlcValue *dest)
{
    size_t out = mlc_structured_num_inputs(t->root);
    MlcAffineMap map = mlc_structured_map(t->root, out);
    MlcWindow w;
    mlc_window_of_operand(map, &t->loops, &w);
    mlc_vec_clear(&t->made);
    MlcOp *init = mlc_value_def(mlc_op_operand(t->root, out));
    MlcValue *window;
    if (init && mlc_map_has(&t->group, init))
        window = tile_producer(t, init, &w);
    else
        window =
            mlc_window_extract(&t->b, &t->indices, dest, &w, window_type(mlc_value_type(dest), &w));
    MlcValue *tile = tile_op(t, t->root, &t->loops, window);
    return mlc_window_insert(&t->b, &t->indices, tile, dest, &w);
}

static MlcValue *emit_loops(Tiler *t, size_t level, MlcValue *dest);

// The tiles at iterations [begin, end) of the root's loop `d`, one by one or in a loop: all of
// `size`.
static MlcValue *
emit_range(Tiler *t, size_t level, int64_t begin, int64_t end, int64_t size, MlcValue *dest)
{
    unsigned d = t->schedule.order[level];
    t->loops.sizes[d] = size;
    if (begin >= end)
        return dest;
    if (begin + size >= end) { // one iteration
        t->loops.offsets[d] = mlc_affine_constant(t->ctx, begin);
        return emit_loops(t, level + 1, dest);
    }
    MlcBuilder outside = t->b;
    MlcOp *loop = mlc_build_for(&t->b, begin, end, size, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    t->loops.offsets[d] = mlc_index_values_expr(&t->indices, t->ctx, mlc_block_arg(body, 0));
    MlcValue *inner = emit_loops(t, level + 1, mlc_block_arg(body, 1));
    mlc_scf_yield(&t->b, &inner, 1);
    t->b = outside;
    t->indices.block = NULL;
    return mlc_op_result(loop, 0);
}

// Tiles of `size` at iterations [begin, end), and the rest that does not divide. A small rest and
// the last tile are made halves.
static MlcValue *
emit_tiles(Tiler *t, size_t level, int64_t begin, int64_t end, int64_t size, MlcValue *dest)
{
    int64_t rest = size > 0 ? (end - begin) % size : 0, main = end - rest;
    if (rest == 0 || rest >= t->schedule.least[t->schedule.order[level]] || main == begin) {
        dest = emit_range(t, level, begin, main, size, dest);
        return emit_range(t, level, main, end, rest, dest);
    }
    main -= size;
    int64_t half = mlc_ceil_div(size + rest, 2), last = main + (size + rest) / half * half;
    dest = emit_range(t, level, begin, main, size, dest);
    dest = emit_range(t, level, main, last, half, dest);
    return emit_range(t, level, last, end, end - last, dest);
}

// ---- loops of dynamic size

// The loop along the last dimension of the result; -1: there is none.
static int
last_loop(MlcOp *op)
{
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    size_t rank = mlc_affine_map_num_results(out);
    return rank ? mlc_map_result_dim(out, rank - 1) : -1;
}

static bool
group_reads_vectors(Tiler *t)
{
    MLC_MAP_FOR_EACH (entry, &t->group)
        if (!mlc_structured_reads_vectors(mlc_map_entry_key(entry)))
            return false;
    return true;
}

// Vectors of the op with the fewest elements.
static int64_t
shortest_vector(Tiler *t)
{
    const MlcTargetDesc *target = mlc_pass_target(t->pass);
    int64_t shortest = mlc_vector_length(t->root, target);
    MLC_MAP_FOR_EACH (entry, &t->group) {
        int64_t length = mlc_vector_length(mlc_map_entry_key(entry), target);
        shortest = length < shortest ? length : shortest;
    }
    return shortest;
}

// What is between is in terms of index values of the loops around, so that expressions stay short.
static MlcAffineExpr
as_value(Tiler *t, MlcAffineExpr e)
{
    MlcValue *value = mlc_index_values_at(&t->indices, &t->b, e);
    return mlc_index_values_expr(&t->indices, t->ctx, value);
}

// Tiles of `size` at iterations from `begin` to `end`, which lie a multiple of it apart; or of as
// many as are left (`is_partial`). There are at most `most`; 0: that is not known.
typedef struct Range {
    MlcAffineExpr begin, end;
    int64_t size, most;
    bool is_partial;
} Range;

static MlcValue *
emit_dynamic_range(Tiler *t, size_t level, const Range *r, MlcValue *dest)
{
    unsigned d = t->schedule.order[level];
    MlcBuilder outside = t->b;
    MlcValue *from = mlc_index_values_at(&t->indices, &t->b, r->begin),
             *to = mlc_index_values_at(&t->indices, &t->b, r->end);
    MlcOp *loop = mlc_build_for_values(&t->b, from, to, r->size, &dest, 1);
    if (r->most > 0)
        mlc_op_set_attr(loop, "mlc.at_most", mlc_i64_attr_get(t->ctx, r->most));
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcAffineExpr at = mlc_index_values_expr(&t->indices, t->ctx, mlc_block_arg(body, 0));
    t->loops.offsets[d] = at;
    t->loops.sizes[d] = r->is_partial ? MLC_DYNAMIC : r->size;
    if (r->is_partial) {
        MlcAffineExpr sizes[] = {mlc_affine_constant(t->ctx, r->size), mlc_affine_dim(t->ctx, 0)};
        MlcAffineExpr rest = mlc_affine_add(r->end, mlc_affine_mul_const(at, -1));
        MlcValue *left = mlc_index_values_at(&t->indices, &t->b, rest);
        MlcValue *here =
            mlc_affine_min(&t->b, &left, 1, mlc_affine_map_get(t->ctx, 1, 0, sizes, 2));
        t->loops.extents[d] = mlc_index_values_expr(&t->indices, t->ctx, here);
    }
    MlcValue *inner = emit_loops(t, level + 1, mlc_block_arg(body, 1));
    mlc_scf_yield(&t->b, &inner, 1);
    t->b = outside;
    t->indices.block = NULL;
    return mlc_op_result(loop, 0);
}

// The most rows of a tile behind those of `size`.
static int64_t
most_rows(int64_t size)
{
    return size > MOST_ROWS ? MOST_ROWS : size - 1;
}

static MlcValue *
compare(Tiler *t, MlcValue *a, MlcArithCmpiPredicate predicate, int64_t b)
{
    return mlc_arith_cmpi(&t->b, a, mlc_build_index(&t->b, b), predicate);
}

// A rest of up to so many rows shares those of the last full tile: two smaller tiles do both, as
// even as can be.
static int64_t
few_shared(Tiler *t, size_t d)
{
    int64_t size = t->schedule.sizes[d];
    return 2 * most_rows(size) - size;
}

// What is left for tiles of fewer rows than `size`.
static MlcValue *
rows_left(Tiler *t, size_t d)
{
    int64_t size = t->schedule.sizes[d], few = few_shared(t, d);
    MlcAffineExpr tile = mlc_affine_constant(t->ctx, size);
    MlcValue *left = mlc_index_values_at(&t->indices, &t->b,
                                         mlc_affine_binary(MLC_AFFINE_MOD, t->extents[d], tile));
    if (few < 1)
        return left;
    MlcValue *rows = mlc_index_values_at(&t->indices, &t->b, t->extents[d]);
    MlcValue *is_few = mlc_arith_andi(&t->b, compare(t, left, MLC_ARITH_CMPI_PREDICATE_SGT, 0),
                                      compare(t, left, MLC_ARITH_CMPI_PREDICATE_SLE, few));
    MlcValue *is_behind = compare(t, rows, MLC_ARITH_CMPI_PREDICATE_SGT, size);
    MlcValue *more = mlc_build_select(&t->b, mlc_arith_andi(&t->b, is_few, is_behind),
                                      mlc_build_index(&t->b, size), mlc_build_index(&t->b, 0));
    return mlc_arith_addi(&t->b, left, more);
}

static MlcAffineExpr
expr_of(Tiler *t, MlcValue *value)
{
    return mlc_index_values_expr(&t->indices, t->ctx, value);
}

// `rows` if they are at least `k`, else 0.
static MlcAffineExpr
rows_of_tile(Tiler *t, MlcValue *rows, int64_t k)
{
    MlcValue *is_done = compare(t, rows, MLC_ARITH_CMPI_PREDICATE_SGE, k);
    return expr_of(t, mlc_build_select(&t->b, is_done, rows, mlc_build_index(&t->b, 0)));
}

// Behind full tiles there is one, or two that are as even as can be.
static void
plan_rest(Tiler *t, size_t d)
{
    int64_t most = most_rows(t->schedule.sizes[d]);
    MlcAffineExpr *ends = t->rests[d].ends;
    MlcValue *left = rows_left(t, d);
    MlcAffineExpr rest = expr_of(t, left), two = mlc_affine_constant(t->ctx, 2);
    MlcValue *half =
        mlc_index_values_at(&t->indices, &t->b, mlc_affine_binary(MLC_AFFINE_CEILDIV, rest, two));
    MlcValue *one = compare(t, left, MLC_ARITH_CMPI_PREDICATE_SLE, most),
             *first = mlc_build_select(&t->b, one, left, half);
    MlcValue *second = mlc_arith_subi(&t->b, left, first);
    ends[MOST_ROWS + 1] =
        as_value(t, mlc_affine_add(t->extents[d], mlc_affine_mul_const(rest, -1)));
    for (int64_t k = most; k > 1; k--) {
        MlcAffineExpr done = mlc_affine_add(rows_of_tile(t, first, k), rows_of_tile(t, second, k));
        ends[k] = as_value(t, mlc_affine_add(ends[MOST_ROWS + 1], done));
    }
    ends[1] = t->extents[d];
}

// No tile behind full ones has `k` rows: so few are a tile only where there are no others, and then
// a wide one.
static bool
is_only_wide(Tiler *t, unsigned d, int64_t k)
{
    int64_t size = t->schedule.sizes[d], most = most_rows(size);
    return !t->clip.pad && d == t->schedule.few.row && k <= t->schedule.few.most &&
           k <= few_shared(t, d) && k < (most + 1) / 2;
}

// A loop for each number of rows, of which all but the first run once or twice, or not at all.
static MlcValue *
emit_rows(Tiler *t, size_t level, MlcValue *dest)
{
    unsigned d = t->schedule.order[level];
    int64_t size = t->schedule.sizes[d], most = most_rows(size);
    const MlcAffineExpr *ends = t->rests[d].ends;
    Range range = {
        .begin = mlc_affine_constant(t->ctx, 0), .end = ends[MOST_ROWS + 1], .size = size};
    if (size == 1)
        range.end = t->extents[d];
    dest = emit_dynamic_range(t, level, &range, dest);
    for (int64_t k = most; k > 0 && !is_only_wide(t, d, k); k--) {
        range.begin = range.end;
        range.end = ends[k];
        range.size = k;
        range.most = 2 * k > most ? 2 : 1;
        dest = emit_dynamic_range(t, level, &range, dest);
    }
    return dest;
}

// The size of the tiles behind those of `size`; 0: nothing can be left.
static int64_t
next_size(int64_t size)
{
    enum { MOST_HALVES = 8 };
    return size > MOST_HALVES ? size / 4 : size / 2;
}

// A loop for each size of tiles, of which all but the first run once or not at all.
static MlcValue *
emit_dynamic(Tiler *t, size_t level, MlcValue *dest)
{
    unsigned d = t->schedule.order[level];
    MlcAffineExpr zero = mlc_affine_constant(t->ctx, 0), end = t->extents[d], rest = end;
    int64_t size = t->schedule.sizes[d];
    if (size == 0) {
        t->loops.offsets[d] = zero;
        t->loops.sizes[d] = MLC_DYNAMIC;
        t->loops.extents[d] = end;
        return emit_loops(t, level + 1, dest);
    }
    if (t->schedule.rest[d] == MLC_REST_ROWS)
        return emit_rows(t, level, dest);
    Range range = {.begin = zero, .end = end, .size = size};
    if (t->schedule.rest[d] == MLC_REST_BLOCK) {
        range.is_partial = size > 1;
        return emit_dynamic_range(t, level, &range, dest);
    }
    int64_t vector = shortest_vector(t);
    bool is_masked = (int)d == last_loop(t->root) && size % vector == 0 && group_reads_vectors(t);
    for (; size > 0; size = is_masked ? 0 : next_size(size)) {
        rest =
            as_value(t, mlc_affine_binary(MLC_AFFINE_MOD, rest, mlc_affine_constant(t->ctx, size)));
        range.size = size;
        range.end = as_value(t, mlc_affine_add(end, mlc_affine_mul_const(rest, -1)));
        dest = emit_dynamic_range(t, level, &range, dest);
        range.begin = range.end;
        range.most = (size - 1) / (next_size(size) + (size == 1));
    }
    if (!is_masked)
        return dest;
    range.most = mlc_ceil_div(t->schedule.sizes[d] - 1, vector);
    range.size = vector;
    range.end = end;
    range.is_partial = true;
    return emit_dynamic_range(t, level, &range, dest);
}

// Tiles of each part of the loop.
static MlcValue *
emit_loops(Tiler *t, size_t level, MlcValue *dest)
{
    if (level == t->loops.rank)
        return emit_tile(t, dest);
    unsigned d = t->schedule.order[level];
    int64_t extent[MLC_SMALL_RANK], size = t->schedule.sizes[d];
    mlc_structured_loop_sizes(t->root, extent);
    if (extent[d] == MLC_DYNAMIC)
        return emit_dynamic(t, level, dest);
    int k = t->clip.pad ? t->clip_loop[d] : -1;
    size_t num_parts = k >= 0 ? t->clip.num_parts[k] : 0;
    if (num_parts == 0)
        return emit_tiles(t, level, 0, extent[d], size > 0 && size < extent[d] ? size : extent[d],
                          dest);
    for (size_t i = 0; i < num_parts; i++) {
        int64_t begin = t->clip.parts[k][i],
                end = i + 1 < num_parts ? t->clip.parts[k][i + 1] : extent[d], inside = end - begin;
        int64_t tile = size > 0 && size < inside
                           ? mlc_ceil_div(inside, mlc_ceil_div(inside, size)) // even
                           : inside;
        t->part[k] = begin;
        dest = emit_tiles(t, level, begin, end, tile, dest);
    }
    return dest;
}

// All from `level` on, in a loop that runs once or not at all.
static MlcValue *
emit_if(Tiler *t, MlcValue *condition, size_t level, MlcValue *dest)
{
    MlcBuilder outside = t->b;
    MlcValue *zero = mlc_build_index(&t->b, 0),
             *times = mlc_build_select(&t->b, condition, mlc_build_index(&t->b, 1), zero);
    MlcOp *loop = mlc_build_for_values(&t->b, zero, times, 1, &dest, 1);
    mlc_op_set_attr(loop, "mlc.at_most", mlc_i64_attr_get(t->ctx, 1));
    MlcValue *inner =
        emit_loops(t, level, mlc_block_arg(mlc_region_first(mlc_op_region(loop, 0)), 1));
    mlc_scf_yield(&t->b, &inner, 1);
    t->b = outside;
    t->indices.block = NULL;
    return mlc_op_result(loop, 0);
}

// The loop of the root's that stands first, all others in their order.
static void
put_first(MlcSchedule *s, unsigned loop)
{
    unsigned before = s->order[0];
    for (size_t i = 0; before != loop; i++) {
        unsigned here = s->order[i + 1];
        s->order[i + 1] = before;
        before = here;
    }
    s->order[0] = loop;
}

// Few rows are one tile, which takes several panels at a time; else there are tiles of one panel.
static MlcValue *
emit_few_or_more(Tiler *t, MlcValue *dest)
{
    MlcSchedule usual = t->schedule;
    MlcFewRows few = usual.few;
    if (few.most == 0 || t->clip.pad)
        return emit_loops(t, 0, dest);
    MlcValue *rows = mlc_index_values_at(&t->indices, &t->b, t->extents[few.row]);
    put_first(&t->schedule, few.row);
    t->loops.offsets[few.row] = mlc_affine_constant(t->ctx, 0);
    for (int64_t k = 1; k <= few.most; k++) {
        t->loops.sizes[few.row] = k;
        t->schedule.sizes[few.channel] = few.size[k];
        dest = emit_if(t, compare(t, rows, MLC_ARITH_CMPI_PREDICATE_EQ, k), 1, dest);
    }
    t->schedule = usual;
    return emit_if(t, compare(t, rows, MLC_ARITH_CMPI_PREDICATE_SGT, few.most), 0, dest);
}

static bool
is_linear_nonnegative(MlcAffineMap map)
{
    int64_t coefficients[MLC_SMALL_RANK + 1];
    unsigned n = mlc_affine_map_num_dims(map);
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        int64_t divisor;
        if (mlc_affine_divided_dim(mlc_affine_map_result(map, i), &divisor) >= 0)
            continue;
        if (!mlc_affine_linear(mlc_affine_map_result(map, i), n, 0, coefficients))
            return false;
        for (unsigned d = 0; d <= n; d++)
            if (coefficients[d] < 0)
                return false;
    }
    return true;
}

static bool
has_loops(MlcOp *op)
{
    return mlc_structured(op) || mlc_tiling(op);
}

static bool
can_tile(MlcOp *op)
{
    int64_t group[MLC_SMALL_RANK];
    if ((!mlc_op_is_sized_structured(op) && !mlc_op_is_static_tiling(op, group)) ||
        mlc_op_num_operands(op) > MLC_SMALL_RANK * 2)
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (!is_linear_nonnegative(mlc_structured_map(op, i)))
            return false;
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    return mlc_affine_map_is_projected_permutation(out, false);
}

// The one operand of `user` through which `producer` is read, or SIZE_MAX.
static bool
reads_pointwise(MlcOp *user, MlcOp *producer)
{
    for (size_t i = 0; i < mlc_op_num_operands(user); i++) {
        if (mlc_value_def(mlc_op_operand(user, i)) != producer)
            continue;
        MlcAffineMap map = mlc_structured_map(user, i);
        if (!mlc_affine_map_is_projected_permutation(map, false))
            return false;
        for (size_t r = 0; r < mlc_affine_map_num_results(map); r++)
            if (mlc_structured_iterator(user, (size_t)mlc_map_result_dim(map, r)) !=
                MLC_ITERATOR_PARALLEL)
                return false;
    }
    return true;
}

// Each tile of `user` reads another one of `producer`; what is broadcast is read by many.
static bool
covers_result(MlcOp *user, MlcOp *producer)
{
    MlcAffineMap out = mlc_structured_map(user, mlc_structured_num_inputs(user));
    return mlc_affine_map_num_results(out) ==
           mlc_type_rank(mlc_value_type(mlc_op_result(producer, 0)));
}

static Member *
add_member(Tiler *t, MlcOp *op, Member known)
{
    Member *m = MLC_NEW(mlc_pass_scratch(t->pass), Member);
    *m = known;
    mlc_map_set(&t->group, op, m);
    return m;
}

// Dimension i of the user's result is dimension i of what it reads: tiles of both have one shape.
static bool
reads_in_order(MlcOp *user, MlcUse *use)
{
    return mlc_structured_map(user, mlc_use_index(use)) ==
           mlc_structured_map(user, mlc_structured_num_inputs(user));
}

// `repeated`: whether tiles would compute some of it again, which is only done where that is cheap
// (no reduction).
static bool
can_fuse(Tiler *t, MlcOp *producer, bool *repeated)
{
    *repeated = false;
    if (!can_tile(producer))
        return false;
    MlcValue *value = mlc_op_result(producer, 0);
    bool has_use = false;
    for (MlcUse *use = mlc_value_first_use(value); use; use = mlc_use_next(use)) {
        MlcOp *user = mlc_use_owner(use);
        if (!mlc_map_has(&t->group, user))
            return false;
        if (mlc_tiling(producer) && !reads_in_order(user, use)) {
            mlc_kernel_remark(producer,
                              "not fused: its consumer reads it in another order, which cuts "
                              "its groups");
            return false;
        }
        if (!reads_pointwise(user, producer)) {
            mlc_kernel_remark(producer,
                              "not fused: its consumer reads a window of it, which tiles share");
            return false;
        }
        *repeated |= member(t, user)->is_repeated || !covers_result(user, producer);
        if (*repeated && !mlc_structured_is_parallel(producer)) {
            mlc_kernel_remark(producer, "not fused: each tile would compute it again");
            return false;
        }
        has_use = true;
    }
    return has_use;
}

// A root whose reduction is tiled starts from its true initial value, computed before the loops.
static bool
tiles_reduction(Tiler *t)
{
    for (size_t i = 0; i < mlc_structured_num_loops(t->root); i++)
        if (t->schedule.sizes[i] > 0 &&
            mlc_structured_iterator(t->root, i) != MLC_ITERATOR_PARALLEL)
            return true;
    return false;
}

static void
collect_group(Tiler *t)
{
    bool repeated;
    add_member(t, t->root, (Member){0});
    for (MlcOp *op = mlc_op_prev(t->root); op; op = mlc_op_prev(op))
        if (has_loops(op) && can_fuse(t, op, &repeated))
            add_member(t, op, (Member){.is_repeated = repeated});
}

// ---- groups of rows

// The loops of `producer` that are the root's through `use`; false if that is not all rows, each
// once, or if `user` reads several of them at a time.
static bool
rows_through(Tiler *t, MlcUse *use, MlcOp *producer, size_t num_rows, Member *known)
{
    MlcOp *user = mlc_use_owner(use);
    const Member *of_user = member(t, user);
    MlcAffineMap read = mlc_structured_map(user, mlc_use_index(use)),
                 out = mlc_structured_map(producer, mlc_structured_num_inputs(producer));
    size_t found = 0;
    *known = (Member){.is_tiled = of_user->is_tiled && reads_pointwise(user, producer) &&
                                  covers_result(user, producer)};
    for (size_t i = 0; i < mlc_affine_map_num_results(read); i++) {
        int d = mlc_map_result_dim(read, i);
        if (d < 0)
            return false;
        known->row[mlc_map_result_dim(out, i)] = of_user->row[d];
        found += of_user->row[d] > 0;
    }
    return found == num_rows;
}

// All users are in the group and want the same rows.
static bool
shares_rows(Tiler *t, MlcOp *producer, size_t num_rows, Member *known)
{
    bool has_use = false;
    if (!mlc_structured(producer) || !can_tile(producer))
        return false;
    MLC_FOR_EACH_USE (use, mlc_op_result(producer, 0)) {
        Member same;
        if (!member(t, mlc_use_owner(use)) || !rows_through(t, use, producer, num_rows, &same) ||
            (has_use && memcmp(same.row, known->row, sizeof same.row) != 0))
            return false;
        same.is_tiled &= !has_use || known->is_tiled;
        *known = same;
        has_use = true;
    }
    return has_use;
}

static int64_t
result_bytes(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    int64_t bits = mlc_type_bit_width(mlc_type_element(type));
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        bool is_open = mlc_type_dim(type, i) == MLC_DYNAMIC;
        if (__builtin_mul_overflow(bits, is_open ? MLC_ASSUMED_SIZE : mlc_type_dim(type, i), &bits))
            return INT64_MAX;
    }
    return bits / 8;
}

// About `wanted` of `extent`, and without a rest if there is such a size above half of that.
static int64_t
even_size(int64_t extent, int64_t wanted)
{
    int64_t most = wanted < 1 ? 1 : wanted < extent ? wanted : extent;
    for (int64_t size = most; size > most / 2; --size)
        if (extent % size == 0)
            return size;
    return mlc_ceil_div(extent, mlc_ceil_div(extent, most));
}

// Blocks of rows such that two of the largest tensor between fit the cache: the first
// one, or, where contractions read whole matrices for each block anyway, a part of the second.
static void
choose_block(Tiler *t)
{
    const MlcTargetDesc *target = mlc_pass_target(t->pass);
    const int *row = member(t, t->root)->row;
    int64_t extent[MLC_SMALL_RANK], largest = 1, num_rows = 1;
    bool has_contraction = false;
    MLC_MAP_FOR_EACH (entry, &t->group) {
        MlcOp *op = mlc_map_entry_key(entry);
        largest = result_bytes(op) > largest ? result_bytes(op) : largest;
        has_contraction |= mlc_structured_is_contraction(op);
    }
    mlc_structured_assumed_sizes(t->root, extent);
    t->schedule = (MlcSchedule){.unroll = 1};
    for (unsigned i = 0; i < MLC_SMALL_RANK; i++) {
        t->schedule.order[i] = i;
        t->schedule.rest[i] = MLC_REST_BLOCK;
    }
    for (size_t i = 0; i < mlc_structured_num_loops(t->root); i++)
        num_rows *= row[i] ? extent[i] : 1;
    int64_t cache =
        has_contraction ? mlc_target_resident_bytes(target) : (int64_t)target->l1d_bytes;
    int64_t wanted = cache * num_rows / (2 * largest);
    for (size_t i = mlc_structured_num_loops(t->root); i-- > 0;) {
        if (!row[i])
            continue;
        t->schedule.sizes[i] = even_size(extent[i], wanted);
        wanted = 1;
    }
}

// The group of rows that ends in the root; false if `tile` does as well without.
static bool
collect_rows(Tiler *t)
{
    MlcAffineMap out = mlc_structured_map(t->root, mlc_structured_num_inputs(t->root));
    size_t rank = mlc_affine_map_num_results(out), more = 0;
    if (!mlc_structured(t->root) || rank < 2)
        return false;
    Member *root = add_member(t, t->root, (Member){.is_tiled = true});
    for (size_t i = 0; i + 1 < rank; i++)
        root->row[mlc_map_result_dim(out, i)] = 1 + mlc_map_result_dim(out, i);
    for (MlcOp *op = mlc_op_prev(t->root); op; op = mlc_op_prev(op)) {
        Member known;
        if (!has_loops(op) || !shares_rows(t, op, rank - 1, &known))
            continue;
        more += !mlc_structured_is_parallel(op) && !known.is_tiled;
        add_member(t, op, known);
    }
    if (more > 0)
        choose_block(t);
    return more > 0;
}

static MlcOp *
heaviest(Tiler *t)
{
    MlcOp *best = t->root;
    MLC_MAP_FOR_EACH (entry, &t->group) {
        MlcOp *op = mlc_map_entry_key(entry);
        if (mlc_structured_is_parallel(best) && !mlc_structured_is_parallel(op))
            best = op;
    }
    return best;
}

static bool
choose_sizes(Tiler *t, const MlcSchedule *given)
{
    const int64_t *sizes;
    if (given) {
        t->schedule = *given;
        return true;
    }
    size_t num_sizes = mlc_pass_option_ints(t->pass, "tile-sizes", &sizes);
    if (num_sizes == 0) {
        mlc_schedule_for(t->root, heaviest(t), mlc_pass_target(t->pass), &t->schedule);
        return true;
    }
    if (num_sizes > mlc_structured_num_loops(t->root))
        return mlc_op_error(t->root, "has %zu loops, but %zu tile sizes were given",
                            mlc_structured_num_loops(t->root), num_sizes);
    t->schedule = (MlcSchedule){.unroll = 1};
    for (unsigned i = 0; i < MLC_SMALL_RANK; i++) {
        t->schedule.order[i] = i;
        t->schedule.sizes[i] = i < num_sizes ? sizes[i] : 0;
    }
    return true;
}

// The root's loop along dimension `i` of its result is that of all ops of the group.
static bool
group_is_in_order(Tiler *t)
{
    MLC_MAP_FOR_EACH (entry, &t->group) {
        MlcOp *op = mlc_map_entry_key(entry);
        MLC_FOR_EACH_USE (use, mlc_op_result(op, 0))
            if (op != t->root && !reads_in_order(mlc_use_owner(use), use))
                return false;
    }
    return true;
}

// Loops of the reader by the root's.
static void
set_clip_loops(Tiler *t)
{
    MlcOp *reader = t->clip.reader;
    MlcAffineMap from = mlc_structured_map(reader, mlc_structured_num_inputs(reader)),
                 to = mlc_structured_map(t->root, mlc_structured_num_inputs(t->root));
    for (size_t d = 0; d < MLC_SMALL_RANK; d++)
        t->clip_loop[d] = -1;
    for (size_t i = 0; i < mlc_affine_map_num_results(to); i++)
        t->clip_loop[mlc_map_result_dim(to, i)] = mlc_map_result_dim(from, i);
}

static bool
is_pad(MlcOp *op)
{
    return mlc_tensor_pad_isa(op);
}

// Pads that the group reads: one is clipped if it can be, others become ops before the group.
static void
handle_pads(Tiler *t, bool can_clip)
{
    MlcMap seen = {0};
    MlcOpVec pads = {0};
    MLC_MAP_FOR_EACH (entry, &t->group) {
        MlcOp *op = mlc_map_entry_key(entry);
        MLC_FOR_EACH_OPERAND (value, op)
            if (is_pad(mlc_value_def(value)) && mlc_map_add(&seen, mlc_value_def(value)))
                mlc_vec_push(&pads, mlc_value_def(value));
    }
    can_clip = can_clip && group_is_in_order(t);
    for (size_t i = 0; i < pads.size; i++) {
        MlcClip clip;
        if (can_clip && !t->clip.pad && mlc_pad_can_clip(pads.data[i], &clip))
            t->clip = clip;
        else
            (void)mlc_pad_decompose(pads.data[i], mlc_pass_target(t->pass), true);
    }
    if (t->clip.pad)
        set_clip_loops(t);
    mlc_vec_release(&pads);
    mlc_map_release(&seen);
}

static bool
has_tiles(Tiler *t)
{
    int64_t extent[MLC_SMALL_RANK];
    mlc_structured_loop_sizes(t->root, extent);
    for (size_t i = 0; i < mlc_structured_num_loops(t->root); i++)
        if (t->schedule.sizes[i] > 0 &&
            (extent[i] == MLC_DYNAMIC || t->schedule.sizes[i] < extent[i]))
            return true;
    return false;
}

// Whether tiles of the root are whole groups of each op that is computed in groups.
static bool
tiles_are_groups(Tiler *t)
{
    MlcAffineMap root_out = mlc_structured_map(t->root, mlc_structured_num_inputs(t->root));
    MLC_MAP_FOR_EACH (entry, &t->group) {
        MlcOp *op = mlc_map_entry_key(entry);
        int64_t group[MLC_SMALL_RANK];
        if (!mlc_op_is_static_tiling(op, group))
            continue;
        MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
        for (size_t i = 0; i < mlc_affine_map_num_results(out); i++) {
            int64_t size = t->schedule.sizes[mlc_map_result_dim(root_out, i)];
            if (size % group[mlc_map_result_dim(out, i)] != 0)
                return mlc_op_error(op,
                                    "is computed in groups of %lld along dimension %zu of its "
                                    "result, which tiles of %lld would cut",
                                    (long long)group[mlc_map_result_dim(out, i)], i,
                                    (long long)size);
        }
    }
    return true;
}

// Ops of the group, consumers first: by then their uses are gone.
static void
erase_group(Tiler *t)
{
    MLC_MAP_FOR_EACH (entry, &t->group) {
        MlcOp *op = mlc_map_entry_key(entry);
        if (!mlc_op_has_uses(op))
            mlc_op_erase(op);
    }
}

// The sizes of loops that are known only when the kernel runs, before the root.
static void
find_extents(Tiler *t)
{
    MLC_MAP_FOR_EACH (entry, &t->group) {
        MlcOp *op = mlc_map_entry_key(entry);
        Member *known = mlc_map_entry_value(entry);
        int64_t sizes[MLC_SMALL_RANK];
        mlc_structured_loop_sizes(op, sizes);
        for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
            if (sizes[i] == MLC_DYNAMIC)
                known->extents[i] =
                    mlc_index_values_expr(&t->indices, t->ctx, mlc_loop_size_value(&t->b, op, i));
    }
    memcpy(t->extents, member(t, t->root)->extents, sizeof t->extents);
}

// Puts the tiles before the root and gives the first of their ops.
static MlcOp *
emit_group(Tiler *t)
{
    MlcOp *previous = mlc_op_prev(t->root);
    MlcValue *dest = mlc_op_operand(t->root, mlc_structured_num_inputs(t->root));
    mlc_builder_before(&t->b, t->root);
    t->loops.rank = mlc_structured_num_loops(t->root);
    find_extents(t);
    for (size_t i = 0; i < t->loops.rank; i++)
        if (t->extents[i] && t->schedule.rest[i] == MLC_REST_ROWS && t->schedule.sizes[i] > 1)
            plan_rest(t, i);
    MlcOp *init = mlc_value_def(dest);
    if (init && mlc_map_has(&t->group, init))
        dest = mlc_build_empty_like(&t->b, dest);
    MlcValue *result = emit_few_or_more(t, dest);
    mlc_value_replace_uses(mlc_op_result(t->root, 0), result);
    mlc_pass_count(t->pass, "ops-tiled", 1);
    mlc_pass_count(t->pass, "producers-fused", (int64_t)mlc_map_size(&t->group) - 1);
    return previous ? mlc_op_next(previous) : mlc_block_first(mlc_op_block(t->root));
}

static void
tell_size(MlcBuf *buf, const char *times, int64_t size)
{
    if (size == MLC_DYNAMIC)
        mlc_buf_printf(buf, "%s?", times);
    else
        mlc_buf_printf(buf, "%s%lld", times, (long long)size);
}

// "tiles of 7x64 in 49x512", along the result's dimensions that are more than 1.
static void
tell_tile(Tiler *t)
{
    MlcAffineMap map = mlc_structured_map(t->root, mlc_structured_num_inputs(t->root));
    int64_t extent[MLC_SMALL_RANK];
    MlcBuf tile = {0}, whole = {0};
    mlc_structured_loop_sizes(t->root, extent);
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        int d = mlc_map_result_dim(map, i);
        int64_t size = t->schedule.sizes[d];
        if (extent[d] == 1)
            continue;
        const char *times = whole.size ? "x" : "";
        bool is_cut = size > 0 && (extent[d] == MLC_DYNAMIC || size < extent[d]);
        tell_size(&tile, times, is_cut ? size : extent[d]);
        tell_size(&whole, times, extent[d]);
    }
    mlc_kernel_note(t->root, "tiles of %s in %s", mlc_buf_c_str(&tile), mlc_buf_c_str(&whole));
    mlc_buf_release(&tile);
    mlc_buf_release(&whole);
}

static void
release(Tiler *t)
{
    mlc_index_values_release(&t->indices);
    mlc_map_release(&t->group);
    mlc_vec_release(&t->made);
}

// The element-wise op that alone reads `value`, in the order of its own result.
static MlcOp *
elementwise_user(MlcValue *value, MlcBlock *block)
{
    MlcUse *use = mlc_value_has_one_use(value) ? mlc_value_first_use(value) : NULL;
    MlcOp *user = use ? mlc_use_owner(use) : NULL;
    if (!user || mlc_op_block(user) != block || !mlc_op_is_static_structured(user) ||
        !mlc_structured_is_elementwise(user))
        return NULL;
    size_t num_inputs = mlc_structured_num_inputs(user);
    MlcAffineMap out = mlc_structured_map(user, num_inputs);
    return mlc_use_index(use) < num_inputs && mlc_structured_map(user, mlc_use_index(use)) == out &&
                   mlc_affine_map_is_projected_permutation(out, false)
               ? user
               : NULL;
}

MlcOp *
mlc_structured_root(MlcOp *op)
{
    MlcOp *root = op, *user;
    while ((user = elementwise_user(mlc_op_result(root, 0), mlc_op_block(op))))
        root = user;
    if (root != op)
        return root;
    MlcValue *value = mlc_op_result(op, 0);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_after(&b, op);
    MlcValue *place = mlc_build_empty(&b, mlc_value_type(value));
    MlcValue *copy = mlc_build_copy(&b, place, NULL, place);
    mlc_value_replace_uses(value, copy);
    mlc_op_set_operand(mlc_value_def(copy), 0, value);
    return mlc_value_def(copy);
}

bool
mlc_tile_group(MlcPass *pass, MlcOp **place, const MlcSchedule *schedule)
{
    MlcOp *root = *place;
    Tiler t = {.pass = pass, .ctx = mlc_op_context(root), .root = root};
    mlc_builder_init(&t.b, t.ctx);
    collect_group(&t);
    bool ok = choose_sizes(&t, schedule);
    if (ok && t.schedule.tile_rows > 0)
        mlc_set_tile_product_rows(heaviest(&t), t.schedule.tile_rows);
    bool cuts_sums = ok && tiles_reduction(&t);
    if (cuts_sums) {
        mlc_map_clear(&t.group);
        add_member(&t, root, (Member){0});
    }
    ok = ok && tiles_are_groups(&t);
    if (ok && !t.schedule.keeps_pads)
        handle_pads(&t, !cuts_sums);
    if (ok && (t.clip.pad || has_tiles(&t))) {
        tell_tile(&t);
        *place = emit_group(&t);
        erase_group(&t);
    }
    release(&t);
    return ok;
}

// The same for a group of rows.
static void
tile_rows(MlcPass *pass, MlcOp **place)
{
    Tiler t = {.pass = pass, .ctx = mlc_op_context(*place), .root = *place};
    mlc_builder_init(&t.b, t.ctx);
    if (collect_rows(&t) && has_tiles(&t)) {
        mlc_kernel_note(t.root, "row by row");
        tell_tile(&t);
        *place = emit_group(&t);
        erase_group(&t);
    }
    release(&t);
}

static MlcOp *
last_root(MlcBlock *block, MlcOp *before)
{
    MlcOp *op = before ? mlc_op_prev(before) : mlc_block_last(block);
    while (op && !(has_loops(op) && can_tile(op)))
        op = mlc_op_prev(op);
    return op;
}

// Pads that no tile will leave out become ops.
static void
decompose_pads(MlcPass *pass, MlcBlock *block, bool are_tiled)
{
    MLC_FOR_EACH_OP_SAFE (op, block) {
        MlcClip clip;
        if (!is_pad(op))
            continue;
        if (!mlc_op_has_uses(op))
            mlc_op_erase(op);
        else if (are_tiled || !mlc_pad_can_clip(op, &clip))
            (void)mlc_pad_decompose(op, mlc_pass_target(pass), true);
    }
}

static bool tile_regions(MlcPass *pass, MlcOp *op);

// From the last op up: each root takes its producers with it. Loops that are there already are
// gone into first.
static bool
tile_block(MlcPass *pass, MlcBlock *block)
{
    MlcOp *done = NULL;
    bool are_rows = mlc_pass_option_bool(pass, "rows");
    if (!are_rows)
        decompose_pads(pass, block, false);
    MLC_FOR_EACH_OP (op, block)
        if (!has_loops(op) && !tile_regions(pass, op))
            return false;
    while ((done = last_root(block, done)))
        if (are_rows)
            tile_rows(pass, &done);
        else if (!mlc_tile_group(pass, &done, NULL))
            return false;
    if (!are_rows)
        decompose_pads(pass, block, true);
    return true;
}

static bool
tile_regions(MlcPass *pass, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i))
            if (!tile_block(pass, block))
                return false;
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    return tile_regions(pass, root);
}

static const MlcPassOption options[] = {
    {"tile-sizes", MLC_OPTION_INT_LIST, NULL,
     "iterations of a tile for each loop of the root, 0: the whole loop; empty: from the target"},
    {"rows", MLC_OPTION_BOOL, "false",
     "chains of ops that compute row by row become a loop over blocks of rows, and nothing else"},
};

static const char *const dialects[] = {"affine", "arith", "scf", "tensor", NULL};

MLC_PASS(tile, .flag = "tile",
         .summary = "Cut structured ops on tensors into tiles, producers fused",
         .anchor = "func.func", .options = options, .num_options = 2,
         .dependent_dialects = dialects, .run = run)
