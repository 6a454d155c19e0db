// ops_selection.c -- ONNX operators: elements put where indices say, and those chosen by their
// order.
#include "computed_sizes.h"
#include "found_sizes.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>

// ---- scatters

// Row of data that tuple `tuple` of `count` indices names, -1 if it is outside.
static int64_t
row_of(MlcType data, const int64_t *tuple, size_t count)
{
    int64_t row = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t size = mlc_type_dim(data, i), at = tuple[i] + (tuple[i] < 0 ? size : 0);
        if (at < 0 || at >= size)
            return -1;
        row = row * size + at;
    }
    return row;
}

static bool
has_static_shape(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_has_rank(type) && mlc_type_has_static_shape(type);
}

// Each row of the result is one of data's or of the updates', and which one is known when
// compiling: a gather from both.
static bool
scatter_known_rows(MlcOnnxNodeImport *n)
{
    MlcOnnxInts tuples = {0};
    MlcType data = mlc_value_type(n->inputs[0]), updates = mlc_value_type(n->inputs[2]);
    MlcType shape = mlc_value_type(n->inputs[1]);
    if (!mlc_onnx_constant_ints(n, 1, &tuples))
        return false;
    size_t rank = mlc_type_rank(data), indices_rank = mlc_type_rank(shape);
    int64_t depth = indices_rank ? mlc_type_dim(shape, indices_rank - 1) : 0, rows = 1, width = 1;
    if (depth < 1 || (size_t)depth > rank)
        return mlc_onnx_invalid(n, "indices of type %s into %s", mlc_type_text(shape),
                                mlc_type_text(data));
    for (size_t i = 0; i < rank; i++)
        *((int64_t)i < depth ? &rows : &width) *= mlc_type_dim(data, i);
    int64_t count = (int64_t)tuples.count / depth, whole[] = {rows, width}, part[] = {count, width};
    if (mlc_type_num_elements(updates) != count * width)
        return mlc_onnx_invalid(n, "updates of type %s for indices of type %s",
                                mlc_type_text(updates), mlc_type_text(shape));
    if (!mlc_onnx_can_list(n, rows))
        return false;
    int64_t *sources = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)rows);
    for (int64_t i = 0; i < rows; i++)
        sources[i] = i;
    for (int64_t i = 0; i < count; i++) {
        int64_t row = row_of(data, tuples.items + i * depth, (size_t)depth);
        if (row < 0)
            return mlc_onnx_invalid(n, "index %" PRId64 " is outside of %s", i,
                                    mlc_type_text(data));
        sources[row] = rows + i;
    }
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", 0);
    MlcValue *both[] = {mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){whole, 2}, true),
                        mlc_onnx_reshape(n, n->inputs[2], (MlcOnnxInts){part, 2}, true)};
    MlcValue *all =
        both[0] && both[1] ? mlc_onnx_build(n, &mlc_graph_concat_def, both, 2, &attrs) : NULL;
    MlcValue *operands[] = {all, mlc_onnx_build_ints(n, sources, &rows, 1)};
    MlcValue *value = all ? mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs) : NULL;
    return mlc_onnx_set_result(
        n,
        value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){mlc_type_shape(data), rank}, true) : NULL);
}

// The attribute `reduction`; false after an error.
static bool
read_reduction(MlcOnnxNodeImport *n, MlcGraphScatter *how)
{
    static const char *const names[] = {"none", "add", "mul", "min", "max"};
    MlcStr name = mlc_str("none");
    if (!mlc_onnx_read_str(n, "reduction", &name))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlc_str_equal(name, mlc_str(names[i])))
            return *how = (MlcGraphScatter)i, true;
    return mlc_onnx_invalid(n, "attribute 'reduction' is '%.*s'", MLC_STR_FMT(name));
}

static void
add_reduction(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, MlcGraphScatter how)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    mlc_onnx_add_attr(n, attrs, "reduction",
                      mlc_enum_attr_get(ctx, &mlc_graph_scatter_attr_def, how));
}

