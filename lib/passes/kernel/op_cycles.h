// op_cycles.h -- how long code takes, roughly.
#ifndef MLC_PASSES_OP_CYCLES_H
#define MLC_PASSES_OP_CYCLES_H

#include "mlc/ir.h"
#include "mlc/machine.h"

// Cycles of one core for `op` with all that it runs inside: its arithmetic by the machine's vector
// operations a cycle, or its loads and stores if they take longer, everything being in the first
// cache. A loop whose bounds are not constant counts as `MLC_UNKNOWN_TRIPS` iterations, or as those
// that it has at most (mlc.at_most).
enum { MLC_UNKNOWN_TRIPS = 64 };
// Iterations of such a loop that `mlc.at_most` tells; 0: none are told.
int64_t mlc_most_trips(MlcOp *loop);
double mlc_op_cycles(MlcOp *op, const MlcTargetDesc *target);
// The same of one iteration of a loop.
double mlc_op_body_cycles(MlcOp *loop, const MlcTargetDesc *target);
// So many multiplications and additions with constants of so many bytes, which come from memory
// while they go on if no cache of a core holds them.
double mlc_product_cycles(double multiplications, double constant_bytes,
                          const MlcTargetDesc *target);

#endif
