// schedule.c -- how a kernel is cut: a function of the op's structure, its shapes and the machine.
//
// The register tile is MR pixels by NV vectors of channels, MR * NV accumulators. A contraction
// wants many vectors, so that each broadcast is used often, as long as a panel of weights stays in
// the second cache; otherwise half as many vectors and twice the pixels. The measurements behind
// the constants are in docs/measurements/convolutions.md.
#include "schedule.h"

#include "mlc/ir.h"

#include "mlc/dialects/tensor.h"

static const char *const tile_rows = "mlc.tile_rows";

enum { MOST_PIXELS = 14 }; // of a register tile: two vectors wide, it takes 28 of 32 registers
enum { SHORT_SUM = 16 };   // dot products of bytes, up to which tiles have
enum { FEW_VECTORS = 12 }; // accumulators
enum { LEAST_ROWS = 4 };   // of a product in registers of small matrices, and
enum { LEAST_DEPTH = 4 };  // runs of bytes: fewer take no longer as dot products
enum { DOT_PRODUCTS = 8 }; // of a tile whose elements are sums in the lanes: chains that overlap

static unsigned
element_bits(MlcType type)
{
    MlcType element = mlc_type_element(type);
    return mlc_type_is(element, MLC_TYPE_INTEGER) || mlc_type_is(element, MLC_TYPE_FLOAT) ||
                   mlc_type_is(element, MLC_TYPE_INDEX)
               ? mlc_type_bit_width(element)
               : 64;
}

int64_t
mlc_vector_length(MlcOp *op, const MlcTargetDesc *target)
{
    unsigned bits = 8;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        unsigned operand_bits = element_bits(mlc_value_type(mlc_op_operand(op, i)));
        bits = operand_bits > bits ? operand_bits : bits;
    }
    int64_t length = target->vector_bits / bits;
    return length > 1 ? length : 1;
}

int64_t
mlc_panel_vectors(int64_t reduction, const MlcTargetDesc *target)
{
    int64_t panel = reduction * 4 * target->vector_bits / 8;
    bool fits = panel <= mlc_target_resident_bytes(target);
    return target->vector_registers >= 32 && fits ? 4 : 2;
}

int64_t
mlc_row_shares(int64_t rows, const MlcTargetDesc *target)
{
    return rows / MLC_LEAST_ROWS >= target->cores ? target->cores : 1;
}

// Elements of 32 bits: dot products of bytes take a run of them at a time.
static int64_t
reduction_words(MlcOp *heavy)
{
    int64_t size = mlc_structured_reduction_size(heavy);
    return mlc_structured_dot_loop(heavy) >= 0 ? size / MLC_DOT_RUN : size;
}

// An input of a contraction is a weight where it runs along the channels and along no pixels.
static int64_t
num_vectors(MlcOp *heavy, int64_t channels, int64_t pixels, int64_t vector,
            const MlcTargetDesc *target)
{
    int64_t wanted = mlc_structured_is_parallel(heavy) ? 4 : 2;
    if (mlc_structured_is_contraction(heavy))
        wanted = mlc_panel_vectors(reduction_words(heavy), target);
    if (pixels == 1) // latency of one chain of FMAs per vector
        wanted = target->fma_ports * target->fma_latency;
    int64_t present = mlc_ceil_div(channels, vector);
    return mlc_ceil_div(present, mlc_ceil_div(present, wanted)); // panels of even width
}

static int64_t
num_pixels(int64_t vectors, const MlcTargetDesc *target)
{
    int64_t pixels = ((int64_t)target->vector_registers - 1 - vectors) / vectors;
    return pixels < 1 ? 1 : pixels > MOST_PIXELS ? MOST_PIXELS : pixels;
}

// Short sums of bytes take no longer than what follows them (a requantisation). A small tile has
// both within reach of the processor, which does what follows one tile while the next one begins.
static int64_t
pixels_of_short_sums(int64_t pixels, int64_t vectors)
{
    int64_t few = mlc_ceil_div(FEW_VECTORS, vectors);
    return few < pixels ? few : pixels;
}

