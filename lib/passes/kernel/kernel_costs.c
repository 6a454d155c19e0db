// kernel_costs.c -- what each kernel has to compute and to move, whatever is made of it later.
//
// A private function of structured ops on tensors gets `mlc.flops`, floating-point operations of
// its bodies times their iterations, and `mlc.bytes`, what it reads of its arguments and writes as
// results, each element once. Profiles are judged by them: a convolution that Winograd's algorithm
// computes still counts its direct products.
#include "mlc/analysis/structured.h"
#include "mlc/pass.h"

// An operation on n floats counts n - 1, at least 1: an addition 1, a fused multiply-add 2.
static int64_t
flops_of(MlcOp *op)
{
    if (mlc_op_num_results(op) != 1 || mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) ||
        !mlc_type_is_float(mlc_value_type(mlc_op_result(op, 0))))
        return 0;
    int64_t floats = 0;
    MLC_FOR_EACH_OPERAND (value, op)
        floats += mlc_type_is_float(mlc_value_type(value));
    return floats > 1 ? floats - 1 : floats;
}

// `a * b`, or what 64 bits hold.
static int64_t
times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int64_t
sum(int64_t a, int64_t b)
{
    int64_t total;
    return __builtin_add_overflow(a, b, &total) ? INT64_MAX : total;
}

// Of a structured op all of whose loops have static sizes; else none.
static int64_t
iterations_of(MlcOp *op)
{
    int64_t sizes[MLC_SMALL_RANK], product = 1;
    size_t num_loops = mlc_structured(op) ? mlc_structured_num_loops(op) : 0;
    if (num_loops == 0 || num_loops > MLC_SMALL_RANK)
        return num_loops == 0;
    mlc_structured_loop_sizes(op, sizes);
    for (size_t i = 0; i < num_loops; i++) {
        if (sizes[i] < 0)
            return 0;
        product = times(product, sizes[i]);
    }
    return product;
}

static int64_t
bytes_of(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_type_has_static_shape(type))
        return 0;
    return times(mlc_type_num_elements(type),
                 (int64_t)mlc_elements_attr_element_bytes(mlc_type_element(type)));
}

// What ops read of a tensor: of one that bodies take single elements from, these; of one that is
// cut, the pieces; else all, once.
static int64_t
bytes_read(MlcValue *tensor)
{
    int64_t whole = bytes_of(mlc_value_type(tensor)), parts = 0;
    MLC_FOR_EACH_USE (use, tensor) {
        MlcOp *user = mlc_use_owner(use), *around = mlc_op_parent(user);
        bool takes_one = mlc_op_num_results(user) == 1 && mlc_op_num_regions(user) == 0 &&
                         !mlc_type_is_shaped(mlc_value_type(mlc_op_result(user, 0)));
        if (takes_one && mlc_structured(around))
            parts = sum(
                parts, times(iterations_of(around), (int64_t)mlc_elements_attr_element_bytes(
                                                        mlc_type_element(mlc_value_type(tensor)))));
        else if (mlc_op_interface(user, MLC_INTERFACE_VIEW_LIKE))
            parts = sum(parts, bytes_read(mlc_op_result(user, 0)));
        else
            return whole;
    }
    return parts < whole ? parts : whole;
}

// Iterations of the loops around, those of which are known.
static int64_t
rounds_of(MlcOp *op)
{
    int64_t rounds = 1, lower, upper, step, range;
    for (op = mlc_op_parent(op); op; op = mlc_op_parent(op)) {
        const MlcLoop *loop = mlc_op_interface(op, MLC_INTERFACE_LOOP);
        if (loop && loop->num_induction_vars(op) == 1 &&
            loop->constant_bounds(op, 0, &lower, &upper, &step) && upper > lower)
            rounds =
                times(rounds, __builtin_sub_overflow(upper - 1, lower, &range) ? INT64_MAX
                                                                               : range / step + 1);
    }
    return rounds;
}

static void
count(MlcOp *function, const MlcFunction *methods)
{
    int64_t flops = 0, bytes = 0;
    MlcRegion *body = mlc_op_region(function, 0);
    MLC_FOR_EACH_PREORDER (op, function)
        if (op != function && mlc_structured(mlc_op_parent(op)))
            flops = sum(flops, times(times(flops_of(op), iterations_of(mlc_op_parent(op))),
                                     rounds_of(mlc_op_parent(op))));
    MlcBlock *entry = mlc_region_first(body);
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        bytes = sum(bytes, bytes_read(mlc_block_arg(entry, i)));
    MlcType type = methods->type(function);
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        bytes = sum(bytes, bytes_of(mlc_function_type_results(type)[i]));
    MlcContext *ctx = mlc_op_context(function);
    mlc_op_set_attr(function, "mlc.flops", mlc_i64_attr_get(ctx, flops));
    mlc_op_set_attr(function, "mlc.bytes", mlc_i64_attr_get(ctx, bytes));
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block) {
            const MlcFunction *methods = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
            if (methods && mlc_symbol_is_private(op) &&
                mlc_region_has_one_block(mlc_op_region(op, 0)))
                count(op, methods);
        }
    return true;
}

MLC_PASS(kernel_costs, .flag = "kernel-costs",
         .summary = "Count what each kernel computes and moves", .anchor = "builtin.module",
         .run = run)
