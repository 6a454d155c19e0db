// rule.h -- rewrite rules as data: what `.rules` files are compiled to, and what native functions
// named in them look like. docs/extending.md is the manual of the language.
//
// All rules rooted at one op are one table: a decision tree of questions about positions (the root
// op, its operands, the operands of what makes those, ...) with two links each. The build writes
// the tables of the built-in rules as constant C data; mlc_load_rules builds the same in memory.
//
// Ownership: loaded rules live as long as the context; tables and texts that are given are borrowed
// or copied as it is said.
// Threads: to load: in a context where no other thread works yet; native functions are called from
// several at a time.
#ifndef MLC_IR_RULE_H
#define MLC_IR_RULE_H

#include "mlc/ir/def.h"
#include "mlc/ir/fwd.h"

MLC_BEGIN_DECLS

#define MLC_RULE_MAX_POSITIONS 32
#define MLC_RULE_MAX_ARGS 8 // operands, attributes or results of an op that a rule names
#define MLC_RULE_MAX_VARS 64

// What an expression of a rule stands for: the parts that apply are set. A constant has its
// attribute, and its value too where an op makes it.
typedef struct MlcRuleArg {
    MlcAttr attr;
    MlcType type;
    MlcValue *value;
    const char *text;
    int64_t number;
} MlcRuleArg;

typedef struct MlcRuleCall {
    MlcOp *root;                // the op that matched
    struct MlcBuilder *builder; // before it; NULL in guards and folds, which make no ops
} MlcRuleCall;

// A native function of a rule: a guard says whether it holds, anything else sets its result, or
// says false and the rule does not match. `name` in a rule of dialect d is mlc_d_rule_name, or
// mlc_rule_name, one of the common ones below.
typedef bool (*MlcRuleFunction)(const MlcRuleCall *call, const MlcRuleArg *args,
                                MlcRuleArg *result);

// Whether the arguments are of these kinds, a letter each: v, a value; t, a type or what has one;
// a, an attribute; s, text. A loaded rule may call a native function with anything; absent
// arguments are zero.
MLC_API bool mlc_rule_takes(const MlcRuleArg *args, const char *kinds);

typedef enum MlcRuleQuestion {
    MLC_RULE_MADE_BY, // its value is result `number` of an op of definition `subject`
    MLC_RULE_NUM_OPERANDS,
    MLC_RULE_CONSTANT,
    MLC_RULE_LITERAL, // a constant that is, in all lanes, the literal `subject`
    MLC_RULE_TYPE,    // its type meets the constraint `subject`
    MLC_RULE_ATTR,    // an attribute of the op there is the literal `subject`
    MLC_RULE_SAME,    // the same value as at position `number`
    MLC_RULE_SAME_TYPE,
    MLC_RULE_MATCH, // all questions of a rule (`subject`: MlcRuleMatch) are answered; its guard?
    MLC_RULE_BLOCK, // region `number` & 0xff of the op there is one block of `number` >> 8 & 0xff
                    // arguments, or more if `number` >> 16
    MLC_RULE_OP,    // the op there is of definition `subject`
    MLC_RULE_NO_OTHERS, // all ops of the block of the op there stand at positions, bits of `number`
    MLC_RULE_OUTSIDE,   // the value there is not made inside the op at position `number`
    MLC_RULE_ELSEWHERE = 0x40, // added to one of the above that asks for a value at a position that
                               // is no operand counted from the first: rare, and told apart
} MlcRuleQuestion;

typedef enum MlcRuleExprKind {
    MLC_RULE_VARIABLE,   // number `number` of the rule
    MLC_RULE_INTEGER,    // `number`
    MLC_RULE_FLOAT,      // the bits of a double in `number`
    MLC_RULE_SIGNED_MIN, // of the type's width
    MLC_RULE_SIGNED_MAX,
    MLC_RULE_ENUM, // case `number` of `attr_def`
    MLC_RULE_TEXT, // an attribute or a type as MLIR writes it, or an argument of a function
    MLC_RULE_BUILD,
    MLC_RULE_EVAL, // BUILD of constants: what the op means, as a constant
    MLC_RULE_CALL,
    MLC_RULE_TUPLE, // the results of a rule, if not one
    MLC_RULE_EQUAL,
    MLC_RULE_DIFFERENT,
    MLC_RULE_LESS,
    MLC_RULE_AT_MOST,
    MLC_RULE_PLUS,
    MLC_RULE_MINUS,
    MLC_RULE_TIMES,
    MLC_RULE_AND,
    MLC_RULE_OR,
    MLC_RULE_NOT,
    MLC_RULE_DIVIDE, // towards zero; by zero there is no result
    MLC_RULE_REMAINDER,
    MLC_RULE_LET,     // in a region that is written: its block's argument of `type`, or args[0], by
                      // the name of variable `number`
    MLC_RULE_RESULTS, // all results of the op that made variable `number`
    MLC_RULE_INLINE,  // region `number`, in place: the arguments of its block are the values in
                      // args, and it stands for what its terminator has
    MLC_RULE_SYMBOL,  // the function `text`, declared by what its call is given
} MlcRuleExprKind;

