// process.c -- one module from its text to the output's.
#include "process.h"

#include "expected.h"
#include "quota.h"
#include "tool.h"

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/rule.h"
#include "mlc/ir/bytecode.h"
#include "mlc/ir/extension.h"
#include "mlc/support/file.h"
#include "mlc/support/clock.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Clock {
    int64_t wall, cpu;
} Clock;

static Clock
now(void)
{
    return (Clock){mlc_clock_wall(), mlc_clock_thread()};
}

static void
add_time(MlcPassManager *pm, const char *name, Clock start)
{
    Clock end = now();
    mlc_pass_manager_add_time(pm, name, end.wall - start.wall, end.cpu - start.cpu);
}

static bool
build_pipeline(MlcPassManager *pm, const Options *o, MlcStr pipeline)
{
    if (pipeline.size > 0 && !mlc_pass_manager_parse(pm, pipeline))
        return false;
    for (size_t i = 0; i < o->passes.size; i++)
        if (!mlc_pass_manager_add(pm, o->passes.data[i].flag, o->passes.data[i].options))
            return false;
    return true;
}

static void
print_to_stderr(MlcBuf *text)
{
    fwrite(text->data, 1, text->size, stderr);
    mlc_buf_release(text);
}

static bool
write_file(MlcStr path, const MlcBuf *text)
{
    MlcBuf error = {0};
    bool ok = mlc_file_write_atomic(path.data, text->data, text->size, &error);
    if (!ok)
        tool_error("%s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

// What the options ask to be told of the pipeline before it runs.
static bool
show_pipeline(MlcPassManager *pm, MlcOp *module, const Options *o)
{
    MlcBuf text = {0};
    if (o->dump_pipeline) {
        mlc_buf_printf(&text, "Pass Manager with %zu passes:\n", mlc_pass_manager_size(pm));
        mlc_pass_manager_print_pipeline(pm, &text);
        mlc_buf_append_c(&text, "\n\n");
        print_to_stderr(&text);
    }
    if (o->generate_reproducer.size == 0)
        return true;
    mlc_pass_manager_reproducer(pm, module, &text);
    bool ok = write_file(o->generate_reproducer, &text);
    mlc_buf_release(&text);
    return ok;
}

// The entry of a reproducer; empty if there is none.
static MlcStr
reproducer_entry(const MlcExternalResources *resources, const char *key)
{
    for (size_t i = 0; i < mlc_external_resources_size(resources); i++) {
        const MlcExternalResource *r = mlc_external_resources_at(resources, i);
        if (mlc_str_equal(r->section, mlc_str("mlir_reproducer")) &&
            mlc_str_equal(r->key, mlc_str(key)))
            return r->value;
    }
    return mlc_str("");
}

// Takes the pipeline and its settings out of a reproducer's resources.
static bool
read_reproducer(MlcContext *ctx, const MlcExternalResources *resources,
                MlcPassManagerConfig *config, MlcStr *pipeline)
{
    MlcAttr text = NULL;
    MlcStr value = reproducer_entry(resources, "pipeline");
    if (value.size > 0)
        text = mlc_parse_attr(ctx, value);
    if (!text || !mlc_attr_is(text, MLC_ATTR_STRING))
        return tool_error("--run-reproducer: the input has no pipeline under "
                          "external_resources.mlir_reproducer");
    *pipeline = mlc_string_attr_value(text);
    config->verify_each =
        !mlc_str_equal(reproducer_entry(resources, "verify_each"), mlc_str("false"));
    if (mlc_str_equal(reproducer_entry(resources, "disable_threading"), mlc_str("true")))
        config->threads = 1;
    return true;
}

// Printing and reading back must give the same text, in both forms.
static bool
verify_roundtrip(MlcContext *ctx, MlcOp *module)
{
    for (int generic = 0; generic < 2; generic++) {
        MlcPrintFlags flags = mlc_print_flags_default();
        flags.generic = generic;
        flags.debug_info = flags.assume_verified = true;
        MlcBuf first = {0}, second = {0};
        mlc_op_print(module, &flags, &first);
        size_t size = first.size;
        mlc_buf_append(&first, "\0", 2);
        MlcStr text = mlc_str_n(first.data, size);
        MlcParseOptions options = {MLC_SIZED(MlcParseOptions), .no_implicit_module = true};
        MlcOp *again = mlc_parse_source(ctx, text, mlc_str("<roundtrip>"), &options);
        if (again)
            mlc_op_print(again, &flags, &second);
        bool same = again && second.size == size && memcmp(second.data, first.data, size) == 0;
        if (again)
            mlc_op_destroy(again);
        mlc_context_remove_source(ctx, text);
        mlc_buf_release(&first);
        mlc_buf_release(&second);
        if (!same)
            return mlc_op_error(module, "does not come back the same from its %s form",
                                generic ? "generic" : "custom");
    }
    return true;
}

void
flush_output(void *options, MlcBuf *out)
{
    OutputFile *file = &((Options *)options)->out_file;
    if (!file->is_open && !file->failed) {
        MlcStr path = ((Options *)options)->output;
        file->is_open = mlc_file_writer_begin(&file->writer, path.data, &file->error);
        file->failed = !file->is_open;
    }
    if (!file->failed)
        file->failed = !mlc_file_writer_write(&file->writer, out->data, out->size, &file->error);
    mlc_buf_clear(out);
}

// What stands beside a module in what is written: what did in what was read, but for what was
// loaded then.
static MlcExternalResources *
resources_beside(const MlcExternalResources *read, MlcContext *ctx, const Options *o)
{
    MlcExternalResources *out = mlc_external_resources_create();
    for (size_t i = 0; i < mlc_external_resources_size(read) && !o->run_reproducer; i++) {
        const MlcExternalResource *r = mlc_external_resources_at(read, i);
        if (!mlc_str_equal(r->section, mlc_str(MLC_RECORDED_SECTION)))
            mlc_external_resources_add(out, r->section, r->key, r->value);
    }
    if (o->emit_bytecode || o->emit_mlc_bytecode)
        mlc_record_extensions(ctx, out);
    return out;
}

static bool
give_output(MlcOp *module, Options *o, const MlcExternalResources *resources, bool is_verified,
            MlcBuf *out)
{
    if (o->is_interpreted)
        return interpret(module, &o->interpret, out);
    if (o->emit_bytecode || o->emit_mlc_bytecode) {
        MlcBytecodeWriteOptions options = {
            MLC_SIZED(MlcBytecodeWriteOptions), .is_mlir = !o->emit_mlc_bytecode,
            .elide_resources = o->elide_resource_data, .external = resources};
        mlc_bytecode_write(module, &options, out);
        return true;
    }
    MlcPrintFlags flags = o->print;
    flags.assume_verified |= is_verified;
    flags.external = resources;
    flags.assume_verified |= o->manager.verify_each;
    if (o->only_file && !o->verify_diagnostics && !tool_quota_holds()) {
        flags.flush = flush_output;
        flags.flush_user = o;
    }
    mlc_op_print(module, &flags, out);
    mlc_buf_append_char(out, '\n');
    return true;
}

static bool
run(MlcContext *ctx, MlcOp *module, Options *o, const MlcExternalResources *resources,
    Clock parser[2], MlcBuf *out)
{
    MlcPassManagerConfig config = o->manager;
    MlcBuf anchor = {0}, text = {0};
    mlc_buf_append_str(&anchor, mlc_op_name(module));
    config.anchor = mlc_buf_c_str(&anchor);
    MlcStr pipeline = o->pipeline;
    bool ok = !o->run_reproducer || read_reproducer(ctx, resources, &config, &pipeline);
    MlcPassManager *pm = mlc_pass_manager_create(ctx, &config);
    mlc_pass_manager_add_time(pm, "Parser", parser[1].wall - parser[0].wall,
                              parser[1].cpu - parser[0].cpu);
    ok = ok && build_pipeline(pm, o, pipeline) && show_pipeline(pm, module, o) &&
         mlc_pass_manager_run(pm, module);
    Clock start = now();
    bool is_verified = config.verify_each || mlc_pass_manager_size(pm) == 0;
    MlcExternalResources *beside = resources_beside(resources, ctx, o);
    ok = ok && give_output(module, o, beside, is_verified, out);
    mlc_external_resources_destroy(beside);
    add_time(pm, "Output", start);
    if (config.timing || config.statistics) {
        mlc_pass_manager_report(pm, &text);
        print_to_stderr(&text);
    }
    mlc_pass_manager_destroy(pm);
    mlc_buf_release(&anchor);
    return ok;
}

// Freeing op by op takes a twentieth of a run, and the process ends anyway; leak checkers want it.
static bool
must_free(const Options *o)
{
#ifdef __SANITIZE_ADDRESS__
    (void)o;
    return true;
#else
    return !o->only_file;
#endif
}

MlcContext *
create_context(const Options *o)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    *mlc_context_limits(ctx) = o->limits;
    return ctx;
}

bool
load_dialects(const Options *o, MlcContext *ctx)
{
    for (size_t i = 0; i < o->setup->num_plugins; i++)
        if (!mlc_plugin_load(o->setup->plugins[i], ctx))
            return false;
    return extensions_load(&o->extensions, ctx);
}

static bool
process(MlcContext *ctx, MlcStr text, MlcStr name, Options *o, MlcBuf *out)
{
    if (!load_dialects(o, ctx))
        return false;
    if ((o->run_reproducer || mlc_is_bytecode(text)) && !mlc_load_recorded(ctx, text, name))
        return false;
    MlcExternalResources *resources = mlc_external_resources_create();
    MlcParseOptions options = {MLC_SIZED(MlcParseOptions),
                               .no_implicit_module = o->no_implicit_module, .external = resources};
    Clock parser[2] = {now()};
    MlcOp *module = mlc_parse_source(ctx, text, name, &options);
    if (module && o->only_file)
        mlc_file_forget(o->only_file);
    bool ok = module && mlc_verify(module);
    parser[1] = now();
    ok = ok && (!o->verify_roundtrip || verify_roundtrip(ctx, module)) &&
         run(ctx, module, o, resources, parser, out);
    mlc_diag_flush(ctx);
    if (module && must_free(o))
        mlc_op_destroy(module);
    mlc_external_resources_destroy(resources);
    return ok;
}

bool
process_part(MlcStr text, MlcStr name, void *options, MlcBuf *out)
{
    Options *o = options;
    MlcContext *ctx = create_context(o);
    mlc_context_set_threads(ctx, o->manager.threads);
    if (o->min_shared >= 0)
        mlc_context_set_min_shared(ctx, (size_t)o->min_shared);
    mlc_context_allow_unregistered(ctx, o->allow_unregistered);
    mlc_context_print_op_on_diag(ctx, o->print_op_on_diag && !o->verify_diagnostics);
    mlc_context_verify_first_fault(ctx, o->verify_diagnostics); // what tests of mlir-opt's expect
    actions_install(&o->actions, ctx);
    bool ok;
    if (o->verify_diagnostics) {
        ExpectedCheck check;
        bool readable = expected_read(&check, ctx, name, text);
        mlc_context_set_diag_handler(ctx, expected_handle, &check);
        (void)process(ctx, text, name, o, out);
        mlc_diag_flush(ctx);
        ok = expected_finish(&check) && readable;
    } else {
        ok = process(ctx, text, name, o, out);
    }
    mlc_context_destroy(ctx);
    return ok;
}
