// dominance.c -- dominator trees of regions, computed on demand.
//
// The algorithm is Cooper, Harvey and Kennedy's ("A Simple, Fast Dominance Algorithm", 2001): idoms
// are refined over the reverse post-order until they stay. Then each block gets a number and the
// size of its subtree, so that a question is two comparisons. Every walk keeps its own stack.
// Blocks that cannot be reached are dominated by all, as in MLIR.
#include "mlc/ir/verify.h"

#include "mlc/support/alloc.h"
#include "op_impl.h"

#define NONE UINT32_MAX

typedef struct Tree {                 // of one region with several blocks
    MlcMap numbers;                   // block -> position in `blocks`; unreachable ones are missing
    MlcBlock **blocks;                // in reverse post-order
    uint32_t *idoms, *firsts, *sizes; // subtree of block i: [firsts[i], firsts[i] + sizes[i])
    uint32_t num_blocks;
} Tree;

struct MlcDominance {
    MlcOp *root;
    MlcMap trees;    // region -> Tree *
    MlcRegion *last; // asked about, with its tree
    Tree *last_tree;
};

MlcDominance *
mlc_dominance_create(MlcOp *root)
{
    MlcDominance *dom = mlc_calloc(1, sizeof *dom);
    dom->root = root;
    return dom;
}

static void
destroy_tree(Tree *tree)
{
    mlc_map_release(&tree->numbers);
    mlc_free(tree->blocks);
    mlc_free(tree->idoms);
    mlc_free(tree);
}

void
mlc_dominance_invalidate(MlcDominance *dom)
{
    MLC_MAP_FOR_EACH (entry, &dom->trees)
        destroy_tree(mlc_map_entry_value(entry));
    mlc_map_clear(&dom->trees);
    dom->last = NULL;
}

void
mlc_dominance_destroy(MlcDominance *dom)
{
    if (!dom)
        return;
    mlc_dominance_invalidate(dom);
    mlc_map_release(&dom->trees);
    mlc_free(dom);
}

// --- building

typedef struct Visit {
    MlcBlock *block;
    size_t next_successor;
} Visit;

static size_t
num_successors(const MlcBlock *block)
{
    return block->last ? block->last->num_successors : 0;
}

// Fills tree->blocks in post-order, then reverses it.
static void
order_blocks(Tree *tree, MlcRegion *region)
{
    MLC_VEC(Visit) stack = {0};
    MLC_VEC(MlcBlock *) order = {0};
    mlc_map_add(&tree->numbers, region->first);
    mlc_vec_push(&stack, (Visit){region->first, 0});
    while (stack.size) {
        Visit *top = &mlc_vec_last(&stack);
        if (top->next_successor == num_successors(top->block)) {
            mlc_vec_push(&order, top->block);
            stack.size--;
            continue;
        }
        MlcBlock *next = mlc_op_successor(top->block->last, top->next_successor++);
        if (next && next->region == region && mlc_map_add(&tree->numbers, next))
            mlc_vec_push(&stack, (Visit){next, 0});
    }
    mlc_vec_release(&stack);
    for (size_t i = 0; i < order.size / 2; i++) {
        MlcBlock *swap = order.data[i];
        order.data[i] = order.data[order.size - 1 - i];
        order.data[order.size - 1 - i] = swap;
    }
    tree->blocks = order.data;
    tree->num_blocks = (uint32_t)order.size;
    for (uint32_t i = 0; i < tree->num_blocks; i++)
        mlc_map_set_u64(&tree->numbers, mlc_word(order.data[i]), i);
}

static uint32_t
number_of(const Tree *tree, const MlcBlock *block)
{
    uint64_t number;
    return mlc_map_get_u64(&tree->numbers, mlc_word(block), &number) ? (uint32_t)number : NONE;
}

static uint32_t
meet(const uint32_t *idoms, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = idoms[a];
        while (b > a)
            b = idoms[b];
    }
    return a;
}

static uint32_t
idom_from_predecessors(const Tree *tree, uint32_t i)
{
    uint32_t idom = NONE;
    for (MlcBlockUse *use = tree->blocks[i]->first_use; use; use = use->next) {
        uint32_t predecessor = use->owner->block ? number_of(tree, use->owner->block) : NONE;
        if (predecessor == NONE || tree->idoms[predecessor] == NONE)
            continue;
        idom = idom == NONE ? predecessor : meet(tree->idoms, idom, predecessor);
    }
    return idom;
}

