// mem2reg.c -- values instead of memory: slots whose every use can go are taken out, their loads
// become the value stored last.
//
// Where stores meet a block gets an argument (the iterated dominance frontier of the storing
// blocks, as far as the slot is read after it; Cytron et al., TOPLAS 1991). What an op does to the
// slot is asked of its slot interfaces (mlc/ir/memory_slot.h). Only uses in the slot's own region
// may touch the memory; a slot in a graph region stays.
#include "mlc/pass.h"

#include "mlc/analysis.h"
#include "mlc/support/map.h"

typedef struct Blocking { // uses of an op that must go
    MlcOp *op;
    MlcUseVec uses;
} Blocking;

typedef struct Promotion {
    MlcPass *pass;
    MlcDominance *dominance;
    MlcOp *allocation;
    const MlcSlotAllocation *methods;
    MlcSlot slot;
    MlcMap indices; // op -> number in `blocking`
    MLC_VEC(Blocking) blocking;
    MlcMap merges;   // blocks that get an argument, in the order found
    MlcMap reaching; // op -> the slot's value before it
    MlcMap stored;   // op -> the value it stores
    MlcMap leaving;  // block -> the slot's value at its end
    MlcValue *initial;
    MlcBuilder builder;
    int64_t num_args;
} Promotion;

static const MlcSlotUse *
use_methods(const MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_SLOT_USE);
}

static bool
touches_memory(const MlcOp *op)
{
    const MlcSlotUse *methods = use_methods(op);
    return methods && methods->loads;
}

static bool
stores(const Promotion *p, MlcOp *op)
{
    return touches_memory(op) && use_methods(op)->stores(op, &p->slot);
}

static bool
loads(const Promotion *p, MlcOp *op)
{
    return touches_memory(op) && use_methods(op)->loads(op, &p->slot);
}

// --- which uses must go

static void
block_use(Promotion *p, MlcUse *use)
{
    MlcOp *op = mlc_use_owner(use);
    bool is_new;
    MlcMapEntry *entry = mlc_map_insert(&p->indices, (uint64_t)(uintptr_t)op, &is_new);
    if (is_new) {
        entry->value = p->blocking.size;
        mlc_vec_push(&p->blocking, (Blocking){.op = op});
    }
    mlc_vec_push(&p->blocking.data[entry->value].uses, use);
}

static bool
can_remove_uses_of(Promotion *p, MlcOp *op)
{
    const MlcMapEntry *entry = mlc_map_find(&p->indices, (uint64_t)(uintptr_t)op);
    if (!entry)
        return true;
    const MlcSlotUse *methods = use_methods(op);
    if (!methods || !methods->can_remove)
        return false;
    if (methods->loads && mlc_op_region_of(op) != mlc_op_region_of(p->allocation))
        return false;
    MlcUseVec more = {0};
    bool ok = methods->can_remove(op, methods->loads ? &p->slot : NULL,
                                  &p->blocking.data[entry->value].uses, &more);
    for (size_t i = 0; ok && i < more.size; i++)
        block_use(p, more.data[i]);
    mlc_vec_release(&more);
    return ok;
}

static bool
can_remove_uses(Promotion *p)
{
    MlcOp *parent = mlc_op_parent(p->allocation);
    if (parent && mlc_op_has_trait(parent, MLC_TRAIT_GRAPH_REGION))
        return false;
    MLC_FOR_EACH_USE (use, p->slot.ptr)
        block_use(p, use);
    MlcOpVec slice = {0};
    mlc_forward_slice(p->slot.ptr, &slice);
    bool ok = true;
    for (size_t i = 0; ok && i < slice.size; i++)
        ok = can_remove_uses_of(p, slice.data[i]);
    mlc_vec_release(&slice);
    return ok;
}

// --- where values meet

typedef MLC_VEC(MlcBlock *) Blocks;

static void
push_predecessor(MlcOp *terminator, size_t i, void *user)
{
    (void)i;
    Blocks *blocks = user;
    if (mlc_op_block(terminator))
        mlc_vec_push(blocks, mlc_op_block(terminator));
}

