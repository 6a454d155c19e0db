// size_values.c -- tensors of few integers whose elements are sizes that are known when the model
// runs: what exporters compute shapes with.
//
// Such a value is a graph.sizes, a text for each element (mlc/dialects/graph_sizes.h). An op on
// sizes and constants becomes sizes again here, so that importers of later nodes read them as they
// read constants. An op that only moves elements is evaluated on their numbers, one for each text;
// arithmetic goes element by element. What no text says stays an op, and its result is data.
#include "node.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir/eval.h"

enum { MAX_SIZES = 64 };

bool
mlc_onnx_is_sizes(const MlcValue *value)
{
    return value && mlc_graph_sizes_isa(mlc_value_def(value));
}

bool
mlc_onnx_sizes_of(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxSizes *sizes)
{
    MlcAttr constant = value ? mlc_value_constant(value) : NULL;
    if (mlc_onnx_is_sizes(value)) {
        MlcAttr list = mlc_graph_sizes_sizes(mlc_value_def(value));
        sizes->count = mlc_array_attr_size(list);
        sizes->items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, sizes->count + 1);
        for (size_t i = 0; i < sizes->count; i++)
            sizes->items[i] = mlc_array_attr_element(list, i);
        return true;
    }
    MlcType type = constant ? mlc_attr_type(constant) : NULL;
    if (!type || !mlc_type_is_int_or_index(mlc_type_element(type)) ||
        mlc_type_num_elements(type) < 0 || mlc_type_num_elements(type) > MAX_SIZES)
        return false;
    sizes->count = (size_t)mlc_type_num_elements(type);
    sizes->items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, sizes->count + 1);
    for (size_t i = 0; i < sizes->count; i++) {
        int64_t number;
        if (!mlc_onnx_element_int(mlc_elements_attr_element(constant, i), &number))
            return false;
        sizes->items[i] = mlc_size_number(n->import->ctx, number);
    }
    return true;
}

MlcOnnxSizes
mlc_onnx_sizes_of_numbers(MlcOnnxNodeImport *n, MlcOnnxInts numbers)
{
    MlcOnnxSizes sizes = {MLC_NEW_ARRAY(&n->import->arena, MlcAttr, numbers.count + 1),
                          numbers.count};
    for (size_t i = 0; i < numbers.count; i++)
        sizes.items[i] = mlc_size_number(n->import->ctx, numbers.items[i]);
    return sizes;
}

bool
mlc_onnx_size_numbers(MlcOnnxNodeImport *n, const MlcOnnxSizes *sizes, int64_t otherwise,
                      MlcOnnxInts *numbers)
{
    int64_t *items = MLC_NEW_ARRAY(&n->import->arena, int64_t, sizes->count + 1);
    bool all = true;
    for (size_t i = 0; i < sizes->count; i++)
        if (!mlc_size_is_number(sizes->items[i], &items[i])) {
            items[i] = otherwise;
            all = false;
        }
    *numbers = (MlcOnnxInts){items, sizes->count};
    return all;
}

MlcAttr
mlc_onnx_size_texts(MlcOnnxNodeImport *n, const MlcOnnxSizes *sizes)
{
    MlcAttr *items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, sizes->count + 1);
    int64_t number;
    for (size_t i = 0; i < sizes->count; i++)
        items[i] = mlc_size_is_number(sizes->items[i], &number)
                       ? mlc_string_attr_get(n->import->ctx, mlc_str(""))
                       : sizes->items[i];
    return mlc_array_attr_get(n->import->ctx, items, sizes->count);
}

MlcValue *
mlc_onnx_build_sizes(MlcOnnxNodeImport *n, const MlcOnnxSizes *sizes, MlcType type)
{
    MlcContext *ctx = n->import->ctx;
    MlcOnnxInts numbers;
    if (mlc_onnx_size_numbers(n, sizes, 0, &numbers)) {
        MlcAttr *elements = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, sizes->count + 1);
        for (size_t i = 0; i < sizes->count; i++)
            elements[i] = mlc_integer_attr_get(mlc_type_element(type), numbers.items[i]);
        return mlc_onnx_build_value(n, mlc_dense_attr_from_elements(type, elements, sizes->count));
    }
    return mlc_graph_sizes(&n->import->builder, type,
                           mlc_array_attr_get(ctx, sizes->items, sizes->count));
}

