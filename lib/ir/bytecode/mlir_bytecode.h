// mlir_bytecode.h -- private: a file in MLIR's own bytecode, versions 0 to 6, being read.
//
// The layout is MLIR's (mlir.llvm.org/docs/BytecodeFormat). Numbers are PrefixVarInts: the zeros at
// the low end of the first byte say how many bytes follow. Attributes and types are entries that
// may refer to each other in any order, so each is read when it is first asked for. What is not
// written there: the properties of an op are its inherent attributes in the order of their names,
// then the sizes of its operand and result groups.
#ifndef MLC_IR_MLIR_BYTECODE_H
#define MLC_IR_MLIR_BYTECODE_H

#include "bytecode_read.h"

static const char mlir_bytecode_magic[4] = {'M', 'L', '\xef', 'R'};
#define MLIR_BYTECODE_VERSION 6

// What came with which version.
enum {
    MLIR_VERSION_DIALECTS = 1,      // dialects have versions
    MLIR_VERSION_LAZY = 2,          // regions of isolated ops are sections
    MLIR_VERSION_USE_ORDERS = 3,    // uses may stand in another order than that of reading
    MLIR_VERSION_ARGUMENT_LOCS = 4, // unknown locations of block arguments are left out
    MLIR_VERSION_PROPERTIES = 5,    // properties apart from the dictionary
    MLIR_VERSION_SEGMENTS = 6,      // sizes of groups as plain numbers
};

typedef enum MlirSection {
    MLIR_SECTION_STRINGS,
    MLIR_SECTION_DIALECTS,
    MLIR_SECTION_ENTRIES,
    MLIR_SECTION_ENTRY_SIZES,
    MLIR_SECTION_IR,
    MLIR_SECTION_RESOURCES,
    MLIR_SECTION_RESOURCE_SIZES,
    MLIR_SECTION_DIALECT_VERSIONS,
    MLIR_SECTION_PROPERTIES,
    MLIR_NUM_SECTIONS
} MlirSection;

// Of an op: which parts follow.
enum {
    MLIR_OP_ATTRS = 1,
    MLIR_OP_RESULTS = 2,
    MLIR_OP_OPERANDS = 4,
    MLIR_OP_SUCCESSORS = 8,
    MLIR_OP_REGIONS = 16,
    MLIR_OP_USE_ORDERS = 32,
    MLIR_OP_PROPERTIES = 64,
};

// What the builtin dialect's attributes and types begin with.
typedef enum MlirAttrCode {
    MLIR_ATTR_ARRAY,
    MLIR_ATTR_DICT,
    MLIR_ATTR_STRING,
    MLIR_ATTR_TYPED_STRING,
    MLIR_ATTR_FLAT_SYMBOL,
    MLIR_ATTR_SYMBOL,
    MLIR_ATTR_TYPE,
    MLIR_ATTR_UNIT,
    MLIR_ATTR_INTEGER,
    MLIR_ATTR_FLOAT,
    MLIR_ATTR_LOC_CALLSITE,
    MLIR_ATTR_LOC_FILE,
    MLIR_ATTR_LOC_FUSED,
    MLIR_ATTR_LOC_FUSED_METADATA,
    MLIR_ATTR_LOC_NAME,
    MLIR_ATTR_LOC_UNKNOWN,
    MLIR_ATTR_DENSE_RESOURCE,
    MLIR_ATTR_DENSE_ARRAY,
    MLIR_ATTR_DENSE,
    MLIR_ATTR_DENSE_STRING,
    MLIR_ATTR_SPARSE,
    MLIR_ATTR_DISTINCT,
} MlirAttrCode;

