// vectorize_tiles.c -- products of bytes in registers that hold small matrices.
//
// The rows of a tile are cut into blocks of as many rows as the schedule says (MLC_TILE_ROWS): sums
// of a block and a vector of channels are one value, vector<rows x channels x i32>. A step adds the
// product of rows by up to 16 runs of four bytes and of a panel of weights. A last block of fewer
// rows begins earlier, so that all have one shape: rows of which the sums are made twice come out
// the same. Sums begin at zero (linalg-dot-products) and go to memory, where what follows reads
// them row by row. vector.contract says what becomes of them; vector-to-amx makes it the machine's.
#include "schedule.h"
#include "vectorize.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/tensor.h"
#include "mlc/dialects/vector.h"

typedef struct Blocks {
    int64_t rows;   // of a block
    int64_t in_row; // blocks along the tile's last dimension but one
    int64_t total;  // in all
} Blocks;

static Blocks
blocks_of(const MlcVectorizer *v)
{
    const MlcVectorTile *t = v->tile;
    int64_t length = t->shape[t->rank - 2], rows = mlc_tile_product_rows(v->op);
    rows = rows < length ? rows : length;
    Blocks b = {.rows = rows, .in_row = mlc_ceil_div(length, rows)};
    b.total = t->num_points / length * b.in_row;
    return b;
}

// The first point of block `i`.
static int64_t
start_of(const MlcVectorizer *v, const Blocks *b, int64_t i)
{
    const MlcVectorTile *t = v->tile;
    int64_t length = t->shape[t->rank - 2], start = i % b->in_row * b->rows;
    start = start + b->rows <= length ? start : length - b->rows;
    return i / b->in_row * length + start;
}

static size_t
rows_operand(const MlcVectorizer *v)
{
    return mlc_affine_map_uses_dim(mlc_structured_map(v->op, 0), (unsigned)v->channel);
}

static bool
starts_from_zeros(MlcVectorizer *v)
{
    const MlcVectorTile *init = mlc_map_get(&v->tiles, mlc_op_operand(v->op, 2));
    int64_t zero;
    if (!init || !init->values)
        return false;
    for (int64_t i = 0; i < init->num_points * init->num_chunks; i++) {
        MlcAttr constant = mlc_value_constant(init->values[i]);
        if (constant && mlc_attr_is(constant, MLC_ATTR_DENSE) &&
            mlc_elements_attr_is_splat(constant))
            constant = mlc_elements_attr_element(constant, 0);
        if (!constant || !mlc_attr_try_as_int(constant, &zero) || zero != 0)
            return false;
    }
    return true;
}

bool
mlc_vectorize_is_tile_product(MlcVectorizer *v)
{
    const MlcVectorTile *t = v->tile;
    if (v->dot_loop < 0 || t->rank < 2 || t->count || mlc_tile_product_rows(v->op) == 0 ||
        v->num_reductions == 0 || !starts_from_zeros(v))
        return false;
    int64_t registers = mlc_pass_target(v->pass)->tile_registers, chunks = t->num_chunks;
    if (blocks_of(v).total * chunks + chunks + 1 > registers)
        return false;
    for (int64_t i = 0; i < chunks; i++) {
        mlc_vectorize_move_to(v, 0, mlc_vectorize_chunk(t, i));
        if (!mlc_vectorize_has_panel(v, 1 - rows_operand(v), t->vector))
            return false;
    }
    return true;
}

// ---- a step

static MlcAttr
map_attr(MlcContext *ctx, const unsigned *loops, size_t n)
{
    return mlc_affine_map_attr_get(mlc_map_of_loops(ctx, 4, loops, n));
}

// Bytes in runs of four as numbers of the sum's type, widened as the body does.
static MlcValue *
widen(MlcVectorizer *v, size_t i, MlcValue *bytes)
{
    MlcOp *op = mlc_use_owner(mlc_value_first_use(mlc_block_arg(mlc_structured_body(v->op), i)));
    MlcType type = mlc_value_type(bytes), byte = mlc_type_element(type);
    int64_t shape[] = {mlc_type_dim(type, 0), mlc_type_dim(type, 1) / MLC_DOT_RUN, MLC_DOT_RUN};
    bytes = mlc_vector_shape_cast(&v->b, mlc_vector_type_get(byte, shape, 3, NULL), bytes);
    MlcType wide = mlc_vector_type_get(v->tile->element, shape, 3, NULL);
    return mlc_arith_extsi_isa(op) ? mlc_arith_extsi(&v->b, wide, bytes)
                                   : mlc_arith_extui(&v->b, wide, bytes);
}

