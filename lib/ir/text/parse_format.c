// parse_format.c -- runs format programs over the token stream: custom syntax of ops.
//
// An op's operands are references until its types are known; the end of the format collects the
// types it read, completes the others from constraints, traits and relations (relation.c), and
// resolves. States are pooled in the parser, so that an op costs no allocation.
#include "parse_plain.h"

#include "text.tab.h"

static int parse_nodes(MlcFormatParse *s, const uint32_t *node, const uint32_t *end);

// --- slots

static bool
only_kind(const MlcConstraint *constraint, MlcAttrKind kind)
{
    const MlcConstraint *part = mlc_constraint_part(constraint, MLC_CONSTRAINT_ATTR_KIND);
    return part && part->a == INT64_C(1) << kind;
}

const MlcAttrDef *
mlc_constraint_enum(MlcContext *ctx, const MlcConstraint *constraint)
{
    const MlcConstraint *part = mlc_constraint_part(constraint, MLC_CONSTRAINT_DIALECT_ATTR);
    const MlcAttrDef *def = part ? mlc_context_attr(ctx, mlc_str(part->names[0])) : NULL;
    return def && def->num_cases ? def : NULL;
}

const MlcTypeDef *
mlc_constraint_type_def(MlcContext *ctx, const MlcConstraint *constraint)
{
    return constraint && constraint->kind == MLC_CONSTRAINT_DIALECT_TYPE
               ? mlc_context_type(ctx, mlc_str(constraint->names[0]))
               : NULL;
}

// [1, 2], or the same in any other attribute's spelling.
static bool
parse_dense_array(MlcParser *p, const MlcConstraint *constraint, MlcAttr *attr)
{
    const MlcConstraint *elements = mlc_constraint_part(constraint, MLC_CONSTRAINT_ATTR_ELEMENTS);
    MlcType element = elements ? mlc_constraint_only_type(p->ctx, elements->args[0]) : NULL;
    if (!element || !mlc_parser_is(p, '['))
        return mlc_parse_attribute(p, NULL, attr);
    const char *at = p->tok.at;
    mlc_parser_advance(p);
    mlc_literal_list_init(&p->literal);
    if (!mlc_parser_take(p, ']')) {
        do {
            bool negative = mlc_parser_take(p, '-');
            MlcToken token = p->tok;
            int kind = token.kind == TOK_BARE ? mlc_text_keyword(mlc_token_str(token)) : token.kind;
            if (kind != TOK_INT && kind != TOK_FLOAT && kind != TOK_K_TRUE && kind != TOK_K_FALSE)
                return mlc_parser_fail_custom(p, p->tok.at, "expected integer value");
            mlc_literal_leaf(&p->literal, kind, negative, mlc_token_str(token));
            mlc_parser_advance(p);
        } while (mlc_parser_take(p, ','));
        if (!mlc_parse_token(p, "]"))
            return false;
    }
    return (*attr = mlc_text_dense_array(p, element, at)) != NULL;
}

static MlcType
attr_hint(MlcParser *p, const MlcConstraint *constraint)
{
    const MlcConstraint *typed = mlc_constraint_part(constraint, MLC_CONSTRAINT_ATTR_TYPE);
    if (typed && (only_kind(constraint, MLC_ATTR_INTEGER) || only_kind(constraint, MLC_ATTR_FLOAT)))
        return mlc_constraint_only_type(p->ctx, typed->args[0]);
    return only_kind(constraint, MLC_ATTR_STRING) ? mlc_none_type_get(p->ctx) : NULL;
}

// An inherent attribute that is one keyword, or a string, of an enumeration stored as an integer.
static bool
parse_bare_enum(MlcParser *p, const MlcAttrDef *def, const char *name, MlcAttr *attr)
{
    const char *at = p->tok.at;
    MlcStr word = mlc_token_str(p->tok);
    bool is_string = mlc_parser_is(p, TOK_STRING), is_case = is_string;
    for (size_t i = 0; i < def->num_cases; i++)
        is_case |= mlc_str_equal(word, mlc_str(def->cases[i].name));
    if (!is_case ||
        (is_string ? !mlc_parse_string(p, &word) : !mlc_parse_optional_keyword_any(p, &word))) {
        MlcBuf names = {0};
        for (size_t i = 0; i < def->num_cases; i++)
            mlc_buf_printf(&names, "%s%s", i ? ", " : "", def->cases[i].name);
        mlc_parser_fail_custom(p, at,
                               "expected string or keyword containing one of the following enum "
                               "values for attribute '%s' [%s]",
                               name, mlc_buf_c_str(&names));
        mlc_buf_release(&names);
        return false;
    }
    for (size_t i = 0; i < def->num_cases; i++)
        if (mlc_str_equal(word, mlc_str(def->cases[i].name)))
            return *attr = mlc_enum_attr_get(p->ctx, def, def->cases[i].value), true;
    return mlc_parser_fail_custom(p, at, "invalid %s attribute specification: \"%.*s\"", name,
                                  MLC_STR_FMT(word));
}

static bool
parse_dialect_slot(MlcParser *p, const MlcAttrDef *def, const char *name, MlcAttr *attr)
{
    if (mlc_parser_is(p, TOK_HASH))
        return mlc_parse_attribute(p, NULL, attr);
    if (def->is_bare_integer && !def->is_bit_enum)
        return parse_bare_enum(p, def, name, attr);
    if (def->is_bare_integer)
        return mlc_parse_enum(p, def, attr);
    return mlc_parse_attr_of(p, def, attr);
}

