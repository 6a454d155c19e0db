// exec.h -- what the functions of instructions share.
#ifndef MLC_LIB_PTXSIM_EXEC_H
#define MLC_LIB_PTXSIM_EXEC_H

#include "inst.h"

// An error of the running instruction, at `lane`, which ends the launch. Returns STEP_STOP.
Step ptx_fail(Warp *w, const Inst *in, unsigned lane, const char *format, ...) MLC_PRINTF(4, 5);
// The note behind it: another instruction.
void ptx_fail_note(Warp *w, uint32_t pc, const char *format, ...) MLC_PRINTF(3, 4);

static inline const void *
lanes_of(const Warp *w, const Operand *o)
{
    return (o->kind == OPERAND_CONST ? (const uint8_t *)w->kernel->consts.data : w->lanes) + o->at;
}

static inline uint32_t
pred_of(const Warp *w, const Operand *o)
{
    uint32_t bits;
    if (o->kind != OPERAND_PRED)
        return o->imm ? ALL_LANES : 0;
    memcpy(&bits, w->lanes + o->at, sizeof bits);
    return o->negated ? ~bits : bits;
}

static inline void
put_pred(Warp *w, const Operand *o, uint32_t mask, uint32_t value)
{
    if (o->kind != OPERAND_PRED)
        return;
    uint32_t bits;
    memcpy(&bits, w->lanes + o->at, sizeof bits);
    bits = (bits & ~mask) | (value & mask);
    memcpy(w->lanes + o->at, &bits, sizeof bits);
}

static inline void
put32(Warp *w, const Operand *o, uint32_t mask, const uint32_t *values)
{
    if (o->kind != OPERAND_REG)
        return;
    uint32_t *to = (uint32_t *)(w->lanes + o->at);
    if (mask == ALL_LANES) {
        memcpy(to, values, LANES * sizeof *to);
        return;
    }
    for (unsigned l = 0; l < LANES; l++)
        if (mask >> l & 1)
            to[l] = values[l];
}

static inline void
put64(Warp *w, const Operand *o, uint32_t mask, const uint64_t *values)
{
    if (o->kind != OPERAND_REG)
        return;
    uint64_t *to = (uint64_t *)(w->lanes + o->at);
    if (mask == ALL_LANES) {
        memcpy(to, values, LANES * sizeof *to);
        return;
    }
    for (unsigned l = 0; l < LANES; l++)
        if (mask >> l & 1)
            to[l] = values[l];
}

// One lane, whatever the register's width.
static inline uint64_t
get_lane(const Warp *w, const Operand *o, unsigned lane)
{
    const uint8_t *from = lanes_of(w, o);
    return o->bytes == 8 ? ((const uint64_t *)from)[lane] : ((const uint32_t *)from)[lane];
}

static inline void
put_lane(Warp *w, const Operand *o, unsigned lane, uint64_t value)
{
    if (o->kind != OPERAND_REG)
        return;
    if (o->bytes == 8)
        ((uint64_t *)(w->lanes + o->at))[lane] = value;
    else
        ((uint32_t *)(w->lanes + o->at))[lane] =
            o->width < 4 ? (uint32_t)(value & ((1u << 8 * o->width) - 1)) : (uint32_t)value;
}

static inline unsigned
first_lane(uint32_t mask)
{
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

// `value`'s low `bytes` bytes, sign-extended or not.
static inline uint64_t
extend(uint64_t value, unsigned bytes, bool is_signed)
{
    if (bytes >= 8)
        return value;
    unsigned shift = 64 - 8 * bytes;
    return is_signed ? (uint64_t)((int64_t)(value << shift) >> shift) : value << shift >> shift;
}

static inline uint32_t
float_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline float
bits_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint64_t
double_bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static inline double
bits_double(uint64_t u)
{
    double d;
    memcpy(&d, &u, sizeof d);
    return d;
}

#define FOR_LANES(l) for (unsigned l = 0; l < LANES; l++)
#define FOR_ACTIVE(l, mask)                                                                        \
    FOR_LANES (l)                                                                                  \
        if ((mask) >> l & 1)

#endif
