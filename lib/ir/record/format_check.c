// format_check.c -- whether a format says all that an op or a type is made of: operands, regions
// and successors stand in it, types stand in it or follow, and what comes next can be told.
#include "format_check.h"

#include <string.h>

#include "format.h"

typedef struct Check {
    MlcYamlLoader *l;
    const MlcYaml *node; // the format
    const MlcOpDef *op;
    bool has_attr_dict;
} Check;

#define FAIL(c, ...) mlc_yaml_loader_fail((c)->l, (c)->node, __VA_ARGS__)

// --- types: known from the start if they stand in the format, else if they follow

static const char known[] = "";
#define KNOWN ((MlcType)(const void *)known)

typedef struct View {
    MlcTypeView view;
    MlcYamlLoader *l;
    MlcType *operands, *results; // one per group
} View;

static bool
has_parameters(MlcYamlLoader *l, const char *type)
{
    const char *dot = strchr(type, '.');
    MlcStr head = mlc_str_n(type, dot ? (size_t)(dot - type) : 0);
    const MlcDialectDef *d =
        mlc_str_equal(head, mlc_str(l->dialect->name)) ? l->dialect : l->find(l->user, head);
    for (size_t i = 0; d && i < d->num_types; i++)
        if (strcmp(d->types[i]->name, type) == 0)
            return d->types[i]->num_params > 0;
    return true;
}

static MlcType
only_type(const MlcTypeView *view, const MlcConstraint *constraint)
{
    const MlcConstraint *only = mlc_constraint_only(constraint);
    bool is_open = only && only->kind == MLC_CONSTRAINT_DIALECT_TYPE &&
                   has_parameters(((const View *)view)->l, only->names[0]);
    return only && !is_open ? KNOWN : NULL;
}

static MlcType
derive(const MlcTypeView *view, const MlcRelation *relation, MlcType from)
{
    (void)view;
    return relation->kind == MLC_RELATION_EXACTLY ? KNOWN : from;
}

static bool
list(const MlcRelation *relation, MlcType from, const MlcType **types, size_t *count)
{
    static const MlcType one = KNOWN;
    (void)relation, (void)from;
    return *types = &one, *count = 1, true;
}

static bool
group(MlcTypeView *view, MlcPlaceRef place, MlcType **types, size_t *count)
{
    View *v = (View *)view;
    bool is_operand = place.place == MLC_PLACE_OPERAND || place.place == MLC_PLACE_ALL_OPERANDS;
    bool is_all = place.place == MLC_PLACE_ALL_OPERANDS || place.place == MLC_PLACE_ALL_RESULTS;
    *types = (is_operand ? v->operands : v->results) + (is_all ? 0 : place.index);
    *count = is_all ? (is_operand ? view->def->num_operands : view->def->num_results) : 1;
    return true;
}

static MlcType
attr_type(MlcTypeView *view, size_t slot)
{
    (void)view, (void)slot;
    return KNOWN;
}

static void
set_group(MlcTypeView *view, MlcPlaceRef place, const MlcType *types, size_t count)
{
    (void)view, (void)place, (void)types, (void)count;
}

static bool
has_own_inference(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_INFER_TYPES)
            return true;
    return false;
}

static void
check_types(Check *c, MlcType *operands, MlcType *results)
{
    static const MlcTypeSteps steps = {.only = only_type, .derive = derive, .list = list};
    const MlcOpDef *op = c->op;
    View v = {.view = {.def = op,
                       .steps = &steps,
                       .group = group,
                       .attr_type = attr_type,
                       .set_group = set_group},
              .l = c->l,
              .operands = operands,
              .results = results};
    for (size_t i = 0; has_own_inference(op) && i < op->num_results; i++)
        results[i] = KNOWN;
    size_t first;
    for (size_t i = 0; i < op->num_regions; i++)
        for (size_t k = 0; op->regions[i].arity == MLC_ONE && k < op->num_results; k++)
            if (mlc_region_gives_result(op, i, k, &first))
                results[k] = KNOWN;
    mlc_relations_complete(&v.view);
    for (size_t i = 0; i < op->num_operands; i++)
        if (!operands[i])
            FAIL(c, "the type of operand '%s' neither stands here, as 'type($%s)', nor follows",
                 op->operands[i].name, op->operands[i].name);
    for (size_t i = 0; i < op->num_results; i++)
        if (!results[i])
            FAIL(c, "the type of result '%s' neither stands here, as 'type($%s)', nor follows",
                 op->results[i].name, op->results[i].name);
}

// --- what stands in the format

typedef struct Walk {
    Check *c;
    const char *const *strings; // of the format
    MlcType *operands, *results;
    bool *names[MLC_PLACE_SUCCESSOR + 1];
    size_t counts[MLC_PLACE_SUCCESSOR + 1];
} Walk;

static void
name_all(Walk *w, MlcPlace place)
{
    for (size_t i = 0; i < w->counts[place]; i++)
        w->names[place][i] = true;
}

