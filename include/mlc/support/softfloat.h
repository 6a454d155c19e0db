// softfloat.h -- every float type of MLIR 19, and f8E8M0FNU: its bits, conversions, decimal text in
// and out.
//
// A value is its kind and its bits. Conversions and decimal input round once, to nearest, ties to
// even. Text goes through exact integer arithmetic, not through libc: neither the locale nor the
// host's long double has a say.
//
// Ownership: values; text goes to the caller's memory.
// Threads: any.
#ifndef MLC_SUPPORT_SOFTFLOAT_H
#define MLC_SUPPORT_SOFTFLOAT_H

#include "mlc/support/base.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

typedef enum MlcFloatKind {
    MLC_FLOAT_BF16,
    MLC_FLOAT_F16,
    MLC_FLOAT_TF32,
    MLC_FLOAT_F32,
    MLC_FLOAT_F64,
    MLC_FLOAT_F80,
    MLC_FLOAT_F128,
    MLC_FLOAT_F8E5M2,
    MLC_FLOAT_F8E4M3,
    MLC_FLOAT_F8E4M3FN,
    MLC_FLOAT_F8E5M2FNUZ,
    MLC_FLOAT_F8E4M3FNUZ,
    MLC_FLOAT_F8E4M3B11FNUZ,
    MLC_FLOAT_F8E3M4,
    MLC_FLOAT_F6E3M2FN,
    MLC_FLOAT_F6E2M3FN,
    MLC_FLOAT_F4E2M1FN,
    MLC_FLOAT_F8E8M0FNU, // MLIR 20's: powers of 2
} MlcFloatKind;

#define MLC_FLOAT_NUM_KINDS (MLC_FLOAT_F8E8M0FNU + 1)

// What the highest exponent (or the pattern of negative zero) means.
typedef enum MlcFloatSpecials {
    MLC_FLOAT_SPECIALS_IEEE,     // infinities and NaNs
    MLC_FLOAT_SPECIALS_NAN_ONES, // no infinity; NaN is all ones below the sign
    MLC_FLOAT_SPECIALS_NAN_ZERO, // no infinity, no negative zero: its pattern is the only NaN
    MLC_FLOAT_SPECIALS_NONE,     // finite numbers only
    MLC_FLOAT_SPECIALS_POWERS,   // an exponent alone: no sign, no zero; NaN is all ones
} MlcFloatSpecials;

typedef struct MlcFloatInfo {
    const char *name;       // as MLIR writes the type: "f8E4M3FN"
    uint32_t width;         // bits
    uint32_t exponent_bits; // stored
    uint32_t mantissa_bits; // stored; f80 stores its leading 1 too
    int32_t bias;
    MlcFloatSpecials specials;
    bool explicit_one; // the leading 1 is stored (f80)
} MlcFloatInfo;

typedef struct MlcFloat {
    MlcFloatKind kind;
    uint64_t lo; // bits 0 to 63
    uint64_t hi; // bits 64 and up; 0 for kinds of at most 64 bits
} MlcFloat;

// The format's widths and limits; lives for ever.
MLC_API const MlcFloatInfo *mlc_float_info(MlcFloatKind kind);
// By its name in text, "f32"; false: there is none.
MLC_API bool mlc_float_kind_from_name(MlcStr name, MlcFloatKind *kind);

// The number whose bits, in the format, these are.
static inline MlcFloat
mlc_float_from_bits(MlcFloatKind kind, uint64_t lo, uint64_t hi)
{
    MlcFloat f;
    f.kind = kind;
    f.lo = lo;
    f.hi = hi;
    return f;
}

// Values that a kind cannot hold become its infinity, or its NaN where it has none, or its largest
// finite number where it has neither (as APFloat does).
MLC_API MLC_NODISCARD MlcFloat mlc_float_convert(MlcFloat a, MlcFloatKind kind);
MLC_API MLC_NODISCARD MlcFloat mlc_float_from_double(MlcFloatKind kind, double value);
MLC_API MLC_NODISCARD double mlc_float_to_double(MlcFloat a);
MLC_API MLC_NODISCARD MlcFloat mlc_float_from_int(MlcFloatKind kind, int64_t value);
MLC_API MLC_NODISCARD MlcFloat mlc_float_from_uint(MlcFloatKind kind, uint64_t value);

// Cuts off the fraction. False: a NaN, or outside int64_t.
MLC_API bool mlc_float_try_as_int(MlcFloat a, int64_t *out);

// Reads [+-]digits[.digits][(e|E)[+-]digits], all of `text`, rounding once to `kind`. False: not of
// that form.
MLC_API bool mlc_float_parse(MlcFloatKind kind, MlcStr text, MlcFloat *out);

// The same, but as MLIR 19 reads a literal: to f64 first and then to `kind`. The IR's text wants
// this one.
MLC_API bool mlc_float_parse_literal(MlcFloatKind kind, MlcStr text, MlcFloat *out);

// As MLIR 19 prints a float attribute, without the type: 6 digits if they read back the same
// (1.000000e+00), else enough digits (3.14159274), else the bits (0x7FC00000; infinities and NaNs).
// Returns whether it printed bits.
MLC_API bool mlc_float_print(MlcBuf *buf, MlcFloat a);

// The same, but the bits also where mlc_float_parse_literal would read another number from the
// digits: of kinds wider than f64, where MLIR 19 loses what its literals cannot say.
MLC_API bool mlc_float_print_literal(MlcBuf *buf, MlcFloat a);

// Whether it is no number, an infinity, or the same bits of the same format as another.
MLC_API bool mlc_float_is_nan(MlcFloat a);
MLC_API bool mlc_float_is_inf(MlcFloat a);
MLC_API bool mlc_float_is_zero(MlcFloat a);     // of either sign
MLC_API bool mlc_float_is_negative(MlcFloat a); // the sign bit, whatever the value
MLC_API bool mlc_float_same_bits(MlcFloat a, MlcFloat b);

// Where a kind has no infinity: its NaN or its largest number, as in mlc_float_convert; no NaN: its
// largest number.
MLC_API MLC_NODISCARD MlcFloat mlc_float_inf(MlcFloatKind kind, bool negative);
MLC_API MLC_NODISCARD MlcFloat mlc_float_nan(MlcFloatKind kind);
MLC_API MLC_NODISCARD MlcFloat mlc_float_largest(MlcFloatKind kind, bool negative);
MLC_API MLC_NODISCARD MlcFloat mlc_float_neg(MlcFloat a);
MLC_API MLC_NODISCARD MlcFloat mlc_float_abs(MlcFloat a);

// -1, 0, 1, or 2 when one of the two is a NaN. Same kind.
MLC_API int mlc_float_compare(MlcFloat a, MlcFloat b);

// The exact result rounded once; both operands and the result have the same kind.
MLC_API MLC_NODISCARD MlcFloat mlc_float_add(MlcFloat a, MlcFloat b);
MLC_API MLC_NODISCARD MlcFloat mlc_float_sub(MlcFloat a, MlcFloat b);
MLC_API MLC_NODISCARD MlcFloat mlc_float_mul(MlcFloat a, MlcFloat b);
MLC_API MLC_NODISCARD MlcFloat mlc_float_div(MlcFloat a, MlcFloat b);

MLC_END_DECLS

#endif
