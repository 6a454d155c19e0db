// yaml_compile.c -- relations (`result = like(lhs, i1)`) and formats of dialect YAML to their
// compiled records.
//
// A relation is one line with at most two nested calls, so it is taken apart with a cursor rather
// than a grammar.
#include "yaml_compile.h"

#include "format_check.h"
#include "format_compile.h"
#include "relation.h"

typedef struct Cursor {
    MlcYamlLoader *l;
    const MlcYaml *node; // for messages
    const MlcOpDef *op;
    const char *at;
    bool failed;
} Cursor;

static bool
fail(Cursor *c, const char *what)
{
    if (!c->failed)
        mlc_yaml_loader_fail(c->l, c->node, "in relation: expected %s at '%s'", what, c->at);
    c->failed = true;
    return false;
}

static void
skip_blanks(Cursor *c)
{
    while (*c->at == ' ')
        c->at++;
}

static bool
take_char(Cursor *c, char wanted)
{
    skip_blanks(c);
    if (*c->at != wanted)
        return false;
    c->at++;
    return true;
}

static void
expect_char(Cursor *c, char wanted)
{
    if (!take_char(c, wanted))
        fail(c, (char[]){'\'', wanted, '\'', 0});
}

static bool
is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static MlcStr
take_word(Cursor *c)
{
    skip_blanks(c);
    const char *start = c->at;
    while (is_word_char(*c->at))
        c->at++;
    return mlc_str_n(start, (size_t)(c->at - start));
}

// Up to the end, or to the bracket that closes the call we are in.
static const char *
take_type_text(Cursor *c)
{
    skip_blanks(c);
    const char *start = c->at;
    int depth = 0;
    for (; *c->at; c->at++) {
        if (*c->at == '(' || *c->at == '<')
            depth++;
        if ((*c->at == ')' || (*c->at == '>' && c->at[-1] != '-')) && depth-- == 0)
            break;
    }
    const char *end = c->at;
    while (end > start && end[-1] == ' ')
        --end;
    const char *text = mlc_arena_strdup(c->l->arena, mlc_str_n(start, (size_t)(end - start))).data;
    if (*text)
        mlc_vec_push(&c->l->types, ((struct MlcYamlText){text, c->node}));
    else
        fail(c, "a type or a value");
    return text;
}

static bool
find_place(const MlcOpDef *op, MlcStr name, MlcPlaceRef *place)
{
    for (uint16_t i = 0; i < op->num_operands; i++)
        if (mlc_str_equal(name, mlc_str(op->operands[i].name)))
            return *place = (MlcPlaceRef){MLC_PLACE_OPERAND, i}, true;
    for (uint16_t i = 0; i < op->num_results; i++)
        if (mlc_str_equal(name, mlc_str(op->results[i].name)))
            return *place = (MlcPlaceRef){MLC_PLACE_RESULT, i}, true;
    for (uint16_t i = 0; i < op->num_attrs; i++)
        if (mlc_str_equal(name, mlc_str(op->attrs[i].name)))
            return *place = (MlcPlaceRef){MLC_PLACE_ATTR, i}, true;
    if (mlc_str_equal(name, mlc_str("operands")))
        return *place = (MlcPlaceRef){MLC_PLACE_ALL_OPERANDS, 0}, true;
    if (mlc_str_equal(name, mlc_str("results")))
        return *place = (MlcPlaceRef){MLC_PLACE_ALL_RESULTS, 0}, true;
    return false;
}

static MlcPlaceRef
take_place(Cursor *c)
{
    MlcPlaceRef place = {0};
    const char *start = c->at;
    if (!find_place(c->op, take_word(c), &place)) {
        c->at = start;
        fail(c, "an operand, result or attribute");
    }
    return place;
}

