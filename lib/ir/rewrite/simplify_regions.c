// simplify_regions.c -- control flow between blocks: unreachable blocks go, and so does what is
// only passed round in circles; equal blocks become one if asked to.
//
// Ops that nobody uses are the driver's business. What is left to find here are values that keep
// each other alive through block arguments: an argument is live if an op that stays uses it, or if
// a branch passes it on to a live argument. What a branch passes to whom is asked of the branch
// interface; what other terminators use is live.
#include "mlc/support/alloc.h"
#include "rewrite_impl.h"

// --- unreachable blocks

static bool
erase_unreachable(MlcRegion *region)
{
    MlcMap reached = {0};
    MLC_VEC(MlcBlock *) stack = {0};
    mlc_map_add(&reached, region->first);
    mlc_vec_push(&stack, region->first);
    while (stack.size) {
        MlcOp *end = mlc_vec_pop(&stack)->last;
        for (uint32_t i = 0; end && i < end->num_successors; i++)
            if (mlc_map_add(&reached, mlc_op_successor(end, i)))
                mlc_vec_push(&stack, mlc_op_successor(end, i));
    }
    mlc_vec_release(&stack);
    bool changed = false;
    for (MlcBlock *block = region->first, *next; block; block = next) {
        next = block->next;
        if (mlc_map_has(&reached, block))
            continue;
        mlc_block_destroy(block);
        changed = true;
    }
    mlc_map_release(&reached);
    return changed;
}

// --- what only dead arguments need

typedef struct Node {
    void *item; // an MlcValue, or an MlcOp that only what it computes can keep
    bool is_op, is_live;
} Node;

typedef struct Liveness {
    MlcRegion *region;
    MLC_VEC(Node) nodes; // arguments of the region's blocks, and what is computed from them
    MlcMap places;       // item -> index in `nodes`
} Liveness;

static void
add_node(Liveness *l, void *item, bool is_op)
{
    bool is_new;
    MlcMapEntry *entry = mlc_map_insert(&l->places, mlc_word(item), &is_new);
    if (!is_new)
        return;
    entry->value = l->nodes.size;
    mlc_vec_push(&l->nodes, ((Node){item, is_op, false}));
}

// The argument that receives operand `use` of a branch, if it is of the region's blocks; else NULL.
static MlcValue *
receiver(const Liveness *l, const MlcUse *use)
{
    const MlcOp *end = use->owner;
    const MlcBranch *branch = mlc_op_interface(end, MLC_INTERFACE_BRANCH);
    size_t index = (size_t)(use - end->operands), first, count;
    for (uint32_t i = 0; branch && i < end->num_successors; i++) {
        MlcBlock *to = mlc_op_successor(end, i);
        branch->successor_operands(end, i, &first, &count);
        if (index >= first && index < first + count)
            return to->region == l->region && count <= to->num_args
                       ? mlc_block_arg(to, to->num_args - count + (index - first))
                       : NULL;
    }
    return NULL;
}

// Adds what the value goes into. True if one of its uses stays whatever becomes of the others.
static bool
has_lasting_use(Liveness *l, const MlcValue *value)
{
    for (MlcUse *use = value->first_use; use; use = use->next) {
        MlcValue *to = receiver(l, use);
        if (to)
            add_node(l, to, false);
        else if (mlc_op_would_be_trivially_dead(use->owner))
            add_node(l, use->owner, true);
        else
            return true;
    }
    return false;
}

static bool
is_passed_by_all(const MlcBlock *block, uint32_t i)
{
    for (const MlcBlockUse *use = block->first_use; use; use = use->next)
        if (!mlc_branch_operand_for(use, i))
            return false;
    return true;
}

// Adds what node `at` goes into; true if the node is live for itself.
static bool
explore(Liveness *l, size_t at)
{
    Node node = l->nodes.data[at];
    if (!node.is_op) {
        const MlcBlockArg *arg = node.item;
        bool is_passed = is_passed_by_all(arg->block, arg->value.index);
        return has_lasting_use(l, node.item) || !is_passed;
    }
    MlcOp *op = node.item;
    bool is_live = false;
    for (uint32_t i = 0; i < op->num_results; i++)
        is_live |= has_lasting_use(l, mlc_op_result(op, i));
    return is_live;
}

typedef MLC_VEC(size_t) IndexVec;

