// fold.c -- folding one op: by its hook, by its meaning on constants, by its traits.
#include "mlc/ir/eval.h"
#include "mlc/support/alloc.h"
#include "rules.h"

static bool
fold_by_definition(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (op->def->fold && op->def->fold(op, constants, results))
        return true;
    return op->def->rules && mlc_rules_fold(op->def->rules, op, constants, results);
}

// --- traits

static bool
fold_by_own_definition(MlcOp *op, MlcFold *results)
{
    if (op->num_operands != 1 || op->num_results != 1)
        return false;
    MlcValue *operand = op->operands[0].value;
    MlcOp *inner = mlc_value_def(operand);
    if (!inner || inner->def != op->def || inner->num_operands != 1)
        return false;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    // f(f(x)) -> x
    if (mlc_op_has_trait(op, MLC_TRAIT_INVOLUTION) &&
        mlc_value_type(inner->operands[0].value) == type) {
        results[0].value = inner->operands[0].value;
        return true;
    }
    // f(f(x)) -> f(x)
    if (mlc_op_has_trait(op, MLC_TRAIT_IDEMPOTENT) && mlc_value_type(operand) == type) {
        results[0].value = operand;
        return true;
    }
    return false;
}

// f(poison) -> poison
static bool
fold_poison(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_PROPAGATES_POISON))
        return false;
    for (uint32_t i = 0; i < op->num_operands; i++) {
        if (!mlc_attr_is(constants[i], MLC_ATTR_DIALECT) ||
            !mlc_dialect_attr_def(constants[i])->is_poison)
            continue;
        for (uint32_t k = 0; k < op->num_results; k++)
            results[k].attr = constants[i];
        return true;
    }
    return false;
}

// Constants to the right, the rest in its order; in place.
static bool
sort_commutative(MlcOp *op, const MlcAttr *constants)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_COMMUTATIVE))
        return false;
    bool is_sorted = true;
    for (uint32_t i = 1; i < op->num_operands; i++)
        is_sorted &= !constants[i - 1] || constants[i];
    if (is_sorted)
        return false;
    MlcValueVec sorted = {0};
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < op->num_operands; i++)
            if (!constants[i] == !round)
                mlc_vec_push(&sorted, op->operands[i].value);
    mlc_op_set_operands(op, sorted.data, sorted.size);
    mlc_vec_release(&sorted);
    return true;
}

// --- one op

// Without a constant among its operands most ways need not be tried.
static bool
fold(MlcOp *op, const MlcAttr *constants, bool any_constant, MlcFold *results)
{
    if (fold_by_definition(op, constants, results))
        return true;
    if (op->num_operands && !any_constant)
        return fold_by_own_definition(op, results);
    return mlc_eval_fold(op, constants, results) || fold_poison(op, constants, results) ||
           fold_by_own_definition(op, results) || sort_commutative(op, constants);
}

// The hook may change its op in place, so it is asked on a copy.
bool
mlc_fold_results(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (mlc_eval_fold(op, constants, results) || fold_poison(op, constants, results) ||
        fold_by_own_definition(op, results))
        return true;
    if (op->def->rules && mlc_rules_fold(op->def->rules, op, constants, results))
        return true;
    if (!op->def->fold || op->num_regions)
        return false;
    MlcOp *copy = mlc_op_clone_without_regions(op, NULL);
    bool folded = fold_by_definition(copy, constants, results), any = false;
    for (uint32_t i = 0; i < op->num_results; i++) {
        MlcOp *def = results[i].value ? mlc_value_def(results[i].value) : NULL;
        if (def == copy)
            results[i].value = NULL;
        any |= results[i].attr || results[i].value;
    }
    mlc_op_destroy(copy);
    return folded && any;
}

MlcOp *
mlc_materialize_constant(MlcBuilder *b, MlcOp *op, MlcAttr attr, MlcType type)
{
    return mlc_build_constant_of(b, op->def->dialect, attr, type, op->loc);
}

