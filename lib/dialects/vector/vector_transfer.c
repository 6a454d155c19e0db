// vector_transfer.c -- transfers: bounds that are known, masks that are full, casts of what is read
// or written, and transfers that meet: a read of what was written, a write of what was read, a
// write over a write.
#include "vector_impl.h"
#include "mlc/dialects/tensor.h"

// One transfer, read or write, with its parts named.
typedef struct Transfer {
    MlcOp *op;
    bool is_read;
    MlcValue *shaped, *mask;
    MlcType vector;
    MlcAffineMap map;
    MlcAttr in_bounds;
    size_t first_index, num_indices;
} Transfer;

static Transfer
transfer_of(MlcOp *op)
{
    Transfer t = {.op = op, .is_read = mlc_vector_transfer_read_isa(op)};
    size_t first, count;
    t.shaped = mlc_op_operand(op, t.is_read ? 0 : 1);
    mlc_op_operand_group(op, t.is_read ? 1 : 2, &t.first_index, &t.num_indices);
    mlc_op_operand_group(op, 3, &first, &count);
    t.mask = count ? mlc_op_operand(op, first) : NULL;
    t.vector = t.is_read ? mlc_op_result_type(op, 0) : mlc_op_operand_type(op, 0);
    t.map = mlc_op_affine_map(op, "permutation_map");
    t.in_bounds = mlc_op_attr(op, "in_bounds");
    return t;
}

static MlcValue *
index_of(const Transfer *t, size_t i)
{
    return mlc_op_operand(t->op, t->first_index + i);
}

static size_t
transfer_rank(const Transfer *t)
{
    return mlc_affine_map_num_results(t->map);
}

static bool
is_on_tensor(const Transfer *t)
{
    return mlc_type_is(mlc_value_type(t->shaped), MLC_TYPE_TENSOR);
}

static bool
is_broadcast_dim(const Transfer *t, size_t i)
{
    return mlc_affine_kind(mlc_affine_map_result(t->map, i)) == MLC_AFFINE_CONSTANT;
}

static bool
is_dim_in_bounds(const Transfer *t, size_t i)
{
    return is_broadcast_dim(t, i) || mlc_attr_as_bool(mlc_array_attr_element(t->in_bounds, i));
}

static bool
is_in_bounds(const Transfer *t)
{
    for (size_t i = 0; i < transfer_rank(t); i++)
        if (!is_dim_in_bounds(t, i))
            return false;
    return true;
}

static bool
is_minor_identity(const Transfer *t)
{
    size_t skipped = t->num_indices - transfer_rank(t);
    for (size_t i = 0; i < transfer_rank(t); i++) {
        MlcAffineExpr e = mlc_affine_map_result(t->map, i);
        if (mlc_affine_kind(e) != MLC_AFFINE_DIM || mlc_affine_position(e) != i + skipped)
            return false;
    }
    return true;
}

static bool
same_indices(const Transfer *a, const Transfer *b)
{
    if (a->num_indices != b->num_indices)
        return false;
    for (size_t i = 0; i < a->num_indices; i++)
        if (index_of(a, i) != index_of(b, i))
            return false;
    return true;
}

static bool
same_place(const Transfer *a, const Transfer *b)
{
    return same_indices(a, b) && a->vector == b->vector && a->map == b->map;
}

// Do constant indices show that the two touch no common element? Only for equal vectors.
static bool
is_apart(const Transfer *a, const Transfer *b)
{
    int64_t x, y;
    if (a->vector != b->vector || a->num_indices != b->num_indices || !is_minor_identity(a) ||
        !is_minor_identity(b))
        return false;
    size_t lead = a->num_indices - transfer_rank(a);
    for (size_t i = 0; i < a->num_indices; i++) {
        if (!mlc_value_constant_int(index_of(a, i), &x) ||
            !mlc_value_constant_int(index_of(b, i), &y))
            continue;
        int64_t width = i < lead ? 1 : mlc_type_dim(a->vector, i - lead);
        if (x != y && (x > y ? x - y : y - x) >= width)
            return true;
    }
    return false;
}