// Whether the next token can begin such an attribute; only for those that are not any attribute.
static bool
slot_starts(MlcParser *p, const MlcAttrDef *def)
{
    MlcAttrDef const *d = def;
    if (mlc_parser_is(p, TOK_HASH))
        return true;
    if (d->num_cases &&
        (d->is_bare_integer || (d->format && d->format->code_size &&
                                mlc_format_op(d->format->code[0]) == MLC_FORMAT_VAR))) {
        for (size_t i = 0; i < d->num_cases; i++)
            if (mlc_token_is(p->tok, d->cases[i].name))
                return true;
        return false;
    }
    return mlc_parser_is(p, '<');
}

int
mlc_parse_hinted_attr(MlcParser *p, const MlcConstraint *constraint, MlcType hint, const char *name,
                      bool optional, MlcAttr *attr)
{
    const MlcConstraint *dialect = mlc_constraint_part(constraint, MLC_CONSTRAINT_DIALECT_ATTR);
    const MlcAttrDef *def = dialect ? mlc_context_attr(p->ctx, mlc_str(dialect->names[0])) : NULL;
    if (def) {
        if (optional && !slot_starts(p, def))
            return 0;
        return parse_dialect_slot(p, def, name, attr) ? 1 : -1;
    }
    if (constraint && constraint->name && strcmp(constraint->name, "symbol_name") == 0) {
        MlcStr symbol;
        if (optional && !mlc_parser_is(p, TOK_AT))
            return 0;
        if (!mlc_parse_symbol_name(p, &symbol))
            return -1;
        *attr = mlc_string_attr_get(p->ctx, symbol);
        return 1;
    }
    if (only_kind(constraint, MLC_ATTR_TYPE)) {
        MlcType type;
        int found = optional                        ? mlc_parse_optional_type(p, &type)
                    : mlc_parse_type_into(p, &type) ? 1
                                                    : -1;
        if (found > 0)
            *attr = mlc_type_attr_get(type);
        return found;
    }
    if (only_kind(constraint, MLC_ATTR_DENSE_ARRAY)) {
        if (optional && !mlc_parser_is(p, '[') && !mlc_token_is(p->tok, "array") &&
            !mlc_parser_is(p, TOK_HASH))
            return 0;
        return parse_dense_array(p, constraint, attr) ? 1 : -1;
    }
    if (optional && only_kind(constraint, MLC_ATTR_STRING) && !mlc_parser_is(p, TOK_STRING) &&
        !mlc_parser_is(p, TOK_HASH))
        return 0;
    if (optional && only_kind(constraint, MLC_ATTR_SYMBOL_REF) && !mlc_parser_is(p, TOK_AT))
        return 0;
    if (optional && only_kind(constraint, MLC_ATTR_ARRAY) && !mlc_parser_is(p, '[') &&
        !mlc_parser_is(p, TOK_HASH))
        return 0;
    const char *at = p->tok.at;
    int found = optional                             ? mlc_parse_optional_attribute(p, hint, attr)
                : mlc_parse_attribute(p, hint, attr) ? 1
                                                     : -1;
    if (found > 0 && constraint && !mlc_constraint_has_kind(constraint, *attr))
        return mlc_parser_fail_custom(p, at, "invalid kind of attribute specified"), -1;
    return found;
}

int
mlc_parse_slot_attr(MlcParser *p, const MlcConstraint *constraint, const char *name, bool optional,
                    MlcAttr *attr)
{
    return mlc_parse_hinted_attr(p, constraint, attr_hint(p, constraint), name, optional, attr);
}

// --- state

static void
clear_group(MlcFormatGroup *g)
{
    g->refs.size = g->types.size = g->segments.size = 0;
    g->has_types = false;
}

static MlcFormatInfo *
make_info(MlcParser *p, const MlcOpDef *def)
{
    MlcFormatInfo *info = MLC_NEW(&p->arena, MlcFormatInfo);
    info->def = def;
    info->only_operand = MLC_NEW_ARRAY(&p->arena, MlcType, def->num_operands + 1u);
    info->only_result = MLC_NEW_ARRAY(&p->arena, MlcType, def->num_results + 1u);
    for (size_t i = 0; i < def->num_operands; i++) {
        info->only_operand[i] = mlc_constraint_only_type(p->ctx, def->operands[i].type);
        info->has_sizes |= def->operands[i].segments != NULL;
    }
    for (size_t i = 0; i < def->num_results; i++)
        info->only_result[i] = mlc_constraint_only_type(p->ctx, def->results[i].type);
    info->has_sizes |= mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS) ||
                       mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_RESULTS);
    info->can_infer = mlc_op_def_interface(def, MLC_INTERFACE_INFER_TYPES) != NULL;
    info->same_all = mlc_op_def_has_trait(def, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE);
    info->same_operands = info->same_all || mlc_op_def_has_trait(def, MLC_TRAIT_SAME_OPERANDS_TYPE);
    info->plain = mlc_plain_format(p, info);
    return info;
}

