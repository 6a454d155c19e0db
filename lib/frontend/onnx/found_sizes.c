// found_sizes.c -- what operators make of dimensions whose size is found in the data: see
// found_sizes.h.
//
// Every value keeps a static shape, so passes, memory plans and schedules know nothing of this: an
// operator computes on all there may be. That is sound where an element of the result depends on
// elements at its own place along such a dimension (element-wise ops, batches), and where what lies
// beyond is given a number that changes nothing (a sum's 0). Each rule here says which; an operator
// without a rule is refused. Two such dimensions are the same if their counts are one value.
#include "found_sizes.h"

#include "computed_sizes.h"

#include "mlc/dialects/graph_geometry.h"

#include <inttypes.h>
#include <math.h>

typedef struct Found {
    MlcValue *count;
    size_t dim;
    const struct Found *next;
} Found;

static const Found *
first_found(const MlcOnnxImport *im, MlcValue *value)
{
    return value ? mlc_map_get(&im->found_sizes, value) : NULL;
}

MlcValue *
mlc_onnx_found_size(const MlcOnnxImport *im, MlcValue *value, size_t dim)
{
    for (const Found *at = first_found(im, value); at; at = at->next)
        if (at->dim == dim)
            return at->count;
    return NULL;
}

bool
mlc_onnx_has_found_size(const MlcOnnxImport *im, MlcValue *value)
{
    return first_found(im, value) != NULL;
}

void
mlc_onnx_set_found_size(MlcOnnxNodeImport *n, MlcValue *value, size_t dim, MlcValue *count)
{
    MlcOnnxImport *im = n->import;
    if (!value || !count || mlc_onnx_found_size(im, value, dim) ||
        !(count = mlc_onnx_as_count(n, count)))
        return;
    uint64_t most = (uint64_t)mlc_type_dim(mlc_value_type(value), dim), known;
    if (!mlc_value_constant(count) &&
        (!mlc_map_get_u64(&im->found_most, (uint64_t)(uintptr_t)count, &known) || most < known))
        mlc_map_set_u64(&im->found_most, (uint64_t)(uintptr_t)count, most);
    Found *found = MLC_NEW(&im->arena, Found);
    *found = (Found){count, dim, first_found(im, value)};
    mlc_map_set(&im->found_sizes, value, found);
}

// ---- what rules are made of

static MlcValue *
add(MlcOnnxNodeImport *n, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(n, &mlc_graph_add_def, a, b);
}

static MlcValue *
subtract(MlcOnnxNodeImport *n, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(n, &mlc_graph_sub_def, a, b);
}

static MlcValue *
least(MlcOnnxNodeImport *n, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(n, &mlc_graph_min_def, a, b);
}

static MlcValue *
not_negative(MlcOnnxNodeImport *n, MlcValue *a)
{
    return mlc_onnx_build_two(n, &mlc_graph_max_def, a, mlc_onnx_int(n, 0));
}

static size_t
rank_of(MlcValue *value)
{
    return mlc_type_rank(mlc_value_type(value));
}

static int64_t
size_of(MlcValue *value, size_t dim)
{
    return mlc_type_dim(mlc_value_type(value), dim);
}

// Why a node is refused: its input `i`.
static bool
refuse(MlcOnnxNodeImport *n, size_t i, size_t dim)
{
    return mlc_onnx_unsupported(n, "size %zu of its input '%.*s' is found in the data", dim,
                                MLC_STR_FMT(n->node->input.items[i]));
}

// The operator's own import, or another one's of the default domain.
static bool
import_as(MlcOnnxNodeImport *n, const char *name)
{
    if (name)
        n->row = mlc_onnx_find_operator(mlc_str(name), n->import->opset);
    return mlc_onnx_import_row(n);
}

MlcValue *
mlc_onnx_build_places(MlcOnnxNodeImport *n, int64_t size, size_t dim, size_t rank)
{
    enum { MAX_CONSTANT = 1 << 14 };
    int64_t shape[MLC_SMALL_RANK + 1], row[] = {1, size};
    if (size <= MAX_CONSTANT)
        return mlc_onnx_build_count(n, size, dim, rank);
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "shape", (MlcOnnxInts){row, 2});
    MlcValue *ones = mlc_onnx_int(n, 1);
    ones = mlc_onnx_build(n, &mlc_graph_expand_def, &ones, 1, &attrs);
    MlcValue *sums = mlc_onnx_build_one(n, &mlc_graph_running_sum_def, ones);
    for (size_t i = 0; i < rank; i++)
        shape[i] = i == dim ? size : 1;
    MlcValue *places = subtract(n, sums, mlc_onnx_int(n, 1));
    return places ? mlc_onnx_reshape(n, places, (MlcOnnxInts){shape, rank}, true) : NULL;
}

// Whether a place along `dim` of a value like this one is one of the first `count`.
static MlcValue *
is_within(MlcOnnxNodeImport *n, MlcValue *value, size_t dim, MlcValue *count)
{
    MlcValue *places = mlc_onnx_build_places(n, size_of(value, dim), dim, rank_of(value));
    return mlc_onnx_compare(n, &mlc_graph_less_def, places, count);
}

static MlcValue *
fill_along(MlcOnnxNodeImport *n, MlcValue *value, size_t dim, MlcValue *count, double filler)
{
    MlcType element = mlc_type_element(mlc_value_type(value));
    MlcValue *fill;
    if (mlc_type_is(element, MLC_TYPE_INTEGER) && isinf(filler)) { // the ends of its range
        unsigned bits = mlc_type_bit_width(element);
        bool is_unsigned = mlc_onnx_is_unsigned(element) || bits == 1;
        int64_t lowest = is_unsigned ? 0 : -1 - (int64_t)(UINT64_MAX >> (65 - bits));
        MlcAttr end = mlc_integer_attr_get(element, filler < 0 ? lowest : ~lowest);
        MlcType scalar = mlc_tensor_type_get(element, NULL, 0, NULL);
        fill = mlc_onnx_build_value(n, mlc_dense_attr_splat(scalar, end));
    } else {
        fill = mlc_onnx_build_number(n, element, filler);
    }
    return mlc_onnx_select(n, is_within(n, value, dim, count), value, fill);
}