// Bytes from an element to the next one along `loop` in the buffer that operand `i` is a window of.
static int64_t
bytes_between(MlcOp *op, size_t i, int loop)
{
    MlcValue *value = mlc_op_operand(op, i);
    MlcAffineMap map = mlc_structured_map(op, i);
    size_t rank = mlc_affine_map_num_results(map);
    for (MlcOp *def; mlc_tensor_extract_slice_isa(def = mlc_value_def(value)) &&
                     mlc_type_rank(mlc_value_type(mlc_op_operand(def, 0))) == rank;)
        value = mlc_op_operand(def, 0);
    MlcType type = mlc_value_type(value);
    int64_t sum = 0, stride = element_bits(type) / 8; // 0: not known
    for (size_t r = rank; r-- > 0;) {
        int64_t coefficients[MLC_SMALL_RANK + 1] = {0}, size = mlc_type_dim(type, r);
        unsigned n = mlc_affine_map_num_dims(map);
        if (!mlc_affine_linear(mlc_affine_map_result(map, r), n, 0, coefficients) ||
            (stride == 0 && coefficients[loop] != 0))
            return 0;
        sum += stride * coefficients[loop];
        stride *= size == MLC_DYNAMIC ? 0 : size;
    }
    return sum;
}

// One line less than a set has, for what else is read.
static int64_t
rows_of_a_set(const MlcTargetDesc *target)
{
    return (int64_t)target->l1d_ways - 1;
}

static bool
is_on_one_set(int64_t bytes_apart, const MlcTargetDesc *target)
{
    int64_t way = target->l1d_ways ? (int64_t)(target->l1d_bytes / target->l1d_ways) : 0;
    return way != 0 && bytes_apart != 0 && bytes_apart % way == 0;
}

bool
mlc_rows_collide(int64_t bytes, const MlcTargetDesc *target)
{
    return is_on_one_set(bytes, target) && num_pixels(2, target) > rows_of_a_set(target);
}

// The pixels of a tile are read side by side; where they lie a multiple of what a way of the first
// cache holds apart, they fall on one set.
static int64_t
pixels_of_a_set(MlcOp *heavy, int64_t pixels, const MlcTargetDesc *target)
{
    int64_t most = rows_of_a_set(target);
    MlcAffineMap out = mlc_structured_map(heavy, mlc_structured_num_inputs(heavy));
    size_t rank = mlc_affine_map_num_results(out);
    if (!mlc_structured_is_contraction(heavy) || rank < 2 || pixels <= most)
        return pixels;
    int channel = mlc_map_result_dim(out, rank - 1), pixel = mlc_map_result_dim(out, rank - 2);
    for (size_t i = 0; i < 2; i++) {
        int64_t bytes = mlc_affine_map_uses_dim(mlc_structured_map(heavy, i), (unsigned)channel)
                            ? 0
                            : bytes_between(heavy, i, pixel);
        if (is_on_one_set(bytes, target))
            return most;
    }
    return pixels;
}

// The loops of `op` along its result's dimensions, innermost last.
static size_t
result_loops(MlcOp *op, int *loops)
{
    MlcAffineMap map = mlc_structured_map(op, mlc_structured_num_inputs(op));
    size_t rank = mlc_affine_map_num_results(map);
    for (size_t i = 0; i < rank; i++)
        loops[i] = mlc_map_result_dim(map, i);
    return rank;
}

// Whether every input of the contraction has dimension `i` of its result: groups, batches. Along it
// nothing that is loaded serves twice.
static bool
is_shared_by_inputs(MlcOp *heavy, size_t i)
{
    if (!mlc_structured_is_contraction(heavy))
        return false;
    int loop = mlc_map_result_dim(mlc_structured_map(heavy, mlc_structured_num_inputs(heavy)), i);
    for (size_t k = 0; k < mlc_structured_num_inputs(heavy); k++)
        if (!mlc_affine_map_uses_dim(mlc_structured_map(heavy, k), (unsigned)loop))
            return false;
    return true;
}

