// linalg_pack.c -- weights in the order in which the tiles of a kernel read them.
//
// After `tile`, a weight of a kernel is read as panels: windows of `t` along the channels, whole
// along the reductions, or parts of it where there is one (linalg_block.c). Each panel becomes
// contiguous: [O, ...] to [O / t, reduction loops in order, t], the last panel filled up with
// zeros, so that every step of the reduction reads the next vectors. Where tiles are of several
// widths (those of few rows take more channels), panels are as wide as the widest of which all
// tiles begin at one, and wider tiles read several side by side. Dimensions along which a tile
// takes one element (the batch of a batched product) stay in front. Where one row is multiplied,
// all is the time that memory takes, which gives more to several streams than to one: a tile then
// reads `t` channels from STREAMS narrower panels side by side. A weight is an argument of a
// private function for which all callers pass constants: these are packed here, when compiling. A
// reshape of such an argument is first done to the constants too. Any other argument is packed when
// the kernel runs, before all else, if it fills the second cache and enough rows pass: the
// keys and values of long attention, whose panels would lie across as many pages as they have rows.
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"
#include "schedule.h"
#include "sum_block.h"
#include "windows.h"

#include "mlc/ir.h"
#include "mlc/machine.h"
#include "mlc/support/strided.h"

#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

// One core of a Zen 3 reads 20 GB/s in one stream, 26 in two, 30 in four, and no more in eight.
enum { STREAMS = 4 };

// What is packed when the kernel runs: rows that pass it, and its bytes.
enum { LEAST_ROWS = 96, MOST_PACKED = 1 << 25 };

typedef struct Layout {
    size_t channel;                            // dimension of the weight that is cut
    int64_t run;                               // bytes of a channel, behind all else; 1: no run
    int64_t panel;                             // channels of a panel
    int64_t tile;                              // the most that a tile reads: panels side by side
    size_t rank;                               // of the weight, without the run
    size_t batch[MLC_SMALL_RANK], num_batch;   // dimensions of which a tile reads one element
    size_t others[MLC_SMALL_RANK], num_others; // the rest, in the order of the reduction loops
} Layout;

typedef struct Packer {
    MlcPass *pass;
    MlcContext *ctx;
    MlcOp *module;
    MlcOp *function;
    MlcIndexValues indices;
} Packer;

static bool
is_slice(MlcOp *op)
{
    return mlc_tensor_extract_slice_isa(op);
}

// ---- how a weight is read

// The loop along the last dimension of the result; -1 if there is none.
static int
channel_loop(MlcOp *op)
{
    MlcAffineMap out = mlc_structured_map(op, mlc_structured_num_inputs(op));
    size_t rank = mlc_affine_map_num_results(out);
    return rank ? mlc_map_result_dim(out, rank - 1) : -1;
}

static void
sort_by_loop(size_t *dims, const int *loops, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && loops[dims[j]] < loops[dims[j - 1]]; --j) {
            size_t dim = dims[j];
            dims[j] = dims[j - 1];
            dims[j - 1] = dim;
        }
}

// The layout that `op` wants for operand `i`: channels along the result's last loop, all else
// reductions. Dot products read a run of bytes of each channel, which stays as it is.
static bool
wanted_layout(MlcOp *op, size_t i, Layout *layout)
{
    if (!mlc_op_is_static_structured(op) || i >= mlc_structured_num_inputs(op) ||
        mlc_structured_num_inputs(op) > MLC_SMALL_RANK || mlc_structured_is_parallel(op))
        return false;
    MlcAffineMap map = mlc_structured_map(op, i);
    MlcType type = mlc_value_type(mlc_op_operand(op, i));
    int channel = channel_loop(op), loops[MLC_SMALL_RANK];
    layout->num_batch = layout->num_others = 0;
    layout->run = mlc_structured_dot_loop(op) < 0 ? 1 : MLC_DOT_RUN;
    layout->rank = mlc_affine_map_num_results(map) - (layout->run > 1);
    if (channel < 0 || layout->rank < 2 || !mlc_affine_map_is_projected_permutation(map, false) ||
        !mlc_affine_map_uses_dim(map, (unsigned)channel))
        return false;
    for (size_t r = 0; r < layout->rank; r++) {
        loops[r] = mlc_map_result_dim(map, r);
        if (loops[r] == channel)
            layout->channel = r;
        else if (mlc_structured_iterator(op, (size_t)loops[r]) != MLC_ITERATOR_PARALLEL)
            layout->others[layout->num_others++] = r;
        else if (mlc_type_dim(type, r) == 1)
            layout->batch[layout->num_batch++] = r;
        else
            return false;
    }
    sort_by_loop(layout->others, loops, layout->num_others);
    return true;
}

