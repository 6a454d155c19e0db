// gpu_ranges.c -- the ranges of ids and sizes (mlc/ir/int_range.h): up to what the op, the launch
// or the kernel says, or else what any GPU has.
#include "mlc/dialects/gpu.h"

#include "mlc/ir.h"
#include "mlc/ir/int_range.h"

enum { MAX_CLUSTER = 8, MAX_SUBGROUP = 128 };
#define MAX_SIZE UINT64_C(0xffffffff)

typedef enum Level { GRID, BLOCK } Level;

// A size given by the gpu.launch around, as a constant.
static bool
launch_size(MlcOp *launch, Level level, size_t dim, uint64_t *size)
{
    size_t first, count;
    int64_t value;
    mlc_op_operand_group(launch, 1, &first, &count); // grid sizes, then block sizes
    MlcValue *operand = mlc_op_operand(launch, first + (level == GRID ? 0 : 3) + dim);
    if (!mlc_value_constant_int(operand, &value))
        return false;
    *size = (uint64_t)value;
    return true;
}

static bool
kernel_size(MlcOp *function, Level level, size_t dim, uint64_t *size)
{
    MlcAttr sizes =
        mlc_op_isa(function, &mlc_gpu_func_def)
            ? mlc_op_attr(function, level == GRID ? "known_grid_size" : "known_block_size")
            : mlc_op_attr(function, level == GRID ? "gpu.known_grid_size" : "gpu.known_block_size");
    int64_t value;
    if (!sizes || !mlc_int_list_attr_get(sizes, dim, &value))
        return false;
    *size = (uint64_t)(uint32_t)value;
    return true;
}

static bool
known_size(MlcOp *op, Level level, uint64_t *size)
{
    size_t dim = (size_t)mlc_enum_attr_value(mlc_op_attr(op, "dimension"));
    for (MlcOp *around = mlc_op_parent(op); around; around = mlc_op_parent(around)) {
        if (mlc_op_isa(around, &mlc_gpu_launch_def) && launch_size(around, level, dim, size))
            return true;
        if (mlc_op_interface(around, MLC_INTERFACE_FUNCTION))
            return kernel_size(around, level, dim, size);
    }
    return false;
}

static uint64_t
upper_bound_or(MlcOp *op, uint64_t other)
{
    MlcAttr bound = mlc_op_attr(op, "upper_bound");
    return bound ? (uint64_t)mlc_attr_as_int(bound) : other;
}

// 1 to `max`.
static MlcRange
size_range(uint64_t max)
{
    return max ? mlc_range_unsigned(64, 1, max) : mlc_range_all(64);
}

// 0 to `size` - 1.
static MlcRange
id_range(uint64_t size)
{
    return size ? mlc_range_unsigned(64, 0, size - 1) : mlc_range_all(64);
}

static MlcRange
dim_range(MlcOp *op, Level level)
{
    uint64_t size;
    return known_size(op, level, &size) ? mlc_range_unsigned(64, size, size)
                                        : size_range(upper_bound_or(op, MAX_SIZE));
}

static uint64_t
size_limit(MlcOp *op, Level level)
{
    uint64_t size;
    return known_size(op, level, &size) ? size : upper_bound_or(op, MAX_SIZE);
}

static MlcRange
global_id_range(MlcOp *op)
{
    if (mlc_op_attr(op, "upper_bound"))
        return id_range(upper_bound_or(op, 0));
    uint64_t grid = size_limit(op, GRID), block = size_limit(op, BLOCK), threads;
    return __builtin_mul_overflow(grid, block, &threads) ? mlc_range_all(64) : id_range(threads);
}

#define RANGE(name, range)                                                                         \
    static void name##_results(MlcOp *op, const MlcRange *operands, MlcRange *results)             \
    {                                                                                              \
        (void)operands;                                                                            \
        results[0] = range;                                                                        \
    }                                                                                              \
    const MlcIntRange mlc_gpu_##name##_int_range = {.results = name##_results};

RANGE(grid_dim, dim_range(op, GRID))
RANGE(block_dim, dim_range(op, BLOCK))
RANGE(block_id, id_range(size_limit(op, GRID)))
RANGE(thread_id, id_range(size_limit(op, BLOCK)))
RANGE(global_id, global_id_range(op))
RANGE(cluster_dim, size_range(upper_bound_or(op, MAX_SIZE)))
RANGE(cluster_dim_blocks, size_range(upper_bound_or(op, MAX_CLUSTER)))
RANGE(cluster_id, id_range(upper_bound_or(op, MAX_SIZE)))
RANGE(cluster_block_id, id_range(upper_bound_or(op, MAX_CLUSTER)))
RANGE(lane_id, id_range(upper_bound_or(op, MAX_SUBGROUP)))
RANGE(subgroup_size, size_range(upper_bound_or(op, MAX_SUBGROUP)))
RANGE(subgroup_id, id_range(upper_bound_or(op, MAX_SIZE)))
RANGE(num_subgroups, size_range(upper_bound_or(op, MAX_SIZE)))

// The body has block ids, thread ids, grid sizes and block sizes, three each.
static void
launch_args(MlcOp *op, MlcRegion *region, const MlcRange *operands, MlcRange *args)
{
    (void)region;
    size_t first, count;
    mlc_op_operand_group(op, 1, &first, &count);
    for (size_t i = 0; i < 6; i++) {
        MlcRange size =
            mlc_range_intersection(operands[first + i], mlc_range_unsigned(64, 1, MAX_SIZE));
        if (size.umin > size.umax || size.smin > size.smax)
            continue; // such a launch runs nothing
        args[6 + i] = size;
        args[i] = id_range(size.umax);
    }
}
const MlcIntRange mlc_gpu_launch_int_range = {.args = launch_args};