static const char *
name_at(const MlcOpDef *op, MlcPlaceRef at)
{
    switch ((MlcPlace)at.place) {
    case MLC_PLACE_OPERAND:
        return op->operands[at.index].name;
    case MLC_PLACE_RESULT:
        return op->results[at.index].name;
    case MLC_PLACE_ATTR:
        return op->attrs[at.index].name;
    case MLC_PLACE_REGION:
        return op->regions[at.index].name;
    default:
        return op->successors[at.index].name;
    }
}

static void
name_one(Walk *w, uint32_t word, bool is_only_seen)
{
    MlcPlaceRef at = mlc_format_place(word);
    if (at.place == MLC_PLACE_ALL_OPERANDS || at.place == MLC_PLACE_ALL_RESULTS) {
        name_all(w, at.place == MLC_PLACE_ALL_OPERANDS ? MLC_PLACE_OPERAND : MLC_PLACE_RESULT);
        return;
    }
    if (is_only_seen)
        return;
    if (w->names[at.place][at.index])
        FAIL(w->c, "'$%s' stands here twice", name_at(w->c->op, at));
    w->names[at.place][at.index] = true;
}

static void
name_type(Walk *w, uint32_t word)
{
    MlcPlaceRef at = mlc_format_place(word);
    bool is_operand = at.place == MLC_PLACE_OPERAND || at.place == MLC_PLACE_ALL_OPERANDS;
    bool is_all = at.place == MLC_PLACE_ALL_OPERANDS || at.place == MLC_PLACE_ALL_RESULTS;
    MlcType *types = is_operand ? w->operands : w->results;
    size_t n = w->counts[is_operand ? MLC_PLACE_OPERAND : MLC_PLACE_RESULT];
    if (!is_operand && at.place != MLC_PLACE_RESULT && !is_all)
        return; // of an attribute
    for (size_t i = 0; i < n; i++)
        if (is_all || i == at.index)
            types[i] = KNOWN;
}

// --- what comes next

// What a node begins with: an operand, a type, a brace; 0: something else, or nothing.
static char
first_of(const Walk *w, const uint32_t *node)
{
    switch (mlc_format_op(*node)) {
    case MLC_FORMAT_VAR: {
        bool is_elided = mlc_format_flags(*node) & MLC_FORMAT_ELIDED;
        uint8_t place = mlc_format_place(node[2]).place;
        return is_elided                         ? 0
               : place == MLC_PLACE_OPERAND      ? 'o'
               : place == MLC_PLACE_ALL_OPERANDS ? 'o'
               : place == MLC_PLACE_REGION       ? '{'
                                                 : 0;
    }
    case MLC_FORMAT_TYPE:
        return 't';
    case MLC_FORMAT_REGIONS:
    case MLC_FORMAT_ATTR_DICT:
        return mlc_format_flags(*node) & MLC_FORMAT_KEYWORD ? 0 : '{';
    case MLC_FORMAT_GROUP: {
        const uint32_t *then = node + 2 + mlc_format_a(*node);
        return *then ? first_of(w, then + 1) : 0;
    }
    default:
        return 0;
    }
}

// Whether nothing may stand for the node, or a list that goes on.
static bool
is_open(const Walk *w, const uint32_t *node)
{
    MlcPlaceRef at = {0};
    switch (mlc_format_op(*node)) {
    case MLC_FORMAT_VAR:
    case MLC_FORMAT_TYPE:
        at = mlc_format_place(node[2]);
        if (at.place == MLC_PLACE_OPERAND)
            return w->c->op->operands[at.index].arity != MLC_ONE;
        return at.place == MLC_PLACE_RESULT && w->c->op->results[at.index].arity != MLC_ONE;
    case MLC_FORMAT_ATTR_DICT:
    case MLC_FORMAT_GROUP:
        return true;
    default:
        return false;
    }
}

static void
check_next(const Walk *w, const uint32_t *node, const uint32_t *next)
{
    char first = first_of(w, node);
    if (first && is_open(w, node) && first == first_of(w, next))
        FAIL(w->c, "this is ambiguous: %s may be missing, and %s follows",
             first == '{'   ? "the attributes"
             : first == 'o' ? "operands"
                            : "types",
             first == '{'   ? "a region"
             : first == 'o' ? "another operand"
                            : "another type");
}

// `is_custom`: the arguments of a directive.
static void walk(Walk *w, const uint32_t *node, const uint32_t *end, bool is_custom);

static void
walk_group(Walk *w, const uint32_t *node)
{
    const uint32_t *then = node + 2 + mlc_format_a(*node);
    walk(w, then + 1, then + 1 + *then, false);
    const uint32_t *otherwise = then + 1 + *then;
    walk(w, otherwise + 1, otherwise + 1 + *otherwise, false);
}

static void
walk_clauses(Walk *w, const uint32_t *node)
{
    const uint32_t *at = node + 2;
    for (size_t i = 0; i < mlc_format_a(*node); i++) {
        walk(w, at + 2, at + 2 + at[1], false);
        at += 2 + at[1];
    }
}

