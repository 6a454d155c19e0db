// sroa.c -- scalar replacement of aggregates: a slot whose users each stay within a part of it
// becomes slots for the parts that are used.
//
// A user is pointed at its part (MlcSlotUse.rewire), or does without the slot. A user may name
// places that whatever uses its result must stay inside of (an address into a part): all of these
// are followed before anything changes.
#include "mlc/pass.h"

#include "mlc/analysis.h"
#include "mlc/support/alloc.h"
#include "mlc/support/map.h"

typedef struct Split {
    MlcPass *pass;
    MlcOp *allocation;
    const MlcSlotAllocation *methods;
    MlcSlot slot;
    MlcSubslotVec parts;
    bool *used;    // one per part
    size_t *order; // the numbers of used parts, in the order in which they were found to be used
    size_t num_used;
    MlcOpVec rewired; // users to be pointed at a part
    MlcMap indices;   // op -> number in `uses`
    MLC_VEC(MlcOp *) blocked;
    MLC_VEC(MlcUseVec) uses; // of ops that must do without
} Split;

static const MlcSlotUse *
use_methods(const MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_SLOT_USE);
}

static void
block_use(Split *s, MlcUse *use)
{
    MlcOp *op = mlc_use_owner(use);
    bool is_new;
    MlcMapEntry *entry = mlc_map_insert(&s->indices, (uint64_t)(uintptr_t)op, &is_new);
    if (is_new) {
        entry->value = s->blocked.size;
        mlc_vec_push(&s->blocked, op);
        mlc_vec_resize(&s->uses, s->blocked.size);
    }
    mlc_vec_push(&s->uses.data[entry->value], use);
}

static bool
can_rewire(Split *s, MlcOp *op, MlcSlotVec *inside)
{
    const MlcSlotUse *methods = use_methods(op);
    if (!methods || !methods->can_rewire ||
        !methods->can_rewire(op, &s->slot, &s->parts, s->used, inside))
        return false;
    for (size_t i = 0; i < s->parts.size; i++) {
        bool is_new = s->used[i];
        for (size_t k = 0; k < s->num_used; k++)
            is_new &= s->order[k] != i;
        if (is_new)
            s->order[s->num_used++] = i;
    }
    return true;
}

// Uses of the slot itself, then of all addresses into it.
static void
visit_uses(Split *s)
{
    MlcSlotVec inside = {0};
    MlcMap seen = {0};
    MLC_FOR_EACH_USE (use, s->slot.ptr) {
        MlcOp *op = mlc_use_owner(use);
        if (can_rewire(s, op, &inside))
            mlc_vec_push(&s->rewired, op);
        else
            block_use(s, use);
    }
    while (inside.size) {
        MlcSlot slot = mlc_vec_pop(&inside);
        MLC_FOR_EACH_USE (use, slot.ptr) {
            const MlcSlotUse *methods = use_methods(mlc_use_owner(use));
            if (!mlc_map_add(&seen, use))
                continue;
            if (!methods || !methods->stays_inside ||
                !methods->stays_inside(mlc_use_owner(use), &slot, &inside))
                block_use(s, use);
        }
    }
    mlc_vec_release(&inside);
    mlc_map_release(&seen);
}

static bool
can_do_without(Split *s, MlcOp *op)
{
    const MlcMapEntry *entry = mlc_map_find(&s->indices, (uint64_t)(uintptr_t)op);
    if (!entry)
        return true;
    const MlcSlotUse *methods = use_methods(op);
    if (!methods || methods->loads || !methods->can_remove)
        return false;
    MlcUseVec more = {0};
    bool ok = methods->can_remove(op, NULL, &s->uses.data[entry->value], &more);
    for (size_t i = 0; ok && i < more.size; i++)
        block_use(s, more.data[i]);
    mlc_vec_release(&more);
    return ok;
}

static bool
can_split(Split *s)
{
    visit_uses(s);
    MlcOpVec slice = {0};
    mlc_forward_slice(s->slot.ptr, &slice);
    bool ok = true;
    for (size_t i = 0; ok && i < slice.size; i++)
        ok = can_do_without(s, slice.data[i]);
    mlc_vec_release(&slice);
    return ok;
}

