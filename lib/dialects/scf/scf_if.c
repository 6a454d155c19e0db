// scf_if.c -- conditions that are known, or asked twice, or that only choose between values.
#include "scf_rewrite.h"
#include "mlc/dialects/arith.h"

static MlcOp *
yield_of(const MlcOp *op, size_t region)
{
    MlcBlock *block = scf_body(op, region);
    return block ? mlc_block_last(block) : NULL;
}

// x if the value is `not x`.
static MlcValue *
negated(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    int64_t one;
    return mlc_arith_xori_isa(def) && mlc_value_constant_int(mlc_op_operand(def, 1), &one) && one
               ? mlc_op_operand(def, 0)
               : NULL;
}

static MlcOp *
new_if(MlcRewriter *rw, MlcOp *op, const MlcTypeVec *types, MlcValue *condition)
{
    mlc_builder_before(mlc_rewriter_builder(rw), op);
    return mlc_scf_if(mlc_rewriter_builder(rw), types->data, types->size, condition);
}

// if not c { a } else { b } -> if c { b } else { a }; in place
bool
mlc_scf_if_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    MlcValue *condition = negated(mlc_op_operand(op, 0));
    if (!condition || mlc_region_is_empty(mlc_op_region(op, 1)))
        return false;
    mlc_op_set_operand(op, 0, condition);
    MlcBlock *then = scf_body(op, 0);
    mlc_region_append(mlc_op_region(op, 1), then);
    mlc_region_append(mlc_op_region(op, 0), scf_body(op, 1));
    return true;
}

// --- two conditions become one

// Block of the next `if` that runs when the condition of the one before it is true (false).
static void
blocks_by_condition(MlcOp *before, MlcOp *op, MlcBlock **yes, MlcBlock **no)
{
    MlcValue *first = mlc_op_operand(before, 0), *second = mlc_op_operand(op, 0);
    bool same = first == second, opposite = negated(second) == first || negated(first) == second;
    *yes = *no = NULL;
    if (same || opposite) {
        *yes = scf_body(op, opposite);
        *no = scf_body(op, !opposite);
    }
}

// Results of the `if` before are, inside of the next one, what was yielded there.
static void
use_yielded(MlcRewriter *rw, MlcOp *before, MlcBlock *yes, MlcBlock *no)
{
    for (size_t i = 0; i < mlc_op_num_results(before); i++)
        MLC_FOR_EACH_USE_SAFE (use, mlc_op_result(before, i)) {
            MlcOp *user = mlc_use_owner(use);
            MlcBlock *const blocks[] = {yes, no};
            for (size_t r = 0; r < 2; r++)
                if (blocks[r] && mlc_scf_region_holds(mlc_block_region(blocks[r]), user)) {
                    mlc_use_set(use, mlc_op_operand(yield_of(before, r), i));
                    mlc_rewriter_changed(rw, user);
                    break;
                }
        }
}

// `first`, then `second`, either of which may be missing; yields what both yield.
static void
join_blocks(MlcRewriter *rw, MlcRegion *into, MlcBlock *first, MlcBlock *second)
{
    if (first)
        mlc_region_append(into, first);
    if (!second)
        return;
    if (!first) {
        mlc_region_append(into, second);
        return;
    }
    MlcOp *yield = mlc_block_last(first), *last = mlc_block_last(second);
    MlcValueVec values = {0};
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&values, value);
    MLC_FOR_EACH_OPERAND (value, last)
        mlc_vec_push(&values, value);
    mlc_rewriter_append_block(rw, second, first, NULL);
    mlc_scf_set_operands(rw, last, &values);
    mlc_rewriter_erase(rw, yield);
    mlc_vec_release(&values);
}

// if c { a }; if c { b } -> if c { a; b }
bool
mlc_scf_combine_ifs(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *before = mlc_op_prev(op);
    MlcBlock *yes, *no;
    if (!mlc_scf_if_isa(before))
        return false;
    blocks_by_condition(before, op, &yes, &no);
    if (!yes && !no)
        return false;
    use_yielded(rw, before, yes, no);
    MlcTypeVec types = {0};
    MlcValueVec results = {0};
    size_t n = mlc_op_num_results(before);
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(before, i)));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    MlcOp *made = new_if(rw, op, &types, mlc_op_operand(before, 0));
    join_blocks(rw, mlc_op_region(made, 0), scf_body(before, 0), yes);
    join_blocks(rw, mlc_op_region(made, 1), scf_body(before, 1), no);
    mlc_vec_reserve(&results, types.size + 1); // memory even if both have no results
    for (size_t i = 0; i < types.size; i++)
        mlc_vec_push(&results, mlc_op_result(made, i));
    mlc_rewriter_replace(rw, before, results.data, n);
    mlc_rewriter_replace(rw, op, results.data + n, results.size - n);
    mlc_vec_release(&types);
    mlc_vec_release(&results);
    return true;
}

