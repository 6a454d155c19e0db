// pads.c -- see pads.h.
#include "pads.h"

#include "mlc/ir.h"

#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/tensor.h"

// More of them are more code than a copy is worth: each is a variant of the tile.
enum { MAX_EDGES = 2, MAX_VARIANTS = 16 };

// The constant that the region yields, NULL if it is none.
static MlcAttr
constant_of(MlcOp *pad)
{
    return mlc_value_constant(
        mlc_op_operand(mlc_block_last(mlc_region_first(mlc_op_region(pad, 0))), 0));
}

// The scalar that the region yields; made before the pad if it is a constant inside. NULL: it
// depends on the position.
static MlcValue *
pad_value(MlcOp *pad, MlcBuilder *b)
{
    MlcValue *value = mlc_op_operand(mlc_block_last(mlc_region_first(mlc_op_region(pad, 0))), 0);
    if (!mlc_value_is_inside(value, pad))
        return value;
    return constant_of(pad) ? mlc_build_constant(b, constant_of(pad)) : NULL;
}

// Where the source lies in the padded tensor; false if that is dynamic or negative.
static bool
source_window(MlcOp *pad, MlcWindow *w)
{
    MlcType from = mlc_value_type(mlc_op_operand(pad, 0)),
            to = mlc_value_type(mlc_op_result(pad, 0));
    MlcAttr low = mlc_op_attr(pad, "static_low");
    *w = (MlcWindow){.rank = mlc_type_rank(from)};
    if (!mlc_type_has_static_shape(from) || !mlc_type_has_static_shape(to) ||
        w->rank > MLC_SMALL_RANK)
        return false;
    for (size_t i = 0; i < w->rank; i++) {
        int64_t offset;
        if (!mlc_int_list_attr_get(low, i, &offset) || offset == MLC_DYNAMIC || offset < 0 ||
            mlc_type_dim(to, i) < mlc_type_dim(from, i))
            return false;
        w->offsets[i] = mlc_affine_constant(mlc_op_context(pad), offset);
        w->sizes[i] = mlc_type_dim(from, i);
    }
    return true;
}

// The buffer of a padded tensor: rows of the last dimension that lie half of what a way of the
// first cache holds apart, or a multiple of that, get a cache line between them, or the points of a
// tile, whose elements are read side by side, would share a few of its sets.
static MlcType
spread_rows(MlcType type, const MlcTargetDesc *target)
{
    int64_t half = (int64_t)(target->l1d_bytes / target->l1d_ways / 2);
    int64_t shape[MLC_SMALL_RANK], rank = (int64_t)mlc_type_rank(type);
    int64_t bytes = mlc_type_bit_width(mlc_type_element(type)) / 8;
    if (rank < 3 || bytes == 0 || half == 0 ||
        mlc_type_dim(type, (size_t)rank - 1) * bytes % half != 0)
        return type;
    memcpy(shape, mlc_type_shape(type), (size_t)rank * sizeof *shape);
    shape[rank - 1] += (int64_t)target->line_bytes / bytes;
    return mlc_tensor_type_get(mlc_type_element(type), shape, (size_t)rank, NULL);
}

// `dest` with `value` in a window.
static MlcValue *
fill_window(MlcBuilder *b, MlcIndexValues *indices, MlcValue *dest, const MlcWindow *w,
            MlcValue *value)
{
    MlcType type = mlc_tensor_type_get(mlc_type_element(mlc_value_type(dest)), w->sizes, w->rank,
                                       NULL);
    MlcValue *slice = mlc_window_extract(b, indices, dest, w, type);
    return mlc_window_insert(b, indices, mlc_build_copy(b, NULL, value, slice), dest, w);
}

// `dest`, of the padded shape, with `value` around the window `inside`: slabs before and behind it
// along each dimension. Those of an outer dimension reach over all of the inner ones.
static MlcValue *
fill_around(MlcBuilder *b, MlcIndexValues *indices, MlcValue *dest, const MlcWindow *inside,
            MlcValue *value)
{
    MlcType type = mlc_value_type(dest);
    MlcWindow slab = {.rank = inside->rank};
    for (size_t i = 0; i < slab.rank; i++) {
        slab.offsets[i] = mlc_affine_constant(b->ctx, 0);
        slab.sizes[i] = mlc_type_dim(type, i);
    }
    for (size_t i = 0; i < slab.rank; i++) {
        int64_t low = 0, end;
        (void)mlc_affine_is_constant(inside->offsets[i], &low);
        end = low + inside->sizes[i];
        slab.sizes[i] = low;
        if (low > 0)
            dest = fill_window(b, indices, dest, &slab, value);
        slab.offsets[i] = mlc_affine_constant(b->ctx, end);
        slab.sizes[i] = mlc_type_dim(type, i) - end;
        if (slab.sizes[i] > 0)
            dest = fill_window(b, indices, dest, &slab, value);
        slab.offsets[i] = inside->offsets[i];
        slab.sizes[i] = inside->sizes[i];
    }
    return dest;
}