// --- folds

// index + width <= size, for the dimensions that are read or written
static bool
infer_in_bounds(const Transfer *t)
{
    MlcType shaped = mlc_value_type(t->shaped);
    MlcContext *ctx = mlc_op_context(t->op);
    MLC_VEC(MlcAttr) flags = {0};
    bool changed = false;
    for (size_t i = 0; i < transfer_rank(t); i++) {
        bool is_inside = is_dim_in_bounds(t, i);
        if (!is_inside) {
            unsigned dim = mlc_affine_position(mlc_affine_map_result(t->map, i));
            int64_t index, size = mlc_type_dim(shaped, dim);
            is_inside = size != MLC_DYNAMIC && mlc_value_constant_int(index_of(t, dim), &index) &&
                        index <= size - mlc_type_dim(t->vector, i);
            changed |= is_inside;
        }
        mlc_vec_push(&flags, mlc_bool_attr_get(ctx, is_inside));
    }
    if (changed)
        mlc_op_set_attr(t->op, "in_bounds", mlc_array_attr_get(ctx, flags.data, flags.size));
    mlc_vec_release(&flags);
    return changed;
}

static bool
drop_full_mask(const Transfer *t)
{
    if (!t->mask || mlc_vector_mask_format(t->mask) != MASK_ALL_TRUE)
        return false;
    mlc_op_set_operand_group(t->op, 3, NULL, 0);
    return true;
}

// read(tensor.cast(x)) -> read(x), where x knows no less of its shape
static bool
fold_tensor_cast(const Transfer *t)
{
    MlcOp *cast = mlc_value_def(t->shaped);
    if (!mlc_tensor_cast_isa(cast))
        return false;
    MlcType from = mlc_op_operand_type(cast, 0), to = mlc_op_result_type(cast, 0);
    if (!mlc_type_is(from, MLC_TYPE_TENSOR) || !mlc_type_is(to, MLC_TYPE_TENSOR) ||
        mlc_type_rank(from) != mlc_type_rank(to))
        return false;
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (mlc_type_dim(from, i) == MLC_DYNAMIC && mlc_type_dim(to, i) != MLC_DYNAMIC)
            return false;
    mlc_op_set_operand(t->op, 0, mlc_op_operand(cast, 0));
    return true;
}

// read(write(v, t)) at the same place -> v; past writes elsewhere
static MlcValue *
written_value(const Transfer *read)
{
    if (!is_on_tensor(read))
        return NULL;
    for (MlcOp *op = mlc_value_def(read->shaped); mlc_vector_transfer_write_isa(op);) {
        Transfer write = transfer_of(op);
        if (is_in_bounds(&write) && !write.mask && !read->mask && same_place(&write, read))
            return mlc_op_operand(op, 0);
        if (!is_apart(&write, read))
            return NULL;
        op = mlc_value_def(write.shaped);
    }
    return NULL;
}

bool
mlc_vector_transfer_read_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    Transfer t = transfer_of(op);
    return to_value(results, written_value(&t)) || infer_in_bounds(&t) || drop_full_mask(&t) ||
           mlc_vector_fold_memref_casts(op) || fold_tensor_cast(&t);
}

static bool
are_indices_zero(const Transfer *t)
{
    for (size_t i = 0; i < t->num_indices; i++) {
        int64_t index;
        if (!mlc_value_constant_int(index_of(t, i), &index) || index != 0)
            return false;
    }
    return true;
}

// write(read(t), u), all of both -> t; write(read(t, p), t, p) -> t
static MlcValue *
copied_tensor(const Transfer *write)
{
    MlcOp *def = operand_def(write->op, 0);
    if (!is_on_tensor(write) || !mlc_vector_transfer_read_isa(def))
        return NULL;
    Transfer read = transfer_of(def);
    if (read.mask || write->mask)
        return NULL;
    if (read.shaped == write->shaped && same_place(&read, write))
        return read.shaped;
    MlcType type = mlc_value_type(write->shaped);
    bool is_whole = transfer_rank(write) > 0 && transfer_rank(&read) == transfer_rank(write) &&
                    mlc_value_type(read.shaped) == type && read.vector == write->vector &&
                    is_minor_identity(&read) && is_minor_identity(write) && is_in_bounds(&read) &&
                    is_in_bounds(write) && mlc_type_has_shape_of(read.vector, type) &&
                    are_indices_zero(&read) && are_indices_zero(write);
    return is_whole ? read.shaped : NULL;
}

