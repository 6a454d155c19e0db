// infer.c -- reading shapes and attributes, and what sizes become.
#include "infer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

bool
mlc_infer_report(Infer *in, MlcInferReport as, const char *format, ...)
{
    if (!in->op)
        return false;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return as(in->op, "%s", text);
}

// What may be left out is told to builders all the same: the record says `infers`.
MlcAttr
mlc_infer_attr(const Infer *in, const char *name)
{
    const MlcOpDef *def = in->op ? mlc_op_def(in->op) : in->state->def;
    int index = mlc_op_def_attr_slot(def, mlc_str(name));
    const MlcAttrSlot *slot = index < 0 ? NULL : &def->attrs[index];
    assert(!slot || slot->infers || !(slot->optional || slot->default_text));
    if (in->op)
        return slot ? mlc_op_slot(in->op, (size_t)index) : NULL;
    for (size_t i = 0; i < in->state->num_attrs; i++)
        if (mlc_str_equal(mlc_string_attr_value(in->state->attrs[i].name), mlc_str(name)))
            return in->state->attrs[i].value;
    return slot ? mlc_context_default_attr(in->ctx, slot) : NULL;
}

bool
mlc_infer_shape(Infer *in, MlcType type, Shape *shape)
{
    *shape = (Shape){.ranked = mlc_type_has_rank(type)};
    if (!shape->ranked)
        return true;
    shape->rank = mlc_type_rank(type);
    if (shape->rank > MLC_SMALL_RANK)
        return beyond(in, "rank %zu is more than %d", shape->rank, MLC_SMALL_RANK);
    MlcAttr encoding = mlc_type_is(type, MLC_TYPE_TENSOR) ? mlc_tensor_type_encoding(type) : NULL;
    MlcAttr names = encoding && mlc_attr_isa(encoding, "graph.dims")
                        ? mlc_dialect_attr_param(encoding, 0)
                        : NULL;
    for (size_t i = 0; i < shape->rank; i++) {
        shape->dims[i] = mlc_type_dim(type, i);
        if (shape->dims[i] == MLC_DYNAMIC && names && i < mlc_array_attr_size(names))
            shape->names[i] = mlc_array_attr_element(names, i);
    }
    return true;
}

MlcType
mlc_infer_type(Infer *in, const Shape *shape)
{
    if (!shape->ranked)
        return mlc_unranked_tensor_type_get(in->element);
    MlcAttr names[MLC_SMALL_RANK], encoding = NULL;
    bool any = false;
    for (size_t i = 0; i < shape->rank; i++) {
        bool named = shape->dims[i] == MLC_DYNAMIC && is_named(shape->names[i]);
        any |= named;
        names[i] = named ? shape->names[i] : mlc_string_attr_get(in->ctx, mlc_str(""));
    }
    if (any) {
        MlcAttr list = mlc_array_attr_get(in->ctx, names, shape->rank);
        const MlcAttrDef *def = mlc_context_attr(in->ctx, mlc_str("graph.dims"));
        encoding = mlc_dialect_attr_get(in->ctx, def, &list, 1);
    }
    return mlc_tensor_type_get(in->element, shape->dims, shape->rank, encoding);
}

bool
mlc_infer_axis(Infer *in, int64_t axis, size_t rank, size_t *positive)
{
    int64_t value = axis < 0 ? axis + (int64_t)rank : axis;
    if (value < 0 || value >= (int64_t)rank)
        return contradiction(in, "axis %" PRId64 " is out of range for rank %zu", axis, rank);
    *positive = (size_t)value;
    return true;
}

void
mlc_infer_set_size(Shape *shape, size_t i, MlcAttr size, int64_t dim)
{
    int64_t number;
    set_dim(shape, i, dim);
    if (dim == MLC_DYNAMIC && size && mlc_size_is_number(size, &number) && number >= 0)
        shape->dims[i] = number;
    else if (dim == MLC_DYNAMIC)
        shape->names[i] = size;
}

bool
mlc_infer_broadcast(Infer *in, Shape *result, const Shape *other)
{
    if (!result->ranked || !other->ranked) {
        result->ranked = false;
        return true;
    }
    Shape a = *result, b = *other;
    size_t rank = a.rank > b.rank ? a.rank : b.rank;
    result->rank = rank;
    for (size_t i = 0; i < rank; i++) {
        bool in_a = i + a.rank >= rank, in_b = i + b.rank >= rank;
        size_t ia = i + a.rank - rank, ib = i + b.rank - rank;
        if (!in_b || (in_a && b.dims[ib] == 1))
            copy_dim(result, i, &a, ia);
        else if (!in_a || a.dims[ia] == 1)
            copy_dim(result, i, &b, ib);
        else if (same_dim(in, &a, ia, &b, ib),
                 a.dims[ia] == MLC_DYNAMIC || a.dims[ia] == b.dims[ib])
            copy_dim(result, i, b.dims[ib] == MLC_DYNAMIC && a.names[ia] ? &a : &b,
                     b.dims[ib] == MLC_DYNAMIC && a.names[ia] ? ia : ib);
        else if (b.dims[ib] == MLC_DYNAMIC)
            copy_dim(result, i, &a, ia);
        else
            return contradiction(in, "sizes %" PRId64 " and %" PRId64 " do not broadcast",
                                 a.dims[ia], b.dims[ib]);
    }
    return true;
}

bool
mlc_infer_same_elements(Infer *in, size_t i, size_t k)
{
    MlcType a = mlc_type_element(operand_type(in, i)), b = mlc_type_element(operand_type(in, k));
    return a == b || contradiction(in, "operands have elements of types %s and %s",
                                   mlc_type_text(a), mlc_type_text(b));
}

bool
mlc_infer_sums(Infer *in)
{
    if (multiplies_bytes(in))
        in->element = sum_of_bytes(in);
    else if (!mlc_infer_same_elements(in, 0, 1))
        return false;
    else if (sums_wide(in))
        in->element = mlc_float_type_get(in->ctx, MLC_FLOAT_F32);
    else
        return num_operands(in) < 3 || mlc_infer_same_elements(in, 0, 2);
    return num_operands(in) < 3 || mlc_type_element(operand_type(in, 2)) == in->element ||
           contradiction(in, "a bias of type %s to sums of %s", mlc_type_text(operand_type(in, 2)),
                         mlc_type_text(in->element));
}
