// ops_reductions.c -- ONNX operators: reductions and running sums.
#include "found_sizes.h"
#include "node.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

enum { MAX_COUNT = 1 << 24 }; // of indices along an axis

// Over no axes a reduction is over all of them, or none.
static bool
import_reduction(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    bool given;
    int64_t noop = 0;
    if (!mlc_onnx_attribute_or_input_ints(n, "axes", 1, &axes, &given) ||
        !mlc_onnx_read_int(n, "noop_with_empty_axes", &noop))
        return false;
    if (axes.count == 0 && noop)
        return mlc_onnx_set_result(n, mlc_onnx_build_one(n, &mlc_graph_identity_def, n->inputs[0]));
    return mlc_onnx_import_one_op(n);
}

// A reduction of what `before` makes of the input (squares, where it is NULL and `squares` is set),
// and `after` of its result.
typedef struct ComposedReduction {
    const MlcOpDef *before, *after;
    bool squares;
} ComposedReduction;

static bool
import_composed_reduction(MlcOnnxNodeImport *n, ComposedReduction parts)
{
    MlcValue *x = n->inputs[0];
    MlcValue *given[] = {x, mlc_onnx_input_or_null(n, 1)}, **inputs = n->inputs;
    if (parts.before)
        x = mlc_onnx_build_one(n, parts.before, x);
    else if (parts.squares)
        x = mlc_onnx_build_two(n, &mlc_graph_mul_def, x, x);
    if (!x)
        return false;
    given[0] = x;
    n->inputs = given; // the axes as they are
    bool ok = import_reduction(n);
    n->inputs = inputs;
    return ok && (!parts.after ||
                  mlc_onnx_set_result(n, mlc_onnx_build_one(n, parts.after, n->outputs[0])));
}

static bool
import_reduce_l1(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(n, (ComposedReduction){.before = &mlc_graph_abs_def});
}

static bool
import_reduce_l2(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(
        n, (ComposedReduction){.squares = true, .after = &mlc_graph_sqrt_def});
}

static bool
import_reduce_sum_square(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(n, (ComposedReduction){.squares = true});
}

static bool
import_reduce_log_sum(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(n, (ComposedReduction){.after = &mlc_graph_log_def});
}

// log(sum of e^x) as m + log(sum of e^(x - m)), where m is the largest x, or 0 if that is infinite.
static bool
import_reduce_log_sum_exp(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    MlcOnnxAttrs attrs = {0}, dropped = {0};
    MlcValue *x = n->inputs[0];
    bool given;
    int64_t noop = 0, keeps_dims = 1;
    MlcType element = mlc_type_element(mlc_value_type(x));
    if (!mlc_onnx_attribute_or_input_ints(n, "axes", 1, &axes, &given) ||
        !mlc_onnx_read_int(n, "noop_with_empty_axes", &noop) ||
        !mlc_onnx_read_int(n, "keepdims", &keeps_dims))
        return false;
    if (axes.count == 0 && noop)
        return mlc_onnx_set_result(n, mlc_onnx_build_one(n, &mlc_graph_identity_def, x));
    if (!mlc_type_is_float(element))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(mlc_value_type(x)));
    if (axes.count)
        mlc_onnx_add_ints(n, &attrs, "axes", axes);
    dropped = attrs;
    mlc_onnx_add_bool(n, &dropped, "keepdims", false);
    MlcValue *most = mlc_onnx_build(n, &mlc_graph_reduce_max_def, &x, 1, &attrs);
    MlcValue *size = mlc_onnx_build_one(n, &mlc_graph_abs_def, most);
    MlcValue *is_infinite = mlc_onnx_compare(n, &mlc_graph_equal_def, size,
                                             mlc_onnx_build_scalar(n, element, INFINITY));
    most = mlc_onnx_select(n, is_infinite, mlc_onnx_build_scalar(n, element, 0), most);
    MlcValue *powers = mlc_onnx_build_one(n, &mlc_graph_exp_def,
                                          mlc_onnx_build_two(n, &mlc_graph_sub_def, x, most));
    MlcValue *sum =
        powers ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &powers, 1, &attrs) : NULL;
    MlcValue *value = mlc_onnx_build_two(n, &mlc_graph_add_def, most,
                                         mlc_onnx_build_one(n, &mlc_graph_log_def, sum));
    if (value && !keeps_dims) // of one element each
        value = mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &value, 1, &dropped);
    return mlc_onnx_set_result(n, value);
}