MlcValue *
mlc_onnx_fill_beyond(MlcOnnxNodeImport *n, MlcValue *value, double filler)
{
    MlcValue *filled = value;
    for (const Found *at = first_found(n->import, value); filled && at; at = at->next)
        filled = fill_along(n, filled, at->dim, at->count, filler);
    return filled;
}

static bool
fill_input(MlcOnnxNodeImport *n, size_t i, double filler)
{
    n->inputs[i] = mlc_onnx_fill_beyond(n, n->inputs[i], filler);
    return n->inputs[i] != NULL;
}

// A number that was computed of constants alone, within what there may be.
static bool
known_count(MlcValue *count, int64_t most, int64_t *known)
{
    MlcAttr constant = mlc_value_constant(count);
    return constant && mlc_type_num_elements(mlc_attr_type(constant)) == 1 &&
           mlc_attr_try_as_int(mlc_elements_attr_element(constant, 0), known) && *known >= 0 &&
           *known <= most;
}

bool
mlc_onnx_give_found(MlcOnnxNodeImport *n, size_t i, MlcValue *value, size_t dim, MlcValue *count,
                    const char *what)
{
    int64_t declared = mlc_onnx_declared_size(n, i, dim), axis = (int64_t)dim, start = 0, known;
    if (!mlc_onnx_has_output(n, i))
        return true;
    if (!value || !count)
        return false;
    n->outputs[i] = value;
    if (size_of(value, dim) == MLC_DYNAMIC && declared < 0)
        return (n->outputs[i] = mlc_onnx_cut_to(n, value, dim, count)) != NULL;
    bool is_known = known_count(count, size_of(value, dim), &known);
    if (declared < 0 && !is_known) {
        mlc_onnx_set_found_size(n, value, dim, count);
        return true;
    }
    declared = declared < 0 ? known : declared;
    if (size_of(value, dim) != MLC_DYNAMIC && declared > size_of(value, dim))
        return mlc_onnx_invalid(n,
                                "size %zu of output %zu is declared as %" PRId64 ", of at most "
                                "%" PRId64,
                                dim, i, declared, size_of(value, dim));
    value = mlc_onnx_slice(n, value, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&declared, 1},
                           (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
    n->outputs[i] =
        is_known && known == declared ? value : mlc_onnx_expect(n, value, count, declared, what);
    return n->outputs[i] != NULL;
}

// Every input's found sizes have their place in an output, where it is as large; `shift` is what
// dimensions move by. Two that meet are one; a fixed size that meets one is 1.
static bool
hand_on(MlcOnnxNodeImport *n, MlcValue *output)
{
    size_t rank = rank_of(output);
    for (size_t i = 0; i < n->num_inputs; i++) {
        for (const Found *at = first_found(n->import, n->inputs[i]); at; at = at->next) {
            size_t shift = rank - rank_of(n->inputs[i]), dim = at->dim + shift;
            if (size_of(output, dim) != size_of(n->inputs[i], at->dim))
                return refuse(n, i, at->dim);
            for (size_t k = 0; k < n->num_inputs; k++) {
                size_t other_rank = n->inputs[k] ? rank_of(n->inputs[k]) : 0;
                if (other_rank + dim < rank)
                    continue;
                size_t other = dim + other_rank - rank;
                MlcValue *count = mlc_onnx_found_size(n->import, n->inputs[k], other);
                if (count ? !mlc_onnx_is_same_count(count, at->count)
                          : size_of(n->inputs[k], other) != 1)
                    return mlc_onnx_unsupported(n,
                                                "size %zu of its input '%.*s' is found in the "
                                                "data, and may not be that of input '%.*s'",
                                                at->dim, MLC_STR_FMT(n->node->input.items[i]),
                                                MLC_STR_FMT(n->node->input.items[k]));
            }
            mlc_onnx_set_found_size(n, output, dim, at->count);
        }
    }
    return true;
}

// ---- rules: what rows name

bool
mlc_onnx_rule_elementwise(MlcOnnxNodeImport *n)
{
    if (!import_as(n, NULL))
        return false;
    for (size_t i = 0; i < n->node->output.count; i++)
        if (n->outputs[i] && mlc_onnx_has_output(n, i) && !hand_on(n, n->outputs[i]))
            return false;
    return true;
}

// No divisor is 0 beyond.
bool
mlc_onnx_rule_divide(MlcOnnxNodeImport *n)
{
    MlcValue *divisor = n->inputs[1];
    if (!mlc_type_is_float(mlc_type_element(mlc_value_type(divisor))) && !fill_input(n, 1, 1))
        return false;
    bool ok = import_as(n, NULL);
    n->inputs[1] = divisor;
    return ok && hand_on(n, n->outputs[0]);
}

bool
mlc_onnx_rule_cast_like(MlcOnnxNodeImport *n)
{
    bool ok = import_as(n, NULL);
    n->num_inputs = 1;
    return ok && hand_on(n, n->outputs[0]);
}

// Dimension 0 is a batch of the inputs in `which`, and of all outputs.
static bool
keep_batch(MlcOnnxNodeImport *n, unsigned which)
{
    MlcValue *count = NULL;
    for (size_t i = 0; i < n->num_inputs; i++)
        for (const Found *at = first_found(n->import, n->inputs[i]); at; at = at->next) {
            if (at->dim != 0 || !(which >> i & 1) ||
                (count && !mlc_onnx_is_same_count(count, at->count)))
                return refuse(n, i, at->dim);
            count = at->count;
        }
    int64_t size = 0;
    for (size_t i = 0; i < n->num_inputs; i++)
        if (which >> i & 1 && mlc_onnx_has_found_size(n->import, n->inputs[i]))
            size = size_of(n->inputs[i], 0);
    for (size_t i = 0; i < n->num_inputs; i++)
        if (which >> i & 1 && n->inputs[i] && !mlc_onnx_has_found_size(n->import, n->inputs[i]))
            return mlc_onnx_unsupported(n, "the size of its input '%.*s' may not be the one found",
                                        MLC_STR_FMT(n->node->input.items[i]));
    if (!import_as(n, NULL))
        return false;
    for (size_t i = 0; i < n->node->output.count; i++) {
        if (!n->outputs[i] || !mlc_onnx_has_output(n, i))
            continue;
        if (rank_of(n->outputs[i]) == 0 || size_of(n->outputs[i], 0) != size)
            return mlc_onnx_unsupported(n, "its batch, whose size is found in the data, changes");
        mlc_onnx_set_found_size(n, n->outputs[i], 0, count);
    }
    return true;
}

bool
mlc_onnx_rule_batch(MlcOnnxNodeImport *n)
{
    return keep_batch(n, 1);
}

bool
mlc_onnx_rule_gemm(MlcOnnxNodeImport *n)
{
    int64_t is_transposed = 0;
    if (!mlc_onnx_read_int(n, "transA", &is_transposed))
        return false;
    return is_transposed ? keep_batch(n, 0) : keep_batch(n, 1);
}

bool
mlc_onnx_rule_regions(MlcOnnxNodeImport *n) // RoiAlign: of rois and their images
{
    return keep_batch(n, 2 | 4);
}

// Axes that an operator computes along, in the first input; those of ops before opset 13 are all
// from `axis` on.
bool
mlc_onnx_rule_beside_axis(MlcOnnxNodeImport *n)
{
    bool is_old = n->import->opset < 13;
    int64_t axis = is_old ? 1 : -1;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_onnx_read_axis(n, "axis", type, &axis))
        return false;
    if (is_old && axis + 1 != (int64_t)mlc_type_rank(type))
        return refuse(n, 0, first_found(n->import, n->inputs[0])->dim);
    MlcValue *input = n->inputs[0];
    bool has_axis = mlc_onnx_found_size(n->import, input, (size_t)axis) != NULL;
    if (has_axis && !fill_input(n, 0, -INFINITY))
        return false;
    bool ok = import_as(n, NULL);
    n->inputs[0] = input;
    return ok && hand_on(n, n->outputs[0]);
}

