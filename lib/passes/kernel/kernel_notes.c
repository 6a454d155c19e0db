// kernel_notes.c -- see kernel_notes.h.
#include "kernel_notes.h"

#include "kernel_arguments.h"

typedef struct Names {
    size_t count;
    MlcStr last;
} Names;

static void
count_name(MlcStr name, void *user)
{
    Names *names = user;
    names->count++;
    names->last = name;
}

static Names
names_of(MlcOp *op)
{
    Names names = {0};
    mlc_loc_visit_names(mlc_op_loc(op), count_name, &names);
    return names;
}

void
mlc_op_add_kernel_note(MlcOp *holder, MlcStr note)
{
    MlcContext *ctx = mlc_op_context(holder);
    MlcAttr old = mlc_op_attr(holder, MLC_KERNEL_NOTES), made = mlc_string_attr_get(ctx, note);
    size_t count = mlc_attr_is(old, MLC_ATTR_ARRAY) ? mlc_array_attr_size(old) : 0;
    MLC_VEC(MlcAttr) notes = {0};
    for (size_t i = 0; i < count; i++) {
        mlc_vec_push(&notes, mlc_array_attr_element(old, i));
        if (notes.data[i] == made)
            made = NULL;
    }
    if (made) {
        mlc_vec_push(&notes, made);
        mlc_op_set_attr(holder, MLC_KERNEL_NOTES, mlc_array_attr_get(ctx, notes.data, notes.size));
    }
    mlc_vec_release(&notes);
}

static void
add_note(MlcOp *op, MlcStr text)
{
    MlcOp *function = op;
    while (function && !mlc_is_kernel_function(function))
        function = mlc_op_parent(function);
    if (!function)
        return;
    MlcBuf note = {0};
    Names all = names_of(function), its = names_of(op);
    if (all.count > 1 && its.count == 1)
        mlc_buf_printf(&note, "%.*s: ", MLC_STR_FMT(its.last));
    mlc_buf_append_str(&note, text);
    mlc_op_add_kernel_note(function, mlc_buf_str(&note));
    mlc_buf_release(&note);
}

void
mlc_kernel_note(MlcOp *op, const char *format, ...)
{
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    add_note(op, mlc_buf_str(&text));
    mlc_buf_release(&text);
}

void
mlc_kernel_remark(MlcOp *op, const char *format, ...)
{
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    mlc_op_remark(op, "%s", mlc_buf_c_str(&text));
    add_note(op, mlc_buf_str(&text));
    mlc_buf_release(&text);
}
