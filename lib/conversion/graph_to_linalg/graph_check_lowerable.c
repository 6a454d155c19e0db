// graph_check_lowerable.c -- which graph op is lowered which way, and every op that cannot be.
//
// A model that was imported may still ask for something that nothing below can do: an element type
// that no machine code computes on, a size that must be known and is not, a form of an op. All of
// that is found here, by types and attributes, behind the passes on whole tensors (what they fold
// is computed when compiling, whatever its type) and before the first one that takes the model
// apart: so one run tells every node, once, as what is not supported (mlc_op_unsupported).
#include "graph_lower.h"

#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/operator.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

#include <stdarg.h>

// ---- which op goes which way

static const MlcGraphLowering lowerings[] = {
    {"graph.argsort", mlc_graph_lower_argsort, true, MLC_OPEN_ALL},
    {"graph.average_pool", mlc_graph_lower_average_pool, true, MLC_OPEN_ALL},
    {"graph.batch_norm", mlc_graph_lower_batch_norm, false, MLC_OPEN_ALL},
    {"graph.bitcast", mlc_graph_lower_bitcast, false, MLC_OPEN_ALL},
    {"graph.block_matmul", mlc_graph_lower_block_matmul, true, MLC_OPEN_NONE},
    {"graph.concat", mlc_graph_lower_concat, true, MLC_OPEN_ALL},
    {"graph.constant", mlc_graph_lower_constant, false, MLC_OPEN_ALL},
    {"graph.conv", mlc_graph_lower_conv, true, MLC_OPEN_ALL},
    {"graph.expect", mlc_graph_lower_expect, false, MLC_OPEN_NONE},
    {"graph.expand", mlc_graph_lower_expand, false, MLC_OPEN_ALL},
    {"graph.flatten", mlc_graph_lower_reshape, true, MLC_OPEN_ALL},
    {"graph.gather", mlc_graph_lower_gather, true, MLC_OPEN_ALL},
    {"graph.gather_elements", mlc_graph_lower_gather_elements, true, MLC_OPEN_ALL},
    {"graph.gather_nd", mlc_graph_lower_gather_nd, true, MLC_OPEN_ALL},
    {"graph.gemm", mlc_graph_lower_gemm, false, MLC_OPEN_ALL},
    {"graph.global_average_pool", mlc_graph_lower_global_average_pool, true, MLC_OPEN_ALL},
    {"graph.global_max_pool", mlc_graph_lower_global_max_pool, true, MLC_OPEN_ALL},
    {"graph.identity", mlc_graph_lower_identity, false, MLC_OPEN_ALL},
    {"graph.grow", mlc_graph_lower_grow, false, MLC_OPEN_ALL},
    {"graph.iota", mlc_graph_lower_iota, false, MLC_OPEN_ALL},
    {"graph.matmul", mlc_graph_lower_matmul, true, MLC_OPEN_ALL},
    {"graph.max_pool", mlc_graph_lower_max_pool, true, MLC_OPEN_ALL},
    {"graph.non_max_suppression", mlc_graph_lower_non_max_suppression, true, MLC_OPEN_NONE},
    {"graph.pad", mlc_graph_lower_pad, false, MLC_OPEN_ALL},
    {"graph.reduce_max", mlc_graph_lower_reduce_max, true, MLC_OPEN_ALL},
    {"graph.reduce_mean", mlc_graph_lower_reduce_mean, true, MLC_OPEN_ALL},
    {"graph.reduce_min", mlc_graph_lower_reduce_min, true, MLC_OPEN_ALL},
    {"graph.reduce_prod", mlc_graph_lower_reduce_prod, true, MLC_OPEN_ALL},
    {"graph.reduce_sum", mlc_graph_lower_reduce_sum, true, MLC_OPEN_ALL},
    {"graph.reshape", mlc_graph_lower_reshape, true, MLC_OPEN_ALL},
    {"graph.running_sum", mlc_graph_lower_running_sum, true, MLC_OPEN_ALL},
    {"graph.scatter_elements", mlc_graph_lower_scatter_elements, true, MLC_OPEN_ALL},
    {"graph.scatter_nd", mlc_graph_lower_scatter_nd, true, MLC_OPEN_ALL},
    {"graph.sizes", mlc_graph_lower_sizes, false, MLC_OPEN_ALL},
    {"graph.slice", mlc_graph_lower_slice, true, MLC_OPEN_ALL},
    {"graph.softmax", mlc_graph_lower_softmax, false, MLC_OPEN_ALL},
    {"graph.text", mlc_graph_lower_runtime_text, true, MLC_OPEN_ALL},
    {"graph.tile", mlc_graph_lower_tile, true, MLC_OPEN_ALL},
    {"graph.top_k", mlc_graph_lower_top_k, true, MLC_OPEN_ALL},
    {"graph.transpose", mlc_graph_lower_transpose, false, MLC_OPEN_ALL},
    {"graph.tree_ensemble", mlc_graph_lower_tree_ensemble, true, MLC_OPEN_BATCH},
    {"graph.trilu", mlc_graph_lower_trilu, false, MLC_OPEN_ALL},
    {"graph.true_places", mlc_graph_lower_true_places, true, MLC_OPEN_ALL},
};

