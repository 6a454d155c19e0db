// gpu_kernel_outlining.c -- the body of each launch becomes a kernel of its own, in a gpu.module
// behind the function, with all that it names.
//
// What the body uses from outside becomes the kernel's arguments; constants are made again inside.
// The launch's block arguments (ids and sizes) become the ops that ask for them.
// For the runtime (`for-runtime`) an argument is an address, which has no sizes: views of buffers
// whose strides are known when the kernel runs are made again inside. Kernels of several modules
// are in one image there, so each has its module's name.
#include "kernel_arguments.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/ir/text.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"

enum { NUM_AXES = 3, NUM_SIZES = 10 };

typedef struct Outline {
    MlcOp *launch;
    MlcSymbolTable *symbols; // of the module around
    MlcValueVec captures;
    MlcOpVec constants;
    bool for_runtime;
    MlcAttr layout; // of data; NULL: not said
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

// --- the kernel

// What argument `i` of a launch's body asks for: ids of block and thread, sizes of grid and block,
// the cluster's.
static MlcValue *
ask(MlcBuilder *b, size_t i)
{
    static MlcValue *(*const questions[])(MlcBuilder * b, MlcGpuDim dimension) = {
        mlc_gpu_block_id,  mlc_gpu_thread_id,  mlc_gpu_grid_dim,
        mlc_gpu_block_dim, mlc_gpu_cluster_id, mlc_gpu_cluster_dim};
    return questions[i / NUM_AXES](b, (MlcGpuDim)(i % NUM_AXES));
}

static bool
has_clusters(MlcOp *launch)
{
    size_t first, count;
    mlc_op_operand_group(launch, 7, &first, &count);
    return count > 0;
}

// The body's own arguments give way to ops at its start, and what it captured to new arguments in
// front of what is left: workgroup and private memory.
static void
change_arguments(Outline *o, MlcOp *function)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    size_t num_ids = (has_clusters(o->launch) ? 6 : 4) * NUM_AXES;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(function));
    mlc_builder_at_start(&b, entry);
    b.loc = mlc_op_loc(o->launch);
    for (size_t i = 0; i < num_ids; i++)
        mlc_value_replace_uses(mlc_block_arg(entry, i), ask(&b, i));
    for (size_t i = num_ids; i-- > 0;)
        mlc_block_erase_arg(entry, i);
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < o->constants.size; i++) {
        MlcOp *constant = o->constants.data[i];
        MlcOp *again = mlc_builder_insert(&b, mlc_op_clone(constant, map));
        mlc_value_replace_uses_if(mlc_op_result(constant, 0), mlc_op_result(again, 0), is_inside,
                                  function);
    }
    mlc_clone_map_destroy(map);
    for (size_t i = 0; i < o->captures.size; i++) {
        MlcValue *value = o->captures.data[i];
        MlcValue *arg =
            mlc_block_insert_arg(entry, i, mlc_value_type(value), mlc_op_loc(o->launch));
        mlc_value_replace_uses_if(value, arg, is_inside, function);
    }
}

static void
replace_terminators(MlcOp *function)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(function));
    MLC_FOR_EACH_BLOCK_IN_OP (block, function) {
        MlcOp *last = mlc_block_last(block);
        if (!mlc_gpu_terminator_isa(last))
            continue;
        mlc_builder_before(&b, last);
        mlc_gpu_return(&b, NULL, 0);
        mlc_op_erase(last);
    }
}

// Sizes that are known, of operands from `first` on: registers and shared memory are dealt out by
// them.
static void
set_size(MlcOp *function, const char *name, MlcOp *launch, size_t group)
{
    int32_t sizes[NUM_AXES];
    for (size_t i = 0; i < NUM_AXES; i++) {
        size_t first, count;
        int64_t size;
        mlc_op_operand_group(launch, group + i, &first, &count);
        if (!mlc_value_constant_int(mlc_op_operand(launch, first), &size) || size < 0 ||
            size > INT32_MAX)
            return;
        sizes[i] = (int32_t)size;
    }
    mlc_op_set_attr(function, name,
                    mlc_i32_array_attr_get(mlc_op_context(function), sizes, NUM_AXES));
}