MlcValue *
mlc_onnx_build_iota(MlcOnnxNodeImport *n, MlcAttr count, MlcType element)
{
    MlcContext *ctx = n->import->ctx;
    int64_t number;
    if (mlc_size_is_number(count, &number))
        return mlc_onnx_cast(n, mlc_onnx_build_count(n, number, 0, 1), element);
    return mlc_graph_iota(&n->import->builder, mlc_sized_type_get(element, &count, 1),
                          mlc_array_attr_get(ctx, &count, 1));
}

bool
mlc_onnx_dims_of(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxSizes *dims)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    *dims = (MlcOnnxSizes){MLC_NEW_ARRAY(&n->import->arena, MlcAttr, MLC_SMALL_RANK + 1),
                           mlc_type_rank(type)};
    for (size_t i = 0; i < dims->count; i++)
        if (!(dims->items[i] = mlc_size_of_dim(type, i)))
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    return true;
}

MlcValue *
mlc_onnx_reshape_to(MlcOnnxNodeImport *n, MlcValue *value, const MlcOnnxSizes *sizes)
{
    MlcOnnxInts dims;
    MlcOnnxAttrs attrs = {0};
    if (!value || mlc_onnx_size_numbers(n, sizes, 1, &dims))
        return value ? mlc_onnx_reshape(n, value, dims, true) : NULL;
    mlc_onnx_add_ints(n, &attrs, "shape", dims);
    mlc_onnx_add_bool(n, &attrs, "allow_zero", true);
    mlc_onnx_add_attr(n, &attrs, "sizes", mlc_onnx_size_texts(n, sizes));
    return mlc_onnx_build(n, &mlc_graph_reshape_def, &value, 1, &attrs);
}

MlcValue *
mlc_onnx_expand_to(MlcOnnxNodeImport *n, MlcValue *value, const MlcOnnxSizes *sizes)
{
    MlcOnnxInts numbers;
    MlcOnnxAttrs attrs = {0};
    bool is_known = mlc_onnx_size_numbers(n, sizes, 1, &numbers);
    mlc_onnx_add_ints(n, &attrs, "shape", numbers);
    if (!is_known)
        mlc_onnx_add_attr(n, &attrs, "sizes", mlc_onnx_size_texts(n, sizes));
    return value ? mlc_onnx_build(n, &mlc_graph_expand_def, &value, 1, &attrs) : NULL;
}

MlcValue *
mlc_onnx_build_count_to(MlcOnnxNodeImport *n, MlcAttr size, size_t dim, size_t rank)
{
    MlcContext *ctx = n->import->ctx;
    int64_t number;
    MlcAttr items[MLC_SMALL_RANK + 1];
    if (mlc_size_is_number(size, &number))
        return mlc_onnx_build_count(n, number, dim, rank);
    for (size_t i = 0; i < rank; i++)
        items[i] = i == dim ? size : mlc_size_number(ctx, 1);
    MlcValue *count = mlc_onnx_build_iota(n, size, mlc_integer_type_get(ctx, 64, MLC_SIGNLESS));
    return rank == 1 ? count : mlc_onnx_reshape_to(n, count, &(MlcOnnxSizes){items, rank});
}

MlcValue *
mlc_onnx_build_size(MlcOnnxNodeImport *n, MlcAttr size)
{
    MlcType i64 = mlc_onnx_i64(n);
    return mlc_onnx_build_sizes(n, &(MlcOnnxSizes){&size, 1},
                                mlc_tensor_type_get(i64, NULL, 0, NULL));
}

MlcValue *
mlc_onnx_slice_to(MlcOnnxNodeImport *n, MlcValue *value, MlcAttr start, MlcAttr end, int64_t axis)
{
    const MlcOnnxSizes ends[] = {{&start, 1}, {&end, 1}};
    static const char *const names[][2] = {{"starts", "start_sizes"}, {"ends", "end_sizes"}};
    MlcOnnxAttrs attrs = {0};
    for (size_t i = 0; i < 2; i++) {
        MlcOnnxInts number;
        bool is_known = mlc_onnx_size_numbers(n, &ends[i], 0, &number);
        mlc_onnx_add_ints(n, &attrs, names[i][0], number);
        if (!is_known)
            mlc_onnx_add_attr(n, &attrs, names[i][1], mlc_onnx_size_texts(n, &ends[i]));
    }
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){&axis, 1});
    return value ? mlc_onnx_build(n, &mlc_graph_slice_def, &value, 1, &attrs) : NULL;
}

