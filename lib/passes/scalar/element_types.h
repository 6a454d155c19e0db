// element_types.h -- types of the same shape with other elements.
#ifndef MLC_PASSES_ELEMENT_TYPES_H
#define MLC_PASSES_ELEMENT_TYPES_H

#include "mlc/ir.h"

// The type of `value` with integers so wide as elements, or floats of that kind; a scalar of a
// scalar.
static inline MlcType
mlc_ints_like(MlcValue *value, unsigned width)
{
    MlcContext *ctx = mlc_value_context(value);
    return mlc_type_with_element(mlc_value_type(value),
                                 mlc_integer_type_get(ctx, width, MLC_SIGNLESS));
}

static inline MlcType
mlc_floats_like(MlcValue *value, MlcFloatKind kind)
{
    return mlc_type_with_element(mlc_value_type(value),
                                 mlc_float_type_get(mlc_value_context(value), kind));
}

#endif
