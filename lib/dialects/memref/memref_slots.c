// memref_slots.c -- buffers of one element as values, and small buffers as buffers of one element.
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
    int32_t none[] = {0, 0};
    MlcNamedAttr sizes =
        mlc_named(b->ctx, "operandSegmentSizes", mlc_i32_array_attr_get(b->ctx, none, 2));
    return mlc_build_op(b, "memref.alloca", &type, 1, NULL, 0, &sizes, 1, 0);
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

// --- loads and stores

static bool
yes(MlcOp *op, const MlcSlot *slot)
{
    return mlc_op_operand(op, mlc_memref_store_isa(op)) == slot->ptr;
}

static bool
no(MlcOp *op, const MlcSlot *slot)
{
    (void)op, (void)slot;
    return false;
}

static MlcValue *
stored(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *before)
{
    (void)slot, (void)b, (void)before;
    return mlc_op_operand(op, 0);
}

static bool
load_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)more;
    return uses->size == 1 && mlc_use_value(uses->data[0]) == slot->ptr &&
           mlc_op_operand(op, 0) == slot->ptr && mlc_value_type(mlc_op_result(op, 0)) == slot->type;
}

static bool
load_remove(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    (void)slot, (void)b;
    mlc_value_replace_uses(mlc_op_result(op, 0), value);
    return true;
}

static bool
store_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)more;
    return uses->size == 1 && mlc_use_value(uses->data[0]) == slot->ptr &&
           mlc_op_operand(op, 1) == slot->ptr && mlc_op_operand(op, 0) != slot->ptr &&
           mlc_value_type(mlc_op_operand(op, 0)) == slot->type;
}

static bool
store_remove(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    (void)op, (void)slot, (void)b, (void)value;
    return true;
}

// The part that constant indices, `first` on, name; -1 if they are not constant or out of bounds.
static int
part_at(MlcOp *op, size_t first, const MlcSubslotVec *parts)
{
    size_t rank = mlc_op_num_operands(op) - first;
    for (size_t i = 0; i < parts->size; i++) {
        bool same = true;
        for (size_t d = 0; d < rank && same; d++)
            same = mlc_value_constant(mlc_op_operand(op, first + d)) ==
                   mlc_array_attr_element(parts->data[i].index, d);
        if (same)
            return (int)i;
    }
    return -1;
}

static bool
can_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, bool *used,
           MlcSlotVec *stay_inside)
{
    (void)stay_inside;
    size_t memref = mlc_memref_store_isa(op);
    int part = part_at(op, memref + 1, parts);
    if (mlc_op_operand(op, memref) != slot->ptr || part < 0 ||
        (memref && mlc_op_operand(op, 0) == slot->ptr))
        return false;
    used[part] = true;
    return true;
}

static bool
rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, MlcBuilder *b)
{
    (void)slot, (void)b;
    size_t memref = mlc_memref_store_isa(op);
    MlcValue *operands[2] = {mlc_op_operand(op, 0), NULL};
    operands[memref] = parts->data[part_at(op, memref + 1, parts)].ptr;
    mlc_op_set_operands(op, operands, memref + 1);
    return false;
}

const MlcSlotUse mlc_memref_load_slot_use = {.loads = yes,
                                             .stores = no,
                                             .can_remove = load_can_remove,
                                             .remove = load_remove,
                                             .can_rewire = can_rewire,
                                             .rewire = rewire};
const MlcSlotUse mlc_memref_store_slot_use = {.loads = no,
                                              .stores = yes,
                                              .stored = stored,
                                              .can_remove = store_can_remove,
                                              .remove = store_remove,
                                              .can_rewire = can_rewire,
                                              .rewire = rewire};
