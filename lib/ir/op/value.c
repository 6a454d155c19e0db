// value.c -- values and their uses.
#include "op_check.h"

MlcType
mlc_value_type(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->type;
}

static const MlcBlockArg *
as_arg(const MlcValue *value)
{
    assert(value->is_arg);
    return (const MlcBlockArg *)value;
}

void
mlc_value_set_type(MlcValue *value, MlcType type)
{
    MLC_CHECK_VALUE(value);
    if (value->type == type)
        return;
    value->type = type;
    if (value->is_arg)
        mlc_count_edit_in_block(as_arg(value)->block);
    else
        mlc_count_edit(mlc_result_owner_(value));
}

MlcOp *
mlc_value_def(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->is_arg ? NULL : mlc_result_owner_(value);
}

MlcBlock *
mlc_value_block(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->is_arg ? as_arg(value)->block : NULL;
}

MlcBlock *
mlc_value_parent_block(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->is_arg ? as_arg(value)->block : mlc_result_owner_(value)->block;
}

size_t
mlc_value_index(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->index;
}

MlcContext *
mlc_value_context(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->type->ctx;
}

MlcLoc
mlc_value_loc(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->is_arg ? as_arg(value)->loc : mlc_result_owner_(value)->loc;
}

bool
mlc_value_is_inside(const MlcValue *value, const MlcOp *op)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_VALUE(value);
    MlcBlock *block = mlc_value_parent_block(value);
    MlcOp *parent = block ? mlc_block_parent(block) : NULL;
    return parent && mlc_op_is_ancestor(op, parent);
}

MlcUse *
mlc_value_first_use(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->first_use;
}

bool
mlc_value_has_uses(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->first_use != NULL;
}

bool
mlc_value_has_one_use(const MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    return value->first_use && !value->first_use->next;
}

void
mlc_value_replace_uses(MlcValue *value, MlcValue *with)
{
    MLC_CHECK_VALUE(value);
    MLC_CHECK_VALUE(with);
    while (value != with && value->first_use)
        mlc_use_set(value->first_use, with);
}

void
mlc_value_replace_uses_if(MlcValue *value, MlcValue *with, bool (*keep)(MlcUse *use, void *user),
                          void *user)
{
    MLC_CHECK_VALUE(value);
    MLC_CHECK_VALUE(with);
    if (value == with)
        return;
    MLC_FOR_EACH_USE_SAFE (use, value)
        if (keep(use, user))
            mlc_use_set(use, with);
}

MlcUse *
mlc_use_next(const MlcUse *use)
{
    return use->next;
}

MlcOp *
mlc_use_owner(const MlcUse *use)
{
    return use->owner;
}

size_t
mlc_use_index(const MlcUse *use)
{
    return (size_t)(use - use->owner->operands);
}

MlcValue *
mlc_use_value(const MlcUse *use)
{
    return use->value;
}

void
mlc_use_set(MlcUse *use, MlcValue *value)
{
    MLC_CHECK_VALUE(value);
    if (use->value == value)
        return;
    mlc_use_unlink_(use);
    if (value)
        mlc_use_link_(use, value);
    mlc_count_edit(use->owner);
}
