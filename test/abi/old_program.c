// old_program.c -- a program that was compiled when records were shorter: old_program.py compiles
// it with headers whose records lack their last field, and runs it with the library as it is. Each
// record ends where a page ends, and the next page may not be read.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mlc/dialects.h"
#include "mlc/dialects/arith.h"
#include "mlc/frontend/onnx.h"
#include "mlc/interp.h"
#include "mlc/ir.h"
#include "mlc/ir/action.h"
#include "mlc/ir/bytecode.h"
#include "mlc/ir/rewrite.h"
#include "mlc/plugin.h"
#include "mlc/runtime.h"
#include "mlc/target.h"

#define EXPECT(condition)                                                                          \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #condition), exit(1)))
// A copy of a record at the end of a page.
#define AT_EDGE(T, ...) ((T *)at_edge(&(T){MLC_SIZED(T), __VA_ARGS__}, sizeof(T)))

static void *
at_edge(const void *record, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    return memcpy(pages + page - size, record, size);
}

static bool
count_ops(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root)
        mlc_pass_count(pass, "ops", 1);
    return true;
}

static size_t num_passes, num_actions;

static void
after_pass(const MlcPassDef *pass, MlcOp *op, bool ok, bool changed, void *user)
{
    (void)pass, (void)op, (void)ok, (void)changed, (void)user;
    num_passes++;
}

static bool
begin_action(const MlcAction *action, void *user)
{
    (void)action, (void)user;
    num_actions++;
    return true;
}

static void
ignore(const MlcDiag *diag, void *user)
{
    (void)diag, (void)user;
}

static MlcOp *
read_function(MlcContext *ctx)
{
    static const char text[] = "func.func @f(%x: i32) -> i32 {\n"
                               "  %c = arith.constant 0 : i32\n"
                               "  %y = arith.addi %x, %c : i32\n"
                               "  return %y : i32\n"
                               "}\n";
    static char source[sizeof text + 1];
    memcpy(source, text, sizeof text);
    MlcParseOptions *options = AT_EDGE(MlcParseOptions, .no_implicit_module = true);
    return mlc_parse_source(ctx, mlc_str(source), mlc_str("text"), options);
}

static void
run_passes(MlcContext *ctx, MlcOp *function)
{
    const MlcPassDef *pass = AT_EDGE(MlcPassDef, .name = "count_ops", .flag = "count-ops",
                                     .summary = "Count ops", .run = count_ops);
    const MlcPlugin *plugin = AT_EDGE(MlcPlugin, .api = MLC_PLUGIN_API, .name = "old",
                                      .version = "1", .passes = &pass, .num_passes = 1);
    MlcBuf error = {0};
    EXPECT(mlc_plugin_register(plugin, &error) && mlc_plugin_load(plugin, ctx));
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.anchor = "func.func";
    MlcPassManager *manager = mlc_pass_manager_create(ctx, at_edge(&config, sizeof config));
    mlc_pass_manager_add_instrumentation(manager, AT_EDGE(MlcInstrumentation, .after = after_pass));
    EXPECT(mlc_pass_manager_parse(manager, mlc_str("func.func(count-ops,canonicalize)")));
    EXPECT(mlc_pass_manager_run(manager, function) && num_passes == 2);
    mlc_pass_manager_destroy(manager);
}

static void
print(MlcOp *function)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    MlcBuf text = {0}, bytes = {0};
    mlc_op_print(function, at_edge(&flags, sizeof flags), &text);
    EXPECT(strstr(mlc_buf_c_str(&text), "return %arg0 : i32"));
    mlc_bytecode_write(function, AT_EDGE(MlcBytecodeWriteOptions, .strip_locations = true), &bytes);
    MlcBytecode *file =
        mlc_bytecode_open(mlc_op_context(function), mlc_buf_str(&bytes), mlc_str("bytes"),
                          AT_EDGE(MlcBytecodeReadOptions, .lazy = true));
    EXPECT(file);
    mlc_op_destroy(mlc_bytecode_root(file));
    mlc_bytecode_close(file);
    mlc_buf_release(&text);
    mlc_buf_release(&bytes);
}

static void
others(MlcContext *ctx, MlcOp *function)
{
    MlcInterp *interp = mlc_interp_create(function, AT_EDGE(MlcInterpConfig, .max_steps = 10));
    mlc_interp_destroy(interp);
    MlcImportStatus status;
    EXPECT(!mlc_onnx_import(ctx, "/no/such/file",
                            AT_EDGE(MlcOnnxImportOptions, .allow_external_links = true), &status));
    MlcRtError fault;
    EXPECT(!mlc_model_load_memory("", 0, AT_EDGE(MlcModelOptions, .init_threads = 1), &fault));
    EXPECT(!mlc_session_create(NULL, &(MlcSessionOptions){.threads = 1}, &fault)); // no size
    EXPECT(fault.status == MLC_RT_ARGUMENT && strstr(fault.message, "MlcSessionOptions"));
}

// A record that does not say its size is the program's fault, and says so.
static void
unset_size(MlcOp *function)
{
    char said[256] = "";
    int ends[2];
    EXPECT(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        mlc_op_print(function, &(MlcPrintFlags){.generic = true}, &(MlcBuf){0});
        _exit(0);
    }
    close(ends[1]);
    int status;
    EXPECT(child > 0 && read(ends[0], said, sizeof said - 1) > 0);
    EXPECT(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    EXPECT(strstr(
        said,
        "a MlcPrintFlags whose 'size' is not set (MLC_SIZED), or which says more than this libmlc knows"));
}

int
main(void)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_set_diag_handler(ctx, ignore, NULL);
    EXPECT(mlc_context_op(ctx, mlc_str("arith.addi")) == &mlc_arith_addi_def);
    mlc_context_set_action_handler(ctx, AT_EDGE(MlcActionHandler, .begin = begin_action));
    MlcOp *function = read_function(ctx);
    EXPECT(function);
    EXPECT(mlc_apply_patterns_greedily(function, mlc_canonicalization_patterns(ctx),
                                       AT_EDGE(MlcGreedyConfig, .max_iterations = 5)));
    EXPECT(num_actions > 0);
    run_passes(ctx, function);
    print(function);
    unset_size(function);
    others(ctx, function);
    mlc_op_destroy(function);
    mlc_context_destroy(ctx);
    return 0;
}
