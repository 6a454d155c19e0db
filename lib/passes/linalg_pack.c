// linalg_pack.c -- weights in the order in which the tiles of a kernel read them.
//
// After `tile`, a weight of a kernel is read as panels: windows of `t` along the channels, whole
// along the reduction. Each panel becomes contiguous: [O, ...] to [O / t, reduction loops in order,
// t], the last panel filled up with zeros, so that every step of the reduction reads the next
// vectors. A weight is an argument of a private function for which all callers pass constants:
// these are packed here, when compiling; nothing is packed when the model runs. A reshape of such
// an argument is first done to the constants too.
#include "structured.h"

#include "mlc/ir.h"

typedef struct Layout {
    size_t channel;              // dimension of the weight that is cut
    int64_t panel;               // channels of a panel
    size_t rank;                 // of the weight
    size_t others[MLC_MAX_RANK]; // its other dimensions, in the order of the reduction loops
} Layout;

typedef struct Packer {
    MlcPass *pass;
    MlcContext *ctx;
    MlcOp *module;
    MlcOp *function;
    MlcIvs ivs;
    MlcMap packed; // (constant op of a caller) -> its packed form, for the layout at hand
} Packer;

static bool
is_slice(MlcOp *op)
{
    return mlc_str_equal(mlc_op_name(op), mlc_str("tensor.extract_slice"));
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
    for (size_t i = 1; i < n; ++i)
        for (size_t j = i; j > 0 && loops[dims[j]] < loops[dims[j - 1]]; --j) {
            size_t dim = dims[j];
            dims[j] = dims[j - 1];
            dims[j - 1] = dim;
        }
}

// The layout that `op` wants for operand `i`: channels along the result's last loop, all else
// reductions.
static bool
wanted_layout(MlcOp *op, size_t i, Layout *layout)
{
    if (!mlc_op_is_static_structured(op) || i >= mlc_structured_num_inputs(op) ||
        mlc_structured_num_inputs(op) > MLC_MAX_LOOPS || mlc_structured_is_parallel(op))
        return false;
    MlcAffineMap map = mlc_structured_map(op, i);
    int channel = channel_loop(op), loops[MLC_MAX_RANK];
    size_t n = 0;
    layout->rank = mlc_affine_map_num_results(map);
    if (channel < 0 || layout->rank < 2 || !mlc_affine_map_is_projected_permutation(map, false) ||
        !mlc_affine_map_uses_dim(map, (unsigned)channel))
        return false;
    for (size_t r = 0; r < layout->rank; ++r) {
        loops[r] = mlc_map_result_dim(map, r);
        if (loops[r] == channel)
            layout->channel = r;
        else if (mlc_structured_iterator(op, (size_t)loops[r]) == MLC_ITERATOR_PARALLEL)
            return false;
        else
            layout->others[n++] = r;
    }
    sort_by_loop(layout->others, loops, n);
    return true;
}

