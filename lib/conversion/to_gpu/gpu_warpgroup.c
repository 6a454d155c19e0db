// gpu_warpgroup.c -- products of f16 and bf16 by wgmma, with sums in f32.
//
// A block is one or two warpgroups that multiply, each its own rows of the tile, and one more of
// which a single thread keeps a ring of slots full: it waits until a slot is empty, and asks for
// the next tiles of both factors. Who multiplies waits until a slot is full, begins its product,
// waits until the one before is over, and releases that one's slot: so a product is always under
// way. No fence is needed between copies and products: both are of the asynchronous proxy.
//
// The one thread needs few registers, and those that multiply many: warpgroups of a block of three
// hand them on (PTX ISA, setmaxnreg).
#include "gpu_warpgroup.h"

#include "gpu_ring.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/dialects/scf.h"

enum {
    WARPGROUP = 4 * WARP,
    ROWS = 64, // of one instruction
    MAX_COLUMNS = 256,
    MAX_SUMS = 128,          // of a thread
    FEW_SUMS = 64,           // registers are enough for
    GAP = 8,                 // f32s behind a row of sums: four rows and four pairs go to the banks
    MAX_MEMORY = 226 * 1024, // of a block, beside its barriers
    FEW_REGISTERS = 40,
    MANY_REGISTERS = 232,
    CONSUMERS_BARRIER = 1,
};

static bool
is_half(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_FLOAT) && (mlc_float_type_kind(type) == MLC_FLOAT_F16 ||
                                                 mlc_float_type_kind(type) == MLC_FLOAT_BF16);
}

static int64_t
sums_bytes(const Schedule *s)
{
    return s->tile[0] * (s->tile[1] + GAP) * 4;
}

int64_t
gpu_warpgroup_helpers(void)
{
    return WARPGROUP;
}

int64_t
gpu_warpgroup_bytes(const WarpgroupPlan *plan, const Schedule *s)
{
    int64_t slots = plan->slot_bytes * s->stages;
    return slots > sums_bytes(s) ? slots : sums_bytes(s);
}

bool
gpu_warpgroup_plan(WarpgroupPlan *plan, const Product *p, const Schedule *s)
{
    *plan = (WarpgroupPlan){.groups = s->warps[0] / 4};
    if (!is_half(p->element[0]) || p->element[0] != p->element[1] || s->warps[1] != 1 ||
        (s->warps[0] != 4 && s->warps[0] != 8))
        return false;
    int64_t rows = s->tile[0] / plan->groups;
    if (rows % ROWS != 0 || s->tile[1] > MAX_COLUMNS || rows * s->tile[1] / WARPGROUP > MAX_SUMS)
        return false;
    plan->hands_on = plan->groups > 1 && rows * s->tile[1] / WARPGROUP > FEW_SUMS;
    for (size_t i = 0; i < 2; i++) {
        if (!gpu_bulk_plan(&plan->tiles[i], p, i, s->tile))
            return false;
        plan->slot_bytes += plan->tiles[i].bytes;
    }
    return gpu_warpgroup_bytes(plan, s) <= MAX_MEMORY;
}

void
gpu_warpgroup_describe(WarpgroupPlan *plan, const Product *p, MlcBuilder *b)
{
    for (size_t i = 0; i < 2; i++)
        gpu_bulk_describe(&plan->tiles[i], p, b);
}

// --- loops

// A loop over `count` steps that carries values; `b` goes into it. Returns its body.
static MlcBlock *
begin_loop(MlcBuilder *b, int64_t count, MlcValue *const *values, size_t num_values)
{
    MlcTypeVec args = {0};
    mlc_vec_push(&args, mlc_index_type_get(b->ctx));
    for (size_t i = 0; i < num_values; i++)
        mlc_vec_push(&args, mlc_value_type(values[i]));
    MlcOp *loop = mlc_scf_for(b, args.data + 1, num_values, mlc_build_index(b, 0),
                              mlc_build_index(b, count), mlc_build_index(b, 1), values, num_values);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), args.data, args.size);
    mlc_vec_release(&args);
    return body;
}

// `b` goes into the region `i` of a conditional.
static void
into(MlcBuilder *b, MlcOp *conditional, size_t i)
{
    mlc_builder_create_block(b, mlc_op_region(conditional, i), NULL, 0);
    mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
}

static int64_t
num_steps(const ProductKernel *k)
{
    return mlc_ceil_div(k->product->sides[SIDE_DEPTH].size, k->schedule.tile[2]);
}

// --- the thread that asks for tiles

