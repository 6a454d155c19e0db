// buffer_flow.h -- which values may hold a buffer that was made somewhere: those that it flows to,
// through views, branches and regions.
#ifndef MLC_PASSES_BUFFER_FLOW_H
#define MLC_PASSES_BUFFER_FLOW_H

#include "mlc/ir.h"

// Appends `buffer` and all values that may be it, or a view of it. What an op that nobody knows
// makes of buffers may be any of them.
void buffer_flow(MlcValue *buffer, MlcValueVec *out);
bool buffer_is_buffer(const MlcValue *value);
// Is op the body of control flow that is known: a loop, or branches into regions?
bool buffer_knows_flow(MlcOp *op);

#endif
