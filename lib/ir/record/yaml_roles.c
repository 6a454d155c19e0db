// yaml_roles.c -- `access` and `loop` of an op in dialect YAML: names of its operands, results and
// attributes to their numbers, each of the kind that it must be.
#include "yaml_roles.h"

typedef struct Reader {
    MlcYamlLoader *l;
    const MlcYaml *node; // the mapping
    const MlcOpDef *op;
} Reader;

// What `key` names; NULL if nothing is said.
static const MlcYaml *
name_at(const Reader *r, const char *key)
{
    const MlcYaml *name = mlc_yaml_get(r->node, key);
    if (name && !mlc_yaml_is_scalar(name)) {
        mlc_yaml_loader_fail(r->l, name, "expected a name under '%s'", key);
        return NULL;
    }
    return name;
}

// 1 + the number of the group called so; 0: none is.
static uint8_t
find(const MlcYaml *name, const MlcValueDef *groups, size_t num_groups)
{
    for (size_t i = 0; i < num_groups && i < UINT8_MAX; i++)
        if (mlc_str_equal(name->text, mlc_str(groups[i].name)))
            return (uint8_t)(i + 1);
    return 0;
}

// 1 + the attribute called so; 0: none is.
static uint8_t
find_attr(const MlcYaml *name, const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_attrs && i < UINT8_MAX; i++)
        if (mlc_str_equal(name->text, mlc_str(op->attrs[i].name)))
            return (uint8_t)(i + 1);
    return 0;
}

// 1 + an operand group; 0 after a fault, and where nothing is said.
static uint8_t
read_operand(const Reader *r, const char *key, const char *owner, bool is_many)
{
    const MlcYaml *name = name_at(r, key);
    if (!name)
        return 0;
    uint8_t found = find(name, r->op->operands, r->op->num_operands);
    if (!found)
        return mlc_yaml_loader_fail(r->l, name, "'%s' is no operand of '%s'", name->text.data,
                                    r->op->name);
    uint8_t arity = r->op->operands[found - 1].arity;
    bool is_mask = strcmp(key, "mask") == 0;
    if (is_many && arity != MLC_VARIADIC)
        return mlc_yaml_loader_fail(r->l, name, "'%s' of %s is any number of operands", key, owner);
    if (!is_many && arity != MLC_ONE && !(is_mask && arity == MLC_OPTIONAL))
        return mlc_yaml_loader_fail(r->l, name, "'%s' of %s is one operand", key, owner);
    return found;
}

static uint8_t
read_required(const Reader *r, const char *key, bool is_many)
{
    if (!mlc_yaml_get(r->node, key))
        mlc_yaml_loader_fail(r->l, r->node, "the access has no '%s'", key);
    return read_operand(r, key, "an access", is_many);
}

// An operand is written, a result was read.
static void
read_moved(const Reader *r, MlcMemoryAccess *access)
{
    const MlcYaml *name = name_at(r, "value");
    if (!name)
        return;
    uint8_t result = find(name, r->op->results, r->op->num_results);
    access->is_write = !result;
    access->value = result ? result : find(name, r->op->operands, r->op->num_operands);
    if (!access->value) {
        mlc_yaml_loader_fail(r->l, name, "'%s' is no operand or result of '%s'", name->text.data,
                             r->op->name);
        return;
    }
    const MlcValueDef *groups = result ? r->op->results : r->op->operands;
    if (groups[access->value - 1].arity != MLC_ONE)
        mlc_yaml_loader_fail(r->l, name, "'value' of an access is one operand or result");
}

static bool
is_of_kind(const MlcConstraint *c, MlcAttrKind kind)
{
    bool is_kind = c && c->kind == MLC_CONSTRAINT_ATTR_KIND && c->a == INT64_C(1) << kind;
    for (size_t i = 0; c && c->kind == MLC_CONSTRAINT_ALL_OF && i < c->num_args; i++)
        is_kind |= is_of_kind(c->args[i], kind);
    return is_kind;
}

