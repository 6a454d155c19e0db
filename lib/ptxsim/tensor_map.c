// tensor_map.c -- what cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col check (CUDA driver API).
#include "tensor_map.h"

#include "exec.h"

static const char *
check_shape(const MlcPtxTensorMap *map, unsigned bytes)
{
    if (map->rank < 1 || map->rank > 5)
        return "a tensor map has 1 to 5 dimensions";
    if (map->address % 16)
        return "the address of a tensor map is a multiple of 16";
    for (unsigned i = 0; i < map->rank; i++) {
        if (map->dims[i] == 0 || map->dims[i] > UINT64_C(1) << 32)
            return "a dimension of a tensor map is 1 to 2^32";
        if (i > 0 && (map->strides[i - 1] % 16 || map->strides[i - 1] >= UINT64_C(1) << 40))
            return "a stride of a tensor map is a multiple of 16 below 2^40";
        if (map->box[i] == 0 || map->box[i] > 256 || map->steps[i] > 8)
            return "a box of a tensor map is 1 to 256 wide, with steps of 1 to 8";
    }
    uint64_t inner = (uint64_t)map->box[0] * bytes;
    if (inner % 16 || (map->swizzle && inner > 16u << map->swizzle))
        return "a row of a box is a multiple of 16 bytes, and no wider than its swizzle";
    return NULL;
}

const char *
mlc_ptx_tensor_map_encode(const MlcPtxTensorMap *map, void *out)
{
    static const uint8_t types[] = {
        [MLC_PTX_U8] = TYPE_U8,    [MLC_PTX_U16] = TYPE_U16, [MLC_PTX_U32] = TYPE_U32,
        [MLC_PTX_S32] = TYPE_S32,  [MLC_PTX_U64] = TYPE_U64, [MLC_PTX_S64] = TYPE_S64,
        [MLC_PTX_F16] = TYPE_F16,  [MLC_PTX_F32] = TYPE_F32, [MLC_PTX_F64] = TYPE_F64,
        [MLC_PTX_BF16] = TYPE_BF16};
    if ((unsigned)map->type >= sizeof types || map->swizzle > 3)
        return "a tensor map of a type or swizzle that is not there";
    unsigned type = types[map->type];
    const char *fault = check_shape(map, ptx_types[type].bytes);
    if (fault)
        return fault;
    TensorMap m = {.magic = TENSOR_MAP_MAGIC,
                   .rank = (uint8_t)map->rank,
                   .type = (uint8_t)type,
                   .swizzle_bits = (uint8_t)map->swizzle,
                   .fills_nan = map->fills_nan,
                   .base = map->address,
                   .is_im2col = map->is_im2col};
    for (unsigned i = 0; i < map->rank; i++) {
        m.dims[i] = (uint32_t)(map->dims[i] - 1); // 2^32 fits
        m.box[i] = (uint16_t)map->box[i];
        m.steps[i] = (uint16_t)(map->steps[i] ? map->steps[i] : 1);
        if (i > 0)
            m.strides[i - 1] = map->strides[i - 1];
    }
    for (unsigned i = 0; map->is_im2col && i < 3; i++) {
        m.lower[i] = map->lower[i];
        m.upper[i] = map->upper[i];
    }
    memcpy(out, &m, sizeof m);
    return NULL;
}
