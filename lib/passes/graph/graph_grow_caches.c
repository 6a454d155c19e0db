// graph_grow_caches.c -- a cache that a model is given and gives back longer is written in place.
//
// `present = concat(past, new)`, where `past` is an input that nobody else reads and `present` an
// output, copies the past in each run. Here the output gets the shape of its memory instead: along
// the axis it has room for more than is in it, and only `new` is written, behind the past
// (graph.grow). Whoever reads the present reads a window of it:
//
//   %grown = graph.grow %new {axis = 2, start_sizes = ["past"], sizes = ["batch", "", "room of
//   past", ""]} %present = graph.slice %grown {axes = [2], starts = [0], end_sizes = ["past +
//   seq"]}
//
// The room is a size that no input has, an argument of the function; all caches along one dimension
// share it. `mlc.caches` of the function tells the runtime what is where, which sees to it that the
// memory begins with the past: that of a session stays as it is from run to run
// (mlc_session_grow), else the past is copied there. docs/internals/sizes.md has more.
#include "kernel/kernel_arguments.h"

#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir.h"
#include "mlc/pass.h"

typedef MLC_VEC(MlcAttr) AttrVec;

typedef struct Cache {
    MlcOp *concat;
    size_t input, output, axis;
    MlcAttr past, present, room; // sizes along the axis
} Cache;
typedef MLC_VEC(Cache) CacheVec;

// ---- which

// Which result of the function the value is, and no other; -1: none, or several.
static int64_t
result_of(MlcOp *end, const MlcValue *value)
{
    int64_t found = -1;
    for (size_t i = 0; i < mlc_op_num_operands(end); i++)
        if (mlc_op_operand(end, i) == value) {
            if (found >= 0)
                return -1;
            found = (int64_t)i;
        }
    return found;
}

// No other dimension of the tensor depends on the name.
static bool
has_name_once(MlcType type, size_t axis, MlcAttr name)
{
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (i != axis && mlc_type_dim(type, i) == MLC_DYNAMIC && mlc_size_of_dim(type, i) == name)
            return false;
    return true;
}

static bool
read_cache(MlcValue *arg, MlcOp *end, Cache *cache)
{
    MlcUse *use = mlc_value_first_use(arg);
    MlcOp *concat = use ? mlc_use_owner(use) : NULL;
    MlcStr name;
    if (!use || mlc_use_next(use) || mlc_use_index(use) != 0 || !mlc_graph_concat_isa(concat) ||
        mlc_op_num_operands(concat) != 2 || mlc_op_block(concat) != mlc_op_block(end))
        return false;
    MlcType from = mlc_value_type(arg), to = mlc_value_type(mlc_op_result(concat, 0));
    int64_t output = result_of(end, mlc_op_result(concat, 0));
    if (output < 0 || !mlc_type_has_small_rank(from) || !mlc_type_has_rank(to))
        return false;
    size_t axis = (size_t)mlc_graph_axis(concat);
    *cache = (Cache){.concat = concat,
                     .input = mlc_value_index(arg),
                     .output = (size_t)output,
                     .axis = axis,
                     .past = mlc_size_of_dim(from, axis),
                     .present = mlc_size_of_dim(to, axis)};
    for (size_t i = 0; i < mlc_type_rank(to); i++)
        if (!mlc_size_of_dim(to, i))
            return false;
    return mlc_type_dim(from, axis) == MLC_DYNAMIC && cache->past && cache->present &&
           mlc_size_is_name(cache->past, &name) && has_name_once(from, axis, cache->past);
}

static bool
has_size(MlcBlock *body, MlcAttr size)
{
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        MlcType type = mlc_value_type(mlc_block_arg(body, i));
        for (size_t k = 0; mlc_size_names(type) && k < mlc_type_rank(type); k++)
            if (mlc_type_dim(type, k) == MLC_DYNAMIC && mlc_size_of_dim(type, k) == size)
                return true;
    }
    return false;
}

// Caches of one name have one length before and one behind; false if this one differs, or an input
// has the size that would be the room's name.
static bool
find_room(MlcBlock *body, const CacheVec *found, Cache *cache)
{
    MlcStr name;
    MlcBuf text = {0};
    for (size_t i = 0; i < found->size; i++)
        if (found->data[i].past == cache->past) {
            cache->room = found->data[i].room;
            return found->data[i].present == cache->present;
        }
    bool ok = mlc_size_is_name(cache->past, &name);
    mlc_buf_printf(&text, "room of %.*s", MLC_STR_FMT(name));
    cache->room = ok ? mlc_size_named(mlc_type_context(mlc_value_type(mlc_block_arg(body, 0))),
                                      mlc_buf_str(&text))
                     : NULL;
    mlc_buf_release(&text);
    return cache->room && !has_size(body, cache->room);
}

