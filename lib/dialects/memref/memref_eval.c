// memref_eval.c -- what memref ops do to buffers.
#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"
#include "mlc/support/alloc.h"

static int64_t *
new_list(MlcEval *e, size_t n)
{
    return mlc_eval_alloc(e, (n + 1) * sizeof(int64_t));
}

static int64_t *
indices_of(MlcEval *e, const MlcDatum *operands, size_t n)
{
    int64_t *indices = new_list(e, n);
    mlc_datum_as_ints(operands, n, indices);
    return indices;
}

static MlcDatum
index_datum(MlcEval *e, int64_t value)
{
    return mlc_datum_index(mlc_eval_context(e), value);
}

// --- allocation

static bool
allocate_dynamic(MlcEval *e, MlcOp *op, MlcType type, const MlcDatum *dynamic, MlcDatum *out)
{
    size_t rank = mlc_type_rank(type);
    int64_t *sizes = new_list(e, rank);
    if (mlc_memref_type_num_symbols(type))
        return mlc_eval_error(e, op, "allocates in a layout that the interpreter does not know");
    for (size_t i = 0; i < rank; i++) {
        sizes[i] = mlc_type_dim(type, i);
        if (sizes[i] == MLC_DYNAMIC)
            sizes[i] = mlc_datum_as_int(dynamic++);
    }
    return mlc_eval_memref_create(e, op, type, rank, sizes, out);
}

bool
mlc_memref_alloc_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return allocate_dynamic(e, op, results[0].type, operands, &results[0]);
}

bool
mlc_memref_alloca_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (!allocate_dynamic(e, op, results[0].type, operands, &results[0]))
        return false;
    mlc_eval_buffer_free_on_exit(e, results[0].memref.buffer);
    return true;
}

bool
mlc_memref_alloca_scope_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    return mlc_eval_region(e, mlc_op_region(op, 0), NULL, 0, results, mlc_op_num_results(op));
}

bool
mlc_memref_dealloc_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    return mlc_eval_buffer_free(e, op, operands[0].memref.buffer);
}

bool
mlc_memref_extract_aligned_pointer_as_index_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                                 MlcDatum *results)
{
    (void)e, (void)op;
    results[0] =
        mlc_datum_int(results[0].type, (int64_t)mlc_buffer_address(operands[0].memref.buffer));
    return true;
}

bool
mlc_memref_realloc_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *old = &operands[0];
    if (!allocate_dynamic(e, op, results[0].type, operands + 1, &results[0]))
        return false;
    int64_t count = old->memref.sizes[0] < results[0].memref.sizes[0] ? old->memref.sizes[0]
                                                                      : results[0].memref.sizes[0];
    for (int64_t i = 0; i < count; i++) {
        MlcDatum value;
        if (!mlc_eval_load(e, op, old, &i, &value) ||
            !mlc_eval_store(e, op, &results[0], &i, &value))
            return false;
    }
    return mlc_eval_buffer_free(e, op, old->memref.buffer);
}

static bool
make_global(MlcEval *e, MlcOp *op, MlcOp *global, MlcBuffer **buffer)
{
    MlcType type = mlc_type_attr_value(mlc_op_attr(global, "type"));
    MlcAttr value = mlc_op_attr(global, "initial_value");
    MlcDatum memref, elements;
    if (!mlc_eval_memref_create(e, op, type, mlc_type_rank(type), mlc_type_shape(type), &memref))
        return false;
    *buffer = memref.memref.buffer;
    if (value && !mlc_attr_is(value, MLC_ATTR_UNIT)) {
        if (!mlc_datum_from_attr(e, value, &elements))
            return mlc_eval_error(e, global, "has an initial value that cannot be evaluated");
        if (!mlc_eval_scatter(e, op, &memref, elements.elements.data))
            return false;
    }
    if (mlc_op_attr(global, "constant"))
        mlc_buffer_set_constant(*buffer);
    return true;
}

bool
mlc_memref_get_global_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    MlcOp *global = mlc_eval_symbol(e, op, mlc_op_attr(op, "name"));
    if (!global)
        return false;
    void **word = mlc_eval_memory(e, global);
    MlcBuffer *buffer = *word;
    if (!buffer && !make_global(e, op, global, &buffer))
        return false;
    *word = buffer;
    MlcType type = results[0].type;
    results[0] =
        mlc_eval_memref(e, type, buffer, 0, mlc_type_rank(type), mlc_type_shape(type), NULL);
    return true;
}

// --- elements

bool
mlc_memref_load_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_load(e, op, &operands[0], indices_of(e, operands + 1, operands[0].rank),
                         &results[0]);
}

bool
mlc_memref_store_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    return mlc_eval_store(e, op, &operands[1], indices_of(e, operands + 2, operands[1].rank),
                          &operands[0]);
}

// Through a packed copy, so that source and target may overlap.
bool
mlc_memref_copy_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    size_t count = mlc_datum_num_elements(&operands[0]);
    if (operands[0].rank != operands[1].rank || count != mlc_datum_num_elements(&operands[1]))
        return mlc_eval_error(e, op, "copies between memrefs of different shapes");
    void *packed = mlc_malloc(count * mlc_datum_element_bytes(&operands[0]));
    bool ok = mlc_eval_gather(e, op, &operands[0], packed) &&
              mlc_eval_scatter(e, op, &operands[1], packed);
    mlc_free(packed);
    return ok;
}

