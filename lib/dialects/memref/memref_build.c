// memref_build.c -- addresses by memref.reinterpret_cast, which needs no more than where a buffer
// begins.
#include "mlc/dialects/memref_build.h"

#include "mlc/ir.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"

bool
mlc_memref_has_open_strides(MlcType type)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_rank(type) > MLC_RANK_LIMIT ||
        !mlc_memref_type_strides(type, &offset, strides))
        return false;
    bool is_open = false;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        is_open |= strides[i] == MLC_DYNAMIC;
    return is_open;
}

MlcType
mlc_memref_element_type(MlcType memref)
{
    return mlc_memref_type_get(mlc_type_element(memref), NULL, 0, NULL,
                               mlc_memref_type_memory_space(memref));
}

MlcValue *
mlc_build_address(MlcBuilder *b, MlcValue *buffer)
{
    MlcType element = mlc_memref_element_type(mlc_value_type(buffer));
    MlcSlice all = {.offsets = {.size = 1}};
    return mlc_op_result(
        mlc_build_slice(b, &mlc_memref_reinterpret_cast_def, element, &buffer, 1, &all), 0);
}

// Without gaps: the stride of a dimension is what is behind it. As in types (ir/geometry), a
// dimension of size 0 has none, and is none for those before it.
static void
strides_of(MlcBuilder *b, MlcSlice *all)
{
    MlcMixed stride = mlc_mixed(1);
    all->strides.size = all->sizes.size;
    for (size_t i = all->sizes.size; i-- > 0;) {
        MlcMixed size = all->sizes.items[i];
        bool is_empty = !size.value && size.constant == 0;
        all->strides.items[i] = is_empty ? size : stride;
        if (i == 0)
            break;
        if (is_empty)
            continue;
        if (!size.value && !stride.value)
            stride = mlc_mixed(size.constant * stride.constant);
        else
            stride = mlc_mixed_of(
                mlc_arith_muli(b, mlc_mixed_value(b, stride), mlc_mixed_value(b, size)));
    }
}

MlcValue *
mlc_build_buffer_at(MlcBuilder *b, MlcValue *address, MlcType type, const MlcMixedList *shape)
{
    MlcSlice all = {.offsets = {.size = 1}, .sizes = *shape};
    strides_of(b, &all);
    return mlc_op_result(
        mlc_build_slice(b, &mlc_memref_reinterpret_cast_def, type, &address, 1, &all), 0);
}
