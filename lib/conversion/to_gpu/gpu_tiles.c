// gpu_tiles.c -- layouts of tiles, and their copies.
//
// Banks: 32 words lie side by side. A row of memory of 128 bytes and more begins at bank 0, so
// what several rows are read of at once must lie in different chunks: the chunk's number is xored
// with the row's. Of rows of 64 bytes two share 128 bytes, and so on. Elements of 4 bytes that are
// read from four rows, eight of each (two chunks), take every second number. Bytes whose rows
// (columns) are contiguous are read from rows 0, 4, 8 and 12, or the next ones: the number is that
// of four rows.
#include "gpu_tiles.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/vector.h"
#include "mlc/support/powers.h"

MlcValue *
gpu_add(MlcBuilder *b, MlcValue *x, int64_t c)
{
    return c == 0 ? x : mlc_arith_addi(b, x, mlc_build_index(b, c));
}

MlcValue *
gpu_scale(MlcBuilder *b, MlcValue *x, int64_t c)
{
    return c == 1 ? x : mlc_arith_muli(b, x, mlc_build_index(b, c));
}

MlcValue *
gpu_divide(MlcBuilder *b, MlcValue *x, int64_t c)
{
    if (!mlc_is_power_of_two(c))
        return mlc_arith_divui(b, x, mlc_build_index(b, c));
    return c == 1 ? x : mlc_arith_shrui(b, x, mlc_build_index(b, mlc_log2(c)));
}

MlcValue *
gpu_modulo(MlcBuilder *b, MlcValue *x, int64_t c)
{
    if (!mlc_is_power_of_two(c))
        return mlc_arith_remui(b, x, mlc_build_index(b, c));
    return mlc_arith_andi(b, x, mlc_build_index(b, c - 1));
}

// --- layout

static void
plan_permutation(Tile *t)
{
    int64_t chunks = t->inner * t->element_bytes / CHUNK_BYTES;
    int64_t per_line = LINE_BYTES / CHUNK_BYTES, lines = chunks < per_line ? per_line / chunks : 1;
    int64_t choices = chunks < per_line ? chunks : per_line;
    t->shift = mlc_log2(lines);
    t->scale = t->reading == READS_ROWS ? 1 : 2;
    t->mask = choices / t->scale - 1;
}

bool
gpu_tile_plan(Tile *t, const Product *product, size_t factor, const Schedule *schedule,
              TileReading reading)
{
    ProductSide side = factor ? SIDE_COLUMNS : SIDE_ROWS;
    int64_t threads = schedule->warps[0] * schedule->warps[1] * WARP;
    *t = (Tile){.factor = factor, .element = product->element[factor]};
    t->element_bytes = mlc_type_bit_width(t->element) / 8;
    t->is_depth_inner = gpu_product_step(product, factor, side) != 1;
    t->outer = t->is_depth_inner ? schedule->tile[factor] : schedule->tile[2];
    t->inner = t->is_depth_inner ? schedule->tile[2] : schedule->tile[factor];
    t->reading = t->is_depth_inner || t->element_bytes != 4 ? READS_ROWS : reading;
    bool is_by_bytes = t->element_bytes == 1 && !t->is_depth_inner;
    if (t->inner * t->element_bytes < (is_by_bytes ? 4 * CHUNK_BYTES : CHUNK_BYTES))
        return false;
    plan_permutation(t);
    if (is_by_bytes)
        t->shift = 2;
    t->run = gpu_product_run(product, factor, t->is_depth_inner ? SIDE_DEPTH : side,
                             CHUNK_BYTES / t->element_bytes);
    t->is_async = t->run * t->element_bytes >= 4;
    if (!t->is_async)
        t->run = 1;
    return t->outer * t->inner / t->run % threads == 0;
}

void
gpu_tile_plan_written(Tile *t, MlcType f32, int64_t rows, int64_t depth)
{
    *t = (Tile){.element = f32,
                .element_bytes = 4,
                .is_depth_inner = true,
                .outer = rows,
                .inner = depth,
                .reading = READS_ELEMENTS};
    plan_permutation(t);
}

int64_t
gpu_tile_bytes(const Tile *t)
{
    return t->outer * t->inner * t->element_bytes;
}

