// shapes.c -- the shape of every graph op's result, from operands and attributes.
//
// One function per op fills in a Shape (infer.h); around it, three readers share it: `infer_shapes`
// refines an op in place (never forgetting a size known before), `infer_types` serves ops about to
// be made, and `verify` compares. Dynamic sizes keep the name they have in the operand's encoding
// (#graph.dims) wherever the result's size is the same one. ONNX's operator pages define the rules.
#include "infer.h"
#include "trees.h"
#include "windows.h"

typedef bool (*InferFn)(Infer *in, Shape *result);

// ---- element by element

static bool
broadcast_operands(Infer *in, Shape *result)
{
    if (!operand_shape(in, 0, result))
        return false;
    for (size_t i = 1; i < num_operands(in); i++) {
        Shape other;
        if (!operand_shape(in, i, &other) || !mlc_infer_broadcast(in, result, &other))
            return false;
    }
    return true;
}

static bool
infer_elementwise(Infer *in, Shape *result)
{
    if (!broadcast_operands(in, result))
        return false;
    // Cast says its element type by its result alone.
    if (in->op)
        in->element = mlc_type_element(mlc_value_type(mlc_op_result(in->op, 0)));
    return true;
}

static bool
infer_comparison(Infer *in, Shape *result)
{
    in->element = mlc_integer_type_get(in->ctx, 1, MLC_SIGNLESS);
    return (num_operands(in) < 2 || mlc_infer_same_elements(in, 0, 1)) &&
           broadcast_operands(in, result);
}

static bool
infer_where(Infer *in, Shape *result)
{
    in->element = mlc_type_element(operand_type(in, 1));
    return mlc_infer_same_elements(in, 1, 2) && broadcast_operands(in, result);
}

// ---- products

static bool
check_inner(Infer *in, int64_t a, int64_t b)
{
    return a == b || a == MLC_DYNAMIC || b == MLC_DYNAMIC ||
           contradiction(in, "inner sizes %" PRId64 " and %" PRId64 " differ", a, b);
}

static bool
check_inner_dims(Infer *in, const Shape *a, size_t i, const Shape *b, size_t k)
{
    same_dim(in, a, i, b, k);
    return check_inner(in, a->dims[i], b->dims[k]);
}

// The dims before the last two.
static Shape
batch_dims(const Shape *shape)
{
    Shape batch = *shape;
    batch.rank = shape->rank > 2 ? shape->rank - 2 : 0;
    return batch;
}

static bool
infer_matmul(Infer *in, Shape *result)
{
    Shape a, b;
    if (!operand_shape(in, 0, &a) || !operand_shape(in, 1, &b))
        return false;
    if (!mlc_infer_sums(in))
        return false;
    *result = (Shape){.ranked = a.ranked && b.ranked};
    if (!result->ranked)
        return true;
    if (a.rank == 0 || b.rank == 0)
        return contradiction(in, "a scalar has no matrix product");
    size_t inner = b.rank == 1 ? 0 : b.rank - 2;
    Shape batch_a = batch_dims(&a), batch_b = batch_dims(&b);
    *result = batch_a;
    if (!check_inner_dims(in, &a, a.rank - 1, &b, inner) ||
        !mlc_infer_broadcast(in, result, &batch_b))
        return false;
    if (a.rank > 1 && result->rank < MLC_SMALL_RANK) // a vector on the left gives no rows
        copy_dim(result, result->rank++, &a, a.rank - 2);
    if (b.rank > 1 && result->rank < MLC_SMALL_RANK)
        copy_dim(result, result->rank++, &b, b.rank - 1);
    return true;
}

// NULL: nobody knows it.
static MlcAttr
size_product(const Infer *in, const Shape *shape, size_t begin, size_t end)
{
    MlcAttr product = mlc_size_number(in->ctx, 1);
    for (size_t i = begin; i < end; i++)
        product = mlc_size_combine(MLC_SIZE_MUL, product, size_of(in, shape, i));
    return product;
}

static bool
infer_block_matmul(Infer *in, Shape *result)
{
    Shape a, b, scales;
    if (!operand_shape(in, 0, &a) || !operand_shape(in, 1, &b) || !operand_shape(in, 2, &scales) ||
        !mlc_infer_same_elements(in, 0, 2))
        return false;
    *result = a;
    if (!mlc_type_is(mlc_type_element(operand_type(in, 1)), MLC_TYPE_INTEGER) ||
        (a.ranked && a.rank < 1) || (b.ranked && b.rank != 3) ||
        (scales.ranked && scales.rank != 2))
        return contradiction(in, "blocks of type %s with scales of type %s",
                             mlc_type_text(operand_type(in, 1)),
                             mlc_type_text(operand_type(in, 2)));
    result->ranked = a.ranked && b.ranked;
    if (!result->ranked)
        return true;
    int64_t inner = MLC_DYNAMIC;
    if (b.dims[0] == MLC_DYNAMIC || b.dims[1] == MLC_DYNAMIC ||
        __builtin_mul_overflow(b.dims[0], b.dims[1], &inner))
        inner = MLC_DYNAMIC;
    must_be_equal(in, size_of(in, &a, a.rank - 1), size_product(in, &b, 0, 2));
    if (scales.ranked) {
        same_dim(in, &b, 0, &scales, 0);
        same_dim(in, &b, 2, &scales, 1);
    }
    copy_dim(result, a.rank - 1, &b, 2);
    return check_inner(in, a.dims[a.rank - 1], inner) &&
           (!scales.ranked || (check_inner(in, b.dims[0], scales.dims[0]) &&
                               check_inner(in, b.dims[2], scales.dims[1])));
}

