// yaml_require.c -- `require` of ops: conditions, each perhaps with its message.
#include "yaml_require.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

// One condition; NULL after a report.
static const MlcRule *
read_one(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op)
{
    const MlcYaml *condition = node, *message = NULL;
    if (mlc_yaml_is_mapping(node)) {
        if (!mlc_yaml_loader_check_keys(l, node, "requirement", KEYS("rule", "message")))
            return NULL;
        condition = mlc_yaml_get(node, "rule");
        message = mlc_yaml_get(node, "message");
    }
    if (!mlc_yaml_is_scalar(condition) || !condition->text.size)
        return mlc_yaml_loader_fail(l, condition ? condition : node,
                                    "expected a condition, as \"dim(lhs, 1) == dim(rhs, 0)\", "
                                    "under '%s'",
                                    condition == node ? "require" : "rule"),
               NULL;
    if (message && !mlc_yaml_is_scalar(message))
        return mlc_yaml_loader_fail(l, message, "expected a text under 'message'"), NULL;
    return l->requirement ? l->requirement(l, op, condition, message) : NULL;
}

const MlcRequirements *
mlc_yaml_read_requirements(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op)
{
    bool is_list = mlc_yaml_is_sequence(node);
    size_t n = is_list ? node->num_items : 1;
    const MlcRule **rules = MLC_NEW_ARRAY(l->arena, const MlcRule *, n + 1);
    MlcRequirements *all = MLC_NEW(l->arena, MlcRequirements);
    for (size_t i = 0; i < n; i++)
        if ((rules[all->num_rules] = read_one(l, is_list ? node->items[i] : node, op)))
            all->num_rules++;
    all->rules = rules;
    return all;
}