static bool
layout_equal(const Layout *a, const Layout *b)
{
    return a->rank == b->rank && a->channel == b->channel && a->panel == b->panel &&
           a->run == b->run && a->num_batch == b->num_batch &&
           memcmp(a->batch, b->batch, a->num_batch * sizeof *a->batch) == 0 &&
           memcmp(a->others, b->others, a->num_others * sizeof *a->others) == 0;
}

static bool
is_batch(const Layout *layout, size_t dim)
{
    for (size_t i = 0; i < layout->num_batch; i++)
        if (layout->batch[i] == dim)
            return true;
    return false;
}

// All users of `value` want one layout (but for the panel, which is the caller's to know).
static bool
users_agree(MlcValue *value, Layout *layout)
{
    bool is_first = true;
    int64_t panel = layout->panel;
    for (MlcUse *use = mlc_value_first_use(value); use; use = mlc_use_next(use)) {
        Layout other = {.panel = panel};
        if (!mlc_structured(mlc_use_owner(use)) ||
            !wanted_layout(mlc_use_owner(use), mlc_use_index(use), &other))
            return false;
        if (!is_first && !layout_equal(layout, &other))
            return false;
        *layout = other;
        is_first = false;
    }
    return !is_first;
}

// Offsets are multiples of `panel`: sums of constants and induction variables whose loops step so.
static bool
is_panel_start(Packer *p, MlcAffineExpr e, int64_t panel)
{
    int64_t constant;
    if (mlc_affine_is_constant(e, &constant))
        return constant % panel == 0;
    if (mlc_affine_kind(e) == MLC_AFFINE_ADD)
        return is_panel_start(p, mlc_affine_lhs(e), panel) &&
               is_panel_start(p, mlc_affine_rhs(e), panel);
    if (mlc_affine_kind(e) != MLC_AFFINE_DIM)
        return false;
    MlcBlock *block = mlc_value_block(p->indices.values.data[mlc_affine_position(e)]);
    MlcOp *loop = block ? mlc_block_parent(block) : NULL;
    const MlcLoop *vtable = loop ? mlc_op_interface(loop, MLC_INTERFACE_LOOP) : NULL;
    int64_t lower, upper, step;
    return vtable && vtable->constant_bounds &&
           vtable->constant_bounds(loop, 0, &lower, &upper, &step) && lower % panel == 0 &&
           step % panel == 0;
}

// Windows of a panel along several reductions are at constant places (taps that are inside an
// image), those along one may be parts in a loop.
static bool
has_places_in_panels(const MlcWindow *w, const Layout *layout)
{
    for (size_t i = 0; i < w->rank; i++) {
        int64_t offset;
        if (i != layout->channel && !is_batch(layout, i) && layout->num_others > 1 &&
            !mlc_affine_is_constant(w->offsets[i], &offset))
            return false;
    }
    return true;
}

// The op multiplies one row.
static bool
reads_one_row(MlcOp *op)
{
    int64_t extent[MLC_SMALL_RANK];
    int channel = channel_loop(op);
    mlc_structured_loop_sizes(op, extent);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if ((int)i != channel && mlc_structured_iterator(op, i) == MLC_ITERATOR_PARALLEL &&
            extent[i] > 1)
            return false;
    return mlc_structured_is_contraction(op);
}

static bool
users_read_one_row(MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        if (is_slice(user) ? !users_read_one_row(mlc_op_result(user, 0)) : !reads_one_row(user))
            return false;
    }
    return true;
}

