// arith_emulate_wide_int.c -- integers of twice the widest width that the target has, as pairs.
//
// iW becomes vector<2 x iN>, W = 2 N, the low half first; a vector gets one more dimension of two.
// The halves of vectors are slices whose last size is 1, so that one pattern serves scalars and
// vectors. What an op is in terms of other wide ops is written in those, and they are converted in
// turn. Shifts by N or more bits of an N-bit number are poison, so each is chosen away where its
// amount may be that large.
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/vector.h"
#include "mlc/support/powers.h"
#include "mlc/support/wide.h"

#include <math.h>

// iN, as the pass was asked.
static MlcType
narrow_type(MlcConversion *c, const void *user)
{
    return mlc_integer_type_get(mlc_conversion_builder(c)->ctx, *(const unsigned *)user,
                                MLC_SIGNLESS);
}

static bool
is_wide(MlcType type, unsigned narrow)
{
    MlcType element = mlc_type_element(type);
    return mlc_type_is(element, MLC_TYPE_INTEGER) &&
           mlc_integer_type_width(element) == 2 * narrow &&
           (element == type ||
            (mlc_type_is(type, MLC_TYPE_VECTOR) && !mlc_vector_type_has_scalable(type) &&
             mlc_type_rank(type) < MLC_SMALL_RANK));
}

// The type with one more dimension, of `size`.
static MlcType
append_dim(MlcType type, int64_t size, MlcType element)
{
    int64_t shape[MLC_SMALL_RANK];
    size_t rank = mlc_type_is_shaped(type) ? mlc_type_rank(type) : 0;
    for (size_t i = 0; i < rank; i++)
        shape[i] = mlc_type_dim(type, i);
    shape[rank] = size;
    return mlc_vector_type_get(element, shape, rank + 1, NULL);
}

static int
widen_to_pair(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *user)
{
    (void)types;
    unsigned narrow = *(unsigned *)user;
    if (!is_wide(type, narrow))
        return 0;
    MlcType half = mlc_integer_type_get(mlc_type_context(type), narrow, MLC_SIGNLESS);
    mlc_vec_push(out, append_dim(type, 2, half));
    return 1;
}

static int
keep(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *user)
{
    (void)user;
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION))
        return mlc_vec_push(out, type), 1;
    MlcTypeVec parts = {0};
    bool ok = true;
    size_t num_inputs = mlc_function_type_num_inputs(type);
    for (size_t i = 0; i < num_inputs; i++)
        ok = ok && mlc_type_converter_convert(types, mlc_function_type_inputs(type)[i], &parts);
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        ok = ok && mlc_type_converter_convert(types, mlc_function_type_results(type)[i], &parts);
    if (ok)
        mlc_vec_push(out, mlc_function_type_get(mlc_type_context(type), parts.data, num_inputs,
                                                parts.data + num_inputs, parts.size - num_inputs));
    mlc_vec_release(&parts);
    return ok ? 1 : -1;
}

// ---- halves

static MlcAttr
index_list(MlcContext *ctx, const int64_t *values, size_t n)
{
    MlcAttr elements[MLC_SMALL_RANK];
    for (size_t i = 0; i < n; i++)
        elements[i] = mlc_i64_attr_get(ctx, values[i]);
    return mlc_array_attr_get(ctx, elements, n);
}

// Half 0 or 1 of a pair: iN, or vector<... x 1 x iN>.
static MlcValue *
half_of(MlcBuilder *b, MlcValue *pair, int64_t which)
{
    MlcType type = mlc_value_type(pair), element = mlc_type_element(type);
    size_t rank = mlc_type_rank(type);
    if (rank == 1)
        return mlc_vector_extract(b, element, pair, NULL, 0, &which, 1);
    int64_t offsets[MLC_SMALL_RANK] = {0}, sizes[MLC_SMALL_RANK], strides[MLC_SMALL_RANK];
    for (size_t i = 0; i < rank; i++)
        sizes[i] = mlc_type_dim(type, i), strides[i] = 1;
    offsets[rank - 1] = which, sizes[rank - 1] = 1;
    MlcType slice = mlc_type_with_shape(type, sizes, rank, element);
    return mlc_vector_extract_strided_slice(b, slice, pair, index_list(b->ctx, offsets, rank),
                                            index_list(b->ctx, sizes, rank),
                                            index_list(b->ctx, strides, rank));
}