// Cuts the pixel loops (all but the last dimension of the result): rows of even length, or whole
// rows where they are short, and no rest of fewer than `least` pixels. Groups inside of pixels come
// one by one.
static void
cut_pixels(MlcOp *heavy, const int *loops, size_t rank, const int64_t *extent, int64_t pixels,
           int64_t least, MlcSchedule *s)
{
    bool has_pixels = false;
    for (size_t i = 0; i + 1 < rank; i++)
        has_pixels |= extent[loops[i]] > 1 && !is_shared_by_inputs(heavy, i);
    for (size_t i = rank - 1; i-- > 0;) {
        int64_t size = extent[loops[i]];
        if (has_pixels && i > 0 && is_shared_by_inputs(heavy, i)) {
            s->sizes[loops[i]] = size > 1;
        } else if (pixels >= size) {
            s->sizes[loops[i]] = 0;
            pixels /= size;
            least = mlc_ceil_div(least, size);
        } else {
            s->sizes[loops[i]] = mlc_ceil_div(size, mlc_ceil_div(size, pixels < 1 ? 1 : pixels));
            s->least[loops[i]] = least;
            pixels = 1;
            least = 0;
        }
    }
}

static bool
weights_fit(MlcOp *heavy, int64_t channels, const MlcTargetDesc *target)
{
    int64_t bits = element_bits(mlc_value_type(mlc_op_result(heavy, 0)));
    return reduction_words(heavy) * channels * bits / 8 <= mlc_target_resident_bytes(target);
}

// Ops computed in groups: one group of one vector a tile.
static void
cut_groups(MlcOp *heavy, const int64_t *group, const int *loops, size_t rank, const int64_t *extent,
           const MlcTargetDesc *target, MlcSchedule *s)
{
    MlcAffineMap out = mlc_structured_map(heavy, mlc_structured_num_inputs(heavy));
    for (size_t i = 0; i < rank; i++) {
        int64_t size = group[mlc_map_result_dim(out, i)];
        if (i + 1 == rank)
            size *= mlc_vector_length(heavy, target);
        s->sizes[loops[i]] = size < extent[loops[i]] ? size : 0;
    }
}

// The dimension of the result along which an op without reductions reads an input that it
// transposes; -1: none.
static int
transposed_dim(MlcOp *heavy)
{
    size_t out = mlc_structured_num_inputs(heavy);
    MlcAffineMap map = mlc_structured_map(heavy, out);
    size_t rank = mlc_affine_map_num_results(map);
    if (!mlc_structured_is_parallel(heavy))
        return -1;
    for (size_t k = 0; k < out; k++) {
        int along = mlc_structured_transposed_loop(heavy, k, mlc_map_result_dim(map, rank - 1));
        for (size_t i = 0; along >= 0 && i + 1 < rank; i++)
            if (mlc_map_result_dim(map, i) == along)
                return (int)i;
    }
    return -1;
}

// Panels outermost, unless all weights stay in the second cache while the pixels pass. Groups
// inside of pixels have weights of their own each: they come before both where all of them do not
// stay.
static void
order_loops(MlcOp *heavy, const int *loops, size_t rank, const int64_t *extent, size_t num_loops,
            const MlcTargetDesc *target, MlcSchedule *s)
{
    int64_t channels = extent[loops[rank - 1]], groups = 1;
    bool is_placed[MLC_SMALL_RANK] = {false}, has_pixels = false;
    size_t n = 0;
    if (!mlc_structured_is_contraction(heavy))
        return;
    for (size_t i = 0; i + 1 < rank; i++) {
        bool is_group = is_shared_by_inputs(heavy, i);
        has_pixels |= !is_group && extent[loops[i]] > 1;
        is_placed[loops[i]] = is_group && has_pixels;
        groups *= is_placed[loops[i]] ? extent[loops[i]] : 1;
    }
    if (weights_fit(heavy, groups * channels, target))
        return;
    for (unsigned i = 0; i < num_loops; i++)
        if (is_placed[i])
            s->order[n++] = i;
    if (!weights_fit(heavy, channels, target)) {
        s->order[n++] = (unsigned)loops[rank - 1];
        is_placed[loops[rank - 1]] = true;
    }
    for (unsigned i = 0; i < num_loops; i++)
        if (!is_placed[i])
            s->order[n++] = i;
}

