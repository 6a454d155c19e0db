// opt.c -- mlc_opt_main: the command line of mlc-opt, and of tools like it.
#include "definitions.h"
#include "limit_flags.h"
#include "quota.h"
#include "split.h"
#include "tool.h"

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"
#include "mlc/pass.h"
#include "mlc/support/alloc.h"
#include "mlc/support/cli.h"
#include "mlc/support/file.h"
#include "mlc/machine.h"

#include <stdio.h>

// ---- files

static bool
process_file(const char *path, Options *o)
{
    MlcFile file;
    MlcBuf error = {0}, out = {0};
    if (!mlc_file_open(&file, path, MLC_FILE_PRIVATE, &error)) {
        tool_error("%s", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return false;
    }
    MlcStr text = mlc_str_n(file.data, file.size),
           name = mlc_str(strcmp(path, "-") == 0 ? "<stdin>" : path);
    o->only_file = o->split ? NULL : &file;
    bool ok = o->split ? split_and_process(text, name.data, o->split_marker, o->output_split_marker,
                                           process_part, o, &out)
                       : process_part(text, name, o, &out);
    // What could be done of a split file is printed, and so is IR whose diagnostics were checked.
    tool_quota_end();
    if (ok || o->split || o->verify_diagnostics) {
        flush_output(o, &out);
        OutputFile *to = &o->out_file;
        if (to->failed || !mlc_file_writer_commit(&to->writer, &to->error))
            ok = tool_error("%s", mlc_buf_c_str(&to->error));
    }
    if (o->out_file.is_open)
        mlc_file_writer_abandon(&o->out_file.writer);
    mlc_buf_release(&o->out_file.error);
    mlc_buf_release(&error);
    mlc_buf_release(&out);
    mlc_file_release(&file);
    return ok;
}

// ---- the command line

static bool
set_split(void *target, MlcStr name, MlcStr value, MlcBuf *error)
{
    (void)name;
    Options *o = target;
    if (value.data && value.size == 0)
        return mlc_buf_append_c(error, "option '--split-input-file' got an empty marker"), false;
    o->split = true;
    if (value.data)
        o->split_marker = value;
    return true;
}

static bool
add_pass(void *target, MlcStr name, MlcStr value, MlcBuf *error)
{
    (void)error;
    Options *o = target;
    mlc_vec_push(&o->passes, ((PassUse){name, value.data ? value : mlc_str("")}));
    return true;
}

typedef MLC_VEC(MlcCliOption) Table;

static void
add_options(Table *table, const MlcCliOption *options, size_t num_options)
{
    for (size_t i = 0; i < num_options; i++)
        mlc_vec_push(table, options[i]);
}

// What is read and written, and in which form.
static void
add_file_options(Table *table, Options *o)
{
    const MlcCliOption options[] = {
        {"help", MLC_CLI_FLAG, &o->help, NULL, "this list", NULL},
        {"o", MLC_CLI_STRING, &o->output, "file", "where to; default: standard output", NULL},
        {"pass-pipeline", MLC_CLI_STRING, &o->pipeline, "text",
         "passes, nested by op, before those given as flags", NULL},
        {"p", MLC_CLI_STRING, &o->pipeline, "text", NULL, NULL},
        EXTENSIONS_CLI(&o->extensions),
        {"allow-unregistered-dialect", MLC_CLI_FLAG, &o->allow_unregistered, NULL,
         "keep ops that no dialect defines", NULL},
        {"split-input-file", MLC_CLI_EVENT, o, "marker",
         "treat parts between '// -----' (or marker) lines as files of their own", set_split},
        {"output-split-marker", MLC_CLI_STRING, &o->output_split_marker, "marker",
         "what stands between the outputs of parts", NULL},
        {"verify-diagnostics", MLC_CLI_FLAG, &o->verify_diagnostics, NULL,
         "compare diagnostics with comments like '// expected-error {{...}}'", NULL},
        {"emit-bytecode", MLC_CLI_FLAG, &o->emit_bytecode, NULL, "write MLIR's bytecode, not text",
         NULL},
        {"emit-mlc-bytecode", MLC_CLI_FLAG, &o->emit_mlc_bytecode, NULL,
         "write our own bytecode: smaller, read faster, by mlc only", NULL},
        {"elide-resource-data-from-bytecode", MLC_CLI_FLAG, &o->elide_resource_data, NULL,
         "leave the bytes of resources out of it", NULL},
        {"no-implicit-module", MLC_CLI_FLAG, &o->no_implicit_module, NULL,
         "the input is one op, which need not be a module", NULL},
        {"verify-roundtrip", MLC_CLI_FLAG, &o->verify_roundtrip, NULL,
         "check that the input comes back the same from both forms", NULL},
        LIMIT_OPTIONS(&o->limits),
        QUOTA_OPTIONS(&o->quota),
    };
    add_options(table, options, sizeof options / sizeof *options);
}

// What is done with it.
static void
add_run_options(Table *table, Options *o)
{
    const MlcCliOption options[] = {
        {"verify-each", MLC_CLI_FLAG, &o->manager.verify_each, NULL,
         "verify after each pass (the default)", NULL},
        {"no-verify-each", MLC_CLI_FLAG, &o->skip_verify_each, NULL,
         "do not verify after each pass", NULL},
        {"interpret", MLC_CLI_FLAG, &o->is_interpreted, NULL,
         "run --entry after the passes and print its results", NULL},
        {"entry", MLC_CLI_STRING, &o->interpret.entry, "name",
         "function to interpret; default: main", NULL},
        {"input", MLC_CLI_LIST, &o->interpret.inputs, "value",
         "an argument: an attribute, a number, zeros, undefined, iota, random:7, constants, "
         "file.npy",
         NULL},
        {"output", MLC_CLI_LIST, &o->interpret.outputs, "file.npy",
         "where a result goes, in order; default: printed", NULL},
        {"seed", MLC_CLI_INT, &o->interpret.seed, "N",
         "order of independent iterations; 0: as written", NULL},
        {"max-steps", MLC_CLI_INT, &o->interpret.max_steps, "N",
         "ops to interpret at most, each 1024 points of one with loops an op more; 0: no limit",
         NULL},
        {"trace", MLC_CLI_FLAG, &o->interpret.trace, NULL,
         "print each interpreted op's results, on stderr", NULL},
        {"target", MLC_CLI_STRING, &o->target, "name",
         "machine that passes schedule for; default: host", NULL},
        {"threads", MLC_CLI_INT, &o->threads, "N", "of the pass manager; 0: one per core", NULL},
        {"mlir-disable-threading", MLC_CLI_FLAG, &o->no_threads, NULL, "as --threads 1", NULL},
        {"threads-min-size", MLC_CLI_INT, &o->min_shared, "BYTES",
         "texts smaller than this are read and printed by one thread", NULL},
        {"dump-pass-pipeline", MLC_CLI_FLAG, &o->dump_pipeline, NULL,
         "print the pipeline that is run, on stderr", NULL},
        {"run-reproducer", MLC_CLI_FLAG, &o->run_reproducer, NULL,
         "run the pipeline that the input brings", NULL},
        {"mlir-pass-pipeline-crash-reproducer", MLC_CLI_STRING, &o->reproducer, "file",
         "where a run that fails or crashes leaves its input and pipeline", NULL},
        {"mlir-pass-pipeline-local-reproducer", MLC_CLI_FLAG, &o->manager.local_reproducer, NULL,
         "only the pass that failed, and the IR before it", NULL},
        {"mlir-generate-reproducer", MLC_CLI_STRING, &o->generate_reproducer, "file",
         "write input and pipeline, whatever happens", NULL},
        {"log-actions-to", MLC_CLI_STRING, &o->actions.log, "file",
         "log passes, sweeps and patterns applied; -: stderr", NULL},
        {"profile-actions-to", MLC_CLI_STRING, &o->actions.profile, "file",
         "their times, as Chrome trace events", NULL},
        {"mlir-debug-counter", MLC_CLI_STRING, &o->actions.counters, "TAG-skip=N,TAG-count=N",
         "do only some of them: apply-pattern, greedy-iteration, pass-execution", NULL},
        {"mlir-print-debug-counter", MLC_CLI_FLAG, &o->actions.print_counters, NULL,
         "print how many there were", NULL},
        {"version", MLC_CLI_FLAG, &o->version, NULL, "print the version", NULL},
        {"list-passes", MLC_CLI_FLAG, &o->list_passes, NULL, "print the names of all passes", NULL},
        {"show-dialects", MLC_CLI_FLAG, &o->show_dialects, NULL, "print the names of all dialects",
         NULL},
        {"check-dialect", MLC_CLI_FLAG, &o->check_dialect, NULL,
         "the files are dialects (with their packages) or rules: tell what is wrong with them",
         NULL},
        {"dialect-reference", MLC_CLI_FLAG, &o->dialect_reference, NULL,
         "the files are dialects: print their reference pages", NULL},
        {"show-conversions", MLC_CLI_FLAG, &o->show_conversions, NULL,
         "print of each op the passes that make others of it", NULL},
        {"timing", MLC_CLI_FLAG, &o->timing, NULL, "print the time of each pass, on stderr", NULL},
        {"mlir-timing", MLC_CLI_FLAG, &o->timing, NULL, NULL, NULL},
        {"mlir-timing-display", MLC_CLI_STRING, &o->timing_display, "list|tree", NULL, NULL},
        {"mlir-pass-statistics-display", MLC_CLI_STRING, &o->statistics_display, "list|pipeline",
         NULL, NULL},
        {"pass-statistics", MLC_CLI_FLAG, &o->statistics, NULL,
         "print what passes counted, on stderr", NULL},
        {"mlir-pass-statistics", MLC_CLI_FLAG, &o->statistics, NULL, NULL, NULL},
    };
    add_options(table, options, sizeof options / sizeof *options);
}

// How IR is printed, and when.
static void
add_print_options(Table *table, Options *o)
{
    const MlcCliOption options[] = {
        {"mlir-print-op-generic", MLC_CLI_FLAG, &o->print.generic, NULL, "print the generic form",
         NULL},
        {"mlir-print-debuginfo", MLC_CLI_FLAG, &o->print.debug_info, NULL, "print locations", NULL},
        {"mlir-pretty-debuginfo", MLC_CLI_FLAG, &o->print.pretty_debug_info, NULL,
         "print locations in short", NULL},
        {"mlir-print-local-scope", MLC_CLI_FLAG, &o->print.local_scope, NULL,
         "print without aliases", NULL},
        {"mlir-print-assume-verified", MLC_CLI_FLAG, &o->print.assume_verified, NULL, NULL, NULL},
        {"mlir-print-skip-regions", MLC_CLI_FLAG, &o->print.skip_regions, NULL,
         "print ops without their regions", NULL},
        {"mlir-print-unique-ssa-ids", MLC_CLI_FLAG, &o->print.unique_ssa_ids, NULL,
         "number values across isolated ops", NULL},
        {"mlir-print-value-users", MLC_CLI_FLAG, &o->print.value_users, NULL,
         "print users as comments", NULL},
        {"mlir-elide-elementsattrs-if-larger", MLC_CLI_INT, &o->print.elide_elements_over, "N",
         "leave out bigger constants", NULL},
        {"mlir-elide-resource-strings-if-larger", MLC_CLI_INT, &o->print.elide_resources_over, "N",
         "leave out bigger resources", NULL},
        {"mlir-print-ir-after-all", MLC_CLI_FLAG, &o->manager.print_after_all, NULL,
         "print the IR after each pass", NULL},
        {"mlir-print-ir-before-all", MLC_CLI_FLAG, &o->manager.print_before_all, NULL,
         "print the IR before each pass", NULL},
        {"mlir-print-ir-after-change", MLC_CLI_FLAG, &o->manager.print_after_change, NULL,
         "only where it changed", NULL},
        {"mlir-print-ir-after-failure", MLC_CLI_FLAG, &o->manager.print_after_failure, NULL,
         "only where a pass failed", NULL},
        {"mlir-print-ir-after", MLC_CLI_LIST, &o->print_after, "pass",
         "print the IR after this pass", NULL},
        {"mlir-print-ir-before", MLC_CLI_LIST, &o->print_before, "pass",
         "print the IR before this pass", NULL},
        {"mlir-print-ir-tree-dir", MLC_CLI_STRING, &o->tree_dir, "folder",
         "print the IR to files under this folder", NULL},
        {"mlir-print-op-on-diagnostic", MLC_CLI_FLAG, &o->print_op_on_diag, NULL,
         "show the op with a diagnostic (the default; =false)", NULL},
        {"mlir-print-ir-module-scope", MLC_CLI_FLAG, &o->manager.print_module_scope, NULL,
         "always print the module", NULL},
    };
    add_options(table, options, sizeof options / sizeof *options);
}

static void
add_passes(Table *table, Options *o)
{
    for (size_t i = 0; i < mlc_num_passes(); i++) {
        const MlcPassDef *pass = mlc_pass_at(i);
        mlc_vec_push(table, ((MlcCliOption){pass->flag, MLC_CLI_EVENT, o, "options", pass->summary,
                                            add_pass}));
    }
    for (size_t i = 0; i < mlc_num_pipelines(); i++) {
        const MlcPipelineDef *pipeline = mlc_pipeline_at(i);
        mlc_vec_push(table, ((MlcCliOption){pipeline->name, MLC_CLI_EVENT, o, NULL,
                                            pipeline->summary, add_pass}));
    }
}

static bool
show_dialects(const Options *o)
{
    MlcContext *ctx = create_context(o);
    bool ok = load_dialects(o, ctx);
    for (size_t i = 0; ok && i < mlc_context_num_dialects(ctx); i++)
        printf("%s%s", i ? ", " : "Available Dialects: ", mlc_context_dialect_at(ctx, i)->name);
    if (ok)
        printf("\n");
    mlc_context_destroy(ctx);
    return ok;
}

static void
show_conversions_of(const MlcOpDef *op)
{
    size_t n = 0;
    for (size_t i = 0; i < mlc_num_passes(); i++) {
        const MlcPassDef *pass = mlc_pass_at(i);
        bool (*converts)(const MlcOpDef *op) = MLC_FIELD(pass, converts);
        if (!converts || !converts(op))
            continue;
        printf("%s%s", n ? " " : op->name, n ? pass->flag : ": ");
        if (n++ == 0)
            printf("%s", pass->flag);
    }
    if (n)
        printf("\n");
}

// Of all dialects, those that are loaded too.
static bool
show_conversions(const Options *o)
{
    MlcContext *ctx = create_context(o);
    bool ok = load_dialects(o, ctx);
    for (size_t i = 0; i < mlc_context_num_dialects(ctx) && ok; i++) {
        const MlcDialectDef *dialect = mlc_context_dialect_at(ctx, i);
        for (size_t k = 0; k < dialect->num_ops; k++)
            show_conversions_of(dialect->ops[k]);
    }
    mlc_context_destroy(ctx);
    return ok;
}

static bool
is_list_display(MlcStr value, const char *option, const char *tree, bool *is_list)
{
    *is_list = mlc_str_equal(value, mlc_str("list"));
    if (*is_list || value.size == 0 || mlc_str_equal(value, mlc_str(tree)))
        return true;
    return tool_error("option '--%s' expects list or %s, got '%.*s'", option, tree,
                      MLC_STR_FMT(value));
}

static void
list_passes(void)
{
    for (size_t i = 0; i < mlc_num_passes(); i++)
        printf("%-40s %s\n", mlc_pass_at(i)->flag, mlc_pass_at(i)->summary);
}

static bool
settle(Options *o, MlcStrVec *files)
{
    o->manager.verify_each = !o->skip_verify_each;
    o->manager.timing = o->timing;
    o->manager.statistics = o->statistics;
    o->manager.threads = o->no_threads ? 1 : (unsigned)o->threads;
    o->manager.print_tree_dir = o->tree_dir.data;
    o->manager.reproducer = o->reproducer.data;
    if (!is_list_display(o->timing_display, "mlir-timing-display", "tree",
                         &o->manager.timing_list) ||
        !is_list_display(o->statistics_display, "mlir-pass-statistics-display", "pipeline",
                         &o->manager.statistics_list))
        return false;
    if (o->target.size > 0 && !(o->manager.target = mlc_target_desc_find(o->target)))
        return tool_error("unknown target '%.*s'", MLC_STR_FMT(o->target));
    if (o->threads < 0 || o->threads > 1024)
        return tool_error("option '--threads' expects a number from 0 to 1024");
    if (files->size > 1)
        return tool_error("only one input file at a time, got '%s' too", files->data[1].data);
    // Lists of passes end with a NULL.
    for (size_t i = 0; i < o->print_after.size; i++)
        mlc_vec_push(&o->after, o->print_after.data[i].data);
    for (size_t i = 0; i < o->print_before.size; i++)
        mlc_vec_push(&o->before, o->print_before.data[i].data);
    mlc_vec_push(&o->after, NULL);
    mlc_vec_push(&o->before, NULL);
    o->manager.print_after = o->after.data;
    o->manager.print_before = o->before.data;
    return true;
}

static void
release_options(Options *o)
{
    extensions_release(&o->extensions);
    mlc_vec_release(&o->print_after);
    mlc_vec_release(&o->print_before);
    mlc_vec_release(&o->after);
    mlc_vec_release(&o->before);
    mlc_vec_release(&o->interpret.inputs);
    mlc_vec_release(&o->interpret.outputs);
    mlc_vec_release(&o->passes);
}

static bool
process_files(Options *o, MlcStrVec *files)
{
    if (!settle(o, files) || !tool_quota_begin(&o->quota))
        return false;
    bool ok = actions_open(&o->actions) && process_file(files->size ? files->data[0].data : "-", o);
    tool_quota_end();
    actions_close(&o->actions);
    return ok;
}

static void
show_help(const Options *o, const Table *table)
{
    MlcBuf usage = {0}, text = {0};
    const char *summary = o->setup->summary;
    mlc_buf_printf(&usage, "%s [options] [file.mlir]", o->setup->name);
    mlc_cli_help(&text, mlc_buf_c_str(&usage),
                 summary ? summary : "Reads IR, runs passes, prints IR.", table->data, table->size);
    fputs(mlc_buf_c_str(&text), stdout);
    mlc_buf_release(&usage);
    mlc_buf_release(&text);
}

// What the command line asks for.
static bool
act(Options *o, const Table *table, MlcStrVec *files)
{
    if (o->help)
        return show_help(o, table), true;
    if (o->version)
        return tool_print_version(o->setup->version), true;
    if (o->list_passes)
        return list_passes(), true;
    if (o->show_dialects)
        return show_dialects(o);
    if ((o->check_dialect || o->dialect_reference) && files->size == 0)
        return tool_error("option '--%s' expects files",
                          o->check_dialect ? "check-dialect" : "dialect-reference");
    if (o->check_dialect)
        return check_definitions(o, files);
    if (o->dialect_reference)
        return show_references(o, files);
    if (o->show_conversions)
        return show_conversions(o);
    return process_files(o, files);
}

static bool
register_plugins(const MlcOptSetup *setup)
{
    MlcBuf error = {0};
    bool ok = true;
    for (size_t i = 0; i < setup->num_plugins && ok; i++)
        ok = mlc_plugin_register(setup->plugins[i], &error) ||
             tool_error("%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

int
mlc_opt_main(int argc, char **argv, const MlcOptSetup *given)
{
    MlcOptSetup setup;
    mlc_sized_copy(&setup, sizeof setup, given, "MlcOptSetup");
    Options o = {.setup = &setup,
                 .output = mlc_str("-"),
                 .min_shared = -1,
                 .split_marker = mlc_str(SPLIT_DEFAULT_MARKER),
                 .output_split_marker = mlc_str(SPLIT_DEFAULT_MARKER),
                 .limits = *mlc_limits_default(),
                 .print = mlc_print_flags_default(),
                 .print_op_on_diag = true,
                 .manager = mlc_pass_manager_config_default()};
    tool_begin(setup.name);
    if (!register_plugins(&setup) || !extensions_open_plugins(argv))
        return tool_end(1);
    Table table = {0};
    add_file_options(&table, &o);
    add_run_options(&table, &o);
    add_print_options(&table, &o);
    add_passes(&table, &o);
    MlcStrVec files = {0};
    MlcBuf error = {0};
    bool ok = mlc_cli_parse(table.data, table.size, argc, argv, &files, &error)
                  ? act(&o, &table, &files)
                  : tool_error("%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    mlc_vec_release(&files);
    mlc_vec_release(&table);
    release_options(&o);
    return tool_end(ok ? 0 : 1);
}