static void
produce(ProductKernel *k, const WarpgroupPlan *plan, const Ring *ring)
{
    MlcBuilder *b = k->b;
    RingPlace at = gpu_ring_start(b, true);
    MlcValue *values[2] = {at.slot, at.phase};
    MlcBlock *body = begin_loop(b, num_steps(k), values, 2);
    at = (RingPlace){mlc_block_arg(body, 1), mlc_block_arg(body, 2)};
    MlcValue *depth = gpu_scale(b, mlc_block_arg(body, 0), k->schedule.tile[2]),
             *offset = mlc_arith_muli(b, at.slot, mlc_build_index(b, plan->slot_bytes));
    gpu_ring_put(ring, b, at);
    for (size_t i = 0; i < 2; i++) {
        gpu_bulk_copy(k, &plan->tiles[i], depth, offset, ring->full, at.slot);
        offset = gpu_add(b, offset, plan->tiles[i].bytes);
    }
    at = gpu_ring_next(ring, b, at);
    values[0] = at.slot, values[1] = at.phase;
    mlc_scf_yield(b, values, 2);
}

// --- those that multiply

static MlcAttr
workgroup_space(MlcContext *ctx)
{
    return mlc_enum_attr_get(ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_WORKGROUP);
}

// Describes what a product reads of a factor: [rows, depth], or [depth, columns].
static MlcValue *
describe(ProductKernel *k, const WarpgroupPlan *plan, size_t factor, MlcValue *offset)
{
    MlcBuilder *b = k->b;
    int64_t depth = k->schedule.tile[2], rows = k->schedule.tile[0] / plan->groups;
    int64_t shape[2] = {factor ? depth : rows, factor ? k->schedule.tile[1] : depth};
    MlcType tile =
        mlc_memref_type_get(k->product->element[factor], shape, 2, NULL, workgroup_space(b->ctx));
    MlcAttr param = mlc_type_attr_get(tile);
    return mlc_nvgpu_warpgroup_generate_descriptor(
        b, mlc_dialect_type_get(b->ctx, &mlc_nvgpu_warpgroup_descriptor_type_def, &param, 1),
        mlc_memref_view(b, tile, k->memory, offset, NULL, 0), plan->tiles[factor].description);
}

// The product of a slot's tiles is added to `sums`, and under way behind.
static MlcValue *
multiply(ProductKernel *k, const WarpgroupPlan *plan, MlcValue *slot, MlcValue *group,
         MlcValue *sums)
{
    MlcBuilder *b = k->b;
    const BulkTile *tiles = plan->tiles;
    MlcValue *offset = mlc_arith_muli(b, slot, mlc_build_index(b, plan->slot_bytes));
    // The group's rows are the next ones in either layout.
    MlcValue *own = gpu_scale(b, group, tiles[0].bytes / plan->groups);
    MlcValue *a = describe(k, plan, 0, mlc_arith_addi(b, offset, own)),
             *other = describe(k, plan, 1, gpu_add(b, offset, tiles[0].bytes));
    MlcValue *made = mlc_nvgpu_warpgroup_mma(b, mlc_value_type(sums), a, other, sums);
    if (!tiles[0].is_depth_inner)
        mlc_op_set_attr(mlc_value_def(made), "transposeA", mlc_unit_attr_get(b->ctx));
    if (!tiles[1].is_depth_inner)
        mlc_op_set_attr(mlc_value_def(made), "transposeB", mlc_unit_attr_get(b->ctx));
    mlc_op_set_attr(mlc_value_def(made), "waitGroup", mlc_i32_attr_get(b->ctx, 1));
    return made;
}

static MlcValue *
is_equal(MlcBuilder *b, MlcValue *x, int64_t y)
{
    return mlc_arith_cmpi(b, x, mlc_build_index(b, y), MLC_ARITH_CMPI_PREDICATE_EQ);
}

// The slot of the step before, by one thread of each warp.
static void
release_last(ProductKernel *k, const Ring *ring, MlcValue *step, MlcValue *slot)
{
    MlcBuilder *b = k->b, inside = *b;
    MlcValue *is_later =
        mlc_arith_cmpi(b, step, mlc_build_index(b, 0), MLC_ARITH_CMPI_PREDICATE_NE);
    MlcOp *guard = mlc_scf_if(b, NULL, 0, mlc_arith_andi(b, is_later, is_equal(b, k->lane, 0)));
    into(&inside, guard, 0);
    gpu_ring_release(ring, &inside, slot);
}

