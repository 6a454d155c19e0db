// structured.c -- structured ops: a loop nest over operands, whichever dialect they are of. What
// the definition declares
// (`structured:` in YAML) is read here; an op whose maps are its attributes brings a vtable.
#include "mlc/ir/affine.h"
#include "mlc/ir/interfaces.h"
#include "op_impl.h"

const MlcStructured *
mlc_structured(MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_STRUCTURED);
}

const MlcTiling *
mlc_tiling(MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_TILING);
}

static const MlcStructured *
methods_of(MlcOp *op)
{
    const MlcStructured *methods = mlc_structured(op);
    const MlcTiling *tiling = methods ? NULL : mlc_tiling(op);
    if (tiling)
        return &tiling->loops;
    if (!methods)
        mlc_bug("'%s' is not structured", op->def->name);
    return methods;
}

size_t
mlc_structured_num_loops(MlcOp *op)
{
    return methods_of(op)->num_loops(op);
}

MlcIterator
mlc_structured_iterator(MlcOp *op, size_t loop)
{
    return methods_of(op)->iterator(op, loop);
}

MlcAffineMap
mlc_structured_map(MlcOp *op, size_t operand)
{
    return methods_of(op)->map(op, operand);
}

size_t
mlc_structured_num_inputs(MlcOp *op)
{
    return methods_of(op)->num_inputs(op);
}

size_t
mlc_structured_num_outputs(MlcOp *op)
{
    return methods_of(op)->num_outputs(op);
}

bool
mlc_structured_is_small(MlcOp *op)
{
    bool is_small = mlc_structured_num_loops(op) <= MLC_SMALL_RANK;
    for (size_t i = 0; is_small && i < mlc_op_num_operands(op); i++) {
        MlcType type = mlc_op_operand_type(op, i);
        is_small = !mlc_type_is_shaped(type) || mlc_type_has_small_rank(type);
    }
    return is_small;
}

MlcBlock *
mlc_structured_body(MlcOp *op)
{
    return methods_of(op)->body(op);
}

// A loop has the size of a dimension that its variable indexes by itself; a static one is
// preferred.
void
mlc_structured_loop_sizes(MlcOp *op, int64_t *sizes)
{
    size_t num_loops = mlc_structured_num_loops(op);
    for (size_t i = 0; i < num_loops; i++)
        sizes[i] = MLC_DYNAMIC;
    size_t num_operands = mlc_structured_num_inputs(op) + mlc_structured_num_outputs(op);
    for (size_t i = 0; i < num_operands; i++) {
        MlcType type = mlc_value_type(mlc_op_operand(op, i));
        if (!mlc_type_has_rank(type))
            continue;
        MlcAffineMap map = mlc_structured_map(op, i);
        for (size_t r = 0; r < mlc_affine_map_num_results(map) && r < mlc_type_rank(type); r++) {
            MlcAffineExpr e = mlc_affine_map_result(map, r);
            if (mlc_affine_kind(e) != MLC_AFFINE_DIM)
                continue;
            int64_t *size = &sizes[mlc_affine_position(e)];
            if (*size == MLC_DYNAMIC)
                *size = mlc_type_dim(type, r);
        }
    }
    const MlcTiling *tiling = mlc_tiling(op);
    int64_t group[16];
    if (!tiling || num_loops > 16 || !tiling->group(op, group))
        return;
    for (size_t i = 0; i < num_loops; i++) // windows, which no dimension names
        if (sizes[i] == MLC_DYNAMIC && mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL)
            sizes[i] = group[i];
}