// ---- few rows

// The loop of the result's that is longer than 1, beside the last one, if there is only one, and
// its size is not known; -1: there is none.
static int
open_row_loop(MlcOp *root, const int *loops, size_t rank)
{
    int64_t extent[MLC_SMALL_RANK];
    int row = -1;
    mlc_structured_loop_sizes(root, extent);
    for (size_t i = 0; i + 1 < rank; i++) {
        if (extent[loops[i]] == 1)
            continue;
        if (row >= 0 || extent[loops[i]] != MLC_DYNAMIC)
            return -1;
        row = loops[i];
    }
    return rank && extent[loops[rank - 1]] != MLC_DYNAMIC ? row : -1;
}

// Whether the sums of a tile are in registers beside a step of weights, which a single row takes
// from memory.
static bool
has_registers(int64_t rows, int64_t vectors, const MlcTargetDesc *target)
{
    int64_t weights = rows > 1 ? vectors : 0;
    return rows * vectors + weights + 1 <= (int64_t)target->vector_registers;
}

// A tile of few rows takes as many panels as make sums for all FMAs that are in flight.
static void
widen_few_rows(MlcOp *root, const int *loops, size_t rank, int64_t in_flight, int64_t vector,
               const MlcTargetDesc *target, MlcSchedule *s)
{
    int row = open_row_loop(root, loops, rank), channel = loops[rank - 1];
    int64_t extent[MLC_SMALL_RANK], panel = s->sizes[channel], vectors = panel / vector;
    mlc_structured_loop_sizes(root, extent);
    if (row < 0 || vectors == 0)
        return;
    s->few.row = (unsigned)row;
    s->few.channel = (unsigned)channel;
    int64_t present = mlc_ceil_div(extent[channel], panel);
    for (int64_t k = 1; k <= MLC_FEW_ROWS && k < s->sizes[row]; k++) {
        int64_t panels = mlc_ceil_div(in_flight, k * vectors);
        while (panels > 1 && !has_registers(k, panels * vectors, target))
            panels--;
        panels = mlc_ceil_div(present, mlc_ceil_div(present, panels));
        if (panels == 1)
            return;
        s->few.size[k] = panels * panel < extent[channel] ? panels * panel : extent[channel];
        s->few.most = k;
    }
}

// ---- products in registers of small matrices

bool
mlc_tile_row_step(MlcAffineMap map, int row, int64_t *step)
{
    size_t rank = mlc_affine_map_num_results(map);
    unsigned n = mlc_affine_map_num_dims(map);
    int64_t coefficients[MLC_SMALL_RANK + 1] = {0};
    for (size_t i = 0; i < rank; i++)
        if (i + 2 != rank && mlc_affine_uses_dim(mlc_affine_map_result(map, i), (unsigned)row))
            return false;
    if (rank < 2 || !mlc_affine_linear(mlc_affine_map_result(map, rank - 2), n, 0, coefficients))
        return false;
    *step = coefficients[row];
    return *step > 0;
}

int64_t
mlc_tile_product_rows(MlcOp *op)
{
    MlcAttr rows = mlc_op_attr(op, tile_rows);
    return rows ? mlc_attr_as_int(rows) : 0;
}

void
mlc_set_tile_product_rows(MlcOp *op, int64_t rows)
{
    mlc_op_set_attr(op, tile_rows, rows ? mlc_i64_attr_get(mlc_op_context(op), rows) : NULL);
}

