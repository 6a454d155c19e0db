// ops_images.c -- ONNX operators: images cut or framed to a size, put together from columns, and
// where the pixels of a turned one lie.
#include "node.h"

#include <inttypes.h>

enum { MAX_PIXELS = 1 << 24 }; // of constants made here, and of sizes

// Each axis cut or framed with zeros on both sides, to the size that is asked for.
static bool
import_center_crop_pad(MlcOnnxNodeImport *n)
{
    MlcOnnxInts sizes = {0}, axes = {0};
    MlcOnnxAttrs attrs = {0};
    int64_t pads[2 * MLC_SMALL_RANK] = {0}, all[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_onnx_constant_ints(n, 1, &sizes) || !mlc_onnx_read_ints(n, "axes", &axes))
        return false;
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    int64_t rank = (int64_t)mlc_type_rank(type);
    for (int64_t i = 0; i < rank; i++)
        all[i] = i;
    if (!axes.count)
        axes = (MlcOnnxInts){all, (size_t)rank};
    if (axes.count != sizes.count)
        return mlc_onnx_invalid(n, "%zu sizes for %zu axes", sizes.count, axes.count);
    for (size_t i = 0; i < axes.count; i++) {
        int64_t axis = axes.items[i] + (axes.items[i] < 0 ? rank : 0);
        if (axis < 0 || axis >= rank)
            return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64,
                                    axes.items[i], rank);
        int64_t size = mlc_type_dim(type, (size_t)axis), wanted = sizes.items[i];
        if (size == MLC_DYNAMIC)
            return mlc_onnx_unknown_size(n, axis);
        if (wanted < 0 || wanted > MAX_PIXELS)
            return mlc_onnx_invalid(n, "size %" PRId64 " is asked for", wanted);
        pads[axis] = wanted > size ? (wanted - size) / 2 : -((size - wanted) / 2);
        pads[axis + rank] = wanted - size - pads[axis];
    }
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * (size_t)rank});
    return mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_pad_def, n->inputs, 1, &attrs));
}

// ---- AffineGrid

// The middle of pixel `i` of `size` between -1 and 1; or -1 and 1 are those of the first and last.
static double
coordinate(int64_t i, int64_t size, bool is_aligned)
{
    if (is_aligned)
        return size > 1 ? -1 + 2 * (double)i / (double)(size - 1) : 0;
    return (2 * (double)i + 1) / (double)size - 1;
}

// The positions of all pixels, with a 1 behind, by the transposed matrices.
static bool
import_affine_grid(MlcOnnxNodeImport *n)
{
    enum { MAX_DIMS = 3 };
    MlcOnnxInts sizes = {0};
    int64_t aligned = 0, count = 1, shape[MAX_DIMS + 2];
    MlcType type = mlc_value_type(n->inputs[0]), element = mlc_type_element(type);
    if (!mlc_onnx_constant_ints(n, 1, &sizes) || !mlc_onnx_read_int(n, "align_corners", &aligned))
        return false;
    if (!mlc_type_is_float(element) || !mlc_type_has_rank(type) || mlc_type_rank(type) != 3)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (sizes.count != 4 && sizes.count != 5)
        return mlc_onnx_invalid(n, "a grid of %zu sizes", sizes.count);
    size_t rank = sizes.count - 2;
    shape[0] = sizes.items[0];
    for (size_t i = 0; i < rank; i++) {
        shape[i + 1] = sizes.items[i + 2];
        if (shape[i + 1] < 1 || shape[i + 1] > MAX_PIXELS / count)
            return mlc_onnx_unsupported(n, "size %" PRId64 " of a grid", shape[i + 1]);
        count *= shape[i + 1];
    }
    shape[rank + 1] = (int64_t)rank;
    int64_t base[] = {count, (int64_t)rank + 1};
    double *numbers = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)count *(rank + 1));
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i;
        for (size_t d = rank; d-- > 0; rest /= shape[d + 1]) // x, the last dimension, is the first
            numbers[(size_t)i * (rank + 1) + rank - 1 - d] =
                coordinate(rest % shape[d + 1], shape[d + 1], aligned);
        numbers[(size_t)i * (rank + 1) + rank] = 1;
    }
    MlcValue *turned = mlc_onnx_transpose(n, n->inputs[0], (MlcOnnxInts){(int64_t[]){0, 2, 1}, 3});
    MlcValue *grid = mlc_onnx_build_two(
        n, &mlc_graph_matmul_def, mlc_onnx_build_floats(n, element, numbers, base, 2), turned);
    return mlc_onnx_set_result(
        n, grid ? mlc_onnx_reshape(n, grid, (MlcOnnxInts){shape, rank + 2}, true) : NULL);
}

// ---- Col2Im

// The image's and the blocks' spatial sizes, and how many blocks there are in each dimension.
typedef struct Blocks {
    MlcOnnxInts image, block, strides, dilations, pads;
    int64_t count[MLC_SMALL_RANK], left[MLC_SMALL_RANK]; // left: pixels that no block reaches
    int64_t channels, taps;
} Blocks;

