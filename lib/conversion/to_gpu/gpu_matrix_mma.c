// gpu_matrix_mma.c -- products of 16 x 8 by a warp, of f16, bf16 or tf32, with sums in f32, and of
// bytes with signs, with sums in i32.
//
// Lane l has g = l / 4 and t = l % 4. Of A it has registers at rows g and g + 8, of the first half
// of the depth, then of the second; of B at column g; of the sums at rows g and g + 8, columns 2t
// and 2t + 1. ldmatrix gives four such registers at once: lane l says where row l % 8 of matrix
// l / 8 lies. Where rows (columns) are contiguous in memory it transposes, but only pairs of 16
// bits: of tf32 and bytes the elements are read one by one.
#include "gpu_matrix.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/dialects/vector.h"

enum { MMA_ROWS = 16, MMA_COLUMNS = 8, MATRIX = 8, ROW_BYTES = 16 };

static int64_t
element_bytes(const ProductKernel *k)
{
    return k->tiles[1].element_bytes;
}

// Elements of the depth that one instruction takes.
static int64_t
mma_depth(const ProductKernel *k)
{
    return 2 * ROW_BYTES / element_bytes(k);
}

static int64_t
warp_rows(const Schedule *s)
{
    return s->tile[0] / s->warps[0];
}

static int64_t
warp_columns(const Schedule *s)
{
    return s->tile[1] / s->warps[1];
}

static MlcType
vector_type(MlcType element, int64_t rows, int64_t columns)
{
    int64_t shape[2] = {rows, columns};
    return mlc_vector_type_get(element, shape, 2, NULL);
}

static bool
fits(const Product *p, const Schedule *s)
{
    MlcType a = p->element[0];
    if (a != p->element[1] || !(mlc_type_is(a, MLC_TYPE_FLOAT) || gpu_product_is_bytes(p)))
        return false;
    int64_t bits = mlc_type_bit_width(a), depth = 2 * ROW_BYTES * 8 / bits;
    return bits <= 32 && warp_rows(s) % MMA_ROWS == 0 && warp_columns(s) % (2 * MMA_COLUMNS) == 0 &&
           s->tile[2] % depth == 0;
}

static size_t
num_sums(const Schedule *s)
{
    return (size_t)(warp_rows(s) / MMA_ROWS * (warp_columns(s) / MMA_COLUMNS));
}

static MlcType
sum_type(MlcType element)
{
    return vector_type(element, 2, 2);
}

static MlcValue *
zeros(MlcBuilder *b, MlcType type)
{
    return mlc_type_is(mlc_type_element(type), MLC_TYPE_FLOAT) ? mlc_build_float(b, type, 0)
                                                               : mlc_build_int(b, type, 0);
}

// --- operands

// Four matrices of 8 rows (or columns) by 16 bytes of the depth, two along each: `rows_first`, the
// second one is along rows, else along the depth.
static MlcValue *
load_matrices(ProductKernel *k, const Tile *t, MlcValue *slot, MlcValue *row, int64_t depth,
              bool rows_first)
{
    MlcBuilder *b = k->b;
    int64_t half = ROW_BYTES / t->element_bytes;
    MlcValue *in_matrix = gpu_modulo(b, k->lane, MATRIX), *matrix = gpu_divide(b, k->lane, MATRIX);
    MlcValue *low = gpu_modulo(b, matrix, 2), *high = gpu_divide(b, matrix, 2);
    MlcValue *down = gpu_scale(b, rows_first ? low : high, MATRIX),
             *along = gpu_scale(b, rows_first ? high : low, half);
    // The lane's row of memory: of the matrix as it is, or transposed.
    down = mlc_arith_addi(b, row, t->is_depth_inner ? mlc_arith_addi(b, down, in_matrix) : down);
    along = gpu_add(b, t->is_depth_inner ? along : mlc_arith_addi(b, along, in_matrix), depth);
    if (t->first_depth)
        along = mlc_arith_addi(b, along, t->first_depth);
    MlcValue *place[3];
    gpu_tile_place(b, t, slot, down, along, place);
    return mlc_nvgpu_ldmatrix(b, vector_type(t->element, 4, 4 / t->element_bytes), t->memory, place,
                              3, !t->is_depth_inner, 4);
}

// The same registers, read element by element: of tf32 and bytes where rows are contiguous.
static MlcValue *
load_elements(ProductKernel *k, const Tile *t, MlcValue *slot, MlcValue *row, int64_t depth,
              bool rows_first)
{
    MlcBuilder *b = k->b;
    int64_t width = 4 / t->element_bytes; // of a register
    MlcValue *g = gpu_divide(b, k->lane, 4),
             *in_depth = gpu_scale(b, gpu_modulo(b, k->lane, 4), width);
    MlcValue *values = zeros(b, vector_type(t->element, 4, width));
    for (int64_t i = 0; i < 4 * width; i++) {
        int64_t matrix = i / width, down = rows_first ? matrix % 2 : matrix / 2,
                along = rows_first ? matrix / 2 : matrix % 2;
        MlcValue *place[3];
        gpu_tile_place(b, t, slot, gpu_add(b, mlc_arith_addi(b, row, g), MATRIX * down),
                       gpu_add(b, in_depth, depth + 4 * width * along + i % width), place);
        values = mlc_vector_insert(b, mlc_memref_load(b, t->memory, place, 3), values, NULL, 0,
                                   (int64_t[]){matrix, i % width}, 2);
    }
    return values;
}

