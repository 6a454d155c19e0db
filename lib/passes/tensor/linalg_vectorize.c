// linalg_vectorize.c -- structured ops on small static tensors become straight lines of vector ops.
// Its parts are told in vectorize.h.
//
// The register tile: the last dimension of the result is cut into vectors of the machine's width,
// all other parallel loops are unrolled, and each (point, vector) is one value. Reductions are
// scf.for loops that carry these values, so accumulators stay in registers. An input that runs
// along the last dimension is read as a vector, one that does not is read as a scalar and
// broadcast. Values pass from op to op of a block without going through a tensor; only
// tensor.insert_slice, or a use that is not vectorised, makes them a tensor by
// vector.transfer_write. Slices are read through: positions are added up. A last vector that is not
// full is a shorter one, or masked; nothing is left scalar. Reductions may have dynamic sizes, and
// the last dimension of the result, if that is at most a vector (tile.c). A product added to
// something becomes vector.fma (contraction is allowed by default). The order of a reduction is
// fixed.
#include "kernel/kernel_notes.h"
#include "kernel/op_cycles.h"
#include "schedule.h"
#include "vectorize.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

enum { LONG_BODY = 8 };  // cycles of a vector
enum { LONG_SUM = 256 }; // products

// ---- one op

// What the accumulators start from: the output operand's elements.
static void
emit_inits(MlcVectorizer *v)
{
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < v->tile->num_points; p++)
        for (int64_t i = 0; i < v->tile->num_chunks; i++) {
            MlcChunk c = mlc_vectorize_chunk(v->tile, i);
            mlc_vectorize_move_to(v, p, c);
            v->tile->values[p * v->tile->num_chunks + i] =
                mlc_vectorize_operand(v, mlc_structured_num_inputs(v->op), c);
        }
}

static void
start_op(MlcVectorizer *v, MlcOp *op)
{
    v->op = op;
    v->tile = mlc_vectorize_new_tile(v, op);
    v->num_reductions = 0;
    v->lanes = 0;
    v->depth = 0;
    v->dot_loop = mlc_structured_dot_loop(op);
    mlc_structured_loop_sizes(op, v->extent);
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    v->channel = v->tile->rank ? mlc_map_result_dim(out, v->tile->rank - 1) : -1;
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++) {
        v->at[i] = mlc_affine_constant(v->ctx, 0);
        if (v->extent[i] == MLC_DYNAMIC)
            v->dynamic_extent[i] =
                mlc_index_values_expr(&v->indices, v->ctx, mlc_loop_size_value(&v->b, op, i));
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL && v->extent[i] != 1 &&
            (int)i != v->dot_loop)
            v->reductions[v->num_reductions++] = i;
    }
}

// ---- ops computed in groups

typedef struct Window {
    MlcVectorizer *v;
    MlcChunk chunk;
    int64_t sizes[MLC_SMALL_RANK]; // iterations of the reductions, in order
} Window;

// Element `i` of the window, row-major over the reductions.
static MlcValue *
read_window(void *user, size_t i)
{
    Window *w = user;
    MlcVectorizer *v = w->v;
    for (size_t k = v->num_reductions; k-- > 0;) {
        size_t loop = v->reductions[k];
        v->at[loop] = mlc_affine_constant(v->ctx, (int64_t)i % w->sizes[loop]);
        i /= (size_t)w->sizes[loop];
    }
    return mlc_vectorize_operand(v, 0, w->chunk);
}

// The tile is one group along all dimensions but the last.
static void
emit_group(MlcVectorizer *v)
{
    MlcVectorTile *t = v->tile;
    MlcArena *scratch = mlc_pass_scratch(v->pass);
    MlcValue **column = MLC_NEW_ARRAY(scratch, MlcValue *, (size_t)t->num_points);
    Window w = {.v = v};
    (void)mlc_op_is_static_tiling(v->op, w.sizes);
    mlc_vec_clear(&v->reads);
    for (int64_t i = 0; i < t->num_chunks; i++) {
        w.chunk = mlc_vectorize_chunk(t, i);
        mlc_vectorize_move_to(v, 0, w.chunk);
        mlc_tiling(v->op)->emit(v->op, &v->b, read_window, &w, column);
        for (int64_t p = 0; p < t->num_points; p++)
            t->values[p * t->num_chunks + i] = column[p];
    }
}

