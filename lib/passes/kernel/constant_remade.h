// constant_remade.h -- constants made of others: weights transposed, packed, transformed.
//
// Of a resource (what a model's weights are) the bytes are made when they are asked for, mostly by
// who writes them to a file, one after the other: the weights of a model are never in memory in two
// forms, however often they are remade.
#ifndef MLC_PASSES_CONSTANT_REMADE_H
#define MLC_PASSES_CONSTANT_REMADE_H

#include "mlc/ir.h"

// Fills zeroed memory with elements in row-major order, out of those of another constant: all of
// them, or one for all if it is a splat. Called in any thread, perhaps more than once.
typedef void (*MlcRemakeFn)(void *to, const void *from, bool is_splat, const void *recipe);
// What `old`, whose data is known, becomes: of `type`, the resource `key` if it is a resource
// itself. `make` gets a copy of `recipe`, which must not point to ops.
MlcAttr mlc_constant_remade(MlcAttr old, MlcType type, MlcStr key, MlcRemakeFn make,
                            const void *recipe, size_t recipe_size);

// The elements of a constant whose data is known, for one reader, who gives them back: one if it is
// a splat.
const void *mlc_constant_borrow(MlcAttr constant, bool *is_splat, void **temporary);
void mlc_constant_give_back(MlcAttr constant, void *temporary);

#endif
