// dialect_to_irdl.c -- a dialect's records as IRDL.
//
// Each constraint is written where it is needed: a value of IRDL is one type wherever it is used,
// so only places whose types are the same share one.
#include "builtin_names.h"
#include "mlc/frontend/irdl.h"
#include "mlc/ir.h"
#include "mlc/ir/def.h"
#include "mlc/support/softfloat.h"

typedef struct Writer {
    MlcBuf *out;
    const MlcDialectDef *dialect;
    size_t num_values; // of the definition
} Writer;

static const char *
local_name(const char *full)
{
    return strchr(full, '.') + 1;
}

static void
symbol(Writer *w, const char *name)
{
    bool plain = *name != 0;
    for (const char *c = name; *c; c++)
        plain &= (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' || *c == '.' ||
                 (c > name && *c >= '0' && *c <= '9');
    mlc_buf_printf(w->out, plain ? "@%s" : "@\"%s\"", name);
}

// `%3 = `, of the next value, and its number.
static size_t
begin(Writer *w)
{
    mlc_buf_printf(w->out, "    %%%zu = irdl.", w->num_values);
    return w->num_values++;
}

static void
value_list(Writer *w, const size_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(w->out, "%s%%%zu", i ? ", " : "", values[i]);
}

typedef MLC_VEC(size_t) Values;

// The values as one: any_of or all_of them.
static size_t
combine(Writer *w, const char *how, Values *values)
{
    size_t value = values->size ? values->data[0] : 0;
    if (values->size != 1) {
        value = begin(w);
        mlc_buf_printf(w->out, values->size ? "%s(" : "any", how);
        value_list(w, values->data, values->size);
        mlc_buf_append_c(w->out, values->size ? ")\n" : "\n");
    }
    mlc_vec_release(values);
    return value;
}

static size_t
is(Writer *w, const char *what)
{
    size_t value = begin(w);
    mlc_buf_printf(w->out, "is %s\n", what);
    return value;
}

static size_t
weakened(Writer *w, const MlcConstraint *c)
{
    bool of_elements = c->kind == MLC_CONSTRAINT_ELEMENT || c->kind == MLC_CONSTRAINT_ATTR_ELEMENTS;
    const char *summary = of_elements ? c->args[0]->summary : c->summary;
    size_t value = begin(w);
    mlc_buf_printf(w->out, "any // %s%s\n", of_elements ? "elements: " : "",
                   summary && *summary ? summary : "a condition");
    return value;
}

static size_t
base_named(Writer *w, const char *name)
{
    size_t value = begin(w);
    mlc_buf_printf(w->out, "base \"%s\"\n", name);
    return value;
}

// Definitions of all kinds are symbols of one table: ops have their names, then types.
static bool
is_taken(const MlcDialectDef *dialect, char sigil, const char *name)
{
    for (size_t i = 0; i < dialect->num_ops; i++)
        if (strcmp(dialect->ops[i]->name, name) == 0)
            return true;
    for (size_t i = 0; sigil == '#' && i < dialect->num_types; i++)
        if (strcmp(dialect->types[i]->name, name) == 0)
            return true;
    return false;
}

// A definition of any dialect, `sigil` ! or #.
static size_t
base_of_definition(Writer *w, char sigil, const MlcConstraint *c)
{
    const char *full = c->names[0];
    size_t n = strlen(w->dialect->name);
    bool is_own = strncmp(full, w->dialect->name, n) == 0 && full[n] == '.';
    if (is_own && is_taken(w->dialect, sigil, full))
        return weakened(w, c);
    size_t value = begin(w);
    if (is_own) {
        mlc_buf_append_c(w->out, "base ");
        symbol(w, w->dialect->name);
        mlc_buf_append_c(w->out, "::");
        symbol(w, local_name(full));
        mlc_buf_append_c(w->out, "\n");
    } else {
        mlc_buf_printf(w->out, "base \"%c%s\"\n", sigil, full);
    }
    return value;
}

static size_t
kinds(Writer *w, const MlcConstraint *c, bool are_types)
{
    Values values = {0};
    for (int kind = 0; kind < 64; kind++) {
        if (!(c->a >> kind & 1))
            continue;
        // Those after it are younger than LLVM 19.
        for (int f = 0; are_types && kind == MLC_TYPE_FLOAT && f <= MLC_FLOAT_F8E4M3B11FNUZ; f++)
            mlc_vec_push(&values, is(w, mlc_float_info((MlcFloatKind)f)->name));
        if (are_types && kind == MLC_TYPE_FLOAT)
            continue;
        const MlcIrdlBuiltin *builtin = mlc_irdl_builtin_of_kind(kind, are_types);
        if (!builtin) { // what only mlc has
            mlc_vec_release(&values);
            return weakened(w, c);
        }
        mlc_vec_push(&values, base_named(w, builtin->name));
    }
    return combine(w, "any_of", &values);
}

static size_t
integers(Writer *w, const MlcConstraint *c)
{
    static const char *const prefixes[] = {
        [MLC_SIGNLESS] = "i", [MLC_SIGNED] = "si", [MLC_UNSIGNED] = "ui"};
    Values values = {0};
    if (!c->a && c->b && c->b != 7)
        return weakened(w, c);
    if (!c->a)
        return base_named(w, "!builtin.integer");
    for (size_t s = 0; s < sizeof prefixes / sizeof *prefixes; s++) {
        MlcBuf text = {0};
        mlc_buf_printf(&text, "%s%lld", prefixes[s], (long long)c->a);
        if (!c->b || c->b >> s & 1)
            mlc_vec_push(&values, is(w, mlc_buf_c_str(&text)));
        mlc_buf_release(&text);
    }
    return combine(w, "any_of", &values);
}

static size_t
floats(Writer *w, const MlcConstraint *c)
{
    Values values = {0};
    for (int kind = 0; kind < 63; kind++)
        if (c->a >> kind & 1)
            mlc_vec_push(&values, is(w, mlc_float_info((MlcFloatKind)kind)->name));
    return combine(w, "any_of", &values);
}

static size_t write_constraint(Writer *w, const MlcConstraint *c, bool of_type);

// `holds_type`: the attribute is one that holds a type, which is what it is in IRDL.
static size_t
write_part(Writer *w, const MlcConstraint *c, bool holds_type)
{
    bool is_held = holds_type && c->kind == MLC_CONSTRAINT_ATTR_TYPE;
    return is_held ? write_constraint(w, c->args[0], true) : write_constraint(w, c, false);
}

// `{all_of: [box], parameters: [...]}` of a definition of this dialect.
static size_t
parametric(Writer *w, const MlcConstraint *base, const MlcConstraint *params)
{
    Values values = {0};
    for (size_t i = 0; i < params->num_args; i++)
        mlc_vec_push(&values, write_part(w, params->args[i], true));
    size_t value = begin(w);
    mlc_buf_append_c(w->out, "parametric ");
    symbol(w, w->dialect->name);
    mlc_buf_append_c(w->out, "::");
    symbol(w, local_name(base->names[0]));
    mlc_buf_append_c(w->out, "<");
    value_list(w, values.data, values.size);
    mlc_buf_append_c(w->out, ">\n");
    mlc_vec_release(&values);
    return value;
}

// Without lists of one around it.
static const MlcConstraint *
bare(const MlcConstraint *c)
{
    while (c && c->kind == MLC_CONSTRAINT_ALL_OF && c->num_args == 1)
        c = c->args[0];
    return c;
}

static size_t
combination(Writer *w, const MlcConstraint *c, bool of_type)
{
    bool any = c->kind == MLC_CONSTRAINT_ANY_OF;
    const MlcConstraint *base = NULL, *params = NULL;
    bool holds_type = false;
    Values values = {0};
    size_t n = strlen(w->dialect->name);
    for (size_t i = 0; !any && i < c->num_args; i++) {
        const MlcConstraint *part = bare(c->args[i]);
        bool is_base =
            part->kind == MLC_CONSTRAINT_DIALECT_TYPE || part->kind == MLC_CONSTRAINT_DIALECT_ATTR;
        if (is_base && strncmp(part->names[0], w->dialect->name, n) == 0 &&
            part->names[0][n] == '.')
            base = part;
        if (part->kind == MLC_CONSTRAINT_PARAMETERS)
            params = part;
        holds_type |= part->kind == MLC_CONSTRAINT_ATTR_KIND && part->a == INT64_C(1)
                                                                               << MLC_ATTR_TYPE;
    }
    bool is_parametric = base && params;
    for (size_t i = 0; i < c->num_args; i++) {
        if (is_parametric && (bare(c->args[i]) == base || bare(c->args[i]) == params))
            continue;
        mlc_vec_push(&values, of_type ? write_constraint(w, c->args[i], true)
                                      : write_part(w, c->args[i], holds_type));
    }
    if (is_parametric)
        mlc_vec_push(&values, parametric(w, base, params));
    return combine(w, any ? "any_of" : "all_of", &values);
}

static size_t
write_constraint(Writer *w, const MlcConstraint *c, bool of_type)
{
    c = bare(c);
    switch (c ? (MlcConstraintKind)c->kind : MLC_CONSTRAINT_ANY) {
    case MLC_CONSTRAINT_ANY: {
        size_t value = begin(w);
        mlc_buf_append_c(w->out, "any\n");
        return value;
    }
    case MLC_CONSTRAINT_TYPE_KIND:
        return kinds(w, c, true);
    case MLC_CONSTRAINT_ATTR_KIND:
        return kinds(w, c, false);
    case MLC_CONSTRAINT_INTEGER:
        return integers(w, c);
    case MLC_CONSTRAINT_FLOAT:
        return floats(w, c);
    case MLC_CONSTRAINT_ANY_OF:
    case MLC_CONSTRAINT_ALL_OF:
        return combination(w, c, of_type);
    case MLC_CONSTRAINT_DIALECT_TYPE:
        return base_of_definition(w, '!', c);
    case MLC_CONSTRAINT_DIALECT_ATTR:
        return base_of_definition(w, '#', c);
    case MLC_CONSTRAINT_SAME:
    case MLC_CONSTRAINT_ATTR_SAME:
        return is(w, c->names[0]);
    default:
        return weakened(w, c);
    }
}

// --- types and attributes

static void
write_parametric(Writer *w, char sigil, const char *word, const char *name,
                 const MlcParamDef *params, size_t n)
{
    Values values = {0};
    w->num_values = 0;
    if (is_taken(w->dialect, sigil, name)) {
        mlc_buf_printf(w->out, "  // %s '%s' has the name of another definition\n", word,
                       local_name(name));
        return;
    }
    mlc_buf_printf(w->out, "  irdl.%s ", word);
    symbol(w, local_name(name));
    mlc_buf_append_c(w->out, " {\n");
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&values, write_constraint(w, params[i].constraint, false));
    if (n) {
        mlc_buf_append_c(w->out, "    irdl.parameters(");
        value_list(w, values.data, values.size);
        mlc_buf_append_c(w->out, ")\n");
    }
    mlc_buf_append_c(w->out, "  }\n");
    mlc_vec_release(&values);
}

