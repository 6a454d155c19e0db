// vector_eval_memory.c -- vectors to and from memory: plain, masked, permuted, gathered.
#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

static bool
is_set(MlcEval *e, const MlcDatum *mask, size_t i)
{
    MlcDatum bit;
    mlc_datum_element(e, mask, i, &bit);
    return mlc_datum_as_bool(&bit);
}

// --- plain

bool
mlc_vector_load_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t indices[MLC_RANK_LIMIT];
    mlc_datum_as_ints(operands + 1, operands[0].rank, indices);
    return mlc_eval_load_vector(e, op, &operands[0], indices, results[0].type, &results[0]);
}

bool
mlc_vector_store_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    int64_t indices[MLC_RANK_LIMIT];
    mlc_datum_as_ints(operands + 2, operands[1].rank, indices);
    return mlc_eval_store_vector(e, op, &operands[1], indices, &operands[0]);
}

bool
mlc_vector_type_cast_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    MlcType type = results[0].type;
    if (source->memref.offset != 0)
        return mlc_eval_error(e, op, "casts a window that does not start its buffer");
    results[0] = mlc_eval_memref(e, type, source->memref.buffer, 0, mlc_type_rank(type),
                                 mlc_type_shape(type), NULL);
    return true;
}

// --- masked

static bool
no_dimension(MlcEval *e, MlcOp *op)
{
    return mlc_eval_error(e, op, "has lanes, but memory without a dimension for them");
}

// base, indices..., mask, pass_thru. Lanes that are off touch no memory; nor does memory go on with
// them if it is `packed`.
static bool
load_lanes(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results, bool packed)
{
    size_t rank = operands[0].rank;
    const MlcDatum *mask = &operands[1 + rank];
    int64_t indices[MLC_RANK_LIMIT];
    mlc_datum_as_ints(operands + 1, rank, indices);
    if (rank == 0)
        return no_dimension(e, op);
    if (!mlc_eval_copy_elements(e, op, &operands[2 + rank], &results[0]))
        return false;
    for (size_t i = 0; i < mlc_datum_num_elements(mask); i++) {
        MlcDatum value;
        bool is_on = is_set(e, mask, i);
        if (is_on && !mlc_eval_load(e, op, &operands[0], indices, &value))
            return false;
        if (is_on)
            mlc_datum_set_element(&results[0], i, &value);
        indices[rank - 1] += is_on || !packed;
    }
    return true;
}

static bool
store_lanes(MlcEval *e, MlcOp *op, const MlcDatum *operands, bool packed)
{
    size_t rank = operands[0].rank;
    const MlcDatum *mask = &operands[1 + rank];
    int64_t indices[MLC_RANK_LIMIT];
    mlc_datum_as_ints(operands + 1, rank, indices);
    if (rank == 0)
        return no_dimension(e, op);
    for (size_t i = 0; i < mlc_datum_num_elements(mask); i++) {
        MlcDatum value;
        bool is_on = is_set(e, mask, i);
        mlc_datum_element(e, &operands[2 + rank], i, &value);
        if (is_on && !mlc_eval_store(e, op, &operands[0], indices, &value))
            return false;
        indices[rank - 1] += is_on || !packed;
    }
    return true;
}

bool
mlc_vector_maskedload_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return load_lanes(e, op, operands, results, false);
}

bool
mlc_vector_maskedstore_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    return store_lanes(e, op, operands, false);
}

bool
mlc_vector_expandload_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return load_lanes(e, op, operands, results, true);
}

bool
mlc_vector_compressstore_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    return store_lanes(e, op, operands, true);
}

// An element of a tensor or memref; bounds are checked.
static bool
read_at(MlcEval *e, MlcOp *op, const MlcDatum *source, const int64_t *indices, MlcDatum *out)
{
    if (mlc_datum_is_memref(source))
        return mlc_eval_load(e, op, source, indices, out);
    for (size_t i = 0; i < source->rank; i++)
        if (indices[i] < 0 || indices[i] >= source->elements.shape[i])
            return mlc_eval_error(e, op, "accesses element %lld of dimension %zu, which has %lld",
                                  (long long)indices[i], i, (long long)source->elements.shape[i]);
    mlc_datum_element(e, source,
                      (size_t)mlc_linear_index(indices, source->elements.shape, source->rank), out);
    return true;
}

