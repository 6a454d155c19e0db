// scan.c -- the next token: what texts consist of mostly is found here, the rest by flex (lexer.l).
//
// Names, numbers, punctuation, plain strings and the blanks between them are nine tokens in ten; a
// loop over a table of character classes finds them in a fraction of the automaton's time, and
// without its NUL behind the token, so that pages of a mapped file stay clean. Whatever begins or
// goes on in any other way is left to flex, from its start: what a token is stays written there.
#include "parse_impl.h"
#include "text.tab.h"

enum { BLANK = 1, DIGIT = 2, LETTER = 4, IN_NAME = 8, IN_SUFFIX = 16, IN_STRING = 32 };

#define A (LETTER | IN_NAME | IN_SUFFIX | IN_STRING)
#define D (DIGIT | IN_NAME | IN_SUFFIX | IN_STRING)
#define S IN_STRING
#define B (BLANK | IN_STRING)
#define N (IN_NAME | IN_SUFFIX | IN_STRING) // in names, not at their start
#define X (IN_SUFFIX | IN_STRING)
#define EIGHT(c) c, c, c, c, c, c, c, c
// clang-format off
static const uint8_t classes[256] = {
    0, S, S, S, S, S, S, S, S, B, BLANK, 0, 0, B, S, S, // tab, newline, \v, \f, \r
    EIGHT(S), EIGHT(S),
    B, S, 0, S, N, S, S, S, S, S, S, S, S, X, N, S, // ' ' " $ - .
    D, D, D, D, D, D, D, D, D, D, S, S, S, S, S, S,
    S, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,
    A, A, A, A, A, A, A, A, A, A, A, S, 0, S, S, A, // backslash, _
    S, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,
    A, A, A, A, A, A, A, A, A, A, A, S, S, S, S, S,
    EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S),
    EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S), EIGHT(S),
};
// clang-format on
#undef A
#undef D
#undef S
#undef B
#undef N
#undef X

static inline bool
is(char c, unsigned class)
{
    return classes[(unsigned char)c] & class;
}

static const char *
skip_blanks(const char *at, const char *end)
{
    for (;;) {
        while (is(*at, BLANK))
            at++;
        if (at[0] != '/' || at[1] != '/')
            return at;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline : end;
    }
}

// Past the '>' that closes the '<' at `at`; NULL and *where if it is not closed.
static const char *
skip_body(MlcLexer *lexer, const char *at, const char **where)
{
    const char *end = lexer->text.data + lexer->text.size;
    char open[256];
    size_t depth = 0;
    do {
        if (at >= end)
            return *where = end, NULL;
        char c = *at++;
        switch (c) {
        case '<':
        case '[':
        case '(':
        case '{':
            if (depth == sizeof open)
                return *where = at - 1, NULL;
            open[depth++] = c;
            break;
        case '-':
            if (at < end && *at == '>')
                at++;
            break;
        case '>':
        case ']':
        case ')':
        case '}':
            if (open[depth - 1] != (c == '>' ? '<' : c == ']' ? '[' : c == ')' ? '(' : '{'))
                return *where = at - 1, NULL;
            depth--;
            break;
        case '"':
            while (at < end && *at != '"' && *at != '\n')
                at += *at == '\\' && at + 1 < end ? 2 : 1;
            if (at >= end || *at != '"')
                return *where = at, NULL;
            at++;
            break;
        }
    } while (depth > 0);
    return at;
}

// The dialect's name in `!foo.bar` or `#foo`.
static MlcStr
dialect_of(const char *at, const char *end)
{
    const char *dot = memchr(at + 1, '.', (size_t)(end - at - 1));
    return mlc_str_n(at + 1, (size_t)((dot ? dot : end) - at - 1));
}

// The body of a foreign symbol becomes part of it.
static int
finish_symbol(MlcLexer *lexer, int token, const char *start, const char **end)
{
    if (**end != '<' || !lexer->is_foreign(lexer->user, dialect_of(start, *end)))
        return token;
    const char *where = NULL, *past = skip_body(lexer, *end, &where);
    if (past) {
        *end = past;
        return token;
    }
    lexer->failed = where;
    return TOK_BAD;
}

