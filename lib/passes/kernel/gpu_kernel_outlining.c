// gpu_kernel_outlining.c -- the body of each launch becomes a kernel of its own, in a gpu.module
// beside the function.
//
// What the body uses from outside becomes the kernel's arguments; constants are made again inside,
// and so are views of buffers whose strides are known when the kernel runs: an argument is an
// address, which has none.
// The launch's block arguments (ids and sizes) become the ops that ask for them.
#include "kernel_arguments.h"

#include "mlc/ir.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"

typedef struct Outline {
    MlcOp *module, *launch;
    MlcValueVec captures;
    MlcOpVec constants;
} Outline;

// The value, made at the start of the launch: a view again, or from the first element and the
// sizes.
static MlcValue *
make_inside(MlcValue *value, MlcBuilder *outside, MlcBuilder *inside)
{
    MlcOp *def = mlc_value_def(value);
    if (def && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE))
        return mlc_op_result(mlc_builder_insert(inside, mlc_op_clone(def, NULL)), 0);
    MlcType type = mlc_value_type(value);
    MlcMixedList shape = {.size = mlc_type_rank(type)};
    for (size_t i = 0; i < shape.size; i++)
        shape.items[i] = mlc_mixed_dim(outside, value, i);
    return mlc_build_buffer_at(inside, mlc_build_address(outside, value), type, &shape);
}

static bool
is_inside(MlcUse *use, void *launch)
{
    return mlc_op_is_ancestor(launch, mlc_use_owner(use)) && mlc_use_owner(use) != launch;
}

// A view's source is looked at in turn.
static void
sink_buffers(MlcOp *launch)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(launch, 0));
    MlcBuilder outside, inside;
    mlc_builder_init(&outside, mlc_op_context(launch));
    mlc_builder_before(&outside, launch);
    mlc_builder_init(&inside, mlc_op_context(launch));
    for (bool more = true; more;) {
        MlcValueVec captures = {0};
        MlcOpVec constants = {0};
        more = false;
        mlc_op_find_captures(launch, false, &captures, &constants);
        for (size_t i = 0; i < captures.size; i++) {
            if (!mlc_memref_has_open_strides(mlc_value_type(captures.data[i])))
                continue;
            mlc_builder_at_start(&inside, body);
            MlcValue *made = make_inside(captures.data[i], &outside, &inside);
            mlc_value_replace_uses_if(captures.data[i], made, is_inside, launch);
            more = true;
        }
        mlc_vec_release(&captures);
        mlc_vec_release(&constants);
    }
}

static MlcValue *
ask(MlcBuilder *b, size_t argument)
{
    static MlcValue *(*const questions[4])(MlcBuilder * b, MlcGpuDim dimension) = {
        mlc_gpu_block_id, mlc_gpu_thread_id, mlc_gpu_grid_dim, mlc_gpu_block_dim};
    return questions[argument / 3](b, (MlcGpuDim)(argument % 3));
}

static void
fill_body(Outline *o, MlcBuilder *b, MlcBlock *entry)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(o->launch, 0));
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < o->captures.size; i++)
        mlc_clone_map_set(map, o->captures.data[i], mlc_block_arg(entry, i));
    for (size_t i = 0; i < o->constants.size; i++)
        mlc_builder_insert(b, mlc_op_clone(o->constants.data[i], map));
    for (size_t i = 0; i < 12; i++)
        if (mlc_value_has_uses(mlc_block_arg(body, i)))
            mlc_clone_map_set(map, mlc_block_arg(body, i), ask(b, i));
    MLC_FOR_EACH_OP (op, body)
        if (op != mlc_block_last(body))
            mlc_builder_insert(b, mlc_op_clone(op, map));
    mlc_gpu_return(b, NULL, 0);
    mlc_clone_map_destroy(map);
}

// The sizes of blocks, where they are known: registers and shared memory are dealt out by them.
static void
set_block_size(MlcOp *function, MlcOp *launch)
{
    int32_t sizes[3];
    for (size_t i = 0; i < 3; i++) {
        int64_t size;
        if (!mlc_value_constant_int(mlc_op_operand(launch, 3 + i), &size))
            return;
        sizes[i] = (int32_t)size;
    }
    mlc_op_set_attr(function, "known_block_size",
                    mlc_i32_array_attr_get(mlc_op_context(function), sizes, 3));
}

