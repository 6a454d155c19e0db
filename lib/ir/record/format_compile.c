// format_compile.c -- compiles MLIR's declarative assembly formats.
//
// Blanks between printed elements are decided here and not when printing: MLIR's own generator
// decides them by walking the elements in textual order, through optional groups too, with two
// flags (is a blank wanted, was the last thing punctuation); so the rules of mlir-tblgen's
// OpFormatGen are followed to the letter, odd cases included.
#include "format_compile.h"

#include <ctype.h>

#include "did_you_mean.h"
#include "format.h"
#include "mlc/support/vec.h"

typedef MLC_VEC(uint32_t) Code;

typedef struct Compiler {
    const MlcOpDef *def; // NULL: parameters
    const MlcParamDef *params;
    size_t num_params;
    MlcStr text;
    size_t at;
    MlcArena *arena;
    MlcBuf *error;
    MlcStrVec strings;
    MLC_VEC(uint32_t) used; // slots or parameters named by the format, in order, once each
    bool want_space, was_punctuation;
    unsigned depth;
} Compiler;

typedef struct Anchors {
    uint32_t places[16];
    size_t count;
    bool found;
} Anchors;

static bool fail(Compiler *c, const char *format, ...) MLC_PRINTF(2, 3);
static bool
fail(Compiler *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mlc_buf_printf(c->error, "offset %zu: ", c->at);
    mlc_buf_vprintf(c->error, format, args);
    va_end(args);
    return false;
}

static void
skip_blanks(Compiler *c)
{
    while (c->at < c->text.size && isspace((unsigned char)c->text.data[c->at]))
        c->at++;
}

static char
peek(Compiler *c)
{
    skip_blanks(c);
    return c->at < c->text.size ? c->text.data[c->at] : '\0';
}

static bool
take(Compiler *c, char wanted)
{
    if (peek(c) != wanted)
        return false;
    c->at++;
    return true;
}

static bool
expect(Compiler *c, char wanted)
{
    return take(c, wanted) || fail(c, "expected '%c'", wanted);
}

// Letters, digits, '_', '-', '.'.
static MlcStr
take_word(Compiler *c)
{
    skip_blanks(c);
    size_t start = c->at;
    while (c->at < c->text.size &&
           (isalnum((unsigned char)c->text.data[c->at]) ||
            (c->at > start && c->text.data[c->at] == '-') || c->text.data[c->at] == '_'))
        c->at++;
    return mlc_str_n(c->text.data + start, c->at - start);
}

static bool
is_word(MlcStr word, const char *text)
{
    return mlc_str_equal(word, mlc_str(text));
}

static uint32_t
string_number(Compiler *c, MlcStr s)
{
    for (size_t i = 0; i < c->strings.size; i++)
        if (mlc_str_equal(c->strings.data[i], s))
            return (uint32_t)i;
    mlc_vec_push(&c->strings, mlc_arena_strdup(c->arena, s));
    return (uint32_t)c->strings.size - 1;
}

static uint32_t
header(MlcFormatOp op, unsigned flags, size_t a)
{
    return (uint32_t)op | (uint32_t)flags << 8 | (uint32_t)a << 16;
}

static uint32_t
place_word(MlcPlace place, size_t index)
{
    return (uint32_t)place << 24 | (uint32_t)index;
}

static void
append(Code *to, const Code *from)
{
    for (size_t i = 0; i < from->size; i++)
        mlc_vec_push(to, from->data[i]);
}

static void
emit_node(Code *code, MlcFormatOp op, unsigned flags, size_t a, const uint32_t *args,
          size_t num_args)
{
    mlc_vec_push(code, header(op, flags, a));
    mlc_vec_push(code, (uint32_t)(num_args + 2));
    for (size_t i = 0; i < num_args; i++)
        mlc_vec_push(code, args[i]);
}

// What find_place would have found.
static const char *
like_place(Compiler *c, MlcStr name)
{
    const MlcOpDef *def = c->def;
    MlcNames names = {0};
    for (size_t i = 0; !def && i < c->num_params; i++)
        mlc_vec_push(&names, mlc_str(c->params[i].name));
    for (size_t i = 0; def && i < def->num_regions; i++)
        if (def->regions[i].name)
            mlc_vec_push(&names, mlc_str(def->regions[i].name));
    for (size_t i = 0; def && i < def->num_successors; i++)
        if (def->successors[i].name)
            mlc_vec_push(&names, mlc_str(def->successors[i].name));
    const char *near = mlc_did_you_mean(c->arena, name, &names);
    return *near || !def ? near : mlc_did_you_mean_attr(c->arena, name, def, true);
}

