// scf_for_loop_range_folding.c -- a loop whose variable is only used plus or times something runs
// over the sums or products instead.
//
// MLIR leaves the lower bound as it is when it multiplies, which is right for 0 alone. Factors must
// be positive constants: others could turn the loop around.
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

enum { LOWER, UPPER, STEP };

// The only user of the variable, if it is a sum or product with a value from outside; the number of
// the other operand.
static MlcOp *
foldable_user(MlcOp *loop, MlcValue *variable, size_t *other)
{
    if (!mlc_value_has_one_use(variable))
        return NULL;
    MlcUse *use = mlc_value_first_use(variable);
    MlcOp *user = mlc_use_owner(use);
    if (!mlc_arith_addi_isa(user) && !mlc_arith_muli_isa(user))
        return NULL;
    *other = 1 - mlc_use_index(use);
    MlcValue *value = mlc_op_operand(user, *other);
    int64_t factor;
    if (mlc_value_is_inside(value, loop))
        return NULL;
    if (mlc_arith_muli_isa(user) && (!mlc_value_constant_int(value, &factor) || factor <= 0))
        return NULL;
    return user;
}

// The user's op on one of the loop's bounds, before the loop.
static void
apply_to(MlcOp *loop, size_t bound, MlcOp *user, size_t other)
{
    MlcValue *value = mlc_op_operand(loop, bound);
    MlcBuilder b;
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_clone_map_set(map, mlc_op_operand(user, 1 - other), value);
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, loop);
    MlcOp *clone = mlc_builder_insert(&b, mlc_op_clone(user, map));
    mlc_clone_map_destroy(map);
    mlc_op_set_operand(loop, bound, mlc_op_result(clone, 0));
}

static void
fold_into(MlcOp *loop)
{
    MlcValue *variable = mlc_block_arg(mlc_region_first(mlc_op_region(loop, 0)), 0);
    size_t other;
    for (MlcOp *user; (user = foldable_user(loop, variable, &other));) {
        bool is_product = mlc_arith_muli_isa(user);
        int64_t lower;
        bool from_zero = mlc_value_constant_int(mlc_op_operand(loop, LOWER), &lower) && lower == 0;
        if (!is_product || !from_zero)
            apply_to(loop, LOWER, user, other);
        apply_to(loop, UPPER, user, other);
        if (is_product)
            apply_to(loop, STEP, user, other);
        mlc_op_replace(user, &variable, 1);
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_scf_for_isa(op))
            fold_into(op);
    return true;
}

static const char *const dialects[] = {"arith", NULL};

MLC_PASS(scf_for_loop_range_folding, .flag = "scf-for-loop-range-folding",
         .summary = "Fold sums and products of the variable into a loop's range",
         .dependent_dialects = dialects, .run = run)
