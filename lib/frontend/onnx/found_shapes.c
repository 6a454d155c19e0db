// found_shapes.c -- shapes and numbers that a model computes from sizes found in the data.
//
// Such a number is looked at element by element, through the ops that shape arithmetic is made of:
// what it is, if that is known, or the value that it is and the most and least it may be. A number
// that is only moved about (Shape, Gather, Concat) is the value that was found, so that two
// dimensions of one size are seen to be the same.
#include "found_sizes.h"

#include <inttypes.h>

enum { MAX_DEPTH = 32, MAX_PARTS = 64, MAX_LOOKED_AT = 2048 };

// An integer: from `low` to `high`; both are it where `value` is NULL.
typedef struct Term {
    MlcValue *value; // of one element
    int64_t low, high;
} Term;

static int64_t
num_elements(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_has_rank(type) && mlc_type_has_static_shape(type) ? mlc_type_num_elements(type)
                                                                      : -1;
}

static Term
exactly(int64_t number)
{
    return (Term){NULL, number, number};
}

static bool
is_exactly(Term t, int64_t number)
{
    return t.low == number && t.high == number;
}

static bool find_term(const MlcOnnxImport *im, MlcValue *value, int64_t i, unsigned depth, Term *t);

static bool
find_constant(MlcAttr constant, int64_t i, Term *t)
{
    int64_t number;
    if (!mlc_type_is_int_or_index(mlc_type_element(mlc_attr_type(constant))) ||
        !mlc_onnx_element_int(mlc_elements_attr_element(constant, (size_t)i), &number))
        return false;
    *t = exactly(number);
    return true;
}

// Element `i` of the operand, or its one element, which stands for all.
static bool
find_operand(const MlcOnnxImport *im, MlcOp *op, size_t operand, int64_t i, unsigned depth, Term *t)
{
    MlcValue *value = mlc_op_operand(op, operand);
    int64_t count = num_elements(value);
    if (count < 1 || (count > 1 && i >= count))
        return false;
    return find_term(im, value, count == 1 ? 0 : i, depth, t);
}

static bool
moved_by_concat(MlcOp *op, int64_t i, MlcValue **from, int64_t *at)
{
    if (mlc_type_rank(mlc_value_type(mlc_op_result(op, 0))) != 1)
        return false;
    for (size_t k = 0; k < mlc_op_num_operands(op); k++) {
        int64_t count = num_elements(mlc_op_operand(op, k));
        *from = mlc_op_operand(op, k);
        *at = i;
        if (count < 0 || i < count)
            return count >= 0;
        i -= count;
    }
    return false;
}

static bool
moved_by_gather(const MlcOnnxImport *im, MlcOp *op, int64_t i, unsigned depth, MlcValue **from,
                int64_t *at)
{
    Term index;
    MlcValue *data = mlc_op_operand(op, 0);
    int64_t count = num_elements(data);
    if (mlc_type_rank(mlc_value_type(data)) != 1 || !find_operand(im, op, 1, i, depth, &index) ||
        index.value)
        return false;
    *from = data;
    *at = index.low + (index.low < 0 ? count : 0);
    return *at >= 0 && *at < count;
}

static bool
moved_by_slice(MlcOp *op, int64_t i, MlcValue **from, int64_t *at)
{
    MlcValue *data = mlc_op_operand(op, 0);
    MlcAttr starts = mlc_op_attr(op, "starts"), steps = mlc_op_attr(op, "steps");
    int64_t count = num_elements(data);
    if (mlc_type_rank(mlc_value_type(data)) != 1 || !starts ||
        mlc_dense_array_attr_size(starts) != 1 || mlc_op_attr(op, "start_sizes"))
        return false;
    int64_t start = mlc_dense_array_attr_int(starts, 0);
    int64_t step =
        steps && mlc_dense_array_attr_size(steps) == 1 ? mlc_dense_array_attr_int(steps, 0) : 1;
    if (step != 1)
        return false;
    start += start < 0 ? count : 0;
    *from = data;
    *at = (start < 0 ? 0 : start) + i;
    return *at < count;
}