// ---- the rewriting

static MlcType
with_size(MlcType type, size_t axis, MlcAttr size)
{
    MlcAttr sizes[MLC_SMALL_RANK];
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        sizes[i] = i == axis ? size : mlc_size_of_dim(type, i);
    return mlc_sized_type_get(mlc_type_element(type), sizes, mlc_type_rank(type));
}

// The texts of a tensor's open sizes, "" for others.
static MlcAttr
texts_of(MlcContext *ctx, MlcType type)
{
    MlcAttr names = mlc_size_names(type);
    return names ? names : mlc_array_attr_get(ctx, NULL, 0);
}

static MlcAttr
one_text(MlcContext *ctx, MlcAttr text)
{
    return mlc_array_attr_get(ctx, &text, 1);
}

// The next dimension from `i` on that is not the number 1.
static size_t
skip_ones(MlcType type, size_t i)
{
    while (i < mlc_type_rank(type) && mlc_type_dim(type, i) == 1)
        i++;
    return i;
}

// A reshape that puts in or takes out dimensions of size 1: in `*axis` where the axis comes to.
static bool
moves_ones_only(MlcOp *op, size_t *axis)
{
    if (!mlc_graph_reshape_isa(op))
        return false;
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    size_t i = skip_ones(from, 0), k = skip_ones(to, 0), found = mlc_type_rank(to);
    for (; i < mlc_type_rank(from) && k < mlc_type_rank(to);
         i = skip_ones(from, i + 1), k = skip_ones(to, k + 1)) {
        if (!mlc_size_of_dim(to, k) || mlc_size_of_dim(from, i) != mlc_size_of_dim(to, k))
            return false;
        found = i == *axis ? k : found;
    }
    bool ok = i == mlc_type_rank(from) && k == mlc_type_rank(to) && found < mlc_type_rank(to);
    *axis = ok ? found : *axis;
    return ok;
}

static MlcValue *
build_reshape(MlcBuilder *b, MlcValue *value, MlcType type)
{
    int64_t shape[MLC_SMALL_RANK];
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        shape[i] = mlc_type_dim(type, i) == MLC_DYNAMIC ? 1 : mlc_type_dim(type, i);
    MlcValue *made = mlc_graph_reshape_as(b, type, value, shape, rank, true);
    mlc_graph_reshape_set_sizes(mlc_value_def(made), texts_of(b->ctx, type));
    return made;
}

// What is in the memory: elements up to the size `end` along the axis.
static MlcValue *
build_window(MlcBuilder *b, MlcValue *memory, MlcType type, size_t axis, MlcAttr end)
{
    const int64_t zero = 0, along = (int64_t)axis;
    MlcValue *window = mlc_graph_slice_as(b, type, memory, &zero, 1, &zero, 1, &along, 1, NULL, 0);
    mlc_graph_slice_set_end_sizes(mlc_value_def(window), one_text(b->ctx, end));
    return window;
}

// A reader takes a window. That of a reshape goes to its other side, since a window is read where
// it lies, but reshaped only by a copy.
static void
read_window(MlcUse *use, MlcValue *grown, const Cache *cache)
{
    MlcOp *user = mlc_use_owner(use);
    size_t axis = cache->axis;
    MlcType present = mlc_value_type(mlc_op_result(cache->concat, 0));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(user));
    mlc_builder_before(&b, user);
    b.loc = mlc_op_loc(user);
    if (!moves_ones_only(user, &axis)) {
        MlcValue *window = build_window(&b, grown, present, axis, cache->present);
        mlc_op_set_operand(user, mlc_use_index(use), window);
        return;
    }
    MlcType type = mlc_value_type(mlc_op_result(user, 0));
    MlcValue *memory = build_reshape(&b, grown, with_size(type, axis, cache->room));
    MlcValue *window = build_window(&b, memory, type, axis, cache->present);
    mlc_op_replace(user, &window, 1);
}

