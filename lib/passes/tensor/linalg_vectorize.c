// linalg_vectorize.c -- structured ops on small static tensors become straight lines of vector ops.
//
// The register tile: the last dimension of the result is cut into vectors of the machine's width,
// all other parallel loops are unrolled, and each (point, vector) is one value. Reductions are
// scf.for loops that carry these values, so accumulators stay in registers. An input that runs
// along the last dimension is read as a vector, one that does not is read as a scalar and
// broadcast. Values pass from op to op of a block without going through a tensor; only
// tensor.insert_slice, or a use that is not vectorised, makes them a tensor by
// vector.transfer_write. Slices are read through: positions are added up. A last vector that is not
// full is a shorter one, or masked; nothing is left scalar. A product added to something becomes
// vector.fma (contraction is allowed by default). The order of a reduction is fixed.
#include "kernel/kernel_notes.h"
#include "kernel/op_cycles.h"
#include "schedule.h"
#include "sum_block.h"
#include "vector_ops.h"
#include "windows.h"

#include "mlc/ir.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"
#include "mlc/dialects/vector.h"

enum { MAX_VALUES = 64 }; // accumulators of one op; more would only spill
enum { LONG_BODY = 8 };   // cycles of a vector
enum { LONG_SUM = 256 };  // products
enum { SHORT_BLOCK = 64 };

typedef struct Tile {
    MlcOp *op; // that computed it
    size_t rank;
    int64_t shape[MLC_MAX_RANK];
    int64_t vector;     // elements of a full vector
    int64_t min_width;  // of one that is not full
    int64_t num_points; // product of all dimensions but the last
    int64_t num_chunks; // vectors along the last dimension
    MlcType element;
    MlcValue **values; // [num_points][num_chunks]; NULL: only in memory
    MlcValue *memory;  // as a tensor, where something needed it
} Tile;

typedef struct Read { // an operand already read in the current straight line
    size_t operand, rank;
    MlcAffineExpr index[MLC_MAX_RANK];
    int64_t width;
    MlcValue *value;
} Read;

typedef struct Vectorizer {
    MlcPass *pass;
    MlcContext *ctx;
    MlcBuilder b;
    MlcIndexValues indices;
    MlcMap tiles; // result of a vectorised op -> Tile
    MlcOpVec done;
    // The op at hand.
    MlcOp *op;
    int64_t extent[MLC_MAX_LOOPS];
    MlcAffineExpr at[MLC_MAX_LOOPS]; // where in the iteration space
    int channel; // loop along the last dimension of the result; -1: the result has rank 0
    size_t reductions[MLC_MAX_LOOPS], num_reductions;
    MlcSumBlock block;
    Tile *tile;
    MlcMap varying, positions; // of its body, where that reads tensors by itself
    MLC_VEC(Read) reads;
} Vectorizer;

static MlcChunk
chunk_of(const Tile *t, int64_t i)
{
    if (t->rank == 0)
        return (MlcChunk){.lanes = 1};
    MlcChunk c = {.start = i * t->vector};
    int64_t rest = t->shape[t->rank - 1] - c.start;
    c.lanes = rest < t->vector ? rest : t->vector;
    for (c.width = t->min_width; c.width < c.lanes;)
        c.width *= 2;
    return c;
}

static Tile *
new_tile(Vectorizer *v, MlcOp *op)
{
    MlcArena *scratch = mlc_pass_scratch(v->pass);
    Tile *t = MLC_NEW(scratch, Tile);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    *t = (Tile){.op = op, .rank = mlc_type_rank(type), .num_points = 1, .num_chunks = 1};
    t->element = mlc_type_element(type);
    t->vector = mlc_vector_length(op, mlc_pass_target(v->pass));
    for (size_t i = 0; i < t->rank; i++) {
        t->shape[i] = mlc_type_dim(type, i);
        if (i + 1 < t->rank)
            t->num_points *= t->shape[i];
        else
            t->num_chunks = (t->shape[i] + t->vector - 1) / t->vector;
    }
    // Beside full vectors a masked one costs no more than a shorter one, and registers of one size
    // are what LLVM allocates well: with both it spilled accumulators of 3 full and one short one.
    bool is_masked = mlc_pass_target(v->pass)->has_masks && t->num_chunks > 1;
    t->min_width = is_masked ? t->vector : 1;
    return t;
}

// The coordinates of point `p`, all dimensions but the last.
static void
point_coordinates(const Tile *t, int64_t p, int64_t *coordinates)
{
    for (size_t i = t->rank; i-- > 1;) {
        coordinates[i - 1] = p % t->shape[i - 1];
        p /= t->shape[i - 1];
    }
}

// ---- reading and writing tensors

static void
index_values(Vectorizer *v, const MlcAffineExpr *index, size_t rank, MlcValue **values)
{
    for (size_t i = 0; i < rank; i++)
        values[i] = mlc_index_values_at(&v->indices, &v->b, index[i]);
}

// Turns a position in a slice into one in the tensor behind `w`; `shape` is the slice's, which may
// leave out 1s.
static size_t
position_in_source(const MlcWindow *w, MlcType slice, MlcAffineExpr *index)
{
    MlcAffineExpr inner[MLC_MAX_RANK];
    size_t rank = mlc_type_rank(slice), j = 0;
    memcpy(inner, index, rank * sizeof *index);
    for (size_t i = 0; i < w->rank; i++) {
        index[i] = w->offsets[i];
        if (j < rank && mlc_type_dim(slice, j) == w->sizes[i])
            index[i] = mlc_affine_add(index[i], inner[j++]);
    }
    return w->rank;
}

// Writes one vector of the tile, at `index` in it, into the window of `dest`, and gives the new
// tensor.
static MlcValue *
write_vector(Vectorizer *v, const Tile *t, MlcValue *value, const MlcAffineExpr *index, MlcChunk c,
             MlcValue *dest, const MlcWindow *w)
{
    MlcAffineExpr at[MLC_MAX_RANK];
    MlcValue *values[MLC_MAX_RANK];
    memcpy(at, index, t->rank * sizeof *at);
    size_t rank = position_in_source(w, mlc_value_type(mlc_op_result(t->op, 0)), at);
    index_values(v, at, rank, values);
    return c.width ? mlc_build_transfer_write(&v->b, value, dest, values, rank, c)
                   : mlc_tensor_insert(&v->b, value, dest, values, rank);
}

