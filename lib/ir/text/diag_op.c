// diag_op.c -- diagnostics about ops, and what they quote: ops, types and attributes as text.
#include "context/diag_impl.h"
#include "op/op_impl.h"
#include "print_impl.h"

void
mlc_diag_append_op(MlcBuf *out, MlcOp *op)
{
    MlcBuf text = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = true;
    flags.local_scope = true; // other functions are being changed by other threads
    mlc_print_root(op, &flags, &text);
    if (memchr(text.data, '\n', text.size))
        mlc_buf_append_c(out, "\n");
    mlc_buf_append_str(out, mlc_buf_str(&text));
    mlc_buf_release(&text);
}

static void
note_op(MlcOp *op)
{
    if (!op->ctx->print_op_on_diag)
        return;
    MlcBuf text = {0};
    mlc_diag_append_op(&text, op);
    mlc_note(op->ctx, op->loc, "see current operation: %s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
}

bool
mlc_op_error(MlcOp *op, const char *format, ...)
{
    MlcBuf prefix = {0};
    mlc_buf_printf(&prefix, "'%s' op ", op->def->name);
    MLC_EMIT(op->ctx, MLC_ERROR, op->loc, "", mlc_buf_c_str(&prefix));
    mlc_buf_release(&prefix);
    note_op(op);
    return false;
}

bool
mlc_op_unsupported(MlcOp *op, const char *format, ...)
{
    MlcBuf prefix = {0};
    mlc_buf_printf(&prefix, "'%s' op is not supported: ", op->def->name);
    MLC_EMIT(op->ctx, MLC_ERROR, op->loc, mlc_unsupported_id, mlc_buf_c_str(&prefix));
    mlc_buf_release(&prefix);
    note_op(op);
    return false;
}

bool
mlc_op_cast_error(MlcOp *op)
{
    return mlc_op_error(op, "operand type '%s' and result type '%s' are cast incompatible",
                        mlc_type_text(mlc_value_type(mlc_op_operand(op, 0))),
                        mlc_type_text(mlc_value_type(mlc_op_result(op, 0))));
}

void
mlc_op_warning(MlcOp *op, const char *format, ...)
{
    MLC_EMIT(op->ctx, MLC_WARNING, op->loc, "", "");
    note_op(op);
}

void
mlc_op_remark(MlcOp *op, const char *format, ...)
{
    MLC_EMIT(op->ctx, MLC_REMARK, op->loc, "", "");
    note_op(op);
}

void
mlc_op_note(MlcOp *op, const char *format, ...)
{
    MLC_EMIT(op->ctx, MLC_NOTE, op->loc, "", "");
}

const char *
mlc_type_text(MlcType type)
{
    MlcBuf *buf = mlc_diag_text();
    if (type)
        mlc_type_print(type, buf);
    else
        mlc_buf_append_c(buf, "<<null type>>");
    return mlc_buf_c_str(buf);
}

const char *
mlc_attr_text(MlcAttr attr)
{
    MlcBuf *buf = mlc_diag_text();
    if (attr)
        mlc_attr_print(attr, buf);
    else
        mlc_buf_append_c(buf, "<<null attribute>>");
    return mlc_buf_c_str(buf);
}
