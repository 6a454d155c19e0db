// index_values.c -- see index_values.h.
//
// An index value that comes from an affine.apply is replaced by the apply's expression, so the
// positions that passes write down are in terms of induction variables and constants, however many
// slices lie in between.
#include "index_values.h"

#include "mlc/analysis/structured.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/scf.h"

void
mlc_index_values_release(MlcIndexValues *indices)
{
    mlc_vec_release(&indices->values);
    mlc_map_release(&indices->cache);
}

static MlcAffineExpr
dim_of(MlcIndexValues *indices, MlcContext *ctx, MlcValue *value)
{
    for (size_t i = 0; i < indices->values.size; i++)
        if (indices->values.data[i] == value)
            return mlc_affine_dim(ctx, (unsigned)i);
    mlc_vec_push(&indices->values, value);
    return mlc_affine_dim(ctx, (unsigned)indices->values.size - 1);
}

MlcAffineExpr
mlc_index_values_expr(MlcIndexValues *indices, MlcContext *ctx, MlcValue *value)
{
    int64_t constant;
    if (mlc_value_constant_int(value, &constant))
        return mlc_affine_constant(ctx, constant);
    MlcOp *def = mlc_value_def(value);
    if (!mlc_affine_apply_isa(def))
        return dim_of(indices, ctx, value);
    MlcAffineMap map = mlc_affine_map_attr_value(mlc_op_attr(def, "map"));
    size_t n = mlc_op_num_operands(def);
    unsigned num_dims = mlc_affine_map_num_dims(map);
    MlcAffineExpr inputs[2 * MLC_SMALL_RANK];
    if (n > 2 * MLC_SMALL_RANK)
        return dim_of(indices, ctx, value);
    for (size_t i = 0; i < n; i++)
        inputs[i] = mlc_index_values_expr(indices, ctx, mlc_op_operand(def, i));
    return mlc_affine_replace(mlc_affine_map_result(map, 0), inputs, num_dims, inputs + num_dims,
                              n - num_dims);
}

static MlcValue *
build_apply(MlcIndexValues *indices, MlcBuilder *b, MlcAffineExpr e)
{
    size_t n = indices->values.size, used = 0;
    MlcAffineExpr *renumber = mlc_malloc((n + 1) * sizeof *renumber);
    MlcValue **operands = mlc_malloc((n + 1) * sizeof(MlcValue *));
    for (size_t i = 0; i < n; i++) {
        renumber[i] = mlc_affine_dim(b->ctx, (unsigned)used);
        if (mlc_affine_uses_dim(e, (unsigned)i))
            operands[used++] = indices->values.data[i];
    }
    e = mlc_affine_replace(e, renumber, n, NULL, 0);
    MlcAffineMap map = mlc_affine_map_get(b->ctx, (unsigned)used, 0, &e, 1);
    MlcValue *value = mlc_affine_apply(b, operands, used, map);
    mlc_free(renumber);
    mlc_free(operands);
    return value;
}

MlcValue *
mlc_index_values_at(MlcIndexValues *indices, MlcBuilder *b, MlcAffineExpr e)
{
    if (mlc_affine_kind(e) == MLC_AFFINE_DIM)
        return indices->values.data[mlc_affine_position(e)];
    if (indices->block != b->block)
        mlc_map_clear(&indices->cache);
    indices->block = b->block;
    MlcValue *value = mlc_map_get(&indices->cache, e);
    if (value)
        return value;
    int64_t constant;
    value = mlc_affine_is_constant(e, &constant) ? mlc_build_index(b, constant)
                                                 : build_apply(indices, b, e);
    mlc_map_set(&indices->cache, e, value);
    return value;
}

MlcOp *
mlc_build_for(MlcBuilder *b, int64_t lower, int64_t upper, int64_t step, MlcValue *const *inits,
              size_t num_inits)
{
    MlcValue *from = mlc_build_index(b, lower), *to = mlc_build_index(b, upper);
    return mlc_build_for_values(b, from, to, step, inits, num_inits);
}

MlcOp *
mlc_build_for_values(MlcBuilder *b, MlcValue *from, MlcValue *to, int64_t step,
                     MlcValue *const *inits, size_t num_inits)
{
    MlcType *types = mlc_malloc((num_inits + 1) * sizeof(MlcType));
    types[0] = mlc_index_type_get(b->ctx);
    for (size_t i = 0; i < num_inits; i++)
        types[i + 1] = mlc_value_type(inits[i]);
    MlcOp *loop =
        mlc_scf_for(b, types + 1, num_inits, from, to, mlc_build_index(b, step), inits, num_inits);
    mlc_builder_create_block(b, mlc_op_region(loop, 0), types, num_inits + 1);
    mlc_free(types);
    return loop;
}
