// affine_scalrep.c -- accesses of memory that are not needed: a load of what was stored or loaded
// before gives way to that value, a store that is overwritten before anybody looks goes, and so
// does a buffer that is only written.
//
// Two accesses are of one place if their maps, composed with what makes their operands, are the
// same on the same values. The earlier one stands before the later, or before an op around it, in
// one block. What may come in between is asked of alias analysis, and of accesses to the same
// buffer whether their indices can be equal at all.
#include "mlc/dialects/affine_compose.h"
#include "mlc/analysis/alias.h"
#include "mlc/analysis/linear.h"
#include "mlc/pass.h"

#include "mlc/support/map.h"

enum { MAX_USES = 512 }; // of a buffer, looked at for each access

static MlcValueMap
place_of(const MlcOp *op)
{
    size_t first, count;
    mlc_op_access_indices(op, &first, &count);
    MlcValueMap place = mlc_value_map_of(mlc_op_access_map(op), op, first);
    mlc_value_map_compose_fully(&place);
    return place;
}

static bool
same_place(const MlcOp *a, const MlcOp *b)
{
    if (mlc_op_access_memref(a) != mlc_op_access_memref(b) ||
        mlc_value_type(mlc_op_access_value(a)) != mlc_value_type(mlc_op_access_value(b)))
        return false;
    MlcValueMap x = place_of(a), y = place_of(b);
    bool same = x.map == y.map;
    for (size_t i = 0; same && i < x.operands.size; i++)
        same = x.operands.data[i] == y.operands.data[i];
    mlc_value_map_release(&x);
    mlc_value_map_release(&y);
    return same;
}

// Scalar accesses of one buffer whose indices are never equal, for the same values of variables.
static bool
never_meet(const MlcOp *a, const MlcOp *b)
{
    if (!mlc_op_affine_access(b) || mlc_op_access_memref(a) != mlc_op_access_memref(b) ||
        mlc_type_is_shaped(mlc_value_type(mlc_op_access_value(a))) ||
        mlc_type_is_shaped(mlc_value_type(mlc_op_access_value(b))))
        return false;
    const MlcLinear zero = {{0}};
    MlcLinearSystem system = {.num_vars = 0};
    MlcValueMap x = place_of(a), y = place_of(b);
    for (size_t i = 0; i < mlc_affine_map_num_results(x.map); i++) {
        MlcLinear p, q, more, less;
        if (!mlc_linear_of_expr(&system, mlc_affine_map_result(x.map, i), x.operands.data,
                                mlc_affine_map_num_dims(x.map), &p) ||
            !mlc_linear_of_expr(&system, mlc_affine_map_result(y.map, i), y.operands.data,
                                mlc_affine_map_num_dims(y.map), &q) ||
            !mlc_linear_add(&p, -1, &q, 0, &more) || !mlc_linear_add(&zero, -1, &more, 0, &less))
            continue;
        mlc_linear_require(&system, &more);
        mlc_linear_require(&system, &less);
    }
    bool never = mlc_linear_contradicts(&system, NULL);
    mlc_linear_release(&system);
    mlc_value_map_release(&x);
    mlc_value_map_release(&y);
    return never;
}

// Whether `op`, or anything in it, may do what `bits` say to the place of `access`, which stands
// before it: the variables of that place keep their values, however often op runs.
static bool
may_touch(MlcOp *op, const MlcOp *access, unsigned bits)
{
    MLC_FOR_EACH_PREORDER (inner, op) {
        if (mlc_op_num_regions(inner) > 0 &&
            mlc_op_has_trait(inner, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS))
            continue; // those inside are asked
        if (inner != access && (mlc_mod_ref(inner, mlc_op_access_memref(access)) & bits) &&
            !never_meet(access, inner))
            return true;
    }
    return false;
}

// Does what `first` did to its place still hold at `last`, which comes later in its block or
// deeper?
static bool
reaches(MlcOp *first, MlcOp *last, unsigned bits)
{
    MlcOp *end = mlc_block_find_ancestor(mlc_op_block(first), last);
    if (!end || end == first || !mlc_op_is_before(first, end))
        return false;
    for (MlcOp *op = mlc_op_next(first); op != end; op = mlc_op_next(op))
        if (may_touch(op, first, bits))
            return false;
    return end == last || !may_touch(end, first, bits);
}

