// arith_fold.c -- identities of arith. What is known when all operands are constants comes from
// `eval`.
//
// Each hook states its identities; a constant may be a scalar, or the same in all lanes. Operands
// of commutative ops are looked at from both sides, since a fold may run before constants were
// moved to the right.
#include "mlc/dialects/arith.h"

#include "mlc/ir.h"
#include "mlc/support/softfloat.h"

// The scalar that all lanes of a constant have; NULL if there is none.
static MlcAttr
lane(MlcAttr constant)
{
    if (!constant)
        return NULL;
    if (mlc_attr_is(constant, MLC_ATTR_INTEGER) || mlc_attr_is(constant, MLC_ATTR_FLOAT))
        return constant;
    if (mlc_attr_is(constant, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(constant))
        return mlc_elements_attr_element(constant, 0);
    return NULL;
}

static bool
is_zero(MlcAttr constant)
{
    MlcAttr c = lane(constant);
    return mlc_attr_is(c, MLC_ATTR_INTEGER) && mlc_wide_is_zero(mlc_attr_wide(c));
}

static bool
is_one(MlcAttr constant)
{
    MlcAttr c = lane(constant);
    uint64_t value;
    return mlc_attr_is(c, MLC_ATTR_INTEGER) && mlc_wide_try_as_uint(mlc_attr_wide(c), &value) &&
           value == 1;
}

static bool
is_all_ones(MlcAttr constant)
{
    MlcAttr c = lane(constant);
    if (!mlc_attr_is(c, MLC_ATTR_INTEGER))
        return false;
    MlcWide w = mlc_attr_wide(c);
    return mlc_wide_popcount(w) == w.width;
}

// The least (most) signed number: only the top bit is set (clear).
static bool
is_signed_min(MlcAttr constant)
{
    MlcAttr c = lane(constant);
    if (!mlc_attr_is(c, MLC_ATTR_INTEGER))
        return false;
    MlcWide w = mlc_attr_wide(c);
    return mlc_wide_popcount(w) == 1 && mlc_wide_is_negative(w);
}

static bool
is_signed_max(MlcAttr constant)
{
    MlcAttr c = lane(constant);
    if (!mlc_attr_is(c, MLC_ATTR_INTEGER))
        return false;
    MlcWide w = mlc_attr_wide(c);
    return mlc_wide_popcount(w) == w.width - 1 && !mlc_wide_is_negative(w);
}

static bool
float_of(MlcAttr constant, MlcFloat *value)
{
    MlcAttr c = lane(constant);
    if (!mlc_attr_is(c, MLC_ATTR_FLOAT))
        return false;
    uint64_t lo, hi;
    mlc_float_attr_bits(c, &lo, &hi);
    *value = mlc_float_from_bits(mlc_float_type_kind(mlc_attr_type(c)), lo, hi);
    return true;
}

static bool
is_float_zero(MlcAttr constant, bool negative)
{
    MlcFloat f;
    return float_of(constant, &f) && mlc_float_is_zero(f) && mlc_float_is_negative(f) == negative;
}

static bool
is_float_one(MlcAttr constant)
{
    MlcFloat f;
    return float_of(constant, &f) && mlc_float_to_double(f) == 1.0;
}

static bool
is_inf(MlcAttr constant, bool negative)
{
    MlcFloat f;
    return float_of(constant, &f) && mlc_float_is_inf(f) && mlc_float_is_negative(f) == negative;
}

static bool
to_value(MlcFold *result, MlcValue *value)
{
    result->value = value;
    return true;
}

static bool
to_attr(MlcFold *result, MlcAttr attr)
{
    result->attr = attr;
    return attr != NULL;
}

static bool
to_operand(MlcFold *result, const MlcOp *op, size_t i)
{
    return to_value(result, mlc_op_operand(op, i));
}

// An integer in all lanes of a type; NULL where its shape is not known.
static MlcAttr
int_of_type(MlcType type, int64_t value)
{
    MlcAttr scalar = mlc_integer_attr_get(mlc_type_element(type), value);
    if (!mlc_type_is_shaped(type))
        return scalar;
    bool is_static = mlc_type_has_rank(type) && mlc_type_has_static_shape(type);
    return is_static ? mlc_dense_attr_splat(type, scalar) : NULL;
}

static bool
to_int(MlcFold *result, const MlcOp *op, size_t i, int64_t value)
{
    return to_attr(result, int_of_type(mlc_value_type(mlc_op_result(op, i)), value));
}

static bool
has_same_operands(const MlcOp *op)
{
    return mlc_op_operand(op, 0) == mlc_op_operand(op, 1);
}

// The operation that makes operand i, if it is of that definition.
static MlcOp *
made_by(const MlcOp *op, size_t i, const MlcOpDef *def)
{
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, i));
    return inner && mlc_op_isa(inner, def) ? inner : NULL;
}