static bool
infer_gemm(Infer *in, Shape *result)
{
    Shape a, b, c;
    if (!mlc_infer_same_elements(in, 0, 1) || (!multiplies_bytes(in) && !mlc_infer_sums(in)) ||
        (num_operands(in) > 2 && multiplies_bytes(in) && !mlc_infer_same_elements(in, 0, 2)))
        return false;
    if (!operand_shape(in, 0, &a) || !operand_shape(in, 1, &b))
        return false;
    *result = (Shape){.ranked = true, .rank = 2, .dims = {MLC_DYNAMIC, MLC_DYNAMIC}};
    if ((a.ranked && a.rank != 2) || (b.ranked && b.rank != 2))
        return contradiction(in, "operands have types %s and %s, expected matrices",
                             mlc_type_text(operand_type(in, 0)),
                             mlc_type_text(operand_type(in, 1)));
    size_t row = bool_attr(in, "trans_a") ? 1 : 0, column = bool_attr(in, "trans_b") ? 0 : 1;
    if (a.ranked)
        copy_dim(result, 0, &a, row);
    if (b.ranked)
        copy_dim(result, 1, &b, column);
    if (a.ranked && b.ranked && !check_inner_dims(in, &a, 1 - row, &b, 1 - column))
        return false;
    if (num_operands(in) < 3)
        return true;
    Shape sum = *result;
    if (!operand_shape(in, 2, &c) || !mlc_infer_broadcast(in, &sum, &c))
        return false;
    for (size_t i = 0; sum.ranked && i < sum.rank; i++)
        if (sum.rank != 2 || (result->dims[i] != MLC_DYNAMIC && sum.dims[i] != result->dims[i]))
            return contradiction(in, "%s does not broadcast to the product's shape",
                                 mlc_type_text(operand_type(in, 2)));
    return true;
}

// ---- shapes

// The text that stands for entry `i` of a list of numbers (`sizes` and its kin); NULL: none.
static MlcAttr
text_attr(const Infer *in, const char *name, size_t i)
{
    MlcAttr list = in->op ? mlc_op_attr(in->op, name) : NULL; // builders have none
    MlcAttr text = list && i < mlc_array_attr_size(list) ? mlc_array_attr_element(list, i) : NULL;
    return is_named(text) ? text : NULL;
}

// All that the input has, over what the others take.
static MlcAttr
missing_size(Infer *in, const Shape *input, const Shape *result, size_t missing)
{
    MlcAttr have = size_product(in, input, 0, input->rank);
    MlcAttr given = mlc_size_combine(MLC_SIZE_MUL, size_product(in, result, 0, missing),
                                     size_product(in, result, missing + 1, result->rank));
    MlcAttr exact = mlc_size_exact_quotient(have, given);
    if (exact)
        return exact;
    MlcAttr quotient = mlc_size_combine(MLC_SIZE_FLOORDIV, have, given);
    must_be_equal(in, have, mlc_size_combine(MLC_SIZE_MUL, quotient, given));
    return quotient;
}

// Whether an open size of the result is that of the input in the same place, by a 0 or by its text.
static bool
is_copied(const Shape *input, const Shape *result, size_t i)
{
    return i < result->rank && i < input->rank && result->dims[i] == MLC_DYNAMIC &&
           input->dims[i] == MLC_DYNAMIC && result->names[i] == input->names[i];
}

// The size for -1: the input's elements over the others' product. An unknown size of the input that
// nothing copies is what is missing if the known ones are equal on both sides: then it keeps its
// name. MLC_DYNAMIC if neither can be said.
static bool
infer_missing_size(Infer *in, const Shape *input, Shape *result, size_t missing)
{
    int64_t have = 1, given = 1;
    size_t num_unknown = 0, unknown = 0;
    for (size_t i = 0; i < input->rank; i++) {
        if (input->dims[i] == MLC_DYNAMIC && !is_copied(input, result, i)) {
            num_unknown++;
            unknown = i;
        } else if (input->dims[i] != MLC_DYNAMIC &&
                   __builtin_mul_overflow(have, input->dims[i], &have)) {
            return contradiction(in, "the shape has too many elements");
        }
    }
    for (size_t i = 0; i < result->rank; i++) {
        int64_t size = result->dims[i];
        if (size == MLC_DYNAMIC && !is_copied(input, result, i))
            num_unknown = 2; // another size, or copied from an input of unknown rank
        else if (size != -1 && size != MLC_DYNAMIC && __builtin_mul_overflow(given, size, &given))
            return contradiction(in, "the shape has too many elements");
    }
    set_dim(result, missing, MLC_DYNAMIC);
    if (num_unknown == 1 && have == given)
        copy_dim(result, missing, input, unknown);
    else if (num_unknown > 0)
        mlc_infer_set_size(result, missing, missing_size(in, input, result, missing), MLC_DYNAMIC);
    if (num_unknown > 0)
        return true;
    if (given == 0 || have % given)
        return contradiction(in, "%" PRId64 " elements do not divide by %" PRId64, have, given);
    set_dim(result, missing, have / given);
    return true;
}

static bool
check_num_elements(Infer *in, const Shape *input, const Shape *result)
{
    int64_t have = 1, want = 1;
    if (in->differ)
        must_be_equal(in, size_product(in, input, 0, input->rank),
                      size_product(in, result, 0, result->rank));
    for (size_t i = 0; i < input->rank; i++)
        if (input->dims[i] == MLC_DYNAMIC || __builtin_mul_overflow(have, input->dims[i], &have))
            return true;
    for (size_t i = 0; i < result->rank; i++)
        if (result->dims[i] == MLC_DYNAMIC || __builtin_mul_overflow(want, result->dims[i], &want))
            return true;
    return have == want ||
           contradiction(in, "%" PRId64 " elements cannot become %" PRId64, have, want);
}

