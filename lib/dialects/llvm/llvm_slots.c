// llvm_slots.c -- stack slots as values: alloca, the accesses to it, and what only passes its
// address on or speaks of it.
//
// A load may read the first bits of what is in the slot, and a store write them, through integers
// of that size; memory is little-endian.
#include "llvm_layout.h"
#include "mlc/dialects/llvm.h"
#include "mlc/ir/rewrite.h"

static uint64_t
bytes_of(MlcType type)
{
    MlcLlvmLayout layout;
    return mlc_llvm_layout(type, &layout) ? layout.bytes : UINT64_MAX;
}

static uint64_t
bits_of(MlcType type)
{
    MlcLlvmLayout layout;
    return mlc_llvm_layout(type, &layout) ? layout.bits : 0;
}

static bool
is_pointer(MlcType type)
{
    return mlc_dialect_type_def(type) == &mlc_llvm_ptr_type_def;
}

static MlcType
elem_type(MlcOp *op)
{
    return mlc_type_attr_value(mlc_op_attr(op, "elem_type"));
}

// --- alloca

static bool
alloca_slot(MlcOp *op, MlcSlot *slot)
{
    *slot = (MlcSlot){mlc_op_result(op, 0), elem_type(op)};
    return mlc_region_first(mlc_op_region_of(op)) == mlc_op_block(op);
}

static MlcValue *
alloca_initial(MlcOp *op, MlcBuilder *b)
{
    return mlc_llvm_mlir_undef(b, elem_type(op));
}

static void
build_debug_value(MlcOp *declare, MlcValue *value, MlcBuilder *b)
{
    b->loc = mlc_op_loc(declare);
    MlcOp *made = mlc_llvm_intr_dbg_value(b, value, mlc_llvm_intr_dbg_declare_var_info(declare));
    mlc_llvm_intr_dbg_value_set_location_expr(made,
                                              mlc_llvm_intr_dbg_declare_location_expr(declare));
}

static void
alloca_block_arg(MlcOp *op, MlcValue *arg, MlcBuilder *b)
{
    MLC_FOR_EACH_USE (use, mlc_op_result(op, 0))
        if (mlc_llvm_intr_dbg_declare_isa(mlc_use_owner(use)))
            build_debug_value(mlc_use_owner(use), arg, b);
}

// Structures, and arrays of up to 16 elements; a part is named by its number.
static bool
alloca_parts(MlcOp *op, MlcSlot *slot, MlcSubslotVec *parts)
{
    MlcType type = elem_type(op);
    int64_t count;
    *slot = (MlcSlot){mlc_op_result(op, 0), type};
    size_t n = mlc_llvm_num_elements(type);
    if (!mlc_value_constant_int(mlc_op_operand(op, 0), &count) || count != 1 ||
        !(mlc_llvm_is_struct(type) || (mlc_llvm_is_array(type) && n <= 16)))
        return false;
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(parts, (MlcSubslot){mlc_i32_attr_get(mlc_op_context(op), (int32_t)i),
                                         mlc_llvm_element(type, i), NULL});
    return true;
}

static MlcOp *
alloca_make_part(MlcOp *op, MlcType type, MlcBuilder *b)
{
    return mlc_value_def(mlc_llvm_alloca(b, mlc_llvm_pointer(b->ctx), mlc_op_operand(op, 0), type));
}

const MlcSlotAllocation mlc_llvm_alloca_slot_allocation = {.slot = alloca_slot,
                                                           .initial = alloca_initial,
                                                           .block_arg = alloca_block_arg,
                                                           .parts = alloca_parts,
                                                           .make_part = alloca_make_part};

// --- values of other types

// Aggregates and scalable vectors are not read as integers.
static bool
is_plain(MlcType type)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    return !mlc_llvm_is_array(type) && !mlc_llvm_is_struct(type) && def != &mlc_llvm_vec_type_def &&
           !(mlc_type_is(type, MLC_TYPE_VECTOR) && mlc_vector_type_has_scalable(type));
}

// Whether a value of `narrow` can be the first bytes of one of `wide`.
static bool
fits_into(MlcType narrow, MlcType wide)
{
    if (narrow == wide)
        return true;
    MlcLlvmLayout a, b;
    if (!is_plain(narrow) || !is_plain(wide) || !mlc_llvm_layout(narrow, &a) ||
        !mlc_llvm_layout(wide, &b))
        return false;
    return is_pointer(narrow) && is_pointer(wide) ? a.bytes == b.bytes : a.bytes <= b.bytes;
}

