// gpu_matrix_fma.c -- products of f32 by fused multiply and add, a small tile a thread.
//
// A warp is 4 lanes along rows by 8 along columns. Four steps of the depth are read at once, by
// vectors: along the depth where that is contiguous in memory, then a lane's rows are 4 apart (its
// columns 8), so that neighbours in memory are read by neighbours; else along rows (columns), four
// by four.
#include "gpu_matrix.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/math.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/vector.h"

enum { VECTOR = 4 };
static const int64_t lanes[2] = {4, 8}; // of a warp, along rows and columns

// Rows or columns of a warp, and of a thread.
static int64_t
warp_size(const Schedule *s, size_t side)
{
    return s->tile[side] / s->warps[side];
}

static int64_t
thread_size(const Schedule *s, size_t side)
{
    return warp_size(s, side) / lanes[side];
}

static bool
fits(const Product *p, const Schedule *s)
{
    for (size_t i = 0; i < 2; i++)
        if (!mlc_type_is(p->element[i], MLC_TYPE_FLOAT) ||
            mlc_float_type_kind(p->element[i]) != MLC_FLOAT_F32 ||
            warp_size(s, i) % (VECTOR * lanes[i]) != 0)
            return false;
    return s->tile[2] % VECTOR == 0;
}

static size_t
num_sums(const Schedule *s)
{
    return (size_t)(thread_size(s, 0) * thread_size(s, 1));
}

static MlcType
sum_type(MlcType element)
{
    return element;
}

// A lane's number along a side.
static MlcValue *
lane_along(ProductKernel *k, size_t side)
{
    return side == 0 ? gpu_divide(k->b, k->lane, lanes[1]) : gpu_modulo(k->b, k->lane, lanes[1]);
}

// Row or column `i` of a thread, in the block's tile.
static MlcValue *
place_of(ProductKernel *k, size_t side, int64_t i)
{
    MlcBuilder *b = k->b;
    MlcValue *first = gpu_scale(b, k->warp[side], warp_size(&k->schedule, side)),
             *lane = lane_along(k, side);
    if (k->tiles[side].is_depth_inner)
        return gpu_add(b, mlc_arith_addi(b, first, lane), i * lanes[side]);
    lane = gpu_scale(b, lane, VECTOR);
    return gpu_add(b, mlc_arith_addi(b, first, lane),
                   i / VECTOR * VECTOR * lanes[side] + i % VECTOR);
}

// values[4 * i + d]: of the thread's row (column) i, at depth + d.
static void
load_factor(ProductKernel *k, size_t side, MlcValue *slot, MlcValue *depth, MlcValueVec *values)
{
    MlcBuilder *b = k->b;
    const Tile *t = &k->tiles[side];
    int64_t count = thread_size(&k->schedule, side), length = VECTOR;
    MlcType type = mlc_vector_type_get(t->element, &length, 1, NULL);
    mlc_vec_clear(values);
    for (int64_t i = 0; i < count * VECTOR; i++)
        mlc_vec_push(values, NULL);
    for (int64_t n = 0; n < count; n++) {
        // Vector n: of row n, or of four rows at one depth.
        int64_t row = t->is_depth_inner ? n : n / VECTOR * VECTOR, d = n % VECTOR;
        MlcValue *at = t->is_depth_inner ? depth : gpu_add(b, depth, d), *place[3];
        gpu_tile_place(b, t, slot, place_of(k, side, row), at, place);
        MlcValue *vector = mlc_vector_load(b, type, t->memory, place, 3);
        for (int64_t e = 0; e < VECTOR; e++) {
            MlcValue *value = mlc_vector_extract(b, t->element, vector, NULL, 0, &e, 1);
            values->data[t->is_depth_inner ? VECTOR * row + e : VECTOR * (row + e) + d] = value;
        }
    }
}

// Four steps of the depth, of stage slots[0] of the rows and slots[1] of the columns.
static void
multiply(ProductKernel *k, MlcValue *const slots[2], MlcValue *at, MlcValue **sums)
{
    const Schedule *s = &k->schedule;
    int64_t rows = thread_size(s, 0), columns = thread_size(s, 1);
    MlcValueVec left = {0}, right = {0};
    load_factor(k, 0, slots[0], at, &left);
    load_factor(k, 1, slots[1], at, &right);
    for (int64_t d = 0; d < VECTOR; d++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < columns; j++)
                sums[i * columns + j] =
                    mlc_math_fma(k->b, left.data[VECTOR * i + d], right.data[VECTOR * j + d],
                                 sums[i * columns + j]);
    mlc_vec_release(&left);
    mlc_vec_release(&right);
}

static void
step(ProductKernel *k, MlcValue *const slots[2], MlcValue **sums)
{
    for (int64_t depth = 0; depth < k->schedule.tile[2]; depth += VECTOR)
        multiply(k, slots, mlc_build_index(k->b, depth), sums);
}

