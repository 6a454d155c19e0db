// complex_rules.c -- the native functions of complex.rules.
#include "mlc/dialects/complex.h"

#include "mlc/ir.h"

// part($c, i): the real (0) or the imaginary (1) part.
bool
mlc_complex_rule_part(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    if (!mlc_attr_is(args[0].attr, MLC_ATTR_ARRAY) ||
        (uint64_t)args[1].number >= mlc_array_attr_size(args[0].attr))
        return false;
    result->attr = mlc_array_attr_element(args[0].attr, (size_t)args[1].number);
    return true;
}

static bool
is_number(MlcAttr part, double value)
{
    return mlc_attr_is(part, MLC_ATTR_FLOAT) && mlc_float_attr_as_double(part) == value;
}

// is_real($c, n): the number n, without an imaginary part.
bool
mlc_complex_rule_is_real(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return mlc_attr_is(args[0].attr, MLC_ATTR_ARRAY) && mlc_array_attr_size(args[0].attr) == 2 &&
           is_number(mlc_array_attr_element(args[0].attr, 0), (double)args[1].number) &&
           is_number(mlc_array_attr_element(args[0].attr, 1), 0.0);
}

// scalars(S, T): neither is complex.
bool
mlc_complex_rule_scalars(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return mlc_rule_takes(args, "tt") && !mlc_type_is(args[0].type, MLC_TYPE_COMPLEX) &&
           !mlc_type_is(args[1].type, MLC_TYPE_COMPLEX);
}
