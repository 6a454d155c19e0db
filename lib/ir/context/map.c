// map.c -- affine maps and integer sets: lists of affine expressions over dimensions and symbols.
#include <assert.h>

#include "context_impl.h"
#include "mlc/ir/affine.h"
#include "mlc/support/alloc.h"

MlcAffineMap
mlc_affine_map_get(MlcContext *ctx, unsigned num_dims, unsigned num_symbols,
                   const MlcAffineExpr *results, size_t num_results)
{
    uint64_t head[] = {num_dims, num_symbols, num_results};
    MlcPart parts[] = {{head, sizeof head}, {results, num_results * sizeof *results}};
    return mlc_intern(ctx, MLC_CATEGORY_MAP, 0, parts, 2, sizeof(MlcAffineMap)); // simplified
}

MlcAffineMap
mlc_affine_map_identity(MlcContext *ctx, unsigned num_dims)
{
    MlcAffineExpr few[16] = {0}, *dims = num_dims <= 16 ? few : mlc_malloc(num_dims * sizeof *dims);
    for (unsigned i = 0; i < num_dims; i++)
        dims[i] = mlc_affine_dim(ctx, i);
    MlcAffineMap map = mlc_affine_map_get(ctx, num_dims, 0, dims, num_dims);
    if (dims != few)
        mlc_free(dims);
    return map;
}

MlcAffineMap
mlc_affine_map_constant(MlcContext *ctx, int64_t value)
{
    MlcAffineExpr e = mlc_affine_constant(ctx, value);
    return mlc_affine_map_get(ctx, 0, 0, &e, 1);
}

MlcAffineMap
mlc_affine_map_permutation(MlcContext *ctx, const unsigned *permutation, size_t n)
{
    MlcAffineExpr few[16] = {0}, *dims = n <= 16 ? few : mlc_malloc(n * sizeof *dims);
    for (size_t i = 0; i < n; i++)
        dims[i] = mlc_affine_dim(ctx, permutation[i]);
    MlcAffineMap map = mlc_affine_map_get(ctx, (unsigned)n, 0, dims, n);
    if (dims != few)
        mlc_free(dims);
    return map;
}

MlcContext *
mlc_affine_map_context(MlcAffineMap map)
{
    return map->ctx;
}

unsigned
mlc_affine_map_num_dims(MlcAffineMap map)
{
    return (unsigned)map->num_dims;
}

unsigned
mlc_affine_map_num_symbols(MlcAffineMap map)
{
    return (unsigned)map->num_symbols;
}

unsigned
mlc_affine_map_num_inputs(MlcAffineMap map)
{
    return (unsigned)(map->num_dims + map->num_symbols);
}

size_t
mlc_affine_map_num_results(MlcAffineMap map)
{
    return map->num_results;
}

MlcAffineExpr
mlc_affine_map_result(MlcAffineMap map, size_t i)
{
    assert(i < map->num_results);
    return map->results[i];
}

static bool
is_dim(MlcAffineExpr e, unsigned position)
{
    return mlc_affine_kind(e) == MLC_AFFINE_DIM && mlc_affine_position(e) == position;
}

bool
mlc_affine_map_is_identity(MlcAffineMap map)
{
    if (map->num_dims != map->num_results || map->num_symbols)
        return false;
    for (unsigned i = 0; i < map->num_results; i++)
        if (!is_dim(map->results[i], i))
            return false;
    return true;
}

bool
mlc_affine_map_is_projected_permutation(MlcAffineMap map, bool allow_zero)
{
    if (map->num_symbols || map->num_results > map->num_dims)
        return false;
    bool few[64] = {0}, *seen = map->num_dims <= 64 ? few : mlc_calloc(map->num_dims, 1);
    bool is_one = true;
    for (size_t i = 0; i < map->num_results && is_one; i++) {
        MlcAffineExpr e = map->results[i];
        if (mlc_affine_kind(e) == MLC_AFFINE_DIM) {
            is_one = !seen[mlc_affine_position(e)];
            seen[mlc_affine_position(e)] = true;
        } else {
            is_one =
                allow_zero && mlc_affine_kind(e) == MLC_AFFINE_CONSTANT && mlc_affine_value(e) == 0;
        }
    }
    if (seen != few)
        mlc_free(seen);
    return is_one;
}

bool
mlc_affine_map_is_permutation(MlcAffineMap map)
{
    return map->num_dims == map->num_results && mlc_affine_map_is_projected_permutation(map, false);
}

bool
mlc_affine_map_is_constant(MlcAffineMap map, int64_t *value)
{
    if (map->num_results != 1 || mlc_affine_kind(map->results[0]) != MLC_AFFINE_CONSTANT)
        return false;
    *value = mlc_affine_value(map->results[0]);
    return true;
}

MlcAffineMap
mlc_affine_map_inverse_permutation(MlcAffineMap map)
{
    if (map->num_symbols)
        return NULL;
    MlcAffineExpr *inverse = mlc_calloc(map->num_dims, sizeof *inverse);
    size_t num_found = 0;
    for (unsigned i = 0; i < map->num_results; i++) {
        MlcAffineExpr e = map->results[i];
        if (mlc_affine_kind(e) != MLC_AFFINE_DIM || inverse[mlc_affine_position(e)])
            continue;
        inverse[mlc_affine_position(e)] = mlc_affine_dim(map->ctx, i);
        num_found++;
    }
    MlcAffineMap result = NULL;
    if (num_found == map->num_dims)
        result = mlc_affine_map_get(map->ctx, (unsigned)map->num_results, 0, inverse, num_found);
    mlc_free(inverse);
    return result;
}