// --- ops

// Which operand and result groups are of one type: the number of the first such group, operands
// first.
typedef struct Same {
    const MlcOpDef *op;
    Values first;
} Same;

static bool
group_number(const MlcOpDef *op, MlcPlaceRef place, size_t *number)
{
    if (place.place != MLC_PLACE_OPERAND && place.place != MLC_PLACE_RESULT)
        return false;
    *number = place.index + (place.place == MLC_PLACE_RESULT ? op->num_operands : 0u);
    return true;
}

static void
join(Same *same, size_t a, size_t b)
{
    size_t from = same->first.data[a], to = same->first.data[b];
    for (size_t i = 0; i < same->first.size; i++)
        if (same->first.data[i] == (from > to ? from : to))
            same->first.data[i] = from > to ? to : from;
}

static void
find_same(Same *same)
{
    const MlcOpDef *op = same->op;
    size_t n = (size_t)op->num_operands + op->num_results, a, b;
    bool all = mlc_op_def_has_trait(op, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE);
    bool ins = all || mlc_op_def_has_trait(op, MLC_TRAIT_SAME_OPERANDS_TYPE);
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&same->first, i);
    for (size_t i = 1; i < (all ? n : ins ? op->num_operands : 0); i++)
        join(same, 0, i);
    for (size_t r = 0; r < op->num_relations; r++) {
        const MlcRelation *relation = &op->relations[r];
        if (relation->kind == MLC_RELATION_TYPE_OF && group_number(op, relation->to, &a) &&
            group_number(op, relation->from, &b))
            join(same, a, b);
        for (size_t i = 1; relation->kind == MLC_RELATION_SAME_TYPE && i < relation->num_members;
             i++)
            if (group_number(op, relation->members[0], &a) &&
                group_number(op, relation->members[i], &b))
                join(same, a, b);
    }
}

