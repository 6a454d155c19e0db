// bytecode_format.h -- private: what the writer and the reader of bytecode agree on.
//
// All numbers are little-endian. "varint" is LEB128 of at most 64 bits; "zigzag" a signed one.
// Indices of things that may be absent are one higher, 0 for none.
//
//   file      magic "MLCb", u32 version, u32 sections, u32 zero; per section u64 offset, u64 size
//   STRINGS   n; n sizes; the bytes, each string followed by a NUL
//   VALUES    n; n entries (tag, then by tag); an entry refers to earlier ones only
//   BODIES    n; n times (type, attribute): bodies of identified types
//   NAMES     n; n times: string of the op's name, slots, each a string
//   KINDS     n; n sizes; n kinds of ops: name, parts, counts, types, attributes
//   RESOURCES n; n times: key, alignment, size, offset in the file (size and offset 0: no bytes)
//   EXTERNAL  n; n times: section, key, value, all strings
//   OPS       a piece with one op
//   BYTES     of the resources, each aligned
//
// A piece is: values in it, then regions or, at the top, the op. An op is a kind, which many ops
// share, and what is its own: location, operands, successors, regions. Values are numbered in the
// order of their definition; a use is the distance back from the next number, zigzag, since graphs
// may use values before they are defined.
//
// A location is a number whose two low bits are an OpLoc; most ops are some lines below the one
// before. A piece begins at line 0, column 0 of no file.
#ifndef MLC_IR_BYTECODE_FORMAT_H
#define MLC_IR_BYTECODE_FORMAT_H

#include <stdint.h>

static const char bytecode_magic[4] = {'M', 'L', 'C', 'b'};
#define BYTECODE_HEADER_SIZE 16

typedef enum BytecodeSection {
    SECTION_STRINGS,
    SECTION_VALUES,
    SECTION_BODIES,
    SECTION_NAMES,
    SECTION_KINDS,
    SECTION_RESOURCES,
    SECTION_EXTERNAL,
    SECTION_OPS,
    SECTION_BYTES,
    NUM_SECTIONS
} BytecodeSection;

// Tags of VALUES: types, attributes, locations and affine things, each by its kind. The kinds'
// enumerations are part of the format: a change is a new version.
enum {
    TAG_TYPE = 0,  // + MlcTypeKind
    TAG_ATTR = 32, // + MlcAttrKind
    TAG_LOC = 64,  // + MlcLocKind
    TAG_EXPR = 80, // + MlcAffineKind
    TAG_MAP = 96,
    TAG_SET,
};

// Of a kind: which parts there are. The counts of the first four come first, in this order, then
// the types of results, and the attributes.
enum {
    KIND_OPERANDS = 1,
    KIND_RESULTS = 2,
    KIND_SUCCESSORS = 4,
    KIND_REGIONS = 8,
    KIND_SLOTS = 16,
    KIND_DICT = 32,
    KIND_PROPERTIES = 64, // of an unregistered op
};

// Of a location: what the bits above say, and what follows.
enum {
    LOC_LINES,  // lines down, zigzag; the column is the same
    LOC_COLUMN, // lines down, zigzag; then the column
    LOC_FILE,   // string of the file; then line and column
    LOC_VALUE,  // index in VALUES; 0: unknown
};

#endif
