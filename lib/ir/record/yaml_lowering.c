// yaml_lowering.c -- `lowers_to` of an op's record: which op of another dialect it is.
#include "yaml_lowering.h"

#include "did_you_mean.h"

#include <string.h>

// The op `name` of another dialect, where that dialect is known by now; `*missing`: it is, and has
// no such op.
static const MlcOpDef *
find_op(MlcYamlLoader *l, MlcStr name, bool *missing)
{
    const char *dot = memchr(name.data, '.', name.size);
    MlcStr prefix = {name.data, dot ? (size_t)(dot - name.data) : 0};
    const MlcDialectDef *dialect = dot ? l->find(l->user, prefix) : NULL;
    for (size_t i = 0; dialect && i < dialect->num_ops; i++)
        if (mlc_str_equal(mlc_str(dialect->ops[i]->name), name))
            return dialect->ops[i];
    *missing = !dot || dialect || mlc_str_equal(prefix, mlc_str(l->dialect->name));
    return NULL;
}

static void
want_attr(MlcYamlLoader *l, const MlcYaml *name, const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_attrs; i++)
        if (mlc_str_equal(mlc_yaml_as_str(name, ""), mlc_str(op->attrs[i].name)))
            return;
    mlc_yaml_loader_fail(l, name, "'%s' has no attribute '%s'%s", op->name,
                         mlc_yaml_as_str(name, "").data,
                         mlc_did_you_mean_attr(l->arena, mlc_yaml_as_str(name, ""), op, false));
}

// `llvm.fadd: {fastmathFlags: fastmath}`, or `llvm.fadd: {}`.
static void
read_lowering(MlcYamlLoader *l, const MlcYaml *name, const MlcYaml *attrs, const MlcOpDef *op,
              MlcLowering *lowering)
{
    bool missing = false;
    const MlcOpDef *to = find_op(l, name->text, &missing);
    bool is_list = mlc_yaml_is_mapping(attrs);
    size_t n = is_list ? attrs->num_items : 0;
    const char **pairs = MLC_NEW_ARRAY(l->arena, const char *, 2 * n + 1);
    *lowering = (MlcLowering){name->text.data, pairs, n};
    if (missing)
        mlc_yaml_loader_fail(l, name, "no other dialect has an op '%s'", name->text.data);
    if (to && (to->num_operands != op->num_operands || to->num_results != op->num_results ||
               !mlc_op_def_is_flat(to)))
        mlc_yaml_loader_fail(l, name, "'%s' has other operands or results than '%s'", to->name,
                             op->name);
    if (n > MLC_MAX_LOWERED_ATTRS)
        mlc_yaml_loader_fail(l, attrs, "more than %d attributes", MLC_MAX_LOWERED_ATTRS);
    if (attrs && !is_list)
        mlc_yaml_loader_fail(l, attrs, "expected attributes of '%s': {its name: name here}",
                             lowering->op);
    for (size_t i = 0; i < n; i++) {
        pairs[2 * i] = attrs->keys[i]->text.data;
        pairs[2 * i + 1] = mlc_yaml_as_str(attrs->items[i], "").data;
        if (to)
            want_attr(l, attrs->keys[i], to);
        want_attr(l, attrs->items[i], op);
    }
}

// `lowers_to: llvm.fadd`, or a mapping of such names to attributes.
void
mlc_yaml_read_lowers_to(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op)
{
    const MlcYaml *said = mlc_yaml_get(node, "lowers_to");
    if (!said)
        return;
    bool many = mlc_yaml_is_mapping(said);
    if (!many && !mlc_yaml_is_scalar(said)) {
        mlc_yaml_loader_fail(l, said, "expected the name of an op, or a mapping of such names");
        return;
    }
    if (!mlc_op_def_is_flat(op))
        mlc_yaml_loader_fail(l, said,
                             "an op with regions, successors or sizes of operand groups "
                             "does not lower by another name");
    size_t n = many ? said->num_items : 1;
    MlcLowering *lowerings = MLC_NEW_ARRAY(l->arena, MlcLowering, n);
    for (size_t i = 0; i < n; i++)
        read_lowering(l, many ? said->keys[i] : said, many ? said->items[i] : NULL, op,
                      &lowerings[i]);
    op->lowers_to = lowerings;
    op->num_lowers_to = (uint16_t)n;
}
