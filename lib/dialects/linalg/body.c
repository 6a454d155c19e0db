// body.c -- scalar bodies: formulas whose parts become ops as they are read.
//
// Numbers and attributes have no type of their own: they stay numbers until they meet a value, and
// take its type. Nothing else is converted silently; `cast` is the only conversion. Bodies may come
// from a user's YAML, so every fault is reported with its place in the text.
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/math.h"

#include "mlc/ir.h"
#include "mlc/support/formula.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef MlcFormulaTerm Term; // its value: an MlcValue

typedef struct Reader {
    MlcBuilder *b;
    const MlcBody *body;
    MlcFormula formula; // its locals: results of earlier statements
    struct {
        MlcType type;
        double number;
        MlcValue *value;
    } constants[16];
    size_t num_constants;
} Reader;

MLC_PRINTF(2, 3)
static bool
fail(Reader *r, const char *format, ...)
{
    if (r->body->is_silent)
        return false;
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return mlc_error(r->b->ctx, r->b->loc, "in body \"%s\", at column %zu: %s", r->body->text,
                     (size_t)(r->formula.at - r->body->text) + 1, text);
}

// ---- making ops

static MlcValue *
make(Reader *r, const char *op, MlcType type, MlcValue *const *operands, size_t n)
{
    MlcValue *value = mlc_build_value(r->b, op, type, operands, n);
    bool has_flags =
        mlc_op_def_attr_slot(mlc_op_def(mlc_value_def(value)), mlc_str("fastmath")) >= 0;
    if (r->body->fastmath && has_flags)
        mlc_op_set_attr(mlc_value_def(value), "fastmath", r->body->fastmath);
    return value;
}

// Integers without a sign are told by their type alone: as signless numbers they are in the IR only
// after a lowering that knows what they were (graph-to-linalg).
static bool
is_unsigned(MlcType type)
{
    MlcType element = mlc_type_element(type);
    return mlc_type_is(element, MLC_TYPE_INTEGER) &&
           mlc_integer_type_signedness(element) == MLC_UNSIGNED;
}

// The bits of the nearest number of an unsigned type.
static int64_t
nearest_unsigned(double number, MlcType type)
{
    unsigned bits = mlc_type_bit_width(type) < 64 ? mlc_type_bit_width(type) : 64;
    if (!(number > 0))
        return 0;
    return (int64_t)(number >= ldexp(1, (int)bits) ? UINT64_MAX >> (64 - bits) : (uint64_t)number);
}

// What of the type's numbers is nearest: a bound of infinity is its largest. One bit is 0 or 1.
static int64_t
nearest_integer(double number, MlcType type)
{
    if (is_unsigned(type))
        return nearest_unsigned(number, type);
    unsigned width = mlc_type_is(type, MLC_TYPE_INTEGER) ? mlc_type_bit_width(type) : 64;
    unsigned bits = width == 1 ? 2 : width < 64 ? width : 64; // with a sign
    double end = ldexp(1, (int)bits - 1);
    if (number >= end)
        return INT64_MAX >> (64 - bits);
    if (number < -end)
        return INT64_MIN >> (64 - bits);
    return isnan(number) ? 0 : (int64_t)number;
}

// A number as a value of `type`: one constant for all its uses.
static MlcValue *
as_value(Reader *r, Term term, MlcType type)
{
    if (term.value)
        return term.value;
    for (size_t i = 0; i < r->num_constants; i++)
        if (r->constants[i].type == type &&
            memcmp(&r->constants[i].number, &term.number, sizeof term.number) == 0)
            return r->constants[i].value;
    MlcBuilder *b = r->body->constants ? r->body->constants : r->b;
    MlcType element = mlc_type_element(type);
    MlcAttr number = mlc_type_is_float(element)
                         ? mlc_float_attr_get(element, term.number)
                         : mlc_integer_attr_get(element, nearest_integer(term.number, element));
    MlcValue *value =
        mlc_build_constant(b, element == type ? number : mlc_dense_attr_splat(type, number));
    if (r->num_constants < sizeof r->constants / sizeof *r->constants) {
        r->constants[r->num_constants].type = type;
        r->constants[r->num_constants].number = term.number;
        r->constants[r->num_constants++].value = value;
    }
    return value;
}

