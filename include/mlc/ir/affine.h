// affine.h -- affine expressions, maps and integer sets, uniqued, and simplified as MLIR does on
// construction (constants folded and moved right, sums of constants joined, x*1, x+0, mod and
// floordiv of known multiples).
//
// Ownership: expressions, maps and sets live as long as their context; arrays that come out are
// theirs.
// Threads: any.
#ifndef MLC_IR_AFFINE_H
#define MLC_IR_AFFINE_H

#include "mlc/ir/fwd.h"

MLC_BEGIN_DECLS

typedef enum MlcAffineKind {
    MLC_AFFINE_ADD,
    MLC_AFFINE_MUL,
    MLC_AFFINE_MOD,
    MLC_AFFINE_FLOORDIV,
    MLC_AFFINE_CEILDIV,
    MLC_AFFINE_CONSTANT,
    MLC_AFFINE_DIM,
    MLC_AFFINE_SYMBOL,
} MlcAffineKind;

// Expressions are uniqued and simplified when they are made: equal ones are the same pointer. A
// dimension and a symbol by their position, and a number.
MLC_API MlcAffineExpr mlc_affine_dim(MlcContext *ctx, unsigned position);
MLC_API MlcAffineExpr mlc_affine_symbol(MlcContext *ctx, unsigned position);
MLC_API MlcAffineExpr mlc_affine_constant(MlcContext *ctx, int64_t value);
// lhs `kind` rhs, of one context.
MLC_API MlcAffineExpr mlc_affine_binary(MlcAffineKind kind, MlcAffineExpr lhs, MlcAffineExpr rhs);
// Sum, difference and product, and those with a number.
MLC_API MlcAffineExpr mlc_affine_add(MlcAffineExpr lhs, MlcAffineExpr rhs);
MLC_API MlcAffineExpr mlc_affine_sub(MlcAffineExpr lhs, MlcAffineExpr rhs);
MLC_API MlcAffineExpr mlc_affine_mul(MlcAffineExpr lhs, MlcAffineExpr rhs);
MLC_API MlcAffineExpr mlc_affine_mul_const(MlcAffineExpr lhs, int64_t rhs);
MLC_API MlcAffineExpr mlc_affine_add_const(MlcAffineExpr lhs, int64_t rhs);

// What the expression is.
MLC_API MlcAffineKind mlc_affine_kind(MlcAffineExpr e);
MLC_API MlcAffineExpr mlc_affine_lhs(MlcAffineExpr e); // of binary kinds
// The right operand of a binary expression.
MLC_API MlcAffineExpr mlc_affine_rhs(MlcAffineExpr e);
MLC_API int64_t mlc_affine_value(MlcAffineExpr e);     // of a constant
MLC_API unsigned mlc_affine_position(MlcAffineExpr e); // of a dim or symbol
// The context that it is uniqued in.
MLC_API MlcContext *mlc_affine_context(MlcAffineExpr e);
// Truly affine: mul, mod and div by symbol-free constants only.
MLC_API bool mlc_affine_is_pure(MlcAffineExpr e);
// Whether dimension `position` occurs in it.
MLC_API bool mlc_affine_uses_dim(MlcAffineExpr e, unsigned position);
// Replaces dim i by dims[i] and symbol j by symbols[j]; those past the counts stay.
MLC_API MlcAffineExpr mlc_affine_replace(MlcAffineExpr e, const MlcAffineExpr *dims,
                                         size_t num_dims, const MlcAffineExpr *symbols,
                                         size_t num_symbols);
// The value at a point; false where a divisor is <= 0 or the result overflows int64.
MLC_API bool mlc_affine_eval(MlcAffineExpr e, const int64_t *dims, const int64_t *symbols,
                             int64_t *result);
// Coefficients of a linear expression: coeffs[i] of d_i, coeffs[num_dims + j] of s_j, and last the
// constant; false if it is not linear.
MLC_API bool mlc_affine_linear(MlcAffineExpr e, unsigned num_dims, unsigned num_symbols,
                               int64_t *coeffs);
// The same value as a sum in MLIR's order: one term per dimension, symbol, quotient and product.
MLC_API MlcAffineExpr mlc_affine_simplify(MlcAffineExpr e, unsigned num_dims, unsigned num_symbols);
// The largest number that is easily seen to divide the expression; 0 for the constant 0.
MLC_API int64_t mlc_affine_known_divisor(MlcAffineExpr e);
MLC_API bool mlc_affine_uses_symbol(MlcAffineExpr e, unsigned position);
// Every occurrence of `from`, which may be any expression, becomes `to`.
MLC_API MlcAffineExpr mlc_affine_replace_expr(MlcAffineExpr e, MlcAffineExpr from,
                                              MlcAffineExpr to);

