// scf_specialize.c -- what scf-for-loop-specialization and scf-parallel-loop-specialization share.
#include "scf_specialize.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"

// The least constant among the entries of the affine.min that makes `value`.
static bool
constant_bound(MlcValue *value, int64_t *bound)
{
    MlcOp *def = mlc_value_def(value);
    if (!def || !mlc_affine_min_isa(def))
        return false;
    MlcAffineMap map = mlc_op_affine_map(def, "map");
    bool found = false;
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        if (mlc_affine_kind(e) != MLC_AFFINE_CONSTANT)
            continue;
        *bound = found && *bound < mlc_affine_value(e) ? *bound : mlc_affine_value(e);
        found = true;
    }
    return found;
}

// Into a branch of scf.if, which yields the loop's results.
static void
put_into(MlcOp *branch, size_t region, MlcOp *loop)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(loop));
    b.loc = mlc_op_loc(loop);
    mlc_builder_create_block(&b, mlc_op_region(branch, region), NULL, 0);
    mlc_builder_insert(&b, loop);
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_vec_push(&results, mlc_op_result(loop, i));
    mlc_scf_yield(&b, results.data, results.size);
    mlc_vec_release(&results);
}

static void
specialize(MlcOp *loop, size_t first, size_t count)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(loop));
    mlc_builder_before(&b, loop);
    MlcOp *special = mlc_op_clone(loop, NULL);
    MlcValue *all = NULL;
    for (size_t i = 0; i < count; i++) {
        int64_t bound = 0;
        constant_bound(mlc_op_operand(loop, first + i), &bound);
        MlcValue *constant = mlc_build_index(&b, bound);
        MlcValue *is_whole = mlc_build_compare(&b, MLC_ARITH_CMPI_PREDICATE_EQ,
                                               mlc_op_operand(loop, first + i), constant);
        all = all ? mlc_arith_andi(&b, all, is_whole) : is_whole;
        mlc_op_set_operand(special, first + i, constant);
    }
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(loop, i)));
    MlcOp *branch = mlc_scf_if(&b, types.data, types.size, all);
    mlc_vec_release(&types);
    for (size_t i = 0; i < mlc_op_num_results(loop); i++)
        mlc_value_replace_uses(mlc_op_result(loop, i), mlc_op_result(branch, i));
    mlc_op_remove(loop);
    put_into(branch, 0, special);
    put_into(branch, 1, loop);
}

void
mlc_specialize_loops(MlcOp *root, const MlcOpDef *def, size_t uppers)
{
    MlcOpVec loops = {0};
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_op_isa(op, def))
            mlc_vec_push(&loops, op);
    for (size_t i = 0; i < loops.size; i++) {
        size_t first, count, known = 0;
        int64_t bound;
        mlc_op_operand_group(loops.data[i], uppers, &first, &count);
        while (known < count &&
               constant_bound(mlc_op_operand(loops.data[i], first + known), &bound))
            known++;
        if (count && known == count)
            specialize(loops.data[i], first, count);
    }
    mlc_vec_release(&loops);
}
