// bytecode_read.h -- private: a bytecode file being read, shared by its sections' readers.
#ifndef MLC_IR_BYTECODE_READ_H
#define MLC_IR_BYTECODE_READ_H

#include <stdatomic.h>

#include "mlc/ir/bytecode.h"

#include "bytecode_format.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"
#include "op/op_impl.h"

// Bytes not read yet. After a fault `at` is `end`, so that loops end.
typedef struct BytecodeCursor {
    const uint8_t *at, *end;
    MlcBytecode *file;
} BytecodeCursor;

// What the sections' numbers mean.
typedef struct BytecodeName {
    const MlcOpDef *def;
    uint32_t num_slots;
    MlcStr *slot_names;
    int32_t *slots; // of `def`; -1: it has no such attribute
} BytecodeName;

typedef struct BytecodeValue {
    const void *value;
    uint8_t tag;
    uint32_t depth;         // of what it is made of, within the nesting limit
    uint32_t dims, symbols; // of an expression: one more than the highest it uses
    uint64_t expansion; // bytes of it and of all that it is made of, each as often as it is used
} BytecodeValue;

// The caller's mapping, while somebody uses it.
typedef struct BytecodeData {
    atomic_size_t users;
    void (*release)(void *user);
    void *user;
} BytecodeData;

typedef struct BytecodePiece { // an unread body
    const uint8_t *at;
    size_t size;
} BytecodePiece;

struct MlcBytecode {
    MlcContext *ctx;
    struct MlirBytecode *mlir; // of MLIR's format; NULL: ours
    MlcStr text, name;
    MlcBytecodeReadOptions options;
    MlcArena arena;
    BytecodeData *data;
    bool failed;
    BytecodeCursor sections[NUM_SECTIONS];
    MlcStr *strings;
    size_t num_strings;
    BytecodeValue *values;
    size_t num_values, capacity;
    BytecodeName *names;
    size_t num_names;
    BytecodePiece *kinds;
    MlcOp **models;       // an op of each kind, to be copied; NULL until the kind is first used
    uint64_t *expansions; // of the kinds
    size_t num_kinds;
    MlcStrMap blobs; // key -> MlcBlob, owned until the values are read
    MlcMap pending;  // MlcOp -> index in `pieces`
    MLC_VEC(BytecodePiece) pieces;
    MlcOp *root;
    // Values share what they are made of, which may double with each; whoever walks or prints them
    // meets all of it. `open`: of what is being read; NULL: an op, which is counted in `expansion`.
    uint64_t *open, expansion, expansion_limit;
};

// The first fault is reported, with the offset of the cursor. Returns false.
bool bytecode_fail(BytecodeCursor *c, const char *format, ...) MLC_PRINTF(2, 3);
// Something that stands for so many bytes is used here.
bool bytecode_expand(BytecodeCursor *c, uint64_t bytes);
bool bytecode_get_long(BytecodeCursor *c, uint64_t *value);
static inline bool
bytecode_get(BytecodeCursor *c, uint64_t *value)
{
    if (c->at == c->end || *c->at >= 0x80)
        return bytecode_get_long(c, value);
    *value = *c->at++;
    return true;
}
static inline uint64_t
bytecode_unzigzag(uint64_t bits) // two's complement
{
    return (bits >> 1) ^ (~(bits & 1) + 1);
}
static inline bool
bytecode_get_signed(BytecodeCursor *c, int64_t *value)
{
    uint64_t bits;
    bool ok = bytecode_get(c, &bits);
    *value = (int64_t)bytecode_unzigzag(bits);
    return ok;
}
// A number of things that take at least a byte each.
bool bytecode_get_count(BytecodeCursor *c, size_t *count);
bool bytecode_get_below(BytecodeCursor *c, uint64_t limit, const char *what, uint64_t *value);
bool bytecode_get_string(BytecodeCursor *c, MlcStr *string);
bool bytecode_get_type(BytecodeCursor *c, MlcType *type);
bool bytecode_get_attr(BytecodeCursor *c, MlcAttr *attr);
bool bytecode_get_loc(BytecodeCursor *c, MlcLoc *loc);

const MlcOpDef *bytecode_find_op(BytecodeCursor *c, MlcStr name);
// A window into the mapping, if that lasts and the bytes lie well, else a copy.
MlcBlob *bytecode_make_blob(MlcBytecode *file, const uint8_t *bytes, size_t size, size_t alignment);
// A number of operands or the like against the context's limit.
bool bytecode_check_limit(BytecodeCursor *c, size_t n, const char *what);