static MlcValue *
load_registers(ProductKernel *k, size_t factor, MlcValue *slot, MlcValue *row, int64_t depth)
{
    const Tile *t = &k->tiles[factor];
    bool one_by_one = t->element_bytes != 2 && !t->is_depth_inner;
    return (one_by_one ? load_elements : load_matrices)(k, t, slot, row, depth, factor == 0);
}

static MlcValue *
row_of(MlcBuilder *b, MlcValue *vector, int64_t i)
{
    MlcType type = mlc_value_type(vector);
    int64_t width = mlc_type_dim(type, 1);
    return mlc_vector_extract(b, mlc_vector_type_get(mlc_type_element(type), &width, 1, NULL),
                              vector, NULL, 0, &i, 1);
}

// Registers `first` and the next of four.
static MlcValue *
two_of(MlcBuilder *b, MlcValue *vector, int64_t first)
{
    MlcType type = mlc_value_type(vector);
    MlcType half = vector_type(mlc_type_element(type), 2, mlc_type_dim(type, 1));
    MlcValue *made = zeros(b, half);
    for (int64_t i = 0; i < 2; i++)
        made = mlc_vector_insert(b, row_of(b, vector, first + i), made, NULL, 0, &i, 1);
    return made;
}

// --- the product

static void
multiply(ProductKernel *k, const MlcValueVec *left, const MlcValueVec *right, MlcValue **sums)
{
    MlcBuilder *b = k->b;
    MlcAttr sizes[3] = {mlc_i64_attr_get(b->ctx, MMA_ROWS), mlc_i64_attr_get(b->ctx, MMA_COLUMNS),
                        mlc_i64_attr_get(b->ctx, mma_depth(k))};
    MlcAttr shape = mlc_array_attr_get(b->ctx, sizes, 3);
    for (size_t i = 0; i < left->size; i++)
        for (size_t j = 0; j < right->size; j++) {
            MlcValue **sum = &sums[i * right->size + j];
            *sum = mlc_nvgpu_mma_sync(b, mlc_value_type(*sum), left->data[i], right->data[j], *sum,
                                      shape);
            const char *says = element_bytes(k) == 4   ? "tf32Enabled"
                               : element_bytes(k) == 1 ? "mlc.wraps"
                                                       : NULL;
            if (says)
                mlc_op_set_attr(mlc_value_def(*sum), says, mlc_unit_attr_get(b->ctx));
        }
}

static void
step(ProductKernel *k, MlcValue *const slots[2], MlcValue **sums)
{
    MlcBuilder *b = k->b;
    const Schedule *s = &k->schedule;
    int64_t depth = mma_depth(k), rows = warp_rows(s), columns = warp_columns(s);
    MlcValue *first[2] = {gpu_scale(b, k->warp[0], rows), gpu_scale(b, k->warp[1], columns)};
    MlcValueVec left = {0}, right = {0};
    for (int64_t d = 0; d < s->tile[2]; d += depth) {
        mlc_vec_clear(&left);
        mlc_vec_clear(&right);
        for (int64_t i = 0; i < rows; i += MMA_ROWS)
            mlc_vec_push(&left, load_registers(k, 0, slots[0], gpu_add(b, first[0], i), d));
        for (int64_t i = 0; i < columns; i += 2 * MMA_COLUMNS) {
            MlcValue *both = load_registers(k, 1, slots[1], gpu_add(b, first[1], i), d);
            mlc_vec_push(&right, two_of(b, both, 0));
            mlc_vec_push(&right, two_of(b, both, 2));
        }
        multiply(k, &left, &right, sums);
    }
    mlc_vec_release(&left);
    mlc_vec_release(&right);
}

// Four rows and four pairs of columns go to the banks at once.
static int64_t
gap(const ProductKernel *k)
{
    (void)k;
    return 8;
}

static void
store(ProductKernel *k, MlcValue *memory, MlcValue *const *sums)
{
    MlcBuilder *b = k->b;
    const Schedule *s = &k->schedule;
    int64_t across = warp_columns(s) / MMA_COLUMNS;
    MlcValue *row = mlc_arith_addi(b, gpu_scale(b, k->warp[0], warp_rows(s)),
                                   gpu_divide(b, k->lane, 4)),
             *column = mlc_arith_addi(b, gpu_scale(b, k->warp[1], warp_columns(s)),
                                      gpu_scale(b, gpu_modulo(b, k->lane, 4), 2));
    for (size_t i = 0; i < num_sums(s); i++)
        for (int64_t half = 0; half < 2; half++) {
            MlcValue *place[2] = {gpu_add(b, row, (int64_t)i / across * MMA_ROWS + half * MATRIX),
                                  gpu_add(b, column, (int64_t)i % across * MMA_COLUMNS)};
            mlc_vector_store(b, row_of(b, sums[i], half), memory, place, 2);
        }
}

