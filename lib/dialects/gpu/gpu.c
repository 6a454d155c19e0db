// gpu.c -- what functions and launches of a GPU are: names, interfaces, verification.
#include "mlc/dialects/gpu.h"

#include "mlc/ir.h"

// %thread_id_x: the op's name and its dimension.
static void
name_dimension(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    static const char letters[] = "xyz";
    MlcStr full = mlc_op_name(op);
    MlcAttr dimension = mlc_op_attr(op, "dimension");
    int64_t d = dimension ? mlc_enum_attr_value(dimension) : 0;
    MlcBuf name = {0};
    mlc_buf_append(&name, full.data + 4, full.size - 4);
    if (d >= 0 && d < 3)
        mlc_buf_printf(&name, "_%c", letters[d]);
    set(user, mlc_op_result(op, 0), mlc_buf_str(&name));
    mlc_buf_release(&name);
}

const MlcAsmNames mlc_gpu_dimension_asm_names = {.results = name_dimension};

// gpu.func: its name is not in the record, as in MLIR.

static MlcType
function_type(const MlcOp *op)
{
    return mlc_type_attr_value(mlc_gpu_func_function_type(op));
}

const MlcFunction mlc_gpu_func_function = {.type = function_type,
                                           .sym_slot = SIZE_MAX,
                                           .visibility_slot = SIZE_MAX,
                                           .type_slot = 0,
                                           .arg_attrs_slot = 1,
                                           .res_attrs_slot = 2};

static MlcRegion *
function_body(MlcOp *op)
{
    MlcRegion *body = mlc_gpu_func_body(op);
    return mlc_region_is_empty(body) ? NULL : body;
}

const MlcCallable mlc_gpu_func_callable = {.body = function_body};

bool
mlc_gpu_func_verify(MlcOp *op)
{
    MlcType type = function_type(op);
    MlcBlock *entry = mlc_region_first(mlc_gpu_func_body(op));
    if (mlc_op_attr(op, "gpu.kernel") && mlc_function_type_num_results(type))
        return mlc_op_error(op, "expected void return type for kernel function");
    if (!entry)
        return mlc_op_error(op, "expected body with at least one block");
    size_t n = mlc_function_type_num_inputs(type);
    if (mlc_block_num_args(entry) < n)
        return mlc_op_error(op, "expected at least %zu arguments to body region", n);
    for (size_t i = 0; i < n; ++i)
        if (mlc_value_type(mlc_block_arg(entry, i)) != mlc_function_type_inputs(type)[i])
            return mlc_op_error(op,
                                "expected body region argument #%zu to be of type '%s', got '%s'",
                                i, mlc_type_text(mlc_function_type_inputs(type)[i]),
                                mlc_type_text(mlc_value_type(mlc_block_arg(entry, i))));
    return true;
}

bool
mlc_gpu_return_verify(MlcOp *op)
{
    MlcType type = function_type(mlc_op_parent(op));
    if (mlc_op_num_operands(op) != mlc_function_type_num_results(type)) {
        mlc_op_error(op, "expected %zu result operands", mlc_function_type_num_results(type));
        return false;
    }
    for (size_t i = 0; i < mlc_op_num_operands(op); ++i) {
        MlcType want = mlc_function_type_results(type)[i],
                have = mlc_value_type(mlc_op_operand(op, i));
        if (want != have)
            return mlc_op_error(op, "unexpected type `%s' for operand #%zu", mlc_type_text(have),
                                i);
    }
    return true;
}

bool
mlc_gpu_launch_verify(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_gpu_launch_body(op));
    size_t least = mlc_gpu_launch_clusterSizeX(op) ? 18 : 12;
    if (block && mlc_block_num_args(block) < least)
        return mlc_op_error(op, "unexpected number of region arguments");
    return true;
}