static bool
infer_reshape(Infer *in, Shape *result)
{
    Shape input;
    MlcAttr shape = mlc_infer_attr(in, "shape");
    bool allow_zero = bool_attr(in, "allow_zero");
    if (!operand_shape(in, 0, &input))
        return false;
    *result = (Shape){.ranked = true, .rank = mlc_graph_list_size(shape)};
    if (result->rank > MLC_SMALL_RANK)
        return beyond(in, "rank %zu is more than %d", result->rank, MLC_SMALL_RANK);
    size_t missing = SIZE_MAX;
    for (size_t i = 0; i < result->rank; i++) {
        int64_t size = mlc_graph_list_at(shape, i);
        if (size < -1 || (size == -1 && missing != SIZE_MAX))
            return contradiction(in, "'shape' has %s",
                                 size < -1 ? "a negative size" : "two sizes of -1");
        MlcAttr text = text_attr(in, "sizes", i);
        if (text) {
            mlc_infer_set_size(result, i, text, MLC_DYNAMIC);
            continue;
        }
        if (size == -1)
            missing = i;
        set_dim(result, i, size);
        if (size == 0 && !allow_zero) {
            if (input.ranked && i >= input.rank)
                return contradiction(in, "'shape' copies size %zu of an input of rank %zu", i,
                                     input.rank);
            set_dim(result, i, MLC_DYNAMIC);
            if (input.ranked)
                copy_dim(result, i, &input, i);
        }
    }
    if (missing == SIZE_MAX)
        return !input.ranked || check_num_elements(in, &input, result);
    if (input.ranked)
        return infer_missing_size(in, &input, result, missing);
    set_dim(result, missing, MLC_DYNAMIC);
    return true;
}

static void
product_of_dims(Infer *in, const Shape *input, size_t begin, size_t end, Shape *result, size_t i)
{
    int64_t product = 1;
    if (end - begin == 1) {
        copy_dim(result, i, input, begin);
        return;
    }
    for (size_t k = begin; k < end; k++)
        if (input->dims[k] == MLC_DYNAMIC ||
            __builtin_mul_overflow(product, input->dims[k], &product)) {
            product = MLC_DYNAMIC;
            break;
        }
    mlc_infer_set_size(result, i, size_product(in, input, begin, end), product);
}

static bool
infer_flatten(Infer *in, Shape *result)
{
    Shape input;
    int64_t axis = int_attr(in, "axis", 1);
    if (!operand_shape(in, 0, &input))
        return false;
    *result = (Shape){.ranked = true, .rank = 2, .dims = {MLC_DYNAMIC, MLC_DYNAMIC}};
    if (!input.ranked)
        return true;
    int64_t split = axis < 0 ? axis + (int64_t)input.rank : axis; // may be the rank itself
    if (split < 0 || split > (int64_t)input.rank)
        return contradiction(in, "axis %" PRId64 " is out of range for rank %zu", axis, input.rank);
    product_of_dims(in, &input, 0, (size_t)split, result, 0);
    product_of_dims(in, &input, (size_t)split, input.rank, result, 1);
    return true;
}

static bool
infer_transpose(Infer *in, Shape *result)
{
    Shape input;
    MlcAttr perm = mlc_infer_attr(in, "perm");
    if (!operand_shape(in, 0, &input))
        return false;
    *result = input;
    if (!input.ranked)
        return true;
    if (perm && mlc_graph_list_size(perm) != input.rank)
        return contradiction(in, "'perm' has %zu entries, the input has rank %zu",
                             mlc_graph_list_size(perm), input.rank);
    uint64_t seen = 0;
    for (size_t i = 0; i < input.rank; i++) {
        int64_t from = perm ? mlc_graph_list_at(perm, i) : (int64_t)(input.rank - 1 - i);
        if (from < 0 || from >= (int64_t)input.rank || seen >> from & 1)
            return contradiction(in, "'perm' is no permutation");
        seen |= UINT64_C(1) << from;
        copy_dim(result, i, &input, (size_t)from);
    }
    return true;
}

static bool
infer_concat(Infer *in, Shape *result)
{
    if (num_operands(in) == 0)
        return contradiction(in, "expected at least one operand");
    for (size_t i = 1; i < num_operands(in); i++)
        if (!mlc_infer_same_elements(in, 0, i))
            return false;
    if (!operand_shape(in, 0, result))
        return false;
    size_t axis = 0;
    if (result->ranked && !mlc_infer_axis(in, int_attr(in, "axis", 0), result->rank, &axis))
        return false;
    for (size_t i = 1; i < num_operands(in); i++) {
        Shape other;
        if (!operand_shape(in, i, &other))
            return false;
        result->ranked &= other.ranked;
        if (!result->ranked)
            return true;
        if (other.rank != result->rank)
            return contradiction(in, "operand %zu has rank %zu, expected %zu", i, other.rank,
                                 result->rank);
        for (size_t k = 0; k < other.rank; k++) {
            int64_t a = result->dims[k], b = other.dims[k];
            bool unknown = a == MLC_DYNAMIC || b == MLC_DYNAMIC;
            if (k != axis)
                same_dim(in, result, k, &other, k);
            if (k == axis && !unknown && __builtin_add_overflow(a, b, &a))
                return contradiction(in, "the sizes along axis %zu are too large", axis);
            if (k == axis)
                mlc_infer_set_size(
                    result, k,
                    mlc_size_combine(MLC_SIZE_ADD, size_of(in, result, k), size_of(in, &other, k)),
                    unknown ? MLC_DYNAMIC : a);
            else if (!unknown && a != b)
                return contradiction(
                    in, "operand %zu has size %" PRId64 " in dimension %zu, expected %" PRId64, i,
                    b, k, a);
            else if (a == MLC_DYNAMIC)
                copy_dim(result, k, &other, k);
        }
    }
    return true;
}

