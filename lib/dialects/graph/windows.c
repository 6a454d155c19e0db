// windows.c -- the graph dialect's geometry: windows with all defaults filled in, axes made
// positive, slices.
#include "windows.h"

#include "mlc/dialects/graph_sizes.h"

size_t
mlc_graph_list_size(MlcAttr list)
{
    return list ? mlc_int_list_attr_size(list) : 0;
}

int64_t
mlc_graph_list_at(MlcAttr list, size_t i)
{
    int64_t value = 0;
    return mlc_int_list_attr_get(list, i, &value) ? value : 0;
}

MlcGraphLayout
mlc_graph_layout_of(MlcAttr attr)
{
    return attr && mlc_enum_attr_value(attr) == MLC_GRAPH_LAYOUT_NHWC ? MLC_GRAPH_LAYOUT_NHWC
                                                                      : MLC_GRAPH_LAYOUT_NCHW;
}

size_t
mlc_graph_first_spatial(MlcGraphLayout layout)
{
    return layout == MLC_GRAPH_LAYOUT_NHWC ? 1 : 2;
}

// The odd element is at the end or the beginning.
static void
share_padding(const MlcGraphWindowAttrs *attrs, size_t i, int64_t need, MlcGraphWindow *w)
{
    bool upper = mlc_str_equal(attrs->auto_pad, mlc_str("same_upper"));
    w->pad_begin[i] = upper ? need / 2 : need - need / 2;
    w->pad_end[i] = need - w->pad_begin[i];
}

bool
mlc_graph_fill_window(const MlcGraphWindowAttrs *attrs, size_t i, int64_t input, int64_t kernel,
                      MlcGraphWindow *w)
{
    w->kernel[i] = kernel;
    w->strides[i] = attrs->strides ? mlc_graph_list_at(attrs->strides, i) : 1;
    w->dilations[i] = attrs->dilations ? mlc_graph_list_at(attrs->dilations, i) : 1;
    w->pad_begin[i] = attrs->pads ? mlc_graph_list_at(attrs->pads, i) : 0;
    w->pad_end[i] = attrs->pads ? mlc_graph_list_at(attrs->pads, i + w->rank) : 0;
    if (kernel == MLC_DYNAMIC)
        return false;
    if (!attrs->auto_pad.size)
        return true;
    if (input == MLC_DYNAMIC && w->strides[i] != 1)
        return false;
    // Output ceil(input / stride); what the windows lack is padding. Of steps of 1 it is the same
    // for all sizes.
    input = input == MLC_DYNAMIC ? 0 : input;
    int64_t output = (input + w->strides[i] - 1) / w->strides[i];
    int64_t need = (output - 1) * w->strides[i] + (kernel - 1) * w->dilations[i] + 1 - input;
    share_padding(attrs, i, need > 0 ? need : 0, w);
    return true;
}

void
mlc_graph_cut_dim(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *first,
                  int64_t *count)
{
    int64_t low = step < 0 ? -1 : 0, high = step < 0 ? size - 1 : size;
    start += start < 0 ? size : 0;
    end += end < 0 ? size : 0;
    start = start < 0 ? 0 : start > high ? high : start;
    end = end < low ? low : end > high ? high : end;
    int64_t room = step < 0 ? start - end : end - start;
    // -step of INT64_MIN does not fit
    uint64_t stride = step < 0 ? -(uint64_t)step : (uint64_t)step;
    *first = size > 0 ? start : 0;
    *count = room > 0 && size > 0 ? (int64_t)(((uint64_t)room - 1) / stride) + 1 : 0;
}

MlcGraphLayout
mlc_graph_layout(const MlcOp *op)
{
    return mlc_graph_layout_of(mlc_op_attr(op, "layout"));
}

// A last window over one element of the input wants the most.
static bool
fill_most(const MlcGraphWindowAttrs *attrs, size_t i, int64_t kernel, MlcGraphWindow *w)
{
    if (kernel == MLC_DYNAMIC)
        return false;
    share_padding(attrs, i, (kernel - 1) * w->dilations[i], w);
    return true;
}

