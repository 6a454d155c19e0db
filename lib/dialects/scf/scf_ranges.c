// scf_ranges.c -- the ranges of induction variables (mlc/ir/int_range.h).
#include "mlc/dialects/scf.h"
#include "mlc/dialects/semantics.h"

#include "mlc/ir.h"
#include "mlc/ir/int_range.h"

static void
for_args(MlcOp *op, MlcRegion *region, const MlcRange *operands, MlcRange *args)
{
    (void)op, (void)region;
    args[0] = mlc_range_induction(operands[0], operands[1], operands[2]);
}
const MlcIntRange mlc_scf_for_int_range = {.args = for_args};
const MlcIntRange mlc_semantics_for_int_range = {.args = for_args};

static void
parallel_args(MlcOp *op, MlcRegion *region, const MlcRange *operands, MlcRange *args)
{
    (void)region;
    size_t n = mlc_scf_parallel_num_lower_bound(op);
    for (size_t i = 0; i < n; i++)
        args[i] = mlc_range_induction(operands[i], operands[n + i], operands[2 * n + i]);
}
const MlcIntRange mlc_scf_parallel_int_range = {.args = parallel_args};

// The next of a list that is partly constants; `next` counts the operands.
static MlcRange
bound_range(MlcAttr statics, size_t i, const MlcRange *operands, size_t *next)
{
    int64_t value = mlc_dense_array_attr_int(statics, i);
    return value == MLC_DYNAMIC ? operands[(*next)++] : mlc_range_signed(64, value, value);
}

static void
forall_args(MlcOp *op, MlcRegion *region, const MlcRange *operands, MlcRange *args)
{
    (void)region;
    MlcAttr lower = mlc_scf_forall_static_lower_bound(op),
            upper = mlc_scf_forall_static_upper_bound(op), step = mlc_scf_forall_static_step(op);
    size_t next[3], size;
    for (size_t group = 0; group < 3; group++)
        mlc_op_operand_group(op, group, &next[group], &size);
    for (size_t i = 0; i < mlc_dense_array_attr_size(lower); i++) {
        MlcRange from = bound_range(lower, i, operands, &next[0]);
        MlcRange to = bound_range(upper, i, operands, &next[1]);
        args[i] = mlc_range_induction(from, to, bound_range(step, i, operands, &next[2]));
    }
}
const MlcIntRange mlc_scf_forall_int_range = {.args = forall_args};
