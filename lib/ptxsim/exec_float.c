// exec_float.c -- arithmetic on floats as IEEE 754 and the PTX ISA have it.
//
// f32 and f64 are the machine's own: each instruction rounds once, in the mode that it names, and
// NaNs of f32 become the canonical one. Halves are computed in double and rounded once (numeric.c).
// Approximations are exact here up to one rounding, which is within every documented error.
#include "exec_float.h"

#include <fenv.h>
#include <math.h>

#include "exec.h"
#include "exec_int.h"
#include "numeric.h"

static float
flush(float f)
{
    uint32_t bits = float_bits(f);
    return bits & 0x7f800000 ? f : bits_float(bits & 0x80000000);
}

static void
load_f32(const Warp *w, const Inst *in, unsigned operand, float *to)
{
    memcpy(to, lanes_of(w, &in->operand[operand]), LANES * sizeof *to);
    if (in->flags & FLAG_FTZ)
        FOR_LANES (l)
            to[l] = flush(to[l]);
}

static Step
store_f32(Warp *w, const Inst *in, uint32_t mask, const float *values)
{
    uint32_t out[LANES];
    memcpy(out, values, sizeof out);
    FOR_LANES (l)
        if (values[l] != values[l])
            out[l] = NAN_F32;
    if (in->flags & FLAG_FTZ)
        FOR_LANES (l)
            out[l] = out[l] & 0x7f800000 ? out[l] : out[l] & 0x80000000;
    if (in->flags & FLAG_SAT)
        FOR_LANES (l) {
            float f = bits_float(out[l]);
            out[l] = !(f > 0) ? 0 : f > 1 ? float_bits(1) : out[l];
        }
    put32(w, &in->operand[0], mask, out);
    return STEP_NEXT;
}

#define UNARY_F32(NAME, EXPR)                                                                      \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        float pa[LANES], out[LANES];                                                               \
        load_f32(w, in, 1, pa);                                                                    \
        FOR_LANES (l) {                                                                            \
            float a = pa[l];                                                                       \
            out[l] = (float)(EXPR);                                                                \
        }                                                                                          \
        return store_f32(w, in, mask, out);                                                        \
    }
#define BINARY_F32(NAME, EXPR)                                                                     \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        float pa[LANES], pb[LANES], out[LANES];                                                    \
        load_f32(w, in, 1, pa);                                                                    \
        load_f32(w, in, 2, pb);                                                                    \
        FOR_LANES (l) {                                                                            \
            float a = pa[l], b = pb[l];                                                            \
            out[l] = (float)(EXPR);                                                                \
        }                                                                                          \
        return store_f32(w, in, mask, out);                                                        \
    }
// NaNs of f64 keep their bits.
#define UNARY_F64(NAME, EXPR)                                                                      \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const uint64_t *pa = lanes_of(w, &in->operand[1]);                                         \
        uint64_t out[LANES];                                                                       \
        FOR_LANES (l) {                                                                            \
            double a = bits_double(pa[l]);                                                         \
            out[l] = double_bits(EXPR);                                                            \
        }                                                                                          \
        put64(w, &in->operand[0], mask, out);                                                      \
        return STEP_NEXT;                                                                          \
    }
#define BINARY_F64(NAME, EXPR)                                                                     \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const uint64_t *pa = lanes_of(w, &in->operand[1]), *pb = lanes_of(w, &in->operand[2]);     \
        uint64_t out[LANES];                                                                       \
        FOR_LANES (l) {                                                                            \
            double a = bits_double(pa[l]), b = bits_double(pb[l]);                                 \
            out[l] = double_bits(EXPR);                                                            \
        }                                                                                          \
        put64(w, &in->operand[0], mask, out);                                                      \
        return STEP_NEXT;                                                                          \
    }

// The smaller of two numbers, or the number of a number and a NaN; -0 is below +0.
static double
minimum(double a, double b, const Inst *in)
{
    if (a != a || b != b)
        return (in->flags & FLAG_NAN) || (a != a && b != b) ? __builtin_nan("") : a != a ? b : a;
    if (a == b)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}

static double
smaller(double a, double b, const Inst *in)
{
    if (!(in->flags & FLAG_XORSIGN))
        return minimum(a, b, in);
    double out = minimum(fabs(a), fabs(b), in);
    return signbit(a) != signbit(b) ? -out : out;
}

static double
larger(double a, double b, const Inst *in)
{
    if (!(in->flags & FLAG_XORSIGN))
        return -minimum(-a, -b, in);
    double out = -minimum(-fabs(a), -fabs(b), in);
    return signbit(a) != signbit(b) ? -out : out;
}