static bool
infer_pad(Infer *in, Shape *result)
{
    MlcAttr pads = mlc_infer_attr(in, "pads");
    if (!operand_shape(in, 0, result))
        return false;
    if (!result->ranked)
        return true;
    if (mlc_graph_list_size(pads) != 2 * result->rank)
        return contradiction(in, "'pads' has %zu entries, expected %zu", mlc_graph_list_size(pads),
                             2 * result->rank);
    for (size_t i = 0; i < result->rank; i++) {
        int64_t sum, size = result->dims[i];
        if (__builtin_add_overflow(mlc_graph_list_at(pads, i),
                                   mlc_graph_list_at(pads, i + result->rank), &sum) ||
            (size != MLC_DYNAMIC && (__builtin_add_overflow(size, sum, &size) || size < 0)))
            return contradiction(in, "'pads' of dimension %zu leave no size", i);
        if (sum != 0)
            mlc_infer_set_size(result, i,
                               mlc_size_combine(MLC_SIZE_ADD, size_of(in, result, i),
                                                mlc_size_number(in->ctx, sum)),
                               size);
    }
    return true;
}

// What entry `i` of a slice leaves of a dimension.
static void
cut_axis(Infer *in, size_t i, Shape *result, size_t axis, int64_t step)
{
    MlcGraphCut cut = {.start = mlc_graph_list_at(mlc_infer_attr(in, "starts"), i),
                       .end = mlc_graph_list_at(mlc_infer_attr(in, "ends"), i),
                       .step = step,
                       .start_text = text_attr(in, "start_sizes", i),
                       .end_text = text_attr(in, "end_sizes", i),
                       .is_within = in->op && mlc_op_attr(in->op, MLC_GRAPH_CHECKED)};
    MlcGraphCheck checks[2];
    MlcAttr first, size = NULL;
    int64_t at, count = MLC_DYNAMIC;
    bool has_text = cut.start_text || cut.end_text;
    if (!has_text && cut.start == 0 && cut.end == INT64_MAX && step == 1)
        return;
    if (!has_text && result->dims[axis] != MLC_DYNAMIC) {
        mlc_graph_cut_dim(result->dims[axis], cut.start, cut.end, step, &at, &count);
    } else if (mlc_graph_cut_size(size_of(in, result, axis), &cut, &first, &size, checks)) {
        for (size_t k = 0; k < 2; k++)
            must_be_equal(in, checks[k].a, checks[k].b);
    } else {
        size = NULL;
    }
    mlc_infer_set_size(result, axis, size, count);
}

static bool
infer_slice(Infer *in, Shape *result)
{
    MlcAttr starts = mlc_infer_attr(in, "starts"), ends = mlc_infer_attr(in, "ends");
    MlcAttr axes = mlc_infer_attr(in, "axes"), steps = mlc_infer_attr(in, "steps");
    size_t n = mlc_graph_list_size(starts);
    uint64_t seen = 0;
    if (mlc_graph_list_size(ends) != n || (axes && mlc_graph_list_size(axes) != n) ||
        (steps && mlc_graph_list_size(steps) != n))
        return contradiction(in, "'starts', 'ends', 'axes' and 'steps' differ in length");
    for (size_t i = 0; i < n; i++)
        if (steps && mlc_graph_list_at(steps, i) == 0)
            return contradiction(in, "'steps' has a 0");
    if (!operand_shape(in, 0, result))
        return false;
    for (size_t i = 0; result->ranked && i < n; i++) {
        int64_t step = steps ? mlc_graph_list_at(steps, i) : 1;
        size_t axis = 0;
        if (!mlc_infer_axis(in, axes ? mlc_graph_list_at(axes, i) : (int64_t)i, result->rank,
                            &axis))
            return false;
        if (seen >> axis & 1)
            return contradiction(in, "'axes' names dimension %zu twice", axis);
        seen |= UINT64_C(1) << axis;
        cut_axis(in, i, result, axis, step);
    }
    return true;
}

static bool
infer_grow(Infer *in, Shape *result)
{
    size_t axis;
    if (!operand_shape(in, 0, result) || !result->ranked)
        return !result->ranked;
    if (!mlc_infer_axis(in, int_attr(in, "axis", 0), result->rank, &axis))
        return false;
    if (!text_attr(in, "start_sizes", 0) || !text_attr(in, "sizes", axis))
        return contradiction(in, "'start_sizes' and 'sizes' say nothing of axis %zu", axis);
    mlc_infer_set_size(result, axis, text_attr(in, "sizes", axis), MLC_DYNAMIC);
    return true;
}

static bool
infer_expand(Infer *in, Shape *result)
{
    MlcAttr shape = mlc_infer_attr(in, "shape");
    Shape wanted = {.ranked = true, .rank = mlc_graph_list_size(shape)};
    if (wanted.rank > MLC_SMALL_RANK)
        return beyond(in, "rank %zu is more than %d", wanted.rank, MLC_SMALL_RANK);
    for (size_t i = 0; i < wanted.rank; i++) {
        if (mlc_graph_list_at(shape, i) < 0)
            return contradiction(in, "'shape' has a negative size");
        set_dim(&wanted, i, mlc_graph_list_at(shape, i));
        if (text_attr(in, "sizes", i))
            mlc_infer_set_size(&wanted, i, text_attr(in, "sizes", i), MLC_DYNAMIC);
    }
    return operand_shape(in, 0, result) && mlc_infer_broadcast(in, result, &wanted);
}

static bool
infer_tile(Infer *in, Shape *result)
{
    MlcAttr repeats = mlc_infer_attr(in, "repeats");
    if (!operand_shape(in, 0, result) || !result->ranked)
        return !result->ranked;
    if (mlc_graph_list_size(repeats) != result->rank)
        return contradiction(in, "'repeats' has %zu entries, the input has rank %zu",
                             mlc_graph_list_size(repeats), result->rank);
    for (size_t i = 0; i < result->rank; i++) {
        int64_t size = result->dims[i], count = mlc_graph_list_at(repeats, i);
        if (count < 0 || (size != MLC_DYNAMIC && __builtin_mul_overflow(size, count, &size)))
            return contradiction(in, "'repeats' of dimension %zu leave no size", i);
        MlcAttr text = text_attr(in, "sizes", i);
        if (count != 1 || text)
            mlc_infer_set_size(result, i,
                               mlc_size_combine(MLC_SIZE_MUL, size_of(in, result, i),
                                                text ? text : mlc_size_number(in->ctx, count)),
                               text ? MLC_DYNAMIC : size);
    }
    return true;
}

