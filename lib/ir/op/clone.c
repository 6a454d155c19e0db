// clone.c -- deep copies. A region's blocks and ops are made first, with their results known, and
// get operands and regions in a second round: an operand may be defined further down (graph
// regions, loops in a CFG).
#include "op_check.h"

#include "mlc/support/alloc.h"

struct MlcCloneMap {
    MlcMap map; // values and blocks: their addresses do not meet
};

MlcCloneMap *
mlc_clone_map_create(void)
{
    return mlc_calloc(1, sizeof(MlcCloneMap));
}

void
mlc_clone_map_destroy(MlcCloneMap *map)
{
    if (!map)
        return;
    mlc_map_release(&map->map);
    mlc_free(map);
}

void
mlc_clone_map_set(MlcCloneMap *map, const MlcValue *from, MlcValue *to)
{
    MLC_CHECK_VALUE(from);
    MLC_CHECK_VALUE(to);
    mlc_map_set(&map->map, from, to);
}

MlcValue *
mlc_clone_map_get(const MlcCloneMap *map, MlcValue *from)
{
    MLC_CHECK_VALUE(from);
    MlcValue *to = mlc_map_get(&map->map, from);
    return to ? to : from;
}

void
mlc_clone_map_set_block(MlcCloneMap *map, const MlcBlock *from, MlcBlock *to)
{
    MLC_CHECK_BLOCK(from);
    MLC_CHECK_BLOCK(to);
    mlc_map_set(&map->map, from, to);
}

static MlcBlock *
mapped_block(const MlcCloneMap *map, MlcBlock *from)
{
    MlcBlock *to = mlc_map_get(&map->map, from);
    return to ? to : from;
}

// The op without operands' values, successors' blocks and regions' bodies.
static MlcOp *
clone_shell(MlcOp *op, MlcCloneMap *map)
{
    MlcOp *copy = mlc_op_alloc(op->ctx, op->def, op->loc, op->num_operands, op->num_results,
                               op->num_successors, op->num_regions);
    copy->dict = op->dict;
    memcpy(mlc_op_slots_(copy), mlc_op_slots_(op), op->num_slots * sizeof(MlcAttr));
    MlcValue *from = mlc_op_results_(op), *to = mlc_op_results_(copy);
    for (uint32_t i = 0; i < op->num_results; i++) {
        to[i].type = from[i].type;
        to[i].index = i;
        mlc_clone_map_set(map, &from[i], &to[i]);
    }
    return copy;
}

static void
clone_references(MlcOp *op, MlcOp *copy, MlcCloneMap *map)
{
    for (uint32_t i = 0; i < op->num_operands; i++)
        if (op->operands[i].value)
            mlc_use_link_(&copy->operands[i], mlc_clone_map_get(map, op->operands[i].value));
    MlcBlockUse *from = mlc_op_successors_(op), *to = mlc_op_successors_(copy);
    for (uint32_t i = 0; i < op->num_successors; i++)
        if (from[i].block)
            mlc_block_use_link_(&to[i], mapped_block(map, from[i].block));
}

static void
clone_region(MlcRegion *from, MlcRegion *to, MlcCloneMap *map)
{
    MlcBlock *last = to->last; // what is there stays in front
    for (MlcBlock *block = from->first; block; block = block->next) {
        MlcBlock *copy = mlc_block_create(block->ctx);
        mlc_map_set(&map->map, block, copy);
        for (uint32_t i = 0; i < block->num_args; i++)
            mlc_clone_map_set(
                map, &block->args[i]->value,
                mlc_block_add_arg(copy, block->args[i]->value.type, block->args[i]->loc));
        for (MlcOp *op = block->first; op; op = op->next)
            mlc_block_link_op(copy, clone_shell(op, map), NULL);
        copy->region = to;
        copy->prev = to->last;
        *(to->last ? &to->last->next : &to->first) = copy;
        to->last = copy;
    }
    MlcBlock *copy_block = last ? last->next : to->first;
    for (MlcBlock *block = from->first; block; block = block->next, copy_block = copy_block->next) {
        MlcOp *copy = copy_block->first;
        for (MlcOp *op = block->first; op; op = op->next, copy = copy->next) {
            clone_references(op, copy, map);
            for (uint32_t r = 0; r < op->num_regions; r++)
                clone_region(mlc_op_regions_(op) + r, mlc_op_regions_(copy) + r, map);
        }
    }
}

static size_t
count_mapped(MlcOp *root)
{
    size_t count = 0;
    MLC_FOR_EACH_PREORDER (op, root) {
        count += op->num_results;
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            count += 1 + block->num_args;
    }
    return count;
}

static MlcOp *
clone_op(MlcOp *op, MlcCloneMap *map, bool with_regions)
{
    MlcCloneMap own = {0};
    if (!map)
        map = &own;
    if (with_regions && op->num_regions)
        mlc_map_reserve(&map->map, mlc_map_size(&map->map) + count_mapped(op));
    MlcOp *copy = clone_shell(op, map);
    clone_references(op, copy, map);
    for (uint32_t r = 0; with_regions && r < op->num_regions; r++)
        clone_region(mlc_op_regions_(op) + r, mlc_op_regions_(copy) + r, map);
    mlc_map_release(&own.map);
    return copy;
}

MlcOp *
mlc_op_clone(MlcOp *op, MlcCloneMap *map)
{
    MLC_CHECK_OP(op);
    return clone_op(op, map, true);
}

MlcOp *
mlc_op_clone_without_regions(MlcOp *op, MlcCloneMap *map)
{
    MLC_CHECK_OP(op);
    return clone_op(op, map, false);
}

void
mlc_region_clone_into(MlcRegion *from, MlcRegion *to, MlcCloneMap *map)
{
    MlcCloneMap own = {0};
    clone_region(from, to, map ? map : &own);
    mlc_map_release(&own.map);
    if (to->parent)
        mlc_count_edit(to->parent);
}