static bool
holds_floats(MlcType type)
{
    return mlc_type_is_float(mlc_type_element(type));
}

static MlcType
type_of(Reader *r, Term a, Term b)
{
    if (a.value)
        return mlc_value_type(a.value);
    return b.value ? mlc_value_type(b.value) : r->body->element;
}

static bool
same_type(Reader *r, Term a, Term b)
{
    if (r->body->is_verified || !a.value || !b.value ||
        mlc_value_type(a.value) == mlc_value_type(b.value))
        return true;
    return fail(r, "operands have types %s and %s: use cast()",
                mlc_type_text(mlc_value_type(a.value)), mlc_type_text(mlc_value_type(b.value)));
}

static double
fold_numbers(MlcFormulaOp op, double a, double b)
{
    switch (op) {
    case MLC_FORMULA_ADD:
        return a + b;
    case MLC_FORMULA_SUBTRACT:
        return a - b;
    case MLC_FORMULA_MULTIPLY:
        return a * b;
    default:
        return b != 0 ? a / b : 0;
    }
}

static bool
make_plain_arithmetic(Reader *r, MlcFormulaOp op, Term a, Term b, Term *out)
{
    static const struct {
        const char *on_floats, *on_ints, *on_unsigned;
    } table[] = {[MLC_FORMULA_ADD] = {"arith.addf", "arith.addi", "arith.addi"},
                 [MLC_FORMULA_SUBTRACT] = {"arith.subf", "arith.subi", "arith.subi"},
                 [MLC_FORMULA_MULTIPLY] = {"arith.mulf", "arith.muli", "arith.muli"},
                 [MLC_FORMULA_DIVIDE] = {"arith.divf", "arith.divsi", "arith.divui"}};
    if (!a.value && !b.value) {
        *out = (Term){.number = fold_numbers(op, a.number, b.number)};
        return true;
    }
    if (!same_type(r, a, b))
        return false;
    MlcType type = type_of(r, a, b);
    MlcValue *operands[] = {as_value(r, a, type), as_value(r, b, type)};
    const char *name = holds_floats(type)  ? table[op].on_floats
                       : is_unsigned(type) ? table[op].on_unsigned
                                           : table[op].on_ints;
    out->value = make(r, name, type, operands, 2);
    return true;
}

// Values of arith.cmpf's and arith.cmpi's predicates.
static const struct {
    int64_t on_floats, on_ints, on_unsigned;
} predicates[] = {
    [MLC_FORMULA_AT_MOST] = {5, 3, 7}, [MLC_FORMULA_AT_LEAST] = {3, 5, 9},
    [MLC_FORMULA_EQUAL] = {1, 0, 0},   [MLC_FORMULA_DIFFERENT] = {13, 1, 1},
    [MLC_FORMULA_LESS] = {4, 2, 6},    [MLC_FORMULA_GREATER] = {2, 4, 8},
};

static bool
make_comparison(Reader *r, MlcFormulaOp op, Term a, Term b, Term *out)
{
    if (!same_type(r, a, b))
        return false;
    MlcType type = type_of(r, a, b);
    MlcValue *lhs = as_value(r, a, type), *rhs = as_value(r, b, type);
    int64_t predicate = holds_floats(type)  ? predicates[op].on_floats
                        : is_unsigned(type) ? predicates[op].on_unsigned
                                            : predicates[op].on_ints;
    out->value = mlc_build_compare(r->b, predicate, lhs, rhs);
    return true;
}

