// parse_asm.c -- the parser as hooks and the format interpreter see it: include/mlc/ir/asm.h.
#include "parse_impl.h"
#include "text.tab.h"

enum { MEMOISED_EXPANSION = 4096 }; // bytes

// --- punctuation, keywords, literals

static bool
is_word_token(const MlcParser *p)
{
    return p->tok.kind == TOK_BARE || p->tok.kind == TOK_INTTYPE;
}

bool
mlc_parse_optional_token(MlcParser *p, const char *text)
{
    if (p->tok.kind == 0 || p->tok.kind == TOK_STRING || !mlc_token_is(p->tok, text))
        return false;
    mlc_parser_advance(p);
    return true;
}

bool
mlc_parse_token(MlcParser *p, const char *text)
{
    if (mlc_parse_optional_token(p, text))
        return true;
    bool is_keyword =
        (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') || text[0] == '_';
    if (is_keyword && p->tok.kind != TOK_BAD)
        return mlc_parser_fail_custom(p, p->tok.at, "expected '%s'", text);
    return mlc_parser_fail_wrong(p, "expected '%s'", text);
}

bool
mlc_parse_optional_keyword_any(MlcParser *p, MlcStr *keyword)
{
    if (!is_word_token(p))
        return false;
    *keyword = mlc_token_str(p->tok);
    mlc_parser_advance(p);
    return true;
}

bool
mlc_parse_keyword_any(MlcParser *p, MlcStr *keyword)
{
    return mlc_parse_optional_keyword_any(p, keyword) ||
           (p->tok.kind == TOK_BAD
                ? mlc_parser_fail_wrong(p, "expected valid keyword")
                : mlc_parser_fail_custom(p, p->tok.at, "expected valid keyword"));
}

int
mlc_parse_optional_integer(MlcParser *p, int64_t *value)
{
    bool negative = mlc_parser_is(p, '-');
    if (!negative && !mlc_parser_is(p, TOK_INT))
        return 0;
    if (negative)
        mlc_parser_advance(p);
    if (!mlc_parser_is(p, TOK_INT))
        return mlc_parser_fail_wrong(p, "expected integer value"), -1;
    if (!mlc_text_small_int(p, mlc_token_str(p->tok), value))
        return -1;
    mlc_parser_advance(p);
    *value = negative ? -*value : *value;
    return 1;
}

bool
mlc_parse_integer(MlcParser *p, int64_t *value)
{
    int found = mlc_parse_optional_integer(p, value);
    return found > 0 ||
           (found == 0 && mlc_parser_fail_custom(p, p->tok.at, "expected integer value"));
}

int
mlc_parse_optional_string(MlcParser *p, MlcStr *value)
{
    if (!mlc_parser_is(p, TOK_STRING))
        return 0;
    MlcToken token = p->tok;
    mlc_parser_advance(p);
    return mlc_parser_unescape(p, token, value) ? 1 : -1;
}

bool
mlc_parse_string(MlcParser *p, MlcStr *value)
{
    int found = mlc_parse_optional_string(p, value);
    return found > 0 || (found == 0 && mlc_parser_fail_custom(p, p->tok.at, "expected string"));
}

bool
mlc_parse_optional_symbol_name(MlcParser *p, MlcStr *name)
{
    if (!mlc_parser_is(p, TOK_AT))
        return false;
    MlcToken token = p->tok;
    mlc_parser_advance(p);
    return mlc_parser_unescape(p, token, name);
}

bool
mlc_parse_symbol_name(MlcParser *p, MlcStr *name)
{
    return mlc_parse_optional_symbol_name(p, name) ||
           (!p->failed &&
            mlc_parser_fail_custom(p, p->tok.at, "expected valid '@'-identifier for symbol name"));
}

// --- types

// The slice from the next token to the '>' that closes what opens behind it, if it is plain: on one
// line, without strings and comments.
static MlcStr
bracketed_slice(const MlcParser *p)
{
    if (*p->tok.end != '<')
        return (MlcStr){0};
    const char *at = p->tok.end, *end = p->text.data + p->text.size;
    size_t depth = 0;
    do {
        char c = *at;
        if (at >= end || c == '"' || c == '\n' || c == '/')
            return (MlcStr){0};
        depth += c == '<';
        if (c == '>' && at[-1] != '-')
            depth--;
        at++;
    } while (depth);
    return mlc_str_n(p->tok.at, (size_t)(at - p->tok.at));
}

void
mlc_parser_skip_slice(MlcParser *p, MlcStr text)
{
    const char *end = text.data + text.size;
    mlc_parser_reset(p, end, false);
    p->prev_end = end;
}

// The type or attribute that the same characters gave before.
static const void *
take_memoised(MlcParser *p, MlcMemo *memo, MlcStr text)
{
    const void *known = text.size ? mlc_memo_get(memo, text) : NULL;
    if (known)
        mlc_parser_skip_slice(p, text);
    return known;
}

// What aliases make long is read again each time, and counted.
static void
memoise(MlcParser *p, MlcMemo *memo, MlcStr text, const void *value, uint64_t expansion_before)
{
    bool is_short = p->expansion - expansion_before < MEMOISED_EXPANSION;
    if (is_short && text.size && p->prev_end == text.data + text.size)
        mlc_memo_set(memo, text, value);
}

static bool
parse_bracketed_type(MlcParser *p, MlcType *type)
{
    MlcStr text = bracketed_slice(p);
    if ((*type = take_memoised(p, &p->type_memo, text)))
        return true;
    MlcRun run = {0};
    uint64_t expansion = p->expansion;
    if (mlc_parser_is(p, TOK_BANG)) {
        if (!mlc_parse_dialect_type(p, type))
            return false;
    } else {
        if (!mlc_text_run(p, &run, TOK_START_TYPE))
            return false;
        *type = run.type;
    }
    memoise(p, &p->type_memo, text, *type, expansion);
    return true;
}

// A type that is one word; false without a message: it is not.
static bool
make_word_type(MlcParser *p, MlcStr word, MlcType *type)
{
    MlcFloatKind kind = MLC_FLOAT_F32;
    switch (mlc_text_keyword(word)) {
    case TOK_K_INDEX:
        *type = mlc_index_type_get(p->ctx);
        return true;
    case TOK_FLOATTYPE:
        mlc_float_kind_from_name(word, &kind);
        *type = mlc_float_type_get(p->ctx, kind);
        return true;
    default:
        return false;
    }
}

static bool
starts_shaped_type(const MlcParser *p)
{
    int keyword = mlc_text_keyword(mlc_token_str(p->tok));
    return keyword == TOK_K_TENSOR || keyword == TOK_K_VECTOR || keyword == TOK_K_MEMREF;
}

bool
mlc_parse_type_into(MlcParser *p, MlcType *type)
{
    bool is_word = p->tok.kind == TOK_INTTYPE || p->tok.kind == TOK_BARE;
    if (is_word && (*type = mlc_memo_get(&p->type_memo, mlc_token_str(p->tok)))) {
        mlc_parser_advance(p);
        return true;
    }
    MlcStr word = mlc_token_str(p->tok);
    switch (p->tok.kind) {
    case TOK_INTTYPE:
        *type = mlc_text_int_type(p, word);
        mlc_parser_advance(p);
        if (*type)
            mlc_memo_set(&p->type_memo, word, *type);
        return *type != NULL;
    case TOK_BANG:
        return parse_bracketed_type(p, type);
    case TOK_BARE:
        if (make_word_type(p, word, type)) {
            mlc_memo_set(&p->type_memo, word, *type);
            mlc_parser_advance(p);
            return true;
        }
        if (starts_shaped_type(p))
            return parse_bracketed_type(p, type);
        break;
    }
    MlcRun run = {0};
    if (!mlc_text_run(p, &run, TOK_START_TYPE))
        return false;
    *type = run.type;
    return true;
}

bool
mlc_parse_known_type(MlcParser *p, MlcType *type)
{
    if (p->tok.kind != TOK_INTTYPE && p->tok.kind != TOK_BARE && p->tok.kind != TOK_BANG)
        return false;
    MlcStr text = mlc_token_str(p->tok);
    if ((*type = mlc_memo_get(&p->type_memo, text))) {
        mlc_parser_advance(p);
        return true;
    }
    return (*type = take_memoised(p, &p->type_memo, bracketed_slice(p))) != NULL;
}

static bool
starts_type(const MlcParser *p)
{
    switch (p->tok.kind) {
    case TOK_INTTYPE:
    case TOK_BANG:
    case '(':
        return true;
    case TOK_BARE:
        switch (mlc_text_keyword(mlc_token_str(p->tok))) {
        case TOK_FLOATTYPE:
        case TOK_K_INDEX:
        case TOK_K_NONE:
        case TOK_K_COMPLEX:
        case TOK_K_TUPLE:
        case TOK_K_TENSOR:
        case TOK_K_VECTOR:
        case TOK_K_MEMREF:
            return true;
        }
        return false;
    default:
        return false;
    }
}

int
mlc_parse_optional_type(MlcParser *p, MlcType *type)
{
    if (!starts_type(p))
        return 0;
    return mlc_parse_type_into(p, type) ? 1 : -1;
}

bool
mlc_parse_type_list(MlcParser *p, MlcTypeVec *types)
{
    do {
        MlcType type;
        if (!mlc_parse_type_into(p, &type))
            return false;
        mlc_vec_push(types, type);
    } while (mlc_parser_take(p, ','));
    return true;
}

// (a, b) or a.
static bool
parse_result_types(MlcParser *p, MlcTypeVec *types)
{
    MlcType type;
    if (!mlc_parser_take(p, '(')) {
        if (!mlc_parse_type_into(p, &type))
            return false;
        mlc_vec_push(types, type);
        return true;
    }
    if (mlc_parser_take(p, ')'))
        return true;
    return mlc_parse_type_list(p, types) && mlc_parse_token(p, ")");
}

bool
mlc_parse_arrow_types(MlcParser *p, MlcTypeVec *types)
{
    return mlc_parse_token(p, "->") && parse_result_types(p, types);
}

bool
mlc_parse_function_type(MlcParser *p, MlcType *type)
{
    const char *at = p->tok.at;
    if (!mlc_parse_type_into(p, type))
        return false;
    return mlc_type_is(*type, MLC_TYPE_FUNCTION) ||
           mlc_parser_fail_custom(p, at, "invalid kind of type specified");
}

// --- attributes

static bool
run_attribute(MlcParser *p, MlcType hint, MlcAttr *attr)
{
    MlcRun run = {.hint = hint};
    if (!mlc_text_run(p, &run, hint ? TOK_START_ATTR_HINT : TOK_START_ATTR))
        return false;
    *attr = run.attr;
    return true;
}

static bool
parse_number_or_string(MlcParser *p, bool negative, MlcAttr *attr)
{
    MlcToken token = p->tok;
    mlc_parser_advance(p);
    MlcType type = NULL;
    if (mlc_parser_take(p, ':') && !mlc_parse_type_into(p, &type))
        return false;
    if (token.kind != TOK_STRING)
        return (*attr = mlc_text_number(p, token.kind, mlc_token_str(token), token.at, negative,
                                        type)) != NULL;
    MlcStr text;
    if (!mlc_parser_unescape(p, token, &text))
        return false;
    *attr = type ? mlc_string_attr_get_typed(text, type) : mlc_string_attr_get(p->ctx, text);
    return true;
}

// The grammar knows what to say of a sign without a number.
static bool
parse_negative(MlcParser *p, MlcAttr *attr)
{
    const char *at = p->tok.at;
    mlc_parser_advance(p);
    if (mlc_parser_is(p, TOK_INT) || mlc_parser_is(p, TOK_FLOAT))
        return parse_number_or_string(p, true, attr);
    mlc_parser_reset(p, at, false);
    return run_attribute(p, NULL, attr);
}

// @name, and nothing nested in it.
static bool
parse_symbol(MlcParser *p, MlcAttr *attr)
{
    MlcToken token = p->tok;
    mlc_parser_advance(p);
    if (mlc_parser_is(p, TOK_COLONCOLON)) {
        mlc_parser_reset(p, token.at, false);
        return run_attribute(p, NULL, attr);
    }
    MlcStr name;
    if (!mlc_parser_unescape(p, token, &name))
        return false;
    *attr = mlc_symbol_ref_attr_get_nested(p->ctx, &name, 1);
    return true;
}

// Only what nothing can follow is remembered: a type behind it would be part of it.
static bool
parse_bracketed_attribute(MlcParser *p, MlcType hint, MlcAttr *attr)
{
    MlcStr text = hint ? (MlcStr){0} : bracketed_slice(p);
    if (text.size) {
        const char *behind = text.data + text.size;
        while (*behind == ' ')
            behind++;
        if (*behind == ':')
            text.size = 0;
    }
    if ((*attr = take_memoised(p, &p->attr_memo, text)))
        return true;
    uint64_t expansion = p->expansion;
    if (mlc_parser_is(p, TOK_HASH) ? !mlc_parse_dialect_attr(p, hint, attr)
                                   : !run_attribute(p, hint, attr))
        return false;
    memoise(p, &p->attr_memo, text, *attr, expansion);
    return true;
}

bool
mlc_parse_attribute(MlcParser *p, MlcType type_hint, MlcAttr *attr)
{
    switch (p->tok.kind) {
    case TOK_INT:
    case TOK_FLOAT:
    case TOK_STRING:
        return type_hint ? run_attribute(p, type_hint, attr)
                         : parse_number_or_string(p, false, attr);
    case '-':
        return type_hint ? run_attribute(p, type_hint, attr) : parse_negative(p, attr);
    case TOK_AT:
        return type_hint ? run_attribute(p, type_hint, attr) : parse_symbol(p, attr);
    case TOK_HASH:
    case TOK_BARE:
        return parse_bracketed_attribute(p, type_hint, attr);
    default:
        return run_attribute(p, type_hint, attr);
    }
}

int
mlc_parse_optional_attribute(MlcParser *p, MlcType type_hint, MlcAttr *attr)
{
    bool starts = starts_type(p);
    switch (p->tok.kind) {
    case TOK_INT:
    case TOK_FLOAT:
    case TOK_STRING:
    case TOK_HASH:
    case TOK_AT:
    case '-':
    case '[':
    case '{':
        starts = true;
        break;
    case TOK_BARE:
        switch (mlc_text_keyword(mlc_token_str(p->tok))) {
        case TOK_K_TRUE:
        case TOK_K_FALSE:
        case TOK_K_UNIT:
        case TOK_K_AFFINE_MAP:
        case TOK_K_AFFINE_SET:
        case TOK_K_ARRAY:
        case TOK_K_DENSE:
        case TOK_K_DENSE_RESOURCE:
        case TOK_K_SPARSE:
        case TOK_K_STRIDED:
        case TOK_K_DISTINCT:
        case TOK_K_LOC:
            starts = true;
        }
        break;
    }
    if (!starts)
        return 0;
    return mlc_parse_attribute(p, type_hint, attr) ? 1 : -1;
}

// The names of attributes come again and again.
static MlcAttr
name_attr(MlcParser *p, MlcStr name)
{
    MlcAttr attr = mlc_memo_get(&p->attr_names, name);
    if (!attr) { // the name may stand in a buffer of the caller's
        attr = mlc_string_attr_get(p->ctx, name);
        mlc_memo_set(&p->attr_names, mlc_string_attr_value(attr), attr);
    }
    return attr;
}

static bool
fail_duplicate(MlcParser *p, const char *at, MlcStr name)
{
    return mlc_parser_fail_at(p, at, "duplicate key '%.*s' in dictionary attribute",
                              MLC_STR_FMT(name));
}

// Longer ones are looked through when they are complete.
enum { MAX_SCANNED = 16 };

// name, "name", name = value: the entries of { ... }, up to and with the '}'.
bool
mlc_parse_named_attrs(MlcParser *p, MlcNamedAttrVec *out)
{
    if (!mlc_parser_expect(p, '{', "'{' in attribute dictionary"))
        return false;
    size_t first = out->size;
    if (mlc_parser_take(p, '}'))
        return true;
    do {
        MlcStr name;
        const char *at = p->tok.at;
        if (mlc_parser_is(p, TOK_STRING)) {
            if (!mlc_parse_string(p, &name))
                return false;
            if (name.size == 0)
                return mlc_parser_fail_wrong(p, "expected valid attribute name");
        } else if (!mlc_parse_optional_keyword_any(p, &name)) {
            return mlc_parser_fail_wrong(p, "expected attribute name");
        }
        MlcAttr key = name_attr(p, name), value = NULL;
        for (size_t i = first; i < out->size && out->size - first < MAX_SCANNED; i++)
            if (out->data[i].name == key)
                return fail_duplicate(p, at, name);
        if (!mlc_parser_take(p, '='))
            value = mlc_unit_attr_get(p->ctx);
        else if (!mlc_parse_attribute(p, NULL, &value))
            return false;
        mlc_vec_push(out, (MlcNamedAttr){key, value});
    } while (mlc_parser_take(p, ','));
    MlcStr name;
    if (mlc_dict_attr_find_duplicate(out->data + first, out->size - first, &name))
        return fail_duplicate(p, p->tok.at, name);
    return mlc_parser_expect(p, '}', "'}' in attribute dictionary");
}

bool
mlc_parse_attr_dict(MlcParser *p, MlcOpBuild *op)
{
    return !mlc_parser_is(p, '{') || mlc_parse_named_attrs(p, &op->attrs);
}

bool
mlc_parse_attr_dict_with_keyword(MlcParser *p, MlcOpBuild *op)
{
    return !mlc_parse_optional_token(p, "attributes") || mlc_parse_named_attrs(p, &op->attrs);
}

void
mlc_op_build_attr(MlcParser *p, MlcOpBuild *op, const char *name, MlcAttr value)
{
    MlcAttr key = name_attr(p, mlc_str(name));
    for (size_t i = 0; i < op->attrs.size; i++)
        if (op->attrs.data[i].name == key) {
            op->attrs.data[i].value = value;
            return;
        }
    mlc_vec_push(&op->attrs, (MlcNamedAttr){key, value});
}

bool
mlc_parser_has_attr(const MlcOpBuild *op, MlcStr name)
{
    for (size_t i = 0; i < op->attrs.size; i++)
        if (mlc_str_equal(mlc_string_attr_value(op->attrs.data[i].name), name))
            return true;
    return false;
}

// --- operands

int
mlc_parse_optional_operand(MlcParser *p, MlcOperandRef *ref)
{
    if (!mlc_parser_is(p, TOK_PERCENT))
        return 0;
    *ref = (MlcOperandRef){.name = mlc_token_str(p->tok), .at = p->tok.at};
    mlc_parser_advance(p);
    if (!mlc_parser_is(p, TOK_HASH))
        return 1;
    int64_t number = 0;
    MlcStr text = mlc_token_str(p->tok);
    for (size_t i = 1; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || number > UINT32_MAX)
            return mlc_parser_fail_at(p, p->tok.at, "invalid SSA value result number"), -1;
        number = number * 10 + (text.data[i] - '0');
    }
    if ((uint64_t)number > mlc_context_limits(p->ctx)->operands)
        return mlc_parser_fail_at(p, p->tok.at, "invalid SSA value result number"), -1;
    ref->number = (unsigned)number;
    mlc_parser_advance(p);
    return 1;
}