static void
revive(Liveness *l, MlcValue *value, IndexVec *work)
{
    MlcOp *def = value ? mlc_value_def(value) : NULL;
    uint64_t at;
    if (!value || !mlc_map_get_u64(&l->places, def ? mlc_word(def) : mlc_word(value), &at) ||
        l->nodes.data[at].is_live)
        return;
    l->nodes.data[at].is_live = true;
    mlc_vec_push(work, at);
}

// What goes into a live node is live.
static void
propagate(Liveness *l, IndexVec *work)
{
    while (work->size) {
        Node node = l->nodes.data[mlc_vec_pop(work)];
        if (node.is_op) {
            MLC_FOR_EACH_OPERAND (value, (MlcOp *)node.item)
                revive(l, value, work);
            continue;
        }
        const MlcBlockArg *arg = node.item;
        for (const MlcBlockUse *use = arg->block->first_use; use; use = use->next) {
            const MlcUse *operand = mlc_branch_operand_for(use, arg->value.index);
            if (operand)
                revive(l, operand->value, work);
        }
    }
}

// Only what is dead uses them. From the back to the front, so that those in front keep their
// places.
static void
drop_dead_args(const Liveness *l)
{
    for (size_t i = 0; i < l->nodes.size; i++)
        if (!l->nodes.data[i].is_op && !l->nodes.data[i].is_live)
            for (MlcValue *arg = l->nodes.data[i].item; arg->first_use;)
                mlc_use_set(arg->first_use, NULL);
    for (MlcBlock *block = l->region->first->next; block; block = block->next)
        for (uint32_t i = block->num_args; i-- > 0;)
            if (!l->nodes.data[mlc_map_find(&l->places, mlc_word(block->args[i]))->value].is_live) {
                mlc_branches_drop(block, i);
                mlc_block_erase_arg(block, i);
            }
}

static bool
is_inside_dead_op(const Liveness *l, const MlcOp *op)
{
    for (op = mlc_op_parent(op); op; op = mlc_op_parent(op)) {
        const MlcMapEntry *entry = mlc_map_find(&l->places, mlc_word(op));
        if (entry && !l->nodes.data[entry->value].is_live)
            return true;
    }
    return false;
}

static void
erase_dead_ops(const Liveness *l)
{
    MlcOpVec dead = {0};
    for (size_t i = 0; i < l->nodes.size; i++)
        if (l->nodes.data[i].is_op && !l->nodes.data[i].is_live &&
            !is_inside_dead_op(l, l->nodes.data[i].item))
            mlc_vec_push(&dead, l->nodes.data[i].item);
    for (size_t i = 0; i < dead.size; i++)
        mlc_op_destroy(dead.data[i]);
    mlc_vec_release(&dead);
}

static bool
erase_dead_cycles(MlcRegion *region)
{
    Liveness l = {.region = region};
    IndexVec work = {0};
    for (MlcBlock *block = region->first->next; block; block = block->next)
        for (uint32_t i = 0; i < block->num_args; i++)
            add_node(&l, block->args[i], false);
    for (size_t i = 0; i < l.nodes.size; i++)
        if (explore(&l, i)) {
            l.nodes.data[i].is_live = true;
            mlc_vec_push(&work, i);
        }
    propagate(&l, &work);
    bool changed = false;
    for (size_t i = 0; i < l.nodes.size; i++)
        changed |= !l.nodes.data[i].is_live;
    if (changed) {
        drop_dead_args(&l);
        erase_dead_ops(&l);
    }
    mlc_vec_release(&work);
    mlc_vec_release(&l.nodes);
    mlc_map_release(&l.places);
    return changed;
}

static bool
simplify_region(MlcRegion *region, bool merge_blocks)
{
    if (!region->first || region->first == region->last)
        return false;
    bool changed = erase_unreachable(region);
    changed |= erase_dead_cycles(region);
    return (merge_blocks && mlc_merge_equal_blocks(region)) || changed;
}

static bool
simplify_regions_of(MlcOp *op, bool merge_blocks)
{
    bool changed = false;
    for (uint32_t i = 0; i < op->num_regions; i++)
        changed |= simplify_region(mlc_op_region(op, i), merge_blocks);
    return changed;
}

bool
mlc_simplify_regions(MlcOp *root, bool merge_blocks, bool one_layer)
{
    bool changed = false;
    if (!one_layer) {
        MLC_FOR_EACH_POSTORDER (op, root)
            changed |= simplify_regions_of(op, merge_blocks);
        return changed;
    }
    for (MlcOp *op = mlc_op_layer_first(root, root); op; op = mlc_op_layer_next(op, root))
        if (op == root || !op->is_isolated)
            changed |= simplify_regions_of(op, merge_blocks);
    return changed;
}
