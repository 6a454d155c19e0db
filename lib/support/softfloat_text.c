// softfloat_text.c -- decimal text to floats and back, by exact integer arithmetic.
//
// Reading: digits * 10^k is a ratio of integers; 120 bits of it and "is there more" are rounded
// once. Where both numbers are exact in double, one division or multiplication is that rounding
// already (Clinger, "How to Read Floating Point Numbers Accurately", 1990), unless narrowing the
// double to the kind meets a tie.
//
// Printing follows APFloat::toString step by step, with its cuts and its rounding (half up, on
// digits that were cut before): tests compare MLIR's text, so 0.7 : f32 must be 0.699999988 and not
// the shortest text that reads back.
#include <float.h>

#include "softfloat_impl.h"

// --- integers of some ten thousand bits, on the stack

// The largest numbers: 12,000 digits, or 10^-16970 turned over, or f128's least number times
// 5^16494 (38,300 bits).
#define BIG_WORDS 640
#define MOST_DIGITS 12000

typedef struct Big {
    size_t size; // words in use; the last one is not 0
    uint64_t words[BIG_WORDS];
} Big;

static void
big_set(Big *big, Bits128 value)
{
    big->words[0] = (uint64_t)value;
    big->words[1] = (uint64_t)(value >> 64);
    big->size = big->words[1] ? 2 : big->words[0] ? 1 : 0;
}

static void
big_push(Big *big, uint64_t word)
{
    if (big->size == BIG_WORDS)
        mlc_bug("a decimal number outgrew its %d words", BIG_WORDS);
    big->words[big->size++] = word;
}

static size_t
big_bits(const Big *big)
{
    return big->size ? 64 * (big->size - 1) + bit_length(big->words[big->size - 1]) : 0;
}

static void
big_trim(Big *big)
{
    while (big->size > 0 && big->words[big->size - 1] == 0)
        --big->size;
}

