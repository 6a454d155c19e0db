// call_record.c -- see call_record.h.
#include "call_record.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/func.h"

MlcValue *
call_record_of(MlcOp *op)
{
    MlcOp *function = mlc_op_parent(op);
    while (function && !mlc_func_func_isa(function))
        function = mlc_op_parent(function);
    MlcBlock *entry = function ? mlc_region_first(mlc_op_region(function, 0)) : NULL;
    if (entry && mlc_block_num_args(entry) > 0 &&
        llvm_is_ptr(mlc_value_type(mlc_block_arg(entry, 0))))
        return mlc_block_arg(entry, 0);
    mlc_op_error(op, "is in a function without the call record (run parallel-to-runtime first)");
    return NULL;
}

MlcValue *
call_record_field(MlcBuilder *b, MlcValue *record, int64_t field)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    return llvm_load(b, ptr, llvm_element_ptr(b, record, ptr, llvm_i64(b, field)), 8);
}

bool
lower_runtime_calls(MlcOp *module, const char *name, bool (*lower)(MlcOp *call))
{
    bool ok = true;
    MlcOp *declared = mlc_symbol_lookup(module, mlc_str(name));
    if (!declared || !mlc_func_func_isa(declared) ||
        !mlc_region_is_empty(mlc_op_region(declared, 0)))
        return true;
    MLC_FOR_EACH_OF_KIND (call, module, &mlc_func_call_def)
        if (mlc_str_equal(mlc_func_call_callee(call), mlc_str(name)))
            ok &= lower(call);
    if (ok)
        mlc_op_erase(declared);
    return ok;
}
