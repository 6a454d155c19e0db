// call_record.c -- see call_record.h.
#include "call_record.h"

#include "mlc/ir.h"

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
