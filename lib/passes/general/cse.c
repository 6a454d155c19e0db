// cse.c -- common subexpression elimination over the dominance tree.
//
// Ops with no memory effect are looked up in tables nested like the dominator tree: what is found
// there dominates. An op that only reads may be shared with an earlier one in the same block if
// nothing between them may write. Dead ops are removed on the way. Ops with regions are shared
// where the regions, of one block each, are equal op by op.
#include "mlc/analysis/alias.h"
#include "mlc/pass.h"

#include "mlc/support/hash.h"
#include "mlc/support/map.h"

enum { MAX_WRITERS = 16 }; // between two reads, looked at before it is given up

typedef struct Entry {
    struct Entry *next_in_bucket;
    struct Entry *next_in_scope; // those added by one block, so that leaving it is cheap
    uint64_t hash;
    MlcOp *op;
} Entry;

typedef struct Cse { // of one isolated op
    MlcOp *root;
    MlcDominance *dominance; // NULL: not asked for yet
    MlcArena arena;
    Entry **buckets;
    size_t num_buckets; // a power of two
    MlcOpVec dead;
    MlcMap same; // while regions are compared: a value of one -> its value in the other
    int64_t num_shared, num_dead;
} Cse;

static bool
is_other_layer(const Cse *cse, MlcOp *op)
{
    return op != cse->root && mlc_op_has_trait(op, MLC_TRAIT_ISOLATED);
}

static MlcWalk
count_op(MlcOp *op, void *user)
{
    Cse *cse = user;
    cse->num_buckets++;
    return is_other_layer(cse, op) ? MLC_WALK_SKIP : MLC_WALK_CONTINUE;
}

static void
make_table(Cse *cse)
{
    mlc_op_walk_preorder(cse->root, count_op, cse);
    size_t count = cse->num_buckets;
    for (cse->num_buckets = 16; cse->num_buckets < count;)
        cse->num_buckets *= 2;
    cse->buckets = MLC_NEW_ARRAY(&cse->arena, Entry *, cse->num_buckets);
}

static uint64_t
mix(uint64_t hash, uint64_t word)
{
    return mlc_hash_combine(hash, word);
}

static uint64_t
hash_op(MlcOp *op)
{
    uint64_t hash = (uint64_t)(uintptr_t)mlc_op_def(op);
    hash = mix(hash, (uint64_t)(uintptr_t)mlc_op_discardable(op));
    size_t num_slots = mlc_op_def(op)->num_attrs;
    for (size_t i = 0; i < num_slots; i++)
        hash = mix(hash, (uint64_t)(uintptr_t)mlc_op_slot(op, i));
    uint64_t operands = 0;
    bool commutes = mlc_op_has_trait(op, MLC_TRAIT_COMMUTATIVE);
    MLC_FOR_EACH_OPERAND (value, op) {
        uint64_t word = mix(1, (uint64_t)(uintptr_t)value);
        operands = commutes ? operands + word : mix(operands, word);
    }
    hash = mix(hash, operands);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        hash = mix(hash, (uint64_t)(uintptr_t)mlc_value_type(mlc_op_result(op, i)));
    return hash;
}

static bool
same_operands(MlcOp *a, MlcOp *b)
{
    size_t n = mlc_op_num_operands(a);
    if (n != mlc_op_num_operands(b))
        return false;
    bool in_order = true;
    for (size_t i = 0; i < n && in_order; i++)
        in_order = mlc_op_operand(a, i) == mlc_op_operand(b, i);
    if (in_order)
        return true;
    return n == 2 && mlc_op_has_trait(a, MLC_TRAIT_COMMUTATIVE) &&
           mlc_op_operand(a, 0) == mlc_op_operand(b, 1) &&
           mlc_op_operand(a, 1) == mlc_op_operand(b, 0);
}

static bool
same_attributes(MlcOp *a, MlcOp *b)
{
    if (mlc_op_discardable(a) != mlc_op_discardable(b))
        return false;
    size_t num_slots = mlc_op_def(a)->num_attrs;
    for (size_t i = 0; i < num_slots; i++)
        if (mlc_op_slot(a, i) != mlc_op_slot(b, i))
            return false;
    return mlc_op_is_registered(a) || mlc_op_properties(a) == mlc_op_properties(b);
}

// --- ops with regions

// The arguments become the same; empty regions have none.
static bool
match_entry(Cse *cse, const MlcRegion *a, const MlcRegion *b)
{
    if (mlc_region_is_empty(a) || mlc_region_is_empty(b))
        return mlc_region_is_empty(a) == mlc_region_is_empty(b);
    if (!mlc_region_has_one_block(a) || !mlc_region_has_one_block(b))
        return false;
    MlcBlock *x = mlc_region_first(a), *y = mlc_region_first(b);
    size_t n = mlc_block_num_args(x);
    if (n != mlc_block_num_args(y))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (mlc_value_type(mlc_block_arg(x, i)) != mlc_value_type(mlc_block_arg(y, i)))
            return false;
        mlc_map_set(&cse->same, mlc_block_arg(x, i), mlc_block_arg(y, i));
    }
    return mlc_block_is_empty(x) == mlc_block_is_empty(y);
}

