// affine_loop_unroll.c -- innermost affine loops with several copies of their body: copy i has the
// variable + i * step. Iterations that are left over are a second loop, behind the first.
#include "affine_loops.h"
#include "mlc/pass.h"
#include "mlc/dialects/affine.h"

// variable + by, at the builder's place.
static MlcValue *
bump(MlcBuilder *b, MlcValue *variable, int64_t by)
{
    MlcAffineExpr e = mlc_affine_add_const(mlc_affine_dim(b->ctx, 0), by);
    return mlc_affine_apply(b, &variable, 1, mlc_affine_map_get(b->ctx, 1, 0, &e, 1));
}

// factor - 1 more copies of the body, each taking up what the one before yields.
static void
copy_body(MlcOp *loop, int64_t factor, int64_t step)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcOp *yield = mlc_block_last(body), *last = mlc_op_prev(yield);
    MlcValue *variable = mlc_block_arg(body, 0);
    MlcValueVec carried = {0};
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, yield);
    b.loc = mlc_op_loc(loop);
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&carried, value);
    for (int64_t i = 1; i < factor; i++) {
        MlcCloneMap *map = mlc_clone_map_create();
        for (size_t j = 0; j < carried.size; j++)
            mlc_clone_map_set(map, mlc_block_arg(body, j + 1), carried.data[j]);
        if (mlc_value_has_uses(variable))
            mlc_clone_map_set(map, variable, bump(&b, variable, i * step));
        for (MlcOp *op = mlc_block_first(body);; op = mlc_op_next(op)) {
            mlc_builder_insert(&b, mlc_op_clone(op, map));
            if (op == last)
                break;
        }
        for (size_t j = 0; j < carried.size; j++)
            carried.data[j] = mlc_clone_map_get(map, mlc_op_operand(yield, j));
        mlc_clone_map_destroy(map);
    }
    if (carried.size)
        mlc_op_set_operands(yield, carried.data, carried.size);
    mlc_vec_release(&carried);
}

// lower + (trips - trips mod factor) * step: where the copies end and the rest begins.
static MlcValueMap
end_of_copies(MlcOp *loop, const MlcValueMap *trips, int64_t factor, int64_t step)
{
    MlcContext *ctx = mlc_op_context(loop);
    MlcAffineExpr count = mlc_affine_map_result(trips->map, 0);
    MlcAffineExpr whole = mlc_affine_sub(
        count, mlc_affine_binary(MLC_AFFINE_MOD, count, mlc_affine_constant(ctx, factor)));
    MlcAffineExpr e = mlc_affine_mul_const(whole, -step);
    MlcValueMap lower = mlc_affine_for_bound(loop, false);
    MlcValueMap span = {.map = mlc_affine_map_get(ctx, mlc_affine_map_num_dims(trips->map),
                                                  mlc_affine_map_num_symbols(trips->map), &e, 1),
                        .operands = trips->operands};
    MlcValueMap end = mlc_value_map_difference(&lower, &span);
    mlc_value_map_compose(&end);
    mlc_value_map_release(&lower);
    return end;
}

// The iterations that copies do not cover, in a loop of their own behind `loop`.
static void
split_rest(MlcOp *loop, const MlcValueMap *end)
{
    MlcOp *rest = mlc_op_clone(loop, NULL);
    mlc_op_insert_after(rest, loop);
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_value_replace_uses(mlc_op_result(loop, i), mlc_op_result(rest, i));
    MlcValueVec inits = {0};
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_vec_push(&inits, mlc_op_result(loop, i));
    if (inits.size)
        mlc_op_set_operand_group(rest, MLC_FOR_INITS, inits.data, inits.size);
    mlc_vec_release(&inits);
    mlc_affine_for_set_bound(rest, false, end);
    mlc_affine_for_promote(rest);
    mlc_affine_for_set_bound(loop, true, end);
}

// Copies take memory that the text of a loop tells nothing of.
static bool
has_room_for_copies(MlcOp *loop, int64_t factor)
{
    enum { MAX_OPS = 1 << 18 };
    int64_t count = 0, made;
    MLC_FOR_EACH_PREORDER (op, loop)
        count++;
    if (!__builtin_mul_overflow(count, factor, &made) && made <= MAX_OPS)
        return true;
    mlc_op_remark(loop, "not unrolled: %lld copies of %lld ops would be more than %d",
                  (long long)factor, (long long)count, MAX_OPS);
    return false;
}

// Whether the trip count is known to be a multiple of the factor.
static bool
is_multiple(const MlcValueMap *trips, int64_t factor)
{
    for (size_t i = 0; i < mlc_affine_map_num_results(trips->map); i++)
        if (mlc_affine_known_divisor(mlc_affine_map_result(trips->map, i)) % factor)
            return false;
    return true;
}

static bool unroll(MlcOp *loop, int64_t factor, bool cleans_up);

