// vector_extract.c -- vector.extract and extractelement: what is taken out is sought where it was
// put in, through chains of extract, insert, transpose, broadcast, shape_cast and slices.
#include "vector_impl.h"

// An extract at constant positions, being followed upwards.
typedef struct Position {
    int64_t at[MLC_RANK_LIMIT];
    size_t size;
} Position;

static bool
is_dynamic(const MlcOp *extract)
{
    return mlc_op_num_operands(extract) > 1;
}

static Position
position_of(const MlcOp *extract)
{
    Position p = {.size = 0};
    MlcAttr list = mlc_vector_extract_static_position(extract);
    for (; p.size < list_size(list) && p.size < MLC_RANK_LIMIT; p.size++)
        p.at[p.size] = list_int(list, p.size);
    return p;
}

// extract(x, at), in place of what `op` was.
static bool
retarget(MlcOp *op, MlcValue *source, const int64_t *at, size_t n)
{
    mlc_op_set_operand(op, 0, source);
    mlc_vector_extract_set_static_position(op, mlc_i64_array_attr_get(mlc_op_context(op), at, n));
    return true;
}

// extract(extract(x, a), b) -> extract(x, a ++ b)
static bool
fold_chain(MlcOp *op)
{
    MlcOp *inner = operand_def(op, 0);
    if (!mlc_vector_extract_isa(inner) || is_dynamic(op))
        return false;
    int64_t at[2 * MLC_RANK_LIMIT];
    size_t first = 2 * MLC_RANK_LIMIT;
    for (MlcOp *link = op; mlc_vector_extract_isa(link); link = operand_def(link, 0)) {
        Position p = position_of(link);
        if (is_dynamic(link) || p.size > first)
            return false;
        first -= p.size;
        memcpy(at + first, p.at, p.size * sizeof *at);
        inner = link;
    }
    return retarget(op, mlc_op_operand(inner, 0), at + first, 2 * MLC_RANK_LIMIT - first);
}

// --- through insert and transpose

// Positions of the extracted part: those given, then one negative mark per dimension that is whole.
typedef struct Trace {
    MlcOp *op;
    int64_t at[MLC_RANK_LIMIT];
    size_t rank, num_given, num_marks;
} Trace;

// Are the marks where they were, so that the part is still the last dimensions in order?
static bool
is_suffix_whole(const Trace *t)
{
    for (size_t i = 0; i < t->num_marks; i++)
        if (t->at[t->num_given + i] != -(int64_t)(i + 1))
            return false;
    return true;
}

static bool
starts_with(const int64_t *list, size_t n, MlcAttr prefix)
{
    if (list_size(prefix) > n)
        return false;
    for (size_t i = 0; i < list_size(prefix); i++)
        if (list_int(prefix, i) != list[i])
            return false;
    return true;
}

// Could the two name one element? Marks and unknown positions may be anything.
static bool
may_meet(const Trace *t, MlcAttr position)
{
    for (size_t i = 0; i < list_size(position) && i < t->rank; i++) {
        int64_t a = t->at[i], b = list_int(position, i);
        if (a >= 0 && b >= 0 && a != b)
            return false;
    }
    return true;
}

static bool
finish_trace(const Trace *t, MlcValue *source)
{
    return source != mlc_op_operand(t->op, 0) && is_suffix_whole(t) &&
           retarget(t->op, source, t->at, t->num_given);
}

// Element i of a transposed vector's position is element permutation[i] of the operand's.
static void
trace_transpose(Trace *t, MlcOp *transpose)
{
    int64_t at[MLC_RANK_LIMIT];
    MlcAttr permutation = mlc_vector_transpose_permutation(transpose);
    for (size_t i = 0; i < t->rank; i++)
        at[list_int(permutation, i)] = t->at[i];
    memcpy(t->at, at, t->rank * sizeof *at);
}

