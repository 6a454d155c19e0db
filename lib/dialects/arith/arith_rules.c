// arith_rules.c -- the native functions of arith.rules.
#include "mlc/dialects/arith.h"

#include "mlc/ir.h"

// a < b as b > a; and !(a < b) as a >= b.
static const uint8_t swapped[] = {
    MLC_ARITH_CMPI_PREDICATE_EQ,  MLC_ARITH_CMPI_PREDICATE_NE,  MLC_ARITH_CMPI_PREDICATE_SGT,
    MLC_ARITH_CMPI_PREDICATE_SGE, MLC_ARITH_CMPI_PREDICATE_SLT, MLC_ARITH_CMPI_PREDICATE_SLE,
    MLC_ARITH_CMPI_PREDICATE_UGT, MLC_ARITH_CMPI_PREDICATE_UGE, MLC_ARITH_CMPI_PREDICATE_ULT,
    MLC_ARITH_CMPI_PREDICATE_ULE,
};
static const uint8_t inverted[] = {
    MLC_ARITH_CMPI_PREDICATE_NE,  MLC_ARITH_CMPI_PREDICATE_EQ,  MLC_ARITH_CMPI_PREDICATE_SGE,
    MLC_ARITH_CMPI_PREDICATE_SGT, MLC_ARITH_CMPI_PREDICATE_SLE, MLC_ARITH_CMPI_PREDICATE_SLT,
    MLC_ARITH_CMPI_PREDICATE_UGE, MLC_ARITH_CMPI_PREDICATE_UGT, MLC_ARITH_CMPI_PREDICATE_ULE,
    MLC_ARITH_CMPI_PREDICATE_ULT,
};

static bool
translate(const uint8_t *table, const MlcRuleArg *arg, MlcRuleArg *result)
{
    int64_t i;
    if (!mlc_attr_try_as_int(arg->attr, &i) || i < 0 || i > MLC_ARITH_CMPI_PREDICATE_UGE)
        return false;
    result->attr = mlc_integer_attr_get(mlc_attr_type(arg->attr), table[i]);
    return true;
}

// swapped(#p): the predicate with operands exchanged.
bool
mlc_arith_rule_swapped(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    return translate(swapped, &args[0], result);
}

// inverted(#p): the predicate that holds where #p does not.
bool
mlc_arith_rule_inverted(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call;
    return translate(inverted, &args[0], result);
}

// is_reflexive(#p): x #p x.
bool
mlc_arith_rule_is_reflexive(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    int64_t p;
    if (!mlc_attr_try_as_int(args[0].attr, &p))
        return false;
    switch (p) {
    case MLC_ARITH_CMPI_PREDICATE_EQ:
    case MLC_ARITH_CMPI_PREDICATE_SLE:
    case MLC_ARITH_CMPI_PREDICATE_SGE:
    case MLC_ARITH_CMPI_PREDICATE_ULE:
    case MLC_ARITH_CMPI_PREDICATE_UGE:
        return true;
    default:
        return false;
    }
}

bool
mlc_arith_rule_is_equality(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    int64_t p;
    if (!mlc_attr_try_as_int(args[0].attr, &p))
        return false;
    return p == MLC_ARITH_CMPI_PREDICATE_EQ || p == MLC_ARITH_CMPI_PREDICATE_NE;
}
