// tidy.c -- a pass of one's own, with libmlc: `example_tidy FILE` runs it and then `cse`, and
// prints the module.
#include <stdio.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/ir/text.h"
#include "mlc/pass.h"
#include "mlc/support/file.h"

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add_canonicalization(patterns);
    MlcGreedyConfig config = {MLC_SIZED(MlcGreedyConfig),
                              .no_fold = !mlc_pass_option_bool(pass, "fold")};
    mlc_apply_patterns_greedily(root, patterns, &config);
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const MlcPassOption options[] = {
    {"fold", MLC_OPTION_BOOL, "true", "Compute what depends on constants alone"}};

MLC_PASS(tidy, .flag = "tidy", .summary = "Canonicalize, and nothing else", .anchor = "func.func",
         .options = options, .num_options = sizeof options / sizeof *options, .run = run)

static bool
run_pipeline(MlcOp *module)
{
    MlcPassManager *passes = mlc_pass_manager_create(mlc_op_context(module), NULL);
    bool ok =
        mlc_pass_register(&mlc_pass_tidy) &&
        mlc_pass_manager_parse(passes, mlc_str("builtin.module(func.func(tidy{fold=true},cse))"));
    ok = ok && mlc_pass_manager_run(passes, module);
    mlc_pass_manager_destroy(passes);
    return ok;
}

int
main(int argc, char **argv)
{
    MlcFile file = {0};
    MlcBuf error = {0};
    if (argc != 2 || !mlc_file_open(&file, argv[1], MLC_FILE_PRIVATE, &error)) {
        fprintf(stderr, "usage: example_tidy FILE\n%s\n", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return 2;
    }
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    MlcOp *module = mlc_parse_module(ctx, mlc_str_n(file.data, file.size), mlc_str(argv[1]));
    bool ok = module && mlc_verify(module) && run_pipeline(module);
    mlc_diag_flush(ctx);
    if (ok) {
        MlcBuf text = {0};
        MlcPrintFlags flags = mlc_print_flags_default();
        mlc_op_print(module, &flags, &text);
        puts(mlc_buf_c_str(&text));
        mlc_buf_release(&text);
    }
    mlc_op_destroy(module);
    mlc_context_destroy(ctx);
    mlc_file_release(&file);
    return ok ? 0 : 1;
}