// [..., m, k] times [k, n]: rows.
bool
mlc_onnx_rule_rows(MlcOnnxNodeImport *n)
{
    size_t rank = rank_of(n->inputs[0]);
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next)
        if (at->dim + 1 == rank || rank_of(n->inputs[1]) != 2)
            return refuse(n, 0, at->dim);
    const Found *other = first_found(n->import, n->inputs[1]);
    if (other)
        return refuse(n, 1, other->dim);
    if (!import_as(n, NULL))
        return false;
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next)
        mlc_onnx_set_found_size(n, n->outputs[0], at->dim, at->count);
    return true;
}

bool
mlc_onnx_rule_transpose(MlcOnnxNodeImport *n)
{
    MlcOnnxInts perm = {0};
    if (!mlc_onnx_read_ints(n, "perm", &perm) || !import_as(n, NULL))
        return false;
    size_t rank = rank_of(n->inputs[0]);
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next)
        for (size_t i = 0; i < rank; i++)
            if ((perm.count ? (size_t)perm.items[i] : rank - 1 - i) == at->dim)
                mlc_onnx_set_found_size(n, n->outputs[0], i, at->count);
    return true;
}

// ---- reshapes

static int64_t
product(MlcValue *value, size_t from, size_t to)
{
    int64_t result = 1;
    for (size_t i = from; i < to; i++)
        result *= size_of(value, i);
    return result;
}

// Dimension of the output with as many elements before and behind; the rank: there is none.
// `shape`, where there is one, leaves it open, or has that number.
static size_t
place_after_reshape(MlcOnnxNodeImport *n, size_t dim, const MlcOnnxOpenShape *shape)
{
    MlcValue *in = n->inputs[0], *out = n->outputs[0];
    size_t rank = rank_of(out);
    for (size_t i = 0; i < rank; i++)
        if (size_of(out, i) == size_of(in, dim) && product(out, 0, i) == product(in, 0, dim) &&
            product(out, i + 1, rank) == product(in, dim + 1, rank_of(in)) &&
            (!shape || shape->items[i] == -1 || shape->items[i] == 0 || shape->counts[i]))
            return i;
    return rank;
}

// [count, a, b] as [count * a, b], which are the first ones too.
static bool
merge_into_first(MlcOnnxNodeImport *n, const Found *at, const MlcOnnxOpenShape *shape)
{
    MlcValue *in = n->inputs[0], *out = n->outputs[0];
    size_t rank = rank_of(out), place = 0;
    while (place < rank && size_of(out, place) == 1 && shape->items[place] != -1)
        place++;
    bool is_first = at->dim < rank_of(in) && product(in, 0, at->dim) == 1 && !at->next &&
                    place < rank && shape->items[place] == -1 && size_of(in, at->dim) > 0 &&
                    size_of(out, place) % size_of(in, at->dim) == 0;
    if (!is_first)
        return refuse(n, 0, at->dim);
    MlcValue *each = mlc_onnx_int(n, size_of(out, place) / size_of(in, at->dim));
    MlcValue *count = mlc_onnx_build_two(n, &mlc_graph_mul_def, at->count, each);
    mlc_onnx_set_found_size(n, out, place, count);
    return count != NULL;
}

// Dimension of the output that the shape gives a found number, with as many elements before it:
// what there is comes first in both.
static size_t
place_asked_for(MlcOnnxNodeImport *n, size_t dim, const MlcOnnxOpenShape *shape)
{
    size_t rank = rank_of(n->outputs[0]), i = 0;
    while (i < rank &&
           (!shape->counts[i] || product(n->outputs[0], 0, i) != product(n->inputs[0], 0, dim)))
        i++;
    return i;
}

bool
mlc_onnx_rule_reshape(MlcOnnxNodeImport *n)
{
    MlcOnnxOpenShape shape = {0};
    if (!mlc_onnx_read_open_shape(n, &shape) || !import_as(n, NULL))
        return false;
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next) {
        size_t place = place_after_reshape(n, at->dim, &shape);
        size_t asked = place_asked_for(n, at->dim, &shape);
        if (place < rank_of(n->outputs[0]))
            mlc_onnx_set_found_size(n, n->outputs[0], place, at->count);
        else if (asked < rank_of(n->outputs[0]))
            mlc_onnx_set_found_size(n, n->outputs[0], asked, shape.counts[asked]);
        else if (!merge_into_first(n, at, &shape))
            return false;
    }
    return true;
}

