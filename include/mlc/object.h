// object.h -- from object files to a code image, and from an image to an artefact; needs no LLVM
// and no linker.
//
// The object files are what LLVM emits for position-independent code (ELF64, x86-64 and AArch64).
// Code and read-only data of all of them are laid out one after the other, relocations are applied,
// and calls of the functions of MLC_RT_IMPORTS go through stubs to slots that the loader fills.
// Refused, by name: other undefined symbols, absolute addresses, writable data (compiled code is
// re-entrant), symbols defined twice, thread-local storage.
//
// Ownership: images and buffers are the caller's to release; the rest is borrowed for the call.
// Threads: any, on images of their own.
#ifndef MLC_OBJECT_H
#define MLC_OBJECT_H

#include "mlc/runtime.h"
#include "mlc/runtime/artefact.h"
#include "mlc/support/buf.h"
#include "mlc/support/file.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"
#include "mlc/machine.h"

MLC_BEGIN_DECLS

typedef struct MlcImageFunction {
    const char *name;
    uint64_t address, size;
} MlcImageFunction;

typedef struct MlcImage {
    MlcBuf text;   // at address 0
    MlcBuf rodata; // at rodata_address
    uint64_t rodata_address;
    uint64_t slots_address;              // of the imports' slots, 8 bytes each
    uint32_t machine;                    // ELF's e_machine
    uint32_t page_size;                  // bytes
    MlcStrMap symbols;                   // functions and data with a global name -> address
    MLC_VEC(MlcImageFunction) functions; // in the text, those of an object alone too
    MlcStrVec imports;                   // in the order of their slots; static strings
    MlcArena names;
} MlcImage;

// Whether it links the code of this machine.
MLC_API bool mlc_image_can_link(const MlcTargetDesc *machine);

// Links `objects` (bytes of ELF files; borrowed). On failure appends to `error` and leaves `image`
// released.
MLC_API MLC_NODISCARD bool mlc_image_link(MlcImage *image, const MlcStr *objects,
                                          size_t num_objects, MlcBuf *error);
MLC_API void mlc_image_release(MlcImage *image);

typedef struct MlcArtefactKernelSpec {
    const char *name;  // of its function; others whose names go on from it with '_' belong to it
    const char *nodes; // one a line; NULL: none
    const char *notes; // one a line; NULL: none
    uint64_t flops, bytes; // of a call; 0: not known
} MlcArtefactKernelSpec;

typedef struct MlcArtefactConstant {
    size_t size;      // bytes
    const void *data; // NULL: `make(to, user)` fills zeroed bytes, the same ones in every call
    void (*make)(void *to, void *user);
    void *user;
} MlcArtefactConstant;

// What an artefact is made of. Everything is borrowed; zeros are fine where there is nothing.
// An input or output of a model, where one of them is no tensor (MlcArtefactValue).
typedef struct MlcArtefactValueSpec {
    const char *name;
    const char *form; // "sequence(tensor, tensor)"
    MlcRtType type;   // of the tensors in it; 0: not known
    bool is_output;
} MlcArtefactValueSpec;

typedef struct MlcArtefactSpec {
    const char *name;
    const char *isa;      // "x86-64-v4"
    const char *features; // "avx2,fma", in LLVM's names
    const MlcRtTensorInfo *inputs;
    size_t num_inputs;
    const MlcRtTensorInfo *outputs;
    size_t num_outputs;
    const MlcArtefactKernelSpec *kernels;
    size_t num_kernels;
    uint64_t arena_bytes;
    uint64_t scratch_bytes; // of each thread; rounded up to MLC_RT_ALIGNMENT
    uint64_t prepared_bytes;
    uint64_t init_arena_bytes;
    uint64_t left_out;                    // by the budget of time
    const MlcArtefactConstant *constants; // laid out in order, each aligned to MLC_RT_ALIGNMENT
    size_t num_constants;
    struct MlcPool *pool;  // makes some constants at a time; NULL: the caller alone
    const MlcImage *image; // must define MLC_RT_SYMBOL_MAIN; NULL: code comes from elsewhere
                           // (MlcModelOptions.resolve)
    const MlcArtefactValueSpec *values; // inputs, then outputs; none: all are tensors
    size_t num_values;
    const MlcStr *literals; // the model's strings, which its code knows by their numbers
    size_t num_literals;
} MlcArtefactSpec;

// Where constant `i` starts, and for num_constants where the last one ends, from the start of the
// constants.
MLC_API uint64_t mlc_artefact_constant_offset(const MlcArtefactSpec *spec, size_t i);

// Writes it, from the file's start; constants are in memory a few at a time.
MLC_API MLC_NODISCARD bool mlc_artefact_write(const MlcArtefactSpec *spec, MlcFileWriter *writer,
                                              MlcBuf *error);
MLC_API MLC_NODISCARD bool mlc_artefact_write_buf(const MlcArtefactSpec *spec, MlcBuf *out,
                                                  MlcBuf *error);

// Sizes that follow from those of the inputs (mlc/runtime/artefact.h). Names and texts are strings.
typedef struct MlcArtefactShapesSpec {
    size_t size; // MLC_SIZED
    const char *const *symbols;
    const MlcArtefactSize *sizes; // without their texts, which are `texts`
    const char *const *texts;
    const MlcArtefactStep *steps;
    const MlcArtefactCheck *checks; // without `where`, which are `places`
    const char *const *places;
    const MlcArtefactBuffer *buffers;
    const uint32_t *dims; // `shape` of each dimension of inputs, then outputs
    uint32_t num_symbols, num_sizes, num_steps, num_checks, num_buffers;
    uint32_t num_caches;
    const MlcArtefactCache *caches;
} MlcArtefactShapesSpec;

// Code for devices: images of one target stand together, and each kernel is in one of them.
typedef struct MlcArtefactImageSpec {
    const char *target; // "cuda-sm_80"
    MlcStr code;        // PTX text, or a cubin
} MlcArtefactImageSpec;

typedef struct MlcArtefactDeviceSpec {
    size_t size; // MLC_SIZED
    const MlcArtefactImageSpec *images;
    size_t num_images;
    const char *const *kernels; // by the numbers that launches have
    size_t num_kernels;
} MlcArtefactDeviceSpec;

// What only some models have.
typedef struct MlcArtefactParts {
    size_t size;                         // MLC_SIZED
    const MlcArtefactShapesSpec *shapes; // NULL: all sizes are known
    const MlcArtefactDeviceSpec *device; // NULL: all runs on the CPU
    const MlcStr *operators; // of libraries: the fields of each (mlc/runtime/artefact.h)
    size_t num_operators;
} MlcArtefactParts;

// mlc_artefact_write of a model that has some of them; NULL: none.
MLC_API MLC_NODISCARD bool mlc_artefact_write_parts(const MlcArtefactSpec *spec,
                                                    const MlcArtefactParts *parts,
                                                    MlcFileWriter *writer, MlcBuf *error);

// mlc_artefact_write of a model that has some; `shapes` may be NULL.
MLC_API MLC_NODISCARD bool mlc_artefact_write_shaped(const MlcArtefactSpec *spec,
                                                     const MlcArtefactShapesSpec *shapes,
                                                     MlcFileWriter *writer, MlcBuf *error);

MLC_END_DECLS

#endif
