// linalg_to_gpu.c -- kernels of structured ops with a schedule become launches, as their schedules
// say (docs/internals/gpu-kernels.md).
//
// A product: each block computes a tile of the result. Tiles of the factors come through workgroup
// memory, several stages of the depth ahead of their use; what is outside of the factors is zero.
// The sums go to workgroup memory in the end, from where threads take them one by one, with the ops
// that follow the product: neighbouring threads have neighbouring elements. Where groups of warps
// have taken the steps of the depth by turns, each has sums there, which are added up in order.
#include "mlc/pass.h"

#include "gpu_attention.h"
#include "gpu_launch.h"
#include "gpu_matrix.h"
#include "gpu_point.h"
#include "gpu_points.h"
#include "gpu_rows.h"
#include "gpu_schedule.h"
#include "gpu_warpgroup.h"

#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

int64_t
gpu_round_up(int64_t x, int64_t multiple)
{
    return mlc_ceil_div(x, multiple) * multiple;
}

MlcAttr
gpu_workgroup_space(MlcContext *ctx)
{
    return mlc_enum_attr_get(ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_WORKGROUP);
}

static int64_t
sums_bytes(const ProductKernel *k)
{
    return k->schedule.tile[0] * (k->schedule.tile[1] + k->gap) * 4;
}

// Of all stages of all groups.
static int64_t
tiles_bytes(const ProductKernel *k, size_t i)
{
    return gpu_round_up(gpu_tile_bytes(&k->tiles[i]) * k->schedule.stages * k->groups, LINE_BYTES);
}

static int64_t
memory_bytes(const ProductKernel *k)
{
    int64_t stages = 0;
    for (size_t i = 0; i < 2; i++)
        stages += tiles_bytes(k, i);
    int64_t sums = sums_bytes(k) * k->groups;
    return stages > sums ? stages : sums;
}

// The launch; the builder goes into its body. x: columns, y: rows, z: the batch.
static MlcOp *
create_launch(ProductKernel *k, MlcBuilder *b, int64_t threads, int64_t bytes)
{
    const Product *p = k->product;
    const Schedule *s = &k->schedule;
    MlcValue *grid[3] = {
        mlc_build_index(b, mlc_ceil_div(p->sides[SIDE_COLUMNS].size, s->tile[1])),
        mlc_build_index(b, mlc_ceil_div(p->sides[SIDE_ROWS].size, s->tile[0])),
        mlc_build_index(b, p->sides[SIDE_BATCH].size),
    };
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS), index[12];
    MlcValue *one = mlc_build_index(b, 1);
    MlcOp *launch =
        mlc_gpu_launch(b, NULL, NULL, 0, grid[0], grid[1], grid[2], mlc_build_index(b, threads),
                       one, one, NULL, NULL, NULL, mlc_build_int(b, i32, bytes));
    for (size_t i = 0; i < 12; i++)
        index[i] = mlc_index_type_get(b->ctx);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(launch, 0), index, 12);
    mlc_builder_before(b, mlc_gpu_terminator(b));
    k->b = b;
    k->thread = mlc_block_arg(body, 3);
    if (k->groups > 1) {
        k->group = gpu_divide(b, k->thread, k->threads);
        k->thread = gpu_modulo(b, k->thread, k->threads);
    }
    k->first[0] = gpu_scale(b, mlc_block_arg(body, 1), s->tile[0]);
    k->first[1] = gpu_scale(b, mlc_block_arg(body, 0), s->tile[1]);
    k->batch = p->sides[SIDE_BATCH].count ? mlc_block_arg(body, 2) : NULL;
    MlcValue *warp = gpu_divide(b, k->thread, WARP);
    k->lane = gpu_modulo(b, k->thread, WARP);
    k->warp[0] = gpu_divide(b, warp, s->warps[1]);
    k->warp[1] = gpu_modulo(b, warp, s->warps[1]);
    int64_t size = MLC_DYNAMIC;
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    k->memory = mlc_gpu_dynamic_shared_memory(
        b, mlc_memref_type_get(byte, &size, 1, NULL, gpu_workgroup_space(b->ctx)));
    return launch;
}