static const MlcFormatInfo *
info_of(MlcParser *p, const MlcOpDef *def)
{
    size_t place = ((uint64_t)(uintptr_t)def * UINT64_C(0x9E3779B97F4A7C15)) >> 58;
    MlcFormatInfo *recent = p->recent_formats[place];
    if (recent && recent->def == def)
        return recent;
    bool inserted;
    MlcMapEntry *entry = mlc_map_insert(&p->format_infos, (uint64_t)(uintptr_t)def, &inserted);
    if (inserted)
        entry->value = (uint64_t)(uintptr_t)make_info(p, def);
    return p->recent_formats[place] = (MlcFormatInfo *)(uintptr_t)entry->value;
}

static MlcFormatParse *
take_state(MlcParser *p, MlcOpBuild *op, const MlcFormatInfo *info)
{
    const MlcOpDef *def = op->def;
    MlcFormatParse *s =
        p->formats.size ? mlc_vec_pop(&p->formats) : MLC_NEW(&p->arena, MlcFormatParse);
    size_t needed = def->num_operands > def->num_results ? def->num_operands : def->num_results;
    if (needed > s->capacity) {
        // The vectors of the old groups move along.
        MlcFormatGroup *operands = MLC_NEW_ARRAY(&p->arena, MlcFormatGroup, needed * 2);
        MlcFormatGroup *results = MLC_NEW_ARRAY(&p->arena, MlcFormatGroup, needed * 2);
        if (s->capacity) {
            memcpy(operands, s->operands, s->capacity * sizeof *operands);
            memcpy(results, s->results, s->capacity * sizeof *results);
        }
        s->operands = operands;
        s->results = results;
        s->capacity = needed * 2;
    }
    mlc_vec_reserve(&s->operand_types, 1); // slices of it may be empty
    s->p = p;
    s->op = op;
    s->def = def;
    s->info = info;
    s->format = def->format;
    s->has_all_operands = false;
    s->variadic_regions = 0;
    for (size_t i = 0; i < needed; i++) {
        clear_group(&s->operands[i]);
        clear_group(&s->results[i]);
    }
    clear_group(&s->all_operands);
    clear_group(&s->all_results);
    return s;
}

void
mlc_format_state_release(MlcFormatParse *s)
{
    for (size_t i = 0; i < s->capacity * 2 + 2; i++) {
        MlcFormatGroup *g = i < s->capacity        ? &s->operands[i]
                            : i < s->capacity * 2  ? &s->results[i - s->capacity]
                            : i == s->capacity * 2 ? &s->all_operands
                                                   : &s->all_results;
        mlc_vec_release(&g->refs);
        mlc_vec_release(&g->types);
        mlc_vec_release(&g->segments);
    }
    mlc_vec_release(&s->operand_types);
    mlc_vec_release(&s->result_types);
    mlc_vec_release(&s->operand_firsts);
    mlc_vec_release(&s->result_firsts);
    mlc_vec_release(&s->result_known);
}

MlcFormatGroup *
mlc_format_group(MlcFormatParse *s, MlcPlaceRef place)
{
    switch (place.place) {
    case MLC_PLACE_OPERAND:
        return &s->operands[place.index];
    case MLC_PLACE_RESULT:
        return &s->results[place.index];
    case MLC_PLACE_ALL_OPERANDS:
        return &s->all_operands;
    default:
        return &s->all_results;
    }
}

void
mlc_format_set_attr(MlcFormatParse *s, MlcPlaceRef place, MlcAttr value)
{
    mlc_op_build_attr(s->p, s->op, s->def->attrs[place.index].name, value);
}

MlcAttr
mlc_format_get_attr(MlcFormatParse *s, MlcPlaceRef place)
{
    MlcStr name = mlc_str(s->def->attrs[place.index].name);
    for (size_t i = 0; i < s->op->attrs.size; i++)
        if (mlc_str_equal(mlc_string_attr_value(s->op->attrs.data[i].name), name))
            return s->op->attrs.data[i].value;
    return NULL;
}

void
mlc_format_add_type(MlcFormatParse *s, MlcPlaceRef place, MlcType type)
{
    MlcFormatGroup *g = mlc_format_group(s, place);
    if (!g->has_types)
        g->types_at = s->p->prev_end;
    g->has_types = true;
    mlc_vec_push(&g->types, type);
}

void
mlc_format_args(const uint32_t *node, MlcFormatArgs *args)
{
    const uint32_t *end = node + node[1];
    args->count = 0;
    for (node += 2; node < end && args->count < 12; node += node[1])
        args->nodes[args->count++] = node;
}

// --- elements

static int
parse_operand_group(MlcFormatParse *s, size_t group, bool optional)
{
    MlcFormatGroup *g = &s->operands[group];
    MlcParser *p = s->p;
    MlcOperandRef ref;
    int found;
    switch (s->def->operands[group].arity) {
    case MLC_ONE:
        found = mlc_parse_optional_operand(p, &ref);
        if (found == 0 && !optional)
            return mlc_parse_operand(p, &ref), -1;
        if (found > 0)
            mlc_vec_push(&g->refs, ref);
        return found;
    case MLC_OPTIONAL:
        found = mlc_parse_optional_operand(p, &ref);
        if (found > 0)
            mlc_vec_push(&g->refs, ref);
        return found;
    case MLC_VARIADIC:
        if (!mlc_parse_operand_list(p, &g->refs))
            return -1;
        return g->refs.size > 0;
    default: // (%a, %b), (%c)
        if (!mlc_parser_is(p, '('))
            return 0;
        do {
            size_t before = g->refs.size;
            if (!mlc_parse_token(p, "(") || !mlc_parse_operand_list(p, &g->refs) ||
                !mlc_parse_token(p, ")"))
                return -1;
            mlc_vec_push(&g->segments, (int32_t)(g->refs.size - before));
        } while (mlc_parser_take(p, ','));
        return 1;
    }
}