// Cuts a panel into those of several streams, of whole vectors.
static void
cut_into_streams(Packer *p, MlcValue *weight, Layout *layout)
{
    MlcType type = mlc_value_type(weight);
    const MlcTargetDesc *target = mlc_pass_target(p->pass);
    int64_t bytes = mlc_ceil_div(mlc_type_bit_width(mlc_type_element(type)), 8);
    int64_t vector = target->vector_bits / 8 / bytes / layout->run, streams = STREAMS;
    if (vector == 0 || mlc_type_num_elements(type) * bytes <= (int64_t)target->l2_bytes ||
        !users_read_one_row(weight))
        return;
    while (streams > 1 && layout->panel % (streams * vector) != 0)
        streams /= 2;
    layout->panel /= streams;
}

// Whether one of the ops that read `value` is a product in registers of small matrices.
static bool
has_tile_product(MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value)
        if (mlc_tile_product_rows(mlc_use_owner(use)) > 0)
            return true;
    return false;
}

static bool
starts_are_panels(Packer *p, MlcValue *weight, const Layout *layout)
{
    MLC_FOR_EACH_USE (use, weight) {
        MlcWindow w;
        if (is_slice(mlc_use_owner(use)) &&
            (!mlc_window_of_slice(mlc_use_owner(use), 1, &p->indices, &w) ||
             !is_panel_start(p, w.offsets[layout->channel], layout->panel)))
            return false;
    }
    return true;
}

// Channels that the user reads as a tile. Registers of small matrices read whole vectors of them.
static int64_t
tile_size(Packer *p, MlcValue *weight, MlcOp *user, size_t channel)
{
    MlcValue *read = is_slice(user) ? mlc_op_result(user, 0) : weight;
    int64_t vector = mlc_pass_target(p->pass)->vector_bits / 32,
            size = mlc_type_dim(mlc_value_type(read), channel);
    return has_tile_product(read) ? mlc_ceil_div(size, vector) * vector : size;
}

// The largest size of a tile below `most`, of whole vectors; 0: there is none.
static int64_t
smaller_tile(Packer *p, MlcValue *weight, const Layout *layout, int64_t most)
{
    int64_t bits = mlc_type_bit_width(mlc_type_element(mlc_value_type(weight))) * layout->run,
            vector = mlc_pass_target(p->pass)->vector_bits / bits, largest = 0;
    MLC_FOR_EACH_USE (use, weight) {
        int64_t size = tile_size(p, weight, mlc_use_owner(use), layout->channel);
        if (size < most && size > largest && vector > 0 && size % vector == 0)
            largest = size;
    }
    return largest;
}

// A panel is as wide as the widest tile, or as the widest of which all tiles begin at one: a tile
// of few rows reads several.
static bool
choose_panel(Packer *p, MlcValue *weight, Layout *layout)
{
    while (layout->panel > 0 && !starts_are_panels(p, weight, layout))
        layout->panel = smaller_tile(p, weight, layout, layout->panel);
    return layout->panel > 0;
}

// What all users want, with the widest tile as the panel.
static bool
common_layout(Packer *p, MlcValue *weight, Layout *layout)
{
    bool agree = true, is_first = true;
    layout->panel = 0;
    for (MlcUse *use = mlc_value_first_use(weight); agree && use; use = mlc_use_next(use)) {
        MlcOp *user = mlc_use_owner(use);
        MlcWindow w;
        Layout other = {0};
        if (is_slice(user) && mlc_window_of_slice(user, 1, &p->indices, &w) &&
            mlc_window_is_static(&w) &&
            w.rank == mlc_type_rank(mlc_value_type(mlc_op_result(user, 0))))
            agree = users_agree(mlc_op_result(user, 0), &other) && has_places_in_panels(&w, &other);
        else
            agree = mlc_structured(user) && wanted_layout(user, mlc_use_index(use), &other);
        if (!agree)
            return false;
        int64_t size = tile_size(p, weight, user, other.channel);
        other.panel = size > layout->panel ? size : layout->panel;
        layout->panel = other.panel;
        agree = is_first || layout_equal(layout, &other);
        *layout = other;
        is_first = false;
    }
    layout->tile = layout->panel;
    return !is_first && agree;
}

