// module.c -- modules from PTX text, and their kernels.
#include "emulator.h"

#include "mlc/support/alloc.h"
#include "mlc/support/buf.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHARED_BYTES = 48 << 10 }; // that a launch may ask for without having said so before

// What the text's `.target` asks for: code for sm_90a runs on 9.0 alone, code for sm_80 on all that
// came later. 0: it has none.
static bool
runs_here(const char *text)
{
    const char *target = strstr(text, "\n.target sm_");
    if (!target)
        return false;
    char *end;
    long wanted = strtol(target + strlen("\n.target sm_"), &end, 10);
    return *end == 'a' ? wanted == emulator.capability : wanted <= emulator.capability;
}

static bool
is_cubin(const void *image)
{
    return memcmp(image,
                  "\x7f"
                  "ELF",
                  4) == 0;
}

static void
give_log(MlcBuf *log, unsigned num_options, const int *options, void **values)
{
    char *to = NULL;
    size_t room = 0;
    for (unsigned i = 0; i < num_options; i++) {
        if (options[i] == MLC_CUDA_JIT_ERROR_LOG)
            to = values[i];
        if (options[i] == MLC_CUDA_JIT_ERROR_LOG_BYTES)
            room = (size_t)(uintptr_t)values[i];
    }
    if (to && room > 0)
        snprintf(to, room, "%s", mlc_buf_c_str(log));
}

int
cuModuleLoadDataEx(MlcCudaModule **module, const void *image, unsigned num_options,
                   const int *options, void **values)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (result == MLC_CUDA_SUCCESS && (!module || !image))
        result = MLC_CUDA_INVALID_VALUE;
    if (result == MLC_CUDA_SUCCESS && is_cubin(image)) {
        if (emulator.trace)
            fprintf(emulator.trace, "{\"module\": \"cubin\"}\n");
        result = MLC_CUDA_NO_BINARY_FOR_GPU; // it is for silicon
    }
    if (result == MLC_CUDA_SUCCESS && !runs_here(image))
        result = strstr(image, ".version") ? MLC_CUDA_NO_BINARY_FOR_GPU : MLC_CUDA_INVALID_IMAGE;
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    if (emulator.trace)
        fprintf(emulator.trace, "{\"module\": \"PTX\"}\n");
    MlcBuf log = {0};
    emulator.log = &log;
    MlcPtxModule *ptx = mlc_ptx_load(emulator.device, mlc_str(image), mlc_str("kernels.ptx"));
    emulator.log = NULL;
    give_log(&log, num_options, options, values);
    mlc_buf_release(&log);
    if (!ptx)
        return emulator_end(MLC_CUDA_INVALID_PTX);
    *module = mlc_malloc(sizeof **module);
    **module = (MlcCudaModule){.ptx = ptx};
    mlc_vec_push(&emulator.modules, *module);
    return emulator_end(MLC_CUDA_SUCCESS);
}

static MlcCudaResult
begin_with_module(const char *function, const MlcCudaModule *module)
{
    MlcCudaResult result = emulator_begin(function);
    bool is_there = result != MLC_CUDA_SUCCESS || list_has(&emulator.modules, module);
    return is_there ? result : MLC_CUDA_INVALID_HANDLE;
}

// The text stays with the device.
static void
destroy(MlcCudaModule *module)
{
    while (module->functions.size)
        mlc_free(mlc_vec_pop(&module->functions));
    mlc_vec_release(&module->functions);
    mlc_free(module);
}

int
cuModuleUnload(MlcCudaModule *module)
{
    MlcCudaResult result = begin_with_module(__func__, module);
    if (result == MLC_CUDA_SUCCESS)
        result = stream_run_all();
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    list_remove(&emulator.modules, module);
    destroy(module);
    return emulator_end(MLC_CUDA_SUCCESS);
}

void
modules_destroy_all(void)
{
    while (emulator.modules.size)
        destroy(mlc_vec_pop(&emulator.modules));
    mlc_vec_release(&emulator.modules);
}

int
cuModuleGetFunction(MlcCudaFunction **function, MlcCudaModule *module, const char *name)
{
    MlcCudaResult result = begin_with_module(__func__, module);
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    MlcPtxEntry *entry = mlc_ptx_find_entry(module->ptx, mlc_str(name));
    if (!entry)
        return emulator_end(MLC_CUDA_NOT_FOUND);
    *function = mlc_malloc(sizeof **function);
    **function = (MlcCudaFunction){module, entry, SHARED_BYTES};
    mlc_vec_push(&module->functions, *function);
    return emulator_end(MLC_CUDA_SUCCESS);
}

int
cuFuncSetAttribute(MlcCudaFunction *function, int attribute, int value)
{
    MlcCudaResult result = emulator_begin(__func__);
    int most = (emulator.capability >= 90 ? 227 : 163) << 10;
    if (result == MLC_CUDA_SUCCESS &&
        (attribute != MLC_CUDA_FUNCTION_DYNAMIC_SHARED_BYTES || value < 0 || value > most))
        result = MLC_CUDA_INVALID_VALUE;
    if (result == MLC_CUDA_SUCCESS)
        function->max_shared_bytes = (uint32_t)value;
    return emulator_end(result);
}
