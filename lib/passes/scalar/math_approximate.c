// math_approximate.c -- functions that no target has an instruction for, as arithmetic.
//
// exp is 2^n * p(r) with x = n ln 2 + r (Cody and Waite's reduction, Cephes' polynomial), 2^n in
// two factors, so that results that are denormal, 0 or infinite come out right; 1 ulp. With
// `instructions`, AVX-512's vscalefps is 2^n and takes nine ops' place. tanh and erf
// become rational functions of x on the interval where they are not yet +-1 to the last bit (the
// coefficients are Eigen's, `ptanh_float` and `erf_float`), on scalars and vectors of f32 alike, so
// that they stay vectors; log, pow, sin and cos are computed in f64. f16 and bf16 go by way of f32;
// elements of f64 are left as they are. Errors over all floats are measured by
// test/e2e/vector_math.c and stated in docs/numerics.md. NaN stays NaN.
#include "math_in_doubles.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/math.h"
#include "mlc/machine.h"
#include "mlc/pass.h"

#include "mlc/ir.h"

static MlcValue *
fma_constant(MlcBuilder *b, MlcValue *x, MlcValue *y, double c)
{
    MlcType type = mlc_value_type(x);
    return mlc_math_fma(b, x, y, mlc_build_float(b, type, c));
}

// 2^i, for -126 <= i <= 127, by the bits of a float.
static MlcValue *
power_of_two(MlcBuilder *b, MlcValue *i, MlcType f32)
{
    MlcType type = mlc_value_type(i);
    MlcValue *biased = mlc_arith_addi(b, i, mlc_build_int(b, type, 127));
    MlcValue *bits = mlc_arith_shli(b, biased, mlc_build_int(b, type, 23));
    return mlc_arith_bitcast(b, f32, bits);
}

// p * 2^n by arithmetic on the bits. An integer from NaN would be poison; p is NaN already where x
// is.
static MlcValue *
scale_by_bits(MlcBuilder *b, MlcValue *p, MlcValue *n, MlcValue *x)
{
    MlcType f32 = mlc_value_type(x),
            i32 = mlc_type_with_element(f32, mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS));
    MlcValue *is_nan = mlc_build_compare(b, MLC_ARITH_CMPF_PREDICATE_UNO, x, x);
    n = mlc_build_select(b, is_nan, mlc_build_float(b, f32, 0), n);
    MlcValue *i = mlc_arith_fptosi(b, i32, n);
    MlcValue *half = mlc_arith_shrsi(b, i, mlc_build_int(b, i32, 1));
    MlcValue *rest = mlc_arith_subi(b, i, half);
    p = mlc_arith_mulf(b, p, power_of_two(b, half, f32));
    return mlc_arith_mulf(b, p, power_of_two(b, rest, f32));
}

// p * 2^n by vscalefps, of as many lanes as it has; NULL: not on this machine. On x86-64, masks at
// full speed are AVX-512's.
static MlcValue *
scale_by_instruction(MlcBuilder *b, MlcValue *p, MlcValue *n, const MlcTargetDesc *target)
{
    enum { ROUND_AS_ALWAYS = 4 };
    MlcType type = mlc_value_type(p);
    bool is_vector = mlc_type_is(type, MLC_TYPE_VECTOR) && mlc_type_rank(type) == 1;
    int64_t lanes = is_vector ? mlc_type_dim(type, 0) : 0;
    const char *name = lanes == 16  ? "llvm.x86.avx512.mask.scalef.ps.512"
                       : lanes == 8 ? "llvm.x86.avx512.mask.scalef.ps.256"
                       : lanes == 4 ? "llvm.x86.avx512.mask.scalef.ps.128"
                                    : NULL;
    if (!target || !target->has_masks || strncmp(target->triple, "x86_64", 6) != 0 ||
        lanes * 32 > (int64_t)target->vector_bits || !name)
        return NULL;
    MlcType mask = mlc_integer_type_get(b->ctx, lanes == 16 ? 16 : 8, MLC_SIGNLESS);
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcValue *operands[] = {p, n, p, mlc_build_int(b, mask, -1), NULL};
    if (lanes == 16)
        operands[4] = mlc_build_int(b, i32, ROUND_AS_ALWAYS);
    size_t count = lanes == 16 ? 5 : 4;
    return mlc_op_result(mlc_llvm_call_intrinsic(b, type, operands, count, mlc_str(name)), 0);
}

