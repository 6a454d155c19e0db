// vector_common.c -- what the files of this dialect share; see vector_impl.h.
#include "vector_impl.h"
#include "mlc/dialects/memref.h"

MlcAttr
mlc_vector_int_list(MlcContext *ctx, const int64_t *values, size_t num_values)
{
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < num_values; i++)
        mlc_vec_push(&list, mlc_i64_attr_get(ctx, values[i]));
    MlcAttr array = mlc_array_attr_get(ctx, list.data, list.size);
    mlc_vec_release(&list);
    return array;
}

MlcType
mlc_vector_type_slice(MlcType type, size_t first, size_t rank, MlcType element)
{
    bool scalable[MLC_RANK_LIMIT];
    for (size_t i = 0; i < rank && i < MLC_RANK_LIMIT; i++)
        scalable[i] = mlc_vector_type_is_scalable(type, first + i);
    return mlc_vector_type_get(element, mlc_type_shape(type) + first, rank, scalable);
}

bool
mlc_vector_replace_by_mask(MlcRewriter *rw, MlcOp *op, const int64_t *sizes, size_t n)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    return mlc_rewriter_replace_op(rw, op,
                                   mlc_vector_constant_mask(b, mlc_op_result_type(op, 0),
                                                            mlc_vector_int_list(b->ctx, sizes, n)));
}

bool
mlc_vector_replace_by_constant(MlcRewriter *rw, MlcOp *op, MlcAttr value)
{
    MlcValue *constant = mlc_build_constant(mlc_rewriter_builder(rw), value);
    mlc_rewriter_replace(rw, op, &constant, 1);
    return true;
}

bool
mlc_vector_resize_splat(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr constant = mlc_value_constant(mlc_op_operand(op, 0));
    if (!is_splat(constant))
        return false;
    MlcAttr element = mlc_elements_attr_element(constant, 0);
    MlcType type = mlc_op_result_type(op, 0);
    return mlc_vector_replace_by_constant(
        rw, op, is_vector(type) ? mlc_dense_attr_splat(type, element) : element);
}

bool
mlc_vector_replace_value(MlcRewriter *rw, MlcOp *op, MlcValue *value)
{
    mlc_rewriter_replace(rw, op, &value, 1);
    return true;
}

MlcValue *
mlc_vector_build_extract(MlcBuilder *b, MlcValue *vector, MlcType type, const int64_t *position,
                         size_t num_positions)
{
    return mlc_vector_extract(b, type, vector, NULL, 0, position, num_positions);
}

// Are dimensions `first` ... of `type` all 1?
static bool
ends_in_ones(MlcType type, size_t first)
{
    for (size_t i = first; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) != 1)
            return false;
    return true;
}

bool
mlc_vector_is_regrouped(MlcType a, MlcType b)
{
    if (mlc_type_rank(a) > mlc_type_rank(b))
        return mlc_vector_is_regrouped(b, a);
    size_t rank_a = mlc_type_rank(a), rank_b = mlc_type_rank(b), i = 0, j = 0;
    if (rank_a == 0 && ends_in_ones(b, 0))
        return true;
    while (i < rank_a && j < rank_b) {
        int64_t have = 1, want = mlc_type_dim(a, i);
        while (have < want && j < rank_b)
            have *= mlc_type_dim(b, j++);
        if (have != want)
            break;
        i++;
        if (i < rank_a && ends_in_ones(a, i))
            i = rank_a;
        if (j < rank_b && ends_in_ones(b, j))
            j = rank_b;
    }
    return i == rank_a && j == rank_b;
}

static MaskFormat
format_of_constant(MlcAttr constant)
{
    size_t n = mlc_elements_attr_is_splat(constant)
                   ? 1
                   : (size_t)mlc_type_num_elements(mlc_attr_type(constant));
    bool first = n > 0 && mlc_attr_as_bool(mlc_elements_attr_element(constant, 0));
    for (size_t i = 1; i < n; i++)
        if (mlc_attr_as_bool(mlc_elements_attr_element(constant, i)) != first)
            return MASK_UNKNOWN;
    return n == 0 ? MASK_UNKNOWN : first ? MASK_ALL_TRUE : MASK_ALL_FALSE;
}

