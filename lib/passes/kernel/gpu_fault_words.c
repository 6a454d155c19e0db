// gpu_fault_words.c -- assertions of elements, in launches, become words that the runtime looks at.
//
// A thread cannot fail a run: it sets the word that its message has, and goes on. What is behind an
// assertion in a launch does no harm where it does not hold, which is for those to see to who put
// it there (gpu-schedule). Several threads may set a word, so that is atomic. A word is one
// launch's, so launches need no order for it.
//
// After convert-parallel-loops-to-gpu, ahead of gpu-device-memory.
#include "mlc/ir.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"

// The launch's word with the message: one is made ahead of the launch if it has none yet.
static MlcValue *
word_of(MlcOp *launch, MlcStr message)
{
    for (MlcOp *op = mlc_op_prev(launch); op && mlc_gpu_fault_word_isa(op); op = mlc_op_prev(op))
        if (mlc_str_equal(mlc_gpu_fault_word_message(op), message))
            return mlc_op_result(op, 0);
    MlcBuilder b;
    int64_t size = 1;
    mlc_builder_init(&b, mlc_op_context(launch));
    mlc_builder_before(&b, launch);
    b.loc = mlc_op_loc(launch);
    MlcAttr space =
        mlc_enum_attr_get(b.ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_GLOBAL);
    MlcType i32 = mlc_integer_type_get(b.ctx, 32, MLC_SIGNLESS);
    return mlc_gpu_fault_word(&b, mlc_memref_type_get(i32, &size, 1, NULL, space), message);
}

static void
lower_assertion(MlcOp *assertion, MlcOp *launch)
{
    MlcValue *word = word_of(launch, mlc_cf_assert_msg(assertion));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(launch));
    mlc_builder_before(&b, assertion);
    b.loc = mlc_op_loc(assertion);
    MlcValue *holds = mlc_cf_assert_arg(assertion);
    MlcType i32 = mlc_integer_type_get(b.ctx, 32, MLC_SIGNLESS);
    MlcValue *fails = mlc_arith_xori(&b, holds, mlc_build_int(&b, mlc_value_type(holds), 1));
    MlcOp *branch = mlc_scf_if(&b, NULL, 0, fails);
    mlc_builder_create_block(&b, mlc_op_region(branch, 0), NULL, 0);
    MlcValue *zero = mlc_build_index(&b, 0), *one = mlc_build_int(&b, i32, 1);
    mlc_memref_atomic_rmw(&b, one, word, &zero, 1,
                          mlc_enum_attr_get(b.ctx, &mlc_arith_atomic_rmw_kind_attr_def,
                                            MLC_ARITH_ATOMIC_RMW_KIND_ORI));
    mlc_scf_yield(&b, NULL, 0);
    mlc_op_erase(assertion);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec assertions = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_cf_assert_isa(op) && mlc_op_parent_of_kind(op, &mlc_gpu_launch_def))
            mlc_vec_push(&assertions, op);
    for (size_t i = 0; i < assertions.size; i++)
        lower_assertion(assertions.data[i],
                        mlc_op_parent_of_kind(assertions.data[i], &mlc_gpu_launch_def));
    mlc_pass_count(pass, "words", (int64_t)assertions.size);
    mlc_vec_release(&assertions);
    return true;
}

static const char *const dialects[] = {"gpu", "memref", "arith", "scf", NULL};

MLC_PASS(gpu_fault_words, .flag = "gpu-fault-words",
         .summary = "Assertions in launches set words that the runtime looks at",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
