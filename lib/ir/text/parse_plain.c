// parse_plain.c -- the short way through formats that name single operands, attributes and types,
// as those of most ops do.
//
// Such a format becomes a list of steps, and what the parser found out about one op serves the
// next: which types follow from those that stand in the text, and which attribute a few characters
// gave. Whatever is not known yet, or is no part of the short way, is read from the op's name on by
// parse_format.c, which also has all messages.
#include "parse_plain.h"

#include "text.tab.h"

enum { MAX_VALUES = 8, MAX_GROUPS = 4, MAX_ATTRS = 2, MAX_STEPS = 24, NUM_KNOWN = 4 };

typedef enum StepKind {
    STEP_OPERAND,
    STEP_OPERANDS, // a list, perhaps empty
    STEP_CHAR,
    STEP_WORD,
    STEP_OPTION, // a word: unless it is the next token, `skip` steps are left out
    STEP_ATTR,
    STEP_DICT, // must not be there
    STEP_OPERAND_TYPE,
    STEP_RESULT_TYPE,
} StepKind;

typedef struct Step {
    uint8_t kind, index, skip; // index: of the group, slot; a character
    const char *word;
} Step;

// The types of an op's values, by those that its text gave.
typedef struct Known {
    MlcPlainTypes given;
    MlcType types[MAX_VALUES]; // of operands, then of results
    uint32_t num_results;
    bool is_used;
} Known;

struct MlcPlainFormat {
    uint32_t num_steps, num_operands, num_results, num_attrs; // groups, attributes read
    Step steps[MAX_STEPS];
    Known known[NUM_KNOWN];
};

// --- steps

typedef struct Compiler {
    MlcContext *ctx;
    const MlcOpDef *def;
    MlcPlainFormat *format;
} Compiler;

static bool
add_step(Compiler *c, StepKind kind, size_t index, const char *word)
{
    if (c->format->num_steps == MAX_STEPS || index > UINT8_MAX)
        return false;
    c->format->steps[c->format->num_steps++] = (Step){(uint8_t)kind, (uint8_t)index, 0, word};
    return true;
}

static bool
add_literal(Compiler *c, const char *text)
{
    bool is_char = text[0] && !text[1];
    return add_step(c, is_char ? STEP_CHAR : STEP_WORD, is_char ? (unsigned char)text[0] : 0, text);
}

static bool
add_var(Compiler *c, const uint32_t *node)
{
    MlcPlaceRef place = mlc_format_place(node[2]);
    if (place.place == MLC_PLACE_OPERAND) {
        unsigned arity = c->def->operands[place.index].arity;
        return (arity == MLC_ONE || arity == MLC_VARIADIC) &&
               add_step(c, arity == MLC_ONE ? STEP_OPERAND : STEP_OPERANDS, place.index, NULL);
    }
    return place.place == MLC_PLACE_ATTR && !(mlc_format_flags(node[0]) & MLC_FORMAT_ELIDED) &&
           c->format->num_attrs++ < MAX_ATTRS && add_step(c, STEP_ATTR, place.index, NULL);
}

// Not types that may stand without their prefix: their text is not that of a type.
static bool
add_type(Compiler *c, const uint32_t *node)
{
    const MlcOpDef *def = c->def;
    MlcPlaceRef place = mlc_format_place(node[2]);
    bool is_operand = place.place == MLC_PLACE_OPERAND;
    if (!is_operand && place.place != MLC_PLACE_RESULT)
        return false;
    const MlcValueDef *value =
        is_operand ? &def->operands[place.index] : &def->results[place.index];
    return value->arity == MLC_ONE && !mlc_constraint_type_def(c->ctx, value->type) &&
           add_step(c, is_operand ? STEP_OPERAND_TYPE : STEP_RESULT_TYPE, place.index, NULL);
}

static bool add_nodes(Compiler *c, const uint32_t *node, const uint32_t *end);

// (`word` ...)?
static bool
add_option(Compiler *c, const uint32_t *node)
{
    const uint32_t *at = node + 2 + mlc_format_a(node[0]), *then = at + 1, *end = then + at[0];
    uint32_t step = c->format->num_steps;
    while (then < end && mlc_format_op(*then) == MLC_FORMAT_SPACE)
        then += then[1];
    if (then == end || mlc_format_op(*then) != MLC_FORMAT_LITERAL || end + 1 < node + node[1] ||
        !add_nodes(c, then, end) || c->format->steps[step].kind != STEP_WORD)
        return false;
    c->format->steps[step].kind = STEP_OPTION;
    c->format->steps[step].skip = (uint8_t)(c->format->num_steps - step - 1);
    return true;
}

