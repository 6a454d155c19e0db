// scf_forall_to_for.c -- iterations that may run at once, one after the other.
#include "scf_forall.h"
#include "mlc/dialects/scf.h"

static void
build(MlcBuilder *b, const MlcForallBounds *bounds, MlcValueVec *ivs)
{
    MlcType index = mlc_index_type_get(b->ctx);
    MlcLoc loc = b->loc;
    for (size_t i = 0; i < bounds->lower.size; i++) {
        MlcOp *loop = mlc_scf_for(b, NULL, 0, bounds->lower.data[i], bounds->upper.data[i],
                                  bounds->step.data[i], NULL, 0);
        MlcBlock *body = mlc_builder_create_block(b, mlc_op_region(loop, 0), &index, 1);
        mlc_vec_push(ivs, mlc_block_arg(body, 0));
        mlc_builder_before(b, mlc_scf_yield(b, NULL, 0));
        b->loc = loc;
    }
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

MLC_PASS(scf_forall_to_for, .flag = "scf-forall-to-for", .summary = "Turn scf.forall into scf.for",
         .dependent_dialects = dialects, .converts = converts, .run = run)
