// parallel_space.c -- where an iteration of an scf.parallel is, from its number, and how many there
// are: the same for threads of a GPU and tasks of the runtime.
#include "parallel_space.h"

#include "mlc/dialects/arith.h"

// Operand group 0: lower bounds, 1: upper bounds, 2: steps.
static MlcValue *
bound(MlcOp *loop, size_t group, size_t i, MlcCloneMap *map)
{
    MlcValue *value = mlc_op_operand(loop, group * (mlc_op_num_operands(loop) / 3) + i);
    return map ? mlc_clone_map_get(map, value) : value;
}

MlcValue *
parallel_trip_count(MlcBuilder *b, MlcOp *loop, size_t i, MlcCloneMap *map)
{
    int64_t lower, upper, step;
    if (mlc_value_constant_int(bound(loop, 0, i, NULL), &lower) &&
        mlc_value_constant_int(bound(loop, 1, i, NULL), &upper) &&
        mlc_value_constant_int(bound(loop, 2, i, NULL), &step))
        return mlc_build_index(b, upper > lower ? (upper - lower + step - 1) / step : 0);
    MlcValue *length = mlc_arith_subi(b, bound(loop, 1, i, map), bound(loop, 0, i, map));
    length = mlc_arith_maxsi(b, length, mlc_build_index(b, 0));
    if (mlc_value_constant_int(bound(loop, 2, i, NULL), &step) && step == 1)
        return length;
    // ceil(length / step), of ops that have a form in llvm.
    MlcValue *stride = bound(loop, 2, i, map);
    MlcValue *before = mlc_arith_subi(b, stride, mlc_build_index(b, 1));
    return mlc_arith_divui(b, mlc_arith_addi(b, length, before), stride);
}

void
parallel_indices(MlcBuilder *b, MlcOp *loop, MlcValue *number, const MlcValueVec *counts,
                 MlcCloneMap *map, MlcValueVec *indices)
{
    size_t first = indices->size;
    for (size_t i = 0; i < counts->size; i++)
        mlc_vec_push(indices, NULL);
    for (size_t i = counts->size; i-- > 0;) { // the last changes fastest
        MlcValue *position = number;
        if (i > 0) {
            position = mlc_arith_remui(b, number, counts->data[i]);
            number = mlc_arith_divui(b, number, counts->data[i]);
        }
        MlcValue *scaled = mlc_arith_muli(b, position, bound(loop, 2, i, map));
        indices->data[first + i] = mlc_arith_addi(b, scaled, bound(loop, 0, i, map));
    }
}