// 1 + an attribute of the kind, which is always there.
static uint8_t
read_attr(const Reader *r, const char *key, MlcAttrKind kind, const char *what)
{
    const MlcYaml *name = name_at(r, key);
    uint8_t slot = name ? find_attr(name, r->op) : 0;
    if (name && !slot)
        mlc_yaml_loader_fail(r->l, name, "'%s' is no attribute of '%s'", name->text.data,
                             r->op->name);
    if (!slot)
        return 0;
    const MlcAttrSlot *attr = &r->op->attrs[slot - 1];
    if (!is_of_kind(attr->constraint, kind) || attr->optional || attr->default_text)
        return mlc_yaml_loader_fail(r->l, name, "'%s' of an access is %s that is always there", key,
                                    what);
    return slot;
}

const MlcMemoryAccess *
mlc_yaml_read_access(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op, bool tells_effects)
{
    static const char *const keys[] = {"memref",      "indices",   "value", "mask", "map",
                                       "permutation", "in_bounds", "twin",  NULL};
    if (!mlc_yaml_loader_check_keys(l, node, "access", keys))
        return NULL;
    const Reader reader = {.l = l, .node = node, .op = op}, *r = &reader;
    size_t faults = l->num_faults;
    MlcMemoryAccess *access = MLC_NEW(l->arena, MlcMemoryAccess);
    uint8_t memref = read_required(r, "memref", false), indices = read_required(r, "indices", true);
    read_moved(r, access);
    access->mask = read_operand(r, "mask", "an access", false);
    access->map = read_attr(r, "map", MLC_ATTR_AFFINE_MAP, "an affine map");
    access->permutation = read_attr(r, "permutation", MLC_ATTR_AFFINE_MAP, "an affine map");
    access->in_bounds = read_attr(r, "in_bounds", MLC_ATTR_ARRAY, "an array");
    const MlcYaml *twin = name_at(r, "twin");
    access->twin = twin ? twin->text.data : NULL;
    if (l->num_faults > faults)
        return NULL;
    access->memref = (uint8_t)(memref - 1);
    access->indices = (uint8_t)(indices - 1);
    MlcValueDef *accessed = (MlcValueDef *)&op->operands[access->memref];
    if (access->value && !tells_effects)
        accessed->effects |= access->is_write ? MLC_EFFECT_WRITE : MLC_EFFECT_READ;
    return access;
}

static const char *
twin_of(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_ACCESS)
            return ((const MlcMemoryAccess *)op->interfaces[i].methods)->twin;
    return NULL;
}

void
mlc_yaml_check_twins(MlcYamlLoader *l)
{
    const MlcDialectDef *d = l->dialect;
    size_t n = strlen(d->name);
    for (size_t i = 0; i < d->num_ops; i++) {
        const char *twin = twin_of(d->ops[i]);
        bool found = !twin || strncmp(twin, d->name, n) != 0 || twin[n] != '.';
        for (size_t k = 0; k < d->num_ops && !found; k++)
            found = strcmp(d->ops[k]->name, twin) == 0;
        const MlcYaml *node = mlc_map_get(&l->nodes, d->ops[i]);
        if (!found)
            mlc_yaml_loader_fail(l, mlc_yaml_get(mlc_yaml_get(node, "access"), "twin"),
                                 "there is no op '%s'", twin);
    }
}

// --- loops

// Any number of values, else one; false after a fault, or if nothing is said.
static bool
read_operands_of_bound(const Reader *r, const MlcYaml *name, MlcLoopBound *bound, bool *is_many)
{
    bound->operands = find(name, r->op->operands, r->op->num_operands);
    if (!bound->operands)
        return false;
    uint8_t arity = r->op->operands[bound->operands - 1].arity;
    *is_many = arity == MLC_VARIADIC;
    return *is_many || arity == MLC_ONE ||
           mlc_yaml_loader_fail(r->l, name, "a loop's bound is one operand, or any number");
}