// The group, slot or parameter called `name`.
static bool
find_place(Compiler *c, MlcStr name, uint32_t *place)
{
    const MlcOpDef *def = c->def;
    for (size_t i = 0; !def && i < c->num_params; i++)
        if (is_word(name, c->params[i].name))
            return *place = place_word(MLC_PLACE_PARAM, i), true;
    for (size_t i = 0; def && i < def->num_operands; i++)
        if (is_word(name, def->operands[i].name))
            return *place = place_word(MLC_PLACE_OPERAND, i), true;
    for (size_t i = 0; def && i < def->num_attrs; i++)
        if (is_word(name, def->attrs[i].name))
            return *place = place_word(MLC_PLACE_ATTR, i), true;
    for (size_t i = 0; def && i < def->num_results; i++)
        if (def->results[i].name && is_word(name, def->results[i].name))
            return *place = place_word(MLC_PLACE_RESULT, i), true;
    for (size_t i = 0; def && i < def->num_regions; i++)
        if (def->regions[i].name && is_word(name, def->regions[i].name))
            return *place = place_word(MLC_PLACE_REGION, i), true;
    for (size_t i = 0; def && i < def->num_successors; i++)
        if (def->successors[i].name && is_word(name, def->successors[i].name))
            return *place = place_word(MLC_PLACE_SUCCESSOR, i), true;
    return fail(c,
                "no operand, result, attribute, region, successor or parameter is called '%.*s'%s",
                MLC_STR_FMT(name), like_place(c, name));
}

static bool
take_variable(Compiler *c, uint32_t *place)
{
    if (!expect(c, '$'))
        return false;
    MlcStr name = take_word(c);
    return find_place(c, name, place);
}

// $x, operands, results.
static bool
take_type_argument(Compiler *c, uint32_t *place)
{
    if (peek(c) == '$')
        return take_variable(c, place);
    MlcStr word = take_word(c);
    if (is_word(word, "operands"))
        *place = place_word(MLC_PLACE_ALL_OPERANDS, 0);
    else if (is_word(word, "results"))
        *place = place_word(MLC_PLACE_ALL_RESULTS, 0);
    else
        return fail(c, "expected '$name', 'operands' or 'results'");
    return true;
}

static bool
is_unit_attr(Compiler *c, uint32_t place)
{
    MlcPlaceRef ref = mlc_format_place(place);
    if (!c->def || ref.place != MLC_PLACE_ATTR)
        return false;
    const MlcConstraint *constraint = c->def->attrs[ref.index].constraint;
    return constraint && constraint->kind == MLC_CONSTRAINT_ATTR_KIND &&
           constraint->a == INT64_C(1) << MLC_ATTR_UNIT;
}

static unsigned
space_before_element(Compiler *c)
{
    unsigned flags = c->want_space || !c->was_punctuation ? MLC_FORMAT_SPACE_BEFORE : 0;
    c->was_punctuation = false;
    c->want_space = true;
    return flags;
}

static bool
blank_before_literal(MlcStr text, bool was_punctuation)
{
    if (text.size != 1 && !is_word(text, "->"))
        return true;
    return !strchr(was_punctuation ? ">)}]," : "<>(){}[],", text.data[0]);
}

static unsigned
space_before_literal(Compiler *c, MlcStr text)
{
    bool blank = c->want_space && blank_before_literal(text, c->was_punctuation);
    c->want_space = text.size != 1 || !strchr("<({[", text.data[0]);
    c->was_punctuation = text.data[0] != '_' && !isalpha((unsigned char)text.data[0]);
    return blank ? MLC_FORMAT_SPACE_BEFORE : 0;
}

static bool
take_literal(Compiler *c, MlcStr *text)
{
    if (!expect(c, '`'))
        return false;
    const char *start = c->text.data + c->at;
    const char *end = memchr(start, '`', c->text.size - c->at);
    if (!end)
        return fail(c, "literal without a closing '`'");
    *text = mlc_str_n(start, (size_t)(end - start));
    c->at += text->size + 1;
    return true;
}

