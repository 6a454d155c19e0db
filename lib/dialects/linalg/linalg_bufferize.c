// linalg_bufferize.c -- every structured op on buffers is the same op, with outputs instead of
// results.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/linalg_body.h"

static bool
body_uses(MlcOp *op, size_t i)
{
    MlcBlock *body = mlc_structured_body(op);
    return !body || i >= mlc_block_num_args(body) || mlc_value_has_uses(mlc_block_arg(body, i));
}

static bool
is_output(MlcOp *op, size_t i)
{
    size_t first = mlc_structured_num_inputs(op);
    return i >= first && i < first + mlc_structured_num_outputs(op);
}

static MlcValue *
output_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return is_output(op, i) ? mlc_op_result(op, i - mlc_structured_num_inputs(op)) : NULL;
}

// Element by element, where both have the same indices and no two iterations meet.
static bool
in_step(MlcOp *op, size_t read, size_t write)
{
    MlcAffineMap map = mlc_structured_map(op, write);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL)
            return false;
    return mlc_structured(op) && mlc_affine_map_is_permutation(map) &&
           mlc_structured_map(op, read) == map;
}

static bool
structured_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValueVec operands = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        if (mlc_value_is_tensor(value))
            value = is_output(op, i) ? mlc_bufferizer_destination(bufferizer, b, op, i)
                                     : mlc_bufferizer_buffer(bufferizer, value);
        mlc_vec_push(&operands, value);
        if (is_output(op, i) && mlc_op_num_results(op) > 0)
            mlc_bufferizer_set(bufferizer, mlc_op_result(op, i - mlc_structured_num_inputs(op)),
                               value);
    }
    MLC_VEC(MlcNamedAttr) attrs = {0};
    MlcAttr all = mlc_op_all_attrs(op);
    for (size_t i = 0; i < mlc_dict_attr_size(all); i++)
        mlc_vec_push(&attrs, mlc_dict_attr_entry(all, i));
    MlcOpState state = {.loc = mlc_op_loc(op),
                        .def = mlc_op_def(op),
                        .operands = operands.data,
                        .num_operands = operands.size,
                        .attrs = attrs.data,
                        .num_attrs = attrs.size,
                        .num_regions = mlc_op_num_regions(op)};
    MlcOp *made = mlc_builder_create(b, &state);
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        mlc_region_take_body(mlc_op_region(made, i), mlc_op_region(op, i));
    mlc_vec_release(&operands);
    mlc_vec_release(&attrs);
    bool ok = true; // bodies may read elements of tensors from outside
    for (size_t i = 0; ok && i < mlc_op_num_regions(made); i++)
        ok = mlc_bufferizer_region(bufferizer, mlc_op_region(made, i));
    return ok;
}

const MlcBufferize mlc_linalg_structured_bufferize = {.reads = body_uses,
                                                      .writes = is_output,
                                                      .alias = output_alias,
                                                      .in_step = in_step,
                                                      .bufferize = structured_bufferize};