BINARY_F32(add_f32, a + b)
BINARY_F32(sub_f32, a - b)
BINARY_F32(mul_f32, a *b)
BINARY_F32(div_f32, a / b)
BINARY_F32(min_f32, smaller(a, b, in))
BINARY_F32(max_f32, larger(a, b, in))
UNARY_F32(rcp_f32, 1 / a)
UNARY_F32(sqrt_f32, sqrtf(a))
UNARY_F32(rcp_approx, 1 / (double)a)
UNARY_F32(rsqrt_approx, 1 / sqrt((double)a))
UNARY_F32(sqrt_approx, sqrt((double)a))
UNARY_F32(ex2_approx, exp2((double)a))
UNARY_F32(lg2_approx, log2((double)a))
UNARY_F32(sin_approx, sin((double)a))
UNARY_F32(cos_approx, cos((double)a))
UNARY_F32(tanh_approx, tanh((double)a))
BINARY_F64(add_f64, a + b)
BINARY_F64(sub_f64, a - b)
BINARY_F64(mul_f64, a *b)
BINARY_F64(div_f64, a / b)
BINARY_F64(min_f64, smaller(a, b, in))
BINARY_F64(max_f64, larger(a, b, in))
UNARY_F64(rcp_f64, 1 / a)
UNARY_F64(sqrt_f64, sqrt(a))
UNARY_F64(rsqrt_f64, 1 / sqrt(a))

// Signs of bits, also of NaNs.
#define SIGNS(NAME, L, PUT, EXPR)                                                                  \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]);                                                \
        L out[LANES];                                                                              \
        FOR_LANES (l) {                                                                            \
            L a = pa[l];                                                                           \
            out[l] = EXPR;                                                                         \
        }                                                                                          \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }
SIGNS(neg_f32, uint32_t, put32,
      float_bits(in->flags &FLAG_FTZ ? flush(bits_float(a)) : bits_float(a)) ^ 0x80000000)
SIGNS(abs_f32, uint32_t, put32,
      float_bits(in->flags &FLAG_FTZ ? flush(bits_float(a)) : bits_float(a)) & 0x7fffffff)
SIGNS(neg_f16, uint32_t, put32, a ^ 0x8000)
SIGNS(abs_f16, uint32_t, put32, a & 0x7fff)
SIGNS(neg_f16x2, uint32_t, put32, a ^ 0x80008000)
SIGNS(abs_f16x2, uint32_t, put32, a & 0x7fff7fff)
SIGNS(neg_f64, uint64_t, put64, a ^ UINT64_C(1) << 63)
SIGNS(abs_f64, uint64_t, put64, a & ~(UINT64_C(1) << 63))

static Step
copysign_f32(Warp *w, const Inst *in, uint32_t mask)
{
    const uint32_t *a = lanes_of(w, &in->operand[1]), *b = lanes_of(w, &in->operand[2]);
    uint32_t out[LANES];
    FOR_LANES (l)
        out[l] = (a[l] & 0x80000000) | (b[l] & 0x7fffffff);
    put32(w, &in->operand[0], mask, out);
    return STEP_NEXT;
}

static Step
copysign_f64(Warp *w, const Inst *in, uint32_t mask)
{
    const uint64_t *a = lanes_of(w, &in->operand[1]), *b = lanes_of(w, &in->operand[2]);
    uint64_t out[LANES];
    FOR_LANES (l)
        out[l] = (a[l] & UINT64_C(1) << 63) | (b[l] & ~(UINT64_C(1) << 63));
    put64(w, &in->operand[0], mask, out);
    return STEP_NEXT;
}

// The sums of a product take most of a model's time: lanes are written where they belong, NaNs
// being the canonical one. `out` may be one of the operands.
#define FMA_LOOP                                                                                   \
    FOR_LANES (l)                                                                                  \
    {                                                                                              \
        float f = __builtin_fmaf(a[l], b[l], c[l]);                                                \
        out[l] = f == f ? f : bits_float(NAN_F32);                                                 \
    }

#if defined(__x86_64__)
// The machine's own instruction, where there is one: libm's call costs ten times as much.
__attribute__((target("avx2,fma"))) static void
fma_lanes_fast(float *out, const float *a, const float *b, const float *c)
{
    FMA_LOOP
}
#endif

static void
fma_lanes(float *out, const float *a, const float *b, const float *c)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) {
        fma_lanes_fast(out, a, b, c);
        return;
    }
#endif
    FMA_LOOP
}

