// computed_sizes.c -- see computed_sizes.h.
//
// Nodes that are refused because they must know a number, or because what they read has a size that
// is found in the data, are imported a second time. Then inputs that are shapes, repeats or sizes
// are graph.sizes, whose elements are numbers, sizes of other values, or names of what is computed;
// and inputs of found sizes are cut to what there is. Slice, Range, Reshape and Pad give negative
// numbers a meaning, which is computed before a number gets its name.
#include "computed_sizes.h"

#include "found_sizes.h"
#include "strings_of.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"

enum { MAX_DEPTH = 32, MAX_ELEMENTS = 64 };

static MlcAttr
size_number(MlcOnnxNodeImport *n, int64_t value)
{
    return mlc_size_number(mlc_onnx_context_of(n), value);
}

bool
mlc_onnx_may_name(const MlcOnnxNodeImport *n)
{
    return n->import->builder.block == n->import->body;
}

// ---- names

static MlcAttr
fresh_name(MlcOnnxImport *im)
{
    MlcStr name;
    do
        name = mlc_arena_printf(&im->arena, "computed.%zu", im->num_size_names++);
    while (mlc_str_map_has(&im->open_dims, name));
    return mlc_size_named(im->ctx, name);
}

MlcAttr
mlc_onnx_name_size(MlcOnnxNodeImport *n, MlcValue *count)
{
    MlcOnnxImport *im = n->import;
    int64_t known;
    count = count ? mlc_onnx_as_count(n, count) : NULL;
    if (!count)
        return NULL;
    if (mlc_onnx_is_sizes(count))
        return mlc_array_attr_element(mlc_graph_sizes_sizes(mlc_value_def(count)), 0);
    MlcAttr constant = mlc_value_constant(count);
    if (constant && mlc_attr_try_as_int(mlc_elements_attr_element(constant, 0), &known))
        return size_number(n, known > 0 ? known : 0);
    for (size_t i = 0; i < im->computed_sizes.size; i++)
        if (mlc_onnx_is_same_count(im->computed_sizes.data[i].of, count))
            return im->computed_sizes.data[i].name;
    if (!mlc_onnx_may_name(n)) {
        n->import->is_unknown = true;
        return mlc_onnx_unsupported(n, "a size that an iteration or a branch computes"), NULL;
    }
    MlcValue *size = mlc_onnx_build_two(n, &mlc_graph_max_def, count, mlc_onnx_int(n, 0));
    MlcOnnxComputedSize made = {fresh_name(im), count, size};
    if (size)
        mlc_vec_push(&im->computed_sizes, made);
    return size ? made.name : NULL;
}

// From `start` to `end`, which are within the dimension; that is checked when the model runs.
static MlcValue *
slice_within(MlcOnnxNodeImport *n, MlcValue *value, MlcAttr start, MlcAttr end, size_t dim)
{
    MlcValue *cut = mlc_onnx_slice_to(n, value, start, end, (int64_t)dim);
    MlcOp *op = cut ? mlc_value_def(cut) : NULL;
    if (!op || !mlc_graph_slice_isa(op))
        return cut;
    mlc_op_set_attr(op, MLC_GRAPH_CHECKED, mlc_unit_attr_get(mlc_onnx_context_of(n)));
    return mlc_onnx_infer(n, op) ? mlc_op_result(op, 0) : NULL;
}

MlcValue *
mlc_onnx_cut_to(MlcOnnxNodeImport *n, MlcValue *value, size_t dim, MlcValue *count)
{
    MlcAttr size = value ? mlc_onnx_name_size(n, count) : NULL;
    if (!size)
        return NULL;
    return slice_within(n, value, size_number(n, 0), size, dim);
}

MlcValue *
mlc_onnx_cut_to_found(MlcOnnxNodeImport *n, MlcValue *value)
{
    MlcValue *cut = mlc_map_get(&n->import->cut_values, value), *from = value;
    if (cut)
        return cut;
    for (size_t dim = 0; value && dim < mlc_type_rank(mlc_value_type(from)); dim++) {
        MlcValue *count = mlc_onnx_found_size(n->import, from, dim);
        value = count ? mlc_onnx_cut_to(n, value, dim, count) : value;
    }
    if (value)
        mlc_map_set(&n->import->cut_values, from, value);
    return value;
}

