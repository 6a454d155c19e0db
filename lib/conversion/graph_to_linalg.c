// graph_to_linalg.c -- every graph op as linalg on tensors: which goes which way (graph_lower.h),
// and what must be known of it.
//
// Named linalg ops where one says exactly what the graph op does (2-d convolutions and pools,
// matrix products), linalg.generic for the rest; ops with a scalar body in their record (a user's
// YAML included) all go one way. Broadcasting drops dimensions of size 1, so that all indexing maps
// are projected permutations. Float ops carry fastmath<contract>. Dimension names (#graph.dims) end
// here. Legal after: no op of the graph dialect but graph.kernel's, whose body is inlined. Checked
// before anything is changed, every op that cannot be lowered is an error.
#include "graph_lower.h"

#include "mlc/body.h"
#include "mlc/pass.h"

// ---- which op goes which way

typedef struct Lowering {
    const char *name;
    MlcValue *(*lower)(MlcGraphLower *l);
    bool is_static; // sizes other than the first must be known
} Lowering;

static const Lowering lowerings[] = {
    {"graph.average_pool", mlc_graph_lower_average_pool, true},
    {"graph.batch_norm", mlc_graph_lower_batch_norm, false},
    {"graph.concat", mlc_graph_lower_concat, true},
    {"graph.constant", mlc_graph_lower_constant, false},
    {"graph.conv", mlc_graph_lower_conv, true},
    {"graph.expand", mlc_graph_lower_expand, false},
    {"graph.flatten", mlc_graph_lower_reshape, true},
    {"graph.gather", mlc_graph_lower_gather, true},
    {"graph.gather_elements", mlc_graph_lower_gather_elements, true},
    {"graph.gather_nd", mlc_graph_lower_gather_nd, true},
    {"graph.gemm", mlc_graph_lower_gemm, false},
    {"graph.global_average_pool", mlc_graph_lower_global_average_pool, true},
    {"graph.global_max_pool", mlc_graph_lower_global_max_pool, true},
    {"graph.identity", mlc_graph_lower_identity, false},
    {"graph.matmul", mlc_graph_lower_matmul, true},
    {"graph.max_pool", mlc_graph_lower_max_pool, true},
    {"graph.pad", mlc_graph_lower_pad, false},
    {"graph.reduce_max", mlc_graph_lower_reduce_max, true},
    {"graph.reduce_mean", mlc_graph_lower_reduce_mean, true},
    {"graph.reduce_min", mlc_graph_lower_reduce_min, true},
    {"graph.reduce_sum", mlc_graph_lower_reduce_sum, true},
    {"graph.reshape", mlc_graph_lower_reshape, true},
    {"graph.slice", mlc_graph_lower_slice, true},
    {"graph.softmax", mlc_graph_lower_softmax, false},
    {"graph.tile", mlc_graph_lower_tile, true},
    {"graph.transpose", mlc_graph_lower_transpose, false},
    {"graph.trilu", mlc_graph_lower_trilu, false},
};

static bool
has_body(MlcOp *op)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) || !mlc_op_def(op)->body ||
        mlc_op_num_results(op) != 1)
        return false;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    return mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR);
}

// From the dialect `graph`, or one loaded from YAML that gives its elementwise ops a body.
static bool
find_lowering(MlcOp *op, Lowering *found)
{
    for (size_t i = 0; i < sizeof lowerings / sizeof *lowerings; i++)
        if (mlc_op_is_named(op, lowerings[i].name)) {
            *found = lowerings[i];
            return true;
        }
    *found = (Lowering){.lower = mlc_graph_lower_elementwise};
    return has_body(op);
}

static bool
is_graph_op(MlcOp *op)
{
    MlcStr name = mlc_op_name(op);
    return name.size > 6 && memcmp(name.data, "graph.", 6) == 0;
}

// ---- checks, before anything changes

