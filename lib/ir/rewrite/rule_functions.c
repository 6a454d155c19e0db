// rule_functions.c -- the native functions that rules of every dialect may call (mlc/ir/rule.h says
// what each does). Each is listed in rule_functions.inc.
#include "mlc/ir/rule.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/op.h"
#include "rules_match.h"

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
mlc_rule_effect_free(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    MlcOp *op = mlc_rule_takes(args, "v") ? mlc_value_def(args[0].value) : NULL;
    return op && mlc_op_is_memory_effect_free(op);
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

bool
mlc_rule_rank(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    MlcType type = args[0].type;
    bool is_shaped = type && mlc_type_is_shaped(type);
    if (!mlc_rule_takes(args, "t") || (is_shaped && !mlc_type_has_rank(type)))
        return false;
    result->number = is_shaped ? (int64_t)mlc_type_rank(type) : 0;
    return true;
}

bool
mlc_rule_dim(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    MlcRuleArg rank = {0};
    int64_t n;
    if (!mlc_rule_rank(call, args, &rank) || !mlc_rule_number(&args[1], &n))
        return false;
    n += n < 0 ? rank.number : 0;
    if (n < 0 || n >= rank.number || mlc_type_dim(args[0].type, (size_t)n) == MLC_DYNAMIC)
        return false;
    result->number = mlc_type_dim(args[0].type, (size_t)n);
    return true;
}

bool
mlc_rule_size(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    MlcRuleArg rank = {0};
    result->number = 1;
    if (!mlc_rule_rank(call, args, &rank))
        return false;
    for (int64_t i = 0; i < rank.number; i++) {
        MlcRuleArg dim[2] = {args[0], {.number = i}}, size = {0};
        if (!mlc_rule_dim(call, dim, &size) ||
            __builtin_mul_overflow(result->number, size.number, &result->number))
            return false;
    }
    return true;
}

// How many elements a list has; false: it is none.
static bool
list_size(MlcAttr attr, int64_t *size)
{
    if (mlc_attr_is(attr, MLC_ATTR_ARRAY))
        *size = (int64_t)mlc_array_attr_size(attr);
    else if (mlc_attr_is(attr, MLC_ATTR_DENSE_ARRAY))
        *size = (int64_t)mlc_dense_array_attr_size(attr);
    else if (mlc_attr_is(attr, MLC_ATTR_DENSE))
        *size = mlc_type_num_elements(mlc_attr_type(attr));
    else
        return false;
    return true;
}

bool
mlc_rule_count(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    result->number = args[0].number;
    if (args[0].attr)
        return list_size(args[0].attr, &result->number);
    if (args[0].value)
        result->number = 1;
    return true;
}

bool
mlc_rule_at(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    int64_t size, n;
    MlcAttr list = args[0].attr;
    if (!list || !list_size(list, &size) || !mlc_rule_number(&args[1], &n))
        return false;
    n += n < 0 ? size : 0;
    if (n < 0 || n >= size)
        return false;
    if (mlc_attr_is(list, MLC_ATTR_ARRAY))
        result->attr = mlc_array_attr_element(list, (size_t)n);
    else if (mlc_attr_is(list, MLC_ATTR_DENSE))
        result->attr = mlc_elements_attr_element(list, (size_t)n);
    else
        result->number = mlc_dense_array_attr_int(list, (size_t)n);
    return true;
}

bool
mlc_rule_is(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    if (!mlc_rule_takes(args, "as"))
        return false;
    if (mlc_attr_is(args[0].attr, MLC_ATTR_STRING))
        return mlc_str_equal(mlc_string_attr_value(args[0].attr), mlc_str(args[1].text));
    const MlcAttrDef *def = mlc_dialect_attr_def(args[0].attr);
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (strcmp(def->cases[i].name, args[1].text) == 0)
            return mlc_enum_attr_value(args[0].attr) == def->cases[i].value;
    return false;
}

bool
mlc_rule_param(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    const MlcTypeDef *def = mlc_rule_takes(args, "ts") ? mlc_dialect_type_def(args[0].type) : NULL;
    for (size_t i = 0; def && i < def->num_params; i++) {
        if (strcmp(def->params[i].name, args[1].text) != 0)
            continue;
        MlcAttr param = mlc_dialect_type_param(args[0].type, i);
        bool is_type = param && mlc_attr_is(param, MLC_ATTR_TYPE);
        result->type = is_type ? mlc_type_attr_value(param) : NULL;
        result->attr = is_type ? NULL : param;
        return param != NULL;
    }
    return false;
}
