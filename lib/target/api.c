// api.c -- the table that libmlc gets from this library, and the way from an op to its code.
#include "mlc/target.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>

#include "machine.h"
#include "translate.h"

static void
set_target(LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMSetModuleDataLayout(module, layout);
    LLVMSetTarget(module, triple);
    LLVMDisposeMessage(triple);
    LLVMDisposeTargetData(layout);
}

// What LLVM's verifier rejects is a fault of a lowering of ours; its words are for whoever repairs
// that.
static bool
verify(Translator *t)
{
    char *message = NULL;
    bool broken = LLVMVerifyModule(t->module, LLVMReturnStatusAction, &message);
    if (broken)
        mlc_op_error(t->root, "its translation is not valid LLVM IR: %s", message);
    LLVMDisposeMessage(message);
    return !broken;
}

static void
set_up(Translator *t, MlcOp *module, const MlcTargetOptions *options, LLVMTargetMachineRef machine,
       bool gpu)
{
    *t = (Translator){.root = module, .gpu = gpu, .llvm = LLVMContextCreate()};
    if (options) {
        t->part = options->part;
        t->num_parts = options->num_parts;
    }
    t->module = LLVMModuleCreateWithNameInContext("mlc", t->llvm);
    t->builder = LLVMCreateBuilderInContext(t->llvm);
    set_target(t->module, machine);
}

static void
tear_down(Translator *t)
{
    LLVMDisposeBuilder(t->builder);
    LLVMDisposeModule(t->module);
    LLVMContextDispose(t->llvm);
}

static void
release_maps(Translator *t)
{
    mlc_map_release(&t->types);
    mlc_map_release(&t->rows);
    mlc_map_release(&t->values);
    mlc_map_release(&t->blocks);
    mlc_str_map_release(&t->symbols);
}

static bool
emit(MlcOp *module, const MlcTargetOptions *options, MlcEmit kind, MlcBuf *out)
{
    MlcBuf error = {0};
    LLVMTargetMachineRef machine = mlc_machine_create(options, &error);
    bool ok = machine != NULL, fatal = false;
    if (ok) {
        const MlcTargetDesc *desc =
            options && options->desc ? options->desc : mlc_target_desc_host();
        Translator t;
        set_up(&t, module, options, machine, strncmp(desc->triple, "nvptx", 5) == 0);
        ok = mlc_translate_module(&t) && verify(&t);
        ok = ok && mlc_machine_emit(machine, t.module, options, kind, out, &error, &fatal);
        release_maps(&t);
        // After a fatal error in the middle of a pass nothing of LLVM's may be touched.
        if (!fatal) {
            tear_down(&t);
            LLVMDisposeTargetMachine(machine);
        }
    }
    if (error.size > 0)
        mlc_op_error(module, "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

const MlcTargetApi *
mlc_target_api(void)
{
    static const MlcTargetApi api = {
        .size = sizeof(MlcTargetApi),
        .emit = emit,
        .jit_create = mlc_jit_create,
        .jit_lookup = mlc_jit_lookup,
        .jit_destroy = mlc_jit_destroy,
    };
    return &api;
}
