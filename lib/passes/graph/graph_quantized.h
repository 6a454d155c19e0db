// graph_quantized.h -- integers that stand for reals, (number - zero point) * scale: which values
// of a graph are that, and constants of them.
#ifndef MLC_PASSES_GRAPH_QUANTIZED_H
#define MLC_PASSES_GRAPH_QUANTIZED_H

#include "mlc/ir.h"

// scale * (bytes - zero): what a value is computed from.
typedef struct MlcStored {
    MlcValue *bytes; // of 8 bits
    MlcValue *zero;  // i32, of one element; NULL: 0
    int64_t shift;   // added to the zero point
    MlcValue *scale; // f32, of one element; NULL: 1, and the value is i32
} MlcStored;

bool mlc_is_integer_of(MlcType type, unsigned bits); // elements of so many bits
// Whether `value`, of i32 or f32, is computed so from bytes; no constant is.
bool mlc_find_stored(MlcValue *value, MlcStored *stored);

// The numbers of a constant of integers of up to 32 bits, or of what casts, differences, reshapes,
// transposes and gathers make of such ones: as many as its static type has. NULL if it is none; the caller
// frees them.
int32_t *mlc_read_integers(MlcValue *value);
// Of a constant of f32, perhaps reshaped: `count` numbers, or one for all. False: it is none, or
// has another number of them.
bool mlc_read_reals(MlcValue *value, double *numbers, size_t count);
// The one number of a constant of f32.
bool mlc_read_real(MlcValue *value, double *number);

// Constants of a tensor type of i8, i32 or f32, before `before`.
MlcValue *mlc_build_bytes(MlcOp *before, MlcType type, const int32_t *numbers, size_t count,
                          MlcStr key);
MlcValue *mlc_build_integers(MlcOp *before, MlcType type, const int32_t *numbers, size_t count);

#endif
