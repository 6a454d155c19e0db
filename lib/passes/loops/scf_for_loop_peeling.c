// scf_for_loop_peeling.c -- a loop that its step does not divide, as one over whole steps and one
// for what is left; or (peel-front) the first iteration before the others.
//
// In the first of the two loops affine.min and affine.max over the distance to the upper bound are
// the step, in the second that distance. A front is cut at the upper bound, unlike in MLIR, as the
// loop may not run at all.
#include "mlc/dialects/affine.h"
#include "mlc/dialects/affine_compose.h"
#include "mlc/pass.h"

#include "affine_min_max.h"

enum { LOWER, UPPER, STEP, FIRST_INIT };

static const char peeled_label[] = "__peeled_loop__";
static const char partial_label[] = "__partial_iteration__";

static void
label(MlcOp *loop, const char *name)
{
    mlc_op_set_attr(loop, name, mlc_unit_attr_get(mlc_op_context(loop)));
}

// affine.min or affine.max over lower bound, upper bound and step as they are, or the number it is.
static MlcValue *
build_bound(MlcBuilder *b, MlcOp *loop, bool is_min, const MlcAffineExpr results[2])
{
    MlcValue *operands[3];
    int64_t numbers[3], chosen = 0;
    bool constant = true;
    for (size_t i = 0; i < 3; i++) {
        operands[i] = mlc_op_operand(loop, i);
        constant = mlc_value_constant_int(operands[i], &numbers[i]) && constant;
    }
    for (size_t i = 0; constant && i < 2; i++) {
        int64_t value;
        constant = mlc_affine_eval(results[i], NULL, numbers, &value);
        chosen = i == 0 || (is_min ? value < chosen : value > chosen) ? value : chosen;
    }
    if (constant)
        return mlc_build_index(b, chosen);
    MlcAffineMap map = mlc_affine_map_get(b->ctx, 0, 3, results, 2);
    return is_min ? mlc_affine_min(b, operands, 3, map) : mlc_affine_max(b, operands, 3, map);
}

// What holds of upper - variable - step: not negative in the loop over whole steps, negative in the
// other, where the variable stays below the upper bound.
static void
simplify_inside(MlcRewriter *rw, MlcOp *loop, MlcValue *upper, MlcValue *step, bool is_whole)
{
    const MlcLinear zero = {{0}};
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, loop)
        if (mlc_is_affine_min_max(op))
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++) {
        MlcLinearSystem system = {.num_vars = 0};
        MlcLinear iv, to, by, left, room;
        MlcValue *variable = mlc_block_arg(mlc_region_first(mlc_op_region(loop, 0)), 0), *value;
        bool ok =
            mlc_linear_of_value(&system, variable, &iv) &&
            mlc_linear_of_value(&system, upper, &to) && mlc_linear_of_value(&system, step, &by) &&
            mlc_linear_add(&to, -1, &iv, 0, &left) && mlc_linear_add(&left, -1, &by, 0, &room) &&
            (is_whole || (mlc_linear_add(&zero, -1, &room, -1, &room) &&
                          mlc_linear_add(&left, 0, &zero, -1, &left)));
        if (ok) {
            mlc_linear_require(&system, &room);
            mlc_linear_require(&system, &left);
            mlc_builder_before(mlc_rewriter_builder(rw), ops.data[i]);
            if (mlc_simplify_min_max(mlc_rewriter_builder(rw), ops.data[i], &system, &value))
                mlc_rewriter_replace(rw, ops.data[i], &value, 1);
        }
        mlc_linear_release(&system);
    }
    mlc_vec_release(&ops);
}

// The second loop starts from what the first leaves.
static void
take_up(MlcOp *second, MlcOp *first)
{
    for (size_t i = 0; i < mlc_op_num_results(first); i++)
        mlc_op_set_operand(second, FIRST_INIT + i, mlc_op_result(first, i));
}

static bool
divides(MlcOp *loop)
{
    int64_t from, to, by, span;
    if (!mlc_value_constant_int(mlc_op_operand(loop, STEP), &by))
        return false;
    return by == 1 || (mlc_value_constant_int(mlc_op_operand(loop, LOWER), &from) &&
                       mlc_value_constant_int(mlc_op_operand(loop, UPPER), &to) && by > 0 &&
                       !__builtin_sub_overflow(to, from, &span) && span % by == 0);
}

