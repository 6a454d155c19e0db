// run_function.h -- mlc run -e NAME.
#ifndef MLC_TOOLS_MLC_RUN_FUNCTION_H
#define MLC_TOOLS_MLC_RUN_FUNCTION_H

#include "mlc.h"

typedef struct FunctionOptions {
    MlcStr entry, output_dir; // output_dir.data NULL: results are printed
    const MlcStrVec *inputs;  // one per argument: as mlc-opt --interpret takes them
    const MlcStrVec *shared_libs;
    const CompileOptions *compile;
} FunctionOptions;

// Compiles the module at `path` (.mlir) and calls its function; returns an exit code.
int run_function(const char *path, const FunctionOptions *options);

#endif
