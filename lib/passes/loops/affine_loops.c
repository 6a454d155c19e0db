// affine_loops.c -- bounds, iterations and bodies of affine.for.
#include "affine_loops.h"

#include "mlc/dialects/affine.h"

bool
mlc_is_affine_for(const MlcOp *op)
{
    return mlc_affine_for_isa(op);
}

static const char *
bound_name(bool is_upper)
{
    return is_upper ? "upperBoundMap" : "lowerBoundMap";
}

MlcValueMap
mlc_affine_for_bound(MlcOp *loop, bool is_upper)
{
    size_t first, count;
    mlc_op_operand_group(loop, is_upper ? MLC_FOR_UPPER : MLC_FOR_LOWER, &first, &count);
    return mlc_value_map_of(mlc_op_affine_map(loop, bound_name(is_upper)), loop, first);
}

void
mlc_affine_for_set_bound(MlcOp *loop, bool is_upper, const MlcValueMap *bound)
{
    mlc_op_set_operand_group(loop, is_upper ? MLC_FOR_UPPER : MLC_FOR_LOWER, bound->operands.data,
                             bound->operands.size);
    mlc_op_set_attr(loop, bound_name(is_upper), mlc_affine_map_attr_get(bound->map));
}

int64_t
mlc_affine_for_step_size(MlcOp *loop)
{
    int64_t step;
    return mlc_attr_try_as_int(mlc_op_attr(loop, "step"), &step) && step > 0 ? step : 0;
}

bool
mlc_affine_for_trip_map(MlcOp *loop, MlcValueMap *trips)
{
    int64_t step = mlc_affine_for_step_size(loop), span;
    MlcValueMap lower = mlc_affine_for_bound(loop, false), upper = mlc_affine_for_bound(loop, true);
    MlcContext *ctx = mlc_op_context(loop);
    bool ok = step > 0 && mlc_affine_map_num_results(lower.map) == 1;
    if (ok) {
        *trips = mlc_value_map_difference(&upper, &lower);
        MLC_VEC(MlcAffineExpr) results = {0};
        for (size_t i = 0; i < mlc_affine_map_num_results(trips->map); i++)
            mlc_vec_push(&results,
                         mlc_affine_binary(MLC_AFFINE_CEILDIV, mlc_affine_map_result(trips->map, i),
                                           mlc_affine_constant(ctx, step)));
        if (mlc_affine_map_is_constant(trips->map, &span) && span < 0)
            results.data[0] = mlc_affine_constant(ctx, 0);
        trips->map =
            mlc_affine_map_get(ctx, mlc_affine_map_num_dims(trips->map),
                               mlc_affine_map_num_symbols(trips->map), results.data, results.size);
        mlc_vec_release(&results);
    }
    mlc_value_map_release(&lower);
    mlc_value_map_release(&upper);
    return ok;
}

int64_t
mlc_affine_for_trip_count(MlcOp *loop)
{
    MlcValueMap trips;
    int64_t count = -1;
    if (!mlc_affine_for_trip_map(loop, &trips))
        return -1;
    for (size_t i = 0; i < mlc_affine_map_num_results(trips.map); i++) {
        MlcAffineExpr e = mlc_affine_map_result(trips.map, i);
        if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT) {
            count = -1;
            break;
        }
        if (i == 0 || mlc_affine_value(e) < count)
            count = mlc_affine_value(e);
    }
    mlc_value_map_release(&trips);
    return count;
}

// The only value of the variable: constants are made at the top of the scope, as upstream does.
static MlcValue *
build_start(MlcOp *loop)
{
    MlcBuilder b;
    MlcValueMap lower = mlc_affine_for_bound(loop, false);
    MlcRegion *scope = mlc_affine_scope(loop);
    MlcValue *value;
    int64_t start;
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, loop);
    if (mlc_affine_map_is_constant(lower.map, &start)) {
        if (scope)
            mlc_builder_at_start(&b, mlc_region_first(scope));
        b.loc = mlc_op_loc(loop);
        value = mlc_build_index(&b, start);
    } else if (mlc_affine_map_is_identity(lower.map)) {
        value = lower.operands.data[0];
    } else {
        value = mlc_affine_apply(&b, lower.operands.data, lower.operands.size, lower.map);
    }
    mlc_value_map_release(&lower);
    return value;
}

bool
mlc_affine_for_promote(MlcOp *loop)
{
    if (mlc_affine_for_trip_count(loop) != 1)
        return false;
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    size_t first, count;
    if (mlc_value_has_uses(mlc_block_arg(body, 0)))
        mlc_value_replace_uses(mlc_block_arg(body, 0), build_start(loop));
    mlc_op_operand_group(loop, MLC_FOR_INITS, &first, &count);
    for (size_t i = 0; i < count; i++)
        mlc_value_replace_uses(mlc_block_arg(body, i + 1), mlc_op_operand(loop, first + i));
    MlcOp *yield = mlc_block_last(body);
    for (size_t i = 0; i < count; i++)
        mlc_value_replace_uses(mlc_op_result(loop, i), mlc_op_operand(yield, i));
    mlc_op_erase(yield);
    mlc_block_splice(mlc_op_block(loop), loop, body);
    mlc_op_erase(loop);
    return true;
}
