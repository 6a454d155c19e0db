// exec_int.h -- instructions on integers, bits and predicates, by type.
#ifndef MLC_LIB_PTXSIM_EXEC_INT_H
#define MLC_LIB_PTXSIM_EXEC_INT_H

#include "inst.h"

typedef enum Compare {
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_EQU, // or unordered
    COMPARE_NEU,
    COMPARE_LTU,
    COMPARE_LEU,
    COMPARE_GTU,
    COMPARE_GEU,
    COMPARE_NUM,
    COMPARE_NAN,
} Compare;

// What a comparison's result is combined with, in `flags`.
enum { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

// A function of `name` ("add", "mul.wide") on operands of `type`; NULL: there is none.
ExecFn ptx_int_function(MlcStr name, PtxType type);
// setp of a type; selp and slct of so many bytes.
ExecFn ptx_setp_int(PtxType type);
uint32_t ptx_combine(const Warp *w, const Inst *in, uint32_t result, uint32_t mask, Warp *to);

#endif
