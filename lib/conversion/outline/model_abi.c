// model_abi.c -- the entry point that the runtime calls: `llvm.func @mlc_main(%call) -> i32` around
// the model function.
//
// It reads the arena, the constants and the pointers of inputs and outputs from the call record
// (mlc/runtime/abi.h) and calls the model function with them. Around every kernel call in the model
// function the runtime is told (kernel_begin, kernel_end); `mlc.kernels` of the module lists the
// calls in that order: name of the kernel, what it was made from, and its costs (kernel-costs).
#include "to_llvm/to_llvm.h"

#include "mlc/pass.h"
#include "mlc/runtime/abi.h"

static MlcValue *
constant(MlcBuilder *b, unsigned width, int64_t value)
{
    return llvm_constant(b, mlc_integer_type_get(b->ctx, width, MLC_SIGNLESS), value);
}

// The pointer stored `index` pointers behind `base`.
static MlcValue *
load_pointer(MlcBuilder *b, MlcValue *base, size_t index)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    int32_t raw = (int32_t)index;
    return llvm_load(b, ptr, mlc_llvm_getelementptr(b, ptr, base, NULL, 0, &raw, 1, ptr), 8);
}

typedef MLC_VEC(MlcAttr) AttrVec;

typedef struct Nodes {
    MlcContext *ctx;
    AttrVec names;
} Nodes;

static void
append_node(MlcStr name, void *user)
{
    Nodes *nodes = user;
    mlc_vec_push(&nodes->names, mlc_string_attr_get(nodes->ctx, name));
}

// Notes of a kernel function begin with names of the nodes that it was made from, "conv1: ..."; of
// another call it has the call's, which stand in the same order.
static MlcAttr
notes_of_call(MlcAttr notes, const Nodes *function, const Nodes *call)
{
    AttrVec made = {0};
    MlcBuf text = {0};
    size_t count = mlc_attr_is(notes, MLC_ATTR_ARRAY) ? mlc_array_attr_size(notes) : 0;
    if (function->names.size != call->names.size)
        return notes;
    for (size_t i = 0; i < count; i++) {
        if (!mlc_attr_is(mlc_array_attr_element(notes, i), MLC_ATTR_STRING))
            continue;
        MlcStr note = mlc_string_attr_value(mlc_array_attr_element(notes, i));
        mlc_buf_clear(&text);
        for (size_t k = 0; k < function->names.size && text.size == 0; k++) {
            MlcStr name = mlc_string_attr_value(function->names.data[k]);
            if (note.size > name.size && note.data[name.size] == ':' &&
                memcmp(note.data, name.data, name.size) == 0)
                mlc_buf_printf(&text, "%.*s%.*s",
                               MLC_STR_FMT(mlc_string_attr_value(call->names.data[k])),
                               (int)(note.size - name.size), note.data + name.size);
        }
        if (text.size == 0)
            mlc_buf_append_str(&text, note);
        mlc_vec_push(&made, mlc_string_attr_get(call->ctx, mlc_buf_str(&text)));
    }
    MlcAttr list = mlc_array_attr_get(call->ctx, made.data, made.size);
    mlc_vec_release(&made);
    mlc_buf_release(&text);
    return list;
}