static MlcOp *
create_function(Outline *o, MlcBlock *block, MlcStr name)
{
    MlcContext *ctx = mlc_op_context(o->launch);
    MlcAttr num_workgroup = mlc_op_attr(o->launch, "workgroup_attributions");
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_end(&b, block);
    b.loc = mlc_op_loc(o->launch);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < o->captures.size; i++)
        mlc_vec_push(&types, mlc_value_type(o->captures.data[i]));
    MlcOp *function = mlc_gpu_func(&b, mlc_function_type_get(ctx, types.data, types.size, NULL, 0));
    mlc_vec_release(&types);
    mlc_op_set_attr(function, "sym_name", mlc_string_attr_get(ctx, name));
    mlc_op_set_attr(function, "gpu.kernel", mlc_unit_attr_get(ctx));
    mlc_op_set_attr(function, "workgroup_attributions",
                    num_workgroup ? num_workgroup : mlc_i64_attr_get(ctx, 0));
    set_size(function, "known_grid_size", o->launch, 1);
    set_size(function, "known_block_size", o->launch, 4);
    mlc_region_take_body(mlc_op_region(function, 0), mlc_op_region(o->launch, 0));
    change_arguments(o, function);
    replace_terminators(function);
    return function;
}

// --- its module

static MlcOp *
create_module(Outline *o, MlcOp *before, MlcBlock *end, MlcStr name)
{
    MlcContext *ctx = mlc_op_context(o->launch);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    if (before)
        mlc_builder_before(&b, before);
    else
        mlc_builder_at_end(&b, end);
    b.loc = mlc_op_loc(o->launch);
    MlcOp *made = mlc_gpu_module(&b, name);
    mlc_symbol_table_insert(o->symbols, made); // may rename it
    if (o->layout)
        mlc_op_set_attr(made, "dlti.dl_spec", o->layout);
    mlc_builder_create_block(&b, mlc_op_region(made, 0), NULL, 0);
    return made;
}

typedef struct Named {
    Outline *outline;
    MlcOp *module;
    MlcOpVec copied; // whose symbols are looked at in turn
} Named;

static void
copy_symbol(MlcOp *user, MlcAttr ref, void *data)
{
    (void)user;
    Named *named = data;
    MlcStr name = mlc_symbol_ref_attr_name(ref, 0);
    MlcOp *symbol = mlc_symbol_table_lookup(named->outline->symbols, name);
    if (mlc_symbol_ref_attr_size(ref) > 1 || !symbol || mlc_symbol_lookup(named->module, name))
        return;
    MlcOp *copy = mlc_op_clone(symbol, NULL);
    mlc_block_append(mlc_region_first(mlc_op_region(named->module, 0)), copy);
    mlc_vec_push(&named->copied, copy);
}

// Functions and globals that the kernel names are in its module too, and what those name.
static void
copy_symbols(Outline *o, MlcOp *module, MlcOp *function)
{
    Named named = {.outline = o, .module = module};
    mlc_vec_push(&named.copied, function);
    for (size_t i = 0; i < named.copied.size; i++)
        mlc_symbol_visit_uses(named.copied.data[i], true, copy_symbol, &named);
    mlc_vec_release(&named.copied);
}

static void
launch_by_name(Outline *o, MlcStr module, MlcStr kernel)
{
    MlcOp *launch = o->launch;
    bool is_async = mlc_op_num_results(launch) > 0;
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(launch));
    mlc_builder_before(&b, launch);
    MlcValueVec tokens = {0};
    MlcValue *size[NUM_SIZES]; // of the grid, of a block, of a cluster; workgroup memory
    for (size_t i = 0; i < mlc_gpu_launch_num_async_dependencies(launch); i++)
        mlc_vec_push(&tokens, mlc_op_operand(launch, i));
    for (size_t i = 0; i < NUM_SIZES; i++) {
        size_t first, count;
        mlc_op_operand_group(launch, 1 + i, &first, &count);
        size[i] = count ? mlc_op_operand(launch, first) : NULL;
    }
    MlcOp *made = mlc_gpu_launch_func(
        &b, is_async ? mlc_op_result_type(launch, 0) : NULL, tokens.data, tokens.size, size[0],
        size[1], size[2], size[3], size[4], size[5], size[6], size[7], size[8], size[9],
        o->captures.data, o->captures.size, NULL,
        mlc_symbol_ref_attr_get_nested(b.ctx, (MlcStr[]){module, kernel}, 2));
    mlc_vec_release(&tokens);
    if (is_async)
        mlc_value_replace_uses(mlc_op_result(launch, 0), mlc_op_result(made, 0));
    mlc_op_erase(launch);
}

