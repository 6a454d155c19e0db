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

// Where and why a body is not closed; upstream points at its beginning, or at the last string in
// it. `open` 0: it has too many brackets in each other to tell.
static const char *
fail_body(MlcLexer *lexer, const char *at, char open)
{
    lexer->failed = at;
    lexer->unbalanced = open;
    return NULL;
}

// Past the '>' that closes the '<' at `at`; NULL if it is not closed.
static const char *
skip_body(MlcLexer *lexer, const char *at)
{
    const char *end = lexer->text.data + lexer->text.size, *where = at;
    char open[MAX_BRACKETS];
    size_t depth = 0;
    do {
        if (at >= end)
            return fail_body(lexer, where, open[depth - 1]);
        char c = *at++;
        switch (c) {
        case '\0':
            return fail_body(lexer, where, open[depth - 1]);
        case '<':
        case '[':
        case '(':
        case '{':
            if (depth == sizeof open)
                return fail_body(lexer, where, 0);
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
                return fail_body(lexer, where, open[depth - 1]);
            depth--;
            break;
        case '"':
            where = at - 1;
            while (at < end && *at != '"' && *at != '\n')
                at += *at == '\\' && at + 1 < end ? 2 : 1;
            if (at >= end || *at != '"')
                return fail_body(lexer, at, '"');
            at++;
            break;
        }
    } while (depth > 0);
    return at;
}

bool
mlc_lexer_is_closed(MlcLexer *lexer, const char *at)
{
    return skip_body(lexer, at) != NULL;
}

// The dialect's name in `!foo.bar` or `#foo`.
static MlcStr
dialect_of(const char *at, const char *end)
{
    const char *dot = memchr(at + 1, '.', (size_t)(end - at - 1));
    return mlc_str_n(at + 1, (size_t)((dot ? dot : end) - at - 1));
}

// The body of a foreign symbol becomes part of it. `*end` and the lexer are behind the symbol.
static __attribute__((noinline)) int
finish_symbol(MlcLexer *lexer, int token, const char *start, const char **end)
{
    if (!lexer->is_foreign(lexer->user, dialect_of(start, *end)))
        return token;
    const char *past = skip_body(lexer, *end);
    if (!past)
        return TOK_BAD;
    *end = lexer->at = past;
    return token;
}

// [su]?i[0-9]+
static inline bool
is_integer_type(const char *at, const char *end)
{
    at += *at == 's' || *at == 'u';
    if (*at != 'i' || at[1] < '0' || at[1] > '9')
        return false;
    for (at += 2; at < end; at++)
        if (!is(*at, DIGIT))
            return false;
    return true;
}

static inline bool
is_shaped(const char *at, const char *end)
{
    return end - at == 6 && (memcmp(at, "memref", 6) == 0 || memcmp(at, "vector", 6) == 0 ||
                             memcmp(at, "tensor", 6) == 0);
}

static __attribute__((noinline)) int
next_by_flex(MlcLexer *lexer, const char **start, const char **end)
{
    bool was_shaped = lexer->shaped == lexer->at;
    int token = mlc_lexer_flex(lexer, start, end);
    lexer->at = *end;
    if ((token == TOK_BANG || token == TOK_HASH) && **end == '<')
        token = finish_symbol(lexer, token, *start, end);
    lexer->in_dims |= token == '<' && was_shaped;
    return token;
}

// What a token is by its first character.
typedef enum Kind {
    BY_FLEX,
    ONE, // stands for itself
    WORD,
    NUMBER,
    SIGIL,
    QUOTE,
    MINUS,
    COLON,
    BRACE,
    LESS,
} Kind;

#define L WORD
#define N NUMBER
#define O ONE
// clang-format off
static const uint8_t kinds[256] = {
    EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0),
    0, SIGIL, QUOTE, SIGIL, 0, SIGIL, 0, 0, O, O, O, O, O, MINUS, 0, 0, // ' ' ! " # $ % & ' ( ) * + , - . /
    N, N, N, N, N, N, N, N, N, N, COLON, 0, LESS, O, O, O, // digits : ; < = > ?
    SIGIL, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, // @
    L, L, L, L, L, L, L, L, L, L, L, O, 0, O, SIGIL, L, // [ backslash ] ^ _
    0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    L, L, L, L, L, L, L, L, L, L, L, BRACE, O, O, // { | }
};
// clang-format on
#undef L
#undef N
#undef O

