// irdl_to_yaml.c -- definitions in IRDL as mlc's YAML.
//
// A constraint becomes a constraint of YAML where it is used. One that is used twice, and does not
// leave one choice anyhow, also says that both are one type: a relation between the two places.
#include "builtin_names.h"
#include "mlc/dialects/irdl_groups.h"
#include "mlc/frontend/irdl.h"
#include "mlc/ir.h"
#include "mlc/support/arena.h"

// Uses of constraints by constraints that are followed for one op: those of texts that people write
// are a few, those of texts made to grow double with each line.
enum { MAX_STEPS = 10000, MAX_DEPTH = 64 };

typedef struct Writer {
    MlcBuf *out;
    MlcArena arena;
    MlcOp *definition; // that is written
    MlcStrMap uses;    // dialects whose definitions are named
    size_t num_steps;
    bool failed; // in this definition
    bool any_failed;
} Writer;

static bool
cannot_say(Writer *w, MlcOp *op, const char *what)
{
    w->failed = w->any_failed = true;
    return mlc_op_error(op, "YAML cannot say %s", what);
}

// True while the constraints followed are as many as anyone needs.
static bool
step(Writer *w, MlcOp *op, unsigned depth)
{
    if (++w->num_steps < MAX_STEPS && depth < MAX_DEPTH)
        return true;
    if (!w->failed)
        mlc_op_error(op, "constraints are nested too deeply, or use each other too often");
    w->failed = w->any_failed = true;
    return false;
}

static void
quote(Writer *w, const char *text)
{
    mlc_buf_append_char(w->out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            mlc_buf_append_char(w->out, '\\');
        mlc_buf_append_char(w->out, *text);
    }
    mlc_buf_append_char(w->out, '"');
}

// --- constraints

static MlcOp *
dialect_of(MlcOp *definition)
{
    return mlc_op_parent_of_kind(definition, &mlc_irdl_dialect_def);
}

// The name of a definition as YAML has it: with its dialect where it is of another one.
static const char *
name_of(Writer *w, MlcOp *definition)
{
    MlcStr dialect = mlc_symbol_name(dialect_of(definition)), name = mlc_symbol_name(definition);
    if (mlc_str_equal(dialect, mlc_symbol_name(dialect_of(w->definition))))
        return name.data;
    mlc_str_map_set(&w->uses, dialect, "");
    return mlc_arena_printf(&w->arena, "%s.%s", dialect.data, name.data).data;
}

static MlcOp *
parameters_of(MlcOp *definition)
{
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(definition, 0)))
        if (mlc_irdl_parameters_isa(op))
            return op;
    return NULL;
}

static size_t
num_params(MlcOp *definition)
{
    MlcOp *params = parameters_of(definition);
    return params ? mlc_op_num_operands(params) : 0;
}

// `of_type`: of a value's type; else of an attribute, which may hold a type.
static void write_constraint(Writer *w, MlcValue *value, bool of_type, unsigned depth);

static void
write_list(Writer *w, const char *key, MlcOp *op, bool of_type, unsigned depth)
{
    mlc_buf_printf(w->out, "%s: [", key);
    for (size_t i = 0; i < mlc_op_num_operands(op) && !w->failed; i++) {
        mlc_buf_append_c(w->out, i ? ", " : "");
        write_constraint(w, mlc_op_operand(op, i), of_type, depth + 1);
    }
    mlc_buf_append_char(w->out, ']');
}

// A name of types, of an operand or of the type that an attribute holds.
static void
write_type_name(Writer *w, const char *name, bool of_type)
{
    mlc_buf_printf(w->out, of_type ? "%s" : "{all_of: [type_attr], attr_type: %s}", name);
}

