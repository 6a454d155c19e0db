// merge_blocks.c -- blocks that do the same and go on to the same places become one; an argument
// for which every branch passes the same value becomes that value.
//
// As MLIR 19's aggressive region simplification does it: blocks join the first block they equal,
// their leader. Operands from outside may differ; they become arguments of the leader, equal ones
// once. A block whose values are used elsewhere, or with regions, stays.
#include "mlc/support/alloc.h"
#include "rewrite_impl.h"

typedef struct Place { // operand of the leader: op number in its block, operand number
    uint32_t op, operand;
} Place;

typedef MLC_VEC(MlcBlock *) BlockVec;

typedef struct Cluster {
    MlcBlock *leader;
    uint64_t hash;
    BlockVec others;
    MLC_VEC(Place) places; // where the members differ, in order
} Cluster;

typedef MLC_VEC(Cluster) ClusterVec;

static uint64_t
hash_block(const MlcBlock *block)
{
    uint64_t hash = block->num_args;
    for (const MlcOp *op = block->first; op; op = op->next) {
        hash = mlc_hash_combine(hash, mlc_hash_ptr(op->def));
        hash = mlc_hash_combine(hash, mlc_word(op->dict));
        for (uint16_t i = 0; i < op->num_slots; i++)
            hash = mlc_hash_combine(hash, mlc_word(mlc_op_slots_(op)[i]));
    }
    return hash;
}

static MlcBlock *
block_of(const MlcValue *value)
{
    return mlc_value_parent_block(value);
}

static bool
is_used_elsewhere(const MlcValue *value, const MlcBlock *block)
{
    for (const MlcUse *use = value->first_use; use; use = use->next)
        if (use->owner->block != block)
            return true;
    return false;
}

static bool
has_results_used_elsewhere(const MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_results; i++)
        if (is_used_elsewhere(mlc_op_result(op, i), op->block))
            return true;
    return false;
}

// Blocks with regions, or whose arguments are used in other blocks, are not looked at.
static bool
is_candidate(const MlcBlock *block)
{
    for (const MlcOp *op = block->first; op; op = op->next)
        for (uint32_t i = 0; i < op->num_regions; i++)
            if (mlc_op_regions_(op)[i].first)
                return false;
    for (uint32_t i = 0; i < block->num_args; i++)
        if (is_used_elsewhere(&block->args[i]->value, block))
            return false;
    return true;
}

static bool
same_op(const MlcOp *a, const MlcOp *b)
{
    if (a->def != b->def || a->dict != b->dict || a->num_operands != b->num_operands ||
        a->num_results != b->num_results || a->num_successors != b->num_successors ||
        a->num_slots != b->num_slots)
        return false;
    for (uint16_t i = 0; i < a->num_slots; i++)
        if (mlc_op_slots_(a)[i] != mlc_op_slots_(b)[i])
            return false;
    for (uint32_t i = 0; i < a->num_results; i++)
        if (mlc_value_type(mlc_op_result(a, i)) != mlc_value_type(mlc_op_result(b, i)))
            return false;
    for (uint32_t i = 0; i < a->num_successors; i++)
        if (mlc_op_successor(a, i) != mlc_op_successor(b, i))
            return false;
    return true;
}

// A predecessor's terminator cannot pass on what it only makes.
static bool
can_be_passed_to(const MlcBlock *block, const MlcValue *value)
{
    const MlcOp *def = mlc_value_def(value);
    if (!def || def != def->block->last)
        return true;
    for (const MlcBlockUse *use = block->first_use; use; use = use->next)
        if (use->owner == def)
            return false;
    return true;
}

static uint32_t
number_in_block(const MlcValue *value)
{
    uint32_t number = 0;
    const MlcOp *def = mlc_value_def(value);
    for (const MlcOp *op = def ? def->prev : NULL; op; op = op->prev)
        number++;
    return def ? number + 1 : 0;
}

