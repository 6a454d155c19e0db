// compile.c -- mlc compile, and what run and inspect compile in memory: read, lower level by level,
// write the artefact.
//
// Lowering is nothing but the named pipelines of the levels, one after the other; mlc-opt runs the
// same ones.
#include "compilation.h"
#include "shared_libs.h"

#include "mlc/dialects.h"
#include "mlc/frontend/onnx.h"
#include "mlc/ir.h"
#include "mlc/ir/bytecode.h"
#include "mlc/ir/extension.h"
#include "mlc/ir/rule.h"
#include "mlc/ir/text.h"
#include "mlc/passes/numerics.h"
#include "mlc/object.h"
#include "mlc/pass.h"
#include "mlc/support/file.h"
#include "mlc/support/pool.h"
#include "mlc/target.h"

#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Level {
    const char *name;
    const char *pipeline; // what leads here from the level before
    int percent;          // of the time for all, when it is reached: what CNNs take
} Level;

static const Level cpu_levels[] = {
    {"import", NULL, 5},
    {"graph", "graph-pipeline", 12},
    {"kernels", "cpu-kernels-pipeline", 13},
    {"linalg", "linalg-pipeline", 18},
    {"vector", "vector-pipeline", 26},
    {"memref", "memref-pipeline", 28},
    {"affine", "affine-pipeline", 36},
    {"scf", "scf-pipeline", 38},
    {"llvm", "llvm-pipeline", 42},
};
// With kernels for a device: the same number of levels, whose last ones are the host's.
static const Level device_levels[] = {
    {"import", NULL, 5},
    {"graph", "gpu-graph-pipeline", 12},
    {"kernels", "kernels-pipeline", 13},
    {"linalg", "gpu-linalg-pipeline", 18},
    {"gpu", "gpu-launch-pipeline", 26},
    {"memory", "gpu-memory-pipeline", 28},
    {"nvvm", "nvvm-pipeline", 36},
    {"scf", "scf-pipeline", 38},
    {"llvm", "llvm-pipeline", 42},
};
enum {
    NUM_LEVELS = sizeof cpu_levels / sizeof *cpu_levels,
    LEVEL_GRAPH = 1,
    LEVEL_NVVM = 6, // the last one of the device's
};
static_assert(sizeof device_levels == sizeof cpu_levels, "levels are counted");

static const Level *
levels_of(const Compilation *c)
{
    return c->targets.num_devices ? device_levels : cpu_levels;
}

// A bar on a terminal. NULL takes it away.
static void
progress(const char *what, double percent)
{
    enum { WIDTH = 24 };
    static const char bar[] = "########################";
    if (!isatty(STDERR_FILENO))
        return;
    int full = (int)(percent / 100 * WIDTH + .5);
    if (what)
        fprintf(stderr, "\r\033[Kmlc: [%.*s%*s] %3.0f %% %s", full, bar, WIDTH - full, "", percent,
                what);
    else
        fprintf(stderr, "\r\033[K");
}

// Of the way from the compilation's level to the next one.
static void
pass_done(size_t done, size_t total, const MlcPassDef *pass, void *user)
{
    const Compilation *c = user;
    const Level *from = &levels_of(c)[c->level], *to = from + 1;
    progress(pass->flag,
             from->percent + (double)(to->percent - from->percent) * (double)done / (double)total);
}

static void
part_done(size_t done, size_t total, void *user)
{
    (void)user;
    double from = cpu_levels[NUM_LEVELS - 1].percent;
    progress("generating code", from + (100 - from) * (double)done / (double)total);
}

// The level that a file begins at: `mlc.level` of the module, which isolated kernels have.
static int
take_level(Compilation *c)
{
    MlcAttr level = mlc_op_attr(c->module, "mlc.level");
    if (!level)
        return EXIT_OK;
    while (mlc_attr_is(level, MLC_ATTR_STRING) && c->level < NUM_LEVELS) {
        if (mlc_str_equal(mlc_string_attr_value(level), mlc_str(levels_of(c)[c->level].name)))
            return EXIT_OK;
        c->level++;
    }
    mlc_op_error(c->module, "has 'mlc.level' that is no level: mlc inspect --level lists them");
    return EXIT_WRONG;
}

