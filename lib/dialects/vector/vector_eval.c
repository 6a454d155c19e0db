// vector_eval.c -- what vector ops mean: shapes, elements, combinations. Memory is in
// vector_eval_memory.c.
#include <stdio.h>

#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"
#include "mlc/support/strided.h"

static int64_t *
new_list(MlcEval *e, size_t n)
{
    return mlc_eval_alloc(e, (n + 1) * sizeof(int64_t));
}

static int64_t *
list_of(MlcEval *e, MlcOp *op, const char *name, size_t *n)
{
    MlcAttr attr = mlc_op_attr(op, name);
    *n = mlc_int_list_attr_size(attr);
    int64_t *list = new_list(e, *n);
    for (size_t i = 0; i < *n; i++)
        mlc_int_list_attr_get(attr, i, &list[i]);
    return list;
}

static char *
bytes_at(const MlcDatum *elements, size_t i)
{
    return (char *)elements->elements.data + i * mlc_datum_element_bytes(elements);
}

// --- making and shaping

// Leading dimensions and those of size 1 are stretched.
bool
mlc_vector_broadcast_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    MlcDatum *out = &results[0];
    int64_t index[MLC_RANK_LIMIT] = {0};
    bool is_scalar = !mlc_datum_is_elements(source);
    size_t lead = is_scalar ? 0 : out->rank - source->rank;
    for (size_t i = 0, n = mlc_datum_num_elements(out); i < n; i++) {
        size_t at = 0;
        for (size_t d = 0; !is_scalar && d < source->rank; d++) {
            int64_t size = source->elements.shape[d];
            at = at * (size_t)size + (size_t)(size == 1 ? 0 : index[lead + d]);
        }
        if (is_scalar)
            mlc_datum_set_element(out, i, source);
        else
            memcpy(bytes_at(out, i), bytes_at(source, at), mlc_datum_element_bytes(out));
        mlc_next_index(index, out->elements.shape, out->rank);
    }
    return true;
}

bool
mlc_vector_from_elements_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_datum_set_element(&results[0], i, &operands[i]);
    return true;
}

bool
mlc_vector_step_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    for (size_t i = 0; i < mlc_datum_num_elements(&results[0]); i++) {
        MlcDatum value = mlc_datum_index(mlc_eval_context(e), (int64_t)i);
        mlc_datum_set_element(&results[0], i, &value);
    }
    return true;
}

bool
mlc_vector_shape_cast_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = results[0].type;
    return mlc_eval_reshape(e, op, &operands[0], type, mlc_type_shape(type), mlc_type_rank(type),
                            &results[0]);
}

// The bytes are the same where elements have whole bytes; those of i1 do not.
bool
mlc_vector_bitcast_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    unsigned from = mlc_type_bit_width(mlc_type_element(operands[0].type)),
             to = mlc_type_bit_width(mlc_type_element(results[0].type));
    if (from % 8 || to % 8 || from > 64 || to > 64)
        return mlc_eval_error(
            e, op, "casts elements of %u bits to %u bits, which the interpreter does not know",
            from, to);
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    memcpy(results[0].elements.data, operands[0].elements.data, results[0].elements.num_bytes);
    return true;
}

bool
mlc_vector_transpose_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t n;
    int64_t *permutation = list_of(e, op, "permutation", &n), index[MLC_RANK_LIMIT] = {0},
            source[MLC_RANK_LIMIT];
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    MlcDatum *out = &results[0];
    for (size_t i = 0, count = mlc_datum_num_elements(out); i < count; i++) {
        for (size_t d = 0; d < n; d++)
            source[permutation[d]] = index[d];
        size_t at = (size_t)mlc_linear_index(source, operands[0].elements.shape, n);
        memcpy(bytes_at(out, i), bytes_at(&operands[0], at), mlc_datum_element_bytes(out));
        mlc_next_index(index, out->elements.shape, out->rank);
    }
    return true;
}

// --- parts

// The linear position of the first element at a position in the leading dimensions, and how many
// elements lie there.
static bool
find_part(MlcEval *e, MlcOp *op, const MlcDatum *vector, const MlcDatum *dynamic, size_t *first,
          size_t *count)
{
    MlcAttr attr = mlc_op_attr(op, "static_position");
    size_t used = 0, n = mlc_int_list_attr_size(attr);
    int64_t *position = new_list(e, n);
    if (!mlc_eval_mixed(e, op, attr, dynamic, &used, position))
        return false;
    *first = 0;
    *count = 1;
    for (size_t i = 0; i < vector->rank; i++) {
        int64_t size = vector->elements.shape[i], at = i < n ? position[i] : 0;
        if (at < 0 || at >= size)
            return mlc_eval_error(e, op, "accesses element %lld of dimension %zu, which has %lld",
                                  (long long)at, i, (long long)size);
        *first = *first * (size_t)size + (size_t)at;
        *count *= i < n ? 1 : (size_t)size;
    }
    return true;
}

