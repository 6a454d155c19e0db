// func_bufferize.c -- calls: tensor operands are passed as buffers, tensor results as destinations
// behind them, or returned as buffers.
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/memref.h"

// What the call was told of operand `i` (MLC_CALL_BUFFERS).
static int64_t
code_of(const MlcOp *op, size_t i)
{
    MlcAttr told = mlc_op_attr(op, MLC_CALL_BUFFERS);
    return told ? mlc_dense_array_attr_int(mlc_array_attr_element(told, 0), i) : MLC_CALL_READS;
}

static bool
reads(MlcOp *op, size_t i)
{
    return (code_of(op, i) & MLC_CALL_READS) != 0;
}

static bool
writes(MlcOp *op, size_t i)
{
    return (code_of(op, i) & MLC_CALL_WRITES) != 0;
}

static MlcValue *
alias(MlcOp *op, size_t i, bool *whole)
{
    int64_t code = code_of(op, i), result = code / MLC_CALL_RESULT;
    *whole = (code & MLC_CALL_WHOLE) != 0;
    return code > 0 && result > 0 ? mlc_op_result(op, (size_t)result - 1) : NULL;
}

// The buffer as the callee takes it. Where it must be without gaps and is not, it is a copy.
static MlcValue *
pass(MlcBufferizer *bufferizer, MlcBuilder *b, MlcValue *buffer, MlcType type, MlcType tensor)
{
    if (mlc_value_type(buffer) == type)
        return buffer;
    if (mlc_type_has_rank(type) && !mlc_memref_type_layout(type) &&
        mlc_memref_type_layout(mlc_value_type(buffer)))
        return mlc_bufferizer_copied(bufferizer, b, buffer, tensor);
    return mlc_memref_cast(b, type, buffer);
}

// The buffers of the results: the callee's, or the operand's of which they are all.
static void
set_results(MlcOp *op, MlcOp *made, MlcBuilder *b, MlcBufferizer *bufferizer,
            MlcValue *const *buffers)
{
    for (size_t k = 0; k < mlc_op_num_results(op); k++) {
        MlcValue *result = mlc_op_result(op, k), *buffer = mlc_op_result(made, k);
        if (!mlc_value_is_tensor(result)) {
            mlc_value_replace_uses(result, buffer);
            continue;
        }
        bool copies = false, whole;
        for (size_t i = 0; i < mlc_op_num_operands(op); i++)
            if (alias(op, i, &whole) == result) {
                buffer = whole ? buffers[i] : buffer;
                copies = copies || (!writes(op, i) && !mlc_bufferizer_in_place(bufferizer, op, i));
            }
        if (copies)
            buffer = mlc_bufferizer_copied(bufferizer, b, buffer, mlc_value_type(result));
        mlc_bufferizer_set(bufferizer, result, buffer);
    }
}

// A call of a function that returns buffers, and may write those that it is given.
static bool
call_for_buffers(MlcOp *op, MlcAttr told, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcType type = mlc_type_attr_value(mlc_array_attr_element(told, 1));
    MlcValueVec operands = {0}, buffers = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i), *buffer = NULL;
        MlcType tensor = mlc_value_type(value);
        if (mlc_value_is_tensor(value)) {
            buffer = writes(op, i) ? mlc_bufferizer_destination(bufferizer, b, op, i)
                                   : mlc_bufferizer_buffer(bufferizer, value);
            value = pass(bufferizer, b, buffer, mlc_function_type_inputs(type)[i], tensor);
        }
        mlc_vec_push(&buffers, buffer);
        mlc_vec_push(&operands, value);
    }
    MlcOp *made =
        mlc_func_call(b, mlc_function_type_results(type), mlc_function_type_num_results(type),
                      operands.data, operands.size, mlc_func_call_callee(op));
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_op_set_attr(made, MLC_CALL_BUFFERS, NULL);
    for (size_t i = 0; i < operands.size; i++)
        if (buffers.data[i] && writes(op, i) &&
            !mlc_memref_cast_isa(mlc_value_def(operands.data[i])))
            mlc_bufferizer_copy(b, operands.data[i], buffers.data[i]); // what was passed packed
    set_results(op, made, b, bufferizer, buffers.data);
    mlc_vec_release(&operands);
    mlc_vec_release(&buffers);
    return true;
}

static MlcAttr
attr_of(MlcOp *function, size_t slot, size_t i, const char *name)
{
    MlcAttr all = mlc_op_slot(function, slot);
    return all && i < mlc_array_attr_size(all)
               ? mlc_dict_attr_find(mlc_array_attr_element(all, i), mlc_str(name))
               : NULL;
}

// The sizes of result `i` of unknown shape, by those that the callee is told (`mlc.dims` of its
// results, `mlc.size` of arguments). False if one is not among them.
static bool
sizes_of_result(MlcOp *call, size_t i, MlcValueVec *sizes)
{
    MlcOp *callee = mlc_symbol_lookup(mlc_symbol_table_of(call),
                                      mlc_symbol_ref_attr_name(mlc_func_call_callee_attr(call), 0));
    const MlcFunction *methods = callee ? mlc_op_interface(callee, MLC_INTERFACE_FUNCTION) : NULL;
    MlcType type = mlc_value_type(mlc_op_result(call, i));
    MlcAttr dims = methods ? attr_of(callee, methods->res_attrs_slot, i, "mlc.dims") : NULL;
    for (size_t k = 0; k < mlc_type_rank(type); k++) {
        size_t arg = 0, n = mlc_op_num_operands(call);
        if (mlc_type_dim(type, k) != MLC_DYNAMIC)
            continue;
        if (!mlc_attr_is(dims, MLC_ATTR_ARRAY) || k >= mlc_array_attr_size(dims))
            return false;
        while (arg < n && attr_of(callee, methods->arg_attrs_slot, arg, "mlc.size") !=
                              mlc_array_attr_element(dims, k))
            arg++;
        if (arg == n)
            return false;
        mlc_vec_push(sizes, mlc_op_operand(call, arg));
    }
    return true;
}

static bool
call_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcAttr told = mlc_op_attr(op, MLC_CALL_BUFFERS);
    if (told)
        return call_for_buffers(op, told, b, bufferizer);
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands,
                     mlc_value_is_tensor(value) ? mlc_bufferizer_buffer(bufferizer, value) : value);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcValue *result = mlc_op_result(op, i);
        if (!mlc_value_is_tensor(result)) {
            mlc_vec_push(&types, mlc_value_type(result));
            continue;
        }
        MlcValue *buffer = mlc_bufferizer_chosen(bufferizer, result);
        MlcValueVec sizes = {0};
        if (!buffer && !sizes_of_result(op, i, &sizes))
            return mlc_op_error(
                op,
                "returns a tensor of dynamic shape, whose buffer cannot be made before the call");
        if (!buffer)
            buffer =
                mlc_bufferizer_alloc(bufferizer, b, mlc_value_type(result), sizes.data, sizes.size);
        mlc_vec_release(&sizes);
        mlc_bufferizer_set(bufferizer, result, buffer);
        mlc_vec_push(&operands, buffer);
    }
    MlcOp *made = mlc_func_call(b, types.data, types.size, operands.data, operands.size,
                                mlc_func_call_callee(op));
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
    for (size_t i = 0, next = 0; i < mlc_op_num_results(op); i++)
        if (!mlc_value_is_tensor(mlc_op_result(op, i)))
            mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(made, next++));
    return true;
}

const MlcBufferize mlc_func_call_bufferize = {
    .reads = reads, .writes = writes, .alias = alias, .bufferize = call_bufferize};