static void
write_is(Writer *w, MlcOp *op, bool of_type)
{
    MlcAttr expected = mlc_irdl_is_expected(op);
    bool is_type = mlc_attr_is(expected, MLC_ATTR_TYPE);
    if (of_type && !is_type) {
        cannot_say(w, op, "that a value's type is an attribute");
        return;
    }
    mlc_buf_append_c(w->out, of_type ? "{exactly: " : "{attr_exactly: ");
    quote(w, mlc_attr_text(expected));
    mlc_buf_append_char(w->out, '}');
}

static void
write_named_base(Writer *w, MlcOp *op, MlcStr name, bool of_type)
{
    MlcContext *ctx = mlc_op_context(op);
    const MlcIrdlBuiltin *builtin = mlc_irdl_builtin_named(name);
    MlcStr rest = mlc_str_n(name.data + 1, name.size - 1);
    bool is_type = name.data[0] == '!';
    if (of_type && !is_type) {
        cannot_say(w, op, "that a value's type is an attribute");
    } else if (builtin) {
        if (is_type)
            write_type_name(w, builtin->yaml, of_type);
        else
            mlc_buf_append_c(w->out, builtin->yaml);
    } else if (is_type ? !mlc_context_type(ctx, rest) : !mlc_context_attr(ctx, rest)) {
        w->failed = w->any_failed = true;
        mlc_op_error(op, "no %s is registered under the name '%s'", is_type ? "type" : "attribute",
                     rest.data);
    } else {
        size_t size = (size_t)((const char *)memchr(rest.data, '.', rest.size) - rest.data);
        mlc_str_map_set(&w->uses, mlc_str_n(rest.data, size), "");
        if (is_type)
            write_type_name(w, rest.data, of_type);
        else
            mlc_buf_append_c(w->out, rest.data);
    }
}

// The types or attributes of a definition, with parameters as `op` says if it is parametric.
static void
write_definition(Writer *w, MlcOp *op, MlcAttr symbol, bool of_type, unsigned depth)
{
    MlcOp *definition = mlc_irdl_definition(op, symbol);
    bool is_type = mlc_irdl_type_isa(definition);
    bool has_params = mlc_irdl_parametric_isa(op);
    if (of_type && !is_type) {
        cannot_say(w, op, "that a value's type is an attribute");
        return;
    }
    if (has_params && mlc_op_num_operands(op) != num_params(definition)) {
        w->failed = w->any_failed = true;
        mlc_op_error(op, "'%s' has %zu parameters, and here are %zu",
                     mlc_symbol_name(definition).data, num_params(definition),
                     mlc_op_num_operands(op));
        return;
    }
    bool in_attr = is_type && !of_type;
    if (in_attr)
        mlc_buf_append_c(w->out, "{all_of: [type_attr], attr_type: ");
    if (has_params && mlc_op_num_operands(op)) {
        mlc_buf_printf(w->out, "{all_of: [%s], ", name_of(w, definition));
        write_list(w, "parameters", op, false, depth);
        mlc_buf_append_char(w->out, '}');
    } else {
        mlc_buf_append_c(w->out, name_of(w, definition));
    }
    if (in_attr)
        mlc_buf_append_char(w->out, '}');
}

static void
write_constraint(Writer *w, MlcValue *value, bool of_type, unsigned depth)
{
    MlcOp *op = mlc_value_def(value);
    if (!step(w, op, depth))
        return;
    if (mlc_irdl_any_isa(op)) {
        mlc_buf_append_c(w->out, of_type ? "any_type" : "any_attr");
    } else if (mlc_irdl_is_isa(op)) {
        write_is(w, op, of_type);
    } else if (mlc_irdl_base_isa(op) && mlc_irdl_base_base_name(op)) {
        write_named_base(w, op, mlc_string_attr_value(mlc_irdl_base_base_name(op)), of_type);
    } else if (mlc_irdl_base_isa(op)) {
        write_definition(w, op, mlc_irdl_base_base_ref(op), of_type, depth);
    } else if (mlc_irdl_parametric_isa(op)) {
        write_definition(w, op, mlc_irdl_parametric_base_type(op), of_type, depth);
    } else if (mlc_irdl_any_of_isa(op) || mlc_irdl_all_of_isa(op)) {
        mlc_buf_append_char(w->out, '{');
        write_list(w, mlc_irdl_any_of_isa(op) ? "any_of" : "all_of", op, of_type, depth);
        mlc_buf_append_char(w->out, '}');
    } else {
        cannot_say(w, op, "what it means: a predicate in C++, or no constraint");
    }
}

