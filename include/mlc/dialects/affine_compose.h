// affine_compose.h -- affine maps together with the values they are applied to: which values may be
// dimensions and symbols, and the canonical form of a map and its operands.
//
// Ownership: value maps are the caller's to release; new ops belong to their block.
// Threads: as for editing ops (mlc/ir/op.h).
#ifndef MLC_DIALECTS_AFFINE_COMPOSE_H
#define MLC_DIALECTS_AFFINE_COMPOSE_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

// The region of the nearest op with an affine scope around `op`; NULL if there is none.
MLC_API MlcRegion *mlc_affine_scope(const MlcOp *op);
// A symbol does not change in the scope: a constant, a value of the scope's top level or from
// above it, affine.apply of symbols, a size of a memref or tensor that is one of these.
MLC_API bool mlc_affine_is_symbol(MlcValue *value);
MLC_API bool mlc_affine_is_symbol_in(MlcValue *value, MlcRegion *scope);
// A dimension is a symbol, a variable of an affine loop, or affine.apply of dimensions.
MLC_API bool mlc_affine_is_dim(MlcValue *value);
MLC_API bool mlc_affine_is_dim_in(MlcValue *value, MlcRegion *scope);
// Of a value at the top level of any affine scope.
MLC_API bool mlc_affine_is_top_level(const MlcValue *value);
// The affine.for whose induction variable the value is; NULL if it is none.
MLC_API MlcOp *mlc_affine_loop_of(const MlcValue *value);

// A map and one value per input, dimensions first. Sets are maps of their constraints here.
typedef struct MlcValueMap {
    MlcAffineMap map;
    MlcValueVec operands;
} MlcValueMap;
// With op's operands from `first` on, copied.
MLC_API MlcValueMap mlc_value_map_of(MlcAffineMap map, const MlcOp *op, size_t first);
MLC_API void mlc_value_map_release(MlcValueMap *vm);
MLC_API bool mlc_value_map_is(const MlcValueMap *vm, MlcAffineMap map, const MlcOp *op,
                              size_t first);
// Symbols among the dimensions become symbols, constants go into the map, what is unused or
// there twice goes.
MLC_API void mlc_value_map_canonicalize(MlcValueMap *vm);
// Replaces operands made by affine.apply by that op's map and operands; then canonical and simple.
MLC_API void mlc_value_map_compose(MlcValueMap *vm);
MLC_API void mlc_value_map_compose_fully(MlcValueMap *vm); // until none is left
// Uses what is known of loop variables among the operands.
MLC_API void mlc_value_map_simplify(MlcValueMap *vm);
// Drops results that cannot be the greatest (`is_max`) or the least.
MLC_API void mlc_value_map_drop_redundant(MlcValueMap *vm, bool is_max);
// a - b, result by result; b may have one result for all of a's. Composed and simple.
MLC_API MlcValueMap mlc_value_map_difference(const MlcValueMap *a, const MlcValueMap *b);
// The value of a map with one result, composed: a constant, an operand or affine.apply. Releases
// vm.
MLC_API MlcValue *mlc_value_map_build(MlcBuilder *b, MlcValueMap *vm);
// An expression over symbols, each a value or a constant: a constant if it is one, else a value as
// above.
MLC_API MlcMixed mlc_mixed_apply(MlcBuilder *b, MlcAffineExpr e, const MlcMixed *symbols, size_t n);
// The least of them.
MLC_API MlcMixed mlc_mixed_min(MlcBuilder *b, const MlcMixed *items, size_t n);
// The map with each of its results once, in the order of their first place.
MLC_API MlcAffineMap mlc_affine_map_without_duplicates(MlcAffineMap map);

MLC_END_DECLS

#endif