// Which hands sizes on itself.
bool
mlc_onnx_rule_expand(MlcOnnxNodeImport *n)
{
    return import_as(n, NULL);
}

bool
mlc_onnx_rule_flatten(MlcOnnxNodeImport *n)
{
    const Found *at = first_found(n->import, n->inputs[0]);
    MlcOnnxOpenShape open = {.items = {-1, -1}, .count = 2};
    if (!import_as(n, NULL))
        return false;
    if (at->next || at->dim != 0)
        return refuse(n, 0, at->dim);
    if (place_after_reshape(n, 0, NULL) != 0)
        return merge_into_first(n, at, &open);
    mlc_onnx_set_found_size(n, n->outputs[0], 0, at->count);
    return true;
}

// Whether axis `dim` is one of `axes`.
static bool
is_listed(MlcOnnxInts axes, size_t dim, size_t rank)
{
    for (size_t i = 0; i < axes.count; i++)
        if (axes.items[i] + (axes.items[i] < 0 ? (int64_t)rank : 0) == (int64_t)dim)
            return true;
    return false;
}

bool
mlc_onnx_rule_squeeze(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    bool given;
    size_t rank = rank_of(n->inputs[0]);
    if (!mlc_onnx_attribute_or_input_ints(n, "axes", 1, &axes, &given))
        return false;
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next)
        if (!given || is_listed(axes, at->dim, rank))
            return refuse(n, 0, at->dim);
    if (!import_as(n, NULL))
        return false;
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next) {
        size_t place = 0;
        for (size_t i = 0; i < at->dim; i++)
            place += !is_listed(axes, i, rank);
        mlc_onnx_set_found_size(n, n->outputs[0], place, at->count);
    }
    return true;
}

bool
mlc_onnx_rule_unsqueeze(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    bool given;
    if (!mlc_onnx_attribute_or_input_ints(n, "axes", 1, &axes, &given) || !import_as(n, NULL))
        return false;
    size_t rank = rank_of(n->outputs[0]);
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next)
        for (size_t i = 0, from = 0; i < rank; i++)
            if (!is_listed(axes, i, rank) && from++ == at->dim)
                mlc_onnx_set_found_size(n, n->outputs[0], i, at->count);
    return true;
}

// ---- gathers

// Indices into a dimension that may be smaller than its type says: those outside of what is there
// become the size of the type, which the gather's own check refuses.
static MlcValue *
indices_within(MlcOnnxNodeImport *n, MlcValue *indices, MlcValue *count, int64_t most)
{
    indices = mlc_onnx_cast(n, indices, mlc_onnx_i64(n));
    MlcValue *zero = mlc_onnx_int(n, 0);
    MlcValue *is_negative = mlc_onnx_compare(n, &mlc_graph_less_def, indices, zero);
    MlcValue *place = mlc_onnx_select(n, is_negative, add(n, indices, count), indices);
    MlcValue *low = mlc_onnx_compare(n, &mlc_graph_less_def, place, zero);
    MlcValue *high = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, place, count);
    place = mlc_onnx_select(n, low, mlc_onnx_int(n, most), place);
    return mlc_onnx_select(n, high, mlc_onnx_int(n, most), place);
}

// Beyond the indices that are there are zeros.
static bool
fix_indices(MlcOnnxNodeImport *n, MlcValue *count, int64_t most)
{
    MlcValue *indices = n->inputs[1];
    MlcValue *fixed = count ? indices_within(n, indices, count, most) : indices;
    for (const Found *at = first_found(n->import, indices); fixed && at; at = at->next)
        fixed = fill_along(n, fixed, at->dim, at->count, 0);
    n->inputs[1] = fixed;
    return fixed != NULL;
}

bool
mlc_onnx_rule_gather(MlcOnnxNodeImport *n)
{
    int64_t axis = 0;
    MlcValue *data = n->inputs[0], *indices = n->inputs[1];
    if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(data), &axis) ||
        !fix_indices(n, mlc_onnx_found_size(n->import, data, (size_t)axis),
                     size_of(data, (size_t)axis)) ||
        !import_as(n, NULL))
        return false;
    for (const Found *at = first_found(n->import, data); at; at = at->next)
        if (at->dim != (size_t)axis)
            mlc_onnx_set_found_size(
                n, n->outputs[0], at->dim < (size_t)axis ? at->dim : at->dim + rank_of(indices) - 1,
                at->count);
    for (const Found *at = first_found(n->import, indices); at; at = at->next)
        mlc_onnx_set_found_size(n, n->outputs[0], (size_t)axis + at->dim, at->count);
    return true;
}

bool
mlc_onnx_rule_gather_elements(MlcOnnxNodeImport *n)
{
    int64_t axis = 0;
    MlcValue *data = n->inputs[0], *indices = n->inputs[1];
    if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(data), &axis))
        return false;
    for (const Found *at = first_found(n->import, data); at; at = at->next)
        if (at->dim != (size_t)axis &&
            !mlc_onnx_is_same_count(mlc_onnx_found_size(n->import, indices, at->dim), at->count))
            return refuse(n, 0, at->dim);
    if (!fix_indices(n, mlc_onnx_found_size(n->import, data, (size_t)axis),
                     size_of(data, (size_t)axis)) ||
        !import_as(n, NULL))
        return false;
    for (const Found *at = first_found(n->import, indices); at; at = at->next)
        mlc_onnx_set_found_size(n, n->outputs[0], at->dim, at->count);
    return true;
}

bool
mlc_onnx_rule_gather_nd(MlcOnnxNodeImport *n)
{
    int64_t batch = 0;
    MlcValue *data = n->inputs[0], *indices = n->inputs[1];
    if (!mlc_onnx_read_int(n, "batch_dims", &batch))
        return false;
    size_t last = rank_of(indices) - 1;
    int64_t depth = rank_of(indices) > 0 ? size_of(indices, last) : 0;
    for (const Found *at = first_found(n->import, data); at; at = at->next)
        if (batch != 0 || (int64_t)at->dim < depth)
            return refuse(n, 0, at->dim);
    for (const Found *at = first_found(n->import, indices); at; at = at->next)
        if (batch != 0 || at->dim == last)
            return refuse(n, 1, at->dim);
    if (!fix_indices(n, NULL, 0) || !import_as(n, NULL))
        return false;
    for (const Found *at = first_found(n->import, indices); at; at = at->next)
        mlc_onnx_set_found_size(n, n->outputs[0], at->dim, at->count);
    for (const Found *at = first_found(n->import, data); at; at = at->next)
        mlc_onnx_set_found_size(n, n->outputs[0], at->dim - (size_t)depth + last, at->count);
    return true;
}

