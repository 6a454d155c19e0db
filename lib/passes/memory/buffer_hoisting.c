// buffer_hoisting.c -- allocations move up to where all ways to their uses begin: out of branches,
// never out of loops.
//
// A buffer that one of several blocks allocates and hands on is allocated before they part, in the
// block that dominates all uses of all values that may be it, or further down where a size is made.
// So who frees buffers finds one place for both. Regions are left as long as they do not run more
// than once, and only those of known control flow. (MLIR's pass of this name.)
#include "buffer_flow.h"

#include "mlc/dialects/memref.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

// The block of the same region as `block` that `inner` is in; NULL: none.
static MlcBlock *
ancestor_beside(MlcBlock *block, MlcBlock *inner)
{
    while (inner && mlc_block_region(inner) != mlc_block_region(block)) {
        MlcOp *owner = mlc_block_parent(inner);
        inner = owner ? mlc_op_block(owner) : NULL;
    }
    return inner;
}

// Is `a` on all ways to `b`, or around it? False if they are one.
static bool
is_above(MlcDominance *dom, MlcBlock *a, MlcBlock *b)
{
    MlcBlock *beside = ancestor_beside(a, b);
    return beside && a != b && (a == beside || mlc_dominance_block(dom, a, beside));
}

// The nearest block on all ways to both, or around them; NULL: none.
static MlcBlock *
above_both(MlcDominance *dom, MlcBlock *a, MlcBlock *b)
{
    MlcBlock *beside;
    while (a && !(beside = ancestor_beside(a, b))) {
        MlcOp *owner = mlc_block_parent(a);
        a = owner ? mlc_op_block(owner) : NULL;
    }
    while (a && a != beside && !mlc_dominance_block(dom, a, beside))
        a = mlc_dominance_idom(dom, a);
    return a;
}

// The block above all uses of what may be the buffer; NULL: none.
static MlcBlock *
block_above_uses(MlcDominance *dom, MlcOp *alloc)
{
    MlcBlock *block = mlc_op_block(alloc);
    MlcValueVec values = {0};
    buffer_flow(mlc_op_result(alloc, 0), &values);
    for (size_t i = 0; i < values.size; i++) {
        MlcOp *def = mlc_value_def(values.data[i]);
        block = block ? above_both(dom, block,
                                   def ? mlc_op_block(def) : mlc_value_block(values.data[i]))
                      : NULL;
        MLC_FOR_EACH_USE (use, values.data[i])
            block = block ? above_both(dom, block, mlc_op_block(mlc_use_owner(use))) : NULL;
    }
    mlc_vec_release(&values);
    return block;
}

// The lowest block in which a size of the allocation is made; NULL: it has none.
static MlcBlock *
block_of_sizes(MlcDominance *dom, MlcOp *alloc)
{
    MlcBlock *lowest = NULL;
    MLC_FOR_EACH_OPERAND (size, alloc) {
        MlcOp *def = mlc_value_def(size);
        MlcBlock *block = def ? mlc_op_block(def) : mlc_value_block(size);
        if (!lowest || is_above(dom, lowest, block))
            lowest = block;
    }
    return lowest;
}

// From the allocation's block upwards as far as `bound`.
static MlcBlock *
place_below(MlcDominance *dom, MlcOp *alloc, MlcBlock *bound)
{
    MlcBlock *at = mlc_op_block(alloc), *idom;
    MlcOp *owner;
    while (is_above(dom, bound, at) && (owner = mlc_block_parent(at)) && mlc_op_block(owner)) {
        if ((idom = mlc_dominance_idom(dom, at)))
            at = idom;
        else if (buffer_knows_flow(owner) && !mlc_op_interface(owner, MLC_INTERFACE_LOOP))
            at = mlc_op_block(owner);
        else
            break;
    }
    return at;
}

static void
hoist(MlcDominance *dom, MlcOp *alloc)
{
    MlcBlock *bound = block_above_uses(dom, alloc), *sizes = block_of_sizes(dom, alloc);
    if (!bound)
        return;
    if (sizes && is_above(dom, bound, sizes))
        bound = sizes;
    MlcBlock *to = place_below(dom, alloc, bound);
    if (to == mlc_op_block(alloc))
        return;
    MlcOp *inner = mlc_block_find_ancestor(to, alloc);
    if (!inner)
        inner = mlc_block_terminator(to);
    if (inner)
        mlc_op_move_before(alloc, inner);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcDominance *dom = mlc_pass_dominance(pass, root);
    MLC_FOR_EACH_OF_KIND (alloc, root, &mlc_memref_alloc_def)
        hoist(dom, alloc);
    return true;
}

static const MlcAnalysisDef *const preserved[] = {&mlc_analysis_dominance, NULL};

MLC_PASS(buffer_hoisting, .flag = "buffer-hoisting",
         .summary = "Allocate buffers before the branches that use them", .anchor = "func.func",
         .preserves = preserved, .run = run)
