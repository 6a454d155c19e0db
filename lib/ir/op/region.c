// region.c -- regions: lists of blocks owned by an op (or, while it is being parsed, by nobody).
#include "op_check.h"

#include "mlc/support/alloc.h"

MlcRegion *
mlc_region_create(void)
{
    return mlc_calloc(1, sizeof(MlcRegion));
}

void
mlc_region_destroy(MlcRegion *region)
{
    if (!region)
        return;
    assert(!region->parent); // one of an op dies with it
    mlc_region_clear(region);
    mlc_free(region);
}

MlcOp *
mlc_region_parent(const MlcRegion *region)
{
    return region->parent;
}

size_t
mlc_region_index(const MlcRegion *region)
{
    return region->parent ? (size_t)(region - mlc_op_regions_(region->parent)) : 0;
}

MlcBlock *
mlc_region_first(const MlcRegion *region)
{
    return region->first;
}

MlcBlock *
mlc_region_last(const MlcRegion *region)
{
    return region->last;
}

bool
mlc_region_is_empty(const MlcRegion *region)
{
    return !region->first;
}

bool
mlc_region_has_one_block(const MlcRegion *region)
{
    return region->first && region->first == region->last;
}

static void
count_edit(MlcRegion *region)
{
    if (region->parent)
        mlc_count_edit(region->parent);
}

static void
unlink(MlcBlock *block)
{
    MlcRegion *region = block->region;
    if (!region)
        return;
    count_edit(region);
    *(block->prev ? &block->prev->next : &region->first) = block->next;
    *(block->next ? &block->next->prev : &region->last) = block->prev;
    block->region = NULL;
}

static void
link(MlcRegion *region, MlcBlock *block, MlcBlock *before)
{
    unlink(block);
    block->region = region;
    block->next = before;
    block->prev = before ? before->prev : region->last;
    *(block->prev ? &block->prev->next : &region->first) = block;
    *(before ? &before->prev : &region->last) = block;
    count_edit(region);
}

void
mlc_region_append(MlcRegion *region, MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    link(region, block, NULL);
}

void
mlc_region_insert_after(MlcBlock *anchor, MlcBlock *block)
{
    MLC_CHECK_BLOCK(anchor);
    MLC_CHECK_BLOCK(block);
    if (anchor != block && anchor->next != block)
        link(anchor->region, block, anchor->next);
}

void
mlc_region_insert_before(MlcBlock *anchor, MlcBlock *block)
{
    MLC_CHECK_BLOCK(anchor);
    MLC_CHECK_BLOCK(block);
    if (anchor != block)
        link(anchor->region, block, anchor);
}

void
mlc_region_take_body(MlcRegion *to, MlcRegion *from)
{
    if (to == from)
        return;
    mlc_region_clear(to);
    to->first = from->first;
    to->last = from->last;
    from->first = from->last = NULL;
    for (MlcBlock *block = to->first; block; block = block->next)
        block->region = to;
    count_edit(to);
    count_edit(from);
}

void
mlc_region_clear(MlcRegion *region)
{
    for (MlcBlock *block = region->first; block; block = block->next)
        for (MlcOp *op = block->first; op; op = op->next)
            mlc_op_drop_references(op);
    while (region->first)
        mlc_block_destroy(region->first);
}
