// vector_insert.c -- insert, insertelement and slices: of constants, splats and broadcasts; parts
// that are the whole; parts that are put back where they came from.
#include "vector_impl.h"

#include "mlc/ir/eval.h"

// Bigger constants are copied only if the old one goes.
enum { MAX_CONSTANT = 256 };

// --- insertelement, insert

// insertelement(constant, constant, i) -> constant
bool
mlc_vector_insertelement_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    int64_t at;
    MlcType type = mlc_op_result_type(op, 0);
    if (mlc_op_num_operands(op) < 3 || !is_number(constants[0]) ||
        !mlc_attr_is(constants[1], MLC_ATTR_DENSE) || !constants[2] ||
        !mlc_attr_try_as_int(constants[2], &at) || at < 0 || at >= mlc_type_num_elements(type))
        return false;
    MLC_VEC(MlcAttr) elements = {0};
    for (size_t i = 0; i < (size_t)mlc_type_num_elements(type); i++)
        mlc_vec_push(&elements,
                     (int64_t)i == at ? constants[0] : mlc_elements_attr_element(constants[1], i));
    MlcAttr folded = mlc_dense_attr_from_elements(type, elements.data, elements.size);
    mlc_vec_release(&elements);
    return to_attr(results, folded);
}

// insert(x, d, []) -> x
bool
mlc_vector_insert_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return list_size(mlc_vector_insert_static_position(op)) == 0 &&
           mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0) &&
           to_value(results, mlc_op_operand(op, 0));
}

// insert(x, d, 0...) -> broadcast(x), where all of d is overwritten
bool
mlc_vector_insert_to_broadcast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *source = mlc_op_operand(op, 0);
    if (!is_vector(mlc_op_operand_type(op, 0)) ||
        mlc_type_num_elements(mlc_op_operand_type(op, 0)) !=
            mlc_type_num_elements(mlc_op_result_type(op, 0)))
        return false;
    return mlc_rewriter_replace_op(
        rw, op, mlc_vector_broadcast(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), source));
}

// The scalar that operand i is a vector.splat of; NULL if it is none.
static MlcValue *
splat_input(const MlcOp *op, size_t i)
{
    MlcOp *def = operand_def(op, i);
    return mlc_vector_splat_isa(def) ? mlc_op_operand(def, 0) : NULL;
}

// insert(splat(x), splat(x)) -> splat(x)
bool
mlc_vector_insert_splat(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *input = splat_input(op, 0);
    if (!input || input != splat_input(op, 1))
        return false;
    return mlc_rewriter_replace_op(
        rw, op, mlc_vector_splat(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), input));
}

static bool
is_foldable(MlcType type)
{
    size_t bits;
    return mlc_mul_size((size_t)mlc_type_num_elements(type),
                        mlc_type_bit_width(mlc_type_element(type)), &bits) &&
           bits / 8 <= MLC_MAX_FOLDED_BYTES;
}

// Both operands of an insertion are constants and the result may be one.
static bool
constants_of(MlcOp *op, MlcAttr *source, MlcAttr *dest)
{
    MlcType type = mlc_op_result_type(op, 0);
    *source = mlc_value_constant(mlc_op_operand(op, 0));
    *dest = mlc_value_constant(mlc_op_operand(op, 1));
    if (!mlc_attr_is(*dest, MLC_ATTR_DENSE) ||
        (!is_number(*source) && !mlc_attr_is(*source, MLC_ATTR_DENSE)))
        return false;
    return !mlc_vector_type_has_scalable(type) && mlc_type_rank(type) <= MLC_RANK_LIMIT &&
           is_foldable(type) &&
           (mlc_type_num_elements(type) <= MAX_CONSTANT ||
            mlc_value_has_one_use(mlc_op_operand(op, 1)));
}

static MlcAttr
element_of(MlcAttr constant, size_t i)
{
    return is_number(constant) ? constant : mlc_elements_attr_element(constant, i);
}

