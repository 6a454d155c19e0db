// interp.h -- the reference interpreter: runs IR of every level, plainly; the oracle for every
// lowering.
//
// What datums are, and what ops mean, is in mlc/ir/eval.h. Errors of the running program (out of
// bounds, use after free, division by zero, a barrier that not all threads reach, too many steps)
// are diagnostics at the op.
//
// Ownership: the caller destroys the interpreter, and datums go with it; the module is borrowed.
// Threads: an interpreter belongs to one at a time; several may run one module that nobody changes.
#ifndef MLC_INTERP_H
#define MLC_INTERP_H

#include "mlc/ir.h"
#include "mlc/ir/eval.h"

MLC_BEGIN_DECLS

typedef struct MlcInterpConfig {
    size_t size;         // MLC_SIZED
    uint64_t max_steps;  // ops executed, and 1024 points of one that has loops; 0: no limit
    uint64_t max_memory; // bytes; 0: default
    uint64_t max_depth;  // calls; 0: default
    uint64_t seed; // order of independent iterations (parallel loops, gpu threads); 0: as written
    bool trace;    // each op's results, on stderr
} MlcInterpConfig;
typedef struct MlcInterp MlcInterp;
// The module must not change while the interpreter lives.
// `config` may be NULL.
MLC_API MlcInterp *mlc_interp_create(MlcOp *module, const MlcInterpConfig *config);
// Frees all memory of the run; datums that it gave go with it.
MLC_API void mlc_interp_destroy(MlcInterp *interp);
// The evaluation, for making arguments and reading results.
MLC_API MlcEval *mlc_interp_eval(MlcInterp *interp);
MLC_API uint64_t mlc_interp_steps(const MlcInterp *interp); // so far, as max_steps counts
// A function in C for one that the module declares. Results have their types, and values to be set;
// false after a diagnostic, at `at`, the call.
typedef bool (*MlcInterpFn)(MlcInterp *interp, MlcOp *at, const MlcDatum *args, size_t num_args,
                            MlcDatum *results, size_t num_results, void *user);
// Calls of a function of that name that has no body call `function`, also instead of what the
// interpreter prints with (printI64 and its kin). The last one bound counts; `name` is copied.
MLC_API void mlc_interp_bind(MlcInterp *interp, const char *name, MlcInterpFn function, void *user);
// The function `name`; NULL after a diagnostic. Its types: mlc_interp_num_args and so on.
MLC_API MlcOp *mlc_interp_function(MlcInterp *interp, MlcStr name);
MLC_API MlcType mlc_interp_function_type(MlcOp *function); // NULL: not a function
// Calls function `name`; results live as long as the interpreter. False after a diagnostic.
MLC_API bool mlc_interp_call(MlcInterp *interp, MlcStr name, const MlcDatum *args, size_t num_args,
                             MlcDatum *results, size_t num_results);

// A datum of a tensor, vector, memref or scalar type from text: an attribute (`dense<1.0> :
// tensor<4xf32>`, `1.5 : f32`), a bare number, `iota`, `random:7` (uniform in [-1, 1), integers in
// [-8, 8)), `zeros`, `undefined` (all ones: NaN), `constants` (what a planned model function takes:
// the module's mlc.constants), or the path of a .npy file. A pointer points at such a value:
// `random:7 as tensor<4xf32>`; or it is `call`, the record that the runtime hands to compiled code
// (mlc/runtime/abi.h), with services that the interpreter stands for. False after a diagnostic.
MLC_API bool mlc_interp_read_datum(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out);
// What a memref, or a pointer that was read as an input, gives access to: a memref; else NULL.
MLC_API const MlcDatum *mlc_interp_contents(MlcInterp *interp, const MlcDatum *d);
// As an attribute would print; memrefs as the tensor of their elements.
MLC_API void mlc_interp_print_datum(MlcInterp *interp, const MlcDatum *d, MlcBuf *out);
// A .npy file of a tensor, vector, memref or scalar. False with words in `error`.
MLC_API bool mlc_interp_write_npy(MlcInterp *interp, const MlcDatum *d, const char *path,
                                  MlcBuf *error);

// The meaning of any op with the structured interface: loops over its maps, and its body for each
// point. Ops without an `eval` slot that have the interface mean this.
MLC_API bool mlc_eval_structured(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                 MlcDatum *results);

MLC_END_DECLS

#endif
