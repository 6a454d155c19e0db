// yaml_compile.h -- private: the strings of dialect YAML that are small languages (formats,
// relations) to records.
#ifndef MLC_IR_YAML_COMPILE_H
#define MLC_IR_YAML_COMPILE_H

#include "yaml_loader.h"

// Fills in `relations` and `format`; the op's groups, slots, regions and successors are there.
void mlc_yaml_compile_op(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op);
// What the op's regions say under `args` and `yields`, one per region; NULL if none does.
const MlcRegionSignature *mlc_yaml_read_signatures(MlcYamlLoader *l, const MlcOpDef *op);
const MlcFormat *mlc_yaml_compile_type_format(MlcYamlLoader *l, const MlcYaml *format,
                                              const MlcTypeDef *def);
const MlcFormat *mlc_yaml_compile_attr_format(MlcYamlLoader *l, const MlcYaml *format,
                                              const MlcAttrDef *def);

#endif