// The same with all of them.
static MlcValue *
write_tile(Vectorizer *v, const Tile *t, MlcValue *dest, const MlcWindow *w)
{
    for (int64_t p = 0; p < t->num_points; p++)
        for (int64_t i = 0; i < t->num_chunks; i++) {
            int64_t coordinates[MLC_MAX_RANK] = {0};
            MlcAffineExpr index[MLC_MAX_RANK];
            MlcChunk c = chunk_of(t, i);
            point_coordinates(t, p, coordinates);
            if (t->rank)
                coordinates[t->rank - 1] = c.start;
            for (size_t d = 0; d < t->rank; d++)
                index[d] = mlc_affine_constant(v->ctx, coordinates[d]);
            dest = write_vector(v, t, t->values[p * t->num_chunks + i], index, c, dest, w);
        }
    return dest;
}

static MlcWindow
whole_tile(Vectorizer *v, const Tile *t)
{
    MlcWindow w = {.rank = t->rank};
    for (size_t i = 0; i < t->rank; i++) {
        w.offsets[i] = mlc_affine_constant(v->ctx, 0);
        w.sizes[i] = t->shape[i];
    }
    return w;
}

// The tensor that an op writes into, behind those that are only values.
static MlcValue *
destination(Vectorizer *v, MlcOp *op)
{
    MlcValue *dest = mlc_op_operand(op, mlc_structured_num_inputs(op));
    for (Tile *init; (init = mlc_map_get(&v->tiles, dest)) && !init->memory;)
        dest = mlc_op_operand(init->op, mlc_structured_num_inputs(init->op));
    return dest;
}

// A tile as a tensor, made where the op that computed it stands.
static MlcValue *
tile_memory(Vectorizer *v, Tile *t)
{
    if (t->memory)
        return t->memory;
    MlcValue *dest = destination(v, t->op);
    MlcBuilder saved = v->b;
    mlc_builder_before(&v->b, t->op);
    v->indices.block = NULL;
    MlcWindow w = whole_tile(v, t);
    t->memory = write_tile(v, t, dest, &w);
    v->b = saved;
    v->indices.block = NULL;
    return t->memory;
}

// ---- operands

// The tensor that really holds `value`, seen through slices; `index` becomes a position in it.
static MlcValue *
memory_of(Vectorizer *v, MlcValue *value, MlcAffineExpr *index, size_t *rank)
{
    for (;;) {
        Tile *t = mlc_map_get(&v->tiles, value);
        MlcOp *def = mlc_value_def(value);
        MlcWindow w;
        if (t)
            return tile_memory(v, t);
        if (!mlc_tensor_extract_slice_isa(def) || !mlc_window_of_slice(def, 1, &v->indices, &w))
            return value;
        *rank = position_in_source(&w, mlc_value_type(value), index);
        value = mlc_op_operand(def, 0);
    }
}

static MlcValue *
gather(Vectorizer *v, MlcValue *source, const MlcAffineExpr *index, const MlcAffineExpr *step,
       size_t rank, MlcChunk c)
{
    MlcValue *lanes[1024], *values[MLC_MAX_RANK];
    for (int64_t i = 0; i < c.width; i++) {
        MlcAffineExpr at[MLC_MAX_RANK];
        for (size_t d = 0; d < rank; d++)
            at[d] = mlc_affine_add(index[d], mlc_affine_mul_const(step[d], i));
        if (i < c.lanes)
            index_values(v, at, rank, values);
        lanes[i] = i < c.lanes ? mlc_tensor_extract(&v->b, source, values, rank) : lanes[0];
    }
    MlcType type = mlc_lanes_type(mlc_type_element(mlc_value_type(source)), c.width);
    return mlc_vector_from_elements(&v->b, type, lanes, (size_t)c.width);
}

// How far a position moves for each step along the channels of a vector: `step`; true if only along
// the last dimension, by 1.
static bool
channel_step(Vectorizer *v, MlcAffineMap map, MlcAffineExpr *step, bool *is_uniform)
{
    size_t rank = mlc_affine_map_num_results(map);
    bool is_vector = rank > 0;
    *is_uniform = true;
    for (size_t i = 0; i < rank; i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        int64_t move = 0;
        if (v->channel >= 0)
            mlc_affine_step(e, mlc_affine_map_num_dims(map), (unsigned)v->channel, v->tile->vector,
                            &move);
        step[i] = mlc_affine_constant(v->ctx, move);
        *is_uniform &= move == 0;
        is_vector &= move == (i + 1 == rank);
    }
    return is_vector;
}

static MlcValue *
read_tensor(Vectorizer *v, MlcValue *value, MlcAffineMap map, const MlcAffineExpr *position,
            MlcChunk c)
{
    MlcAffineExpr index[MLC_MAX_RANK], step[MLC_MAX_RANK];
    MlcValue *values[MLC_MAX_RANK];
    bool is_uniform, is_vector = channel_step(v, map, step, &is_uniform);
    size_t rank = mlc_affine_map_num_results(map);
    memcpy(index, position, rank * sizeof *index);
    MlcValue *source = memory_of(v, value, index, &rank);
    if (!c.width || is_uniform || is_vector)
        index_values(v, index, rank, values);
    if (!c.width || is_uniform)
        return mlc_build_splat(&v->b, mlc_tensor_extract(&v->b, source, values, rank), c.width);
    if (is_vector && rank == mlc_type_rank(mlc_value_type(source)))
        return mlc_build_transfer_read(&v->b, source, values, rank, c);
    return gather(v, source, index, step, rank, c);
}