static bool
import_scatter_nd(MlcOnnxNodeImport *n)
{
    MlcGraphScatter how;
    MlcOnnxAttrs attrs = {0};
    if (!read_reduction(n, &how))
        return false;
    if (how == MLC_GRAPH_SCATTER_NONE && mlc_value_constant(n->inputs[1]) &&
        has_static_shape(n->inputs[0]) && has_static_shape(n->inputs[2]))
        return scatter_known_rows(n);
    add_reduction(n, &attrs, how);
    return mlc_onnx_set_result(n,
                               mlc_onnx_build(n, &mlc_graph_scatter_nd_def, n->inputs, 3, &attrs));
}

static bool
import_scatter_elements(MlcOnnxNodeImport *n)
{
    MlcGraphScatter how;
    MlcOnnxAttrs attrs = {0};
    int64_t axis = 0;
    if (!read_reduction(n, &how) || !mlc_onnx_read_int(n, "axis", &axis))
        return false;
    mlc_onnx_add_int(n, &attrs, "axis", axis);
    add_reduction(n, &attrs, how);
    return mlc_onnx_set_result(
        n, mlc_onnx_build(n, &mlc_graph_scatter_elements_def, n->inputs, 3, &attrs));
}

// ---- the first k in order

// An attribute in opset 1, then an input. Of one that is computed: -1, and `*computed`.
static bool
read_k(MlcOnnxNodeImport *n, int64_t *k, MlcValue **computed)
{
    MlcOnnxInts given = {0};
    *computed = NULL;
    if (n->import->opset < 10)
        return mlc_onnx_read_int(n, "k", k);
    if (!mlc_value_constant(n->inputs[1]) && mlc_type_has_rank(mlc_value_type(n->inputs[0])))
        return *computed = n->inputs[1], true;
    if (!mlc_onnx_constant_ints(n, 1, &given))
        return false;
    if (given.count != 1)
        return mlc_onnx_invalid(n, "input 1 must be a scalar");
    *k = given.items[0];
    return true;
}

// The elements at these places, which there are.
static MlcValue *
elements_at(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *places, int64_t axis)
{
    MlcOnnxAttrs along = {0};
    mlc_onnx_add_int(n, &along, "axis", axis);
    MlcValue *values =
        mlc_onnx_build(n, &mlc_graph_gather_elements_def, (MlcValue *[]){x, places}, 2, &along);
    if (values && mlc_value_def(values) && mlc_graph_gather_elements_isa(mlc_value_def(values)))
        mlc_op_set_attr(mlc_value_def(values), MLC_GRAPH_CHECKED,
                        mlc_unit_attr_get(mlc_onnx_context_of(n)));
    return values;
}

static bool
give_places(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *places, int64_t axis)
{
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = places;
    return mlc_onnx_set_result(n, elements_at(n, x, places, axis));
}

// All places along the axis, in order.
static MlcValue *
sorted_places(MlcOnnxNodeImport *n, MlcValue *x, size_t axis, bool descending)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcOnnxSizes dims;
    int64_t perm[MLC_SMALL_RANK];
    MlcAttr shape[MLC_SMALL_RANK], rows[2] = {mlc_size_number(ctx, 1)};
    MlcOnnxAttrs attrs = {0};
    if (!mlc_onnx_dims_of(n, x, &dims))
        return NULL;
    rows[1] = dims.items[axis];
    for (size_t i = 0; i < dims.count; i++) { // the axis changes places with the last one
        perm[i] = (int64_t)(i == axis ? dims.count - 1 : i + 1 == dims.count ? axis : i);
        shape[i] = dims.items[perm[i]];
        if (i != axis)
            rows[0] = mlc_size_combine(MLC_SIZE_MUL, rows[0], dims.items[i]);
    }
    mlc_onnx_add_bool(n, &attrs, "descending", descending);
    x = mlc_onnx_transpose(n, x, (MlcOnnxInts){perm, dims.count});
    x = mlc_onnx_reshape_to(n, x, &(MlcOnnxSizes){rows, 2});
    MlcValue *places =
        x ? mlc_onnx_build_typed(n, &mlc_graph_argsort_def, mlc_onnx_i64(n), &x, 1, &attrs) : NULL;
    places = mlc_onnx_reshape_to(n, places, &(MlcOnnxSizes){shape, dims.count});
    return places ? mlc_onnx_transpose(n, places, (MlcOnnxInts){perm, dims.count}) : NULL;
}