bool
mlc_parse_operand(MlcParser *p, MlcOperandRef *ref)
{
    int found = mlc_parse_optional_operand(p, ref);
    return found > 0 || (found == 0 && mlc_parser_fail_wrong(p, "expected SSA operand"));
}

bool
mlc_parse_operand_list(MlcParser *p, MlcOperandRefVec *refs)
{
    MlcOperandRef ref;
    int found = mlc_parse_optional_operand(p, &ref);
    if (found <= 0)
        return found == 0;
    mlc_vec_push(refs, ref);
    while (mlc_parser_take(p, ',')) {
        if (!mlc_parse_operand(p, &ref))
            return false;
        mlc_vec_push(refs, ref);
    }
    return true;
}

bool
mlc_resolve_operand(MlcParser *p, const MlcOperandRef *ref, MlcType type, MlcOpBuild *op)
{
    MlcValue *value;
    if (!mlc_parser_resolve(p, ref, type, &value))
        return false;
    mlc_vec_push(&op->operands, value);
    return true;
}

bool
mlc_resolve_operands(MlcParser *p, const MlcOperandRefVec *refs, const MlcTypeVec *types,
                     MlcLoc loc, MlcOpBuild *op)
{
    if (refs->size != types->size)
        return mlc_parser_error_at(p, loc ? loc : mlc_parser_loc(p),
                                   "%zu operands present, but expected %zu", refs->size,
                                   types->size);
    for (size_t i = 0; i < refs->size; i++)
        if (!mlc_resolve_operand(p, &refs->data[i], types->data[i], op))
            return false;
    return true;
}

