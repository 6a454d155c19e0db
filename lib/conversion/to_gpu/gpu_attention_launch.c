// gpu_attention_launch.c -- attention as one launch.
//
// A block has some rows of the queries, and walks the keys, several steps ahead of their use in
// workgroup memory. Of each row a thread knows the largest score so far, and what the exponentials
// of differences to it come to; both and the sums of values are scaled where a larger one comes. A
// row is one warp's, so nothing of this leaves the registers, but where a unit takes the left
// factor from memory. Warps along keys have sums of their own, which are joined in the end, in
// order.
//
// What is not finite is what the ops one by one would give. A row without any finite score, or with
// NaN or +inf among them, has weights that are NaN, or 0 where the division says so. Then values
// are counted with a weight of 0 here: that is the sum in the second case, and the first is put in.
//
// Where each query sees keys up to its own number and an offset, steps that no query of the block
// sees are not taken: they add 0 times the values to sums. That is no number where a value is not
// finite; the same goes for keys whose scores a mask is added to. So threads look at those first,
// 16 bytes at a time, and where there is one all steps are taken.
#include "gpu_attention.h"
#include "gpu_launch.h"
#include "gpu_matrix.h"
#include "gpu_point.h"

#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/math.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/support/powers.h"

#include <math.h>

enum { MAX_BLOCKS_ALONG = 65535, MAX_SUMS = 128 };

typedef struct AttentionKernel {
    const Attention *a;
    MlcBuilder *b;
    const ProductUnit *unit;
    Schedule schedule;
    ProductKernel k[2];        // of both products
    int64_t pieces;            // of the first one's depth
    int64_t offset[4];         // bytes: queries, keys, values, weights
    int64_t bytes, warp_bytes; // of workgroup memory; of a warp's result along keys
    bool copies_queries;       // else elements go through registers
    MlcValue *steps;           // that the block takes
} AttentionKernel;

// --- what fits

static void
plan_schedules(AttentionKernel *n)
{
    const Schedule *s = &n->schedule;
    const Product *p = n->a->products;
    int64_t width = p[1].sides[SIDE_COLUMNS].size, unit = n->unit->left_in_memory ? 32 : 16;
    n->pieces = mlc_ceil_div(p[0].sides[SIDE_DEPTH].size, s->tile[2]);
    n->k[0].schedule = *s;
    n->k[0].schedule.stages = n->pieces * s->stages;
    n->k[1].schedule = (Schedule){.kind = s->kind,
                                  .tile = {s->tile[0], gpu_round_up(width, unit), s->tile[1]},
                                  .warps = {s->warps[0], 1},
                                  .stages = s->stages};
    for (size_t i = 0; i < 2; i++) {
        n->k[i].product = &p[i];
        n->k[i].threads = s->warps[0] * s->warps[1] * WARP;
    }
}

static bool
plan_tiles(AttentionKernel *n)
{
    const Product *p = n->a->products;
    ProductKernel *k = n->k;
    Schedule values = k[1].schedule;
    bool is_tf32 = !n->unit->left_in_memory && mlc_type_bit_width(p[0].element[0]) == 32;
    values.tile[1] = mlc_power_of_two_from(values.tile[1] < 32 ? 32 : values.tile[1]);
    values.warps[1] = n->schedule.warps[1];
    n->copies_queries =
        gpu_tile_plan(&k[0].tiles[0], &p[0], 0, &k[0].schedule, n->unit->reading) && !n->a->scale;
    if (!gpu_tile_plan(&k[0].tiles[1], &p[0], 1, &k[0].schedule, n->unit->reading) ||
        !gpu_tile_plan(&k[1].tiles[1], &p[1], 1, &values, n->unit->reading))
        return false;
    Tile *queries = &k[0].tiles[0], *v = &k[1].tiles[1];
    if (!queries->is_depth_inner || (is_tf32 && v->is_depth_inner))
        return false;
    if (is_tf32) // every second row is read at once
        v->shift++;
    MlcType f32 = mlc_float_type_get(mlc_op_context(p[0].op), MLC_FLOAT_F32);
    gpu_tile_plan_written(&k[1].tiles[0], f32, n->schedule.tile[0], n->schedule.tile[1]);
    return true;
}

static void
plan_memory(AttentionKernel *n)
{
    const Schedule *s = &n->schedule;
    ProductKernel *k = n->k;
    int64_t counts[4] = {n->pieces, n->pieces * s->stages, s->stages,
                         n->unit->left_in_memory ? 1 : 0};
    const Tile *tiles[4] = {&k[0].tiles[0], &k[0].tiles[1], &k[1].tiles[1], &k[1].tiles[0]};
    for (size_t i = 0; i < 4; i++) {
        n->offset[i] = n->bytes;
        n->bytes += gpu_round_up(gpu_tile_bytes(tiles[i]) * counts[i], LINE_BYTES);
    }
    k[1].gap = n->unit->gap(&k[1]);
    // In the end: sums, and two numbers of each row, of each warp along keys.
    n->warp_bytes = s->tile[0] * (k[1].schedule.tile[1] + k[1].gap + 2) * 4;
    if (n->warp_bytes * s->warps[1] > n->bytes)
        n->bytes = n->warp_bytes * s->warps[1];
}

