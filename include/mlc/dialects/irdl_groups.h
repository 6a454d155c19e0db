// irdl_groups.h -- what constraints and groups of irdl ops say.
//
// Ownership: nothing is kept; ops are borrowed.
// Threads: as for reading ops (mlc/ir/op.h).
#ifndef MLC_DIALECTS_IRDL_GROUPS_H
#define MLC_DIALECTS_IRDL_GROUPS_H

#include "mlc/dialects/irdl.h"

MLC_BEGIN_DECLS

// Of irdl.operands and irdl.results: how many groups, and how many values one has.
size_t mlc_irdl_num_groups(const MlcOp *values);
MlcIrdlVariadicity mlc_irdl_variadicity_of(const MlcOp *values, size_t i);
// The irdl.type or irdl.attribute that a constraint's symbol reference names; NULL if there is
// none.
MlcOp *mlc_irdl_definition(MlcOp *constraint, MlcAttr symbol);

MLC_END_DECLS

#endif