bool
mlc_vector_transfer_write_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    Transfer t = transfer_of(op);
    MlcValue *copied = copied_tensor(&t);
    if (copied && mlc_op_num_results(op) == 1)
        return to_value(results, copied);
    return infer_in_bounds(&t) || drop_full_mask(&t) || mlc_vector_fold_memref_casts(op);
}

// --- patterns

// Sizes of the transferred block per dimension of the shaped type.
static bool
same_chunk(const Transfer *a, const Transfer *b)
{
    int64_t sizes[2][MLC_RANK_LIMIT] = {{0}};
    const Transfer *both[2] = {a, b};
    if (a->num_indices != b->num_indices || a->num_indices > MLC_RANK_LIMIT)
        return false;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < transfer_rank(both[k]); i++)
            if (!is_broadcast_dim(both[k], i))
                sizes[k][mlc_affine_position(mlc_affine_map_result(both[k]->map, i))] =
                    mlc_type_dim(both[k]->vector, i);
    return memcmp(sizes[0], sizes[1], sizeof sizes[0]) == 0;
}

// Which dimension of the written vector is dimension `i` of the one read; -1: a new one.
static int
written_dim(const Transfer *read, const Transfer *write, size_t i)
{
    for (size_t k = 0; !is_broadcast_dim(read, i) && k < transfer_rank(write); k++)
        if (mlc_affine_map_result(read->map, i) == mlc_affine_map_result(write->map, k))
            return (int)k;
    return -1;
}

// read(write(v)) of the same block, its dimensions in another order or repeated ->
// transpose(broadcast(v))
bool
mlc_vector_read_of_written(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Transfer read = transfer_of(op);
    MlcOp *def = mlc_value_def(read.shaped);
    size_t rank = transfer_rank(&read);
    if (!is_in_bounds(&read) || !is_on_tensor(&read) || !mlc_vector_transfer_write_isa(def) ||
        rank == 0 || rank > MLC_RANK_LIMIT)
        return false;
    Transfer write = transfer_of(def);
    if (!same_chunk(&read, &write) || !same_indices(&read, &write) || read.mask != write.mask)
        return false;
    int64_t shape[MLC_RANK_LIMIT], order[MLC_RANK_LIMIT];
    bool scalable[MLC_RANK_LIMIT], taken[MLC_RANK_LIMIT] = {false};
    size_t lead = rank - transfer_rank(&write), next = 0;
    for (size_t i = 0; i < rank; i++) {
        int from = written_dim(&read, &write, i);
        order[i] = from < 0 ? -1 : from + (int64_t)lead;
        if (from >= 0)
            taken[order[i]] = true;
    }
    for (size_t i = 0; i < rank; i++) {
        while (order[i] < 0 && taken[next])
            next++;
        if (order[i] < 0)
            order[i] = (int64_t)next++;
        shape[order[i]] = mlc_type_dim(read.vector, i);
        scalable[order[i]] = mlc_vector_type_is_scalable(read.vector, i);
    }
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType wide = mlc_vector_type_get(mlc_type_element(write.vector), shape, rank, scalable);
    MlcValue *value = mlc_vector_broadcast(b, wide, mlc_op_operand(def, 0));
    return mlc_rewriter_replace_op(rw, op,
                                   mlc_vector_transpose(b, read.vector, value, order, rank));
}