static bool
compile_literal(Compiler *c, Code *code)
{
    MlcStr text;
    if (!take_literal(c, &text))
        return false;
    if (text.size == 0) {
        c->want_space = false;
        c->was_punctuation = true;
        return true;
    }
    if (is_word(text, " ")) {
        emit_node(code, MLC_FORMAT_SPACE, 0, 0, NULL, 0);
        c->want_space = false;
        c->was_punctuation = false;
        return true;
    }
    if (is_word(text, "\\n")) {
        emit_node(code, MLC_FORMAT_NEWLINE, 0, 0, NULL, 0);
        c->want_space = false;
        c->was_punctuation = true;
        return true;
    }
    unsigned flags = space_before_literal(c, text);
    emit_node(code, MLC_FORMAT_LITERAL, flags, string_number(c, text), NULL, 0);
    return true;
}

static void
anchor_at(Anchors *anchors, uint32_t place)
{
    if (anchors->count < sizeof anchors->places / sizeof *anchors->places)
        anchors->places[anchors->count++] = place;
}

// One argument of custom<...>(...): a node, marked when it is only looked at.
static bool
compile_custom_argument(Compiler *c, Code *code, Anchors *places, unsigned flags)
{
    uint32_t place;
    if (peek(c) == '$') {
        if (!take_variable(c, &place))
            return false;
        emit_node(code, MLC_FORMAT_VAR, flags, 0, &place, 1);
        anchor_at(places, place);
        return true;
    }
    if (peek(c) == '"') {
        const char *start = c->text.data + ++c->at;
        const char *end = memchr(start, '"', c->text.size - c->at);
        if (!end)
            return fail(c, "string without a closing '\"'");
        c->at += (size_t)(end - start) + 1;
        MlcStr text = mlc_str_n(start, (size_t)(end - start));
        emit_node(code, MLC_FORMAT_LITERAL, 0, string_number(c, text), NULL, 0);
        return true;
    }
    MlcStr word = take_word(c);
    if (is_word(word, "attr-dict")) {
        emit_node(code, MLC_FORMAT_ATTR_DICT, flags, c->used.size, c->used.data, c->used.size);
        return true;
    }
    if (is_word(word, "successors") || is_word(word, "regions")) {
        emit_node(code, is_word(word, "regions") ? MLC_FORMAT_REGIONS : MLC_FORMAT_SUCCESSORS,
                  flags, 0, NULL, 0);
        return true;
    }
    if (is_word(word, "ref") || is_word(word, "qualified"))
        return expect(c, '(') &&
               compile_custom_argument(
                   c, code, places,
                   flags | (is_word(word, "ref") ? MLC_FORMAT_REF : MLC_FORMAT_QUALIFIED)) &&
               expect(c, ')');
    if (!is_word(word, "type"))
        return fail(c, "'%.*s' is no argument of a custom directive", MLC_STR_FMT(word));
    if (!expect(c, '(') || !take_type_argument(c, &place) || !expect(c, ')'))
        return false;
    emit_node(code, MLC_FORMAT_TYPE, flags, 0, &place, 1);
    anchor_at(places, place);
    return true;
}

static bool
compile_custom(Compiler *c, Code *code, Anchors *places)
{
    if (!expect(c, '<'))
        return false;
    MlcStr name = take_word(c);
    if (!expect(c, '>') || !expect(c, '('))
        return false;
    Code arguments = {0};
    bool ok = true;
    while (ok && peek(c) != ')')
        ok =
            compile_custom_argument(c, &arguments, places, 0) && (peek(c) == ')' || expect(c, ','));
    ok = ok && expect(c, ')');
    if (ok)
        emit_node(code, MLC_FORMAT_CUSTOM, space_before_element(c), string_number(c, name),
                  arguments.data, arguments.size);
    mlc_vec_release(&arguments);
    return ok;
}

