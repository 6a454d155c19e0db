// yaml_check.h -- private to the loader: records that are whole, but cannot be meant.
#ifndef MLC_IR_YAML_CHECK_H
#define MLC_IR_YAML_CHECK_H

#include "yaml_loader.h"

// Faults are reported at their places.
void mlc_yaml_check_op(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op);
void mlc_yaml_check_params(MlcYamlLoader *l, const MlcParamDef *params, size_t n);
void mlc_yaml_check_cases(MlcYamlLoader *l, const MlcYaml *cases, const MlcAttrDef *def);
// `package`: its keys, and that each names files. NULL is fine.
void mlc_yaml_check_package(MlcYamlLoader *l, const MlcYaml *package);

#endif
