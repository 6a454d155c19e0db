// interp.h -- the reference interpreter: runs IR of every level, plainly; the oracle for every lowering.
//
// A datum is a value at run time. Integers and floats hold their bits (floats in their own format); vectors and tensors
// hold elements in the storage of mlc_dense_attr_get; a memref is a window (offset, sizes, strides) into a buffer.
// The `eval` slot of an op gives its meaning from operands to results; constant folding uses the same slot.
#ifndef MLC_INTERP_H
#define MLC_INTERP_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

typedef struct MlcEval MlcEval; // one evaluation: memory, limits, call depth, where errors go

typedef struct MlcBuffer MlcBuffer; // reference counted by the evaluation; knows its size and whether it was freed

struct MlcDatum {
    MlcType type;
    union {
        MlcWide integer; // integers and index
        uint64_t bits[2]; // floats, in the type's format
        struct {         // vector, tensor: row-major elements
            void *data;
            size_t num_bytes;
            const int64_t *shape; // static, also where the type says `?`
        } elements;
        struct { // memref
            MlcBuffer *buffer;
            int64_t offset;         // elements
            const int64_t *sizes;   // rank of each
            const int64_t *strides; // elements
        } memref;
        void *opaque; // pointers, tokens and what dialects need
    };
};

// For `eval` hooks.
MLC_API MlcContext *mlc_eval_context(MlcEval *e);
MLC_API void *mlc_eval_alloc(MlcEval *e, size_t size); // dies with the evaluation (or its frame)
MLC_API bool mlc_eval_error(MlcEval *e, MlcOp *op, const char *format, ...) MLC_PRINTF(3, 4); // false; silent when folding
MLC_API bool mlc_eval_is_folding(const MlcEval *e); // no memory, no regions: only what is known when compiling
// Runs a region's single block, or CFG, with arguments; results are those of the terminator that leaves it.
MLC_API bool mlc_eval_region(MlcEval *e, MlcRegion *region, const MlcDatum *args, size_t num_args,
                             MlcDatum *results, size_t num_results);
MLC_API bool mlc_eval_call(MlcEval *e, MlcOp *callee, const MlcDatum *args, size_t num_args, MlcDatum *results,
                           size_t num_results);
// The datum of a value from outside the region being run (enclosing frames).
MLC_API const MlcDatum *mlc_eval_lookup(MlcEval *e, MlcValue *value);
MLC_API MlcBuffer *mlc_eval_buffer_create(MlcEval *e, MlcType element, int64_t num_elements);
MLC_API bool mlc_eval_buffer_free(MlcEval *e, MlcOp *op, MlcBuffer *buffer); // false with an error: freed twice
// Element access by linear position; checks bounds and use after free.
MLC_API bool mlc_eval_load(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices, MlcDatum *out);
MLC_API bool mlc_eval_store(MlcEval *e, MlcOp *op, const MlcDatum *memref, const int64_t *indices, const MlcDatum *value);

MLC_API MlcDatum mlc_datum_int(MlcType type, int64_t value);
MLC_API MlcDatum mlc_datum_float(MlcType type, double value);
MLC_API int64_t mlc_datum_as_int(const MlcDatum *d);
MLC_API double mlc_datum_as_double(const MlcDatum *d);
MLC_API bool mlc_datum_from_attr(MlcEval *e, MlcAttr attr, MlcDatum *out);
MLC_API MlcAttr mlc_datum_to_attr(const MlcDatum *d); // NULL for memrefs and the like
MLC_API void mlc_datum_element(const MlcDatum *elements, size_t i, MlcDatum *out);
MLC_API void mlc_datum_set_element(MlcDatum *elements, size_t i, const MlcDatum *value);
MLC_API MlcDatum mlc_datum_elements(MlcEval *e, MlcType type, const int64_t *shape); // zeroed; shape NULL: the type's
MLC_API size_t mlc_datum_num_elements(const MlcDatum *elements);

// Applies a scalar meaning element by element when operands are vectors or tensors (trait ELEMENTWISE).
typedef bool (*MlcScalarEval)(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result);
MLC_API bool mlc_eval_elementwise(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results,
                                  MlcScalarEval scalar);
// The meaning of any op with the structured interface.
MLC_API bool mlc_eval_structured(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results);

// Running.
typedef struct MlcInterpConfig {
    uint64_t max_steps;  // ops executed; 0: no limit
    uint64_t max_memory; // bytes; 0: default
    uint64_t seed;       // order of independent iterations (parallel loops, gpu threads)
    bool trace;
} MlcInterpConfig;
typedef struct MlcInterp MlcInterp;
MLC_API MlcInterp *mlc_interp_create(MlcOp *module, const MlcInterpConfig *config); // config may be NULL
MLC_API void mlc_interp_destroy(MlcInterp *interp);
MLC_API MlcEval *mlc_interp_eval(MlcInterp *interp);
// Calls function `name`; results (owned by the interpreter) hold as many as the function returns. False after a diagnostic.
MLC_API bool mlc_interp_call(MlcInterp *interp, MlcStr name, const MlcDatum *args, size_t num_args,
                             MlcDatum *results, size_t num_results);
// A datum of a tensor, memref or scalar type from .npy bytes or from text ("dense<1.0> : tensor<4xf32>", "random:7",
// "iota"); NULL-typed on failure, after a diagnostic.
MLC_API bool mlc_interp_read_datum(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out);
MLC_API void mlc_datum_print(const MlcDatum *d, MlcBuf *out);

MLC_END_DECLS

#endif
