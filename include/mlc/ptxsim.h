// ptxsim.h -- runs PTX text on this machine and says what a GPU would not: races, reads of what was
// never written, accesses out of bounds, waits that never end.
//
// A device has memory and modules. Text is read and decoded once, by mlc_ptx_load; a launch then
// runs the blocks of a grid, 32 lanes an instruction. How it works, and what it does not do:
// docs/internals/ptxsim.md. Facts about instructions come from NVIDIA's "PTX ISA" 8.7.
//
// Ownership: the device owns modules and memory; the caller destroys it. Texts and names are
// copied.
// Threads: a device belongs to one at a time; a launch may use several by itself.
#ifndef MLC_PTXSIM_H
#define MLC_PTXSIM_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcPtxDevice MlcPtxDevice;
typedef struct MlcPtxModule MlcPtxModule;
typedef struct MlcPtxEntry MlcPtxEntry;

// One message: an error, or a note about the one before. `line` and `column` count from 1; 0: of no
// line. The strings live as long as the call.
typedef struct MlcPtxMessage {
    const char *file;
    unsigned line;
    unsigned column;
    bool is_note;
    const char *text;
} MlcPtxMessage;

typedef void (*MlcPtxMessageFn)(void *user, const MlcPtxMessage *message);

// A device without memory. Messages go to `handler`, on the thread that calls the library; NULL:
// they are dropped.
MLC_API MLC_NODISCARD MlcPtxDevice *mlc_ptx_device_create(MlcPtxMessageFn handler, void *user);
MLC_API void mlc_ptx_device_destroy(MlcPtxDevice *device); // NULL is fine

// Memory of the device: an address at a multiple of 256; the bytes count as never written. 0: more
// than 2^36 bytes.
MLC_API MLC_NODISCARD uint64_t mlc_ptx_alloc(MlcPtxDevice *device, uint64_t num_bytes);
// False: no memory begins there.
MLC_API bool mlc_ptx_free(MlcPtxDevice *device, uint64_t address);
// Between host and device. False, and nothing is done: not all of it is in one piece of memory. A
// read gives what is there, whether it was written or not.
MLC_API MLC_NODISCARD bool mlc_ptx_write(MlcPtxDevice *device, uint64_t address, const void *bytes,
                                         uint64_t num_bytes);
MLC_API MLC_NODISCARD bool mlc_ptx_read(MlcPtxDevice *device, uint64_t address, void *bytes,
                                        uint64_t num_bytes);
// How many of these bytes were never written, by the host or a kernel.
MLC_API uint64_t mlc_ptx_num_unwritten(MlcPtxDevice *device, uint64_t address, uint64_t num_bytes);

typedef void (*MlcPtxTouchFn)(void *user, uint64_t address, uint64_t num_bytes, bool is_written);
// Calls `visit` for each run of global memory that the last launch read or wrote, by address; words
// of 4 bytes are told apart. Of a launch that looked for no races: none.
MLC_API void mlc_ptx_visit_touched(const MlcPtxDevice *device, MlcPtxTouchFn visit, void *user);

// Reads and decodes a module; `name` stands before its messages. Its variables get memory of the
// device. NULL after errors.
MLC_API MLC_NODISCARD MlcPtxModule *mlc_ptx_load(MlcPtxDevice *device, MlcStr text, MlcStr name);

// The kernel of that name, or NULL; the `i`-th one, for i < mlc_ptx_num_entries.
MLC_API MLC_NODISCARD MlcPtxEntry *mlc_ptx_find_entry(MlcPtxModule *module, MlcStr name);
MLC_API size_t mlc_ptx_num_entries(const MlcPtxModule *module);
MLC_API MLC_NODISCARD MlcPtxEntry *mlc_ptx_entry(MlcPtxModule *module, size_t i);
// Of a kernel: its name (NUL-terminated), and its parameters, each with its bytes.
MLC_API MlcStr mlc_ptx_entry_name(const MlcPtxEntry *entry);
MLC_API size_t mlc_ptx_num_params(const MlcPtxEntry *entry);
MLC_API uint32_t mlc_ptx_param_bytes(const MlcPtxEntry *entry, size_t i);