// The group's of step `number`, or of slot `number`.
static MlcValue *
of_group(ProductKernel *k, MlcValue *number)
{
    return k->group ? mlc_arith_addi(k->b, gpu_scale(k->b, number, k->groups), k->group) : number;
}

// Begins the copies of a step, a group of their own; NULL: there are none that are asynchronous.
static MlcValue *
copy_tiles(ProductKernel *k, MlcValue *step, MlcValue *slot)
{
    MlcValueVec tokens = {0};
    MlcValue *group = NULL;
    step = of_group(k, step);
    slot = of_group(k, slot);
    for (size_t i = 0; i < 2; i++)
        gpu_tile_copy(k, &k->tiles[i], step, slot, &tokens);
    if (tokens.size)
        group = mlc_nvgpu_device_async_create_group(k->b, tokens.data, tokens.size);
    mlc_vec_release(&tokens);
    return group;
}

MlcValue *
gpu_next_slot(MlcBuilder *b, MlcValue *slot, int64_t stages)
{
    MlcValue *next = gpu_add(b, slot, 1), *end = mlc_build_index(b, stages);
    MlcValue *wraps = mlc_arith_cmpi(b, next, end, MLC_ARITH_CMPI_PREDICATE_EQ);
    return mlc_build_select(b, wraps, mlc_build_index(b, 0), next);
}

void
gpu_wait_for_copies(MlcBuilder *b, MlcValue *group, int64_t left)
{
    if (group) {
        MlcOp *wait = mlc_nvgpu_device_async_wait(b, group);
        mlc_nvgpu_device_async_wait_set_num_groups(wait, mlc_i32_attr_get(b->ctx, (int32_t)left));
    }
    mlc_gpu_barrier(b);
}

// All steps of the depth; `sums` become the loop's results. A stage is overwritten one step after
// it was used: the barrier between is that of the wait.
static void
build_loop(ProductKernel *k, const ProductUnit *unit, MlcValueVec *sums)
{
    MlcBuilder *b = k->b;
    int64_t stages = k->schedule.stages, steps = mlc_ceil_div(k->product->sides[SIDE_DEPTH].size,
                                                              k->schedule.tile[2] * k->groups);
    MlcValueVec values = {0};
    MlcTypeVec types = {0};
    MlcValue *group = NULL;
    for (int64_t i = 0; i + 1 < stages; i++) {
        MlcValue *at = mlc_build_index(b, i);
        group = copy_tiles(k, at, at);
    }
    for (size_t i = 0; i < sums->size; i++)
        mlc_vec_push(&values, sums->data[i]);
    mlc_vec_push(&values, mlc_build_index(b, 0));
    mlc_vec_push(&values, mlc_build_index(b, stages - 1));
    for (size_t i = 0; i < values.size; i++)
        mlc_vec_push(&types, mlc_value_type(values.data[i]));
    MlcOp *loop =
        mlc_scf_for(b, types.data, types.size, mlc_build_index(b, 0), mlc_build_index(b, steps),
                    mlc_build_index(b, 1), values.data, values.size);
    MlcTypeVec args = {0};
    mlc_vec_push(&args, mlc_index_type_get(b->ctx));
    for (size_t i = 0; i < types.size; i++)
        mlc_vec_push(&args, types.data[i]);
    MlcBuilder outside = *b;
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), args.data, args.size);
    for (size_t i = 0; i < values.size; i++)
        values.data[i] = mlc_block_arg(body, 1 + i);
    MlcValue **slots = &values.data[sums->size];
    gpu_wait_for_copies(b, group, stages - 2);
    copy_tiles(k, gpu_add(b, mlc_block_arg(body, 0), stages - 1), slots[1]);
    MlcValue *slot = of_group(k, slots[0]);
    unit->step(k, (MlcValue *[2]){slot, slot}, values.data);
    slots[0] = gpu_next_slot(b, slots[0], stages);
    slots[1] = gpu_next_slot(b, slots[1], stages);
    mlc_scf_yield(b, values.data, values.size);
    *b = outside;
    gpu_wait_for_copies(b, group, 0);
    for (size_t i = 0; i < sums->size; i++)
        sums->data[i] = mlc_op_result(loop, i);
    mlc_vec_release(&values);
    mlc_vec_release(&types);
    mlc_vec_release(&args);
}

