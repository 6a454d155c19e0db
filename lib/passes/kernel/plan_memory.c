// plan_memory.c -- every buffer of the model function gets its place in one arena; the peak is
// known when compiling.
//
// A buffer lives from the first call that is given it to the last, through views of it. Buffers
// that live at the same time get disjoint ranges (buffer_places.c). Constants (memref.get_global)
// become windows of one `%constants` argument in the order of the module attribute `mlc.constants`.
// The function becomes
//   @main(%arena, %constants, %prepared, inputs..., outputs...)
// Where buffers or constants lie in device memory, both have a copy there, `%device_arena` and
// `%device_constants` behind the three: one plan gives the offsets in either.
// Where sizes are known when the model runs only, so are the places: plan_sizes.c.
#include "buffer_places.h"
#include "kernel_arguments.h"
#include "plan_sizes.h"

#include "mlc/analysis/alias.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/dialects/memref.h"

#include <stdio.h>
#include <stdlib.h>

// What calls marked `mlc.run_once` fill: buffers that live as long as the model, each at its place
// in `%prepared`.
typedef struct Prepared {
    MlcOpVec calls;
    MlcMap offsets; // memref.alloc -> offset + 1
    int64_t bytes;
} Prepared;

static MlcOp *
root_of(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    while (def && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE))
        def = mlc_value_def(mlc_op_operand(def, 0));
    return def;
}

// Such a call may leave the model function if it is given nothing but constants and fresh buffers.
static bool
depends_on_constants_only(MlcOp *call)
{
    MLC_FOR_EACH_OPERAND (value, call) {
        MlcOp *root = root_of(value);
        if (!mlc_memref_get_global_isa(root) && !mlc_memref_alloc_isa(root))
            return false;
    }
    return mlc_op_num_results(call) == 0;
}

static bool
collect_prepared(MlcBlock *body, Prepared *prepared)
{
    MLC_FOR_EACH_OP (op, body) {
        if (!mlc_op_attr(op, "mlc.run_once") || !depends_on_constants_only(op))
            continue;
        mlc_vec_push(&prepared->calls, op);
        MLC_FOR_EACH_OPERAND (value, op) {
            MlcOp *root = root_of(value);
            MlcType type = mlc_value_type(mlc_op_result(root, 0));
            if (!mlc_memref_alloc_isa(root) || !mlc_type_has_static_shape(type) ||
                mlc_map_has(&prepared->offsets, root))
                continue;
            if (!mlc_buffer_check_bytes(root))
                return false;
            mlc_map_set(&prepared->offsets, root, (void *)(uintptr_t)(prepared->bytes + 1));
            prepared->bytes += mlc_buffer_align(mlc_buffer_bytes(type));
        }
    }
    return true;
}

static bool
collect(MlcBlock *body, MlcBufferPlaces *buffers, const Prepared *prepared)
{
    MlcOpVec allocs = {0};
    bool ok = true;
    MLC_FOR_EACH_OP (op, body)
        if (mlc_memref_alloc_isa(op) && !mlc_map_has(&prepared->offsets, op) &&
            mlc_buffer_stays(mlc_op_result(op, 0))) {
            ok = mlc_buffer_check_bytes(op) && ok;
            mlc_vec_push(&allocs, op);
        }
    mlc_buffer_lives(body, &allocs, buffers);
    mlc_vec_release(&allocs);
    return ok;
}

static MlcType
bytes_type(MlcContext *ctx, int64_t bytes, MlcAttr space)
{
    return mlc_memref_type_get(mlc_integer_type_get(ctx, 8, MLC_SIGNLESS), &bytes, 1, NULL, space);
}

MlcValue *
mlc_plan_memory_for(MlcBlock *body, MlcType type, size_t host)
{
    size_t device = host == MLC_PLAN_ARENA ? MLC_PLAN_DEVICE_ARENA : MLC_PLAN_DEVICE_CONSTANTS;
    return mlc_block_arg(body, mlc_memref_type_memory_space(type) ? device : host);
}

static MlcValue *
window(MlcOp *at, MlcValue *bytes, int64_t offset, MlcType type)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(at));
    mlc_builder_before(&b, at);
    return mlc_memref_view(&b, type, bytes, mlc_build_index(&b, offset), NULL, 0);
}

