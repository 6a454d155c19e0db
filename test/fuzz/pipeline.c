// pipeline.c -- arbitrary text as a pass pipeline: refused with a diagnostic, or printed in a form
// that is read again and prints the same.
#include "common.h"

#include "mlc/pass.h"

#include <stdio.h>

static bool
print_parsed(MlcContext *ctx, MlcStr text, MlcBuf *out)
{
    MlcPassManager *pm = mlc_pass_manager_create(ctx, NULL);
    bool ok = mlc_pass_manager_parse(pm, text);
    if (ok)
        mlc_pass_manager_print_pipeline(pm, out);
    mlc_pass_manager_destroy(pm);
    return ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = fuzz_context();
    MlcBuf first = {0}, second = {0};
    if (size < 65536 && print_parsed(ctx, mlc_str_n((const char *)data, size), &first) &&
        (!print_parsed(ctx, mlc_buf_str(&first), &second) ||
         !mlc_str_equal(mlc_buf_str(&first), mlc_buf_str(&second)))) {
        fprintf(stderr, "pipeline does not come back: '%s', '%s'\n", mlc_buf_c_str(&first),
                mlc_buf_c_str(&second));
        abort();
    }
    mlc_buf_release(&first);
    mlc_buf_release(&second);
    mlc_context_destroy(ctx);
    return 0;
}
