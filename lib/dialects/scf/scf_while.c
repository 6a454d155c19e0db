// scf_while.c -- loops with a condition: values that are passed round for nothing, or twice, or in
// another order than they came.
//
// A loop carries two lists: initial values, arguments of `before` and what `after` yields; and what
// `before` passes on, arguments of `after` and results. Each pattern says what becomes of both.
#include "scf_rewrite.h"
#include "mlc/dialects/arith.h"

// What becomes of an argument or result: a value, or another one, by number; NOTHING: nobody uses
// it.
enum { NOTHING = -1 };
typedef struct Becomes {
    MlcValue *value;
    size_t index;
} Becomes;

typedef MLC_VEC(Becomes) BecomesVec;

typedef struct Rewrite {
    MlcValueVec inits, yields; // of the new loop
    BecomesVec before;         // of the old arguments
    MlcValueVec passed;        // by the new condition
    BecomesVec after;          // of the old arguments and results
} Rewrite;

static MlcOp *
condition_of(const MlcOp *op)
{
    return mlc_block_last(scf_body(op, 0));
}

static MlcOp *
yield_of(const MlcOp *op)
{
    return mlc_block_last(scf_body(op, 1));
}

static size_t
num_passed(const MlcOp *op)
{
    return mlc_op_num_results(op);
}

static MlcValue *
passed(const MlcOp *op, size_t i)
{
    return mlc_op_operand(condition_of(op), 1 + i);
}

// The first list, the second, as they are.
static void
keep_before(const MlcOp *op, Rewrite *r)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        mlc_vec_push(&r->inits, mlc_op_operand(op, i));
        mlc_vec_push(&r->yields, mlc_op_operand(yield_of(op), i));
        mlc_vec_push(&r->before, ((Becomes){NULL, i}));
    }
}

static void
keep_after(const MlcOp *op, Rewrite *r)
{
    for (size_t i = 0; i < num_passed(op); i++) {
        mlc_vec_push(&r->passed, passed(op, i));
        mlc_vec_push(&r->after, ((Becomes){NULL, i}));
    }
}

static void
release(Rewrite *r)
{
    mlc_vec_release(&r->inits);
    mlc_vec_release(&r->yields);
    mlc_vec_release(&r->before);
    mlc_vec_release(&r->passed);
    mlc_vec_release(&r->after);
}

static void
types_of(const MlcValueVec *values, MlcTypeVec *types)
{
    for (size_t i = 0; i < values->size; i++)
        mlc_vec_push(types, mlc_value_type(values->data[i]));
}

static void
move_block(MlcRewriter *rw, MlcOp *op, MlcOp *made, size_t region, const MlcTypeVec *types,
           const BecomesVec *becomes)
{
    MlcBlock *block = mlc_scf_add_block(rw, mlc_op_region(made, region), types);
    MlcValueVec args = {0};
    for (size_t i = 0; i < becomes->size; i++) {
        Becomes b = becomes->data[i];
        bool is_arg = !b.value && b.index != (size_t)NOTHING;
        mlc_vec_push(&args, is_arg ? mlc_block_arg(block, b.index) : b.value);
    }
    mlc_rewriter_append_block(rw, scf_body(op, region), block, args.data);
    mlc_vec_release(&args);
}

static void
apply(MlcRewriter *rw, MlcOp *op, Rewrite *r)
{
    MlcOp *condition = condition_of(op), *yield = yield_of(op);
    MlcTypeVec before = {0}, after = {0};
    types_of(&r->inits, &before);
    types_of(&r->passed, &after);
    MlcValueVec operands = {0}, results = {0};
    mlc_vec_push(&operands, mlc_op_operand(condition, 0));
    for (size_t i = 0; i < r->passed.size; i++)
        mlc_vec_push(&operands, r->passed.data[i]);
    mlc_scf_set_operands(rw, condition, &operands);
    mlc_scf_set_operands(rw, yield, &r->yields);
    MlcOp *made = mlc_scf_while(mlc_rewriter_builder(rw), after.data, after.size, r->inits.data,
                                r->inits.size);
    move_block(rw, op, made, 0, &before, &r->before);
    move_block(rw, op, made, 1, &after, &r->after);
    for (size_t i = 0; i < r->after.size; i++) {
        Becomes b = r->after.data[i];
        bool is_result = !b.value && b.index != (size_t)NOTHING;
        mlc_vec_push(&results, is_result ? mlc_op_result(made, b.index) : b.value);
    }
    mlc_rewriter_replace(rw, op, results.data, results.size);
    mlc_vec_release(&before);
    mlc_vec_release(&after);
    mlc_vec_release(&operands);
    mlc_vec_release(&results);
}