static void
find_idoms(Tree *tree)
{
    for (uint32_t i = 1; i < tree->num_blocks; i++)
        tree->idoms[i] = NONE;
    tree->idoms[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < tree->num_blocks; i++) {
            uint32_t idom = idom_from_predecessors(tree, i);
            changed |= idom != tree->idoms[i];
            tree->idoms[i] = idom;
        }
    }
}

// An idom stands before its block in reverse post-order, so sizes add up backwards and numbers go
// out forwards.
static void
number_subtrees(Tree *tree)
{
    uint32_t n = tree->num_blocks, *next = mlc_malloc(n * sizeof *next);
    for (uint32_t i = 0; i < n; i++)
        tree->sizes[i] = 1;
    for (uint32_t i = n; i-- > 1;)
        tree->sizes[tree->idoms[i]] += tree->sizes[i];
    tree->firsts[0] = 0;
    next[0] = 1;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t idom = tree->idoms[i];
        tree->firsts[i] = next[idom];
        next[idom] += tree->sizes[i];
        next[i] = tree->firsts[i] + 1;
    }
    mlc_free(next);
}

static Tree *
tree_of(MlcDominance *dom, MlcRegion *region)
{
    if (dom->last == region)
        return dom->last_tree;
    Tree *tree = mlc_map_get(&dom->trees, region);
    dom->last = region;
    dom->last_tree = tree;
    if (tree)
        return tree;
    dom->last_tree = tree = mlc_calloc(1, sizeof *tree);
    order_blocks(tree, region);
    tree->idoms = mlc_malloc(3 * (size_t)tree->num_blocks * sizeof *tree->idoms);
    tree->firsts = tree->idoms + tree->num_blocks;
    tree->sizes = tree->firsts + tree->num_blocks;
    find_idoms(tree);
    number_subtrees(tree);
    mlc_map_set(&dom->trees, region, tree);
    return tree;
}

// --- questions

// Of an op that is not registered nobody knows what its regions mean.
static bool
has_order(const MlcRegion *region)
{
    return !region || !region->parent ||
           (!mlc_op_has_trait(region->parent, MLC_TRAIT_GRAPH_REGION) &&
            mlc_op_is_registered(region->parent));
}

// a and b are different blocks of one region.
static bool
dominates_in_region(MlcDominance *dom, MlcBlock *a, MlcBlock *b)
{
    if (!a->region)
        return false;
    const Tree *tree = tree_of(dom, a->region);
    uint32_t i = number_of(tree, a), j = number_of(tree, b);
    if (j == NONE)
        return true;
    return i != NONE && tree->firsts[j] - tree->firsts[i] < tree->sizes[i];
}

// The block of `region` that holds `block`, through any nesting; NULL if there is none.
static MlcBlock *
block_in_region(const MlcRegion *region, MlcBlock *block)
{
    while (block && block->region != region)
        block = block->region && block->region->parent ? block->region->parent->block : NULL;
    return block;
}

bool
mlc_dominance_block(MlcDominance *dom, MlcBlock *a, MlcBlock *b)
{
    b = block_in_region(a->region, b);
    return b && (a == b || dominates_in_region(dom, a, b));
}

static bool
op_dominates(MlcDominance *dom, MlcOp *a, MlcOp *b, bool enclosing_ok)
{
    if (a == b)
        return !has_order(mlc_op_region_of(a));
    if (!a->block || !b->block)
        return false;
    if (a->block->region != b->block->region) {
        while (b && b->block && b->block->region != a->block->region)
            b = mlc_op_parent(b);
        if (!b || !b->block)
            return false;
        if (a == b)
            return enclosing_ok;
    }
    if (a->block == b->block)
        return !has_order(a->block->region) || mlc_op_is_before(a, b);
    return dominates_in_region(dom, a->block, b->block);
}

bool
mlc_dominance_op(MlcDominance *dom, MlcOp *a, MlcOp *b)
{
    return op_dominates(dom, a, b, true);
}

bool
mlc_dominance_value(MlcDominance *dom, MlcValue *value, MlcOp *user)
{
    MlcOp *def = mlc_value_def(value);
    if (def)
        return op_dominates(dom, def, user, false);
    return user->block && mlc_dominance_block(dom, mlc_value_block(value), user->block);
}

MlcBlock *
mlc_dominance_idom(MlcDominance *dom, MlcBlock *block)
{
    const Tree *tree = tree_of(dom, block->region);
    uint32_t i = number_of(tree, block);
    return i == NONE || i == 0 ? NULL : tree->blocks[tree->idoms[i]];
}

bool
mlc_dominance_is_reachable(MlcDominance *dom, MlcBlock *block)
{
    if (!block->region || block->region->first == block)
        return true;
    return number_of(tree_of(dom, block->region), block) != NONE;
}
