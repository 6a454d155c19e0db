// outline_kernels.c -- each graph.kernel becomes a private function and a call; equal ones share
// one function.
//
// Two kernels are equal if their bodies are: same ops in the same order with the same attributes,
// types and connections. Locations do not count, so a merged kernel keeps those of its first use;
// the calls keep their own. Bodies are compared within buckets of a structural hash. Kernels are
// numbered in program order, whatever the addresses.
//
// Sizes that are known when the model runs (mlc/dialects/graph_sizes.h) become arguments of type
// `index` behind the tensors, each size that occurs in the body once; `mlc.size` says which it is.
// The model function finds them from its inputs. Sizes that it computes itself it returns, with
// their names (`mlc.size` of a result): here they become calls of @mlc_set_size, which tell the
// runtime the number and give it back, and `mlc.computed_sizes` of the module has the names.
#include "kernel_notes.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/runtime/abi.h"
#include "mlc/support/hash.h"
#include "mlc/support/map.h"

#include <stdio.h>

typedef struct Outlined {
    struct Outlined *next; // of the same hash
    MlcOp *func;
} Outlined;

typedef struct Outliner {
    MlcPass *pass;
    MlcOp *module;
    MlcSymbolTable *symbols;
    MlcMap by_hash; // hash -> Outlined
    unsigned num_kernels;
} Outliner;

// ---- structure

static uint64_t hash_region(MlcRegion *region, uint64_t hash, MlcMap *numbers);

static void
number_value(MlcMap *numbers, MlcValue *value)
{
    mlc_map_set_u64(numbers, (uint64_t)(uintptr_t)value, mlc_map_size(numbers) + 1);
}

static uint64_t
hash_op(MlcOp *op, uint64_t hash, MlcMap *numbers)
{
    hash = mlc_hash_combine(hash, mlc_hash_str(mlc_op_name(op)));
    hash = mlc_hash_combine(hash, mlc_hash_ptr(mlc_op_all_attrs(op)));
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        uint64_t number = 0;
        mlc_map_get_u64(numbers, (uint64_t)(uintptr_t)mlc_op_operand(op, i), &number);
        hash = mlc_hash_combine(hash, number);
    }
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        hash = mlc_hash_combine(hash, mlc_hash_ptr(mlc_value_type(mlc_op_result(op, i))));
        number_value(numbers, mlc_op_result(op, i));
    }
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        hash = hash_region(mlc_op_region(op, i), hash, numbers);
    return hash;
}

static uint64_t
hash_region(MlcRegion *region, uint64_t hash, MlcMap *numbers)
{
    MLC_FOR_EACH_BLOCK (block, region) {
        for (size_t i = 0; i < mlc_block_num_args(block); i++) {
            hash = mlc_hash_combine(hash, mlc_hash_ptr(mlc_value_type(mlc_block_arg(block, i))));
            number_value(numbers, mlc_block_arg(block, i));
        }
        MLC_FOR_EACH_OP (op, block)
            hash = hash_op(op, hash, numbers);
    }
    return hash;
}

static uint64_t
hash_kernel(MlcOp *kernel)
{
    MlcMap numbers;
    mlc_map_init(&numbers);
    uint64_t hash = hash_region(mlc_op_region(kernel, 0), MLC_HASH_SEED, &numbers);
    mlc_map_release(&numbers);
    return hash;
}

// The terminator of a kernel is graph.yield, that of its function func.return: the same thing.
static bool
same_kind(const MlcOp *a, const MlcOp *b)
{
    bool both_end =
        mlc_op_has_trait(a, MLC_TRAIT_RETURN_LIKE) && mlc_op_has_trait(b, MLC_TRAIT_RETURN_LIKE);
    return both_end || mlc_op_def(a) == mlc_op_def(b);
}

static MlcOp *
find_equal(Outliner *o, uint64_t hash, MlcOp *kernel)
{
    uint64_t found = 0;
    mlc_map_get_u64(&o->by_hash, hash, &found);
    for (Outlined *at = (Outlined *)(uintptr_t)found; at; at = at->next)
        if (mlc_op_has_equal_bodies(kernel, at->func, same_kind))
            return at->func;
    return NULL;
}

// ---- sizes

typedef MLC_VEC(MlcAttr) AttrVec;

static void
add_size(MlcAttr size, AttrVec *sizes)
{
    int64_t number;
    if (!mlc_attr_is(size, MLC_ATTR_STRING) || mlc_string_attr_value(size).size == 0 ||
        mlc_size_is_number(size, &number))
        return;
    for (size_t i = 0; i < sizes->size; i++)
        if (sizes->data[i] == size)
            return;
    mlc_vec_push(sizes, size);
}