// What is known of the inputs: lower[i] <= input i <= upper[i], dimensions first.
typedef struct MlcKnownBound {
    bool is_known;
    int64_t value;
} MlcKnownBound;
typedef struct MlcAffineBounds {
    unsigned num_dims, num_symbols;
    const MlcKnownBound *lower, *upper;
} MlcAffineBounds;
// A bound of the expression that follows from those of its inputs; false if none does.
MLC_API bool mlc_affine_bound(MlcAffineExpr e, const MlcAffineBounds *bounds, bool is_upper,
                              int64_t *bound);

// A uniqued map; `results` is copied.
MLC_API MlcAffineMap mlc_affine_map_get(MlcContext *ctx, unsigned num_dims, unsigned num_symbols,
                                        const MlcAffineExpr *results, size_t num_results);
// (d0, ..., dn) -> (d0, ..., dn), and the same with results in the order of `permutation`.
MLC_API MlcAffineMap mlc_affine_map_identity(MlcContext *ctx, unsigned num_dims);
MLC_API MlcAffineMap mlc_affine_map_constant(MlcContext *ctx, int64_t value); // () -> (value)
MLC_API MlcAffineMap mlc_affine_map_permutation(MlcContext *ctx, const unsigned *permutation,
                                                size_t n);
// The context it is uniqued in, and its parts.
MLC_API MlcContext *mlc_affine_map_context(MlcAffineMap map);
MLC_API unsigned mlc_affine_map_num_dims(MlcAffineMap map);
MLC_API unsigned mlc_affine_map_num_symbols(MlcAffineMap map);
MLC_API unsigned mlc_affine_map_num_inputs(MlcAffineMap map); // dims + symbols
MLC_API size_t mlc_affine_map_num_results(MlcAffineMap map);
MLC_API MlcAffineExpr mlc_affine_map_result(MlcAffineMap map, size_t i);
// Whether each result is the dimension of its number, each dimension once in any order, or
// (projected) some of the dimensions once each, with zeros between if `allow_zero`. No symbols.
MLC_API bool mlc_affine_map_is_identity(MlcAffineMap map);
MLC_API bool mlc_affine_map_is_permutation(MlcAffineMap map);
MLC_API bool mlc_affine_map_is_projected_permutation(MlcAffineMap map, bool allow_zero);
MLC_API bool mlc_affine_map_is_constant(MlcAffineMap map, int64_t *value); // one constant result
MLC_API MlcAffineMap mlc_affine_map_inverse_permutation(MlcAffineMap map); // NULL if it has none
// outer(inner(x)).
MLC_API MlcAffineMap mlc_affine_map_compose(MlcAffineMap outer, MlcAffineMap inner);
// Same dims and symbols.
MLC_API MlcAffineMap mlc_affine_map_concat(const MlcAffineMap *maps, size_t num_maps);
// The same dimensions and symbols, with the results of these numbers, in this order.
MLC_API MlcAffineMap mlc_affine_map_sub(MlcAffineMap map, const size_t *results,
                                        size_t num_results);
// Those must be unused.
MLC_API MlcAffineMap mlc_affine_map_drop_dims(MlcAffineMap map, const bool *dropped);
// Dim i becomes dims[i], symbol j becomes symbols[j]; the result has the given counts. NULL: kept.
MLC_API MlcAffineMap mlc_affine_map_replace(MlcAffineMap map, const MlcAffineExpr *dims,
                                            const MlcAffineExpr *symbols, unsigned num_dims,
                                            unsigned num_symbols);
MLC_API MlcAffineMap mlc_affine_map_simplify(MlcAffineMap map); // every result
MLC_API bool mlc_affine_map_eval(MlcAffineMap map, const int64_t *inputs, int64_t *results);

// A uniqued set: constraints expr >= 0, or expr == 0 where `is_equality`; both arrays are copied.
MLC_API MlcIntegerSet mlc_integer_set_get(MlcContext *ctx, unsigned num_dims, unsigned num_symbols,
                                          const MlcAffineExpr *constraints, const bool *is_equality,
                                          size_t n);
// Its parts.
MLC_API unsigned mlc_integer_set_num_dims(MlcIntegerSet set);
MLC_API unsigned mlc_integer_set_num_symbols(MlcIntegerSet set);
MLC_API size_t mlc_integer_set_num_constraints(MlcIntegerSet set);
// expr >= 0, or expr == 0.
MLC_API MlcAffineExpr mlc_integer_set_constraint(MlcIntegerSet set, size_t i);
// Whether constraint `i` is expr == 0.
MLC_API bool mlc_integer_set_is_equality(MlcIntegerSet set, size_t i);

MLC_END_DECLS

#endif
