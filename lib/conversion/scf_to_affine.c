// scf_to_affine.c -- loops whose bounds are affine become affine loops, accesses at affine indices affine accesses.
//
// The opposite of lower-affine, for IR made by tiling: bounds and indices that are sums, products with constants, affine.apply,
// affine.min or constants of loop variables are gathered into maps. What is not affine stays as it is. Innermost last, so that
// a loop is raised before what depends on its variable.
#include "mlc/pass.h"

#include "mlc/ir.h"

enum { MAX_OPERANDS = 16 };

// An expression over values: dims are loop variables (of affine loops), symbols other index values valid as such.
typedef struct Expr {
    MlcAffineExpr expr; // dim i is values[i]
    MlcValue *values[MAX_OPERANDS];
    size_t num_values;
} Expr;

static bool
is_loop_variable(MlcValue *value)
{
    MlcBlock *block = mlc_value_block(value);
    if (!block || !mlc_block_parent(block))
        return false;
    MlcStr name = mlc_op_name(mlc_block_parent(block));
    return (mlc_str_equal(name, mlc_str("affine.for")) && mlc_value_index(value) == 0) ||
           mlc_str_equal(name, mlc_str("affine.parallel"));
}

static bool
append_value(Expr *e, MlcValue *value, MlcAffineExpr *dim)
{
    size_t i = 0;
    while (i < e->num_values && e->values[i] != value)
        i++;
    if (i == MAX_OPERANDS)
        return false;
    if (i == e->num_values)
        e->values[e->num_values++] = value;
    *dim = mlc_affine_dim(mlc_value_context(value), (unsigned)i);
    return true;
}

static bool
gather(Expr *e, MlcValue *value, unsigned depth, MlcAffineExpr *out)
{
    int64_t constant;
    MlcContext *ctx = mlc_value_context(value);
    if (mlc_value_constant_int(value, &constant)) {
        *out = mlc_affine_constant(ctx, constant);
        return true;
    }
    if (is_loop_variable(value))
        return append_value(e, value, out);
    MlcOp *def = mlc_value_def(value);
    if (!def || depth == 0)
        return false;
    MlcStr name = mlc_op_name(def);
    if (mlc_str_equal(name, mlc_str("affine.apply"))) {
        MlcAffineMap map = mlc_affine_map_attr_value(mlc_op_attr(def, "map"));
        MlcAffineExpr inputs[MAX_OPERANDS];
        size_t n = mlc_op_num_operands(def), num_dims = mlc_affine_map_num_dims(map);
        for (size_t i = 0; i < n; i++)
            if (n > MAX_OPERANDS || !gather(e, mlc_op_operand(def, i), depth - 1, &inputs[i]))
                return false;
        *out = mlc_affine_replace(mlc_affine_map_result(map, 0), inputs, num_dims, inputs + num_dims, n - num_dims);
        return true;
    }
    bool is_add = mlc_str_equal(name, mlc_str("arith.addi")), is_sub = mlc_str_equal(name, mlc_str("arith.subi"));
    bool is_mul = mlc_str_equal(name, mlc_str("arith.muli"));
    MlcAffineExpr lhs, rhs;
    if (!(is_add || is_sub || is_mul) || !gather(e, mlc_op_operand(def, 0), depth - 1, &lhs) ||
        !gather(e, mlc_op_operand(def, 1), depth - 1, &rhs))
        return false;
    if (is_mul && mlc_affine_kind(lhs) != MLC_AFFINE_CONSTANT && mlc_affine_kind(rhs) != MLC_AFFINE_CONSTANT)
        return false;
    *out = is_add ? mlc_affine_add(lhs, rhs) : is_sub ? mlc_affine_sub(lhs, rhs) : mlc_affine_mul(lhs, rhs);
    return true;
}

enum { MAX_DEPTH = 32 };

// A bound: an affine value, or the least (upper) or greatest (lower) of several by affine.min, affine.max, arith.minsi, maxsi.
static bool
gather_bound(Expr *e, MlcValue *value, bool is_upper, MlcAffineExpr *results, size_t *num_results)
{
    MlcOp *def = mlc_value_def(value);
    MlcStr name = def ? mlc_op_name(def) : mlc_str("");
    if (def && mlc_str_equal(name, mlc_str(is_upper ? "affine.min" : "affine.max"))) {
        MlcAffineMap map = mlc_affine_map_attr_value(mlc_op_attr(def, "map"));
        MlcAffineExpr inputs[MAX_OPERANDS];
        size_t n = mlc_op_num_operands(def), num_dims = mlc_affine_map_num_dims(map);
        if (n > MAX_OPERANDS || mlc_affine_map_num_results(map) > MAX_OPERANDS)
            return false;
        for (size_t i = 0; i < n; i++)
            if (!gather(e, mlc_op_operand(def, i), MAX_DEPTH, &inputs[i]))
                return false;
        for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
            results[i] = mlc_affine_replace(mlc_affine_map_result(map, i), inputs, num_dims, inputs + num_dims,
                                            n - num_dims);
        *num_results = mlc_affine_map_num_results(map);
        return true;
    }
    if (def && mlc_str_equal(name, mlc_str(is_upper ? "arith.minsi" : "arith.maxsi"))) {
        *num_results = 2;
        return gather(e, mlc_op_operand(def, 0), MAX_DEPTH, &results[0]) &&
               gather(e, mlc_op_operand(def, 1), MAX_DEPTH, &results[1]);
    }
    *num_results = 1;
    return gather(e, value, MAX_DEPTH, results);
}

