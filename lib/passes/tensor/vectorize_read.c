// vectorize_read.c -- tiles of vectors, and how they come out of tensors and go into them.
//
// An operand that runs along the last dimension of the result is read as a vector, one that does
// not is read as a scalar and broadcast, one that runs along another loop in squares that are
// transposed. What an op before computed is taken from its tile. Slices are read through: positions
// are added up.
#include "schedule.h"
#include "vectorize.h"

#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/tensor.h"
#include "mlc/dialects/vector.h"

enum { LEAST_DOTS = 4 }; // lanes of the shortest instruction for dot products of bytes
static const int64_t MOST_ELEMENTS = INT64_MAX / 2; // of a tile that is counted

MlcChunk
mlc_vectorize_chunk(const MlcVectorTile *t, int64_t i)
{
    if (t->rank == 0)
        return (MlcChunk){.lanes = 1};
    if (t->count)
        return (MlcChunk){.lanes = t->vector, .width = t->vector, .count = t->count};
    MlcChunk c = {.start = i * t->vector};
    int64_t rest = t->shape[t->rank - 1] - c.start;
    c.lanes = rest < t->vector ? rest : t->vector;
    for (c.width = t->min_width; c.width < c.lanes;)
        c.width *= 2;
    return c;
}

// A last dimension of dynamic size is a vector of which `count` lanes are there.
static bool
bound_last(MlcVectorizer *v, MlcVectorTile *t, MlcOp *op, size_t dim)
{
    if (dim + 1 != t->rank)
        return false;
    mlc_builder_before(&v->b, op);
    t->count = mlc_size_value(&v->b, mlc_op_result(op, 0), dim);
    int64_t bound = mlc_size_bound(t->count);
    t->shape[dim] = t->vector;
    return bound != MLC_DYNAMIC && bound <= t->vector && t->vector > 1;
}

MlcVectorTile *
mlc_vectorize_new_tile(MlcVectorizer *v, MlcOp *op)
{
    MlcArena *scratch = mlc_pass_scratch(v->pass);
    MlcVectorTile *t = MLC_NEW(scratch, MlcVectorTile);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    *t = (MlcVectorTile){.op = op, .rank = mlc_type_rank(type), .num_points = 1, .num_chunks = 1};
    t->element = mlc_type_element(type);
    t->vector = mlc_vector_length(op, mlc_pass_target(v->pass));
    int64_t all = 1;
    for (size_t i = 0; i < t->rank; i++) {
        t->shape[i] = mlc_type_dim(type, i);
        if (t->shape[i] == MLC_DYNAMIC && !bound_last(v, t, op, i))
            return NULL;
        if (t->shape[i] > MOST_ELEMENTS || __builtin_mul_overflow(all, t->shape[i], &all))
            return NULL;
        if (i + 1 < t->rank)
            t->num_points *= t->shape[i];
        else
            t->num_chunks = (t->shape[i] + t->vector - 1) / t->vector;
    }
    // Beside full vectors a masked one costs no more than a shorter one, and registers of one size
    // are what LLVM allocates well: with both it spilled accumulators of 3 full and one short one.
    bool is_masked = mlc_pass_target(v->pass)->has_masks && t->num_chunks > 1;
    t->min_width = is_masked ? t->vector : mlc_structured_dot_loop(op) >= 0 ? LEAST_DOTS : 1;
    return t;
}

void
mlc_vectorize_point(const MlcVectorTile *t, int64_t p, int64_t *coordinates)
{
    for (size_t i = t->rank; i-- > 1;) {
        coordinates[i - 1] = p % t->shape[i - 1];
        p /= t->shape[i - 1];
    }
}

// ---- reading and writing tensors

static void
index_values(MlcVectorizer *v, const MlcAffineExpr *index, size_t rank, MlcValue **values)
{
    for (size_t i = 0; i < rank; i++)
        values[i] = mlc_index_values_at(&v->indices, &v->b, index[i]);
}