static int
parse_attr_var(MlcFormatParse *s, size_t slot, unsigned flags, bool optional)
{
    const MlcAttrSlot *def = &s->def->attrs[slot];
    MlcAttr value = NULL;
    if (flags & MLC_FORMAT_ELIDED) {
        mlc_op_build_attr(s->p, s->op, def->name, mlc_unit_attr_get(s->p->ctx));
        return 1;
    }
    int found = mlc_parse_slot_attr(s->p, def->constraint, def->name, optional, &value);
    if (found > 0)
        mlc_op_build_attr(s->p, s->op, def->name, value);
    return found;
}

static int
parse_region_var(MlcFormatParse *s, size_t index, bool optional)
{
    MlcParser *p = s->p;
    if (s->def->regions[index].arity == MLC_ONE) {
        if (optional && !mlc_parser_is(p, '{'))
            return 0;
        return mlc_parse_region(p, s->op->regions.data[index], NULL) ? 1 : -1;
    }
    if (!mlc_parser_is(p, '{'))
        return 0;
    do {
        if (!mlc_parse_region(p, mlc_op_build_region(p, s->op), NULL))
            return -1;
    } while (mlc_parser_take(p, ','));
    return 1;
}

static int
parse_successor_var(MlcFormatParse *s, bool one, bool optional)
{
    MlcParser *p = s->p;
    MlcBlock *block;
    if ((optional || !one) && !mlc_parser_is(p, TOK_CARET))
        return 0;
    do {
        if (!mlc_parse_successor(p, &block))
            return -1;
        mlc_vec_push(&s->op->successors, block);
    } while (!one && mlc_parser_take(p, ','));
    return 1;
}

static int
parse_var(MlcFormatParse *s, const uint32_t *node, bool optional)
{
    MlcPlaceRef place = mlc_format_place(node[2]);
    switch (place.place) {
    case MLC_PLACE_OPERAND:
        return parse_operand_group(s, place.index, optional);
    case MLC_PLACE_ATTR:
        return parse_attr_var(s, place.index, mlc_format_flags(node[0]), optional);
    case MLC_PLACE_REGION:
        return parse_region_var(s, place.index, optional);
    case MLC_PLACE_SUCCESSOR:
        return parse_successor_var(s, s->def->successors[place.index].arity == MLC_ONE, optional);
    case MLC_PLACE_ALL_OPERANDS:
        s->has_all_operands = true;
        if (!mlc_parse_operand_list(s->p, &s->all_operands.refs))
            return -1;
        return s->all_operands.refs.size > 0;
    default:
        return mlc_parser_fail_wrong(s->p, "the format of '%s' names what cannot be read",
                                     s->def->name),
               -1;
    }
}

// A type whose constraint is one dialect type may stand without its prefix.
static bool
parse_stripped_type(MlcParser *p, const MlcConstraint *constraint, unsigned flags, MlcType *type)
{
    const MlcTypeDef *def =
        flags & MLC_FORMAT_QUALIFIED ? NULL : mlc_constraint_type_def(p->ctx, constraint);
    if (!def || mlc_parser_is(p, TOK_BANG) || !def->format || def->parse)
        return mlc_parse_type_into(p, type);
    MlcAttr params[32] = {0};
    if (!mlc_parse_type_params(p, def, params))
        return false;
    *type = mlc_dialect_type_get(p->ctx, def, params, def->num_params);
    return true;
}

static int
parse_type_groups(MlcFormatParse *s, MlcFormatGroup *g)
{
    do {
        if (!mlc_parse_token(s->p, "("))
            return -1;
        if (!mlc_parser_is(s->p, ')') && !mlc_parse_type_list(s->p, &g->types))
            return -1;
        if (!mlc_parse_token(s->p, ")"))
            return -1;
    } while (mlc_parser_take(s->p, ','));
    return 1;
}

static int
parse_type_of_place(MlcFormatParse *s, MlcPlaceRef place, unsigned flags, bool optional)
{
    MlcParser *p = s->p;
    MlcFormatGroup *g = mlc_format_group(s, place);
    const MlcValueDef *def = place.place == MLC_PLACE_OPERAND  ? &s->def->operands[place.index]
                             : place.place == MLC_PLACE_RESULT ? &s->def->results[place.index]
                                                               : NULL;
    uint8_t arity = def ? def->arity : (uint8_t)MLC_VARIADIC;
    MlcType type;
    g->types_at = p->tok.at;
    int found;
    switch (arity) {
    case MLC_ONE:
    case MLC_OPTIONAL:
        if (optional || arity == MLC_OPTIONAL)
            found = mlc_parse_optional_type(p, &type);
        else
            found = parse_stripped_type(p, def->type, flags, &type) ? 1 : -1;
        if (found > 0 && def->type && def->type->kind == MLC_CONSTRAINT_INTEGER &&
            !mlc_type_is(type, MLC_TYPE_INTEGER))
            return mlc_parser_fail_custom(p, g->types_at, "invalid kind of type specified"), -1;
        if (found > 0) {
            g->has_types = true;
            mlc_vec_push(&g->types, type);
        }
        return found;
    case MLC_VARIADIC:
        found = mlc_parse_optional_type(p, &type);
        if (found < 0)
            return -1;
        if (found == 0 && !optional && g->refs.size > 0)
            return mlc_parse_type_into(p, &type), -1;
        g->has_types = true;
        if (found == 0)
            return 0;
        mlc_vec_push(&g->types, type);
        return !mlc_parser_take(p, ',') || mlc_parse_type_list(p, &g->types) ? 1 : -1;
    default:
        g->has_types = true;
        return mlc_parser_is(p, '(') ? parse_type_groups(s, g) : 0;
    }
}