static bool
infer_trilu(Infer *in, Shape *result)
{
    return operand_shape(in, 0, result) &&
           (!result->ranked || result->rank >= 2 ||
            contradiction(in, "the input has rank %zu, expected at least 2", result->rank));
}

// ---- sizes as values: their types are given

static bool
infer_sizes(Infer *in, Shape *result)
{
    size_t count = mlc_array_attr_size(mlc_infer_attr(in, "sizes"));
    MlcType type = in->op ? mlc_value_type(mlc_op_result(in->op, 0)) : NULL;
    if (!type || !mlc_infer_shape(in, type, result))
        return false;
    in->element = mlc_type_element(type);
    return (result->ranked && mlc_type_num_elements(type) == (int64_t)count) ||
           contradiction(in, "%zu sizes for a result of type %s", count, mlc_type_text(type));
}

static bool
infer_iota(Infer *in, Shape *result)
{
    if (!in->op)
        return false;
    in->element = mlc_type_element(mlc_value_type(mlc_op_result(in->op, 0)));
    *result = (Shape){.ranked = true, .rank = 1};
    mlc_infer_set_size(result, 0, text_attr(in, "sizes", 0), MLC_DYNAMIC);
    return true;
}

// ---- elements found by indices

static bool
append_dims(Infer *in, Shape *result, const Shape *from, size_t begin, size_t end)
{
    if (begin < end && result->rank + end - begin > MLC_SMALL_RANK)
        return beyond(in, "the result's rank is more than %d", MLC_SMALL_RANK);
    for (size_t i = begin; i < end; i++)
        copy_dim(result, result->rank++, from, i);
    return true;
}

static bool
infer_gather(Infer *in, Shape *result)
{
    Shape data, indices;
    size_t axis = 0;
    if (!operand_shape(in, 0, &data) || !operand_shape(in, 1, &indices))
        return false;
    *result = (Shape){.ranked = data.ranked && indices.ranked};
    if (data.ranked && !mlc_infer_axis(in, int_attr(in, "axis", 0), data.rank, &axis))
        return false;
    return !result->ranked || (append_dims(in, result, &data, 0, axis) &&
                               append_dims(in, result, &indices, 0, indices.rank) &&
                               append_dims(in, result, &data, axis + 1, data.rank));
}

static bool
infer_gather_elements(Infer *in, Shape *result)
{
    Shape data;
    size_t axis = 0;
    if (!operand_shape(in, 0, &data) || !operand_shape(in, 1, result))
        return false;
    if (!data.ranked || !result->ranked)
        return true;
    if (data.rank != result->rank)
        return contradiction(in, "data has rank %zu, the indices %zu", data.rank, result->rank);
    if (!mlc_infer_axis(in, int_attr(in, "axis", 0), data.rank, &axis))
        return false;
    for (size_t i = 0; in->differ && i < data.rank; i++)
        if (i != axis && (data.dims[i] == MLC_DYNAMIC || result->dims[i] == MLC_DYNAMIC))
            same_dim(in, &data, i, result, i);
    for (size_t i = 0; i < data.rank; i++)
        if (i != axis && data.dims[i] != MLC_DYNAMIC && result->dims[i] != MLC_DYNAMIC &&
            result->dims[i] > data.dims[i])
            return contradiction(
                in, "the indices have size %" PRId64 " in dimension %zu, data has %" PRId64,
                result->dims[i], i, data.dims[i]);
    return true;
}

static bool
infer_gather_nd(Infer *in, Shape *result)
{
    Shape data, indices;
    int64_t batch = int_attr(in, "batch_dims", 0); // scatter_nd has none
    if (!operand_shape(in, 0, &data) || !operand_shape(in, 1, &indices))
        return false;
    *result = (Shape){.ranked = false};
    if (!data.ranked || !indices.ranked)
        return true;
    if (batch < 0 || batch >= (int64_t)data.rank || batch >= (int64_t)indices.rank)
        return contradiction(in, "'batch_dims' is %" PRId64 ", ranks are %zu and %zu", batch,
                             data.rank, indices.rank);
    int64_t count = indices.dims[indices.rank - 1];
    if (count == MLC_DYNAMIC)
        return true;
    if (count < 1 || count > (int64_t)data.rank - batch)
        return contradiction(in, "indices name %" PRId64 " dimensions of %" PRId64, count,
                             (int64_t)data.rank - batch);
    for (size_t i = 0; i < (size_t)batch; i++)
        same_dim(in, &data, i, &indices, i);
    for (size_t i = 0; i < (size_t)batch; i++)
        if (data.dims[i] != MLC_DYNAMIC && indices.dims[i] != MLC_DYNAMIC &&
            data.dims[i] != indices.dims[i])
            return contradiction(in, "batch sizes %" PRId64 " and %" PRId64 " differ", data.dims[i],
                                 indices.dims[i]);
    result->ranked = true;
    return append_dims(in, result, &indices, 0, indices.rank - 1) &&
           append_dims(in, result, &data, (size_t)(batch + count), data.rank);
}

