// inline.h -- a called body in place of its call: what dialects allow, what they add, and doing it.
//
// A dialect's record says what inlining may do with its ops (`inlines: [ops, regions, calls]`);
// where that depends on more, its `inliner` hook is a table of questions.
//
// Ownership: `take` moves the callee's blocks; else they are copied, and the callee stays.
// Threads: as for editing ops (mlc/ir/op.h).
#ifndef MLC_IR_INLINE_H
#define MLC_IR_INLINE_H

#include "mlc/ir/builder.h"

MLC_BEGIN_DECLS

typedef struct MlcInlining {
    MlcOp *call, *callable;
    MlcRegion *body; // of the callable
    MlcRegion *into; // the region that holds the call
} MlcInlining;

// Each may be NULL: the record alone decides, and nothing is added.
struct MlcInliner {
    bool (*may_call)(const MlcInlining *in);          // the call is of this dialect
    bool (*may_region)(const MlcInlining *in);        // `into` is of an op of this dialect
    bool (*may_op)(const MlcInlining *in, MlcOp *op); // `op`, of this dialect, is in the body
    // For calls of this dialect: what stands for argument i of the body instead of `value`, which
    // the call passes. The builder is before the call.
    MlcValue *(*argument)(MlcBuilder *b, const MlcInlining *in, size_t i, MlcValue *value);
    // For calls of this dialect: the body's copy, before its terminators become branches. It is not
    // yet in `into`, but uses values of there.
    void (*inlined)(const MlcInlining *in, MlcRegion *copy);
    // What terminators of this dialect that return become in a body of several blocks: an op with
    // their operands and one successor.
    const MlcOpDef *branch;
};

// What the body's argument stands for: the call's operand. NULL if `value` is no argument of it.
MLC_API MlcValue *mlc_inlining_argument(const MlcInlining *in, const MlcValue *value);

// Puts the body of `callable` in place of `call`, which is erased. `take`: the body's own blocks,
// which leaves `callable` without (nobody else may use it); else a copy. `visit` (may be NULL) sees
// the blocks before they are moved. False, without a diagnostic and without change, if some dialect
// does not allow it, or types do not fit.
MLC_API bool mlc_inline_call(MlcOp *call, MlcOp *callable, bool take,
                             void (*visit)(MlcRegion *copy, void *user), void *user);

MLC_END_DECLS

#endif
