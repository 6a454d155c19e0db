// format_check.h -- private to the loader: formats that cannot be read back.
#ifndef MLC_IR_FORMAT_CHECK_H
#define MLC_IR_FORMAT_CHECK_H

#include "yaml_loader.h"

// Faults are reported at `node`, the format.
void mlc_format_check_op(MlcYamlLoader *l, const MlcYaml *node, const MlcOpDef *op,
                         const MlcFormat *format);
// Of a type or an attribute.
void mlc_format_check_params(MlcYamlLoader *l, const MlcYaml *node, const MlcParamDef *params,
                             size_t num_params, const MlcFormat *format);

#endif
