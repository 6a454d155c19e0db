// mlc-translate -- from other formats into the IR, and from the IR to others.
//
//   mlc-translate --import-onnx model.onnx            graph ops
//   mlc-translate --mlir-to-llvmir module.mlir        LLVM IR for no machine in particular
//   mlc-translate --export-llvmir module.mlir         LLVM IR as translated; --export-asm,
//   --export-ptx, --export-object
//
// Exit code: 0 success, 1 diagnostics were given, 3 a model uses operators that are not there yet.
#include <stdio.h>

#include "expected.h"
#include "extensions.h"
#include "irdl.h"
#include "limit_flags.h"
#include "quota.h"
#include "mlc/dialects.h"
#include "mlc/frontend/onnx.h"
#include "mlc/ir/bytecode.h"
#include "mlc/ir/context.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/text.h"
#include "mlc/ir/verify.h"
#include "mlc/support/cli.h"
#include "mlc/support/file.h"
#include "mlc/target.h"
#include "split.h"
#include "tool.h"

typedef struct Options {
    bool help, version;
    bool debug_records, no_implicit_module, verify_diagnostics;
    bool import_onnx, mlir_to_llvmir, export_llvmir, export_asm, export_ptx, export_object;
    bool irdl_to_yaml, yaml_to_irdl;
    bool allow_external_links, optimize, generic, debug_info, allow_unregistered, loop_vectorize,
        slp_vectorize;
    int64_t opt_level, elide;
    MlcStr target, output, split, dialect_to_irdl;
    MlcStrVec dims, items;
    MlcLimits limits;
    QuotaFlags quota;
    Extensions extensions;
} Options;

static int
fail(const char *message)
{
    fprintf(stderr, "mlc-translate: %s\n", message);
    return 1;
}

static bool
write_output(const Options *o, const MlcBuf *text)
{
    MlcBuf error = {0};
    tool_quota_end();
    bool ok = mlc_file_write_atomic(o->output.data, text->data, text->size, &error);
    if (!ok)
        fail(mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

static MlcContext *
create_context(const Options *o)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    *mlc_context_limits(ctx) = o->limits;
    mlc_context_allow_unregistered(ctx, o->allow_unregistered);
    return ctx;
}

static int
import_model(MlcContext *ctx, const Options *o, const char *path)
{
    MlcImportStatus status;
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions),
                                    .allow_external_links = o->allow_external_links,
                                    .dims = o->dims.data,
                                    .num_dims = o->dims.size,
                                    .items = o->items.data,
                                    .num_items = o->items.size};
    MlcOp *module = mlc_onnx_import(ctx, path, &options, &status);
    if (!module)
        return status == MLC_IMPORT_UNSUPPORTED ? 3 : 1;
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = o->generic;
    flags.debug_info = o->debug_info;
    flags.assume_verified = true;
    flags.elide_elements_over = flags.elide_resources_over = o->elide;
    MlcBuf text = {0};
    mlc_op_print(module, &flags, &text);
    bool ok = write_output(o, &text);
    mlc_buf_release(&text);
    mlc_op_destroy(module);
    return ok ? 0 : 1;
}

static const MlcTargetDesc *
find_target(const Options *o)
{
    MlcStr name = o->target;
    if (name.size == 0)
        name = mlc_str(o->export_ptx ? "cuda-sm_80" : "host");
    const MlcTargetDesc *desc = mlc_target_desc_find(name);
    if (desc)
        return desc;
    fprintf(stderr, "mlc-translate: unknown target '%.*s': there are host", MLC_STR_FMT(name));
    for (size_t i = 0; i < mlc_num_target_descs(); i++)
        fprintf(stderr, ", %s", mlc_target_desc_at(i)->name);
    fputc('\n', stderr);
    return NULL;
}

