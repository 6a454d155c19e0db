// text.h -- reads and prints MLIR 19's text.
//
// Ownership: modules that are read are the caller's to destroy; what is printed goes to the
// caller's buffer.
// Threads: any, several at a time; one text or module may be shared out to the context's threads.
// What is printed must not be edited meanwhile.
#ifndef MLC_IR_TEXT_H
#define MLC_IR_TEXT_H

#include "mlc/ir/op.h"
#include "mlc/support/buf.h"
#include "mlc/support/sized.h"

MLC_BEGIN_DECLS

// A builtin.module from the text of a file, or from its bytecode (mlc/ir/bytecode.h); a single
// top-level module is returned itself. It is not verified, and the caller's to destroy. Locations
// name `name`. NULL after diagnostics, which quote from a copy of the text that lives as long as
// the context.
MLC_API MlcOp *mlc_parse_module(MlcContext *ctx, MlcStr text, MlcStr name);

// What stands beside a module under `external_resources`: for tools, not for the IR. Entries are in
// order; `value` is text as it is written in a file: "true", "\"a string\"".
typedef struct MlcExternalResource {
    MlcStr section, key, value;
} MlcExternalResource;
typedef struct MlcExternalResources MlcExternalResources;
// The caller destroys it.
MLC_API MlcExternalResources *mlc_external_resources_create(void);
MLC_API void mlc_external_resources_destroy(MlcExternalResources *resources); // NULL is fine
// Copies.
MLC_API void mlc_external_resources_add(MlcExternalResources *resources, MlcStr section, MlcStr key,
                                        MlcStr value);
// How many there are; `i` is below that.
MLC_API size_t mlc_external_resources_size(const MlcExternalResources *resources);
MLC_API const MlcExternalResource *mlc_external_resources_at(const MlcExternalResources *resources,
                                                             size_t i);
// Adds what stands beside the module of a file, text or bytecode, without reading the module;
// `text` is as for mlc_parse_module. Says nothing of what cannot be read: who reads it all does.
MLC_API void mlc_read_external_resources(MlcContext *ctx, MlcStr text, MlcStr name,
                                         MlcExternalResources *resources);

typedef struct MlcParseOptions {
    size_t size;                    // MLC_SIZED
    bool no_implicit_module;        // the file is one op, which is returned
    MlcExternalResources *external; // where external resources go; NULL: dropped
} MlcParseOptions;
// The same for big files, with no copy: text is scanned in place, and left as it was. It must be
// writable, and have two NUL bytes after its end (MLC_FILE_PRIVATE gives both); diagnostics quote
// from it until mlc_context_remove_source. `options` may be NULL.
MLC_API MlcOp *mlc_parse_source(MlcContext *ctx, MlcStr text, MlcStr name,
                                const MlcParseOptions *options);
// One attribute, type, map: the whole text. NULL after a diagnostic.
MLC_API MlcAttr mlc_parse_attr(MlcContext *ctx, MlcStr text);
MLC_API MlcType mlc_parse_type(MlcContext *ctx, MlcStr text);
// "(d0) -> (d0)" or "affine_map<...>".
MLC_API MlcAffineMap mlc_parse_affine_map(MlcContext *ctx, MlcStr text);

typedef struct MlcPrintFlags {
    size_t size;     // MLC_SIZED
    bool generic;    // -mlir-print-op-generic
    bool debug_info; // -mlir-print-debuginfo
    bool pretty_debug_info;
    bool local_scope;     // -mlir-print-local-scope: no aliases
    bool assume_verified; // what is printed is valid: functions are named one by one, by threads
    bool skip_regions;
    bool unique_ssa_ids;                  // -mlir-print-unique-ssa-ids
    bool value_users;                     // -mlir-print-value-users
    int64_t elide_elements_over;          // -mlir-elide-elementsattrs-if-larger; -1: never
    int64_t elide_resources_over;         // -1: never
    const MlcExternalResources *external; // printed behind the module; may be NULL
    // Called between ops when `out` has grown long; may write and clear it. NULL: all text stays.
    void (*flush)(void *user, MlcBuf *out);
    void *flush_user;
    // Called as the text of an op begins, at column `indent` of the last line of `out`; NULL: not.
    void (*at_op)(void *user, MlcOp *op, const MlcBuf *out, size_t indent);
    void *at_op_user;
} MlcPrintFlags;
// Everything in custom form, without locations.
static inline MlcPrintFlags
mlc_print_flags_default(void)
{
    MlcPrintFlags flags;
    memset(&flags, 0, sizeof flags);
    flags.size = sizeof flags;
    flags.elide_elements_over = flags.elide_resources_over = -1;
    return flags;
}

// Flags NULL: defaults.
MLC_API void mlc_op_print(MlcOp *op, const MlcPrintFlags *flags, MlcBuf *out);

MLC_API void mlc_op_dump(MlcOp *op); // to stderr
// Append the text, without aliases.
MLC_API void mlc_type_print(MlcType type, MlcBuf *out);
// Appends the text, without aliases; NULL is told as such.
MLC_API void mlc_attr_print(MlcAttr attr, MlcBuf *out);
// Appends `(d0)[s0] -> (...)`.
MLC_API void mlc_affine_map_print(MlcAffineMap map, MlcBuf *out);
// Appends an expression alone.
MLC_API void mlc_affine_expr_print(MlcAffineExpr expr, MlcBuf *out);
// Appends `(d0)[s0] : (...)`.
MLC_API void mlc_integer_set_print(MlcIntegerSet set, MlcBuf *out);
// Appends `loc(...)`, without aliases.
MLC_API void mlc_loc_print(MlcContext *ctx, MlcLoc loc, MlcBuf *out);

MLC_END_DECLS

#endif