static int
read_text(Compilation *c, const char *path)
{
    MlcBuf error = {0};
    if (!mlc_file_open(&c->text, path, MLC_FILE_PRIVATE, &error))
        return report(&error);
    MlcStr text = mlc_str_n(c->text.data, c->text.size);
    mlc_context_add_source(c->ctx, mlc_str(path), text);
    if (mlc_is_bytecode(text) && !mlc_load_recorded(c->ctx, text, mlc_str(path)))
        return EXIT_WRONG;
    c->module = mlc_parse_source(c->ctx, text, mlc_str(path), NULL);
    return c->module && mlc_verify(c->module) ? take_level(c) : EXIT_WRONG;
}

// Errors and warnings; what passes remark on their decisions is for mlc-opt.
static void
print_diagnostic(const MlcDiag *diag, void *user)
{
    if (diag->severity == MLC_REMARK)
        return;
    progress(NULL, 0);
    mlc_diag_print(user, diag, stderr);
}

MlcStr
model_stem(const char *path)
{
    MlcStr base = mlc_path_base(mlc_str(path));
    const char *dot = memrchr(base.data, '.', base.size);
    return dot && dot > base.data ? mlc_str_n(base.data, (size_t)(dot - base.data)) : base;
}

static int
read_model(Compilation *c, const char *path, bool only_signature)
{
    static const int codes[] = {EXIT_OK, EXIT_WRONG, EXIT_UNSUPPORTED}; // by MlcImportStatus
    const CompileOptions *o = c->options;
    MlcImportStatus status;
    MlcArena arena;
    MlcStrVec libraries = {0};
    mlc_arena_init(&arena);
    shared_libs_list(&o->shared_libs, &arena, &libraries);
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions),
                                    .allow_external_links = o->allow_external_links,
                                    .needs_sizes = !o->keeps_open_dims && !only_signature,
                                    .only_signature = only_signature,
                                    .dims = only_signature ? NULL : o->dims.data,
                                    .num_dims = only_signature ? 0 : o->dims.size,
                                    .names_sizes = o->names_open_dims,
                                    .values = o->values,
                                    .num_values = o->num_values,
                                    .items = o->items.data,
                                    .num_items = o->items.size,
                                    .libraries = libraries.data,
                                    .num_libraries = libraries.size,
                                    .interprets = !o->require_compiled};
    c->module = mlc_onnx_import(c->ctx, path, &options, &status);
    mlc_vec_release(&libraries);
    mlc_arena_release(&arena);
    return codes[status];
}

static int
read_file(Compilation *c, const char *path)
{
    const char *end = strrchr(path, '.');
    c->ctx = mlc_context_create();
    mlc_context_set_diag_handler(c->ctx, print_diagnostic, c->ctx);
    mlc_register_all_dialects(c->ctx);
    if (!extensions_load(&c->options->extensions, c->ctx))
        return EXIT_WRONG;
    progress("reading", 0);
    if (end && strcmp(end, ".mlir") == 0)
        return check_no_model_options(path, c->options) ? read_text(c, path) : EXIT_WRONG;
    int code = read_model(c, path, false);
    if (c->module && !mlc_op_attr(c->module, "sym_name"))
        mlc_op_set_attr(c->module, "sym_name", mlc_string_attr_get(c->ctx, model_stem(path)));
    return code;
}

int
read_signature(const char *path, const CompileOptions *options,
               int (*look)(MlcOp *module, void *user), void *user)
{
    Compilation c = {.ctx = mlc_context_create(), .options = options};
    mlc_context_set_diag_handler(c.ctx, print_diagnostic, c.ctx);
    mlc_register_all_dialects(c.ctx);
    int code = read_model(&c, path, true);
    if (code == EXIT_OK)
        code = look(c.module, user);
    mlc_diag_flush(c.ctx);
    if (c.module)
        mlc_op_destroy(c.module);
    mlc_context_destroy(c.ctx);
    return code;
}

// The module says which rewrites may round differently; the passes that have some ask it.
static int
set_numerics(Compilation *c)
{
    MlcStr name = c->options->numerics;
    MlcNumerics numerics;
    if (name.size == 0)
        return EXIT_OK;
    if (!mlc_numerics_find(name, &numerics)) {
        fprintf(stderr, "mlc: --numerics is strict, default or fast, not '%.*s'\n",
                MLC_STR_FMT(name));
        return EXIT_WRONG;
    }
    mlc_op_set_attr(c->module, "mlc.numerics", mlc_string_attr_get(c->ctx, name));
    return EXIT_OK;
}

static int
set_max_arena(Compilation *c)
{
    int64_t bytes;
    if (c->options->max_arena.size == 0)
        return EXIT_OK;
    if (!tool_read_size("max-arena", c->options->max_arena, &bytes))
        return EXIT_WRONG;
    mlc_op_set_attr(c->module, "mlc.max_arena", mlc_i64_attr_get(c->ctx, bytes));
    return EXIT_OK;
}