// Turns a position in a slice into one in the tensor behind `w`; `shape` is the slice's, which may
// leave out 1s.
static size_t
position_in_source(const MlcWindow *w, MlcType slice, MlcAffineExpr *index)
{
    MlcAffineExpr inner[MLC_SMALL_RANK];
    size_t rank = mlc_type_rank(slice), j = 0;
    memcpy(inner, index, rank * sizeof *index);
    for (size_t i = 0; i < w->rank; i++) {
        index[i] = w->offsets[i];
        if (j < rank && mlc_type_dim(slice, j) == w->sizes[i])
            index[i] = mlc_affine_add(index[i], inner[j++]);
    }
    return w->rank;
}

MlcValue *
mlc_vectorize_write(MlcVectorizer *v, const MlcVectorTile *t, MlcValue *value,
                    const MlcAffineExpr *index, MlcChunk c, MlcValue *dest, const MlcWindow *w)
{
    MlcAffineExpr at[MLC_SMALL_RANK];
    MlcValue *values[MLC_SMALL_RANK];
    memcpy(at, index, t->rank * sizeof *at);
    size_t rank = position_in_source(w, mlc_value_type(mlc_op_result(t->op, 0)), at);
    index_values(v, at, rank, values);
    return c.width ? mlc_build_transfer_write(&v->b, value, dest, values, rank, c)
                   : mlc_tensor_insert(&v->b, value, dest, values, rank);
}

MlcValue *
mlc_vectorize_write_tile(MlcVectorizer *v, const MlcVectorTile *t, MlcValue *dest,
                         const MlcWindow *w, bool at_once)
{
    MlcOp *last = NULL;
    for (int64_t p = 0; p < t->num_points; p++)
        for (int64_t i = 0; i < t->num_chunks; i++) {
            int64_t coordinates[MLC_SMALL_RANK] = {0};
            MlcAffineExpr index[MLC_SMALL_RANK];
            MlcChunk c = mlc_vectorize_chunk(t, i);
            mlc_vectorize_point(t, p, coordinates);
            if (t->rank)
                coordinates[t->rank - 1] = c.start;
            for (size_t d = 0; d < t->rank; d++)
                index[d] = mlc_affine_constant(v->ctx, coordinates[d]);
            MlcValue *value = t->values[p * t->num_chunks + i];
            MlcOp *def = mlc_value_def(value);
            if (at_once)
                mlc_builder_after(&v->b, last && mlc_op_is_before(def, last) ? last : def);
            dest = mlc_vectorize_write(v, t, value, index, c, dest, w);
            last = mlc_value_def(dest);
        }
    return dest;
}

MlcWindow
mlc_vectorize_whole_tile(MlcVectorizer *v, const MlcVectorTile *t)
{
    MlcWindow w = {.rank = t->rank};
    for (size_t i = 0; i < t->rank; i++) {
        w.offsets[i] = mlc_affine_constant(v->ctx, 0);
        w.sizes[i] = mlc_type_dim(mlc_value_type(mlc_op_result(t->op, 0)), i);
        if (w.sizes[i] == MLC_DYNAMIC)
            w.extents[i] = mlc_index_values_expr(&v->indices, v->ctx, t->count);
    }
    return w;
}

MlcValue *
mlc_vectorize_destination(MlcVectorizer *v, MlcOp *op)
{
    MlcValue *dest = mlc_op_operand(op, mlc_structured_num_inputs(op));
    for (MlcVectorTile *init; (init = mlc_map_get(&v->tiles, dest)) && !init->memory;)
        dest = mlc_op_operand(init->op, mlc_structured_num_inputs(init->op));
    return dest;
}