// x + 0 -> x; (a - b) + b -> a; b + (a - b) -> a
bool
mlc_arith_addi_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    for (size_t i = 0; i < 2; ++i) {
        if (is_zero(constants[i]))
            return to_operand(results, op, 1 - i);
        MlcOp *sub = made_by(op, i, &mlc_arith_subi_def);
        if (sub && mlc_op_operand(sub, 1) == mlc_op_operand(op, 1 - i))
            return to_operand(results, sub, 0);
    }
    return false;
}

// x - x -> 0; x - 0 -> x; (a + b) - b -> a; (a + b) - a -> b
bool
mlc_arith_subi_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (has_same_operands(op))
        return to_int(results, op, 0, 0);
    if (is_zero(constants[1]))
        return to_operand(results, op, 0);
    MlcOp *add = made_by(op, 0, &mlc_arith_addi_def);
    for (size_t i = 0; add && i < 2; ++i)
        if (mlc_op_operand(add, i) == mlc_op_operand(op, 1))
            return to_operand(results, add, 1 - i);
    return false;
}

// x * 0 -> 0; x * 1 -> x
bool
mlc_arith_muli_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    for (size_t i = 0; i < 2; ++i) {
        if (is_zero(constants[i]))
            return to_attr(results, constants[i]);
        if (is_one(constants[i]))
            return to_operand(results, op, 1 - i);
    }
    return false;
}

// x * 0 -> 0 in both halves; x * 1 -> x, 0 where unsigned
bool
mlc_arith_mului_extended_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    for (size_t i = 0; i < 2; ++i) {
        if (is_zero(constants[i]))
            return to_attr(&results[0], constants[i]) && to_attr(&results[1], constants[i]);
        if (is_one(constants[i]) && to_int(&results[1], op, 1, 0))
            return to_operand(&results[0], op, 1 - i);
    }
    return false;
}

bool
mlc_arith_mulsi_extended_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)op;
    for (size_t i = 0; i < 2; ++i)
        if (is_zero(constants[i]))
            return to_attr(&results[0], constants[i]) && to_attr(&results[1], constants[i]);
    return false;
}

// x + 0 -> x, no carry
bool
mlc_arith_addui_extended_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    for (size_t i = 0; i < 2; ++i)
        if (is_zero(constants[i]) && to_int(&results[1], op, 1, 0))
            return to_operand(&results[0], op, 1 - i);
    return false;
}

// x / 1 -> x, however it is rounded
bool
mlc_arith_fold_quotient(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_one(constants[1]) && to_operand(results, op, 0);
}

// x % 1 -> 0
bool
mlc_arith_fold_remainder(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_one(constants[1]) && to_int(results, op, 0, 0);
}

// x shifted by 0 -> x
bool
mlc_arith_fold_shift(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_zero(constants[1]) && to_operand(results, op, 0);
}

// x & x -> x; x & 0 -> 0; x & ~0 -> x; x & (x ^ ~0) -> 0
bool
mlc_arith_andi_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (has_same_operands(op))
        return to_operand(results, op, 0);
    for (size_t i = 0; i < 2; ++i) {
        if (is_zero(constants[i]))
            return to_attr(results, constants[i]);
        if (is_all_ones(constants[i]))
            return to_operand(results, op, 1 - i);
        MlcOp *inverse = made_by(op, i, &mlc_arith_xori_def);
        for (size_t k = 0; inverse && k < 2; ++k)
            if (mlc_op_operand(inverse, k) == mlc_op_operand(op, 1 - i) &&
                is_all_ones(mlc_value_constant(mlc_op_operand(inverse, 1 - k))))
                return to_int(results, op, 0, 0);
    }
    return false;
}