static bool
plan(AttentionKernel *n, const Attention *a, const Schedule *s)
{
    *n = (AttentionKernel){.a = a, .schedule = *s, .unit = gpu_attention_unit(s->kind)};
    const Product *p = a->products;
    plan_schedules(n);
    if (n->k[0].threads > MAX_THREADS || p[0].sides[SIDE_BATCH].size > MAX_BLOCKS_ALONG ||
        !n->unit->fits(&p[0], &n->k[0].schedule) || !n->unit->fits(&p[1], &n->k[1].schedule))
        return false;
    int64_t sums = 0;
    for (size_t i = 0; i < 2; i++)
        sums += (int64_t)(n->unit->num_sums(&n->k[i].schedule) * (size_t)n->unit->num_elements);
    if (sums > MAX_SUMS || !plan_tiles(n))
        return false;
    plan_memory(n);
    return n->bytes <= MAX_MEMORY;
}

// Rows and keys of a step, the largest first, and warps along both.
typedef struct Choice {
    int64_t rows, keys, warps[2];
} Choice;
static const Choice choices[] = {
    {128, 64, {8, 1}}, {64, 64, {4, 1}},  {64, 32, {4, 1}}, {32, 128, {2, 2}}, {32, 64, {2, 2}},
    {32, 32, {2, 1}},  {16, 128, {1, 4}}, {16, 64, {1, 2}}, {16, 32, {1, 1}},
};

static int64_t
piece_of(int64_t depth, int64_t bytes)
{
    int64_t piece = 64 / bytes * 2; // a row of 128 bytes
    while (piece > 64 / bytes / 2 && depth % piece != 0)
        piece /= 2;
    return piece;
}

bool
gpu_attention_schedule(const Attention *a, const MlcTargetDesc *target, bool tf32, Schedule *s)
{
    const Product *p = a->products;
    int64_t bytes = mlc_type_bit_width(p[0].element[0]) / 8, rows = p[0].sides[SIDE_ROWS].size;
    bool found = false;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const Choice *c = &choices[i];
        AttentionKernel n;
        Schedule made = {.kind = bytes == 4 && !tf32 ? MLC_GPU_SCHEDULE_KIND_ATTENTION_FMA
                                                     : MLC_GPU_SCHEDULE_KIND_ATTENTION_MMA,
                         .tile = {c->rows, c->keys, piece_of(p[0].sides[SIDE_DEPTH].size, bytes)},
                         .warps = {c->warps[0], c->warps[1]},
                         .stages = 2};
        if (!plan(&n, a, &made) || (found && c->rows == s->tile[0]))
            continue;
        *s = made;
        found = true;
        if (mlc_ceil_div(rows, c->rows) * p[0].sides[SIDE_BATCH].size >= (int64_t)target->cores)
            break;
    }
    return found;
}

// --- the launch

// x: rows, z: the batch.
static void
create_launch(AttentionKernel *n)
{
    MlcBuilder *b = n->b;
    const Schedule *s = &n->schedule;
    const Product *p = n->a->products;
    MlcValue *one = mlc_build_index(b, 1);
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS), index[12];
    int64_t num_blocks = mlc_ceil_div(p[0].sides[SIDE_ROWS].size, s->tile[0]);
    MlcOp *launch = mlc_gpu_launch(b, NULL, NULL, 0, mlc_build_index(b, num_blocks), one,
                                   mlc_build_index(b, p[0].sides[SIDE_BATCH].size),
                                   mlc_build_index(b, n->k[0].threads), one, one, NULL, NULL, NULL,
                                   mlc_build_int(b, i32, n->bytes));
    for (size_t i = 0; i < 12; i++)
        index[i] = mlc_index_type_get(b->ctx);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(launch, 0), index, 12);
    mlc_builder_before(b, mlc_gpu_terminator(b));
    MlcValue *thread = mlc_block_arg(body, 3), *lane = gpu_modulo(b, thread, WARP),
             *warp = gpu_divide(b, thread, WARP), *zero = mlc_build_index(b, 0);
    MlcValue *block = mlc_block_arg(body, 0);
    if (n->a->causal.select) // the longest first
        block = mlc_arith_subi(b, mlc_build_index(b, num_blocks - 1), block);
    int64_t size = MLC_DYNAMIC;
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    MlcValue *memory = mlc_gpu_dynamic_shared_memory(
        b, mlc_memref_type_get(byte, &size, 1, NULL, gpu_workgroup_space(b->ctx)));
    for (size_t i = 0; i < 2; i++) {
        ProductKernel *k = &n->k[i];
        k->b = b;
        k->thread = thread;
        k->lane = lane;
        k->memory = memory;
        k->first[0] = gpu_scale(b, block, s->tile[0]);
        k->first[1] = zero;
        k->batch = p[0].sides[SIDE_BATCH].count ? mlc_block_arg(body, 2) : NULL;
        k->warp[0] = gpu_divide(b, warp, s->warps[1]);
        k->warp[1] = i == 0 ? gpu_modulo(b, warp, s->warps[1]) : zero;
    }
    gpu_tile_view(&n->k[0], &n->k[0].tiles[0], n->pieces, n->offset[0]);
    gpu_tile_view(&n->k[0], &n->k[0].tiles[1], n->k[0].schedule.stages, n->offset[1]);
    if (n->unit->left_in_memory)
        gpu_tile_view(&n->k[1], &n->k[1].tiles[0], 1, n->offset[3]);
    gpu_tile_begin(&n->k[1], &n->k[1].tiles[1], n->offset[2]);
}

// --- copies

// A tile of the first product whose rows (or keys) begin at `first`, into the slots from `slot` on.
static void
copy_pieces(AttentionKernel *n, size_t factor, MlcValue *first, MlcValue *slot, MlcValueVec *tokens)
{
    ProductKernel *k = &n->k[0];
    MlcValue *before = k->first[factor];
    int64_t stages = k->schedule.stages;
    Tile tile = k->tiles[factor];
    k->first[factor] = first;
    k->schedule.stages = factor ? stages : n->pieces;
    gpu_tile_begin(k, &tile, n->offset[factor]);
    for (int64_t i = 0; i < n->pieces; i++)
        gpu_tile_copy(k, &tile, mlc_build_index(k->b, i), gpu_add(k->b, slot, i), tokens);
    gpu_tile_release(&tile);
    k->schedule.stages = stages;
    k->first[factor] = before;
}