static const MlcGraphLowering *
lowering_of(const MlcOpDef *op)
{
    for (size_t i = 0; i < sizeof lowerings / sizeof *lowerings; i++)
        if (strcmp(lowerings[i].name, op->name) == 0)
            return &lowerings[i];
    return NULL;
}

static bool
has_body(const MlcOpDef *op)
{
    return mlc_op_def_has_trait(op, MLC_TRAIT_ELEMENTWISE) && op->body && op->num_results == 1;
}

bool
mlc_graph_is_lowered(const MlcOpDef *op)
{
    return lowering_of(op) || has_body(op);
}

// From the dialect `graph`, or one loaded from YAML that gives its elementwise ops a body.
bool
mlc_graph_find_lowering(MlcOp *op, MlcGraphLowering *found)
{
    const MlcGraphLowering *row = lowering_of(mlc_op_def(op));
    *found = row ? *row : (MlcGraphLowering){.lower = mlc_graph_lower_elementwise};
    if (row || !has_body(mlc_op_def(op)) || mlc_op_num_results(op) != 1)
        return row != NULL;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    return mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR);
}

static bool
is_graph_op(MlcOp *op)
{
    MlcStr name = mlc_op_name(op);
    return name.size > 6 && memcmp(name.data, "graph.", 6) == 0;
}

// ---- checks

// Nobody knows when compiling, and nothing says how it is computed when the model runs.
static bool
is_unknown_dim(MlcType type, size_t i)
{
    return mlc_type_dim(type, i) == MLC_DYNAMIC && !mlc_size_of_dim(type, i);
}

static bool
is_unknown(MlcType type)
{
    bool is_known = !mlc_type_is_shaped(type) || mlc_type_has_rank(type);
    for (size_t i = 0; is_known && mlc_type_is_shaped(type) && i < mlc_type_rank(type); i++)
        is_known = !is_unknown_dim(type, i);
    return !is_known;
}

// "'x'", as the model calls a value, or its type where it has no name.
static void
keep_name(MlcStr name, void *user)
{
    *(MlcStr *)user = name;
}

static const char *
describe(MlcPass *pass, MlcValue *value)
{
    MlcStr name = {0};
    MlcOp *op = mlc_value_def(value);
    MlcLoc loc =
        op ? mlc_op_loc(op) : mlc_block_arg_loc(mlc_value_block(value), mlc_value_index(value));
    mlc_loc_visit_names(loc, keep_name, &name);
    return name.size ? mlc_arena_printf(mlc_pass_scratch(pass), "'%.*s'", MLC_STR_FMT(name)).data
                     : mlc_type_text(mlc_value_type(value));
}

// Who asks, and where the reason goes.
typedef struct Checker {
    MlcPass *pass;
    MlcBuf *why; // NULL: it is an error at the op
} Checker;

static bool refuse(const Checker *c, MlcOp *op, const char *format, ...) MLC_PRINTF(3, 4);

