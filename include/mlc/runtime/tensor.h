// tensor.h -- a tensor in memory, as programs, compiled models and operators of theirs see it.
//
// Ownership: a tensor borrows its sizes and elements.
// Threads: any; a tensor is a value.
#ifndef MLC_RUNTIME_TENSOR_H
#define MLC_RUNTIME_TENSOR_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// The numbers are part of the file format.
typedef enum MlcRtType {
    MLC_RT_F32 = 1,
    MLC_RT_F64,
    MLC_RT_F16,
    MLC_RT_BF16,
    MLC_RT_I8,
    MLC_RT_I16,
    MLC_RT_I32,
    MLC_RT_I64,
    MLC_RT_U8,
    MLC_RT_U16,
    MLC_RT_U32,
    MLC_RT_U64,
    MLC_RT_BOOL, // one byte, 0 or 1
    MLC_RT_F8E4M3FN,
    MLC_RT_F8E4M3FNUZ,
    MLC_RT_F8E5M2,
    MLC_RT_F8E5M2FNUZ,
    MLC_RT_I4, // one byte, with its sign, as the other integers of less than a byte
    MLC_RT_U4,
    MLC_RT_I2,
    MLC_RT_U2,
    MLC_RT_F4E2M1FN, // one byte, the upper bits 0
    MLC_RT_F6E2M3FN,
    MLC_RT_F6E3M2FN,
    MLC_RT_F8E8M0FNU,
    MLC_RT_STRING, // MlcRtString
    MLC_RT_NUM_TYPES,
} MlcRtType;

// An element of a tensor of strings. As an input it is borrowed during a run; it must be UTF-8, and
// may hold NUL. As an output it is the session's until its next run; behind its end is a NUL.
typedef struct MlcRtString {
    const char *data;
    size_t size; // bytes
} MlcRtString;

// Dense, row-major; the address is a multiple of the element's size (of 8, of strings).
typedef struct MlcRtTensor {
    MlcRtType type;
    int32_t rank;
    const int64_t *dims;
    void *data;
} MlcRtTensor;

MLC_END_DECLS

#endif
