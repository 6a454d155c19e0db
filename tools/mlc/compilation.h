// compilation.h -- a model on its way down, level by level: what verbs that look at its IR share.
#ifndef MLC_TOOLS_COMPILATION_H
#define MLC_TOOLS_COMPILATION_H

#include "mlc.h"
#include "targets.h"

#include "mlc/ir.h"
#include "mlc/support/file.h"

enum { ELIDE_OVER = 16 }; // elements of constants that people read

// `text` is the source of a .mlir file, which locations and messages quote.
typedef struct Compilation {
    MlcContext *ctx;
    MlcOp *module;
    MlcFile text;
    const CompileOptions *options; // borrowed
    Targets targets;
    size_t level;
} Compilation;

// Both return exit codes; faults were reported. What was begun is ended, whatever the code.
int compilation_begin(Compilation *c, const char *path, const CompileOptions *options);
// Down to the level of that name ("kernels").
int compilation_lower(Compilation *c, MlcStr level);
void compilation_end(Compilation *c);

#endif
