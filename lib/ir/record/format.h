// format.h -- the program that a `format:` string is compiled to: what parse_format.c and
// print_format.c run.
//
// A program is a list of nodes; a node is a header word, its length in words (header included), and
// arguments or children:
//     header: op (8 bits) | flags (8) | a (16)
// Where a place is named (MlcPlace, lib/ir/record/relation.h), the word is place << 24 | index.
#ifndef MLC_IR_FORMAT_H
#define MLC_IR_FORMAT_H

#include "mlc/ir/def.h"
#include "relation.h"

typedef enum MlcFormatOp {
    MLC_FORMAT_LITERAL,   // a: string
    MLC_FORMAT_SPACE,     // a blank, printed only
    MLC_FORMAT_NEWLINE,   // printed only
    MLC_FORMAT_ATTR_DICT, // a: number of slots that the format prints elsewhere; then their numbers
    MLC_FORMAT_PROP_DICT, // the same
    MLC_FORMAT_VAR,       // one place: operand, attribute, region, successor, parameter
    MLC_FORMAT_TYPE,      // one place: type(...)
    MLC_FORMAT_FUNCTIONAL_TYPE, // two places
    MLC_FORMAT_REGIONS,
    MLC_FORMAT_SUCCESSORS,
    MLC_FORMAT_CUSTOM, // a: string; children: the arguments
    MLC_FORMAT_GROUP, // a: number of anchors; the anchors' places, words of then, then..., words of
                      // else, else...
    MLC_FORMAT_OILIST, // a: number of clauses; each: string, words, elements
    MLC_FORMAT_PARAMS, // $param, $param: all parameters not printed elsewhere; a: count, then their
                       // numbers
    MLC_FORMAT_STRUCT, // name = $param, ...; the same
    MLC_FORMAT_STRUCTURED, // ins(...) outs(...) (-> types)?
} MlcFormatOp;

enum {
    MLC_FORMAT_SPACE_BEFORE = 1, // printed after a blank
    MLC_FORMAT_QUALIFIED = 2,    // print the `!dialect.` or `#dialect.` prefix
    MLC_FORMAT_REF = 4,          // argument of a custom directive that is only looked at
    MLC_FORMAT_KEYWORD = 8,      // attr-dict-with-keyword
    MLC_FORMAT_ELIDED = 16,      // a unit attribute that its group's presence says
    MLC_FORMAT_INVERTED = 32,    // the anchor stands in the else part
};

static inline uint32_t
mlc_format_op(uint32_t header)
{
    return header & 0xff;
}
static inline uint32_t
mlc_format_flags(uint32_t header)
{
    return header >> 8 & 0xff;
}
static inline uint32_t
mlc_format_a(uint32_t header)
{
    return header >> 16;
}
static inline MlcPlaceRef
mlc_format_place(uint32_t word)
{
    return (MlcPlaceRef){.place = (uint8_t)(word >> 24), .index = (uint16_t)(word & 0xffff)};
}

#endif
