// graph_lower_reductions.c -- reductions and normalisations as linalg.
#include "graph_lower.h"

#include "mlc/dialects/arith.h"

#include <stdio.h>

// The map of the loops marked `keep`.
static MlcAffineMap
map_without(MlcGraphLower *l, size_t num_loops, const bool *dropped)
{
    unsigned loops[MLC_BUILD_RANK];
    size_t n = 0;
    for (unsigned i = 0; i < num_loops; i++)
        if (!dropped[i])
            loops[n++] = i;
    return mlc_map_of_loops(l->b.ctx, (unsigned)num_loops, loops, n);
}

// Reduces the marked dims of x, which go; `body` over x and acc.
static MlcValue *
reduce(MlcGraphLower *l, MlcValue *x, const bool *marked, const char *body, double initial)
{
    static const char *const names[] = {"x", "acc"};
    MlcTensorShape old, shape = {0};
    char iterators[MLC_BUILD_RANK];
    mlc_build_shape_of(&l->b, x, &old);
    for (size_t i = 0; i < old.rank; i++) {
        iterators[i] = marked[i] ? 'r' : 'p';
        if (!marked[i]) {
            shape.values[shape.rank] = old.values[i];
            shape.dims[shape.rank++] = old.dims[i];
        }
    }
    MlcGeneric g = {.inputs = {x},
                    .num_inputs = 1,
                    .maps = {identity_map(l, old.rank), map_without(l, old.rank, marked)},
                    .output = mlc_build_filled(&l->b, &shape, l->element, initial),
                    .num_loops = old.rank,
                    .iterators = iterators,
                    .body = body,
                    .names = names};
    return build_generic(l, &g);
}

// Puts the reduced dims back as sizes of 1.
static MlcValue *
keep_dims(MlcGraphLower *l, MlcValue *reduced, const bool *marked, size_t rank)
{
    MlcTensorShape old, shape = {.rank = rank};
    size_t group[MLC_BUILD_RANK], next = 0;
    mlc_build_shape_of(&l->b, reduced, &old);
    for (size_t i = 0; i < rank; i++) {
        shape.dims[i] = marked[i] ? 1 : old.dims[next];
        shape.values[i] = marked[i] ? NULL : old.values[next];
        next += !marked[i];
        group[i] = next ? next - 1 : 0; // ones at the start join the first dim
    }
    return mlc_build_expand_to(&l->b, reduced, group, &shape);
}

// What the mean of floats is a sum's product with, found when the model runs: 1 over the number of
// elements, rounded once, as a constant would be. Of integers the number.
static MlcValue *
factor_of_mean(MlcGraphLower *l, const bool *marked)
{
    MlcBuilder *b = &l->b;
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcType f64 = mlc_float_type_get(b->ctx, MLC_FLOAT_F64);
    MlcValue *count = mlc_build_index(b, 1);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++)
        if (marked[i])
            count =
                mlc_arith_muli(b, count, mlc_mixed_value(b, mlc_mixed_dim(b, operand(l, 0), i)));
    count = mlc_arith_index_cast(b, i64, count);
    if (!mlc_type_is_float(l->element))
        return l->element == i64 ? count : mlc_arith_trunci(b, l->element, count);
    MlcValue *one = mlc_build_float(b, f64, 1);
    MlcValue *factor = mlc_arith_divf(b, one, mlc_arith_sitofp(b, f64, count));
    return l->element == f64 ? factor : mlc_arith_truncf(b, l->element, factor);
}

static MlcValue *
mean_element(MlcBuilder *b, MlcValue *const *args, void *user)
{
    MlcValue *factor = user;
    if (!mlc_type_is_float(mlc_value_type(factor)))
        return mlc_arith_divsi(b, args[0], factor);
    return mlc_arith_mulf(b, args[0], factor);
}

typedef enum Reduction { REDUCE_SUM, REDUCE_MEAN, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN } Reduction;

static MlcValue *
reduce_op(MlcGraphLower *l, const bool *marked, bool keep, Reduction kind)
{
    static const char *const bodies[] = {"acc + x", "acc + x", "acc * x", "max(acc, x)",
                                         "min(acc, x)"};
    static const char *const of_truths[] = {"acc + x", "acc + x", "acc * x", "unsigned_max(acc, x)",
                                            "unsigned_min(acc, x)"};
    bool is_float = mlc_type_is_float(l->element);
    bool is_truth = mlc_type_is_integer(l->element, 1);
    double initial = kind == REDUCE_MAX    ? mlc_graph_lower_lowest(l)
                     : kind == REDUCE_MIN  ? mlc_graph_lower_highest(l)
                     : kind == REDUCE_PROD ? 1
                                           : 0,
           count = 1;
    MlcType input = mlc_value_type(operand(l, 0));
    MlcValue *value =
        reduce(l, operand(l, 0), marked, is_truth ? of_truths[kind] : bodies[kind], initial);
    bool is_open = false;
    for (size_t i = 0; i < mlc_type_rank(input); i++)
        if (marked[i]) {
            count *= (double)mlc_type_dim(input, i);
            is_open |= mlc_type_dim(input, i) == MLC_DYNAMIC;
        }
    if (kind == REDUCE_MEAN && is_open)
        value = mlc_graph_lower_make_each(l, value, mean_element, factor_of_mean(l, marked));
    else if (kind == REDUCE_MEAN && is_float && count == 0)
        value = mlc_graph_lower_each(l, value, "x / 0"); // NaN
    else if (kind == REDUCE_MEAN && is_float)
        value = mlc_graph_lower_scale(l, value, 1 / count);
    else if (kind == REDUCE_MEAN && count > 0) {
        char body[48];
        snprintf(body, sizeof body, "x / %.0f", count);
        value = mlc_graph_lower_each(l, value, body);
    }
    return keep ? keep_dims(l, value, marked, mlc_type_rank(input)) : value;
}

