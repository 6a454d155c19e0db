// sizes_to_runtime.c -- sizes that a model computes are told to the runtime.
//
// A call of the function that stands for it (outline-kernels) becomes a call of `set_size` of the
// runtime's table (mlc/runtime/abi.h), and an assertion that it did not fail; the function's
// declaration goes. For functions whose first argument is the call record, between
// parallel-to-runtime, which gives them it, and assert-to-runtime.
#include "call_record.h"

#include "mlc/ir.h"
#include "mlc/runtime/abi.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/func.h"

static bool
lower_call(MlcOp *op)
{
    MlcValue *call = call_record_of(op);
    if (!call)
        return false;
    if (mlc_op_num_operands(op) != 2 || mlc_op_num_results(op) != 1)
        return mlc_op_error(op, "has %zu operands, expected a number and a value",
                            mlc_op_num_operands(op));
    MlcBuilder b;
    MlcContext *ctx = mlc_op_context(op);
    MlcType i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    b.loc = mlc_op_loc(op);
    MlcValue *table = call_record_field(&b, call, MLC_RT_CALL_TABLE);
    MlcValue *operands[] = {call_record_field(&b, table, MLC_RT_TABLE_SET_SIZE), call,
                            mlc_op_operand(op, 0), mlc_op_operand(op, 1)};
    MlcValue *value = mlc_op_result(mlc_llvm_call(&b, i64, operands, 4), 0);
    MlcValue *zero = mlc_arith_constant(&b, mlc_integer_attr_get(i64, 0));
    MlcValue *fits = mlc_arith_cmpi(&b, value, zero, MLC_ARITH_CMPI_PREDICATE_SGE);
    mlc_cf_assert(&b, fits, mlc_str("a size that the model computes is none"));
    MlcValue *size = mlc_arith_index_cast(&b, mlc_index_type_get(ctx), value);
    mlc_op_replace(op, &size, 1);
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
    return lower_runtime_calls(module, MLC_RT_SIZE_FUNCTION, lower_call);
}

static const char *const dialects[] = {"llvm", "arith", "cf", "func", NULL};

MLC_PASS(sizes_to_runtime, .flag = "sizes-to-runtime",
         .summary = "Tell the runtime the sizes that a model computes", .anchor = "builtin.module",
         .dependent_dialects = dialects, .converts = converts, .run = run)
