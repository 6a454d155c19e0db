// bufferize.c -- tensors become buffers, in every function of a module and at the calls between
// them.
//
// A function's tensor arguments become memrefs that are only read, its tensor results trailing
// memref arguments that are written. A returned tensor that begins as tensor.empty is built right
// in its destination; any other is copied there. What is in place and what is not was decided by
// the analysis; here every op is asked to rewrite itself (MlcBufferize). Allocations stay where
// they are needed: kernel-scratch turns them into windows of one argument.
#include "bufferize.h"

#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"

// Where `returned` grows, through ops done in place and reshapes, out of a tensor that needs a
// buffer of its own (a tensor.empty, a call's result, what is not written in place), that one is
// given the destination `buffer`, reshaped backwards on the way.
static void
choose_destination(Bufferization *bufferizer, MlcBuilder *b, MlcValue *returned, MlcValue *buffer)
{
    MlcValue *tensor = returned;
    for (MlcOp *def; (def = mlc_value_def(tensor)) && mlc_op_num_regions(def) == 0;) {
        bool collapses = mlc_tensor_collapse_shape_isa(def);
        bool expands = mlc_tensor_expand_shape_isa(def);
        if (!collapses && !expands)
            break;
        tensor = mlc_op_operand(def, 0);
        MlcType type = mlc_bufferizer_memref_type(mlc_value_type(tensor));
        bool is_static =
            mlc_type_has_static_shape(type) && mlc_type_has_static_shape(mlc_value_type(buffer));
        if (collapses && !is_static)
            return; // whose sizes the expanded buffer would have to be told
        MlcAttr groups = mlc_op_attr(def, "reassociation");
        buffer = collapses ? mlc_memref_expand_shape(b, type, buffer, NULL, 0, groups,
                                                     mlc_type_shape(type), mlc_type_rank(type))
                           : mlc_memref_collapse_shape(b, type, buffer, groups);
    }
    for (size_t i = 0; i < bufferizer->values.size; i++) {
        MlcValue *value = bufferizer->values.data[i];
        MlcOp *maker = mlc_value_def(value);
        if (!maker) // what a loop begins its iterations with
            maker = mlc_block_parent(mlc_value_block(value));
        if (mlc_op_parent(maker) == bufferizer->function &&
            bufferize_same(bufferizer, tensor, value) &&
            mlc_value_type(value) == mlc_value_type(tensor))
            mlc_map_set(&bufferizer->base.chosen, value, buffer);
    }
}

// Makes the memref arguments: tensors' own in their places, results' behind them. Returns the
// function's new type.
static MlcType
convert_signature(Bufferization *bufferizer, MlcBlock *entry, MlcOp *ret, MlcValueVec *destinations)
{
    MlcTypeVec inputs = {0}, outputs = {0};
    size_t num_args = mlc_block_num_args(entry);
    for (size_t i = 0; i < num_args; i++) {
        MlcValue *arg = mlc_block_arg(entry, i);
        MlcType type = mlc_value_type(arg);
        if (mlc_value_is_tensor(arg)) {
            type = mlc_bufferizer_memref_type(type);
            mlc_bufferizer_set(
                &bufferizer->base, arg,
                mlc_block_insert_arg(entry, i + 1, type, mlc_block_arg_loc(entry, i)));
            num_args++, i++;
        }
        mlc_vec_push(&inputs, type);
    }
    MLC_FOR_EACH_OPERAND (value, ret) {
        if (!mlc_value_is_tensor(value)) {
            mlc_vec_push(&outputs, mlc_value_type(value));
            continue;
        }
        MlcType type = mlc_bufferizer_memref_type(mlc_value_type(value));
        mlc_vec_push(destinations, mlc_block_add_arg(entry, type, mlc_op_loc(ret)));
        mlc_vec_push(&inputs, type);
    }
    MlcType type = mlc_function_type_get(mlc_op_context(ret), inputs.data, inputs.size,
                                         outputs.data, outputs.size);
    mlc_vec_release(&inputs);
    mlc_vec_release(&outputs);
    return type;
}

static bool
finish_return(Bufferization *bufferizer, MlcOp *ret, const MlcValueVec *destinations)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(ret));
    mlc_builder_before(&b, ret);
    MlcValueVec kept = {0};
    size_t next = 0;
    MLC_FOR_EACH_OPERAND (value, ret) {
        if (!mlc_value_is_tensor(value)) {
            mlc_vec_push(&kept, value);
            continue;
        }
        MlcValue *to = destinations->data[next++];
        MlcValue *from = mlc_bufferizer_buffer(&bufferizer->base, value);
        // A view of the destination through reshapes is the destination.
        MlcValue *root = from;
        for (MlcOp *def; (def = mlc_value_def(root)) &&
                         mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE) &&
                         !mlc_memref_subview_isa(def);)
            root = mlc_op_operand(def, 0);
        if (root != to)
            mlc_bufferizer_copy(&b, from, to);
    }
    mlc_op_set_operands(ret, kept.data, kept.size);
    mlc_vec_release(&kept);
    return true;
}