// The constant `dest` with the elements of `source`, of `sizes`, at `offsets`.
static MlcAttr
overwrite(MlcType type, MlcAttr source, MlcAttr dest, const int64_t *offsets, const int64_t *sizes)
{
    int64_t at[MLC_RANK_LIMIT] = {0};
    size_t rank = mlc_type_rank(type), next = 0;
    MLC_VEC(MlcAttr) elements = {0};
    for (size_t i = 0; i < (size_t)mlc_type_num_elements(type); i++) {
        bool inside = true;
        for (size_t d = 0; d < rank; d++)
            inside &= at[d] >= offsets[d] && at[d] < offsets[d] + sizes[d];
        mlc_vec_push(&elements, inside ? element_of(source, next++) : element_of(dest, i));
        for (size_t d = rank; d-- > 0 && ++at[d] == mlc_type_dim(type, d);)
            at[d] = 0;
    }
    MlcAttr made = mlc_dense_attr_from_elements(type, elements.data, elements.size);
    mlc_vec_release(&elements);
    return made;
}

bool
mlc_vector_insert_constant(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr source, dest, position = mlc_vector_insert_static_position(op);
    int64_t offsets[MLC_RANK_LIMIT], sizes[MLC_RANK_LIMIT];
    MlcType type = mlc_op_result_type(op, 0);
    if (mlc_op_num_operands(op) > 2 || !constants_of(op, &source, &dest))
        return false;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        bool is_given = i < list_size(position);
        offsets[i] = is_given ? list_int(position, i) : 0;
        sizes[i] = is_given ? 1 : mlc_type_dim(type, i);
    }
    return mlc_vector_replace_by_constant(rw, op, overwrite(type, source, dest, offsets, sizes));
}

// --- insert_strided_slice

bool
mlc_vector_insert_strided_slice_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0) &&
           to_value(results, mlc_op_operand(op, 0));
}

// insert_strided_slice(extract_strided_slice(x), x), same place -> x
bool
mlc_vector_insert_slice_of_itself(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *slice = operand_def(op, 0);
    if (!mlc_vector_extract_strided_slice_isa(slice) ||
        mlc_op_operand(slice, 0) != mlc_op_operand(op, 1) ||
        mlc_vector_extract_strided_slice_offsets(slice) !=
            mlc_vector_insert_strided_slice_offsets(op) ||
        mlc_vector_extract_strided_slice_strides(slice) !=
            mlc_vector_insert_strided_slice_strides(op))
        return false;
    return mlc_vector_replace_value(rw, op, mlc_op_operand(op, 1));
}

bool
mlc_vector_insert_slice_constant(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr source, dest, list = mlc_vector_insert_strided_slice_offsets(op);
    int64_t offsets[MLC_RANK_LIMIT], sizes[MLC_RANK_LIMIT];
    MlcType type = mlc_op_result_type(op, 0), part = mlc_op_operand_type(op, 0);
    if (!constants_of(op, &source, &dest) ||
        !list_is_all(mlc_vector_insert_strided_slice_strides(op), 1))
        return false;
    size_t rank = mlc_type_rank(type), lead = rank - mlc_type_rank(part);
    for (size_t i = 0; i < rank; i++) {
        offsets[i] = list_int(list, i);
        sizes[i] = i < lead ? 1 : mlc_type_dim(part, i - lead);
    }
    return mlc_vector_replace_by_constant(rw, op, overwrite(type, source, dest, offsets, sizes));
}

// --- extract_strided_slice

// Where a slice lies against what `insert` put into its operand: inside (then `at` has the offsets
// in the source), apart, or partly over it.
typedef enum Overlap { INSIDE, APART, PARTLY } Overlap;

