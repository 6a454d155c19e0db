// shapes_windows.c -- shapes of what windows run over: convolutions, pools, and their norm.
#include "infer.h"
#include "windows.h"

// Of a dimension that a window runs over: sums and products of it with window attributes (at most
// 2^31) stay within int64.
#define MAX_SIZE (INT64_C(1) << 48)

static MlcGraphWindowAttrs
read_window_attrs(const Infer *in)
{
    MlcAttr auto_pad = mlc_infer_attr(in, "auto_pad");
    return (MlcGraphWindowAttrs){
        .kernel = mlc_infer_attr(in, "kernel_shape"),
        .strides = mlc_infer_attr(in, "strides"),
        .dilations = mlc_infer_attr(in, "dilations"),
        .pads = mlc_infer_attr(in, "pads"),
        .auto_pad = auto_pad ? mlc_string_attr_value(auto_pad) : mlc_str(""),
        .ceil_mode = bool_attr(in, "ceil_mode"),
        .layout = mlc_graph_layout_of(mlc_infer_attr(in, "layout")),
    };
}

static size_t
channel_dim(MlcGraphLayout layout, size_t rank)
{
    return layout == MLC_GRAPH_LAYOUT_NHWC ? rank - 1 : 1;
}

static bool
check_window_list(Infer *in, const char *name, MlcAttr list, size_t want, int64_t least)
{
    if (!list)
        return true;
    if (mlc_graph_list_size(list) != want)
        return contradiction(in, "'%s' has %zu entries, expected %zu", name,
                             mlc_graph_list_size(list), want);
    for (size_t i = 0; i < want; i++)
        if (mlc_graph_list_at(list, i) < least || mlc_graph_list_at(list, i) > INT32_MAX)
            return contradiction(in, "'%s' has the entry %" PRId64, name,
                                 mlc_graph_list_at(list, i));
    return true;
}

static bool
check_window(Infer *in, const MlcGraphWindowAttrs *attrs, size_t spatial)
{
    if (spatial > MLC_GRAPH_MAX_SPATIAL)
        return beyond(in, "%zu spatial dimensions are more than %d", spatial,
                      MLC_GRAPH_MAX_SPATIAL);
    MlcStr mode = attrs->auto_pad;
    if (mode.size && !mlc_str_equal(mode, mlc_str("same_upper")) &&
        !mlc_str_equal(mode, mlc_str("same_lower")))
        return contradiction(in, "'auto_pad' is '%.*s', expected 'same_upper' or 'same_lower'",
                             MLC_STR_FMT(mode));
    if (mode.size && attrs->pads)
        return contradiction(in, "'auto_pad' and 'pads' exclude each other");
    return check_window_list(in, "kernel_shape", attrs->kernel, spatial, 1) &&
           check_window_list(in, "strides", attrs->strides, spatial, 1) &&
           check_window_list(in, "dilations", attrs->dilations, spatial, 1) &&
           check_window_list(in, "pads", attrs->pads, 2 * spatial, 0);
}

static int64_t
window_output(const MlcGraphWindow *w, size_t i, int64_t input, bool ceil_mode)
{
    int64_t extent = (w->kernel[i] - 1) * w->dilations[i] + 1;
    int64_t room = input + w->pad_begin[i] + w->pad_end[i] - extent;
    if (room < 0)
        return -1;
    int64_t output = room / w->strides[i] + 1;
    // A last window that hangs over counts, unless it would begin in the padding at the end.
    if (ceil_mode && room % w->strides[i] && output * w->strides[i] < input + w->pad_begin[i])
        output++;
    return output;
}