// ---- elements

static int64_t
num_elements(MlcValue *value)
{
    MlcType type = value ? mlc_value_type(value) : NULL;
    return type && mlc_type_has_rank(type) && mlc_type_has_static_shape(type)
               ? mlc_type_num_elements(type)
               : -1;
}

// What is known of element `i`: a number, or a size; NULL: nothing.
static MlcAttr
known_element(MlcOnnxNodeImport *n, MlcValue *value, int64_t i, unsigned depth)
{
    static const struct {
        const MlcOpDef *op;
        MlcSizeOp size;
    } sums[] = {{&mlc_graph_add_def, MLC_SIZE_ADD},
                {&mlc_graph_sub_def, MLC_SIZE_SUB},
                {&mlc_graph_mul_def, MLC_SIZE_MUL}};
    MlcOnnxSizes sizes;
    MlcOp *op = mlc_value_def(value);
    MlcValue *from;
    int64_t at;
    if (mlc_onnx_sizes_of(n, value, &sizes))
        return i < (int64_t)sizes.count ? sizes.items[i] : NULL;
    for (size_t k = 0; k < n->import->computed_sizes.size && num_elements(value) == 1; k++)
        if (n->import->computed_sizes.data[k].of == value)
            return n->import->computed_sizes.data[k].name;
    if (!op || depth == MAX_DEPTH)
        return NULL;
    if (mlc_onnx_moved_from(n->import, op, i, &from, &at))
        return known_element(n, from, at, depth + 1);
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        MlcAttr parts[2];
        for (size_t p = 0; mlc_op_def(op) == sums[k].op && p < 2; p++) {
            int64_t count = num_elements(mlc_op_operand(op, p));
            bool ok = count == 1 || (count > 1 && i < count);
            parts[p] =
                ok ? known_element(n, mlc_op_operand(op, p), count == 1 ? 0 : i, depth + 1) : NULL;
        }
        if (mlc_op_def(op) == sums[k].op)
            return mlc_size_combine(sums[k].size, parts[0], parts[1]);
    }
    return NULL;
}

// Element `i` of a vector or scalar, as an i64 of rank 0.
static MlcValue *
element(MlcOnnxNodeImport *n, MlcValue *value, int64_t i)
{
    int64_t end = i + 1, axis = 0, all = num_elements(value);
    if (all != 1) {
        value = mlc_onnx_reshape(n, value, (MlcOnnxInts){&all, 1}, true);
        value = mlc_onnx_slice(n, value, (MlcOnnxInts){&i, 1}, (MlcOnnxInts){&end, 1},
                               (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
    }
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){&axis, 0}, true) : NULL;
    return mlc_onnx_cast(n, value, mlc_onnx_i64(n));
}

static bool
is_size(MlcAttr text)
{
    int64_t least;
    return text && mlc_size_at_least(text, &least) && least >= 0;
}

// Names for the elements that are not known to be sizes.
static bool
name_elements(MlcOnnxNodeImport *n, const MlcOnnxSizesInput *from)
{
    size_t input = from->input;
    MlcValue *value = n->inputs[input];
    MlcAttr items[MAX_ELEMENTS];
    int64_t count = num_elements(value), known;
    if (mlc_onnx_is_strings(n->import, value))
        return mlc_onnx_invalid(n, "input %zu must hold integers", input);
    if (count < 0 || count > MAX_ELEMENTS ||
        !mlc_type_is(mlc_type_element(mlc_value_type(value)), MLC_TYPE_INTEGER))
        return mlc_onnx_unknown_value(n, input);
    for (int64_t i = 0; i < count; i++) {
        items[i] = known_element(n, value, i, 0);
        if (items[i] && (is_size(items[i]) || mlc_size_is_number(items[i], &known)))
            continue;
        MlcValue *one = element(n, value, i);
        one = from->fix && one ? from->fix(n, value, i, one) : one;
        if (!(items[i] = one ? mlc_onnx_name_size(n, one) : NULL))
            return false;
    }
    MlcOnnxSizes sizes = {items, (size_t)count};
    n->inputs[input] = mlc_onnx_build_sizes(n, &sizes, mlc_value_type(value));
    return n->inputs[input] != NULL;
}

// ---- operators for which negative numbers, or 0, are more than that

