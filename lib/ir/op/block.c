// block.c -- blocks: lists of ops with arguments, and the order of ops within one.
//
// Order is a number per op with gaps. It is kept while that is cheap: an op put between two takes a
// number in the gap; only when a gap is used up is the block numbered anew, and then not before
// someone asks for the order.
#include "op_check.h"

#include "mlc/ir/loc.h"
#include "mlc/support/map.h"

#define MAX_STRIDE (UINT32_C(1) << 20)

MlcBlock *
mlc_block_create(MlcContext *ctx)
{
    MlcBlock *block = mlc_slab_alloc(ctx, sizeof *block);
    *block = (MlcBlock){.ctx = ctx, .order_is_valid = true};
    return block;
}

// --- order

static void
renumber(MlcBlock *block)
{
    uint64_t count = 1;
    for (MlcOp *op = block->first; op; op = op->next)
        count++;
    uint64_t stride = UINT32_MAX / (count + 1);
    if (stride > MAX_STRIDE)
        stride = MAX_STRIDE;
    uint64_t order = 0;
    for (MlcOp *op = block->first; op; op = op->next)
        op->order = (uint32_t)(order += stride);
    block->order_is_valid = true;
}

// A number between the neighbours, nearer to the one before: ops mostly come one after the other.
static void
number(MlcOp *op)
{
    uint64_t low = op->prev ? op->prev->order : 0;
    if (!op->next && low + MAX_STRIDE <= UINT32_MAX) {
        op->order = (uint32_t)(low + MAX_STRIDE);
        return;
    }
    uint64_t gap = (op->next ? op->next->order : UINT32_MAX) - low;
    uint64_t step = op->prev ? (gap + 7) / 8 : gap / 2;
    op->order = (uint32_t)(low + step);
    if (step == 0 || step >= gap)
        op->block->order_is_valid = false;
}

bool
mlc_op_is_before(const MlcOp *a, const MlcOp *b)
{
    MLC_CHECK_OP(a);
    MLC_CHECK_OP(b);
    MLC_CHECK(a->block && a->block == b->block, "%s and %s are not in one block", mlc_check_text(a),
              mlc_check_text(b));
    if (!a->block->order_is_valid)
        renumber(a->block);
    return a->order < b->order;
}

// --- ops

void
mlc_block_link_op(MlcBlock *block, MlcOp *op, MlcOp *before)
{
    assert(!before || before->block == block);
    op->block = block;
    op->next = before;
    op->prev = before ? before->prev : block->last;
    *(op->prev ? &op->prev->next : &block->first) = op;
    *(before ? &before->prev : &block->last) = op;
    if (block->order_is_valid)
        number(op);
}

void
mlc_block_unlink_op(MlcOp *op)
{
    MlcBlock *block = op->block;
    *(op->prev ? &op->prev->next : &block->first) = op->next;
    *(op->next ? &op->next->prev : &block->last) = op->prev;
    op->block = NULL;
    op->next = op->prev = NULL;
}

void
mlc_block_append(MlcBlock *block, MlcOp *op)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_DETACHED(op);
    mlc_block_link_op(block, op, NULL);
    mlc_count_edit_in_block(block);
}

void
mlc_block_prepend(MlcBlock *block, MlcOp *op)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_DETACHED(op);
    mlc_block_link_op(block, op, block->first);
    mlc_count_edit_in_block(block);
}

// Hangs the chain first..last, which is linked within itself, before `before` in `to`.
static void
splice_chain(MlcBlock *to, MlcOp *before, MlcOp *first, MlcOp *last)
{
    for (MlcOp *op = first;; op = op->next) {
        op->block = to;
        if (op == last)
            break;
    }
    first->prev = before ? before->prev : to->last;
    last->next = before;
    *(first->prev ? &first->prev->next : &to->first) = first;
    *(before ? &before->prev : &to->last) = last;
    to->order_is_valid = false;
}

void
mlc_block_splice(MlcBlock *to, MlcOp *before, MlcBlock *from)
{
    MLC_CHECK_OP(before);
    MLC_CHECK_BLOCK(to);
    MLC_CHECK_BLOCK(from);
    MlcOp *first = from->first, *last = from->last;
    if (!first)
        return;
    mlc_count_edit_in_block(from);
    from->first = from->last = NULL;
    splice_chain(to, before, first, last);
    mlc_count_edit_in_block(to);
}

MlcBlock *
mlc_block_split(MlcOp *first)
{
    MLC_CHECK_OP(first);
    MlcBlock *old = first->block, *block = mlc_block_create(old->ctx);
    if (old->region)
        mlc_region_insert_after(old, block);
    MlcOp *last = old->last;
    old->last = first->prev;
    *(first->prev ? &first->prev->next : &old->first) = NULL;
    splice_chain(block, NULL, first, last);
    return block;
}

MlcOp *
mlc_block_first(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return block->first;
}

MlcOp *
mlc_block_last(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return block->last;
}

MlcOp *
mlc_block_terminator(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    MlcOp *last = block->last;
    bool may_be =
        last && (!last->def->dialect || mlc_op_def_has_trait(last->def, MLC_TRAIT_TERMINATOR));
    return may_be ? last : NULL;
}

MlcOp *
mlc_block_find_ancestor(const MlcBlock *block, MlcOp *op)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_BLOCK(block);
    while (op && op->block != block)
        op = mlc_op_parent(op);
    return op;
}

bool
mlc_block_is_empty(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return !block->first;
}

// --- arguments