// The value of `tile` at a constant position: one of its vectors, or one element for all lanes;
// else NULL.
static MlcValue *
read_tile(Vectorizer *v, const Tile *t, MlcAffineMap map, const MlcAffineExpr *position, MlcChunk c)
{
    MlcAffineExpr step[MLC_MAX_RANK];
    bool is_uniform, is_vector = channel_step(v, map, step, &is_uniform);
    int64_t p = 0, at = 0;
    if (!t->values)
        return NULL;
    for (size_t i = 0; i < t->rank; i++) {
        if (!mlc_affine_is_constant(position[i], &at))
            return NULL;
        if (i + 1 < t->rank)
            p = p * t->shape[i] + at;
    }
    MlcValue *value = t->values[p * t->num_chunks + at / t->vector];
    if (t->rank == 0)
        return mlc_build_splat(&v->b, value, c.width);
    if (!c.width || is_uniform)
        return mlc_build_splat(&v->b, mlc_build_lane(&v->b, value, at % t->vector), c.width);
    MlcChunk have = chunk_of(t, at / t->vector);
    bool fits = is_vector && t->vector == v->tile->vector && at % t->vector == 0;
    return fits && have.width == c.width ? value : NULL;
}

static MlcValue *
find_read(Vectorizer *v, size_t operand, const MlcAffineExpr *index, size_t rank, int64_t width)
{
    for (size_t i = 0; i < v->reads.size; i++) {
        const Read *read = &v->reads.data[i];
        if (read->operand == operand && read->rank == rank && read->width == width &&
            memcmp(read->index, index, rank * sizeof *index) == 0)
            return read->value;
    }
    return NULL;
}

// The position of operand `i` at v->at.
static void
operand_index(Vectorizer *v, size_t i, MlcAffineExpr *index)
{
    MlcAffineMap map = mlc_structured_map(v->op, i);
    for (size_t r = 0; r < mlc_affine_map_num_results(map); r++)
        index[r] = mlc_affine_replace(mlc_affine_map_result(map, r), v->at,
                                      mlc_structured_num_loops(v->op), NULL, 0);
}

// Reads a square of an operand that is contiguous along another loop than the channels, the point
// at v->at among those that it holds, and transposes it: all its points are read then. False: it is
// no such operand, or too little of it is there.
static bool
read_square(Vectorizer *v, size_t operand, MlcChunk c)
{
    MlcValue *value = mlc_op_operand(v->op, operand), *rows[MAX_VALUES];
    int loop = mlc_structured_transposed_loop(v->op, operand, v->channel);
    int64_t at, start = 0;
    if (loop < 0 || c.width < 4 || c.width > MAX_VALUES ||
        !mlc_affine_is_constant(v->at[loop], &at))
        return false;
    MlcAffineExpr along = v->at[loop], channel = v->at[v->channel];
    MlcChunk row = {.start = at / c.width * c.width, .width = c.width};
    row.lanes = v->extent[loop] - row.start < c.width ? v->extent[loop] - row.start : c.width;
    if (row.lanes < 2 || (row.lanes < c.width && !mlc_pass_target(v->pass)->has_masks))
        return false;
    for (int64_t k = 0; k < c.width; k++) {
        MlcAffineExpr index[MLC_MAX_RANK];
        MlcValue *values[MLC_MAX_RANK];
        size_t rank = mlc_affine_map_num_results(mlc_structured_map(v->op, operand));
        v->at[loop] = mlc_affine_constant(v->ctx, row.start);
        v->at[v->channel] = mlc_affine_add(channel, mlc_affine_constant(v->ctx, k));
        operand_index(v, operand, index);
        MlcValue *source = memory_of(v, value, index, &rank);
        if (k < c.lanes)
            index_values(v, index, rank, values);
        rows[k] = k < c.lanes ? mlc_build_transfer_read(&v->b, source, values, rank, row) : rows[0];
    }
    mlc_build_transpose(&v->b, rows, c.width);
    v->at[v->channel] = channel;
    for (; start < row.lanes; start++) {
        Read read = {.operand = operand, .width = c.width, .value = rows[start]};
        read.rank = mlc_affine_map_num_results(mlc_structured_map(v->op, operand));
        v->at[loop] = mlc_affine_constant(v->ctx, row.start + start);
        operand_index(v, operand, read.index);
        mlc_vec_push(&v->reads, read);
    }
    v->at[loop] = along;
    return true;
}

// Operand `i` at v->at, as a vector of c.width (a scalar if 0).
static MlcValue *
operand_value(Vectorizer *v, size_t i, MlcChunk c)
{
    MlcValue *value = mlc_op_operand(v->op, i);
    MlcAffineMap map = mlc_structured_map(v->op, i);
    Read read = {.operand = i, .rank = mlc_affine_map_num_results(map), .width = c.width};
    operand_index(v, i, read.index);
    MlcValue *known = find_read(v, i, read.index, read.rank, c.width);
    if (known)
        return known;
    Tile *t = mlc_map_get(&v->tiles, value);
    if (!t && mlc_type_is_shaped(mlc_value_type(value)) && read_square(v, i, c))
        return find_read(v, i, read.index, read.rank, c.width);
    if (!mlc_type_is_shaped(mlc_value_type(value)))
        read.value = mlc_build_splat(&v->b, value, c.width);
    else
        read.value = t ? read_tile(v, t, map, read.index, c) : NULL;
    if (!read.value)
        read.value = read_tensor(v, value, map, read.index, c);
    mlc_vec_push(&v->reads, read);
    return read.value;
}

// ---- elements that the body finds by itself: linalg.index, tensor.extract

static bool
is_extract(MlcOp *op)
{
    return mlc_tensor_extract_isa(op);
}

static bool
varies(Vectorizer *v, MlcValue *value)
{
    return mlc_map_has(&v->varying, value);
}

// A position that is one further for each lane.
static bool
counts_lanes(Vectorizer *v, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!varies(v, value) || mlc_linalg_index_isa(def))
        return varies(v, value);
    if (!mlc_arith_addi_isa(def))
        return false;
    MlcValue *lhs = mlc_op_operand(def, 0), *rhs = mlc_op_operand(def, 1);
    return (counts_lanes(v, lhs) && !varies(v, rhs)) || (counts_lanes(v, rhs) && !varies(v, lhs));
}