static bool
layout_equal(const Layout *a, const Layout *b)
{
    return a->rank == b->rank && a->channel == b->channel && a->panel == b->panel &&
           memcmp(a->others, b->others, (a->rank - 1) * sizeof *a->others) == 0;
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

// Offsets are multiples of `panel`: a constant, or an induction variable whose loop steps so.
static bool
is_panel_start(Packer *p, MlcAffineExpr e, int64_t panel)
{
    int64_t constant;
    if (mlc_affine_is_constant(e, &constant))
        return constant % panel == 0;
    if (mlc_affine_kind(e) != MLC_AFFINE_DIM)
        return false;
    MlcBlock *block = mlc_value_block(p->ivs.values.data[mlc_affine_position(e)]);
    MlcOp *loop = block ? mlc_block_parent(block) : NULL;
    const MlcLoop *vtable = loop ? mlc_op_interface(loop, MLC_INTERFACE_LOOP) : NULL;
    int64_t lower, upper, step;
    return vtable && vtable->constant_bounds &&
           vtable->constant_bounds(loop, 0, &lower, &upper, &step) && lower % panel == 0 &&
           step % panel == 0;
}

static bool
window_cuts_only(const MlcWindow *w, MlcType type, size_t channel)
{
    for (size_t i = 0; i < w->rank; ++i) {
        int64_t offset;
        if (i != channel && (w->sizes[i] != mlc_type_dim(type, i) ||
                             !mlc_affine_is_constant(w->offsets[i], &offset) || offset != 0))
            return false;
    }
    return true;
}

// The largest window that any slice takes along `channel`.
static bool
panel_size(Packer *p, MlcValue *weight, Layout *layout)
{
    MlcType type = mlc_value_type(weight);
    bool agree = true, is_first = true;
    layout->panel = 0;
    for (MlcUse *use = mlc_value_first_use(weight); agree && use; use = mlc_use_next(use)) {
        MlcOp *user = mlc_use_owner(use);
        MlcWindow w;
        Layout other = {0};
        if (is_slice(user) && mlc_window_of_slice(user, 1, &p->ivs, &w) &&
            w.rank == mlc_type_rank(mlc_value_type(mlc_op_result(user, 0))))
            agree = users_agree(mlc_op_result(user, 0), &other) &&
                    window_cuts_only(&w, type, other.channel);
        else
            agree = mlc_structured(user) && wanted_layout(user, mlc_use_index(use), &other);
        if (!agree)
            return false;
        int64_t size = is_slice(user) ? w.sizes[other.channel] : mlc_type_dim(type, other.channel);
        other.panel = size > layout->panel ? size : layout->panel;
        layout->panel = other.panel;
        agree = is_first || layout_equal(layout, &other);
        *layout = other;
        is_first = false;
    }
    return agree && !is_first;
}

static bool
starts_are_panels(Packer *p, MlcValue *weight, const Layout *layout)
{
    for (MlcUse *use = mlc_value_first_use(weight); use; use = mlc_use_next(use)) {
        MlcWindow w;
        if (!is_slice(mlc_use_owner(use))) {
            if (mlc_type_dim(mlc_value_type(weight), layout->channel) != layout->panel)
                return false;
        } else if (!mlc_window_of_slice(mlc_use_owner(use), 1, &p->ivs, &w) ||
                   !is_panel_start(p, w.offsets[layout->channel], layout->panel)) {
            return false;
        }
    }
    return true;
}

// Nothing to do where the weight is read in its order already.
static bool
is_packed_already(MlcType type, const Layout *layout)
{
    if (layout->channel + 1 != layout->rank || mlc_type_dim(type, layout->channel) != layout->panel)
        return false;
    for (size_t i = 0; i + 1 < layout->rank; ++i)
        if (layout->others[i] != i)
            return false;
    return true;
}

// ---- the constants

static MlcType
packed_type(MlcType type, const Layout *layout)
{
    int64_t shape[MLC_MAX_RANK + 1];
    int64_t channels = mlc_type_dim(type, layout->channel);
    shape[0] = (channels + layout->panel - 1) / layout->panel;
    for (size_t i = 0; i + 1 < layout->rank; ++i)
        shape[i + 1] = mlc_type_dim(type, layout->others[i]);
    shape[layout->rank] = layout->panel;
    return mlc_tensor_type_get(mlc_type_element(type), shape, layout->rank + 1, NULL);
}

static void
copy_element(char *to, const char *from, size_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, size);
}

// `to` is zeroed: what no channel fills stays zero.
static void
pack_bytes(MlcType type, const Layout *layout, const char *from, char *to)
{
    size_t size = mlc_elements_attr_element_bytes(mlc_type_element(type)), rank = layout->rank,
           stride[MLC_MAX_RANK] = {0};
    size_t step = size;
    for (size_t i = rank; i-- > 0;) {
        stride[i] = step;
        step *= (size_t)mlc_type_dim(type, i);
    }
    int64_t channels = mlc_type_dim(type, layout->channel), at[MLC_MAX_RANK] = {0};
    size_t channel_stride = stride[layout->channel], source = 0;
    int64_t rows = 1;
    for (size_t i = 0; i + 1 < rank; ++i)
        rows *= mlc_type_dim(type, layout->others[i]);
    for (int64_t start = 0; start < channels; start += layout->panel) {
        int64_t lanes = channels - start < layout->panel ? channels - start : layout->panel;
        for (int64_t row = 0; row < rows; ++row, to += (size_t)layout->panel * size) {
            const char *base = from + source + (size_t)start * channel_stride;
            for (int64_t l = 0; l < lanes; ++l)
                copy_element(to + (size_t)l * size, base + (size_t)l * channel_stride, size);
            for (size_t i = rank - 1; i-- > 0;) { // odometer over the other dimensions
                size_t dim = layout->others[i];
                source += stride[dim];
                if (++at[i] < mlc_type_dim(type, dim))
                    break;
                source -= (size_t)at[i] * stride[dim];
                at[i] = 0;
            }
        }
    }
}