// How many windows there are over a size that is known when the model runs; NULL: no text says it.
static MlcAttr
windows_over(Infer *in, const MlcGraphWindowAttrs *attrs, const Shape *input, size_t first,
             size_t i, const MlcGraphWindow *w)
{
    if (w->kernel[i] == MLC_DYNAMIC)
        return NULL;
    int64_t extent = (w->kernel[i] - 1) * w->dilations[i] + 1;
    if (attrs->ceil_mode && w->pad_end[i] >= extent)
        return NULL;
    if (attrs->auto_pad.size) // as many as steps begin within the size
        return mlc_size_combine(MLC_SIZE_FLOORDIV,
                                mlc_size_combine(MLC_SIZE_ADD, size_of(in, input, first + i),
                                                 mlc_size_number(in->ctx, w->strides[i] - 1)),
                                mlc_size_number(in->ctx, w->strides[i]));
    int64_t room = w->pad_begin[i] + w->pad_end[i] - extent;
    if (attrs->ceil_mode) // what hangs over does not begin in the padding at the end
        room =
            room + w->strides[i] < w->pad_begin[i] ? room + w->strides[i] - 1 : w->pad_begin[i] - 1;
    MlcAttr steps = mlc_size_combine(MLC_SIZE_FLOORDIV,
                                     mlc_size_combine(MLC_SIZE_ADD, size_of(in, input, first + i),
                                                      mlc_size_number(in->ctx, room)),
                                     mlc_size_number(in->ctx, w->strides[i]));
    return mlc_size_combine(MLC_SIZE_ADD, steps, mlc_size_number(in->ctx, 1));
}

// Sizes of spatial dimensions of a conv or pool; `kernel` per dimension.
static bool
infer_spatial(Infer *in, const MlcGraphWindowAttrs *attrs, const Shape *input,
              const int64_t *kernel, Shape *result)
{
    MlcGraphWindow w = {.rank = input->rank - 2};
    size_t first = mlc_graph_first_spatial(attrs->layout);
    for (size_t i = 0; i < w.rank; i++) {
        int64_t size = input->dims[first + i];
        if (size > MAX_SIZE)
            return beyond(in, "size %" PRId64 " is too large for a window", size);
        bool known = mlc_graph_fill_window(attrs, i, size, kernel[i], &w) && size != MLC_DYNAMIC;
        int64_t output = known ? window_output(&w, i, size, attrs->ceil_mode) : MLC_DYNAMIC;
        if (output == -1)
            return contradiction(
                in, "the window of %" PRId64 " is larger than the padded input of %" PRId64,
                (kernel[i] - 1) * w.dilations[i] + 1, size + w.pad_begin[i] + w.pad_end[i]);
        mlc_infer_set_size(
            result, first + i,
            output == MLC_DYNAMIC ? windows_over(in, attrs, input, first, i, &w) : NULL, output);
    }
    return true;
}

static bool
read_activations(Infer *in, Shape *input)
{
    if (!operand_shape(in, 0, input))
        return false;
    return !input->ranked || input->rank >= 3 ||
           contradiction(in, "the input has rank %zu, expected at least 3", input->rank);
}

static MlcAttr
times(const Infer *in, MlcAttr size, int64_t number)
{
    return mlc_size_combine(MLC_SIZE_MUL, size, mlc_size_number(in->ctx, number));
}

static bool
check_conv_channels(Infer *in, const Shape *input, const Shape *filter, size_t in_channel,
                    size_t filter_in, size_t filter_out)
{
    int64_t group = int_attr(in, "group", 1);
    int64_t channels = input->dims[in_channel], per_group = filter->dims[filter_in];
    int64_t outputs = filter->dims[filter_out];
    if (group < 1 || (outputs != MLC_DYNAMIC && outputs % group))
        return contradiction(in,
                             "%" PRId64 " output channels do not divide into %" PRId64 " groups",
                             outputs, group);
    if (channels != MLC_DYNAMIC && per_group != MLC_DYNAMIC &&
        (channels % group || channels / group != per_group))
        return contradiction(in,
                             "the input has %" PRId64 " channels, the filter takes %" PRId64
                             " in each of %" PRId64 " groups",
                             channels, per_group, group);
    must_be_equal(in, size_of(in, input, in_channel),
                  times(in, size_of(in, filter, filter_in), group));
    if (group > 1 && outputs == MLC_DYNAMIC)
        must_be_equal(in, size_of(in, filter, filter_out),
                      times(in,
                            mlc_size_combine(MLC_SIZE_FLOORDIV, size_of(in, filter, filter_out),
                                             mlc_size_number(in->ctx, group)),
                            group));
    if (num_operands(in) < 3)
        return true;
    Shape bias;
    if (!operand_shape(in, 2, &bias))
        return false;
    if (bias.ranked && bias.rank == 1)
        same_dim(in, &bias, 0, filter, filter_out);
    if (bias.ranked && (bias.rank != 1 || (bias.dims[0] != MLC_DYNAMIC && outputs != MLC_DYNAMIC &&
                                           bias.dims[0] != outputs)))
        return contradiction(in, "the bias has type %s, expected %" PRId64 " elements",
                             mlc_type_text(operand_type(in, 2)), outputs);
    return true;
}