// What was just made, or, where MLIR folds the op, what it folds to.
static MlcValue *
folded(MlcBuilder *b, MlcValue *value)
{
    MlcOp *op = mlc_value_def(value);
    MlcAttr constants[2] = {NULL, NULL};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        constants[i] = mlc_value_constant(mlc_op_operand(op, i));
    MlcFold fold = {0};
    if (!mlc_fold_results(op, constants, &fold))
        return value;
    const MlcDialectDef *dialect = mlc_op_def(op)->dialect;
    MlcType type = mlc_value_type(value);
    MlcOp *made = fold.value ? NULL : mlc_build_constant_of(b, dialect, fold.attr, type, b->loc);
    if (!fold.value && !made)
        return value;
    mlc_op_erase(op);
    return fold.value ? fold.value : mlc_op_result(made, 0);
}

static MlcType
int_type(MlcBuilder *b, uint64_t bits)
{
    return mlc_integer_type_get(b->ctx, (unsigned)bits, MLC_SIGNLESS);
}

// bitcast(bitcast(x)) is x where the types agree.
static MlcValue *
cast(MlcBuilder *b, MlcValue *value, MlcType type)
{
    if (mlc_value_type(value) == type)
        return value;
    if (is_pointer(mlc_value_type(value)) && is_pointer(type))
        return mlc_llvm_addrspacecast(b, type, value);
    if (is_pointer(mlc_value_type(value)))
        return mlc_llvm_ptrtoint(b, type, value);
    if (is_pointer(type))
        return mlc_llvm_inttoptr(b, type, value);
    MlcOp *def = mlc_value_def(value);
    if (def && mlc_llvm_bitcast_isa(def) && mlc_value_type(mlc_op_operand(def, 0)) == type)
        return mlc_op_operand(def, 0);
    return mlc_llvm_bitcast(b, type, value);
}

static MlcValue *
as_int(MlcBuilder *b, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_is(type, MLC_TYPE_INTEGER) ? value : cast(b, value, int_type(b, bits_of(type)));
}

// A value of the same size as another type.
static MlcValue *
cast_same_size(MlcBuilder *b, MlcValue *value, MlcType type)
{
    if (mlc_value_type(value) == type)
        return value;
    if (is_pointer(mlc_value_type(value)) && is_pointer(type))
        return cast(b, value, type);
    return cast(b, as_int(b, value), type);
}

static MlcValue *
first_bits(MlcBuilder *b, MlcValue *value, MlcType type)
{
    if (bits_of(mlc_value_type(value)) == bits_of(type))
        return cast_same_size(b, value, type);
    MlcValue *low = mlc_llvm_trunc(b, int_type(b, bits_of(type)), as_int(b, value));
    return cast(b, low, type);
}

// `old` with its first bits replaced by those of `value`: (old & ~mask) | zext(value).
static MlcValue *
with_first_bits(MlcBuilder *b, MlcValue *old, MlcValue *value)
{
    MlcType type = mlc_value_type(old);
    uint64_t bits = bits_of(mlc_value_type(value));
    if (bits_of(type) == bits)
        return cast_same_size(b, value, type);
    MlcValue *old_int = as_int(b, old), *new_int = as_int(b, value);
    MlcType wide = mlc_value_type(old_int);
    if (mlc_value_type(new_int) != wide)
        new_int = folded(b, mlc_llvm_zext(b, wide, new_int));
    MlcArena arena = {0};
    MlcWide ones = mlc_wide_all_ones(&arena, mlc_integer_type_width(wide));
    MlcWide mask = mlc_wide_shl(&arena, ones, bits);
    MlcValue *keep = mlc_llvm_mlir_constant(b, wide, mlc_integer_attr_get_wide(wide, &mask));
    mlc_arena_release(&arena);
    MlcValue *kept = mlc_llvm_and(b, old_int, keep);
    return cast(b, folded(b, mlc_llvm_or(b, kept, new_int)), type);
}

// --- load and store

static bool
accesses(MlcOp *op, const MlcSlot *slot)
{
    return mlc_op_operand(op, mlc_llvm_store_isa(op)) == slot->ptr;
}

static bool
no(MlcOp *op, const MlcSlot *slot)
{
    (void)op, (void)slot;
    return false;
}

static bool
erase(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    (void)op, (void)slot, (void)b, (void)value;
    return true;
}

static bool
is_only_use_of(const MlcSlot *slot, const MlcUseVec *uses)
{
    return uses->size == 1 && mlc_use_value(uses->data[0]) == slot->ptr;
}

