// verify_access.c -- an op against the `access` of its record, so that passes may rely on it. An op
// with a hook of its own answers for itself: ours say it in MLIR's words, and once.
#include "mlc/ir/affine.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/interfaces.h"
#include "verify_impl.h"

static bool
verify_indices(MlcOp *op, size_t rank)
{
    size_t first, count, num = 0;
    MlcAffineMap map = mlc_op_access_map(op);
    mlc_op_access_indices(op, &first, &count);
    num = map ? mlc_affine_map_num_results(map) : count;
    for (size_t i = 0; i < count; i++)
        if (!mlc_type_is(mlc_value_type(mlc_op_operand(op, first + i)), MLC_TYPE_INDEX))
            return mlc_op_error(op, "index operand #%zu must be of type index", first + i);
    if (map && mlc_affine_map_num_inputs(map) != count)
        return mlc_op_error(op, "has a map of %u inputs, but %zu index operands",
                            mlc_affine_map_num_inputs(map), count);
    return num == rank || mlc_op_error(op, "has %zu indices into a memref of rank %zu", num, rank);
}

static bool
verify_value(MlcOp *op)
{
    MlcValue *moved = mlc_op_access_value(op);
    return !moved || mlc_op_accesses_element(op) ||
           mlc_type_is(mlc_value_type(moved), MLC_TYPE_VECTOR) ||
           mlc_op_error(op, "moves neither an element of the memref nor a vector");
}

bool
mlc_verify_access(MlcOp *op)
{
    MlcType memref = mlc_value_type(mlc_op_access_memref(op));
    if (!mlc_type_is(memref, MLC_TYPE_MEMREF) && !mlc_type_is(memref, MLC_TYPE_TENSOR))
        return mlc_op_error(op, "accesses operand #%zu, which is no memref or tensor of known rank",
                            mlc_op_access_operand(op));
    return verify_indices(op, mlc_type_rank(memref)) && verify_value(op);
}