static bool
find_window(MlcOp *op, MlcGraphWindow *window, bool may_be_open)
{
    MlcAttr auto_pad = mlc_op_attr(op, "auto_pad");
    MlcGraphWindowAttrs attrs = {
        .kernel = mlc_op_attr(op, "kernel_shape"),
        .strides = mlc_op_attr(op, "strides"),
        .dilations = mlc_op_attr(op, "dilations"),
        .pads = mlc_op_attr(op, "pads"),
        .auto_pad = auto_pad ? mlc_string_attr_value(auto_pad) : mlc_str(""),
        .layout = mlc_graph_layout(op),
    };
    MlcType input = mlc_value_type(mlc_op_operand(op, 0));
    if (!mlc_type_has_rank(input) || mlc_type_rank(input) < 3 ||
        mlc_type_rank(input) > MLC_GRAPH_MAX_SPATIAL + 2)
        return false;
    *window = (MlcGraphWindow){.rank = mlc_type_rank(input) - 2};
    MlcType filter = attrs.kernel ? NULL : mlc_value_type(mlc_op_operand(op, 1));
    if (filter && (!mlc_type_has_rank(filter) || mlc_type_rank(filter) != window->rank + 2))
        return false;
    for (size_t i = 0; i < window->rank; i++) {
        int64_t size = mlc_type_dim(input, mlc_graph_first_spatial(attrs.layout) + i);
        int64_t kernel =
            attrs.kernel
                ? mlc_graph_list_at(attrs.kernel, i)
                : mlc_type_dim(filter, i + (attrs.layout == MLC_GRAPH_LAYOUT_NHWC ? 0 : 2));
        if (!mlc_graph_fill_window(&attrs, i, size, kernel, window) &&
            !(may_be_open && fill_most(&attrs, i, kernel, window)))
            return false;
    }
    return true;
}

bool
mlc_graph_window(MlcOp *op, MlcGraphWindow *window)
{
    return find_window(op, window, false);
}

bool
mlc_graph_open_window(MlcOp *op, MlcGraphWindow *window)
{
    return find_window(op, window, true);
}

int64_t
mlc_graph_window_count(MlcOp *op, const MlcGraphWindow *window, size_t i, int64_t output)
{
    MlcAttr attr = mlc_op_attr(op, "count_include_pad");
    bool count_padding = attr && mlc_attr_as_bool(attr);
    int64_t size = mlc_type_dim(mlc_value_type(mlc_op_operand(op, 0)),
                                mlc_graph_first_spatial(mlc_graph_layout(op)) + i);
    int64_t begin = count_padding ? -window->pad_begin[i] : 0;
    int64_t end = size + (count_padding ? window->pad_end[i] : 0);
    int64_t at = output * window->strides[i] - window->pad_begin[i], step = window->dilations[i];
    // Element k lies at `at` + k `step`.
    int64_t first = at < begin ? mlc_ceil_div(begin - at, step) : 0;
    int64_t last = at < end ? mlc_ceil_div(end - at, step) : 0;
    last = last < window->kernel[i] ? last : window->kernel[i];
    return last > first ? last - first : 0;
}

static int64_t
num_windows(MlcOp *op, size_t i)
{
    return mlc_type_dim(mlc_op_result_type(op, 0),
                        mlc_graph_first_spatial(mlc_graph_layout(op)) + i);
}

bool
mlc_graph_window_counts_whole(MlcOp *op, const MlcGraphWindow *window)
{
    for (size_t i = 0; i < window->rank; i++) // those between the first and the last lie inside
        if (mlc_graph_window_count(op, window, i, 0) != window->kernel[i] ||
            mlc_graph_window_count(op, window, i, num_windows(op, i) - 1) != window->kernel[i])
            return false;
    return true;
}

bool
mlc_graph_window_counts_kept(MlcOp *op, const MlcGraphWindow *window)
{
    enum { MAX_PLACES = 1 << 26 };
    int64_t places = 1;
    for (size_t i = 0; i < window->rank; i++)
        if (__builtin_mul_overflow(places, num_windows(op, i), &places) || places > MAX_PLACES)
            return false;
    return true;
}