// Gathers what memref.get_global reads: the constants in order, each one once, and where each
// begins.
typedef struct Constants {
    MlcPtrVec attrs;
    MlcMap offsets; // attribute -> offset + 1
    int64_t bytes;
} Constants;

static int64_t
offset_of(Constants *constants, MlcAttr value)
{
    uintptr_t known = (uintptr_t)mlc_map_get(&constants->offsets, value);
    if (known)
        return (int64_t)known - 1;
    int64_t offset = constants->bytes;
    mlc_map_set(&constants->offsets, value, (void *)(uintptr_t)(offset + 1));
    mlc_vec_push(&constants->attrs, (void *)value);
    constants->bytes += mlc_buffer_align(mlc_buffer_bytes(mlc_attr_type(value)));
    return offset;
}

static bool
find_constants(MlcOp *module, MlcBlock *body, Constants *constants)
{
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    bool ok = true;
    MLC_FOR_EACH_OP (op, body) {
        if (!mlc_memref_get_global_isa(op))
            continue;
        MlcOp *global =
            mlc_symbol_table_lookup(symbols, mlc_symbol_ref_attr_name(mlc_op_attr(op, "name"), 0));
        MlcAttr value = global ? mlc_op_attr(global, "initial_value") : NULL;
        if (!value || !mlc_op_attr(global, "constant") || !mlc_elements_attr_has_data(value))
            ok = mlc_op_error(
                op, "the memory plan has room for constants whose elements are known only");
        else
            offset_of(constants, value);
    }
    mlc_symbol_table_destroy(symbols);
    return ok;
}

typedef struct Used {
    MlcSymbolTable *symbols;
    MlcMap ops;
} Used;

static void
note_use(MlcOp *user, MlcAttr ref, void *data)
{
    (void)user;
    Used *used = data;
    mlc_map_set(&used->ops,
                mlc_symbol_table_lookup(used->symbols, mlc_symbol_ref_attr_name(ref, 0)), NULL);
}

static void
replace_constants(MlcOp *module, MlcBlock *body, Constants *constants)
{
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    MLC_FOR_EACH_OP_SAFE (op, body) {
        if (!mlc_memref_get_global_isa(op))
            continue;
        MlcOp *global =
            mlc_symbol_table_lookup(symbols, mlc_symbol_ref_attr_name(mlc_op_attr(op, "name"), 0));
        int64_t offset = offset_of(constants, mlc_op_attr(global, "initial_value"));
        MlcType type = mlc_value_type(mlc_op_result(op, 0));
        MlcValue *view =
            window(op, mlc_plan_memory_for(body, type, MLC_PLAN_CONSTANTS), offset, type);
        mlc_op_replace(op, &view, 1);
    }
    Used used = {.symbols = symbols};
    mlc_map_init(&used.ops);
    mlc_symbol_visit_uses(module, false, note_use, &used);
    MLC_FOR_EACH_OP_SAFE (op, mlc_region_first(mlc_op_region(module, 0)))
        if (mlc_memref_global_isa(op) && !mlc_map_has(&used.ops, op))
            mlc_op_erase(op);
    mlc_map_release(&used.ops);
    mlc_symbol_table_destroy(symbols);
}

// The value inside the init function: windows of its arguments, views made again.
static MlcValue *
value_in_init(MlcOp *end, MlcValue *value, const Prepared *prepared, Constants *constants,
              MlcSymbolTable *symbols)
{
    MlcOp *def = mlc_value_def(value);
    MlcBlock *body = mlc_op_block(end);
    if (mlc_memref_get_global_isa(def)) {
        MlcOp *global =
            mlc_symbol_table_lookup(symbols, mlc_symbol_ref_attr_name(mlc_op_attr(def, "name"), 0));
        int64_t offset = offset_of(constants, mlc_op_attr(global, "initial_value"));
        return window(end, mlc_block_arg(body, 1), offset, mlc_value_type(value));
    }
    if (mlc_memref_alloc_isa(def)) {
        int64_t offset = (int64_t)(uintptr_t)mlc_map_get(&prepared->offsets, def) - 1;
        return window(end, mlc_block_arg(body, 2), offset, mlc_value_type(value));
    }
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_clone_map_set(map, mlc_op_operand(def, 0),
                      value_in_init(end, mlc_op_operand(def, 0), prepared, constants, symbols));
    MlcOp *clone = mlc_op_clone(def, map);
    mlc_clone_map_destroy(map);
    mlc_op_insert_before(clone, end);
    return mlc_op_result(clone, 0);
}

