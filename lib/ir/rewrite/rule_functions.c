// rule_functions.c -- the native functions that rules of every dialect may call (mlc/ir/rule.h says
// what each does). Each is listed in rule_functions.inc.
#include "mlc/ir/rule.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/op.h"

bool
mlc_rule_takes(const MlcRuleArg *args, const char *kinds)
{
    for (; *kinds; kinds++, args++)
        if ((*kinds == 'v' && !args->value) || (*kinds == 't' && !args->type) ||
            (*kinds == 'a' && !args->attr) || (*kinds == 's' && !args->text))
            return false;
    return true;
}

bool
mlc_rule_constant(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return mlc_rule_takes(args, "v") && mlc_value_constant(args[0].value);
}

bool
mlc_rule_element(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    if (!mlc_rule_takes(args, "t"))
        return false;
    result->type = mlc_type_element(args[0].type);
    return true;
}

bool
mlc_rule_has(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    const MlcAttrDef *def = mlc_rule_takes(args, "as") ? mlc_dialect_attr_def(args[0].attr) : NULL;
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (strcmp(def->cases[i].name, args[1].text) == 0)
            return (mlc_enum_attr_value(args[0].attr) & def->cases[i].value) == def->cases[i].value;
    return false;
}

bool
mlc_rule_like(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    if (!mlc_rule_takes(args, "tt"))
        return false;
    MlcType element = mlc_type_element(args[1].type);
    result->type =
        mlc_type_is_shaped(args[0].type) ? mlc_type_with_element(args[0].type, element) : element;
    return true;
}

bool
mlc_rule_one_use(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return mlc_rule_takes(args, "v") && mlc_value_has_one_use(args[0].value);
}

bool
mlc_rule_unused(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)result;
    const MlcOpDef *def = mlc_op_def(call->root);
    for (size_t i = 0; mlc_rule_takes(args, "s") && i < def->num_results; i++)
        if (strcmp(def->results[i].name, args[0].text) == 0)
            return !mlc_value_has_uses(mlc_op_result(call->root, i));
    return false;
}

bool
mlc_rule_same_shape(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    MlcType a = args[0].type, b = args[1].type;
    if (!mlc_rule_takes(args, "tt"))
        return false;
    if (!mlc_type_is_shaped(a) || !mlc_type_is_shaped(b))
        return mlc_type_is_shaped(a) == mlc_type_is_shaped(b);
    return mlc_type_with_element(a, mlc_type_element(b)) == b;
}

bool
mlc_rule_inside(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)result;
    MlcOp *parent = mlc_op_parent(call->root);
    return mlc_rule_takes(args, "s") && parent &&
           mlc_str_equal(mlc_op_name(parent), mlc_str(args[0].text));
}

bool
mlc_rule_splat(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return mlc_rule_takes(args, "a") && mlc_constant_lane(args[0].attr);
}

bool
mlc_rule_common_flags(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    const MlcAttrDef *def = mlc_rule_takes(args, "aa") ? mlc_dialect_attr_def(args[0].attr) : NULL;
    if (!def || mlc_dialect_attr_def(args[1].attr) != def)
        return false;
    result->attr =
        mlc_enum_attr_get(mlc_op_context(call->root), def,
                          mlc_enum_attr_value(args[0].attr) & mlc_enum_attr_value(args[1].attr));
    return true;
}

bool
mlc_rule_width(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    MlcType element = mlc_rule_takes(args, "t") ? mlc_type_element(args[0].type) : NULL;
    if (!element || (!mlc_type_is_int_or_index(element) && !mlc_type_is_float(element)))
        return false;
    result->number = mlc_type_bit_width(element);
    return true;
}
