// runtime_check.c -- assertions that an op's operands are what it wants, when the program runs.
#include "mlc/ir/interfaces.h"
#include "mlc/ir/text.h"

#include <stdarg.h>

enum { MOST_OF_OP = 4096 }; // bytes: one of many operands has many checks, which all quote it

// The op without its regions, as MLIR quotes it, up to MOST_OF_OP bytes.
static void
quote_op(MlcOp *op, MlcBuf *out)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = flags.local_scope = flags.skip_regions = true;
    size_t start = out->size;
    mlc_op_print(op, &flags, out);
    if (out->size - start > MOST_OF_OP) {
        out->size = start + MOST_OF_OP;
        mlc_buf_append_c(out, "...");
    }
}

void
mlc_build_runtime_check(MlcBuilder *b, MlcOp *op, MlcValue *condition, const char *format, ...)
{
    MlcBuf message = {0};
    mlc_buf_append_c(&message, "ERROR: Runtime op verification failed\n");
    quote_op(op, &message);
    mlc_buf_append_c(&message, "\n^ ");
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&message, format, args);
    va_end(args);
    mlc_buf_append_c(&message, "\nLocation: ");
    mlc_loc_print(b->ctx, mlc_op_loc(op), &message);
    MlcNamedAttr msg = mlc_named(b->ctx, "msg", mlc_string_attr_get(b->ctx, mlc_buf_str(&message)));
    mlc_buf_release(&message);
    mlc_build_op(b, "cf.assert", NULL, 0, &condition, 1, &msg, 1, 0);
}
