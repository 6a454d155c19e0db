// to_llvm.h -- what the lowerings to the llvm dialect share: types, and the ops they are made of.
//
// Index is i64. A memref of static strides is the pointer to its first element, `!llvm.ptr`
// (offsets are added when a window is taken, sizes are in the type); a memref without static
// strides has no such form and is refused.
#ifndef MLC_CONVERSION_TO_LLVM_H
#define MLC_CONVERSION_TO_LLVM_H

#include "mlc/rewrite.h"

typedef struct LlvmPatterns {
    const MlcConversionPattern *patterns;
    size_t num_patterns;
} LlvmPatterns;

extern const LlvmPatterns arith_to_llvm_patterns, math_to_llvm_patterns, cf_to_llvm_patterns;
extern const LlvmPatterns func_to_llvm_patterns, memref_to_llvm_patterns, vector_to_llvm_patterns;

MlcTypeConverter *llvm_type_converter_create(MlcContext *ctx);
MlcType llvm_ptr(MlcContext *ctx, unsigned address_space);
unsigned llvm_address_space(MlcType memref);
// !llvm.func<result (params)>; result NULL: void.
MlcType llvm_function_type(MlcContext *ctx, MlcType result, const MlcType *params,
                           size_t num_params);

MlcValue *llvm_constant(MlcBuilder *b, MlcType type, int64_t value);
MlcValue *llvm_i64(MlcBuilder *b, int64_t value);
MlcValue *llvm_add(MlcBuilder *b, MlcValue *lhs,
                   MlcValue *rhs); // folds constants made by llvm_constant
MlcValue *llvm_mul_constant(MlcBuilder *b, MlcValue *lhs, int64_t rhs);
// base + index elements of `element`, i.e. llvm.getelementptr; index NULL: base.
MlcValue *llvm_element_ptr(MlcBuilder *b, MlcValue *base, MlcType element, MlcValue *index);
// The address of memref[indices]; NULL, after saying why, if the memref's strides are not static.
MlcValue *llvm_memref_element_ptr(MlcConversion *c, MlcOp *op, MlcType memref, MlcValue *base,
                                  MlcValue *const *indices);
MlcValue *llvm_load(MlcBuilder *b, MlcType type, MlcValue *address, unsigned alignment);
void llvm_store(MlcBuilder *b, MlcValue *value, MlcValue *address, unsigned alignment);
// Bytes of one element in memory: a power of two.
unsigned llvm_element_bytes(MlcType element);

// In memory each element has whole bytes, also those of vector<16xi1>, which LLVM would pack: such
// vectors are loaded and stored as vectors of bytes.
MlcType llvm_memory_type(MlcType type);
MlcValue *llvm_to_memory(MlcBuilder *b, MlcValue *value);
MlcValue *llvm_from_memory(MlcBuilder *b, MlcValue *value, MlcType type);

// What becomes of an op's own attributes: #arith.fastmath, #arith.overflow, or nothing.
typedef enum LlvmFlags { LLVM_NONE, LLVM_FASTMATH, LLVM_OVERFLOW } LlvmFlags;
// A pattern's `user` for ops that keep operands, order and meaning, and only change their name.
typedef struct LlvmSame {
    const char *to;
    LlvmFlags flags;
} LlvmSame;
bool llvm_lower_same(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
size_t llvm_convert_flags(MlcOp *op, MlcBuilder *b, LlvmFlags flags, MlcNamedAttr *out);
// memref.load and vector.load, memref.store and vector.store.
bool llvm_lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
bool llvm_lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
MlcType llvm_result_type(MlcConversion *c, MlcOp *op); // of result 0; NULL if it has no llvm form
bool llvm_no_type(MlcConversion *c, MlcOp *op);        // false, after saying so

#endif
