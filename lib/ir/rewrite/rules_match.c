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

enum { PLACES = 0xe0, PLACE_NUMBER = 7, PLACE_REGION = 3 }; // of what is no operand

static MlcBlock *
block_at(const RuleRun *m, MlcRulePosition p)
{
    return mlc_region_first(
        mlc_op_region(m->ops[p.parent], p.operand / MLC_RULE_MAX_ARGS & PLACE_REGION));
}

// That of a position which is no operand counted from the first.
static MlcValue *
value_elsewhere(const RuleRun *m, uint8_t at)
{
    MlcRulePosition p = m->table->positions[at];
    const MlcOp *op = m->ops[p.parent];
    size_t n = p.operand & PLACE_NUMBER;
    if ((p.operand & PLACES) == MLC_RULE_ARGUMENT)
        return mlc_block_arg(block_at(m, p), n);
    if ((p.operand & PLACES) == MLC_RULE_FROM_END)
        return op->operands[op->num_operands - 1 - n].value;
    return m->ops[at]->num_results ? mlc_op_result(m->ops[at], 0) : NULL;
}

// That of one which is.
static inline MlcValue *
operand_at(const RuleRun *m, uint8_t at)
{
    MlcRulePosition p = m->table->positions[at];
    return m->ops[p.parent]->operands[p.operand].value;
}

static inline MlcAttr
constant_operand_at(const RuleRun *m, uint8_t at)
{
    MlcRulePosition p = m->table->positions[at];
    if (m->constants && p.parent == 0)
        return m->constants[p.operand];
    return mlc_value_constant(operand_at(m, at));
}

MlcValue *
mlc_rule_value_at(const RuleRun *m, uint8_t at)
{
    if (at == 0)
        return m->ops[0]->num_results ? mlc_op_result(m->ops[0], 0) : NULL;
    return m->table->positions[at].operand < MLC_RULE_ARGUMENT ? operand_at(m, at)
                                                               : value_elsewhere(m, at);
}

MlcAttr
mlc_rule_constant_at(const RuleRun *m, uint8_t at)
{
    MlcRulePosition p = m->table->positions[at];
    if (p.operand < MLC_RULE_ARGUMENT)
        return constant_operand_at(m, at);
    if (m->constants && p.parent == 0 && p.operand >= MLC_RULE_FROM_END)
        return m->constants[m->ops[0]->num_operands - 1 - (p.operand & PLACE_NUMBER)];
    return mlc_value_constant(value_elsewhere(m, at));
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

static MlcType
type_at(const RuleRun *m, uint8_t at)
{
    MlcValue *value = mlc_rule_value_at(m, at);
    return value ? mlc_value_type(value) : NULL;
}

// One block, of so many arguments.
static bool
is_block(const MlcOp *op, int32_t number)
{
    MlcRegion *region = mlc_op_region(op, (size_t)number & 0xff);
    uint32_t num_args = (uint32_t)number >> 8 & 0xff;
    if (!mlc_region_has_one_block(region))
        return false;
    const MlcBlock *block = mlc_region_first(region);
    return block->num_args == num_args || (block->num_args > num_args && number >> 16);
}

// The op that stands at a place of a block; NULL: there are not so many.
static MlcOp *
op_at_place(const RuleRun *m, MlcRulePosition p)
{
    MlcBlock *block = block_at(m, p);
    size_t n = p.operand & PLACE_NUMBER;
    bool from_start = (p.operand & PLACES) == MLC_RULE_OP_FROM_START;
    MlcOp *op = from_start ? mlc_block_first(block) : mlc_block_last(block);
    while (op && n-- > 0)
        op = from_start ? mlc_op_next(op) : mlc_op_prev(op);
    return op;
}

// Ops of the block that `one` is in are constants, or among those at positions.
static bool
has_no_others(const RuleRun *m, const MlcOp *one, uint32_t positions)
{
    MLC_FOR_EACH_OP (op, one->block) {
        bool found = mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE);
        for (uint32_t rest = positions; rest && !found; rest &= rest - 1)
            found = m->ops[__builtin_ctz(rest)] == op;
        if (!found)
            return false;
    }
    return true;
}

static bool
ask_of_region(RuleRun *m, const MlcRuleNode *node)
{
    uint8_t at = node->at;
    switch (node->question) {
    case MLC_RULE_BLOCK:
        return is_block(m->ops[at], node->number);
    case MLC_RULE_OP:
        m->ops[at] = op_at_place(m, m->table->positions[at]);
        return m->ops[at] && m->ops[at]->def == node->subject;
    case MLC_RULE_NO_OTHERS:
        return has_no_others(m, m->ops[at], (uint32_t)node->number);
    default:
        return !mlc_value_is_inside(mlc_rule_value_at(m, at), m->ops[node->number]);
    }
}

static inline bool
is_made_by(RuleRun *m, const MlcRuleNode *node, MlcValue *value)
{
    uint8_t at = node->at;
    m->ops[at] = mlc_value_def(value);
    return m->ops[at] && m->ops[at]->def == node->subject &&
           (m->ops[at]->num_results == 1 || mlc_value_index(value) == (size_t)node->number);
}

static bool
ask_elsewhere(RuleRun *m, const MlcRuleNode *node)
{
    uint8_t at = node->at;
    switch (node->question & ~MLC_RULE_ELSEWHERE) {
    case MLC_RULE_MADE_BY:
        return is_made_by(m, node, mlc_rule_value_at(m, at));
    case MLC_RULE_CONSTANT:
        return mlc_rule_constant_at(m, at) != NULL;
    case MLC_RULE_LITERAL:
        return is_literal(mlc_rule_constant_at(m, at), node->subject);
    case MLC_RULE_TYPE:
        return type_at(m, at) && mlc_constraint_check_type(node->subject, type_at(m, at));
    case MLC_RULE_SAME:
        return mlc_rule_value_at(m, at) == mlc_rule_value_at(m, (uint8_t)node->number);
    case MLC_RULE_SAME_TYPE:
        return type_at(m, at) == type_at(m, (uint8_t)node->number);
    default:
        return ask_of_region(m, node);
    }
}

bool
mlc_rule_ask(RuleRun *m, const MlcRuleNode *node)
{
    uint8_t at = node->at;
    switch (node->question) {
    case MLC_RULE_MADE_BY:
        return is_made_by(m, node, operand_at(m, at));
    case MLC_RULE_NUM_OPERANDS:
        return m->ops[at]->num_operands == (uint32_t)node->number;
    case MLC_RULE_CONSTANT:
        return constant_operand_at(m, at) != NULL;
    case MLC_RULE_LITERAL:
        return is_literal(constant_operand_at(m, at), node->subject);
    case MLC_RULE_ATTR:
        return is_attr(mlc_op_attr(m->ops[at], node->attr), node->subject, m->ops[0]->ctx);
    case MLC_RULE_SAME:
        if (at > 0 && node->number > 0)
            return operand_at(m, at) == operand_at(m, (uint8_t)node->number);
        return ask_elsewhere(m, node);
    default:
        return ask_elsewhere(m, node);
    }
}
