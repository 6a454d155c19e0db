// eliminate_empty_tensors.c -- what is built in a tensor.empty and then put into a destination is
// built in the destination.
//
// The content of a tensor.empty is anything, so any tensor of its type may stand for it: also the
// part of the destination that will be overwritten, cut out where the empty tensor was made, or as
// soon as the destination and the offsets are there. Whether that saves the buffer and the copy is
// for bufferization to find out. From the insertion, tensors are followed back as long as they have
// the buffer of what they grow out of, whole. (MLIR's pass of this name.)
#include "mlc/pass.h"

#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/mixed.h"

// The operand in whose buffer op's result `value` is, whole; NULL: none.
static MlcValue *
grown_from(MlcOp *op, const MlcValue *value)
{
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    if (mlc_tensor_cast_isa(op))
        return mlc_op_operand(op, 0);
    for (size_t i = 0; methods && methods->alias && i < mlc_op_num_operands(op); i++) {
        bool whole = false;
        MlcValue *operand = mlc_op_operand(op, i);
        if (mlc_value_is_tensor(operand) && methods->alias(op, i, &whole) == value && whole &&
            mlc_value_type(operand) == mlc_value_type(value))
            return operand;
    }
    return NULL;
}

// Does each iteration yield as result i what it began with there?
static bool
stays_in_loop(MlcOp *loop, size_t i)
{
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    size_t first_arg, first_operand, count;
    methods->iter_args(loop, &first_arg, &first_operand, &count);
    MlcBlock *body = mlc_region_first(methods->body(loop));
    MlcOp *yield = mlc_block_terminator(body);
    if (i >= count || mlc_op_num_operands(yield) != count)
        return false;
    MlcValue *value = mlc_op_operand(yield, i), *arg = mlc_block_arg(body, first_arg + i);
    for (MlcOp *def; value && value != arg;)
        value = (def = mlc_value_def(value)) ? grown_from(def, value) : NULL;
    return value != NULL;
}

static void find_empties(MlcMap *seen, MlcValue *value, MlcOpVec *found);

// What regions yield as result i.
static void
find_in_yields(MlcMap *seen, MlcOp *op, size_t i, MlcOpVec *found)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *end = mlc_block_terminator(block);
        const MlcRegionTerminator *methods =
            end ? mlc_op_interface(end, MLC_INTERFACE_REGION_TERMINATOR) : NULL;
        size_t first, count;
        if (!methods)
            continue;
        methods->operands(end, -1, &first, &count);
        if (i < count)
            find_empties(seen, mlc_op_operand(end, first + i), found);
    }
}

static void
find_empties(MlcMap *seen, MlcValue *value, MlcOpVec *found)
{
    MlcOp *op = mlc_value_def(value);
    if (!op || !mlc_map_add(seen, value))
        return;
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    if (mlc_tensor_empty_isa(op)) {
        mlc_vec_push(found, op);
    } else if (branch && branch->at_most_once) {
        find_in_yields(seen, op, mlc_value_index(value), found);
    } else if (!mlc_op_interface(op, MLC_INTERFACE_LOOP) ||
               stays_in_loop(op, mlc_value_index(value))) {
        MlcValue *from = grown_from(op, value);
        if (from)
            find_empties(seen, from, found);
    }
}

static bool
is_slice_insertion(MlcOp *op)
{
    return mlc_tensor_insert_slice_isa(op) || mlc_tensor_parallel_insert_slice_isa(op);
}

// Does the op put all of tensor operand 0 into operand 1, and may that be read before?
static bool
is_insertion(MlcOp *op)
{
    if (mlc_bufferization_materialize_in_destination_isa(op))
        return mlc_value_is_tensor(mlc_op_operand(op, 1)) ||
               (mlc_bufferization_materialize_in_destination_restrict(op) &&
                mlc_bufferization_materialize_in_destination_writable(op));
    return is_slice_insertion(op) || (mlc_linalg_copy_isa(op) && mlc_op_num_results(op) == 1 &&
                                      mlc_op_operand_type(op, 0) == mlc_op_operand_type(op, 1));
}

