// wide.c -- schoolbook arithmetic on little-endian 64-bit words.
//
// Every operation works on word arrays; a value of at most 64 bits is an array of one word that
// lies in its struct, and the common operations on it return before any array is touched. Results
// are built in a Scratch (the struct's word or fresh arena words), masked to the width at the end,
// and never changed again.
#include "mlc/support/wide.h"

#include "mlc/support/alloc.h"
#include "mlc/support/hash.h"

__extension__ typedef unsigned __int128 Word2;

static uint64_t
top_mask(uint32_t width)
{
    if (width == 0)
        return 0;
    return width % 64 == 0 ? UINT64_MAX : (UINT64_C(1) << width % 64) - 1;
}

// A result being built: `words` may be written until `finish`.
typedef struct Scratch {
    MlcWide value;
    uint64_t *words; // NULL while the value is narrow
} Scratch;

static Scratch
start(MlcArena *arena, uint32_t width)
{
    if (width > MLC_WIDE_MAX_WIDTH)
        mlc_bug("an integer of %u bits", (unsigned)width);
    Scratch scratch = {.value = {.width = width}};
    if (width > 64) {
        scratch.words = MLC_NEW_ARRAY(arena, uint64_t, mlc_wide_num_words(scratch.value));
        scratch.value.words = scratch.words;
    }
    return scratch;
}

static uint64_t *
words_of(Scratch *scratch)
{
    return scratch->words ? scratch->words : &scratch->value.word;
}

static MlcWide
finish(Scratch *scratch)
{
    words_of(scratch)[mlc_wide_num_words(scratch->value) - 1] &= top_mask(scratch->value.width);
    return scratch->value;
}

static MlcWide
narrow(uint32_t width, uint64_t word)
{
    return (MlcWide){.width = width, .word = word & top_mask(width)};
}

static int64_t
sign_extended(MlcWide a)
{
    if (a.width == 0)
        return 0;
    unsigned unused = 64 - a.width;
    return (int64_t)(a.word << unused) >> unused;
}

static void
check_same_width(MlcWide a, MlcWide b)
{
    if (a.width != b.width)
        mlc_bug("operands of %u and %u bits", (unsigned)a.width, (unsigned)b.width);
}

// --- construction

static MlcWide
from_words_filled(MlcArena *arena, uint32_t width, const uint64_t *words, size_t num_words,
                  uint64_t fill)
{
    if (width <= 64)
        return narrow(width, num_words ? words[0] : fill);
    Scratch result = start(arena, width);
    size_t total = mlc_wide_num_words(result.value);
    for (size_t i = 0; i < total; i++)
        result.words[i] = i < num_words ? words[i] : fill;
    return finish(&result);
}

MlcWide
mlc_wide_from_int(MlcArena *arena, uint32_t width, int64_t value)
{
    uint64_t word = (uint64_t)value;
    return from_words_filled(arena, width, &word, 1, value < 0 ? UINT64_MAX : 0);
}

MlcWide
mlc_wide_from_uint(MlcArena *arena, uint32_t width, uint64_t value)
{
    return from_words_filled(arena, width, &value, 1, 0);
}

MlcWide
mlc_wide_from_words(MlcArena *arena, uint32_t width, const uint64_t *words, size_t num_words)
{
    return from_words_filled(arena, width, words, num_words, 0);
}

MlcWide
mlc_wide_from_bytes(MlcArena *arena, uint32_t width, const void *bytes, size_t num_bytes)
{
    const unsigned char *p = bytes;
    Scratch result = start(arena, width);
    uint64_t *words = words_of(&result);
    size_t room = (size_t)mlc_wide_num_words(result.value) * 8;
    for (size_t i = 0; i < num_bytes && i < room; i++)
        words[i / 8] |= (uint64_t)p[i] << i % 8 * 8;
    return finish(&result);
}

void
mlc_wide_to_bytes(MlcWide a, void *bytes)
{
    const uint64_t *words = mlc_wide_words(&a);
    unsigned char *p = bytes;
    for (size_t i = 0; i < ((size_t)a.width + 7) / 8; i++)
        p[i] = (unsigned char)(words[i / 8] >> i % 8 * 8);
}

MlcWide
mlc_wide_all_ones(MlcArena *arena, uint32_t width)
{
    return mlc_wide_from_int(arena, width, -1);
}