// x | x -> x; x | 0 -> x; x | ~0 -> ~0
bool
mlc_arith_ori_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (has_same_operands(op))
        return to_operand(results, op, 0);
    for (size_t i = 0; i < 2; ++i) {
        if (is_zero(constants[i]))
            return to_operand(results, op, 1 - i);
        if (is_all_ones(constants[i]))
            return to_attr(results, constants[i]);
    }
    return false;
}

// x ^ 0 -> x; x ^ x -> 0; (a ^ b) ^ b -> a
bool
mlc_arith_xori_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (has_same_operands(op))
        return to_int(results, op, 0, 0);
    for (size_t i = 0; i < 2; ++i) {
        if (is_zero(constants[i]))
            return to_operand(results, op, 1 - i);
        MlcOp *inner = made_by(op, i, &mlc_arith_xori_def);
        for (size_t k = 0; inner && k < 2; ++k)
            if (mlc_op_operand(inner, k) == mlc_op_operand(op, 1 - i))
                return to_operand(results, inner, 1 - k);
    }
    return false;
}

// min or max: f(x, x) -> x; the extreme that absorbs, and the one that never wins
static bool
fold_extremes(MlcOp *op, const MlcAttr *constants, MlcFold *results, bool (*absorbs)(MlcAttr),
              bool (*loses)(MlcAttr))
{
    if (has_same_operands(op))
        return to_operand(results, op, 0);
    for (size_t i = 0; i < 2; ++i) {
        if (absorbs(constants[i]))
            return to_attr(results, constants[i]);
        if (loses(constants[i]))
            return to_operand(results, op, 1 - i);
    }
    return false;
}

bool
mlc_arith_maxsi_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_extremes(op, constants, results, is_signed_max, is_signed_min);
}

bool
mlc_arith_minsi_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_extremes(op, constants, results, is_signed_min, is_signed_max);
}

bool
mlc_arith_maxui_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_extremes(op, constants, results, is_all_ones, is_zero);
}

bool
mlc_arith_minui_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_extremes(op, constants, results, is_zero, is_all_ones);
}

// f(x, x) -> x; maximum with -inf, minimum with +inf -> x
static bool
fold_float_extremes(MlcOp *op, const MlcAttr *constants, MlcFold *results, bool negative)
{
    if (has_same_operands(op))
        return to_operand(results, op, 0);
    return is_inf(constants[1], negative) && to_operand(results, op, 0);
}

bool
mlc_arith_fold_float_max(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_float_extremes(op, constants, results, true);
}

bool
mlc_arith_fold_float_min(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return fold_float_extremes(op, constants, results, false);
}

// x + -0 -> x (x + 0 would turn -0 into 0)
bool
mlc_arith_addf_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_float_zero(constants[1], true) && to_operand(results, op, 0);
}

// x - 0 -> x
bool
mlc_arith_subf_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_float_zero(constants[1], false) && to_operand(results, op, 0);
}

// x * 1 -> x; x / 1 -> x
bool
mlc_arith_fold_float_scale(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return is_float_one(constants[1]) && to_operand(results, op, 0);
}

// -(-x) -> x
bool
mlc_arith_negf_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcOp *inner = made_by(op, 0, &mlc_arith_negf_def);
    return inner && to_operand(results, inner, 0);
}

// c ? (c ? x : y) : z -> c ? x : z; c ? x : (c ? y : z) -> c ? x : z; in place
static bool
skip_same_condition(MlcOp *op, size_t i)
{
    MlcOp *inner = made_by(op, i, &mlc_arith_select_def);
    if (!inner || mlc_op_operand(inner, 0) != mlc_op_operand(op, 0))
        return false;
    mlc_op_set_operand(op, i, mlc_op_operand(inner, i));
    return true;
}

// c ? x : x -> x; true ? a : b -> a; false ? a : b -> b; c ? true : false -> c
bool
mlc_arith_select_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (mlc_op_operand(op, 1) == mlc_op_operand(op, 2))
        return to_operand(results, op, 1);
    if (is_zero(constants[0]))
        return to_operand(results, op, 2);
    if (is_all_ones(constants[0]))
        return to_operand(results, op, 1);
    bool is_condition =
        mlc_value_type(mlc_op_operand(op, 0)) == mlc_value_type(mlc_op_result(op, 0));
    if (is_condition && is_all_ones(constants[1]) && is_zero(constants[2]))
        return to_operand(results, op, 0);
    return skip_same_condition(op, 1) || skip_same_condition(op, 2);
}

