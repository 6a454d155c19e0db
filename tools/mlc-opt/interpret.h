// interpret.h -- mlc-opt --interpret: one call of a function, its results printed.
#ifndef MLC_OPT_INTERPRET_H
#define MLC_OPT_INTERPRET_H

#include "mlc/ir.h"
#include "mlc/support/vec.h"

typedef struct InterpretOptions {
    bool trace;
    MlcStr entry;      // empty: main
    MlcStrVec inputs;  // mlc_interp_read_datum's words
    MlcStrVec outputs; // .npy files for the results, in order
    int64_t seed, max_steps;
} InterpretOptions;

// Appends a line per result to `out`; of a function without results, a line per memref argument as
// it is afterwards.
bool interpret(MlcOp *module, const InterpretOptions *options, MlcBuf *out);

#endif
