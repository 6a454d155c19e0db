// llvm_slots_address.c -- slots behind computed addresses, and intrinsics that fill or copy memory.
#include "llvm_layout.h"
#include "mlc/dialects/llvm.h"

static uint64_t
bytes_of(MlcType type)
{
    MlcLlvmLayout layout;
    return mlc_llvm_layout(type, &layout) ? layout.bytes : UINT64_MAX;
}

static MlcType
byte_array(MlcContext *ctx, uint64_t bytes)
{
    MlcAttr params[] = {mlc_type_attr_get(mlc_integer_type_get(ctx, 8, MLC_SIGNLESS)),
                        mlc_i64_attr_get(ctx, (int64_t)bytes)};
    return mlc_dialect_type_get(ctx, &mlc_llvm_array_type_def, params, 2);
}

// --- getelementptr

// False where the offset would not fit.
static bool
advance(uint64_t *offset, uint64_t index, uint64_t bytes)
{
    return !__builtin_mul_overflow(index, bytes, &bytes) &&
           !__builtin_add_overflow(*offset, bytes, offset);
}

// Bytes from the start of structure or array `type` to element `index`, added to *offset; the
// element's type, or NULL.
static MlcType
step_into(MlcType type, uint64_t index, uint64_t *offset)
{
    if (index >= mlc_llvm_num_elements(type) && !mlc_llvm_is_array(type))
        return NULL;
    if (mlc_llvm_is_array(type)) {
        MlcType element = mlc_llvm_element(type, 0);
        return advance(offset, index, bytes_of(element)) ? element : NULL;
    }
    for (size_t i = 0; i <= index; i++) {
        MlcLlvmLayout layout;
        if (!mlc_llvm_layout(mlc_llvm_element(type, i), &layout))
            return NULL;
        if (!mlc_llvm_struct_is_packed(type))
            *offset = mlc_llvm_align(*offset, layout.alignment);
        *offset += i < index ? layout.bytes : 0;
    }
    return mlc_llvm_element(type, index);
}

// False if an index is not constant, or negative.
static bool
byte_offset(MlcOp *op, uint64_t *offset)
{
    MlcAttr indices = mlc_op_attr(op, "rawConstantIndices");
    MlcType type = mlc_type_attr_value(mlc_op_attr(op, "elem_type"));
    *offset = 0;
    for (size_t i = 0; i < mlc_int_list_attr_size(indices); i++) {
        int64_t index = 0;
        mlc_int_list_attr_get(indices, i, &index);
        if (index < 0) // INT32_MIN stands for an operand
            return false;
        if (i == 0) {
            uint64_t bytes = bytes_of(type);
            if (bytes == UINT64_MAX)
                return false;
            if (!advance(offset, (uint64_t)index, bytes))
                return false;
        } else {
            type = step_into(type, (uint64_t)index, offset);
        }
        if (!type)
            return false;
    }
    return true;
}

// The part of the slot that byte `offset` lies in, and where in it; -1: in none, or in padding.
static int
part_at(const MlcSlot *slot, const MlcSubslotVec *parts, uint64_t offset, uint64_t *inside)
{
    bool is_packed = mlc_llvm_is_array(slot->type) || mlc_llvm_struct_is_packed(slot->type);
    uint64_t start = 0;
    for (size_t i = 0; i < parts->size; i++) {
        MlcLlvmLayout layout;
        if (!mlc_llvm_layout(parts->data[i].type, &layout))
            return -1;
        start = is_packed ? start : mlc_llvm_align(start, layout.alignment);
        if (offset < start)
            return -1;
        if (offset < start + layout.bytes) {
            *inside = offset - start;
            return (int)i;
        }
        start += layout.bytes;
    }
    return -1;
}

static bool
is_all_zero(MlcOp *op)
{
    MlcAttr indices = mlc_op_attr(op, "rawConstantIndices");
    for (size_t i = 0; i < mlc_int_list_attr_size(indices); i++) {
        int64_t index = 1;
        mlc_int_list_attr_get(indices, i, &index);
        if (index != 0)
            return false;
    }
    return true;
}

static bool
gep_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    return is_all_zero(op) && mlc_llvm_pass_on_slot_use.can_remove(op, slot, uses, more);
}

