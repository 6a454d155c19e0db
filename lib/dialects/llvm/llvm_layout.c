// llvm_layout.c -- sizes of types in memory, as MLIR's default data layout has them: integers and
// floats in as many bytes as they need, aligned to the next power of two (i64 and wider: 4),
// pointers 8 bytes, structures with the padding of their elements.
#include "llvm_layout.h"

#include "mlc/dialects/llvm.h"
#include "mlc/support/powers.h"

bool
mlc_llvm_is_array(MlcType type)
{
    return mlc_dialect_type_def(type) == &mlc_llvm_array_type_def;
}

bool
mlc_llvm_is_struct(MlcType type)
{
    return mlc_dialect_type_def(type) == &mlc_llvm_struct_type_def;
}

MlcType
mlc_llvm_pointer(MlcContext *ctx)
{
    MlcAttr space = mlc_i32_attr_get(ctx, 0);
    return mlc_dialect_type_get(ctx, &mlc_llvm_ptr_type_def, &space, 1);
}

static MlcAttr
body_of(MlcType type)
{
    return mlc_dialect_type_param(type, 0) ? mlc_dialect_type_body(type)
                                           : mlc_dialect_type_param(type, 2);
}

bool
mlc_llvm_struct_is_packed(MlcType type)
{
    MlcAttr packed = mlc_dialect_type_param(type, 1);
    return packed && mlc_attr_as_bool(packed);
}

size_t
mlc_llvm_num_elements(MlcType type)
{
    if (mlc_llvm_is_array(type))
        return (size_t)mlc_attr_as_int(mlc_dialect_type_param(type, 1));
    MlcAttr body = mlc_llvm_is_struct(type) ? body_of(type) : NULL;
    return body ? mlc_array_attr_size(body) : 0;
}

MlcType
mlc_llvm_element(MlcType type, size_t i)
{
    return mlc_type_attr_value(mlc_llvm_is_array(type) ? mlc_dialect_type_param(type, 0)
                                                       : mlc_array_attr_element(body_of(type), i));
}

// False where bits could not be counted any more.
static bool
set_bytes(MlcLlvmLayout *layout, uint64_t bytes)
{
    enum { MAX_LOG_BYTES = 60 };
    layout->bytes = bytes;
    layout->bits = bytes * 8;
    return bytes <= UINT64_C(1) << MAX_LOG_BYTES;
}

static MlcLlvmLayout
scalar_layout(uint64_t bits, bool is_int)
{
    MlcLlvmLayout layout = {bits, (bits + 7) / 8, 0};
    layout.alignment =
        is_int && bits >= 64 ? 4 : (uint64_t)mlc_power_of_two_from((int64_t)layout.bytes);
    return layout;
}

// Structures nest as deep as the parser lets types nest.
static bool
struct_layout(MlcType type, MlcLlvmLayout *layout)
{
    uint64_t size = 0;
    layout->alignment = 1;
    bool is_packed = mlc_llvm_struct_is_packed(type);
    for (size_t i = 0; i < mlc_llvm_num_elements(type); i++) {
        MlcLlvmLayout element;
        if (!mlc_llvm_layout(mlc_llvm_element(type, i), &element))
            return false;
        if (!is_packed) {
            size = mlc_llvm_align(size, element.alignment);
            if (element.alignment > layout->alignment)
                layout->alignment = element.alignment;
        }
        size += element.bytes;
        if (!set_bytes(layout, size))
            return false;
    }
    return body_of(type) != NULL && set_bytes(layout, mlc_llvm_align(size, layout->alignment));
}

// As LLVM aligns them: the last dimension is filled up to a power of two, and so is all of it.
static bool
vector_layout(MlcType type, MlcLlvmLayout *layout)
{
    MlcLlvmLayout element;
    size_t rank = mlc_type_rank(type);
    int64_t n = mlc_type_num_elements(type), last = rank ? mlc_type_dim(type, rank - 1) : 1;
    if (n < 0 || last > INT64_MAX / 4 || !mlc_llvm_layout(mlc_type_element(type), &element))
        return false;
    uint64_t filled = last ? (uint64_t)mlc_power_of_two_from(last) : 0, bytes;
    uint64_t outer = last ? (uint64_t)(n / last) : 0;
    if (__builtin_mul_overflow(outer, filled, &bytes) ||
        __builtin_mul_overflow(bytes, element.bytes, &bytes) || !set_bytes(layout, bytes))
        return false;
    layout->alignment = (uint64_t)mlc_power_of_two_from((int64_t)bytes);
    return true;
}

bool
mlc_llvm_layout(MlcType type, MlcLlvmLayout *layout)
{
    if (mlc_dialect_type_def(type) == &mlc_llvm_ptr_type_def) {
        *layout = (MlcLlvmLayout){64, 8, 8};
        return true;
    }
    if (mlc_type_is_float(type) || mlc_type_is_int_or_index(type)) {
        *layout = scalar_layout(mlc_type_bit_width(type), !mlc_type_is_float(type));
        return true;
    }
    if (mlc_type_is(type, MLC_TYPE_VECTOR))
        return vector_layout(type, layout);
    if (mlc_llvm_is_array(type)) {
        uint64_t bytes;
        return mlc_llvm_layout(mlc_llvm_element(type, 0), layout) &&
               !__builtin_mul_overflow(layout->bytes, mlc_llvm_num_elements(type), &bytes) &&
               set_bytes(layout, bytes);
    }
    return mlc_llvm_is_struct(type) && struct_layout(type, layout);
}