// The least integer by -1 is the least integer again, which divsi leaves undefined.
static bool
make_wrapping_division(Reader *r, Term a, Term b, Term *out)
{
    Term is_one_less = {0}, negative = {0}, divisor = {0}, quotient = {0};
    MlcType type = type_of(r, a, b);
    if (!same_type(r, a, b) ||
        !make_comparison(r, MLC_FORMULA_EQUAL, b, (Term){.number = -1}, &is_one_less))
        return false;
    MlcValue *one = as_value(r, (Term){.number = 1}, type);
    divisor.value = mlc_build_select(r->b, is_one_less.value, one, as_value(r, b, type));
    if (!make_plain_arithmetic(r, MLC_FORMULA_SUBTRACT, (Term){0}, a, &negative) ||
        !make_plain_arithmetic(r, MLC_FORMULA_DIVIDE, a, divisor, &quotient))
        return false;
    out->value = mlc_build_select(r->b, is_one_less.value, negative.value, quotient.value);
    return true;
}

static bool
make_arithmetic(Reader *r, MlcFormulaOp op, Term a, Term b, Term *out)
{
    int64_t by = (int64_t)b.number;
    bool is_known = !b.value || mlc_value_constant_int(b.value, &by);
    bool may_overflow = r->body->is_total && op == MLC_FORMULA_DIVIDE && (a.value || b.value) &&
                        !holds_floats(type_of(r, a, b)) && !is_unsigned(type_of(r, a, b)) &&
                        !(is_known && by != -1);
    return may_overflow ? make_wrapping_division(r, a, b, out)
                        : make_plain_arithmetic(r, op, a, b, out);
}

static MlcValue *
make_is_not_zero(Reader *r, MlcValue *value)
{
    Term out = {0}, a = {.value = value}, zero = {0};
    bool ok = make_comparison(r, MLC_FORMULA_DIFFERENT, a, zero, &out);
    (void)ok; // a number fits any type
    return out.value;
}

// From and to elements.
static const char *
conversion_op(MlcType from, MlcType to, bool zero_extends)
{
    bool from_float = mlc_type_is_float(from), to_float = mlc_type_is_float(to);
    unsigned a = mlc_type_bit_width(from), b = mlc_type_bit_width(to);
    zero_extends |= !from_float && (a == 1 || is_unsigned(from)); // true is 1
    if (from_float && to_float)
        return a < b ? "arith.extf" : "arith.truncf";
    if (from_float)
        return zero_extends ? "arith.fptoui" : "arith.fptosi";
    if (to_float)
        return zero_extends ? "arith.uitofp" : "arith.sitofp";
    if (a == b) // with a sign and without
        return "arith.bitcast";
    return a > b ? "arith.trunci" : zero_extends ? "arith.extui" : "arith.extsi";
}

// `element`, or as many of it as `type` has elements.
static MlcType
like(MlcType type, MlcType element)
{
    return mlc_type_is_shaped(type) ? mlc_type_with_element(type, element) : element;
}

// Of x from 2^63 on what is left of it, and the bit that it lacks then: else 0.
static bool
take_top_bit(Reader *r, MlcType wide, Term *x, MlcValue **bit)
{
    Term is_large = {0}, rest = {0}, size = {.number = 0x1p63};
    if (!make_comparison(r, MLC_FORMULA_AT_LEAST, *x, size, &is_large) ||
        !make_plain_arithmetic(r, MLC_FORMULA_SUBTRACT, *x, size, &rest))
        return false;
    x->value = mlc_build_select(r->b, is_large.value, rest.value, x->value);
    *bit = mlc_build_select(r->b, is_large.value, as_value(r, (Term){.number = -0x1p63}, wide),
                            as_value(r, (Term){0}, wide));
    return true;
}

// The number that `value` is where it does not compare with it by `predicate`; else `*other`.
// False: it is no such choice.
static bool
is_held_by(MlcValue *value, int64_t predicate, MlcValue **other, double *number)
{
    MlcOp *select = mlc_value_def(value);
    MlcOp *compare = mlc_arith_select_isa(select) ? mlc_value_def(mlc_op_operand(select, 0)) : NULL;
    if (!mlc_arith_cmpf_isa(compare) || mlc_arith_cmpf_predicate(compare) != predicate)
        return false;
    MlcValue *bound = mlc_op_operand(select, 2);
    MlcAttr constant = mlc_value_constant(bound);
    *other = mlc_op_operand(select, 1);
    if (mlc_op_operand(compare, 0) != *other || mlc_op_operand(compare, 1) != bound || !constant ||
        !mlc_attr_is(constant, MLC_ATTR_FLOAT))
        return false;
    *number = mlc_float_attr_as_double(constant);
    return true;
}

