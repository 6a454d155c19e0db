// layers.c -- a pass's work on a tree of isolated ops, one layer at a time.
//
// What lies in isolated ops next to each other is independent, so they are shared out among the
// manager's threads. The result does not depend on how many there are: an isolated op is visited
// after those inside it, and nothing that is done in it can reach its siblings.
#include "manager.h"

#include "mlc/support/alloc.h"
#include "mlc/support/pool.h"

typedef struct Visitor {
    MlcPass *pass;
    bool (*visit)(MlcOp *isolated, void *user);
    void *user;
} Visitor;

typedef struct Siblings { // the isolated ops that lie in one, not in others inside it
    const Visitor *visitor;
    const MlcOp *parent;
    MlcOpVec ops;
    MlcDiagList *diags; // one per op
    atomic_bool failed;
} Siblings;

static bool visit_layers(const Visitor *v, MlcOp *root);

static void
visit_sibling(void *user, size_t i, unsigned worker)
{
    Siblings *siblings = user;
    const Visitor *v = siblings->visitor;
    int64_t start = worker ? mlc_pass_clock().cpu : 0;
    mlc_diag_capture_begin(v->pass->manager->ctx, &siblings->diags[i]);
    if (mlc_pass_is_cancelled(v->pass) || !visit_layers(v, siblings->ops.data[i]))
        atomic_store(&siblings->failed, true);
    mlc_diag_capture_end(v->pass->manager->ctx, &siblings->diags[i]);
    if (worker) // the caller's time is in the pass's
        atomic_fetch_add(&v->pass->item->cpu, mlc_pass_clock().cpu - start);
}

static bool
visit_siblings(Siblings *siblings)
{
    MlcPassManager *pm = siblings->visitor->pass->manager;
    size_t n = siblings->ops.size;
    siblings->diags = mlc_calloc(n, sizeof *siblings->diags);
    mlc_parallel_for(n > 1 ? mlc_pass_manager_pool(pm) : NULL, n, visit_sibling, siblings);
    for (size_t i = 0; i < n; i++)
        mlc_diag_replay(pm->ctx, &siblings->diags[i]);
    mlc_free(siblings->diags);
    return !atomic_load(&siblings->failed);
}

static MlcWalk
collect_isolated(MlcOp *op, void *user)
{
    Siblings *siblings = user;
    if (op == siblings->parent || !mlc_op_has_trait(op, MLC_TRAIT_ISOLATED))
        return MLC_WALK_CONTINUE;
    mlc_vec_push(&siblings->ops, op);
    return MLC_WALK_SKIP;
}

static bool
visit_layers(const Visitor *v, MlcOp *root)
{
    Siblings siblings = {.visitor = v, .parent = root};
    mlc_op_walk_preorder(root, collect_isolated, &siblings);
    bool ok = siblings.ops.size == 0 || visit_siblings(&siblings);
    mlc_vec_release(&siblings.ops);
    MlcEditScope scope;
    mlc_edit_scope_begin(&scope, root);
    ok = v->visit(root, v->user) && ok;
    mlc_edit_scope_end(&scope);
    return ok;
}

bool
mlc_pass_visit_layers(MlcPass *pass, MlcOp *root, bool (*visit)(MlcOp *isolated, void *user),
                      void *user)
{
    Visitor v = {pass, visit, user};
    return visit_layers(&v, root);
}