// Moves the calls to `@<function>_prepare(%arena, %constants, %prepared)`, which the module
// attribute `mlc.init` names.
static void
move_to_init(MlcOp *module, MlcOp *function, const Prepared *prepared, Constants *constants)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcType types[3] = {bytes_type(ctx, 0, NULL), bytes_type(ctx, constants->bytes, NULL),
                        bytes_type(ctx, prepared->bytes, NULL)};
    char name[256];
    snprintf(name, sizeof name, "%.200s_prepare", mlc_symbol_name(function).data);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_after(&b, function);
    MlcOp *init = mlc_func_func(&b, mlc_str(name), mlc_function_type_get(ctx, types, 3, NULL, 0));
    mlc_func_func_set_sym_visibility(init, mlc_string_attr_get(ctx, mlc_str("private")));
    mlc_builder_create_block(&b, mlc_op_region(init, 0), types, 3);
    MlcOp *end = mlc_func_return(&b, NULL, 0);
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    for (size_t i = 0; i < prepared->calls.size; i++) {
        MlcOp *call = prepared->calls.data[i];
        for (size_t k = 0; k < mlc_op_num_operands(call); k++)
            mlc_op_set_operand(
                call, k, value_in_init(end, mlc_op_operand(call, k), prepared, constants, symbols));
        mlc_op_move_before(call, end);
    }
    mlc_symbol_table_destroy(symbols);
    mlc_op_set_attr(module, "mlc.init", mlc_symbol_ref_attr_get(ctx, mlc_str(name)));
    mlc_op_set_attr(module, "mlc.prepared_bytes", mlc_i64_attr_get(ctx, prepared->bytes));
}

// In the model function, what was prepared is windows of its argument; constants that only the
// calls read are not read.
static void
replace_prepared(MlcBlock *body, const Prepared *prepared)
{
    MLC_FOR_EACH_OP_SAFE (op, body) {
        int64_t offset = (int64_t)(uintptr_t)mlc_map_get(&prepared->offsets, op) - 1;
        if (offset < 0)
            continue;
        MlcValue *view =
            window(op, mlc_block_arg(body, 2), offset, mlc_value_type(mlc_op_result(op, 0)));
        mlc_op_replace(op, &view, 1);
    }
    for (MlcOp *op = mlc_block_last(body), *prev; op; op = prev) {
        prev = mlc_op_prev(op);
        bool is_read = mlc_op_has_uses(op) || !(mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE) ||
                                                mlc_memref_get_global_isa(op));
        if (!is_read)
            mlc_op_erase(op);
    }
}