static Step
fma_f32(Warp *w, const Inst *in, uint32_t mask)
{
    const Operand *o = in->operand;
    if (mask == ALL_LANES && !(in->flags & (FLAG_FTZ | FLAG_SAT)) && o->kind == OPERAND_REG) {
        fma_lanes((float *)(w->lanes + o->at), lanes_of(w, &o[1]), lanes_of(w, &o[2]),
                  lanes_of(w, &o[3]));
        return STEP_NEXT;
    }
    float a[LANES], b[LANES], c[LANES], out[LANES];
    load_f32(w, in, 1, a);
    load_f32(w, in, 2, b);
    load_f32(w, in, 3, c);
    fma_lanes(out, a, b, c);
    return store_f32(w, in, mask, out);
}

static Step
fma_f64(Warp *w, const Inst *in, uint32_t mask)
{
    const uint64_t *a = lanes_of(w, &in->operand[1]), *b = lanes_of(w, &in->operand[2]),
                   *c = lanes_of(w, &in->operand[3]);
    uint64_t out[LANES];
    FOR_LANES (l)
        out[l] = double_bits(fma(bits_double(a[l]), bits_double(b[l]), bits_double(c[l])));
    put64(w, &in->operand[0], mask, out);
    return STEP_NEXT;
}

Step
ptx_rounded(Warp *w, const Inst *in, uint32_t mask)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    fesetround(modes[in->variant & 3]);
    Step step = in->inner(w, in, mask);
    fesetround(FE_TONEAREST);
    return step;
}

// --- halves, one or two of them in a register

static double
half_value(uint32_t bits, PtxType type, bool ftz)
{
    bits &= 0xffff;
    if (type == TYPE_BF16 || type == TYPE_BF16X2)
        return bf16_float(bits);
    return ftz && !(bits & 0x7c00) ? (bits & 0x8000 ? -0.0 : 0.0) : f16_float(bits);
}

static uint32_t
half_bits(double value, const Inst *in)
{
    uint32_t bits = ptx_narrow(value, in->type, ROUND_RN, false);
    bool negative = bits & 0x8000;
    if ((in->flags & FLAG_FTZ) && (in->type == TYPE_F16 || in->type == TYPE_F16X2) &&
        !(bits & 0x7c00))
        bits &= 0x8000;
    if (in->flags & FLAG_SAT)
        bits = value != value || negative ? 0
               : value > 1                ? ptx_narrow(1, in->type, ROUND_RN, false)
                                          : bits;
    if ((in->flags & FLAG_RELU) && negative && value == value)
        bits = 0;
    return bits;
}

// EXPR of a, b, c, which are 0 where there is no such operand.
#define HALVES(NAME, EXPR)                                                                         \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        bool two = in->type == TYPE_F16X2 || in->type == TYPE_BF16X2, ftz = in->flags & FLAG_FTZ;  \
        PtxType type = in->type;                                                                   \
        const uint32_t *p[4] = {NULL};                                                             \
        for (unsigned i = 1; i < in->num_operands && i < 4; i++)                                   \
            p[i] = lanes_of(w, &in->operand[i]);                                                   \
        uint32_t out[LANES];                                                                       \
        FOR_LANES (l) {                                                                            \
            out[l] = 0;                                                                            \
            for (unsigned shift = 0; shift <= (two ? 16u : 0u); shift += 16) {                     \
                double a = half_value(p[1][l] >> shift, type, ftz),                                \
                       b = p[2] ? half_value(p[2][l] >> shift, type, ftz) : 0,                     \
                       c = p[3] ? half_value(p[3][l] >> shift, type, ftz) : 0;                     \
                (void)b, (void)c;                                                                  \
                out[l] |= half_bits(EXPR, in) << shift;                                            \
            }                                                                                      \
        }                                                                                          \
        put32(w, &in->operand[0], mask, out);                                                      \
        return STEP_NEXT;                                                                          \
    }
HALVES(add_half, a + b)
HALVES(sub_half, a - b)
HALVES(mul_half, a *b)
HALVES(fma_half, a *b + c)
HALVES(min_half, smaller(a, b, in))
HALVES(max_half, larger(a, b, in))
HALVES(ex2_half, exp2(a))
HALVES(tanh_half, tanh(a))

// --- comparisons

