// tensor_map.c -- descriptions of tensors for copies of tiles.
#include "emulator.h"

// The driver's rule beyond those of mlc_ptx_tensor_map_encode: where the description lies.
enum { MAP_ALIGNMENT = 64 };

int
cuTensorMapEncodeTiled(MlcCudaTensorMap *map, int type, uint32_t rank, MlcCudaAddress address,
                       const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
                       const uint32_t *steps, int interleave, int swizzle, int promotion, int fill)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (result == MLC_CUDA_SUCCESS &&
        (!map || (uintptr_t)map % MAP_ALIGNMENT || rank < 1 || rank > 5 || interleave != 0 ||
         promotion < 0 || promotion > 3 || fill < 0 || fill > 1 || type < 0 || swizzle < 0 ||
         emulator.capability < 90))
        result = MLC_CUDA_INVALID_VALUE;
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    MlcPtxTensorMap m = {.type = (MlcPtxElement)type,
                         .rank = rank,
                         .address = address,
                         .swizzle = (unsigned)swizzle,
                         .fills_nan = fill == 1};
    for (uint32_t i = 0; i < rank; i++) {
        m.dims[i] = dims[i];
        m.box[i] = box[i];
        m.steps[i] = steps[i];
        if (i > 0)
            m.strides[i - 1] = strides[i - 1];
    }
    return emulator_end(mlc_ptx_tensor_map_encode(&m, map) ? MLC_CUDA_INVALID_VALUE
                                                           : MLC_CUDA_SUCCESS);
}