// The innermost reduction but that of the run of bytes; -1: there is none.
static int
depth_loop(MlcOp *op, int run)
{
    for (int i = (int)mlc_structured_num_loops(op); i-- > 0;)
        if (i != run && mlc_structured_iterator(op, (size_t)i) != MLC_ITERATOR_PARALLEL)
            return i;
    return -1;
}

// Whether operand `x` is rows along loop `row`, of runs along `depth`, and the other one runs of
// channels, one after the other.
static bool
has_rows_and_panels(MlcOp *op, size_t x, int row, int channel, int depth, int run)
{
    MlcAffineMap rows = mlc_structured_map(op, x), panel = mlc_structured_map(op, 1 - x);
    size_t x_rank = mlc_affine_map_num_results(rows), w_rank = mlc_affine_map_num_results(panel);
    int64_t coefficients[MLC_SMALL_RANK + 1] = {0}, step;
    unsigned n = mlc_affine_map_num_dims(rows);
    if (w_rank < 3 || !mlc_tile_row_step(rows, row, &step) ||
        !mlc_affine_linear(mlc_affine_map_result(rows, x_rank - 1), n, 0, coefficients) ||
        coefficients[depth] != MLC_DOT_RUN || coefficients[run] != 1)
        return false;
    for (size_t i = 0; i + 1 < x_rank; i++)
        if (mlc_affine_uses_dim(mlc_affine_map_result(rows, i), (unsigned)depth))
            return false;
    return mlc_map_result_dim(panel, w_rank - 1) == run &&
           mlc_affine_uses_dim(mlc_affine_map_result(panel, w_rank - 2), (unsigned)channel) &&
           mlc_map_result_dim(panel, w_rank - 3) == depth;
}

int64_t
mlc_tile_product_depth(MlcOp *op, const MlcTargetDesc *target)
{
    int run = mlc_structured_dot_loop(op), depth = run < 0 ? -1 : depth_loop(op, run);
    int64_t extent[MLC_SMALL_RANK];
    if (target->tile_registers == 0 || depth < 0)
        return 0;
    MlcAffineMap out = mlc_structured_map(op, 2);
    size_t rank = mlc_affine_map_num_results(out);
    mlc_structured_loop_sizes(op, extent);
    if (rank < 2 || target->vector_bits / 8 != target->tile_row_bytes)
        return 0;
    int channel = mlc_map_result_dim(out, rank - 1), row = mlc_map_result_dim(out, rank - 2);
    size_t x = mlc_affine_map_uses_dim(mlc_structured_map(op, 0), (unsigned)channel);
    int64_t most = target->tile_row_bytes / MLC_DOT_RUN,
            size = mlc_largest_divisor(extent[depth], most);
    return size >= LEAST_DEPTH && has_rows_and_panels(op, x, row, channel, depth, run) ? size : 0;
}

// Rows in blocks of as many, at most those of a register, and as many blocks as the registers hold
// sums of: four, beside two of either factor. Rows of a product are those of the last dimension but
// one; short ones leave blocks to the dimension before. No tile has fewer rows than a block.
static bool
cut_for_tiles(MlcOp *heavy, const int *loops, size_t rank, const int64_t *extent,
              const MlcTargetDesc *target, MlcSchedule *s)
{
    if (rank < 2 || mlc_tile_product_depth(heavy, target) == 0 ||
        extent[loops[rank - 2]] < LEAST_ROWS)
        return false;
    int64_t vector = target->tile_row_bytes / MLC_DOT_RUN, channels = extent[loops[rank - 1]],
            vectors = channels > vector ? 2 : 1, blocks = target->tile_registers / 2 / vectors,
            size = extent[loops[rank - 2]], most = blocks * target->tile_rows,
            rows = mlc_ceil_div(size, mlc_ceil_div(size, most)),
            in_row = mlc_ceil_div(rows, target->tile_rows);
    s->tile_rows = mlc_ceil_div(rows, in_row);
    s->sizes[loops[rank - 1]] = vectors * vector < channels ? vectors * vector : 0;
    s->sizes[loops[rank - 2]] = rows < size ? rows : 0;
    s->least[loops[rank - 2]] = s->tile_rows;
    blocks = rows < size || is_shared_by_inputs(heavy, rank - 2) ? 1 : blocks / in_row;
    for (size_t i = rank - 2; i-- > 0;) {
        int64_t outer = extent[loops[i]];
        s->sizes[loops[i]] = 1;
        if (blocks > 1 && !is_shared_by_inputs(heavy, i))
            s->sizes[loops[i]] = mlc_ceil_div(outer, mlc_ceil_div(outer, blocks));
        blocks = outer > 1 ? 1 : blocks;
    }
    return true;
}