// select(held < high, held, high), held = select(x > low, x, low), of bounds that i32 has: never
// NaN.
static bool
is_held(MlcValue *value)
{
    MlcValue *held, *x;
    double high, low;
    return is_held_by(value, MLC_ARITH_CMPF_PREDICATE_OLT, &held, &high) &&
           is_held_by(held, MLC_ARITH_CMPF_PREDICATE_OGT, &x, &low) && low >= -0x1p31 &&
           low <= high && high < 0x1p31;
}

// To an integer type from floats that it does not hold, and from NaN, what x86 converts them to:
// the least of 32 or 64 bits, of which narrower types take the low bits.
static bool
make_total_cast(Reader *r, Term a, MlcType to, Term *out)
{
    MlcContext *ctx = r->b->ctx;
    MlcType type = mlc_value_type(a.value);
    unsigned width = mlc_type_bit_width(to);
    bool is_wide = width > 32 || (width == 32 && mlc_integer_type_signedness(to) == MLC_UNSIGNED);
    MlcType wide = like(type, mlc_integer_type_get(ctx, is_wide ? 64 : 32, MLC_SIGNLESS));
    MlcType f32 = like(type, mlc_float_type_get(ctx, MLC_FLOAT_F32));
    Term x = a, size = {0}, fits = {0};
    if (is_held(a.value)) {
        out->value = mlc_arith_fptosi(r->b, wide, a.value);
        if (mlc_type_bit_width(mlc_type_element(wide)) > width)
            out->value = mlc_arith_trunci(r->b, like(type, to), out->value);
        return true;
    }
    if (mlc_type_bit_width(mlc_type_element(type)) < 32) // which do not hold the bound
        x.value = mlc_arith_extf(r->b, f32, a.value);
    double bound = is_wide ? 0x1p63 : 0x1p31;
    MlcValue *top = NULL;
    if (width == 64 && is_unsigned(to) && !take_top_bit(r, wide, &x, &top))
        return false;
    size.value = mlc_math_absf(r->b, x.value);
    if (!make_comparison(r, MLC_FORMULA_LESS, size, (Term){.number = bound}, &fits))
        return false;
    MlcValue *whole = mlc_arith_fptosi(r->b, wide, x.value);
    MlcValue *least = as_value(r, (Term){.number = -bound}, wide);
    out->value = mlc_build_select(r->b, fits.value, whole, least);
    if (top)
        out->value = mlc_arith_addi(r->b, out->value, top);
    if (mlc_type_bit_width(mlc_type_element(wide)) > width)
        out->value = mlc_arith_trunci(r->b, like(type, to), out->value);
    return true;
}

static bool
make_cast(Reader *r, Term a, bool zero_extends, Term *out)
{
    MlcType to = mlc_type_element(r->body->element);
    *out = a;
    if (!a.value || mlc_type_element(mlc_value_type(a.value)) == to)
        return true;
    MlcType type = mlc_value_type(a.value), from = mlc_type_element(type);
    bool numbers = (mlc_type_is_float(from) || mlc_type_is(from, MLC_TYPE_INTEGER)) &&
                   (mlc_type_is_float(to) || mlc_type_is(to, MLC_TYPE_INTEGER));
    if (!numbers)
        return fail(r, "cannot cast %s to %s", mlc_type_text(from), mlc_type_text(to));
    if (mlc_type_is_integer(to, 1)) {
        out->value = make_is_not_zero(r, a.value);
        return true;
    }
    if (r->body->is_total && mlc_type_is_float(from) && !mlc_type_is_float(to) &&
        mlc_type_bit_width(to) <= 64)
        return make_total_cast(r, a, to, out);
    if (mlc_type_is_float(from) && mlc_type_is_float(to) &&
        mlc_type_bit_width(from) == mlc_type_bit_width(to)) { // f16 and bf16: by way of f32
        MlcType f32 = like(type, mlc_float_type_get(r->b->ctx, MLC_FLOAT_F32));
        MlcValue *wide = mlc_arith_extf(r->b, f32, a.value);
        out->value = mlc_arith_truncf(r->b, like(type, to), wide);
        return true;
    }
    out->value = mlc_build_value(r->b, conversion_op(from, to, zero_extends), like(type, to),
                                 (MlcValue *[]){a.value}, 1);
    return true;
}

