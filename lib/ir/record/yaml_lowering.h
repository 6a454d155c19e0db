// yaml_lowering.h -- private: `lowers_to` of ops in dialect YAML to its record.
#ifndef MLC_IR_YAML_LOWERING_H
#define MLC_IR_YAML_LOWERING_H

#include "yaml_loader.h"

// Of the op whose YAML is `node`; its groups and attributes are read already.
void mlc_yaml_read_lowers_to(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op);

#endif