// The access that `load` repeats: a store, or (`of_loads`) a load.
static MlcOp *
find_earlier(MlcOp *load, bool of_loads)
{
    size_t num_uses = 0;
    MLC_FOR_EACH_USE (use, mlc_op_access_memref(load)) {
        if (++num_uses > MAX_USES)
            break;
        MlcOp *other = mlc_use_owner(use);
        const MlcMemoryAccess *access = mlc_op_affine_access(other);
        if (access && other != load && access->is_write != of_loads &&
            mlc_use_index(use) == mlc_op_access_operand(other) && same_place(other, load) &&
            reaches(other, load, MLC_MOD_REF_MOD))
            return other;
    }
    return NULL;
}

// A later store to the same place in the same block, with nobody reading in between.
static bool
is_overwritten(MlcOp *store)
{
    size_t num_uses = 0;
    MLC_FOR_EACH_USE (use, mlc_op_access_memref(store)) {
        if (++num_uses > MAX_USES)
            break;
        MlcOp *other = mlc_use_owner(use);
        const MlcMemoryAccess *access = mlc_op_affine_access(other);
        if (access && access->is_write && other != store &&
            mlc_op_block(other) == mlc_op_block(store) &&
            mlc_use_index(use) == mlc_op_access_operand(other) && same_place(store, other) &&
            reaches(store, other, MLC_MOD_REF_REF))
            return true;
    }
    return false;
}

static MlcOpVec
accesses_in(MlcOp *root, bool writes)
{
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_op_affine_access(op) && mlc_op_affine_access(op)->is_write == writes)
            mlc_vec_push(&ops, op);
    return ops;
}

static void
replace_loads(MlcOp *root, bool by_loads, MlcMap *memories)
{
    MlcOpVec loads = accesses_in(root, false);
    for (size_t i = 0; i < loads.size; i++) {
        MlcOp *load = loads.data[i], *earlier = find_earlier(load, by_loads);
        if (!earlier)
            continue;
        mlc_map_add(memories, mlc_op_access_memref(load));
        mlc_op_replace(load, (MlcValue *[]){mlc_op_access_value(earlier)}, 1);
    }
    mlc_vec_release(&loads);
}

static void
erase_overwritten(MlcOp *root)
{
    MlcOpVec stores = accesses_in(root, true);
    for (size_t i = 0; i < stores.size; i++)
        if (is_overwritten(stores.data[i]))
            mlc_op_erase(stores.data[i]);
    mlc_vec_release(&stores);
}

// Only written to and freed, and made here.
static bool
is_write_only(MlcValue *memory)
{
    MlcOp *def = mlc_value_def(memory);
    if (!def || !mlc_op_would_be_trivially_dead(def))
        return false;
    MLC_FOR_EACH_USE (use, memory) {
        MlcOp *user = mlc_use_owner(use);
        const MlcMemoryAccess *access = mlc_op_affine_access(user);
        bool writes =
            access && access->is_write && mlc_use_index(use) == mlc_op_access_operand(user);
        MlcEffectVec effects = {0};
        bool frees = mlc_op_effects(user, &effects) && effects.size == 1 &&
                     effects.data[0].effect == MLC_EFFECT_FREE && mlc_op_num_results(user) == 0;
        mlc_vec_release(&effects);
        if (!writes && !frees)
            return false;
    }
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MlcMap memories; // of which a load went
    mlc_map_init(&memories);
    replace_loads(root, false, &memories);
    erase_overwritten(root);
    MLC_MAP_FOR_EACH (entry, &memories) {
        MlcValue *memory = (MlcValue *)(uintptr_t)entry->key;
        if (!is_write_only(memory))
            continue;
        MLC_FOR_EACH_USE_SAFE (use, memory)
            mlc_op_erase(mlc_use_owner(use));
        mlc_op_erase(mlc_value_def(memory));
    }
    replace_loads(root, true, &memories);
    mlc_map_release(&memories);
    return true;
}

MLC_PASS(affine_scalrep, .flag = "affine-scalrep",
         .summary = "Replace affine accesses of memory by the values that are there",
         .anchor = "func.func", .run = run)