static bool
refuse(const Checker *c, MlcOp *op, const char *format, ...)
{
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    if (c->why)
        mlc_buf_append_str(c->why, mlc_buf_str(&text));
    else
        mlc_op_unsupported(op, "%s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

// What models may be given and give, and machine code computes on.
static bool
is_stored(MlcType element)
{
    if (mlc_type_is_float(element))
        switch (mlc_float_type_kind(element)) {
        case MLC_FLOAT_F16:
        case MLC_FLOAT_BF16:
        case MLC_FLOAT_F32:
        case MLC_FLOAT_F64:
            return true;
        default:
            return mlc_type_bit_width(element) == 8;
        }
    if (!mlc_type_is(element, MLC_TYPE_INTEGER))
        return mlc_type_is(element, MLC_TYPE_INDEX);
    unsigned bits = mlc_type_bit_width(element);
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool
check_elements(const Checker *c, MlcOp *op, MlcValue *value)
{
    MlcType element = mlc_type_element(mlc_value_type(value));
    return is_stored(element) || refuse(c, op, "elements of type %s", mlc_type_text(element));
}

static bool
check_size(const Checker *c, MlcOp *op, MlcValue *value, bool is_static)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_has_rank(type))
        return refuse(c, op, "the rank of %s is unknown, it must be fixed in the model",
                      describe(c->pass, value));
    if (!mlc_type_has_small_rank(type))
        return refuse(c, op, "rank %zu is more than %d", mlc_type_rank(type), MLC_SMALL_RANK);
    for (size_t i = 1; is_static && i < mlc_type_rank(type); i++)
        if (is_unknown_dim(type, i))
            return refuse(c, op, "size %zu of %s is unknown, it must be fixed in the model", i,
                          describe(c->pass, value));
    return true;
}

// Sizes with a name, where the lowering must have numbers.
static bool
check_open(const Checker *c, MlcOp *op, MlcValue *value, MlcOpenSizes open)
{
    MlcType type = mlc_value_type(value);
    for (size_t i = open == MLC_OPEN_BATCH; open != MLC_OPEN_ALL && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC && !is_unknown_dim(type, i))
            return refuse(c, op,
                          "size '%.*s' of %s must be known when compiling: give it with --dim",
                          MLC_STR_FMT(mlc_string_attr_value(mlc_size_of_dim(type, i))),
                          describe(c->pass, value));
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
        if (ok && is_unknown_dim(type, (size_t)axis) &&
            (start != 0 || end != INT64_MAX || step != 1))
            return false;
    }
    return true;
}

// Whether a pad takes elements away where nobody knows how many there are.
static bool
cuts_unknown(MlcOp *op)
{
    MlcAttr pads = mlc_op_attr(op, "pads");
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    for (size_t i = 0; i < mlc_int_list_attr_size(pads); i++) {
        int64_t pad;
        bool ok = mlc_int_list_attr_get(pads, i, &pad);
        if (ok && pad < 0 && mlc_type_dim(type, i % mlc_type_rank(type)) == MLC_DYNAMIC)
            return true;
    }
    return false;
}

// Whether means of windows are over different numbers of elements, which are counted when the model
// runs, and not neighbours.
static bool
counts_apart(MlcOp *op, const MlcGraphWindow *window)
{
    size_t first = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC ? 1 : 2;
    bool any = false;
    for (size_t i = 0; i < window->rank; i++)
        any |= window->dilations[i] != 1 &&
               mlc_type_dim(mlc_op_operand_type(op, 0), first + i) == MLC_DYNAMIC;
    return any;
}

// Whether there would be a constant with the divisors of more windows than a constant is for.
static bool
counts_too_many(MlcOp *op, const MlcGraphWindow *window)
{
    MlcType input = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    for (size_t i = 1; i < mlc_type_rank(input); i++)
        if (mlc_type_dim(input, i) == MLC_DYNAMIC || mlc_type_dim(result, i) == MLC_DYNAMIC)
            return false;
    return !mlc_graph_window_counts_whole(op, window) && !mlc_graph_window_counts_kept(op, window);
}

// A group of channels is a dimension of its own, whose size is a quotient.
static bool
has_open_groups(MlcOp *op)
{
    MlcType input = mlc_op_operand_type(op, 0), result = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(input);
    size_t channel = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NHWC ? rank - 1 : 1;
    return mlc_graph_conv_group(op) > 1 && (mlc_type_dim(input, channel) == MLC_DYNAMIC ||
                                            mlc_type_dim(result, channel) == MLC_DYNAMIC);
}

// Of indices into several dimensions, their last size says how many.
static bool
has_unknown_places(MlcOp *op)
{
    MlcType type = mlc_op_operand_type(op, 1);
    return !mlc_type_has_rank(type) || mlc_type_rank(type) == 0 ||
           mlc_type_dim(type, mlc_type_rank(type) - 1) == MLC_DYNAMIC;
}