// A value that is used before its definition is the result of a placeholder until then.
MlcValue *bytecode_make_placeholder(MlcContext *ctx);
void bytecode_replace_placeholder(MlcValue *placeholder, MlcValue *value);

// bytecode_checked.c: NULL after a fault.
typedef struct BytecodeShape {
    int64_t dims[MLC_RANK_LIMIT];
    bool scalable[MLC_RANK_LIMIT], has_scalable;
    size_t rank;
} BytecodeShape;
MlcType bytecode_make_integer_type(BytecodeCursor *c, uint64_t width, uint64_t signedness);
MlcType bytecode_make_complex(BytecodeCursor *c, MlcType element);
// `first`: the encoding of a tensor, the layout of a memref.
MlcType bytecode_make_shaped(BytecodeCursor *c, MlcTypeKind kind, MlcType element,
                             const BytecodeShape *shape, MlcAttr first, MlcAttr space);
bool bytecode_is_enum_case(const MlcAttrDef *def, int64_t value);
MlcAttr bytecode_make_dict(BytecodeCursor *c, const MlcNamedAttr *entries, size_t n);
MlcAttr bytecode_make_dense(BytecodeCursor *c, MlcType type, const void *data, size_t size,
                            bool splat);
MlcAttr bytecode_make_dense_string(BytecodeCursor *c, MlcType type, const MlcStr *strings,
                                   size_t n);
MlcAttr bytecode_make_dense_array(BytecodeCursor *c, MlcType element, size_t n, const void *data,
                                  size_t size);
MlcAttr bytecode_make_sparse(BytecodeCursor *c, MlcType type, MlcAttr indices, MlcAttr values);
MlcAttr bytecode_make_resource(BytecodeCursor *c, MlcType type, MlcStr key);

// bytecode_parts.c. How a format writes the parts of what it has entries for; lists stand behind
// their number.
typedef struct BytecodeParts {
    bool (*count)(BytecodeCursor *c, size_t *count);
    bool (*string)(BytecodeCursor *c, MlcStr *string);
    bool (*type)(BytecodeCursor *c, MlcType *type);
    bool (*attr)(BytecodeCursor *c, MlcAttr *attr);
    bool (*loc)(BytecodeCursor *c, MlcLoc *loc);
} BytecodeParts;
typedef MLC_VEC(MlcAttr) BytecodeAttrs;
typedef MLC_VEC(MlcLoc) BytecodeLocs;
bool bytecode_get_types(BytecodeCursor *c, const BytecodeParts *parts, MlcTypeVec *types);
bool bytecode_get_attrs(BytecodeCursor *c, const BytecodeParts *parts, BytecodeAttrs *attrs);
bool bytecode_get_locs(BytecodeCursor *c, const BytecodeParts *parts, BytecodeLocs *locs);
MlcType bytecode_read_list_type(BytecodeCursor *c, const BytecodeParts *parts, bool is_function);
MlcAttr bytecode_read_array(BytecodeCursor *c, const BytecodeParts *parts);
MlcAttr bytecode_read_dict(BytecodeCursor *c, const BytecodeParts *parts);
MlcAttr bytecode_read_sparse(BytecodeCursor *c, const BytecodeParts *parts);
MlcLoc bytecode_read_callsite(BytecodeCursor *c, const BytecodeParts *parts);
MlcLoc bytecode_read_name_loc(BytecodeCursor *c, const BytecodeParts *parts);

// bytecode_values.c: the sections VALUES and BODIES.
bool bytecode_read_values(MlcBytecode *file);
bool bytecode_read_bodies(MlcBytecode *file);

// mlir_bytecode_read.c: a file in MLIR's format, up to the root op, and a body of it.
bool mlir_bytecode_is(MlcStr data);
bool mlir_bytecode_open(MlcBytecode *file);
// The external resources alone.
void mlir_bytecode_read_external(MlcBytecode *file);
void bytecode_read_external(MlcContext *ctx, MlcStr data, MlcStr name,
                            MlcExternalResources *external);
void mlir_bytecode_release(MlcBytecode *file);
bool mlir_bytecode_read_body(MlcBytecode *file, BytecodePiece piece, MlcOp *op);

#endif
