// text_to_runtime.c -- what a model asks of strings, from the runtime that has them.
//
// A call of the function that stands for it becomes a call of `text` of the runtime's table
// (mlc/runtime/abi.h), and the function's declaration goes. For functions whose first argument is
// the call record, between parallel-to-runtime, which gives them it, and convert-to-llvm. In a task
// of another thread there is no record: such loops are not shared out, for a call may do anything.
#include "call_record.h"

#include "mlc/ir.h"
#include "mlc/runtime/abi.h"

#include "mlc/dialects/func.h"

static bool
lower_call(MlcOp *op)
{
    MlcValue *call = call_record_of(op), *operands[7] = {NULL, call};
    if (!call)
        return false;
    if (mlc_op_num_operands(op) != 5 || mlc_op_num_results(op) != 1)
        return mlc_op_error(op, "has %zu operands, expected five numbers", mlc_op_num_operands(op));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    operands[0] =
        call_record_field(&b, call_record_field(&b, call, MLC_RT_CALL_TABLE), MLC_RT_TABLE_TEXT);
    for (size_t i = 0; i < 5; i++)
        operands[2 + i] = mlc_op_operand(op, i);
    MlcOp *made = mlc_llvm_call(&b, mlc_value_type(mlc_op_result(op, 0)), operands, 7);
    MlcValue *result = mlc_op_result(made, 0);
    mlc_op_replace(op, &result, 1);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_func_call_def;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    (void)pass;
    return lower_runtime_calls(module, MLC_RT_TEXT_FUNCTION, lower_call);
}

static const char *const dialects[] = {"llvm", "func", NULL};

MLC_PASS(text_to_runtime, .flag = "text-to-runtime",
         .summary = "Ask the runtime what is asked of strings", .anchor = "builtin.module",
         .dependent_dialects = dialects, .converts = converts, .run = run)