static bool
gep_can_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, bool *used,
               MlcSlotVec *stay_inside)
{
    uint64_t offset, inside;
    if (mlc_op_operand(op, 0) != slot->ptr || !byte_offset(op, &offset))
        return false;
    int part = part_at(slot, parts, offset, &inside);
    if (part < 0)
        return false;
    used[part] = true;
    MlcType rest = byte_array(mlc_op_context(op), bytes_of(parts->data[part].type) - inside);
    mlc_vec_push(stay_inside, (MlcSlot){mlc_op_result(op, 0), rest});
    return true;
}

static bool
gep_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, MlcBuilder *b)
{
    uint64_t offset = 0, inside = 0;
    byte_offset(op, &offset);
    MlcValue *pointer = parts->data[part_at(slot, parts, offset, &inside)].ptr;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (inside || mlc_value_type(pointer) != type) {
        int32_t index = (int32_t)inside;
        MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
        pointer = mlc_llvm_getelementptr(b, type, pointer, NULL, 0, &index, 1, byte);
        mlc_llvm_getelementptr_set_inbounds(mlc_value_def(pointer),
                                            mlc_llvm_getelementptr_inbounds(op));
    }
    mlc_value_replace_uses(mlc_op_result(op, 0), pointer);
    return true;
}

static bool
gep_stays_inside(MlcOp *op, const MlcSlot *slot, MlcSlotVec *stay_inside)
{
    uint64_t offset, bytes = bytes_of(slot->type);
    if (mlc_op_operand(op, 0) != slot->ptr)
        return true;
    if (!byte_offset(op, &offset) || offset >= bytes)
        return false;
    MlcType rest = byte_array(mlc_op_context(op), bytes - offset);
    mlc_vec_push(stay_inside, (MlcSlot){mlc_op_result(op, 0), rest});
    return true;
}

static bool
gep_remove(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    (void)op, (void)slot, (void)b, (void)value;
    return true;
}

const MlcSlotUse mlc_llvm_getelementptr_slot_use = {.can_remove = gep_can_remove,
                                                    .remove = gep_remove,
                                                    .can_rewire = gep_can_rewire,
                                                    .rewire = gep_rewire,
                                                    .stays_inside = gep_stays_inside};

// --- memset, memcpy, memmove

// Bytes that the intrinsic covers; false if not known.
static bool
static_length(MlcOp *op, uint64_t *bytes)
{
    MlcAttr len = mlc_op_attr(op, "len");
    if (!len && mlc_op_num_operands(op) > 2)
        len = mlc_value_constant(mlc_op_operand(op, 2));
    return mlc_attr_is(len, MLC_ATTR_INTEGER) && mlc_wide_try_as_uint(mlc_attr_wide(len), bytes);
}

static bool
is_volatile(MlcOp *op)
{
    return mlc_attr_as_bool(mlc_op_attr(op, "isVolatile"));
}

static bool
covers(MlcOp *op, const MlcSlot *slot)
{
    uint64_t bytes;
    return static_length(op, &bytes) && bytes == bytes_of(slot->type);
}

static bool
is_destination(MlcOp *op, const MlcSlot *slot)
{
    return mlc_op_operand(op, 0) == slot->ptr;
}

static bool
is_source(MlcOp *op, const MlcSlot *slot)
{
    return mlc_op_operand(op, 1) == slot->ptr;
}

static bool
never(MlcOp *op, const MlcSlot *slot)
{
    (void)op, (void)slot;
    return false;
}

static bool
writes_within(MlcOp *op, const MlcSlot *slot, MlcSlotVec *stay_inside)
{
    (void)stay_inside;
    uint64_t bytes;
    return is_destination(op, slot) && static_length(op, &bytes) && bytes <= bytes_of(slot->type);
}

// A constant of the type of the intrinsic's length.
static MlcValue *
length_constant(MlcOp *op, MlcBuilder *b, uint64_t bytes)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, 2));
    return mlc_llvm_mlir_constant(b, type, mlc_integer_attr_get(type, (int64_t)bytes));
}

static bool
set_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)uses, (void)more;
    return mlc_type_is_integer(slot->type, 0) && mlc_integer_type_width(slot->type) % 8 == 0 &&
           !is_volatile(op) && covers(op, slot);
}

// The byte in every place: doubled until the value is full.
static MlcValue *
set_stored(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *before)
{
    (void)before;
    MlcValue *byte = mlc_op_operand(op, 1);
    unsigned width = mlc_integer_type_width(slot->type);
    if (width == 8)
        return byte;
    MlcValue *value = mlc_llvm_zext(b, slot->type, byte);
    for (unsigned bits = 8; bits < width; bits *= 2) {
        MlcValue *by =
            mlc_llvm_mlir_constant(b, slot->type, mlc_integer_attr_get(slot->type, bits));
        value = mlc_llvm_or(b, value, mlc_llvm_shl(b, value, by));
    }
    return value;
}