static int
set_host_kernels(Compilation *c)
{
    MlcStr kernels = c->options->host_kernels;
    if (kernels.size == 0)
        return EXIT_OK;
    if (c->targets.num_devices == 0) {
        fprintf(stderr, "mlc: --host-kernels is for models with kernels for a device "
                        "(--target=cuda-...)\n");
        return EXIT_WRONG;
    }
    mlc_op_set_attr(c->module, "mlc.host_kernels", mlc_string_attr_get(c->ctx, kernels));
    return EXIT_OK;
}

static const char *
pipeline_text(const char *name)
{
    const MlcPipelineDef *pipeline = mlc_pipeline_find(mlc_str(name));
    return pipeline ? pipeline->text : NULL;
}

// One file is not both: a slip of the hand would overwrite the model.
static bool
check_not_same(const char *model, const char *out)
{
    struct stat a, b;
    if (stat(model, &a) != 0 || stat(out, &b) != 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
        return true;
    fprintf(stderr, "mlc: '%s' is the model itself: another file must take the artefact\n", out);
    return false;
}

// By all lowerings of --load-rules, and by what ops mean, so that ops of loaded dialects are gone
// before the first level.
static int
lower_loaded(Compilation *c)
{
    size_t num_sets = mlc_num_rule_sets(c->ctx);
    bool is_loaded = num_sets || mlc_context_num_extensions(c->ctx);
    for (size_t i = 0; i < num_sets; i++)
        if (!mlc_lower(c->module, mlc_rule_set_at(c->ctx, i)))
            return EXIT_WRONG;
    if (is_loaded && !mlc_lower_semantics(c->module))
        return EXIT_WRONG;
    return !is_loaded || mlc_verify(c->module) ? EXIT_OK : EXIT_WRONG;
}

int
compilation_begin(Compilation *c, const char *path, const CompileOptions *options)
{
    *c = (Compilation){.options = options};
    if (!targets_find(options->target, &c->targets))
        return EXIT_WRONG;
    if (!tool_quota_begin(&options->quota))
        return EXIT_WRONG;
    int code = read_file(c, path);
    if (code == EXIT_OK && options->require_compiled)
        mlc_op_set_attr(c->module, "mlc.require_compiled", mlc_unit_attr_get(c->ctx));
    if (code == EXIT_OK)
        code = set_max_arena(c);
    if (code == EXIT_OK)
        code = set_host_kernels(c);
    if (code == EXIT_OK)
        code = set_numerics(c);
    return code == EXIT_OK ? lower_loaded(c) : code;
}

// Of what failed with errors: whether all say that something is not supported.
static int
failure_code(const Compilation *c)
{
    uint64_t num_errors = mlc_context_num_errors(c->ctx);
    bool is_valid = num_errors > 0 && num_errors == mlc_context_num_unsupported(c->ctx);
    return is_valid ? EXIT_UNSUPPORTED : EXIT_WRONG;
}

static int
lower(Compilation *c, size_t last_level)
{
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.threads = (unsigned)c->options->threads;
    config.budget = c->options->budget;
    config.progress = pass_done;
    config.progress_user = c;
    for (; c->level < last_level; c->level++) {
        const Level *next = &levels_of(c)[c->level + 1];
        bool is_device = c->targets.num_devices && c->level + 1 <= LEVEL_NVVM;
        config.target = is_device ? targets_common_device(&c->targets) : c->targets.host;
        config.host = c->targets.host;
        const char *text = pipeline_text(next->pipeline);
        if (!text) {
            fprintf(stderr, "mlc: this build has no pipeline '%s'\n", next->pipeline);
            return EXIT_WRONG;
        }
        MlcPassManager *pm = mlc_pass_manager_create(c->ctx, &config);
        bool ok = mlc_pass_manager_parse(pm, mlc_str(text)) && mlc_pass_manager_run(pm, c->module);
        mlc_pass_manager_destroy(pm);
        // A model that was read is right up to the graph level, which finds its last faults: what
        // fails below is something that mlc does not do yet. Text may say anything anywhere.
        if (!ok)
            return c->level >= LEVEL_GRAPH && !c->text.data ? EXIT_UNSUPPORTED : failure_code(c);
    }
    return EXIT_OK;
}

static int
emit(Compilation *c, MlcFileWriter *out)
{
    MlcTargetOptions options = {MLC_SIZED(MlcTargetOptions),
                                .loop_vectorize = c->options->llvm_vectorizers,
                                .slp_vectorize = c->options->llvm_vectorizers,
                                .cache_dir = c->options->cache_dir.data,
                                .budget = c->options->budget,
                                .progress = part_done,
                                .desc = c->targets.host,
                                .devices = c->targets.devices,
                                .num_devices = c->targets.num_devices,
                                .ptxas = c->options->ptxas.size ? c->options->ptxas.data : NULL};
    part_done(0, 1, NULL);
    MlcPool *pool = mlc_pool_create((unsigned)c->options->threads);
    bool ok = c->options->jit ? mlc_target_jit(c->module, &options, pool, out, c->options->jit)
                              : mlc_target_write_artefact(c->module, &options, pool, out);
    mlc_pool_destroy(pool);
    return ok ? EXIT_OK : failure_code(c);
}

void
compilation_end(Compilation *c)
{
    progress(NULL, 0);
    tool_quota_end();
    if (c->ctx)
        mlc_diag_flush(c->ctx);
    if (c->module)
        mlc_op_destroy(c->module);
    mlc_file_release(&c->text);
    if (c->ctx)
        mlc_context_destroy(c->ctx);
}

void
compile_options_release(CompileOptions *options)
{
    extensions_release(&options->extensions);
    mlc_vec_release(&options->dims);
    mlc_vec_release(&options->items);
    mlc_vec_release(&options->input_values);
    mlc_vec_release(&options->shared_libs);
}

bool
start_budget(CompileOptions *options, MlcBudget *budget)
{
    int64_t nanoseconds;
    if (!tool_quota_begin(&options->quota))
        return false;
    if (options->time.size == 0)
        return true;
    if (!mlc_parse_duration(options->time, &nanoseconds)) {
        fprintf(stderr,
                "mlc: option '--compile-budget' expects a time such as 10s or 500ms, got "
                "'%.*s'\n",
                MLC_STR_FMT(options->time));
        return false;
    }
    *budget = mlc_budget_start(nanoseconds);
    options->budget = budget;
    return true;
}

int
compile_model(const char *path, const CompileOptions *options, MlcFileWriter *out)
{
    Compilation c = {0};
    int code = compilation_begin(&c, path, options);
    if (code == EXIT_OK && options->check)
        code = options->check(c.module, options->check_user);
    if (code == EXIT_OK)
        code = lower(&c, NUM_LEVELS - 1);
    if (code == EXIT_OK)
        code = emit(&c, out);
    compilation_end(&c);
    int64_t left_out = mlc_budget_left_out(options->budget);
    if (code == EXIT_OK && left_out > 0)
        fprintf(stderr,
                "mlc: %lld of the steps that make code faster left out or done in part, for "
                "--compile-budget %.*s\n",
                (long long)left_out, MLC_STR_FMT(options->time));
    return code;
}

int
compilation_lower(Compilation *c, MlcStr level)
{
    size_t wanted = 0;
    const Level *levels = levels_of(c);
    while (wanted < NUM_LEVELS && !mlc_str_equal(level, mlc_str(levels[wanted].name)))
        wanted++;
    if (wanted == NUM_LEVELS) {
        fprintf(stderr, "mlc: no level '%.*s'; the levels are", MLC_STR_FMT(level));
        for (size_t i = 0; i < NUM_LEVELS; i++)
            fprintf(stderr, "%s %s", i ? "," : "", levels[i].name);
        fprintf(stderr, "\n");
        return EXIT_WRONG;
    }
    if (wanted < c->level) {
        fprintf(stderr, "mlc: the file begins at level '%s', behind '%s'\n", levels[c->level].name,
                levels[wanted].name);
        return EXIT_WRONG;
    }
    return lower(c, wanted);
}

int
print_level(const char *path, const CompileOptions *options, MlcStr level)
{
    Compilation c;
    CompileOptions own = *options;
    own.keeps_open_dims = true;
    own.names_open_dims = !mlc_str_equal(level, mlc_str(cpu_levels[0].name));
    int code = compilation_begin(&c, path, &own);
    if (code == EXIT_OK)
        code = compilation_lower(&c, level);
    if (code == EXIT_OK) {
        MlcBuf text = {0};
        MlcPrintFlags flags = mlc_print_flags_default();
        flags.elide_elements_over = ELIDE_OVER;
        flags.elide_resources_over = ELIDE_OVER;
        mlc_op_print(c.module, &flags, &text);
        tool_quota_end();
        fwrite(text.data, 1, text.size, stdout);
        mlc_buf_release(&text);
    }
    compilation_end(&c);
    return code;
}

// The file is begun before any work is done for one that cannot be made.
static int
compile_to(const char *path, const CompileOptions *options, const char *out_path)
{
    MlcFileWriter out;
    MlcBuf error = {0};
    if (!mlc_file_writer_begin(&out, out_path, &error))
        return report(&error);
    int code = compile_model(path, options, &out);
    if (code != EXIT_OK)
        mlc_file_writer_abandon(&out);
    else if (!mlc_file_writer_commit(&out, &error))
        code = report(&error);
    return code;
}

// What the cache has not is kept there, unless it went to a stream.
static int
compile_with_cache(const char *path, const CompileOptions *options, const char *out_path)
{
    MlcBuf place = {0}, known = {0}, error = {0};
    bool has_cache = cache_place(path, options, &place);
    int code = EXIT_OK;
    if (has_cache && cache_find(mlc_buf_c_str(&place), &known)) {
        if (!cache_give(mlc_buf_c_str(&known), out_path, &error))
            code = report(&error);
    } else {
        code = compile_to(path, options, out_path);
        if (has_cache && code == EXIT_OK && !mlc_file_is_stream(out_path) &&
            mlc_budget_left_out(options->budget) == 0)
            cache_keep(mlc_buf_c_str(&place), out_path);
    }
    mlc_buf_release(&place);
    mlc_buf_release(&known);
    mlc_buf_release(&error);
    return code;
}

static int
compile_to_file(const char *path, const CompileOptions *options, const char *out_path)
{
    MlcBudget budget;
    InputFiles files;
    CompileOptions used = *options;
    used.keeps_open_dims = used.names_open_dims = true;
    if (!start_budget(&used, &budget))
        return EXIT_WRONG;
    int code = input_files_read(&files, path, &used, NULL, false);
    if (code == EXIT_OK)
        code = compile_with_cache(path, &used, out_path);
    tool_quota_end();
    input_files_release(&files);
    return code;
}

// The program that --ptxas names, or PATH has; its path in `path`, none where it says so.
static bool
find_ptxas(CompileOptions *options, const Targets *targets, MlcBuf *path)
{
    MlcBuf error = {0};
    bool is_wanted = targets->num_devices && !mlc_str_equal(options->ptxas, mlc_str("none"));
    bool ok = !is_wanted || mlc_ptxas_find(options->ptxas, path, &error);
    options->ptxas = is_wanted && ok ? mlc_buf_str(path) : (MlcStr){0};
    return error.size == 0 || report(&error) == EXIT_OK;
}

static int
run_verb(CompileOptions *options, MlcBuf *ptxas, int argc, char **argv)
{
    MlcStr out = {0};
    int code;
    const MlcCliOption cli[] = {
        {"o", MLC_CLI_STRING, &out, "file", "where the artefact goes", NULL},
        {"threads", MLC_CLI_INT, &options->threads, "N",
         "compile with at most so many threads; no promise about runs", NULL},
        {"target", MLC_CLI_STRING, &options->target, "name",
         "the machine to compile for: host, x86-64-v3, ...; default host; and devices whose code "
         "the artefact has too: cuda-sm_90a,cuda-sm_80",
         NULL},
        COMPILE_CLI(options),
        {"ptxas", MLC_CLI_STRING, &options->ptxas, "file",
         "NVIDIA's assembler, for code that a device takes as it is; default: the one of PATH; none",
         NULL},
        {"llvm-vectorizers", MLC_CLI_FLAG, &options->llvm_vectorizers, NULL,
         "run LLVM's loop and SLP vectorisers too, for comparison", NULL},
    };
    const char *model =
        parse_verb("mlc compile", "Compiles a model (.onnx, or IR as .mlir) to an artefact.", cli,
                   sizeof cli / sizeof *cli, argc, argv, &code);
    if (!model)
        return code;
    if (!check_threads(&options->threads))
        return EXIT_WRONG;
    if (out.size == 0) {
        fprintf(stderr, "mlc: compile needs -o FILE\n");
        return EXIT_WRONG;
    }
    Targets targets;
    if (!targets_find(options->target, &targets) || !check_not_same(model, out.data) ||
        !find_ptxas(options, &targets, ptxas))
        return EXIT_WRONG;
    return compile_to_file(model, options, out.data);
}

int
mlc_verb_compile(int argc, char **argv)
{
    CompileOptions options = {.threads = THREADS_NOT_GIVEN};
    MlcBuf ptxas = {0};
    int code = run_verb(&options, &ptxas, argc, argv);
    compile_options_release(&options);
    mlc_buf_release(&ptxas);
    return code;
}