// All elements of a shape, of which -1 is what is left, and 0 is the input's size: its element `i`.
static MlcValue *
fix_shape(MlcOnnxNodeImport *n, MlcValue *all, int64_t i, MlcValue *element)
{
    int64_t allow_zero = 0, one = 1;
    MlcOnnxSizes dims;
    MlcAttr total = size_number(n, 1);
    if (!mlc_onnx_read_int(n, "allowzero", &allow_zero) ||
        !mlc_onnx_dims_of(n, n->inputs[0], &dims))
        return NULL;
    for (size_t k = 0; k < dims.count; k++)
        total = mlc_size_combine(MLC_SIZE_MUL, total, dims.items[k]);
    if (!total)
        return mlc_onnx_unknown_value(n, 1), NULL;
    MlcValue *others = mlc_onnx_int(n, 1), *zero = mlc_onnx_int(n, 0);
    for (int64_t k = 0; k < num_elements(all); k++) {
        MlcAttr known = known_element(n, all, k, 0);
        MlcValue *size = is_size(known) ? mlc_onnx_build_size(n, known) : NULL;
        if (k == i)
            continue;
        if (!size) {
            int64_t end = k + 1, axis = 0;
            size =
                mlc_onnx_slice(n, mlc_onnx_cast(n, all, mlc_onnx_i64(n)), (MlcOnnxInts){&k, 1},
                               (MlcOnnxInts){&end, 1}, (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
            size = size ? mlc_onnx_reshape(n, size, (MlcOnnxInts){&one, 0}, true) : NULL;
        }
        if (!allow_zero && k < (int64_t)dims.count)
            size = mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, size, zero),
                                   mlc_onnx_build_size(n, dims.items[k]), size);
        size = mlc_onnx_build_two(n, &mlc_graph_max_def, size, mlc_onnx_int(n, 1));
        others = mlc_onnx_build_two(n, &mlc_graph_mul_def, others, size);
    }
    MlcValue *rest =
        mlc_onnx_build_two(n, &mlc_graph_div_def, mlc_onnx_build_size(n, total), others);
    MlcValue *is_rest = mlc_onnx_compare(n, &mlc_graph_less_def, element, zero);
    if (!allow_zero && i < (int64_t)dims.count)
        element = mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, element, zero),
                                  mlc_onnx_build_size(n, dims.items[i]), element);
    return mlc_onnx_select(n, is_rest, rest, element);
}

// Of a shape that the input is stretched to, with it at its end: 1 is the input's size.
static MlcValue *
fix_expand(MlcOnnxNodeImport *n, MlcValue *all, int64_t i, MlcValue *element)
{
    MlcOnnxSizes dims;
    if (!mlc_onnx_dims_of(n, n->inputs[0], &dims))
        return NULL;
    int64_t dim = i - num_elements(all) + (int64_t)dims.count;
    MlcValue *one = mlc_onnx_int(n, 1),
             *size = dim < 0 ? one : mlc_onnx_build_size(n, dims.items[dim]);
    MlcValue *is_one = mlc_onnx_compare(n, &mlc_graph_equal_def, element, one);
    return mlc_onnx_select(n, is_one, size, element);
}

static MlcValue *
fix_pad(MlcOnnxNodeImport *n, MlcValue *all, int64_t i, MlcValue *element)
{
    (void)all;
    (void)i;
    MlcValue *fits =
        mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, element, mlc_onnx_int(n, 0));
    return mlc_onnx_assert(n, element, fits, "a pad that is computed is negative");
}

