// target_api.c -- what code generation says to callers of its API: options, objects and modules
// that no tool would hand to it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"
#include "mlc/target.h"

#include <stdio.h>
#include <string.h>

static void
hear(const MlcDiag *diag, void *user)
{
    snprintf(user, 1024, "%.*s", MLC_STR_FMT(diag->message));
}

typedef struct Fixture {
    MlcContext *ctx;
    MlcOp *module;
    char said[1024];
} Fixture;

static void
set_up(Fixture *f)
{
    static char text[] = "llvm.func @f() {\n  llvm.return\n}\n\0"; // two NUL bytes end it
    *f = (Fixture){.ctx = mlc_context_create()};
    mlc_register_all_dialects(f->ctx);
    mlc_context_set_diag_handler(f->ctx, hear, f->said);
    f->module = mlc_parse_module(f->ctx, mlc_str(text), mlc_str("test"));
    assert_non_null(f->module);
}

static void
tear_down(Fixture *f)
{
    mlc_op_destroy(f->module);
    mlc_context_destroy(f->ctx);
}

static void
passes_that_llvm_does_not_have(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    MlcBuf out = {0};
    MlcTargetOptions options = {MLC_SIZED(MlcTargetOptions), .passes = "nonsense", .cache_dir = ""};
    const MlcTargetApi *api = mlc_target_open(NULL);
    assert_non_null(api);
    assert_false(api->emit(f.module, &options, MLC_EMIT_ASSEMBLY, &out));
    mlc_diag_flush(f.ctx);
    assert_non_null(strstr(f.said, "LLVM's passes failed: "));
    assert_int_equal(out.size, 0);
    tear_down(&f);
}

static void
bytes_that_are_no_object(void **state)
{
    (void)state;
    MlcBuf error = {0};
    MlcStr bytes = mlc_str("no object at all");
    const MlcTargetApi *api = mlc_target_open(NULL);
    assert_non_null(api);
    assert_null(api->jit_create(&bytes, 1, &error));
    assert_non_null(strstr(mlc_buf_c_str(&error), "cannot load code: "));
    mlc_buf_release(&error);
}

static void
module_without_main(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    MlcFileWriter writer;
    MlcTargetOptions options = {MLC_SIZED(MlcTargetOptions), .cache_dir = ""};
    mlc_file_writer_begin_temporary(&writer);
    assert_false(mlc_target_write_artefact(f.module, &options, NULL, &writer));
    mlc_diag_flush(f.ctx);
    assert_non_null(strstr(f.said, "the artefact is not written: the code defines no 'mlc_main'"));
    mlc_file_writer_abandon(&writer);
    tear_down(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_that_llvm_does_not_have),
        cmocka_unit_test(bytes_that_are_no_object),
        cmocka_unit_test(module_without_main),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
