// operator_fields.h -- an operator of a model as the artefact has it.
#ifndef MLC_LIB_OBJECT_OPERATOR_FIELDS_H
#define MLC_LIB_OBJECT_OPERATOR_FIELDS_H

#include "mlc/ir/op.h"
#include "mlc/support/buf.h"

// Appends the fields (mlc/runtime/artefact.h) of an entry of `mlc.operators`. False after an error
// at the module: it is none.
bool mlc_operator_fields(MlcOp *module, MlcAttr described, MlcBuf *out);

#endif