// Nothing to do where the weight is read in its order already.
static bool
is_packed_already(MlcType type, const Layout *layout)
{
    if (layout->channel + 1 != layout->rank || mlc_type_dim(type, layout->channel) != layout->panel)
        return false;
    for (size_t i = 0; i < layout->num_batch; i++)
        if (layout->batch[i] != i)
            return false;
    for (size_t i = 0; i < layout->num_others; i++)
        if (layout->others[i] != layout->num_batch + i)
            return false;
    return true;
}

// ---- the constants

static MlcType
packed_type(MlcType type, const Layout *layout)
{
    int64_t shape[MLC_SMALL_RANK + 2];
    int64_t channels = mlc_type_dim(type, layout->channel);
    size_t n = 0;
    for (size_t i = 0; i < layout->num_batch; i++)
        shape[n++] = mlc_type_dim(type, layout->batch[i]);
    shape[n++] = mlc_ceil_div(channels, layout->panel);
    for (size_t i = 0; i < layout->num_others; i++)
        shape[n++] = mlc_type_dim(type, layout->others[i]);
    shape[n++] = layout->panel;
    if (layout->run > 1)
        shape[n++] = layout->run;
    return mlc_tensor_type_get(mlc_type_element(type), shape, n, NULL);
}

// Adds `n` dimensions of the weight, and moves `step`, the place of the last of them in the packed
// form, on to what encloses them.
static void
add_moves(MlcStridedDim *moves, MlcType type, const size_t *dims, size_t n, const int64_t *strides,
          int64_t *step)
{
    for (size_t i = n; i-- > 0;) {
        moves[i] = (MlcStridedDim){mlc_type_dim(type, dims[i]), *step, strides[dims[i]]};
        *step *= moves[i].size;
    }
}

// `to` is zeroed: what no channel fills stays zero.
static void
pack_bytes(MlcType type, const Layout *layout, const char *from, char *to)
{
    int64_t strides[MLC_SMALL_RANK], step = 1, panel = layout->panel;
    for (size_t i = layout->rank; i-- > 0; step *= mlc_type_dim(type, i))
        strides[i] = step;
    int64_t channels = mlc_type_dim(type, layout->channel), full = channels / panel,
            lane = strides[layout->channel];
    MlcStridedDim moves[MLC_SMALL_RANK + 1];
    size_t size = mlc_elements_attr_element_bytes(mlc_type_element(type)) * (size_t)layout->run,
           others = layout->num_batch + 1, n = others + layout->num_others;
    step = panel;
    add_moves(moves + others, type, layout->others, layout->num_others, strides, &step);
    moves[layout->num_batch] = (MlcStridedDim){full, step, panel * lane};
    moves[n++] = (MlcStridedDim){panel, 1, lane};
    int64_t panel_size = step;
    step *= mlc_ceil_div(channels, panel);
    add_moves(moves, type, layout->batch, layout->num_batch, strides, &step);
    mlc_strided_copy(to, from, size, moves, n);
    moves[layout->num_batch].size = 1; // the last panel, if it is not full
    moves[n - 1].size = channels % panel;
    mlc_strided_copy(to + (size_t)(full * panel_size) * size,
                     from + (size_t)(full * panel * lane) * size, size, moves, n);
}

typedef struct Packing {
    MlcType type; // before
    Layout layout;
} Packing;

static void
pack_elements(void *to, const void *from, bool is_splat, const void *recipe)
{
    const Packing *p = recipe;
    (void)is_splat; // of one element, as those of resources are
    pack_bytes(p->type, &p->layout, from, to);
}

