// limits.h -- how many dimensions arrays of fixed size hold, and how wide integers are.
//
// What lies beyond is refused where it comes in, or left alone by who would need a larger array:
// nothing is cut off in silence. What a user may set lower for untrusted input is MlcLimits
// (mlc/ir/context.h).
//
// Ownership: nothing is owned.
// Threads: any: these are constants.
#ifndef MLC_IR_LIMITS_H
#define MLC_IR_LIMITS_H

enum {
    // Dimensions of a shaped type, and with them entries of lists of sizes: no text or bytecode
    // has a type with more, whatever --limit-rank says. Loops of structured ops beyond are neither
    // verified nor lowered.
    MLC_RANK_LIMIT = 64,
    // Dimensions and loops of what is scheduled: graph ops, tiles, vectors, accesses of loops.
    // Ops with more are left as they are (mlc_op_is_small), graph ops are refused.
    MLC_SMALL_RANK = 16,
    // Bits of an integer type (MLIR's own limit).
    MLC_INTEGER_WIDTH_LIMIT = (1 << 24) - 1,
};

#endif
