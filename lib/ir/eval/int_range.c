// int_range.c -- ranges of integers, and what follows from them for a result.
//
// Bounds are computed at the corners in 128 bits, where nothing of 64 bits overflows but one
// product, and must fit the width; where they do not, nothing is known (or the end of the width, if
// flags say that there is no overflow). Both readings, unsigned and signed, are computed and each
// narrows the other.
#include "mlc/ir/int_range.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/type.h"

__extension__ typedef __int128 Big;

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

// --- making ranges

static uint64_t
mask(unsigned width)
{
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static int64_t
sign_extend(uint64_t bits, unsigned width)
{
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

static int64_t
signed_max(unsigned width)
{
    return (int64_t)(mask(width) >> 1);
}

static int64_t
signed_min(unsigned width)
{
    return -signed_max(width) - 1;
}

MlcRange
mlc_range_all(unsigned width)
{
    if (width == 0 || width > 64)
        return (MlcRange){0};
    return (MlcRange){width, 0, mask(width), signed_min(width), signed_max(width)};
}

MlcRange
mlc_range_of_type(MlcType type)
{
    MlcTypeKind kind = mlc_type_kind(type);
    if (kind == MLC_TYPE_VECTOR || kind == MLC_TYPE_TENSOR || kind == MLC_TYPE_UNRANKED_TENSOR)
        type = mlc_type_element(type);
    return mlc_range_all(mlc_type_is_int_or_index(type) ? mlc_type_bit_width(type) : 0);
}

MlcRange
mlc_range_unsigned(unsigned width, uint64_t min, uint64_t max)
{
    MlcRange r = mlc_range_all(width);
    if (width == 0)
        return r;
    r.umin = min;
    r.umax = max;
    int64_t low = sign_extend(min, width), high = sign_extend(max, width);
    if ((low < 0) == (high < 0)) {
        r.smin = low;
        r.smax = high;
    }
    return r;
}

MlcRange
mlc_range_signed(unsigned width, int64_t min, int64_t max)
{
    MlcRange r = mlc_range_all(width);
    if (width == 0)
        return r;
    r.smin = min;
    r.smax = max;
    if ((min < 0) == (max < 0)) {
        r.umin = (uint64_t)min & mask(width);
        r.umax = (uint64_t)max & mask(width);
    }
    return r;
}

static MlcRange
of_integer(MlcAttr value)
{
    MlcWide wide = mlc_attr_wide(value);
    return wide.width == 0 || wide.width > 64
               ? (MlcRange){0}
               : mlc_range_unsigned(wide.width, wide.word, wide.word);
}

// Elements are looked at up to this many.
enum { MAX_ELEMENTS = 1024 };

MlcRange
mlc_range_of_constant(MlcAttr value)
{
    if (mlc_attr_is(value, MLC_ATTR_INTEGER))
        return of_integer(value);
    if (!mlc_attr_is(value, MLC_ATTR_DENSE))
        return (MlcRange){0};
    MlcType type = mlc_attr_type(value);
    MlcRange all = mlc_range_of_type(type);
    int64_t count = mlc_elements_attr_is_splat(value) ? 1 : mlc_type_num_elements(type);
    if (all.width == 0 || count < 1 || count > MAX_ELEMENTS)
        return all;
    MlcRange r = of_integer(mlc_elements_attr_element(value, 0));
    for (int64_t i = 1; i < count; i++)
        r = mlc_range_union(r, of_integer(mlc_elements_attr_element(value, (size_t)i)));
    return r;
}

MlcAttr
mlc_range_constant(MlcType type, int64_t value)
{
    if (!mlc_type_is_shaped(type))
        return mlc_integer_attr_get(type, value);
    if (!mlc_type_has_static_shape(type))
        return NULL;
    return mlc_dense_attr_splat(type, mlc_integer_attr_get(mlc_type_element(type), value));
}

bool
mlc_range_equal(MlcRange a, MlcRange b)
{
    return a.width == b.width && a.umin == b.umin && a.umax == b.umax && a.smin == b.smin &&
           a.smax == b.smax;
}

bool
mlc_range_is_one(MlcRange a, int64_t *value)
{
    if (a.width == 0 || (a.umin != a.umax && a.smin != a.smax))
        return false;
    *value = a.umin == a.umax ? sign_extend(a.umin, a.width) : a.smin;
    return true;
}

MlcRange
mlc_range_union(MlcRange a, MlcRange b)
{
    if (a.width != b.width)
        return (MlcRange){0};
    a.umin = MIN(a.umin, b.umin);
    a.umax = MAX(a.umax, b.umax);
    a.smin = MIN(a.smin, b.smin);
    a.smax = MAX(a.smax, b.smax);
    return a;
}

MlcRange
mlc_range_intersection(MlcRange a, MlcRange b)
{
    a.umin = MAX(a.umin, b.umin);
    a.umax = MIN(a.umax, b.umax);
    a.smin = MAX(a.smin, b.smin);
    a.smax = MIN(a.smax, b.smax);
    return a;
}

// --- results at corners

// A result of two numbers; false if there is none.
typedef bool (*Exact)(Big a, Big b, unsigned width, Big *out);

// One reading of the operands' ranges.
typedef struct Reading {
    unsigned width;
    bool is_signed, saturates;
    Big min, max; // of the width
} Reading;

static Reading
reading(unsigned width, bool is_signed, bool saturates)
{
    return (Reading){width, is_signed, saturates, is_signed ? (Big)signed_min(width) : 0,
                     is_signed ? (Big)signed_max(width) : (Big)mask(width)};
}

static bool
compute(Reading r, Exact fn, Big a, Big b, Big *out)
{
    if (!fn(a, b, r.width, out))
        return false;
    if (*out >= r.min && *out <= r.max)
        return true;
    if (r.saturates)
        *out = *out < r.min ? r.min : r.max;
    return r.saturates;
}

static MlcRange
range_of(Reading r, Big min, Big max)
{
    return r.is_signed ? mlc_range_signed(r.width, (int64_t)min, (int64_t)max)
                       : mlc_range_unsigned(r.width, (uint64_t)min, (uint64_t)max);
}

// fn is monotone in both operands: its least result is of (a0, b0), its largest of (a1, b1).
static MlcRange
between(Reading r, Exact fn, Big a0, Big b0, Big a1, Big b1)
{
    Big min, max;
    if (!compute(r, fn, a0, b0, &min) || !compute(r, fn, a1, b1, &max))
        return mlc_range_all(r.width);
    return range_of(r, min, max);
}

// The extremes are among the four corners.
static MlcRange
corners(Reading r, Exact fn, const Big a[2], const Big b[2])
{
    Big min = r.max, max = r.min;
    for (int i = 0; i < 4; i++) {
        Big x;
        if (!compute(r, fn, a[i / 2], b[i % 2], &x))
            return mlc_range_all(r.width);
        min = MIN(min, x);
        max = MAX(max, x);
    }
    return range_of(r, min, max);
}

static MlcRange
corners_unsigned(Exact fn, MlcRange a, MlcRange b, bool saturates)
{
    return corners(reading(a.width, false, saturates), fn, (Big[]){(Big)a.umin, (Big)a.umax},
                   (Big[]){(Big)b.umin, (Big)b.umax});
}

static MlcRange
corners_signed(Exact fn, MlcRange a, MlcRange b, bool saturates)
{
    return corners(reading(a.width, true, saturates), fn, (Big[]){a.smin, a.smax},
                   (Big[]){b.smin, b.smax});
}

// --- sums and products

static bool
exact_add(Big a, Big b, unsigned width, Big *out)
{
    (void)width;
    *out = a + b;
    return true;
}

static bool
exact_sub(Big a, Big b, unsigned width, Big *out)
{
    (void)width;
    *out = a - b;
    return true;
}

static bool
exact_mul(Big a, Big b, unsigned width, Big *out)
{
    (void)width;
    if (__builtin_mul_overflow(a, b, out)) // both unsigned and about 2^64
        *out = (Big)UINT64_MAX + 1;
    return true;
}

static bool
exact_shl(Big a, Big b, unsigned width, Big *out)
{
    // By the width or more it is poison: no bound but the width's.
    *out = b < width ? a * ((Big)1 << b) : ((a > 0) - (a < 0)) * ((Big)1 << 65);
    return true;
}

// Of what grows with both, or with `a` and against `b` whose bounds are swapped.
static MlcRange
sum(Exact fn, MlcRange a, MlcRange b, unsigned flags)
{
    return mlc_range_intersection(
        between(reading(a.width, false, flags & MLC_RANGE_NUW), fn, (Big)a.umin, (Big)b.umin,
                (Big)a.umax, (Big)b.umax),
        between(reading(a.width, true, flags & MLC_RANGE_NSW), fn, a.smin, b.smin, a.smax, b.smax));
}

MlcRange
mlc_range_add(MlcRange a, MlcRange b, unsigned flags)
{
    return sum(exact_add, a, b, flags);
}

MlcRange
mlc_range_sub(MlcRange a, MlcRange b, unsigned flags)
{
    MlcRange swapped = b;
    swapped.umin = b.umax;
    swapped.umax = b.umin;
    swapped.smin = b.smax;
    swapped.smax = b.smin;
    return sum(exact_sub, a, swapped, flags);
}

MlcRange
mlc_range_mul(MlcRange a, MlcRange b, unsigned flags)
{
    return mlc_range_intersection(corners_unsigned(exact_mul, a, b, flags & MLC_RANGE_NUW),
                                  corners_signed(exact_mul, a, b, flags & MLC_RANGE_NSW));
}

// The amount is unsigned in both readings.
MlcRange
mlc_range_shl(MlcRange a, MlcRange b, unsigned flags)
{
    Big amounts[] = {(Big)b.umin, (Big)b.umax};
    MlcRange s = corners(reading(a.width, true, flags & MLC_RANGE_NSW), exact_shl,
                         (Big[]){a.smin, a.smax}, amounts);
    return mlc_range_intersection(corners_unsigned(exact_shl, a, b, flags & MLC_RANGE_NUW), s);
}

// --- quotients

static bool
exact_div(Big a, Big b, unsigned width, Big *out)
{
    (void)width;
    *out = a / b;
    return true;
}

static bool
exact_ceildiv(Big a, Big b, unsigned width, Big *out)
{
    (void)width;
    *out = a / b + (a % b != 0 && (a < 0) == (b < 0));
    return true;
}

static bool
exact_floordiv(Big a, Big b, unsigned width, Big *out)
{
    (void)width;
    *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

static MlcRange
unsigned_quotient(Exact fn, MlcRange a, MlcRange b)
{
    if (b.umin != 0)
        return corners_unsigned(fn, a, b, false);
    // x / y <= x.
    uint64_t min = b.umax != 0 && a.umin >= b.umax ? a.umin / b.umax : 0;
    return mlc_range_unsigned(a.width, min, a.umax);
}

static MlcRange
signed_quotient(Exact fn, MlcRange a, MlcRange b)
{
    bool is_defined = b.smin > 0 || b.smax < 0;
    return is_defined ? corners_signed(fn, a, b, false) : mlc_range_all(a.width);
}

#define QUOTIENT(name, kind, fn)                                                                   \
    MlcRange mlc_range_##name(MlcRange a, MlcRange b, unsigned flags)                              \
    {                                                                                              \
        (void)flags;                                                                               \
        return kind##_quotient(fn, a, b);                                                          \
    }
QUOTIENT(divu, unsigned, exact_div)
QUOTIENT(divs, signed, exact_div)
QUOTIENT(ceildivu, unsigned, exact_ceildiv)
QUOTIENT(ceildivs, signed, exact_ceildiv)
QUOTIENT(floordivs, signed, exact_floordiv)

MlcRange
mlc_range_remu(MlcRange a, MlcRange b, unsigned flags)
{
    (void)flags;
    if (b.umin == 0)
        return mlc_range_all(a.width);
    // Dividends that stay within one multiple of the only divisor.
    if (b.umin == b.umax && a.umax - a.umin < b.umax && a.umin % b.umax <= a.umax % b.umax)
        return mlc_range_unsigned(a.width, a.umin % b.umax, a.umax % b.umax);
    return mlc_range_unsigned(a.width, 0, b.umax - 1);
}

MlcRange
mlc_range_rems(MlcRange a, MlcRange b, unsigned flags)
{
    (void)flags;
    if (b.smin <= 0 && b.smax >= 0)
        return mlc_range_all(a.width);
    Big divisor = b.smin > 0 ? (Big)b.smax : -(Big)b.smin; // the largest in magnitude
    Big min = a.smin < 0 ? 1 - divisor : 0, max = a.smax > 0 ? divisor - 1 : 0;
    if (b.smin == b.smax && (Big)a.smax - a.smin < divisor &&
        a.smin % divisor <= a.smax % divisor) {
        min = a.smin % divisor;
        max = a.smax % divisor;
    }
    return mlc_range_signed(a.width, (int64_t)min, (int64_t)max);
}

// --- extremes, shifts to the right, bits

#define EXTREME(name, form, low, high, PICK)                                                       \
    MlcRange mlc_range_##name(MlcRange a, MlcRange b, unsigned flags)                              \
    {                                                                                              \
        (void)flags;                                                                               \
        return mlc_range_##form(a.width, PICK(a.low, b.low), PICK(a.high, b.high));                \
    }
EXTREME(minu, unsigned, umin, umax, MIN)
EXTREME(maxu, unsigned, umin, umax, MAX)
EXTREME(mins, signed, smin, smax, MIN)
EXTREME(maxs, signed, smin, smax, MAX)

static bool
exact_shr(Big a, Big b, unsigned width, Big *out)
{
    *out = b >= width ? 0 : a >> b;
    return b < width;
}

MlcRange
mlc_range_shru(MlcRange a, MlcRange b, unsigned flags)
{
    (void)flags;
    return corners_unsigned(exact_shr, a, b, false);
}

MlcRange
mlc_range_shrs(MlcRange a, MlcRange b, unsigned flags)
{
    (void)flags;
    return corners(reading(a.width, true, false), exact_shr, (Big[]){a.smin, a.smax},
                   (Big[]){(Big)b.umin, (Big)b.umax});
}

// Bits in which the bounds differ, and all below, may be anything.
static uint64_t
free_bits(MlcRange a)
{
    uint64_t differ = a.umin ^ a.umax;
    return differ ? mask(64 - (unsigned)__builtin_clzll(differ)) : 0;
}

// The operator is monotone in each bit.
#define BITWISE(name, operator)                                                                    \
    MlcRange mlc_range_##name(MlcRange a, MlcRange b, unsigned flags)                              \
    {                                                                                              \
        (void)flags;                                                                               \
        uint64_t x = free_bits(a), y = free_bits(b);                                               \
        return mlc_range_unsigned(a.width, (a.umin & ~x) operator(b.umin & ~y),                    \
                                  (a.umax | x) operator(b.umax | y));                              \
    }
BITWISE(and, &)
BITWISE(or, |)

MlcRange
mlc_range_xor(MlcRange a, MlcRange b, unsigned flags)
{
    (void)flags;
    uint64_t any = free_bits(a) | free_bits(b), fixed = (a.umin ^ b.umin) & ~any;
    return mlc_range_unsigned(a.width, fixed, fixed | any);
}

// --- widths

MlcRange
mlc_range_zero_extend(MlcRange a, unsigned width)
{
    return a.width ? mlc_range_unsigned(width <= 64 ? width : 0, a.umin, a.umax) : a;
}

MlcRange
mlc_range_sign_extend(MlcRange a, unsigned width)
{
    return a.width ? mlc_range_signed(width <= 64 ? width : 0, a.smin, a.smax) : a;
}

MlcRange
mlc_range_extend(MlcRange a, unsigned width)
{
    a.width = width;
    return a;
}

// Cut numbers stay in order only if what is cut off is the same at both ends.
MlcRange
mlc_range_truncate(MlcRange a, unsigned width)
{
    if (width >= a.width)
        return a;
    MlcRange r = mlc_range_all(width);
    if (a.umin >> width == a.umax >> width) {
        r.umin = a.umin & mask(width);
        r.umax = a.umax & mask(width);
    }
    // Or, of signed numbers, if it is all sign.
    int64_t low = a.smin >> (width - 1), high = a.smax >> (width - 1);
    if (low == high || ((low == 0 || low == -1) && (high == 0 || high == -1))) {
        r.smin = sign_extend((uint64_t)a.smin & mask(width), width);
        r.smax = sign_extend((uint64_t)a.smax & mask(width), width);
    }
    return r;
}

// --- comparisons

static bool
always(MlcPredicate predicate, MlcRange a, MlcRange b)
{
    int64_t x, y;
    switch (predicate) {
    case MLC_PREDICATE_EQ:
        return mlc_range_is_one(a, &x) && mlc_range_is_one(b, &y) && x == y;
    case MLC_PREDICATE_NE:
        return a.smax < b.smin || b.smax < a.smin || a.umax < b.umin || b.umax < a.umin;
    case MLC_PREDICATE_SLT:
        return a.smax < b.smin;
    case MLC_PREDICATE_SLE:
        return a.smax <= b.smin;
    case MLC_PREDICATE_SGT:
        return a.smin > b.smax;
    case MLC_PREDICATE_SGE:
        return a.smin >= b.smax;
    case MLC_PREDICATE_ULT:
        return a.umax < b.umin;
    case MLC_PREDICATE_ULE:
        return a.umax <= b.umin;
    case MLC_PREDICATE_UGT:
        return a.umin > b.umax;
    case MLC_PREDICATE_UGE:
        return a.umin >= b.umax;
    }
    return false;
}

static const MlcPredicate opposite[] = {
    [MLC_PREDICATE_EQ] = MLC_PREDICATE_NE,   [MLC_PREDICATE_NE] = MLC_PREDICATE_EQ,
    [MLC_PREDICATE_SLT] = MLC_PREDICATE_SGE, [MLC_PREDICATE_SLE] = MLC_PREDICATE_SGT,
    [MLC_PREDICATE_SGT] = MLC_PREDICATE_SLE, [MLC_PREDICATE_SGE] = MLC_PREDICATE_SLT,
    [MLC_PREDICATE_ULT] = MLC_PREDICATE_UGE, [MLC_PREDICATE_ULE] = MLC_PREDICATE_UGT,
    [MLC_PREDICATE_UGT] = MLC_PREDICATE_ULE, [MLC_PREDICATE_UGE] = MLC_PREDICATE_ULT,
};

int
mlc_range_compare(MlcPredicate predicate, MlcRange a, MlcRange b)
{
    if (a.width == 0 || a.width != b.width)
        return -1;
    if (always(predicate, a, b))
        return 1;
    return always(opposite[predicate], a, b) ? 0 : -1;
}

MlcRange
mlc_range_of_truth(int truth)
{
    return mlc_range_unsigned(1, truth == 1, truth != 0);
}

// --- indices and loops

static bool
readings_agree(MlcRangeReading reading, MlcRange a, MlcRange b)
{
    bool is_signed = a.smin == b.smin && a.smax == b.smax;
    bool is_unsigned = a.umin == b.umin && a.umax == b.umax;
    return (is_signed || reading == MLC_READ_UNSIGNED) &&
           (is_unsigned || reading == MLC_READ_SIGNED);
}

MlcRange
mlc_range_index(MlcRangeFn fn, MlcRangeReading reading, MlcRange a, MlcRange b)
{
    MlcRange wide = fn(a, b, 0),
             narrow = fn(mlc_range_truncate(a, 32), mlc_range_truncate(b, 32), 0);
    if (readings_agree(reading, narrow, mlc_range_truncate(wide, 32)))
        return wide;
    return mlc_range_union(wide, mlc_range_extend(narrow, 64));
}

MlcRange
mlc_range_induction(MlcRange lower, MlcRange upper, MlcRange step)
{
    MlcRange all = mlc_range_all(lower.width);
    if (lower.width == 0 || upper.width != lower.width || upper.smax == all.smin)
        return all;
    int64_t min = lower.smin, max = upper.smax;
    if (step.smax < 0) {
        min = upper.smax;
        max = lower.smin;
    } else {
        max--;
    }
    return max >= min ? mlc_range_signed(lower.width, min, max) : all;
}
