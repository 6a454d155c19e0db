// tensor_eval.c -- what tensor ops mean, on dense row-major elements.
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

static int64_t *
new_list(MlcEval *e, size_t n)
{
    return mlc_eval_alloc(e, (n + 1) * sizeof(int64_t));
}

// Offsets, sizes and strides of a slice; `first` is the first operand of the three groups.
typedef struct Slice {
    size_t rank;
    int64_t *offsets, *sizes, *strides;
} Slice;

static bool
read_slice(MlcEval *e, MlcOp *op, const MlcDatum *operands, size_t first, Slice *s)
{
    MlcAttr lists[3] = {mlc_op_attr(op, "static_offsets"), mlc_op_attr(op, "static_sizes"),
                        mlc_op_attr(op, "static_strides")};
    s->rank = mlc_int_list_attr_size(lists[0]);
    s->offsets = new_list(e, s->rank);
    s->sizes = new_list(e, s->rank);
    s->strides = new_list(e, s->rank);
    return mlc_eval_mixed(e, op, lists[0], operands, &first, s->offsets) &&
           mlc_eval_mixed(e, op, lists[1], operands, &first, s->sizes) &&
           mlc_eval_mixed(e, op, lists[2], operands, &first, s->strides);
}

// --- shapes

bool
mlc_tensor_cast_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)e, (void)op;
    MlcType type = results[0].type;
    results[0] = operands[0];
    results[0].type = type;
    return true;
}

bool
mlc_tensor_dim_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t i = mlc_datum_as_int(&operands[1]);
    if (i < 0 || (uint64_t)i >= operands[0].rank)
        return mlc_eval_error(e, op, "asks for dimension %lld of %zu", (long long)i,
                              operands[0].rank);
    results[0] = mlc_datum_index(mlc_eval_context(e), operands[0].elements.shape[i]);
    return true;
}

bool
mlc_tensor_rank_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)op;
    results[0] = mlc_datum_index(mlc_eval_context(e), (int64_t)operands[0].rank);
    return true;
}

// The i-th result dimension: of the type, or the next operand.
static int64_t *
shape_of_type(MlcEval *e, MlcType type, const MlcDatum *dynamic)
{
    int64_t *shape = new_list(e, mlc_type_rank(type));
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        shape[i] = mlc_type_dim(type, i);
        if (shape[i] == MLC_DYNAMIC)
            shape[i] = mlc_datum_as_int(dynamic++);
    }
    return shape;
}

// All ones: whoever reads what was never written sees NaNs.
bool
mlc_tensor_empty_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (mlc_eval_is_folding(e))
        return false;
    MlcType type = results[0].type;
    if (!mlc_eval_elements(e, op, type, shape_of_type(e, type, operands), &results[0]))
        return false;
    memset(results[0].elements.data, 0xff, results[0].elements.num_bytes);
    return true;
}

bool
mlc_tensor_collapse_shape_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr groups = mlc_op_attr(op, "reassociation");
    size_t rank = mlc_array_attr_size(groups);
    int64_t *shape = new_list(e, rank);
    for (size_t g = 0; g < rank; g++) {
        MlcAttr group = mlc_array_attr_element(groups, g);
        shape[g] = 1;
        for (size_t i = 0; i < mlc_int_list_attr_size(group); i++) {
            int64_t dim = 0;
            mlc_int_list_attr_get(group, i, &dim);
            shape[g] *= operands[0].elements.shape[dim];
        }
    }
    return mlc_eval_reshape(e, op, &operands[0], results[0].type, shape, rank, &results[0]);
}

bool
mlc_tensor_expand_shape_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr list = mlc_op_attr(op, "static_output_shape");
    size_t rank = mlc_type_rank(results[0].type), used = 1;
    int64_t *shape = new_list(e, rank);
    return mlc_eval_mixed(e, op, list, operands, &used, shape) &&
           mlc_eval_reshape(e, op, &operands[0], results[0].type, shape, rank, &results[0]);
}

