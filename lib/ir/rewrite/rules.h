// rules.h -- private to lib/ir: applying compiled rules.
#ifndef MLC_IR_RULES_H
#define MLC_IR_RULES_H

#include "mlc/ir/rule.h"
#include "rewrite_impl.h"

// Folds by the table's rules whose result is there already or is a constant.
bool mlc_rules_fold(const MlcRuleTable *table, MlcOp *op, const MlcAttr *constants,
                    MlcFold *results);
// The other rules as a pattern; all of them if they were loaded.
void mlc_pattern_set_add_rules(MlcPatternSet *set, const MlcRuleTable *table, bool is_loaded);

#endif
