// diag.h -- located diagnostics with notes and ids, given to the handler of the context.
//
// Ownership: messages are copied; what a handler is given lives until it returns.
// Threads: any; each thread's diagnostics and notes are its own, and the handler is called by one
// at a time.
#ifndef MLC_IR_DIAG_H
#define MLC_IR_DIAG_H

#include "mlc/ir/fwd.h"
#include "mlc/support/buf.h"

#include <stdio.h>

MLC_BEGIN_DECLS

typedef enum MlcSeverity { MLC_ERROR, MLC_WARNING, MLC_REMARK, MLC_NOTE } MlcSeverity;

typedef struct MlcDiag {
    MlcSeverity severity;
    MlcLoc loc;
    const char *id; // "unsupported" (mlc_unsupported), "" if none
    MlcStr message;
    const struct MlcDiag *notes;
    size_t num_notes;
} MlcDiag;

// Called once per finished diagnostic; from any thread, one at a time. A diagnostic is finished
// when the next one starts in the same thread, or by mlc_diag_flush; notes attach to the one last
// emitted in their thread.
typedef void (*MlcDiagHandler)(const MlcDiag *diag, void *user);
// NULL: to stderr.
MLC_API void mlc_context_set_diag_handler(MlcContext *ctx, MlcDiagHandler handler, void *user);
// Gives out what this thread emitted last, with its notes.
MLC_API void mlc_diag_flush(MlcContext *ctx);
// Whether a diagnostic on an op gets a note with the op in generic form. Default: no.
MLC_API void mlc_context_print_op_on_diag(MlcContext *ctx, bool print);
// Between begin and end this thread's diagnostics are kept in `list` (zeroed before, on the
// caller's stack); replay gives them to the handler, in order, and empties it. So work spread over
// threads reports in the order of the work.
typedef struct MlcDiagList {
    struct MlcKeptDiag *first, *last;
    struct MlcDiagList *outer;
} MlcDiagList;
// They nest: what is captured inside goes to the inner list alone.
MLC_API void mlc_diag_capture_begin(MlcContext *ctx, MlcDiagList *list);
MLC_API void mlc_diag_capture_end(MlcContext *ctx, MlcDiagList *list);
MLC_API void mlc_diag_replay(MlcContext *ctx, MlcDiagList *list);
// Empties it; its errors were none.
MLC_API void mlc_diag_discard(MlcContext *ctx, MlcDiagList *list);
// Errors given out so far, also those beyond the limit of what is shown.
MLC_API uint64_t mlc_context_num_errors(const MlcContext *ctx);
// Those among them that say that something valid is not supported.
MLC_API uint64_t mlc_context_num_unsupported(const MlcContext *ctx);

// Return false, so that a rejection is one line.
MLC_API bool mlc_error(MlcContext *ctx, MlcLoc loc, const char *format, ...) MLC_PRINTF(3, 4);
// The same with other severities, printf-like; a note belongs to the diagnostic emitted last in
// this thread.
MLC_API void mlc_warning(MlcContext *ctx, MlcLoc loc, const char *format, ...) MLC_PRINTF(3, 4);
// What someone may wonder about; nothing is wrong.
MLC_API void mlc_remark(MlcContext *ctx, MlcLoc loc, const char *format, ...) MLC_PRINTF(3, 4);
// Belongs to the diagnostic emitted last in this thread.
MLC_API void mlc_note(MlcContext *ctx, MlcLoc loc, const char *format, ...) MLC_PRINTF(3, 4);
// An error too, of a class of its own: the input is valid, but mlc does not do this yet.
MLC_API bool mlc_unsupported(MlcContext *ctx, MlcLoc loc, const char *format, ...) MLC_PRINTF(3, 4);
// Any of them, with an id that handlers may ask for; `id` must outlive the context. Returns false.
MLC_API bool mlc_diag_emit(MlcContext *ctx, MlcSeverity severity, MlcLoc loc, const char *id,
                           const char *format, ...) MLC_PRINTF(5, 6);

// Printing: "file:line:col: error: message", the source line and a caret where the text is known
// (see mlc_context_add_source). Thread safe.
MLC_API void mlc_diag_print(MlcContext *ctx, const MlcDiag *diag, FILE *out);
// Lets diagnostics quote from a buffer; it must outlive its use. `name` as in file locations.
MLC_API void mlc_context_add_source(MlcContext *ctx, MlcStr name, MlcStr text);
// Before a buffer that was added goes: gives out this thread's pending diagnostics, then quotes
// from it no more.
MLC_API void mlc_context_remove_source(MlcContext *ctx, MlcStr text);

// Where verifiers of types and attributes report: either a place, or silence (when only asked
// whether it is valid).
typedef struct MlcErrorSink {
    MlcContext *ctx;
    MlcLoc loc;
    bool silent;
} MlcErrorSink;
// False.
MLC_API bool mlc_sink_error(const MlcErrorSink *sink, const char *format, ...) MLC_PRINTF(2, 3);

// IR values in messages: text of a type or attribute, NUL-terminated, owned by the context's
// scratch (a ring of the last 16 per thread), so that mlc_op_error(op, "got %s", mlc_type_text(t))
// needs no buffer.
MLC_API const char *mlc_type_text(MlcType type);
// See mlc_type_text.
MLC_API const char *mlc_attr_text(MlcAttr attr);
// An op in a message: in the generic form, behind a line break if it takes several lines.
MLC_API void mlc_diag_append_op(MlcBuf *out, MlcOp *op);

MLC_END_DECLS

#endif