static bool
unroll_fully(MlcOp *loop)
{
    int64_t count = mlc_affine_for_trip_count(loop);
    if (count < 1)
        return count == 0;
    return count == 1 ? mlc_affine_for_promote(loop) : unroll(loop, count, false);
}

// `cleans_up`: loops whose iterations are not a multiple of the factor are unrolled fully, or not.
static bool
unroll(MlcOp *loop, int64_t factor, bool cleans_up)
{
    int64_t count = mlc_affine_for_trip_count(loop), step = mlc_affine_for_step_size(loop);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    if (factor == 1)
        return count != 1 || mlc_affine_for_promote(loop);
    if (mlc_block_first(body) == mlc_block_last(body))
        return true;
    if (count >= 0 && count < factor)
        return cleans_up && unroll_fully(loop);
    if (!has_room_for_copies(loop, factor))
        return false;
    MlcValueMap trips;
    if (!mlc_affine_for_trip_map(loop, &trips))
        return false;
    bool divides = is_multiple(&trips, factor);
    bool ok = divides || mlc_affine_map_num_results(trips.map) == 1;
    if (ok && !divides && cleans_up) {
        mlc_value_map_release(&trips);
        return unroll_fully(loop);
    }
    if (ok && !divides) {
        MlcValueMap end = end_of_copies(loop, &trips, factor, step);
        split_rest(loop, &end);
        mlc_value_map_release(&end);
    }
    mlc_value_map_release(&trips);
    int64_t new_step;
    if (!ok || __builtin_mul_overflow(step, factor, &new_step))
        return false;
    mlc_op_set_attr(loop, "step", mlc_index_attr_get(mlc_op_context(loop), new_step));
    copy_body(loop, factor, step);
    mlc_affine_for_promote(loop);
    return true;
}

static bool
is_innermost(MlcOp *loop)
{
    MLC_FOR_EACH_PREORDER (op, loop)
        if (op != loop && mlc_is_affine_for(op))
            return false;
    return true;
}

static bool
unroll_as_asked(const MlcPass *pass, MlcOp *loop)
{
    int64_t factor = mlc_pass_option_int(pass, "unroll-factor");
    if (mlc_pass_option_bool(pass, "unroll-full"))
        return unroll_fully(loop);
    int64_t count = mlc_affine_for_trip_count(loop);
    if (mlc_pass_option_bool(pass, "unroll-up-to-factor") && count > 0 && count < factor)
        factor = count;
    return unroll(loop, factor, mlc_pass_option_bool(pass, "cleanup-unroll"));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec loops = {0};
    int64_t threshold = mlc_pass_option_int(pass, "unroll-full-threshold");
    if (mlc_pass_option_int(pass, "unroll-factor") < 1)
        return mlc_op_error(root, "the factor to unroll by must be positive");
    if (mlc_pass_option_bool(pass, "unroll-full") && threshold > 0) {
        MLC_FOR_EACH_POSTORDER (op, root) {
            int64_t count = mlc_is_affine_for(op) ? mlc_affine_for_trip_count(op) : -1;
            if (count >= 0 && count <= threshold)
                mlc_vec_push(&loops, op);
        }
        for (size_t i = 0; i < loops.size; i++)
            unroll_fully(loops.data[i]);
        mlc_vec_release(&loops);
        return true;
    }
    bool changed = true;
    for (int64_t i = 0; i < mlc_pass_option_int(pass, "unroll-num-reps") && changed; i++) {
        changed = false;
        loops.size = 0;
        MLC_FOR_EACH_POSTORDER (op, root)
            if (mlc_is_affine_for(op) && is_innermost(op))
                mlc_vec_push(&loops, op);
        for (size_t j = 0; j < loops.size; j++)
            changed |= unroll_as_asked(pass, loops.data[j]);
    }
    mlc_vec_release(&loops);
    return true;
}

static const MlcPassOption options[] = {
    {"unroll-factor", MLC_OPTION_INT, "4", "copies of the body"},
    {"unroll-up-to-factor", MLC_OPTION_BOOL, NULL, "fewer copies for loops of fewer iterations"},
    {"unroll-full", MLC_OPTION_BOOL, NULL, "one copy per iteration"},
    {"unroll-num-reps", MLC_OPTION_INT, "1", "rounds over the innermost loops"},
    {"unroll-full-threshold", MLC_OPTION_INT, NULL,
     "with unroll-full: all loops of at most so many iterations, from inside"},
    {"cleanup-unroll", MLC_OPTION_BOOL, NULL, "unroll loops of fewer iterations than copies fully"},
};

static const char *const dialects[] = {"affine", "arith", NULL};

MLC_PASS(affine_loop_unroll, .flag = "affine-loop-unroll", .summary = "Unroll affine loops",
         .options = options, .num_options = 6, .dependent_dialects = dialects, .run = run)
