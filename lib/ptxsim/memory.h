// memory.h -- the device's memory: regions of addresses, what of them was written, and who touched
// it last.
#ifndef MLC_LIB_PTXSIM_MEMORY_H
#define MLC_LIB_PTXSIM_MEMORY_H

#include "inst.h"
#include "race.h"

#include <pthread.h>

typedef struct Region {
    uint64_t base, size;
    uint8_t *data;
    uint8_t *written; // a byte for each: 0, never written
    Cell *cells;      // for 4 bytes each
    void *mapped;     // all three
    size_t mapped_size;
    bool read_only;
    bool is_written; // all of it: a variable of a module
    bool touched;    // its cells, by the launch that runs
} Region;

struct MlcPtxDevice {
    MlcPtxMessageFn handler;
    void *user;
    MLC_VEC(Region *) regions; // by address
    MLC_VEC(MlcPtxModule *) modules;
    uint64_t next_address;
    pthread_mutex_t atomics; // held while an atomic instruction works on global memory
};

// The region that has the address; NULL: none.
Region *ptx_find_region(const MlcPtxDevice *device, uint64_t address);
Region *ptx_add_region(MlcPtxDevice *device, uint64_t num_bytes);
// Forgets who touched what: a launch begins.
void ptx_forget_accesses(MlcPtxDevice *device);
// Tells the handler.
void ptx_tell(void *device, const char *file, PtxAt at, bool is_note, const char *text);

#endif
