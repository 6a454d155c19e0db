// parse_params.c -- runs the formats of types and attributes over the token stream: what stands
// between their angle brackets.
//
// A parameter that cannot be read is told twice, as upstream does: what is wrong, where it stands,
// and behind it which parameter of which definition was to be there. An attribute in an attribute
// is so followed outwards.
#include "parse_format.h"

#include <ctype.h>

#include "text.tab.h"

typedef struct Params {
    MlcParser *p;
    const MlcFormat *format;
    const MlcParamDef *defs;
    const MlcAttrDef *enumeration;
    const char *owner; // the definition, as messages name it
    MlcAttr *values;
} Params;

static bool
fail_parameter(MlcParser *p, const char *owner, const MlcParamDef *def)
{
    const MlcConstraint *c = def->constraint;
    const char *what = def->upstream              ? def->upstream
                       : c && c->name && *c->name ? c->name
                       : c && *c->summary         ? c->summary
                                                  : "attribute";
    return mlc_parser_fail_custom(p, p->tok.at,
                                  "failed to parse %s parameter '%s' which is to be a `%s`", owner,
                                  def->name, what);
}

bool
mlc_parse_enum_param(MlcParser *p, const MlcAttrDef *def, MlcAttr *attr)
{
    return mlc_parse_enum(p, def, attr) ||
           fail_parameter(p, def->record ? def->record : def->name, &def->params[0]);
}