// --- what is one type

// Where a constraint holds: an operand group, a result group or an attribute, or a parameter of the
// type there.
typedef struct Place {
    const char *name;  // NULL: nowhere
    const char *param; // NULL: the whole
    bool is_attr;
    bool is_choice; // or elsewhere: it is a choice of any_of
    bool is_deep;   // a parameter of a parameter
} Place;

static Place place_of_value(Writer *w, MlcValue *value, unsigned depth);

static Place
place_of_use(Writer *w, MlcOp *user, size_t i, unsigned depth)
{
    if (!step(w, user, depth))
        return (Place){0};
    const char *group = mlc_irdl_operands_isa(user)     ? "operand"
                        : mlc_irdl_results_isa(user)    ? "result"
                        : mlc_irdl_parameters_isa(user) ? "parameter"
                                                        : NULL;
    if (group)
        return (Place){.name = mlc_arena_printf(&w->arena, "%s%zu", group, i).data};
    if (mlc_irdl_attributes_isa(user)) {
        MlcAttr names = mlc_irdl_attributes_attribute_value_names(user);
        return (Place){.name = mlc_string_attr_value(mlc_array_attr_element(names, i)).data,
                       .is_attr = true};
    }
    if (mlc_op_num_results(user) == 0 || mlc_irdl_region_isa(user))
        return (Place){0}; // regions are told apart
    Place place = place_of_value(w, mlc_op_result(user, 0), depth + 1);
    if (mlc_irdl_parametric_isa(user)) {
        place.is_deep = place.param != NULL;
        place.param = mlc_arena_printf(&w->arena, "parameter%zu", i).data;
    }
    place.is_choice |= mlc_irdl_any_of_isa(user);
    return place;
}

static Place
place_of_value(Writer *w, MlcValue *value, unsigned depth)
{
    MLC_FOR_EACH_USE (use, value) {
        Place place = place_of_use(w, mlc_use_owner(use), mlc_use_index(use), depth);
        if (place.name)
            return place;
    }
    return (Place){0};
}

// Whether one type or attribute at most satisfies it.
static bool
has_one_choice(Writer *w, MlcValue *value, unsigned depth)
{
    MlcOp *op = mlc_value_def(value);
    if (mlc_irdl_is_isa(op) || !step(w, op, depth))
        return true;
    if (mlc_irdl_base_isa(op) && mlc_irdl_base_base_ref(op))
        return num_params(mlc_irdl_definition(op, mlc_irdl_base_base_ref(op))) == 0;
    bool all = mlc_irdl_parametric_isa(op), any = false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        bool one = has_one_choice(w, mlc_op_operand(op, i), depth + 1);
        all = all && one;
        any = any || one;
    }
    return all || (mlc_irdl_all_of_isa(op) && any);
}

static bool
is_group(MlcOp *user, size_t i)
{
    return (mlc_irdl_operands_isa(user) || mlc_irdl_results_isa(user)) &&
           mlc_irdl_variadicity_of(user, i) == MLC_IRDL_VARIADICITY_VARIADIC;
}

typedef struct Places {
    MLC_VEC(Place) all;
    bool has_type, has_attr, has_group;
} Places;

static void
collect_places(Writer *w, MlcValue *value, Places *places)
{
    MLC_FOR_EACH_USE (use, value) {
        Place place = place_of_use(w, mlc_use_owner(use), mlc_use_index(use), 0);
        if (!place.name)
            continue;
        mlc_vec_push(&places->all, place);
        places->has_type |= !place.is_attr && !place.param;
        places->has_attr |= place.is_attr;
        places->has_group |= is_group(mlc_use_owner(use), mlc_use_index(use));
    }
}

