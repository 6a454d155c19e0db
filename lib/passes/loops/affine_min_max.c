// affine_min_max.c -- an entry is the least if no other can be less: that would contradict what is
// known of the operands.
#include "affine_min_max.h"

#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/affine.h"

bool
mlc_is_affine_min_max(const MlcOp *op)
{
    return mlc_affine_min_isa(op) || mlc_affine_max_isa(op);
}

// The last value is lower + step * ((upper - lower - 1) floordiv step).
void
mlc_linear_require_range(MlcLinearSystem *system, MlcValue *variable, const MlcLinear *lower,
                         const MlcLinear *upper, int64_t step)
{
    const MlcLinear zero = {{0}};
    MlcLinear iv, row, rest;
    if (step <= 0 || !mlc_linear_of_value(system, variable, &iv))
        return;
    if (mlc_linear_add(&iv, -1, lower, 0, &row))
        mlc_linear_require(system, &row);
    if (mlc_linear_add(upper, -1, &iv, -1, &row))
        mlc_linear_require(system, &row);
    // variable = lower + step * n, of which the largest below upper bounds it.
    if (step == 1 || system->num_vars == MLC_LINEAR_MAX)
        return;
    MlcLinear n = {{0}};
    system->values[system->num_vars] = NULL;
    n.coeffs[system->num_vars++] = 1;
    if (!mlc_linear_add(&iv, -1, lower, 0, &row) || !mlc_linear_add(&row, -step, &n, 0, &row) ||
        !mlc_linear_add(&zero, -1, &row, 0, &rest))
        return;
    mlc_linear_require(system, &row);
    mlc_linear_require(system, &rest);
}

static bool
is_never_beaten(const MlcLinearSystem *system, const MlcLinear *entries, const bool *is_linear,
                size_t n, size_t k, bool is_min)
{
    for (size_t j = 0; j < n; j++) {
        MlcLinear beats; // entry j is less (greater) than entry k by 1 or more
        if (j == k)
            continue;
        if (!is_linear[j] ||
            !mlc_linear_add(&entries[is_min ? k : j], -1, &entries[is_min ? j : k], -1, &beats) ||
            !mlc_linear_contradicts(system, &beats))
            return false;
    }
    return true;
}

bool
mlc_simplify_min_max(MlcBuilder *b, MlcOp *op, MlcLinearSystem *system, MlcValue **value)
{
    enum { MAX_ENTRIES = 16 };
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    size_t n = mlc_affine_map_num_results(map);
    MlcLinear entries[MAX_ENTRIES];
    bool is_linear[MAX_ENTRIES];
    if (n > MAX_ENTRIES)
        return false;
    MlcValueMap vm = mlc_value_map_of(map, op, 0);
    for (size_t i = 0; i < n; i++)
        is_linear[i] = mlc_linear_of_expr(system, mlc_affine_map_result(map, i), vm.operands.data,
                                          mlc_affine_map_num_dims(map), &entries[i]);
    for (size_t k = 0; k < n; k++) {
        if (!is_linear[k] ||
            !is_never_beaten(system, entries, is_linear, n, k, mlc_affine_min_isa(op)))
            continue;
        vm.map = mlc_affine_map_sub(map, &k, 1);
        *value = mlc_value_map_build(b, &vm);
        return true;
    }
    mlc_value_map_release(&vm);
    return false;
}