// base, indices..., index vector, mask, pass_thru: element i lies at the last index plus the
// vector's i-th.
bool
mlc_vector_gather_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t rank = operands[0].rank;
    const MlcDatum *lanes = &operands[1 + rank], *mask = lanes + 1;
    int64_t indices[MLC_RANK_LIMIT];
    if (rank == 0)
        return no_dimension(e, op);
    if (!mlc_eval_copy_elements(e, op, mask + 1, &results[0]))
        return false;
    for (size_t i = 0; i < mlc_datum_num_elements(mask); i++) {
        MlcDatum lane, value;
        if (!is_set(e, mask, i))
            continue;
        mlc_datum_as_ints(operands + 1, rank, indices);
        mlc_datum_element(e, lanes, i, &lane);
        indices[rank - 1] += mlc_datum_as_int(&lane);
        if (!read_at(e, op, &operands[0], indices, &value))
            return false;
        mlc_datum_set_element(&results[0], i, &value);
    }
    return true;
}

bool
mlc_vector_scatter_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    size_t rank = operands[0].rank;
    const MlcDatum *lanes = &operands[1 + rank], *mask = lanes + 1;
    int64_t indices[MLC_RANK_LIMIT];
    if (rank == 0)
        return no_dimension(e, op);
    for (size_t i = 0; i < mlc_datum_num_elements(mask); i++) {
        MlcDatum lane, value;
        if (!is_set(e, mask, i))
            continue;
        mlc_datum_as_ints(operands + 1, rank, indices);
        mlc_datum_element(e, lanes, i, &lane);
        mlc_datum_element(e, mask + 1, i, &value);
        indices[rank - 1] += mlc_datum_as_int(&lane);
        if (!mlc_eval_store(e, op, &operands[0], indices, &value))
            return false;
    }
    return true;
}

// --- transfers

typedef struct Transfer {
    MlcEval *e;
    MlcOp *op;
    const MlcDatum *source, *mask; // mask: NULL if all lanes are on
    size_t source_rank, vector_rank;
    const int64_t *source_sizes;
    int64_t first[MLC_RANK_LIMIT];  // indices
    int source_dim[MLC_RANK_LIMIT]; // of each vector dimension; -1: broadcast
    bool in_bounds[MLC_RANK_LIMIT]; // of each vector dimension
    int mask_dims[MLC_RANK_LIMIT];  // vector dimension of each dimension of the mask
    size_t num_mask_dims;
} Transfer;

// Masks follow the source: one dimension for each that the map names, in the source's order.
static void
order_mask(Transfer *t)
{
    for (size_t d = 0; d < t->source_rank; d++)
        for (size_t v = 0; v < t->vector_rank; v++)
            if (t->source_dim[v] == (int)d)
                t->mask_dims[t->num_mask_dims++] = (int)v;
}

static bool
open_transfer(Transfer *t, MlcEval *e, MlcOp *op, const MlcDatum *source, const MlcDatum *indices,
              const MlcDatum *mask, size_t vector_rank)
{
    *t = (Transfer){.e = e, .op = op, .source = source, .mask = mask, .vector_rank = vector_rank};
    MlcAffineMap map = mlc_op_affine_map(op, "permutation_map");
    MlcAttr in_bounds = mlc_op_attr(op, "in_bounds");
    t->source_rank = source->rank;
    t->source_sizes = mlc_datum_is_memref(source) ? source->memref.sizes : source->elements.shape;
    if (mlc_type_is(mlc_type_element(source->type), MLC_TYPE_VECTOR))
        return mlc_eval_error(
            e, op, "transfers elements that are vectors, which the interpreter does not know");
    mlc_datum_as_ints(indices, t->source_rank, t->first);
    for (size_t v = 0; v < vector_rank; v++) {
        MlcAffineExpr expr = mlc_affine_map_result(map, v);
        t->source_dim[v] =
            mlc_affine_kind(expr) == MLC_AFFINE_DIM ? (int)mlc_affine_position(expr) : -1;
        t->in_bounds[v] = in_bounds && v < mlc_array_attr_size(in_bounds) &&
                          mlc_attr_as_bool(mlc_array_attr_element(in_bounds, v));
    }
    order_mask(t);
    return true;
}

