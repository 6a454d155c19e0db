// regex.h -- regular expressions: whether a whole text is one, in time that grows with the text
// alone.
//
// The syntax is RE2's (https://github.com/google/re2/wiki/Syntax) without classes of Unicode
// (\pL), \C, and (?i) for letters beyond ASCII. A pattern is compiled to a program of bytes, and a
// program is run on a text without looking at any part of it twice: no pattern makes it slow.
//
// Ownership: programs are bytes of the caller's.
// Threads: any.
#ifndef MLC_SUPPORT_REGEX_H
#define MLC_SUPPORT_REGEX_H

#include "mlc/support/base.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

// Appends the program of a pattern in UTF-8. False with what is wrong (no full stop) appended to
// `error`: "at byte 3: a parenthesis that is not closed".
MLC_API MLC_NODISCARD bool mlc_regex_compile(MlcStr pattern, MlcBuf *program, MlcBuf *error);

typedef enum MlcRegexResult {
    MLC_REGEX_DIFFERS,
    MLC_REGEX_MATCHES,
    MLC_REGEX_FAILED, // no memory, or bytes that are no program
} MlcRegexResult;

// Whether all of the text is what the program's pattern says. Bytes that are no UTF-8 are
// characters of no class but negated ones.
MLC_API MlcRegexResult mlc_regex_match(MlcStr program, MlcStr text);

// One character of UTF-8 at `*at`, which moves behind it; false, and one byte further, where there
// is none.
MLC_API bool mlc_utf8_next(const char **at, const char *end, uint32_t *character);

// ---- programs

// A program: a header, instructions, ranges of characters.
typedef enum MlcRegexOp {
    MLC_REGEX_END,    // matches, at the text's end
    MLC_REGEX_JUMP,   // to `a`
    MLC_REGEX_SPLIT,  // to `a` and to `b`
    MLC_REGEX_CHARS,  // one of `b` ranges, from range `a` on
    MLC_REGEX_ASSERT, // `a` holds here: MlcRegexAssertion
} MlcRegexOp;

typedef enum MlcRegexAssertion {
    MLC_REGEX_TEXT_START,
    MLC_REGEX_TEXT_END,
    MLC_REGEX_LINE_START,
    MLC_REGEX_LINE_END,
    MLC_REGEX_WORD_EDGE,
    MLC_REGEX_NO_WORD_EDGE,
} MlcRegexAssertion;

typedef struct MlcRegexHeader {
    uint32_t num_instructions;
    uint32_t num_ranges;
} MlcRegexHeader;

typedef struct MlcRegexInstruction {
    uint32_t op;
    int32_t a, b; // targets are relative to the instruction
} MlcRegexInstruction;

typedef struct MlcRegexRange {
    uint32_t first, last;
} MlcRegexRange;

MLC_END_DECLS

#endif
