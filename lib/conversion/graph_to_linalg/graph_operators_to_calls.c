// graph_operators_to_calls.c -- functions of libraries that a model calls, as calls of
// declarations.
//
// A graph.operator becomes a call of a private function that is only declared. Its attribute
// `mlc.operator` says which function of which library stands behind it, and the types and
// attributes that it is told; operators that agree in all of that share a declaration. Behind the
// tensors stand their sizes that are known when the model runs, one for each such dimension, in
// order. So all levels down to buffers treat it as they treat any call, and operators-to-runtime
// makes a call of the runtime's table of it.
#include "graph_lower.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/map.h"

#include <stdio.h>

typedef struct Caller {
    MlcOp *module;
    MlcSymbolTable *symbols;
    MlcMap declared; // mlc.operator, with all types -> the declaration
    size_t count;
} Caller;

typedef MLC_VEC(MlcAttr) AttrVec;

static MlcAttr
none(MlcContext *ctx)
{
    return mlc_unit_attr_get(ctx);
}

// The types of the node's inputs, a unit for what it leaves out.
static MlcAttr
input_types(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcAttr absent = mlc_graph_operator_absent(op);
    size_t num_absent = absent ? mlc_int_list_attr_size(absent) : 0;
    AttrVec types = {0};
    for (size_t i = 0, given = 0, left = 0; given < mlc_op_num_operands(op) || left < num_absent;
         i++) {
        int64_t place;
        bool is_left_out =
            left < num_absent && mlc_int_list_attr_get(absent, left, &place) && place == (int64_t)i;
        left += is_left_out;
        mlc_vec_push(&types,
                     is_left_out ? none(ctx) : mlc_type_attr_get(mlc_op_operand_type(op, given++)));
    }
    MlcAttr list = mlc_array_attr_get(ctx, types.data, types.size);
    mlc_vec_release(&types);
    return list;
}

static MlcAttr
result_types(MlcOp *op)
{
    AttrVec types = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_type_attr_get(mlc_op_result_type(op, i)));
    MlcAttr list = mlc_array_attr_get(mlc_op_context(op), types.data, types.size);
    mlc_vec_release(&types);
    return list;
}

// What the function is, and what it is told.
static MlcAttr
describe(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    static const char *const copied[] = {"function", "library", "domain",
                                         "name",     "opset",   "attributes"};
    enum { NUM_COPIED = sizeof copied / sizeof *copied };
    MlcNamedAttr entries[NUM_COPIED + 2];
    for (size_t i = 0; i < NUM_COPIED; i++)
        entries[i] = mlc_named(ctx, copied[i], mlc_op_attr(op, copied[i]));
    entries[NUM_COPIED] = mlc_named(ctx, "inputs", input_types(op));
    entries[NUM_COPIED + 1] = mlc_named(ctx, "outputs", result_types(op));
    return mlc_dict_attr_get(ctx, entries, NUM_COPIED + 2);
}

// Sizes of the tensor's dimensions that are no numbers.
static bool
add_sizes(MlcOp *op, MlcType type, AttrVec *sizes)
{
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        if (mlc_type_dim(type, i) != MLC_DYNAMIC)
            continue;
        if (!mlc_size_of_dim(type, i))
            return mlc_op_unsupported(op, "size %zu of %s is unknown", i, mlc_type_text(type));
        mlc_vec_push(sizes, mlc_size_of_dim(type, i));
    }
    return true;
}

// `mlc.size` of the declaration's last arguments.
static void
name_sizes(MlcOp *function, size_t num_tensors, const AttrVec *sizes)
{
    MlcContext *ctx = mlc_op_context(function);
    AttrVec dicts = {0};
    for (size_t i = 0; i < num_tensors; i++)
        mlc_vec_push(&dicts, mlc_dict_attr_get(ctx, NULL, 0));
    for (size_t i = 0; i < sizes->size; i++) {
        MlcNamedAttr entry = mlc_named(ctx, MLC_SIZE_ATTR, sizes->data[i]);
        mlc_vec_push(&dicts, mlc_dict_attr_get(ctx, &entry, 1));
    }
    if (sizes->size)
        mlc_op_set_attr(function, "arg_attrs", mlc_array_attr_get(ctx, dicts.data, dicts.size));
    mlc_vec_release(&dicts);
}

