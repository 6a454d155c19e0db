// memref_slots.c -- buffers of one element and small buffers as slots; what uses them says so by
// its access (lib/ir/record/derived_slot.c).
#include "mlc/dialects/memref.h"

#include "mlc/ir.h"
#include "mlc/support/alloc.h"

static bool
has_zero(MlcType type)
{
    if (mlc_type_is(type, MLC_TYPE_VECTOR) || mlc_type_is(type, MLC_TYPE_TENSOR))
        type = mlc_type_element(type);
    return mlc_type_is_float(type) || mlc_type_is_int_or_index(type);
}

static bool
alloca_slot(MlcOp *op, MlcSlot *slot)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), element = mlc_type_element(type);
    *slot = (MlcSlot){mlc_op_result(op, 0), element};
    return (mlc_type_is(element, MLC_TYPE_MEMREF) || has_zero(element)) &&
           mlc_type_has_static_shape(type) && mlc_type_num_elements(type) == 1;
}

static MlcOp *
make_alloca(MlcBuilder *b, MlcType type)
{
    return mlc_value_def(mlc_memref_alloca(b, type, NULL, 0, NULL, 0));
}

static MlcAttr
zero_of(MlcType type)
{
    MlcType element = mlc_type_element(type);
    if (element != type)
        return mlc_dense_attr_splat(type, zero_of(element));
    return mlc_type_is_float(type) ? mlc_float_attr_get(type, 0) : mlc_integer_attr_get(type, 0);
}

static MlcValue *
alloca_initial(MlcOp *op, MlcBuilder *b)
{
    MlcType type = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    if (mlc_type_is(type, MLC_TYPE_MEMREF))
        return mlc_op_result(make_alloca(b, type), 0);
    return mlc_build_constant(b, zero_of(type));
}

// Buffers of 2 to 16 elements; a part is named by its indices.
static bool
alloca_parts(MlcOp *op, MlcSlot *slot, MlcSubslotVec *parts)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    *slot = (MlcSlot){mlc_op_result(op, 0), type};
    int64_t n = mlc_type_has_static_shape(type) ? mlc_type_num_elements(type) : 0;
    if (n < 0 || n > 16 || n == 1 || !mlc_type_has_static_shape(type))
        return false;
    MlcContext *ctx = mlc_op_context(op);
    size_t rank = mlc_type_rank(type);
    MlcAttr *index = mlc_malloc((rank + 1) * sizeof *index);
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i;
        for (size_t d = rank; d-- > 0; rest /= mlc_type_dim(type, d))
            index[d] = mlc_index_attr_get(ctx, rest % mlc_type_dim(type, d));
        mlc_vec_push(parts, (MlcSubslot){.index = mlc_array_attr_get(ctx, index, rank),
                                         .type = mlc_type_element(type)});
    }
    mlc_free(index);
    return true;
}

static MlcOp *
alloca_make_part(MlcOp *op, MlcType type, MlcBuilder *b)
{
    (void)op;
    return make_alloca(b, mlc_memref_type_get(type, NULL, 0, NULL, NULL));
}

const MlcSlotAllocation mlc_memref_alloca_slot_allocation = {.slot = alloca_slot,
                                                             .initial = alloca_initial,
                                                             .parts = alloca_parts,
                                                             .make_part = alloca_make_part};
