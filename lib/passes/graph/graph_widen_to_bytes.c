// graph_widen_to_bytes.c -- integers and floats of less than a byte, and exponents of 8 bits, as
// bytes.
//
// Such elements are kept and handed on, never computed on: ONNX casts, quantizes and moves them. So
// here an integer becomes i8 or ui8 with its sign, and a float (f4E2M1FN, f6E2M3FN, f6E3M2FN,
// f8E8M0FNU) the ui8 of its bits. Casts, which the widths decide, become the arithmetic on bits
// that they are; below this pass every element is a byte or more, in registers and in memory. What
// the caller sees keeps its type beside the name (`mlc.type`).
#include "kernel/constant_remade.h"
#include "graph_constants.h"

#include "mlc/pass.h"
#include "mlc/support/map.h"

#include "mlc/dialects/graph.h"

#include <math.h>

typedef struct Widener {
    MlcPass *pass;
    MlcBuilder b;
    MlcType i8, ui8, i32, f32, f64;
    MlcMap elements; // values that are bytes now -> the element type that they had
} Widener;

// ---- types

static bool
is_coded_float(MlcType element)
{
    return mlc_type_is(element, MLC_TYPE_FLOAT) &&
           (mlc_type_bit_width(element) < 8 || mlc_float_type_kind(element) == MLC_FLOAT_F8E8M0FNU);
}

static bool
is_small_integer(MlcType element)
{
    return mlc_type_is(element, MLC_TYPE_INTEGER) && mlc_type_bit_width(element) > 1 &&
           mlc_type_bit_width(element) < 8;
}

static bool
is_unsigned(MlcType element)
{
    return mlc_integer_type_signedness(element) == MLC_UNSIGNED;
}

static bool
is_tensor(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR);
}

// What stands for an element; itself if it stays.
static MlcType
byte_of(const Widener *w, MlcType element)
{
    if (is_coded_float(element))
        return w->ui8;
    if (!is_small_integer(element))
        return element;
    return is_unsigned(element) ? w->ui8 : w->i8;
}

static MlcType
widened(const Widener *w, MlcType type)
{
    if (!is_tensor(type))
        return type;
    MlcType element = mlc_type_element(type), byte = byte_of(w, element);
    return byte == element ? type : mlc_type_with_element(type, byte);
}

// ---- arithmetic on tensors

static MlcType
element_of(const MlcValue *value)
{
    return mlc_type_element(mlc_value_type(value));
}

static MlcValue *
cast(Widener *w, MlcValue *x, MlcType element)
{
    MlcType type = mlc_type_with_element(mlc_value_type(x), element);
    return element_of(x) == element ? x : mlc_graph_cast(&w->b, type, x);
}

static MlcValue *
bits_as(Widener *w, MlcValue *x, MlcType element)
{
    return mlc_graph_bitcast(&w->b, mlc_type_with_element(mlc_value_type(x), element), x);
}

static MlcValue *
integer(Widener *w, const MlcValue *like, int64_t number)
{
    MlcType type = mlc_tensor_type_get(element_of(like), NULL, 0, NULL);
    MlcAttr attr = mlc_integer_attr_get(element_of(like), number);
    return mlc_graph_constant(&w->b, mlc_dense_attr_splat(type, attr));
}

static MlcValue *
real(Widener *w, double number)
{
    MlcType type = mlc_tensor_type_get(w->f32, NULL, 0, NULL);
    return mlc_graph_constant(&w->b,
                              mlc_dense_attr_splat(type, mlc_float_attr_get(w->f32, number)));
}

typedef MlcValue *(*Binary)(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs);

// x op number
static MlcValue *
with(Widener *w, Binary op, MlcValue *x, int64_t number)
{
    return op(&w->b, x, integer(w, x, number));
}

static MlcValue *
where(Widener *w, MlcValue *condition, MlcValue *lhs, MlcValue *rhs)
{
    return mlc_graph_where(&w->b, condition, lhs, rhs);
}

// ---- floats in a few bits: sign, exponent, mantissa, and no infinities

static int64_t
sign_bit(const MlcFloatInfo *info)
{
    return INT64_C(1) << (info->width - 1);
}

// The codes without an exponent are so many units; for the others the exponent's bias grows to
// f32's.
static MlcValue *
decode_number(Widener *w, MlcValue *code, const MlcFloatInfo *info)
{
    int64_t rest = INT64_C(1) << (23 - info->mantissa_bits), rebias = 127 - info->bias;
    MlcValue *magnitude = with(w, mlc_graph_bitwise_and, code, sign_bit(info) - 1);
    MlcValue *normal = with(w, mlc_graph_mul, magnitude, rest);
    normal = bits_as(w, with(w, mlc_graph_add, normal, rebias << 23), w->f32);
    double unit = ldexp(1, 1 - info->bias - (int)info->mantissa_bits);
    MlcValue *small = mlc_graph_mul(&w->b, cast(w, magnitude, w->f32), real(w, unit));
    MlcValue *is_small = with(w, mlc_graph_less, magnitude, INT64_C(1) << info->mantissa_bits);
    MlcValue *number = where(w, is_small, small, normal);
    MlcValue *is_negative = with(w, mlc_graph_greater_or_equal, code, sign_bit(info));
    return where(w, is_negative, mlc_graph_neg(&w->b, number), number);
}