static bool
reads_before_writing(const Promotion *p, MlcBlock *block)
{
    MLC_FOR_EACH_OP (op, block) {
        if (loads(p, op))
            return true;
        if (stores(p, op))
            return false;
    }
    return false;
}

// Blocks at whose start the slot's value is still wanted.
static void
find_live_in(const Promotion *p, const MlcMap *storing, MlcMap *live)
{
    Blocks work = {0};
    MLC_FOR_EACH_USE (use, p->slot.ptr) {
        MlcBlock *block = mlc_op_block(mlc_use_owner(use));
        if (reads_before_writing(p, block))
            mlc_vec_push(&work, block);
    }
    while (work.size) {
        MlcBlock *block = mlc_vec_pop(&work);
        if (!mlc_map_add(live, block))
            continue;
        size_t before = work.size;
        mlc_block_visit_predecessors(block, push_predecessor, &work);
        size_t kept = before;
        for (size_t i = before; i < work.size; i++)
            if (!mlc_map_has(storing, work.data[i]))
                work.data[kept++] = work.data[i];
        work.size = kept;
    }
    mlc_vec_release(&work);
}

// Blocks of which `block` dominates a predecessor, but that it does not strictly dominate. Found
// from the other side: from each predecessor of a join up to the join's dominator.
static void
visit_frontiers(const Promotion *p, MlcRegion *region, MlcMap *frontiers, Blocks *joins)
{
    Blocks predecessors = {0};
    MLC_FOR_EACH_BLOCK (join, region) {
        mlc_vec_clear(&predecessors);
        mlc_block_visit_predecessors(join, push_predecessor, &predecessors);
        if (predecessors.size < 2 && join != mlc_region_first(region))
            continue;
        MlcBlock *stop = mlc_dominance_idom(p->dominance, join);
        for (size_t i = 0; i < predecessors.size; i++)
            for (MlcBlock *at = predecessors.data[i];
                 at && at != stop && mlc_dominance_is_reachable(p->dominance, at);
                 at = mlc_dominance_idom(p->dominance, at)) {
                // A list of joins per block, linked by position in `joins`: join, then the rest.
                MlcMapEntry *entry = mlc_map_insert(frontiers, (uint64_t)(uintptr_t)at, NULL);
                mlc_vec_push(joins, join);
                mlc_vec_push(joins, (MlcBlock *)(uintptr_t)entry->value);
                entry->value = joins->size;
            }
    }
    mlc_vec_release(&predecessors);
}

static void
find_merges(Promotion *p)
{
    MlcRegion *region = mlc_op_region_of(p->allocation);
    if (mlc_region_has_one_block(region))
        return;
    MlcMap storing = {0}, live = {0}, frontiers = {0};
    Blocks work = {0}, joins = {0};
    MLC_FOR_EACH_USE (use, p->slot.ptr)
        if (stores(p, mlc_use_owner(use)) &&
            mlc_map_add(&storing, mlc_op_block(mlc_use_owner(use))))
            mlc_vec_push(&work, mlc_op_block(mlc_use_owner(use)));
    find_live_in(p, &storing, &live);
    visit_frontiers(p, region, &frontiers, &joins);
    while (work.size) {
        uint64_t at = 0;
        mlc_map_get_u64(&frontiers, (uint64_t)(uintptr_t)mlc_vec_pop(&work), &at);
        for (; at; at = (uint64_t)(uintptr_t)joins.data[at - 1]) {
            MlcBlock *join = joins.data[at - 2];
            if (mlc_map_has(&live, join) && mlc_map_add(&p->merges, join))
                mlc_vec_push(&work, join);
        }
    }
    mlc_vec_release(&work);
    mlc_vec_release(&joins);
    mlc_map_release(&storing);
    mlc_map_release(&live);
    mlc_map_release(&frontiers);
}

static void
check_predecessor(MlcOp *terminator, size_t i, void *user)
{
    (void)i;
    if (!mlc_op_interface(terminator, MLC_INTERFACE_BRANCH))
        *(bool *)user = false;
}

