// int_range_dim.c -- what `dim` ops (tensor.dim, memref.dim) give: a size of the operand's type, or
// anything that is not negative.
#include "mlc/ir/int_range.h"

#include "mlc/ir/type.h"

static void
dim_results(MlcOp *op, const MlcRange *operands, MlcRange *results)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    MlcRange any = mlc_range_signed(64, 0, INT64_MAX);
    results[0] = any;
    if (!mlc_type_has_rank(type))
        return;
    bool is_first = true;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        if ((int64_t)i < operands[1].smin || (int64_t)i > operands[1].smax)
            continue;
        int64_t size = mlc_type_dim(type, i);
        MlcRange dim = size == MLC_DYNAMIC ? any : mlc_range_signed(64, size, size);
        results[0] = is_first ? dim : mlc_range_union(results[0], dim);
        is_first = false;
    }
}

const MlcIntRange mlc_shaped_dim_int_range = {.results = dim_results};
