// wide.h -- two's complement integers of any fixed width from 0 to 2^24 bits.
//
// Values are immutable. Up to 64 bits stand in the struct; wider ones point at words in the arena
// that the operation was given (little-endian words; NULL is a fine arena when the result has at
// most 64 bits). Bits above the width are always zero, so equal values have equal words. Both
// operands of an operation have the same width, which is the result's width; arithmetic wraps.
// Schoolbook algorithms: right first; the common widths never reach them.
//
// Ownership: words lie in the arena that an operation was given.
// Threads: any, with arenas of their own.
#ifndef MLC_SUPPORT_WIDE_H
#define MLC_SUPPORT_WIDE_H

#include "mlc/support/arena.h"
#include "mlc/support/base.h"
#include "mlc/support/buf.h"

#define MLC_WIDE_MAX_WIDTH (UINT32_C(1) << 24)

MLC_BEGIN_DECLS

typedef struct MlcWide {
    uint32_t width; // bits
    union {
        uint64_t word;         // width <= 64
        const uint64_t *words; // width > 64: mlc_wide_num_words of them
    };
} MlcWide;

// Words of 64 bits that its width takes.
static inline uint32_t
mlc_wide_num_words(MlcWide a)
{
    return a.width <= 64 ? 1 : (a.width + 63) / 64;
}

// The words, least significant first; for a narrow value they lie in *a.
static inline const uint64_t *
mlc_wide_words(const MlcWide *a)
{
    return a->width <= 64 ? &a->word : a->words;
}

// Construction: `value` is cut to the width, or extended with its sign (int) or with zeros (uint,
// words).
MLC_API MLC_NODISCARD MlcWide mlc_wide_from_int(MlcArena *arena, uint32_t width, int64_t value);
MLC_API MLC_NODISCARD MlcWide mlc_wide_from_uint(MlcArena *arena, uint32_t width, uint64_t value);
MLC_API MLC_NODISCARD MlcWide mlc_wide_from_words(MlcArena *arena, uint32_t width,
                                                  const uint64_t *words, size_t num_words);
// From and to little-endian bytes; to: writes (width + 7) / 8 bytes.
MLC_API MLC_NODISCARD MlcWide mlc_wide_from_bytes(MlcArena *arena, uint32_t width,
                                                  const void *bytes, size_t num_bytes);
MLC_API void mlc_wide_to_bytes(MlcWide a, void *bytes);
MLC_API MLC_NODISCARD MlcWide mlc_wide_all_ones(MlcArena *arena, uint32_t width);
MLC_API MLC_NODISCARD MlcWide mlc_wide_signed_min(MlcArena *arena, uint32_t width);
MLC_API MLC_NODISCARD MlcWide mlc_wide_signed_max(MlcArena *arena, uint32_t width);

// False when the value does not fit.
MLC_API bool mlc_wide_try_as_int(MlcWide a, int64_t *out);
MLC_API bool mlc_wide_try_as_uint(MlcWide a, uint64_t *out);
// The low 64 bits, sign- or zero-extended from the width.
MLC_API int64_t mlc_wide_low_int(MlcWide a);
MLC_API uint64_t mlc_wide_low_uint(MlcWide a);

// Reads [+-]digits or [+-]0xdigits, all of `text`. The value must fit the width as a signed or as
// an unsigned number (a negative one as signed): false when it does not, or when the text is no
// number.
MLC_API bool mlc_wide_parse(MlcArena *arena, uint32_t width, MlcStr text, MlcWide *out);
// The fewest bits that hold the number written in `text` as an unsigned (or, if negative, signed)
// value; 0: no number; SIZE_MAX: more than MLC_WIDE_MAX_WIDTH.
MLC_API size_t mlc_wide_parse_bits(MlcStr text);
MLC_API void mlc_wide_print_signed(MlcBuf *buf, MlcWide a);
MLC_API void mlc_wide_print_unsigned(MlcBuf *buf, MlcWide a);
MLC_API void mlc_wide_print_hex(MlcBuf *buf, MlcWide a); // 0x, upper case, no leading zeros

