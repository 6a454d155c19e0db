// graph_infer_shapes.c -- refine the types of tensors from operands to results, in program order.
//
// Each op says its own shape (MLC_INTERFACE_INFER_SHAPES); sizes once known are never forgotten.
// Padding given as a rule (auto_pad) becomes numbers as soon as sizes are known, so that nothing
// below needs the rule. At last the function's type follows its returned values.
#include "mlc/pass.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/ir.h"

static void
resolve_auto_pad(MlcOp *op)
{
    MlcGraphWindow w;
    int64_t pads[2 * MLC_GRAPH_MAX_SPATIAL];
    MlcContext *ctx = mlc_op_context(op);
    if (!mlc_op_attr(op, "auto_pad") || !mlc_graph_window(op, &w))
        return;
    for (size_t i = 0; i < w.rank; i++) {
        pads[i] = w.pad_begin[i];
        pads[i + w.rank] = w.pad_end[i];
    }
    mlc_op_set_attr(op, "auto_pad", NULL);
    mlc_op_set_attr(op, "pads", mlc_i64_array_attr_get(ctx, pads, 2 * w.rank));
}

// Results of the function's type as its return has them.
static void
update_function_type(MlcOp *func)
{
    const MlcFunction *function = mlc_op_interface(func, MLC_INTERFACE_FUNCTION);
    MlcRegion *region = mlc_op_region(func, 0);
    if (!function || !mlc_region_has_one_block(region))
        return;
    MlcOp *end = mlc_block_last(mlc_region_first(region));
    MlcType old = function->type(func);
    if (!end || !mlc_op_has_trait(end, MLC_TRAIT_RETURN_LIKE) ||
        mlc_op_num_operands(end) != mlc_function_type_num_results(old))
        return;
    MlcTypeVec results = {0};
    MLC_FOR_EACH_OPERAND (value, end)
        mlc_vec_push(&results, mlc_value_type(value));
    MlcType type =
        mlc_function_type_get(mlc_op_context(func), mlc_function_type_inputs(old),
                              mlc_function_type_num_inputs(old), results.data, results.size);
    if (type != old)
        mlc_op_set_slot(func, function->type_slot, mlc_type_attr_get(type));
    mlc_vec_release(&results);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root) {
        const MlcInferShapes *shapes = mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES);
        if (!shapes || mlc_op_num_results(op) == 0)
            continue;
        MlcType before = mlc_value_type(mlc_op_result(op, 0));
        if (!shapes->infer(op)) {
            ok = false; // its users are still looked at: faults that can be told apart are all
                        // reported
            continue;
        }
        resolve_auto_pad(op);
        if (mlc_value_type(mlc_op_result(op, 0)) != before)
            mlc_pass_count(pass, "refined", 1);
    }
    if (ok)
        update_function_type(root);
    return ok;
}

MLC_PASS(graph_infer_shapes, .flag = "graph-infer-shapes",
         .summary = "Find the shapes of tensors from those of the inputs", .anchor = "func.func",
         .run = run)
