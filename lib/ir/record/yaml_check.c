// yaml_check.c -- what parts of an op's record ask of each other, once all of it is read.
#include "yaml_check.h"

#include <string.h>

typedef struct Check {
    MlcYamlLoader *l;
    const MlcYaml *node; // the op's
    const MlcOpDef *op;
} Check;

static bool
has_interface(const MlcOpDef *op, MlcInterface id)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == id)
            return true;
    return false;
}

// Attributes that result types follow from are those of ops that infer them.
static void
check_inferring_attrs(const Check *c)
{
    const MlcOpDef *op = c->op;
    for (size_t i = 0; i < op->num_attrs && !has_interface(op, MLC_INTERFACE_INFER_TYPES); i++)
        if (op->attrs[i].infers)
            mlc_yaml_loader_fail(c->l, c->node,
                                 "'%s' infers no types, so its attribute '%s' cannot say 'infers'",
                                 op->name, op->attrs[i].name);
}

// Names of operands, results, attributes, regions and successors share one space, since formats use
// them.
static void
check_unique_names(const Check *c)
{
    const MlcOpDef *op = c->op;
    MlcStrMap seen;
    mlc_str_map_init(&seen, NULL);
    bool is_new = true;
    const char *twice = NULL;
#define ADD(array, count)                                                                          \
    for (size_t i = 0; i < (count); i++) {                                                         \
        mlc_str_map_insert(&seen, mlc_str((array)[i].name), &is_new);                              \
        if (!is_new)                                                                               \
            twice = (array)[i].name;                                                               \
    }
    ADD(op->operands, op->num_operands)
    ADD(op->results, op->num_results)
    ADD(op->attrs, op->num_attrs)
    ADD(op->regions, op->num_regions)
    ADD(op->successors, op->num_successors)
#undef ADD
    if (twice)
        mlc_yaml_loader_fail(c->l, c->node, "'%s' has the name '%s' twice", op->name, twice);
    mlc_str_map_release(&seen);
}

// Where two groups may have any number of values, somebody must say how many each has: a trait, or
// C that verifies the op.
static void
check_sizes(const Check *c, const char *key, const MlcValueDef *groups, size_t n, bool has_sizes,
            const char *trait)
{
    size_t num_free = 0;
    for (size_t i = 0; i < n; i++)
        num_free += groups[i].arity != MLC_ONE;
    if (num_free > 1 && !has_sizes && !mlc_map_has(&c->l->symbols, &c->op->verify))
        mlc_yaml_loader_fail(c->l, mlc_yaml_get(c->node, key),
                             "several of these may be any number: '%s' needs the trait '%s'",
                             c->op->name, trait);
    for (size_t i = 0; i < n; i++) {
        bool found = !groups[i].segments;
        for (size_t k = 0; k < c->op->num_attrs && !found; k++)
            found = strcmp(c->op->attrs[k].name, groups[i].segments) == 0;
        if (!found)
            mlc_yaml_loader_fail(c->l, mlc_yaml_get(c->node, key), "'%s' has no attribute '%s'",
                                 c->op->name, groups[i].segments);
    }
}

static void
check_blocks(const Check *c)
{
    const MlcOpDef *op = c->op;
    for (size_t i = 0; i + 1 < op->num_regions; i++)
        if (op->regions[i].arity != MLC_ONE)
            mlc_yaml_loader_fail(c->l, mlc_yaml_get(c->node, "regions"),
                                 "only the last region may be any number");
    if (op->num_successors && !mlc_op_def_has_trait(op, MLC_TRAIT_TERMINATOR))
        mlc_yaml_loader_fail(c->l, mlc_yaml_get(c->node, "successors"),
                             "'%s' has successors: it needs the trait 'terminator'", op->name);
    const MlcYaml *last = mlc_yaml_get(c->node, "implicit_terminator");
    if (last && !op->num_regions)
        mlc_yaml_loader_fail(c->l, last, "'%s' has no region that this could end", op->name);
}

static void
check_body(const Check *c)
{
    const MlcOpDef *op = c->op;
    const MlcYaml *body = mlc_yaml_get(c->node, "body");
    if (!op->body)
        return;
    bool is_flat = op->num_results == 1 && op->results[0].arity == MLC_ONE;
    for (size_t i = 0; i < op->num_operands; i++)
        is_flat &= op->operands[i].arity == MLC_ONE;
    if (!mlc_op_def_has_trait(op, MLC_TRAIT_ELEMENTWISE))
        mlc_yaml_loader_fail(c->l, body, "'%s' has a body: it needs the trait 'elementwise'",
                             op->name);
    else if (!is_flat)
        mlc_yaml_loader_fail(c->l, body, "a body is of single operands, and gives one result");
}

