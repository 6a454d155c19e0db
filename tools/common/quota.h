// quota.h -- --max-memory, --max-ops and --max-seconds: what a tool may take before it gives up.
//
// The tool ends as soon as it takes more, in whatever it is: with an error, exit code 1, and
// nothing that is unfinished. What is written is made whole before, and then no limit holds.
#ifndef MLC_TOOLS_COMMON_QUOTA_H
#define MLC_TOOLS_COMMON_QUOTA_H

#include "mlc/support/cli.h"

#include <stdbool.h>

typedef struct QuotaFlags {
    MlcStr memory, time; // as given; empty: no limit
    int64_t ops;         // 0: no limit
} QuotaFlags;

// Rows of a table of options.
#define QUOTA_OPTIONS(flags)                                                                       \
    {"max-memory",                                                                                 \
     MLC_CLI_STRING,                                                                               \
     &(flags)->memory,                                                                             \
     "SIZE",                                                                                       \
     "512MiB, 2GiB: end with an error where more would be held",                                   \
     NULL},                                                                                        \
        {"max-ops",                                                                                \
         MLC_CLI_INT,                                                                              \
         &(flags)->ops,                                                                            \
         "N",                                                                                      \
         "end with an error where more ops would be made",                                         \
         NULL},                                                                                    \
    {                                                                                              \
        "max-seconds", MLC_CLI_STRING, &(flags)->time, "S",                                        \
            "10, 0.5: end with an error where it would take longer", NULL                          \
    }

// A size such as 512MiB, in bytes. False after a message: it is none.
bool tool_read_size(const char *option, MlcStr text, int64_t *bytes);
// Begins them for the calling thread and the loops that it shares out. False after a message: a
// flag is wrong.
bool tool_quota_begin(const QuotaFlags *flags);
// Whether limits hold.
bool tool_quota_holds(void);
// They hold no longer. By the same thread; again: nothing.
void tool_quota_end(void);

#endif
