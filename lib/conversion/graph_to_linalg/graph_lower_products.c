// graph_lower_products.c -- matrix products as linalg: named ops where one says exactly the same,
// linalg.generic where batches broadcast.
#include "graph_lower.h"

#include "mlc/dialects/linalg.h"

static MlcValue *
product(MlcGraphLower *l, const MlcOpDef *def, MlcValue *a, MlcValue *b, MlcValue *init)
{
    static const char *const names[] = {"a", "b", "acc"};
    MlcGeneric g = {.def = def,
                    .inputs = {a, b},
                    .num_inputs = 2,
                    .output = init,
                    .body = has_narrow_factors(l) ? "acc + cast(a) * cast(b)" : "acc + a * b",
                    .names = names};
    return build_generic(l, &g);
}

static MlcValue *
transposed(MlcGraphLower *l, MlcValue *matrix)
{
    MlcTensorShape old, shape = {.rank = 2};
    mlc_build_shape_of(&l->b, matrix, &old);
    for (size_t i = 0; i < 2; i++) {
        shape.dims[i] = old.dims[1 - i];
        shape.values[i] = old.values[1 - i];
    }
    MlcAffineMap map = mlc_map_of_loops(l->b.ctx, 2, (const unsigned[]){1, 0}, 2);
    return mlc_graph_lower_map(l, matrix, map, &shape, "x");
}

// The bias of a Gemm over the whole result.
static MlcValue *
broadcast_matrix(MlcGraphLower *l, MlcValue *c, const MlcTensorShape *shape)
{
    MlcAffineMap map;
    MlcValue *value = mlc_graph_lower_broadcast(l, c, shape, &map);
    bool is_plain = !mlc_type_is_float(l->element) || float_attr(l, "beta") == 1;
    return mlc_graph_lower_map(l, value, map, shape, is_plain ? "x" : "x * beta");
}

MlcValue *
mlc_graph_lower_gemm(MlcGraphLower *l)
{
    static const char *const names[] = {"product", "c", "out"};
    bool is_scaled = float_attr(l, "alpha") != 1;
    bool trans_b = bool_attr(l, "trans_b");
    MlcValue *a = operand(l, 0), *b = operand(l, 1);
    a = bool_attr(l, "trans_a") ? transposed(l, a) : a;
    MlcTensorShape shape = {.rank = 2}, rows, columns;
    mlc_build_shape_of(&l->b, a, &rows);
    mlc_build_shape_of(&l->b, b, &columns);
    shape.dims[0] = rows.dims[0];
    shape.values[0] = rows.values[0];
    shape.dims[1] = columns.dims[!trans_b];
    shape.values[1] = columns.values[!trans_b];
    MlcValue *c = num_operands(l) > 2 ? broadcast_matrix(l, operand(l, 2), &shape) : NULL;
    MlcValue *init = c && !is_scaled ? c : mlc_build_filled(&l->b, &shape, l->element, 0);
    // A transposed b is read as it lies, row by row; constant ones were stored plain by
    // graph_layout.
    MlcValue *result = product(
        l, trans_b ? &mlc_linalg_matmul_transpose_b_def : &mlc_linalg_matmul_def, a, b, init);
    if (!is_scaled)
        return result;
    if (!c)
        return mlc_graph_lower_each(l, result, "x * alpha");
    MlcAffineMap map = identity_map(l, 2);
    MlcGeneric g = {.inputs = {result, c},
                    .num_inputs = 2,
                    .maps = {map, map, map},
                    .output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .num_loops = 2,
                    .body = "alpha * product + c",
                    .names = names,
                    .attrs = l->op};
    return build_generic(l, &g);
}