static bool
check_details(const Checker *c, MlcOp *op)
{
    MlcGraphWindow window;
    bool is_window =
        mlc_graph_conv_isa(op) || mlc_graph_max_pool_isa(op) || mlc_graph_average_pool_isa(op);
    if (is_window && !mlc_graph_open_window(op, &window))
        return refuse(c, op, "its window is unknown");
    if (mlc_graph_conv_isa(op) && has_open_groups(op))
        return refuse(c, op, "groups of an unknown number of channels");
    if (mlc_graph_average_pool_isa(op) && counts_apart(op, &window))
        return refuse(c, op, "means of elements that lie apart, of an unknown size");
    if (mlc_graph_average_pool_isa(op) && counts_too_many(op, &window))
        return refuse(c, op, "means that leave out the padding, of too many windows");
    if (is_window && mlc_type_dim(mlc_value_type(mlc_op_result(op, 0)), 0) == MLC_DYNAMIC &&
        mlc_type_dim(mlc_value_type(mlc_op_operand(op, 0)), 0) != MLC_DYNAMIC)
        return refuse(c, op, "the batch size contradicts the input's");
    if (mlc_graph_slice_isa(op) && !takes_unknown_whole(op))
        return refuse(c, op, "it cuts a dimension of unknown size");
    if ((mlc_graph_gather_nd_isa(op) || mlc_graph_scatter_nd_isa(op)) && has_unknown_places(op))
        return refuse(c, op, "how many numbers each of its indices has is unknown");
    if (mlc_graph_pad_isa(op) && cuts_unknown(op))
        return refuse(c, op, "it cuts a dimension of unknown size");
    MlcType to = mlc_value_type(mlc_op_result(op, 0));
    if ((mlc_graph_reshape_isa(op) || mlc_graph_flatten_isa(op)) &&
        (is_unknown(mlc_op_operand_type(op, 0)) || is_unknown(to)) &&
        !mlc_can_build_reshape(mlc_op_operand_type(op, 0), to))
        return refuse(c, op, "a reshape of unknown sizes");
    return true;
}

// Sizes that are the same by their texts.
static bool
has_sizes_of(MlcType a, MlcType b)
{
    for (size_t k = 0; mlc_type_has_rank(a) && k < mlc_type_rank(a); k++)
        if (mlc_size_of_dim(a, k) != mlc_size_of_dim(b, k))
            return false;
    return true;
}

// What bodies yield has the sizes of the results: of what is carried, or by both branches. `first`
// is the yielded value of result 0.
static bool
check_yields(const Checker *c, MlcOp *op, size_t first, size_t num_results)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        for (size_t i = 0; i < num_results; i++) {
            MlcType a = mlc_op_result_type(op, i);
            MlcType b = mlc_op_operand_type(mlc_block_last(block), first + i);
            if (!has_sizes_of(a, b))
                return refuse(c, op, "result %zu is of type %s, and its body gives %s", i,
                              mlc_type_text(a), mlc_type_text(b));
        }
    return true;
}

// What is carried begins as it ends.
static bool
check_inits(const Checker *c, MlcOp *op, size_t first, size_t num_carried)
{
    for (size_t i = 0; i < num_carried; i++) {
        MlcType a = mlc_op_result_type(op, i), b = mlc_op_operand_type(op, first + i);
        if (!has_sizes_of(a, b))
            return refuse(c, op, "result %zu is of type %s, and begins as %s", i, mlc_type_text(a),
                          mlc_type_text(b));
    }
    return true;
}

// Operands, then results.
static MlcValue *
value_of(MlcOp *op, size_t i)
{
    size_t num_operands = mlc_op_num_operands(op);
    return i < num_operands ? mlc_op_operand(op, i) : mlc_op_result(op, i - num_operands);
}

// Elements, and sizes that are known when the model runs, if only by name.
static bool
check_all_sized(const Checker *c, MlcOp *op, bool is_sized)
{
    for (size_t i = 0; i < mlc_op_num_operands(op) + mlc_op_num_results(op); i++) {
        MlcValue *value = value_of(op, i);
        if (!check_elements(c, op, value) || (is_sized && !check_size(c, op, value, true)))
            return false;
        if (is_sized && is_unknown(mlc_value_type(value)))
            return refuse(c, op, "size 0 of %s is unknown, it must be fixed in the model",
                          describe(c->pass, value));
    }
    return true;
}