static const MlcConstraint *
constraint_of_group(const MlcOpDef *op, size_t i)
{
    return i < op->num_operands ? op->operands[i].type : op->results[i - op->num_operands].type;
}

// One value for the groups of one type: all of their constraints.
static size_t
write_group(Writer *w, const Same *same, size_t first)
{
    Values values = {0};
    for (size_t i = first; i < same->first.size; i++) {
        const MlcConstraint *c = constraint_of_group(same->op, i);
        bool is_new = same->first.data[i] == first;
        for (size_t k = first; k < i && is_new; k++)
            is_new = same->first.data[k] != first || constraint_of_group(same->op, k) != c;
        if (is_new)
            mlc_vec_push(&values, write_constraint(w, c, true));
    }
    return combine(w, "all_of", &values);
}

static void
write_values(Writer *w, const char *what, const MlcValueDef *groups, size_t n, const size_t *values)
{
    static const char *const words[] = {[MLC_ONE] = "",
                                        [MLC_OPTIONAL] = "optional ",
                                        [MLC_VARIADIC] = "variadic ",
                                        [MLC_VARIADIC_OF_VARIADIC] = "variadic "};
    if (!n)
        return;
    mlc_buf_printf(w->out, "    irdl.%s(", what);
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(w->out, "%s%s%%%zu", i ? ", " : "", words[groups[i].arity], values[i]);
    mlc_buf_append_c(w->out, ")\n");
}

