// bytecode_read.h -- private: a bytecode file being read, shared by its sections' readers.
#ifndef MLC_IR_BYTECODE_READ_H
#define MLC_IR_BYTECODE_READ_H

#include <stdatomic.h>

#include "mlc/ir/bytecode.h"

#include "bytecode_format.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"
#include "op_impl.h"

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
    MlcStrMap blobs; // key -> MlcBlob, owned until the values are read
    MlcMap pending;  // MlcOp -> index in `pieces`
    MLC_VEC(BytecodePiece) pieces;
    MlcOp *root;
};

// The first fault is reported, with the offset of the cursor. Returns false.
bool bytecode_fail(BytecodeCursor *c, const char *format, ...) MLC_PRINTF(2, 3);
bool bytecode_get(BytecodeCursor *c, uint64_t *value);
bool bytecode_get_signed(BytecodeCursor *c, int64_t *value);
// A number of things that take at least a byte each.
bool bytecode_get_count(BytecodeCursor *c, size_t *count);
bool bytecode_get_below(BytecodeCursor *c, uint64_t limit, const char *what, uint64_t *value);
bool bytecode_get_string(BytecodeCursor *c, MlcStr *string);
bool bytecode_get_type(BytecodeCursor *c, MlcType *type);
bool bytecode_get_attr(BytecodeCursor *c, MlcAttr *attr);
bool bytecode_get_loc(BytecodeCursor *c, MlcLoc *loc);

// bytecode_values.c: the sections VALUES and BODIES.
bool bytecode_read_values(MlcBytecode *file);
bool bytecode_read_bodies(MlcBytecode *file);

#endif