bool
mlc_memref_prefetch_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)e, (void)op, (void)operands, (void)results;
    return true;
}

bool
mlc_memref_assume_alignment_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)e, (void)op, (void)operands, (void)results;
    return true;
}

bool
mlc_memref_atomic_rmw_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t *indices = indices_of(e, operands + 2, operands[1].rank);
    MlcCombine kind = mlc_combine_from_rmw_kind(mlc_enum_attr_value(mlc_op_attr(op, "kind")));
    MlcDatum updated;
    return mlc_eval_load(e, op, &operands[1], indices, &results[0]) &&
           mlc_eval_combine(e, op, kind, &results[0], &operands[0], &updated) &&
           mlc_eval_store(e, op, &operands[1], indices, &updated);
}

bool
mlc_memref_generic_atomic_rmw_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                   MlcDatum *results)
{
    int64_t *indices = indices_of(e, operands + 1, operands[0].rank);
    MlcDatum updated;
    return mlc_eval_load(e, op, &operands[0], indices, &results[0]) &&
           mlc_eval_region(e, mlc_op_region(op, 0), &results[0], 1, &updated, 1) &&
           mlc_eval_store(e, op, &operands[0], indices, &updated);
}

// --- questions

bool
mlc_memref_dim_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t i = mlc_datum_as_int(&operands[1]);
    if (i < 0 || (uint64_t)i >= operands[0].rank)
        return mlc_eval_error(e, op, "asks for dimension %lld of %zu", (long long)i,
                              operands[0].rank);
    results[0] = index_datum(e, operands[0].memref.sizes[i]);
    return true;
}

bool
mlc_memref_rank_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)op;
    results[0] = index_datum(e, (int64_t)operands[0].rank);
    return true;
}

bool
mlc_memref_extract_strided_metadata_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                         MlcDatum *results)
{
    (void)op;
    const MlcDatum *source = &operands[0];
    results[0] = mlc_eval_memref(e, results[0].type, source->memref.buffer, 0, 0, NULL, NULL);
    results[1] = index_datum(e, source->memref.offset);
    for (size_t i = 0; i < source->rank; i++) {
        results[2 + i] = index_datum(e, source->memref.sizes[i]);
        results[2 + source->rank + i] = index_datum(e, source->memref.strides[i]);
    }
    return true;
}

// --- other windows

bool
mlc_memref_cast_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)e, (void)op;
    MlcType type = results[0].type;
    results[0] = operands[0];
    results[0].type = type;
    return true;
}

bool
mlc_memref_subview_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    MlcAttr static_sizes = mlc_op_attr(op, "static_sizes");
    size_t n = source->rank, used = 1, rank = 0;
    int64_t *offsets = new_list(e, n), *sizes = new_list(e, n), *strides = new_list(e, n);
    bool is_empty;
    if (!mlc_eval_mixed(e, op, mlc_op_attr(op, "static_offsets"), operands, &used, offsets) ||
        !mlc_eval_mixed(e, op, static_sizes, operands, &used, sizes) ||
        !mlc_eval_mixed(e, op, mlc_op_attr(op, "static_strides"), operands, &used, strides) ||
        !mlc_eval_check_window(e, op, n, source->memref.sizes, offsets, sizes, strides, &is_empty))
        return false;
    bool *dropped = mlc_eval_alloc(e, n + 1);
    mlc_eval_dropped_dims(static_sizes, results[0].type, dropped);
    int64_t offset = source->memref.offset;
    for (size_t i = 0; i < n; i++) {
        offset += is_empty ? 0 : offsets[i] * source->memref.strides[i];
        if (dropped[i])
            continue;
        sizes[rank] = sizes[i];
        strides[rank++] = (int64_t)((uint64_t)strides[i] * (uint64_t)source->memref.strides[i]);
    }
    results[0] =
        mlc_eval_memref(e, results[0].type, source->memref.buffer, offset, rank, sizes, strides);
    return true;
}

bool
mlc_memref_view_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = results[0].type;
    size_t rank = mlc_type_rank(type), bytes;
    int64_t *sizes = new_list(e, rank), count = 1;
    const MlcDatum *dynamic = operands + 2;
    for (size_t i = 0; i < rank; i++) {
        sizes[i] = mlc_type_dim(type, i) == MLC_DYNAMIC ? mlc_datum_as_int(dynamic++)
                                                        : mlc_type_dim(type, i);
        if (sizes[i] < 0 || __builtin_mul_overflow(count, sizes[i], &count))
            return mlc_eval_error(e, op, "has size %lld in dimension %zu", (long long)sizes[i], i);
    }
    MlcDatum view = mlc_eval_memref(e, type, NULL, 0, rank, sizes, NULL);
    if (!mlc_mul_size((size_t)count, mlc_datum_element_bytes(&view), &bytes))
        return mlc_eval_error(e, op, "has more bytes than can be counted");
    int64_t first = operands[0].memref.offset + mlc_datum_as_int(&operands[1]);
    view.memref.buffer = mlc_eval_buffer_window(e, op, operands[0].memref.buffer, first, bytes);
    results[0] = view;
    return view.memref.buffer != NULL;
}