// A row of `mlc.kernels`: what is called, the nodes it computes, its costs and notes on how it is
// computed, where they are known.
static MlcAttr
describe_call(MlcOp *call, MlcSymbolTable *symbols)
{
    static const char *const costs[] = {"mlc.flops", "mlc.bytes"};
    MlcContext *ctx = mlc_op_context(call);
    MlcStr name = mlc_symbol_ref_attr_name(mlc_llvm_call_callee(call), 0);
    MlcOp *kernel = mlc_symbol_table_lookup(symbols, name);
    Nodes nodes = {.ctx = ctx}, first = {.ctx = ctx};
    mlc_loc_visit_names(mlc_op_loc(call), append_node, &nodes);
    MlcNamedAttr row[5] = {
        mlc_named(ctx, "name", mlc_string_attr_get(ctx, name)),
        mlc_named(ctx, "nodes", mlc_array_attr_get(ctx, nodes.names.data, nodes.names.size)),
    };
    size_t n = 2;
    for (size_t i = 0; i < 2; i++) {
        MlcAttr cost = kernel ? mlc_op_attr(kernel, costs[i]) : NULL;
        if (cost)
            row[n++] = mlc_named(ctx, costs[i] + strlen("mlc."), cost);
    }
    MlcAttr notes = kernel ? mlc_op_attr(kernel, "mlc.notes") : NULL;
    if (notes) {
        mlc_loc_visit_names(mlc_op_loc(kernel), append_node, &first);
        row[n++] = mlc_named(ctx, "notes", notes_of_call(notes, &first, &nodes));
    }
    mlc_vec_release(&nodes.names);
    mlc_vec_release(&first.names);
    return mlc_dict_attr_get(ctx, row, n);
}

// Brackets the kernel calls of the model function.
static MlcAttr
add_profile_hooks(MlcOp *module, MlcOp *function)
{
    MlcContext *ctx = mlc_op_context(function);
    AttrVec kernels = {0};
    MlcOpVec calls = {0};
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_llvm_call_isa(op) && mlc_llvm_call_callee(op))
            mlc_vec_push(&calls, op);
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcValue *call = mlc_block_arg(entry, 0);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_start(&b, entry);
    MlcValue *table = calls.size > 0 ? load_pointer(&b, call, MLC_RT_CALL_TABLE) : NULL;
    MlcValue *begin = table ? load_pointer(&b, table, MLC_RT_TABLE_KERNEL_BEGIN) : NULL;
    MlcValue *end = table ? load_pointer(&b, table, MLC_RT_TABLE_KERNEL_END) : NULL;
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    for (size_t i = 0; i < calls.size; i++) {
        MlcOp *kernel = calls.data[i];
        mlc_vec_push(&kernels, describe_call(kernel, symbols));
        mlc_builder_before(&b, kernel);
        MlcValue *number = constant(&b, 64, (int64_t)i);
        mlc_llvm_call(&b, NULL, (MlcValue *[]){begin, call, number}, 3);
        mlc_builder_after(&b, kernel);
        mlc_llvm_call(&b, NULL, (MlcValue *[]){end, call, number}, 3);
    }
    mlc_symbol_table_destroy(symbols);
    MlcAttr list = mlc_array_attr_get(ctx, kernels.data, kernels.size);
    mlc_vec_release(&kernels);
    mlc_vec_release(&calls);
    return list;
}

// Where the code writes output `i`: the caller's buffer, or the place of a size among the dims of
// the output that it is of (`size_of`). Those come behind the others.
static MlcValue *
output_pointer(MlcBuilder *b, MlcValue *call, MlcAttr entry, size_t i)
{
    MlcAttr size_of = mlc_dict_attr_find(entry, mlc_str("size_of"));
    int64_t output = 0, dim = 0;
    if (!size_of)
        return load_pointer(b, load_pointer(b, call, MLC_RT_CALL_OUTPUTS), i);
    (void)mlc_int_list_attr_get(size_of, 0, &output);
    (void)mlc_int_list_attr_get(size_of, 1, &dim);
    MlcValue *rows = load_pointer(b, call, MLC_RT_CALL_OUTPUT_DIMS);
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    int32_t raw = (int32_t)dim;
    return mlc_llvm_getelementptr(b, llvm_ptr(b->ctx, 0), load_pointer(b, rows, (size_t)output),
                                  NULL, 0, &raw, 1, i64);
}

// Sizes and places of buffers that the runtime computed stand behind the dims of outputs, of which
// those that are a size of another one have none.
static MlcValue *
sizes_pointer(MlcBuilder *b, MlcValue *call, MlcAttr outputs)
{
    size_t count = 0;
    for (size_t i = 0; i < mlc_array_attr_size(outputs); i++)
        count += !mlc_dict_attr_find(mlc_array_attr_element(outputs, i), mlc_str("size_of"));
    return load_pointer(b, load_pointer(b, call, MLC_RT_CALL_OUTPUT_DIMS), count);
}

