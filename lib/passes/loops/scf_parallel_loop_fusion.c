// scf_parallel_loop_fusion.c -- neighbouring parallel loops over the same iterations become one.
//
// A loop may take in the one behind it if no iteration of the second needs what another iteration
// of the first did: every buffer that one of them writes and the other touches is accessed, in
// both, at exactly the loops' own indices, all of which differ between iterations. Buffers are
// compared by value: those that are passed to a kernel do not overlap (docs/internals/memory.md).
// Anything else in the bodies but loads, stores and pure ops keeps loops apart.
#include "mlc/pass.h"

#include "mlc/ir.h"

#include "mlc/dialects/scf.h"

static bool
same_iterations(MlcOp *first, MlcOp *second)
{
    if (mlc_op_num_operands(first) != mlc_op_num_operands(second) ||
        mlc_op_num_results(first) > 0 || mlc_op_num_results(second) > 0)
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(first); i++) {
        int64_t a, b;
        bool constant = mlc_value_constant_int(mlc_op_operand(first, i), &a) &&
                        mlc_value_constant_int(mlc_op_operand(second, i), &b);
        if (constant ? a != b : mlc_op_operand(first, i) != mlc_op_operand(second, i))
            return false;
    }
    return true;
}

static MlcBlock *
body_of(MlcOp *loop)
{
    return mlc_region_first(mlc_op_region(loop, 0));
}

// Whether it reads or writes one element of a memref, at indices as they are.
static bool
is_access(const MlcOp *op)
{
    const MlcMemoryAccess *access = mlc_op_access(op);
    return access && !access->map && mlc_op_accesses_element(op) &&
           mlc_type_is(mlc_value_type(mlc_op_access_memref(op)), MLC_TYPE_MEMREF);
}

static bool
has_only_known_effects(MlcOp *loop)
{
    MLC_FOR_EACH_PREORDER (op, loop) {
        if (op == loop || is_access(op) || mlc_op_num_regions(op) > 0)
            continue;
        if (!mlc_op_is_memory_effect_free(op))
            return false;
    }
    return true;
}

// Accessed at the loop's indices, all of them, in their order, and nowhere else. A dimension of
// size 1 has one place, so any index will do there.
static bool
is_own_element(MlcOp *loop, MlcOp *access)
{
    size_t first, rank, next = 0, num_ivs = mlc_block_num_args(body_of(loop));
    mlc_op_access_indices(access, &first, &rank);
    MlcType type = mlc_value_type(mlc_op_access_memref(access));
    for (size_t i = 0; i < rank; i++) {
        MlcValue *index = mlc_op_operand(access, first + i);
        if (next < num_ivs && index == mlc_block_arg(body_of(loop), next))
            next++;
        else if (mlc_type_dim(type, i) != 1)
            return false;
    }
    return next == num_ivs;
}

// Every access to `memref` in `loop` is at its own element; *stored: one of them writes, *touched:
// there is one.
static bool
only_own_elements(MlcOp *loop, MlcValue *memref, bool *stored, bool *touched)
{
    bool own = true;
    MLC_FOR_EACH_PREORDER (op, loop) {
        if (!is_access(op) || mlc_op_access_memref(op) != memref)
            continue;
        *touched = true;
        *stored |= mlc_op_access(op)->is_write;
        own = own && is_own_element(loop, op);
    }
    return own;
}

static bool
is_independent(MlcOp *first, MlcOp *second)
{
    MlcOp *loops[2] = {first, second};
    for (size_t i = 0; i < 2; i++)
        MLC_FOR_EACH_PREORDER (op, loops[i]) {
            bool stored = false, touched[2] = {false, false};
            if (!is_access(op))
                continue;
            MlcValue *memref = mlc_op_access_memref(op);
            bool own = only_own_elements(first, memref, &stored, &touched[0]);
            own = only_own_elements(second, memref, &stored, &touched[1]) && own;
            if (stored && touched[0] && touched[1] && !own)
                return false;
        }
    return true;
}

// The second's ops go behind the first's.
static void
fuse(MlcOp *first, MlcOp *second)
{
    MlcBlock *into = body_of(first), *from = body_of(second);
    for (size_t i = 0; i < mlc_block_num_args(into); i++)
        mlc_value_replace_uses(mlc_block_arg(from, i), mlc_block_arg(into, i));
    mlc_op_erase(mlc_block_last(from));
    mlc_block_splice(into, mlc_block_last(into), from);
    mlc_op_erase(second);
}

// Ops between two loops that compute from what is before the first may move before it.
static bool
is_movable(MlcOp *op)
{
    return mlc_op_is_pure(op);
}

static MlcOp *
next_loop(MlcOp *loop)
{
    MlcOp *op = mlc_op_next(loop);
    while (op && is_movable(op))
        op = mlc_op_next(op);
    return mlc_scf_parallel_isa(op) ? op : NULL;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec loops = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_scf_parallel_isa(op))
            mlc_vec_push(&loops, op);
    // From the back, so that a loop that was taken in has taken in its own followers before.
    for (size_t i = loops.size; i-- > 0;) {
        MlcOp *loop = loops.data[i], *next;
        while ((next = next_loop(loop)) && same_iterations(loop, next) &&
               has_only_known_effects(loop) && has_only_known_effects(next) &&
               is_independent(loop, next)) {
            while (mlc_op_next(loop) != next)
                mlc_op_move_before(mlc_op_next(loop), loop);
            fuse(loop, next);
            mlc_pass_count(pass, "loops-fused", 1);
        }
    }
    mlc_vec_release(&loops);
    return true;
}

MLC_PASS(scf_parallel_loop_fusion, .flag = "scf-parallel-loop-fusion",
         .summary = "Fuse neighbouring parallel loops over the same iterations", .run = run)
