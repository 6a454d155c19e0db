// index_rules.c -- the native functions of index.rules: what a bound says about a comparison.
#include "mlc/dialects/index.h"

#include "mlc/ir.h"

static bool
is_predicate(MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_DIALECT) &&
           mlc_dialect_attr_def(attr) == &mlc_index_cmp_predicate_attr_def;
}

// is_reflexive(#p): x #p x.
bool
mlc_index_rule_is_reflexive(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    if (!is_predicate(args[0].attr))
        return false;
    switch (mlc_enum_attr_value(args[0].attr)) {
    case MLC_INDEX_CMP_PREDICATE_EQ:
    case MLC_INDEX_CMP_PREDICATE_SLE:
    case MLC_INDEX_CMP_PREDICATE_SGE:
    case MLC_INDEX_CMP_PREDICATE_ULE:
    case MLC_INDEX_CMP_PREDICATE_UGE:
        return true;
    default:
        return false;
    }
}

typedef struct Range { // inclusive, seen both ways
    int64_t least, most;
    uint64_t low, high;
} Range;

// The values of min or max of anything and `a`. One view follows from the other where the range
// does not cross its ends.
static Range
range_of(const char *op, int64_t a)
{
    Range r = {INT64_MIN, INT64_MAX, 0, UINT64_MAX};
    bool is_max = op[1] == 'a', is_signed = op[3] == 's';
    if (is_signed)
        *(is_max ? &r.least : &r.most) = a;
    else
        *(is_max ? &r.low : &r.high) = (uint64_t)a;
    if (is_signed && (r.least >= 0 || r.most < 0)) {
        r.low = (uint64_t)r.least;
        r.high = (uint64_t)r.most;
    } else if (!is_signed && (r.low > INT64_MAX || r.high <= INT64_MAX)) {
        r.least = (int64_t)r.low;
        r.most = (int64_t)r.high;
    }
    return r;
}

// 1: every value of the range is so, 0: none is, -1: some.
static int
compare_range(int64_t predicate, Range r, int64_t b)
{
    uint64_t u = (uint64_t)b;
    bool is_never_b = b < r.least || b > r.most || u < r.low || u > r.high;
    switch (predicate) {
    case MLC_INDEX_CMP_PREDICATE_EQ:
        return is_never_b ? 0 : r.least == b && r.most == b ? 1 : -1;
    case MLC_INDEX_CMP_PREDICATE_NE:
        return is_never_b ? 1 : r.least == b && r.most == b ? 0 : -1;
    case MLC_INDEX_CMP_PREDICATE_SLT:
        return r.most < b ? 1 : r.least >= b ? 0 : -1;
    case MLC_INDEX_CMP_PREDICATE_SLE:
        return r.most <= b ? 1 : r.least > b ? 0 : -1;
    case MLC_INDEX_CMP_PREDICATE_SGT:
        return r.least > b ? 1 : r.most <= b ? 0 : -1;
    case MLC_INDEX_CMP_PREDICATE_SGE:
        return r.least >= b ? 1 : r.most < b ? 0 : -1;
    case MLC_INDEX_CMP_PREDICATE_ULT:
        return r.high < u ? 1 : r.low >= u ? 0 : -1;
    case MLC_INDEX_CMP_PREDICATE_ULE:
        return r.high <= u ? 1 : r.low > u ? 0 : -1;
    case MLC_INDEX_CMP_PREDICATE_UGT:
        return r.low > u ? 1 : r.high <= u ? 0 : -1;
    default:
        return r.low >= u ? 1 : r.high < u ? 0 : -1;
    }
}

static int
compare_bound(const MlcRuleArg *args)
{
    int64_t a, b;
    if (!is_predicate(args[0].attr) || !mlc_rule_takes(args, "as") || strlen(args[1].text) != 4 ||
        !mlc_attr_try_as_int(args[2].attr, &a) || !mlc_attr_try_as_int(args[3].attr, &b))
        return -1;
    if (a != (int32_t)a || b != (int32_t)b) // not the same number on a narrow target
        return -1;
    int64_t predicate = mlc_enum_attr_value(args[0].attr);
    return compare_range(predicate, range_of(args[1].text, a), b);
}

// decides(#p, "maxs", $a, $b): max(x, $a) #p $b for all x. refutes: for none.
bool
mlc_index_rule_decides(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return compare_bound(args) == 1;
}

bool
mlc_index_rule_refutes(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result)
{
    (void)call, (void)result;
    return compare_bound(args) == 0;
}
