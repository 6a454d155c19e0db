// exec_float.h -- instructions on floats, and conversions.
#ifndef MLC_LIB_PTXSIM_EXEC_FLOAT_H
#define MLC_LIB_PTXSIM_EXEC_FLOAT_H

#include "inst.h"

enum { FLAG_FTZ = 1, FLAG_SAT = 2, FLAG_NAN = 4, FLAG_XORSIGN = 8, FLAG_RELU = 16 };
// In `shape`, of a conversion to an integral number.
enum { TO_INTEGRAL = 1, SATURATE_FINITE = 2 };

// A function of `name` ("add", "ex2.approx") on operands of `type`; NULL: there is none.
ExecFn ptx_float_function(MlcStr name, PtxType type);
// Calls in->inner in the rounding mode of in->variant.
Step ptx_rounded(Warp *w, const Inst *in, uint32_t mask);
ExecFn ptx_setp_float(PtxType type);

// in->from to in->type; and two numbers into one register.
Step ptx_convert(Warp *w, const Inst *in, uint32_t mask);
Step ptx_convert_ints(Warp *w, const Inst *in, uint32_t mask);
Step ptx_convert_pair(Warp *w, const Inst *in, uint32_t mask);
Step ptx_convert_from_pair(Warp *w, const Inst *in, uint32_t mask);

#endif