MlcValue *
mlc_vectorize_memory(MlcVectorizer *v, MlcVectorTile *t)
{
    if (t->memory)
        return t->memory;
    MlcValue *dest = mlc_vectorize_destination(v, t->op);
    MlcBuilder saved = v->b;
    mlc_builder_before(&v->b, t->op);
    v->indices.block = NULL;
    MlcWindow w = mlc_vectorize_whole_tile(v, t);
    t->memory = mlc_vectorize_write_tile(v, t, dest, &w, false);
    v->b = saved;
    v->indices.block = NULL;
    return t->memory;
}

// ---- operands

// The tensor that really holds `value`, seen through slices; `index` becomes a position in it.
static MlcValue *
memory_of(MlcVectorizer *v, MlcValue *value, MlcAffineExpr *index, size_t *rank)
{
    for (;;) {
        MlcVectorTile *t = mlc_map_get(&v->tiles, value);
        MlcOp *def = mlc_value_def(value);
        MlcWindow w;
        if (t)
            return mlc_vectorize_memory(v, t);
        if (!mlc_tensor_extract_slice_isa(def) || !mlc_window_of_slice(def, 1, &v->indices, &w))
            return value;
        *rank = position_in_source(&w, mlc_value_type(value), index);
        value = mlc_op_operand(def, 0);
    }
}