// The first index of the largest (or smallest) element along an axis, or the last: the least of the
// indices at which there is nothing larger. Of NaNs any may be found.
static MlcValue *
build_best_index(MlcOnnxNodeImport *n, const MlcOpDef *best, int64_t axis, bool select_last,
                 bool keeps_dims)
{
    bool is_max = best == &mlc_graph_reduce_max_def;
    const MlcOpDef *worse = is_max ? &mlc_graph_less_def : &mlc_graph_greater_def;
    MlcType type = mlc_value_type(n->inputs[0]);
    int64_t size = mlc_type_dim(type, (size_t)axis);
    MlcAttr text = mlc_size_of_dim(type, (size_t)axis);
    if (!text || size > MAX_COUNT)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    if (size == 0)
        return mlc_onnx_invalid(n, "there is nothing along axis %" PRId64, axis), NULL;
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcType i1 = mlc_integer_type_get(ctx, 1, MLC_SIGNLESS);
    MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
    MlcOnnxInts axes = {&axis, 1};
    MlcValue *sides[] = {n->inputs[0], mlc_onnx_reduce_axes(n, best, n->inputs[0], axes)};
    MlcValue *loses = sides[1] ? mlc_onnx_build_typed(n, worse, i1, sides, 2, NULL) : NULL;
    if (!loses)
        return NULL;
    const int64_t before = -1;
    MlcValue *none = select_last ? mlc_onnx_int(n, before) : mlc_onnx_build_size(n, text);
    MlcValue *choice[] = {loses, none,
                          mlc_onnx_build_count_to(n, text, (size_t)axis, mlc_type_rank(type))};
    MlcValue *candidates = mlc_onnx_build_typed(n, &mlc_graph_where_def, i64, choice, 3, NULL);
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", axes);
    const MlcOpDef *chosen = select_last ? &mlc_graph_reduce_max_def : &mlc_graph_reduce_min_def;
    if (!keeps_dims)
        mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    return candidates ? mlc_onnx_build(n, chosen, &candidates, 1, &attrs) : NULL;
}

static bool
import_arg(MlcOnnxNodeImport *n)
{
    int64_t axis = 0, select_last = 0, keeps_dims = 1;
    return mlc_onnx_read_axis(n, "axis", mlc_value_type(n->inputs[0]), &axis) &&
           mlc_onnx_read_int(n, "keepdims", &keeps_dims) &&
           mlc_onnx_read_int(n, "select_last_index", &select_last) &&
           mlc_onnx_set_result(n, build_best_index(n, n->row->op, axis, select_last, keeps_dims));
}

