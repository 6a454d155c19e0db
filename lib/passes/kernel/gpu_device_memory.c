// gpu_device_memory.c -- what kernels on the device read and write lies in device memory, and the
// model function copies where the host needs it, or has it.
//
// Device memory is the memory space `#gpu.address_space<global>`, which nothing but launches and
// gpu.memcpy may touch: ahead of this, launches read the same buffers as everybody.
//
// In the functions of such kernels all buffers get it. In the model function each buffer has up to
// two forms, one on either side, and which of them are up to date is followed from op to op: a copy
// stands where one side needs what the other has. Inputs and outputs are the host's; constants are
// on both sides. One pass over a block without branches, so no copy is made twice.
//
// After gpu-place-kernels and convert-parallel-loops-to-gpu, ahead of gpu-kernel-outlining.
#include "kernel_arguments.h"
#include "kernel_notes.h"

#include "mlc/analysis/alias.h"
#include "mlc/ir.h"
#include "mlc/support/map.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"

typedef enum Side { HOST, DEVICE, NUM_SIDES } Side;

// A buffer of the model function.
typedef struct Buffer {
    MlcValue *form[NUM_SIDES]; // NULL: it has none there
    bool is_current[NUM_SIDES];
} Buffer;

typedef struct Model {
    MlcOp *module, *function;
    MlcSymbolTable *symbols;
    MlcMap buffers; // MlcValue -> Buffer
    MlcMap views;   // of the host's view, the device's one
    MlcArena *scratch;
    int64_t num_copies;
} Model;

static MlcType
device_type(MlcType type)
{
    MlcContext *ctx = mlc_type_context(type);
    MlcAttr space =
        mlc_enum_attr_get(ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_GLOBAL);
    if (mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
        return mlc_unranked_memref_type_get(mlc_type_element(type), space);
    return mlc_memref_type_get(mlc_type_element(type), mlc_type_shape(type), mlc_type_rank(type),
                               mlc_memref_type_layout(type), space);
}

static bool
is_on_device(MlcOp *op)
{
    return mlc_is_kernel_function(op) && !mlc_op_attr(op, "mlc.place");
}

// ---- the model function

static MlcBuilder
builder_at(MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    b.loc = mlc_op_loc(op);
    return b;
}

static bool
is_result(const Model *m, MlcValue *value)
{
    const MlcFunction *methods = mlc_op_interface(m->function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(m->function, methods->arg_attrs_slot);
    MlcBlock *body = mlc_region_first(mlc_op_region(m->function, 0));
    for (size_t i = 0; attrs && i < mlc_block_num_args(body); i++)
        if (mlc_block_arg(body, i) == value)
            return mlc_dict_attr_find(mlc_array_attr_element(attrs, i), mlc_str("mlc.result"));
    return false;
}

static Buffer *
buffer_of(Model *m, MlcValue *root)
{
    Buffer *buffer = mlc_map_get(&m->buffers, root);
    if (buffer)
        return buffer;
    MlcOp *def = mlc_value_def(root);
    buffer = MLC_NEW(m->scratch, Buffer);
    buffer->form[HOST] = root;
    // What is allocated here has nothing in it yet, nor has a result.
    buffer->is_current[HOST] = !mlc_memref_alloc_isa(def) && !is_result(m, root);
    mlc_map_set(&m->buffers, root, buffer);
    return buffer;
}

// A constant in device memory: the same elements, as another global.
static MlcValue *
device_constant(Model *m, MlcOp *get)
{
    MlcStr name = mlc_symbol_ref_attr_name(mlc_op_attr(get, "name"), 0);
    MlcOp *global = mlc_symbol_table_lookup(m->symbols, name);
    MlcBuf device_name = {0};
    MlcType type = device_type(mlc_value_type(mlc_op_result(get, 0)));
    mlc_buf_printf(&device_name, "%.*s_device", MLC_STR_FMT(name));
    MlcOp *made = mlc_symbol_table_lookup(m->symbols, mlc_buf_str(&device_name));
    if (!made) {
        made = mlc_op_clone(global, NULL);
        mlc_op_insert_after(made, global);
        mlc_memref_global_set_sym_name(made, mlc_buf_str(&device_name));
        mlc_memref_global_set_type(made, mlc_type_attr_get(type));
        mlc_symbol_table_insert(m->symbols, made);
    }
    MlcBuilder b = builder_at(get);
    MlcValue *value = mlc_memref_get_global(&b, type, mlc_symbol_name(made));
    mlc_buf_release(&device_name);
    return value;
}

static MlcValue *
device_alloc(Model *m, MlcValue *root)
{
    MlcOp *def = mlc_value_def(root);
    MlcBlock *body = mlc_region_first(mlc_op_region(m->function, 0));
    MlcBuilder b = builder_at(def ? def : mlc_block_first(body));
    MlcValueVec sizes = {0};
    for (size_t i = 0; def && i < mlc_op_num_operands(def); i++)
        mlc_vec_push(&sizes, mlc_op_operand(def, i));
    MlcType type = mlc_value_type(root);
    for (size_t i = 0; !def && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) < 0)
            mlc_vec_push(&sizes, mlc_memref_dim(&b, root, mlc_build_index(&b, (int64_t)i)));
    MlcValue *made = mlc_memref_alloc(&b, device_type(type), sizes.data, sizes.size, NULL, 0);
    mlc_memref_alloc_set_alignment(mlc_value_def(made), mlc_i64_attr_get(b.ctx, 64));
    mlc_vec_release(&sizes);
    return made;
}

static void
make_device_form(Model *m, Buffer *buffer)
{
    MlcValue *root = buffer->form[HOST];
    if (buffer->form[DEVICE])
        return;
    bool is_constant = mlc_memref_get_global_isa(mlc_value_def(root));
    buffer->form[DEVICE] =
        is_constant ? device_constant(m, mlc_value_def(root)) : device_alloc(m, root);
    buffer->is_current[DEVICE] = is_constant;
}

// What `value` looks at, of the buffer's form on the device.
static MlcValue *
on_device(Model *m, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!def || !mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE))
        return buffer_of(m, value)->form[DEVICE];
    MlcValue *made = mlc_map_get(&m->views, value);
    if (made)
        return made;
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_clone_map_set(map, mlc_op_operand(def, 0), on_device(m, mlc_op_operand(def, 0)));
    MlcOp *clone = mlc_op_clone(def, map);
    mlc_clone_map_destroy(map);
    mlc_op_insert_before(clone, def);
    made = mlc_op_result(clone, 0);
    mlc_value_set_type(made, device_type(mlc_value_type(made)));
    mlc_map_set(&m->views, value, made);
    return made;
}