// Values for all results; false, with nothing left behind, if one cannot be had.
static bool
materialize(MlcRewriter *rw, MlcOp *op, MlcFold *results)
{
    MlcBuilder *b = &rw->builder;
    mlc_builder_before(b, op);
    for (uint32_t i = 0; i < op->num_results; i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        if (!results[i].value && results[i].attr) {
            MlcOp *constant = mlc_materialize_constant(b, op, results[i].attr, type);
            results[i].value = constant ? mlc_op_result(constant, 0) : NULL;
        }
        if (results[i].value && mlc_value_type(results[i].value) == type)
            continue;
        for (uint32_t j = 0; j <= i; j++) {
            MlcOp *def =
                results[j].value && results[j].attr ? mlc_value_def(results[j].value) : NULL;
            if (def && !mlc_op_has_uses(def))
                mlc_rewriter_erase(rw, def);
        }
        return false;
    }
    return true;
}

static bool
replace_folded(MlcRewriter *rw, MlcOp *op, MlcFold *results)
{
    bool any = false, is_own = false;
    for (uint32_t i = 0; i < op->num_results; i++) {
        any |= results[i].attr || results[i].value;
        is_own |= results[i].value == mlc_op_result(op, i);
    }
    if (!any || is_own) { // changed in place
        mlc_rewriter_changed(rw, op);
        return true;
    }
    if (!materialize(rw, op, results))
        return false;
    if (op->num_results == 1)
        return mlc_rewriter_replace_op(rw, op, results[0].value);
    MlcValueVec values = {0};
    for (uint32_t i = 0; i < op->num_results; i++)
        mlc_vec_push(&values, results[i].value);
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return true;
}

bool
mlc_fold_op(MlcRewriter *rw, MlcOp *op)
{
    if (mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) || !op->def->dialect)
        return false;
    MlcAttr few_constants[8], *constants = few_constants;
    MlcFold few_results[4], *results = few_results;
    if (op->num_operands > 8)
        constants = mlc_malloc(op->num_operands * sizeof *constants);
    if (op->num_results > 4)
        results = mlc_malloc(op->num_results * sizeof *results);
    bool any_constant = false;
    for (uint32_t i = 0; i < op->num_operands; i++) {
        constants[i] = mlc_value_constant(op->operands[i].value);
        any_constant |= constants[i] != NULL;
    }
    memset(results, 0, op->num_results * sizeof *results);
    bool folded = fold(op, constants, any_constant, results) && replace_folded(rw, op, results);
    if (constants != few_constants)
        mlc_free(constants);
    if (results != few_results)
        mlc_free(results);
    return folded;
}

// Being new, it may be changed in place. Operands that are all constants give a constant, rather
// than one of them.
MlcValue *
mlc_build_or_fold(MlcBuilder *b, MlcOp *op)
{
    MlcAttr few[8], *constants = few;
    if (op->num_operands > 8)
        constants = mlc_malloc(op->num_operands * sizeof *constants);
    bool any_constant = false;
    for (uint32_t i = 0; i < op->num_operands; i++) {
        constants[i] = mlc_value_constant(op->operands[i].value);
        any_constant |= constants[i] != NULL;
    }
    MlcValue *result = mlc_op_result(op, 0), *folded = NULL;
    MlcFold answer = {0};
    if (mlc_eval_fold(op, constants, &answer) || fold(op, constants, any_constant, &answer)) {
        MlcType type = mlc_value_type(result);
        MlcOp *constant =
            answer.attr ? mlc_build_constant_by(b, op->def->dialect, answer.attr, type) : NULL;
        folded = constant ? mlc_op_result(constant, 0) : answer.value;
    }
    if (constants != few)
        mlc_free(constants);
    if (!folded || folded == result)
        return result;
    mlc_op_erase(op);
    return folded;
}