// Loops: rows, channels, runs, bytes of a run.
static MlcValue *
contract(MlcVectorizer *v, MlcValue *rows, MlcValue *panel, MlcValue *sums)
{
    MlcAttr maps[] = {map_attr(v->ctx, (const unsigned[]){0, 2, 3}, 3),
                      map_attr(v->ctx, (const unsigned[]){2, 1, 3}, 3),
                      map_attr(v->ctx, (const unsigned[]){0, 1}, 2)},
            iterators[4];
    for (int64_t i = 0; i < 4; i++) // parallel, parallel, reduction, reduction
        iterators[i] = mlc_enum_attr_get(v->ctx, &mlc_vector_iterator_type_attr_def, i / 2);
    return mlc_vector_contract(&v->b, mlc_value_type(sums), rows, panel, sums,
                               mlc_array_attr_get(v->ctx, maps, 3),
                               mlc_array_attr_get(v->ctx, iterators, 4));
}

void
mlc_vectorize_tile_step(MlcVectorizer *v, MlcValue **sums)
{
    const MlcVectorTile *t = v->tile;
    Blocks blocks = blocks_of(v);
    size_t x = rows_operand(v), w = 1 - x, rank = t->rank;
    MlcAffineMap map = mlc_structured_map(v->op, x), out = mlc_structured_map(v->op, 2);
    int64_t rows[] = {blocks.rows, v->depth * MLC_DOT_RUN},
            panel[] = {v->depth, t->vector * MLC_DOT_RUN}, step = 1;
    mlc_tile_row_step(map, mlc_map_result_dim(out, rank - 2), &step);
    mlc_vec_clear(&v->reads);
    for (int64_t i = 0; i < blocks.total; i++) {
        mlc_vectorize_move_to(v, start_of(v, &blocks, i), mlc_vectorize_chunk(t, 0));
        MlcValue *a = widen(v, x, mlc_vectorize_matrix(v, x, rows, step));
        for (int64_t c = 0; c < t->num_chunks; c++) {
            mlc_vectorize_move_to(v, start_of(v, &blocks, i), mlc_vectorize_chunk(t, c));
            MlcValue *b = widen(v, w, mlc_vectorize_matrix(v, w, panel, 1));
            sums[i * t->num_chunks + c] = contract(v, a, b, sums[i * t->num_chunks + c]);
        }
    }
}

// ---- the op

// The tensor that sums are written to, all vectors of a row whole, and its part that counts. Rows
// that are cut have a vector more: a write that covers its tensor would be moved to where the part
// goes and be cut there (canonicalize). Then its rows are vectors, and so are all sums on the way.
static MlcValue *
write_sums(MlcVectorizer *v, const Blocks *blocks, MlcValue *const *sums)
{
    const MlcVectorTile *t = v->tile;
    int64_t shape[MLC_SMALL_RANK];
    memcpy(shape, t->shape, sizeof shape);
    bool is_cut = shape[t->rank - 1] % t->vector != 0;
    shape[t->rank - 1] = (t->num_chunks + is_cut) * t->vector;
    MlcValue *dest = mlc_build_empty(&v->b, mlc_tensor_type_get(t->element, shape, t->rank, NULL));
    for (int64_t i = 0; i < blocks->total; i++)
        for (int64_t c = 0; c < t->num_chunks; c++) {
            int64_t at[MLC_SMALL_RANK] = {0};
            MlcAffineExpr index[MLC_SMALL_RANK];
            mlc_vectorize_point(t, start_of(v, blocks, i), at);
            at[t->rank - 1] = c * t->vector;
            for (size_t d = 0; d < t->rank; d++)
                index[d] = mlc_affine_constant(v->ctx, at[d]);
            dest = mlc_vectorize_write_matrix(v, sums[i * t->num_chunks + c], index, dest);
        }
    MlcWindow w = mlc_vectorize_whole_tile(v, t);
    MlcType type = mlc_value_type(mlc_op_result(v->op, 0));
    return type == mlc_value_type(dest) ? dest
                                        : mlc_window_extract(&v->b, &v->indices, dest, &w, type);
}

void
mlc_vectorize_tile_product(MlcVectorizer *v)
{
    MlcVectorTile *t = v->tile;
    Blocks blocks = blocks_of(v);
    size_t n = (size_t)(blocks.total * t->num_chunks);
    MlcValue **sums = MLC_NEW_ARRAY(mlc_pass_scratch(v->pass), MlcValue *, n);
    int64_t shape[] = {blocks.rows, t->vector};
    MlcType type = mlc_vector_type_get(t->element, shape, 2, NULL);
    MlcValue *zeros =
        mlc_build_constant(&v->b, mlc_dense_attr_splat(type, mlc_integer_attr_get(t->element, 0)));
    for (size_t i = 0; i < n; i++)
        sums[i] = zeros;
    v->depth = mlc_tile_product_depth(v->op, mlc_pass_target(v->pass));
    mlc_vectorize_sums(v, sums, n);
    v->depth = 0;
    t->memory = write_sums(v, &blocks, sums);
    t->values = NULL;
    t->is_by_rows = true;
}
