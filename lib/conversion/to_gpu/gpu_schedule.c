// gpu_schedule.c -- decides how ops become kernels of a GPU, and writes it down on them: a function
// of structure, shapes, element types and the machine. What has a schedule already keeps it.
#include "mlc/machine.h"
#include "mlc/pass.h"

#include "gpu_attention.h"
#include "gpu_checks.h"
#include "gpu_concat.h"
#include "gpu_launch.h"
#include "gpu_matrix.h"
#include "gpu_points.h"
#include "gpu_rows.h"
#include "gpu_schedule.h"
#include "gpu_warpgroup.h"

#include "mlc/analysis/structured.h"
#include "mlc/dialects/gpu_launchable.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/memref.h"
#include "mlc/passes/numerics.h"

#include <inttypes.h>

static const char *const lists[] = {"tile", "warps"};

enum { MAX_SPLIT = 16 }; // groups of warps that share the steps of a product

static bool
read_list(MlcAttr attr, size_t param, int64_t *out, size_t count)
{
    MlcAttr list = mlc_dialect_attr_param(attr, param);
    if (!list || mlc_dense_array_attr_size(list) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        out[i] = mlc_dense_array_attr_int(list, i);
        if (out[i] <= 0 || out[i] > 1024 || (out[i] & (out[i] - 1)) != 0)
            return false;
    }
    return true;
}

// Whether schedules of this kind have tiles and stages: products, and attention, which is two.
static bool
has_tile(MlcGpuScheduleKind kind)
{
    return gpu_product_unit(kind) || gpu_attention_unit(kind) ||
           kind == MLC_GPU_SCHEDULE_KIND_WGMMA;
}

bool
gpu_schedule_read(MlcOp *op, Schedule *schedule)
{
    MlcAttr attr = mlc_op_attr(op, GPU_SCHEDULE_ATTR);
    *schedule = (Schedule){0};
    if (!mlc_attr_isa(attr, "gpu.schedule"))
        return mlc_op_error(op, "expected '" GPU_SCHEDULE_ATTR "' to be a #gpu.schedule");
    schedule->kind = (MlcGpuScheduleKind)mlc_enum_attr_value(mlc_dialect_attr_param(attr, 0));
    if (schedule->kind == MLC_GPU_SCHEDULE_KIND_ROWS)
        return (read_list(attr, 2, schedule->warps, 2) && schedule->warps[0] <= 32 &&
                schedule->warps[1] <= 32 && (schedule->warps[0] == 1 || schedule->warps[1] == 1)) ||
               mlc_op_error(op, "expected its schedule to have warps of 2 powers of two up to 32, "
                                "one of them 1");
    if (schedule->kind == MLC_GPU_SCHEDULE_KIND_POINTS)
        return (read_list(attr, 2, schedule->warps, 2) &&
                schedule->warps[0] * schedule->warps[1] <= 1024) ||
               mlc_op_error(op, "expected its schedule to have warps of 2 powers of two, 1024 "
                                "threads at most");
    if (!has_tile(schedule->kind))
        return true;
    if (!read_list(attr, 1, schedule->tile, 3) || !read_list(attr, 2, schedule->warps, 2))
        return mlc_op_error(op, "expected its schedule to have %s of 3 and %s of 2 powers of two",
                            lists[0], lists[1]);
    MlcAttr stages = mlc_dialect_attr_param(attr, 3);
    schedule->stages = stages ? mlc_attr_as_int(stages) : 0;
    MlcAttr split = mlc_dialect_attr_param(attr, 4);
    schedule->split = split ? mlc_attr_as_int(split) : 1;
    if (schedule->split < 1 || schedule->split > MAX_SPLIT ||
        (schedule->split > 1 && !gpu_product_unit(schedule->kind)))
        return mlc_op_error(op, "expected its schedule to have a split_k of 1 to %d, of fma or mma",
                            MAX_SPLIT);
    return (schedule->stages >= 2 && schedule->stages <= 8) ||
           mlc_op_error(op, "expected its schedule to have 2 to 8 stages");
}