// Those that must be there: IRDL has no others.
static void
write_attributes(Writer *w, const MlcOpDef *op)
{
    MlcBuf list = {0};
    for (size_t i = 0; i < op->num_attrs; i++) {
        const MlcAttrSlot *slot = &op->attrs[i];
        if (slot->optional || slot->default_text) {
            mlc_buf_printf(w->out, "    // attribute '%s' may be left out\n", slot->name);
            continue;
        }
        mlc_buf_printf(&list, "%s\"%s\" = %%%zu", list.size ? ", " : "", slot->name,
                       write_constraint(w, slot->constraint, false));
    }
    if (list.size)
        mlc_buf_printf(w->out, "    irdl.attributes {%s}\n", mlc_buf_c_str(&list));
    mlc_buf_release(&list);
}

// The constraints of a region's arguments: those of single values, `groups`, or types. False if one
// is something else.
static bool
write_args(Writer *w, const MlcOpDef *op, const MlcRegionSignature *s, const size_t *groups,
           Values *args)
{
    for (size_t i = 0; i < s->num_args; i++) {
        const MlcRelation *r = &s->args[i];
        bool is_result = r->from.place == MLC_PLACE_RESULT;
        const MlcValueDef *from = is_result ? op->results : op->operands;
        bool is_group = is_result || r->from.place == MLC_PLACE_OPERAND;
        if (r->kind == MLC_RELATION_EXACTLY)
            mlc_vec_push(args, is(w, r->text));
        else if (r->kind == MLC_RELATION_TYPE_OF && is_group &&
                 from[r->from.index].arity == MLC_ONE)
            mlc_vec_push(args, groups[r->from.index + (is_result ? op->num_operands : 0u)]);
        else
            return false;
    }
    return true;
}

