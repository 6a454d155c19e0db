// graph_to_linalg.c -- every graph op as linalg on tensors: which goes which way, and what must be
// known of it, is in graph_check_lowerable.c.
//
// Named linalg ops where one says exactly what the graph op does (2-d convolutions and pools,
// matrix products), linalg.generic for the rest; ops with a scalar body in their record (a user's
// YAML included) all go one way. Broadcasting drops dimensions of size 1, so that all indexing maps
// are projected permutations. Float ops carry fastmath<contract>. Dimension names (#graph.dims) end
// here. Legal after: no op of the graph dialect but graph.kernel's, whose body is inlined. Checked
// before anything is changed, every op that cannot be lowered is an error.
#include "graph_lower.h"

#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/tensor.h"

// ---- the conversion

// Dimension names end here: tensors get plain types.
static MlcType
plain_type(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_tensor_type_encoding(type) ||
        !mlc_attr_isa(mlc_tensor_type_encoding(type), "graph.dims"))
        return type;
    return mlc_tensor_type_get(mlc_type_element(type), mlc_type_shape(type), mlc_type_rank(type),
                               NULL);
}

static void
make_plain(MlcValue *value)
{
    MlcType type = mlc_value_type(value), plain = plain_type(type);
    if (plain != type)
        mlc_value_set_type(value, plain);
}

static void
make_plain_function(MlcOp *func)
{
    MlcAttr attr = mlc_op_attr(func, "function_type");
    if (!mlc_attr_is(attr, MLC_ATTR_TYPE) ||
        !mlc_type_is(mlc_type_attr_value(attr), MLC_TYPE_FUNCTION))
        return;
    MlcType old = mlc_type_attr_value(attr);
    size_t num_inputs = mlc_function_type_num_inputs(old),
           num_results = mlc_function_type_num_results(old);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&types, plain_type(mlc_function_type_inputs(old)[i]));
    for (size_t i = 0; i < num_results; i++)
        mlc_vec_push(&types, plain_type(mlc_function_type_results(old)[i]));
    MlcType type = mlc_function_type_get(mlc_op_context(func), types.data, num_inputs,
                                         types.data + num_inputs, num_results);
    if (type != old)
        mlc_op_set_attr(func, "function_type", mlc_type_attr_get(type));
    mlc_vec_release(&types);
}

static void
make_plain_inside(MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            make_plain(mlc_op_result(op, i));
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                make_plain(mlc_block_arg(block, i));
    }
    make_plain_function(root);
}

// A kernel that was not outlined: its ops take its place.
static void
inline_kernel(MlcOp *kernel)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(kernel, 0));
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), mlc_op_operand(kernel, i));
    MlcOp *yield = mlc_block_last(body);
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++)
        mlc_vec_push(&results, mlc_op_operand(yield, i));
    mlc_op_erase(yield);
    mlc_block_splice(mlc_op_block(kernel), kernel, body);
    mlc_op_replace(kernel, results.data, results.size);
    mlc_vec_release(&results);
}

// `op` was found to be lowerable; false, after a diagnostic, if its body is no expression.
static bool
lower_op(MlcOp *op)
{
    MlcGraphLowering lowering;
    if (mlc_graph_kernel_isa(op)) {
        inline_kernel(op);
        return true;
    }
    if (mlc_graph_yield_isa(op) || !mlc_graph_find_lowering(op, &lowering))
        return true;
    MlcContext *ctx = mlc_op_context(op);
    MlcGraphLower l = {.op = op, .type = mlc_value_type(mlc_op_result(op, 0))};
    l.element = mlc_type_element(l.type);
    l.fastmath = mlc_fastmath_contract(ctx);
    mlc_builder_init(&l.b, ctx);
    mlc_builder_before(&l.b, op);
    MlcValue *value = lowering.lower(&l);
    if (!value)
        return false;
    if (mlc_value_type(value) != l.type) // a batch size that one side knows
        value = mlc_tensor_cast(&l.b, l.type, value);
    mlc_op_replace(op, &value, 1);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_graph_kernel_def || mlc_graph_is_lowered(op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root)
        ok &= mlc_graph_check_lowerable(pass, op);
    if (!ok)
        return false;
    make_plain_inside(root);
    MLC_FOR_EACH_POSTORDER (op, root)
        if (op != root)
            ok &= lower_op(op);
    return ok;
}

static const char *const dialects[] = {"arith", "cf", "linalg", "math", "tensor", NULL};

MLC_PASS(graph_to_linalg, .flag = "graph-to-linalg",
         .summary = "Lower graph ops to linalg on tensors", .anchor = "func.func",
         .dependent_dialects = dialects, .converts = converts, .run = run)