// The parts that are used, after the whole; each is a slot that may be split again.
static void
make_parts(Split *s, MlcOpVec *made)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(s->allocation));
    mlc_builder_after(&b, s->allocation);
    for (size_t i = 0; i < s->num_used; i++) {
        MlcSubslot *part = &s->parts.data[s->order[i]];
        MlcOp *op = s->methods->make_part(s->allocation, part->type, &b);
        part->ptr = mlc_op_result(op, 0);
        mlc_vec_push(made, op);
    }
}

static void
rewire_users(Split *s)
{
    MlcOpVec ops = {0}, erased = {0};
    MlcMap rewired = {0};
    for (size_t i = 0; i < s->blocked.size; i++)
        mlc_vec_push(&ops, s->blocked.data[i]);
    for (size_t i = 0; i < s->rewired.size; i++)
        if (mlc_map_add(&rewired, s->rewired.data[i]))
            mlc_vec_push(&ops, s->rewired.data[i]);
    mlc_sort_by_dominance(mlc_op_region_of(s->allocation), &ops);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(s->allocation));
    for (size_t i = ops.size; i-- > 0;) { // users before what they use
        MlcOp *op = ops.data[i];
        mlc_builder_after(&b, op);
        bool erase = mlc_map_has(&rewired, op)
                         ? use_methods(op)->rewire(op, &s->slot, &s->parts, &b)
                         : use_methods(op)->remove(op, NULL, &b, NULL);
        if (erase)
            mlc_vec_push(&erased, op);
    }
    for (size_t i = 0; i < erased.size; i++)
        mlc_op_erase(erased.data[i]);
    mlc_vec_release(&ops);
    mlc_vec_release(&erased);
    mlc_map_release(&rewired);
}

static bool
try_split(MlcPass *pass, MlcOp *allocation, MlcOpVec *made)
{
    Split s = {.pass = pass,
               .allocation = allocation,
               .methods = mlc_op_interface(allocation, MLC_INTERFACE_SLOT_ALLOCATION)};
    bool ok = s.methods->parts && s.methods->parts(allocation, &s.slot, &s.parts) &&
              mlc_value_has_uses(s.slot.ptr);
    if (ok) {
        s.used = mlc_calloc(s.parts.size + 1, sizeof *s.used);
        s.order = mlc_calloc(s.parts.size + 1, sizeof *s.order);
        ok = can_split(&s);
    }
    if (ok) {
        make_parts(&s, made);
        rewire_users(&s);
        mlc_op_erase(allocation);
        mlc_pass_count(pass, "destructured slots", 1);
        mlc_pass_count(pass, "slots with memory benefit", s.num_used != s.parts.size);
    }
    for (size_t i = 0; i < s.uses.size; i++)
        mlc_vec_release(&s.uses.data[i]);
    mlc_vec_release(&s.uses);
    mlc_vec_release(&s.blocked);
    mlc_vec_release(&s.rewired);
    mlc_vec_release(&s.parts);
    mlc_map_release(&s.indices);
    mlc_free(s.used);
    mlc_free(s.order);
    return ok;
}

static void
split_all(MlcPass *pass, MlcOpVec *slots)
{
    MlcOpVec next = {0};
    for (bool changed = true; changed;) {
        changed = false;
        mlc_vec_clear(&next);
        for (size_t i = 0; i < slots->size; i++)
            if (try_split(pass, slots->data[i], &next))
                changed = true;
            else
                mlc_vec_push(&next, slots->data[i]);
        MlcOpVec swap = *slots;
        *slots = next;
        next = swap;
    }
    mlc_vec_release(&next);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    for (size_t i = 0; i < mlc_op_num_regions(root); i++) {
        MlcOpVec slots = {0};
        mlc_slot_allocations(mlc_op_region(root, i), &slots);
        split_all(pass, &slots);
        mlc_vec_release(&slots);
    }
    return true;
}

// No block comes or goes.
static const MlcAnalysisDef *const preserved[] = {&mlc_analysis_dominance, NULL};

MLC_PASS(sroa, .flag = "sroa", .title = "SROA", .summary = "Scalar Replacement of Aggregates.",
         .run = run, .preserves = preserved)