MlcWide
mlc_wide_signed_min(MlcArena *arena, uint32_t width)
{
    Scratch result = start(arena, width);
    if (width > 0)
        words_of(&result)[(width - 1) / 64] = UINT64_C(1) << (width - 1) % 64;
    return finish(&result);
}

MlcWide
mlc_wide_signed_max(MlcArena *arena, uint32_t width)
{
    return mlc_wide_not(arena, mlc_wide_signed_min(arena, width));
}

MlcWide
mlc_wide_copy(MlcArena *arena, MlcWide a)
{
    return from_words_filled(arena, a.width, mlc_wide_words(&a), mlc_wide_num_words(a), 0);
}

// --- as machine integers

int64_t
mlc_wide_low_int(MlcWide a)
{
    return a.width <= 64 ? sign_extended(a) : (int64_t)a.words[0];
}

uint64_t
mlc_wide_low_uint(MlcWide a)
{
    return mlc_wide_words(&a)[0];
}

bool
mlc_wide_try_as_uint(MlcWide a, uint64_t *out)
{
    if (mlc_wide_active_bits(a) > 64)
        return false;
    *out = mlc_wide_low_uint(a);
    return true;
}

bool
mlc_wide_try_as_int(MlcWide a, int64_t *out)
{
    int64_t low = mlc_wide_low_int(a);
    if (a.width > 64) {
        uint64_t fill = low < 0 ? UINT64_MAX : 0;
        uint32_t last = mlc_wide_num_words(a) - 1;
        for (uint32_t i = 1; i <= last; i++)
            if (a.words[i] != (i == last ? fill & top_mask(a.width) : fill))
                return false;
    }
    *out = low;
    return true;
}

// --- questions

bool
mlc_wide_equal(MlcWide a, MlcWide b)
{
    return a.width == b.width && memcmp(mlc_wide_words(&a), mlc_wide_words(&b),
                                        mlc_wide_num_words(a) * sizeof(uint64_t)) == 0;
}

bool
mlc_wide_is_zero(MlcWide a)
{
    return mlc_wide_active_bits(a) == 0;
}

bool
mlc_wide_bit(MlcWide a, uint32_t i)
{
    return i < a.width && (mlc_wide_words(&a)[i / 64] >> i % 64 & 1);
}

bool
mlc_wide_is_negative(MlcWide a)
{
    return a.width > 0 && mlc_wide_bit(a, a.width - 1);
}

