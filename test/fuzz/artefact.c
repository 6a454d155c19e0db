// artefact.c -- the loader of compiled models, on bytes whose hashes are made right, so that the
// checks behind them are reached. No code of the file runs.
#include "common.h"

#include "mlc/runtime.h"
#include "mlc/runtime/artefact.h"

#include <stddef.h>

static int32_t
no_code(const MlcRtCall *call)
{
    (void)call;
    return 0;
}

static void *
resolve(void *user, const char *symbol)
{
    (void)user;
    return strcmp(symbol, MLC_RT_SYMBOL_MAIN) == 0 ? (void *)(uintptr_t)no_code : NULL;
}

// Versions, size and hashes as the loader wants them.
static void
make_right(char *data, size_t size)
{
    MlcArtefactHeader *h = (MlcArtefactHeader *)(void *)data;
    memcpy(h->magic, MLC_ARTEFACT_MAGIC, sizeof h->magic);
    h->version = MLC_ARTEFACT_VERSION;
    h->abi_version = MLC_RT_ABI_VERSION;
    h->file_size = size;
    MlcArtefactSection constants = h->sections[MLC_ARTEFACT_CONSTANTS];
    size_t start = offsetof(MlcArtefactHeader, constants_hash);
    if (constants.offset < start || constants.offset > size ||
        constants.size > size - constants.offset)
        return;
    h->constants_hash = mlc_artefact_hash(data + constants.offset, constants.size);
    h->hash = mlc_artefact_hash(data + start, constants.offset - start);
}

static void
ask(const MlcModel *model)
{
    volatile size_t sum = strlen(mlc_model_name(model)) + strlen(mlc_model_isa(model)) +
                          strlen(mlc_model_features(model));
    for (int32_t i = 0; i < mlc_model_num_inputs(model) + mlc_model_num_outputs(model); i++) {
        int32_t n = mlc_model_num_inputs(model);
        const MlcRtTensorInfo *info =
            i < n ? mlc_model_input(model, i) : mlc_model_output(model, i - n);
        sum += strlen(info->name);
        for (int32_t k = 0; k < info->rank; k++)
            sum += (size_t)info->dims[k] + strlen(info->dim_names[k]);
    }
    for (int32_t i = 0; i < mlc_model_num_kernels(model); i++)
        sum += strlen(mlc_model_kernel(model, i)->name) + strlen(mlc_model_kernel(model, i)->nodes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcRtError error = {0};
    MlcModelOptions options = {.resolve = resolve, .trust_constants = size % 2};
    char *copy = mlc_malloc(size + sizeof(MlcArtefactHeader));
    memcpy(copy, data, size);
    if (size >= sizeof(MlcArtefactHeader) && data[0] != 0)
        make_right(copy, size);
    MlcArtefactHeader header = {.init = MLC_ARTEFACT_NONE};
    memcpy(&header, copy, size < sizeof header ? size : sizeof header);
    MlcModel *model = mlc_model_load_memory(copy, size, &options, &error);
    if (model)
        ask(model);
    mlc_model_destroy(model);
    // The image is mapped too, from a file, if nothing of it would be called.
    if (header.init == MLC_ARTEFACT_NONE && header.prepared_bytes < 1 << 20) {
        options.resolve = NULL;
        model = mlc_model_load(fuzz_write("model", copy, size), &options, &error);
        if (model)
            ask(model);
        mlc_model_destroy(model);
    }
    mlc_free(copy);
    return 0;
}