typedef enum MlirTypeCode {
    MLIR_TYPE_INTEGER,
    MLIR_TYPE_INDEX,
    MLIR_TYPE_FUNCTION,
    MLIR_TYPE_BF16,
    MLIR_TYPE_F16,
    MLIR_TYPE_F32,
    MLIR_TYPE_F64,
    MLIR_TYPE_F80,
    MLIR_TYPE_F128,
    MLIR_TYPE_COMPLEX,
    MLIR_TYPE_MEMREF,
    MLIR_TYPE_MEMREF_SPACE,
    MLIR_TYPE_NONE,
    MLIR_TYPE_TENSOR,
    MLIR_TYPE_TENSOR_ENCODING,
    MLIR_TYPE_TUPLE,
    MLIR_TYPE_UNRANKED_MEMREF,
    MLIR_TYPE_UNRANKED_MEMREF_SPACE,
    MLIR_TYPE_UNRANKED_TENSOR,
    MLIR_TYPE_VECTOR,
    MLIR_TYPE_VECTOR_SCALABLE,
} MlirTypeCode;

typedef struct MlirEntry { // an attribute or a type
    const uint8_t *at;
    size_t size;
    const void *value;  // NULL: not read yet. Of a location: itself, not the attribute of it
    uint64_t expansion; // as a BytecodeValue's
    uint32_t dialect;
    bool is_custom; // else text
    bool is_open;   // being read
    bool is_loc;
} MlirEntry;

typedef struct MlirEntries {
    MlirEntry *data;
    size_t size;
} MlirEntries;

typedef struct MlirName { // of an op
    MlcStr text;
    const MlcOpDef *def; // NULL: not asked for yet
    uint16_t *order;     // of `def`'s slots, by name
    bool was_registered; // where it was written
} MlirName;

typedef struct MlirBytecode {
    uint64_t version;
    BytecodeCursor sections[MLIR_NUM_SECTIONS];
    bool has_section[MLIR_NUM_SECTIONS];
    MlcStr *dialects;
    size_t num_dialects;
    MlirName *names;
    size_t num_names;
    MlirEntries attrs, types;
    uint64_t depth; // of entries being read
    BytecodePiece *properties;
    size_t num_properties;
    MLC_VEC(MlcStr) resources; // keys of the dialects' resources
} MlirBytecode;

// Whether a slot has the sizes of an op's groups of operands or results.
bool mlir_is_segments(const MlcOpDef *def, size_t slot);
// The slots of `def` in the order of their names.
void mlir_order_slots(const MlcOpDef *def, uint16_t *order);

bool mlir_get(BytecodeCursor *c, uint64_t *value);
bool mlir_get_signed(BytecodeCursor *c, int64_t *value);
bool mlir_get_byte(BytecodeCursor *c, uint8_t *byte);
bool mlir_get_flagged(BytecodeCursor *c, uint64_t *value, bool *flag);
bool mlir_get_count(BytecodeCursor *c, size_t *count); // of things of at least a byte each
bool mlir_get_string(BytecodeCursor *c, MlcStr *string);
bool mlir_get_section(BytecodeCursor *c, MlirSection *id, BytecodeCursor *section);

// mlir_bytecode_values.c: by index.
bool mlir_fail_attr(BytecodeCursor *c, const char *expected, MlcAttr got); // false
bool mlir_get_attr(BytecodeCursor *c, MlcAttr *attr);
bool mlir_get_optional_attr(BytecodeCursor *c, MlcAttr *attr);
bool mlir_get_type(BytecodeCursor *c, MlcType *type);
bool mlir_get_type_at(BytecodeCursor *c, uint64_t index, MlcType *type);
bool mlir_get_loc(BytecodeCursor *c, MlcLoc *loc);

// mlir_bytecode_write.c
void mlir_bytecode_write(MlcOp *op, const MlcBytecodeWriteOptions *options, MlcBuf *out);

// mlir_bytecode_ops.c
bool mlir_read_ir(MlcBytecode *file);

// bytecode_write.c: a value's or block's number.
uint64_t bytecode_number_of(const MlcMap *numbers, const void *value);

#endif
