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
    MlcOpVec made; // to be taken back if the rule fails half-way
} RuleRun;

void mlc_rule_begin(RuleRun *m, const MlcRuleTable *table, MlcOp *root);
// Whether the answer to the node's question is yes. Ops at positions are found on the way.
bool mlc_rule_ask(RuleRun *m, const MlcRuleNode *node);
MlcValue *mlc_rule_value_at(const RuleRun *m, uint8_t at);
MlcAttr mlc_rule_constant_at(const RuleRun *m, uint8_t at); // NULL: it is none
double mlc_rule_real(int64_t bits);
// A number, or that of an attribute; false: it is none.
bool mlc_rule_number(const MlcRuleArg *arg, int64_t *number);
// What an expression of the rule that was found gives; false: nothing.
bool mlc_rule_evaluate(RuleRun *m, const MlcRuleExpr *e, MlcRuleArg *out);
// Whether a condition holds: 1 or 0; of a requirement -1 too, where that is not known.
int mlc_rule_truth(RuleRun *m, const MlcRuleExpr *e);
// Whether an op meets what its record requires, of which there is something; false after a
// diagnostic.
bool mlc_meets_requirements(MlcOp *op);
// Whether the guard of the rule that was found does, if there is one.
bool mlc_rule_holds(RuleRun *m);

#endif
