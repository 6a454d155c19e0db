// run_artefact.c -- runs an artefact once, with nothing but the runtime: for processors of other
// kinds, which cannot run mlc itself here.
//
//   run_artefact MODEL THREADS OUTPUT_PREFIX INPUT...
//
// Inputs and outputs are raw bytes, a file each.
#include "mlc/runtime.h"

#include <stdio.h>
#include <stdlib.h>

static size_t
bytes_of(const MlcRtTensor *tensor)
{
    size_t bytes = mlc_rt_type_bytes(tensor->type);
    for (int32_t i = 0; i < tensor->rank; i++)
        bytes *= (size_t)tensor->dims[i];
    return bytes;
}

static int
fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 1;
}

int
main(int argc, char **argv)
{
    MlcRtError error;
    MlcModel *model = argc > 3 ? mlc_model_load(argv[1], NULL, &error) : NULL;
    if (!model)
        return fail(argc > 3 ? error.message : "usage: MODEL THREADS OUTPUT_PREFIX INPUT...");
    MlcSessionOptions options = {MLC_SIZED(MlcSessionOptions), .threads = atoi(argv[2])};
    MlcSession *session = mlc_session_create(model, &options, &error);
    if (!session)
        return fail(error.message);
    if (argc - 4 != mlc_model_num_inputs(model))
        return fail("another number of inputs");
    for (int32_t i = 0; i < mlc_model_num_inputs(model); i++) {
        const MlcRtTensorInfo *info = mlc_model_input(model, i);
        MlcRtTensor tensor = {info->type, info->rank, info->dims, NULL};
        size_t bytes = bytes_of(&tensor);
        tensor.data = malloc(bytes + 1);
        FILE *file = fopen(argv[4 + i], "rb");
        if (!file || fread(tensor.data, 1, bytes, file) != bytes)
            return fail("an input cannot be read");
        fclose(file);
        if (!mlc_session_set_input(session, i, &tensor, &error))
            return fail(error.message);
    }
    if (!mlc_session_run(session, &error))
        return fail(error.message);
    for (int32_t i = 0; i < mlc_model_num_outputs(model); i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s%d", argv[3], (int)i);
        FILE *file = fopen(path, "wb");
        const MlcRtTensor *output = mlc_session_output(session, i); // its size may be found
        if (!file || fwrite(output->data, 1, bytes_of(output), file) != bytes_of(output) ||
            fclose(file) != 0)
            return fail("an output cannot be written");
    }
    return 0;
}