static int
parse_functional_type(MlcFormatParse *s, const uint32_t *node, bool optional)
{
    MlcType type;
    if (optional && !mlc_parser_is(s->p, '('))
        return 0;
    const char *at = s->p->tok.at;
    if (!mlc_parse_function_type(s->p, &type))
        return -1;
    MlcFormatGroup *ins = mlc_format_group(s, mlc_format_place(node[2]));
    MlcFormatGroup *outs = mlc_format_group(s, mlc_format_place(node[3]));
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
        mlc_vec_push(&ins->types, mlc_function_type_inputs(type)[i]);
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        mlc_vec_push(&outs->types, mlc_function_type_results(type)[i]);
    ins->has_types = outs->has_types = true;
    ins->types_at = outs->types_at = at;
    return 1;
}

static int
parse_oilist(MlcFormatParse *s, const uint32_t *node)
{
    size_t num_clauses = mlc_format_a(node[0]);
    uint64_t seen = 0;
    for (;;) {
        const uint32_t *clause = node + 2;
        size_t i = 0;
        for (; i < num_clauses; i++, clause += 2 + clause[1])
            if (mlc_token_is(s->p->tok, s->format->strings[clause[0] & 0xffff]))
                break;
        if (i == num_clauses)
            return 1;
        if (i < 64 && seen >> i & 1)
            return mlc_parser_fail_at(
                       s->p, s->p->tok.at,
                       "`%s` clause can appear at most once in the expansion of the oilist "
                       "directive",
                       s->format->strings[clause[0] & 0xffff]),
                   -1;
        seen |= i < 64 ? UINT64_C(1) << i : 0;
        mlc_parser_advance(s->p);
        const uint32_t *element = clause + 2;
        bool is_unit =
            clause[1] == 3 && mlc_format_op(element[0]) == MLC_FORMAT_VAR &&
            mlc_format_place(element[2]).place == MLC_PLACE_ATTR &&
            only_kind(s->def->attrs[mlc_format_place(element[2]).index].constraint, MLC_ATTR_UNIT);
        if (is_unit)
            mlc_format_set_attr(s, mlc_format_place(element[2]), mlc_unit_attr_get(s->p->ctx));
        else if (parse_nodes(s, element, element + clause[1]) < 0)
            return -1;
    }
}

static int parse_node(MlcFormatParse *s, const uint32_t *node, bool optional);

static int
parse_group(MlcFormatParse *s, const uint32_t *node)
{
    const uint32_t *at = node + 2 + mlc_format_a(node[0]);
    const uint32_t *then = at + 1, *otherwise = then + at[0] + 1, *end = node + node[1];
    while (then < at + 1 + at[0] &&
           (mlc_format_op(*then) == MLC_FORMAT_SPACE || mlc_format_op(*then) == MLC_FORMAT_NEWLINE))
        then += then[1];
    int found = parse_node(s, then, true);
    if (found < 0)
        return -1;
    if (found == 0)
        return parse_nodes(s, otherwise, end);
    return parse_nodes(s, then + then[1], at + 1 + at[0]);
}

static int
parse_prop_dict(MlcFormatParse *s)
{
    if (!mlc_parser_take(s->p, '<'))
        return 0;
    return mlc_parse_named_attrs(s->p, &s->op->attrs) && mlc_parse_token(s->p, ">") ? 1 : -1;
}

static int
parse_custom_node(MlcFormatParse *s, const uint32_t *node, bool optional)
{
    MlcFormatArgs args;
    mlc_format_args(node, &args);
    return mlc_format_parse_custom(s, mlc_str(s->format->strings[mlc_format_a(node[0])]), &args,
                                   optional);
}