// ---- long bodies, row by row

// Whether `op` reads a tile whose elements are long sums: next to those a loop's end, which the
// processor guesses wrong, is nothing.
static bool
reads_long_sums(MlcVectorizer *v, MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        const MlcVectorTile *t = mlc_map_get(&v->tiles, value);
        if (t && !mlc_tiling(t->op) && mlc_structured_reduction_size(t->op) >= LONG_SUM)
            return true;
    }
    return false;
}

// The longest dimension but the last.
static int
longest_dimension(const MlcVectorTile *t)
{
    int longest = 0;
    for (size_t i = 1; i + 1 < t->rank; i++)
        if (t->shape[i] > t->shape[longest])
            longest = (int)i;
    return t->rank > 1 && t->shape[longest] > 1 ? longest : -1;
}

static bool
reads_by_rows(MlcVectorizer *v, MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        const MlcVectorTile *t = mlc_map_get(&v->tiles, value);
        if (t && t->is_by_rows)
            return true;
    }
    return false;
}

// The dimension of the tile that a loop runs along, its body computing the others; -1: all are
// unrolled. Sums that are in memory are read row by row. A function such as erf is a chain of tens
// of ops. As many chains as a tile has vectors leave no registers for constants and sums, and spill
// (docs/internals/schedule.md).
static int
rolled_dimension(MlcVectorizer *v, MlcOp *op)
{
    const MlcVectorTile *t = v->tile;
    MlcValue *output = mlc_structured_output_arg(op);
    if (v->num_reductions || (output && mlc_value_has_uses(output)))
        return -1;
    if (reads_by_rows(v, op))
        return longest_dimension(t);
    if (mlc_op_body_cycles(op, mlc_pass_target(v->pass)) < LONG_BODY || !reads_long_sums(v, op))
        return -1;
    for (size_t i = 0; i + 1 < t->rank; i++)
        if (t->shape[i] > 1)
            return (int)i;
    return -1;
}

static void
emit_rolled(MlcVectorizer *v, int dimension)
{
    MlcVectorTile *t = v->tile;
    t->is_by_rows = reads_by_rows(v, v->op);
    MlcWindow w = mlc_vectorize_whole_tile(v, t);
    MlcAffineMap out = mlc_structured_map(v->op, mlc_structured_num_inputs(v->op));
    MlcValue *dest = mlc_vectorize_destination(v, v->op);
    MlcBuilder outside = v->b;
    MlcOp *loop = mlc_build_for(&v->b, 0, t->shape[dimension], 1, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcAffineExpr row = mlc_index_values_expr(&v->indices, v->ctx, mlc_block_arg(body, 0));
    dest = mlc_block_arg(body, 1);
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < t->num_points; p++) {
        int64_t coordinates[MLC_SMALL_RANK] = {0};
        mlc_vectorize_point(t, p, coordinates);
        for (int64_t i = 0; coordinates[dimension] == 0 && i < t->num_chunks; i++) {
            MlcChunk c = mlc_vectorize_chunk(t, i);
            MlcAffineExpr index[MLC_SMALL_RANK];
            mlc_vectorize_move_to(v, p, c);
            v->at[mlc_map_result_dim(out, (size_t)dimension)] = row;
            for (size_t d = 0; d < t->rank; d++)
                index[d] = v->at[mlc_map_result_dim(out, d)];
            dest = mlc_vectorize_write(v, t, mlc_vectorize_body(v, NULL, c), index, c, dest, &w);
        }
    }
    mlc_scf_yield(&v->b, &dest, 1);
    v->b = outside;
    v->indices.block = NULL;
    t->memory = mlc_op_result(loop, 0);
}

