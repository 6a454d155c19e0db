// affine_to_scf.c -- affine loops, conditions and accesses become scf, memref, vector and arith.
//
// Maps are expanded to arithmetic on index. Euclidean mod, floor and ceiling divisions by a
// positive divisor are made from the truncating ones of arith by correcting the sign, as in MLIR's
// AffineExprExpander. Illegal afterwards: all of `affine`.
#include "affine_to_scf.h"

#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

typedef struct Operands {
    MlcValue *const *dims;
    MlcValue *const *symbols;
} Operands;

// a mod b = let r = a rem b in r < 0 ? r + b : r
static MlcValue *
expand_mod(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs)
{
    MlcValue *remainder = mlc_arith_remsi(b, lhs, rhs);
    MlcValue *negative =
        mlc_arith_cmpi(b, remainder, mlc_build_index(b, 0), MLC_ARITH_CMPI_PREDICATE_SLT);
    MlcValue *corrected = mlc_arith_addi(b, remainder, rhs);
    return mlc_build_select(b, negative, corrected, remainder);
}

// a floordiv b = a < 0 ? -1 - (-1 - a) / b : a / b
static MlcValue *
expand_floordiv(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs)
{
    MlcValue *zero = mlc_build_index(b, 0), *minus_one = mlc_build_index(b, -1);
    MlcValue *negative = mlc_arith_cmpi(b, lhs, zero, MLC_ARITH_CMPI_PREDICATE_SLT);
    MlcValue *flipped = mlc_arith_subi(b, minus_one, lhs);
    MlcValue *dividend = mlc_build_select(b, negative, flipped, lhs);
    MlcValue *quotient = mlc_arith_divsi(b, dividend, rhs);
    flipped = mlc_arith_subi(b, minus_one, quotient);
    return mlc_build_select(b, negative, flipped, quotient);
}

// a ceildiv b = a <= 0 ? -(-a / b) : (a - 1) / b + 1
static MlcValue *
expand_ceildiv(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs)
{
    MlcValue *zero = mlc_build_index(b, 0), *one = mlc_build_index(b, 1);
    MlcValue *nonpositive = mlc_arith_cmpi(b, lhs, zero, MLC_ARITH_CMPI_PREDICATE_SLE);
    MlcValue *negated = mlc_arith_subi(b, zero, lhs), *less = mlc_arith_subi(b, lhs, one);
    MlcValue *dividend = mlc_build_select(b, nonpositive, negated, less);
    MlcValue *quotient = mlc_arith_divsi(b, dividend, rhs);
    MlcValue *more = mlc_arith_addi(b, quotient, one);
    negated = mlc_arith_subi(b, zero, quotient);
    return mlc_build_select(b, nonpositive, negated, more);
}

// Depth is bounded by the limit on nesting that the parser and the builders of expressions keep.
static MlcValue *
expand(MlcBuilder *b, MlcAffineExpr e, const Operands *operands)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
        return mlc_build_index(b, mlc_affine_value(e));
    case MLC_AFFINE_DIM:
        return operands->dims[mlc_affine_position(e)];
    case MLC_AFFINE_SYMBOL:
        return operands->symbols[mlc_affine_position(e)];
    default:
        break;
    }
    MlcValue *lhs = expand(b, mlc_affine_lhs(e), operands),
             *rhs = expand(b, mlc_affine_rhs(e), operands);
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_ADD:
        return mlc_arith_addi(b, lhs, rhs);
    case MLC_AFFINE_MUL:
        return mlc_arith_muli(b, lhs, rhs);
    case MLC_AFFINE_MOD:
        return expand_mod(b, lhs, rhs);
    case MLC_AFFINE_FLOORDIV:
        return expand_floordiv(b, lhs, rhs);
    default:
        return expand_ceildiv(b, lhs, rhs);
    }
}

static void
expand_map(MlcBuilder *b, MlcAffineMap map, MlcValue *const *values, MlcValueVec *out)
{
    Operands operands = {values, values + mlc_affine_map_num_dims(map)};
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        mlc_vec_push(out, expand(b, mlc_affine_map_result(map, i), &operands));
}

MlcValue *
affine_expand_bound(MlcBuilder *b, MlcAffineMap map, size_t first, size_t count,
                    MlcValue *const *values, bool is_min)
{
    Operands operands = {values, values + mlc_affine_map_num_dims(map)};
    MlcValue *bound = NULL;
    for (size_t i = first; i < first + count; i++) {
        MlcValue *value = expand(b, mlc_affine_map_result(map, i), &operands);
        bound = !bound   ? value
                : is_min ? mlc_arith_minsi(b, bound, value)
                         : mlc_arith_maxsi(b, bound, value);
    }
    return bound;
}