static MlcValue *
copy_step(AttentionKernel *n, MlcValue *step, MlcValue *slot, MlcValueVec *tokens)
{
    MlcBuilder *b = n->b;
    copy_pieces(n, 1, gpu_scale(b, step, n->schedule.tile[1]),
                mlc_arith_muli(b, slot, mlc_build_index(b, n->pieces)), tokens);
    gpu_tile_copy(&n->k[1], &n->k[1].tiles[1], step, slot, tokens);
    MlcValue *group =
        tokens->size ? mlc_nvgpu_device_async_create_group(b, tokens->data, tokens->size) : NULL;
    mlc_vec_clear(tokens);
    return group;
}

static MlcValue *
load_scaled(void *user, MlcBuilder *b, MlcOp *op, size_t i, MlcValue *const *ivs)
{
    (void)user;
    return gpu_load_element(b, op, i, ivs);
}

// An element of the queries, which the op ahead computes.
static MlcValue *
query_element(AttentionKernel *n, MlcBuilder *b, MlcValue *row, MlcValue *depth)
{
    const Product *p = &n->a->products[0];
    MlcAffineMap map = mlc_structured_map(p->op, p->factors[0]);
    MlcValue *ivs[MLC_SMALL_RANK] = {NULL}, *at[MLC_SMALL_RANK], *scaled[MLC_SMALL_RANK];
    gpu_group_indices(b, &p->sides[SIDE_ROWS], p->sizes, row, ivs);
    gpu_group_indices(b, &p->sides[SIDE_DEPTH], p->sizes, depth, ivs);
    if (n->k[0].batch)
        gpu_group_indices(b, &p->sides[SIDE_BATCH], p->sizes, n->k[0].batch, ivs);
    size_t rank = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < rank; i++)
        at[i] = ivs[mlc_map_result_dim(map, i)];
    MlcOp *scale = n->a->scale;
    if (!scale)
        return mlc_memref_load(b, p->source[0], at, rank);
    MlcAffineMap out = mlc_structured_map(scale, mlc_structured_num_inputs(scale));
    for (size_t i = 0; i < rank; i++)
        scaled[mlc_map_result_dim(out, i)] = at[i];
    return gpu_build_point(b, scale, scaled, load_scaled, NULL);
}

// All of the block's queries, element by element: neighbours of a piece, then its rows.
static void
load_queries(AttentionKernel *n)
{
    MlcBuilder *b = n->b, outside = *b;
    const Schedule *s = &n->schedule;
    ProductKernel *k = &n->k[0];
    const Product *p = &n->a->products[0];
    Tile *t = &k->tiles[0];
    MlcType index = mlc_index_type_get(b->ctx), element = t->element;
    MlcOp *loop =
        mlc_scf_for(b, NULL, 0, k->thread, mlc_build_index(b, s->tile[0] * n->pieces * s->tile[2]),
                    mlc_build_index(b, k->threads), NULL, 0);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), &index, 1);
    MlcValue *number = mlc_block_arg(body, 0);
    MlcValue *of_piece = gpu_divide(b, number, s->tile[2]),
             *in_piece = gpu_modulo(b, number, s->tile[2]);
    MlcValue *place = gpu_modulo(b, of_piece, s->tile[0]),
             *piece = gpu_divide(b, of_piece, s->tile[0]),
             *depth = mlc_arith_addi(b, gpu_scale(b, piece, s->tile[2]), in_piece),
             *row = mlc_arith_addi(b, k->first[0], place), *to[3];
    MlcValue *inside =
        mlc_arith_andi(b,
                       mlc_arith_cmpi(b, row, mlc_build_index(b, p->sides[SIDE_ROWS].size),
                                      MLC_ARITH_CMPI_PREDICATE_ULT),
                       mlc_arith_cmpi(b, depth, mlc_build_index(b, p->sides[SIDE_DEPTH].size),
                                      MLC_ARITH_CMPI_PREDICATE_ULT));
    MlcOp *guard = mlc_scf_if(b, &element, 1, inside);
    MlcBuilder inner = *b;
    mlc_builder_create_block(&inner, mlc_op_region(guard, 0), NULL, 0);
    MlcValue *value = query_element(n, &inner, row, depth);
    mlc_scf_yield(&inner, &value, 1);
    mlc_builder_create_block(&inner, mlc_op_region(guard, 1), NULL, 0);
    value = mlc_build_float(&inner, element, 0);
    mlc_scf_yield(&inner, &value, 1);
    gpu_tile_place(b, t, piece, place, in_piece, to);
    mlc_memref_store(b, mlc_op_result(guard, 0), t->memory, to, 3);
    mlc_scf_yield(b, NULL, 0);
    *b = outside;
}

// --- steps that a mask hides

static int64_t
num_steps(const AttentionKernel *n)
{
    return mlc_ceil_div(n->a->products[0].sides[SIDE_COLUMNS].size, n->schedule.tile[1]);
}

// Of the keys that some query of the block sees; one at least.
static MlcValue *
seen_steps(AttentionKernel *n)
{
    MlcBuilder *b = n->b;
    int64_t offset = n->schedule.tile[0] + n->a->causal.offset;
    MlcValue *keys = mlc_arith_addi(b, n->k[0].first[0], mlc_build_index(b, offset));
    keys = mlc_arith_maxsi(b, keys, mlc_build_index(b, 1));
    MlcValue *steps = gpu_divide(b, gpu_add(b, keys, n->schedule.tile[1] - 1), n->schedule.tile[1]);
    return mlc_arith_minsi(b, steps, mlc_build_index(b, num_steps(n)));
}

