// context.h -- owns everything uniqued; knows the dialects; limits; where diagnostics go.
//
// Ownership: the caller destroys it, and its ops before; all that is uniqued or loaded lives till
// then.
// Threads: any, several at a time, but for settings, limits and what adds dialects or interfaces:
// these come before other threads work in the context.
#ifndef MLC_IR_CONTEXT_H
#define MLC_IR_CONTEXT_H

#include "mlc/ir/def.h"

MLC_BEGIN_DECLS

// What input may ask of us. One table; each has a flag --limit-<name>=N and a message that names
// it.
typedef struct MlcLimits {
    uint64_t nesting;       // regions, attributes, types, parentheses; MLC_NESTING_LIMIT at most
    uint64_t operands;      // per op; results, successors, block arguments likewise
    uint64_t rank;          // of shaped types
    uint64_t integer_width; // bits
    uint64_t file_size;     // bytes
    uint64_t expansion; // bytes that what is shared (aliases, values of bytecode) takes where it
                        // is written out, beside MLC_EXPANSION_PER_BYTE times the file's
    uint64_t constant;  // bytes of a list of elements that are wider than 128 bits
    uint64_t errors;    // reported per run
} MlcLimits;
enum { MLC_EXPANSION_PER_BYTE = 256, MLC_NESTING_LIMIT = 1000 };
// What a new context has.
MLC_API const MlcLimits *mlc_limits_default(void);

// A context without dialects; mlc_register_all_dialects (mlc/dialects.h) adds the built-in ones:
// constant tables, no work.
MLC_API MlcContext *mlc_context_create(void);
MLC_API void mlc_context_destroy(MlcContext *ctx);
MLC_API MlcLimits *mlc_context_limits(MlcContext *ctx);
// Threads that reading, verifying and printing a whole module may use; 0: one per processor.
// Default: 1. What is read, reported and printed does not depend on it.
MLC_API void mlc_context_set_threads(MlcContext *ctx, unsigned threads);
MLC_API unsigned mlc_context_threads(const MlcContext *ctx);
// Texts of fewer bytes, and modules that would take about as many, are left to one thread. Default:
// 256 KiB.
MLC_API void mlc_context_set_min_shared(MlcContext *ctx, size_t bytes);
// The context's worker threads, made when first asked for; NULL if it may use one thread only.
MLC_API struct MlcPool *mlc_context_pool(MlcContext *ctx);
MLC_API void mlc_context_allow_unregistered(MlcContext *ctx, bool allow);
MLC_API bool mlc_context_allows_unregistered(const MlcContext *ctx);

// Registers a dialect's records, which must outlive the context. False, with a diagnostic, if the
// name is taken by another.
MLC_API bool mlc_context_register_dialect(MlcContext *ctx, const MlcDialectDef *dialect);
MLC_API size_t mlc_context_num_dialects(const MlcContext *ctx);
MLC_API const MlcDialectDef *mlc_context_dialect_at(const MlcContext *ctx, size_t i);
MLC_API const MlcDialectDef *mlc_context_dialect(const MlcContext *ctx, MlcStr name);
// Interfaces of one's own have a number too, by name ("calc.cost"): the same one whenever it is
// asked for in this process.
MLC_API uint32_t mlc_interface_id(const char *name);
// Gives ops of a definition, built in or not, such an interface in this context: mlc_op_interface
// finds `methods`, which must outlive it. A trait of one's own is one whose methods nobody calls.
// Before other threads work in the context.
MLC_API void mlc_context_add_interface(MlcContext *ctx, const MlcOpDef *def, uint32_t interface,
                                       const void *methods);
// By full name; NULL if no registered dialect has it.
MLC_API const MlcOpDef *mlc_context_op(MlcContext *ctx, MlcStr name);
MLC_API const MlcTypeDef *mlc_context_type(MlcContext *ctx, MlcStr name);
MLC_API const MlcAttrDef *mlc_context_attr(MlcContext *ctx, MlcStr name);
// The definition used for an op that no dialect defines; made once per name.
MLC_API const MlcOpDef *mlc_context_unregistered_op(MlcContext *ctx, MlcStr name);
// The default of a slot as an attribute (parsed once); NULL if it has none.
MLC_API MlcAttr mlc_context_default_attr(MlcContext *ctx, const MlcAttrSlot *slot);

// Memory that lives as long as the context; thread safe.
MLC_API void *mlc_context_alloc(MlcContext *ctx, size_t size, size_t alignment);
// Bytes held by the context and by ops, for budgets and statistics.
MLC_API size_t mlc_context_memory(const MlcContext *ctx);

MLC_END_DECLS

#endif