static const struct {
    const char *name;
    MlcRelationKind kind;
    bool is_among; // among members, instead of from one to one
} calls[] = {
    {"like", MLC_RELATION_LIKE, false},
    {"element", MLC_RELATION_ELEMENT, false},
    {"inputs", MLC_RELATION_INPUTS, false},
    {"results", MLC_RELATION_RESULTS, false},
    {"tensor_of", MLC_RELATION_TENSOR_OF, false},
    {"memref_of", MLC_RELATION_MEMREF_OF, false},
    {"repeat", MLC_RELATION_REPEAT_ELEMENT, false},
    {"same", MLC_RELATION_SAME_TYPE, true},
    {"same_element", MLC_RELATION_SAME_ELEMENT, true},
    {"same_shape", MLC_RELATION_SAME_SHAPE, true},
    {"same_rank", MLC_RELATION_SAME_RANK, true},
    {"same_tensor_shape", MLC_RELATION_SAME_TENSOR_SHAPE, true},
    {"scalar_or_shape", MLC_RELATION_SCALAR_OR_SHAPE, true},
};

// The number of the call that stands here, `(` taken; -1 if none does.
static int
take_call(Cursor *c)
{
    const char *start = c->at;
    MlcStr word = take_word(c);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (mlc_str_equal(word, mlc_str(calls[i].name)) && take_char(c, '('))
            return (int)i;
    c->at = start;
    return -1;
}

// What follows `x.` of each member of same(...): a parameter's name, or the number of a dimension.
static void
take_part(Cursor *c, MlcBuf *parts, size_t num_before)
{
    MlcStr part = take_word(c);
    if (part.size == 0)
        fail(c, "a parameter's name or a dimension's number");
    else if (!parts->size && num_before)
        fail(c, "whole types, as the first is,");
    mlc_buf_append_c(parts, parts->size ? " " : "");
    mlc_buf_append_str(parts, part);
}

static void
read_members(Cursor *c, MlcRelation *relation)
{
    MLC_VEC(MlcPlaceRef) members = {0};
    MlcBuf parts = {0};
    do {
        MlcPlaceRef place = take_place(c);
        if (relation->kind == MLC_RELATION_SAME_TYPE && take_char(c, '.'))
            take_part(c, &parts, members.size);
        else if (parts.size && !c->failed)
            fail(c, "'.' and a part of this type");
        mlc_vec_push(&members, place);
    } while (!c->failed && take_char(c, ','));
    expect_char(c, ')');
    if (parts.size) {
        relation->kind = MLC_RELATION_SAME_PART;
        relation->text = mlc_arena_strdup(c->l->arena, mlc_buf_str(&parts)).data;
    }
    mlc_buf_release(&parts);
    relation->members =
        mlc_arena_memdup(c->l->arena, members.data, members.size * sizeof *members.data, 2);
    relation->num_members = (uint16_t)members.size;
    mlc_vec_release(&members);
}

// repeat(element(x), size(x)), the opening taken.
static void
read_repeat(Cursor *c, MlcRelation *relation)
{
    int inner = take_call(c);
    if (inner < 0 || calls[inner].kind != MLC_RELATION_ELEMENT) {
        fail(c, "element(...)");
        return;
    }
    relation->from = take_place(c);
    expect_char(c, ')');
    expect_char(c, ',');
    if (!mlc_str_equal(take_word(c), mlc_str("size")))
        fail(c, "size(...)");
    expect_char(c, '(');
    take_place(c);
    expect_char(c, ')');
    expect_char(c, ')');
}

