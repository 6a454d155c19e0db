// expand.c -- the pass `calc-expand`: products in place of powers, by repeated squaring.
#include "mlc/dialects/calc.h"
#include "mlc/ir.h"
#include "mlc/pass.h"

// x to the power of 13 = 8 + 4 + 1 is x^8 * x^4 * x: one square for each binary digit.
static MlcValue *
build_power(MlcBuilder *b, MlcValue *x, int64_t exponent)
{
    MlcType type = mlc_value_type(x);
    MlcValue *product = NULL;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1)
            product = product ? mlc_calc_mul(b, type, product, x) : x;
        if (exponent > 1)
            x = mlc_calc_mul(b, type, x, x);
    }
    return product;
}

static bool
expand(MlcOp *power)
{
    int64_t exponent = mlc_calc_power_exponent(power);
    if (exponent < 1)
        return mlc_op_error(power, "cannot be expanded: its exponent is %lld", (long long)exponent);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(power));
    mlc_builder_before(&b, power);
    MlcValue *product = build_power(&b, mlc_calc_power_input(power), exponent);
    mlc_op_replace(power, &product, 1);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    bool ok = true;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_calc_power_isa(op))
            ok = expand(op) && ok;
    return ok;
}

MLC_PASS(calc_expand, .flag = "calc-expand", .summary = "Products in place of powers",
         .anchor = "func.func", .run = run)
