// libdevice.c -- CUDA's math functions, as bitcode, for modules that call them (__nv_expf, ...).
// LLVM's NVPTX back end has no code for exp, log, sin and their like, and ends the process when
// asked.
//
// All of the library's functions become internal, so that what is called is inlined and the rest
// goes.
#include "machine.h"

#include <stdlib.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include "mlc/support/file.h"
#include "mlc/support/map.h"

static bool
is_called(LLVMValueRef function)
{
    size_t size;
    const char *name = LLVMGetValueName2(function, &size);
    return LLVMIsDeclaration(function) && size > 5 && memcmp(name, "__nv_", 5) == 0;
}

static bool
needs_library(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_called(f))
            return true;
    return false;
}

// MLC_LIBDEVICE, or where CUDA is installed.
static bool
find_library(MlcBuf *path)
{
    const char *given = getenv("MLC_LIBDEVICE");
    const char *roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda",
                           "/usr/lib/cuda"};
    if (given) {
        mlc_buf_append_c(path, given);
        return true;
    }
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        if (!roots[i])
            continue;
        mlc_buf_clear(path);
        mlc_buf_printf(path, "%s/nvvm/libdevice/libdevice.10.bc", roots[i]);
        if (mlc_file_exists(mlc_buf_c_str(path)))
            return true;
    }
    return false;
}

static LLVMModuleRef
read_library(LLVMContextRef llvm, MlcBuf *error)
{
    MlcBuf path = {0};
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef library = NULL;
    char *message = NULL;
    if (!find_library(&path))
        mlc_buf_append_c(
            error,
            "the kernel calls CUDA's math functions, and libdevice.10.bc is not installed: install "
            "CUDA's nvvm, or set MLC_LIBDEVICE");
    else if (LLVMCreateMemoryBufferWithContentsOfFile(mlc_buf_c_str(&path), &bytes, &message))
        mlc_buf_printf(error, "'%s': %s", mlc_buf_c_str(&path), message);
    else {
        if (LLVMParseBitcodeInContext2(llvm, bytes, &library))
            mlc_buf_printf(error, "%s'%s' is no bitcode that LLVM 19 reads",
                           error->size > 0 ? "; " : "", mlc_buf_c_str(&path)); // behind LLVM's
        LLVMDisposeMemoryBuffer(bytes);
    }
    LLVMDisposeMessage(message);
    mlc_buf_release(&path);
    return library;
}

static void
make_internal(LLVMModuleRef module, const MlcStrMap *ours)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t size;
        const char *name = LLVMGetValueName2(f, &size);
        if (!LLVMIsDeclaration(f) && !mlc_str_map_has(ours, mlc_str_n(name, size)))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

bool
mlc_link_libdevice(LLVMModuleRef module, MlcBuf *error)
{
    if (!needs_library(module))
        return true;
    LLVMContextRef llvm = LLVMGetModuleContext(module);
    LLVMModuleRef library = read_library(llvm, error);
    if (!library)
        return false;
    MlcArena arena = {0};
    MlcStrMap ours;
    mlc_str_map_init(&ours, &arena);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t size;
        const char *name = LLVMGetValueName2(f, &size);
        if (!LLVMIsDeclaration(f))
            mlc_str_map_set_u64(&ours, mlc_str_n(name, size), 1);
    }
    LLVMSetTarget(library, LLVMGetTarget(module));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
    bool ok = !LLVMLinkModules2(module, library);
    if (ok)
        make_internal(module, &ours);
    else
        mlc_buf_printf(error, "%slibdevice cannot be linked with the kernel",
                       error->size > 0 ? "; " : ""); // behind LLVM's
    LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorOverride, "nvvm-reflect-ftz", 16,
                      LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(llvm), 0, false)));
    mlc_str_map_release(&ours);
    mlc_arena_release(&arena);
    return ok;
}