// ---- scatters

// Data with one more row along `axis`, where updates that are not there go.
static MlcValue *
add_row(MlcOnnxNodeImport *n, MlcValue *data, size_t axis)
{
    int64_t pads[2 * MLC_SMALL_RANK] = {0};
    size_t rank = rank_of(data);
    MlcOnnxAttrs attrs = {0};
    pads[rank + axis] = 1;
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    return mlc_onnx_build(n, &mlc_graph_pad_def, &data, 1, &attrs);
}

// The scatter of indices that name rows along `axis` alone, with the row behind the last one for
// those beyond.
static bool
scatter_found(MlcOnnxNodeImport *n, size_t axis)
{
    MlcValue *data = n->inputs[0], *indices = n->inputs[1], **inputs = n->inputs;
    int64_t most = size_of(data, axis), start = 0, along = (int64_t)axis;
    MlcValue *count = mlc_onnx_found_size(n->import, data, axis);
    MlcValue *fixed = indices_within(n, indices, count ? count : mlc_onnx_int(n, most), most + 1);
    for (const Found *at = first_found(n->import, indices); fixed && at; at = at->next)
        fixed = fill_along(n, fixed, at->dim, at->count, (double)most);
    MlcValue *operands[] = {add_row(n, data, axis), fixed, inputs[2]};
    if (!operands[0] || !operands[1])
        return false;
    n->inputs = operands;
    bool ok = import_as(n, NULL);
    n->inputs = inputs;
    if (!ok)
        return false;
    MlcValue *result =
        mlc_onnx_slice(n, n->outputs[0], (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&most, 1},
                       (MlcOnnxInts){&along, 1}, (MlcOnnxInts){0});
    for (const Found *at = first_found(n->import, data); result && at; at = at->next)
        mlc_onnx_set_found_size(n, result, at->dim, at->count);
    return mlc_onnx_set_result(n, result);
}

// Updates beside the axis are at the data's own places, beyond where there is nothing.
bool
mlc_onnx_rule_scatter_elements(MlcOnnxNodeImport *n)
{
    int64_t axis = 0;
    MlcValue *data = n->inputs[0], *indices = n->inputs[1];
    if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(data), &axis))
        return false;
    for (size_t dim = 0; dim < rank_of(data) && dim < rank_of(indices); dim++) {
        MlcValue *count = mlc_onnx_found_size(n->import, indices, dim);
        bool is_same = mlc_onnx_is_same_count(count, mlc_onnx_found_size(n->import, data, dim));
        if (count && dim != (size_t)axis && !is_same)
            return refuse(n, 1, dim);
    }
    return scatter_found(n, (size_t)axis);
}

// Rows of the first dimension.
bool
mlc_onnx_rule_scatter_nd(MlcOnnxNodeImport *n)
{
    MlcValue *indices = n->inputs[1];
    size_t last = rank_of(indices) - 1;
    for (const Found *at = first_found(n->import, indices); at; at = at->next)
        if (rank_of(indices) == 0 || at->dim == last || size_of(indices, last) != 1)
            return refuse(n, 1, at->dim);
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next)
        if (rank_of(indices) == 0 || (at->dim == 0 && size_of(indices, last) != 1))
            return refuse(n, 0, at->dim);
    return size_of(indices, last) == 1 ? scatter_found(n, 0) : mlc_onnx_rule_elementwise(n);
}

MlcValue *
mlc_onnx_gather_there(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *places, size_t axis)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", (int64_t)axis);
    MlcValue *operands[] = {value, places};
    MlcValue *rows =
        value && places ? mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs) : NULL;
    if (rows && mlc_value_def(rows) && mlc_graph_gather_isa(mlc_value_def(rows)))
        mlc_op_set_attr(mlc_value_def(rows), MLC_GRAPH_CHECKED,
                        mlc_unit_attr_get(mlc_onnx_context_of(n)));
    return rows;
}

// ---- parts and wholes

// Parts along another axis.
bool
mlc_onnx_rule_split(MlcOnnxNodeImport *n)
{
    int64_t axis = 0;
    MlcValue *x = n->inputs[0];
    if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(x), &axis))
        return false;
    if (mlc_onnx_found_size(n->import, x, (size_t)axis))
        return refuse(n, 0, (size_t)axis);
    if (!import_as(n, NULL))
        return false;
    for (size_t i = 0; i < n->node->output.count; i++)
        for (const Found *at = first_found(n->import, x); n->outputs[i] && at; at = at->next)
            mlc_onnx_set_found_size(n, n->outputs[i], at->dim, at->count);
    return true;
}

// One axis of a slice of step 1, which ends at a number that is known, or found: `*count` is how
// many it leaves, and how many there are before.
static MlcValue *
slice_found(MlcOnnxNodeImport *n, MlcValue *x, size_t axis, int64_t start, MlcOnnxSize end,
            MlcValue **count)
{
    int64_t most = size_of(x, axis), along = (int64_t)axis, last = end.most;
    MlcValue *size = *count ? *count : mlc_onnx_int(n, most), *stop;
    if (start == 0 && (end.count ? mlc_onnx_is_same_count(end.count, size) : last >= most))
        return x; // all of it
    if (end.count)
        stop = least(n, size, end.count);
    else
        stop =
            last < 0 ? add(n, size, mlc_onnx_int(n, last)) : least(n, size, mlc_onnx_int(n, last));
    if (start < 0) { // from the end: what is there moves
        int64_t kept = start < -most ? most : -start;
        MlcValue *from = not_negative(n, add(n, size, mlc_onnx_int(n, -kept)));
        MlcValue *places = add(n, mlc_onnx_build_places(n, kept, 0, 1), from);
        *count = not_negative(n, subtract(n, stop, from));
        return mlc_onnx_gather_there(
            n, x, least(n, places, mlc_onnx_int(n, most > 0 ? most - 1 : 0)), axis);
    }
    start = start < most ? start : most;
    last = last < 0 || last > most ? most : last;
    last = last < start ? start : last;
    *count = not_negative(n, subtract(n, stop, mlc_onnx_int(n, start)));
    return mlc_onnx_slice(n, x, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&last, 1},
                          (MlcOnnxInts){&along, 1}, (MlcOnnxInts){0});
}