static void
check_structured_names(const Check *c, const MlcYaml *node)
{
    const MlcStructuredDef *def = c->op->structured;
    size_t n = (size_t)def->num_ins + def->num_outs;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (def->names[i] && def->names[k] && strcmp(def->names[i], def->names[k]) == 0)
                mlc_yaml_loader_fail(c->l, node, "'%s' has the name '%s' twice", c->op->name,
                                     def->names[i]);
}

// "strides[0]", or the attribute alone.
static void
check_symbols(const Check *c, const MlcYaml *node)
{
    const MlcStructuredDef *def = c->op->structured;
    const MlcYaml *list = mlc_yaml_get(node, "symbols");
    for (size_t i = 0; i < def->num_symbols; i++) {
        const char *text = def->symbols[i];
        size_t n = strcspn(text, "["), digits = text[n] ? strspn(text + n + 1, "0123456789") : 0;
        bool ok = !text[n] || (digits && strcmp(text + n + 1 + digits, "]") == 0), found = false;
        for (size_t k = 0; k < c->op->num_attrs; k++)
            found |= mlc_str_equal(mlc_str(c->op->attrs[k].name), mlc_str_n(text, n));
        if (!ok || !found)
            mlc_yaml_loader_fail(c->l, list->items[i],
                                 "'%s' is no element of an attribute of '%s', as 'strides[0]'",
                                 text, c->op->name);
    }
}

static void
check_structured(const Check *c)
{
    const MlcOpDef *op = c->op;
    const MlcStructuredDef *def = op->structured;
    const MlcYaml *node = mlc_yaml_get(c->node, "structured");
    if (!def)
        return;
    if (!def->num_outs)
        mlc_yaml_loader_fail(c->l, node, "a structured op has an output under 'outs'");
    check_structured_names(c, node);
    check_symbols(c, node);
    size_t n = (size_t)def->num_ins + def->num_outs, num_maps = 0;
    for (size_t i = 0; i < n; i++)
        num_maps += def->maps[i] != NULL;
    if (num_maps != (def->num_loops ? n : 0))
        mlc_yaml_loader_fail(c->l, node,
                             def->num_loops ? "every operand needs a map over the loops"
                                            : "maps are over loops, which 'iterators' lists");
}

static const void *
structured_slot(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_STRUCTURED)
            return &op->interfaces[i].methods;
    return NULL;
}

// --- what interfaces are derived from

static bool
has_successor_operands(const MlcOpDef *op)
{
    return op->num_successors && op->num_operands >= op->num_successors;
}

static bool
has_region(const MlcOpDef *op)
{
    return op->num_regions > 0;
}

static bool
has_operand(const MlcOpDef *op)
{
    return op->num_operands > 0 && op->operands[0].arity == MLC_ONE;
}

static bool
has_result(const MlcOpDef *op)
{
    return op->num_results > 0;
}

static bool
is_terminator(const MlcOpDef *op)
{
    return mlc_op_def_has_trait(op, MLC_TRAIT_TERMINATOR);
}

static bool
has_flags(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_attrs; i++)
        if (strncmp(op->attrs[i].name, "fastmath", 8) == 0)
            return true;
    return false;
}

static const struct {
    const char *word, *symbol;
    bool (*is_there)(const MlcOpDef *op);
    const char *what;
} derived_from[] = {
    {"branch", "mlc_derived_branch", has_successor_operands,
     "successors, and a group of operands for each"},
    {"region_branch", "mlc_derived_region_branch", has_region, "regions"},
    {"callable", "mlc_derived_callable", has_region, "a region"},
    {"view_like", "mlc_derived_view_like", has_operand, "a first operand"},
    {"region_terminator", "mlc_derived_region_terminator", is_terminator, "the trait 'terminator'"},
    {"asm_names", "mlc_derived_asm_names", has_result, "results"},
    {"fastmath", "mlc_derived_fastmath", has_flags, "an attribute 'fastmath'"},
};

// The item of `interfaces` that is to be derived as `word`; NULL: nobody wrote it.
static const MlcYaml *
derived_item(const Check *c, const char *word)
{
    MLC_YAML_FOR_EACH (item, mlc_yaml_get(c->node, "interfaces")) {
        const MlcYaml *key = mlc_yaml_is_mapping(item) && item->num_items ? item->keys[0] : item;
        if (mlc_str_equal(mlc_yaml_as_str(key, ""), mlc_str(word)))
            return item;
    }
    return NULL;
}