// An entry point `symbol` that hands the parts of the call record to `function`. `outputs` is NULL
// where there are none.
static void
build_entry(MlcOp *module, MlcOp *function, const char *symbol, size_t num_inputs, MlcAttr outputs)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcType ptr = llvm_ptr(ctx, 0), i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    MlcType type = llvm_function_type(ctx, i32, &ptr, 1);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_after(&b, function);
    MlcOp *entry = mlc_llvm_func(&b, mlc_str(symbol), mlc_type_attr_get(type));
    MlcValue *call =
        mlc_block_arg(mlc_builder_create_block(&b, mlc_op_region(entry, 0), &ptr, 1), 0);
    MlcValueVec operands = {0};
    mlc_vec_push(&operands, call);
    mlc_vec_push(&operands, load_pointer(&b, call, MLC_RT_CALL_ARENA));
    mlc_vec_push(&operands, load_pointer(&b, call, MLC_RT_CALL_CONSTANTS));
    mlc_vec_push(&operands, load_pointer(&b, call, MLC_RT_CALL_PREPARED));
    if (outputs && mlc_op_attr(module, "mlc.device_memory")) {
        mlc_vec_push(&operands, load_pointer(&b, call, MLC_RT_CALL_DEVICE_ARENA));
        mlc_vec_push(&operands, load_pointer(&b, call, MLC_RT_CALL_DEVICE_CONSTANTS));
    }
    if (outputs && mlc_op_attr(module, "mlc.shapes"))
        mlc_vec_push(&operands, sizes_pointer(&b, call, outputs));
    MlcValue *inputs = load_pointer(&b, call, MLC_RT_CALL_INPUTS);
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&operands, load_pointer(&b, inputs, i));
    for (size_t i = 0; outputs && i < mlc_array_attr_size(outputs); i++)
        mlc_vec_push(&operands, output_pointer(&b, call, mlc_array_attr_element(outputs, i), i));
    MlcOp *made = mlc_llvm_call(&b, NULL, operands.data, operands.size);
    mlc_llvm_call_set_callee(made, mlc_symbol_ref_attr_get(ctx, mlc_symbol_name(function)));
    mlc_vec_release(&operands);
    mlc_llvm_return(&b, constant(&b, 32, 0));
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcStr name = mlc_pass_option_str(pass, "function");
    MlcOp *function = mlc_symbol_lookup(module, name);
    if (!mlc_llvm_func_isa(function))
        return mlc_op_error(module, "has no llvm.func '@%.*s' to make an entry point for",
                            MLC_STR_FMT(name));
    MlcAttr inputs = mlc_op_attr(module, "mlc.inputs"),
            outputs = mlc_op_attr(module, "mlc.outputs");
    if (!inputs || !outputs)
        return mlc_op_error(
            module,
            "does not say its inputs and outputs ('mlc.inputs', 'mlc.outputs'); plan-memory does");
    mlc_op_set_attr(module, "mlc.kernels", add_profile_hooks(module, function));
    build_entry(module, function, MLC_RT_SYMBOL_MAIN, mlc_array_attr_size(inputs), outputs);
    MlcAttr init = mlc_op_attr(module, "mlc.init");
    if (!init)
        return true;
    MlcOp *prepare = mlc_symbol_lookup(module, mlc_symbol_ref_attr_name(init, 0));
    if (!mlc_llvm_func_isa(prepare))
        return mlc_op_error(module, "has no llvm.func '@%.*s', which 'mlc.init' names",
                            MLC_STR_FMT(mlc_symbol_ref_attr_name(init, 0)));
    build_entry(module, prepare, MLC_RT_SYMBOL_INIT, 0, NULL);
    return true;
}

static const MlcPassOption options[] = {
    {"function", MLC_OPTION_STRING, "main", "The model function"},
};
static const char *const dialects[] = {"llvm", NULL};

MLC_PASS(model_abi, .flag = "model-abi", .summary = "Add the entry point that the runtime calls",
         .anchor = "builtin.module", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .run = run)
