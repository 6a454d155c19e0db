// pass_manager.c -- what the pass manager says of passes and callers that misbehave.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"
#include "mlc/pass.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[] = "func.func @f(%x: i32) -> i32 {\n"
                     "  %0 = arith.addi %x, %x : i32\n"
                     "  return %0 : i32\n"
                     "}\n\0"; // two NUL bytes end it

typedef struct Said {
    char text[1024];
} Said;

static void
hear(const MlcDiag *diag, void *user)
{
    Said *said = user;
    size_t size = strlen(said->text);
    snprintf(said->text + size, sizeof said->text - size, "%.*s\n", MLC_STR_FMT(diag->message));
    for (size_t i = 0; i < diag->num_notes; i++)
        hear(&diag->notes[i], user);
}

// A return without its value: the verifier says no.
static bool
break_ir(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_op_is_named(op, "func.return"))
            mlc_op_set_operands(op, NULL, 0);
    return true;
}

static bool
crash(MlcPass *pass, MlcOp *root)
{
    (void)pass, (void)root;
    abort();
}

static bool
take_memory(MlcPass *pass, MlcOp *root)
{
    (void)root;
    return mlc_arena_alloc(mlc_pass_scratch(pass), (size_t)64 << 20, 1) != NULL;
}

static bool
nothing(MlcPass *pass, MlcOp *root)
{
    (void)pass, (void)root;
    return true;
}

static const MlcPassDef breaks = {MLC_SIZED(MlcPassDef), .name = "breaks", .flag = "breaks",
                                  .run = break_ir},
                        crashes = {.name = "crashes", .flag = "crashes", .run = crash},
                        takes = {.name = "takes", .flag = "takes", .run = take_memory},
                        idles = {.name = "idles", .flag = "idles", .run = nothing};

static int
register_passes(void **state)
{
    (void)state;
    return mlc_pass_register(&breaks) && mlc_pass_register(&crashes) && mlc_pass_register(&idles) &&
                   mlc_pass_register(&takes)
               ? 0
               : 1;
}

typedef struct Fixture {
    MlcContext *ctx;
    MlcOp *module;
    Said said;
} Fixture;

static void
set_up(Fixture *f)
{
    static char copy[sizeof text];
    memcpy(copy, text, sizeof text);
    *f = (Fixture){.ctx = mlc_context_create()};
    mlc_register_all_dialects(f->ctx);
    mlc_context_set_diag_handler(f->ctx, hear, &f->said);
    f->module = mlc_parse_module(f->ctx, mlc_str_n(copy, strlen(copy)), mlc_str("test"));
    assert_non_null(f->module);
}

static void
tear_down(Fixture *f)
{
    mlc_op_destroy(f->module);
    mlc_context_destroy(f->ctx);
}

static bool
run_pass(Fixture *f, const char *flag, const MlcPassManagerConfig *config, bool cancelled)
{
    MlcPassManager *pm = mlc_pass_manager_create(f->ctx, config);
    assert_true(mlc_pass_manager_add(pm, mlc_str(flag), mlc_str("")));
    if (cancelled)
        mlc_pass_manager_cancel(pm);
    bool ok = mlc_pass_manager_run(pm, f->module);
    mlc_diag_flush(f->ctx);
    mlc_pass_manager_destroy(pm);
    return ok;
}

static void
broken_ir_is_told_with_the_pass(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    assert_false(run_pass(&f, "breaks", &config, false));
    assert_non_null(strstr(f.said.text, "this was found after pass 'breaks'"));
    tear_down(&f);
}

static void
another_root_is_refused(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.anchor = "func.func";
    assert_false(run_pass(&f, "idles", &config, false));
    assert_non_null(strstr(f.said.text, "the pipeline runs on 'func.func'"));
    tear_down(&f);
}