// Of a k that is a size the first ones of all, which are put in order.
static bool
top_size(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *k, int64_t axis, bool largest)
{
    MlcOnnxSizes given;
    MlcOnnxAttrs attrs = {0};
    const int64_t none = 0;
    int64_t rank = (int64_t)mlc_type_rank(mlc_value_type(x));
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    axis += axis < 0 ? rank : 0;
    if (!mlc_onnx_sizes_of(n, k, &given) || given.count != 1)
        return mlc_onnx_invalid(n, "input 1 must be a scalar");
    MlcValue *places = sorted_places(n, x, (size_t)axis, largest);
    if (places && given.items[0] != mlc_size_of_dim(mlc_value_type(x), (size_t)axis)) {
        mlc_onnx_add_ints(n, &attrs, "starts", (MlcOnnxInts){&none, 1});
        mlc_onnx_add_ints(n, &attrs, "ends", (MlcOnnxInts){&none, 1});
        mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){&axis, 1});
        mlc_onnx_add_attr(n, &attrs, "end_sizes", mlc_onnx_size_texts(n, &given));
        places = mlc_onnx_build(n, &mlc_graph_slice_def, &places, 1, &attrs);
    }
    return places && give_places(n, x, places, axis);
}

// The places of the first `k` elements in order, of all where k is their number.
static MlcValue *
first_places(MlcOnnxNodeImport *n, MlcValue *x, int64_t k, size_t dim, bool largest)
{
    MlcOnnxAttrs attrs = {0};
    if (k == mlc_type_dim(mlc_value_type(x), dim))
        return sorted_places(n, x, dim, largest);
    mlc_onnx_add_int(n, &attrs, "k", k);
    mlc_onnx_add_int(n, &attrs, "axis", (int64_t)dim);
    mlc_onnx_add_bool(n, &attrs, "largest", largest);
    return mlc_onnx_build_typed(n, &mlc_graph_top_k_def, mlc_onnx_i64(n), &x, 1, &attrs);
}

// Of a k that is computed as many elements are put in order as it may be, 300 where it is the
// lesser of that and another number; the first ones are the result.
static bool
top_computed(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *k, int64_t axis, bool largest)
{
    MlcType type = mlc_value_type(x);
    if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    MlcType type_of_k = mlc_value_type(k);
    if (!mlc_type_has_rank(type_of_k) || !mlc_type_has_static_shape(type_of_k) ||
        mlc_type_num_elements(type_of_k) != 1)
        return mlc_onnx_invalid(n, "input 1 must be a scalar");
    size_t dim = (size_t)(axis < 0 ? axis + rank : axis), num_sizes;
    int64_t size = mlc_type_dim(type, dim), most = size;
    MlcOnnxSize sizes[MLC_SMALL_RANK];
    if (mlc_onnx_read_sizes(n, k, sizes, &num_sizes) && sizes[0].most > 0 && sizes[0].most < size)
        most = sizes[0].most;
    k = mlc_onnx_reshape(n, mlc_onnx_cast(n, k, mlc_onnx_i64(n)), (MlcOnnxInts){&size, 0}, true);
    if (!k)
        return false;
    MlcValue *low = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, k,
                                     mlc_onnx_build_number(n, mlc_onnx_i64(n), 0));
    MlcValue *high = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, k,
                                      mlc_onnx_build_number(n, mlc_onnx_i64(n), (double)size));
    MlcValue *fits = mlc_onnx_build_two(n, &mlc_graph_and_def, low, high);
    MlcValue *places = first_places(n, x, most, dim, largest);
    places = mlc_onnx_assert(n, places, fits, "k is negative, or more than there are elements");
    return places && mlc_onnx_give_found(n, 1, places, dim, k, "k") &&
           mlc_onnx_give_found(n, 0, elements_at(n, x, places, axis), dim, k, "k");
}

