// cf.c -- branches: successor operands, and the successor that constants choose.
#include "mlc/dialects/cf.h"

#include "mlc/ir.h"

static void
cond_br_operands(const MlcOp *op, size_t i, size_t *first, size_t *count)
{
    mlc_op_operand_group(op, 1 + i, first, count);
}

static int
cond_br_successor(MlcOp *op, const MlcAttr *constants)
{
    (void)op;
    return constants[0] ? !mlc_attr_as_bool(constants[0]) : -1;
}

const MlcBranch mlc_cf_cond_br_branch = {.successor_operands = cond_br_operands,
                                         .successor_for = cond_br_successor};

// Operands of case i, among those of all cases, by the attribute with their numbers.
static void
switch_operands(const MlcOp *op, size_t i, size_t *first, size_t *count)
{
    mlc_op_operand_group(op, i ? 2 : 1, first, count);
    if (i == 0)
        return;
    MlcAttr segments = mlc_cf_switch_case_operand_segments(op);
    for (size_t k = 0; k + 1 < i; k++)
        *first += (size_t)mlc_dense_array_attr_int(segments, k);
    *count = (size_t)mlc_dense_array_attr_int(segments, i - 1);
}

static int
switch_successor(MlcOp *op, const MlcAttr *constants)
{
    MlcAttr values = mlc_cf_switch_case_values(op);
    if (!constants[0])
        return -1;
    int64_t value, have;
    if (!mlc_attr_try_as_int(constants[0], &have))
        return -1;
    for (size_t i = 0; values && i < mlc_int_list_attr_size(values); i++)
        if (mlc_int_list_attr_get(values, i, &value) && value == have)
            return (int)i + 1;
    return 0;
}

const MlcBranch mlc_cf_switch_branch = {.successor_operands = switch_operands,
                                        .successor_for = switch_successor};

bool
mlc_cf_switch_verify(MlcOp *op)
{
    MlcAttr values = mlc_cf_switch_case_values(op);
    size_t num_cases = mlc_op_num_successors(op) - 1;
    size_t num_values = values ? mlc_int_list_attr_size(values) : 0;
    if (!values && num_cases == 0)
        return true;
    if (values && mlc_type_element(mlc_attr_type(values)) != mlc_value_type(mlc_op_operand(op, 0)))
        return mlc_op_error(op, "'flag' type ('%s') should match case value type ('%s')",
                            mlc_type_text(mlc_value_type(mlc_op_operand(op, 0))),
                            mlc_type_text(mlc_type_element(mlc_attr_type(values))));
    if (num_values != num_cases)
        return mlc_op_error(
            op, "number of case values (%zu) should match number of case destinations (%zu)",
            num_values, num_cases);
    return true;
}
