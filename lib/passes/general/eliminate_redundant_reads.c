// eliminate_redundant_reads.c -- a read of memory gives way to an equal one that was done on every
// way here, if nothing since may have written there.
//
// A dense forward analysis carries the reads of which the result still stands: an op that may write
// what one has read takes it out, by alias analysis. A read that is known on every way to a point
// dominates it, and was done since its operands were, as there is a way from the entry that does
// not pass them twice. What `cse` does within a block this does across blocks and regions.
#include "mlc/analysis/alias.h"
#include "mlc/analysis/dataflow.h"
#include "mlc/pass.h"

#include "mlc/support/map.h"

enum { MAX_READS = 64 }; // known at one point

typedef struct Known {
    size_t size;
    MlcOp *const *reads; // oldest first
    bool is_reached;
} Known;

// Reads, and nothing else, of memory that it names.
static bool
is_read(MlcOp *op)
{
    if (mlc_op_num_results(op) == 0 || mlc_op_num_regions(op) > 0 || mlc_op_num_successors(op) > 0)
        return false;
    MlcEffectVec effects = {0};
    bool reads = mlc_op_effects(op, &effects) && effects.size > 0;
    for (size_t i = 0; i < effects.size; i++)
        reads = reads && effects.data[i].effect == MLC_EFFECT_READ && effects.data[i].value;
    mlc_vec_release(&effects);
    return reads;
}

static bool
may_change(MlcOp *op, MlcOp *read)
{
    MlcEffectVec effects = {0};
    bool changes = false;
    mlc_op_effects(read, &effects);
    for (size_t i = 0; i < effects.size; i++)
        changes = changes || (mlc_mod_ref(op, effects.data[i].value) & MLC_MOD_REF_MOD);
    mlc_vec_release(&effects);
    return changes;
}

static bool
same_read(MlcOp *a, MlcOp *b)
{
    if (mlc_op_def(a) != mlc_op_def(b) || mlc_op_all_attrs(a) != mlc_op_all_attrs(b) ||
        mlc_op_num_operands(a) != mlc_op_num_operands(b) || !mlc_op_same_result_types(a, b))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(a); i++)
        if (mlc_op_operand(a, i) != mlc_op_operand(b, i))
            return false;
    return true;
}

// Values made in a region that always runs are known behind it, but not to be used there.
static bool
is_visible_from(const MlcOp *made, const MlcOp *op)
{
    while (op && mlc_op_region_of(op) != mlc_op_region_of(made))
        op = mlc_op_parent(op);
    return op != NULL;
}

static MlcOp *
find_same(const Known *known, MlcOp *op)
{
    for (size_t i = 0; known && i < known->size; i++)
        if (same_read(known->reads[i], op) && is_visible_from(known->reads[i], op))
            return known->reads[i];
    return NULL;
}

static void
set_known(MlcFlow *flow, Known *known, MlcOp *const *reads, size_t size)
{
    MlcOp **kept = MLC_NEW_ARRAY(mlc_flow_arena(flow), MlcOp *, size + 1);
    if (size)
        memcpy(kept, reads, size * sizeof *kept);
    *known = (Known){size, kept, true};
}

// Those known on both ways.
static bool
join(MlcFlow *flow, void *into, const void *from)
{
    Known *a = into;
    const Known *b = from;
    if (!b->is_reached)
        return false;
    if (!a->is_reached) {
        *a = *b;
        return true;
    }
    MlcOp *both[MAX_READS];
    size_t n = 0;
    for (size_t i = 0; i < a->size; i++)
        for (size_t j = 0; j < b->size; j++)
            if (a->reads[i] == b->reads[j]) {
                both[n++] = a->reads[i];
                break;
            }
    if (n == a->size)
        return false;
    set_known(flow, a, both, n);
    return true;
}

static void
nothing_known(MlcFlow *flow, void *element)
{
    (void)flow;
    *(Known *)element = (Known){.is_reached = true};
}

static void
visit(MlcFlow *flow, MlcOp *op, const void *from, void *into)
{
    const Known *before = from;
    MlcOp *kept[MAX_READS];
    size_t n = 0;
    bool is_harmless = mlc_op_is_memory_effect_free(op);
    for (size_t i = 0; i < before->size; i++)
        if (is_harmless || !may_change(op, before->reads[i]))
            kept[n++] = before->reads[i];
    if (is_read(op) && !find_same(before, op)) {
        if (n == MAX_READS)
            memmove(kept, kept + 1, --n * sizeof *kept);
        kept[n++] = op;
    }
    if (n == before->size && (n == 0 || memcmp(kept, before->reads, n * sizeof *kept) == 0))
        *(Known *)into = *before;
    else
        set_known(flow, into, kept, n);
}

static const MlcDense definition = {
    .name = "known-reads",
    .size = sizeof(Known),
    .join = join,
    .unknown = nothing_known,
    .visit = visit,
    .follows_calls = true,
};

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcSolver *solver = mlc_solver_create(root);
    MlcFlow *flow = mlc_solver_add_dense_forward(solver, &definition, NULL);
    mlc_solver_run(solver);
    MlcMap earlier; // a read -> the one that stands for it, in program order
    mlc_map_init(&earlier);
    MLC_FOR_EACH_PREORDER (op, root) {
        MlcOp *same = op != root && is_read(op) ? find_same(mlc_flow_before(flow, op), op) : NULL;
        if (same && same != op)
            mlc_map_set(&earlier, op, same);
    }
    mlc_solver_destroy(solver);
    MLC_MAP_FOR_EACH (entry, &earlier) {
        MlcOp *read = (MlcOp *)(uintptr_t)entry->key, *same = mlc_map_entry_value(entry);
        for (size_t i = 0; i < mlc_op_num_results(read); i++)
            mlc_value_replace_uses(mlc_op_result(read, i), mlc_op_result(same, i));
        mlc_pass_count(pass, "num-eliminated", 1);
    }
    MLC_MAP_FOR_EACH (entry, &earlier)
        mlc_op_erase((MlcOp *)(uintptr_t)entry->key);
    mlc_map_release(&earlier);
    return true;
}

MLC_PASS(eliminate_redundant_reads, .flag = "eliminate-redundant-reads",
         .summary = "Share reads of memory across blocks where nothing writes in between",
         .run = run)