// The ends, of which some may be found; `*num_ends` of them.
static bool
read_ends(MlcOnnxNodeImport *n, MlcOnnxSize *ends, size_t *num_ends)
{
    MlcOnnxInts known = {0};
    bool given, is_open = mlc_onnx_input_or_null(n, 2) && !mlc_value_constant(n->inputs[2]);
    if (is_open)
        return mlc_onnx_read_sizes(n, n->inputs[2], ends, num_ends) || mlc_onnx_unknown_value(n, 2);
    if (!mlc_onnx_attribute_or_input_ints(n, "ends", 2, &known, &given))
        return false;
    if (!given || known.count > MLC_SMALL_RANK)
        return mlc_onnx_unsupported(n, "a slice of what is found in the data");
    for (size_t i = 0; i < known.count; i++)
        ends[i] = (MlcOnnxSize){known.items[i], NULL};
    *num_ends = known.count;
    return true;
}

bool
mlc_onnx_rule_slice(MlcOnnxNodeImport *n)
{
    MlcOnnxInts starts, axes = {0}, steps = {0};
    MlcOnnxSize ends[MLC_SMALL_RANK];
    size_t num_ends = 0;
    bool given;
    MlcValue *x = n->inputs[0], *counts[MLC_SMALL_RANK] = {NULL};
    if (!mlc_onnx_attribute_or_input_ints(n, "starts", 1, &starts, &given) ||
        !mlc_onnx_attribute_or_input_ints(n, "axes", 3, &axes, &given) ||
        !mlc_onnx_attribute_or_input_ints(n, "steps", 4, &steps, &given) ||
        !read_ends(n, ends, &num_ends))
        return false;
    if (!mlc_type_has_small_rank(mlc_value_type(x)))
        return mlc_onnx_unknown_rank(n);
    size_t rank = rank_of(x);
    for (const Found *at = first_found(n->import, x); at; at = at->next)
        counts[at->dim] = at->count;
    if (num_ends != starts.count || (axes.count && axes.count != starts.count) ||
        (steps.count && steps.count != starts.count))
        return mlc_onnx_invalid(n, "lists of %zu, %zu, %zu and %zu numbers", starts.count, num_ends,
                                axes.count, steps.count);
    for (size_t i = 0; x && i < starts.count; i++) {
        int64_t axis = axes.count ? axes.items[i] : (int64_t)i;
        int64_t step = steps.count ? steps.items[i] : 1;
        axis += axis < 0 ? (int64_t)rank : 0;
        if (axis < 0 || axis >= (int64_t)rank)
            return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %zu", axis, rank);
        bool is_found = counts[axis] || ends[i].count;
        if (is_found && step != 1)
            return refuse(n, 0, (size_t)axis);
        if (is_found)
            x = slice_found(n, x, (size_t)axis, starts.items[i], ends[i], &counts[axis]);
        else
            x = mlc_onnx_slice(n, x, (MlcOnnxInts){&starts.items[i], 1},
                               (MlcOnnxInts){&ends[i].most, 1}, (MlcOnnxInts){&axis, 1},
                               (MlcOnnxInts){&step, 1});
    }
    for (size_t i = 0; x && i < rank; i++)
        mlc_onnx_set_found_size(n, x, i, counts[i]);
    return mlc_onnx_set_result(n, x);
}

// Parts of which each may have rows beyond: those behind move up.
static bool
concat_found(MlcOnnxNodeImport *n, size_t axis)
{
    int64_t most = 0, begin = 0;
    for (size_t i = 0; i < n->num_inputs; i++)
        most += size_of(n->inputs[i], axis);
    MlcValue *all = mlc_onnx_concat(n, n->inputs, n->num_inputs, (int64_t)axis);
    MlcValue *places = mlc_onnx_build_places(n, most, 0, 1), *from = places,
             *count = mlc_onnx_int(n, 0);
    for (size_t i = 0; i < n->num_inputs; i++) {
        MlcValue *size = mlc_onnx_found_size(n->import, n->inputs[i], axis);
        MlcValue *moved = add(n, places, subtract(n, mlc_onnx_int(n, begin), count));
        MlcValue *is_there = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, places, count);
        from = mlc_onnx_select(n, is_there, moved, from);
        count = add(n, count, size ? size : mlc_onnx_int(n, size_of(n->inputs[i], axis)));
        begin += size_of(n->inputs[i], axis);
    }
    from = least(n, from, mlc_onnx_int(n, most > 0 ? most - 1 : 0));
    MlcValue *result = mlc_onnx_gather_there(n, all, from, axis);
    mlc_onnx_set_found_size(n, result, axis, count);
    return mlc_onnx_set_result(n, result) && count;
}

bool
mlc_onnx_rule_concat(MlcOnnxNodeImport *n)
{
    int64_t axis = 1; // opset 1 to 3
    bool is_along = false;
    size_t rank = rank_of(n->inputs[0]);
    if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(n->inputs[0]), &axis))
        return false;
    for (size_t dim = 0; dim < rank; dim++) {
        MlcValue *count = mlc_onnx_found_size(n->import, n->inputs[0], dim);
        for (size_t i = 0; i < n->num_inputs; i++) {
            if (!n->inputs[i] || rank_of(n->inputs[i]) != rank)
                return mlc_onnx_invalid(n, "inputs of different ranks");
            MlcValue *other = mlc_onnx_found_size(n->import, n->inputs[i], dim);
            is_along |= other && dim == (size_t)axis;
            bool is_same = other == count || mlc_onnx_is_same_count(other, count);
            if (!is_same && dim != (size_t)axis)
                return refuse(n, other ? i : 0, dim);
        }
    }
    if (is_along ? !concat_found(n, (size_t)axis) : !import_as(n, NULL))
        return false;
    for (const Found *at = first_found(n->import, n->inputs[0]); at; at = at->next)
        if (at->dim != (size_t)axis)
            mlc_onnx_set_found_size(n, n->outputs[0], at->dim, at->count);
    return true;
}

