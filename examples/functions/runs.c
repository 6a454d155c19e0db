// runs.c -- two operators of the ONNX domain com.acme as functions in C (mlc/operator.h).
//
//   Runs(x, gap)      [n]: how many runs there are, and the length of each, then zeros; a run ends
//                     where the next number is more than attribute `gap` away
//   Window(x)         [rows, n] -> [rows, n - size + 1]: the greatest of each `size` neighbours
#include "mlc/operator.h"

#include <math.h>
#include <stdio.h>

MLC_API int32_t com_acme_Runs(const MlcOperatorCall *call);
MLC_API int32_t com_acme_Runs_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs);
MLC_API int32_t com_acme_Window(const MlcOperatorCall *call);
MLC_API int32_t com_acme_Window_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs);

static int32_t
fail(const MlcOperatorCall *call, const char *why)
{
    snprintf(call->message, call->message_size, "%s", why);
    return 1;
}

int32_t
com_acme_Runs_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs)
{
    if (call->num_inputs != 1 || call->inputs[0].type != MLC_RT_F32 || call->inputs[0].rank != 1)
        return fail(call, "expected one input, f32 [n]");
    outputs[0] = (MlcOperatorShape){MLC_RT_I64, 0, {0}};
    outputs[1] = (MlcOperatorShape){MLC_RT_I64, 1, {call->inputs[0].dims[0]}};
    return 0;
}

int32_t
com_acme_Runs(const MlcOperatorCall *call)
{
    const float *x = call->inputs[0].data;
    int64_t *count = call->outputs[0].data, *lengths = call->outputs[1].data;
    int64_t n = call->inputs[0].dims[0];
    double gap = mlc_operator_float(call, "gap", 0);
    *count = 0;
    for (int64_t i = 0; i < n; i++) {
        lengths[i] = 0;
        if (isnan(x[i]))
            return fail(call, "a number is NaN");
        *count += i == 0 || fabs((double)x[i] - (double)x[i - 1]) > gap;
        lengths[*count - 1]++;
    }
    return 0;
}

int32_t
com_acme_Window_shape(const MlcOperatorCall *call, MlcOperatorShape *outputs)
{
    int64_t size = mlc_operator_int(call, "size", 1);
    if (call->num_inputs != 1 || call->inputs[0].type != MLC_RT_F32 || call->inputs[0].rank != 2)
        return fail(call, "expected one input, f32 [rows, n]");
    int64_t rows = call->inputs[0].dims[0], n = call->inputs[0].dims[1];
    if (size < 1 || n < size)
        return fail(call, "'size' is to be from 1 to that of the last dimension");
    outputs[0] = (MlcOperatorShape){MLC_RT_F32, 2, {rows, n - size + 1}};
    return 0;
}

int32_t
com_acme_Window(const MlcOperatorCall *call)
{
    const float *x = call->inputs[0].data;
    float *y = call->outputs[0].data;
    int64_t rows = call->inputs[0].dims[0], n = call->inputs[0].dims[1];
    int64_t size = mlc_operator_int(call, "size", 1);
    for (int64_t row = 0; row < rows; row++, x += n)
        for (int64_t i = 0; i + size <= n; i++, y++) {
            *y = x[i];
            for (int64_t k = 1; k < size; k++)
                *y = x[i + k] > *y ? x[i + k] : *y;
        }
    return 0;
}
