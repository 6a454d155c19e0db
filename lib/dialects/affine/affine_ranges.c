// affine_ranges.c -- the ranges of maps' results and of loop variables (mlc/ir/int_range.h), from
// those of the maps' operands.
#include "mlc/dialects/affine.h"

#include "mlc/ir.h"
#include "mlc/ir/int_range.h"
#include "mlc/support/alloc.h"

// What the map's operands are known to be; released by the caller.
static MlcKnownBound *
known_bounds(MlcAffineMap map, const MlcRange *operands, MlcAffineBounds *bounds)
{
    size_t n = mlc_affine_map_num_inputs(map);
    MlcKnownBound *known = mlc_malloc((2 * n + 1) * sizeof *known);
    for (size_t i = 0; i < n; i++) {
        MlcRange r = operands[i];
        known[i] = (MlcKnownBound){r.width && r.smin != INT64_MIN, r.smin};
        known[n + i] = (MlcKnownBound){r.width && r.smax != INT64_MAX, r.smax};
    }
    *bounds = (MlcAffineBounds){mlc_affine_map_num_dims(map), mlc_affine_map_num_symbols(map),
                                known, known + n};
    return known;
}

static MlcRange
expr_range(MlcAffineExpr e, const MlcAffineBounds *bounds)
{
    int64_t min = INT64_MIN, max = INT64_MAX, bound;
    if (mlc_affine_bound(e, bounds, false, &bound))
        min = bound;
    if (mlc_affine_bound(e, bounds, true, &bound))
        max = bound;
    return mlc_range_signed(64, min, max);
}

// Of `count` results of the map, the smallest or the largest as `combine` says.
static MlcRange
map_range(MlcAttr attr, size_t first, size_t count, const MlcRange *operands, MlcRangeFn combine)
{
    MlcAffineMap map = mlc_affine_map_attr_value(attr);
    MlcRange r = mlc_range_all(64);
    if (count == 0)
        return r;
    MlcAffineBounds bounds;
    MlcKnownBound *known = known_bounds(map, operands, &bounds);
    r = expr_range(mlc_affine_map_result(map, first), &bounds);
    for (size_t i = first + 1; i < first + count; i++)
        r = combine(r, expr_range(mlc_affine_map_result(map, i), &bounds), 0);
    mlc_free(known);
    return r;
}

static size_t
num_results(MlcAttr map)
{
    return mlc_affine_map_num_results(mlc_affine_map_attr_value(map));
}

static void
min_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    MlcAttr map = mlc_op_attr(op, "map");
    results[0] = map_range(map, 0, num_results(map), operands, mlc_range_mins);
}

static void
max_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    MlcAttr map = mlc_op_attr(op, "map");
    results[0] = map_range(map, 0, num_results(map), operands, mlc_range_maxs);
}
const MlcIntRange mlc_affine_apply_int_range = {.results = min_results}; // one result
const MlcIntRange mlc_affine_min_int_range = {.results = min_results};
const MlcIntRange mlc_affine_max_int_range = {.results = max_results};

static MlcRange
step_range(int64_t step)
{
    return mlc_range_signed(64, step, step);
}

// Operands of the lower bound come first.
static void
for_args(MlcOp *loop, MlcRegion *region, const MlcRange *operands, MlcRange *args)
{
    (void)region;
    MlcAttr lower = mlc_affine_for_lower_bound_map_attr(loop),
            upper = mlc_affine_for_upper_bound_map_attr(loop);
    size_t num_lower = mlc_affine_map_num_inputs(mlc_affine_map_attr_value(lower));
    args[0] = mlc_range_induction(
        map_range(lower, 0, num_results(lower), operands, mlc_range_maxs),
        map_range(upper, 0, num_results(upper), operands + num_lower, mlc_range_mins),
        step_range(mlc_affine_for_step(loop)));
}
const MlcIntRange mlc_affine_for_int_range = {.args = for_args};

static void
parallel_args(MlcOp *loop, MlcRegion *region, const MlcRange *operands, MlcRange *args)
{
    (void)region;
    MlcAttr lower = mlc_affine_parallel_lower_bounds_map_attr(loop);
    MlcAttr upper = mlc_affine_parallel_upper_bounds_map_attr(loop);
    MlcAttr steps = mlc_affine_parallel_steps(loop);
    size_t num_lower = mlc_affine_map_num_inputs(mlc_affine_map_attr_value(lower));
    size_t first[2] = {0, 0};
    for (size_t i = 0; i < mlc_int_list_attr_size(steps); i++) {
        int64_t count[2] = {0, 0}, step = 1;
        mlc_int_list_attr_get(steps, i, &step);
        mlc_int_list_attr_get(mlc_affine_parallel_lower_bounds_groups(loop), i, &count[0]);
        mlc_int_list_attr_get(mlc_affine_parallel_upper_bounds_groups(loop), i, &count[1]);
        args[i] = mlc_range_induction(
            map_range(lower, first[0], (size_t)count[0], operands, mlc_range_maxs),
            map_range(upper, first[1], (size_t)count[1], operands + num_lower, mlc_range_mins),
            step_range(step));
        first[0] += (size_t)count[0];
        first[1] += (size_t)count[1];
    }
}
const MlcIntRange mlc_affine_parallel_int_range = {.args = parallel_args};