static bool
find_moved(const MlcOnnxImport *im, MlcOp *op, int64_t i, unsigned depth, MlcValue **from,
           int64_t *at)
{
    if (mlc_graph_concat_isa(op))
        return moved_by_concat(op, i, from, at);
    if (mlc_graph_gather_isa(op))
        return moved_by_gather(im, op, i, depth, from, at);
    if (mlc_graph_slice_isa(op))
        return moved_by_slice(op, i, from, at);
    bool keeps = mlc_graph_reshape_isa(op) || mlc_graph_flatten_isa(op) ||
                 mlc_graph_identity_isa(op) || mlc_graph_cast_isa(op);
    if (keeps) {
        *from = mlc_op_operand(op, 0);
        *at = i;
    }
    return keeps && mlc_type_is_int_or_index(mlc_type_element(mlc_value_type(*from))) &&
           mlc_type_is_int_or_index(mlc_type_element(mlc_op_result_type(op, 0)));
}

bool
mlc_onnx_moved_from(const MlcOnnxImport *im, MlcOp *op, int64_t i, MlcValue **from, int64_t *at)
{
    return find_moved(im, op, i, 0, from, at);
}

// The ends of a sum, difference or product; false: beyond 64 bits.
static bool
combine(const MlcOpDef *op, Term a, Term b, Term *t)
{
    int64_t ends[4];
    bool is_sum = op == &mlc_graph_add_def, ok = true;
    if (is_sum || op == &mlc_graph_sub_def) {
        ok = is_sum ? !__builtin_add_overflow(a.low, b.low, &t->low) &&
                          !__builtin_add_overflow(a.high, b.high, &t->high)
                    : !__builtin_sub_overflow(a.low, b.high, &t->low) &&
                          !__builtin_sub_overflow(a.high, b.low, &t->high);
        return ok;
    }
    ok = !__builtin_mul_overflow(a.low, b.low, &ends[0]) &&
         !__builtin_mul_overflow(a.low, b.high, &ends[1]) &&
         !__builtin_mul_overflow(a.high, b.low, &ends[2]) &&
         !__builtin_mul_overflow(a.high, b.high, &ends[3]);
    t->low = t->high = ends[0];
    for (size_t i = 1; ok && i < 4; i++) {
        t->low = ends[i] < t->low ? ends[i] : t->low;
        t->high = ends[i] > t->high ? ends[i] : t->high;
    }
    return ok;
}