static Overlap
overlap(MlcOp *slice, MlcOp *insert, int64_t *at)
{
    MlcAttr offsets = mlc_vector_extract_strided_slice_offsets(slice),
            sizes = mlc_vector_extract_strided_slice_sizes(slice),
            starts = mlc_vector_insert_strided_slice_offsets(insert);
    bool is_partial = false;
    for (size_t i = 0; i < list_size(offsets); i++) {
        int64_t start = list_int(starts, i), offset = list_int(offsets, i),
                end = start + mlc_type_dim(mlc_op_operand_type(insert, 0), i);
        if (offset < start || offset >= end)
            return APART;
        is_partial |= offset + list_int(sizes, i) > end;
        at[i] = offset - start;
    }
    return is_partial ? PARTLY : INSIDE;
}

// The interval before the inserted one may reach into it.
static bool
is_apart(MlcOp *slice, MlcOp *insert)
{
    MlcAttr offsets = mlc_vector_extract_strided_slice_offsets(slice),
            sizes = mlc_vector_extract_strided_slice_sizes(slice),
            starts = mlc_vector_insert_strided_slice_offsets(insert);
    for (size_t i = 0; i < list_size(offsets); i++) {
        int64_t start = list_int(starts, i), offset = list_int(offsets, i);
        if (offset + list_int(sizes, i) <= start ||
            offset >= start + mlc_type_dim(mlc_op_operand_type(insert, 0), i))
            return true;
    }
    return false;
}

// slice(insert_strided_slice(s, d)) -> slice of s where it lies in s; past insertions it does not
// touch
static bool
slice_of_inserted(MlcOp *op)
{
    int64_t at[MLC_RANK_LIMIT];
    size_t n = list_size(mlc_vector_extract_strided_slice_offsets(op));
    for (MlcOp *insert = operand_def(op, 0); mlc_vector_insert_strided_slice_isa(insert);
         insert = operand_def(insert, 1)) {
        if (n > MLC_RANK_LIMIT || mlc_type_rank(mlc_op_operand_type(op, 0)) !=
                                      mlc_type_rank(mlc_op_operand_type(insert, 0)))
            return false;
        Overlap where = overlap(op, insert, at);
        if (where == INSIDE) {
            mlc_op_set_operand(op, 0, mlc_op_operand(insert, 0));
            mlc_vector_extract_strided_slice_set_offsets(
                op, mlc_vector_int_list(mlc_op_context(op), at, n));
            return true;
        }
        if (where == PARTLY || !is_apart(op, insert))
            return false;
    }
    return false;
}

bool
mlc_vector_extract_strided_slice_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    if (mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0))
        return to_value(results, mlc_op_operand(op, 0));
    return slice_of_inserted(op);
}

// extract_strided_slice(constant_mask) -> constant_mask of what of the box is in the slice
bool
mlc_vector_slice_of_mask(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *mask = operand_def(op, 0);
    if (!mlc_vector_constant_mask_isa(mask) ||
        !list_is_all(mlc_vector_extract_strided_slice_strides(op), 1))
        return false;
    MlcAttr on = mlc_vector_constant_mask_mask_dim_sizes(mask),
            offsets = mlc_vector_extract_strided_slice_offsets(op),
            sizes = mlc_vector_extract_strided_slice_sizes(op);
    int64_t kept[MLC_RANK_LIMIT];
    size_t rank = list_size(on);
    bool is_empty = false;
    if (rank > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < rank; i++) {
        kept[i] = list_int(on, i);
        if (i < list_size(offsets)) {
            int64_t offset = list_int(offsets, i), end = offset + list_int(sizes, i);
            kept[i] = (end < kept[i] ? end : kept[i]) - offset;
        }
        is_empty |= kept[i] <= 0;
    }
    if (is_empty)
        memset(kept, 0, rank * sizeof *kept);
    return mlc_vector_replace_by_mask(rw, op, kept, rank);
}

