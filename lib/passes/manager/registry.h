// registry.h -- the tables behind mlc_pass_at and mlc_pipeline_at.
#ifndef MLC_PASSES_REGISTRY_H
#define MLC_PASSES_REGISTRY_H

#include "mlc/pass.h"

extern const MlcPassDef *const mlc_builtin_passes[];
extern const size_t mlc_num_builtin_passes;
extern const MlcPipelineDef mlc_builtin_pipelines[];
extern const size_t mlc_num_builtin_pipelines;

#endif