// Of control flow: all that goes in and out has a size; so has a result that iterations make
// elements of.
static bool
check_control(const Checker *c, MlcOp *op, bool is_sized)
{
    int64_t steps;
    bool is_stacked =
        mlc_graph_loop_isa(op) && mlc_op_num_results(op) > mlc_graph_loop_num_inits(op);
    if (is_stacked && !mlc_graph_loop_steps(op, &steps))
        return refuse(c, op,
                      mlc_graph_loop_is_counted(op)
                          ? "the number of its iterations is computed at run "
                            "time, so the size of what they put together is unknown"
                          : "its condition may end it early, so the size of what "
                            "its iterations put together is unknown");
    if (!check_all_sized(c, op, is_sized))
        return false;
    if (!is_sized)
        return true;
    if (mlc_graph_if_isa(op))
        return check_yields(c, op, 0, mlc_op_num_results(op));
    size_t first_init, num_carried;
    mlc_op_operand_group(op, mlc_graph_loop_isa(op) ? 2 : 0, &first_init, &num_carried);
    return check_yields(c, op, mlc_graph_loop_isa(op) ? 1 : 0, num_carried) &&
           check_inits(c, op, first_init, num_carried);
}

// `is_sized`: nothing was said of unknown sizes yet.
static bool
check_lowerable(const Checker *c, MlcOp *op, bool is_sized)
{
    MlcGraphLowering lowering;
    if (mlc_graph_kernel_isa(op) || mlc_graph_yield_isa(op))
        return true;
    if (mlc_graph_is_control(mlc_op_def(op)))
        return check_control(c, op, is_sized);
    if (mlc_graph_operator_isa(op))
        return check_all_sized(c, op, is_sized);
    if (!mlc_graph_find_lowering(op, &lowering)) {
        if (is_graph_op(op))
            mlc_bug("nothing lowers '%.*s'", MLC_STR_FMT(mlc_op_name(op)));
        return true;
    }
    // A constant is what those who read it are refused for.
    if (lowering.lower == mlc_graph_lower_constant)
        return true;
    bool ok = true, is_known = true;
    for (size_t i = 0; ok && i <= mlc_op_num_operands(op); i++) {
        MlcValue *value = i ? mlc_op_operand(op, i - 1) : mlc_op_result(op, 0);
        is_known &= !is_unknown(mlc_value_type(value));
        ok = check_elements(c, op, value) &&
             (!is_sized || (check_size(c, op, value, lowering.is_static) &&
                            check_open(c, op, value, lowering.open)));
    }
    if (!is_sized && !is_known)
        return ok;
    if (ok && lowering.lower == mlc_graph_lower_elementwise &&
        mlc_op_num_operands(op) > MLC_BUILD_MAX_INPUTS)
        return refuse(c, op, "more than %d operands", MLC_BUILD_MAX_INPUTS);
    return ok && check_details(c, op);
}

bool
mlc_graph_check_lowerable(MlcPass *pass, MlcOp *op)
{
    return check_lowerable(&(Checker){.pass = pass}, op, true);
}

// Text that the reason needs is the pass's scratch.
bool
mlc_graph_why_interpreted(MlcPass *pass, MlcOp *op, MlcBuf *why)
{
    Checker c = {.pass = pass, .why = why};
    MlcBuf own = {0};
    if (!is_graph_op(op) || mlc_op_num_regions(op) > 0 || mlc_op_num_results(op) == 0 ||
        !mlc_op_def(op)->eval || mlc_size_list(op, 0) || check_lowerable(&c, op, true))
        return false;
    c.why = &own;
    bool can = check_all_sized(&c, op, true);
    mlc_buf_release(&own);
    return can && mlc_op_num_operands(op) + mlc_op_num_results(op) <= MLC_OPERATOR_MAX_TENSORS;
}

// ---- the pass

// The sizes of all else follow from those of the inputs: an input is told for all that depends on
// it. No memory is planned for what is not known.
static bool
check_input(MlcPass *pass, MlcOp *func, MlcValue *input)
{
    MlcType type = mlc_value_type(input);
    MlcLoc loc = mlc_op_loc(func);
    MlcContext *ctx = mlc_op_context(func);
    if (!is_stored(mlc_type_element(type)))
        return mlc_unsupported(ctx, loc, "input %s is not supported: elements of type %s",
                               describe(pass, input), mlc_type_text(mlc_type_element(type)));
    if (!is_unknown(type))
        return true;
    if (!mlc_type_has_rank(type))
        return mlc_unsupported(ctx, loc,
                               "input %s is not supported: its rank is unknown, it must be fixed "
                               "in the model",
                               describe(pass, input));
    size_t i = 0;
    while (!is_unknown_dim(type, i))
        i++;
    return mlc_unsupported(ctx, loc,
                           "input %s is not supported: size %zu of %s is unknown, it must be "
                           "fixed in the model",
                           describe(pass, input), i, mlc_type_text(type));
}

