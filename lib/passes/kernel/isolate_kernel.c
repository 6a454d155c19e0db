// isolate_kernel.c -- a model of one kernel: what it computes, as the model calls it first.
//
// Constants that the call passes are constants still, so that they are packed and transformed as
// they are in the whole model; the other values are arguments, `in0`, `in1`, ..., and the results
// are named `out0`, ... The module takes the kernel's name.
#include "kernel_arguments.h"

#include "mlc/ir.h"

#include <stdio.h>

static MlcAttr
value_names(MlcContext *ctx, const char *prefix, size_t count)
{
    MLC_VEC(MlcAttr) names = {0};
    for (size_t i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%zu", prefix, i);
        MlcNamedAttr name = mlc_named(ctx, "mlc.name", mlc_string_attr_get(ctx, mlc_str(text)));
        mlc_vec_push(&names, mlc_dict_attr_get(ctx, &name, 1));
    }
    MlcAttr list = mlc_array_attr_get(ctx, names.data, names.size);
    mlc_vec_release(&names);
    return list;
}

static MlcType
model_type(const MlcKernelCall *call, const MlcValueVec *inputs)
{
    MlcTypeVec types = {0};
    for (size_t i = 0; i < inputs->size; i++)
        mlc_vec_push(&types, mlc_value_type(inputs->data[i]));
    for (size_t i = 0; i < mlc_op_num_results(call->op); i++)
        mlc_vec_push(&types, mlc_op_result_type(call->op, i));
    MlcType type = mlc_function_type_get(mlc_op_context(call->op), types.data, inputs->size,
                                         types.data + inputs->size, types.size - inputs->size);
    mlc_vec_release(&types);
    return type;
}

// Beside the old model function, which `call` is in: constants, the call, the end.
static MlcOp *
build_model(MlcOp *old, const MlcKernelCall *call)
{
    MlcContext *ctx = mlc_op_context(old);
    const MlcFunction *methods = mlc_op_interface(old, MLC_INTERFACE_FUNCTION);
    MlcValueVec inputs = {0};
    mlc_kernel_call_inputs(call, &inputs);
    MlcOp *model = mlc_op_clone_without_regions(old, NULL);
    mlc_op_set_slot(model, methods->type_slot, mlc_type_attr_get(model_type(call, &inputs)));
    mlc_op_set_slot(model, methods->arg_attrs_slot, value_names(ctx, "in", inputs.size));
    mlc_op_set_slot(model, methods->res_attrs_slot,
                    value_names(ctx, "out", mlc_op_num_results(call->op)));
    MlcBlock *block = mlc_block_create(ctx);
    mlc_region_append(mlc_op_region(model, 0), block);
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < inputs.size; i++)
        mlc_clone_map_set(map, inputs.data[i],
                          mlc_block_add_arg(block, mlc_value_type(inputs.data[i]),
                                            mlc_value_loc(inputs.data[i])));
    MLC_FOR_EACH_OPERAND (value, call->op)
        if (mlc_clone_map_get(map, value) == value)
            mlc_block_append(block, mlc_op_clone(mlc_value_def(value), map));
    MlcOp *made = mlc_op_clone(call->op, map);
    mlc_block_append(block, made);
    MlcOp *end = mlc_op_clone(mlc_block_last(mlc_region_first(mlc_op_region(old, 0))), NULL);
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(made); i++)
        mlc_vec_push(&results, mlc_op_result(made, i));
    mlc_op_set_operands(end, results.data, results.size);
    mlc_block_append(block, end);
    mlc_op_insert_before(model, old);
    mlc_clone_map_destroy(map);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return model;
}

static bool
find_call(MlcOp *function, MlcStr kernel, MlcKernelCall *found)
{
    MlcKernelCalls calls = {0};
    bool ok = false;
    mlc_first_kernel_calls(function, &calls);
    for (size_t i = 0; i < calls.size && !ok; i++) {
        const MlcCall *vtable = mlc_op_interface(calls.data[i].op, MLC_INTERFACE_CALL);
        MlcAttr callee = vtable->callee(calls.data[i].op);
        ok = mlc_str_equal(mlc_symbol_ref_attr_name(callee, 0), kernel);
        *found = calls.data[i];
    }
    mlc_vec_release(&calls);
    return ok;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcStr name = mlc_pass_option_str(pass, "kernel");
    MlcOp *function = mlc_model_function(pass, module);
    MlcKernelCall call;
    if (!function)
        return false;
    if (!find_call(function, name, &call))
        return mlc_op_error(function, "calls no kernel '@%.*s'", MLC_STR_FMT(name));
    MlcOp *model = build_model(function, &call);
    MLC_FOR_EACH_OP_SAFE (op, mlc_op_block(model))
        if (op != model && !mlc_str_equal(mlc_symbol_name(op), name))
            mlc_op_erase(op);
    mlc_symbol_set_name(module, name);
    return true;
}

static const MlcPassOption options[] = {
    {"kernel", MLC_OPTION_STRING, "", "The function to keep"},
    {"function", MLC_OPTION_STRING, "main", "The model function"},
};

MLC_PASS(isolate_kernel, .flag = "isolate-kernel",
         .summary = "Leave a model of one kernel, its constants with it",
         .anchor = "builtin.module", .options = options, .num_options = 2, .run = run)
