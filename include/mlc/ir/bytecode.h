// bytecode.h -- the IR as a compact binary file, read many times faster than text.
//
// The format is our own and versioned; docs/internals/bytecode.md says what lies where. A file is a
// table of sections: strings, uniqued values (types, attributes, locations, maps), op names,
// resources, and the ops. The body of an isolated op is a piece that stands for itself, so bodies
// can be left unread until they are wanted, and bytes of resources are used where they lie.
//
// Ownership: ops that are read are the caller's; bytes are borrowed till the reader is closed, or
// by `release`.
// Threads: a reader belongs to one at a time; it shares out bodies to the context's threads itself.
#ifndef MLC_IR_BYTECODE_H
#define MLC_IR_BYTECODE_H

#include "mlc/ir/op.h"
#include "mlc/ir/text.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

#define MLC_BYTECODE_VERSION 2

typedef struct MlcBytecodeWriteOptions {
    size_t size;  // MLC_SIZED
    bool is_mlir; // MLIR's format, version 6, as mlir-opt-19 writes and reads it
    bool strip_locations;
    bool elide_resources;                 // handles are kept, their bytes left out
    const MlcExternalResources *external; // written beside the module; may be NULL
} MlcBytecodeWriteOptions;
// Appends the file of `op` and everything inside it. `options` NULL: everything is kept.
MLC_API void mlc_bytecode_write(MlcOp *op, const MlcBytecodeWriteOptions *options, MlcBuf *out);

// Whether it begins as MLIR's bytecode or our own does; nothing more is looked at.
MLC_API bool mlc_is_bytecode(MlcStr data);

typedef struct MlcBytecodeReadOptions {
    size_t size; // MLC_SIZED
    bool lazy;   // bodies of isolated ops inside the root are left empty until materialised
    // Given: `data` is a lasting mapping. Resources are windows into it, and `release(user)` is
    // called when the reader is closed and the last of them is gone. NULL: `data` must outlive the
    // reader only.
    void (*release)(void *user);
    void *user;
    MlcExternalResources *external; // gets the external resources; may be NULL
} MlcBytecodeReadOptions;

// A file being read. `data` is not trusted: whatever is wrong with it is an error with the byte's
// offset.
typedef struct MlcBytecode MlcBytecode;
// Reads the file; NULL after a diagnostic (then `release` was called). `name` stands in messages.
MLC_API MlcBytecode *mlc_bytecode_open(MlcContext *ctx, MlcStr data, MlcStr name,
                                       const MlcBytecodeReadOptions *options);
// The root op; the caller owns it. Ops whose bodies are unread must not be used after
// mlc_bytecode_close.
MLC_API MlcOp *mlc_bytecode_root(const MlcBytecode *file);
// Reads the body of an op that was left empty; true at once if it was not. False after a
// diagnostic.
MLC_API bool mlc_bytecode_materialize(MlcBytecode *file, MlcOp *op);
MLC_API bool mlc_bytecode_is_pending(const MlcBytecode *file, const MlcOp *op);
MLC_API size_t mlc_bytecode_num_pending(const MlcBytecode *file);
MLC_API void mlc_bytecode_close(MlcBytecode *file); // NULL is fine

// The whole file at once. Resources are copied. NULL after a diagnostic.
MLC_API MlcOp *mlc_bytecode_read(MlcContext *ctx, MlcStr data, MlcStr name,
                                 MlcExternalResources *external);

MLC_END_DECLS

#endif
