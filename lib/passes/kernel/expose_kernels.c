// expose_kernels.c -- the model function returns what its kernels are given and give.
//
// Of the first call of each kernel function: `kernel_3.in0`, ... are the values that no constants
// are, each once, `kernel_3.out0`, ... the results. So one run of the model, wherever it runs, has
// the data that each kernel can be run on alone (isolate-kernel numbers its arguments alike).
#include "kernel_arguments.h"

#include "mlc/ir.h"

#include <stdio.h>

typedef struct Exposed {
    MlcContext *ctx;
    MlcValueVec values;
    MLC_VEC(MlcAttr) attrs; // a dictionary with `mlc.name` each
} Exposed;

static void
expose(Exposed *e, MlcStr kernel, const char *what, size_t number, MlcValue *value)
{
    MlcBuf name = {0};
    mlc_buf_printf(&name, "%.*s.%s%zu", MLC_STR_FMT(kernel), what, number);
    MlcNamedAttr attr =
        mlc_named(e->ctx, "mlc.name", mlc_string_attr_get(e->ctx, mlc_buf_str(&name)));
    mlc_vec_push(&e->attrs, mlc_dict_attr_get(e->ctx, &attr, 1));
    mlc_vec_push(&e->values, value);
    mlc_buf_release(&name);
}

static void
expose_call(Exposed *e, const MlcKernelCall *call)
{
    const MlcCall *vtable = mlc_op_interface(call->op, MLC_INTERFACE_CALL);
    MlcStr kernel = mlc_symbol_ref_attr_name(vtable->callee(call->op), 0);
    MlcValueVec inputs = {0};
    mlc_kernel_call_inputs(call, &inputs);
    for (size_t i = 0; i < inputs.size; i++)
        expose(e, kernel, "in", i, inputs.data[i]);
    for (size_t i = 0; i < mlc_op_num_results(call->op); i++)
        expose(e, kernel, "out", i, mlc_op_result(call->op, i));
    mlc_vec_release(&inputs);
}

static void
set_results(MlcOp *function, const Exposed *e)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType old = methods->type(function);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < e->values.size; i++)
        mlc_vec_push(&types, mlc_value_type(e->values.data[i]));
    MlcType type = mlc_function_type_get(e->ctx, mlc_function_type_inputs(old),
                                         mlc_function_type_num_inputs(old), types.data, types.size);
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
    mlc_op_set_slot(function, methods->res_attrs_slot,
                    mlc_array_attr_get(e->ctx, e->attrs.data, e->attrs.size));
    MlcOp *end = mlc_block_last(mlc_region_first(mlc_op_region(function, 0)));
    mlc_op_set_operands(end, e->values.data, e->values.size);
    mlc_vec_release(&types);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcOp *function = mlc_model_function(pass, module);
    Exposed e = {.ctx = mlc_pass_context(pass)};
    MlcKernelCalls calls = {0};
    if (!function)
        return false;
    mlc_first_kernel_calls(function, &calls);
    for (size_t i = 0; i < calls.size; i++)
        expose_call(&e, &calls.data[i]);
    set_results(function, &e);
    mlc_vec_release(&calls);
    mlc_vec_release(&e.values);
    mlc_vec_release(&e.attrs);
    return true;
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "The model function"},
};

MLC_PASS(expose_kernels, .flag = "expose-kernels",
         .summary = "Return what each kernel is given and gives", .anchor = "builtin.module",
         .options = options, .num_options = 1, .run = run)