static MlcAttr
pack_constant(MlcValue *value, void *user)
{
    Packing p = {mlc_value_type(value), *(const Layout *)user};
    MlcType to = packed_type(p.type, &p.layout);
    MlcAttr attr = mlc_value_constant(value);
    if (mlc_attr_is(attr, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(attr))
        return mlc_dense_attr_splat(to, mlc_elements_attr_element(attr, 0));
    char suffix[32];
    snprintf(suffix, sizeof suffix, ".packed%lld", (long long)p.layout.panel);
    return mlc_kernel_constant_remade(value, to, suffix, pack_elements, &p, sizeof p);
}

// ---- the rewrite

// The same op as linalg.generic, operand `i` being `value`, read by `map`.
static void
reread_operand(MlcOp *op, size_t i, MlcValue *value, MlcAffineMap map)
{
    MlcAffineMap maps[MLC_SMALL_RANK + 2];
    MlcValue *inputs[MLC_SMALL_RANK + 1];
    MlcIterator iterators[MLC_SMALL_RANK];
    size_t n = mlc_structured_num_inputs(op), num_loops = mlc_structured_num_loops(op);
    for (size_t k = 0; k <= n; k++) {
        maps[k] = k == i ? map : mlc_structured_map(op, k);
        if (k < n)
            inputs[k] = k == i ? value : mlc_op_operand(op, k);
    }
    for (size_t k = 0; k < num_loops; k++)
        iterators[k] = mlc_structured_iterator(op, k);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcOp *generic =
        mlc_build_open_generic(&b, inputs, n, mlc_op_operand(op, n), maps, iterators, num_loops);
    MlcBlock *to = mlc_region_first(mlc_op_region(generic, 0)), *from = mlc_structured_body(op);
    for (size_t k = 0; k <= n; k++)
        mlc_value_replace_uses(mlc_block_arg(from, k), mlc_block_arg(to, k));
    mlc_block_splice(to, NULL, from);
    mlc_keep_sum_block(op, generic);
    mlc_set_tile_product_rows(generic, mlc_tile_product_rows(op));
    MlcValue *result = mlc_op_result(generic, 0);
    mlc_op_replace(op, &result, 1);
}

// The users of a panel, or of several side by side, read it in its new order, the channels last.
static void
reread_users(Packer *p, MlcValue *old, MlcValue *panel, const Layout *layout)
{
    MlcUse *use;
    while ((use = mlc_value_first_use(old))) {
        MlcOp *op = mlc_use_owner(use);
        size_t i = mlc_use_index(use);
        MlcAffineMap map = mlc_structured_map(op, i);
        MlcAffineExpr results[MLC_SMALL_RANK + 2],
            channel = mlc_affine_map_result(map, layout->channel);
        MlcAffineExpr width = mlc_affine_constant(p->ctx, layout->panel);
        size_t rank = layout->rank + (layout->run > 1);
        bool has_panels = mlc_type_rank(mlc_value_type(panel)) > rank;
        size_t n = 0;
        for (size_t r = 0; r < layout->num_batch; r++)
            results[n++] = mlc_affine_map_result(map, layout->batch[r]);
        if (has_panels)
            results[n++] = mlc_affine_binary(MLC_AFFINE_FLOORDIV, channel, width);
        for (size_t r = 0; r < layout->num_others; r++)
            results[n++] = mlc_affine_map_result(map, layout->others[r]);
        results[n++] = has_panels ? mlc_affine_binary(MLC_AFFINE_MOD, channel, width) : channel;
        if (layout->run > 1)
            results[n++] = mlc_affine_map_result(map, layout->rank);
        map = mlc_affine_map_get(p->ctx, mlc_affine_map_num_dims(map), 0, results, n);
        reread_operand(op, i, panel, map);
    }
}

// A panel: [batch 1s, 1, reductions, channels] of the packed weight, without the 1 of the panels;
// panels side by side, whole: [batch 1s, panels, reductions, channels of a panel]. `from`: the
// window of the old weight that it stands for.
static MlcValue *
build_panel(Packer *p, MlcBuilder *b, MlcValue *weight, const MlcWindow *from, const Layout *layout)
{
    MlcType type = mlc_value_type(weight);
    MlcWindow w = {.rank = layout->rank + 1};
    int64_t shape[MLC_SMALL_RANK + 2], channels = from->sizes[layout->channel];
    size_t panel = layout->num_batch, n = 0;
    bool has_panels = channels > layout->panel;
    for (size_t i = 0; i < w.rank; i++) {
        w.offsets[i] = i < panel ? from->offsets[layout->batch[i]] : mlc_affine_constant(p->ctx, 0);
        w.sizes[i] = 1;
    }
    for (size_t i = 0; i < layout->num_others; i++) {
        w.offsets[panel + 1 + i] = from->offsets[layout->others[i]];
        w.sizes[panel + 1 + i] = from->sizes[layout->others[i]];
    }
    w.offsets[panel] = mlc_affine_binary(MLC_AFFINE_FLOORDIV, from->offsets[layout->channel],
                                         mlc_affine_constant(p->ctx, layout->panel));
    w.sizes[panel] = has_panels ? mlc_ceil_div(channels, layout->panel) : 1;
    w.sizes[layout->rank] = has_panels ? layout->panel : channels;
    if (layout->run > 1) {
        w.offsets[w.rank] = mlc_affine_constant(p->ctx, 0);
        w.sizes[w.rank++] = layout->run;
    }
    for (size_t i = 0; i < w.rank; i++)
        if (i != panel || has_panels)
            shape[n++] = w.sizes[i];
    MlcType slice = mlc_tensor_type_get(mlc_type_element(type), shape, n, NULL);
    p->indices.block = NULL;
    return mlc_window_extract(b, &p->indices, weight, &w, slice);
}

static void
rewrite_uses(Packer *p, MlcValue *old, MlcValue *weight, const Layout *layout)
{
    MlcUse *use;
    while ((use = mlc_value_first_use(old))) {
        MlcOp *user = mlc_use_owner(use);
        MlcWindow w;
        MlcBuilder b;
        mlc_builder_init(&b, p->ctx);
        if (is_slice(user)) {
            mlc_builder_before(&b, user);
            mlc_window_of_slice(user, 1, &p->indices, &w);
            MlcValue *panel = build_panel(p, &b, weight, &w, layout);
            reread_users(p, mlc_op_result(user, 0), panel, layout);
            mlc_op_erase(user);
        } else { // one panel, which all users read
            if (mlc_value_def(weight))
                mlc_builder_after(&b, mlc_value_def(weight));
            else
                mlc_builder_before(&b, mlc_block_first(mlc_value_block(weight)));
            w.rank = layout->rank + (layout->run > 1);
            for (size_t i = 0; i < w.rank; i++) {
                w.offsets[i] = mlc_affine_constant(p->ctx, 0);
                w.sizes[i] = mlc_type_dim(mlc_value_type(old), i);
            }
            MlcValue *panel = build_panel(p, &b, weight, &w, layout);
            reread_users(p, old, panel, layout);
        }
    }
}

static void
pack_argument(Packer *p, size_t arg, Layout *layout, const MlcKernelCalls *calls)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(p->function, 0));
    MlcValue *old = mlc_block_arg(entry, arg);
    MlcValue *weight = mlc_kernel_remake_argument(p->function, arg, calls, pack_constant, layout);
    rewrite_uses(p, old, weight, layout);
    mlc_block_erase_arg(entry, arg + 1);
    mlc_kernel_note(p->function, "argument %zu packed in panels of %lld", arg,
                    (long long)layout->panel);
    mlc_pass_count(p->pass, "weights-packed", (int64_t)calls->size);
}