MlcValue *
mlc_onnx_gather_held(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *places, MlcAttr size,
                     size_t axis)
{
    int64_t least;
    MlcOnnxAttrs attrs = {0};
    MlcType i64 = mlc_onnx_i64(n);
    MlcValue *one = mlc_onnx_build_number(n, i64, 1), *zero = mlc_onnx_build_number(n, i64, 0);
    MlcValue *last = mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_build_size(n, size), one);
    places = mlc_onnx_build_two(n, &mlc_graph_min_def, places, last);
    places = mlc_onnx_build_two(n, &mlc_graph_max_def, places, zero);
    mlc_onnx_add_int(n, &attrs, "axis", (int64_t)axis);
    MlcValue *operands[] = {value, places};
    MlcValue *rows =
        value && places ? mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs) : NULL;
    MlcOp *op = rows ? mlc_value_def(rows) : NULL;
    if (op && mlc_graph_gather_isa(op) && mlc_size_at_least(size, &least) && least > 0)
        mlc_op_set_attr(op, MLC_GRAPH_CHECKED, mlc_unit_attr_get(n->import->ctx));
    return rows;
}

void
mlc_onnx_expect_equal(MlcOnnxNodeImport *n, MlcAttr a, MlcAttr b)
{
    MlcAttr check[] = {a, b, mlc_string_attr_get(n->import->ctx, n->node->name)};
    for (size_t i = 0; i < n->import->size_checks.size; i++) {
        MlcAttr old = n->import->size_checks.data[i];
        if (mlc_array_attr_element(old, 0) == a && mlc_array_attr_element(old, 1) == b)
            return;
    }
    if (a && b && a != b)
        mlc_vec_push(&n->import->size_checks, mlc_array_attr_get(n->import->ctx, check, 3));
}

// ---- ops that only move elements

// Whether the operand is an index into others, not one of those that are moved.
static bool
is_index(MlcOp *op, size_t i)
{
    size_t first;
    return i == 1 && mlc_graph_indexed_dims(op, &first) > 0;
}

// The operand with numbers from `*next` on as elements, whose texts are appended.
static MlcAttr
numbered(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxSizes *all)
{
    MlcOnnxSizes sizes;
    MlcType type = mlc_value_type(value);
    MlcAttr elements[MAX_SIZES];
    if (!mlc_onnx_sizes_of(n, value, &sizes) || all->count + sizes.count > MAX_SIZES)
        return NULL;
    for (size_t i = 0; i < sizes.count; i++) {
        elements[i] = mlc_integer_attr_get(mlc_type_element(type), (int64_t)all->count);
        all->items[all->count++] = sizes.items[i];
    }
    return mlc_dense_attr_from_elements(type, elements, sizes.count);
}

static bool
move_sizes(MlcOnnxNodeImport *n, MlcOp *op, MlcOnnxSizes *result)
{
    MlcAttr texts[MAX_SIZES], constants[MAX_SIZES];
    MlcOnnxSizes all = {texts, 0};
    MlcFold fold = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        constants[i] = is_index(op, i) ? mlc_value_constant(value) : numbered(n, value, &all);
        if (!constants[i])
            return false;
    }
    if (!mlc_eval_fold(op, constants, &fold) || !fold.attr)
        return false;
    for (size_t i = 0; i < result->count; i++) {
        int64_t number;
        if (!mlc_attr_try_as_int(mlc_elements_attr_element(fold.attr, i), &number) || number < 0 ||
            (size_t)number >= all.count)
            return false;
        result->items[i] = all.items[number];
    }
    return true;
}

// ---- arithmetic

// The element of an operand that broadcasts, for element `i` of the result.
static size_t
broadcast_index(MlcType result, MlcType type, size_t i)
{
    size_t at = 0, step = 1, rank = mlc_type_rank(type);
    for (size_t d = mlc_type_rank(result); d-- > 0;) {
        size_t size = (size_t)mlc_type_dim(result, d), index = i % size;
        i /= size;
        if (d + rank < mlc_type_rank(result))
            continue;
        size_t own = (size_t)mlc_type_dim(type, d + rank - mlc_type_rank(result));
        at += own == 1 ? 0 : index * step;
        step *= own;
    }
    return at;
}

// a / b as ONNX rounds it, to 0: where a is negative the smallest number that is not below it.
static MlcAttr
truncated(MlcAttr a, MlcAttr b)
{
    MlcContext *ctx = mlc_attr_context(a);
    MlcAttr more = mlc_size_combine(MLC_SIZE_SUB, b, mlc_size_number(ctx, 1));
    MlcAttr up = mlc_size_combine(MLC_SIZE_FLOORDIV, mlc_size_combine(MLC_SIZE_ADD, a, more), b);
    up = mlc_size_combine(MLC_SIZE_MIN, up, mlc_size_number(ctx, 0));
    return mlc_size_combine(MLC_SIZE_MAX, mlc_size_combine(MLC_SIZE_FLOORDIV, a, b), up);
}

