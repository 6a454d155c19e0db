// jit.c -- object files in this process, by ORC. The same bytes that an artefact is linked from.
#include "machine.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

#include "mlc/support/alloc.h"

struct MlcJit {
    LLVMOrcLLJITRef jit;
};

static bool
succeeded(LLVMErrorRef failure, MlcBuf *error)
{
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    mlc_buf_printf(error, "cannot load code: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool
add_objects(MlcJit *jit, const MlcStr *objects, size_t num_objects, MlcBuf *error)
{
    LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit->jit);
    LLVMOrcDefinitionGeneratorRef process;
    if (!succeeded(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                       &process, LLVMOrcLLJITGetGlobalPrefix(jit->jit), NULL, NULL),
                   error))
        return false;
    LLVMOrcJITDylibAddGenerator(library, process);
    for (size_t i = 0; i < num_objects; i++) {
        LLVMMemoryBufferRef copy =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(objects[i].data, objects[i].size, "kernel");
        if (!succeeded(LLVMOrcLLJITAddObjectFile(jit->jit, library, copy), error))
            return false;
    }
    return true;
}

// What was not found is told by who looked for it.
static void
be_silent(void *unused, LLVMErrorRef failure)
{
    (void)unused;
    LLVMConsumeError(failure);
}

MlcJit *
mlc_jit_create(const MlcStr *objects, size_t num_objects, MlcBuf *error)
{
    mlc_machine_initialize();
    MlcJit *jit = mlc_calloc(1, sizeof *jit);
    if (succeeded(LLVMOrcCreateLLJIT(&jit->jit, NULL), error)) {
        LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->jit),
                                                be_silent, NULL);
        if (add_objects(jit, objects, num_objects, error))
            return jit;
    }
    mlc_jit_destroy(jit);
    return NULL;
}

void *
mlc_jit_lookup(MlcJit *jit, const char *symbol)
{
    LLVMOrcExecutorAddress address = 0;
    LLVMErrorRef failure = LLVMOrcLLJITLookup(jit->jit, &address, symbol);
    if (!failure)
        return (void *)(uintptr_t)address;
    LLVMConsumeError(failure);
    return NULL;
}

void
mlc_jit_destroy(MlcJit *jit)
{
    if (!jit)
        return;
    if (jit->jit)
        LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->jit));
    mlc_free(jit);
}