static bool
merges_can_be_fed(const Promotion *p)
{
    bool ok = true;
    MLC_MAP_FOR_EACH (entry, &p->merges)
        mlc_block_visit_predecessors(mlc_map_entry_key(entry), check_predecessor, &ok);
    return ok;
}

// --- the value that reaches each op

static MlcValue *
initial_value(Promotion *p)
{
    if (!p->initial) {
        mlc_builder_at_start(&p->builder, mlc_op_block(p->allocation));
        p->builder.loc = mlc_op_loc(p->allocation);
        p->initial = p->methods->initial(p->allocation, &p->builder);
    }
    return p->initial;
}

static MlcValue *
value_at_end(Promotion *p, MlcBlock *block, MlcValue *value)
{
    MLC_FOR_EACH_OP_SAFE (op, block) {
        if (!touches_memory(op))
            continue;
        if (mlc_map_has(&p->indices, op))
            mlc_map_set(&p->reaching, op, value);
        if (!stores(p, op))
            continue;
        mlc_builder_after(&p->builder, op);
        value = use_methods(op)->stored(op, &p->slot, &p->builder, value);
        mlc_map_set(&p->stored, op, value);
    }
    return value;
}

static MlcValue *
value_at_start(Promotion *p, MlcBlock *block)
{
    if (!mlc_map_has(&p->merges, block)) {
        MlcBlock *idom = mlc_dominance_idom(p->dominance, block);
        return idom ? mlc_map_get(&p->leaving, idom) : initial_value(p);
    }
    MlcValue *arg = mlc_block_add_arg(block, p->slot.type, mlc_op_loc(p->allocation));
    mlc_builder_at_start(&p->builder, block);
    if (p->methods->block_arg)
        p->methods->block_arg(p->allocation, arg, &p->builder);
    p->num_args++;
    return arg;
}

static void
pass_on(Promotion *p, MlcBlock *block, MlcValue *value)
{
    MlcOp *terminator = mlc_block_terminator(block);
    for (size_t i = 0; terminator && i < mlc_op_num_successors(terminator); i++)
        if (mlc_map_has(&p->merges, mlc_op_successor(terminator, i)))
            mlc_branch_append(terminator, i, value);
}

// In an order in which dominators come first. Blocks that are never reached pass on the initial
// value.
static void
find_values(Promotion *p)
{
    MlcRegion *region = mlc_op_region_of(p->allocation);
    MlcOpVec firsts = {0}; // one op for each block, to sort
    initial_value(p);
    MLC_FOR_EACH_BLOCK (block, region)
        if (mlc_block_last(block))
            mlc_vec_push(&firsts, mlc_block_last(block));
    mlc_sort_by_dominance(region, &firsts);
    bool only = mlc_region_has_one_block(region);
    for (size_t i = 0; i < firsts.size; i++) {
        MlcBlock *block = mlc_op_block(firsts.data[i]);
        bool reached = only || mlc_dominance_is_reachable(p->dominance, block);
        MlcValue *value = reached && !only ? value_at_start(p, block) : initial_value(p);
        if (reached)
            value = value_at_end(p, block, value);
        else if (mlc_map_has(&p->merges, block))
            mlc_block_add_arg(block, p->slot.type, mlc_op_loc(p->allocation));
        mlc_map_set(&p->leaving, block, value);
        pass_on(p, block, value);
    }
    mlc_vec_release(&firsts);
}

// --- removing

static bool
remove_uses_of(Promotion *p, MlcOp *op, const MlcUseVec *uses)
{
    (void)uses;
    const MlcSlotUse *methods = use_methods(op);
    MlcValue *value = methods->loads ? mlc_map_get(&p->reaching, op) : NULL;
    if (methods->loads && !value)
        value = initial_value(p);
    mlc_builder_after(&p->builder, op);
    return methods->remove(op, methods->loads ? &p->slot : NULL, &p->builder, value);
}

