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
    uint64_t moved;           // variables of regions that have a place on the right
    uint64_t inner;           // variables of what lies in regions of the pattern, and goes
    uint64_t closed;          // names in regions of the right side that have ended
    size_t depth;             // regions around what is compiled now
    bool is_local;            // what is declared now lies in one of the pattern
    size_t hidden;            // variables that an isolated op around it does not see
    const MlcOpDef *isolated; // that op
    bool is_guard;            // what is compiled now
    const MlcOpDef *of;       // requirements: whose names they use; else NULL
} RuleBuild;

int rules_find_var(const RuleBuild *b, MlcRuleVarKind kind, MlcStr name); // -1: none
int rules_named_literal(MlcStr name);                                     // -1: none
int rules_result_number(const RuleTerm *t);
const MlcConstraint *rules_constraint(MlcRulesCompiler *c, MlcStr name); // NULL: none
MlcRuleExpr *rules_attr_literal(RuleBuild *b, const RuleTerm *t, const MlcOpDef *op);

MlcRuleExpr *rules_expression(RuleBuild *b, RuleTerm *t); // NULL after a report
MlcRuleExpr *rules_type_expression(RuleBuild *b, RuleTerm *t);
MlcRuleExpr *rules_new_expr(RuleBuild *b, MlcRuleExprKind kind, int64_t number);
int rules_declare(RuleBuild *b, MlcRuleVarKind kind, MlcStr name, const char *attr);
bool rules_is_type_variable(MlcStr name);
bool rules_is_any(const RuleTerm *t); // _

// What a pattern asks of a region, and what stands in one on the right (rules_regions.c). False or
// NULL after a report.
bool rules_resolve_pattern(RuleBuild *b, RuleTerm *t);
bool rules_resolve_region(RuleBuild *b, const RuleTerm *region, size_t index);
bool rules_write_region(RuleBuild *b, const RuleTerm *region, const MlcOpDef *op,
                        MlcRuleRegion *out);
bool rules_move_region(RuleBuild *b, const RuleTerm *region, int *var);
bool rules_is_inline(const RuleTerm *t); // inline(@body, x, y)
MlcRuleExpr *rules_inline(RuleBuild *b, RuleTerm *t);
int rules_find_local(const RuleBuild *b, MlcStr name); // -1: none

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
