// machine.h -- the machine compiled for, as plain data: what schedules are computed from.
//
// Ownership: descriptions are constant and live for ever.
// Threads: any.
#ifndef MLC_MACHINE_H
#define MLC_MACHINE_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// Bits of the widest vector registers that a machine may have, and lanes of the smallest elements
// (bytes) in them: what arrays of lanes hold. mlc-gen refuses wider machines.
enum { MLC_MAX_VECTOR_BITS = 2048, MLC_MAX_LANES = MLC_MAX_VECTOR_BITS / 8 };

// What an instruction adds to each i32 of a vector: the sum of four products of bytes. Nothing is
// cut off on the way.
enum { MLC_DOT_RUN = 4 };
typedef enum MlcDotProducts {
    MLC_DOT_NONE,
    MLC_DOT_UNSIGNED_SIGNED, // bytes without sign by bytes with one
    MLC_DOT_SIGNED_SIGNED,
    MLC_DOT_WORDS, // as the first, by products of two words: half as many a cycle
} MlcDotProducts;

typedef struct MlcTargetDesc {
    const char *name;     // "x86-64-v4"
    const char *triple;   // LLVM's
    const char *cpu;      // LLVM's -mcpu
    const char *features; // LLVM's -mattr, "" for what the cpu implies
    unsigned vector_bits; // of the widest registers worth using for f32
    unsigned vector_registers;
    unsigned fma_ports;         // vector FMAs started each cycle
    unsigned fma_latency;       // cycles
    bool has_masks;             // masked loads and stores at full speed
    bool has_memory_operands;   // an FMA may broadcast one operand from memory
    bool has_f16_conversions;   // between vectors of f16 and of f32
    size_t l1d_bytes, l2_bytes; // of one core
    size_t l3_bytes;            // shared; 0: none
    size_t l1d_ways;            // lines of a set
    size_t line_bytes;          // of a cache line
    unsigned l2_bandwidth, l3_bandwidth, memory_bandwidth; // bytes a cycle that one core reads
    unsigned cores;
    unsigned region_cycles; // to have another thread join a parallel loop, and to wait for its end
    unsigned chunk_cycles;  // for a thread to take the next chunk of one
    unsigned gpu_block_threads;  // of a launch, where nothing says how many; 0: it is no GPU
    unsigned gpu_subgroup;       // threads that run in step
    MlcDotProducts dot_products; // as many a cycle as FMAs, but those by words
    bool gpu_has_warpgroups;     // four warps multiply tiles that bulk copies bring (sm_90a)
    // Registers of small matrices, and what they hold: products of bytes, in groups of four, are
    // added to i32. 0: there are none.
    unsigned tile_registers, tile_rows, tile_row_bytes;
} MlcTargetDesc;

// Bytes of data that stay in the second cache of a core while as much again and more streams
// through it: three tenths.
static inline int64_t
mlc_target_resident_bytes(const MlcTargetDesc *target)
{
    return (int64_t)(target->l2_bytes / 10 * 3);
}

// The machine this runs on; detected once. Never NULL.
MLC_API const MlcTargetDesc *mlc_target_desc_host(void);
// "host", "x86-64-v2", "x86-64-v3", "x86-64-v3-vnni", "x86-64-v4", "x86-64-v4-vnni",
// "x86-64-v4-amx", "aarch64", "aarch64-dotprod", "cuda-sm_80", "cuda-sm_90a"; NULL if there is
// none.
MLC_API const MlcTargetDesc *mlc_target_desc_find(MlcStr name);
// All of them, in the order of lib/machine/targets.yaml.
MLC_API size_t mlc_num_target_descs(void);
// Machine `i` of them.
MLC_API const MlcTargetDesc *mlc_target_desc_at(size_t i);
// `target` if it is a GPU, else the first GPU: what a launch is laid out for while the target is
// the machine that launches. Never NULL.
MLC_API const MlcTargetDesc *mlc_target_desc_gpu(const MlcTargetDesc *target);

MLC_END_DECLS

#endif