// ---- functions

typedef struct Function {
    const char *name;
    uint8_t num_args;
    const char *on_floats, *on_ints; // NULL: not for these
} Function;

static const Function functions[] = {
    {"abs", 1, "math.absf", "math.absi"},
    {"and", 2, NULL, "arith.andi"},
    {"atan", 1, "math.atan", NULL},
    {"ceil", 1, "math.ceil", NULL},
    {"cos", 1, "math.cos", NULL},
    {"erf", 1, "math.erf", NULL},
    {"exp", 1, "math.exp", NULL},
    {"expm1", 1, "math.expm1", NULL},
    {"floor", 1, "math.floor", NULL},
    {"log", 1, "math.log", NULL},
    {"log1p", 1, "math.log1p", NULL},
    {"max", 2, "arith.maximumf", "arith.maxsi"},
    {"min", 2, "arith.minimumf", "arith.minsi"},
    {"or", 2, NULL, "arith.ori"},
    {"remainder", 2, "arith.remf", NULL},
    {"unsigned_div", 2, NULL, "arith.divui"},
    {"unsigned_max", 2, "arith.maximumf", "arith.maxui"},
    {"unsigned_min", 2, "arith.minimumf", "arith.minui"},
    {"pow", 2, "math.powf", "math.ipowi"},
    {"round", 1, "math.round", NULL},
    {"round_even", 1, "math.roundeven", NULL},
    {"rsqrt", 1, "math.rsqrt", NULL},
    {"sin", 1, "math.sin", NULL},
    {"sqrt", 1, "math.sqrt", NULL},
    {"tanh", 1, "math.tanh", NULL},
    {"xor", 2, NULL, "arith.xori"},
};

static bool
make_call(Reader *r, const Function *f, const Term *args, Term *out)
{
    Term second = f->num_args > 1 ? args[1] : (Term){0};
    MlcType type = type_of(r, args[0], second);
    const char *op = holds_floats(type) ? f->on_floats : f->on_ints;
    if (is_unsigned(type) && (!strcmp(f->name, "max") || !strcmp(f->name, "min")))
        op = f->name[1] == 'a' ? "arith.maxui" : "arith.minui";
    bool is_itself = (!op && f->num_args == 1 && !holds_floats(type) && // integers are whole
                      (!strcmp(f->name, "ceil") || !strcmp(f->name, "floor"))) ||
                     (is_unsigned(type) && !strcmp(f->name, "abs"));
    if (is_itself) {
        *out = args[0];
        return true;
    }
    if (!op && r->body->is_verified)
        op = f->on_floats ? f->on_floats : f->on_ints;
    if (!op)
        return fail(r, "%s() is not for %s", f->name, mlc_type_text(type));
    if (f->num_args > 1 && !same_type(r, args[0], second))
        return false;
    MlcValue *operands[] = {as_value(r, args[0], type),
                            f->num_args > 1 ? as_value(r, second, type) : NULL};
    out->value = make(r, op, type, operands, f->num_args);
    return true;
}

static bool
make_negative(Reader *r, Term a, Term *out)
{
    if (!a.value) {
        out->number = -a.number;
        return true;
    }
    MlcType type = mlc_value_type(a.value);
    if (!holds_floats(type))
        return make_arithmetic(r, MLC_FORMULA_SUBTRACT, (Term){0}, a, out);
    out->value = make(r, "arith.negf", type, (MlcValue *[]){a.value}, 1);
    return true;
}