// The updates' sizes are those that the indices ask for.
static bool
check_updates(Infer *in, const Shape *want)
{
    Shape updates;
    if (!operand_shape(in, 2, &updates))
        return false;
    bool same = !want->ranked || !updates.ranked || want->rank == updates.rank;
    for (size_t i = 0; same && in->differ && i < want->rank; i++)
        same_dim(in, want, i, &updates, i);
    for (size_t i = 0; same && want->ranked && updates.ranked && i < want->rank; i++)
        same = want->dims[i] == updates.dims[i] || want->dims[i] == MLC_DYNAMIC ||
               updates.dims[i] == MLC_DYNAMIC;
    return same ||
           contradiction(in, "updates of type %s for indices of type %s",
                         mlc_type_text(operand_type(in, 2)), mlc_type_text(operand_type(in, 1)));
}

static bool
infer_scatter_elements(Infer *in, Shape *result)
{
    Shape wanted;
    return mlc_infer_same_elements(in, 0, 2) && infer_gather_elements(in, &wanted) &&
           check_updates(in, &wanted) && operand_shape(in, 0, result);
}

static bool
infer_scatter_nd(Infer *in, Shape *result)
{
    Shape wanted;
    return mlc_infer_same_elements(in, 0, 2) && infer_gather_nd(in, &wanted) &&
           check_updates(in, &wanted) && operand_shape(in, 0, result);
}

static bool
infer_expect(Infer *in, Shape *result)
{
    MlcType value = operand_type(in, 1);
    if (mlc_type_has_rank(value) && mlc_type_has_static_shape(value) &&
        mlc_type_num_elements(value) != 1)
        return contradiction(in, "the number is of type %s", mlc_type_text(value));
    return operand_shape(in, 0, result);
}

static bool
infer_top_k(Infer *in, Shape *result)
{
    size_t axis = 0;
    int64_t k = int_attr(in, "k", 0);
    in->element = mlc_integer_type_get(in->ctx, 64, MLC_SIGNLESS);
    if (!operand_shape(in, 0, result))
        return false;
    if (!result->ranked)
        return true;
    if (!mlc_infer_axis(in, int_attr(in, "axis", -1), result->rank, &axis))
        return false;
    if (k < 0 || (result->dims[axis] != MLC_DYNAMIC && k > result->dims[axis]))
        return contradiction(in, "'k' is %" PRId64 ", of %" PRId64 " elements", k,
                             result->dims[axis]);
    if (in->differ && result->dims[axis] == MLC_DYNAMIC) { // no fewer than k
        MlcAttr size = size_of(in, result, axis);
        must_be_equal(in, size, mlc_size_combine(MLC_SIZE_MAX, size, mlc_size_number(in->ctx, k)));
    }
    set_dim(result, axis, k);
    return true;
}

// ---- order

// The input, of this rank.
static bool
shape_of_rank(Infer *in, size_t i, size_t rank, Shape *shape)
{
    if (!operand_shape(in, i, shape))
        return false;
    return !shape->ranked || shape->rank == rank ||
           contradiction(in, "operand %zu has rank %zu, expected %zu", i, shape->rank, rank);
}

static bool
infer_text(Infer *in, Shape *result)
{
    size_t count = mlc_op_num_operands(in->op);
    Shape other;
    if (count < 1 || count > 4)
        return contradiction(in, "has %zu operands, expected one to four", count);
    if (mlc_op_num_results(in->op) == 1)
        in->element = mlc_type_element(mlc_value_type(mlc_op_result(in->op, 0)));
    if (!shape_of_rank(in, 0, 1, result))
        return false;
    for (size_t i = 1; i < count; i++)
        if (!shape_of_rank(in, i, 1, &other))
            return false;
        else if (other.ranked && result->ranked && other.dims[0] != result->dims[0])
            return contradiction(in, "operand %zu has another shape than the first", i);
        else if (other.ranked && result->ranked)
            same_dim(in, result, 0, &other, 0);
    return true;
}

static bool
infer_argsort(Infer *in, Shape *result)
{
    in->element = mlc_integer_type_get(in->ctx, 64, MLC_SIGNLESS);
    return shape_of_rank(in, 0, 2, result);
}

static bool
infer_true_places(Infer *in, Shape *result)
{
    in->element = mlc_integer_type_get(in->ctx, 64, MLC_SIGNLESS);
    return shape_of_rank(in, 0, 1, result);
}

static bool
infer_running_sum(Infer *in, Shape *result)
{
    return shape_of_rank(in, 0, 2, result);
}

static bool
is_one_number(Infer *in, size_t i)
{
    MlcType type = operand_type(in, i);
    return !mlc_type_has_rank(type) || !mlc_type_has_static_shape(type) ||
           mlc_type_num_elements(type) == 1 ||
           contradiction(in, "operand %zu has type %s, expected one number", i,
                         mlc_type_text(type));
}

static bool
infer_non_max_suppression(Infer *in, Shape *result)
{
    Shape boxes, scores;
    int64_t most = int_attr(in, "most", 0), rows = MLC_DYNAMIC;
    MlcAttr open = NULL;
    in->element = mlc_integer_type_get(in->ctx, 64, MLC_SIGNLESS);
    *result = (Shape){.ranked = true, .rank = 2};
    if (!shape_of_rank(in, 0, 3, &boxes) || !shape_of_rank(in, 1, 3, &scores) ||
        !is_one_number(in, 2) || !is_one_number(in, 3) || !is_one_number(in, 4) ||
        !mlc_infer_same_elements(in, 0, 1) || !mlc_infer_same_elements(in, 0, 3) ||
        !mlc_infer_same_elements(in, 0, 4))
        return false;
    if (boxes.ranked && boxes.dims[2] != 4 && boxes.dims[2] != MLC_DYNAMIC)
        return contradiction(in, "boxes have %" PRId64 " numbers, expected 4", boxes.dims[2]);
    if (boxes.ranked && scores.ranked &&
        ((boxes.dims[0] != scores.dims[0] && boxes.dims[0] != MLC_DYNAMIC &&
          scores.dims[0] != MLC_DYNAMIC) ||
         (boxes.dims[1] != scores.dims[2] && boxes.dims[1] != MLC_DYNAMIC &&
          scores.dims[2] != MLC_DYNAMIC)))
        return contradiction(in, "boxes and scores have types %s and %s",
                             mlc_type_text(operand_type(in, 0)),
                             mlc_type_text(operand_type(in, 1)));
    if (most < 0)
        return contradiction(in, "'most' is %" PRId64, most);
    bool is_known = scores.ranked;
    for (size_t i = 0; i < 3 && scores.ranked; i++)
        is_known &= scores.dims[i] != MLC_DYNAMIC;
    if (is_known) {
        most = most < scores.dims[2] ? most : scores.dims[2];
        if (__builtin_mul_overflow(scores.dims[0], scores.dims[1], &rows) ||
            __builtin_mul_overflow(rows, most, &rows))
            return contradiction(in, "more rows than fit in 64 bits");
    } else if (scores.ranked) {
        open = size_of(in, &scores, 2);
        if (most < INT32_MAX)
            open = mlc_size_combine(MLC_SIZE_MIN, open, mlc_size_number(in->ctx, most));
        for (size_t i = 0; i < 2; i++)
            open = mlc_size_combine(MLC_SIZE_MUL, open, size_of(in, &scores, i));
    }
    mlc_infer_set_size(result, 0, open, rows);
    set_dim(result, 1, 3);
    return true;
}