static MlcValue *
insert_half(MlcBuilder *b, MlcValue *half, MlcValue *pair, int64_t which)
{
    size_t rank = mlc_type_rank(mlc_value_type(pair));
    if (rank == 1)
        return mlc_vector_insert(b, half, pair, NULL, 0, &which, 1);
    int64_t offsets[MLC_SMALL_RANK] = {0}, strides[MLC_SMALL_RANK];
    offsets[rank - 1] = which;
    for (size_t i = 0; i < rank; i++)
        strides[i] = 1;
    return mlc_vector_insert_strided_slice(b, half, pair, index_list(b->ctx, offsets, rank),
                                           index_list(b->ctx, strides, rank));
}

// A pair of `type`; `high` NULL: 0.
static MlcValue *
make_pair(MlcBuilder *b, MlcType type, MlcValue *low, MlcValue *high)
{
    MlcValue *pair = insert_half(b, low, mlc_build_int(b, type, 0), 0);
    return high ? insert_half(b, high, pair, 1) : pair;
}

// vector<... x T> as vector<... x 1 x T>, and back; scalars stay.
static MlcValue *
append_one(MlcBuilder *b, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_is(type, MLC_TYPE_VECTOR))
        return value;
    return mlc_vector_shape_cast(b, append_dim(type, 1, mlc_type_element(type)), value);
}

static MlcValue *
drop_one(MlcBuilder *b, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_is(type, MLC_TYPE_VECTOR))
        return value;
    MlcType less = mlc_type_with_shape(type, mlc_type_shape(type), mlc_type_rank(type) - 1,
                                       mlc_type_element(type));
    return mlc_vector_shape_cast(b, less, value);
}

// The pair's type; NULL after saying why not.
static MlcType
pair_type(MlcConversion *c, MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcType pair = mlc_type_converter_convert_one(mlc_conversion_types(c), type);
    if (pair && pair != type)
        return pair;
    mlc_conversion_no_match(c, op, "%s is no integer of two halves", mlc_type_text(type));
    return NULL;
}

// What is converted stands for an operand of a type that was.
static bool
is_pair(MlcConversion *c, MlcOp *op, size_t operand, MlcValue *converted)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, operand));
    return mlc_value_type(converted) != type ||
           mlc_conversion_no_match(c, op, "%s is no integer of two halves", mlc_type_text(type));
}

static bool
replace_with_pair(MlcConversion *c, MlcOp *op, MlcType type, MlcValue *low, MlcValue *high)
{
    MlcValue *pair = make_pair(mlc_conversion_builder(c), type, low, high);
    mlc_conversion_replace(c, op, &pair, 1);
    return true;
}

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

// ---- constants

static void
split_number(MlcArena *scratch, MlcAttr number, MlcType half, MlcAttr *halves)
{
    uint32_t width = mlc_integer_type_width(half);
    MlcWide all = mlc_attr_wide(number);
    MlcWide low = mlc_wide_trunc(scratch, all, width);
    MlcWide high = mlc_wide_trunc(scratch, mlc_wide_lshr(scratch, all, width), width);
    halves[0] = mlc_integer_attr_get_wide(half, &low);
    halves[1] = mlc_integer_attr_get_wide(half, &high);
}

static bool
convert_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcAttr value = mlc_op_attr(op, "value");
    MlcType type = pair_type(c, op), half = narrow_type(c, user);
    if (!type)
        return false;
    bool is_scalar = mlc_attr_is(value, MLC_ATTR_INTEGER);
    if (!is_scalar && !mlc_attr_is(value, MLC_ATTR_DENSE))
        return mlc_conversion_no_match(c, op, "its elements are not at hand");
    int64_t n = is_scalar ? 1 : mlc_type_num_elements(mlc_attr_type(value));
    MlcArena scratch = {0};
    MlcAttr *halves = MLC_NEW_ARRAY(&scratch, MlcAttr, 2 * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        split_number(&scratch, is_scalar ? value : mlc_elements_attr_element(value, (size_t)i),
                     half, halves + 2 * i);
    MlcAttr pairs = mlc_dense_attr_from_elements(type, halves, 2 * (size_t)n);
    mlc_arena_release(&scratch);
    return replace(c, op, mlc_build_constant(b, pairs));
}