static bool
set_can_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, bool *used,
               MlcSlotVec *stay_inside)
{
    (void)parts, (void)used;
    return !is_volatile(op) && writes_within(op, slot, stay_inside);
}

static bool
set_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, MlcBuilder *b)
{
    bool is_packed = mlc_llvm_is_struct(slot->type) && mlc_llvm_struct_is_packed(slot->type);
    uint64_t bytes = 0, covered = 0;
    static_length(op, &bytes);
    for (size_t i = 0; i < parts->size; i++) {
        MlcLlvmLayout layout;
        if (!mlc_llvm_layout(parts->data[i].type, &layout))
            break;
        covered = is_packed ? covered : mlc_llvm_align(covered, layout.alignment);
        if (covered >= bytes)
            break;
        if (parts->data[i].ptr) {
            uint64_t size = bytes - covered < layout.bytes ? bytes - covered : layout.bytes;
            mlc_llvm_intr_memset(b, parts->data[i].ptr, mlc_op_operand(op, 1),
                                 length_constant(op, b, size),
                                 mlc_llvm_intr_memset_is_volatile(op));
        }
        covered += layout.bytes;
    }
    return true;
}

const MlcSlotUse mlc_llvm_intr_memset_slot_use = {.loads = never,
                                                  .stores = is_destination,
                                                  .stored = set_stored,
                                                  .can_remove = set_can_remove,
                                                  .remove = gep_remove,
                                                  .can_rewire = set_can_rewire,
                                                  .rewire = set_rewire,
                                                  .stays_inside = writes_within};

static bool
copy_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)uses, (void)more;
    return is_source(op, slot) != is_destination(op, slot) && !is_volatile(op) && covers(op, slot);
}

static MlcValue *
copy_stored(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *before)
{
    (void)before;
    return mlc_llvm_load(b, slot->type, mlc_op_operand(op, 1));
}

static bool
copy_remove(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    if (is_source(op, slot))
        mlc_llvm_store(b, value, mlc_op_operand(op, 0));
    return true;
}

static bool
copy_can_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, bool *used,
                MlcSlotVec *stay_inside)
{
    (void)stay_inside;
    if (is_volatile(op) || !covers(op, slot))
        return false;
    for (size_t i = 0; is_source(op, slot) && i < parts->size; i++)
        used[i] = true;
    return true;
}

// One copy between a part and its place in the other memory.
static void
copy_part(MlcOp *op, const MlcSlot *slot, const MlcSubslot *part, int32_t number, MlcBuilder *b)
{
    bool is_dst = is_destination(op, slot);
    MlcValue *other = mlc_op_operand(op, is_dst);
    int32_t indices[] = {0, number};
    other =
        mlc_llvm_getelementptr(b, mlc_llvm_pointer(b->ctx), other, NULL, 0, indices, 2, slot->type);
    MlcValue *operands[] = {is_dst ? part->ptr : other, is_dst ? other : part->ptr, NULL};
    MlcAttr len = mlc_op_attr(op, "len");
    MlcNamedAttr attrs[2] = {mlc_named(b->ctx, "isVolatile", mlc_op_attr(op, "isVolatile"))};
    uint64_t bytes = bytes_of(part->type);
    if (len)
        attrs[1] =
            mlc_named(b->ctx, "len", mlc_integer_attr_get(mlc_attr_type(len), (int64_t)bytes));
    else
        operands[2] = length_constant(op, b, bytes);
    mlc_build_op(b, mlc_op_def(op)->name, NULL, 0, operands, len ? 2 : 3, attrs, len ? 2 : 1, 0);
}

static bool
copy_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, MlcBuilder *b)
{
    for (size_t i = 0; i < parts->size; i++)
        if (parts->data[i].ptr)
            copy_part(op, slot, &parts->data[i], (int32_t)i, b);
    return true;
}

const MlcSlotUse mlc_llvm_copy_slot_use = {.loads = is_source,
                                           .stores = is_destination,
                                           .stored = copy_stored,
                                           .can_remove = copy_can_remove,
                                           .remove = copy_remove,
                                           .can_rewire = copy_can_rewire,
                                           .rewire = copy_rewire,
                                           .stays_inside = writes_within};
