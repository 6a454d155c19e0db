// yaml_access.c -- `access` of an op in dialect YAML: names of its operands, results and attributes
// to their numbers, each of the kind that it must be.
#include "yaml_access.h"

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

// 1 + an operand group; 0 after a fault, and where nothing is said.
static uint8_t
read_operand(const Reader *r, const char *key, bool is_many)
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
        return mlc_yaml_loader_fail(r->l, name, "'%s' of an access is any number of operands", key);
    if (!is_many && arity != MLC_ONE && !(is_mask && arity == MLC_OPTIONAL))
        return mlc_yaml_loader_fail(r->l, name, "'%s' of an access is one operand", key);
    return found;
}

static uint8_t
read_required(const Reader *r, const char *key, bool is_many)
{
    if (!mlc_yaml_get(r->node, key))
        mlc_yaml_loader_fail(r->l, r->node, "the access has no '%s'", key);
    return read_operand(r, key, is_many);
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
    size_t slot = 0;
    if (!name)
        return 0;
    while (slot < r->op->num_attrs && !mlc_str_equal(name->text, mlc_str(r->op->attrs[slot].name)))
        slot++;
    if (slot == r->op->num_attrs || slot >= UINT8_MAX)
        return mlc_yaml_loader_fail(r->l, name, "'%s' is no attribute of '%s'", name->text.data,
                                    r->op->name);
    const MlcAttrSlot *attr = &r->op->attrs[slot];
    if (!is_of_kind(attr->constraint, kind) || attr->optional || attr->default_text)
        return mlc_yaml_loader_fail(r->l, name, "'%s' of an access is %s that is always there", key,
                                    what);
    return (uint8_t)(slot + 1);
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
    access->mask = read_operand(r, "mask", false);
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
