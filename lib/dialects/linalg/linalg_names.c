// linalg_names.c -- names of the arguments of scalar bodies.
#include "mlc/dialects/linalg.h"
#include "mlc/ir.h"

static void
name_args(MlcOp *op, MlcRegion *region, const char *out,
          void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    MlcBlock *block = mlc_region_first(region);
    size_t first, num_inputs = mlc_op_num_operands(op);
    if (mlc_op_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        mlc_op_operand_group(op, 0, &first, &num_inputs);
    else if (mlc_linalg_reduce_isa(op))
        num_inputs /= 2; // as many outputs as inputs
    else if (num_inputs)
        --num_inputs; // the last operand is the output
    for (size_t i = 0; block && i < mlc_block_num_args(block); i++)
        set(user, mlc_block_arg(block, i), mlc_str(i < num_inputs ? "in" : out));
}

static void
name_generic_args(MlcOp *op, MlcRegion *region,
                  void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    name_args(op, region, "out", set, user);
}

const MlcAsmNames mlc_linalg_generic_asm_names = {.block_args = name_generic_args};

static void
name_init_args(MlcOp *op, MlcRegion *region, void (*set)(void *user, MlcValue *value, MlcStr name),
               void *user)
{
    name_args(op, region, "init", set, user);
}

// The result of one tensor has a name of its own.
static void
name_result(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    if (mlc_op_num_results(op))
        set(user, mlc_op_result(op, 0), mlc_str(mlc_op_def(op)->result_name));
}

const MlcAsmNames mlc_linalg_named_asm_names = {.results = name_result,
                                                .block_args = name_init_args};