// 3 < x -> x > 3, in place
static bool
move_constant_right(MlcOp *op, const MlcAttr *constants)
{
    static const int swapped[] = {
        MLC_ARITH_CMPI_PREDICATE_EQ,  MLC_ARITH_CMPI_PREDICATE_NE,  MLC_ARITH_CMPI_PREDICATE_SGT,
        MLC_ARITH_CMPI_PREDICATE_SGE, MLC_ARITH_CMPI_PREDICATE_SLT, MLC_ARITH_CMPI_PREDICATE_SLE,
        MLC_ARITH_CMPI_PREDICATE_UGT, MLC_ARITH_CMPI_PREDICATE_UGE, MLC_ARITH_CMPI_PREDICATE_ULT,
        MLC_ARITH_CMPI_PREDICATE_ULE,
    };
    MlcAttr predicate = mlc_arith_cmpi_predicate(op);
    int64_t i = mlc_attr_as_int(predicate);
    if (!constants[0] || constants[1] || i < 0 || i > MLC_ARITH_CMPI_PREDICATE_UGE)
        return false;
    MlcValue *operands[] = {mlc_op_operand(op, 1), mlc_op_operand(op, 0)};
    mlc_op_set_operands(op, operands, 2);
    mlc_op_set_attr(op, "predicate", mlc_integer_attr_get(mlc_attr_type(predicate), swapped[i]));
    return true;
}

// x == x -> true; x < x -> false
bool
mlc_arith_cmpi_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    if (!has_same_operands(op))
        return move_constant_right(op, constants);
    switch (mlc_attr_as_int(mlc_arith_cmpi_predicate(op))) {
    case MLC_ARITH_CMPI_PREDICATE_EQ:
    case MLC_ARITH_CMPI_PREDICATE_SLE:
    case MLC_ARITH_CMPI_PREDICATE_SGE:
    case MLC_ARITH_CMPI_PREDICATE_ULE:
    case MLC_ARITH_CMPI_PREDICATE_UGE:
        return to_int(results, op, 0, 1);
    default:
        return to_int(results, op, 0, 0);
    }
}

// Two predicates do not look at their operands.
bool
mlc_arith_cmpf_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    switch (mlc_attr_as_int(mlc_arith_cmpf_predicate(op))) {
    case MLC_ARITH_CMPF_PREDICATE_FALSE:
        return to_int(results, op, 0, 0);
    case MLC_ARITH_CMPF_PREDICATE_TRUE:
        return to_int(results, op, 0, 1);
    default:
        return false;
    }
}

// ext(ext(x)) -> ext(x), of the same kind
bool
mlc_arith_fold_widening(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    MlcOp *inner = made_by(op, 0, mlc_op_def(op));
    if (!inner)
        return false;
    mlc_op_set_operand(op, 0, mlc_op_operand(inner, 0));
    return true;
}

// x where `inner` made operand 0 from a value of op's result type.
static bool
undo(const MlcOp *op, const MlcOp *inner, MlcFold *results)
{
    return inner &&
           mlc_value_type(mlc_op_operand(inner, 0)) == mlc_value_type(mlc_op_result(op, 0)) &&
           to_operand(results, inner, 0);
}

// trunc(ext(x)) -> x, where the types are equal again
bool
mlc_arith_trunci_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return undo(op, made_by(op, 0, &mlc_arith_extsi_def), results) ||
           undo(op, made_by(op, 0, &mlc_arith_extui_def), results);
}

bool
mlc_arith_truncf_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return undo(op, made_by(op, 0, &mlc_arith_extf_def), results);
}

// index_cast(index_cast(x)) -> x, unless the way led through fewer bits (index has 64)
bool
mlc_arith_fold_index_cast(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType between = mlc_type_element(mlc_value_type(mlc_op_operand(op, 0)));
    MlcType to = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    return mlc_type_bit_width(between) >= mlc_type_bit_width(to) &&
           undo(op, made_by(op, 0, mlc_op_def(op)), results);
}

// bitcast(x) -> x of the same type; bitcast(bitcast(x)) -> x
bool
mlc_arith_bitcast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    if (mlc_value_type(mlc_op_operand(op, 0)) == mlc_value_type(mlc_op_result(op, 0)))
        return to_operand(results, op, 0);
    return undo(op, made_by(op, 0, &mlc_arith_bitcast_def), results);
}
