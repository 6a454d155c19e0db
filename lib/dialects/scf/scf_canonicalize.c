// scf_canonicalize.c -- loops that run never or once and conditions that are known lose their op;
// a condition that only chooses between values is a select.
#include "mlc/dialects/scf.h"

#include "mlc/rewrite.h"

// The ops of `block` take the place of `op`, the values that its end yields those of op's results.
static void
replace_with_body(MlcRewriter *rw, MlcOp *op, MlcBlock *block, MlcValue *const *args)
{
    MlcOp *yield = mlc_block_last(block);
    mlc_rewriter_inline_block(rw, block, op, args);
    MlcValueVec values = {0};
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&values, value);
    mlc_rewriter_erase(rw, yield);
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
}

// No iteration: the initial values. One iteration: the body.
static bool
remove_trivial_loop(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t lower, upper, step, count;
    MlcValueVec inits = {0};
    if (mlc_op_operand(op, 0) == mlc_op_operand(op, 1))
        lower = upper = step = 0;
    else if (!mlc_value_constant_int(mlc_op_operand(op, 0), &lower) ||
             !mlc_value_constant_int(mlc_op_operand(op, 1), &upper))
        return false;
    bool runs = lower < upper;
    if (runs && (!mlc_value_constant_int(mlc_op_operand(op, 2), &step) || step <= 0 ||
                 __builtin_sub_overflow(upper, lower, &count) || step < count))
        return false;
    if (runs)
        mlc_vec_push(&inits, mlc_op_operand(op, 0));
    for (size_t i = 3; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&inits, mlc_op_operand(op, i));
    if (runs)
        replace_with_body(rw, op, mlc_region_first(mlc_op_region(op, 0)), inits.data);
    else
        mlc_rewriter_replace(rw, op, inits.data, inits.size);
    mlc_vec_release(&inits);
    return true;
}

static bool
take_known_branch(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t condition;
    if (!mlc_value_constant_int(mlc_op_operand(op, 0), &condition))
        return false;
    MlcRegion *region = mlc_op_region(op, condition ? 0 : 1);
    if (mlc_region_is_empty(region))
        mlc_rewriter_erase(rw, op);
    else
        replace_with_body(rw, op, mlc_region_first(region), NULL);
    return true;
}

// if c { yield x } else { yield y } -> select c, x, y
static bool
if_to_select(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *yields[2];
    for (size_t r = 0; r < 2; r++) {
        if (mlc_op_num_results(op) == 0 || mlc_region_is_empty(mlc_op_region(op, r)))
            return false;
        yields[r] = mlc_block_first(mlc_region_first(mlc_op_region(op, r)));
        if (mlc_op_next(yields[r]))
            return false;
    }
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValueVec values = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *yes = mlc_op_operand(yields[0], i), *no = mlc_op_operand(yields[1], i);
        mlc_vec_push(&values, yes == no ? yes
                                        : mlc_build(b, "arith.select", mlc_value_type(yes),
                                                    mlc_op_operand(op, 0), yes, no));
    }
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return true;
}

void
mlc_scf_for_patterns(MlcPatternSet *set)
{
    mlc_pattern_set_add(set, (MlcPattern){.name = "scf.for: none or one iteration",
                                          .root = "scf.for",
                                          .benefit = 1,
                                          .rewrite = remove_trivial_loop});
}

void
mlc_scf_if_patterns(MlcPatternSet *set)
{
    static const MlcPattern patterns[] = {
        {.name = "scf.if: known condition",
         .root = "scf.if",
         .benefit = 2,
         .rewrite = take_known_branch},
        {.name = "scf.if: to select", .root = "scf.if", .benefit = 1, .rewrite = if_to_select},
    };
    mlc_pattern_set_add_all(set, patterns, 2);
}
