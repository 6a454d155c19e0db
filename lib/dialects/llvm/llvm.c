// llvm.c -- interfaces of LLVM's ops.
#include "llvm_impl.h"

// Interfaces.

static MlcType
function_type(const MlcOp *op)
{
    return mlc_type_attr_value(mlc_llvm_func_function_type(op));
}

// The slots by their order in the record.
const MlcFunction mlc_llvm_func_function = {.type = function_type,
                                            .sym_slot = 0,
                                            .visibility_slot = 1,
                                            .type_slot = 2,
                                            .arg_attrs_slot = 11,
                                            .res_attrs_slot = 12};

static MlcAttr
callee(const MlcOp *op)
{
    return mlc_llvm_call_callee(op);
}

static void
call_arguments(const MlcOp *op, size_t *first, size_t *count)
{
    *first = mlc_llvm_call_callee(op) ? 0 : 1;
    *count = mlc_op_num_operands(op) - *first;
}

const MlcCall mlc_llvm_call_call = {.callee = callee, .arguments = call_arguments};

static void
operands_after_first_group(const MlcOp *op, size_t i, size_t *first, size_t *count)
{
    mlc_op_operand_group(op, 1 + i, first, count);
}

static int
cond_br_successor(MlcOp *op, const MlcAttr *constants)
{
    (void)op;
    return mlc_attr_is(constants[0], MLC_ATTR_INTEGER) ? !mlc_attr_as_bool(constants[0]) : -1;
}

const MlcBranch mlc_llvm_cond_br_branch = {.successor_operands = operands_after_first_group,
                                           .successor_for = cond_br_successor};
const MlcBranch mlc_llvm_invoke_branch = {.successor_operands = operands_after_first_group};

// Operands of case i, among those of all cases, by the attribute with their numbers.
static void
switch_operands(const MlcOp *op, size_t i, size_t *first, size_t *count)
{
    mlc_op_operand_group(op, i ? 2 : 1, first, count);
    if (i == 0)
        return;
    MlcAttr segments = mlc_llvm_switch_case_operand_segments(op);
    for (size_t k = 0; k + 1 < i; k++)
        *first += (size_t)mlc_dense_array_attr_int(segments, k);
    *count = (size_t)mlc_dense_array_attr_int(segments, i - 1);
}

const MlcBranch mlc_llvm_switch_branch = {.successor_operands = switch_operands};

// llvm.cmpxchg: the old value, and whether it was replaced.
static bool
infer_cmpxchg(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    if (state->num_operands != 3)
        return false;
    MlcAttr members[2] = {mlc_type_attr_get(mlc_value_type(state->operands[2])),
                          mlc_type_attr_get(mlc_integer_type_get(ctx, 1, MLC_SIGNLESS))};
    MlcAttr params[3] = {NULL, mlc_bool_attr_get(ctx, false), mlc_array_attr_get(ctx, members, 2)};
    mlc_vec_push(results, mlc_dialect_type_get(ctx, &mlc_llvm_struct_type_def, params, 3));
    return true;
}

const MlcInferTypes mlc_llvm_cmpxchg_infer_types = {.infer = infer_cmpxchg};

static bool
infer_comparison(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    (void)ctx;
    if (state->num_operands != 2)
        return false;
    mlc_vec_push(results, mlc_llvm_comparison_type(mlc_value_type(state->operands[0])));
    return true;
}

const MlcInferTypes mlc_llvm_comparison_infer_types = {.infer = infer_comparison};

static bool
infer_ptr(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    (void)state;
    MlcAttr space = mlc_i32_attr_get(ctx, 0);
    mlc_vec_push(results, mlc_dialect_type_get(ctx, &mlc_llvm_ptr_type_def, &space, 1));
    return true;
}

const MlcInferTypes mlc_llvm_intr_invariant_start_infer_types = {.infer = infer_ptr};
