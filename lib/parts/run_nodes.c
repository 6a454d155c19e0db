// run_nodes.c -- nodes of a model that its importer refused: run by mlc/frontend/onnx_run.h.
//
// Where their outputs have sizes that only a run knows, they are run by a first call, which tells
// the sizes, and a second one fetches what they gave: it is kept until then, with the inputs, which
// must be the same. Other sessions may call meanwhile, so there is room for a few; what has gone is
// computed once more.
#include "mlc/parts.h"

#include "mlc/frontend/onnx_run.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/support/alloc.h"

#include <pthread.h>
#include <stdio.h>

enum { NUM_KEPT = 8 };

// What a first call computed, and of what.
typedef struct Kept {
    MlcBuf key;
    MlcOnnxRun *run; // NULL: the place is free
} Kept;

static Kept all_kept[NUM_KEPT];
static size_t next_kept;
static pthread_mutex_t kept_mutex = PTHREAD_MUTEX_INITIALIZER;

static int32_t
fail(const MlcOperatorCall *call, const char *why)
{
    snprintf(call->message, call->message_size, "%s", why);
    return 1;
}

// The model and its inputs.
static void
append_key(MlcBuf *out, const MlcOperatorCall *call)
{
    const MlcOperatorAttribute *model = mlc_operator_attribute(call, "model");
    if (model)
        mlc_buf_append(out, model->text, model->count);
    for (size_t i = 0; i < call->num_inputs; i++) {
        const MlcRtTensor *t = &call->inputs[i];
        mlc_buf_append(out, &t->rank, sizeof t->rank);
        mlc_buf_append(out, t->dims, (size_t)t->rank * sizeof *t->dims);
        if (mlc_runtime_tensor_bytes(t))
            mlc_buf_append(out, t->data, mlc_runtime_tensor_bytes(t));
    }
}

static MlcOnnxRun *
run(const MlcOperatorCall *call)
{
    const MlcOperatorAttribute *model = mlc_operator_attribute(call, "model");
    MlcBuf error = {0};
    if (!model || model->kind != MLC_OPERATOR_TEXT)
        return fail(call, "the part has no 'model'"), NULL;
    MlcOnnxRun *made =
        mlc_onnx_run(model->text, model->count, call->inputs, call->num_inputs, &error);
    if (!made)
        fail(call, mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return made;
}

static void
keep(const MlcOperatorCall *call, MlcOnnxRun *made)
{
    Kept kept = {.run = made}, old;
    append_key(&kept.key, call);
    pthread_mutex_lock(&kept_mutex);
    old = all_kept[next_kept];
    all_kept[next_kept] = kept;
    next_kept = (next_kept + 1) % NUM_KEPT;
    pthread_mutex_unlock(&kept_mutex);
    if (old.run)
        mlc_onnx_run_destroy(old.run);
    mlc_buf_release(&old.key);
}

// What was kept for these inputs; NULL: nothing is.
static MlcOnnxRun *
fetch(const MlcOperatorCall *call)
{
    MlcBuf key = {0};
    Kept found = {0};
    append_key(&key, call);
    pthread_mutex_lock(&kept_mutex);
    for (size_t i = 0; i < NUM_KEPT && !found.run; i++)
        if (all_kept[i].run && mlc_str_equal(mlc_buf_str(&all_kept[i].key), mlc_buf_str(&key))) {
            found = all_kept[i];
            all_kept[i] = (Kept){0};
        }
    pthread_mutex_unlock(&kept_mutex);
    mlc_buf_release(&key);
    mlc_buf_release(&found.key);
    return found.run;
}

// Whether output `i` is as the compiler was told: `shape` has its rank, and sizes.
static bool
is_as_told(const MlcOperatorCall *call, const MlcOnnxRun *made, size_t i, const int64_t *shape)
{
    const MlcRtTensor *t = mlc_onnx_run_output(made, i);
    bool same = t->rank == shape[0];
    for (int32_t k = 0; same && k < t->rank; k++)
        same = shape[1 + k] < 0 || shape[1 + k] == t->dims[k];
    if (!same)
        snprintf(call->message, call->message_size,
                 "output %zu has another rank or size than the model says", i);
    return same;
}

static bool
tell_sizes(const MlcOperatorCall *call, const MlcOnnxRun *made)
{
    const MlcOperatorAttribute *shapes = mlc_operator_attribute(call, "shapes");
    int64_t *sizes = call->outputs[0].data;
    size_t count = mlc_runtime_tensor_bytes(&call->outputs[0]) / sizeof *sizes, told = 0;
    for (size_t i = 0, at = 0; shapes && i < mlc_onnx_run_num_outputs(made); i++) {
        const MlcRtTensor *t = mlc_onnx_run_output(made, i);
        if (at >= shapes->count || !is_as_told(call, made, i, shapes->ints + at))
            return false;
        for (int32_t k = 0; k < t->rank; k++)
            if (shapes->ints[at + 1 + (size_t)k] < 0 && told < count)
                sizes[told++] = t->dims[k];
        at += 1 + (size_t)t->rank;
    }
    return told == count || !fail(call, "the part has other outputs than it was compiled for");
}

int32_t
mlc_measure_nodes_operator(const MlcOperatorCall *call)
{
    MlcOnnxRun *made = run(call);
    if (!made)
        return 1;
    bool ok = tell_sizes(call, made);
    if (ok)
        keep(call, made);
    else
        mlc_onnx_run_destroy(made);
    return !ok;
}

int32_t
mlc_run_nodes_operator(const MlcOperatorCall *call)
{
    MlcOnnxRun *made = fetch(call);
    if (!made && !(made = run(call)))
        return 1;
    bool ok = mlc_onnx_run_num_outputs(made) == call->num_outputs ||
              !fail(call, "the part has other outputs than it was compiled for");
    for (size_t i = 0; ok && i < call->num_outputs; i++) {
        const MlcRtTensor *from = mlc_onnx_run_output(made, i), *to = &call->outputs[i];
        ok = from->type == to->type && from->rank == to->rank;
        for (int32_t k = 0; ok && k < to->rank; k++)
            ok = from->dims[k] == to->dims[k];
        if (!ok)
            snprintf(call->message, call->message_size,
                     "output %zu has another rank or size than the model says", i);
        else if (mlc_runtime_tensor_bytes(to))
            memcpy(to->data, from->data, mlc_runtime_tensor_bytes(to));
    }
    mlc_onnx_run_destroy(made);
    return !ok;
}