void
gpu_schedule_write(MlcOp *op, const Schedule *s)
{
    MlcContext *ctx = mlc_op_context(op);
    bool is_tiled = has_tile(s->kind);
    MlcAttr params[5] = {
        mlc_enum_attr_get(ctx, &mlc_gpu_schedule_kind_attr_def, s->kind),
        is_tiled ? mlc_i64_array_attr_get(ctx, s->tile, 3) : NULL,
        s->warps[0] ? mlc_i64_array_attr_get(ctx, s->warps, 2) : NULL,
        is_tiled ? mlc_i64_attr_get(ctx, s->stages) : NULL,
        s->split > 1 ? mlc_i64_attr_get(ctx, s->split) : NULL,
    };
    mlc_op_set_attr(op, GPU_SCHEDULE_ATTR,
                    mlc_dialect_attr_get(ctx, &mlc_gpu_schedule_attr_def, params, 5));
}

// --- the choice

enum { MIN_ROWS = 8, MIN_DEPTH = 8, MAX_BLOCKS_ALONG = 65535 };

// Tiles, the largest first, with the warps that compute them.
typedef struct Choice {
    int64_t tile[3], warps[2], stages;
} Choice;
static const Choice of_mma[] = {
    {{128, 128, 32}, {2, 4}, 3}, {{128, 64, 32}, {4, 2}, 3}, {{64, 64, 32}, {2, 2}, 4},
    {{32, 64, 32}, {1, 4}, 4},   {{32, 32, 32}, {2, 2}, 4},  {{16, 32, 32}, {1, 2}, 4},
};
static const Choice of_fma[] = {
    {{128, 128, 16}, {4, 2}, 3},
    {{64, 64, 16}, {2, 2}, 3},
    {{32, 64, 16}, {2, 2}, 3},
    {{16, 32, 16}, {1, 1}, 3},
};

// 64 deep, as rows of tiles are 128 bytes; with warpgroups along rows.
static const Choice of_wgmma[] = {
    {{128, 256, 64}, {8, 1}, 4}, {{128, 128, 64}, {8, 1}, 4}, {{128, 64, 64}, {8, 1}, 4},
    {{64, 128, 64}, {4, 1}, 4},  {{64, 64, 64}, {4, 1}, 4},
};

typedef struct Choices {
    const Choice *list;
    size_t count;
} Choices;

static Choices
choices_of(MlcGpuScheduleKind kind)
{
    if (kind == MLC_GPU_SCHEDULE_KIND_WGMMA)
        return (Choices){of_wgmma, sizeof of_wgmma / sizeof *of_wgmma};
    if (kind == MLC_GPU_SCHEDULE_KIND_MMA)
        return (Choices){of_mma, sizeof of_mma / sizeof *of_mma};
    return (Choices){of_fma, sizeof of_fma / sizeof *of_fma};
}

static bool
is_float(MlcType type, MlcFloatKind kind)
{
    return mlc_type_is(type, MLC_TYPE_FLOAT) && mlc_float_type_kind(type) == kind;
}

// Unit by element types; f32 is rounded to tf32 only where that was asked for.
static MlcGpuScheduleKind
kind_of(const Product *p, bool tf32)
{
    MlcType result = mlc_type_element(mlc_value_type(p->result));
    if (gpu_product_is_bytes(p))
        return MLC_GPU_SCHEDULE_KIND_MMA;
    if (p->element[0] != p->element[1] || !mlc_type_is(result, MLC_TYPE_FLOAT) ||
        mlc_type_bit_width(result) > 32)
        return MLC_GPU_SCHEDULE_KIND_PLAIN;
    if (is_float(p->element[0], MLC_FLOAT_F16) || is_float(p->element[0], MLC_FLOAT_BF16))
        return MLC_GPU_SCHEDULE_KIND_MMA;
    if (!is_float(p->element[0], MLC_FLOAT_F32))
        return MLC_GPU_SCHEDULE_KIND_PLAIN;
    return tf32 ? MLC_GPU_SCHEDULE_KIND_MMA : MLC_GPU_SCHEDULE_KIND_FMA;
}

