// action.h -- actions: the units of work that a user may watch, count or skip.
//
// The pass manager and the rewrite drivers announce what they are about to do; a handler set on the
// context may say no. That is enough for logs, traces and debug counters ("only the first 37
// pattern applications"), by which a wrong rewrite is found by bisection. Without a handler an
// action costs one comparison.
//
// Ownership: the handler's record is copied, what `user` points at is borrowed.
// Threads: the handler is set while nothing runs, and called from any thread, several at a time.
#ifndef MLC_IR_ACTION_H
#define MLC_IR_ACTION_H

#include "mlc/ir/fwd.h"
#include "mlc/support/sized.h"

MLC_BEGIN_DECLS

typedef struct MlcAction {
    const char *tag;    // kind of work: "pass-execution", "greedy-iteration", "apply-pattern"
    const char *name;   // the pass's flag or the pattern's name; "" if there is none
    MlcOp *op;          // worked on; NULL at the end of an action that erased it
    int64_t iteration;  // of a "greedy-iteration", from 1; else 0
    const char *reason; // at the end of an "apply-pattern": why it did not match; NULL if not said
} MlcAction;

typedef struct MlcActionHandler {
    size_t size;                                        // MLC_SIZED
    bool (*begin)(const MlcAction *action, void *user); // false: skip it, `end` is not called
    void (*end)(const MlcAction *action, void *user);   // may be NULL
    void *user;
} MlcActionHandler;

// Copies the handler; NULL: none. Set it while nothing runs; it is called from any thread.
MLC_API void mlc_context_set_action_handler(MlcContext *ctx, const MlcActionHandler *handler);
MLC_API bool mlc_context_has_action_handler(const MlcContext *ctx);
// True: do it, then say mlc_action_end.
MLC_API bool mlc_action_begin(MlcContext *ctx, const MlcAction *action);
MLC_API void mlc_action_end(MlcContext *ctx, const MlcAction *action);

MLC_END_DECLS

#endif