static bool
infer_tree_ensemble(Infer *in, Shape *result)
{
    Shape rows;
    in->element = mlc_float_type_get(in->ctx, MLC_FLOAT_F64);
    *result = (Shape){.ranked = true, .rank = 2};
    if (!shape_of_rank(in, 0, 2, &rows) || (in->op && !mlc_graph_trees_verify(in->op)))
        return false;
    set_dim(result, 0, MLC_DYNAMIC);
    if (rows.ranked)
        copy_dim(result, 0, &rows, 0);
    set_dim(result, 1, int_attr(in, "num_targets", MLC_DYNAMIC));
    return true;
}

// ---- reductions

static bool
infer_reduction(Infer *in, Shape *result)
{
    Shape input;
    MlcAttr axes = mlc_infer_attr(in, "axes");
    bool keep = bool_attr(in, "keepdims"), marked[MLC_SMALL_RANK] = {0};
    if (!operand_shape(in, 0, &input))
        return false;
    *result = (Shape){.ranked = input.ranked};
    for (size_t i = 0; input.ranked && i < mlc_graph_list_size(axes); i++) {
        size_t axis = 0;
        if (!mlc_infer_axis(in, mlc_graph_list_at(axes, i), input.rank, &axis))
            return false;
        marked[axis] = true;
    }
    for (size_t i = 0; input.ranked && i < input.rank; i++) {
        if (axes && !marked[i])
            copy_dim(result, result->rank++, &input, i);
        else if (keep)
            set_dim(result, result->rank++, 1);
    }
    return true;
}

static bool
infer_softmax(Infer *in, Shape *result)
{
    size_t axis;
    return operand_shape(in, 0, result) &&
           (!result->ranked || mlc_infer_axis(in, int_attr(in, "axis", -1), result->rank, &axis));
}

// ---- the three readers

// Whatever the open sizes are, and where there is no element: strides are numbers then too.
static bool
has_countable_elements(Infer *in, const Shape *shape)
{
    int64_t count = 1;
    bool fits = true;
    for (size_t i = 0; shape->ranked && i < shape->rank; i++)
        if (shape->dims[i] != 0 && shape->dims[i] != MLC_DYNAMIC)
            fits &= !__builtin_mul_overflow(count, shape->dims[i], &count);
    return fits || beyond(in, "the result has more elements than fit in 64 bits");
}

static bool
compute_type(Infer *in, InferFn infer, Shape *shape)
{
    if (num_operands(in) > 0)
        in->element = mlc_type_element(operand_type(in, 0));
    return infer(in, shape) && has_countable_elements(in, shape);
}

// What both types know together; false if they contradict.
static bool
merge(Infer *in, Shape *shape, MlcType old)
{
    Shape known;
    if (mlc_type_element(old) != in->element)
        return contradiction(in, "the result has elements of type %s, expected %s",
                             mlc_type_text(mlc_type_element(old)), mlc_type_text(in->element));
    if (!mlc_type_has_rank(old))
        return true;
    if (!mlc_infer_shape(in, old, &known))
        return false;
    bool same = !shape->ranked || shape->rank == known.rank;
    for (size_t i = 0; same && shape->ranked && i < shape->rank; i++)
        same = shape->dims[i] == known.dims[i] || shape->dims[i] == MLC_DYNAMIC ||
               known.dims[i] == MLC_DYNAMIC;
    if (!same)
        return contradiction(in, "the result has type %s, but its operands make it %s",
                             mlc_type_text(old), mlc_type_text(mlc_infer_type(in, shape)));
    for (size_t i = 0; shape->ranked && i < shape->rank; i++)
        same_dim(in, shape, i, &known, i);
    if (!shape->ranked)
        *shape = known;
    for (size_t i = 0; i < shape->rank; i++)
        if (shape->dims[i] == MLC_DYNAMIC && (known.dims[i] != MLC_DYNAMIC || !shape->names[i]))
            copy_dim(shape, i, &known, i);
    return true;
}

static bool
refine_op(MlcOp *op, InferFn infer)
{
    Infer in = {.ctx = mlc_op_context(op), .op = op};
    Shape shape = {0};
    MlcValue *result = mlc_op_result(op, 0);
    if (!compute_type(&in, infer, &shape) || !merge(&in, &shape, mlc_value_type(result)))
        return false;
    MlcType type = mlc_infer_type(&in, &shape);
    if (type != mlc_value_type(result))
        mlc_value_set_type(result, type);
    return true;
}