static void
vectorize_op(MlcVectorizer *v, MlcOp *op)
{
    MlcOp *combine;
    int lane_loop = mlc_structured_lane_loop(op, &combine), rolled;
    mlc_builder_before(&v->b, op);
    start_op(v, op);
    size_t n = (size_t)(v->tile->num_points * v->tile->num_chunks);
    v->tile->values = MLC_NEW_ARRAY(mlc_pass_scratch(v->pass), MlcValue *, n);
    memset(v->tile->values, 0, n * sizeof(MlcValue *));
    v->indices.block = NULL;
    if (mlc_tiling(op)) {
        emit_group(v);
    } else if (lane_loop >= 0) {
        mlc_vectorize_lane_reduction(v, lane_loop, combine);
    } else if (mlc_vectorize_is_tile_product(v)) {
        mlc_vectorize_tile_product(v);
    } else if (v->num_reductions) {
        emit_inits(v);
        mlc_vectorize_sums(v, v->tile->values, n);
    } else if ((rolled = rolled_dimension(v, op)) >= 0) {
        v->tile->values = NULL;
        emit_rolled(v, rolled);
    } else {
        mlc_vectorize_points(v, v->tile->values);
    }
    mlc_map_set(&v->tiles, mlc_op_result(op, 0), v->tile);
    mlc_vec_push(&v->done, op);
    mlc_pass_count(v->pass, "ops-vectorized", 1);
}

// ---- which ops

static bool
is_vector_element(MlcType element)
{
    return mlc_type_is(element, MLC_TYPE_FLOAT) ||
           (mlc_type_is(element, MLC_TYPE_INTEGER) && mlc_type_bit_width(element) <= 64);
}

static const char *
why_not_body(MlcVectorizer *v, MlcOp *op, int channel)
{
    MlcBlock *body = mlc_structured_body(op);
    mlc_vectorize_analyze_body(v, op, channel);
    MLC_FOR_EACH_OP (inner, body) {
        if (inner == mlc_block_last(body) || mlc_op_constant(inner))
            continue;
        bool is_address =
            mlc_op_num_results(inner) == 1 && mlc_vectorize_is_position(v, mlc_op_result(inner, 0));
        if (mlc_tensor_extract_isa(inner) && !is_address) {
            if (!is_vector_element(mlc_value_type(mlc_op_result(inner, 0))))
                return "its body reads elements that are no integers or floats";
            if (!mlc_vectorize_can_extract(v, op, inner))
                return "its body reads elements that are no neighbours";
        } else if (mlc_op_num_regions(inner) > 0 ||
                   !(mlc_op_has_trait(inner, MLC_TRAIT_ELEMENTWISE) ||
                     (is_address && mlc_op_is_pure(inner)))) {
            return "its body has an op that does not work element by element";
        }
    }
    return NULL;
}

static const char *
why_not_group(MlcVectorizer *v, MlcOp *op)
{
    int64_t group[MLC_SMALL_RANK], points = 1;
    if (!mlc_op_is_static_tiling(op, group))
        return "it has dynamic shapes, or cannot be computed in groups";
    MlcVectorTile *t = mlc_vectorize_new_tile(v, op);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (mlc_structured_iterator(op, i) == MLC_ITERATOR_PARALLEL)
            points *= group[i];
    if (t->num_points != points || t->num_points * t->num_chunks > MLC_MAX_TILE_VECTORS)
        return "it is more than one group; tile it first";
    return mlc_type_is(t->element, MLC_TYPE_FLOAT) ? NULL : "its elements are no floats";
}

// Each position moves by the same from lane to lane; `d floordiv 2` (images enlarged) does not.
static bool
walks_evenly(MlcAffineMap map, unsigned channel, int64_t lanes)
{
    int64_t step;
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        if (!mlc_affine_step(mlc_affine_map_result(map, i), mlc_affine_map_num_dims(map), channel,
                             lanes, &step))
            return false;
    return true;
}