bool
mlc_infer_conv(Infer *in, Shape *result)
{
    Shape input, filter;
    MlcGraphWindowAttrs attrs = read_window_attrs(in);
    if (!mlc_infer_sums(in) || !read_activations(in, &input) || !operand_shape(in, 1, &filter))
        return false;
    *result = (Shape){.ranked = input.ranked && filter.ranked, .rank = input.rank};
    if (!result->ranked)
        return true;
    if (filter.rank != input.rank)
        return contradiction(in, "the input has rank %zu, the filter %zu", input.rank, filter.rank);
    bool nhwc = attrs.layout == MLC_GRAPH_LAYOUT_NHWC;
    size_t filter_out = nhwc ? filter.rank - 1 : 0, filter_in = nhwc ? filter.rank - 2 : 1;
    size_t channel = channel_dim(attrs.layout, input.rank);
    if (!check_window(in, &attrs, input.rank - 2) ||
        !check_conv_channels(in, &input, &filter, channel, filter_in, filter_out))
        return false;
    copy_dim(result, 0, &input, 0);
    set_dim(result, channel, filter.dims[filter_out]);
    return infer_spatial(in, &attrs, &input, filter.dims + (nhwc ? 0 : 2), result);
}

bool
mlc_infer_pool(Infer *in, Shape *result)
{
    Shape input;
    MlcGraphWindowAttrs attrs = read_window_attrs(in);
    if (!read_activations(in, &input))
        return false;
    *result = input;
    if (!input.ranked)
        return true;
    if (!attrs.kernel)
        return contradiction(in, "'kernel_shape' is required");
    if (!check_window(in, &attrs, input.rank - 2))
        return false;
    int64_t kernel[MLC_GRAPH_MAX_SPATIAL];
    for (size_t i = 0; i < input.rank - 2; i++)
        kernel[i] = mlc_graph_list_at(attrs.kernel, i);
    return infer_spatial(in, &attrs, &input, kernel, result);
}

bool
mlc_infer_global_pool(Infer *in, Shape *result)
{
    Shape input;
    if (!read_activations(in, &input))
        return false;
    *result = input;
    size_t first = mlc_graph_first_spatial(mlc_graph_layout_of(mlc_infer_attr(in, "layout")));
    for (size_t i = 0; input.ranked && i < input.rank - 2; i++)
        set_dim(result, first + i, 1);
    return true;
}

bool
mlc_infer_batch_norm(Infer *in, Shape *result)
{
    if (!operand_shape(in, 0, result))
        return false;
    if (!result->ranked)
        return true;
    if (result->rank < 2)
        return contradiction(in, "the input has rank %zu, expected at least 2", result->rank);
    size_t channel = channel_dim(mlc_graph_layout_of(mlc_infer_attr(in, "layout")), result->rank);
    int64_t channels = result->dims[channel];
    for (size_t i = 1; i < num_operands(in); i++) {
        Shape other;
        if (!operand_shape(in, i, &other))
            return false;
        if (other.ranked &&
            (other.rank != 1 || (other.dims[0] != MLC_DYNAMIC && channels != MLC_DYNAMIC &&
                                 other.dims[0] != channels)))
            return contradiction(in, "operand %zu has type %s, expected %" PRId64 " elements", i,
                                 mlc_type_text(operand_type(in, i)), channels);
        if (other.ranked)
            same_dim(in, &other, 0, result, channel);
    }
    return true;
}
