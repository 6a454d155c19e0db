// func_semantics.c -- functions and calls of other dialects, whose records say `semantics:
// function` or `call`: func's own syntax and checks, on ops with func's attributes.
#include "mlc/dialects/func.h"
#include "mlc/dialects/semantics.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

bool
mlc_semantics_function_parse(MlcParser *p, MlcOpBuild *op)
{
    return mlc_func_func_parse(p, op);
}

void
mlc_semantics_function_print(MlcPrinter *p, MlcOp *op)
{
    mlc_func_func_print(p, op);
}

static bool
verify_end(MlcOp *op, MlcOp *last)
{
    MlcType type = mlc_func_func_function_type(op);
    size_t n = mlc_function_type_num_results(type);
    if (mlc_op_num_operands(last) != n)
        return mlc_op_error(last, "gives %zu values, but '@%.*s' returns %zu",
                            mlc_op_num_operands(last), MLC_STR_FMT(mlc_symbol_name(op)), n);
    for (size_t i = 0; i < n; i++)
        if (mlc_op_operand_type(last, i) != mlc_function_type_results(type)[i])
            return mlc_op_error(last, "gives '%s' as value #%zu, but '@%.*s' returns '%s'",
                                mlc_type_text(mlc_op_operand_type(last, i)), i,
                                MLC_STR_FMT(mlc_symbol_name(op)),
                                mlc_type_text(mlc_function_type_results(type)[i]));
    return true;
}

bool
mlc_semantics_function_verify(MlcOp *op)
{
    if (!mlc_func_func_verify(op))
        return false;
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, 0)) {
        MlcOp *last = mlc_block_last(block);
        if (last && mlc_op_num_successors(last) == 0 && !verify_end(op, last))
            return false;
    }
    return true;
}

static MlcType
type_of(const MlcOp *op)
{
    return mlc_func_func_function_type(op);
}

const MlcFunction mlc_semantics_function = {.type = type_of,
                                            .sym_slot = 0,
                                            .type_slot = 1,
                                            .visibility_slot = 2,
                                            .arg_attrs_slot = 3,
                                            .res_attrs_slot = 4};

bool
mlc_semantics_call_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    return mlc_func_call_eval(e, op, operands, results);
}