static bool
check_type(MlcOp *op, MlcType type, bool is_static)
{
    if (!mlc_type_has_rank(type))
        return mlc_op_error(op,
                            "cannot be lowered: the rank of %s is unknown (run graph-infer-shapes)",
                            mlc_type_text(type));
    if (mlc_type_rank(type) > MLC_GRAPH_MAX_RANK)
        return mlc_op_error(op, "cannot be lowered: rank %zu is more than %d", mlc_type_rank(type),
                            MLC_GRAPH_MAX_RANK);
    MlcType element = mlc_type_element(type);
    if (mlc_type_is(element, MLC_TYPE_INTEGER) &&
        mlc_integer_type_signedness(element) != MLC_SIGNLESS)
        return mlc_op_error(op, "cannot be lowered: elements of type %s are not supported yet",
                            mlc_type_text(element));
    for (size_t i = 1; is_static && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            return mlc_op_error(op, "cannot be lowered: size %zu of %s is unknown", i,
                                mlc_type_text(type));
    return true;
}

// A slice's result has the same unknown size as its input, or a known one where it cuts.
static bool
takes_unknown_whole(MlcOp *op)
{
    MlcAttr starts = mlc_op_attr(op, "starts"), ends = mlc_op_attr(op, "ends");
    MlcAttr axes = mlc_op_attr(op, "axes"), steps = mlc_op_attr(op, "steps");
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    for (size_t i = 0; i < mlc_int_list_attr_size(starts); i++) {
        int64_t axis = (int64_t)i, start = 0, end = 0, step = 1;
        bool ok = mlc_int_list_attr_get(starts, i, &start) &&
                  mlc_int_list_attr_get(ends, i, &end) &&
                  (!axes || mlc_int_list_attr_get(axes, i, &axis)) &&
                  (!steps || mlc_int_list_attr_get(steps, i, &step));
        axis += axis < 0 ? (int64_t)mlc_type_rank(type) : 0;
        if (ok && mlc_type_dim(type, (size_t)axis) == MLC_DYNAMIC &&
            (start != 0 || end != INT64_MAX || step != 1))
            return false;
    }
    return true;
}

static bool
check_details(MlcOp *op)
{
    MlcGraphWindow window;
    MlcAttr pads = mlc_op_attr(op, "pads");
    int64_t pad;
    bool is_window = mlc_op_is_named(op, "graph.conv") || mlc_op_is_named(op, "graph.max_pool") ||
                     mlc_op_is_named(op, "graph.average_pool");
    if (is_window && !mlc_graph_window(op, &window))
        return mlc_op_error(op, "cannot be lowered: its window is unknown");
    if (is_window && mlc_type_dim(mlc_value_type(mlc_op_result(op, 0)), 0) == MLC_DYNAMIC &&
        mlc_type_dim(mlc_value_type(mlc_op_operand(op, 0)), 0) != MLC_DYNAMIC)
        return mlc_op_error(op, "cannot be lowered: the batch size contradicts the input's");
    if (mlc_op_is_named(op, "graph.slice") && !takes_unknown_whole(op))
        return mlc_op_error(op, "cannot be lowered: it cuts a dimension of unknown size");
    if (mlc_op_is_named(op, "graph.pad"))
        for (size_t i = 0; i < mlc_int_list_attr_size(pads); i++)
            if (mlc_int_list_attr_get(pads, i, &pad) && pad < 0)
                return mlc_op_error(op, "cannot be lowered: negative pads are not supported yet");
    if ((mlc_op_is_named(op, "graph.reshape") || mlc_op_is_named(op, "graph.flatten")) &&
        !mlc_lb_can_reshape(mlc_value_type(mlc_op_operand(op, 0)),
                            mlc_value_type(mlc_op_result(op, 0))))
        return mlc_op_error(op, "cannot be lowered: a reshape of unknown sizes");
    return true;
}

static bool
check_op(MlcOp *op)
{
    Lowering lowering;
    if (mlc_op_is_named(op, "graph.kernel") || mlc_op_is_named(op, "graph.yield"))
        return true;
    if (!find_lowering(op, &lowering))
        return !is_graph_op(op) || mlc_op_error(op, "cannot be lowered to linalg: no rule for it");
    bool ok = check_type(op, mlc_value_type(mlc_op_result(op, 0)), lowering.is_static);
    for (size_t i = 0; ok && i < mlc_op_num_operands(op); i++)
        ok = check_type(op, mlc_value_type(mlc_op_operand(op, i)), lowering.is_static);
    if (ok && lowering.lower == mlc_graph_lower_elementwise &&
        mlc_op_num_operands(op) > MLC_LB_MAX_INPUTS)
        return mlc_op_error(op, "cannot be lowered: more than %d operands", MLC_LB_MAX_INPUTS);
    return ok && check_details(op);
}

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

static bool
lower_op(MlcOp *op)
{
    Lowering lowering;
    if (mlc_op_is_named(op, "graph.kernel")) {
        inline_kernel(op);
        return true;
    }
    if (mlc_op_is_named(op, "graph.yield") || !find_lowering(op, &lowering))
        return true;
    MlcContext *ctx = mlc_op_context(op);
    MlcGraphLower l = {.op = op, .type = mlc_value_type(mlc_op_result(op, 0))};
    l.element = mlc_type_element(l.type);
    l.lb = (MlcLb){.ctx = ctx, .fastmath = mlc_fastmath_contract(ctx)};
    mlc_builder_init(&l.lb.b, ctx);
    mlc_builder_before(&l.lb.b, op);
    MlcValue *value = lowering.lower(&l);
    if (!value)
        return mlc_op_error(op, "cannot be lowered to linalg");
    if (mlc_value_type(value) != l.type) // a batch size that one side knows
        value = mlc_build_value(&l.lb.b, "tensor.cast", l.type, &value, 1);
    mlc_op_replace(op, &value, 1);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root)
        ok &= check_op(op);
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
         .summary = "MlcGraphLower graph ops to linalg on tensors", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)
