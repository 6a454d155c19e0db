// tool.h -- what every tool does when it begins and when it ends.
#ifndef MLC_TOOLS_COMMON_TOOL_H
#define MLC_TOOLS_COMMON_TOOL_H

// From now on a signal that asks the process to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT) first takes
// away what is unfinished (mlc/support/file.h); what the parent sees is the signal. A file that
// grows beyond the limit of the process (ulimit -f) is an error of the write, not a signal.
void tool_begin(void);

// Takes away what is unfinished, if `code` says that the tool failed. Returns the exit code, which
// is 1 where standard output took not all that was printed.
int tool_end(const char *tool, int code);

// "mlc-opt 0.1.0 (LLVM 19.1.7, Release)"
void tool_print_version(const char *tool);

#endif
