// cli.h -- the option parser of all tools: a table in, values and messages out. It never prints and
// never exits.
//
// `-x` and `--x` are the same. `--opt=value` and `--opt value` are the same, except for an event,
// whose value is optional and therefore only taken from `=`. "-" alone is positional, "--" ends the
// options.
//
// Ownership: values point into `argv`; lists are the caller's to release.
// Threads: any, on targets of their own.
#ifndef MLC_SUPPORT_CLI_H
#define MLC_SUPPORT_CLI_H

#include "mlc/support/base.h"
#include "mlc/support/buf.h"
#include "mlc/support/vec.h"

MLC_BEGIN_DECLS

typedef enum MlcCliKind {
    MLC_CLI_FLAG,   // bool *: --x, --x=true, --x=false
    MLC_CLI_STRING, // MlcStr *: the last one wins
    MLC_CLI_INT,    // int64_t *
    MLC_CLI_DOUBLE, // double *
    MLC_CLI_LIST,   // MlcStrVec *: each one is appended
    MLC_CLI_EVENT,  // calls `event` in the order of the command line: passes
} MlcCliKind;

// `name` is the option's, without dashes; `value.data` is NULL when none was given. False, with a
// message appended to `error`, rejects the command line.
typedef bool (*MlcCliEventFn)(void *target, MlcStr name, MlcStr value, MlcBuf *error);

typedef struct MlcCliOption {
    const char *name; // without dashes
    MlcCliKind kind;
    void *target;           // by kind, see above; for an event what `event` is given
    const char *value_name; // in the help: "file" gives --o=<file>; NULL: by kind
    const char *help;       // NULL: not listed
    MlcCliEventFn event;
} MlcCliOption;

// Values and positionals point into `argv` (argv[0] is skipped) and so live as long as it does.
// Every fault is reported, one per line; false when there was one. No fault: targets that were not
// named keep what was in them.
MLC_API MLC_NODISCARD bool mlc_cli_parse(const MlcCliOption *options, size_t num_options, int argc,
                                         char *const *argv, MlcStrVec *positional, MlcBuf *error);

// "usage: <usage>", the overview, then the options in the table's order.
MLC_API void mlc_cli_help(MlcBuf *buf, const char *usage, const char *overview,
                          const MlcCliOption *options, size_t num_options);

// Steps (insert, delete, replace, swap neighbours) from one to the other; `limit` + 1 when more
// than `limit`.
MLC_API size_t mlc_edit_distance(MlcStr a, MlcStr b, size_t limit);

// The candidate nearest to `name`, or an empty string when none is near enough for "did you mean".
MLC_API MlcStr mlc_closest_name(MlcStr name, const MlcStr *candidates, size_t num_candidates);

MLC_END_DECLS

#endif
