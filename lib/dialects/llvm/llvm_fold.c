// llvm_fold.c -- what folds in the dialect, which is little, as in MLIR 19: LLVM folds the rest.
#include "llvm_impl.h"

// --- constants

static MlcAttr
unit_of(MlcContext *ctx, const MlcAttrDef *def)
{
    return mlc_dialect_attr_get(ctx, def, NULL, 0);
}

bool
mlc_llvm_mlir_undef_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = unit_of(mlc_op_context(op), &mlc_llvm_undef_attr_def);
    return true;
}

bool
mlc_llvm_mlir_poison_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = unit_of(mlc_op_context(op), &mlc_llvm_poison_attr_def);
    return true;
}

static MlcAttr
zero_of(MlcType type)
{
    if (mlc_type_is(type, MLC_TYPE_INTEGER))
        return mlc_integer_attr_get(type, 0);
    if (mlc_type_is(type, MLC_TYPE_FLOAT))
        return mlc_float_attr_get(type, 0);
    if (!mlc_type_is(type, MLC_TYPE_VECTOR) ||
        mlc_type_is(mlc_type_element(type), MLC_TYPE_DIALECT))
        return NULL;
    return mlc_dense_attr_splat(type, zero_of(mlc_type_element(type)));
}

bool
mlc_llvm_mlir_zero_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcAttr zero = zero_of(mlc_value_type(mlc_op_result(op, 0)));
    results[0].attr = zero ? zero : unit_of(mlc_op_context(op), &mlc_llvm_zero_attr_def);
    return true;
}

bool
mlc_llvm_mlir_addressof_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_llvm_mlir_addressof_global_name_attr(op);
    return true;
}

// NULL: the dialect has no such constant.
static MlcValue *
build_constant(MlcBuilder *b, MlcAttr value, MlcType type)
{
    const MlcAttrDef *unit = mlc_dialect_attr_def(value);
    if (unit == &mlc_llvm_undef_attr_def)
        return mlc_llvm_mlir_undef(b, type);
    if (unit == &mlc_llvm_poison_attr_def)
        return mlc_llvm_mlir_poison(b, type);
    if (unit == &mlc_llvm_zero_attr_def)
        return mlc_llvm_mlir_zero(b, type);
    if (mlc_attr_is(value, MLC_ATTR_SYMBOL_REF) && mlc_llvm_is_ptr(type))
        return mlc_llvm_mlir_addressof(b, type, mlc_symbol_ref_attr_name(value, 0));
    bool has_value = mlc_attr_is(value, MLC_ATTR_INTEGER) || mlc_attr_is(value, MLC_ATTR_FLOAT) ||
                     mlc_attr_is(value, MLC_ATTR_DENSE);
    return has_value && mlc_attr_type(value) == type ? mlc_llvm_mlir_constant(b, type, value)
                                                     : NULL;
}

// A folded constant stays in the dialect.
MlcOp *
mlc_llvm_materialize(MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)
{
    MlcLoc before = b->loc;
    b->loc = loc;
    MlcValue *made = build_constant(b, value, type);
    b->loc = before;
    return made ? mlc_value_def(made) : NULL;
}

// --- comparisons

static MlcAttr
bools(MlcType type, bool value)
{
    MlcAttr one = mlc_bool_attr_get(mlc_type_context(type), value);
    return mlc_type_is_shaped(type) ? mlc_dense_attr_splat(type, one) : one;
}

static bool
is_made_by(MlcValue *value, bool (*isa)(const MlcOp *))
{
    const MlcOp *def = mlc_value_def(value);
    return def && isa(def);
}

// x == x; a stack slot is not null; null goes to the right of a stack slot.
bool
mlc_llvm_icmp_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    enum { EQ, NE };
    (void)constants;
    int64_t predicate = mlc_llvm_icmp_predicate(op);
    MlcValue *lhs = mlc_op_operand(op, 0), *rhs = mlc_op_operand(op, 1);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (predicate != EQ && predicate != NE)
        return false;
    if (lhs == rhs) {
        results[0].attr = bools(type, predicate == EQ);
        return true;
    }
    if (is_made_by(lhs, mlc_llvm_alloca_isa) && is_made_by(rhs, mlc_llvm_mlir_zero_isa)) {
        results[0].attr = bools(type, predicate == NE);
        return true;
    }
    if (is_made_by(lhs, mlc_llvm_mlir_zero_isa) && is_made_by(rhs, mlc_llvm_alloca_isa)) {
        MlcValue *swapped[] = {rhs, lhs};
        mlc_op_set_operands(op, swapped, 2);
        return true;
    }
    return false;
}

// --- casts: cast(x : T) : T -> x, cast(cast(x : T) : U) : T -> x, cast(cast(x)) -> cast(x)

bool
mlc_llvm_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcValue *input = mlc_op_operand(op, 0);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_value_type(input) == type) {
        results[0].value = input;
        return true;
    }
    MlcOp *inner = mlc_value_def(input);
    if (!inner || mlc_op_def(inner) != mlc_op_def(op))
        return false;
    MlcValue *source = mlc_op_operand(inner, 0);
    if (mlc_value_type(source) == type)
        results[0].value = source;
    else
        mlc_op_set_operand(op, 0, source);
    return true;
}

// --- aggregates