static bool
lower_apply(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    MlcValue *value = affine_expand_bound(mlc_conversion_builder(c), map, 0, 1, operands, true);
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

static bool
lower_min_max(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    bool is_min = mlc_affine_min_isa(op);
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    MlcValue *value = affine_expand_bound(mlc_conversion_builder(c), map, 0,
                                          mlc_affine_map_num_results(map), operands, is_min);
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

static bool
lower_for(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t lower, upper, inits, num_lower, num_upper, num_inits;
    mlc_op_operand_group(op, 0, &lower, &num_lower);
    mlc_op_operand_group(op, 1, &upper, &num_upper);
    mlc_op_operand_group(op, 2, &inits, &num_inits);
    MlcAffineMap low = mlc_affine_for_lower_bound_map(op),
                 high = mlc_affine_for_upper_bound_map(op);
    MlcValue *begin =
        affine_expand_bound(b, low, 0, mlc_affine_map_num_results(low), operands + lower, false);
    MlcValue *end =
        affine_expand_bound(b, high, 0, mlc_affine_map_num_results(high), operands + upper, true);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < num_inits; i++)
        mlc_vec_push(&types, mlc_value_type(operands[inits + i]));
    MlcOp *loop =
        mlc_scf_for(b, types.data, types.size, begin, end,
                    mlc_build_index(b, mlc_affine_for_step(op)), operands + inits, num_inits);
    mlc_op_set_discardable(loop, mlc_op_discardable(op));
    mlc_vec_release(&types);
    if (!mlc_conversion_take_region(c, mlc_op_region(loop, 0), mlc_op_region(op, 0)))
        return false;
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_vec_push(&results, mlc_op_result(loop, i));
    mlc_conversion_replace(c, op, results.data, results.size);
    mlc_vec_release(&results);
    return true;
}

static bool
lower_parallel(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (mlc_op_num_results(op) > 0)
        return mlc_conversion_no_match(c, op, "reductions of affine.parallel are not lowered");
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcAffineMap low = mlc_affine_parallel_lower_bounds_map(op),
                 high = mlc_affine_parallel_upper_bounds_map(op);
    MlcAttr low_groups = mlc_affine_parallel_lower_bounds_groups(op),
            high_groups = mlc_affine_parallel_upper_bounds_groups(op);
    MlcAttr steps = mlc_affine_parallel_steps(op);
    size_t n = mlc_int_list_attr_size(steps), num_low = mlc_affine_map_num_inputs(low);
    MlcValueVec bounds = {0};
    for (int upper = 0; upper < 2; upper++) {
        size_t first = 0;
        for (size_t i = 0; i < n; i++) {
            int64_t count = 0;
            mlc_int_list_attr_get(upper ? high_groups : low_groups, i, &count);
            mlc_vec_push(&bounds,
                         affine_expand_bound(b, upper ? high : low, first, (size_t)count,
                                             upper ? operands + num_low : operands, upper));
            first += (size_t)count;
        }
    }
    for (size_t i = 0; i < n; i++) {
        int64_t step = 1;
        mlc_int_list_attr_get(steps, i, &step);
        mlc_vec_push(&bounds, mlc_build_index(b, step));
    }
    MlcOp *loop = mlc_scf_parallel(b, NULL, 0, bounds.data, n, bounds.data + n, n,
                                   bounds.data + 2 * n, n, NULL, 0);
    mlc_vec_release(&bounds);
    mlc_op_set_discardable(loop, mlc_op_discardable(op));
    if (!mlc_conversion_take_region(c, mlc_op_region(loop, 0), mlc_op_region(op, 0)))
        return false;
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_if(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcIntegerSet set = mlc_integer_set_attr_value(mlc_op_attr(op, "condition"));
    Operands values = {operands, operands + mlc_integer_set_num_dims(set)};
    MlcValue *zero = mlc_build_index(b, 0), *condition = NULL;
    for (size_t i = 0; i < mlc_integer_set_num_constraints(set); i++) {
        MlcValue *value = expand(b, mlc_integer_set_constraint(set, i), &values);
        MlcValue *holds =
            mlc_arith_cmpi(b, value, zero,
                           mlc_integer_set_is_equality(set, i) ? MLC_ARITH_CMPI_PREDICATE_EQ
                                                               : MLC_ARITH_CMPI_PREDICATE_SGE);
        condition = condition ? mlc_arith_andi(b, condition, holds) : holds;
    }
    if (!condition)
        condition = mlc_build_constant(b, mlc_bool_attr_get(b->ctx, true));
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    MlcOp *branch = mlc_scf_if(b, types.data, types.size, condition);
    mlc_vec_release(&types);
    for (size_t r = 0; r < 2; r++)
        if (!mlc_conversion_take_region(c, mlc_op_region(branch, r), mlc_op_region(op, r)))
            return false;
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(branch); i++)
        mlc_vec_push(&results, mlc_op_result(branch, i));
    mlc_conversion_replace(c, op, results.data, results.size);
    mlc_vec_release(&results);
    return true;
}

static bool
lower_yield(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    if (mlc_scf_parallel_isa(mlc_op_parent(op)))
        mlc_scf_reduce(b, NULL, 0, 0);
    else
        mlc_scf_yield(b, operands, mlc_op_num_operands(op));
    mlc_conversion_erase(c, op);
    return true;
}

// An access through a map: its twin at expanded indices.
static bool
lower_access(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (!mlc_op_access_twin(op))
        return mlc_conversion_no_match(c, op, "'%s' is no access without a map for it",
                                       mlc_op_access(op)->twin);
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t first, count;
    mlc_op_access_indices(op, &first, &count);
    MlcValueVec indices = {0};
    expand_map(b, mlc_op_access_map(op), operands + first, &indices);
    MlcOp *made = mlc_build_access_twin(b, op, operands, indices.data, indices.size, NULL);
    mlc_vec_release(&indices);
    MlcValue *result = mlc_op_num_results(op) > 0 ? mlc_op_result(made, 0) : NULL;
    mlc_conversion_replace(c, op, &result, result != NULL);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.name = "affine-apply", .root = "affine.apply", .convert = lower_apply},
    {.name = "affine-min", .root = "affine.min", .convert = lower_min_max},
    {.name = "affine-max", .root = "affine.max", .convert = lower_min_max},
    {.name = "affine-for", .root = "affine.for", .convert = lower_for},
    {.name = "affine-parallel", .root = "affine.parallel", .convert = lower_parallel},
    {.name = "affine-if", .root = "affine.if", .convert = lower_if},
    {.name = "affine-yield", .root = "affine.yield", .convert = lower_yield},
};