static bool
load_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)more;
    return is_only_use_of(slot, uses) && !mlc_op_attr(op, "volatile_") &&
           fits_into(mlc_value_type(mlc_op_result(op, 0)), slot->type);
}

static bool
load_remove(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    (void)slot;
    MlcValue *result = mlc_op_result(op, 0);
    mlc_value_replace_uses(result, first_bits(b, value, mlc_value_type(result)));
    return true;
}

static MlcValue *
store_stored(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *before)
{
    (void)slot;
    return with_first_bits(b, before, mlc_op_operand(op, 0));
}

static bool
store_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)more;
    return is_only_use_of(slot, uses) && mlc_op_operand(op, 1) == slot->ptr &&
           mlc_op_operand(op, 0) != slot->ptr && !mlc_op_attr(op, "volatile_") &&
           fits_into(mlc_value_type(mlc_op_operand(op, 0)), slot->type);
}

static MlcType
accessed_type(MlcOp *op)
{
    return mlc_value_type(mlc_llvm_store_isa(op) ? mlc_op_operand(op, 0) : mlc_op_result(op, 0));
}

// At the slot's own address: the first part.
static bool
access_can_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, bool *used,
                  MlcSlotVec *stay_inside)
{
    (void)stay_inside;
    if (mlc_op_attr(op, "volatile_") || parts->size == 0 ||
        (mlc_llvm_store_isa(op) && mlc_op_operand(op, 0) == slot->ptr) ||
        bytes_of(accessed_type(op)) > bytes_of(parts->data[0].type))
        return false;
    return used[0] = true;
}

static bool
access_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, MlcBuilder *b)
{
    (void)slot, (void)b;
    mlc_op_set_operand(op, mlc_llvm_store_isa(op), parts->data[0].ptr);
    return false;
}

static bool
access_stays_inside(MlcOp *op, const MlcSlot *slot, MlcSlotVec *stay_inside)
{
    (void)stay_inside;
    return !accesses(op, slot) || bytes_of(accessed_type(op)) <= bytes_of(slot->type);
}

const MlcSlotUse mlc_llvm_load_slot_use = {.loads = accesses,
                                           .stores = no,
                                           .can_remove = load_can_remove,
                                           .remove = load_remove,
                                           .can_rewire = access_can_rewire,
                                           .rewire = access_rewire,
                                           .stays_inside = access_stays_inside};
const MlcSlotUse mlc_llvm_store_slot_use = {.loads = no,
                                            .stores = accesses,
                                            .stored = store_stored,
                                            .can_remove = store_can_remove,
                                            .remove = erase,
                                            .can_rewire = access_can_rewire,
                                            .rewire = access_rewire,
                                            .stays_inside = access_stays_inside};

// --- what passes the address on, and what only speaks of the memory

static bool
pass_on_uses(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)slot, (void)uses;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        MLC_FOR_EACH_USE (use, mlc_op_result(op, i))
            mlc_vec_push(more, use);
    return true;
}

const MlcSlotUse mlc_llvm_pass_on_slot_use = {.can_remove = pass_on_uses, .remove = erase};
const MlcSlotUse mlc_llvm_hint_slot_use = {.can_remove = pass_on_uses, .remove = erase};

// --- debug information

static void
declare_stores_gone(MlcOp *op, MlcOp *const *stores, MlcValue *const *values, size_t n,
                    MlcBuilder *b)
{
    for (size_t i = 0; i < n; i++) {
        mlc_builder_after(b, stores[i]);
        build_debug_value(op, values[i], b);
    }
}

const MlcSlotUse mlc_llvm_intr_dbg_declare_slot_use = {
    .can_remove = pass_on_uses, .remove = erase, .stores_gone = declare_stores_gone};

static bool
debug_value_can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)slot, (void)more;
    return uses->size == 1 && mlc_use_value(uses->data[0]) == mlc_op_operand(op, 0);
}

// The variable is kept, as one that was optimised out.
static bool
debug_value_remove(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    (void)slot, (void)value;
    mlc_builder_before(b, op);
    b->loc = mlc_value_loc(mlc_op_operand(op, 0));
    mlc_op_set_operand(op, 0, mlc_llvm_mlir_undef(b, mlc_value_type(mlc_op_operand(op, 0))));
    return false;
}

const MlcSlotUse mlc_llvm_intr_dbg_value_slot_use = {.can_remove = debug_value_can_remove,
                                                     .remove = debug_value_remove};