// [su]?i[1-9][0-9]*
static bool
is_integer_type(const char *at, const char *end)
{
    at += *at == 's' || *at == 'u';
    if (*at != 'i' || at[1] < '1' || at[1] > '9')
        return false;
    for (at += 2; at < end; at++)
        if (!is(*at, DIGIT))
            return false;
    return true;
}

static bool
is_shaped(MlcStr word)
{
    return word.size == 6 &&
           (memcmp(word.data, "memref", 6) == 0 || memcmp(word.data, "vector", 6) == 0 ||
            memcmp(word.data, "tensor", 6) == 0);
}

static int
scan_word(MlcLexer *lexer, const char *at, const char **end)
{
    const char *past = at + 1;
    while (is(*past, IN_NAME))
        past++;
    *end = past;
    if ((*at == 'i' || *at == 's' || *at == 'u') && is_integer_type(at, past))
        return TOK_INTTYPE;
    lexer->shaped = is_shaped(mlc_str_n(at, (size_t)(past - at)));
    return TOK_BARE;
}

// What follows a sigil: digits, or a name. 0: flex knows.
static int
scan_suffix(int token, const char *at, const char **end)
{
    unsigned class = is(at[1], DIGIT) ? DIGIT : IN_SUFFIX;
    const char *past = at + 1;
    while (is(*past, class))
        past++;
    *end = past;
    return past > at + 1 && at[1] != '-' ? token : 0;
}

static int
scan_string(const char *at, const char **end)
{
    while (is(*at, IN_STRING))
        at++;
    *end = at + 1;
    return *at == '"' ? TOK_STRING : 0;
}

// 0: flex knows.
static int
scan(MlcLexer *lexer, const char *at, const char **end)
{
    if (is(*at, LETTER))
        return scan_word(lexer, at, end);
    if (is(*at, DIGIT)) {
        const char *past = at + 1;
        while (is(*past, DIGIT))
            past++;
        *end = past;
        return *past == '.' || (*at == '0' && at[1] == 'x') ? 0 : TOK_INT;
    }
    *end = at + 1;
    switch (*at) {
    case '%':
        return scan_suffix(TOK_PERCENT, at, end);
    case '^':
        return scan_suffix(TOK_CARET, at, end);
    case '@':
        return scan_suffix(TOK_AT, at, end);
    case '!':
        return scan_suffix(TOK_BANG, at, end);
    case '#':
        return scan_suffix(TOK_HASH, at, end);
    case '"':
        return scan_string(at + 1, end);
    case '-':
        *end += at[1] == '>';
        return at[1] == '>' ? TOK_ARROW : '-';
    case ':':
        return at[1] == ':' ? 0 : ':';
    case '{':
        return at[1] == '-' ? 0 : '{';
    case ',':
    case '=':
    case '>':
    case '}':
    case '(':
    case ')':
    case '[':
    case ']':
    case '<':
    case '+':
    case '*':
    case '?':
    case '|':
        return *at;
    default:
        return 0;
    }
}

int
mlc_lexer_next(MlcLexer *lexer, const char **start, const char **end)
{
    bool was_shaped = lexer->shaped;
    lexer->shaped = false;
    int token = 0;
    if (!lexer->in_dims) {
        *start = skip_blanks(lexer->at, lexer->text.data + lexer->text.size);
        token = scan(lexer, *start, end);
    }
    if (!token)
        token = mlc_lexer_flex(lexer, start, end);
    if (token == TOK_BANG || token == TOK_HASH)
        token = finish_symbol(lexer, token, *start, end);
    lexer->in_dims |= token == '<' && was_shaped;
    lexer->at = *end;
    return token;
}

void
mlc_lexer_seek(MlcLexer *lexer, const char *at, bool in_dims)
{
    lexer->failed = NULL;
    lexer->shaped = false;
    lexer->at = at;
    lexer->in_dims = in_dims;
}
