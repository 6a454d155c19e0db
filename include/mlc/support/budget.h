// budget.h -- how long something may take, for work that can be left out when time runs short.
//
// One budget is shared by all that work on a job, in any thread. Who leaves something out for lack
// of time counts it, so that whoever asked can be told.
//
// Ownership: the struct is the caller's.
// Threads: any, several at a time.
#ifndef MLC_SUPPORT_BUDGET_H
#define MLC_SUPPORT_BUDGET_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcBudget {
    int64_t start, nanoseconds; // `start` as mlc_clock_wall
    int64_t left_out;           // things not done; by __atomic operations
} MlcBudget;

// From now on; 0 or less: it is over at once.
MLC_API MlcBudget mlc_budget_start(int64_t nanoseconds);
// What is left, negative after the end; INT64_MAX for NULL.
MLC_API int64_t mlc_budget_left(const MlcBudget *budget);
MLC_API void mlc_budget_leave_out(MlcBudget *budget);
MLC_API int64_t mlc_budget_left_out(const MlcBudget *budget); // 0 for NULL

// "10s", "500ms", "1.5s" or "10" (seconds); false for anything else, and for what is not above 0.
MLC_API bool mlc_parse_duration(MlcStr text, int64_t *nanoseconds);

MLC_END_DECLS

#endif
