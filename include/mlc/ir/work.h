// work.h -- what a thread is about, for the message of a quota that it exceeds.
//
// Ownership: the struct is the caller's, and so are the names in it.
// Threads: begun and ended by one thread.
#ifndef MLC_IR_WORK_H
#define MLC_IR_WORK_H

#include "mlc/ir/loc.h"
#include "mlc/support/quota.h"

MLC_BEGIN_DECLS

typedef struct MlcWork {
    MlcQuotaTask task;
    MlcBuf place;
} MlcWork;

// "pass 'canonicalize'" at `loc`: `what` and, unless it is NULL, `name`, which live until the end.
// Costs nothing where the thread is under no quota.
MLC_API void mlc_work_begin(MlcWork *work, MlcContext *ctx, MlcLoc loc, const char *what,
                            const char *name);
MLC_API void mlc_work_end(MlcWork *work);

MLC_END_DECLS

#endif
