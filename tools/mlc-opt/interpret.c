// interpret.c -- calls a function of the module in the reference interpreter.
#include "interpret.h"

#include "mlc/interp.h"
#include "mlc/support/alloc.h"

typedef struct Call {
    MlcInterp *interp;
    MlcOp *function;
    MlcStr name;
    size_t num_args, num_results;
    MlcDatum *args, *results;
} Call;

static bool
read_args(Call *call, const InterpretOptions *options, MlcType type)
{
    if (call->num_args != options->inputs.size)
        return mlc_op_error(call->function, "takes %zu arguments, but %zu --input were given",
                            call->num_args, options->inputs.size);
    for (size_t i = 0; i < call->num_args; i++)
        if (!mlc_interp_read_datum(call->interp, mlc_function_type_inputs(type)[i],
                                   options->inputs.data[i], &call->args[i]))
            return false;
    return true;
}

// What the call gave: its results, or where it has none, the memory it was given.
static bool
give(Call *call, const MlcDatum *values, size_t num_values, bool memrefs_only,
     const InterpretOptions *options, MlcBuf *out)
{
    size_t number = 0;
    for (size_t i = 0; i < num_values; i++) {
        if (memrefs_only && !mlc_interp_contents(call->interp, &values[i]))
            continue;
        MlcBuf error = {0};
        if (number >= options->outputs.size) {
            mlc_interp_print_datum(call->interp, &values[i], out);
            mlc_buf_append_char(out, '\n');
        } else if (!mlc_interp_write_npy(call->interp, &values[i],
                                         options->outputs.data[number].data, &error)) {
            mlc_op_error(call->function, "output %zu: %s", number, mlc_buf_c_str(&error));
            mlc_buf_release(&error);
            return false;
        }
        number++;
    }
    return true;
}

static bool
run(Call *call, const InterpretOptions *options, MlcBuf *out)
{
    call->function = mlc_interp_function(call->interp, call->name);
    if (!call->function)
        return false;
    MlcType type = mlc_interp_function_type(call->function);
    call->num_args = mlc_function_type_num_inputs(type);
    call->num_results = mlc_function_type_num_results(type);
    call->args = mlc_calloc(call->num_args + 1, sizeof *call->args);
    call->results = mlc_calloc(call->num_results + 1, sizeof *call->results);
    bool ok = read_args(call, options, type) &&
              mlc_interp_call(call->interp, call->name, call->args, call->num_args, call->results,
                              call->num_results);
    if (ok && call->num_results > 0)
        ok = give(call, call->results, call->num_results, false, options, out);
    else if (ok)
        ok = give(call, call->args, call->num_args, true, options, out);
    mlc_free(call->args);
    mlc_free(call->results);
    return ok;
}

bool
interpret(MlcOp *module, const InterpretOptions *options, MlcBuf *out)
{
    MlcInterpConfig config = {MLC_SIZED(MlcInterpConfig), .max_steps = (uint64_t)options->max_steps,
                              .seed = (uint64_t)options->seed, .trace = options->trace};
    Call call = {.interp = mlc_interp_create(module, &config),
                 .name = options->entry.size ? options->entry : mlc_str("main")};
    bool ok = run(&call, options, out);
    mlc_interp_destroy(call.interp);
    return ok;
}
