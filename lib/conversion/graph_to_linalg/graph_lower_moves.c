// graph_lower_moves.c -- ops that only move elements as linalg and tensor ops: reshapes, slices,
// gathers.
#include "graph_lower.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/tensor.h"
#include "mlc/support/map.h"

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

static bool
has_zero(const int64_t *dims, size_t rank)
{
    for (size_t i = 0; i < rank; i++)
        if (dims[i] == 0)
            return true;
    return false;
}

// ---- reshapes of sizes that are known when the model runs

// Dimensions that become dimensions of as many elements, by the texts of their sizes: group[i] is
// which of `num` groups dimension i is in.
typedef struct Regrouping {
    MlcAttr from[MLC_SMALL_RANK], to[MLC_SMALL_RANK];
    size_t num_from, num_to, num;
    size_t from_group[MLC_SMALL_RANK], to_group[MLC_SMALL_RANK];
    MlcAttr sizes[MLC_SMALL_RANK]; // of the groups
} Regrouping;

static MlcAttr
product(MlcAttr a, MlcAttr b)
{
    return mlc_size_combine(MLC_SIZE_MUL, a, b);
}

// The next group, from *i and *k on: dimensions are taken from the side that lacks factors. False:
// the texts do not show where it ends.
static bool
next_group(Regrouping *r, size_t *i, size_t *k)
{
    MlcAttr a = r->from[*i], b = r->to[*k];
    r->from_group[(*i)++] = r->to_group[(*k)++] = r->num;
    while (a != b) {
        if (*k < r->num_to && mlc_size_exact_quotient(a, b)) {
            b = product(b, r->to[*k]);
            r->to_group[(*k)++] = r->num;
        } else if (*i < r->num_from && mlc_size_exact_quotient(b, a)) {
            a = product(a, r->from[*i]);
            r->from_group[(*i)++] = r->num;
        } else {
            return false;
        }
        if (!a || !b)
            return false;
    }
    r->sizes[r->num++] = a;
    return true;
}

// What is left on one side are ones, which join the last group.
static bool
take_ones(const MlcAttr *sizes, size_t i, size_t n, size_t *group, size_t last)
{
    int64_t number;
    for (; i < n; i++) {
        if (!mlc_size_is_number(sizes[i], &number) || number != 1)
            return false;
        group[i] = last;
    }
    return true;
}

static void
regroup(Regrouping *r)
{
    size_t i = 0, k = 0;
    bool ok = r->num_from > 0 && r->num_to > 0;
    while (ok && i < r->num_from && k < r->num_to)
        ok = next_group(r, &i, &k);
    if (ok && take_ones(r->from, i, r->num_from, r->from_group, r->num - 1) &&
        take_ones(r->to, k, r->num_to, r->to_group, r->num - 1))
        return;
    // All becomes one dimension; that there are as many elements is checked when the model runs.
    r->num = 1;
    r->sizes[0] = r->from[0];
    for (size_t at = 1; at < r->num_from; at++)
        r->sizes[0] = product(r->sizes[0], r->from[at]);
    memset(r->from_group, 0, sizeof r->from_group);
    memset(r->to_group, 0, sizeof r->to_group);
}

static void
put_size(const MlcGraphLower *l, MlcTensorShape *shape, size_t i, MlcAttr size)
{
    MlcMixed mixed = mlc_graph_lower_mixed(l, size);
    shape->values[i] = mixed.value;
    shape->dims[i] = mixed.value ? MLC_DYNAMIC : mixed.constant;
}

// The size of group `g`: where the function has not that text, of the dimensions that it is made of.
static void
put_group(MlcGraphLower *l, MlcTensorShape *shape, const Regrouping *r, size_t g, MlcValue *input)
{
    MlcBuilder *b = &l->b;
    MlcValue *size = NULL;
    int64_t number;
    if (mlc_size_is_number(r->sizes[g], &number) || mlc_graph_lower_size(l, r->sizes[g])) {
        put_size(l, shape, g, r->sizes[g]);
        return;
    }
    for (size_t i = 0; i < r->num_from; i++) {
        if (r->from_group[i] != g)
            continue;
        MlcValue *dim = mlc_mixed_value(b, mlc_mixed_dim(b, input, i));
        size = size ? mlc_arith_muli(b, size, dim) : dim;
    }
    shape->dims[g] = MLC_DYNAMIC;
    shape->values[g] = size;
}

