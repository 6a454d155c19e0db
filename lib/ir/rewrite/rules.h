// rules.h -- private to lib/ir: applying compiled rules.
#ifndef MLC_IR_RULES_H
#define MLC_IR_RULES_H

#include "mlc/ir/rule.h"
#include "rewrite_impl.h"

// Who applies rules and replaces ops and types on its own: what a rule makes, it makes of what
// values, types and attributes have become. NULL where there is no such thing.
typedef struct MlcRuleHost {
    MlcBuilder *builder; // before the root
    MlcValue *(*value)(void *user, MlcValue *value);
    MlcType (*type)(void *user, MlcType type);
    MlcAttr (*attr)(void *user, MlcAttr attr, const MlcAttrSlot *from, const MlcAttrSlot *to);
    // Moves a region into an empty one, with more arguments of these types around its own.
    bool (*region)(void *user, MlcRegion *to, MlcRegion *from, const MlcType *before,
                   size_t num_before, const MlcType *after, size_t num_after);
    // Moves the ops of a block but the last to where the builder is; the values stand for its
    // arguments.
    void (*inline_block)(void *user, MlcBlock *block, MlcValue *const *args);
    // Declares the function that the call names, by what the call is given; false with `why`.
    bool (*declare)(void *user, MlcOp *call, MlcStr name, MlcBuf *why);
    void (*take_back)(void *user); // what a rule that failed half-way had made
    MlcBuf *why;                   // why what the last rule that matched makes cannot be made
    void *user;
} MlcRuleHost;
// What the first of the table's rules that matches makes of `root`, before it: values for its
// results. Nothing is replaced. NULL: none matches.
const MlcRule *mlc_rule_apply(const MlcRuleTable *table, MlcOp *root, const MlcRuleHost *host,
                              MlcValue **results);

// Appends why each rule of the table does not match `root`, or cannot make what it would.
void mlc_rule_explain(const MlcRuleTable *table, MlcOp *root, MlcBuf *out);

// Folds by the table's rules whose result is there already or is a constant.
bool mlc_rules_fold(const MlcRuleTable *table, MlcOp *op, const MlcAttr *constants,
                    MlcFold *results);
// The other rules as a pattern; all of them if they were loaded.
void mlc_pattern_set_add_rules(MlcPatternSet *set, const MlcRuleTable *table, bool is_loaded);

#endif
