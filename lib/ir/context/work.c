// work.c -- see mlc/ir/work.h. The place is text from the beginning, since whoever tells it may ask
// no context: a thread that is stopped may hold its locks.
#include "mlc/ir/work.h"

#include "context_impl.h"

#define LONGEST 200 // of what is no file: a kernel's location has the names of all its nodes

void
mlc_loc_append_place(MlcContext *ctx, MlcLoc loc, MlcBuf *out)
{
    MlcLoc file = mlc_loc_find_file(loc);
    if (!file) {
        ctx->text->print_loc(ctx, loc, out);
        if (out->size > LONGEST)
            out->size = LONGEST, mlc_buf_append_c(out, "...");
        return;
    }
    mlc_buf_append_str(out, mlc_loc_file_name(ctx, file));
    if (mlc_loc_line(file) > 0)
        mlc_buf_printf(out, ":%u:%u", mlc_loc_line(file), mlc_loc_column(file));
}

void
mlc_work_begin(MlcWork *work, MlcContext *ctx, MlcLoc loc, const char *what, const char *name)
{
    work->place = (MlcBuf){0};
    bool is_told = mlc_quota_is_begun();
    if (is_told)
        mlc_loc_append_place(ctx, loc, &work->place);
    mlc_quota_task_begin(&work->task, what, name, is_told ? mlc_buf_c_str(&work->place) : NULL);
}

void
mlc_work_end(MlcWork *work)
{
    mlc_quota_task_end(&work->task);
    mlc_buf_release(&work->place);
}
