// exec_int.c -- integers, bits and predicates: a function for each instruction and type, 32 lanes a
// call.
//
// Values of 8 and 16 bits lie in 32, the upper bits 0. Results go to an array first and then to the
// lanes that take part, so that loops have no branches.
#include "exec_int.h"

#include "exec.h"

// T: the operand's type; U: unsigned, as wide; L: what lanes hold; EXPR of a, b, c.
#define UNARY(NAME, T, U, L, PUT, EXPR)                                                            \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]);                                                \
        L out[LANES];                                                                              \
        FOR_LANES (l) {                                                                            \
            T a = (T)pa[l];                                                                        \
            out[l] = (L)(U)(EXPR);                                                                 \
        }                                                                                          \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }
#define BINARY(NAME, T, U, L, PUT, EXPR)                                                           \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]), *pb = lanes_of(w, &in->operand[2]);            \
        L out[LANES];                                                                              \
        FOR_LANES (l) {                                                                            \
            T a = (T)pa[l], b = (T)pb[l];                                                          \
            out[l] = (L)(U)(EXPR);                                                                 \
        }                                                                                          \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }
#define TERNARY(NAME, T, U, L, PUT, EXPR)                                                          \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]), *pb = lanes_of(w, &in->operand[2]),            \
                *pc = lanes_of(w, &in->operand[3]);                                                \
        L out[LANES];                                                                              \
        FOR_LANES (l) {                                                                            \
            T a = (T)pa[l], b = (T)pb[l], c = (T)pc[l];                                            \
            out[l] = (L)(U)(EXPR);                                                                 \
        }                                                                                          \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }
// The second operand has 32 bits: shifts.
#define SHIFT(NAME, T, U, L, PUT, EXPR)                                                            \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]);                                                \
        const uint32_t *pb = lanes_of(w, &in->operand[2]);                                         \
        L out[LANES];                                                                              \
        FOR_LANES (l) {                                                                            \
            T a = (T)pa[l];                                                                        \
            uint32_t b = pb[l];                                                                    \
            out[l] = (L)(U)(EXPR);                                                                 \
        }                                                                                          \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }
// From T to a result twice as wide.
#define WIDE(NAME, T, W, L, M, PUT, EXPR)                                                          \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]), *pb = lanes_of(w, &in->operand[2]);            \
        const M *pc = in->num_operands > 3 ? lanes_of(w, &in->operand[3]) : NULL;                  \
        M out[LANES];                                                                              \
        FOR_LANES (l) {                                                                            \
            W a = (T)pa[l], b = (T)pb[l];                                                          \
            W product = (W)(EXPR);                                                                 \
            out[l] = (M)product + (pc ? pc[l] : 0);                                                \
        }                                                                                          \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }

