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
    bool is_building;  // the guard holds
    MlcValue **values; // takes the result, if nothing is to be replaced; else NULL
    MlcOp *ops[MLC_RULE_MAX_POSITIONS];
    MlcOpVec made; // to be taken back if the rule fails half-way
} RuleRun;

void mlc_rule_begin(RuleRun *m, const MlcRuleTable *table, MlcOp *root);
// Whether the answer to the node's question is yes. Ops at positions are found on the way.
bool mlc_rule_ask(RuleRun *m, const MlcRuleNode *node);
MlcValue *mlc_rule_value_at(const RuleRun *m, uint8_t at);
MlcAttr mlc_rule_constant_at(const RuleRun *m, uint8_t at); // NULL: it is none
double mlc_rule_real(int64_t bits);
// Whether the guard of the rule that was found does, if there is one.
bool mlc_rule_holds(RuleRun *m);

#endif