static MlcAttr
map_attr(const Expr *e, const MlcAffineExpr *results, size_t num_results, MlcContext *ctx)
{
    return mlc_affine_map_attr_get(mlc_affine_map_get(ctx, (unsigned)e->num_values, 0, results, num_results));
}

static bool
raise_loop(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    Expr lower = {0}, upper = {0};
    MlcAffineExpr low[MAX_OPERANDS], high[MAX_OPERANDS];
    size_t num_low, num_high;
    int64_t step;
    if (!mlc_value_constant_int(mlc_op_operand(op, 2), &step) || step <= 0 ||
        !mlc_type_is(mlc_value_type(mlc_op_operand(op, 0)), MLC_TYPE_INDEX) ||
        !gather_bound(&lower, mlc_op_operand(op, 0), false, low, &num_low) ||
        !gather_bound(&upper, mlc_op_operand(op, 1), true, high, &num_high))
        return false;
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    MlcValueVec operands = {0};
    for (size_t i = 0; i < lower.num_values; i++)
        mlc_vec_push(&operands, lower.values[i]);
    for (size_t i = 0; i < upper.num_values; i++)
        mlc_vec_push(&operands, upper.values[i]);
    MlcTypeVec types = {0};
    for (size_t i = 3; i < mlc_op_num_operands(op); i++) {
        mlc_vec_push(&operands, mlc_op_operand(op, i));
        mlc_vec_push(&types, mlc_value_type(mlc_op_operand(op, i)));
    }
    int32_t segments[3] = {(int32_t)lower.num_values, (int32_t)upper.num_values, (int32_t)types.size};
    MlcNamedAttr attrs[] = {
        mlc_named(ctx, "lowerBoundMap", map_attr(&lower, low, num_low, ctx)),
        mlc_named(ctx, "upperBoundMap", map_attr(&upper, high, num_high, ctx)),
        mlc_named(ctx, "step", mlc_index_attr_get(ctx, step)),
        mlc_named(ctx, "operandSegmentSizes", mlc_i32_array_attr_get(ctx, segments, 3)),
    };
    MlcOp *loop = mlc_build_op(&b, "affine.for", types.data, types.size, operands.data, operands.size, attrs, 4, 1);
    mlc_op_set_discardable(loop, mlc_op_discardable(op));
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    mlc_region_take_body(mlc_op_region(loop, 0), mlc_op_region(op, 0));
    MlcOp *yield = mlc_block_terminator(mlc_region_first(mlc_op_region(loop, 0)));
    mlc_builder_before(&b, yield);
    MlcValueVec yielded = {0};
    MLC_FOR_EACH_OPERAND(value, yield)
        mlc_vec_push(&yielded, value);
    mlc_build_op(&b, "affine.yield", NULL, 0, yielded.data, yielded.size, NULL, 0, 0);
    mlc_vec_release(&yielded);
    mlc_op_erase(yield);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(loop, i));
    mlc_op_erase(op);
    return true;
}

static const struct {
    const char *from, *to;
    size_t num_leading; // operands before the indices
} accesses[] = {
    {"memref.load", "affine.load", 1},
    {"memref.store", "affine.store", 2},
    {"vector.load", "affine.vector_load", 1},
    {"vector.store", "affine.vector_store", 2},
};

static bool
raise_access(MlcOp *op, size_t kind)
{
    MlcContext *ctx = mlc_op_context(op);
    size_t leading = accesses[kind].num_leading, rank = mlc_op_num_operands(op) - leading;
    Expr e = {0};
    MlcAffineExpr results[64];
    if (rank > 64)
        return false;
    for (size_t i = 0; i < rank; i++)
        if (!gather(&e, mlc_op_operand(op, leading + i), MAX_DEPTH, &results[i]))
            return false;
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    MlcValueVec operands = {0};
    for (size_t i = 0; i < leading; i++)
        mlc_vec_push(&operands, mlc_op_operand(op, i));
    for (size_t i = 0; i < e.num_values; i++)
        mlc_vec_push(&operands, e.values[i]);
    MlcNamedAttr attr = mlc_named(ctx, "map", map_attr(&e, results, rank, ctx));
    MlcType type = mlc_op_num_results(op) > 0 ? mlc_value_type(mlc_op_result(op, 0)) : NULL;
    MlcOp *made = mlc_build_op(&b, accesses[kind].to, &type, type != NULL, operands.data, operands.size, &attr, 1, 0);
    mlc_vec_release(&operands);
    MlcValue *result = type ? mlc_op_result(made, 0) : NULL;
    mlc_op_replace(op, &result, type != NULL);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER(op, root)
        mlc_vec_push(&ops, op);
    int64_t num_loops = 0;
    for (size_t i = 0; i < ops.size; i++) {
        MlcStr name = mlc_op_name(ops.data[i]);
        if (mlc_str_equal(name, mlc_str("scf.for"))) {
            num_loops += raise_loop(ops.data[i]);
            continue;
        }
        for (size_t kind = 0; kind < sizeof accesses / sizeof *accesses; kind++)
            if (mlc_str_equal(name, mlc_str(accesses[kind].from))) {
                raise_access(ops.data[i], kind);
                break;
            }
    }
    mlc_vec_release(&ops);
    mlc_pass_count(pass, "loops-raised", num_loops);
    return true;
}

static const char *const dialects[] = {"affine", NULL};

MLC_PASS(scf_to_affine, .flag = "raise-scf-to-affine", .summary = "Raise loops and accesses with affine bounds and indices",
         .dependent_dialects = dialects, .run = run)