// Neighbours in memory for neighbouring lanes, or one element for all.
static bool
is_vector_extract(Vectorizer *v, MlcOp *op, MlcOp *extract)
{
    size_t rank = mlc_op_num_operands(extract) - 1;
    if (mlc_value_is_inside(mlc_op_operand(extract, 0), op))
        return false;
    for (size_t i = 0; i < rank; i++) {
        MlcValue *index = mlc_op_operand(extract, i + 1);
        if (varies(v, index) && (i + 1 < rank || !counts_lanes(v, index)))
            return false;
    }
    return true;
}

static bool
is_only_for_positions(Vectorizer *v, MlcValue *value)
{
    return mlc_map_has(&v->positions, value);
}

static bool
is_position(Vectorizer *v, MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        if (!is_extract(user) &&
            (mlc_op_num_results(user) != 1 || !is_only_for_positions(v, mlc_op_result(user, 0))))
            return false;
    }
    return mlc_value_has_uses(value);
}

// Which values of the body differ between lanes along loop `channel`, and which are never needed as
// vectors. Bodies that read nothing by themselves need not know.
static void
analyze_body(Vectorizer *v, MlcOp *op, int channel)
{
    MlcBlock *body = mlc_structured_body(op);
    bool has_extracts = false;
    mlc_map_clear(&v->varying);
    mlc_map_clear(&v->positions);
    MLC_FOR_EACH_OP (inner, body)
        has_extracts |= is_extract(inner);
    if (!has_extracts)
        return;
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        if (channel >= 0 && mlc_affine_map_uses_dim(mlc_structured_map(op, i), (unsigned)channel))
            mlc_map_add(&v->varying, mlc_block_arg(body, i));
    MLC_FOR_EACH_OP (inner, body) {
        bool does =
            mlc_linalg_index_isa(inner) && mlc_attr_as_int(mlc_op_attr(inner, "dim")) == channel;
        MLC_FOR_EACH_OPERAND (operand, inner)
            does |= varies(v, operand);
        if (does && mlc_op_num_results(inner) == 1)
            mlc_map_add(&v->varying, mlc_op_result(inner, 0));
    }
    for (MlcOp *inner = mlc_block_last(body); inner; inner = mlc_op_prev(inner))
        if (mlc_op_num_results(inner) == 1 && is_position(v, mlc_op_result(inner, 0)))
            mlc_map_add(&v->positions, mlc_op_result(inner, 0));
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        if (is_position(v, mlc_block_arg(body, i)))
            mlc_map_add(&v->positions, mlc_block_arg(body, i));
}

// The tensor that a body reads from by itself, in memory.
static MlcValue *
extracted_tensor(Vectorizer *v, MlcOp *extract)
{
    MlcValue *source = mlc_op_operand(extract, 0);
    Tile *t = mlc_map_get(&v->tiles, source);
    return t ? tile_memory(v, t) : source;
}

// A value of the body in the first lane of the vector at v->at.
static MlcValue *
position_value(Vectorizer *v, MlcCloneMap *positions, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    MlcValue *found = mlc_clone_map_get(positions, value);
    if (found != value || !mlc_value_is_inside(value, v->op))
        return found;
    if (!def) {
        found = operand_value(v, mlc_value_index(value), (MlcChunk){.lanes = 1});
    } else if (mlc_linalg_index_isa(def)) {
        size_t loop = (size_t)mlc_attr_as_int(mlc_op_attr(def, "dim"));
        found = mlc_index_values_at(&v->indices, &v->b, v->at[loop]);
    } else {
        MLC_FOR_EACH_OPERAND (operand, def)
            (void)position_value(v, positions, operand);
        MlcOp *clone = mlc_op_clone_without_regions(def, positions);
        if (is_extract(def))
            mlc_op_set_operand(clone, 0, extracted_tensor(v, def));
        found = mlc_op_result(mlc_builder_insert(&v->b, clone), 0);
    }
    mlc_clone_map_set(positions, value, found);
    return found;
}

static MlcValue *
emit_extract(Vectorizer *v, MlcCloneMap *positions, MlcOp *extract, MlcChunk c)
{
    MlcValue *index[MLC_MAX_RANK];
    size_t rank = mlc_op_num_operands(extract) - 1;
    if (!c.width || !varies(v, mlc_op_result(extract, 0)))
        return mlc_build_splat(&v->b, position_value(v, positions, mlc_op_result(extract, 0)),
                               c.width);
    for (size_t i = 0; i < rank; i++)
        index[i] = position_value(v, positions, mlc_op_operand(extract, i + 1));
    return mlc_build_transfer_read(&v->b, extracted_tensor(v, extract), index, rank, c);
}

// ---- the body

// The product, if `op` adds one that nothing else uses.
static MlcOp *
fusable_product(MlcOp *op, size_t i)
{
    MlcOp *product = mlc_value_def(mlc_op_operand(op, i));
    if (!mlc_arith_addf_isa(op) || !mlc_arith_mulf_isa(product) ||
        mlc_op_block(product) != mlc_op_block(op) ||
        !mlc_value_has_one_use(mlc_op_result(product, 0)))
        return NULL;
    return product;
}

static bool
is_fused_product(MlcOp *op)
{
    if (!mlc_arith_mulf_isa(op) || !mlc_value_has_one_use(mlc_op_result(op, 0)))
        return false;
    MlcUse *use = mlc_value_first_use(mlc_op_result(op, 0));
    MlcOp *user = mlc_use_owner(use);
    if (!mlc_arith_addf_isa(user))
        return false;
    return fusable_product(user, 0) == op ||
           (!fusable_product(user, 0) && fusable_product(user, 1) == op);
}

static MlcValue *
mapped(Vectorizer *v, MlcCloneMap *map, MlcValue *value, int64_t width)
{
    MlcValue *found = mlc_clone_map_get(map, value);
    if (found != value || mlc_value_is_inside(value, v->op))
        return found;
    MlcValue *splat = mlc_build_splat(&v->b, value, width);
    mlc_clone_map_set(map, value, splat);
    return splat;
}