static MlcValue *
gather(MlcVectorizer *v, MlcValue *source, const MlcAffineExpr *index, const MlcAffineExpr *step,
       size_t rank, MlcChunk c)
{
    MlcValue *lanes[MLC_MAX_LANES], *values[MLC_SMALL_RANK];
    for (int64_t i = 0; i < c.width; i++) {
        MlcAffineExpr at[MLC_SMALL_RANK];
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
channel_step(MlcVectorizer *v, MlcAffineMap map, MlcAffineExpr *step, bool *is_uniform)
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
read_tensor(MlcVectorizer *v, MlcValue *value, MlcAffineMap map, const MlcAffineExpr *position,
            MlcChunk c)
{
    MlcAffineExpr index[MLC_SMALL_RANK], step[MLC_SMALL_RANK];
    MlcValue *values[MLC_SMALL_RANK];
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
read_tile(MlcVectorizer *v, const MlcVectorTile *t, MlcAffineMap map, const MlcAffineExpr *position,
          MlcChunk c)
{
    MlcAffineExpr step[MLC_SMALL_RANK];
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
    MlcChunk have = mlc_vectorize_chunk(t, at / t->vector);
    bool fits = is_vector && t->vector == v->tile->vector && at % t->vector == 0;
    return fits && have.width == c.width && have.count == c.count ? value : NULL;
}

static MlcValue *
find_read(MlcVectorizer *v, size_t operand, const MlcAffineExpr *index, size_t rank, int64_t width)
{
    for (size_t i = 0; i < v->reads.size; i++) {
        const MlcVectorRead *read = &v->reads.data[i];
        if (read->operand == operand && read->rank == rank && read->width == width &&
            memcmp(read->index, index, rank * sizeof *index) == 0)
            return read->value;
    }
    return NULL;
}

// The position of operand `i` at v->at.
static void
operand_index(MlcVectorizer *v, size_t i, MlcAffineExpr *index)
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
read_square(MlcVectorizer *v, size_t operand, MlcChunk c)
{
    MlcValue *value = mlc_op_operand(v->op, operand), *rows[MLC_MAX_TILE_VECTORS];
    int loop = mlc_structured_transposed_loop(v->op, operand, v->channel);
    int64_t at, start = 0;
    if (loop < 0 || c.count || v->extent[loop] == MLC_DYNAMIC || c.width < 4 ||
        c.width > MLC_MAX_TILE_VECTORS || !mlc_affine_is_constant(v->at[loop], &at))
        return false;
    MlcAffineExpr along = v->at[loop], channel = v->at[v->channel];
    MlcChunk row = {.start = at / c.width * c.width, .width = c.width};
    row.lanes = v->extent[loop] - row.start < c.width ? v->extent[loop] - row.start : c.width;
    if (row.lanes < 2 || (row.lanes < c.width && !mlc_pass_target(v->pass)->has_masks))
        return false;
    for (int64_t k = 0; k < c.width; k++) {
        MlcAffineExpr index[MLC_SMALL_RANK];
        MlcValue *values[MLC_SMALL_RANK];
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
        MlcVectorRead read = {.operand = operand, .width = c.width, .value = rows[start]};
        read.rank = mlc_affine_map_num_results(mlc_structured_map(v->op, operand));
        v->at[loop] = mlc_affine_constant(v->ctx, row.start + start);
        operand_index(v, operand, read.index);
        mlc_vec_push(&v->reads, read);
    }
    v->at[loop] = along;
    return true;
}

// The tensor with its last two dimensions seen as one, where more neighbours are read than the last
// one holds; made where the tensor is, outside of all loops.
static MlcValue *
join_runs(MlcVectorizer *v, MlcValue *source, MlcChunk c, MlcAffineExpr *index, size_t *rank)
{
    MlcTensorShape old, joined = {0};
    size_t group[MLC_SMALL_RANK], n = *rank;
    MlcType type = mlc_value_type(source);
    if (n < 2 || c.width <= mlc_type_dim(type, n - 1))
        return source;
    MlcBuilder b = v->b;
    if (mlc_value_def(source))
        mlc_builder_after(&b, mlc_value_def(source));
    else
        mlc_builder_before(&b, mlc_block_first(mlc_value_block(source)));
    mlc_build_shape_of(&b, source, &old);
    joined = old;
    joined.rank = n - 1;
    joined.dims[n - 2] *= old.dims[n - 1];
    for (size_t i = 0; i < n; i++)
        group[i] = i < n - 1 ? i : n - 2;
    index[n - 2] =
        mlc_affine_add(mlc_affine_mul_const(index[n - 2], old.dims[n - 1]), index[n - 1]);
    *rank = n - 1;
    return mlc_build_collapse_to(&b, source, group, &joined);
}

MlcValue *
mlc_vectorize_neighbours(MlcVectorizer *v, size_t i, MlcChunk c)
{
    MlcAffineMap map = mlc_structured_map(v->op, i);
    MlcVectorRead read = {.operand = i, .rank = mlc_affine_map_num_results(map), .width = c.width};
    MlcAffineExpr index[MLC_SMALL_RANK];
    MlcValue *values[MLC_SMALL_RANK];
    size_t rank = read.rank;
    operand_index(v, i, read.index);
    read.value = find_read(v, i, read.index, read.rank, c.width);
    if (read.value)
        return read.value;
    memcpy(index, read.index, rank * sizeof *index);
    MlcValue *source = memory_of(v, mlc_op_operand(v->op, i), index, &rank);
    source = join_runs(v, source, c, index, &rank);
    index_values(v, index, rank, values);
    read.value = mlc_build_transfer_read(&v->b, source, values, rank, c);
    mlc_vec_push(&v->reads, read);
    return read.value;
}

static MlcAffineMap
last_two(MlcContext *ctx, size_t rank)
{
    unsigned loops[] = {(unsigned)rank - 2, (unsigned)rank - 1};
    return mlc_map_of_loops(ctx, (unsigned)rank, loops, 2);
}

static MlcAttr
both_in_bounds(MlcContext *ctx)
{
    MlcAttr inside[] = {mlc_bool_attr_get(ctx, true), mlc_bool_attr_get(ctx, true)};
    return mlc_array_attr_get(ctx, inside, 2);
}

// Every `step`-th row of a matrix, as a matrix of its own.
static MlcValue *
take_rows(MlcVectorizer *v, MlcValue *source, MlcValue *const *at, size_t rank,
          const int64_t shape[2], int64_t step)
{
    int64_t offsets[MLC_SMALL_RANK], sizes[MLC_SMALL_RANK], strides[MLC_SMALL_RANK];
    for (size_t i = 0; i < rank; i++) {
        offsets[i] = MLC_DYNAMIC;
        sizes[i] = i + 2 < rank ? 1 : shape[i + 2 - rank];
        strides[i] = i + 2 == rank ? step : 1;
    }
    MlcType type = mlc_tensor_type_get(mlc_type_element(mlc_value_type(source)), shape, 2, NULL);
    return mlc_tensor_extract_slice(&v->b, type, source, at, rank, NULL, 0, NULL, 0, offsets, rank,
                                    sizes, rank, strides, rank);
}

MlcValue *
mlc_vectorize_matrix(MlcVectorizer *v, size_t i, const int64_t shape[2], int64_t step)
{
    MlcAffineMap map = mlc_structured_map(v->op, i);
    MlcVectorRead read = {.operand = i, .rank = mlc_affine_map_num_results(map)};
    MlcAffineExpr index[MLC_SMALL_RANK];
    MlcValue *values[MLC_SMALL_RANK];
    size_t rank = read.rank;
    read.width = shape[0] * shape[1];
    operand_index(v, i, read.index);
    read.value = find_read(v, i, read.index, read.rank, read.width);
    if (read.value)
        return read.value;
    memcpy(index, read.index, rank * sizeof *index);
    MlcValue *source = memory_of(v, mlc_op_operand(v->op, i), index, &rank);
    source = join_runs(v, source, (MlcChunk){.width = shape[1]}, index, &rank);
    index_values(v, index, rank, values);
    if (step != 1) {
        source = take_rows(v, source, values, rank, shape, step);
        values[0] = values[1] = mlc_build_index(&v->b, 0);
        rank = 2;
    }
    MlcType element = mlc_type_element(mlc_value_type(source)),
            type = mlc_vector_type_get(element, shape, 2, NULL);
    read.value = mlc_vector_transfer_read(&v->b, type, source, values, rank,
                                          mlc_build_int(&v->b, element, 0), NULL,
                                          last_two(v->ctx, rank), both_in_bounds(v->ctx));
    mlc_vec_push(&v->reads, read);
    return read.value;
}

bool
mlc_vectorize_has_panel(MlcVectorizer *v, size_t i, int64_t channels)
{
    MlcAffineExpr index[MLC_SMALL_RANK];
    size_t rank = mlc_affine_map_num_results(mlc_structured_map(v->op, i));
    int64_t first;
    operand_index(v, i, index);
    MlcValue *source = memory_of(v, mlc_op_operand(v->op, i), index, &rank);
    return rank >= 3 && rank == mlc_type_rank(mlc_value_type(source)) &&
           mlc_affine_is_constant(index[rank - 2], &first) &&
           first + channels <= mlc_type_dim(mlc_value_type(source), rank - 2);
}

MlcValue *
mlc_vectorize_write_matrix(MlcVectorizer *v, MlcValue *matrix, const MlcAffineExpr *index,
                           MlcValue *dest)
{
    MlcValue *values[MLC_SMALL_RANK];
    size_t rank = mlc_type_rank(mlc_value_type(dest));
    index_values(v, index, rank, values);
    MlcOp *write =
        mlc_vector_transfer_write(&v->b, mlc_value_type(dest), matrix, dest, values, rank, NULL,
                                  last_two(v->ctx, rank), both_in_bounds(v->ctx));
    return mlc_op_result(write, 0);
}

MlcValue *
mlc_vectorize_operand(MlcVectorizer *v, size_t i, MlcChunk c)
{
    MlcValue *value = mlc_op_operand(v->op, i);
    MlcAffineMap map = mlc_structured_map(v->op, i);
    MlcVectorRead read = {.operand = i, .rank = mlc_affine_map_num_results(map), .width = c.width};
    operand_index(v, i, read.index);
    MlcValue *known = find_read(v, i, read.index, read.rank, c.width);
    if (known)
        return known;
    MlcVectorTile *t = mlc_map_get(&v->tiles, value);
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