// The model's interface, from the names its arguments carry, and the types of those that are
// unsigned: `mlc.inputs` and `mlc.outputs` of the module. What is a size of another output is told
// as such (`size_of`).
static void
tell_interface(MlcOp *module, MlcOp *function, const MlcFunction *methods)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcType type = methods->type(function);
    MlcAttr attrs = mlc_op_slot(function, methods->arg_attrs_slot);
    MLC_VEC(MlcAttr) lists[2] = {{0}, {0}};
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++) {
        MlcAttr dict = attrs ? mlc_array_attr_element(attrs, i) : NULL;
        bool is_output = mlc_dict_attr_find(dict, mlc_str("mlc.result")) != NULL;
        MlcAttr name = mlc_dict_attr_find(dict, mlc_str("mlc.name"));
        char number[32];
        snprintf(number, sizeof number, "%s_%zu", is_output ? "output" : "input",
                 lists[is_output].size);
        MlcType buffer = mlc_function_type_inputs(type)[i];
        MlcAttr kept = mlc_dict_attr_find(dict, mlc_str("mlc.type"));
        MlcType element =
            mlc_attr_is(kept, MLC_ATTR_TYPE) ? mlc_type_attr_value(kept) : mlc_type_element(buffer);
        MlcType tensor =
            mlc_tensor_type_get(element, mlc_type_shape(buffer), mlc_type_rank(buffer), NULL);
        MlcAttr size_of = mlc_dict_attr_find(dict, mlc_str("mlc.size_of"));
        MlcAttr dims = mlc_dict_attr_find(dict, mlc_str(MLC_DIMS_ATTR));
        MlcNamedAttr entry[3] = {
            mlc_named(ctx, "name", name ? name : mlc_string_attr_get(ctx, mlc_str(number))),
            mlc_named(ctx, "type", mlc_type_attr_get(tensor)),
        };
        if (size_of || dims)
            entry[2] = size_of ? mlc_named(ctx, "size_of", size_of) : mlc_named(ctx, "dims", dims);
        mlc_vec_push(&lists[is_output], mlc_dict_attr_get(ctx, entry, size_of || dims ? 3 : 2));
    }
    mlc_op_set_attr(module, "mlc.inputs", mlc_array_attr_get(ctx, lists[0].data, lists[0].size));
    mlc_op_set_attr(module, "mlc.outputs", mlc_array_attr_get(ctx, lists[1].data, lists[1].size));
    mlc_op_set_slot(function, methods->arg_attrs_slot, NULL);
    mlc_vec_release(&lists[0]);
    mlc_vec_release(&lists[1]);
}

static bool
check_arguments(MlcOp *function, MlcBlock *body)
{
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        MlcType type = mlc_value_type(mlc_block_arg(body, i));
        if (!mlc_type_is(type, MLC_TYPE_MEMREF))
            return mlc_op_error(function,
                                "has an argument of type '%s', which is no buffer of a model",
                                mlc_type_text(type));
    }
    return true;
}

static void
tell_plan(MlcPass *pass, MlcOp *module, int64_t peak, const MlcBufferPlaces *buffers,
          const Constants *constants)
{
    MlcContext *ctx = mlc_pass_context(pass);
    int64_t live = mlc_buffer_lower_bound(buffers);
    mlc_op_set_attr(module, "mlc.arena_bytes", mlc_i64_attr_get(ctx, peak));
    // What no plan can go below, so that a reader and the tests can judge this one.
    mlc_op_set_attr(module, "mlc.live_bytes", mlc_i64_attr_get(ctx, live));
    mlc_op_set_attr(
        module, "mlc.constants",
        mlc_array_attr_get(ctx, (MlcAttr *)constants->attrs.data, constants->attrs.size));
    mlc_pass_count(pass, "arena-bytes", peak);
    mlc_pass_count(pass, "live-bytes", live);
    mlc_pass_count(pass, "constant-bytes", constants->bytes);
}

// The memory space of what the body has on the device; NULL: nothing is there.
static MlcAttr
device_space(MlcBlock *body)
{
    MLC_FOR_EACH_OP (op, body)
        if (mlc_memref_alloc_isa(op) || mlc_memref_get_global_isa(op)) {
            MlcAttr space = mlc_memref_type_memory_space(mlc_value_type(mlc_op_result(op, 0)));
            if (space)
                return space;
        }
    return NULL;
}

// How many arguments it adds.
static size_t
add_memory(MlcOp *module, MlcOp *function, int64_t arena_bytes, const Constants *constants,
           const Prepared *prepared)
{
    MlcContext *ctx = mlc_op_context(function);
    MlcBlock *body = mlc_region_first(mlc_op_region(function, 0));
    MlcAttr space = device_space(body);
    MlcType types[] = {
        [MLC_PLAN_ARENA] = bytes_type(ctx, arena_bytes, NULL),
        [MLC_PLAN_CONSTANTS] = bytes_type(ctx, constants->bytes, NULL),
        [MLC_PLAN_PREPARED] = bytes_type(ctx, prepared->bytes, NULL),
        [MLC_PLAN_DEVICE_ARENA] = bytes_type(ctx, arena_bytes, space),
        [MLC_PLAN_DEVICE_CONSTANTS] = bytes_type(ctx, constants->bytes, space),
    };
    size_t count = space ? MLC_PLAN_DEVICE_CONSTANTS + 1 : MLC_PLAN_PREPARED + 1;
    for (size_t i = count; i-- > 0;)
        mlc_block_insert_arg(body, 0, types[i], mlc_op_loc(function));
    if (space)
        mlc_op_set_attr(module, "mlc.device_memory", mlc_unit_attr_get(ctx));
    return count;
}

