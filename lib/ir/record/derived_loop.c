// derived_loop.c -- the interfaces of loops whose record says where bounds and first values stand:
// `loop` in YAML.
#include "mlc/ir/affine.h"
#include "mlc/ir/interfaces.h"

static MlcRegion *
body(MlcOp *loop)
{
    return mlc_op_region(loop, 0);
}

static MlcAttr
attr_of(const MlcOp *loop, MlcLoopBound bound)
{
    return bound.attr ? mlc_op_slot(loop, bound.attr - 1u) : NULL;
}

size_t
mlc_loop_num_bounds(const MlcOp *loop, MlcLoopBound bound)
{
    size_t first, count = bound.attr ? 1 : 0;
    MlcAttr attr = attr_of(loop, bound);
    if (attr && mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY))
        return mlc_dense_array_attr_size(attr);
    if (!bound.attr && bound.operands)
        mlc_op_operand_group(loop, bound.operands - 1u, &first, &count);
    return count;
}

static size_t
num_induction_vars(const MlcOp *loop)
{
    return mlc_loop_num_bounds(loop, mlc_op_def(loop)->loop->lower);
}

// Arguments of the body before those that go round: induction variables, or an element.
static size_t
first_iter_arg(const MlcOp *loop)
{
    const MlcSemantics *s = mlc_op_interface(loop, MLC_INTERFACE_SEMANTICS);
    return num_induction_vars(loop) + (s && s->meaning == MLC_MEANING_FOR_EACH);
}

static MlcValue *
induction_var(MlcOp *loop, size_t i)
{
    return mlc_block_arg(mlc_region_first(body(loop)), i);
}

// One constant result, or several whose greatest (least) is the bound.
static bool
constant_of_map(MlcAffineMap map, bool is_upper, int64_t *bound)
{
    size_t n = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < n; i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT)
            return false;
        int64_t value = mlc_affine_value(e);
        if (i == 0 || (is_upper ? value < *bound : value > *bound))
            *bound = value;
    }
    return n > 0;
}

static bool
constant_bound(MlcOp *loop, MlcLoopBound bound, size_t i, bool is_upper, int64_t *value)
{
    size_t first, count;
    MlcAttr attr = attr_of(loop, bound);
    if (attr && mlc_attr_is(attr, MLC_ATTR_AFFINE_MAP))
        return constant_of_map(mlc_affine_map_attr_value(attr), is_upper, value);
    if (attr && !mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY))
        return mlc_attr_try_as_int(attr, value);
    if (attr && (*value = mlc_dense_array_attr_int(attr, i)) != MLC_DYNAMIC)
        return true;
    if (!bound.operands)
        return false;
    mlc_op_operand_group(loop, bound.operands - 1u, &first, &count);
    size_t at = attr ? 0 : i;
    for (size_t k = 0; attr && k < i; k++)
        at += mlc_dense_array_attr_int(attr, k) == MLC_DYNAMIC;
    return at < count && mlc_value_constant_int(mlc_op_operand(loop, first + at), value);
}

static bool
constant_bounds(MlcOp *loop, size_t i, int64_t *lower, int64_t *upper, int64_t *step)
{
    const MlcLoopDef *def = mlc_op_def(loop)->loop;
    return i < num_induction_vars(loop) && constant_bound(loop, def->lower, i, false, lower) &&
           constant_bound(loop, def->upper, i, true, upper) &&
           constant_bound(loop, def->step, i, false, step) && *step > 0;
}

static bool
is_parallel(const MlcOp *loop)
{
    return mlc_op_has_trait(loop, MLC_TRAIT_PARALLEL);
}

static void
iter_args(MlcOp *loop, size_t *first_arg, size_t *first_operand, size_t *count)
{
    const MlcLoopDef *def = mlc_op_def(loop)->loop;
    *first_arg = first_iter_arg(loop);
    *first_operand = *count = 0;
    if (def->inits)
        mlc_op_operand_group(loop, def->inits - 1u, first_operand, count);
}

const MlcLoop mlc_derived_loop = {
    .body = body,
    .num_induction_vars = num_induction_vars,
    .induction_var = induction_var,
    .constant_bounds = constant_bounds,
    .is_parallel = is_parallel,
    .iter_args = iter_args,
};

// With a step of one it ends, whatever the bounds; with another it may run past the upper bound,
// and wrap.
static bool
is_speculatable(MlcOp *loop)
{
    const MlcLoopDef *def = mlc_op_def(loop)->loop;
    int64_t step;
    for (size_t i = 0; i < num_induction_vars(loop); i++)
        if (!constant_bound(loop, def->step, i, false, &step) || step != 1)
            return false;
    return num_induction_vars(loop) > 0;
}

const MlcSpeculation mlc_derived_loop_speculation = {.is_speculatable = is_speculatable};

// Iterations of a loop that says itself how many there are: 0, 1, 2 (or more), -1 if it does not.
static int
trip_count(MlcOp *loop)
{
    const MlcLoopDef *def = mlc_op_def(loop)->loop;
    int64_t lower, upper, step;
    bool by_attrs = !def->lower.operands && !def->upper.operands && !def->step.operands;
    if (!by_attrs || num_induction_vars(loop) != 1 ||
        !constant_bounds(loop, 0, &lower, &upper, &step))
        return -1;
    return upper <= lower ? 0 : upper - lower <= step ? 1 : 2;
}

// Control goes into the body or past it, and from there the same, as far as the number of
// iterations is not known. Parallel iterations hand on nothing.
static size_t
successors(MlcOp *loop, int from, int *points)
{
    int n = trip_count(loop);
    points[0] = n == (from >= 0) ? -1 : 0; // never entered, or never again
    points[1] = -1;
    return n < 0 || (from >= 0 && n != 1) ? 2 : 1;
}

static void
entry_operands(MlcOp *loop, int to, size_t *first, size_t *count)
{
    (void)to;
    size_t first_arg;
    *first = *count = 0;
    if (!is_parallel(loop))
        iter_args(loop, &first_arg, first, count);
}

static void
inputs(MlcOp *loop, int to, size_t *first, size_t *count)
{
    MlcBlock *block = mlc_region_first(body(loop));
    size_t num_vars = first_iter_arg(loop);
    size_t num_args = block ? mlc_block_num_args(block) : 0;
    *first = *count = 0;
    if (is_parallel(loop))
        return;
    *first = to < 0 ? 0 : num_vars;
    *count = to < 0 ? mlc_op_num_results(loop) : num_args > num_vars ? num_args - num_vars : 0;
}

const MlcRegionBranch mlc_derived_loop_branch = {
    .successors = successors, .entry_operands = entry_operands, .inputs = inputs};
