// affine_interfaces.c -- what passes may ask of affine loops and conditions.
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

static bool
for_is_speculatable(MlcOp *loop)
{
    int64_t step;
    return mlc_attr_try_as_int(mlc_op_attr(loop, "step"), &step) && step == 1;
}

const MlcSpeculation mlc_affine_for_speculation = {.is_speculatable = for_is_speculatable};

// Control flow between the regions of affine.for and affine.if; -1 is the op itself. A trip count
// that is known tells whether the body runs at all, and whether it runs again.
static size_t
for_successors(MlcOp *loop, int from, int *successors)
{
    int64_t lower, upper, step;
    successors[0] = 0;
    successors[1] = -1;
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    if (!methods->constant_bounds(loop, 0, &lower, &upper, &step))
        return 2;
    bool is_empty = upper <= lower, is_once = !is_empty && upper - lower <= step;
    if (from < 0 && is_empty)
        successors[0] = -1;
    if (from >= 0 && is_once)
        successors[0] = -1;
    return (from < 0 || is_once) ? 1 : 2;
}

static void
for_entry_operands(MlcOp *loop, int to, size_t *first, size_t *count)
{
    (void)to;
    mlc_op_operand_group(loop, 2, first, count);
}

static void
for_inputs(MlcOp *loop, int to, size_t *first, size_t *count)
{
    size_t num_args = mlc_block_num_args(mlc_region_first(mlc_op_region(loop, 0)));
    *first = to < 0 ? 0 : 1;
    *count = to < 0 ? mlc_op_num_results(loop) : num_args ? num_args - 1 : 0;
}

const MlcRegionBranch mlc_affine_for_region_branch = {
    .successors = for_successors, .entry_operands = for_entry_operands, .inputs = for_inputs};

static size_t
if_successors(MlcOp *op, int from, int *successors)
{
    successors[0] = from < 0 ? 0 : -1;
    successors[1] = mlc_region_is_empty(mlc_op_region(op, 1)) ? -1 : 1;
    return from < 0 ? 2 : 1;
}

static void
no_entry_operands(MlcOp *op, int to, size_t *first, size_t *count)
{
    (void)op, (void)to;
    *first = *count = 0;
}

static void
if_inputs(MlcOp *op, int to, size_t *first, size_t *count)
{
    *first = 0;
    *count = to < 0 ? mlc_op_num_results(op) : 0;
}

const MlcRegionBranch mlc_affine_if_region_branch = {
    .successors = if_successors, .entry_operands = no_entry_operands, .inputs = if_inputs};

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
