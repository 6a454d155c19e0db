// generic.c -- linalg.generic says its structure itself: maps and iterators are attributes, the body is its region.
#include "mlc/ir.h"

enum { MAPS_SLOT, ITERATORS_SLOT }; // as in linalg.yaml

static size_t
num_loops(MlcOp *op)
{
    return mlc_array_attr_size(mlc_op_slot(op, ITERATORS_SLOT));
}

static MlcIterator
iterator(MlcOp *op, size_t loop)
{
    MlcAttr attr = mlc_array_attr_element(mlc_op_slot(op, ITERATORS_SLOT), loop);
    return mlc_enum_attr_value(attr) == 0 ? MLC_ITERATOR_PARALLEL : MLC_ITERATOR_REDUCTION;
}

static MlcAffineMap
map(MlcOp *op, size_t operand)
{
    return mlc_affine_map_attr_value(mlc_array_attr_element(mlc_op_slot(op, MAPS_SLOT), operand));
}

static size_t
group_size(MlcOp *op, size_t group)
{
    size_t first, size;
    mlc_op_operand_group(op, group, &first, &size);
    return size;
}

static size_t
num_inputs(MlcOp *op)
{
    return group_size(op, 0);
}

static size_t
num_outputs(MlcOp *op)
{
    return group_size(op, 1);
}

static MlcBlock *
body(MlcOp *op)
{
    return mlc_region_first(mlc_op_region(op, 0));
}

const MlcStructured mlc_linalg_generic_structured = {.num_loops = num_loops,
                                                     .iterator = iterator,
                                                     .map = map,
                                                     .num_inputs = num_inputs,
                                                     .num_outputs = num_outputs,
                                                     .body = body};