// The place of `inner` in its row of memory.
static MlcValue *
permuted(MlcBuilder *b, const Tile *t, MlcValue *outer, MlcValue *inner)
{
    int64_t chunk = CHUNK_BYTES / t->element_bytes;
    if (t->mask == 0)
        return inner;
    MlcValue *number = gpu_modulo(b, gpu_divide(b, outer, INT64_C(1) << t->shift), t->mask + 1);
    return mlc_arith_xori(b, inner, gpu_scale(b, number, t->scale * chunk));
}

void
gpu_tile_place(MlcBuilder *b, const Tile *t, MlcValue *slot, MlcValue *row, MlcValue *depth,
               MlcValue *indices[3])
{
    MlcValue *outer = t->is_depth_inner ? row : depth, *inner = t->is_depth_inner ? depth : row;
    indices[0] = slot;
    indices[1] = outer;
    indices[2] = permuted(b, t, outer, inner);
}

// --- copies

static MlcValue *
sum_of(MlcBuilder *b, MlcValue *x, MlcValue *y)
{
    return x && y ? mlc_arith_addi(b, x, y) : x ? x : y;
}

// Where a copy is in each dimension that has edges, as far as that does not depend on the depth.
static void
begin_edges(ProductKernel *k, Tile *t, MlcValue *global)
{
    MlcBuilder *b = k->b;
    const Product *p = k->product;
    for (size_t e = 0; e < p->num_edges[t->factor]; e++) {
        const EdgeCheck *edge = &p->edges[t->factor][e];
        MlcValue *at =
            gpu_product_place(b, p, edge->steps, t->factor ? SIDE_COLUMNS : SIDE_ROWS, global);
        if (k->batch)
            at = sum_of(b, at, gpu_product_place(b, p, edge->steps, SIDE_BATCH, k->batch));
        MlcValue *start = mlc_build_index(b, edge->start);
        mlc_vec_push(&t->edges, edge->start || !at ? sum_of(b, at, start) : at);
    }
}

// Whether copy `i` at `depth` is inside of all edges, too.
static MlcValue *
is_within(ProductKernel *k, const Tile *t, size_t i, MlcValue *depth, MlcValue *inside)
{
    MlcBuilder *b = k->b;
    const Product *p = k->product;
    size_t count = p->num_edges[t->factor];
    for (size_t e = 0; e < count; e++) {
        const EdgeCheck *edge = &p->edges[t->factor][e];
        MlcValue *at = sum_of(b, t->edges.data[i * count + e],
                              gpu_product_place(b, p, edge->steps, SIDE_DEPTH, depth));
        inside = mlc_arith_andi(
            b, inside,
            mlc_arith_cmpi(b, at, mlc_build_index(b, edge->size), MLC_ARITH_CMPI_PREDICATE_ULT));
    }
    return inside;
}

void
gpu_tile_view(ProductKernel *k, Tile *t, int64_t stages, int64_t offset)
{
    int64_t shape[3] = {stages, t->outer, t->inner};
    MlcType type = mlc_memref_type_get(t->element, shape, 3, NULL,
                                       mlc_memref_type_memory_space(mlc_value_type(k->memory)));
    t->memory = mlc_memref_view(k->b, type, k->memory, mlc_build_index(k->b, offset), NULL, 0);
}

void
gpu_tile_begin(ProductKernel *k, Tile *t, int64_t offset)
{
    MlcBuilder *b = k->b;
    const Product *p = k->product;
    ProductSide side = t->factor ? SIDE_COLUMNS : SIDE_ROWS;
    gpu_tile_view(k, t, k->schedule.stages * (k->groups ? k->groups : 1), offset);
    MlcValue *base = mlc_build_index(b, p->start[t->factor]);
    if (k->batch)
        base = mlc_arith_addi(b, base, gpu_product_offset(b, p, t->factor, SIDE_BATCH, k->batch));
    MlcValue *size = mlc_build_index(b, p->sides[side].size);
    int64_t copies = t->outer * t->inner / t->run / k->threads, runs = t->inner / t->run;
    for (int64_t i = 0; i < copies; i++) {
        MlcValue *number = gpu_add(b, k->thread, i * k->threads);
        MlcValue *outer = gpu_divide(b, number, runs),
                 *inner = gpu_scale(b, gpu_modulo(b, number, runs), t->run);
        MlcValue *row = t->is_depth_inner ? outer : inner,
                 *global = mlc_arith_addi(b, k->first[t->factor], row);
        mlc_vec_push(&t->to_outer, outer);
        mlc_vec_push(&t->to_inner, permuted(b, t, outer, inner));
        mlc_vec_push(&t->depth, t->is_depth_inner ? inner : outer);
        mlc_vec_push(&t->inside, mlc_arith_cmpi(b, global, size, MLC_ARITH_CMPI_PREDICATE_ULT));
        mlc_vec_push(&t->offset,
                     mlc_arith_addi(b, base, gpu_product_offset(b, p, t->factor, side, global)));
        begin_edges(k, t, global);
    }
}