void
mlc_block_arg_free(MlcContext *ctx, MlcBlockArg *arg)
{
    MLC_GUARDED_NOTE(arg, NULL, NULL, 0, sizeof(MlcValue)); // which says that it is an argument
    mlc_slab_free(ctx, arg, sizeof *arg);
}

MlcValue *
mlc_block_insert_arg(MlcBlock *block, size_t at, MlcType type, MlcLoc loc)
{
    MLC_CHECK_BLOCK(block);
    MLC_CHECK(at <= block->num_args, "argument %zu of a block that has %u", at, block->num_args);
    if (block->num_args == block->arg_capacity) {
        uint32_t capacity = block->arg_capacity ? block->arg_capacity * 2 : 2;
        MlcBlockArg **args = mlc_slab_alloc(block->ctx, capacity * sizeof *args);
        if (block->args) {
            memcpy(args, block->args, block->num_args * sizeof *args);
            mlc_slab_free(block->ctx, block->args, block->arg_capacity * sizeof *args);
        }
        block->args = args;
        block->arg_capacity = capacity;
    }
    MlcBlockArg *arg = mlc_slab_alloc(block->ctx, sizeof *arg);
    *arg = (MlcBlockArg){.value = {.type = type, .is_arg = 1},
                         .block = block,
                         .loc = loc ? loc : mlc_loc_unknown(block->ctx)};
    memmove(block->args + at + 1, block->args + at, (block->num_args - at) * sizeof *block->args);
    block->args[at] = arg;
    block->num_args++;
    for (size_t i = at; i < block->num_args; i++)
        block->args[i]->value.index = (uint32_t)i;
    mlc_count_edit_in_block(block);
    return &arg->value;
}

MlcValue *
mlc_block_add_arg(MlcBlock *block, MlcType type, MlcLoc loc)
{
    MLC_CHECK_BLOCK(block);
    return mlc_block_insert_arg(block, block->num_args, type, loc);
}

void
mlc_block_erase_arg(MlcBlock *block, size_t i)
{
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_ARG(block, i);
    MLC_CHECK(!block->args[i]->value.first_use, "argument %zu still has uses", i);
    mlc_block_arg_free(block->ctx, block->args[i]);
    block->num_args--;
    for (size_t j = i; j < block->num_args; j++) {
        block->args[j] = block->args[j + 1];
        block->args[j]->value.index = (uint32_t)j;
    }
    mlc_count_edit_in_block(block);
}

size_t
mlc_block_num_args(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return block->num_args;
}

MlcValue *
mlc_block_arg(const MlcBlock *block, size_t i)
{
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_ARG(block, i);
    return &block->args[i]->value;
}

MlcLoc
mlc_block_arg_loc(const MlcBlock *block, size_t i)
{
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_ARG(block, i);
    return block->args[i]->loc;
}

void
mlc_block_set_arg_loc(MlcBlock *block, size_t i, MlcLoc loc)
{
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_ARG(block, i);
    block->args[i]->loc = loc;
}

// --- place and predecessors

MlcRegion *
mlc_block_region(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return block->region;
}

MlcOp *
mlc_block_parent(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return block->region ? block->region->parent : NULL;
}

MlcBlock *
mlc_block_next(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return block->next;
}

MlcBlock *
mlc_block_prev(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    return block->prev;
}

size_t
mlc_block_num_predecessors(const MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    size_t count = 0;
    for (const MlcBlockUse *use = block->first_use; use; use = use->next)
        count++;
    return count;
}

void
mlc_block_visit_predecessors(const MlcBlock *block,
                             void (*visit)(MlcOp *terminator, size_t i, void *user), void *user)
{
    MLC_CHECK_BLOCK(block);
    for (MlcBlockUse *use = block->first_use, *next; use; use = next) {
        next = use->next;
        visit(use->owner, (size_t)(use - mlc_op_successors_(use->owner)), user);
    }
}

void
mlc_block_replace_uses(MlcBlock *block, MlcBlock *with)
{
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_BLOCK(with);
    while (block != with && block->first_use) {
        MlcBlockUse *use = block->first_use;
        mlc_block_use_unlink_(use);
        mlc_block_use_link_(use, with);
        mlc_count_edit(use->owner);
    }
}

// --- a block out of order

// Whether op, and the ops inside of it, use nothing that waits, or lies in an op that waits.
static bool
is_ready(MlcOp *op, const MlcMap *waiting)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        MLC_FOR_EACH_OPERAND (value, inner)
            for (MlcOp *def = mlc_value_def(value); def && def != op; def = mlc_op_parent(def))
                if (mlc_map_has(waiting, def))
                    return false;
    return true;
}

void
mlc_block_sort(MlcBlock *block)
{
    MlcMap waiting = {0};
    MlcOp *last = mlc_block_last(block);
    MlcOp *end = last && mlc_op_has_trait(last, MLC_TRAIT_TERMINATOR) ? last : NULL;
    for (MlcOp *op = mlc_block_first(block); op != end; op = mlc_op_next(op))
        mlc_map_add(&waiting, op);
    for (MlcOp *front = mlc_block_first(block); front != end;) {
        bool any = false;
        for (MlcOp *op = front, *next; op != end; op = next) {
            next = mlc_op_next(op);
            if (!is_ready(op, &waiting))
                continue;
            mlc_map_erase(&waiting, op);
            any = true;
            if (op == front)
                front = next;
            else
                mlc_op_move_before(op, front);
        }
        if (!any) {
            mlc_map_erase(&waiting, front);
            front = mlc_op_next(front);
        }
    }
    mlc_map_release(&waiting);
}