// Where a lane lies in the source; *is_off: it is masked off, or out of bounds where that is
// allowed.
static bool
find_lane(Transfer *t, const int64_t *lane, const int64_t *vector_shape, int64_t *at, bool *is_off)
{
    *is_off = false;
    if (t->mask) {
        size_t bit = 0;
        for (size_t m = 0; m < t->num_mask_dims; m++)
            bit = bit * (size_t)vector_shape[t->mask_dims[m]] + (size_t)lane[t->mask_dims[m]];
        if (!is_set(t->e, t->mask, bit)) {
            *is_off = true;
            return true;
        }
    }
    memcpy(at, t->first, t->source_rank * sizeof *at);
    for (size_t v = 0; v < t->vector_rank; v++) {
        int d = t->source_dim[v];
        if (d < 0)
            continue;
        at[d] += lane[v];
        if (at[d] >= 0 && at[d] < t->source_sizes[d])
            continue;
        if (t->in_bounds[v])
            return mlc_eval_error(
                t->e, t->op,
                "accesses element %lld of dimension %d, which has %lld, but says in_bounds",
                (long long)at[d], d, (long long)t->source_sizes[d]);
        *is_off = true;
    }
    return true;
}

// source, indices..., padding, mask?
bool
mlc_vector_transfer_read_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t rank = operands[0].rank, first, num_masks;
    const MlcDatum *padding = &operands[1 + rank];
    mlc_op_operand_group(op, 3, &first, &num_masks);
    Transfer t;
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]) ||
        !open_transfer(&t, e, op, &operands[0], operands + 1, num_masks ? &operands[first] : NULL,
                       results[0].rank))
        return false;
    int64_t lane[MLC_RANK_LIMIT] = {0}, at[MLC_RANK_LIMIT];
    for (size_t i = 0, n = mlc_datum_num_elements(&results[0]); i < n; i++) {
        bool is_off;
        MlcDatum value = *padding;
        if (!find_lane(&t, lane, results[0].elements.shape, at, &is_off) ||
            (!is_off && !read_at(e, op, &operands[0], at, &value)))
            return false;
        mlc_datum_set_element(&results[0], i, &value);
        mlc_next_index(lane, results[0].elements.shape, results[0].rank);
    }
    return true;
}

static bool
write_at(MlcEval *e, MlcOp *op, MlcDatum *target, const int64_t *at, const MlcDatum *value)
{
    if (mlc_datum_is_memref(target))
        return mlc_eval_store(e, op, target, at, value);
    for (size_t i = 0; i < target->rank; i++)
        if (at[i] < 0 || at[i] >= target->elements.shape[i])
            return mlc_eval_error(e, op, "accesses element %lld of dimension %zu, which has %lld",
                                  (long long)at[i], i, (long long)target->elements.shape[i]);
    mlc_datum_set_element(
        target, (size_t)mlc_linear_index(at, target->elements.shape, target->rank), value);
    return true;
}

// vector, target, indices..., mask?
bool
mlc_vector_transfer_write_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *vector = &operands[0];
    size_t first, num_masks;
    MlcDatum target = operands[1];
    mlc_op_operand_group(op, 3, &first, &num_masks);
    Transfer t;
    if (mlc_datum_is_elements(&target)) {
        if (!mlc_eval_copy_elements(e, op, &operands[1], &target))
            return false;
        results[0] = target;
    }
    if (!open_transfer(&t, e, op, &target, operands + 2, num_masks ? &operands[first] : NULL,
                       vector->rank))
        return false;
    int64_t lane[MLC_RANK_LIMIT] = {0}, at[MLC_RANK_LIMIT];
    for (size_t i = 0, n = mlc_datum_num_elements(vector); i < n; i++) {
        bool is_off;
        MlcDatum value;
        mlc_datum_element(e, vector, i, &value);
        if (!find_lane(&t, lane, vector->elements.shape, at, &is_off) ||
            (!is_off && !write_at(e, op, &target, at, &value)))
            return false;
        mlc_next_index(lane, vector->elements.shape, vector->rank);
    }
    return true;
}