// The sizes that the type has, and those that are found.
bool
mlc_onnx_rule_shape(MlcOnnxNodeImport *n)
{
    MlcValue *sizes[MLC_SMALL_RANK], *x = n->inputs[0];
    int64_t rank = (int64_t)rank_of(x), start = 0, end = rank, one = 1;
    size_t count = 0;
    if (!mlc_onnx_read_int(n, "start", &start) || !mlc_onnx_read_int(n, "end", &end))
        return false;
    start += start < 0 ? rank : 0;
    end += end < 0 ? rank : 0;
    for (int64_t i = start < 0 ? 0 : start; i < end && i < rank; i++) {
        MlcValue *found = mlc_onnx_found_size(n->import, x, (size_t)i);
        int64_t size = size_of(x, (size_t)i);
        sizes[count++] = found ? mlc_onnx_reshape(n, found, (MlcOnnxInts){&one, 1}, true)
                               : mlc_onnx_build_ints(n, &size, &one, 1);
    }
    if (count == 0)
        return import_as(n, NULL);
    return mlc_onnx_set_result(n, mlc_onnx_concat(n, sizes, count, 0));
}

bool
mlc_onnx_rule_size(MlcOnnxNodeImport *n)
{
    MlcValue *x = n->inputs[0], *result = mlc_onnx_int(n, 1);
    for (size_t i = 0; i < rank_of(x); i++) {
        MlcValue *found = mlc_onnx_found_size(n->import, x, i);
        result = mlc_onnx_build_two(n, &mlc_graph_mul_def, result,
                                    found ? found : mlc_onnx_int(n, size_of(x, i)));
    }
    return mlc_onnx_set_result(n, result);
}

// ---- reductions

// How many elements a mean is over, beside those of fixed sizes, which are in the product.
static MlcValue *
count_of_mean(MlcOnnxNodeImport *n, MlcValue *x, MlcOnnxInts axes, bool all)
{
    MlcValue *count = mlc_onnx_int(n, 1);
    for (size_t i = 0; i < rank_of(x); i++) {
        if (!all && !is_listed(axes, i, rank_of(x)))
            continue;
        MlcValue *found = mlc_onnx_found_size(n->import, x, i);
        count = mlc_onnx_build_two(n, &mlc_graph_mul_def, count,
                                   found ? found : mlc_onnx_int(n, size_of(x, i)));
    }
    return mlc_onnx_cast(n, count, mlc_type_element(mlc_value_type(x)));
}

static bool
reduce_found(MlcOnnxNodeImport *n, double filler, bool is_mean)
{
    MlcOnnxInts axes = {0};
    int64_t keep = 1, if_empty = 0;
    bool given, along = false;
    MlcValue *x = n->inputs[0];
    if (!mlc_onnx_attribute_or_input_ints(n, "axes", 1, &axes, &given) ||
        !mlc_onnx_read_int(n, "keepdims", &keep) ||
        !mlc_onnx_read_int(n, "noop_with_empty_axes", &if_empty))
        return false;
    bool all = axes.count == 0 && !if_empty;
    for (const Found *at = first_found(n->import, x); at; at = at->next) {
        if (!all && !is_listed(axes, at->dim, rank_of(x)))
            continue;
        along = true;
        n->inputs[0] = fill_along(n, n->inputs[0], at->dim, at->count, filler);
        if (!n->inputs[0])
            return false;
    }
    bool ok = import_as(n, is_mean && along ? "ReduceSum" : NULL);
    n->inputs[0] = x;
    if (ok && is_mean && along)
        ok = mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_div_def, n->outputs[0],
                                                       count_of_mean(n, x, axes, all)));
    for (const Found *at = first_found(n->import, x); ok && at; at = at->next) {
        size_t place = 0;
        if (all || is_listed(axes, at->dim, rank_of(x)))
            continue;
        for (size_t i = 0; i < at->dim; i++)
            place += keep || !is_listed(axes, i, rank_of(x));
        mlc_onnx_set_found_size(n, n->outputs[0], place, at->count);
    }
    return ok;
}

bool
mlc_onnx_rule_sum(MlcOnnxNodeImport *n)
{
    return reduce_found(n, 0, false);
}

bool
mlc_onnx_rule_product(MlcOnnxNodeImport *n)
{
    return reduce_found(n, 1, false);
}

bool
mlc_onnx_rule_highest(MlcOnnxNodeImport *n)
{
    return reduce_found(n, -INFINITY, false);
}

bool
mlc_onnx_rule_lowest(MlcOnnxNodeImport *n)
{
    return reduce_found(n, INFINITY, false);
}

bool
mlc_onnx_rule_mean(MlcOnnxNodeImport *n)
{
    if (!mlc_type_is_float(mlc_type_element(mlc_value_type(n->inputs[0]))))
        return refuse(n, 0, first_found(n->import, n->inputs[0])->dim);
    return reduce_found(n, 0, true);
}

// The first place of the highest or lowest: one that is there comes before those beyond.
static bool
find_extreme(MlcOnnxNodeImport *n, double filler)
{
    int64_t axis = 0, keep = 1, last = 0;
    MlcValue *x = n->inputs[0];
    if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(x), &axis) ||
        !mlc_onnx_read_int(n, "keepdims", &keep) ||
        !mlc_onnx_read_int(n, "select_last_index", &last))
        return false;
    bool along = mlc_onnx_found_size(n->import, x, (size_t)axis) != NULL;
    if (along && last)
        return refuse(n, 0, (size_t)axis);
    if (along && !fill_input(n, 0, filler))
        return false;
    bool ok = import_as(n, NULL);
    n->inputs[0] = x;
    for (const Found *at = first_found(n->import, x); ok && at; at = at->next)
        if (at->dim != (size_t)axis)
            mlc_onnx_set_found_size(n, n->outputs[0], at->dim - (!keep && at->dim > (size_t)axis),
                                    at->count);
    return ok;
}

bool
mlc_onnx_rule_arg_max(MlcOnnxNodeImport *n)
{
    return find_extreme(n, -INFINITY);
}

bool
mlc_onnx_rule_arg_min(MlcOnnxNodeImport *n)
{
    return find_extreme(n, INFINITY);
}