// What a thread finds in keys, and in values, of a step.
static MlcValue *
scan_step(AttentionKernel *n, bool of_keys, MlcValue *step, MlcValue *found)
{
    ProductKernel *k = &n->k[0];
    if (!of_keys)
        return gpu_tile_scan(&n->k[1], &n->k[1].tiles[1], step, found);
    MlcValue *before = k->first[1];
    Tile tile = k->tiles[1];
    k->first[1] = gpu_scale(n->b, step, n->schedule.tile[1]);
    gpu_tile_begin(k, &tile, n->offset[1]);
    for (int64_t i = 0; i < n->pieces; i++)
        found = gpu_tile_scan(k, &tile, mlc_build_index(n->b, i), found);
    gpu_tile_release(&tile);
    k->first[1] = before;
    return found;
}

static MlcValue *
scan_steps(AttentionKernel *n, bool of_keys, MlcValue *first, MlcValue *found)
{
    MlcBuilder *b = n->b, outside = *b;
    MlcType types[2] = {mlc_index_type_get(b->ctx), mlc_value_type(found)};
    MlcOp *loop = mlc_scf_for(b, types + 1, 1, first, mlc_build_index(b, num_steps(n)),
                              mlc_build_index(b, 1), &found, 1);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types, 2);
    found = scan_step(n, of_keys, mlc_block_arg(body, 0), mlc_block_arg(body, 1));
    mlc_scf_yield(b, &found, 1);
    *b = outside;
    return mlc_op_result(loop, 0);
}

// Whether any thread of the block has found something; by a word for each warp.
static MlcValue *
any_thread(AttentionKernel *n, MlcValue *found)
{
    MlcBuilder *b = n->b;
    const ProductKernel *k = &n->k[0];
    MlcType i32 = mlc_value_type(found);
    int64_t warps = k->threads / WARP;
    MlcType type = mlc_memref_type_get(i32, &warps, 1, NULL, gpu_workgroup_space(b->ctx));
    MlcValue *zero = mlc_build_index(b, 0), *width = mlc_build_int(b, i32, WARP);
    MlcValue *words = mlc_memref_view(b, type, k->memory, zero, NULL, 0);
    for (int64_t step = WARP / 2; step > 0; step /= 2) {
        MlcOp *shuffle =
            mlc_gpu_shuffle(b, found, mlc_build_int(b, i32, step), width, MLC_GPU_SHUFFLE_MODE_XOR);
        found = mlc_arith_ori(b, found, mlc_op_result(shuffle, 0));
    }
    MlcValue *is_first = mlc_arith_cmpi(b, k->lane, zero, MLC_ARITH_CMPI_PREDICATE_EQ);
    MlcOp *guard = mlc_scf_if(b, NULL, 0, is_first);
    MlcBuilder outside = *b;
    mlc_builder_create_block(b, mlc_op_region(guard, 0), NULL, 0);
    MlcValue *warp = gpu_divide(b, k->thread, WARP);
    mlc_memref_store(b, found, words, &warp, 1);
    mlc_scf_yield(b, NULL, 0);
    *b = outside;
    mlc_gpu_barrier(b);
    for (int64_t i = 0; i < warps; i++) {
        MlcValue *place = mlc_build_index(b, i);
        found = mlc_arith_ori(b, found, mlc_memref_load(b, words, &place, 1));
    }
    mlc_gpu_barrier(b); // copies will be where the words are
    return gpu_scan_found(b, k->product->element[0], found);
}

// Those that are seen, or all where it matters what the others hold.
static void
find_steps(AttentionKernel *n)
{
    MlcBuilder *b = n->b;
    MlcValue *all = mlc_build_index(b, num_steps(n));
    n->steps = all;
    if (!n->a->causal.select)
        return;
    MlcValue *seen = seen_steps(n),
             *found = mlc_build_int(b, mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS), 0);
    found = scan_steps(n, false, seen, found);
    if (n->a->causal.is_sum)
        found = scan_steps(n, true, seen, found);
    n->steps = mlc_build_select(b, any_thread(n, found), all, seen);
}

// --- a step

// Scores of the step's keys: products over all pieces of the depth.
static void
build_scores(AttentionKernel *n, MlcValue *slot, MlcValueVec *scores)
{
    MlcBuilder *b = n->b;
    ProductKernel *k = &n->k[0];
    MlcTypeVec types = {0};
    MlcValue *sum = mlc_build_float(b, n->unit->sum_type(gpu_product_sum_element(k->product)), 0);
    mlc_vec_clear(scores);
    mlc_vec_push(&types, mlc_index_type_get(b->ctx));
    for (size_t i = 0; i < n->unit->num_sums(&k->schedule); i++) {
        mlc_vec_push(scores, sum);
        mlc_vec_push(&types, mlc_value_type(sum));
    }
    MlcValue *first = mlc_arith_muli(b, slot, mlc_build_index(b, n->pieces));
    MlcOp *loop = mlc_scf_for(b, types.data + 1, scores->size, mlc_build_index(b, 0),
                              mlc_build_index(b, n->pieces), mlc_build_index(b, 1), scores->data,
                              scores->size);
    MlcBuilder outside = *b;
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types.data, types.size);
    for (size_t i = 0; i < scores->size; i++)
        scores->data[i] = mlc_block_arg(body, 1 + i);
    MlcValue *piece = mlc_block_arg(body, 0);
    n->unit->step(k, (MlcValue *[2]){piece, mlc_arith_addi(b, first, piece)}, scores->data);
    mlc_scf_yield(b, scores->data, scores->size);
    *b = outside;
    for (size_t i = 0; i < scores->size; i++)
        scores->data[i] = mlc_op_result(loop, i);
    mlc_vec_release(&types);
}