static bool
is_zero(MlcValue *value)
{
    MlcAttr constant = mlc_value_constant(value);
    if (constant && mlc_attr_is(constant, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(constant))
        constant = mlc_elements_attr_element(constant, 0);
    return constant && mlc_attr_is(constant, MLC_ATTR_FLOAT) &&
           mlc_float_attr_as_double(constant) == 0;
}

// Whether `value` is what a step of a sum adds to.
static bool
is_accumulator(Vectorizer *v, MlcValue *value)
{
    return v->num_reductions > 0 && mlc_value_block(value) == mlc_structured_body(v->op) &&
           mlc_value_index(value) == mlc_structured_num_inputs(v->op);
}

// A sum from zero begins with its first product: one that is -0 stays so, but becomes 0 where the
// sum is added to what the whole started from. Nowhere else: a * x + 0 is never -0.
static MlcValue *
emit_fma(Vectorizer *v, MlcCloneMap *map, MlcOp *add, MlcOp *product, size_t i, int64_t width)
{
    MlcValue *a = mapped(v, map, mlc_op_operand(product, 0), width);
    MlcValue *x = mapped(v, map, mlc_op_operand(product, 1), width);
    MlcValue *to = mlc_op_operand(add, 1 - i), *acc = mapped(v, map, to, width);
    return is_zero(acc) && is_accumulator(v, to) ? mlc_arith_mulf(&v->b, a, x)
                                                 : mlc_vector_fma(&v->b, a, x, acc);
}

static void
emit_body_op(Vectorizer *v, MlcCloneMap *map, MlcOp *op, int64_t width)
{
    MlcAttr constant = mlc_op_constant(op);
    MlcValue *result = mlc_op_result(op, 0);
    if (constant) {
        MlcType type = mlc_lanes_type(mlc_value_type(result), width);
        MlcAttr value = width ? mlc_dense_attr_splat(type, constant) : constant;
        mlc_clone_map_set(map, result, mlc_build_constant(&v->b, value));
        return;
    }
    if (width && is_fused_product(op))
        return;
    for (size_t i = 0; width && i < 2 && i < mlc_op_num_operands(op); i++) {
        MlcOp *product = fusable_product(op, i);
        if (product) {
            mlc_clone_map_set(map, result, emit_fma(v, map, op, product, i, width));
            return;
        }
    }
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        (void)mapped(v, map, mlc_op_operand(op, i), width);
    MlcOp *wide = mlc_builder_insert(&v->b, mlc_op_clone_without_regions(op, map));
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType element = mlc_value_type(mlc_op_result(op, i));
        mlc_value_set_type(mlc_op_result(wide, i), mlc_lanes_type(element, width));
        mlc_clone_map_set(map, mlc_op_result(op, i), mlc_op_result(wide, i));
    }
}

// The body once, for one vector of the result; `acc` is the output's element, NULL: read it.
static MlcValue *
emit_body(Vectorizer *v, MlcValue *acc, MlcChunk c)
{
    MlcBlock *body = mlc_structured_body(v->op);
    MlcOp *yield = mlc_block_last(body);
    MlcCloneMap *map = mlc_clone_map_create(), *positions = mlc_clone_map_create();
    size_t num_inputs = mlc_structured_num_inputs(v->op);
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        MlcValue *arg = mlc_block_arg(body, i);
        if (mlc_value_has_uses(arg) && !is_only_for_positions(v, arg))
            mlc_clone_map_set(map, arg, acc && i == num_inputs ? acc : operand_value(v, i, c));
    }
    MLC_FOR_EACH_OP (op, body) {
        if (op == yield ||
            (mlc_op_num_results(op) == 1 && is_only_for_positions(v, mlc_op_result(op, 0))))
            continue;
        if (is_extract(op))
            mlc_clone_map_set(map, mlc_op_result(op, 0), emit_extract(v, positions, op, c));
        else
            emit_body_op(v, map, op, c.width);
    }
    MlcValue *result = mapped(v, map, mlc_op_operand(yield, 0), c.width);
    mlc_clone_map_destroy(map);
    mlc_clone_map_destroy(positions);
    return result;
}

// ---- one op

// Sets v->at for point `p` and the chunk; reductions stay where they are.
static void
move_to(Vectorizer *v, int64_t p, MlcChunk c)
{
    int64_t coordinates[MLC_MAX_RANK] = {0};
    MlcAffineMap out = mlc_structured_map(v->op, mlc_structured_num_inputs(v->op));
    point_coordinates(v->tile, p, coordinates);
    if (v->tile->rank)
        coordinates[v->tile->rank - 1] = c.start;
    for (size_t i = 0; i < v->tile->rank; i++)
        v->at[mlc_map_result_dim(out, i)] = mlc_affine_constant(v->ctx, coordinates[i]);
}

static void
emit_points(Vectorizer *v, MlcValue **values)
{
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < v->tile->num_points; p++)
        for (int64_t i = 0; i < v->tile->num_chunks; i++) {
            MlcChunk c = chunk_of(v->tile, i);
            MlcValue **value = &values[p * v->tile->num_chunks + i];
            move_to(v, p, c);
            *value = emit_body(v, *value, c);
        }
}

static int64_t
unroll_factor(Vectorizer *v, int64_t size)
{
    bool is_wide = v->tile->num_chunks >= 4 && mlc_structured_is_contraction(v->op);
    return is_wide && size % 2 == 0 ? 2 : 1;
}

static void emit_reduction(Vectorizer *v, size_t level, MlcValue **values, size_t num_values);
static void emit_block(Vectorizer *v, size_t level, MlcAffineExpr start, MlcValue **values,
                       size_t num_values);

// `size` steps of the reduction from `start` on, and all of those inside: in blocks, or one by one.
static void
emit_steps(Vectorizer *v, size_t level, MlcAffineExpr start, int64_t size, bool in_blocks,
           MlcValue **values, size_t num_values)
{
    size_t loop = v->reductions[level];
    bool is_innermost = level + 1 == v->num_reductions;
    int64_t unroll = is_innermost ? unroll_factor(v, size) : 1;
    MlcBuilder outside = v->b;
    MlcOp *op =
        mlc_build_for(&v->b, 0, size, in_blocks ? v->block.size : unroll, values, num_values);
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcAffineExpr at = mlc_index_values_expr(&v->indices, v->ctx, mlc_block_arg(body, 0));
    at = mlc_affine_add(start, at);
    for (size_t i = 0; i < num_values; i++)
        values[i] = mlc_block_arg(body, i + 1);
    if (in_blocks)
        emit_block(v, level, at, values, num_values);
    for (int64_t u = 0; !in_blocks && u < unroll; u++) {
        v->at[loop] = mlc_affine_add_const(at, u);
        if (is_innermost)
            emit_points(v, values);
        else
            emit_reduction(v, level + 1, values, num_values);
    }
    mlc_scf_yield(&v->b, values, num_values);
    for (size_t i = 0; i < num_values; i++)
        values[i] = mlc_op_result(op, i);
    v->b = outside;
    v->indices.block = NULL;
}