// Elements beyond come last; that there are k is checked when the model runs.
bool
mlc_onnx_rule_top_k(MlcOnnxNodeImport *n)
{
    int64_t axis = -1, largest = 1;
    MlcValue *x = n->inputs[0];
    if (n->import->opset < 10 || !mlc_onnx_read_axis(n, "axis", mlc_value_type(x), &axis) ||
        !mlc_onnx_read_int(n, "largest", &largest))
        return refuse(n, 0, first_found(n->import, x)->dim);
    MlcValue *count = mlc_onnx_found_size(n->import, x, (size_t)axis);
    bool is_float = mlc_type_is_float(mlc_type_element(mlc_value_type(x)));
    if (count && !fill_input(n, 0, largest ? -INFINITY : is_float ? NAN : INFINITY))
        return false;
    bool ok = import_as(n, NULL);
    n->inputs[0] = x;
    for (size_t i = 0; ok && i < 2; i++) {
        if (!n->outputs[i])
            continue;
        for (const Found *at = first_found(n->import, x); at; at = at->next)
            if (at->dim != (size_t)axis)
                mlc_onnx_set_found_size(n, n->outputs[i], at->dim, at->count);
    }
    if (!ok || !count)
        return ok;
    MlcValue *k = mlc_onnx_cast(n, n->inputs[1], mlc_onnx_i64(n));
    k = k ? mlc_onnx_reshape(n, k, (MlcOnnxInts){&(int64_t){1}, 0}, true) : NULL;
    MlcValue *fits = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, count, k);
    for (size_t i = 0; i < 2; i++) {
        if (!n->outputs[i])
            continue;
        MlcValue *made = mlc_onnx_assert(n, n->outputs[i], fits, "there are fewer than k elements");
        for (const Found *at = first_found(n->import, n->outputs[i]); made && at; at = at->next)
            mlc_onnx_set_found_size(n, made, at->dim, at->count);
        if (!made)
            return false;
        n->outputs[i] = made;
    }
    return true;
}

bool
mlc_onnx_rule_non_zero(MlcOnnxNodeImport *n)
{
    return fill_input(n, 0, 0) && import_as(n, NULL);
}

// A box beyond is never taken: its score is none.
bool
mlc_onnx_rule_suppression(MlcOnnxNodeImport *n)
{
    for (size_t i = 0; i < n->num_inputs; i++)
        for (const Found *at = first_found(n->import, n->inputs[i]); at; at = at->next)
            if (i > 1 || at->dim != 2 - (i == 0) ||
                !mlc_onnx_is_same_count(
                    mlc_onnx_found_size(n->import, n->inputs[1 - i], 2 - (i == 1)), at->count))
                return refuse(n, i, at->dim);
    if (n->num_inputs < 5 || !n->inputs[4]) {
        MlcValue **inputs = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, 5);
        for (size_t i = 0; i < n->num_inputs && i < 5; i++)
            inputs[i] = n->inputs[i];
        n->inputs = inputs;
        n->num_inputs = 5;
        inputs[4] =
            mlc_onnx_build_number(n, mlc_type_element(mlc_value_type(inputs[1])), -INFINITY);
    }
    return fill_input(n, 1, NAN) && import_as(n, NULL);
}

// Rows that the condition chooses, of which it has none beyond.
bool
mlc_onnx_rule_compress(MlcOnnxNodeImport *n)
{
    bool has_axis = false;
    int64_t axis = 0;
    MlcValue *x = n->inputs[0];
    for (size_t i = 0; i < n->node->attribute.count; i++)
        has_axis |= mlc_str_equal(n->node->attribute.items[i].name, mlc_str("axis"));
    const Found *first = first_found(n->import, x);
    if (!has_axis && first)
        return refuse(n, 0, first->dim);
    if (has_axis && !mlc_onnx_read_axis(n, "axis", mlc_value_type(x), &axis))
        return false;
    MlcValue *count = mlc_onnx_found_size(n->import, n->inputs[1], 0);
    if (mlc_onnx_found_size(n->import, x, (size_t)axis) && !count)
        return refuse(n, 0, (size_t)axis);
    if (!fill_input(n, 1, 0) || !import_as(n, NULL))
        return false;
    for (const Found *at = first; at; at = at->next)
        if (at->dim != (size_t)axis)
            mlc_onnx_set_found_size(n, n->outputs[0], at->dim, at->count);
    return true;
}

// A sequence or an optional holds it as it is.
bool
mlc_onnx_rule_hold(MlcOnnxNodeImport *n)
{
    return import_as(n, NULL);
}

// Rules count in static shapes: where a size is open, what there is is cut out instead.
static bool
meets_open_size(const MlcOnnxNodeImport *n, size_t *found, size_t *dim)
{
    bool any = false;
    for (size_t i = 0; i < n->num_inputs; i++) {
        MlcType type = n->inputs[i] ? mlc_value_type(n->inputs[i]) : NULL;
        any |= type && mlc_type_is(type, MLC_TYPE_TENSOR) && !mlc_type_has_static_shape(type);
        if (n->inputs[i] && mlc_onnx_has_found_size(n->import, n->inputs[i])) {
            *found = i;
            *dim = first_found(n->import, n->inputs[i])->dim;
        }
    }
    return any;
}

static bool
is_elementwise(const MlcOnnxOperator *row)
{
    return row->op && !row->import && mlc_op_def_has_trait(row->op, MLC_TRAIT_ELEMENTWISE);
}

bool
mlc_onnx_refuse_found(MlcOnnxNodeImport *n)
{
    for (size_t i = 0; i < n->num_inputs; i++)
        if (mlc_onnx_has_found_size(n->import, n->inputs[i]))
            return refuse(n, i, first_found(n->import, n->inputs[i])->dim);
    return false;
}

bool
mlc_onnx_import_found(MlcOnnxNodeImport *n)
{
    size_t found = 0, dim = 0;
    if (n->is_trial && meets_open_size(n, &found, &dim))
        return refuse(n, found, dim);
    if (n->row->found)
        return n->row->found(n);
    return is_elementwise(n->row) ? mlc_onnx_rule_elementwise(n) : mlc_onnx_refuse_found(n);
}