typedef MLC_VEC(MlcConversionPattern) PatternVec;

// Ops of any dialect that are accesses through a map and name their twin are lowered, too.
static void
add_accesses(MlcContext *ctx, MlcConversionTarget *target, PatternVec *out)
{
    for (size_t i = 0; i < mlc_context_num_dialects(ctx); i++) {
        const MlcDialectDef *dialect = mlc_context_dialect_at(ctx, i);
        for (size_t k = 0; k < dialect->num_ops; k++) {
            const MlcMemoryAccess *access =
                mlc_op_def_interface(dialect->ops[k], MLC_INTERFACE_ACCESS);
            const char *root = dialect->ops[k]->name;
            if (!access || !access->twin)
                continue;
            if (access->map) {
                mlc_conversion_target_illegal_op(target, root);
                mlc_vec_push(out, (MlcConversionPattern){.root = root, .convert = lower_access});
            } else {
                mlc_conversion_target_legal_op(target, root);
            }
        }
    }
}

static bool
is_affine_access(const MlcOpDef *op)
{
    const MlcMemoryAccess *access = mlc_op_def_interface(op, MLC_INTERFACE_ACCESS);
    return access && access->twin && access->map;
}

static bool
converts(const MlcOpDef *op)
{
    return mlc_conversion_has_pattern(patterns, sizeof patterns / sizeof *patterns, op) ||
           is_affine_access(op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcContext *ctx = mlc_pass_context(pass);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    mlc_conversion_target_illegal_dialect(target, "affine");
    static const char *const legal[] = {"arith", "memref", "scf", "vector"};
    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++)
        mlc_conversion_target_legal_dialect(target, legal[i]);
    PatternVec all = {0};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        mlc_vec_push(&all, patterns[i]);
    add_accesses(ctx, target, &all);
    bool ok = mlc_convert_partial(root, target, NULL, all.data, all.size);
    mlc_vec_release(&all);
    mlc_conversion_target_destroy(target);
    return ok;
}

static const char *const dialects[] = {"arith", "memref", "scf", "vector", NULL};

MLC_PASS(affine_to_scf, .flag = "lower-affine",
         .summary = "Lower affine to scf, memref, vector and arith", .dependent_dialects = dialects,
         .converts = converts, .run = run)