// params, struct(params), struct($a, $b).
static void
compile_all_params(Compiler *c, Code *code, MlcFormatOp op, Anchors *places)
{
    Code numbers = {0};
    for (uint32_t i = 0; i < c->num_params; i++) {
        bool used = false;
        for (size_t j = 0; j < c->used.size; j++)
            used |= c->used.data[j] == i;
        if (!used) {
            mlc_vec_push(&numbers, i);
            anchor_at(places, (uint32_t)MLC_PLACE_PARAM << 24 | i);
        }
    }
    emit_node(code, op, space_before_element(c), numbers.size, numbers.data, numbers.size);
    mlc_vec_release(&numbers);
}

static bool
compile_struct(Compiler *c, Code *code, Anchors *places)
{
    if (!expect(c, '('))
        return false;
    if (peek(c) != '$') {
        MlcStr word = take_word(c);
        if (!is_word(word, "params"))
            return fail(c, "expected 'params' or '$name'");
        compile_all_params(c, code, MLC_FORMAT_STRUCT, places);
        return expect(c, ')');
    }
    Code numbers = {0};
    bool ok = true;
    do {
        uint32_t place = 0;
        ok = take_variable(c, &place);
        mlc_vec_push(&numbers, place & 0xffff);
    } while (ok && take(c, ','));
    ok = ok && expect(c, ')');
    if (ok)
        emit_node(code, MLC_FORMAT_STRUCT, space_before_element(c), numbers.size, numbers.data,
                  numbers.size);
    mlc_vec_release(&numbers);
    return ok;
}

static bool compile_elements(Compiler *c, Code *code, const char *stop, Anchors *anchors);

// oilist( `kw` elements | ... )
static bool
compile_oilist(Compiler *c, Code *code)
{
    if (!expect(c, '('))
        return false;
    Code clauses = {0};
    size_t num_clauses = 0;
    bool ok = true;
    do {
        MlcStr keyword = {0};
        if (!take_literal(c, &keyword) || keyword.size == 0) {
            ok = false;
            break;
        }
        uint32_t flags = space_before_literal(c, keyword);
        Code elements = {0};
        Anchors none = {0};
        ok = compile_elements(c, &elements, "|)", &none);
        mlc_vec_push(&clauses, string_number(c, keyword) | flags << 16);
        mlc_vec_push(&clauses, (uint32_t)elements.size);
        append(&clauses, &elements);
        mlc_vec_release(&elements);
        num_clauses++;
    } while (ok && take(c, '|'));
    ok = ok && expect(c, ')');
    if (ok)
        emit_node(code, MLC_FORMAT_OILIST, 0, num_clauses, clauses.data, clauses.size);
    mlc_vec_release(&clauses);
    return ok;
}

// The sizes of a variadic of variadics are said by its operands.
static void
use_segments(Compiler *c)
{
    for (size_t i = 0; c->def && i < c->def->num_operands; i++)
        for (uint32_t k = 0; c->def->operands[i].segments && k < c->def->num_attrs; k++)
            if (c->def->attrs[k].name && // else the record is at fault, and refused
                strcmp(c->def->attrs[k].name, c->def->operands[i].segments) == 0)
                mlc_vec_push(&c->used, k);
}

static void
emit_attr_dict(Compiler *c, Code *code, MlcFormatOp op, unsigned flags)
{
    use_segments(c);
    emit_node(code, op, flags, c->used.size, c->used.data, c->used.size);
    c->was_punctuation = false;
}