// The factor as a buffer of one dimension.
static MlcValue *
flat_source(ProductKernel *k, const Tile *t)
{
    MlcBuilder *b = k->b;
    MlcValue *source = k->product->source[t->factor];
    MlcType type = mlc_value_type(source);
    size_t rank = mlc_type_rank(type);
    if (rank == 1)
        return source;
    int64_t count = mlc_type_num_elements(type);
    MlcAttr dims[MLC_RANK_LIMIT];
    for (size_t i = 0; i < rank; i++)
        dims[i] = mlc_i64_attr_get(b->ctx, (int64_t)i);
    MlcAttr group = mlc_array_attr_get(b->ctx, dims, rank);
    MlcType flat = mlc_memref_type_get(mlc_type_element(type), &count, 1, NULL,
                                       mlc_memref_type_memory_space(type));
    return mlc_memref_collapse_shape(b, flat, source, mlc_array_attr_get(b->ctx, &group, 1));
}

// An element through a register, or 0 where there is none.
static void
copy_element(MlcBuilder *b, const Tile *t, MlcValue *source, MlcValue *from, MlcValue *inside,
             MlcValue *const to[3])
{
    MlcOp *guard = mlc_scf_if(b, &t->element, 1, inside);
    MlcBuilder inner = *b;
    mlc_builder_create_block(&inner, mlc_op_region(guard, 0), NULL, 0);
    MlcValue *value = mlc_memref_load(&inner, source, &from, 1);
    mlc_scf_yield(&inner, &value, 1);
    mlc_builder_create_block(&inner, mlc_op_region(guard, 1), NULL, 0);
    bool is_float = mlc_type_is(t->element, MLC_TYPE_FLOAT);
    value =
        is_float ? mlc_build_float(&inner, t->element, 0) : mlc_build_int(&inner, t->element, 0);
    mlc_scf_yield(&inner, &value, 1);
    mlc_memref_store(b, mlc_op_result(guard, 0), t->memory, to, 3);
}

// Where copy `i` of the tile that begins at `begin` comes from, and whether that is inside.
static MlcValue *
source_of(ProductKernel *k, const Tile *t, size_t i, MlcValue *begin, MlcValue **inside)
{
    MlcBuilder *b = k->b;
    const Product *p = k->product;
    MlcValue *depth = mlc_arith_addi(b, begin, t->depth.data[i]);
    MlcValue *depth_size = mlc_build_index(b, p->sides[SIDE_DEPTH].size);
    MlcValue *is_deep = mlc_arith_cmpi(b, depth, depth_size, MLC_ARITH_CMPI_PREDICATE_ULT);
    *inside = is_within(k, t, i, depth, mlc_arith_andi(b, is_deep, t->inside.data[i]));
    return mlc_arith_addi(b, t->offset.data[i],
                          gpu_product_offset(b, p, t->factor, SIDE_DEPTH, depth));
}

void
gpu_tile_copy(ProductKernel *k, Tile *t, MlcValue *step, MlcValue *slot, MlcValueVec *tokens)
{
    MlcBuilder *b = k->b;
    MlcValue *source = flat_source(k, t), *begin = gpu_scale(b, step, k->schedule.tile[2]);
    MlcValue *run = mlc_build_index(b, t->run), *zero = mlc_build_index(b, 0);
    for (size_t i = 0; i < t->depth.size; i++) {
        MlcValue *inside, *from = source_of(k, t, i, begin, &inside);
        MlcValue *to[3] = {slot, t->to_outer.data[i], t->to_inner.data[i]};
        if (!t->is_async) {
            copy_element(b, t, source, from, inside, to);
            continue;
        }
        from = mlc_build_select(b, inside, from, zero);
        MlcValue *copy = mlc_nvgpu_device_async_copy(
            b, t->memory, to, 3, source, &from, 1, mlc_build_select(b, inside, run, zero), t->run);
        if (t->run * t->element_bytes == CHUNK_BYTES)
            mlc_op_set_attr(mlc_value_def(copy), "bypassL1", mlc_unit_attr_get(b->ctx));
        mlc_vec_push(tokens, copy);
    }
}

