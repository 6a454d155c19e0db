// arith_speculation.c -- divisions that may run where the program did not: those that cannot trap.
#include "mlc/dialects/arith.h"

#include "mlc/ir.h"

// x / 0 traps.
static bool
unsigned_quotient(MlcOp *op)
{
    MlcAttr divisor = mlc_value_constant(mlc_op_operand(op, 1));
    return mlc_attr_is(divisor, MLC_ATTR_INTEGER) && !mlc_wide_is_zero(mlc_attr_wide(divisor));
}

// x / 0 traps, and the least number / -1 overflows.
static bool
signed_quotient(MlcOp *op)
{
    MlcAttr divisor = mlc_value_constant(mlc_op_operand(op, 1));
    if (!mlc_attr_is(divisor, MLC_ATTR_INTEGER))
        return false;
    MlcWide value = mlc_attr_wide(divisor);
    return !mlc_wide_is_zero(value) && mlc_wide_popcount(value) != value.width;
}

const MlcSpeculation mlc_arith_unsigned_quotient_speculation = {.is_speculatable =
                                                                    unsigned_quotient};
const MlcSpeculation mlc_arith_signed_quotient_speculation = {.is_speculatable = signed_quotient};
