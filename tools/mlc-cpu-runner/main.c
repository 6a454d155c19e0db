// main.c -- mlc-cpu-runner: compiles a module in the llvm dialect in this process and calls one of
// its functions; with mlir-cpu-runner's spellings of flags and messages.
//
//   mlc-opt file.mlir --convert-to-llvm | mlc-cpu-runner -e main -entry-point-result=void
//   --shared-libs=libmlc_runner_utils.so
//
// Exit code: 0, or 1 after messages.
#include <inttypes.h>
#include <stdio.h>

#include "limit_flags.h"
#include "shared_libs.h"
#include "tool.h"

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"
#include "mlc/support/file.h"
#include "mlc/target.h"

typedef struct Options {
    bool help, version, no_implicit_module;
    bool levels[4];               // -O0 to -O3
    bool matrix, matrix_contract; // accepted: matrices are always lowered
    MlcStr entry, result, matrix_layout;
    MlcStrVec shared_libs;
    MlcLimits limits;
} Options;

static bool
fail(const char *message)
{
    fprintf(stderr, "Error: %s\n", message);
    return false;
}

// What -entry-point-result may say.
typedef struct Result {
    const char *name;
    const char *type;
    const char *mismatch;
    void (*call)(void *code); // and prints what it returns
} Result;

static void
call_void(void *code)
{
    ((void (*)(void))(uintptr_t)code)();
}

static void
call_i32(void *code)
{
    printf("%" PRId32 "\n", ((int32_t(*)(void))(uintptr_t)code)());
}

static void
call_i64(void *code)
{
    printf("%" PRId64 "\n", ((int64_t(*)(void))(uintptr_t)code)());
}

static void
call_f32(void *code)
{
    printf("%e\n", (double)((float (*)(void))(uintptr_t)code)());
}

static const Result results[] = {
    {"f32", "f32", "only single f32 function result supported", call_f32},
    {"i32", "i32", "only single i32 function result supported", call_i32},
    {"i64", "i64", "only single i64 function result supported", call_i64},
    {"void", "!llvm.void", "expected void function", call_void},
};

static const Result *
find_result(MlcStr name)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (mlc_str_equal(name, mlc_str(results[i].name)))
            return &results[i];
    return NULL;
}

static const char *
text_of(MlcType function, size_t param)
{
    MlcAttr attr = mlc_dialect_type_param(function, param);
    return mlc_type_text(mlc_type_attr_value(attr));
}

static bool
check_entry(MlcOp *module, const Options *o, const Result *result)
{
    MlcOp *entry = mlc_symbol_lookup(module, o->entry);
    if (!entry || strcmp(mlc_op_def(entry)->name, "llvm.func") != 0 ||
        mlc_region_is_empty(mlc_op_region(entry, 0)))
        return fail("entry point not found");
    MlcType type = mlc_type_attr_value(mlc_op_attr(entry, "function_type"));
    if (mlc_array_attr_size(mlc_dialect_type_param(type, 1)) > 0)
        return fail("function inputs not supported");
    return strcmp(text_of(type, 0), result->type) == 0 || fail(result->mismatch);
}

static bool
run(MlcOp *module, const Options *o, const Result *result)
{
    MlcTargetOptions options = {MLC_SIZED(MlcTargetOptions), .opt_level = o->levels[3]   ? 3
                                                                          : o->levels[2] ? 2
                                                                          : o->levels[1] ? 1
                                                                                         : -1};
    MlcJit *jit;
    if (!mlc_target_jit_module(module, &options, &jit))
        return false;
    void *code = mlc_target_jit_function(module, jit, o->entry);
    bool ok = code && mlc_target_jit_call_all(module, jit, false);
    if (ok) {
        result->call(code);
        ok = mlc_target_jit_call_all(module, jit, true);
    }
    fflush(stdout);
    mlc_target_open(NULL)->jit_destroy(jit);
    return ok;
}