static MaskFormat
format_of_constant_mask(MlcOp *op)
{
    MlcAttr sizes = mlc_vector_constant_mask_mask_dim_sizes(op);
    MlcType type = mlc_op_result_type(op, 0);
    bool all_true = true, all_false = true;
    for (size_t i = 0; i < list_size(sizes) && i < mlc_type_rank(type); i++) {
        all_true &= list_int(sizes, i) >= mlc_type_dim(type, i);
        all_false &= list_int(sizes, i) <= 0;
    }
    return all_true ? MASK_ALL_TRUE : all_false ? MASK_ALL_FALSE : MASK_UNKNOWN;
}

MaskFormat
mlc_vector_mask_format(MlcValue *mask)
{
    MlcAttr constant = mlc_value_constant(mask);
    if (mlc_attr_is(constant, MLC_ATTR_DENSE))
        return format_of_constant(constant);
    MlcOp *op = mlc_value_def(mask);
    if (mlc_vector_constant_mask_isa(op))
        return format_of_constant_mask(op);
    int64_t size;
    if (mlc_vector_create_mask_isa(op))
        MLC_FOR_EACH_OPERAND (value, op)
            if (mlc_value_constant_int(value, &size) && size <= 0)
                return MASK_ALL_FALSE;
    return MASK_UNKNOWN;
}

MlcType
mlc_vector_transfer_mask_type(MlcType vector, MlcAffineMap map)
{
    int64_t shape[MLC_RANK_LIMIT];
    bool scalable[MLC_RANK_LIMIT];
    size_t rank = 0;
    for (unsigned d = 0; d < mlc_affine_map_num_dims(map); d++)
        for (size_t r = 0; r < mlc_affine_map_num_results(map) && rank < MLC_RANK_LIMIT; r++) {
            MlcAffineExpr e = mlc_affine_map_result(map, r);
            if (mlc_affine_kind(e) != MLC_AFFINE_DIM || mlc_affine_position(e) != d ||
                r >= mlc_type_rank(vector))
                continue;
            scalable[rank] = mlc_vector_type_is_scalable(vector, r);
            shape[rank++] = mlc_type_dim(vector, r);
        }
    if (rank == 0) { // nothing but broadcasts: one lane
        shape[rank] = 1;
        scalable[rank++] = false;
    }
    MlcContext *ctx = mlc_type_context(vector);
    return mlc_vector_type_get(mlc_integer_type_get(ctx, 1, MLC_SIGNLESS), shape, rank, scalable);
}

MlcOp *
mlc_vector_masking_op(const MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    return mlc_vector_mask_isa(parent) ? parent : NULL;
}

bool
mlc_vector_fold_memref_casts(MlcOp *op)
{
    bool changed = false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcOp *cast = operand_def(op, i);
        if (!mlc_memref_cast_isa(cast) ||
            mlc_type_is(mlc_op_operand_type(cast, 0), MLC_TYPE_UNRANKED_MEMREF))
            continue;
        mlc_op_set_operand(op, i, mlc_op_operand(cast, 0));
        changed = true;
    }
    return changed;
}

bool
mlc_vector_kind_fits(int64_t kind, MlcType element)
{
    bool is_int = mlc_type_is_integer(element, 0) || mlc_type_is(element, MLC_TYPE_INDEX) ||
                  mlc_type_is(element, MLC_TYPE_INTEGER);
    bool is_float = mlc_type_is(element, MLC_TYPE_FLOAT);
    switch (kind) {
    case MLC_VECTOR_KIND_ADD:
    case MLC_VECTOR_KIND_MUL:
        return is_int || is_float;
    case MLC_VECTOR_KIND_MINNUMF:
    case MLC_VECTOR_KIND_MAXNUMF:
    case MLC_VECTOR_KIND_MINIMUMF:
    case MLC_VECTOR_KIND_MAXIMUMF:
        return is_float;
    default:
        return is_int;
    }
}

const char *
mlc_vector_kind_name(MlcAttr kind)
{
    const MlcAttrDef *def = &mlc_vector_kind_attr_def;
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->cases[i].value == mlc_enum_attr_value(kind))
            return def->cases[i].name;
    return "";
}