typedef enum Match { MATCH_NOT, MATCH_SAME, MATCH_PASSED } Match;

static Match
match_operands(const MlcValue *x, const MlcBlock *a, const MlcValue *y, const MlcBlock *b)
{
    if (x == y)
        return MATCH_SAME;
    bool is_inside = block_of(x) == a;
    if (x->type != y->type || is_inside != (block_of(y) == b))
        return MATCH_NOT;
    if (is_inside)
        return x->index == y->index && x->is_arg == y->is_arg &&
                       number_in_block(x) == number_in_block(y)
                   ? MATCH_SAME
                   : MATCH_NOT;
    return can_be_passed_to(a, x) && can_be_passed_to(b, y) ? MATCH_PASSED : MATCH_NOT;
}

static void
add_place(Cluster *cluster, Place place)
{
    size_t at = cluster->places.size;
    for (; at > 0; at--) {
        Place before = cluster->places.data[at - 1];
        if (before.op == place.op && before.operand == place.operand)
            return;
        if (before.op < place.op || (before.op == place.op && before.operand < place.operand))
            break;
    }
    mlc_vec_push(&cluster->places, place);
    for (size_t i = cluster->places.size - 1; i > at; i--)
        cluster->places.data[i] = cluster->places.data[i - 1];
    cluster->places.data[at] = place;
}

static bool
same_args(const MlcBlock *a, const MlcBlock *b)
{
    for (uint32_t i = 0; i < a->num_args && a->num_args == b->num_args; i++)
        if (a->args[i]->value.type != b->args[i]->value.type)
            return false;
    return a->num_args == b->num_args;
}

// True if `block` equals the leader but for operands from outside, whose places are added.
static bool
join(Cluster *cluster, MlcBlock *block, uint64_t hash)
{
    MlcBlock *leader = cluster->leader;
    if (hash != cluster->hash || !same_args(leader, block))
        return false;
    MLC_VEC(Place) places = {0};
    MlcOp *a = leader->first, *b = block->first;
    bool ok = true;
    for (uint32_t n = 0; ok && a && b; a = a->next, b = b->next, n++) {
        ok = same_op(a, b) && !has_results_used_elsewhere(a) && !has_results_used_elsewhere(b);
        for (uint32_t i = 0; ok && i < a->num_operands; i++) {
            Match match = match_operands(a->operands[i].value, leader, b->operands[i].value, block);
            ok = match != MATCH_NOT;
            if (match == MATCH_PASSED)
                mlc_vec_push(&places, ((Place){n, i}));
        }
    }
    ok = ok && !a && !b;
    for (size_t i = 0; ok && i < places.size; i++)
        add_place(cluster, places.data[i]);
    if (ok)
        mlc_vec_push(&cluster->others, block);
    mlc_vec_release(&places);
    return ok;
}

static bool
predecessors_can_pass_more(const MlcBlock *block)
{
    for (const MlcBlockUse *use = block->first_use; use; use = use->next)
        if (!mlc_branch_can_grow(use))
            return false;
    return true;
}

static MlcUse *
operand_at(const MlcBlock *block, Place place)
{
    MlcOp *op = block->first;
    for (uint32_t i = 0; i < place.op; i++)
        op = op->next;
    return &op->operands[place.operand];
}

static MlcBlock *
member(const Cluster *cluster, size_t i)
{
    return i ? cluster->others.data[i - 1] : cluster->leader;
}

// The first place at which every member has the operand it has at place `at`.
static size_t
first_equal_place(const Cluster *cluster, MlcValue *const *values, size_t at)
{
    size_t n = cluster->places.size, k = 0;
    while (values[k] != values[at])
        k++;
    for (size_t i = 1; i <= cluster->others.size; i++)
        if (values[i * n + k] != values[i * n + at])
            return at;
    return k;
}