// One block of the sum, from zero, and then added to `values`. Of several short blocks the first
// steps stand before the loop: products are made in less time than zeros are set and added to.
static void
emit_block(Vectorizer *v, size_t level, MlcAffineExpr start, MlcValue **values, size_t num_values)
{
    MlcValue **sums = MLC_NEW_ARRAY(mlc_pass_scratch(v->pass), MlcValue *, num_values);
    for (size_t i = 0; i < num_values; i++) {
        MlcType type = mlc_value_type(values[i]);
        MlcAttr zero = mlc_float_attr_get(mlc_type_element(type), 0);
        bool is_vector = mlc_type_is(type, MLC_TYPE_VECTOR);
        sums[i] = mlc_build_constant(&v->b, is_vector ? mlc_dense_attr_splat(type, zero) : zero);
    }
    int64_t size = v->block.size, first = 0;
    if (level + 1 == v->num_reductions && size <= SHORT_BLOCK &&
        size < v->extent[v->reductions[level]])
        first = unroll_factor(v, size);
    for (int64_t u = 0; u < first; u++) {
        v->at[v->reductions[level]] = mlc_affine_add_const(start, u);
        emit_points(v, sums);
    }
    emit_steps(v, level, mlc_affine_add_const(start, first), size - first, false, sums, num_values);
    for (size_t i = 0; i < num_values; i++)
        values[i] = is_zero(values[i]) ? sums[i] : mlc_arith_addf(&v->b, values[i], sums[i]);
}

static void
emit_reduction(Vectorizer *v, size_t level, MlcValue **values, size_t num_values)
{
    int64_t extent = v->extent[v->reductions[level]];
    MlcAffineExpr zero = mlc_affine_constant(v->ctx, 0);
    bool in_blocks = v->block.size > 0 && v->reductions[level] == v->block.loop;
    if (in_blocks && v->block.size == extent)
        emit_block(v, level, zero, values, num_values);
    else
        emit_steps(v, level, zero, extent, in_blocks, values, num_values);
}

// What the accumulators start from: the output operand's elements.
static void
emit_inits(Vectorizer *v)
{
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < v->tile->num_points; p++)
        for (int64_t i = 0; i < v->tile->num_chunks; i++) {
            MlcChunk c = chunk_of(v->tile, i);
            move_to(v, p, c);
            v->tile->values[p * v->tile->num_chunks + i] =
                operand_value(v, mlc_structured_num_inputs(v->op), c);
        }
}

static void
start_op(Vectorizer *v, MlcOp *op)
{
    v->op = op;
    v->tile = new_tile(v, op);
    v->num_reductions = 0;
    mlc_structured_loop_sizes(op, v->extent);
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    v->channel = v->tile->rank ? mlc_map_result_dim(out, v->tile->rank - 1) : -1;
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++) {
        v->at[i] = mlc_affine_constant(v->ctx, 0);
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL && v->extent[i] != 1)
            v->reductions[v->num_reductions++] = i;
    }
}

// ---- reductions in the lanes: dot products, rows that are summed

// vector.reduction of `vector`, joined with `init` by what `combine` does.
static MlcValue *
reduce_lanes(Vectorizer *v, MlcValue *vector, MlcValue *init, MlcOp *combine)
{
    double neutral;
    MlcStr kind = mlc_str(mlc_combine_kind(combine, &neutral));
    const MlcAttrDef *def = &mlc_vector_kind_attr_def;
    int64_t value = 0;
    for (size_t i = 0; i < def->num_cases; i++)
        if (mlc_str_equal(mlc_str(def->cases[i].name), kind))
            value = def->cases[i].value;
    MlcValue *reduced = mlc_vector_reduction(&v->b, mlc_value_type(init), vector, NULL, value);
    MlcOp *join = mlc_builder_insert(&v->b, mlc_op_clone_without_regions(combine, NULL));
    mlc_op_set_operand(join, 0, init);
    mlc_op_set_operand(join, 1, reduced);
    return mlc_op_result(join, 0);
}

static void
move_to_element(Vectorizer *v, int64_t p, int64_t channel)
{
    move_to(v, p, (MlcChunk){.start = channel});
}

// One step of all elements: `c` lanes of the reduction at v->at. Lanes that are off keep what they
// had.
static void
emit_lanes(Vectorizer *v, MlcValue **values, int64_t channels, MlcChunk c)
{
    MlcValue *mask = mlc_build_mask(&v->b, c);
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < v->tile->num_points; p++)
        for (int64_t i = 0; i < channels; i++) {
            MlcValue **value = &values[p * channels + i], *old = *value;
            move_to_element(v, p, i);
            *value = emit_body(v, old, c);
            if (mask)
                *value = mlc_build_select(&v->b, mask, *value, old);
        }
}