// extract(insert(s, d, p), q): s where q is p, a part of s where q goes on from p, extract(d, q)
// where the two differ.
static bool
fold_inserts(MlcOp *op, MlcFold *result)
{
    MlcType type = mlc_op_operand_type(op, 0);
    MlcAttr given = mlc_vector_extract_static_position(op);
    Trace t = {.op = op, .rank = mlc_type_rank(type), .num_given = list_size(given)};
    if (is_dynamic(op) || t.rank > MLC_RANK_LIMIT)
        return false;
    t.num_marks = t.rank - t.num_given;
    for (size_t i = 0; i < t.rank; i++)
        t.at[i] = i < t.num_given ? list_int(given, i) : -(int64_t)(i - t.num_given + 1);
    MlcValue *from = mlc_op_operand(op, 0);
    for (;;) {
        MlcOp *def = mlc_value_def(from);
        if (mlc_vector_transpose_isa(def)) {
            trace_transpose(&t, def);
            from = mlc_op_operand(def, 0);
            continue;
        }
        if (!mlc_vector_insert_isa(def))
            return finish_trace(&t, from);
        MlcAttr inserted = mlc_vector_insert_static_position(def);
        size_t n = list_size(inserted);
        bool is_known = mlc_op_num_operands(def) == 2;
        if (is_known && n == t.num_given && starts_with(t.at, n, inserted) && is_suffix_whole(&t))
            return to_value(result, mlc_op_operand(def, 0));
        if (is_known && starts_with(t.at, t.rank, inserted)) {
            memmove(t.at, t.at + n, (t.rank - n) * sizeof *t.at);
            t.rank -= n;
            if (t.rank < t.num_marks)
                return false;
            t.num_given = t.rank - t.num_marks;
            return finish_trace(&t, mlc_op_operand(def, 0));
        }
        if (may_meet(&t, inserted))
            return false;
        from = mlc_op_operand(def, 1);
    }
}

// --- through broadcast, shape_cast

static bool
is_spread(MlcOp *op)
{
    return mlc_vector_broadcast_isa(op) || mlc_vector_splat_isa(op);
}

// extract(broadcast(x), p) -> x, or extract(x, the positions that x has, 0 where it was stretched)
static bool
fold_broadcast(MlcOp *op, MlcFold *result)
{
    MlcOp *def = operand_def(op, 0);
    if (!is_spread(def) || is_dynamic(op))
        return false;
    MlcValue *source = mlc_op_operand(def, 0);
    MlcType from = mlc_op_operand_type(def, 0), to = mlc_op_result_type(def, 0),
            part = mlc_op_result_type(op, 0);
    if (from == part)
        return to_value(result, source);
    size_t from_rank = rank_of(from), part_rank = rank_of(part), lead = rank_of(to) - from_rank;
    if (part_rank >= from_rank || rank_of(to) > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < part_rank; i++)
        if (mlc_type_dim(part, part_rank - 1 - i) != mlc_type_dim(from, from_rank - 1 - i))
            return false;
    Position p = position_of(op);
    size_t kept = from_rank - part_rank, skipped = p.size - kept;
    for (size_t i = lead; i < p.size; i++)
        if (mlc_type_dim(from, i - lead) == 1 && mlc_type_dim(to, i) != 1)
            p.at[i] = 0;
    return retarget(op, source, p.at + skipped, kept);
}

// extract(shape_cast(x), p) -> extract(x, q), the same element in row-major order
static bool
fold_shape_cast(MlcOp *op)
{
    MlcOp *cast = operand_def(op, 0);
    if (is_dynamic(op) || !mlc_vector_shape_cast_isa(cast))
        return false;
    MlcType from = mlc_op_operand_type(cast, 0), to = mlc_op_result_type(cast, 0),
            part = mlc_op_result_type(op, 0);
    size_t from_rank = mlc_type_rank(from), part_rank = rank_of(part), to_rank = mlc_type_rank(to);
    if (part_rank > from_rank || from_rank > MLC_RANK_LIMIT || from_rank == 0 || to_rank == 0)
        return false;
    for (size_t i = 0; i < part_rank; i++)
        if (mlc_type_dim(from, from_rank - 1 - i) != mlc_type_dim(part, part_rank - 1 - i))
            return false;
    Position p = position_of(op);
    if (p.size != to_rank - part_rank)
        return false;
    int64_t linear = 0, at[MLC_RANK_LIMIT];
    for (size_t i = 0; i < p.size; i++)
        linear = linear * mlc_type_dim(to, i) + p.at[i];
    size_t n = from_rank - part_rank;
    for (size_t i = n; i-- > 0; linear /= mlc_type_dim(from, i))
        at[i] = i ? linear % mlc_type_dim(from, i) : linear;
    return retarget(op, mlc_op_operand(cast, 0), at, n);
}

// --- through slices

// extract(extract_strided_slice(x, offsets), p) -> extract(x, p + offsets)
static bool
fold_slice(MlcOp *op)
{
    MlcOp *slice = operand_def(op, 0);
    if (is_dynamic(op) || !mlc_vector_extract_strided_slice_isa(slice))
        return false;
    MlcType from = mlc_op_operand_type(slice, 0), to = mlc_op_result_type(slice, 0);
    MlcAttr offsets = mlc_vector_extract_strided_slice_offsets(slice);
    size_t n = list_size(offsets);
    while (n > 0 && list_int(offsets, n - 1) == 0 &&
           mlc_type_dim(to, n - 1) == mlc_type_dim(from, n - 1))
        --n;
    Position p = position_of(op);
    if (rank_of(mlc_op_result_type(op, 0)) > mlc_type_rank(from) - n || p.size < n)
        return false;
    for (size_t i = 0; i < n; i++)
        p.at[i] += list_int(offsets, i);
    return retarget(op, mlc_op_operand(slice, 0), p.at, p.size);
}