// ---- arithmetic

typedef struct Halves {
    MlcValue *low, *high;
} Halves;

static Halves
split(MlcBuilder *b, MlcValue *pair)
{
    MlcValue *low = half_of(b, pair, 0);
    return (Halves){low, half_of(b, pair, 1)};
}

// and, or, xor: half by half
static bool
convert_bitwise(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = pair_type(c, op);
    if (!type)
        return false;
    const char *name = mlc_op_def(op)->name;
    Halves x = split(b, operands[0]), y = split(b, operands[1]);
    MlcValue *low = mlc_build_binary(b, name, x.low, y.low);
    MlcValue *high = mlc_build_binary(b, name, x.high, y.high);
    return replace_with_pair(c, op, type, low, high);
}

static bool
convert_addi(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = pair_type(c, op);
    if (!type)
        return false;
    Halves x = split(b, operands[0]), y = split(b, operands[1]);
    MlcType half = mlc_value_type(x.low);
    MlcType flag = mlc_type_with_element(half, mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS));
    MlcOp *sum = mlc_arith_addui_extended(b, half, flag, x.low, y.low);
    MlcValue *carry = mlc_arith_extui(b, half, mlc_op_result(sum, 1));
    MlcValue *high = mlc_arith_addi(b, carry, x.high);
    high = mlc_arith_addi(b, high, y.high);
    return replace_with_pair(c, op, type, mlc_op_result(sum, 0), high);
}

// (xh R + xl)(yh R + yl) = (xl yl) + R (xl yh + xh yl), R = 2^N, modulo R^2
static bool
convert_muli(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = pair_type(c, op);
    if (!type)
        return false;
    Halves x = split(b, operands[0]), y = split(b, operands[1]);
    MlcOp *product = mlc_arith_mului_extended(b, x.low, y.low);
    MlcValue *low_high = mlc_arith_muli(b, x.low, y.high);
    MlcValue *high_low = mlc_arith_muli(b, x.high, y.low);
    MlcValue *high = mlc_arith_addi(b, mlc_op_result(product, 1), low_high);
    high = mlc_arith_addi(b, high, high_low);
    return replace_with_pair(c, op, type, mlc_op_result(product, 0), high);
}

// The same order of numbers without a sign.
static int64_t
unsigned_predicate(int64_t predicate)
{
    bool is_signed =
        predicate >= MLC_ARITH_CMPI_PREDICATE_SLT && predicate <= MLC_ARITH_CMPI_PREDICATE_SGE;
    return is_signed ? predicate + (MLC_ARITH_CMPI_PREDICATE_ULT - MLC_ARITH_CMPI_PREDICATE_SLT)
                     : predicate;
}

// The high halves decide, the low ones if those are equal.
static bool
convert_cmpi(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    int64_t predicate = mlc_enum_attr_value(mlc_op_attr(op, "predicate"));
    if (!is_pair(c, op, 0, operands[0]))
        return false;
    Halves x = split(b, operands[0]), y = split(b, operands[1]);
    MlcValue *low = mlc_build_compare(b, unsigned_predicate(predicate), x.low, y.low);
    MlcValue *high = mlc_build_compare(b, predicate, x.high, y.high), *result;
    if (predicate == MLC_ARITH_CMPI_PREDICATE_EQ)
        result = mlc_arith_andi(b, low, high);
    else if (predicate == MLC_ARITH_CMPI_PREDICATE_NE)
        result = mlc_arith_ori(b, low, high);
    else
        result = mlc_build_select(
            b, mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_EQ, x.high, y.high), low, high);
    return replace(c, op, drop_one(b, result));
}

static bool
convert_min_max(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands;
    MlcBuilder *b = mlc_conversion_builder(c);
    if (!pair_type(c, op))
        return false;
    MlcValue *x = mlc_op_operand(op, 0), *y = mlc_op_operand(op, 1);
    MlcValue *first = mlc_build_compare(b, *(const int64_t *)user, x, y);
    return replace(c, op, mlc_build_select(b, first, x, y));
}

static bool
convert_select(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = pair_type(c, op);
    if (!type)
        return false;
    Halves yes = split(b, operands[1]), no = split(b, operands[2]);
    MlcValue *condition = append_one(b, operands[0]);
    MlcValue *low = mlc_build_select(b, condition, yes.low, no.low);
    MlcValue *high = mlc_build_select(b, condition, yes.high, no.high);
    return replace_with_pair(c, op, type, low, high);
}

