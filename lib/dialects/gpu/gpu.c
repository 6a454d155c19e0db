// gpu.c -- what functions and launches of a GPU are: names and interfaces.
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
    return mlc_gpu_func_function_type(op);
}

const MlcFunction mlc_gpu_func_function = {.type = function_type,
                                           .sym_slot = SIZE_MAX,
                                           .visibility_slot = SIZE_MAX,
                                           .type_slot = 0,
                                           .arg_attrs_slot = 1,
                                           .res_attrs_slot = 2};
