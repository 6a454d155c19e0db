// linear.h -- small systems of linear inequalities over integers, and whether they have no
// solution.
//
// Ownership: systems are the caller's to release; their numbers lie in them.
// Threads: any; a system belongs to one at a time.
#ifndef MLC_ANALYSIS_LINEAR_H
#define MLC_ANALYSIS_LINEAR_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

enum { MLC_LINEAR_MAX = 24 }; // variables

// coeffs[i] of variable i, and the constant last. Zero it before use.
typedef struct MlcLinear {
    int64_t coeffs[MLC_LINEAR_MAX + 1];
} MlcLinear;

// Values are variables; so are quotients that come up in expressions. One that outgrows its limits
// forgets what is added, and then nothing follows from it that is not so.
typedef struct MlcLinearSystem {
    MlcValue *values[MLC_LINEAR_MAX]; // NULL: no value's
    size_t num_vars;
    MLC_VEC(MlcLinear) rows; // each >= 0
} MlcLinearSystem;
// Frees what the system holds; the struct is the caller's.
MLC_API void mlc_linear_release(MlcLinearSystem *system);

// The value as an expression: a constant, or its variable, made when it is first asked for. False
// if there is no room, or the constant is too large.
MLC_API bool mlc_linear_of_value(MlcLinearSystem *system, MlcValue *value, MlcLinear *out);
// An affine expression over values, dimensions first. Quotients and remainders by constants become
// variables with their bounds. False if it is not linear otherwise.
MLC_API bool mlc_linear_of_expr(MlcLinearSystem *system, MlcAffineExpr e, MlcValue *const *operands,
                                unsigned num_dims, MlcLinear *out);
// a + scale * b + constant; false on overflow.
MLC_API bool mlc_linear_add(const MlcLinear *a, int64_t scale, const MlcLinear *b, int64_t constant,
                            MlcLinear *out);
MLC_API void mlc_linear_require(MlcLinearSystem *system, const MlcLinear *not_negative);
// Whether, for certain, no integers satisfy the system and `also` >= 0 (may be NULL).
MLC_API bool mlc_linear_contradicts(const MlcLinearSystem *system, const MlcLinear *also);

MLC_END_DECLS

#endif