// The bytes of a constant that can be packed; NULL where there are none, or not byte-wise ones.
static const void *
constant_bytes(MlcValue *value, bool *is_splat)
{
    MlcAttr attr = mlc_value_constant(value);
    MlcType element = mlc_type_element(mlc_value_type(value));
    if (!attr || (!mlc_type_is(element, MLC_TYPE_FLOAT) && !mlc_type_is(element, MLC_TYPE_INTEGER)))
        return NULL;
    if (!mlc_attr_is(attr, MLC_ATTR_DENSE) && !mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE))
        return NULL;
    size_t size;
    *is_splat = mlc_elements_attr_is_splat(attr);
    return mlc_elements_attr_data(attr, &size);
}

static MlcAttr
pack_constant(MlcValue *value, const Layout *layout)
{
    MlcAttr attr = mlc_value_constant(value);
    MlcType type = mlc_value_type(value), to = packed_type(type, layout);
    bool is_splat;
    const void *bytes = constant_bytes(value, &is_splat);
    size_t size = mlc_elements_attr_element_bytes(mlc_type_element(type));
    if (is_splat)
        return mlc_dense_attr_get(to, bytes, size, true);
    void *data;
    MlcBlob *blob = mlc_blob_create_empty((size_t)mlc_type_num_elements(to) * size, 64, &data);
    pack_bytes(type, layout, bytes, data);
    MlcAttr packed;
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE)) {
        MlcStr key = mlc_dense_resource_attr_key(attr);
        MlcBuf name = {0};
        mlc_buf_printf(&name, "%.*s.packed%lld", MLC_STR_FMT(key), (long long)layout->panel);
        packed = mlc_dense_resource_attr_get(to, mlc_buf_str(&name), blob);
        mlc_buf_release(&name);
    } else {
        packed = mlc_dense_attr_get(to, data, mlc_blob_size(blob), false);
    }
    mlc_blob_release(blob);
    return packed;
}

// The same elements in another shape.
static MlcAttr
reshape_constant(MlcValue *value, MlcType to)
{
    MlcAttr attr = mlc_value_constant(value);
    bool is_splat;
    const void *bytes = constant_bytes(value, &is_splat);
    size_t size = mlc_elements_attr_element_bytes(mlc_type_element(to));
    if (is_splat)
        return mlc_dense_attr_get(to, bytes, size, true);
    if (mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE))
        return mlc_dense_resource_attr_get(to, mlc_dense_resource_attr_key(attr),
                                           mlc_dense_resource_attr_blob(attr));
    return mlc_dense_attr_get(to, bytes, (size_t)mlc_type_num_elements(to) * size, false);
}

// The constant for a caller: packed, or reshaped to `to` where `layout` is NULL; one for all calls
// that share it.
static MlcValue *
prepared_value(Packer *p, MlcValue *value, const Layout *layout, MlcType to)
{
    MlcOp *def = mlc_value_def(value), *made = mlc_map_get(&p->packed, def);
    if (!made) {
        MlcAttr attr = layout ? pack_constant(value, layout) : reshape_constant(value, to);
        made = mlc_op_clone(def, NULL);
        mlc_op_set_attr(made, "value", attr);
        mlc_value_set_type(mlc_op_result(made, 0), mlc_attr_type(attr));
        mlc_op_insert_after(made, def);
        mlc_map_set(&p->packed, def, made);
    }
    return mlc_op_result(made, 0);
}

// ---- callers

typedef struct Call {
    MlcOp *op;
    size_t first; // operand that is argument 0
} Call;
typedef MLC_VEC(Call) CallVec;

static bool
is_call_of(MlcOp *op, MlcStr name, Call *call)
{
    const MlcCall *vtable = mlc_op_interface(op, MLC_INTERFACE_CALL);
    MlcAttr callee = vtable ? vtable->callee(op) : NULL;
    size_t count;
    if (!callee || !mlc_str_equal(mlc_symbol_ref_attr_name(callee, 0), name))
        return false;
    call->op = op;
    vtable->arguments(op, &call->first, &count);
    return true;
}

// False if some caller passes what is not a constant.
static bool
find_calls(Packer *p, size_t arg, CallVec *calls)
{
    MlcAttr name = mlc_op_attr(p->function, "sym_name");
    MLC_FOR_EACH_PREORDER (op, p->module) {
        Call call;
        bool is_splat;
        if (!is_call_of(op, mlc_string_attr_value(name), &call))
            continue;
        if (!constant_bytes(mlc_op_operand(op, call.first + arg), &is_splat))
            return false;
        mlc_vec_push(calls, call);
    }
    return calls->size > 0;
}

// ---- the rewrite