// Whether scores are made of more than the sums: of elements of buffers that the chain does not
// write.
static bool
reads_memory(const Chain *chain)
{
    for (size_t i = 0; i < chain->followers.size; i++) {
        MlcOp *op = chain->followers.data[i];
        for (size_t n = 0; n < mlc_structured_num_inputs(op); n++) {
            MlcValue *read = mlc_op_operand(op, n);
            bool is_known = read == gpu_output_of(chain->root);
            for (size_t k = 0; k < i; k++)
                is_known |= read == gpu_output_of(chain->followers.data[k]);
            if (gpu_is_buffer(read) && !is_known)
                return true;
        }
    }
    return false;
}

// What the ops behind the first product make of a score that is there.
static MlcValue *
follow_score(AttentionKernel *n, MlcBuilder *b, MlcValue *sum, MlcValue *row, MlcValue *key)
{
    const Product *p = &n->a->products[0];
    MlcAffineMap out = mlc_structured_map(p->op, 2);
    MlcValue *ivs[MLC_SMALL_RANK] = {NULL}, *coordinates[MLC_SMALL_RANK];
    gpu_group_indices(b, &p->sides[SIDE_ROWS], p->sizes, row, ivs);
    gpu_group_indices(b, &p->sides[SIDE_COLUMNS], p->sizes, key, ivs);
    if (n->k[0].batch)
        gpu_group_indices(b, &p->sides[SIDE_BATCH], p->sizes, n->k[0].batch, ivs);
    for (size_t i = 0; i < mlc_affine_map_num_results(out); i++)
        coordinates[i] = ivs[mlc_map_result_dim(out, i)];
    ChainPoint point = {.chain = &n->a->scores, .coordinates = coordinates};
    MlcValue *initial = gpu_chain_initial(&point, b);
    if (initial)
        sum = mlc_arith_addf(b, initial, sum);
    MlcValue *score = gpu_chain_value(&point, b, sum, n->a->buffer);
    gpu_chain_point_release(&point);
    return score;
}

// A score as it goes into the softmax; -inf where there is none.
static MlcValue *
finish_score(AttentionKernel *n, MlcValue *sum, MlcValue *row, MlcValue *key)
{
    MlcBuilder *b = n->b;
    const Product *p = &n->a->products[0];
    int64_t rows = p->sides[SIDE_ROWS].size, keys = p->sides[SIDE_COLUMNS].size;
    MlcType f32 = mlc_value_type(sum);
    MlcValue *least = mlc_build_float(b, f32, -INFINITY), *inside = NULL;
    if (keys % n->schedule.tile[1] != 0)
        inside = mlc_arith_cmpi(b, key, mlc_build_index(b, keys), MLC_ARITH_CMPI_PREDICATE_ULT);
    if (!reads_memory(&n->a->scores)) {
        MlcValue *score = follow_score(n, b, sum, row, key);
        return inside ? mlc_build_select(b, inside, score, least) : score;
    }
    if (rows % n->schedule.tile[0] != 0) {
        MlcValue *is_row =
            mlc_arith_cmpi(b, row, mlc_build_index(b, rows), MLC_ARITH_CMPI_PREDICATE_ULT);
        inside = inside ? mlc_arith_andi(b, inside, is_row) : is_row;
    }
    if (!inside)
        return follow_score(n, b, sum, row, key);
    MlcOp *guard = mlc_scf_if(b, &f32, 1, inside);
    MlcBuilder inner = *b;
    mlc_builder_create_block(&inner, mlc_op_region(guard, 0), NULL, 0);
    MlcValue *score = follow_score(n, &inner, sum, row, key);
    mlc_scf_yield(&inner, &score, 1);
    mlc_builder_create_block(&inner, mlc_op_region(guard, 1), NULL, 0);
    mlc_scf_yield(&inner, &least, 1);
    return mlc_op_result(guard, 0);
}

static MlcValue *
is_finite(MlcBuilder *b, MlcValue *x)
{
    MlcValue *infinite = mlc_build_float(b, mlc_value_type(x), INFINITY);
    return mlc_arith_cmpf(b, mlc_math_absf(b, x), infinite, MLC_ARITH_CMPF_PREDICATE_OLT);
}

// exp(x - base) where that may be taken, else 0.
static MlcValue *
power_of(MlcBuilder *b, MlcValue *x, MlcValue *base, MlcValue *finite)
{
    MlcValue *power = mlc_math_exp(b, mlc_arith_subf(b, x, base));
    return mlc_build_select(b, finite, power, mlc_build_float(b, mlc_value_type(x), 0));
}

// Of all lanes of a row, by `combine`.
static MlcValue *
join_lanes(AttentionKernel *n, MlcValue *x,
           MlcValue *(*combine)(MlcBuilder *b, MlcValue *x, MlcValue *y))
{
    MlcBuilder *b = n->b;
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    for (int64_t step = n->unit->row_lanes / 2; step > 0; step /= 2) {
        MlcOp *shuffle = mlc_gpu_shuffle(b, x, mlc_build_int(b, i32, step),
                                         mlc_build_int(b, i32, WARP), MLC_GPU_SHUFFLE_MODE_XOR);
        x = combine(b, x, mlc_op_result(shuffle, 0));
    }
    return x;
}