// `function`: the symbol that the launch is in; its kernel's module is put before `next`.
static void
outline(Outline *o, MlcOp *function, MlcOp *next)
{
    if (o->for_runtime)
        sink_buffers(o->launch);
    mlc_op_find_captures(o->launch, false, &o->captures, &o->constants);
    MlcBuf name = {0};
    MlcStr parent = mlc_symbol_name(function);
    mlc_buf_printf(&name, "%.*s_kernel", MLC_STR_FMT(parent));
    MlcOp *module = create_module(o, next, mlc_op_block(function), mlc_buf_str(&name));
    MlcStr kernel = o->for_runtime ? mlc_symbol_name(module) : mlc_buf_str(&name);
    MlcBlock *body = mlc_region_first(mlc_op_region(module, 0));
    MlcOp *made = create_function(o, body, kernel);
    copy_symbols(o, module, made);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(module));
    mlc_builder_at_end(&b, body);
    mlc_gpu_module_end(&b);
    launch_by_name(o, mlc_symbol_name(module), kernel);
    mlc_buf_release(&name);
    mlc_vec_release(&o->captures);
    mlc_vec_release(&o->constants);
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_gpu_launch_def;
}

// Launches of one function, in its order.
static void
outline_all(MlcOp *function, const Outline *like)
{
    MlcOp *next = mlc_op_next(function);
    MLC_FOR_EACH_OF_KIND (launch, function, &mlc_gpu_launch_def) {
        Outline o = *like;
        o.launch = launch;
        outline(&o, function, next);
        mlc_op_set_attr(mlc_op_parent(function), "gpu.container_module",
                        mlc_unit_attr_get(mlc_op_context(function)));
    }
}

// What the option says; false after an error.
static bool
read_layout(MlcPass *pass, MlcOp *module, MlcAttr *layout)
{
    MlcStr text = mlc_pass_option_str(pass, "data-layout-str");
    *layout = text.size ? mlc_parse_attr(mlc_pass_context(pass), text) : NULL;
    if (text.size && (!*layout || !mlc_attr_isa(*layout, "dlti.dl_spec")))
        return mlc_op_error(module, "data-layout-str must be a #dlti.dl_spec");
    return true;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    Outline o = {.for_runtime = mlc_pass_option_bool(pass, "for-runtime")};
    MlcOpVec functions = {0};
    if (!read_layout(pass, module, &o.layout))
        return false;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0)))
        if (mlc_op_is_symbol(op))
            mlc_vec_push(&functions, op);
    o.symbols = mlc_symbol_table_create(module);
    for (size_t i = 0; i < functions.size; i++)
        outline_all(functions.data[i], &o);
    mlc_symbol_table_destroy(o.symbols);
    mlc_vec_release(&functions);
    return true;
}

static const char *const dialects[] = {"gpu", "dlti", NULL};

static const MlcPassOption options[] = {
    {"data-layout-str", MLC_OPTION_STRING, NULL, "a #dlti.dl_spec that is put on the modules"},
    {"for-runtime", MLC_OPTION_BOOL, NULL,
     "kernels have names of their own and take addresses, as gpu-to-runtime wants them"},
};

MLC_PASS(gpu_kernel_outlining, .flag = "gpu-kernel-outlining",
         .summary = "Move the bodies of launches into GPU modules", .anchor = "builtin.module",
         .options = options, .num_options = sizeof options / sizeof *options,
         .dependent_dialects = dialects, .converts = converts, .run = run)