static void
add_sizes_of(MlcType type, AttrVec *sizes)
{
    for (size_t i = 0; mlc_size_names(type) && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            add_size(mlc_size_of_dim(type, i), sizes);
}

// A number that data is computed from may be negative, as a function of sizes may, which no size of
// the model's is: the kernel computes it itself, of the names in it.
static void
add_number(MlcContext *ctx, MlcAttr text, AttrVec *sizes)
{
    int64_t least;
    MlcSizeSteps steps = {0};
    MlcStr written = mlc_attr_is(text, MLC_ATTR_STRING) ? mlc_string_attr_value(text) : (MlcStr){0};
    bool has_function = written.size && memchr(written.data, '(', written.size);
    bool is_size = !has_function && mlc_size_at_least(text, &least) && least >= 0;
    bool ok = !is_size && mlc_size_steps(written, &steps);
    if (is_size)
        add_size(text, sizes);
    for (size_t i = 0; ok && i < steps.size; i++)
        if (steps.data[i].kind == MLC_SIZE_STEP_NAME)
            add_size(mlc_size_named(ctx, steps.data[i].name), sizes);
    mlc_vec_release(&steps);
}

// Those that attributes of an op have.
static void
add_sizes_in(MlcOp *op, AttrVec *sizes)
{
    MlcAttr starts[MLC_SMALL_RANK];
    size_t rank = mlc_graph_slice_isa(op) ? mlc_type_rank(mlc_op_operand_type(op, 0)) : 0;
    if (rank)
        mlc_graph_slice_places(op, mlc_size_names(mlc_op_operand_type(op, 0)), starts);
    for (size_t i = 0; i < rank; i++)
        add_size(starts[i], sizes);
    MlcAttr list;
    for (size_t n = 0; (list = mlc_size_list(op, n)); n++)
        for (size_t i = 0; i < mlc_array_attr_size(list); i++)
            if (mlc_graph_sizes_isa(op))
                add_number(mlc_op_context(op), mlc_array_attr_element(list, i), sizes);
            else
                add_size(mlc_array_attr_element(list, i), sizes);
}

// All sizes in the body of a kernel become arguments of it.
static void
add_size_arguments(MlcOp *kernel, AttrVec *sizes)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(kernel, 0));
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        add_sizes_of(mlc_value_type(mlc_block_arg(body, i)), sizes);
    MLC_FOR_EACH_PREORDER (op, kernel) {
        add_sizes_in(op, sizes);
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            add_sizes_of(mlc_value_type(mlc_op_result(op, i)), sizes);
    }
    for (size_t i = 0; i < sizes->size; i++)
        mlc_block_add_arg(body, mlc_index_type_get(mlc_op_context(kernel)), mlc_op_loc(kernel));
}

// `mlc.size` of the last arguments, as many as there are sizes.
static void
name_size_arguments(MlcOp *func, size_t num_args, const AttrVec *sizes)
{
    MlcContext *ctx = mlc_op_context(func);
    AttrVec dicts = {0};
    for (size_t i = 0; i < num_args; i++) {
        bool is_size = i + sizes->size >= num_args;
        MlcNamedAttr entry = {0};
        if (is_size)
            entry = mlc_named(ctx, MLC_SIZE_ATTR, sizes->data[i + sizes->size - num_args]);
        mlc_vec_push(&dicts, mlc_dict_attr_get(ctx, &entry, is_size));
    }
    if (sizes->size)
        mlc_op_set_attr(func, "arg_attrs", mlc_array_attr_get(ctx, dicts.data, dicts.size));
    mlc_vec_release(&dicts);
}

// ---- outlining

static MlcType
kernel_type(MlcOp *kernel)
{
    MlcTypeVec types = {0};
    MlcBlock *body = mlc_region_first(mlc_op_region(kernel, 0));
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_block_arg(body, i)));
    for (size_t i = 0; i < mlc_op_num_results(kernel); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(kernel, i)));
    size_t n = mlc_block_num_args(body);
    MlcType type = mlc_function_type_get(mlc_op_context(kernel), types.data, n, types.data + n,
                                         types.size - n);
    mlc_vec_release(&types);
    return type;
}