// A run of elements as words of 32 bits, in the lower half where it is one half.
static void
load_words(MlcBuilder *b, const Tile *t, MlcValue *source, MlcValue *from, MlcValueVec *words)
{
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    int64_t run = t->run, count = run * t->element_bytes / 4;
    mlc_vec_clear(words);
    if (count == 0) {
        MlcType i16 = mlc_integer_type_get(b->ctx, 16, MLC_SIGNLESS);
        MlcValue *bits = mlc_arith_bitcast(b, i16, mlc_memref_load(b, source, &from, 1));
        mlc_vec_push(words, mlc_arith_extui(b, i32, bits));
        return;
    }
    MlcValue *loaded =
        mlc_vector_load(b, mlc_vector_type_get(t->element, &run, 1, NULL), source, &from, 1);
    mlc_op_set_attr(mlc_value_def(loaded), "mlc.aligned", mlc_unit_attr_get(b->ctx));
    loaded = mlc_vector_bitcast(b, mlc_vector_type_get(i32, &count, 1, NULL), loaded);
    for (int64_t i = 0; i < count; i++)
        mlc_vec_push(words, mlc_vector_extract(b, i32, loaded, NULL, 0, &i, 1));
}

// The exponent of a number that is not finite has all bits, and one more of its lowest reaches the
// place of the sign.
MlcValue *
gpu_tile_scan(ProductKernel *k, Tile *t, MlcValue *step, MlcValue *found)
{
    MlcBuilder *b = k->b;
    MlcType i32 = mlc_value_type(found);
    bool is_half = mlc_float_type_kind(t->element) == MLC_FLOAT_F16;
    int64_t exponent = is_half ? 0x7c00 : t->element_bytes == 2 ? 0x7f80 : 0x7f800000;
    int64_t lowest = exponent & -exponent, twice = t->element_bytes == 2 ? 0x10001 : 1;
    MlcValue *source = flat_source(k, t), *begin = gpu_scale(b, step, k->schedule.tile[2]);
    MlcValue *mask = mlc_build_int(b, i32, exponent * twice),
             *add = mlc_build_int(b, i32, lowest * twice), *none = mlc_build_int(b, i32, 0);
    MlcValueVec words = {0};
    for (size_t i = 0; i < t->depth.size; i++) {
        MlcValue *inside, *from = source_of(k, t, i, begin, &inside), *bits = none;
        load_words(b, t, source, mlc_build_select(b, inside, from, mlc_build_index(b, 0)), &words);
        for (size_t w = 0; w < words.size; w++)
            bits = mlc_arith_ori(b, bits,
                                 mlc_arith_addi(b, mlc_arith_andi(b, words.data[w], mask), add));
        found = mlc_arith_ori(b, found, mlc_build_select(b, inside, bits, none));
    }
    mlc_vec_release(&words);
    return found;
}

MlcValue *
gpu_scan_found(MlcBuilder *b, MlcType element, MlcValue *found)
{
    MlcType i32 = mlc_value_type(found);
    int64_t signs = mlc_type_bit_width(element) == 16 ? 0x80008000 : 0x80000000;
    return mlc_arith_cmpi(b, mlc_arith_andi(b, found, mlc_build_int(b, i32, (int32_t)signs)),
                          mlc_build_int(b, i32, 0), MLC_ARITH_CMPI_PREDICATE_NE);
}

void
gpu_tile_release(Tile *t)
{
    mlc_vec_release(&t->to_outer);
    mlc_vec_release(&t->to_inner);
    mlc_vec_release(&t->depth);
    mlc_vec_release(&t->offset);
    mlc_vec_release(&t->inside);
    mlc_vec_release(&t->edges);
}