static bool
has_one_op(const MlcBlock *block)
{
    return block && mlc_block_first(block) == mlc_block_last(block);
}

// What op yields if both conditions hold. False if it could yield something else than the other
// region does when only the outer one holds, but for values from outside: those become selects.
static bool
collect_nested_yields(MlcOp *op, MlcOp *nested, MlcValueVec *yields)
{
    MlcOp *yield = yield_of(op, 0), *otherwise = yield_of(op, 1);
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++) {
        MlcValue *value = mlc_op_operand(yield, i);
        if (mlc_value_def(value) == nested) {
            size_t k = mlc_value_index(value);
            if (mlc_op_operand(yield_of(nested, 1), k) != mlc_op_operand(otherwise, i))
                return false;
            mlc_vec_push(yields, mlc_op_operand(yield_of(nested, 0), k));
            continue;
        }
        if (mlc_value_parent_block(value) == scf_body(op, 0))
            return false;
        mlc_vec_push(yields, value);
    }
    return true;
}

// if a { if b { x } } -> if a and b { x }
bool
mlc_scf_combine_nested_ifs(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *nested = mlc_block_first(scf_body(op, 0)), *yield = yield_of(op, 0);
    if (!mlc_scf_if_isa(nested) || mlc_op_next(nested) != yield ||
        (scf_body(op, 1) && !has_one_op(scf_body(op, 1))) ||
        (scf_body(nested, 1) && !has_one_op(scf_body(nested, 1))))
        return false;
    MlcValueVec yields = {0}, results = {0}, otherwise = {0};
    MlcTypeVec types = {0};
    bool ok = collect_nested_yields(op, nested, &yields);
    if (ok) {
        MlcBuilder *b = mlc_rewriter_builder(rw);
        MlcValue *outer = mlc_op_operand(op, 0);
        for (size_t i = 0; i < yields.size; i++)
            mlc_vec_push(&types, mlc_value_type(yields.data[i]));
        MlcValue *both = mlc_arith_andi(b, outer, mlc_op_operand(nested, 0));
        MlcOp *made = mlc_scf_if(b, types.data, types.size, both);
        mlc_builder_before(b, made);
        for (size_t i = 0; i < yields.size; i++) {
            MlcValue *no = mlc_op_operand(yield_of(op, 1), i);
            mlc_vec_push(&otherwise, no);
            mlc_vec_push(&results, mlc_value_def(mlc_op_operand(yield, i)) == nested
                                       ? mlc_op_result(made, i)
                                       : mlc_build_select(b, outer, yields.data[i], no));
        }
        mlc_scf_set_operands(rw, yield_of(nested, 0), &yields);
        mlc_rewriter_append_block(rw, scf_body(nested, 0),
                                  mlc_scf_add_block(rw, mlc_op_region(made, 0), &(MlcTypeVec){0}),
                                  NULL);
        if (yields.size) {
            mlc_builder_at_end(b, mlc_scf_add_block(rw, mlc_op_region(made, 1), &(MlcTypeVec){0}));
            mlc_scf_yield(b, otherwise.data, otherwise.size);
        }
        mlc_rewriter_replace(rw, op, results.data, results.size);
    }
    mlc_vec_release(&yields);
    mlc_vec_release(&results);
    mlc_vec_release(&otherwise);
    mlc_vec_release(&types);
    return ok;
}

// --- what is known of the condition

// Inside of the regions the condition is known.
bool
mlc_scf_propagate_condition(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *condition = mlc_op_operand(op, 0), *known[2] = {0};
    bool changed = false;
    if (mlc_value_constant(condition))
        return false;
    MLC_FOR_EACH_USE_SAFE (use, condition)
        for (size_t r = 0; r < 2; r++) {
            MlcOp *user = mlc_use_owner(use);
            if (!mlc_scf_region_holds(mlc_op_region(op, r), user))
                continue;
            if (!known[r])
                known[r] = mlc_build_int(mlc_rewriter_builder(rw), mlc_value_type(condition), !r);
            mlc_use_set(use, known[r]);
            mlc_rewriter_changed(rw, user);
            changed = true;
            break;
        }
    return changed;
}

bool
mlc_scf_take_known_branch(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    int64_t condition;
    if (!mlc_value_constant_int(mlc_op_operand(op, 0), &condition))
        return false;
    MlcBlock *block = scf_body(op, condition ? 0 : 1);
    if (block)
        mlc_scf_replace_with_body(rw, op, block, NULL);
    else
        mlc_rewriter_erase(rw, op);
    return true;
}

