// yaml_access.h -- private: `access` of ops in dialect YAML to its record.
#ifndef MLC_IR_YAML_ACCESS_H
#define MLC_IR_YAML_ACCESS_H

#include "mlc/ir/interfaces.h"
#include "yaml_loader.h"

// The op's groups and slots are there. The memref's effects follow, unless the op tells them
// otherwise. NULL after a fault.
const MlcMemoryAccess *mlc_yaml_read_access(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op,
                                            bool tells_effects);
// When all ops are read: twins of this dialect are there.
void mlc_yaml_check_twins(MlcYamlLoader *l);

#endif