// ---- shifts

typedef struct Shift {
    MlcBuilder *b;
    MlcValue *amount, *is_large; // by N bits or more
    MlcValue *zero, *width;
    MlcValue *to_other; // how far bits go from one half into the other; N if large
    MlcValue *beyond;   // amount - N
} Shift;

static MlcValue *
shift_or_zero(const Shift *s, MlcValue *(*shift)(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs),
              MlcValue *half)
{
    MlcValue *shifted = shift(s->b, half, s->amount);
    return mlc_build_select(s->b, s->is_large, s->zero, shifted);
}

static void
find_to_other(Shift *s)
{
    MlcValue *small = mlc_build_select(s->b, s->is_large, s->width, s->amount);
    s->to_other = mlc_arith_subi(s->b, s->width, small);
}

static Shift
shift_by(MlcBuilder *b, MlcValue *amount)
{
    MlcType half = mlc_value_type(amount);
    Shift s = {.b = b, .amount = amount, .zero = mlc_build_int(b, half, 0)};
    s.width = mlc_build_int(b, half, mlc_integer_type_width(mlc_type_element(half)));
    s.is_large = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_UGE, amount, s.width);
    return s;
}

static bool
convert_shli(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = pair_type(c, op);
    if (!type)
        return false;
    Halves x = split(b, operands[0]);
    Shift s = shift_by(b, half_of(b, operands[1], 0));
    MlcValue *low = shift_or_zero(&s, mlc_arith_shli, x.low);
    find_to_other(&s);
    MlcValue *carried = mlc_arith_shrui(b, x.low, s.to_other);
    s.beyond = mlc_arith_subi(b, s.amount, s.width);
    MlcValue *moved = mlc_arith_shli(b, x.low, s.beyond);
    MlcValue *own = shift_or_zero(&s, mlc_arith_shli, x.high);
    MlcValue *from_low = mlc_build_select(b, s.is_large, moved, carried);
    return replace_with_pair(c, op, type, low, mlc_arith_ori(b, from_low, own));
}

static bool
convert_shrui(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = pair_type(c, op);
    if (!type)
        return false;
    Halves x = split(b, operands[0]);
    Shift s = shift_by(b, half_of(b, operands[1], 0));
    MlcValue *own = shift_or_zero(&s, mlc_arith_shrui, x.low);
    MlcValue *high = shift_or_zero(&s, mlc_arith_shrui, x.high);
    find_to_other(&s);
    MlcValue *carried = mlc_arith_shli(b, x.high, s.to_other);
    s.beyond = mlc_arith_subi(b, s.amount, s.width);
    MlcValue *moved = mlc_arith_shrui(b, x.high, s.beyond);
    MlcValue *from_high = mlc_build_select(b, s.is_large, moved, carried);
    return replace_with_pair(c, op, type, mlc_arith_ori(b, own, from_high), high);
}

// x >> n = (x >>> n) | (sign << (W - n)), and x where n is 0
static bool
convert_shrsi(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    if (!pair_type(c, op))
        return false;
    MlcValue *x = mlc_op_operand(op, 0), *n = mlc_op_operand(op, 1);
    MlcType wide = mlc_value_type(x);
    MlcValue *high = half_of(b, operands[0], 1), *amount = half_of(b, operands[1], 0);
    MlcType half = mlc_value_type(high);
    unsigned width = mlc_integer_type_width(mlc_type_element(wide));
    MlcValue *zero = mlc_build_int(b, half, 0);
    MlcValue *is_negative = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, high, zero);
    is_negative = drop_one(b, is_negative);
    MlcValue *sign = mlc_arith_extsi(b, wide, is_negative);
    MlcValue *left = mlc_build_int(b, half, width);
    left = drop_one(b, mlc_arith_subi(b, left, amount));
    MlcValue *wide_left = mlc_arith_extui(b, wide, left);
    MlcValue *signs = mlc_arith_shli(b, sign, wide_left);
    MlcValue *shifted = mlc_arith_shrui(b, x, n);
    MlcValue *both = mlc_arith_ori(b, shifted, signs);
    MlcValue *is_zero = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_EQ, amount, zero);
    return replace(c, op, mlc_build_select(b, drop_one(b, is_zero), x, both));
}