static int
parse_node(MlcFormatParse *s, const uint32_t *node, bool optional)
{
    MlcParser *p = s->p;
    unsigned flags = mlc_format_flags(node[0]);
    const char *text;
    switch (mlc_format_op(node[0])) {
    case MLC_FORMAT_LITERAL:
        text = s->format->strings[mlc_format_a(node[0])];
        if (optional)
            return mlc_parse_optional_token(p, text);
        return mlc_parse_token(p, text) ? 1 : -1;
    case MLC_FORMAT_SPACE:
    case MLC_FORMAT_NEWLINE:
        return 1;
    case MLC_FORMAT_ATTR_DICT:
        return (flags & MLC_FORMAT_KEYWORD ? mlc_parse_attr_dict_with_keyword(p, s->op)
                                           : mlc_parse_attr_dict(p, s->op))
                   ? 1
                   : -1;
    case MLC_FORMAT_PROP_DICT:
        return parse_prop_dict(s);
    case MLC_FORMAT_VAR:
        return parse_var(s, node, optional);
    case MLC_FORMAT_TYPE:
        return parse_type_of_place(s, mlc_format_place(node[2]), flags, optional);
    case MLC_FORMAT_FUNCTIONAL_TYPE:
        return parse_functional_type(s, node, optional);
    case MLC_FORMAT_REGIONS:
        for (size_t i = 0; i < s->def->num_regions; i++)
            if (parse_region_var(s, i, optional) < 0)
                return -1;
        return 1;
    case MLC_FORMAT_SUCCESSORS:
        return parse_successor_var(s, false, optional);
    case MLC_FORMAT_CUSTOM:
        return parse_custom_node(s, node, optional);
    case MLC_FORMAT_GROUP:
        return parse_group(s, node);
    case MLC_FORMAT_OILIST:
        return parse_oilist(s, node);
    case MLC_FORMAT_STRUCTURED:
        return mlc_format_parse_structured(s) ? 1 : -1;
    default:
        return mlc_parser_fail_wrong(p, "the format of '%s' cannot be read", s->def->name), -1;
    }
}

static int
parse_nodes(MlcFormatParse *s, const uint32_t *node, const uint32_t *end)
{
    for (; node < end; node += node[1])
        if (parse_node(s, node, false) < 0)
            return -1;
    return 1;
}

// --- types, when everything was read

typedef struct View {
    MlcTypeView view;
    MlcFormatParse *s;
} View;

static bool
view_group(MlcTypeView *view, MlcPlaceRef place, MlcType **types, size_t *count)
{
    MlcFormatParse *s = ((View *)view)->s;
    if (place.place == MLC_PLACE_OPERAND) {
        *types = s->operand_types.data + s->operand_firsts.data[place.index];
        *count = s->operand_firsts.data[place.index + 1] - s->operand_firsts.data[place.index];
        return true;
    }
    if (place.place == MLC_PLACE_ALL_OPERANDS)
        return *types = s->operand_types.data, *count = s->operand_types.size, true;
    if (place.place != MLC_PLACE_RESULT || !s->results[place.index].has_types)
        return false;
    *types = s->results[place.index].types.data;
    *count = s->results[place.index].types.size;
    return true;
}

static void
view_set_group(MlcTypeView *view, MlcPlaceRef place, const MlcType *types, size_t count)
{
    MlcFormatParse *s = ((View *)view)->s;
    if (place.place != MLC_PLACE_RESULT)
        return;
    s->results[place.index].has_types = true;
    for (size_t i = 0; i < count; i++)
        mlc_vec_push(&s->results[place.index].types, types[i]);
}

static MlcType
view_attr_type(MlcTypeView *view, size_t slot)
{
    MlcAttr attr =
        mlc_format_get_attr(((View *)view)->s, (MlcPlaceRef){MLC_PLACE_ATTR, (uint16_t)slot});
    return mlc_relation_attr_type(
        attr ? attr : mlc_context_default_attr(view->ctx, &view->def->attrs[slot]));
}

// `operands` read as one list: the groups take theirs, at most one being of free size.
static bool
distribute_operands(MlcFormatParse *s)
{
    const MlcOpDef *def = s->def;
    size_t total = s->all_operands.refs.size, num_fixed = 0, num_free = 0;
    for (size_t i = 0; i < def->num_operands; i++) {
        num_fixed += def->operands[i].arity == MLC_ONE;
        num_free += def->operands[i].arity != MLC_ONE;
    }
    if (total < num_fixed || (num_free == 0 && total != num_fixed))
        return mlc_parser_fail_wrong(s->p, "'%s' op expected %zu operand%s, but found %zu",
                                     def->name, num_fixed, num_fixed == 1 ? "" : "s", total);
    size_t at = 0;
    for (size_t i = 0; i < def->num_operands; i++) {
        size_t count = def->operands[i].arity == MLC_ONE ? 1 : total - num_fixed;
        for (size_t j = 0; j < count && at < total; j++)
            mlc_vec_push(&s->operands[i].refs, s->all_operands.refs.data[at++]);
    }
    return true;
}

static bool
count_mismatch(MlcFormatParse *s, const char *at, size_t num_operands, size_t num_types)
{
    return mlc_parser_fail_custom(s->p, at, "%zu operands present, but expected %zu", num_operands,
                                  num_types);
}

static bool
collect_operand_types(MlcFormatParse *s)
{
    const MlcOpDef *def = s->def;
    s->operand_types.size = s->operand_firsts.size = 0;
    for (size_t i = 0; i < def->num_operands; i++) {
        MlcFormatGroup *g = &s->operands[i];
        mlc_vec_push(&s->operand_firsts, s->operand_types.size);
        if (g->has_types && g->types.size != g->refs.size)
            return count_mismatch(s, g->refs.size ? g->refs.data[0].at : g->types_at, g->refs.size,
                                  g->types.size);
        for (size_t j = 0; j < g->refs.size; j++)
            mlc_vec_push(&s->operand_types, g->has_types ? g->types.data[j] : NULL);
    }
    mlc_vec_push(&s->operand_firsts, s->operand_types.size);
    if (!s->all_operands.has_types)
        return true;
    if (s->all_operands.types.size != s->operand_types.size)
        return count_mismatch(s,
                              s->all_operands.refs.size ? s->all_operands.refs.data[0].at
                                                        : s->all_operands.types_at,
                              s->operand_types.size, s->all_operands.types.size);
    for (size_t i = 0; i < s->operand_types.size; i++)
        s->operand_types.data[i] = s->all_operands.types.data[i];
    return true;
}

