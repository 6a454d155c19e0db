// linalg_loops.c -- what the lowerings of structured ops to loops share.
#include "linalg_loops.h"

#include "mlc/dialects/linalg.h"

bool
mlc_structured_has_tensors(const MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (mlc_type_is(mlc_value_type(value), MLC_TYPE_TENSOR))
            return true;
    return false;
}

void
mlc_structured_build_point(MlcOp *op, MlcBuilder *b, MlcValue *const *ivs,
                           const MlcElementAccess *access)
{
    MlcBlock *body = mlc_structured_body(op);
    MlcCloneMap *map = mlc_clone_map_create();
    size_t num_inputs = mlc_structured_num_inputs(op);
    // Bodies of some ops have no arguments for outputs.
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        MlcValue *operand = mlc_op_operand(op, i), *arg = mlc_block_arg(body, i);
        if (!mlc_value_has_uses(arg))
            continue;
        bool is_memref = mlc_type_is(mlc_value_type(operand), MLC_TYPE_MEMREF);
        mlc_clone_map_set(map, arg,
                          is_memref ? access->load(b, operand, mlc_structured_map(op, i), ivs)
                                    : operand);
    }
    MlcOp *yield = mlc_block_terminator(body);
    MLC_FOR_EACH_OP (inner, body) {
        if (inner == yield)
            break;
        if (mlc_linalg_index_isa(inner)) {
            mlc_clone_map_set(map, mlc_op_result(inner, 0),
                              ivs[mlc_attr_as_int(mlc_op_attr(inner, "dim"))]);
            continue;
        }
        mlc_builder_insert(b, mlc_op_clone(inner, map));
    }
    for (size_t i = 0; i < mlc_structured_num_outputs(op); i++)
        access->store(b, mlc_clone_map_get(map, mlc_op_operand(yield, i)),
                      mlc_op_operand(op, num_inputs + i), mlc_structured_map(op, num_inputs + i),
                      ivs);
    mlc_clone_map_destroy(map);
}