// Batches that broadcast, and vectors: loops over the result's dims, then the inner one.
static MlcValue *
generic_matmul(MlcGraphLower *l, MlcValue *init)
{
    static const char *const names[] = {"a", "b", "acc"};
    MlcContext *ctx = l->b.ctx;
    size_t rank = mlc_type_rank(l->type);
    size_t rank_a = rank_of(operand(l, 0)), rank_b = rank_of(operand(l, 1));
    size_t batch = rank - (rank_a > 1) - (rank_b > 1);
    unsigned inner = (unsigned)rank, row = (unsigned)batch,
             column = (unsigned)(batch + (rank_a > 1));
    MlcTensorShape loops = {.rank = batch};
    char iterators[MLC_BUILD_RANK];
    for (size_t i = 0; i <= rank; i++)
        iterators[i] = i < rank ? 'p' : 'r';
    for (size_t i = 0; i < batch; i++)
        loops.dims[i] = mlc_type_dim(l->type, i);
    MlcGeneric g = {.num_inputs = 2,
                    .output = init,
                    .num_loops = rank + 1,
                    .iterators = iterators,
                    .body = has_narrow_factors(l) ? "acc + cast(a) * cast(b)" : "acc + a * b",
                    .names = names};
    for (size_t k = 0; k < 2; k++) { // drop batch dims of size 1 that are broadcast
        MlcTensorShape old, kept = {0};
        unsigned dims[MLC_BUILD_RANK];
        size_t group[MLC_BUILD_RANK];
        mlc_build_shape_of(&l->b, operand(l, k), &old);
        size_t matrix = old.rank > 1 ? 2 : 1;
        for (size_t i = 0; i < old.rank; i++) {
            bool in_batch = i + matrix < old.rank;
            size_t loop = in_batch ? i + batch - (old.rank - matrix) : 0;
            if (!in_batch || old.dims[i] != 1 || loops.dims[loop] == 1) {
                bool last = i + 1 == old.rank;
                dims[kept.rank] = in_batch ? (unsigned)loop
                                  : k == 0 ? (last ? inner : row)
                                           : (last && matrix == 2 ? column : inner);
                kept.values[kept.rank] = old.values[i];
                kept.dims[kept.rank++] = old.dims[i];
            }
            group[i] = kept.rank ? kept.rank - 1 : 0;
        }
        g.inputs[k] = mlc_build_collapse_to(&l->b, operand(l, k), group, &kept);
        g.maps[k] = mlc_map_of_loops(ctx, (unsigned)rank + 1, dims, kept.rank);
    }
    unsigned outs[MLC_BUILD_RANK];
    for (unsigned i = 0; i < rank; i++)
        outs[i] = i;
    g.maps[2] = mlc_map_of_loops(ctx, (unsigned)rank + 1, outs, rank);
    return build_generic(l, &g);
}

MlcValue *
mlc_graph_lower_matmul(MlcGraphLower *l)
{
    MlcTensorShape shape;
    MlcType a = mlc_value_type(operand(l, 0)), b = mlc_value_type(operand(l, 1));
    mlc_graph_lower_batch_shape(l, &shape);
    MlcValue *init = mlc_build_filled(&l->b, &shape, l->element, 0);
    if (has_narrow_factors(l) && !mlc_type_is_float(l->element)) // no named op has the signs
        return generic_matmul(l, init);
    if (mlc_type_rank(a) == 2 && mlc_type_rank(b) == 2)
        return product(l, &mlc_linalg_matmul_def, operand(l, 0), operand(l, 1), init);
    if (mlc_type_rank(a) == 3 && mlc_type_rank(b) == 3 && mlc_type_dim(a, 0) == mlc_type_dim(b, 0))
        return product(l, &mlc_linalg_batch_matmul_def, operand(l, 0), operand(l, 1), init);
    return generic_matmul(l, init);
}

// Loops over the rows' dimensions, columns, blocks, and places of a block.
MlcValue *
mlc_graph_lower_block_matmul(MlcGraphLower *l)
{
    static const char *const names[] = {"a", "b", "scale", "acc"};
    MlcTensorShape shape, cut;
    MlcType blocks = mlc_value_type(operand(l, 1));
    char iterators[MLC_BUILD_RANK];
    unsigned outs[MLC_BUILD_RANK], lefts[MLC_BUILD_RANK];
    size_t group[MLC_BUILD_RANK];
    mlc_graph_lower_batch_shape(l, &shape);
    mlc_build_shape_of(&l->b, operand(l, 0), &cut);
    unsigned rank = (unsigned)shape.rank, column = rank - 1, block = rank, place = rank + 1;
    for (unsigned i = 0; i < rank + 2; i++)
        iterators[i] = i < rank ? 'p' : 'r';
    for (unsigned i = 0; i < rank; i++)
        outs[i] = lefts[i] = i;
    lefts[rank - 1] = block;
    lefts[rank] = place;
    for (size_t i = 0; i <= rank; i++)
        group[i] = i < rank ? i : rank - 1;
    cut.dims[rank - 1] = mlc_type_dim(blocks, 0);
    cut.dims[rank] = mlc_type_dim(blocks, 1);
    cut.values[rank] = NULL;
    cut.rank = rank + 1;
    MlcContext *ctx = l->b.ctx;
    MlcGeneric g = {
        .inputs = {mlc_build_expand_to(&l->b, operand(l, 0), group, &cut), operand(l, 1),
                   operand(l, 2)},
        .num_inputs = 3,
        .maps = {mlc_map_of_loops(ctx, rank + 2, lefts, rank + 1),
                 mlc_map_of_loops(ctx, rank + 2, (const unsigned[]){block, place, column}, 3),
                 mlc_map_of_loops(ctx, rank + 2, (const unsigned[]){block, column}, 2),
                 mlc_map_of_loops(ctx, rank + 2, outs, rank)},
        .output = mlc_build_filled(&l->b, &shape, l->element, 0),
        .num_loops = rank + 2,
        .iterators = iterators,
        .body = "acc + a * (cast(b) * scale)",
        .names = names};
    return build_generic(l, &g);
}