// Rounded to nearest, ties to even, and held within the largest number, which NaN becomes too.
// Below the least number with an exponent, adding a number whose last bit is the unit rounds.
static MlcValue *
encode_number(Widener *w, MlcValue *x, const MlcFloatInfo *info)
{
    int64_t rest = 23 - (int64_t)info->mantissa_bits, rebias = 127 - info->bias;
    double unit = ldexp(1, 24 - info->bias - (int)info->mantissa_bits);
    MlcValue *bits = bits_as(w, x, w->i32);
    MlcValue *magnitude = with(w, mlc_graph_bitwise_and, bits, 0x7fffffff);
    MlcValue *even =
        with(w, mlc_graph_bitwise_and, with(w, mlc_graph_shift_right, magnitude, rest), 1);
    MlcValue *code = with(w, mlc_graph_add, mlc_graph_add(&w->b, magnitude, even),
                          (INT64_C(1) << (rest - 1)) - 1 - (rebias << 23));
    code = with(w, mlc_graph_shift_right, code, rest);
    MlcValue *small = mlc_graph_add(&w->b, mlc_graph_abs(&w->b, x), real(w, unit));
    MlcValue *origin = bits_as(w, real(w, unit), w->i32);
    small = mlc_graph_sub(&w->b, bits_as(w, small, w->i32), origin);
    MlcValue *is_small = with(w, mlc_graph_less, magnitude, (rebias + 1) << 23);
    code = with(w, mlc_graph_min, where(w, is_small, small, code), sign_bit(info) - 1);
    MlcValue *is_negative = with(w, mlc_graph_less, bits, 0);
    return where(w, is_negative, with(w, mlc_graph_add, code, sign_bit(info)), code);
}

// ---- powers of 2: the exponent of an f32, 0 being 2^-127 and 255 NaN

static MlcValue *
decode_power(Widener *w, MlcValue *code)
{
    MlcValue *bits = with(w, mlc_graph_mul, code, INT64_C(1) << 23);
    MlcValue *is_least = with(w, mlc_graph_equal, code, 0),
             *is_nan = with(w, mlc_graph_equal, code, 255);
    bits = where(w, is_least, integer(w, code, 0x400000), bits);
    bits = where(w, is_nan, integer(w, code, 0x7fc00000), bits);
    return bits_as(w, bits, w->f32);
}

// The nearest one, of the magnitude; the upper one of a tie.
static MlcValue *
encode_power(Widener *w, MlcValue *x)
{
    MlcValue *bits = bits_as(w, x, w->i32);
    MlcValue *magnitude = with(w, mlc_graph_bitwise_and, bits, 0x7fffffff);
    MlcValue *most = with(w, mlc_graph_min, magnitude, 0x7f800000);
    MlcValue *code = with(w, mlc_graph_shift_right, with(w, mlc_graph_add, most, 0x400000), 23);
    MlcValue *is_least = with(w, mlc_graph_less, magnitude, 0x600000);
    return where(w, is_least, integer(w, code, 0), code);
}

// ---- casts

static MlcValue *
decode(Widener *w, MlcValue *bytes, MlcType element)
{
    MlcValue *code = cast(w, bytes, w->i32);
    const MlcFloatInfo *info = mlc_float_info(mlc_float_type_kind(element));
    return info->specials == MLC_FLOAT_SPECIALS_POWERS ? decode_power(w, code)
                                                       : decode_number(w, code, info);
}

// Towards zero, and odd if that is not exact: rounding again to fewer bits is as if only once.
static MlcValue *
f64_to_odd_f32(Widener *w, MlcValue *x)
{
    MlcValue *nearest = cast(w, x, w->f32), *bits = bits_as(w, nearest, w->i32);
    MlcValue *back = mlc_graph_abs(&w->b, cast(w, nearest, w->f64)),
             *size = mlc_graph_abs(&w->b, x);
    MlcValue *below = with(w, mlc_graph_bitwise_or, with(w, mlc_graph_sub, bits, 1), 1);
    MlcValue *above = with(w, mlc_graph_bitwise_or, bits, 1);
    bits = where(w, mlc_graph_less(&w->b, size, back), below, bits);
    bits = where(w, mlc_graph_less(&w->b, back, size), above, bits);
    return bits_as(w, bits, w->f32);
}