// A directive that begins with a word; its places go to `places`.
static bool
compile_directive(Compiler *c, Code *code, unsigned flags, Anchors *places)
{
    size_t start = c->at;
    MlcStr word = take_word(c);
    uint32_t args[2];
    if (is_word(word, "attr-dict") || is_word(word, "attr-dict-with-keyword")) {
        emit_attr_dict(c, code, MLC_FORMAT_ATTR_DICT, word.size > 9 ? MLC_FORMAT_KEYWORD : 0);
        return true;
    }
    if (is_word(word, "prop-dict")) {
        emit_attr_dict(c, code, MLC_FORMAT_PROP_DICT, 0);
        return true;
    }
    if (is_word(word, "qualified") || is_word(word, "ref")) {
        if (!expect(c, '('))
            return false;
        flags |= MLC_FORMAT_QUALIFIED;
        if (peek(c) != '$')
            return compile_directive(c, code, flags, places) && expect(c, ')');
        if (!take_variable(c, &args[0]) || !expect(c, ')'))
            return false;
        anchor_at(places, args[0]);
        emit_node(code, MLC_FORMAT_VAR, flags | space_before_element(c), 0, args, 1);
        return true;
    }
    if (is_word(word, "type")) {
        if (!expect(c, '(') || !take_type_argument(c, &args[0]) || !expect(c, ')'))
            return false;
        anchor_at(places, args[0]);
        emit_node(code, MLC_FORMAT_TYPE, flags | space_before_element(c), 0, args, 1);
        return true;
    }
    if (is_word(word, "functional-type")) {
        if (!expect(c, '(') || !take_type_argument(c, &args[0]) || !expect(c, ',') ||
            !take_type_argument(c, &args[1]) || !expect(c, ')'))
            return false;
        anchor_at(places, args[0]);
        anchor_at(places, args[1]);
        emit_node(code, MLC_FORMAT_FUNCTIONAL_TYPE, flags | space_before_element(c), 0, args, 2);
        return true;
    }
    if (is_word(word, "operands") || is_word(word, "results")) {
        args[0] = place_word(
            is_word(word, "operands") ? MLC_PLACE_ALL_OPERANDS : MLC_PLACE_ALL_RESULTS, 0);
        anchor_at(places, args[0]);
        emit_node(code, MLC_FORMAT_VAR, flags | space_before_element(c), 0, args, 1);
        return true;
    }
    if (is_word(word, "regions") || is_word(word, "successors")) {
        emit_node(code, is_word(word, "regions") ? MLC_FORMAT_REGIONS : MLC_FORMAT_SUCCESSORS,
                  flags | space_before_element(c), 0, NULL, 0);
        return true;
    }
    if (is_word(word, "custom"))
        return compile_custom(c, code, places);
    if (is_word(word, "oilist"))
        return compile_oilist(c, code);
    if (is_word(word, "params") && !c->def)
        return compile_all_params(c, code, MLC_FORMAT_PARAMS, places), true;
    if (is_word(word, "struct") && !c->def)
        return compile_struct(c, code, places);
    if (is_word(word, "structured") && c->def) {
        if (!mlc_op_def_has_trait(c->def, MLC_TRAIT_STRUCTURED))
            return fail(c, "'structured' is for structured ops");
        emit_node(code, MLC_FORMAT_STRUCTURED, space_before_element(c), 0, NULL, 0);
        return true;
    }
    c->at = start;
    return fail(c, "unknown directive '%.*s'", MLC_STR_FMT(word));
}

// ( elements ) (: ( elements ))? ?
static bool
compile_group(Compiler *c, Code *code)
{
    if (!expect(c, '('))
        return false;
    Code then = {0}, otherwise = {0};
    Anchors anchors = {0}, else_anchors = {0};
    bool ok = compile_elements(c, &then, ")", &anchors) && expect(c, ')');
    if (ok && take(c, ':'))
        ok =
            expect(c, '(') && compile_elements(c, &otherwise, ")", &else_anchors) && expect(c, ')');
    ok = ok && expect(c, '?');
    if (ok && !anchors.found && !else_anchors.found)
        ok = fail(c, "optional group has no anchor ('^')");
    if (ok) {
        const Anchors *chosen = anchors.found ? &anchors : &else_anchors;
        Code body = {0};
        for (size_t i = 0; i < chosen->count; i++)
            mlc_vec_push(&body, chosen->places[i]);
        mlc_vec_push(&body, (uint32_t)then.size);
        append(&body, &then);
        mlc_vec_push(&body, (uint32_t)otherwise.size);
        append(&body, &otherwise);
        emit_node(code, MLC_FORMAT_GROUP, anchors.found ? 0 : MLC_FORMAT_INVERTED, chosen->count,
                  body.data, body.size);
        mlc_vec_release(&body);
    }
    mlc_vec_release(&then);
    mlc_vec_release(&otherwise);
    return ok;
}