void
mlc_graph_permutation(MlcOp *op, int64_t *perm)
{
    size_t rank = mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0)));
    MlcAttr list = mlc_op_attr(op, "perm");
    for (size_t i = 0; i < rank; i++)
        perm[i] = list ? mlc_graph_list_at(list, i) : (int64_t)(rank - 1 - i);
}

void
mlc_graph_slice_bounds(MlcOp *op, int64_t *starts, int64_t *steps)
{
    MlcAttr ends = mlc_op_attr(op, "ends"), axes = mlc_op_attr(op, "axes");
    MlcAttr list = mlc_op_attr(op, "steps"), begins = mlc_op_attr(op, "starts");
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    int64_t rank = (int64_t)mlc_type_rank(type);
    for (int64_t i = 0; i < rank; i++) {
        starts[i] = 0;
        steps[i] = 1;
    }
    for (size_t i = 0; i < mlc_graph_list_size(begins); i++) {
        int64_t axis = axes ? mlc_graph_list_at(axes, i) : (int64_t)i, count;
        axis += axis < 0 ? rank : 0;
        steps[axis] = list ? mlc_graph_list_at(list, i) : 1;
        if (mlc_type_dim(type, (size_t)axis) != MLC_DYNAMIC)
            mlc_graph_cut_dim(mlc_type_dim(type, (size_t)axis), mlc_graph_list_at(begins, i),
                              mlc_graph_list_at(ends, i), steps[axis], &starts[axis], &count);
    }
}

// ---- slices of sizes that are known when the model runs

// An end of a slice, as the text of a place from 0 to the size. `number` counts where there is no
// `text`. A text is within a size that is a number, or `is_within` any, or `check` gets what it
// then is equal to.
static MlcAttr
place_within(MlcAttr size, MlcAttr text, int64_t number, bool is_within, MlcGraphCheck *check)
{
    MlcContext *ctx = mlc_attr_context(size);
    int64_t known;
    if (text) {
        MlcAttr held = mlc_size_combine(MLC_SIZE_MIN, size, text);
        if (!is_within && !mlc_size_is_number(size, &known))
            return held;
        *check = (MlcGraphCheck){held, text};
        return text;
    }
    if (number == INT64_MAX)
        return size;
    MlcAttr at = mlc_size_number(ctx, number);
    if (number >= 0)
        return mlc_size_combine(MLC_SIZE_MIN, size, at);
    MlcAttr place = mlc_size_combine(MLC_SIZE_ADD, size, at);
    MlcAttr held = mlc_size_combine(MLC_SIZE_MAX, place, mlc_size_number(ctx, 0));
    if (number != -1 || mlc_size_is_number(size, &known))
        return held;
    *check = (MlcGraphCheck){held, place}; // the last one is one, where there are any
    return place;
}

// From where elements are counted: what is behind the end leaves none, so it need not be held.
static MlcAttr
counted_from(const MlcGraphCut *cut, MlcAttr first)
{
    bool is_number = !cut->start_text && cut->start > 0;
    return is_number ? mlc_size_number(mlc_attr_context(first), cut->start) : first;
}

bool
mlc_graph_cut_size(MlcAttr size, const MlcGraphCut *cut, MlcAttr *first, MlcAttr *count,
                   MlcGraphCheck checks[2])
{
    int64_t least;
    checks[0] = checks[1] = (MlcGraphCheck){NULL, NULL};
    if (!size || cut->step < 1)
        return false;
    MlcContext *ctx = mlc_attr_context(size);
    *first = place_within(size, cut->start_text, cut->start, cut->is_within, &checks[0]);
    MlcAttr end = place_within(size, cut->end_text, cut->end, cut->is_within, &checks[1]);
    if (!*first || !end)
        return false;
    *count = mlc_size_combine(MLC_SIZE_SUB, end, counted_from(cut, *first));
    *count = mlc_size_combine(
        MLC_SIZE_FLOORDIV,
        mlc_size_combine(MLC_SIZE_ADD, *count, mlc_size_number(ctx, cut->step - 1)),
        mlc_size_number(ctx, cut->step));
    if (*count && !(mlc_size_at_least(*count, &least) && least >= 0) && *first != size)
        *count = mlc_size_combine(MLC_SIZE_MAX, *count, mlc_size_number(ctx, 0));
    return *first && *count;
}