// ---- packed when the kernel runs

// A window of a window of `value` becomes one of `value`: blocks of rows take a matrix of a batch,
// of which their tiles take panels.
static void
join_slices(Packer *p, MlcValue *value)
{
    MlcOpVec inner = {0};
    MLC_FOR_EACH_USE (use, value)
        if (is_slice(mlc_use_owner(use)))
            MLC_FOR_EACH_USE (next, mlc_op_result(mlc_use_owner(use), 0))
                if (is_slice(mlc_use_owner(next)))
                    mlc_vec_push(&inner, mlc_use_owner(next));
    for (size_t i = 0; i < inner.size; i++) {
        MlcOp *slice = inner.data[i], *outer = mlc_value_def(mlc_op_operand(slice, 0));
        MlcType type = mlc_value_type(mlc_op_result(slice, 0));
        MlcWindow w, around;
        if (!mlc_window_of_slice(slice, 1, &p->indices, &w) ||
            !mlc_window_of_slice(outer, 1, &p->indices, &around) || w.rank != around.rank ||
            !mlc_window_is_static(&w))
            continue;
        for (size_t r = 0; r < w.rank; r++)
            w.offsets[r] = mlc_affine_add(w.offsets[r], around.offsets[r]);
        MlcBuilder b;
        mlc_builder_init(&b, p->ctx);
        mlc_builder_before(&b, slice);
        p->indices.block = NULL;
        MlcValue *joined = mlc_window_extract(&b, &p->indices, value, &w, type);
        mlc_op_replace(slice, &joined, 1);
        if (!mlc_op_has_uses(outer))
            mlc_op_erase(outer);
    }
    mlc_vec_release(&inner);
}

