// affine_fold.c -- folds: maps of constants are numbers, bounds and conditions are composed with
// what makes their operands, accesses look through casts that forget a shape.
#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/affine.h"
#include "mlc/dialects/memref.h"
#include "mlc/support/alloc.h"

typedef enum Known { UNKNOWN, KNOWN, POISON } Known;

// The value of e where the inputs it uses are known; poison if it divides by zero.
static Known
evaluate(MlcAffineExpr e, unsigned num_dims, const MlcAttr *constants, int64_t *value)
{
    MlcAffineKind kind = mlc_affine_kind(e);
    if (kind == MLC_AFFINE_CONSTANT) {
        *value = mlc_affine_value(e);
        return KNOWN;
    }
    if (kind > MLC_AFFINE_CONSTANT) {
        size_t input = mlc_affine_position(e) + (kind == MLC_AFFINE_DIM ? 0 : num_dims);
        MlcAttr constant = constants[input];
        return constant && mlc_attr_is(constant, MLC_ATTR_INTEGER) &&
                       mlc_attr_try_as_int(constant, value)
                   ? KNOWN
                   : UNKNOWN;
    }
    int64_t lhs, rhs;
    Known left = evaluate(mlc_affine_lhs(e), num_dims, constants, &lhs);
    Known right = evaluate(mlc_affine_rhs(e), num_dims, constants, &rhs);
    if (left == POISON || right == POISON)
        return POISON;
    if (left == UNKNOWN || right == UNKNOWN)
        return UNKNOWN;
    bool divides = kind == MLC_AFFINE_FLOORDIV || kind == MLC_AFFINE_CEILDIV;
    if ((kind == MLC_AFFINE_MOD && rhs < 1) || (divides && rhs == 0))
        return POISON;
    MlcContext *ctx = mlc_affine_context(e);
    MlcAffineExpr binary =
        mlc_affine_binary(kind, mlc_affine_dim(ctx, 0), mlc_affine_symbol(ctx, 0));
    return mlc_affine_eval(binary, &lhs, &rhs, value) ? KNOWN : UNKNOWN;
}

static bool
eval_known(MlcAffineExpr e, unsigned num_dims, const MlcAttr *constants, int64_t *value)
{
    return evaluate(e, num_dims, constants, value) == KNOWN;
}

bool
mlc_affine_apply_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    MlcAffineExpr e = mlc_affine_map_result(map, 0);
    MlcAffineKind kind = mlc_affine_kind(e);
    unsigned num_dims = mlc_affine_map_num_dims(map);
    MlcContext *ctx = mlc_op_context(op);
    if (kind > MLC_AFFINE_CONSTANT) {
        results[0].value =
            mlc_op_operand(op, mlc_affine_position(e) + (kind == MLC_AFFINE_DIM ? 0 : num_dims));
        return true;
    }
    int64_t value;
    Known known = evaluate(e, num_dims, constants, &value);
    if (known == KNOWN)
        results[0].attr = mlc_index_attr_get(ctx, value);
    else if (known == POISON)
        results[0].attr = mlc_parse_attr(ctx, mlc_str("#ub.poison"));
    return known != UNKNOWN;
}

// --- affine.min, affine.max

// Results that are constant become so; the least (greatest) if all are.
static bool
fold_extremum(MlcOp *op, const MlcAttr *constants, MlcFold *results, bool is_max)
{
    MlcAffineMap map = mlc_op_affine_map(op, "map"), old = map;
    MlcContext *ctx = mlc_op_context(op);
    unsigned num_dims = mlc_affine_map_num_dims(map);
    size_t n = mlc_affine_map_num_results(map);
    bool all_known = n > 0;
    int64_t extremum = 0, value;
    MlcAffineExpr *exprs = mlc_malloc((n + 1) * sizeof *exprs);
    for (size_t i = 0; i < n; i++) {
        exprs[i] = mlc_affine_map_result(map, i);
        if (!eval_known(exprs[i], num_dims, constants, &value)) {
            all_known = false;
            continue;
        }
        exprs[i] = mlc_affine_constant(ctx, value);
        if (i == 0 || (is_max ? value > extremum : value < extremum))
            extremum = value;
    }
    map = mlc_affine_map_get(ctx, num_dims, mlc_affine_map_num_symbols(map), exprs, n);
    mlc_free(exprs);
    bool is_operand = n == 1 && num_dims == 0 && mlc_affine_map_num_symbols(map) == 1 &&
                      mlc_affine_kind(mlc_affine_map_result(map, 0)) == MLC_AFFINE_SYMBOL;
    if (is_operand)
        results[0].value = mlc_op_operand(op, 0);
    else if (all_known)
        results[0].attr = mlc_index_attr_get(ctx, extremum);
    else if (map != old)
        mlc_op_set_affine_map(op, "map", map);
    return is_operand || all_known || map != old;
}

