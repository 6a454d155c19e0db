// feed.c -- ARTEFACT: runs a compiled model once for each set of inputs on stdin, in one session.
//
// A set is the bytes of all inputs, one after the other. For each, stdout gets the status of the
// run as an i32, the size of its message as an i32 and its bytes; where the status is 0, of each
// output its sizes (i64) and its bytes. A test that gives a model inputs that it must refuse sees so that the session
// stays usable, and a signal ends this process, not the test.
#include "mlc/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
fail(const char *what, const MlcRtError *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    return 1;
}

static size_t
bytes_of(MlcRtType type, int32_t rank, const int64_t *dims)
{
    size_t bytes = mlc_rt_type_bytes(type);
    for (int32_t i = 0; i < rank; ++i)
        bytes *= (size_t)dims[i];
    return bytes;
}

// One set into the inputs' memory; false at the end of stdin.
static bool
read_inputs(const MlcModel *model, void *const *data)
{
    for (int32_t i = 0; i < mlc_model_num_inputs(model); ++i) {
        const MlcRtTensorInfo *info = mlc_model_input(model, i);
        size_t bytes = bytes_of(info->type, info->rank, info->dims);
        if (fread(data[i], 1, bytes, stdin) != bytes || feof(stdin))
            return false;
    }
    return true;
}

static void
write_outputs(const MlcModel *model, const MlcSession *session)
{
    for (int32_t i = 0; i < mlc_model_num_outputs(model); ++i) {
        const MlcRtTensor *t = mlc_session_output(session, i);
        fwrite(t->dims, sizeof *t->dims, (size_t)t->rank, stdout);
        fwrite(t->data, 1, bytes_of(t->type, t->rank, t->dims), stdout);
    }
}

static int
feed(const MlcModel *model, MlcSession *session)
{
    MlcRtError error;
    void *data[16] = {NULL};
    int32_t count;
    if (mlc_model_num_inputs(model) > 16 || fread(&count, sizeof count, 1, stdin) != 1)
        return 2;
    for (int32_t i = 0; i < mlc_model_num_inputs(model); ++i) {
        const MlcRtTensorInfo *info = mlc_model_input(model, i);
        data[i] = malloc(bytes_of(info->type, info->rank, info->dims) + 8);
        MlcRtTensor tensor = {info->type, info->rank, info->dims, data[i]};
        if (!mlc_session_set_input(session, i, &tensor, &error))
            return fail("set_input", &error);
    }
    for (int32_t k = 0; k < count && read_inputs(model, data); ++k) {
        memset(&error, 0, sizeof error);
        bool ok = mlc_session_run(session, &error);
        int32_t head[2] = {ok ? 0 : (int32_t)error.status, (int32_t)strlen(error.message)};
        fwrite(head, sizeof head, 1, stdout);
        fwrite(error.message, 1, (size_t)head[1], stdout);
        if (ok)
            write_outputs(model, session);
    }
    for (int32_t i = 0; i < mlc_model_num_inputs(model); ++i)
        free(data[i]);
    return fflush(stdout) == 0 ? 0 : 2;
}

int
main(int argc, char **argv)
{
    MlcRtError error;
    MlcModel *model = argc == 2 ? mlc_model_load(argv[1], NULL, &error) : NULL;
    if (!model)
        return argc == 2 ? fail(argv[1], &error) : 2;
    MlcSession *session = mlc_session_create(
        model, &(MlcSessionOptions){MLC_SIZED(MlcSessionOptions), .threads = 2}, &error);
    int code = session ? feed(model, session) : fail("session", &error);
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    return code;
}