static MlcValue *
encode(Widener *w, MlcValue *x, MlcType element)
{
    MlcType from = element_of(x);
    const MlcFloatInfo *info = mlc_float_info(mlc_float_type_kind(element));
    if (from == w->f64 || (mlc_type_is_int_or_index(from) && mlc_type_bit_width(from) > 24))
        x = f64_to_odd_f32(w, cast(w, x, w->f64));
    x = cast(w, x, w->f32);
    x = info->specials == MLC_FLOAT_SPECIALS_POWERS ? encode_power(w, x)
                                                    : encode_number(w, x, info);
    return cast(w, x, w->ui8);
}

// The low bits, with their sign.
static MlcValue *
wrap(Widener *w, MlcValue *bytes, MlcType element)
{
    int64_t sign = INT64_C(1) << (mlc_type_bit_width(element) - 1);
    bytes = with(w, mlc_graph_bitwise_and, bytes, 2 * sign - 1);
    if (is_unsigned(element))
        return bytes;
    return with(w, mlc_graph_sub, with(w, mlc_graph_bitwise_xor, bytes, sign), sign);
}

// `x`, widened already, whose elements were `from`, as what stands for `to`.
static MlcValue *
converted(Widener *w, MlcValue *x, MlcType from, MlcType to)
{
    if (is_coded_float(from))
        x = decode(w, x, from);
    if (is_coded_float(to))
        return encode(w, x, to);
    x = cast(w, x, byte_of(w, to));
    return is_small_integer(to) ? wrap(w, x, to) : x;
}

// The same bits: integers have theirs in the byte, under their sign.
static MlcValue *
recoded(Widener *w, MlcValue *x, MlcType to)
{
    if (is_small_integer(to))
        return wrap(w, cast(w, x, byte_of(w, to)), to);
    if (is_coded_float(to) && mlc_type_bit_width(to) < 8)
        return with(w, mlc_graph_bitwise_and, cast(w, x, w->ui8),
                    (1 << mlc_type_bit_width(to)) - 1);
    MlcType byte = byte_of(w, to);
    return element_of(x) == byte ? x : bits_as(w, x, byte);
}

// ---- the walk

typedef struct Widening {
    size_t count;
    unsigned mask, sign; // of the code
} Widening;

static void
widen_elements(void *to, const void *from, bool is_splat, const void *recipe)
{
    const Widening *r = recipe;
    for (size_t i = 0; i < r->count; i++) {
        unsigned code = ((const unsigned char *)from)[is_splat ? 0 : i] & r->mask;
        ((unsigned char *)to)[i] = (unsigned char)((code ^ r->sign) - r->sign);
    }
}

static MlcAttr
widened_constant(const Widener *w, MlcAttr old)
{
    MlcType type = widened(w, mlc_attr_type(old)), element = mlc_type_element(mlc_attr_type(old));
    bool is_signed = is_small_integer(element) && !is_unsigned(element);
    unsigned bits = mlc_type_bit_width(element);
    Widening recipe = {(size_t)mlc_type_num_elements(type), (1u << bits) - 1,
                       is_signed ? 1u << (bits - 1) : 0};
    return mlc_constant_remade(old, type, mlc_constant_key(old), widen_elements, &recipe,
                               sizeof recipe);
}

// What hands elements on as they are.
static bool
only_moves(MlcOp *op)
{
    return mlc_op_has_trait(op, MLC_TRAIT_MOVES_ELEMENTS) || mlc_op_num_regions(op) > 0 ||
           mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) || mlc_graph_cast_isa(op) ||
           mlc_graph_bitcast_isa(op) || mlc_graph_constant_isa(op) || mlc_graph_where_isa(op) ||
           mlc_op_interface(op, MLC_INTERFACE_CALL);
}

// The first of its elements that becomes a byte; NULL: none does.
static MlcType
small_element(const Widener *w, MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (widened(w, mlc_value_type(value)) != mlc_value_type(value))
            return element_of(value);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        if (widened(w, type) != type)
            return mlc_type_element(type);
    }
    return NULL;
}

static bool
check(const Widener *w, MlcOp *root)
{
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root) {
        MlcType element = op == root || only_moves(op) ? NULL : small_element(w, op);
        if (element)
            ok = mlc_op_unsupported(
                op, "computes on elements of type %s, which are only moved and cast",
                mlc_type_text(element));
    }
    return ok;
}

static void
retype(Widener *w, MlcValue *value)
{
    MlcType type = mlc_value_type(value), wide = widened(w, type);
    if (wide == type)
        return;
    mlc_map_set(&w->elements, value, mlc_type_element(type));
    mlc_value_set_type(value, wide);
}

