// complex.c -- constants of complex numbers: arrays of two floats.
#include "mlc/dialects/complex.h"

#include "mlc/ir.h"

bool
mlc_complex_constant_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_complex_constant_value(op);
    return true;
}

bool
mlc_complex_constant_verify(MlcOp *op)
{
    MlcAttr parts = mlc_complex_constant_value(op);
    MlcType element = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    if (mlc_array_attr_size(parts) != 2)
        return mlc_op_error(
            op, "requires 'value' to be a complex constant, represented as array of two values");
    MlcType re = mlc_attr_type(mlc_array_attr_element(parts, 0)),
            im = mlc_attr_type(mlc_array_attr_element(parts, 1));
    if (re != element || im != element)
        return mlc_op_error(op,
                            "requires attribute's element types ('%s', '%s') to match the element "
                            "type of the op's return type ('%s')",
                            re ? mlc_type_text(re) : "none", im ? mlc_type_text(im) : "none",
                            mlc_type_text(element));
    return true;
}

static unsigned
complex_bits(MlcType type)
{
    bool is_complex = mlc_type_is(type, MLC_TYPE_COMPLEX);
    return is_complex ? 2 * mlc_type_bit_width(mlc_type_element(type)) : mlc_type_bit_width(type);
}

static bool
is_scalar(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_COMPLEX) || mlc_type_is(type, MLC_TYPE_INTEGER) ||
           mlc_type_is_float(type);
}

bool
mlc_complex_bitcast_verify(MlcOp *op)
{
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    if (from == to)
        return true; // folds away
    if (!is_scalar(from))
        return mlc_op_error(op, "operand must be int/float/complex");
    if (!is_scalar(to))
        return mlc_op_error(op, "result must be int/float/complex");
    if (mlc_type_is(from, MLC_TYPE_COMPLEX) == mlc_type_is(to, MLC_TYPE_COMPLEX))
        return mlc_op_error(op, "requires that either input or output has a complex type");
    if (complex_bits(from) != complex_bits(to))
        return mlc_op_error(op, "casting bitwidths do not match");
    return true;
}
