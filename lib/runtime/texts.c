// texts.c -- what compiled code asks of strings: MLC_RT_TEXTS (mlc/runtime/abi.h).
//
// Texts are what Python and numpy make of them: cuts at whitespace are those of str.split, numbers
// are the shortest that give the same number again. Upper and lower case go character by character
// (Unicode's simple mapping, from the C library's own locale), so that "ß" stays.
#include "texts.h"

#include "mlc/support/regex.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <wctype.h>

static const char unknown[] = "a question about strings that this runtime does not know";
static const char no_memory[] = "not enough memory for a session";

typedef struct Bytes {
    char *data;
    size_t size, room;
} Bytes;

static bool
append(Bytes *out, const char *data, size_t size)
{
    if (size > SIZE_MAX / 4 - out->size)
        return false;
    if (out->size + size > out->room) {
        size_t room = 2 * (out->size + size) + 64;
        char *grown = realloc(out->data, room);
        if (!grown)
            return false;
        out->data = grown;
        out->room = room;
    }
    if (size)
        memcpy(out->data + out->size, data, size);
    out->size += size;
    return true;
}

// Gives the string a number, and releases it.
static const char *
keep(MlcRtTexts *t, Bytes *made, bool ok, int64_t *result)
{
    *result =
        ok ? mlc_rt_text_number(t, (MlcRtString){made->data ? made->data : "", made->size}) : -1;
    free(made->data);
    return *result < 0 ? no_memory : NULL;
}

static const char *
concat(MlcRtTexts *t, MlcRtString a, MlcRtString b, int64_t *result)
{
    Bytes made = {0};
    bool ok = append(&made, a.data, a.size) && append(&made, b.data, b.size);
    return keep(t, &made, ok, result);
}

// ---- upper and lower case

static locale_t utf8_locale;

static void
make_locale(void)
{
    utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

static bool
append_character(Bytes *out, uint32_t c)
{
    char b[4];
    size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (size == 1)
        b[0] = (char)c;
    for (size_t i = size; size > 1 && i-- > 0; c >>= 6)
        b[i] = (char)(i ? 0x80 | (c & 0x3f) : (0xf00u >> size & 0xff) | c);
    return append(out, b, size);
}

static const char *
change_case(MlcRtTexts *t, MlcRtString a, bool to_upper, int64_t *result)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    Bytes made = {0};
    bool ok = true;
    pthread_once(&once, make_locale);
    if (!utf8_locale)
        return unknown; // this system has no C.UTF-8
    for (const char *at = a.data, *end = a.data + a.size; ok && at < end;) {
        const char *start = at;
        uint32_t c;
        if (mlc_utf8_next(&at, end, &c))
            ok = append_character(&made, to_upper ? (uint32_t)towupper_l((wint_t)c, utf8_locale)
                                                  : (uint32_t)towlower_l((wint_t)c, utf8_locale));
        else
            ok = append(&made, start, (size_t)(at - start));
    }
    return keep(t, &made, ok, result);
}

// ---- parts