bool
mlc_tensor_reshape_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t rank = mlc_datum_num_elements(&operands[1]);
    int64_t *shape = new_list(e, rank);
    for (size_t i = 0; i < rank; i++) {
        MlcDatum size;
        mlc_datum_element(e, &operands[1], i, &size);
        shape[i] = mlc_datum_as_int(&size);
    }
    return mlc_eval_reshape(e, op, &operands[0], results[0].type, shape, rank, &results[0]);
}

// --- elements

bool
mlc_tensor_from_elements_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_datum_set_element(&results[0], i, &operands[i]);
    return true;
}

bool
mlc_tensor_splat_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = results[0].type;
    if (!mlc_eval_elements(e, op, type, shape_of_type(e, type, operands + 1), &results[0]))
        return false;
    for (size_t i = 0, n = mlc_datum_num_elements(&results[0]); i < n; i++)
        mlc_datum_set_element(&results[0], i, &operands[0]);
    return true;
}

// The linear position that index operands name.
static bool
position_of(MlcEval *e, MlcOp *op, const MlcDatum *tensor, const MlcDatum *indices, size_t *at)
{
    *at = 0;
    for (size_t i = 0; i < tensor->rank; i++) {
        int64_t index = mlc_datum_as_int(&indices[i]), size = tensor->elements.shape[i];
        if (index < 0 || index >= size)
            return mlc_eval_error(e, op, "accesses element %lld of dimension %zu, which has %lld",
                                  (long long)index, i, (long long)size);
        *at = *at * (size_t)size + (size_t)index;
    }
    return true;
}

bool
mlc_tensor_extract_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t at;
    if (!position_of(e, op, &operands[0], operands + 1, &at))
        return false;
    mlc_datum_element(e, &operands[0], at, &results[0]);
    return true;
}

bool
mlc_tensor_insert_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t at;
    if (!position_of(e, op, &operands[1], operands + 2, &at) ||
        !mlc_eval_copy_elements(e, op, &operands[1], &results[0]))
        return false;
    mlc_datum_set_element(&results[0], at, &operands[0]);
    return true;
}

bool
mlc_tensor_generate_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = results[0].type;
    if (!mlc_eval_elements(e, op, type, shape_of_type(e, type, operands), &results[0]))
        return false;
    size_t rank = results[0].rank, n = mlc_datum_num_elements(&results[0]);
    int64_t *index = new_list(e, rank);
    MlcDatum *args = mlc_eval_alloc(e, (rank + 1) * sizeof *args), value;
    size_t mark = mlc_eval_mark(e);
    for (size_t i = 0; i < n; i++) {
        for (size_t d = 0; d < rank; d++)
            args[d] = mlc_datum_index(mlc_eval_context(e), index[d]);
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, rank, &value, 1))
            return false;
        mlc_datum_set_element(&results[0], i, &value);
        mlc_next_index(index, results[0].elements.shape, rank);
        mlc_eval_collect(e, mark, NULL, 0);
    }
    return true;
}

// --- slices

bool
mlc_tensor_extract_slice_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Slice s;
    if (!read_slice(e, op, operands, 1, &s))
        return false;
    MlcType type = results[0].type;
    bool *dropped = mlc_eval_alloc(e, s.rank + 1);
    mlc_eval_dropped_dims(mlc_op_attr(op, "static_sizes"), type, dropped);
    int64_t *shape = new_list(e, s.rank);
    size_t rank = 0;
    for (size_t i = 0; i < s.rank; i++)
        if (!dropped[i])
            shape[rank++] = s.sizes[i];
    return mlc_eval_elements_of_rank(e, op, type, shape, rank, &results[0]) &&
           mlc_eval_read_window(e, op, &operands[0], s.offsets, s.sizes, s.strides,
                                results[0].elements.data);
}

static bool
is_of_size(MlcEval *e, MlcOp *op, const MlcDatum *source, const Slice *s)
{
    size_t count = 1;
    for (size_t i = 0; i < s->rank; i++)
        count *= (size_t)s->sizes[i];
    if (count != mlc_datum_num_elements(source))
        return mlc_eval_error(e, op, "inserts %zu elements where %zu are expected",
                              mlc_datum_num_elements(source), count);
    return true;
}