bool
mlc_memref_reinterpret_cast_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr lists[3] = {mlc_op_attr(op, "static_offsets"), mlc_op_attr(op, "static_sizes"),
                        mlc_op_attr(op, "static_strides")};
    size_t rank = mlc_int_list_attr_size(lists[1]), used = 1;
    int64_t offset, *sizes = new_list(e, rank), *strides = new_list(e, rank);
    if (!mlc_eval_mixed(e, op, lists[0], operands, &used, &offset) ||
        !mlc_eval_mixed(e, op, lists[1], operands, &used, sizes) ||
        !mlc_eval_mixed(e, op, lists[2], operands, &used, strides))
        return false;
    results[0] = mlc_eval_memref(e, results[0].type, operands[0].memref.buffer, offset, rank, sizes,
                                 strides);
    return true;
}

bool
mlc_memref_transpose_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    MlcAffineMap map = mlc_op_affine_map(op, "permutation");
    int64_t *sizes = new_list(e, source->rank), *strides = new_list(e, source->rank);
    for (size_t i = 0; i < source->rank; i++) {
        unsigned from = mlc_affine_position(mlc_affine_map_result(map, i));
        sizes[i] = source->memref.sizes[from];
        strides[i] = source->memref.strides[from];
    }
    results[0] = mlc_eval_memref(e, results[0].type, source->memref.buffer, source->memref.offset,
                                 source->rank, sizes, strides);
    return true;
}

// A group's stride is that of its last dimension of more than one element: only those must lie
// behind each other.
bool
mlc_memref_collapse_shape_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    MlcAttr groups = mlc_op_attr(op, "reassociation");
    size_t rank = mlc_array_attr_size(groups);
    int64_t *sizes = new_list(e, rank), *strides = new_list(e, rank);
    for (size_t g = 0; g < rank; g++) {
        MlcAttr group = mlc_array_attr_element(groups, g);
        sizes[g] = 1;
        strides[g] = 0;
        for (size_t i = mlc_int_list_attr_size(group); i-- > 0;) {
            int64_t dim = 0;
            mlc_int_list_attr_get(group, i, &dim);
            int64_t size = source->memref.sizes[dim], stride = source->memref.strides[dim];
            if (strides[g] == 0 || sizes[g] == 1)
                strides[g] = size != 1 || strides[g] == 0 ? stride : strides[g];
            else if (size != 1 && stride != sizes[g] * strides[g])
                return mlc_eval_error(e, op,
                                      "collapses dimensions that do not lie behind each other");
            sizes[g] *= size;
        }
    }
    results[0] = mlc_eval_memref(e, results[0].type, source->memref.buffer, source->memref.offset,
                                 rank, sizes, strides);
    return true;
}

bool
mlc_memref_expand_shape_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    MlcAttr groups = mlc_op_attr(op, "reassociation");
    size_t rank = mlc_type_rank(results[0].type), used = 1;
    int64_t *sizes = new_list(e, rank), *strides = new_list(e, rank);
    if (!mlc_eval_mixed(e, op, mlc_op_attr(op, "static_output_shape"), operands, &used, sizes))
        return false;
    for (size_t g = 0; g < mlc_array_attr_size(groups); g++) {
        MlcAttr group = mlc_array_attr_element(groups, g);
        int64_t stride = source->memref.strides[g], count = 1;
        for (size_t i = mlc_int_list_attr_size(group); i-- > 0;) {
            int64_t dim = 0;
            mlc_int_list_attr_get(group, i, &dim);
            strides[dim] = stride * count;
            count *= sizes[dim];
        }
        if (count != source->memref.sizes[g])
            return mlc_eval_error(e, op, "makes %lld elements of %lld", (long long)count,
                                  (long long)source->memref.sizes[g]);
    }
    results[0] = mlc_eval_memref(e, results[0].type, source->memref.buffer, source->memref.offset,
                                 rank, sizes, strides);
    return true;
}

bool
mlc_memref_reshape_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t rank = operands[1].memref.sizes[0], *sizes = new_list(e, (size_t)rank);
    for (int64_t i = 0; i < rank; i++) {
        MlcDatum size;
        if (!mlc_eval_load(e, op, &operands[1], &i, &size))
            return false;
        sizes[i] = mlc_datum_as_int(&size);
    }
    results[0] = mlc_eval_memref(e, results[0].type, operands[0].memref.buffer,
                                 operands[0].memref.offset, (size_t)rank, sizes, NULL);
    if (mlc_datum_num_elements(&results[0]) != mlc_datum_num_elements(&operands[0]))
        return mlc_eval_error(e, op, "makes %zu elements of %zu",
                              mlc_datum_num_elements(&results[0]),
                              mlc_datum_num_elements(&operands[0]));
    return true;
}