// The places in order; then the elements there, which are.
static bool
import_top_k(MlcOnnxNodeImport *n)
{
    int64_t axis = -1, k = -1, largest = 1;
    MlcOnnxAttrs attrs = {0};
    MlcValue *x = n->inputs[0], *computed;
    if (!mlc_onnx_read_int(n, "axis", &axis) || !read_k(n, &k, &computed) ||
        !mlc_onnx_read_int(n, "largest", &largest))
        return false;
    if (computed && mlc_onnx_is_sizes(computed))
        return top_size(n, x, computed, axis, largest != 0);
    if (computed)
        return top_computed(n, x, computed, axis, largest != 0);
    mlc_onnx_add_int(n, &attrs, "k", k);
    mlc_onnx_add_int(n, &attrs, "axis", axis);
    mlc_onnx_add_bool(n, &attrs, "largest", largest != 0);
    MlcValue *places =
        mlc_onnx_build_typed(n, &mlc_graph_top_k_def, mlc_onnx_i64(n), &x, 1, &attrs);
    return places && give_places(n, x, places, axis);
}

// ---- one hot

// Where the index is the number of the place along the new axis, values[1], else values[0]; an
// index outside names no place.
static bool
import_one_hot(MlcOnnxNodeImport *n)
{
    int64_t axis = -1, none = 0, one = 1, two = 2;
    MlcOnnxSizes dims;
    MlcAttr shape[MLC_SMALL_RANK + 1];
    MlcType type = mlc_value_type(n->inputs[0]);
    double size = -1;
    bool is_constant = mlc_value_constant(n->inputs[1]) != NULL;
    if (!mlc_onnx_read_int(n, "axis", &axis) ||
        (is_constant && !mlc_onnx_constant_float(n, 1, &size)))
        return false;
    if (!mlc_onnx_dims_of(n, n->inputs[0], &dims))
        return false;
    if (dims.count + 1 > MLC_SMALL_RANK)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    MlcType values = mlc_value_type(n->inputs[2]);
    if (mlc_type_has_rank(values) && mlc_type_rank(values) != 1)
        return mlc_onnx_invalid(n, "the two values have type %s", mlc_type_text(values));
    int64_t rank = (int64_t)mlc_type_rank(type) + 1;
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    axis += axis < 0 ? rank : 0;
    if (!is_constant && (size = (double)mlc_onnx_declared_size(n, 0, (size_t)axis)) < 0)
        return mlc_onnx_unknown_value(n, 1);
    if (!(size >= 0 && size <= INT32_MAX))
        return mlc_onnx_invalid(n, "a depth of %g", size);
    for (int64_t i = 0; i < rank; i++)
        shape[i] = i == axis ? mlc_size_number(mlc_onnx_context_of(n), 1)
                             : dims.items[i < axis ? i : i - 1];
    MlcValue *places = mlc_onnx_build_count(n, (int64_t)size, (size_t)axis, (size_t)rank);
    MlcValue *index = mlc_onnx_cast(n, n->inputs[0], mlc_onnx_i64(n));
    index = mlc_onnx_reshape_to(n, index, &(MlcOnnxSizes){shape, (size_t)rank});
    MlcValue *zero = mlc_onnx_int(n, 0);
    MlcValue *end = mlc_onnx_build_number(n, mlc_onnx_i64(n), size);
    MlcValue *from_end = mlc_onnx_build_two(n, &mlc_graph_add_def, index, end);
    index =
        mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_less_def, index, zero), from_end, index);
    MlcOnnxInts first = {&none, 1}, second = {&one, 1}, last = {&two, 1}, scalar = {&none, 0};
    MlcValue *off = mlc_onnx_slice(n, n->inputs[2], first, second, first, (MlcOnnxInts){0});
    MlcValue *on = mlc_onnx_slice(n, n->inputs[2], second, last, first, (MlcOnnxInts){0});
    off = off ? mlc_onnx_reshape(n, off, scalar, true) : NULL;
    on = on ? mlc_onnx_reshape(n, on, scalar, true) : NULL;
    if (!is_constant)
        index = mlc_onnx_expect(n, index, n->inputs[1], (int64_t)size, "the depth");
    MlcValue *is_hot = mlc_onnx_compare(n, &mlc_graph_equal_def, index, places);
    return mlc_onnx_set_result(n, mlc_onnx_select(n, is_hot, on, off));
}

