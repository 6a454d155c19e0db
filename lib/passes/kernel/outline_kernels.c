// outline_kernels.c -- each graph.kernel becomes a private function and a call; equal ones share
// one function.
//
// Two kernels are equal if their bodies are: same ops in the same order with the same attributes,
// types and connections. Locations do not count, so a merged kernel keeps those of its first use;
// the calls keep their own. Bodies are compared within buckets of a structural hash. Kernels are
// numbered in program order, whatever the addresses.
#include "kernel_notes.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/graph.h"
#include "mlc/ir.h"
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

// ---- outlining

static MlcType
kernel_type(MlcOp *kernel)
{
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(kernel); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_operand(kernel, i)));
    for (size_t i = 0; i < mlc_op_num_results(kernel); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(kernel, i)));
    size_t n = mlc_op_num_operands(kernel);
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
make_function(Outliner *o, MlcOp *kernel)
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
    mlc_vec_release(&results);
    mlc_symbol_table_insert(o->symbols, func);
    return func;
}

static void
replace_by_call(MlcOp *kernel, MlcOp *func)
{
    MlcContext *ctx = mlc_op_context(kernel);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, kernel);
    MlcValueVec operands = {0}, results = {0};
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(kernel); i++)
        mlc_vec_push(&operands, mlc_op_operand(kernel, i));
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
}

static void
outline(Outliner *o, MlcOp *kernel)
{
    uint64_t hash = hash_kernel(kernel);
    MlcOp *func = find_equal(o, hash, kernel);
    if (func) {
        mlc_pass_count(o->pass, "kernels-merged", 1);
    } else {
        Outlined *made = MLC_NEW(mlc_pass_scratch(o->pass), Outlined);
        func = made->func = make_function(o, kernel);
        MlcMapEntry *entry = mlc_map_insert(&o->by_hash, hash, NULL);
        made->next = (Outlined *)(uintptr_t)entry->value;
        entry->value = (uint64_t)(uintptr_t)made;
        mlc_pass_count(o->pass, "kernels", 1);
    }
    replace_by_call(kernel, func);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Outliner o = {.pass = pass, .module = root, .symbols = mlc_symbol_table_create(root)};
    MlcOpVec kernels = {0};
    mlc_map_init(&o.by_hash);
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_graph_kernel_isa(op))
            mlc_vec_push(&kernels, op);
    for (size_t i = 0; i < kernels.size; i++)
        outline(&o, kernels.data[i]);
    mlc_vec_release(&kernels);
    mlc_map_release(&o.by_hash);
    mlc_symbol_table_destroy(o.symbols);
    return true;
}

static const char *const dialects[] = {"func", "graph", NULL};

MLC_PASS(outline_kernels, .flag = "outline-kernels",
         .summary = "Turn graph.kernel groups into private functions, equal ones merged",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)