// Where members differ the leader gets arguments, and each branch to a member passes its values.
static void
pass_differences(Cluster *cluster)
{
    size_t n = cluster->places.size, num_members = cluster->others.size + 1;
    MlcValue **values = mlc_malloc(num_members * n * sizeof(MlcValue *));
    for (size_t i = 0; i < num_members; i++)
        for (size_t k = 0; k < n; k++)
            values[i * n + k] = operand_at(member(cluster, i), cluster->places.data[k])->value;
    MLC_VEC(size_t) kept = {0};
    MlcValue **arguments = mlc_malloc(n * sizeof(MlcValue *));
    for (size_t k = 0; k < n; k++) {
        size_t same = first_equal_place(cluster, values, k);
        arguments[k] = same < k ? arguments[same]
                                : mlc_block_add_arg(cluster->leader, mlc_value_type(values[k]),
                                                    mlc_value_loc(values[k]));
        if (same == k)
            mlc_vec_push(&kept, k);
        mlc_use_set(operand_at(cluster->leader, cluster->places.data[k]), arguments[k]);
    }
    for (size_t i = 0; i < num_members; i++) {
        MlcValueVec passed = {0};
        for (size_t k = 0; k < kept.size; k++)
            mlc_vec_push(&passed, values[i * n + kept.data[k]]);
        mlc_branches_append(member(cluster, i), passed.data, passed.size);
        mlc_vec_release(&passed);
    }
    mlc_vec_release(&kept);
    mlc_free(arguments);
    mlc_free(values);
}

static bool
merge(Cluster *cluster)
{
    if (cluster->others.size == 0)
        return false;
    for (size_t i = 0; cluster->places.size && i <= cluster->others.size; i++)
        if (!predecessors_can_pass_more(member(cluster, i)))
            return false;
    if (cluster->places.size)
        pass_differences(cluster);
    for (size_t i = 0; i < cluster->others.size; i++) {
        mlc_block_replace_uses(cluster->others.data[i], cluster->leader);
        mlc_block_destroy(cluster->others.data[i]);
    }
    return true;
}

static bool
merge_equal(MlcRegion *region)
{
    ClusterVec clusters = {0};
    for (MlcBlock *block = region->first->next; block; block = block->next) {
        if (!is_candidate(block))
            continue;
        uint64_t hash = hash_block(block);
        bool joined = false;
        for (size_t i = 0; i < clusters.size && !joined; i++)
            joined = join(&clusters.data[i], block, hash);
        if (!joined)
            mlc_vec_push(&clusters, ((Cluster){.leader = block, .hash = hash}));
    }
    bool changed = false;
    for (size_t i = 0; i < clusters.size; i++) {
        changed |= merge(&clusters.data[i]);
        mlc_vec_release(&clusters.data[i].others);
        mlc_vec_release(&clusters.data[i].places);
    }
    mlc_vec_release(&clusters);
    return changed;
}

// The one value that all branches pass for argument `i`; NULL if there is none.
static MlcValue *
common_value(const MlcBlock *block, uint32_t i)
{
    MlcValue *common = NULL;
    for (const MlcBlockUse *use = block->first_use; use; use = use->next) {
        MlcUse *operand = mlc_branch_operand_for(use, i);
        if (!operand || (common && operand->value != common))
            return NULL;
        common = operand->value;
    }
    return common == &block->args[i]->value ? NULL : common;
}

static bool
drop_args_with_one_value(MlcBlock *block)
{
    bool changed = false;
    for (uint32_t i = block->num_args; i-- > 0;) {
        MlcValue *common = common_value(block, i);
        if (!common)
            continue;
        mlc_value_replace_uses(&block->args[i]->value, common);
        mlc_branches_drop(block, i);
        mlc_block_erase_arg(block, i);
        changed = true;
    }
    return changed;
}

bool
mlc_merge_equal_blocks(MlcRegion *region)
{
    bool changed = merge_equal(region);
    for (MlcBlock *block = region->first->next; block; block = block->next)
        changed |= drop_args_with_one_value(block);
    return changed;
}
