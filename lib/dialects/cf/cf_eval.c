// cf_eval.c -- where branches go.
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"

// Goes to successor `i` with operand group `group`.
static bool
go(MlcEval *e, MlcOp *op, const MlcDatum *operands, size_t i, size_t group)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    return mlc_eval_branch(e, op, i, operands + first, count);
}

bool
mlc_cf_br_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    return go(e, op, operands, 0, 0);
}

bool
mlc_cf_cond_br_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    size_t taken = mlc_datum_as_bool(&operands[0]) ? 0 : 1;
    return go(e, op, operands, taken, 1 + taken);
}

// Cases' operands stand one after the other in the last group, as many as case_operand_segments
// says.
bool
mlc_cf_switch_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    MlcAttr values = mlc_op_attr(op, "case_values"),
            segments = mlc_op_attr(op, "case_operand_segments");
    size_t first, count;
    mlc_op_operand_group(op, 2, &first, &count);
    for (size_t i = 0; values && i + 1 < mlc_op_num_successors(op); i++) {
        MlcAttr value = mlc_elements_attr_element(values, i);
        int64_t size = 0;
        mlc_int_list_attr_get(segments, i, &size);
        if (mlc_wide_equal(mlc_attr_wide(value), operands[0].integer))
            return mlc_eval_branch(e, op, i + 1, operands + first, (size_t)size);
        first += (size_t)size;
    }
    return go(e, op, operands, 0, 1);
}

bool
mlc_cf_assert_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    if (mlc_datum_as_bool(&operands[0]))
        return true;
    MlcStr message = mlc_string_attr_value(mlc_op_attr(op, "msg"));
    return mlc_eval_error(e, op, "assertion failed: %.*s", MLC_STR_FMT(message));
}