// A float of the element type `to`, wider or narrower.
static MlcValue *
convert_float(MlcBuilder *b, MlcValue *value, MlcType to)
{
    unsigned from_bits = mlc_type_bit_width(mlc_value_type(value)), bits = mlc_type_bit_width(to);
    return mlc_value_type(value) == to ? value
           : from_bits < bits          ? mlc_arith_extf(b, to, value)
                                       : mlc_arith_truncf(b, to, value);
}

void
gpu_finish_element(ProductKernel *k, const Chain *chain, MlcValue *sum, MlcValue *row,
                   MlcValue *column)
{
    MlcBuilder *b = k->b;
    const Product *p = k->product;
    MlcAffineMap out = mlc_structured_map(p->op, 2);
    MlcValue *ivs[MLC_SMALL_RANK] = {NULL}, *coordinates[MLC_SMALL_RANK];
    gpu_group_indices(b, &p->sides[SIDE_ROWS], p->sizes, row, ivs);
    gpu_group_indices(b, &p->sides[SIDE_COLUMNS], p->sizes, column, ivs);
    if (k->batch)
        gpu_group_indices(b, &p->sides[SIDE_BATCH], p->sizes, k->batch, ivs);
    for (size_t i = 0; i < mlc_affine_map_num_results(out); i++)
        coordinates[i] = ivs[mlc_affine_position(mlc_affine_map_result(out, i))];
    ChainPoint point = {.chain = chain, .coordinates = coordinates};
    MlcValue *initial = gpu_chain_initial(&point, b);
    if (initial && mlc_type_is(mlc_value_type(sum), MLC_TYPE_INTEGER))
        sum = mlc_arith_addi(b, initial, sum);
    else if (initial)
        sum = mlc_arith_addf(b, convert_float(b, initial, mlc_value_type(sum)), sum);
    gpu_chain_finish(&point, b, convert_float(b, sum, mlc_type_element(mlc_value_type(p->result))));
    gpu_chain_point_release(&point);
}

void
gpu_begin_elements(ProductKernel *k, int64_t across, MlcValue *place[2], MlcValue *global[2])
{
    MlcBuilder *b = k->b;
    const Schedule *s = &k->schedule;
    MlcType index = mlc_index_type_get(b->ctx);
    MlcOp *loop = mlc_scf_for(b, NULL, 0, k->thread, mlc_build_index(b, s->tile[0] * across),
                              mlc_build_index(b, k->threads), NULL, 0);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), &index, 1);
    mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
    MlcValue *number = mlc_block_arg(body, 0), *inside[2];
    place[0] = gpu_divide(b, number, across);
    place[1] = gpu_modulo(b, number, across);
    for (size_t i = 0; i < 2; i++) {
        int64_t size = k->product->sides[i ? SIDE_COLUMNS : SIDE_ROWS].size;
        global[i] = mlc_arith_addi(b, k->first[i], place[i]);
        inside[i] =
            mlc_arith_cmpi(b, global[i], mlc_build_index(b, size), MLC_ARITH_CMPI_PREDICATE_ULT);
    }
    MlcOp *guard = mlc_scf_if(b, NULL, 0, mlc_arith_andi(b, inside[0], inside[1]));
    mlc_builder_create_block(b, mlc_op_region(guard, 0), NULL, 0);
    mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
}

// Threads take the tile's elements, in `memory`, one by one.
static void
finish_tile(ProductKernel *k, const Chain *chain, MlcValue *memory)
{
    MlcValue *place[2], *global[2];
    gpu_begin_elements(k, k->schedule.tile[1], place, global);
    gpu_finish_element(k, chain, mlc_memref_load(k->b, memory, place, 2), global[0], global[1]);
}

// The view of a group's sums.
static MlcValue *
sums_of(ProductKernel *k, MlcValue *group)
{
    MlcBuilder *b = k->b;
    int64_t shape[2] = {k->schedule.tile[0], k->schedule.tile[1] + k->gap};
    MlcType type = mlc_memref_type_get(gpu_product_sum_element(k->product), shape, 2, NULL,
                                       gpu_workgroup_space(b->ctx));
    return mlc_memref_view(b, type, k->memory, gpu_scale(b, group, sums_bytes(k)), NULL, 0);
}