bool
mlc_tensor_insert_slice_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    Slice s;
    return read_slice(e, op, operands, 2, &s) && is_of_size(e, op, &operands[0], &s) &&
           mlc_eval_copy_elements(e, op, &operands[1], &results[0]) &&
           mlc_eval_write_window(e, op, &results[0], s.offsets, s.sizes, s.strides,
                                 operands[0].elements.data);
}

// In place: the loop around has made copies that its iterations share.
bool
mlc_tensor_parallel_insert_slice_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                      MlcDatum *results)
{
    (void)results;
    Slice s;
    MlcDatum shared = operands[1];
    return read_slice(e, op, operands, 2, &s) && is_of_size(e, op, &operands[0], &s) &&
           mlc_eval_write_window(e, op, &shared, s.offsets, s.sizes, s.strides,
                                 operands[0].elements.data);
}

bool
mlc_tensor_concat_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t dim = (size_t)mlc_attr_as_int(mlc_op_attr(op, "dim")), rank = operands[0].rank;
    int64_t *shape = new_list(e, rank), *offsets = new_list(e, rank), *strides = new_list(e, rank);
    memcpy(shape, operands[0].elements.shape, rank * sizeof *shape);
    shape[dim] = 0;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        shape[dim] += operands[i].elements.shape[dim];
    for (size_t i = 0; i < rank; i++)
        strides[i] = 1;
    if (!mlc_eval_elements_of_rank(e, op, results[0].type, shape, rank, &results[0]))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        if (!mlc_eval_write_window(e, op, &results[0], offsets, operands[i].elements.shape, strides,
                                   operands[i].elements.data))
            return false;
        offsets[dim] += operands[i].elements.shape[dim];
    }
    return true;
}

// The padding is the region's value at each index of the result; a region that yields one value
// from outside is run once.
static bool
fill_padding(MlcEval *e, MlcOp *op, MlcDatum *result)
{
    size_t rank = result->rank;
    int64_t *index = new_list(e, rank);
    MlcDatum *args = mlc_eval_alloc(e, (rank + 1) * sizeof *args), value;
    MlcBlock *block = mlc_region_first(mlc_op_region(op, 0));
    bool is_constant = mlc_value_parent_block(mlc_op_operand(mlc_block_last(block), 0)) != block;
    size_t mark = mlc_eval_mark(e);
    for (size_t i = 0, n = mlc_datum_num_elements(result); i < n; i++) {
        for (size_t d = 0; d < rank; d++)
            args[d] = mlc_datum_index(mlc_eval_context(e), index[d]);
        if ((i == 0 || !is_constant) &&
            !mlc_eval_region(e, mlc_op_region(op, 0), args, rank, &value, 1))
            return false;
        mlc_datum_set_element(result, i, &value);
        mlc_next_index(index, result->elements.shape, rank);
        mlc_eval_collect(e, mark, &value, is_constant);
    }
    return true;
}

bool
mlc_tensor_pad_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (mlc_eval_is_folding(e))
        return false;
    size_t rank = operands[0].rank, used = 1;
    int64_t *low = new_list(e, rank), *high = new_list(e, rank), *shape = new_list(e, rank),
            *ones = new_list(e, rank);
    if (!mlc_eval_mixed(e, op, mlc_op_attr(op, "static_low"), operands, &used, low) ||
        !mlc_eval_mixed(e, op, mlc_op_attr(op, "static_high"), operands, &used, high))
        return false;
    for (size_t i = 0; i < rank; i++) {
        shape[i] = operands[0].elements.shape[i] + low[i] + high[i];
        ones[i] = 1;
    }
    return mlc_eval_elements_of_rank(e, op, results[0].type, shape, rank, &results[0]) &&
           fill_padding(e, op, &results[0]) &&
           mlc_eval_write_window(e, op, &results[0], low, operands[0].elements.shape, ones,
                                 operands[0].elements.data);
}

// --- pack and unpack