// False: a size has no text, and the dynamic ones must come first.
static bool
read_regrouping(MlcGraphLower *l, Regrouping *r)
{
    *r = (Regrouping){.num_from = rank_of(operand(l, 0)), .num_to = mlc_type_rank(l->type)};
    for (size_t i = 0; i < r->num_from; i++)
        if (!(r->from[i] = mlc_graph_lower_dim_text(l, 0, i)))
            return false;
    for (size_t i = 0; i < r->num_to; i++) {
        int64_t size = mlc_type_dim(l->type, i);
        MlcAttr text = l->sizes ? mlc_array_attr_element(l->sizes, i) : NULL;
        r->to[i] = size != MLC_DYNAMIC ? mlc_size_number(l->b.ctx, size) : text;
        if (!r->to[i] || mlc_string_attr_value(r->to[i]).size == 0)
            return false;
    }
    if (r->num_from == 0) // which becomes one dimension first
        r->from[r->num_from++] = mlc_size_number(l->b.ctx, 1);
    return true;
}

// The groups' dimensions numbers where all that they become are, and open where one is: texts that
// are held to be equal when the model runs may be numbers on one side alone.
static MlcValue *
cast_groups(MlcGraphLower *l, MlcValue *joined, const Regrouping *r, const MlcTensorShape *shape)
{
    MlcTensorShape groups = {.rank = r->num};
    for (size_t g = 0; g < r->num; g++)
        groups.dims[g] = 1;
    for (size_t i = 0; i < r->num_to; i++) {
        int64_t *size = &groups.dims[r->to_group[i]], by = shape->dims[i];
        if (*size != MLC_DYNAMIC && (by == MLC_DYNAMIC || __builtin_mul_overflow(*size, by, size)))
            *size = MLC_DYNAMIC;
    }
    MlcType type = mlc_tensor_shape_type(&groups, l->element);
    return mlc_value_type(joined) == type ? joined : mlc_tensor_cast(&l->b, type, joined);
}