bool
mlc_affine_min_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_extremum(op, constants, results, false);
}

bool
mlc_affine_max_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_extremum(op, constants, results, true);
}

// --- affine.for

enum { LOWER, UPPER, INITS }; // operand groups

static MlcAffineMap
bound_map(MlcOp *op, bool is_upper)
{
    return mlc_op_affine_map(op, is_upper ? "upperBoundMap" : "lowerBoundMap");
}

static void
set_bound(MlcOp *op, bool is_upper, MlcAffineMap map, const MlcValueVec *operands)
{
    mlc_op_set_operand_group(op, is_upper ? UPPER : LOWER, operands ? operands->data : NULL,
                             operands ? operands->size : 0);
    mlc_op_set_affine_map(op, is_upper ? "upperBoundMap" : "lowerBoundMap", map);
}

// A bound of constants is the greatest (least) of them.
static bool
fold_constant_bound(MlcOp *op, const MlcAttr *constants, bool is_upper)
{
    MlcAffineMap map = bound_map(op, is_upper);
    size_t first, count, n = mlc_affine_map_num_results(map);
    int64_t bound = 0, value;
    if (n == 0 || (mlc_affine_map_num_inputs(map) == 0 && mlc_affine_map_is_constant(map, &value)))
        return false;
    mlc_op_operand_group(op, is_upper ? UPPER : LOWER, &first, &count);
    for (size_t i = 0; i < n; i++) {
        if (!eval_known(mlc_affine_map_result(map, i), mlc_affine_map_num_dims(map),
                        constants + first, &value))
            return false;
        if (i == 0 || (is_upper ? value < bound : value > bound))
            bound = value;
    }
    set_bound(op, is_upper, mlc_affine_map_constant(mlc_op_context(op), bound), NULL);
    return true;
}

static bool
canonicalize_bound(MlcOp *op, bool is_upper)
{
    MlcAffineMap old = bound_map(op, is_upper);
    size_t first, count;
    int64_t unused;
    if (mlc_affine_map_is_constant(old, &unused) && mlc_affine_map_num_inputs(old) == 0)
        return false;
    mlc_op_operand_group(op, is_upper ? UPPER : LOWER, &first, &count);
    MlcValueMap vm = mlc_value_map_of(old, op, first);
    mlc_value_map_compose(&vm);
    mlc_value_map_canonicalize(&vm);
    mlc_value_map_drop_redundant(&vm, !is_upper);
    vm.map = mlc_affine_map_without_duplicates(vm.map);
    bool changed = vm.map != old;
    if (changed)
        set_bound(op, is_upper, vm.map, &vm.operands);
    mlc_value_map_release(&vm);
    return changed;
}

static bool
never_runs(MlcOp *op)
{
    int64_t lower, upper;
    return mlc_affine_map_is_constant(bound_map(op, false), &lower) &&
           mlc_affine_map_is_constant(bound_map(op, true), &upper) && lower >= upper;
}

bool
mlc_affine_for_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    // The upper bound first: the lower one's operands come before it.
    bool changed = fold_constant_bound(op, constants, true);
    changed |= fold_constant_bound(op, constants, false);
    changed |= canonicalize_bound(op, false);
    changed |= canonicalize_bound(op, true);
    if (!mlc_op_num_results(op) || !never_runs(op))
        return changed;
    size_t first, count;
    mlc_op_operand_group(op, INITS, &first, &count);
    for (size_t i = 0; i < count; i++)
        results[i].value = mlc_op_operand(op, first + i);
    return true;
}

// --- affine.if

static bool
has_apply_operand(MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (operand, op) {
        MlcOp *def = mlc_value_def(operand);
        if (def && mlc_affine_apply_isa(def))
            return true;
    }
    return false;
}