bool
mlc_vector_extract_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t first, count;
    if (!find_part(e, op, &operands[0], operands + 1, &first, &count))
        return false;
    if (!mlc_datum_is_elements(&results[0])) {
        mlc_datum_element(e, &operands[0], first, &results[0]);
        return true;
    }
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    memcpy(results[0].elements.data, bytes_at(&operands[0], first), results[0].elements.num_bytes);
    return true;
}

bool
mlc_vector_insert_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t first, count;
    if (!find_part(e, op, &operands[1], operands + 2, &first, &count) ||
        !mlc_eval_copy_elements(e, op, &operands[1], &results[0]))
        return false;
    mlc_datum_write(bytes_at(&results[0], first), &operands[0]);
    return true;
}

static bool
element_position(MlcEval *e, MlcOp *op, const MlcDatum *vector, const MlcDatum *position,
                 size_t *at)
{
    int64_t i = vector->rank == 0 ? 0 : mlc_datum_as_int(position);
    if (i < 0 || (uint64_t)i >= mlc_datum_num_elements(vector))
        return mlc_eval_error(e, op, "accesses element %lld of %zu", (long long)i,
                              mlc_datum_num_elements(vector));
    *at = (size_t)i;
    return true;
}

bool
mlc_vector_extractelement_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t at;
    if (!element_position(e, op, &operands[0], &operands[1], &at))
        return false;
    mlc_datum_element(e, &operands[0], at, &results[0]);
    return true;
}

bool
mlc_vector_insertelement_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t at;
    if (!element_position(e, op, &operands[1], &operands[2], &at) ||
        !mlc_eval_copy_elements(e, op, &operands[1], &results[0]))
        return false;
    mlc_datum_set_element(&results[0], at, &operands[0]);
    return true;
}

// The lists are for leading dimensions; the rest is whole.
static int64_t *
extended(MlcEval *e, MlcOp *op, const char *name, size_t rank, const int64_t *shape)
{
    size_t n;
    int64_t *list = list_of(e, op, name, &n), *all = new_list(e, rank);
    for (size_t i = 0; i < rank; i++)
        all[i] = i < n ? list[i] : shape ? shape[i] : strcmp(name, "strides") == 0;
    return all;
}

bool
mlc_vector_extract_strided_slice_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                      MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    return mlc_eval_elements(e, op, results[0].type, NULL, &results[0]) &&
           mlc_eval_read_window(e, op, source, extended(e, op, "offsets", source->rank, NULL),
                                extended(e, op, "sizes", source->rank, source->elements.shape),
                                extended(e, op, "strides", source->rank, NULL),
                                results[0].elements.data);
}

// Offsets are for all dimensions of the destination, strides for those of the source, which are its
// last ones.
bool
mlc_vector_insert_strided_slice_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                     MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    if (!mlc_eval_copy_elements(e, op, &operands[1], &results[0]))
        return false;
    size_t rank = results[0].rank, lead = rank - source->rank, n;
    int64_t *offsets = list_of(e, op, "offsets", &n), *given = list_of(e, op, "strides", &n);
    int64_t *sizes = new_list(e, rank), *strides = new_list(e, rank);
    for (size_t i = 0; i < rank; i++) {
        sizes[i] = i < lead ? 1 : source->elements.shape[i - lead];
        strides[i] = i < lead ? 1 : given[i - lead];
    }
    return mlc_eval_write_window(e, op, &results[0], offsets, sizes, strides,
                                 source->elements.data);
}

// Of whole slices of the leading dimension.
bool
mlc_vector_shuffle_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t n;
    int64_t *mask = list_of(e, op, "mask", &n);
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    int64_t first = operands[0].rank ? operands[0].elements.shape[0] : 1;
    size_t slice = n ? results[0].elements.num_bytes / n : 0;
    for (size_t i = 0; i < n; i++) {
        const MlcDatum *from = mask[i] < first ? &operands[0] : &operands[1];
        int64_t at = mask[i] < first ? mask[i] : mask[i] - first;
        memcpy((char *)results[0].elements.data + i * slice,
               (char *)from->elements.data + (size_t)at * slice, slice);
    }
    return true;
}