static bool
run_text(const Options *o, MlcStr text, MlcStr name)
{
    const Result *result = find_result(o->result);
    if (!result)
        return fail("unsupported function type");
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    *mlc_context_limits(ctx) = o->limits;
    MlcParseOptions options = {MLC_SIZED(MlcParseOptions),
                               .no_implicit_module = o->no_implicit_module};
    MlcOp *module = mlc_parse_source(ctx, text, name, &options);
    bool ok = module && mlc_verify(module);
    if (!ok)
        fail("could not parse the input IR");
    else if (!mlc_op_has_trait(module, MLC_TRAIT_SYMBOL_TABLE))
        ok = fail("top-level op must be a symbol table.");
    else
        ok = check_entry(module, o, result) && run(module, o, result);
    mlc_diag_flush(ctx);
    if (module)
        mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    return ok;
}

static bool
run_file(const Options *o, const char *path)
{
    MlcFile file;
    MlcBuf error = {0};
    bool ok = shared_libs_open(&o->shared_libs, &error) &&
              mlc_file_open(&file, path, MLC_FILE_PRIVATE, &error);
    if (ok) {
        const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
        ok = run_text(o, mlc_str_n(file.data, file.size), mlc_str(name));
        mlc_file_release(&file);
    } else {
        fail(mlc_buf_c_str(&error));
    }
    mlc_buf_release(&error);
    return ok;
}

static void
show_help(const MlcCliOption *table, size_t num_options)
{
    MlcBuf text = {0};
    mlc_cli_help(&text, "mlc-cpu-runner [options] [file.mlir]",
                 "Compiles a module in the llvm dialect and calls one of its functions.", table,
                 num_options);
    fputs(mlc_buf_c_str(&text), stdout);
    mlc_buf_release(&text);
}

int
main(int argc, char **argv)
{
    Options o = {
        .entry = mlc_str("main"), .result = mlc_str("f32"), .limits = *mlc_limits_default()};
    const MlcCliOption table[] = {
        {"help", MLC_CLI_FLAG, &o.help, NULL, "this list", NULL},
        {"version", MLC_CLI_FLAG, &o.version, NULL, "print the version", NULL},
        {"e", MLC_CLI_STRING, &o.entry, "name", "the function to call; default: main", NULL},
        {"entry-point-result", MLC_CLI_STRING, &o.result, "type",
         "what it returns, which is printed: f32 (the default), i32, i64 or void", NULL},
        {"shared-libs", MLC_CLI_LIST, &o.shared_libs, "a.so,b.so",
         "libraries with functions that the module declares", NULL},
        {"O0", MLC_CLI_FLAG, &o.levels[0], NULL, "no passes of LLVM's (the default)", NULL},
        {"O1", MLC_CLI_FLAG, &o.levels[1], NULL, "few", NULL},
        {"O2", MLC_CLI_FLAG, &o.levels[2], NULL, "as many as mlc compile has", NULL},
        {"O3", MLC_CLI_FLAG, &o.levels[3], NULL, "and most effort in code generation", NULL},
        {"enable-matrix", MLC_CLI_FLAG, &o.matrix, NULL,
         "accepted; intrinsics of matrices always are lowered", NULL},
        {"matrix-allow-contract", MLC_CLI_FLAG, &o.matrix_contract, NULL, NULL, NULL},
        {"matrix-default-layout", MLC_CLI_STRING, &o.matrix_layout, "layout",
         "of matrices in vectors: column-major", NULL},
        {"no-implicit-module", MLC_CLI_FLAG, &o.no_implicit_module, NULL,
         "do not put a module around a file that is none", NULL},
        LIMIT_OPTIONS(&o.limits),
    };
    const size_t num_options = sizeof table / sizeof *table;
    MlcStrVec files = {0};
    MlcBuf error = {0};
    bool ok = true;
    tool_begin("mlc-cpu-runner");
    if (!mlc_cli_parse(table, num_options, argc, argv, &files, &error)) {
        fprintf(stderr, "mlc-cpu-runner: %s\n", mlc_buf_c_str(&error));
        ok = false;
    } else if (o.help) {
        show_help(table, num_options);
    } else if (o.version) {
        tool_print_version(NULL);
    } else if (o.matrix_layout.size && !mlc_str_equal(o.matrix_layout, mlc_str("column-major"))) {
        ok = fail("matrices are column-major");
    } else if (files.size > 1) {
        ok = fail("only one input file at a time");
    } else {
        ok = run_file(&o, files.size ? files.data[0].data : "-");
    }
    mlc_buf_release(&error);
    mlc_vec_release(&files);
    mlc_vec_release(&o.shared_libs);
    return tool_end(ok ? 0 : 1);
}