int
mlc_wide_compare_unsigned(MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    const uint64_t *x = mlc_wide_words(&a), *y = mlc_wide_words(&b);
    for (size_t i = mlc_wide_num_words(a); i-- > 0;)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

int
mlc_wide_compare_signed(MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    bool a_negative = mlc_wide_is_negative(a), b_negative = mlc_wide_is_negative(b);
    if (a_negative != b_negative)
        return a_negative ? -1 : 1;
    return mlc_wide_compare_unsigned(a, b);
}

uint64_t
mlc_wide_hash(MlcWide a)
{
    uint64_t hash = mlc_hash_combine(MLC_HASH_SEED, a.width);
    const uint64_t *words = mlc_wide_words(&a);
    for (size_t i = 0; i < mlc_wide_num_words(a); i++)
        hash = mlc_hash_combine(hash, words[i]);
    return hash;
}

uint32_t
mlc_wide_active_bits(MlcWide a)
{
    const uint64_t *words = mlc_wide_words(&a);
    for (uint32_t i = mlc_wide_num_words(a); i-- > 0;)
        if (words[i])
            return 64 * i + 64 - (uint32_t)__builtin_clzll(words[i]);
    return 0;
}

uint32_t
mlc_wide_count_leading_zeros(MlcWide a)
{
    return a.width - mlc_wide_active_bits(a);
}

uint32_t
mlc_wide_count_trailing_zeros(MlcWide a)
{
    const uint64_t *words = mlc_wide_words(&a);
    for (uint32_t i = 0; i < mlc_wide_num_words(a); i++)
        if (words[i])
            return 64 * i + (uint32_t)__builtin_ctzll(words[i]);
    return a.width;
}

uint32_t
mlc_wide_popcount(MlcWide a)
{
    const uint64_t *words = mlc_wide_words(&a);
    uint32_t count = 0;
    for (uint32_t i = 0; i < mlc_wide_num_words(a); i++)
        count += (uint32_t)__builtin_popcountll(words[i]);
    return count;
}

// --- bits

MlcWide
mlc_wide_and(MlcArena *arena, MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    if (a.width <= 64)
        return narrow(a.width, a.word & b.word);
    Scratch result = start(arena, a.width);
    for (size_t i = 0; i < mlc_wide_num_words(a); i++)
        result.words[i] = a.words[i] & b.words[i];
    return finish(&result);
}

MlcWide
mlc_wide_or(MlcArena *arena, MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    if (a.width <= 64)
        return narrow(a.width, a.word | b.word);
    Scratch result = start(arena, a.width);
    for (size_t i = 0; i < mlc_wide_num_words(a); i++)
        result.words[i] = a.words[i] | b.words[i];
    return finish(&result);
}

MlcWide
mlc_wide_xor(MlcArena *arena, MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    if (a.width <= 64)
        return narrow(a.width, a.word ^ b.word);
    Scratch result = start(arena, a.width);
    for (size_t i = 0; i < mlc_wide_num_words(a); i++)
        result.words[i] = a.words[i] ^ b.words[i];
    return finish(&result);
}

MlcWide
mlc_wide_not(MlcArena *arena, MlcWide a)
{
    if (a.width <= 64)
        return narrow(a.width, ~a.word);
    Scratch result = start(arena, a.width);
    for (size_t i = 0; i < mlc_wide_num_words(a); i++)
        result.words[i] = ~a.words[i];
    return finish(&result);
}

MlcWide
mlc_wide_shl(MlcArena *arena, MlcWide a, uint64_t amount)
{
    Scratch result = start(arena, a.width);
    if (amount >= a.width)
        return finish(&result);
    const uint64_t *from = mlc_wide_words(&a);
    uint64_t *to = words_of(&result);
    size_t skip = amount / 64;
    unsigned bits = amount % 64;
    for (size_t i = mlc_wide_num_words(a); i-- > skip;) {
        to[i] = from[i - skip] << bits;
        if (bits && i > skip)
            to[i] |= from[i - skip - 1] >> (64 - bits);
    }
    return finish(&result);
}

MlcWide
mlc_wide_lshr(MlcArena *arena, MlcWide a, uint64_t amount)
{
    Scratch result = start(arena, a.width);
    if (amount >= a.width)
        return finish(&result);
    const uint64_t *from = mlc_wide_words(&a);
    uint64_t *to = words_of(&result);
    size_t skip = amount / 64, count = mlc_wide_num_words(a);
    unsigned bits = amount % 64;
    for (size_t i = 0; i + skip < count; i++) {
        to[i] = from[i + skip] >> bits;
        if (bits && i + skip + 1 < count)
            to[i] |= from[i + skip + 1] << (64 - bits);
    }
    return finish(&result);
}

MlcWide
mlc_wide_ashr(MlcArena *arena, MlcWide a, uint64_t amount)
{
    if (!mlc_wide_is_negative(a))
        return mlc_wide_lshr(arena, a, amount);
    // For a negative x, x >> n = ~(~x >> n): the complement has a sign of 0.
    return mlc_wide_not(arena, mlc_wide_lshr(arena, mlc_wide_not(arena, a), amount));
}

MlcWide
mlc_wide_trunc(MlcArena *arena, MlcWide a, uint32_t width)
{
    if (width > a.width)
        mlc_bug("truncation from %u to %u bits", (unsigned)a.width, (unsigned)width);
    return from_words_filled(arena, width, mlc_wide_words(&a), mlc_wide_num_words(a), 0);
}

MlcWide
mlc_wide_zext(MlcArena *arena, MlcWide a, uint32_t width)
{
    if (width < a.width)
        mlc_bug("extension from %u to %u bits", (unsigned)a.width, (unsigned)width);
    return from_words_filled(arena, width, mlc_wide_words(&a), mlc_wide_num_words(a), 0);
}

MlcWide
mlc_wide_sext(MlcArena *arena, MlcWide a, uint32_t width)
{
    if (!mlc_wide_is_negative(a) || width == a.width)
        return mlc_wide_zext(arena, a, width);
    if (a.width <= 64)
        return mlc_wide_from_int(arena, width, sign_extended(a));
    // As above: the complement is extended with zeros.
    return mlc_wide_not(arena, mlc_wide_zext(arena, mlc_wide_not(arena, a), width));
}

// --- arithmetic

MlcWide
mlc_wide_add(MlcArena *arena, MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    if (a.width <= 64)
        return narrow(a.width, a.word + b.word);
    Scratch result = start(arena, a.width);
    uint64_t carry = 0;
    for (size_t i = 0; i < mlc_wide_num_words(a); i++) {
        Word2 sum = (Word2)a.words[i] + b.words[i] + carry;
        result.words[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    return finish(&result);
}

MlcWide
mlc_wide_sub(MlcArena *arena, MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    if (a.width <= 64)
        return narrow(a.width, a.word - b.word);
    Scratch result = start(arena, a.width);
    uint64_t borrow = 0;
    for (size_t i = 0; i < mlc_wide_num_words(a); i++) {
        Word2 difference = (Word2)a.words[i] - b.words[i] - borrow;
        result.words[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return finish(&result);
}

MlcWide
mlc_wide_neg(MlcArena *arena, MlcWide a)
{
    return mlc_wide_sub(arena, mlc_wide_from_uint(arena, a.width, 0), a);
}

MlcWide
mlc_wide_mul(MlcArena *arena, MlcWide a, MlcWide b)
{
    check_same_width(a, b);
    if (a.width <= 64)
        return narrow(a.width, a.word * b.word);
    Scratch result = start(arena, a.width);
    size_t count = mlc_wide_num_words(a);
    for (size_t i = 0; i < count; i++) {
        uint64_t carry = 0;
        if (a.words[i] == 0)
            continue;
        for (size_t j = 0; i + j < count; j++) {
            Word2 sum = (Word2)a.words[i] * b.words[j] + result.words[i + j] + carry;
            result.words[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
    }
    return finish(&result);
}

// Divides `words` in place and returns the remainder; `divisor` is not 0.
static uint64_t
divide_by_word(uint64_t *words, size_t count, uint64_t divisor)
{
    Word2 remainder = 0;
    for (size_t i = count; i-- > 0;) {
        remainder = remainder << 64 | words[i];
        words[i] = (uint64_t)(remainder / divisor);
        remainder %= divisor;
    }
    return (uint64_t)remainder;
}

// One digit of the quotient (Knuth, TAOCP 4.3.1, D3 to D6): `u` has n + 1 words, `v` has n and its
// top bit is set. Leaves in `u` the remainder.
static uint64_t
quotient_digit(uint64_t *u, const uint64_t *v, size_t n)
{
    Word2 top = (Word2)u[n] << 64 | u[n - 1];
    Word2 digit = top / v[n - 1], rest = top % v[n - 1];
    while (digit >> 64 || (Word2)(uint64_t)digit * v[n - 2] > (rest << 64 | u[n - 2])) {
        --digit;
        rest += v[n - 1];
        if (rest >> 64)
            break;
    }
    uint64_t borrow = 0, carry = 0;
    for (size_t i = 0; i <= n; i++) {
        Word2 product = (Word2)(uint64_t)digit * (i < n ? v[i] : 0) + carry;
        carry = (uint64_t)(product >> 64);
        Word2 difference = (Word2)u[i] - (uint64_t)product - borrow;
        u[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    if (!borrow)
        return (uint64_t)digit;
    carry = 0;
    for (size_t i = 0; i <= n; i++) {
        Word2 sum = (Word2)u[i] + (i < n ? v[i] : 0) + carry;
        u[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    return (uint64_t)digit - 1;
}

static void
divide_wide(MlcArena *arena, MlcWide a, MlcWide b, MlcWide *quotient, MlcWide *remainder)
{
    size_t count = mlc_wide_num_words(a), n = (mlc_wide_active_bits(b) + 63) / 64;
    Scratch q = start(arena, a.width), r = start(arena, a.width);
    memcpy(n == 1 ? q.words : r.words, a.words, count * sizeof *a.words);
    if (n == 1) {
        r.words[0] = divide_by_word(q.words, count, b.words[0]);
        *quotient = finish(&q);
        *remainder = finish(&r);
        return;
    }
    // u = a and v = b, shifted until v's top bit is set; u has one word more than a.
    unsigned shift = (unsigned)__builtin_clzll(b.words[n - 1]);
    uint64_t *u = mlc_calloc(count + 1 + n, sizeof *u), *v = u + count + 1;
    for (size_t i = 0; i < count; i++) {
        u[i] |= a.words[i] << shift;
        u[i + 1] = shift ? a.words[i] >> (64 - shift) : 0;
    }
    for (size_t i = 0; i < n; i++)
        v[i] = b.words[i] << shift | (shift && i > 0 ? b.words[i - 1] >> (64 - shift) : 0);
    for (size_t i = count - n + 1; i-- > 0;)
        q.words[i] = quotient_digit(u + i, v, n);
    for (size_t i = 0; i < count; i++)
        r.words[i] = i < n ? u[i] >> shift | (shift ? u[i + 1] << (64 - shift) : 0) : 0;
    mlc_free(u);
    *quotient = finish(&q);
    *remainder = finish(&r);
}

static void
divide(MlcArena *arena, MlcWide a, MlcWide b, MlcWide *quotient, MlcWide *remainder)
{
    check_same_width(a, b);
    if (mlc_wide_is_zero(b))
        mlc_bug("division by zero");
    if (a.width > 64) {
        divide_wide(arena, a, b, quotient, remainder);
        return;
    }
    *quotient = narrow(a.width, a.word / b.word);
    *remainder = narrow(a.width, a.word % b.word);
}

static MlcWide
magnitude(MlcArena *arena, MlcWide a)
{
    return mlc_wide_is_negative(a) ? mlc_wide_neg(arena, a) : a;
}

MlcWide
mlc_wide_udiv(MlcArena *arena, MlcWide a, MlcWide b)
{
    MlcWide quotient, remainder;
    divide(arena, a, b, &quotient, &remainder);
    return quotient;
}

MlcWide
mlc_wide_urem(MlcArena *arena, MlcWide a, MlcWide b)
{
    MlcWide quotient, remainder;
    divide(arena, a, b, &quotient, &remainder);
    return remainder;
}

MlcWide
mlc_wide_sdiv(MlcArena *arena, MlcWide a, MlcWide b)
{
    MlcWide result = mlc_wide_udiv(arena, magnitude(arena, a), magnitude(arena, b));
    bool negative = mlc_wide_is_negative(a) != mlc_wide_is_negative(b);
    return negative ? mlc_wide_neg(arena, result) : result;
}

MlcWide
mlc_wide_srem(MlcArena *arena, MlcWide a, MlcWide b)
{
    MlcWide result = mlc_wide_urem(arena, magnitude(arena, a), magnitude(arena, b));
    return mlc_wide_is_negative(a) ? mlc_wide_neg(arena, result) : result;
}

// --- text

typedef struct Number {
    bool negative;
    unsigned base;
    MlcStr digits; // at least one, all valid
} Number;

static unsigned
digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 99;
}

static bool
split_number(MlcStr text, Number *number)
{
    *number = (Number){.base = 10};
    if (text.size > 0 && (text.data[0] == '-' || text.data[0] == '+')) {
        number->negative = text.data[0] == '-';
        text = mlc_str_n(text.data + 1, text.size - 1);
    }
    if (text.size > 2 && text.data[0] == '0' && (text.data[1] == 'x' || text.data[1] == 'X')) {
        number->base = 16;
        text = mlc_str_n(text.data + 2, text.size - 2);
    }
    for (size_t i = 0; i < text.size; i++)
        if (digit_value(text.data[i]) >= number->base)
            return false;
    while (text.size > 1 && text.data[0] == '0')
        text = mlc_str_n(text.data + 1, text.size - 1);
    number->digits = text;
    return text.size > 0;
}

// words = words * factor + summand; the carry out.
static uint64_t
multiply_add_word(uint64_t *words, size_t count, uint64_t factor, uint64_t summand)
{
    uint64_t carry = summand;
    for (size_t i = 0; i < count; i++) {
        Word2 sum = (Word2)words[i] * factor + carry;
        words[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    return carry;
}

#define DIGITS_PER_WORD 19
#define TEN_TO_19 UINT64_C(10000000000000000000)

// The magnitude into `words`, growing as it must (memory: mlc_malloc). Returns the words used, 0
// for the number 0.
static size_t
read_magnitude(const Number *number, uint64_t **words)
{
    MlcStr digits = number->digits;
    size_t per_word = number->base == 16 ? 16 : DIGITS_PER_WORD, used = 0;
    uint64_t *out = mlc_calloc(digits.size / per_word + 1, sizeof *out);
    for (size_t i = 0; i < digits.size;) {
        uint64_t chunk = 0, factor = 1;
        for (size_t j = 0; j < per_word - 1 && i < digits.size; j++, i++) {
            chunk = chunk * number->base + digit_value(digits.data[i]);
            factor *= number->base;
        }
        uint64_t carry = multiply_add_word(out, used, factor, chunk);
        if (carry)
            out[used++] = carry;
    }
    *words = out;
    return used;
}

static size_t
num_bits(const uint64_t *words, size_t count)
{
    return count ? 64 * count - (size_t)__builtin_clzll(words[count - 1]) : 0;
}

static bool
is_power_of_two(const uint64_t *words, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (words[i])
            return false;
    return count > 0 && (words[count - 1] & (words[count - 1] - 1)) == 0;
}

// Bits that hold the number: -2^(n-1) needs n bits, any other negative one a sign bit above its
// magnitude.
static size_t
bits_needed(const Number *number, const uint64_t *words, size_t count)
{
    size_t bits = num_bits(words, count);
    if (number->negative && bits > 0)
        return is_power_of_two(words, count) ? bits : bits + 1;
    return bits ? bits : 1;
}

// A decimal digit is worth more than 3.32 bits: text that cannot fit is refused before any
// arithmetic on it.
static bool
is_too_long(const Number *number)
{
    size_t bits_per_digit = number->base == 16 ? 4 : 3;
    return number->digits.size > MLC_WIDE_MAX_WIDTH / bits_per_digit + 1;
}

bool
mlc_wide_parse(MlcArena *arena, uint32_t width, MlcStr text, MlcWide *out)
{
    Number number;
    if (!split_number(text, &number) || number.digits.size > (size_t)width / 3 + 2)
        return false;
    uint64_t *words;
    size_t count = read_magnitude(&number, &words);
    bool is_zero = count == 0;
    bool fits = is_zero || bits_needed(&number, words, count) <= width;
    if (fits) {
        *out = mlc_wide_from_words(arena, width, words, count);
        if (number.negative)
            *out = mlc_wide_neg(arena, *out);
    }
    mlc_free(words);
    return fits;
}

size_t
mlc_wide_parse_bits(MlcStr text)
{
    Number number;
    if (!split_number(text, &number))
        return 0;
    if (is_too_long(&number))
        return SIZE_MAX;
    uint64_t *words;
    size_t count = read_magnitude(&number, &words);
    size_t bits = bits_needed(&number, words, count);
    mlc_free(words);
    return bits;
}

void
mlc_wide_print_unsigned(MlcBuf *buf, MlcWide a)
{
    uint64_t small;
    if (mlc_wide_try_as_uint(a, &small)) {
        mlc_buf_append_uint(buf, small);
        return;
    }
    size_t count = mlc_wide_num_words(a);
    uint64_t *left = mlc_malloc(count * sizeof *left);
    memcpy(left, a.words, count * sizeof *left);
    // Digits come from the low end: they go into a buffer that is filled from its end.
    size_t room = (size_t)a.width / 3 + DIGITS_PER_WORD + 1, at = room;
    char *digits = mlc_malloc(room);
    while (count > 0) {
        uint64_t chunk = divide_by_word(left, count, TEN_TO_19);
        while (count > 0 && left[count - 1] == 0)
            --count;
        for (int i = 0; i < DIGITS_PER_WORD && (chunk || count > 0); i++, chunk /= 10)
            digits[--at] = (char)('0' + chunk % 10);
    }
    mlc_buf_append(buf, digits + at, room - at);
    mlc_free(digits);
    mlc_free(left);
}

void
mlc_wide_print_signed(MlcBuf *buf, MlcWide a)
{
    int64_t small;
    if (mlc_wide_try_as_int(a, &small)) {
        mlc_buf_append_int(buf, small);
        return;
    }
    if (!mlc_wide_is_negative(a)) {
        mlc_wide_print_unsigned(buf, a);
        return;
    }
    MlcArena arena = {0};
    mlc_buf_append_char(buf, '-');
    mlc_wide_print_unsigned(buf, mlc_wide_neg(&arena, a));
    mlc_arena_release(&arena);
}

void
mlc_wide_print_hex(MlcBuf *buf, MlcWide a)
{
    const uint64_t *words = mlc_wide_words(&a);
    size_t count = (mlc_wide_active_bits(a) + 63) / 64;
    mlc_buf_append_c(buf, "0x");
    mlc_buf_append_hex(buf, count ? words[count - 1] : 0, 1);
    for (size_t i = count; i-- > 1;)
        mlc_buf_append_hex(buf, words[i - 1], 16);
}
