// yaml_roles.h -- private: `access` and `loop` of ops in dialect YAML to their records.
#ifndef MLC_IR_YAML_ROLES_H
#define MLC_IR_YAML_ROLES_H

#include "mlc/ir/interfaces.h"
#include "yaml_loader.h"

// The op's groups, slots and regions are there. Both are NULL after a fault. The memref's effects
// follow from an access, unless the op tells them otherwise.
const MlcMemoryAccess *mlc_yaml_read_access(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op,
                                            bool tells_effects);
const MlcLoopDef *mlc_yaml_read_loop(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op);
// When all ops are read: twins of this dialect are there.
void mlc_yaml_check_twins(MlcYamlLoader *l);

#endif
