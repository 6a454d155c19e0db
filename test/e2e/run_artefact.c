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
bytes_of(const MlcRtTensorInfo *info)
{
    size_t bytes = mlc_rt_type_bytes(info->type);
    for (int32_t i = 0; i < info->rank; i++)
        bytes *= (size_t)info->dims[i];
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
        MlcRtTensor tensor = {info->type, info->rank, info->dims, malloc(bytes_of(info) + 1)};
        FILE *file = fopen(argv[4 + i], "rb");
        if (!file || fread(tensor.data, 1, bytes_of(info), file) != bytes_of(info))
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
        size_t bytes = bytes_of(mlc_model_output(model, i));
        if (!file || fwrite(mlc_session_output(session, i)->data, 1, bytes, file) != bytes ||
            fclose(file) != 0)
            return fail("an output cannot be written");
    }
    return 0;
}
