// calc-opt.c -- calc-opt FILE PIPELINE: reads IR with calc's ops, runs passes, prints what they
// left. A pipeline is text: "builtin.module(func.func(calc-expand,canonicalize))".
#include <stdio.h>

#include "mlc/dialects.h"
#include "mlc/dialects/calc.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"
#include "mlc/pass.h"
#include "mlc/support/file.h"

extern const MlcPassDef mlc_pass_calc_expand; // calc-expand.c

static bool
run_pipeline(MlcOp *module, const char *pipeline)
{
    MlcPassManager *passes = mlc_pass_manager_create(mlc_op_context(module), NULL);
    bool ok =
        mlc_pass_manager_parse(passes, mlc_str(pipeline)) && mlc_pass_manager_run(passes, module);
    mlc_pass_manager_destroy(passes);
    return ok;
}

static void
print(MlcOp *module)
{
    MlcBuf text = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    mlc_op_print(module, &flags, &text);
    puts(mlc_buf_c_str(&text));
    mlc_buf_release(&text);
}

int
main(int argc, char **argv)
{
    MlcFile file = {0};
    MlcBuf error = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: calc-opt FILE PIPELINE\n");
        return 1;
    }
    if (!mlc_file_open(&file, argv[1], MLC_FILE_PRIVATE, &error)) {
        fprintf(stderr, "calc-opt: %s\n", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return 1;
    }
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_register_dialect(ctx, &mlc_calc_dialect);
    mlc_pass_register(&mlc_pass_calc_expand);
    MlcOp *module = mlc_parse_module(ctx, mlc_str_n(file.data, file.size), mlc_str(argv[1]));
    bool ok = module && mlc_verify(module) && run_pipeline(module, argv[2]);
    mlc_diag_flush(ctx);
    if (ok)
        print(module);
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    mlc_file_release(&file);
    return ok ? 0 : 1;
}