static void
a_pipeline_runs_once(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    assert_true(mlc_run_pipeline(f.module, mlc_str("canonicalize,func.func(cse)")));
    assert_false(mlc_run_pipeline(f.module, mlc_str("canonicalise")));
    assert_non_null(strstr(f.said.text, "unknown pass 'canonicalise'"));
    tear_down(&f);
}

static void
a_cancelled_run_names_the_next_pass(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    assert_false(run_pass(&f, "idles", &config, true));
    assert_non_null(strstr(f.said.text, "cancelled before pass 'idles'"));
    tear_down(&f);
}

// A pipeline under limits, in as many threads as there are functions; each fault is told once.
static void
run_limited(const char *pipeline, MlcQuotaLimits limits, const char *expected)
{
    Fixture f;
    set_up(&f);
    MlcPassManager *pm = mlc_pass_manager_create(f.ctx, NULL);
    assert_true(mlc_pass_manager_parse(pm, mlc_str(pipeline)));
    mlc_pass_manager_limit(pm, &limits);
    assert_int_equal(mlc_pass_manager_run(pm, f.module), !expected);
    mlc_diag_flush(f.ctx);
    assert_string_equal(f.said.text, expected ? expected : "");
    mlc_pass_manager_limit(pm, &(MlcQuotaLimits){0});
    assert_true(mlc_pass_manager_run(pm, f.module));
    mlc_pass_manager_destroy(pm);
    tear_down(&f);
}

static void
a_run_beyond_its_limits_names_the_pass(void **state)
{
    (void)state;
    const char *pipeline = "builtin.module(idles,func.func(takes),idles)";
    run_limited(pipeline, (MlcQuotaLimits){.memory = 128 << 20}, NULL);
    run_limited(pipeline, (MlcQuotaLimits){.memory = 32 << 20},
                "pass 'takes' went beyond the limit on memory, 32 MiB (--max-memory)\n");
    run_limited(pipeline, (MlcQuotaLimits){.nanoseconds = 1},
                "pass 'idles' went beyond the limit on time, 1e-09 s (--max-seconds)\n");
    const char *lowering = "builtin.module(convert-to-llvm)";
    run_limited(lowering, (MlcQuotaLimits){.ops = 1000}, NULL);
    run_limited(lowering, (MlcQuotaLimits){.ops = 1},
                "pass 'convert-to-llvm' went beyond the limit on ops made, 1 (--max-ops)\n");
}

// What a child that crashes writes to stderr, and whether it died of the signal.
static size_t
crash_in_child(const char *reproducer, char *said, size_t max)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        Fixture f;
        set_up(&f);
        MlcPassManagerConfig config = mlc_pass_manager_config_default();
        config.reproducer = reproducer;
        config.threads = 1;
        run_pass(&f, "crashes", &config, false);
        _exit(0);
    }
    close(ends[1]);
    ssize_t size = read(ends[0], said, max - 1);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    said[size > 0 ? size : 0] = '\0';
    return size > 0 ? (size_t)size : 0;
}

static void
a_crash_leaves_a_reproducer(void **state)
{
    (void)state;
    char path[] = "/tmp/mlc-reproducer-XXXXXX", said[512], left[4096] = "";
    int file = mkstemp(path);
    assert_true(file >= 0);
    crash_in_child(path, said, sizeof said);
    assert_non_null(strstr(said, "crashed while running passes; a reproducer was written"));
    assert_true(read(file, left, sizeof left - 1) > 0);
    assert_non_null(strstr(left, "pipeline: \"builtin.module(crashes)\""));
    close(file);
    unlink(path);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_ir_is_told_with_the_pass),
        cmocka_unit_test(another_root_is_refused),
        cmocka_unit_test(a_pipeline_runs_once),
        cmocka_unit_test(a_cancelled_run_names_the_next_pass),
        cmocka_unit_test(a_run_beyond_its_limits_names_the_pass),
        cmocka_unit_test(a_crash_leaves_a_reproducer),
    };
    return cmocka_run_group_tests(tests, register_passes, NULL);
}