static bool
positions_agree(MlcAttr a, MlcAttr b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (mlc_dense_array_attr_int(a, i) != mlc_dense_array_attr_int(b, i))
            return false;
    return true;
}

// What was inserted at the place; or from what it was inserted into, if the places are apart.
bool
mlc_llvm_extractvalue_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcAttr wanted = mlc_llvm_extractvalue_position(op);
    size_t depth = mlc_dense_array_attr_size(wanted);
    bool changed = false;
    MlcOp *insert = mlc_value_def(mlc_op_operand(op, 0));
    while (insert && mlc_llvm_insertvalue_isa(insert)) {
        MlcAttr position = mlc_llvm_insertvalue_position(insert);
        size_t size = mlc_dense_array_attr_size(position);
        bool agree = positions_agree(position, wanted, size < depth ? size : depth);
        if (agree && size == depth) {
            results[0].value = mlc_op_operand(insert, 1);
            return true;
        }
        if (agree) // one is part of the other
            return changed;
        mlc_op_set_operand(op, 0, mlc_op_operand(insert, 0));
        changed = true;
        insert = mlc_value_def(mlc_op_operand(op, 0));
    }
    return changed;
}

// --- addresses

typedef MLC_VEC(int32_t) IndexVec;

// Indices that are known are written into the op.
static bool
fold_indices(MlcOp *op, const MlcAttr *constants)
{
    MlcAttr raw = mlc_llvm_getelementptr_raw_constant_indices(op);
    MlcValueVec operands = {0};
    IndexVec indices = {0};
    size_t next = 1;
    mlc_vec_push(&operands, mlc_op_operand(op, 0));
    for (size_t i = 0; i < mlc_dense_array_attr_size(raw); i++) {
        int64_t index = mlc_dense_array_attr_int(raw, i);
        if (index == INT32_MIN) {
            int64_t value;
            size_t operand = next++;
            bool is_known = mlc_attr_is(constants[operand], MLC_ATTR_INTEGER) &&
                            mlc_attr_try_as_int(constants[operand], &value) && value > INT32_MIN &&
                            value <= INT32_MAX;
            if (is_known)
                index = value;
            else
                mlc_vec_push(&operands, mlc_op_operand(op, operand));
        }
        mlc_vec_push(&indices, (int32_t)index);
    }
    bool changed = operands.size < mlc_op_num_operands(op);
    if (changed) {
        mlc_op_set_operands(op, operands.data, operands.size);
        mlc_op_set_attr(op, "rawConstantIndices",
                        mlc_i32_array_attr_get(mlc_op_context(op), indices.data, indices.size));
    }
    mlc_vec_release(&operands);
    mlc_vec_release(&indices);
    return changed;
}

bool
mlc_llvm_getelementptr_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcAttr raw = mlc_llvm_getelementptr_raw_constant_indices(op);
    MlcValue *base = mlc_op_operand(op, 0);
    int64_t index = 1;
    if (mlc_dense_array_attr_size(raw) == 1) {
        index = mlc_dense_array_attr_int(raw, 0);
        if (index == INT32_MIN && (!mlc_attr_is(constants[1], MLC_ATTR_INTEGER) ||
                                   !mlc_attr_try_as_int(constants[1], &index)))
            index = 1;
    }
    if (index == 0 && mlc_value_type(base) == mlc_value_type(mlc_op_result(op, 0))) {
        results[0].value = base; // gep x, 0 -> x
        return true;
    }
    return fold_indices(op, constants);
}

// --- effects

static void
add_unknown(MlcEffectVec *out)
{
    mlc_vec_push(out, ((MlcMemoryEffect){MLC_EFFECT_WRITE, NULL}));
    mlc_vec_push(out, ((MlcMemoryEffect){MLC_EFFECT_READ, NULL}));
}

// Volatile accesses, and those that order others, do more than reach their address.
static void
add_access(MlcEffectVec *out, MlcEffect effect, MlcValue *address, bool is_volatile,
           MlcAttr ordering)
{
    enum { NOT_ATOMIC, UNORDERED };
    mlc_vec_push(out, ((MlcMemoryEffect){(uint8_t)effect, address}));
    if (is_volatile || (ordering && mlc_enum_attr_value(ordering) > UNORDERED))
        add_unknown(out);
}

static void
load_effects(MlcOp *op, MlcEffectVec *out)
{
    add_access(out, MLC_EFFECT_READ, mlc_op_operand(op, 0), mlc_llvm_load_volatile_(op) != NULL,
               mlc_llvm_load_ordering_attr(op));
}

static void
store_effects(MlcOp *op, MlcEffectVec *out)
{
    add_access(out, MLC_EFFECT_WRITE, mlc_op_operand(op, 1), mlc_llvm_store_volatile_(op) != NULL,
               mlc_llvm_store_ordering_attr(op));
}

static void
inline_asm_effects(MlcOp *op, MlcEffectVec *out)
{
    if (mlc_llvm_inline_asm_has_side_effects(op))
        add_unknown(out);
}

const MlcMemoryEffects mlc_llvm_load_memory_effects = {.effects = load_effects};
const MlcMemoryEffects mlc_llvm_store_memory_effects = {.effects = store_effects};
const MlcMemoryEffects mlc_llvm_inline_asm_memory_effects = {.effects = inline_asm_effects};