static MlcValue *
lower_reduction(MlcGraphLower *l, Reduction kind)
{
    bool marked[MLC_BUILD_RANK];
    mlc_graph_reduced_axes(l->op, marked);
    return reduce_op(l, marked, bool_attr(l, "keepdims"), kind);
}

MlcValue *
mlc_graph_lower_reduce_mean(MlcGraphLower *l)
{
    return lower_reduction(l, REDUCE_MEAN);
}

MlcValue *
mlc_graph_lower_reduce_sum(MlcGraphLower *l)
{
    return lower_reduction(l, REDUCE_SUM);
}

MlcValue *
mlc_graph_lower_reduce_prod(MlcGraphLower *l)
{
    return lower_reduction(l, REDUCE_PROD);
}

MlcValue *
mlc_graph_lower_reduce_max(MlcGraphLower *l)
{
    return lower_reduction(l, REDUCE_MAX);
}

MlcValue *
mlc_graph_lower_reduce_min(MlcGraphLower *l)
{
    return lower_reduction(l, REDUCE_MIN);
}

static MlcValue *
lower_global_pool(MlcGraphLower *l, Reduction kind)
{
    bool marked[MLC_BUILD_RANK] = {0};
    size_t rank = mlc_type_rank(l->type);
    for (size_t i = 0; i < rank - 2; i++)
        marked[(is_nhwc(l) ? 1 : 2) + i] = true;
    return reduce_op(l, marked, true, kind);
}

MlcValue *
mlc_graph_lower_global_average_pool(MlcGraphLower *l)
{
    return lower_global_pool(l, REDUCE_MEAN);
}

MlcValue *
mlc_graph_lower_global_max_pool(MlcGraphLower *l)
{
    return lower_global_pool(l, REDUCE_MAX);
}

// e^(x - max) times 1 / sum, along one axis: the sum is 1 at least, so its reciprocal is a normal
// number, and one division serves a row.
MlcValue *
mlc_graph_lower_softmax(MlcGraphLower *l)
{
    static const char *const minus[] = {"x", "largest", "out"};
    static const char *const times[] = {"x", "share", "out"};
    bool marked[MLC_BUILD_RANK] = {0};
    MlcTensorShape shape;
    mlc_build_shape_of(&l->b, operand(l, 0), &shape);
    marked[mlc_graph_axis(l->op)] = true;
    MlcAffineMap all = identity_map(l, shape.rank), rest = map_without(l, shape.rank, marked);
    MlcGeneric g = {.inputs = {operand(l, 0), reduce(l, operand(l, 0), marked, "max(acc, x)",
                                                     mlc_graph_lower_lowest(l))},
                    .num_inputs = 2,
                    .maps = {all, rest, all},
                    .output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .num_loops = shape.rank,
                    .body = "exp(x - largest)",
                    .names = minus};
    MlcValue *powers = build_generic(l, &g);
    g.inputs[0] = powers;
    g.inputs[1] = mlc_graph_lower_each(l, reduce(l, powers, marked, "acc + x", 0), "1 / x");
    g.output = mlc_build_empty_shape(&l->b, &shape, l->element);
    g.body = "x * share";
    g.names = times;
    return build_generic(l, &g);
}

MlcValue *
mlc_graph_lower_batch_norm(MlcGraphLower *l)
{
    static const char *const names[] = {"x", "scale", "bias", "mean", "variance", "out"};
    MlcTensorShape shape;
    mlc_build_shape_of(&l->b, operand(l, 0), &shape);
    unsigned channel = is_nhwc(l) ? (unsigned)shape.rank - 1 : 1;
    MlcGeneric g = {.num_inputs = 5,
                    .output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .num_loops = shape.rank,
                    .body = "(x - mean) * (scale / sqrt(variance + epsilon)) + bias",
                    .names = names,
                    .attrs = l->op};
    for (size_t i = 0; i < 5; i++) {
        g.inputs[i] = operand(l, i);
        g.maps[i] = mlc_map_of_loops(l->b.ctx, (unsigned)shape.rank, &channel, 1);
    }
    g.maps[0] = g.maps[5] = identity_map(l, shape.rank);
    return build_generic(l, &g);
}