static void
build_end(ProductKernel *k, const ProductUnit *unit, const Chain *chain, MlcValue *const *sums)
{
    MlcBuilder *b = k->b;
    const Schedule *s = &k->schedule;
    MlcValue *own = k->group ? k->group : mlc_build_index(b, 0), *place[2], *global[2];
    unit->store(k, sums_of(k, own), sums);
    mlc_gpu_barrier(b);
    if (k->group) // all threads of the block are one group now
        k->thread = mlc_arith_addi(b, gpu_scale(b, k->group, k->threads), k->thread);
    k->threads *= k->groups;
    gpu_begin_elements(k, s->tile[1], place, global);
    MlcValue *sum = mlc_memref_load(b, sums_of(k, mlc_build_index(b, 0)), place, 2);
    for (int64_t i = 1; i < k->groups; i++) {
        MlcValue *other = mlc_memref_load(b, sums_of(k, mlc_build_index(b, i)), place, 2);
        bool is_float = mlc_type_is(mlc_value_type(sum), MLC_TYPE_FLOAT);
        sum = is_float ? mlc_arith_addf(b, sum, other) : mlc_arith_addi(b, sum, other);
    }
    gpu_finish_element(k, chain, sum, global[0], global[1]);
}

static bool
plan(ProductKernel *k, const ProductUnit *unit)
{
    const Schedule *s = &k->schedule;
    k->threads = s->warps[0] * s->warps[1] * WARP;
    k->groups = s->split ? s->split : 1;
    if (!unit->fits(k->product, s) || k->threads * k->groups > MAX_THREADS)
        return false;
    for (size_t i = 0; i < 2; i++)
        if (!gpu_tile_plan(&k->tiles[i], k->product, i, s, unit->reading))
            return false;
    k->gap = unit->gap(k);
    return memory_bytes(k) <= MAX_MEMORY;
}

static bool
launch_product(MlcOp *op, const Schedule *schedule)
{
    const ProductUnit *unit = gpu_product_unit(schedule->kind);
    Product product;
    if (!gpu_product_read(&product, op))
        return mlc_op_error(op, "its schedule is that of a product, which it is not");
    ProductKernel k = {.product = &product, .schedule = *schedule};
    if (!plan(&k, unit))
        return mlc_op_error(op, "its schedule does not fit its element types, or what a block has");
    Chain chain;
    gpu_chain_read(&chain, op);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, gpu_chain_place(&chain));
    b.loc = mlc_op_loc(op);
    create_launch(&k, &b, k.threads * k.groups, memory_bytes(&k));
    int64_t offset = 0;
    for (size_t i = 0; i < 2; i++) {
        gpu_tile_begin(&k, &k.tiles[i], offset);
        offset += tiles_bytes(&k, i);
    }
    MlcValueVec sums = {0};
    MlcType sum = gpu_product_sum_element(&product);
    MlcValue *zero = mlc_type_is(sum, MLC_TYPE_FLOAT) ? mlc_build_float(&b, unit->sum_type(sum), 0)
                                                      : mlc_build_int(&b, unit->sum_type(sum), 0);
    for (size_t i = 0; i < unit->num_sums(schedule); i++)
        mlc_vec_push(&sums, zero);
    build_loop(&k, unit, &sums);
    build_end(&k, unit, &chain, sums.data);
    MlcValue *factors[2] = {mlc_op_operand(op, 0), mlc_op_operand(op, 1)};
    gpu_chain_erase(&chain);
    gpu_chain_release(&chain);
    for (size_t i = 0; i < 2; i++)
        if (product.num_edges[i])
            gpu_padding_erase(factors[product.factors[i]]);
    mlc_vec_release(&sums);
    for (size_t i = 0; i < 2; i++)
        gpu_tile_release(&k.tiles[i]);
    return true;
}