// What is given and returned untouched has a type that no op was asked for.
static bool
check_returned(MlcPass *pass, MlcOp *op)
{
    bool ok = true;
    MLC_FOR_EACH_OPERAND (value, op) {
        MlcType element = mlc_type_element(mlc_value_type(value));
        MlcOp *from = mlc_value_def(value);
        if (!is_stored(element) && (!from || mlc_graph_constant_isa(from)))
            ok = mlc_unsupported(mlc_op_context(op), mlc_op_loc(op),
                                 "output %s is not supported: elements of type %s",
                                 describe(pass, value), mlc_type_text(element));
    }
    return ok;
}

// ---- what is left to the runtime

typedef MLC_VEC(MlcAttr) AttrVec;

typedef struct Checks {
    MlcContext *ctx;
    AttrVec rows;
    MlcStr where;
} Checks;

static void
add_check(MlcAttr a, MlcAttr b, void *user)
{
    Checks *checks = user;
    MlcAttr parts[] = {a, b, mlc_string_attr_get(checks->ctx, checks->where)};
    for (size_t i = 0; i < checks->rows.size; i++) {
        MlcAttr old = checks->rows.data[i];
        if (mlc_array_attr_element(old, 0) == a && mlc_array_attr_element(old, 1) == b)
            return;
    }
    mlc_vec_push(&checks->rows, mlc_array_attr_get(checks->ctx, parts, 3));
}

// Sizes that must be equal, and that texts do not prove to be: `mlc.checks` of the function.
static void
leave_checks(MlcOp *root)
{
    Checks checks = {.ctx = mlc_op_context(root)};
    MlcAttr imported = mlc_op_attr(root, "mlc.checks");
    for (size_t i = 0; imported && i < mlc_array_attr_size(imported); i++)
        mlc_vec_push(&checks.rows, mlc_array_attr_element(imported, i));
    MLC_FOR_EACH_PREORDER (op, root) {
        checks.where = mlc_op_name(op);
        mlc_loc_visit_names(mlc_op_loc(op), keep_name, &checks.where);
        if (op != root && mlc_op_num_results(op) > 0 &&
            mlc_type_is(mlc_value_type(mlc_op_result(op, 0)), MLC_TYPE_TENSOR))
            mlc_graph_open_sizes(op, add_check, &checks);
    }
    if (checks.rows.size)
        mlc_op_set_attr(root, "mlc.checks",
                        mlc_array_attr_get(checks.ctx, checks.rows.data, checks.rows.size));
    mlc_vec_release(&checks.rows);
}

// A node of the model may be several ops: it is told once.
static bool
run(MlcPass *pass, MlcOp *root)
{
    const Checker c = {.pass = pass};
    bool ok = true;
    MlcMap told;
    mlc_map_init(&told);
    MlcBlock *entry = mlc_region_first(mlc_op_region(root, 0));
    for (size_t i = 0; entry && i < mlc_block_num_args(entry); i++)
        ok &= check_input(pass, root, mlc_block_arg(entry, i));
    bool is_sized = ok; // else ops are not asked for sizes: what they lack is lacking there
    MLC_FOR_EACH_PREORDER (op, root) {
        MlcLoc loc = mlc_op_loc(op);
        bool fits = mlc_op_has_trait(op, MLC_TRAIT_RETURN_LIKE)
                        ? check_returned(pass, op)
                        : mlc_map_has(&told, loc) || check_lowerable(&c, op, is_sized);
        if (!fits && mlc_loc_kind(loc) != MLC_LOC_UNKNOWN)
            mlc_map_set(&told, loc, op);
        ok &= fits;
    }
    mlc_map_release(&told);
    if (ok)
        leave_checks(root);
    return ok;
}

MLC_PASS(graph_check_lowerable, .flag = "graph-check-lowerable",
         .summary = "Tell every graph op that cannot be lowered", .anchor = "func.func", .run = run)