static bool
make_select(Reader *r, const Term *args, Term *out)
{
    if (!args[0].value ||
        (!r->body->is_verified &&
         !mlc_type_is_integer(mlc_type_element(mlc_value_type(args[0].value)), 1)))
        return fail(r, "select() needs a comparison first");
    if (!same_type(r, args[1], args[2]))
        return false;
    MlcType type = type_of(r, args[1], args[2]);
    MlcValue *yes = as_value(r, args[1], type), *no = as_value(r, args[2], type);
    out->value = mlc_build_select(r->b, args[0].value, yes, no);
    return true;
}

// By as many places as there are bits or more, or by less than none, nothing is left but the sign
// of `shrsi`: the ops themselves leave it open.
static bool
make_shift(Reader *r, const char *op, Term a, Term b, Term *out)
{
    MlcType type = type_of(r, a, b);
    if (!same_type(r, a, b))
        return false;
    if (r->body->is_verified) {
        out->value =
            make(r, op, type, (MlcValue *[]){as_value(r, a, type), as_value(r, b, type)}, 2);
        return true;
    }
    if (!mlc_type_is(mlc_type_element(type), MLC_TYPE_INTEGER))
        return fail(r, "no bits of %s are moved", mlc_type_text(type));
    unsigned width = mlc_type_bit_width(mlc_type_element(type));
    if (is_unsigned(type) && !strcmp(op, "arith.shrsi"))
        op = "arith.shrui";
    Term is_low = {0}, is_negative = {0};
    Term zero = {.value = as_value(r, (Term){0}, type)};
    if (!make_comparison(r, MLC_FORMULA_LESS, b, (Term){.number = width}, &is_low) ||
        !make_comparison(r, MLC_FORMULA_LESS, b, zero, &is_negative))
        return false;
    MlcValue *by = mlc_build_select(r->b, is_negative.value, zero.value, as_value(r, b, type));
    by = mlc_build_select(r->b, is_low.value, by, zero.value);
    MlcValue *value = as_value(r, a, type), *rest = zero.value;
    if (!strcmp(op, "arith.shrsi")) {
        MlcValue *all = as_value(r, (Term){.number = width - 1}, type);
        rest = make(r, op, type, (MlcValue *[]){value, all}, 2);
    }
    MlcValue *moved = make(r, op, type, (MlcValue *[]){value, by}, 2);
    moved = mlc_build_select(r->b, is_negative.value, rest, moved);
    out->value = mlc_build_select(r->b, is_low.value, moved, rest);
    return true;
}

static bool
make_bitcast(Reader *r, Term a, Term *out)
{
    MlcType to = mlc_type_element(r->body->element);
    MlcType from = a.value ? mlc_type_element(mlc_value_type(a.value)) : to;
    *out = a;
    if (from == to)
        return true;
    if (mlc_type_bit_width(from) != mlc_type_bit_width(to))
        return fail(r, "the bits of %s are not as many as those of %s", mlc_type_text(from),
                    mlc_type_text(to));
    out->value = mlc_arith_bitcast(r->b, like(mlc_value_type(a.value), to), a.value);
    return true;
}

static bool
make_function(MlcFormula *f, MlcStr name, const Term *args, size_t n, Term *out)
{
    Reader *r = f->user;
    if (mlc_str_equal(name, mlc_str("select")) && n == 3)
        return make_select(r, args, out);
    if (mlc_str_equal(name, mlc_str("cast")) && n == 1)
        return make_cast(r, args[0], false, out);
    if (mlc_str_equal(name, mlc_str("unsigned_cast")) && n == 1)
        return make_cast(r, args[0], true, out);
    if (mlc_str_equal(name, mlc_str("neg")) && n == 1)
        return make_negative(r, args[0], out);
    if (mlc_str_equal(name, mlc_str("bits")) && n == 1)
        return make_bitcast(r, args[0], out);
    if (mlc_str_equal(name, mlc_str("shift_left")) && n == 2)
        return make_shift(r, "arith.shli", args[0], args[1], out);
    if (mlc_str_equal(name, mlc_str("shift_right")) && n == 2)
        return make_shift(r, "arith.shrsi", args[0], args[1], out);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (mlc_str_equal(name, mlc_str(functions[i].name)) && n == functions[i].num_args)
            return make_call(r, &functions[i], args, out);
    return fail(r, "no function %.*s() of %zu arguments", MLC_STR_FMT(name), n);
}