// An argument, or what it is reshaped to.
static MlcValue *
reshaped(MlcValue *value)
{
    for (MlcOp *user; mlc_value_has_one_use(value); value = mlc_op_result(user, 0)) {
        user = mlc_use_owner(mlc_value_first_use(value));
        if (mlc_op_num_operands(user) != 1 || !mlc_op_attr(user, "reassociation"))
            break;
    }
    return value;
}

// Iterations of `op` in all turns of the loops around it.
static int64_t
num_iterations(MlcOp *op)
{
    int64_t extent[MLC_SMALL_RANK], product = 1, lower, upper, step;
    mlc_structured_loop_sizes(op, extent);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        product *= extent[i];
    for (MlcOp *loop = mlc_op_parent(op); loop; loop = mlc_op_parent(loop)) {
        const MlcLoop *vtable = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
        if (vtable && vtable->constant_bounds &&
            vtable->constant_bounds(loop, 0, &lower, &upper, &step))
            product *= mlc_ceil_div(upper - lower, step);
    }
    return product;
}

// Of all ops that read `value`, or slices of it.
static int64_t
iterations_of_users(MlcValue *value)
{
    int64_t sum = 0;
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        sum += is_slice(user) ? iterations_of_users(mlc_op_result(user, 0)) : num_iterations(user);
    }
    return sum;
}

static bool
is_worth_packing(Packer *p, MlcValue *matrix, const Layout *layout)
{
    const MlcTargetDesc *target = mlc_pass_target(p->pass);
    MlcType type = mlc_value_type(matrix);
    int64_t elements = mlc_type_num_elements(type), batches = 1,
            bytes = elements * mlc_type_bit_width(mlc_type_element(type)) / 8;
    for (size_t i = 0; i < layout->num_batch; i++)
        batches *= mlc_type_dim(type, layout->batch[i]);
    return layout->channel + 1 == layout->rank && layout->tile == layout->panel &&
           layout->run == 1 && bytes <= MOST_PACKED &&
           bytes / batches > (int64_t)target->l2_bytes / 2 &&
           iterations_of_users(matrix) / elements >= LEAST_ROWS;
}

