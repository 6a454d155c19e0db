// affine_interfaces.c -- what passes may ask of affine.parallel, whose bounds are groups of one
// map's results.
#include "mlc/ir.h"

static MlcRegion *
body(MlcOp *loop)
{
    return mlc_op_region(loop, 0);
}

static MlcValue *
variable(MlcOp *loop, size_t i)
{
    return mlc_block_arg(mlc_region_first(mlc_op_region(loop, 0)), i);
}

// Constant bounds: one constant result, or several whose greatest (least) is the bound.
static bool
constant_bound(MlcAttr attr, size_t first, size_t count, bool is_upper, int64_t *bound)
{
    MlcAffineMap map = mlc_affine_map_attr_value(attr);
    for (size_t i = first; i < first + count; i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT)
            return false;
        int64_t value = mlc_affine_value(e);
        if (i == first || (is_upper ? value < *bound : value > *bound))
            *bound = value;
    }
    return count > 0;
}

static size_t
parallel_num_vars(const MlcOp *loop)
{
    return mlc_int_list_attr_size(mlc_op_attr(loop, "steps"));
}

static bool
parallel_bounds(MlcOp *loop, size_t i, int64_t *lower, int64_t *upper, int64_t *step)
{
    MlcAttr groups[2] = {mlc_op_attr(loop, "lowerBoundsGroups"),
                         mlc_op_attr(loop, "upperBoundsGroups")};
    size_t first[2] = {0, 0};
    int64_t count[2] = {0, 0};
    for (size_t k = 0; k < 2; k++)
        for (size_t g = 0; g <= i; g++) {
            first[k] += (size_t)count[k];
            mlc_int_list_attr_get(groups[k], g, &count[k]);
        }
    return mlc_int_list_attr_get(mlc_op_attr(loop, "steps"), i, step) &&
           constant_bound(mlc_op_attr(loop, "lowerBoundsMap"), first[0], (size_t)count[0], false,
                          lower) &&
           constant_bound(mlc_op_attr(loop, "upperBoundsMap"), first[1], (size_t)count[1], true,
                          upper);
}

static bool
is_parallel(const MlcOp *loop)
{
    (void)loop;
    return true;
}

const MlcLoop mlc_affine_parallel_loop = {
    .body = body,
    .num_induction_vars = parallel_num_vars,
    .induction_var = variable,
    .constant_bounds = parallel_bounds,
    .is_parallel = is_parallel,
};
