// Code as the compiler would emit it, for the tests of the runtime: compiled to an object file,
// linked and loaded by us.
//
//   y[i] = prepared[i] * x[i] + constants[i], in parallel; prepared[i] = 2 * constants[i], made by
//   mlc_init.
//
// The first input's first dimension is dynamic when the artefact says so: then rows of 16 elements.
#include "mlc/runtime/abi.h"

enum { ROW = 16 };

extern float expf(float);

typedef struct Context {
    const MlcRtCall *call;
    const float *x;
    float *y;
} Context;

static void
task(void *context, int64_t begin, int64_t end, void *scratch)
{
    const Context *c = context;
    const float *weights = c->call->prepared, *bias = c->call->constants;
    float *row = scratch;
    for (int64_t r = begin; r < end; r++) {
        for (int i = 0; i < ROW; i++)
            row[i] = weights[i] * c->x[r * ROW + i] + bias[i];
        memcpy(c->y + r * ROW, row, sizeof(float) * ROW);
    }
}

int32_t
mlc_init(const MlcRtCall *call)
{
    float *prepared = call->prepared;
    const float *constants = call->constants;
    for (int i = 0; i < ROW; i++)
        prepared[i] = 2 * constants[i];
    return 0;
}

int32_t
mlc_shapes(const MlcRtCall *call)
{
    int64_t rows = call->input_dims[0][0];
    if (rows > 1000)
        return call->table->fail(call, 7, "more than 1000 rows");
    call->output_dims[0][0] = rows;
    *(int64_t *)call->scratch = rows * ROW * 4;
    return 0;
}

int32_t
mlc_main(const MlcRtCall *call)
{
    int64_t rows = call->input_dims[0][0];
    Context context = {call, call->inputs[0], call->outputs[0]};
    if (rows > 0 && context.x[0] > 1e6f)
        return call->table->fail(call, 3, "the first element is too large");
    // The arena is written from end to end, as the plan says it may be.
    memset(call->arena, 0x55, (size_t)(rows * ROW * 4));
    call->table->kernel_begin(call, 0);
    call->table->parallel_for(call, task, &context, rows);
    call->table->kernel_end(call, 0);
    call->table->kernel_begin(call, 1);
    float *exponentials = call->outputs[1];
    for (int i = 0; i < 4; i++)
        exponentials[i] = expf((float)i);
    call->table->kernel_end(call, 1);
    return 0;
}