bool
mlc_pad_decompose(MlcOp *pad, const MlcTargetDesc *target, bool around)
{
    MlcValue *source = mlc_op_operand(pad, 0), *result = mlc_op_result(pad, 0);
    MlcType from = mlc_value_type(source), to = mlc_value_type(result);
    MlcWindow w;
    if (!source_window(pad, &w))
        return false;
    if (from == to) {
        mlc_op_replace(pad, &source, 1);
        return true;
    }
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(pad));
    mlc_builder_before(&b, pad);
    MlcValue *value = pad_value(pad, &b);
    if (!value)
        return false;
    MlcIndexValues indices = {0};
    MlcType tensor = mlc_tensor_type_get(mlc_type_element(from), w.sizes, w.rank, NULL);
    MlcType buffer = spread_rows(to, target);
    MlcValue *dest = mlc_build_empty(&b, buffer);
    dest = around ? fill_around(&b, &indices, dest, &w, value)
                  : mlc_build_copy(&b, NULL, value, dest);
    MlcValue *middle = mlc_window_extract(&b, &indices, dest, &w, tensor);
    MlcValue *copy = mlc_build_copy(&b, source, NULL, middle);
    MlcValue *padded = mlc_window_insert(&b, &indices, copy, dest, &w);
    if (buffer != to) {
        for (size_t i = 0; i < w.rank; i++) {
            w.offsets[i] = mlc_affine_constant(b.ctx, 0);
            w.sizes[i] = mlc_type_dim(to, i);
        }
        padded = mlc_window_extract(&b, &indices, padded, &w, to);
    }
    mlc_op_replace(pad, &padded, 1);
    mlc_index_values_release(&indices);
    return true;
}

// ---- clipping

// Whether the reader's result is the same without the elements that are `value`.
static bool
is_neutral(MlcOp *reader, size_t operand, MlcAttr value)
{
    int64_t integer;
    double number, neutral;
    if (!value)
        return false;
    if (mlc_attr_is(value, MLC_ATTR_FLOAT))
        number = mlc_float_attr_as_double(value);
    else if (mlc_attr_try_as_int(value, &integer))
        number = (double)integer;
    else
        return false;
    if (mlc_structured_is_contraction(reader))
        return number == 0;
    MlcOp *combine = mlc_structured_combine(reader);
    MlcValue *element = mlc_block_arg(mlc_structured_body(reader), operand);
    if (!combine || !mlc_combine_kind(combine, &neutral) || number != neutral)
        return false;
    return mlc_op_operand(combine, 0) == element || mlc_op_operand(combine, 1) == element;
}

// Dimension `r` as stride * out + dilation * tap.
static bool
read_dimension(MlcClip *clip, MlcAffineMap map, size_t r)
{
    int64_t coefficients[MLC_SMALL_RANK + 1] = {0}, sizes[MLC_SMALL_RANK];
    unsigned n = mlc_affine_map_num_dims(map);
    clip->out[r] = clip->tap[r] = -1;
    if (!mlc_affine_linear(mlc_affine_map_result(map, r), n, 0, coefficients) ||
        coefficients[n] != 0)
        return false;
    for (unsigned d = 0; d < n; d++) {
        bool is_parallel = mlc_structured_iterator(clip->reader, d) == MLC_ITERATOR_PARALLEL;
        int *loop = is_parallel ? &clip->out[r] : &clip->tap[r];
        if (coefficients[d] == 0)
            continue;
        if (coefficients[d] < 0 || *loop >= 0)
            return false;
        *loop = (int)d;
        *(is_parallel ? &clip->stride[r] : &clip->dilation[r]) = coefficients[d];
    }
    mlc_structured_loop_sizes(clip->reader, sizes);
    clip->num_taps[r] = clip->tap[r] < 0 ? 1 : sizes[clip->tap[r]];
    return true;
}

// a / b, rounded up; 0 where a is negative.
static int64_t
steps_to(int64_t a, int64_t b)
{
    return a <= 0 ? 0 : (a - 1) / b + 1;
}

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// The taps of output `out` along dimension `r` that are inside.
static void
taps_inside(const MlcClip *clip, size_t r, int64_t out, int64_t *first, int64_t *end)
{
    int64_t start = clip->stride[r] * out - clip->low[r], step = clip->dilation[r];
    *end = least(steps_to(clip->inside[r] - start, step), clip->num_taps[r]);
    *first = least(steps_to(-start, step), *end);
}

// The first output behind `out` whose taps inside may be others than `first` to `end`. Sizes are
// anybody's: outputs are not counted one by one.
static int64_t
next_part(const MlcClip *clip, size_t r, int64_t out, int64_t first, int64_t end)
{
    int64_t start = clip->stride[r] * out - clip->low[r], step = clip->dilation[r];
    int64_t enters = first > 0 ? -(start + (first - 1) * step) : INT64_MAX;
    int64_t leaves = clip->inside[r] - (start + (end - 1) * step);
    return out + steps_to(least(enters, leaves), clip->stride[r]);
}

