// ownership.h -- what the two halves of ownership-based buffer deallocation share.
#ifndef MLC_PASSES_OWNERSHIP_H
#define MLC_PASSES_OWNERSHIP_H

#include "mlc/pass.h"
#include "mlc/support/map.h"

// Operands that a terminator hands on, and the indicators behind them: one for each that is a
// buffer, whose operands stand there, wrongly, until it is known who owns them.
typedef struct HandedOn {
    size_t first, count, num_indicators;
} HandedOn;

typedef struct OwnershipSignatures {
    MlcMap indicators; // buffer (block argument, result) -> the i1 beside it
    MlcMap ends;       // terminator -> 1 + its place in `handed_on`
    MLC_VEC(HandedOn) handed_on;
    MlcMap dynamic; // functions that return indicators, and calls of them
} OwnershipSignatures;

bool ownership_is_buffer(const MlcValue *value);

// Private functions that are to return indicators beside buffers, as nothing but calls names them.
void ownership_find_dynamic(OwnershipSignatures *s, MlcOp *root);
// An i1 beside each buffer that blocks of the function, ops with regions and their terminators hand
// on; entered with `false`, as the buffers stay with who has them.
void ownership_extend_signatures(OwnershipSignatures *s, MlcOp *function);
void ownership_release(OwnershipSignatures *s);

#endif