// ---- conversions

static MlcValue *
extend(MlcBuilder *b, MlcValue *(*build)(MlcBuilder *b, MlcType type, MlcValue *in),
       MlcValue *value, MlcType element)
{
    MlcType type = mlc_type_with_element(mlc_value_type(value), element);
    return mlc_value_type(value) == type ? value : build(b, type, value);
}

static bool
convert_ext(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = pair_type(c, op), half = narrow_type(c, user);
    if (!type)
        return false;
    bool is_signed = mlc_arith_extsi_isa(op);
    MlcValue *low =
        extend(b, is_signed ? mlc_arith_extsi : mlc_arith_extui, append_one(b, operands[0]), half);
    if (!is_signed)
        return replace_with_pair(c, op, type, low, NULL);
    MlcValue *zero = mlc_build_int(b, mlc_value_type(low), 0);
    MlcValue *is_negative = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, low, zero);
    MlcValue *high = mlc_arith_extsi(b, mlc_value_type(low), is_negative);
    return replace_with_pair(c, op, type, low, high);
}

static bool
convert_trunci(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!is_pair(c, op, 0, operands[0]))
        return false;
    MlcValue *low = drop_one(b, half_of(b, operands[0], 0));
    return replace(c, op, extend(b, mlc_arith_trunci, low, mlc_type_element(type)));
}

// Between index and a wide integer: the low half.
static bool
convert_index_cast(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    bool is_signed = mlc_arith_index_cast_isa(op);
    MlcValue *(*cast)(MlcBuilder * b, MlcType type, MlcValue * in) =
        is_signed ? mlc_arith_index_cast : mlc_arith_index_castui;
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), half = narrow_type(c, user);
    if (mlc_type_is(mlc_type_element(type), MLC_TYPE_INDEX)) {
        if (!is_pair(c, op, 0, operands[0]))
            return false;
        MlcValue *low = drop_one(b, half_of(b, operands[0], 0));
        return replace(c, op, cast(b, type, low));
    }
    if (!pair_type(c, op))
        return false;
    MlcValue *low = cast(b, mlc_type_with_element(type, half), operands[0]);
    return replace(c, op,
                   is_signed ? mlc_arith_extsi(b, type, low) : mlc_arith_extui(b, type, low));
}

// low + high * 2^N; where high is 0, no more than low is rounded.
static bool
convert_uitofp(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!is_pair(c, op, 0, operands[0]))
        return false;
    Halves x = split(b, operands[0]);
    MlcValue *low = drop_one(b, x.low), *high = drop_one(b, x.high);
    MlcType half = mlc_value_type(high);
    MlcValue *is_small =
        mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_EQ, high, mlc_build_int(b, half, 0));
    MlcValue *low_float = mlc_arith_uitofp(b, type, low);
    MlcValue *high_float = mlc_arith_uitofp(b, type, high);
    int width = (int)mlc_integer_type_width(mlc_type_element(half));
    MlcValue *radix = mlc_build_float(b, type, ldexp(1, width));
    MlcValue *scaled = mlc_arith_mulf(b, high_float, radix);
    MlcValue *sum = mlc_arith_addf(b, low_float, scaled);
    return replace(c, op, mlc_build_select(b, is_small, low_float, sum));
}

// -x = ~x + 1: the magnitude is converted, which the least number is as well.
static bool
convert_sitofp(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (!is_pair(c, op, 0, operands[0]))
        return false;
    MlcValue *x = mlc_op_operand(op, 0);
    MlcType wide = mlc_value_type(x);
    MlcValue *zero = mlc_build_int(b, wide, 0), *one = mlc_build_int(b, wide, 1);
    MlcValue *ones = mlc_build_int(b, wide, -1);
    MlcValue *is_negative = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_SLT, x, zero);
    MlcValue *negative = mlc_arith_addi(b, mlc_arith_xori(b, x, ones), one);
    MlcValue *magnitude = mlc_build_select(b, is_negative, negative, x);
    MlcValue *result = mlc_arith_uitofp(b, type, magnitude);
    MlcValue *negated = mlc_arith_negf(b, result);
    return replace(c, op, mlc_build_select(b, is_negative, negated, result));
}