static bool
read_blocks(MlcOnnxNodeImport *n, Blocks *b)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    int64_t blocks = 1;
    if (!mlc_onnx_constant_ints(n, 1, &b->image) || !mlc_onnx_constant_ints(n, 2, &b->block) ||
        !mlc_onnx_read_ints(n, "strides", &b->strides) ||
        !mlc_onnx_read_ints(n, "dilations", &b->dilations) ||
        !mlc_onnx_read_ints(n, "pads", &b->pads))
        return false;
    size_t rank = b->image.count;
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type) || mlc_type_rank(type) != 3)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    bool fits = rank >= 1 && rank <= 3 && b->block.count == rank &&
                (!b->strides.count || b->strides.count == rank) &&
                (!b->dilations.count || b->dilations.count == rank) &&
                (!b->pads.count || b->pads.count == 2 * rank);
    for (size_t i = 0; i < rank && fits; i++) {
        int64_t stride = b->strides.count ? b->strides.items[i] : 1;
        int64_t dilation = b->dilations.count ? b->dilations.items[i] : 1;
        int64_t begin = b->pads.count ? b->pads.items[i] : 0,
                end = b->pads.count ? b->pads.items[i + rank] : 0;
        fits = stride >= 1 && dilation >= 1 && b->block.items[i] >= 1 && b->image.items[i] >= 1 &&
               begin >= 0 && end >= 0 && stride < MAX_PIXELS && dilation < MAX_PIXELS &&
               begin < MAX_PIXELS && end < MAX_PIXELS && b->block.items[i] < MAX_PIXELS &&
               b->image.items[i] < MAX_PIXELS;
        if (!fits)
            break;
        int64_t reach = dilation * (b->block.items[i] - 1) + 1;
        int64_t steps = b->image.items[i] + begin + end - reach;
        fits = steps >= 0 && b->taps <= MAX_PIXELS / b->block.items[i];
        b->count[i] = fits ? steps / stride + 1 : 0;
        b->left[i] = fits ? steps % stride : 0;
        b->taps *= fits ? b->block.items[i] : 1;
        fits = fits && blocks <= MAX_PIXELS / b->count[i];
        blocks *= fits ? b->count[i] : 1;
    }
    b->channels = mlc_type_dim(type, 1) / (b->taps ? b->taps : 1);
    if (!fits || mlc_type_dim(type, 2) != blocks || b->channels * b->taps != mlc_type_dim(type, 1))
        return mlc_onnx_invalid(n, "an image of that size has no columns of type %s",
                                mlc_type_text(type));
    return b->channels * b->taps <= MAX_PIXELS / b->taps ||
           mlc_onnx_unsupported(n, "columns of type %s", mlc_type_text(type));
}

// A transposed convolution in which each tap of a channel has an input channel of its own.
static bool
import_col2im(MlcOnnxNodeImport *n)
{
    enum { MAX_ATTRS = 5 };
    Blocks b = {.taps = 1};
    if (!read_blocks(n, &b))
        return false;
    size_t rank = b.image.count, count = 0;
    MlcType type = mlc_value_type(n->inputs[0]), element = mlc_type_element(type);
    int64_t shape[5] = {mlc_type_dim(type, 0), mlc_type_dim(type, 1)};
    int64_t filter[5] = {mlc_type_dim(type, 1), 1};
    for (size_t i = 0; i < rank; i++) {
        shape[i + 2] = b.count[i];
        filter[i + 2] = b.block.items[i];
    }
    size_t size = (size_t)(filter[0] * b.taps);
    if (!mlc_onnx_can_list(n, (int64_t)size))
        return false;
    double *numbers = MLC_NEW_ARRAY(&n->import->arena, double, size);
    for (size_t i = 0; i < size; i++)
        numbers[i] = (int64_t)(i % (size_t)b.taps) == (int64_t)(i / (size_t)b.taps) % b.taps;
    MlcValue *operands[] = {mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){shape, rank + 2}, true),
                            mlc_onnx_build_floats(n, element, numbers, filter, rank + 2)};
    MlcOnnxAttribute attrs[MAX_ATTRS] = {
        [0] = {.name = mlc_str("group"), .i = b.channels},
        [1] = {.name = mlc_str("output_padding"), .ints = {b.left, rank}}};
    const MlcOnnxInts lists[] = {b.strides, b.dilations, b.pads};
    const char *const names[] = {"strides", "dilations", "pads"};
    count = 2;
    for (size_t i = 0; i < 3; i++)
        if (lists[i].count)
            attrs[count++] = (MlcOnnxAttribute){.name = mlc_str(names[i]), .ints = lists[i]};
    MlcOnnxNode node = *n->node;
    node.attribute.items = attrs;
    node.attribute.count = count;
    MlcOnnxNodeImport made = *n;
    made.node = &node;
    made.inputs = operands;
    made.num_inputs = 2;
    return operands[0] && operands[1] && mlc_onnx_import_conv_transpose(&made);
}

static const MlcOnnxOperator rows[] = {
    {"AffineGrid", 20, MLC_ONNX_NEWEST, 2, 2, .import = import_affine_grid},
    {"CenterCropPad", 18, MLC_ONNX_NEWEST, 2, 2, .import = import_center_crop_pad},
    {"Col2Im", 18, MLC_ONNX_NEWEST, 3, 3, .import = import_col2im},
};
const MlcOnnxOperators mlc_onnx_images = MLC_ONNX_OPERATORS(rows);