static void
read_right_side(Cursor *c, MlcRelation *relation)
{
    int call = take_call(c);
    if (call < 0) {
        const char *start = c->at;
        relation->kind = MLC_RELATION_TYPE_OF;
        if (find_place(c->op, take_word(c), &relation->from)) {
            if (take_char(c, '.')) {
                relation->kind = MLC_RELATION_PARAMETER;
                MlcStr part = take_word(c);
                if (part.size == 0)
                    fail(c, "a parameter's name");
                relation->text = mlc_arena_strdup(c->l->arena, part).data;
            }
            return;
        }
        c->at = start;
        relation->kind = MLC_RELATION_EXACTLY;
        relation->text = take_type_text(c);
        return;
    }
    relation->kind = (uint8_t)calls[call].kind;
    if (calls[call].is_among) {
        fail(c, "one type, not a comparison,");
    } else if (relation->kind == MLC_RELATION_REPEAT_ELEMENT) {
        read_repeat(c, relation);
    } else {
        relation->from = take_place(c);
        if (relation->kind == MLC_RELATION_LIKE) {
            expect_char(c, ',');
            relation->text = take_type_text(c);
        }
        expect_char(c, ')');
    }
}

static bool
read_relation(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op, MlcRelation *relation)
{
    const MlcYaml *rule = node;
    if (mlc_yaml_is_mapping(node)) {
        mlc_yaml_loader_check_keys(l, node, "relation",
                                   (const char *const[]){"rule", "message", NULL});
        rule = mlc_yaml_get(node, "rule");
        const MlcYaml *message = mlc_yaml_get(node, "message");
        relation->message = message ? mlc_yaml_as_str(message, "").data : NULL;
        if (message && !mlc_yaml_is_scalar(message))
            mlc_yaml_loader_fail(l, message, "expected a text under 'message'");
    }
    Cursor c = {.l = l, .node = rule ? rule : node, .op = op, .at = mlc_yaml_as_str(rule, "").data};
    int call = take_call(&c);
    if (call >= 0 && calls[call].is_among) {
        relation->kind = (uint8_t)calls[call].kind;
        read_members(&c, relation);
    } else if (call >= 0) {
        fail(&c, "a value on the left");
    } else {
        relation->to = take_place(&c);
        expect_char(&c, '=');
        if (!c.failed)
            read_right_side(&c, relation);
    }
    skip_blanks(&c);
    if (*c.at && !c.failed)
        fail(&c, "the end");
    return !c.failed;
}

static bool
read_relations(MlcYamlLoader *l, const MlcYaml *list, MlcOpDef *op)
{
    if (!list)
        return true;
    if (!mlc_yaml_is_sequence(list)) {
        mlc_yaml_loader_fail(l, list, "expected a list of relations");
        return false;
    }
    MlcRelation *relations = MLC_NEW_ARRAY(l->arena, MlcRelation, list->num_items);
    bool ok = true;
    for (size_t i = 0; i < list->num_items; i++)
        ok &= read_relation(l, list->items[i], op, &relations[i]);
    if (!ok) // their places may be none of the op's
        return false;
    op->relations = relations;
    op->num_relations = (uint16_t)list->num_items;
    return true;
}

// --- what regions take and give back

// A list of right sides: one type each, or those of a group.
static const MlcRelation *
read_types(MlcYamlLoader *l, const MlcYaml *list, const MlcOpDef *op, size_t region, uint16_t *num,
           bool *is_told)
{
    *is_told = list != NULL;
    *num = 0;
    if (!list)
        return NULL;
    if (!mlc_yaml_is_sequence(list)) {
        mlc_yaml_loader_fail(l, list, "expected a list of types");
        return NULL;
    }
    MlcRelation *types = MLC_NEW_ARRAY(l->arena, MlcRelation, list->num_items + 1);
    for (size_t i = 0; i < list->num_items; i++) {
        const MlcYaml *item = list->items[i];
        Cursor c = {.l = l, .node = item, .op = op, .at = mlc_yaml_as_str(item, "").data};
        MlcRelation *type = &types[*num];
        type->to = (MlcPlaceRef){MLC_PLACE_REGION, (uint16_t)region};
        read_right_side(&c, type);
        skip_blanks(&c);
        if (*c.at && !c.failed)
            fail(&c, "the end");
        if (type->kind == MLC_RELATION_REPEAT_ELEMENT && !c.failed)
            mlc_yaml_loader_fail(l, item, "a region's types are not repeated");
        *num = (uint16_t)(*num + !c.failed); // the place of a failed one may be none of the op's
    }
    return types;
}