// --- results

// Both sides yield what does not depend on being inside: a select, and the `if` keeps the others.
bool
mlc_scf_if_to_select(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t n = mlc_op_num_results(op);
    if (n == 0)
        return false;
    MlcOp *yields[2] = {yield_of(op, 0), yield_of(op, 1)};
    MlcTypeVec types = {0};
    MLC_VEC(bool) stays = {0};
    for (size_t i = 0; i < n; i++) {
        bool is_inside = false;
        for (size_t r = 0; r < 2; r++)
            is_inside |= mlc_value_parent_block(mlc_op_operand(yields[r], i)) == scf_body(op, r);
        mlc_vec_push(&stays, is_inside);
        if (is_inside)
            mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    }
    bool changed = types.size < n;
    if (changed) {
        MlcBuilder *b = mlc_rewriter_builder(rw);
        MlcOp *made = new_if(rw, op, &types, mlc_op_operand(op, 0));
        MlcValueVec results = {0}, kept[2] = {{0}, {0}};
        mlc_builder_before(b, made);
        for (size_t i = 0; i < n; i++) {
            MlcValue *yes = mlc_op_operand(yields[0], i), *no = mlc_op_operand(yields[1], i),
                     *result = yes;
            if (stays.data[i]) {
                result = mlc_op_result(made, kept[0].size);
                mlc_vec_push(&kept[0], yes);
                mlc_vec_push(&kept[1], no);
            } else if (yes != no) {
                result = mlc_build_select(b, mlc_op_operand(op, 0), yes, no);
            }
            mlc_vec_push(&results, result);
        }
        for (size_t r = 0; r < 2; r++) {
            mlc_region_take_body(mlc_op_region(made, r), mlc_op_region(op, r));
            mlc_scf_set_operands(rw, yields[r], &kept[r]);
            mlc_vec_release(&kept[r]);
        }
        mlc_rewriter_replace(rw, op, results.data, results.size);
        mlc_vec_release(&results);
    }
    mlc_vec_release(&types);
    mlc_vec_release(&stays);
    return changed;
}

bool
mlc_scf_remove_empty_else(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    if (mlc_op_num_results(op) || !has_one_op(scf_body(op, 1)))
        return false;
    mlc_rewriter_erase_block(rw, scf_body(op, 1));
    mlc_rewriter_changed(rw, op);
    return true;
}

bool
mlc_scf_remove_unused_results(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcTypeVec types = {0};
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (mlc_value_has_uses(mlc_op_result(op, i)))
            mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    bool changed = types.size < mlc_op_num_results(op);
    MlcOp *made = changed ? new_if(rw, op, &types, mlc_op_operand(op, 0)) : NULL;
    for (size_t r = 0; changed && r < 2; r++) {
        MlcOp *yield = yield_of(op, r);
        MlcValueVec kept = {0};
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            if (mlc_value_has_uses(mlc_op_result(op, i)))
                mlc_vec_push(&kept, mlc_op_operand(yield, i));
        MlcBlock *block = mlc_scf_add_block(rw, mlc_op_region(made, r), &(MlcTypeVec){0});
        mlc_rewriter_append_block(rw, scf_body(op, r), block, NULL);
        mlc_scf_set_operands(rw, yield, &kept);
        mlc_vec_release(&kept);
    }
    for (size_t i = 0, k = 0; changed && i < mlc_op_num_results(op); i++)
        mlc_vec_push(&results,
                     mlc_value_has_uses(mlc_op_result(op, i)) ? mlc_op_result(made, k++) : NULL);
    if (changed)
        mlc_rewriter_replace(rw, op, results.data, results.size);
    mlc_vec_release(&types);
    mlc_vec_release(&results);
    return changed;
}

// if c { yield true } else { yield false } is c; the other way round it is `not c`; both the same:
// that.
bool
mlc_scf_use_condition_or_value(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    bool changed = false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *condition = mlc_op_operand(op, 0);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i), *yes = mlc_op_operand(yield_of(op, 0), i),
                 *no = mlc_op_operand(yield_of(op, 1), i), *with = NULL;
        int64_t if_yes, if_no;
        if (!mlc_value_has_uses(result))
            continue;
        if (yes == no)
            with = yes;
        else if (mlc_value_type(yes) == mlc_value_type(condition) &&
                 mlc_value_constant_int(yes, &if_yes) && mlc_value_constant_int(no, &if_no) &&
                 !if_yes != !if_no)
            with = if_yes ? condition
                          : mlc_arith_xori(b, condition,
                                           mlc_build_int(b, mlc_value_type(condition), 1));
        if (!with)
            continue;
        mlc_rewriter_replace_value(rw, result, with);
        changed = true;
    }
    return changed;
}