// 1 at the first of the largest along an axis, else 0. Before opset 13 along all axes from that one
// on, as if they were one.
static bool
import_hardmax(MlcOnnxNodeImport *n)
{
    bool is_flat = n->import->opset < 13;
    int64_t axis = is_flat ? 1 : -1;
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcValue *given = n->inputs[0], **inputs = n->inputs;
    if (!mlc_onnx_read_axis(n, "axis", type, &axis))
        return false;
    if (is_flat && !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (is_flat) {
        MlcOnnxAttrs attrs = {0};
        mlc_onnx_add_int(n, &attrs, "axis", axis);
        given = mlc_onnx_build(n, &mlc_graph_flatten_def, &given, 1, &attrs);
        axis = 1;
    }
    if (!given)
        return false;
    n->inputs = &given;
    MlcValue *index = build_best_index(n, &mlc_graph_reduce_max_def, axis, false, true);
    n->inputs = inputs;
    if (!index)
        return false;
    MlcType seen = mlc_value_type(given);
    MlcValue *count = mlc_onnx_build_count_to(n, mlc_size_of_dim(seen, (size_t)axis), (size_t)axis,
                                              mlc_type_rank(seen));
    MlcValue *value = mlc_onnx_cast(n, mlc_onnx_compare(n, &mlc_graph_equal_def, index, count),
                                    mlc_type_element(type));
    if (value && is_flat)
        value = mlc_onnx_reshape(n, value, (MlcOnnxInts){mlc_type_shape(type), mlc_type_rank(type)},
                                 true);
    return mlc_onnx_set_result(n, value);
}

// One element after the other.
static MlcValue *
build_long_sum(MlcOnnxNodeImport *n, MlcValue *x, const MlcOnnxSizes *dims, size_t dim)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    size_t rank = dims->count;
    int64_t perm[MLC_SMALL_RANK];
    MlcAttr shape[MLC_SMALL_RANK], rows[2] = {mlc_size_number(ctx, 1), dims->items[dim]};
    for (size_t i = 0; i < rank; i++) { // the axis changes places with the last one
        perm[i] = (int64_t)(i == dim ? rank - 1 : i + 1 == rank ? dim : i);
        shape[i] = dims->items[perm[i]];
        if (i != dim)
            rows[0] = mlc_size_combine(MLC_SIZE_MUL, rows[0], dims->items[i]);
    }
    if (!rows[0])
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(mlc_value_type(x))),
               NULL;
    x = mlc_onnx_transpose(n, x, (MlcOnnxInts){perm, rank});
    x = mlc_onnx_reshape_to(n, x, &(MlcOnnxSizes){rows, 2});
    x = mlc_onnx_build_one(n, &mlc_graph_running_sum_def, x);
    x = mlc_onnx_reshape_to(n, x, &(MlcOnnxSizes){shape, rank});
    return x ? mlc_onnx_transpose(n, x, (MlcOnnxInts){perm, rank}) : NULL;
}

typedef struct Running {
    size_t dim;
    int64_t exclusive, reverse;
} Running;

// sum (or product) over j of (j <= i ? x[j] : 0), of the whole tensor at once: a triangle of
// additions, which vector units do side by side. Sequences are short; a long one would want a scan.
static MlcValue *
build_triangle(MlcOnnxNodeImport *n, MlcValue *x, const MlcOnnxSizes *dims, const Running *r)
{
    MlcType element = mlc_type_element(mlc_value_type(x));
    bool is_sum = n->row->op == &mlc_graph_reduce_sum_def;
    MlcAttr shape[MLC_SMALL_RANK + 1]; // [..., 1, size, ...]
    size_t rank = dims->count + 1;
    const int64_t last = (int64_t)r->dim + 1;
    for (size_t i = 0; i < rank; i++)
        shape[i] = i < r->dim    ? dims->items[i]
                   : i == r->dim ? mlc_size_number(mlc_onnx_context_of(n), 1)
                                 : dims->items[i - 1];
    MlcAttr none = mlc_type_is_float(element) ? mlc_float_attr_get(element, is_sum ? 0 : 1)
                                              : mlc_integer_attr_get(element, is_sum ? 0 : 1);
    MlcValue *zero = mlc_onnx_build_value(
        n, mlc_dense_attr_splat(mlc_tensor_type_get(element, NULL, 0, NULL), none));
    MlcValue *i = mlc_onnx_build_count_to(n, dims->items[r->dim], r->dim, rank);
    MlcValue *j = mlc_onnx_build_count_to(n, dims->items[r->dim], r->dim + 1, rank);
    const MlcOpDef *order = r->exclusive ? &mlc_graph_greater_def : &mlc_graph_greater_or_equal_def;
    MlcValue *takes = mlc_onnx_compare(n, order, r->reverse ? j : i, r->reverse ? i : j);
    x = mlc_onnx_reshape_to(n, x, &(MlcOnnxSizes){shape, rank});
    MlcValue *parts = mlc_onnx_select(n, takes, x, zero);
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){&last, 1});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    return parts ? mlc_onnx_build(n, n->row->op, &parts, 1, &attrs) : NULL;
}

