// runtime_check.c -- assertions that an op's operands are what it wants, when the program runs.
#include "mlc/ir/interfaces.h"
#include "mlc/ir/text.h"

#include <stdarg.h>

void
mlc_build_runtime_check(MlcBuilder *b, MlcOp *op, MlcValue *condition, const char *format, ...)
{
    MlcBuf message = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = flags.local_scope = flags.skip_regions = true;
    mlc_buf_append_c(&message, "ERROR: Runtime op verification failed\n");
    mlc_op_print(op, &flags, &message);
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