static void
write_region(Writer *w, const MlcOpDef *op, size_t i, const size_t *groups, Values *regions)
{
    const MlcRegionSignature *all = mlc_op_def_interface(op, MLC_INTERFACE_SIGNATURES);
    bool bare = mlc_op_def_has_trait(op, MLC_TRAIT_NO_REGION_ARGUMENTS);
    bool tells = all && all[i].tells_args;
    Values args = {0};
    if (tells && !write_args(w, op, &all[i], groups, &args)) {
        mlc_buf_printf(w->out, "    // which arguments region '%s' has is not said\n",
                       op->regions[i].name);
        tells = false;
    }
    if (all && all[i].tells_yields)
        mlc_buf_printf(w->out, "    // what region '%s' yields is not said\n", op->regions[i].name);
    mlc_vec_push(regions, begin(w));
    mlc_buf_append_c(w->out, "region");
    mlc_buf_append_c(w->out, bare || tells ? "(" : "");
    value_list(w, args.data, tells ? args.size : 0);
    mlc_buf_printf(w->out, "%s%s\n", bare || tells ? ")" : "",
                   op->regions[i].shape == MLC_REGION_SIZED_1 ? " with size 1" : "");
    mlc_vec_release(&args);
}

// `groups`: the constraints of operands, then results.
static void
write_regions(Writer *w, const MlcOpDef *op, const size_t *groups)
{
    Values values = {0};
    for (size_t i = 0; i < op->num_regions; i++) {
        if (op->regions[i].arity != MLC_ONE) {
            mlc_buf_printf(w->out, "    // regions '%s' are any number\n", op->regions[i].name);
            mlc_vec_release(&values);
            return;
        }
        write_region(w, op, i, groups, &values);
    }
    if (values.size) {
        mlc_buf_append_c(w->out, "    irdl.regions(");
        value_list(w, values.data, values.size);
        mlc_buf_append_c(w->out, ")\n");
    }
    mlc_vec_release(&values);
}

static void
write_op(Writer *w, const MlcOpDef *op)
{
    Same same = {.op = op};
    Values values = {0};
    w->num_values = 0;
    mlc_buf_append_c(w->out, "  irdl.operation ");
    symbol(w, local_name(op->name));
    mlc_buf_append_c(w->out, " {\n");
    find_same(&same);
    for (size_t i = 0; i < same.first.size; i++) {
        size_t first = same.first.data[i];
        mlc_vec_push(&values, first < i ? values.data[first] : write_group(w, &same, first));
    }
    write_values(w, "operands", op->operands, op->num_operands, values.data);
    write_values(w, "results", op->results, op->num_results,
                 op->num_results ? values.data + op->num_operands : NULL);
    write_attributes(w, op);
    write_regions(w, op, values.data);
    if (op->num_successors)
        mlc_buf_append_c(w->out, "    // successors are not said\n");
    mlc_buf_append_c(w->out, "  }\n");
    mlc_vec_release(&same.first);
    mlc_vec_release(&values);
}

void
mlc_dialect_to_irdl(const MlcDialectDef *dialect, MlcBuf *irdl)
{
    Writer w = {.out = irdl, .dialect = dialect};
    mlc_buf_append_c(irdl, "irdl.dialect ");
    symbol(&w, dialect->name);
    mlc_buf_append_c(irdl, " {\n");
    for (size_t i = 0; i < dialect->num_types; i++) {
        const MlcTypeDef *def = dialect->types[i];
        write_parametric(&w, '!', "type", def->name, def->params, def->num_params);
    }
    for (size_t i = 0; i < dialect->num_attrs; i++) {
        const MlcAttrDef *def = dialect->attrs[i];
        write_parametric(&w, '#', "attribute", def->name, def->params, def->num_params);
    }
    for (size_t i = 0; i < dialect->num_ops; i++)
        write_op(&w, dialect->ops[i]);
    mlc_buf_append_c(irdl, "}\n");
}