// Scores as they go into the softmax. Where the block's queries see all keys of the step, the mask
// is not asked.
static void
finish_scores(AttentionKernel *n, MlcValue *first, const MlcValueVec *sums, MlcValueVec *values)
{
    MlcBuilder *b = n->b;
    const ProductUnit *unit = n->unit;
    const Schedule *s = &n->k[0].schedule;
    mlc_vec_clear(values);
    for (size_t i = 0; i < sums->size; i++)
        for (size_t e = 0; e < (size_t)unit->num_elements; e++) {
            size_t r = unit->element_row(s, i, e);
            MlcValue *row = mlc_arith_addi(b, n->k[0].first[0], unit->row_place(&n->k[0], r)),
                     *key = mlc_arith_addi(b, first, unit->element_column(&n->k[0], i, e));
            mlc_vec_push(values, finish_score(n, gpu_sum_element(b, sums->data[i], e), row, key));
        }
}

// The same with the mask's choice made: all is shown.
static void
finish_shown(AttentionKernel *n, MlcValue *first, const MlcValueVec *sums, MlcValueVec *values)
{
    const Causal *c = &n->a->causal;
    MlcValue *hidden = mlc_op_operand(c->select, 3 - c->shown);
    mlc_op_set_operand(c->select, 3 - c->shown, mlc_op_operand(c->select, c->shown));
    finish_scores(n, first, sums, values);
    mlc_op_set_operand(c->select, 3 - c->shown, hidden);
}

static void
choose_scores(AttentionKernel *n, MlcValue *first, const MlcValueVec *sums, MlcValueVec *values)
{
    MlcBuilder *b = n->b, outside;
    int64_t keys = n->schedule.tile[1];
    if (!n->a->causal.select) {
        finish_scores(n, first, sums, values);
        return;
    }
    MlcType f32 = mlc_float_type_get(b->ctx, MLC_FLOAT_F32);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < sums->size * (size_t)n->unit->num_elements; i++)
        mlc_vec_push(&types, f32);
    MlcValue *last = mlc_arith_addi(b, n->k[0].first[0], mlc_build_index(b, n->a->causal.offset));
    MlcValue *is_shown =
        mlc_arith_cmpi(b, gpu_add(b, first, keys - 1), last, MLC_ARITH_CMPI_PREDICATE_SLE);
    MlcOp *choice = mlc_scf_if(b, types.data, types.size, is_shown);
    outside = *b;
    mlc_builder_create_block(b, mlc_op_region(choice, 0), NULL, 0);
    finish_shown(n, first, sums, values);
    mlc_scf_yield(b, values->data, values->size);
    mlc_builder_create_block(b, mlc_op_region(choice, 1), NULL, 0);
    finish_scores(n, first, sums, values);
    mlc_scf_yield(b, values->data, values->size);
    *b = outside;
    for (size_t i = 0; i < values->size; i++)
        values->data[i] = mlc_op_result(choice, i);
    mlc_vec_release(&types);
}

// From scores to exponentials. `state`: the largest scores of rows, sums of their exponentials, and
// of values.
static void
build_powers(AttentionKernel *n, MlcValue *step, MlcValueVec *scores, MlcValue **state)
{
    MlcBuilder *b = n->b;
    const ProductUnit *unit = n->unit;
    const Schedule *s[2] = {&n->k[0].schedule, &n->k[1].schedule};
    size_t rows = unit->num_rows(s[0]), elements = (size_t)unit->num_elements;
    MlcValue **top = state, **total = state + rows, **sums = total + rows;
    MlcValue *first = gpu_scale(b, step, n->schedule.tile[1]);
    MlcValueVec values = {0}, old = {0}, finite = {0}, base = {0};
    for (size_t r = 0; r < rows; r++)
        mlc_vec_push(&old, top[r]);
    choose_scores(n, first, scores, &values);
    for (size_t i = 0; i < values.size; i++) {
        size_t r = unit->element_row(s[0], i / elements, i % elements);
        top[r] = mlc_arith_maximumf(b, top[r], values.data[i]);
    }
    MlcValue *zero = mlc_build_float(b, mlc_value_type(top[0]), 0);
    for (size_t r = 0; r < rows; r++) {
        top[r] = join_lanes(n, top[r], mlc_arith_maximumf);
        mlc_vec_push(&finite, is_finite(b, top[r]));
        mlc_vec_push(&base, mlc_build_select(b, finite.data[r], top[r], zero));
        old.data[r] = power_of(b, old.data[r], base.data[r], finite.data[r]);
        total[r] = mlc_arith_mulf(b, total[r], old.data[r]);
    }
    for (size_t i = 0; i < scores->size; i++)
        for (size_t e = 0; e < elements; e++) {
            size_t r = unit->element_row(s[0], i, e);
            MlcValue *power =
                power_of(b, values.data[i * elements + e], base.data[r], finite.data[r]);
            total[r] = mlc_arith_addf(b, total[r], power);
            scores->data[i] = gpu_sum_with_element(b, scores->data[i], e, power);
        }
    for (size_t i = 0; i < unit->num_sums(s[1]); i++)
        for (size_t e = 0; e < elements; e++) {
            MlcValue *sum = gpu_sum_element(b, sums[i], e);
            sums[i] = gpu_sum_with_element(
                b, sums[i], e, mlc_arith_mulf(b, sum, old.data[unit->element_row(s[1], i, e)]));
        }
    mlc_vec_release(&values);
    mlc_vec_release(&old);
    mlc_vec_release(&finite);
    mlc_vec_release(&base);
}