// Python's str.isspace.
static bool
is_space(uint32_t c)
{
    return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

// To the first character that is space, or is none.
static const char *
skip(const char *at, const char *end, bool space)
{
    while (at < end) {
        const char *next = at;
        uint32_t c;
        bool is = mlc_utf8_next(&next, end, &c) && is_space(c);
        if (is != space)
            break;
        at = next;
    }
    return at;
}

static bool
next_at_space(MlcRtCutter *c, MlcRtString *part)
{
    const char *start = c->at = skip(c->at, c->end, true);
    if (start == c->end)
        return false;
    const char *end = c->most == 0 ? c->end : skip(start, c->end, false);
    c->most -= c->most > 0;
    c->at = end;
    *part = (MlcRtString){start, (size_t)(end - start)};
    return true;
}

static bool
next_part(MlcRtCutter *c, MlcRtString *part)
{
    if (c->delimiter.size == 0)
        return next_at_space(c, part);
    if (c->is_done)
        return false;
    const char *found =
        c->most == 0 || c->at == c->end
            ? NULL
            : memmem(c->at, (size_t)(c->end - c->at), c->delimiter.data, c->delimiter.size);
    *part = (MlcRtString){c->at, (size_t)((found ? found : c->end) - c->at)};
    c->is_done = !found;
    c->at = found ? found + c->delimiter.size : c->end;
    c->most -= c->most > 0;
    return true;
}

static int64_t
count_parts(MlcRtCutter c)
{
    MlcRtString part;
    int64_t count = 0;
    while (next_part(&c, &part))
        count++;
    return count;
}

// Parts are asked for in their order: the walk goes on where the last one ended.
static const char *
find_part(MlcRtTexts *t, const int64_t args[4], MlcRtCutter start, int64_t *result)
{
    MlcRtWalk *walk = &t->walk;
    MlcRtString part = {"", 0};
    if (!walk->cutter.end || walk->num_taken > args[3] ||
        memcmp(walk->args, args, sizeof walk->args) != 0) {
        *walk = (MlcRtWalk){.cutter = start};
        memcpy(walk->args, args, sizeof walk->args);
    }
    while (walk->num_taken <= args[3]) {
        if (next_part(&walk->cutter, &part)) {
            walk->num_taken++;
        } else {
            part = (MlcRtString){"", 0};
            break;
        }
    }
    *result = mlc_rt_text_number(t, part);
    return *result < 0 ? no_memory : NULL;
}

// ---- numbers

// The whole text but whitespace around it.
static const char *
to_number(MlcRtString a, bool is_float, int64_t *result)
{
    char text[256], *end = text;
    const char *start = skip(a.data, a.data + a.size, true);
    size_t size = a.size - (size_t)(start - a.data);
    double number = 0;
    *result = 0;
    if (size >= sizeof text || size == 0)
        return "a string that is no number";
    memcpy(text, start, size);
    text[size] = '\0';
    errno = 0;
    if (is_float) {
        locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
        number = c ? strtod_l(text, &end, c) : 0;
        if (c)
            freelocale(c);
        memcpy(result, &number, sizeof number);
    } else {
        *result = strtoll(text, &end, 10);
    }
    bool is_all = end > text && skip(end, text + size, true) == text + size;
    if (!is_all || strpbrk(text, "xXpP"))
        return "a string that is no number";
    return !is_float && errno == ERANGE ? "a string that is no integer of 64 bits" : NULL;
}

// The fewest digits that give the number again.
static const char *
from_number(MlcRtTexts *t, double number, bool is_single, int64_t *result)
{
    char text[64];
    int size = 0;
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = c ? uselocale(c) : 0;
    bool is_plain = number == number && number - number == 0;
    for (int digits = 1; is_plain && digits <= 17; digits++) {
        size = snprintf(text, sizeof text, "%.*g", digits, number);
        double again = strtod(text, NULL);
        if (is_single ? (float)again == (float)number : again == number)
            break;
    }
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    const char *word = number != number ? "NaN" : number > 0 ? "INF" : "-INF";
    MlcRtString made =
        is_plain ? (MlcRtString){text, (size_t)size} : (MlcRtString){word, strlen(word)};
    *result = mlc_rt_text_number(t, made);
    return *result < 0 ? no_memory : NULL;
}

static const char *
from_integer(MlcRtTexts *t, int64_t number, int64_t *result)
{
    char text[32];
    int size = snprintf(text, sizeof text, "%lld", (long long)number);
    *result = mlc_rt_text_number(t, (MlcRtString){text, (size_t)size});
    return *result < 0 ? no_memory : NULL;
}

static double
float_of(int64_t bits)
{
    uint32_t half = (uint32_t)bits;
    float number;
    memcpy(&number, &half, sizeof number);
    return number;
}

static double
double_of(int64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool
is_less(MlcRtString a, MlcRtString b)
{
    size_t both = a.size < b.size ? a.size : b.size;
    int order = both ? memcmp(a.data, b.data, both) : 0;
    return order ? order < 0 : a.size < b.size;
}

const char *
mlc_rt_text_compute(MlcRtTexts *t, int64_t what, const int64_t args[4], int64_t *result)
{
    MlcRtString a = mlc_rt_text_string(t, args[0]), b = mlc_rt_text_string(t, args[1]);
    MlcRtCutter cutter = {a.data, a.data + a.size, b, args[2], false};
    *result = 0;
    switch (what) {
    case MLC_RT_TEXT_concat:
        return concat(t, a, b, result);
    case MLC_RT_TEXT_lower:
    case MLC_RT_TEXT_upper:
        return change_case(t, a, what == MLC_RT_TEXT_upper, result);
    case MLC_RT_TEXT_match: {
        MlcRegexResult matches =
            mlc_regex_match((MlcStr){b.data, b.size}, (MlcStr){a.data, a.size});
        *result = matches == MLC_REGEX_MATCHES;
        return matches == MLC_REGEX_FAILED ? "a regular expression that cannot be run" : NULL;
    }
    case MLC_RT_TEXT_parts:
        return *result = count_parts(cutter), NULL;
    case MLC_RT_TEXT_part:
        return find_part(t, args, cutter, result);
    case MLC_RT_TEXT_to_f64:
    case MLC_RT_TEXT_to_i64:
        return to_number(a, what == MLC_RT_TEXT_to_f64, result);
    case MLC_RT_TEXT_from_f32:
        return from_number(t, float_of(args[0]), true, result);
    case MLC_RT_TEXT_from_f64:
        return from_number(t, double_of(args[0]), false, result);
    case MLC_RT_TEXT_from_i64:
        return from_integer(t, args[0], result);
    case MLC_RT_TEXT_less:
        return *result = is_less(a, b), NULL;
    default:
        return unknown;
    }
}
