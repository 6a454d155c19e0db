// yaml_require.h -- private to the loader: `require` of ops.
#ifndef MLC_IR_YAML_REQUIRE_H
#define MLC_IR_YAML_REQUIRE_H

#include "yaml_loader.h"

// What stands under `require` of `op`, whose operands, results and attributes were read. Faults are
// reported.
const MlcRequirements *mlc_yaml_read_requirements(MlcYamlLoader *l, const MlcYaml *node,
                                                  const MlcOpDef *op);

#endif
