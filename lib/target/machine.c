// machine.c -- target machines, the pass pipeline, and code.
//
// Code that comes here is scheduled: loops are tiled, vectorised and unrolled by our passes,
// accumulators are in registers. What LLVM is asked for is cleaning up (addresses, common
// subexpressions, invariant code), then instruction selection, register allocation and scheduling.
// Its vectorisers, its unroller and its inliner's heuristics stay out of the way unless asked for.
//
// LLVM reports some failures ("cannot select") by ending the process. A handler jumps out instead;
// LLVM's state for that one module is then leaked, not touched again.
#include "machine.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

// MobileNetV2 runs 3 % faster than without the second half, and as fast as after default<O2>.
static const char scheduled_passes[] =
    "always-inline,globaldce,"
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "reassociate,loop-mssa(loop-simplifycfg,loop-rotate,licm<allowspeculation>),simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop(indvars,loop-deletion),"
    "sroa<modify-cfg>,gvn,sccp,bdce,instcombine<no-verify-fixpoint>,dse,"
    "loop-mssa(licm<allowspeculation>),adce,simplifycfg,instcombine<no-verify-fixpoint>)";

// Half of the time for a tenth of the speed.
static const char light_passes[] = "always-inline,globaldce,function(sroa<modify-cfg>,"
                                   "early-cse<memssa>,instcombine<no-verify-fixpoint>)";

static pthread_once_t initialize_once = PTHREAD_ONCE_INIT;
static _Thread_local jmp_buf *fatal_jump;
static _Thread_local char fatal_message[512];

static void
on_fatal_error(const char *reason)
{
    if (!fatal_jump)
        return; // not ours: LLVM ends the process
    strncpy(fatal_message, reason, sizeof fatal_message - 1);
    longjmp(*fatal_jump, 1);
}

static void
initialize(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser(); // inline assembly
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInstallFatalErrorHandler(on_fatal_error);
}

void
mlc_machine_initialize(void)
{
    pthread_once(&initialize_once, initialize);
}

static const MlcTargetDesc *
description(const MlcTargetOptions *options)
{
    return options && options->desc ? options->desc : mlc_target_desc_host();
}

LLVMTargetMachineRef
mlc_machine_create(const MlcTargetOptions *options)
{
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                                 LLVMCodeGenLevelAggressive};
    const MlcTargetDesc *desc = description(options);
    int level = options ? options->opt_level : 0;
    mlc_machine_initialize();
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(desc->triple, &target, &message))
        mlc_bug("no code for target '%s': %s", desc->name, message);
    return LLVMCreateTargetMachine(target, desc->triple, desc->cpu, desc->features,
                                   level < 0   ? LLVMCodeGenLevelNone
                                   : level > 3 ? LLVMCodeGenLevelAggressive
                                               : levels[level == 0 ? 1 : level - 1],
                                   LLVMRelocPIC, LLVMCodeModelDefault);
}

static bool
is_nvptx(const MlcTargetDesc *desc)
{
    return strncmp(desc->triple, "nvptx", 5) == 0;
}

bool
mlc_machine_is_gpu(const MlcTargetDesc *desc)
{
    return is_nvptx(desc) || strncmp(desc->triple, "amdgcn", 6) == 0;
}

// LLVM's own pipelines when its vectorisers are wanted, and for GPUs, whose code is not scheduled
// by us.
static void
choose_passes(const MlcTargetOptions *options, MlcBuf *passes)
{
    int level = options && options->opt_level > 0 ? options->opt_level : 2;
    if (options && options->passes)
        mlc_buf_append_c(passes, options->passes);
    else if (mlc_machine_is_gpu(description(options)))
        mlc_buf_append_c(passes, "globaldce,default<O3>");
    else if (options && (options->loop_vectorize || options->slp_vectorize))
        mlc_buf_printf(passes, "default<O%d>", level > 3 ? 3 : level);
    else
        mlc_buf_append_c(passes, level == 1 ? light_passes : scheduled_passes);
}

// Products and transposes of matrices have no instructions: LLVM writes them out by a pass, which
// it has for whoever asks.
static bool
has_matrices(LLVMModuleRef module)
{
    static const char prefix[] = "llvm.matrix.";
    size_t size;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (strncmp(LLVMGetValueName2(f, &size), prefix, sizeof prefix - 1) == 0)
            return true;
    return false;
}