// --- the first list

// Each round begins with the value the loop began with.
static bool
is_invariant(const MlcOp *op, size_t i)
{
    MlcValue *init = mlc_op_operand(op, i), *yielded = mlc_op_operand(yield_of(op), i);
    if (yielded == init)
        return true;
    if (mlc_value_block(yielded) != scf_body(op, 1))
        return false;
    MlcValue *from = passed(op, mlc_value_index(yielded));
    return from == init || from == mlc_block_arg(scf_body(op, 0), i);
}

static bool
is_unused(const MlcOp *op, size_t i)
{
    return !mlc_value_has_uses(mlc_block_arg(scf_body(op, 0), i));
}

// Arguments of `before` that `is_dropped` become their initial values.
static bool
drop_before(MlcRewriter *rw, MlcOp *op, bool (*is_dropped)(const MlcOp *op, size_t i))
{
    Rewrite r = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *init = mlc_op_operand(op, i);
        bool drop = is_dropped(op, i);
        mlc_vec_push(&r.before, ((Becomes){drop ? init : NULL, r.inits.size}));
        if (drop)
            continue;
        mlc_vec_push(&r.inits, init);
        mlc_vec_push(&r.yields, mlc_op_operand(yield_of(op), i));
    }
    bool changed = r.inits.size < mlc_op_num_operands(op);
    if (changed) {
        keep_after(op, &r);
        apply(rw, op, &r);
    }
    release(&r);
    return changed;
}

bool
mlc_scf_drop_invariant_args(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    return drop_before(rw, op, is_invariant);
}

bool
mlc_scf_drop_unused_args(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    return drop_before(rw, op, is_unused);
}

// --- the second list

// What comes from outside need not be passed on.
static bool
comes_from_outside(const MlcOp *op, size_t i)
{
    return mlc_value_parent_block(passed(op, i)) != scf_body(op, 0);
}

// With fewer results, if there are fewer.
static bool
keep_passed(MlcRewriter *rw, MlcOp *op, Rewrite *r)
{
    bool changed = r->passed.size < num_passed(op);
    if (changed) {
        keep_before(op, r);
        apply(rw, op, r);
    }
    release(r);
    return changed;
}

// Results that `is_dropped` become what they are passed; what that is inside goes with its block.
static bool
drop_results(MlcRewriter *rw, MlcOp *op, bool (*is_dropped)(const MlcOp *op, size_t i))
{
    Rewrite r = {0};
    for (size_t i = 0; i < num_passed(op); i++) {
        bool drop = is_dropped(op, i);
        if (drop) {
            MlcValue *value = comes_from_outside(op, i) ? passed(op, i) : NULL;
            mlc_vec_push(&r.after, ((Becomes){value, (size_t)NOTHING}));
            continue;
        }
        mlc_vec_push(&r.after, ((Becomes){NULL, r.passed.size}));
        mlc_vec_push(&r.passed, passed(op, i));
    }
    return keep_passed(rw, op, &r);
}

bool
mlc_scf_drop_invariant_results(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    return drop_results(rw, op, comes_from_outside);
}

static bool
is_unused_result(const MlcOp *op, size_t i)
{
    return !mlc_value_has_uses(mlc_op_result(op, i)) &&
           !mlc_value_has_uses(mlc_block_arg(scf_body(op, 1), i));
}

bool
mlc_scf_drop_unused_results(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    return drop_results(rw, op, is_unused_result);
}

static size_t
find(const MlcValueVec *values, const MlcValue *value)
{
    size_t i = 0;
    while (i < values->size && values->data[i] != value)
        i++;
    return i;
}