// Ops that have one say in which layout their activations are.
static void
note_layouts(MlcOp *func)
{
    MLC_FOR_EACH_PREORDER (op, func) {
        MlcAttr layout = mlc_op_attr(op, "layout");
        MlcBuf text = {0}, note = {0};
        if (!layout)
            continue;
        mlc_attr_print(layout, &text); // #graph.layout<nhwc>
        const char *name = strchr(mlc_buf_c_str(&text), '<');
        if (name) {
            mlc_buf_printf(&note, "layout %.*s", (int)strcspn(name + 1, ">"), name + 1);
            mlc_op_add_kernel_note(func, mlc_buf_str(&note));
        }
        mlc_buf_release(&text);
        mlc_buf_release(&note);
    }
}

// Moves the kernel's body into a new function at the end of the module.
static MlcOp *
make_function(Outliner *o, MlcOp *kernel, const AttrVec *sizes)
{
    MlcContext *ctx = mlc_op_context(kernel);
    char name[32];
    snprintf(name, sizeof name, "kernel_%u", o->num_kernels++);
    MlcAttr notes = mlc_op_attr(kernel, MLC_KERNEL_NOTES);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_end(&b, mlc_region_first(mlc_op_region(o->module, 0)));
    b.loc = mlc_op_loc(kernel);
    MlcOp *func = mlc_func_func(&b, mlc_str(name), kernel_type(kernel));
    mlc_func_func_set_sym_visibility(func, mlc_string_attr_get(ctx, mlc_str("private")));
    mlc_op_set_attr(func, MLC_KERNEL_NOTES, notes);
    mlc_region_take_body(mlc_op_region(func, 0), mlc_op_region(kernel, 0));
    MlcOp *yield = mlc_block_last(mlc_region_first(mlc_op_region(func, 0)));
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++)
        mlc_vec_push(&results, mlc_op_operand(yield, i));
    mlc_builder_before(&b, yield);
    mlc_func_return(&b, results.data, results.size);
    mlc_op_erase(yield);
    note_layouts(func);
    name_size_arguments(func, mlc_block_num_args(mlc_region_first(mlc_op_region(func, 0))), sizes);
    mlc_vec_release(&results);
    mlc_symbol_table_insert(o->symbols, func);
    return func;
}

static bool
replace_by_call(MlcOp *kernel, MlcOp *func, const AttrVec *sizes)
{
    MlcContext *ctx = mlc_op_context(kernel);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, kernel);
    MlcValueVec operands = {0}, results = {0};
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(kernel); i++)
        mlc_vec_push(&operands, mlc_op_operand(kernel, i));
    bool ok = true;
    for (size_t i = 0; ok && i < sizes->size; i++) {
        mlc_vec_push(&operands, mlc_size_in_function(mlc_op_parent(kernel), sizes->data[i]));
        ok = operands.data[operands.size - 1] != NULL;
        if (!ok)
            mlc_op_unsupported(kernel, "the size '%.*s' does not follow from the inputs",
                               MLC_STR_FMT(mlc_string_attr_value(sizes->data[i])));
    }
    if (!ok)
        return mlc_vec_release(&operands), false;
    for (size_t i = 0; i < mlc_op_num_results(kernel); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(kernel, i)));
    MlcOp *call = mlc_func_call(&b, types.data, types.size, operands.data, operands.size,
                                mlc_symbol_name(func));
    for (size_t i = 0; i < types.size; i++)
        mlc_vec_push(&results, mlc_op_result(call, i));
    mlc_op_replace(kernel, results.data, results.size);
    mlc_vec_release(&operands);
    mlc_vec_release(&results);
    mlc_vec_release(&types);
    return true;
}

static bool
outline(Outliner *o, MlcOp *kernel)
{
    AttrVec sizes = {0};
    add_size_arguments(kernel, &sizes);
    uint64_t hash = hash_kernel(kernel);
    MlcOp *func = find_equal(o, hash, kernel);
    if (func) {
        mlc_pass_count(o->pass, "kernels-merged", 1);
    } else {
        Outlined *made = MLC_NEW(mlc_pass_scratch(o->pass), Outlined);
        func = made->func = make_function(o, kernel, &sizes);
        MlcMapEntry *entry = mlc_map_insert(&o->by_hash, hash, NULL);
        made->next = (Outlined *)(uintptr_t)entry->value;
        entry->value = (uint64_t)(uintptr_t)made;
        mlc_pass_count(o->pass, "kernels", 1);
    }
    bool ok = replace_by_call(kernel, func, &sizes);
    mlc_vec_release(&sizes);
    return ok;
}

// ---- sizes that the model function computes

