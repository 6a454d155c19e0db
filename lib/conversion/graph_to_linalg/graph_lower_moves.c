// graph_lower_moves.c -- ops that only move elements as linalg and tensor ops: reshapes, slices,
// gathers.
#include "graph_lower.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/tensor.h"

MlcValue *
mlc_graph_lower_identity(MlcGraphLower *l)
{
    return operand(l, 0);
}

MlcValue *
mlc_graph_lower_constant(MlcGraphLower *l)
{
    return mlc_build_constant(&l->b, mlc_graph_constant_value(l->op));
}

MlcValue *
mlc_graph_lower_reshape(MlcGraphLower *l)
{
    MlcTensorShape shape;
    mlc_graph_lower_batch_shape(l, &shape);
    return mlc_build_reshape(&l->b, operand(l, 0), &shape);
}

MlcValue *
mlc_graph_lower_transpose(MlcGraphLower *l)
{
    int64_t perm[MLC_BUILD_RANK];
    unsigned loops[MLC_BUILD_RANK];
    MlcTensorShape old, shape;
    mlc_graph_permutation(l->op, perm);
    mlc_build_shape_of(&l->b, operand(l, 0), &old);
    shape.rank = old.rank;
    for (size_t i = 0; i < old.rank; i++) {
        shape.dims[i] = old.dims[perm[i]];
        shape.values[i] = old.values[perm[i]];
        loops[perm[i]] = (unsigned)i;
    }
    MlcAffineMap map = mlc_map_of_loops(l->b.ctx, (unsigned)old.rank, loops, old.rank);
    return mlc_graph_lower_map(l, operand(l, 0), map, &shape, "x");
}

static MlcMixed
add_sizes(MlcGraphLower *l, MlcMixed a, MlcMixed b)
{
    if (!a.value && !b.value)
        return mlc_mixed(a.constant + b.constant);
    if (mlc_mixed_is(a, 0))
        return b;
    return mlc_mixed_of(
        mlc_arith_addi(&l->b, mlc_mixed_value(&l->b, a), mlc_mixed_value(&l->b, b)));
}

MlcValue *
mlc_graph_lower_concat(MlcGraphLower *l)
{
    MlcTensorShape shape;
    MlcMixed offsets[MLC_BUILD_RANK] = {{0}};
    size_t axis = (size_t)mlc_graph_axis(l->op);
    mlc_graph_lower_batch_shape(l, &shape);
    MlcValue *result = mlc_build_empty_shape(&l->b, &shape, l->element);
    for (size_t i = 0; i < num_operands(l); i++) {
        MlcMixed size = mlc_mixed_dim(&l->b, operand(l, i), axis);
        result = mlc_build_insert_slice_at(&l->b, operand(l, i), result, offsets);
        if (i + 1 < num_operands(l))
            offsets[axis] = add_sizes(l, offsets[axis], size);
    }
    return result;
}

// Of a dimension of `size` with `low` elements before and `high` behind, some perhaps negative: the
// first element that stays and how many do, and in `low` and `high` what comes around those.
static int64_t
cut_by_pads(int64_t size, int64_t *low, int64_t *high, int64_t *first)
{
    int64_t result = size + *low + *high, end = *high < 0 ? size + *high : size;
    *first = *low < 0 ? (-*low < size ? -*low : size) : 0;
    int64_t kept = end > *first ? end - *first : 0;
    *low = *low < 0 ? 0 : *low < result - kept ? *low : result - kept;
    *high = result - kept - *low;
    return kept;
}

MlcValue *
mlc_graph_lower_pad(MlcGraphLower *l)
{
    int64_t low[MLC_BUILD_RANK], high[MLC_BUILD_RANK], first[MLC_BUILD_RANK] = {0};
    MlcTensorShape part;
    MlcValue *input = operand(l, 0);
    bool cuts = false;
    MlcAttr pads = mlc_graph_pad_pads(l->op);
    mlc_build_shape_of(&l->b, input, &part);
    for (size_t i = 0; i < part.rank; i++) {
        bool ok = mlc_int_list_attr_get(pads, i, &low[i]) &&
                  mlc_int_list_attr_get(pads, i + part.rank, &high[i]);
        (void)ok;
        if (low[i] >= 0 && high[i] >= 0)
            continue;
        cuts = true;
        part.dims[i] = cut_by_pads(part.dims[i], &low[i], &high[i], &first[i]);
    }
    if (cuts)
        input = mlc_build_extract_slice(&l->b, input, first, &part);
    MlcAttr value = mlc_graph_lower_number(l, float_attr(l, "value"));
    return mlc_build_pad(&l->b, input, low, high, value);
}

MlcValue *
mlc_graph_lower_expand(MlcGraphLower *l)
{
    MlcTensorShape shape;
    MlcAffineMap map;
    mlc_graph_lower_shape(l, &shape);
    MlcValue *value = mlc_graph_lower_broadcast(l, operand(l, 0), &shape, &map);
    return mlc_graph_lower_map(l, value, map, &shape, "x");
}

