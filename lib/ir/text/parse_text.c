// parse_text.c -- tokens, places, and the types and attributes of dialects: what stands between
// lexer and grammar.
#include <stdarg.h>

#include "context/context_impl.h"
#include "parse_impl.h"
#include "text.tab.h"

void *
mlc_memo_find(MlcMemo *memo, MlcStr key, MlcMemoEntry *entry)
{
    const MlcStrMapEntry *known = mlc_str_map_find(&memo->map, key);
    if (!known)
        return NULL;
    *entry = (MlcMemoEntry){.key = known->key, .value = (const void *)(uintptr_t)known->value};
    mlc_memo_ends(key, &entry->head, &entry->tail);
    return (void *)(uintptr_t)known->value;
}

// --- places and errors

static void
find_lines(MlcParser *p)
{
    const char *at = p->text.data, *end = at + p->text.size;
    mlc_vec_push(&p->lines, 0);
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        mlc_vec_push(&p->lines, (uint32_t)(at - p->text.data));
    }
}

static size_t
line_of(MlcParser *p, uint32_t offset)
{
    if (!p->lines.size)
        find_lines(p);
    size_t low = 0, high = p->lines.size;
    // Mostly we are asked about places a little after the last one.
    const uint32_t *lines = p->lines.data;
    size_t near = p->line_hint;
    if (lines[near] <= offset) {
        size_t end = near + 8 < high ? near + 8 : high;
        while (near + 1 < end && lines[near + 1] <= offset)
            near++;
        if (near + 1 == high || (near + 1 < end && offset < lines[near + 1]))
            return p->line_hint = near;
        low = near;
    }
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (p->lines.data[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return p->line_hint = low;
}

MlcLoc
mlc_parser_loc_of(MlcParser *p, const char *at)
{
    uint32_t offset = (uint32_t)(at - p->text.data);
    size_t line = line_of(p, offset);
    unsigned column = offset - p->lines.data[line] + 1;
    MlcLoc loc = mlc_loc_in_file(p->file, (unsigned)line + 1, column);
    return loc ? loc : mlc_loc_file(p->ctx, p->name, (unsigned)line + 1, column);
}

static void
fail_unclosed(MlcParser *p)
{
    const char *at = p->lexer.failed;
    if (p->lexer.unbalanced == '"')
        mlc_parser_fail_at(p, at, "expected '\"' in string literal");
    else if (p->lexer.unbalanced == 0)
        mlc_parser_fail_at(p, at, "more than %d brackets in each other in a dialect's symbol",
                           MAX_BRACKETS);
    else
        mlc_parser_fail_at(p, at, "unbalanced '%c' character in pretty dialect name",
                           p->lexer.unbalanced);
}

// MLIR looks for the end of a dialect's symbol before anything in it is read.
static bool
fail_symbol(MlcParser *p)
{
    const char *body = p->symbol;
    p->symbol = NULL;
    if (!body || mlc_lexer_is_closed(&p->lexer, body) || p->lexer.unbalanced == 0)
        return false;
    fail_unclosed(p);
    return true;
}

// `custom_op`: whose syntax is being read, which heads what its hooks report; NULL: it does not.
static bool
fail_v(MlcParser *p, MlcLoc loc, const char *custom_op, const char *format, va_list args)
{
    if (fail_symbol(p))
        return false;
    MlcBuf buf = {0};
    if (custom_op)
        mlc_buf_printf(&buf, "custom op '%s' ", custom_op);
    mlc_buf_vprintf(&buf, format, args);
    mlc_error(p->ctx, loc, "%s", mlc_buf_c_str(&buf));
    mlc_buf_release(&buf);
    p->failed = true;
    return false;
}

bool
mlc_parser_fail_at(MlcParser *p, const char *at, const char *format, ...)
{
    if (at == p->text.data + p->text.size && p->text.size > 0)
        at--;
    va_list args;
    va_start(args, format);
    fail_v(p, mlc_parser_loc_of(p, at), NULL, format, args);
    va_end(args);
    return false;
}

// Whether the last token ends the text, without a blank.
static bool
is_at_end(const MlcParser *p)
{
    return p->tok.kind == 0 && p->prev_end == p->tok.at && p->text.size > 0;
}

// Upstream reports a missing token behind the last token: blanks and comments before the next one
// are stepped over.
bool
mlc_parser_fail_wrong(MlcParser *p, const char *format, ...)
{
    if (p->tok.kind == TOK_BAD && p->failed)
        return false;
    va_list args;
    va_start(args, format);
    if (p->tok.kind == TOK_BAD)
        mlc_parser_fail_at(p, p->tok.at, "unexpected character");
    else // the end of the text counts as its last character
        fail_v(p, mlc_parser_loc_of(p, p->prev_end - is_at_end(p)), NULL, format, args);
    va_end(args);
    return false;
}

bool
mlc_parser_fail_custom(MlcParser *p, const char *at, const char *format, ...)
{
    if (p->tok.kind == TOK_BAD && p->failed)
        return false;
    va_list args;
    va_start(args, format);
    fail_v(p, mlc_parser_loc_of(p, at), p->custom_op, format, args);
    va_end(args);
    return false;
}

bool
mlc_parser_error(MlcParser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_v(p, mlc_parser_loc_of(p, p->tok.at), p->custom_op, format, args);
    va_end(args);
    return false;
}

bool
mlc_parser_error_at(MlcParser *p, MlcLoc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_v(p, loc ? loc : mlc_parser_loc_of(p, p->tok.at), p->custom_op, format, args);
    va_end(args);
    return false;
}

MlcContext *
mlc_parser_context(MlcParser *p)
{
    return p->ctx;
}

MlcLoc
mlc_parser_loc(MlcParser *p)
{
    return mlc_parser_loc_of(p, p->tok.at);
}

bool
mlc_parser_nest(MlcParser *p)
{
    if (++p->depth <= p->nesting_limit)
        return true;
    p->depth--;
    return mlc_parser_fail_at(p, p->tok.at,
                              "nested deeper than the limit of %llu (--limit-nesting)",
                              (unsigned long long)p->nesting_limit);
}

// --- tokens

void
mlc_parser_report_bad(MlcParser *p)
{
    if (p->lexer.failed)
        fail_unclosed(p);
    else if (*p->tok.at == '"')
        mlc_parser_fail_at(p, p->tok.at, "expected '\"' in string literal");
    else if (*p->tok.at == '@')
        mlc_parser_fail_at(p, p->tok.at + 1, "@ identifier expected to start with letter or '_'");
    else if (*p->tok.at == '%' || *p->tok.at == '^' || *p->tok.at == '#' || *p->tok.at == '!')
        mlc_parser_fail_at(p, p->tok.at, "invalid %s",
                           *p->tok.at == '%'   ? "SSA name"
                           : *p->tok.at == '^' ? "block name"
                           : *p->tok.at == '#' ? "attribute name"
                                               : "type identifier");
    else if (*p->tok.at == '.')
        mlc_parser_fail_at(p, p->tok.at, "expected three consecutive dots for an ellipsis");
    else
        mlc_parser_fail_at(p, p->tok.at, "unexpected character");
}

void
mlc_parser_reset(MlcParser *p, const char *at, bool dims)
{
    const char *prev_end = p->prev_end;
    mlc_lexer_seek(&p->lexer, at, dims);
    p->tok.kind = mlc_lexer_next(&p->lexer, &p->tok.at, &p->tok.end);
    p->prev_end = prev_end < at ? prev_end : at;
}

static bool
is_foreign(void *user, MlcStr dialect)
{
    MlcParser *p = user;
    if (p->last_dialect.data && mlc_str_equal(dialect, p->last_dialect))
        return p->last_foreign;
    p->last_dialect = dialect;
    return p->last_foreign = mlc_context_dialect(p->ctx, dialect) == NULL;
}

bool
mlc_parser_init_idle(MlcParser *p, MlcContext *ctx, MlcStr text, MlcStr name)
{
    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->text = text;
    p->name = name;
    p->file = mlc_loc_file(ctx, name, 0, 0);
    p->nesting_limit = mlc_nesting_limit(ctx);
    p->expansion_limit =
        mlc_context_limits(ctx)->expansion + MLC_EXPANSION_PER_BYTE * (uint64_t)text.size;
    if (text.size > mlc_context_limits(ctx)->file_size || text.size > INT32_MAX - 2) {
        mlc_error(ctx, mlc_loc_file(ctx, name, 1, 1),
                  "the text has %zu bytes, the limit is %llu (--limit-file-size)", text.size,
                  (unsigned long long)mlc_context_limits(ctx)->file_size);
        p->failed = true;
        return false;
    }
    mlc_arena_init(&p->arena);
    // The grammar takes slices of its stacks, empty ones too: an offset from NULL is undefined.
    mlc_vec_reserve(&p->types, 16);
    mlc_vec_reserve(&p->attrs, 16);
    mlc_vec_reserve(&p->named, 16);
    mlc_vec_reserve(&p->ints, 16);
    mlc_vec_reserve(&p->flags, 16);
    mlc_vec_reserve(&p->names, 16);
    mlc_vec_reserve(&p->locs, 16);
    mlc_vec_reserve(&p->exprs, 16);
    mlc_str_map_init(&p->attr_aliases, NULL);
    mlc_str_map_init(&p->type_aliases, NULL);
    mlc_str_map_init(&p->alias_sizes, NULL);
    mlc_memo_init(&p->type_memo, 6);
    mlc_memo_init(&p->attr_memo, 6);
    mlc_memo_init(&p->attr_names, 6);
    mlc_str_map_init(&p->late_aliases, NULL);
    mlc_memo_init(&p->ops, 7);
    mlc_memo_init(&p->ssa_names, 9);
    mlc_str_map_init(&p->block_names, NULL);
    mlc_lexer_init(&p->lexer, text, is_foreign, p);
    p->prev_end = p->tok.at = p->tok.end = text.data;
    return true;
}

bool
mlc_parser_init(MlcParser *p, MlcContext *ctx, MlcStr text, MlcStr name)
{
    if (!mlc_parser_init_idle(p, ctx, text, name))
        return false;
    mlc_parser_advance(p);
    return true;
}

void
mlc_parser_release(MlcParser *p)
{
    if (!p->lexer.scanner)
        return;
    mlc_lexer_release(&p->lexer);
    mlc_str_map_release(&p->attr_aliases);
    mlc_str_map_release(&p->type_aliases);
    mlc_str_map_release(&p->alias_sizes);
    mlc_memo_release(&p->type_memo);
    mlc_memo_release(&p->attr_memo);
    mlc_memo_release(&p->attr_names);
    mlc_str_map_release(&p->late_aliases);
    mlc_vec_release(&p->bodies);
    mlc_memo_release(&p->ops);
    mlc_memo_release(&p->ssa_names);
    mlc_vec_release(&p->numbered_names);
    mlc_str_map_release(&p->block_names);
    mlc_map_release(&p->forward_index);
    mlc_vec_release(&p->types);
    mlc_vec_release(&p->attrs);
    mlc_vec_release(&p->named);
    mlc_vec_release(&p->ints);
    mlc_vec_release(&p->flags);
    mlc_vec_release(&p->equalities);
    mlc_vec_release(&p->names);
    mlc_vec_release(&p->locs);
    mlc_vec_release(&p->exprs);
    mlc_vec_release(&p->affine_ids);
    mlc_vec_release(&p->literal.elements);
    mlc_vec_release(&p->literal.shape);
    mlc_vec_release(&p->sparse_indices.elements);
    mlc_vec_release(&p->sparse_indices.shape);
    mlc_vec_release(&p->defined);
    mlc_vec_release(&p->isolated);
    mlc_vec_release(&p->forwards);
    mlc_vec_release(&p->deferred_locs);
    mlc_vec_release(&p->holders);
    mlc_vec_release(&p->dead);
    mlc_vec_release(&p->loose_blocks);
    mlc_vec_release(&p->builds);
    mlc_vec_release(&p->inputs);
    for (size_t i = 0; i < p->formats.size; i++)
        mlc_format_state_release(p->formats.data[i]);
    mlc_vec_release(&p->formats);
    mlc_map_release(&p->format_infos);
    mlc_vec_release(&p->default_dialects);
    mlc_vec_release(&p->results);
    mlc_vec_release(&p->lines);
    mlc_arena_release(&p->arena);
}

bool
mlc_parser_take(MlcParser *p, int kind)
{
    if (p->tok.kind != kind)
        return false;
    mlc_parser_advance(p);
    return true;
}

bool
mlc_parser_expect(MlcParser *p, int kind, const char *what)
{
    return mlc_parser_take(p, kind) || mlc_parser_fail_wrong(p, "expected %s", what);
}

// Keywords of the grammar; everything else is an identifier.
int
mlc_text_keyword(MlcStr text)
{
    static const struct {
        const char *name;
        int token;
    } keywords[] = {
        {"affine_map", TOK_K_AFFINE_MAP},
        {"affine_set", TOK_K_AFFINE_SET},
        {"array", TOK_K_ARRAY},
        {"at", TOK_K_AT},
        {"callsite", TOK_K_CALLSITE},
        {"ceildiv", TOK_K_CEILDIV},
        {"complex", TOK_K_COMPLEX},
        {"dense", TOK_K_DENSE},
        {"dense_resource", TOK_K_DENSE_RESOURCE},
        {"distinct", TOK_K_DISTINCT},
        {"false", TOK_K_FALSE},
        {"floordiv", TOK_K_FLOORDIV},
        {"fused", TOK_K_FUSED},
        {"index", TOK_K_INDEX},
        {"loc", TOK_K_LOC},
        {"memref", TOK_K_MEMREF},
        {"mod", TOK_K_MOD},
        {"none", TOK_K_NONE},
        {"offset", TOK_K_OFFSET},
        {"sparse", TOK_K_SPARSE},
        {"strided", TOK_K_STRIDED},
        {"symbol", TOK_K_SYMBOL},
        {"tensor", TOK_K_TENSOR},
        {"true", TOK_K_TRUE},
        {"tuple", TOK_K_TUPLE},
        {"unit", TOK_K_UNIT},
        {"unknown", TOK_K_UNKNOWN},
        {"vector", TOK_K_VECTOR},
    };
    if (text.size < 2 || text.size > 14)
        return 0;
    if (text.data[0] == 'f' || text.data[0] == 'b' || text.data[0] == 't') {
        MlcFloatKind kind;
        if ((text.size < 5 || (text.data[1] >= '0' && text.data[1] <= '9')) &&
            mlc_float_kind_from_name(text, &kind))
            return TOK_FLOATTYPE;
    }
    // Where each letter begins; the last one is the end.
    static const uint8_t starts[] = {0,  4,  4,  7,  10, 10, 13, 13, 13, 14, 14, 14, 15, 17,
                                     18, 19, 19, 19, 19, 22, 25, 27, 28, 28, 28, 28, 28};
    _Static_assert(sizeof keywords / sizeof *keywords == 28, "starts[] agrees");
    unsigned letter = (unsigned char)text.data[0] - 'a';
    if (letter >= 26)
        return 0;
    for (size_t i = starts[letter]; i < starts[letter + 1]; i++)
        if (strncmp(keywords[i].name, text.data, text.size) == 0 && !keywords[i].name[text.size])
            return keywords[i].token;
    return 0;
}

// --- types and attributes of dialects

typedef struct Symbol { // !dialect.name, !dialect<name ...>, !alias, with a raw body if the dialect
                        // is foreign
    MlcStr full;        // without the sigil and body
    MlcStr dialect;
    MlcStr name; // behind the dot; data NULL: none
    MlcStr body; // of a foreign one, from '<' to '>'
    const char *at;
} Symbol;

static Symbol
take_symbol(MlcParser *p)
{
    Symbol s = {.at = p->tok.at};
    const char *start = p->tok.at + 1, *end = p->tok.end;
    const char *angle = memchr(start, '<', (size_t)(end - start));
    const char *stop = angle ? angle : end;
    s.full = mlc_str_n(start, (size_t)(stop - start));
    s.body = mlc_str_n(stop, (size_t)(end - stop));
    const char *dot = memchr(start, '.', s.full.size);
    s.dialect = mlc_str_n(start, (size_t)((dot ? dot : stop) - start));
    if (dot)
        s.name = mlc_str_n(dot + 1, (size_t)(stop - dot - 1));
    mlc_parser_advance(p);
    return s;
}

// In a body that was left, aliases are known that are defined behind it only.
static const void *
known_before(const MlcParser *p, const MlcStrMap *aliases, MlcStr name, const char *at)
{
    const char *place = p->late_aliases.size ? mlc_str_map_get(&p->late_aliases, name) : NULL;
    return place > at ? NULL : mlc_str_map_get(aliases, name);
}

const void *
mlc_parser_type_alias(const MlcParser *p, MlcStr name, const char *at)
{
    p = p->outer ? p->outer : p;
    return known_before(p, &p->type_aliases, name, at);
}

const void *
mlc_parser_attr_alias(const MlcParser *p, MlcStr name, const char *at)
{
    p = p->outer ? p->outer : p;
    return known_before(p, &p->attr_aliases, name, at);
}

// Aliases of aliases may double with each line, or nest with each, and whoever walks or prints
// values meets all of it.
bool
mlc_parser_expand_alias(MlcParser *p, MlcStr name, const void *value, const char *at)
{
    uint64_t size;
    MlcStr key = mlc_str_n(name.data - 1, name.size + 1); // with the sigil
    if (mlc_str_map_get_u64(p->outer ? &p->outer->alias_sizes : &p->alias_sizes, key, &size))
        p->expansion += size;
    if (mlc_height(value) > p->nesting_limit)
        return mlc_parser_fail_at(p, at, "nested deeper than the limit of %llu (--limit-nesting)",
                                  (unsigned long long)p->nesting_limit);
    return p->expansion <= p->expansion_limit ||
           mlc_parser_fail_at(p, at,
                              "aliases written out take more than the limit of %llu bytes "
                              "(--limit-expansion)",
                              (unsigned long long)p->expansion_limit);
}

static bool
is_alias(const MlcParser *p, const Symbol *s)
{
    bool has_body =
        s->body.size || (p->tok.kind == '<' && p->tok.at == s->full.data + s->full.size);
    return !s->name.data && !has_body;
}

// The raw text that an opaque type or attribute keeps. A NUL, which only a string may have, is
// written out: bytecode ends such texts with one.
static MlcStr
raw_text(MlcParser *p, const Symbol *s)
{
    MlcStr raw = s->name.data ? mlc_str_n(s->name.data, s->name.size + s->body.size)
                              : mlc_str_n(s->body.data + 1, s->body.size - 2);
    if (!raw.size || !memchr(raw.data, '\0', raw.size))
        return raw;
    MlcBuf text = {0};
    for (size_t i = 0; i < raw.size; i++)
        mlc_buf_append_str(&text, raw.data[i] ? mlc_str_n(raw.data + i, 1) : mlc_str("\\00"));
    raw = mlc_arena_strdup(&p->arena, mlc_buf_str(&text));
    mlc_buf_release(&text);
    return raw;
}

// In `!dialect<name ...>` the name is the first word.
static bool
take_verbose_name(MlcParser *p, Symbol *s)
{
    mlc_parser_advance(p);
    MlcStr word;
    s->at = p->tok.at;
    if (!mlc_parse_keyword_any(p, &word))
        return false;
    s->name = word;
    s->full = mlc_arena_printf(&p->arena, "%.*s.%.*s", MLC_STR_FMT(s->dialect), MLC_STR_FMT(word));
    return true;
}

static MlcType
parse_type_of(MlcParser *p, const MlcTypeDef *def)
{
    if (def->parse)
        return def->parse(p, def);
    MlcAttr params[32] = {0};
    if (def->num_params > 32)
        return NULL;
    const char *at = p->tok.at;
    if (def->format && !mlc_parse_type_params(p, def, params))
        return NULL;
    MlcErrorSink sink = {.ctx = p->ctx, .loc = mlc_parser_loc_of(p, at)};
    if (def->verify && !def->verify(&sink, params))
        return p->failed = true, NULL;
    return mlc_dialect_type_get(p->ctx, def, params, def->num_params);
}

static const char *
place_of(const Symbol *s)
{
    return s->name.data ? s->name.data : s->at;
}

static bool
check_namespace(MlcParser *p, const Symbol *s)
{
    return mlc_is_dialect_namespace(s->dialect) ||
           mlc_parser_fail_at(p, place_of(s), "invalid dialect namespace '\"%.*s\"'",
                              MLC_STR_FMT(s->dialect));
}

static bool
unregistered_error(MlcParser *p, const Symbol *s)
{
    MlcStr raw = raw_text(p, s);
    return mlc_parser_fail_at(p, place_of(s),
                              "`!\"%.*s\"<\"%.*s\">` type created with unregistered dialect. If "
                              "this is intended, please call "
                              "allowUnregisteredDialects() on the MLIRContext, or use "
                              "-allow-unregistered-dialect with the "
                              "MLIR opt tool used",
                              MLC_STR_FMT(s->dialect), MLC_STR_FMT(raw));
}

static bool
read_dialect_type(MlcParser *p, MlcType *type)
{
    Symbol s = take_symbol(p);
    if (is_alias(p, &s)) {
        *type = mlc_parser_type_alias(p, s.full, s.at);
        return *type ? mlc_parser_expand_alias(p, s.full, *type, s.at)
                     : mlc_parser_fail_wrong(p, "undefined symbol alias id '%.*s'",
                                             MLC_STR_FMT(s.full));
    }
    if (is_foreign(p, s.dialect)) {
        if (!check_namespace(p, &s))
            return false;
        if (!mlc_context_allows_unregistered(p->ctx))
            return unregistered_error(p, &s);
        *type = mlc_opaque_type_get(p->ctx, s.dialect, raw_text(p, &s));
        return true;
    }
    bool verbose = !s.name.data;
    if (verbose && !take_verbose_name(p, &s))
        return false;
    const MlcTypeDef *def = mlc_context_type(p->ctx, s.full);
    const MlcDialectDef *dialect = def ? NULL : mlc_context_dialect(p->ctx, s.dialect);
    if (dialect && dialect->unknown_type)
        return mlc_parser_fail_at(p, s.name.data, "%s: %.*s", dialect->unknown_type,
                                  MLC_STR_FMT(s.name));
    if (!def)
        return mlc_parser_fail_at(p, s.name.data, "unknown  type `%.*s` in dialect `%.*s`",
                                  MLC_STR_FMT(s.name), MLC_STR_FMT(s.dialect));
    *type = parse_type_of(p, def);
    if (!*type && !p->failed)
        mlc_parser_fail_wrong(p, "failed to parse type '%s'", def->name);
    return *type && (!verbose || mlc_parser_expect(p, '>', "'>'"));
}

bool
mlc_parse_dialect_type(MlcParser *p, MlcType *type)
{
    if (!mlc_parser_nest(p))
        return false;
    const char *custom_op = p->custom_op, *symbol = p->symbol;
    p->custom_op = NULL;
    p->symbol = symbol || *p->tok.end != '<' ? symbol : p->tok.end;
    bool ok = read_dialect_type(p, type);
    p->custom_op = custom_op;
    p->symbol = symbol;
    p->depth--;
    return ok;
}

static bool
separator_follows(MlcParser *p, const MlcAttrDef *def)
{
    const char *separator = def->separator ? def->separator : ",";
    while (*separator == ' ')
        separator++;
    return def->is_bit_enum && mlc_parser_take(p, separator[0]);
}

// The values of "a", or of "a|b|c" where cases are combined so.
static bool
add_cases(const MlcAttrDef *def, MlcStr words, int64_t *value)
{
    while (true) {
        const char *bar = def->is_bit_enum ? memchr(words.data, '|', words.size) : NULL;
        MlcStr word = bar ? mlc_str_n(words.data, (size_t)(bar - words.data)) : words;
        size_t i = 0;
        while (i < def->num_cases && !mlc_str_equal(word, mlc_str(def->cases[i].name)))
            i++;
        if (i == def->num_cases)
            return false;
        *value |= def->cases[i].value;
        if (!bar)
            return true;
        words = mlc_str_n(bar + 1, words.size - word.size - 1);
    }
}

static bool
fail_case(MlcParser *p, const MlcAttrDef *def, const char *at, MlcStr word)
{
    if (def->unknown)
        return mlc_parser_fail_custom(p, at, "%s: %.*s", def->unknown, MLC_STR_FMT(word));
    MlcBuf names = {0};
    for (size_t j = 0; j < def->num_cases; j++)
        mlc_buf_printf(&names, "%s%s", j ? ", " : "", def->cases[j].name);
    mlc_parser_fail_custom(p, at, "expected %s to be one of: %s",
                           def->upstream ? def->upstream : def->name, mlc_buf_c_str(&names));
    mlc_buf_release(&names);
    return false;
}

// Cases that are read by their type alone (`missing`) may be a string; several are then written as
// one.
bool
mlc_parse_enum(MlcParser *p, const MlcAttrDef *def, MlcAttr *attr)
{
    int64_t value = 0;
    const char *at = p->tok.at;
    do {
        MlcStr word;
        if (def->missing && mlc_parser_is(p, TOK_STRING)) {
            if (!mlc_parse_string(p, &word))
                return false;
        } else if (!mlc_parse_optional_keyword_any(p, &word)) {
            return def->missing ? mlc_parser_fail_custom(p, p->tok.at, "%s", def->missing)
                                : mlc_parse_keyword_any(p, &word);
        }
        if (!add_cases(def, word, &value))
            return fail_case(p, def, at, word);
    } while (!def->missing && separator_follows(p, def));
    *attr = mlc_enum_attr_get(p->ctx, def, value);
    return true;
}

bool
mlc_parse_attr_of(MlcParser *p, const MlcAttrDef *def, MlcAttr *attr)
{
    if (def->parse) {
        *attr = def->parse(p, def, NULL);
        if (!*attr && !p->failed)
            mlc_parser_fail_wrong(p, "failed to parse '%s'", def->name);
        return *attr != NULL;
    }
    if (def->num_cases && !def->format)
        return mlc_parser_expect(p, '<', "'<'") && mlc_parse_enum_param(p, def, attr) &&
               mlc_parser_expect(p, '>', "'>'");
    MlcAttr params[32] = {0};
    if (def->num_params > 32)
        return mlc_parser_fail_wrong(p, "'%s' has too many parameters", def->name);
    const char *at = p->tok.at;
    if (def->format && !mlc_parse_attr_params(p, def, params))
        return false;
    if (def->num_cases)
        return *attr = params[0], true;
    MlcErrorSink sink = {.ctx = p->ctx, .loc = mlc_parser_loc_of(p, at)};
    if (def->verify && !def->verify(&sink, params))
        return p->failed = true, false;
    *attr = mlc_dialect_attr_get(p->ctx, def, params, def->num_params);
    return true;
}

static bool
read_dialect_attr(MlcParser *p, MlcType hint, MlcAttr *attr)
{
    Symbol s = take_symbol(p);
    if (is_alias(p, &s)) {
        *attr = mlc_parser_attr_alias(p, s.full, s.at);
        return *attr ? mlc_parser_expand_alias(p, s.full, *attr, s.at)
                     : mlc_parser_fail_wrong(p, "undefined symbol alias id '%.*s'",
                                             MLC_STR_FMT(s.full));
    }
    if (is_foreign(p, s.dialect)) {
        MlcType type = hint;
        if ((mlc_parser_take(p, ':') && !mlc_parse_type_into(p, &type)) || !check_namespace(p, &s))
            return false;
        if (!mlc_context_allows_unregistered(p->ctx))
            return mlc_parser_fail_at(
                p, place_of(&s),
                "#%.*s<\"%.*s\"> : '%s' attribute created with unregistered dialect. If this is "
                "intended, "
                "please call allowUnregisteredDialects() on the MLIRContext, or use "
                "-allow-unregistered-dialect with the MLIR opt tool used",
                MLC_STR_FMT(s.dialect), MLC_STR_FMT(raw_text(p, &s)),
                type ? mlc_type_text(type) : "none");
        *attr = mlc_opaque_attr_get(p->ctx, s.dialect, raw_text(p, &s), type);
        return true;
    }
    bool verbose = !s.name.data;
    if (verbose && !take_verbose_name(p, &s))
        return false;
    const MlcAttrDef *def = mlc_context_attr(p->ctx, s.full);
    if (!def)
        return mlc_parser_fail_at(p, s.name.data, "unknown attribute `%.*s` in dialect `%.*s`",
                                  MLC_STR_FMT(s.name), MLC_STR_FMT(s.dialect));
    if (!mlc_parse_attr_of(p, def, attr) || (verbose && !mlc_parser_expect(p, '>', "'>'")))
        return false;
    MlcType type;
    return !mlc_parser_is(p, ':') || hint ||
           (mlc_parser_take(p, ':') && mlc_parse_type_into(p, &type));
}

bool
mlc_parse_dialect_attr(MlcParser *p, MlcType hint, MlcAttr *attr)
{
    if (!mlc_parser_nest(p))
        return false;
    const char *custom_op = p->custom_op, *symbol = p->symbol;
    p->custom_op = NULL;
    p->symbol = symbol || *p->tok.end != '<' ? symbol : p->tok.end;
    bool ok = read_dialect_attr(p, hint, attr);
    p->custom_op = custom_op;
    p->symbol = symbol;
    p->depth--;
    return ok;
}

// --- whole texts

// Texts of attributes and types come without the two NULs.
static char *
copy_text(MlcStr text)
{
    char *copy = mlc_malloc(text.size + 2);
    memcpy(copy, text.data, text.size);
    copy[text.size] = copy[text.size + 1] = '\0';
    return copy;
}

typedef union Result {
    MlcAttr attr;
    MlcType type;
    MlcAffineMap map;
} Result;

static bool
read_one(MlcParser *p, int kind, Result *out)
{
    MlcRun run = {0};
    MlcAttr attr;
    switch (kind) {
    case TOK_START_TYPE:
        return mlc_parse_type_into(p, &out->type);
    case TOK_START_ATTR:
        return mlc_parse_attribute(p, NULL, &out->attr);
    default:
        if (mlc_parser_is(p, TOK_BARE) && mlc_token_is(p->tok, "affine_map")) {
            if (!mlc_parse_attribute(p, NULL, &attr))
                return false;
            out->map = mlc_affine_map_attr_value(attr);
            return true;
        }
        run.affine = 1;
        if (!mlc_text_run(p, &run, TOK_START_MAP))
            return false;
        out->map = run.map;
        return true;
    }
}

// `num_read` NULL: nothing may follow; else where that begins.
static bool
parse_one(MlcContext *ctx, MlcStr text, int kind, size_t *num_read, Result *out)
{
    char *copy = copy_text(text);
    MlcParser p;
    bool ok = mlc_parser_init(&p, ctx, mlc_str_n(copy, text.size), mlc_str("<text>"));
    ok = ok && read_one(&p, kind, out);
    if (num_read)
        *num_read = ok && p.tok.kind != 0 ? (size_t)(p.tok.at - copy) : text.size;
    else if (ok && p.tok.kind != 0)
        ok = mlc_parser_fail_at(&p, p.tok.at, "found trailing characters: '%s'", p.tok.at);
    ok = ok && !p.failed;
    mlc_parser_release(&p);
    mlc_free(copy);
    return ok;
}

MlcAttr
mlc_parse_attr(MlcContext *ctx, MlcStr text)
{
    Result r;
    return parse_one(ctx, text, TOK_START_ATTR, NULL, &r) ? r.attr : NULL;
}

MlcAttr
mlc_parse_attr_prefix(MlcContext *ctx, MlcStr text, size_t *num_read)
{
    Result r;
    return parse_one(ctx, text, TOK_START_ATTR, num_read, &r) ? r.attr : NULL;
}

MlcType
mlc_parse_type_prefix(MlcContext *ctx, MlcStr text, size_t *num_read)
{
    Result r;
    return parse_one(ctx, text, TOK_START_TYPE, num_read, &r) ? r.type : NULL;
}

MlcType
mlc_parse_type(MlcContext *ctx, MlcStr text)
{
    Result r;
    return parse_one(ctx, text, TOK_START_TYPE, NULL, &r) ? r.type : NULL;
}

MlcAffineMap
mlc_parse_affine_map(MlcContext *ctx, MlcStr text)
{
    Result r;
    return parse_one(ctx, text, TOK_START_MAP, NULL, &r) ? r.map : NULL;
}