static void
remove_uses(Promotion *p)
{
    MlcOpVec ops = {0}, erased = {0}, storing = {0}, told = {0};
    MlcValueVec values = {0};
    for (size_t i = 0; i < p->blocking.size; i++)
        mlc_vec_push(&ops, p->blocking.data[i].op);
    mlc_sort_by_dominance(mlc_op_region_of(p->allocation), &ops);
    for (size_t i = ops.size; i-- > 0;) { // users before what they use
        MlcOp *op = ops.data[i];
        uint64_t at = mlc_map_find(&p->indices, (uint64_t)(uintptr_t)op)->value;
        if (remove_uses_of(p, op, &p->blocking.data[at].uses))
            mlc_vec_push(&erased, op);
        if (use_methods(op)->stores_gone)
            mlc_vec_push(&told, op);
        MlcValue *stored = mlc_map_get(&p->stored, op);
        if (stored) {
            mlc_vec_push(&storing, op);
            mlc_vec_push(&values, stored);
        }
    }
    for (size_t i = 0; i < told.size; i++) {
        mlc_builder_after(&p->builder, told.data[i]);
        use_methods(told.data[i])
            ->stores_gone(told.data[i], storing.data, values.data, values.size, &p->builder);
    }
    for (size_t i = 0; i < erased.size; i++)
        mlc_op_erase(erased.data[i]);
    mlc_vec_release(&ops);
    mlc_vec_release(&erased);
    mlc_vec_release(&storing);
    mlc_vec_release(&told);
    mlc_vec_release(&values);
}

static void
promote(Promotion *p)
{
    find_values(p);
    remove_uses(p);
    MlcOp *made = p->initial ? mlc_value_def(p->initial) : NULL;
    if (made && !mlc_op_has_uses(made))
        mlc_op_erase(made);
    mlc_op_erase(p->allocation);
    mlc_pass_count(p->pass, "new block args", p->num_args);
    mlc_pass_count(p->pass, "promoted slots", 1);
}

static void
release(Promotion *p)
{
    for (size_t i = 0; i < p->blocking.size; i++)
        mlc_vec_release(&p->blocking.data[i].uses);
    mlc_vec_release(&p->blocking);
    mlc_map_release(&p->indices);
    mlc_map_release(&p->merges);
    mlc_map_release(&p->reaching);
    mlc_map_release(&p->stored);
    mlc_map_release(&p->leaving);
}

static bool
try_promote(MlcPass *pass, MlcOp *root, MlcOp *allocation)
{
    Promotion p = {.pass = pass,
                   .dominance = mlc_pass_dominance(pass, root),
                   .allocation = allocation,
                   .methods = mlc_op_interface(allocation, MLC_INTERFACE_SLOT_ALLOCATION)};
    mlc_builder_init(&p.builder, mlc_op_context(root));
    bool ok = p.methods->slot(allocation, &p.slot) && mlc_value_has_uses(p.slot.ptr) &&
              can_remove_uses(&p);
    if (ok) {
        find_merges(&p);
        ok = merges_can_be_fed(&p);
    }
    if (ok)
        promote(&p);
    release(&p);
    return ok;
}

// Again until nothing goes: a slot that held a pointer to another frees that one.
static bool
run(MlcPass *pass, MlcOp *root)
{
    for (size_t i = 0; i < mlc_op_num_regions(root); i++) {
        MlcOpVec slots = {0};
        mlc_slot_allocations(mlc_op_region(root, i), &slots);
        for (bool changed = true; changed;) {
            size_t kept = 0;
            changed = false;
            for (size_t k = 0; k < slots.size; k++)
                if (try_promote(pass, root, slots.data[k]))
                    changed = true;
                else
                    slots.data[kept++] = slots.data[k];
            slots.size = kept;
        }
        mlc_vec_release(&slots);
    }
    return true;
}

// No block comes or goes.
static const MlcAnalysisDef *const preserved[] = {&mlc_analysis_dominance, NULL};

MLC_PASS(mem2reg, .flag = "mem2reg", .summary = "Promotes memory slots into values.", .run = run,
         .preserves = preserved)
