// rule_functions.h -- private to lib/ir and the generated tables: the native functions common to
// all dialects.
#ifndef MLC_IR_RULE_FUNCTIONS_H
#define MLC_IR_RULE_FUNCTIONS_H

#include "mlc/ir/rule.h"

#define MLC_RULE_FUNCTION(name, kinds)                                                             \
    MLC_API bool mlc_rule_##name(const MlcRuleCall *call, const MlcRuleArg *args,                  \
                                 MlcRuleArg *result);
#include "rule_functions.inc"
#undef MLC_RULE_FUNCTION

#endif