static MlcOp *
declare_setter(MlcOp *module)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS), index = mlc_index_type_get(ctx);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_end(&b, mlc_region_first(mlc_op_region(module, 0)));
    MlcOp *function =
        mlc_func_func(&b, mlc_str(MLC_RT_SIZE_FUNCTION),
                      mlc_function_type_get(ctx, (MlcType[]){i64, i64}, 2, &index, 1));
    mlc_func_func_set_sym_visibility(function, mlc_string_attr_get(ctx, mlc_str("private")));
    return function;
}

// Right behind what computes it, size `number`.
static void
set_size(MlcValue *value, int64_t number, MlcAttr name)
{
    MlcOp *def = mlc_value_def(value);
    MlcContext *ctx = mlc_attr_context(name);
    MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS), index = mlc_index_type_get(ctx);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    if (def)
        mlc_builder_after(&b, def);
    else
        mlc_builder_at_start(&b, mlc_value_block(value));
    b.loc = def ? mlc_op_loc(def) : mlc_loc_unknown(ctx);
    MlcValue *operands[] = {
        mlc_arith_constant(&b, mlc_integer_attr_get(i64, number)),
        mlc_tensor_extract(&b, value, NULL, 0),
    };
    MlcOp *call = mlc_func_call(&b, &index, 1, operands, 2, mlc_str(MLC_RT_SIZE_FUNCTION));
    mlc_op_set_attr(call, MLC_SIZE_ATTR, name);
}

// The results of `function` that are sizes, which it does not return any more.
static void
set_sizes(MlcOp *module, MlcOp *function)
{
    MlcContext *ctx = mlc_op_context(module);
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = methods ? mlc_op_slot(function, methods->res_attrs_slot) : NULL;
    MlcOp *ret = attrs ? mlc_block_last(mlc_region_first(mlc_op_region(function, 0))) : NULL;
    MlcType type = attrs ? methods->type(function) : NULL;
    MlcValueVec kept = {0};
    MlcTypeVec types = {0};
    AttrVec kept_attrs = {0}, names = {0};
    for (size_t i = 0; attrs && i < mlc_array_attr_size(attrs); i++) {
        MlcAttr dict = mlc_array_attr_element(attrs, i);
        MlcAttr name = mlc_dict_attr_find(dict, mlc_str(MLC_SIZE_ATTR));
        if (name) {
            set_size(mlc_op_operand(ret, i), (int64_t)names.size, name);
            mlc_vec_push(&names, name);
            continue;
        }
        mlc_vec_push(&kept, mlc_op_operand(ret, i));
        mlc_vec_push(&types, mlc_function_type_results(type)[i]);
        mlc_vec_push(&kept_attrs, dict);
    }
    if (names.size) {
        declare_setter(module);
        mlc_op_set_operands(ret, kept.data, kept.size);
        mlc_op_set_slot(function, methods->res_attrs_slot,
                        mlc_array_attr_get(ctx, kept_attrs.data, kept_attrs.size));
        mlc_op_set_slot(function, methods->type_slot,
                        mlc_type_attr_get(mlc_function_type_get(ctx, mlc_function_type_inputs(type),
                                                                mlc_function_type_num_inputs(type),
                                                                types.data, types.size)));
        mlc_op_set_attr(module, MLC_COMPUTED_SIZES,
                        mlc_array_attr_get(ctx, names.data, names.size));
    }
    mlc_vec_release(&kept);
    mlc_vec_release(&types);
    mlc_vec_release(&kept_attrs);
    mlc_vec_release(&names);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Outliner o = {.pass = pass, .module = root, .symbols = mlc_symbol_table_create(root)};
    mlc_map_init(&o.by_hash);
    MLC_FOR_EACH_OP_SAFE (op, mlc_region_first(mlc_op_region(root, 0)))
        if (mlc_func_func_isa(op) && !mlc_region_is_empty(mlc_op_region(op, 0)))
            set_sizes(root, op);
    bool ok = true;
    MLC_FOR_EACH_OF_KIND (kernel, root, &mlc_graph_kernel_def)
        ok = ok && outline(&o, kernel);
    if (ok && mlc_op_attr(root, MLC_COMPUTED_SIZES)) // a kernel may have stood before its sizes
        MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(root, 0)))
            if (mlc_func_func_isa(op) && !mlc_region_is_empty(mlc_op_region(op, 0)))
                mlc_block_sort(mlc_region_first(mlc_op_region(op, 0)));
    mlc_map_release(&o.by_hash);
    mlc_symbol_table_destroy(o.symbols);
    return ok;
}

static const char *const dialects[] = {"func", "graph", "tensor", "arith", NULL};

MLC_PASS(outline_kernels, .flag = "outline-kernels",
         .summary = "Turn graph.kernel groups into private functions, equal ones merged",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)