// The types of `results` read as one list go to the groups.
static bool
distribute_results(MlcFormatParse *s)
{
    const MlcOpDef *def = s->def;
    if (!s->all_results.has_types)
        return true;
    size_t total = s->all_results.types.size, num_fixed = 0, at = 0;
    for (size_t i = 0; i < def->num_results; i++)
        num_fixed += def->results[i].arity == MLC_ONE;
    bool is_wrong = total < num_fixed || (num_fixed == def->num_results && total != num_fixed);
    if (is_wrong && num_fixed == 1)
        return mlc_parser_error_at(s->p, s->op->loc, "'%s' op requires one result", def->name);
    if (is_wrong)
        return mlc_parser_error_at(s->p, s->op->loc, "'%s' op requires %zu results", def->name,
                                   num_fixed);
    for (size_t i = 0; i < def->num_results; i++) {
        size_t count = def->results[i].arity == MLC_ONE ? 1 : total - num_fixed;
        s->results[i].has_types = true;
        for (size_t j = 0; j < count && at < total; j++)
            mlc_vec_push(&s->results[i].types, s->all_results.types.data[at++]);
    }
    return true;
}

static void
add_segment_sizes(MlcFormatParse *s)
{
    const MlcOpDef *def = s->def;
    int32_t sizes[256] = {0};
    for (unsigned kind = 0; kind < 2; kind++) {
        if (!mlc_op_def_has_trait(def, kind ? MLC_TRAIT_ATTR_SIZED_RESULTS
                                            : MLC_TRAIT_ATTR_SIZED_OPERANDS))
            continue;
        size_t count = kind ? def->num_results : def->num_operands;
        for (size_t i = 0; i < count && i < 256; i++)
            sizes[i] = (int32_t)(kind ? s->results[i].types.size : s->operands[i].refs.size);
        mlc_op_build_attr(s->p, s->op, kind ? "resultSegmentSizes" : "operandSegmentSizes",
                          mlc_i32_array_attr_get(s->p->ctx, sizes, count < 256 ? count : 256));
    }
    for (size_t i = 0; i < def->num_operands; i++)
        if (def->operands[i].arity == MLC_VARIADIC_OF_VARIADIC && def->operands[i].segments)
            mlc_op_build_attr(s->p, s->op, def->operands[i].segments,
                              mlc_i32_array_attr_get(s->p->ctx, s->operands[i].segments.data,
                                                     s->operands[i].segments.size));
}

static bool
resolve_operands(MlcFormatParse *s)
{
    size_t at = 0;
    for (size_t i = 0; i < s->def->num_operands; i++)
        for (size_t j = 0; j < s->operands[i].refs.size; j++, at++) {
            MlcType type = s->operand_types.data[at];
            if (!type)
                return mlc_parser_fail_at(s->p, s->operands[i].refs.data[j].at,
                                          "type of operand '%s' cannot be inferred",
                                          s->def->operands[i].name);
            if (!mlc_resolve_operand(s->p, &s->operands[i].refs.data[j], type, s->op))
                return false;
        }
    return true;
}

static bool
infer_results(MlcFormatParse *s)
{
    MlcOpBuild *op = s->op;
    MlcOpState state = {.loc = op->loc,
                        .def = op->def,
                        .operands = op->operands.data,
                        .num_operands = op->operands.size,
                        .attrs = op->attrs.data,
                        .num_attrs = op->attrs.size,
                        .num_regions = op->regions.size,
                        .num_results = 0};
    op->result_types.size = 0;
    if (mlc_infer_types(s->p->ctx, &state, &op->result_types))
        return true;
    return s->p->failed || mlc_context_num_errors(s->p->ctx) == 0
               ? mlc_parser_error_at(s->p, op->loc, "'%s' op failed to infer returned types",
                                     s->def->name)
               : mlc_parser_error_at(s->p, op->loc, "'%s' op failed to infer returned types",
                                     s->def->name);
}

static bool
collect_results(MlcFormatParse *s)
{
    const MlcOpDef *def = s->def;
    for (size_t i = 0; i < def->num_results; i++) {
        MlcFormatGroup *g = &s->results[i];
        if (!g->has_types && (def->results[i].arity == MLC_ONE || s->info->can_infer))
            return infer_results(s);
        for (size_t j = 0; j < g->types.size; j++)
            mlc_vec_push(&s->op->result_types, g->types.data[j]);
    }
    return true;
}

