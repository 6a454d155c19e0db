// check_relations.h -- private to lib/ir: relations that contradict each other.
#ifndef MLC_IR_CHECK_RELATIONS_H
#define MLC_IR_CHECK_RELATIONS_H

#include "mlc/ir/fwd.h"
#include "yaml_loader.h"

// Of an op whose dialect is registered; the first that cannot be met is reported.
void mlc_check_relations(MlcContext *ctx, MlcYamlLoader *l, const MlcOpDef *op);

#endif