static bool
add_nodes(Compiler *c, const uint32_t *node, const uint32_t *end)
{
    for (; node < end; node += node[1]) {
        bool ok = false;
        switch (mlc_format_op(node[0])) {
        case MLC_FORMAT_SPACE:
        case MLC_FORMAT_NEWLINE:
            continue;
        case MLC_FORMAT_LITERAL:
            ok = add_literal(c, c->def->format->strings[mlc_format_a(node[0])]);
            break;
        case MLC_FORMAT_VAR:
            ok = add_var(c, node);
            break;
        case MLC_FORMAT_TYPE:
            ok = add_type(c, node);
            break;
        case MLC_FORMAT_GROUP:
            ok = add_option(c, node);
            break;
        case MLC_FORMAT_ATTR_DICT:
            ok = !(mlc_format_flags(node[0]) & MLC_FORMAT_KEYWORD) && add_step(c, STEP_DICT, 0, "");
            break;
        default:
            break;
        }
        if (!ok)
            return false;
    }
    return true;
}

MlcPlainFormat *
mlc_plain_format(MlcParser *p, const MlcFormatInfo *info)
{
    const MlcOpDef *def = info->def;
    size_t num_variadic = 0;
    for (size_t i = 0; i < def->num_operands; i++)
        num_variadic += def->operands[i].arity != MLC_ONE;
    for (size_t i = 0; i < def->num_results; i++)
        if (def->results[i].arity != MLC_ONE)
            return NULL;
    if (info->has_sizes || info->can_infer || num_variadic > 1 || def->num_regions ||
        def->num_successors || def->num_operands > MAX_GROUPS || def->num_results > MAX_GROUPS)
        return NULL;
    MlcPlainFormat *format = MLC_NEW(&p->arena, MlcPlainFormat);
    format->num_operands = def->num_operands;
    format->num_results = def->num_results;
    Compiler c = {.ctx = p->ctx, .def = def, .format = format};
    bool ok = add_nodes(&c, def->format->code, def->format->code + def->format->code_size);
    return ok ? format : NULL;
}

// --- attributes of few characters

typedef struct MlcPlainAttr {
    const MlcAttrSlot *slot; // NULL: free
    uint64_t head, tail;     // the ends of the text, with overlap
    size_t size;
    MlcAttr attr;
} MlcPlainAttr;

// A word, or up to 16 characters between angle brackets, with no symbol in them; else empty.
static MlcStr
attr_text(const MlcParser *p)
{
    const char *at = p->tok.at, *end = p->tok.end;
    if (p->tok.kind == '<') {
        const char *text_end = p->text.data + p->text.size;
        while (end < text_end && end - at < 16 &&
               ((*end >= 'a' && *end <= 'z') || *end == '_' || *end == ','))
            end++;
        if (end == text_end || *end++ != '>')
            return (MlcStr){0};
    } else if (p->tok.kind != TOK_BARE) {
        return (MlcStr){0};
    }
    size_t size = (size_t)(end - at);
    return size <= 16 ? mlc_str_n(at, size) : (MlcStr){0};
}

static MlcPlainAttr *
attr_entry(MlcParser *p, const MlcAttrSlot *slot, MlcStr text, MlcPlainAttr *key)
{
    if (!p->plain_attrs)
        p->plain_attrs = MLC_NEW_ARRAY(&p->arena, MlcPlainAttr, 64);
    *key = (MlcPlainAttr){.slot = slot, .size = text.size};
    mlc_memo_ends(text, &key->head, &key->tail);
    uint64_t hash =
        (key->head ^ (uint64_t)(uintptr_t)slot ^ key->tail << 7) * UINT64_C(0x9E3779B97F4A7C15);
    return &p->plain_attrs[hash >> 58];
}

static bool
read_attr(MlcParser *p, const MlcAttrSlot *slot, MlcAttr *attr)
{
    MlcPlainAttr key, *entry = NULL;
    MlcStr text = attr_text(p);
    if (text.size) {
        entry = attr_entry(p, slot, text, &key);
        if (entry->slot == slot && entry->size == key.size && entry->head == key.head &&
            entry->tail == key.tail) {
            *attr = entry->attr;
            mlc_parser_skip_slice(p, text);
            return true;
        }
    }
    if (mlc_parse_slot_attr(p, slot->constraint, slot->name, false, attr) <= 0)
        return false;
    if (entry && p->prev_end == text.data + text.size) {
        key.attr = *attr;
        *entry = key;
    }
    return true;
}

// --- reading

typedef struct Operands {
    MlcOperandRef ones[MAX_GROUPS], many[MAX_VALUES];
} Operands;

static bool
take_operand(MlcParser *p, MlcOperandRef *ref)
{
    if (!mlc_parser_is(p, TOK_PERCENT))
        return false;
    *ref = (MlcOperandRef){.name = mlc_token_str(p->tok), .at = p->tok.at};
    mlc_parser_advance(p);
    return !mlc_parser_is(p, TOK_HASH);
}

static bool
take_operands(MlcParser *p, Operands *operands, MlcPlainTypes *given)
{
    if (!mlc_parser_is(p, TOK_PERCENT))
        return true;
    do {
        if (given->num_many == MAX_VALUES || !take_operand(p, &operands->many[given->num_many++]))
            return false;
    } while (mlc_parser_take(p, ','));
    return true;
}

