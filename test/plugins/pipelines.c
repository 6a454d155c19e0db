// pipelines.c -- a plugin with pipelines: one of passes, one that names it, one that never ends.
#include "mlc/plugin.h"

static const MlcPipelineDef pipelines[] = {
    {"tidy-functions", "Functions without what is twice", "func.func(canonicalize,cse)"},
    {"tidy-all", "Functions, then symbols", "tidy-functions,symbol-dce"},
    {"for-ever", "Contains itself", "cse,round-and-round"},
    {"round-and-round", "Contains what contains it", "for-ever"},
};

MLC_PLUGIN(.name = "pipelines", .version = "1", .pipelines = pipelines,
           .num_pipelines = sizeof pipelines / sizeof *pipelines)