static bool
match_operands(Cse *cse, MlcOp *a, MlcOp *b)
{
    size_t n = mlc_op_num_operands(a);
    if (n != mlc_op_num_operands(b))
        return false;
    for (size_t i = 0; i < n; i++) {
        MlcValue *x = mlc_op_operand(a, i), *inner = mlc_map_get(&cse->same, x);
        if ((inner ? inner : x) != mlc_op_operand(b, i))
            return false;
    }
    return true;
}

// Of two ops that are equal by themselves: whether all inside is equal op by op, in the same order,
// with operands in theirs. Blocks of a region that has several are not compared.
static bool
same_regions(Cse *cse, MlcOp *a, MlcOp *b)
{
    mlc_map_clear(&cse->same);
    for (MlcOp *x = a, *y = b; x && y;
         x = mlc_op_preorder_next(x, a), y = mlc_op_preorder_next(y, b)) {
        if (x != a && (mlc_op_def(x) != mlc_op_def(y) || !match_operands(cse, x, y) ||
                       !same_attributes(x, y) || !mlc_op_same_result_types(x, y) ||
                       !mlc_op_next(x) != !mlc_op_next(y)))
            return false;
        size_t n = mlc_op_num_regions(x);
        if (n != mlc_op_num_regions(y) || mlc_op_num_successors(x) || mlc_op_num_successors(y))
            return false;
        for (size_t i = 0; i < n; i++)
            if (!match_entry(cse, mlc_op_region(x, i), mlc_op_region(y, i)))
                return false;
        for (size_t i = 0; x != a && i < mlc_op_num_results(x); i++)
            mlc_map_set(&cse->same, mlc_op_result(x, i), mlc_op_result(y, i));
    }
    return true;
}

static bool
same_op(Cse *cse, MlcOp *a, MlcOp *b)
{
    return mlc_op_def(a) == mlc_op_def(b) && same_operands(a, b) && same_attributes(a, b) &&
           mlc_op_same_result_types(a, b) &&
           (mlc_op_num_regions(a) == 0 || same_regions(cse, a, b));
}

static bool
only_reads(MlcOp *op)
{
    MlcEffectVec effects = {0};
    bool known = mlc_op_effects(op, &effects);
    for (size_t i = 0; i < effects.size; i++)
        known = known && effects.data[i].effect == MLC_EFFECT_READ;
    mlc_vec_release(&effects);
    return known;
}

static bool
may_write(MlcOp *op)
{
    MlcEffectVec effects = {0};
    bool writes = !mlc_op_effects(op, &effects);
    for (size_t i = 0; i < effects.size; i++)
        writes = writes || (effects.data[i].effect & (MLC_EFFECT_WRITE | MLC_EFFECT_FREE));
    mlc_vec_release(&effects);
    return writes;
}

// Of an op that writes: may that be what `reader` reads?
static bool
may_write_to(MlcOp *op, const MlcEffectVec *reads)
{
    for (size_t i = 0; i < reads->size; i++)
        if (!reads->data[i].value || (mlc_mod_ref(op, reads->data[i].value) & MLC_MOD_REF_MOD))
            return true;
    return reads->size == 0;
}

static bool
nothing_writes_between(MlcOp *first, MlcOp *last)
{
    if (mlc_op_block(first) != mlc_op_block(last))
        return false;
    MlcEffectVec reads = {0};
    mlc_op_effects(last, &reads);
    bool writes = false;
    size_t num_writers = 0;
    for (MlcOp *op = mlc_op_next(first); op != last && !writes; op = mlc_op_next(op))
        if (may_write(op))
            writes = ++num_writers > MAX_WRITERS || may_write_to(op, &reads);
    mlc_vec_release(&reads);
    return !writes;
}

static MlcOp *
find_equal(Cse *cse, MlcOp *op, uint64_t hash, bool reads)
{
    for (Entry *e = cse->buckets[hash & (cse->num_buckets - 1)]; e; e = e->next_in_bucket)
        if (e->hash == hash && same_op(cse, e->op, op) &&
            (!reads || nothing_writes_between(e->op, op)))
            return e->op;
    return NULL;
}

static void
add(Cse *cse, MlcOp *op, uint64_t hash, Entry **scope)
{
    Entry **bucket = &cse->buckets[hash & (cse->num_buckets - 1)];
    Entry *entry = MLC_NEW(&cse->arena, Entry);
    *entry = (Entry){*bucket, *scope, hash, op};
    *bucket = *scope = entry;
}

static void
leave_scope(Cse *cse, Entry *scope)
{
    for (; scope; scope = scope->next_in_scope)
        cse->buckets[scope->hash & (cse->num_buckets - 1)] = scope->next_in_bucket;
}

static void visit_region(Cse *cse, MlcRegion *region);