// Where an element of the packed tensor lies in the plain one: outer index * tile + inner index, in
// each dimension.
typedef struct Packing {
    size_t rank, num_tiles; // of the plain tensor
    int64_t *outer_perm;    // packed outer dimension -> plain dimension
    int64_t *tile_dims;     // inner tile -> plain dimension
    int64_t *tile_sizes;    // per plain dimension; 1 where it is not tiled
} Packing;

static bool
read_packing(MlcEval *e, MlcOp *op, const MlcDatum *operands, size_t used, size_t rank, Packing *p)
{
    MlcAttr perm = mlc_op_attr(op, "outer_dims_perm"), dims = mlc_op_attr(op, "inner_dims_pos"),
            tiles = mlc_op_attr(op, "static_inner_tiles");
    p->rank = rank;
    p->num_tiles = mlc_int_list_attr_size(dims);
    p->outer_perm = new_list(e, rank);
    p->tile_dims = new_list(e, p->num_tiles);
    p->tile_sizes = new_list(e, rank);
    int64_t *sizes = new_list(e, p->num_tiles);
    if (!mlc_eval_mixed(e, op, tiles, operands, &used, sizes))
        return false;
    for (size_t i = 0; i < rank; i++) {
        p->outer_perm[i] = (int64_t)i;
        if (perm && mlc_int_list_attr_size(perm) == rank)
            mlc_int_list_attr_get(perm, i, &p->outer_perm[i]);
        p->tile_sizes[i] = 1;
    }
    for (size_t i = 0; i < p->num_tiles; i++) {
        mlc_int_list_attr_get(dims, i, &p->tile_dims[i]);
        p->tile_sizes[p->tile_dims[i]] = sizes[i];
    }
    return true;
}

// False where the packed index is padding.
static bool
plain_index(const Packing *p, const int64_t *packed, const int64_t *shape, int64_t *plain)
{
    for (size_t i = 0; i < p->rank; i++)
        plain[p->outer_perm[i]] = packed[i] * p->tile_sizes[p->outer_perm[i]];
    for (size_t i = 0; i < p->num_tiles; i++)
        plain[p->tile_dims[i]] += packed[p->rank + i];
    for (size_t i = 0; i < p->rank; i++)
        if (plain[i] >= shape[i])
            return false;
    return true;
}

bool
mlc_tensor_pack_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    size_t first, count;
    Packing p;
    mlc_op_operand_group(op, 3, &first, &count);
    if (!read_packing(e, op, operands, first, source->rank, &p) ||
        !mlc_eval_copy_elements(e, op, &operands[1], &results[0]))
        return false;
    mlc_op_operand_group(op, 2, &first, &count);
    MlcDatum *out = &results[0];
    int64_t *packed = new_list(e, out->rank), *plain = new_list(e, p.rank);
    size_t bytes = mlc_datum_element_bytes(source);
    for (size_t i = 0, n = mlc_datum_num_elements(out); i < n; i++) {
        if (plain_index(&p, packed, source->elements.shape, plain))
            memcpy((char *)out->elements.data + i * bytes,
                   (char *)source->elements.data +
                       (size_t)mlc_linear_index(plain, source->elements.shape, p.rank) * bytes,
                   bytes);
        else if (count)
            mlc_datum_set_element(out, i, &operands[first]);
        mlc_next_index(packed, out->elements.shape, out->rank);
    }
    return true;
}

bool
mlc_tensor_unpack_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    Packing p;
    if (!read_packing(e, op, operands, 2, operands[1].rank, &p) ||
        !mlc_eval_copy_elements(e, op, &operands[1], &results[0]))
        return false;
    MlcDatum *out = &results[0];
    int64_t *packed = new_list(e, source->rank), *plain = new_list(e, p.rank);
    size_t bytes = mlc_datum_element_bytes(source);
    for (size_t i = 0, n = mlc_datum_num_elements(source); i < n; i++) {
        if (plain_index(&p, packed, out->elements.shape, plain))
            memcpy((char *)out->elements.data +
                       (size_t)mlc_linear_index(plain, out->elements.shape, p.rank) * bytes,
                   (char *)source->elements.data + i * bytes, bytes);
        mlc_next_index(packed, source->elements.shape, source->rank);
    }
    return true;
}