// All functions that one integer type has: TAG, T, U, lanes, PUT, bits.
#define INTEGER_TYPE(X, T, U, L, PUT, BITS)                                                        \
    BINARY(add_##X, U, U, L, PUT, a + b)                                                           \
    BINARY(sub_##X, U, U, L, PUT, a - b)                                                           \
    BINARY(mul_lo_##X, uint64_t, U, L, PUT, a *b)                                                  \
    TERNARY(mad_lo_##X, uint64_t, U, L, PUT, a *b + c)                                             \
    BINARY(div_##X, T, U, L, PUT,                                                                  \
           b == 0                    ? (T)-1                                                       \
           : (T)-1 < 1 && b == (T)-1 ? (T)(0 - (U)a)                                               \
                                     : (T)(a / b))                                                 \
    BINARY(rem_##X, T, U, L, PUT, b == 0 ? a : (T)-1 < 1 && b == (T)-1 ? (T)0 : (T)(a % b))        \
    BINARY(min_##X, T, U, L, PUT, a < b ? a : b)                                                   \
    BINARY(max_##X, T, U, L, PUT, a > b ? a : b)                                                   \
    SHIFT(shr_##X, T, U, L, PUT, b >= BITS ? (a < 0 ? (T)-1 : (T)0) : (T)(a >> b))

#define SIGNED_TYPE(X, T, U, L, PUT)                                                               \
    UNARY(neg_##X, U, U, L, PUT, 0 - a)                                                            \
    UNARY(abs_##X, T, U, L, PUT, a < 0 ? (U)(0 - (U)a) : (U)a)

#define BITS_TYPE(X, U, L, PUT, BITS)                                                              \
    BINARY(and_##X, U, U, L, PUT, a &b)                                                            \
    BINARY(or_##X, U, U, L, PUT, a | b)                                                            \
    BINARY(xor_##X, U, U, L, PUT, a ^ b)                                                           \
    UNARY(not_##X, U, U, L, PUT, ~a)                                                               \
    UNARY(cnot_##X, U, U, L, PUT, a == 0)                                                          \
    UNARY(mov_##X, U, U, L, PUT, a)                                                                \
    SHIFT(shl_##X, U, U, L, PUT, b >= BITS ? (U)0 : (U)((uint64_t)a << b))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
INTEGER_TYPE(u16, uint16_t, uint16_t, uint32_t, put32, 16)
INTEGER_TYPE(s16, int16_t, uint16_t, uint32_t, put32, 16)
INTEGER_TYPE(u32, uint32_t, uint32_t, uint32_t, put32, 32)
INTEGER_TYPE(s32, int32_t, uint32_t, uint32_t, put32, 32)
INTEGER_TYPE(u64, uint64_t, uint64_t, uint64_t, put64, 64)
INTEGER_TYPE(s64, int64_t, uint64_t, uint64_t, put64, 64)
#pragma GCC diagnostic pop
SIGNED_TYPE(s16, int16_t, uint16_t, uint32_t, put32)
SIGNED_TYPE(s32, int32_t, uint32_t, uint32_t, put32)
SIGNED_TYPE(s64, int64_t, uint64_t, uint64_t, put64)
BITS_TYPE(b16, uint16_t, uint32_t, put32, 16)
BITS_TYPE(b32, uint32_t, uint32_t, put32, 32)
BITS_TYPE(b64, uint64_t, uint64_t, put64, 64)

WIDE(mul_wide_u16, uint16_t, uint32_t, uint32_t, uint32_t, put32, a *b)
WIDE(mul_wide_s16, int16_t, int32_t, uint32_t, uint32_t, put32, a *b)
WIDE(mul_wide_u32, uint32_t, uint64_t, uint32_t, uint64_t, put64, a *b)
WIDE(mul_wide_s32, int32_t, int64_t, uint32_t, uint64_t, put64, a *b)
WIDE(mul_hi_u16, uint16_t, uint32_t, uint32_t, uint32_t, put32, a *b >> 16)
WIDE(mul_hi_s16, int16_t, int32_t, uint32_t, uint32_t, put32, (uint16_t)(a *b >> 16))
WIDE(mul_hi_u32, uint32_t, uint64_t, uint32_t, uint32_t, put32, a *b >> 32)
WIDE(mul_hi_s32, int32_t, int64_t, uint32_t, uint32_t, put32, a *b >> 32)
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UWide;
WIDE(mul_hi_u64, uint64_t, UWide, uint64_t, uint64_t, put64, a *b >> 64)
WIDE(mul_hi_s64, int64_t, Wide, uint64_t, uint64_t, put64, a *b >> 64)
WIDE(mul24_u32, uint32_t, uint64_t, uint32_t, uint32_t, put32, (a & 0xffffff) * (b & 0xffffff))

static int32_t
saturate32(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

BINARY(add_sat_s32, int32_t, uint32_t, uint32_t, put32, saturate32((int64_t)a + b))
BINARY(sub_sat_s32, int32_t, uint32_t, uint32_t, put32, saturate32((int64_t)a - b))

// What counts bits gives 32 of them.
#define COUNT(NAME, T, L, EXPR)                                                                    \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]);                                                \
        uint32_t out[LANES];                                                                       \
        FOR_LANES (l) {                                                                            \
            T a = (T)pa[l];                                                                        \
            out[l] = (uint32_t)(EXPR);                                                             \
        }                                                                                          \
        put32(w, &in->operand[0], mask, out);                                                      \
        return STEP_NEXT;                                                                          \
    }
COUNT(popc_b32, uint32_t, uint32_t, __builtin_popcount(a))
COUNT(popc_b64, uint64_t, uint64_t, __builtin_popcountll(a))
COUNT(clz_b32, uint32_t, uint32_t, a ? __builtin_clz(a) : 32)
COUNT(clz_b64, uint64_t, uint64_t, a ? __builtin_clzll(a) : 64)
COUNT(bfind_u32, uint32_t, uint32_t, a ? 31 - __builtin_clz(a) : -1)
COUNT(bfind_u64, uint64_t, uint64_t, a ? 63 - __builtin_clzll(a) : -1)
COUNT(bfind_s32, int32_t, uint32_t,
      (a ^ (a >> 31)) ? 31 - __builtin_clz((uint32_t)(a ^ (a >> 31))) : -1)
COUNT(bfind_s64, int64_t, uint64_t,
      (a ^ (a >> 63)) ? 63 - __builtin_clzll((uint64_t)(a ^ (a >> 63))) : -1)

static uint64_t
reverse_bits(uint64_t a, unsigned bits)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < bits; i++)
        out |= (a >> i & 1) << (bits - 1 - i);
    return out;
}

UNARY(brev_b32, uint32_t, uint32_t, uint32_t, put32, reverse_bits(a, 32))
UNARY(brev_b64, uint64_t, uint64_t, uint64_t, put64, reverse_bits(a, 64))

static uint64_t
extract_bits(uint64_t a, uint32_t position, uint32_t length, unsigned width, bool is_signed)
{
    position &= 255, length &= 255;
    if (length == 0)
        return 0;
    unsigned top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    bool sign = is_signed && (a >> top & 1);
    uint64_t out = 0;
    for (unsigned i = 0; i < width; i++) {
        bool inside = i < length && position + i < width;
        out |= (uint64_t)(inside ? a >> (position + i) & 1 : sign) << i;
    }
    return out;
}

#define BFE(NAME, L, PUT, WIDTH, SIGNED)                                                           \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]);                                                \
        const uint32_t *pb = lanes_of(w, &in->operand[2]), *pc = lanes_of(w, &in->operand[3]);     \
        L out[LANES];                                                                              \
        FOR_LANES (l)                                                                              \
            out[l] = (L)extract_bits(pa[l], pb[l], pc[l], WIDTH, SIGNED);                          \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }
BFE(bfe_u32, uint32_t, put32, 32, false)
BFE(bfe_s32, uint32_t, put32, 32, true)
BFE(bfe_u64, uint64_t, put64, 64, false)
BFE(bfe_s64, uint64_t, put64, 64, true)

static uint64_t
insert_bits(uint64_t a, uint64_t b, uint32_t position, uint32_t length, unsigned width)
{
    position &= 255, length &= 255;
    for (unsigned i = 0; i < length && position + i < width; i++)
        b = (b & ~(UINT64_C(1) << (position + i))) | (a >> (i & 63) & 1) << (position + i);
    return b;
}

#define BFI(NAME, L, PUT, WIDTH)                                                                   \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[1]), *pb = lanes_of(w, &in->operand[2]);            \
        const uint32_t *pc = lanes_of(w, &in->operand[3]), *pd = lanes_of(w, &in->operand[4]);     \
        L out[LANES];                                                                              \
        FOR_LANES (l)                                                                              \
            out[l] = (L)insert_bits(pa[l], pb[l], pc[l], pd[l], WIDTH);                            \
        PUT(w, &in->operand[0], mask, out);                                                        \
        return STEP_NEXT;                                                                          \
    }
BFI(bfi_b32, uint32_t, put32, 32)
BFI(bfi_b64, uint64_t, put64, 64)

static uint32_t
permute_bytes(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t nibble = selector >> 4 * i & 15, byte = bytes >> 8 * (nibble & 7) & 255;
        if (nibble & 8)
            byte = byte & 128 ? 255 : 0;
        out |= byte << 8 * i;
    }
    return out;
}

TERNARY(prmt_b32, uint32_t, uint32_t, uint32_t, put32, permute_bytes(a, b, c))

static uint32_t
funnel_left(uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)(((uint64_t)b << 32 | a) << n >> 32);
}

static uint32_t
funnel_right(uint32_t a, uint32_t b, uint32_t n)
{
    return n >= 32 ? b : (uint32_t)(((uint64_t)b << 32 | a) >> n);
}

TERNARY(shf_l_wrap_b32, uint32_t, uint32_t, uint32_t, put32, funnel_left(a, b, c & 31))
TERNARY(shf_l_clamp_b32, uint32_t, uint32_t, uint32_t, put32, c >= 32 ? a : funnel_left(a, b, c))
TERNARY(shf_r_wrap_b32, uint32_t, uint32_t, uint32_t, put32, funnel_right(a, b, c & 31))
TERNARY(shf_r_clamp_b32, uint32_t, uint32_t, uint32_t, put32, funnel_right(a, b, c < 32 ? c : 32))
TERNARY(sad_u32, uint32_t, uint32_t, uint32_t, put32, c + (a < b ? b - a : a - b))
TERNARY(sad_s32, int32_t, uint32_t, uint32_t, put32,
        (uint32_t)c + (a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b))

static uint32_t
dot4(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed)
{
    for (unsigned i = 0; i < 4; i++)
        c += (uint32_t)extend(a >> 8 * i, 1, a_signed) * (uint32_t)extend(b >> 8 * i, 1, b_signed);
    return c;
}

TERNARY(dp4a_u32_u32, uint32_t, uint32_t, uint32_t, put32, dot4(a, b, c, false, false))
TERNARY(dp4a_s32_s32, uint32_t, uint32_t, uint32_t, put32, dot4(a, b, c, true, true))
TERNARY(dp4a_u32_s32, uint32_t, uint32_t, uint32_t, put32, dot4(a, b, c, false, true))
TERNARY(dp4a_s32_u32, uint32_t, uint32_t, uint32_t, put32, dot4(a, b, c, true, false))

// The table of a function of three bits, bit by bit (PTX ISA, lop3).
static uint32_t
lookup3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return out;
}

TERNARY(lop3_b32, uint32_t, uint32_t, uint32_t, put32,
        lookup3(a, b, c, (uint32_t)in->operand[4].imm))

// a + b + carry; `in->flags`: 1 takes the carry, 2 leaves one, 4 subtracts.
static Step
add_carry(Warp *w, const Inst *in, uint32_t mask)
{
    bool wide = ptx_types[in->type].bytes == 8;
    uint64_t out[LANES];
    uint32_t carries = 0;
    FOR_LANES (l) {
        uint64_t a = get_lane(w, &in->operand[1], l), b = get_lane(w, &in->operand[2], l);
        bool subtract = in->flags & 4, carry = in->flags & 1 ? w->carry >> l & 1 : subtract;
        if (subtract)
            b = wide ? ~b : (uint32_t)~b;
        UWide sum = (UWide)a + b + carry;
        out[l] = (uint64_t)sum;
        carries |= (uint32_t)((sum >> (wide ? 64 : 32)) & 1) << l;
    }
    FOR_ACTIVE (l, mask)
        put_lane(w, &in->operand[0], l, out[l]);
    if (in->flags & 2)
        w->carry = (w->carry & ~mask) | (carries & mask);
    return STEP_NEXT;
}

static Step
and_pred(Warp *w, const Inst *in, uint32_t mask)
{
    put_pred(w, &in->operand[0], mask, pred_of(w, &in->operand[1]) & pred_of(w, &in->operand[2]));
    return STEP_NEXT;
}

static Step
or_pred(Warp *w, const Inst *in, uint32_t mask)
{
    put_pred(w, &in->operand[0], mask, pred_of(w, &in->operand[1]) | pred_of(w, &in->operand[2]));
    return STEP_NEXT;
}

static Step
xor_pred(Warp *w, const Inst *in, uint32_t mask)
{
    put_pred(w, &in->operand[0], mask, pred_of(w, &in->operand[1]) ^ pred_of(w, &in->operand[2]));
    return STEP_NEXT;
}

static Step
not_pred(Warp *w, const Inst *in, uint32_t mask)
{
    put_pred(w, &in->operand[0], mask, ~pred_of(w, &in->operand[1]));
    return STEP_NEXT;
}

static Step
mov_pred(Warp *w, const Inst *in, uint32_t mask)
{
    put_pred(w, &in->operand[0], mask, pred_of(w, &in->operand[1]));
    return STEP_NEXT;
}

// Only what is chosen must be there.
static void
note_choice(Warp *w, const Inst *in, uint32_t p)
{
    const Operand *a = &in->operand[1], *b = &in->operand[2];
    uint32_t ready_a = a->kind == OPERAND_REG ? w->ready[a->reg] : ALL_LANES,
             ready_b = b->kind == OPERAND_REG ? w->ready[b->reg] : ALL_LANES;
    w->undefined = ~((p & ready_a) | (~p & ready_b));
}

static Step
selp_4(Warp *w, const Inst *in, uint32_t mask)
{
    const uint32_t *a = lanes_of(w, &in->operand[1]), *b = lanes_of(w, &in->operand[2]);
    uint32_t p = pred_of(w, &in->operand[3]), out[LANES];
    note_choice(w, in, p);
    FOR_LANES (l)
        out[l] = p >> l & 1 ? a[l] : b[l];
    put32(w, &in->operand[0], mask, out);
    return STEP_NEXT;
}

static Step
selp_8(Warp *w, const Inst *in, uint32_t mask)
{
    const uint64_t *a = lanes_of(w, &in->operand[1]), *b = lanes_of(w, &in->operand[2]);
    uint32_t p = pred_of(w, &in->operand[3]);
    uint64_t out[LANES];
    note_choice(w, in, p);
    FOR_LANES (l)
        out[l] = p >> l & 1 ? a[l] : b[l];
    put64(w, &in->operand[0], mask, out);
    return STEP_NEXT;
}

uint32_t
ptx_combine(const Warp *w, const Inst *in, uint32_t result, uint32_t mask, Warp *to)
{
    uint32_t with = in->flags ? pred_of(w, &in->operand[4]) : 0;
    uint32_t first = result, second = ~result;
    switch (in->flags) {
    case COMBINE_AND:
        first &= with, second &= with;
        break;
    case COMBINE_OR:
        first |= with, second |= with;
        break;
    case COMBINE_XOR:
        first ^= with, second ^= with;
        break;
    default:
        break;
    }
    put_pred(to, &in->operand[0], mask, first);
    put_pred(to, &in->operand[1], mask, second);
    return first;
}

// Operands: p, q (or none), a, b, c (or none).
#define SETP(NAME, T, L)                                                                           \
    static Step NAME(Warp *w, const Inst *in, uint32_t mask)                                       \
    {                                                                                              \
        const L *pa = lanes_of(w, &in->operand[2]), *pb = lanes_of(w, &in->operand[3]);            \
        uint32_t less = 0, equal = 0, result;                                                      \
        FOR_LANES (l) {                                                                            \
            less |= (uint32_t)((T)pa[l] < (T)pb[l]) << l;                                          \
            equal |= (uint32_t)((T)pa[l] == (T)pb[l]) << l;                                        \
        }                                                                                          \
        switch (in->variant) {                                                                     \
        case COMPARE_EQ:                                                                           \
            result = equal;                                                                        \
            break;                                                                                 \
        case COMPARE_NE:                                                                           \
            result = ~equal;                                                                       \
            break;                                                                                 \
        case COMPARE_LT:                                                                           \
            result = less;                                                                         \
            break;                                                                                 \
        case COMPARE_LE:                                                                           \
            result = less | equal;                                                                 \
            break;                                                                                 \
        case COMPARE_GT:                                                                           \
            result = ~(less | equal);                                                              \
            break;                                                                                 \
        default:                                                                                   \
            result = ~less;                                                                        \
            break;                                                                                 \
        }                                                                                          \
        ptx_combine(w, in, result, mask, w);                                                       \
        return STEP_NEXT;                                                                          \
    }
SETP(setp_u16, uint16_t, uint32_t)
SETP(setp_s16, int16_t, uint32_t)
SETP(setp_u32, uint32_t, uint32_t)
SETP(setp_s32, int32_t, uint32_t)
SETP(setp_u64, uint64_t, uint64_t)
SETP(setp_s64, int64_t, uint64_t)

ExecFn
ptx_setp_int(PtxType type)
{
    switch (type) {
    case TYPE_U16:
    case TYPE_B16:
        return setp_u16;
    case TYPE_S16:
        return setp_s16;
    case TYPE_U32:
    case TYPE_B32:
        return setp_u32;
    case TYPE_S32:
        return setp_s32;
    case TYPE_U64:
    case TYPE_B64:
        return setp_u64;
    case TYPE_S64:
        return setp_s64;
    default:
        return NULL;
    }
}

typedef struct Named {
    const char *name;
    ExecFn by_type[NUM_TYPES];
} Named;

#define SIX(name)                                                                                  \
    {                                                                                              \
        [TYPE_U16] = name##_u16, [TYPE_S16] = name##_s16, [TYPE_U32] = name##_u32,                 \
        [TYPE_S32] = name##_s32, [TYPE_U64] = name##_u64, [TYPE_S64] = name##_s64                  \
    }
#define BITWISE(name)                                                                              \
    {                                                                                              \
        [TYPE_B16] = name##_b16, [TYPE_B32] = name##_b32, [TYPE_B64] = name##_b64                  \
    }

static const Named table[] = {
    {"add", SIX(add)},
    {"sub", SIX(sub)},
    {"mul.lo", SIX(mul_lo)},
    {"mad.lo", SIX(mad_lo)},
    {"mul.hi", SIX(mul_hi)},
    {"mad.hi", SIX(mul_hi)},
    {"mul.wide",
     {[TYPE_U16] = mul_wide_u16,
      [TYPE_S16] = mul_wide_s16,
      [TYPE_U32] = mul_wide_u32,
      [TYPE_S32] = mul_wide_s32}},
    {"mad.wide",
     {[TYPE_U16] = mul_wide_u16,
      [TYPE_S16] = mul_wide_s16,
      [TYPE_U32] = mul_wide_u32,
      [TYPE_S32] = mul_wide_s32}},
    {"mul24.lo", {[TYPE_U32] = mul24_u32}},
    {"add.sat", {[TYPE_S32] = add_sat_s32}},
    {"sub.sat", {[TYPE_S32] = sub_sat_s32}},
    {"div", SIX(div)},
    {"rem", SIX(rem)},
    {"min", SIX(min)},
    {"max", SIX(max)},
    {"neg", {[TYPE_S16] = neg_s16, [TYPE_S32] = neg_s32, [TYPE_S64] = neg_s64}},
    {"abs", {[TYPE_S16] = abs_s16, [TYPE_S32] = abs_s32, [TYPE_S64] = abs_s64}},
    {"shr",
     {[TYPE_U16] = shr_u16,
      [TYPE_S16] = shr_s16,
      [TYPE_U32] = shr_u32,
      [TYPE_S32] = shr_s32,
      [TYPE_U64] = shr_u64,
      [TYPE_S64] = shr_s64,
      [TYPE_B16] = shr_u16,
      [TYPE_B32] = shr_u32,
      [TYPE_B64] = shr_u64}},
    {"shl", BITWISE(shl)},
    {"and",
     {[TYPE_B16] = and_b16, [TYPE_B32] = and_b32, [TYPE_B64] = and_b64, [TYPE_PRED] = and_pred}},
    {"or", {[TYPE_B16] = or_b16, [TYPE_B32] = or_b32, [TYPE_B64] = or_b64, [TYPE_PRED] = or_pred}},
    {"xor",
     {[TYPE_B16] = xor_b16, [TYPE_B32] = xor_b32, [TYPE_B64] = xor_b64, [TYPE_PRED] = xor_pred}},
    {"not",
     {[TYPE_B16] = not_b16, [TYPE_B32] = not_b32, [TYPE_B64] = not_b64, [TYPE_PRED] = not_pred}},
    {"cnot", BITWISE(cnot)},
    {"mov",
     {[TYPE_B16] = mov_b16,
      [TYPE_U16] = mov_b16,
      [TYPE_S16] = mov_b16,
      [TYPE_F16] = mov_b16,
      [TYPE_BF16] = mov_b16,
      [TYPE_B32] = mov_b32,
      [TYPE_U32] = mov_b32,
      [TYPE_S32] = mov_b32,
      [TYPE_F32] = mov_b32,
      [TYPE_F16X2] = mov_b32,
      [TYPE_BF16X2] = mov_b32,
      [TYPE_B64] = mov_b64,
      [TYPE_U64] = mov_b64,
      [TYPE_S64] = mov_b64,
      [TYPE_F64] = mov_b64,
      [TYPE_PRED] = mov_pred}},
    {"popc", {[TYPE_B32] = popc_b32, [TYPE_B64] = popc_b64}},
    {"clz", {[TYPE_B32] = clz_b32, [TYPE_B64] = clz_b64}},
    {"bfind",
     {[TYPE_U32] = bfind_u32,
      [TYPE_U64] = bfind_u64,
      [TYPE_S32] = bfind_s32,
      [TYPE_S64] = bfind_s64}},
    {"brev", {[TYPE_B32] = brev_b32, [TYPE_B64] = brev_b64}},
    {"bfe",
     {[TYPE_U32] = bfe_u32, [TYPE_S32] = bfe_s32, [TYPE_U64] = bfe_u64, [TYPE_S64] = bfe_s64}},
    {"bfi", {[TYPE_B32] = bfi_b32, [TYPE_B64] = bfi_b64}},
    {"prmt", {[TYPE_B32] = prmt_b32}},
    {"shf.l.wrap", {[TYPE_B32] = shf_l_wrap_b32}},
    {"shf.l.clamp", {[TYPE_B32] = shf_l_clamp_b32}},
    {"shf.r.wrap", {[TYPE_B32] = shf_r_wrap_b32}},
    {"shf.r.clamp", {[TYPE_B32] = shf_r_clamp_b32}},
    {"sad", {[TYPE_U32] = sad_u32, [TYPE_S32] = sad_s32}},
    {"dp4a.u32", {[TYPE_U32] = dp4a_u32_u32, [TYPE_S32] = dp4a_u32_s32}},
    {"dp4a.s32", {[TYPE_U32] = dp4a_s32_u32, [TYPE_S32] = dp4a_s32_s32}},
    {"lop3", {[TYPE_B32] = lop3_b32}},
    {"carry",
     {[TYPE_U32] = add_carry,
      [TYPE_S32] = add_carry,
      [TYPE_B32] = add_carry,
      [TYPE_U64] = add_carry,
      [TYPE_S64] = add_carry,
      [TYPE_B64] = add_carry}},
    {"selp",
     {[TYPE_B16] = selp_4,
      [TYPE_U16] = selp_4,
      [TYPE_S16] = selp_4,
      [TYPE_F16] = selp_4,
      [TYPE_BF16] = selp_4,
      [TYPE_B32] = selp_4,
      [TYPE_U32] = selp_4,
      [TYPE_S32] = selp_4,
      [TYPE_F32] = selp_4,
      [TYPE_B64] = selp_8,
      [TYPE_U64] = selp_8,
      [TYPE_S64] = selp_8,
      [TYPE_F64] = selp_8}},
};

ExecFn
ptx_int_function(MlcStr name, PtxType type)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (mlc_str_equal(name, mlc_str(table[i].name)))
            return table[i].by_type[type];
    return NULL;
}
