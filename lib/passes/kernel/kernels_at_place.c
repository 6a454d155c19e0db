// kernels_at_place.c -- runs a pipeline on the kernels that are on the CPU, or on those that are
// not.
//
// A model for a device has kernels of two machines, and each machine has passes of its own. While
// a pipeline runs, kernel functions of the other place are declarations: their bodies are set
// aside, which no pass looks for, and their calls are calls of what is not known. Kernels of the
// CPU are lowered for the CPU that works beside the device.
//
// Types of arguments must stay as they are where bodies are set aside: what changes all functions
// at once (bufferize) runs on the module as a whole.
#include "kernel_arguments.h"

#include "mlc/ir.h"
#include "mlc/machine.h"

typedef struct SetAside {
    MlcAttr name; // of the function
    MlcRegion *body;
} SetAside;
typedef MLC_VEC(SetAside) SetAsideVec;

static bool
is_on_host(const MlcOp *function)
{
    MlcAttr place = mlc_op_attr(function, "mlc.place");
    return mlc_attr_is(place, MLC_ATTR_STRING) &&
           mlc_str_equal(mlc_string_attr_value(place), mlc_str("host"));
}

// Returns how many kernels are left.
static size_t
set_aside(MlcOp *module, bool keeps_host, SetAsideVec *bodies)
{
    size_t num_kept = 0;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_is_kernel_function(op))
            continue;
        if (is_on_host(op) == keeps_host) {
            num_kept++;
            continue;
        }
        SetAside aside = {mlc_op_attr(op, "sym_name"), mlc_region_create()};
        mlc_region_take_body(aside.body, mlc_op_region(op, 0));
        mlc_vec_push(bodies, aside);
    }
    return num_kept;
}

static void
put_back(MlcOp *module, SetAsideVec *bodies)
{
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    for (size_t i = 0; i < bodies->size; i++) {
        SetAside *aside = &bodies->data[i];
        MlcOp *function = mlc_symbol_table_lookup(symbols, mlc_string_attr_value(aside->name));
        if (function) // else nobody called it
            mlc_region_take_body(mlc_op_region(function, 0), aside->body);
        mlc_region_destroy(aside->body);
    }
    mlc_symbol_table_destroy(symbols);
    mlc_vec_release(bodies);
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcStr place = mlc_pass_option_str(pass, "place");
    bool is_host = mlc_str_equal(place, mlc_str("host"));
    if (!is_host && !mlc_str_equal(place, mlc_str("device")))
        return mlc_op_error(module, "expected 'place' to be host or device, not '%.*s'",
                            MLC_STR_FMT(place));
    SetAsideVec bodies = {0};
    const MlcTargetDesc *target = is_host ? mlc_pass_host(pass) : mlc_pass_target(pass);
    bool ok =
        set_aside(module, is_host, &bodies) == 0 ||
        mlc_pass_run_pipeline_for(pass, mlc_pass_option_str(pass, "pipeline"), module, target);
    put_back(module, &bodies);
    return ok;
}

static const MlcPassOption options[] = {
    {"place", MLC_OPTION_STRING, "host", "host: kernels that stay on the CPU; device: all others"},
    {"pipeline", MLC_OPTION_STRING, "", "What runs on the module of these kernels alone"},
};

MLC_PASS(kernels_at_place, .flag = "kernels-at-place",
         .summary = "Run passes on the kernels of the CPU alone, or on all others",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .run = run)
