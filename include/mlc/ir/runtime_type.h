// runtime_type.h -- which type of the runtime's an element type is.
//
// Ownership: types are the context's.
// Threads: any.
#ifndef MLC_IR_RUNTIME_TYPE_H
#define MLC_IR_RUNTIME_TYPE_H

#include "mlc/ir/type.h"
#include "mlc/runtime/tensor.h"

MLC_BEGIN_DECLS

// False where the runtime has none. `index` is i64; strings are si64.
MLC_API MLC_NODISCARD bool mlc_type_to_runtime(MlcType type, MlcRtType *out);
// The element type, signless where it has a sign; NULL for strings, and what is no type.
MLC_API MlcType mlc_type_from_runtime(MlcContext *ctx, MlcRtType type);
// Bytes of an element; not of strings.
MLC_API size_t mlc_runtime_type_bytes(MlcRtType type);
// Of all elements of a tensor that is in memory.
MLC_API size_t mlc_runtime_tensor_bytes(const MlcRtTensor *tensor);

MLC_END_DECLS

#endif
