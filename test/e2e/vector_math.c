// vector_math.c -- ARTEFACT [STRIDE]: the functions of vector_math.mlir, as compiled, on floats of
// all kinds against double.
//
// Inputs are every STRIDE-th of the 2^32 floats (1: all of them, which takes minutes) and, of each
// sign and exponent, those at both ends and in the middle. The largest error of each function in
// units in the last place (ulp) must be within its bound. An ulp is that of the exact result, but
// at least that of the function's scale where the result is what is left of a difference.
#include "mlc/runtime.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 65536, DEFAULT_STRIDE = 4099 };

static double
sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double
softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double
gelu(double x)
{
    return x == -INFINITY ? NAN
                          : 0.5 * x * erfc(-x / sqrt(2)); // -inf * 0, as the sum of ONNX has it
}

static double
gelu_tanh(double x)
{
    double inner = 0.79788456080286536 * (x + 0.044715 * x * x * x);
    return x == -INFINITY ? NAN : x / (1 + exp(-2 * inner));
}

static double
elu(double x)
{
    return x < 0 ? expm1(x) : x;
}

static double
selu(double x)
{
    return (double)1.05070102f * (x < 0 ? (double)1.67326319f * expm1(x) : x);
}

// What an ulp is taken of beside the result.
typedef enum Scale { RESULT, NORMAL, ARGUMENT } Scale;

static const struct {
    const char *name;
    double (*unary)(double x);
    double (*binary)(double x, double y);
    Scale scale;
    double bound;
} functions[] = {
    {"exp", exp, NULL, RESULT, 1.02},        {"log", log, NULL, RESULT, 0.51},
    {"tanh", tanh, NULL, RESULT, 5},         {"erf", erf, NULL, RESULT, 6.2},
    {"sigmoid", sigmoid, NULL, NORMAL, 2.5}, {"softplus", softplus, NULL, NORMAL, 3},
    {"gelu", gelu, NULL, ARGUMENT, 3.4},     {"gelu_tanh", gelu_tanh, NULL, ARGUMENT, 3.1},
    {"sin", sin, NULL, RESULT, 0.51},        {"cos", cos, NULL, RESULT, 0.51},
    {"pow", NULL, pow, RESULT, 0.51},        {"elu", elu, NULL, RESULT, 3.4},
    {"selu", selu, NULL, RESULT, 4.4},
};
enum { NUM_FUNCTIONS = sizeof functions / sizeof *functions };

typedef struct Worst {
    double error;
    float x, y, got;
} Worst;

static float
float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double
ulp_of(double x)
{
    int exponent = x == 0 ? -126 : ilogb(x);
    return ldexp(1, (exponent < -126 ? -126 : exponent > 127 ? 127 : exponent) - 23);
}

// Infinities count as the first number that is too large.
static double
error_of(double exact, float got, double least)
{
    double limit = ldexp(1, 128), held = got > limit ? limit : got < -limit ? -limit : got;
    if (isnan(exact) || isnan(got))
        return isnan(exact) && isnan(got) ? 0 : INFINITY;
    exact = exact > limit ? limit : exact < -limit ? -limit : exact;
    return fabs(held - exact) / ulp_of(fmax(fabs(exact), least));
}

static void
check(size_t f, const float *x, const float *y, const float *got, Worst *worst)
{
    for (size_t i = 0; i < CHUNK; i++) {
        double least = functions[f].scale == NORMAL ? FLT_MIN : 0;
        if (functions[f].scale == ARGUMENT)
            least = fmin(fabs(x[i]), FLT_MAX);
        double exact =
            functions[f].unary ? functions[f].unary(x[i]) : functions[f].binary(x[i], y[i]);
        double error = error_of(exact, got[i], least);
        if (error > worst->error)
            *worst = (Worst){error, x[i], y[i], got[i]};
    }
}

// The `i`-th input: first those at the ends and in the middle of each exponent, then by stride.
static float
nth_input(uint64_t i, uint64_t stride)
{
    static const uint32_t mantissas[] = {0, 1, 2, 0x2AAAAA, 0x400000, 0x5A827A, 0x7FFFFE, 0x7FFFFF};
    enum { COUNT = sizeof mantissas / sizeof *mantissas };
    if (i < 512 * COUNT)
        return float_of((uint32_t)(i / COUNT) << 23 | mantissas[i % COUNT]);
    return float_of((uint32_t)((i - 512 * COUNT) * stride));
}

// Exponents for pow: small integers, halves, and numbers of any size.
static float
nth_exponent(uint64_t i)
{
    uint32_t mixed = (uint32_t)(i * 0x9E3779B97F4A7C15u >> 32);
    switch (mixed & 3) {
    case 0:
        return (float)(int)(mixed >> 2 & 31) - 16;
    case 1:
        return ((float)(int)(mixed >> 2 & 255) - 128) / 2;
    case 2:
        return ldexpf((float)(mixed >> 8) - 0x1p23f, -23);
    default:
        return float_of(mixed);
    }
}

static bool
run_chunk(MlcSession *session, const float *x, const float *y, Worst *worst, MlcRtError *error)
{
    int64_t dims[] = {CHUNK};
    const float *inputs[] = {x, y};
    for (int32_t i = 0; i < 2; i++) {
        MlcRtTensor tensor = {MLC_RT_F32, 1, dims, (void *)inputs[i]};
        if (!mlc_session_set_input(session, i, &tensor, error))
            return false;
    }
    if (!mlc_session_run(session, error))
        return false;
    for (int32_t f = 0; f < NUM_FUNCTIONS; f++)
        check((size_t)f, x, y, mlc_session_output(session, f)->data, &worst[f]);
    return true;
}

static bool
run_all(MlcSession *session, uint64_t stride, Worst *worst, MlcRtError *error)
{
    static float x[CHUNK], y[CHUNK];
    uint64_t count = 4096 + (((uint64_t)1 << 32) + stride - 1) / stride;
    for (uint64_t first = 0; first < count; first += CHUNK) {
        for (size_t i = 0; i < CHUNK; i++) {
            x[i] = nth_input(first + i < count ? first + i : 0, stride);
            y[i] = nth_exponent(first + i);
        }
        if (!run_chunk(session, x, y, worst, error))
            return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    char *end = "";
    uint64_t stride = argc > 2 ? strtoull(argv[2], &end, 10) : DEFAULT_STRIDE;
    if (argc < 2 || argc > 3 || *end || stride == 0) {
        fprintf(stderr, "usage: vector_math ARTEFACT [STRIDE]\n");
        return 2;
    }
    MlcRtError error = {0};
    Worst worst[NUM_FUNCTIONS] = {0};
    MlcModel *model = mlc_model_load(argv[1], NULL, &error);
    MlcSessionOptions options = {MLC_SIZED(MlcSessionOptions), .threads = 1};
    MlcSession *session = model ? mlc_session_create(model, &options, &error) : NULL;
    if (!session || mlc_model_num_outputs(model) != NUM_FUNCTIONS ||
        !run_all(session, stride, worst, &error)) {
        printf("FAIL %s: %s\n", argv[1], error.message);
        return 1;
    }
    int failed = 0;
    for (size_t f = 0; f < NUM_FUNCTIONS; f++) {
        bool good = worst[f].error <= functions[f].bound;
        printf("%s %-9s %.2f ulp at %.9g, %.9g: %.9g\n", good ? "ok  " : "FAIL", functions[f].name,
               worst[f].error, (double)worst[f].x, (double)worst[f].y, (double)worst[f].got);
        failed += !good;
    }
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    printf("%d passed, %d failed\n", NUM_FUNCTIONS - failed, failed);
    return failed != 0;
}