// Four rows go to the banks at once, neighbours or four apart. Four neighbouring columns are one
// access, which must be aligned.
static int64_t
gap(const ProductKernel *k)
{
    return !k->tiles[0].is_depth_inner && k->tiles[1].is_depth_inner ? 2 : 8;
}

// Writes one sum, or as many as are neighbours.
static void
put_row(ProductKernel *k, MlcValue *memory, MlcValue *const *place, size_t rank,
        MlcValue *const *sums)
{
    MlcBuilder *b = k->b;
    int64_t length = VECTOR;
    if (k->tiles[1].is_depth_inner) {
        mlc_memref_store(b, sums[0], memory, place, rank);
        return;
    }
    MlcType type = mlc_vector_type_get(mlc_value_type(sums[0]), &length, 1, NULL);
    MlcValue *vector = mlc_build_float(b, type, 0);
    for (int64_t e = 0; e < length; e++)
        vector = mlc_vector_insert(b, sums[e], vector, NULL, 0, &e, 1);
    mlc_vector_store(b, vector, memory, place, rank);
}

// Columns that are written together, for they are neighbours.
static int64_t
neighbours(const ProductKernel *k)
{
    return k->tiles[1].is_depth_inner ? 1 : VECTOR;
}

static void
store(ProductKernel *k, MlcValue *memory, MlcValue *const *sums)
{
    int64_t rows = thread_size(&k->schedule, 0), columns = thread_size(&k->schedule, 1);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j += neighbours(k)) {
            MlcValue *place[2] = {place_of(k, 0, i), place_of(k, 1, j)};
            put_row(k, memory, place, 2, &sums[i * columns + j]);
        }
}

// --- sums as a factor

static size_t
num_rows(const Schedule *s)
{
    return (size_t)thread_size(s, 0);
}

static MlcValue *
row_place(ProductKernel *k, size_t row)
{
    return place_of(k, 0, (int64_t)row);
}

static size_t
element_row(const Schedule *s, size_t i, size_t e)
{
    (void)e;
    return i / (size_t)thread_size(s, 1);
}

static MlcValue *
element_column(ProductKernel *k, size_t i, size_t e)
{
    (void)e;
    return place_of(k, 1, (int64_t)i % thread_size(&k->schedule, 1));
}

// Into the rows' factor.
static void
put_left(ProductKernel *k, ProductKernel *from, MlcValue *zero, MlcValue *const *left)
{
    const Tile *t = &k->tiles[0];
    int64_t rows = thread_size(&from->schedule, 0), columns = thread_size(&from->schedule, 1);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j += neighbours(from)) {
            MlcValue *place[3];
            gpu_tile_place(k->b, t, zero, place_of(from, 0, i), place_of(from, 1, j), place);
            put_row(from, t->memory, place, 3, &left[i * columns + j]);
        }
}

// Lanes of a row need each other's elements, which go through memory. The loop is one of code, too:
// all of the depth in one piece would be thousands of instructions.
static void
step_from(ProductKernel *k, ProductKernel *from, MlcValue *slot, MlcValue *const *left,
          MlcValue **sums)
{
    enum { STEP = 16 };
    MlcBuilder *b = k->b;
    int64_t depth = warp_size(&from->schedule, 1);
    size_t count = num_sums(&k->schedule);
    MlcValue *zero = mlc_build_index(b, 0), *slots[2] = {zero, slot};
    put_left(k, from, zero, left);
    mlc_gpu_barrier(b);
    MlcTypeVec types = {0};
    mlc_vec_push(&types, mlc_index_type_get(b->ctx));
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(&types, mlc_value_type(sums[i]));
    MlcOp *loop = mlc_scf_for(b, types.data + 1, count, zero, mlc_build_index(b, depth),
                              mlc_build_index(b, STEP), sums, count);
    MlcBuilder outside = *b;
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types.data, types.size);
    for (size_t i = 0; i < count; i++)
        sums[i] = mlc_block_arg(body, 1 + i);
    MlcValue *first = mlc_arith_addi(b, mlc_block_arg(body, 0), gpu_scale(b, from->warp[1], depth));
    for (int64_t d = 0; d < STEP; d += VECTOR)
        multiply(k, slots, gpu_add(b, first, d), sums);
    mlc_scf_yield(b, sums, count);
    *b = outside;
    for (size_t i = 0; i < count; i++)
        sums[i] = mlc_op_result(loop, i);
    mlc_vec_release(&types);
}

const ProductUnit gpu_unit_fma = {
    .reading = READS_ROWS,
    .row_lanes = 8,
    .num_elements = 1,
    .left_in_memory = true,
    PRODUCT_UNIT_FUNCTIONS,
};