const MlcRegionSignature *
mlc_yaml_read_signatures(MlcYamlLoader *l, const MlcOpDef *op)
{
    bool is_told = false;
    MlcRegionSignature *all = MLC_NEW_ARRAY(l->arena, MlcRegionSignature, op->num_regions + 1u);
    for (size_t i = 0; i < op->num_regions; i++) {
        const MlcYaml *region = mlc_map_get(&l->nodes, &op->regions[i]);
        const MlcYaml *args = mlc_yaml_get(region, "args"),
                      *yields = mlc_yaml_get(region, "yields");
        MlcRegionSignature *s = &all[i];
        s->args = read_types(l, args, op, i, &s->num_args, &s->tells_args);
        s->yields = read_types(l, yields, op, i, &s->num_yields, &s->tells_yields);
        if (s->num_args && mlc_op_def_has_trait(op, MLC_TRAIT_NO_REGION_ARGUMENTS))
            mlc_yaml_loader_fail(l, args, "by a trait the regions of '%s' have no arguments",
                                 op->name);
        if (yields && mlc_op_def_has_trait(op, MLC_TRAIT_NO_TERMINATOR))
            mlc_yaml_loader_fail(l, yields, "by a trait the regions of '%s' have no terminator",
                                 op->name);
        is_told |= s->tells_args || s->tells_yields;
    }
    return is_told ? all : NULL;
}

// The compiled format, or NULL: none was given, or it was at fault.
static const MlcFormat *
finish_format(MlcYamlLoader *l, const MlcYaml *node, const char *owner, bool ok, MlcFormat *format,
              MlcBuf *error)
{
    if (!ok)
        mlc_yaml_loader_fail(l, node, "in the format of '%s': %s", owner, mlc_buf_c_str(error));
    mlc_buf_release(error);
    return ok ? format : NULL;
}

void
mlc_yaml_compile_op(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    bool has_relations = read_relations(l, mlc_yaml_get(node, "relations"), op);
    const MlcYaml *text = mlc_yaml_get(node, "format");
    if (!text)
        return;
    if (!mlc_yaml_is_scalar(text)) {
        mlc_yaml_loader_fail(l, text, "expected a text under 'format'");
        return;
    }
    MlcBuf error = {0};
    MlcFormat *format = MLC_NEW(l->arena, MlcFormat);
    bool ok = mlc_format_compile_op(op, mlc_yaml_as_str(text, ""), l->arena, format, &error);
    op->format = finish_format(l, text, op->name, ok, format, &error);
    if (ok && has_relations) // else types may be missing that follow
        mlc_format_check_op(l, text, op, format);
}

static const MlcFormat *
compile_params(MlcYamlLoader *l, const MlcYaml *text, const char *name, const MlcParamDef *params,
               size_t num_params)
{
    if (!text)
        return NULL;
    if (!mlc_yaml_is_scalar(text))
        return mlc_yaml_loader_fail(l, text, "expected a text under 'format'"), NULL;
    MlcBuf error = {0};
    MlcFormat *format = MLC_NEW(l->arena, MlcFormat);
    bool ok = mlc_format_compile_params(params, num_params, mlc_yaml_as_str(text, ""), l->arena,
                                        format, &error);
    if (ok)
        mlc_format_check_params(l, text, params, num_params, format);
    return finish_format(l, text, name, ok, format, &error);
}

const MlcFormat *
mlc_yaml_compile_type_format(MlcYamlLoader *l, const MlcYaml *text, const MlcTypeDef *def)
{
    return compile_params(l, text, def->name, def->params, def->num_params);
}

const MlcFormat *
mlc_yaml_compile_attr_format(MlcYamlLoader *l, const MlcYaml *text, const MlcAttrDef *def)
{
    return compile_params(l, text, def->name, def->params, def->num_params);
}