static MlcOp *
create_function(Outline *o, MlcBlock *body, MlcStr name)
{
    MlcContext *ctx = mlc_op_context(o->module);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_end(&b, body);
    b.loc = mlc_op_loc(o->launch);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < o->captures.size; i++)
        mlc_vec_push(&types, mlc_value_type(o->captures.data[i]));
    MlcType type = mlc_function_type_get(ctx, types.data, types.size, NULL, 0);
    MlcOp *function = mlc_gpu_func(&b, type);
    mlc_op_set_attr(function, "sym_name", mlc_string_attr_get(ctx, name));
    mlc_op_set_attr(function, "gpu.kernel", mlc_unit_attr_get(ctx));
    mlc_op_set_attr(function, "workgroup_attributions", mlc_i64_attr_get(ctx, 0));
    set_block_size(function, o->launch);
    MlcBlock *entry =
        mlc_builder_create_block(&b, mlc_op_region(function, 0), types.data, types.size);
    mlc_vec_release(&types);
    fill_body(o, &b, entry);
    return function;
}

static MlcOp *
create_module(Outline *o, MlcOp *function, MlcSymbolTable *symbols, MlcStr name)
{
    MlcContext *ctx = mlc_op_context(o->module);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, function);
    MlcOp *made = mlc_gpu_module(&b, name);
    mlc_symbol_table_insert(symbols, made); // may rename it
    mlc_builder_create_block(&b, mlc_op_region(made, 0), NULL, 0);
    return made;
}

static void
launch_by_name(Outline *o, MlcStr module, MlcStr kernel)
{
    MlcContext *ctx = mlc_op_context(o->module);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, o->launch);
    MlcValue *size[6]; // of the grid, of a block
    for (size_t i = 0; i < 6; i++)
        size[i] = mlc_op_operand(o->launch, i);
    mlc_gpu_launch_func(&b, NULL, NULL, 0, size[0], size[1], size[2], size[3], size[4], size[5],
                        NULL, NULL, NULL, mlc_gpu_launch_dynamic_shared_memory_size(o->launch),
                        o->captures.data, o->captures.size, NULL,
                        mlc_symbol_ref_attr_get_nested(ctx, (MlcStr[]){module, kernel}, 2));
    mlc_op_erase(o->launch);
}

static void
outline(MlcOp *module, MlcOp *function, MlcOp *launch, MlcSymbolTable *symbols, size_t number)
{
    Outline o = {.module = module, .launch = launch};
    sink_buffers(launch);
    mlc_op_find_captures(o.launch, false, &o.captures, &o.constants);
    MlcBuf name = {0};
    MlcStr parent = mlc_symbol_name(function);
    mlc_buf_printf(&name, "%.*s_gpu", MLC_STR_FMT(parent));
    if (number > 0)
        mlc_buf_printf(&name, "_%zu", number);
    MlcOp *made = create_module(&o, function, symbols, mlc_buf_str(&name));
    MlcStr kernel = mlc_symbol_name(made); // one name in the code of several modules
    MlcBlock *body = mlc_region_first(mlc_op_region(made, 0));
    create_function(&o, body, kernel);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(module));
    mlc_builder_at_end(&b, body);
    mlc_gpu_module_end(&b);
    launch_by_name(&o, kernel, kernel);
    mlc_buf_release(&name);
    mlc_vec_release(&o.captures);
    mlc_vec_release(&o.constants);
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_gpu_launch_def;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    MlcContext *ctx = mlc_op_context(module);
    MlcOpVec launches = {0};
    MLC_FOR_EACH_PREORDER (op, module)
        if (mlc_gpu_launch_isa(op))
            mlc_vec_push(&launches, op);
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    MlcOp *last = NULL;
    size_t number = 0;
    for (size_t i = 0; i < launches.size; i++) {
        MlcOp *parent = mlc_op_parent_of_kind(launches.data[i], &mlc_func_func_def);
        number = parent == last ? number + 1 : 0;
        last = parent;
        if (parent)
            outline(module, parent, launches.data[i], symbols, number);
    }
    if (launches.size > 0)
        mlc_op_set_attr(module, "gpu.container_module", mlc_unit_attr_get(ctx));
    mlc_symbol_table_destroy(symbols);
    mlc_vec_release(&launches);
    return true;
}

static const char *const dialects[] = {"gpu", NULL};

MLC_PASS(gpu_kernel_outlining, .flag = "gpu-kernel-outlining",
         .summary = "Move the bodies of launches into GPU modules", .anchor = "builtin.module",
         .dependent_dialects = dialects, .converts = converts, .run = run)
