// gpu_kernels.h -- what lowerings of gpu.modules to a vendor's dialect share.
#ifndef MLC_CONVERSION_GPU_KERNELS_H
#define MLC_CONVERSION_GPU_KERNELS_H

#include "to_llvm/to_llvm.h"

enum { GPU_SHARED = 3 }; // address space of workgroup memory, of both vendors

// gpu.all_reduce and gpu.subgroup_reduce in `root` as shuffles between the lanes of a subgroup, and
// workgroup memory between subgroups. With `keep`, ops for which it is true stay. False after an
// error at an op that has no such form.
bool gpu_lower_reductions(MlcOp *root, int64_t lanes, bool (*keep)(MlcOp *op));

// How functions become llvm; `user` of the patterns below.
typedef struct GpuKernels {
    const char *kernel;     // attribute of a kernel: "nvvm.kernel"
    const char *block_size; // and of its block's size, if known: "nvvm.maxntid"
    const char *flat_size;  // the same as text, "1536,1536"; NULL: none
    unsigned stack_space;   // address space of what a thread alone has
    bool is_bare;           // memrefs are passed as pointers
    bool is_model;          // memory is aligned for copies of 16 bytes
} GpuKernels;
bool gpu_lower_function(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
bool gpu_lower_return(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
bool gpu_lower_dynamic_memory(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);

// Registers of the machine, i32: of x, y and z, or of one alone the first. They may say in which
// range they are: [0, end), if the function of the op tells sizes by `known`, an attribute of it.
typedef struct GpuRegisters {
    const char *names[3];
    const char *known; // NULL: none
} GpuRegisters;
#define GPU_REGISTERS(name, known)                                                                 \
    {                                                                                              \
        {name ".x", name ".y", name ".z"}, known                                                   \
    }
// What reads the registers, `user`, in the op's dimension, as an index.
bool gpu_lower_register(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
// gpu.global_id, of the numbers of the block, of threads in it, and of this one: `user`.
typedef struct GpuGlobalId {
    const GpuRegisters *block, *size, *thread;
} GpuGlobalId;
bool gpu_lower_global_id(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);

// The type of a memref with a memory space of gpu, by the numbers of its cases; for
// LlvmConversion.rule, whose user it is.
typedef struct GpuSpaces {
    unsigned global, workgroup, private;
} GpuSpaces;
int gpu_convert_space(MlcTypeConverter *types, MlcType type, MlcTypeVec *out, void *user);

// Matrices of a subgroup (gpu_subgroup_mma.c): ops, and the type, as in a rule of a converter.
extern const LlvmPatterns gpu_mma_patterns;
int gpu_convert_mma_matrix(MlcType type, MlcTypeVec *out);

// The text of gpu.printf, with a zero behind, in `space`: its address.
MlcValue *gpu_format_text(MlcConversion *c, MlcOp *op, unsigned space);

#endif