static void
bring(Model *m, Buffer *buffer, Side side, MlcOp *before)
{
    Side other = side == HOST ? DEVICE : HOST;
    if (buffer->is_current[side])
        return;
    if (buffer->is_current[other]) {
        MlcBuilder b = builder_at(before);
        MlcOp *copy = mlc_gpu_memcpy(&b, NULL, NULL, 0, buffer->form[side], buffer->form[other]);
        if (!mlc_op_next(before)) // nothing reads it here
            mlc_op_set_attr(copy, "mlc.at_end", mlc_unit_attr_get(b.ctx));
        m->num_copies++;
    }
    buffer->is_current[side] = true;
}

static void
use(Model *m, MlcOp *op, MlcValue *value, Side side, MlcModRef what)
{
    Buffer *buffer = buffer_of(m, mlc_viewed_buffer(value));
    if (side == DEVICE)
        make_device_form(m, buffer);
    // What is written may be a part only.
    bool is_constant = mlc_memref_get_global_isa(mlc_value_def(buffer->form[HOST]));
    if (what != MLC_MOD_REF_NONE)
        bring(m, buffer, side, op);
    if (what & MLC_MOD_REF_MOD && !is_constant)
        buffer->is_current[side == HOST ? DEVICE : HOST] = false;
}

static bool
may_be(MlcValue *value, MlcValue *argument)
{
    MlcValueVec buffers = {0};
    bool found = !mlc_underlying_buffers(value, &buffers);
    for (size_t i = 0; i < buffers.size; i++)
        found |= buffers.data[i] == argument;
    mlc_vec_release(&buffers);
    return found;
}

// What an op without regions does to the buffer that is an argument of its function. Arguments are
// taken for different buffers: who passes one twice finds out about both.
static MlcModRef
op_use(MlcOp *op, MlcValue *argument)
{
    MlcEffectVec effects = {0};
    MlcModRef what = MLC_MOD_REF_NONE;
    if (!mlc_op_effects(op, &effects))
        what = mlc_mod_ref(op, argument);
    for (size_t i = 0; i < effects.size; i++) {
        const MlcMemoryEffect *e = &effects.data[i];
        if (e->effect != MLC_EFFECT_ALLOC && (!e->value || may_be(e->value, argument)))
            what |= e->effect == MLC_EFFECT_READ ? MLC_MOD_REF_REF : MLC_MOD_REF_MOD;
    }
    mlc_vec_release(&effects);
    return what;
}

