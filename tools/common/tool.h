// tool.h -- what every tool does when it begins and when it ends.
#ifndef MLC_TOOLS_COMMON_TOOL_H
#define MLC_TOOLS_COMMON_TOOL_H

#include "mlc/support/base.h"

// `name` is what messages call the tool. From now on a signal that asks the process to end (SIGINT,
// SIGTERM, SIGHUP, SIGQUIT) first takes away what is unfinished (mlc/support/file.h); what the
// parent sees is the signal. A file that grows beyond the limit of the process (ulimit -f) is an
// error of the write, not a signal.
void tool_begin(const char *name);
// "mlc-opt"
const char *tool_name(void);

// "mlc-opt: " and the message, on stderr. Returns false.
bool tool_error(const char *format, ...) MLC_PRINTF(1, 2);

// Takes away what is unfinished, if `code` says that the tool failed. Returns the exit code, which
// is 1 where standard output took not all that was printed.
int tool_end(int code);

// "mlc-opt 0.1.0 (LLVM 19.1.7, Release)"; of a tool with a version of its own (not NULL)
// "calc-opt 2 (mlc 0.1.0, LLVM 19.1.7, Release)".
void tool_print_version(const char *version);

#endif