// NULL if the op can be vectorised.
static const char *
why_not(MlcVectorizer *v, MlcOp *op)
{
    if (mlc_tiling(op))
        return why_not_group(v, op);
    if (!mlc_op_is_sized_structured(op))
        return "it has no iterations or too many to count, more than one result, or is not on tensors";
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    if (!mlc_affine_map_is_projected_permutation(out, false))
        return "its result is not written point by point";
    size_t num_parallel = 0;
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        num_parallel += mlc_structured_iterator(op, i) == MLC_ITERATOR_PARALLEL;
    if (num_parallel != mlc_affine_map_num_results(out))
        return "a parallel loop does not run along its result";
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (!is_vector_element(mlc_type_element(mlc_value_type(mlc_op_operand(op, i)))))
            return "its elements are no integers or floats";
    MlcOp *combine;
    MlcVectorTile *t = mlc_vectorize_new_tile(v, op);
    if (!t)
        return "its result is larger than a vector, as far as is known; tile it first";
    if (t->count && !mlc_structured_reads_vectors(op))
        return "it reads no neighbours for a vector of which it is not known how much is there";
    if (mlc_structured_lane_loop(op, &combine) >= 0 && t->rank &&
        t->num_points * t->shape[t->rank - 1] > MLC_MAX_TILE_VECTORS)
        return "its tile needs more than 64 dot products; tile it first";
    if (t->num_points * t->num_chunks > MLC_MAX_TILE_VECTORS)
        return "its tile needs more than 64 vectors; tile it first";
    int channel = t->rank ? mlc_map_result_dim(out, t->rank - 1) : -1;
    bool has_lanes = channel >= 0 && t->shape[t->rank - 1] > 1 &&
                     mlc_structured_lane_loop(op, &combine) < 0; // along the result
    for (size_t i = 0; i < mlc_structured_num_inputs(op) && has_lanes; i++)
        if (!walks_evenly(mlc_structured_map(op, i), (unsigned)channel, t->vector))
            return "an operand does not go on evenly along the result's last dimension";
    return why_not_body(v, op, channel);
}

// Whether what `insert` writes into is read by nobody else but ops that are values already.
static bool
is_only_written(MlcVectorizer *v, MlcOp *insert)
{
    MLC_FOR_EACH_USE (use, mlc_op_operand(insert, 1)) {
        MlcOp *user = mlc_use_owner(use);
        if (user == insert)
            continue;
        if (!mlc_tensor_extract_slice_isa(user))
            return false;
        MLC_FOR_EACH_USE (inner, mlc_op_result(user, 0)) {
            MlcOp *op = mlc_use_owner(inner);
            if (mlc_op_num_results(op) != 1 || !mlc_map_has(&v->tiles, mlc_op_result(op, 0)))
                return false;
        }
    }
    return true;
}

static bool
reads_values(MlcVectorizer *v, MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        const MlcVectorTile *t = mlc_map_get(&v->tiles, value);
        if (t && t->values)
            return true;
    }
    return false;
}

// Whether each vector of the tile is written as soon as it is computed, so that its register is
// free for the next ones: a body of many ops behind a tile of sums has none to spare. All are
// computed in this block, behind the place to write to. Not rows that end in a part of a vector:
// where the result is written over an operand, reading the next row would wait for what has just
// been written beside it.
static bool
is_written_at_once(MlcVectorizer *v, const MlcVectorTile *t, MlcOp *insert)
{
    MlcBlock *block = mlc_op_block(insert);
    if (t->rank == 0 || t->count || t->shape[t->rank - 1] % t->vector != 0 ||
        !reads_values(v, t->op) || !is_only_written(v, insert))
        return false;
    for (int64_t k = 0; k < t->num_points * t->num_chunks; k++) {
        MlcOp *def = mlc_value_def(t->values[k]);
        if (!def || mlc_op_block(def) != block)
            return false;
        for (size_t i = 1; i < mlc_op_num_operands(insert); i++) {
            MlcOp *place = mlc_value_def(mlc_op_operand(insert, i));
            if (place && mlc_op_block(place) == block && !mlc_op_is_before(place, def))
                return false;
        }
    }
    return true;
}

