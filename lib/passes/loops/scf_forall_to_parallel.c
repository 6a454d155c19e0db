// scf_forall_to_parallel.c -- iterations that may run at once, as scf.parallel.
#include "scf_forall.h"
#include "mlc/dialects/scf.h"

static void
build(MlcBuilder *b, const MlcForallBounds *bounds, MlcValueVec *ivs)
{
    MlcTypeVec types = {0};
    size_t n = bounds->lower.size;
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&types, mlc_index_type_get(b->ctx));
    MlcOp *loop = mlc_scf_parallel(b, NULL, 0, bounds->lower.data, n, bounds->upper.data, n,
                                   bounds->step.data, n, NULL, 0);
    MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), types.data, types.size);
    for (size_t i = 0; i < types.size; i++)
        mlc_vec_push(ivs, mlc_block_arg(body, i));
    mlc_builder_before(b, mlc_scf_reduce(b, NULL, 0, 0));
    mlc_vec_release(&types);
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_scf_forall_def;
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
         .summary = "Turn scf.forall into scf.parallel", .dependent_dialects = dialects,
         .converts = converts, .run = run)