// Largest scores, sums of exponentials, sums of values, before the first step.
static void
begin_state(AttentionKernel *n, MlcValueVec *state)
{
    MlcBuilder *b = n->b;
    const Schedule *s = &n->k[1].schedule;
    MlcType f32 = mlc_float_type_get(b->ctx, MLC_FLOAT_F32);
    MlcValue *least = mlc_build_float(b, f32, -INFINITY), *zero = mlc_build_float(b, f32, 0),
             *sum = mlc_build_float(b, n->unit->sum_type(f32), 0);
    size_t rows = n->unit->num_rows(s);
    for (size_t i = 0; i < 2 * rows; i++)
        mlc_vec_push(state, i < rows ? least : zero);
    for (size_t i = 0; i < n->unit->num_sums(s); i++)
        mlc_vec_push(state, sum);
}

// The step whose copies begin; none are made of the one behind all keys.
static MlcValue *
step_ahead(AttentionKernel *n, MlcValue *step)
{
    MlcBuilder *b = n->b;
    MlcValue *ahead = gpu_add(b, step, n->schedule.stages - 1);
    if (!n->a->causal.select)
        return ahead;
    MlcValue *is_taken = mlc_arith_cmpi(b, ahead, n->steps, MLC_ARITH_CMPI_PREDICATE_SLT);
    return mlc_build_select(b, is_taken, ahead, mlc_build_index(b, num_steps(n)));
}

// All keys; `state` becomes what they come to.
static void
build_loop(AttentionKernel *n, MlcValueVec *state)
{
    MlcBuilder *b = n->b;
    int64_t stages = n->schedule.stages;
    size_t count = state->size;
    MlcValueVec tokens = {0}, scores = {0};
    MlcTypeVec types = {0};
    MlcValue *group = NULL, *zero = mlc_build_index(b, 0);
    find_steps(n);
    if (n->copies_queries)
        copy_pieces(n, 0, n->k[0].first[0], zero, &tokens);
    else
        load_queries(n);
    for (int64_t i = 0; i + 1 < stages; i++)
        group = copy_step(n, mlc_build_index(b, i), mlc_build_index(b, i), &tokens);
    mlc_vec_push(state, zero);
    mlc_vec_push(state, mlc_build_index(b, stages - 1));
    mlc_vec_push(&types, mlc_index_type_get(b->ctx));
    for (size_t i = 0; i < state->size; i++)
        mlc_vec_push(&types, mlc_value_type(state->data[i]));
    MlcOp *loop = mlc_scf_for(b, types.data + 1, state->size, zero, n->steps, mlc_build_index(b, 1),
                              state->data, state->size);
    MlcBuilder outside = *b;
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types.data, types.size);
    MlcValue *step = mlc_block_arg(body, 0), **slots = state->data + count;
    for (size_t i = 0; i < state->size; i++)
        state->data[i] = mlc_block_arg(body, 1 + i);
    gpu_wait_for_copies(b, group, stages - 2);
    copy_step(n, step_ahead(n, step), slots[1], &tokens);
    build_scores(n, slots[0], &scores);
    build_powers(n, step, &scores, state->data);
    n->unit->step_from(&n->k[1], &n->k[0], slots[0], scores.data,
                       state->data + 2 * n->unit->num_rows(&n->k[1].schedule));
    for (size_t i = 0; i < 2; i++)
        slots[i] = gpu_next_slot(b, slots[i], stages);
    mlc_scf_yield(b, state->data, state->size);
    *b = outside;
    gpu_wait_for_copies(b, group, 0);
    for (size_t i = 0; i < count; i++)
        state->data[i] = mlc_op_result(loop, i);
    state->size = count;
    mlc_vec_release(&tokens);
    mlc_vec_release(&scores);
    mlc_vec_release(&types);
}

// --- the end

// Views of a warp's part of workgroup memory, warp `along` along keys.
typedef struct Part {
    MlcValue *sums, *numbers; // [rows][columns + gap], [2][rows]
} Part;

static Part
part_of(AttentionKernel *n, MlcValue *along)
{
    MlcBuilder *b = n->b;
    const ProductKernel *k = &n->k[1];
    int64_t rows = n->schedule.tile[0], shape[2] = {rows, k->schedule.tile[1] + k->gap},
            numbers[2] = {2, rows};
    MlcAttr space = gpu_workgroup_space(b->ctx);
    MlcType f32 = mlc_float_type_get(b->ctx, MLC_FLOAT_F32);
    MlcValue *offset = mlc_arith_muli(b, along, mlc_build_index(b, n->warp_bytes));
    return (Part){
        mlc_memref_view(b, mlc_memref_type_get(f32, shape, 2, NULL, space), k->memory, offset, NULL,
                        0),
        mlc_memref_view(b, mlc_memref_type_get(f32, numbers, 2, NULL, space), k->memory,
                        gpu_add(b, offset, shape[0] * shape[1] * 4), NULL, 0),
    };
}

static void
store_part(AttentionKernel *n, MlcValue *const *state)
{
    MlcBuilder *b = n->b;
    const Schedule *s = &n->k[1].schedule;
    size_t rows = n->unit->num_rows(s);
    Part part = part_of(n, n->k[0].warp[1]);
    n->unit->store(&n->k[1], part.sums, state + 2 * rows);
    MlcValueVec totals = {0};
    for (size_t r = 0; r < rows; r++)
        mlc_vec_push(&totals, join_lanes(n, state[rows + r], mlc_arith_addf));
    MlcValue *zero = mlc_build_index(b, 0);
    MlcOp *guard = mlc_scf_if(b, NULL, 0,
                              mlc_arith_cmpi(b, gpu_modulo(b, n->k[0].lane, n->unit->row_lanes),
                                             zero, MLC_ARITH_CMPI_PREDICATE_EQ));
    MlcBuilder outside = *b;
    mlc_builder_create_block(b, mlc_op_region(guard, 0), NULL, 0);
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < 2; i++) {
            MlcValue *place[2] = {mlc_build_index(b, (int64_t)i), n->unit->row_place(&n->k[1], r)};
            mlc_memref_store(b, i ? totals.data[r] : state[r], part.numbers, place, 2);
        }
    mlc_scf_yield(b, NULL, 0);
    *b = outside;
    mlc_vec_release(&totals);
}