bool
mlc_scf_drop_duplicate_results(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Rewrite r = {0};
    for (size_t i = 0; i < num_passed(op); i++) {
        size_t at = find(&r.passed, passed(op, i));
        mlc_vec_push(&r.after, ((Becomes){NULL, at}));
        if (at == r.passed.size)
            mlc_vec_push(&r.passed, passed(op, i));
    }
    return keep_passed(rw, op, &r);
}

// `before` passes on its arguments, all of them once: it does so in their order.
bool
mlc_scf_align_results(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcBlock *before = scf_body(op, 0);
    size_t n = mlc_block_num_args(before);
    Rewrite r = {0};
    bool ok = n == num_passed(op), changed = false;
    MLC_VEC(bool) seen = {0};
    mlc_vec_resize(&seen, n);
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&r.passed, mlc_block_arg(before, i));
    for (size_t i = 0; ok && i < n; i++) {
        size_t at = find(&r.passed, passed(op, i));
        ok = at < n && !seen.data[at];
        if (ok)
            seen.data[at] = true;
        changed |= at != i;
        mlc_vec_push(&r.after, ((Becomes){NULL, at}));
    }
    if (ok && changed) {
        keep_before(op, &r);
        apply(rw, op, &r);
    }
    mlc_vec_release(&seen);
    release(&r);
    return ok && changed;
}

// --- what is known in `after`

// The condition was true, or `after` would not run.
bool
mlc_scf_propagate_truth(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *condition = mlc_op_operand(condition_of(op), 0), *yes = NULL;
    for (size_t i = 0; i < num_passed(op); i++) {
        MlcValue *arg = mlc_block_arg(scf_body(op, 1), i);
        if (passed(op, i) != condition || !mlc_value_has_uses(arg))
            continue;
        if (!yes)
            yes = mlc_build_int(mlc_rewriter_builder(rw), mlc_value_type(condition), 1);
        mlc_rewriter_replace_value(rw, arg, yes);
    }
    return yes != NULL;
}

// arith.cmpi's predicates: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge
static int64_t
inverted(int64_t predicate)
{
    static const int8_t inverse[] = {1, 0, 5, 4, 3, 2, 9, 8, 7, 6};
    return predicate >= 0 && predicate < 10 ? inverse[predicate] : -1;
}

static int64_t
predicate_of(const MlcOp *compare)
{
    return mlc_enum_attr_value(mlc_op_attr(compare, "predicate"));
}

// Comparisons in `after` of an argument with what the condition compared it with.
static bool
replace_comparisons(MlcRewriter *rw, MlcOp *compare, size_t side, MlcValue *arg)
{
    bool changed = false;
    MlcOpVec users = {0};
    MLC_FOR_EACH_USE (use, arg)
        if (users.size == 0 || mlc_vec_last(&users) != mlc_use_owner(use))
            mlc_vec_push(&users, mlc_use_owner(use));
    for (size_t i = 0; i < users.size; i++) {
        MlcOp *other = users.data[i];
        if (!mlc_arith_cmpi_isa(other) ||
            mlc_op_operand(other, 1 - side) != mlc_op_operand(compare, 1 - side))
            continue;
        bool same = predicate_of(other) == predicate_of(compare);
        if (!same && predicate_of(other) != inverted(predicate_of(compare)))
            continue;
        MlcType type = mlc_value_type(mlc_op_result(other, 0));
        MlcValue *known = mlc_build_int(mlc_rewriter_builder(rw), type, same);
        mlc_rewriter_replace(rw, other, &known, 1);
        changed = true;
    }
    mlc_vec_release(&users);
    return changed;
}

bool
mlc_scf_propagate_comparison(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *compare = mlc_value_def(mlc_op_operand(condition_of(op), 0));
    if (!mlc_arith_cmpi_isa(compare))
        return false;
    bool changed = false;
    for (size_t i = 0; i < num_passed(op); i++)
        for (size_t side = 0; side < 2; side++)
            if (passed(op, i) == mlc_op_operand(compare, side))
                changed |=
                    replace_comparisons(rw, compare, side, mlc_block_arg(scf_body(op, 1), i));
    return changed;
}
