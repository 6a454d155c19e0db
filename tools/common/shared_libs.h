// shared_libs.h -- shared libraries whose functions a program calls by name.
#ifndef MLC_TOOLS_COMMON_SHARED_LIBS_H
#define MLC_TOOLS_COMMON_SHARED_LIBS_H

#include "mlc/support/arena.h"
#include "mlc/support/buf.h"
#include "mlc/support/vec.h"

// Appends the paths of --shared-libs=a.so,b.so, each NUL-terminated, in `arena`.
void shared_libs_list(const MlcStrVec *lists, MlcArena *arena, MlcStrVec *paths);
// Opens what --shared-libs=a.so,b.so named, for the whole process. False with a message appended to
// `error`.
bool shared_libs_open(const MlcStrVec *lists, MlcBuf *error);
// The one that prints numbers and buffers (mlc/runner_utils.h): beside libmlc, or in ../lib of the
// tool.
bool shared_libs_open_runner_utils(MlcBuf *error);

#endif