// The address and the bytes of a .global or .const variable. False: there is none of that name.
MLC_API bool mlc_ptx_find_variable(MlcPtxModule *module, MlcStr name, uint64_t *address,
                                   uint64_t *num_bytes);

typedef enum MlcPtxElement {
    MLC_PTX_U8,
    MLC_PTX_U16,
    MLC_PTX_U32,
    MLC_PTX_S32,
    MLC_PTX_U64,
    MLC_PTX_S64,
    MLC_PTX_F16,
    MLC_PTX_F32,
    MLC_PTX_F64,
    MLC_PTX_BF16,
} MlcPtxElement; // numbered as CUtensorMapDataType

// A tensor in global memory and the box of it that one bulk copy moves; dimension 0 is contiguous.
typedef struct MlcPtxTensorMap {
    MlcPtxElement type;
    unsigned rank; // 1 to 5
    uint64_t address;
    uint64_t dims[5];    // elements
    uint64_t strides[4]; // bytes, of dimensions 1 and up
    uint32_t box[5];     // elements; of im2col: 0 channels, 1 pixels
    uint32_t steps[5];   // every so many elements; 0: 1
    unsigned swizzle;    // 0: none; 1, 2, 3: rows of 32, 64, 128 bytes
    bool fills_nan;      // what is outside is a NaN, not 0
    bool is_im2col;
    int16_t lower[3], upper[3]; // im2col: corners of the box of pixels
} MlcPtxTensorMap;

// Writes 128 bytes, a kernel's argument, that its bulk copies of tensors take. NULL, or what is
// wrong, in words that live for ever.
MLC_API MLC_NODISCARD const char *mlc_ptx_tensor_map_encode(const MlcPtxTensorMap *map, void *out);

// What a launch did, all blocks together.
typedef struct MlcPtxCounters {
    uint64_t instructions;      // of warps: one for up to 32 lanes
    uint64_t lane_instructions; // of lanes that took part
    uint64_t float_ops;         // lanes' instructions on floats: fma is 1
    uint64_t matrix_macs;       // multiplications by matrix instructions
    uint64_t branches;          // of warps
    uint64_t divergent_branches;
    uint64_t barriers;            // waits of warps at a barrier of their block
    uint64_t global_accesses;     // instructions that touch global memory
    uint64_t global_sectors;      // 32-byte sectors that they touch
    uint64_t global_sectors_best; // that their bytes would fill
    uint64_t shared_accesses;     // instructions that touch shared memory
    uint64_t shared_wavefronts;   // passes over the 32 banks that they take
    uint64_t bank_conflicts;      // passes beyond what their bytes need
    uint64_t async_copies;        // cp.async of lanes, and bulk copies
} MlcPtxCounters;

typedef struct MlcPtxLaunch {
    MlcPtxEntry *entry;
    uint32_t grid[3];        // blocks: x, y, z
    uint32_t block[3];       // threads
    uint32_t cluster[3];     // blocks of a cluster; 0: 1
    uint32_t shared_bytes;   // dynamic shared memory, for `.extern .shared`
    const void *const *args; // [i]: mlc_ptx_param_bytes(entry, i) bytes
    size_t num_args;
    uint64_t seed;        // 0: warps in turn, and asynchronous work at once; else drawn from it
    uint64_t max_steps;   // instructions of a block's warps before it is given up; 0: 2^40
    unsigned num_threads; // of the host: 0 one a processor
    bool no_races;        // look for no data races
    bool no_proxies;      // miss no fence.proxy.async
    bool strict_proxies;  // also tell generic reads that no fence orders before an async write
} MlcPtxLaunch;

// Runs a kernel to its end. Adds to `counters`, which may be NULL. False after errors; memory is
// then as the kernel left it.
MLC_API MLC_NODISCARD bool mlc_ptx_launch(MlcPtxDevice *device, const MlcPtxLaunch *launch,
                                          MlcPtxCounters *counters);

MLC_END_DECLS

#endif