// ---- a limit

typedef MLC_VEC(const MlcBufferPlace *) PlacePtrVec;

// Those alive where most bytes are.
static void
find_peak(const MlcBufferPlaces *buffers, PlacePtrVec *alive)
{
    int64_t most = -1;
    for (size_t i = 0; i < buffers->size; i++) { // some buffer begins there
        size_t at = buffers->data[i].first;
        int64_t bytes = 0;
        for (size_t k = 0; k < buffers->size; k++)
            if (buffers->data[k].first <= at && at <= buffers->data[k].last)
                bytes += buffers->data[k].bytes;
        if (bytes <= most)
            continue;
        most = bytes;
        mlc_vec_clear(alive);
        for (size_t k = 0; k < buffers->size; k++)
            if (buffers->data[k].first <= at && at <= buffers->data[k].last)
                mlc_vec_push(alive, &buffers->data[k]);
    }
}

static int
biggest_first(const void *a, const void *b)
{
    const MlcBufferPlace *x = *(const MlcBufferPlace *const *)a;
    const MlcBufferPlace *y = *(const MlcBufferPlace *const *)b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void
keep_name(MlcStr name, void *user)
{
    *(MlcStr *)user = name;
}

// The last node that the op at this position computes; positions count from the block's start.
static MlcStr
node_at(MlcBlock *body, size_t position)
{
    MlcStr name = mlc_str("?");
    size_t at = 0;
    MLC_FOR_EACH_OP (op, body)
        if (at++ == position)
            mlc_loc_visit_names(mlc_op_loc(op), keep_name, &name);
    return name;
}

// What a run takes must be known, and not more than the module allows (`mlc.max_arena`).
static bool
check_limit(MlcOp *module, MlcOp *function, MlcBlock *body, const MlcBufferPlaces *buffers,
            bool is_known, int64_t peak)
{
    enum { MAX_NAMED = 6 };
    int64_t limit;
    MlcAttr attr = mlc_op_attr(module, "mlc.max_arena");
    if (!attr || !mlc_attr_try_as_int(attr, &limit))
        return true;
    if (!is_known)
        return mlc_unsupported(mlc_op_context(module), mlc_op_loc(function),
                               "the arena's size depends on sizes that are known when the model "
                               "runs, so --max-arena cannot be kept: give them with --dim");
    if (peak <= limit)
        return true;
    PlacePtrVec alive = {0};
    MlcBuf text = {0};
    find_peak(buffers, &alive);
    if (alive.size > 0)
        qsort(alive.data, alive.size, sizeof *alive.data, biggest_first);
    for (size_t i = 0; i < alive.size && i < MAX_NAMED; i++) {
        MlcStr from = node_at(body, alive.data[i]->first), to = node_at(body, alive.data[i]->last);
        mlc_buf_printf(&text, "%s%lld bytes from '%.*s' to '%.*s'", i ? "; " : "",
                       (long long)alive.data[i]->bytes, MLC_STR_FMT(from), MLC_STR_FMT(to));
    }
    if (alive.size > MAX_NAMED)
        mlc_buf_printf(&text, "; and %zu more", alive.size - MAX_NAMED);
    mlc_unsupported(mlc_op_context(module), mlc_op_loc(function),
                    "the arena needs %lld bytes, the least that was found, and --max-arena allows "
                    "%lld: %s",
                    (long long)peak, (long long)limit, mlc_buf_c_str(&text));
    mlc_vec_release(&alive);
    mlc_buf_release(&text);
    return false;
}

// What `mlc.size` of the argument says, of a buffer that has it as a dimension; NULL: there is
// none.
static MlcValue *
size_of_buffer(MlcBuilder *b, MlcOp *function, MlcBlock *body, size_t arg)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(function, methods->arg_attrs_slot);
    MlcAttr size =
        attrs ? mlc_dict_attr_find(mlc_array_attr_element(attrs, arg), mlc_str(MLC_SIZE_ATTR))
              : NULL;
    for (size_t i = 0; size && i < mlc_array_attr_size(attrs); i++) {
        MlcAttr dims = mlc_dict_attr_find(mlc_array_attr_element(attrs, i), mlc_str(MLC_DIMS_ATTR));
        for (size_t k = 0; dims && k < mlc_array_attr_size(dims); k++)
            if (mlc_array_attr_element(dims, k) == size)
                return mlc_memref_dim(b, mlc_block_arg(body, i), mlc_build_index(b, (int64_t)k));
    }
    return NULL;
}