static MlcAttr
quotient(MlcOnnxNodeImport *n, MlcAttr a, MlcAttr b)
{
    int64_t number, least;
    bool is_positive =
        mlc_size_is_number(b, &number) ? number > 0 : mlc_size_at_least(b, &least) && least >= 0;
    if (!a || !is_positive)
        return NULL;
    if (!mlc_size_at_least_of_some(a, &least) || least < 0)
        return truncated(a, b);
    // Negative only where a size is 0: then ONNX rounds up, a size's text down.
    mlc_onnx_expect_equal(n, a,
                          mlc_size_combine(MLC_SIZE_MAX, a, mlc_size_number(n->import->ctx, 0)));
    return mlc_size_combine(MLC_SIZE_FLOORDIV, a, b);
}

// What is left over, of the divisor's sign: 0 to b - 1, as rounding down leaves it.
static MlcAttr
remainder_of(MlcAttr a, MlcAttr b)
{
    int64_t number;
    bool is_known = mlc_size_is_number(b, &number) && number != 0;
    return is_known ? mlc_size_combine(MLC_SIZE_SUB, a,
                                       mlc_size_combine(MLC_SIZE_MUL, b,
                                                        mlc_size_combine(MLC_SIZE_FLOORDIV, a, b)))
                    : NULL;
}

static MlcAttr
compute(MlcOnnxNodeImport *n, MlcOp *op, MlcAttr a, MlcAttr b)
{
    if (mlc_graph_identity_isa(op) || mlc_graph_cast_isa(op))
        return a;
    if (mlc_graph_add_isa(op))
        return mlc_size_combine(MLC_SIZE_ADD, a, b);
    if (mlc_graph_sub_isa(op))
        return mlc_size_combine(MLC_SIZE_SUB, a, b);
    if (mlc_graph_mul_isa(op))
        return mlc_size_combine(MLC_SIZE_MUL, a, b);
    if (mlc_graph_max_isa(op))
        return mlc_size_combine(MLC_SIZE_MAX, a, b);
    if (mlc_graph_min_isa(op))
        return mlc_size_combine(MLC_SIZE_MIN, a, b);
    if (mlc_graph_mod_isa(op))
        return remainder_of(a, b);
    if (mlc_graph_neg_isa(op))
        return mlc_size_combine(MLC_SIZE_SUB, mlc_size_number(n->import->ctx, 0), a);
    return mlc_graph_div_isa(op) ? quotient(n, a, b) : NULL;
}

// Of a comparison: 0 or 1; -1: it depends on the run.
static int
decide(MlcOp *op, MlcAttr a, MlcAttr b)
{
    int64_t least = 0, opposite = 0;
    bool has_least = mlc_size_at_least(mlc_size_combine(MLC_SIZE_SUB, a, b), &least);
    bool has_opposite = mlc_size_at_least(mlc_size_combine(MLC_SIZE_SUB, b, a), &opposite);
    bool is_more = has_least && least > 0, is_less = has_opposite && opposite > 0;
    if (mlc_graph_equal_isa(op))
        return a == b ? 1 : is_more || is_less ? 0 : -1;
    if (mlc_graph_greater_isa(op))
        return is_more ? 1 : has_opposite && opposite >= 0 ? 0 : -1;
    if (mlc_graph_less_isa(op))
        return is_less ? 1 : has_least && least >= 0 ? 0 : -1;
    if (mlc_graph_greater_or_equal_isa(op))
        return has_least && least >= 0 ? 1 : is_less ? 0 : -1;
    if (mlc_graph_less_or_equal_isa(op))
        return has_opposite && opposite >= 0 ? 1 : is_more ? 0 : -1;
    return -1;
}

static bool
sizes_of_operands(MlcOnnxNodeImport *n, MlcOp *op, MlcOnnxSizes sizes[2])
{
    size_t count = mlc_op_num_operands(op);
    for (size_t i = 0; i < 2 && i < count; i++)
        if (!mlc_onnx_sizes_of(n, mlc_op_operand(op, i), &sizes[i]))
            return false;
    return count == 1 || count == 2;
}

static MlcAttr
operand_size(MlcOp *op, const MlcOnnxSizes *sizes, size_t which, size_t i)
{
    MlcType result = mlc_value_type(mlc_op_result(op, 0));
    if (which >= mlc_op_num_operands(op))
        return NULL;
    return sizes[which].items[broadcast_index(result, mlc_op_operand_type(op, which), i)];
}