static bool
peel_end(MlcRewriter *rw, MlcOp *loop)
{
    if (divides(loop))
        return mlc_rewriter_no_match(rw, loop, "has no partial iteration");
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *upper = mlc_op_operand(loop, UPPER), *step = mlc_op_operand(loop, STEP);
    MlcAffineExpr s0 = mlc_affine_symbol(b->ctx, LOWER), s1 = mlc_affine_symbol(b->ctx, UPPER);
    MlcAffineExpr rest =
        mlc_affine_binary(MLC_AFFINE_MOD, mlc_affine_sub(s1, s0), mlc_affine_symbol(b->ctx, STEP));
    MlcAffineExpr ends[] = {mlc_affine_sub(s1, rest), s0};
    MlcValue *split = build_bound(b, loop, false, ends);
    mlc_builder_after(b, loop);
    MlcOp *partial = mlc_builder_insert(b, mlc_op_clone(loop, NULL));
    mlc_op_set_operand(partial, LOWER, split);
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_rewriter_replace_value(rw, mlc_op_result(loop, i), mlc_op_result(partial, i));
    take_up(partial, loop);
    mlc_op_set_operand(loop, UPPER, split);
    mlc_rewriter_changed(rw, loop);
    simplify_inside(rw, loop, upper, step, true);
    simplify_inside(rw, partial, upper, step, false);
    label(loop, peeled_label);
    label(partial, peeled_label);
    label(partial, partial_label);
    return true;
}

static bool
peel_front(MlcRewriter *rw, MlcOp *loop)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    int64_t from, to, by, span;
    bool constant = mlc_value_constant_int(mlc_op_operand(loop, LOWER), &from) &&
                    mlc_value_constant_int(mlc_op_operand(loop, UPPER), &to) &&
                    mlc_value_constant_int(mlc_op_operand(loop, STEP), &by) &&
                    !__builtin_sub_overflow(to, from, &span);
    if (constant && span <= by)
        return mlc_rewriter_no_match(rw, loop, "has no more than one iteration");
    MlcAffineExpr ends[] = {
        mlc_affine_add(mlc_affine_symbol(b->ctx, LOWER), mlc_affine_symbol(b->ctx, STEP)),
        mlc_affine_symbol(b->ctx, UPPER)};
    MlcValue *split = build_bound(b, loop, true, ends);
    MlcOp *first = mlc_builder_insert(b, mlc_op_clone(loop, NULL));
    mlc_op_set_operand(first, UPPER, split);
    take_up(loop, first);
    mlc_op_set_operand(loop, LOWER, split);
    mlc_rewriter_changed(rw, loop);
    label(first, peeled_label);
    label(loop, peeled_label);
    return true;
}

static bool
is_in_partial(const MlcOp *loop)
{
    for (MlcOp *op = mlc_op_parent(loop); op; op = mlc_op_parent(op))
        if (mlc_op_attr(op, partial_label))
            return true;
    return false;
}

static bool
peel(MlcRewriter *rw, MlcOp *loop, const MlcPattern *pattern)
{
    const MlcPass *pass = pattern->user;
    if (mlc_op_attr(loop, peeled_label) ||
        !mlc_type_is(mlc_value_type(mlc_op_operand(loop, LOWER)), MLC_TYPE_INDEX))
        return mlc_rewriter_no_match(rw, loop, "is peeled, or does not count by index");
    if (mlc_pass_option_bool(pass, "peel-front"))
        return peel_front(rw, loop);
    if (mlc_pass_option_bool(pass, "skip-partial") && is_in_partial(loop))
        return mlc_rewriter_no_match(rw, loop, "is in what is left of another");
    return peel_end(rw, loop);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add(patterns, (MlcPattern){.name = "scf.for: peel",
                                               .root = "scf.for",
                                               .benefit = 1,
                                               .rewrite = peel,
                                               .user = pass});
    mlc_apply_patterns_greedily(root, patterns,
                                &(MlcGreedyConfig){MLC_SIZED(MlcGreedyConfig), .bottom_up = true});
    mlc_pattern_set_destroy(patterns);
    MLC_FOR_EACH_PREORDER (op, root) {
        if (!mlc_op_attr(op, peeled_label))
            continue;
        mlc_op_set_attr(op, peeled_label, NULL);
        mlc_op_set_attr(op, partial_label, NULL);
    }
    return true;
}

static const MlcPassOption options[] = {
    {"peel-front", MLC_OPTION_BOOL, NULL, "peel the first iteration instead"},
    {"skip-partial", MLC_OPTION_BOOL, "true",
     "leave loops in the last, partial iteration of another one alone"},
};
static const char *const dialects[] = {"affine", "arith", NULL};

MLC_PASS(scf_for_loop_peeling, .flag = "scf-for-loop-peeling",
         .summary = "Peel for loops at their upper bounds", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = dialects,
         .run = run)
