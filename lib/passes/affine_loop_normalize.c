// affine_loop_normalize.c -- affine loops that start at 0 and step by 1: the old variable is
// lower + variable * step, the bound (upper - lower) ceildiv step. Inner loops come first, so their
// bounds stay in terms of the variables they had.
#include "mlc/affine_compose.h"
#include "mlc/pass.h"

static MlcAffineMap
map_in(const MlcOp *op, const char *name)
{
    return mlc_affine_map_attr_value(mlc_op_attr(op, name));
}

static void
set_map(MlcOp *op, const char *name, MlcAffineMap map)
{
    mlc_op_set_attr(op, name, mlc_affine_map_attr_get(map));
}

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
    MlcAttr map = mlc_affine_map_attr_get(vm->map);
    MlcType index = mlc_index_type_get(b->ctx);
    MlcNamedAttr attr = mlc_named(b->ctx, "map", map);
    MlcOp *apply = mlc_build_op(b, "affine.apply", &index, 1, vm->operands.data, vm->operands.size,
                                &attr, 1, 0);
    mlc_value_replace_uses_if(variable, mlc_op_result(apply, 0), is_not, apply);
}

// --- affine.for

enum { LOWER, UPPER, INITS };

static MlcValueMap
bound(MlcOp *loop, size_t group)
{
    size_t first, count;
    mlc_op_operand_group(loop, group, &first, &count);
    return mlc_value_map_of(map_in(loop, group == LOWER ? "lowerBoundMap" : "upperBoundMap"), loop,
                            first);
}

// Whether upper - lower is a constant in (0, step].
static bool
runs_once(MlcOp *loop, int64_t step)
{
    MlcValueMap lower = bound(loop, LOWER), upper = bound(loop, UPPER);
    int64_t span = 0;
    bool ok =
        mlc_affine_map_num_results(lower.map) == 1 && mlc_affine_map_num_results(upper.map) == 1;
    if (ok) {
        MlcValueMap range = mlc_value_map_difference(&upper, &lower);
        ok = mlc_affine_map_is_constant(range.map, &span) && span > 0 && span <= step;
        mlc_value_map_release(&range);
    }
    mlc_value_map_release(&lower);
    mlc_value_map_release(&upper);
    return ok;
}

// The body in the loop's place.
static void
promote(MlcOp *loop)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcValue *variable = mlc_block_arg(body, 0);
    size_t first, count;
    if (mlc_value_has_uses(variable)) {
        MlcBuilder b;
        MlcValueMap lower = bound(loop, LOWER);
        MlcRegion *scope = mlc_affine_scope(loop);
        int64_t start;
        mlc_builder_init(&b, mlc_op_context(loop));
        mlc_builder_before(&b, loop);
        if (scope && mlc_affine_map_is_constant(lower.map, &start)) // constants go to the top
            mlc_builder_at_start(&b, mlc_region_first(scope));
        b.loc = mlc_op_loc(loop);
        mlc_value_replace_uses(variable, mlc_value_map_build(&b, &lower));
    }
    mlc_op_operand_group(loop, INITS, &first, &count);
    for (size_t i = 0; i < count; i++)
        mlc_value_replace_uses(mlc_block_arg(body, i + 1), mlc_op_operand(loop, first + i));
    MlcOp *yield = mlc_block_last(body);
    for (size_t i = 0; i < count; i++)
        mlc_value_replace_uses(mlc_op_result(loop, i), mlc_op_operand(yield, i));
    mlc_op_erase(yield);
    mlc_block_splice(mlc_op_block(loop), loop, body);
    mlc_op_erase(loop);
}

static void
normalize_for(MlcOp *loop, bool promotes)
{
    MlcContext *ctx = mlc_op_context(loop);
    MlcAffineMap lower_map = map_in(loop, "lowerBoundMap");
    int64_t step, start;
    if (!mlc_attr_try_as_int(mlc_op_attr(loop, "step"), &step) || step < 1)
        return;
    if (promotes && runs_once(loop, step)) {
        promote(loop);
        return;
    }
    if (mlc_affine_map_num_results(lower_map) != 1 ||
        (step == 1 && mlc_affine_map_is_constant(lower_map, &start) && start == 0))
        return;
    MlcValueMap lower = bound(loop, LOWER), upper = bound(loop, UPPER);
    MlcValueMap range = mlc_value_map_difference(&upper, &lower);
    mlc_value_map_compose(&range); // what cancelled is unused now
    mlc_op_set_operand_group(loop, UPPER, range.operands.data, range.operands.size);
    set_map(loop, "upperBoundMap", divide_results(range.map, NULL, step));
    mlc_op_set_operand_group(loop, LOWER, NULL, 0);
    set_map(loop, "lowerBoundMap", mlc_affine_map_constant(ctx, 0));
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
    MlcAffineMap lower_map = map_in(loop, "lowerBoundsMap");
    MlcAttr steps = mlc_op_attr(loop, "steps");
    if (has_groups(loop, "lowerBoundsGroups") || has_groups(loop, "upperBoundsGroups") ||
        is_normal(lower_map, steps))
        return;
    MlcValueMap lower = mlc_value_map_of(lower_map, loop, 0);
    MlcValueMap upper = mlc_value_map_of(map_in(loop, "upperBoundsMap"), loop, lower.operands.size);
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
    set_map(loop, "lowerBoundsMap", mlc_affine_map_get(ctx, 0, 0, zeros.data, zeros.size));
    set_map(loop, "upperBoundsMap", divide_results(range.map, steps, 1));
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
        if (mlc_str_equal(mlc_op_name(op), mlc_str("affine.for")))
            normalize_for(op, promotes);
        else if (mlc_str_equal(mlc_op_name(op), mlc_str("affine.parallel")))
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
