// call_record.h -- the call record that functions get as their first argument (mlc/runtime/abi.h).
#ifndef MLC_CONVERSION_CALL_RECORD_H
#define MLC_CONVERSION_CALL_RECORD_H

#include "to_llvm/to_llvm.h"

// That of the function around the op; NULL after an error: it has none.
MlcValue *call_record_of(MlcOp *op);
// The pointer that a record, or the runtime's table, has in field number `field`.
MlcValue *call_record_field(MlcBuilder *b, MlcValue *record, int64_t field);
// Lowers each call of the module's function `name`, which nobody defines. Where all went the
// function's declaration goes too.
bool lower_runtime_calls(MlcOp *module, const char *name, bool (*lower)(MlcOp *call));

#endif