// Finds the parts of dimension `r`; false if there are too many, or a window is outside. `edges`:
// iterations whose windows hang over; `products`: taps inside of all.
static bool
find_parts(MlcClip *clip, size_t r, int64_t *edges, double *products)
{
    int64_t sizes[MLC_SMALL_RANK], first, end;
    size_t loop = (size_t)clip->out[r], n = 0;
    mlc_structured_loop_sizes(clip->reader, sizes);
    *edges = 0;
    *products = 0;
    for (int64_t out = 0, next; out < sizes[loop]; out = next) {
        taps_inside(clip, r, out, &first, &end);
        if (first == end || n == MLC_MAX_CLIP_PARTS)
            return false;
        clip->parts[loop][n++] = out;
        next = least(next_part(clip, r, out, first, end), sizes[loop]);
        *edges += end - first < clip->num_taps[r] ? next - out : 0;
        *products += (double)(end - first) * (double)(next - out);
    }
    clip->num_parts[loop] = *edges > 0 ? n : 0;
    return true;
}

// Every parallel loop of the reader is one of the padded tensor's: nothing is read again for
// another output at the same place.
static bool
reads_once(MlcOp *reader, MlcAffineMap map)
{
    for (size_t i = 0; i < mlc_structured_num_loops(reader); i++)
        if (mlc_structured_iterator(reader, i) == MLC_ITERATOR_PARALLEL &&
            !mlc_affine_map_uses_dim(map, (unsigned)i))
            return false;
    return true;
}

// Other operands take a tap's loop as it is.
static bool
others_read_plainly(const MlcClip *clip, size_t r)
{
    for (size_t i = 0; i < mlc_op_num_operands(clip->reader); i++) {
        MlcAffineMap map = mlc_structured_map(clip->reader, i);
        for (size_t k = 0; k < mlc_affine_map_num_results(map); k++) {
            bool is_this = i == clip->operand && k == r;
            if (!is_this &&
                mlc_affine_uses_dim(mlc_affine_map_result(map, k), (unsigned)clip->tap[r]) &&
                mlc_map_result_dim(map, k) != clip->tap[r])
                return false;
        }
    }
    return true;
}

bool
mlc_pad_can_clip(MlcOp *pad, MlcClip *clip)
{
    MlcWindow w;
    *clip = (MlcClip){.pad = pad};
    if (!mlc_value_has_one_use(mlc_op_result(pad, 0)) || !source_window(pad, &w))
        return false;
    MlcUse *use = mlc_value_first_use(mlc_op_result(pad, 0));
    clip->reader = mlc_use_owner(use);
    clip->operand = mlc_use_index(use);
    if (!mlc_op_is_static_structured(clip->reader) ||
        clip->operand >= mlc_structured_num_inputs(clip->reader) ||
        !is_neutral(clip->reader, clip->operand, constant_of(pad)))
        return false;
    MlcAffineMap map = mlc_structured_map(clip->reader, clip->operand);
    MlcType to = mlc_value_type(mlc_op_result(pad, 0));
    bool few_edges = true;
    double share = 1; // of the products that are none with padding
    size_t variants = 1;
    for (size_t r = 0; r < w.rank; r++) {
        int64_t sizes[MLC_SMALL_RANK], edges;
        double products;
        (void)mlc_affine_is_constant(w.offsets[r], &clip->low[r]);
        clip->inside[r] = w.sizes[r];
        clip->out[r] = clip->tap[r] = -1;
        if (mlc_type_dim(to, r) == w.sizes[r])
            continue;
        if (!read_dimension(clip, map, r) || clip->out[r] < 0 || clip->tap[r] < 0 ||
            !others_read_plainly(clip, r) || !find_parts(clip, r, &edges, &products))
            return false;
        mlc_structured_loop_sizes(clip->reader, sizes);
        share *= products / ((double)sizes[clip->out[r]] * (double)clip->num_taps[r]);
        few_edges &= edges <= MAX_EDGES;
        variants *= edges > 0 ? clip->num_parts[clip->out[r]] : 1;
    }
    return reads_once(clip->reader, map) ? few_edges : share <= 0.5 && variants <= MAX_VARIANTS;
}

void
mlc_clip_taps(const MlcClip *clip, const int64_t begin[MLC_SMALL_RANK], MlcWindow *loops)
{
    MlcContext *ctx = mlc_op_context(clip->pad);
    for (size_t r = 0; r < mlc_type_rank(mlc_value_type(mlc_op_result(clip->pad, 0))); r++) {
        int64_t first, end;
        if (clip->out[r] < 0)
            continue;
        taps_inside(clip, r, begin[clip->out[r]], &first, &end);
        loops->offsets[clip->tap[r]] = mlc_affine_constant(ctx, first);
        loops->sizes[clip->tap[r]] = end - first;
    }
}

void
mlc_clip_to_source(const MlcClip *clip, MlcWindow *w)
{
    for (size_t r = 0; r < w->rank; r++)
        w->offsets[r] = mlc_affine_add_const(w->offsets[r], -clip->low[r]);
}