static void
append_relation(Writer *w, MlcBuf *relations, const char *text)
{
    mlc_buf_append_c(relations, relations->size ? ", " : "");
    MlcBuf *out = w->out;
    w->out = relations;
    quote(w, text);
    w->out = out;
}

// "same(a, b)" of whole types, and of parameters; a parameter that is a whole type elsewhere gives
// it: "a = b.parameter0".
static void
relate(Writer *w, const Places *places, MlcBuf *relations)
{
    MlcBuf whole = {0}, parts = {0}, one = {0};
    const Place *first = NULL;
    size_t num_whole = 0, num_parts = 0;
    for (size_t i = 0; i < places->all.size; i++) {
        const Place *p = &places->all.data[i];
        if (!p->param) {
            mlc_buf_printf(&whole, "%s%s", num_whole++ ? ", " : "same(", p->name);
            first = first && (p->is_attr || !first->is_attr) ? first : p;
        } else {
            mlc_buf_printf(&parts, "%s%s.%s", num_parts++ ? ", " : "same(", p->name, p->param);
        }
    }
    mlc_buf_append_char(&whole, ')');
    mlc_buf_append_char(&parts, ')');
    if (num_whole > 1 || places->has_group)
        append_relation(w, relations, mlc_buf_c_str(&whole));
    if (num_parts > 1)
        append_relation(w, relations, mlc_buf_c_str(&parts));
    for (size_t i = 0; i < places->all.size && first; i++) {
        const Place *p = &places->all.data[i];
        if (!p->param)
            continue;
        one.size = 0;
        mlc_buf_printf(&one, "%s = %s.%s", first->name, p->name, p->param);
        append_relation(w, relations, mlc_buf_c_str(&one));
        break; // the others are the same
    }
    mlc_buf_release(&whole);
    mlc_buf_release(&parts);
    mlc_buf_release(&one);
}

static void
relate_uses(Writer *w, MlcOp *constraint, MlcBuf *relations)
{
    Places places = {0};
    collect_places(w, mlc_op_result(constraint, 0), &places);
    bool is_one = places.all.size > 1 || places.has_group;
    if (is_one && !has_one_choice(w, mlc_op_result(constraint, 0), 0)) {
        bool wrong = places.has_attr && !places.has_type;
        for (size_t i = 0; i < places.all.size; i++)
            wrong |= places.all.data[i].is_deep || places.all.data[i].is_choice;
        if (wrong || mlc_irdl_type_isa(w->definition) || mlc_irdl_attribute_isa(w->definition))
            cannot_say(w, constraint,
                       "that one constraint holds for two attributes, for two parameters of a "
                       "definition, in a choice or below a parameter");
        else
            relate(w, &places, relations);
    }
    mlc_vec_release(&places.all);
}

static void
write_relations(Writer *w)
{
    MlcBuf relations = {0};
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(w->definition, 0)))
        if (mlc_op_num_results(op) == 1 && !mlc_irdl_region_isa(op) && !w->failed)
            relate_uses(w, op, &relations);
    if (relations.size)
        mlc_buf_printf(w->out, "    relations: [%s]\n", mlc_buf_c_str(&relations));
    mlc_buf_release(&relations);
}

// --- definitions

static void
write_definition_head(Writer *w, MlcOp *definition)
{
    w->definition = definition;
    w->num_steps = 0;
    w->failed = false;
    mlc_buf_append_c(w->out, "  - name: ");
    quote(w, mlc_symbol_name(definition).data);
    mlc_buf_append_c(w->out, "\n");
}