static int64_t
num_blocks(const Product *p, const Schedule *s)
{
    return mlc_ceil_div(p->sides[SIDE_ROWS].size, s->tile[0]) *
           mlc_ceil_div(p->sides[SIDE_COLUMNS].size, s->tile[1]) * p->sides[SIDE_BATCH].size;
}

static bool
fits(const Product *p, const Schedule *s)
{
    const ProductUnit *unit = gpu_product_unit(s->kind);
    WarpgroupPlan plan;
    Tile tile;
    if (s->kind == MLC_GPU_SCHEDULE_KIND_WGMMA)
        return gpu_warpgroup_plan(&plan, p, s);
    for (size_t i = 0; i < 2; i++)
        if (!gpu_tile_plan(&tile, p, i, s, unit->reading))
            return false;
    return unit->fits(p, s);
}

static bool
can_launch(const Product *p, const Schedule *s)
{
    return fits(p, s) && p->sides[SIDE_BATCH].size <= MAX_BLOCKS_ALONG &&
           mlc_ceil_div(p->sides[SIDE_ROWS].size, s->tile[0]) <= MAX_BLOCKS_ALONG;
}

// The largest tile of which there are enough to give each multiprocessor one; else the smallest
// that is not mostly outside.
static bool
choose(const Product *p, const MlcTargetDesc *target, Schedule *schedule)
{
    Choices choices = choices_of(schedule->kind);
    bool found = false;
    for (size_t i = 0; i < choices.count; i++) {
        const Choice *c = &choices.list[i];
        Schedule s = {.kind = schedule->kind, .stages = c->stages};
        memcpy(s.tile, c->tile, sizeof s.tile);
        memcpy(s.warps, c->warps, sizeof s.warps);
        if (gpu_product_is_bytes(p))
            s.tile[2] *= 2; // as many bytes as of halves
        if (!can_launch(p, &s))
            continue;
        *schedule = s;
        found = true;
        if (num_blocks(p, &s) >= (int64_t)target->cores)
            break;
    }
    return found;
}

enum { WARPS_OF_A_CORE = 8, MIN_STEPS = 8, MAX_GROUPS = 8, MAX_SPLIT_THREADS = 256 };

// Where not every multiprocessor gets a block, those of a block get several groups of warps, which
// share the depth if it is long.
static void
choose_split(const Product *p, const MlcTargetDesc *target, Schedule *s)
{
    int64_t warps = s->warps[0] * s->warps[1], steps, bytes = 0;
    steps = mlc_ceil_div(p->sides[SIDE_DEPTH].size, s->tile[2]);
    for (size_t i = 0; i < 2; i++) {
        Tile tile;
        (void)gpu_tile_plan(&tile, p, i, s, gpu_product_unit(s->kind)->reading);
        bytes += gpu_round_up(gpu_tile_bytes(&tile) * s->stages, LINE_BYTES);
    }
    int64_t sums = s->tile[0] * (s->tile[1] + LINE_BYTES) * 4; // with whatever stands between rows
    bytes = bytes > sums ? bytes : sums;
    s->split = 1;
    if (num_blocks(p, s) >= (int64_t)target->cores)
        return;
    while (s->split < MAX_GROUPS && steps >= 2 * s->split * MIN_STEPS &&
           2 * s->split * warps * WARP <= MAX_SPLIT_THREADS && 2 * s->split * bytes <= MAX_MEMORY &&
           num_blocks(p, s) * warps * s->split < (int64_t)target->cores * WARPS_OF_A_CORE)
        s->split *= 2;
}

// Results of strict numerics have one order of sums, whatever the shape.
static bool
is_strict(MlcOp *op)
{
    MlcNumerics numerics;
    MlcOp *module = mlc_op_parent(op);
    while (mlc_op_parent(module))
        module = mlc_op_parent(module);
    return !mlc_module_numerics(module, &numerics) || numerics == MLC_NUMERICS_STRICT;
}