static bool
compile_element(Compiler *c, Code *code, bool is_first, Anchors *anchors)
{
    bool want_space = c->want_space, was_punctuation = c->was_punctuation;
    size_t node = code->size;
    Anchors places = {0};
    char next = peek(c);
    bool ok;
    if (next == '`') {
        ok = compile_literal(c, code);
    } else if (next == '(') {
        ok = compile_group(c, code);
    } else if (next == '$') {
        uint32_t place = 0;
        ok = take_variable(c, &place);
        anchor_at(&places, place);
        if (ok)
            emit_node(code, MLC_FORMAT_VAR, space_before_element(c), 0, &place, 1);
    } else {
        ok = compile_directive(c, code, 0, &places);
    }
    if (!ok || !take(c, '^'))
        return ok;
    if (anchors->found)
        return fail(c, "optional group has two anchors");
    if (places.count == 0)
        return fail(c, "this element cannot be an anchor");
    *anchors = places;
    anchors->found = true;
    if (!is_first && mlc_format_op(code->data[node]) == MLC_FORMAT_VAR &&
        is_unit_attr(c, places.places[0])) {
        // The group's presence says it: neither printed nor read.
        code->data[node] = header(MLC_FORMAT_VAR, MLC_FORMAT_ELIDED, 0);
        c->want_space = want_space;
        c->was_punctuation = was_punctuation;
    }
    return true;
}

static bool
compile_elements(Compiler *c, Code *code, const char *stop, Anchors *anchors)
{
    if (c->depth > 16)
        return fail(c, "groups are nested too deeply");
    c->depth++;
    bool ok = true;
    for (bool is_first = true; ok; is_first = false) {
        char next = peek(c);
        if (next == '\0' ? *stop == '\0' : strchr(stop, next) != NULL)
            break;
        if (next == '\0')
            ok = fail(c, "expected '%c'", *stop);
        else
            ok = compile_element(c, code, is_first, anchors);
    }
    c->depth--;
    return ok;
}

// Which slots or parameters the format names, before anything is compiled: attr-dict leaves them
// out.
static bool
collect_used(Compiler *c)
{
    bool in_literal = false;
    for (size_t i = 0; i < c->text.size; i++) {
        if (c->text.data[i] == '`')
            in_literal = !in_literal;
        if (in_literal || c->text.data[i] != '$')
            continue;
        uint32_t place;
        c->at = i;
        if (!take_variable(c, &place))
            return false;
        MlcPlaceRef ref = mlc_format_place(place);
        bool seen = ref.place != MLC_PLACE_ATTR && ref.place != MLC_PLACE_PARAM;
        for (size_t j = 0; !seen && j < c->used.size; j++)
            seen = c->used.data[j] == ref.index;
        if (!seen)
            mlc_vec_push(&c->used, ref.index);
    }
    c->at = 0;
    return true;
}

static void
finish(Compiler *c, const Code *code, MlcFormat *out)
{
    const char **strings = MLC_NEW_ARRAY(c->arena, const char *, c->strings.size + 1);
    for (size_t i = 0; i < c->strings.size; i++)
        strings[i] = c->strings.data[i].data;
    static const uint32_t nothing[1]; // so that an end may be told from where it begins
    out->code = code->size ? mlc_arena_memdup(c->arena, code->data, code->size * sizeof *code->data,
                                              MLC_ALIGNOF(uint32_t))
                           : nothing;
    out->code_size = code->size;
    out->strings = strings;
    out->num_strings = c->strings.size;
}

static bool
compile(Compiler *c, MlcFormat *out)
{
    c->want_space = true;
    Code code = {0};
    Anchors anchors = {0};
    bool ok = collect_used(c) && compile_elements(c, &code, "", &anchors);
    if (ok && anchors.found)
        ok = fail(c, "an anchor ('^') stands outside of an optional group");
    if (ok)
        finish(c, &code, out);
    mlc_vec_release(&code);
    mlc_vec_release(&c->strings);
    mlc_vec_release(&c->used);
    return ok;
}

bool
mlc_format_compile_op(const MlcOpDef *def, MlcStr text, MlcArena *arena, MlcFormat *out,
                      MlcBuf *error)
{
    Compiler c = {.def = def, .text = text, .arena = arena, .error = error};
    return compile(&c, out);
}

bool
mlc_format_compile_params(const MlcParamDef *params, size_t num_params, MlcStr text,
                          MlcArena *arena, MlcFormat *out, MlcBuf *error)
{
    Compiler c = {
        .params = params, .num_params = num_params, .text = text, .arena = arena, .error = error};
    return compile(&c, out);
}