// Loop `level` of the reductions; the lanes' own loop is last, in steps of a vector, and a rest.
static void
emit_lane_loop(Vectorizer *v, size_t level, MlcValue **values, int64_t channels)
{
    size_t loop = v->reductions[level], num_values = (size_t)(v->tile->num_points * channels);
    bool is_lanes = level + 1 == v->num_reductions;
    int64_t step = is_lanes ? v->tile->vector : 1, main = v->extent[loop] / step * step;
    if (main > 0) {
        MlcBuilder outside = v->b;
        MlcOp *op = mlc_build_for(&v->b, 0, main, step, values, num_values);
        MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
        v->at[loop] = mlc_index_values_expr(&v->indices, v->ctx, mlc_block_arg(body, 0));
        for (size_t i = 0; i < num_values; i++)
            values[i] = mlc_block_arg(body, i + 1);
        if (is_lanes)
            emit_lanes(v, values, channels, (MlcChunk){.lanes = step, .width = step});
        else
            emit_lane_loop(v, level + 1, values, channels);
        mlc_scf_yield(&v->b, values, num_values);
        for (size_t i = 0; i < num_values; i++)
            values[i] = mlc_op_result(op, i);
        v->b = outside;
        v->indices.block = NULL;
    }
    if (main < v->extent[loop]) {
        v->at[loop] = mlc_affine_constant(v->ctx, main);
        emit_lanes(v, values, channels, (MlcChunk){.lanes = v->extent[loop] - main, .width = step});
    }
}

// The elements of the result, reduced and joined with what they start from, as the tile's vectors.
static void
finish_lanes(Vectorizer *v, MlcValue *const *values, int64_t channels, MlcOp *combine)
{
    Tile *t = v->tile;
    mlc_vec_clear(&v->reads);
    v->channel = -1;
    for (int64_t p = 0; p < t->num_points; p++)
        for (int64_t i = 0; i < t->num_chunks; i++) {
            MlcChunk c = chunk_of(t, i);
            MlcValue *lanes[1024];
            for (int64_t k = 0; k < (c.width ? c.width : 1); k++) {
                if (k >= c.lanes) {
                    lanes[k] = lanes[0];
                    continue;
                }
                move_to_element(v, p, c.start + k);
                MlcValue *init =
                    operand_value(v, mlc_structured_num_inputs(v->op), (MlcChunk){.lanes = 1});
                lanes[k] = reduce_lanes(v, values[p * channels + c.start + k], init, combine);
            }
            MlcType type = mlc_lanes_type(t->element, c.width);
            t->values[p * t->num_chunks + i] =
                c.width ? mlc_vector_from_elements(&v->b, type, lanes, (size_t)c.width) : lanes[0];
        }
}

static void
emit_lane_reduction(Vectorizer *v, int loop, MlcOp *combine)
{
    int64_t channels = v->tile->rank ? v->tile->shape[v->tile->rank - 1] : 1;
    size_t n = (size_t)(v->tile->num_points * channels), last = 0;
    MlcValue **values = MLC_NEW_ARRAY(mlc_pass_scratch(v->pass), MlcValue *, n);
    double neutral = 0;
    (void)mlc_combine_kind(combine, &neutral);
    MlcValue *start = mlc_type_is_float(v->tile->element)
                          ? mlc_build_float(&v->b, v->tile->element, neutral)
                          : mlc_build_int(&v->b, v->tile->element, (int64_t)neutral);
    start = mlc_build_splat(&v->b, start, v->tile->vector);
    for (size_t i = 0; i < n; i++)
        values[i] = start;
    for (size_t i = 0; i < v->num_reductions; i++) // the lanes' loop goes innermost
        if (v->reductions[i] != (size_t)loop)
            v->reductions[last++] = v->reductions[i];
    v->reductions[last] = (size_t)loop;
    v->num_reductions = last + 1;
    v->channel = loop;
    emit_lane_loop(v, 0, values, channels);
    finish_lanes(v, values, channels, combine);
}

// ---- ops computed in groups

typedef struct Window {
    Vectorizer *v;
    MlcChunk chunk;
    int64_t sizes[MLC_MAX_LOOPS]; // iterations of the reductions, in order
} Window;

// Element `i` of the window, row-major over the reductions.
static MlcValue *
read_window(void *user, size_t i)
{
    Window *w = user;
    Vectorizer *v = w->v;
    for (size_t k = v->num_reductions; k-- > 0;) {
        size_t loop = v->reductions[k];
        v->at[loop] = mlc_affine_constant(v->ctx, (int64_t)i % w->sizes[loop]);
        i /= (size_t)w->sizes[loop];
    }
    return operand_value(v, 0, w->chunk);
}

// The tile is one group along all dimensions but the last.
static void
emit_group(Vectorizer *v)
{
    Tile *t = v->tile;
    MlcArena *scratch = mlc_pass_scratch(v->pass);
    MlcValue **column = MLC_NEW_ARRAY(scratch, MlcValue *, (size_t)t->num_points);
    Window w = {.v = v};
    (void)mlc_op_is_static_tiling(v->op, w.sizes);
    mlc_vec_clear(&v->reads);
    for (int64_t i = 0; i < t->num_chunks; i++) {
        w.chunk = chunk_of(t, i);
        move_to(v, 0, w.chunk);
        mlc_tiling(v->op)->emit(v->op, &v->b, read_window, &w, column);
        for (int64_t p = 0; p < t->num_points; p++)
            t->values[p * t->num_chunks + i] = column[p];
    }
}

// ---- long bodies, row by row

// Whether `op` reads a tile whose elements are long sums: next to those a loop's end, which the
// processor guesses wrong, is nothing.
static bool
reads_long_sums(Vectorizer *v, MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        const Tile *t = mlc_map_get(&v->tiles, value);
        if (t && !mlc_tiling(t->op) && mlc_structured_reduction_size(t->op) >= LONG_SUM)
            return true;
    }
    return false;
}

// The dimension of the tile that a loop runs along, its body computing the others; -1: all are
// unrolled. A function such as erf is a chain of tens of ops. As many chains as a tile has vectors
// leave no registers for constants and sums, and spill (docs/internals/schedule.md).
static int
rolled_dimension(Vectorizer *v, MlcOp *op)
{
    const Tile *t = v->tile;
    MlcBlock *body = mlc_structured_body(op);
    if (v->num_reductions || mlc_op_body_cycles(op, mlc_pass_target(v->pass)) < LONG_BODY ||
        mlc_value_has_uses(mlc_block_arg(body, mlc_structured_num_inputs(op))) ||
        !reads_long_sums(v, op))
        return -1;
    for (size_t i = 0; i + 1 < t->rank; i++)
        if (t->shape[i] > 1)
            return (int)i;
    return -1;
}

