// split.h -- -split-input-file: the parts of a text between marker lines, worked on one by one.
#ifndef MLC_TOOLS_SPLIT_H
#define MLC_TOOLS_SPLIT_H

#include "mlc/support/buf.h"

#define SPLIT_DEFAULT_MARKER "// -----"

// Works on one text, which has two NULs behind it; appends its output.
typedef bool (*SplitFn)(MlcStr text, MlcStr name, void *user, MlcBuf *out);

// Gives each part of `text` to `fn` under the name "within split at PATH:LINE offset ", so that
// lines in messages count from the part's start, as mlir-opt has it. Outputs are joined by lines
// `output_marker` (empty: by nothing). What looks like a marker but for its last two characters is
// warned of. True if `fn` was for every part.
bool split_and_process(MlcStr text, const char *path, MlcStr marker, MlcStr output_marker,
                       SplitFn fn, void *user, MlcBuf *out);

#endif
