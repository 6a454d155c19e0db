// rules_compile.h -- private to lib/ir and mlc-gen: a .rules file to decision trees.
#ifndef MLC_IR_RULES_COMPILE_H
#define MLC_IR_RULES_COMPILE_H

#include "rules_parse.h"

MLC_BEGIN_DECLS

struct MlcYamlLoader;
struct MlcYaml;
typedef MLC_VEC(MlcRuleTable *) MlcRuleTableVec;
typedef struct MlcRulesCompiler MlcRulesCompiler;
struct MlcRulesCompiler {
    RulesParse parse; // set by the caller: arena, dialect, report, user, filename
    // The records of a dialect, "builtin" included; NULL if there is none.
    const MlcDialectDef *(*find)(void *user, MlcStr name);
    // Whether a text is a type, or an attribute that meets the constraint; what it is instead goes
    // to `error`. NULL in mlc-gen, which cannot read them.
    bool (*is_type)(void *user, const char *text, MlcBuf *error);
    bool (*is_attr)(void *user, const char *text, const MlcConstraint *constraint, MlcBuf *error);
    // The native function of that C name; NULL if there is none, after which the name is reported.
    // The field is NULL in mlc-gen, which leaves the names to the linker.
    MlcRuleFunction (*function)(const char *symbol);

    // Results.
    MlcRuleTableVec tables;          // of peepholes, one per root op
    MLC_VEC(MlcRuleSet) sets;        // lowerings
    MLC_VEC(const char *) functions; // C names of those of dialects, each once
};

// False after reports.
bool mlc_rules_compile(MlcRulesCompiler *compiler, MlcStr text);
// What `op` must meet: a rule whose guard is the condition, and whose result lists the parts of the
// message, which may be NULL. NULL after reports. The op's operands, results and attributes were
// read.
const MlcRule *mlc_rules_requirement(struct MlcYamlLoader *loader, const MlcOpDef *op,
                                     const struct MlcYaml *condition,
                                     const struct MlcYaml *message);
void mlc_rules_compiler_release(MlcRulesCompiler *compiler); // not the arena

// A rule as the checks for endless rewriting see it (lib/ir/rewrite/rules_check.c).
bool mlc_rules_check_endless(RulesParse *parse);

MLC_END_DECLS

#endif
