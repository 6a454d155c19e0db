// rules_parse.h -- private to the rules language: what the grammar makes of a file.
#ifndef MLC_IR_RULES_PARSE_H
#define MLC_IR_RULES_PARSE_H

#include "mlc/ir/rule.h"
#include "mlc/support/arena.h"
#include "mlc/support/vec.h"

#define YYSTYPE MLC_RULES_STYPE // flex wants the names without bison's prefix
#define YYLTYPE MLC_RULES_LTYPE

typedef enum RuleTermKind {
    RULE_NAME,     // a value, a type variable (upper case), or a word: as its place says
    RULE_CONSTANT, // $name
    RULE_ATTR,     // #name
    RULE_LITERAL,  // `kind` of the expression in `literal`, value in `number`
    RULE_TEXT,     // "..."
    RULE_APPLY,    // name(args) {attrs}: an op or a function
    RULE_LIST,     // name...: the values of a variadic group; without a name: others, too
    RULE_REGION,   // @name(args) {body}
    RULE_GROUP,    // [values]: a variadic group
    RULE_TUPLE,
    RULE_OPERATOR, // `kind` of the expression in `literal`
} RuleTermKind;

typedef struct RuleTerm RuleTerm;
typedef MLC_VEC(RuleTerm *) RuleTermVec;

struct RuleTerm {
    uint8_t kind;    // RuleTermKind
    uint8_t literal; // MlcRuleExprKind
    MlcStr name;     // of an attribute in attrs: `label` of its term
    MlcStr label;    // name = ...
    MlcStr result;   // .name
    int64_t number;
    RuleTerm **args, **attrs, **regions;
    RuleTerm **body; // of a region that is written: its ops
    size_t num_args, num_attrs, num_regions, num_body;
    bool has_args;  // of a region: they are written, if none
    RuleTerm *type; // : type
    unsigned line, column;
    const MlcOpDef *op; // of APPLY, if it is one: set by the compiler
};

typedef struct RuleSetText { // lowering NAME { ... }
    MlcStr name;
    unsigned line, column;
    bool has_types;
} RuleSetText;

typedef struct RuleTypeText { // type FROM => TO
    const RuleSetText *set;
    RuleTerm *from, *to;
} RuleTypeText;

typedef struct RuleIllegalText { // illegal NAME
    const RuleSetText *set;
    MlcStr name;
    unsigned line, column;
} RuleIllegalText;

typedef struct RuleText {   // a rule as written
    const RuleSetText *set; // NULL: a peephole
    MlcStr name;
    unsigned line, column;
    int64_t benefit;
    RuleTerm *pattern, *result, *guard; // guard NULL: none
} RuleText;

typedef struct RulesParse {
    MlcArena *arena;      // of everything made
    MlcStr dialect;       // of names without one
    bool is_expression;   // the text is one, not a file
    RuleTerm *expression; // what was read then
    MLC_VEC(RuleText *) rules;
    RuleSetText *set; // being read; NULL: outside of any
    MLC_VEC(RuleSetText *) sets;
    MLC_VEC(RuleTypeText) types;
    MLC_VEC(RuleIllegalText) illegal;
    void (*report)(void *user, const char *filename, unsigned line, unsigned column,
                   const char *message);
    void *user;
    const char *filename;
    unsigned line, column; // behind the token being read; set before: where the text begins
    size_t num_faults;
} RulesParse;

// False after reports.
bool rules_parse(RulesParse *parse, MlcStr text);
bool rules_fail(RulesParse *parse, unsigned line, unsigned column, const char *format, ...)
    MLC_PRINTF(4, 5); // false

#endif
