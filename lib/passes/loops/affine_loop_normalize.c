// affine_loop_normalize.c -- affine loops that start at 0 and step by 1: the old variable is
// lower + variable * step, the bound (upper - lower) ceildiv step. Inner loops come first, so their
// bounds stay in terms of the variables they had.
#include "affine_loops.h"
#include "mlc/pass.h"

#include "mlc/dialects/affine.h"

// Every result divided by its step.
static MlcAffineMap
divide_results(MlcAffineMap map, MlcAttr steps, int64_t step)
{
    MLC_VEC(MlcAffineExpr) results = {0};
    MlcContext *ctx = mlc_affine_map_context(map);
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        if (steps)
            mlc_int_list_attr_get(steps, i, &step);
        mlc_vec_push(&results, mlc_affine_binary(MLC_AFFINE_CEILDIV, mlc_affine_map_result(map, i),
                                                 mlc_affine_constant(ctx, step)));
    }
    map = mlc_affine_map_get(ctx, mlc_affine_map_num_dims(map), mlc_affine_map_num_symbols(map),
                             results.data, results.size);
    mlc_vec_release(&results);
    return map;
}

static bool
is_not(MlcUse *use, void *apply)
{
    return mlc_use_owner(use) != apply;
}

// Uses of `variable` become those of an affine.apply at the builder's place, which uses it itself.
static void
replace_variable(MlcBuilder *b, MlcValue *variable, const MlcValueMap *vm)
{
    MlcValue *apply = mlc_affine_apply(b, vm->operands.data, vm->operands.size, vm->map);
    mlc_value_replace_uses_if(variable, apply, is_not, mlc_value_def(apply));
}

// --- affine.for

static void
normalize_for(MlcOp *loop, bool promotes)
{
    MlcContext *ctx = mlc_op_context(loop);
    MlcAffineMap lower_map = mlc_op_affine_map(loop, "lowerBoundMap");
    int64_t step = mlc_affine_for_step_size(loop), start;
    if (step == 0 || (promotes && mlc_affine_for_promote(loop)))
        return;
    if (mlc_affine_map_num_results(lower_map) != 1 ||
        (step == 1 && mlc_affine_map_is_constant(lower_map, &start) && start == 0))
        return;
    MlcValueMap lower = mlc_affine_for_bound(loop, false), upper = mlc_affine_for_bound(loop, true);
    MlcValueMap range = mlc_value_map_difference(&upper, &lower);
    mlc_value_map_compose(&range); // what cancelled is unused now
    range.map = divide_results(range.map, NULL, step);
    mlc_affine_for_set_bound(loop, true, &range);
    MlcValueMap zero = {.map = mlc_affine_map_constant(ctx, 0)};
    mlc_affine_for_set_bound(loop, false, &zero);
    mlc_op_set_attr(loop, "step", mlc_index_attr_get(ctx, 1));
    // lower - variable * -step
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcAffineExpr e = mlc_affine_mul_const(mlc_affine_dim(ctx, 0), -step);
    MlcValueMap scaled = {.map = mlc_affine_map_get(ctx, 1, 0, &e, 1)};
    mlc_vec_push(&scaled.operands, mlc_block_arg(body, 0));
    MlcValueMap old = mlc_value_map_difference(&lower, &scaled);
    mlc_value_map_compose(&old);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_start(&b, body);
    b.loc = mlc_op_loc(loop);
    replace_variable(&b, mlc_block_arg(body, 0), &old);
    MlcValueMap *all[] = {&lower, &upper, &range, &scaled, &old};
    for (size_t i = 0; i < 5; i++)
        mlc_value_map_release(all[i]);
}

// --- affine.parallel

static bool
has_groups(MlcOp *loop, const char *name)
{
    MlcAttr groups = mlc_op_attr(loop, name);
    int64_t size;
    for (size_t i = 0; i < mlc_int_list_attr_size(groups); i++)
        if (mlc_int_list_attr_get(groups, i, &size) && size != 1)
            return true;
    return false;
}