// The division, of a sum of values instead of an exponential.
static MlcValue *
build_weight(AttentionKernel *n, MlcValue *sum, MlcValue *total)
{
    MlcOp *norm = n->a->norm;
    MlcBlock *body = mlc_structured_body(norm);
    MlcCloneMap *map = mlc_clone_map_create();
    size_t keys_rank = mlc_type_rank(mlc_value_type(n->a->buffer));
    for (size_t i = 0; i < mlc_structured_num_inputs(norm); i++) {
        MlcValue *input = mlc_op_operand(norm, i);
        bool is_row = gpu_is_buffer(input) && mlc_type_rank(mlc_value_type(input)) < keys_rank;
        mlc_clone_map_set(map, mlc_block_arg(body, i),
                          !gpu_is_buffer(input) ? input
                          : is_row              ? total
                                                : sum);
    }
    MLC_FOR_EACH_OP (op, body)
        if (op != mlc_block_terminator(body))
            mlc_builder_insert(n->b, mlc_op_clone(op, map));
    MlcValue *weight = mlc_clone_map_get(map, n->a->weight);
    mlc_clone_map_destroy(map);
    return weight;
}

// What the warps along keys came to at one place of the block's tile.
static MlcValue *
join_parts(AttentionKernel *n, MlcValue *const place[2])
{
    MlcBuilder *b = n->b;
    int64_t warps = n->schedule.warps[1];
    MlcType f32 = mlc_float_type_get(b->ctx, MLC_FLOAT_F32);
    MlcValue *top = NULL, *sum = NULL, *total = NULL;
    MlcValueVec tops = {0};
    for (int64_t i = 0; i < warps; i++) {
        Part part = part_of(n, mlc_build_index(b, i));
        MlcValue *at[2] = {mlc_build_index(b, 0), place[0]},
                 *one = mlc_memref_load(b, part.numbers, at, 2);
        mlc_vec_push(&tops, one);
        top = top ? mlc_arith_maximumf(b, top, one) : one;
    }
    MlcValue *finite = is_finite(b, top);
    MlcValue *base = mlc_build_select(b, finite, top, mlc_build_float(b, f32, 0));
    for (int64_t i = 0; i < warps; i++) {
        Part part = part_of(n, mlc_build_index(b, i));
        MlcValue *at[2] = {mlc_build_index(b, 1), place[0]};
        MlcValue *part_sum = mlc_memref_load(b, part.sums, place, 2),
                 *part_total = mlc_memref_load(b, part.numbers, at, 2);
        if (warps > 1) {
            MlcValue *factor = power_of(b, tops.data[i], base, finite);
            part_sum = mlc_arith_mulf(b, part_sum, factor);
            part_total = mlc_arith_mulf(b, part_total, factor);
        }
        sum = sum ? mlc_arith_addf(b, sum, part_sum) : part_sum;
        total = total ? mlc_arith_addf(b, total, part_total) : part_total;
    }
    mlc_vec_release(&tops);
    total = mlc_build_select(b, finite, total, mlc_build_float(b, f32, NAN));
    MlcValue *weighted = build_weight(n, sum, total);
    return n->a->zeroes_nan ? mlc_build_select(b, finite, weighted, sum) : weighted;
}

static void
build_end(AttentionKernel *n, MlcValue *const *state)
{
    MlcBuilder *b = n->b;
    ProductKernel *k = &n->k[1];
    store_part(n, state);
    mlc_gpu_barrier(b);
    MlcValue *place[2], *global[2];
    gpu_begin_elements(k, gpu_round_up(k->schedule.tile[1], WARP), place, global);
    MlcValue *value = join_parts(n, place);
    gpu_finish_element(k, &n->a->result, value, global[0], global[1]);
}

static void
erase(Attention *a)
{
    MlcValueVec buffers = {0};
    for (size_t i = 0; i < a->ops.size; i++) {
        mlc_vec_push(&buffers, gpu_output_of(a->ops.data[i]));
        mlc_op_erase(a->ops.data[i]);
    }
    for (size_t i = 0; i < buffers.size; i++) {
        MlcOp *def = mlc_value_def(buffers.data[i]);
        bool again = false;
        for (size_t j = i + 1; j < buffers.size; j++)
            again |= buffers.data[j] == buffers.data[i];
        if (!again && def && mlc_memref_alloc_isa(def) && !mlc_value_has_uses(buffers.data[i]))
            mlc_op_erase(def);
    }
    mlc_vec_release(&buffers);
}

bool
gpu_attention_launch(Attention *a, const Schedule *schedule)
{
    AttentionKernel n;
    MlcOp *first = a->scores.root;
    if (!plan(&n, a, schedule))
        return mlc_op_error(first,
                            "its schedule does not fit its element types, its layout, or what "
                            "a block has");
    MlcBuilder b;
    MlcValueVec state = {0};
    mlc_builder_init(&b, mlc_op_context(first));
    mlc_builder_before(&b, gpu_chain_place(&a->result));
    b.loc = mlc_op_loc(first);
    n.b = &b;
    create_launch(&n);
    begin_state(&n, &state);
    build_loop(&n, &state);
    build_end(&n, state.data);
    mlc_vec_release(&state);
    gpu_tile_release(&n.k[1].tiles[1]);
    erase(a);
    return true;
}
