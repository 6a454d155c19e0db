// ptxsim.c -- PTX text: refused with messages, or its kernels run for some instructions, which may
// fail in any way that is told.
#include "mlc/ptxsim.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
count_message(void *user, const MlcPtxMessage *message)
{
    if (!message->text[0])
        abort();
    ++*(unsigned *)user;
}

static void
run_entry(MlcPtxDevice *device, MlcPtxEntry *entry, unsigned *num_messages, uint64_t seed)
{
    uint64_t buffer = mlc_ptx_alloc(device, 4096);
    char bytes[4096];
    const void *args[64];
    size_t num_args = mlc_ptx_num_params(entry);
    memset(bytes, 3, sizeof bytes);
    if (num_args > 64 || !mlc_ptx_write(device, buffer, bytes, sizeof bytes))
        return;
    uint64_t *values = calloc(num_args + 1, 32768);
    for (size_t i = 0; i < num_args; i++) {
        args[i] = values + i * 4096;
        values[i * 4096] = mlc_ptx_param_bytes(entry, i) == 8 ? buffer : 5;
    }
    MlcPtxLaunch launch = {.entry = entry,
                           .grid = {2, 1, 1},
                           .block = {64, 1, 1},
                           .cluster = {(uint32_t)(1 + seed % 2), 1, 1},
                           .shared_bytes = 1024,
                           .args = args,
                           .num_args = num_args,
                           .seed = seed,
                           .max_steps = 3000,
                           .num_threads = 1};
    unsigned before = *num_messages;
    MlcPtxCounters counters = {0};
    if (!mlc_ptx_launch(device, &launch, &counters) && *num_messages == before)
        abort();
    free(values);
    mlc_ptx_free(device, buffer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned num_messages = 0;
    MlcPtxDevice *device = mlc_ptx_device_create(count_message, &num_messages);
    MlcPtxModule *module =
        size < 65536 ? mlc_ptx_load(device, mlc_str_n((const char *)data, size), mlc_str("fuzz"))
                     : NULL;
    if (!module && size < 65536 && num_messages == 0)
        abort();
    for (size_t i = 0; module && i < mlc_ptx_num_entries(module) && i < 4; i++)
        for (uint64_t seed = 0; seed < 2; seed++)
            run_entry(device, mlc_ptx_entry(module, i), &num_messages, seed);
    mlc_ptx_device_destroy(device);
    return 0;
}
