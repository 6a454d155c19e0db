// scf_forall_to_parallel.c -- iterations that may run at once, as scf.parallel.
#include "scf_forall.h"

static void
build(MlcBuilder *b, const MlcForallBounds *bounds, MlcValueVec *ivs)
{
    const MlcValueVec *lists[] = {&bounds->lower, &bounds->upper, &bounds->step};
    MlcValueVec operands = {0};
    MlcTypeVec types = {0};
    int32_t n = (int32_t)bounds->lower.size;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < lists[i]->size; k++)
            mlc_vec_push(&operands, lists[i]->data[k]);
    for (int32_t i = 0; i < n; i++)
        mlc_vec_push(&types, mlc_index_type_get(b->ctx));
    MlcNamedAttr attr = mlc_named(b->ctx, "operandSegmentSizes",
                                  mlc_i32_array_attr_get(b->ctx, (int32_t[]){n, n, n, 0}, 4));
    MlcOp *loop =
        mlc_build_op(b, "scf.parallel", NULL, 0, operands.data, operands.size, &attr, 1, 1);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types.data, types.size);
    for (size_t i = 0; i < types.size; i++)
        mlc_vec_push(ivs, mlc_block_arg(body, i));
    mlc_builder_before(b, mlc_build_op(b, "scf.reduce", NULL, 0, NULL, 0, NULL, 0, 0));
    mlc_vec_release(&operands);
    mlc_vec_release(&types);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    mlc_replace_foralls(root, build);
    return true;
}

static const char *const dialects[] = {"arith", "scf", NULL};

MLC_PASS(scf_forall_to_parallel, .flag = "scf-forall-to-parallel",
         .summary = "Turn scf.forall into scf.parallel", .dependent_dialects = dialects, .run = run)
