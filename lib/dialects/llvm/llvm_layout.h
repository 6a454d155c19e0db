// llvm_layout.h -- private: sizes of types in memory, as MLIR's default data layout has them.
#ifndef MLC_LLVM_LAYOUT_H
#define MLC_LLVM_LAYOUT_H

#include "mlc/ir.h"

bool mlc_llvm_is_array(MlcType type);
bool mlc_llvm_is_struct(MlcType type);
bool mlc_llvm_struct_is_packed(MlcType type);
size_t mlc_llvm_num_elements(MlcType aggregate); // 0: none, or not known
MlcType mlc_llvm_element(MlcType aggregate, size_t i);

MlcType mlc_llvm_pointer(MlcContext *ctx); // in address space 0

// Bits, bytes (rounded up), and ABI alignment in bytes; false for types without a size,
// and of more than 2^60 bytes.
typedef struct MlcLlvmLayout {
    uint64_t bits, bytes, alignment;
} MlcLlvmLayout;
bool mlc_llvm_layout(MlcType type, MlcLlvmLayout *layout);

static inline uint64_t
mlc_llvm_align(uint64_t offset, uint64_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

#endif
