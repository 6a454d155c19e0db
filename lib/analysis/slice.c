// slice.c -- what depends on a value, and what a value depends on.
//
// Both walks are depth first with a stack of their own; an op goes to the list when all that it
// leads to are there, and the list is read backwards (forward slices) or as it is (backward
// slices).
#include "mlc/analysis.h"

#include "mlc/support/alloc.h"
#include "mlc/support/map.h"

#include <stdlib.h>

typedef struct Visit {
    MlcOp *op;
    MlcOpVec next; // to go to
    size_t at;
} Visit;

typedef struct Walk {
    MlcMap seen;
    MLC_VEC(Visit) stack;
    void (*successors)(MlcOp *op, MlcOpVec *next);
    MlcOpVec *order;
} Walk;

static void
enter(Walk *walk, MlcOp *op)
{
    if (!mlc_map_add(&walk->seen, op))
        return;
    Visit visit = {.op = op};
    walk->successors(op, &visit.next);
    mlc_vec_push(&walk->stack, visit);
}

static void
run(Walk *walk, MlcOp *root)
{
    enter(walk, root);
    while (walk->stack.size) {
        Visit *top = &mlc_vec_last(&walk->stack);
        if (top->at < top->next.size) {
            enter(walk, top->next.data[top->at++]);
            continue;
        }
        mlc_vec_push(walk->order, top->op);
        mlc_vec_release(&top->next);
        walk->stack.size--;
    }
}

static void
release(Walk *walk)
{
    mlc_map_release(&walk->seen);
    mlc_vec_release(&walk->stack);
}

static void
reverse(MlcOpVec *ops, size_t from)
{
    for (size_t i = from, j = ops->size; i + 1 < j; i++) {
        MlcOp *swap = ops->data[i];
        ops->data[i] = ops->data[--j];
        ops->data[j] = swap;
    }
}

static void
users(MlcOp *op, MlcOpVec *next)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i))
            MLC_FOR_EACH_OP (inner, block)
                mlc_vec_push(next, inner);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        MLC_FOR_EACH_USE (use, mlc_op_result(op, i))
            mlc_vec_push(next, mlc_use_owner(use));
}

void
mlc_forward_slice(MlcValue *root, MlcOpVec *slice)
{
    Walk walk = {.successors = users, .order = slice};
    size_t from = slice->size;
    MLC_FOR_EACH_USE (use, root)
        run(&walk, mlc_use_owner(use));
    release(&walk);
    reverse(slice, from);
}

static void
sources(MlcOp *op, MlcOpVec *next)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        MLC_FOR_EACH_OPERAND (value, inner)
            if (mlc_value_def(value) && (inner == op || !mlc_value_is_inside(value, op)))
                mlc_vec_push(next, mlc_value_def(value));
}

void
mlc_backward_slice(MlcValue *root, MlcOpVec *slice)
{
    Walk walk = {.successors = sources, .order = slice};
    if (mlc_value_def(root))
        run(&walk, mlc_value_def(root));
    release(&walk);
}

// --- order

typedef struct Place {
    MlcOp *op, *outer; // `outer`: the op of the region
    size_t block;
    size_t at; // in the list, for ops inside of one
} Place;

static int
compare(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->outer != y->outer)
        return mlc_op_is_before(x->outer, y->outer) ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

typedef struct BlockVisit {
    MlcBlock *block;
    size_t next;
} BlockVisit;
typedef MLC_VEC(BlockVisit) BlockVisits;

// Appends the blocks reached from `first`, in reverse post-order, to those numbered so far.
static void
number_blocks(MlcBlock *first, MlcMap *seen, MlcMap *numbers)
{
    if (!mlc_map_add(seen, first))
        return;
    BlockVisits stack = {0};
    MLC_VEC(MlcBlock *) order = {0};
    mlc_vec_push(&stack, (BlockVisit){first, 0});
    while (stack.size) {
        BlockVisit *top = &mlc_vec_last(&stack);
        MlcOp *end = mlc_block_last(top->block);
        if (end && top->next < mlc_op_num_successors(end)) {
            MlcBlock *next = mlc_op_successor(end, top->next++);
            if (mlc_map_add(seen, next))
                mlc_vec_push(&stack, (BlockVisit){next, 0});
            continue;
        }
        mlc_vec_push(&order, top->block);
        stack.size--;
    }
    size_t base = mlc_map_size(numbers);
    for (size_t i = 0; i < order.size; i++)
        mlc_map_set_u64(numbers, (uint64_t)(uintptr_t)order.data[order.size - 1 - i], base + i);
    mlc_vec_release(&order);
    mlc_vec_release(&stack);
}

void
mlc_sort_by_dominance(MlcRegion *region, MlcOpVec *ops)
{
    MlcMap seen = {0}, numbers = {0};
    MLC_FOR_EACH_BLOCK (block, region)
        number_blocks(block, &seen, &numbers);
    Place *places = mlc_malloc((ops->size + 1) * sizeof *places);
    for (size_t i = 0; i < ops->size; i++) {
        MlcOp *outer = ops->data[i];
        while (outer && mlc_op_region_of(outer) != region)
            outer = mlc_op_parent(outer);
        uint64_t number = 0;
        mlc_map_get_u64(&numbers, (uint64_t)(uintptr_t)mlc_op_block(outer), &number);
        places[i] = (Place){ops->data[i], outer, (size_t)number, i};
    }
    qsort(places, ops->size, sizeof *places, compare);
    for (size_t i = 0; i < ops->size; i++)
        ops->data[i] = places[i].op;
    mlc_free(places);
    mlc_map_release(&numbers);
    mlc_map_release(&seen);
}