// A size that the function is told is one of an output's, whose buffer it is given by now.
static void
take_sizes(MlcOp *function, MlcBlock *body)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(function));
    for (size_t i = mlc_block_num_args(body); i-- > 0;) {
        MlcValue *arg = mlc_block_arg(body, i);
        mlc_builder_at_start(&b, body);
        MlcValue *size = mlc_type_is(mlc_value_type(arg), MLC_TYPE_INDEX)
                             ? size_of_buffer(&b, function, body, i)
                             : NULL;
        if (!size)
            continue;
        mlc_value_replace_uses(arg, size);
        mlc_function_erase_argument(function, i);
    }
}

static bool
plan(MlcPass *pass, MlcOp *module, MlcOp *function)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(function, 0));
    MlcBufferPlaces buffers = {0};
    Constants constants = {0};
    mlc_map_init(&constants.offsets);
    Prepared prepared = {0};
    take_sizes(function, body);
    bool ok = collect_prepared(body, &prepared) && collect(body, &buffers, &prepared) &&
              find_constants(module, body, &constants) && check_arguments(function, body);
    if (ok && device_space(body) && mlc_op_attr(module, MLC_COMPUTED_SIZES))
        ok = mlc_unsupported(mlc_op_context(module), mlc_op_loc(function),
                             "sizes that the model computes, with kernels for a device");
    if (ok) {
        const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
        if (prepared.calls.size)
            move_to_init(module, function, &prepared, &constants);
        tell_interface(module, function, methods);
        MlcSizePlan *sizes = mlc_size_plan_begin(module, function, &buffers);
        int64_t peak = sizes ? 0 : mlc_buffer_place(&buffers, mlc_pass_scratch(pass));
        ok = check_limit(module, function, body, &buffers, !sizes, peak);
        size_t memory_args = add_memory(module, function, peak, &constants, &prepared);
        for (size_t i = 0; !sizes && i < buffers.size; i++) {
            MlcOp *alloc = buffers.data[i].alloc;
            MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
            MlcValue *view = window(alloc, mlc_plan_memory_for(body, type, MLC_PLAN_ARENA),
                                    buffers.data[i].offset, type);
            mlc_op_replace(alloc, &view, 1);
        }
        if (sizes)
            ok = mlc_size_plan_finish(sizes, &buffers, memory_args) && ok;
        if (prepared.calls.size)
            replace_prepared(body, &prepared);
        replace_constants(module, body, &constants);
        mlc_function_follow_arguments(function);
        tell_plan(pass, module, peak, &buffers, &constants);
    }
    mlc_vec_release(&buffers);
    mlc_vec_release(&prepared.calls);
    mlc_map_release(&prepared.offsets);
    mlc_vec_release(&constants.attrs);
    mlc_map_release(&constants.offsets);
    return ok;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcOp *function = mlc_symbol_lookup(module, mlc_pass_option_str(pass, "function"));
    if (!function || !mlc_op_interface(function, MLC_INTERFACE_FUNCTION))
        return mlc_op_error(module, "has no function '@%.*s' to plan memory for",
                            MLC_STR_FMT(mlc_pass_option_str(pass, "function")));
    if (mlc_op_attr(module, "mlc.arena_bytes"))
        return true;
    if (!mlc_region_has_one_block(mlc_op_region(function, 0)))
        return mlc_op_error(function, "the memory plan wants one block without branches");
    return plan(pass, module, function);
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "The model function"},
};

MLC_PASS(plan_memory, .flag = "plan-memory",
         .summary = "Place the model function's buffers in one arena", .anchor = "builtin.module",
         .options = options, .num_options = 1, .run = run)
