// reproducer.c -- leaves the input of a failed run behind, with the pipeline that failed on it.
//
// The IR is printed before anything runs (with a local reproducer: before each pass), because after
// a failure it is no longer what the pass was given. A crash writes the same bytes from the signal
// handler, which may do no more than that. The format is mlir-opt's: a resource section beside the
// module, `external_resources: { mlir_reproducer: { pipeline: "...", ... } }`.
#include "manager.h"

#include "mlc/ir/extension.h"
#include "mlc/ir/text.h"
#include "mlc/support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

typedef struct Reproducer {
    MlcBuf text;
    MlcBuf pipeline; // of the text
} Reproducer;

static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};
static struct sigaction previous[sizeof signals / sizeof *signals];

// What a crash writes, set while passes run.
static _Atomic(const char *) crash_path, crash_text;
static atomic_size_t crash_size;

static void
on_crash(int number)
{
    const char *path = atomic_load(&crash_path), *text = atomic_load(&crash_text);
    size_t size = atomic_load(&crash_size);
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
    while (file >= 0 && size > 0) {
        ssize_t n = write(file, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        text += n;
        size -= (size_t)n;
    }
    static const char said[] = "crashed while running passes; a reproducer was written\n";
    if (file >= 0 && write(STDERR_FILENO, said, sizeof said - 1) < 0)
        (void)close(file);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i] == number)
            sigaction(number, &previous[i], NULL);
    raise(number);
}

static void
watch_crashes(void)
{
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, &previous[i]);
}

static void
unwatch_crashes(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &previous[i], NULL);
}

static void
add_entry(MlcExternalResources *resources, const char *key, MlcStr value)
{
    mlc_external_resources_add(resources, mlc_str("mlir_reproducer"), mlc_str(key), value);
}

// The module around `op` and `pipeline`, as text.
static void
render(const MlcPassManager *pm, MlcOp *op, MlcStr pipeline, bool generic, MlcBuf *out)
{
    while (mlc_op_parent(op))
        op = mlc_op_parent(op);
    MlcExternalResources *resources = mlc_external_resources_create();
    MlcBuf quoted = {0};
    mlc_buf_append_char(&quoted, '"');
    for (size_t i = 0; i < pipeline.size; i++) {
        if (strchr("\\\"", pipeline.data[i]))
            mlc_buf_append_char(&quoted, '\\');
        mlc_buf_append_char(&quoted, pipeline.data[i]);
    }
    mlc_buf_append_char(&quoted, '"');
    add_entry(resources, "pipeline", mlc_buf_str(&quoted));
    add_entry(resources, "disable_threading", mlc_str(pm->config.threads == 1 ? "true" : "false"));
    add_entry(resources, "verify_each", mlc_str(pm->config.verify_each ? "true" : "false"));
    mlc_record_extensions(mlc_op_context(op), resources);
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = generic;
    flags.external = resources;
    mlc_op_print(op, &flags, out);
    mlc_external_resources_destroy(resources);
    mlc_buf_release(&quoted);
}

// In generic form, which every reader takes and invalid IR has, too.
static void
take_snapshot(MlcPassManager *pm, MlcOp *op)
{
    Reproducer *r = pm->reproducer;
    atomic_store(&crash_path, NULL);
    mlc_buf_clear(&r->text);
    render(pm, op, mlc_buf_str(&r->pipeline), true, &r->text);
    atomic_store(&crash_text, r->text.data);
    atomic_store(&crash_size, r->text.size);
    atomic_store(&crash_path, pm->config.reproducer);
}

void
mlc_pass_manager_reproducer(MlcPassManager *pm, MlcOp *root, MlcBuf *out)
{
    MlcBuf pipeline = {0};
    mlc_pass_item_print(&pm->root, &pipeline);
    render(pm, root, mlc_buf_str(&pipeline), false, out);
    mlc_buf_release(&pipeline);
}

void
mlc_reproducer_begin(MlcPassManager *pm, MlcOp *root)
{
    if (!pm->config.reproducer)
        return;
    if (!pm->reproducer) {
        pm->reproducer = mlc_calloc(1, sizeof *pm->reproducer);
        watch_crashes();
    }
    mlc_buf_clear(&pm->reproducer->pipeline);
    mlc_pass_item_print(&pm->root, &pm->reproducer->pipeline);
    take_snapshot(pm, root);
}

// "builtin.module(func.func(" of the isolated ops from the root to `op`; returns how many.
static unsigned
open_anchors(MlcOp *op, MlcBuf *out)
{
    unsigned depth = 1;
    if (mlc_op_parent(op)) {
        MlcOp *outer = mlc_op_parent(op);
        while (mlc_op_parent(outer) && !mlc_op_has_trait(outer, MLC_TRAIT_ISOLATED))
            outer = mlc_op_parent(outer);
        depth += open_anchors(outer, out);
    }
    mlc_buf_printf(out, "%.*s(", MLC_STR_FMT(mlc_op_name(op)));
    return depth;
}

void
mlc_reproducer_before_pass(MlcPassManager *pm, const PassItem *item, MlcOp *op)
{
    if (!pm->reproducer || !pm->config.local_reproducer)
        return;
    mlc_buf_clear(&pm->reproducer->pipeline);
    unsigned depth = open_anchors(op, &pm->reproducer->pipeline);
    mlc_pass_item_print(item, &pm->reproducer->pipeline);
    while (depth-- > 0)
        mlc_buf_append_char(&pm->reproducer->pipeline, ')');
    take_snapshot(pm, op);
}

static void
report(MlcPassManager *pm, MlcOp *root)
{
    const Reproducer *r = pm->reproducer;
    MlcBuf error = {0};
    bool ok = mlc_file_write_atomic(pm->config.reproducer, r->text.data, r->text.size, &error);
    mlc_error(pm->ctx, mlc_op_loc(root),
              "Failures have been detected while processing an MLIR pass pipeline");
    mlc_note(pm->ctx, mlc_op_loc(root), "Pipeline failed while executing [%s]: %s%s%s",
             mlc_buf_c_str(&pm->failed), ok ? "reproducer generated at `" : "no reproducer: ",
             ok ? pm->config.reproducer : mlc_buf_c_str(&error), ok ? "`" : "");
    mlc_buf_release(&error);
}

void
mlc_reproducer_end(MlcPassManager *pm, MlcOp *root, bool ok)
{
    Reproducer *r = pm->reproducer;
    if (!r)
        return;
    atomic_store(&crash_path, NULL);
    unwatch_crashes();
    if (!ok)
        report(pm, root);
    mlc_buf_release(&r->text);
    mlc_buf_release(&r->pipeline);
    mlc_free(r);
    pm->reproducer = NULL;
}