// Symbols of the result: outer's first, then inner's, as MLIR's AffineMap::compose has them.
MlcAffineMap
mlc_affine_map_compose(MlcAffineMap outer, MlcAffineMap inner)
{
    assert(outer->num_dims == inner->num_results);
    MlcContext *ctx = outer->ctx;
    MlcAffineExpr *exprs =
        mlc_malloc((inner->num_symbols + inner->num_results + outer->num_results) * sizeof *exprs);
    MlcAffineExpr *symbols = exprs, *values = symbols + inner->num_symbols,
                  *results = values + inner->num_results;
    for (unsigned i = 0; i < inner->num_symbols; i++)
        symbols[i] = mlc_affine_symbol(ctx, i + (unsigned)outer->num_symbols);
    for (size_t i = 0; i < inner->num_results; i++)
        values[i] = mlc_affine_replace(inner->results[i], NULL, 0, symbols, inner->num_symbols);
    for (size_t i = 0; i < outer->num_results; i++)
        results[i] = mlc_affine_replace(outer->results[i], values, inner->num_results, NULL, 0);
    MlcAffineMap map = mlc_affine_map_get(ctx, (unsigned)inner->num_dims,
                                          (unsigned)(outer->num_symbols + inner->num_symbols),
                                          results, outer->num_results);
    mlc_free(exprs);
    return map;
}

MlcAffineMap
mlc_affine_map_concat(const MlcAffineMap *maps, size_t num_maps)
{
    assert(num_maps > 0);
    MLC_VEC(MlcAffineExpr) results = {0};
    for (size_t i = 0; i < num_maps; i++)
        for (size_t j = 0; j < maps[i]->num_results; j++)
            mlc_vec_push(&results, maps[i]->results[j]);
    MlcAffineMap map =
        mlc_affine_map_get(maps[0]->ctx, (unsigned)maps[0]->num_dims,
                           (unsigned)maps[0]->num_symbols, results.data, results.size);
    mlc_vec_release(&results);
    return map;
}

MlcAffineMap
mlc_affine_map_sub(MlcAffineMap map, const size_t *results, size_t num_results)
{
    MlcAffineExpr *kept = mlc_malloc(num_results * sizeof *kept);
    for (size_t i = 0; i < num_results; i++)
        kept[i] = mlc_affine_map_result(map, results[i]);
    MlcAffineMap sub = mlc_affine_map_get(map->ctx, (unsigned)map->num_dims,
                                          (unsigned)map->num_symbols, kept, num_results);
    mlc_free(kept);
    return sub;
}

MlcAffineMap
mlc_affine_map_drop_dims(MlcAffineMap map, const bool *dropped)
{
    MlcAffineExpr *exprs = mlc_malloc((map->num_dims + map->num_results) * sizeof *exprs);
    MlcAffineExpr *dims = exprs, *results = exprs + map->num_dims;
    unsigned num_kept = 0;
    for (size_t i = 0; i < map->num_dims; i++)
        dims[i] =
            dropped[i] ? mlc_affine_constant(map->ctx, 0) : mlc_affine_dim(map->ctx, num_kept++);
    for (size_t i = 0; i < map->num_results; i++)
        results[i] = mlc_affine_replace(map->results[i], dims, map->num_dims, NULL, 0);
    MlcAffineMap smaller = mlc_affine_map_get(map->ctx, num_kept, (unsigned)map->num_symbols,
                                              results, map->num_results);
    mlc_free(exprs);
    return smaller;
}

MlcAffineMap
mlc_affine_map_replace(MlcAffineMap map, const MlcAffineExpr *dims, const MlcAffineExpr *symbols,
                       unsigned num_dims, unsigned num_symbols)
{
    size_t n = map->num_results;
    MlcAffineExpr few[8] = {0}, *results = n <= 8 ? few : mlc_malloc(n * sizeof *results);
    for (size_t i = 0; i < n; i++)
        results[i] = mlc_affine_replace(map->results[i], dims, dims ? map->num_dims : 0, symbols,
                                        symbols ? map->num_symbols : 0);
    map = mlc_affine_map_get(map->ctx, num_dims, num_symbols, results, n);
    if (results != few)
        mlc_free(results);
    return map;
}

bool
mlc_affine_map_eval(MlcAffineMap map, const int64_t *inputs, int64_t *results)
{
    for (size_t i = 0; i < map->num_results; i++)
        if (!mlc_affine_eval(map->results[i], inputs, inputs + map->num_dims, &results[i]))
            return false;
    return true;
}

// --- sets

MlcIntegerSet
mlc_integer_set_get(MlcContext *ctx, unsigned num_dims, unsigned num_symbols,
                    const MlcAffineExpr *constraints, const bool *is_equality, size_t n)
{
    uint64_t head[] = {num_dims, num_symbols, n};
    MlcPart parts[] = {{head, sizeof head},
                       {constraints, n * sizeof *constraints},
                       {is_equality, n * sizeof *is_equality}};
    return mlc_intern(ctx, MLC_CATEGORY_SET, 0, parts, 3, 0);
}

unsigned
mlc_integer_set_num_dims(MlcIntegerSet set)
{
    return (unsigned)set->num_dims;
}

unsigned
mlc_integer_set_num_symbols(MlcIntegerSet set)
{
    return (unsigned)set->num_symbols;
}

size_t
mlc_integer_set_num_constraints(MlcIntegerSet set)
{
    return set->num_constraints;
}

MlcAffineExpr
mlc_integer_set_constraint(MlcIntegerSet set, size_t i)
{
    assert(i < set->num_constraints);
    return set->constraints[i];
}

bool
mlc_integer_set_is_equality(MlcIntegerSet set, size_t i)
{
    assert(i < set->num_constraints);
    return ((const bool *)(set->constraints + set->num_constraints))[i];
}
