// math_in_doubles.h -- functions of f32 (scalars and vectors) by way of f64: twice the registers,
// but no care for the last bit, and denormal numbers and overflow come out right by themselves.
#ifndef MLC_PASSES_MATH_IN_DOUBLES_H
#define MLC_PASSES_MATH_IN_DOUBLES_H

#include "mlc/ir/builder.h"

// Ops before the builder's place; `operands` are one or two values of f32, so is the result.
MlcValue *mlc_build_log_in_doubles(MlcBuilder *b, MlcValue *const *operands);
MlcValue *mlc_build_pow_in_doubles(MlcBuilder *b, MlcValue *const *operands);
MlcValue *mlc_build_sin_in_doubles(MlcBuilder *b, MlcValue *const *operands);
MlcValue *mlc_build_cos_in_doubles(MlcBuilder *b, MlcValue *const *operands);

#endif