bool
mlc_parse_operands_within(MlcParser *p, const char *open, const char *close, MlcOperandRefVec *refs)
{
    MlcOperandRef ref;
    if (!mlc_parse_optional_token(p, open))
        return mlc_parser_fail_wrong(p, "expected '%s' in operand list", open);
    if (mlc_parse_optional_token(p, close))
        return true;
    do {
        if (!mlc_parse_operand(p, &ref))
            return false;
        mlc_vec_push(refs, ref);
    } while (mlc_parser_take(p, ','));
    return mlc_parse_optional_token(p, close) ||
           mlc_parser_fail_wrong(p, "expected '%s' in operand list", close);
}

bool
mlc_parse_affine_map_of_operands(MlcParser *p, const char *close, MlcAffineMap *map,
                                 MlcOperandRefVec *dims, MlcOperandRefVec *symbols)
{
    MlcRun run = {.dims = dims, .symbols = symbols, .affine = 1};
    if (!mlc_text_run(p, &run, TOK_START_OPERAND_MAP))
        return false;
    *map = run.map;
    return !close || mlc_parse_optional_token(p, close) ||
           mlc_parser_fail_wrong(p, "expected '%s' in affine map", close);
}

bool
mlc_parse_dynamic_index_list(MlcParser *p, const char *open, const char *close,
                             MlcOperandRefVec *values, MlcAttr *statics)
{
    if (!mlc_parse_optional_token(p, open))
        return mlc_parser_fail_wrong(p, "expected '%s' in dynamic index list", open);
    MLC_VEC(int64_t) ints = {0};
    bool ok = true;
    if (!mlc_parse_optional_token(p, close)) {
        do {
            MlcOperandRef ref;
            int64_t value = MLC_DYNAMIC;
            int found = mlc_parse_optional_operand(p, &ref);
            if (found > 0)
                mlc_vec_push(values, ref);
            else
                ok = found == 0 && mlc_parse_integer(p, &value);
            mlc_vec_push(&ints, value);
        } while (ok && mlc_parser_take(p, ','));
        ok = ok && (mlc_parse_optional_token(p, close) ||
                    mlc_parser_fail_wrong(p, "expected '%s' in dynamic index list", close));
    }
    if (!ok && p->build && p->custom_op) // a second one, as MLIR
        mlc_error(p->ctx, p->build->loc, "custom op '%s' expected SSA value or integer",
                  p->custom_op);
    if (ok)
        *statics = mlc_i64_array_attr_get(p->ctx, ints.data, ints.size);
    mlc_vec_release(&ints);
    return ok;
}