static void
retype_values(Widener *w, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            retype(w, mlc_op_result(op, i));
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                retype(w, mlc_block_arg(block, i));
    }
}

// The elements that it had.
static MlcType
old_element(Widener *w, MlcValue *value)
{
    MlcType element = mlc_map_get(&w->elements, value);
    return element ? element : element_of(value);
}

static void
replace(Widener *w, MlcOp *op)
{
    MlcValue *result = mlc_op_num_results(op) == 1 ? mlc_op_result(op, 0) : NULL, *made;
    bool is_cast = result && mlc_graph_cast_isa(op);
    mlc_builder_before(&w->b, op);
    if (result && mlc_graph_constant_isa(op) && mlc_map_has(&w->elements, result)) {
        made = mlc_graph_constant(&w->b, widened_constant(w, mlc_graph_constant_value(op)));
    } else if (is_cast || (result && mlc_graph_bitcast_isa(op))) {
        MlcValue *x = mlc_op_operand(op, 0);
        if (!mlc_map_has(&w->elements, result) && !mlc_map_has(&w->elements, x))
            return;
        MlcType from = old_element(w, x), to = old_element(w, result);
        made = is_cast ? converted(w, x, from, to) : recoded(w, x, to);
    } else {
        return;
    }
    if (mlc_map_has(&w->elements, result)) // for the casts that read it
        mlc_map_set(&w->elements, made, mlc_map_get(&w->elements, result));
    mlc_op_replace(op, &made, 1);
    mlc_pass_count(w->pass, "widened", 1);
}

// ---- the function's type

// What the caller of the model sees keeps its type, beside the name.
static void
keep_types(Widener *w, MlcOp *func, size_t slot, const MlcType *types, size_t count)
{
    MlcContext *ctx = mlc_op_context(func);
    MlcAttr attrs = mlc_op_slot(func, slot);
    bool any = false,
         has_attrs = mlc_attr_is(attrs, MLC_ATTR_ARRAY) && mlc_array_attr_size(attrs) == count;
    MLC_VEC(MlcAttr) kept = {0};
    for (size_t i = 0; i < count; i++) {
        MlcAttr dict =
            has_attrs ? mlc_array_attr_element(attrs, i) : mlc_dict_attr_get(ctx, NULL, 0);
        bool is_small = widened(w, types[i]) != types[i];
        MlcAttr element = is_small ? mlc_type_attr_get(mlc_type_element(types[i])) : NULL;
        any |= is_small;
        mlc_vec_push(&kept,
                     is_small ? mlc_dict_attr_with(ctx, dict, mlc_str("mlc.type"), element) : dict);
    }
    if (any)
        mlc_op_set_slot(func, slot, mlc_array_attr_get(ctx, kept.data, kept.size));
    mlc_vec_release(&kept);
}

static void
retype_function(Widener *w, MlcOp *func)
{
    const MlcFunction *function = mlc_op_interface(func, MLC_INTERFACE_FUNCTION);
    if (!function)
        return;
    MlcType old = function->type(func);
    const MlcType *inputs = mlc_function_type_inputs(old),
                  *results = mlc_function_type_results(old);
    size_t num_inputs = mlc_function_type_num_inputs(old);
    size_t num_results = mlc_function_type_num_results(old);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&types, widened(w, inputs[i]));
    for (size_t i = 0; i < num_results; i++)
        mlc_vec_push(&types, widened(w, results[i]));
    MlcType type = mlc_function_type_get(mlc_op_context(func), types.data, num_inputs,
                                         types.data + num_inputs, num_results);
    mlc_vec_release(&types);
    if (type == old)
        return;
    keep_types(w, func, function->arg_attrs_slot, inputs, num_inputs);
    keep_types(w, func, function->res_attrs_slot, results, num_results);
    mlc_op_set_slot(func, function->type_slot, mlc_type_attr_get(type));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcContext *ctx = mlc_pass_context(pass);
    Widener w = {.pass = pass,
                 .i8 = mlc_integer_type_get(ctx, 8, MLC_SIGNLESS),
                 .ui8 = mlc_integer_type_get(ctx, 8, MLC_UNSIGNED),
                 .i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS),
                 .f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32),
                 .f64 = mlc_float_type_get(ctx, MLC_FLOAT_F64)};
    if (!check(&w, root))
        return false;
    mlc_builder_init(&w.b, ctx);
    mlc_map_init(&w.elements);
    retype_values(&w, root);
    MLC_FOR_EACH_POSTORDER (op, root)
        if (op != root)
            replace(&w, op);
    retype_function(&w, root);
    mlc_map_release(&w.elements);
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_widen_to_bytes, .flag = "graph-widen-to-bytes",
         .summary = "Keep elements of less than a byte, and bare exponents, in bytes",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