// As if the result had two dimensions for each that is repeated, which then become one.
MlcValue *
mlc_graph_lower_tile(MlcGraphLower *l)
{
    MlcAttr repeats = mlc_graph_tile_repeats(l->op);
    MlcTensorShape old, split = {0}, shape;
    unsigned loops[MLC_BUILD_RANK];
    size_t group[MLC_BUILD_RANK];
    mlc_build_shape_of(&l->b, operand(l, 0), &old);
    shape = old;
    for (size_t i = 0; i < old.rank; i++) {
        int64_t count = 1;
        bool ok = mlc_int_list_attr_get(repeats, i, &count);
        (void)ok;
        if (count != 1) {
            group[split.rank] = i;
            split.dims[split.rank++] = count;
            shape.dims[i] *= count;
        }
        group[split.rank] = i;
        loops[i] = (unsigned)split.rank;
        split.values[split.rank] = old.values[i];
        split.dims[split.rank++] = old.dims[i];
    }
    MlcAffineMap map = mlc_map_of_loops(l->b.ctx, (unsigned)split.rank, loops, old.rank);
    return mlc_build_collapse_to(&l->b, mlc_graph_lower_map(l, operand(l, 0), map, &split, "x"),
                                 group, &shape);
}

static MlcValue *
trilu_element(MlcBuilder *b, MlcValue *const *args, void *user)
{
    MlcGraphLower *l = user;
    size_t rank = mlc_type_rank(l->type);
    MlcValue *row = mlc_linalg_index(b, (int64_t)(rank - 2)),
             *column = mlc_linalg_index(b, (int64_t)(rank - 1));
    MlcValue *diagonal = mlc_arith_subi(b, column, row);
    MlcValue *k = mlc_build_index(b, mlc_graph_trilu_k(l->op));
    MlcArithCmpiPredicate predicate =
        bool_attr(l, "upper") ? MLC_ARITH_CMPI_PREDICATE_SGE : MLC_ARITH_CMPI_PREDICATE_SLE;
    MlcValue *zero = mlc_type_is_float(l->element) ? mlc_build_float(b, l->element, 0)
                                                   : mlc_build_int(b, l->element, 0);
    MlcValue *kept = mlc_arith_cmpi(b, diagonal, k, predicate);
    return mlc_build_select(b, kept, args[0], zero);
}

MlcValue *
mlc_graph_lower_trilu(MlcGraphLower *l)
{
    MlcTensorShape shape;
    mlc_build_shape_of(&l->b, operand(l, 0), &shape);
    MlcAffineMap map = identity_map(l, shape.rank);
    MlcGeneric g = {.inputs = {operand(l, 0)},
                    .num_inputs = 1,
                    .maps = {map, map},
                    .output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .num_loops = shape.rank,
                    .make = trilu_element,
                    .user = l};
    return build_generic(l, &g);
}

// ---- elements found by indices: reads of `data` in the body

MlcValue *
mlc_graph_lower_index_within(MlcGraphLower *l, MlcValue *raw, size_t dim)
{
    MlcBuilder *b = &l->b;
    MlcType data = mlc_value_type(operand(l, 0)), index = mlc_index_type_get(l->b.ctx);
    MlcValue *zero = mlc_build_index(b, 0);
    MlcValue *size = mlc_type_dim(data, dim) == MLC_DYNAMIC
                         ? mlc_build_dim(&l->b, operand(l, 0), dim)
                         : mlc_build_index(b, mlc_type_dim(data, dim));
    MlcValue *at = mlc_arith_index_cast(b, index, raw);
    MlcValue *from_end = mlc_arith_addi(b, at, size);
    MlcValue *is_negative = mlc_arith_cmpi(b, at, zero, MLC_ARITH_CMPI_PREDICATE_SLT);
    return mlc_build_select(b, is_negative, from_end, at);
}

static MlcValue *
extract(MlcGraphLower *l, MlcValue *tensor, MlcValue *const *index)
{
    return mlc_tensor_extract(&l->b, tensor, index, rank_of(tensor));
}

static MlcValue *
gathered_element(MlcBuilder *b, MlcValue *const *args, void *user)
{
    MlcGraphLower *l = user;
    MlcValue *index[MLC_BUILD_RANK];
    size_t axis = (size_t)mlc_graph_axis(l->op), count = rank_of(operand(l, 1));
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++)
        index[i] = i == axis ? mlc_graph_lower_index_within(l, args[0], i)
                             : mlc_linalg_index(b, (int64_t)(i < axis ? i : i + count - 1));
    return extract(l, operand(l, 0), index);
}

static MlcValue *
element_along_axis(MlcBuilder *b, MlcValue *const *args, void *user)
{
    MlcGraphLower *l = user;
    MlcValue *index[MLC_BUILD_RANK];
    size_t axis = (size_t)mlc_graph_axis(l->op);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++)
        index[i] = i == axis ? mlc_graph_lower_index_within(l, args[0], i)
                             : mlc_linalg_index(b, (int64_t)i);
    return extract(l, operand(l, 0), index);
}

