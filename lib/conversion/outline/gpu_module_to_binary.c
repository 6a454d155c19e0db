// gpu_module_to_binary.c -- each gpu.module becomes a gpu.binary with its code, compiled for its
// targets.
//
// What is made is text (`format=isa`): PTX for NVIDIA, whose drivers have the assembler, and AMD's
// assembly, which llvm-mc and ld.lld make a code object of. libmlc_target is opened when there is
// something to compile.
#include "mlc/pass.h"
#include "mlc/target.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvvm.h"

static MlcStr
param_text(MlcAttr target, size_t i)
{
    return mlc_string_attr_value(mlc_dialect_attr_param(target, i));
}

// Where the parameters of both kinds of targets stand; AMD's have an ABI behind the features.
enum { LEVEL, TRIPLE, CHIP, FEATURES, LINK = 5 };

// The text for a target; false after an error at the module.
static bool
compile(MlcOp *module, MlcAttr target, const MlcTargetApi *api, MlcBuf *out)
{
    bool is_amd = mlc_attr_isa(target, "rocdl.target");
    const char *prefix = is_amd ? "amdgcn" : "nvptx";
    if (!is_amd && !mlc_attr_isa(target, "nvvm.target"))
        return mlc_op_unsupported(module, "code for %s is not made", mlc_attr_text(target));
    MlcAttr link = mlc_dialect_attr_param(target, is_amd ? LINK + 1 : LINK);
    if (link && mlc_array_attr_size(link) > 0)
        return mlc_op_unsupported(module, "files that its target links are not read");
    MlcStr triple = param_text(target, TRIPLE);
    if (triple.size < strlen(prefix) || memcmp(triple.data, prefix, strlen(prefix)) != 0)
        return mlc_op_error(module, "its target's triple '%.*s' is not %s's", MLC_STR_FMT(triple),
                            prefix);
    MlcTargetDesc desc = *mlc_target_desc_find(mlc_str("cuda-sm_80"));
    desc.triple = triple.data;
    desc.cpu = param_text(target, CHIP).data;
    desc.features = param_text(target, FEATURES).data;
    int64_t level = mlc_attr_as_int(mlc_dialect_attr_param(target, LEVEL));
    MlcTargetOptions options = {MLC_SIZED(MlcTargetOptions), .desc = &desc, .cache_dir = "",
                                .opt_level = level > 0 ? (int)level : -1};
    return api->emit(module, &options, MLC_EMIT_ASSEMBLY, out);
}

static MlcAttr
object_of(MlcContext *ctx, MlcAttr target, const MlcBuf *text)
{
    MlcAttr format = mlc_enum_attr_get(ctx, &mlc_gpu_compilation_target_attr_def,
                                       MLC_GPU_COMPILATION_TARGET_ASSEMBLY);
    MlcAttr params[4] = {target, format, mlc_string_attr_get(ctx, mlc_buf_str(text)), NULL};
    return mlc_dialect_attr_get(ctx, &mlc_gpu_object_attr_def, params, 4);
}

static bool
to_binary(MlcOp *module)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcAttr targets = mlc_gpu_module_targets(module),
            handler = mlc_op_attr(module, "offloadingHandler");
    MLC_VEC(MlcAttr) objects = {0};
    MlcBuf text = {0}, error = {0};
    if (!targets)
        return mlc_op_error(module, "the module has no target attributes");
    const MlcTargetApi *api = mlc_target_open(&error);
    bool ok = api || mlc_op_error(module, "%s", mlc_buf_c_str(&error));
    for (size_t i = 0; ok && i < mlc_array_attr_size(targets); i++) {
        MlcAttr target = mlc_array_attr_element(targets, i);
        mlc_buf_clear(&text);
        ok = compile(module, target, api, &text);
        if (ok)
            mlc_vec_push(&objects, object_of(ctx, target, &text));
    }
    if (ok) {
        MlcBuilder b;
        mlc_builder_init(&b, ctx);
        mlc_builder_before(&b, module);
        MlcOp *made = mlc_gpu_binary(&b, mlc_symbol_name(module),
                                     mlc_array_attr_get(ctx, objects.data, objects.size));
        if (handler)
            mlc_op_set_attr(made, "offloadingHandler", handler);
        mlc_op_erase(module);
    }
    mlc_vec_release(&objects);
    mlc_buf_release(&text);
    mlc_buf_release(&error);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_gpu_module_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcStr format = mlc_pass_option_str(pass, "format");
    bool ok = true;
    if (!mlc_str_equal(format, mlc_str("isa")) && !mlc_str_equal(format, mlc_str("assembly")))
        ok = mlc_op_unsupported(root, "of the formats only isa is made, not %.*s",
                                MLC_STR_FMT(format));
    MLC_FOR_EACH_OF_KIND (module, root, &mlc_gpu_module_def)
        ok = ok && to_binary(module);
    return ok;
}

static const MlcPassOption options[] = {
    {"format", MLC_OPTION_STRING, "isa", "what the objects are: isa, which is text"},
};

MLC_PASS(gpu_module_to_binary, .flag = "gpu-module-to-binary",
         .summary = "Compile GPU modules to binaries", .options = options, .num_options = 1,
         .converts = converts, .run = run)
