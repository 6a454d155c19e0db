// target.h -- machine code from the llvm dialect. Everything LLVM does is behind this table of
// functions.
//
// libmlc never links LLVM: mlc_target_open loads libmlc_target (beside libmlc, or where
// MLC_TARGET_LIBRARY says) when the first code is generated. Modules are translated as they are:
// ops of other dialects than llvm (and nvvm) in them are errors, located, all of them in one go.
// Nothing here changes a module.
//
// Ownership: objects, JITs and buffers are the caller's: released by the function that is named;
// modules are borrowed and stay as they are.
// Threads: any, on modules of their own or on one that nobody changes.
#ifndef MLC_TARGET_H
#define MLC_TARGET_H

#include "mlc/ir/fwd.h"
#include "mlc/runtime.h"
#include "mlc/support/buf.h"
#include "mlc/support/file.h"
#include "mlc/support/sized.h"
#include "mlc/machine.h"

MLC_BEGIN_DECLS

typedef enum MlcEmit {
    MLC_EMIT_LLVM_IR,     // text, after the passes
    MLC_EMIT_TRANSLATION, // text as translated, for no machine but what the module's attributes say
    MLC_EMIT_ASSEMBLY,    // of the target; PTX for nvptx64
    MLC_EMIT_OBJECT,      // ELF, for mlc_image_link or a JIT; not for nvptx64
} MlcEmit;

// Zeros are the defaults.
typedef struct MlcTargetOptions {
    size_t size;               // MLC_SIZED
    const MlcTargetDesc *desc; // NULL: the host
    int opt_level; // 1 to 3: LLVM's, 1 half of our passes too; 0 is 2; -1: no passes, least effort
                   // in code generation
    bool loop_vectorize; // LLVM's own vectorisers: off, the vectoriser is ours; on for comparison
    bool slp_vectorize;
    const char *passes; // an LLVM pass pipeline instead of ours; NULL: ours
    // Folder of object code to be used again, made when needed; processes may share it. NULL:
    // MLC_CACHE_DIR, or none;
    // "": none.
    const char *cache_dir;
    // Compile a module in parts: of `num_parts` (0: one) this call defines the functions of number
    // `part`, and declares the others. What is private to the module then gets hidden symbols.
    // Parts may be emitted at the same time.
    unsigned part, num_parts;
    // mlc_target_emit_objects lowers the level of parts for which it leaves too little time, and
    // counts them as left out. NULL: no limit.
    struct MlcBudget *budget;
    // Called there when a part is done; from any thread, one at a time. NULL: nobody.
    void (*progress)(size_t done, size_t total, void *user);
    void *progress_user;
    // Of a module with gpu.modules: what an artefact has their code for.
    const MlcTargetDesc *const *devices;
    size_t num_devices;
    const char *ptxas; // assembles their code, so that the driver need not; NULL: nobody
} MlcTargetOptions;

typedef struct MlcJit MlcJit;

typedef struct MlcTargetApi {
    size_t size; // of this struct
    // Translates `module` (an op with a region of llvm.func and llvm.mlir.global), verifies,
    // optimises, and appends the result to `out`. False with located diagnostics in the module's
    // context.
    bool (*emit)(MlcOp *module, const MlcTargetOptions *options, MlcEmit kind, MlcBuf *out);
    // Loads object files (borrowed for the call) into this process; undefined symbols are looked
    // for in the process. NULL with a message appended to `error`.
    MlcJit *(*jit_create)(const MlcStr *objects, size_t num_objects, MlcBuf *error);
    void *(*jit_lookup)(MlcJit *jit, const char *symbol); // NULL: there is none
    void (*jit_destroy)(MlcJit *jit);                     // NULL is fine
} MlcTargetApi;

// In libmlc: opens the library once; NULL with a message appended to `error` (which may be NULL).
MLC_API MLC_NODISCARD const MlcTargetApi *mlc_target_open(MlcBuf *error);
// The file that it opens, replacing what `path` holds; a name without a folder is looked for by the
// system.
MLC_API void mlc_target_file(MlcBuf *path);

// In libmlc: object files of the module's parts, compiled by the pool's threads (NULL: this one);
// for mlc_image_link. For a GPU: text of its gpu.modules' functions (PTX). The number of parts, and so the code, does not depend on the number of
// threads. On success *objects (caller's mlc_target_objects_release) has them. Diagnostics as in
// emit.
typedef struct MlcObjects {
    MlcBuf *buffers;
    size_t num_objects;
} MlcObjects;
struct MlcPool;
// False after diagnostics. `pool` (may be NULL) shares out the parts of the module; the caller
// releases `objects`.
MLC_API MLC_NODISCARD bool mlc_target_emit_objects(MlcOp *module, const MlcTargetOptions *options,
                                                   struct MlcPool *pool, MlcObjects *objects);
// Frees the list and the code in it.
MLC_API void mlc_target_objects_release(MlcObjects *objects);

// In libmlc: the program that makes cubins, in `path`. `given` is its path; empty: it is looked for
// in the folders of PATH. False: there is none; where one was given, with why in `error` (may be
// NULL).
MLC_API bool mlc_ptxas_find(MlcStr given, MlcBuf *path, MlcBuf *error);

// In libmlc: what the runtime calls elements of this type; false if it has none.
MLC_API bool mlc_target_runtime_type(MlcType type, MlcRtType *out);

// In libmlc: the artefact of a lowered model, from its code and from the module's attributes
// (docs/internals/memory.md), into a file that the caller began and commits.
// False with located diagnostics.
MLC_API MLC_NODISCARD bool mlc_target_write_artefact(MlcOp *module, const MlcTargetOptions *options,
                                                     struct MlcPool *pool, MlcFileWriter *writer);

// The same code by ORC: *jit (caller's jit_destroy, after the model) has it, and the file is an
// artefact without code, for mlc_model_load_file with MlcModelOptions{.resolve =
// mlc_target_jit_lookup, .user = *jit}.
MLC_API MLC_NODISCARD bool mlc_target_jit(MlcOp *module, const MlcTargetOptions *options,
                                          struct MlcPool *pool, MlcFileWriter *writer,
                                          MlcJit **jit);
MLC_API void *mlc_target_jit_lookup(void *jit, const char *symbol);

// In libmlc: the functions of a module in the llvm dialect as code in this process, *jit (caller's
// jit_destroy). What the module only declares is looked for in the process: shared libraries are
// opened before, with RTLD_GLOBAL. False with located diagnostics.
MLC_API MLC_NODISCARD bool mlc_target_jit_module(MlcOp *module, const MlcTargetOptions *options,
                                                 MlcJit **jit);
// The code of a function that the module defines; NULL after a diagnostic: there is none, or
// something that it needs is nowhere.
MLC_API void *mlc_target_jit_function(MlcOp *module, MlcJit *jit, MlcStr name);
// Calls the functions of the module's llvm.mlir.global_ctors, in the order of their priorities; or
// of its global_dtors. False after a diagnostic.
MLC_API MLC_NODISCARD bool mlc_target_jit_call_all(MlcOp *module, MlcJit *jit, bool destructors);

// In libmlc_target.
#define MLC_TARGET_ENTRY "mlc_target_api"
// The table that libmlc asks libmlc_target for when it opens it.
MLC_API const MlcTargetApi *mlc_target_api(void);

MLC_END_DECLS

#endif
