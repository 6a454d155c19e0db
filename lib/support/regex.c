// regex.c -- regular expressions to programs (regex.h).
//
// One pass over the pattern, which writes instructions as it goes. Targets are relative, so what
// was written may move when a choice is put before it. A repetition reads its operand as often as
// it needs it: what it costs is counted, since repetitions of repetitions multiply.
#include "mlc/support/regex.h"

#include "mlc/support/alloc.h"
#include "mlc/support/vec.h"

#include <ctype.h>
#include <stdlib.h>

enum {
    MAX_PROGRAM = 20000, // instructions
    MAX_READ = 1 << 20,  // operands of repetitions, read again
    MAX_DEPTH = 200,     // of groups
    MAX_REPEAT = 1000,   // RE2's
    LAST_CHARACTER = 0x10ffff,
    NO_LIMIT = -1,
    NO_UTF8 = INT32_MAX, // what mlc_utf8_next gives for bytes that are none is above this
};

typedef MLC_VEC(MlcRegexRange) Ranges;
typedef MLC_VEC(MlcRegexInstruction) Instructions;

typedef struct Flags {
    bool ignore_case, multi_line, dot_all, ungreedy;
} Flags;

typedef struct Compiler {
    MlcStr pattern;
    size_t at;
    Flags flags;
    Instructions code;
    Ranges ranges;
    unsigned depth, num_read;
    MlcBuf *error;
    bool failed;
} Compiler;

static bool
fail_at(Compiler *c, size_t at, const char *what)
{
    if (!c->failed)
        mlc_buf_printf(c->error, "at byte %zu: %s", at, what);
    c->failed = true;
    return false;
}

static bool
fail(Compiler *c, const char *what)
{
    return fail_at(c, c->at, what);
}

static bool
is_at_end(const Compiler *c)
{
    return c->at >= c->pattern.size;
}

static char
peek(const Compiler *c, size_t ahead)
{
    return c->at + ahead < c->pattern.size ? c->pattern.data[c->at + ahead] : '\0';
}

static bool
take(Compiler *c, const char *text)
{
    size_t size = strlen(text);
    if (c->pattern.size - c->at < size || memcmp(c->pattern.data + c->at, text, size) != 0)
        return false;
    c->at += size;
    return true;
}

static bool
take_character(Compiler *c, uint32_t *character)
{
    const char *at = c->pattern.data + c->at;
    if (is_at_end(c))
        return fail(c, "the pattern ends here");
    if (!mlc_utf8_next(&at, c->pattern.data + c->pattern.size, character))
        return fail(c, "no valid UTF-8");
    c->at = (size_t)(at - c->pattern.data);
    return true;
}

// ---- code

static bool
emit(Compiler *c, MlcRegexOp op, int32_t a, int32_t b)
{
    if (c->code.size >= MAX_PROGRAM)
        return fail(c, "a pattern that takes more than 20000 steps");
    mlc_vec_push(&c->code, ((MlcRegexInstruction){op, a, b}));
    return true;
}

// Before what was written from `start` on.
static bool
insert(Compiler *c, size_t start, MlcRegexOp op, int32_t a, int32_t b)
{
    if (!emit(c, op, a, b))
        return false;
    MlcRegexInstruction *code = c->code.data, made = code[c->code.size - 1];
    memmove(code + start + 1, code + start, (c->code.size - 1 - start) * sizeof *code);
    code[start] = made;
    return true;
}