static bool
verify_op(MlcOp *op, InferFn infer)
{
    Infer in = {.ctx = mlc_op_context(op), .op = op};
    Shape shape = {0};
    return compute_type(&in, infer, &shape) &&
           merge(&in, &shape, mlc_value_type(mlc_op_result(op, 0)));
}

static bool
infer_state(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results, InferFn infer)
{
    Infer in = {.ctx = ctx, .state = state};
    Shape shape = {0};
    if (!compute_type(&in, infer, &shape) || !in.element)
        return false;
    mlc_vec_push(results, mlc_infer_type(&in, &shape));
    return true;
}

#define SHAPED_OP(op_name, infer_fn)                                                               \
    static bool refine_##op_name(MlcOp *op)                                                        \
    {                                                                                              \
        return refine_op(op, infer_fn);                                                            \
    }                                                                                              \
    static bool state_##op_name(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)     \
    {                                                                                              \
        return infer_state(ctx, state, results, infer_fn);                                         \
    }                                                                                              \
    extern const MlcInferShapes mlc_graph_##op_name##_infer_shapes;                                \
    const MlcInferShapes mlc_graph_##op_name##_infer_shapes = {.infer = refine_##op_name};         \
    extern const MlcInferTypes mlc_graph_##op_name##_infer_types;                                  \
    const MlcInferTypes mlc_graph_##op_name##_infer_types = {.infer = state_##op_name};            \
    bool mlc_graph_##op_name##_verify(MlcOp *op);                                                  \
    bool mlc_graph_##op_name##_verify(MlcOp *op)                                                   \
    {                                                                                              \
        return verify_op(op, infer_fn);                                                            \
    }

#define SHAPED_OPS(X)                                                                              \
    X(elementwise, infer_elementwise)                                                              \
    X(comparison, infer_comparison)                                                                \
    X(where, infer_where)                                                                          \
    X(conv, mlc_infer_conv)                                                                        \
    X(max_pool, mlc_infer_pool)                                                                    \
    X(average_pool, mlc_infer_pool)                                                                \
    X(global_average_pool, mlc_infer_global_pool)                                                  \
    X(global_max_pool, mlc_infer_global_pool)                                                      \
    X(batch_norm, mlc_infer_batch_norm)                                                            \
    X(matmul, infer_matmul)                                                                        \
    X(block_matmul, infer_block_matmul)                                                            \
    X(gemm, infer_gemm)                                                                            \
    X(reshape, infer_reshape)                                                                      \
    X(flatten, infer_flatten)                                                                      \
    X(transpose, infer_transpose)                                                                  \
    X(concat, infer_concat)                                                                        \
    X(grow, infer_grow)                                                                            \
    X(iota, infer_iota)                                                                            \
    X(pad, infer_pad)                                                                              \
    X(sizes, infer_sizes)                                                                          \
    X(slice, infer_slice)                                                                          \
    X(expand, infer_expand)                                                                        \
    X(tile, infer_tile)                                                                            \
    X(trilu, infer_trilu)                                                                          \
    X(gather, infer_gather)                                                                        \
    X(gather_elements, infer_gather_elements)                                                      \
    X(gather_nd, infer_gather_nd)                                                                  \
    X(scatter_elements, infer_scatter_elements)                                                    \
    X(scatter_nd, infer_scatter_nd)                                                                \
    X(expect, infer_expect)                                                                        \
    X(top_k, infer_top_k)                                                                          \
    X(argsort, infer_argsort)                                                                      \
    X(text, infer_text)                                                                            \
    X(true_places, infer_true_places)                                                              \
    X(running_sum, infer_running_sum)                                                              \
    X(non_max_suppression, infer_non_max_suppression)                                              \
    X(tree_ensemble, infer_tree_ensemble)                                                          \
    X(reduce_mean, infer_reduction)                                                                \
    X(reduce_sum, infer_reduction)                                                                 \
    X(reduce_max, infer_reduction)                                                                 \
    X(reduce_prod, infer_reduction)                                                                \
    X(reduce_min, infer_reduction)                                                                 \
    X(softmax, infer_softmax)
SHAPED_OPS(SHAPED_OP)

#define SHAPE_FUNCTION(op_name, infer_fn) {&mlc_graph_##op_name##_infer_shapes, infer_fn},
static const struct {
    const MlcInferShapes *shapes;
    InferFn infer;
} shape_functions[] = {SHAPED_OPS(SHAPE_FUNCTION)};

static InferFn
shape_function(MlcOp *op)
{
    const MlcInferShapes *shapes = mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES);
    for (size_t i = 0; i < sizeof shape_functions / sizeof *shape_functions; i++)
        if (shapes && shapes == shape_functions[i].shapes)
            return shape_functions[i].infer;
    return NULL;
}

MlcType
mlc_graph_result_type(MlcOp *op, const MlcType *operand_types)
{
    Infer in = {.ctx = mlc_op_context(op), .op = op, .types = operand_types};
    Shape shape = {0};
    InferFn infer = shape_function(op);
    return infer && compute_type(&in, infer, &shape) ? mlc_infer_type(&in, &shape) : NULL;
}

// All that a scan runs over is as long.
static void
check_lengths(Infer *in)
{
    size_t first, count;
    mlc_op_operand_group(in->op, 1, &first, &count);
    for (size_t i = 1; i < count; i++)
        must_be_equal(in, mlc_size_of_dim(operand_type(in, first), 0),
                      mlc_size_of_dim(operand_type(in, first + i), 0));
}

void
mlc_graph_open_sizes(MlcOp *op, MlcSizesDiffer differ, void *user)
{
    Infer in = {.ctx = mlc_op_context(op), .op = op, .differ = differ, .user = user};
    Shape shape = {0};
    InferFn infer = shape_function(op);
    if (mlc_graph_scan_isa(op))
        check_lengths(&in);
    if (infer && compute_type(&in, infer, &shape))
        (void)merge(&in, &shape, mlc_value_type(mlc_op_result(op, 0)));
}