// Where `p` lies in what `insert` put: true, with the positions in its source, if all of p does;
// else *disjoint.
static bool
is_within(MlcOp *insert, const Position *p, Position *inside)
{
    MlcType source = mlc_op_operand_type(insert, 0);
    MlcAttr offsets = mlc_vector_insert_strided_slice_offsets(insert);
    size_t lead = mlc_type_rank(mlc_op_operand_type(insert, 1)) - mlc_type_rank(source);
    inside->size = 0;
    for (size_t i = 0; i < p->size; i++) {
        int64_t start = list_int(offsets, i), size = i < lead ? 1 : mlc_type_dim(source, i - lead);
        if (p->at[i] < start || p->at[i] >= start + size)
            return false;
        if (i >= lead)
            inside->at[inside->size++] = p->at[i] - start;
    }
    return true;
}

// extract(insert_strided_slice(s, d, offsets), p) -> extract(s, p - offsets) where p is in s; past
// slices that p is not in.
static bool
fold_inserted_slices(MlcOp *op)
{
    if (is_dynamic(op))
        return false;
    MlcType part = mlc_op_result_type(op, 0);
    size_t rank = rank_of(part);
    Position p = position_of(op), inside;
    for (MlcOp *insert = operand_def(op, 0); mlc_vector_insert_strided_slice_isa(insert);
         insert = operand_def(insert, 1)) {
        MlcType source = mlc_op_operand_type(insert, 0), dest = mlc_op_operand_type(insert, 1);
        if (rank > mlc_type_rank(source) ||
            !list_is_all(mlc_vector_insert_strided_slice_strides(insert), 1))
            return false;
        if (!is_within(insert, &p, &inside))
            continue;
        for (size_t i = 1; i <= rank; i++)
            if (mlc_type_dim(source, mlc_type_rank(source) - i) !=
                mlc_type_dim(dest, mlc_type_rank(dest) - i))
                return false;
        return retarget(op, mlc_op_operand(insert, 0), inside.at, inside.size);
    }
    return false;
}

// The row-major number of the first element at `p`; -1 if unknown.
static int64_t
linear_position(MlcType type, const Position *p)
{
    int64_t linear = 0;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        if (i < p->size && p->at[i] == MLC_DYNAMIC)
            return -1;
        linear = linear * mlc_type_dim(type, i) + (i < p->size ? p->at[i] : 0);
    }
    return linear;
}

// extract(from_elements(a, b, ...), i) -> the i-th
static bool
fold_from_elements(MlcOp *op, MlcFold *result)
{
    MlcOp *def = operand_def(op, 0);
    MlcType type = mlc_op_operand_type(op, 0);
    if (!mlc_vector_from_elements_isa(def) || mlc_vector_type_has_scalable(type) ||
        mlc_op_result_type(op, 0) != mlc_type_element(type))
        return false;
    Position p = position_of(op);
    int64_t at = linear_position(type, &p);
    return at >= 0 && to_value(result, mlc_op_operand(def, (size_t)at));
}

bool
mlc_vector_extract_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    if (list_size(mlc_vector_extract_static_position(op)) == 0 &&
        mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0))
        return to_value(results, mlc_op_operand(op, 0));
    if (mlc_type_rank(mlc_op_operand_type(op, 0)) > MLC_RANK_LIMIT)
        return false;
    return fold_chain(op) || fold_inserts(op, results) || fold_broadcast(op, results) ||
           fold_shape_cast(op) || fold_slice(op) || fold_inserted_slices(op) ||
           fold_from_elements(op, results);
}

// extractelement(splat(x)) -> x, of a broadcast scalar too; of a constant its element
bool
mlc_vector_extractelement_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcOp *def = operand_def(op, 0);
    if (mlc_op_num_operands(op) < 2 || !constants[1])
        return false;
    if (is_spread(def) && !is_vector(mlc_op_operand_type(def, 0)))
        return to_value(results, mlc_op_operand(def, 0));
    int64_t at;
    if (!mlc_attr_try_as_int(constants[1], &at) || at < 0 ||
        !mlc_attr_is(constants[0], MLC_ATTR_DENSE) ||
        at >= mlc_type_num_elements(mlc_attr_type(constants[0])))
        return false;
    return to_attr(results, mlc_elements_attr_element(constants[0], (size_t)at));
}

// --- patterns