static void
write_type(Writer *w, MlcOp *definition)
{
    write_definition_head(w, definition);
    MlcOp *params = parameters_of(definition);
    size_t n = num_params(definition);
    for (size_t i = 0; i < n; i++) {
        mlc_buf_printf(w->out,
                       "%s      - {name: parameter%zu, type: ", i ? "" : "    parameters:\n", i);
        write_constraint(w, mlc_op_operand(params, i), false, 0);
        mlc_buf_append_c(w->out, "}\n");
    }
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(w->out, "%s$parameter%zu%s", i ? " `,` " : "    format: \"`<` ", i,
                       i + 1 == n ? " `>`\"\n" : "");
    MlcBuf relations = {0};
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(definition, 0)))
        if (mlc_op_num_results(op) == 1 && !w->failed)
            relate_uses(w, op, &relations);
    mlc_buf_release(&relations);
}

static void
write_values(Writer *w, const char *key, const char *name, MlcOp *values)
{
    static const char *const arities[] = {
        [MLC_IRDL_VARIADICITY_SINGLE] = "",
        [MLC_IRDL_VARIADICITY_OPTIONAL] = ", arity: optional",
        [MLC_IRDL_VARIADICITY_VARIADIC] = ", arity: variadic",
    };
    for (size_t i = 0; i < mlc_op_num_operands(values) && !w->failed; i++) {
        if (i == 0)
            mlc_buf_printf(w->out, "    %s:\n", key);
        mlc_buf_printf(w->out, "      - {name: %s%zu, type: ", name, i);
        write_constraint(w, mlc_op_operand(values, i), true, 0);
        mlc_buf_printf(w->out, "%s}\n", arities[mlc_irdl_variadicity_of(values, i)]);
    }
}

static void
write_attributes(Writer *w, MlcOp *attributes)
{
    MlcAttr names = mlc_irdl_attributes_attribute_value_names(attributes);
    for (size_t i = 0; i < mlc_op_num_operands(attributes) && !w->failed; i++) {
        mlc_buf_append_c(w->out, i ? "      - {name: " : "    attributes:\n      - {name: ");
        quote(w, mlc_string_attr_value(mlc_array_attr_element(names, i)).data);
        mlc_buf_append_c(w->out, ", type: ");
        write_constraint(w, mlc_op_operand(attributes, i), false, 0);
        mlc_buf_append_c(w->out, "}\n");
    }
}

// The argument of a region: of an operand's or result's type, or a type.
static void
write_arg(Writer *w, MlcOp *region, MlcValue *value)
{
    Place place = place_of_value(w, value, 0);
    MlcOp *constraint = mlc_value_def(value);
    MlcAttr type = mlc_irdl_is_isa(constraint) ? mlc_irdl_is_expected(constraint) : NULL;
    bool is_value = place.name && !place.is_attr && !place.is_choice && !place.param;
    MLC_FOR_EACH_USE (use, value)
        is_value = is_value && !is_group(mlc_use_owner(use), mlc_use_index(use));
    if (type && mlc_attr_is(type, MLC_ATTR_TYPE))
        quote(w, mlc_type_text(mlc_type_attr_value(type)));
    else if (is_value)
        mlc_buf_append_c(w->out, place.name);
    else
        cannot_say(w, region, "which arguments a region has, but those of a value's type");
}

// `()` alone is a trait where it is so of all regions.
static void
write_args(Writer *w, MlcOp *region, bool all_bare)
{
    if (!mlc_irdl_region_constrained_arguments(region) || all_bare)
        return;
    mlc_buf_append_c(w->out, ", args: [");
    for (size_t i = 0; i < mlc_op_num_operands(region) && !w->failed; i++) {
        mlc_buf_append_c(w->out, i ? ", " : "");
        write_arg(w, region, mlc_op_operand(region, i));
    }
    mlc_buf_append_c(w->out, "]");
}