static Term
least_of(Term a, Term b)
{
    if (a.high <= b.low)
        return a;
    if (b.high <= a.low)
        return b;
    return (Term){NULL, a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static Term
most_of(Term a, Term b)
{
    if (a.low >= b.high)
        return a;
    if (b.low >= a.high)
        return b;
    return (Term){NULL, a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

// Of two operands. What is one of them whatever they are, is that one.
static bool
find_in_pair(const MlcOnnxImport *im, MlcOp *op, int64_t i, unsigned depth, Term *t)
{
    const MlcOpDef *def = mlc_op_def(op);
    Term a, b;
    if (!find_operand(im, op, 0, i, depth, &a) || !find_operand(im, op, 1, i, depth, &b))
        return false;
    if (def == &mlc_graph_min_def)
        *t = least_of(a, b);
    else if (def == &mlc_graph_max_def)
        *t = most_of(a, b);
    else if (is_exactly(b, def == &mlc_graph_mul_def))
        *t = a;
    else if (is_exactly(a, def == &mlc_graph_mul_def) && def != &mlc_graph_sub_def)
        *t = b;
    else if (*t = (Term){0}, !combine(def, a, b, t))
        return false;
    return true;
}

// Whether a comparison comes out the same in every run, and how.
static bool
is_decided(const MlcOnnxImport *im, MlcOp *op, int64_t i, unsigned depth, bool *is_equal)
{
    Term a, b;
    if (!op || !mlc_graph_equal_isa(op) || !find_operand(im, op, 0, i, depth, &a) ||
        !find_operand(im, op, 1, i, depth, &b))
        return false;
    *is_equal = !a.value && !b.value && a.low == b.low;
    return *is_equal || a.high < b.low || b.high < a.low;
}

static bool
find_in_choice(const MlcOnnxImport *im, MlcOp *op, int64_t i, unsigned depth, Term *t)
{
    MlcValue *condition = mlc_op_operand(op, 0);
    bool is_equal;
    Term a, b;
    if (is_decided(im, mlc_value_def(condition), num_elements(condition) == 1 ? 0 : i, depth,
                   &is_equal))
        return find_operand(im, op, is_equal ? 1 : 2, i, depth, t);
    if (!find_operand(im, op, 1, i, depth, &a) || !find_operand(im, op, 2, i, depth, &b))
        return false;
    *t = (Term){NULL, a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    return true;
}

// The least, the greatest, the product or the sum of all elements.
static bool
find_in_reduction(const MlcOnnxImport *im, MlcOp *op, unsigned depth, Term *t)
{
    const MlcOpDef *def = mlc_op_def(op);
    int64_t count = num_elements(mlc_op_operand(op, 0));
    if (num_elements(mlc_op_result(op, 0)) != 1 || count < 1 || count > MAX_PARTS ||
        !find_operand(im, op, 0, 0, depth, t))
        return false;
    for (int64_t i = 1; i < count; i++) {
        Term next, sum = {0};
        if (!find_term(im, mlc_op_operand(op, 0), i, depth, &next))
            return false;
        if (def == &mlc_graph_reduce_min_def)
            sum = least_of(*t, next);
        else if (def == &mlc_graph_reduce_max_def)
            sum = most_of(*t, next);
        else if (def == &mlc_graph_reduce_prod_def && is_exactly(next, 1))
            sum = *t;
        else if (def == &mlc_graph_reduce_prod_def && is_exactly(*t, 1))
            sum = next;
        else if (!combine(def == &mlc_graph_reduce_prod_def ? &mlc_graph_mul_def
                                                            : &mlc_graph_add_def,
                          *t, next, &sum))
            return false;
        *t = sum;
    }
    return true;
}

// By the op that makes it; `t->value` is left NULL where it is no other value's.
static bool
find_made(const MlcOnnxImport *im, MlcOp *op, int64_t i, unsigned depth, Term *t)
{
    MlcValue *from;
    int64_t at;
    if (mlc_graph_expand_isa(op))
        return num_elements(mlc_op_operand(op, 0)) == 1 && find_operand(im, op, 0, i, depth, t);
    if (find_moved(im, op, i, depth, &from, &at))
        return find_term(im, from, at, depth, t);
    if (mlc_graph_add_isa(op) || mlc_graph_sub_isa(op) || mlc_graph_mul_isa(op) ||
        mlc_graph_min_isa(op) || mlc_graph_max_isa(op))
        return find_in_pair(im, op, i, depth, t);
    if (mlc_graph_where_isa(op))
        return find_in_choice(im, op, i, depth, t);
    if (mlc_graph_reduce_min_isa(op) || mlc_graph_reduce_max_isa(op) ||
        mlc_graph_reduce_prod_isa(op) || mlc_graph_reduce_sum_isa(op))
        return find_in_reduction(im, op, depth, t);
    return false;
}

static bool
find_term(const MlcOnnxImport *im, MlcValue *value, int64_t i, unsigned depth, Term *t)
{
    MlcOp *op = mlc_value_def(value);
    MlcAttr constant = mlc_value_constant(value);
    uint64_t most;
    if (constant)
        return find_constant(constant, i, t);
    if (mlc_map_get_u64(&im->found_most, (uint64_t)(uintptr_t)value, &most)) {
        *t = (Term){value, 0, (int64_t)most};
        return true;
    }
    if (depth == MAX_DEPTH || !op || !find_made(im, op, i, depth + 1, t))
        return false;
    // A number of its own, if its value has no other one beside it.
    if (!t->value && t->low != t->high)
        t->value = num_elements(value) == 1 ? value : NULL;
    return t->value || t->low == t->high;
}

bool
mlc_onnx_read_sizes(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxSize *sizes, size_t *num_sizes)
{
    MlcType type = mlc_value_type(value), element = mlc_type_element(type);
    int64_t count = num_elements(value);
    if (count < 0 || count > MLC_SMALL_RANK || !mlc_type_is(element, MLC_TYPE_INTEGER))
        return false;
    *num_sizes = (size_t)count;
    for (int64_t i = 0; i < count; i++) {
        Term t = {0};
        if (!find_term(n->import, value, i, 0, &t) || (t.value && (t.low < 0 || t.high < 0)))
            return false;
        sizes[i] = (MlcOnnxSize){t.high, t.value ? mlc_onnx_as_count(n, t.value) : NULL};
        if (t.value && !sizes[i].count)
            return false;
    }
    return true;
}

bool
mlc_onnx_known_ints(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts *ints)
{
    MlcOnnxSize sizes[MLC_SMALL_RANK];
    size_t count;
    if (!mlc_onnx_read_sizes(n, value, sizes, &count))
        return false;
    int64_t *items = MLC_NEW_ARRAY(&n->import->arena, int64_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (sizes[i].count)
            return false;
        items[i] = sizes[i].most;
    }
    *ints = (MlcOnnxInts){items, count};
    return true;
}

MlcValue *
mlc_onnx_as_count(MlcOnnxNodeImport *n, MlcValue *value)
{
    MlcType i64 = mlc_onnx_i64(n);
    Term t = {0};
    if (find_term(n->import, value, 0, 0, &t) && t.value)
        value = t.value;
    value = mlc_onnx_cast(n, value, i64);
    if (!value || mlc_type_rank(mlc_value_type(value)) == 0)
        return value;
    return mlc_onnx_reshape(n, value, (MlcOnnxInts){NULL, 0}, true);
}

// ---- shapes that nodes ask for

// The dimension of the first input that has this number of elements; its rank: none.
static size_t
find_dim(MlcOnnxNodeImport *n, MlcValue *count)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_onnx_is_same_count(mlc_onnx_found_size(n->import, n->inputs[0], i), count))
            return i;
    return mlc_type_rank(type);
}

bool
mlc_onnx_read_open_shape(MlcOnnxNodeImport *n, MlcOnnxOpenShape *shape)
{
    MlcOnnxSize sizes[MLC_SMALL_RANK];
    MlcOnnxInts known;
    size_t num_open = 0;
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcAttr constant = n->num_inputs > 1 ? mlc_value_constant(n->inputs[1]) : NULL;
    bool given;
    if (n->num_inputs < 2 || constant) {
        if (!mlc_onnx_attribute_or_input_ints(n, "shape", 1, &known, &given))
            return false;
        if (known.count > MLC_SMALL_RANK)
            return mlc_onnx_unsupported(n, "a shape of %zu sizes", known.count);
        memcpy(shape->items, known.items, known.count * sizeof *known.items);
        shape->count = known.count;
        return true;
    }
    if (!mlc_type_has_rank(type) || !mlc_onnx_read_sizes(n, n->inputs[1], sizes, &shape->count))
        return mlc_onnx_unknown_value(n, 1);
    for (size_t i = 0; i < shape->count; i++) {
        size_t dim = sizes[i].count ? find_dim(n, sizes[i].count) : 0;
        bool is_open = sizes[i].count && dim == mlc_type_rank(type);
        shape->counts[i] = sizes[i].count;
        shape->items[i] = is_open ? -1 : sizes[i].count ? mlc_type_dim(type, dim) : sizes[i].most;
        num_open += shape->items[i] == -1;
    }
    return num_open <= 1 || mlc_onnx_unknown_value(n, 1);
}

bool
mlc_onnx_import_reshape(MlcOnnxNodeImport *n)
{
    MlcOnnxOpenShape shape = {0};
    int64_t allow_zero = 0;
    if (mlc_value_constant(n->inputs[1]) || mlc_onnx_is_sizes(n->inputs[1]))
        return mlc_onnx_import_one_op(n);
    if (!mlc_onnx_read_open_shape(n, &shape) || !mlc_onnx_read_int(n, "allowzero", &allow_zero))
        return false;
    return mlc_onnx_set_result(n, mlc_onnx_reshape(n, n->inputs[0],
                                                   (MlcOnnxInts){shape.items, shape.count},
                                                   allow_zero != 0));
}

// Each size is the input's or the shape's; where both are found they are one.
bool
mlc_onnx_import_expand(MlcOnnxNodeImport *n)
{
    MlcOnnxSize sizes[MLC_SMALL_RANK];
    MlcOnnxAttrs attrs = {0};
    int64_t items[MLC_SMALL_RANK];
    MlcValue *x = n->inputs[0], *counts[MLC_SMALL_RANK] = {NULL};
    MlcType type = mlc_value_type(x);
    size_t count = 0;
    if ((mlc_value_constant(n->inputs[1]) || mlc_onnx_is_sizes(n->inputs[1])) &&
        !mlc_onnx_has_found_size(n->import, x))
        return mlc_onnx_import_one_op(n);
    if (!mlc_type_has_rank(type) || !mlc_onnx_read_sizes(n, n->inputs[1], sizes, &count) ||
        mlc_type_rank(type) > MLC_SMALL_RANK)
        return mlc_onnx_unknown_value(n, 1);
    size_t rank = mlc_type_rank(type), whole = count > rank ? count : rank;
    for (size_t i = 0; i < whole; i++) {
        MlcOnnxSize to = i + count < whole ? (MlcOnnxSize){1, NULL} : sizes[i + count - whole];
        MlcValue *found =
            i + rank < whole ? NULL : mlc_onnx_found_size(n->import, x, i + rank - whole);
        int64_t from = i + rank < whole ? 1 : mlc_type_dim(type, i + rank - whole);
        bool is_same = found && (to.count ? mlc_onnx_is_same_count(found, to.count) : to.most == 1);
        if (found && !is_same)
            return mlc_onnx_unsupported(n, "size %zu of its input '%.*s' is found in the data",
                                        i + rank - whole, MLC_STR_FMT(n->node->input.items[0]));
        if (!found && to.count && from != 1)
            return mlc_onnx_unknown_value(n, 1);
        items[i] = found ? from : to.count || to.most > from ? to.most : from;
        items[i] = to.count && !found ? to.most : items[i];
        counts[i] = found ? found : to.count;
    }
    mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){items, whole});
    if (!mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_expand_def, &x, 1, &attrs)))
        return false;
    for (size_t i = 0; i < whole; i++)
        mlc_onnx_set_found_size(n, n->outputs[0], i, counts[i]);
    return true;
}

// ---- whether two numbers are one

// `budget` bounds the ops that are looked at, and with them the depth.
static bool
is_same(MlcValue *a, MlcValue *b, unsigned *budget)
{
    if (a == b)
        return true;
    MlcOp *x = mlc_value_def(a), *y = mlc_value_def(b);
    if (*budget == 0 || !x || !y || mlc_op_def(x) != mlc_op_def(y) ||
        mlc_value_type(a) != mlc_value_type(b) || mlc_op_num_results(x) != 1 ||
        mlc_op_num_operands(x) != mlc_op_num_operands(y) || mlc_op_num_operands(x) > 4 ||
        mlc_op_num_regions(x) || !mlc_op_is_pure(x) || mlc_op_all_attrs(x) != mlc_op_all_attrs(y))
        return false;
    --*budget;
    for (size_t i = 0; i < mlc_op_num_operands(x); i++)
        if (!is_same(mlc_op_operand(x, i), mlc_op_operand(y, i), budget))
            return false;
    return true;
}

bool
mlc_onnx_is_same_count(MlcValue *a, MlcValue *b)
{
    unsigned budget = MAX_LOOKED_AT;
    return a && b && is_same(a, b, &budget);
}