// ---- the pass

static int64_t sgt = MLC_ARITH_CMPI_PREDICATE_SGT, slt = MLC_ARITH_CMPI_PREDICATE_SLT;
static int64_t ugt = MLC_ARITH_CMPI_PREDICATE_UGT, ult = MLC_ARITH_CMPI_PREDICATE_ULT;

static bool
convert(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types, unsigned *narrow)
{
    const MlcConversionPattern patterns[] = {
        {.root = "func.func", .convert_ranges = mlc_conversion_retype},
        {.root = "func.call", .convert_ranges = mlc_conversion_retype},
        {.root = "func.call_indirect", .convert_ranges = mlc_conversion_retype},
        {.root = "func.constant", .convert_ranges = mlc_conversion_retype},
        {.root = "func.return", .convert_ranges = mlc_conversion_retype},
        {.root = "cf.br", .convert_ranges = mlc_conversion_retype},
        {.root = "cf.cond_br", .convert_ranges = mlc_conversion_retype},
        {.root = "vector.print", .convert_ranges = mlc_conversion_retype},
        {.root = "arith.constant", .convert = convert_constant, .user = narrow},
        {.root = "arith.andi", .convert = convert_bitwise},
        {.root = "arith.ori", .convert = convert_bitwise},
        {.root = "arith.xori", .convert = convert_bitwise},
        {.root = "arith.addi", .convert = convert_addi},
        {.root = "arith.muli", .convert = convert_muli},
        {.root = "arith.cmpi", .convert = convert_cmpi},
        {.root = "arith.maxsi", .convert = convert_min_max, .user = &sgt},
        {.root = "arith.minsi", .convert = convert_min_max, .user = &slt},
        {.root = "arith.maxui", .convert = convert_min_max, .user = &ugt},
        {.root = "arith.minui", .convert = convert_min_max, .user = &ult},
        {.root = "arith.select", .convert = convert_select},
        {.root = "arith.shli", .convert = convert_shli},
        {.root = "arith.shrui", .convert = convert_shrui},
        {.root = "arith.shrsi", .convert = convert_shrsi},
        {.root = "arith.extsi", .convert = convert_ext, .user = narrow},
        {.root = "arith.extui", .convert = convert_ext, .user = narrow},
        {.root = "arith.trunci", .convert = convert_trunci},
        {.root = "arith.index_cast", .convert = convert_index_cast, .user = narrow},
        {.root = "arith.index_castui", .convert = convert_index_cast, .user = narrow},
        {.root = "arith.uitofp", .convert = convert_uitofp},
        {.root = "arith.sitofp", .convert = convert_sitofp},
    };
    return mlc_convert_partial(root, target, types, patterns, sizeof patterns / sizeof *patterns);
}

static bool
has_legal_types(MlcOp *op, void *types)
{
    return mlc_type_converter_is_legal_signature(types, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    static const char *const converted[] = {"arith", "cf", "func", "vector"};
    int64_t widest = mlc_pass_option_int(pass, "widest-int-supported");
    if (widest < 2 || !mlc_is_power_of_two(widest) || widest > MLC_WIDE_MAX_WIDTH / 2)
        return mlc_op_error(root, "the widest integer must be of a power of two bits, not %lld",
                            (long long)widest);
    unsigned narrow = (unsigned)widest;
    MlcContext *ctx = mlc_pass_context(pass);
    MlcTypeConverter *types = mlc_type_converter_create(ctx);
    mlc_type_converter_add(types, keep, NULL);
    mlc_type_converter_add(types, widen_to_pair, &narrow);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    for (size_t i = 0; i < sizeof converted / sizeof *converted; i++)
        mlc_conversion_target_dynamic_dialect(target, converted[i], has_legal_types, types);
    bool ok = convert(root, target, types, &narrow);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(types);
    return ok;
}

static const MlcPassOption options[] = {
    {"widest-int-supported", MLC_OPTION_INT, "32",
     "bits of the widest integer that the target has"},
};
static const char *const dialects[] = {"vector", NULL};

MLC_PASS(arith_emulate_wide_int, .flag = "arith-emulate-wide-int",
         .summary = "Emulate 2*N-bit integer operations using N-bit operations", .options = options,
         .num_options = 1, .dependent_dialects = dialects, .run = run)
