// gpu_point.c -- clones bodies of structured ops.
#include "gpu_point.h"

#include "mlc/analysis/structured.h"
#include "mlc/dialects/affine.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/memref.h"

size_t
gpu_element_indices(MlcBuilder *b, MlcOp *op, size_t operand, MlcValue *const *ivs,
                    MlcValue **indices)
{
    MlcAffineMap map = mlc_structured_map(op, operand);
    size_t rank = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < rank; i++) {
        int dim = mlc_map_result_dim(map, i);
        MlcAffineMap one = mlc_affine_map_sub(map, &i, 1);
        indices[i] =
            dim >= 0 ? ivs[dim] : mlc_affine_apply(b, ivs, mlc_affine_map_num_dims(map), one);
    }
    return rank;
}

bool
gpu_is_identity(MlcAffineMap map, size_t count)
{
    if (mlc_affine_map_num_results(map) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (mlc_map_result_dim(map, i) != (int)i)
            return false;
    return true;
}

MlcValue *
gpu_load_element(MlcBuilder *b, MlcOp *op, size_t operand, MlcValue *const *ivs)
{
    MlcValue *indices[MLC_SMALL_RANK];
    size_t rank = gpu_element_indices(b, op, operand, ivs, indices);
    return mlc_memref_load(b, mlc_op_operand(op, operand), indices, rank);
}

MlcValue *
gpu_build_point(MlcBuilder *b, MlcOp *op, MlcValue *const *ivs, ReadElement read, void *user)
{
    MlcBlock *body = mlc_structured_body(op);
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        MlcValue *operand = mlc_op_operand(op, i), *arg = mlc_block_arg(body, i);
        if (!mlc_value_has_uses(arg))
            continue;
        mlc_clone_map_set(map, arg, gpu_is_buffer(operand) ? read(user, b, op, i, ivs) : operand);
    }
    MlcOp *yield = mlc_block_terminator(body);
    MLC_FOR_EACH_OP (inner, body) {
        if (inner == yield)
            break;
        if (mlc_linalg_index_isa(inner))
            mlc_clone_map_set(map, mlc_op_result(inner, 0),
                              ivs[mlc_attr_as_int(mlc_op_attr(inner, "dim"))]);
        else
            mlc_builder_insert(b, mlc_op_clone(inner, map));
    }
    MlcValue *value = mlc_clone_map_get(map, mlc_op_operand(yield, 0));
    mlc_clone_map_destroy(map);
    return value;
}

bool
gpu_can_combine(MlcOp *op)
{
    unsigned bits = mlc_type_bit_width(mlc_type_element(mlc_value_type(gpu_output_of(op))));
    return mlc_structured_combine(op) && (bits == 32 || bits == 64);
}

MlcValue *
gpu_combine(MlcBuilder *b, MlcOp *op, MlcValue *x, MlcValue *y)
{
    MlcCloneMap *map = mlc_clone_map_create();
    MlcOp *made = mlc_op_clone(mlc_structured_combine(op), map);
    mlc_clone_map_destroy(map);
    mlc_op_set_operand(made, 0, x);
    mlc_op_set_operand(made, 1, y);
    return mlc_op_result(mlc_builder_insert(b, made), 0);
}

MlcValue *
gpu_neutral(MlcBuilder *b, MlcOp *op)
{
    MlcType type = mlc_type_element(mlc_value_type(gpu_output_of(op)));
    double neutral;
    mlc_combine_kind(mlc_structured_combine(op), &neutral);
    return mlc_type_is(type, MLC_TYPE_FLOAT) ? mlc_build_float(b, type, neutral)
                                             : mlc_build_int(b, type, (int64_t)neutral);
}
