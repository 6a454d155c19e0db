// rules_match.c -- the questions of rules, asked of ops.
#include "rules_match.h"

#include "mlc/ir/attr.h"

// Positions are written before they are read: most matches fail at once, so they are not cleared.
void
mlc_rule_begin(RuleRun *m, const MlcRuleTable *table, MlcOp *root)
{
    m->table = table;
    m->found = NULL;
    m->constants = NULL;
    m->rw = NULL;
    m->builder = NULL;
    m->host = NULL;
    m->is_building = m->is_requirement = false;
    m->values = NULL;
    m->ops[0] = root;
    m->made = (MlcOpVec){0};
}

MlcValue *
mlc_rule_value_at(const RuleRun *m, uint8_t at)
{
    if (at == 0)
        return mlc_op_result(m->ops[0], 0);
    MlcRulePosition p = m->table->positions[at];
    return m->ops[p.parent]->operands[p.operand].value;
}

MlcAttr
mlc_rule_constant_at(const RuleRun *m, uint8_t at)
{
    MlcRulePosition p = m->table->positions[at];
    if (m->constants && p.parent == 0)
        return m->constants[p.operand];
    return mlc_value_constant(mlc_rule_value_at(m, at));
}

MlcAttr
mlc_constant_lane(MlcAttr constant)
{
    if (!constant)
        return NULL;
    if (mlc_attr_is(constant, MLC_ATTR_INTEGER) || mlc_attr_is(constant, MLC_ATTR_FLOAT))
        return constant;
    if (mlc_attr_is(constant, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(constant))
        return mlc_elements_attr_element(constant, 0);
    return NULL;
}

static bool
is_integer(MlcWide w, int64_t number)
{
    if (w.width <= 64)
        return w.width > 0 && w.word == ((uint64_t)number & (UINT64_MAX >> (64 - w.width)));
    int64_t value;
    return mlc_wide_try_as_int(w, &value) && value == number;
}

double
mlc_rule_real(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool
is_float(MlcAttr attr, double value)
{
    uint64_t lo, hi;
    mlc_float_attr_bits(attr, &lo, &hi);
    MlcFloatKind kind = mlc_float_type_kind(mlc_attr_type(attr));
    MlcFloat f = mlc_float_from_bits(kind, lo, hi);
    if (value != value)
        return mlc_float_is_nan(f);
    return mlc_float_same_bits(f, mlc_float_from_double(kind, value));
}

static bool
is_literal(MlcAttr constant, const MlcRuleExpr *literal)
{
    MlcAttr lane = mlc_constant_lane(constant);
    if (literal->kind == MLC_RULE_FLOAT)
        return mlc_attr_is(lane, MLC_ATTR_FLOAT) && is_float(lane, mlc_rule_real(literal->number));
    if (!mlc_attr_is(lane, MLC_ATTR_INTEGER))
        return false;
    MlcWide w = mlc_attr_wide(lane);
    switch (literal->kind) {
    case MLC_RULE_SIGNED_MIN:
        return mlc_wide_popcount(w) == 1 && mlc_wide_is_negative(w);
    case MLC_RULE_SIGNED_MAX:
        return mlc_wide_popcount(w) == w.width - 1 && !mlc_wide_is_negative(w);
    default:
        return is_integer(w, literal->number);
    }
}

static bool
is_attr(MlcAttr attr, const MlcRuleExpr *literal, MlcContext *ctx)
{
    if (!attr)
        return false;
    if (literal->kind == MLC_RULE_TEXT)
        return attr == mlc_parse_attr(ctx, mlc_str(literal->text));
    if (literal->kind == MLC_RULE_ENUM)
        return mlc_enum_attr_value(attr) == literal->number;
    int64_t value;
    return mlc_attr_try_as_int(attr, &value) && value == literal->number;
}

bool
mlc_rule_ask(RuleRun *m, const MlcRuleNode *node)
{
    uint8_t at = node->at;
    switch (node->question) {
    case MLC_RULE_MADE_BY: {
        MlcValue *value = mlc_rule_value_at(m, at);
        m->ops[at] = mlc_value_def(value);
        return m->ops[at] && m->ops[at]->def == node->subject &&
               (m->ops[at]->num_results == 1 || mlc_value_index(value) == (size_t)node->number);
    }
    case MLC_RULE_NUM_OPERANDS:
        return m->ops[at]->num_operands == (uint32_t)node->number;
    case MLC_RULE_CONSTANT:
        return mlc_rule_constant_at(m, at) != NULL;
    case MLC_RULE_LITERAL:
        return is_literal(mlc_rule_constant_at(m, at), node->subject);
    case MLC_RULE_TYPE:
        return mlc_constraint_check_type(node->subject, mlc_value_type(mlc_rule_value_at(m, at)));
    case MLC_RULE_ATTR:
        return is_attr(mlc_op_attr(m->ops[at], node->attr), node->subject, m->ops[0]->ctx);
    case MLC_RULE_SAME:
        return mlc_rule_value_at(m, at) == mlc_rule_value_at(m, (uint8_t)node->number);
    default:
        return mlc_value_type(mlc_rule_value_at(m, at)) ==
               mlc_value_type(mlc_rule_value_at(m, (uint8_t)node->number));
    }
}
