// runtime_type.c -- element types, and how the runtime calls them.
#include "mlc/ir/runtime_type.h"

bool
mlc_type_to_runtime(MlcType type, MlcRtType *out)
{
    if (mlc_type_is(type, MLC_TYPE_INDEX))
        return *out = MLC_RT_I64, true;
    if (mlc_type_is(type, MLC_TYPE_FLOAT)) {
        static const MlcRtType types[MLC_FLOAT_NUM_KINDS] = {
            [MLC_FLOAT_F32] = MLC_RT_F32,           [MLC_FLOAT_F64] = MLC_RT_F64,
            [MLC_FLOAT_F16] = MLC_RT_F16,           [MLC_FLOAT_BF16] = MLC_RT_BF16,
            [MLC_FLOAT_F8E4M3FN] = MLC_RT_F8E4M3FN, [MLC_FLOAT_F8E4M3FNUZ] = MLC_RT_F8E4M3FNUZ,
            [MLC_FLOAT_F8E5M2] = MLC_RT_F8E5M2,     [MLC_FLOAT_F8E5M2FNUZ] = MLC_RT_F8E5M2FNUZ,
            [MLC_FLOAT_F4E2M1FN] = MLC_RT_F4E2M1FN, [MLC_FLOAT_F6E2M3FN] = MLC_RT_F6E2M3FN,
            [MLC_FLOAT_F6E3M2FN] = MLC_RT_F6E3M2FN, [MLC_FLOAT_F8E8M0FNU] = MLC_RT_F8E8M0FNU,
        };
        return (*out = types[mlc_float_type_kind(type)]) != 0;
    }
    if (!mlc_type_is(type, MLC_TYPE_INTEGER))
        return false;
    if (mlc_type_is_string(type))
        return *out = MLC_RT_STRING, true;
    bool is_unsigned = mlc_integer_type_signedness(type) == MLC_UNSIGNED;
    switch (mlc_integer_type_width(type)) {
    case 1:
        return *out = MLC_RT_BOOL, true;
    case 2:
        return *out = is_unsigned ? MLC_RT_U2 : MLC_RT_I2, true;
    case 4:
        return *out = is_unsigned ? MLC_RT_U4 : MLC_RT_I4, true;
    case 8:
        return *out = is_unsigned ? MLC_RT_U8 : MLC_RT_I8, true;
    case 16:
        return *out = is_unsigned ? MLC_RT_U16 : MLC_RT_I16, true;
    case 32:
        return *out = is_unsigned ? MLC_RT_U32 : MLC_RT_I32, true;
    case 64:
        return *out = is_unsigned ? MLC_RT_U64 : MLC_RT_I64, true;
    default:
        return false;
    }
}

MlcType
mlc_type_from_runtime(MlcContext *ctx, MlcRtType type)
{
    static const unsigned widths[] = {1, 2, 4, 8, 16, 32, 64};
    MlcRtType found;
    for (int kind = 0; kind < MLC_FLOAT_NUM_KINDS; kind++) {
        MlcType element = mlc_float_type_get(ctx, (MlcFloatKind)kind);
        if (mlc_type_to_runtime(element, &found) && found == type)
            return element;
    }
    for (size_t i = 0; i < 2 * sizeof widths / sizeof *widths; i++) {
        MlcType element =
            mlc_integer_type_get(ctx, widths[i / 2], i % 2 ? MLC_UNSIGNED : MLC_SIGNLESS);
        if (mlc_type_to_runtime(element, &found) && found == type)
            return element;
    }
    return NULL;
}

size_t
mlc_runtime_type_bytes(MlcRtType type)
{
    switch (type) {
    case MLC_RT_F64:
    case MLC_RT_I64:
    case MLC_RT_U64:
        return 8;
    case MLC_RT_F32:
    case MLC_RT_I32:
    case MLC_RT_U32:
        return 4;
    case MLC_RT_F16:
    case MLC_RT_BF16:
    case MLC_RT_I16:
    case MLC_RT_U16:
        return 2;
    default:
        return 1;
    }
}

size_t
mlc_runtime_tensor_bytes(const MlcRtTensor *tensor)
{
    size_t bytes = mlc_runtime_type_bytes(tensor->type);
    for (int32_t i = 0; i < tensor->rank; i++)
        bytes *= (size_t)tensor->dims[i];
    return bytes;
}