// The result's loops are those of the indices but their last, then of what data has behind.
static MlcValue *
element_of_tuple(MlcBuilder *b, MlcValue *const *args, void *user)
{
    MlcGraphLower *l = user;
    MlcValue *index[MLC_BUILD_RANK], *tuple[MLC_BUILD_RANK];
    size_t last = rank_of(operand(l, 1)) - 1;
    size_t batch = (size_t)mlc_graph_gather_nd_batch_dims(l->op);
    size_t count = (size_t)mlc_type_dim(mlc_value_type(operand(l, 1)), last);
    (void)args;
    for (size_t i = 0; i < last; i++)
        tuple[i] = mlc_linalg_index(b, (int64_t)i);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++) {
        bool is_chosen = i >= batch && i < batch + count;
        if (is_chosen)
            tuple[last] = mlc_build_index(b, (int64_t)(i - batch));
        index[i] = is_chosen
                       ? mlc_graph_lower_index_within(l, extract(l, operand(l, 1), tuple), i)
                       : mlc_linalg_index(b, (int64_t)(i < batch ? i : i - batch - count + last));
    }
    return extract(l, operand(l, 0), index);
}

// A loop nest over the result, after a check; the indices, if they are an input, run along its
// loops from `first`.
static MlcValue *
lower_indexed(MlcGraphLower *l, size_t first, size_t num_inputs,
              MlcValue *(*make)(MlcBuilder *b, MlcValue *const *args, void *user))
{
    unsigned loops[MLC_BUILD_RANK];
    MlcTensorShape shape;
    bool of_indices = first == 0 && rank_of(operand(l, 1)) > 0; // the first size
    mlc_graph_lower_check_indices(l);
    mlc_graph_lower_batch_shape(l, &shape);
    if (shape.rank && shape.dims[0] == MLC_DYNAMIC && of_indices)
        shape.values[0] = mlc_build_dim(&l->b, operand(l, 1), 0);
    for (size_t i = 0; i < rank_of(operand(l, 1)); i++)
        loops[i] = (unsigned)(first + i);
    MlcGeneric g = {.num_inputs = num_inputs,
                    .output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .num_loops = shape.rank,
                    .make = make,
                    .user = l};
    if (num_inputs) {
        g.inputs[0] = operand(l, 1);
        g.maps[0] = mlc_map_of_loops(l->b.ctx, (unsigned)shape.rank, loops, rank_of(operand(l, 1)));
    }
    g.maps[num_inputs] = identity_map(l, shape.rank);
    return build_generic(l, &g);
}

// start + index * step in each dimension
static MlcValue *
sliced_element(MlcBuilder *b, MlcValue *const *args, void *user)
{
    MlcGraphLower *l = user;
    int64_t starts[MLC_BUILD_RANK], steps[MLC_BUILD_RANK];
    MlcValue *index[MLC_BUILD_RANK];
    (void)args;
    mlc_graph_slice_bounds(l->op, starts, steps);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++) {
        MlcValue *step = mlc_build_index(b, steps[i]);
        MlcValue *start = mlc_build_index(b, starts[i]);
        index[i] = mlc_arith_muli(b, mlc_linalg_index(b, (int64_t)i), step);
        index[i] = mlc_arith_addi(b, index[i], start);
    }
    return extract(l, operand(l, 0), index);
}

// A window, through which consumers read every step-th element; backwards every element is named.
MlcValue *
mlc_graph_lower_slice(MlcGraphLower *l)
{
    int64_t starts[MLC_BUILD_RANK], steps[MLC_BUILD_RANK];
    MlcAffineExpr index[MLC_BUILD_RANK];
    MlcTensorShape shape, window;
    bool is_window = true;
    mlc_graph_lower_batch_shape(l, &shape);
    mlc_graph_slice_bounds(l->op, starts, steps);
    window = shape;
    for (size_t i = 0; i < shape.rank; i++) {
        is_window &= steps[i] == 1 || (steps[i] > 1 && shape.dims[i] > 0);
        if (steps[i] != 1 && is_window)
            window.dims[i] = (shape.dims[i] - 1) * steps[i] + 1;
        index[i] = mlc_affine_mul_const(mlc_affine_dim(l->b.ctx, (unsigned)i), steps[i]);
    }
    if (is_window) {
        MlcValue *part = mlc_build_extract_slice(&l->b, operand(l, 0), starts, &window);
        MlcAffineMap map = mlc_affine_map_get(l->b.ctx, (unsigned)shape.rank, 0, index, shape.rank);
        return mlc_graph_lower_map(l, part, map, &shape, "x");
    }
    MlcGeneric g = {.output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .maps = {identity_map(l, shape.rank)},
                    .num_loops = shape.rank,
                    .make = sliced_element,
                    .user = l};
    return build_generic(l, &g);
}

MlcValue *
mlc_graph_lower_gather(MlcGraphLower *l)
{
    return lower_indexed(l, (size_t)mlc_graph_axis(l->op), 1, gathered_element);
}

MlcValue *
mlc_graph_lower_gather_elements(MlcGraphLower *l)
{
    return lower_indexed(l, 0, 1, element_along_axis);
}

MlcValue *
mlc_graph_lower_gather_nd(MlcGraphLower *l)
{
    return lower_indexed(l, 0, 0, element_of_tuple);
}