// Attributes of results go with the destination arguments that replace them, and `mlc.result` says
// that they are such.
static void
move_result_attrs(MlcOp *function, const MlcFunction *methods, MlcType old_type)
{
    MlcContext *ctx = mlc_op_context(function);
    MlcAttr args = mlc_op_slot(function, methods->arg_attrs_slot),
            results = mlc_op_slot(function, methods->res_attrs_slot);
    MlcAttr empty = mlc_dict_attr_get(ctx, NULL, 0);
    MLC_VEC(MlcAttr) all = {0}, kept = {0};
    for (size_t i = 0; i < mlc_function_type_num_inputs(old_type); i++)
        mlc_vec_push(&all, args ? mlc_array_attr_element(args, i) : empty);
    for (size_t i = 0; i < mlc_function_type_num_results(old_type); i++) {
        MlcAttr dict = results ? mlc_array_attr_element(results, i) : empty;
        if (mlc_type_is(mlc_function_type_results(old_type)[i], MLC_TYPE_TENSOR))
            mlc_vec_push(
                &all, mlc_dict_attr_with(ctx, dict, mlc_str("mlc.result"), mlc_unit_attr_get(ctx)));
        else
            mlc_vec_push(&kept, dict);
    }
    mlc_op_set_slot(function, methods->arg_attrs_slot, mlc_array_attr_get(ctx, all.data, all.size));
    mlc_op_set_slot(function, methods->res_attrs_slot,
                    results && kept.size > 0 ? mlc_array_attr_get(ctx, kept.data, kept.size)
                                             : NULL);
    mlc_vec_release(&all);
    mlc_vec_release(&kept);
}

// A function that is defined elsewhere, whose calls pass buffers too.
static void
bufferize_declaration(MlcOp *function, const MlcFunction *methods)
{
    MlcType old = methods->type(function);
    MlcTypeVec inputs = {0}, results = {0};
    if (!mlc_type_is(old, MLC_TYPE_FUNCTION))
        return; // a dialect's own, without tensors
    for (size_t i = 0; i < mlc_function_type_num_inputs(old); i++) {
        MlcType type = mlc_function_type_inputs(old)[i];
        bool is_tensor = mlc_type_is(type, MLC_TYPE_TENSOR);
        mlc_vec_push(&inputs, is_tensor ? mlc_bufferizer_memref_type(type) : type);
    }
    for (size_t i = 0; i < mlc_function_type_num_results(old); i++) {
        MlcType type = mlc_function_type_results(old)[i];
        if (mlc_type_is(type, MLC_TYPE_TENSOR))
            mlc_vec_push(&inputs, mlc_bufferizer_memref_type(type));
        else
            mlc_vec_push(&results, type);
    }
    MlcType type = mlc_function_type_get(mlc_op_context(function), inputs.data, inputs.size,
                                         results.data, results.size);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    if (mlc_op_slot(function, methods->arg_attrs_slot) ||
        mlc_op_slot(function, methods->res_attrs_slot))
        move_result_attrs(function, methods, old);
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
}

static bool
bufferize_function(Bufferization *bufferizer, MlcOp *function)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcRegion *body = mlc_op_region(function, 0);
    if (!methods)
        return true;
    if (!mlc_region_has_one_block(body))
        return mlc_op_error(
            function,
            "has tensors and more than one block; only structured control flow is bufferized");
    MlcBlock *entry = mlc_region_first(body);
    MlcOp *ret = mlc_block_terminator(entry);
    bufferize_analyze(bufferizer);
    MlcValueVec destinations = {0};
    MlcType type = convert_signature(bufferizer, entry, ret, &destinations);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(function));
    mlc_builder_at_start(&b, entry);
    size_t next = 0;
    MLC_FOR_EACH_OPERAND (value, ret)
        if (mlc_value_is_tensor(value))
            choose_destination(bufferizer, &b, value, destinations.data[next++]);
    bool ok = true;
    MLC_FOR_EACH_OP_SAFE (op, entry)
        if (ok && op != ret)
            ok = mlc_bufferizer_op(&bufferizer->base, op);
    ok = ok && finish_return(bufferizer, ret, &destinations);
    mlc_vec_release(&destinations);
    if (!ok)
        return false;
    mlc_bufferizer_erase_tensor_ops(body);
    for (size_t i = mlc_block_num_args(entry); i-- > 0;)
        if (mlc_value_is_tensor(mlc_block_arg(entry, i)))
            mlc_block_erase_arg(entry, i);
    if (mlc_symbol_is_public(function) || mlc_op_slot(function, methods->arg_attrs_slot) ||
        mlc_op_slot(function, methods->res_attrs_slot))
        move_result_attrs(function, methods, methods->type(function));
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
    return true;
}

static bool
bufferize_if_needed(MlcOp *function)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    if (methods && mlc_region_is_empty(mlc_op_region(function, 0)))
        return bufferize_declaration(function, methods), true;
    bool tensors = false;
    MLC_FOR_EACH_PREORDER (op, function)
        tensors = tensors || mlc_op_has_tensors(op);
    MLC_FOR_EACH_BLOCK_IN_OP (block, function)
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            tensors = tensors || mlc_value_is_tensor(mlc_block_arg(block, i));
    if (!tensors)
        return true;
    Bufferization bufferizer;
    bufferize_init(&bufferizer, function);
    bool ok = bufferize_function(&bufferizer, function);
    bufferize_release(&bufferizer);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return mlc_op_def_interface(op, MLC_INTERFACE_BUFFERIZE) != NULL;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_BLOCK_IN_OP (block, root)
        MLC_FOR_EACH_OP_SAFE (op, block)
            if (mlc_op_interface(op, MLC_INTERFACE_FUNCTION) && !bufferize_if_needed(op))
                return false;
    return true;
}

static const char *const dialects[] = {"memref", "arith", "linalg", NULL};

MLC_PASS(bufferize, .flag = "bufferize",
         .summary = "Turn tensors into buffers, in place where nobody sees it",
         .anchor = "builtin.module", .dependent_dialects = dialects, .converts = converts,
         .run = run)
