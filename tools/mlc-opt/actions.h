// actions.h -- --log-actions-to, --profile-actions-to and --mlir-debug-counter.
#ifndef MLC_TOOLS_ACTIONS_H
#define MLC_TOOLS_ACTIONS_H

#include "mlc/ir/action.h"
#include "mlc/support/vec.h"

#include <pthread.h>
#include <stdio.h>

// "apply-pattern-skip=3,apply-pattern-count=1": of all applications only the fourth is done.
typedef struct DebugCounter {
    MlcStr tag;
    int64_t seen, skip, count; // count < 0: no end
} DebugCounter;

typedef struct ActionWatch {
    MlcStr log, profile, counters; // as the options have them; empty: not wanted
    bool print_counters;
    MLC_VEC(DebugCounter) counts;
    FILE *log_file, *profile_file;
    bool had_event;
    pthread_mutex_t lock;
} ActionWatch;

// Opens the files and reads the counters. False after a message.
bool actions_open(ActionWatch *watch);
// Sets the watch on a context, if there is anything to watch.
void actions_install(ActionWatch *watch, MlcContext *ctx);
// Prints counters, ends and closes the files.
void actions_close(ActionWatch *watch);

#endif