// start, start + delta, ... of as many as there are before limit.
static bool
make_range(MlcOnnxNodeImport *n)
{
    int64_t none = 0;
    MlcType type = mlc_type_element(mlc_value_type(n->inputs[0]));
    MlcType f64 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    MlcValue *ends[3], *wide[3];
    bool is_known = true;
    for (size_t i = 0; i < 3; i++) {
        is_known &= mlc_value_constant(n->inputs[i]) != NULL;
        if (num_elements(n->inputs[i]) != 1)
            return mlc_onnx_unknown_value(n, i);
        ends[i] = mlc_onnx_reshape(n, n->inputs[i], (MlcOnnxInts){&none, 0}, true);
        wide[i] = mlc_onnx_cast(n, ends[i], f64);
    }
    if (is_known)
        return mlc_onnx_unsupported(n, "a range of that many numbers");
    MlcValue *zero = mlc_onnx_build_number(n, f64, 0);
    MlcValue *length = mlc_onnx_build_two(n, &mlc_graph_sub_def, wide[1], wide[0]);
    MlcValue *count = mlc_onnx_build_one(
        n, &mlc_graph_ceil_def, mlc_onnx_build_two(n, &mlc_graph_div_def, length, wide[2]));
    MlcValue *fits = mlc_onnx_build_two(
        n, &mlc_graph_and_def,
        mlc_onnx_compare(n, &mlc_graph_less_def, count,
                         mlc_onnx_build_number(n, f64, (double)(INT64_C(1) << 31))),
        mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, zero,
                         mlc_onnx_build_two(n, &mlc_graph_mul_def, wide[2], wide[2])));
    count = mlc_onnx_assert(n, count, fits, "a range of that many numbers");
    count =
        mlc_onnx_cast(n, mlc_onnx_build_two(n, &mlc_graph_max_def, count, zero), mlc_onnx_i64(n));
    MlcAttr size = count ? mlc_onnx_name_size(n, count) : NULL;
    MlcValue *range =
        mlc_onnx_cast(n, size ? mlc_onnx_build_iota(n, size, mlc_onnx_i64(n)) : NULL, type);
    range = mlc_onnx_build_two(n, &mlc_graph_mul_def, range, ends[2]);
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_add_def, range, ends[0]));
}

typedef struct Cut {
    MlcValue *start, *end; // as the node has them
    size_t axis;
    int64_t step;
} Cut;

// A place from the end, where it is negative; within low and high.
static MlcValue *
place_within(MlcOnnxNodeImport *n, MlcValue *place, MlcValue *size, int64_t low, int64_t less)
{
    MlcValue *is_behind = mlc_onnx_compare(n, &mlc_graph_less_def, place, mlc_onnx_int(n, 0));
    place = mlc_onnx_select(n, is_behind, mlc_onnx_build_two(n, &mlc_graph_add_def, place, size),
                            place);
    place =
        mlc_onnx_build_two(n, &mlc_graph_min_def, place,
                           mlc_onnx_build_two(n, &mlc_graph_sub_def, size, mlc_onnx_int(n, less)));
    return mlc_onnx_build_two(n, &mlc_graph_max_def, place, mlc_onnx_int(n, low));
}

static MlcValue *
cut_axis(MlcOnnxNodeImport *n, MlcValue *value, const Cut *cut)
{
    MlcAttr dim = mlc_size_of_dim(mlc_value_type(value), cut->axis);
    if (!dim)
        return mlc_onnx_unknown_size(n, (int64_t)cut->axis), NULL;
    bool is_back = cut->step < 0;
    MlcValue *size = mlc_onnx_build_size(n, dim);
    MlcValue *start = place_within(n, cut->start, size, 0, is_back);
    MlcValue *end = place_within(n, cut->end, size, is_back ? -1 : 0, is_back);
    MlcValue *count = is_back ? mlc_onnx_build_two(n, &mlc_graph_sub_def, start, end)
                              : mlc_onnx_build_two(n, &mlc_graph_sub_def, end, start);
    int64_t step = is_back ? -cut->step : cut->step;
    count = mlc_onnx_build_two(n, &mlc_graph_max_def, count, mlc_onnx_int(n, 0));
    if (step != 1) {
        count = mlc_onnx_build_two(n, &mlc_graph_add_def, count, mlc_onnx_int(n, step - 1));
        count = mlc_onnx_build_two(n, &mlc_graph_div_def, count, mlc_onnx_int(n, step));
    }
    MlcAttr length = count ? mlc_onnx_name_size(n, count) : NULL;
    if (!length)
        return NULL;
    if (cut->step == 1) {
        MlcAttr first = mlc_onnx_name_size(n, start);
        MlcAttr last = first ? mlc_size_combine(MLC_SIZE_ADD, first, length) : NULL;
        return last ? slice_within(n, value, first, last, cut->axis) : NULL;
    }
    MlcValue *places =
        mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_build_count_to(n, length, 0, 1),
                           mlc_onnx_int(n, cut->step));
    places = mlc_onnx_build_two(n, &mlc_graph_add_def, places, start);
    return mlc_onnx_gather_there(n, value, places, cut->axis);
}