static bool
compare(Compare how, double a, double b)
{
    bool unordered = a != a || b != b;
    switch (how) {
    case COMPARE_EQ:
        return a == b;
    case COMPARE_NE:
        return !unordered && a != b;
    case COMPARE_LT:
        return a < b;
    case COMPARE_LE:
        return a <= b;
    case COMPARE_GT:
        return a > b;
    case COMPARE_GE:
        return a >= b;
    case COMPARE_EQU:
        return unordered || a == b;
    case COMPARE_NEU:
        return unordered || a != b;
    case COMPARE_LTU:
        return unordered || a < b;
    case COMPARE_LEU:
        return unordered || a <= b;
    case COMPARE_GTU:
        return unordered || a > b;
    case COMPARE_GEU:
        return unordered || a >= b;
    case COMPARE_NUM:
        return !unordered;
    default:
        return unordered;
    }
}

static double
lane_number(const Warp *w, const Inst *in, const Operand *o, unsigned lane)
{
    uint64_t bits = get_lane(w, o, lane);
    switch (in->from) {
    case TYPE_F64:
        return bits_double(bits);
    case TYPE_F32: {
        float f = bits_float((uint32_t)bits);
        return in->shape & FLAG_FTZ ? flush(f) : f;
    }
    default:
        return half_value((uint32_t)bits, in->from, in->shape & FLAG_FTZ);
    }
}

// Of flags of floats, setp's ftz lies in `shape`: `flags` has what it is combined with.
static Step
setp_float(Warp *w, const Inst *in, uint32_t mask)
{
    uint32_t result = 0;
    FOR_LANES (l)
        result |= (uint32_t)compare(in->variant, lane_number(w, in, &in->operand[2], l),
                                    lane_number(w, in, &in->operand[3], l))
                  << l;
    ptx_combine(w, in, result, mask, w);
    return STEP_NEXT;
}

// testp: a property in `variant`.
static Step
testp(Warp *w, const Inst *in, uint32_t mask)
{
    uint32_t result = 0;
    FOR_LANES (l) {
        double a = lane_number(w, in, &in->operand[1], l);
        double least = in->from == TYPE_F64 ? 0x1p-1022 : 0x1p-126;
        bool is[] = {isfinite(a) != 0,
                     isinf(a) != 0,
                     a == a,
                     a != a,
                     isfinite(a) && fabs(a) >= least,
                     a != 0 && fabs(a) < least};
        result |= (uint32_t)is[in->variant % 6] << l;
    }
    put_pred(w, &in->operand[0], mask, result);
    return STEP_NEXT;
}

ExecFn
ptx_setp_float(PtxType type)
{
    return ptx_types[type].class == CLASS_FLOAT ? setp_float : NULL;
}

typedef struct Named {
    const char *name;
    ExecFn f32, f64, half;
} Named;

static const Named table[] = {
    {"add", add_f32, add_f64, add_half},
    {"sub", sub_f32, sub_f64, sub_half},
    {"mul", mul_f32, mul_f64, mul_half},
    {"fma", fma_f32, fma_f64, fma_half},
    {"mad", fma_f32, fma_f64, NULL},
    {"div", div_f32, div_f64, NULL},
    {"div.full", div_f32, NULL, NULL},
    {"div.approx", div_f32, NULL, NULL},
    {"min", min_f32, min_f64, min_half},
    {"max", max_f32, max_f64, max_half},
    {"rcp", rcp_f32, rcp_f64, NULL},
    {"sqrt", sqrt_f32, sqrt_f64, NULL},
    {"rcp.approx", rcp_approx, rcp_f64, NULL},
    {"sqrt.approx", sqrt_approx, NULL, NULL},
    {"rsqrt.approx", rsqrt_approx, rsqrt_f64, NULL},
    {"ex2.approx", ex2_approx, NULL, ex2_half},
    {"lg2.approx", lg2_approx, NULL, NULL},
    {"sin.approx", sin_approx, NULL, NULL},
    {"cos.approx", cos_approx, NULL, NULL},
    {"tanh.approx", tanh_approx, NULL, tanh_half},
    {"copysign", copysign_f32, copysign_f64, NULL},
    {"neg", neg_f32, neg_f64, neg_f16},
    {"abs", abs_f32, abs_f64, abs_f16},
    {"testp", testp, testp, NULL},
};

ExecFn
ptx_float_function(MlcStr name, PtxType type)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const Named *row = &table[i];
        if (!mlc_str_equal(name, mlc_str(row->name)))
            continue;
        if (type == TYPE_F32)
            return row->f32;
        if (type == TYPE_F64)
            return row->f64;
        if (type == TYPE_F16 || type == TYPE_BF16)
            return row->half;
        if (row->half == neg_f16)
            return neg_f16x2;
        return row->half == abs_f16 ? abs_f16x2 : row->half;
    }
    return NULL;
}
