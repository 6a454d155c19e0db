// kernel_constants.c -- tensor constants inside a kernel become arguments that its callers pass.
//
// The model function is where constants are laid out (plan-memory): a kernel that held one would
// carry its bytes through code generation. Scalars, vectors and splats stay, they are immediates; a
// splat that an initialiser was passed would be filled in by the model function, in every run.
// Run before bufferize; equal kernels were merged before, so all callers of one pass the same
// constant.
#include "kernel_arguments.h"

static bool
has_elements(MlcOp *op)
{
    return mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) && mlc_op_num_results(op) == 1 &&
           mlc_type_is(mlc_value_type(mlc_op_result(op, 0)), MLC_TYPE_TENSOR) &&
           !mlc_elements_attr_is_splat(mlc_value_constant(mlc_op_result(op, 0)));
}

// Copies of the constants in front of every call, as its last operands.
static void
pass_constants(MlcOp *module, MlcStr callee, const MlcOpVec *constants)
{
    MLC_FOR_EACH_PREORDER (op, module) {
        const MlcCall *call = mlc_op_interface(op, MLC_INTERFACE_CALL);
        MlcAttr name = call ? call->callee(op) : NULL;
        if (!name || !mlc_str_equal(mlc_symbol_ref_attr_name(name, 0), callee))
            continue;
        for (size_t i = 0; i < constants->size; i++) {
            MlcCloneMap *map = mlc_clone_map_create();
            MlcOp *copy = mlc_op_clone(constants->data[i], map);
            mlc_clone_map_destroy(map);
            mlc_op_insert_before(copy, op);
            MlcValue *value = mlc_op_result(copy, 0);
            mlc_op_insert_operands(op, mlc_op_num_operands(op), &value, 1);
        }
    }
}

static size_t
move_constants(MlcOp *module, MlcOp *function)
{
    MlcOpVec constants = {0};
    MLC_FOR_EACH_PREORDER (op, function)
        if (has_elements(op))
            mlc_vec_push(&constants, op);
    size_t count = constants.size;
    if (count > 0) {
        MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
        pass_constants(module, mlc_symbol_name(function), &constants);
        for (size_t i = 0; i < count; i++) {
            MlcOp *op = constants.data[i];
            MlcValue *arg =
                mlc_block_add_arg(entry, mlc_value_type(mlc_op_result(op, 0)), mlc_op_loc(op));
            mlc_op_replace(op, &arg, 1);
        }
        mlc_function_follow_arguments(function);
    }
    mlc_vec_release(&constants);
    return count;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_op_interface(op, MLC_INTERFACE_FUNCTION) && mlc_symbol_is_private(op) &&
                !mlc_region_is_empty(mlc_op_region(op, 0)))
                mlc_pass_count(pass, "num-constants", (int64_t)move_constants(module, op));
    return true;
}

MLC_PASS(kernel_constants, .flag = "kernel-constants",
         .summary = "Pass a kernel's tensor constants in as arguments", .anchor = "builtin.module",
         .run = run)