static void
grow(const Cache *cache, MlcOp *end)
{
    MlcOp *concat = cache->concat;
    MlcValue *present = mlc_op_result(concat, 0);
    MlcType type = with_size(mlc_value_type(present), cache->axis, cache->room);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(concat));
    mlc_builder_before(&b, concat);
    b.loc = mlc_op_loc(concat);
    MlcValue *grown = mlc_graph_grow_as(&b, type, mlc_op_operand(concat, 1), (int64_t)cache->axis,
                                        one_text(b.ctx, cache->past), texts_of(b.ctx, type));
    mlc_op_set_operand(end, cache->output, grown);
    for (MlcUse *use; (use = mlc_value_first_use(present));)
        read_window(use, grown, cache);
    mlc_op_erase(concat);
}

// ---- the function

static void
follow_results(MlcOp *function, MlcOp *end)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType old = methods->type(function);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(end); i++)
        mlc_vec_push(&types, mlc_op_operand_type(end, i));
    MlcType made = mlc_function_type_get(mlc_op_context(function), mlc_function_type_inputs(old),
                                         mlc_function_type_num_inputs(old), types.data, types.size);
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(made));
    mlc_vec_release(&types);
}

// An argument of type index for each room, behind all others.
static void
add_rooms(MlcOp *function, MlcBlock *body, const CacheVec *caches)
{
    MlcContext *ctx = mlc_op_context(function);
    for (size_t i = 0; i < caches->size; i++) {
        MlcAttr room = caches->data[i].room;
        if (mlc_size_argument(function, room))
            continue;
        mlc_block_add_arg(body, mlc_index_type_get(ctx), mlc_op_loc(function));
        mlc_function_follow_arguments(function);
        const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
        MlcAttr old = mlc_op_slot(function, methods->arg_attrs_slot);
        AttrVec dicts = {0};
        size_t last = mlc_block_num_args(body) - 1;
        for (size_t k = 0; k < last; k++)
            mlc_vec_push(&dicts, old && k < mlc_array_attr_size(old)
                                     ? mlc_array_attr_element(old, k)
                                     : mlc_dict_attr_get(ctx, NULL, 0));
        MlcNamedAttr size = mlc_named(ctx, MLC_SIZE_ATTR, room);
        mlc_vec_push(&dicts, mlc_dict_attr_get(ctx, &size, 1));
        mlc_op_set_slot(function, methods->arg_attrs_slot,
                        mlc_array_attr_get(ctx, dicts.data, dicts.size));
        mlc_vec_release(&dicts);
    }
}

// `mlc.caches`: [input, output, axis, past, present, room] each.
static void
tell_caches(MlcOp *function, const CacheVec *caches)
{
    MlcContext *ctx = mlc_op_context(function);
    AttrVec rows = {0};
    for (size_t i = 0; i < caches->size; i++) {
        const Cache *c = &caches->data[i];
        MlcAttr row[] = {mlc_i64_attr_get(ctx, (int64_t)c->input),
                         mlc_i64_attr_get(ctx, (int64_t)c->output),
                         mlc_i64_attr_get(ctx, (int64_t)c->axis),
                         c->past,
                         c->present,
                         c->room};
        mlc_vec_push(&rows, mlc_array_attr_get(ctx, row, sizeof row / sizeof *row));
    }
    mlc_op_set_attr(function, "mlc.caches", mlc_array_attr_get(ctx, rows.data, rows.size));
    mlc_vec_release(&rows);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOp *function = mlc_symbol_lookup(root, mlc_str("main"));
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    if (!methods || !mlc_region_has_one_block(mlc_op_region(function, 0)) ||
        mlc_op_attr(function, "mlc.caches"))
        return true;
    MlcBlock *body = mlc_region_first(mlc_op_region(function, 0));
    MlcOp *end = mlc_block_last(body);
    CacheVec caches = {0};
    Cache cache;
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        if (read_cache(mlc_block_arg(body, i), end, &cache) && find_room(body, &caches, &cache))
            mlc_vec_push(&caches, cache);
    if (caches.size > 0) {
        for (size_t i = 0; i < caches.size; i++)
            grow(&caches.data[i], end);
        follow_results(function, end);
        add_rooms(function, body, &caches);
        tell_caches(function, &caches);
    }
    mlc_pass_count(pass, "caches", (int64_t)caches.size);
    mlc_vec_release(&caches);
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_grow_caches, .flag = "graph-grow-caches",
         .summary = "Write what a model appends to an input in place, behind it",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)