// True if no region may have arguments.
static bool
write_regions(Writer *w, MlcOp *regions)
{
    size_t num_bare = 0, n = mlc_op_num_operands(regions);
    for (size_t i = 0; i < n; i++) {
        MlcOp *region = mlc_value_def(mlc_op_operand(regions, i));
        num_bare += mlc_irdl_region_constrained_arguments(region) && !mlc_op_num_operands(region);
    }
    for (size_t i = 0; i < n && !w->failed; i++) {
        MlcOp *region = mlc_value_def(mlc_op_operand(regions, i));
        MlcAttr blocks = mlc_irdl_region_number_of_blocks(region);
        int64_t num_blocks = 1;
        if (blocks && mlc_attr_try_as_int(blocks, &num_blocks) && num_blocks != 1)
            cannot_say(w, region, "how many blocks a region has, above one");
        mlc_buf_printf(w->out, "%s      - {name: region%zu%s", i ? "" : "    regions:\n", i,
                       blocks ? ", shape: sized_1" : "");
        write_args(w, region, num_bare == n);
        mlc_buf_append_c(w->out, "}\n");
    }
    return n && num_bare == n;
}

static size_t
num_open_groups(MlcOp *values)
{
    size_t n = 0;
    for (size_t i = 0; i < mlc_op_num_operands(values); i++)
        n += mlc_irdl_variadicity_of(values, i) != MLC_IRDL_VARIADICITY_SINGLE;
    return n;
}

static void
write_op(Writer *w, MlcOp *definition)
{
    MlcBuf traits = {0};
    write_definition_head(w, definition);
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(definition, 0))) {
        bool operands = mlc_irdl_operands_isa(op);
        if (operands || mlc_irdl_results_isa(op)) {
            write_values(w, operands ? "operands" : "results", operands ? "operand" : "result", op);
            if (num_open_groups(op) > 1)
                mlc_buf_printf(&traits, "%sattr_sized_%s", traits.size ? ", " : "",
                               operands ? "operands" : "results");
        } else if (mlc_irdl_attributes_isa(op)) {
            write_attributes(w, op);
        } else if (mlc_irdl_regions_isa(op) && write_regions(w, op)) {
            mlc_buf_printf(&traits, "%sno_region_arguments", traits.size ? ", " : "");
        }
    }
    if (traits.size)
        mlc_buf_printf(w->out, "    traits: [%s]\n", mlc_buf_c_str(&traits));
    mlc_buf_release(&traits);
    write_relations(w);
}

static void
write_section(Writer *w, MlcOp *dialect, const char *key, const MlcOpDef *kind,
              void (*write)(Writer *w, MlcOp *definition))
{
    bool is_first = true;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(dialect, 0))) {
        if (!mlc_op_isa(op, kind))
            continue;
        if (is_first)
            mlc_buf_printf(w->out, "%s:\n", key);
        is_first = false;
        write(w, op);
    }
}

bool
mlc_irdl_to_yaml(MlcOp *dialect, MlcBuf *yaml)
{
    MlcBuf body = {0};
    Writer w = {.out = &body};
    write_section(&w, dialect, "types", &mlc_irdl_type_def, write_type);
    write_section(&w, dialect, "attributes", &mlc_irdl_attribute_def, write_type);
    write_section(&w, dialect, "ops", &mlc_irdl_operation_def, write_op);
    if (!w.any_failed) {
        w.out = yaml;
        mlc_buf_append_c(yaml, "dialect:\n  name: ");
        quote(&w, mlc_symbol_name(dialect).data);
        const char *separator = "\n  uses: [";
        MLC_STR_MAP_FOR_EACH (entry, &w.uses) {
            mlc_buf_append_c(yaml, separator);
            mlc_buf_append_str(yaml, entry->key);
            separator = ", ";
        }
        mlc_buf_append_c(yaml, mlc_str_map_size(&w.uses) ? "]\n" : "\n");
        mlc_buf_append_str(yaml, mlc_buf_str(&body));
    }
    mlc_buf_release(&body);
    mlc_str_map_release(&w.uses);
    mlc_arena_release(&w.arena);
    return !w.any_failed;
}