// The same op as linalg.generic, operand `i` being `value`, read by `map`.
static void
reread_operand(MlcOp *op, size_t i, MlcValue *value, MlcAffineMap map)
{
    MlcAffineMap maps[MLC_MAX_LOOPS + 2];
    MlcValue *inputs[MLC_MAX_LOOPS + 1];
    MlcIterator iterators[MLC_MAX_LOOPS];
    size_t n = mlc_structured_num_inputs(op), num_loops = mlc_structured_num_loops(op);
    for (size_t k = 0; k <= n; ++k) {
        maps[k] = k == i ? map : mlc_structured_map(op, k);
        if (k < n)
            inputs[k] = k == i ? value : mlc_op_operand(op, k);
    }
    for (size_t k = 0; k < num_loops; ++k)
        iterators[k] = mlc_structured_iterator(op, k);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcOp *generic =
        mlc_build_generic(&b, inputs, n, mlc_op_operand(op, n), maps, iterators, num_loops);
    MlcBlock *to = mlc_region_first(mlc_op_region(generic, 0)), *from = mlc_structured_body(op);
    for (size_t k = 0; k <= n; ++k)
        mlc_value_replace_uses(mlc_block_arg(from, k), mlc_block_arg(to, k));
    mlc_block_splice(to, NULL, from);
    MlcValue *result = mlc_op_result(generic, 0);
    mlc_op_replace(op, &result, 1);
}

// The users of a panel read it in its new order, the channels last.
static void
reread_users(Packer *p, MlcValue *old, MlcValue *panel, const Layout *layout)
{
    MlcUse *use;
    while ((use = mlc_value_first_use(old))) {
        MlcOp *op = mlc_use_owner(use);
        size_t i = mlc_use_index(use);
        MlcAffineMap map = mlc_structured_map(op, i);
        MlcAffineExpr results[MLC_MAX_RANK];
        for (size_t r = 0; r + 1 < layout->rank; ++r)
            results[r] = mlc_affine_map_result(map, layout->others[r]);
        results[layout->rank - 1] = mlc_affine_map_result(map, layout->channel);
        map = mlc_affine_map_get(p->ctx, mlc_affine_map_num_dims(map), 0, results, layout->rank);
        reread_operand(op, i, panel, map);
    }
}

// A panel: [1, reductions, channels] of the packed weight, without the 1.
static MlcValue *
build_panel(Packer *p, MlcBuilder *b, MlcValue *weight, MlcAffineExpr start, int64_t channels,
            const Layout *layout)
{
    MlcType type = mlc_value_type(weight);
    MlcWindow w = {.rank = layout->rank + 1};
    for (size_t i = 0; i < w.rank; ++i) {
        w.offsets[i] = mlc_affine_constant(p->ctx, 0);
        w.sizes[i] = mlc_type_dim(type, i);
    }
    w.offsets[0] =
        mlc_affine_binary(MLC_AFFINE_FLOORDIV, start, mlc_affine_constant(p->ctx, layout->panel));
    w.sizes[0] = 1;
    w.sizes[layout->rank] = channels;
    MlcType slice = mlc_tensor_type_get(mlc_type_element(type), w.sizes + 1, layout->rank, NULL);
    p->ivs.block = NULL;
    return mlc_build_extract_slice(b, &p->ivs, weight, &w, slice);
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
        mlc_builder_before(&b, user);
        if (is_slice(user)) {
            mlc_window_of_slice(user, 1, &p->ivs, &w);
            MlcValue *panel = build_panel(p, &b, weight, w.offsets[layout->channel],
                                          w.sizes[layout->channel], layout);
            reread_users(p, mlc_op_result(user, 0), panel, layout);
            mlc_op_erase(user);
        } else {
            MlcValue *panel =
                build_panel(p, &b, weight, mlc_affine_constant(p->ctx, 0), layout->panel, layout);
            reread_users(p, old, panel, layout);
        }
    }
}

static void
set_argument_type(MlcOp *function, size_t arg, MlcType type)
{
    const MlcFunction *vtable = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType old = vtable->type(function);
    MlcTypeVec inputs = {0};
    for (size_t i = 0; i < mlc_function_type_num_inputs(old); ++i)
        mlc_vec_push(&inputs, i == arg ? type : mlc_function_type_inputs(old)[i]);
    MlcType made =
        mlc_function_type_get(mlc_op_context(function), inputs.data, inputs.size,
                              mlc_function_type_results(old), mlc_function_type_num_results(old));
    mlc_op_set_slot(function, vtable->type_slot, mlc_type_attr_get(made));
    mlc_vec_release(&inputs);
}

