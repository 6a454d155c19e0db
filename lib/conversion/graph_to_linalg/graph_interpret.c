// graph_interpret.c -- ops that have no lowering are run by the reference interpreter.
//
// An op that graph-check-lowerable would refuse becomes a graph.operator: a call of
// mlc_interpret_operator (mlc/parts.h), which is told the op as a module of text, with one function
// of one op. When the model runs all sizes are numbers, so what an op needs to know of them is
// there. Only what has an `eval` slot, no regions, and results of sizes that follow from the
// inputs' can be run so; the rest is left for graph-check-lowerable to refuse.
//
// One warning names the nodes, and each kernel says in its notes why it is interpreted. A module
// that says `mlc.require_compiled` is left alone.
#include "graph_lower.h"

#include "mlc/dialects/builtin.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/graph.h"
#include "mlc/ir/text.h"
#include "mlc/support/vec.h"

enum { MAX_NAMED = 8 };

// The op as the body of a function, with plain types.
static MlcAttr
write_module(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcBuilder b, inner;
    MlcTypeVec types = {0};
    mlc_builder_init(&b, ctx);
    b.loc = mlc_loc_unknown(ctx);
    MlcOp *module = mlc_builtin_module(&b);
    mlc_builder_at_end(&b, mlc_builder_create_block(&b, mlc_op_region(module, 0), NULL, 0));
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&types, mlc_value_type(value));
    size_t num_inputs = types.size;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_op_result_type(op, i));
    MlcOp *function =
        mlc_func_func(&b, mlc_str("part"),
                      mlc_function_type_get(ctx, types.data, num_inputs, types.data + num_inputs,
                                            types.size - num_inputs));
    inner = b;
    MlcBlock *block =
        mlc_builder_create_block(&inner, mlc_op_region(function, 0), types.data, num_inputs);
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < num_inputs; i++)
        mlc_clone_map_set(map, mlc_op_operand(op, i), mlc_block_arg(block, i));
    MlcOp *clone = mlc_op_clone(op, map);
    for (size_t i = 0; i < num_inputs; i++) // of operands that are one value, too
        mlc_op_set_operand(clone, i, mlc_block_arg(block, i));
    mlc_builder_insert(&inner, clone);
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(clone); i++)
        mlc_vec_push(&results, mlc_op_result(clone, i));
    mlc_func_return(&inner, results.data, results.size);
    MlcBuf text = {0};
    mlc_op_print(module, NULL, &text);
    MlcAttr attr = mlc_string_attr_get(ctx, mlc_buf_str(&text));
    mlc_buf_release(&text);
    mlc_clone_map_destroy(map);
    mlc_vec_release(&types);
    mlc_vec_release(&results);
    mlc_op_destroy(module);
    return attr;
}

static void
interpret(MlcOp *op, MlcStr why)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcNamedAttr part = mlc_named(ctx, "module", write_module(op));
    MlcStr name = mlc_op_name(op), dialect = mlc_str("graph");
    MlcStr mnemonic = mlc_str_n(name.data + dialect.size + 1, name.size - dialect.size - 1);
    MlcBuf note = {0};
    mlc_buf_printf(&note, "interpreted: %.*s", MLC_STR_FMT(why));
    MlcAttr notes = mlc_string_attr_get(ctx, mlc_buf_str(&note));
    mlc_buf_release(&note);
    MlcNamedAttr attrs[] = {
        mlc_named(ctx, "function", mlc_string_attr_get(ctx, mlc_str("mlc_interpret_operator"))),
        mlc_named(ctx, "library", mlc_string_attr_get(ctx, mlc_str("libmlc.so.0"))),
        mlc_named(ctx, "domain", mlc_string_attr_get(ctx, dialect)),
        mlc_named(ctx, "name", mlc_string_attr_get(ctx, mnemonic)),
        mlc_named(ctx, "attributes", mlc_dict_attr_get(ctx, &part, 1)),
        mlc_named(ctx, "mlc.notes", mlc_array_attr_get(ctx, &notes, 1)),
    };
    MlcTypeVec types = {0};
    MlcValueVec operands = {0}, results = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands, value);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_op_result_type(op, i));
    MlcOpState state = {.def = &mlc_graph_operator_def,
                        .operands = operands.data,
                        .num_operands = operands.size,
                        .result_types = types.data,
                        .num_results = types.size,
                        .attrs = attrs,
                        .num_attrs = sizeof attrs / sizeof *attrs};
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    MlcOp *made = mlc_builder_create(&b, &state);
    for (size_t i = 0; i < types.size; i++)
        mlc_vec_push(&results, mlc_op_result(made, i));
    mlc_op_replace(op, results.data, results.size);
    mlc_vec_release(&types);
    mlc_vec_release(&operands);
    mlc_vec_release(&results);
}

static void
keep_name(MlcStr name, void *user)
{
    *(MlcStr *)user = name;
}

// "'topk' (graph.top_k): why", the first few.
static void
name_node(MlcOp *op, MlcStr why, size_t count, MlcBuf *out)
{
    MlcStr name = {0};
    mlc_loc_visit_names(mlc_op_loc(op), keep_name, &name);
    if (count < MAX_NAMED)
        mlc_buf_printf(out, "%s'%.*s' (%.*s): %.*s", count ? "; " : "", MLC_STR_FMT(name),
                       MLC_STR_FMT(mlc_op_name(op)), MLC_STR_FMT(why));
    if (count == MAX_NAMED)
        mlc_buf_append_c(out, "; ...");
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec ops = {0};
    MlcBuf names = {0}, why = {0};
    size_t count = 0;
    MlcLoc first = mlc_op_loc(root);
    MlcOp *module = mlc_op_parent(root);
    if (module && mlc_op_attr(module, "mlc.require_compiled"))
        return true;
    MLC_FOR_EACH_PREORDER (op, root)
        if (op != root)
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++) {
        mlc_buf_clear(&why);
        if (!mlc_graph_why_interpreted(pass, ops.data[i], &why))
            continue;
        first = count ? first : mlc_op_loc(ops.data[i]);
        name_node(ops.data[i], mlc_buf_str(&why), count++, &names);
        interpret(ops.data[i], mlc_buf_str(&why));
    }
    if (count)
        mlc_warning(mlc_pass_context(pass), first,
                    "%zu op%s interpreted, which is slow (--require-compiled refuses that): %s",
                    count, count == 1 ? " is" : "s are", mlc_buf_c_str(&names));
    mlc_pass_count(pass, "interpreted", (int64_t)count);
    mlc_vec_release(&ops);
    mlc_buf_release(&names);
    mlc_buf_release(&why);
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_interpret, .flag = "graph-interpret",
         .summary = "Have the interpreter run what cannot be lowered", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)