// big = big * factor + summand
static void
big_multiply_add(Big *big, uint64_t factor, uint64_t summand)
{
    uint64_t carry = summand;
    for (size_t i = 0; i < big->size; i++) {
        Bits128 sum = (Bits128)big->words[i] * factor + carry;
        big->words[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry)
        big_push(big, carry);
}

static void
big_multiply_power(Big *big, uint64_t base, unsigned per_word, uint64_t exponent)
{
    for (; exponent > 0;) {
        uint64_t factor = 1;
        for (unsigned i = 0; i < per_word && exponent > 0; i++, --exponent)
            factor *= base;
        big_multiply_add(big, factor, 0);
    }
}

// Returns the remainder.
static uint64_t
big_divide(Big *big, uint64_t divisor)
{
    uint64_t remainder = 0;
    for (size_t i = big->size; i-- > 0;) {
        Bits128 part = (Bits128)remainder << 64 | big->words[i];
        big->words[i] = (uint64_t)(part / divisor);
        remainder = (uint64_t)(part % divisor);
    }
    big_trim(big);
    return remainder;
}

static void
big_shift_left(Big *big, size_t amount)
{
    size_t skip = amount / 64;
    unsigned bits = amount % 64;
    if (big->size == 0 || amount == 0)
        return;
    big_push(big, 0);
    for (size_t i = 0; i < skip; i++)
        big_push(big, 0);
    for (size_t i = big->size; i-- > skip;) {
        uint64_t high = big->words[i - skip] << bits;
        uint64_t low = bits && i > skip ? big->words[i - skip - 1] >> (64 - bits) : 0;
        big->words[i] = high | low;
    }
    memset(big->words, 0, skip * sizeof *big->words);
    big_trim(big);
}

static int
big_compare(const Big *a, const Big *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (size_t i = a->size; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

// a = a - b, where a >= b
static void
big_subtract(Big *a, const Big *b)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < a->size; i++) {
        Bits128 difference = (Bits128)a->words[i] - (i < b->size ? b->words[i] : 0) - borrow;
        a->words[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    big_trim(a);
}

// --- reading

// digits * 10^exponent. Leading zeros are dropped, and what lies beyond MOST_DIGITS, where only "is
// there more" can matter, is one digit 1.
typedef struct Decimal {
    bool negative;
    const char *text; // from the first digit that is not 0; may have a point inside
    size_t num_digits;
    bool more;
    int64_t exponent;
} Decimal;

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Reads [+-]digits at *at; large ones stop growing where nothing can tell them apart any more.
static bool
read_exponent(const char **at, const char *end, int64_t *exponent)
{
    bool negative = false;
    if (*at < end && (**at == '+' || **at == '-'))
        negative = *(*at)++ == '-';
    if (*at == end || !is_digit(**at))
        return false;
    int64_t value = 0;
    for (; *at < end && is_digit(**at); ++*at)
        if (value < INT64_C(1) << 40)
            value = value * 10 + (**at - '0');
    *exponent = negative ? -value : value;
    return true;
}

static bool
read_decimal(MlcStr text, Decimal *d)
{
    const char *at = text.data, *end = text.data + text.size;
    *d = (Decimal){0};
    if (at < end && (*at == '+' || *at == '-'))
        d->negative = *at++ == '-';
    bool any = false, after_point = false;
    for (; at < end && (is_digit(*at) || (*at == '.' && !after_point)); at++) {
        if (*at == '.') {
            after_point = true;
            continue;
        }
        any = true;
        d->exponent -= after_point;
        if (!d->text && *at == '0')
            continue;
        if (!d->text)
            d->text = at;
        if (d->num_digits < MOST_DIGITS) {
            d->num_digits++;
        } else {
            d->exponent++;
            d->more |= *at != '0';
        }
    }
    if (!any)
        return false;
    int64_t exponent = 0;
    if (at < end && (*at == 'e' || *at == 'E') && (++at, !read_exponent(&at, end, &exponent)))
        return false;
    d->exponent += exponent;
    return at == end;
}

// The digits as an integer that fits a word; false when there are too many.
static bool
small_digits(const Decimal *d, uint64_t *value)
{
    *value = 0;
    if (d->num_digits > 19 || d->more)
        return false;
    const char *at = d->text;
    for (size_t i = 0; i < d->num_digits; at++)
        if (*at != '.') {
            *value = *value * 10 + (uint64_t)(*at - '0');
            i++;
        }
    return true;
}

static bool
read_fast(MlcFloatKind kind, const Decimal *d, MlcFloat *out)
{
#if FLT_EVAL_METHOD == 0
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits;
    if (mlc_float_precision(kind) > 53 || d->exponent < -22 || d->exponent > 22 ||
        !small_digits(d, &digits) || digits >> 53)
        return false;
    double value = (double)digits;
    value = d->exponent < 0 ? value / powers[-d->exponent] : value * powers[d->exponent];
    MlcFloat wide;
    wide = mlc_float_from_double(MLC_FLOAT_F64, d->negative ? -value : value);
    bool tie;
    Unpacked u = mlc_float_unpack(wide);
    *out = mlc_float_round(kind, u.negative, u.mantissa, u.exponent, false, &tie);
    return kind == MLC_FLOAT_F64 || !tie;
#else
    (void)kind, (void)d, (void)out;
    return false;
#endif
}

static void
big_from_digits(Big *big, const Decimal *d)
{
    const char *at = d->text;
    big->size = 0;
    for (size_t i = 0; i < d->num_digits;) {
        uint64_t chunk = 0, factor = 1;
        for (unsigned j = 0; j < 19 && i < d->num_digits; at++) {
            if (*at == '.')
                continue;
            chunk = chunk * 10 + (uint64_t)(*at - '0');
            factor *= 10;
            ++i, ++j;
        }
        big_multiply_add(big, factor, chunk);
    }
    if (d->more)
        big_multiply_add(big, 10, 1);
}

// digits / divisor * 2^exponent; both numbers are destroyed.
static MlcFloat
round_ratio(MlcFloatKind kind, bool negative, Big *digits, Big *divisor, int64_t exponent)
{
    size_t above = big_bits(digits), below = big_bits(divisor);
    if (above < below)
        big_shift_left(digits, below - above);
    else
        big_shift_left(divisor, above - below);
    exponent += (int64_t)above - (int64_t)below - 119;
    Bits128 quotient = 0;
    for (int i = 0; i < 120; i++) {
        bool bit = big_compare(digits, divisor) >= 0;
        quotient = quotient << 1 | bit;
        if (bit)
            big_subtract(digits, divisor);
        big_shift_left(digits, 1);
    }
    return mlc_float_round(kind, negative, quotient, exponent, digits->size > 0, NULL);
}

static MlcFloat
read_exactly(MlcFloatKind kind, const Decimal *d)
{
    // Beyond 10^5000 everything is infinite, below 10^-5000 zero, in every kind.
    int64_t magnitude = (int64_t)d->num_digits + d->exponent;
    if (d->num_digits == 0 || magnitude < -5000)
        return mlc_float_round(kind, d->negative, 0, 0, false, NULL);
    if (magnitude > 5000)
        return mlc_float_round(kind, d->negative, 1, 1 << 20, false, NULL);
    Big digits, divisor;
    big_from_digits(&digits, d);
    big_set(&divisor, 1);
    int64_t exponent = d->exponent - d->more;
    // 10^k = 5^k * 2^k, and 5^27 fits a word.
    if (exponent >= 0)
        big_multiply_power(&digits, 5, 27, (uint64_t)exponent);
    else
        big_multiply_power(&divisor, 5, 27, (uint64_t)-exponent);
    return round_ratio(kind, d->negative, &digits, &divisor, exponent);
}

bool
mlc_float_parse(MlcFloatKind kind, MlcStr text, MlcFloat *out)
{
    Decimal decimal;
    if (!read_decimal(text, &decimal))
        return false;
    if (!read_fast(kind, &decimal, out))
        *out = read_exactly(kind, &decimal);
    return true;
}

bool
mlc_float_parse_literal(MlcFloatKind kind, MlcStr text, MlcFloat *out)
{
    if (!mlc_float_parse(MLC_FLOAT_F64, text, out))
        return false;
    *out = mlc_float_convert(*out, kind);
    return true;
}

// --- printing

// Decimal digits as APFloat makes them, the least significant first.
typedef struct Digits {
    char digits[64];
    unsigned count;
    int exponent; // of the least significant digit
    bool exact;   // nothing was cut off
} Digits;

// The text is value = digits * 10^exponent with at most `wanted` digits.
static void
cut_to(Digits *d, unsigned wanted)
{
    if (d->count <= wanted)
        return;
    unsigned first = d->count - wanted;
    d->exact = false;
    if (d->digits[first - 1] < '5') {
        while (first < d->count && d->digits[first] == '0')
            first++;
    } else {
        while (first < d->count && d->digits[first] == '9')
            first++; // the zeros that a carry leaves are dropped
        if (first < d->count)
            d->digits[first]++;
    }
    d->exponent += (int)first;
    d->count -= first;
    memmove(d->digits, d->digits + first, d->count);
    if (d->count == 0)
        d->digits[d->count++] = '1';
}

// First the integer is cut, by a power of ten estimated from its bits, to somewhat more than the
// digits wanted, with no rounding; then its digits are, with rounding.
static void
make_digits(Digits *d, Unpacked u, unsigned wanted)
{
    *d = (Digits){.exact = true};
    while (!(u.mantissa & 1)) {
        u.mantissa >>= 1;
        u.exponent++;
    }
    Big big;
    big_set(&big, u.mantissa);
    if (u.exponent >= 0) {
        big_shift_left(&big, (size_t)u.exponent);
    } else {
        big_multiply_power(&big, 5, 27, (uint64_t)-(int64_t)u.exponent);
        d->exponent = u.exponent;
    }
    // 196/59 is slightly more than log2(10).
    size_t bits = big_bits(&big), bits_wanted = ((size_t)wanted * 196 + 58) / 59;
    size_t tens = bits > bits_wanted ? (bits - bits_wanted) * 59 / 196 : 0;
    d->exponent += (int)tens;
    while (tens > 0) {
        uint64_t divisor = 1;
        for (unsigned i = 0; i < 19 && tens > 0; i++, --tens)
            divisor *= 10;
        if (big_divide(&big, divisor) != 0)
            d->exact = false;
    }
    while (big.size > 0) {
        char digit = (char)('0' + big_divide(&big, 10));
        if (d->count == 0 && digit == '0')
            d->exponent++;
        else
            d->digits[d->count++] = digit;
    }
    cut_to(d, wanted);
}

// d.ddd and the exponent; `padded`: digits filled up with zeros, e+05; else E+5, and a lone digit
// gets ".0".
static void
append_scientific(MlcBuf *buf, const Digits *d, unsigned wanted, bool padded)
{
    mlc_buf_append_char(buf, d->digits[d->count - 1]);
    mlc_buf_append_char(buf, '.');
    for (unsigned i = d->count - 1; i-- > 0;)
        mlc_buf_append_char(buf, d->digits[i]);
    if (padded)
        mlc_buf_append_repeated(buf, '0', wanted - d->count + 1);
    else if (d->count == 1)
        mlc_buf_append_char(buf, '0');
    int exponent = d->exponent + (int)d->count - 1;
    mlc_buf_append_char(buf, padded ? 'e' : 'E');
    mlc_buf_append_char(buf, exponent < 0 ? '-' : '+');
    unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (padded && magnitude < 10)
        mlc_buf_append_char(buf, '0');
    mlc_buf_append_uint(buf, magnitude);
}

static void
append_plain(MlcBuf *buf, const Digits *d)
{
    int whole = (int)d->count + d->exponent; // digits before the point
    if (whole <= 0) {
        mlc_buf_append_c(buf, "0.");
        mlc_buf_append_repeated(buf, '0', (size_t)-whole);
    }
    for (int i = 0; i < (int)d->count; i++) {
        if (i == whole && i > 0)
            mlc_buf_append_char(buf, '.');
        mlc_buf_append_char(buf, d->digits[(int)d->count - 1 - i]);
    }
    if (d->exponent > 0)
        mlc_buf_append_repeated(buf, '0', (size_t)d->exponent);
}

static bool
reads_back(MlcFloat a, const char *text, size_t size)
{
    MlcFloat again;
    return mlc_float_parse(a.kind, mlc_str_n(text, size), &again) && mlc_float_same_bits(a, again);
}

// APFloat::toString(text, 6, 0, false), if that reads back.
static bool
print_short(MlcBuf *buf, MlcFloat a, Unpacked u)
{
    const unsigned wanted = 6;
    size_t before = buf->size;
    Digits d;
    make_digits(&d, u, wanted);
    if (u.negative)
        mlc_buf_append_char(buf, '-');
    append_scientific(buf, &d, wanted, true);
    if (d.exact || reads_back(a, buf->data + before, buf->size - before))
        return true;
    buf->size = before;
    return false;
}

// APFloat::toString(text), if that has a point.
static bool
print_long(MlcBuf *buf, MlcFloat a, Unpacked u)
{
    const unsigned wanted = 2 + mlc_float_precision(a.kind) * 59 / 196, most_padding = 3;
    size_t before = buf->size;
    Digits d;
    make_digits(&d, u, wanted);
    int leading = d.exponent + (int)d.count - 1; // power of the first digit
    bool scientific = leading < -(int)most_padding;
    if (d.exponent >= 0)
        scientific = (unsigned)d.exponent > most_padding || d.count + (unsigned)d.exponent > wanted;
    if (d.exponent >= 0 && !scientific)
        return false; // a whole number without a point would read as an integer
    if (u.negative)
        mlc_buf_append_char(buf, '-');
    if (scientific)
        append_scientific(buf, &d, wanted, false);
    else
        append_plain(buf, &d);
    return buf->size > before;
}

static void
print_bits(MlcBuf *buf, MlcFloat a)
{
    mlc_buf_append_c(buf, "0x");
    if (a.hi)
        mlc_buf_append_hex(buf, a.hi, 1);
    mlc_buf_append_hex(buf, a.lo, a.hi ? 16 : 1);
}

bool
mlc_float_print(MlcBuf *buf, MlcFloat a)
{
    Unpacked u = mlc_float_unpack(a);
    if (u.class == CLASS_ZERO) {
        mlc_buf_append_c(buf, u.negative ? "-0.000000e+00" : "0.000000e+00");
        return false;
    }
    if (u.class == CLASS_FINITE && (print_short(buf, a, u) || print_long(buf, a, u)))
        return false;
    print_bits(buf, a);
    return true;
}

bool
mlc_float_print_literal(MlcBuf *buf, MlcFloat a)
{
    size_t before = buf->size;
    MlcFloat again;
    bool printed_bits = mlc_float_print(buf, a);
    if (printed_bits || mlc_float_precision(a.kind) <= mlc_float_precision(MLC_FLOAT_F64))
        return printed_bits;
    MlcStr text = mlc_str_n(buf->data + before, buf->size - before);
    if (mlc_float_parse_literal(a.kind, text, &again) && mlc_float_same_bits(a, again))
        return false;
    buf->size = before;
    print_bits(buf, a);
    return true;
}
