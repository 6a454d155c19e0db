// odd_functions.c -- operators that do what one should not, as their attributes say, and that tell
// what they were given: for test/e2e/functions.py.
#include "mlc/operator.h"

#include <stdio.h>

MLC_API int32_t com_acme_Odd(const MlcOperatorCall *call);
MLC_API int32_t com_acme_Odd_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs);
MLC_API int32_t com_acme_Told(const MlcOperatorCall *call);
MLC_API int32_t com_acme_Told_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs);
MLC_API int32_t com_acme_Declared(const MlcOperatorCall *call);
MLC_API int32_t com_acme_Gate(const MlcOperatorCall *call);
MLC_API int32_t ai_onnx_Softplus(const MlcOperatorCall *call);
MLC_API int32_t ai_onnx_Softplus_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs);

// `shape`: 1 fails, 2 a type that there is not, 3 too many elements. `run`: what it returns.
int32_t
com_acme_Odd_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs)
{
    int64_t how = mlc_operator_int(call, "shape", 0);
    outputs[0] = (MlcOperatorShape){MLC_RT_F32, 2, {2, 3}};
    if (how == 1)
        snprintf(call->message, call->message_size, "as it was asked to");
    if (how == 2)
        outputs[0].type = MLC_RT_NUM_TYPES;
    if (how == 3)
        outputs[0].dims[0] = outputs[0].dims[1] = INT64_MAX / 2;
    return how == 1;
}

int32_t
com_acme_Odd(const MlcOperatorCall *call)
{
    float *y = call->outputs[0].data;
    for (int i = 0; i < 6; i++)
        y[i] = 1;
    return (int32_t)mlc_operator_int(call, "run", 0);
}

// f32 [8]: the opset, numbers of inputs and attributes, the sum of `ints`, the sum of `floats`, the
// length of `text`, which inputs are left out, and whether the shape rule saw input 0's elements.
int32_t
com_acme_Told_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs)
{
    const int64_t *known = call->inputs[0].data;
    outputs[0] = (MlcOperatorShape){MLC_RT_F32, 1, {known ? known[0] + known[1] : 8}};
    return 0;
}

int32_t
com_acme_Told(const MlcOperatorCall *call)
{
    const MlcOperatorAttribute *ints = mlc_operator_attribute(call, "ints");
    const MlcOperatorAttribute *floats = mlc_operator_attribute(call, "floats");
    const MlcOperatorAttribute *text = mlc_operator_attribute(call, "text");
    float *y = call->outputs[0].data;
    memset(y, 0, sizeof(float) * (size_t)call->outputs[0].dims[0]);
    y[0] = (float)call->opset;
    y[1] = (float)call->num_inputs;
    y[2] = (float)call->num_attributes;
    for (size_t i = 0; ints && i < ints->count; i++)
        y[3] += (float)ints->ints[i];
    for (size_t i = 0; floats && i < floats->count; i++)
        y[4] += (float)floats->floats[i];
    y[5] = text ? (float)strlen(text->text) : -1;
    for (size_t i = 0; i < call->num_inputs; i++)
        y[6] += (float)(call->inputs[i].type == 0 ? i : 0);
    return 0;
}

// The same as its input, of any type; without a shape rule.
int32_t
com_acme_Declared(const MlcOperatorCall *call)
{
    const MlcRtTensor *x = &call->inputs[0];
    size_t count = 4;
    for (int32_t i = 0; i < x->rank; i++)
        count *= (size_t)x->dims[i];
    memcpy(call->outputs[0].data, x->data, count);
    return 0;
}

// x where the other is positive, times attribute `factor`.
int32_t
com_acme_Gate(const MlcOperatorCall *call)
{
    const float *x = call->inputs[0].data, *by = call->inputs[1].data;
    float *y = call->outputs[0].data, factor = (float)mlc_operator_float(call, "factor", -1);
    for (int i = 0; i < 6; i++)
        y[i] = by[i] > 0 ? x[i] * factor : 0;
    return 0;
}

// Takes the place of ONNX's own: 7 everywhere.
int32_t
ai_onnx_Softplus_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs)
{
    outputs[0] = (MlcOperatorShape){call->inputs[0].type, 2, {2, 3}};
    return 0;
}

int32_t
ai_onnx_Softplus(const MlcOperatorCall *call)
{
    float *y = call->outputs[0].data;
    for (int i = 0; i < 6; i++)
        y[i] = 7;
    return 0;
}