// Copies rows of `width` channels to their place in panels [first, end), in loops over the
// dimensions of the packed form from `dim` on; `at`: where in those before.
static MlcValue *
build_packing(Packer *p, MlcBuilder *b, MlcValue *matrix, MlcValue *dest, const Layout *layout,
              MlcWindow *at, size_t dim, const int64_t panels[2], int64_t width)
{
    MlcType type = mlc_value_type(dest);
    if (dim == layout->rank) {
        MlcWindow from = {.rank = layout->rank};
        for (size_t i = 0; i < layout->num_batch; i++)
            from.offsets[layout->batch[i]] = at->offsets[i];
        for (size_t i = 0; i < layout->num_others; i++)
            from.offsets[layout->others[i]] = at->offsets[layout->num_batch + 1 + i];
        from.offsets[layout->channel] =
            mlc_affine_mul_const(at->offsets[layout->num_batch], layout->panel);
        for (size_t i = 0; i <= layout->rank; i++)
            from.sizes[i] = at->sizes[i] = 1;
        from.sizes[layout->channel] = at->sizes[dim] = width;
        at->offsets[dim] = mlc_affine_constant(p->ctx, 0);
        MlcType row = mlc_tensor_type_get(mlc_type_element(type), &width, 1, NULL);
        MlcValue *place = mlc_window_extract(b, &p->indices, dest, at, row),
                 *value = mlc_window_extract(b, &p->indices, matrix, &from, row);
        value = mlc_build_copy(b, value, NULL, place);
        return mlc_window_insert(b, &p->indices, value, dest, at);
    }
    bool is_panel = dim == layout->num_batch;
    int64_t begin = is_panel ? panels[0] : 0, end = is_panel ? panels[1] : mlc_type_dim(type, dim);
    MlcBuilder outside = *b;
    MlcOp *loop = mlc_build_for(b, begin, end, 1, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    at->offsets[dim] = mlc_index_values_expr(&p->indices, p->ctx, mlc_block_arg(body, 0));
    MlcValue *inner =
        build_packing(p, b, matrix, mlc_block_arg(body, 1), layout, at, dim + 1, panels, width);
    mlc_scf_yield(b, &inner, 1);
    *b = outside;
    p->indices.block = NULL;
    return mlc_op_result(loop, 0);
}

// What the last panel lacks is never read.
static void
pack_when_run(Packer *p, size_t arg, MlcValue *matrix, const Layout *layout)
{
    MlcType type = mlc_value_type(matrix), packed = packed_type(type, layout);
    int64_t channels = mlc_type_dim(type, layout->channel), full = channels / layout->panel,
            rest = channels % layout->panel;
    MlcWindow at = {.rank = layout->rank + 1};
    MlcBuilder b;
    mlc_builder_init(&b, p->ctx);
    if (mlc_value_def(matrix))
        mlc_builder_after(&b, mlc_value_def(matrix));
    else
        mlc_builder_before(&b, mlc_block_first(mlc_value_block(matrix)));
    MlcValue *place = mlc_build_empty(&b, packed), *dest = mlc_build_empty(&b, packed);
    rewrite_uses(p, matrix, place, layout); // all but the copies that are made now
    dest = build_packing(p, &b, matrix, dest, layout, &at, 0, (int64_t[]){0, full}, layout->panel);
    if (rest > 0)
        dest =
            build_packing(p, &b, matrix, dest, layout, &at, 0, (int64_t[]){full, full + 1}, rest);
    mlc_op_replace(mlc_value_def(place), &dest, 1);
    mlc_kernel_note(p->function, "argument %zu packed in panels of %lld when it runs", arg,
                    (long long)layout->panel);
    mlc_pass_count(p->pass, "packed-when-run", 1);
}

static void
try_argument(Packer *p, size_t arg)
{
    mlc_kernel_absorb_reshape(p->module, p->function, arg);
    MlcValue *weight =
        reshaped(mlc_block_arg(mlc_region_first(mlc_op_region(p->function, 0)), arg));
    MlcType type = mlc_value_type(weight);
    Layout layout = {0};
    MlcKernelCalls calls = {0};
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) >= MLC_SMALL_RANK)
        return;
    join_slices(p, weight);
    if (!common_layout(p, weight, &layout))
        return;
    bool has_panels = choose_panel(p, weight, &layout);
    if (has_panels)
        cut_into_streams(p, weight, &layout);
    if (has_panels && is_packed_already(type, &layout))
        return;
    if (!has_panels)
        mlc_kernel_remark(p->function,
                          "argument %zu not packed: its tiles are cut in different ways", arg);
    else if (mlc_kernel_calls(p->module, p->function, arg, &calls) && !mlc_value_def(weight))
        pack_argument(p, arg, &layout, &calls);
    else if (is_worth_packing(p, weight, &layout))
        pack_when_run(p, arg, weight, &layout);
    else
        mlc_kernel_remark(p->function, "argument %zu not packed: not all callers pass a constant",
                          arg);
    mlc_vec_release(&calls);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Packer p = {.pass = pass, .ctx = mlc_op_context(root), .module = root};
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(root, 0))) {
        if (!mlc_is_kernel_function(op))
            continue;
        p.function = op;
        for (size_t i = 0; i < mlc_block_num_args(mlc_region_first(mlc_op_region(op, 0))); i++)
            try_argument(&p, i);
    }
    mlc_index_values_release(&p.indices);
    return true;
}

static const char *const dialects[] = {"affine", "linalg", "tensor", NULL};

MLC_PASS(linalg_pack, .flag = "linalg-pack",
         .summary = "Pack constant weights of kernels into the panels their tiles read",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)