// ---- reading

static bool
find_name(MlcFormula *f, MlcStr name, Term *out)
{
    Reader *r = f->user;
    const MlcBody *body = r->body;
    for (size_t i = 0; i < body->num_values; i++)
        if (mlc_str_equal(name, mlc_str(body->names[i]))) {
            *out = (Term){.value = body->values[i]};
            return true;
        }
    if (mlc_formula_find(f, name, out))
        return true;
    MlcAttr attr = body->attrs ? mlc_op_attr_str(body->attrs, name) : NULL;
    int64_t integer;
    if (mlc_attr_is(attr, MLC_ATTR_FLOAT))
        *out = (Term){.number = mlc_float_attr_as_double(attr)};
    else if (attr && mlc_attr_try_as_int(attr, &integer))
        *out = (Term){.number = (double)integer};
    else if (body->attrs_of && mlc_op_def_attr_slot(body->attrs_of, name) >= 0)
        *out = (Term){.number = 1};
    else
        return fail(r, "'%.*s' is no operand and no number attribute", MLC_STR_FMT(name));
    return true;
}

static bool
make_index(MlcFormula *f, MlcStr dim, Term *out)
{
    Reader *r = f->user;
    out->value = r->body->index ? r->body->index(r->b, dim, r->body->user) : NULL;
    if (!out->value)
        return fail(r, "index() is not known here");
    MlcType from = mlc_value_type(out->value), to = r->body->element;
    if (from != to && !mlc_type_is(to, MLC_TYPE_INDEX)) { // index has no width: by way of i64
        MlcType i64 = mlc_integer_type_get(r->b->ctx, 64, MLC_SIGNLESS);
        out->value = mlc_arith_index_cast(r->b, i64, out->value);
        return make_cast(r, *out, false, out);
    }
    return true;
}

static bool
make_operator(MlcFormula *f, MlcFormulaOp op, const Term *operands, Term *out)
{
    if (op == MLC_FORMULA_NEGATE)
        return make_negative(f->user, operands[0], out);
    return (op < MLC_FORMULA_AT_MOST ? make_arithmetic : make_comparison)(f->user, op, operands[0],
                                                                          operands[1], out);
}

static void
fail_text(MlcFormula *f, const char *message)
{
    fail(f->user, "%s", message);
}

static const MlcFormulaMaker maker = {.name = find_name,
                                      .call = make_function,
                                      .apply = make_operator,
                                      .report = fail_text,
                                      .quoting = "index",
                                      .quote = make_index};

size_t
mlc_body_build(MlcBuilder *b, const MlcBody *body, MlcValue **results, size_t max_results)
{
    Reader r = {.b = b, .body = body, .formula = {.maker = &maker, .at = body->text}};
    size_t n = 0;
    r.formula.user = &r;
    do {
        MlcStr name;
        Term term;
        if (!mlc_formula_read(&r.formula, &name, &term))
            return 0;
        term.value = as_value(&r, term, body->element);
        if (name.size && !mlc_formula_define(&r.formula, name, term))
            return 0;
        if (n == max_results) // an earlier one was only a name for later ones
            memmove(results, results + 1, --n * sizeof *results);
        results[n++] = term.value;
    } while (!mlc_formula_is_at_end(&r.formula));
    return n;
}

MlcAttr
mlc_fastmath_contract(MlcContext *ctx)
{
    const MlcAttrDef *def = mlc_context_attr(ctx, mlc_str("arith.fastmath"));
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (!strcmp(def->cases[i].name, "contract"))
            return mlc_enum_attr_get(ctx, def, def->cases[i].value);
    return NULL;
}