static MlcModRef
argument_use(MlcOp *function, size_t arg)
{
    MlcModRef what = MLC_MOD_REF_NONE;
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_op_num_regions(op) == 0)
            what |= op_use(op, mlc_block_arg(entry, arg));
    return what;
}

// The value, and all that are views of it.
static void
move_to_device(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) && !mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
        return;
    mlc_value_set_type(value, device_type(mlc_value_type(value)));
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        if (mlc_op_interface(user, MLC_INTERFACE_VIEW_LIKE))
            move_to_device(mlc_op_result(user, 0));
    }
}

// What the op does to the buffer of each of its arguments, told for those who order it among
// others.
static void
tell_accesses(MlcOp *function)
{
    static const char *const words[] = {"none", "read", "write", "both"};
    MlcContext *ctx = mlc_op_context(function);
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = mlc_op_slot(function, methods->arg_attrs_slot);
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MLC_VEC(MlcAttr) all = {0};
    for (size_t i = 0; i < mlc_block_num_args(entry); i++) {
        MlcAttr dict = attrs ? mlc_array_attr_element(attrs, i) : mlc_dict_attr_get(ctx, NULL, 0);
        if (mlc_type_is(mlc_value_type(mlc_block_arg(entry, i)), MLC_TYPE_MEMREF))
            dict = mlc_dict_attr_with(
                ctx, dict, mlc_str("mlc.access"),
                mlc_string_attr_get(ctx, mlc_str(words[argument_use(function, i)])));
        mlc_vec_push(&all, dict);
    }
    mlc_op_set_slot(function, methods->arg_attrs_slot, mlc_array_attr_get(ctx, all.data, all.size));
    mlc_vec_release(&all);
}

static void
move_function(MlcOp *function)
{
    tell_accesses(function);
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        move_to_device(mlc_block_arg(entry, i));
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_memref_alloc_isa(op))
            move_to_device(mlc_op_result(op, 0));
    mlc_function_follow_arguments(function);
}

static void
use_call(Model *m, MlcOp *call, const MlcCall *methods, MlcOp *callee)
{
    size_t first, count;
    Side side = is_on_device(callee) ? DEVICE : HOST;
    methods->arguments(call, &first, &count);
    for (size_t i = 0; i < count; i++) {
        MlcValue *value = mlc_op_operand(call, first + i);
        if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF))
            continue;
        use(m, call, value, side, argument_use(callee, i));
        if (side == DEVICE)
            mlc_op_set_operand(call, first + i, on_device(m, value));
    }
}

static void
use_op(Model *m, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root)
        MLC_FOR_EACH_OPERAND (value, op)
            if (mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF))
                use(m, root, value, HOST, mlc_mod_ref(root, value));
}

static void
move_model(Model *m)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(m->function, 0));
    MLC_FOR_EACH_OP_SAFE (op, body) {
        const MlcCall *methods = mlc_op_interface(op, MLC_INTERFACE_CALL);
        MlcAttr name = methods ? methods->callee(op) : NULL;
        MlcOp *callee =
            name ? mlc_symbol_table_lookup(m->symbols, mlc_symbol_ref_attr_name(name, 0)) : NULL;
        if (callee && !mlc_region_is_empty(mlc_op_region(callee, 0)))
            use_call(m, op, methods, callee);
        else if (!mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE) && !mlc_memref_alloc_isa(op))
            use_op(m, op);
    }
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        Buffer *buffer = mlc_map_get(&m->buffers, mlc_block_arg(body, i));
        if (buffer && buffer->form[DEVICE] && is_result(m, mlc_block_arg(body, i)))
            bring(m, buffer, HOST, mlc_block_last(body));
    }
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcStr name = mlc_pass_option_str(pass, "function");
    Model m = {.module = module,
               .function = mlc_symbol_lookup(module, name),
               .symbols = mlc_symbol_table_create(module),
               .scratch = mlc_pass_scratch(pass)};
    mlc_map_init(&m.buffers);
    mlc_map_init(&m.views);
    if (m.function && mlc_func_func_isa(m.function) &&
        mlc_region_has_one_block(mlc_op_region(m.function, 0)))
        move_model(&m);
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0)))
        if (is_on_device(op))
            move_function(op);
    mlc_pass_count(pass, "copies", m.num_copies);
    mlc_map_release(&m.buffers);
    mlc_map_release(&m.views);
    mlc_symbol_table_destroy(m.symbols);
    return true;
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "The model function"},
};
static const char *const dialects[] = {"gpu", "memref", NULL};

MLC_PASS(gpu_device_memory, .flag = "gpu-device-memory",
         .summary = "Put kernels' buffers into device memory, and copy where the host needs them",
         .anchor = "builtin.module", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .run = run)