// ---- what a condition chooses

// The places of the true elements of a vector, in order, and 0 beyond; `*count` is how many.
static MlcValue *
places_of_true(MlcOnnxNodeImport *n, MlcValue *truths, MlcValue **count)
{
    MlcOnnxAttrs over = {0};
    MlcValue *all = mlc_onnx_cast(n, truths, mlc_onnx_i64(n));
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    if (!all)
        return NULL;
    MlcValue *places =
        mlc_onnx_build_typed(n, &mlc_graph_true_places_def, mlc_onnx_i64(n), &truths, 1, NULL);
    *count = mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &all, 1, &over);
    return mlc_onnx_build_two(n, &mlc_graph_max_def, places,
                              mlc_onnx_build_number(n, mlc_onnx_i64(n), 0));
}

enum { MAX_KNOWN = 1 << 16 }; // elements that are looked at when a model is read

static bool
is_zero(MlcAttr element)
{
    int64_t number;
    if (mlc_attr_is(element, MLC_ATTR_FLOAT))
        return mlc_float_attr_as_double(element) == 0;
    return mlc_attr_try_as_int(element, &number) && number == 0;
}

// The places in a constant: exporters make ranges so.
static bool
non_zero_of_constant(MlcOnnxNodeImport *n, MlcAttr constant)
{
    MlcType type = mlc_attr_type(constant);
    size_t rank = mlc_type_rank(type), size = (size_t)mlc_type_num_elements(type), count = 0;
    int64_t *places = MLC_NEW_ARRAY(&n->import->arena, int64_t, rank * size + 1), shape[2];
    size_t *found = MLC_NEW_ARRAY(&n->import->arena, size_t, size + 1);
    for (size_t i = 0; i < size; i++)
        if (!is_zero(mlc_elements_attr_element(constant, i)))
            found[count++] = i;
    for (size_t k = 0; k < count; k++)
        for (size_t i = rank, rest = found[k]; i-- > 0;) {
            size_t dim = (size_t)mlc_type_dim(type, i);
            places[i * count + k] = (int64_t)(rest % dim);
            rest /= dim;
        }
    shape[0] = (int64_t)rank;
    shape[1] = (int64_t)count;
    return mlc_onnx_set_result(n, mlc_onnx_build_ints(n, places, shape, 2));
}