// By warpgroups: no step of it is a loop's that all threads share.
static bool
launch_warpgroups(MlcOp *op, const Schedule *schedule)
{
    WarpgroupPlan plan;
    Product product;
    Chain chain;
    MlcBuilder b;
    if (!gpu_product_read(&product, op))
        return mlc_op_error(op, "its schedule is that of a product, which it is not");
    if (!gpu_warpgroup_plan(&plan, &product, schedule))
        return mlc_op_error(op, "its schedule does not fit its element types, how its factors lie, "
                                "or what a block has");
    ProductKernel k = {.product = &product,
                       .schedule = *schedule,
                       .threads = schedule->warps[0] * schedule->warps[1] * WARP};
    gpu_chain_read(&chain, op);
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, gpu_chain_place(&chain));
    b.loc = mlc_op_loc(op);
    gpu_warpgroup_describe(&plan, &product, &b);
    create_launch(&k, &b, k.threads + gpu_warpgroup_helpers(),
                  gpu_warpgroup_bytes(&plan, schedule));
    gpu_warpgroup_build(&k, &plan, finish_tile, &chain);
    gpu_chain_erase(&chain);
    gpu_chain_release(&chain);
    return true;
}

static bool
launch_attention(MlcOp *op, const Schedule *schedule)
{
    Attention attention;
    bool found = gpu_attention_read(&attention, op);
    bool ok = found ? gpu_attention_launch(&attention, schedule)
                    : mlc_op_error(op, "its schedule is that of attention, and no softmax of its "
                                       "rows and product with that follow");
    gpu_attention_release(&attention);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return op->structured != NULL;
}

static bool
has_schedule(void *first, MlcOp *op)
{
    return op != first && mlc_op_attr(op, GPU_SCHEDULE_ATTR);
}

static bool
launch_rows(MlcOp *op, const Schedule *schedule)
{
    RowRun run;
    bool ok = gpu_row_run_read(&run, op, has_schedule, op);
    if (ok)
        gpu_row_run_launch(&run, schedule);
    else
        mlc_op_error(op, "its schedule is that of rows, and no reduction along rows follows");
    gpu_row_run_release(&run);
    return ok;
}

static bool
launch_points(MlcOp *op, const Schedule *schedule)
{
    if (!gpu_points_fit(op))
        return mlc_op_error(op, "its schedule is that of points, and it has no result of static "
                                "shape that its parallel loops walk");
    if (schedule->warps[1] > 1 && (mlc_structured_is_parallel(op) || !gpu_can_combine(op)))
        return mlc_op_error(op, "its schedule has several threads for a point, and it has nothing "
                                "that they could share");
    gpu_points_launch(op, schedule);
    return true;
}

static bool
launch(MlcOp *op, const Schedule *schedule)
{
    if (gpu_product_unit(schedule->kind))
        return launch_product(op, schedule);
    if (schedule->kind == MLC_GPU_SCHEDULE_KIND_WGMMA)
        return launch_warpgroups(op, schedule);
    if (gpu_attention_unit(schedule->kind))
        return launch_attention(op, schedule);
    if (schedule->kind == MLC_GPU_SCHEDULE_KIND_ROWS)
        return launch_rows(op, schedule);
    if (schedule->kind == MLC_GPU_SCHEDULE_KIND_POINTS)
        return launch_points(op, schedule);
    mlc_op_set_attr(op, GPU_SCHEDULE_ATTR, NULL);
    return true;
}

// Products first: their chains are none of a run of rows.
static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MlcOpVec ops = {0};
    bool ok = true;
    for (int rows = 0; ok && rows < 2; rows++) {
        mlc_vec_clear(&ops);
        MLC_FOR_EACH_PREORDER (op, root)
            if (mlc_op_attr(op, GPU_SCHEDULE_ATTR))
                mlc_vec_push(&ops, op);
        for (size_t i = 0; ok && i < ops.size; i++) {
            Schedule schedule;
            ok = gpu_schedule_read(ops.data[i], &schedule);
            if (ok && (schedule.kind == MLC_GPU_SCHEDULE_KIND_ROWS) == (rows == 1))
                ok = launch(ops.data[i], &schedule);
        }
    }
    mlc_vec_release(&ops);
    return ok;
}

static const char *const dialects[] = {"gpu",    "nvgpu", "arith",  "scf",  "memref",
                                       "vector", "math",  "affine", "nvvm", NULL};

MLC_PASS(linalg_to_gpu, .flag = "convert-linalg-to-gpu",
         .summary = "Launch structured ops as their schedules say", .anchor = "func.func",
         .dependent_dialects = dialects, .converts = converts, .run = run)