bool
mlc_affine_if_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    MlcContext *ctx = mlc_op_context(op);
    MlcIntegerSet set = mlc_integer_set_attr_value(mlc_op_attr(op, "condition"));
    size_t n = mlc_integer_set_num_constraints(set);
    MlcAffineExpr *exprs = mlc_malloc((n + 1) * sizeof *exprs);
    bool *equalities = mlc_malloc(n + 1);
    for (size_t i = 0; i < n; i++) {
        exprs[i] = mlc_integer_set_constraint(set, i);
        equalities[i] = mlc_integer_set_is_equality(set, i);
    }
    MlcAffineMap old = mlc_affine_map_get(ctx, mlc_integer_set_num_dims(set),
                                          mlc_integer_set_num_symbols(set), exprs, n);
    MlcValueMap vm = mlc_value_map_of(old, op, 0);
    if (has_apply_operand(op))
        mlc_value_map_compose(&vm);
    mlc_value_map_canonicalize(&vm);
    bool changed = !mlc_value_map_is(&vm, old, op, 0);
    if (changed) {
        for (size_t i = 0; i < n; i++)
            exprs[i] = mlc_affine_map_result(vm.map, i);
        set = mlc_integer_set_get(ctx, mlc_affine_map_num_dims(vm.map),
                                  mlc_affine_map_num_symbols(vm.map), exprs, equalities, n);
        mlc_op_set_operands(op, vm.operands.data, vm.operands.size);
        mlc_op_set_attr(op, "condition", mlc_integer_set_attr_get(set));
    }
    mlc_value_map_release(&vm);
    mlc_free(exprs);
    mlc_free(equalities);
    return changed;
}

// --- affine.parallel

bool
mlc_affine_parallel_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    static const char *const names[] = {"lowerBoundsMap", "upperBoundsMap"};
    MlcValueVec operands = {0};
    bool changed = false;
    size_t first = 0;
    MlcAffineMap maps[2];
    for (size_t i = 0; i < 2; i++) {
        MlcAffineMap old = mlc_op_affine_map(op, names[i]);
        MlcValueMap vm = mlc_value_map_of(old, op, first);
        mlc_value_map_compose(&vm);
        changed |= !mlc_value_map_is(&vm, old, op, first);
        first += mlc_affine_map_num_inputs(old);
        maps[i] = vm.map;
        for (size_t j = 0; j < vm.operands.size; j++)
            mlc_vec_push(&operands, vm.operands.data[j]);
        mlc_value_map_release(&vm);
    }
    if (changed) {
        mlc_op_set_operands(op, operands.data, operands.size);
        mlc_op_set_affine_map(op, names[0], maps[0]);
        mlc_op_set_affine_map(op, names[1], maps[1]);
    }
    mlc_vec_release(&operands);
    return changed;
}

// --- accesses

// Operands that are casts of ranked memrefs become what is cast.
static bool
look_through_casts(MlcOp *op, const MlcValue *stored)
{
    bool changed = false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *operand = mlc_op_operand(op, i);
        MlcOp *def = operand == stored ? NULL : mlc_value_def(operand);
        if (!mlc_memref_cast_isa(def) || !mlc_type_has_rank(mlc_value_type(mlc_op_operand(def, 0))))
            continue;
        mlc_op_set_operand(op, i, mlc_op_operand(def, 0));
        changed = true;
    }
    return changed;
}

// The constant that a read-only global holds at the place read, or everywhere.
static MlcAttr
element_of_global(MlcOp *op)
{
    MlcOp *get = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_memref_get_global_isa(get))
        return NULL;
    MlcOp *global = mlc_symbol_lookup_ref(get, mlc_op_attr(get, "name"));
    if (!mlc_memref_global_isa(global) || !mlc_op_attr(global, "constant"))
        return NULL;
    MlcAttr init = mlc_op_attr(global, "initial_value");
    if (!init || !mlc_attr_is(init, MLC_ATTR_DENSE))
        return NULL;
    if (mlc_elements_attr_is_splat(init))
        return mlc_elements_attr_element(init, 0);
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    const int64_t *shape = mlc_type_shape(mlc_attr_type(init));
    size_t linear = 0;
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT || mlc_affine_value(e) < 0 ||
            mlc_affine_value(e) >= shape[i])
            return NULL;
        linear = linear * (size_t)shape[i] + (size_t)mlc_affine_value(e);
    }
    return mlc_elements_attr_element(init, linear);
}

bool
mlc_affine_load_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    if (look_through_casts(op, NULL))
        return true;
    results[0].attr = element_of_global(op);
    return results[0].attr != NULL;
}

bool
mlc_affine_store_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    return look_through_casts(op, mlc_op_operand(op, 0));
}

bool
mlc_affine_access_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    return look_through_casts(op, NULL);
}