static bool
read_attr_of_bound(const Reader *r, const MlcYaml *name, MlcLoopBound *bound, bool *is_many)
{
    bound->attr = find_attr(name, r->op);
    if (!bound->attr)
        return mlc_yaml_loader_fail(r->l, name, "'%s' is no operand or attribute of '%s'",
                                    name->text.data, r->op->name);
    const MlcAttrSlot *attr = &r->op->attrs[bound->attr - 1];
    *is_many = is_of_kind(attr->constraint, MLC_ATTR_DENSE_ARRAY);
    bool is_known = *is_many || is_of_kind(attr->constraint, MLC_ATTR_AFFINE_MAP) ||
                    is_of_kind(attr->constraint, MLC_ATTR_INTEGER);
    return (is_known && !attr->optional && !attr->default_text) ||
           mlc_yaml_loader_fail(r->l, name,
                                "a loop's bound is an integer, an affine map or a dense array that "
                                "is always there");
}

// A name, or two: operands, and the list that has the constants.
static bool
read_bound(const Reader *r, const char *key, MlcLoopBound *bound, bool *is_many)
{
    const MlcYaml *node = mlc_yaml_get(r->node, key);
    bool is_pair = mlc_yaml_is_sequence(node) && node->num_items == 2 &&
                   mlc_yaml_is_scalar(node->items[0]) && mlc_yaml_is_scalar(node->items[1]);
    if (!node)
        return mlc_yaml_loader_fail(r->l, r->node, "the loop has no '%s'", key);
    if (!is_pair && !mlc_yaml_is_scalar(node))
        return mlc_yaml_loader_fail(r->l, node, "expected a name, or operands and an attribute");
    const MlcYaml *name = is_pair ? node->items[0] : node;
    size_t faults = r->l->num_faults;
    bool found = read_operands_of_bound(r, name, bound, is_many);
    if (is_pair && !bound->operands)
        return mlc_yaml_loader_fail(r->l, name, "'%s' is no operand of '%s'", name->text.data,
                                    r->op->name);
    if (r->l->num_faults > faults)
        return false;
    if (!is_pair)
        return found || read_attr_of_bound(r, name, bound, is_many);
    bool many_operands = *is_many;
    if (!read_attr_of_bound(r, node->items[1], bound, is_many))
        return false;
    return (many_operands && *is_many) ||
           mlc_yaml_loader_fail(r->l, node, "expected any number of operands and a dense array");
}

const MlcLoopDef *
mlc_yaml_read_loop(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op)
{
    static const char *const keys[] = {"lower", "upper", "step", "inits", NULL};
    if (!mlc_yaml_loader_check_keys(l, node, "loop", keys))
        return NULL;
    const Reader reader = {.l = l, .node = node, .op = op}, *r = &reader;
    size_t faults = l->num_faults;
    MlcLoopDef *loop = MLC_NEW(l->arena, MlcLoopDef);
    MlcLoopBound *bounds[] = {&loop->lower, &loop->upper, &loop->step};
    bool is_many[3] = {false}, any = false;
    for (size_t i = 0; i < 3; i++)
        any |= mlc_yaml_get(node, keys[i]) != NULL;
    for (size_t i = 0; any && i < 3; i++)
        if (read_bound(r, keys[i], bounds[i], &is_many[i]) && is_many[i] != is_many[0])
            mlc_yaml_loader_fail(l, mlc_yaml_get(node, keys[i]),
                                 "'%s' and 'lower' are for different numbers of variables",
                                 keys[i]);
    loop->inits = read_operand(r, "inits", "a loop", true);
    if (!any && !mlc_yaml_get(node, "inits"))
        mlc_yaml_loader_fail(l, node, "the loop has neither bounds nor 'inits'");
    if (op->num_regions == 0 || op->regions[0].arity != MLC_ONE)
        mlc_yaml_loader_fail(l, node, "'%s' has no region that is the loop's body", op->name);
    return l->num_faults > faults ? NULL : loop;
}
