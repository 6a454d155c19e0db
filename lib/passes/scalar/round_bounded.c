// round_bounded.c -- reals between small bounds become integers by one addition.
//
// What graph.quantize is: rounded to nearest, halves to even, a zero point added, held between two
// integers, made an integer. Where all three are constants, holding first and rounding then gives
// the same, since rounding keeps order and integers:
//
//   hold(round(x) + z, low, high)  =  round(hold(x, low - z, high - z)) + z
//
// and a number of at most 2^22 is rounded by adding 1.5 * 2^23, whose last bit counts ones: the
// sum's bits, less those of 1.5 * 2^23, are the integer. So an addition takes the place of
// roundeven and fptosi, and where only the last byte is kept, nothing is taken off. NaN is the
// lower bound before and after.
#include "mlc/ir.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/math.h"

#include <math.h>

enum {
    MOST = 1 << 20,    // of the bounds and the zero point
    MAGIC = 0x4B400000 // the bits of 1.5 * 2^23
};

typedef struct Bounded {
    MlcValue *x;
    double zero_point, low, high;
} Bounded;

// The integer of a constant of f32, or of all of its elements.
static bool
read_integer(MlcValue *value, double *number)
{
    MlcAttr attr = mlc_value_constant(value);
    if (attr && mlc_attr_is(attr, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(attr))
        attr = mlc_elements_attr_element(attr, 0);
    if (!attr || !mlc_attr_is(attr, MLC_ATTR_FLOAT))
        return false;
    *number = mlc_float_attr_as_double(attr);
    return fabs(*number) <= MOST && *number == floor(*number);
}

// select(value `predicate` bound, value, bound), as graph.quantize writes it.
static MlcValue *
held(MlcValue *value, MlcArithCmpfPredicate predicate, double *bound)
{
    MlcOp *select = mlc_value_def(value);
    MlcOp *compare = mlc_arith_select_isa(select) ? mlc_value_def(mlc_op_operand(select, 0)) : NULL;
    if (!mlc_arith_cmpf_isa(compare) || mlc_arith_cmpf_predicate(compare) != predicate ||
        mlc_op_operand(compare, 0) != mlc_op_operand(select, 1) ||
        mlc_op_operand(compare, 1) != mlc_op_operand(select, 2) ||
        !read_integer(mlc_op_operand(select, 2), bound))
        return NULL;
    return mlc_op_operand(select, 1);
}

static bool
is_of_bits(MlcType type, MlcTypeKind kind, unsigned bits)
{
    MlcType element = mlc_type_element(type);
    return mlc_type_is(element, kind) && mlc_type_bit_width(element) == bits;
}

static bool
is_bounded(MlcOp *cast, Bounded *bounded)
{
    MlcValue *value = mlc_op_operand(cast, 0);
    if (!is_of_bits(mlc_value_type(value), MLC_TYPE_FLOAT, 32) ||
        !is_of_bits(mlc_op_result_type(cast, 0), MLC_TYPE_INTEGER, 32))
        return false;
    value = held(value, MLC_ARITH_CMPF_PREDICATE_OLT, &bounded->high);
    value = value ? held(value, MLC_ARITH_CMPF_PREDICATE_OGT, &bounded->low) : NULL;
    MlcOp *add = value ? mlc_value_def(value) : NULL;
    bounded->zero_point = 0;
    if (mlc_arith_addf_isa(add) && read_integer(mlc_op_operand(add, 1), &bounded->zero_point))
        value = mlc_op_operand(add, 0);
    MlcOp *round = value ? mlc_value_def(value) : NULL;
    bounded->x = mlc_math_roundeven_isa(round) ? mlc_op_operand(round, 0) : NULL;
    return bounded->x && bounded->low <= bounded->high;
}

static bool
only_low_bytes_are_used(MlcOp *op)
{
    MLC_FOR_EACH_USE (use, mlc_op_result(op, 0)) {
        MlcOp *user = mlc_use_owner(use);
        if (!mlc_arith_trunci_isa(user) ||
            mlc_type_bit_width(mlc_type_element(mlc_op_result_type(user, 0))) > 16)
            return false;
    }
    return true;
}

static MlcValue *
build(MlcBuilder *b, MlcOp *cast, const Bounded *bounded)
{
    MlcType f32 = mlc_value_type(bounded->x), i32 = mlc_op_result_type(cast, 0);
    MlcValue *x = bounded->x, *low = mlc_build_float(b, f32, bounded->low - bounded->zero_point),
             *high = mlc_build_float(b, f32, bounded->high - bounded->zero_point);
    x = mlc_build_select(b, mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_OGT, x, low), x, low);
    x = mlc_build_select(b, mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_OLT, x, high), x, high);
    x = mlc_arith_addf(b, x, mlc_build_float(b, f32, 0x1.8p23));
    MlcValue *bits = mlc_arith_bitcast(b, i32, x);
    int64_t more = (int64_t)bounded->zero_point - (only_low_bytes_are_used(cast) ? 0 : MAGIC);
    return more ? mlc_arith_addi(b, bits, mlc_build_int(b, i32, more)) : bits;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_pass_context(pass));
    MLC_FOR_EACH_POSTORDER (op, root) {
        Bounded bounded;
        if (!mlc_arith_fptosi_isa(op) || !is_bounded(op, &bounded))
            continue;
        mlc_builder_before(&b, op);
        MlcValue *integer = build(&b, op, &bounded);
        mlc_op_replace(op, &integer, 1);
        mlc_pass_count(pass, "rounded", 1);
    }
    return true;
}

static const char *const dialects[] = {"arith", NULL};

MLC_PASS(round_bounded, .flag = "round-bounded",
         .summary = "Round reals between small constant bounds by adding 1.5 * 2^23",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