bool
mlc_vector_interleave_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    size_t bytes = mlc_datum_element_bytes(&results[0]);
    for (size_t i = 0; i < mlc_datum_num_elements(&results[0]); i++)
        memcpy(bytes_at(&results[0], i), bytes_at(&operands[i % 2], i / 2), bytes);
    return true;
}

bool
mlc_vector_deinterleave_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    for (size_t r = 0; r < 2; r++)
        if (!mlc_eval_elements(e, op, results[r].type, NULL, &results[r]))
            return false;
    size_t bytes = mlc_datum_element_bytes(&results[0]);
    for (size_t i = 0; i < mlc_datum_num_elements(&operands[0]); i++)
        memcpy(bytes_at(&results[i % 2], i / 2), bytes_at(&operands[0], i), bytes);
    return true;
}

// --- masks

static bool
fill_mask(MlcEval *e, MlcOp *op, const int64_t *sizes, MlcDatum *out)
{
    if (!mlc_eval_elements(e, op, out->type, NULL, out))
        return false;
    int64_t index[MLC_RANK_LIMIT] = {0};
    unsigned char *bits = out->elements.data;
    for (size_t i = 0; i < out->elements.num_bytes; i++) {
        bits[i] = 1;
        for (size_t d = 0; d < out->rank; d++)
            bits[i] &= index[d] < sizes[d];
        mlc_next_index(index, out->elements.shape, out->rank);
    }
    if (out->rank == 0)
        bits[0] = sizes[0] > 0;
    return true;
}

bool
mlc_vector_create_mask_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t n = mlc_op_num_operands(op);
    int64_t *sizes = new_list(e, n);
    for (size_t i = 0; i < n; i++)
        sizes[i] = mlc_datum_as_int(&operands[i]);
    return fill_mask(e, op, sizes, &results[0]);
}

bool
mlc_vector_constant_mask_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    size_t n;
    return fill_mask(e, op, list_of(e, op, "mask_dim_sizes", &n), &results[0]);
}

// --- combinations

static MlcCombine
kind_of(MlcOp *op)
{
    static const MlcCombine kinds[] = {
        MLC_COMBINE_ADD,        MLC_COMBINE_MUL,    MLC_COMBINE_MIN_UNSIGNED,
        MLC_COMBINE_MIN_SIGNED, MLC_COMBINE_MINNUM, MLC_COMBINE_MAX_UNSIGNED,
        MLC_COMBINE_MAX_SIGNED, MLC_COMBINE_MAXNUM, MLC_COMBINE_AND,
        MLC_COMBINE_OR,         MLC_COMBINE_XOR,    MLC_COMBINE_MINIMUM,
        MLC_COMBINE_MAXIMUM,
    };
    return kinds[__builtin_ctzll((uint64_t)mlc_enum_attr_value(mlc_op_attr(op, "kind")))];
}

static bool
fma_scalar(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *result)
{
    double a = mlc_datum_as_double(&operands[0]), b = mlc_datum_as_double(&operands[1]),
           c = mlc_datum_as_double(&operands[2]);
    MlcFloatKind kind = mlc_float_type_kind(result->type);
    if (kind == MLC_FLOAT_F80 || kind == MLC_FLOAT_F128)
        return mlc_eval_error(e, op, "is not known for %s", mlc_float_info(kind)->name);
    double value = kind == MLC_FLOAT_F32 ? (double)__builtin_fmaf((float)a, (float)b, (float)c)
                                         : __builtin_fma(a, b, c);
    *result = mlc_datum_float(result->type, value);
    return true;
}

bool
mlc_vector_fma_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType element = mlc_type_element(operands[0].type);
    if (mlc_float_type_kind(element) != MLC_FLOAT_F32 || !mlc_datum_is_elements(&operands[0]))
        return mlc_eval_elementwise(e, op, operands, results, fma_scalar);
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    const void *a = operands[0].elements.data, *b = operands[1].elements.data,
               *c = operands[2].elements.data;
    float *out = results[0].elements.data;
    for (int64_t i = 0; i < (int64_t)(results[0].elements.num_bytes / sizeof(float)); i++)
        out[i] = __builtin_fmaf(mlc_f32_at(a, i), mlc_f32_at(b, i), mlc_f32_at(c, i));
    return true;
}