// [0-9]*([eE][+-]?[0-9]+)?
static const char *
skip_fraction(const char *at)
{
    while (is(*at, DIGIT))
        at++;
    if (*at != 'e' && *at != 'E')
        return at;
    const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
    if (!is(*exponent, DIGIT))
        return at;
    while (is(*exponent, DIGIT))
        exponent++;
    return exponent;
}

static inline int
sigil_token(char sigil)
{
    return sigil == '%'   ? TOK_PERCENT
           : sigil == '#' ? TOK_HASH
           : sigil == '^' ? TOK_CARET
           : sigil == '@' ? TOK_AT
                          : TOK_BANG;
}

// Past comments and the blanks around them.
static __attribute__((noinline)) int
next_behind_comments(MlcLexer *lexer, const char *at, const char **start, const char **end)
{
    const char *text_end = lexer->text.data + lexer->text.size;
    bool was_shaped = lexer->shaped == lexer->at;
    while (at[0] == '/' && at[1] == '/') {
        const char *newline = memchr(at, '\n', (size_t)(text_end - at));
        at = newline ? newline : text_end;
        while (is(*at, BLANK))
            at++;
    }
    lexer->at = at;
    if (was_shaped)
        lexer->shaped = at;
    return mlc_lexer_next(lexer, start, end);
}

// Calls stand at the ends, so that nothing has to be kept across them.
static inline __attribute__((always_inline)) int
next_token(MlcLexer *lexer, const char **start, const char **end)
{
    if (lexer->in_dims)
        return next_by_flex(lexer, start, end);
    const char *at = lexer->at, *past;
    while (is(*at, BLANK))
        at++;
    *start = at;
    past = at + 1;
    int token = *at;
    unsigned class;
    Kind kind = (Kind)kinds[(unsigned char)*at];
    if (kind == ONE) {
        *end = lexer->at = past;
        return token;
    }
    switch (kind) {
    case WORD:
        while (is(*past, IN_NAME))
            past++;
        token = TOK_BARE;
        if ((*at == 'i' || *at == 's' || *at == 'u') && is_integer_type(at, past))
            token = TOK_INTTYPE;
        else if (is_shaped(at, past))
            lexer->shaped = past;
        break;
    case NUMBER:
        while (is(*past, DIGIT))
            past++;
        if (*at == '0' && at[1] == 'x')
            return next_by_flex(lexer, start, end);
        token = *past == '.' ? TOK_FLOAT : TOK_INT;
        if (token == TOK_FLOAT)
            past = skip_fraction(past + 1);
        break;
    case SIGIL: // digits, or a name; a symbol has a name alone
        if (*at == '@' && !is(*past, LETTER))
            return next_by_flex(lexer, start, end);
        class = *at == '@' ? IN_NAME : is(*past, DIGIT) ? DIGIT : IN_SUFFIX;
        while (is(*past, class))
            past++;
        if (past == at + 1 || at[1] == '-')
            return next_by_flex(lexer, start, end);
        token = sigil_token(*at);
        if (*past != '<' || (token != TOK_BANG && token != TOK_HASH))
            break;
        *end = lexer->at = past;
        return finish_symbol(lexer, token, at, end);
    case QUOTE:
        while (is(*past, IN_STRING))
            past++;
        if (*past++ != '"')
            return next_by_flex(lexer, start, end);
        token = TOK_STRING;
        break;
    case MINUS:
        if (*past != '>')
            break;
        past++;
        token = TOK_ARROW;
        break;
    case COLON:
        if (*past == ':')
            return next_by_flex(lexer, start, end);
        break;
    case BRACE:
        if (*past == '-')
            return next_by_flex(lexer, start, end);
        break;
    case LESS:
        lexer->in_dims = lexer->shaped == lexer->at;
        break;
    case ONE:
    case BY_FLEX:
        if (at[0] == '/' && at[1] == '/')
            return next_behind_comments(lexer, at, start, end);
        return next_by_flex(lexer, start, end);
    }
    *end = lexer->at = past;
    return token;
}

int
mlc_lexer_next(MlcLexer *lexer, const char **start, const char **end)
{
    return next_token(lexer, start, end);
}

// The parser's, here since it is all that most of the parser's time goes to.
void
mlc_parser_advance(MlcParser *p)
{
    p->prev_end = p->tok.end;
    p->tok.kind = next_token(&p->lexer, &p->tok.at, &p->tok.end);
    if (p->tok.kind == TOK_BAD && !p->failed)
        mlc_parser_report_bad(p);
}

void
mlc_lexer_seek(MlcLexer *lexer, const char *at, bool in_dims)
{
    lexer->failed = NULL;
    lexer->shaped = NULL;
    lexer->at = at;
    lexer->in_dims = in_dims;
}
