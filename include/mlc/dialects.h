// dialects.h -- the built-in dialects, as one call.
//
// Ownership: definitions live as long as the context.
// Threads: in a context where no other thread works yet.
#ifndef MLC_DIALECTS_H
#define MLC_DIALECTS_H

#include "mlc/ir/context.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

// Adds every built-in dialect (constant tables: nothing is built). Generated from the
// mlc_add_dialect lines.
MLC_API void mlc_register_all_dialects(MlcContext *ctx);
// Whether it is one of them, rather than a user's.
MLC_API bool mlc_is_builtin_dialect(const MlcDialectDef *dialect);
// Reads a dialect from YAML, with the loader that the build uses, and registers it. The definitions
// live as long as the context. False after located diagnostics.
MLC_API bool mlc_load_dialect(MlcContext *ctx, const char *path);
// The same of a text in memory, which may go afterwards. `name` is what messages call it, and
// further files of the dialect stand beside it.
MLC_API bool mlc_load_dialect_text(MlcContext *ctx, MlcStr text, const char *name);
// The same of a text that was made of a file: nothing remembers it, and the caller adds that file
// (mlc_context_add_extension).
MLC_API bool mlc_define_dialect(MlcContext *ctx, MlcStr text, const char *name);
// Appends the reference page of the dialect in a file, as Markdown; the context has what it needs,
// and may have it too. `passes` gives the names of those that make other ops of one, between
// spaces, or NULL. False after located diagnostics.
MLC_API bool mlc_dialect_reference(MlcContext *ctx, const char *path,
                                   const char *(*passes)(void *user, const MlcOpDef *op),
                                   void *user, MlcBuf *out);

MLC_END_DECLS

#endif
