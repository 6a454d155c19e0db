// pipelines.c -- named pipelines: text that a user could write out.
#include "registry.h"

const MlcPipelineDef mlc_builtin_pipelines[] = {
    {"cleanup", "Canonicalise, then share common subexpressions", "canonicalize,cse"},
};
const size_t mlc_num_builtin_pipelines =
    sizeof mlc_builtin_pipelines / sizeof *mlc_builtin_pipelines;
