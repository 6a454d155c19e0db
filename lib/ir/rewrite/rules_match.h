// rules_match.h -- private to what applies rules: one run of a table on an op.
#ifndef MLC_IR_RULES_MATCH_H
#define MLC_IR_RULES_MATCH_H

#include "rules.h"

typedef struct RuleRun {
    const MlcRuleTable *table;
    const MlcRuleMatch *found;
    const MlcAttr *constants; // of the root's operands, while folding; else NULL
    MlcRewriter *rw;          // NULL while folding, and where there is a host
    MlcBuilder *builder;      // NULL while folding
    const MlcRuleHost *host;
    bool is_building;    // the guard holds
    bool is_requirement; // of the root, which matched nothing: what is not known is no answer
    MlcValue **values;   // takes the result, if nothing is to be replaced; else NULL
    MlcOp *ops[MLC_RULE_MAX_POSITIONS];
    MlcValue *locals[MLC_RULE_MAX_VARS]; // by variable: what is made in regions, and has a name
    MlcOp *last;                         // that was made
    MlcOpVec made;                       // to be taken back if the rule fails half-way
} RuleRun;

void mlc_rule_begin(RuleRun *m, const MlcRuleTable *table, MlcOp *root);
// Whether the answer to the node's question is yes. Ops at positions are found on the way.
bool mlc_rule_ask(RuleRun *m, const MlcRuleNode *node);
MlcValue *mlc_rule_value_at(const RuleRun *m, uint8_t at);  // NULL: the op there has no result
MlcAttr mlc_rule_constant_at(const RuleRun *m, uint8_t at); // NULL: it is none
double mlc_rule_real(int64_t bits);
// A number, or that of an attribute; false: it is none.
bool mlc_rule_number(const MlcRuleArg *arg, int64_t *number);
// What an expression of the rule that was found gives; false: nothing.
bool mlc_rule_evaluate(RuleRun *m, const MlcRuleExpr *e, MlcRuleArg *out);
// A type, and what has become of a matched value: NULL if none, or several.
bool mlc_rule_type(RuleRun *m, const MlcRuleExpr *e, MlcType *type);
MlcValue *mlc_rule_new_value(const RuleRun *m, MlcValue *value);
// Appends the values that args of `of` stand for, made if they are constants.
bool mlc_rule_push(RuleRun *m, const MlcRuleExpr *of, const MlcRuleExpr *args, MlcValueVec *values);
// Why what the rule makes cannot be made; false.
bool mlc_rule_fails(RuleRun *m, const char *format, ...) MLC_PRINTF(2, 3);
// A region as it is written, and what the terminator has of one that takes its place in a block
// (rules_bodies.c). False: it cannot be made.
bool mlc_rule_write_region(RuleRun *m, const MlcRuleRegion *region, MlcRegion *to);
bool mlc_rule_inline(RuleRun *m, const MlcRuleExpr *e, MlcValueVec *values);
// A matched region, moved or copied.
bool mlc_rule_move_region(RuleRun *m, const MlcRuleRegion *region, MlcRegion *to);
// Whether a condition holds: 1 or 0; of a requirement -1 too, where that is not known.
int mlc_rule_truth(RuleRun *m, const MlcRuleExpr *e);
// Whether an op meets what its record requires, of which there is something; false after a
// diagnostic.
bool mlc_meets_requirements(MlcOp *op);
// Whether the guard of the rule that was found does, if there is one.
bool mlc_rule_holds(RuleRun *m);

#endif