typedef struct MlcRuleExpr {
    uint8_t kind; // MlcRuleExprKind
    uint8_t num_args, num_attrs, num_regions;
    uint8_t result; // of BUILD: which result it stands for
    int64_t number;
    const char *text;                       // TEXT; the function's name
    const MlcOpDef *op;                     // BUILD, EVAL
    const MlcAttrDef *attr_def;             // ENUM
    MlcRuleFunction function;               // CALL
    const struct MlcRuleExpr *const *args;  // operands or arguments
    const struct MlcRuleExpr *const *attrs; // BUILD, EVAL
    const char *const *attr_names;
    const struct MlcRuleRegion *regions; // BUILD, in lowerings: in the order of the op's
    const struct MlcRuleExpr *type;      // of a literal, of an op's result; NULL: it follows
} MlcRuleExpr;

#define MLC_RULE_WRITTEN UINT8_MAX

// A region of a matched op that the one that is made gets, with further arguments of its entry
// block before its own, and behind them. Or one that is written, `variable` MLC_RULE_WRITTEN:
// `num_before` LETs for the arguments of its block, and `num_after` ops, LET or not, stand in
// `types`.
typedef struct MlcRuleRegion {
    uint8_t variable;
    uint8_t num_before, num_after;
    const MlcRuleExpr *const *types; // of those before, then of those behind
} MlcRuleRegion;

typedef enum MlcRuleVarKind {
    MLC_RULE_VAR_VALUE,
    MLC_RULE_VAR_CONSTANT,
    MLC_RULE_VAR_ATTR,     // attribute `attr` of the op at its position
    MLC_RULE_VAR_TYPE,     // the type at its position
    MLC_RULE_VAR_LIST,     // group `index` of the operands of the op at its position
    MLC_RULE_VAR_REGION,   // region `index` of the op at its position
    MLC_RULE_VAR_OPERANDS, // group `index` of the root, in requirements: one value, or how many
    MLC_RULE_VAR_RESULTS,
    MLC_RULE_VAR_LOCAL, // made on the right, inside a region
} MlcRuleVarKind;

typedef struct MlcRuleVar {
    const char *name;
    uint8_t kind; // MlcRuleVarKind
    const char *attr;
    uint8_t index;
} MlcRuleVar;

typedef struct MlcRule {
    const char *name;
    const MlcRuleVar *vars;
    uint8_t num_vars;
    const MlcRuleExpr *guard;  // NULL: none
    const MlcRuleExpr *result; // a TUPLE where the root has not one result
} MlcRule;

// A rule and one order of the operands of its commutative ops: where its variables are.
typedef struct MlcRuleMatch {
    const MlcRule *rule;
    const uint8_t *positions;
} MlcRuleMatch;

// What `operand` of a position is from 128 on: one of these, + 8 * region + n.
enum {
    MLC_RULE_ARGUMENT = 0x80, // argument n of the region's block
    MLC_RULE_OP_FROM_START = 0xa0,
    MLC_RULE_OP_FROM_END = 0xc0, // 0: the terminator
    MLC_RULE_FROM_END = 0xe0,    // operand n, counted from the last
    MLC_RULE_MAX_REGIONS = 4,
};

typedef struct MlcRulePosition {
    uint8_t parent, operand; // operand number of the op at position `parent`
} MlcRulePosition;

typedef struct MlcRuleNode {
    uint8_t question; // MlcRuleQuestion
    uint8_t at;       // position
    uint16_t yes, no; // the next node; 0: nothing matches
    int32_t number;
    const char *attr;    // ATTR: its name
    const void *subject; // see MlcRuleQuestion
} MlcRuleNode;

// The rules rooted at one op. Those whose result is there already, or is a constant, fold; the
// others are canonicalisation patterns.
struct MlcRuleTable {
    const MlcOpDef *op;
    const MlcRulePosition *positions; // the first is the root
    const MlcRuleNode *nodes;         // the first is not used
    uint16_t num_positions, num_nodes;
    uint16_t folds, rewrites; // where each of the two trees starts; 0: it is empty
};

typedef struct MlcRuleTable MlcRuleTable;

// A type that a lowering converts, and what it becomes: as MLIR writes it, with the parameters of
// `def` in braces where they stand ("tensor<{n}x{element}>").
typedef struct MlcRuleType {
    const MlcTypeDef *def;     // NULL: the type `from`
    const char *from;          // as MLIR writes it
    const char *const *params; // what `to` calls those of `def`; NULL: nothing
    const char *to;
} MlcRuleType;

// A lowering: rules that are applied together, by the conversion driver.
typedef struct MlcRuleSet {
    const char *name;
    const MlcRuleTable *const *tables; // one per root op
    size_t num_tables;
    const MlcRuleType *types; // the first that fits counts
    size_t num_types;
    const char *const *illegal; // ops and dialects of which none may stay
    size_t num_illegal;
} MlcRuleSet;