// The sums of the group's rows, all of the depth.
static MlcValue *
add_up(ProductKernel *k, const WarpgroupPlan *plan, const Ring *ring, MlcValue *group)
{
    MlcBuilder *b = k->b;
    int64_t shape[2] = {k->schedule.tile[0] / plan->groups, k->schedule.tile[1]};
    MlcAttr param = mlc_type_attr_get(
        mlc_vector_type_get(mlc_float_type_get(b->ctx, MLC_FLOAT_F32), shape, 2, NULL));
    MlcType type =
        mlc_dialect_type_get(b->ctx, &mlc_nvgpu_warpgroup_accumulator_type_def, &param, 1);
    RingPlace at = gpu_ring_start(b, false);
    MlcValue *values[4] = {mlc_nvgpu_warpgroup_mma_init_accumulator(b, type), at.slot, at.phase,
                           at.slot};
    MlcBuilder outside = *b;
    MlcBlock *body = begin_loop(b, num_steps(k), values, 4);
    at = (RingPlace){mlc_block_arg(body, 2), mlc_block_arg(body, 3)};
    gpu_ring_get(ring, b, at);
    values[0] = multiply(k, plan, at.slot, group, mlc_block_arg(body, 1));
    release_last(k, ring, mlc_block_arg(body, 0), mlc_block_arg(body, 4));
    RingPlace next = gpu_ring_next(ring, b, at);
    values[1] = next.slot, values[2] = next.phase, values[3] = at.slot;
    mlc_scf_yield(b, values, 4);
    MlcOp *loop = mlc_block_parent(body);
    *b = outside;
    return mlc_nvgpu_warpgroup_mma_wait(b, mlc_op_result(loop, 0));
}

static void
meet(ProductKernel *k)
{
    MlcBuilder *b = k->b;
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    mlc_nvvm_barrier(b, mlc_build_int(b, i32, CONSUMERS_BARRIER),
                     mlc_build_int(b, i32, k->threads));
}

// Where all sums lie then: [rows][columns + GAP] of f32. The slots lay there, which nobody reads or
// writes any more.
static MlcValue *
put_sums(ProductKernel *k, const WarpgroupPlan *plan, MlcValue *group, MlcValue *sums)
{
    MlcBuilder *b = k->b;
    const Schedule *s = &k->schedule;
    MlcType f32 = mlc_float_type_get(b->ctx, MLC_FLOAT_F32);
    int64_t width = s->tile[1] + GAP, rows = s->tile[0] / plan->groups, zero = 0;
    int64_t all[2] = {s->tile[0], width}, part[2] = {rows, width}, shape[2] = {rows, s->tile[1]},
            strides[2] = {width, 1};
    MlcAttr space = workgroup_space(b->ctx),
            layout = mlc_strided_layout_attr_get(b->ctx, 0, strides, 2);
    MlcValue *offset = gpu_scale(b, group, rows * width * 4);
    MlcValue *own = mlc_memref_view(b, mlc_memref_type_get(f32, part, 2, NULL, space), k->memory,
                                    offset, NULL, 0);
    own = mlc_memref_reinterpret_cast(b, mlc_memref_type_get(f32, shape, 2, layout, space), own,
                                      NULL, 0, NULL, 0, NULL, 0, &zero, 1, shape, 2, strides, 2);
    meet(k);
    mlc_op_set_attr(mlc_nvgpu_warpgroup_mma_store(b, sums, own), "mlc.aligned",
                    mlc_unit_attr_get(b->ctx));
    meet(k);
    return mlc_memref_view(b, mlc_memref_type_get(f32, all, 2, NULL, space), k->memory,
                           mlc_build_index(b, 0), NULL, 0);
}

void
gpu_warpgroup_build(ProductKernel *k, const WarpgroupPlan *plan,
                    void (*finish)(ProductKernel *k, const Chain *chain, MlcValue *memory),
                    const Chain *chain)
{
    MlcBuilder *b = k->b, outside;
    Ring ring = {
        .slots = k->schedule.stages, .slot_bytes = plan->slot_bytes, .readers = k->threads / WARP};
    gpu_ring_create(&ring, b, is_equal(b, k->thread, 0));
    mlc_nvvm_fence_mbarrier_init(b);
    mlc_gpu_barrier(b);
    MlcValue *multiplies =
        mlc_arith_cmpi(b, k->thread, mlc_build_index(b, k->threads), MLC_ARITH_CMPI_PREDICATE_ULT);
    MlcOp *roles = mlc_scf_if(b, NULL, 0, multiplies);
    outside = *b;
    into(b, roles, 0);
    if (plan->hands_on)
        mlc_nvvm_setmaxregister(b, MANY_REGISTERS, MLC_NVVM_ACTION_INCREASE);
    MlcValue *group = gpu_divide(b, k->thread, WARPGROUP);
    MlcValue *sums = add_up(k, plan, &ring, group);
    finish(k, chain, put_sums(k, plan, group, sums));
    into(b, roles, 1);
    if (plan->hands_on)
        mlc_nvvm_setmaxregister(b, FEW_REGISTERS, MLC_NVVM_ACTION_DECREASE);
    into(b, mlc_scf_if(b, NULL, 0, is_equal(b, k->thread, k->threads)), 0);
    produce(k, plan, &ring);
    *b = outside;
}
