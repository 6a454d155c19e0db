// affine_loop_invariant_code_motion.c -- what an affine loop does in every iteration alike goes
// before it: accesses of memory too, and whole loops and conditions.
//
// Loops are visited innermost first, so that an op may leave several. Different memrefs are taken
// not to overlap, as in MLIR. Unlike there, memory is only touched before a loop that is known to
// run, and any other use of a memref that may read or write it in the loop keeps a store inside.
#include "affine_loops.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/memref.h"

typedef struct Hoist {
    MlcOp *loop;
    MlcMap invariant; // ops found so far
    bool runs;        // the loop has at least one iteration
} Hoist;

static bool is_invariant(Hoist *h, MlcOp *op);

static bool
is_access(const MlcOp *op)
{
    return mlc_op_affine_access(op) != NULL;
}

static bool
is_write(const MlcOp *op)
{
    const MlcMemoryAccess *access = mlc_op_affine_access(op);
    return access && access->is_write;
}

// Whether nothing else in the loop stands in the way of an access: a read does not mind reads.
static bool
is_alone(Hoist *h, MlcOp *op)
{
    MLC_FOR_EACH_USE (use, mlc_op_access_memref(op)) {
        MlcOp *user = mlc_use_owner(use);
        if (user == op || !mlc_op_is_ancestor(h->loop, user))
            continue;
        const MlcMemoryAccess *other = mlc_op_access(user);
        bool reads_only = other && other->value && !other->is_write;
        if (is_write(op) || !reads_only)
            return false;
    }
    return true;
}

static bool
is_region_invariant(Hoist *h, MlcRegion *region)
{
    MLC_FOR_EACH_BLOCK (block, region)
        MLC_FOR_EACH_OP (op, block)
            if (!is_invariant(h, op))
                return false;
    return true;
}

static bool
is_affine_control_flow(const MlcOp *op)
{
    return mlc_is_affine_for(op) || mlc_affine_if_isa(op) || mlc_affine_parallel_isa(op);
}

// What the op does by itself, operands aside.
static bool
may_move(Hoist *h, MlcOp *op)
{
    if (mlc_affine_yield_isa(op))
        return op != mlc_block_last(mlc_region_first(mlc_op_region(h->loop, 0)));
    if (is_access(op))
        return h->runs && is_alone(h, op);
    if (is_affine_control_flow(op)) {
        for (size_t i = 0; i < mlc_op_num_regions(op); i++)
            if (!is_region_invariant(h, mlc_op_region(op, i)))
                return false;
        return true;
    }
    return mlc_op_num_regions(op) == 0 && mlc_op_is_pure(op) &&
           (mlc_op_num_operands(op) > 0 || mlc_op_constant(op));
}

static bool
is_invariant(Hoist *h, MlcOp *op)
{
    if (!may_move(h, op))
        return false;
    MLC_FOR_EACH_OPERAND (operand, op) {
        MlcOp *def = mlc_value_def(operand);
        MlcBlock *block = mlc_value_block(operand);
        if (block && block == mlc_region_first(mlc_op_region(h->loop, 0)))
            return false;
        if (def && mlc_value_is_inside(operand, h->loop) && !mlc_map_has(&h->invariant, def))
            return false;
    }
    mlc_map_add(&h->invariant, op);
    return true;
}

static void
hoist_out_of(MlcOp *loop)
{
    Hoist h = {.loop = loop, .runs = mlc_affine_for_trip_count(loop) > 0};
    MlcOpVec moved = {0};
    mlc_map_init(&h.invariant);
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(loop, 0)))
        if (is_invariant(&h, op))
            mlc_vec_push(&moved, op);
    for (size_t i = 0; i < moved.size; i++)
        mlc_op_move_before(moved.data[i], loop);
    mlc_vec_release(&moved);
    mlc_map_release(&h.invariant);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_is_affine_for(op))
            hoist_out_of(op);
    return true;
}

MLC_PASS(affine_loop_invariant_code_motion, .flag = "affine-loop-invariant-code-motion",
         .summary = "Hoist what is the same in every iteration out of affine loops", .run = run)