// Left to right, from the accumulator if there is one.
bool
mlc_vector_reduction_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcCombine kind = kind_of(op);
    MlcDatum so_far, element;
    size_t i = 0, n = mlc_datum_num_elements(&operands[0]); // one at least
    if (mlc_op_num_operands(op) > 1)
        so_far = operands[1];
    else
        mlc_datum_element(e, &operands[0], i++, &so_far);
    for (; i < n; i++) {
        MlcDatum before = so_far;
        mlc_datum_element(e, &operands[0], i, &element);
        if (!mlc_eval_combine(e, op, kind, &before, &element, &so_far))
            return false;
    }
    results[0] = so_far;
    return true;
}

// An element of a vector, or the scalar that stands for a vector of rank 0.
static void
get(MlcEval *e, const MlcDatum *d, size_t i, MlcDatum *out)
{
    mlc_datum_element(e, d, i, out);
}

static void
set(MlcDatum *d, size_t i, const MlcDatum *value)
{
    if (mlc_datum_is_elements(d))
        mlc_datum_set_element(d, i, value);
    else
        *d = *value;
}

static bool
start_from(MlcEval *e, MlcOp *op, const MlcDatum *acc, MlcDatum *out)
{
    *out = *acc;
    return !mlc_datum_is_elements(acc) || mlc_eval_copy_elements(e, op, acc, out);
}

bool
mlc_vector_multi_reduction_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    const MlcDatum *source = &operands[0];
    MlcCombine kind = kind_of(op);
    size_t num_dims;
    int64_t *dims = list_of(e, op, "reduction_dims", &num_dims), index[MLC_RANK_LIMIT] = {0};
    bool is_reduced[MLC_RANK_LIMIT] = {false};
    for (size_t i = 0; i < num_dims; i++)
        is_reduced[dims[i]] = true;
    if (!start_from(e, op, &operands[1], &results[0]))
        return false;
    for (size_t i = 0, n = mlc_datum_num_elements(source); i < n; i++) {
        size_t at = 0;
        for (size_t d = 0; d < source->rank; d++)
            if (!is_reduced[d])
                at = at * (size_t)source->elements.shape[d] + (size_t)index[d];
        MlcDatum value, so_far, combined;
        get(e, source, i, &value);
        get(e, &results[0], at, &so_far);
        if (!mlc_eval_combine(e, op, kind, &so_far, &value, &combined))
            return false;
        set(&results[0], at, &combined);
        mlc_next_index(index, source->elements.shape, source->rank);
    }
    return true;
}

// so_far (kind) a * b, with the factors widened to the accumulator's type first.
static bool
accumulate(MlcEval *e, MlcOp *op, MlcCombine kind, const MlcDatum *a, const MlcDatum *b,
           const MlcDatum *so_far, MlcDatum *out)
{
    MlcDatum wide[2] = {*a, *b}, product;
    MlcType type = so_far->type;
    for (size_t i = 0; i < 2; i++) {
        if (wide[i].type == type)
            continue;
        if (mlc_type_is_float(type)) {
            MlcFloat value =
                mlc_float_convert(mlc_datum_as_soft(&wide[i]), mlc_float_type_kind(type));
            wide[i] = mlc_datum_soft(type, value);
        } else {
            wide[i] = mlc_datum_int(type, mlc_datum_as_int(&wide[i]));
        }
    }
    return mlc_eval_combine(e, op, MLC_COMBINE_MUL, &wide[0], &wide[1], &product) &&
           mlc_eval_combine(e, op, kind, so_far, &product, out);
}

bool
mlc_vector_outerproduct_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcCombine kind = kind_of(op);
    bool has_acc = mlc_op_num_operands(op) > 2;
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    size_t columns = mlc_datum_is_elements(&operands[1]) ? mlc_datum_num_elements(&operands[1]) : 1;
    for (size_t i = 0, n = mlc_datum_num_elements(&results[0]); i < n; i++) {
        MlcDatum a, b, so_far, out;
        get(e, &operands[0], i / columns, &a);
        get(e, &operands[1], i % columns, &b);
        bool ok;
        if (has_acc) {
            get(e, &operands[2], i, &so_far);
            ok = accumulate(e, op, kind, &a, &b, &so_far, &out);
        } else {
            ok = mlc_eval_combine(e, op, MLC_COMBINE_MUL, &a, &b, &out);
        }
        if (!ok)
            return false;
        set(&results[0], i, &out);
    }
    return true;
}

// Sizes of the loops from the shapes of what the maps index.
static void
find_loop_sizes(const MlcDatum *operand, MlcAffineMap map, int64_t *sizes)
{
    for (size_t r = 0; r < mlc_affine_map_num_results(map) && r < operand->rank; r++)
        sizes[mlc_affine_position(mlc_affine_map_result(map, r))] = operand->elements.shape[r];
}

