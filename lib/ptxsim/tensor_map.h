// tensor_map.h -- the 128 bytes of a tensor map as they lie in a kernel's parameters here. They are
// ours: what a driver writes is not known.
#ifndef MLC_LIB_PTXSIM_TENSOR_MAP_H
#define MLC_LIB_PTXSIM_TENSOR_MAP_H

#include "inst.h"

#define TENSOR_MAP_MAGIC UINT32_C(0x50616d74)

typedef struct TensorMap {
    uint32_t magic;
    uint8_t rank, type, swizzle_bits, fills_nan; // PtxType; 16 << swizzle_bits bytes are a row
    uint64_t base;
    uint64_t strides[4]; // bytes, of dimensions 1 and up
    uint32_t dims[5];
    uint16_t box[5];
    uint16_t steps[5];
    int16_t lower[3], upper[3]; // im2col
    uint8_t is_im2col, pad[27];
} TensorMap;
_Static_assert(sizeof(TensorMap) == 128, "as large as CUtensorMap");

#endif