static bool
run_passes(LLVMTargetMachineRef machine, LLVMModuleRef module, const MlcTargetOptions *options,
           MlcEmit kind, MlcBuf *error)
{
    bool is_plain = options && options->opt_level < 0 && !options->passes;
    if (is_plain && (kind == MLC_EMIT_LLVM_IR || !has_matrices(module)))
        return true;
    bool gpu = mlc_machine_is_gpu(description(options));
    LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(settings, options && options->loop_vectorize);
    LLVMPassBuilderOptionsSetLoopInterleaving(settings, options && options->loop_vectorize);
    LLVMPassBuilderOptionsSetSLPVectorization(settings, options && options->slp_vectorize);
    LLVMPassBuilderOptionsSetLoopUnrolling(settings, gpu || (options && options->loop_vectorize));
    MlcBuf passes = {0};
    if (has_matrices(module))
        mlc_buf_append_c(&passes, "function(lower-matrix-intrinsics)");
    if (!is_plain) {
        mlc_buf_append_c(&passes, passes.size > 0 ? "," : "");
        choose_passes(options, &passes);
    }
    LLVMErrorRef failure = LLVMRunPasses(module, mlc_buf_c_str(&passes), machine, settings);
    mlc_buf_release(&passes);
    LLVMDisposePassBuilderOptions(settings);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    mlc_buf_printf(error, "%sLLVM's passes failed: %s", error->size > 0 ? "; " : "", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool
emit_ir(LLVMModuleRef module, MlcBuf *out)
{
    char *text = LLVMPrintModuleToString(module);
    mlc_buf_append_c(out, text);
    LLVMDisposeMessage(text);
    return true;
}

static bool
emit_code(LLVMTargetMachineRef machine, LLVMModuleRef module, MlcEmit kind, MlcBuf *out)
{
    LLVMMemoryBufferRef code;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(
            machine, module, kind == MLC_EMIT_OBJECT ? LLVMObjectFile : LLVMAssemblyFile, &message,
            &code))
        mlc_bug("LLVM writes no such file for this machine: %s", message);
    mlc_buf_append(out, LLVMGetBufferStart(code), LLVMGetBufferSize(code));
    LLVMDisposeMemoryBuffer(code);
    return true;
}

static bool
emit(LLVMTargetMachineRef machine, LLVMModuleRef module, const MlcTargetOptions *options,
     MlcEmit kind, MlcBuf *out, MlcBuf *error)
{
    if (kind == MLC_EMIT_OBJECT && is_nvptx(description(options))) {
        mlc_buf_append_c(error, "no object files for nvptx64: emit assembly, which is PTX");
        return false;
    }
    if (is_nvptx(description(options)) && !mlc_link_libdevice(module, error))
        return false;
    if (!run_passes(machine, module, options, kind, error))
        return false;
    return kind == MLC_EMIT_LLVM_IR ? emit_ir(module, out) : emit_code(machine, module, kind, out);
}

// Only objects are worth keeping; text is for people.
static bool
emit_cached(LLVMTargetMachineRef machine, LLVMModuleRef module, const MlcTargetOptions *options,
            MlcEmit kind, MlcBuf *out, MlcBuf *error)
{
    MlcStr folder;
    if (kind != MLC_EMIT_OBJECT || !mlc_cache_find_folder(options, &folder))
        return emit(machine, module, options, kind, out, error);
    uint64_t key[2];
    MlcBuf passes = {0};
    choose_passes(options, &passes);
    mlc_cache_key(module, options, description(options), mlc_buf_str(&passes), key);
    mlc_buf_release(&passes);
    if (mlc_cache_read(folder, key, out))
        return true;
    size_t before = out->size;
    bool ok = emit(machine, module, options, kind, out, error);
    if (ok && error->size == 0)
        mlc_cache_write(folder, key, mlc_str_n(out->data + before, out->size - before));
    return ok;
}

// Errors that LLVM reports by its context (inline assembly, resource limits); by default they end
// the process.
static void
on_diagnostic(LLVMDiagnosticInfoRef info, void *errors)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    // One fault is often reported for each lane of a vector.
    char *text = LLVMGetDiagInfoDescription(info);
    if (!strstr(mlc_buf_c_str(errors), text))
        mlc_buf_printf(errors, "%sLLVM: %s", ((MlcBuf *)errors)->size > 0 ? "; " : "", text);
    LLVMDisposeMessage(text);
}

bool
mlc_machine_emit(LLVMTargetMachineRef machine, LLVMModuleRef module,
                 const MlcTargetOptions *options, MlcEmit kind, MlcBuf *out, MlcBuf *error,
                 bool *fatal)
{
    jmp_buf jump;
    size_t errors_before = error->size, out_before = out->size;
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), on_diagnostic, error);
    fatal_jump = &jump;
    bool ok = false;
    *fatal = false;
    if (setjmp(jump) == 0)
        ok = emit_cached(machine, module, options, kind, out, error);
    else
        *fatal = true;
    if (*fatal)
        mlc_buf_printf(error, "%sLLVM cannot generate code: %s",
                       error->size > errors_before ? "; " : "", fatal_message);
    fatal_jump = NULL;
    ok = ok && error->size == errors_before;
    if (!ok)
        out->size = out_before;
    return ok;
}