static bool
import_running(MlcOnnxNodeImport *n)
{
    enum { MAX_CUMSUM = 4096 };
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcOnnxInts axis = {0};
    MlcOnnxSizes dims;
    Running r = {0};
    if (!mlc_onnx_constant_ints(n, 1, &axis) || !mlc_onnx_read_int(n, "exclusive", &r.exclusive) ||
        !mlc_onnx_read_int(n, "reverse", &r.reverse) || !mlc_onnx_dims_of(n, n->inputs[0], &dims))
        return false;
    if (dims.count >= MLC_SMALL_RANK)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    int64_t rank = (int64_t)dims.count;
    if (axis.count != 1 || axis.items[0] < -rank || axis.items[0] >= rank)
        return mlc_onnx_invalid(n, "the axis must be one number, in range for rank %" PRId64, rank);
    r.dim = (size_t)(axis.items[0] < 0 ? axis.items[0] + rank : axis.items[0]);
    int64_t size = mlc_type_dim(type, r.dim);
    bool is_plain = n->row->op == &mlc_graph_reduce_sum_def && !r.exclusive && !r.reverse;
    if (is_plain && (size == MLC_DYNAMIC || size > MAX_CUMSUM))
        return mlc_onnx_set_result(n, build_long_sum(n, n->inputs[0], &dims, r.dim));
    if (size > MAX_CUMSUM)
        return mlc_onnx_unsupported(n, "a sum along %" PRId64 " elements, more than %d", size,
                                    (int)MAX_CUMSUM);
    return mlc_onnx_set_result(n, build_triangle(n, n->inputs[0], &dims, &r));
}

#define REDUCTION                                                                                  \
    MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("axes", .input = 1), MLC_ONNX_COPY_BOOL("keepdims"))

static const MlcOnnxOperator rows[] = {
    {"ArgMax", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(reduce_max), .import = import_arg,
     .found = mlc_onnx_rule_arg_max},
    {"ArgMin", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(reduce_min), .import = import_arg,
     .found = mlc_onnx_rule_arg_min},
    {"CumProd", 26, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(reduce_prod), .import = import_running},
    {"CumSum", 11, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(reduce_sum), .import = import_running},
    {"Hardmax", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_hardmax},
    {"ReduceL1", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_sum), REDUCTION,
     .import = import_reduce_l1, .found = mlc_onnx_rule_sum},
    {"ReduceL2", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_sum), REDUCTION,
     .import = import_reduce_l2, .found = mlc_onnx_rule_sum},
    {"ReduceLogSum", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_sum), REDUCTION,
     .import = import_reduce_log_sum, .found = mlc_onnx_rule_sum},
    {"ReduceLogSumExp", 1, MLC_ONNX_NEWEST, 1, 2, .import = import_reduce_log_sum_exp,
     .found = mlc_onnx_rule_highest},
    {"ReduceMax", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_max), REDUCTION,
     .import = import_reduction, .found = mlc_onnx_rule_highest},
    {"ReduceMean", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_mean), REDUCTION,
     .import = import_reduction, .found = mlc_onnx_rule_mean},
    {"ReduceMin", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_min), REDUCTION,
     .import = import_reduction, .found = mlc_onnx_rule_lowest},
    {"ReduceProd", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_prod), REDUCTION,
     .import = import_reduction, .found = mlc_onnx_rule_product},
    {"ReduceSum", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_sum), REDUCTION,
     .import = import_reduction, .found = mlc_onnx_rule_sum},
    {"ReduceSumSquare", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(reduce_sum), REDUCTION,
     .import = import_reduce_sum_square, .found = mlc_onnx_rule_sum},
};
const MlcOnnxOperators mlc_onnx_reductions = MLC_ONNX_OPERATORS(rows);