static void
vectorize_insert(MlcVectorizer *v, MlcOp *insert)
{
    MlcVectorTile *t = mlc_map_get(&v->tiles, mlc_op_operand(insert, 0));
    MlcWindow w;
    if (!t || !t->values || !mlc_window_of_slice(insert, 2, &v->indices, &w))
        return;
    mlc_builder_before(&v->b, insert);
    v->indices.block = NULL;
    bool at_once = is_written_at_once(v, t, insert);
    MlcValue *dest = mlc_vectorize_write_tile(v, t, mlc_op_operand(insert, 1), &w, at_once);
    mlc_op_replace(insert, &dest, 1);
}

// Consumers first, so that what remains of uses is by ops that are not vectorised: these get a
// tensor.
static void
erase_done(MlcVectorizer *v)
{
    while (v->done.size) {
        MlcOp *op = mlc_vec_pop(&v->done);
        MlcValue *result = mlc_op_result(op, 0);
        MlcVectorTile *t = mlc_map_get(&v->tiles, result);
        if (mlc_value_has_uses(result))
            mlc_value_replace_uses(result, mlc_vectorize_memory(v, t));
        mlc_map_erase(&v->tiles, result);
        mlc_op_erase(op);
    }
}

static void
erase_dead(MlcBlock *block)
{
    MlcOp *prev;
    for (MlcOp *op = mlc_block_last(block); op; op = prev) {
        prev = mlc_op_prev(op);
        if (!mlc_op_has_uses(op) && mlc_op_num_results(op) > 0 && mlc_op_is_trivially_dead(op))
            mlc_op_erase(op);
    }
}

static void
vectorize_block(MlcVectorizer *v, MlcBlock *block)
{
    MLC_FOR_EACH_OP_SAFE (op, block) {
        if (mlc_structured(op) || mlc_tiling(op)) {
            const char *reason = why_not(v, op);
            if (reason)
                mlc_kernel_remark(op, "not vectorized: %s", reason);
            else
                vectorize_op(v, op);
        } else if (mlc_tensor_insert_slice_isa(op)) {
            vectorize_insert(v, op);
        }
    }
    bool changed = v->done.size > 0;
    erase_done(v);
    if (changed)
        erase_dead(block);
}

static void
collect_blocks(MlcOp *root, MlcPtrVec *blocks)
{
    for (size_t i = 0; i < mlc_op_num_regions(root); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(root, i)) {
            mlc_vec_push(blocks, block);
            MLC_FOR_EACH_OP (op, block)
                if (!mlc_structured(op))
                    collect_blocks(op, blocks);
        }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcVectorizer v = {.pass = pass, .ctx = mlc_op_context(root)};
    MlcPtrVec blocks = {0};
    mlc_builder_init(&v.b, v.ctx);
    collect_blocks(root, &blocks);
    for (size_t i = 0; i < blocks.size; i++)
        vectorize_block(&v, blocks.data[i]);
    mlc_vec_release(&blocks);
    mlc_vec_release(&v.done);
    mlc_vec_release(&v.reads);
    mlc_map_release(&v.tiles);
    mlc_map_release(&v.varying);
    mlc_map_release(&v.positions);
    mlc_index_values_release(&v.indices);
    return true;
}

static const char *const dialects[] = {"affine", "arith", "scf", "tensor", "vector", NULL};

MLC_PASS(linalg_vectorize, .flag = "linalg-vectorize",
         .summary = "Turn structured ops on register tiles into vector ops", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)