// Starts and ends that are computed, of each axis by itself.
static bool
make_slice(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0}, steps = {0};
    MlcValue *value = n->inputs[0];
    int64_t count = num_elements(n->inputs[1]);
    if (!mlc_type_has_small_rank(mlc_value_type(value)))
        return mlc_onnx_unknown_rank(n);
    if ((mlc_onnx_input_or_null(n, 3) && !mlc_onnx_constant_ints(n, 3, &axes)) ||
        (mlc_onnx_input_or_null(n, 4) && !mlc_onnx_constant_ints(n, 4, &steps)))
        return false;
    int64_t rank = (int64_t)mlc_type_rank(mlc_value_type(value));
    bool fit = count >= 0 && count <= rank && num_elements(n->inputs[2]) == count &&
               (!axes.count || (int64_t)axes.count == count) &&
               (!steps.count || (int64_t)steps.count == count);
    if (!fit)
        return mlc_onnx_invalid(n, "starts, ends, axes and steps differ in length");
    for (int64_t i = 0; value && i < count; i++) {
        int64_t axis = axes.count ? axes.items[i] : i;
        Cut cut = {.axis = (size_t)(axis + (axis < 0 ? rank : 0)),
                   .step = steps.count ? steps.items[i] : 1};
        if (axis < -rank || axis >= rank || cut.step == 0 || cut.step == INT64_MIN)
            return mlc_onnx_invalid(n, "an axis that is none, or a step of 0");
        cut.start = element(n, n->inputs[1], i);
        cut.end = element(n, n->inputs[2], i);
        value = cut.start && cut.end ? cut_axis(n, value, &cut) : NULL;
    }
    return mlc_onnx_set_result(n, value);
}

// ---- nodes

const MlcOnnxSizesInput mlc_onnx_sizes_are_input_0 = {0, 0, NULL, NULL};
const MlcOnnxSizesInput mlc_onnx_sizes_are_input_1 = {1, 1, NULL, NULL};
const MlcOnnxSizesInput mlc_onnx_sizes_are_input_3 = {3, 1, NULL, NULL};
const MlcOnnxSizesInput mlc_onnx_sizes_of_expand = {1, 1, fix_expand, NULL};
const MlcOnnxSizesInput mlc_onnx_sizes_of_pad = {1, 1, fix_pad, NULL};
const MlcOnnxSizesInput mlc_onnx_sizes_of_range = {1, 0, NULL, make_range};
const MlcOnnxSizesInput mlc_onnx_sizes_of_reshape = {1, 1, fix_shape, NULL};
const MlcOnnxSizesInput mlc_onnx_sizes_of_slice = {1, 1, NULL, make_slice};

MlcOnnxNamed
mlc_onnx_name_inputs(MlcOnnxNodeImport *n)
{
    MlcOnnxNamed done = MLC_ONNX_UNCHANGED;
    MlcValue **inputs = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, n->num_inputs + 1);
    for (size_t i = 0; i < n->num_inputs; i++) {
        bool is_cut = n->inputs[i] && mlc_onnx_has_found_size(n->import, n->inputs[i]);
        inputs[i] = is_cut ? mlc_onnx_cut_to_found(n, n->inputs[i]) : n->inputs[i];
        if (is_cut && !inputs[i])
            return MLC_ONNX_FAILED;
        done = is_cut ? MLC_ONNX_RENAMED : done;
    }
    n->inputs = inputs;
    const MlcOnnxSizesInput *from = n->row->sizes;
    MlcValue *sizes = from ? mlc_onnx_input_or_null(n, from->input) : NULL;
    bool is_known = !sizes || mlc_value_constant(sizes) || mlc_onnx_is_sizes(sizes);
    if (!from || (is_known && !from->make))
        return done;
    for (size_t k = 1; from->make && k < n->num_inputs; k++)
        if (n->inputs[k] && mlc_onnx_is_strings(n->import, n->inputs[k]))
            return mlc_onnx_invalid(n, "input %zu must hold integers", k), MLC_ONNX_FAILED;
    if (from->make)
        return from->make(n) ? MLC_ONNX_MADE : MLC_ONNX_FAILED;
    return name_elements(n, from) ? MLC_ONNX_RENAMED : MLC_ONNX_FAILED;
}
