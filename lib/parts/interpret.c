// interpret.c -- runs a part of a model: reads its text, gives its values the sizes of this call,
// and interprets it.
//
// The text is read at each call. That takes about as long as the interpreter takes for some
// thousand elements, and so nothing has to be kept, or shared between threads.
#include "mlc/parts.h"

#include "mlc/dialects.h"
#include "mlc/interp.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/ir/text.h"

#include <stdio.h>

typedef struct Part {
    const MlcOperatorCall *call;
    MlcContext *ctx;
    MlcOp *module, *function;
} Part;

static bool
fail(const Part *part, const char *why)
{
    if (part->call->message[0] == '\0') // the first message says most
        snprintf(part->call->message, part->call->message_size, "%s", why);
    return false;
}

static void
keep_message(const MlcDiag *diag, void *user)
{
    if (diag->severity == MLC_ERROR)
        fail(user, diag->message.data);
}

// The value's elements, in the tensor's shape.
static bool
take_shape(const Part *part, MlcValue *value, const MlcRtTensor *tensor)
{
    MlcRtType type;
    MlcType old = mlc_value_type(value);
    if (!mlc_type_is(old, MLC_TYPE_TENSOR) || !mlc_type_to_runtime(mlc_type_element(old), &type) ||
        type != tensor->type)
        return fail(part, "the part is of other types than the call");
    mlc_value_set_type(value, mlc_tensor_type_get(mlc_type_element(old), tensor->dims,
                                                  (size_t)tensor->rank, NULL));
    return true;
}

// All values of @part, which is one op, get the sizes of the call; they must fit together.
static bool
take_shapes(Part *part)
{
    const MlcOperatorCall *call = part->call;
    part->function = mlc_symbol_lookup(part->module, mlc_str("part"));
    MlcBlock *block = part->function ? mlc_region_first(mlc_op_region(part->function, 0)) : NULL;
    MlcOp *end = block ? mlc_block_last(block) : NULL;
    if (!end || mlc_block_num_args(block) != call->num_inputs ||
        mlc_op_num_operands(end) != call->num_outputs)
        return fail(part, "the part takes or gives other tensors than the call");
    for (size_t i = 0; i < call->num_inputs; i++)
        if (!take_shape(part, mlc_block_arg(block, i), &call->inputs[i]))
            return false;
    for (size_t i = 0; i < call->num_outputs; i++)
        if (!take_shape(part, mlc_op_operand(end, i), &call->outputs[i]))
            return false;
    MlcTypeVec types = {0};
    for (size_t i = 0; i < call->num_inputs; i++)
        mlc_vec_push(&types, mlc_value_type(mlc_block_arg(block, i)));
    for (size_t i = 0; i < call->num_outputs; i++)
        mlc_vec_push(&types, mlc_op_operand_type(end, i));
    MlcType type = mlc_function_type_get(part->ctx, types.data, call->num_inputs,
                                         types.data + call->num_inputs, call->num_outputs);
    mlc_op_set_attr(part->function, "function_type", mlc_type_attr_get(type));
    mlc_vec_release(&types);
    return mlc_verify(part->module);
}

static size_t
num_bytes(const MlcDatum *d)
{
    return mlc_datum_num_elements(d) * mlc_datum_element_bytes(d);
}

static bool
run(Part *part, MlcInterp *interp)
{
    const MlcOperatorCall *call = part->call;
    MlcBlock *block = mlc_region_first(mlc_op_region(part->function, 0));
    MlcDatum inputs[MLC_OPERATOR_MAX_TENSORS], outputs[MLC_OPERATOR_MAX_TENSORS];
    for (size_t i = 0; i < call->num_inputs; i++) {
        if (!mlc_eval_elements(mlc_interp_eval(interp), part->function,
                               mlc_value_type(mlc_block_arg(block, i)), NULL, &inputs[i]))
            return false;
        if (num_bytes(&inputs[i]) > 0)
            memcpy(inputs[i].elements.data, call->inputs[i].data, num_bytes(&inputs[i]));
    }
    if (!mlc_interp_call(interp, mlc_str("part"), inputs, call->num_inputs, outputs,
                         call->num_outputs))
        return false;
    for (size_t i = 0; i < call->num_outputs; i++)
        if (num_bytes(&outputs[i]) > 0)
            memcpy(call->outputs[i].data, outputs[i].elements.data, num_bytes(&outputs[i]));
    return true;
}

static bool
interpret(Part *part, const MlcOperatorAttribute *text)
{
    part->module = mlc_parse_module(part->ctx, mlc_str_n(text->text, text->count), mlc_str("part"));
    if (!part->module || !take_shapes(part))
        return false;
    MlcInterpConfig config = {MLC_SIZED(MlcInterpConfig), .max_memory = SIZE_MAX / 2};
    MlcInterp *interp = mlc_interp_create(part->module, &config);
    bool ok = run(part, interp);
    mlc_interp_destroy(interp);
    return ok;
}

int32_t
mlc_interpret_operator(const MlcOperatorCall *call)
{
    const MlcOperatorAttribute *text = mlc_operator_attribute(call, "module");
    Part part = {.call = call, .ctx = mlc_context_create()};
    mlc_context_set_diag_handler(part.ctx, keep_message, &part);
    mlc_register_all_dialects(part.ctx);
    bool ok = text && text->kind == MLC_OPERATOR_TEXT ? interpret(&part, text)
                                                      : fail(&part, "the part has no 'module'");
    mlc_diag_flush(part.ctx);
    if (part.module)
        mlc_op_destroy(part.module);
    mlc_context_destroy(part.ctx);
    return !ok;
}