static size_t
position_in(const MlcDatum *operand, MlcAffineMap map, const int64_t *index)
{
    size_t at = 0;
    for (size_t r = 0; r < operand->rank; r++)
        at = at * (size_t)operand->elements.shape[r] +
             (size_t)index[mlc_affine_position(mlc_affine_map_result(map, r))];
    return at;
}

bool
mlc_vector_contract_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr map_attrs = mlc_op_attr(op, "indexing_maps");
    MlcAffineMap maps[3];
    for (size_t i = 0; i < 3; i++)
        maps[i] = mlc_affine_map_attr_value(mlc_array_attr_element(map_attrs, i));
    size_t num_loops = mlc_affine_map_num_dims(maps[0]);
    int64_t *sizes = new_list(e, num_loops), *index = new_list(e, num_loops);
    MlcCombine kind = kind_of(op);
    if (!start_from(e, op, &operands[2], &results[0]))
        return false;
    for (size_t i = 0; i < 3; i++)
        find_loop_sizes(&operands[i], maps[i], sizes);
    for (size_t l = 0; l < num_loops; l++)
        if (sizes[l] == 0)
            return true;
    do {
        MlcDatum a, b, so_far, out;
        size_t at =
            mlc_datum_is_elements(&results[0]) ? position_in(&results[0], maps[2], index) : 0;
        get(e, &operands[0], position_in(&operands[0], maps[0], index), &a);
        get(e, &operands[1], position_in(&operands[1], maps[1], index), &b);
        get(e, &results[0], at, &so_far);
        if (!accumulate(e, op, kind, &a, &b, &so_far, &out))
            return false;
        set(&results[0], at, &out);
    } while (mlc_next_index(index, sizes, num_loops));
    return true;
}

// --- output

// Numbers as libraries of programs print them; what has no such form as an attribute prints.
static void
print_scalar(const MlcDatum *d, MlcBuf *out)
{
    MlcType type = d->type;
    if (mlc_type_is_float(type))
        mlc_buf_printf(out, "%g", mlc_datum_as_double(d));
    else if (mlc_type_is_int_or_index(type) && mlc_type_bit_width(type) <= 64) {
        bool is_unsigned = mlc_type_is(type, MLC_TYPE_INDEX) || mlc_type_bit_width(type) == 1 ||
                           mlc_integer_type_signedness(type) == MLC_UNSIGNED;
        if (is_unsigned)
            mlc_buf_printf(out, "%llu", (unsigned long long)mlc_datum_as_uint(d));
        else
            mlc_buf_printf(out, "%lld", (long long)mlc_datum_as_int(d));
    } else
        mlc_buf_append_c(out, mlc_attr_text(mlc_datum_to_attr(d)));
}

// Dimension `dim` from element `*next` on, in brackets.
static void
print_elements(MlcEval *e, const MlcDatum *d, size_t dim, size_t *next, MlcBuf *out)
{
    if (dim == (d->rank ? d->rank : 1)) {
        MlcDatum element;
        mlc_datum_element(e, d, (*next)++, &element);
        print_scalar(&element, out);
        return;
    }
    mlc_buf_append_c(out, "( ");
    for (int64_t i = 0; i < (d->rank ? d->elements.shape[dim] : 1); i++) {
        mlc_buf_append_c(out, i ? ", " : "");
        print_elements(e, d, dim + 1, next, out);
    }
    mlc_buf_append_c(out, " )");
}

bool
mlc_vector_print_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    static const char *const signs[] = {"", "\n", ", ", "( ", " )"};
    MlcAttr text = mlc_op_attr(op, "stringLiteral");
    MlcBuf buf = {0};
    size_t next = 0;
    if (mlc_eval_is_folding(e))
        return false;
    if (mlc_op_num_operands(op) > 0 && mlc_datum_is_elements(&operands[0]))
        print_elements(e, &operands[0], 0, &next, &buf);
    else if (mlc_op_num_operands(op) > 0)
        print_scalar(&operands[0], &buf);
    if (text) // and nothing behind it
        mlc_buf_append_str(&buf, mlc_string_attr_value(text));
    else
        mlc_buf_append_c(&buf, signs[mlc_enum_attr_value(mlc_op_attr(op, "punctuation"))]);
    fputs(mlc_buf_c_str(&buf), stdout);
    mlc_buf_release(&buf);
    return true;
}
