// diag_impl.h -- private: how functions with a format give their diagnostic.
#ifndef MLC_IR_DIAG_IMPL_H
#define MLC_IR_DIAG_IMPL_H

#include <stdarg.h>

#include "context_impl.h"

extern const char mlc_unsupported_id[]; // of errors that say what is not done yet

// Begins a diagnostic, or adds a note to the pending one; `prefix` goes before the formatted text.
MLC_PRINTF(6, 0)
void mlc_diag_vemit(MlcContext *ctx, MlcSeverity severity, MlcLoc loc, const char *id,
                    const char *prefix, const char *format, va_list args);

// The same from a function whose last parameters are `const char *format, ...`.
#define MLC_EMIT(ctx, severity, loc, id, prefix)                                                   \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        mlc_diag_vemit((ctx), (severity), (loc), (id), (prefix), format, args);                    \
        va_end(args);                                                                              \
    } while (0)

// The first message of the list to `out`, and no diagnostic; empties the list.
void mlc_diag_take_message(MlcContext *ctx, MlcDiagList *list, MlcBuf *out);

// An empty text that lasts until as many others as a message has places have been asked for.
MlcBuf *mlc_diag_text(void);

#endif