// For those who look at the kernel's time.
static void
note_split(MlcOp *op, const Schedule *s)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcOp *function = mlc_op_parent(op);
    MlcAttr old = mlc_op_attr(function, "mlc.notes");
    MlcBuf text = {0};
    MLC_VEC(MlcAttr) notes = {0};
    for (size_t i = 0; old && i < mlc_array_attr_size(old); i++)
        mlc_vec_push(&notes, mlc_array_attr_element(old, i));
    mlc_buf_printf(
        &text, "tiles of %" PRId64 "x%" PRId64 ", the depth shared by %" PRId64 " groups of warps",
        s->tile[0], s->tile[1], s->split);
    mlc_vec_push(&notes, mlc_string_attr_get(ctx, mlc_buf_str(&text)));
    mlc_op_set_attr(function, "mlc.notes", mlc_array_attr_get(ctx, notes.data, notes.size));
    mlc_vec_release(&notes);
    mlc_buf_release(&text);
}

// By warpgroups, if the machine has them and half of its multiprocessors get a block; smaller
// products are cut into smaller tiles than those have.
static bool
choose_warpgroups(const Product *p, const MlcTargetDesc *target, Schedule *schedule)
{
    *schedule = (Schedule){.kind = MLC_GPU_SCHEDULE_KIND_WGMMA};
    return target->gpu_has_warpgroups && choose(p, target, schedule) &&
           2 * num_blocks(p, schedule) >= (int64_t)target->cores;
}

// --- what there is to decide of

// Ops that others' kernels take along.
typedef struct Taken {
    MlcOpVec ops;
} Taken;

static bool
is_taken(void *user, MlcOp *op)
{
    const Taken *taken = user;
    for (size_t i = 0; i < taken->ops.size; i++)
        if (taken->ops.data[i] == op)
            return true;
    return false;
}

static void
take_chain(Taken *taken, MlcOp *root)
{
    Chain chain;
    gpu_chain_read(&chain, root);
    mlc_vec_push(&taken->ops, root);
    if (chain.init)
        mlc_vec_push(&taken->ops, chain.init);
    for (size_t i = 0; i < chain.followers.size; i++)
        mlc_vec_push(&taken->ops, chain.followers.data[i]);
    gpu_chain_release(&chain);
}

// What makes the padded buffers that it reads.
static void
take_padding(Taken *taken, MlcOp *root)
{
    MLC_FOR_EACH_OPERAND (value, root) {
        PaddingOps ops = {NULL, NULL};
        if (mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF))
            ops = gpu_padding_ops(value);
        if (ops.fill) {
            mlc_vec_push(&taken->ops, ops.fill);
            mlc_vec_push(&taken->ops, ops.copy);
        }
    }
}

static bool
take_attention(Taken *taken, MlcOp *first, const MlcTargetDesc *target, bool tf32)
{
    Attention attention;
    Schedule schedule;
    bool found = gpu_attention_read(&attention, first) &&
                 (mlc_op_attr(first, GPU_SCHEDULE_ATTR) ||
                  gpu_attention_schedule(&attention, target, tf32, &schedule));
    if (found && !mlc_op_attr(first, GPU_SCHEDULE_ATTR))
        gpu_schedule_write(first, &schedule);
    for (size_t i = 0; found && i < attention.ops.size; i++)
        mlc_vec_push(&taken->ops, attention.ops.data[i]);
    gpu_attention_release(&attention);
    return found;
}

// Whether the op's schedule, if it has one, is none or that of attention.
static bool
may_be_attention(MlcOp *op)
{
    Schedule schedule;
    return mlc_structured(op) && mlc_structured_is_contraction(op) &&
           (!mlc_op_attr(op, GPU_SCHEDULE_ATTR) ||
            (gpu_schedule_read(op, &schedule) && gpu_attention_unit(schedule.kind)));
}

static void
decide_rows(MlcOp *first, Taken *taken)
{
    RowRun run;
    Schedule schedule;
    if (gpu_row_run_read(&run, first, is_taken, taken) && gpu_row_run_schedule(&run, &schedule)) {
        gpu_schedule_write(first, &schedule);
        for (size_t i = 0; i < run.ops.size; i++)
            mlc_vec_push(&taken->ops, run.ops.data[i]);
    }
    gpu_row_run_release(&run);
}