static void
check_derived(const Check *c)
{
    for (size_t i = 0; i < c->op->num_interfaces; i++) {
        const void *slot = &c->op->interfaces[i].methods;
        const char *symbol = mlc_map_get(&c->l->symbols, slot);
        bool is_own = mlc_map_has(&c->l->nodes, slot);
        for (size_t k = 0; symbol && !is_own && k < sizeof derived_from / sizeof *derived_from;
             k++) {
            const char *word = derived_from[k].word;
            bool is_wrong = strcmp(symbol, derived_from[k].symbol) == 0 &&
                            !derived_from[k].is_there(c->op) && derived_item(c, word);
            if (is_wrong)
                mlc_yaml_loader_fail(c->l, derived_item(c, word),
                                     "'%s' is derived from %s, which '%s' has not", word,
                                     derived_from[k].what, c->op->name);
        }
    }
}

// A vtable of one's own, or what is derived.
static void
check_interfaces(const Check *c)
{
    const MlcOpDef *op = c->op;
    for (size_t i = 0; i < op->num_interfaces; i++)
        for (size_t k = 0; k < i; k++)
            if (op->interfaces[i].id == op->interfaces[k].id)
                mlc_yaml_loader_fail(c->l, mlc_yaml_get(c->node, "interfaces"),
                                     "'%s' has an interface twice", op->name);
    if (structured_slot(op) && !op->structured && !mlc_map_has(&c->l->nodes, structured_slot(op)))
        mlc_yaml_loader_fail(c->l, c->node,
                             "'%s' is to be structured: it needs the key 'structured'", op->name);
}

static void
check_result_name(const Check *c)
{
    const char *name = c->op->result_name;
    if (name && (!*name || strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_$.-") != strlen(name)))
        mlc_yaml_loader_fail(c->l, mlc_yaml_get(c->node, "result_name"),
                             "'%s' is no name of a value", name);
}

void
mlc_yaml_check_op(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op)
{
    const Check check = {l, node, op}, *c = &check;
    check_inferring_attrs(c);
    check_unique_names(c);
    check_sizes(c, "operands", op->operands, op->num_operands,
                mlc_op_def_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS), "attr_sized_operands");
    check_sizes(c, "results", op->results, op->num_results,
                mlc_op_def_has_trait(op, MLC_TRAIT_ATTR_SIZED_RESULTS), "attr_sized_results");
    check_blocks(c);
    check_body(c);
    check_structured(c);
    check_interfaces(c);
    check_derived(c);
    check_result_name(c);
}

void
mlc_yaml_check_params(MlcYamlLoader *l, const MlcParamDef *params, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(params[i].name, params[k].name) == 0)
                mlc_yaml_loader_fail(l, mlc_map_get(&l->nodes, &params[i]),
                                     "parameter '%s' is defined twice", params[i].name);
}

void
mlc_yaml_check_cases(MlcYamlLoader *l, const MlcYaml *cases, const MlcAttrDef *def)
{
    unsigned width = def->enum_width;
    int64_t low = width < 64 ? -(INT64_C(1) << (width - 1)) : INT64_MIN,
            high = width < 64 ? (int64_t)((UINT64_C(1) << width) - 1) : INT64_MAX;
    for (size_t i = 0; i < def->num_cases; i++) {
        const MlcEnumCase *one = &def->cases[i];
        if (one->value < low || one->value > high)
            mlc_yaml_loader_fail(l, cases->items[i], "%u bits do not hold %lld", width,
                                 (long long)one->value);
        for (size_t k = 0; k < i && !def->is_bit_enum; k++)
            if (def->cases[k].value == one->value)
                mlc_yaml_loader_fail(l, cases->items[i], "cases '%s' and '%s' have one value",
                                     def->cases[k].name, one->name);
    }
}

// The names of files under one key: one, or a list of them.
static void
check_files(MlcYamlLoader *l, const MlcYaml *node, const char *key, bool is_list)
{
    if (node && (!mlc_yaml_is_sequence(node) || !is_list)) {
        if (!mlc_yaml_is_scalar(node) || !node->text.size)
            mlc_yaml_loader_fail(l, node, "expected the name of a %s under '%s'",
                                 strcmp(key, "tests") == 0 ? "folder" : "file", key);
        return;
    }
    for (size_t i = 0; node && i < node->num_items; i++) {
        const MlcYaml *item = node->items[i];
        if (!mlc_yaml_is_scalar(item) || !item->text.size)
            mlc_yaml_loader_fail(l, item, "expected the name of a file");
        for (size_t k = 0; k < i; k++)
            if (mlc_yaml_is_scalar(item) && mlc_str_equal(item->text, node->items[k]->text)) {
                mlc_yaml_loader_fail(l, item, "'%s' is named twice", item->text.data);
                break;
            }
    }
}

void
mlc_yaml_check_package(MlcYamlLoader *l, const MlcYaml *package)
{
    static const char *const keys[] = {"dialects", "rules", "plugin", "tests", NULL};
    if (package)
        mlc_yaml_loader_check_keys(l, package, "package", keys);
    for (size_t i = 0; keys[i]; i++)
        check_files(l, mlc_yaml_get(package, keys[i]), keys[i], i < 2);
}
