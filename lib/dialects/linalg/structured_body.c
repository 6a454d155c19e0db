// structured_body.c -- the region of a structured op whose record gives its body as text, for ops
// written without it: linalg.matmul's product and sum.
#include "mlc/body.h"
#include "mlc/ir.h"

enum { MAX_OPERANDS = 64 };

bool
mlc_structured_build_body(MlcOp *op)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    size_t n = mlc_op_num_operands(op), num_outs;
    if (!def || !def->body || !def->names)
        return true;
    num_outs = def->num_outs;
    if (n != (size_t)def->num_ins + num_outs || n > MAX_OPERANDS)
        return mlc_op_error(op, "expected %u inputs and %u outputs", def->num_ins, def->num_outs);

    MlcType types[MAX_OPERANDS];
    MlcValue *args[MAX_OPERANDS], *results[MAX_OPERANDS];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    b.loc = mlc_op_loc(op);
    for (size_t i = 0; i < n; ++i)
        types[i] = mlc_type_element(mlc_value_type(mlc_op_operand(op, i)));
    MlcBlock *block = mlc_builder_create_block(&b, mlc_op_region(op, 0), types, n);
    for (size_t i = 0; i < n; ++i)
        args[i] = mlc_block_arg(block, i);
    MlcBody body = {.text = def->body,
                    .names = def->names,
                    .values = args,
                    .num_values = n,
                    .attrs = op,
                    .element = types[n - 1]};
    if (mlc_body_build(&b, &body, results, num_outs) != num_outs)
        return false;
    mlc_build_op(&b, "linalg.yield", NULL, 0, results, num_outs, NULL, 0, 0);
    return true;
}