static bool
compute_sizes(MlcOnnxNodeImport *n, MlcOp *op, MlcOnnxSizes *result)
{
    MlcOnnxSizes sizes[2];
    if (!sizes_of_operands(n, op, sizes))
        return false;
    for (size_t i = 0; i < result->count; i++) {
        result->items[i] =
            compute(n, op, operand_size(op, sizes, 0, i), operand_size(op, sizes, 1, i));
        if (!result->items[i])
            return false;
    }
    return true;
}

// A constant of truth values; NULL: one of them depends on the run.
static MlcValue *
compare_sizes(MlcOnnxNodeImport *n, MlcOp *op)
{
    MlcOnnxSizes sizes[2];
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    size_t count = (size_t)mlc_type_num_elements(type);
    MlcAttr truths[MAX_SIZES];
    if (mlc_op_num_operands(op) != 2 || !sizes_of_operands(n, op, sizes))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        int truth = decide(op, operand_size(op, sizes, 0, i), operand_size(op, sizes, 1, i));
        if (truth < 0)
            return NULL;
        truths[i] = mlc_integer_attr_get(mlc_type_element(type), truth);
    }
    return mlc_onnx_build_value(n, mlc_dense_attr_from_elements(type, truths, count));
}

static bool
choose_sizes(MlcOnnxNodeImport *n, MlcOp *op, MlcOnnxSizes *result)
{
    MlcOnnxSizes sizes[2];
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcAttr condition = mlc_value_constant(mlc_op_operand(op, 0));
    for (size_t i = 0; i < 2; i++)
        if (!condition || !mlc_onnx_sizes_of(n, mlc_op_operand(op, i + 1), &sizes[i]))
            return false;
    for (size_t i = 0; i < result->count; i++) {
        size_t at = broadcast_index(type, mlc_op_operand_type(op, 0), i);
        bool holds = mlc_attr_as_bool(mlc_elements_attr_element(condition, at));
        MlcType from = mlc_op_operand_type(op, holds ? 1 : 2);
        result->items[i] = sizes[!holds].items[broadcast_index(type, from, i)];
    }
    return true;
}

// All elements become one.
static bool
reduce_sizes(MlcOnnxNodeImport *n, MlcOp *op, MlcOnnxSizes *result)
{
    MlcOnnxSizes sizes;
    bool is_product = mlc_graph_reduce_prod_isa(op);
    MlcSizeOp kind = is_product                     ? MLC_SIZE_MUL
                     : mlc_graph_reduce_sum_isa(op) ? MLC_SIZE_ADD
                     : mlc_graph_reduce_max_isa(op) ? MLC_SIZE_MAX
                                                    : MLC_SIZE_MIN;
    if (result->count != 1 || !mlc_onnx_sizes_of(n, mlc_op_operand(op, 0), &sizes) ||
        sizes.count == 0)
        return false;
    MlcAttr all = sizes.items[0];
    for (size_t i = 1; i < sizes.count; i++)
        all = mlc_size_combine(kind, all, sizes.items[i]);
    result->items[0] = all;
    return all != NULL;
}

static bool
is_reduction(MlcOp *op)
{
    return mlc_graph_reduce_prod_isa(op) || mlc_graph_reduce_sum_isa(op) ||
           mlc_graph_reduce_max_isa(op) || mlc_graph_reduce_min_isa(op);
}

MlcValue *
mlc_onnx_fold_sizes(MlcOnnxNodeImport *n, MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), element = mlc_type_element(type);
    MlcAttr items[MAX_SIZES];
    bool any = false, ok;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        any |= mlc_onnx_is_sizes(mlc_op_operand(op, i));
    if (!any || mlc_op_num_operands(op) > MAX_SIZES || !mlc_type_is(type, MLC_TYPE_TENSOR) ||
        !mlc_type_has_static_shape(type) || !mlc_type_is(element, MLC_TYPE_INTEGER) ||
        mlc_type_num_elements(type) > MAX_SIZES)
        return NULL;
    if (mlc_type_is_integer(element, 1))
        return compare_sizes(n, op);
    MlcOnnxSizes result = {items, (size_t)mlc_type_num_elements(type)};
    if (mlc_graph_where_isa(op))
        ok = choose_sizes(n, op, &result);
    else if (is_reduction(op))
        ok = reduce_sizes(n, op, &result);
    else if (mlc_op_has_trait(op, MLC_TRAIT_MOVES_ELEMENTS) && !mlc_graph_identity_isa(op))
        ok = move_sizes(n, op, &result);
    else
        ok = compute_sizes(n, op, &result);
    return ok ? mlc_onnx_build_sizes(n, &result, type) : NULL;
}
