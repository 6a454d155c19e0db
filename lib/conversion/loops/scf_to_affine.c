// scf_to_affine.c -- loops whose bounds are affine become affine loops, accesses at affine indices
// affine accesses.
//
// The opposite of lower-affine, for IR made by tiling: bounds and indices that are sums, products
// with constants, affine.apply, affine.min or constants of loop variables are gathered into maps.
// What is not affine stays as it is. Innermost last, so that a loop is raised before what depends
// on its variable.
#include "mlc/dialects/affine.h"
#include "mlc/dialects/affine_gather.h"
#include "mlc/dialects/scf.h"
#include "mlc/pass.h"

static MlcAffineMap
map_of(const MlcGather *e, const MlcAffineExpr *results, size_t num_results, MlcContext *ctx)
{
    return mlc_affine_map_get(ctx, (unsigned)e->num_values, 0, results, num_results);
}

static bool
raise_loop(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcGather lower = {0}, upper = {0};
    MlcAffineExpr low[MLC_GATHER_MAX], high[MLC_GATHER_MAX];
    size_t num_low, num_high;
    int64_t step;
    if (!mlc_value_constant_int(mlc_op_operand(op, 2), &step) || step <= 0 ||
        !mlc_type_is(mlc_value_type(mlc_op_operand(op, 0)), MLC_TYPE_INDEX) ||
        !mlc_gather_bound(&lower, mlc_op_operand(op, 0), false, low, &num_low) ||
        !mlc_gather_bound(&upper, mlc_op_operand(op, 1), true, high, &num_high))
        return false;
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    MlcValueVec inits = {0};
    MlcTypeVec types = {0};
    for (size_t i = 3; i < mlc_op_num_operands(op); i++) {
        mlc_vec_push(&inits, mlc_op_operand(op, i));
        mlc_vec_push(&types, mlc_value_type(mlc_op_operand(op, i)));
    }
    MlcOp *loop =
        mlc_affine_for(&b, types.data, types.size, lower.values, lower.num_values, upper.values,
                       upper.num_values, inits.data, inits.size, map_of(&lower, low, num_low, ctx),
                       map_of(&upper, high, num_high, ctx), step);
    mlc_op_set_discardable(loop, mlc_op_discardable(op));
    mlc_vec_release(&inits);
    mlc_vec_release(&types);
    mlc_region_take_body(mlc_op_region(loop, 0), mlc_op_region(op, 0));
    MlcOp *yield = mlc_block_terminator(mlc_region_first(mlc_op_region(loop, 0)));
    mlc_builder_before(&b, yield);
    MlcValueVec yielded = {0};
    MLC_FOR_EACH_OPERAND (value, yield)
        mlc_vec_push(&yielded, value);
    mlc_affine_yield(&b, yielded.data, yielded.size);
    mlc_vec_release(&yielded);
    mlc_op_erase(yield);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(loop, i));
    mlc_op_erase(op);
    return true;
}

// An access whose indices are affine: its twin, through their map.
static bool
raise_access(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    size_t first, rank;
    mlc_op_access_indices(op, &first, &rank);
    MlcGather e = {0};
    MlcAffineExpr results[MLC_RANK_LIMIT];
    if (rank > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < rank; i++)
        if (!mlc_gather(&e, mlc_op_operand(op, first + i), &results[i]))
            return false;
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    MlcValueVec operands = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands, value);
    MlcOp *made = mlc_build_access_twin(&b, op, operands.data, e.values, e.num_values,
                                        map_of(&e, results, rank, ctx));
    mlc_vec_release(&operands);
    MlcValue *result = mlc_op_num_results(op) > 0 ? mlc_op_result(made, 0) : NULL;
    mlc_op_replace(op, &result, result != NULL);
    return true;
}

static bool
is_plain_access(const MlcOpDef *op)
{
    const MlcMemoryAccess *access = mlc_op_def_interface(op, MLC_INTERFACE_ACCESS);
    return access && access->twin && !access->map;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_scf_for_def || is_plain_access(op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (!mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR)) // a raised loop erases its yield
            mlc_vec_push(&ops, op);
    int64_t num_loops = 0;
    for (size_t i = 0; i < ops.size; i++) {
        if (mlc_scf_for_isa(ops.data[i])) {
            num_loops += raise_loop(ops.data[i]);
            continue;
        }
        if (is_plain_access(mlc_op_def(ops.data[i])) && mlc_op_access_twin(ops.data[i]))
            raise_access(ops.data[i]);
    }
    mlc_vec_release(&ops);
    mlc_pass_count(pass, "loops-raised", num_loops);
    return true;
}

static const char *const dialects[] = {"affine", NULL};

MLC_PASS(scf_to_affine, .flag = "raise-scf-to-affine",
         .summary = "Raise loops and accesses with affine bounds and indices",
         .dependent_dialects = dialects, .converts = converts, .run = run)
