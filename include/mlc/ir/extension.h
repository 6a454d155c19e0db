// extension.h -- what is added to a context from files: plugins, dialects, rules; and packages,
// which name them all. docs/dialects.md describes `package:`.
//
// Ownership: packages are the caller's to destroy, before the context; paths are copied.
// Threads: to load: in a context where no other thread works yet; to ask: any.
#ifndef MLC_IR_EXTENSION_H
#define MLC_IR_EXTENSION_H

#include "mlc/ir/fwd.h"

MLC_BEGIN_DECLS

typedef enum MlcExtensionKind {
    MLC_EXTENSION_PLUGIN,
    MLC_EXTENSION_DIALECT,
    MLC_EXTENSION_RULES,
    MLC_EXTENSION_TESTS, // a folder; of packages only
    MLC_EXTENSION_IRDL,  // never of packages
} MlcExtensionKind;

typedef struct MlcExtension {
    MlcExtensionKind kind;
    const char *path;
    MlcLoc loc; // where a package names it
} MlcExtension;

typedef struct MlcPackage MlcPackage;
struct MlcExternalResources; // mlc/ir/text.h

// The dialect at `path`, and what the `package` of it and of the dialects named there names, whose
// files must be there; nothing is loaded. The caller destroys it, before the context. NULL after
// located diagnostics. mlc_load_package (mlc/plugin.h) loads one.
MLC_API MlcPackage *mlc_package_read(MlcContext *ctx, const char *path);
MLC_API void mlc_package_destroy(MlcPackage *package); // NULL is fine
// How many parts it has; `i` is below that. In the order in which they are loaded: plugins,
// dialects with those first that others need, rules, tests.
MLC_API size_t mlc_package_size(const MlcPackage *package);
MLC_API const MlcExtension *mlc_package_at(const MlcPackage *package, size_t i);

// What this context has loaded, in order; paths are absolute, but names of what was read from
// memory are as they were given. `i` is below the number.
MLC_API size_t mlc_context_num_extensions(MlcContext *ctx);
MLC_API MlcExtension mlc_context_extension_at(MlcContext *ctx, size_t i);
// Whether it has loaded that file.
MLC_API bool mlc_context_has_extension(MlcContext *ctx, MlcExtensionKind kind, const char *path);
// Remembers that it has. The path is copied.
MLC_API void mlc_context_add_extension(MlcContext *ctx, MlcExtensionKind kind, const char *path);

typedef bool (*MlcExtensionLoader)(MlcContext *ctx, const char *path);
// What loads IRDL that a file remembers: mlc_load_irdl (mlc/frontend/irdl.h), which mlc's tools give
// to all of their contexts. NULL, as at first: nothing does.
MLC_API void mlc_context_set_irdl_loader(MlcContext *ctx, MlcExtensionLoader loader);

#define MLC_RECORDED_SECTION "mlc_loaded"
// What files remember of it: reproducers always, bytecode where its writer asks. Adds entries of the
// section MLC_RECORDED_SECTION.
MLC_API void mlc_record_extensions(MlcContext *ctx, struct MlcExternalResources *resources);
// Loads what a file, text or bytecode, remembers, before it is read: dialects, rules and IRDL that
// the context has not, by path or by the file's name alone. Plugins are code, and no file may run
// code: where one is missing, a warning says so. Two NULs follow the text. False after located
// diagnostics.
MLC_API bool mlc_load_recorded(MlcContext *ctx, MlcStr text, MlcStr name);

MLC_END_DECLS

#endif