static MlcOp *
declare(Caller *c, MlcOp *op, const AttrVec *sizes)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcAttr described = describe(op);
    MlcOp *function = mlc_map_get(&c->declared, described);
    if (function)
        return function;
    MlcTypeVec types = {0};
    MlcBuilder b;
    char name[32];
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&types, mlc_value_type(value));
    for (size_t i = 0; i < sizes->size; i++)
        mlc_vec_push(&types, mlc_index_type_get(ctx));
    size_t num_inputs = types.size;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_op_result_type(op, i));
    mlc_builder_init(&b, ctx);
    mlc_builder_at_end(&b, mlc_region_first(mlc_op_region(c->module, 0)));
    b.loc = mlc_op_loc(op);
    snprintf(name, sizeof name, "operator_%zu", c->count++);
    function =
        mlc_func_func(&b, mlc_str(name),
                      mlc_function_type_get(ctx, types.data, num_inputs, types.data + num_inputs,
                                            types.size - num_inputs));
    mlc_func_func_set_sym_visibility(function, mlc_string_attr_get(ctx, mlc_str("private")));
    mlc_op_set_attr(function, "mlc.operator", described);
    name_sizes(function, mlc_op_num_operands(op), sizes);
    mlc_symbol_table_insert(c->symbols, function);
    mlc_map_set(&c->declared, described, function);
    mlc_vec_release(&types);
    return function;
}

static bool
lower(Caller *c, MlcOp *op)
{
    MlcOp *around = mlc_op_parent(op);
    while (around && !mlc_func_func_isa(around))
        around = mlc_op_parent(around);
    AttrVec sizes = {0};
    MlcValueVec operands = {0}, results = {0};
    MlcTypeVec types = {0};
    bool ok = around != NULL;
    MLC_FOR_EACH_OPERAND (value, op) {
        ok = ok && add_sizes(op, mlc_value_type(value), &sizes);
        mlc_vec_push(&operands, value);
    }
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        ok = ok && add_sizes(op, mlc_op_result_type(op, i), &sizes);
        mlc_vec_push(&types, mlc_op_result_type(op, i));
    }
    for (size_t i = 0; ok && i < sizes.size; i++) {
        mlc_vec_push(&operands, mlc_size_in_function(around, sizes.data[i]));
        ok = operands.data[operands.size - 1] != NULL ||
             mlc_op_unsupported(op, "the size '%.*s' does not follow from the inputs",
                                MLC_STR_FMT(mlc_string_attr_value(sizes.data[i])));
    }
    if (ok) {
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(op));
        mlc_builder_before(&b, op);
        MlcOp *call = mlc_func_call(&b, types.data, types.size, operands.data, operands.size,
                                    mlc_symbol_name(declare(c, op, &sizes)));
        for (size_t i = 0; i < types.size; i++)
            mlc_vec_push(&results, mlc_op_result(call, i));
        mlc_op_replace(op, results.data, results.size);
    }
    mlc_vec_release(&sizes);
    mlc_vec_release(&operands);
    mlc_vec_release(&results);
    mlc_vec_release(&types);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_graph_operator_def;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    bool ok = true;
    Caller c = {.module = module, .symbols = mlc_symbol_table_create(module)};
    MLC_FOR_EACH_OF_KIND (op, module, &mlc_graph_operator_def)
        ok &= lower(&c, op);
    mlc_symbol_table_destroy(c.symbols);
    mlc_map_release(&c.declared);
    return ok;
}

static const char *const dialects[] = {"func", "arith", "tensor", NULL};

MLC_PASS(graph_operators_to_calls, .flag = "graph-operators-to-calls",
         .summary = "Make calls of operators that are functions of libraries",
         .anchor = "builtin.module", .dependent_dialects = dialects, .converts = converts,
         .run = run)
