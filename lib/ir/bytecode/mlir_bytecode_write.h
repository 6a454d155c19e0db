// mlir_bytecode_write.h -- private: a file in MLIR's own bytecode, being written: its numbers, and
// the tables that what is used gets an index in.
#ifndef MLC_IR_MLIR_BYTECODE_WRITE_H
#define MLC_IR_MLIR_BYTECODE_WRITE_H

#include "mlir_bytecode.h"

enum { MLIR_PADDING = 0xcb };

typedef struct MlirWrittenEntry { // an attribute or a type
    MlcBuf bytes;
    uint64_t dialect;
    bool is_custom;
} MlirWrittenEntry;

typedef struct MlirWrittenEntries {
    MlcMap index; // of uniqued values
    MLC_VEC(MlirWrittenEntry) list;
} MlirWrittenEntries;

typedef struct MlirOpName { // of an op
    const MlcOpDef *def;
    uint64_t dialect;
    uint16_t *order; // of its slots
} MlirOpName;

typedef struct MlirWriter {
    MlcContext *ctx;
    MlcBytecodeWriteOptions options;
    MlcArena arena;
    MlcStrMap string_index, dialect_index, properties_index;
    MLC_VEC(MlcStr) strings;
    MLC_VEC(MlcStr) dialects;
    MLC_VEC(MlcStr) properties;
    MlirWrittenEntries attrs, types;
    MlcMap name_index; // MlcOpDef -> index
    MLC_VEC(MlirOpName) names;
    MlcMap resource_index; // string of the key -> index
    MLC_VEC(MlcAttr) resources;
    MlcMap numbers; // MlcValue and MlcBlock -> number in its isolated op
} MlirWriter;

// mlir_bytecode_write_values.c: numbers as MLIR's varints, with a flag in the lowest bit, or with
// the sign there; bytes; bytes with their number before; and padding to a multiple.
void mlir_put(MlcBuf *out, uint64_t value);
void mlir_put_flagged(MlcBuf *out, uint64_t value, bool flag);
void mlir_put_signed(MlcBuf *out, int64_t value);
void mlir_put_byte(MlcBuf *out, unsigned byte);
void mlir_put_blob(MlcBuf *out, const void *data, size_t size);
void mlir_pad(MlcBuf *out, size_t alignment);

// The index of what is used, which is written into its table when it is first met.
uint64_t mlir_string_index(MlirWriter *w, MlcStr string);
uint64_t mlir_dialect_index(MlirWriter *w, MlcStr name);
uint64_t mlir_type_index(MlirWriter *w, MlcType type);
uint64_t mlir_attr_index(MlirWriter *w, MlcAttr attr);
uint64_t mlir_loc_index(MlirWriter *w, MlcLoc loc);

#endif