// Reductions of other shapes, with what fills their result before and follows behind; what reads a
// padded buffer, which does without it; and what picks elements of others, with what follows.
static void
decide_points(MlcPass *pass, MlcOp *op, Taken *taken)
{
    Schedule schedule;
    if (!gpu_points_fit(op) || (mlc_structured_is_parallel(op) && !gpu_points_are_padded(op) &&
                                !gpu_points_are_picked(op)))
        return;
    gpu_points_schedule(op, mlc_target_desc_gpu(mlc_pass_target(pass)), &schedule);
    gpu_schedule_write(op, &schedule);
    take_chain(taken, op);
    take_padding(taken, op);
}

static void
decide_product(MlcPass *pass, MlcOp *op)
{
    const MlcTargetDesc *target = mlc_target_desc_gpu(mlc_pass_target(pass));
    Product p;
    if (!gpu_product_read(&p, op) || p.sides[SIDE_ROWS].size < MIN_ROWS ||
        p.sides[SIDE_COLUMNS].size < MIN_ROWS || p.sides[SIDE_DEPTH].size < MIN_DEPTH)
        return;
    Schedule schedule;
    MlcGpuScheduleKind kind = kind_of(&p, mlc_pass_option_bool(pass, "tf32"));
    bool found = kind == MLC_GPU_SCHEDULE_KIND_MMA && choose_warpgroups(&p, target, &schedule);
    if (!found) {
        schedule = (Schedule){.kind = kind};
        found = gpu_product_unit(kind) && choose(&p, target, &schedule);
        if (found && !is_strict(op))
            choose_split(&p, target, &schedule);
        if (found && schedule.split > 1)
            note_split(op, &schedule);
    }
    if (found)
        gpu_schedule_write(op, &schedule);
}

// A copy as an op with a body, for it may be part of a run; and one thread would make all of a copy
// from a window, which is no loop.
static void
generalize_copy(MlcOp *copy)
{
    MlcValue *operands[2] = {mlc_op_operand(copy, 0), mlc_op_operand(copy, 1)};
    MlcType type = mlc_value_type(operands[0]);
    size_t rank = mlc_type_rank(type);
    if (rank > MLC_SMALL_RANK || mlc_memref_type_layout(mlc_value_type(operands[1])) ||
        !mlc_type_has_static_shape(type))
        return;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(copy));
    mlc_builder_before(&b, copy);
    MlcAffineMap identity = mlc_affine_map_identity(b.ctx, (unsigned)rank),
                 maps[2] = {identity, identity};
    MlcIterator iterators[MLC_SMALL_RANK] = {MLC_ITERATOR_PARALLEL};
    for (size_t i = 0; i < rank; i++)
        iterators[i] = MLC_ITERATOR_PARALLEL;
    MlcOp *made = mlc_build_bare_generic(&b, operands, 1, 1, maps, iterators, rank);
    MlcBlock *body = mlc_build_generic_body(&b, made);
    mlc_builder_at_end(&b, body);
    MlcValue *value = mlc_block_arg(body, 0);
    mlc_linalg_yield(&b, &value, 1);
    mlc_op_erase(copy);
}

// A buffer of one element that is filled with a number once: its readers take the number.
static void
forward_number(MlcOp *alloc)
{
    MlcValue *buffer = mlc_op_result(alloc, 0);
    MlcOp *fill = NULL;
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *user = mlc_use_owner(use);
        if (!mlc_structured(user) || mlc_op_block(user) != mlc_op_block(alloc) ||
            (mlc_structured_num_loops(user) == 0 && !mlc_linalg_fill_isa(user)) ||
            (mlc_use_index(use) >= mlc_structured_num_inputs(user) && fill))
            return;
        if (mlc_use_index(use) >= mlc_structured_num_inputs(user))
            fill = user;
    }
    if (!fill || !mlc_linalg_fill_isa(fill))
        return;
    MlcValue *number = mlc_op_operand(fill, 0);
    for (MlcOp *op = mlc_op_next(alloc); op != fill; op = mlc_op_next(op))
        MLC_FOR_EACH_OPERAND (value, op)
            if (value == buffer)
                return;
    mlc_op_erase(fill);
    mlc_value_replace_uses(buffer, number);
    mlc_op_erase(alloc);
}