static int
by_first(const void *a, const void *b)
{
    const MlcRegexRange *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static void
add_range(Ranges *set, uint32_t first, uint32_t last)
{
    mlc_vec_push(set, ((MlcRegexRange){first, last}));
}

// The other case of ASCII letters.
static bool
fold(Compiler *c, Ranges *set)
{
    size_t count = set->size;
    for (size_t i = 0; i < count; i++) {
        MlcRegexRange range = set->data[i];
        if (range.first == range.last && range.first > 0x7f)
            return fail(c, "(?i) is for letters of ASCII");
        for (uint32_t l = 'a'; l <= 'z'; l++) {
            if (l >= range.first && l <= range.last)
                add_range(set, l - 32, l - 32);
            if (l - 32 >= range.first && l - 32 <= range.last)
                add_range(set, l, l);
        }
    }
    return true;
}

// In order, without overlaps.
static void
put_in_order(Ranges *set)
{
    size_t kept = 0;
    if (set->size > 1)
        qsort(set->data, set->size, sizeof *set->data, by_first);
    for (size_t i = 0; i < set->size; i++) {
        MlcRegexRange *last = kept ? &set->data[kept - 1] : NULL;
        if (last && set->data[i].first <= last->last + 1)
            last->last = last->last > set->data[i].last ? last->last : set->data[i].last;
        else
            set->data[kept++] = set->data[i];
    }
    set->size = kept;
}

static void
negate(Ranges *set)
{
    Ranges made = {0};
    uint32_t next = 0;
    put_in_order(set);
    for (size_t i = 0; i < set->size; i++) {
        if (set->data[i].first > next)
            add_range(&made, next, set->data[i].first - 1);
        next = set->data[i].last + 1;
    }
    if (next <= LAST_CHARACTER)
        add_range(&made, next, LAST_CHARACTER);
    add_range(&made, NO_UTF8, UINT32_MAX - 1);
    mlc_vec_release(set);
    *set = made;
}

// One character of the set, which is released.
static bool
emit_set(Compiler *c, Ranges *set)
{
    put_in_order(set);
    size_t first = c->ranges.size;
    for (size_t i = 0; i < set->size; i++)
        mlc_vec_push(&c->ranges, set->data[i]);
    bool ok = emit(c, MLC_REGEX_CHARS, (int32_t)first, (int32_t)set->size);
    mlc_vec_release(set);
    return ok;
}

// ---- classes

static const struct {
    const char *name;
    MlcRegexRange ranges[4];
} classes[] = {
    {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
    {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
    {"ascii", {{0, 127}}},
    {"blank", {{'\t', '\t'}, {' ', ' '}}},
    {"cntrl", {{0, 31}, {127, 127}}},
    {"digit", {{'0', '9'}}},
    {"graph", {{'!', '~'}}},
    {"lower", {{'a', 'z'}}},
    {"print", {{' ', '~'}}},
    {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
    {"space", {{'\t', '\r'}, {' ', ' '}}},
    {"upper", {{'A', 'Z'}}},
    {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
    {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
    {"\\s", {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}},
};
enum { NUM_CLASSES = sizeof classes / sizeof *classes };

static bool
add_class(Ranges *set, MlcStr name, bool is_negated)
{
    Ranges made = {0};
    size_t i = 0;
    while (i < NUM_CLASSES && !mlc_str_equal(name, mlc_str(classes[i].name)))
        i++;
    if (i == NUM_CLASSES)
        return false;
    for (size_t k = 0; k < 4 && classes[i].ranges[k].last > 0; k++)
        mlc_vec_push(&made, classes[i].ranges[k]);
    if (is_negated)
        negate(&made);
    for (size_t k = 0; k < made.size; k++)
        mlc_vec_push(set, made.data[k]);
    mlc_vec_release(&made);
    return true;
}

// \d, \D and their kin.
static bool
take_class_escape(Compiler *c, Ranges *set)
{
    static const char letters[] = "dDsSwW";
    static const char *const names[] = {"digit", "\\s", "word"};
    const char *found = peek(c, 0) == '\\' && peek(c, 1) ? strchr(letters, peek(c, 1)) : NULL;
    if (!found)
        return false;
    c->at += 2;
    return add_class(set, mlc_str(names[(found - letters) / 2]), (found - letters) % 2);
}

static bool
take_hex(Compiler *c, uint32_t *character)
{
    bool braced = take(c, "{");
    unsigned digits = 0;
    *character = 0;
    for (; isxdigit((unsigned char)peek(c, 0)) && digits < (braced ? 8 : 2); digits++, c->at++) {
        int digit = peek(c, 0);
        *character =
            *character * 16 + (uint32_t)(isdigit(digit) ? digit - '0' : tolower(digit) - 'a' + 10);
    }
    if (digits == 0 || (!braced && digits < 2) || (braced && !take(c, "}")) ||
        *character > LAST_CHARACTER)
        return fail(c, "a hexadecimal number that is no character");
    return true;
}

// Behind a backslash: one character.
static bool
take_escape(Compiler *c, uint32_t *character)
{
    static const char from[] = "aftnrv", to[] = "\a\f\t\n\r\v";
    size_t start = c->at;
    if (!take_character(c, character))
        return false;
    const char *found = *character && *character < 128 ? strchr(from, (int)*character) : NULL;
    if (found)
        return *character = (uint32_t)to[found - from], true;
    if (*character == 'x')
        return take_hex(c, character);
    if (*character >= '0' && *character <= '7') {
        bool is_octal = *character == '0' || (peek(c, 0) >= '0' && peek(c, 0) <= '7');
        if (!is_octal)
            return fail_at(c, start, "a reference to a group");
        *character -= '0';
        for (int i = 0; i < 2 && peek(c, 0) >= '0' && peek(c, 0) <= '7'; i++)
            *character = *character * 8 + (uint32_t)(c->pattern.data[c->at++] - '0');
        return true;
    }
    if (*character == 'p' || *character == 'P')
        return fail_at(c, start, "a class of Unicode, which is not supported");
    if (*character == 'C')
        return fail_at(c, start, "\\C, which is not supported");
    if (*character < 128 && isalnum((int)*character))
        return fail_at(c, start, "an unknown escape");
    return true;
}

static bool
take_class_character(Compiler *c, uint32_t *character)
{
    return take(c, "\\") ? take_escape(c, character) : take_character(c, character);
}

// [:alpha:], [:^alpha:]
static bool
take_named_class(Compiler *c, Ranges *set)
{
    size_t start = c->at;
    if (!take(c, "[:"))
        return false;
    bool is_negated = take(c, "^");
    size_t begin = c->at;
    while (isalpha((unsigned char)peek(c, 0)))
        c->at++;
    MlcStr name = mlc_str_n(c->pattern.data + begin, c->at - begin);
    if (!take(c, ":]") || !add_class(set, name, is_negated)) {
        c->at = start;
        return fail(c, "an unknown class of characters");
    }
    return true;
}

static bool
take_range(Compiler *c, Ranges *set)
{
    uint32_t first, last;
    size_t start = c->at;
    if (!take_class_character(c, &first))
        return false;
    last = first;
    if (peek(c, 0) == '-' && peek(c, 1) && peek(c, 1) != ']') {
        c->at++;
        if (!take_class_character(c, &last))
            return false;
    }
    if (last < first)
        return fail_at(c, start, "a range whose end comes before its start");
    add_range(set, first, last);
    return true;
}

// Behind "[".
static bool
take_set(Compiler *c)
{
    Ranges set = {0};
    size_t start = c->at - 1;
    bool is_negated = take(c, "^"), is_first = true;
    while (!c->failed && (is_first || peek(c, 0) != ']')) {
        if (is_at_end(c))
            fail_at(c, start, "a bracket that is not closed");
        else if (!take_named_class(c, &set) && !c->failed && !take_class_escape(c, &set))
            take_range(c, &set);
        is_first = false;
    }
    c->at++;
    if (!c->failed && c->flags.ignore_case)
        fold(c, &set);
    if (!c->failed && is_negated)
        negate(&set);
    if (!c->failed)
        return emit_set(c, &set);
    mlc_vec_release(&set);
    return false;
}

// ---- what is one

static bool
emit_character(Compiler *c, uint32_t character)
{
    Ranges set = {0};
    add_range(&set, character, character);
    if (!c->flags.ignore_case || fold(c, &set))
        return emit_set(c, &set);
    mlc_vec_release(&set);
    return false;
}

static bool
emit_any(Compiler *c)
{
    Ranges set = {0};
    if (!c->flags.dot_all)
        add_range(&set, '\n', '\n');
    negate(&set);
    return emit_set(c, &set);
}

static bool
take_quoted(Compiler *c)
{
    uint32_t character;
    while (!is_at_end(c) && !take(c, "\\E"))
        if (!take_character(c, &character) || !emit_character(c, character))
            return false;
    return (peek(c, 0) != '*' && peek(c, 0) != '+' && peek(c, 0) != '?' && peek(c, 0) != '{') ||
           fail(c, "a repetition of quoted text, which is not supported");
}

static bool take_choices(Compiler *c);

// "im-s", then ")" or ":".
static bool
take_flags(Compiler *c, Flags *flags, bool *is_group)
{
    bool value = true;
    size_t start = c->at;
    for (; !is_at_end(c); c->at++) {
        char flag = peek(c, 0);
        bool *place = flag == 'i'   ? &flags->ignore_case
                      : flag == 'm' ? &flags->multi_line
                      : flag == 's' ? &flags->dot_all
                      : flag == 'U' ? &flags->ungreedy
                                    : NULL;
        if (place)
            *place = value;
        else if (flag == '-' && value)
            value = false;
        else if (flag == ')' || flag == ':')
            return c->at++, *is_group = flag == ':', true;
        else
            break;
    }
    return fail_at(c, start, "an unknown kind of group");
}

// The name of (?P<name>...), which nobody asks for.
static bool
take_name(Compiler *c)
{
    size_t start = c->at;
    while (isalnum((unsigned char)peek(c, 0)) || peek(c, 0) == '_')
        c->at++;
    return (c->at > start && take(c, ">")) || fail_at(c, start, "no name of a group");
}

// Behind "(".
static bool
take_group(Compiler *c)
{
    size_t start = c->at - 1;
    Flags outside = c->flags, inside = c->flags;
    bool is_group = true, is_named = take(c, "?P<") || take(c, "?<");
    if (is_named ? !take_name(c) : take(c, "?") && !take_flags(c, &inside, &is_group))
        return false;
    c->flags = inside;
    if (!is_group) // until the group around ends
        return true;
    if (++c->depth > MAX_DEPTH)
        return fail_at(c, start, "groups deeper than 200");
    if (!take_choices(c))
        return false;
    c->depth--;
    c->flags = outside;
    return take(c, ")") || fail_at(c, start, "a parenthesis that is not closed");
}

static bool
take_assertion(Compiler *c)
{
    static const struct {
        const char *text;
        MlcRegexAssertion plain, of_lines;
    } rows[] = {
        {"^", MLC_REGEX_TEXT_START, MLC_REGEX_LINE_START},
        {"$", MLC_REGEX_TEXT_END, MLC_REGEX_LINE_END},
        {"\\A", MLC_REGEX_TEXT_START, MLC_REGEX_TEXT_START},
        {"\\z", MLC_REGEX_TEXT_END, MLC_REGEX_TEXT_END},
        {"\\b", MLC_REGEX_WORD_EDGE, MLC_REGEX_WORD_EDGE},
        {"\\B", MLC_REGEX_NO_WORD_EDGE, MLC_REGEX_NO_WORD_EDGE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (take(c, rows[i].text))
            return emit(c, MLC_REGEX_ASSERT,
                        (int32_t)(c->flags.multi_line ? rows[i].of_lines : rows[i].plain), 0);
    return false;
}

// What a repetition repeats.
static bool
take_atom(Compiler *c)
{
    Ranges set = {0};
    uint32_t character;
    if (++c->num_read > MAX_READ)
        return fail(c, "repetitions of repetitions that take too long");
    if (take_assertion(c) || c->failed)
        return !c->failed;
    if (take(c, "("))
        return take_group(c);
    if (take(c, "["))
        return take_set(c);
    if (take(c, "."))
        return emit_any(c);
    if (take(c, "\\Q"))
        return take_quoted(c);
    if (take_class_escape(c, &set))
        return emit_set(c, &set);
    if (strchr("*+?", peek(c, 0)) && peek(c, 0))
        return fail(c, "nothing is repeated here");
    return (take(c, "\\") ? take_escape(c, &character) : take_character(c, &character)) &&
           emit_character(c, character);
}

// ---- repetition

static bool
take_number(Compiler *c, int *number)
{
    size_t start = c->at;
    for (*number = 0; isdigit((unsigned char)peek(c, 0)) && *number <= MAX_REPEAT; c->at++)
        *number = *number * 10 + (peek(c, 0) - '0');
    return c->at > start;
}

// "*", "{2,}"... False: there is none; what looks like one and is not stands for itself.
static bool
take_repeat(Compiler *c, int *least, int *most)
{
    size_t start = c->at;
    *least = 0;
    *most = NO_LIMIT;
    if (take(c, "*"))
        return true;
    if (take(c, "+"))
        return *least = 1, true;
    if (take(c, "?"))
        return *most = 1, true;
    if (take(c, "{") && take_number(c, least)) {
        *most = *least;
        if (take(c, ",") && !take_number(c, most))
            *most = NO_LIMIT;
        if (take(c, "}"))
            return true;
    }
    c->at = start;
    return false;
}

// The operand once more: it stands from `from` on.
static bool
repeat_atom(Compiler *c, size_t from, Flags flags)
{
    size_t behind = c->at;
    Flags now = c->flags;
    c->at = from;
    c->flags = flags;
    bool ok = take_atom(c);
    c->at = behind;
    c->flags = now;
    return ok;
}

// What was written from `start` on, any number of times.
static bool
make_loop(Compiler *c, size_t start)
{
    int32_t size = (int32_t)(c->code.size - start);
    return insert(c, start, MLC_REGEX_SPLIT, 1, size + 2) && emit(c, MLC_REGEX_JUMP, -size - 1, 0);
}

// The atom stands in the pattern from `from` on and was written once, from `start` on.
static bool
repeat(Compiler *c, size_t from, Flags flags, size_t start, int least, int most)
{
    size_t last = start;
    if (least > MAX_REPEAT || most > MAX_REPEAT || (most != NO_LIMIT && most < least))
        return fail(c, "a repetition that is out of order, or of more than 1000");
    if (most == 0) {
        c->code.size = start;
        return true;
    }
    for (int i = 1; i < least; i++) {
        last = c->code.size;
        if (!repeat_atom(c, from, flags))
            return false;
    }
    if (most == NO_LIMIT && least == 0)
        return make_loop(c, start);
    if (most == NO_LIMIT) { // the last one again and again
        int32_t size = (int32_t)(c->code.size - last);
        return emit(c, MLC_REGEX_SPLIT, -size, 1);
    }
    // Those that may be left out: each has a choice before it, which goes to the end of all.
    MLC_VEC(size_t) choices = {0};
    bool ok = true;
    for (int i = least; ok && i < most; i++) {
        size_t begin = i == 0 ? start : c->code.size;
        ok = (i == 0 || repeat_atom(c, from, flags)) && insert(c, begin, MLC_REGEX_SPLIT, 1, 0);
        mlc_vec_push(&choices, begin);
    }
    for (size_t i = 0; ok && i < choices.size; i++)
        c->code.data[choices.data[i]].b = (int32_t)(c->code.size - choices.data[i]);
    mlc_vec_release(&choices);
    return ok;
}

static bool
take_repeated(Compiler *c)
{
    size_t from = c->at, start = c->code.size;
    Flags flags = c->flags;
    int least, most;
    if (!take_atom(c))
        return false;
    size_t at = c->at;
    if (!take_repeat(c, &least, &most))
        return true;
    (void)take(c, "?"); // fewest first: of a whole text that matches or not it is the same
    if (!repeat(c, from, flags, start, least, most))
        return false;
    if (take_repeat(c, &least, &most))
        return fail_at(c, at, "a repetition of a repetition");
    return true;
}

static bool
take_row(Compiler *c)
{
    while (!is_at_end(c) && peek(c, 0) != '|' && peek(c, 0) != ')')
        if (!take_repeated(c))
            return false;
    return true;
}

// Rows between "|".
static bool
take_choices(Compiler *c)
{
    size_t start = c->code.size;
    if (!take_row(c))
        return false;
    while (take(c, "|")) {
        size_t size = c->code.size - start;
        if (!insert(c, start, MLC_REGEX_SPLIT, 1, (int32_t)size + 2) ||
            !emit(c, MLC_REGEX_JUMP, 0, 0))
            return false;
        size_t jump = c->code.size - 1;
        if (!take_row(c))
            return false;
        c->code.data[jump].a = (int32_t)(c->code.size - jump);
    }
    return true;
}

bool
mlc_regex_compile(MlcStr pattern, MlcBuf *program, MlcBuf *error)
{
    Compiler c = {.pattern = pattern, .error = error};
    bool ok = take_choices(&c) &&
              (is_at_end(&c) || fail(&c, "a parenthesis that was not opened")) &&
              emit(&c, MLC_REGEX_END, 0, 0);
    if (ok) {
        MlcRegexHeader header = {(uint32_t)c.code.size, (uint32_t)c.ranges.size};
        mlc_buf_append(program, &header, sizeof header);
        mlc_buf_append(program, c.code.data, c.code.size * sizeof *c.code.data);
        mlc_buf_append(program, c.ranges.data, c.ranges.size * sizeof *c.ranges.data);
    }
    mlc_vec_release(&c.code);
    mlc_vec_release(&c.ranges);
    return ok;
}