MlcValue *
mlc_graph_lower_reshape(MlcGraphLower *l)
{
    MlcTensorShape shape = {.rank = mlc_type_rank(l->type)}, middle = {0};
    MlcValue *input = operand(l, 0);
    Regrouping r;
    if ((mlc_type_has_static_shape(l->type) &&
         mlc_type_has_static_shape(mlc_value_type(operand(l, 0)))) ||
        !read_regrouping(l, &r)) {
        mlc_graph_lower_batch_shape(l, &shape);
        return mlc_build_reshape(&l->b, operand(l, 0), &shape);
    }
    for (size_t i = 0; i < r.num_to; i++)
        put_size(l, &shape, i, r.to[i]);
    if (has_zero(shape.dims, shape.rank) ||
        has_zero(mlc_type_shape(mlc_value_type(input)), rank_of(input)))
        return mlc_build_empty_shape(&l->b, &shape, l->element);
    if (rank_of(input) == 0)
        input = mlc_build_expand_to(&l->b, input, NULL, &(MlcTensorShape){.rank = 1, .dims = {1}});
    regroup(&r);
    middle.rank = r.num;
    for (size_t i = 0; i < r.num; i++)
        put_group(l, &middle, &r, i, input);
    MlcValue *joined = mlc_build_collapse_to(&l->b, input, r.from_group, &middle);
    joined = cast_groups(l, joined, &r, &shape);
    return shape.rank > 0 ? mlc_build_expand_to(&l->b, joined, r.to_group, &shape)
                          : mlc_build_collapse_to(&l->b, joined, r.to_group, &shape);
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

// What the memory of the result holds before is there: the operand alone is written.
MlcValue *
mlc_graph_lower_grow(MlcGraphLower *l)
{
    MlcTensorShape shape;
    MlcMixed offsets[MLC_BUILD_RANK] = {{0}};
    MlcAttr start = mlc_array_attr_element(mlc_graph_grow_start_sizes(l->op), 0);
    offsets[mlc_graph_axis(l->op)] = mlc_graph_lower_mixed(l, start);
    mlc_graph_lower_batch_shape(l, &shape);
    MlcValue *memory = mlc_build_empty_shape(&l->b, &shape, l->element);
    return mlc_build_insert_slice_at(&l->b, operand(l, 0), memory, offsets);
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
    MlcAttr repeats = mlc_graph_tile_repeats(l->op), texts = mlc_op_attr(l->op, "sizes");
    MlcTensorShape old, split = {0}, shape;
    unsigned loops[MLC_BUILD_RANK];
    size_t group[MLC_BUILD_RANK];
    mlc_build_shape_of(&l->b, operand(l, 0), &old);
    mlc_graph_lower_batch_shape(l, &shape);
    if (has_zero(shape.dims, shape.rank))
        return mlc_build_empty_shape(&l->b, &shape, l->element);
    for (size_t i = 0; i < old.rank; i++) {
        int64_t count = 1;
        bool ok = mlc_int_list_attr_get(repeats, i, &count);
        (void)ok;
        MlcAttr text = texts ? mlc_array_attr_element(texts, i) : NULL;
        bool is_open = text && mlc_string_attr_value(text).size > 0;
        if (count != 1 || is_open) {
            group[split.rank] = i;
            split.dims[split.rank] = is_open ? MLC_DYNAMIC : count;
            split.values[split.rank++] = is_open ? mlc_graph_lower_size(l, text) : NULL;
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
    return mlc_graph_lower_make_each(l, operand(l, 0), trilu_element, l);
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

// Where a slice reads in each dimension: from starts, steps apart.
typedef struct Reading {
    MlcGraphLower *l;
    MlcMixed starts[MLC_BUILD_RANK];
    int64_t steps[MLC_BUILD_RANK];
} Reading;

static void
read_slice(MlcGraphLower *l, Reading *r)
{
    int64_t starts[MLC_BUILD_RANK];
    MlcAttr texts[MLC_BUILD_RANK];
    *r = (Reading){.l = l};
    mlc_graph_slice_bounds(l->op, starts, r->steps);
    mlc_graph_slice_places(l->op, mlc_map_get(l->names, operand(l, 0)), texts);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++)
        r->starts[i] = texts[i] ? mlc_graph_lower_mixed(l, texts[i]) : mlc_mixed(starts[i]);
}

// start + index * step in each dimension
static MlcValue *
sliced_element(MlcBuilder *b, MlcValue *const *args, void *user)
{
    const Reading *r = user;
    MlcValue *index[MLC_BUILD_RANK];
    (void)args;
    for (size_t i = 0; i < rank_of(operand(r->l, 0)); i++) {
        MlcValue *step = mlc_build_index(b, r->steps[i]);
        MlcValue *start = mlc_mixed_value(b, r->starts[i]);
        index[i] = mlc_arith_muli(b, mlc_linalg_index(b, (int64_t)i), step);
        index[i] = mlc_arith_addi(b, index[i], start);
    }
    return extract(r->l, operand(r->l, 0), index);
}

// A window, through which consumers read every step-th element; backwards every element is named.
MlcValue *
mlc_graph_lower_slice(MlcGraphLower *l)
{
    Reading r;
    MlcAffineExpr index[MLC_BUILD_RANK];
    MlcTensorShape shape, window;
    bool is_window = true;
    mlc_graph_lower_batch_shape(l, &shape);
    read_slice(l, &r);
    window = shape;
    for (size_t i = 0; i < shape.rank; i++) {
        is_window &= r.steps[i] == 1 || (r.steps[i] > 1 && shape.dims[i] > 0);
        if (r.steps[i] != 1 && is_window)
            window.dims[i] = (shape.dims[i] - 1) * r.steps[i] + 1;
        index[i] = mlc_affine_mul_const(mlc_affine_dim(l->b.ctx, (unsigned)i), r.steps[i]);
    }
    if (is_window) {
        MlcValue *part = mlc_build_extract_slice_at(&l->b, operand(l, 0), r.starts, &window);
        MlcAffineMap map = mlc_affine_map_get(l->b.ctx, (unsigned)shape.rank, 0, index, shape.rank);
        return mlc_graph_lower_map(l, part, map, &shape, "x");
    }
    MlcGeneric g = {.output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .maps = {identity_map(l, shape.rank)},
                    .num_loops = shape.rank,
                    .make = sliced_element,
                    .user = &r};
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

// ---- sizes as values

MlcValue *
mlc_graph_lower_sizes(MlcGraphLower *l)
{
    MlcAttr texts = mlc_graph_sizes_sizes(l->op);
    MlcValueVec elements = {0};
    for (size_t i = 0; i < mlc_array_attr_size(texts); i++) {
        MlcMixed size = mlc_graph_lower_mixed(l, mlc_array_attr_element(texts, i));
        mlc_vec_push(&elements,
                     mlc_arith_index_cast(&l->b, l->element, mlc_mixed_value(&l->b, size)));
    }
    MlcValue *value = mlc_tensor_from_elements(&l->b, l->type, elements.data, elements.size);
    mlc_vec_release(&elements);
    return value;
}

static MlcValue *
counted_element(MlcBuilder *b, MlcValue *const *args, void *user)
{
    MlcGraphLower *l = user;
    (void)args;
    return mlc_arith_index_cast(b, l->element, mlc_linalg_index(b, 0));
}

MlcValue *
mlc_graph_lower_iota(MlcGraphLower *l)
{
    MlcTensorShape shape;
    mlc_graph_lower_batch_shape(l, &shape);
    MlcGeneric g = {.output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .maps = {identity_map(l, 1)},
                    .num_loops = 1,
                    .make = counted_element,
                    .user = l};
    return build_generic(l, &g);
}