bool
mlc_vector_slice_of_constant(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr constant = mlc_value_constant(mlc_op_operand(op, 0)),
            offsets = mlc_vector_extract_strided_slice_offsets(op);
    MlcType from = mlc_op_operand_type(op, 0), type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(type);
    if (!mlc_attr_is(constant, MLC_ATTR_DENSE) || is_splat(constant) || rank > MLC_RANK_LIMIT ||
        !list_is_all(mlc_vector_extract_strided_slice_strides(op), 1))
        return false;
    int64_t at[MLC_RANK_LIMIT] = {0};
    MLC_VEC(MlcAttr) elements = {0};
    for (int64_t i = 0; i < mlc_type_num_elements(type); i++) {
        int64_t linear = 0;
        for (size_t d = 0; d < rank; d++)
            linear = linear * mlc_type_dim(from, d) + at[d] +
                     (d < list_size(offsets) ? list_int(offsets, d) : 0);
        mlc_vec_push(&elements, mlc_elements_attr_element(constant, (size_t)linear));
        for (size_t d = rank; d-- > 0 && ++at[d] == mlc_type_dim(type, d);)
            at[d] = 0;
    }
    MlcAttr made = mlc_dense_attr_from_elements(type, elements.data, elements.size);
    mlc_vec_release(&elements);
    return mlc_vector_replace_by_constant(rw, op, made);
}

// The elements of `list` from `first` on.
static MlcAttr
rest_of(MlcContext *ctx, MlcAttr list, size_t first)
{
    MLC_VEC(MlcAttr) rest = {0};
    for (size_t i = first; i < mlc_array_attr_size(list); i++)
        mlc_vec_push(&rest, mlc_array_attr_element(list, i));
    MlcAttr array = mlc_array_attr_get(ctx, rest.data, rest.size);
    mlc_vec_release(&rest);
    return array;
}

// The slice of a broadcast's source that a slice of the broadcast shows.
static MlcValue *
slice_source(MlcBuilder *b, MlcOp *op, MlcValue *source)
{
    MlcType from = mlc_value_type(source), type = mlc_op_result_type(op, 0);
    size_t lead = mlc_type_rank(type) - mlc_type_rank(from);
    MlcAttr sizes = rest_of(b->ctx, mlc_vector_extract_strided_slice_sizes(op), lead);
    int64_t shape[MLC_RANK_LIMIT];
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        shape[i] = i < list_size(sizes) ? list_int(sizes, i) : mlc_type_dim(from, i);
    MlcType part = mlc_type_with_shape(from, shape, mlc_type_rank(from), mlc_type_element(from));
    MlcAttr offsets = rest_of(b->ctx, mlc_vector_extract_strided_slice_offsets(op), lead),
            strides = rest_of(b->ctx, mlc_vector_extract_strided_slice_strides(op), lead);
    return mlc_vector_extract_strided_slice(b, part, source, offsets, sizes, strides);
}

// extract_strided_slice(broadcast(x)) -> broadcast(x), or of a slice of x
bool
mlc_vector_slice_of_broadcast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *broadcast = operand_def(op, 0);
    if (!mlc_vector_broadcast_isa(broadcast))
        return false;
    MlcValue *source = mlc_op_operand(broadcast, 0);
    MlcType from = mlc_value_type(source), type = mlc_op_result_type(op, 0);
    size_t rank = rank_of(from), lead = mlc_type_rank(type) - rank;
    bool same = true, is_stretched = false;
    for (size_t i = 0; i < rank; i++) {
        same &= mlc_type_dim(from, i) == mlc_type_dim(type, i + lead);
        is_stretched |=
            mlc_type_dim(from, i) != mlc_type_dim(mlc_op_result_type(broadcast, 0), i + lead);
    }
    if (!same && rank > 0 && mlc_type_num_elements(from) != 1) {
        if (rank > MLC_RANK_LIMIT || is_stretched)
            return false;
        source = slice_source(mlc_rewriter_builder(rw), op, source);
    }
    return mlc_rewriter_replace_op(
        rw, op, mlc_vector_broadcast(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), source));
}