static void
prepare(MlcOp *function)
{
    gpu_concat_join(mlc_region_first(mlc_op_region(function, 0)));
    MLC_FOR_EACH_OP_SAFE (op, mlc_region_first(mlc_op_region(function, 0))) {
        if (mlc_memref_copy_isa(op))
            generalize_copy(op);
    }
    MlcOpVec allocs = {0};
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(function, 0)))
        if (mlc_memref_alloc_isa(op) && mlc_type_rank(mlc_value_type(mlc_op_result(op, 0))) == 0)
            mlc_vec_push(&allocs, op);
    for (size_t i = 0; i < allocs.size; i++)
        forward_number(allocs.data[i]);
    mlc_vec_release(&allocs);
}

// Whether all of a function can be on a device, and nobody placed it elsewhere: else it stays on
// the host, where launches are not, as gpu-place-kernels decides later. What that will see are
// loops of the bodies that are here. Checks do not count that its elements make themselves.
static bool
is_for_device(MlcOp *function, const GpuChecks *checks)
{
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(function, 0))) {
        const char *reason;
        if (gpu_checks_have(checks, op))
            continue;
        bool is_plain = mlc_structured(op) || mlc_memref_copy_isa(op) || mlc_memref_alloc_isa(op) ||
                        mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) ||
                        (mlc_op_num_regions(op) == 0 && mlc_op_is_memory_effect_free(op));
        if (!is_plain || (mlc_memref_alloc_isa(op) && mlc_op_num_operands(op) > 0) ||
            (mlc_structured(op) && mlc_gpu_not_launchable(op, &reason)))
            return false;
    }
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Taken taken = {0};
    GpuChecks checks;
    if (!mlc_region_has_one_block(mlc_op_region(root, 0)) || mlc_op_attr(root, "mlc.place"))
        return true;
    gpu_checks_read(&checks, root);
    bool fits = is_for_device(root, &checks);
    if (fits)
        gpu_checks_sink(&checks);
    gpu_checks_release(&checks);
    if (!fits)
        return true;
    prepare(root);
    MlcBlock *body = mlc_region_first(mlc_op_region(root, 0));
    MLC_FOR_EACH_OP (op, body)
        if (may_be_attention(op))
            take_attention(&taken, op, mlc_target_desc_gpu(mlc_pass_target(pass)),
                           mlc_pass_option_bool(pass, "tf32"));
    MLC_FOR_EACH_OP (op, body)
        if (mlc_structured(op) && !mlc_op_attr(op, GPU_SCHEDULE_ATTR) && !is_taken(&taken, op))
            decide_product(pass, op);
    MLC_FOR_EACH_OP (op, body)
        if (mlc_op_attr(op, GPU_SCHEDULE_ATTR) && !is_taken(&taken, op)) {
            take_chain(&taken, op);
            take_padding(&taken, op);
        }
    MLC_FOR_EACH_OP (op, body)
        if (mlc_structured(op) && !is_taken(&taken, op))
            decide_rows(op, &taken);
    MLC_FOR_EACH_OP (op, body)
        if (mlc_structured(op) && !is_taken(&taken, op))
            decide_points(pass, op, &taken);
    mlc_vec_release(&taken.ops);
    return true;
}

static const MlcPassOption options[] = {
    {"tf32", MLC_OPTION_BOOL, NULL, "products of f32 are rounded to tf32, on matrix units"},
};

static const char *const dialects[] = {"gpu", "cf", "scf", "arith", NULL};

MLC_PASS(gpu_schedule, .flag = "gpu-schedule", .summary = "Decide how ops become kernels of a GPU",
         .anchor = "func.func", .options = options, .num_options = sizeof options / sizeof *options,
         .dependent_dialects = dialects, .run = run)
