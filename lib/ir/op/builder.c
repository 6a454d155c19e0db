// builder.c -- making ops at a place.
#include "mlc/ir/builder.h"

#include "mlc/ir/interfaces.h"
#include "mlc/ir/loc.h"
#include "op_check.h"

void
mlc_builder_init(MlcBuilder *b, MlcContext *ctx)
{
    *b = (MlcBuilder){.ctx = ctx, .loc = mlc_loc_unknown(ctx)};
}

void
mlc_builder_before(MlcBuilder *b, MlcOp *op)
{
    MLC_CHECK_OP(op);
    b->block = op->block;
    b->before = op;
    b->loc = op->loc;
}

void
mlc_builder_after(MlcBuilder *b, MlcOp *op)
{
    MLC_CHECK_OP(op);
    b->block = op->block;
    b->before = op->next;
    b->loc = op->loc;
}

void
mlc_builder_at_end(MlcBuilder *b, MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    b->block = block;
    b->before = NULL;
}

void
mlc_builder_at_start(MlcBuilder *b, MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    b->block = block;
    b->before = block->first;
}

MlcOp *
mlc_builder_insert(MlcBuilder *b, MlcOp *op)
{
    MLC_CHECK_OP(op);
    if (b->before)
        mlc_op_insert_before(op, b->before);
    else if (b->block)
        mlc_block_append(b->block, op);
    if (b->inserted)
        b->inserted(b, op);
    return op;
}

MlcOp *
mlc_builder_create(MlcBuilder *b, const MlcOpState *state)
{
    MLC_CHECK_STATE(b, state);
    MlcOpState located = *state;
    if (!located.loc)
        located.loc = b->loc;
    return mlc_builder_insert(b, mlc_op_create(b->ctx, &located));
}

MlcOp *
mlc_with_attr(MlcOp *op, const char *name, MlcAttr value)
{
    MLC_CHECK_OP(op);
    mlc_op_set_attr(op, name, value);
    return op;
}

MlcNamedAttr
mlc_named(MlcContext *ctx, const char *name, MlcAttr value)
{
    return (MlcNamedAttr){mlc_string_attr_get(ctx, mlc_str(name)), value};
}

MlcBlock *
mlc_builder_create_block(MlcBuilder *b, MlcRegion *region, const MlcType *arg_types,
                         size_t num_args)
{
    MlcBlock *block = mlc_block_create(b->ctx);
    for (size_t i = 0; i < num_args; i++)
        mlc_block_add_arg(block, arg_types[i], b->loc);
    mlc_region_append(region, block);
    mlc_builder_at_end(b, block);
    return block;
}