// False: the op is to be read the long way, or *failed.
static bool
run_steps(MlcParser *p, MlcOpBuild *op, const MlcPlainFormat *format, Operands *operands,
          MlcPlainTypes *given, bool *failed)
{
    const MlcOpDef *def = op->def;
    size_t num_attrs = 0;
    MlcAttr attr;
    bool ok = true;
    for (const Step *step = format->steps, *end = step + format->num_steps; ok && step < end;
         step++) {
        switch ((StepKind)step->kind) {
        case STEP_OPERAND:
            ok = take_operand(p, &operands->ones[step->index]);
            break;
        case STEP_OPERANDS:
            ok = take_operands(p, operands, given);
            break;
        case STEP_CHAR:
            ok = mlc_parser_take(p, step->index);
            break;
        case STEP_WORD:
        case STEP_OPTION:
            if (mlc_parser_is(p, TOK_BARE) && mlc_token_is(p->tok, step->word))
                mlc_parser_advance(p);
            else if (step->kind == STEP_OPTION)
                step += step->skip;
            else
                ok = false;
            break;
        case STEP_ATTR:
            ok = read_attr(p, &def->attrs[step->index], &attr);
            if (!ok)
                break;
            given->attrs[num_attrs++] =
                mlc_attr_is(attr, MLC_ATTR_TYPE) ? mlc_type_attr_value(attr) : mlc_attr_type(attr);
            mlc_op_build_attr(p, op, def->attrs[step->index].name, attr);
            break;
        case STEP_DICT:
            ok = !mlc_parser_is(p, '{');
            break;
        case STEP_OPERAND_TYPE:
            ok = mlc_parse_known_type(p, &given->operands[step->index]);
            break;
        case STEP_RESULT_TYPE:
            ok = mlc_parse_known_type(p, &given->results[step->index]);
            break;
        }
    }
    *failed = p->failed;
    return ok && !p->failed;
}

static Known *
known_types(MlcPlainFormat *format, const MlcPlainTypes *given)
{
    uint64_t hash = given->num_many;
    for (size_t i = 0; i < format->num_operands; i++)
        hash = (hash << 11 | hash >> 53) ^ (uint64_t)(uintptr_t)given->operands[i];
    for (size_t i = 0; i < format->num_results; i++)
        hash = (hash << 11 | hash >> 53) ^ (uint64_t)(uintptr_t)given->results[i];
    for (size_t i = 0; i < format->num_attrs; i++)
        hash = (hash << 11 | hash >> 53) ^ (uint64_t)(uintptr_t)given->attrs[i];
    return &format->known[(hash * UINT64_C(0x9E3779B97F4A7C15)) >> 62];
}

static bool
is_same(const MlcPlainFormat *format, const MlcPlainTypes *a, const MlcPlainTypes *b)
{
    bool same = a->num_many == b->num_many;
    for (size_t i = 0; i < format->num_operands; i++)
        same &= a->operands[i] == b->operands[i];
    for (size_t i = 0; i < format->num_results; i++)
        same &= a->results[i] == b->results[i];
    for (size_t i = 0; i < format->num_attrs; i++)
        same &= a->attrs[i] == b->attrs[i];
    return same;
}

static bool
resolve(MlcParser *p, MlcOpBuild *op, const Operands *operands, const MlcPlainTypes *given,
        const MlcType *types)
{
    const MlcOpDef *def = op->def;
    for (size_t i = 0; i < def->num_operands; i++) {
        bool is_one = def->operands[i].arity == MLC_ONE;
        const MlcOperandRef *refs = is_one ? &operands->ones[i] : operands->many;
        for (size_t j = 0, n = is_one ? 1 : given->num_many; j < n; j++)
            if (!mlc_resolve_operand(p, &refs[j], *types++, op))
                return false;
    }
    for (size_t i = 0; i < def->num_results; i++)
        mlc_vec_push(&op->result_types, types[i]);
    return true;
}

int
mlc_plain_read(MlcParser *p, MlcOpBuild *op, MlcPlainFormat *format, MlcPlainTypes *given)
{
    MlcToken token = p->tok;
    const char *prev_end = p->prev_end;
    Operands operands;
    bool failed;
    *given = (MlcPlainTypes){0};
    if (run_steps(p, op, format, &operands, given, &failed)) {
        const Known *known = known_types(format, given);
        if (known->is_used && is_same(format, &known->given, given))
            return resolve(p, op, &operands, given, known->types) ? 1 : -1;
        given->is_whole = true;
    }
    if (failed)
        return -1;
    op->attrs.size = 0;
    mlc_parser_reset(p, token.at, false);
    p->prev_end = prev_end;
    return 0;
}

void
mlc_plain_learn(MlcPlainFormat *format, const MlcPlainTypes *given, const MlcOpBuild *op)
{
    size_t num_operands = op->operands.size, num_results = op->result_types.size;
    if (!given->is_whole || num_operands + num_results > MAX_VALUES)
        return;
    Known *known = known_types(format, given);
    *known = (Known){.given = *given, .is_used = true};
    for (size_t i = 0; i < num_operands; i++)
        known->types[i] = mlc_value_type(op->operands.data[i]);
    for (size_t i = 0; i < num_results; i++)
        known->types[num_operands + i] = op->result_types.data[i];
}