static void
visit_op(Cse *cse, MlcOp *op, Entry **scope)
{
    if (mlc_op_is_trivially_dead(op)) {
        mlc_vec_push(&cse->dead, op);
        cse->num_dead++;
        return;
    }
    size_t num_dead = cse->dead.size;
    for (size_t i = 0; i < mlc_op_num_regions(op) && !is_other_layer(cse, op); i++)
        visit_region(cse, mlc_op_region(op, i));
    if (mlc_op_num_results(op) == 0 || mlc_op_num_successors(op) > 0)
        return;
    bool pure = mlc_op_is_memory_effect_free(op);
    if (!pure && (mlc_op_num_regions(op) > 0 || !only_reads(op)))
        return;
    uint64_t hash = hash_op(op);
    MlcOp *earlier = find_equal(cse, op, hash, !pure);
    if (!earlier) {
        add(cse, op, hash, scope);
        return;
    }
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_value_replace_uses(mlc_op_result(op, i), mlc_op_result(earlier, i));
    if (mlc_loc_kind(mlc_op_loc(earlier)) == MLC_LOC_UNKNOWN)
        mlc_op_set_loc(earlier, mlc_op_loc(op));
    cse->dead.size = num_dead; // those inside go with it
    mlc_vec_push(&cse->dead, op);
    cse->num_shared++;
}

static void
visit_block(Cse *cse, MlcBlock *block, Entry **scope)
{
    MLC_FOR_EACH_OP (op, block)
        visit_op(cse, op, scope);
}

// A block's children in the dominator tree: a list through `next_sibling`.
typedef struct Node {
    MlcBlock *block;
    struct Node *first_child, *next_sibling;
} Node;

static Node *
node_of(Cse *cse, MlcMap *nodes, MlcBlock *block)
{
    Node *node = mlc_map_get(nodes, block);
    if (!node) {
        node = MLC_NEW(&cse->arena, Node);
        node->block = block;
        mlc_map_set(nodes, block, node);
    }
    return node;
}

static Node *
dominator_tree(Cse *cse, MlcRegion *region)
{
    if (!cse->dominance)
        cse->dominance = mlc_dominance_create(cse->root);
    MlcDominance *dom = cse->dominance;
    MlcMap nodes;
    mlc_map_init(&nodes);
    for (MlcBlock *block = mlc_region_last(region); block; block = mlc_block_prev(block)) {
        MlcBlock *idom = mlc_dominance_idom(dom, block);
        if (!idom || !mlc_dominance_is_reachable(dom, block))
            continue;
        Node *node = node_of(cse, &nodes, block), *parent = node_of(cse, &nodes, idom);
        node->next_sibling = parent->first_child;
        parent->first_child = node;
    }
    Node *root = node_of(cse, &nodes, mlc_region_first(region));
    mlc_map_release(&nodes);
    return root;
}

typedef struct Frame {
    Node *next; // child to visit next
    Entry *scope;
} Frame;

// Blocks of a region in pre-order of the dominator tree, a scope a block; no recursion, as a CFG
// may be a long chain.
static void
visit_region(Cse *cse, MlcRegion *region)
{
    if (mlc_region_is_empty(region))
        return;
    Node only = {.block = mlc_region_first(region)};
    Node *root = mlc_region_has_one_block(region) ? &only : dominator_tree(cse, region);
    MLC_VEC(Frame) stack = {0};
    Frame frame = {.next = root->first_child};
    visit_block(cse, root->block, &frame.scope);
    mlc_vec_push(&stack, frame);
    while (stack.size > 0) {
        Frame *top = &mlc_vec_last(&stack);
        if (!top->next) {
            leave_scope(cse, top->scope);
            (void)mlc_vec_pop(&stack);
            continue;
        }
        Node *node = top->next;
        top->next = node->next_sibling;
        frame = (Frame){.next = node->first_child};
        visit_block(cse, node->block, &frame.scope);
        mlc_vec_push(&stack, frame);
    }
    mlc_vec_release(&stack);
}

typedef struct Run {
    MlcPass *pass;
    MlcOp *root;
} Run;

// An isolated op sees nothing from above: its table starts empty.
static bool
visit_layer(MlcOp *isolated, void *user)
{
    const Run *run = user;
    bool is_root = isolated == run->root;
    Cse cse = {.root = isolated,
               .dominance = is_root ? mlc_pass_dominance(run->pass, isolated) : NULL};
    mlc_arena_init(&cse.arena);
    make_table(&cse);
    for (size_t i = 0; i < mlc_op_num_regions(isolated); i++)
        visit_region(&cse, mlc_op_region(isolated, i));
    for (size_t i = cse.dead.size; i-- > 0;)
        mlc_op_erase(cse.dead.data[i]);
    mlc_pass_count(run->pass, "num-cse'd", cse.num_shared);
    mlc_pass_count(run->pass, "num-dce'd", cse.num_dead);
    if (!is_root)
        mlc_dominance_destroy(cse.dominance);
    mlc_vec_release(&cse.dead);
    mlc_map_release(&cse.same);
    mlc_arena_release(&cse.arena);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Run run = {pass, root};
    return mlc_pass_visit_layers(pass, root, visit_layer, &run);
}

// No block comes or goes.
static const MlcAnalysisDef *const preserved[] = {&mlc_analysis_dominance, NULL};

MLC_PASS(cse, .flag = "cse", .summary = "Eliminate common subexpressions", .run = run,
         .title = "CSE", .preserves = preserved)