static bool
is_normal(MlcAffineMap lower, MlcAttr steps)
{
    for (size_t i = 0; i < mlc_affine_map_num_results(lower); i++) {
        MlcAffineExpr e = mlc_affine_map_result(lower, i);
        int64_t step = 0;
        if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT || mlc_affine_value(e) != 0 ||
            !mlc_int_list_attr_get(steps, i, &step) || step != 1)
            return false;
    }
    return true;
}

// Variable i becomes lower i + variable * step.
static void
replace_parallel_variable(MlcBuilder *b, MlcBlock *body, size_t i, const MlcValueMap *lower,
                          int64_t step)
{
    unsigned num_dims = mlc_affine_map_num_dims(lower->map);
    MlcAffineExpr e = mlc_affine_add(mlc_affine_map_result(lower->map, i),
                                     mlc_affine_mul_const(mlc_affine_dim(b->ctx, num_dims), step));
    MlcValueMap vm = {.map = mlc_affine_map_get(b->ctx, num_dims + 1,
                                                mlc_affine_map_num_symbols(lower->map), &e, 1)};
    for (size_t j = 0; j < lower->operands.size || j == num_dims; j++) {
        if (j == num_dims)
            mlc_vec_push(&vm.operands, mlc_block_arg(body, i));
        if (j < lower->operands.size)
            mlc_vec_push(&vm.operands, lower->operands.data[j]);
    }
    replace_variable(b, mlc_block_arg(body, i), &vm);
    mlc_value_map_release(&vm);
}

static void
normalize_parallel(MlcOp *loop)
{
    MlcContext *ctx = mlc_op_context(loop);
    MlcAffineMap lower_map = mlc_op_affine_map(loop, "lowerBoundsMap");
    MlcAttr steps = mlc_op_attr(loop, "steps");
    if (has_groups(loop, "lowerBoundsGroups") || has_groups(loop, "upperBoundsGroups") ||
        is_normal(lower_map, steps))
        return;
    MlcValueMap lower = mlc_value_map_of(lower_map, loop, 0);
    MlcValueMap upper =
        mlc_value_map_of(mlc_op_affine_map(loop, "upperBoundsMap"), loop, lower.operands.size);
    MlcValueMap range = mlc_value_map_difference(&upper, &lower);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_start(&b, body);
    b.loc = mlc_op_loc(loop);
    MLC_VEC(MlcAffineExpr) zeros = {0};
    MLC_VEC(MlcAttr) ones = {0};
    for (size_t i = 0; i < mlc_affine_map_num_results(lower_map); i++) {
        int64_t step = 1;
        mlc_int_list_attr_get(steps, i, &step);
        replace_parallel_variable(&b, body, i, &lower, step);
        mlc_vec_push(&zeros, mlc_affine_constant(ctx, 0));
        mlc_vec_push(&ones, mlc_i64_attr_get(ctx, 1));
    }
    mlc_op_set_affine_map(loop, "lowerBoundsMap",
                          mlc_affine_map_get(ctx, 0, 0, zeros.data, zeros.size));
    mlc_op_set_affine_map(loop, "upperBoundsMap", divide_results(range.map, steps, 1));
    mlc_op_set_attr(loop, "steps", mlc_array_attr_get(ctx, ones.data, ones.size));
    mlc_op_set_operands(loop, range.operands.data, range.operands.size);
    mlc_vec_release(&zeros);
    mlc_vec_release(&ones);
    mlc_value_map_release(&lower);
    mlc_value_map_release(&upper);
    mlc_value_map_release(&range);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool promotes = mlc_pass_option_bool(pass, "promote-single-iter");
    MLC_FOR_EACH_POSTORDER (op, root) {
        if (mlc_is_affine_for(op))
            normalize_for(op, promotes);
        else if (mlc_affine_parallel_isa(op))
            normalize_parallel(op);
    }
    return true;
}

static const MlcPassOption options[] = {
    {"promote-single-iter", MLC_OPTION_BOOL, NULL, "promote loops of one iteration"},
};

static const char *const dialects[] = {"affine", "arith", NULL};

MLC_PASS(affine_loop_normalize, .flag = "affine-loop-normalize",
         .summary = "Make affine loops start at 0 and step by 1", .anchor = "func.func",
         .options = options, .num_options = 1, .dependent_dialects = dialects, .run = run)