// The part of the destination, as a tensor of the type of what `op` puts there.
static MlcValue *
destination_part(MlcBuilder *b, MlcOp *op)
{
    MlcValue *dest = mlc_op_operand(op, 1);
    MlcSlice slice;
    if (!mlc_value_is_tensor(dest)) {
        MlcOp *made = mlc_value_def(mlc_bufferization_to_tensor(b, dest));
        mlc_bufferization_to_tensor_set_restrict(made, mlc_unit_attr_get(b->ctx));
        mlc_bufferization_to_tensor_set_writable(made, mlc_unit_attr_get(b->ctx));
        // From here on the tensor reaches the buffer, too.
        mlc_bufferization_materialize_in_destination_set_restrict(op, NULL);
        return mlc_op_result(made, 0);
    }
    if (!is_slice_insertion(op))
        return dest;
    if (!mlc_slice_read(op, &slice))
        mlc_bug("a slice of more dimensions than types have");
    return mlc_op_result(mlc_build_slice(b, &mlc_tensor_extract_slice_def,
                                         mlc_op_operand_type(op, 0), &dest, 1, &slice),
                         0);
}

// May destination and indices of `op` be used at `place`, and all that uses `empty` come behind?
static bool
can_stand_at(MlcDominance *dom, MlcOp *op, MlcOp *empty, MlcOp *place)
{
    for (size_t i = 1; i < mlc_op_num_operands(op); i++)
        if (!mlc_dominance_value(dom, mlc_op_operand(op, i), place))
            return false;
    MLC_FOR_EACH_USE (use, mlc_op_result(empty, 0))
        if (mlc_use_owner(use) != place && !mlc_dominance_op(dom, place, mlc_use_owner(use)))
            return false;
    return true;
}

// Where the empty tensor is made, or right after what is needed; NULL: nowhere.
static MlcOp *
place_for(MlcDominance *dom, MlcOp *op, MlcOp *empty)
{
    if (can_stand_at(dom, op, empty, empty))
        return empty;
    for (size_t i = 1; i < mlc_op_num_operands(op); i++) {
        MlcValue *needed = mlc_op_operand(op, i);
        MlcOp *def = mlc_value_def(needed),
              *place = def ? mlc_op_next(def) : mlc_block_first(mlc_value_block(needed));
        if (place && can_stand_at(dom, op, empty, place))
            return place;
    }
    return NULL;
}

static void
build_in_destination(MlcDominance *dom, MlcOp *op, MlcOp *empty)
{
    MlcOp *place = place_for(dom, op, empty);
    if (!place || mlc_op_operand(op, 1) == mlc_op_result(empty, 0)) // it is the destination
        return;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, place);
    b.loc = mlc_op_loc(empty);
    MlcValue *part = destination_part(&b, op);
    if (mlc_value_type(part) != mlc_op_result_type(empty, 0))
        part = mlc_tensor_cast(&b, mlc_op_result_type(empty, 0), part);
    mlc_op_replace(empty, &part, 1);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcDominance *dom = mlc_pass_dominance(pass, root);
    MlcOpVec insertions = {0}, found = {0};
    MLC_FOR_EACH_POSTORDER (op, root)
        if (is_insertion(op))
            mlc_vec_push(&insertions, op);
    for (size_t n = 0; n < insertions.size; n++) {
        MlcMap seen = {0};
        found.size = 0;
        find_empties(&seen, mlc_op_operand(insertions.data[n], 0), &found);
        for (size_t i = 0; i < found.size; i++)
            build_in_destination(dom, insertions.data[n], found.data[i]);
        mlc_map_release(&seen);
    }
    mlc_vec_release(&insertions);
    mlc_vec_release(&found);
    return true;
}

static const char *const dialects[] = {"bufferization", "tensor", NULL};
static const MlcAnalysisDef *const preserved[] = {&mlc_analysis_dominance, NULL};

MLC_PASS(eliminate_empty_tensors, .flag = "eliminate-empty-tensors",
         .summary = "Build in the destination what is put there", .dependent_dialects = dialects,
         .preserves = preserved, .run = run)
