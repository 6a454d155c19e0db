// scf_forall_bufferize.c -- a forall whose iterations contribute slices becomes one whose
// iterations write them.
//
// Each shared tensor has one buffer: that of its output operand, or a copy. An iteration sees it as
// it was, so it may only read the slice that it contributes itself: others write theirs.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/scf.h"

static size_t
first_output(MlcOp *op)
{
    return mlc_op_num_operands(op) - mlc_scf_forall_num_outputs(op);
}

static MlcValue *
shared(MlcOp *op, size_t i)
{
    MlcBlock *body = mlc_region_first(mlc_scf_forall_region(op));
    return mlc_block_arg(body, mlc_block_num_args(body) - mlc_op_num_results(op) + i);
}

static bool
forall_touches(MlcOp *op, size_t i)
{
    return i >= first_output(op);
}

static MlcValue *
forall_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = true;
    return forall_touches(op, i) ? mlc_op_result(op, i - first_output(op)) : NULL;
}

static void
forall_hand_on(MlcOp *op, MlcBufferizer *bufferizer)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_bufferizer_unite(bufferizer, shared(op, i), mlc_op_result(op, i), true);
}

// Does `end`, the op that ends the body, put what `slice` cuts from `value` back there?
static bool
is_contributed(MlcOp *end, MlcOp *slice, MlcValue *value)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, end)
        MLC_FOR_EACH_OP (insert, block) {
            const MlcBufferize *methods = mlc_bufferize_methods(insert);
            if (methods && methods->inserts_what && mlc_op_operand(insert, 1) == value &&
                methods->inserts_what(insert, slice))
                return true;
        }
    return false;
}

static bool
check_reads(MlcValue *value)
{
    MlcOp *end = mlc_block_terminator(mlc_value_block(value));
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        const MlcBufferize *methods = mlc_bufferize_methods(user);
        bool whole, is_view = methods && methods->alias &&
                              !methods->writes(user, mlc_use_index(use)) &&
                              methods->alias(user, mlc_use_index(use), &whole);
        bool reads = !methods || methods->reads(user, mlc_use_index(use)) || is_view;
        if (reads && mlc_op_parent(user) != end && !is_contributed(end, user, value))
            return mlc_op_error(
                user, "reads a tensor of which other iterations write parts at the same time");
    }
    return true;
}

static MlcOp *
without_outputs(MlcOp *op, MlcBuilder *b)
{
    MlcValueVec groups[3] = {{0}};
    MlcAttr lower = mlc_scf_forall_static_lower_bound(op),
            upper = mlc_scf_forall_static_upper_bound(op), step = mlc_scf_forall_static_step(op);
    for (size_t i = 0; i < mlc_scf_forall_num_dynamic_lower_bound(op); i++)
        mlc_vec_push(&groups[0], mlc_scf_forall_dynamic_lower_bound(op, i));
    for (size_t i = 0; i < mlc_scf_forall_num_dynamic_upper_bound(op); i++)
        mlc_vec_push(&groups[1], mlc_scf_forall_dynamic_upper_bound(op, i));
    for (size_t i = 0; i < mlc_scf_forall_num_dynamic_step(op); i++)
        mlc_vec_push(&groups[2], mlc_scf_forall_dynamic_step(op, i));
    MlcOp *made = mlc_scf_forall(b, NULL, 0, groups[0].data, groups[0].size, groups[1].data,
                                 groups[1].size, groups[2].data, groups[2].size, NULL, 0,
                                 mlc_dense_array_attr_data(lower), mlc_dense_array_attr_size(lower),
                                 mlc_dense_array_attr_data(upper), mlc_dense_array_attr_size(upper),
                                 mlc_dense_array_attr_data(step), mlc_dense_array_attr_size(step));
    for (size_t i = 0; i < 3; i++)
        mlc_vec_release(&groups[i]);
    mlc_scf_forall_set_mapping(made, mlc_scf_forall_mapping(op));
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_region_take_body(mlc_op_region(made, 0), mlc_op_region(op, 0));
    return made;
}

static bool
forall_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    size_t num_results = mlc_op_num_results(op);
    for (size_t i = 0; i < num_results; i++) {
        if (!check_reads(shared(op, i)))
            return false;
        MlcValue *buffer = mlc_bufferizer_destination(bufferizer, b, op, first_output(op) + i);
        mlc_bufferizer_set(bufferizer, shared(op, i), buffer);
        mlc_bufferizer_set(bufferizer, mlc_op_result(op, i), buffer);
    }
    MlcOp *made = without_outputs(op, b);
    MlcBlock *body = mlc_region_first(mlc_op_region(made, 0));
    if (!mlc_bufferizer_region(bufferizer, mlc_op_region(made, 0)))
        return false;
    mlc_bufferizer_erase_tensor_ops(mlc_op_region(made, 0));
    for (size_t i = 0; i < num_results; i++)
        mlc_block_erase_arg(body, mlc_block_num_args(body) - 1);
    return true;
}

const MlcBufferize mlc_scf_forall_bufferize = {.reads = forall_touches,
                                               .writes = forall_touches,
                                               .alias = forall_alias,
                                               .hand_on = forall_hand_on,
                                               .bufferize = forall_bufferize};
