// gpu_host_calls.h -- what lowerings of gpu ops to calls of the `mgpu*` library share.
#ifndef MLC_CONVERSION_GPU_HOST_CALLS_H
#define MLC_CONVERSION_GPU_HOST_CALLS_H

#include "to_llvm/to_llvm.h"

// Products of sparse matrices.
extern const LlvmPatterns gpu_sparse_patterns;

// The stream of an op that makes a token and waits for exactly one; false: it is no such op.
bool gpu_host_stream(MlcConversion *c, MlcOp *op, MlcValue *const *operands, MlcValue **stream);
// A call of `name`, which is declared with these types where it is not; `result` NULL: none.
// NULL: something else has the name.
MlcOp *gpu_host_call(MlcConversion *c, MlcOp *op, const char *name, MlcType result,
                     MlcValue *const *args, size_t num_args);
// In address space 0, which the library takes.
MlcValue *gpu_host_pointer(MlcBuilder *b, MlcValue *pointer);

#endif