// The places of all elements that are not 0, as a column of numbers for each.
static bool
import_non_zero(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcOnnxSizes dims;
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) == 0)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (!mlc_onnx_dims_of(n, n->inputs[0], &dims))
        return false;
    MlcAttr row[] = {mlc_size_number(mlc_onnx_context_of(n), 1), NULL};
    row[1] = row[0];
    for (size_t i = 0; i < dims.count; i++)
        row[1] = mlc_size_combine(MLC_SIZE_MUL, row[1], dims.items[i]);
    if (!row[1])
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    MlcAttr known = mlc_value_constant(n->inputs[0]);
    if (known && mlc_type_num_elements(type) <= MAX_KNOWN)
        return non_zero_of_constant(n, known);
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcValue *flat = mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){&(int64_t){-1}, 1}, false);
    MlcValue *columns[MLC_SMALL_RANK], *count = NULL;
    MlcValue *place = flat ? places_of_true(n, mlc_onnx_cast(n, flat, i1), &count) : NULL;
    for (size_t i = mlc_type_rank(type); i-- > 0;) {
        MlcValue *size = mlc_onnx_build_size(n, dims.items[i]);
        size = mlc_onnx_build_two(n, &mlc_graph_max_def, size,
                                  mlc_onnx_build_number(n, mlc_onnx_i64(n), 1));
        MlcValue *column = mlc_onnx_build_two(n, &mlc_graph_mod_def, place, size);
        columns[i] = mlc_onnx_reshape_to(n, column, &(MlcOnnxSizes){row, 2});
        place = mlc_onnx_build_two(n, &mlc_graph_div_def, place, size);
    }
    return mlc_onnx_give_found(n, 0, mlc_onnx_concat(n, columns, mlc_type_rank(type), 0), 1, count,
                               "the number of true elements");
}

// A condition that is computed.
static bool
compress_computed(MlcOnnxNodeImport *n, MlcValue *x, int64_t axis)
{
    MlcType type = mlc_value_type(n->inputs[1]);
    MlcOnnxAttrs attrs = {0};
    MlcAttr all = mlc_size_of_dim(mlc_value_type(x), (size_t)axis);
    if (!all)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(mlc_value_type(x)));
    int64_t size = mlc_type_dim(mlc_value_type(x), (size_t)axis);
    MlcAttr asked =
        mlc_type_has_rank(type) && mlc_type_rank(type) == 1 ? mlc_size_of_dim(type, 0) : NULL;
    if (asked && (size == MLC_DYNAMIC || mlc_type_dim(type, 0) == MLC_DYNAMIC))
        mlc_onnx_expect_equal(n, all, mlc_size_combine(MLC_SIZE_MAX, all, asked));
    else if (!asked || mlc_type_dim(type, 0) > size)
        return mlc_onnx_unsupported(n, "a condition of type %s for %" PRId64 " elements",
                                    mlc_type_text(type), size);
    MlcValue *count = NULL, *places = places_of_true(n, n->inputs[1], &count);
    mlc_onnx_add_int(n, &attrs, "axis", axis);
    MlcValue *rows =
        places ? mlc_onnx_build(n, &mlc_graph_gather_def, (MlcValue *[]){x, places}, 2, &attrs)
               : NULL;
    return mlc_onnx_give_found(n, 0, rows, (size_t)axis, count, "the number of true elements");
}

static bool
import_compress(MlcOnnxNodeImport *n)
{
    bool has_axis = false;
    int64_t axis = 0, count = 0;
    MlcOnnxAttrs attrs = {0};
    MlcValue *x = n->inputs[0];
    MlcAttr condition = mlc_value_constant(n->inputs[1]);
    for (size_t i = 0; i < n->node->attribute.count; i++)
        has_axis |= mlc_str_equal(n->node->attribute.items[i].name, mlc_str("axis"));
    if (has_axis && !mlc_onnx_read_axis(n, "axis", mlc_value_type(x), &axis))
        return false;
    if (!has_axis)
        x = mlc_onnx_reshape(n, x, (MlcOnnxInts){&(int64_t){-1}, 1}, false);
    if (!x)
        return false;
    if (!condition)
        return compress_computed(n, x, axis);
    int64_t size = mlc_type_num_elements(mlc_attr_type(condition));
    int64_t *chosen = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)size + 1);
    for (int64_t i = 0; i < size; i++)
        if (mlc_attr_as_bool(mlc_elements_attr_element(condition, (size_t)i)))
            chosen[count++] = i;
    mlc_onnx_add_int(n, &attrs, "axis", axis);
    MlcValue *operands[] = {x, mlc_onnx_build_ints(n, chosen, &count, 1)};
    return mlc_onnx_set_result(n, x ? mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs)
                                    : NULL);
}