// Two's complement of the common width, without what overflows; the words of the result lie in
// `arena`.
MLC_API MLC_NODISCARD MlcWide mlc_wide_add(MlcArena *arena, MlcWide a, MlcWide b);
MLC_API MLC_NODISCARD MlcWide mlc_wide_sub(MlcArena *arena, MlcWide a, MlcWide b);
MLC_API MLC_NODISCARD MlcWide mlc_wide_mul(MlcArena *arena, MlcWide a, MlcWide b);
// Two's complement, and bit by bit; the words of the result lie in `arena`.
MLC_API MLC_NODISCARD MlcWide mlc_wide_neg(MlcArena *arena, MlcWide a);

// Quotient (towards zero) and remainder; `b` must not be 0. The least signed value divided by -1
// wraps to itself.
MLC_API MLC_NODISCARD MlcWide mlc_wide_udiv(MlcArena *arena, MlcWide a, MlcWide b);
MLC_API MLC_NODISCARD MlcWide mlc_wide_urem(MlcArena *arena, MlcWide a, MlcWide b);
MLC_API MLC_NODISCARD MlcWide mlc_wide_sdiv(MlcArena *arena, MlcWide a, MlcWide b);
MLC_API MLC_NODISCARD MlcWide mlc_wide_srem(MlcArena *arena, MlcWide a, MlcWide b);

// Bit by bit, of a common width.
MLC_API MLC_NODISCARD MlcWide mlc_wide_and(MlcArena *arena, MlcWide a, MlcWide b);
// Bit by bit, of a common width.
MLC_API MLC_NODISCARD MlcWide mlc_wide_or(MlcArena *arena, MlcWide a, MlcWide b);
// Bit by bit, of a common width.
MLC_API MLC_NODISCARD MlcWide mlc_wide_xor(MlcArena *arena, MlcWide a, MlcWide b);
// Every bit turned over.
MLC_API MLC_NODISCARD MlcWide mlc_wide_not(MlcArena *arena, MlcWide a);

// Shifts by `amount` bits; amounts of the width or more give 0 (ashr: copies of the sign).
MLC_API MLC_NODISCARD MlcWide mlc_wide_shl(MlcArena *arena, MlcWide a, uint64_t amount);
MLC_API MLC_NODISCARD MlcWide mlc_wide_lshr(MlcArena *arena, MlcWide a, uint64_t amount);
MLC_API MLC_NODISCARD MlcWide mlc_wide_ashr(MlcArena *arena, MlcWide a, uint64_t amount);

// `width` is not above (trunc), not below (sext, zext) the operand's.
MLC_API MLC_NODISCARD MlcWide mlc_wide_trunc(MlcArena *arena, MlcWide a, uint32_t width);
MLC_API MLC_NODISCARD MlcWide mlc_wide_sext(MlcArena *arena, MlcWide a, uint32_t width);
MLC_API MLC_NODISCARD MlcWide mlc_wide_zext(MlcArena *arena, MlcWide a, uint32_t width);

// A copy whose words lie in `arena`.
MLC_API MLC_NODISCARD MlcWide mlc_wide_copy(MlcArena *arena, MlcWide a);

// -1, 0 or 1.
MLC_API int mlc_wide_compare_signed(MlcWide a, MlcWide b);
MLC_API int mlc_wide_compare_unsigned(MlcWide a, MlcWide b);
MLC_API bool mlc_wide_equal(MlcWide a, MlcWide b); // different widths are never equal
MLC_API bool mlc_wide_is_zero(MlcWide a);
MLC_API bool mlc_wide_is_negative(MlcWide a); // the top bit is set
MLC_API uint64_t mlc_wide_hash(MlcWide a);

// Bit `i`, 0 the lowest; how many zeros stand in front; how many bits are set.
MLC_API bool mlc_wide_bit(MlcWide a, uint32_t i);
MLC_API uint32_t mlc_wide_count_leading_zeros(MlcWide a);
MLC_API uint32_t mlc_wide_count_trailing_zeros(MlcWide a); // the width, for 0
MLC_API uint32_t mlc_wide_popcount(MlcWide a);
MLC_API uint32_t mlc_wide_active_bits(MlcWide a); // of the unsigned value: 0 for 0

MLC_END_DECLS

#endif
