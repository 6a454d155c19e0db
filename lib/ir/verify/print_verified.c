// print_verified.c -- an op in its custom syntax if it is valid, else in the generic one.
#include "mlc/ir/diag.h"
#include "mlc/ir/verify.h"
#include "text/print_impl.h"

#include <stdio.h>

static bool
is_valid(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcDiagList faults = {0};
    mlc_diag_capture_begin(ctx, &faults);
    bool ok = mlc_verify(op);
    mlc_diag_capture_end(ctx, &faults);
    mlc_diag_discard(ctx, &faults);
    return ok;
}

void
mlc_op_print(MlcOp *op, const MlcPrintFlags *flags, MlcBuf *out)
{
    MlcPrintFlags chosen = mlc_print_flags_default();
    if (flags)
        mlc_sized_copy(&chosen, sizeof chosen, flags, "MlcPrintFlags");
    // Custom syntax shows operands, regions and attributes that an invalid op may not have.
    if (!chosen.generic && !chosen.assume_verified)
        chosen.generic = !is_valid(op);
    mlc_print_root(op, &chosen, out);
}

void
mlc_op_dump(MlcOp *op)
{
    MlcBuf buf = {0};
    mlc_op_print(op, NULL, &buf);
    fprintf(stderr, "%s\n", mlc_buf_c_str(&buf));
    mlc_buf_release(&buf);
}