// write(.., write(.., t)) to the same place: the first goes; past writes elsewhere that nobody else
// reads
bool
mlc_vector_write_over_write(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Transfer last = transfer_of(op);
    MlcOp *modified = op;
    if (!is_on_tensor(&last))
        return false;
    for (MlcOp *prior = mlc_value_def(last.shaped); mlc_vector_transfer_write_isa(prior);) {
        Transfer t = transfer_of(prior);
        if (t.mask == last.mask && same_place(&t, &last)) {
            mlc_op_set_operand(modified, 1, t.shaped);
            mlc_rewriter_changed(rw, modified);
            return true;
        }
        if (!is_apart(&t, &last) || !mlc_value_has_one_use(mlc_op_result(prior, 0)))
            return false;
        modified = prior;
        prior = mlc_value_def(t.shaped);
    }
    return false;
}

// Operand groups and static parts of a slice that is inserted are those of one that is extracted.
static bool
same_sizes(MlcOp *insert, MlcOp *extract)
{
    size_t a, b, n, m;
    mlc_op_operand_group(insert, 3, &a, &n);
    mlc_op_operand_group(extract, 2, &b, &m);
    if (mlc_op_attr(insert, "static_sizes") != mlc_op_attr(extract, "static_sizes") || n != m)
        return false;
    for (size_t i = 0; i < n; i++)
        if (mlc_op_operand(insert, a + i) != mlc_op_operand(extract, b + i))
            return false;
    return true;
}

static bool
is_all_list(MlcOp *op, const char *name, int64_t value)
{
    return list_is_all(mlc_op_attr(op, name), value);
}

// insert_slice(extract_slice(write(v, t)), d) -> insert_slice(write(v, extract_slice(d)), d): the
// write happens in place
bool
mlc_vector_write_into_slice(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcSlice window;
    MlcOp *slice = operand_def(op, 0);
    MlcOp *def = mlc_tensor_extract_slice_isa(slice) ? operand_def(slice, 0) : NULL;
    if (!mlc_vector_transfer_write_isa(def) || !mlc_value_has_one_use(mlc_op_result(slice, 0)) ||
        !mlc_value_has_one_use(mlc_op_result(def, 0)) || !is_all_list(op, "static_strides", 1) ||
        !is_all_list(slice, "static_strides", 1) || !is_all_list(slice, "static_offsets", 0))
        return false;
    Transfer write = transfer_of(def);
    MlcType part = mlc_op_operand_type(op, 0), whole = mlc_value_type(write.shaped);
    size_t rank = mlc_type_rank(part);
    if (write.mask || rank != transfer_rank(&write) || rank != mlc_type_rank(whole) ||
        rank != mlc_type_rank(mlc_op_result_type(op, 0)) || !are_indices_zero(&write) ||
        !same_sizes(op, slice) || !mlc_affine_map_is_permutation(write.map) ||
        !mlc_type_has_static_shape(whole) || !mlc_slice_read(op, &window))
        return false;
    MLC_VEC(MlcAttr) flags = {0};
    MlcContext *ctx = mlc_op_context(op);
    bool covers = true;
    for (size_t i = 0; i < rank; i++) {
        unsigned dim = mlc_affine_position(mlc_affine_map_result(write.map, i));
        covers &= mlc_type_dim(write.vector, i) >= mlc_type_dim(whole, dim);
        mlc_vec_push(&flags, mlc_bool_attr_get(ctx, mlc_type_dim(part, dim) ==
                                                        mlc_type_dim(write.vector, i)));
    }
    MlcAttr in_bounds = mlc_array_attr_get(ctx, flags.data, flags.size);
    mlc_vec_release(&flags);
    if (!covers)
        return false;
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcValue *dest = mlc_op_operand(op, 1);
    MlcOp *old = mlc_build_slice(b, &mlc_tensor_extract_slice_def, part, &dest, 1, &window);
    MlcOp *made = mlc_op_clone(def, NULL);
    mlc_op_set_operand(made, 1, mlc_op_result(old, 0));
    mlc_value_set_type(mlc_op_result(made, 0), part);
    mlc_op_set_attr(made, "in_bounds", in_bounds);
    mlc_builder_insert(b, made);
    mlc_op_set_operand(op, 0, mlc_op_result(made, 0));
    mlc_rewriter_changed(rw, op);
    return true;
}