// ---- a cache written in place of its oldest elements

// [batch, steps of the update, 2]: where each step of each batch goes.
static MlcValue *
places_in_cache(MlcOnnxNodeImport *n, MlcValue *start, int64_t batch, int64_t steps, int64_t size,
                bool is_circular)
{
    MlcValue *step = mlc_onnx_build_count(n, steps, 1, 3);
    int64_t shape[] = {batch, 1, 1};
    start = start ? mlc_onnx_reshape(n, start, (MlcOnnxInts){shape, 3}, true) : mlc_onnx_int(n, 0);
    MlcValue *place = mlc_onnx_build_two(n, &mlc_graph_add_def, start, step);
    if (is_circular)
        place = mlc_onnx_build_two(n, &mlc_graph_mod_def, place,
                                   mlc_onnx_build_number(n, mlc_onnx_i64(n), (double)size));
    shape[1] = steps;
    MlcValue *whole[2] = {mlc_onnx_build_count(n, batch, 0, 3), place};
    for (size_t i = 0; i < 2; i++) {
        MlcOnnxAttrs attrs = {0};
        mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){shape, 3});
        whole[i] = whole[i] ? mlc_onnx_build(n, &mlc_graph_expand_def, &whole[i], 1, &attrs) : NULL;
    }
    return mlc_onnx_concat(n, whole, 2, 2);
}

MlcValue *
mlc_onnx_write_cache(MlcOnnxNodeImport *n, MlcValue *cache, MlcValue *update, MlcValue *start,
                     int64_t axis, bool is_circular)
{
    int64_t perm[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(cache), written = mlc_value_type(update);
    size_t rank = mlc_type_rank(type);
    if (!mlc_type_has_static_shape(type) || !mlc_type_has_rank(written) ||
        mlc_type_rank(written) != rank || !mlc_type_has_static_shape(written))
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(type),
                                    mlc_type_text(written)),
               NULL;
    for (size_t i = 0; i < rank; i++) // the axis beside the batch; its own inverse
        perm[i] = (int64_t)i;
    perm[1] = axis;
    perm[axis] = 1;
    MlcOnnxInts swap = {perm, rank};
    MlcValue *operands[] = {mlc_onnx_transpose(n, cache, swap),
                            places_in_cache(n, start, mlc_type_dim(type, 0),
                                            mlc_type_dim(written, (size_t)axis),
                                            mlc_type_dim(type, (size_t)axis), is_circular),
                            mlc_onnx_transpose(n, update, swap)};
    if (!operands[0] || !operands[1] || !operands[2])
        return NULL;
    MlcValue *value = mlc_onnx_build(n, &mlc_graph_scatter_nd_def, operands, 3, NULL);
    return value ? mlc_onnx_transpose(n, value, swap) : NULL;
}

static bool
import_tensor_scatter(MlcOnnxNodeImport *n)
{
    int64_t axis = -2;
    MlcStr mode = mlc_str("linear");
    if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(n->inputs[0]), &axis) ||
        !mlc_onnx_read_str(n, "mode", &mode))
        return false;
    bool is_circular = mlc_str_equal(mode, mlc_str("circular"));
    if (!is_circular && !mlc_str_equal(mode, mlc_str("linear")))
        return mlc_onnx_invalid(n, "attribute 'mode' is '%.*s'", MLC_STR_FMT(mode));
    if (axis == 0)
        return mlc_onnx_invalid(n, "axis 0 is the batch");
    return mlc_onnx_set_result(n, mlc_onnx_write_cache(n, n->inputs[0], n->inputs[1],
                                                       mlc_onnx_input_or_null(n, 2), axis,
                                                       is_circular));
}

// ---- ReverseSequence