// What ops must meet beside their types (`require` in YAML): MLC_INTERFACE_REQUIREMENTS. The guard
// of each is the condition, as written in `name`; its result lists what is said where that does not
// hold, text and values in turn; NULL: the condition is.
typedef struct MlcRequirements {
    const MlcRule *const *rules;
    size_t num_rules;
} MlcRequirements;

// What native functions share: the scalar that all lanes of a constant have, NULL if there is none;
// a scalar in all lanes of a type, NULL where its shape is not known.
MLC_API MlcAttr mlc_constant_lane(MlcAttr constant);
MLC_API MlcAttr mlc_constant_splat(MlcType type, MlcAttr scalar);

// The native functions that rules of every dialect may call.

// constant(x): a constant makes it.
MLC_API bool mlc_rule_constant(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// at(#list, n): element n of a list of attributes, or of numbers.
MLC_API bool mlc_rule_at(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// count(xs): how many values a group has, or elements a list of attributes or numbers.
MLC_API bool mlc_rule_count(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// dim(T, n), dim(x, n): the size of dimension n, counted from the last if negative; none if it is
// dynamic or not there.
MLC_API bool mlc_rule_dim(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// effect_free(x): an op makes it, which neither reads nor writes memory, nor do ops in its regions.
MLC_API bool mlc_rule_effect_free(const MlcRuleCall *call, const MlcRuleArg *args,
                                  MlcRuleArg *result);
// element(T), element(x): the element type of a shaped type, a scalar type itself.
MLC_API bool mlc_rule_element(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// like(T, E): T's shape with the element type of E.
MLC_API bool mlc_rule_like(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// is(#a, "name"): an enumeration's case, or a text.
MLC_API bool mlc_rule_is(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// param(T, "name"), param(x, "name"): a parameter of a dialect's type.
MLC_API bool mlc_rule_param(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// rank(T), rank(x): the number of dimensions, 0 of a scalar; none if it is not known.
MLC_API bool mlc_rule_rank(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// size(T), size(x): the number of elements, 1 of a scalar; none if it is not known.
MLC_API bool mlc_rule_size(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// width(T), width(x): bits of the element; index has 64, others none.
MLC_API bool mlc_rule_width(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// same_shape(T, U): both scalars, or of one kind and shape.
MLC_API bool mlc_rule_same_shape(const MlcRuleCall *call, const MlcRuleArg *args,
                                 MlcRuleArg *result);
// one_use(x): it has one use.
MLC_API bool mlc_rule_one_use(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// unused("name"): nobody uses that result of the root.
MLC_API bool mlc_rule_unused(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// inside("scf.for"): the op that matched stands in one of that name, in a region of its own.
MLC_API bool mlc_rule_inside(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// splat($c): all lanes are equal; true of scalars.
MLC_API bool mlc_rule_splat(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// has(#flags, "name"): the bit set has all bits of that case.
MLC_API bool mlc_rule_has(const MlcRuleCall *call, const MlcRuleArg *args, MlcRuleArg *result);
// common_flags(#a, #b): the bits that two bit sets of a kind have in common.
MLC_API bool mlc_rule_common_flags(const MlcRuleCall *call, const MlcRuleArg *args,
                                   MlcRuleArg *result);

// What the first of the table's rules that matches would make of `root`: values for its results,
// built before it, nothing replaced. NULL if none matches.
MLC_API const MlcRule *mlc_rule_try(const MlcRuleTable *table, MlcOp *root, MlcValue **results);

// Reads rules for this context; mlc_pattern_set_add_canonicalization adds them. False after located
// diagnostics; rules that can be seen never to end are among what is refused.
MLC_API bool mlc_load_rules(MlcContext *ctx, const char *path);
// The same of a text in memory, which may go afterwards; `name` is what messages call it.
MLC_API bool mlc_load_rules_text(MlcContext *ctx, MlcStr text, const char *name);

// Appends what each peephole rule finds at `op` that is rooted at its kind, built in or read for
// this context: "'name': " and the first question that is answered no, or that it matches. False if
// there is none.
MLC_API bool mlc_rules_explain(MlcOp *op, MlcBuf *out);

// The lowering of that name among the rules read for this context, and those of its dialects; NULL
// if there is none.
MLC_API const MlcRuleSet *mlc_rule_set_find(MlcContext *ctx, MlcStr name);
// Those of dialects compiled outside of mlc, then those read, in their order; `i` is below their
// number.
MLC_API size_t mlc_num_rule_sets(const MlcContext *ctx);
// Lowering `i`; it lives as long as the context.
MLC_API const MlcRuleSet *mlc_rule_set_at(const MlcContext *ctx, size_t i);
// Converts what is inside `root` by the set's rules: each op that is the root of one must go, and
// values of types that it names become those of the others, in signatures, calls, branches and
// loops too. False after diagnostics; `root` is as it was then.
MLC_API bool mlc_lower(MlcOp *root, const MlcRuleSet *set);
// The same of all ops whose records say what they mean (`semantics` in YAML), of any dialect:
// without rules they become ops of scf and func. A lowering does so for the dialects that it
// lowers.
MLC_API bool mlc_lower_semantics(MlcOp *root);

MLC_END_DECLS

#endif
