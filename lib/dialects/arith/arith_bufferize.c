// arith_bufferize.c -- tensor constants: a splat is filled in, the elements of another become a
// private memref.global. A choice between tensors.
#include "mlc/dialects/arith.h"
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/memref.h"

static MlcValue *
filled(MlcAttr value, MlcType tensor, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *buffer = mlc_bufferizer_alloc(bufferizer, b, tensor, NULL, 0);
    MlcValue *scalar = mlc_build_constant(b, mlc_elements_attr_element(value, 0));
    mlc_structured_build_body(mlc_linalg_fill(b, NULL, 0, &scalar, 1, &buffer, 1));
    return buffer;
}

// One global a constant; equal ones (constants are uniqued) share it.
static MlcStr
global_of(MlcAttr value, MlcType type, MlcOp *function)
{
    MlcContext *ctx = mlc_attr_context(value);
    MlcOp *module = mlc_op_parent(function);
    size_t count = 0;
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0))) {
        if (!mlc_memref_global_isa(op))
            continue;
        count++;
        if (mlc_memref_global_initial_value(op) == value)
            return mlc_symbol_name(op);
    }
    MlcBuf name = {0};
    mlc_buf_printf(&name, "__constant_%zu", count);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(module, 0)));
    MlcOp *global = mlc_memref_global(&b, mlc_buf_str(&name), mlc_type_attr_get(type));
    mlc_buf_release(&name);
    mlc_memref_global_set_sym_visibility(global, mlc_string_attr_get(ctx, mlc_str("private")));
    mlc_memref_global_set_initial_value(global, value);
    mlc_memref_global_set_constant(global, mlc_unit_attr_get(ctx));
    mlc_memref_global_set_alignment(global, mlc_i64_attr_get(ctx, 64));
    return mlc_symbol_name(global);
}

static bool
constant_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcAttr value = mlc_op_attr(op, "value");
    MlcValue *result = mlc_op_result(op, 0);
    MlcType tensor = mlc_value_type(result);
    if (mlc_elements_attr_is_splat(value)) {
        mlc_bufferizer_set(bufferizer, result, filled(value, tensor, b, bufferizer));
        return true;
    }
    MlcOp *function = op;
    while (!mlc_op_interface(function, MLC_INTERFACE_FUNCTION))
        function = mlc_op_parent(function);
    MlcType type = mlc_bufferizer_memref_type(tensor);
    mlc_bufferizer_set(bufferizer, result,
                       mlc_memref_get_global(b, type, global_of(value, type, function)));
    return true;
}

// A choice between tensors is one between their buffers.
static MlcValue *
select_alias(MlcOp *op, size_t i, bool *whole)
{
    *whole = false;
    return i > 0 ? mlc_op_result(op, 0) : NULL;
}

// Where it copies; and what it gives is read later, if at all.
static bool
select_reads(MlcOp *op, size_t i)
{
    (void)op;
    return i > 0;
}

static bool
select_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *condition = mlc_op_operand(op, 0), *sides[2];
    if (mlc_value_is_tensor(condition))
        return mlc_op_error(op, "only i1 condition values are supported");
    for (size_t i = 0; i < 2; i++) {
        sides[i] = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, i + 1));
        if (!mlc_bufferizer_in_place(bufferizer, op, i + 1))
            sides[i] = mlc_bufferizer_copied(bufferizer, b, sides[i], mlc_op_result_type(op, 0));
    }
    if (mlc_memref_type_memory_space(mlc_value_type(sides[0])) !=
        mlc_memref_type_memory_space(mlc_value_type(sides[1])))
        return mlc_op_error(op, "inconsistent memory space on true/false operands");
    MlcType type = mlc_bufferizer_common_type(mlc_value_type(sides[0]), mlc_value_type(sides[1]));
    for (size_t i = 0; i < 2; i++)
        if (mlc_value_type(sides[i]) != type)
            sides[i] = mlc_memref_cast(b, type, sides[i]);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0),
                       mlc_arith_select(b, condition, sides[0], sides[1]));
    return true;
}

const MlcBufferize mlc_arith_select_bufferize = {.reads = select_reads,
                                                 .writes = mlc_bufferize_never,
                                                 .alias = select_alias,
                                                 .bufferize = select_bufferize};
const MlcBufferize mlc_arith_constant_bufferize = {
    .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .bufferize = constant_bufferize};