void
mlc_schedule_for(MlcOp *root, MlcOp *heavy, const MlcTargetDesc *target, MlcSchedule *s)
{
    int64_t extent[MLC_SMALL_RANK];
    int loops[MLC_SMALL_RANK];
    size_t num_loops = mlc_structured_num_loops(root);
    *s = (MlcSchedule){.unroll = 1};
    for (size_t i = 0; i < num_loops; i++)
        s->order[i] = (unsigned)i;
    mlc_structured_assumed_sizes(root, extent);
    size_t rank = result_loops(root, loops);
    if (rank == 0)
        return;
    for (size_t i = 0; i + 1 < rank; i++)
        if (!mlc_structured_is_parallel(heavy))
            s->rest[loops[i]] = MLC_REST_ROWS;

    int64_t total = 1, channels = extent[loops[rank - 1]], group[MLC_SMALL_RANK];
    MlcOp *combine;
    if (mlc_op_is_static_tiling(heavy, group)) {
        cut_groups(heavy, group, loops, rank, extent, target, s);
        return;
    }
    if (mlc_structured_lane_loop(heavy, &combine) >= 0) {
        cut_pixels(heavy, loops, rank, extent, 1, 0, s);
        s->sizes[loops[rank - 1]] = channels > DOT_PRODUCTS ? DOT_PRODUCTS : 0;
        return;
    }
    for (size_t i = 0; i + 1 < rank; i++)
        total *= extent[loops[i]];
    if (cut_for_tiles(heavy, loops, rank, extent, target, s)) {
        order_loops(heavy, loops, rank, extent, num_loops, target, s);
        return;
    }
    int64_t vector = mlc_vector_length(heavy, target);
    int64_t vectors = num_vectors(heavy, channels, total, vector, target);
    int square = transposed_dim(heavy);
    if (square >= 0 && extent[loops[square]] >= vector && channels >= vector) {
        for (size_t i = 0; i < rank; i++)
            s->sizes[loops[i]] = (int)i == square || i + 1 == rank ? vector : 1;
        return;
    }
    bool is_light = mlc_structured_is_parallel(heavy);
    s->sizes[loops[rank - 1]] = vectors * vector < channels ? vectors * vector : 0;
    int64_t pixels = is_light ? 1 : pixels_of_a_set(heavy, num_pixels(vectors, target), target);
    if (mlc_structured_dot_loop(heavy) >= 0 && reduction_words(heavy) <= SHORT_SUM)
        pixels = pixels_of_short_sums(pixels, vectors);
    // A tile with fewer accumulators than FMAs are in flight takes as long as one with as many.
    int64_t in_flight = is_light ? 0 : target->fma_ports * target->fma_latency;
    cut_pixels(heavy, loops, rank, extent, pixels, mlc_ceil_div(in_flight, vectors), s);
    s->unroll = vectors >= 4 && mlc_structured_is_contraction(heavy) ? 2 : 1;
    if (mlc_structured_is_contraction(heavy))
        widen_few_rows(root, loops, rank, in_flight, vector, target, s);

    order_loops(heavy, loops, rank, extent, num_loops, target, s);
}
