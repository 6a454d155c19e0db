// api.c -- the table that libmlc gets from this library, and the way from an op to its code.
#include "mlc/target.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>

#include "machine.h"
#include "metadata.h"
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

// llvm.data_layout and llvm.target_triple, and the version of debug information.
static void
set_module_attributes(Translator *t)
{
    MlcAttr layout = mlc_op_attr(t->root, "llvm.data_layout");
    MlcAttr triple = mlc_op_attr(t->root, "llvm.target_triple");
    static const char version[] = "Debug Info Version";
    if (mlc_attr_is(layout, MLC_ATTR_STRING))
        LLVMSetDataLayout(t->module, mlc_string_attr_value(layout).data);
    if (mlc_attr_is(triple, MLC_ATTR_STRING))
        LLVMSetTarget(t->module, mlc_string_attr_value(triple).data);
    LLVMAddModuleFlag(t->module, LLVMModuleFlagBehaviorWarning, version, sizeof version - 1,
                      LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(t->llvm), 3, false)));
}

// `machine` NULL: none in particular.
static void
set_up(Translator *t, MlcOp *module, const MlcTargetOptions *options, LLVMTargetMachineRef machine,
       bool gpu)
{
    *t = (Translator){.root = module, .gpu = gpu, .llvm = LLVMContextCreate()};
    if (options) {
        t->part = options->part;
        t->num_parts = options->num_parts;
    }
    t->module = LLVMModuleCreateWithNameInContext(machine ? "mlc" : "LLVMDialectModule", t->llvm);
    t->builder = LLVMCreateBuilderInContext(t->llvm);
    if (machine)
        set_target(t->module, machine);
    else
        set_module_attributes(t);
}

static void
tear_down(Translator *t)
{
    if (t->debug)
        LLVMDisposeDIBuilder(t->debug);
    LLVMDisposeBuilder(t->builder);
    LLVMDisposeModule(t->module);
    LLVMContextDispose(t->llvm);
}

static void
release_maps(Translator *t)
{
    mlc_metadata_release(t);
    mlc_map_release(&t->types);
    mlc_map_release(&t->rows);
    mlc_map_release(&t->values);
    mlc_map_release(&t->blocks);
    mlc_str_map_release(&t->symbols);
    mlc_map_release(&t->globals);
    mlc_str_map_release(&t->comdats);
}

static bool
is_translatable(MlcOp *module)
{
    return (mlc_op_has_trait(module, MLC_TRAIT_SYMBOL_TABLE) &&
            mlc_op_has_trait(module, MLC_TRAIT_ISOLATED)) ||
           mlc_op_error(module, "can not be translated to an LLVMIR module");
}

static bool
emit_translation(MlcOp *module, MlcBuf *out)
{
    Translator t;
    if (!is_translatable(module))
        return false;
    set_up(&t, module, NULL, NULL, false);
    t.is_plain = true;
    bool ok = mlc_translate_module(&t) && verify(&t);
    if (ok) {
        char *text = LLVMPrintModuleToString(t.module);
        mlc_buf_append_c(out, text);
        LLVMDisposeMessage(text);
    }
    release_maps(&t);
    tear_down(&t);
    return ok;
}

static bool
emit(MlcOp *module, const MlcTargetOptions *options, MlcEmit kind, MlcBuf *out)
{
    if (kind == MLC_EMIT_TRANSLATION)
        return emit_translation(module, out);
    MlcTargetOptions own = {0};
    if (options)
        mlc_sized_copy(&own, sizeof own, options, "MlcTargetOptions");
    options = &own;
    MlcBuf error = {0};
    bool fatal = false;
    LLVMTargetMachineRef machine = mlc_machine_create(options);
    const MlcTargetDesc *desc = options && options->desc ? options->desc : mlc_target_desc_host();
    Translator t;
    set_up(&t, module, options, machine, mlc_machine_is_gpu(desc));
    bool ok = mlc_translate_module(&t) && verify(&t) &&
              mlc_machine_emit(machine, t.module, options, kind, out, &error, &fatal);
    release_maps(&t);
    // After a fatal error in the middle of a pass nothing of LLVM's may be touched.
    if (!fatal) {
        tear_down(&t);
        LLVMDisposeTargetMachine(machine);
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