// Gives argument `arg` another type, and the callers' constants with it. Returns the new argument;
// the old one is the next.
static MlcValue *
prepare_argument(Packer *p, size_t arg, const Layout *layout, MlcType type, const CallVec *calls)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(p->function, 0));
    mlc_map_clear(&p->packed);
    for (size_t i = 0; i < calls->size; ++i) {
        MlcOp *call = calls->data[i].op;
        size_t operand = calls->data[i].first + arg;
        mlc_op_set_operand(call, operand,
                           prepared_value(p, mlc_op_operand(call, operand), layout, type));
    }
    MLC_MAP_FOR_EACH (constant, &p->packed) {
        MlcOp *op = mlc_map_entry_key(constant);
        if (!mlc_op_has_uses(op))
            mlc_op_erase(op);
    }
    set_argument_type(p->function, arg, type);
    return mlc_block_insert_arg(entry, arg, type, mlc_block_arg_loc(entry, arg));
}

static void
pack_argument(Packer *p, size_t arg, const Layout *layout, const CallVec *calls)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(p->function, 0));
    MlcValue *old = mlc_block_arg(entry, arg);
    MlcType type = packed_type(mlc_value_type(old), layout);
    MlcValue *weight = prepare_argument(p, arg, layout, type, calls);
    rewrite_uses(p, old, weight, layout);
    mlc_block_erase_arg(entry, arg + 1);
    mlc_pass_count(p->pass, "weights-packed", (int64_t)calls->size);
}

// An argument that is only reshaped, and constant for all callers, comes reshaped.
static void
absorb_reshape(Packer *p, size_t arg)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(p->function, 0));
    MlcValue *old = mlc_block_arg(entry, arg);
    MlcOp *reshape = mlc_value_has_one_use(old) ? mlc_use_owner(mlc_value_first_use(old)) : NULL;
    CallVec calls = {0};
    if (reshape && mlc_op_num_operands(reshape) == 1 && mlc_op_attr(reshape, "reassociation") &&
        mlc_type_has_static_shape(mlc_value_type(mlc_op_result(reshape, 0))) &&
        find_calls(p, arg, &calls)) {
        MlcType type = mlc_value_type(mlc_op_result(reshape, 0));
        MlcValue *value = prepare_argument(p, arg, NULL, type, &calls);
        mlc_op_replace(reshape, &value, 1);
        mlc_block_erase_arg(entry, arg + 1);
    }
    mlc_vec_release(&calls);
}

static void
try_argument(Packer *p, size_t arg)
{
    absorb_reshape(p, arg);
    MlcValue *weight = mlc_block_arg(mlc_region_first(mlc_op_region(p->function, 0)), arg);
    MlcType type = mlc_value_type(weight);
    Layout layout = {0};
    CallVec calls = {0};
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) >= MLC_MAX_RANK || !panel_size(p, weight, &layout) ||
        is_packed_already(type, &layout))
        return;
    if (!starts_are_panels(p, weight, &layout))
        mlc_op_remark(p->function, "argument %zu not packed: its tiles are cut in different ways",
                      arg);
    else if (!find_calls(p, arg, &calls))
        mlc_op_remark(p->function, "argument %zu not packed: not all callers pass a constant", arg);
    else
        pack_argument(p, arg, &layout, &calls);
    mlc_vec_release(&calls);
}

static bool
is_private_function(MlcOp *op)
{
    MlcAttr visibility = mlc_op_attr(op, "sym_visibility");
    return mlc_op_interface(op, MLC_INTERFACE_FUNCTION) && mlc_op_num_regions(op) == 1 &&
           !mlc_region_is_empty(mlc_op_region(op, 0)) && mlc_attr_is(visibility, MLC_ATTR_STRING) &&
           mlc_str_equal(mlc_string_attr_value(visibility), mlc_str("private"));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Packer p = {.pass = pass, .ctx = mlc_op_context(root), .module = root};
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(root, 0))) {
        if (!is_private_function(op))
            continue;
        p.function = op;
        for (size_t i = 0; i < mlc_block_num_args(mlc_region_first(mlc_op_region(op, 0))); ++i)
            try_argument(&p, i);
    }
    mlc_ivs_release(&p.ivs);
    mlc_map_release(&p.packed);
    return true;
}

static const char *const dialects[] = {"affine", "linalg", "tensor", NULL};

MLC_PASS(linalg_pack, .flag = "linalg-pack",
         .summary = "Pack constant weights of kernels into the panels their tiles read",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)