// The digits of an integer of up to 64 bits.
static bool
read_digits(MlcStr text, uint64_t *value)
{
    bool is_hex = text.size > 2 && text.data[1] == 'x';
    *value = 0;
    for (size_t i = is_hex ? 2 : 0; i < text.size; i++) {
        int c = tolower((unsigned char)text.data[i]);
        unsigned digit = (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
        if (__builtin_mul_overflow(*value, is_hex ? 16u : 10u, value) ||
            __builtin_add_overflow(*value, digit, value))
            return false;
    }
    return true;
}

// Whether a number of so many bits can be `value`, or its negative. Upstream takes 64 bits of
// either sign for any 64-bit number.
static bool
fits(uint64_t value, bool is_negative, unsigned width, bool is_unsigned)
{
    if (is_negative)
        return value <= UINT64_C(1) << (width - 1);
    unsigned bits = is_unsigned || width == 64 ? width : width - 1;
    return bits == 64 || value >> bits == 0;
}

static int
parse_number(MlcParser *p, const MlcParamDef *def, bool optional, MlcAttr *attr)
{
    const MlcConstraint *typed = mlc_constraint_part(def->constraint, MLC_CONSTRAINT_ATTR_TYPE);
    MlcType type = mlc_constraint_only_type(p->ctx, typed->args[0]);
    bool is_unsigned = def->spelling == MLC_SPELLED_UNSIGNED;
    unsigned width = mlc_integer_type_width(type);
    const char *at = p->tok.at;
    bool is_negative = mlc_parser_take(p, '-'), is_true = mlc_token_is(p->tok, "true");
    uint64_t value = 0;
    if (!is_negative && (is_true || mlc_token_is(p->tok, "false"))) {
        value = is_true ? UINT64_MAX >> (64 - width) : 0;
    } else if (!mlc_parser_is(p, TOK_INT)) {
        if (optional && !is_negative)
            return 0;
        return mlc_parser_fail_custom(p, at, "expected integer value"), -1;
    } else if (!read_digits(mlc_token_str(p->tok), &value) ||
               !fits(value, is_negative, width, is_unsigned)) {
        mlc_parser_advance(p);
        return mlc_parser_fail_custom(p, at, "integer value too large"), -1;
    }
    mlc_parser_advance(p);
    value = is_negative ? -value : value;
    *attr = width == 1 ? mlc_bool_attr_get(p->ctx, value & 1)
                       : mlc_integer_attr_get(type, (int64_t)value);
    return 1;
}

static int
parse_text(MlcParser *p, bool optional, MlcAttr *attr)
{
    MlcStr text;
    if (!mlc_parser_is(p, TOK_STRING)) {
        if (optional)
            return 0;
        return mlc_parser_fail_custom(p, p->tok.at, "expected string"), -1;
    }
    if (!mlc_parse_string(p, &text))
        return -1;
    *attr = mlc_string_attr_get(p->ctx, text);
    return 1;
}

static int
parse_map(MlcParser *p, bool optional, MlcAttr *attr)
{
    MlcRun run = {.affine = 1};
    if (optional && !mlc_parser_is(p, '('))
        return 0;
    if (!mlc_text_run(p, &run, TOK_START_MAP))
        return -1;
    *attr = mlc_affine_map_attr_get(run.map);
    return 1;
}

static int
parse_single_param(Params *s, const MlcParamDef *def, bool optional, MlcAttr *value)
{
    const MlcAttrDef *keywords = mlc_constraint_enum(s->p->ctx, def->constraint);
    if (keywords && !mlc_parser_is(s->p, TOK_HASH)) { // in parameters an enumeration is its keyword
        if (optional && !mlc_parser_is(s->p, TOK_BARE))
            return 0;
        return mlc_parse_enum(s->p, keywords, value) ? 1 : -1;
    }
    if (def->spelling == MLC_SPELLED_STRING)
        return parse_text(s->p, optional, value);
    if (def->spelling == MLC_SPELLED_MAP)
        return parse_map(s->p, optional, value);
    if (def->spelling != MLC_SPELLED_ATTRIBUTE)
        return parse_number(s->p, def, optional, value);
    const char *at = s->p->tok.at;
    int found = mlc_parse_hinted_attr(s->p, def->constraint, NULL, def->name, optional, value);
    if (found > 0 && def->constraint && !mlc_constraint_check_attr(def->constraint, *value))
        return mlc_parser_fail_custom(s->p, at, "invalid kind of attribute specified"), -1;
    return found;
}

// `name =` ends a list that is not the last member of a struct.
static bool
list_goes_on(MlcParser *p)
{
    if (!mlc_parser_is(p, ','))
        return false;
    const char *at = p->tok.at + 1;
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    const char *word = at;
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    while (at > word && *at == ' ')
        at++;
    if (at > word && *at == '=')
        return false;
    mlc_parser_advance(p);
    return true;
}

static int
parse_list_param(Params *s, const MlcParamDef *def, bool optional, MlcAttr *value)
{
    size_t first = s->p->attrs.size;
    do {
        MlcAttr element = NULL;
        int found = parse_single_param(s, def, optional, &element);
        if (found <= 0)
            return s->p->attrs.size = first, found;
        mlc_vec_push(&s->p->attrs, element);
        optional = false;
    } while (list_goes_on(s->p));
    *value = mlc_array_attr_get(s->p->ctx, s->p->attrs.data + first, s->p->attrs.size - first);
    s->p->attrs.size = first;
    return 1;
}

static int
parse_param(Params *s, size_t i, bool optional)
{
    const MlcParamDef *def = &s->defs[i];
    int found;
    if (s->enumeration && i == 0)
        found = mlc_parse_enum(s->p, s->enumeration, &s->values[0]) ? 1 : -1;
    else if (def->is_list)
        found = parse_list_param(s, def, optional, &s->values[i]);
    else
        found = parse_single_param(s, def, optional, &s->values[i]);
    if (found < 0)
        fail_parameter(s->p, s->owner, def);
    return found;
}

static bool
can_miss(const MlcParamDef *def)
{
    return def->optional || def->default_text;
}

// name = value; 0 where no name is and none is needed.
static int
parse_member(Params *s, const uint32_t *members, size_t count, bool optional)
{
    MlcStr name;
    if (optional && !mlc_parse_optional_keyword_any(s->p, &name))
        return 0;
    if (!optional && !mlc_parse_keyword_any(s->p, &name))
        return mlc_parser_fail_custom(s->p, s->p->tok.at, "expected a parameter name in struct"),
               -1;
    size_t i = 0;
    while (i < count && !mlc_str_equal(name, mlc_str(s->defs[members[i]].name)))
        i++;
    if (!mlc_parse_token(s->p, "="))
        return -1;
    if (i == count || s->values[members[i]])
        return mlc_parser_fail_custom(s->p, s->p->tok.at,
                                      "duplicate or unknown struct parameter name: %.*s",
                                      MLC_STR_FMT(name)),
               -1;
    const MlcParamDef *def = &s->defs[members[i]];
    bool is_number = def->spelling == MLC_SPELLED_SIGNED || def->spelling == MLC_SPELLED_UNSIGNED;
    int found = parse_param(s, members[i], is_number && def->optional && !def->default_text);
    return found < 0 ? -1 : 1;
}

// Members in any order; where none can be left out, as many as there are.
static int
parse_struct(Params *s, const uint32_t *node)
{
    size_t count = mlc_format_a(node[0]), num_read = 0, num_needed = 0;
    for (size_t i = 0; i < count; i++)
        num_needed += !can_miss(&s->defs[node[2 + i]]);
    do {
        int found = parse_member(s, node + 2, count, num_needed == 0 && num_read == 0);
        if (found <= 0)
            return found < 0 ? -1 : 1;
        num_read++;
        if (num_needed == count && num_read == count)
            return 1;
    } while (mlc_parser_take(s->p, ','));
    if (num_needed == count)
        return mlc_parse_token(s->p, ","), -1;
    for (size_t i = 0; i < count; i++)
        if (!s->values[node[2 + i]] && !can_miss(&s->defs[node[2 + i]]))
            return mlc_parser_fail_custom(s->p, s->p->tok.at,
                                          "struct is missing required parameter: %s",
                                          s->defs[node[2 + i]].name),
                   -1;
    return 1;
}

static int parse_nodes(Params *s, const uint32_t *node, const uint32_t *end);

static int
parse_node(Params *s, const uint32_t *node, bool optional)
{
    MlcParser *p = s->p;
    const char *text;
    const uint32_t *at;
    int found;
    switch (mlc_format_op(node[0])) {
    case MLC_FORMAT_LITERAL:
        text = s->format->strings[mlc_format_a(node[0])];
        if (optional)
            return mlc_parse_optional_token(p, text);
        return mlc_parse_token(p, text) ? 1 : -1;
    case MLC_FORMAT_VAR:
        return parse_param(s, mlc_format_place(node[2]).index, optional);
    case MLC_FORMAT_PARAMS:
        for (size_t i = 0; i < mlc_format_a(node[0]); i++) {
            bool misses = can_miss(&s->defs[node[2 + i]]);
            if (i > 0 && misses && !mlc_parser_is(p, ','))
                continue;
            if (i > 0 && !mlc_parse_token(p, ","))
                return -1;
            found = parse_param(s, node[2 + i], optional || misses);
            if (found < 0)
                return -1;
            if (found == 0 && optional && i == 0)
                return 0;
        }
        return 1;
    case MLC_FORMAT_STRUCT:
        if (optional && !mlc_parser_is(p, TOK_BARE))
            return 0;
        return parse_struct(s, node);
    case MLC_FORMAT_GROUP:
        at = node + 2 + mlc_format_a(node[0]);
        found = parse_node(s, at + 1, true);
        if (found < 0)
            return -1;
        if (found == 0)
            return parse_nodes(s, at + 2 + at[0], node + node[1]);
        return parse_nodes(s, at + 1 + at[2], at + 1 + at[0]);
    case MLC_FORMAT_SPACE:
    case MLC_FORMAT_NEWLINE:
        return 1;
    default:
        return mlc_parser_fail_wrong(p, "this format cannot be read"), -1;
    }
}

static int
parse_nodes(Params *s, const uint32_t *node, const uint32_t *end)
{
    for (; node < end; node += node[1])
        if (parse_node(s, node, false) < 0)
            return -1;
    return 1;
}

static bool
parse_params(Params *s, size_t num_params)
{
    const MlcFormat *format = s->format;
    if (parse_nodes(s, format->code, format->code + format->code_size) < 0)
        return false;
    for (size_t i = 0; !s->enumeration && i < num_params; i++)
        if (!s->values[i] && s->defs[i].default_text)
            s->values[i] = mlc_parse_attr(s->p->ctx, mlc_str(s->defs[i].default_text));
        else if (!s->values[i] && !s->defs[i].optional)
            return mlc_parser_fail_custom(s->p, s->p->tok.at, "missing required parameter: %s",
                                          s->defs[i].name);
    return true;
}

bool
mlc_parse_type_params(MlcParser *p, const MlcTypeDef *def, MlcAttr *params)
{
    Params s = {.p = p,
                .format = def->format,
                .defs = def->params,
                .owner = def->record ? def->record : def->name,
                .values = params};
    return parse_params(&s, def->num_params);
}

bool
mlc_parse_attr_params(MlcParser *p, const MlcAttrDef *def, MlcAttr *params)
{
    Params s = {.p = p,
                .format = def->format,
                .defs = def->params,
                .enumeration = def->num_cases ? def : NULL,
                .owner = def->record ? def->record : def->name,
                .values = params};
    return parse_params(&s, def->num_params);
}