// The elements of each sequence, up to its length, backwards: [batch, time, ...] gathered by tuples
// of one place. A length beyond the time is an error when the model runs.
static bool
import_reverse_sequence(MlcOnnxNodeImport *n)
{
    int64_t batch_axis = 1, time_axis = 0, perm[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_onnx_read_int(n, "batch_axis", &batch_axis) ||
        !mlc_onnx_read_int(n, "time_axis", &time_axis))
        return false;
    if (batch_axis < 0 || batch_axis > 1 || time_axis != 1 - batch_axis)
        return mlc_onnx_invalid(n, "batch_axis %" PRId64 " and time_axis %" PRId64, batch_axis,
                                time_axis);
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) < 2 ||
        !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        perm[i] = i < 2 && batch_axis == 1 ? 1 - (int64_t)i : (int64_t)i; // its own inverse
    MlcOnnxInts swap = {perm, rank};
    const int64_t column[] = {-1, 1}, tuples[] = {0, 0, 1};
    MlcValue *value = mlc_onnx_transpose(n, n->inputs[0], swap);
    MlcValue *lengths = mlc_onnx_reshape(n, n->inputs[1], (MlcOnnxInts){column, 2}, false);
    lengths = mlc_onnx_cast(n, lengths, mlc_onnx_i64(n));
    MlcValue *times = mlc_onnx_build_count(n, mlc_type_dim(type, (size_t)time_axis), 1, 2);
    MlcValue *one = mlc_onnx_build_number(n, mlc_onnx_i64(n), 1);
    MlcValue *back = mlc_onnx_build_two(n, &mlc_graph_sub_def, lengths, one);
    back = mlc_onnx_build_two(n, &mlc_graph_sub_def, back, times);
    MlcValue *places =
        mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_less_def, times, lengths), back, times);
    places = places ? mlc_onnx_reshape(n, places, (MlcOnnxInts){tuples, 3}, false) : NULL;
    if (!value || !places)
        return false;
    if (mlc_type_dim(mlc_value_type(places), 0) != mlc_type_dim(type, (size_t)batch_axis))
        return mlc_onnx_invalid(n, "lengths of type %s for an input of type %s",
                                mlc_type_text(mlc_value_type(n->inputs[1])), mlc_type_text(type));
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "batch_dims", 1);
    MlcValue *operands[] = {value, places};
    value = mlc_onnx_build(n, &mlc_graph_gather_nd_def, operands, 2, &attrs);
    return mlc_onnx_set_result(n, value ? mlc_onnx_transpose(n, value, swap) : NULL);
}

static const MlcOnnxOperator rows[] = {
    {"Compress", 9, MLC_ONNX_NEWEST, 2, 2, .takes_strings = true, .import = import_compress,
     .found = mlc_onnx_rule_compress},
    {"NonZero", 9, MLC_ONNX_NEWEST, 1, 1, .import = import_non_zero,
     .found = mlc_onnx_rule_non_zero},
    {"OneHot", 9, MLC_ONNX_NEWEST, 3, 3, .import = import_one_hot},
    {"ReverseSequence", 10, MLC_ONNX_NEWEST, 2, 2, .import = import_reverse_sequence},
    {"Scatter", 9, 10, 3, 3, .import = import_scatter_elements},
    {"ScatterElements", 11, MLC_ONNX_NEWEST, 3, 3, .import = import_scatter_elements,
     .found = mlc_onnx_rule_scatter_elements},
    {"ScatterND", 11, MLC_ONNX_NEWEST, 3, 3, .import = import_scatter_nd,
     .found = mlc_onnx_rule_scatter_nd},
    {"TensorScatter", 24, MLC_ONNX_NEWEST, 2, 3, .import = import_tensor_scatter},
    {"TopK", 1, 9, 1, 1, .import = import_top_k, .found = mlc_onnx_rule_top_k},
    {"TopK", 10, MLC_ONNX_NEWEST, 2, 2, .import = import_top_k,
     .sizes = &mlc_onnx_sizes_are_input_1, .found = mlc_onnx_rule_top_k},
};
const MlcOnnxOperators mlc_onnx_selection = MLC_ONNX_OPERATORS(rows);
