// func_eval.c -- calls. (A return needs no meaning of its own: its operands leave the region.)
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"

bool
mlc_func_call_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcOp *callee = mlc_eval_symbol(e, op, mlc_op_attr(op, "callee"));
    return callee && mlc_eval_call(e, op, callee, operands, mlc_op_num_operands(op), results,
                                   mlc_op_num_results(op));
}

// A function as a value is its op.
bool
mlc_func_constant_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    results[0].opaque = mlc_eval_symbol(e, op, mlc_op_attr(op, "value"));
    return results[0].opaque != NULL;
}

bool
mlc_func_call_indirect_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_eval_call(e, op, operands[0].opaque, operands + 1, mlc_op_num_operands(op) - 1,
                         results, mlc_op_num_results(op));
}