static void
emit_rolled(Vectorizer *v, int dimension)
{
    Tile *t = v->tile;
    MlcWindow w = whole_tile(v, t);
    MlcAffineMap out = mlc_structured_map(v->op, mlc_structured_num_inputs(v->op));
    MlcValue *dest = destination(v, v->op);
    MlcBuilder outside = v->b;
    MlcOp *loop = mlc_build_for(&v->b, 0, t->shape[dimension], 1, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcAffineExpr row = mlc_index_values_expr(&v->indices, v->ctx, mlc_block_arg(body, 0));
    dest = mlc_block_arg(body, 1);
    mlc_vec_clear(&v->reads);
    for (int64_t p = 0; p < t->num_points; p++) {
        int64_t coordinates[MLC_MAX_RANK] = {0};
        point_coordinates(t, p, coordinates);
        for (int64_t i = 0; coordinates[dimension] == 0 && i < t->num_chunks; i++) {
            MlcChunk c = chunk_of(t, i);
            MlcAffineExpr index[MLC_MAX_RANK];
            move_to(v, p, c);
            v->at[mlc_map_result_dim(out, (size_t)dimension)] = row;
            for (size_t d = 0; d < t->rank; d++)
                index[d] = v->at[mlc_map_result_dim(out, d)];
            dest = write_vector(v, t, emit_body(v, NULL, c), index, c, dest, &w);
        }
    }
    mlc_scf_yield(&v->b, &dest, 1);
    v->b = outside;
    v->indices.block = NULL;
    t->memory = mlc_op_result(loop, 0);
}

static void
vectorize_op(Vectorizer *v, MlcOp *op)
{
    MlcOp *combine;
    int lane_loop = mlc_structured_lane_loop(op, &combine), rolled;
    start_op(v, op);
    mlc_builder_before(&v->b, op);
    size_t n = (size_t)(v->tile->num_points * v->tile->num_chunks);
    v->tile->values = MLC_NEW_ARRAY(mlc_pass_scratch(v->pass), MlcValue *, n);
    memset(v->tile->values, 0, n * sizeof(MlcValue *));
    v->indices.block = NULL;
    if (mlc_tiling(op)) {
        emit_group(v);
    } else if (lane_loop >= 0) {
        emit_lane_reduction(v, lane_loop, combine);
    } else if (v->num_reductions) {
        emit_inits(v);
        v->block = mlc_sum_block(op);
        emit_reduction(v, 0, v->tile->values, n);
    } else if ((rolled = rolled_dimension(v, op)) >= 0) {
        v->tile->values = NULL;
        emit_rolled(v, rolled);
    } else {
        emit_points(v, v->tile->values);
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
why_not_body(Vectorizer *v, MlcOp *op, int channel)
{
    MlcBlock *body = mlc_structured_body(op);
    analyze_body(v, op, channel);
    MLC_FOR_EACH_OP (inner, body) {
        if (inner == mlc_block_last(body) || mlc_op_constant(inner))
            continue;
        bool is_address =
            mlc_op_num_results(inner) == 1 && is_only_for_positions(v, mlc_op_result(inner, 0));
        if (is_extract(inner) && !is_address) {
            if (!is_vector_element(mlc_value_type(mlc_op_result(inner, 0))))
                return "its body reads elements that are no integers or floats";
            if (!is_vector_extract(v, op, inner))
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
why_not_group(Vectorizer *v, MlcOp *op)
{
    int64_t group[MLC_MAX_LOOPS], points = 1;
    if (!mlc_op_is_static_tiling(op, group))
        return "it has dynamic shapes, or cannot be computed in groups";
    Tile *t = new_tile(v, op);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (mlc_structured_iterator(op, i) == MLC_ITERATOR_PARALLEL)
            points *= group[i];
    if (t->num_points != points || t->num_points * t->num_chunks > MAX_VALUES)
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
why_not(Vectorizer *v, MlcOp *op)
{
    if (mlc_tiling(op))
        return why_not_group(v, op);
    if (!mlc_op_is_static_structured(op))
        return "it has dynamic shapes, no iterations, more than one result, or is not on tensors";
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
    Tile *t = new_tile(v, op);
    if (mlc_structured_lane_loop(op, &combine) >= 0 && t->rank &&
        t->num_points * t->shape[t->rank - 1] > MAX_VALUES)
        return "its tile needs more than 64 dot products; tile it first";
    if (t->num_points * t->num_chunks > MAX_VALUES)
        return "its tile needs more than 64 vectors; tile it first";
    int channel = t->rank ? mlc_map_result_dim(out, t->rank - 1) : -1;
    bool has_lanes = channel >= 0 && t->shape[t->rank - 1] > 1 &&
                     mlc_structured_lane_loop(op, &combine) < 0; // along the result
    for (size_t i = 0; i < mlc_structured_num_inputs(op) && has_lanes; i++)
        if (!walks_evenly(mlc_structured_map(op, i), (unsigned)channel, t->vector))
            return "an operand does not go on evenly along the result's last dimension";
    return why_not_body(v, op, channel);
}

static void
vectorize_insert(Vectorizer *v, MlcOp *insert)
{
    Tile *t = mlc_map_get(&v->tiles, mlc_op_operand(insert, 0));
    MlcWindow w;
    if (!t || !t->values || !mlc_window_of_slice(insert, 2, &v->indices, &w))
        return;
    mlc_builder_before(&v->b, insert);
    v->indices.block = NULL;
    MlcValue *dest = write_tile(v, t, mlc_op_operand(insert, 1), &w);
    mlc_op_replace(insert, &dest, 1);
}

// Consumers first, so that what remains of uses is by ops that are not vectorised: these get a
// tensor.
static void
erase_done(Vectorizer *v)
{
    while (v->done.size) {
        MlcOp *op = mlc_vec_pop(&v->done);
        MlcValue *result = mlc_op_result(op, 0);
        Tile *t = mlc_map_get(&v->tiles, result);
        if (mlc_value_has_uses(result))
            mlc_value_replace_uses(result, tile_memory(v, t));
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
vectorize_block(Vectorizer *v, MlcBlock *block)
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
    Vectorizer v = {.pass = pass, .ctx = mlc_op_context(root)};
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