static bool
export_module(MlcOp *module, const Options *o, MlcBuf *out)
{
    MlcBuf error = {0};
    const MlcTargetApi *api = mlc_target_open(&error);
    if (!api)
        fail(mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    MlcTargetOptions options = {MLC_SIZED(MlcTargetOptions),
                                .desc = o->mlir_to_llvmir ? NULL : find_target(o),
                                .opt_level = (int)o->opt_level, .loop_vectorize = o->loop_vectorize,
                                .slp_vectorize = o->slp_vectorize};
    // The IR that a test reads is what the translation made; code is what users run.
    if (o->export_llvmir && !o->optimize && options.opt_level == 0)
        options.opt_level = -1;
    MlcEmit kind = o->mlir_to_llvmir  ? MLC_EMIT_TRANSLATION
                   : o->export_llvmir ? MLC_EMIT_LLVM_IR
                   : o->export_object ? MLC_EMIT_OBJECT
                                      : MLC_EMIT_ASSEMBLY;
    return api && (options.desc || o->mlir_to_llvmir) && api->emit(module, &options, kind, out);
}

static bool
export_text(MlcContext *ctx, MlcStr text, MlcStr name, const Options *o, MlcBuf *out)
{
    MlcParseOptions options = {MLC_SIZED(MlcParseOptions),
                               .no_implicit_module = o->no_implicit_module};
    if (!extensions_load(&o->extensions, ctx) ||
        (mlc_is_bytecode(text) && !mlc_load_recorded(ctx, text, name)))
        return false;
    MlcOp *module = mlc_parse_source(ctx, text, name, &options);
    bool ok = module && mlc_verify(module) &&
              (o->irdl_to_yaml ? irdl_to_yaml(module, out) : export_module(module, o, out));
    mlc_diag_flush(ctx);
    if (module)
        mlc_op_destroy(module);
    return ok;
}

// A file, or a part of it.
static bool
export_part(MlcStr text, MlcStr name, void *user, MlcBuf *out)
{
    const Options *o = user;
    MlcContext *ctx = create_context(o);
    bool ok;
    if (o->verify_diagnostics) {
        ExpectedCheck check;
        bool readable = expected_read(&check, ctx, name, text);
        mlc_context_set_diag_handler(ctx, expected_handle, &check);
        (void)export_text(ctx, text, name, o, out);
        ok = expected_finish(&check) && readable;
    } else {
        ok = export_text(ctx, text, name, o, out);
    }
    mlc_context_destroy(ctx);
    return ok;
}

static int
export_file(Options *o, const char *path)
{
    MlcFile file;
    MlcBuf error = {0}, out = {0};
    if (!mlc_file_open(&file, path, MLC_FILE_PRIVATE, &error)) {
        fail(mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return 1;
    }
    MlcStr text = mlc_str_n(file.data, file.size),
           name = mlc_str(strcmp(path, "-") == 0 ? "<stdin>" : path);
    bool ok = o->split.size ? split_and_process(text, name.data, o->split, mlc_str_n("", 0),
                                                export_part, o, &out)
                            : export_part(text, name, o, &out);
    if (ok || o->split.size || o->verify_diagnostics)
        ok = write_output(o, &out) && ok;
    mlc_buf_release(&out);
    mlc_file_release(&file);
    return ok ? 0 : 1;
}

// A dialect that is registered, or that the YAML at `path` defines.
static int
write_irdl(MlcContext *ctx, const Options *o, const char *path)
{
    MlcBuf out = {0};
    bool ok = extensions_load(&o->extensions, ctx) &&
              (o->yaml_to_irdl ? yaml_to_irdl(ctx, path, &out)
                               : dialect_to_irdl(ctx, o->dialect_to_irdl, &out)) &&
              write_output(o, &out);
    mlc_buf_release(&out);
    return ok ? 0 : 1;
}

static int
translate(Options *o, const char *path)
{
    if (!o->import_onnx && !o->yaml_to_irdl && !o->dialect_to_irdl.size)
        return export_file(o, path);
    MlcContext *ctx = create_context(o);
    int code = o->import_onnx ? import_model(ctx, o, path) : write_irdl(ctx, o, path);
    mlc_diag_flush(ctx);
    mlc_context_destroy(ctx);
    return code;
}

static bool
set_split(void *target, MlcStr name, MlcStr value, MlcBuf *error)
{
    (void)name, (void)error;
    ((Options *)target)->split = value.size ? value : mlc_str(SPLIT_DEFAULT_MARKER);
    return true;
}

#define FORMATS                                                                                    \
    "--import-onnx, --mlir-to-llvmir, --export-llvmir, --export-asm, --export-ptx, "               \
    "--export-object, --irdl-to-yaml, --yaml-to-irdl or --dialect-to-irdl"

static int
num_formats(const Options *o)
{
    return o->import_onnx + o->mlir_to_llvmir + o->export_llvmir + o->export_asm + o->export_ptx +
           o->export_object + o->irdl_to_yaml + o->yaml_to_irdl + (o->dialect_to_irdl.size > 0);
}

int
main(int argc, char **argv)
{
    Options o = {.output = mlc_str("-"), .elide = -1, .limits = *mlc_limits_default()};
    const MlcCliOption table[] = {
        {"help", MLC_CLI_FLAG, &o.help, NULL, "this list", NULL},
        {"version", MLC_CLI_FLAG, &o.version, NULL, "print the version", NULL},
        {"import-onnx", MLC_CLI_FLAG, &o.import_onnx, NULL, "an ONNX model to graph ops", NULL},
        {"allow-external-links", MLC_CLI_FLAG, &o.allow_external_links, NULL,
         "--import-onnx: follow links to data out of the model's folder", NULL},
        {"items", MLC_CLI_LIST, &o.items, "NAME=SHAPES",
         "--import-onnx: what a sequence or optional input holds: seq=2x3:4x3, seq=empty, opt=none",
         NULL},
        {"dim", MLC_CLI_LIST, &o.dims, "NAME=SIZE",
         "--import-onnx: the size of a dimension that the model leaves open: batch=4, image.0=4",
         NULL},
        {"irdl-to-yaml", MLC_CLI_FLAG, &o.irdl_to_yaml, NULL,
         "the dialects of a file in IRDL to YAML", NULL},
        {"yaml-to-irdl", MLC_CLI_FLAG, &o.yaml_to_irdl, NULL, "a dialect's YAML to IRDL", NULL},
        {"dialect-to-irdl", MLC_CLI_STRING, &o.dialect_to_irdl, "name",
         "a dialect that is registered to IRDL; no input file", NULL},
        {"mlir-to-llvmir", MLC_CLI_FLAG, &o.mlir_to_llvmir, NULL,
         "the llvm dialect to LLVM IR for no machine, as mlir-translate prints it", NULL},
        {"split-input-file", MLC_CLI_EVENT, &o, "marker",
         "treat parts between '// -----' (or marker) lines as files of their own", set_split},
        {"verify-diagnostics", MLC_CLI_FLAG, &o.verify_diagnostics, NULL,
         "compare diagnostics with comments like '// expected-error {{...}}'", NULL},
        {"no-implicit-module", MLC_CLI_FLAG, &o.no_implicit_module, NULL,
         "do not put a module around a file that is none", NULL},
        {"write-experimental-debuginfo", MLC_CLI_FLAG, &o.debug_records, NULL,
         "--mlir-to-llvmir: accepted; LLVM writes debug information as records", NULL},
        {"export-llvmir", MLC_CLI_FLAG, &o.export_llvmir, NULL,
         "the llvm dialect to LLVM IR, as translated", NULL},
        {"export-asm", MLC_CLI_FLAG, &o.export_asm, NULL, "the llvm dialect to assembly", NULL},
        {"export-ptx", MLC_CLI_FLAG, &o.export_ptx, NULL, "the functions of gpu.modules to PTX",
         NULL},
        {"export-object", MLC_CLI_FLAG, &o.export_object, NULL,
         "the llvm dialect to an ELF object file", NULL},
        {"target", MLC_CLI_STRING, &o.target, "name", "machine to generate code for; default: host",
         NULL},
        {"O", MLC_CLI_INT, &o.opt_level, "level", "LLVM's effort, 1 to 3; default: 2", NULL},
        {"optimize", MLC_CLI_FLAG, &o.optimize, NULL, "--export-llvmir: after LLVM's passes", NULL},
        {"llvm-loop-vectorize", MLC_CLI_FLAG, &o.loop_vectorize, NULL, "run LLVM's loop vectoriser",
         NULL},
        {"llvm-slp-vectorize", MLC_CLI_FLAG, &o.slp_vectorize, NULL, "run LLVM's SLP vectoriser",
         NULL},
        {"allow-unregistered-dialect", MLC_CLI_FLAG, &o.allow_unregistered, NULL,
         "keep ops that no dialect defines", NULL},
        {"mlir-print-op-generic", MLC_CLI_FLAG, &o.generic, NULL, "print the generic form", NULL},
        {"mlir-print-debuginfo", MLC_CLI_FLAG, &o.debug_info, NULL, "print locations", NULL},
        {"mlir-elide-elementsattrs-if-larger", MLC_CLI_INT, &o.elide, "elements",
         "leave out bigger constants", NULL},
        EXTENSIONS_CLI(&o.extensions),
        LIMIT_OPTIONS(&o.limits),
        QUOTA_OPTIONS(&o.quota),
        {"o", MLC_CLI_STRING, &o.output, "file", "where to; default: standard output", NULL},
    };
    tool_begin("mlc-translate");
    const size_t num_options = sizeof table / sizeof table[0];
    MlcStrVec files = {0};
    MlcBuf error = {0};
    int code = 1;
    int formats = 0;
    if (!mlc_cli_parse(table, num_options, argc, argv, &files, &error))
        fprintf(stderr, "%s\n", mlc_buf_c_str(&error));
    else if (o.help) {
        mlc_cli_help(&error, "mlc-translate --import-onnx|--export-llvmir|... file",
                     "From other formats into the IR, and from the IR to others.", table,
                     num_options);
        fputs(mlc_buf_c_str(&error), stdout);
        code = 0;
    } else if (o.version) {
        tool_print_version(NULL);
        code = 0;
    } else if ((formats = num_formats(&o)) != 1)
        fail(formats == 0 ? "say what to do: " FORMATS : "only one format at a time");
    else if (o.dims.size > 0 && !o.import_onnx)
        fail("--dim is for --import-onnx");
    else if (o.items.size > 0 && !o.import_onnx)
        fail("--items is for --import-onnx");
    else if (files.size > 1)
        fail("only one input file at a time");
    else if (tool_quota_begin(&o.quota)) {
        code = translate(&o, files.size ? files.data[0].data : "-");
        tool_quota_end();
    }
    mlc_buf_release(&error);
    mlc_vec_release(&files);
    extensions_release(&o.extensions);
    mlc_vec_release(&o.dims);
    mlc_vec_release(&o.items);
    return tool_end(code);
}