static void
walk(Walk *w, const uint32_t *node, const uint32_t *end, bool is_custom)
{
    for (; node < end; node += node[1]) {
        bool is_only_seen = mlc_format_flags(*node) & MLC_FORMAT_REF;
        if (node + node[1] < end && !is_custom)
            check_next(w, node, node + node[1]);
        switch (mlc_format_op(*node)) {
        case MLC_FORMAT_ATTR_DICT:
        case MLC_FORMAT_PROP_DICT:
            w->c->has_attr_dict = true;
            break;
        case MLC_FORMAT_VAR:
            name_one(w, node[2], is_only_seen);
            break;
        case MLC_FORMAT_FUNCTIONAL_TYPE:
            name_type(w, node[3]);
            name_type(w, node[2]);
            break;
        case MLC_FORMAT_TYPE:
            if (!is_only_seen)
                name_type(w, node[2]);
            break;
        case MLC_FORMAT_REGIONS:
            name_all(w, MLC_PLACE_REGION);
            break;
        case MLC_FORMAT_SUCCESSORS:
            name_all(w, MLC_PLACE_SUCCESSOR);
            break;
        case MLC_FORMAT_STRUCTURED: // all but the attributes
            name_all(w, MLC_PLACE_OPERAND);
            name_all(w, MLC_PLACE_REGION);
            name_type(w, (uint32_t)MLC_PLACE_ALL_OPERANDS << 24);
            name_type(w, (uint32_t)MLC_PLACE_ALL_RESULTS << 24);
            break;
        case MLC_FORMAT_CUSTOM:
            mlc_vec_push(&w->c->l->customs,
                         ((struct MlcYamlText){w->strings[mlc_format_a(*node)], w->c->node}));
            walk(w, node + 2, node + node[1], true);
            break;
        case MLC_FORMAT_GROUP:
            walk_group(w, node);
            break;
        case MLC_FORMAT_OILIST:
            walk_clauses(w, node);
            break;
        default:
            break;
        }
    }
}

static void
mark_params(const uint32_t *node, const uint32_t *end, bool *is_named)
{
    for (; node < end; node += node[1]) {
        uint32_t a = mlc_format_a(*node);
        switch (mlc_format_op(*node)) {
        case MLC_FORMAT_VAR:
            is_named[node[2] & 0xffff] = true;
            break;
        case MLC_FORMAT_PARAMS:
        case MLC_FORMAT_STRUCT:
            for (size_t i = 0; i < a; i++)
                is_named[node[2 + i]] = true;
            break;
        case MLC_FORMAT_CUSTOM:
            mark_params(node + 2, node + node[1], is_named);
            break;
        case MLC_FORMAT_GROUP: {
            const uint32_t *then = node + 2 + a, *otherwise = then + 1 + *then;
            mark_params(then + 1, otherwise, is_named);
            mark_params(otherwise + 1, otherwise + 1 + *otherwise, is_named);
            break;
        }
        default:
            break;
        }
    }
}

static void
check_named(const Walk *w, MlcPlace place, const char *what)
{
    for (size_t i = 0; i < w->counts[place]; i++)
        if (!w->names[place][i])
            FAIL(w->c, "%s '%s' does not stand here, as '$%s'", what,
                 name_at(w->c->op, (MlcPlaceRef){(uint8_t)place, (uint16_t)i}),
                 name_at(w->c->op, (MlcPlaceRef){(uint8_t)place, (uint16_t)i}));
}

void
mlc_format_check_op(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op,
                    const MlcFormat *format)
{
    if (mlc_map_has(&l->symbols, &op->parse)) // in C
        return;
    Check c = {.l = l, .node = node, .op = op};
    Walk w = {.c = &c,
              .strings = format->strings,
              .operands = MLC_NEW_ARRAY(l->arena, MlcType, op->num_operands + 1),
              .results = MLC_NEW_ARRAY(l->arena, MlcType, op->num_results + 1),
              .counts = {op->num_operands, op->num_results, op->num_attrs, op->num_regions,
                         op->num_successors}};
    for (size_t i = 0; i <= MLC_PLACE_SUCCESSOR; i++)
        w.names[i] = MLC_NEW_ARRAY(l->arena, bool, w.counts[i] + 1);
    walk(&w, format->code, format->code + format->code_size, false);
    if (!c.has_attr_dict)
        FAIL(&c, "'attr-dict' does not stand here");
    check_named(&w, MLC_PLACE_OPERAND, "operand");
    check_named(&w, MLC_PLACE_REGION, "region");
    check_named(&w, MLC_PLACE_SUCCESSOR, "successor");
    check_types(&c, w.operands, w.results);
}

void
mlc_format_check_params(MlcYamlLoader *l, const MlcYaml *node, const MlcParamDef *params, size_t n,
                        const MlcFormat *format)
{
    bool *is_named = MLC_NEW_ARRAY(l->arena, bool, n + 1);
    mark_params(format->code, format->code + format->code_size, is_named);
    for (size_t i = 0; i < n; i++)
        if (!is_named[i])
            mlc_yaml_loader_fail(l, node, "parameter '%s' does not stand here, as '$%s'",
                                 params[i].name, params[i].name);
}
