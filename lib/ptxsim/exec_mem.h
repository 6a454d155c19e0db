// exec_mem.h -- loads, stores, atomics.
#ifndef MLC_LIB_PTXSIM_EXEC_MEM_H
#define MLC_LIB_PTXSIM_EXEC_MEM_H

#include "race.h"

// In `flags` of a load or store.
enum { MEMORY_STRONG = 1, MEMORY_ACQUIRE = 2, MEMORY_RELEASE = 4 };

typedef enum AtomicOp {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS,
    ATOMIC_INC,
    ATOMIC_DEC,
} AtomicOp;

// Where bytes lie, once it is sure that they do.
typedef struct Place {
    uint8_t *data, *written;
    Cell *cells;     // NULL: nobody looks
    unsigned offset; // of the first byte from cells[0]
    bool is_shared, is_global;
} Place;

Step ptx_load(Warp *w, const Inst *in, uint32_t mask);
Step ptx_load_param(Warp *w, const Inst *in, uint32_t mask);
Step ptx_store(Warp *w, const Inst *in, uint32_t mask);
// atom and red: in->variant is the operation; operand[0] the result or nothing.
Step ptx_atomic(Warp *w, const Inst *in, uint32_t mask);
Step ptx_cvta(Warp *w, const Inst *in, uint32_t mask);
Step ptx_is_space(Warp *w, const Inst *in, uint32_t mask);
// mapa: an address in the shared memory of another block of the cluster.
Step ptx_map_address(Warp *w, const Inst *in, uint32_t mask);

// The addresses of an operand, all lanes.
void ptx_addresses(const Warp *w, const Operand *o, uint64_t *to);
// Where `num_bytes` at an address of a space lie. False after an error: they are in no memory, not
// aligned to `align`, or not to be written.
bool ptx_resolve(Warp *w, const Inst *in, unsigned lane, PtxSpace space, uint64_t address,
                 uint64_t num_bytes, unsigned align, bool is_write, Place *place);
// An error if one of these bytes was never written.
bool ptx_check_written(Warp *w, const Inst *in, unsigned lane, const Place *place,
                       uint64_t num_bytes);
// The address of one lane.
uint64_t ptx_address_of(const Warp *w, const Operand *o, unsigned lane);
// a and b by an atomic operation.
uint64_t ptx_combine_elements(unsigned op, PtxType type, uint64_t a, uint64_t b);
void ptx_count_global(Warp *w, const uint64_t *addresses, uint32_t mask, unsigned num_bytes);
void ptx_count_shared(Warp *w, const uint64_t *addresses, uint32_t mask, unsigned num_bytes);

#endif
