// rules_impl.h -- private to the compiler of rules: one rule being compiled, and the trees.
#ifndef MLC_IR_RULES_IMPL_H
#define MLC_IR_RULES_IMPL_H

#include "rules_compile.h"

typedef struct RuleTree RuleTree;
typedef MLC_VEC(RuleTree *) RuleTreeVec; // one per root op

typedef struct RuleBuild { // one rule
    MlcRulesCompiler *compiler;
    MLC_VEC(MlcRuleVar) vars;
    const MlcRule *rule;
    const RuleTerm *pattern;
    bool lowers, is_fold;
    uint64_t moved;     // variables of regions that have a place on the right
    bool is_guard;      // what is compiled now
    const MlcOpDef *of; // requirements: whose names they use; else NULL
} RuleBuild;

int rules_find_var(const RuleBuild *b, MlcRuleVarKind kind, MlcStr name); // -1: none
int rules_named_literal(MlcStr name);                                     // -1: none
int rules_result_number(const RuleTerm *t);
const MlcConstraint *rules_constraint(MlcRulesCompiler *c, MlcStr name); // NULL: none
MlcRuleExpr *rules_attr_literal(RuleBuild *b, const RuleTerm *t, const MlcOpDef *op);

MlcRuleExpr *rules_expression(RuleBuild *b, RuleTerm *t); // NULL after a report

// The same of a condition alone, and of what a message may have.
bool rules_check_guard(RuleBuild *b, const RuleText *rule, const RuleTerm *t, const MlcRuleExpr *e);
bool rules_check_said(RuleBuild *b, const RuleText *rule, const RuleTerm *t, const MlcRuleExpr *e);
// Whether everything stands where it may; false after a report.
bool rules_check_kinds(RuleBuild *b, const RuleText *rule, const MlcRuleExpr *result,
                       const MlcRuleExpr *guard);

// Whether the text is a type; false after a report at the term.
bool rules_check_type(MlcRulesCompiler *c, const RuleTerm *t, const char *text);

// Adds the rule's questions to the tree of its root op; false after a report.
bool rules_tree_add(RuleBuild *b, RuleTreeVec *trees, const RuleText *text);
// The trees as tables.
void rules_trees_finish(MlcRulesCompiler *c, const RuleTreeVec *trees, MlcRuleTableVec *tables);
void rules_trees_release(RuleTreeVec *trees);

// What a lowering says besides its rules, whose tables are given.
void rules_compile_set(MlcRulesCompiler *c, const RuleSetText *text, const MlcRuleTableVec *tables);

#endif
