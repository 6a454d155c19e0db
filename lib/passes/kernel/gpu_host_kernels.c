// gpu_host_kernels.c -- kernels that whoever compiles wants on the CPU get `mlc.place = "host"`.
//
// A list of names, or "half": every other kernel function, in the module's order, which is how
// copies between the two sides are tested with any model. Ahead of gpu-schedule: what has launches
// can run on the device only. Without the option the module says it (`mlc.host_kernels`).
#include "kernel_arguments.h"

#include "mlc/ir.h"

#include "mlc/dialects/func.h"

static void
keep_on_host(MlcPass *pass, MlcOp *function)
{
    mlc_op_set_attr(function, "mlc.place",
                    mlc_string_attr_get(mlc_op_context(function), mlc_str("host")));
    mlc_pass_count(pass, "host-kernels", 1);
}

static bool
keep_half(MlcPass *pass, MlcOp *module)
{
    size_t count = 0;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0)))
        if (mlc_is_kernel_function(op) && count++ % 2)
            keep_on_host(pass, op);
    return true;
}

static bool
keep_named(MlcPass *pass, MlcOp *module, MlcStr name)
{
    MlcOp *function = mlc_symbol_lookup(module, name);
    if (!function || !mlc_is_kernel_function(function))
        return mlc_op_error(module, "has no kernel '%.*s' that could stay on the CPU",
                            MLC_STR_FMT(name));
    keep_on_host(pass, function);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcStr list = mlc_pass_option_str(pass, "kernels");
    MlcAttr wanted = mlc_op_attr(module, "mlc.host_kernels");
    bool ok = true;
    if (list.size == 0 && mlc_attr_is(wanted, MLC_ATTR_STRING)) {
        list = mlc_string_attr_value(wanted);
        mlc_op_set_attr(module, "mlc.host_kernels", NULL); // it is done now
    }
    if (mlc_str_equal(list, mlc_str("half")))
        return keep_half(pass, module);
    while (list.size) {
        const char *comma = memchr(list.data, ',', list.size);
        size_t size = comma ? (size_t)(comma - list.data) : list.size;
        ok = keep_named(pass, module, mlc_str_n(list.data, size)) && ok;
        size += comma != NULL;
        list = mlc_str_n(list.data + size, list.size - size);
    }
    return ok;
}

static const MlcPassOption options[] = {
    {"kernels", MLC_OPTION_STRING, "", "Names with commas between, or half: every other one"},
};

MLC_PASS(gpu_host_kernels, .flag = "gpu-host-kernels",
         .summary = "Keep kernels on the CPU that are asked for", .anchor = "builtin.module",
         .options = options, .num_options = 1, .run = run)