// `target`: whose instructions may be taken; NULL: none.
static MlcValue *
build_exp(MlcBuilder *b, MlcValue *const *operands, const MlcTargetDesc *target)
{
    static const double coefficients[] = {1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                                          1.6666665459e-1, 5.0000001201e-1};
    enum { OLT = MLC_ARITH_CMPF_PREDICATE_OLT };
    MlcValue *x = operands[0];
    MlcType f32 = mlc_value_type(x);
    MlcValue *top = mlc_build_float(b, f32, 89), *bottom = mlc_build_float(b, f32, -104);
    MlcValue *capped = mlc_build_select(b, mlc_build_compare(b, OLT, top, x), top, x); // NaN stays
    capped = mlc_build_select(b, mlc_build_compare(b, OLT, capped, bottom), bottom, capped);
    MlcValue *scaled = mlc_arith_mulf(b, capped, mlc_build_float(b, f32, 1.44269504088896341));
    MlcValue *n = mlc_math_roundeven(b, scaled);
    MlcValue *r = mlc_math_fma(b, n, mlc_build_float(b, f32, -0.693359375), capped);
    r = mlc_math_fma(b, n, mlc_build_float(b, f32, 2.12194440e-4), r);
    MlcValue *p = mlc_build_float(b, f32, 1.9875691500e-4);
    for (size_t i = 0; i < sizeof coefficients / sizeof *coefficients; i++)
        p = fma_constant(b, p, r, coefficients[i]);
    MlcValue *square = mlc_arith_mulf(b, r, r);
    p = mlc_math_fma(b, p, square, r);
    p = mlc_arith_addf(b, p, mlc_build_float(b, f32, 1));
    MlcValue *result = scale_by_instruction(b, p, n, target);
    return result ? result : scale_by_bits(b, p, n, x);
}

typedef struct Approximation {
    const char *op;
    MlcValue *(*build)(MlcBuilder *b, MlcValue *const *operands); // of f32; NULL: by `body`
    const char *body;                                             // over x; NULL: exp
} Approximation;

static const Approximation approximations[] = {
    {"math.exp", NULL, NULL},
    {"math.log", mlc_build_log_in_doubles, NULL},
    {"math.powf", mlc_build_pow_in_doubles, NULL},
    {"math.sin", mlc_build_sin_in_doubles, NULL},
    {"math.cos", mlc_build_cos_in_doubles, NULL},
    {"math.tanh", NULL,
     "q = x * x;"
     "p = ((((((-2.76076847742355e-16 * q + 2.00018790482477e-13) * q + -8.60467152213735e-11) * q"
     "       + 5.12229709037114e-08) * q + 1.48572235717979e-05) * q + 6.37261928875436e-04) * q"
     "    + 4.89352455891786e-03);"
     "d = (((1.19825839466702e-06 * q + 1.18534705686654e-04) * q + 2.26843463243900e-03) * q"
     "    + 4.89352518554385e-03);"
     "select(7.99881172180175781 < x, 1, select(x < -7.99881172180175781, -1,"
     "x * (p / d)))"},
    {"math.erf", NULL,
     "q = x * x;"
     "p = ((((((-2.72614225801306e-10 * q + 2.77068142495902e-08) * q + -2.10102402082508e-06) * q"
     "       + -5.69250639462346e-05) * q + -7.34990630326855e-04) * q + -2.95459980854025e-03) * q"
     "    + -1.60960333262415e-02);"
     "d = ((((-1.45660718464996e-05 * q + -2.13374055278905e-04) * q + -1.68282697438203e-03) * q"
     "      + -7.37332916720468e-03) * q + -1.42647390514189e-02);"
     "select(3.8325068569 < x, 1, select(x < -3.8325068569, -1,"
     "x * (p / d)))"},
};

static bool
expand(MlcOp *op, const Approximation *approximation, const MlcTargetDesc *target)
{
    static const char *const names[] = {"x"};
    MlcContext *ctx = mlc_op_context(op);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    unsigned bits = mlc_type_bit_width(mlc_type_element(type));
    MlcType f32 = mlc_type_with_element(type, mlc_float_type_get(ctx, MLC_FLOAT_F32));
    if (bits > 32)
        return true;
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    MlcValue *operands[2] = {NULL}, *result;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        operands[i] = mlc_op_operand(op, i);
        if (bits < 32)
            operands[i] = mlc_arith_extf(&b, f32, operands[i]);
    }
    MlcBody body = {.text = approximation->body,
                    .names = names,
                    .values = operands,
                    .num_values = 1,
                    .element = f32,
                    .fastmath = mlc_op_attr(op, "fastmath")};
    if (approximation->build)
        result = approximation->build(&b, operands);
    else if (!approximation->body)
        result = build_exp(&b, operands, target);
    else if (mlc_body_build(&b, &body, &result, 1) != 1)
        return false;
    if (bits < 32)
        result = mlc_arith_truncf(&b, type, result);
    mlc_op_replace(op, &result, 1);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    for (size_t i = 0; i < sizeof approximations / sizeof *approximations; i++)
        if (strcmp(approximations[i].op, op->name) == 0)
            return true;
    return false;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool ok = true;
    const MlcTargetDesc *target =
        mlc_pass_option_bool(pass, "instructions") ? mlc_pass_target(pass) : NULL;
    MLC_FOR_EACH_POSTORDER (op, root)
        for (size_t i = 0; i < sizeof approximations / sizeof *approximations; i++)
            if (mlc_op_is_named(op, approximations[i].op)) {
                ok &= expand(op, &approximations[i], target);
                mlc_pass_count(pass, "expanded", 1);
                break;
            }
    return ok;
}

static const char *const dialects[] = {"arith", "llvm", "math", NULL};
static const MlcPassOption options[] = {
    {"instructions", MLC_OPTION_BOOL, NULL, "take instructions that the target alone has"},
};

MLC_PASS(math_approximate, .flag = "math-approximate",
         .summary = "Expand exp, log, pow, sin, cos, tanh and erf into arithmetic",
         .anchor = "func.func", .options = options, .num_options = sizeof options / sizeof *options,
         .dependent_dialects = dialects, .converts = converts, .run = run)