// --- sums as a factor

static size_t
num_rows(const Schedule *s)
{
    return (size_t)(2 * warp_rows(s) / MMA_ROWS);
}

static MlcValue *
row_place(ProductKernel *k, size_t row)
{
    MlcBuilder *b = k->b;
    MlcValue *first = mlc_arith_addi(b, gpu_scale(b, k->warp[0], warp_rows(&k->schedule)),
                                     gpu_divide(b, k->lane, 4));
    return gpu_add(b, first, (int64_t)row * MATRIX);
}

static size_t
element_row(const Schedule *s, size_t i, size_t e)
{
    size_t across = (size_t)(warp_columns(s) / MMA_COLUMNS);
    return i / across * 2 + e / 2;
}

static MlcValue *
element_column(ProductKernel *k, size_t i, size_t e)
{
    MlcBuilder *b = k->b;
    int64_t across = warp_columns(&k->schedule) / MMA_COLUMNS;
    MlcValue *first = mlc_arith_addi(b, gpu_scale(b, k->warp[1], warp_columns(&k->schedule)),
                                     gpu_scale(b, gpu_modulo(b, k->lane, 4), 2));
    return gpu_add(b, first, (int64_t)i % across * MMA_COLUMNS + (int64_t)(e % 2));
}

// Registers of the left factor from sums: halves of 16 columns are two sums', which a lane has two
// and two; of tf32 the depth is taken in another order, the lane's two columns first.
static MlcValue *
left_registers(MlcBuilder *b, MlcType element, MlcValue *const *sums)
{
    bool is_half = mlc_type_bit_width(element) == 16;
    MlcValue *made = mlc_build_float(b, vector_type(element, 4, is_half ? 2 : 1), 0);
    for (int64_t i = 0; i < 4; i++) {
        int64_t half = i % 2, width = 2;
        MlcValue *values = is_half ? row_of(b, sums[i / 2], half)
                                   : gpu_sum_element(b, sums[0], (size_t)(2 * half + i / 2));
        if (is_half)
            made = mlc_vector_insert(
                b, mlc_arith_truncf(b, mlc_vector_type_get(element, &width, 1, NULL), values), made,
                NULL, 0, &i, 1);
        else
            made = mlc_vector_insert(b, values, made, NULL, 0, (int64_t[]){i, 0}, 2);
    }
    return made;
}

// Of the right one in that order, of 16 columns.
static MlcValue *
right_elements(ProductKernel *k, MlcValue *slot, int64_t column, int64_t depth)
{
    MlcBuilder *b = k->b;
    const Tile *t = &k->tiles[1];
    MlcValue *g = gpu_divide(b, k->lane, 4), *pair = gpu_scale(b, gpu_modulo(b, k->lane, 4), 2);
    MlcValue *values = mlc_build_float(b, vector_type(t->element, 4, 1), 0);
    if (t->first_depth)
        pair = mlc_arith_addi(b, pair, t->first_depth);
    for (int64_t i = 0; i < 4; i++) {
        MlcValue *place[3];
        gpu_tile_place(b, t, slot, gpu_add(b, g, column + MATRIX * (i / 2)),
                       gpu_add(b, pair, depth + i % 2), place);
        values = mlc_vector_insert(b, mlc_memref_load(b, t->memory, place, 3), values, NULL, 0,
                                   (int64_t[]){i, 0}, 2);
    }
    return values;
}

static void
step_from(ProductKernel *k, ProductKernel *from, MlcValue *slot, MlcValue *const *left,
          MlcValue **sums)
{
    MlcBuilder *b = k->b;
    int64_t depth = mma_depth(k), all = warp_columns(&from->schedule), across = all / MMA_COLUMNS,
            columns = warp_columns(&k->schedule);
    MlcValueVec rows = {0}, right = {0};
    k->tiles[1].first_depth = gpu_scale(b, from->warp[1], all);
    for (int64_t d = 0; d < all; d += depth) {
        mlc_vec_clear(&rows);
        mlc_vec_clear(&right);
        for (int64_t i = 0; i < warp_rows(&k->schedule) / MMA_ROWS; i++)
            mlc_vec_push(
                &rows, left_registers(b, k->tiles[1].element, &left[i * across + d / MMA_COLUMNS]));
        for (int64_t i = 0; i < columns; i += 2 * MMA_COLUMNS) {
            MlcValue *both = element_bytes(k) == 4
                                 ? right_elements(k, slot, i, d)
                                 : load_registers(k, 1, slot, mlc_build_index(b, i), d);
            mlc_vec_push(&right, two_of(b, both, 0));
            mlc_vec_push(&right, two_of(b, both, 2));
        }
        multiply(k, &rows, &right, sums);
    }
    k->tiles[1].first_depth = NULL;
    mlc_vec_release(&rows);
    mlc_vec_release(&right);
}

const ProductUnit gpu_unit_mma = {
    .reading = READS_ELEMENTS,
    .row_lanes = 4,
    .num_elements = 4,
    PRODUCT_UNIT_FUNCTIONS,
};