bool
mlc_vector_extract_constant(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcAttr constant = mlc_value_constant(mlc_op_operand(op, 0));
    MlcType from = mlc_op_operand_type(op, 0), type = mlc_op_result_type(op, 0);
    if (!mlc_attr_is(constant, MLC_ATTR_DENSE) || is_splat(constant) || is_dynamic(op) ||
        mlc_vector_type_has_scalable(from))
        return false;
    Position p = position_of(op);
    size_t first = (size_t)linear_position(from, &p), num_bytes;
    if (!is_vector(type))
        return mlc_vector_replace_by_constant(rw, op, mlc_elements_attr_element(constant, first));
    const char *data = mlc_elements_attr_data(constant, &num_bytes);
    size_t width = num_bytes / (size_t)mlc_type_num_elements(from),
           count = (size_t)mlc_type_num_elements(type);
    return mlc_vector_replace_by_constant(
        rw, op, mlc_dense_attr_get(type, data + first * width, count * width, false));
}

// extract(broadcast(x)) -> broadcast(x), where x is no bigger than what is extracted
bool
mlc_vector_extract_broadcast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *def = operand_def(op, 0);
    if (!is_spread(def) || mlc_op_operand_type(def, 0) == mlc_op_result_type(op, 0) ||
        rank_of(mlc_op_result_type(op, 0)) < rank_of(mlc_op_operand_type(def, 0)))
        return false;
    MlcValue *source = mlc_op_operand(def, 0);
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType type = mlc_op_result_type(op, 0);
    return mlc_rewriter_replace_op(rw, op,
                                   is_vector(type) ? mlc_vector_broadcast(b, type, source)
                                                   : mlc_vector_extractelement(b, source, NULL));
}

// extract(create_mask(a, b, ...), p) -> create_mask(the rest), or false, if p's part is decided
bool
mlc_vector_extract_create_mask(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *mask = operand_def(op, 0);
    MlcType type = mlc_op_result_type(op, 0), whole = mlc_op_operand_type(op, 0);
    if (!mlc_vector_create_mask_isa(mask) || !is_vector(type))
        return false;
    Position p = position_of(op);
    bool all_false = mlc_vector_mask_format(mlc_op_operand(op, 0)) == MASK_ALL_FALSE;
    bool is_unknown = false;
    for (size_t i = 0; i < p.size && !all_false; i++) {
        int64_t bound;
        if (!mlc_value_constant_int(mlc_op_operand(mask, i), &bound))
            is_unknown = true;
        else if (p.at[i] != MLC_DYNAMIC)
            all_false = p.at[i] >= bound;
        else
            is_unknown |= bound < mlc_type_dim(whole, i);
    }
    if (all_false)
        return mlc_vector_replace_by_constant(
            rw, op, mlc_dense_attr_splat(type, mlc_bool_attr_get(mlc_op_context(op), false)));
    if (is_unknown)
        return false;
    MlcValueVec rest = {0};
    for (size_t i = p.size; i < mlc_op_num_operands(mask); i++)
        mlc_vec_push(&rest, mlc_op_operand(mask, i));
    mlc_rewriter_replace_op(rw, op,
                            mlc_vector_create_mask(mlc_rewriter_builder(rw),
                                                   mlc_op_result_type(op, 0), rest.data,
                                                   rest.size));
    mlc_vec_release(&rest);
    return true;
}

// extract(shape_cast(x)) -> shape_cast(x), where nothing is left out
bool
mlc_vector_extract_shape_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cast = operand_def(op, 0);
    MlcType type = mlc_op_result_type(op, 0);
    if (!mlc_vector_shape_cast_isa(cast) || !is_vector(type) ||
        mlc_type_num_elements(type) != mlc_type_num_elements(mlc_op_operand_type(cast, 0)))
        return false;
    MlcValue *source = mlc_op_operand(cast, 0);
    return mlc_rewriter_replace_op(
        rw, op, mlc_vector_shape_cast(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), source));
}

// extract(from_elements(..)) -> from_elements of a part
bool
mlc_vector_extract_from_elements(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *def = operand_def(op, 0);
    MlcType type = mlc_op_result_type(op, 0), from = mlc_op_operand_type(op, 0);
    if (is_dynamic(op) || !is_vector(type) || !mlc_vector_from_elements_isa(def) ||
        mlc_vector_type_has_scalable(from))
        return false;
    Position p = position_of(op);
    size_t first = (size_t)linear_position(from, &p);
    MlcValueVec part = {0};
    for (size_t i = 0; i < (size_t)mlc_type_num_elements(type); i++)
        mlc_vec_push(&part, mlc_op_operand(def, first + i));
    mlc_rewriter_replace_op(rw, op,
                            mlc_vector_from_elements(mlc_rewriter_builder(rw),
                                                     mlc_op_result_type(op, 0), part.data,
                                                     part.size));
    mlc_vec_release(&part);
    return true;
}