// What follows at once, for most ops all: types that their constraints leave no choice, and those
// that a trait says are one. True if nothing is left to find.
static bool
complete_simple_types(MlcFormatParse *s)
{
    const MlcFormatInfo *info = s->info;
    const MlcOpDef *def = s->def;
    MlcType *types = s->operand_types.data, same = NULL;
    for (size_t g = 0; g < def->num_operands; g++)
        for (size_t i = s->operand_firsts.data[g]; i < s->operand_firsts.data[g + 1]; i++) {
            types[i] = types[i] ? types[i] : info->only_operand[g];
            same = same ? same : types[i];
        }
    bool is_done = true;
    for (size_t g = 0; g < def->num_results; g++) {
        MlcFormatGroup *result = &s->results[g];
        if (!result->has_types && def->results[g].arity == MLC_ONE && info->only_result[g]) {
            mlc_vec_push(&result->types, info->only_result[g]);
            result->has_types = true;
        }
        if (info->same_all && !same && result->types.size)
            same = result->types.data[0];
    }
    for (size_t i = 0; i < s->operand_types.size; i++) {
        if (!types[i] && info->same_operands)
            types[i] = same;
        is_done &= types[i] != NULL;
    }
    for (size_t g = 0; g < def->num_results; g++) {
        MlcFormatGroup *result = &s->results[g];
        if (!result->has_types && def->results[g].arity == MLC_ONE && info->same_all && same) {
            mlc_vec_push(&result->types, same);
            result->has_types = true;
        }
        is_done &= result->has_types;
    }
    return is_done;
}

// Types that others are made from are checked at once.
static bool
check_sources(MlcFormatParse *s)
{
    for (size_t i = 0; i < s->def->num_relations; i++) {
        const MlcRelation *r = &s->def->relations[i];
        bool is_made = r->kind == MLC_RELATION_LIKE || r->kind == MLC_RELATION_ELEMENT ||
                       r->kind == MLC_RELATION_REPEAT_ELEMENT || r->kind == MLC_RELATION_PARAMETER;
        if (!is_made || r->from.place != MLC_PLACE_OPERAND)
            continue;
        const MlcValueDef *def = &s->def->operands[r->from.index];
        const MlcFormatGroup *g = &s->operands[r->from.index];
        for (size_t k = 0; g->has_types && k < g->types.size; k++)
            if (!mlc_constraint_check_type(def->type, g->types.data[k]))
                return mlc_parser_error_at(s->p, s->op->loc, "'%s' must be %s, but got '%s'",
                                           def->name, def->type->summary,
                                           mlc_type_text(g->types.data[k]));
    }
    return true;
}

// Result group `g` has the types of what this region was seen to give.
static void
take_given_types(MlcFormatParse *s, size_t region, size_t g)
{
    MlcFormatGroup *result = &s->results[g];
    const MlcBlock *block = mlc_region_last(s->op->regions.data[region]);
    const MlcOp *last = block ? mlc_block_last(block) : NULL;
    size_t first;
    if (!last || mlc_op_num_successors(last) ||
        !mlc_region_gives_result(s->def, region, g, &first) || mlc_op_num_operands(last) < first)
        return;
    bool is_one = s->def->results[g].arity == MLC_ONE;
    size_t n = mlc_op_num_operands(last);
    for (size_t i = first; i < n && !(is_one && i > first); i++)
        mlc_vec_push(&result->types, mlc_op_operand_type(last, i));
    result->has_types = !is_one || n > first;
}

static void
infer_from_regions(MlcFormatParse *s)
{
    for (size_t i = 0; i < s->def->num_regions && s->def->regions[i].arity == MLC_ONE; i++)
        for (size_t g = 0; g < s->def->num_results; g++)
            if (!s->results[g].has_types)
                take_given_types(s, i, g);
}

static bool
finish_op(MlcFormatParse *s)
{
    MlcStr name;
    if (mlc_dict_attr_find_duplicate(s->op->attrs.data, s->op->attrs.size, &name))
        return mlc_parser_error_at(s->p, s->op->loc,
                                   "attribute '%.*s' occurs more than once in the attribute list",
                                   MLC_STR_FMT(name));
    if (s->has_all_operands && !distribute_operands(s))
        return false;
    if (!collect_operand_types(s) || !distribute_results(s) || !check_sources(s))
        return false;
    infer_from_regions(s);
    if (s->info->has_sizes)
        add_segment_sizes(s);
    View view = {.view = {.ctx = s->p->ctx,
                          .def = s->def,
                          .steps = &mlc_type_steps,
                          .group = view_group,
                          .attr_type = view_attr_type,
                          .set_group = view_set_group},
                 .s = s};
    if (!complete_simple_types(s))
        mlc_relations_complete(&view.view);
    return resolve_operands(s) && collect_results(s);
}

static bool
parse_long(MlcParser *p, MlcOpBuild *op, const MlcFormatInfo *info)
{
    const MlcOpDef *def = op->def;
    MlcFormatParse *s = take_state(p, op, info);
    for (size_t i = 0; i < def->num_regions && def->regions[i].arity == MLC_ONE; i++)
        mlc_op_build_region(p, op);
    const MlcFormat *f = def->format;
    bool ok = parse_nodes(s, f->code, f->code + f->code_size) > 0 && finish_op(s);
    mlc_vec_push(&p->formats, s);
    return ok;
}

bool
mlc_format_parse_op(MlcParser *p, MlcOpBuild *op)
{
    const MlcFormatInfo *info = info_of(p, op->def);
    MlcPlainTypes given;
    int found = info->plain ? mlc_plain_read(p, op, info->plain, &given) : 0;
    if (found)
        return found > 0;
    bool ok = parse_long(p, op, info);
    if (ok && info->plain)
        mlc_plain_learn(info->plain, &given, op);
    return ok;
}