static MlcAttr
text_at(MlcAttr list, size_t i)
{
    MlcAttr text = list && i < mlc_array_attr_size(list) ? mlc_array_attr_element(list, i) : NULL;
    return mlc_attr_is(text, MLC_ATTR_STRING) && mlc_string_attr_value(text).size ? text : NULL;
}

size_t
mlc_graph_slice_cut(MlcOp *op, size_t i, MlcGraphCut *cut)
{
    MlcAttr axes = mlc_op_attr(op, "axes"), steps = mlc_op_attr(op, "steps");
    int64_t rank = (int64_t)mlc_type_rank(mlc_op_operand_type(op, 0));
    int64_t axis = axes ? mlc_graph_list_at(axes, i) : (int64_t)i;
    *cut = (MlcGraphCut){.start = mlc_graph_list_at(mlc_op_attr(op, "starts"), i),
                         .end = mlc_graph_list_at(mlc_op_attr(op, "ends"), i),
                         .step = steps ? mlc_graph_list_at(steps, i) : 1,
                         .start_text = text_at(mlc_op_attr(op, "start_sizes"), i),
                         .end_text = text_at(mlc_op_attr(op, "end_sizes"), i),
                         .is_within = mlc_op_attr(op, MLC_GRAPH_CHECKED) != NULL};
    return (size_t)(axis + (axis < 0 ? rank : 0));
}

void
mlc_graph_slice_places(MlcOp *op, MlcAttr names, MlcAttr *starts)
{
    MlcType type = mlc_op_operand_type(op, 0);
    MlcContext *ctx = mlc_op_context(op);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        starts[i] = mlc_size_number(ctx, 0);
    for (size_t i = 0; i < mlc_graph_list_size(mlc_op_attr(op, "starts")); i++) {
        MlcGraphCut cut;
        MlcGraphCheck checks[2];
        MlcAttr count;
        size_t axis = mlc_graph_slice_cut(op, i, &cut);
        int64_t dim = mlc_type_dim(type, axis), first;
        if (dim != MLC_DYNAMIC && !cut.start_text && !cut.end_text) {
            mlc_graph_cut_dim(dim, cut.start, cut.end, cut.step, &first, &(int64_t){0});
            starts[axis] = mlc_size_number(ctx, first);
        } else if (!mlc_graph_cut_size(dim == MLC_DYNAMIC ? text_at(names, axis)
                                                          : mlc_size_number(ctx, dim),
                                       &cut, &starts[axis], &count, checks)) {
            starts[axis] = NULL;
        }
    }
}

MlcValue *
mlc_graph_build_slice(MlcBuilder *b, MlcValue *x, const int64_t *axes, const int64_t *starts,
                      const int64_t *ends, size_t count)
{
    return mlc_graph_slice(b, x, starts, count, ends, count, axes, count, NULL, 0);
}

void
mlc_graph_reduced_axes(MlcOp *op, bool *marked)
{
    size_t rank = mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0)));
    MlcAttr axes = mlc_op_attr(op, "axes");
    for (size_t i = 0; i < rank; i++)
        marked[i] = axes == NULL;
    for (size_t i = 0; i < mlc_graph_list_size(axes); i++) {
        int64_t axis = mlc_graph_list_at(axes, i);
        marked[axis < 0 ? axis + (int64_t)rank : axis] = true;
    }
}

int64_t
mlc_graph_axis(MlcOp *op)
{
    int64_t axis = 0;
    bool ok = mlc_attr_try_as_int(mlc_op_attr(op, "axis"), &axis);
    (void)ok;
    return axis < 0 ? axis + (int64_t)mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0))) : axis;
}
