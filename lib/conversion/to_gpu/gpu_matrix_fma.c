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
sum_type(MlcContext *ctx, const Schedule *s)
{
    (void)s;
    return mlc_float_type_get(ctx, MLC_FLOAT_F32);
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

static void
step(ProductKernel *k, MlcValue *slot, MlcValue **sums)
{
    MlcBuilder *b = k->b;
    const Schedule *s = &k->schedule;
    int64_t rows = thread_size(s, 0), columns = thread_size(s, 1);
    MlcValueVec left = {0}, right = {0};
    for (int64_t depth = 0; depth < s->tile[2]; depth += VECTOR) {
        MlcValue *at = mlc_build_index(b, depth);
        load_factor(k, 0, slot, at, &left);
        load_factor(k, 1, slot, at, &right);
        for (int64_t d = 0; d < VECTOR; d++)
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < columns; j++)
                    sums[i * columns + j] =
                        mlc_math_fma(b, left.data[VECTOR * i + d], right.data[VECTOR * j + d],
                                     sums[i * columns + j]);
    }
    mlc_vec_release(&left);
    mlc_vec_release(&right);
}

// Four rows go to the banks at once, neighbours or four apart. Four neighbouring columns are one
// access, which must be aligned.
static int64_t
gap(const ProductKernel *k)
{
    return !k->tiles[0].is_depth_inner && k->tiles[1].is_depth_inner ? 2 : 8;
}

static void
store(ProductKernel *k, MlcValue *memory, MlcValue *const *sums)
{
    int64_t rows = thread_size(&k->schedule, 0), columns = thread_size(&k->schedule, 1);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            MlcValue *place[2] = {place_of(k, 0, i), place_of(k, 1, j)};
            mlc_memref_store(k->b, sums[i * columns + j], memory, place, 2);
        }
}

const ProductUnit gpu_unit_fma = {READS_ROWS, fits, num_sums, sum_type, step, gap, store};
