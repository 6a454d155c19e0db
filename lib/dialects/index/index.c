// index.c -- constants of index.
#include "mlc/dialects/index.h"

#include "mlc/ir.h"

bool
mlc_index_constant_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_index_constant_value_attr(op);
    return true;
}

bool
mlc_index_bool_constant_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_index_bool_constant_value_attr(op);
    return true;
}

static void
name_index(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    MlcBuf name = {0};
    mlc_buf_printf(&name, "idx%lld", (long long)mlc_index_constant_value(op));
    set(user, mlc_op_result(op, 0), mlc_buf_str(&name));
    mlc_buf_release(&name);
}

const MlcAsmNames mlc_index_constant_asm_names = {.results = name_index};

static void
name_bool(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    set(user, mlc_op_result(op, 0), mlc_str(mlc_index_bool_constant_value(op) ? "true" : "false"));
}

const MlcAsmNames mlc_index_bool_constant_asm_names = {.results = name_bool};

bool
mlc_index_verify_cast(MlcOp *op)
{
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    return mlc_type_is(from, MLC_TYPE_INDEX) != mlc_type_is(to, MLC_TYPE_INDEX) ||
           mlc_op_cast_error(op);
}
